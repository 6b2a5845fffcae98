//! Parallel moves: the arguments of a block's parameters, all read before the first is written.

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

fn overlap(a: &Range<u32>, b: &Range<u32>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Orders the moves so that no source is overwritten before it is read.
pub(super) fn sequence<S: Source>(moves: &[(S::Place, S)]) -> Vec<Step<S::Place, S>> {
    /// What a pending move still reads.
    #[derive(Clone, Copy)]
    enum From<S> {
        Source(S),
        Temp(usize),
    }
    let mut pending: SmallVec<[(S::Place, From<S>); 8]> =
        moves.iter().filter(|(d, s)| s.place() != Some(*d)).map(|&(d, s)| (d, From::Source(s))).collect();
    let mut steps = Vec::with_capacity(pending.len());
    let mut temps = 0;
    while !pending.is_empty() {
        let reads = |from: &From<S>| match from {
            From::Source(s) => s.place().map(|p| p.range()),
            From::Temp(_) => None,
        };
        let free = (0..pending.len()).find(|&i| {
            let dst = pending[i].0.range();
            pending
                .iter()
                .enumerate()
                .all(|(j, (_, from))| j == i || reads(from).is_none_or(|r| !overlap(&r, &dst)))
        });
        if let Some(i) = free {
            // A move may overlap itself (a pair shifted by one): through a temporary.
            let (dst, from) = pending.remove(i);
            match from {
                From::Source(s) => match s.place() {
                    Some(p) if overlap(&p.range(), &dst.range()) => {
                        steps.push(Step::Save(temps, p));
                        steps.push(Step::Restore(dst, temps));
                        temps += 1;
                    }
                    _ => steps.push(Step::Move(dst, s)),
                },
                From::Temp(t) => steps.push(Step::Restore(dst, t)),
            }
            continue;
        }
        // Every destination is still read by another move: save one source.
        for (_, from) in &mut pending {
            if let From::Source(s) = from
                && let Some(p) = s.place()
            {
                steps.push(Step::Save(temps, p));
                *from = From::Temp(temps);
                temps += 1;
                break;
            }
        }
    }
    steps
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
