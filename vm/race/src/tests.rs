use super::*;
use cudair_ir::{Finding, FuncId, Module, Scope, Severity, Site, Space};
use cudair_lane::MASK_WORDS;
use cudair_lane::fault::{AllocKind, Place};
use cudair_lane::pattern::{ChunkPattern, Pattern};

/// A block of `threads` threads with one shared object of `size` bytes.
struct Block {
    races: BlockRaces,
    findings: Findings,
}

fn how(n: u32, op: AccessOp) -> How {
    let site = cudair_lane::fault::SiteRef { func: FuncId::from_u32(0), site: Site::from_u32(n) };
    How { place: site.into(), op, atomic: None, volatile: false }
}

fn atomic(n: u32, op: AccessOp) -> How {
    How { atomic: Some(Scope::Device), ..how(n, op) }
}

fn volatile(n: u32, op: AccessOp) -> How {
    How { volatile: true, ..how(n, op) }
}

impl Block {
    fn new(threads: u32, size: u64) -> Block {
        Block::with(threads, size, false)
    }

    fn with(threads: u32, size: u64, lockstep: bool) -> Block {
        let info = ObjectInfo {
            kind: AllocKind::Shared,
            space: Space::Shared,
            name: Some(Arc::from("parts")),
            size,
            part: 0,
            number: 0,
            made: Place::Unknown,
            ended: Place::Unknown,
        };
        let mut races = BlockRaces::default();
        races.begin(vec![Arc::new(info)], [0; 3], [threads, 1, 1], None, lockstep);
        Block { races, findings: Findings::new() }
    }

    /// One thread at one offset.
    fn one(&mut self, how: How, thread: u32, off: u32, width: u32) {
        self.value(how, thread, off, width, None);
    }

    fn value(&mut self, how: How, thread: u32, off: u32, width: u32, value: Option<u64>) {
        let mask = Mask::single(thread as usize % 256);
        let values = value.map(|v| Values::Uniform(u128::from(v)));
        let (spot, first_thread) = (AddressPattern::Uniform(off), thread / 256 * 256);
        self.races.access(&RaceAccess {
            how,
            obj: 0,
            width,
            mask: &mask,
            first_thread,
            spot,
            values,
            failed: None,
        });
    }

    /// Threads `0..n`, thread `t` at `off + t * width`.
    fn row(&mut self, how: How, n: u32, off: i64, width: u32) {
        for first in (0..n).step_by(256) {
            let mask = Mask::first((n - first).min(256) as usize);
            let spot = AddressPattern::Contiguous(off + i64::from(first * width));
            let first_thread = first;
            self.races.access(&RaceAccess {
                how,
                obj: 0,
                width,
                mask: &mask,
                first_thread,
                spot,
                values: None,
                failed: None,
            });
        }
    }

    fn found(mut self) -> Vec<Finding> {
        self.races.end(&mut self.findings);
        // As if there were no second run.
        self.races.deferred().1.notes.into_iter().for_each(|note| self.findings.race(note));
        self.findings.finish(&Module::new())
    }

    fn barrier(&mut self) {
        let Block { races, findings } = self;
        races.barrier(findings);
    }
}

use AccessOp::{Atomic, Read, Write};

#[test]
fn a_barrier_orders() {
    let mut b = Block::new(512, 2048);
    b.row(how(0, Write), 512, 0, 4);
    b.barrier();
    b.row(how(1, Read), 511, 4, 4);
    b.barrier();
    b.row(how(2, Write), 512, 0, 4);
    assert!(b.found().is_empty());
}

#[test]
fn without_a_barrier_a_shifted_read_races() {
    for width in [1u32, 2, 4, 8] {
        for reverse in [false, true] {
            let mut b = Block::new(512, 4096);
            let mut steps: [(How, u32, i64); 2] =
                [(how(0, Write), 512, 0), (how(1, Read), 511, i64::from(width))];
            if reverse {
                steps.reverse();
            }
            for (how, n, off) in steps {
                b.row(how, n, off, width);
            }
            let found = b.found();
            assert_eq!(found.len(), 1, "{width}");
            let f = &found[0];
            assert_eq!(f.kind, Kind::SharedRace);
            assert_eq!(f.severity, Severity::Error);
            assert_eq!(f.threads.iter().map(|t| t.thread[0]).collect::<Vec<_>>(), [0, 1], "the reader first");
            let bytes = if width == 1 { "1 byte".to_owned() } else { format!("{width} bytes") };
            assert_eq!(
                f.message,
                format!(
                    "threads (0,0,0) and (1,0,0) of block (0,0,0) touch the same {bytes} of `parts` without \
                     a barrier between them"
                )
            );
        }
    }
}

