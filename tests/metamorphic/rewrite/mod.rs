//! The rewrites: each says where it may be applied, and where not and why.
//!
//! A [`Place`] is one application, made of edits that go together. What the standard does not leave alone is counted as
//! an exception by its reason; what the parse refuses is found later and counted as well.

pub mod aliases;
pub mod braces;
pub mod comments;
pub mod declarations;
pub mod digraphs;
pub mod expressions;
pub mod headers;
pub mod keywords;
pub mod namespaces;
pub mod parentheses;
pub mod splices;
pub mod statements;
pub mod templates;
pub mod types;

use crate::random::Random;
use crate::source::Source;
use crate::text::{Edit, Line};
use std::collections::BTreeMap;

/// One application of a rewrite.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// What changes.
    pub edits: Vec<Edit>,
    /// What has to stand at the head of the file.
    pub head: Vec<Line>,
}

impl Place {
    /// A place of edits alone.
    pub fn new(edits: impl IntoIterator<Item = Edit>) -> Place {
        Place { edits: edits.into_iter().collect(), head: Vec::new() }
    }

    /// With a line at the head of the file that stands for none of its bytes.
    pub fn with_line(mut self, text: String) -> Place {
        self.head.push(Line { text, range: None });
        self
    }

    /// With a line at the head of the file that stands for these bytes.
    pub fn with_line_for(mut self, text: String, range: std::ops::Range<usize>) -> Place {
        self.head.push(Line { text, range: Some(range) });
        self
    }
}

/// Where a rewrite may be applied.
#[derive(Default)]
pub struct Plan {
    /// The places.
    pub places: Vec<Place>,
    /// Places where it must not be, by the reason.
    pub exceptions: BTreeMap<&'static str, usize>,
}

impl Plan {
    /// Counts an exception.
    pub fn except(&mut self, why: &'static str) {
        *self.exceptions.entry(why).or_default() += 1;
    }
}

/// A rewrite.
#[derive(Clone, Copy)]
pub struct Rewrite {
    /// Its name.
    pub name: &'static str,
    /// Where it may be applied.
    pub plan: fn(&Source, &mut Random) -> Plan,
}

/// All of them.
pub const ALL: [Rewrite; 14] = [
    Rewrite { name: "comments", plan: comments::plan },
    Rewrite { name: "splices", plan: splices::plan },
    Rewrite { name: "digraphs", plan: digraphs::plan },
    Rewrite { name: "keywords", plan: keywords::plan },
    Rewrite { name: "expressions", plan: expressions::plan },
    Rewrite { name: "types", plan: types::plan },
    Rewrite { name: "statements", plan: statements::plan },
    Rewrite { name: "declarations", plan: declarations::plan },
    Rewrite { name: "aliases", plan: aliases::plan },
    Rewrite { name: "parentheses", plan: parentheses::plan },
    Rewrite { name: "braces", plan: braces::plan },
    Rewrite { name: "namespaces", plan: namespaces::plan },
    Rewrite { name: "templates", plan: templates::plan },
    Rewrite { name: "headers", plan: headers::plan },
];
