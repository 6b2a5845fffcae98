//! Where a barrier may stand that orders two accesses: candidates, in the order in which they are tried.
//!
//! Two statements of one block are ordered by a barrier between them, two iterations of a loop by one in its body. The
//! innermost block that holds both accesses is the only one with a way between them; the latest place comes first. Whether
//! all threads come there is not asked here.

use super::atomics;
use super::change::{Changed, Lines, Piece, Replacement};
use super::outline::{Number, Outline, Shape};
use cudair_ir::{SourceMap, Span, Type, Unordered};
use std::sync::Arc;

/// Candidates for one race at most.
const MOST: usize = 6;
/// Loops around the two accesses of which an end is a candidate.
const LOOPS: usize = 2;

/// What is inserted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Barrier {
    /// All threads of the block wait.
    Block,
    /// The lanes of a warp wait.
    Warp,
}

impl Barrier {
    /// The call.
    pub fn call(self) -> &'static str {
        match self {
            Barrier::Block => "__syncthreads()",
            Barrier::Warp => "__syncwarp()",
        }
    }
}

/// One way to order the two.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The program with it.
    pub changed: Changed,
    /// What to do, as a help says it.
    pub words: String,
}

/// What can be tried for a race.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// What is tried first comes first.
    pub list: Vec<Candidate>,
    /// Whether the function around both places was found in the text.
    pub found: bool,
    /// What the text alone says against a barrier.
    pub against: Option<String>,
    /// What to write instead, where one place is read and written by one statement.
    pub atomic: Option<String>,
}

/// The text of a file of the program, if it can be changed.
pub fn text(map: &SourceMap, file: &str) -> Option<Arc<str>> {
    map.files.values().find(|f| f.path == file && !f.library).and_then(|f| f.text.clone())
}

/// What can be tried for two accesses.
pub fn candidates(map: &SourceMap, race: &Unordered, barrier: Barrier) -> Candidates {
    let mut out = Candidates::default();
    let Some(levels) = levels(&race.sides) else { return out };
    let Some((inner, outer)) = levels.split_last() else { return out };
    let Some(level) = Level::of(map, *inner) else { return out };
    let Ok(outline) = level.outline() else { return out };
    out.found = true;
    let ty = race.ty;
    let mut finder = Finder { barrier, file: &inner[0].file, outline: &outline, ty, out: &mut out };
    finder.find(level.places);
    // A call in a loop is made again: the loop lies around both accesses.
    for pair in outer.iter().rev() {
        let Some(level) = Level::of(map, *pair) else { break };
        let Ok(outline) = level.outline() else { break };
        let mut finder = Finder { barrier, file: &pair[0].file, outline: &outline, ty, out: &mut out };
        let ends = finder
            .loops(&outline.path(level.places[0]))
            .into_iter()
            .map(|l| finder.end(l))
            .collect::<Vec<_>>();
        ends.into_iter().flatten().for_each(|end| finder.add(&[end]));
    }
    out.list.truncate(MOST);
    out
}

/// The places of both accesses in each function that is on the way to both, the kernel first: the last pair is in the
/// function where their ways part.
fn levels(sides: &[Vec<Span>; 2]) -> Option<Vec<[&Span; 2]>> {
    let [mut a, mut b] = sides.each_ref().map(|s| s.iter().rev());
    let mut out = Vec::new();
    while let (Some(x), Some(y)) = (a.next(), b.next()) {
        if x.file != y.file {
            return None;
        }
        out.push([x, y]);
        if x.place() != y.place() {
            break;
        }
    }
    Some(out)
}

/// Two places in one function.
struct Level {
    text: Arc<str>,
    places: [usize; 2],
}

impl Level {
    fn of(map: &SourceMap, pair: [&Span; 2]) -> Option<Level> {
        let text = text(map, &pair[0].file)?;
        let lines = Lines::of(&text);
        let [a, b] = pair.map(|s| lines.offset(&text, s.start));
        Some(Level { places: [a?, b?], text })
    }

    fn outline(&self) -> Result<Outline<'_>, ()> {
        let outline = Outline::around(&self.text, self.places[0]).ok_or(())?;
        let holds = outline.statements[outline.body].at.contains(&self.places[1]);
        holds.then_some(outline).ok_or(())
    }
}

