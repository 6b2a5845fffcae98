//! Parallel moves: the arguments of a block's parameters, all read before the first is written.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::ops::Range;

/// A register range of one class as the moves see it.
pub(super) trait Place: Copy + PartialEq {
    /// The registers that this covers. Ranges of different classes never meet in one call.
    fn range(&self) -> Range<u32>;
}

/// One step of a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step<D, S> {
    /// Copy a source into a destination.
    Move(D, S),
    /// Copy a register that is about to be overwritten into the n-th temporary.
    Save(usize, D),
    /// Copy the n-th temporary into a destination.
    Restore(D, usize),
}

/// What a move reads: a place that a move may overwrite, or something else (a constant).
pub(super) trait Source: Copy {
    /// The place type.
    type Place: Place;
    /// The register read, if it is one that the moves may write.
    fn place(&self) -> Option<Self::Place>;
}

/// What a pending move still reads.
#[derive(Clone, Copy)]
enum From<S> {
    Source(S),
    Temp(usize),
    /// Nothing: it was emitted.
    Done,
}

/// Orders the moves so that no source is overwritten before it is read. Destinations do not overlap.
pub(super) fn sequence<S: Source>(moves: &[(S::Place, S)]) -> Vec<Step<S::Place, S>> {
    let mut pending: SmallVec<[(S::Place, From<S>); 8]> =
        moves.iter().filter(|(d, s)| s.place() != Some(*d)).map(|&(d, s)| (d, From::Source(s))).collect();
    // By register: how many pending moves read it, and which one writes it.
    let mut readers: FxHashMap<u32, u32> = FxHashMap::default();
    let mut writer: FxHashMap<u32, usize> = FxHashMap::default();
    for (n, (dst, from)) in pending.iter().enumerate() {
        for r in source(from) {
            *readers.entry(r).or_default() += 1;
        }
        writer.extend(dst.range().map(|r| (r, n)));
    }
    let mut steps = Vec::with_capacity(pending.len());
    let mut temps = 0;
    let mut work: Vec<usize> = (0..pending.len()).rev().collect();
    let mut next_saved = 0;
    loop {
        while let Some(n) = work.pop() {
            let (dst, from) = pending[n];
            let own = source(&from);
            let read_elsewhere = |r: u32| readers.get(&r).copied().unwrap_or(0) > u32::from(own.contains(&r));
            if matches!(from, From::Done) || dst.range().any(read_elsewhere) {
                continue;
            }
            match from {
                From::Source(s) => match s.place() {
                    // A pair shifted by one overlaps itself.
                    Some(p) if own.start < dst.range().end && dst.range().start < own.end => {
                        steps.push(Step::Save(temps, p));
                        steps.push(Step::Restore(dst, temps));
                        temps += 1;
                    }
                    _ => steps.push(Step::Move(dst, s)),
                },
                From::Temp(t) => steps.push(Step::Restore(dst, t)),
                From::Done => {}
            }
            pending[n].1 = From::Done;
            release(own, &mut readers, &writer, &mut work);
        }
        // Every destination left is still read by another move: save one source.
        let Some(n) = (next_saved..pending.len()).find(|&n| !source(&pending[n].1).is_empty()) else {
            return steps;
        };
        next_saved = n + 1;
        let from = std::mem::replace(&mut pending[n].1, From::Temp(temps));
        if let From::Source(s) = from
            && let Some(p) = s.place()
        {
            steps.push(Step::Save(temps, p));
        }
        temps += 1;
        work.push(n);
        release(source(&from), &mut readers, &writer, &mut work);
    }
}

/// The registers that a pending move reads.
fn source<S: Source>(from: &From<S>) -> Range<u32> {
    match from {
        From::Source(s) => s.place().map_or(0..0, |p| p.range()),
        From::Temp(_) | From::Done => 0..0,
    }
}

/// Notes that the registers are read once less, and which moves that may set free.
fn release(
    regs: Range<u32>,
    readers: &mut FxHashMap<u32, u32>,
    writer: &FxHashMap<u32, usize>,
    work: &mut Vec<usize>,
) {
    for r in regs {
        if let Some(count) = readers.get_mut(&r) {
            *count -= 1;
            if *count <= 1 {
                work.extend(writer.get(&r));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Clone, Copy, PartialEq, Debug)]
    struct R(u32, u32);

    impl Place for R {
        fn range(&self) -> Range<u32> {
            self.0..self.0 + self.1
        }
    }

    impl Source for R {
        type Place = R;
        fn place(&self) -> Option<R> {
            Some(*self)
        }
    }

    fn run(regs: &mut [u32], steps: &[Step<R, R>]) {
        let mut temps: Vec<Vec<u32>> = Vec::new();
        let read = |regs: &[u32], r: R| regs[r.0 as usize..(r.0 + r.1) as usize].to_vec();
        let write = |regs: &mut [u32], r: R, v: &[u32]| {
            regs[r.0 as usize..(r.0 + r.1) as usize].copy_from_slice(v);
        };
        for s in steps {
            match *s {
                Step::Move(d, s) => {
                    let v = read(regs, s);
                    write(regs, d, &v);
                }
                Step::Save(t, s) => {
                    temps.resize(t + 1, Vec::new());
                    temps[t] = read(regs, s);
                }
                Step::Restore(d, t) => write(regs, d, &temps[t]),
            }
        }
    }

    #[test]
    fn a_swap_takes_one_temporary() {
        let steps = sequence(&[(R(0, 1), R(1, 1)), (R(1, 1), R(0, 1))]);
        assert_eq!(steps.len(), 3);
    }

    #[test]
    fn a_move_to_itself_is_nothing() {
        assert!(sequence(&[(R(3, 2), R(3, 2))]).is_empty());
    }

    proptest! {
        #[test]
        fn moves_happen_at_once(sources in proptest::collection::vec((0u32..12, any::<bool>()), 1..6)) {
            // Destinations do not overlap: each takes two registers of its own in 0..12.
            let moves: Vec<(R, R)> = sources
                .iter()
                .enumerate()
                .map(|(i, &(s, wide))| {
                    let n = 1 + u32::from(wide);
                    (R(2 * i as u32, n), R(s, n))
                })
                .collect();
            let before: Vec<u32> = (100..120).collect();
            let mut after = before.clone();
            run(&mut after, &sequence(&moves));
            for (d, s) in moves {
                for k in 0..d.1 {
                    prop_assert_eq!(after[(d.0 + k) as usize], before[(s.0 + k) as usize]);
                }
            }
        }
    }
}
