//! What launches would have written that the device refused: bytes there that were never written have that cause.

use super::Memory;
use cudair_lane::fault::NeverRan;
use cudair_lane::ptr::{Ptr, Tag};

/// Launches that did not run, each with the objects of the table that it would have written, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Refused(Vec<(Vec<u32>, NeverRan)>);

impl Refused {
    /// An object has the number of one that is gone.
    pub(super) fn forget(&mut self, object: Ptr) {
        if !self.0.is_empty() {
            self.written(&[object.serial()]);
        }
    }

    fn written(&mut self, objects: &[u32]) {
        self.0.iter_mut().for_each(|(all, _)| all.retain(|o| !objects.contains(o)));
        self.0.retain(|(all, _)| !all.is_empty());
    }

    /// The launch that would have written the object that a pointer leads to; the last one, of several.
    pub(super) fn writer(&self, ptr: Ptr) -> Option<NeverRan> {
        if self.0.is_empty() || ptr.tag() != Tag::Table {
            return None;
        }
        let writer = self.0.iter().rev().find(|(objects, _)| objects.contains(&ptr.serial()));
        writer.map(|(_, launch)| launch.clone())
    }
}

impl Memory {
    /// The device refused a launch that would have written these objects of the table.
    pub fn refuse(&mut self, objects: Vec<u32>, launch: NeverRan) {
        if !objects.is_empty() {
            self.refused.0.push((objects, launch));
        }
    }

    /// A launch runs that may write these objects, all if that is not known: what it leaves unwritten is not the fault of
    /// those that did not run.
    pub fn launch_writes(&mut self, objects: Option<&[u32]>) {
        match objects {
            _ if self.refused.0.is_empty() => {}
            Some(objects) => self.refused.written(objects),
            None => self.refused.0.clear(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cudair_ir::{EntityRef, FuncId, Loc};
    use cudair_lane::fault::Place;

    #[test]
    fn a_launch_that_did_not_run_is_known_by_what_it_would_have_written() {
        let launch = |n| NeverRan {
            kernel: FuncId::new(n),
            place: Place::Loc(Loc::new(n)),
            message: "refused".into(),
        };
        let mut memory = Memory::default();
        memory.refuse(vec![1, 2], launch(1));
        memory.refuse(vec![2, 3], launch(2));
        let kernels =
            |m: &Memory| [1, 2, 3, 4].map(|n| m.refused.writer(Ptr::table(n)).map(|l| l.kernel.index()));
        assert_eq!(kernels(&memory), [Some(1), Some(2), Some(2), None]);
        memory.launch_writes(Some(&[2]));
        assert_eq!(kernels(&memory), [Some(1), None, Some(2), None]);
        memory.refused.forget(Ptr::table(1));
        assert_eq!(kernels(&memory), [None, None, Some(2), None]);
        memory.launch_writes(None);
        assert_eq!(kernels(&memory), [None; 4]);
        assert_eq!(memory.refused.writer(Ptr::NULL), None);
    }
}
