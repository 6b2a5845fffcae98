//! The sources that the page names, with a mark at each line of a finding.
//!
//! Far from marks a file is folded. Of a header, which may be anybody's, and of a file that is very long, the folded part
//! is left out, and the page says so.

use super::text::{counted, escaped, prose};
use crate::render::{Sources, is_call, short};
use cudair_ir::{Pos, Span};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// Lines that are shown before and after one with a mark.
const CONTEXT: usize = 8;
/// So many lines in a row are folded; fewer are shown.
const FOLDED: usize = 6;
/// A file of more lines is shown around its marks alone.
const LONG: usize = 10_000;
/// Numbers of findings in the margin of a line; what is said below it has all of them.
const MARGIN: usize = 4;
/// Characters of a line that are quoted at a finding.
const QUOTED: usize = 240;
/// Characters of a line that are shown.
const WIDE: usize = 2000;
/// Endings of files that are included.
const HEADERS: [&str; 8] = ["h", "hh", "hpp", "hxx", "cuh", "inl", "inc", "ipp"];

/// What a place belongs to: a finding or a diagnostic.
#[derive(Clone, Debug)]
pub struct Owner {
    /// Its anchor in the page.
    pub anchor: String,
    /// Its number, as a reader sees it.
    pub number: String,
    /// Its kind.
    pub name: String,
    /// The class of its colours.
    pub class: &'static str,
}

/// What is said at a line, and of what.
struct Mark {
    owner: Owner,
    main: bool,
    /// The class of its colours: the way to a place is no fault.
    class: &'static str,
    label: String,
    from: Pos,
    to: Pos,
}

struct File {
    path: String,
    text: Option<Arc<str>>,
    marks: BTreeMap<u32, Vec<Mark>>,
    /// How hot lines are, from 1 to 5.
    heat: BTreeMap<u32, u8>,
}

impl File {
    fn lines(&self) -> Vec<&str> {
        self.text.as_deref().map(|text| text.lines().collect()).unwrap_or_default()
    }

    fn is_header(&self) -> bool {
        match self.path.rsplit('/').next().and_then(|name| name.rsplit_once('.')) {
            Some((_, ending)) => HEADERS.contains(&ending),
            None => true,
        }
    }
}

/// See the module's documentation.
#[derive(Default)]
pub struct Listing {
    files: Vec<File>,
}

impl Listing {
    /// Puts a place into the listing, for a verdict without a mark.
    pub fn name(&mut self, span: &Span, sources: &mut Sources) {
        let file = self.file(&span.file, sources);
        file.marks.entry(span.start.line).or_default();
    }

    /// Marks a place.
    pub fn mark(&mut self, span: &Span, owner: &Owner, main: bool, sources: &mut Sources) {
        let mark = Mark {
            owner: owner.clone(),
            main,
            class: if is_call(span) { "quiet" } else { owner.class },
            label: span.label.clone(),
            from: span.start,
            to: span.end,
        };
        let marks = self.file(&span.file, sources).marks.entry(span.start.line).or_default();
        marks.push(mark);
    }

    /// Says how hot a line is, from 1 to 5; the hottest counts.
    pub fn heat(&mut self, span: &Span, level: u8, sources: &mut Sources) {
        let known = self.file(&span.file, sources).heat.entry(span.start.line).or_default();
        *known = level.max(*known);
    }

    fn file(&mut self, path: &str, sources: &mut Sources) -> &mut File {
        let at = match self.files.iter().position(|f| f.path == path) {
            Some(at) => at,
            None => {
                let text = sources.text(path);
                self.files.push(File {
                    path: path.to_owned(),
                    text,
                    marks: BTreeMap::new(),
                    heat: BTreeMap::new(),
                });
                self.files.len() - 1
            }
        };
        &mut self.files[at]
    }

    fn find(&self, span: &Span) -> Option<(usize, &File)> {
        self.files.iter().enumerate().find(|(_, f)| f.path == span.file)
    }

