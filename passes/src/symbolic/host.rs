//! The launches that a program makes: extents, scalar arguments and what holds of them, from the host's code.
//!
//! A function that launches is followed as a kernel is ([`summarize_host`]): extents and arguments are terms over its
//! parameters, the counters of its loops and what it loads or is given by calls, which is unknown. What leads to the
//! launch holds as well. Where the function is called directly and from nowhere else, its parameters are what the
//! callers pass, and so on up to `main`.

use super::premises::Premises;
use super::summary::{Base, CallSite, Summary, allocated, summarize_host};
use super::term::*;
use crate::analysis::control::Control;
use crate::analysis::engine::Cx;
use crate::analysis::shape::Shape;
use crate::analysis::witness::address_of;
use cudair_ir::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// Calls on the way to a launch that are followed.
const MAX_DEPTH: usize = 6;
/// Launches of a kernel that are looked at one by one.
const MAX_LAUNCHES: usize = 12;
/// The arguments of a launch before those of the kernel.
const CONFIGURATION: usize = 8;

/// A launch, in terms of values of the host.
#[derive(Clone, Debug, Default)]
pub struct HostLaunch {
    /// The terms.
    pub terms: Terms,
    /// Blocks of the grid, 32 bits each.
    pub grid: Vec<Option<Term>>,
    /// Threads of a block, 32 bits each.
    pub block: Vec<Option<Term>>,
    /// Bytes of dynamic shared memory, 64 bits.
    pub shared: Option<Term>,
    /// The arguments that are numbers.
    pub args: Vec<Option<Term>>,
    /// Pointer arguments that point into what one before points to, and the bytes in between where they are known.
    pub aliases: Vec<(usize, usize, Option<Term>)>,
    /// Where the arguments that are pointers point to.
    pub pointers: Vec<Option<Pointer>>,
    /// Where the launch stands.
    pub place: Option<Loc>,
    /// What holds where the launch is made.
    pub facts: Vec<Term>,
    /// What that takes for granted.
    pub premises: Premises,
}

/// Where a pointer of the host points to.
#[derive(Clone, Copy, Debug)]
pub struct Pointer {
    /// The object.
    pub origin: Origin,
    /// Bytes from its start, 64 bits.
    pub offset: Term,
}

/// An object of device memory.
#[derive(Clone, Copy, Debug)]
pub enum Origin {
    /// What a parameter of the function points to.
    Param(u32),
    /// One of so many bytes, 64 bits.
    Bytes(Term),
}

/// Who launches and calls whom on the host.
#[derive(Debug, Default)]
pub struct Callers {
    /// Callers of functions and launchers of kernels.
    of: FxHashMap<FuncId, Vec<FuncId>>,
    /// Functions whose address is taken: they may be called or launched in ways that are not followed.
    elsewhere: FxHashSet<FuncId>,
    /// The control structure of functions on a way to a launch.
    controls: FxHashMap<FuncId, Control>,
    /// Whether there is a `main`: then nobody else calls anything.
    is_program: bool,
}

impl Callers {
    /// Those of a module.
    pub fn new(module: &Module) -> Callers {
        let mut callers: FxHashMap<FuncId, Vec<FuncId>> = FxHashMap::default();
        let mut elsewhere: FxHashSet<FuncId> = FxHashSet::default();
        for global in module.globals.values() {
            if let GlobalInit::Data { relocs, .. } = &global.init {
                elsewhere.extend(relocs.iter().filter_map(|r| match r.target {
                    RelocTarget::Func(f) => Some(f),
                    RelocTarget::Global(_) => None,
                }));
            }
        }
        for (id, func) in &module.funcs {
            for &inst in func.layout.iter().flat_map(|&b| func.block_insts(b)) {
                let callee = match func.insts[inst] {
                    InstData::Launch { kernel, .. } if func.side != Side::Host => {
                        elsewhere.insert(kernel);
                        continue;
                    }
                    InstData::FuncAddr { func: f } => {
                        elsewhere.insert(f);
                        continue;
                    }
                    InstData::Launch { kernel, .. } => kernel,
                    InstData::Call { func: f, .. } | InstData::Invoke { func: f, .. }
                        if func.side == Side::Host && !module.funcs[f].is_declaration() =>
                    {
                        f
                    }
                    _ => continue,
                };
                let known = callers.entry(callee).or_default();
                if known.last() != Some(&id) {
                    known.push(id);
                }
            }
        }
        let is_program = module.funcs.values().any(|f| f.name == "main" && !f.is_declaration());
        let mut out = Callers { of: callers, elsewhere, controls: FxHashMap::default(), is_program };
        // Those on a way to a launch.
        let mut work: Vec<FuncId> =
            module.funcs.iter().filter(|f| f.1.side == Side::Kernel).map(|f| f.0).collect();
        while let Some(f) = work.pop() {
            for &caller in out.of.get(&f).into_iter().flatten() {
                if let Entry::Vacant(e) = out.controls.entry(caller) {
                    e.insert(Control::new(&module.funcs[caller]));
                    work.push(caller);
                }
            }
        }
        out
    }

