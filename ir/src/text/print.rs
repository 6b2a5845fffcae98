//! Printing modules and functions.

use super::number::{FuncNumbers, LocNumbers};
use super::print_inst::write_inst;
use super::source_type::{write_named_types, write_source_type};
use crate::entities::*;
use crate::function::{FuncAttrs, Function, Param, ParamAttr, Signature};
use crate::module::{Global, GlobalInit, Module, Reloc, RelocTarget};
use cranelift_entity::packed_option::PackedOption;
use std::fmt::{self, Write};

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let locs = LocNumbers::of_module(self);
        let mut first = true;
        for g in self.globals.values() {
            write_global(f, self, &locs, g)?;
            first = false;
        }
        for &ctor in &self.ctors {
            writeln!(f, "ctor {}", FuncName(self, ctor))?;
            first = false;
        }
        for func in self.funcs.values() {
            if !first {
                f.write_char('\n')?;
            }
            first = false;
            write_function(f, self, &locs, func)?;
        }
        let slots = self.funcs.values().flat_map(|f| f.slots.values()).filter_map(|s| s.ty.as_ref());
        let roots = self.globals.values().filter_map(|g| g.ty.as_ref()).chain(slots);
        write_named_types(f, self, roots, !first)?;
        write_places(f, self, &locs, !first)
    }
}

/// One function as text, followed by the places it refers to. Their numbers count within this text.
pub fn print_function(module: &Module, func: FuncId) -> String {
    let func = &module.funcs[func];
    let locs = LocNumbers::of_function(module, func);
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_function(&mut out, module, &locs, func);
    let roots = func.slots.values().filter_map(|s| s.ty.as_ref());
    let _ = write_named_types(&mut out, module, roots, true);
    let _ = write_places(&mut out, module, &locs, true);
    out
}

/// One instruction of a function as text, without site and place, its values numbered as in the text of
/// the function.
pub fn print_inst(module: &Module, func: &Function, inst: Inst) -> String {
    print_inst_with(module, func, &FuncNumbers::new(func), inst)
}

/// [`print_inst`] with numbers at hand.
pub(crate) fn print_inst_with(module: &Module, func: &Function, numbers: &FuncNumbers, inst: Inst) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_inst(&mut out, module, func, numbers, None, inst);
    out.trim_end().to_owned()
}

fn write_places(f: &mut dyn Write, module: &Module, locs: &LocNumbers, gap: bool) -> fmt::Result {
    if gap && !locs.file_order.is_empty() {
        f.write_char('\n')?;
    }
    for (i, &file) in locs.file_order.iter().enumerate() {
        writeln!(f, "file{i} = {}", Quoted(module.source.files[file].path.as_bytes()))?;
    }
    for (i, &loc) in locs.loc_order.iter().enumerate() {
        let d = &module.source.locs[loc];
        let file = locs.files[d.file].expand().map_or(u32::MAX, FileId::as_u32);
        write!(f, "loc{i} = file{file}:{}:{}-{}:{}", d.start.line, d.start.col, d.end.line, d.end.col)?;
        if let Some(s) = d.spelling.expand().and_then(|s| locs.locs[s].expand()) {
            write!(f, " spelling {s}")?;
        }
        if let Some(s) = d.inlined_at.expand().and_then(|s| locs.locs[s].expand()) {
            write!(f, " inlined {s}")?;
        }
        f.write_char('\n')?;
    }
    Ok(())
}

/// ` @locN`, or nothing.
pub(super) fn write_loc(f: &mut dyn Write, locs: &LocNumbers, loc: PackedOption<Loc>) -> fmt::Result {
    match loc.expand().and_then(|l| locs.locs[l].expand()) {
        Some(l) => write!(f, " @{l}"),
        None => Ok(()),
    }
}

fn write_global(f: &mut dyn Write, module: &Module, locs: &LocNumbers, g: &Global) -> fmt::Result {
    write!(f, "global {} {}", g.linkage.name(), Name(&g.name))?;
    if g.display_name != g.name {
        write!(f, " {}", Quoted(g.display_name.as_bytes()))?;
    }
    write!(f, " {} {} align {}", g.space, g.size, 1u64 << g.align_log2.min(63))?;
    if g.constant {
        f.write_str(" constant")?;
    }
    if g.dynamic {
        f.write_str(" dynamic")?;
    }
    write_source_type(f, g.ty.as_ref())?;
    f.write_str(" = ")?;
    match &g.init {
        GlobalInit::Extern => f.write_str("extern")?,
        GlobalInit::Uninit => f.write_str("uninit")?,
        GlobalInit::Zero => f.write_str("zero")?,
        GlobalInit::Data { bytes, relocs } => write_data(f, module, bytes, relocs)?,
    }
    write_loc(f, locs, g.loc)?;
    f.write_char('\n')
}

