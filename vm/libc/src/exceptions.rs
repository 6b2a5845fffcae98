//! The run-time side of C++ exceptions: the functions of the Itanium C++ ABI that compiled code calls, the choice of
//! handlers, `std::exception_ptr`, and the end of a program that an exception ends.
//!
//! An exception is named by a *handle*: the object thrown itself, or for `std::rethrow_exception` a small object of
//! its own, so that one object can pass twice at a time. How a handle passes frames is the engine's matter
//! (`host/unwind.rs`).

use super::rtti;
use crate::layout::element;
use crate::{Functions, Kept};
use cudair_engine::guest::{Guest, Host, runtime_object};
use cudair_engine::library::Target;
use cudair_engine::parts::{HasMemory, HasProcess, HostMemory, HostProcess};
use cudair_engine::{Args, HostFn, Machine, Ret};
use cudair_ir::Kind;
use cudair_lane::fault::{AllocKind, Fault, Place, Stop};
use cudair_lane::ptr::Ptr;
use cudair_memory::{ByteAccess, InitState, LaneCx};
use rustc_hash::FxHashMap;

/// The exceptions of a thread.
#[derive(Debug, Default)]
pub(crate) struct ThreadExceptions {
    /// Those being handled, the innermost last.
    caught: Vec<Ptr>,
    /// How many pass.
    uncaught: u64,
}

/// What the run-time library knows of exceptions.
#[derive(Debug, Default)]
pub(crate) struct Exceptions {
    /// The exceptions that are alive, by handle.
    alive: FxHashMap<Ptr, Exception>,
    /// What the thread that runs has.
    own: ThreadExceptions,
    /// What `std::set_terminate` set.
    on_terminate: Ptr,
    terminating: bool,
    /// How many objects share each text of an exception of the library's.
    pub(super) texts: FxHashMap<Ptr, u32>,
}

#[derive(Clone, Copy, Debug)]
struct Exception {
    /// The object thrown.
    object: Ptr,
    type_info: Ptr,
    destructor: Ptr,
    /// How many share the object: the handlers, pointers to it.
    references: u64,
    /// Handlers that have begun and not ended; below zero when thrown again from the innermost.
    handlers: i64,
    /// What the handler chosen gets.
    adjusted: Ptr,
    /// Where it was thrown.
    place: Place,
    /// The frame that has a handler, once looked for.
    target: Target,
}

impl Exceptions {
    /// Another thread runs, which has these; gives those of the one that ran.
    pub(crate) fn exchange(&mut self, own: ThreadExceptions) -> ThreadExceptions {
        std::mem::replace(&mut self.own, own)
    }
}

/// The frame to which an exception was found to go.
pub(crate) fn target(m: &HostProcess<'_>, handle: Ptr) -> Target {
    m.libc.get().exceptions.alive.get(&handle).map_or(Target::Unknown, |e| e.target)
}

/// Notes where an exception goes.
pub(crate) fn set_target(m: &mut HostProcess<'_>, handle: Ptr, target: Target) {
    if let Some(e) = m.libc.get_mut().exceptions.alive.get_mut(&handle) {
        e.target = target;
    }
}

/// The number of the first handler of a table that takes an exception, 0 for none. What it gets is kept.
pub(crate) fn choose(m: &mut HostProcess<'_>, handle: Ptr, table: Ptr, entries: u64) -> Result<u64, Stop> {
    let Some(&e) = m.libc.get().exceptions.alive.get(&handle) else { return Ok(0) };
    for n in 0..entries {
        let entry = element::<[u64; 2]>(table, n);
        let wanted = Ptr(word(m, entry)?);
        let taken = if wanted.is_null() {
            Some(rtti::value_of(&mut m.memory(), e.type_info, e.object)?)
        } else {
            rtti::catches(&mut m.memory(), wanted, e.type_info, e.object)?
        };
        if let Some(adjusted) = taken {
            if let Some(e) = m.libc.get_mut().exceptions.alive.get_mut(&handle) {
                e.adjusted = adjusted;
            }
            return word(m, element::<u64>(entry, 1));
        }
    }
    Ok(0)
}

pub(super) fn word(m: &mut impl HasMemory, at: Ptr) -> Result<u64, Stop> {
    let HostMemory { mem, findings } = m.memory();
    let bytes = mem.read(&mut LaneCx::host(findings), ByteAccess::default(), at, 8)?;
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(&bytes);
    Ok(u64::from_le_bytes(word))
}

