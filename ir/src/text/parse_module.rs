//! Parsing modules.
//!
//! The grammar has no recursion and every step consumes a token, so time, memory and stack grow at most
//! linearly with the text; what a few characters could make large is limited (see [`MAX_DATA_BYTES`],
//! [`MAX_LOC_CHAIN`]). The text is read in rounds, because items may refer to later ones: places, then
//! the heads of variables and functions, then contents and bodies.

use super::lex::{Tok, Token, hex_pair, lex};
use super::parse::{Cursor, Parse, entity_number};
use super::parse_inst::parse_body;
use super::source_type::{opt_source_type, parse_named_type};
use crate::entities::*;
use crate::function::{FuncAttrs, Function, Linkage, NumberedBarrier, Side, Texels};
use crate::loc::{LocData, Pos};
use crate::module::{Global, GlobalInit, Module, Reloc, RelocTarget};
use crate::types::Space;
use cranelift_entity::EntityRef;
use cranelift_entity::packed_option::PackedOption;
use rustc_hash::FxHashMap;
use std::fmt;

/// Bytes of initial contents that a text may hold in all.
pub const MAX_DATA_BYTES: u64 = 1 << 28;
/// How long a chain of places (macro expansions, inlined calls) may be.
pub const MAX_LOC_CHAIN: u32 = 1000;

/// Why a text is not a module, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The path given to [`parse_module`].
    pub path: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub col: u32,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.path, self.line, self.col, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Parses a text. The module is well formed in that every reference leads to something; whether it
/// obeys the rules of the IR is for [`crate::verify_module`] to say.
///
/// # Errors
///
/// The first place at which the text is not a module.
pub fn parse_module(text: &str, path: &str) -> Result<Module, ParseError> {
    let parsed = lex(text).and_then(|toks| parse_tokens(&toks));
    parsed.map_err(|(at, message)| {
        let before = &text.as_bytes()[..at.min(text.len())];
        let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |n| n + 1);
        ParseError {
            path: path.to_owned(),
            line: text.get(..at).unwrap_or(text).matches('\n').count() as u32 + 1,
            col: String::from_utf8_lossy(&before[line_start..]).chars().count() as u32 + 1,
            message,
        }
    })
}

/// Numbers that the text gives to places, and how long their chains are.
#[derive(Debug, Default)]
pub(super) struct Places {
    locs: FxHashMap<u32, (Loc, u32)>,
    files: FxHashMap<u32, FileId>,
}

impl Places {
    /// Takes ` @locN` if it is next on this line.
    pub(super) fn opt_loc(&self, c: &mut Cursor<'_, '_>) -> Parse<PackedOption<Loc>> {
        let Tok::Name(name) = c.peek() else { return Ok(None.into()) };
        if c.at_line_start() {
            return Ok(None.into());
        }
        let Some(n) = entity_number(name, "loc") else { return c.expected("a place such as `@loc0`") };
        let Some(&(loc, _)) = self.locs.get(&n) else {
            return c.error(format!("there is no `loc{n}`"));
        };
        c.bump();
        Ok(loc.into())
    }

    /// Takes `locN`, which must be known already.
    pub(super) fn loc(&self, c: &mut Cursor<'_, '_>) -> Parse<(Loc, u32)> {
        match c.peek_entity("loc").map(|n| (n, self.locs.get(&n))) {
            Some((_, Some(&known))) => {
                c.bump();
                Ok(known)
            }
            Some((n, None)) => c.error(format!("there is no `loc{n}` before this")),
            None => c.expected("a place such as `loc0`"),
        }
    }
}

/// Where the items of each sort begin.
#[derive(Default)]
struct Items {
    files: Vec<usize>,
    locs: Vec<usize>,
    globals: Vec<usize>,
    ctors: Vec<usize>,
    funcs: Vec<usize>,
    types: Vec<usize>,
}

