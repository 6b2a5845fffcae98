//! For people: the source with labels, drawn by ariadne, and around it what a label cannot say.
//!
//! A finding is a header (`error[shared-race]: …`), the source lines with every place labelled, help, and
//! notes: threads, further facts, where it happened. Labels of one file stand in one excerpt, in the order
//! of their lines; files other than that of the main place follow. Where the source is not at hand the
//! places are listed instead. Text is wrapped for a terminal of 80 columns; labels are short by convention.

use super::look::Look;
use super::narrow::Narrowed;
use super::{Correction, Report, Sources, fit};
use ariadne::{Color, Config, IndexType, Label, ReportKind, Source};
use cudair_ir::{Certainty, Diagnostic, DiagnosticClass, Finding, Origin, Severity, Span, ThreadCoord};
use std::fmt::Write;
use std::ops::Range;

/// Columns that the drawing puts in front of help and notes.
const FRONT: usize = 8;
/// Threads that are named.
const MAX_THREADS: usize = 4;

/// The whole report, with a line of counts at its end.
pub fn render(report: &Report, sources: &mut Sources, look: Look) -> String {
    let mut out = String::new();
    for (f, more) in report.written() {
        out.push_str(&finding(f, more, sources, look));
        out.push('\n');
    }
    let corrected = corrected(report, look);
    if !corrected.is_empty() {
        out.push_str(&corrected);
        out.push('\n');
    }
    for (i, d) in report.diagnostics.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        out.push_str(&diagnostic(d, sources, look));
    }
    if !report.verdicts.is_empty() && !out.is_empty() {
        out.push('\n');
    }
    let verdicts = look.width.map_or(80, |_| look.columns() - 4);
    for v in &report.verdicts {
        let _ = writeln!(out, "{}", wrap(&super::verdict(v), verdicts).replace('\n', "\n    "));
    }
    let counts = counts(report);
    if !counts.is_empty() && !report.diagnostics.is_empty() {
        out.push('\n');
    }
    // Whole words of a line that is wrapped stay, as elsewhere it is one line.
    let end = end_with(&counts, report);
    match look.width {
        Some(width) => {
            out + &end.lines().map(|l| wrap(l, width - 4).replace('\n', "\n    ") + "\n").collect::<String>()
        }
        None => out + &end,
    }
}

/// What of the findings that were shown while the program ran is not as it was shown.
fn corrected(report: &Report, look: Look) -> String {
    let mut out = String::new();
    for Correction { of, parts, help } in report.corrected(false) {
        if out.is_empty() {
            out.push_str("cudair: of what was shown while the program ran:\n");
        }
        let place = of.primary.as_ref().map(|p| format!("{}: ", super::short::at(p))).unwrap_or_default();
        let mut say = |indent: usize, text: &str| {
            let text = wrap(text, look.columns() - indent).replace('\n', &format!("\n{:1$}", "", indent + 2));
            let _ = writeln!(out, "{:indent$}{text}", "");
        };
        let said = if parts.is_empty() { "what helps".to_owned() } else { parts.join("; ") };
        say(2, &format!("{place}{}: {said}", of.kind));
        if let Some(help) = help {
            say(4, &format!("help: {help}"));
        }
    }
    out
}

/// The last lines: counts, and what was not looked at.
pub(super) fn end(report: &Report) -> String {
    end_with(&counts(report), report)
}

fn end_with(counts: &str, report: &Report) -> String {
    let mut out = String::new();
    if !counts.is_empty() {
        let _ = writeln!(out, "cudair: {counts}");
    }
    if let Some(unseen) = report.unseen() {
        let _ = writeln!(out, "cudair: not looked at: {unseen}");
    }
    out
}