/// A barrier at one place.
#[derive(Clone)]
struct Insertion {
    replacements: Vec<Replacement>,
    words: String,
    /// What the words begin with instead of the insertion of a barrier.
    whole: bool,
}

struct Finder<'o, 't> {
    barrier: Barrier,
    file: &'o str,
    outline: &'o Outline<'t>,
    /// The type of what both access.
    ty: Option<Type>,
    out: &'o mut Candidates,
}

impl Finder<'_, '_> {
    /// Adds a candidate that makes some insertions together.
    fn add(&mut self, insertions: &[Insertion]) {
        let replacements: Vec<Replacement> =
            insertions.iter().flat_map(|i| i.replacements.iter().cloned()).collect();
        let changed = Changed::new(self.file, self.outline.text, replacements);
        if self.out.list.iter().any(|c| c.changed.text == changed.text) {
            return;
        }
        let mut words = String::new();
        for (n, insertion) in insertions.iter().enumerate() {
            words.push_str(if n == 0 { "" } else { ", and " });
            let told = insertions[..n].iter().any(|i| !i.whole);
            if !insertion.whole && !told {
                words.push_str(&format!("insert `{};` ", self.barrier.call()));
            }
            words.push_str(&insertion.words);
        }
        self.out.list.push(Candidate { changed, words });
    }

    fn find(&mut self, places: [usize; 2]) {
        let [a, b] = places.map(|p| self.outline.path(p));
        let common = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
        let Some(&last) = common.checked_sub(1).and_then(|n| a.get(n)) else { return };
        let mut between = Vec::new();
        match self.outline.statements[last].shape {
            Shape::Block => {
                if let (Some(&x), Some(&y)) = (a.get(common), b.get(common)) {
                    between = self.between(last, x.min(y), x.max(y));
                }
                let [x, y] = [(&a, places[0]), (&b, places[1])];
                let updates = |(path, place): (&Vec<Number>, usize)| {
                    path.last().is_some_and(|&n| self.atomic(n, [place; 2]).is_some())
                };
                if updates(x) && updates(y) {
                    self.out.atomic = Some("update it in atomic operations, at both places".to_owned());
                }
                if let (Some(&x), Some(&y)) = (a.get(common), b.get(common)) {
                    let call = self.atomic_of_two(last, [x.min(y), x.max(y)]);
                    if call.is_some() {
                        // A barrier between the two would lose all updates but one.
                        between.clear();
                    }
                    self.out.atomic = call
                        .map(|call| {
                            format!("update it in one atomic operation, {call}, which gives the value before")
                        })
                        .or(self.out.atomic.take());
                }
            }
            Shape::If if a.len() > common && b.len() > common => {
                let line = self.line(self.outline.statements[last].at.start);
                self.out.against =
                    Some(format!("the two places are in the two branches of the `if` at line {line}"));
            }
            // One in the head, the other in the body.
            Shape::Loop => between.extend(self.start(last)),
            Shape::Plain => {
                let atomic = self.atomic(last, places);
                self.out.atomic = atomic.map(|a| format!("update it in one atomic operation, {a}"));
                if self.out.atomic.is_none() {
                    between.extend(self.split(last, places));
                }
            }
            _ => {}
        }
        let loops = self.loops(&a[..common]);
        let ends: Vec<Insertion> = loops.iter().filter_map(|&l| self.end(l)).collect();
        let one_statement = self.outline.statements[last].shape == Shape::Plain;
        if one_statement && let Some(end) = ends.first() {
            self.add(std::slice::from_ref(end));
        }
        for insertion in &between {
            self.add(std::slice::from_ref(insertion));
        }
        if let Some(end) = ends.first() {
            self.add(std::slice::from_ref(end));
            if let Some(first) = between.first() {
                self.add(&[first.clone(), end.clone()]);
            }
        }
        if let Some(start) = loops.first().and_then(|&l| self.start(l)) {
            self.add(&[start]);
        }
        for end in ends.iter().skip(1) {
            self.add(std::slice::from_ref(end));
        }
    }