    fn of(&self, func: FuncId) -> &[FuncId] {
        self.of.get(&func).map_or(&[], Vec::as_slice)
    }
}

/// The host's code of a module.
pub struct HostCode<'a> {
    module: &'a Module,
    callers: &'a Callers,
    summaries: FxHashMap<FuncId, Summary<'a>>,
    /// Values of the host so far.
    numbers: u32,
}

impl<'a> HostCode<'a> {
    /// Nothing is followed yet.
    pub fn new(module: &'a Module, callers: &'a Callers) -> HostCode<'a> {
        HostCode { module, callers, summaries: FxHashMap::default(), numbers: 0 }
    }

    /// The launches of a kernel. `None` where it may be launched from elsewhere, or from too many places.
    pub fn launches(&mut self, kernel: FuncId) -> Option<Vec<HostLaunch>> {
        if self.callers.elsewhere.contains(&kernel) {
            return None;
        }
        let mut out = Vec::new();
        for &caller in self.callers.of(kernel) {
            for site in self.sites(caller, kernel)? {
                let s = self.summary(caller)?;
                let mut launch = HostLaunch { aliases: aliases(s, &site), ..HostLaunch::default() };
                let (config, args) = site.args.split_at(CONFIGURATION.min(site.args.len()));
                (launch.grid, launch.block) = (config[..3].to_vec(), config[3..6].to_vec());
                launch.shared = config[6];
                launch.args = args.to_vec();
                launch.place = s.cx.func.locs[site.inst].expand();
                launch.pointers = pointers(s, &site, CONFIGURATION);
                (launch.facts, launch.premises) = reached(s, &site, &launch.pointers);
                launch.terms = s.terms.clone();
                self.lift(caller, launch, MAX_DEPTH, &mut out)?;
            }
        }
        Some(out)
    }

    /// A function of the host, followed once. `None` if it is too large.
    fn summary(&mut self, func: FuncId) -> Option<&mut Summary<'a>> {
        let (module, control) = (self.module, self.callers.controls.get(&func)?);
        let s = self
            .summaries
            .entry(func)
            .or_insert_with(|| summarize_host(Cx { module, id: func, func: &module.funcs[func], control }));
        s.is_whole().then_some(s)
    }

    /// The places where a function calls or launches another.
    fn sites(&mut self, func: FuncId, callee: FuncId) -> Option<Vec<CallSite>> {
        let s = self.summary(func)?;
        Some(s.sites.iter().filter(|site| site.callee == callee).cloned().collect())
    }

    /// Puts what callers of `func` pass in for its parameters.
    fn lift(
        &mut self,
        func: FuncId,
        launch: HostLaunch,
        depth: usize,
        out: &mut Vec<HostLaunch>,
    ) -> Option<()> {
        if launch.facts.iter().any(|&f| launch.terms.bits(f) == Some(0)) {
            return Some(());
        }
        let callers = self.callers.of(func);
        let followed =
            self.callers.is_program && !callers.is_empty() && !self.callers.elsewhere.contains(&func);
        if !followed || depth == 0 || self.module.funcs[func].name == "main" {
            out.push(launch);
            return (out.len() <= MAX_LAUNCHES).then_some(());
        }
        for &caller in callers {
            let Some(sites) = self.sites(caller, func) else {
                out.push(launch.clone());
                continue;
            };
            for site in sites {
                let s = self.summary(caller)?;
                let passed = pointers(s, &site, 0);
                let (facts, premises) = reached(s, &site, &passed);
                let terms = s.terms.clone();
                let mut lifted = launch.imported(
                    terms,
                    &mut self.numbers,
                    |n| site.args.get(n as usize).copied().flatten(),
                    |n| passed.get(n as usize).copied().flatten(),
                );
                lifted.facts.extend(facts);
                lifted.premises.join(premises);
                self.lift(caller, lifted, depth - 1, out)?;
            }
        }
        (out.len() <= MAX_LAUNCHES).then_some(())
    }

    /// The launch in the terms of a kernel's summary.
    pub fn place(&mut self, launch: &HostLaunch, terms: Terms) -> HostLaunch {
        launch.imported(terms, &mut self.numbers, |_| None, |_| None)
    }
}

