//! Whether the place being lowered is certainly reached, and how deep it is nested.

/// How deep expressions and statements may nest before lowering gives up on them. The lowering runs on
/// a stack that holds this many frames with room to spare.
const MAX_DEPTH: u32 = 20_000;

/// How the current place is reached from the function's start.
#[derive(Default)]
pub(crate) struct Reach {
    /// How many branches were taken to get here; 0 is certain.
    branches: u32,
    depth: u32,
    /// Whether the function may have been left before the current place.
    escaped: bool,
}

/// A place in the nesting, to which a fault goes back.
#[derive(Clone, Copy)]
pub(crate) struct Nesting {
    branches: u32,
    depth: u32,
}

impl Reach {
    /// Whether the current place is reached whenever the function is.
    pub fn is_certain(&self) -> bool {
        self.branches == 0 && !self.escaped
    }

    /// What follows, up to [`Self::join`], runs in some cases only.
    pub fn branch(&mut self) {
        self.branches += 1;
    }

    /// Ends what [`Self::branch`] began.
    pub fn join(&mut self) {
        self.branches -= 1;
    }

    /// The function may be left here. What follows is not certain any more.
    pub fn escape(&mut self) {
        self.escaped = true;
    }

    /// Counts nesting. False where there is too much of it.
    #[must_use]
    pub fn deeper(&mut self) -> bool {
        self.depth += 1;
        self.depth <= MAX_DEPTH
    }

    /// Ends what [`Self::deeper`] began.
    pub fn shallower(&mut self) {
        self.depth -= 1;
    }

    pub fn nesting(&self) -> Nesting {
        Nesting { branches: self.branches, depth: self.depth }
    }

    /// A statement ended at the depth at which it began.
    pub fn end_statement(&mut self, start: Nesting) {
        self.depth = start.depth;
    }

    /// A statement was given up: its branches are no more.
    pub fn give_up(&mut self, start: Nesting) {
        self.branches = start.branches;
    }
}
