//! What hangs on the order in which threads run, as far as memory carries it from launch to launch.
//!
//! A launch with a race, or one that uses the result of an atomic operation, may leave other values under another
//! schedule. What it may have written is *unsteady*; a launch that may read such memory leaves unsteady memory in
//! turn, and where its branches or addresses depend on values that it loads, so may its findings. Copies carry it
//! on, and once the host holds unsteady values, all that follows may hang on them. This is told of objects, not of
//! bytes: it may say too much, and what is not said to hang on the schedule does not.

use cudair_ir::*;
use cudair_lane::ptr::{Ptr, Tag};
use cudair_race::MayTouch;
use rustc_hash::{FxHashMap, FxHashSet};

/// What is unsteady.
#[derive(Debug, Default)]
pub(crate) struct NondeterminismTaint {
    /// Objects by their number in the table.
    objects: FxHashSet<u32>,
    /// Any memory of the device.
    anything: bool,
    /// What the host does from now on.
    host: bool,
    /// Kernels and functions of the device whose branches or addresses depend on what they load.
    decides: FxHashMap<FuncId, bool>,
}

fn number(ptr: Ptr) -> Option<u32> {
    (ptr.tag() == Tag::Table).then(|| ptr.serial())
}

impl NondeterminismTaint {
    /// Whether what the host does may hang on the schedule.
    pub(crate) fn host(&self) -> bool {
        self.host
    }

    /// Whether a launch may read what is unsteady, or was issued because of it.
    fn reaches(&self, touched: &MayTouch) -> bool {
        let may_hold = self.anything || !self.objects.is_empty();
        self.host
            || may_hold
                && touched.reads.as_ref().is_none_or(|r| {
                    self.anything && !r.is_empty() || r.iter().any(|o| self.objects.contains(o))
                })
    }

    /// A launch has ended: `unsteady` says that it used the result of an atomic operation, `races` that there was a
    /// race in it. Gives whether its findings may hang on the schedule.
    pub(crate) fn launched(
        &mut self,
        module: &Module,
        kernel: FuncId,
        touched: &MayTouch,
        (unsteady, races): (bool, bool),
    ) -> bool {
        let influenced = races || self.reaches(touched);
        if unsteady || influenced {
            match &touched.writes {
                None => self.anything = true,
                Some(writes) => self.objects.extend(writes),
            }
        }
        unsteady || self.host || influenced && self.decides(module, kernel)
    }

    /// An object that a launch reads was found to race with another operation. Gives whether the launch's findings
    /// may hang on that.
    pub(crate) fn raced(&mut self, module: &Module, kernel: FuncId, object: u32) -> bool {
        self.objects.insert(object);
        self.decides(module, kernel)
    }

    /// An object that the host can read itself is among those that a launch has made unsteady.
    pub(crate) fn host_reads(&mut self, is_reachable: impl Fn(u32) -> bool) {
        self.host = self.host || self.objects.iter().any(|&o| is_reachable(o));
    }

    /// Memory is copied: to the host's own or within the device's, over the whole of the object or a part.
    pub(crate) fn copied(&mut self, dst: Ptr, src: Ptr, (to_host, whole): (bool, bool)) {
        let from = number(src);
        let unsteady =
            self.host || from.is_some_and(|o| self.objects.contains(&o)) || self.anything && to_host;
        match number(dst) {
            _ if unsteady && to_host => self.host = true,
            Some(to) if unsteady => {
                self.objects.insert(to);
            }
            Some(to) if whole && !self.anything => {
                self.objects.remove(&to);
            }
            _ => {}
        }
    }

    /// Whether branches or addresses of a function, or of what it calls, depend on values that it loads.
    fn decides(&mut self, module: &Module, id: FuncId) -> bool {
        if let Some(&known) = self.decides.get(&id) {
            return known;
        }
        // A function that calls itself decides if anything else in it does.
        self.decides.insert(id, false);
        let func = &module.funcs[id];
        let callees =
            func.layout.iter().flat_map(|&b| func.block_insts(b)).filter_map(|&i| match func.insts[i] {
                InstData::Call { func, .. } | InstData::Invoke { func, .. } => Some(func),
                _ => None,
            });
        let callees: Vec<FuncId> = callees.filter(|&f| !module.funcs[f].is_declaration()).collect();
        let known = depends(module, func) || callees.into_iter().any(|f| self.decides(module, f));
        self.decides.insert(id, known);
        known
    }
}

