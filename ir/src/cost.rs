//! What accesses and branches cost a warp, against the least that would do: one definition for the run, which counts, and
//! the analyses, which compute.
//!
//! Shared memory has 32 banks of 4 bytes. A request of a warp takes as many turns as the bank with the most different
//! words; lanes that read one word share it. Accesses of 8 bytes are served by half warps, of 16 bytes by quarters. Global
//! memory is moved in sectors of 32 bytes: a request needs at least its bytes' worth of them. A branch that the lanes of a
//! warp do not take alike is executed twice.

use crate::finding::Kind;

/// Lanes of a warp.
pub const WARP: usize = 32;
/// Banks of shared memory, of [`WORD`] bytes each.
pub const BANKS: u64 = 32;
/// Bytes that a bank gives in a turn.
pub const WORD: u64 = 4;
/// Bytes that device memory is moved in.
pub const SECTOR: u64 = 32;
/// A branch is told where at least one in so many executions splits a warp: the guard at the end of an array is
/// not worth a note.
pub const SPLITS: u64 = 20;

/// What one place costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// Requests of a warp, or executions of a branch by one.
    pub requests: u64,
    /// Transactions, or executions that split the warp.
    pub actual: u64,
    /// The transactions that would do; 0 for a branch.
    pub ideal: u64,
    /// The most transactions of one request or part of it.
    pub worst: u64,
}

impl Cost {
    /// One request of shared memory by lanes of a warp: the number of each that takes part, and its offset there in bytes.
    /// `width` bytes are accessed by each.
    pub fn of_shared(lanes: &[(usize, u64)], width: u64) -> Cost {
        let per = (WARP as u64 * WORD / width.max(WORD)).max(1) as usize;
        let mut cost = Cost { requests: 1, ..Cost::default() };
        for part in 0..WARP.div_ceil(per) {
            let here = lanes.iter().filter(|(lane, _)| lane / per == part);
            let offsets: Vec<u64> = here.map(|&(_, offset)| offset).collect();
            let n = turns(&offsets, width);
            cost.actual += n;
            cost.ideal += u64::from(n > 0);
            cost.worst = cost.worst.max(n);
        }
        cost
    }

    /// One request of device memory by lanes of a warp, at these addresses. `width` bytes are accessed by each.
    pub fn of_global(mut addresses: Vec<u64>, width: u64) -> Cost {
        let (actual, ideal) = sectors(&mut addresses, width);
        Cost { requests: 1, actual, ideal, worst: actual }
    }

    /// One execution of a branch by a warp.
    pub fn of_branch(splits: bool) -> Cost {
        let split = u64::from(splits);
        Cost { requests: 1, actual: split, ideal: 0, worst: split }
    }

    /// Adds what another request costs.
    pub fn add(&mut self, other: Cost) {
        self.requests += other.requests;
        self.actual += other.actual;
        self.ideal += other.ideal;
        self.worst = self.worst.max(other.worst);
    }

    /// Whether it is worth a note of this kind.
    pub fn is_told(&self, kind: Kind) -> bool {
        match kind {
            Kind::WarpDivergence => self.actual > 0 && self.actual * SPLITS >= self.requests,
            _ => self.actual > self.ideal,
        }
    }

    /// The words of a note of this kind: that it is so, or, where that is not `sure`, that it may be.
    pub fn words(&self, kind: Kind, sure: bool) -> Words {
        let (is, split) = if sure { ("is", "split") } else { ("may be", "may split") };
        let factor = times(self.actual, self.ideal);
        let (message, label, help) = match kind {
            Kind::BankConflict => (
                format!(
                    "shared memory {is} accessed in {} where {} would do: {factor} times as many",
                    many(self.actual, "transaction"),
                    self.ideal,
                ),
                format!("up to {} lanes of a warp wait for one bank", self.worst),
                "let the lanes of a warp use different banks, for instance with one word of padding a row",
            ),
            Kind::UncoalescedAccess => (
                format!(
                    "global memory {is} accessed in {} of {SECTOR} bytes where {} would do: {factor} times as many",
                    many(self.actual, "sector"),
                    self.ideal,
                ),
                format!("a warp touches up to {}", many(self.worst, "sector")),
                "let neighbouring lanes access neighbouring elements, starting at a multiple of 32 bytes",
            ),
            _ => (
                format!(
                    "{} of {} of this branch {split} a warp",
                    self.actual,
                    many(self.requests, "execution")
                ),
                "lanes of a warp diverge here".to_owned(),
                "let the condition be the same for all 32 threads of a warp",
            ),
        };
        let requests = (kind != Kind::WarpDivergence).then(|| many(self.requests, "request") + " of a warp");
        Words { message, label, help, requests }
    }
}

