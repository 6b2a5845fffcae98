//! Which objects a launch may read and write: those behind the kernel's parameters and the variables of static
//! storage that its accesses are based on, where all of them are based on such.
//!
//! Memory that a launch cannot write is free of its races, and what it cannot read need not be put back before
//! it is run again: neither costs anything then.

use crate::machine::{GridLaunch, Machine};
use cudair_ir::roots::{Roots, accessed, roots};
use cudair_ir::*;
use cudair_lane::ptr::{Ptr, Tag};
use cudair_race::MayTouch;
use cudair_report::Unwatched;
use rustc_hash::FxHashMap;

/// What a function and its callees access, through pointers that come from outside.
#[derive(Clone, Debug, Default)]
pub(crate) struct Footprint {
    reads: Roots,
    writes: Roots,
}

/// What has been found out so far; a function that is being looked at is in it without an answer.
pub(crate) type Footprints = FxHashMap<FuncId, Option<Footprint>>;

/// The objects that a launch may touch.
pub(crate) fn touched(m: &mut Machine, launch: &GridLaunch) -> MayTouch {
    let module = m.module.clone();
    let print = footprint(&mut m.engine.launches.footprints, &module, launch.kernel);
    let [reads, writes] = [&print.reads, &print.writes].map(|roots| objects(m, &launch.args, roots));
    MayTouch { reads, writes, ..MayTouch::default() }
}

/// The objects of the table that a launch of a kernel with these arguments may write; `None` where they may be any.
pub(crate) fn written(m: &mut Machine, kernel: FuncId, args: &[u128]) -> Option<Vec<u32>> {
    let module = m.module.clone();
    let print = footprint(&mut m.engine.launches.footprints, &module, kernel);
    objects(m, args, &print.writes)
}

/// The objects of the table behind roots; `None` where they may be any.
fn objects(m: &Machine, args: &[u128], roots: &Roots) -> Option<Vec<u32>> {
    if roots.any {
        return None;
    }
    let number = |ptr: Ptr| (ptr.tag() == Tag::Table).then(|| ptr.serial());
    let params = args.iter().enumerate().filter(|(n, _)| *n < 64 && roots.params >> n & 1 != 0);
    let params = params.filter_map(|(_, &bits)| number(Ptr(bits as u64)));
    // A variable whose address is not at hand is not one that lanes could name.
    let globals = roots.globals.iter().filter_map(|&g| number(*m.globals.get(g)?));
    Some(params.chain(globals).collect())
}

/// Objects that a launch may touch.
pub(super) struct Objects {
    /// Those of the table, by number.
    pub(super) table: Vec<u32>,
    /// Variables, shared ones among them.
    pub(super) globals: Vec<GlobalId>,
}

/// What a launch may touch at sites that are not proved free of races; `None` where that may be anything.
pub(super) fn unproved(m: &mut Machine, launch: &GridLaunch, facts: &RaceFacts) -> Option<Objects> {
    let module = m.module.clone();
    let known = &mut m.engine.launches.footprints;
    let is_proved =
        |data: &InstData| data.sites().into_iter().flatten().all(|site| facts.free.contains(&site));
    let mut print = look(known, &module, &module.funcs[launch.kernel], &is_proved)?;
    print.reads.add(&print.writes);
    let (table, globals) = (objects(m, &launch.args, &print.reads)?, print.reads.globals);
    Some(Objects { table, globals })
}

/// How many accesses of the kernel's own code are to memory that other threads see, and how many of them to nothing but
/// objects that are not among `watched`.
pub(super) fn unwatched(m: &Machine, launch: &GridLaunch, watched: &Objects) -> Unwatched {
    let func = &m.module.funcs[launch.kernel];
    let mut out = Unwatched { launches: 1, ..Unwatched::default() };
    let Some(entry) = func.entry() else { return out };
    let roots = roots(func, entry);
    let is_watched = |from: &Roots| match objects(m, &launch.args, from) {
        Some(table) => {
            table.iter().any(|o| watched.table.contains(o))
                || from.globals.iter().any(|g| watched.globals.contains(g))
        }
        None => true,
    };
    let (none, own) = (Roots::default(), Roots { local: true, ..Roots::default() });
    for &inst in func.layout.iter().flat_map(|&b| func.block_insts(b)) {
        let Some((read, written)) = accessed(&func.insts[inst]) else { continue };
        let mut seen =
            read.into_iter().chain(written).map(|p| &roots[p]).filter(|&from| *from != own && *from != none);
        let Some(first) = seen.next() else { continue };
        out.accesses += 1;
        out.unwatched += u64::from(!is_watched(first) && !seen.any(is_watched));
    }
    out
}

fn footprint(known: &mut Footprints, module: &Module, id: FuncId) -> Footprint {
    let all = || Footprint { reads: Roots::ANY, writes: Roots::ANY };
    match known.get(&id) {
        Some(Some(print)) => return print.clone(),
        // It calls itself.
        Some(None) => return all(),
        None => {}
    }
    known.insert(id, None);
    let print = look(known, module, &module.funcs[id], &|_| false).unwrap_or_else(all);
    known.insert(id, Some(print.clone()));
    print
}

/// What a function accesses, but for the loads, stores, copies and fills that are `left_out`; `None` where it may be
/// anything.
fn look(
    known: &mut Footprints,
    module: &Module,
    func: &Function,
    left_out: &dyn Fn(&InstData) -> bool,
) -> Option<Footprint> {
    let entry = func.entry()?;
    let roots = roots(func, entry);
    let mut print = Footprint::default();
    for (_, data) in &func.insts {
        match data {
            InstData::Load { .. }
            | InstData::Store { .. }
            | InstData::MemCopy { .. }
            | InstData::MemFill { .. }
                if left_out(data) => {}
            InstData::Call { func: callee, args, .. } | InstData::Invoke { func: callee, args, .. } => {
                call(known, module, *callee, args.as_slice(&func.pool), &roots, &mut print)?;
            }
            data => match accessed(data) {
                Some((read, written)) => {
                    if let Some(p) = read {
                        print.reads.add(&roots[p]);
                    }
                    if let Some(p) = written {
                        print.writes.add(&roots[p]);
                    }
                }
                None if data.opcode().touches() == Touches::None => {}
                // Calls through pointers and launches: whatever they like.
                None => return None,
            },
        }
    }
    Some(print)
}

/// Adds what a call does.
fn call(
    known: &mut Footprints,
    module: &Module,
    callee: FuncId,
    args: &[Value],
    roots: &SecondaryMap<Value, Roots>,
    print: &mut Footprint,
) -> Option<()> {
    let target = &module.funcs[callee];
    if target.is_declaration() {
        let name = target.name.strip_suffix(DEVICE_SUFFIX).unwrap_or(&target.name);
        if cudair_math::lookup(name).is_some() {
            return Some(());
        }
        for &arg in args {
            // What the caller's own memory says may be followed as well.
            if roots[arg].local {
                return None;
            }
            print.reads.add(&roots[arg]);
            print.writes.add(&roots[arg]);
        }
        return Some(());
    }
    let inner = footprint(known, module, callee);
    for (from, to) in [(&inner.reads, &mut print.reads), (&inner.writes, &mut print.writes)] {
        to.add(&Roots { params: 0, local: false, ..from.clone() });
        for (n, &arg) in args.iter().enumerate() {
            if n >= 64 || from.params >> n & 1 != 0 {
                to.add(&roots[arg]);
            }
        }
    }
    Some(())
}
