//! Applies a rewrite: draws places, and takes back those that the parse refuses.

use crate::random::Random;
use crate::rewrite::{Place, Rewrite};
use crate::source::{Parser, Source};
use crate::text::{Edit, Line, Text};
use crate::token::tokens;
use std::collections::{BTreeMap, HashSet};

/// How often a rewrite was applied.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Places that were drawn.
    pub drawn: usize,
    /// Of them, those that the parse refused.
    pub refused: usize,
    /// Places that the plan has.
    pub places: usize,
    /// Places that it leaves out, by the reason.
    pub exceptions: BTreeMap<&'static str, usize>,
}

impl Counts {
    /// Adds another's.
    pub fn add(&mut self, other: &Counts) {
        self.drawn += other.drawn;
        self.refused += other.refused;
        self.places += other.places;
        for (why, count) in &other.exceptions {
            *self.exceptions.entry(why).or_default() += count;
        }
    }

    /// The share of places, in percent, that are exceptions. Where the parse refuses a rewrite, the language has no such
    /// program.
    pub fn left_out(&self) -> f64 {
        let exceptions: usize = self.exceptions.values().sum();
        100.0 * exceptions as f64 / (self.places + exceptions).max(1) as f64
    }

    /// The share, in percent, that the parse refuses of what was drawn.
    pub fn share_refused(&self) -> f64 {
        100.0 * self.refused as f64 / self.drawn.max(1) as f64
    }
}

/// A rewrite as it was applied.
pub struct Applied {
    /// The places.
    pub places: Vec<Place>,
    /// How many there were.
    pub counts: Counts,
}

/// How often a text is parsed to find the places that are refused.
const PARSES: usize = 60;

/// The text with these places rewritten.
pub fn rewritten(source: &Source, places: &[Place]) -> Text {
    edited(&source.text, places, source.tells_lines)
}

fn edited(text: &Text, places: &[Place], renumber: bool) -> Text {
    let (mut edits, mut head): (Vec<Edit>, Vec<Line>) = (Vec::new(), Vec::new());
    let mut known = std::collections::HashSet::new();
    let mut shared = std::collections::HashSet::new();
    for place in places {
        for edit in &place.edits {
            // Places may share a declaration.
            let is_shared = edit.range.is_empty() && edit.rank == 0;
            if !is_shared || shared.insert((edit.range.start, edit.text.clone())) {
                edits.push(edit.clone());
            }
        }
        for line in &place.head {
            if known.insert(line.text.clone()) {
                head.push(line.clone());
            }
        }
    }
    text.edited(&edits, &head, renumber)
}

/// Applies a rewrite to about so many percent of its places.
pub fn apply(
    rewrite: Rewrite,
    source: &Source,
    percent: usize,
    parser: &Parser<'_>,
    random: &mut Random,
) -> Result<Applied, String> {
    let plan = (rewrite.plan)(source, random);
    let mut counts = Counts { places: plan.places.len(), exceptions: plan.exceptions, ..Counts::default() };
    let mut all = plan.places;
    random.shuffle(&mut all);
    let mut chosen: Vec<Place> = Vec::new();
    let mut taken = Taken::default();
    for place in all {
        if random.chance(percent) && taken.take(&place) {
            chosen.push(place);
        }
    }
    counts.drawn = chosen.len();
    let places = accepted(source, chosen.clone(), parser)?;
    if std::env::var_os("CUDAIR_SHOW_REFUSED").is_some() {
        let starts: HashSet<usize> =
            places.iter().filter_map(|place| Some(place.edits.last()?.range.start)).collect();
        for place in &chosen {
            let edits = &place.edits;
            if edits.last().is_some_and(|e| !starts.contains(&e.range.start)) {
                let (start, end) = (edits[0].range.start, edits[edits.len() - 1].range.end);
                let text = source.plain.get(start..end.max(start)).unwrap_or("");
                eprintln!(
                    "refused: {} {text:?} before {:?}",
                    rewrite.name,
                    source.plain[..start].lines().last()
                );
            }
        }
    }
    counts.refused = counts.drawn - places.len();
    keeps_tokens(source, &places).map_err(|token| format!("the rewrite breaks the token {token}"))?;
    Ok(Applied { places, counts })
}

