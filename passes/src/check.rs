//! What `cudair check` asks: every kernel of a module, in the launches that are given, that the module makes, or in
//! every one.
//!
//! Each kernel gets findings, and a verdict for each check ([`cudair_ir::verdict`]).

use crate::analysis::barrier::Rules;
use crate::analysis::callgraph::CallGraph;
use crate::analysis::memory;
use crate::analysis::shape::Shape;
use crate::analysis::{Prepared, only_possible};
use crate::registry::{Analysis, Told};
use crate::symbolic::assume::Assumption;
use crate::symbolic::faults::refused;
use crate::symbolic::host::{Callers, HostCode, HostLaunch};
use crate::symbolic::premises::{BLOCKS, CONVERGENCE, FUNCTIONS, GRID_CONVERGENCE, OWN, Premises};
use crate::symbolic::smt::Solver;
use crate::symbolic::term::Sym;
use crate::symbolic::{Budget, ProgramBudget, TwoThreads};
use crate::transform::indirect;
use cudair_ir::verdict::{Check, CheckVerdict, KernelVerdict, Outcome};
use cudair_ir::*;
use rustc_hash::FxHashSet;
use std::fmt::Write;
use std::rc::Rc;

/// How often loads are looked for whose addresses are known since other loads are.
const MAX_ROUNDS: usize = 4;

/// Launches of one kernel that are looked at one by one; with more, every shape is.
const MAX_SHAPES: usize = 12;

/// What `check` is asked for.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// Only this kernel, by symbol or by the name that a reader gives it.
    pub kernel: Option<String>,
    /// Threads of a block.
    pub block: Option<[u32; 3]>,
    /// Blocks of the grid.
    pub grid: Option<[u32; 3]>,
    /// Compute capability times ten (`75` for 7.5).
    pub compute_capability: u32,
    /// The compute capability that the code is compiled for, times ten.
    pub compiled_for: u32,
    /// What a lenient device lets pass is an error too.
    pub strict: bool,
    /// What is assumed of launches.
    pub assume: Vec<Assumption>,
    /// The threads of a warp go together.
    pub lockstep: bool,
    /// Whether the device's libraries have a function of this name. Others without a body are in files that are not looked
    /// at.
    pub has_device_function: fn(&str) -> bool,
    /// Each finding comes with launches that may show it.
    pub counterexamples: bool,
    /// Every race is told, also where several are at one place.
    pub every_pair: bool,
    /// Analyses that look at each kernel, too.
    pub analyses: Vec<&'static dyn Analysis>,
}

impl Default for CheckOptions {
    fn default() -> CheckOptions {
        CheckOptions {
            kernel: None,
            block: None,
            grid: None,
            compute_capability: 80,
            compiled_for: 80,
            strict: false,
            assume: Vec::new(),
            lockstep: false,
            has_device_function: |_| true,
            counterexamples: false,
            every_pair: false,
            analyses: Vec::new(),
        }
    }
}

/// Whether a function is what a user calls `name`: its symbol, its display name, or that without
/// template arguments and namespaces.
pub fn is_named(func: &Function, name: &str) -> bool {
    func.name == name || is_called(&func.display_name, name)
}

/// Whether a kernel that findings call `display` is the one of a name: all of it, without its arguments, or without scopes.
pub fn is_called(display: &str, name: &str) -> bool {
    let plain = display.split(['<', '(']).next().unwrap_or(display);
    display == name || plain == name || plain.rsplit("::").next() == Some(name)
}

/// What was found in a module.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// What holds in every launch.
    pub facts: Facts,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// Races that could be neither excluded nor shown to happen.
    pub possible: Vec<Finding>,
    /// What was proved of each kernel.
    pub verdicts: Vec<KernelVerdict>,
}

/// Checks the kernels of a module: what holds in every launch, and what is wrong, races aside.
pub fn analyze_module(module: &Module, options: &CheckOptions) -> (Facts, Vec<Finding>) {
    let checked = check(module, options, None);
    (checked.facts, checked.findings)
}

/// Checks the kernels of a module, and gives a verdict on each. Where kernels call through pointers, the facts speak of
/// the module of [`indirect::promoted`].
pub fn check_module(module: &Module, options: &CheckOptions, solver: &mut dyn Solver) -> Checked {
    let promoted = indirect::promoted(module);
    check(promoted.as_ref().unwrap_or(module), options, Some(solver))
}

