//! Which findings a report has, what of the others is counted, and which decide the exit code.

use crate::baseline::Baseline;
use crate::cli::Common;
use crate::groups;
use crate::render::{Report, Sources};
use crate::suppress::Rules;
use cudair_ir::{Certainty, Diagnostic, Finding, Function, Kind, Severity};
use cudair_passes::check::is_called;

/// What decides beside the options: what was read from files.
#[derive(Clone, Debug, Default)]
pub struct Filters {
    rules: Rules,
    baseline: Option<Baseline>,
    /// Kernels that are not wanted, as findings call them.
    excluded: Vec<String>,
    /// Kinds that the command looks for, beyond what options say; all without one.
    pub looked_for: Option<Vec<Kind>>,
    /// Whether the command looks at some launches or kernels only.
    pub partial: bool,
}

impl Filters {
    /// Reads the files that the options name.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn read(common: &Common) -> Result<Filters, Vec<Diagnostic>> {
        let mut filters = Filters { excluded: common.exclude_kernel.clone(), ..Filters::default() };
        for file in &common.suppress {
            filters.rules.read(file)?;
        }
        if let Some(file) = &common.baseline {
            filters.baseline = Some(Baseline::read(file).map_err(|d| vec![*d])?);
        }
        Ok(filters)
    }

    /// Leaves out a kernel that is called by another name than findings have.
    pub fn exclude(&mut self, kernel: &Function) {
        self.excluded.push(kernel.display_name.clone());
    }

    /// Whether a kernel, by its name in findings, is left out.
    pub fn is_excluded(&self, kernel: Option<&str>) -> bool {
        kernel.is_some_and(|kernel| self.excluded.iter().any(|name| is_called(kernel, name)))
    }

    /// Whether a finding will be told, as far as its own text decides.
    pub fn is_told(&mut self, common: &Common, f: &Finding, sources: &mut Sources) -> bool {
        !common.no_check.contains(&f.kind)
            && !self.is_excluded(f.kernel.as_deref())
            && self.rules.suppress(f, sources).is_none()
    }

    /// The kinds that nobody looks for.
    fn unchecked(&self, common: &Common) -> Vec<Kind> {
        let costs = [Kind::BankConflict, Kind::UncoalescedAccess, Kind::WarpDivergence];
        let off = |k: &Kind| {
            common.no_check.contains(k)
                || (!common.perf && costs.contains(k))
                || self.looked_for.as_ref().is_some_and(|known| !known.contains(k) && !costs.contains(k))
        };
        Kind::ALL.iter().copied().filter(off).collect()
    }

    /// A report of the findings that are wanted, and whether one of them is an error. `whole`: the command came to its
    /// end, so that what was not found is not there.
    pub fn report(
        &mut self,
        common: &Common,
        sources: &mut Sources,
        mut findings: Vec<Finding>,
        whole: bool,
    ) -> (Report, bool) {
        findings.retain(|f| !common.no_check.contains(&f.kind));
        if common.strict {
            // What is only possible stays a warning: nobody knows that it happens.
            let warnings = findings.iter_mut().filter(|f| f.severity == Severity::Warning);
            warnings
                .filter(|f| f.certainty == Certainty::Definite)
                .for_each(|f| f.severity = Severity::Error);
        }
        let mut suppressed = Vec::new();
        findings.retain(|f| match self.rules.suppress(f, sources) {
            Some(by) => {
                suppressed.push((f.clone(), by));
                false
            }
            None => true,
        });
        let unchecked = self.unchecked(common);
        let (excluded, mut findings): (Vec<Finding>, Vec<Finding>) =
            findings.into_iter().partition(|f| self.is_excluded(f.kernel.as_deref()));
        let mild =
            findings.extract_if(.., |f| f.severity < common.min_severity.severity()).collect::<Vec<_>>();
        let baseline = self.baseline.as_ref().map(|baseline| {
            let others = suppressed.iter().map(|(f, _)| f).chain(&excluded).chain(&mild);
            let mut compared = baseline.compare(&mut findings, others, whole && !self.partial, sources);
            compared.absent.retain(|e| {
                !unchecked.iter().any(|k| k.name() == e.kind) && !self.is_excluded(e.kernel.as_deref())
            });
            compared
        });
        let errors = findings.iter().any(|f| f.severity == Severity::Error);
        if findings.len() > common.max_findings {
            // Errors are kept first.
            findings.sort_by_key(|f| std::cmp::Reverse(f.severity));
        }
        groups::number(&mut findings);
        let diagnostics = if whole && !self.partial { self.rules.unmatched(&unchecked) } else { Vec::new() };
        let report = Report {
            findings,
            diagnostics,
            most: Some(common.max_findings),
            verbose: common.verbose,
            suppressed,
            baseline,
            mild: mild.len(),
            excluded: excluded.len(),
            unchecked,
            ..Report::default()
        };
        (report, errors)
    }
}
