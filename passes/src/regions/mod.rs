//! The regions of a kernel, as the proofs about two threads see them: per barrier interval the accesses that may happen in
//! it, each with its object, offset, width and condition as terms; and the loops with their counters.
//!
//! It is what [`summary`](crate::symbolic::summary) and [`interval`](crate::symbolic::interval) know, in words and as JSON,
//! for the launches that `check` looks at.

mod words;

pub use words::Words;

use crate::analysis::Prepared;
use crate::check::{CheckOptions, each_case};
use crate::symbolic::TwoThreads;
use crate::symbolic::interval::{Iteration, Order, interval_starts, intervals};
use crate::symbolic::report::object;
use crate::symbolic::summary::{Summary, Touch};
use crate::symbolic::term::Term;
use cudair_ir::{FuncId, Inst, Module};
use rustc_hash::FxHashSet;
use serde_json::{Value as Json, json};
use std::fmt::{self, Display};

/// A place in the source, as far as the IR knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct At {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// An access to memory that other threads may see.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccessWords {
    /// `read`, `write`, `atomic read`, `atomic write`, with `volatile` before it.
    pub touch: String,
    /// The object.
    pub object: String,
    /// Bytes from the object's start.
    pub offset: String,
    /// How many bytes.
    pub bytes: String,
    /// When it happens.
    pub condition: String,
    /// Where.
    pub at: Option<At>,
}

/// An access in an interval: its number, and in which iterations of the loops around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemberWords {
    /// The number among the accesses.
    pub access: usize,
    /// Loop and iteration, innermost first.
    pub iterations: Vec<(usize, &'static str)>,
}

/// What lies between a barrier, or the start, and the next barriers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IntervalWords {
    /// The barrier with which it begins, as text of the IR; none for the start of the kernel.
    pub from: Option<String>,
    /// Where that is.
    pub at: Option<At>,
    /// The accesses in it.
    pub members: Vec<MemberWords>,
}

/// A loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopWords {
    /// Its counter, which numbers iterations from 0.
    pub counter: String,
    /// The loop around it.
    pub inside: Option<usize>,
    /// When another iteration follows.
    pub goes_on: Option<String>,
    /// What holds in each iteration if nothing wraps around.
    pub holds: Vec<String>,
    /// What is known of variables without a closed form, an equation each: the first value and the next one.
    pub steps: Vec<String>,
    /// Where its head is.
    pub at: Option<At>,
}

/// What is known of one kernel in one of its launches. Its `Display` is the text of `lower --emit regions`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Regions {
    /// The kernel, as a reader calls it.
    pub kernel: String,
    /// The launches that `check` looks at, in words.
    pub launches: String,
    /// The number of this one among them, and how many there are.
    pub case: (usize, usize),
    /// The extents of a block and of the grid; none where they are open.
    pub shape: [[Option<u32>; 3]; 2],
    /// What holds of the launch besides its shape.
    pub launch: Vec<String>,
    /// The accesses.
    pub accesses: Vec<AccessWords>,
    /// The intervals between barriers of the block.
    pub intervals: Vec<IntervalWords>,
    /// The loops.
    pub loops: Vec<LoopWords>,
    /// What could not be followed: what is said of the rest leaves it out.
    pub gaps: Vec<(String, Option<At>)>,
    /// Names of parts of terms, and what they stand for.
    pub terms: Vec<(String, String)>,
}

/// The regions of each kernel that is `wanted`, in each of the launches that `check` looks at under these options.
pub fn regions(module: &Module, options: &CheckOptions, wanted: &dyn Fn(FuncId) -> bool) -> Vec<Regions> {
    let mut out = Vec::new();
    each_case(module, options, wanted, &mut |prepared, launches, case, shape, from, assumed| {
        let pair = TwoThreads::new(prepared, module, shape, from, assumed, (None, None));
        out.push(of_summary(
            module,
            prepared,
            pair.into_summary(),
            launches,
            case,
            [shape.block, shape.grid],
        ));
    });
    out
}

