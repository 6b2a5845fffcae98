//! A compact form of a module, for a cache: what [`write_module`] gives, [`read_module`] reads, many times as fast as text.
//!
//! It is no contract: its layout changes with the IR, and whoever keeps it has to know which build wrote it. Unlike the
//! text it holds every file and place, referred to or not, and the names of allocated memory. It does not hold the texts
//! of files; the reader asks for them.
//!
//! A module is written with its functions numbered as the text numbers them ([`Function::compact`]).
//!
//! The reader takes any bytes. It gives a module whose entities are all there, or nothing: it neither panics nor takes
//! more memory than a multiple of the bytes. What else has to hold, the verifier knows
//! ([`verify_module`](crate::verify_module)).

mod body;
mod code;
mod notes;
mod types;

pub(crate) use code::{Code, Reader, Writer};
pub use code::{Decoder, Encoder};
pub use notes::{read_diagnostics, write_diagnostics};

use crate::entities::*;
use crate::function::{Function, Signature};
use crate::loc::{FileData, LocData, Pos};
use crate::module::{Global, GlobalInit, Module, Reloc, RelocTarget};
use crate::text::MAX_LOC_CHAIN;
use cranelift_entity::packed_option::PackedOption;
use std::sync::Arc;

/// Writes a module. `None` for one that is not valid: a function of it uses a value that nothing defines.
pub fn write_module(module: &Module) -> Option<Vec<u8>> {
    let compacted = compact(module)?;
    let mut w = Writer::default();
    w.list(module.source.files.values(), |w, file: &FileData| file.path.write(w));
    w.list(module.source.locs.values(), |w, loc: &LocData| write_loc(w, loc));
    w.list(module.sigs.values(), |w, sig: &Signature| sig.write(w));
    w.list(module.messages.values(), |w, text: &String| text.write(w));
    for n in [module.globals.len(), module.funcs.len()] {
        w.number(n as u64);
    }
    module.globals.values().for_each(|g| write_global(&mut w, g));
    for func in module.funcs.values() {
        body::write_head(&mut w, func);
    }
    for func in &compacted {
        body::write_body(&mut w, func);
    }
    w.list(module.ctors.iter(), |w, func| func.write(w));
    types::write_named(&mut w, &module.types);
    w.list(module.stored.iter(), |w, (place, name): (&LocData, &Arc<str>)| {
        write_loc(w, place);
        name.write(w);
    });
    Some(w.out)
}

/// The functions of a module, compact.
fn compact(module: &Module) -> Option<Vec<Function>> {
    module
        .funcs
        .values()
        .map(|func| {
            let mut func = func.clone();
            func.compact().then_some(func)
        })
        .collect()
}

/// Reads a module; `None` where the bytes are none of [`write_module`]. `text` gives the text of each file, by its number
/// and its path.
pub fn read_module(
    bytes: &[u8],
    mut text: impl FnMut(usize, &str) -> Option<Option<Arc<str>>>,
) -> Option<Module> {
    let mut r = Reader::new(bytes);
    let mut module = Module::new();
    for number in 0..r.count()? {
        let path = String::read(&mut r)?;
        let text = text(number, &path)?;
        // A file that is there already would shift the numbers of those behind it.
        if module.source.file(&path, text).as_u32() as usize != number {
            return None;
        }
    }
    r.counts.files = module.source.files.len() as u32;
    let mut chains: Vec<u32> = Vec::new();
    for number in 0..r.count()? {
        r.counts.locs = number as u32;
        let loc = read_loc(&mut r)?;
        let parts = [loc.spelling, loc.inlined_at].into_iter().filter_map(PackedOption::expand);
        let chain = parts.map(|l| chains[l.as_u32() as usize] + 1).max().unwrap_or_default();
        if chain > MAX_LOC_CHAIN || module.source.intern(loc).as_u32() as usize != number {
            return None;
        }
        chains.push(chain);
    }
    r.counts.locs = chains.len() as u32;
    for number in 0..r.count()? {
        let sig = Signature::read(&mut r)?;
        if module.sig(&sig).as_u32() as usize != number {
            return None;
        }
    }
    for _ in 0..r.count()? {
        let message = String::read(&mut r)?;
        module.message(message);
    }
    r.counts.sigs = module.sigs.len() as u32;
    r.counts.messages = module.messages.len() as u32;
    r.counts.globals = r.count()? as u32;
    r.counts.funcs = r.count()? as u32;
    for _ in 0..r.counts.globals {
        let global = read_global(&mut r)?;
        if module.global_by_name(&global.name).is_some() {
            return None;
        }
        module.add_global(global);
    }
    for _ in 0..r.counts.funcs {
        let func = body::read_head(&mut r)?;
        if module.func_by_name(&func.name).is_some() {
            return None;
        }
        module.add_func(func);
    }
    for func in module.funcs.values_mut() {
        body::read_body(&mut r, func)?;
    }
    for _ in 0..r.count()? {
        module.ctors.push(FuncId::read(&mut r)?);
    }
    module.types = types::read_named(&mut r)?;
    for _ in 0..r.count()? {
        let place = read_loc(&mut r)?;
        let name = Arc::<str>::read(&mut r)?;
        module.stored.insert(place, name);
    }
    r.is_at_end().then_some(module)
}

