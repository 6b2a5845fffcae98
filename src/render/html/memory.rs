//! The picture of the memory that a finding is about: the object, and the bytes that are touched.

use super::text::escaped;
use cudair_ir::TouchedBytes;
use std::fmt::Write;

const WIDTH: u32 = 480;
const HEIGHT: u32 = 104;
/// Where the object begins and ends. On either side there is room for bytes outside of it.
const OBJECT: (f64, f64) = (100.0, 380.0);
/// The distance from the object of bytes that lie outside and do not adjoin it.
const GAP: f64 = 26.0;
/// How wide bytes outside are drawn, however many they are, and the least width inside.
const OUTSIDE: f64 = 36.0;
const LEAST: f64 = 3.0;
/// The bar's upper and lower edge.
const BAR: (u32, u32) = (34, 62);

/// Where bytes are drawn, from the first to behind the last.
fn place(m: &TouchedBytes, (offset, bytes): (i64, u64)) -> (f64, f64) {
    let (first, end) = (i128::from(offset), i128::from(offset) + i128::from(bytes));
    let size = i128::from(m.size);
    let inside = |at: i128| OBJECT.0 + (OBJECT.1 - OBJECT.0) * at as f64 / size.max(1) as f64;
    let from = match first {
        _ if first > size || size == 0 && first > 0 => OBJECT.1 + GAP,
        _ if first >= 0 => inside(first),
        _ if end < 0 => OBJECT.0 - GAP - OUTSIDE,
        _ => OBJECT.0 - OUTSIDE,
    };
    let to = match end {
        _ if first >= size => from + OUTSIDE,
        _ if end > size => OBJECT.1 + OUTSIDE,
        _ if end >= 0 => inside(end),
        _ => from + OUTSIDE,
    };
    // Thin ones stay inside of the bar.
    if to - from < LEAST {
        (from.min(OBJECT.1 - LEAST), from.min(OBJECT.1 - LEAST) + LEAST)
    } else {
        (from, to)
    }
}

/// "byte 3", "bytes 4 to 7"
fn range((offset, bytes): (i64, u64)) -> String {
    match bytes {
        1 => format!("byte {offset}"),
        _ => format!("bytes {offset} to {}", i128::from(offset) + i128::from(bytes) - 1),
    }
}

/// The picture.
pub(super) fn picture(m: &TouchedBytes, anchor: &str) -> String {
    let id = format!("{anchor}-memory");
    let (object, bytes) = (m.object.trim_matches('`'), if m.size == 1 { "byte" } else { "bytes" });
    let touched = (m.offset, m.bytes);
    let mut said = format!("{object}, {} {bytes}; touched: {}", m.size, range(touched));
    if let Some(unwritten) = m.unwritten {
        let _ = write!(said, "; not initialised: {}", range(unwritten));
    }
    let (top, bottom) = BAR;
    let (left, right) = OBJECT;
    let high = bottom - top;
    let mut out = format!(
        "<figure class=\"picture\">\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-labelledby=\"{id}\">\n<title id=\"{id}\">{}</title>\n",
        escaped(&said)
    );
    let _ = writeln!(
        out,
        "<text class=\"code\" x=\"{left}\" y=\"22\">{}</text>\n\
         <rect class=\"object\" x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{high}\"/>\n\
         <text class=\"faint\" x=\"{left}\" y=\"{}\" text-anchor=\"middle\">0</text>\n\
         <text class=\"faint\" x=\"{right}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
        escaped(&super::text::cut(&format!("{object}, {} {bytes}", m.size), 40)),
        right - left,
        bottom + 16,
        bottom + 16,
        m.size
    );
    let (from, to) = place(m, touched);
    let _ = writeln!(
        out,
        "<rect class=\"access\" x=\"{from:.1}\" y=\"{}\" width=\"{:.1}\" height=\"{}\"/>",
        top - 3,
        to - from,
        high + 6
    );
    if let Some(unwritten) = m.unwritten {
        let (from, to) = place(m, unwritten);
        let _ = writeln!(
            out,
            "<rect class=\"unwritten\" x=\"{from:.1}\" y=\"{top}\" width=\"{:.1}\" height=\"{high}\"/>",
            to - from
        );
    }
    let what = match m.unwritten {
        Some(unwritten) if unwritten == touched => format!("{}: not initialised", range(touched)),
        Some(unwritten) => format!("{}; not initialised: {}", range(touched), range(unwritten)),
        None => range(touched),
    };
    let middle = f64::midpoint(from, to).clamp(110.0, f64::from(WIDTH) - 110.0);
    let _ = writeln!(
        out,
        "<text x=\"{middle:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n</svg>\n</figure>",
        HEIGHT - 8,
        escaped(&what)
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touched(size: u64, offset: i64, bytes: u64) -> TouchedBytes {
        TouchedBytes { object: "`data`".to_owned(), size, offset, bytes, unwritten: None }
    }

    #[test]
    fn bytes_lie_where_they_are() {
        let of = |size, offset, bytes| place(&touched(size, offset, bytes), (offset, bytes));
        assert_eq!(of(280, 0, 280), OBJECT);
        assert_eq!(of(280, 28, 28), (128.0, 156.0));
        // Just behind the object, and far behind.
        assert_eq!(of(280, 280, 4), (OBJECT.1, OBJECT.1 + OUTSIDE));
        assert_eq!(of(280, 1 << 40, 4), (OBJECT.1 + GAP, OBJECT.1 + GAP + OUTSIDE));
        // In part behind it, in part before it, and before it.
        assert_eq!(of(280, 252, 1 << 20), (352.0, OBJECT.1 + OUTSIDE));
        assert_eq!(of(280, -4, 32), (OBJECT.0 - OUTSIDE, 128.0));
        assert_eq!(of(280, -4, 4), (OBJECT.0 - OUTSIDE, OBJECT.0));
        assert_eq!(of(280, -8, 4), (OBJECT.0 - GAP - OUTSIDE, OBJECT.0 - GAP));
        // One byte of many, at the end, too; and no byte at all to lie in.
        assert_eq!(of(1 << 30, 1 << 29, 1), (240.0, 240.0 + LEAST));
        assert_eq!(of(1 << 30, (1 << 30) - 1, 1), (OBJECT.1 - LEAST, OBJECT.1));
        assert_eq!(of(0, 0, 4).0, OBJECT.0);
        for (offset, bytes) in [(i64::MIN, u64::MAX), (i64::MAX, u64::MAX), (0, u64::MAX), (-1, 1)] {
            let (from, to) = of(u64::MAX, offset, bytes);
            assert!(0.0 <= from && from < to && to <= f64::from(WIDTH), "{offset} {bytes}: {from} {to}");
        }
    }

    #[test]
    fn the_picture_says_what_is_not_initialised() {
        let m = TouchedBytes { unwritten: Some((6, 2)), ..touched(400, 4, 4) };
        let drawn = picture(&m, "f1");
        assert!(
            drawn.contains("data, 400 bytes; touched: bytes 4 to 7; not initialised: bytes 6 to 7"),
            "{drawn}"
        );
        assert!(roxmltree::Document::parse(&drawn).is_ok(), "{drawn}");
    }
}