fn of_summary(
    module: &Module,
    prepared: &Prepared,
    s: Summary<'_>,
    launches: &str,
    case: (usize, usize),
    shape: [[Option<u32>; 3]; 2],
) -> Regions {
    let func = &module.funcs[prepared.kernel];
    let mut roots: Vec<Term> = s.launch.clone();
    roots.extend(s.accesses.iter().flat_map(|a| [a.offset, a.bytes, a.guard]));
    for l in &s.loops {
        roots.extend(l.again);
        roots.extend(l.fits.iter().map(|f| f.holds));
        roots.extend(l.steps.iter().flat_map(|s| [s.own, s.init, s.next]));
    }
    let mut words = Words::new(&s, &roots);
    let at = |inst: Inst| at(module, func.locs[inst].expand());
    let accesses = s.accesses.iter().map(|a| {
        let touch = match a.touch {
            Touch::Read => "read",
            Touch::Write => "write",
            Touch::Atomic { writes: false, .. } => "atomic read",
            Touch::Atomic { writes: true, .. } => "atomic write",
        };
        AccessWords {
            touch: if a.volatile { format!("volatile {touch}") } else { touch.to_owned() },
            object: object(&s, a.base),
            offset: words.show(a.offset),
            bytes: words.show(a.bytes),
            condition: words.show(a.guard),
            at: at(a.inst),
        }
    });
    let accesses: Vec<AccessWords> = accesses.collect();
    let starts = interval_starts(&s, Order::Block);
    let intervals = starts.into_iter().zip(intervals(&s, Order::Block)).map(|(start, members)| {
        // An access is one, whatever loops were left before.
        let mut seen = FxHashSet::default();
        let once = members.into_iter().filter(|m| seen.insert((m.access, m.iterations.clone())));
        IntervalWords {
            from: start.map(|i| cudair_ir::print_inst(module, func, i).trim().to_owned()),
            at: start.and_then(at),
            members: once
                .map(|m| MemberWords {
                    access: m.access,
                    iterations: m.iterations.iter().map(|&(c, i)| (c, iteration(i))).collect(),
                })
                .collect(),
        }
    });
    let intervals: Vec<IntervalWords> = intervals.collect();
    let control = s.cx.control;
    let loops = s.loops.iter().enumerate().map(|(c, l)| {
        let head = control.cycle_head(c);
        LoopWords {
            counter: format!("loop{c}"),
            inside: control.cycles_of(head).find(|&o| o != c),
            goes_on: l.again.map(|t| words.show(t)),
            holds: l.fits.iter().map(|f| words.show(f.holds)).collect(),
            steps: (l.steps.iter())
                .flat_map(|s| {
                    let own = words.show(s.own);
                    let (init, next) = (words.show(s.init), words.show(s.next));
                    [format!("first {own} is {init}"), format!("next {own} is {next}")]
                })
                .collect(),
            at: func.block_insts(control.block(head)).iter().find_map(|&i| at(i)),
        }
    });
    let loops: Vec<LoopWords> = loops.collect();
    let launch = s.launch.iter().map(|&t| words.show(t)).collect();
    Regions {
        kernel: func.display_name.clone(),
        launches: launches.to_owned(),
        case,
        shape,
        launch,
        accesses,
        intervals,
        loops,
        gaps: s.gaps.iter().map(|g| (g.what.clone(), self::at(module, g.loc))).collect(),
        terms: words.definitions(),
    }
}

fn at(module: &Module, loc: Option<cudair_ir::Loc>) -> Option<At> {
    let data = &module.source.locs[module.source.visible(loc?)];
    Some(At { file: module.source.files[data.file].path.clone(), line: data.start.line })
}

fn iteration(i: Iteration) -> &'static str {
    match i {
        Iteration::Same => "same",
        Iteration::Next => "next",
        Iteration::First => "first",
        Iteration::Any => "any",
    }
}

fn extents(known: [Option<u32>; 3]) -> String {
    known.map(|d| d.map_or_else(|| "any".to_owned(), |n| n.to_string())).join("×")
}

/// ` at FILE:LINE`, where that is known.
fn suffix(at: Option<&At>) -> String {
    at.map(|at| format!(" at {}:{}", at.file, at.line)).unwrap_or_default()
}

