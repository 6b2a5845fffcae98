//! One finding, or one diagnostic, whole.

use super::listing::{Listing, Owner};
use super::text::{escaped, items, prose};
use super::{memory, picture, standing};
use crate::render::{Sources, human, is_call, reproduce};
use cudair_ir::{Diagnostic, DiagnosticClass, Edit, Finding, Repair, Severity, Span, Trial};
use std::fmt::Write;

/// Lines of source before and after a change.
const AROUND: usize = 1;

/// A finding with its place in the page.
pub struct Numbered<'f> {
    /// What the page calls it.
    pub owner: Owner,
    /// The finding.
    pub finding: &'f Finding,
}

impl<'f> Numbered<'f> {
    /// A finding by the letter of its list and its number there.
    pub fn new(finding: &'f Finding, letter: &str, number: String) -> Numbered<'f> {
        let class = if letter == "f" { severity(finding.severity) } else { "quiet" };
        let name = finding.kind.name().to_owned();
        let anchor = format!("{letter}{number}");
        let number = if letter == "f" { number } else { anchor.clone() };
        Numbered { owner: Owner { anchor, number, name, class }, finding }
    }

    /// Marks all its places.
    pub fn mark(&self, listing: &mut Listing, sources: &mut Sources) {
        if let Some(span) = &self.finding.primary {
            listing.mark(span, &self.owner, true, sources);
        }
        for span in self.finding.further_places() {
            listing.mark(span, &self.owner, false, sources);
        }
        for edit in self.finding.repair.iter().flat_map(|r| &r.edits) {
            listing.name(&place(edit), sources);
        }
    }
}

/// Where a change begins.
pub fn place(edit: &Edit) -> Span {
    let Edit { file, start, end, .. } = edit;
    Span { file: file.clone(), start: *start, end: *end, spelling: None, label: String::new() }
}

/// The class of a severity.
pub fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// The class of a diagnostic.
pub fn class(class: DiagnosticClass) -> &'static str {
    match class {
        DiagnosticClass::Note => "note",
        DiagnosticClass::Warning => "warning",
        _ => "error",
    }
}

/// A finding. Only the one that stands for a group has a picture; `heading` is the level of its headline.
pub fn finding(
    n: &Numbered<'_>,
    heading: u8,
    command: &str,
    listing: &Listing,
    sources: &mut Sources,
) -> String {
    let (f, Owner { anchor, number, name, class }) = (n.finding, &n.owner);
    let word = f.severity.name();
    let mut out = format!(
        "<article class=\"finding {class}\" id=\"{anchor}\">\n<h{heading}><a class=\"badge {class}\" \
         href=\"#{anchor}\">{number}</a> <span class=\"severity {class}\">{word}</span> \
         <span class=\"kind\">{name}</span></h{heading}>\n<p class=\"message\">{}</p>\n",
        prose(&f.message)
    );
    if heading == 3
        && let Some(drawn) = picture::race(n, listing)
    {
        out.push_str(&drawn);
    }
    if heading == 3
        && let Some(touched) = &f.memory
    {
        out.push_str(&memory::picture(touched, anchor));
    }
    if heading == 3
        && let Some(drawn) = standing::picture(f, anchor, listing)
    {
        out.push_str(&drawn);
    }
    if let Some(help) = &f.help {
        let _ = writeln!(out, "<p class=\"help\"><b>help:</b> {}</p>", prose(help));
    }
    if let Some(repair) = &f.repair {
        out.push_str(&repaired(repair, listing, sources));
    }
    let places: Vec<&Span> = f.primary.iter().chain(&f.related).collect();
    out.push_str(&list("places", &places, class, listing));
    out.push_str(&list("launched from", &f.launched.iter().collect::<Vec<_>>(), class, listing));
    if !f.notes.is_empty() {
        let notes = items(f.notes.iter().map(|note| prose(note)));
        let _ = writeln!(out, "<ul class=\"notes\">\n{notes}</ul>");
    }
    out.push_str(&facts(f, command));
    out.push_str("</article>\n");
    out
}