fn write_loc(w: &mut Writer<'_>, loc: &LocData) {
    let LocData { file, start, end, spelling, inlined_at } = loc;
    file.write(w);
    start.write(w);
    // Most places are on one line.
    w.signed(i64::from(end.line) - i64::from(start.line));
    w.number(u64::from(end.col));
    spelling.write(w);
    inlined_at.write(w);
}

fn read_loc(r: &mut Reader<'_>) -> Option<LocData> {
    let file = FileId::read(r)?;
    let start = Pos::read(r)?;
    let line = u32::try_from(i64::from(start.line).checked_add(r.signed()?)?).ok()?;
    let end = Pos { line, col: u32::read(r)? };
    Some(LocData { file, start, end, spelling: PackedOption::read(r)?, inlined_at: PackedOption::read(r)? })
}

fn write_global(w: &mut Writer<'_>, g: &Global) {
    let Global { name, display_name, space, size, align_log2, linkage, constant, dynamic, init, loc, ty } = g;
    name.write(w);
    display_name.write(w);
    space.write(w);
    size.write(w);
    align_log2.write(w);
    linkage.write(w);
    constant.write(w);
    dynamic.write(w);
    match init {
        GlobalInit::Extern => w.byte(0),
        GlobalInit::Uninit => w.byte(1),
        GlobalInit::Zero => w.byte(2),
        GlobalInit::Data { bytes, relocs } => {
            w.byte(3);
            w.bytes(bytes);
            w.list(relocs.iter(), |w, r: &Reloc| {
                r.offset.write(w);
                match r.target {
                    RelocTarget::Global(g) => {
                        w.byte(0);
                        g.write(w);
                    }
                    RelocTarget::Func(f) => {
                        w.byte(1);
                        f.write(w);
                    }
                }
                w.signed(r.addend);
            });
        }
    }
    loc.write(w);
    ty.write(w);
}

fn read_global(r: &mut Reader<'_>) -> Option<Global> {
    Some(Global {
        name: Code::read(r)?,
        display_name: Code::read(r)?,
        space: Code::read(r)?,
        size: Code::read(r)?,
        align_log2: Code::read(r)?,
        linkage: Code::read(r)?,
        constant: Code::read(r)?,
        dynamic: Code::read(r)?,
        init: match r.byte()? {
            0 => GlobalInit::Extern,
            1 => GlobalInit::Uninit,
            2 => GlobalInit::Zero,
            3 => {
                let bytes = r.bytes()?.to_vec();
                let relocs = r.list(|r| {
                    let offset = Code::read(r)?;
                    let target = match r.byte()? {
                        0 => RelocTarget::Global(Code::read(r)?),
                        1 => RelocTarget::Func(Code::read(r)?),
                        _ => return None,
                    };
                    Some(Reloc { offset, target, addend: r.signed()? })
                })?;
                GlobalInit::Data { bytes, relocs }
            }
            _ => return None,
        },
        loc: Code::read(r)?,
        ty: Code::read(r)?,
    })
}
