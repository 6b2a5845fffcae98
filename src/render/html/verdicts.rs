//! The verdicts as a table: for each kernel a row for each check.

use super::listing::Listing;
use super::text::{counted, escaped, prose};
use crate::render;
use cudair_ir::verdict::{Because, ByRun, CheckVerdict, KernelVerdict, Outcome};
use std::fmt::Write;

/// The table.
pub fn table(verdicts: &[KernelVerdict], listing: &Listing) -> String {
    let bodies: String = verdicts.iter().map(|v| body(v, listing)).collect();
    format!(
        "<table class=\"verdicts\">\n<thead><tr><th scope=\"col\">check</th><th scope=\"col\">outcome</th>\
         <th scope=\"col\">why, and what is taken for granted</th></tr></thead>\n{bodies}</table>\n"
    )
}

fn body(v: &KernelVerdict, listing: &Listing) -> String {
    let place = v.place.as_ref().map(|p| format!(" {}", listing.link(p))).unwrap_or_default();
    let ran = v.run.as_ref().map(|run| format!(", {}", render::launched(run))).unwrap_or_default();
    let mut out = format!(
        "<tbody>\n<tr><th colspan=\"3\" scope=\"rowgroup\"><code>{}</code>{place} <span class=\"launches\">{}</span></th></tr>\n",
        escaped(&v.kernel),
        prose(&format!("{}{ran}", v.launches))
    );
    if v.checks.is_empty() {
        out.push_str("<tr><td colspan=\"3\">nothing that threads share</td></tr>\n");
    }
    for c in &v.checks {
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td><span class=\"outcome {}\">{}</span> <small>by {}</small></td>\
             <td>{}</td></tr>",
            c.check.name(),
            class(c.outcome),
            render::outcome(c.outcome, v.run.as_ref()),
            match c.basis.name() {
                "run" => "the run",
                "both" => "analysis and the run",
                basis => basis,
            },
            reason(c, listing)
        );
    }
    if let Some(run) = &v.run {
        let said = by_run(v, run, listing);
        if !said.is_empty() {
            let _ = writeln!(out, "<tr><td colspan=\"3\">{said}</td></tr>");
        }
    }
    out + "</tbody>\n"
}

/// The class of an outcome, for its colour.
fn class(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Proved | Outcome::ProvedForLaunches => "good",
        Outcome::SeenClean => "seen",
        Outcome::Possible => "open",
        Outcome::Refuted | Outcome::Confirmed => "bad",
        Outcome::NotChecked | Outcome::NotLaunched => "unknown",
    }
}

fn reason(c: &CheckVerdict, listing: &Listing) -> String {
    let mut parts: Vec<String> = Vec::new();
    if let Some(why) = &c.why {
        let place = c.place.as_ref().map(|p| format!("{}: ", listing.link(p))).unwrap_or_default();
        let more = match c.places {
            0 | 1 => String::new(),
            n => format!("; {}", counted(n, "place")),
        };
        parts.push(format!("<p>{place}{}{more}</p>", prose(why)));
    } else if let Some(place) = &c.place {
        parts.push(format!("<p>{}</p>", listing.link(place)));
    }
    if !c.premises.is_empty() {
        let all: Vec<String> = c.premises.iter().map(|p| prose(p)).collect();
        parts.push(format!("<p>taken for granted: {}</p>", all.join(", ")));
    }
    parts.concat()
}

/// What the run's launches say: of what a proof by them speaks, why there is none, and what was left out.
fn by_run(v: &KernelVerdict, run: &ByRun, listing: &Listing) -> String {
    let has = |wanted: &[Outcome]| v.checks.iter().any(|c| wanted.contains(&c.outcome));
    let mut parts = Vec::new();
    if has(&[Outcome::ProvedForLaunches]) {
        parts.push(format!("<p>every input: with the same {}</p>", escaped(&run.holds_for.join(", "))));
    } else if has(&[Outcome::Possible, Outcome::SeenClean]) && !run.because.is_empty() {
        let one = |b: &Because| {
            let place = b.place.as_ref().map(|p| format!(" ({})", listing.link(p))).unwrap_or_default();
            format!("<li>{}{place}</li>", prose(&b.clause))
        };
        let all: String = run.because.iter().map(one).collect();
        parts.push(format!("<p>not for every input:</p><ul>{all}</ul>"));
    }
    parts.extend(render::unwatched(run).map(|text| format!("<p>{}</p>", escaped(&text))));
    parts.concat()
}
