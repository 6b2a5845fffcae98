//! The compiled part of the library's exception classes: constructors, destructors and `what` by symbol.
//!
//! Those with a text keep a pointer to it behind the pointer to their table, which lowered code sets. Copies share the
//! text.

use super::exceptions::{LIBRARY, Library, throw_library, word};
use crate::Kept;
use crate::layout::element;
use cudair_engine::guest::{Guest, Host, runtime_object};
use cudair_engine::parts::HostProcess;
use cudair_engine::{Args, HostFn, Machine, ProcessFn, Ret};
use cudair_lane::fault::Stop;
use cudair_lane::ptr::Ptr;

/// Where the text is.
const TEXT: i64 = 8;

/// The class that a symbol `_ZN…`, `_ZNK…` names a member of, and the rest of the symbol.
fn member(symbol: &str) -> Option<(&'static str, &'static str, bool, &str)> {
    let rest = symbol.strip_prefix("_ZNK").or_else(|| symbol.strip_prefix("_ZN"))?;
    let others = [
        ("St9exception", "std::exception", false),
        ("St12bad_weak_ptr", "bad_weak_ptr", false),
        ("St19bad_optional_access", "bad optional access", false),
    ];
    LIBRARY
        .into_iter()
        .chain(others)
        .find_map(|(mangled, name, text)| Some((mangled, name, text, rest.strip_prefix(mangled)?)))
}

fn set_text(m: &mut HostProcess<'_>, a: &Args<'_>, text: &[u8]) -> Result<Ret, Stop> {
    let mut bytes = text.to_vec();
    bytes.push(0);
    let object = runtime_object(m, "text of an exception", &bytes, 1)?;
    m.libc.get_mut().exceptions.texts.insert(object, 1);
    Host::new(m, a, "std::exception").put(a.ptr(0).add(TEXT), object.0, 8)?;
    Ok(Ret::Void)
}

fn from_text(m: &mut HostProcess<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    let text = Host::new(m, a, "std::exception").cstr(a.ptr(1), None)?;
    set_text(m, a, &text)
}

fn from_string(m: &mut HostProcess<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    let h = &mut Host::new(m, a, "std::exception");
    // A string begins with the pointer to its text, and then how long that is.
    let (start, length) = (Ptr(h.word(a.ptr(1), 8)?), h.word(element::<u64>(a.ptr(1), 1), 8)?);
    let text = h.read(start, length)?;
    set_text(m, a, &text)
}

fn share(m: &mut HostProcess<'_>, a: &Args<'_>) -> Result<(), Stop> {
    let text = Ptr(word(m, a.ptr(1).add(TEXT))?);
    if let Some(count) = m.libc.get_mut().exceptions.texts.get_mut(&text) {
        *count += 1;
    }
    Host::new(m, a, "std::exception").put(a.ptr(0).add(TEXT), text.0, 8)
}

fn copy(m: &mut HostProcess<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    share(m, a)?;
    Ok(Ret::Void)
}

fn drop_text(m: &mut HostProcess<'_>, this: Ptr) -> Result<(), Stop> {
    let text = Ptr(word(m, this.add(TEXT))?);
    let texts = &mut m.libc.get_mut().exceptions.texts;
    if let Some(count) = texts.get_mut(&text) {
        *count -= 1;
        if *count == 0 {
            texts.remove(&text);
            m.mem.drop_object(text);
        }
    }
    Ok(())
}

fn assign(m: &mut HostProcess<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    if a.ptr(0) != a.ptr(1) {
        drop_text(m, a.ptr(0))?;
        share(m, a)?;
    }
    Ok(a.ptr(0).into())
}

fn destroy(m: &mut HostProcess<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    drop_text(m, a.ptr(0))?;
    Ok(Ret::Void)
}

fn what_text(m: &mut HostProcess<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    Ok(Ptr(word(m, a.ptr(0).add(TEXT))?).into())
}

fn what_name(m: &mut HostProcess<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    let symbol = m.module.funcs[a.func].name.clone();
    let name = match member(&symbol) {
        // As the library has it.
        Some(("St17bad_function_call", ..)) => "bad_function_call",
        Some((_, name, ..)) => name,
        None => "",
    };
    let key = format!("text {name}");
    if let Some(&known) = m.libc.get().objects.get(&key) {
        return Ok(known.into());
    }
    let object = runtime_object(m, "text of an exception", &[name.as_bytes(), &[0]].concat(), 1)?;
    m.libc.get_mut().objects.insert(key, object);
    Ok(object.into())
}

