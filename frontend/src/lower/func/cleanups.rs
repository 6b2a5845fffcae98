//! The stack of what a function still has to do when control leaves a scope, and what its exceptions share.
//!
//! This file keeps the stack. What its entries become in IR is in [`crate::lower::cleanup`].

use crate::lower::exceptions::HandlerTypes;
use cudair_ir::builder::FuncBuilder;
use cudair_ir::{Block, FuncId, GlobalId, Loc, MemFlags, Slot, Type, Value};

/// Where the object of an [`Action::Destroy`] lies.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CleanupPlace {
    Slot(Slot),
    /// At an address that is known wherever the entry is on the stack.
    Address(Value),
}

/// What an entry does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Action {
    /// The variable's lifetime ends.
    Dead(Slot),
    /// The destructor of a base of an object runs, with its construction table.
    DestroyBase { object: Value, dtor: FuncId, vtt: Value },
    /// A destructor runs on `count` objects of `size` bytes, last first.
    Destroy { at: CleanupPlace, dtor: FuncId, count: u64, size: u64 },
    /// A destructor runs on the elements of an array that are made: `made` counts them.
    DestroyMade { base: Value, made: Value, dtor: FuncId, size: u64 },
    /// `func` is called with a pointer, and the size where it takes it: memory is freed.
    Free { memory: Value, func: FuncId, size: Option<Value> },
    /// As `Free` where the memory came with placement arguments, which [`Cleanups::placement`] gives.
    FreePlaced { memory: Value, func: FuncId, arguments: Placement },
    /// The handlers of a try block: exceptions from inside come here.
    Handlers(TryBlock),
    /// A handler ends.
    EndCatch,
}

impl Action {
    /// Whether only a variable's lifetime ends, which matters to nobody once the frame is left.
    fn is_lifetime(&self) -> bool {
        matches!(self, Action::Dead(_))
    }
}

/// What leaving a scope does, one of several.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cleanup {
    pub action: Action,
    /// Whether it is to be done at all, where that is not certain.
    pub active: Option<Slot>,
    pub loc: Option<Loc>,
    /// Only when an exception passes.
    unwinding_only: bool,
    /// A part of an object that is being made.
    part: bool,
    /// A temporary that lives as long as the reference bound to it.
    extended: bool,
    landing: Option<Block>,
    chain: Option<Block>,
}

/// How much is registered: what stands above a mark belongs to what began there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Mark(usize);

impl Mark {
    /// Nothing is registered: leaving the function does all.
    pub const FUNCTION: Mark = Mark(0);
}

/// An entry of the stack, by its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry(usize);

/// A try block of the function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TryBlock(usize);

/// What memory was asked for with, beside its size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Placement(usize);

/// A handler of a try block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handler {
    /// Its number in the function.
    pub id: u32,
    /// The type that it takes; none for `...`.
    pub ty: Option<GlobalId>,
    pub block: Block,
}

/// The arms of `?:`, `&&` and `||` around the current place, within its full expression.
#[derive(Clone, Copy, Default)]
pub(crate) struct Arms {
    depth: u32,
    /// In front of the outermost operator.
    start: Option<(Block, usize)>,
}

/// What a function still has to do.
#[derive(Default)]
pub(crate) struct Cleanups {
    entries: Vec<Cleanup>,
    arms: Arms,
    /// The exception that passes, and which handler wants it.
    exception: Option<Slot>,
    chosen: Option<Slot>,
    /// The end of all chains.
    resume: Option<Block>,
    /// Where an exception ends that leaves a destructor while another passes.
    terminate: Option<Block>,
    /// Whether a chain is being written.
    in_chain: bool,
    /// The handlers of the try blocks met so far.
    tries: Vec<Vec<Handler>>,
    handlers: u32,
    placements: Vec<Vec<Value>>,
}

impl Cleanups {
    // Marks.

    pub fn mark(&self) -> Mark {
        Mark(self.entries.len())
    }

    /// Whether anything is registered above a mark.
    pub fn any_above(&self, mark: Mark) -> bool {
        self.entries.len() > mark.0
    }

    /// Whether something other than the end of a variable's lifetime is registered above a mark.
    pub fn works_above(&self, mark: Mark) -> bool {
        self.entries[mark.0..].iter().any(|c| !c.action.is_lifetime())
    }

    /// Whether a mark is of the current place or one further out.
    pub fn reaches(&self, mark: Mark) -> bool {
        mark.0 <= self.entries.len()
    }

    /// Forgets what is registered above a mark.
    pub fn forget(&mut self, mark: Mark) {
        self.entries.truncate(mark.0);
    }

    /// Forgets what is registered above a mark, but for the first of it.
    pub fn forget_inside_first(&mut self, mark: Mark) {
        self.entries.truncate(mark.0 + 1);
    }

