//! Variables of which each thread has one of its own.
//!
//! The first thread's is the variable itself. Code asks for the address of the thread's own each time
//! (`__cudair_thread_variable`); another thread's is made when it first asks: as the program's image has it, and
//! then initialised by the variable's initialiser if it has one that runs.

use crate::{Functions, Kept};
use cudair_engine::threads::MAIN;
use cudair_engine::{HostFn, Machine};
use cudair_ir::GlobalId;
use cudair_lane::fault::{Place, Stop};
use cudair_lane::ptr::Ptr;
use rustc_hash::FxHashMap;

/// In front of a variable's name, the function that initialises one.
const INITIALISER: &str = "__cudair_thread_init.";

/// The variables that threads have of their own.
#[derive(Debug, Default)]
pub(super) struct Variables {
    /// By the thread and the first thread's variable.
    of: FxHashMap<(u64, Ptr), Ptr>,
    /// What runs when a thread ends, with its argument, in the order of registration.
    destructors: FxHashMap<u64, Vec<(Ptr, Ptr)>>,
    /// The program's variables by their addresses; empty until asked for.
    globals: FxHashMap<Ptr, GlobalId>,
}

/// The functions by name.
pub(super) fn lookup(name: &str) -> Option<HostFn> {
    FUNCTIONS.find(name)
}

const FUNCTIONS: Functions = Functions {
    threads: &[(&["__cxa_thread_atexit"], |m, a| {
        let thread = m.threads.current();
        m.libc.get_mut().threads.local.destructors.entry(thread).or_default().push((a.ptr(0), a.ptr(1)));
        Ok(0.into())
    })],
    // The variable's initialiser may run.
    machine: &[(&["__cudair_thread_variable"], |m, a| {
        let (thread, first) = (m.threads.current(), a.ptr(0));
        if thread == MAIN {
            return Ok(first.into());
        }
        match m.libc.get().threads.local.of.get(&(thread, first)) {
            Some(&own) => Ok(own.into()),
            None => make(m, thread, first).map(Into::into),
        }
    })],
    ..Functions::NONE
};

fn make(m: &mut Machine, thread: u64, first: Ptr) -> Result<Ptr, Stop> {
    if m.libc.get().threads.local.globals.is_empty() {
        let globals = m.module.globals.keys().map(|id| (m.globals[id], id));
        m.libc.get_mut().threads.local.globals = globals.filter(|(p, _)| !p.is_null()).collect();
    }
    let Some(&global) = m.libc.get().threads.local.globals.get(&first) else {
        return Err(Stop::internal("a thread asks for a thread-local variable that does not exist"));
    };
    let own = m.instance_of(global)?;
    m.libc.get_mut().threads.local.of.insert((thread, first), own);
    let initialiser = format!("{INITIALISER}{}", m.module.globals[global].name);
    if let Some(function) = m.module.func_by_name(&initialiser) {
        m.call_guest(Ptr::code(function.as_u32()), &[], Place::Unknown)?;
    }
    Ok(own)
}

/// The thread that runs ends: what it has of its own is destroyed, last first.
pub(crate) fn destroy(m: &mut Machine) -> Result<(), Stop> {
    let thread = m.threads.current();
    while let Some((function, object)) =
        m.libc.get_mut().threads.local.destructors.get_mut(&thread).and_then(std::vec::Vec::pop)
    {
        m.call_guest(function, &[object.0.into()], Place::Unknown)?;
    }
    m.libc.get_mut().threads.local.of.retain(|(t, _), _| *t != thread);
    Ok(())
}
