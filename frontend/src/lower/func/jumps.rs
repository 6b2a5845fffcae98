//! Where the jumps of a function lead: loops, labels, cases, and the scopes that a jump leaves.

use super::cleanups::Mark;
use crate::ast::{Body, LabelId, NodeId, St, StmtKind, Try};
use cudair_ir::Block;
use cudair_ir::builder::FuncBuilder;
use rustc_hash::{FxHashMap, FxHashSet};

/// A loop or `switch` as `break` and `continue` see it.
#[derive(Clone, Copy, Debug)]
struct Loop {
    break_to: Block,
    /// None for a `switch`.
    continue_to: Option<Block>,
    /// What was registered outside.
    outside: Mark,
}

/// A label and the scopes around it.
struct Label {
    block: Block,
    path: Vec<NodeId>,
    /// What is registered where it stands, once that is known.
    stands: Option<Mark>,
}

/// A `case` or `default`, and the scopes around it within its `switch`.
struct Case {
    block: Block,
    path: Vec<NodeId>,
}

/// What a jump leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Target {
    Label(LabelId),
    Case(NodeId),
}

/// The jumps of a function.
#[derive(Default)]
pub(crate) struct Jumps {
    loops: Vec<Loop>,
    labels: FxHashMap<LabelId, Label>,
    /// The labels and cases that each scope still has in front of it.
    to_come: FxHashMap<NodeId, FxHashSet<Target>>,
    /// The scopes around the current place, each with what was registered outside it.
    path: Vec<(NodeId, Mark)>,
    /// Blocks of `case` and `default` statements.
    cases: FxHashMap<NodeId, Case>,
}

/// How many loops and scopes are around a place.
#[derive(Clone, Copy)]
pub(crate) struct Around {
    loops: usize,
    path: usize,
}

impl Jumps {
    // Scopes.

    /// A scope begins, to which a label may belong.
    pub fn enter_scope(&mut self, scope: NodeId, outside: Mark) {
        self.path.push((scope, outside));
    }

    pub fn leave_scope(&mut self) {
        self.path.pop();
    }

    /// Whether no scope is around the current place.
    pub fn at_outermost(&self) -> bool {
        self.path.is_empty()
    }

    /// Whether a jump may pass a declaration that stands here: one to a place behind it in the same scope. What leads back
    /// in front of it or leaves the scope ends its life.
    pub fn may_pass_declaration(&self) -> bool {
        let here = self.path.last().and_then(|(scope, _)| self.to_come.get(scope));
        here.is_some_and(|targets| !targets.is_empty())
    }

    fn comes(&mut self, target: Target, path: &[NodeId]) {
        for scope in path {
            self.to_come.entry(*scope).or_default().insert(target);
        }
    }

    fn has_come(&mut self, target: Target, path: &[NodeId]) {
        for scope in path {
            if let Some(targets) = self.to_come.get_mut(scope) {
                targets.remove(&target);
            }
        }
    }

    pub fn around(&self) -> Around {
        Around { loops: self.loops.len(), path: self.path.len() }
    }

    /// A statement was given up: the loops and scopes inside it are no more.
    pub fn give_up(&mut self, start: Around) {
        self.loops.truncate(start.loops);
        self.path.truncate(start.path);
    }

    // Loops and cases.

    /// A loop's body begins; `outside`: what lives on when an iteration ends.
    pub fn enter_loop(&mut self, break_to: Block, continue_to: Block, outside: Mark) {
        self.loops.push(Loop { break_to, continue_to: Some(continue_to), outside });
    }

    /// The body of a `switch` begins; `outside`: what lives on behind it.
    pub fn enter_switch(&mut self, break_to: Block, outside: Mark) {
        self.loops.push(Loop { break_to, continue_to: None, outside });
    }

    /// The body of a loop or `switch` ends.
    pub fn leave_loop(&mut self) {
        self.loops.pop();
    }

    /// Where `break` leads, and what lives on there.
    pub fn break_target(&self) -> Option<(Block, Mark)> {
        self.loops.last().map(|l| (l.break_to, l.outside))
    }

    /// Where `continue` leads, and what lives on there.
    pub fn continue_target(&self) -> Option<(Block, Mark)> {
        self.loops.iter().rev().find_map(|l| Some((l.continue_to?, l.outside)))
    }