    /// The text of the line at which a place begins.
    pub fn line(&self, span: &Span) -> Option<&str> {
        let text = self.find(span)?.1.text.as_deref()?;
        text.lines().nth(span.start.line.checked_sub(1)? as usize)
    }

    /// The anchor of the line at which a place begins, if the page has it.
    pub fn anchor(&self, span: &Span) -> Option<String> {
        let (n, file) = self.find(span)?;
        let marks = file.marks.get(&span.start.line)?;
        // What is said of a line that the text does not have stands below the text.
        let there = self.line(span).is_some() || !marks.is_empty();
        there.then(|| anchor(n, span.start.line))
    }

    /// A place by its name, as a link where the page has its line.
    pub fn link(&self, span: &Span) -> String {
        let (name, whole) = (escaped(&self.at(span)), escaped(&short::at(span)));
        match self.anchor(span) {
            Some(anchor) => format!("<a class=\"at\" href=\"#{anchor}\" title=\"{whole}\">{name}</a>"),
            None => format!("<span class=\"at\" title=\"{whole}\">{name}</span>"),
        }
    }

    /// `file:line:col`, with as much of the file's path as tells it from the other files of the page.
    pub fn at(&self, span: &Span) -> String {
        let file = self.short(&span.file).to_owned();
        short::at(&Span { file, ..span.clone() })
    }

    /// The end of a path that no other file of the page has.
    fn short<'p>(&self, path: &'p str) -> &'p str {
        let cuts = path.rmatch_indices('/').map(|(at, _)| at);
        let alone = |end: &str| {
            let ends = |f: &&File| f.path == end || f.path.ends_with(&format!("/{end}"));
            self.files.iter().filter(ends).count() <= 1
        };
        cuts.map(|at| &path[at + 1..]).find(|end| !end.is_empty() && alone(end)).unwrap_or(path)
    }

    /// The line of a place without what indents it, with the place marked; of a long line what is around it.
    pub fn code(&self, span: &Span, class: &str) -> Option<String> {
        let line = self.line(span)?;
        let (from, to) = columns(line, span.start, span.end);
        let all: Vec<char> = line.trim_end().chars().collect();
        let indent = all.iter().take_while(|c| c.is_whitespace()).count();
        let (first, last) = if all.len() - indent <= QUOTED {
            (indent, all.len())
        } else {
            // A range that is long itself is cut, too.
            let first = from.saturating_sub(QUOTED / 4).max(indent).min(all.len());
            (first, (to + QUOTED / 4).min(first + QUOTED).min(all.len()))
        };
        let shown: String = all[first..last].iter().collect();
        let range = (from.saturating_sub(first), to.saturating_sub(first));
        let [front, back] = [first > indent, last < all.len()].map(|cut| if cut { "…" } else { "" });
        Some(format!("{front}{}{back}", marked(&shown, &[(range, class)])))
    }

    /// Whether there is nothing to list.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The files' anchors and paths.
    pub fn contents(&self) -> impl Iterator<Item = (String, &str)> {
        self.files.iter().enumerate().map(|(n, f)| (format!("src{}", n + 1), f.path.as_str()))
    }

    /// The sections of all files.
    pub fn render(&self) -> String {
        self.files.iter().enumerate().map(|(n, f)| section(n, f)).collect()
    }
}

fn anchor(file: usize, line: u32) -> String {
    format!("src{}-{line}", file + 1)
}

/// The columns of a place in the line at which it begins, from 0 and without the last.
fn columns(line: &str, from: Pos, to: Pos) -> (usize, usize) {
    let len = line.chars().count();
    let start = (from.col.saturating_sub(1) as usize).min(len);
    let end = if to.line > from.line { len } else { (to.col.saturating_sub(1) as usize).min(len) };
    // An empty range is drawn as its first character.
    (start, end.max((start + 1).min(len)))
}