impl Display for Regions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [block, grid] = self.shape.map(extents);
        let number = match self.case {
            (_, 1) => String::new(),
            (n, all) => format!(" ({} of {all})", n + 1),
        };
        writeln!(f, "kernel {} {}{number}: blocks of {block}, grid {grid}", self.kernel, self.launches)?;
        self.launch.iter().try_for_each(|t| writeln!(f, "  given {t}"))?;
        for (what, at) in &self.gaps {
            writeln!(f, "  not followed: {what}{}", suffix(at.as_ref()))?;
        }
        for (n, l) in self.loops.iter().enumerate() {
            let inside = l.inside.map(|o| format!(" in loop {o}")).unwrap_or_default();
            writeln!(f, "  loop {n}{inside}, counter {}{}", l.counter, suffix(l.at.as_ref()))?;
            match &l.goes_on {
                Some(t) => writeln!(f, "    goes on if {t}")?,
                None => writeln!(f, "    when it goes on is not known")?,
            }
            l.holds.iter().try_for_each(|t| writeln!(f, "    holds {t}"))?;
            l.steps.iter().try_for_each(|t| writeln!(f, "    {t}"))?;
        }
        for (n, i) in self.intervals.iter().enumerate() {
            let from = i.from.as_deref().unwrap_or("the start");
            writeln!(f, "  interval {n} from {from}{}", suffix(i.at.as_ref()))?;
            if i.members.is_empty() {
                writeln!(f, "    no access")?;
            }
            for m in &i.members {
                let a = &self.accesses[m.access];
                let loops: Vec<String> =
                    m.iterations.iter().map(|(c, i)| format!("{i} iteration of loop {c}")).collect();
                let loops = if loops.is_empty() { String::new() } else { format!(" [{}]", loops.join(", ")) };
                writeln!(
                    f,
                    "    a{} {} {} bytes of {} + {} if {}{loops}{}",
                    m.access,
                    a.touch,
                    a.bytes,
                    a.object,
                    a.offset,
                    a.condition,
                    suffix(a.at.as_ref())
                )?;
            }
        }
        if !self.terms.is_empty() {
            writeln!(f, "  where")?;
            self.terms.iter().try_for_each(|(name, t)| writeln!(f, "    {name} = {t}"))?;
        }
        Ok(())
    }
}

impl Regions {
    /// As one object: `schema`, `type`, `kernel`, `launches`, `case`, `block`, `grid`, `launch`, `accesses`, `intervals`,
    /// `loops`, `gaps`, `terms`. Terms are the text's.
    pub fn to_json(&self) -> Json {
        let place = |at: &Option<At>| at.as_ref().map(|at| json!({ "file": at.file, "line": at.line }));
        let access = |a: &AccessWords| {
            json!({
                "access": a.touch,
                "object": a.object,
                "offset": a.offset,
                "bytes": a.bytes,
                "condition": a.condition,
                "place": place(&a.at),
            })
        };
        let member = |m: &MemberWords| {
            let iterations: Vec<Json> =
                m.iterations.iter().map(|(c, i)| json!({ "loop": c, "iteration": i })).collect();
            json!({ "access": m.access, "iterations": iterations })
        };
        let interval = |i: &IntervalWords| {
            let members: Vec<Json> = i.members.iter().map(member).collect();
            json!({ "from": i.from, "place": place(&i.at), "accesses": members })
        };
        let a_loop = |l: &LoopWords| {
            json!({
                "counter": l.counter,
                "inside": l.inside,
                "goes_on": l.goes_on,
                "holds": l.holds,
                "steps": l.steps,
                "place": place(&l.at),
            })
        };
        let gap = |(what, at): &(String, Option<At>)| json!({ "what": what, "place": place(at) });
        let terms: serde_json::Map<String, Json> =
            self.terms.iter().map(|(name, t)| (name.clone(), Json::String(t.clone()))).collect();
        json!({
            "schema": 1,
            "type": "regions",
            "kernel": self.kernel,
            "launches": self.launches,
            "case": self.case.0,
            "cases": self.case.1,
            "block": self.shape[0],
            "grid": self.shape[1],
            "launch": self.launch,
            "accesses": self.accesses.iter().map(access).collect::<Vec<_>>(),
            "intervals": self.intervals.iter().map(interval).collect::<Vec<_>>(),
            "loops": self.loops.iter().map(a_loop).collect::<Vec<_>>(),
            "gaps": self.gaps.iter().map(gap).collect::<Vec<_>>(),
            "terms": terms,
        })
    }
}
