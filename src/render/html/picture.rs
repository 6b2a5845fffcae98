//! The picture of a race: its two accesses in two lanes, and the order that is missing.
//!
//! Only what is data of the finding is drawn. Two accesses that nothing orders stand at one height. Where a barrier between
//! them was tried and mends the race, one stands above it and the other one below.

use super::finding::{self, Numbered};
use super::listing::Listing;
use super::text::{cut, escaped};
use crate::render::is_call;
use cudair_ir::{Certainty, Edit, Finding, Kind, Pos, Span};
use std::fmt::Write;

const WIDTH: u32 = 480;
/// Where the lanes begin, and how wide they are.
const LANES: [u32; 2] = [36, 262];
const LANE: u32 = 208;
/// Room for the names of the lanes.
const HEAD: u32 = 52;
const BOX: u32 = 66;
/// Characters that fit into a lane: of code, and of words.
const CODE: usize = 25;
const WORDS: usize = 31;

/// One access.
struct Side<'f> {
    /// Who does it: thread and block.
    who: [String; 2],
    place: &'f Span,
    /// What it does.
    label: &'f str,
    /// The calls through which its code was inlined, innermost first.
    calls: &'f [Span],
}

/// The two accesses of a race, if the finding has them as data.
fn sides(f: &Finding) -> Option<[Side<'_>; 2]> {
    if !matches!(f.kind, Kind::SharedRace | Kind::GlobalRace) {
        return None;
    }
    let main = f.primary.as_ref()?;
    let related = || f.related.iter().filter(|s| !is_call(s));
    let who = match (&f.threads[..], &f.unordered) {
        _ if f.operations.is_some() => f.operations.as_deref().cloned()?,
        ([a, b], _) => [a, b].map(|t| {
            [format!("thread {}", f.dims.thread(t.thread)), format!("block {}", f.dims.block(t.block))]
        }),
        // What a barrier would order are threads of one block.
        ([], Some(_)) => ["one thread", "another thread"].map(|t| [t.to_owned(), "of one block".to_owned()]),
        _ => return None,
    };
    let (places, calls) = match &f.unordered {
        Some(race) => {
            let [Some(a), Some(b)] = race.sides.each_ref().map(|s| s.first()) else { return None };
            ([a, b], race.sides.each_ref().map(|s| &s[1..]))
        }
        None => ([main, related().next()?], [&[][..]; 2]),
    };
    if places[0].place() != main.place() {
        return None;
    }
    let same = places[0].place() == places[1].place();
    let other = match related().find(|s| s.place() == places[1].place()) {
        Some(span) => &span.label,
        // At one place the label speaks of both, unless it names one.
        None if same && f.threads.is_empty() => &main.label,
        None => "",
    };
    // Of which operation a thread is stands above the lane.
    let short = |label| if f.operations.is_some() { before(label, " of `") } else { label };
    let labels = [main.label.as_str(), other].map(short);
    let [x, y] = who;
    let side = |who, n: usize| Side { who, place: places[n], label: labels[n], calls: calls[n] };
    Some([side(x, 0), side(y, 1)])
}

/// A text up to a part of it, if it has that.
fn before<'t>(text: &'t str, part: &str) -> &'t str {
    text.split_once(part).map_or(text, |(before, _)| before)
}

/// The change that orders the accesses, and the number of the access before it: where one statement was tried that stands
/// between the two in the text.
fn between<'f>(f: &'f Finding, sides: &[Side<'_>; 2]) -> Option<(&'f Edit, usize)> {
    let repair = f.repair.as_ref()?;
    let [edit] = &repair.edits[..] else { return None };
    if edit.start != edit.end {
        return None;
    }
    // The outermost places at which the ways to the two accesses differ stand in one function.
    let [a, b] = sides.each_ref().map(|s| std::iter::once(s.place).chain(s.calls).rev().collect::<Vec<_>>());
    let (a, b) = a.iter().zip(&b).find(|(a, b)| a.place() != b.place())?;
    if a.file != edit.file || b.file != edit.file {
        return None;
    }
    let key = |p: Pos| (p.line, p.col);
    let within = |x: &Span, y: &Span| key(x.end) <= key(edit.start) && key(edit.start) <= key(y.start);
    if within(a, b) {
        Some((edit, 0))
    } else if within(b, a) {
        Some((edit, 1))
    } else {
        None
    }
}