fn allocate(m: &mut HostProcess<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    let h = &mut Host::new(m, a, "throw");
    Ok(h.alloc(a.u64(0), 16, InitState::Uninit, AllocKind::Runtime)?.into())
}

/// `__cxa_throw`
fn throw(m: &mut HostProcess<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    Err(throw_object(m, a.ptr(0), a.ptr(1), a.ptr(2), a.place))
}

fn throw_object(m: &mut HostProcess<'_>, object: Ptr, type_info: Ptr, destructor: Ptr, place: Place) -> Stop {
    let e = Exception {
        object,
        type_info,
        destructor,
        references: 1,
        handlers: 0,
        adjusted: object,
        place,
        target: Target::Unknown,
    };
    m.libc.get_mut().exceptions.alive.insert(object, e);
    m.libc.get_mut().exceptions.own.uncaught += 1;
    Stop::Throw(object)
}

/// `throw;`
fn throw_again(m: &mut Machine, a: &Args<'_>) -> Result<Ret, Stop> {
    let state = &mut m.libc.get_mut().exceptions;
    let Some(&handle) = state.own.caught.last() else {
        return Err(terminate(m, None, a.place, "`throw` without an exception that is being handled"));
    };
    if let Some(e) = state.alive.get_mut(&handle) {
        e.handlers = -e.handlers.abs();
        e.target = Target::Unknown;
    }
    state.own.uncaught += 1;
    Err(Stop::Throw(handle))
}

fn begin_catch(m: &mut HostProcess<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    Ok(begin(m, a.ptr(0)).into())
}

fn begin(m: &mut HostProcess<'_>, handle: Ptr) -> Ptr {
    let state = &mut m.libc.get_mut().exceptions;
    state.own.uncaught = state.own.uncaught.saturating_sub(1);
    if state.own.caught.last() != Some(&handle) {
        state.own.caught.push(handle);
    }
    match state.alive.get_mut(&handle) {
        Some(e) => {
            e.handlers = e.handlers.abs() + 1;
            e.target = Target::Unknown;
            e.adjusted
        }
        None => Ptr::NULL,
    }
}

fn end_catch(m: &mut Machine, a: &Args<'_>) -> Result<Ret, Stop> {
    let state = &mut m.libc.get_mut().exceptions;
    let Some(&handle) = state.own.caught.last() else { return Ok(Ret::Void) };
    // A program that lets go of an exception more often than it holds it has none left here.
    let Some(e) = state.alive.get_mut(&handle) else { return Ok(Ret::Void) };
    if e.handlers < 0 {
        // It passes again, and whoever catches it next ends it.
        e.handlers += 1;
        if e.handlers == 0 {
            state.own.caught.pop();
        }
        return Ok(Ret::Void);
    }
    e.handlers -= 1;
    if e.handlers == 0 {
        state.own.caught.pop();
        release(m, handle, a.place)?;
    }
    Ok(Ret::Void)
}

/// One that shared an exception does no more: the last destroys it.
fn release(m: &mut Machine, handle: Ptr, place: Place) -> Result<(), Stop> {
    let Some(e) = m.libc.get_mut().exceptions.alive.get_mut(&handle) else { return Ok(()) };
    e.references = e.references.saturating_sub(1);
    if e.references > 0 {
        return Ok(());
    }
    let e = *e;
    m.libc.get_mut().exceptions.alive.remove(&handle);
    if handle != e.object {
        m.mem.drop_object(handle);
        return release(m, e.object, place);
    }
    let done = if e.destructor.is_null() {
        Ok(())
    } else {
        m.call_guest(e.destructor, &[e.object.0.into()], place).map(|_| ())
    };
    m.mem.drop_object(e.object);
    done
}

// `std::exception_ptr`, a pointer to the object thrown.

fn current_exception(m: &mut HostProcess<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    let state = &mut m.libc.get_mut().exceptions;
    let object = state.own.caught.last().and_then(|h| state.alive.get(h)).map_or(Ptr::NULL, |e| e.object);
    if let Some(e) = state.alive.get_mut(&object) {
        e.references += 1;
    }
    Host::new(m, a, "std::current_exception").put(a.ptr(0), object.0, 8)?;
    Ok(Ret::Void)
}

