//! Loads that do not use what they load.
//!
//! To load bytes that were never written is no error, to use them is one. What is only stored takes its initialisation along, and what
//! is left of a copy that nobody reads needs none (the bytecode's rule: `copies` in crate `codegen`). Here the copy has to end in a local
//! variable, where all that lanes access is of one width; others are checked, and give up.

use crate::Refusal;
use crate::access::Place;
use crate::classes::Class;
use crate::emit::Emitter;
use crate::local::Locals;
use crate::plan::{Point, Root};
use cranelift_codegen::ir as cl;
use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::types as ct;
use cranelift_entity::SecondaryMap;
use cudair_ir::cfg::Cfg;
use cudair_ir::*;
use rustc_hash::FxHashMap;

/// Which bytes of a copied value are initialised, in the layout of local variables.
#[derive(Clone, Copy)]
pub(crate) enum Copied {
    /// A byte of bits, of the lane that runs alone, or the same for all that run together.
    One(cl::Value),
    /// A byte of bits of each lane that runs together.
    Row(cl::Value),
}

/// The loads whose value has no use, or one by a store to a local variable in the same code: with its pointer then.
pub(crate) fn find(
    func: &Function,
    cfg: &Cfg,
    (used, syncs): (&SecondaryMap<Value, u32>, &FxHashMap<Point, usize>),
    root: impl Fn(Value) -> Option<(u32, Root)>,
    locals: &Locals,
) -> FxHashMap<Inst, Option<Value>> {
    let mut out = FxHashMap::default();
    for &block in cfg.rpo() {
        let insts = func.block_insts(block);
        for (at, &inst) in insts.iter().enumerate() {
            let InstData::Load { ptr, ty, .. } = func.insts[inst] else { continue };
            let Some(v) = func.result(inst).filter(|_| !ty.is_ptr()) else { continue };
            let is_whole = |n: u32| locals.is_whole(n, ty.mem_bytes());
            let from_here = match root(ptr) {
                Some((n, Root::Local(_))) => is_whole(n),
                Some((_, Root::Param(_) | Root::Member(_) | Root::Global(_))) => true,
                _ => false,
            };
            let stored = |inst: Inst| match func.insts[inst] {
                InstData::Store { value, ptr, .. } if value == v => Some(ptr),
                _ => None,
            };
            let mut rest = (at + 1..insts.len()).take_while(|&n| !syncs.contains_key(&(block, n)));
            if used[v] == 0 {
                out.insert(inst, None);
            } else if used[v] == 1 && from_here {
                let to = rest.find_map(|n| stored(insts[n]));
                if let Some(to) =
                    to.filter(|&to| matches!(root(to), Some((n, Root::Local(_))) if is_whole(n)))
                {
                    out.insert(inst, Some(to));
                }
            }
        }
    }
    out
}

impl Emitter<'_, '_> {
    /// Emits a load that does not use what it loads, and whose value goes where a pointer says or nowhere, where the lanes that run together do the same.
    pub(crate) fn copy(&mut self, inst: Inst, to: Option<Value>) -> Result<bool, Refusal> {
        let func = self.given.func;
        let (InstData::Load { ptr, ty, .. }, Some(v)) = (&func.insts[inst], func.result(inst)) else {
            return Ok(false);
        };
        let (ptr, ty) = (*ptr, *ty);
        if self.alone.is_some() || [Some(ptr), to].iter().flatten().any(|&p| self.class(p) != Class::Uniform)
        {
            return Ok(false);
        }
        self.unchecked = true;
        let done = self.plain_inst(inst);
        self.unchecked = false;
        done?;
        if to.is_some() {
            let bits = self.bits_of_copy(ptr, ty)?;
            self.copied.insert(v, bits);
        }
        Ok(true)
    }

    /// What is initialised where a copy comes from.
    fn bits_of_copy(&mut self, ptr: Value, ty: Type) -> Result<Copied, Refusal> {
        if self.is_local(ptr) {
            return self.local_bits(ptr);
        }
        let width_log2 = ty.mem_bytes().trailing_zeros() as u8;
        let root = self.root_of(ptr).ok_or(Refusal("a copy comes from nowhere"))?;
        let all = (1i64 << (1 << width_log2)) - 1;
        if !self.given.promises.roots[root as usize].bitmap {
            return Ok(Copied::One(self.b.ins().iconst(ct::I8, all)));
        }
        let offset = self.value(ptr)?;
        let (word, mask) = self.bits(Place { root, offset, width_log2, aligned: false });
        let bits = self.b.ins().band(word, mask);
        let shift = self.b.ins().band_imm_s(offset, 7);
        let bits = self.b.ins().ushr(bits, shift);
        Ok(Copied::One(self.b.ins().ireduce(ct::I8, bits)))
    }
}
