//! Blocks that are jumped to and never written, since what they belong to could not be lowered.

use cudair_ir::{Block, Function, Loc, Message, TrapCode};
use rustc_hash::FxHashMap;

/// The trap that names a construct, and where the construct stands.
type Named = (TrapCode, Option<Loc>);

/// Which construct left a block unwritten.
#[derive(Default)]
pub(crate) struct Unfinished {
    /// The construct that was given up first while the block was unwritten.
    blocks: FxHashMap<Block, (Message, Option<Loc>)>,
    /// The construct that was given up last.
    last: Option<(Message, Option<Loc>)>,
}

impl Unfinished {
    /// A construct is given up here. What it has jumped to so far may stay unwritten; a construct around it writes the
    /// rest.
    pub fn give_up(&mut self, func: &Function, message: Message, loc: Option<Loc>) {
        for block in unwritten(func) {
            self.blocks.entry(block).or_insert((message, loc));
        }
        self.last = Some((message, loc));
    }

    /// The traps for the blocks that nothing has written: each names the construct. `None` stands for a block of which
    /// no construct is known.
    pub fn traps(&self, func: &Function) -> Vec<(Block, Option<Named>)> {
        let trap = |(message, loc)| (TrapCode::Unsupported(message), loc);
        unwritten(func)
            .into_iter()
            .map(|block| (block, self.blocks.get(&block).copied().or(self.last).map(trap)))
            .collect()
    }
}

/// The blocks that are jumped to but not written, each once.
fn unwritten(func: &Function) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let written: rustc_hash::FxHashSet<Block> = func.layout.iter().copied().collect();
    for &block in &func.layout {
        for next in func.successors(block) {
            if !written.contains(&next) && !found.contains(&next) {
                found.push(next);
            }
        }
    }
    found
}