fn check(module: &Module, options: &CheckOptions, mut solver: Option<&mut dyn Solver>) -> Checked {
    let taken = cudair_ir::address_taken(module);
    let elsewhere = memory::elsewhere(module, options.has_device_function);
    let callers = Callers::new(module);
    let host = HostCode::new(module, &callers);
    let mut checker = Checker {
        module,
        options,
        host,
        program: ProgramBudget::new(kernels(module, options).count()),
        budget: Rc::default(),
        out: Checked::default(),
    };
    for id in kernels(module, options) {
        let prepared = Prepared::with(module, &taken, &elsewhere, id);
        // A reborrow for each kernel.
        let solver = solver.as_mut().map(|s| &mut **s as &mut dyn Solver);
        checker.kernel(&prepared, solver);
    }
    let mut out = checker.out;
    for list in [&mut out.findings, &mut out.possible] {
        list.sort_by(|a, b| {
            let (x, y) = (a.primary.as_ref().map(Span::place), b.primary.as_ref().map(Span::place));
            x.cmp(&y).then(a.kind.cmp(&b.kind))
        });
    }
    out
}

/// The kernels that are asked for.
fn kernels<'a>(module: &'a Module, options: &'a CheckOptions) -> impl Iterator<Item = FuncId> + 'a {
    let wanted = |f: &Function| {
        f.side == Side::Kernel
            && !f.layout.is_empty()
            && options.kernel.as_deref().is_none_or(|name| is_named(f, name))
    };
    module.funcs.iter().filter(move |(_, f)| wanted(f)).map(|(id, _)| id)
}

/// What [`each_case`] tells of one launch: the kernel; the launches in words; the number of this one and how many there are;
/// its shape; what the host's code says of it; what is assumed.
pub(crate) type TellCase<'f> = dyn FnMut(&Prepared, &str, (usize, usize), &Shape, Option<(&mut HostCode<'_>, &HostLaunch)>, &[&Assumption])
    + 'f;

/// Goes through the kernels that are asked for and `wanted`, and through the launches of each that would be checked. What
/// runs nothing is left out.
pub(crate) fn each_case(
    module: &Module,
    options: &CheckOptions,
    wanted: &dyn Fn(FuncId) -> bool,
    tell: &mut TellCase<'_>,
) {
    let taken = cudair_ir::address_taken(module);
    let elsewhere = memory::elsewhere(module, options.has_device_function);
    let callers = Callers::new(module);
    let mut host = HostCode::new(module, &callers);
    for id in kernels(module, options) {
        let func = &module.funcs[id];
        if !wanted(id) {
            continue;
        }
        let prepared = Prepared::with(module, &taken, &elsewhere, id);
        let assumed: Vec<&Assumption> = options.assume.iter().filter(|a| a.is_of(func)).collect();
        let (mut cases, launches) =
            cases(module, id, &prepared.graph, Shape::given(options.block, options.grid), &mut host);
        cases.retain(|c| c.launch.as_ref().is_none_or(|l| !l.is_empty()));
        let all = cases.len();
        for (n, case) in cases.iter_mut().enumerate() {
            for a in &assumed {
                fix(&mut case.shape, func, a);
            }
            let from = case.launch.as_ref().map(|l| (&mut host, l));
            tell(&prepared, &launches, (n, all), &case.shape, from, &assumed);
        }
    }
}

/// What is found of one kernel after the other.
struct Checker<'a> {
    module: &'a Module,
    options: &'a CheckOptions,
    host: HostCode<'a>,
    /// What the solver may spend on kernels.
    program: ProgramBudget,
    /// What it may spend on the kernel at hand.
    budget: Rc<Budget>,
    out: Checked,
}

