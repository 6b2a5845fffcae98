//! What is done to global memory in another way where several native threads run blocks of a launch at once.
//!
//! Blocks write different bytes, or the race detector would watch. But eight bytes share one of the bitmap of initialisation,
//! where two threads that write it as a whole would undo each other. Bits are only ever set, and who reads one of bytes that no
//! other block writes finds what is so. And atomic operations of different blocks may meet at a word, to which nothing else is done.

use crate::Refusal;
use crate::access::Place;
use crate::emit::{Emitter, trusted, unaligned};
use crate::plan::{From, Plan, Root};
use crate::vector::WIDTH;
use cranelift_codegen::ir::condcodes::IntCC as Cc;
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, AtomicRmwOp, InstBuilder};
use cudair_ir::{AtomicOp, Function, InstData};

impl Plan {
    /// Whether the kernel, whose function this is, has atomic operations on other than shared memory.
    pub fn has_atomics_of_grid(&self, func: &Function) -> bool {
        let of_grid = |ptr| match self.from[ptr] {
            From::Root(n) => !matches!(self.roots[n as usize], Root::Shared(_)),
            _ => true,
        };
        func.layout.iter().flat_map(|&block| func.block_insts(block)).any(|&inst| match func.insts[inst] {
            InstData::AtomicRmw { ptr, .. } | InstData::AtomicCas { ptr, .. } => of_grid(ptr),
            _ => false,
        })
    }
}

impl Emitter<'_, '_> {
    /// Sets the bits of a place that was written. Whole bytes of the bitmap have no other owner.
    pub(crate) fn initialise_beside_others(&mut self, place: Place) {
        let at = self.bits_at(place);
        if place.aligned && place.width_log2 == 3 {
            let all = self.b.ins().iconst(ct::I8, 0xff);
            self.b.ins().store(trusted(), all, at, 0);
            return;
        }
        let shift = self.b.ins().band_imm_s(place.offset, 7);
        let all = self.b.ins().iconst(ct::I16, (1 << (1u32 << place.width_log2)) - 1);
        let mask = self.b.ins().ishl(all, shift);
        let low = self.b.ins().ireduce(ct::I8, mask);
        self.add_bits(at, low);
        if !place.aligned {
            let high = self.b.ins().ushr_imm_s(mask, 8);
            let high = self.b.ins().ireduce(ct::I8, high);
            let next = self.b.ins().iadd_imm_s(at, 1);
            self.add_bits(next, high);
        }
    }

    /// The same for lanes side by side, whose bits begin in a byte or in the middle of it.
    pub(crate) fn initialise_run_beside_others(&mut self, place: Place) {
        let at = self.bits_at(place);
        if place.width_log2 == 3 {
            let all = self.b.ins().iconst(ct::I64, -1);
            self.b.ins().store(unaligned(), all, at, 0);
            return;
        }
        if place.width_log2 < 2 {
            // Bits of up to three bytes.
            let all = self.b.ins().iconst(ct::I32, (1 << (WIDTH << place.width_log2)) - 1);
            let shift = self.b.ins().band_imm_s(place.offset, 7);
            let mut mask = self.b.ins().ishl(all, shift);
            for byte in 0..=1i64 << place.width_log2 {
                let bits = self.b.ins().ireduce(ct::I8, mask);
                let at = self.b.ins().iadd_imm_s(at, byte);
                self.add_bits(at, bits);
                mask = self.b.ins().ushr_imm_s(mask, 8);
            }
            return;
        }
        let all = self.b.ins().iconst(ct::I32, -1);
        let middle = self.b.ins().band_imm_s(place.offset, 7);
        let (whole, parts, done) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(parts);
        self.b.ins().brif(middle, parts, &[], whole, &[]);
        self.b.switch_to_block(whole);
        self.b.ins().store(unaligned(), all, at, 0);
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(parts);
        let high = self.b.ins().iconst(ct::I8, 0xf0);
        self.add_bits(at, high);
        self.b.ins().istore16(unaligned(), all, at, 1);
        self.b.ins().istore8(unaligned(), all, at, 3);
        let low = self.b.ins().iconst(ct::I8, 0x0f);
        let last = self.b.ins().iadd_imm_s(at, 4);
        self.add_bits(last, low);
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(done);
    }

    /// Sets bits of a byte, others of which another thread may set meanwhile.
    fn add_bits(&mut self, at: cl::Value, bits: cl::Value) {
        let old = self.b.ins().load(ct::I8, trusted(), at, 0);
        let have = self.b.ins().band(old, bits);
        let has = self.b.ins().icmp(Cc::Equal, have, bits);
        let (set, go_on) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(has, go_on, &[], set, &[]);
        self.b.switch_to_block(set);
        self.b.ins().atomic_rmw(ct::I8, trusted(), AtomicRmwOp::Or, at, bits);
        self.b.ins().jump(go_on, &[]);
        self.b.switch_to_block(go_on);
    }

    /// An atomic operation on a word of global memory, whose address is aligned; gives what was there.
    pub(crate) fn update_beside_others(
        &mut self,
        op: AtomicOp,
        ty: cl::Type,
        at: cl::Value,
        value: cl::Value,
    ) -> Result<cl::Value, Refusal> {
        let op = match op {
            AtomicOp::Add => AtomicRmwOp::Add,
            AtomicOp::Sub => AtomicRmwOp::Sub,
            AtomicOp::Smin => AtomicRmwOp::Smin,
            AtomicOp::Smax => AtomicRmwOp::Smax,
            AtomicOp::Umin => AtomicRmwOp::Umin,
            AtomicOp::Umax => AtomicRmwOp::Umax,
            AtomicOp::And => AtomicRmwOp::And,
            AtomicOp::Or => AtomicRmwOp::Or,
            AtomicOp::Xor => AtomicRmwOp::Xor,
            _ => return Err(Refusal("an atomic operation that does not commute")),
        };
        Ok(self.b.ins().atomic_rmw(ty, trusted(), op, at, value))
    }
}