/// Bytes shown on a line of hexadecimal data.
const HEX_LINE: usize = 32;
/// Bytes shown on a line of text.
const TEXT_LINE: usize = 80;
/// From this length on, a run of zeros is a piece of its own.
const ZERO_RUN: usize = 16;

fn write_data(f: &mut dyn Write, module: &Module, bytes: &[u8], relocs: &[Reloc]) -> fmt::Result {
    let pieces = data_pieces(bytes);
    if let ([piece], true) = (pieces.as_slice(), relocs.is_empty()) {
        f.write_str("data { ")?;
        write_piece(f, piece)?;
        return f.write_str(" }");
    }
    f.write_str("data {\n")?;
    for piece in &pieces {
        f.write_str("  ")?;
        write_piece(f, piece)?;
        f.write_char('\n')?;
    }
    for r in relocs {
        write!(f, "  at {}: ", r.offset)?;
        match r.target {
            RelocTarget::Global(g) => write!(f, "global {}", GlobalName(module, g))?,
            RelocTarget::Func(func) => write!(f, "func {}", FuncName(module, func))?,
        }
        let sign = if r.addend < 0 { '-' } else { '+' };
        writeln!(f, " {sign} {}", r.addend.unsigned_abs())?;
    }
    f.write_char('}')
}

enum Piece<'a> {
    Zero(usize),
    Text(&'a [u8]),
    Hex(&'a [u8]),
}

fn write_piece(f: &mut dyn Write, piece: &Piece<'_>) -> fmt::Result {
    match piece {
        Piece::Zero(n) => write!(f, "zero {n}"),
        Piece::Text(t) => write!(f, "{}", Bytes(t)),
        Piece::Hex(h) => {
            f.write_str("0x")?;
            h.iter().try_for_each(|b| write!(f, "{b:02x}"))
        }
    }
}

/// Cuts contents into what reads well: long runs of zeros, text, the rest in hexadecimal.
fn data_pieces(bytes: &[u8]) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let zeros = rest.iter().take_while(|&&b| b == 0).count();
        if zeros >= ZERO_RUN {
            pieces.push(Piece::Zero(zeros));
            rest = &rest[zeros..];
            continue;
        }
        // Up to the next long run of zeros.
        let mut end = 0;
        let mut run = 0;
        while end < rest.len() && run < ZERO_RUN {
            run = if rest[end] == 0 { run + 1 } else { 0 };
            end += 1;
        }
        if run == ZERO_RUN {
            end -= ZERO_RUN;
        }
        let (chunk, tail) = rest.split_at(end);
        let printable =
            chunk.iter().filter(|b| b.is_ascii_graphic() || matches!(b, b' ' | b'\n' | b'\t')).count();
        if printable * 4 >= chunk.len() * 3 {
            pieces.extend(chunk.chunks(TEXT_LINE).map(Piece::Text));
        } else {
            pieces.extend(chunk.chunks(HEX_LINE).map(Piece::Hex));
        }
        rest = tail;
    }
    pieces
}

fn write_function(f: &mut dyn Write, module: &Module, locs: &LocNumbers, func: &Function) -> fmt::Result {
    write!(f, "func {} {} {}", func.side.name(), func.linkage.name(), Name(&func.name))?;
    if func.display_name != func.name {
        write!(f, " {}", Quoted(func.display_name.as_bytes()))?;
    }
    write!(f, " {}", Sig(&func.sig))?;
    let FuncAttrs {
        noinline,
        always_inline,
        noreturn,
        noexcept,
        noexcept_unknown,
        returns_twice,
        launch_bounds,
        max_cluster,
        cluster_dims: [x, y, z],
        texels,
        barrier,
    } = func.attrs;
    for (set, name) in [
        (noinline, "noinline"),
        (always_inline, "always_inline"),
        (noreturn, "noreturn"),
        (noexcept, "noexcept"),
        (noexcept_unknown, "noexcept_unknown"),
        (returns_twice, "returns_twice"),
    ] {
        if set {
            write!(f, " {name}")?;
        }
    }
    if let Some(texels) = texels {
        write!(f, " {}", texels.name())?;
    }
    if let Some(barrier) = barrier {
        write!(f, " {}", barrier.name())?;
    }
    if !func.param_names.is_empty() {
        f.write_str(" params(")?;
        for (n, name) in func.param_names.iter().enumerate() {
            f.write_str(if n == 0 { "" } else { ", " })?;
            write!(f, "{}", Quoted(name.as_bytes()))?;
        }
        f.write_char(')')?;
    }
    if launch_bounds != [0, 0] {
        write!(f, " launch_bounds({}, {})", launch_bounds[0], launch_bounds[1])?;
    }
    if max_cluster != 0 {
        write!(f, " max_cluster({max_cluster})")?;
    }
    if [x, y, z] != [0; 3] {
        write!(f, " cluster_dims({x}, {y}, {z})")?;
    }
    write_loc(f, locs, func.loc)?;
    if func.is_declaration() {
        return f.write_char('\n');
    }
    f.write_str(" {\n")?;
    for (slot, s) in &func.slots {
        write!(f, "  {slot}: {} {} align {}", s.space, s.size, 1u64 << s.align_log2.min(63))?;
        if !s.name.is_empty() {
            write!(f, " {}", Quoted(s.name.as_bytes()))?;
        }
        if let Some((offset, whole)) = s.part {
            write!(f, " part {offset} of {whole}")?;
        }
        write_source_type(f, s.ty.as_ref())?;
        write_loc(f, locs, s.loc)?;
        f.write_char('\n')?;
    }
    let numbers = FuncNumbers::new(func);
    for (i, &block) in func.layout.iter().enumerate() {
        if i > 0 || !func.slots.is_empty() {
            f.write_char('\n')?;
        }
        write!(f, "block{i}")?;
        let params = func.block_params(block);
        for (n, &v) in params.iter().enumerate() {
            f.write_str(if n == 0 { "(" } else { ", " })?;
            write!(f, "{}: {}", numbers.values[v].expand().unwrap_or(v), func.value_type(v))?;
        }
        f.write_str(if params.is_empty() { ":\n" } else { "):\n" })?;
        for &inst in func.block_insts(block) {
            f.write_str("  ")?;
            write_inst(f, module, func, &numbers, Some(locs), inst)?;
            f.write_char('\n')?;
        }
    }
    f.write_str("}\n")
}