/// Places with what happened there.
fn list(head: &str, places: &[&Span], class: &str, listing: &Listing) -> String {
    if places.is_empty() {
        return String::new();
    }
    let mut out = format!("<p class=\"head\">{head}</p>\n<ol class=\"places\">\n");
    for span in places {
        let kind = if is_call(span) { " class=\"call\"" } else { "" };
        let said = prose(&span.label);
        let _ = write!(out, "<li{kind}>{} <span class=\"label\">{said}</span>", listing.link(span));
        let class = if is_call(span) { "quiet" } else { class };
        if let Some(code) = listing.code(span, class) {
            let _ = write!(out, "<code class=\"quote\">{code}</code>");
        }
        out.push_str("</li>\n");
    }
    out + "</ol>\n"
}

/// What else is known, by name.
fn facts(f: &Finding, command: &str) -> String {
    let mut rows: Vec<(&str, String)> = Vec::new();
    rows.extend(human::context(f).map(|text| ("where", prose(&text))));
    if !f.threads.is_empty() {
        let names: Vec<String> = f.threads.iter().map(|t| escaped(&f.dims.thread_of(*t))).collect();
        rows.push((if names.len() == 1 { "thread" } else { "threads" }, names.join(", ")));
    }
    let sure = human::certainty(f).map_or_else(|| format!("{}, by {}", f.certainty, by(f)), str::to_owned);
    rows.push(("how sure", prose(&sure)));
    rows.extend(human::schedule(f).map(|text| ("schedule", prose(&text))));
    let shown = reproduce(command, f);
    if !shown.is_empty() {
        rows.push(("shown by", format!("<code>{}</code>", escaped(&shown))));
    }
    rows.push(("the kind", format!("<code>cudair explain {}</code>", f.kind)));
    let row = |(name, text): &(&str, String)| format!("<dt>{name}</dt><dd>{text}</dd>\n");
    format!("<dl>\n{}</dl>\n", rows.iter().map(row).collect::<String>())
}

fn by(f: &Finding) -> &'static str {
    match f.origin {
        cudair_ir::Origin::Static => "analysis",
        cudair_ir::Origin::Dynamic => "the run",
        cudair_ir::Origin::Both => "analysis and the run",
    }
}

/// A change that was tried, as a difference of texts.
fn repaired(repair: &Repair, listing: &Listing, sources: &mut Sources) -> String {
    let by: Vec<&str> = repair
        .verified_by
        .iter()
        .map(|t| match t {
            Trial::Analysis => "the analyses of the changed program",
            Trial::Run => "a run of the changed program",
        })
        .collect();
    let tried = match by[..] {
        [] => String::new(),
        _ => format!(" (tried with {})", by.join(" and ")),
    };
    let mut out = format!("<figure class=\"repair\"><figcaption>mends it{tried}:</figcaption>\n");
    for edit in &repair.edits {
        let _ = writeln!(out, "<p>{}</p>\n{}", listing.link(&place(edit)), difference(edit, sources));
    }
    out + "</figure>\n"
}

/// What a change takes away and puts there, whole lines with those around them.
fn difference(edit: &Edit, sources: &mut Sources) -> String {
    let text = sources.text(&edit.file);
    let lines: Vec<&str> = text.as_deref().map(|t| t.lines().collect()).unwrap_or_default();
    let Some((old, new)) = changed(edit, &lines) else {
        return format!("<pre class=\"diff\"><ins>+ {}</ins></pre>", escaped(&edit.text));
    };
    let first = edit.start.line as usize - 1;
    // Lines that stay, at the start and at the end.
    let front = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let most = old.len().min(new.len()) - front;
    let back = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let (gone, put) = (&old[front..old.len() - back], &new[front..new.len() - back]);
    let at = first + front;
    let before = lines[at.saturating_sub(AROUND)..at].iter().map(|l| format!("  {}\n", escaped(l)));
    let after = at + gone.len();
    let behind =
        lines[after..(after + AROUND).min(lines.len())].iter().map(|l| format!("  {}\n", escaped(l)));
    let gone = gone.iter().map(|l| format!("<del>- {}\n</del>", escaped(l)));
    let put = put.iter().map(|l| format!("<ins>+ {}\n</ins>", escaped(l)));
    format!("<pre class=\"diff\">{}</pre>", before.chain(gone).chain(put).chain(behind).collect::<String>())
}

