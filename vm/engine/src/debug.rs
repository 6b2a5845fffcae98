//! A run that stands still, as a debugger sees it: who has come to which place, with which calls and variables.
//!
//! The places are those that the program counts ([`cudair_ir::InstData::Count`]), one before each piece of a line. At each, on the
//! host and on the device, the engine asks the [`Debugger`] of its configuration, which may keep the run waiting as long as it
//! likes. Runs of a launch that nobody is told of, such as the second one for the race detector, do not ask.

use crate::device::{ConvergenceGroup, Grid, Strip, does};
use crate::dump::{Variable, loc_of_frame};
use crate::host::Frame as HostFrame;
use crate::state::{Show, place, variable_at};
use cudair_ir::{FileId, Finding, Loc, Module, NamedTypes, SourceType, ThreadCoord};
use cudair_lane::ptr::Ptr;
use cudair_memory::{BlockMem, LocalFrames, Memory};
use cudair_report::watch::Watch;

/// A byte, or nothing where none was ever written.
pub type Byte = Option<u8>;

/// Who decides at each place how the run goes on.
pub trait Debugger: Send + Sync + std::fmt::Debug {
    /// Threads have come to a place. The run goes on when this returns.
    fn reached(&self, here: &Here<'_>) -> Order;

    /// Something ends a launch or the run here, for this reason; of a launch it is one of the threads that have come here.
    fn stopped(&self, here: &Here<'_>, why: &str, thread: Option<DeviceThread>) -> Order;

    /// A launch is about to run its first block.
    fn begins(&self);

    /// A launch has come to its end, or was ended. Gives whether it is to be taken back and to run again, which it can be if
    /// it `may`.
    fn ends(&self, may: bool) -> bool;
}

/// What becomes of a run that stood still.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// It goes on.
    Go,
    /// It ends here.
    End,
}

/// A thread of the device: which launch it is of, its block, and its linear number there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeviceThread {
    /// The launch's number.
    pub launch: u64,
    /// The block's index.
    pub block: [u32; 3],
    /// The linear number in the block.
    pub thread: u32,
}

/// Where a run stands still.
#[derive(Clone, Copy)]
pub struct Here<'a> {
    /// The number of the place; none where something else stops the run.
    pub point: Option<u32>,
    /// The program.
    pub module: &'a Module,
    pub(crate) mem: &'a Memory,
    pub(crate) watch: &'a Watch,
    pub(crate) side: Halted<'a>,
}

/// On which side that is.
#[derive(Clone, Copy)]
pub(crate) enum Halted<'a> {
    Host {
        /// The outermost first.
        frames: &'a [HostFrame],
        /// The operation behind the place, in the innermost frame.
        pc: usize,
        /// Which thread of the host it is.
        thread: u64,
    },
    Device {
        grid: &'a Grid,
        strip: &'a Strip,
        group: &'a ConvergenceGroup,
        block: &'a BlockMem,
        /// The operation behind the place, in the innermost frame.
        pc: usize,
    },
}

/// A function that is being executed.
pub struct CallFrame<'a> {
    /// What a reader calls it.
    pub function: &'a str,
    /// Where it stands.
    pub at: Option<Loc>,
}

/// Threads of the block that are somewhere else.
pub struct Elsewhere<'a> {
    /// Their linear numbers.
    pub threads: Vec<u32>,
    /// What they do: "waiting at a barrier".
    pub does: &'static str,
    /// The innermost function.
    pub function: &'a str,
    /// Where they are.
    pub at: Option<Loc>,
}

/// A variable of a frame or of a block.
pub struct Named {
    /// Its name.
    pub name: String,
    /// Its type, where that is known.
    pub ty: Option<SourceType>,
    /// Its bytes; nothing where it is not in scope.
    pub bytes: Option<Vec<Byte>>,
}

