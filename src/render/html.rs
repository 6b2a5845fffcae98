//! One page for a browser, whole in one file: what was found, the source beside it, and what was proved.
//!
//! The page needs no script and loads nothing. Its bytes are HTML and well-formed XML at once, and the same for the same
//! report. Findings and lines of source lead to each other; what is long is folded, and everything is there.

mod costs;
mod finding;
mod listing;
mod memory;
mod picture;
mod standing;
#[cfg(test)]
mod tests;
mod text;
mod verdicts;

use super::{Report, Sources, short};
use crate::baseline::Entry;
use crate::suppress::By;
use cudair_ir::{Finding, Kind, Severity};
use finding::Numbered;
use listing::{Listing, Owner};
use std::fmt::Write;
use text::{counted, escaped, items, prose};

/// How the page looks. It is XML, too: no `<` and no `&`.
const STYLE: &str = include_str!("html/style.css");

/// A group of findings with their numbers.
struct Section<'f> {
    shown: Numbered<'f>,
    others: Vec<Numbered<'f>>,
    /// What is said of the others.
    more: Option<String>,
}

/// What the page is made of.
struct Page<'r> {
    report: &'r Report,
    sections: Vec<Section<'r>>,
    /// Groups that are left out for their number.
    left: usize,
    diagnostics: Vec<Owner>,
    suppressed: Vec<(Numbered<'r>, By)>,
    known: Vec<Numbered<'r>>,
    costs: Vec<costs::Line<'r>>,
    listing: Listing,
}

/// The page.
pub fn render(report: &Report, sources: &mut Sources) -> String {
    let page = Page::new(report, sources);
    let title = match report.reproduce.as_str() {
        "" => page.found(),
        command => format!("{}: {command}", page.found()),
    };
    let body = [
        page.head(),
        page.contents(),
        "<main id=\"main\">\n".to_owned(),
        page.diagnostics(),
        page.findings(sources),
        page.costs(),
        page.verdicts(),
        page.quiet(sources),
        page.sources(),
        "</main>\n".to_owned(),
    ]
    .concat();
    format!(
        "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\" xml:lang=\"en\">\n<head>\n\
         <meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"generator\" content=\"cudair {version}\"/>\n<title>{title}</title>\n<style>\n{STYLE}</style>\n\
         </head>\n<body>\n<a class=\"skip\" href=\"#main\">Go to the report</a>\n<div class=\"page\">\n{body}\
         <footer>Written by cudair {version}. <code>cudair explain KIND</code> tells what a kind of finding means.</footer>\n\
         </div>\n</body>\n</html>\n",
        version = env!("CARGO_PKG_VERSION"),
        title = escaped(&title),
    )
}

