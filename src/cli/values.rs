//! The values of options: from a word to what it means, or a sentence for the user.

use super::{Format, Target};
use cudair_ir::Kind;
use std::path::PathBuf;

/// Extents, `X[,Y[,Z]]`.
pub fn extents(text: &str) -> Result<[u32; 3], String> {
    let mut out = [1; 3];
    let parts: Vec<&str> = text.split([',', 'x']).collect();
    if parts.len() > 3 {
        return Err("expected at most three extents: X,Y,Z".to_owned());
    }
    for (slot, part) in out.iter_mut().zip(parts) {
        *slot = part.trim().parse().ok().filter(|&n| n > 0).ok_or("expected positive numbers: X,Y,Z")?;
    }
    Ok(out)
}

/// A number of bytes, perhaps with K, M or G.
pub fn bytes(text: &str) -> Result<u64, String> {
    let (digits, scale) = match text.trim_end_matches(['B', 'b', 'i']).char_indices().last() {
        Some((at, 'K' | 'k')) => (&text[..at], 1 << 10),
        Some((at, 'M' | 'm')) => (&text[..at], 1 << 20),
        Some((at, 'G' | 'g')) => (&text[..at], 1 << 30),
        _ => (text, 1u64),
    };
    let n: u64 =
        digits.parse().map_err(|_| "expected a number of bytes, such as 4000000 or 512M".to_owned())?;
    n.checked_mul(scale).ok_or_else(|| "this is more than 2^64 bytes".to_owned())
}

/// A whole number.
pub fn whole<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "expected a whole number, such as 1000".to_owned())
}

/// A positive number of seconds.
pub fn seconds(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|s: &f64| s.is_finite() && *s > 0.0)
        .ok_or_else(|| "expected a positive number of seconds".to_owned())
}

/// A kind of findings.
pub fn kind(text: &str) -> Result<Kind, String> {
    Kind::from_name(text).ok_or_else(|| {
        let names: Vec<&str> = Kind::ALL.iter().map(|k| k.name()).collect();
        match closest(text, &names) {
            Some(near) => format!("no such kind; did you mean `{near}`?"),
            None => "no such kind; `cudair explain` lists them".to_owned(),
        }
    })
}

/// Seeds of one command at most.
const MOST_SEEDS: u64 = 1 << 16;

/// A range of seeds.
pub fn seeds(text: &str) -> Result<(u64, u64), String> {
    text.split_once("..")
        .and_then(|(a, b)| {
            let end: u64 = match b.strip_prefix('=') {
                Some(last) => last.parse::<u64>().ok()?.checked_add(1)?,
                None => b.parse().ok()?,
            };
            Some((a.parse().ok()?, end))
        })
        .filter(|(a, b): &(u64, u64)| a < b && b - a <= MOST_SEEDS)
        .ok_or_else(|| format!("expected a range of seeds, such as 0..16, of at most {MOST_SEEDS}"))
}

/// A launch or a range of them.
pub fn launches(text: &str) -> Result<(u64, u64), String> {
    let range = match text.split_once("..") {
        None => text.parse().ok().and_then(|n: u64| Some((n, n.checked_add(1)?))),
        Some((a, b)) => {
            let end = match b.strip_prefix('=') {
                Some(last) => last.parse::<u64>().ok().and_then(|n| n.checked_add(1)),
                None if b.is_empty() => Some(u64::MAX),
                None => b.parse().ok(),
            };
            a.parse().ok().zip(end)
        }
    };
    range
        .filter(|(a, b)| a < b)
        .ok_or_else(|| "expected the number of a launch, such as 3, or a range, such as 3..6".to_owned())
}

/// Where a report goes: `FILE` or `FORMAT:FILE`. What is no format belongs to the file's name.
pub fn target(text: &str) -> Result<Target, String> {
    let (format, file) = match text.split_once(':') {
        Some((name, file)) if Format::from_name(name).is_some() => (Format::from_name(name), file),
        _ => (None, text),
    };
    if file.is_empty() {
        return Err("expected a file, such as report.json or sarif:report.sarif".to_owned());
    }
    Ok(Target { format, file: PathBuf::from(file) })
}

/// The name that is nearest to what was written, if one is near.
pub fn closest<'a>(text: &str, names: &[&'a str]) -> Option<&'a str> {
    // How many letters are put in, left out, changed, or swapped with the next.
    let distance = |a: &str, b: &str| {
        let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
        for i in 1..=a.len() {
            let mut row = vec![i];
            for j in 1..=b.len() {
                let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut least = changed.min(row[j - 1] + 1).min(rows[i - 1][j] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    least = least.min(rows[i - 2][j - 2] + 1);
                }
                row.push(least);
            }
            rows.push(row);
        }
        rows[a.len()][b.len()]
    };
    let near = names.iter().map(|n| (distance(text, n), *n)).min()?;
    (near.0 <= near.1.len().div_ceil(3)).then_some(near.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near() {
        let names = ["one", "two", "shared-race", "global-race"];
        for (text, near) in [
            ("oen", Some("one")),
            ("shared-rase", Some("shared-race")),
            ("sharedrace", Some("shared-race")),
            ("two", Some("two")),
            ("xyz", None),
            ("", None),
        ] {
            assert_eq!(closest(text, &names), near, "{text}");
        }
    }

    #[test]
    fn where_reports_go() {
        let to = |text: &str| target(text).map(|t| (t.format, t.file.display().to_string()));
        assert_eq!(to("a.txt"), Ok((None, "a.txt".to_owned())));
        assert_eq!(to("sarif:a.txt"), Ok((Some(Format::Sarif), "a.txt".to_owned())));
        assert_eq!(to("junit:a:b"), Ok((Some(Format::Junit), "a:b".to_owned())));
        assert_eq!(to("C:a.txt"), Ok((None, "C:a.txt".to_owned())));
        assert_eq!(to("./sarif:a"), Ok((None, "./sarif:a".to_owned())));
        assert!(target("sarif:").is_err() && target("").is_err());
    }
}
