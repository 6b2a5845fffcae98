//! What is told of a block of which each thread is followed, in words.

use super::super::summary::Summary;
use super::phases::{Class, Meeting, Stuck, Why, meeting};
use crate::analysis::uniformity::RootContext;
use crate::analysis::witness::{BarrierPath, BlockWaits, Wait, WaitsAt, block_waits};
use cudair_ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Ways that threads of a block go, beyond which nobody looks who meets whom.
const MAX_CLASSES: usize = 64;
/// Lanes of a warp.
const WARP: usize = 32;
/// Barriers with numbers that a block has.
pub(super) const NUMBERS: u32 = 16;

/// What is told of the threads of a block.
pub enum Judged {
    /// As many come to each barrier as it waits for, in every launch.
    AllMeet {
        /// It is taken for granted that loops end.
        loops_end: bool,
    },
    /// Not so, or perhaps not.
    Wrong(Box<Finding>),
    /// Nothing is told, and why.
    Unknown(&'static str),
}

const NO_SHAPE: &str =
    "how many threads come to a barrier with a number hangs on the block's shape, which is not told";
const UNKNOWN: &str = "which threads come to a barrier with a number is not known";
const NO_NUMBER: &str = "no barrier has the number";

/// Follows all threads of a block.
pub fn judge(root: &RootContext<'_>, s: &Summary<'_>) -> Judged {
    let [Some(x), Some(y), Some(z)] = root.shape.block else { return Judged::Unknown(NO_SHAPE) };
    let kernel = s.cx.id;
    let every = block_waits(root, kernel, None);
    // The first block is in every launch.
    let Some(waits) = every.clone().or_else(|| block_waits(root, kernel, Some([0; 3]))) else {
        return Judged::Unknown(UNKNOWN);
    };
    let Some(block) = Block::new(root, &waits, [x, y, z]) else { return Judged::Unknown(UNKNOWN) };
    if block.numbered().any(|(number, _)| number >= NUMBERS) {
        return Judged::Unknown(NO_NUMBER);
    }
    let open = |number: u32, what: String| Judged::Wrong(Box::new(block.open(s, number, what)));
    let of_block = block.classes.iter().any(|c| c.waits.contains(&WaitsAt::Block));
    if of_block && block.numbered().any(|(number, _)| number == 0) {
        return open(0, "barrier 0 is that of `__syncthreads()`, too".to_owned());
    }
    if let Some((number, _)) = block.numbered().find(|n| n.1 == Some(0)) {
        return open(
            number,
            format!("barrier {number} waits for 0 threads: a run waits for ever, and PTX does not say"),
        );
    }
    let told = meeting(&block.classes);
    let rounded = meeting(&block.rounded());
    let met = match (told, rounded) {
        (Meeting::AllMeet(met), Meeting::AllMeet(_)) => met,
        (Meeting::Stuck(stuck), Meeting::Stuck(_)) => {
            return Judged::Wrong(Box::new(block.stuck(s, &stuck)));
        }
        (Meeting::Open(why, number), _) => return open(number, in_words(why, number)),
        _ => {
            let number = block.numbered().map(|n| n.0).min().unwrap_or_else(|| unreachable!("no number"));
            return open(
                number,
                format!("whether all come to barrier {number} hangs on how a warp counts that is not whole"),
            );
        }
    };
    if let Some((number, count)) =
        block.numbered().find_map(|(n, count)| Some((n, count.filter(|c| c % WARP as u32 != 0)?)))
    {
        let what =
            format!("barrier {number} waits for {count} threads, which is no multiple of the warp's {WARP}");
        return open(number, what);
    }
    let mut met: Vec<_> = met.into_iter().collect();
    met.sort_unstable();
    if let Some((number, _)) = met.iter().find(|(_, classes)| !block.are_whole_warps(classes)) {
        return open(*number, format!("a part of a warp comes to barrier {number}"));
    }
    match every {
        Some(_) => Judged::AllMeet { loops_end: waits.loops_end },
        None => Judged::Unknown(UNKNOWN),
    }
}

fn in_words(why: Why, number: u32) -> String {
    match why {
        Why::Order => format!("which threads meet at barrier {number} hangs on who comes first"),
        Why::Counts => format!("threads name different counts for barrier {number}"),
        Why::LeftOver => format!("threads arrive at barrier {number}, and nobody waits for them"),
        Why::Left => format!("threads leave the kernel without coming to barrier {number}"),
    }
}

/// A block whose threads are followed.
struct Block<'a> {
    root: &'a RootContext<'a>,
    extents: [u32; 3],
    classes: Vec<Class>,
    /// The threads of each class, by their number in the block.
    members: Vec<Vec<usize>>,
    /// What the first thread of each class waits at.
    waits: Vec<&'a [Wait]>,
}

