//! Calls: of mathematical functions, and those at which compiled code gives up.

use crate::Refusal;
use crate::abi::{ARGS, Bail, Frame, Helper, Row, wide};
use crate::classes::Class;
use crate::emit::{Emitter, register, unaligned};
use crate::vector::{Parts, WIDTH, parts};
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder};
use cudair_ir::*;
use std::mem::offset_of;

impl Emitter<'_, '_> {
    /// A call that the bytecode has to make. What is emitted behind it never runs.
    pub(crate) fn give_up_at_call(&mut self, inst: Inst) -> Result<(), Refusal> {
        self.give_up(Bail::Call);
        let behind = self.b.create_block();
        self.b.set_cold_block(behind);
        self.b.switch_to_block(behind);
        let Some(v) = self.given.func.result(inst) else { return Ok(()) };
        let nothing = match register(self.ty(v))? {
            ct::F32 => self.b.ins().f32const(0.0),
            ct::F64 => self.b.ins().f64const(0.0),
            reg => self.b.ins().iconst(reg, 0),
        };
        if self.class(v) != Class::Many {
            return self.define(v, nothing);
        }
        let all = self.gather(self.ty(v), &[nothing; WIDTH as usize])?;
        self.define_many(v, &all)
    }

    /// The number of a mathematical function, for helpers.
    fn math_number(&mut self, callee: FuncId) -> Result<cl::Value, Refusal> {
        let n = self.given.plan.math_number(callee).ok_or(Refusal("a function is not in the plan"))?;
        Ok(self.b.ins().iconst(ct::I64, n as i64))
    }

    /// A call of a mathematical function by one lane, or by several with the same arguments.
    pub(crate) fn math(
        &mut self,
        callee: FuncId,
        args: &[Value],
        result: Option<Value>,
    ) -> Result<cl::Value, Refusal> {
        let n = self.math_number(callee)?;
        for (i, &arg) in args.iter().take(ARGS).enumerate() {
            let x = self.value(arg)?;
            self.set_frame_field(x, offset_of!(Frame, value) + 8 * i);
        }
        self.helper(Helper::Math, &[n]);
        let ty = match result {
            Some(v) => register(self.ty(v))?,
            None => ct::I32,
        };
        Ok(self.frame_field(ty, offset_of!(Frame, value)))
    }

    /// A call of a mathematical function by all lanes that run, unless it has an unusual argument or result.
    pub(crate) fn vector_math(
        &mut self,
        callee: FuncId,
        args: &[Value],
        result: Option<Value>,
    ) -> Result<Option<Parts>, Refusal> {
        let is_usual = |ty: Type| matches!(ty, Type::I32 | Type::F32 | Type::I64 | Type::F64);
        let Some(ty) = result.map(|v| self.ty(v)).filter(|&ty| is_usual(ty)) else { return Ok(None) };
        let args = &args[..args.len().min(ARGS)];
        if !args.iter().all(|&v| is_usual(self.ty(v))) {
            return Ok(None);
        }
        let n = self.math_number(callee)?;
        let mut what = 0;
        for (row, &arg) in args.iter().enumerate() {
            let of = self.ty(arg);
            what |= if of.mem_bytes() == 8 { wide(row) } else { 0 };
            let x = self.many(arg)?;
            let (reg, _) = parts(of)?;
            for (i, &x) in x.iter().enumerate() {
                self.b.ins().store(unaligned(), x, self.frame, row_at(row, i, reg));
            }
        }
        what |= if ty.mem_bytes() == 8 { wide(ARGS) } else { 0 };
        let what = match self.mask.as_ref().map(|mask| mask.bits) {
            Some(bits) => {
                let bits = self.b.ins().uextend(ct::I64, bits);
                self.b.ins().bor_imm_s(bits, what as i64)
            }
            None => self.b.ins().iconst(ct::I64, (what | ((1 << WIDTH) - 1)) as i64),
        };
        self.helper(Helper::MathLanes, &[n, what]);
        let (reg, count) = parts(ty)?;
        let load = |i| self.b.ins().load(reg, unaligned(), self.frame, row_at(ARGS, i, reg));
        Ok(Some((0..count).map(load).collect()))
    }
}

/// Where the `i`th register of a row is in the frame.
fn row_at(row: usize, i: usize, reg: cl::Type) -> i32 {
    (offset_of!(Frame, rows) + size_of::<Row>() * row + reg.bytes() as usize * i) as i32
}