fn counts(report: &Report) -> String {
    let (groups, left) = report.grouped();
    let of = |severity: Severity| groups.iter().filter(|g| g.shown.severity == severity).count();
    let mut parts = Vec::new();
    for (severity, name) in
        [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")]
    {
        match of(severity) {
            0 => {}
            1 => parts.push(format!("1 {name}")),
            n => parts.push(format!("{n} {name}s")),
        }
    }
    let more: usize = groups.iter().map(|g| g.others.len()).sum();
    if more > 0 {
        let cause =
            if groups.iter().filter(|g| !g.others.is_empty()).count() == 1 { "cause" } else { "causes" };
        parts.push(format!("{more} more of the same {cause} (--verbose)"));
    }
    parts.extend(report.left_out(left + report.left_out));
    parts.join(", ")
}

/// One finding, and what is said of those that it stands for.
pub fn finding(f: &Finding, more: Option<String>, sources: &mut Sources, look: Look) -> String {
    let (name, main) = match f.severity {
        Severity::Error => ("error", Color::Red),
        Severity::Warning => ("warning", Color::Yellow),
        Severity::Note => ("note", Color::Cyan),
    };
    let header = format!("{name}[{}]", f.kind);
    let related: Vec<Span> = f.further_places().cloned().collect();
    let drawing = Drawing {
        header: &header,
        message: &f.message,
        main,
        primary: f.primary.as_ref(),
        related: &related,
        help: f.help.as_deref(),
        notes: notes(f).into_iter().chain(more).collect(),
    };
    drawing.draw(sources, look)
}

/// What stands in front of a diagnostic.
pub(super) fn head(class: DiagnosticClass) -> &'static str {
    match class {
        DiagnosticClass::Usage | DiagnosticClass::Parse => "error",
        DiagnosticClass::Unsupported => "error[unsupported]",
        DiagnosticClass::Limit => "error[limit]",
        DiagnosticClass::Internal => "internal error",
        DiagnosticClass::Note => "note",
        DiagnosticClass::Warning => "warning",
    }
}

/// What is said of a diagnostic beside its own words.
pub(super) fn aside(class: DiagnosticClass) -> Option<String> {
    (class == DiagnosticClass::Internal).then(|| {
        format!(
            "this is a defect of cudair, not of your program; please report it at {}",
            env!("CARGO_PKG_REPOSITORY")
        )
    })
}

/// One diagnostic.
pub fn diagnostic(d: &Diagnostic, sources: &mut Sources, look: Look) -> String {
    let drawing = Drawing {
        header: head(d.class),
        message: &d.message,
        main: Color::Red,
        primary: d.primary.as_ref(),
        related: &d.related,
        help: d.help.as_deref(),
        notes: aside(d.class).into_iter().collect(),
    };
    drawing.draw(sources, look)
}

/// What is known beyond the places, a line each.
fn notes(f: &Finding) -> Vec<String> {
    let mut out = Vec::new();
    out.extend(threads(f));
    out.extend(f.notes.iter().cloned());
    out.extend(context(f));
    out.extend(certainty(f).map(str::to_owned));
    out.extend(schedule(f));
    out
}

/// Where in the run it happened, and how often.
pub(super) fn context(f: &Finding) -> Option<String> {
    let mut context = String::new();
    if let Some(kernel) = &f.kernel {
        let _ = write!(context, "in kernel `{kernel}`");
        if let Some(launch) = f.launch {
            let _ = write!(context, ", launch {launch} of the run");
        }
        if let Some(shape) = f.dims.in_words().filter(|_| f.launch.is_some()) {
            let _ = write!(context, ", {shape}");
        }
    }
    if f.count > 1 {
        let separator = if context.is_empty() { "" } else { "; " };
        let _ = write!(context, "{separator}it happened {} times", f.count);
    }
    (!context.is_empty()).then_some(context)
}

/// How sure it is, where that is not what one expects.
pub fn certainty(f: &Finding) -> Option<&'static str> {
    match (f.certainty, f.origin) {
        (Certainty::Possible, _) => Some("possible: it could be neither excluded nor shown to happen"),
        (Certainty::Definite, Origin::Both) => Some("found by analysis and by the run"),
        (Certainty::Definite, Origin::Static | Origin::Dynamic) => None,
    }
}

/// Whether it hangs on the schedule. Where a barrier is missing, that is said. Whether this run shows it is no matter.
pub fn schedule(f: &Finding) -> Option<String> {
    match (f.schedule_dependent && f.unordered.is_none(), f.seed) {
        (true, Some(seed)) => Some(format!("another schedule may not show it; `--seed {seed}` does")),
        (true, None) => Some("another schedule may not show it (--seed)".to_owned()),
        (false, _) => None,
    }
}

