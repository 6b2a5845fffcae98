//! What the compiler has to know of a function before it writes machine code: basic blocks, live registers, which results
//! have to stand in the frame's words, and webs.
//!
//! A register of the bytecode holds many values one after the other. A *web* is all definitions and uses of a register
//! that belong together (Muchnick, "Advanced Compiler Design and Implementation", section 16.3.3). Each has one type.

use super::ops::{self, Base, Way};
use crate::Refusal;
use cudair_bytecode::{Code, Op, families};

/// Where compiled code keeps the values of a web.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Int,
    F32,
    F64,
}

/// A set of words of the frame.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Words(Vec<u64>);

impl Words {
    fn new(n: usize) -> Words {
        Words(vec![0; n.div_ceil(64)])
    }

    pub(crate) fn has(&self, w: u16) -> bool {
        self.0[usize::from(w) / 64] >> (w % 64) & 1 != 0
    }

    fn set(&mut self, w: u16, on: bool) {
        let word = &mut self.0[usize::from(w) / 64];
        *word = *word & !(1 << (w % 64)) | u64::from(on) << (w % 64);
    }

    fn add(&mut self, other: &Words) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        let of = |(n, &bits): (usize, &u64)| {
            (0..64).filter(move |i| bits >> i & 1 != 0).map(move |i| (64 * n + i) as u16)
        };
        self.0.iter().enumerate().flat_map(of)
    }
}

/// When the value of a word is written to the frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keep {
    /// Never: nobody needs it there.
    Never,
    /// Where it is defined.
    AtOnce,
    /// Where compiled code leaves, up to this operation.
    AtExits(u32),
}

/// A basic block.
pub(crate) struct Block {
    pub(crate) first: usize,
    /// The operation behind the last.
    pub(crate) end: usize,
    pub(crate) next: Vec<usize>,
    /// The block from which alone control comes to it, if there is one and it stands before.
    pub(crate) only_from: Option<usize>,
    /// The last block from which a back edge leads to it, if one does: it is the head of a loop.
    pub(crate) last_back_edge: Option<usize>,
    pub(crate) live: Words,
    /// Live words whose values have to be in the frame if they were written by then.
    needed: Words,
    /// By live word, in order: the web.
    pub(crate) webs: Vec<(u16, u32)>,
}

/// See the module's documentation.
pub(crate) struct Flow {
    pub(crate) blocks: Vec<Block>,
    /// By operation: the block that it begins.
    pub(crate) begins: Vec<Option<u32>>,
    /// Blocks at which compiled code may be entered.
    pub(crate) entries: Vec<usize>,
    /// By operation: the webs of the words that it writes, in the order of [`ops::words`].
    pub(crate) defined: Vec<[u32; 3]>,
    /// By operation: what becomes of those words in the frame.
    pub(crate) kept: Vec<[Keep; 3]>,
    /// By operation that ends objects: the words that are live behind it.
    pub(crate) live_behind: Vec<(usize, Words)>,
    /// By web.
    pub(crate) kinds: Vec<Kind>,
    /// By web: whether memory is accessed through it.
    pub(crate) bases: Vec<bool>,
    /// Loops: the first operation, and the one behind the last. Inner ones come first.
    loops: Vec<(usize, usize)>,
    /// By web: the operations that write it, in order.
    writers: Vec<Vec<u32>>,
}

/// Operations beyond which a function is not compiled, words of its frame, and words that entries load.
const MOST_OPS: usize = 6_000;
const MOST_WORDS: usize = 2_000;
const MOST_LOADS: usize = 6_000;

