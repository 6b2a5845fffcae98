//! The host's loop.
//!
//! Operations that need more than their registers and a word of memory are methods of their own that are not
//! inlined ([`Host::memory`], [`Host::rare`], …), so that the loop's state stays in machine registers.
#![allow(clippy::unnecessary_cast, reason = "one text for several widths")]

use super::arms::host_match;
use super::*;
use cudair_lane::fault::Switch;

impl Host<'_> {
    /// Runs until the first frame returns. After a stop, `at` is the operation after the one that stopped.
    ///
    /// This is one function: its `match` is the one jump from an operation to the next, and the frame that runs (`s`,
    /// `ip`, `slots`, `code`) stays in machine registers, which no call of a handler would leave there. The arms
    /// of scalar operations are in [`scalar_match!`], those of memory and of pairs in [`host_match!`], and what they have
    /// in common in the macros at the head.
    ///
    /// With `COMPILED` it enters machine code where there is some. Without, nothing comes back where there is some now.
    pub(super) fn run_from<const COMPILED: bool>(&mut self, at: &mut usize) -> Result<Option<u128>, Stop> {
        let mut budget = std::mem::replace(&mut self.budget, BUDGET);
        let Some(&frame) = self.frames.last() else { return Ok(Some(0)) };
        let mut code = frame.code;
        let mut ops = code.ops();
        let mut slots = frame.slots;
        let mut s = self.stack.frame(frame.base, code.code());
        // The operation after the one that runs.
        let mut ip = ops.ip(frame.pc);

        macro_rules! tick {
            // Where it goes on, if others run first, and what of the budget is spent anew then.
            ($next:expr, $again:literal) => {{
                budget -= 1;
                if budget == 0 {
                    budget = BUDGET;
                    *at = ops.pc(ip);
                    self.m.engine.spend(u64::from(BUDGET))?;
                    self.m.device.progress(self.m)?;
                    let now = self.m.engine.host.tier.may_compile && self.look_at(code, *at - 1) && !COMPILED;
                    // Threads take turns at the same places whether there is machine code or not.
                    if self.m.threads.is_due() {
                        *at = $next;
                        return Err(Stop::Switch(Switch::After(0)));
                    }
                    if now {
                        *at = $next;
                        self.budget = BUDGET + $again;
                        return Ok(None);
                    }
                }
            }};
        }
        // Takes up the innermost frame.
        macro_rules! reload {
            ($frame:expr) => {{
                let frame: Frame = $frame;
                code = frame.code;
                ops = code.ops();
                slots = frame.slots;
                s = self.stack.frame(frame.base, code.code());
                ip = ops.ip(frame.pc);
            }};
        }
        // Machine code goes on from here, where there is an entry, until it leaves to the operation at `ip`.
        macro_rules! machine {
            () => {
                if COMPILED && let Some(left) = self.machine(code, ops.pc(ip), budget, at)? {
                    budget = left;
                    let Some(&frame) = self.frames.last() else { return Ok(Some(0)) };
                    reload!(frame);
                }
            };
        }
        macro_rules! jump {
            ($target:expr) => {{
                let target = ops.ip($target.index());
                if target < ip {
                    tick!(ops.pc(target), 0);
                    ip = target;
                    machine!();
                } else {
                    ip = target;
                }
            }};
        }
        macro_rules! ub {
            ($ub:expr) => {{
                *at = ops.pc(ip);
                let read = |r| super::read(s, r);
                self.m.undefined(code.code(), *at - 1, $ub, Who::HOST, &Operands::Read(&read))?;
                self.trace();
            }};
        }
        // What the usual case does not settle.
        macro_rules! general {
            () => {{
                *at = ops.pc(ip);
                self.memory(*at, s)?;
                self.trace_new();
            }};
        }
        // Bytes of an index of 32 bits.
        macro_rules! short {
            ($index:expr, $scale:expr, $disp:expr) => {
                i64::from(s.get($index) as i32) * i64::from($scale) + i64::from($disp)
            };
        }
        // Bytes of an index of 64 bits. One that does not fit 32 with its sign is moved far outside.
        macro_rules! long {
            ($index:expr, $scale:expr, $disp:expr) => {{
                let i = s.get($index) as i64;
                if i == i64::from(i as i32) { i * i64::from($scale) + i64::from($disp) } else { 1 << 60 }
            }};
        }
        macro_rules! loaded {
            ($d:expr, $acc:expr, $width:literal, $value:expr) => {
                match $value {
                    Some(bits) => {
                        s.set($d, bits);
                        if $acc.is_tracked() {
                            if $acc.copy() {
                                s.set(S($d.0 + 1), (1 << $width) - 1);
                            } else if !self.m.mem.host_uses_nothing_late() {
                                self.loaded_again(code.code().site(ops.pc(ip) - 1));
                            }
                        }
                        bits
                    }
                    None => {
                        general!();
                        s.get($d)
                    }
                }
            };
        }
        macro_rules! load_at {
            ($d:expr, $acc:expr, $width:literal, $ptr:expr, $delta:expr) => {
                loaded!($d, $acc, $width, self.m.mem.quick_load::<$width>($ptr, $delta))
            };
        }
        macro_rules! load {
            ($d:expr, $acc:expr, $width:literal, $base:expr, $delta:expr) => {
                load_at!($d, $acc, $width, s.get($base), $delta)
            };
        }
        macro_rules! load_slot {
            ($d:expr, $acc:expr, $width:literal, $slot:expr, $off:expr) => {
                loaded!($d, $acc, $width, self.m.mem.quick_load_slot::<$width>(slots, $slot.0, $off))
            };
        }
        // A copy of what is not all initialised is not the usual case.
        macro_rules! stored {
            ($v:expr, $acc:expr, $width:literal, $done:expr) => {{
                let partial = $acc.copy() && s.get(S($v.0 + 1)) as u16 != (1 << $width) - 1;
                if partial || !$done {
                    general!();
                }
            }};
        }
        macro_rules! store {
            ($v:expr, $acc:expr, $width:literal, $base:expr, $delta:expr) => {
                stored!($v, $acc, $width, self.m.mem.quick_store::<$width>(s.get($base), $delta, s.get($v)))
            };
        }
        macro_rules! store_slot {
            ($v:expr, $acc:expr, $width:literal, $slot:expr, $off:expr) => {
                stored!(
                    $v,
                    $acc,
                    $width,
                    self.m.mem.quick_store_slot::<$width>(slots, $slot.0, $off, s.get($v))
                )
            };
        }
        // The second half of a pair: the operation behind, if it is one of these.
        macro_rules! then {
            ($($pat:pat => $body:expr),+) => {
                match *ip.op() {
                    $($pat => { ip = ip.next(); $body; })+
                    _ => {}
                }
            };
        }
        macro_rules! then_br {
            ($c:expr) => {{
                let c = $c;
                then!(
                    Op::BrZ { target, .. } => if c == 0 { jump!(target) },
                    Op::BrNz { target, .. } => if c != 0 { jump!(target) }
                )
            }};
        }
        // A load that is indexed by the result before it.
        macro_rules! then_ldx {
            ($index:expr) => {{
                let i = i64::from($index as i32);
                then!(
                    Op::LdxQ32 { d, base, scale, disp, acc, .. } => {
                        load!(d, acc, 4, base, i * i64::from(scale) + i64::from(disp))
                    },
                    Op::LdxQ64 { d, base, scale, disp, acc, .. } => {
                        load!(d, acc, 8, base, i * i64::from(scale) + i64::from(disp))
                    }
                )
            }};
        }
        macro_rules! then_inc {
            () => {
                then!(Op::AddNswI32I { d, a, imm } => {
                    add_nsw!(d, a, imm);
                    then!(
                        Op::BrSltI32 { a, b, target } => br_slt!(a, b, target),
                        Op::BrSltI32I { a, imm, target } => if (s.get(a) as i32) < imm { jump!(target) }
                    );
                })
            };
        }
        macro_rules! add_nsw {
            ($d:expr, $a:expr, $b:expr) => {{
                let (r, o) = (s.get($a) as i32).overflowing_add($b);
                if o {
                    ub!(Ub::Overflow);
                }
                s.set($d, u64::from(r as u32));
                r
            }};
        }
        macro_rules! br_slt {
            ($a:expr, $b:expr, $target:expr) => {
                if (s.get($a) as i32) < s.get($b) as i32 {
                    jump!($target)
                }
            };
        }

        if COMPILED {
            self.called(code);
        }
        machine!();
        loop {
            let op = ip.op();
            ip = ip.next();
            host_match!(op, s, {
                Op::Bounds { a, len } => {
                    let index = s.get(a);
                    if index >= len as u64 {
                        *at = ops.pc(ip);
                        self.m.outside_row(code.code(), *at - 1, index, len, Who::HOST);
                        self.trace();
                    }
                }
                Op::SwitchS { a, table } => {
                    let target = code.code().tables.switches[table].target(s.get(a));
                    jump!(target);
                }
                Op::Join { .. } => {}
                Op::Count { counter } => {
                    if self.m.engine.worker.count(counter, 1) {
                        self.reached(counter, ops.pc(ip))?;
                    }
                }
                Op::Call { call } => {
                    tick!(ops.pc(ip) - 1, 1);
                    let desc = &code.code().tables.calls[call];
                    *at = ops.pc(ip);
                    let known = match desc.callee {
                        Callee::Direct(func) => match self.m.engine.host.code.target(func) {
                            HostTarget::Code(callee) => Some(callee),
                            _ => None,
                        },
                        Callee::Indirect { ptr: Reg::S(ptr), sig } => {
                            self.m.engine.host.code.indirect(Ptr(s.get(ptr)), sig)
                        }
                        Callee::Indirect { .. } => None,
                    };
                    match known {
                        Some(callee) if !callee.code().variadic => {
                            let base = self.enter(callee, *at)?;
                            let t = self.stack.frame(base, callee.code());
                            // The caller's view again: the stack may have moved.
                            s = self.stack.frame(base - usize::from(code.code().files.scalars), code.code());
                            t.set_consts(callee.code());
                            for (param, arg) in callee.code().params.iter().zip(&desc.args) {
                                match (param.reg, arg.reg) {
                                    (Reg::S(d), Reg::S(a)) => t.set(d, s.get(a)),
                                    _ => write(t, param.reg, read(s, arg.reg)),
                                }
                            }
                            code = callee;
                            ops = code.ops();
                            slots = self.frames.last().map_or(HostFrame::NONE, |f| f.slots);
                            s = t;
                            ip = ops.ip(0);
                            if COMPILED {
                                self.called(code);
                            }
                            machine!();
                        }
                        _ => {
                            self.call(desc, *at, s)?;
                            if let Some(&frame) = self.frames.last() {
                                reload!(frame);
                                if COMPILED && frame.pc == 0 {
                                    self.called(code);
                                }
                                machine!();
                            }
                        }
                    }
                }
                Op::Ret {} => {
                    if self.leave() {
                        return Ok(Some(0));
                    }
                    let Some(&frame) = self.frames.last() else { return Ok(Some(0)) };
                    reload!(frame);
                    machine!();
                }
                Op::RetS { a } => {
                    let value = s.get(a);
                    if self.leave() {
                        return Ok(Some(value.into()));
                    }
                    let Some(&frame) = self.frames.last() else { return Ok(Some(0)) };
                    reload!(frame);
                    if let Some(Op::Call { call }) = code.code().ops.get(frame.pc - 1)
                        && let Some(ret) = code.code().tables.calls[*call].ret
                    {
                        write(s, ret.reg, value.into());
                    }
                    machine!();
                }
                Op::RetR { a } => {
                    let value = read(s, code.code().tables.regs[a].reg);
                    if self.leave() {
                        return Ok(Some(value));
                    }
                    let Some(&frame) = self.frames.last() else { return Ok(Some(0)) };
                    reload!(frame);
                    if let Some(Op::Call { call }) = code.code().ops.get(frame.pc - 1)
                        && let Some(ret) = code.code().tables.calls[*call].ret
                    {
                        write(s, ret.reg, value);
                    }
                    machine!();
                }
                Op::SlotAddr { d, slot } => {
                    s.set(d, self.m.mem.host.addr(slots, slot.0.into()).0);
                }
                Op::GlobalAddr { d, global } => s.set(d, self.m.globals[global].0),
                Op::Gen { id } => {
                    let g = &code.code().tables.gens[id];
                    let (bits, ub) = gen_scalar(g, s, false);
                    if let Some(ub) = ub {
                        ub!(ub);
                    }
                    write(s, g.d.reg, bits);
                }
                Op::UseLate { .. } if self.m.mem.host_uses_nothing_late() => {}
                ops!(LaneBranch | Leave | ScalarLoad | ScalarStore | Address | VectorCheck | Group | Rare | Claim)
                | ops!(VectorMove | VectorInt | VectorFloat | Predicate | VectorAddress | LaneValue | VectorMemory) => {
                    *at = ops.pc(ip);
                    self.rare(op, *at, s)?;
                    self.trace_new();
                    machine!();
                }
            });
        }
    }
}
