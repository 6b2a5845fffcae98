//! Whether each byte of shared memory that a thread reads was written before.
//!
//! That some thread wrote a byte is a statement *for each* reader *there is* a writer. The writer is guessed: from the
//! addresses that a write computes, a thread and iterations are worked out that would write what the reader reads
//! ([`writer`]). The solver is asked whether a thread can come to the read though none of these guesses wrote its bytes
//! before. *No* is a proof, however bad the guesses are: each is a witness for the inner statement (Skolem functions). What
//! two guessed threads compute are unknowns of their own ([`Copies`]).
//!
//! A write is before a read if one thread executes both in this order, or if a barrier is between: all threads meet at it,
//! in the same iteration of the loops around it, which is a premise.

mod writer;

use super::conflicts::Witness;
use super::diverged::Diverging;
use super::interval::{Iteration, Iterations, Order, barriers};
use super::premises::Premises;
use super::race::{Apart, Check, Topic};
use super::report::{Threads, example, object, thread};
use super::smt::{Answer, CUT, Solver};
use super::summary::{Access, Base, Summary, Touch, block_extent};
use super::term::*;
use crate::analysis::control::{Control, Node as Place};
use crate::analysis::only_possible;
use crate::analysis::uniformity::RootContext;
use crate::analysis::witness::ThreadIndex;
use cudair_ir::verdict::{self, CheckVerdict, Outcome};
use cudair_ir::*;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use writer::{Guess, READER, guesses};

/// Its share of what the solver may spend on a check, as a divisor.
const SHARE: u64 = 4;
/// The most writes that are looked at for one read.
const MAX_WRITES: usize = 24;

/// What was found of one kernel.
#[derive(Default)]
pub struct InitialisedReport {
    /// Reads of bytes that no thread can have written, in each launch.
    pub refuted: Vec<Finding>,
    /// Reads of which nobody knows that the bytes were written.
    pub possible: Vec<Finding>,
    /// The verdict, where the kernel reads shared memory.
    pub verdict: Option<CheckVerdict>,
}