fn rethrow_exception(m: &mut Machine, a: &Args<'_>) -> Result<Ret, Stop> {
    let object = Ptr(word(m, a.ptr(0))?);
    let Some(&e) = m.libc.get().exceptions.alive.get(&object) else {
        return Err(terminate(m, None, a.place, "`std::rethrow_exception` is called without an exception"));
    };
    let handle = runtime_object(m, "exception", &[0; 8], 8)?;
    if let Some(e) = m.libc.get_mut().exceptions.alive.get_mut(&object) {
        e.references += 1;
    }
    let again = Exception { references: 1, handlers: 0, target: Target::Unknown, ..e };
    m.libc.get_mut().exceptions.alive.insert(handle, again);
    m.libc.get_mut().exceptions.own.uncaught += 1;
    Err(Stop::Throw(handle))
}

/// `std::make_exception_ptr` prepares an object that was not thrown.
fn init_primary(m: &mut HostProcess<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    let _ = throw_object(m, a.ptr(0), a.ptr(1), a.ptr(2), a.place);
    m.libc.get_mut().exceptions.own.uncaught -= 1;
    if let Some(e) = m.libc.get_mut().exceptions.alive.get_mut(&a.ptr(0)) {
        e.references = 0;
    }
    Ok(a.ptr(0).into())
}

fn pointer_to_exception(m: &mut Machine, a: &Args<'_>) -> Result<Ret, Stop> {
    let name = m.module.funcs[a.func].name.clone();
    let this = a.ptr(0);
    let method = name.strip_prefix("_ZNSt15__exception_ptr13exception_ptr").or_else(|| {
        // `const` methods
        name.strip_prefix("_ZNKSt15__exception_ptr13exception_ptr")
    });
    let add = |m: &mut Machine, object: Ptr| {
        if let Some(e) = m.libc.get_mut().exceptions.alive.get_mut(&object) {
            e.references += 1;
        }
    };
    let h = |m: &mut Machine, object: Ptr| Host::new(m, a, "std::exception_ptr").put(this, object.0, 8);
    let Some(method) = method else {
        return Err(Stop::internal(format!("`{name}` is taken for a method of `std::exception_ptr`")));
    };
    match method {
        "9_M_addrefEv" => {
            let object = Ptr(word(m, this)?);
            add(m, object);
        }
        "10_M_releaseEv" => {
            let object = Ptr(word(m, this)?);
            h(m, Ptr::NULL)?;
            release(m, object, a.place)?;
        }
        "C1EPv" | "C2EPv" => {
            add(m, a.ptr(1));
            h(m, a.ptr(1))?;
        }
        "C1Ev" | "C2Ev" => h(m, Ptr::NULL)?,
        "C1ERKS0_" | "C2ERKS0_" => {
            let object = Ptr(word(m, a.ptr(1))?);
            add(m, object);
            h(m, object)?;
        }
        "D1Ev" | "D2Ev" => {
            let object = Ptr(word(m, this)?);
            release(m, object, a.place)?;
        }
        "aSERKS0_" => {
            let (old, new) = (Ptr(word(m, this)?), Ptr(word(m, a.ptr(1))?));
            add(m, new);
            h(m, new)?;
            release(m, old, a.place)?;
            return Ok(this.into());
        }
        "4swapERS0_" => {
            let (one, two) = (word(m, this)?, word(m, a.ptr(1))?);
            h(m, Ptr(two))?;
            Host::new(m, a, "std::exception_ptr").put(a.ptr(1), one, 8)?;
        }
        "6_M_getEv" => return Ok(Ptr(word(m, this)?).into()),
        "20__cxa_exception_typeEv" => {
            let object = Ptr(word(m, this)?);
            let info = m.libc.get().exceptions.alive.get(&object).map_or(Ptr::NULL, |e| e.type_info);
            return Ok(info.into());
        }
        _ => return Err(super::unsupported(&m.module, a, format!("`{name}`"))),
    }
    Ok(Ret::Void)
}

// The end.

fn set_terminate(m: &mut HostProcess<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    let old = std::mem::replace(&mut m.libc.get_mut().exceptions.on_terminate, a.ptr(0));
    Ok(old.into())
}

/// An exception that nothing catches, or that must not pass, ends the program.
pub(crate) fn uncaught(m: &mut Machine, handle: Ptr, why: &str) -> Stop {
    let place = m.libc.get().exceptions.alive.get(&handle).map_or(Place::Unknown, |e| e.place);
    begin(&mut m.process(), handle);
    terminate(m, Some(handle), place, why)
}

