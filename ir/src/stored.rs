//! What memory goes by that a call allocates: the variable or member in which its address is stored first.
//!
//! Transforms keep places, but neither variables nor what is stored where; so this is asked of a module before them, and kept
//! by the place of the call.

use crate::*;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Names by the place of the call.
pub type Stored = FxHashMap<LocData, Arc<str>>;

/// Functions that allocate memory and return its address.
const ALLOCATORS: [&str; 12] = [
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "aligned_alloc",
    "strdup",
    "_Znwm",
    "_Znam",
    "_ZnwmSt11align_val_t",
    "_ZnamSt11align_val_t",
    "_ZnwmRKSt9nothrow_t",
    "_ZnamRKSt9nothrow_t",
];

/// Longer expressions are no names, in characters.
const MAX_NAME: usize = 24;

/// Finds the names in a module as the frontend wrote it.
pub fn stored(module: &Module) -> Stored {
    let mut out = Stored::default();
    let is_allocator = |id: FuncId| {
        let name = module.funcs[id].name.as_str();
        // A function of host and device has another symbol on the device.
        ALLOCATORS
            .iter()
            .any(|a| name.strip_prefix(a).is_some_and(|rest| rest.is_empty() || rest == "$device"))
    };
    let allocators: Vec<FuncId> = module.funcs.keys().filter(|&id| is_allocator(id)).collect();
    if allocators.is_empty() {
        return out;
    }
    for func in module.funcs.values() {
        of_function(module, func, &allocators, &mut out);
    }
    out
}

fn of_function(module: &Module, func: &Function, allocators: &[FuncId], out: &mut Stored) {
    let mut seen: EntitySet<Inst> = EntitySet::new();
    for inst in func.layout.iter().flat_map(|&b| func.block_insts(b)) {
        let InstData::Store { value, ptr, .. } = func.insts[*inst] else { continue };
        let Some(call) = called(func, value) else { continue };
        let InstData::Call { func: callee, .. } = func.insts[call] else { continue };
        // The first store decides.
        if !allocators.contains(&callee) || !seen.insert(call) {
            continue;
        }
        if let Some(loc) = func.locs[call].expand()
            && let Some(name) = name(module, func, ptr, func.locs[*inst].expand())
        {
            out.entry(module.source.source_place(loc)).or_insert(name);
        }
    }
}

/// The call that an address comes from: `new[]` keeps the number of elements in front of them.
fn called(func: &Function, mut value: Value) -> Option<Inst> {
    loop {
        let inst = func.def_inst(value)?;
        match func.insts[inst] {
            InstData::Call { .. } => return Some(inst),
            InstData::Cast { arg, .. } => value = arg,
            InstData::PtrAdd { ptr, offset } if func.const_int(offset).is_some() => value = ptr,
            _ => return None,
        }
    }
}

/// What the program calls the place at an address to which the assignment at `loc` stores.
fn name(module: &Module, func: &Function, ptr: Value, loc: Option<Loc>) -> Option<Arc<str>> {
    let inst = func.def_inst(ptr)?;
    match func.insts[inst] {
        InstData::SlotAddr { slot } => {
            let name = &func.slots[slot].name;
            // The memory of a function that hands it on is its caller's.
            (!name.is_empty() && !is_returned(func, slot)).then(|| name.as_str().into())
        }
        InstData::GlobalAddr { global } => {
            let name = &module.globals[global].display_name;
            (!name.is_empty()).then(|| name.as_str().into())
        }
        _ => {
            let loc = loc?;
            let place = &module.source.locs[loc];
            if place.spelling.is_some() || module.source.files[place.file].library {
                return None;
            }
            assigned(&module.source.text(loc)?).map(Into::into)
        }
    }
}

/// The place to which an assignment with this text stores, if it is a name, however its brackets and blanks are written.
fn assigned(text: &str) -> Option<String> {
    let left = text.split_once('=')?.0.replace("<:", "[").replace(":>", "]");
    let mut name = String::new();
    for word in left.split_whitespace() {
        // `a [1]` is `a[1]`; `int *a` is a declaration.
        let joins = |c: char| "[].->".contains(c);
        if !name.is_empty() && !name.ends_with(joins) && !word.starts_with(joins) {
            return None;
        }
        name.push_str(word);
    }
    let plain = |c: char| c.is_alphanumeric() || "_.->[]*:".contains(c);
    // The first `=` of `a[b == c] = …` is not the assignment.
    let is_whole = name.matches('[').count() == name.matches(']').count();
    (is_whole && name.chars().count() <= MAX_NAME && name.chars().all(plain)).then_some(name)
}

/// Whether a function returns what a variable holds.
fn is_returned(func: &Function, slot: Slot) -> bool {
    let holds = |mut value: Value| {
        loop {
            let Some(inst) = func.def_inst(value) else { return false };
            match func.insts[inst] {
                InstData::Cast { arg, .. } => value = arg,
                InstData::Load { ptr, .. } => {
                    let at = func.def_inst(ptr).map(|inst| &func.insts[inst]);
                    return matches!(at, Some(&InstData::SlotAddr { slot: s }) if s == slot);
                }
                _ => return false,
            }
        }
    };
    func.layout.iter().filter_map(|&b| func.terminator(b)).any(|inst| {
        let mut found = false;
        if matches!(func.insts[inst], InstData::Return { .. }) {
            func.for_each_arg(inst, |v| found |= holds(v));
        }
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names in functions whose bodies are these.
    fn names(body: &str) -> Vec<String> {
        let text = format!(
            "func host external @f () -> ptr.generic {{\n  slot0: host 8 align 8 \"rows\"\n\nblock0:\n{body}\n}}\n\n\
             func host external @malloc (i64) -> ptr.generic\n\nfunc host external @other (i64) -> ptr.generic\n\n\
             file0 = \"a.c\"\nloc0 = file0:1:1-1:9\n"
        );
        let module = parse_module(&text, "a.cir").unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        stored(&module).into_values().map(|name| name.to_string()).collect()
    }

    #[test]
    fn a_name_is_the_same_however_it_is_written() {
        for text in ["t->a[1] = x", "t -> a [ 1 ]= x", "t->a<:1:>=x", "t->a\n  <: 1 :> = x"] {
            assert_eq!(assigned(text).as_deref(), Some("t->a[1]"), "{text}");
        }
        for text in ["t->a[b == c] = x", "int *a[2] = {x}", "f(x)->a = x", "x", "t->a[b >= c] = x"] {
            assert_eq!(assigned(text), None, "{text}");
        }
    }

    #[test]
    fn memory_goes_by_the_variable_that_holds_it() {
        let head = "  v0 = slot_addr slot0\n  v1 = const.i64 8\n";
        let call = |name: &str| {
            format!("{head}  v2 = call @{name}(v1) site0 @loc0\n  store.ptr.generic v2, v0 site1\n")
        };
        let null = "  return v0";
        assert_eq!(names(&(call("malloc") + null)), ["rows"]);
        assert!(names(&(call("other") + null)).is_empty());
        // It is the caller's.
        assert!(names(&(call("malloc") + "  v3 = load.ptr.generic v0 site2\n  return v3")).is_empty());
    }
}