/// What a note says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Words {
    /// The message.
    pub message: String,
    /// What stands at the place.
    pub label: String,
    /// What would mend it.
    pub help: &'static str,
    /// How many requests were counted; none for branches, whose message says it.
    pub requests: Option<String>,
}

/// Different words in the bank that has most of them: `offsets` of lanes in shared memory.
fn turns(offsets: &[u64], width: u64) -> u64 {
    let mut words: Vec<u64> = offsets.iter().flat_map(|&o| o / WORD..(o + width).div_ceil(WORD)).collect();
    words.sort_unstable();
    words.dedup();
    let mut banks = [0u64; BANKS as usize];
    for w in words {
        banks[(w % BANKS) as usize] += 1;
    }
    banks.into_iter().max().unwrap_or(0)
}

/// Sectors that the accesses of a request touch, and how many its bytes need at least.
fn sectors(addresses: &mut Vec<u64>, width: u64) -> (u64, u64) {
    addresses.sort_unstable();
    addresses.dedup();
    let mut bytes = 0;
    let mut end = 0;
    let mut sectors: Vec<u64> = Vec::with_capacity(addresses.len());
    for &a in addresses.iter() {
        bytes += (a + width).saturating_sub(a.max(end));
        end = end.max(a + width);
        sectors.extend(a / SECTOR..=(a + width - 1) / SECTOR);
    }
    sectors.dedup();
    (sectors.len() as u64, bytes.div_ceil(SECTOR))
}

/// A number with what it counts.
fn many(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// `a / b` with one digit behind the point where it is no whole number.
fn times(a: u64, b: u64) -> String {
    let tenths = (a * 10 + b / 2) / b.max(1);
    if tenths.is_multiple_of(10) {
        (tenths / 10).to_string()
    } else {
        format!("{}.{}", tenths / 10, tenths % 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banks() {
        let offsets = |stride: u64| (0..32).map(|l| l * stride).collect::<Vec<_>>();
        assert_eq!(turns(&offsets(4), 4), 1);
        assert_eq!(turns(&offsets(8), 4), 2);
        assert_eq!(turns(&offsets(128), 4), 32);
        assert_eq!(turns(&offsets(132), 4), 1);
        // One word for all, and four bytes of each word.
        assert_eq!(turns(&offsets(0), 4), 1);
        assert_eq!(turns(&offsets(1), 1), 1);
        // Half a warp of doubles.
        assert_eq!(turns(&offsets(8)[..16], 8), 1);
        assert_eq!(turns(&[], 4), 0);
    }

    #[test]
    fn parts_of_a_warp() {
        let lanes = |stride: u64| (0..32).map(|l| (l as usize, l * stride)).collect::<Vec<_>>();
        assert_eq!(Cost::of_shared(&lanes(8), 8), Cost { requests: 1, actual: 2, ideal: 2, worst: 1 });
        assert_eq!(Cost::of_shared(&lanes(16), 16), Cost { requests: 1, actual: 4, ideal: 4, worst: 1 });
        // The second half takes no part.
        assert_eq!(Cost::of_shared(&lanes(8)[..16], 8), Cost { requests: 1, actual: 1, ideal: 1, worst: 1 });
    }

    #[test]
    fn sectors_against_the_least() {
        let at = |first: u64, stride: u64| (0..32).map(|l| first + l * stride).collect::<Vec<_>>();
        assert_eq!(sectors(&mut at(0, 4), 4), (4, 4));
        assert_eq!(sectors(&mut at(4, 4), 4), (5, 4));
        assert_eq!(sectors(&mut at(0, 8), 4), (8, 4));
        assert_eq!(sectors(&mut at(0, 128), 4), (32, 4));
        assert_eq!(sectors(&mut at(0, 0), 4), (1, 1));
        assert_eq!(sectors(&mut at(0, 8), 8), (8, 8));
    }

    #[test]
    fn ratios() {
        assert_eq!(times(32, 1), "32");
        assert_eq!(times(5, 4), "1.3");
        assert_eq!(times(3, 2), "1.5");
    }
}
