//! What a launch does to the runtime, against a runtime that did the same without a transaction: rolling back leaves
//! it as it was, taking back a part leaves the rest, and committing leaves what was done.

use super::*;
use cudair_engine::VmConfig;
use proptest::prelude::*;

impl Cuda {
    /// All that a launch may change, in full: the reference that tests compare with.
    fn whole(&self) -> String {
        let sorted = |mut all: Vec<String>| {
            all.sort();
            all
        };
        format!(
            "{:?} {:?} {} {} {} {:?} {:?}",
            self.effects.printed,
            self.output,
            self.device.heap_used,
            self.launches,
            self.nested.whole(),
            sorted(self.texts.iter().map(|t| format!("{t:?}")).collect()),
            sorted(self.kernels.capable.iter().map(|c| format!("{c:?}")).collect()),
        )
    }

    /// A random change by device code, as functions of the device's runtime make it.
    fn change(&mut self, kind: u64, n: u64, thread: ThreadCoord) {
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
                self.device.heap_take(n);
            }
            7 => self.device.heap_give(n),
            8 => self.device_print(vec![b'x'; n as usize], n + 600_000),
            _ => self.device_assert(vec![b'a'; n as usize]),
        }
    }
}

/// One change by a thread of the device.
#[derive(Clone, Copy, Debug)]
struct Step {
    kind: u64,
    n: u64,
    thread: u32,
}

fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = (0u64..10, 0u64..20, 0u32..40).prop_map(|(kind, n, thread)| Step { kind, n, thread });
    prop::collection::vec(step, 0..most)
}

fn all(cuda: &mut Cuda, steps: &[Step]) {
    for step in steps {
        cuda.change(step.kind, step.n, ThreadCoord { block: [0; 3], thread: [step.thread, 0, 0] });
    }
}

/// A runtime in which a launch has done these and stands.
fn after(steps: &[Step]) -> Cuda {
    let mut cuda = Cuda::new(&VmConfig::default());
    cuda.open_launch();
    all(&mut cuda, steps);
    let printed = cuda.take_printed();
    cuda.commit_launch(printed);
    cuda
}

/// Whether a step is one that the list of changes takes back alone: text, the heap and launches are put back with the
/// whole launch.
fn is_listed(step: &&Step) -> bool {
    step.kind < 5
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rolling_back_leaves_it_as_it_was(before in steps(20), launch in steps(40)) {
        let mut cuda = after(&before);
        let was = cuda.whole();
        cuda.open_launch();
        all(&mut cuda, &launch);
        drop(cuda.roll_back_launch());
        prop_assert_eq!(cuda.whole(), was);
    }

    #[test]
    fn what_was_done_again_stands_once(before in steps(20), launch in steps(40)) {
        let mut cuda = after(&before);
        cuda.open_launch();
        all(&mut cuda, &launch);
        drop(cuda.roll_back_launch());
        cuda.open_launch();
        all(&mut cuda, &launch);
        let printed = cuda.take_printed();
        cuda.commit_launch(printed);
        let mut plain = after(&before);
        plain.open_launch();
        all(&mut plain, &launch);
        let printed = plain.take_printed();
        plain.commit_launch(printed);
        prop_assert_eq!(cuda.whole(), plain.whole());
    }

    #[test]
    fn a_part_is_taken_back_alone(first in steps(20), part in steps(40)) {
        let mut cuda = Cuda::new(&VmConfig::default());
        cuda.open_launch();
        all(&mut cuda, &first);
        let (was, changes) = (cuda.whole(), cuda.changes());
        let part: Vec<Step> = part.iter().filter(is_listed).copied().collect();
        all(&mut cuda, &part);
        cuda.undo_to(changes);
        prop_assert_eq!(cuda.whole(), was);
    }
}
