//! Functions.

use super::code::{Code, Reader, Writer};
use crate::entities::*;
use crate::function::{FuncAttrs, Function, SiteData, SlotData, ValueData, ValueDef};
use crate::inst::{BlockCall, InstData, SwitchData, ValueList, ValuePool};
use crate::types::Type;

/// Writes all of a function but its body.
pub fn write_head(w: &mut Writer<'_>, func: &Function) {
    func.name.write(w);
    func.display_name.write(w);
    func.side.write(w);
    func.linkage.write(w);
    func.sig.write(w);
    w.list(func.param_names.iter(), |w, name| name.write(w));
    let FuncAttrs {
        noinline,
        always_inline,
        noreturn,
        noexcept,
        noexcept_unknown,
        returns_twice,
        launch_bounds,
        max_cluster,
        cluster_dims,
        texels,
        barrier,
    } = func.attrs;
    for flag in [noinline, always_inline, noreturn, noexcept, noexcept_unknown, returns_twice] {
        flag.write(w);
    }
    for number in launch_bounds.into_iter().chain([max_cluster]).chain(cluster_dims) {
        number.write(w);
    }
    texels.write(w);
    barrier.write(w);
    func.loc.write(w);
}

/// Reads it.
pub fn read_head(r: &mut Reader<'_>) -> Option<Function> {
    let name = String::read(r)?;
    let display_name = Code::read(r)?;
    let side = Code::read(r)?;
    let linkage = Code::read(r)?;
    let mut func = Function::new(name, side, Code::read(r)?);
    func.display_name = display_name;
    func.linkage = linkage;
    func.param_names = r.list(Code::read)?;
    func.attrs = FuncAttrs {
        noinline: Code::read(r)?,
        always_inline: Code::read(r)?,
        noreturn: Code::read(r)?,
        noexcept: Code::read(r)?,
        noexcept_unknown: Code::read(r)?,
        returns_twice: Code::read(r)?,
        launch_bounds: [Code::read(r)?, Code::read(r)?],
        max_cluster: Code::read(r)?,
        cluster_dims: [Code::read(r)?, Code::read(r)?, Code::read(r)?],
        texels: Code::read(r)?,
        barrier: Code::read(r)?,
    };
    func.loc = Code::read(r)?;
    Some(func)
}

/// Writes the body of a compact function.
pub fn write_body<'a>(w: &mut Writer<'a>, func: &'a Function) {
    w.pool = Some(&func.pool);
    let counts =
        [func.blocks.len(), func.insts.len(), func.values.len(), func.sites.len(), func.tables.len()];
    for n in counts {
        w.number(n as u64);
    }
    w.list(func.slots.values(), |w, slot| {
        let SlotData { size, align_log2, space, name, loc, part, ty } = slot;
        size.write(w);
        align_log2.write(w);
        space.write(w);
        name.write(w);
        loc.write(w);
        part.is_some().write(w);
        for number in part.iter().flat_map(|&(offset, whole)| [offset, whole]) {
            number.write(w);
        }
        ty.write(w);
    });
    func.sites.values().for_each(|site| site.loc.write(w));
    for SwitchData { default, cases } in func.tables.values() {
        default.write(w);
        w.list(cases.iter(), |w, (bits, call)| {
            bits.write(w);
            call.write(w);
        });
    }
    for &block in &func.layout {
        write_types(w, func, func.block_params(block));
        w.list(func.block_insts(block).iter(), |w, &inst| {
            func.insts[inst].write(w);
            write_types(w, func, func.inst_results(inst));
            func.locs[inst].write(w);
        });
    }
}

fn write_types(w: &mut Writer<'_>, func: &Function, values: &[Value]) {
    w.list(values.iter(), |w, &v| func.value_type(v).write(w));
}

/// Reads the body of a function.
pub fn read_body(r: &mut Reader<'_>, func: &mut Function) -> Option<()> {
    r.pool = ValuePool::new();
    let [blocks, insts, values, sites, tables] =
        [r.count()?, r.count()?, r.count()?, r.count()?, r.count()?].map(|n| n as u32);
    let slots = r.list(read_slot)?;
    r.counts.slots = slots.len() as u32;
    (r.counts.blocks, r.counts.values, r.counts.sites, r.counts.tables) = (blocks, values, sites, tables);
    func.slots = slots.into_iter().collect();
    for _ in 0..sites {
        func.sites.push(SiteData { loc: Code::read(r)? });
    }
    for _ in 0..tables {
        let default = BlockCall::read(r)?;
        let cases = r.list(|r| Some((Code::read(r)?, Code::read(r)?)))?;
        func.tables.push(SwitchData { default, cases });
    }
    for _ in 0..blocks {
        let block = func.make_block();
        func.layout.push(block);
        for n in 0..r.count()? {
            let data = ValueData { ty: Type::read(r)?, def: ValueDef::Param(block, n as u32) };
            let value = func.values.push(data);
            func.blocks[block].params.push(value, &mut r.pool);
        }
        for _ in 0..r.count()? {
            let data = InstData::read(r)?;
            let inst = func.insts.push(data);
            let mut results = ValueList::new();
            for n in 0..r.count()? {
                let data = ValueData { ty: Type::read(r)?, def: ValueDef::Result(inst, n as u32) };
                results.push(func.values.push(data), &mut r.pool);
            }
            func.results[inst] = results;
            func.locs[inst] = Code::read(r)?;
            func.blocks[block].insts.push(inst);
        }
    }
    func.pool = std::mem::take(&mut r.pool);
    (func.insts.len() == insts as usize && func.values.len() == values as usize).then_some(())
}

fn read_slot(r: &mut Reader<'_>) -> Option<SlotData> {
    Some(SlotData {
        size: Code::read(r)?,
        align_log2: Code::read(r)?,
        space: Code::read(r)?,
        name: Code::read(r)?,
        loc: Code::read(r)?,
        part: if bool::read(r)? { Some((Code::read(r)?, Code::read(r)?)) } else { None },
        ty: Code::read(r)?,
    })
}
