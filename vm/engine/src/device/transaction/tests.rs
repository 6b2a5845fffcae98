//! Transactions against a full copy: whatever a launch does and wherever it ends, rolling back leaves the machine
//! as it was, and committing leaves what was done.

use super::*;
use crate::config::VmConfig;
use crate::faults::Notes;
use cudair_ir::{EntityRef, FuncId, Kind, Module, NoOracle, Site, Space, ThreadCoord};
use cudair_lane::fault::{AllocKind, Fault, LaunchRef, Place};
use cudair_lane::ptr::Ptr;
use cudair_lane::{Mask, MemSide, StripShape, Values};
use cudair_memory::{Access, Addrs, AllocInfo, ByteAccess, InitState, LaneCx, LocalFrames};
use proptest::prelude::*;
use std::sync::Arc;

/// One thing that a launch does. Numbers are taken modulo what there is.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Lanes store, each at a distance from the one before.
    Store {
        obj: u64,
        at: u64,
        step: u64,
        width: u8,
        init: bool,
    },
    /// Lanes add by an atomic.
    Add {
        obj: u64,
        at: u64,
    },
    Fill {
        obj: u64,
        at: u64,
        len: u64,
    },
    Copy {
        to: u64,
        from: u64,
        at: u64,
        len: u64,
    },
    Alloc {
        size: u64,
        init: bool,
    },
    Free {
        obj: u64,
    },
    Runtime {
        kind: u64,
        n: u64,
    },
    Find {
        n: u64,
    },
    Spend {
        n: u64,
    },
    State,
}

fn deed() -> impl Strategy<Value = Step> {
    let n = || 0u64..10_000;
    prop_oneof![
        4 => (n(), n(), prop::sample::select(vec![4u64, 8, 60, 4096]), prop::sample::select(vec![1u8, 2, 4, 8]), any::<bool>())
            .prop_map(|(obj, at, step, width, init)| Step::Store { obj, at, step, width, init }),
        2 => (n(), n()).prop_map(|(obj, at)| Step::Add { obj, at }),
        1 => (n(), n(), n()).prop_map(|(obj, at, len)| Step::Fill { obj, at, len }),
        1 => (n(), n(), n(), n()).prop_map(|(to, from, at, len)| Step::Copy { to, from, at, len }),
        2 => (1u64..9000, any::<bool>()).prop_map(|(size, init)| Step::Alloc { size, init }),
        2 => n().prop_map(|obj| Step::Free { obj }),
        3 => (0u64..10, 0u64..20).prop_map(|(kind, n)| Step::Runtime { kind, n }),
        2 => (0u64..6).prop_map(|n| Step::Find { n }),
        1 => n().prop_map(|n| Step::Spend { n }),
        1 => Just(Step::State),
    ]
}

/// A machine and the objects that were ever made in it.
struct Fixture {
    m: Machine,
    made: Vec<Ptr>,
    shape: StripShape,
    locals: LocalFrames,
}

const LANES: usize = 40;
fn launch() -> LaunchRef {
    LaunchRef { number: 3, kernel: FuncId::new(0) }
}

impl Fixture {
    fn new() -> Fixture {
        let config = VmConfig { dump_state: true, perf: true, counts: true, ..VmConfig::default() };
        let shape = StripShape {
            block_index: [0; 3],
            block_dim: [LANES as u32, 1, 1],
            first_thread: 0,
            lanes: LANES as u32,
            launch: Some(launch()),
        };
        let m =
            Machine::new(Arc::new(Module::default()), config, Arc::new(NoOracle), crate::stub::libraries());
        let mut rig = Fixture { m, made: Vec::new(), locals: LocalFrames::new(&shape), shape };
        for (size, init) in [(16_000, false), (5000, true), (300, false), (64, true)] {
            rig.run(Step::Alloc { size, init });
        }
        rig
    }

    /// All that a launch may change, in full.
    fn whole(&mut self) -> Vec<String> {
        let m = &mut self.m;
        let mut all = m.mem.whole();
        all.push(crate::stub::runtime(m).whole());
        all.push(format!("{:?}", m.findings));
        let e = &m.engine.worker;
        all.push(format!("{:?} {:?} {:?} {:?}", e.ub, e.perf, e.counters, e.dump));
        all.push(format!("{:?} {:?} {}", e.meters(), e.looks, e.alone));
        all
    }

    fn object(&self, n: u64) -> Option<(Ptr, u64)> {
        let ptr = self.made[n as usize % self.made.len()];
        self.m.mem.lookup(ptr).map(|(ptr, size, ..)| (ptr, size))
    }