/// `std::terminate`: the program's own function, or the library's, which tells of the exception.
fn terminate(m: &mut Machine, handle: Option<Ptr>, place: Place, why: &str) -> Stop {
    let state = &mut m.libc.get_mut().exceptions;
    let handler = state.on_terminate;
    if !handler.is_null() && !std::mem::replace(&mut state.terminating, true) {
        match m.call_guest(handler, &[], place) {
            Err(Stop::Throw(_)) | Ok(_) => {}
            Err(stop) => return stop,
        }
    }
    let shown = handle.or_else(|| m.libc.get().exceptions.own.caught.last().copied());
    let thrown = shown.and_then(|h| m.libc.get().exceptions.alive.get(&h).copied());
    let (mut text, mut message) =
        ("terminate called without an active exception\n".to_owned(), why.to_owned());
    let mut place = place;
    if let Some(e) = thrown {
        if handle.is_none() || place == Place::Unknown {
            place = e.place;
        }
        let class = rtti::display_name(m, e.type_info);
        text = format!("terminate called after throwing an instance of '{class}'\n");
        let what = what(m, &e);
        if let Some(what) = &what {
            text.push_str(&format!("  what():  {what}\n"));
        }
        message = match what {
            Some(what) => format!("{why} of type `{class}`, which says: {what}"),
            None => format!("{why} of type `{class}`"),
        };
    }
    if handler.is_null() {
        super::stdio::write_stderr(&mut m.process(), text.as_bytes());
    }
    let fault = Fault::other(Kind::AssertionFailed, place, message, "thrown here");
    fault.into()
}

/// What an exception says of itself, if it is a `std::exception`.
fn what(m: &mut Machine, e: &Exception) -> Option<String> {
    let object = rtti::as_base(&mut m.memory(), e.type_info, e.object, "St9exception").ok()??;
    let table = Ptr(word(m, object).ok()?);
    let what = Ptr(word(m, table).ok()?);
    let text = m.call_guest(what, &[object.0.into()], Place::Unknown).ok()?;
    let who = ByteAccess::default();
    let text = m.mem.read_cstr(&mut LaneCx::host(&mut m.findings), who, Ptr(text.bits() as u64), Some(4096));
    Some(String::from_utf8_lossy(&text.ok()?).into_owned())
}

fn call_terminate(m: &mut Machine, a: &Args<'_>) -> Result<Ret, Stop> {
    Err(uncaught(m, a.ptr(0), "an exception while another is on its way to its handler: it is"))
}

/// Throws an exception of the library's from a native function: `class` is the number of its class in the order of
/// [`LIBRARY`]. Where the program has no handlers at all, this ends it.
pub(crate) fn throw_library(m: &mut Machine, place: Place, class: Library, text: &str) -> Stop {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    let text_object = match runtime_object(m, "text of an exception", &bytes, 1) {
        Ok(p) => p,
        Err(stop) => return stop,
    };
    let thrower =
        m.module.func_by_name("__cudair_throw_library").filter(|&f| !m.module.funcs[f].is_declaration());
    let Some(thrower) = thrower else {
        let name = LIBRARY[class as usize].1;
        let what = if LIBRARY[class as usize].2 { text } else { name };
        let message = format!("terminate called after throwing an instance of '{name}'\n  what():  {what}\n");
        super::stdio::write_stderr(&mut m.process(), message.as_bytes());
        let message = format!("an uncaught exception of type `{name}`, which says: {what}");
        return Fault::other(Kind::AssertionFailed, place, message, "thrown here").into();
    };
    m.libc.get_mut().exceptions.texts.insert(text_object, 1);
    let code = Ptr::code(thrower.as_u32());
    let args = [class as u128, text_object.0.into()];
    match m.call_guest(code, &args, place) {
        Err(Stop::Throw(handle)) => {
            if let Some(e) = m.libc.get_mut().exceptions.alive.get_mut(&handle) {
                (e.place, e.target) = (place, Target::Unknown);
            }
            Stop::Throw(handle)
        }
        Err(stop) => stop,
        Ok(_) => Stop::internal("an exception of the library was not thrown"),
    }
}

/// The classes of exceptions that native functions throw, in the order that the frontend numbers them in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub(crate) enum Library {
    LogicError,
    DomainError,
    InvalidArgument,
    LengthError,
    OutOfRange,
    RuntimeError,
    RangeError,
    OverflowError,
    UnderflowError,
    BadAlloc,
    BadArrayNewLength,
    BadCast,
    BadTypeid,
    BadFunctionCall,
    BadException,
}