impl HostLaunch {
    /// Whether the grid has no blocks, or the block no threads.
    pub fn is_empty(&self) -> bool {
        self.grid.iter().chain(&self.block).flatten().any(|&t| self.terms.bits(t) == Some(0))
    }

    /// Blocks of the grid, where they are constants.
    pub fn grid(&self) -> [Option<u32>; 3] {
        [0, 1, 2].map(|d| self.extent(self.grid[d]))
    }

    fn extent(&self, t: Option<Term>) -> Option<u32> {
        self.terms.bits(t?).and_then(|bits| u32::try_from(bits).ok()).filter(|&n| n > 0)
    }

    /// The bits of the arguments that are constants, and addresses for those that point into one object at constant
    /// distances.
    pub fn arguments(&self) -> Vec<Option<u128>> {
        let mut out: Vec<Option<u128>> = self.args.iter().map(|t| self.terms.bits((*t)?)).collect();
        for &(of, param, distance) in &self.aliases {
            if let Some(bytes) = distance.and_then(|t| self.terms.bits(t)) {
                out[param] = Some(u128::from(address_of(of as u32).wrapping_add(bytes as u64)));
            }
        }
        out
    }

    /// Whether a shape says all that is known of the launch.
    pub fn is_told_by(&self, shape: &Shape) -> bool {
        shape.block.iter().chain(&shape.grid).all(Option::is_some)
            && self.aliases.iter().all(|a| shape.args.get(a.1).is_some_and(Option::is_some))
            && self.args.iter().flatten().all(|&t| self.terms.bits(t).is_some())
    }

    /// The launch for each block that it may have, where these are few: each with what holds then. A dimension that may
    /// be anything stays open.
    pub fn blocks(self, most: usize) -> Vec<(HostLaunch, [Option<u32>; 3])> {
        let mut out = vec![(self, [None; 3])];
        for d in 0..3 {
            let mut next = Vec::new();
            for (launch, known) in out {
                let Some(t) = launch.block[d] else {
                    next.push((launch, known));
                    continue;
                };
                let leaves = launch.terms.leaves(t);
                let constants: Option<Vec<u32>> =
                    leaves.iter().map(|&leaf| launch.extent(Some(leaf))).collect();
                match constants {
                    Some(values) if values.len() <= most => {
                        for (&leaf, value) in leaves.iter().zip(values) {
                            let (mut one, mut block) = (launch.clone(), known);
                            block[d] = Some(value);
                            let fact = one.terms.compare(IntCC::Eq, t, leaf);
                            one.facts.push(fact);
                            next.push((one, block));
                        }
                    }
                    _ => next.push((launch, known)),
                }
            }
            out = next;
        }
        out
    }

