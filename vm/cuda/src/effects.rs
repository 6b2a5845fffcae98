//! What the launch that runs does to the runtime: printed text, failed assertions, the device's heap, and what device code
//! creates, destroys and issues. The launch's transaction opens it, and takes it back or lets it stand.

use super::admission::Kernels;
use super::device::DeviceState;
use super::output::cut;
use super::{Cuda, CudaError, graph};
use cudair_engine::{Printed, RuntimeState};
use cudair_ir::{FuncId, ThreadCoord};
use cudair_lane::ptr::Ptr;

/// What can be taken back one by one.
#[derive(Debug)]
pub(super) enum Change {
    /// A stream or an event was created, the last one.
    Made,
    /// One was destroyed.
    Destroyed(usize),
    /// A thread's last error, and what it was.
    Error(ThreadCoord, Option<CudaError>),
    /// A grid, a copy, a fill or a graph was issued: to run in turn, or as a tail.
    Issued {
        /// As a tail.
        tail: bool,
    },
    /// A text was made for device code.
    Text(String),
    /// It was found out, and told, whether the device can run a kernel.
    Capable(FuncId),
    /// Of graphs.
    Graph(graph::DeviceChange),
}

/// What the running launch has done.
#[derive(Debug, Default)]
pub(super) struct Effects {
    changes: Vec<Change>,
    printed: Printed,
    /// What stood before it.
    heap_used: u64,
    launches: u64,
}

impl RuntimeState for Cuda {
    fn open_launch(&mut self) {
        // A field that is added must be thought of here: what device code changes of it is put back by
        // `roll_back_launch`.
        let Cuda {
            // Put back.
            effects,
            device:
                DeviceState {
                    heap_used,
                    limits: _,
                    cache_config: _,
                    shared_config: _,
                    flags: _,
                    notifications: _,
                },
            launches,
            // Put back by the list of changes.
            nested: _,
            graphs: _,
            texts: _,
            kernels:
                Kernels { capable: _, static_shared: _, dynamic_limits: _, carveouts: _, cluster_attributes: _ },
            // Kept back until the launch stands.
            output: _,
            // The host's alone, and what is so once it was looked up.
            errors: _,
            log: _,
            streams: _,
            events: _,
            queue: _,
            called_back: _,
            modules: _,
            contexts: _,
            host_time: _,
            memory: _,
            pools: _,
            graph_memory: _,
            virtual_memory: _,
            arrays: _,
            textures: _,
        } = self;
        effects.changes.clear();
        effects.printed = Printed::default();
        (effects.heap_used, effects.launches) = (*heap_used, *launches);
    }

    fn roll_back_launch(&mut self) -> Printed {
        self.undo_to(0);
        (self.device.heap_used, self.launches) = (self.effects.heap_used, self.effects.launches);
        self.take_printed()
    }

    fn take_printed(&mut self) -> Printed {
        std::mem::take(&mut self.effects.printed)
    }

    fn commit_launch(&mut self, printed: Printed) {
        self.effects.changes.clear();
        self.output.take_in(printed, self.device.limits.printf);
    }

    fn changes(&self) -> usize {
        self.effects.changes.len()
    }

    fn undo_to(&mut self, n: usize) {
        while self.effects.changes.len() > n
            && let Some(change) = self.effects.changes.pop()
        {
            match change {
                Change::Text(key) => {
                    self.texts.remove(&key);
                }
                Change::Capable(kernel) => {
                    self.kernels.capable.remove(&kernel);
                }
                Change::Graph(change) => self.graphs.undo(change),
                Change::Made | Change::Destroyed(_) | Change::Error(..) | Change::Issued { .. } => {
                    self.nested.undo(change);
                }
            }
        }
    }

    fn is_nested(&self) -> bool {
        self.nested.depth > 0
    }
}

impl Cuda {
    /// The launch makes a change.
    pub(super) fn note(&mut self, change: Change) {
        self.effects.changes.push(change);
    }

    /// Takes a record of the device's `printf` into its buffer. Where it is full, the oldest go.
    pub(crate) fn device_print(&mut self, text: Vec<u8>, size: u64) {
        let printed = &mut self.effects.printed;
        printed.size += size;
        printed.text.push_back((text, size));
        printed.lost += cut(&mut printed.text, &mut printed.size, self.device.limits.printf);
    }

    /// Takes the message of a failed assertion.
    pub(crate) fn device_assert(&mut self, message: Vec<u8>) {
        self.effects.printed.asserts.push(message);
    }

    /// Sets the last error of a thread of the device; gives what it was.
    pub(super) fn set_device_error(
        &mut self,
        thread: ThreadCoord,
        error: Option<CudaError>,
    ) -> Option<CudaError> {
        let before = self.nested.set_error(thread, error);
        if before != error {
            self.note(Change::Error(thread, before));
        }
        before
    }

    /// A handle that was given to device code: a graph's change that its launch makes.
    pub(super) fn note_graph(&mut self, change: graph::DeviceChange) {
        self.note(Change::Graph(change));
    }

    /// A text for device code was made.
    pub(super) fn keep_text(&mut self, key: String, ptr: Ptr) {
        self.note(Change::Text(key.clone()));
        self.texts.insert(key, ptr);
    }
}

#[cfg(test)]
mod tests;