/// Whether a branch or an address of a function depends on a value that it loads from memory that other threads
/// may write.
fn depends(module: &Module, func: &Function) -> bool {
    let mut loaded: SecondaryMap<Value, bool> = SecondaryMap::new();
    // Something loaded stands in the function's own variables.
    let mut in_locals = false;
    loop {
        let mut changed = false;
        for &inst in func.layout.iter().flat_map(|&b| func.block_insts(b)) {
            let data = &func.insts[inst];
            let mut from_args = false;
            func.for_each_arg(inst, |v| from_args |= loaded[v]);
            let space = |ptr: Value| func.value_type(ptr).space();
            let is = match *data {
                InstData::Branch { cond, .. } if loaded[cond] => return true,
                InstData::Switch { arg, .. } if loaded[arg] => return true,
                InstData::Load { ptr, .. } | InstData::AtomicLoad { ptr, .. } => {
                    if loaded[ptr] {
                        return true;
                    }
                    match space(ptr) {
                        Some(Space::Const) => false,
                        Some(Space::Local) => in_locals,
                        _ => true,
                    }
                }
                InstData::AtomicRmw { ptr, .. } | InstData::AtomicCas { ptr, .. } if loaded[ptr] => {
                    return true;
                }
                InstData::AtomicRmw { .. } | InstData::AtomicCas { .. } => true,
                InstData::Store { ptr, .. } | InstData::AtomicStore { ptr, .. } => {
                    if loaded[ptr] {
                        return true;
                    }
                    let kept =
                        from_args && space(ptr) != Some(Space::Global) && space(ptr) != Some(Space::Shared);
                    changed |= kept && !in_locals;
                    in_locals |= kept;
                    false
                }
                InstData::MemFill { dst, len, .. } => {
                    if loaded[dst] || loaded[len] {
                        return true;
                    }
                    let kept =
                        from_args && space(dst) != Some(Space::Global) && space(dst) != Some(Space::Shared);
                    changed |= kept && !in_locals;
                    in_locals |= kept;
                    false
                }
                InstData::MemCopy { dst, src, len, .. } => {
                    if loaded[dst] || loaded[src] || loaded[len] {
                        return true;
                    }
                    let kept = space(dst) != Some(Space::Global) && space(src) != Some(Space::Const);
                    changed |= kept && !in_locals;
                    in_locals |= kept;
                    false
                }
                InstData::Call { func: callee, .. } | InstData::Invoke { func: callee, .. } if from_args => {
                    // What a callee does with it is not followed.
                    let f = &module.funcs[callee];
                    let name = f.name.strip_suffix(DEVICE_SUFFIX).unwrap_or(&f.name);
                    if cudair_math::lookup(name).is_none() {
                        return true;
                    }
                    true
                }
                InstData::Call { .. } | InstData::Invoke { .. } => true,
                InstData::CallIndirect { .. } | InstData::InvokeIndirect { .. } => return true,
                InstData::Barrier { .. } if from_args => return true,
                _ if data.opcode().touches() == Touches::None => from_args,
                // A launch by the device, whose kernel is not followed.
                _ => return true,
            };
            for &result in func.inst_results(inst) {
                changed |= is && !loaded[result];
                loaded[result] |= is;
            }
            func.for_each_target(inst, |call| {
                let (params, args) = (func.block_params(call.block), call.args.as_slice(&func.pool));
                let skipped = params.len().saturating_sub(args.len());
                for (n, &param) in params.iter().enumerate() {
                    let new = n.checked_sub(skipped).map_or(is, |n| loaded[args[n]]);
                    changed |= new && !loaded[param];
                    loaded[param] |= new;
                }
            });
        }
        if !changed {
            return false;
        }
    }
}
