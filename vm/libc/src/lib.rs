//! The host library by symbol name: the C library's functions and what of C++'s run-time library is a symbol. Also
//! those of its functions that device code may call.
//!
//! It knows the engine, and must not know the CUDA runtime. Begin with [`Library`], which is what the engine calls, and
//! [`Libc`], the library's state. The parts that know nothing of the machine are pure and are tested against the
//! platform's own library: [`mod@format`] (printf), [`scan`] (scanf), [`number`] (strtod and kin), [`rand`]. The others
//! bind them to the program's memory, through [`cudair_engine::guest`].

mod complex;
mod cxx;
mod decimal;
mod exceptions;
mod file;
mod files;
pub mod format;
mod getopt;
pub mod layout;
mod math_memory;
pub mod number;
mod posix;
pub mod rand;
mod rtti;
pub mod scan;
mod sequence;
mod sort;
mod std_exceptions;
pub mod stdio;
mod stdlib;
mod string;
mod sys;
mod threads;
mod time;
mod wide;

pub use file::HostIo;
pub use stdio::print;
pub use sys::strerror;

use cudair_engine::guest::{Guest, Host, runtime_object};
use cudair_engine::library::Target;
use cudair_engine::parts::{HasProcess, HostProcess};
use cudair_engine::{
    Args, DeviceFn, HostFn, HostLibrary, Machine, MachineFn, MemoryFn, ProcessFn, Ret, ThreadsFn,
};
use cudair_ir::{Diagnostic, DiagnosticClass, Module, Span};
use cudair_lane::fault::{Place, Stop};
use cudair_lane::ptr::Ptr;
use cudair_memory::{ByteAccess, LaneCx};
use rustc_hash::FxHashMap;
use std::any::Any;
use stdlib::AtExit;

/// The state of the host library.
pub struct Libc {
    /// Where the program's standard streams lead.
    pub io: HostIo,
    streams: stdio::Streams,
    random: rand::Random,
    rand48: rand::Rand48,
    /// Objects that the library made once: variables, tables, texts, by a name of their own.
    objects: FxHashMap<String, Ptr>,
    /// What the program changed in its environment; `None` is a variable taken out.
    environment: FxHashMap<Vec<u8>, Option<Vec<u8>>>,
    /// Offset from UTC and abbreviation of the zone of each `struct tm` that the library filled.
    zones: FxHashMap<Ptr, (i64, String)>,
    at_exit: Vec<AtExit>,
    /// `_exit` was called: nothing registered runs, nothing is flushed.
    leave_at_once: bool,
    strtok: Ptr,
    pub(crate) exceptions: exceptions::Exceptions,
    getopt: getopt::Getopt,
    errno: Ptr,
    pub(crate) threads: threads::ThreadData,
    files: files::Files,
    /// The state of what `std::random_device` draws from.
    device_numbers: u64,
}

impl Libc {
    /// The state at the start of a run. The standard streams are the process's own.
    pub fn new() -> Libc {
        let io = HostIo::process();
        Libc {
            streams: stdio::Streams::new(io.terminal),
            io,
            random: rand::Random::default(),
            rand48: rand::Rand48::default(),
            objects: FxHashMap::default(),
            environment: FxHashMap::default(),
            zones: FxHashMap::default(),
            at_exit: Vec::new(),
            leave_at_once: false,
            strtok: Ptr::NULL,
            exceptions: exceptions::Exceptions::default(),
            getopt: getopt::Getopt::default(),
            errno: Ptr::NULL,
            threads: threads::ThreadData::default(),
            files: files::Files::default(),
            device_numbers: 0,
        }
    }
}

/// Leads the program's standard streams elsewhere. To be called before the program runs.
pub fn set_io(m: &mut Machine, io: HostIo) {
    let libc = m.libc.get_mut();
    libc.streams = stdio::Streams::new(io.terminal);
    libc.io = io;
}

impl Default for Libc {
    fn default() -> Libc {
        Libc::new()
    }
}

/// The library's state in the machine, where it is kept as [`Any`].
pub(crate) trait Kept {
    /// To look at.
    fn get(&self) -> &Libc;
    /// To change.
    fn get_mut(&mut self) -> &mut Libc;
}

