//! Numbers that grow evenly from lane to lane by a stride which is known only when the kernel runs, such as the index of a column in
//! rows of any length: the first lane's and the stride in place of one for each lane. Where none of the first and of the last lane
//! overflows, none between them does.

use crate::Refusal;
use crate::classes::Class;
use crate::emit::{Emitter, register};
use crate::vector::WIDTH;
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder};
use cudair_ir::*;

impl Emitter<'_, '_> {
    /// The registers of a value that grows evenly from lane to lane: the first lane's, and the stride.
    pub(crate) fn first_and_step(&mut self, v: Value) -> Result<[cl::Value; 2], Refusal> {
        let class = self.class(v);
        if class == Class::Strided {
            let vars = self.vars(v)?;
            return match vars[..] {
                [first, step] => Ok([self.b.use_var(first), self.b.use_var(step)]),
                _ => Err(Refusal("a value has no stride")),
            };
        }
        let stride = class.stride().ok_or(Refusal("a value has no stride"))?;
        let (first, reg) = (self.first(v)?, register(self.ty(v))?);
        Ok([first, self.b.ins().iconst(reg, stride & (-1i64 as u64 >> (64 - reg.bits())) as i64)])
    }

    /// What each lane has.
    pub(crate) fn steps(&mut self, first: cl::Value, step: cl::Value) -> [cl::Value; WIDTH as usize] {
        let mut all = [first; WIDTH as usize];
        for lane in 1..WIDTH as usize {
            all[lane] = self.b.ins().iadd(all[lane - 1], step);
        }
        all
    }

    /// What the last lane has.
    fn last(&mut self, [first, step]: [cl::Value; 2]) -> cl::Value {
        let way = self.b.ins().imul_imm_s(step, i64::from(WIDTH - 1));
        self.b.ins().iadd(first, way)
    }

    /// What the last lane has of numbers to which a signed operation is applied. Notes whether those of 64 bits go around between the
    /// first lane and it, so that they do not stand between these two.
    fn last_in_order(&mut self, [first, step]: [cl::Value; 2]) -> cl::Value {
        let lanes = i64::from(WIDTH - 1);
        let way = self.b.ins().imul_imm_s(step, lanes);
        let last = self.b.ins().iadd(first, way);
        if self.b.func.dfg.value_type(first) == ct::I64 {
            let lanes = self.b.ins().iconst(ct::I64, lanes);
            self.note_product([step, lanes], way);
            self.note_sum(BinaryOp::Iadd, [first, way], last);
        }
        last
    }

    /// Notes whether a signed operation, whose result `first` grows evenly from lane to lane by what is known, overflows in the last
    /// lane. Then none between them does that the first does not.
    pub(crate) fn note_last(&mut self, inst: Inst, first: cl::Value) -> Result<(), Refusal> {
        let func = self.given.func;
        let (&InstData::Binary { op, nsw, args }, Some(v)) = (&func.insts[inst], func.result(inst)) else {
            return Ok(());
        };
        let Class::Affine(stride) = self.class(v) else { return Ok(()) };
        if !nsw || !self.are_several() || self.is_within(op, args) {
            return Ok(());
        }
        let last = self.b.ins().iadd_imm_s(first, stride * i64::from(WIDTH - 1));
        let mut ends = [first; 2];
        for (end, arg) in ends.iter_mut().zip(args) {
            *end = match self.class(arg) {
                Class::Uniform => self.first(arg)?,
                _ => {
                    let row = self.first_and_step(arg)?;
                    self.last_in_order(row)
                }
            };
        }
        match op {
            BinaryOp::Iadd | BinaryOp::Isub => self.note_sum(op, ends, last),
            BinaryOp::Imul => self.note_product(ends, last),
            _ => return Err(Refusal("an unusual operation on numbers with a stride")),
        }
        Ok(())
    }

    /// An instruction whose result grows evenly from lane to lane.
    pub(crate) fn strided(&mut self, inst: Inst, v: Value) -> Result<(), Refusal> {
        let result = match self.given.func.insts[inst] {
            InstData::Binary { op, nsw, args } => self.strided_binary(op, nsw, args)?,
            InstData::Cast { op, arg, .. } => {
                let [first, step] = self.first_and_step(arg)?;
                match op {
                    CastOp::Sext | CastOp::Zext if self.ty(arg) == Type::I32 => {
                        // No lane's number is negative that is widened without its sign.
                        [self.b.ins().sextend(ct::I64, first), self.b.ins().sextend(ct::I64, step)]
                    }
                    CastOp::Trunc if self.ty(arg) == Type::I64 => {
                        // All lanes' numbers have 32 bits.
                        [self.b.ins().ireduce(ct::I32, first), self.b.ins().ireduce(ct::I32, step)]
                    }
                    CastOp::Spacecast => [first, step],
                    _ => return Err(Refusal("an unusual cast of numbers with a stride")),
                }
            }
            InstData::PtrAdd { ptr, offset } => {
                let [p, s] = self.first_and_step(ptr)?;
                let [d, t] = self.first_and_step(offset)?;
                let sum = [self.b.ins().iadd(p, d), self.b.ins().iadd(s, t)];
                if !self.given.plan.addresses[v] {
                    let last = self.last(sum);
                    self.near(sum[1]);
                    self.near(sum[0]);
                    self.near(last);
                }
                sum
            }
            _ => return Err(Refusal("an unusual instruction on numbers with a stride")),
        };
        self.define_many(v, &result)
    }

    fn strided_binary(
        &mut self,
        op: BinaryOp,
        nsw: bool,
        args: [Value; 2],
    ) -> Result<[cl::Value; 2], Refusal> {
        let nsw = nsw && !self.is_within(op, args);
        let [a, b] = args;
        match op {
            BinaryOp::Iadd | BinaryOp::Isub => {
                let (x, y) = (self.first_and_step(a)?, self.first_and_step(b)?);
                let sum = |e: &mut Self, x: cl::Value, y: cl::Value| match op {
                    BinaryOp::Iadd => e.b.ins().iadd(x, y),
                    _ => e.b.ins().isub(x, y),
                };
                let result = [sum(self, x[0], y[0]), sum(self, x[1], y[1])];
                if nsw {
                    let (p, q) = (self.last_in_order(x), self.last_in_order(y));
                    let s = self.last(result);
                    self.note_sum(op, [x[0], y[0]], result[0]);
                    self.note_sum(op, [p, q], s);
                }
                Ok(result)
            }
            BinaryOp::Imul => {
                let (same, even) = if self.class(a) == Class::Uniform { (a, b) } else { (b, a) };
                let (x, y) = (self.first(same)?, self.first_and_step(even)?);
                let result = y.map(|y| self.b.ins().imul(x, y));
                if nsw {
                    let (q, p) = (self.last(y), self.last(result));
                    self.note_product([x, y[0]], result[0]);
                    self.note_product([x, q], p);
                }
                Ok(result)
            }
            BinaryOp::Shl => {
                let by = self.given.func.const_bits(b).ok_or(Refusal("a shift that is not known"))?;
                let x = self.first_and_step(a)?;
                Ok(x.map(|x| self.b.ins().ishl_imm_s(x, by as i64)))
            }
            _ => Err(Refusal("an unusual operation on numbers with a stride")),
        }
    }
}