impl<'r> Page<'r> {
    fn new(report: &'r Report, sources: &mut Sources) -> Page<'r> {
        let (groups, left) = report.grouped();
        let section = |(n, group): (usize, crate::groups::Group<'r>)| Section {
            more: group.others_in_words(),
            shown: Numbered::new(group.shown, "f", (n + 1).to_string()),
            others: (2..)
                .zip(group.others)
                .map(|(m, f)| Numbered::new(f, "f", format!("{}.{m}", n + 1)))
                .collect(),
        };
        let numbered = |letter| move |(n, f): (usize, &'r Finding)| Numbered::new(f, letter, n.to_string());
        let suppressed =
            (1..).zip(&report.suppressed).map(|(n, (f, by))| (Numbered::new(f, "s", n.to_string()), *by));
        let mut page = Page {
            report,
            sections: groups.into_iter().enumerate().map(section).collect(),
            left,
            diagnostics: report.diagnostics.iter().enumerate().map(|(n, d)| finding::owner(d, n)).collect(),
            suppressed: suppressed.collect(),
            known: (1..).zip(report.known()).map(numbered("k")).collect(),
            costs: costs::lines(report.listed().iter()),
            listing: Listing::default(),
        };
        page.mark(sources);
        page
    }

    /// Puts all places into the listing.
    fn mark(&mut self, sources: &mut Sources) {
        let Page { listing, report, costs, .. } = self;
        for line in costs.iter() {
            listing.heat(line.at(), line.level(), sources);
        }
        for section in &self.sections {
            for n in std::iter::once(&section.shown).chain(&section.others) {
                n.mark(listing, sources);
            }
        }
        for (d, owner) in report.diagnostics.iter().zip(&self.diagnostics) {
            d.primary.iter().for_each(|span| listing.mark(span, owner, true, sources));
            d.related.iter().for_each(|span| listing.mark(span, owner, false, sources));
        }
        for n in self.suppressed.iter().map(|(n, _)| n).chain(&self.known) {
            n.mark(listing, sources);
        }
        for v in &report.verdicts {
            let run = v.run.iter().flat_map(|run| run.because.iter().filter_map(|b| b.place.as_ref()));
            let places = v.place.iter().chain(v.checks.iter().filter_map(|c| c.place.as_ref())).chain(run);
            places.for_each(|span| listing.name(span, sources));
        }
    }

    /// How many findings there are, as people count them.
    fn found(&self) -> String {
        let of = |severity: Severity| {
            self.sections.iter().filter(|s| s.shown.finding.severity == severity).count()
        };
        let mut parts: Vec<String> =
            Severity::ALL.iter().rev().filter(|s| of(**s) > 0).map(|&s| counted(of(s), s.name())).collect();
        let with_others = || self.sections.iter().map(|s| s.others.len()).filter(|n| *n > 0);
        if with_others().next().is_some() {
            let cause = if with_others().count() == 1 { "cause" } else { "causes" };
            parts.push(format!("{} more of the same {cause}", with_others().sum::<usize>()));
        }
        if !parts.is_empty() {
            return parts.join(", ");
        }
        let stopped = self.report.diagnostics.iter().any(|d| !d.class.is_aside());
        let text = if stopped { "no finding: the command did not come to its end" } else { "no finding" };
        text.to_owned()
    }

    fn all(&self) -> impl Iterator<Item = &Finding> {
        self.sections.iter().flat_map(|s| std::iter::once(&s.shown).chain(&s.others).map(|n| n.finding))
    }

    fn head(&self) -> String {
        let report = self.report;
        let mut out = format!("<header>\n<h1>{}</h1>\n", escaped(&self.found()));
        if !report.reproduce.is_empty() {
            let _ = writeln!(out, "<p class=\"command\"><code>{}</code></p>", escaped(&report.reproduce));
        }
        let exit = report.exit.map(|code| format!(" · exit code {code}")).unwrap_or_default();
        let _ = writeln!(out, "<p class=\"about\">cudair {}{exit}</p>", env!("CARGO_PKG_VERSION"));
        out.push_str(&self.kinds());
        let mut left: Vec<String> =
            report.left_out(self.left + report.left_out).iter().map(|text| escaped(text)).collect();
        left.extend(report.unseen().map(|text| format!("not looked at: {}", prose(&text))));
        if !left.is_empty() {
            let _ = writeln!(out, "<ul class=\"left\">\n{}</ul>", items(left));
        }
        if !report.unchecked.is_empty() {
            let all: Vec<&str> = report.unchecked.iter().map(|k| k.name()).collect();
            let _ =
                writeln!(out, "<ul class=\"left mild\">\n<li>not looked for: {}</li>\n</ul>", all.join(", "));
        }
        out + "</header>\n"
    }

    /// Findings by kind and severity.
    fn kinds(&self) -> String {
        let count = |kind: Kind, severity: Severity| {
            self.all().filter(|f| f.kind == kind && f.severity == severity).count()
        };
        let number = |n: usize| if n == 0 { "–".to_owned() } else { n.to_string() };
        let mut rows = String::new();
        for &kind in Kind::ALL {
            let [errors, warnings, notes] =
                [Severity::Error, Severity::Warning, Severity::Note].map(|s| count(kind, s));
            if errors + warnings + notes > 0 {
                let cells = [errors, warnings, notes].map(|n| format!("<td>{}</td>", number(n))).concat();
                let _ = writeln!(rows, "<tr><th scope=\"row\" class=\"kind\">{kind}</th>{cells}</tr>");
            }
        }
        if rows.is_empty() {
            return String::new();
        }
        format!(
            "<table class=\"counts\">\n<thead><tr><th scope=\"col\">findings</th><th scope=\"col\">errors</th>\
             <th scope=\"col\">warnings</th><th scope=\"col\">notes</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"
        )
    }

    fn contents(&self) -> String {
        let mut lines = String::new();
        for (owner, d) in self.diagnostics.iter().zip(&self.report.diagnostics) {
            let at = d.primary.as_ref().map(|p| self.listing.at(p));
            lines.push_str(&entry(owner, at, 0));
        }
        for Section { shown, others, .. } in &self.sections {
            let at = shown.finding.primary.as_ref().map(|p| self.listing.at(p));
            lines.push_str(&entry(&shown.owner, at, others.len()));
        }
        if !self.costs.is_empty() {
            lines.push_str("<li><a href=\"#costs\">What lines cost</a></li>\n");
        }
        if !self.report.verdicts.is_empty() {
            lines.push_str("<li><a href=\"#verdicts\">Verdicts</a></li>\n");
        }
        if self.has_quiet() {
            lines.push_str("<li><a href=\"#quiet\">Suppressed and known</a></li>\n");
        }
        if !self.listing.is_empty() {
            let link = |(anchor, path): (String, &str)| {
                format!("<a class=\"at\" href=\"#{anchor}\">{}</a>", escaped(path))
            };
            let files = items(self.listing.contents().map(link));
            let _ = writeln!(lines, "<li><a href=\"#sources\">Source</a>\n<ul>\n{files}</ul></li>");
        }
        if lines.is_empty() {
            return String::new();
        }
        format!("<nav aria-label=\"Contents\">\n<h2>Contents</h2>\n<ul>\n{lines}</ul>\n</nav>\n")
    }

    fn diagnostics(&self) -> String {
        let all = self.diagnostics.iter().zip(&self.report.diagnostics);
        let parts: String = all.map(|(owner, d)| finding::diagnostic(d, owner, &self.listing)).collect();
        section("diagnostics", "What cudair says of the command", &parts)
    }

    fn findings(&self, sources: &mut Sources) -> String {
        let command = &self.report.reproduce;
        let mut parts = String::new();
        for Section { shown, others, more } in &self.sections {
            parts.push_str(&finding::finding(shown, 3, command, &self.listing, sources));
            if let Some(more) = more {
                parts.push_str(&finding::others(more, others, command, &self.listing, sources));
            }
        }
        section("findings", "Findings", &parts)
    }

    /// The lines by what they cost, the worst first.
    fn costs(&self) -> String {
        match costs::table(&self.costs, &self.listing) {
            table if table.is_empty() => table,
            table => section("costs", "What lines cost", &table),
        }
    }

    fn verdicts(&self) -> String {
        if self.report.verdicts.is_empty() {
            return String::new();
        }
        section("verdicts", "Verdicts", &verdicts::table(&self.report.verdicts, &self.listing))
    }

    fn has_quiet(&self) -> bool {
        let absent = self.report.baseline.as_ref().is_some_and(|b| !b.absent.is_empty());
        !self.suppressed.is_empty() || !self.known.is_empty() || absent
    }

    /// Findings that do not count: those that somebody suppresses, and those that an earlier report has.
    fn quiet(&self, sources: &mut Sources) -> String {
        let command = &self.report.reproduce;
        let mut parts = String::new();
        let mut fold = |head: &str, inner: &str| {
            if !inner.is_empty() {
                let _ =
                    writeln!(parts, "<details class=\"others\"><summary>{head}</summary>\n{inner}</details>");
            }
        };
        let mut whole = |n: &Numbered<'_>| finding::finding(n, 4, command, &self.listing, sources);
        let mut of = |by: By| -> (usize, String) {
            let all = self.suppressed.iter().filter(|(_, b)| *b == by);
            (all.clone().count(), all.map(|(n, _)| whole(n)).collect())
        };
        for (by, how) in [(By::Source, "a comment in the source"), (By::File, "a file (--suppress)")] {
            let (n, inner) = of(by);
            fold(&format!("{n} suppressed by {how}"), &inner);
        }
        let known: String = self.known.iter().map(whole).collect();
        fold(&format!("{} known (--baseline)", self.known.len()), &known);
        let absent: &[Entry] = self.report.baseline.as_ref().map_or(&[], |b| &b.absent);
        let gone: String = absent.iter().map(gone).collect();
        let gone = if gone.is_empty() { gone } else { format!("<ul>\n{gone}</ul>\n") };
        fold(&format!("{} of the baseline gone", absent.len()), &gone);
        section("quiet", "Suppressed and known", &parts)
    }

    fn sources(&self) -> String {
        section("sources", "Source", &self.listing.render())
    }
}

/// A finding of an earlier report that is gone.
fn gone(e: &Entry) -> String {
    let place = e.place.as_ref().map(|p| format!(" <span class=\"at\">{}</span>", escaped(&short::at(p))));
    let kernel = e.kernel.as_ref().map(|k| format!(" in kernel <code>{}</code>", escaped(k)));
    format!(
        "<li>{} <span class=\"kind\">{}</span>: {}{}{}</li>\n",
        escaped(&e.severity),
        escaped(&e.kind),
        prose(&e.message),
        kernel.unwrap_or_default(),
        place.unwrap_or_default()
    )
}

/// A line of the table of contents.
fn entry(owner: &Owner, at: Option<String>, others: usize) -> String {
    let Owner { anchor, number, name, class } = owner;
    let at = at.map(|at| format!(" <span class=\"at\">{}</span>", escaped(&at))).unwrap_or_default();
    let more = if others == 0 { String::new() } else { format!(" <small>and {others} more</small>") };
    format!(
        "<li><a href=\"#{anchor}\"><span class=\"badge {class}\">{number}</span> <span class=\"kind\">{}</span></a>{at}{more}</li>\n",
        escaped(name)
    )
}

/// A section with a headline; nothing where there is nothing to show.
fn section(id: &str, head: &str, inner: &str) -> String {
    if inner.is_empty() {
        return String::new();
    }
    format!("<section id=\"{id}\">\n<h2>{head}</h2>\n{inner}</section>\n")
}
