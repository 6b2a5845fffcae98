//! What a report says last, in words: what was left out, and what was not looked at.

use super::Report;
use cudair_ir::Finding;
use cudair_vm::Unseen;

impl Report {
    /// What stands in no finding of the report, a part each: findings that were left out, by what left them out; `most`
    /// of them by their number.
    pub(super) fn left_out(&self, most: usize) -> Vec<String> {
        let absent = self.baseline.as_ref().map_or(0, |b| b.absent.len());
        let parts = [
            (most, "more left out (--max-findings)"),
            (self.suppressed.len(), "suppressed"),
            (self.known().len(), "known (--baseline)"),
            (absent, "of the baseline gone"),
            (self.mild, "less severe (--min-severity)"),
            (self.excluded, "in other kernels (--exclude-kernel)"),
        ];
        parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect()
    }

    /// The findings that an earlier report has.
    pub(super) fn known(&self) -> &[Finding] {
        self.baseline.as_ref().map_or(&[], |b| &b.known)
    }

    /// What was not looked at, in words; nothing where all was.
    pub(super) fn unseen(&self) -> Option<String> {
        let Unseen { kernels, launches, second_runs, stranded, words, places } = &self.unseen;
        let mut parts = Vec::new();
        if !kernels.is_empty() {
            let names = by_template(kernels);
            let more = match names.len().saturating_sub(MAX_KERNELS) {
                0 => String::new(),
                n => format!(" and {n} more"),
            };
            let what = if kernels.len() == 1 { "kernel" } else { "kernels" };
            let shown = names[..names.len().min(MAX_KERNELS)].join(", ");
            parts.push(format!("{what} {shown}{more}, never launched"));
        }
        let mut count = |n: u64, one: &str, many: &str| match n {
            0 => {}
            1 => parts.push(one.to_owned()),
            n => parts.push(format!("{n} {many}")),
        };
        count(*launches, "1 launch outside the race detector", "launches outside the race detector");
        count(
            *second_runs,
            "1 launch whose suspected races were not confirmed by a whole second run",
            "launches whose suspected races were not confirmed by a whole second run",
        );
        count(
            *stranded,
            "1 launch that did not end because it waited for threads that a fault had ended",
            "launches that did not end because they waited for threads that a fault had ended",
        );
        count(
            *words,
            "1 word of memory with too many accesses to compare them all",
            "words of memory with too many accesses to compare them all",
        );
        count(
            *places,
            "1 place with too many accesses to compare all those to suspected words",
            "places with too many accesses to compare all those to suspected words",
        );
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// Kernels by name, the instances of a template together.
fn by_template(kernels: &[String]) -> Vec<String> {
    let template = |name: &str| name.split('<').next().unwrap_or(name).to_owned();
    let mut groups: Vec<(String, Vec<&String>)> = Vec::new();
    for kernel in kernels {
        let of = template(kernel);
        match groups.iter_mut().find(|g| g.0 == of) {
            Some(group) => group.1.push(kernel),
            None => groups.push((of, vec![kernel])),
        }
    }
    let name = |(of, all): &(String, Vec<&String>)| match all[..] {
        [one] => format!("`{one}`"),
        _ => format!("`{of}` ({} instances)", all.len()),
    };
    groups.iter().map(name).collect()
}

/// Kernels that are named at most.
const MAX_KERNELS: usize = 4;
