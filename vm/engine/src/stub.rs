//! Libraries for the engine's own tests: a C library without functions, and a runtime that launches nothing and whose
//! state takes part in transactions as the true one's does.

use crate::library::{DeviceRuntime, HostLibrary, Libraries, Printed, RuntimeState, Target};
use crate::machine::{DeviceCall, DeviceFn, HostFn, LaunchRequest, Machine};
use crate::parts::{HostProcess, HostRuntime};
use cudair_lane::fault::Stop;
use cudair_lane::ptr::Ptr;
use cudair_race::streams::Clock;
use std::any::Any;

/// What the tests call of the libraries: nothing.
struct NoLibrary;

/// The libraries of a machine in a test.
pub(crate) fn libraries() -> Libraries {
    Libraries {
        host: &NoLibrary,
        libc: Box::new(()),
        device: &NoLibrary,
        cuda: Box::new(StubRuntime::default()),
    }
}

fn absent(what: &str) -> Stop {
    Stop::unsupported(format!("{what} in a test without libraries"))
}

impl HostLibrary for NoLibrary {
    fn function(&self, _: &str) -> Option<HostFn> {
        None
    }

    fn device_function(&self, _: &str) -> Option<DeviceFn> {
        None
    }

    fn variable(&self, _: &mut HostProcess<'_>, _: &str) -> Result<Option<Ptr>, Stop> {
        Ok(None)
    }

    fn exit(&self, _: &mut Machine, status: i32) -> Result<i32, Stop> {
        Ok(status)
    }

    fn leave(&self, _: &mut Machine) {}

    fn exchange_thread(&self, _: &mut HostProcess<'_>, _: Option<Box<dyn Any>>) -> Box<dyn Any> {
        Box::new(())
    }

    fn end_thread(&self, _: &mut Machine) -> Result<(), Stop> {
        Ok(())
    }

    fn exception_target(&self, _: &HostProcess<'_>, _: Ptr) -> Target {
        Target::Unknown
    }

    fn set_exception_target(&self, _: &mut HostProcess<'_>, _: Ptr, _: Target) {}

    fn choose_handler(&self, _: &mut HostProcess<'_>, _: Ptr, _: Ptr, _: u64) -> Result<u64, Stop> {
        Err(absent("an exception"))
    }

    fn uncaught(&self, _: &mut Machine, _: Ptr, _: &str) -> Stop {
        absent("an exception")
    }
}

impl DeviceRuntime for NoLibrary {
    fn function(&self, _: &str) -> Option<HostFn> {
        None
    }

    fn device_function(&self, _: &str) -> Option<DeviceFn> {
        None
    }

    fn launch(&self, _: &mut Machine, _: LaunchRequest) -> Result<i32, Stop> {
        Err(absent("a launch"))
    }

    fn launch_from_device(&self, _: &mut DeviceCall<'_>, _: LaunchRequest) -> Result<i32, Stop> {
        Err(absent("a launch"))
    }

    fn progress(&self, _: &mut Machine) -> Result<(), Stop> {
        Ok(())
    }

    fn advance_any(&self, _: &mut Machine) -> Result<bool, Stop> {
        Ok(false)
    }

    fn waited(&self, _: &mut HostRuntime<'_>, _: &Clock) {}

    fn finish(&self, _: &mut Machine, _: i32) -> Result<(), Stop> {
        Ok(())
    }

    fn flush_output(&self, _: &mut Machine) {}

    fn exchange_last_error(&self, _: &mut HostRuntime<'_>, error: i32) -> i32 {
        error
    }
}

/// A runtime that has printed, and has made changes that are numbers.
#[derive(Debug, Default)]
pub(crate) struct StubRuntime {
    printed: Vec<Vec<u8>>,
    launch: Printed,
    changes: Vec<u64>,
    open: Vec<u64>,
}

impl StubRuntime {
    /// A change by device code: text that it prints, or a number.
    pub(crate) fn change(&mut self, kind: u64, n: u64) {
        if kind.is_multiple_of(2) {
            self.launch.text.push_back((vec![b'x'; n as usize], n));
        } else {
            self.open.push(n);
        }
    }

    /// All that a launch may change, in full.
    pub(crate) fn whole(&self) -> String {
        format!("{self:?}")
    }
}

impl RuntimeState for StubRuntime {
    fn open_launch(&mut self) {
        self.open.clear();
        self.launch = Printed::default();
    }

    fn roll_back_launch(&mut self) -> Printed {
        self.open.clear();
        self.take_printed()
    }

    fn take_printed(&mut self) -> Printed {
        std::mem::take(&mut self.launch)
    }

    fn commit_launch(&mut self, printed: Printed) {
        self.changes.append(&mut self.open);
        self.printed.extend(printed.text.into_iter().map(|(text, _)| text));
    }

    fn changes(&self) -> usize {
        self.open.len()
    }

    fn undo_to(&mut self, n: usize) {
        self.open.truncate(n);
    }

    fn is_nested(&self) -> bool {
        false
    }
}

/// The runtime of a machine in a test.
pub(crate) fn runtime(m: &mut Machine) -> &mut StubRuntime {
    let state: &mut dyn Any = &mut *m.cuda;
    state.downcast_mut().expect("the test made the machine with this runtime")
}