/// A line with parts that are marked; of two at one place the first counts.
fn marked(line: &str, ranges: &[((usize, usize), &str)]) -> String {
    let class = |at: usize| ranges.iter().find(|((from, to), _)| (*from..*to).contains(&at)).map(|r| r.1);
    let mut out = String::new();
    let mut part = String::new();
    let mut known: Option<&str> = None;
    let close = |part: &mut String, known: Option<&str>, out: &mut String| {
        if !part.is_empty() {
            let text = escaped(part);
            match known {
                Some(class) => out.push_str(&format!("<mark class=\"{class}\">{text}</mark>")),
                None => out.push_str(&text),
            }
            part.clear();
        }
    };
    for (at, c) in line.chars().enumerate() {
        if class(at) != known {
            close(&mut part, known, &mut out);
            known = class(at);
        }
        part.push(c);
    }
    close(&mut part, known, &mut out);
    out
}

fn section(n: usize, file: &File) -> String {
    let path = escaped(&file.path);
    let mut out = format!("<section class=\"file\" id=\"src{}\">\n<h3><code>{path}</code></h3>\n", n + 1);
    let lines = file.lines();
    if file.text.is_none() {
        out.push_str("<p class=\"gap\">The text of this file is not at hand.</p>\n");
    }
    let beyond = |line: u32| line == 0 || line as usize > lines.len();
    let shown: Vec<usize> = file.marks.keys().filter(|l| !beyond(**l)).map(|l| *l as usize).collect();
    let excerpt = file.is_header() || lines.len() > LONG;
    if !lines.is_empty() {
        out.push_str("<div class=\"listing\">\n");
        for (from, to, folded) in stretches(lines.len(), &shown) {
            let all: String = (from..=to).map(|at| line(n, file, at, lines[at - 1])).collect();
            let name = if from == to { format!("line {from}") } else { format!("lines {from} to {to}") };
            out.push_str(&match (folded, excerpt) {
                (false, _) => all,
                (true, false) => {
                    format!("<details class=\"fold\"><summary>{name}</summary>\n{all}</details>\n")
                }
                (true, true) => format!("<p class=\"gap\">{name}: not shown</p>\n"),
            });
        }
        out.push_str("</div>\n");
    }
    for (line, marks) in file.marks.iter().filter(|(line, marks)| beyond(**line) && !marks.is_empty()) {
        let name = match (line, &file.text) {
            (0, _) => "without a line".to_owned(),
            (line, None) => format!("line {line}"),
            (line, Some(_)) => format!("line {line}, which the text does not have"),
        };
        let id = anchor(n, *line);
        let _ = write!(out, "<p class=\"gap\" id=\"{id}\">{name}:</p>\n{}", said(marks, false));
    }
    out.push_str("</section>\n");
    out
}

/// The lines of a file in stretches, from and to, and whether each is folded.
fn stretches(len: usize, shown: &[usize]) -> Vec<(usize, usize, bool)> {
    let mut out: Vec<(usize, usize, bool)> = Vec::new();
    let mut next = 1;
    for &at in shown {
        let (from, to) = (at.saturating_sub(CONTEXT).max(next), (at + CONTEXT).min(len));
        if to < next {
            continue;
        }
        match from - next {
            0 => {}
            gap => out.push((next, from - 1, gap >= FOLDED)),
        }
        out.push((from, to, false));
        next = to + 1;
    }
    if next <= len {
        out.push((next, len, len + 1 - next >= FOLDED));
    }
    out
}

