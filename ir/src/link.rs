//! Linking: several modules, one per translation unit, become one.
//!
//! As a linker does it: a declaration finds its definition by name; two weak definitions are one, a
//! strong one goes before them; two strong ones are an error; internal names that would clash are
//! renamed. Unlike a linker of object files this one sees types, so that a declaration that disagrees
//! with the definition is an error instead of a crash at run time.

use crate::entities::*;
use crate::function::{Function, Linkage};
use crate::inst::Part;
use crate::loc::LocData;
use crate::module::{Global, GlobalInit, Module, RelocTarget};
use crate::source_type::{FieldType, NamedType, RecordType, SourceType};
use cranelift_entity::packed_option::{PackedOption, ReservedValue};
use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::sync::Arc;

/// Why modules do not fit together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkError {
    /// The symbol.
    pub name: String,
    /// What is wrong.
    pub message: String,
    /// The places concerned, the later one first, as (path, start of the range).
    pub places: Vec<(String, crate::loc::Pos)>,
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (path, pos) in self.places.iter().take(1) {
            write!(f, "{path}:{}:{}: ", pos.line, pos.col)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for LinkError {}

/// What a symbol is so far.
struct Symbol<Id> {
    id: Id,
    defined: bool,
    weak: bool,
    /// Where it stands, in the linked module.
    loc: PackedOption<Loc>,
}

/// What another declaration of a symbol means.
struct Meeting {
    /// It is the one to keep.
    keep: bool,
    /// Both define the symbol.
    twice: bool,
}

impl<Id> Symbol<Id> {
    /// Another declaration of it, which takes its place where it says more.
    fn meet(&mut self, defined: bool, weak: bool, loc: PackedOption<Loc>) -> Meeting {
        let keep = defined && (!self.defined || (self.weak && !weak));
        let twice = defined && self.defined && !weak && !self.weak;
        if keep {
            (self.defined, self.weak, self.loc) = (defined, weak, loc);
        }
        Meeting { keep, twice }
    }
}

#[derive(Default)]
struct Linker {
    out: Module,
    funcs: FxHashMap<String, Symbol<FuncId>>,
    globals: FxHashMap<String, Symbol<GlobalId>>,
    /// Names that are visible everywhere: no internal one may take them.
    taken_funcs: FxHashSet<String>,
    taken_globals: FxHashSet<String>,
    errors: Vec<LinkError>,
}

/// What one module's entities are called in the linked one.
#[derive(Default)]
struct Maps {
    locs: SecondaryMap<Loc, PackedOption<Loc>>,
    funcs: PrimaryMap<FuncId, FuncId>,
    globals: PrimaryMap<GlobalId, GlobalId>,
    sigs: PrimaryMap<SigId, SigId>,
    messages: PrimaryMap<Message, Message>,
    /// New names of structures, unions and enumerations, where another type has their name.
    types: FxHashMap<Arc<str>, Arc<str>>,
}

impl Maps {
    fn loc(&self, loc: PackedOption<Loc>) -> PackedOption<Loc> {
        loc.expand().and_then(|l| self.locs[l].expand()).into()
    }

    fn ty(&self, ty: &SourceType) -> SourceType {
        if self.types.is_empty() {
            return ty.clone();
        }
        ty.renamed(&|name| self.types.get(name).unwrap_or(name).clone())
    }

    /// Instructions that were removed stay in their function and may refer to what is gone.
    fn func(&self, func: FuncId) -> FuncId {
        self.funcs.get(func).copied().unwrap_or(FuncId::reserved_value())
    }

    fn global(&self, global: GlobalId) -> GlobalId {
        self.globals.get(global).copied().unwrap_or(GlobalId::reserved_value())
    }
}

/// Links modules in the order given, which is also the order of their constructors.
///
/// # Errors
///
/// Every symbol that is defined twice or declared in ways that do not fit together.
pub fn link(mut modules: Vec<Module>) -> Result<Module, Vec<LinkError>> {
    if modules.len() == 1
        && let Some(only) = modules.pop()
    {
        return Ok(only);
    }
    let mut linker = Linker::default();
    for m in &modules {
        let funcs = m.funcs.values().filter(|f| f.linkage != Linkage::Internal);
        linker.taken_funcs.extend(funcs.map(|f| f.name.clone()));
        let globals = m.globals.values().filter(|g| g.linkage != Linkage::Internal);
        linker.taken_globals.extend(globals.map(|g| g.name.clone()));
    }
    // All names first, then bodies and contents: both refer to names of later modules.
    let mut pending = Vec::new();
    for mut m in modules {
        let mut maps = linker.places(&m);
        linker.types(&m, &mut maps);
        let mut inits = Vec::new();
        for g in m.globals.values_mut() {
            let (id, keep) = linker.global(g, &maps);
            maps.globals.push(id);
            if keep {
                inits.push((id, std::mem::replace(&mut g.init, GlobalInit::Extern)));
            }
        }
        let mut bodies = Vec::new();
        for func in m.funcs.values_mut() {
            let (id, keep) = linker.func(func, &maps);
            maps.funcs.push(id);
            if keep {
                let stub = Function::new("", func.side, func.sig.clone());
                bodies.push((id, std::mem::replace(func, stub)));
            }
        }
        for sig in m.sigs.values() {
            maps.sigs.push(linker.out.sig(sig));
        }
        for text in m.messages.values() {
            maps.messages.push(linker.out.message(text.clone()));
        }
        pending.push((m.ctors, maps, inits, bodies));
    }
    if !linker.errors.is_empty() {
        return Err(linker.errors);
    }
    let mut out = linker.out;
    for (ctors, maps, inits, bodies) in pending {
        // A strong definition follows the weak one that it replaces.
        for (id, mut init) in inits {
            if let GlobalInit::Data { relocs, .. } = &mut init {
                for r in relocs {
                    r.target = match r.target {
                        RelocTarget::Global(g) => RelocTarget::Global(maps.globals[g]),
                        RelocTarget::Func(f) => RelocTarget::Func(maps.funcs[f]),
                    };
                }
            }
            out.globals[id].init = init;
        }
        out.ctors.extend(ctors.iter().map(|&f| maps.funcs[f]));
        for (id, func) in bodies {
            let name = out.funcs[id].name.clone();
            out.funcs[id] = Function { name, ..remap(func, &maps) };
        }
    }
    Ok(out)
}

impl Linker {
    /// Takes over a module's files and places.
    fn places(&mut self, m: &Module) -> Maps {
        let mut maps = Maps::default();
        let source = &mut self.out.source;
        let files: PrimaryMap<FileId, FileId> =
            m.source.files.values().map(|f| source.file(&f.path, f.text.clone())).collect();
        for (loc, data) in &m.source.locs {
            // A place names only places before it.
            let new = source.intern(LocData {
                file: files[data.file],
                spelling: maps.loc(data.spelling),
                inlined_at: maps.loc(data.inlined_at),
                ..*data
            });
            maps.locs[loc] = new.into();
        }
        maps
    }

    /// Takes over a module's types. One that another type has the name of, such as a function's own, gets a new name.
    fn types(&mut self, m: &Module, maps: &mut Maps) {
        let known = &self.out.types;
        let differs = |name: &Arc<str>| known.get(name).is_some_and(|k| *k != m.types[name]);
        for name in m.types.keys().filter(|name| differs(name)) {
            let taken = |n: &str| known.contains_key(n) || m.types.contains_key(n);
            maps.types.insert(name.clone(), fresh(name, taken).into());
        }
        for (name, ty) in &m.types {
            let ty = match ty {
                NamedType::Record(r) => {
                    let fields =
                        r.fields.iter().map(|f| FieldType { ty: maps.ty(&f.ty), ..f.clone() }).collect();
                    NamedType::Record(RecordType { fields, ..r.clone() })
                }
                NamedType::Enum(_) => ty.clone(),
            };
            self.out.types.insert(maps.types.get(name).unwrap_or(name).clone(), ty);
        }
    }

    fn error(&mut self, name: &str, message: String, locs: [PackedOption<Loc>; 2]) {
        let source = &self.out.source;
        let places = locs
            .into_iter()
            .filter_map(PackedOption::expand)
            .map(|l| (source.files[source.locs[l].file].path.clone(), source.locs[l].start))
            .collect();
        self.errors.push(LinkError { name: name.to_owned(), message, places });
    }

    /// The entity of a variable in the linked module, and whether these contents are the ones to keep.
    fn global(&mut self, g: &Global, maps: &Maps) -> (GlobalId, bool) {
        let loc = maps.loc(g.loc);
        let ty = g.ty.as_ref().map(|ty| maps.ty(ty));
        let new = |name: String| Global { name, loc, init: GlobalInit::Extern, ty: ty.clone(), ..g.clone() };
        if g.linkage == Linkage::Internal {
            let name =
                fresh(&g.name, |n| self.taken_globals.contains(n) || self.out.global_by_name(n).is_some());
            return (self.out.add_global(new(name)), true);
        }
        let defined = g.init != GlobalInit::Extern;
        let weak = g.linkage == Linkage::Weak;
        let Some(symbol) = self.globals.get_mut(&g.name) else {
            let id = self.out.add_global(new(g.name.clone()));
            self.globals.insert(g.name.clone(), Symbol { id, defined, weak, loc });
            return (id, defined);
        };
        let (id, other) = (symbol.id, symbol.loc);
        let Meeting { keep, twice } = symbol.meet(defined, weak, loc);
        if twice {
            self.error(&g.name, format!("`{}` is defined twice", g.display_name), [loc, other]);
        }
        let old = &self.out.globals[id];
        if old.space != g.space {
            let (a, b) = (g.space, old.space);
            self.error(
                &g.name,
                format!("`{}` lies in {a} here and in {b} there", g.display_name),
                [loc, other],
            );
        }
        if keep {
            self.out.globals[id] = new(g.name.clone());
        }
        (id, keep)
    }

    /// The entity of a function in the linked module, and whether this body is the one to keep.
    fn func(&mut self, f: &Function, maps: &Maps) -> (FuncId, bool) {
        let loc = maps.loc(f.loc);
        let new = |name: String| {
            let mut stub = Function::new(name, f.side, f.sig.clone());
            stub.display_name.clone_from(&f.display_name);
            stub.linkage = f.linkage;
            stub.attrs = f.attrs;
            stub.loc = loc;
            stub
        };
        let defined = !f.is_declaration();
        if f.linkage == Linkage::Internal {
            let name = fresh(&f.name, |n| self.taken_funcs.contains(n) || self.out.func_by_name(n).is_some());
            return (self.out.add_func(new(name)), defined);
        }
        let weak = f.linkage == Linkage::Weak;
        let Some(symbol) = self.funcs.get_mut(&f.name) else {
            let id = self.out.add_func(new(f.name.clone()));
            self.funcs.insert(f.name.clone(), Symbol { id, defined, weak, loc });
            return (id, defined);
        };
        let (id, other) = (symbol.id, symbol.loc);
        let Meeting { keep, twice } = symbol.meet(defined, weak, loc);
        if twice {
            self.error(&f.name, format!("`{}` is defined twice", f.display_name), [loc, other]);
        }
        let old = &self.out.funcs[id];
        if old.side != f.side {
            let (a, b) = (f.side.name(), old.side.name());
            let message = format!("`{}` is a {a} function here and a {b} function there", f.display_name);
            self.error(&f.name, message, [loc, other]);
        } else if old.sig != f.sig {
            let message = format!("`{}` is declared with different types", f.display_name);
            self.error(&f.name, message, [loc, other]);
        }
        if keep {
            self.out.funcs[id] = new(f.name.clone());
        }
        (id, keep)
    }
}

/// `name`, or `name.1` and so on where that is taken.
fn fresh(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut new = name.to_owned();
    let mut n = 0u32;
    while taken(&new) {
        n += 1;
        new = format!("{name}.{n}");
    }
    new
}

/// A function with the linked module's entities.
fn remap(mut func: Function, maps: &Maps) -> Function {
    func.loc = maps.loc(func.loc);
    for s in func.slots.values_mut() {
        s.loc = maps.loc(s.loc);
        s.ty = s.ty.as_ref().map(|ty| maps.ty(ty));
    }
    for s in func.sites.values_mut() {
        s.loc = maps.loc(s.loc);
    }
    for i in 0..func.insts.len() {
        let inst = Inst::new(i);
        let loc = maps.loc(func.locs[inst]);
        func.locs[inst] = loc;
        func.insts[inst].visit(|part| match part {
            Part::Global(global) => *global = maps.global(*global),
            Part::Func(func) => *func = maps.func(*func),
            Part::Sig(sig) => *sig = maps.sigs[*sig],
            Part::Message(message) => *message = maps.messages[*message],
            // These are the function's own.
            Part::Value(_)
            | Part::Values(_)
            | Part::Target(_)
            | Part::Table(_)
            | Part::Site(_)
            | Part::Slot(_) => {}
        });
    }
    func
}

/// Removes the functions and variables that are not in the sets and renumbers the others. What is kept
/// must refer only to what is kept.
pub fn retain(module: &mut Module, funcs: &EntitySet<FuncId>, globals: &EntitySet<GlobalId>) {
    let mut old = std::mem::take(module);
    let mut maps = Maps::default();
    for loc in old.source.locs.keys() {
        maps.locs[loc] = loc.into();
    }
    for (id, sig) in &old.sigs {
        debug_assert_eq!(maps.sigs.next_key(), id);
        maps.sigs.push(module.sig(sig));
    }
    for (id, text) in old.messages {
        maps.messages.push(id);
        module.messages.push(text);
    }
    // Numbers first: contents and bodies refer to later entities.
    let (mut next_global, mut next_func) = (0, 0);
    for id in old.globals.keys() {
        let kept = globals.contains(id);
        maps.globals.push(if kept { GlobalId::new(next_global) } else { GlobalId::reserved_value() });
        next_global += usize::from(kept);
    }
    for id in old.funcs.keys() {
        let kept = funcs.contains(id);
        maps.funcs.push(if kept { FuncId::new(next_func) } else { FuncId::reserved_value() });
        next_func += usize::from(kept);
    }
    for (id, mut global) in old.globals {
        if !globals.contains(id) {
            continue;
        }
        if let GlobalInit::Data { relocs, .. } = &mut global.init {
            for r in relocs {
                r.target = match r.target {
                    RelocTarget::Global(g) => RelocTarget::Global(maps.globals[g]),
                    RelocTarget::Func(f) => RelocTarget::Func(maps.funcs[f]),
                };
            }
        }
        module.add_global(global);
    }
    for (id, func) in old.funcs {
        if funcs.contains(id) {
            module.add_func(remap(func, &maps));
        }
    }
    module.ctors = old.ctors.iter().filter(|&&f| funcs.contains(f)).map(|&f| maps.funcs[f]).collect();
    module.types = std::mem::take(&mut old.types);
    module.source = std::mem::take(&mut old.source);
    module.stored = std::mem::take(&mut old.stored);
}

/// A module with the bodies of only these functions. What they refer to is kept: other functions as
/// declarations, variables with their contents.
pub fn extract(module: &Module, wanted: &[FuncId]) -> Module {
    let mut out = module.clone();
    let mut funcs: EntitySet<FuncId> = EntitySet::new();
    let mut globals: EntitySet<GlobalId> = EntitySet::new();
    let mut pending = Vec::new();
    for &f in wanted {
        funcs.insert(f);
        let func = &module.funcs[f];
        for &inst in func.layout.iter().flat_map(|&b| func.block_insts(b)) {
            let function = |f| {
                funcs.insert(f);
            };
            func.insts[inst].for_each_symbol(function, |g| pending.push(g));
        }
    }
    while let Some(g) = pending.pop() {
        if !globals.insert(g) {
            continue;
        }
        if let GlobalInit::Data { relocs, .. } = &module.globals[g].init {
            for r in relocs {
                match r.target {
                    RelocTarget::Global(g) => pending.push(g),
                    RelocTarget::Func(f) => {
                        funcs.insert(f);
                    }
                }
            }
        }
    }
    for (id, func) in &mut out.funcs {
        if !wanted.contains(&id) && funcs.contains(id) {
            let mut stub = Function::new(func.name.clone(), func.side, func.sig.clone());
            stub.display_name.clone_from(&func.display_name);
            stub.linkage = func.linkage;
            stub.attrs = func.attrs;
            stub.loc = func.loc;
            *func = stub;
        }
    }
    out.ctors.retain(|f| wanted.contains(f));
    retain(&mut out, &funcs, &globals);
    out
}
