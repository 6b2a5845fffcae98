//! Calls on the device: of functions with a body, native ones (lane by lane), through pointers that may
//! differ between lanes.

use super::exec::{Exec, Flow};
use super::strip::{ConvergenceGroup, Frame};
use super::values::View;
use crate::cache::DeviceTarget;
use crate::config::AfterFault;
use crate::host::{check_signature, code_pointer};
use crate::machine::{Args, ClusterRequest, DeviceCall, LaunchRequest};
use crate::regs::CodeRef;
use crate::worker::Lent;
use cudair_bytecode::*;
use cudair_ir::{Kind, Side, Type};
use cudair_lane::Mask;
use cudair_lane::fault::{Fault, LaneFaults, Stop};
use cudair_lane::ptr::Ptr;
use cudair_math::MathFn;
use smallvec::SmallVec;

impl Exec<'_> {
    /// A call; `pc` is the operation after it.
    pub(crate) fn call(
        &mut self,
        f: &mut ConvergenceGroup,
        desc: &CallDesc,
        pc: usize,
        view: View,
    ) -> Result<Flow, Stop> {
        let code = f.top().code.code();
        let func = match desc.callee {
            Callee::Direct(func) => func,
            Callee::Indirect { ptr, sig } => {
                let place = code.fault_place(pc - 1);
                let Some(first) = f.mask.lowest() else { return Ok(Flow::Next) };
                let bits = view.get(ptr, first);
                if !ptr.is_scalar() {
                    let others: Mask = f.mask.iter().filter(|&l| view.get(ptr, l) != bits).collect();
                    if !others.is_empty() {
                        // They call when they run.
                        let mut other = f.split(others, &mut self.strip.pool);
                        other.top_mut().pc = pc - 1;
                        f.mask = f.mask.without(&others);
                        self.strip.groups.push(other);
                    }
                }
                let check =
                    code_pointer(&self.grid.program.module, Ptr(bits as u64), place).and_then(|func| {
                        check_signature(
                            &self.grid.program.module,
                            func,
                            &self.grid.program.module.sigs[sig],
                            place,
                        )?;
                        let callee = &self.grid.program.module.funcs[func];
                        let (what, why) = match callee.side {
                            Side::Device => return Ok(func),
                            Side::Host => ("of the host", "the address was taken on the host"),
                            Side::Kernel => ("without a launch", "it is a kernel"),
                        };
                        let message = format!("device code calls `{}` {what}", callee.display_name);
                        Err(Fault::other(Kind::UndefinedBehavior, place, message, why).into())
                    });
                check.map_err(|stop| self.attribute(f, stop))?
            }
        };
        match self.grid.resolve(func)? {
            DeviceTarget::Code(callee) => {
                self.enter(f, callee, desc, view)?;
                Ok(Flow::Reload)
            }
            DeviceTarget::Math(math) => {
                let args: SmallVec<[Reg; 3]> = desc.args.iter().map(|a| a.reg).collect();
                if let Some(ret) = desc.ret {
                    Self::apply_math(math, ret, &args, &f.mask, view);
                }
                Ok(Flow::Reload)
            }
            DeviceTarget::Native(native) => {
                let name = &self.grid.program.module.funcs[func].name;
                if name.starts_with("__nanosleep") || name.starts_with("__cudair_pause") {
                    // Whoever sleeps still waits, and others have their turn at the next back edge.
                    self.strip.patience -= self.strip.turn_left - 1;
                    self.strip.turn_left = 1;
                    return Ok(Flow::Reload);
                }
                self.worker.state.changes += 1;
                let place = code.fault_place(pc - 1);
                let loc = code.loc(pc - 1);
                let types: SmallVec<[Type; 8]> = desc.args.iter().map(|a| a.ty).collect();
                let fixed = self.grid.program.module.funcs[func].sig.params.len().min(types.len());
                let mut faults = LaneFaults::default();
                for lane in f.mask.iter() {
                    let values: SmallVec<[u128; 8]> =
                        desc.args.iter().map(|a| view.get(a.reg, lane)).collect();
                    let mut call = self.call_of(lane);
                    let args = Args { values: &values, types: &types, fixed, func, place, loc };
                    let result = match native(&mut call, &args) {
                        Ok(result) => result.bits(),
                        Err(stop) => {
                            self.lane_stops(lane, stop, &mut faults)?;
                            continue;
                        }
                    };
                    self.worker.state.watch.check()?;
                    if let Some(ret) = desc.ret {
                        view.set(ret.reg, lane, result & ret.ty.bit_mask());
                    }
                }
                // The convergence group stands behind the call; a fault stops at it.
                faults.done()?;
                Ok(Flow::Reload)
            }
        }
    }

    /// What a native function that a lane calls may touch.
    fn call_of(&mut self, lane: usize) -> DeviceCall<'_> {
        DeviceCall {
            worker: &mut *self.worker,
            program: &self.grid.program,
            rest: self.rest.as_mut().map(Lent::reborrow),
            block: &mut *self.block,
            locals: &mut self.strip.locals,
            shape: &self.strip.shape,
            lane,
            mask: Mask::single(lane),
        }
    }

    /// A launch by each lane; `pc` is the operation after it.
    pub(super) fn launch(
        &mut self,
        f: &mut ConvergenceGroup,
        desc: &LaunchDesc,
        pc: usize,
        view: View,
    ) -> Result<(), Stop> {
        let code = f.top().code.code();
        let (place, loc) = (code.fault_place(pc - 1), code.loc(pc - 1));
        let module = self.grid.program.module.clone();
        let mut faults = LaneFaults::default();
        for lane in f.mask.iter() {
            let value = |i: usize| view.get(desc.args[i].reg, lane);
            let dims = |at: usize| std::array::from_fn(|i| value(at + i) as u32);
            let kernel = match desc.kernel {
                Callee::Direct(func) => func,
                Callee::Indirect { ptr, sig } => {
                    let ptr = Ptr(view.get(ptr, lane) as u64);
                    let func = code_pointer(&module, ptr, place).and_then(|func| {
                        check_signature(&module, func, &module.sigs[sig], place)?;
                        Ok(func)
                    });
                    match func {
                        Ok(func) => func,
                        Err(stop) => {
                            self.lane_stops(lane, stop, &mut faults)?;
                            continue;
                        }
                    }
                }
            };
            let request = LaunchRequest {
                kernel,
                grid: dims(0),
                block: dims(3),
                cluster: ClusterRequest::default(),
                dynamic_shared: value(6) as u64,
                stream: Ptr(value(7) as u64),
                args: desc.args.iter().skip(8).map(|a| view.get(a.reg, lane)).collect(),
                place,
                loc: self.grid.program.loc_of(place).or(loc),
            };
            let mut call = self.call_of(lane);
            let error = match call.program.device.launch_from_device(&mut call, request) {
                Ok(error) => error,
                Err(stop) => {
                    self.lane_stops(lane, stop, &mut faults)?;
                    continue;
                }
            };
            if let Some(d) = desc.d {
                view.set(d, lane, u128::from(error as u32));
            }
        }
        self.worker.state.changes += 1;
        faults.done()
    }

    /// One lane of several that do the same one after the other stops. Where its thread alone is to end, the others
    /// go on.
    fn lane_stops(&self, lane: usize, stop: Stop, faults: &mut LaneFaults) -> Result<(), Stop> {
        match self.attribute_to(&Mask::single(lane), stop) {
            Stop::Fault(fault) if self.grid.program.config.after_fault == AfterFault::Thread => {
                faults.add(lane, &fault.kind.clone(), || *fault);
                Ok(())
            }
            stop => Err(stop),
        }
    }

    /// Names the threads of a fault that does not.
    pub(crate) fn attribute(&self, f: &ConvergenceGroup, stop: Stop) -> Stop {
        self.attribute_to(&f.mask, stop)
    }

    fn attribute_to(&self, mask: &Mask, mut stop: Stop) -> Stop {
        if let Stop::Fault(fault) = &mut stop
            && fault.thread.is_none()
        {
            let who = self.who(mask);
            (fault.thread, fault.launch, fault.count) = (who.thread, who.launch, who.count);
        }
        stop
    }

    fn enter(
        &mut self,
        f: &mut ConvergenceGroup,
        callee: CodeRef,
        desc: &CallDesc,
        view: View,
    ) -> Result<(), Stop> {
        let depth = f.frames.len();
        if depth >= self.grid.program.config.max_call_depth {
            return Err(Stop::limit(format!(
                "the call stack of device threads is deeper than {depth} frames"
            )));
        }
        let caller = *f.top();
        let code = caller.code.code();
        let locals = match &callee.unit().layout {
            Some(layout) => Some(self.strip.locals.enter(layout, &f.mask)?),
            None => None,
        };
        let vbase = self.planes_for(caller.vbase + usize::from(code.files.planes), callee);
        f.frames.push(Frame {
            code: callee,
            pc: 0,
            base: caller.base + usize::from(code.files.scalars),
            vbase,
            pbase: caller.pbase + usize::from(code.files.preds),
            locals,
        });
        let _ = view;
        let to = self.view(f);
        // The files may have grown: the caller's registers are looked up again.
        let from = View {
            s: f.words.frame(caller.base, code),
            v: self.strip.planes.frame(caller.vbase, caller.pbase, code),
        };
        to.s.set_consts(callee.code());
        for (param, arg) in callee.code().params.iter().zip(&desc.args) {
            to.copy_from(param.reg, from, arg.reg, &f.mask);
        }
        Ok(())
    }

    /// The first plane, from `from` on, of a frame of `callee`. Other convergence groups' frames may overlap it only
    /// where they are of the same function at the same place: then a lane is the same bytes in all of them.
    fn planes_for(&self, from: usize, callee: CodeRef) -> usize {
        let mut at = from;
        let n = usize::from(callee.code().files.planes);
        let others = || self.strip.groups.iter().flat_map(|f| &f.frames);
        while let Some(taken) = others().find(|o| {
            let end = o.vbase + usize::from(o.code.code().files.planes);
            o.vbase < at + n && at < end && !(o.vbase == at && o.code == callee)
        }) {
            at = taken.vbase + usize::from(taken.code.code().files.planes);
        }
        at
    }

    /// A mathematical function for each lane.
    pub(crate) fn apply_math(f: MathFn, d: TypedReg, args: &[Reg], mask: &Mask, view: View) {
        if d.reg.is_scalar() {
            let Some(lane) = mask.lowest() else { return };
            let values: SmallVec<[u128; 3]> = args.iter().map(|&a| view.get(a, lane)).collect();
            view.set(d.reg, lane, f.call_bits(&values) & d.ty.bit_mask());
            return;
        }
        // The usual ones without a detour through wide bits.
        match (f, d.reg, args) {
            (MathFn::F32(f), Reg::V(d), [Reg::V(a)]) => {
                for lane in mask.iter() {
                    let x = f32::from_bits(view.v.lane::<u32>(*a, lane));
                    view.v.set_lane::<u32>(d, lane, f(x).to_bits());
                }
            }
            (MathFn::F64(f), Reg::W(d), [Reg::W(a)]) => {
                for lane in mask.iter() {
                    let x = f64::from_bits(view.v.lane::<u64>(*a, lane));
                    view.v.set_lane::<u64>(d, lane, f(x).to_bits());
                }
            }
            (MathFn::F32x2(f), Reg::V(d), [Reg::V(a), Reg::V(b)]) => mask.for_each(|lane| {
                let [x, y] = [*a, *b].map(|r| f32::from_bits(view.v.lane::<u32>(r, lane)));
                view.v.set_lane::<u32>(d, lane, f(x, y).to_bits());
            }),
            (MathFn::I32(f), Reg::V(d), [Reg::V(a)]) => mask.for_each(|lane| {
                view.v.set_lane::<u32>(d, lane, f(view.v.lane::<u32>(*a, lane) as i32) as u32);
            }),
            (MathFn::I64(f), Reg::W(d), [Reg::W(a)]) => mask.for_each(|lane| {
                view.v.set_lane::<u64>(d, lane, f(view.v.lane::<u64>(*a, lane) as i64) as u64);
            }),
            _ => {
                for lane in mask.iter() {
                    let values: SmallVec<[u128; 3]> = args.iter().map(|&a| view.get(a, lane)).collect();
                    view.set(d.reg, lane, f.call_bits(&values) & d.ty.bit_mask());
                }
            }
        }
    }
}