impl<'a> Checker<'a> {
    fn kernel(&mut self, prepared: &Prepared, mut solver: Option<&mut dyn Solver>) {
        let (module, options, id) = (self.module, self.options, prepared.kernel);
        self.budget = Rc::new(self.program.kernel());
        let func = &module.funcs[id];
        let any = Shape::given(options.block, options.grid);
        let assumed: Vec<&Assumption> = options.assume.iter().filter(|a| a.is_of(func)).collect();
        merge_facts(&mut self.out.facts, prepared.facts(module, &any));
        for f in unsequenced(module, id, &prepared.graph) {
            add(f, &mut self.out.findings);
        }
        for f in generations(module, id, &prepared.graph, options.compiled_for) {
            add(f, &mut self.out.findings);
        }
        let (mut cases, mut launches) = cases(module, id, &prepared.graph, any, &mut self.host);
        for (n, a) in assumed.iter().enumerate() {
            let _ = write!(launches, "{} {a}", if n == 0 { ", where" } else { " and" });
            for case in &mut cases {
                fix(&mut case.shape, func, a);
            }
        }
        let mut checks: Vec<CheckVerdict> = Vec::new();
        for case in &cases {
            let solver = solver.as_mut().map(|s| &mut **s as &mut dyn Solver);
            for verdict in self.case(prepared, case, &assumed, solver) {
                join_verdict(verdict, &mut checks);
            }
        }
        self.program.settle(&self.budget);
        checks.sort_by_key(|v| v.check);
        own_writes(&mut checks);
        for (check, premise) in [
            (Check::BarrierDivergence, CONVERGENCE),
            (Check::BarrierDivergence, GRID_CONVERGENCE),
            (Check::GlobalRaces, BLOCKS),
        ] {
            if checks.iter().any(|v| v.check == check && v.outcome == Outcome::Proved) {
                // No premise any more.
                for v in &mut checks {
                    v.premises.retain(|p| p != premise);
                }
            }
        }
        let place = func.loc.expand().map(|loc| Span::new(&module.source, loc, ""));
        let kernel = func.display_name.clone();
        self.out.verdicts.push(KernelVerdict { kernel, place, launches, checks, run: None });
    }

    /// A launch that the device refuses.
    fn no_launch(
        &mut self,
        prepared: &Prepared,
        launch: Option<&HostLaunch>,
        shape: Option<&Shape>,
        why: String,
    ) -> CheckVerdict {
        let func = &self.module.funcs[prepared.kernel];
        let loc = launch.map_or(func.loc.expand(), |l| l.place);
        let place = loc.map(|loc| Span::new(&self.module.source, loc, "the launch fails"));
        let mut finding = Finding::dynamic(Kind::InvalidLaunch, why.clone());
        finding.origin = Origin::Static;
        finding.kernel = Some(func.display_name.clone());
        finding.primary.clone_from(&place);
        if let Some(shape) = shape.filter(|_| self.options.counterexamples) {
            // The arguments play no part.
            finding.counterexamples.push(Counterexample {
                kernel: func.name.clone(),
                grid: shape.grid,
                block: shape.block,
                ..Counterexample::default()
            });
        }
        add(finding, &mut self.out.findings);
        CheckVerdict {
            outcome: Outcome::Refuted,
            why: Some(why),
            place,
            places: 1,
            ..CheckVerdict::proved(Check::Launch)
        }
    }