impl Kept for dyn Any {
    fn get(&self) -> &Libc {
        self.downcast_ref().unwrap_or_else(|| unreachable!("the machine has another C library's state"))
    }

    fn get_mut(&mut self) -> &mut Libc {
        self.downcast_mut().unwrap_or_else(|| unreachable!("the machine has another C library's state"))
    }
}

/// The library, as the engine calls it.
pub struct Library;

/// What a thread has of its own of the library.
#[derive(Default)]
struct ThreadOwn {
    errno: Ptr,
    exceptions: exceptions::ThreadExceptions,
}

impl HostLibrary for Library {
    fn function(&self, name: &str) -> Option<HostFn> {
        lookup(name)
    }

    fn device_function(&self, name: &str) -> Option<DeviceFn> {
        lookup_device(name)
    }

    fn variable(&self, m: &mut HostProcess<'_>, name: &str) -> Result<Option<Ptr>, Stop> {
        extern_global(m, name)
    }

    fn exit(&self, m: &mut Machine, status: i32) -> Result<i32, Stop> {
        run_exit(m, status)
    }

    fn leave(&self, m: &mut Machine) {
        leave(m);
    }

    fn exchange_thread(&self, m: &mut HostProcess<'_>, own: Option<Box<dyn Any>>) -> Box<dyn Any> {
        let own = match own.map(<Box<dyn Any>>::downcast::<ThreadOwn>) {
            None => ThreadOwn::default(),
            Some(Ok(own)) => *own,
            Some(Err(_)) => unreachable!("a thread has another C library's state"),
        };
        let libc = m.libc.get_mut();
        Box::new(ThreadOwn {
            errno: std::mem::replace(&mut libc.errno, own.errno),
            exceptions: libc.exceptions.exchange(own.exceptions),
        })
    }

    fn end_thread(&self, m: &mut Machine) -> Result<(), Stop> {
        threads::end(m)
    }

    fn exception_target(&self, m: &HostProcess<'_>, handle: Ptr) -> Target {
        exceptions::target(m, handle)
    }

    fn set_exception_target(&self, m: &mut HostProcess<'_>, handle: Ptr, target: Target) {
        exceptions::set_target(m, handle, target);
    }

    fn choose_handler(
        &self,
        m: &mut HostProcess<'_>,
        handle: Ptr,
        table: Ptr,
        entries: u64,
    ) -> Result<u64, Stop> {
        exceptions::choose(m, handle, table, entries)
    }

    fn uncaught(&self, m: &mut Machine, handle: Ptr, why: &str) -> Stop {
        exceptions::uncaught(m, handle, why)
    }
}

/// `errno`, for calls of the host.
pub(crate) trait Errno {
    /// Sets `errno`.
    ///
    /// # Errors
    /// The memory limit.
    fn set_errno(&mut self, errno: i32) -> Result<(), Stop>;
}

impl<M: HasProcess> Errno for Host<'_, M> {
    fn set_errno(&mut self, errno: i32) -> Result<(), Stop> {
        let ptr = errno_object(&mut self.m.process())?;
        self.put(ptr, u64::from(errno as u32), 4)
    }
}

