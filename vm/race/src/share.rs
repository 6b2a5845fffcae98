//! The detector in a launch whose blocks run on several cores.
//!
//! Each core epochs its own blocks as if the launch had begun with them: the stretches before and after the
//! cores part are told apart like launches. When the cores join, what each touched is compared: bytes that two
//! touched and one wrote are suspected, and the second run of the launch, on one core, decides as always.

use super::grid::{Granule, GridRaces};
use rustc_hash::FxHashSet;

/// Granules of an object that are suspected at most because two cores touched them.
const SUSPECTS: usize = 1 << 10;

/// What the blocks of a core touched of an object: a bit per granule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Touched {
    /// The object, by number.
    pub obj: u32,
    /// Bytes per granule as a power of two.
    pub shift: u32,
    /// Granules that were written.
    pub wrote: Vec<u64>,
    /// Granules that were read.
    pub read: Vec<u64>,
}

/// What the detector knew when the cores parted.
#[derive(Debug)]
pub struct Parted {
    /// Where the launch's order of threads and its fences stood.
    marks: [bool; 2],
    touched: Vec<Touched>,
}

impl GridRaces {
    /// The cores part: what comes now is told apart from what was.
    #[inline]
    pub fn part(&mut self) -> Parted {
        let touched = self.touched();
        self.parted = true;
        self.make_room();
        self.epochs.launch();
        self.running = None;
        Parted { marks: [self.unsteady, self.strong], touched }
    }

    /// What was touched since the launch began, or since the cores parted.
    pub fn touched(&self) -> Vec<Touched> {
        let from = self.epochs.bases().launch;
        let mut all: Vec<Touched> = Vec::new();
        for (&obj, watched) in &self.objects {
            let (shift, [wrote, read]) = watched.lines.since(from);
            if wrote.iter().chain(&read).any(|&w| w != 0) {
                all.push(Touched { obj, shift, wrote, read });
            }
        }
        all
    }

    /// What this core suspects.
    #[inline]
    pub fn suspected(&self) -> impl Iterator<Item = Granule> + '_ {
        self.suspects.iter().copied()
    }

    /// The cores have joined; whether any of the others made the launch unsteady.
    pub fn join(&mut self, parted: &Parted, others: &[(Vec<Touched>, Vec<Granule>)], unsteady: bool) {
        self.unsteady |= unsteady;
        let own = self.touched();
        let sets: Vec<&[Touched]> =
            [&parted.touched[..], &own].into_iter().chain(others.iter().map(|(t, _)| &t[..])).collect();
        for (i, a) in sets.iter().enumerate() {
            for b in &sets[i + 1..] {
                self.suspects.extend(common(a, b));
            }
        }
        self.suspects.extend(others.iter().flat_map(|(_, s)| s.iter().copied()));
    }

    /// What the cores did since they parted is void, and memory is as it was then.
    #[inline]
    pub fn void(&mut self, parted: Parted) {
        [self.unsteady, self.strong] = parted.marks;
        // Nothing was suspected in shared memory, or the cores would not have parted.
        self.forget_shared();
        // The epochs of what is void must not count, and those from before cannot be told from them.
        self.make_room();
        self.epochs.launch();
        self.running = None;
        self.earlier = parted.touched;
    }
}

/// Granules of four bytes that two cores touched and at least one wrote.
pub(super) fn common(a: &[Touched], b: &[Touched]) -> FxHashSet<Granule> {
    let mut found = FxHashSet::default();
    for x in a {
        let Some(y) = b.iter().find(|y| y.obj == x.obj) else { continue };
        let bytes = x.shift == 0 || y.shift == 0;
        let fine = |bits: &[u64], shift: u32| if bytes && shift != 0 { widen(bits) } else { bits.to_vec() };
        let [xw, xr, yw, yr] = [
            fine(&x.wrote, x.shift),
            fine(&x.read, x.shift),
            fine(&y.wrote, y.shift),
            fine(&y.read, y.shift),
        ];
        let word = |v: &[u64], i: usize| v.get(i).copied().unwrap_or(0);
        let before = found.len();
        for i in 0..xw.len().max(yw.len()) {
            let [xw, xr, yw, yr] = [word(&xw, i), word(&xr, i), word(&yw, i), word(&yr, i)];
            let mut both = xw & (yw | yr) | xr & yw;
            while both != 0 && found.len() - before < SUSPECTS {
                let cell = i as u32 * 64 + both.trailing_zeros();
                found.insert((x.obj, if bytes { cell / 4 } else { cell }));
                both &= both - 1;
            }
        }
    }
    found
}

/// A bit per byte from a bit per four bytes.
fn widen(bits: &[u64]) -> Vec<u64> {
    let spread = |quarter: u64| (0..16).fold(0, |w, i| w | ((quarter >> i & 1) * (0xf << (4 * i))));
    bits.iter().flat_map(|&w| [0, 16, 32, 48].map(|s| spread(w >> s & 0xffff))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touched(obj: u32, shift: u32, wrote: &[u32], read: &[u32]) -> Touched {
        let bits = |cells: &[u32]| {
            let mut words = vec![0; 4];
            for c in cells {
                words[*c as usize / 64] |= 1 << (c % 64);
            }
            words
        };
        Touched { obj, shift, wrote: bits(wrote), read: bits(read) }
    }

    fn suspects(a: Touched, b: Touched) -> Vec<Granule> {
        let mut found: Vec<Granule> = common(&[a], &[b]).into_iter().collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn a_write_and_any_other_access_are_suspected() {
        let a = || touched(3, 2, &[1, 70], &[5]);
        assert_eq!(suspects(a(), touched(3, 2, &[70, 71], &[1])), [(3, 1), (3, 70)]);
        assert_eq!(suspects(a(), touched(3, 2, &[5], &[])), [(3, 5)]);
        assert_eq!(suspects(a(), touched(3, 2, &[2], &[5])), []);
        assert_eq!(suspects(a(), touched(4, 2, &[1, 70, 5], &[])), []);
    }

    #[test]
    fn cells_of_bytes_meet_cells_of_words() {
        // Bytes 4 and 280, of words 1 and 70.
        let bytes = || Touched { wrote: widen(&touched(0, 2, &[1], &[]).wrote), ..touched(3, 0, &[], &[]) };
        assert_eq!(suspects(touched(3, 2, &[1, 2], &[]), bytes()), [(3, 1)]);
        assert_eq!(suspects(touched(3, 0, &[3, 8], &[]), bytes()), []);
        assert_eq!(suspects(touched(3, 0, &[], &[7]), bytes()), [(3, 1)]);
    }
}
