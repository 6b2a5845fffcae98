//! Labels that a narrow terminal has no room for: their arrows are shortened, and their text goes on below.

use super::human::wrap;

/// Room that a label is to have, at least, behind its arrow.
const ROOM: usize = 16;
/// Columns of an arrow that stay.
const ARROW: usize = 2;

/// A character, and the escape sequences in front of it.
type Cell = (String, char);

/// An excerpt whose labels end before a column, as far as their text can be broken.
pub(super) fn labels(drawing: &str, width: usize) -> String {
    let mut out = String::new();
    for line in drawing.lines() {
        let (cells, end) = cells(line);
        match (cells.len() > width).then(|| label(&cells)).flatten() {
            Some((bar, start)) => broken(&mut out, &cells, bar, start, width),
            None => {
                out.push_str(line);
                debug_assert!(line.ends_with(&end));
                out.push('\n');
            }
        }
    }
    out
}

fn cells(line: &str) -> (Vec<Cell>, String) {
    let mut cells = Vec::new();
    let mut escapes = String::new();
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            escapes.push(c);
            for c in chars.by_ref() {
                escapes.push(c);
                if c.is_ascii_alphabetic() {
                    break;
                }
            }
        } else {
            cells.push((std::mem::take(&mut escapes), c));
        }
    }
    (cells, escapes)
}

/// Where the bar beside the numbers of lines stands and where the text of a label begins, if the line has one.
fn label(cells: &[Cell]) -> Option<(usize, usize)> {
    let bar = cells.iter().position(|(_, c)| *c == '│')?;
    if cells[..bar].iter().any(|(_, c)| *c != ' ') {
        return None;
    }
    let is_drawn =
        |c: char| matches!(c, ' ' | '│' | '├' | '╰' | '╭' | '─' | '┤' | '╮' | '╯' | '┼' | '┬' | '┴' | '▶');
    let start = bar + 1 + cells[bar + 1..].iter().position(|(_, c)| !is_drawn(*c))?;
    let has_arrow = cells[bar..start].iter().any(|(_, c)| *c == '─') && cells[start - 1].1 == ' ';
    has_arrow.then_some((bar, start))
}

fn broken(out: &mut String, cells: &[Cell], bar: usize, start: usize, width: usize) {
    let text: String = cells[start..].iter().map(|(_, c)| *c).collect();
    let mut before = cells[..start].to_vec();
    let wanted = text.chars().count().min(ROOM * 2);
    let arrow = before[..start - 1].iter().rev().take_while(|(_, c)| *c == '─').count();
    let short = (before.len() + wanted).saturating_sub(width).min(arrow.saturating_sub(ARROW));
    before.drain(start - 1 - short..start - 1);
    let escaped =
        |cells: &[Cell]| cells.iter().flat_map(|(e, c)| [e.clone(), c.to_string()]).collect::<String>();
    // The first cell of the text ends the colour of the arrow.
    let reset = &cells[start].0;
    let below: String = before
        .iter()
        .map(|(_, c)| match c {
            '│' | '├' | '╭' | '┼' | '┬' => '│',
            _ => ' ',
        })
        .collect();
    let room = width.saturating_sub(before.len());
    let (first, below, room) = if room >= ROOM.min(text.chars().count()) {
        (None, below, room)
    } else {
        // There is no room behind the arrow: all of the text goes below.
        let indent =
            width.saturating_sub(text.chars().count()).clamp(bar + 4, below.chars().count().max(bar + 4));
        let gutter: String = below.chars().chain("   ".chars()).take(indent).collect();
        (Some(escaped(&before)), gutter, width.saturating_sub(indent).max(1))
    };
    for (n, line) in wrap(&text, room).lines().enumerate() {
        match (&first, n) {
            (None, 0) => out.push_str(&(escaped(&before) + reset)),
            (Some(arrow), 0) => out.push_str(&format!("{}{reset}\n{below}", arrow.trim_end())),
            _ => out.push_str(&below),
        }
        out.push_str(line);
        out.push('\n');
    }
}