    /// Two threads of a launch, where the `stable` loads are proved to race with no write, and barriers with numbers that are
    /// `of_block` to be ones of the whole block.
    fn pair<'c>(
        &mut self,
        prepared: &'c Prepared,
        Case { shape, launch }: &'c Case,
        assumed: &[&Assumption],
        (stable, of_block): (Option<&'c FxHashSet<Inst>>, Option<&'c FxHashSet<Inst>>),
    ) -> TwoThreads<'c>
    where
        'a: 'c,
    {
        let from = launch.as_ref().map(|l| (&mut self.host, l));
        let mut pair = TwoThreads::new(prepared, self.module, shape, from, assumed, (stable, of_block));
        pair.spend_from(Rc::clone(&self.budget));
        if self.options.counterexamples {
            pair.want_counterexamples();
        }
        pair
    }

    /// The loads in which the threads of a block agree since no write races with them, and what that rests on; `pair` knows
    /// of none. What one loads may be the address of another.
    fn stable_loads(
        &mut self,
        prepared: &Prepared,
        case: &Case,
        assumed: &[&Assumption],
        pair: &mut TwoThreads<'_>,
        solver: &mut dyn Solver,
    ) -> (FxHashSet<Inst>, Premises) {
        let (mut stable, mut rests_on) = pair.stable_loads(solver);
        let mut more = !stable.is_empty();
        for _ in 1..MAX_ROUNDS {
            if !more {
                break;
            }
            let mut pair = self.pair(prepared, case, assumed, (Some(&stable), None));
            let (loads, premises) = pair.stable_loads(solver);
            more = !loads.is_empty();
            if more {
                stable.extend(loads);
                rests_on.join(premises);
            }
        }
        (stable, rests_on)
    }

    /// Looks at one launch of a kernel, and gives the verdicts on it.
    fn case(
        &mut self,
        prepared: &Prepared,
        case: &Case,
        assumed: &[&Assumption],
        solver: Option<&mut dyn Solver>,
    ) -> Vec<CheckVerdict> {
        let (module, options) = (self.module, self.options);
        let Case { shape, launch } = case;
        if let Some(launch) = launch
            && launch.is_empty()
        {
            // Nothing runs, and nothing could be asked.
            let why = "the grid has no blocks, or the block no threads".to_owned();
            return vec![self.no_launch(prepared, Some(launch), None, why)];
        }
        let refused = refused(shape).map(|why| self.no_launch(prepared, launch.as_ref(), Some(shape), why));
        let rules = Rules {
            compute_capability: options.compute_capability,
            strict: options.strict,
            counterexamples: options.counterexamples,
        };
        let mut found = prepared.findings(module, shape, rules, None);
        let is_uniform = found.is_empty();
        let mut rests_on = Premises::default();
        let mut cut = None;
        let mut others = Vec::new();
        let mut calls_proved = false;
        let mut verdicts: Vec<CheckVerdict> = Vec::new();
        let told = launch.is_some() || !assumed.is_empty();
        if let Some(solver) = solver {
            let mut pair = self.pair(prepared, case, assumed, (None, None));
            if told {
                pair.exists(&mut *solver);
            }
            let is_open = |found: &[Finding]| {
                !found.is_empty() && (told || found.iter().all(|f| f.certainty == Certainty::Possible))
            };
            rests_on.join(pair.granted());
            let (stable, of_block);
            let mut loads = None;
            if is_open(&found) {
                if let Some(premises) = pair.converge(&mut *solver) {
                    found.clear();
                    rests_on.join(premises);
                } else {
                    let (found_loads, premises) =
                        self.stable_loads(prepared, case, assumed, &mut pair, solver);
                    stable = found_loads;
                    if !stable.is_empty() {
                        found = prepared.findings(module, shape, rules, Some(&stable));
                        loads = Some(&stable);
                        pair = self.pair(prepared, case, assumed, (loads, None));
                        rests_on.join(premises);
                        if is_open(&found)
                            && let Some(premises) = pair.converge(&mut *solver)
                        {
                            found.clear();
                            rests_on.join(premises);
                        }
                    }
                }
            }
            let of_number = pair.numbered_barriers(found.is_empty(), options.strict, &mut *solver);
            let meets = found.is_empty() && of_number.open.is_empty();
            let of_cluster = pair.cluster_barriers(meets, options.strict, &mut *solver);
            others = vec![of_number, of_cluster];
            of_block = others.iter().flat_map(|n| n.of_block.iter().copied()).collect();
            if !FxHashSet::is_empty(&of_block) {
                pair = self.pair(prepared, case, assumed, (loads, Some(&of_block)));
            }
            if launch.is_none() {
                pair.arguments(&mut *solver);
            }
            if pair.waits_for_grid() {
                match pair.grid_converges(options.strict, &mut *solver) {
                    Ok(premises) => rests_on.join(premises),
                    Err(finding) => found.push(*finding),
                }
            }
            pair.note_diverging(&found, &others);
            let mut races = pair.races(options.strict, options.lockstep, &mut *solver);
            let mut faults = pair.faults(options.strict, &mut *solver);
            let mut read = pair.initialised(options.strict, options.lockstep, &mut *solver);
            let (masks, mut may_miss) = pair.masks(options.strict, &mut *solver);
            if options.counterexamples {
                let (some, diverging) = pair.counterexamples(&mut *solver);
                for f in &mut found {
                    if told {
                        // What was chosen there need not be what is told.
                        f.counterexamples.retain(|_| shape.threads().is_some());
                        f.counterexamples.iter_mut().for_each(|c| c.args.clear());
                    }
                    f.counterexamples.extend(diverging.clone());
                }
                let lists = [
                    &mut races.refuted,
                    &mut races.possible,
                    &mut faults.refuted,
                    &mut faults.possible,
                    &mut read.refuted,
                    &mut read.possible,
                    &mut may_miss,
                ];
                lists
                    .into_iter()
                    .flatten()
                    .chain(&mut found)
                    .chain(others.iter_mut().flat_map(|n| &mut n.findings))
                    .for_each(|f| complete(f, &some));
            }
            let add_race = if options.every_pair { Finding::merge_into } else { add };
            races.refuted.into_iter().for_each(|f| add_race(f, &mut self.out.findings));
            races.possible.into_iter().for_each(|f| add_race(f, &mut self.out.possible));
            verdicts = races.verdicts;
            verdicts.extend(masks);
            for f in may_miss {
                let certain = f.certainty == Certainty::Definite;
                add(f, if certain { &mut self.out.findings } else { &mut self.out.possible });
            }
            cut = pair.out_of_time(&mut found);
            faults.refuted.into_iter().for_each(|f| add(f, &mut self.out.findings));
            faults.possible.into_iter().for_each(|f| add(f, &mut self.out.possible));
            read.refuted.into_iter().for_each(|f| add(f, &mut self.out.findings));
            read.possible.into_iter().for_each(|f| add(f, &mut self.out.possible));
            verdicts.extend(read.verdict);
            calls_proved = faults.calls_proved;
            verdicts.extend(faults.verdicts);
            let mut told = Told::default();
            options.analyses.iter().for_each(|a| pair.look(*a, &mut told));
            told.findings.into_iter().for_each(|f| add(f, &mut self.out.findings));
            verdicts.extend(told.verdicts);
        }
        if told && shape.threads().is_none() {
            // The threads were followed in a block that may never be launched.
            for f in &mut found {
                only_possible(f, options.strict);
            }
        }
        verdicts.extend(refused);
        // What loads from memory that other blocks or parameters may reach are taken to give.
        let taken = found.is_empty()
            && if is_uniform {
                !prepared.converges(module, shape, rules)
            } else {
                prepared.races_matter(module, shape)
            };
        rests_on.no_block_races |= taken;
        rests_on.distinct_parameters |= taken;
        verdicts.extend(convergence(prepared, &found, rests_on.in_words(Check::BarrierDivergence)));
        if let Some(cut) = cut {
            join_verdict(cut, &mut verdicts);
        }
        for of_kind in others {
            if let Some(mut verdict) = of_kind.verdict {
                if verdict.outcome == Outcome::Proved {
                    let mut premises = of_kind.premises;
                    let taken = of_kind.agreed && prepared.races_matter(module, shape);
                    premises.no_block_races |= taken;
                    premises.distinct_parameters |= taken;
                    verdict.premises = premises.in_words(Check::BarrierDivergence);
                }
                join_verdict(verdict, &mut verdicts);
            }
            found.extend(of_kind.findings);
        }
        for f in found {
            add(f, &mut self.out.findings);
        }
        if calls_proved {
            // No premise any more.
            for v in &mut verdicts {
                v.premises.retain(|p| p != FUNCTIONS);
            }
        }
        verdicts
    }
}

