//! Conversions of the numbers of lanes that run together, and words that stand for narrow numbers.

use crate::Refusal;
use crate::emit::Emitter;
use crate::vector::Parts;
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder};
use cudair_ir::*;

impl Emitter<'_, '_> {
    /// A conversion of the numbers of lanes that run together, if it is done for all at once.
    pub(crate) fn vector_cast(&mut self, op: CastOp, to: Type, arg: Value) -> Result<Option<Parts>, Refusal> {
        use CastOp::*;
        let from = self.ty(arg);
        Ok(match (op, from, to) {
            (Sitofp, Type::I32 | Type::I16 | Type::I8, Type::F32) => {
                let x = self.many(arg)?;
                self.each(&x, |e, x| {
                    let x = e.signed(from, x);
                    e.b.ins().fcvt_from_sint(ct::F32X4, x)
                })
            }
            (Uitofp, Type::I32, Type::F32) => {
                let x = self.many(arg)?;
                self.each(&x, |e, x| e.b.ins().fcvt_from_uint(ct::F32X4, x))
            }
            // Narrow numbers are natural ones as words.
            (Uitofp, Type::I16 | Type::I8, Type::F32) => {
                let x = self.many(arg)?;
                self.each(&x, |e, x| e.b.ins().fcvt_from_sint(ct::F32X4, x))
            }
            (Sitofp, Type::I32 | Type::I16 | Type::I8, Type::F64) => {
                let x = self.many(arg)?;
                self.by_halves(&x, |e, x| {
                    let x = e.signed(from, x);
                    e.low_as_doubles(x)
                })
            }
            (Uitofp, Type::I16 | Type::I8, Type::F64) => {
                let x = self.many(arg)?;
                self.by_halves(&x, |e, x| e.low_as_doubles(x))
            }
            (Fpext, Type::F32, Type::F64) => {
                let x = self.many_seen(arg)?;
                self.by_halves(&x, |e, x| e.b.ins().fvpromote_low(x))
            }
            (Fptrunc, Type::F64, Type::F32) => {
                let x = self.many(arg)?;
                let halves: Vec<cl::Value> = x.iter().map(|&x| self.b.ins().fvdemote(x)).collect();
                Some(halves.chunks(2).map(|two| self.pick(two[0], two[1], [0, 1, 4, 5])).collect())
            }
            // What is narrow is cut from a word.
            (Fptosi, Type::F32, Type::I32 | Type::I16 | Type::I8) => {
                let x = self.many(arg)?;
                self.each(&x, |e, x| {
                    let x = e.b.ins().fcvt_to_sint_sat(ct::I32X4, x);
                    e.narrowed(to, x)
                })
            }
            (Fptoui, Type::F32, Type::I32 | Type::I16 | Type::I8) => {
                let x = self.many(arg)?;
                self.each(&x, |e, x| {
                    let x = e.b.ins().fcvt_to_uint_sat(ct::I32X4, x);
                    e.narrowed(to, x)
                })
            }
            (Zext, Type::I8 | Type::I16, Type::I16 | Type::I32) => Some(self.many(arg)?),
            (Sext, Type::I8 | Type::I16, Type::I16 | Type::I32) => {
                let x = self.many(arg)?;
                self.each(&x, |e, x| {
                    let x = e.signed(from, x);
                    e.narrowed(to, x)
                })
            }
            (Trunc, Type::I32 | Type::I16, Type::I16 | Type::I8) => {
                let x = self.many(arg)?;
                self.each(&x, |e, x| e.narrowed(to, x))
            }
            (Zext, Type::I1, Type::I32) => {
                let x = self.many(arg)?;
                let one = self.vector_of([1; 4]);
                self.each(&x, |e, x| e.b.ins().band(x, one))
            }
            (Bitcast, Type::I32, Type::F32) => {
                let x = self.many(arg)?;
                self.each(&x, |e, x| e.cast_vector(ct::F32X4, x))
            }
            (Bitcast, Type::F32, Type::I32) => {
                let x = self.many_seen(arg)?;
                self.each(&x, |e, x| e.cast_vector(ct::I32X4, x))
            }
            _ => None,
        })
    }

    /// The lowest bits of words, as many as a type has.
    pub(crate) fn narrowed(&mut self, ty: Type, x: cl::Value) -> cl::Value {
        if ty.bits() >= 32 {
            return x;
        }
        let mask = self.vector_of([(1 << ty.bits()) - 1; 4]);
        self.b.ins().band(x, mask)
    }

    /// Narrow numbers as signed ones of 32 bits.
    pub(crate) fn signed(&mut self, ty: Type, x: cl::Value) -> cl::Value {
        if ty.bits() >= 32 {
            return x;
        }
        let by = self.b.ins().iconst(ct::I32, i64::from(32 - ty.bits()));
        let x = self.b.ins().ishl(x, by);
        self.b.ins().sshr(x, by)
    }

    /// Four words of two vectors, by their numbers: two of the first one, and two of the second one, from 4 on.
    pub(crate) fn pick(&mut self, x: cl::Value, y: cl::Value, words: [u8; 4]) -> cl::Value {
        let ty = self.b.func.dfg.value_type(x);
        let bytes: Vec<u8> = words.iter().flat_map(|w| (0..4).map(move |i| 4 * w + i)).collect();
        let by = self.b.func.dfg.immediates.push(cl::ConstantData::from(&bytes[..]));
        let (x, y) = (self.cast_vector(ct::I8X16, x), self.cast_vector(ct::I8X16, y));
        let picked = self.b.ins().shuffle(x, y, by);
        self.cast_vector(ty, picked)
    }

    /// Vectors of two from each of four: what is done to the two low ones is done to the two high ones.
    fn by_halves(&mut self, x: &Parts, f: impl Fn(&mut Self, cl::Value) -> cl::Value) -> Option<Parts> {
        let mut out = Parts::new();
        for &x in x {
            let high = self.pick(x, x, [2, 3, 6, 7]);
            out.push(f(self, x));
            out.push(f(self, high));
        }
        Some(out)
    }

    /// The two low ones of four signed words in binary64.
    fn low_as_doubles(&mut self, x: cl::Value) -> cl::Value {
        let wide = self.b.ins().swiden_low(x);
        self.b.ins().fcvt_from_sint(ct::F64X2, wide)
    }
}