/// Functions by name: the names of each, and what it does.
pub(crate) type Table<F> = &'static [(&'static [&'static str], F)];

/// A call by the host that sees the process alone.
pub(crate) type ProcessCall<'a, 'm> = Host<'a, HostProcess<'m>>;

/// The host's functions of a theme, by the part of the machine that they need ([`cudair_engine::parts`]).
pub(crate) struct Functions {
    pub memory: Table<MemoryFn>,
    pub process: Table<ProcessFn>,
    pub threads: Table<ThreadsFn>,
    pub machine: Table<MachineFn>,
}

impl Functions {
    /// None: what a theme has no functions for.
    pub const NONE: Functions = Functions { memory: &[], process: &[], threads: &[], machine: &[] };

    /// The function of a name.
    pub fn find(&self, name: &str) -> Option<HostFn> {
        named(self.memory, name)
            .map(HostFn::Memory)
            .or_else(|| named(self.process, name).map(HostFn::Process))
            .or_else(|| named(self.threads, name).map(HostFn::Threads))
            .or_else(|| named(self.machine, name).map(HostFn::Machine))
    }
}

/// The function of a name in a table.
pub(crate) fn named<F: Copy>(table: Table<F>, name: &str) -> Option<F> {
    table.iter().find(|(names, _)| names.contains(&name)).map(|&(_, function)| function)
}

/// Defines a function of both sides: `name(guest, args)` with a host and a device entry.
macro_rules! both {
    ($host:ident, $device:ident, $name:literal, |$g:ident, $a:ident| $body:expr) => {
        pub(crate) fn $host(m: &mut HostMemory<'_>, $a: &Args<'_>) -> Result<Ret, Stop> {
            let $g = &mut Bytes::new(m, $a, $name);
            $body
        }
        pub(crate) fn $device(call: &mut DeviceCall<'_>, $a: &Args<'_>) -> Result<Ret, Stop> {
            let $g = &mut Lane::new(call, $a, $name);
            $body
        }
    };
}
pub(crate) use both;

/// The host's function of a name, unless it is pure mathematics ([`cudair_math::lookup`]).
pub fn lookup(name: &str) -> Option<HostFn> {
    threads::lookup(name)
        .or_else(|| string::lookup(name))
        .or_else(|| stdio::lookup(name))
        .or_else(|| stdlib::lookup(name))
        .or_else(|| time::lookup(name))
        .or_else(|| math_memory::lookup(name))
        .or_else(|| getopt::lookup(name))
        .or_else(|| posix::lookup(name))
        .or_else(|| files::lookup(name))
        .or_else(|| wide::lookup(name))
        .or_else(|| sequence::lookup(name))
        .or_else(|| cxx::lookup(name))
        .or_else(|| complex::lookup(name))
        .or_else(|| exceptions::lookup(name))
        .or_else(|| std_exceptions::lookup(name))
}

/// The device's function of a name, unless it is pure mathematics.
fn lookup_device(name: &str) -> Option<DeviceFn> {
    string::lookup_device(name)
        .or_else(|| math_memory::lookup_device(name))
        .or_else(|| sequence::lookup_device(name))
}

/// The address of a variable that the library defines (`stdout`, `optind`), if it has one of that name.
///
/// # Errors
/// The memory limit.
fn extern_global(m: &mut HostProcess<'_>, name: &str) -> Result<Option<Ptr>, Stop> {
    if is_variable(name) { library_variable(m, name).map(Some) } else { Ok(None) }
}

/// Does the library define a variable of this name?
pub fn is_variable(name: &str) -> bool {
    matches!(
        name,
        "stdin"
            | "stdout"
            | "stderr"
            | "environ"
            | "__environ"
            | "optarg"
            | "optind"
            | "opterr"
            | "optopt"
            | "program_invocation_name"
            | "program_invocation_short_name"
            | "signgam"
            | "timezone"
            | "daylight"
            | "_ZSt7nothrow"
            | "__libc_single_threaded"
    )
}

/// A variable of the library, made when first asked for.
pub(crate) fn library_variable(m: &mut HostProcess<'_>, name: &str) -> Result<Ptr, Stop> {
    let key = format!("variable {name}");
    if let Some(&ptr) = m.libc.get().objects.get(&key) {
        return Ok(ptr);
    }
    let bytes = match name {
        "stdin" => stdio::standard(m, 0)?.0.to_le_bytes().to_vec(),
        "stdout" => stdio::standard(m, 1)?.0.to_le_bytes().to_vec(),
        "stderr" => stdio::standard(m, 2)?.0.to_le_bytes().to_vec(),
        "environ" | "__environ" => runtime_object(m, "environ", &[0; 8], 8)?.0.to_le_bytes().to_vec(),
        "program_invocation_name" | "program_invocation_short_name" => {
            let mut text = program_name(m).into_bytes();
            text.push(0);
            runtime_object(m, name, &text, 1)?.0.to_le_bytes().to_vec()
        }
        "optind" | "opterr" => 1i32.to_le_bytes().to_vec(),
        "optopt" => i32::from(b'?').to_le_bytes().to_vec(),
        "signgam" | "daylight" => vec![0; 4],
        "__libc_single_threaded" => vec![1],
        _ => vec![0; 8],
    };
    let ptr = runtime_object(m, name, &bytes, 8)?;
    m.libc.get_mut().objects.insert(key, ptr);
    Ok(ptr)
}

/// The object of `errno`.
pub(crate) fn errno_object(m: &mut HostProcess<'_>) -> Result<Ptr, Stop> {
    if m.libc.get().errno.is_null() {
        m.libc.get_mut().errno = runtime_object(m, "errno", &[0; 4], 4)?;
    }
    Ok(m.libc.get().errno)
}

/// What the program is called in the library's messages: the last part of its name.
pub(crate) fn program_name(m: &HostProcess<'_>) -> String {
    m.config.program_name.rsplit('/').next().unwrap_or_default().to_owned()
}

/// A text in the library's own memory, at one place for all texts of that name up to a length.
pub(crate) fn static_text(m: &mut HostProcess<'_>, name: &str, text: &[u8]) -> Result<Ret, Stop> {
    let mut bytes = text.to_vec();
    bytes.push(0);
    static_bytes(m, name, &bytes)
}

/// Bytes in the library's own memory, overwritten by the next of that name.
pub(crate) fn static_bytes(m: &mut HostProcess<'_>, name: &str, bytes: &[u8]) -> Result<Ret, Stop> {
    const SIZE: usize = 1024;
    let key = format!("static {name}");
    let ptr = match m.libc.get().objects.get(&key) {
        Some(&p) => p,
        None => {
            let p = runtime_object(m, name, &[0; SIZE], 8)?;
            m.libc.get_mut().objects.insert(key, p);
            p
        }
    };
    let bytes = &bytes[..bytes.len().min(SIZE)];
    m.mem.write(&mut LaneCx::host(m.findings), ByteAccess::default(), ptr, bytes)?;
    Ok(ptr.into())
}

/// What is not supported, at the place of a call.
pub(crate) fn unsupported(module: &Module, a: &Args<'_>, what: String) -> Stop {
    let mut diagnostic = Diagnostic::new(DiagnosticClass::Unsupported, format!("not supported: {what}"));
    diagnostic.primary = a.loc.map(|loc| Span::new(&module.source, loc, "called here"));
    Stop::Unsupported(Box::new(diagnostic))
}

/// The end of a program that left `main` or called `exit`: what it registered runs, last first, then the
/// device's work ends, the streams are flushed, and what was never freed is reported. Gives the status.
///
/// # Errors
/// What the registered functions meet; an `exit` in one of them replaces the status.
fn run_exit(m: &mut Machine, status: i32) -> Result<i32, Stop> {
    let mut status = status;
    m.threads.leave_callers();
    if !m.libc.get().leave_at_once {
        match threads::destroy_variables(m) {
            Err(Stop::Exit(code)) => status = code,
            Err(stop) => {
                leave(m);
                return Err(stop);
            }
            Ok(()) => {}
        }
        while let Some(entry) = m.libc.get_mut().at_exit.pop() {
            let result = match entry {
                AtExit::Plain(f) => m.call_guest(f, &[], Place::Unknown),
                AtExit::WithArgument(f, arg) => m.call_guest(f, &[arg.into()], Place::Unknown),
                AtExit::OnExit(f, arg) => {
                    m.call_guest(f, &[status as u32 as u128, arg.into()], Place::Unknown)
                }
            };
            match result {
                Ok(_) => {}
                Err(Stop::Exit(code)) => status = code,
                Err(stop) => {
                    leave(m);
                    return Err(stop);
                }
            }
        }
    }
    let device = m.device.finish(m, status);
    files::write_mappings(&mut m.process())?;
    if !m.libc.get().leave_at_once {
        stdio::flush_all(&mut m.process());
    }
    device?;
    Ok(status)
}

/// The end of a run that cannot go on: what the program has printed so far is shown.
fn leave(m: &mut Machine) {
    m.device.flush_output(m);
    stdio::flush_all(&mut m.process());
}

/// What a finding about an assumption says that is false.
pub fn false_assumption(text: &str) -> String {
    format!("the assumption `{text}` does not hold")
}

/// The end of a program that calls what its class leaves to derived ones.
pub const PURE_VIRTUAL: &str = "a pure virtual function is called: the object is under construction or \
                               destruction, and its type is still or again the base class";