/// The functions by name.
pub(crate) fn lookup(name: &str) -> Option<HostFn> {
    if throws(name).is_some() {
        return Some(HostFn::Machine(throw_named));
    }
    if name == "_ZSt24__throw_out_of_range_fmtPKcz" {
        return Some(HostFn::Machine(throw_formatted));
    }
    const STRING: &str = "RKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE";
    let (_, _, text, rest) = member(name)?;
    let constructs = rest.strip_prefix("C1E").or_else(|| rest.strip_prefix("C2E"));
    let function: ProcessFn = match (rest, constructs) {
        ("D0Ev" | "D1Ev" | "D2Ev", _) if text => destroy,
        ("D0Ev" | "D1Ev" | "D2Ev", _) => |_, _| Ok(Ret::Void),
        ("4whatEv", _) if text => what_text,
        ("4whatEv", _) => what_name,
        ("aSERKS_" | "aSEOS_", _) if text => assign,
        (_, Some("PKc")) if text => from_text,
        (_, Some(STRING)) if text => from_string,
        (_, Some("RKS_" | "OS_")) if text => copy,
        (_, Some("v" | "RKS_" | "OS_")) if !text => |_, _| Ok(Ret::Void),
        _ => return None,
    };
    Some(HostFn::Process(function))
}

// The library's functions that throw.

/// `std::__throw_…`: the class, and where the text comes from.
fn throws(name: &str) -> Option<(Library, bool)> {
    Some(match name {
        "_ZSt19__throw_logic_errorPKc" => (Library::LogicError, true),
        "_ZSt20__throw_domain_errorPKc" => (Library::DomainError, true),
        "_ZSt24__throw_invalid_argumentPKc" => (Library::InvalidArgument, true),
        "_ZSt20__throw_length_errorPKc" => (Library::LengthError, true),
        "_ZSt20__throw_out_of_rangePKc" => (Library::OutOfRange, true),
        "_ZSt21__throw_runtime_errorPKc" => (Library::RuntimeError, true),
        "_ZSt19__throw_range_errorPKc" => (Library::RangeError, true),
        "_ZSt22__throw_overflow_errorPKc" => (Library::OverflowError, true),
        "_ZSt23__throw_underflow_errorPKc" => (Library::UnderflowError, true),
        "_ZSt17__throw_bad_allocv" => (Library::BadAlloc, false),
        "_ZSt28__throw_bad_array_new_lengthv" | "__cxa_throw_bad_array_new_length" => {
            (Library::BadArrayNewLength, false)
        }
        "_ZSt16__throw_bad_castv" | "__cxa_bad_cast" => (Library::BadCast, false),
        "_ZSt18__throw_bad_typeidv" | "__cxa_bad_typeid" => (Library::BadTypeid, false),
        "_ZSt25__throw_bad_function_callv" => (Library::BadFunctionCall, false),
        "_ZSt21__throw_bad_exceptionv" => (Library::BadException, false),
        _ => return None,
    })
}

fn throw_named(m: &mut Machine, a: &Args<'_>) -> Result<Ret, Stop> {
    let Some((class, has_text)) = throws(&m.module.funcs[a.func].name) else {
        return Err(Stop::internal("an exception of no class"));
    };
    let text = if has_text { Host::new(m, a, "std::exception").cstr(a.ptr(0), None)? } else { Vec::new() };
    Err(throw_library(m, a.place, class, &String::from_utf8_lossy(&text)))
}

/// `std::__throw_out_of_range_fmt`: `%s`, `%zu` and `%%` in the text.
fn throw_formatted(m: &mut Machine, a: &Args<'_>) -> Result<Ret, Stop> {
    let h = &mut Host::new(m, a, "std::__throw_out_of_range_fmt");
    let format = h.cstr(a.ptr(0), None)?;
    let (mut text, mut next, mut at) = (Vec::new(), 1, 0);
    while at < format.len() {
        let rest = &format[at..];
        if rest.starts_with(b"%zu") {
            text.extend(a.u64(next).to_string().into_bytes());
            (next, at) = (next + 1, at + 3);
        } else if rest.starts_with(b"%s") {
            text.extend(h.cstr(a.ptr(next), None)?);
            (next, at) = (next + 1, at + 2);
        } else if rest.starts_with(b"%%") {
            text.push(b'%');
            at += 2;
        } else {
            text.push(rest[0]);
            at += 1;
        }
    }
    Err(throw_library(m, a.place, Library::OutOfRange, &String::from_utf8_lossy(&text)))
}