/// The picture of a race, if the finding has what it needs.
pub fn race(n: &Numbered<'_>, listing: &Listing) -> Option<String> {
    let f = n.finding;
    let mut sides = sides(f)?;
    let ordered = between(f, &sides);
    // What comes first stands on the left.
    if ordered.is_some_and(|(_, first)| first == 1) {
        sides.reverse();
    }
    let id = format!("{}-picture", n.owner.anchor);
    let lower = if ordered.is_some() { HEAD + 20 + BOX + 64 } else { HEAD + 20 };
    let tops = [HEAD + 20, lower];
    let below = lower + BOX;
    let height = match (ordered, &f.repair) {
        (Some(_), _) => below + 24,
        (None, Some(repair)) if repair.edits.len() == 1 => below + 84,
        (None, _) => below + 60,
    };
    let mut out = String::new();
    let described = describe(&sides, ordered.map(|(edit, _)| edit), f);
    let _ = writeln!(
        out,
        "<figure class=\"picture\">\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"group\" \
         aria-labelledby=\"{id}\">\n<title id=\"{id}\">{}</title>",
        escaped(&described)
    );
    // Time, from above.
    let _ = writeln!(
        out,
        "<path class=\"time\" d=\"M 14 {HEAD} V {} M 9 {} L 14 {} L 19 {}\"/>\n<text class=\"faint\" \
         transform=\"translate(10 {}) rotate(-90)\" text-anchor=\"end\">time</text>",
        height - 8,
        height - 16,
        height - 6,
        height - 16,
        HEAD + 4
    );
    for (n, side) in sides.iter().enumerate() {
        lane(&mut out, side, LANES[n], height);
    }
    for (n, side) in sides.iter().enumerate() {
        access(&mut out, side, (LANES[n], tops[n]), listing);
    }
    match ordered {
        Some((edit, _)) => barrier(&mut out, edit, tops[0] + BOX + 32, listing),
        None => unordered(&mut out, f, below, listing),
    }
    let caption = match (ordered, f.certainty) {
        (Some(_), _) => "Without what is missing the two accesses have no order: either may come first.",
        (None, Certainty::Definite) => "The two accesses have no order: either may come first.",
        (None, Certainty::Possible) => {
            "If both come to the same bytes, they have no order: either may come first."
        }
    };
    let warp = match &f.unordered {
        Some(race) if race.same_warp => " Both threads are of one warp.",
        _ => "",
    };
    let _ = writeln!(out, "</svg>\n<figcaption>{caption}{warp}</figcaption>\n</figure>");
    Some(out)
}

/// What a reader hears instead of the picture.
fn describe([a, b]: &[Side<'_>; 2], edit: Option<&Edit>, f: &Finding) -> String {
    let does = |s: &Side<'_>| {
        let label = if s.label.is_empty() { String::new() } else { format!(", {}", s.label) };
        format!("{} {}: {}{label}", s.who[0], s.who[1], name(s.place))
    };
    let lacks = match (edit, &f.unordered) {
        (Some(edit), _) => format!("missing between them, at line {}: {}", edit.start.line, edit.text.trim()),
        (None, Some(_)) => "no barrier between them".to_owned(),
        (None, None) => "nothing orders them".to_owned(),
    };
    format!("{}; {}; {lacks}", does(a), does(b))
}

/// The name of a place as far as it fits into a lane: its end says more.
fn fitting(place: &Span) -> String {
    let name = name(place);
    match name.chars().count().saturating_sub(CODE) {
        0 => escaped(&name),
        more => format!("…{}", escaped(&name.chars().skip(more + 1).collect::<String>())),
    }
}

/// "racy.cu:6"
fn name(place: &Span) -> String {
    let file = place.file.rsplit('/').next().unwrap_or(&place.file);
    if place.start.line == 0 { file.to_owned() } else { format!("{file}:{}", place.start.line) }
}