fn split_items(toks: &[Token<'_>]) -> Parse<Items> {
    let mut items = Items::default();
    let mut depth = 0usize;
    let mut line = 0;
    for (i, t) in toks.iter().enumerate() {
        match &t.tok {
            Tok::Punct("{") => depth += 1,
            Tok::Punct("}") => match depth.checked_sub(1) {
                Some(d) => depth = d,
                None => return Err((t.at, "`}` without `{`".to_owned())),
            },
            Tok::End if depth > 0 => return Err((t.at, "a `}` is missing at the end".to_owned())),
            Tok::End => {}
            tok if depth == 0 && t.line != line => match tok {
                Tok::Word("global") => items.globals.push(i),
                Tok::Word("ctor") => items.ctors.push(i),
                Tok::Word("func") => items.funcs.push(i),
                Tok::Word("type") => items.types.push(i),
                Tok::Word(w) if entity_number(w, "file").is_some() => items.files.push(i),
                Tok::Word(w) if entity_number(w, "loc").is_some() => items.locs.push(i),
                tok => {
                    let what = "`func`, `global`, `ctor`, `type`, `fileN` or `locN`";
                    return Err((t.at, format!("expected {what}, found {}", tok.describe())));
                }
            },
            _ => {}
        }
        line = t.line;
    }
    Ok(items)
}

fn parse_tokens(toks: &[Token<'_>]) -> Parse<Module> {
    let items = split_items(toks)?;
    let mut module = Module::new();
    let mut places = Places::default();
    for &i in &items.files {
        parse_file(&mut Cursor::new(toks, i), &mut module, &mut places)?;
    }
    for &i in &items.locs {
        parse_loc(&mut Cursor::new(toks, i), &mut module, &mut places)?;
    }
    for &i in &items.types {
        let mut c = Cursor::new(toks, i);
        parse_named_type(&mut c, &mut module)?;
        end_of_item(&c)?;
    }
    let mut inits = Vec::new();
    for &i in &items.globals {
        let mut c = Cursor::new(toks, i);
        let id = parse_global_head(&mut c, &mut module)?;
        inits.push((id, c));
    }
    let mut bodies = Vec::new();
    for &i in &items.funcs {
        let mut c = Cursor::new(toks, i);
        let id = parse_func_head(&mut c, &mut module, &places)?;
        if c.eat("{") {
            bodies.push((id, c));
        } else {
            end_of_item(&c)?;
        }
    }
    let mut budget = MAX_DATA_BYTES;
    for (id, mut c) in inits {
        module.globals[id].init = parse_init(&mut c, &module, id, &mut budget)?;
        module.globals[id].loc = places.opt_loc(&mut c)?;
        end_of_item(&c)?;
    }
    for &i in &items.ctors {
        let mut c = Cursor::new(toks, i);
        c.bump();
        let func = func_ref(&mut c, &module)?;
        module.ctors.push(func);
        end_of_item(&c)?;
    }
    for (id, mut c) in bodies {
        let func = parse_body(&mut c, &mut module, &places, id)?;
        module.funcs[id] = func;
        end_of_item(&c)?;
    }
    Ok(module)
}

fn end_of_item(c: &Cursor<'_, '_>) -> Parse<()> {
    if c.at_line_start() { Ok(()) } else { c.expected("the end of the line") }
}

/// Takes the name of a function that the text declares or defines.
pub(super) fn func_ref(c: &mut Cursor<'_, '_>, module: &Module) -> Parse<FuncId> {
    let at = c.at();
    let name = c.name()?;
    module.func_by_name(&name).ok_or_else(|| (at, format!("there is no function `{name}`")))
}

/// Takes the name of a variable that the text declares or defines.
pub(super) fn global_ref(c: &mut Cursor<'_, '_>, module: &Module) -> Parse<GlobalId> {
    let at = c.at();
    let name = c.name()?;
    module.global_by_name(&name).ok_or_else(|| (at, format!("there is no variable `{name}`")))
}

fn parse_file(c: &mut Cursor<'_, '_>, module: &mut Module, places: &mut Places) -> Parse<()> {
    let at = c.at();
    let n = c.entity("file")?;
    c.expect("=")?;
    let path = c.string()?;
    let id = module.source.file(&path, None);
    if places.files.insert(n, id).is_some() {
        return Err((at, format!("`file{n}` is defined twice")));
    }
    end_of_item(c)
}

fn parse_loc(c: &mut Cursor<'_, '_>, module: &mut Module, places: &mut Places) -> Parse<()> {
    let at = c.at();
    let n = c.entity("loc")?;
    c.expect("=")?;
    let file_at = c.at();
    let file = c.entity("file")?;
    let Some(&file) = places.files.get(&file) else {
        return Err((file_at, format!("there is no `file{file}`")));
    };
    c.expect(":")?;
    let start = parse_pos(c)?;
    c.expect("-")?;
    let end = parse_pos(c)?;
    let mut chain = 0;
    let mut link = |c: &mut Cursor<'_, '_>, word: &str| -> Parse<PackedOption<Loc>> {
        if !c.eat_word(word) {
            return Ok(None.into());
        }
        // Only places before this one are known: chains have no cycles.
        let (loc, length) = places.loc(c)?;
        chain = chain.max(length + 1);
        if chain > MAX_LOC_CHAIN {
            return c.error(format!("a chain of more than {MAX_LOC_CHAIN} places"));
        }
        Ok(loc.into())
    };
    let spelling = link(c, "spelling")?;
    let inlined_at = link(c, "inlined")?;
    let loc = module.source.intern(LocData { file, start, end, spelling, inlined_at });
    if places.locs.insert(n, (loc, chain)).is_some() {
        return Err((at, format!("`loc{n}` is defined twice")));
    }
    end_of_item(c)
}

fn parse_pos(c: &mut Cursor<'_, '_>) -> Parse<Pos> {
    let line = c.number("a line")?;
    c.expect(":")?;
    let col = c.number("a column")?;
    Ok(Pos { line, col })
}

fn linkage(c: &mut Cursor<'_, '_>) -> Parse<Linkage> {
    c.keyword("`internal`, `external` or `weak`", |w| {
        [Linkage::Internal, Linkage::External, Linkage::Weak].into_iter().find(|l| l.name() == w)
    })
}

/// Everything of a variable up to and with `=`.
fn parse_global_head(c: &mut Cursor<'_, '_>, module: &mut Module) -> Parse<GlobalId> {
    c.bump();
    let linkage = linkage(c)?;
    let name_at = c.at();
    let name = c.name()?;
    if module.global_by_name(&name).is_some() {
        return Err((name_at, format!("the variable `{name}` is defined twice")));
    }
    let display_name = c.opt_string()?.unwrap_or_else(|| name.clone());
    let space = c.keyword("a memory space", Space::from_name)?;
    let size = c.number("a size")?;
    let align_log2 = c.align()?;
    let constant = c.eat_word("constant");
    let dynamic = c.eat_word("dynamic");
    let ty = opt_source_type(c)?;
    c.expect("=")?;
    Ok(module.add_global(Global {
        name,
        display_name,
        space,
        size,
        align_log2,
        linkage,
        constant,
        dynamic,
        init: GlobalInit::Extern,
        loc: None.into(),
        ty,
    }))
}

fn parse_init(c: &mut Cursor<'_, '_>, module: &Module, id: GlobalId, budget: &mut u64) -> Parse<GlobalInit> {
    let at = c.at();
    match c.word("`extern`, `uninit`, `zero` or `data`")? {
        "extern" => return Ok(GlobalInit::Extern),
        "uninit" => return Ok(GlobalInit::Uninit),
        "zero" => return Ok(GlobalInit::Zero),
        "data" => {}
        _ => return Err((at, "expected `extern`, `uninit`, `zero` or `data`".to_owned())),
    }
    c.expect("{")?;
    let (mut bytes, mut relocs) = (Vec::new(), Vec::new());
    let size = module.globals[id].size;
    let mut take = |c: &Cursor<'_, '_>, have: usize, more: u64| -> Parse<()> {
        let room = size.saturating_sub(have as u64);
        if more > room {
            return c.error(format!("more contents than the variable's {size} bytes"));
        }
        *budget = match budget.checked_sub(more) {
            Some(b) => b,
            None => return c.error(format!("more than {MAX_DATA_BYTES} bytes of contents")),
        };
        Ok(())
    };
    while !c.eat("}") {
        match c.peek() {
            Tok::Str(s) => {
                take(c, bytes.len(), s.len() as u64)?;
                bytes.extend_from_slice(s);
                c.bump();
            }
            Tok::Num(n) => {
                let digits = n.strip_prefix("0x").filter(|d| d.len() % 2 == 0);
                let Some(digits) = digits else {
                    return c.expected("pairs of hexadecimal digits after `0x`");
                };
                take(c, bytes.len(), digits.len() as u64 / 2)?;
                for pair in digits.as_bytes().chunks_exact(2) {
                    match hex_pair(pair[0], pair[1]) {
                        Some(b) => bytes.push(b),
                        None => return c.expected("pairs of hexadecimal digits after `0x`"),
                    }
                }
                c.bump();
            }
            Tok::Word("zero") => {
                c.bump();
                let n: u64 = c.number("a number of zero bytes")?;
                take(c, bytes.len(), n)?;
                bytes.resize(bytes.len() + n as usize, 0);
            }
            Tok::Word("at") => {
                c.bump();
                let offset = c.number("an offset")?;
                c.expect(":")?;
                let target = match c.word("`func` or `global`")? {
                    "func" => RelocTarget::Func(func_ref(c, module)?),
                    "global" => RelocTarget::Global(global_ref(c, module)?),
                    _ => return c.error("expected `func` or `global`"),
                };
                let negative = c.eat("-");
                if !negative {
                    c.expect("+")?;
                }
                let n: u64 = c.number("an offset")?;
                let addend = if negative { -i128::from(n) } else { i128::from(n) };
                let Ok(addend) = i64::try_from(addend) else {
                    return c.error("an offset outside the range of 64 bits");
                };
                relocs.push(Reloc { offset, target, addend });
            }
            _ => return c.expected("contents: a string, `0x…`, `zero N`, `at N: …`, or `}`"),
        }
    }
    if bytes.len() as u64 != size {
        return Err((at, format!("{} bytes of contents for a variable of {size}", bytes.len())));
    }
    Ok(GlobalInit::Data { bytes, relocs })
}

/// Everything of a function up to its body.
fn parse_func_head(c: &mut Cursor<'_, '_>, module: &mut Module, places: &Places) -> Parse<FuncId> {
    c.bump();
    let side = c.keyword("`host`, `device` or `kernel`", |w| {
        [Side::Host, Side::Device, Side::Kernel].into_iter().find(|s| s.name() == w)
    })?;
    let linkage = linkage(c)?;
    let name_at = c.at();
    let name = c.name()?;
    if module.func_by_name(&name).is_some() {
        return Err((name_at, format!("the function `{name}` is defined twice")));
    }
    let display_name = c.opt_string()?.unwrap_or_else(|| name.clone());
    let sig = c.signature()?;
    let mut attrs = FuncAttrs::default();
    let mut param_names = Vec::new();
    while !c.at_line_start() {
        if c.eat_word("noinline") {
            attrs.noinline = true;
        } else if c.eat_word("always_inline") {
            attrs.always_inline = true;
        } else if c.eat_word("noreturn") {
            attrs.noreturn = true;
        } else if c.eat_word("noexcept") {
            attrs.noexcept = true;
        } else if c.eat_word("noexcept_unknown") {
            attrs.noexcept_unknown = true;
        } else if c.eat_word("returns_twice") {
            attrs.returns_twice = true;
        } else if let Some(texels) = Texels::ALL.into_iter().find(|t| c.eat_word(t.name())) {
            attrs.texels = Some(texels);
        } else if let Some(barrier) = NumberedBarrier::ALL.into_iter().find(|b| c.eat_word(b.name())) {
            attrs.barrier = Some(barrier);
        } else if c.eat_word("params") {
            for n in 0..sig.params.len() {
                c.expect(if n == 0 { "(" } else { "," })?;
                match c.opt_string()? {
                    Some(name) => param_names.push(name),
                    None => return c.error("expected the name of a parameter"),
                }
            }
            c.expect(")")?;
        } else if c.eat_word("launch_bounds") {
            c.expect("(")?;
            let threads = c.number("a number of threads")?;
            c.expect(",")?;
            let blocks = c.number("a number of blocks")?;
            c.expect(")")?;
            attrs.launch_bounds = [threads, blocks];
        } else if c.eat_word("max_cluster") {
            c.expect("(")?;
            attrs.max_cluster = c.number("a number of blocks")?;
            c.expect(")")?;
        } else if c.eat_word("cluster_dims") {
            for (n, dim) in attrs.cluster_dims.iter_mut().enumerate() {
                c.expect(if n == 0 { "(" } else { "," })?;
                *dim = c.number("a number of blocks")?;
            }
            c.expect(")")?;
        } else {
            break;
        }
    }
    let mut func = Function::new(name, side, sig);
    func.display_name = display_name;
    func.param_names = param_names;
    func.linkage = linkage;
    func.attrs = attrs;
    func.loc = places.opt_loc(c)?;
    if module.funcs.len() >= FuncId::from_u32(u32::MAX - 1).index() {
        return c.error("too many functions");
    }
    Ok(module.add_func(func))
}