/// Looks at every read of shared memory. `granted` is what the facts of the launch take for granted; behind barriers
/// that are `diverging` nothing is certain; what a read finds that is `racing` with a write before it depends on the race; with `strict` what may be is an error; with `lockstep` the threads of a warp execute each instruction together.
pub fn initialised(
    root: &RootContext<'_>,
    s: &mut Summary<'_>,
    (granted, diverging, racing): (Premises, &Diverging, &FxHashSet<(Inst, Inst)>),
    (strict, lockstep): (bool, bool),
    solver: &mut dyn Solver,
) -> InitialisedReport {
    let mut out = InitialisedReport::default();
    let used = used(s.cx.func);
    let mut read: Vec<usize> = (0..s.accesses.len())
        .filter(|&n| {
            let a = &s.accesses[n];
            s.is_shared(a.base) && !is_of_library(s.cx.module, a.base) && reads(s.cx.func, a, &used)
        })
        .collect();
    let names_shared = s.names_shared();
    let may_be = |a: &&Access| {
        let elsewhere = !s.is_shared(a.base) && s.may_be_shared(a);
        names_shared && elsewhere && reads(s.cx.func, a, &used)
    };
    let unknown = s.accesses.iter().find(may_be).map(|a| a.inst);
    if read.is_empty() && unknown.is_none() {
        return out;
    }
    let bit_field = read.iter().map(|&n| s.accesses[n].inst).find(|&i| is_of_bit_field(s.cx.func, i));
    read.retain(|&n| !is_of_bit_field(s.cx.func, s.accesses[n].inst));
    let mut verdict = CheckVerdict::proved(verdict::Check::Initialised);
    let at = |s: &Summary<'_>, inst: Inst| {
        s.cx.func.locs[inst].expand().map(|loc| Span::new(&root.module.source, loc, ""))
    };
    let open = unknown.map(|inst| (inst, "where a pointer points to is not known"));
    if let Some((inst, why)) = open.or(bit_field.map(|inst| (inst, "bits of a bit-field are for the run"))) {
        (verdict.outcome, verdict.why) = (Outcome::NotChecked, Some(why.to_owned()));
        (verdict.place, verdict.places) = (at(s, inst), 1);
    }
    if let Some(gap) = s.gaps.first() {
        verdict.outcome = Outcome::NotChecked;
        verdict.why = Some(format!("{} is not followed", gap.what));
        verdict.place = gap.loc.map(|loc| Span::new(&root.module.source, loc, ""));
        verdict.places = 1;
        out.verdict = Some(verdict);
        return out;
    }
    let mut followed = Threads::new(root, s.cx.id);
    let mut check = Check::new(s, root.memory, root.shape, solver);
    check.lockstep = lockstep;
    check.limit /= SHARE;
    check.found.premises = Premises { elsewhere_written: true, ..Premises::default() };
    let mut told: FxHashSet<Inst> = FxHashSet::default();
    let waits = waits(check.s);
    for n in read {
        let access = check.s.accesses[n].clone();
        let all_meet = !diverging.come_before(check.s, access.block, access.at);
        let (conditions, answer) = ask(&mut check, &access, &waits, all_meet);
        if answer == Answer::No || !told.insert(access.inst) {
            continue;
        }
        let before: SmallVec<[Inst; 8]> = before(&check, &access).map(|w| w.inst).collect();
        // The first of all threads that comes to the read, or to a write, reads what nobody has written.
        let is_first = all_meet && before.is_empty();
        let found = if is_first { first(&mut check, &access, &conditions) } else { None };
        let comes = match &found {
            Some(First::EveryThread) => Comes::EveryThread,
            Some(First::Thread(w)) if is_use(check.s, &access) => {
                let thread = thread(root, Apart::InBlock, w, 1);
                let hit = followed.trace(thread).and_then(|t| t.touches(access.deed(), |_, _| true));
                if hit.is_some() { Comes::Thread(thread) } else { Comes::Perhaps }
            }
            _ => Comes::Perhaps,
        };
        let mut finding = finding(check.s, root.shape.dims(), &access, comes);
        let mut message = finding.message.clone();
        let outcome = if comes != Comes::Perhaps {
            finding.merge_into(&mut out.refuted);
            Outcome::Refuted
        } else if before.iter().any(|&w| racing.contains(&(access.inst, w))) {
            // The race is told; without it the bytes may well be written before.
            "what is read here depends on a race".clone_into(&mut message);
            Outcome::NotChecked
        } else if answer == Answer::Cut {
            CUT.clone_into(&mut message);
            Outcome::NotChecked
        } else {
            only_possible(&mut finding, strict);
            match (&answer, &found) {
                (Answer::Unknown(why), _) => finding.notes.push(why.clone()),
                (_, Some(First::Thread(w))) => {
                    finding.notes.extend(example(check.s, w, 1, Apart::InBlock));
                }
                _ => finding.notes.push("which thread writes them is not found".to_owned()),
            }
            finding.merge_into(&mut out.possible);
            Outcome::Possible
        };
        verdict.places += 1;
        if outcome > verdict.outcome {
            (verdict.outcome, verdict.why, verdict.place) =
                (outcome, Some(message), at(check.s, access.inst));
        }
    }
    if verdict.outcome == Outcome::Proved {
        let mut premises = check.premises();
        premises.distinct_parameters = false;
        premises.join(granted);
        verdict.premises = premises.in_words(verdict::Check::Initialised);
    }
    out.verdict = Some(verdict);
    out
}

/// Who comes to a read of what nobody has written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comes {
    /// Every thread of every launch.
    EveryThread,
    /// This thread of every launch.
    Thread(ThreadIndex),
    /// Nobody knows.
    Perhaps,
}

/// What is said of a read.
fn finding(s: &Summary<'_>, dims: LaunchDims, read: &Access, comes: Comes) -> Finding {
    let are = if comes == Comes::Perhaps { "may be" } else { "are" };
    let object = object(s, read.base);
    let message = format!("bytes of {object} {are} read before any thread has written them");
    let mut finding = Finding::dynamic(Kind::UninitializedRead, message);
    finding.origin = Origin::Static;
    finding.kernel = Some(s.cx.func.display_name.clone());
    finding.dims = dims;
    let label = match comes {
        Comes::EveryThread => "every thread comes here".to_owned(),
        Comes::Thread((block, thread)) => {
            finding.threads.push(ThreadCoord { block, thread });
            format!("thread {} reads them", dims.thread(thread))
        }
        Comes::Perhaps => "here".to_owned(),
    };
    let loc = s.cx.func.locs[read.inst].expand();
    finding.primary = loc.map(|loc| Span::new(&s.cx.module.source, loc, label));
    finding
}