fn line(n: usize, file: &File, at: usize, text: &str) -> String {
    let number = at as u32;
    let cut: String = text.chars().take(WIDE).collect();
    let more = text.chars().count().saturating_sub(WIDE);
    let Some(marks) = file.marks.get(&number) else {
        return row("", "", "", at, &(escaped(&cut) + &rest(more)));
    };
    // Where two meet, the worse of the main places stands in front.
    let mut order: Vec<&Mark> = marks.iter().collect();
    order.sort_by_key(|m| (rank(m.class), !m.main));
    let ranges: Vec<((usize, usize), &str)> =
        order.iter().map(|m| (columns(&cut, m.from, m.to), m.class)).collect();
    let id = format!(" id=\"{}\"", anchor(n, number));
    let mut owners: Vec<&Owner> = Vec::new();
    for Mark { owner, .. } in &order {
        if !owners.iter().any(|o| o.anchor == owner.anchor) {
            owners.push(owner);
        }
    }
    let mut margin: String = owners.iter().take(MARGIN).map(|o| badge(o)).collect();
    if owners.len() > MARGIN {
        let _ = write!(margin, "<small>+{}</small>", owners.len() - MARGIN);
    }
    let class = order.first().map_or("", |m| m.class);
    let hot = file.heat.get(&number).map(|level| format!("{class} heat{level}"));
    row(&id, hot.as_deref().unwrap_or(class), &margin, at, &(marked(&cut, &ranges) + &rest(more)))
        + &said(marks, true)
}

fn rest(more: usize) -> String {
    match more {
        0 => String::new(),
        _ => format!("<i>… and {}</i>", counted(more, "more character")),
    }
}

fn row(id: &str, class: &str, margin: &str, number: usize, code: &str) -> String {
    let class = if class.is_empty() { String::new() } else { format!(" {class}") };
    format!(
        "<div class=\"line{class}\"{id}><span class=\"marks\">{margin}</span><span class=\"no\">{number}</span><code>{code}</code></div>\n"
    )
}

/// What is said at a line, below it: of all findings of which the same is said at once. Where the line has a `margin` with room
/// for all, those of which nothing is said stand there alone.
fn said(marks: &[Mark], margin: bool) -> String {
    let mut rows: Vec<(&str, &str, Vec<&Owner>)> = Vec::new();
    for mark in marks {
        let label = match &mark.label[..] {
            "" if margin && marks.len() <= MARGIN => continue,
            "" => &mark.owner.name,
            label => label,
        };
        match rows.iter_mut().find(|(class, known, _)| *class == mark.class && *known == label) {
            Some((_, _, owners)) if owners.iter().any(|o| o.anchor == mark.owner.anchor) => {}
            Some((_, _, owners)) => owners.push(&mark.owner),
            None => rows.push((mark.class, label, vec![&mark.owner])),
        }
    }
    let mut out = String::new();
    for (class, label, owners) in rows {
        let badges: Vec<String> = owners.into_iter().map(badge).collect();
        let _ = writeln!(out, "<p class=\"said {class}\">{} {}</p>", badges.join(" "), prose(label));
    }
    out
}

/// The number of a finding, which leads to it.
fn badge(owner: &Owner) -> String {
    let Owner { anchor, number, name, class } = owner;
    let name = escaped(name);
    format!("<a class=\"badge {class}\" href=\"#{anchor}\" title=\"{name}\">{number}</a>")
}