/// A signature: `(i32, ptr.generic byval(16, 8), ...) -> i32`.
pub(super) struct Sig<'a>(pub &'a Signature);

impl fmt::Display for Sig<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Signature { params, ret, variadic } = self.0;
        f.write_char('(')?;
        for (n, &Param { ty, attr }) in params.iter().enumerate() {
            if n > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{ty}")?;
            let (name, size, align) = match attr {
                ParamAttr::None => continue,
                ParamAttr::ByVal { size, align_log2 } => ("byval", size, align_log2),
                ParamAttr::SRet { size, align_log2 } => ("sret", size, align_log2),
            };
            write!(f, " {name}({size}, {})", 1u64 << align.min(63))?;
        }
        if *variadic {
            f.write_str(if params.is_empty() { "..." } else { ", ..." })?;
        }
        f.write_char(')')?;
        match ret {
            Some(ty) => write!(f, " -> {ty}"),
            None => Ok(()),
        }
    }
}

/// A symbol: `@main`, quoted where it holds unusual characters.
pub(super) struct Name<'a>(pub &'a str);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
        if !self.0.is_empty() && self.0.chars().all(plain) {
            write!(f, "@{}", self.0)
        } else {
            write!(f, "@{}", Quoted(self.0.as_bytes()))
        }
    }
}

/// The name of a function; a bad id prints as a quoted placeholder, for the verifier to report.
pub(super) struct FuncName<'a>(pub &'a Module, pub FuncId);

impl fmt::Display for FuncName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.funcs.get(self.1) {
            Some(func) => Name(&func.name).fmt(f),
            None => write!(f, "@\"<no {}>\"", self.1),
        }
    }
}

/// The name of a variable; a bad id prints as a quoted placeholder.
pub(super) struct GlobalName<'a>(pub &'a Module, pub GlobalId);

impl fmt::Display for GlobalName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.globals.get(self.1) {
            Some(g) => Name(&g.name).fmt(f),
            None => write!(f, "@\"<no {}>\"", self.1),
        }
    }
}

/// A string in quotes. Valid UTF-8 stays readable; control characters are escaped.
pub(super) struct Quoted<'a>(pub &'a [u8]);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for chunk in self.0.utf8_chunks() {
            for c in chunk.valid().chars() {
                match c {
                    '"' => f.write_str("\\\"")?,
                    '\\' => f.write_str("\\\\")?,
                    '\n' => f.write_str("\\n")?,
                    '\t' => f.write_str("\\t")?,
                    ' ' => f.write_char(' ')?,
                    c if c.is_control() || c.is_whitespace() => write!(f, "\\u{{{:x}}}", c as u32)?,
                    c => f.write_char(c)?,
                }
            }
            chunk.invalid().iter().try_for_each(|b| write!(f, "\\x{b:02x}"))?;
        }
        f.write_char('"')
    }
}

/// Bytes in quotes: all but printable ASCII is escaped.
struct Bytes<'a>(&'a [u8]);

impl fmt::Display for Bytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for &b in self.0 {
            match b {
                b'"' => f.write_str("\\\"")?,
                b'\\' => f.write_str("\\\\")?,
                b'\n' => f.write_str("\\n")?,
                b'\t' => f.write_str("\\t")?,
                b' '..=b'~' => f.write_char(b as char)?,
                b => write!(f, "\\x{b:02x}")?,
            }
        }
        f.write_char('"')
    }
}