/// The classes of [`Library`]: mangled, as a reader writes them, whether they keep a text.
pub(crate) const LIBRARY: [(&str, &str, bool); 15] = [
    ("St11logic_error", "std::logic_error", true),
    ("St12domain_error", "std::domain_error", true),
    ("St16invalid_argument", "std::invalid_argument", true),
    ("St12length_error", "std::length_error", true),
    ("St12out_of_range", "std::out_of_range", true),
    ("St13runtime_error", "std::runtime_error", true),
    ("St11range_error", "std::range_error", true),
    ("St14overflow_error", "std::overflow_error", true),
    ("St15underflow_error", "std::underflow_error", true),
    ("St9bad_alloc", "std::bad_alloc", false),
    ("St20bad_array_new_length", "std::bad_array_new_length", false),
    ("St8bad_cast", "std::bad_cast", false),
    ("St10bad_typeid", "std::bad_typeid", false),
    ("St17bad_function_call", "std::bad_function_call", false),
    ("St13bad_exception", "std::bad_exception", false),
];

/// The functions by name.
pub(crate) fn lookup(name: &str) -> Option<HostFn> {
    let of_pointer = || {
        let method =
            name.strip_prefix("_ZNSt15__exception_ptr").or(name.strip_prefix("_ZNKSt15__exception_ptr"));
        method
            .is_some_and(|m| m.starts_with("13exception_ptr"))
            .then_some(HostFn::Machine(pointer_to_exception))
    };
    FUNCTIONS.find(name).or_else(of_pointer)
}

const FUNCTIONS: Functions = Functions {
    memory: &[
        (&["__cxa_free_exception"], |m, a| {
            m.mem.drop_object(a.ptr(0));
            Ok(Ret::Void)
        }),
        (&["__cudair_dynamic_cast"], |m, a| Ok(rtti::dynamic_cast(m, a.ptr(0), a.ptr(1), a.ptr(2))?.into())),
    ],
    process: &[
        (&["__cxa_allocate_exception"], allocate),
        (&["__cxa_throw"], throw),
        (&["__cxa_begin_catch"], begin_catch),
        (&["__cxa_get_exception_ptr"], |m, a| {
            Ok(m.libc.get().exceptions.alive.get(&a.ptr(0)).map_or(Ptr::NULL, |e| e.adjusted).into())
        }),
        (&["__cxa_init_primary_exception"], init_primary),
        (&["__cxa_current_exception_type"], |m, _| {
            let state = &m.libc.get().exceptions;
            let e = state.own.caught.last().and_then(|h| state.alive.get(h));
            Ok(e.map_or(Ptr::NULL, |e| e.type_info).into())
        }),
        (&["__cudair_choose_handler"], |m, a| Ok(Ret::Word(choose(m, a.ptr(0), a.ptr(1), a.u64(2))?))),
        (&["_ZSt17current_exceptionv"], current_exception),
        (&["_ZSt13set_terminatePFvvE"], set_terminate),
        (&["_ZSt13get_terminatev"], |m, _| Ok(m.libc.get().exceptions.on_terminate.into())),
        (&["_ZSt18uncaught_exceptionv"], |m, _| {
            Ok(Ret::Word(u64::from(m.libc.get().exceptions.own.uncaught > 0)))
        }),
        (&["_ZSt19uncaught_exceptionsv"], |m, _| Ok(Ret::Word(m.libc.get().exceptions.own.uncaught))),
    ],
    // A destructor or a handler of `std::terminate` may run.
    machine: &[
        (&["__cxa_rethrow"], throw_again),
        (&["__cxa_end_catch"], end_catch),
        (&["_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE"], rethrow_exception),
        (
            &["_ZNSt16nested_exceptionD0Ev", "_ZNSt16nested_exceptionD1Ev", "_ZNSt16nested_exceptionD2Ev"],
            |m, a| {
                // Behind the pointer to its table it keeps an exception.
                let object = Ptr(word(m, a.ptr(0).add(8))?);
                release(m, object, a.place)?;
                Ok(Ret::Void)
            },
        ),
        (&["__cudair_call_terminate"], call_terminate),
        (&["_ZSt9terminatev"], |m, a| {
            let handles = !m.libc.get().exceptions.own.caught.is_empty();
            let why = if handles {
                "the program calls `std::terminate` while it handles an exception"
            } else {
                "the program calls `std::terminate`"
            };
            Err(terminate(m, None, a.place, why))
        }),
        (&["_ZSt10unexpectedv"], |m, a| {
            Err(terminate(m, None, a.place, "the program calls `std::unexpected`"))
        }),
    ],
    ..Functions::NONE
};