/// Whether a variable is the library's own. What its functions keep there starts out as they need it.
fn is_of_library(module: &Module, base: Base) -> bool {
    let Base::Global(g) = base else { return false };
    let (global, map) = (&module.globals[g], &module.source);
    let file = |loc: Loc| map.files[map.locs[loc].file].path.as_str();
    global.name == NAMED_BARRIERS || global.loc.expand().is_some_and(|l| file(l).starts_with(OWN_HEADERS))
}

/// Whether an access reads what was there, and the program does something with it. An exchange whose result nobody asks
/// for is a store.
fn reads(func: &Function, a: &Access, used: &FxHashSet<Inst>) -> bool {
    match func.insts[a.inst] {
        InstData::Load { .. }
        | InstData::AtomicLoad { .. }
        | InstData::AtomicRmw { op: AtomicOp::Xchg, .. } => used.contains(&a.inst),
        InstData::AtomicStore { .. } => false,
        _ => a.touch != Touch::Write,
    }
}

/// Whether it loads bits of which the program uses some only: to change one bit-field is to load its neighbours.
fn is_of_bit_field(func: &Function, inst: Inst) -> bool {
    matches!(func.insts[inst], InstData::Load { flags, .. } if flags.partial)
}

/// The instructions whose results an instruction uses.
fn used(func: &Function) -> FxHashSet<Inst> {
    let mut out = FxHashSet::default();
    for &inst in func.layout.iter().flat_map(|&b| func.block_insts(b)) {
        func.for_each_arg(inst, |v| out.extend(func.def_inst(v)));
    }
    out
}

/// Whether what is read is computed with as soon as it is read: a copy alone is no use of it.
fn is_use(s: &Summary<'_>, read: &Access) -> bool {
    let func = s.cx.func;
    match func.insts[read.inst] {
        InstData::AtomicCas { .. } => return true,
        InstData::AtomicRmw { op, .. } if op != AtomicOp::Xchg => return true,
        _ => {}
    }
    let Some(v) = func.result(read.inst) else { return false };
    func.block_insts(s.cx.control.block(read.block)).iter().any(|&i| match func.insts[i] {
        InstData::Binary { args, .. } | InstData::Icmp { args, .. } | InstData::Fcmp { args, .. } => {
            args.contains(&v)
        }
        _ => false,
    })
}

/// Who comes to a read for certain that no write can be before.
enum First {
    /// Every thread of every launch.
    EveryThread,
    /// This thread may.
    Thread(Witness),
}

/// The writes that may hit what is read, on a way on which no thread has come to the read.
fn before<'c>(check: &'c Check<'_, '_, '_>, read: &'c Access) -> impl Iterator<Item = &'c Access> {
    let control = check.s.cx.control;
    // What can be reached without passing the read.
    let mut seen = vec![false; control.len()];
    let mut work: Vec<Place> = vec![0];
    while let Some(node) = work.pop() {
        if !std::mem::replace(&mut seen[node as usize], true) && node != read.block {
            work.extend_from_slice(control.targets(node));
        }
    }
    check.s.accesses.iter().filter(move |w| {
        let after =
            w.inst == read.inst || !seen[w.block as usize] || (w.block == read.block && w.at > read.at);
        w.touch.writes() && !after && check.may_alias(w, read)
    })
}

/// Who comes to a read.
fn first(check: &mut Check<'_, '_, '_>, read: &Access, conditions: &[Term]) -> Option<First> {
    let in_loop = check.s.cx.control.cycles_of(read.block).next().is_some();
    if check.s.terms.bits(read.guard) == Some(1) && !in_loop && is_use(check.s, read) {
        return Some(First::EveryThread);
    }
    match check.ask(conditions) {
        Answer::Yes(_) => Some(First::Thread(check.witness(conditions))),
        _ => None,
    }
}