#[test]
fn only_one_pair_collides() {
    // An odd count: the middle element alone is touched by two.
    let mut b = Block::new(9, 36);
    b.one(how(0, Write), 3, 12, 4);
    b.one(how(1, Read), 4, 12, 4);
    b.row(how(2, Read), 3, 0, 4);
    let found = b.found();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].count, 1);
    assert_eq!(found[0].notes[0], "they are bytes 12 to 15 of `parts` (36 bytes)");
}

#[test]
fn neighbours_in_a_word_do_not_race() {
    let mut b = Block::new(64, 64);
    b.row(how(0, Write), 64, 0, 1);
    b.row(how(1, Read), 64, 0, 1);
    assert!(b.found().is_empty());
    let mut b = Block::new(64, 128);
    b.row(how(0, Write), 64, 0, 2);
    b.row(how(1, Read), 64, 0, 2);
    assert!(b.found().is_empty());
    // After words were used, bytes of one word by several threads; and words that are not aligned.
    let mut b = Block::new(64, 64);
    b.row(how(0, Write), 16, 0, 4);
    b.barrier();
    b.row(how(1, Write), 64, 0, 1);
    b.barrier();
    b.one(how(2, Write), 0, 1, 4);
    b.one(how(3, Write), 1, 5, 4);
    assert!(b.found().is_empty());
    // The byte that both touch is found where words and bytes mix.
    let mut b = Block::new(64, 64);
    b.one(how(0, Write), 0, 4, 4);
    b.one(how(1, Read), 1, 7, 1);
    b.one(how(2, Read), 2, 8, 1);
    let found = b.found();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].notes[0], "it is byte 7 of `parts` (64 bytes)");
}

#[test]
fn one_thread_alone_never_races() {
    let mut b = Block::new(32, 64);
    for n in 0..4 {
        b.one(how(n, Write), 5, 0, 4);
        b.one(how(10 + n, Read), 5, 0, 8);
        b.one(how(20 + n, Write), 5, 2, 2);
    }
    assert!(b.found().is_empty());
    let mut b = Block::new(32, 64);
    (0..32).for_each(|t| b.one(how(0, Read), t, 0, 4));
    assert!(b.found().is_empty(), "reads do not race");
}

#[test]
fn atomics_race_with_plain_accesses_only() {
    let mut b = Block::new(64, 16);
    (0..64).for_each(|t| b.one(atomic(0, Atomic), t, 0, 4));
    b.one(atomic(1, Read), 3, 0, 4);
    b.one(atomic(2, Write), 4, 0, 4);
    assert!(b.found().is_empty());
    for first in [true, false] {
        let mut b = Block::new(64, 16);
        if first {
            b.one(how(1, Read), 9, 0, 4);
        }
        (0..9).for_each(|t| b.one(atomic(0, Atomic), t, 0, 4));
        if !first {
            b.one(how(1, Read), 9, 0, 4);
        }
        let found = b.found();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].threads[0].thread, [9, 0, 0], "the plain access first");
        assert_eq!(found[0].threads[1].thread, [0, 0, 0]);
    }
    // A plain write and the own atomic by one thread, then another's atomic: the plain write races.
    let mut b = Block::new(64, 16);
    b.one(how(0, Write), 0, 0, 4);
    b.one(atomic(1, Atomic), 0, 0, 4);
    b.one(atomic(1, Atomic), 1, 0, 4);
    assert_eq!(b.found().len(), 1);
}

#[test]
fn equal_values_are_a_warning() {
    let severity = |values: &[u64]| {
        let mut b = Block::new(64, 16);
        values.iter().enumerate().for_each(|(t, &v)| b.value(how(0, Write), t as u32, 0, 4, Some(v)));
        let found = b.found();
        assert_eq!(found.len(), 1);
        found[0].clone()
    };
    assert_eq!(severity(&[1, 1, 1]).severity, Severity::Warning);
    let f = severity(&[1, 1, 2]);
    assert_eq!(f.severity, Severity::Error);
    // The pair that shows it.
    assert_eq!(f.threads.iter().map(|t| t.thread[0]).collect::<Vec<_>>(), [0, 2]);
    assert!(f.notes.contains(&"they write different values: 1 and 2".to_owned()), "{:?}", f.notes);
    // Parts of values that differ elsewhere.
    let mut b = Block::new(64, 16);
    b.value(how(0, Write), 0, 0, 4, Some(0x1122_3344));
    b.value(how(1, Write), 1, 2, 2, Some(0x1122));
    assert_eq!(b.found()[0].severity, Severity::Warning);
}

