//! What a run did not look at, so that its silence there claims nothing.

use cudair_ir::{FuncId, Module, OWN_HEADERS, Side};

/// See the module's documentation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unseen {
    /// Kernels of the program's own files that no launch ran, in the order of the program.
    pub kernels: Vec<String>,
    /// Launches in which no races were looked for, as they are none of those that are to be reported on.
    pub launches: u64,
    /// Launches in which races were suspected that no second run could confirm, or none that came to its end.
    pub second_runs: u64,
    /// Launches that did not come to their end, since threads waited for others that a fault had ended.
    pub stranded: u64,
    /// Words of memory at which the race detector did not compare some accesses, since they were too many.
    pub words: u64,
    /// Places of the program whose accesses to some suspected words it did not compare, since they were too many.
    pub places: u64,
}

impl Unseen {
    /// Whether all was looked at.
    #[inline]
    pub fn is_empty(&self) -> bool {
        *self == Unseen::default()
    }

    /// What neither this run of a program nor another has looked at.
    pub fn join(&mut self, other: Unseen) {
        let Unseen { kernels, launches, second_runs, stranded, words, places } = other;
        self.kernels.retain(|k| kernels.contains(k));
        self.launches = self.launches.max(launches);
        self.second_runs += second_runs;
        self.stranded += stranded;
        self.words += words;
        self.places += places;
    }
}

/// The kernels of the program's own files, headers of libraries aside, of which `ran` knows none.
pub fn never_ran(module: &Module, ran: impl Fn(FuncId) -> bool) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (id, f) in &module.funcs {
        if f.side != Side::Kernel || f.is_declaration() || ran(id) {
            continue;
        }
        let own = f.loc.expand().is_some_and(|loc| {
            let file = &module.source.files[module.source.locs[loc].file];
            !file.library && !file.path.starts_with(OWN_HEADERS)
        });
        // Two of one name are one to a reader.
        if own && !names.contains(&f.display_name) {
            names.push(f.display_name.clone());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_of_two_runs_has_run_is_seen() {
        let run = |kernels: &[&str], words| Unseen {
            kernels: kernels.iter().map(|&k| k.to_owned()).collect(),
            words,
            ..Unseen::default()
        };
        let mut all = run(&["a", "b"], 3);
        all.join(run(&["b", "c"], 4));
        assert_eq!(all, run(&["b"], 7));
        assert!(!all.is_empty() && Unseen::default().is_empty());
    }
}
