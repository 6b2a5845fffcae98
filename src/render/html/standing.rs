//! The picture of threads that wait for others: the block, a warp a row, and where each of its threads is.

use super::listing::Listing;
use super::text::escaped;
use cudair_ir::{Finding, ThreadsAt};
use std::fmt::Write;

const WIDTH: u32 = 480;
/// Threads of a row, and how large one is drawn.
const WARP: u32 = 32;
const CELL: u32 = 12;
const HIGH: u32 = 14;
/// Where the rows begin.
const LEFT: u32 = 84;
const TOP: u32 = 24;
/// Rows that are drawn; those behind them are counted.
const MOST_ROWS: u32 = 32;
/// Places that are told apart: as many as there are patterns.
const MOST_PLACES: usize = 4;

/// Rows and columns of the cells that threads of a range take: row, first column, how many.
fn pieces([first, last]: [u32; 2]) -> impl Iterator<Item = (u32, u32, u32)> {
    (first / WARP..=last / WARP).map(move |row| {
        let from = first.max(row * WARP);
        let to = last.min(row * WARP + WARP - 1);
        (row, from % WARP, to - from + 1)
    })
}

/// "threads 0 to 15 wait at line 7"
fn said(all: &ThreadsAt) -> String {
    let count: u32 = all.threads.iter().map(|[first, last]| last - first + 1).sum();
    let range =
        |&[first, last]: &[u32; 2]| if first == last { first.to_string() } else { format!("{first}-{last}") };
    let mut ranges: Vec<String> = all.threads.iter().take(4).map(range).collect();
    if all.threads.len() > 4 {
        ranges.push("…".to_owned());
    }
    let does = match (all.left, count) {
        (false, 1) => "waits at",
        (false, _) => "wait at",
        (true, 1) => "has left at",
        (true, _) => "have left at",
    };
    let word = if count == 1 { "thread" } else { "threads" };
    format!("{word} {} {does} line {}", ranges.join(", "), all.place.start.line)
}

/// The picture, if it is known where the threads are.
pub(super) fn picture(f: &Finding, anchor: &str, listing: &Listing) -> Option<String> {
    let [Some(x), Some(y), Some(z)] = f.dims.block else { return None };
    let threads = x.checked_mul(y)?.checked_mul(z)?;
    let (places, more) = f.standing.split_at(f.standing.len().min(MOST_PLACES));
    if places.is_empty() || threads == 0 {
        return None;
    }
    let all_rows = threads.div_ceil(WARP);
    let rows = all_rows.min(MOST_ROWS);
    let below = TOP + rows * HIGH + 20;
    let height = below + 18 * places.len() as u32 + if all_rows > rows || !more.is_empty() { 18 } else { 0 };
    let block = f.threads.first().map_or(String::new(), |t| format!("block {}, ", f.dims.block(t.block)));
    let title: Vec<String> = places.iter().map(said).collect();
    let id = format!("{anchor}-standing");
    let mut out = format!(
        "<figure class=\"picture\">\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-labelledby=\"{id}\">\n<title id=\"{id}\">{}</title>\n",
        escaped(&format!("{block}{threads} threads: {}", title.join("; ")))
    );
    let _ = writeln!(
        out,
        "<text class=\"faint\" x=\"{LEFT}\" y=\"14\">{}{threads} threads, a warp a row</text>",
        escaped(&block)
    );
    for row in 0..rows {
        let (y, wide) = (TOP + row * HIGH, (threads - row * WARP).min(WARP) * CELL);
        let _ = writeln!(
            out,
            "<text class=\"faint\" x=\"{}\" y=\"{}\" text-anchor=\"end\">warp {row}</text>\n\
             <rect class=\"object\" x=\"{LEFT}\" y=\"{y}\" width=\"{wide}\" height=\"{}\"/>",
            LEFT - 8,
            y + 11,
            HIGH - 2
        );
    }
    for (n, all) in places.iter().enumerate() {
        for (row, column, count) in all.threads.iter().copied().flat_map(pieces).filter(|p| p.0 < rows) {
            let _ = writeln!(
                out,
                "<rect class=\"stands{n}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                LEFT + column * CELL,
                TOP + row * HIGH,
                count * CELL,
                HIGH - 2
            );
        }
        let y = below + 18 * n as u32;
        let _ = writeln!(
            out,
            "<rect class=\"stands{n}\" x=\"{LEFT}\" y=\"{}\" width=\"{CELL}\" height=\"12\"/>",
            y - 10
        );
        let text = format!("<text x=\"{}\" y=\"{y}\">{}</text>", LEFT + CELL + 8, escaped(&said(all)));
        match listing.anchor(&all.place) {
            Some(anchor) => {
                let _ = writeln!(out, "<a href=\"#{anchor}\">{text}</a>");
            }
            None => out.push_str(&(text + "\n")),
        }
    }
    let mut unseen = Vec::new();
    if all_rows > rows {
        unseen.push(format!("{} more warps", all_rows - rows));
    }
    if !more.is_empty() {
        unseen.push(format!("{} more places", more.len()));
    }
    if !unseen.is_empty() {
        let _ = writeln!(
            out,
            "<text class=\"faint\" x=\"{LEFT}\" y=\"{}\">and {}</text>",
            height - 6,
            unseen.join(", ")
        );
    }
    out.push_str("</svg>\n<figcaption>Where the threads of the block are: those that wait go on only when all others come.</figcaption>\n</figure>\n");
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_cut_at_warps() {
        let of = |range| pieces(range).collect::<Vec<_>>();
        assert_eq!(of([0, 31]), [(0, 0, 32)]);
        assert_eq!(of([30, 33]), [(0, 30, 2), (1, 0, 2)]);
        assert_eq!(of([70, 70]), [(2, 6, 1)]);
    }
}