#[test]
fn warp_synchronisation_orders_its_lanes() {
    let run = |mask: u32, reader: u32| {
        let mut b = Block::new(64, 256);
        b.row(how(0, Write), 32, 0, 4);
        b.races.warp_sync(0, mask);
        b.one(how(1, Read), reader, 4, 4);
        b.found().len()
    };
    assert_eq!(run(u32::MAX, 5), 0);
    assert_eq!(run(0b10, 5), 1, "the reader is not in the mask");
    assert_eq!(run(0b100010, 5), 0, "writer and reader are");
    assert_eq!(run(0b100001, 5), 1, "the writer is not in the mask");
    assert_eq!(run(u32::MAX, 40), 1, "another warp");
    // Order passes on: 1 with 2, then 2 with 3.
    let mut b = Block::new(32, 64);
    b.one(how(0, Write), 1, 0, 4);
    b.races.warp_sync(0, 0b0110);
    b.races.warp_sync(0, 0b1100);
    b.one(how(1, Read), 3, 0, 4);
    assert!(b.found().is_empty());
    // A write after the synchronisation is not ordered by it.
    let mut b = Block::new(32, 64);
    b.one(how(0, Write), 1, 4, 4);
    b.races.warp_sync(0, u32::MAX);
    b.one(how(0, Write), 1, 0, 4);
    b.one(how(1, Read), 3, 0, 4);
    assert_eq!(b.found().len(), 1);
}

#[test]
fn volatile_accesses_wait_for_the_second_run() {
    let run = |lockstep: bool, reader: u32| {
        let mut b = Block::with(64, 256, lockstep);
        b.one(volatile(0, Write), 1, 0, 4);
        b.one(volatile(1, Read), reader, 0, 4);
        let mut findings = Findings::new();
        b.races.end(&mut findings);
        let certain = findings.races_seen();
        let deferred = b.races.deferred().1;
        (certain, deferred.notes.len(), deferred.suspects.len())
    };
    // What they are depends on what becomes of the value.
    for (lockstep, reader) in [(false, 2), (true, 2), (false, 40)] {
        assert_eq!(run(lockstep, reader), (0, 0, 1), "{lockstep} {reader}");
    }
}

#[test]
fn what_is_suspected_beyond_the_limit_is_counted() {
    let words = 5000;
    let mut b = Block::new(words, 4 * u64::from(words) + 4);
    b.row(volatile(0, Write), words, 0, 4);
    b.row(volatile(1, Read), words, 4, 4);
    let mut findings = Findings::new();
    b.races.barrier(&mut findings);
    // The same once more is nothing new.
    b.row(volatile(0, Write), words, 0, 4);
    b.row(volatile(1, Read), words, 4, 4);
    b.races.end(&mut findings);
    let deferred = b.races.deferred().1;
    assert_eq!(deferred.suspects.len(), DEFERRED);
    let is_known = |n| deferred.suspects.contains(&(0, n)) != deferred.lost.contains(&(0, n));
    assert!((1..words).all(is_known), "each is kept or counted");
    // Those at the ends, which one thread touched, may be suspected, too.
    assert!(deferred.lost.len() <= words as usize + 1 - DEFERRED, "and none is counted twice");
    assert!(deferred.open && deferred.notes.is_empty());
    // What is plain is certain.
    let mut b = Block::new(64, 64);
    b.one(how(0, Write), 1, 0, 4);
    b.one(how(1, Read), 2, 0, 4);
    b.one(atomic(2, Atomic), 3, 8, 4);
    b.races.end(&mut findings);
    let deferred = b.races.deferred().1;
    assert!(!deferred.open && deferred.notes.len() == 1 && deferred.lost.is_empty());
}

#[test]
fn every_pair_of_places_is_found_whatever_the_order() {
    // Three reads and two writes of one word by five threads.
    let steps =
        [(how(0, Read), 4), (how(1, Read), 3), (how(2, Write), 2), (how(3, Write), 1), (how(4, Read), 0)];
    let mut orders = vec![vec![]];
    for n in 0..steps.len() {
        orders = orders
            .iter()
            .flat_map(|o: &Vec<usize>| {
                (0..=n).map(move |at| {
                    let mut o = o.clone();
                    o.insert(at, n);
                    o
                })
            })
            .collect();
    }
    let tell = |mut found: Vec<Finding>| {
        found.sort_by_key(|f| f.threads.clone());
        found.iter().map(|f| (f.threads.clone(), f.count, f.message.clone())).collect::<Vec<_>>()
    };
    let mut first = None;
    for order in orders {
        let mut b = Block::new(64, 16);
        for &n in &order {
            b.one(steps[n].0, steps[n].1, 8, 4);
        }
        // Without a module all places are one, so look at what was noted.
        b.races.end(&mut b.findings);
        assert_eq!(b.findings.len(), 7);
        let got = tell(b.findings.finish(&Module::new()));
        assert_eq!(*first.get_or_insert_with(|| got.clone()), got);
    }
}

