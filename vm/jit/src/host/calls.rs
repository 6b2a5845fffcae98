//! Calls from one compiled function to another, on the machine's own stack.
//!
//! Compiled code can leave anywhere: it returns through all activations on the machine's stack, each of which then writes
//! the frame of the one that it had called to the bytecode's stack of calls, and the bytecode goes on in the innermost. Only so
//! many activations are nested ([`HostContext::frames_end`]); what calls deeper leaves to the bytecode, which begins anew.

use super::abi::{CALLED, HostContext, HostHelper, RETURNED, cache, frame};
use super::emit::Emitter;
use super::flow::Kind;
use crate::Refusal;
use crate::branch::stay;
use cranelift_codegen::ir::condcodes::IntCC as Cc;
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder};
use cudair_bytecode::{CallId, Callee, Reg, S};
use std::mem::offset_of;

/// A function that is about to be entered.
struct Called {
    /// Its machine code.
    target: cl::Value,
    /// As frames name it.
    function: cl::Value,
    words: cl::Value,
    budget: cl::Value,
    /// Whether [`HostHelper::EnterLocals`] was called for it.
    has_locals: bool,
}

impl Emitter<'_, '_> {
    /// Calls a function, if it is one that compiled code can call. Otherwise nothing is written.
    pub(super) fn call(&mut self, call: CallId) -> Result<bool, Refusal> {
        let desc = &self.code.tables.calls[call];
        let func = match desc.callee {
            Callee::Direct(func) => func,
            Callee::Indirect { ptr: Reg::S(ptr), .. } => return self.call_through_pointer(call, ptr),
            Callee::Indirect { .. } => return Ok(false),
        };
        let Some(callee) = (self.program.callee)(func) else { return Ok(false) };
        let code = callee.code;
        let same = |a: Reg, b: Reg| matches!((a, b), (Reg::S(_), Reg::S(_)) | (Reg::S2(_), Reg::S2(_)));
        let fits = !code.variadic
            && code.params.len() == desc.args.len()
            && code.params.iter().zip(&desc.args).all(|(p, a)| same(p.reg, a.reg))
            && desc.ret.is_none_or(|r| code.ret.is_some() && matches!(r.reg, Reg::S(_)));
        if !fits {
            return Ok(false);
        }

        let cell = self.b.ins().iconst(ct::I64, callee.machine as i64);
        let target = self.b.ins().load(ct::I64, self.regions.value, cell, 0);
        self.leave_unless(target)?;
        let bytes = self.b.ins().iconst(ct::I64, 8 * i64::from(code.files.scalars));
        let (words, budget) = self.room(bytes)?;
        let function = self.b.ins().iconst(ct::I64, callee.function as i64);
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
        // Behind the last of the other side exits, and directly before the call: the context is not the caller's in between.
        if callee.has_locals {
            let entered = self.helper(HostHelper::EnterLocals, &[function]);
            self.leave_unless(entered)?;
        }
        let called = Called { target, function, words, budget, has_locals: callee.has_locals };
        self.enter(called, desc.ret.map(|r| r.reg));
        Ok(true)
    }

    /// A call through a pointer. What was called from here before is remembered ([`super::abi::HostCache`]: an inline cache); else a helper
    /// finds the function.
    fn call_through_pointer(&mut self, call: CallId, ptr: S) -> Result<bool, Refusal> {
        let desc = &self.code.tables.calls[call];
        let ret = desc.ret.map(|r| r.reg);
        if !matches!(ret, None | Some(Reg::S(_))) {
            return Ok(false);
        }
        let Some((cache, rest)) = self.caches.split_first() else {
            return Err(Refusal("a call without a cache"));
        };
        self.caches = rest;
        let cache = self.b.ins().iconst(ct::I64, std::ptr::from_ref(cache) as i64);
        let pointer = self.int(ptr);
        let row = self.b.ins().ushr_imm_u(pointer, 32 - i64::from(cache::BYTES.trailing_zeros()));
        let row = self.b.ins().band_imm_s(row, i64::from(cache::BYTES) * (cache::ROWS as i64 - 1));
        let row = self.b.ins().iadd(cache, row);
        let flags = self.regions.value;
        let known = self.b.ins().load(ct::I64, flags, row, cache::POINTER);
        let known = self.b.ins().icmp(Cc::Equal, known, pointer);
        let (find, found) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(find);
        self.b.ins().brif(known, found, &[], find, &[]);

        self.go(find);
        let pc = self.b.ins().iconst(ct::I64, self.pc as i64);
        let function = self.b.ins().iconst(ct::I64, self.program.function as i64);
        let entered = self.helper(HostHelper::Find, &[pc, pointer, row, function]);
        self.leave_unless(entered)?;
        self.b.ins().jump(found, &[]);

        self.go(found);
        let target = self.b.ins().load(ct::I64, flags, row, cache::MACHINE);
        let function = self.b.ins().load(ct::I64, flags, row, cache::FUNCTION);
        let bytes = self.b.ins().load(ct::I64, flags, row, cache::WORDS);
        let (words, budget) = self.room(bytes)?;
        let mut to = 0;
        for arg in &desc.args {
            let (from, n) = match arg.reg {
                Reg::S(from) => (from.0, 1),
                Reg::S2(from) => (from.0, 2),
                _ => return Err(Refusal("an argument that does not fit")),
            };
            for k in 0..n {
                let value = self.word(from + k, Kind::Int);
                self.put(words, to + k, value);
            }
            to += n;
        }
        self.enter(Called { target, function, words, budget, has_locals: false }, ret);
        Ok(true)
    }