    // Registering.

    /// Registers something for the end of the scope. In an arm of an operator a flag tells whether it is to be done.
    pub fn push(&mut self, b: &mut FuncBuilder, action: Action) {
        let may_be_absent = self.arms.depth > 0 && !action.is_lifetime();
        let active = may_be_absent.then(|| self.flag(b));
        self.register(b, action, active, false);
    }

    /// Registers something that is done only when an exception passes.
    pub fn push_unwinding(&mut self, b: &FuncBuilder, action: Action) {
        self.register(b, action, None, true);
    }

    /// Registers the end of a part of an object that is being made, if an exception passes before it is whole.
    pub fn push_part(&mut self, b: &FuncBuilder, action: Action) {
        self.register(b, action, None, true).part = true;
    }

    fn register(
        &mut self,
        b: &FuncBuilder,
        action: Action,
        active: Option<Slot>,
        unwinding_only: bool,
    ) -> &mut Cleanup {
        let cleanup = Cleanup {
            action,
            active,
            loc: b.loc(),
            unwinding_only,
            part: false,
            extended: false,
            landing: None,
            chain: None,
        };
        let at = self.entries.len();
        self.entries.push(cleanup);
        &mut self.entries[at]
    }

    /// A flag that is set from here on and was not before.
    fn flag(&self, b: &mut FuncBuilder) -> Slot {
        let flag = b.slot("", 1, 1);
        if let Some(start) = self.arms.start {
            b.insert_at(start, |b| {
                let no = b.iconst(Type::I1, 0);
                let address = b.slot_addr(flag);
                b.store(no, address, MemFlags::aligned(1));
            });
        }
        let yes = b.iconst(Type::I1, 1);
        let address = b.slot_addr(flag);
        b.store(yes, address, MemFlags::aligned(1));
        flag
    }

    /// What was registered last, above a mark if anything was, lives as long as the variable being initialised.
    pub fn extend_last(&mut self, mark: Mark) {
        if let Some(last) = self.entries[mark.0..].last_mut() {
            last.extended = true;
        }
    }

    // Arms.

    /// An operator with arms begins, whose condition comes first.
    pub fn before_arms(&mut self, b: &mut FuncBuilder) {
        if self.arms.depth == 0 {
            self.arms.start = Some(b.position());
        }
    }

    /// What follows, up to [`Self::end_arms`], is evaluated in some cases only.
    pub fn begin_arms(&mut self) {
        self.arms.depth += 1;
    }

    /// Ends what [`Self::begin_arms`] began.
    pub fn end_arms(&mut self) {
        self.arms.depth -= 1;
    }

    /// A statement begins, which has no arms around it. Gives those of the expression that it is in.
    pub fn begin_statement(&mut self) -> Arms {
        std::mem::take(&mut self.arms)
    }

    /// Ends what [`Self::begin_statement`] began.
    pub fn end_statement(&mut self, arms: Arms) {
        self.arms = arms;
    }

    // Forgetting some.

    /// Forgets the parts registered above `mark`: the object is whole.
    pub fn drop_parts(&mut self, mark: Mark) {
        self.remove(mark, |c| c.part);
    }

    /// Forgets what was registered first to be done when an exception passes, above `mark`.
    pub fn remove_unwinding(&mut self, mark: Mark) {
        let mut first = true;
        self.remove(mark, |c| c.unwinding_only && !c.part && std::mem::take(&mut first));
    }

    /// Ends a full expression: forgets what is above `mark`, but for temporaries that live on, which from here on are
    /// variables of the scope.
    pub fn drop_temporaries(&mut self, mark: Mark) {
        self.remove(mark, |c| !c.extended);
        for cleanup in &mut self.entries[mark.0..] {
            cleanup.extended = false;
        }
    }

    /// Forgets entries above `mark`. What lies above them goes on with other chains.
    fn remove(&mut self, mark: Mark, mut which: impl FnMut(&Cleanup) -> bool) {
        let mut changed = false;
        let rest = self.entries.split_off(mark.0.min(self.entries.len()));
        for mut cleanup in rest {
            if which(&cleanup) {
                changed = true;
                continue;
            }
            if changed {
                (cleanup.landing, cleanup.chain) = (None, None);
            }
            self.entries.push(cleanup);
        }
    }

    // Leaving a scope.

    /// The entries above a mark that leaving its scope runs, last first; `all`: also those of temporaries that live on.
    pub fn leaving(&self, mark: Mark, all: bool) -> Vec<Entry> {
        let runs = |c: &Cleanup| {
            !c.unwinding_only && (all || !c.extended) && !matches!(c.action, Action::Handlers(_))
        };
        (mark.0..self.entries.len()).rev().filter(|&i| runs(&self.entries[i])).map(Entry).collect()
    }

