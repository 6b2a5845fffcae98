//! Race detection.