    /// A `case` or `default` within these scopes of its `switch` starts a block.
    pub fn add_case(&mut self, case: NodeId, block: Block, path: Vec<NodeId>) {
        self.comes(Target::Case(case), &path);
        self.cases.insert(case, Case { block, path });
    }

    /// A `case` or `default` stands here: its block.
    pub fn case_stands(&mut self, case: NodeId) -> Option<Block> {
        let Case { block, path } = self.cases.get(&case)?;
        let (block, path) = (*block, path.clone());
        self.has_come(Target::Case(case), &path);
        Some(block)
    }

    // Labels.

    /// Finds the labels of the function and the scopes around each.
    pub fn find_labels(&mut self, b: &mut FuncBuilder, body: Option<Body<'_>>) {
        let mut path = Vec::new();
        match body {
            Some(Body::Plain(body)) => self.labels_of(b, body, &mut path),
            Some(Body::Try(tried)) => self.labels_of_try(b, tried, &mut path),
            // A body that is not understood is not lowered.
            Some(Body::Fault(..)) | None => {}
        }
    }

    /// Finds the labels of a statement expression, which begins here.
    pub fn find_labels_inside(&mut self, b: &mut FuncBuilder, body: St<'_>) {
        let mut path = self.path.iter().map(|(scope, _)| *scope).collect();
        self.labels_of(b, body, &mut path);
    }

    fn labels_of_try(&mut self, b: &mut FuncBuilder, s: &Try<'_>, path: &mut Vec<NodeId>) {
        self.labels_of(b, s.body, path);
        for handler in s.handlers {
            path.push(handler.id());
            self.labels_of(b, handler.body, path);
            path.pop();
        }
    }

    fn labels_of(&mut self, b: &mut FuncBuilder, s: St<'_>, path: &mut Vec<NodeId>) {
        match s.kind {
            StmtKind::Label { label, .. } => {
                let new = || Label { block: b.make_block(), path: Vec::new(), stands: None };
                let known = self.labels.entry(label).or_insert_with(new);
                if known.stands.is_none() {
                    known.path.clone_from(path);
                    self.comes(Target::Label(label), path);
                }
            }
            StmtKind::Try(tried) => return self.labels_of_try(b, tried, path),
            _ => {}
        }
        let scope = matches!(
            s.kind,
            StmtKind::Compound(_)
                | StmtKind::For(_)
                | StmtKind::RangeFor(_)
                | StmtKind::If(_)
                | StmtKind::While { .. }
                | StmtKind::Switch(_)
        );
        if scope {
            path.push(s.id());
        }
        for part in s.parts() {
            self.labels_of(b, part, path);
        }
        if scope {
            path.pop();
        }
    }

    /// The block of a label. One inside a statement expression is met here first.
    pub fn label(&mut self, b: &mut FuncBuilder, label: LabelId) -> Block {
        self.met(b, label).0.block
    }

    /// A label, and the scopes around the current place.
    fn met(&mut self, b: &mut FuncBuilder, label: LabelId) -> (&mut Label, &[(NodeId, Mark)]) {
        let Jumps { labels, path, .. } = self;
        let met = labels.entry(label).or_insert_with(|| Label {
            block: b.make_block(),
            path: path.iter().map(|(id, _)| *id).collect(),
            stands: None,
        });
        (met, path)
    }

    /// The block of a label that was met.
    pub fn known_label(&self, label: LabelId) -> Option<Block> {
        self.labels.get(&label).map(|l| l.block)
    }

    /// A label stands where `here` is registered.
    pub fn label_stands(&mut self, b: &mut FuncBuilder, label: LabelId, here: Mark) {
        let (met, _) = self.met(b, label);
        met.stands = Some(here);
        let path = met.path.clone();
        self.has_come(Target::Label(label), &path);
    }

    /// Where a jump to a label leads, and what lives on when it leaves something.
    pub fn goto_target(&mut self, b: &mut FuncBuilder, label: LabelId) -> (Block, Option<Mark>) {
        let (label, path) = self.met(b, label);
        let left = path.iter().find(|(id, _)| !label.path.contains(id)).map(|(_, outside)| *outside);
        // Back before a variable of the same scope ends its life too.
        (label.block, left.into_iter().chain(label.stands).min())
    }

    /// The blocks of all labels, in order.
    pub fn label_blocks(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = self.labels.values().map(|l| l.block).collect();
        blocks.sort_unstable();
        blocks
    }
}