/// The threads concerned, those of one block together, unless the message or the main label names them.
fn threads(f: &Finding) -> Option<String> {
    let first = f.threads.first()?;
    let one_block = f.threads.iter().all(|t| t.block == first.block);
    let name = |t: &ThreadCoord| if one_block { f.dims.thread(t.thread) } else { f.dims.thread_of(*t) };
    let mut names: Vec<String> = f.threads.iter().take(MAX_THREADS).map(name).collect();
    if f.threads.len() > MAX_THREADS {
        names.push(format!("{} more", f.threads.len() - MAX_THREADS));
    }
    let last = names.pop()?;
    let list = if names.is_empty() { last } else { format!("{} and {last}", names.join(", ")) };
    let how = if f.threads.len() == 2 { "between" } else { "by" };
    let who = if one_block {
        let plural = if f.threads.len() > 1 { "s" } else { "" };
        format!("thread{plural} {list} of block {}", f.dims.block(first.block))
    } else {
        list
    };
    let label = f.primary.as_ref().map_or("", |p| &p.label);
    (!f.message.contains(&who) && !label.contains(&who)).then(|| format!("{how} {who}"))
}

/// What is drawn.
struct Drawing<'a> {
    header: &'a str,
    message: &'a str,
    main: Color,
    primary: Option<&'a Span>,
    related: &'a [Span],
    help: Option<&'a str>,
    notes: Vec<String>,
}

type Place = (String, Range<usize>);

impl Drawing<'_> {
    fn draw(&self, sources: &mut Sources, look: Look) -> String {
        let spans: Vec<&Span> = self.primary.into_iter().chain(self.related).collect();
        if let Some(mut narrowed) = Narrowed::new(&spans, sources, look.width) {
            let primary = self.primary.map(|p| narrowed.place(p));
            let related: Vec<Span> = self.related.iter().map(|r| narrowed.place(r)).collect();
            let drawing =
                Drawing { primary: primary.as_ref(), related: &related, notes: self.notes.clone(), ..*self };
            let drawn = drawing.draw_lines(&mut narrowed.sources, look);
            return narrowed.name_columns(&drawn, &spans);
        }
        self.draw_lines(sources, look)
    }

    fn draw_lines(&self, sources: &mut Sources, look: Look) -> String {
        match self.primary.and_then(|p| Some((p, find(p, sources)?))) {
            Some((primary, place)) => self.excerpt(primary, place, sources, look),
            None => self.list(look),
        }
    }

    fn excerpt(&self, primary: &Span, place: Place, sources: &mut Sources, look: Look) -> String {
        // Labels of one file together, that of the main place first; lines in order.
        let mut spans: Vec<(&Span, Place, bool)> = vec![(primary, place.clone(), true)];
        let mut missing: Vec<&Span> = Vec::new();
        for span in self.related {
            match find(span, sources) {
                Some(p) => spans.push((span, p, false)),
                None => missing.push(span),
            }
        }
        let mut files: Vec<&str> = Vec::new();
        for (span, ..) in &spans {
            if !files.contains(&span.file.as_str()) {
                files.push(&span.file);
            }
        }
        let rank = |file: &str| files.iter().position(|f| *f == file);
        spans.sort_by_key(|(span, place, _)| (rank(&span.file), span.end.line, place.1.start));
        let config = Config::default().with_color(look.colour).with_index_type(IndexType::Char);
        let mut builder = ariadne::Report::build(ReportKind::Custom(self.header, self.main), place)
            .with_config(config)
            .with_message(self.headline(look));
        for (order, (span, place, is_primary)) in spans.iter().enumerate() {
            let color = if *is_primary { self.main } else { Color::Cyan };
            let mut label = Label::new(place.clone()).with_color(color).with_order(order as i32);
            // ariadne draws no label without a message.
            label = label.with_message(if span.label.is_empty() { "here" } else { &span.label });
            builder = builder.with_label(label.with_priority(i32::from(*is_primary)));
        }
        if let Some(help) = self.help {
            builder = builder.with_help(wrap(help, look.columns() - FRONT - 6));
        }
        let mut notes = self.notes.clone();
        for span in missing {
            notes.push(format!("{}:{}:{}: {}", span.file, span.start.line, span.start.col, span.label));
        }
        if !notes.is_empty() {
            let indented = |n: &String| wrap(n, look.columns() - FRONT - 8).replace('\n', "\n  ");
            let lines: Vec<String> = notes.iter().map(indented).collect();
            builder = builder.with_note(lines.join("\n"));
        }
        let mut cache = Cache { sources, parsed: Vec::new() };
        let mut bytes = Vec::new();
        if builder.finish().write(&mut cache, &mut bytes).is_err() {
            return self.list(look);
        }
        let mut out = String::new();
        for line in String::from_utf8_lossy(&bytes).lines() {
            // The colour of a kind of one's own ignores the configuration.
            let plain = if look.colour { line.to_owned() } else { without_escapes(line) };
            out.push_str(plain.trim_end());
            out.push('\n');
        }
        match look.width {
            Some(width) => fit::labels(&out, width),
            None => out,
        }
    }

    /// The message, broken where the terminal ends.
    fn headline(&self, look: Look) -> String {
        let Some(width) = look.width else { return self.message.to_owned() };
        let head = self.header.replace(' ', "_") + ": ";
        let wrapped = wrap(&(head.clone() + self.message), width - 4).replace('\n', "\n    ");
        wrapped[head.len()..].to_owned()
    }

    /// Without source: the places one below the other.
    fn list(&self, look: Look) -> String {
        let mut out = String::new();
        if look.colour {
            let code = if self.main == Color::Red { 31 } else { 33 };
            let _ = writeln!(out, "\u{1b}[{code}m{}:\u{1b}[0m {}", self.header, self.headline(look));
        } else {
            let _ = writeln!(out, "{}: {}", self.header, self.headline(look));
        }
        for span in self.primary.into_iter().chain(self.related) {
            let mut place = format!("  --> {}", span.file);
            if span.start.line > 0 {
                let _ = write!(place, ":{}:{}", span.start.line, span.start.col);
            }
            if !span.label.is_empty() {
                let _ = write!(place, ": {}", span.label);
            }
            if let Some(width) = look.width {
                place = format!("  {}", wrap(&place[2..], width - 6).replace('\n', "\n      "));
            }
            let _ = writeln!(out, "{place}");
        }
        let mut say = |head: &str, text: &str| {
            let indent = head.len() + 4;
            let text = wrap(text, look.columns() - indent).replace('\n', &format!("\n{:indent$}", ""));
            let _ = writeln!(out, "  {head}: {text}");
        };
        if let Some(help) = self.help {
            say("help", help);
        }
        for note in &self.notes {
            say("note", note);
        }
        out
    }
}