/// The lines that a change concerns, before and after it, if the text has them.
fn changed(edit: &Edit, lines: &[&str]) -> Option<(Vec<String>, Vec<String>)> {
    let (from, to) = (edit.start.line.checked_sub(1)? as usize, edit.end.line.checked_sub(1)? as usize);
    let old: Vec<String> = lines.get(from..=to)?.iter().map(|&l| l.to_owned()).collect();
    let front: String = lines.get(from)?.chars().take(edit.start.col.saturating_sub(1) as usize).collect();
    let behind: String = lines.get(to)?.chars().skip(edit.end.col.saturating_sub(1) as usize).collect();
    let new = format!("{front}{}{behind}", edit.text).lines().map(str::to_owned).collect();
    Some((old, new))
}

/// How a diagnostic is numbered.
pub fn owner(d: &Diagnostic, n: usize) -> Owner {
    let anchor = format!("d{}", n + 1);
    Owner { number: anchor.clone(), anchor, name: d.class.name().to_owned(), class: class(d.class) }
}

/// A diagnostic.
pub fn diagnostic(d: &Diagnostic, owner: &Owner, listing: &Listing) -> String {
    let Owner { anchor, number, class, .. } = owner;
    let mut out = format!(
        "<article class=\"finding {class}\" id=\"{anchor}\">\n<h3><a class=\"badge {class}\" href=\"#{anchor}\">{number}</a> \
         <span class=\"severity {class}\">{}</span></h3>\n<p class=\"message\">{}</p>\n",
        human::head(d.class),
        prose(&d.message)
    );
    if let Some(help) = &d.help {
        let _ = writeln!(out, "<p class=\"help\"><b>help:</b> {}</p>", prose(help));
    }
    let places: Vec<&Span> = d.primary.iter().chain(&d.related).collect();
    out.push_str(&list("places", &places, class, listing));
    if let Some(aside) = human::aside(d.class) {
        let _ = writeln!(out, "<ul class=\"notes\">\n<li>{}</li>\n</ul>", prose(&aside));
    }
    out + "</article>\n"
}

/// The others of a group, folded where they are many.
pub fn others(
    text: &str,
    all: &[Numbered<'_>],
    command: &str,
    listing: &Listing,
    sources: &mut Sources,
) -> String {
    const OPEN: usize = 2;
    let open = if all.len() <= OPEN { " open=\"open\"" } else { "" };
    let members: String = all.iter().map(|n| finding(n, 4, command, listing, sources)).collect();
    format!("<details class=\"others\"{open}><summary>{}</summary>\n{members}</details>\n", prose(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cudair_ir::Pos;

    fn edit(start: (u32, u32), end: (u32, u32), text: &str) -> Edit {
        let pos = |(line, col)| Pos { line, col };
        Edit { file: "k.cu".to_owned(), start: pos(start), end: pos(end), text: text.to_owned() }
    }

    fn shown(edit: &Edit) -> String {
        let mut sources = Sources::default();
        sources.insert("k.cu", "a;\n  b;\nc < d;\n");
        difference(edit, &mut sources)
    }

    #[test]
    fn a_change_is_shown_with_the_lines_around_it() {
        // A line that is put in, at the end of one or at the start of one.
        let put = "<pre class=\"diff\">  a;\n<ins>+   x;\n</ins>    b;\n</pre>";
        assert_eq!(shown(&edit((1, 3), (1, 3), "\n  x;")), put);
        assert_eq!(shown(&edit((2, 1), (2, 1), "  x;\n")), put);
        assert_eq!(
            shown(&edit((2, 3), (3, 2), "e")),
            "<pre class=\"diff\">  a;\n<del>-   b;\n</del><del>- c &lt; d;\n</del><ins>+   e &lt; d;\n</ins></pre>"
        );
        // A text that is not at hand.
        let mut other = edit((1, 1), (1, 1), "a<b");
        other.file = "gone.cu".to_owned();
        assert_eq!(shown(&other), "<pre class=\"diff\"><ins>+ a&lt;b</ins></pre>");
    }
}
