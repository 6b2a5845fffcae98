//! The parts of the machine: what a native function of the host sees in place of the whole.
//!
//! A row of a library's table names the part that its function needs ([`crate::HostFn`]), and the compiler sees that the
//! function touches nothing else. Each part borrows fields of the machine for one call:
//!
//! | part | what is in it | for |
//! | --- | --- | --- |
//! | [`HostMemory`] | memory, findings | `memcpy`, `atoi`, `free` |
//! | [`HostProcess`] | that, the C library's state, folder, environment, clock, fuel | `malloc`, `printf`, `fopen`, `time` |
//! | [`HostThreads`] | that, and the scheduler of the host's threads | `pthread_mutex_lock`, `sem_wait` |
//! | [`HostRuntime`] | memory, findings, the CUDA runtime's state, fuel | `cudaMalloc`, `cudaGetDeviceProperties` |
//!
//! The whole [`Machine`] goes to a function that does one of these:
//!
//! - It calls the program. `qsort` calls a comparison, `__cxa_end_catch` a destructor, `cudaGraphDestroy` the destructor
//!   of a user object. `operator new` throws, and code of the program makes the exception's object. A variable of a
//!   thread has an initialiser.
//! - It waits for the device's work: `cudaDeviceSynchronize`, `cudaFree`, `cudaEventQuery`. What runs may be a kernel or
//!   a function of the program. `cudaEventElapsedTime` tells that the host has waited.
//! - It queues work: a launch, a copy, a fill, an event. Where too much is queued the oldest operation runs. A node of a
//!   graph takes its description from the call that would queue the same work.
//! - It needs both libraries. `sched_yield` lets the device's work go on, `cuModuleLoad` opens a file.
//!
//! What other crates call for each native call is marked `#[inline]`.

use crate::config::VmConfig;
use crate::engine_state::EngineState;
use crate::library::RuntimeState;
use crate::machine::Machine;
use crate::threads::Threads;
use crate::va::va_arg;
use crate::worker::loc_of;
use cudair_ir::{FuncId, GlobalId, Loc, Module, SecondaryMap, Type};
use cudair_lane::fault::{Place, Stop};
use cudair_lane::ptr::Ptr;
use cudair_memory::Memory;
use cudair_report::Findings;
use std::any::Any;
use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The host's memory, and where what is wrong with it is noted.
pub struct HostMemory<'a> {
    /// The memory.
    pub mem: &'a mut Memory,
    /// What was found.
    pub findings: &'a mut Findings,
}

/// What the program has as a process: memory, the C library, a folder, an environment, a clock. It sees no thread, no
/// device, and cannot call the program's functions.
pub struct HostProcess<'a> {
    /// The program.
    pub module: &'a Arc<Module>,
    /// How the run is to be done; the gate to files and the environment.
    pub config: &'a Arc<VmConfig>,
    /// The memory.
    pub mem: &'a mut Memory,
    /// What was found.
    pub findings: &'a mut Findings,
    /// The state of the C library.
    pub libc: &'a mut (dyn Any + 'static),
    /// The folder that the program went to; none where it is still in that of the process.
    pub folder: &'a mut Option<PathBuf>,
    /// Variable arguments, clock, fuel: by methods alone.
    engine: &'a mut EngineState,
}

/// The process and the scheduler of its threads.
pub struct HostThreads<'a> {
    /// The process.
    pub process: HostProcess<'a>,
    /// The threads.
    pub threads: &'a mut Threads,
}

/// What a call of the CUDA runtime sees that neither runs the device's work nor waits for it.
pub struct HostRuntime<'a> {
    /// The program.
    pub module: &'a Arc<Module>,
    /// How the run is to be done; the card.
    pub config: &'a Arc<VmConfig>,
    /// The memory.
    pub mem: &'a mut Memory,
    /// What was found.
    pub findings: &'a mut Findings,
    /// The state of the runtime.
    pub cuda: &'a mut (dyn RuntimeState + 'static),
    /// The addresses of variables of static storage.
    pub globals: &'a SecondaryMap<GlobalId, Ptr>,
    /// The number of the thread that calls.
    pub thread: u64,
    /// Fuel, and what depends on the order of the device's threads: by methods alone.
    engine: &'a mut EngineState,
}

/// A part that has memory, and the whole.
pub trait HasMemory {
    /// The memory alone.
    fn memory(&mut self) -> HostMemory<'_>;
}

/// A part that has fuel, and the whole.
pub trait HasFuel: HasMemory {
    /// Spends operations of the run's fuel, and looks whether the run is to end.
    ///
    /// # Errors
    /// The limit reached.
    fn spend(&mut self, operations: u64) -> Result<(), Stop>;
}

/// A part that has the process, and the whole.
pub trait HasProcess: HasFuel {
    /// The process alone.
    fn process(&mut self) -> HostProcess<'_>;
}

/// A part that has the runtime, and the whole.
pub trait HasRuntime: HasFuel {
    /// The runtime alone.
    fn runtime(&mut self) -> HostRuntime<'_>;
}

impl HostMemory<'_> {
    /// The machine's.
    #[inline]
    pub fn of(m: &mut Machine) -> HostMemory<'_> {
        HostMemory { mem: &mut m.mem, findings: &mut m.findings }
    }
}