    /// The same launch in other terms, in which `param` gives what a parameter of the function is and `pointer` where one
    /// points to; all else that is unknown gets a number.
    fn imported(
        &self,
        mut terms: Terms,
        numbers: &mut u32,
        param: impl Fn(u32) -> Option<Term>,
        pointer: impl Fn(u32) -> Option<Pointer>,
    ) -> HostLaunch {
        let mut named: FxHashMap<Node, u32> = FxHashMap::default();
        let mut done = FxHashMap::default();
        let mut leaf = |terms: &mut Terms, node: &Node, args: Args, width: u32| {
            if let Node::Sym { sym: Sym::Param(n), .. } = *node
                && let Some(t) = param(n)
                && terms.width(t) == width
            {
                return t;
            }
            let func = match node {
                // What is one function everywhere.
                Node::App { func: func @ (Func::Op(_) | Func::Native(_)), .. } => *func,
                // A function is one whatever its arguments are.
                Node::App { func, scope, copy, .. } => {
                    let key = Node::App { func: *func, scope: *scope, copy: *copy, args: Args::new() };
                    Func::Host(*named.entry(key).or_insert_with(|| next(numbers)))
                }
                other => Func::Host(*named.entry(other.clone()).or_insert_with(|| next(numbers))),
            };
            terms.app(func, Uniformity::Grid, args, width)
        };
        let mut one = |t: Term| terms.import(&self.terms, t, &mut done, &mut leaf);
        let mut all = |list: &[Option<Term>]| list.iter().map(|t| t.map(&mut one)).collect::<Vec<_>>();
        let (grid, block, args) = (all(&self.grid), all(&self.block), all(&self.args));
        let shared = all(&[self.shared]).pop().flatten();
        let facts: Vec<Option<Term>> = self.facts.iter().copied().map(Some).collect();
        let facts = all(&facts).into_iter().flatten().collect();
        let aliases =
            self.aliases.iter().map(|&(a, b, t)| (a, b, t.and_then(|t| all(&[Some(t)])[0]))).collect();
        let mut pointers = Vec::new();
        for p in &self.pointers {
            let Some(Pointer { origin, offset }) = *p else {
                pointers.push(None);
                continue;
            };
            let origin = match origin {
                Origin::Bytes(bytes) => all(&[Some(bytes)])[0].map(|b| (Origin::Bytes(b), None)),
                Origin::Param(n) => pointer(n).map(|p| (p.origin, Some(p.offset))),
            };
            let offset = all(&[Some(offset)])[0];
            pointers.push(origin.zip(offset));
        }
        let mut placed = Vec::new();
        for p in pointers {
            placed.push(p.map(|((origin, start), offset)| {
                let offset = start.map_or(offset, |start| terms.add(start, offset));
                Pointer { origin, offset }
            }));
        }
        let (pointers, place, premises) = (placed, self.place, self.premises);
        HostLaunch { terms, grid, block, shared, args, aliases, pointers, place, facts, premises }
    }
}

fn next(numbers: &mut u32) -> u32 {
    *numbers += 1;
    *numbers
}

/// What holds where a site is reached.
fn reached(s: &mut Summary<'_>, site: &CallSite, passed: &[Option<Pointer>]) -> (Vec<Term>, Premises) {
    let guard = s.guards[site.block as usize];
    let mut roots = vec![guard];
    roots.extend(site.args.iter().flatten());
    for pointer in passed.iter().flatten() {
        roots.push(pointer.offset);
        if let Origin::Bytes(bytes) = pointer.origin {
            roots.push(bytes);
        }
    }
    let cycles: Vec<usize> = s.cx.control.cycles_of(site.block).collect();
    let (mut facts, mut premises) = s.context(&roots, &cycles, false);
    facts.push(guard);
    // What is computed on the way does not overflow: that would be undefined behaviour.
    roots.extend_from_slice(&facts);
    let used: FxHashSet<Term> = s.terms.subterms(roots).into_iter().collect();
    for signed in s.signed.clone() {
        let control = s.cx.control;
        let here = control.cycles_of(signed.block).all(|c| cycles.contains(&c));
        if here && used.contains(&signed.result) {
            let passed_by = s.terms.not(s.guards[signed.block as usize]);
            facts.push(s.terms.or(passed_by, signed.fact));
            premises.host_arithmetic = true;
        }
    }
    (facts, premises)
}

