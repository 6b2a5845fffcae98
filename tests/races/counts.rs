//! What came of a number of kernels.

use super::known::Cause;
use std::collections::BTreeMap;
use std::fmt;

#[derive(Default, Debug)]
pub struct Counts {
    pub kernels: u64,
    /// Of these, kernels with races.
    pub racy: u64,
    /// Racing pairs of lines.
    pub pairs: u64,
    /// Of these, pairs that not every execution shows.
    pub chance: u64,
    /// Of these, pairs that a seed showed and the default run did not.
    pub late: u64,
    /// Kinds of memory of a kernel that `check` proves free of races.
    pub proved: u64,
    /// Launches that a run proves to be right for every content of memory.
    pub by_run: u64,
    /// Races of which `check` is certain.
    pub refuted: u64,
    /// Kernels that are too large, or wait in vain.
    pub refused: u64,
    /// Kernels about which cudair and the reference differ.
    pub differ: u64,
    /// Differences with a known cause.
    pub known: BTreeMap<Cause, u64>,
}

impl Counts {
    pub fn known(&mut self, cause: Cause) {
        *self.known.entry(cause).or_default() += 1;
    }

    pub fn add(&mut self, other: &Counts) {
        let Counts { kernels, racy, pairs, chance, late, proved, by_run, refuted, refused, differ, known } =
            other;
        self.kernels += kernels;
        self.racy += racy;
        self.pairs += pairs;
        self.chance += chance;
        self.late += late;
        self.proved += proved;
        self.by_run += by_run;
        self.refuted += refuted;
        self.refused += refused;
        self.differ += differ;
        for (&cause, n) in known {
            *self.known.entry(cause).or_default() += n;
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { kernels, racy, pairs, chance, late, proved, by_run, refuted, refused, differ, known } =
            self;
        write!(
            f,
            "{kernels} kernels, {racy} with races, {pairs} racing pairs of lines, {chance} of them by chance \
             ({late} shown by a seed alone); {proved} proofs, {by_run} launches proved by one run, and {refuted} certain races by analysis; {differ} differ; \
             {refused} of no use"
        )?;
        for (cause, n) in known {
            write!(f, "\n    {n} times: {cause}")?;
        }
        Ok(())
    }
}
