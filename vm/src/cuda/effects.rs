//! What the launch that runs does to the runtime: printed text, failed assertions, the device's heap, and what device code
//! creates, destroys and issues. The launch's transaction opens it, and takes it back or lets it stand.

use super::{CudaError, CudaState, graph};
use cudair_ir::{FuncId, ThreadCoord};
use cudair_lane::ptr::Ptr;
use std::collections::VecDeque;

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

/// Text that the launch printed, with the bytes that each record takes of the buffer, and messages of assertions.
#[derive(Debug, Default)]
pub(crate) struct Printed {
    text: VecDeque<(Vec<u8>, u64)>,
    size: u64,
    asserts: Vec<Vec<u8>>,
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

impl CudaState {
    /// A launch's transaction begins.
    pub(crate) fn open_launch(&mut self) {
        // A field that is added must be thought of here: what device code changes of it is put back by
        // `roll_back_launch`.
        let CudaState {
            // Put back.
            effects,
            heap_used,
            launches,
            // Put back by the list of changes.
            nested: _,
            graphs: _,
            texts: _,
            capable: _,
            // Kept back until the launch stands.
            printed: _,
            printed_size: _,
            asserts: _,
            // How the launch ended, which is known when it stands.
            asserted: _,
            // What is so, once it was looked up.
            static_shared: _,
            used_results: _,
            // The host's alone.
            last: _,
            log: _,
            sticky: _,
            unchecked: _,
            refused: _,
            streams: _,
            stream_handles: _,
            events: _,
            event_handles: _,
            queue: _,
            modules: _,
            own_module: _,
            contexts: _,
            synchronous: _,
            described: _,
            notifications: _,
            host_time: _,
            allocations: _,
            device_used: _,
            registered: _,
            host_flags: _,
            pools: _,
            managed: _,
            graph_memory: _,
            virtual_memory: _,
            arrays: _,
            mipmaps: _,
            textures: _,
            limits: _,
            cache_config: _,
            shared_config: _,
            device_flags: _,
            dynamic_limits: _,
            cluster_attributes: _,
        } = self;
        effects.changes.clear();
        effects.printed = Printed::default();
        (effects.heap_used, effects.launches) = (*heap_used, *launches);
    }

    /// The runtime is as it was when the launch began. Gives what the launch printed.
    pub(crate) fn roll_back_launch(&mut self) -> Printed {
        self.undo_to(0);
        (self.heap_used, self.launches) = (self.effects.heap_used, self.effects.launches);
        self.take_printed()
    }

    /// What the launch printed, which is passed on nowhere.
    pub(crate) fn take_printed(&mut self) -> Printed {
        std::mem::take(&mut self.effects.printed)
    }

    /// What the launch did stands, and so does what it printed.
    pub(crate) fn commit_launch(&mut self, printed: Printed) {
        self.effects.changes.clear();
        self.asserted |= !printed.asserts.is_empty();
        self.asserts.extend(printed.asserts);
        for (text, size) in printed.text {
            self.printed_size += size;
            self.printed.push_back((text, size));
        }
        Printed::cut(&mut self.printed, &mut self.printed_size, self.limits.printf);
    }

    /// How many changes the launch has made so far.
    pub(crate) fn changes(&self) -> usize {
        self.effects.changes.len()
    }

    /// Takes back all but the first `n` changes of the launch.
    pub(crate) fn undo_to(&mut self, n: usize) {
        while self.effects.changes.len() > n
            && let Some(change) = self.effects.changes.pop()
        {
            match change {
                Change::Text(key) => {
                    self.texts.remove(&key);
                }
                Change::Capable(kernel) => {
                    self.capable.remove(&kernel);
                }
                Change::Graph(change) => self.graphs.undo(change),
                Change::Made | Change::Destroyed(_) | Change::Error(..) | Change::Issued { .. } => {
                    self.nested.undo(change);
                }
            }
        }
    }

    /// The launch makes a change.
    pub(super) fn note(&mut self, change: Change) {
        self.effects.changes.push(change);
    }

    /// Takes a record of the device's `printf` into its buffer. Where it is full, the oldest go.
    pub(crate) fn device_print(&mut self, text: Vec<u8>, size: u64) {
        let printed = &mut self.effects.printed;
        printed.size += size;
        printed.text.push_back((text, size));
        Printed::cut(&mut printed.text, &mut printed.size, self.limits.printf);
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

impl Printed {
    /// Drops the oldest records where there are more bytes than the buffer has.
    fn cut(text: &mut VecDeque<(Vec<u8>, u64)>, size: &mut u64, room: u64) {
        while *size > room
            && let Some((_, first)) = text.pop_front()
        {
            *size -= first;
        }
    }
}

#[cfg(test)]
impl CudaState {
    /// All that a launch may change, in full: the reference that tests compare with.
    pub(crate) fn whole(&self) -> String {
        let sorted = |mut all: Vec<String>| {
            all.sort();
            all
        };
        format!(
            "{:?} {:?} {} {:?} {} {} {} {} {:?} {:?}",
            self.effects.printed,
            self.printed,
            self.printed_size,
            self.asserts,
            self.asserted,
            self.heap_used,
            self.launches,
            self.nested.whole(),
            sorted(self.texts.iter().map(|t| format!("{t:?}")).collect()),
            sorted(self.capable.iter().map(|c| format!("{c:?}")).collect()),
        )
    }

    /// A random change by device code, as functions of the device's runtime make it.
    pub(crate) fn change(&mut self, kind: u64, n: u64, thread: ThreadCoord) {
        match kind {
            0 => {
                self.nested.make();
                self.note(Change::Made);
            }
            1 => {
                if let Some(slot) = self.nested.kill(n) {
                    self.note(Change::Destroyed(slot));
                }
            }
            2 => {
                self.set_device_error(thread, (n.is_multiple_of(2)).then_some(CudaError::INVALID_VALUE));
            }
            3 => {
                self.nested.issue(n.is_multiple_of(2));
                self.note(Change::Issued { tail: n.is_multiple_of(2) });
            }
            4 => {
                let key = format!("device {n}");
                if !self.texts.contains_key(&key) {
                    self.keep_text(key, Ptr::NULL);
                }
            }
            5 => self.launches += 1,
            6 => {
                self.heap_take(n);
            }
            7 => self.heap_give(n),
            8 => self.device_print(vec![b'x'; n as usize], n + 600_000),
            _ => self.device_assert(vec![b'a'; n as usize]),
        }
    }
}