impl HostProcess<'_> {
    /// The machine's.
    #[inline]
    pub fn of(m: &mut Machine) -> HostProcess<'_> {
        HostThreads::of(m).process
    }

    /// The next variable argument of the guest's `va_list` at `list`, read as `ty`.
    ///
    /// # Errors
    /// A list that is not in use or has no further argument.
    pub fn va_arg(&mut self, list: Ptr, ty: Type, place: Place) -> Result<u128, Stop> {
        let memory = &mut HostMemory { mem: &mut *self.mem, findings: &mut *self.findings };
        va_arg(memory, (self.module, &self.engine.host.va), list, ty, place)
    }

    /// The source place that a place stands for.
    pub fn loc_of(&self, place: Place) -> Option<Loc> {
        loc_of(self.module, place)
    }

    /// Time since the program started, for every clock that counts from an unnamed point.
    pub fn elapsed(&mut self) -> Duration {
        self.engine.host.clock.elapsed(self.config)
    }

    /// Lets time pass.
    pub fn sleep(&mut self, time: Duration) {
        self.engine.host.clock.sleep(self.config, time);
    }
}

impl HostThreads<'_> {
    /// The machine's.
    #[inline]
    pub fn of(m: &mut Machine) -> HostThreads<'_> {
        let process = HostProcess {
            module: &m.module,
            config: &m.config,
            mem: &mut m.mem,
            findings: &mut m.findings,
            libc: &mut *m.libc,
            folder: &mut m.folder,
            engine: &mut m.engine,
        };
        HostThreads { process, threads: &mut m.threads }
    }
}

impl<'a> Deref for HostThreads<'a> {
    type Target = HostProcess<'a>;

    #[inline]
    fn deref(&self) -> &HostProcess<'a> {
        &self.process
    }
}

impl DerefMut for HostThreads<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.process
    }
}

impl HostRuntime<'_> {
    /// The host's calls that led to the function of the CUDA runtime, or the launch, that was reached last.
    pub fn host_calls(&self) -> &[Loc] {
        &self.engine.host.calls
    }

    /// The machine's.
    #[inline]
    pub fn of(m: &mut Machine) -> HostRuntime<'_> {
        HostRuntime {
            module: &m.module,
            config: &m.config,
            mem: &mut m.mem,
            findings: &mut m.findings,
            cuda: &mut *m.cuda,
            globals: &m.globals,
            thread: m.threads.current(),
            engine: &mut m.engine,
        }
    }

    /// The source place that a place stands for.
    pub fn loc_of(&self, place: Place) -> Option<Loc> {
        loc_of(self.module, place)
    }

    /// What depends on the order of threads: a kernel has read what others write, in the object of this number. Whether
    /// what it wrote depends on it now.
    pub fn raced(&mut self, kernel: FuncId, object: u32) -> bool {
        self.engine.launches.influence.raced(self.module, kernel, object)
    }

    /// Memory was copied or filled, whole objects or parts, to the host or not: what depends on the order of threads
    /// goes with it.
    pub fn copied(&mut self, dst: Ptr, src: Ptr, to_host: bool, whole: bool) {
        self.engine.launches.influence.copied(dst, src, (to_host, whole));
        self.findings.shaken = self.engine.launches.influence.host();
    }
}

/// Memory and fuel of a type that has both as fields.
macro_rules! has_fuel {
    ($($part:ty),*) => {$(
        impl HasMemory for $part {
            #[inline]
            fn memory(&mut self) -> HostMemory<'_> {
                HostMemory { mem: &mut self.mem, findings: &mut self.findings }
            }
        }

        impl HasFuel for $part {
            #[inline]
            fn spend(&mut self, operations: u64) -> Result<(), Stop> {
                self.engine.spend(operations)
            }
        }
    )*};
}

has_fuel!(Machine, HostProcess<'_>, HostRuntime<'_>);

impl HasMemory for HostMemory<'_> {
    #[inline]
    fn memory(&mut self) -> HostMemory<'_> {
        HostMemory { mem: &mut *self.mem, findings: &mut *self.findings }
    }
}

impl HasMemory for HostThreads<'_> {
    #[inline]
    fn memory(&mut self) -> HostMemory<'_> {
        self.process.memory()
    }
}

impl HasFuel for HostThreads<'_> {
    #[inline]
    fn spend(&mut self, operations: u64) -> Result<(), Stop> {
        self.process.spend(operations)
    }
}

impl HasProcess for Machine {
    #[inline]
    fn process(&mut self) -> HostProcess<'_> {
        HostProcess::of(self)
    }
}

impl HasProcess for HostProcess<'_> {
    #[inline]
    fn process(&mut self) -> HostProcess<'_> {
        HostProcess {
            module: self.module,
            config: self.config,
            mem: &mut *self.mem,
            findings: &mut *self.findings,
            libc: &mut *self.libc,
            folder: &mut *self.folder,
            engine: &mut *self.engine,
        }
    }
}

impl HasProcess for HostThreads<'_> {
    #[inline]
    fn process(&mut self) -> HostProcess<'_> {
        self.process.process()
    }
}

impl HasRuntime for Machine {
    #[inline]
    fn runtime(&mut self) -> HostRuntime<'_> {
        HostRuntime::of(self)
    }
}

impl HasRuntime for HostRuntime<'_> {
    #[inline]
    fn runtime(&mut self) -> HostRuntime<'_> {
        HostRuntime {
            module: self.module,
            config: self.config,
            mem: &mut *self.mem,
            findings: &mut *self.findings,
            cuda: &mut *self.cuda,
            globals: self.globals,
            thread: self.thread,
            engine: &mut *self.engine,
        }
    }
}