#[test]
fn intervals_may_be_long() {
    // A loop of two million accesses between barriers: folded, and the race at its end is found with the
    // place at its start.
    let mut b = Block::new(256, 1024);
    b.one(how(9, Write), 7, 0, 4);
    for _ in 0..200_000 {
        b.row(how(0, Read), 64, 512, 4);
    }
    b.one(how(10, Read), 8, 0, 4);
    let found = b.found();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].threads.iter().map(|t| t.thread[0]).collect::<Vec<_>>(), [8, 7]);
    // Accesses that do not repeat go to the exact tier at last.
    let mut b = Block::new(256, 1 << 22);
    b.value(how(9, Write), 7, 0, 4, Some(1));
    for n in 0..1_100_000u64 {
        b.value(how(0, Write), 5, 4 + (n as u32 % 65536) * 4, 4, Some(n));
    }
    b.one(how(10, Read), 8, 0, 4);
    assert_eq!(b.found().len(), 1);
}

#[test]
fn stamps_wrap() {
    let mut b = Block::new(32, 64);
    for _ in 0..(1 << 20) + 10 {
        b.one(how(0, Write), 3, 0, 4);
        b.barrier();
    }
    b.one(how(1, Write), 4, 0, 4);
    b.barrier();
    b.one(how(2, Read), 5, 0, 4);
    assert!(b.found().is_empty());
}

/// A small generator of numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % u64::from(n)) as u32
    }
}

/// Offsets of a strip's lanes that threads of real kernels might have: in a row, at one place, by strides,
/// and chunks of all that.
fn places(r: &mut Random) -> Pattern {
    let mut pattern = Pattern::default();
    let kind = r.below(4);
    let (start, step) = (r.below(40), r.below(4) + 1);
    for c in 0..MASK_WORDS as u32 {
        let lie = match if kind == 3 { r.below(3) } else { kind } {
            0 => ChunkPattern::Contiguous((4 * (start + c * 16)) as i32),
            1 => ChunkPattern::Uniform(4 * (start + c % 3)),
            _ => {
                let offs = std::array::from_fn(|i| 4 * (start + (c * 16 + i as u32) * step % 480));
                pattern.set(c as usize, ChunkPattern::Gather(&offs));
                continue;
            }
        };
        pattern.set(c as usize, lie);
    }
    pattern
}

#[test]
fn tiers_find_what_looking_at_all_pairs_finds() {
    let mut racy = 0;
    for seed in 0..4000 {
        let mut r = Random(seed);
        let mut b = Block::new(256, 2080);
        let mut touched: Vec<(u32, u32, bool)> = Vec::new();
        let shift = r.below(3);
        for n in 0..r.below(7) + 2 {
            let mask: Mask = match r.below(4) {
                0 => Mask::first(256),
                1 => Mask::first(1 + r.below(256) as usize),
                2 => (0..256).filter(|l| l >> shift & 1 == 0).collect(),
                _ => Mask::single(r.below(256) as usize),
            };
            let pattern = places(&mut r);
            let off = i64::from(r.below(3)) * 1024;
            let spot = match r.below(3) {
                0 => AddressPattern::Contiguous(off / 4),
                1 if n > 2 => AddressPattern::Uniform(4 * r.below(100)),
                _ => AddressPattern::Chunks(&pattern),
            };
            let writes = r.below(3) == 0;
            let how = how(n, if writes { Write } else { Read });
            let (values, first_thread) = (None, 0);
            b.races.access(&RaceAccess {
                how,
                obj: 0,
                width: 4,
                mask: &mask,
                first_thread,
                spot,
                values,
                failed: None,
            });
            touched.extend(mask.iter().map(|l| (spot.lane(l, 4), l as u32, writes)));
        }
        touched.sort_unstable();
        let races = touched.chunk_by(|a, b| a.0 == b.0).any(|same| {
            let wrote = same.iter().find(|t| t.2);
            wrote.is_some_and(|w| same.iter().any(|t| t.1 != w.1))
        });
        racy += u32::from(races);
        b.races.end(&mut b.findings);
        assert_eq!(b.findings.is_empty(), !races, "seed {seed}");
    }
    assert!((500..3500).contains(&racy), "{racy} of the cases race");
}
