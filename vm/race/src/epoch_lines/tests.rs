//! EpochLines against epochs of single bytes, lane by lane.

use super::*;
use cudair_ir::Scope;
use cudair_lane::fault::{AccessOp, Place};
use cudair_lane::pattern::Pattern;
use cudair_lane::{How, Mask};

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
}

/// Epochs of writers and readers of each byte.
struct Bytes(Vec<[u32; 2]>);

impl Bytes {
    /// The bytes on which it conflicts.
    fn access(&mut self, bases: Bases, acc: &RaceAccess) -> Vec<usize> {
        let plain = acc.how.atomic.is_none_or(|scope| scope == Scope::Block);
        let mut conflicts = Vec::new();
        for lane in acc.mask.iter() {
            let off = acc.spot.lane(lane, acc.width) as usize;
            let me = bases.thread(acc, lane);
            for (n, [w, r]) in self.0.iter_mut().enumerate().skip(off).take(acc.width as usize) {
                let conflict = match (acc.how.op, plain) {
                    (AccessOp::Read, true) => step::<READ, true>(r, *w, bases, me),
                    (AccessOp::Read, false) => step::<ATOMIC_READ, true>(r, *w, bases, me),
                    (_, true) => step::<WRITE, true>(w, *r, bases, me),
                    (_, false) => step::<ATOMIC_WRITE, true>(w, *r, bases, me),
                };
                conflicts.extend(conflict.then_some(n));
            }
        }
        conflicts
    }
}

/// Where the lanes of an access are: offsets of its active lanes.
fn place(random: &mut Random, size: u32, width: u32, mask: &mut Mask) -> (Pattern, Option<i64>) {
    let align = random.of(&[width, width, width, 1, 4]);
    let room = size - width;
    let last = mask.highest().unwrap_or(0) as u32;
    let mut pattern = Pattern::default();
    match random.below(4) {
        // Side by side, from some lane on.
        0 if last * width <= room => {
            let first = mask.lowest().unwrap_or(0) as i64 * i64::from(width);
            let off = random.below(u64::from(room - last * width) + 1) as i64;
            let off = if random.below(3) == 0 { -first } else { off / i64::from(align) * i64::from(align) };
            return (pattern, Some(off));
        }
        // A fixed distance apart.
        1 => {
            let stride = width + random.of(&[1, 4, 8, 9]);
            while mask.highest().is_some_and(|last| last as u32 * stride > room) {
                let last = mask.highest().unwrap_or(0);
                mask.0[last / CHUNK] &= !(1 << (last % CHUNK));
            }
            let last = mask.highest().unwrap_or(0) as u32;
            let off = random.below(u64::from(room - last * stride) + 1) as u32 / align * align;
            apart(&mut pattern, mask, |lane| off + lane * stride);
        }
        // Anywhere, perhaps with several lanes at one place.
        2 => {
            let places = random.of(&[4, 64, 1 << 20]);
            let offs: Vec<u32> = (0..256)
                .map(|_| random.below(places.min(u64::from(room) + 1)) as u32 / align * align)
                .collect();
            apart(&mut pattern, mask, |lane| offs[lane as usize]);
        }
        // Chunk by chunk.
        _ => {
            for c in 0..MASK_WORDS {
                let off = random.below(u64::from(room) + 1) as u32 / align * align;
                let last = 15 - mask.0[c].leading_zeros().min(15);
                if random.below(3) == 0 || off + last * width > room {
                    pattern.set(c, ChunkPattern::Uniform(off));
                } else {
                    pattern.set(c, ChunkPattern::Contiguous(off as i32));
                }
            }
        }
    }
    (pattern, None)
}

fn apart(pattern: &mut Pattern, mask: &Mask, off: impl Fn(u32) -> u32) {
    for c in (0..MASK_WORDS).filter(|&c| mask.0[c] != 0) {
        let word = mask.0[c];
        let first = word.trailing_zeros();
        let at = |i: u32| off((c * CHUNK) as u32 + if word >> i & 1 != 0 { i } else { first });
        let offs: [u32; CHUNK] = std::array::from_fn(|i| at(i as u32));
        let same = word.is_power_of_two() && !offs[0].is_multiple_of(3);
        pattern.set(c, if same { ChunkPattern::Uniform(offs[0]) } else { ChunkPattern::Gather(&offs) });
    }
}