/// Adds a launch that is known apart from the finding, and takes from it what stands open in those of the finding.
fn complete(f: &mut Finding, some: &Counterexample) {
    for launch in &mut f.counterexamples {
        *launch = std::mem::take(launch).or(some);
    }
    f.counterexamples.push(some.clone());
}

/// Puts what an assumption says of an extent or an argument into a shape.
fn fix(shape: &mut Shape, func: &Function, assumption: &Assumption) {
    let Some((sym, value)) = assumption.fixes(func) else { return };
    let extent = u32::try_from(value).ok().filter(|&n| n > 0);
    match sym {
        Sym::BlockDim(d) => shape.block[usize::from(d)] = extent.or(shape.block[usize::from(d)]),
        Sym::GridDim(d) => shape.grid[usize::from(d)] = extent.or(shape.grid[usize::from(d)]),
        Sym::Param(n) => {
            let bits = u128::from(value) & func.sig.params[n as usize].ty.bit_mask();
            shape.args.resize(func.sig.params.len(), None);
            shape.args[n as usize] = Some(bits);
        }
        other => unreachable!("an assumption does not speak of {other:?}"),
    }
}

/// Where no two threads race, none writes what another one reads back: then what the proofs of that rest on takes the place of
/// this premise.
fn own_writes(checks: &mut [CheckVerdict]) {
    let is_race = |v: &&CheckVerdict| matches!(v.check, Check::SharedRaces | Check::GlobalRaces);
    if checks.iter().filter(is_race).any(|v| v.outcome != Outcome::Proved) {
        return;
    }
    let rest_on: Vec<String> =
        checks.iter().filter(is_race).flat_map(|v| v.premises.clone()).filter(|p| p != OWN).collect();
    for v in checks.iter_mut().filter(|v| v.premises.iter().any(|p| p == OWN)) {
        v.premises.retain(|p| p != OWN);
        for p in &rest_on {
            if !v.premises.contains(p) {
                v.premises.push(p.clone());
            }
        }
    }
}