impl<'a> Block<'a> {
    fn new(root: &'a RootContext<'a>, all: &'a BlockWaits, extents: [u32; 3]) -> Option<Block<'a>> {
        let mut known: FxHashMap<Vec<WaitsAt>, usize> = FxHashMap::default();
        let mut block = Block { root, extents, classes: Vec::new(), members: Vec::new(), waits: Vec::new() };
        for (thread, list) in all.threads.iter().enumerate() {
            let waits: Vec<WaitsAt> = list.iter().map(|w| w.at).collect();
            let class = *known.entry(waits.clone()).or_insert(block.members.len());
            if class == block.members.len() {
                if class == MAX_CLASSES {
                    return None;
                }
                block.classes.push(Class { threads: 0, weight: 0, waits });
                block.members.push(Vec::new());
                block.waits.push(list);
            }
            block.members[class].push(thread);
            block.classes[class].threads += 1;
            block.classes[class].weight += 1;
        }
        Some(block)
    }

    fn threads(&self) -> usize {
        self.members.iter().map(Vec::len).sum()
    }

    /// The classes where the last warp of the block counts as if it were whole, which is how a device counts.
    fn rounded(&self) -> Vec<Class> {
        let mut classes = self.classes.clone();
        let missing = self.threads().next_multiple_of(WARP) - self.threads();
        let last = self.members.iter().position(|m| m.contains(&(self.threads() - 1)));
        if let Some(last) = last {
            classes[last].weight += missing as u32;
        }
        classes
    }

    /// The barriers with numbers, and their counts.
    fn numbered(&self) -> impl Iterator<Item = (u32, Option<u32>)> + '_ {
        self.classes.iter().flat_map(|c| &c.waits).filter_map(|w| match *w {
            WaitsAt::Numbered { number, count, .. } => Some((number, count)),
            WaitsAt::Block => None,
        })
    }

    /// Whether the threads of these classes are all of their warps.
    fn are_whole_warps(&self, classes: &[usize]) -> bool {
        let threads: FxHashSet<usize> =
            classes.iter().flat_map(|&c| self.members[c].iter().copied()).collect();
        let all = self.threads();
        threads.iter().all(|t| {
            let first = t / WARP * WARP;
            (first..(first + WARP).min(all)).all(|lane| threads.contains(&lane))
        })
    }

    /// A thread of a class as it is shown.
    fn thread(&self, class: usize) -> [u32; 3] {
        let (n, [x, y, _]) = (self.members[class][0] as u32, self.extents);
        [n % x, n / x % y, n / x / y]
    }

    fn loc(&self, path: &BarrierPath) -> Option<Loc> {
        let &(func, inst) = path.last()?;
        self.root.module.funcs[func].locs[inst].expand()
    }

    fn finding(&self, s: &Summary<'_>, path: Option<&BarrierPath>, message: String, label: &str) -> Finding {
        let mut finding = Finding::dynamic(Kind::BarrierDivergence, message);
        finding.origin = Origin::Static;
        finding.kernel = Some(s.cx.func.display_name.clone());
        finding.dims = self.root.shape.dims_with(self.extents);
        if let Some(loc) = path.and_then(|p| self.loc(p)) {
            finding.primary = Some(Span::new(&self.root.module.source, loc, label));
            finding.related = Span::call_path(&self.root.module.source, loc);
        }
        finding
    }

    /// That something may be wrong with the barrier of a number.
    fn open(&self, s: &Summary<'_>, number: u32, message: String) -> Finding {
        let is = |w: &&Wait| matches!(w.at, WaitsAt::Numbered { number: n, .. } if n == number);
        let first = self.waits.iter().flat_map(|w| w.iter()).find(is);
        let mut finding = self.finding(s, first.map(|w| &w.path), message, "here");
        finding.certainty = Certainty::Possible;
        let [x, y, z] = self.extents;
        finding.notes.push(format!("with {} threads per block", LaunchDims::extents([x, y, z])));
        finding
    }

    /// That nobody comes past a barrier.
    fn stuck(&self, s: &Summary<'_>, stuck: &Stuck) -> Finding {
        let &Stuck { number, awaited, come, waits: (class, at), .. } = stuck;
        let all = self.threads();
        let message = match awaited {
            n if n as usize > all => {
                format!("barrier {number} waits for {awaited} threads, and a block has {all}")
            }
            _ => {
                let comes = if come == 1 { "comes" } else { "come" };
                format!("barrier {number} waits for {awaited} threads, and only {come} {comes}")
            }
        };
        let waiting = &self.waits[class][at];
        let mut finding = self.finding(s, Some(&waiting.path), message, "threads wait here for ever");
        finding.certainty = Certainty::Definite;
        finding.severity = Severity::Error;
        let coord = |t: [u32; 3]| ThreadCoord { block: [0; 3], thread: t };
        let thread = self.thread(class);
        finding.threads = vec![coord(thread)];
        let dims = finding.dims;
        let extents = LaunchDims::extents(self.extents);
        let shape = format!("with {extents} threads per block, thread {} waits here", dims.thread(thread));
        let missing = (0..self.classes.len()).find(|c| !stuck.arrived.contains(c));
        let Some(missing) = missing else {
            finding.notes.push(shape);
            return finding;
        };
        let other = self.thread(missing);
        finding.threads.push(coord(other));
        match self.waits[missing].get(stuck.passed[missing]) {
            None => {
                finding.notes.push(format!("{shape} and thread {} has left the kernel", dims.thread(other)));
            }
            Some(wait) => {
                finding
                    .notes
                    .push(format!("{shape} while thread {} waits at another barrier", dims.thread(other)));
                if let Some(loc) = self.loc(&wait.path) {
                    let label = format!("thread {} waits here instead", dims.thread(other));
                    let span = Span::new(&self.root.module.source, loc, label);
                    let same = finding.primary.as_ref().is_some_and(|p| p.place() == span.place());
                    if !same {
                        finding.related.insert(0, span);
                    }
                }
            }
        }
        finding
    }
}