impl Flow {
    pub(crate) fn new(code: &Code) -> Result<Flow, Refusal> {
        let n = code.ops.len();
        let size = usize::from(code.files.scalars);
        if n > MOST_OPS || size > MOST_WORDS {
            return Err(Refusal("it is too long"));
        }
        let single: Vec<Op> = code.ops.iter().map(|&op| ops::first(op)).collect();
        if let Some(op) = single.iter().find(|&&op| ops::way(op) == Way::Refused) {
            log::info!(target: "jit", "`{}`: has `{}`", code.name, op.mnemonic());
            return Err(Refusal("an operation that it does not do"));
        }
        let constant = constants(code);
        for &op in &single {
            let mut writes = false;
            ops::words(code, op, |w, d| writes |= d && constant.contains(&w));
            if writes {
                return Err(Refusal("it writes its constants"));
            }
        }
        let (mut blocks, begins, entries) = blocks(code, &single);
        let kept = liveness(code, &single, &mut blocks, &constant);
        let entries = few_entries(&blocks, entries)?;
        let mut flow = Flow {
            blocks,
            begins,
            entries,
            defined: vec![[u32::MAX; 3]; n],
            kept,
            live_behind: Vec::new(),
            kinds: Vec::new(),
            bases: Vec::new(),
            loops: Vec::new(),
            writers: Vec::new(),
        };
        flow.webs(code, &single, &constant);
        flow.ends_of_objects(code, &single, &constant);
        let ends = |b: &Block| Some((b.first, flow.blocks[b.last_back_edge?].end));
        flow.loops = flow.blocks.iter().filter_map(ends).collect();
        flow.loops.sort_by_key(|l| l.1 - l.0);
        flow.writers = vec![Vec::new(); flow.kinds.len()];
        for (pc, defined) in flow.defined.iter().enumerate() {
            for &web in defined.iter().filter(|&&web| web != u32::MAX) {
                flow.writers[web as usize].push(pc as u32);
            }
        }
        Ok(flow)
    }

    /// Whether a web is not the same value all through the innermost loop around an operation; nothing where there is no loop.
    pub(crate) fn changes(&self, web: u32, pc: usize) -> Option<bool> {
        let &(first, end) = self.loops.iter().find(|l| (l.0..l.1).contains(&pc))?;
        let writers = &self.writers[web as usize];
        let next = writers.partition_point(|&w| (w as usize) < first);
        Some(writers.get(next).is_some_and(|&w| (w as usize) < end))
    }

    /// Finds webs, their kinds, and through which of them memory is accessed.
    fn webs(&mut self, code: &Code, single: &[Op], constant: &std::ops::Range<u16>) {
        let mut sets = Sets::default();
        for block in &mut self.blocks {
            block.webs = block.live.iter().map(|w| (w, sets.add())).collect();
        }
        // Pairs of webs of which the first is a base if the second is.
        let mut from: Vec<(u32, u32)> = Vec::new();
        let mut votes: Vec<(u32, Kind)> = Vec::new();
        let mut bases: Vec<u32> = Vec::new();
        let mut now = vec![u32::MAX; usize::from(code.files.scalars)];
        for b in 0..self.blocks.len() {
            now.fill(u32::MAX);
            for &(w, web) in &self.blocks[b].webs {
                now[usize::from(w)] = web;
            }
            let first = self.blocks[b].first;
            for (n, &op) in single[first..self.blocks[b].end].iter().enumerate() {
                let pc = first + n;
                let mut reads = Vec::new();
                let mut writes = Vec::new();
                ops::words(code, op, |w, d| if d { writes.push(w) } else { reads.push(w) });
                let web = |w: u16| if constant.contains(&w) { u32::MAX } else { now[usize::from(w)] };
                let vote = operand_kind(op);
                for &w in &reads {
                    if let (Some(kind), true) = (vote, web(w) != u32::MAX) {
                        votes.push((web(w), kind));
                    }
                }
                if let Some(ops::Access { base: Base::Pointer(p), .. }) = ops::access(op)
                    && web(p.0) != u32::MAX
                {
                    bases.push(web(p.0));
                }
                let sources: Vec<u32> = match op {
                    Op::Mov { a, .. } | Op::PtrAdd { a, .. } | Op::PtrAddI { a, .. } => vec![web(a.0)],
                    Op::PtrIdx { base, .. } => vec![web(base.0)],
                    Op::Select { a, b, .. } => vec![web(a.0), web(b.0)],
                    _ => Vec::new(),
                };
                for (k, &w) in writes.iter().enumerate().take(3) {
                    let web = sets.add();
                    self.defined[pc][k] = web;
                    now[usize::from(w)] = web;
                    if let Some(kind) = result_kind(op) {
                        votes.push((web, kind));
                    }
                    for &source in sources.iter().filter(|&&s| s != u32::MAX) {
                        from.push((source, web));
                    }
                }
            }
            for next in self.blocks[b].next.clone() {
                for &(w, web) in &self.blocks[next].webs {
                    if now[usize::from(w)] != u32::MAX {
                        sets.join(now[usize::from(w)], web);
                    }
                }
            }
        }
        let mut of = vec![u32::MAX; sets.0.len()];
        let mut count = 0;
        for n in 0..sets.0.len() as u32 {
            let root = sets.find(n) as usize;
            if of[root] == u32::MAX {
                of[root] = count;
                count += 1;
            }
        }
        let mut web = |n: u32| of[sets.find(n) as usize];
        for block in &mut self.blocks {
            block.webs.iter_mut().for_each(|(_, n)| *n = web(*n));
        }
        for defined in self.defined.iter_mut().flatten().filter(|n| **n != u32::MAX) {
            *defined = web(*defined);
        }
        let mut tally = vec![[0u32; 3]; count as usize];
        for (n, kind) in votes {
            tally[web(n) as usize][kind as usize] += 1;
        }
        let pairs: Vec<(u32, u32)> = from.into_iter().map(|(a, b)| (web(a), web(b))).collect();
        self.kinds = tally
            .iter()
            .map(|&[int, f32, f64]| match () {
                () if f64 > int && f64 > f32 => Kind::F64,
                () if f32 > int => Kind::F32,
                () => Kind::Int,
            })
            .collect();
        self.bases = vec![false; count as usize];
        let mut work: Vec<u32> = bases.into_iter().map(web).collect();
        while let Some(n) = work.pop() {
            if std::mem::replace(&mut self.bases[n as usize], true) {
                continue;
            }
            work.extend(pairs.iter().filter(|p| p.1 == n).map(|p| p.0));
        }
        // A pointer is no float, whatever else it is used for.
        for (kind, _) in self.kinds.iter_mut().zip(&self.bases).filter(|(_, base)| **base) {
            *kind = Kind::Int;
        }
    }