/// The verdict on barriers, where there are any.
fn convergence(prepared: &Prepared, found: &[Finding], premises: Vec<String>) -> Option<CheckVerdict> {
    if !prepared.has_barrier() {
        return None;
    }
    let worst = found.iter().max_by_key(|f| f.certainty == Certainty::Definite);
    Some(CheckVerdict {
        outcome: match worst.map(|f| f.certainty) {
            None => Outcome::Proved,
            Some(Certainty::Possible) => Outcome::Possible,
            Some(Certainty::Definite) => Outcome::Refuted,
        },
        why: worst.map(|f| f.message.clone()),
        place: worst.and_then(|f| f.primary.clone()),
        places: found.len(),
        premises: if worst.is_none() { premises } else { Vec::new() },
        ..CheckVerdict::proved(Check::BarrierDivergence)
    })
}

/// Joins the verdict of another shape: the worse one stays, and all premises.
fn join_verdict(new: CheckVerdict, list: &mut Vec<CheckVerdict>) {
    let Some(old) = list.iter_mut().find(|v| v.check == new.check) else {
        list.push(new);
        return;
    };
    for p in &new.premises {
        if !old.premises.contains(p) {
            old.premises.push(p.clone());
        }
    }
    if new.outcome > old.outcome {
        *old = CheckVerdict { premises: Vec::new(), ..new };
    }
}

/// Modifications that nothing orders, in a kernel and what it calls.
fn unsequenced(module: &Module, kernel: FuncId, graph: &CallGraph) -> Vec<Finding> {
    let mut found = Vec::new();
    for id in graph.functions() {
        let func = &module.funcs[id];
        for inst in func.layout.iter().flat_map(|&b| func.block_insts(b)) {
            if let InstData::Call { func: callee, .. } = func.insts[*inst]
                && let Some((how, variable)) = Unsequenced::of_func(&module.funcs[callee].name)
                && let Some(loc) = func.locs[*inst].expand()
            {
                found.push(Finding {
                    severity: how.severity(),
                    origin: Origin::Static,
                    kernel: Some(module.funcs[kernel].display_name.clone()),
                    primary: Some(Span::new(&module.source, loc, how.label())),
                    related: Span::call_path(&module.source, loc),
                    help: Some(how.help().to_owned()),
                    ..Finding::dynamic(Kind::UndefinedBehavior, how.message(variable))
                });
            }
        }
    }
    found
}

/// What a kernel and what it calls use that not every generation of devices has.
fn generations(module: &Module, kernel: FuncId, graph: &CallGraph, compiled_for: u32) -> Vec<Finding> {
    let mut found = Vec::new();
    for func in graph.functions().map(|id| &module.funcs[id]) {
        for (loc, concern) in concerns(module, func, compiled_for) {
            let Some(loc) = loc else { continue };
            let (kind, severity, message, label, help) = match concern {
                Concern::Lacking(Feature { name, since }) => (
                    Kind::InvalidLaunch,
                    Severity::Error,
                    format!(
                        "{name} needs compute capability {} or higher, and the code is for {}",
                        version(since),
                        version(compiled_for)
                    ),
                    "devices of that generation do not have it",
                    format!("guard it with `#if __CUDA_ARCH__ >= {since}0`"),
                ),
                Concern::ImpliedMask => {
                    let (message, label, help) = implied_mask(compiled_for);
                    (Kind::SyncMask, Severity::Warning, message, label, help.to_owned())
                }
            };
            found.push(Finding {
                severity,
                origin: Origin::Static,
                kernel: Some(module.funcs[kernel].display_name.clone()),
                primary: Some(Span::new(&module.source, loc, label)),
                related: Span::call_path(&module.source, loc),
                help: Some(help),
                ..Finding::dynamic(kind, message)
            });
        }
    }
    found
}

