//! Lines too long for a screen: only what lies around the labels is drawn.

use super::Sources;
use cudair_ir::Span;
use std::sync::Arc;

/// When lines are cut, and to what.
#[derive(Clone, Copy)]
struct Limits {
    /// Lines of more columns than this.
    long: usize,
    /// Columns kept to either side of the labels.
    around: usize,
    /// Columns kept at most.
    kept: usize,
}

/// Columns beside a line: its number, bars, and those that join several lines.
const BESIDE: usize = 12;

impl Limits {
    /// For a terminal of some columns, or for what is none.
    fn of(width: Option<usize>) -> Limits {
        match width {
            Some(width) if width < 200 + BESIDE => {
                let room = width.saturating_sub(BESIDE).max(20);
                Limits { long: room, around: room / 4, kept: room - 2 }
            }
            _ => Limits { long: 200, around: 40, kept: 160 },
        }
    }
}

/// A line that was cut: of its columns, counted from 0, `from..to` are kept.
struct Cut {
    file: String,
    line: u32,
    from: usize,
    to: usize,
}

impl Cut {
    /// Where a column, from 1, stands in the line as it is drawn.
    fn column(&self, col: u32) -> u32 {
        let at = (col.saturating_sub(1) as usize).clamp(self.from, self.to);
        (at - self.from + usize::from(self.from > 0) + 1) as u32
    }
}

/// Sources with their long lines cut, and how to tell places in them.
pub(super) struct Narrowed {
    /// The texts as they are to be drawn.
    pub sources: Sources,
    cuts: Vec<Cut>,
}

impl Narrowed {
    /// The sources for these places; `None` where no line is too long.
    pub fn new(spans: &[&Span], sources: &mut Sources, width: Option<usize>) -> Option<Narrowed> {
        let Limits { long, around, kept } = Limits::of(width);
        let mut cuts: Vec<Cut> = Vec::new();
        for span in spans {
            let Some(text) = sources.text(&span.file) else { continue };
            for line in [span.start.line, span.end.line] {
                let known = cuts.iter().any(|c| c.file == span.file && c.line == line);
                let length = line.checked_sub(1).and_then(|n| text.lines().nth(n as usize));
                // A line that the file does not have needs no cut.
                let length = length.map_or(0, |l| l.chars().count());
                if known || length <= long {
                    continue;
                }
                let (mut first, mut last) = (length, 0);
                for s in spans.iter().filter(|s| s.file == span.file) {
                    for (at, col) in [(s.start.line, s.start.col), (s.end.line, s.end.col)] {
                        if at == line {
                            first = first.min(col.saturating_sub(1) as usize);
                            last = last.max(col.saturating_sub(1) as usize);
                        }
                    }
                }
                // Labels too far apart: the first place's is kept.
                if last.saturating_sub(first) > kept
                    && let Some(main) = spans.first().filter(|s| s.file == span.file && s.start.line == line)
                {
                    first = main.start.col.saturating_sub(1) as usize;
                }
                let mut from = first.saturating_sub(around);
                let mut to = last.saturating_add(around).min(from + kept).min(length);
                if width.is_some() {
                    // All of the room is used, and the labels' ends are seen.
                    from = from.max((last + 1).saturating_sub(kept)).min(first);
                    to = (from + kept).min(length);
                    from = from.min(to.saturating_sub(kept));
                }
                cuts.push(Cut { file: span.file.clone(), line, from, to: to.max(from) });
            }
        }
        if cuts.is_empty() {
            return None;
        }
        let mut narrowed = sources.clone();
        for cut in &cuts {
            let Some(text) = narrowed.text(&cut.file) else { continue };
            let lines = text.split('\n').enumerate().map(|(n, line)| {
                if n + 1 != cut.line as usize {
                    return line.to_owned();
                }
                let kept: String = line.chars().skip(cut.from).take(cut.to - cut.from).collect();
                let front = if cut.from > 0 { "…" } else { "" };
                let back = if line.chars().nth(cut.to).is_some() { "…" } else { "" };
                format!("{front}{kept}{back}")
            });
            let text: Vec<String> = lines.collect();
            narrowed.texts.insert(cut.file.clone(), Some(Arc::from(text.join("\n"))));
        }
        Some(Narrowed { sources: narrowed, cuts })
    }

    fn cut(&self, span: &Span, line: u32) -> Option<&Cut> {
        self.cuts.iter().find(|c| c.file == span.file && c.line == line)
    }

    /// A place in the texts as they are drawn.
    pub fn place(&self, span: &Span) -> Span {
        let mut span = span.clone();
        if let Some(cut) = self.cut(&span, span.start.line) {
            span.start.col = cut.column(span.start.col);
        }
        if let Some(cut) = self.cut(&span, span.end.line) {
            span.end.col = cut.column(span.end.col);
        }
        span
    }

    /// Puts the true columns into the heads of excerpts.
    pub fn name_columns(&self, drawing: &str, spans: &[&Span]) -> String {
        let mut out = String::new();
        for line in drawing.lines() {
            let mut line = line.to_owned();
            if line.contains(['╭', '├']) {
                for span in spans {
                    let drawn = self.place(span);
                    // With colours, escape sequences stand between the brackets and this.
                    let head = |col: u32| format!(" {}:{}:{col} ", span.file, span.start.line);
                    if drawn.start.col != span.start.col && line.contains(&head(drawn.start.col)) {
                        line = line.replace(&head(drawn.start.col), &head(span.start.col));
                        break;
                    }
                }
            }
            out.push_str(&line);
            out.push('\n');
        }
        out
    }
}
