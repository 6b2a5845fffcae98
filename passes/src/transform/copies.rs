//! Small copies become a load and a store.
//!
//! A load whose only use is a store of the same width is a copy: the machine moves the bits with their
//! initialisation state. So a `memcopy` of a constant 1, 2, 4 or 8 bytes at their natural alignment is
//! the same as the pair, which runs faster. Nothing may give such a load another use afterwards, so
//! this pass comes last.

use cudair_ir::*;

/// Lowers the small copies of a function.
pub fn run(func: &mut Function) {
    for b in 0..func.layout.len() {
        let block = func.layout[b];
        let mut i = 0;
        while i < func.blocks[block].insts.len() {
            let inst = func.blocks[block].insts[i];
            i += 1;
            let InstData::MemCopy { flags, dst, src, len, dst_site, src_site } = func.insts[inst] else {
                continue;
            };
            let ty = match func.const_int(len) {
                Some(1) => Type::I8,
                Some(2) => Type::I16,
                Some(4) => Type::I32,
                Some(8) => Type::I64,
                _ => continue,
            };
            if flags.align_log2 != MemFlags::natural(ty).align_log2 {
                continue;
            }
            let loc = func.locs[inst].expand();
            let load = func.make_inst(InstData::Load { ty, flags, ptr: src, site: src_site }, &[ty], loc);
            let value = func.inst_results(load)[0];
            let store = func.make_inst(InstData::Store { flags, value, ptr: dst, site: dst_site }, &[], loc);
            func.blocks[block].insts.splice(i - 1..i, [load, store]);
            i += 1;
        }
    }
}
