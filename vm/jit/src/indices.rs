//! Addresses of lanes that run together as an index of each, of 32 bits, behind what they have in common: bounds are checked on
//! vectors of indices, and machines scale an index as they access memory.

use crate::Refusal;
use crate::abi::Bail;
use crate::classes::Class;
use crate::emit::{Emitter, Given};
use crate::gathers::Indices;
use crate::vector::{Parts, WIDTH};
use cranelift_codegen::ir::condcodes::IntCC as Cc;
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder};
use cudair_ir::*;

/// Where lanes access an object: bytes from its start, and the lanes' indices, scaled by a power of two.
pub(crate) struct Index {
    pub base: cl::Value,
    lanes: Parts,
    pub scale_log2: u8,
    /// The indices are signed numbers.
    signed: bool,
    /// No two lanes have the same.
    pub distinct: bool,
}

impl Emitter<'_, '_> {
    /// The indices behind a pointer with a root, where it has that form.
    pub(crate) fn index_of(&mut self, ptr: Value) -> Result<Option<Index>, Refusal> {
        match self.class(ptr) {
            Class::Many => self.scaled_index(ptr),
            // Without a mask, lanes have their places by the stride.
            Class::Strided if self.mask.is_some() => self.scaled_index(ptr),
            Class::Affine(stride) => self.affine_index(ptr, stride).map(Some),
            _ => Ok(None),
        }
    }

    /// Of a pointer that is the sum of one that all lanes have in common and an index, widened and multiplied.
    fn scaled_index(&mut self, ptr: Value) -> Result<Option<Index>, Refusal> {
        let func = self.given.func;
        let inst =
            |e: &Self, v: Value| func.def_inst(v).filter(|&inst| e.is_at_hand(inst)).map(|i| &func.insts[i]);
        let Some(&InstData::PtrAdd { ptr: common, offset }) = inst(self, ptr) else { return Ok(None) };
        if self.class(common) != Class::Uniform || self.root_of(common).is_none() {
            return Ok(None);
        }
        let (mut scale_log2, mut wide) = (0, offset);
        if let Some(&InstData::Binary { op, args: [a, b], .. }) = inst(self, offset) {
            let by = func.const_bits(b);
            let log2 = match op {
                BinaryOp::Imul => by.filter(|by| by.is_power_of_two()).map(u128::trailing_zeros),
                BinaryOp::Shl => by.and_then(|by| u32::try_from(by).ok()),
                _ => None,
            };
            let Some(log2) = log2.filter(|&log2| log2 < 8) else { return Ok(None) };
            (scale_log2, wide) = (log2 as u8, a);
        }
        let Some(&InstData::Cast { op: op @ (CastOp::Sext | CastOp::Zext), arg, .. }) = inst(self, wide)
        else {
            return Ok(None);
        };
        if self.ty(arg) != Type::I32 {
            return Ok(None);
        }
        let (base, lanes) = (self.first(common)?, self.many(arg)?);
        Ok(Some(Index {
            base,
            lanes,
            scale_log2,
            signed: op == CastOp::Sext,
            distinct: self.is_distinct(arg),
        }))
    }

    /// Whether no two lanes have the same number: what grows evenly, and has been combined with what is the same for all.
    fn is_distinct(&self, v: Value) -> bool {
        let func = self.given.func;
        let differs = |v: Value| matches!(self.class(v), Class::Affine(s) if s != 0);
        match func.def_inst(v).map(|inst| &func.insts[inst]) {
            Some(&InstData::Binary { op: BinaryOp::Xor, args: [a, b], .. }) => {
                differs(a) && self.class(b) == Class::Uniform || differs(b) && self.class(a) == Class::Uniform
            }
            _ => differs(v),
        }
    }

    /// Whether what an instruction takes has its registers where code is emitted: on no way between them is there a synchronisation
    /// point, behind which only what is used later has.
    fn is_at_hand(&self, inst: Inst) -> bool {
        /// Blocks that are looked at.
        const MOST: usize = 32;
        let Given { func, plan, cfg, .. } = *self.given;
        let (block, from) = self.point();
        if func.block_insts(block)[from..].contains(&inst) {
            return true;
        }
        let mut looked = vec![block];
        let mut next = 0;
        // The block of the instruction is on all ways to this one.
        while let Some(&block) = looked.get(next) {
            let home = func.block_insts(block).iter().position(|&i| i == inst);
            if plan.synchronises(block, home.unwrap_or(0)) {
                return false;
            }
            if home.is_none() {
                let preds = cfg.preds(block);
                let new: Vec<Block> = preds.iter().filter(|pred| !looked.contains(pred)).copied().collect();
                looked.extend(new);
            }
            if looked.len() > MOST {
                return false;
            }
            next += 1;
        }
        from == 0
    }