    fn all<'a>(&mut self, deeds: impl IntoIterator<Item = &'a Step>) {
        for &deed in deeds {
            self.run(deed);
        }
    }

    fn run(&mut self, deed: Step) {
        let thread = ThreadCoord { block: [0; 3], thread: [7, 0, 0] };
        let who = ByteAccess { lane: 0, place: Place::Unknown, native: Some("a test") };
        let mask = Mask::first(LANES);
        let objects = |rig: &Fixture| -> Option<((Ptr, u64), (Ptr, u64))> {
            match deed {
                Step::Store { obj, .. }
                | Step::Add { obj, .. }
                | Step::Fill { obj, .. }
                | Step::Free { obj } => rig.object(obj).map(|o| (o, o)),
                Step::Copy { to, from, .. } => Some((rig.object(to)?, rig.object(from)?)),
                _ => Some(((Ptr::NULL, 0), (Ptr::NULL, 0))),
            }
        };
        let Some(((ptr, size), (other, other_size))) = objects(self) else { return };
        let Fixture { m, made, shape, locals } = self;
        let site = cudair_lane::fault::SiteRef { func: FuncId::new(0), site: Site::new(0) };
        let cx = &mut LaneCx {
            side: MemSide::Device,
            mask: &mask,
            block: None,
            locals: Some(locals),
            shape,
            findings: &mut m.findings,
        };
        // Out of bounds and so on are the launch's faults: they are part of what is tried.
        match deed {
            Step::Store { at, step, width, init, .. } => {
                let at = at % size / u64::from(width) * u64::from(width);
                let index: Vec<u32> = (0..256).map(|l| (l * step) as u32).collect();
                let base = ptr.add(at as i64);
                let addrs = Addrs::Base32 { base, index: &index, scale: 1, disp: 0 };
                let acc = Access { width, align_log2: 0, volatile: false, copy: !init, late: 0, site };
                let none = [0; 256];
                let bits = (!init).then_some(&none[..]);
                let _ = m.mem.store_lanes(cx, &addrs, acc, Values::Uniform(0x0102_0304_0506_0708), bits);
                m.engine.worker.changes += 1;
            }
            Step::Add { at, .. } => {
                let addrs = Addrs::Uniform(ptr.add((at % size / 4 * 4) as i64));
                let acc = Access { width: 4, align_log2: 2, volatile: false, copy: false, late: 0, site };
                let add = cudair_memory::Atomic::Rmw {
                    wanted: true,
                    op: cudair_ir::AtomicOp::Add,
                    values: Values::Uniform(3),
                    bf16: false,
                };
                let (order, scope) = (cudair_ir::MemOrder::Relaxed, cudair_ir::Scope::Device);
                let _ = m.mem.atomic_lanes(cx, &addrs, acc, add, order, scope, &mut []);
            }
            Step::Fill { at, len, .. } => {
                let _ = m.mem.fill(cx, who, ptr.add((at % size) as i64), 0x5a, len % size);
            }
            Step::Copy { at, len, .. } => {
                let (to, from) = (ptr.add((at % size) as i64), other.add((at % other_size) as i64));
                let _ = m.mem.copy(cx, who, to, from, len % size);
            }
            Step::Alloc { size, init } => {
                let init = if init { InitState::Zero } else { InitState::Uninit };
                let info = AllocInfo { kind: AllocKind::DeviceMalloc, name: None, place: Place::Unknown };
                made.push(m.mem.alloc(Space::Global, size, 16, init, info).expect("there is memory"));
            }
            Step::Free { .. } => {
                let _ = m.mem.free(cx, who, ptr, AllocKind::DeviceMalloc);
            }
            Step::Runtime { kind, n } => crate::stub::runtime(m).change(kind, n),
            Step::Find { n } => {
                let kind = if n < 3 { Kind::UndefinedBehavior } else { Kind::OutOfBounds };
                let fault = Fault::other(kind, Place::Unknown, format!("fault {n}"), "here");
                m.findings.note(fault.clone().by_thread(thread, Some(launch())));
                let who = crate::faults::Who { thread: Some(thread), launch: Some(launch()), count: 2 };
                m.note_once((0, n as u32, 0), who, || fault);
            }
            Step::Spend { n } => {
                m.engine.spend(n).expect("there is fuel");
                m.engine.worker.look_at_clock(1, n as usize % 3);
            }
            Step::State => {
                m.engine.worker.add_to_dump("stopped\n");
                m.engine.worker.count(5, 32);
            }
        }
    }
}

/// What machines with the same past are when they have done the same without a transaction: the reference.
fn plainly(before: &[Step], deeds: &[Step]) -> Vec<String> {
    let mut rig = Fixture::new();
    for part in [before, deeds] {
        let mut t = Transaction::begin(&mut rig.m, Keep::Nothing).expect("none is open");
        rig.all(part);
        t.commit(&mut rig.m).expect("it is open");
    }
    rig.whole()
}

