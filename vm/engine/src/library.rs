//! What the engine asks of the libraries above it: the C library with C++'s run-time library, and the CUDA runtime.
//!
//! A library is a value without state that implements [`HostLibrary`] or [`DeviceRuntime`]; the engine calls it with
//! the part of the machine that it needs ([`crate::parts`]), and a native function with what that asks for ([`HostFn`]). Its state lies in the machine
//! ([`Machine::libc`], [`Machine::cuda`]): the C library's as [`Any`], of which the engine knows nothing, the runtime's
//! as [`RuntimeState`], which takes part in a launch's transaction.

use crate::machine::{DeviceCall, DeviceFn, HostFn, LaunchRequest, Machine};
use crate::parts::{HostProcess, HostRuntime};
use cudair_ir::{DEVICE_SUFFIX, Function};
use cudair_lane::fault::Stop;
use cudair_lane::ptr::Ptr;
use cudair_race::streams::Clock;
use std::any::Any;
use std::collections::VecDeque;

/// Whether a native function of the device computes its result from its arguments and does nothing else.
pub fn is_pure(func: &Function) -> bool {
    let name = func.name.strip_suffix(DEVICE_SUFFIX).unwrap_or(&func.name);
    let by_value =
        func.sig.ret.is_some() && !func.sig.variadic && !func.sig.params.iter().any(|p| p.ty.is_ptr());
    func.is_declaration() && by_value && cudair_math::lookup_device(name).is_some()
}

/// The libraries of a run, with their states.
pub struct Libraries {
    /// The C library and C++'s run-time library.
    pub host: &'static dyn HostLibrary,
    /// The state of the former.
    pub libc: Box<dyn Any>,
    /// The CUDA runtime.
    pub device: &'static dyn DeviceRuntime,
    /// The state of the former.
    pub cuda: Box<dyn RuntimeState>,
}

/// Where an exception goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Not known yet.
    Unknown,
    /// To the frame of this number.
    Frame(u64),
    /// Out of the function that the library called.
    Outside,
}

/// The C library, and what of C++'s run-time library is a symbol.
pub trait HostLibrary: Sync {
    /// The host's function of a symbol's name, unless it is pure mathematics.
    fn function(&self, name: &str) -> Option<HostFn>;

    /// The device's function of a symbol's name, unless it is pure mathematics.
    fn device_function(&self, name: &str) -> Option<DeviceFn>;

    /// The address of a variable that the library defines (`stdout`, `optind`), if it has one of that name.
    ///
    /// # Errors
    /// The memory limit.
    fn variable(&self, m: &mut HostProcess<'_>, name: &str) -> Result<Option<Ptr>, Stop>;

    /// The end of a program that left `main` or called `exit`. Gives its status.
    ///
    /// # Errors
    /// What the functions meet that the program registered for its end.
    fn exit(&self, m: &mut Machine, status: i32) -> Result<i32, Stop>;

    /// The end of a run that cannot go on: what the program has printed so far is shown.
    fn leave(&self, m: &mut Machine);

    /// Another thread of the host runs, which has `own` of the library's state to itself, or has not begun. Gives what
    /// the thread before has.
    fn exchange_thread(&self, m: &mut HostProcess<'_>, own: Option<Box<dyn Any>>) -> Box<dyn Any>;

    /// The thread of the host that runs ends: its variables and the values of its keys are destroyed.
    ///
    /// # Errors
    /// What the destructors meet.
    fn end_thread(&self, m: &mut Machine) -> Result<(), Stop>;

    /// The frame to which an exception was found to go.
    fn exception_target(&self, m: &HostProcess<'_>, handle: Ptr) -> Target;

    /// Notes where an exception goes.
    fn set_exception_target(&self, m: &mut HostProcess<'_>, handle: Ptr, target: Target);

    /// The number of the first handler of a table of so many entries that takes an exception, 0 for none. What the
    /// handler gets is kept.
    ///
    /// # Errors
    /// A table or an object that cannot be read.
    fn choose_handler(
        &self,
        m: &mut HostProcess<'_>,
        handle: Ptr,
        table: Ptr,
        entries: u64,
    ) -> Result<u64, Stop>;

    /// The end of a program that an exception ends which nothing catches, or which must not pass.
    fn uncaught(&self, m: &mut Machine, handle: Ptr, why: &str) -> Stop;
}

/// The CUDA runtime.
pub trait DeviceRuntime: Sync {
    /// The host's function of a symbol's name.
    fn function(&self, name: &str) -> Option<HostFn>;

    /// The device's function of a symbol's name.
    fn device_function(&self, name: &str) -> Option<DeviceFn>;

    /// The `Launch` instruction on the host. Gives the runtime's error code.
    ///
    /// # Errors
    /// What the launch meets, where it runs at once.
    fn launch(&self, m: &mut Machine, request: LaunchRequest) -> Result<i32, Stop>;

    /// The `Launch` instruction by a thread of the device. Gives the runtime's error code.
    ///
    /// # Errors
    /// Arguments that cannot be read.
    fn launch_from_device(&self, call: &mut DeviceCall<'_>, request: LaunchRequest) -> Result<i32, Stop>;

    /// Lets queued work go on where the host has polled for it.
    ///
    /// # Errors
    /// What running it meets.
    fn progress(&self, m: &mut Machine) -> Result<(), Stop>;

    /// Lets what is queued run, since the host waits for something that only it can bring; whether there was anything.
    ///
    /// # Errors
    /// What running it meets.
    fn advance_any(&self, m: &mut Machine) -> Result<bool, Stop>;

    /// The host has waited for what a clock tells.
    fn waited(&self, m: &mut HostRuntime<'_>, clock: &Clock);

    /// The program has ended with a status: what is queued still runs, and what was never freed or looked at is reported.
    ///
    /// # Errors
    /// What running it meets.
    fn finish(&self, m: &mut Machine, status: i32) -> Result<(), Stop>;

    /// Passes on what kernels have printed, as each synchronisation does.
    fn flush_output(&self, m: &mut Machine);

    /// Another thread of the host runs, whose last error is `error`. Gives that of the thread before.
    fn exchange_last_error(&self, m: &mut HostRuntime<'_>, error: i32) -> i32;
}

/// The state of the CUDA runtime, as far as a launch changes it: see `device/transaction.rs`.
pub trait RuntimeState: Any {
    /// A launch's transaction begins.
    fn open_launch(&mut self);

    /// The runtime is as it was when the launch began. Gives what the launch printed.
    fn roll_back_launch(&mut self) -> Printed;

    /// Gives what the launch printed, which is passed on nowhere.
    fn take_printed(&mut self) -> Printed;

    /// What the launch did stands, and so does what it printed.
    fn commit_launch(&mut self, printed: Printed);

    /// How many changes the launch has made so far.
    fn changes(&self) -> usize;

    /// Takes back all but the first `n` changes of the launch.
    fn undo_to(&mut self, n: usize);

    /// Whether the grid that runs was launched by another.
    fn is_nested(&self) -> bool;
}

/// Text that a launch printed, and messages of its assertions.
#[derive(Debug, Default)]
pub struct Printed {
    /// Text, with the bytes that each record takes of the device's buffer.
    pub text: VecDeque<(Vec<u8>, u64)>,
    /// The bytes that all records take of it.
    pub size: u64,
    /// How many records found no room there.
    pub lost: u64,
    /// Messages of failed assertions.
    pub asserts: Vec<Vec<u8>>,
}
