//! A sample of the tests: `CUDAIR_TEST_SAMPLE=SEED/N` runs about one in N of them. Which ones follows from
//! the seed and each test's name, so that the same seed chooses the same tests.

/// What was asked for.
#[derive(Debug, PartialEq, Eq)]
pub struct Sample {
    seed: String,
    one_in: u64,
}

impl Sample {
    /// The sample that the environment asks for, if it does.
    pub fn asked() -> Result<Option<Sample>, String> {
        match std::env::var("CUDAIR_TEST_SAMPLE") {
            Ok(text) if !text.is_empty() => Sample::read(&text).map(Some),
            _ => Ok(None),
        }
    }

    /// Reads `SEED/N`.
    pub fn read(text: &str) -> Result<Sample, String> {
        let parts = text.split_once('/').and_then(|(seed, n)| Some((seed, n.parse().ok()?)));
        match parts {
            Some((seed, one_in @ 1..)) if !seed.is_empty() => Ok(Sample { seed: seed.to_owned(), one_in }),
            _ => Err(format!("CUDAIR_TEST_SAMPLE is '{text}', and not SEED/N")),
        }
    }

    /// Keeps the tests that belong to it, one at least, and says how to run them again.
    pub fn keep<T>(&self, tests: Vec<T>, name: impl Fn(&T) -> &str) -> Vec<T> {
        let all = tests.len();
        let rank = |test: &T| self.hash(name(test));
        let least = tests.iter().map(rank).min();
        let one_in = self.one_in;
        let kept: Vec<T> =
            tests.into_iter().filter(|t| rank(t).is_multiple_of(one_in) || Some(rank(t)) == least).collect();
        println!(
            "a sample: {} of {all} tests; CUDAIR_TEST_SAMPLE={}/{one_in} repeats it",
            kept.len(),
            self.seed
        );
        kept
    }

    /// FNV-1a of seed and name, with the mixing that its low bits need.
    fn hash(&self, name: &str) -> u64 {
        let bytes = self.seed.bytes().chain([0]).chain(name.bytes());
        let h =
            bytes.fold(0xcbf2_9ce4_8422_2325, |h: u64, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
        let h = (h ^ (h >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        h ^ (h >> 33)
    }
}