    /// The loops on a path, the innermost first.
    fn loops(&self, path: &[Number]) -> Vec<Number> {
        let is_loop = |n: &&Number| self.outline.statements[**n].shape == Shape::Loop;
        path.iter().rev().filter(is_loop).take(LOOPS).copied().collect()
    }

    /// Between two statements of a block: before the second, and behind the first where that is another place. None where
    /// there is a barrier already.
    fn between(&self, block: Number, first: Number, second: Number) -> Vec<Insertion> {
        let parts = &self.outline.statements[block].parts;
        let index = |n: Number| parts.iter().position(|&p| p == n);
        let (Some(i), Some(j)) = (index(first), index(second)) else { return Vec::new() };
        let (i, j) = (i.min(j), i.max(j));
        if self.barrier == Barrier::Block && parts[i..j].iter().any(|&p| self.outline.is_barrier(p)) {
            return Vec::new();
        }
        let mut out = vec![self.before(parts[j], "")];
        if i + 1 < j {
            out.push(self.before(parts[i + 1], ""));
        }
        out
    }

    /// Before a statement of a block.
    fn before(&self, n: Number, prefix: &str) -> Insertion {
        let at = self.outline.statements[n].at.start;
        let line = self.line(at);
        let call = self.barrier.call();
        let (text, words) = match self.indent(at) {
            Some(indent) => (format!("{call};\n{indent}"), format!("{prefix}before line {line}")),
            None => {
                let place = brief(self.outline.words(n));
                (format!("{call}; "), format!("{prefix}before `{place}` in line {line}"))
            }
        };
        Insertion { replacements: vec![Replacement::insert(at, text)], words, whole: false }
    }

    /// At the beginning of a loop's body.
    fn start(&self, of: Number) -> Option<Insertion> {
        let body = *self.outline.statements[of].parts.first()?;
        let statement = &self.outline.statements[body];
        let first = *statement.parts.first().filter(|_| statement.shape == Shape::Block)?;
        (!self.outline.is_barrier(first)).then(|| self.before(first, "at the beginning of the loop's body, "))
    }

    /// At the end of a loop's body.
    fn end(&self, of: Number) -> Option<Insertion> {
        let body = *self.outline.statements[of].parts.first()?;
        let statement = &self.outline.statements[body];
        let call = self.barrier.call();
        if statement.shape != Shape::Block {
            let line = self.line(self.outline.statements[of].at.start);
            return Some(Insertion {
                replacements: vec![
                    Replacement::insert(statement.at.start, "{ ".to_owned()),
                    Replacement::insert(statement.at.end, format!(" {call}; }}")),
                ],
                words: format!(
                    "put braces around the body of the loop at line {line}, with `{call};` at its end"
                ),
                whole: true,
            });
        }
        let last = *statement.parts.last()?;
        if self.outline.is_barrier(last) {
            return None;
        }
        let brace = statement.at.end - 1;
        let behind = self.outline.statements[last].at.end;
        let line = self.line(behind - 1);
        let (text, words) = match (self.indent(brace), self.indent(self.outline.statements[last].at.start)) {
            (Some(outer), inner) => {
                let inner = inner.map_or_else(|| format!("{outer}    "), str::to_owned);
                let more = inner.strip_prefix(outer).unwrap_or("    ");
                // What stands under `#if` may not be there.
                let place = if self.outline.statements[last].conditional {
                    format!("before line {}", self.line(brace))
                } else {
                    format!("after line {line}")
                };
                (format!("{more}{call};\n{outer}"), format!("at the end of the loop's body, {place}"))
            }
            (None, _) => {
                let line = self.line(brace);
                (format!("{call}; "), format!("at the end of the loop's body, in line {line}"))
            }
        };
        Some(Insertion { replacements: vec![Replacement::insert(brace, text)], words, whole: false })
    }

