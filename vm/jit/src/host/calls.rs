//! Calls from one compiled function to another, on the machine's own stack.
//!
//! The frames of the guest are on the bytecode's stack of calls all the same, so that compiled code can leave anywhere: it
//! returns through all activations on the machine's stack, and the bytecode goes on in the innermost frame. Only so many
//! such activations are nested ([`HostContext::room`]); what calls deeper leaves to the bytecode, which begins anew.

use super::abi::{CALLED, HostContext, HostHelper, RETURNED, frame};
use super::emit::Emitter;
use super::flow::Kind;
use crate::Refusal;
use cranelift_codegen::ir::condcodes::IntCC as Cc;
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder};
use cudair_bytecode::{CallId, Callee, Reg, S};
use std::mem::offset_of;

impl Emitter<'_, '_> {
    /// Calls a function, if it is one that compiled code can call. Otherwise nothing is written.
    pub(super) fn call(&mut self, call: CallId) -> Result<bool, Refusal> {
        let desc = &self.code.tables.calls[call];
        let func = match desc.callee {
            Callee::Direct(func) => func,
            Callee::Indirect { ptr: Reg::S(_), .. } => return self.call_through_pointer(call),
            Callee::Indirect { .. } => return Ok(false),
        };
        let Some(callee) = (self.program.callee)(func) else { return Ok(false) };
        let code = callee.code;
        let same = |a: Reg, b: Reg| matches!((a, b), (Reg::S(_), Reg::S(_)) | (Reg::S2(_), Reg::S2(_)));
        let fits = !code.variadic
            && !callee.has_locals
            && code.params.len() == desc.args.len()
            && code.params.iter().zip(&desc.args).all(|(p, a)| same(p.reg, a.reg))
            && desc.ret.is_none_or(|r| code.ret.is_some() && matches!(r.reg, Reg::S(_)));
        if !fits {
            return Ok(false);
        }

        let cell = self.b.ins().iconst(ct::I64, callee.machine as i64);
        let target = self.b.ins().load(ct::I64, self.regions.value, cell, 0);
        self.leave_unless(target)?;
        let room = self.changing(offset_of!(HostContext, room));
        self.leave_unless(room)?;
        let words = self.b.ins().iadd_imm_s(self.words, 8 * i64::from(self.code.files.scalars));
        let needed = self.b.ins().iadd_imm_s(words, 8 * i64::from(code.files.scalars));
        let end = self.field(offset_of!(HostContext, words_end));
        let fits = self.b.ins().icmp(Cc::UnsignedLessThanOrEqual, needed, end);
        self.leave_unless(fits)?;
        let budget = self.b.use_var(self.budget);
        let budget = self.b.ins().iadd_imm_s(budget, -1);
        self.leave_unless(budget)?;

        let room = self.b.ins().iadd_imm_s(room, -1);
        self.change(offset_of!(HostContext, room), room);
        let serial = self.changing(offset_of!(HostContext, serial));
        let serial = self.b.ins().iadd_imm_s(serial, 1);
        self.change(offset_of!(HostContext, serial), serial);
        let top = self.changing(offset_of!(HostContext, frames));
        let flags = self.regions.value;
        let pc = self.b.ins().iconst(ct::I64, self.pc as i64 + 1);
        self.b.ins().store(flags, pc, top, frame::PC - frame::BYTES);
        let base = self.b.ins().load(ct::I64, flags, top, frame::BASE - frame::BYTES);
        let base = self.b.ins().iadd_imm_s(base, i64::from(self.code.files.scalars));
        let function = self.b.ins().iconst(ct::I64, callee.function as i64);
        let (zero, none) = (self.b.ins().iconst(ct::I64, 0), self.b.ins().iconst(ct::I64, -1));
        for (at, value) in [
            (frame::CODE, function),
            (frame::PC, zero),
            (frame::BASE, base),
            (frame::LOCALS, none),
            (frame::ARGUMENTS, none),
            (frame::SERIAL, serial),
        ] {
            self.b.ins().store(flags, value, top, at);
        }
        let above = self.b.ins().iadd_imm_s(top, i64::from(frame::BYTES));
        self.change(offset_of!(HostContext, frames), above);
        for (n, &bits) in code.files.consts.iter().enumerate() {
            let bits = self.b.ins().iconst(ct::I64, bits as i64);
            self.put(words, code.files.consts_at.0 + n as u16, bits);
        }
        for (param, arg) in code.params.iter().zip(&desc.args) {
            let (to, from, n) = match (param.reg, arg.reg) {
                (Reg::S(to), Reg::S(from)) => (to.0, from.0, 1),
                (Reg::S2(to), Reg::S2(from)) => (to.0, from.0, 2),
                _ => return Err(Refusal("an argument that does not fit")),
            };
            for k in 0..n {
                let value = self.word(from + k, Kind::Int);
                self.put(words, to + k, value);
            }
        }
        self.enter(target, words, budget, desc.ret.map(|r| r.reg));
        Ok(true)
    }