/// Whether each byte was written before, in every launch: [`Answer::No`] if it was. And what holds where a thread comes to
/// the read. With `all_meet` no barrier before the read is one to which some threads only may come.
fn ask(check: &mut Check<'_, '_, '_>, read: &Access, waits: &[Wait], all_meet: bool) -> (Vec<Term>, Answer) {
    let control = check.s.cx.control;
    let iterations: Iterations = control.cycles_of(read.block).map(|c| (c, Iteration::Same)).collect();
    check.topic = Topic {
        check: verdict::Check::Initialised,
        asks: "whether a thread can read bytes here that nobody is found to write",
        insts: SmallVec::from_slice(&[read.inst]),
    };
    check.exact.clear();
    check.reach.clear();
    let mut conditions = check.launch();
    let mut raw = check.context(&[read.guard, read.offset, read.bytes], &iterations, false);
    raw.push(check.iterate(read.guard, &iterations));
    check.add_of(raw, (READER, Uniformity::Block), &mut conditions);
    let [offset, bytes] = [read.offset, read.bytes].map(|t| {
        let t = check.iterate(t, &iterations);
        check.s.terms.instance(t, READER, Uniformity::Block)
    });
    // What is outside of the object is another fault.
    if let Base::Global(g) = read.base {
        let size = check.s.cx.module.globals[g].size;
        let terms = &mut check.s.terms;
        let size = terms.constant(size.into(), 64);
        let left = terms.sub(size, offset);
        let (starts, ends) =
            (terms.compare(IntCC::Ule, offset, size), terms.compare(IntCC::Ule, bytes, left));
        conditions.extend([starts, ends].into_iter().filter(|&t| terms.bits(t) != Some(1)));
    }
    let reader = Reader { node: read.block, at: read.at, offset, bytes, volatile: read.volatile };
    let mut writes: Vec<usize> = (0..check.s.accesses.len())
        .filter(|&n| {
            let w = &check.s.accesses[n];
            // A comparison that fails writes nothing.
            let writes =
                w.touch.writes() && !matches!(check.s.cx.func.insts[w.inst], InstData::AtomicCas { .. });
            writes && w.base == read.base && w.inst != read.inst
        })
        .collect();
    // The nearest ones are asked first.
    writes.sort_by_key(|&n| read.block.abs_diff(check.s.accesses[n].block));
    writes.truncate(MAX_WRITES);
    let mut answer = Answer::Unknown("which thread writes them is not found".to_owned());
    let mut known: FxHashSet<Term> = FxHashSet::default();
    let mut copies = Copies::default();
    let mut number = 0;
    for thorough in [false, true] {
        let before = known.len();
        for &n in &writes {
            let write = check.s.accesses[n].clone();
            for back in [false, true] {
                let Some(order) = order(check, &reader, &write, back, waits) else { continue };
                for mut guess in guesses(check, &reader, &write, &order, thorough) {
                    let Some(copy) = copies.of(&guess) else { continue };
                    guess.copy = copy;
                    if all_meet {
                        known.extend(meets(check, &order, &guess));
                    }
                    let wrote = wrote(check, &reader, &write, &order, &guess, &mut number);
                    let not = check.s.terms.not(wrote);
                    if check.s.terms.bits(not) != Some(1) {
                        known.insert(not);
                    }
                }
            }
        }
        if known.len() == before {
            continue;
        }
        let mut question = conditions.clone();
        let mut sorted: Vec<Term> = known.iter().copied().collect();
        sorted.sort_unstable();
        question.extend(sorted);
        answer = check.ask(&question);
        if answer == Answer::No {
            check.found.premises.convergence |= !waits.is_empty();
            break;
        }
    }
    (conditions, answer)
}

/// Which copy of what belongs to a thread each guessed thread has: two of them may compute different values.
#[derive(Default)]
struct Copies(Vec<SmallVec<[(u8, Term); 3]>>);

impl Copies {
    /// Behind the copies of the reader and of symbols for any earlier iteration.
    const FIRST: usize = EARLIER as usize + 1;

    /// That of a guessed thread; none where there are too many.
    fn of(&mut self, guess: &Guess) -> Option<u8> {
        if guess.is_of_reader() {
            return Some(READER);
        }
        let known = self.0.iter().position(|threads| *threads == guess.threads);
        let n = known.unwrap_or_else(|| {
            self.0.push(guess.threads.clone());
            self.0.len() - 1
        });
        u8::try_from(Self::FIRST + n).ok()
    }
}

/// The copy of symbols for any iteration before another one.
const EARLIER: u8 = 3;