fn run(seed: u64) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let size = random.of(&[16, 100, 777, 1024, 4096]) as u32;
    let mut epochs = GridStamps::default();
    let (mut lines, mut bytes) = (EpochLines::default(), Bytes(vec![[0; 2]; size as usize]));
    let mut suspects = vec![false; size as usize];
    lines.fit(size.into());
    epochs.launch();
    // Programs have their habits.
    let widths: &[u32] = random.of(&[&[4][..], &[8], &[1], &[4, 8], &[1, 2, 4, 8, 16], &[2, 4]]);
    for _ in 0..60 {
        match random.below(20) {
            0 => {
                epochs.launch();
                suspects.fill(false);
            }
            1 | 2 => epochs.barrier(),
            3..6 => epochs.block(),
            6 if random.below(4) == 0 => {
                let old = epochs.wrap();
                lines.fold(old);
                for epoch in bytes.0.as_flattened_mut() {
                    let live = 1 << INTERVAL_SHIFT | SEVERAL | *epoch & ATOMIC;
                    *epoch = if *epoch < old { 0 } else { live };
                }
            }
            _ => {}
        }
        let width = random.of(widths);
        let mut mask = match random.below(4) {
            0 | 1 => Mask::first(random.of(&[256, 256, 32, 1, 100])),
            2 => Mask(std::array::from_fn(|_| random.below(1 << 16) as u16)),
            _ => Mask::single(random.below(256) as usize),
        };
        if mask.is_empty() || width > size {
            continue;
        }
        let (pattern, off) = place(&mut random, size, width, &mut mask);
        if mask.is_empty() {
            continue;
        }
        let spot = off.map_or(AddressPattern::Chunks(&pattern), AddressPattern::Contiguous);
        let spot = if random.below(8) == 0 {
            AddressPattern::Uniform(spot.lane(mask.lowest().unwrap_or(0), width))
        } else {
            spot
        };
        let op =
            random.of(&[AccessOp::Read, AccessOp::Read, AccessOp::Write, AccessOp::Write, AccessOp::Atomic]);
        let scope = random.of(&[Scope::Block, Scope::Device]);
        let atomic = (op == AccessOp::Atomic || random.below(12) == 0).then_some(scope);
        let how = How { place: Place::Unknown, op, atomic, volatile: false };
        let first_thread = random.of(&[0, 256, 768]);
        let acc =
            RaceAccess { how, obj: 0, width, mask: &mask, first_thread, spot, values: None, failed: None };
        let (fine, conflicts) = (lines.access(epochs.bases(), &acc), bytes.access(epochs.bases(), &acc));
        if !fine {
            // Atomic updates by all lanes may be suspected for nothing.
            assert!(!conflicts.is_empty() || atomic.is_some(), "seed {seed}, {acc:?}: suspected for nothing");
            for lane in mask.iter() {
                let off = spot.lane(lane, width) as usize;
                suspects[off..off + width as usize].fill(true);
            }
        }
        // What was read before a write that conflicts with it is forgotten.
        let missed: Vec<usize> = conflicts.into_iter().filter(|&n| !suspects[n]).collect();
        assert!(missed.is_empty(), "seed {seed}, {acc:?}: not suspected at {missed:?}");
    }
    let from = epochs.bases().launch;
    let (shift, [wrote, read]) = lines.since(from);
    for (n, [w, r]) in bytes.0.iter().enumerate() {
        let bit = |bits: &[u64]| bits[(n >> shift) / 64] >> ((n >> shift) % 64) & 1 != 0;
        if lines.launch == from {
            assert_eq!(bit(&wrote), *w >= from, "seed {seed}, byte {n}");
            // Reads before a write are forgotten.
            assert!(bit(&read) == (*r >= from) || bit(&wrote) && *r >= from, "seed {seed}, byte {n}");
        }
    }
}

#[test]
fn lines_suspect_what_single_bytes_do() {
    (0..6_000).for_each(run);
}

#[test]
fn whole_lines_take_no_cells() {
    let mut lines = EpochLines::default();
    lines.fit(4096);
    let mut epochs = GridStamps::default();
    let (mask, how) =
        (Mask::first(256), |op| How { place: Place::Unknown, op, atomic: None, volatile: false });
    for round in 0..3 {
        epochs.launch();
        // Records of 16 bytes, then words in a row: in the next launch the layout follows.
        for member in 0..2 {
            let mut pattern = Pattern::default();
            apart(&mut pattern, &mask, |lane| member * 4 + lane * 16);
            let spot = if round == 0 {
                AddressPattern::Chunks(&pattern)
            } else {
                AddressPattern::Contiguous(i64::from(member) * 1024)
            };
            for op in [AccessOp::Read, AccessOp::Write] {
                let acc = RaceAccess {
                    how: how(op),
                    obj: 0,
                    width: 4,
                    mask: &mask,
                    first_thread: 0,
                    spot,
                    values: None,
                    failed: None,
                };
                assert!(lines.access(epochs.bases(), &acc));
            }
        }
        assert_eq!(lines.layout.stride, [16, 16, 0][round]);
        assert_eq!(lines.write.used != 0, round == 1);
    }
}