/// Which pointer arguments of a launch point into what one before points to: both are loaded from one variable, or come
/// from one value.
fn aliases(s: &mut Summary<'_>, site: &CallSite) -> Vec<(usize, usize, Option<Term>)> {
    let mut out: Vec<(usize, usize, Option<Term>)> = Vec::new();
    let pointers: Vec<(usize, Base, Term)> = (site.pointers.iter().enumerate().skip(CONFIGURATION))
        .filter_map(|(n, p)| p.map(|(base, offset)| (n - CONFIGURATION, base, offset)))
        .filter(|p| p.1 != Base::Null)
        .collect();
    for (n, &(b, base, offset)) in pointers.iter().enumerate() {
        let first = pointers[..n].iter().find(|(_, other, _)| same_object(s.cx.func, *other, base));
        if let Some(&(a, other, start)) = first {
            let exact = other == base || loaded_together(s.cx.func, other, base);
            let distance = exact.then(|| s.terms.sub(offset, start));
            out.push((a, b, distance));
        }
    }
    out
}

/// The variable of the host that a pointer was loaded from.
fn variable(func: &Function, base: Base) -> Option<(Slot, Inst)> {
    let Base::Other(v) = base else { return None };
    let load = func.def_inst(v)?;
    let InstData::Load { ptr, .. } = func.insts[load] else { return None };
    match func.insts[func.def_inst(ptr)?] {
        InstData::SlotAddr { slot } => Some((slot, load)),
        _ => None,
    }
}

fn same_object(func: &Function, a: Base, b: Base) -> bool {
    let same = || Some(variable(func, a)?.0 == variable(func, b)?.0);
    a == b || same() == Some(true)
}

/// Whether nothing is written between the loads of two pointers from one variable.
fn loaded_together(func: &Function, a: Base, b: Base) -> bool {
    let (Some((_, a)), Some((_, b))) = (variable(func, a), variable(func, b)) else { return false };
    func.layout.iter().any(|&block| {
        let insts = func.block_insts(block);
        let at = |i: Inst| insts.iter().position(|&k| k == i);
        let (Some(x), Some(y)) = (at(a), at(b)) else { return false };
        let writes = |i: &Inst| {
            !matches!(
                func.insts[*i],
                InstData::Load { .. }
                    | InstData::Const { .. }
                    | InstData::Binary { .. }
                    | InstData::Cast { .. }
                    | InstData::PtrAdd { .. }
                    | InstData::SlotAddr { .. }
            )
        };
        !insts[x.min(y)..x.max(y)].iter().any(writes)
    })
}

/// Where the pointers that a site passes from its argument `from` on point to.
fn pointers(s: &Summary<'_>, site: &CallSite, from: usize) -> Vec<Option<Pointer>> {
    let one = |p: &Option<(Base, Term)>| {
        let (base, offset) = (*p)?;
        let origin = match base {
            Base::Param(n) => Origin::Param(n),
            Base::Other(_) => Origin::Bytes(bytes(s, variable(s.cx.func, base)?.0, site)?),
            _ => return None,
        };
        Some(Pointer { origin, offset })
    };
    site.pointers.iter().skip(from).map(one).collect()
}

/// The bytes of what a variable points to at a site: it holds one allocation, and nothing else is ever put into it.
fn bytes(s: &Summary<'_>, slot: Slot, site: &CallSite) -> Option<Term> {
    let func = s.cx.func;
    let mut made = s.allocations.iter().filter(|a| a.slot == slot);
    let (one, None) = (made.next()?, made.next()) else { return None };
    // In the iterations in which the site is.
    let control = s.cx.control;
    if !control.cycles_of(one.block).all(|c| control.contains(c, site.block)) {
        return None;
    }
    let is_address = |v: Value| {
        func.def_inst(v)
            .is_some_and(|i| matches!(func.insts[i], InstData::SlotAddr { slot: other } if other == slot))
    };
    for &inst in func.layout.iter().flat_map(|&b| func.block_insts(b)) {
        let allowed = match func.insts[inst] {
            InstData::Load { .. } => true,
            InstData::Store { value, .. } => func.const_bits(value) == Some(0),
            _ => allocated(s.cx.module, func, inst)
                .is_some_and(|(other, bytes)| other == slot && !is_address(bytes)),
        };
        let mut used = false;
        func.for_each_arg(inst, |v| used |= is_address(v));
        if used && !allowed {
            return None;
        }
    }
    Some(one.bytes)
}