/// What is known of a guessed thread as the reader has come: it has met the reader at each barrier between the write and the
/// read, if it exists.
fn meets(check: &mut Check<'_, '_, '_>, order: &Before, guess: &Guess) -> Vec<Term> {
    let mut out = Vec::new();
    if guess.is_of_reader() {
        return out;
    }
    let exists = exists(check, guess);
    for met in order.barriers.iter().filter(|b| !b.of_warp) {
        let Some(guard) = met.guard else { continue };
        let comes = guess.instance_of(check, guard);
        let terms = &mut check.s.terms;
        let both = terms.and(exists, met.reader);
        let not = terms.not(both);
        let fact = terms.or(not, comes);
        if terms.bits(fact) != Some(1) {
            out.push(fact);
        }
    }
    out
}

/// That a block has a guessed thread.
fn exists(check: &mut Check<'_, '_, '_>, guess: &Guess) -> Term {
    let terms = &mut check.s.terms;
    let mut all = terms.truth(true);
    for &(d, index) in &guess.threads {
        let extent = block_extent(terms, check.shape, d);
        let there = terms.compare(IntCC::Ult, index, extent);
        all = terms.and(all, there);
    }
    all
}

/// Where threads wait for each other.
struct Wait {
    node: Place,
    at: usize,
    /// Those of a warp only.
    of_warp: bool,
}

fn waits(s: &Summary<'_>) -> Vec<Wait> {
    let mut out = Vec::new();
    for node in 0..s.cx.control.len() as u32 {
        let block_wide: SmallVec<[usize; 4]> = barriers(s, node, Order::Block).collect();
        out.extend(barriers(s, node, Order::Warp).map(|at| Wait {
            node,
            at,
            of_warp: !block_wide.contains(&at),
        }));
    }
    out
}

/// A read as thread 1 makes it, with the loops around it in the iterations that [`Sym::Common`] tells.
struct Reader {
    node: Place,
    at: usize,
    offset: Term,
    bytes: Term,
    volatile: bool,
}

/// How a write stands to a read.
struct Before {
    /// The loops around both.
    common: Vec<usize>,
    /// The loops around the write alone, innermost first.
    own: SmallVec<[usize; 4]>,
    /// The innermost of the common loops, where the write is in the iteration of it before.
    back: Option<usize>,
    /// What orders the two.
    barriers: Vec<Met>,
}

/// Where threads meet between a write and a read.
struct Met {
    /// When a thread comes there, the counters of loops being those of that moment; none where two accesses order threads by
    /// themselves.
    guard: Option<Term>,
    /// The same of the reading thread.
    reader: Term,
    /// Threads of a warp only.
    of_warp: bool,
}

/// Whether what stands at `a` is executed before what stands at `b` in the same iteration of the loops around both, where
/// both are executed.
fn is_before(control: &Control, a: (Place, usize), b: (Place, usize)) -> bool {
    // A loop that is around one of them only is entered at its head.
    let seen_from = |x: Place, other: Place| {
        let around = control.cycles_of(x).filter(|&c| !control.contains(c, other)).last();
        around.map_or(x, |c| control.cycle_head(c))
    };
    if a.0 == b.0 { a.1 < b.1 } else { seen_from(a.0, b.0) < seen_from(b.0, a.0) }
}

/// How a write stands before a read, if it does: in the same iteration of the loops around both, or with `back` in the one
/// before of the innermost one.
fn order(
    check: &mut Check<'_, '_, '_>,
    read: &Reader,
    write: &Access,
    back: bool,
    waits: &[Wait],
) -> Option<Before> {
    let control = check.s.cx.control;
    let common: Vec<usize> =
        control.cycles_of(read.node).filter(|&c| control.contains(c, write.block)).collect();
    if back && common.is_empty()
        || !back && !is_before(control, (write.block, write.at), (read.node, read.at))
    {
        return None;
    }
    let mut found = Vec::new();
    for &Wait { node, at, of_warp } in waits {
        let of: SmallVec<[usize; 4]> = control.cycles_of(node).collect();
        let encloses = common.iter().all(|c| of.contains(c));
        if !encloses || of.iter().any(|&c| !control.contains(c, read.node)) {
            continue;
        }
        let here = (node, at);
        let after_write = is_before(control, (write.block, write.at), here);
        let before_read = is_before(control, here, (read.node, read.at));
        // In which iteration of the innermost common loop it lies between the two, if in any.
        let in_last = match back {
            false => (after_write && before_read).then_some(false),
            true if before_read => Some(false),
            true => (after_write && of.len() == common.len()).then_some(true),
        };
        let Some(in_last) = in_last else { continue };
        let guard = check.s.guards[node as usize];
        let guard = counted(check, guard, &of, in_last.then(|| common[0]));
        let reader = check.s.terms.instance(guard, READER, Uniformity::Block);
        found.push(Met { guard: Some(guard), reader, of_warp });
    }
    // One volatile instruction of a warp after the other.
    let own: SmallVec<[usize; 4]> = control.cycles_of(write.block).filter(|c| !common.contains(c)).collect();
    if check.lockstep && !back && own.is_empty() && write.volatile && read.volatile {
        found.push(Met { guard: None, reader: check.s.terms.truth(true), of_warp: true });
    }
    let back = back.then(|| common[0]);
    Some(Before { common, own, back, barriers: found })
}