fn deeds(most: usize) -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(deed(), 0..most)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// What a core does in its part of a launch is taken back without the rest of the launch, and then with it.
    #[test]
    fn a_part_is_taken_back(first in deeds(12), part in deeds(30), last in deeds(12)) {
        let alone = |d: &&Step| matches!(d, Step::Alloc { .. } | Step::Free { .. } | Step::Runtime { .. });
        let mut rig = Fixture::new();
        let before = rig.whole();
        let mut t = Transaction::begin(&mut rig.m, Keep::All).unwrap();
        rig.all(first.iter().filter(|d| !alone(d)));
        let parted = rig.whole();
        let p = rig.m.lend(|w, mut rest| Ok(Part::begin(w, &mut rest))).unwrap();
        rig.all(part.iter().filter(|d| !alone(d)));
        let void = |w: &mut Worker, mut rest: Lent<'_>| {
            p.void(w, &mut rest);
            Ok(())
        };
        rig.m.lend(void).unwrap();
        prop_assert_eq!(rig.whole(), parted);
        let made = rig.made.len();
        rig.all(&last);
        t.roll_back(&mut rig.m).unwrap();
        rig.made.truncate(made);
        prop_assert_eq!(rig.whole(), before);
    }

    /// A launch that is taken back, wherever it stopped, has not been; it can run again, and stands then.
    #[test]
    fn rolling_back_leaves_all_as_it_was(before in deeds(12), first in deeds(40), cut in 0usize..40) {
        let mut rig = Fixture::new();
        let mut t = Transaction::begin(&mut rig.m, Keep::Nothing).unwrap();
        rig.all(&before);
        t.commit(&mut rig.m).unwrap();
        let (made, then) = (rig.made.len(), rig.whole());

        // Stopped by a fault in the middle.
        let mut t = Transaction::begin(&mut rig.m, Keep::All).unwrap();
        rig.all(first.iter().take(cut));
        t.roll_back(&mut rig.m).unwrap();
        rig.made.truncate(made);
        prop_assert_eq!(rig.whole(), then.clone());

        // To its end, and once more, of which nobody hears.
        let mut t = Transaction::begin(&mut rig.m, Keep::All).unwrap();
        rig.all(&first);
        let told = t.roll_back(&mut rig.m).unwrap();
        rig.made.truncate(made);
        prop_assert_eq!(rig.whole(), then);
        let mut t = Transaction::begin(&mut rig.m, Keep::Nothing).unwrap();
        rig.all(&first);
        t.commit_as(&mut rig.m, told).unwrap();
        prop_assert_eq!(rig.whole(), plainly(&before, &first));
    }
}

/// The reference sees a deed of each kind, or it could not tell that one was not taken back.
#[test]
fn each_deed_is_seen_and_taken_back() {
    let mut all = vec![
        Step::Store { obj: 0, at: 4090, step: 4, width: 4, init: true },
        Step::Store { obj: 0, at: 16, step: 4096, width: 8, init: true },
        Step::Store { obj: 1, at: 64, step: 4, width: 4, init: false },
        Step::Add { obj: 1, at: 8 },
        Step::Fill { obj: 2, at: 5, len: 100 },
        Step::Copy { to: 1, from: 0, at: 7, len: 90 },
        Step::Alloc { size: 100, init: true },
        Step::Free { obj: 1 },
        Step::Find { n: 1 },
        Step::Spend { n: 5 },
        Step::State,
    ];
    all.extend((0..10).filter(|&kind| kind != 1 && kind != 7).map(|kind| Step::Runtime { kind, n: 4 }));
    // A handle must be there to be destroyed, and bytes must be taken to be given.
    let first = [Step::Runtime { kind: 0, n: 0 }, Step::Runtime { kind: 6, n: 50 }];
    all.extend([1, 7].map(|kind| Step::Runtime { kind, n: 6 * (kind / 7) }));
    for deed in all {
        let mut rig = Fixture::new();
        let mut t = Transaction::begin(&mut rig.m, Keep::Nothing).unwrap();
        rig.all(&first);
        t.commit(&mut rig.m).unwrap();
        let before = rig.whole();
        let mut t = Transaction::begin(&mut rig.m, Keep::All).unwrap();
        let open = rig.whole();
        rig.run(deed);
        assert_ne!(rig.whole(), open, "{deed:?} is not seen");
        t.roll_back(&mut rig.m).unwrap();
        assert_eq!(rig.whole(), before, "{deed:?} is not taken back");
    }
}

fn message<T>(result: Result<T, Stop>) -> String {
    match result {
        Err(Stop::Internal(d)) => d.message,
        Err(stop) => panic!("{stop:?}"),
        Ok(_) => panic!("no defect"),
    }
}

#[test]
fn ending_twice_or_never_is_a_defect() {
    let rig = &mut Fixture::new();
    let mut t = Transaction::begin(&mut rig.m, Keep::All).unwrap();
    assert!(message(Transaction::begin(&mut rig.m, Keep::All)).contains("while another one is open"));
    assert!(message(rig.m.no_launch_is_open()).contains("without its transaction"));
    t.roll_back(&mut rig.m).unwrap();
    rig.m.no_launch_is_open().unwrap();
    assert!(message(t.roll_back(&mut rig.m)).contains("a second time"));
    assert!(message(t.commit(&mut rig.m)).contains("a second time"));
    let mut t = Transaction::begin(&mut rig.m, Keep::All).unwrap();
    t.commit(&mut rig.m).unwrap();
    assert!(message(t.roll_back(&mut rig.m)).contains("a second time"));
    // Nothing was kept.
    let mut t = Transaction::begin(&mut rig.m, Keep::Nothing).unwrap();
    assert!(message(t.roll_back(&mut rig.m)).contains("nothing of it was saved"));
}