/// Whether each token that no edit replaces is one still: it begins and ends where it did.
fn keeps_tokens(source: &Source, places: &[Place]) -> Result<(), String> {
    let text = edited(&Text::new(&source.plain), places, source.tells_lines);
    if !text.headers.is_empty() {
        return Ok(());
    }
    let found = tokens(&text.text(), !source.is_c());
    let starts: HashSet<usize> =
        text.copied_from(found.iter().map(|t| t.range.start)).into_iter().flatten().collect();
    let ends: HashSet<usize> =
        text.copied_from(found.iter().map(|t| t.range.end - 1)).into_iter().flatten().collect();
    let replaced: BTreeMap<usize, usize> = places
        .iter()
        .flat_map(|place| &place.edits)
        .filter(|edit| !edit.range.is_empty())
        .map(|edit| (edit.range.start, edit.range.end))
        .collect();
    for token in &source.tokens {
        let is_replaced =
            replaced.range(..=token.range.start).next_back().is_some_and(|(_, end)| *end > token.range.start);
        let stands = starts.contains(&token.range.start) && ends.contains(&(token.range.end - 1));
        if !(is_replaced || stands) {
            return Err(format!("`{}` at byte {}", token.text, token.range.start));
        }
    }
    Ok(())
}

/// The bytes that edits replace, and where they insert.
#[derive(Default)]
struct Taken {
    replaced: BTreeMap<usize, usize>,
    inserted: std::collections::BTreeSet<usize>,
}

impl Taken {
    /// Takes a place, if it crosses none that was taken.
    fn take(&mut self, place: &Place) -> bool {
        let free = place.edits.iter().all(|edit| {
            let range = &edit.range;
            let below = self.replaced.range(..range.end.max(range.start + 1)).next_back();
            let ends_before = below.is_none_or(|(start, end)| {
                *end <= range.start || (range.is_empty() && *start >= range.start)
            });
            let inside = self.inserted.range(range.start + 1..range.end.max(range.start + 1)).next();
            ends_before && inside.is_none()
        });
        if free {
            for edit in &place.edits {
                if edit.range.is_empty() {
                    self.inserted.insert(edit.range.start);
                } else {
                    self.replaced.insert(edit.range.start, edit.range.end);
                }
            }
        }
        free
    }
}

/// The places that the parse accepts together: those at its errors are taken back first, then halves are tried.
fn accepted(source: &Source, mut places: Vec<Place>, parser: &Parser<'_>) -> Result<Vec<Place>, String> {
    let mut parses = 0;
    while parses < 12 {
        let text = rewritten(source, &places);
        let errors = parser.errors(&text)?;
        if errors.is_empty() {
            return Ok(places);
        }
        parses += 1;
        let before = places.len();
        let base = edited(&Text::new(&source.plain), &places, source.tells_lines);
        for at in errors.into_iter().flatten() {
            // The plan's places are of this text's base, the errors of the new text.
            let Some((low, high)) = base.origin(at) else { continue };
            let distance = |place: &Place| {
                place
                    .edits
                    .iter()
                    .map(|e| {
                        let gap = e.range.start.saturating_sub(high).max(low.saturating_sub(e.range.end));
                        (gap, e.range.len())
                    })
                    .min()
                    .unwrap_or((usize::MAX, 0))
            };
            if let Some((nearest, _)) = places.iter().enumerate().min_by_key(|(_, place)| distance(place)) {
                places.remove(nearest);
            }
        }
        if places.len() == before {
            break;
        }
    }
    let mut kept = Vec::new();
    halves(source, &mut kept, &places, parser, &mut parses)?;
    Ok(kept)
}

/// Adds to `kept` what of `more` the parse accepts.
fn halves(
    source: &Source,
    kept: &mut Vec<Place>,
    more: &[Place],
    parser: &Parser<'_>,
    parses: &mut usize,
) -> Result<(), String> {
    if more.is_empty() || *parses >= PARSES {
        return Ok(());
    }
    *parses += 1;
    let all: Vec<Place> = kept.iter().chain(more).cloned().collect();
    if parser.errors(&rewritten(source, &all))?.is_empty() {
        *kept = all;
        return Ok(());
    }
    if more.len() > 1 {
        let (first, second) = more.split_at(more.len() / 2);
        halves(source, kept, first, parser, parses)?;
        halves(source, kept, second, parser, parses)?;
    }
    Ok(())
}