/// A term with the counters of these loops as the reader has them; with `back` that of one loop is one less.
fn counted(check: &mut Check<'_, '_, '_>, t: Term, cycles: &[usize], back: Option<usize>) -> Term {
    let mut with = Vec::new();
    for &c in cycles {
        let counter = check.s.counter(c);
        let terms = &mut check.s.terms;
        let mut is = terms.sym(Sym::Common(c as u32), 64);
        if back == Some(c) {
            let one = terms.constant(1, 64);
            is = terms.sub(is, one);
        }
        with.push((counter, is));
    }
    check.s.terms.replace(t, &with)
}

/// That the guessed thread wrote the reader's bytes in the guessed iterations, before the read. `number` counts symbols.
fn wrote(
    check: &mut Check<'_, '_, '_>,
    read: &Reader,
    write: &Access,
    order: &Before,
    guess: &Guess,
    number: &mut u32,
) -> Term {
    let mut all = check.s.terms.truth(true);
    if let Some(c) = order.back {
        let terms = &mut check.s.terms;
        let (common, zero) = (terms.sym(Sym::Common(c as u32), 64), terms.constant(0, 64));
        let later = terms.compare(IntCC::Ne, common, zero);
        all = terms.and(all, later);
    }
    let exists = exists(check, guess);
    all = check.s.terms.and(all, exists);
    // It comes to the iterations of its own loops.
    for &c in order.own.iter().rev() {
        let Some(again) = check.s.loops[c].again else { return check.s.terms.truth(false) };
        let Some(&(_, k)) = guess.counters.iter().find(|g| g.0 == c) else {
            return check.s.terms.truth(false);
        };
        let counter = check.s.counter(c);
        let earlier = check.s.terms.sym_of(Sym::Fresh(*number), EARLIER, 64);
        *number += 1;
        let again = check.s.terms.replace(again, &[(counter, earlier)]);
        let goes_on = guess.instance(check, again, order);
        let terms = &mut check.s.terms;
        let passed = terms.compare(IntCC::Ult, earlier, k);
        let not = terms.not(passed);
        let came = terms.or(not, goes_on);
        all = terms.and(all, came);
    }
    let guard = guess.instance(check, write.guard, order);
    all = check.s.terms.and(all, guard);
    let [offset, bytes] = [write.offset, write.bytes].map(|t| guess.instance(check, t, order));
    let covers = covers(&mut check.s.terms, (offset, bytes), (read.offset, read.bytes));
    all = check.s.terms.and(all, covers);
    let mut ordered = guess.is_reader(check);
    for met in &order.barriers {
        let met = if met.of_warp {
            let same = guess.is_in_warp(check, order);
            check.s.terms.and(met.reader, same)
        } else {
            met.reader
        };
        ordered = check.s.terms.or(ordered, met);
    }
    check.s.terms.and(all, ordered)
}

/// That bytes that are written cover those that are read: offset and number.
fn covers(terms: &mut Terms, (start, len): (Term, Term), (offset, bytes): (Term, Term)) -> Term {
    if len == bytes {
        return terms.compare(IntCC::Eq, start, offset);
    }
    let from = terms.sub(offset, start);
    let rest = terms.sub(len, bytes);
    let fits = terms.compare(IntCC::Ule, bytes, len);
    let inside = terms.compare(IntCC::Ule, from, rest);
    terms.and(fits, inside)
}