fn lane(out: &mut String, side: &Side<'_>, x: u32, height: u32) {
    let middle = x + LANE / 2;
    let [thread, block] = side.who.each_ref().map(|text| escaped(&cut(text, WORDS)));
    let _ = writeln!(
        out,
        "<path class=\"lane\" d=\"M {middle} {HEAD} V {}\"/>\n<text class=\"who\" x=\"{middle}\" y=\"20\" \
         text-anchor=\"middle\">{thread}</text>\n<text class=\"faint\" x=\"{middle}\" y=\"38\" \
         text-anchor=\"middle\">{block}</text>",
        height - 8
    );
}

fn access(out: &mut String, side: &Side<'_>, (x, y): (u32, u32), listing: &Listing) {
    let middle = x + LANE / 2;
    let _ = writeln!(
        out,
        "<rect class=\"access\" x=\"{x}\" y=\"{y}\" width=\"{LANE}\" height=\"{BOX}\" rx=\"6\"/>\n\
         <text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
        y + 19,
        escaped(&cut(side.label, WORDS))
    );
    if let Some(code) = excerpt(side.place, listing) {
        let _ = writeln!(
            out,
            "<text class=\"code\" x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            y + 38,
            escaped(&cut(&code, CODE))
        );
    }
    let place = fitting(side.place);
    let text = format!(
        "<text class=\"place\" x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{place}</text>",
        y + 57
    );
    linked(out, listing.anchor(side.place), &text);
}

/// The code of a place alone, as far as it stands in one line.
fn excerpt(place: &Span, listing: &Listing) -> Option<String> {
    let line = listing.line(place)?;
    let from = place.start.col.checked_sub(1)? as usize;
    let len = if place.end.line == place.start.line {
        (place.end.col.checked_sub(1)? as usize).checked_sub(from)?
    } else {
        line.chars().count()
    };
    let code: String = line.chars().skip(from).take(len).collect();
    let code = code.split_whitespace().collect::<Vec<_>>().join(" ");
    (!code.is_empty()).then_some(code)
}

fn linked(out: &mut String, anchor: Option<String>, inner: &str) {
    let _ = match anchor {
        Some(anchor) => writeln!(out, "<a href=\"#{anchor}\">{inner}</a>"),
        None => writeln!(out, "{inner}"),
    };
}

/// The statement that was tried, where it goes: a line across both lanes.
fn barrier(out: &mut String, edit: &Edit, y: u32, listing: &Listing) {
    let (from, to) = (LANES[0], LANES[1] + LANE);
    let middle = u32::midpoint(from, to);
    let _ = writeln!(out, "<path class=\"missing\" d=\"M {from} {y} H {to}\"/>");
    let _ = writeln!(
        out,
        "<text class=\"missing code\" x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">missing: {}</text>",
        y - 8,
        statement(edit)
    );
    let at = finding::place(edit);
    let text = format!(
        "<text class=\"place\" x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
        y + 18,
        fitting(&at)
    );
    linked(out, listing.anchor(&at), &text);
}

/// What a change puts there, in a line.
fn statement(edit: &Edit) -> String {
    escaped(&cut(&edit.text.split_whitespace().collect::<Vec<_>>().join(" "), CODE))
}

/// That nothing orders two accesses at one height.
fn unordered(out: &mut String, f: &Finding, y: u32, listing: &Listing) {
    let (a, b, line) = (LANES[0] + LANE / 2, LANES[1] + LANE / 2, y + 26);
    let text = if f.unordered.is_some() { "no barrier between them" } else { "nothing orders them" };
    let _ = writeln!(
        out,
        "<path class=\"missing\" d=\"M {a} {line} H {b}\"/>\n<path class=\"tip\" d=\"M {} {} L {a} {line} L {} {} M {} {} L {b} {line} L {} {}\"/>\n\
         <text class=\"missing\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{text}</text>",
        a + 9,
        line - 5,
        a + 9,
        line + 5,
        b - 9,
        line - 5,
        b - 9,
        line + 5,
        u32::midpoint(a, b),
        line + 20
    );
    // Where the one that mends it goes is known, and not which of the two comes first.
    if let Some([edit]) = f.repair.as_ref().map(|r| &r.edits[..]) {
        let at = finding::place(edit);
        let text = format!(
            "<text class=\"place\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">missing: {} in {}</text>",
            u32::midpoint(a, b),
            line + 44,
            statement(edit),
            fitting(&at)
        );
        linked(out, listing.anchor(&at), &text);
    }
}