    /// Reads the value of an assignment first and writes it behind a barrier.
    fn split(&self, n: Number, places: [usize; 2]) -> Option<Insertion> {
        let (operator, value) = self.outline.assignment(n)?;
        let [a, b] = places;
        let crosses = |x: usize, y: usize| x < operator.start && value.contains(&y);
        (crosses(a, b) || crosses(b, a)).then_some(())?;
        let name = ["value", "read", "old"].into_iter().find(|name| !self.outline.has_word(name))?;
        let statement = &self.outline.statements[n];
        let start = statement.at.start;
        let in_block = statement.parent.is_some_and(|p| self.outline.statements[p].shape == Shape::Block);
        let space = match self.indent(start).filter(|_| in_block) {
            Some(indent) => format!("\n{indent}"),
            None => " ".to_owned(),
        };
        let call = self.barrier.call();
        let (open, close) = if in_block { ("", "") } else { ("{ ", " }") };
        let mut replacements = vec![
            Replacement {
                at: start..start,
                put: vec![
                    Piece::New(format!("{open}auto {name} = ")),
                    Piece::Old(value.clone()),
                    Piece::New(format!(";{space}{call};{space}")),
                ],
            },
            Replacement { at: value, put: vec![Piece::New(name.to_owned())] },
        ];
        if !in_block {
            replacements.push(Replacement::insert(statement.at.end, close.to_owned()));
        }
        let line = self.line(start);
        Some(Insertion {
            replacements,
            words: format!(
                "in line {line}, read the value into a variable, insert `{call};` after that, and only then write"
            ),
            whole: true,
        })
    }

    /// The atomic operation that does what a statement does, where it reads and writes one place.
    fn atomic(&self, n: Number, places: [usize; 2]) -> Option<String> {
        let words = self.outline.words(n);
        let start = self.outline.statements[n].at.start;
        let bare = words.strip_suffix(';')?.trim();
        for (sign, up) in [("++", true), ("--", false)] {
            if let Some(place) = bare.strip_suffix(sign).or_else(|| bare.strip_prefix(sign)) {
                return Some(atomics::step(up, place.trim(), self.ty));
            }
        }
        let (operator, value) = self.outline.assignment(n)?;
        let text = self.outline.text;
        let place = text[start..operator.start].trim();
        let old = text[value.clone()].trim();
        let left = |p: &usize| *p < operator.start;
        if &text[operator.clone()] == "=" {
            // Each access is what is on the left, or the same in the value.
            let again = |p: &usize| value.contains(p) && text[*p..].starts_with(place);
            let both = places.iter().all(|p| left(p) || again(p)) && places.iter().any(again);
            return both.then(|| atomics::assigned(place, old, place, self.ty).unwrap_or_else(atomics::any));
        }
        // Both accesses are of what is on the left.
        let call = atomics::compound(&text[operator.clone()], place, old, self.ty)?;
        places.iter().all(left).then_some(call)
    }

    /// The atomic operation that does what two statements do: the first puts a place into a variable, and the one behind it
    /// gives the place a new value, computed of the variable.
    fn atomic_of_two(&self, block: Number, [first, second]: [Number; 2]) -> Option<String> {
        let parts = &self.outline.statements[block].parts;
        let at = parts.iter().position(|&p| p == first)?;
        if parts.get(at + 1) != Some(&second) {
            return None;
        }
        let (name, read) = self.outline.words(first).strip_suffix(';')?.split_once('=')?;
        let name = name.trim().rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next()?;
        let (operator, value) = self.outline.assignment(second)?;
        let text = self.outline.text;
        let place = text[self.outline.statements[second].at.start..operator.start].trim();
        if name.is_empty() || &text[operator] != "=" || read.trim() != place || atomics::has(place, name) {
            return None;
        }
        atomics::assigned(place, &text[value], name, self.ty)
    }

    fn line(&self, at: usize) -> u32 {
        Lines::of(self.outline.text).position(self.outline.text, at).line
    }

    /// What stands before a place in its line, if that is only white space.
    fn indent(&self, at: usize) -> Option<&str> {
        let before = &self.outline.text[..at];
        let line = &before[before.rfind('\n').map_or(0, |n| n + 1)..];
        line.chars().all(char::is_whitespace).then_some(line)
    }
}

/// The beginning of a statement, on one line.
fn brief(words: &str) -> String {
    const MOST: usize = 30;
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MOST {
        return line;
    }
    format!("{}…", line.chars().take(MOST).collect::<String>().trim_end())
}