    /// Which words live on behind operations that end or begin the lives of objects.
    fn ends_of_objects(&mut self, code: &Code, single: &[Op], constant: &std::ops::Range<u16>) {
        for block in &self.blocks {
            let mut live = live_out(&self.blocks, block, code);
            for pc in (block.first..block.end).rev() {
                if let Op::Lifetime { .. } = single[pc] {
                    self.live_behind.push((pc, live.clone()));
                }
                step(code, single[pc], constant, &mut live);
            }
        }
    }
}

/// The words that hold constants.
pub(crate) fn constants(code: &Code) -> std::ops::Range<u16> {
    let first = code.files.consts_at.0;
    first..first + code.files.consts.len() as u16
}

/// The kind of an operation's operands, where it is one for all of them.
fn operand_kind(op: Op) -> Option<Kind> {
    families! {
        match op {
            @for (T K) in [(F32 F32) (F64 F64)] {
                @for N in [Add Sub Mul Div CmpOeq CmpUne CmpOlt CmpOle] { Op::N~T { .. } => Some(Kind::K), }
                Op::Sqrt~T { .. } | Op::Fptosi~T~I32 { .. } | Op::Fptosi~T~I64 { .. } => Some(Kind::K),
                Op::Neg~T { .. } | Op::Abs~T { .. } => Some(Kind::K),
            }
            Op::FpextF32F64 { .. } => Some(Kind::F32),
            Op::FptruncF64F32 { .. } => Some(Kind::F64),
            // Moves take what comes; what is stored may be anything.
            Op::Mov { .. } | Op::Mov2 { .. } | Op::Select { .. } => None,
            _ if ops::access(op).is_some() || ops::way(op) != Way::Compiled || ops::is_helped(op) => None,
            _ => Some(Kind::Int),
        }
    }
}