    /// Of places that grow evenly from lane to lane: their bytes from the object's start, none of which is far away.
    fn affine_index(&mut self, ptr: Value, stride: i64) -> Result<Index, Refusal> {
        let first = self.first(ptr)?;
        let last = self.b.ins().iadd_imm_s(first, stride * i64::from(WIDTH - 1));
        self.near(first);
        self.near(last);
        let low = self.b.ins().ireduce(ct::I32, first);
        let all = self.b.ins().splat(ct::I32X4, low);
        let lanes = [0, 4].map(|from| {
            let steps = self.vector_of(std::array::from_fn(|i| (from + i as i32) * stride as i32));
            self.b.ins().iadd(all, steps)
        });
        let base = self.b.ins().iconst(ct::I64, 0);
        Ok(Index { base, lanes: lanes.into_iter().collect(), scale_log2: 0, signed: true, distinct: true })
    }

    /// Whether lanes that do not run can access a place behind the object, which nobody else looks at: the engine has such a place
    /// behind variables that a block shares. Where threads may race on these, lanes that run would seem to meet there.
    pub(crate) fn has_padding(&self, root: u32, scale_log2: u8) -> bool {
        self.mask.is_some() && self.is_shared(root) && !self.is_watched(root) && scale_log2 <= 3
    }

    /// Gives up where any lane's access is not inside its object, or not allowed. Lanes that do not run have a place behind it, or
    /// another's.
    pub(crate) fn check_indices(
        &mut self,
        root: u32,
        index: &Index,
        width_log2: u8,
        writes: bool,
    ) -> Result<Indices, Refusal> {
        let mut lanes = index.lanes.clone();
        let padded = self.has_padding(root, index.scale_log2);
        let facts = self.given.promises.roots[root as usize];
        // What is only read, and nobody looks at whether it is initialised, any lane may read.
        let reads_first = !writes && !self.is_shared(root) && !facts.bitmap && !facts.watched;
        if self.mask.is_some() && !padded && !reads_first {
            lanes = self.or_of_last(&lanes)?;
        }
        // The least and the greatest index: `0 <= base + (index << scale) < limit`.
        let limit = self.limit(root, width_log2, writes);
        let by = i64::from(index.scale_log2);
        let before = self.b.ins().sshr_imm_s(index.base, by);
        let low = self.b.ins().ineg(before);
        let last = self.b.ins().iadd_imm_s(limit, -1);
        let room = self.b.ins().isub(last, index.base);
        let high = self.b.ins().sshr_imm_s(room, by);
        let (least, most) =
            if index.signed { (i64::from(i32::MIN), i64::from(i32::MAX)) } else { (0, i64::from(u32::MAX)) };
        let (least, most) = (self.b.ins().iconst(ct::I64, least), self.b.ins().iconst(ct::I64, most));
        if padded {
            // The place behind the variable has an index, too.
            let room = self.b.ins().iadd_imm_s(most, -(1 << 8));
            let fine = self.b.ins().icmp(Cc::SignedLessThanOrEqual, high, room);
            self.require(fine, Bail::Access);
        }
        let (low, high) = (self.b.ins().smax(low, least), self.b.ins().smin(high, most));
        let some = self.b.ins().icmp(Cc::SignedLessThanOrEqual, low, high);
        self.require(some, Bail::Access);
        let span = self.b.ins().isub(high, low);
        let [first, last] = [low, span].map(|x| {
            let x = self.b.ins().ireduce(ct::I32, x);
            self.b.ins().splat(ct::I32X4, x)
        });
        // From here on indices count from the least one: they are natural numbers, and need no sign when they are widened.
        let mask = self.mask.as_ref().map(|mask| mask.parts);
        let mut fine = Vec::new();
        for (n, x) in lanes.iter_mut().enumerate() {
            *x = self.b.ins().isub(*x, first);
            if let Some(mask) = mask.filter(|_| reads_first) {
                *x = self.b.ins().band(*x, mask[n]);
            }
            fine.push(self.b.ins().icmp(Cc::UnsignedLessThanOrEqual, *x, last));
        }
        if let Some(mask) = mask.filter(|_| padded) {
            let pad = self.b.ins().iadd_imm_s(span, 1 + (1i64 << width_log2 >> index.scale_log2).max(1));
            let pad = self.b.ins().ireduce(ct::I32, pad);
            let pad = self.b.ins().splat(ct::I32X4, pad);
            for (n, &mask) in mask.iter().enumerate() {
                let others = self.b.ins().bnot(mask);
                fine[n] = self.b.ins().bor(fine[n], others);
                lanes[n] = self.choose(mask, lanes[n], pad);
            }
        }
        let fine = self.all(&fine);
        self.require(fine, Bail::Access);
        let mut wide = Vec::with_capacity(WIDTH as usize);
        for lane in 0..WIDTH {
            let x = self.lane_of(Type::I32, &lanes, lane)?;
            wide.push(self.b.ins().uextend(ct::I64, x));
        }
        let lanes = wide.try_into().map_err(|_| Refusal("an access has too few lanes"))?;
        let before = self.b.ins().ishl_imm_s(low, by);
        let base = self.b.ins().iadd(index.base, before);
        Ok(Indices { base, lanes, scale_log2: index.scale_log2 })
    }
}