impl Here<'_> {
    /// The types of the source.
    pub fn types(&self) -> &NamedTypes {
        &self.module.types
    }

    /// Whether the host has come here.
    pub fn on_host(&self) -> bool {
        self.host_thread().is_some()
    }

    /// The thread of the host that has come here; none on the device.
    pub fn host_thread(&self) -> Option<u64> {
        match self.side {
            Halted::Host { thread, .. } => Some(thread),
            Halted::Device { .. } => None,
        }
    }

    /// How many different findings the run has so far, those included that nobody is told of.
    pub fn noted(&self) -> usize {
        self.watch.mirror().len()
    }

    /// The findings of the run so far, in the order in which they were first met.
    pub fn found(&self) -> Vec<Finding> {
        self.watch.found(self.module)
    }

    /// The threads of the device that have come here together; none on the host.
    pub fn threads(&self) -> Vec<DeviceThread> {
        let Halted::Device { grid, strip, group, .. } = &self.side else { return Vec::new() };
        let first = strip.shape.first_thread;
        let of = |lane: usize| DeviceThread {
            launch: grid.launch_ref.number,
            block: strip.shape.block_index,
            thread: first + lane as u32,
        };
        group.mask.iter().map(of).collect()
    }

    /// The first of them.
    pub fn first_thread(&self) -> Option<DeviceThread> {
        let Halted::Device { grid, strip, group, .. } = &self.side else { return None };
        let thread = strip.shape.first_thread + group.mask.lowest()? as u32;
        Some(DeviceThread { launch: grid.launch_ref.number, block: strip.shape.block_index, thread })
    }

    /// Whether a thread is among them.
    pub fn has(&self, t: DeviceThread) -> bool {
        let Halted::Device { grid, strip, .. } = &self.side else { return false };
        t.launch == grid.launch_ref.number
            && t.block == strip.shape.block_index
            && self.lane(t.thread).is_some()
    }

    /// A thread as findings name it; nothing on the host.
    pub fn coord(&self, t: DeviceThread) -> Option<ThreadCoord> {
        let (_, block) = self.extents()?;
        Some(cudair_lane::thread_coord(t.block, block, t.thread))
    }

    /// The thread that a finding names, in a launch of blocks so large: its linear number in the block.
    pub fn thread_of(launch: u64, t: &ThreadCoord, block: [u32; 3]) -> DeviceThread {
        let [x, y, _] = block;
        let thread = t.thread[0] + x * (t.thread[1] + y * t.thread[2]);
        DeviceThread { launch, block: t.block, thread }
    }

    /// The same as another thread sees it, which is here, or somewhere else in the same 256 threads of the block.
    pub fn seen_by(&self, t: DeviceThread) -> Option<Here<'_>> {
        if self.has(t) {
            return Some(*self);
        }
        let Halted::Device { grid, strip, block, .. } = self.side else { return None };
        if t.launch != grid.launch_ref.number || t.block != strip.shape.block_index {
            return None;
        }
        let lane = t.thread.checked_sub(strip.shape.first_thread)? as usize;
        let group = strip.groups.iter().find(|g| !g.frames.is_empty() && g.mask.iter().any(|l| l == lane))?;
        let side = Halted::Device { grid, strip, group, block, pc: group.top().pc + 1 };
        Some(Here { point: None, side, ..*self })
    }

    /// Where the others of the same 256 threads of the block are; nothing on the host.
    pub fn elsewhere(&self) -> Vec<Elsewhere<'_>> {
        let Halted::Device { strip, .. } = self.side else { return Vec::new() };
        let of = |g: &'_ ConvergenceGroup| {
            let code = g.top().code.code();
            (
                g.mask.iter().map(|l| strip.shape.first_thread + l as u32).collect(),
                does(strip, g),
                code,
                g.top().pc,
            )
        };
        let all = strip.groups.iter().filter(|g| !g.frames.is_empty() && !g.mask.is_empty()).map(of);
        all.map(|(threads, does, code, pc)| Elsewhere {
            threads,
            does,
            function: &code.name,
            at: loc_of_frame(code, pc),
        })
        .collect()
    }

    fn lane(&self, thread: u32) -> Option<usize> {
        let Halted::Device { strip, group, .. } = &self.side else { return None };
        let lane = thread.checked_sub(strip.shape.first_thread)? as usize;
        group.mask.iter().find(|&l| l == lane)
    }

    /// The extents of the launch: of its grid and of a block.
    pub fn extents(&self) -> Option<([u32; 3], [u32; 3])> {
        match &self.side {
            Halted::Device { grid, .. } => Some((grid.launch.grid, grid.launch.block)),
            Halted::Host { .. } => None,
        }
    }

    /// How many functions are being executed, one inside the other.
    pub fn depth(&self) -> usize {
        match &self.side {
            Halted::Host { frames, .. } => frames.len(),
            Halted::Device { group, .. } => group.frames.len(),
        }
    }

    /// The functions that are being executed, the innermost first.
    pub fn frames(&self) -> Vec<CallFrame<'_>> {
        let mut out: Vec<CallFrame<'_>> = match &self.side {
            Halted::Host { frames, pc, .. } => {
                let last = frames.len().saturating_sub(1);
                let of = |(n, f): (usize, &HostFrame)| {
                    let (code, pc) = (f.code.code(), if n == last { *pc } else { f.pc });
                    CallFrame { function: &code.name, at: loc_of_frame(code, pc.saturating_sub(1)) }
                };
                frames.iter().enumerate().map(of).collect()
            }
            Halted::Device { group, pc, .. } => {
                let last = group.frames.len().saturating_sub(1);
                let of = |(n, f): (usize, &crate::device::Frame)| {
                    let (code, pc) = (f.code.code(), if n == last { *pc } else { f.pc });
                    CallFrame { function: &code.name, at: loc_of_frame(code, pc.saturating_sub(1)) }
                };
                group.frames.iter().enumerate().map(of).collect()
            }
        };
        out.reverse();
        out
    }

    /// The named variables of a frame, counted from the innermost, as a thread has them; on the host `thread` is not asked.
    pub fn variables(&self, frame: usize, thread: u32) -> Vec<Named> {
        match &self.side {
            Halted::Host { frames, .. } => {
                let Some(f) = frames.iter().rev().nth(frame) else { return Vec::new() };
                let code = f.code.code();
                let named = code.slots.iter().enumerate().filter(|(_, l)| !l.name.is_empty());
                named
                    .map(|(slot, l)| Named {
                        name: l.name.clone(),
                        ty: Variable::ty(self.module, code, l),
                        bytes: f.locals().and_then(|locals| self.mem.host.peek(locals, slot as u32)),
                    })
                    .collect()
            }
            Halted::Device { strip, group, .. } => {
                let Some(f) = group.frames.iter().rev().nth(frame) else { return Vec::new() };
                let (code, lane) = (f.code.code(), self.lane(thread));
                let named = code.slots.iter().enumerate().filter(|(_, l)| !l.name.is_empty());
                named
                    .map(|(slot, l)| Named {
                        name: l.name.clone(),
                        ty: Variable::ty(self.module, code, l),
                        bytes: f
                            .locals
                            .zip(lane)
                            .and_then(|(id, lane)| strip.locals.peek(id, slot as u32, lane)),
                    })
                    .collect()
            }
        }
    }

    /// The shared variables of the block.
    pub fn shared(&self) -> Vec<Named> {
        let Halted::Device { block, .. } = &self.side else { return Vec::new() };
        let of = |(n, var): (usize, &cudair_memory::SharedVar)| Named {
            name: var.name.to_string(),
            ty: self.module.globals[var.global].ty.clone(),
            bytes: Some(block.peek(n)),
        };
        block.layout().vars.iter().enumerate().map(of).collect()
    }

    /// Bytes of memory: of what the host or the device has allocated, of variables of the host, and of shared and local
    /// variables of those who have come here. Nothing where it does not reach so far.
    pub fn memory(&self, address: u64, bytes: u64) -> Option<Vec<Byte>> {
        let p = Ptr(address);
        match variable_at(self.mem, self.block(), p) {
            None => self.mem.peek(p, bytes),
            Some((_, all)) => {
                let from = usize::try_from(p.offset()).ok()?;
                all.get(from..from.checked_add(usize::try_from(bytes).ok()?)?).map(<[Byte]>::to_vec)
            }
        }
    }

    /// How many bytes there are behind an address, up to the end of what it points into.
    pub fn bytes_behind(&self, address: u64) -> u64 {
        let p = Ptr(address);
        let size = match variable_at(self.mem, self.block(), p) {
            None => self.mem.lookup(p).map_or(0, |(_, size, ..)| size),
            Some((_, all)) => all.len() as u64,
        };
        u64::try_from(p.offset()).map_or(0, |offset| size.saturating_sub(offset))
    }

    fn block(&self) -> Option<(&BlockMem, &LocalFrames)> {
        match &self.side {
            Halted::Host { .. } => None,
            Halted::Device { strip, block, .. } => Some((block, &strip.locals)),
        }
    }

    /// Bytes as a value of a type.
    pub fn show(&self, ty: Option<&SourceType>, bytes: &[Byte], indent: &str) -> String {
        Show { mem: self.mem, types: &self.module.types, block: self.block() }.contents(ty, bytes, indent)
    }

    /// The file and line of a place that a reader sees.
    pub fn line(&self, loc: Loc) -> (FileId, u32) {
        let data = &self.module.source.locs[self.module.source.visible(loc)];
        (data.file, data.start.line)
    }

    /// A place as `file:line:column`.
    pub fn place(&self, loc: Option<Loc>) -> String {
        place(self.module, loc)
    }
}