/// Adds a finding; of one place met in several shapes the surest and worst stays.
fn add(finding: Finding, list: &mut Vec<Finding>) {
    let at_one_place = |a: &Finding, b: &Finding| {
        a.primary.is_some() && a.primary.as_ref().map(Span::place) == b.primary.as_ref().map(Span::place)
    };
    let calls = |f: &Finding| {
        let path: Vec<Pos> =
            f.related.iter().filter(|s| s.label == "called from here").map(|s| s.start).collect();
        path
    };
    let same = list.iter_mut().find(|f| {
        f.kind == finding.kind
            && at_one_place(f, &finding)
            && f.kernel == finding.kernel
            && calls(f) == calls(&finding)
    });
    match same {
        Some(old) => {
            let rank = |f: &Finding| (f.certainty == Certainty::Definite, f.severity);
            let mut launches = finding.counterexamples.clone();
            if rank(&finding) > rank(old) {
                launches.append(&mut old.counterexamples);
                *old = Finding { counterexamples: launches, ..finding };
            } else {
                old.counterexamples.append(&mut launches);
            }
        }
        None => list.push(finding),
    }
}

/// Launches to look at.
struct Case {
    shape: Shape,
    /// As the host makes it.
    launch: Option<HostLaunch>,
}

/// What to look at: what the options fix, else the launches that the host's code makes, else every shape (one whose
/// unread dimensions are 1). And which launches these are, in words.
fn cases(
    module: &Module,
    kernel: FuncId,
    graph: &CallGraph,
    given: Shape,
    host: &mut HostCode<'_>,
) -> (Vec<Case>, String) {
    let bounds = module.funcs[kernel].attrs.launch_bounds[0];
    let max_threads = (bounds > 0).then_some(bounds);
    if given.block.iter().all(Option::is_none)
        && let Some(launches) = host.launches(kernel).filter(|l| !l.is_empty())
    {
        let words = match launches.len() {
            1 => "as launched here".to_owned(),
            n => format!("in the {n} launches here"),
        };
        let mut out: Vec<Case> = Vec::new();
        for launch in launches {
            for (launch, block) in launch.blocks(MAX_SHAPES) {
                let mut shape = Shape { block, max_threads, ..given.clone() };
                shape.args = launch.arguments();
                if shape.grid.iter().all(Option::is_none) {
                    shape.grid = launch.grid();
                }
                let told = launch.is_told_by(&shape);
                // One that is a constant is told by its shape.
                if !told
                    || out.iter().all(|c| {
                        c.launch.as_ref().is_some_and(|l| !l.is_told_by(&c.shape)) || c.shape != shape
                    })
                {
                    out.push(Case { shape, launch: Some(launch) });
                }
            }
        }
        if out.len() <= MAX_SHAPES {
            return (out, words);
        }
    }
    let mut shape = Shape { max_threads, ..given };
    shape.assume_unread(module, graph);
    let words = in_words(&shape);
    (vec![Case { shape, launch: None }], words)
}

/// The launches of a shape.
pub(crate) fn in_words(shape: &Shape) -> String {
    let extents = |known: [Option<u32>; 3]| {
        let dims = known.map(|d| d.map_or_else(|| "any".to_owned(), |n| n.to_string()));
        let used = dims.iter().rposition(|d| d != "1").map_or(1, |n| n + 1);
        dims[..used].join("×")
    };
    if shape.block.iter().chain(&shape.grid).all(Option::is_none) {
        return "in every launch".to_owned();
    }
    let most = shape.max_threads.map(|n| format!(", at most {n} threads")).unwrap_or_default();
    format!("with blocks of {}{most}, grid {}", extents(shape.block), extents(shape.grid))
}

/// What holds in both: values keep the lesser uniformity.
fn merge_facts(into: &mut Facts, from: Facts) {
    for (id, new) in from.funcs {
        match into.funcs.entry(id) {
            std::collections::hash_map::Entry::Vacant(e) => {
                e.insert(new);
            }
            std::collections::hash_map::Entry::Occupied(mut e) => {
                let old = e.get_mut();
                for (v, u) in old.uniform.iter_mut() {
                    *u = (*u).min(new.uniform[v]);
                }
                for (b, d) in old.divergent_branch.iter_mut() {
                    *d |= new.divergent_branch[b];
                }
            }
        }
    }
}
