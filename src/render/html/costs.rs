//! What lines cost, where performance was asked for: a table for each kind, and how hot each line is.
//!
//! The cost that could be saved is what counts: transactions beyond those that would do, and executions of a branch that split
//! a warp. A line is as hot as its share of that among the lines of its kind.

use super::listing::Listing;
use super::text::{counted, escaped};
use cudair_ir::cost::Cost;
use cudair_ir::{Finding, Kind, Span};
use std::fmt::Write;

/// Levels of heat.
const LEVELS: u64 = 5;

/// A line that costs more than it had to.
pub struct Line<'f> {
    kind: Kind,
    at: &'f Span,
    cost: Cost,
    /// Its share of what its kind could save, in percent.
    share: u64,
}

impl Line<'_> {
    /// What could be saved.
    fn excess(&self) -> u64 {
        self.cost.actual.saturating_sub(self.cost.ideal)
    }

    /// How hot it is, from 1.
    pub fn level(&self) -> u8 {
        // At most `LEVELS`.
        (self.share * LEVELS).div_ceil(100).clamp(1, LEVELS) as u8
    }

    /// Where it is.
    pub fn at(&self) -> &Span {
        self.at
    }
}

/// The lines of findings of performance, by kind, the worst first.
pub fn lines<'f>(findings: impl Iterator<Item = &'f Finding>) -> Vec<Line<'f>> {
    let mut lines: Vec<Line<'f>> = Vec::new();
    for f in findings {
        let (Some(cost), Some(at)) = (f.cost, f.primary.as_ref()) else { continue };
        let same =
            |l: &&mut Line<'_>| l.kind == f.kind && l.at.file == at.file && l.at.start.line == at.start.line;
        match lines.iter_mut().find(same) {
            Some(line) => line.cost.add(cost),
            None => lines.push(Line { kind: f.kind, at, cost, share: 0 }),
        }
    }
    for n in 0..lines.len() {
        let all: u64 = lines.iter().filter(|l| l.kind == lines[n].kind).map(Line::excess).sum();
        lines[n].share = lines[n].excess() * 100 / all.max(1);
    }
    lines.sort_by_key(|l| (l.kind, std::cmp::Reverse(l.excess())));
    lines
}

/// The table of a kind's lines.
fn of_kind(kind: Kind, lines: &[Line<'_>], listing: &Listing) -> String {
    let (unit, least) = match kind {
        Kind::BankConflict => ("transactions", "would do"),
        Kind::UncoalescedAccess => ("sectors of 32 bytes", "would do"),
        _ => ("executions that split a warp", "executions"),
    };
    let mut out = format!(
        "<table class=\"costs\">\n<caption><span class=\"kind\">{}</span>, {}</caption>\n<thead><tr><th scope=\"col\">line</th>\
         <th scope=\"col\">{unit}</th><th scope=\"col\">{least}</th><th scope=\"col\">share</th></tr></thead>\n<tbody>\n",
        kind.name(),
        escaped(&counted(lines.len(), "line"))
    );
    for line in lines {
        let code = listing.code(line.at, "note").unwrap_or_default();
        let of = if kind == Kind::WarpDivergence { line.cost.requests } else { line.cost.ideal };
        let (actual, share) = (line.cost.actual, line.share);
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{} <code class=\"quote\">{code}</code></th><td class=\"number\">{actual}</td>\
             <td class=\"number\">{of}</td><td><meter min=\"0\" max=\"100\" value=\"{share}\"></meter> {share} %</td></tr>",
            listing.link(line.at),
        );
    }
    out + "</tbody></table>\n"
}

/// A table for each kind; empty without any line.
pub fn table(lines: &[Line<'_>], listing: &Listing) -> String {
    let mut out = String::new();
    let mut rest = lines;
    while let Some(first) = rest.first() {
        let same = rest.iter().take_while(|l| l.kind == first.kind).count();
        let (of, others) = rest.split_at(same);
        out += &of_kind(first.kind, of, listing);
        rest = others;
    }
    out
}