/// The place as a range of characters, if its source is at hand and has it.
fn find(span: &Span, sources: &mut Sources) -> Option<Place> {
    let text = sources.text(&span.file)?;
    Some((span.file.clone(), offsets(&Source::from(text.as_ref()), span)?))
}

/// The range of a span in characters; `None` where the source does not have it.
fn offsets(source: &Source<&str>, span: &Span) -> Option<Range<usize>> {
    let at = |line: u32, col: u32| {
        let line = source.line(line.checked_sub(1)? as usize)?;
        Some(line.offset() + (col.saturating_sub(1) as usize).min(line.len()))
    };
    let start = at(span.start.line, span.start.col)?;
    let end = at(span.end.line, span.end.col).unwrap_or(start).max(start);
    // An empty range is drawn as its first character.
    Some(start..end.max(start + 1).min(source.len().max(start)))
}

/// ariadne's view of the sources.
struct Cache<'a> {
    sources: &'a mut Sources,
    parsed: Vec<(String, Source<String>)>,
}

impl ariadne::Cache<String> for &mut Cache<'_> {
    type Storage = String;

    fn fetch(&mut self, id: &String) -> Result<&Source<String>, impl std::fmt::Debug> {
        if !self.parsed.iter().any(|(name, _)| name == id) {
            // A source that cannot be read is shown without its lines.
            let text = self.sources.text(id).map(|t| t.to_string()).unwrap_or_default();
            self.parsed.push((id.clone(), Source::from(text)));
        }
        self.parsed.iter().find(|(name, _)| name == id).map(|(_, s)| s).ok_or("no source")
    }

    fn display<'b>(&self, id: &'b String) -> Option<impl std::fmt::Display + 'b> {
        Some(id)
    }
}

/// The text without colours: `ESC [ … m`.
pub(super) fn without_escapes(line: &str) -> String {
    let mut parts = line.split("\u{1b}[");
    let mut out = parts.next().unwrap_or("").to_owned();
    for part in parts {
        out.push_str(part.split_once('m').map_or(part, |(_, rest)| rest));
    }
    out
}

/// Breaks lines at spaces.
pub fn wrap(text: &str, width: usize) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in text.split(' ') {
        let len = word.chars().count();
        if column > 0 && column + 1 + len > width {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column = match word.rsplit_once('\n') {
            Some((_, tail)) => tail.chars().count(),
            None => column + len,
        };
    }
    out
}
