//! What is in a term, so that rewriting and searching pass over what has none of it, and what rewriting came to.

use super::{Func, Node, Term};
use cudair_ir::Uniformity;
use rustc_hash::FxHashMap;

/// What a term holds, itself included. Symbols and applications are told by a bit of 64 each (a Bloom filter of one hash
/// function): a bit that is missing says that the term does not hold them.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Has {
    symbols: u64,
    applications: u64,
    /// Who agrees at least in a symbol or application of copy 0, if there is one.
    pub(super) scope: Option<Uniformity>,
    /// Whether the term speaks of the iteration in which a loop is left.
    pub(super) exit: bool,
}

impl Has {
    /// What a term holds beside its parts.
    pub(super) fn leaf(t: Term, node: &Node) -> Has {
        let bit = 1 << (t.0.wrapping_mul(0x9e37_79b9) >> 26);
        match *node {
            Node::Sym { sym, copy } => {
                Has { symbols: bit, scope: (copy == 0).then(|| sym.scope()), ..Has::default() }
            }
            Node::App { func, scope, copy, .. } => Has {
                applications: bit,
                scope: (copy == 0).then_some(scope),
                exit: matches!(func, Func::Exit(_)),
                ..Has::default()
            },
            _ => Has::default(),
        }
    }

    /// What two terms hold together.
    pub(super) fn and(self, other: Has) -> Has {
        let scope = match (self.scope, other.scope) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Has {
            symbols: self.symbols | other.symbols,
            applications: self.applications | other.applications,
            scope,
            exit: self.exit || other.exit,
        }
    }

    /// Whether the term may hold one of these symbols and applications.
    pub(super) fn may_have(self, leaves: Has) -> bool {
        self.symbols & leaves.symbols != 0 || self.applications & leaves.applications != 0
    }
}

/// By term, what it became.
type Done = FxHashMap<Term, Term>;

/// What rewriting came to, kept from question to question: they speak of the same loops and guards. A copy of the terms starts
/// with none.
#[derive(Default, Debug)]
pub(super) struct Rewritten {
    /// By copy, and by what the threads share.
    pub(super) instances: FxHashMap<(u8, Uniformity), Done>,
    /// By what stands for what.
    replaced: FxHashMap<Vec<(Term, Term)>, Done>,
    /// Terms in `replaced`.
    kept: usize,
}

/// Terms that are kept of replacements, at most: 8 MiB.
const KEPT: usize = 1 << 20;

impl Rewritten {
    /// Takes what is known of a replacement.
    pub(super) fn replaced(&mut self, with: &[(Term, Term)]) -> Done {
        let Some(done) = self.replaced.get_mut(with) else { return Done::default() };
        self.kept -= done.len();
        std::mem::take(done)
    }

    /// Keeps what is known of a replacement.
    pub(super) fn keep_replaced(&mut self, with: &[(Term, Term)], done: Done) {
        if self.kept + done.len() > KEPT {
            (self.replaced, self.kept) = (FxHashMap::default(), 0);
        }
        self.kept += done.len();
        match self.replaced.get_mut(with) {
            Some(kept) => *kept = done,
            None => {
                self.replaced.insert(with.to_vec(), done);
            }
        }
    }
}

impl Clone for Rewritten {
    fn clone(&self) -> Rewritten {
        Rewritten::default()
    }
}