/// The kind of an operation's result.
fn result_kind(op: Op) -> Option<Kind> {
    families! {
        match op {
            @for (T K) in [(F32 F32) (F64 F64)] {
                @for N in [Add Sub Mul Div Sqrt Neg Abs SitofpI32 SitofpI64 Uitofp] {
                    Op::N~T { .. } => Some(Kind::K),
                }
            }
            Op::FpextF32F64 { .. } => Some(Kind::F64),
            Op::FptruncF64F32 { .. } => Some(Kind::F32),
            Op::Mov { .. } | Op::Mov2 { .. } | Op::Select { .. } => None,
            _ if ops::access(op).is_some() || ops::way(op) != Way::Compiled || ops::is_helped(op) => None,
            _ => Some(Kind::Int),
        }
    }
}

/// Cuts a function into blocks. Gives also which block each operation begins, and which blocks may be entered.
#[allow(clippy::type_complexity)]
fn blocks(code: &Code, single: &[Op]) -> (Vec<Block>, Vec<Option<u32>>, Vec<usize>) {
    let n = single.len();
    let (mut begins, mut enters, mut back) = (vec![false; n], vec![false; n], vec![None; n]);
    begins[0] = true;
    enters[0] = true;
    for (pc, &op) in single.iter().enumerate() {
        let mut jumps = false;
        ops::targets(code, op, |t| {
            jumps = true;
            begins[t.index()] = true;
            // The head of a loop.
            if t.index() <= pc {
                enters[t.index()] = true;
                back[t.index()] = Some(pc);
            }
        });
        if pc + 1 < n {
            begins[pc + 1] |= jumps || ops::way(op) != Way::Compiled;
            enters[pc + 1] |= ops::way(op) == Way::Leaves;
        }
    }
    for landing in &code.landings {
        begins[landing.target.index()] = true;
        enters[landing.target.index()] = true;
    }
    let firsts: Vec<usize> = (0..n).filter(|&pc| begins[pc]).collect();
    let mut of = vec![None; n];
    for (b, &pc) in firsts.iter().enumerate() {
        of[pc] = Some(b as u32);
    }
    let words = usize::from(code.files.scalars);
    let block = |(b, &first): (usize, &usize)| {
        let end = firsts.get(b + 1).copied().unwrap_or(n);
        let last = single[end - 1];
        let mut next = Vec::new();
        let mut add = |pc: usize| {
            if let Some(to) = of.get(pc).copied().flatten()
                && !next.contains(&(to as usize))
            {
                next.push(to as usize);
            }
        };
        ops::targets(code, last, |t| add(t.index()));
        if !ops::does_not_fall(last) {
            add(end);
        }
        code.landings.iter().filter(|l| l.after as usize == end).for_each(|l| add(l.target.index()));
        let (live, needed) = (Words::new(words), Words::new(words));
        let last_back_edge = back[first].map(|pc| firsts.partition_point(|&f| f <= pc) - 1);
        Block { first, end, next, last_back_edge, live, needed, webs: Vec::new(), only_from: None }
    };
    let mut blocks: Vec<Block> = firsts.iter().enumerate().map(block).collect();
    let entries: Vec<usize> = (0..blocks.len()).filter(|&b| enters[blocks[b].first]).collect();
    let mut from: Vec<Vec<usize>> = vec![Vec::new(); blocks.len()];
    for (b, block) in blocks.iter().enumerate() {
        block.next.iter().for_each(|&next| from[next].push(b));
    }
    for (b, from) in from.iter().enumerate() {
        let is_only = from.len() == 1 && from[0] < b && !enters[blocks[b].first];
        blocks[b].only_from = is_only.then(|| from[0]);
    }
    (blocks, of, entries)
}

/// Entries as long as they are not too many: those behind calls and the like are given up first.
fn few_entries(blocks: &[Block], entries: Vec<usize>) -> Result<Vec<usize>, Refusal> {
    let loads: usize = entries.iter().map(|&b| blocks[b].live.iter().count() + 1).sum();
    if loads > MOST_LOADS {
        return Err(Refusal("it can be entered at too many places"));
    }
    Ok(entries)
}

/// The words that are live behind a block's last operation. What a landing's register gets is written there.
fn live_out(blocks: &[Block], block: &Block, code: &Code) -> Words {
    let mut live = Words::new(usize::from(code.files.scalars));
    block.next.iter().for_each(|&n| live.add(&blocks[n].live));
    live
}