    pub fn get(&self, entry: Entry) -> Cleanup {
        self.entries[entry.0]
    }

    /// Takes an entry and what is above it off, while it runs: what it throws goes by what is further out.
    pub fn lift(&mut self, entry: Entry, lifted: &mut Lifted) {
        let mut taken = self.entries.split_off(entry.0);
        taken.append(&mut lifted.0);
        lifted.0 = taken;
    }

    /// Puts back what [`Self::lift`] took.
    pub fn put_back(&mut self, lifted: Lifted) {
        self.entries.extend(lifted.0);
    }

    // Exceptions.

    /// The innermost entry that an exception from here meets.
    pub fn innermost(&self) -> Option<Entry> {
        self.entries.iter().rposition(|c| !c.action.is_lifetime()).map(Entry)
    }

    /// The next entry that an exception meets, outside of `entry`.
    pub fn next_outside(&self, entry: Entry) -> Option<Entry> {
        let outside = &self.entries[..entry.0];
        // A variable's lifetime matters only where the frame goes on.
        let handled = outside.iter().any(|c| matches!(c.action, Action::Handlers(_)));
        outside.iter().rposition(|c| handled || !c.action.is_lifetime()).map(Entry)
    }

    /// The block where an exception enters the chain at an entry.
    pub fn landing(&self, entry: Entry) -> Option<Block> {
        self.entries[entry.0].landing
    }

    pub fn set_landing(&mut self, entry: Entry, block: Block) {
        self.entries[entry.0].landing = Some(block);
    }

    /// The block that does what an entry asks for when an exception passes.
    pub fn chain(&self, entry: Entry) -> Option<Block> {
        self.entries[entry.0].chain
    }

    pub fn set_chain(&mut self, entry: Entry, block: Block) {
        self.entries[entry.0].chain = Some(block);
    }

    /// Whether an exception from here on ends the program. Gives what was so before.
    pub fn terminates(&mut self, yes: bool) -> bool {
        std::mem::replace(&mut self.in_chain, yes)
    }

    /// Whether what is thrown now has nowhere to go.
    pub fn in_chain(&self) -> bool {
        self.in_chain
    }

    /// The block that passes an exception on to the caller, once made.
    pub fn resume(&self) -> Option<Block> {
        self.resume
    }

    pub fn set_resume(&mut self, block: Block) {
        self.resume = Some(block);
    }

    /// The block that ends the program with an exception, once made.
    pub fn terminate(&self) -> Option<Block> {
        self.terminate
    }

    pub fn set_terminate(&mut self, block: Block) {
        self.terminate = Some(block);
    }

    /// Where the exception that passes is kept.
    pub fn exception_slot(&mut self, b: &mut FuncBuilder) -> Slot {
        *self.exception.get_or_insert_with(|| b.slot("", 8, 8))
    }

    /// Where it is kept which handler takes the exception.
    pub fn chosen_slot(&mut self, b: &mut FuncBuilder) -> Slot {
        *self.chosen.get_or_insert_with(|| b.slot("", 4, 4))
    }

    /// A new handler, which takes exceptions of a type or all.
    pub fn new_handler(&mut self, b: &mut FuncBuilder, ty: Option<GlobalId>) -> Handler {
        self.handlers += 1;
        Handler { id: self.handlers, ty, block: b.make_block() }
    }

    /// Exceptions from here on come to the handlers of a try block.
    pub fn begin_try(&mut self, b: &FuncBuilder, handlers: Vec<Handler>) -> TryBlock {
        let block = TryBlock(self.tries.len());
        self.tries.push(handlers);
        self.push_unwinding(b, Action::Handlers(block));
        block
    }

    pub fn handlers(&self, block: TryBlock) -> &[Handler] {
        &self.tries[block.0]
    }

    /// The types of the handlers around an entry, the innermost first, up to one that takes everything.
    pub fn types_around(&self, entry: Entry) -> HandlerTypes {
        let mut types = HandlerTypes::new();
        for cleanup in self.entries[..=entry.0].iter().rev() {
            if let Action::Handlers(block) = cleanup.action {
                types.extend(self.handlers(block).iter().map(|h| (h.ty, h.id)));
                if types.last().is_some_and(|(ty, _)| ty.is_none()) {
                    break;
                }
            }
        }
        types
    }

    /// Keeps what memory was asked for with, for the function that frees it.
    pub fn keep_placement(&mut self, arguments: Vec<Value>) -> Placement {
        let placement = Placement(self.placements.len());
        self.placements.push(arguments);
        placement
    }

    pub fn placement(&self, placement: Placement) -> &[Value] {
        &self.placements[placement.0]
    }
}

/// Entries that were taken off the stack, in its order.
#[derive(Default)]
pub(crate) struct Lifted(Vec<Cleanup>);
