//! What can go wrong on the way from source to IR.

use crate::clang::{self, LibraryError, ParseFailure};
use crate::parse::is_theirs;
use cudair_ir::{Diagnostic, DiagnosticClass, Span};

/// Why a program could not be lowered. Each is a [`Diagnostic`] of its class.
#[derive(Clone, Debug, thiserror::Error)]
pub enum FrontendError {
    /// There is no libclang that can be used.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A file cannot be read, or an option makes no sense.
    #[error("{message}")]
    Usage {
        /// What is wrong.
        message: String,
    },
    /// The source is not valid.
    #[error("{message}")]
    Parse {
        /// What the parser said.
        message: String,
        /// Where.
        place: Option<Span>,
        /// What it refers to, each with its label.
        notes: Vec<Span>,
    },
    /// The parser takes the source, which is not a valid program.
    #[error("{message}")]
    Program {
        /// What is wrong.
        message: String,
        /// Where.
        place: Option<Span>,
    },
    /// The source uses what cudair does not support.
    #[error("not supported: {what}")]
    Unsupported {
        /// The construct.
        what: String,
        /// Where.
        place: Option<Span>,
    },
    /// A defect of cudair.
    #[error("{what}")]
    Internal {
        /// What did not hold.
        what: String,
        /// Where.
        place: Option<Span>,
    },
}

impl From<ParseFailure> for FrontendError {
    fn from(failure: ParseFailure) -> FrontendError {
        match failure {
            ParseFailure::Library(error) => FrontendError::Library(error),
            ParseFailure::NulByte => FrontendError::Usage { message: "an option holds a NUL byte".into() },
            ParseFailure::GaveUp(file) => FrontendError::Parse {
                message: format!("libclang gave up on {file}"),
                place: None,
                notes: Vec::new(),
            },
        }
    }
}

impl FrontendError {
    /// Whether libclang says it of a file of the user's.
    pub(crate) fn is_of_user(&self) -> bool {
        matches!(self, FrontendError::Parse { place: Some(place), .. } if !is_theirs(&place.file))
    }

    /// The error as the data that the command renders.
    pub fn diagnostic(&self) -> Diagnostic {
        let (class, primary) = match self {
            FrontendError::Library(_) => (DiagnosticClass::Usage, None),
            FrontendError::Usage { .. } => (DiagnosticClass::Usage, None),
            FrontendError::Parse { place, .. } | FrontendError::Program { place, .. } => {
                (DiagnosticClass::Parse, place.clone())
            }
            FrontendError::Unsupported { place, .. } => (DiagnosticClass::Unsupported, place.clone()),
            FrontendError::Internal { place, .. } => (DiagnosticClass::Internal, place.clone()),
        };
        let mut diagnostic = Diagnostic::new(class, self.to_string());
        diagnostic.primary = primary;
        if let FrontendError::Parse { notes, .. } = self {
            diagnostic.related.clone_from(notes);
        }
        if let FrontendError::Library(_) = self {
            diagnostic.help = Some(clang::remedy().join("\n"));
        }
        diagnostic
    }
}