    /// Leaves unless there is room for a frame with so many bytes of registers. Gives where they begin, and the budget that is
    /// left.
    fn room(&mut self, bytes: cl::Value) -> Result<(cl::Value, cl::Value), Refusal> {
        let end = self.field(offset_of!(HostContext, frames_end));
        let fits = self.b.ins().icmp(Cc::UnsignedLessThan, self.top, end);
        self.leave_unless(fits)?;
        let words = self.b.ins().iadd_imm_s(self.words, 8 * i64::from(self.code.files.scalars));
        let needed = self.b.ins().iadd(words, bytes);
        let end = self.field(offset_of!(HostContext, words_end));
        let fits = self.b.ins().icmp(Cc::UnsignedLessThanOrEqual, needed, end);
        self.leave_unless(fits)?;
        let budget = self.b.use_var(self.budget);
        let budget = self.b.ins().iadd_imm_s(budget, -1);
        self.leave_unless(budget)?;
        Ok((words, budget))
    }

    /// Runs a function whose arguments stand in its words, and goes on behind the call if it has returned.
    fn enter(&mut self, called: Called, ret: Option<Reg>) {
        let entry = self.b.ins().iconst(ct::I32, i64::from(CALLED as i32));
        let top = self.b.ins().iadd_imm_s(self.top, i64::from(frame::BYTES));
        let args = [self.cx, called.words, top, entry, called.budget];
        let call = self.b.ins().call_indirect(self.function, called.target, &args);
        let results = self.b.inst_results(call).to_vec();
        let [place, result] = results[..] else { return };
        let low = self.b.ins().ireduce(ct::I32, place);
        let returned = self.b.ins().icmp_imm_s(Cc::Equal, low, i64::from(RETURNED as i32));
        let (left, go_on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(left);
        stay(&mut self.b, returned, go_on, left);

        // It stays on the stack of calls. What else belongs into its frame the engine knows.
        self.go(left);
        let flags = self.regions.value;
        let pc = self.b.ins().iconst(ct::I64, self.pc as i64 + 1);
        self.b.ins().store(flags, pc, self.top, frame::PC - frame::BYTES);
        self.b.ins().store(flags, called.function, self.top, frame::CODE);
        self.leave_after(place);

        self.go(go_on);
        if called.has_locals {
            self.helper(HostHelper::LeaveLocals, &[]);
        }
        let budget = self.b.ins().ushr_imm_u(place, 32);
        let budget = self.b.ins().ireduce(ct::I32, budget);
        self.b.def_var(self.budget, budget);
        if let Some(Reg::S(d)) = ret {
            let web = self.defined(0);
            self.set(d, result, Kind::Int);
            self.define_object(web, result);
        }
    }

    /// The end of a function. If compiled code has called it that is all; of another the bytecode takes the frame away.
    pub(super) fn return_to_caller(&mut self, result: Option<S>) {
        let called = self.called();
        let (back, leave) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(called, back, &[], leave, &[]);
        self.go(leave);
        self.leave(self.pc);
        self.go(back);
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

    pub(super) fn put(&mut self, words: cl::Value, w: u16, value: cl::Value) {
        self.b.ins().store(self.regions.words, value, words, 8 * i32::from(w));
    }
}
