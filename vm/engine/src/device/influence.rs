//! What hangs on the order in which threads run, as far as memory carries it from launch to launch.
//!
//! A launch with a race, or one that uses the result of an atomic operation, may leave other values under another
//! schedule. What it may have written is *unsteady*; a launch that may read such memory leaves unsteady memory in
//! turn, and where its branches or addresses depend on values that it loads, so may its findings. Copies carry it
//! on, and once the host holds unsteady values, all that follows may hang on them. This is told of objects, not of
//! bytes: it may say too much, and what is not said to hang on the schedule does not.

use crate::library::is_pure;
use cudair_ir::oblivious::{self, Reason};
use cudair_ir::{FuncId, Module};
use cudair_lane::ptr::{Ptr, Tag};
use cudair_race::MayTouch;
use rustc_hash::{FxHashMap, FxHashSet};

/// What is unsteady.
#[derive(Debug, Default)]
pub(crate) struct NondeterminismTaint {
    /// Objects by their number in the table.
    objects: FxHashSet<u32>,
    /// Any memory of the device.
    anything: bool,
    /// What the host does from now on.
    host: bool,
    /// Whether a kernel's branches or addresses depend on what it loads.
    decides: FxHashMap<FuncId, bool>,
}

fn number(ptr: Ptr) -> Option<u32> {
    (ptr.tag() == Tag::Table).then(|| ptr.serial())
}

impl NondeterminismTaint {
    /// Whether what the host does may hang on the schedule.
    pub(crate) fn host(&self) -> bool {
        self.host
    }

    /// Whether a launch may read what is unsteady, or was issued because of it.
    fn reaches(&self, touched: &MayTouch) -> bool {
        let may_hold = self.anything || !self.objects.is_empty();
        self.host
            || may_hold
                && touched.reads.as_ref().is_none_or(|r| {
                    self.anything && !r.is_empty() || r.iter().any(|o| self.objects.contains(o))
                })
    }

    /// A launch has ended: `unsteady` says that it used the result of an atomic operation, `races` that there was a
    /// race in it. Gives whether its findings may hang on the schedule.
    pub(crate) fn launched(
        &mut self,
        module: &Module,
        kernel: FuncId,
        touched: &MayTouch,
        (unsteady, races): (bool, bool),
    ) -> bool {
        let influenced = races || self.reaches(touched);
        if unsteady || influenced {
            match &touched.writes {
                None => self.anything = true,
                Some(writes) => self.objects.extend(writes),
            }
        }
        unsteady || self.host || influenced && self.decides(module, kernel)
    }

    /// An object that a launch reads was found to race with another operation. Gives whether the launch's findings
    /// may hang on that.
    pub(crate) fn raced(&mut self, module: &Module, kernel: FuncId, object: u32) -> bool {
        self.objects.insert(object);
        self.decides(module, kernel)
    }

    /// An object that the host can read itself is among those that a launch has made unsteady.
    pub(crate) fn host_reads(&mut self, is_reachable: impl Fn(u32) -> bool) {
        self.host = self.host || self.objects.iter().any(|&o| is_reachable(o));
    }

    /// Memory is copied: to the host's own or within the device's, over the whole of the object or a part.
    pub(crate) fn copied(&mut self, dst: Ptr, src: Ptr, (to_host, whole): (bool, bool)) {
        let from = number(src);
        let unsteady =
            self.host || from.is_some_and(|o| self.objects.contains(&o)) || self.anything && to_host;
        match number(dst) {
            _ if unsteady && to_host => self.host = true,
            Some(to) if unsteady => {
                self.objects.insert(to);
            }
            Some(to) if whole && !self.anything => {
                self.objects.remove(&to);
            }
            _ => {}
        }
    }

    /// Whether branches or addresses of a kernel, or of what it calls, depend on values that other threads may write.
    fn decides(&mut self, module: &Module, kernel: FuncId) -> bool {
        let found = || oblivious::reasons(module, kernel, is_pure).iter().any(Reason::decides);
        *self.decides.entry(kernel).or_insert_with(found)
    }
}