/// Goes back over an operation.
fn step(code: &Code, op: Op, constant: &std::ops::Range<u16>, live: &mut Words) {
    ops::words(code, op, |w, writes| {
        if writes {
            live.set(w, false);
        }
    });
    ops::words(code, op, |w, writes| {
        if !writes && !constant.contains(&w) {
            live.set(w, true);
        }
    });
}

/// Finds the live words of each block, and by operation which of the words that it writes must be in the frame: those
/// that are live at a place from where compiled code may leave, before anything else is written to them.
fn liveness(
    code: &Code,
    single: &[Op],
    blocks: &mut [Block],
    constant: &std::ops::Range<u16>,
) -> Vec<[Keep; 3]> {
    let words = usize::from(code.files.scalars);
    let back = |blocks: &[Block], b: usize, mut seen: Option<&mut Vec<u8>>| {
        let block = &blocks[b];
        let mut live = live_out(blocks, block, code);
        let mut needed = Words::new(words);
        block.next.iter().for_each(|&n| needed.add(&blocks[n].needed));
        for pc in (block.first..block.end).rev() {
            let op = single[pc];
            let mut k = 0;
            ops::words(code, op, |w, writes| {
                if writes {
                    if let Some(kept) = seen.as_deref_mut() {
                        kept[pc] |= u8::from(needed.has(w)) << k;
                    }
                    k += 1;
                }
            });
            ops::words(code, op, |w, writes| {
                if writes {
                    needed.set(w, false);
                }
            });
            step(code, op, constant, &mut live);
            if ops::may_leave(op, pc) {
                needed.add(&live);
            }
        }
        (live, needed)
    };
    let mut changed = true;
    while changed {
        changed = false;
        for b in (0..blocks.len()).rev() {
            let (live, needed) = back(blocks, b, None);
            if live != blocks[b].live || needed != blocks[b].needed {
                changed = true;
                blocks[b].live = live;
                blocks[b].needed = needed;
            }
        }
    }
    let mut kept = vec![0; single.len()];
    for b in 0..blocks.len() {
        back(blocks, b, Some(&mut kept));
    }
    let mut keeps = vec![[Keep::Never; 3]; single.len()];
    for block in &*blocks {
        let live = live_out(blocks, block, code);
        for pc in block.first..block.end {
            let mut k = 0;
            ops::words(code, single[pc], |w, writes| {
                if writes {
                    if k < 3 && kept[pc] >> k & 1 != 0 {
                        let at_exits = (!live.has(w)).then(|| last_exit(code, single, pc, block.end, w));
                        keeps[pc][k] = at_exits.flatten().unwrap_or(Keep::AtOnce);
                    }
                    k += 1;
                }
            });
        }
    }
    keeps
}

/// Exits at most in which a value is written to the frame, rather than once where it is defined; operations beyond which
/// it is not followed.
const MOST_EXITS: usize = 8;
const FAR: usize = 64;

/// The last operation that reads the word `w` as the one at `pc` wrote it, in a block behind which it is not live; if there
/// are few exits up to there.
fn last_exit(code: &Code, single: &[Op], pc: usize, end: usize, w: u16) -> Option<Keep> {
    let (mut exits, mut exits_read, mut last) = (0, 0, pc);
    for (n, &op) in single[..end].iter().enumerate().skip(pc + 1) {
        exits += usize::from(ops::may_leave(op, n));
        let (mut reads, mut writes) = (false, false);
        ops::words(code, op, |word, d| {
            reads |= word == w && !d;
            writes |= word == w && d;
        });
        if reads {
            (last, exits_read) = (n, exits);
        }
        if writes {
            break;
        }
        if n - pc > FAR {
            return None;
        }
    }
    (exits_read <= MOST_EXITS).then_some(Keep::AtExits(last as u32))
}

/// Disjoint sets.
#[derive(Default)]
struct Sets(Vec<u32>);

impl Sets {
    fn add(&mut self) -> u32 {
        self.0.push(self.0.len() as u32);
        self.0.len() as u32 - 1
    }

    fn find(&mut self, mut n: u32) -> u32 {
        while self.0[n as usize] != n {
            self.0[n as usize] = self.0[self.0[n as usize] as usize];
            n = self.0[n as usize];
        }
        n
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a as usize] = b;
    }
}