/// How soon a class is seen.
fn rank(class: &str) -> usize {
    ["error", "warning", "note"].iter().position(|c| *c == class).unwrap_or(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_far_from_marks_is_folded() {
        assert_eq!(stretches(10, &[5]), [(1, 10, false)]);
        assert_eq!(
            stretches(100, &[20, 30, 80]),
            [
                (1, 11, true),
                (12, 28, false),
                (29, 38, false),
                (39, 71, true),
                (72, 88, false),
                (89, 100, true)
            ]
        );
        assert_eq!(stretches(20, &[12]), [(1, 3, false), (4, 20, false)]);
        assert_eq!(stretches(50, &[]), [(1, 50, true)]);
        assert_eq!(stretches(0, &[]), []);
    }

    #[test]
    fn a_long_line_is_quoted_around_the_place() {
        let mut sources = Sources::default();
        sources.insert("k.cu", &format!("  a < b;  \n \t{}p[5]{}\n\n", "x".repeat(300), "y".repeat(300)));
        let mut listing = Listing::default();
        listing.file("k.cu", &mut sources);
        let quoted = |line, from, to| {
            let [start, end] = [from, to].map(|col| Pos { line, col });
            let span = Span { file: "k.cu".to_owned(), start, end, spelling: None, label: String::new() };
            listing.code(&span, "note")
        };
        assert_eq!(quoted(1, 5, 6).as_deref(), Some("a <mark class=\"note\">&lt;</mark> b;"));
        let around = format!("…{}<mark class=\"note\">p[5]</mark>{}…", "x".repeat(60), "y".repeat(60));
        assert_eq!(quoted(2, 303, 307), Some(around));
        assert_eq!(quoted(2, 3, 900), Some(format!("<mark class=\"note\">{}</mark>…", "x".repeat(240))));
        assert!(quoted(2, 900, 901).is_some_and(|code| code.starts_with('…') && code.ends_with("yyy")));
        assert_eq!(quoted(3, 1, 2).as_deref(), Some(""));
        assert_eq!(quoted(4, 1, 2), None);
    }

    #[test]
    fn a_line_of_many_findings_leads_to_all_of_them() {
        let pos = Pos { line: 1, col: 1 };
        let mark = |n: usize, label: &str| Mark {
            owner: Owner {
                anchor: format!("f{n}"),
                number: n.to_string(),
                name: "deadlock".to_owned(),
                class: "error",
            },
            main: true,
            class: "error",
            label: label.to_owned(),
            from: pos,
            to: pos,
        };
        let marks: Vec<Mark> = (0..9).map(|n| mark(n, if n == 8 { "" } else { "here" })).collect();
        let text = said(&marks, true);
        assert!((0..9).all(|n| text.contains(&format!("href=\"#f{n}\""))), "{text}");
        assert_eq!(text.matches("<p ").count(), 2, "{text}");
        assert_eq!(said(&marks[8..], true), "");
        assert!(said(&marks[8..], false).contains("href=\"#f8\""));
        let mut file =
            File { path: String::new(), text: None, marks: BTreeMap::new(), heat: BTreeMap::new() };
        file.marks.insert(1, marks);
        assert!(line(0, &file, 1, "x").contains("<small>+5</small></span>"));
    }

    #[test]
    fn a_path_is_as_long_as_it_has_to_be() {
        let mut listing = Listing::default();
        let mut sources = Sources::default();
        for path in ["/a/b/k.cu", "/a/c/k.cu", "/a/c/other.cu", "k.cuh", "/k.cuh", "x.cu"] {
            listing.file(path, &mut sources);
        }
        let short = |path| listing.short(path);
        assert_eq!(
            [short("/a/b/k.cu"), short("/a/c/k.cu"), short("/a/c/other.cu")],
            ["b/k.cu", "c/k.cu", "other.cu"]
        );
        assert_eq!(
            [short("k.cuh"), short("/k.cuh"), short("x.cu"), short("a/")],
            ["k.cuh", "/k.cuh", "x.cu", "a/"]
        );
    }

    #[test]
    fn the_first_of_two_marks_counts() {
        let of = |line, ranges: &[((usize, usize), &str)]| marked(line, ranges);
        assert_eq!(
            of("a<bcd", &[((1, 3), "error"), ((2, 5), "note")]),
            "a<mark class=\"error\">&lt;b</mark><mark class=\"note\">cd</mark>"
        );
        assert_eq!(of("", &[((0, 1), "note")]), "");
        let pos = |line, col| Pos { line, col };
        assert_eq!(columns("abc", pos(1, 2), pos(1, 2)), (1, 2));
        assert_eq!(columns("abc", pos(1, 2), pos(3, 1)), (1, 3));
        assert_eq!(columns("abc", pos(1, 9), pos(1, 12)), (3, 3));
        assert_eq!(columns("", pos(1, 1), pos(1, 1)), (0, 0));
    }
}