    /// A call through a pointer: a helper finds the function and makes its frame.
    fn call_through_pointer(&mut self, call: CallId) -> Result<bool, Refusal> {
        let ret = self.code.tables.calls[call].ret.map(|r| r.reg);
        if !matches!(ret, None | Some(Reg::S(_))) {
            return Ok(false);
        }
        let budget = self.b.use_var(self.budget);
        let budget = self.b.ins().iadd_imm_s(budget, -1);
        self.leave_unless(budget)?;
        let pc = self.b.ins().iconst(ct::I64, self.pc as i64);
        let function = self.b.ins().iconst(ct::I64, self.program.function as i64);
        let entered = self.helper(HostHelper::Enter, &[pc, self.words, function]);
        self.leave_unless(entered)?;
        let target = self.given(0);
        let words = self.b.ins().iadd_imm_s(self.words, 8 * i64::from(self.code.files.scalars));
        self.enter(target, words, budget, ret);
        Ok(true)
    }

    /// Runs a function whose frame is made.
    fn enter(&mut self, target: cl::Value, words: cl::Value, budget: cl::Value, ret: Option<Reg>) {
        let entry = self.b.ins().iconst(ct::I32, i64::from(CALLED as i32));
        let call = self.b.ins().call_indirect(self.function, target, &[self.cx, words, entry, budget]);
        let results = self.b.inst_results(call).to_vec();
        self.returned(results[0], results[1], ret);
    }

    /// Goes on behind a call, if the function has returned.
    fn returned(&mut self, place: cl::Value, result: cl::Value, ret: Option<Reg>) {
        let low = self.b.ins().ireduce(ct::I32, place);
        let returned = self.b.ins().icmp_imm_s(Cc::Equal, low, i64::from(RETURNED as i32));
        let (left, go_on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(left);
        self.b.ins().brif(returned, go_on, &[], left, &[]);
        self.b.switch_to_block(left);
        let none = self.b.ins().iconst(ct::I64, 0);
        self.b.ins().return_(&[place, none]);
        self.b.switch_to_block(go_on);
        let budget = self.b.ins().ushr_imm_u(place, 32);
        let budget = self.b.ins().ireduce(ct::I32, budget);
        self.b.def_var(self.budget, budget);
        if let Some(Reg::S(d)) = ret {
            let web = self.defined(0);
            self.set(d, result, Kind::Int);
            self.define_object(web, result);
        }
    }

    /// The end of a function. One that compiled code has called takes its frame away; of another the bytecode does that.
    pub(super) fn return_to_caller(&mut self, result: Option<S>) {
        let called = self.b.ins().icmp_imm_s(Cc::SignedLessThan, self.entry, 0);
        let (back, leave) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(called, back, &[], leave, &[]);
        self.b.switch_to_block(leave);
        self.leave(self.pc);
        self.b.switch_to_block(back);
        let room = self.changing(offset_of!(HostContext, room));
        let room = self.b.ins().iadd_imm_s(room, 1);
        self.change(offset_of!(HostContext, room), room);
        let top = self.changing(offset_of!(HostContext, frames));
        let below = self.b.ins().iadd_imm_s(top, -i64::from(frame::BYTES));
        self.change(offset_of!(HostContext, frames), below);
        let budget = self.b.use_var(self.budget);
        let budget = self.b.ins().uextend(ct::I64, budget);
        let budget = self.b.ins().ishl_imm_u(budget, 32);
        let place = self.b.ins().bor_imm_s(budget, i64::from(RETURNED));
        let result = match result {
            Some(a) => self.int(a),
            None => self.b.ins().iconst(ct::I64, 0),
        };
        self.b.ins().return_(&[place, result]);
    }

    /// A field of the context that changes.
    fn changing(&mut self, at: usize) -> cl::Value {
        self.b.ins().load(ct::I64, self.regions.value, self.cx, at as i32)
    }

    fn change(&mut self, at: usize, value: cl::Value) {
        self.b.ins().store(self.regions.value, value, self.cx, at as i32);
    }

    fn put(&mut self, words: cl::Value, w: u16, value: cl::Value) {
        self.b.ins().store(self.regions.words, value, words, 8 * i32::from(w));
    }
}
