//! How reports for people look where they are written: colours, the width of a terminal, ASCII alone.

use super::human::without_escapes;
use std::ffi::OsString;
use std::io::IsTerminal;
use terminal_size::{Width, terminal_size_of};

/// See the module's documentation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Look {
    /// With colours.
    pub colour: bool,
    /// The columns of a terminal; elsewhere headlines are one line, and text is wrapped for [`USUAL`] columns.
    pub width: Option<usize>,
    /// The locale's characters are not those of UTF-8.
    pub ascii: bool,
}

/// Columns that text is wrapped at where there is room: longer lines are hard to read.
const USUAL: usize = 80;
/// Columns that a terminal is taken to have at least.
const LEAST: usize = 40;

impl Look {
    /// For stderr, whatever that is.
    pub fn of_stderr() -> Look {
        let stderr = std::io::stderr();
        let set = |name: &str| std::env::var_os(name);
        let terminal = stderr.is_terminal();
        let size = terminal_size_of(&stderr).filter(|_| terminal);
        Look {
            colour: terminal
                && set("NO_COLOR").is_none_or(|v| v.is_empty())
                && set("TERM").is_none_or(|t| t != "dumb"),
            // A terminal that does not know its size says 0.
            width: size.map(|(Width(w), _)| usize::from(w)).filter(|w| *w > 0).map(|w| w.max(LEAST)),
            ascii: is_ascii(set),
        }
    }

    /// For a file.
    pub fn of_file() -> Look {
        Look { ascii: is_ascii(|name| std::env::var_os(name)), ..Look::default() }
    }

    /// Columns that text is wrapped at.
    pub fn columns(self) -> usize {
        self.width.map_or(USUAL, |w| w.clamp(LEAST, USUAL))
    }

    /// A text in characters that can be shown.
    pub fn shown(self, text: String) -> String {
        if self.ascii { ascii(&text) } else { text }
    }
}

/// Whether the locale names another encoding than UTF-8. Where nothing names a locale, UTF-8 it is: that is how
/// containers are, whose terminals are outside.
fn is_ascii(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable).find(|v| !v.is_empty());
    set.is_some_and(|v| {
        let name = v.to_string_lossy().to_ascii_lowercase();
        !name.contains("utf-8") && !name.contains("utf8")
    })
}

/// Our own characters as ASCII; those of sources stay.
fn ascii(text: &str) -> String {
    text.split_inclusive('\n').map(ascii_line).collect()
}

fn ascii_line(line: &str) -> String {
    let bar = line.find('│');
    // The number of a line of the source, in front of it.
    let numbered = bar.filter(|&at| without_escapes(&line[..at]).trim().parse::<u32>().is_ok());
    let Some(at) = numbered else {
        // A line below a source line that marks its parts has no corners.
        let marks = line.contains('┬') && !line.contains(['╭', '╮', '╰', '╯']);
        return line.chars().map(|c| if marks && c == '─' { "^".to_owned() } else { character(c) }).collect();
    };
    // Behind the bar stand the drawing's own lines, perhaps the mark of a cut, and the source.
    let mut out: String = line[..at].chars().map(character).collect();
    let mut rest = line[at..].chars();
    let mut escape = false;
    for c in rest.by_ref() {
        escape |= c == '\u{1b}';
        let own = escape || c == ' ' || "│├╭╰─┤╮╯┼┬┴▶…".contains(c);
        escape &= c != 'm';
        out.push_str(&if c == CUT {
            "~".to_owned()
        } else if own {
            character(c)
        } else {
            c.to_string()
        });
        if !own || c == CUT {
            break;
        }
    }
    let source = rest.as_str();
    let end = source.rfind(CUT).filter(|&n| without_escapes(&source[n + CUT.len_utf8()..]).trim().is_empty());
    match end {
        Some(n) => out + &source[..n] + "~" + &source[n + CUT.len_utf8()..],
        None => out + source,
    }
}

/// What stands for a part of a line that is not drawn.
const CUT: char = '…';

fn character(c: char) -> String {
    let text = match c {
        '─' => "-",
        '│' | '┬' | '├' | '┤' => "|",
        '╭' => ",",
        '╮' => ".",
        '╰' => "`",
        '╯' => "'",
        '┼' | '┴' => "+",
        '▶' => ">",
        '◀' => "<",
        '┆' | '·' => ":",
        '…' => "...",
        '→' => "->",
        '×' => "x",
        '–' | '−' => "-",
        '≤' => "<=",
        '≥' => ">=",
        c => return c.to_string(),
    };
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_decides() {
        let of = |all: &[(&str, &str)]| {
            is_ascii(|name| all.iter().find(|(n, _)| *n == name).map(|(_, value)| OsString::from(value)))
        };
        assert!(!of(&[]) && !of(&[("LANG", "")]) && !of(&[("LANG", "de_DE.UTF-8")]));
        assert!(of(&[("LANG", "C")]) && of(&[("LANG", "de_DE.ISO-8859-1")]) && of(&[("LC_CTYPE", "POSIX")]));
        assert!(of(&[("LANG", "C.UTF-8"), ("LC_ALL", "C")]) && !of(&[("LC_CTYPE", "C.utf8"), ("LANG", "C")]));
        assert!(of(&[("LC_ALL", ""), ("LC_CTYPE", "C"), ("LANG", "C.UTF-8")]));
    }

    #[test]
    fn sources_stay_as_they_are() {
        let line = " 12 │ ╭─▶ … a → \"─…\"; …\n";
        assert_eq!(ascii(line), " 12 | ,-> ~ a → \"─…\"; ~\n");
        let coloured = "\u{1b}[38m7 │\u{1b}[0m \u{1b}[0m…\u{1b}[0m é…\u{1b}[0m\n";
        assert_eq!(ascii(coloured), "\u{1b}[38m7 |\u{1b}[0m \u{1b}[0m~\u{1b}[0m é~\u{1b}[0m\n");
        assert_eq!(
            ascii("    │ ──┬── … 2 × 3\n    │   ╰─── a → b\n"),
            "    | ^^|^^ ... 2 x 3\n    |   `--- a -> b\n"
        );
        assert_eq!(ascii("  note: 2 × 3 …"), "  note: 2 x 3 ...");
    }

    #[test]
    fn a_width_is_never_less_than_forty() {
        let columns = |width| Look { width, ..Look::default() }.columns();
        assert_eq!([None, Some(20), Some(60), Some(300)].map(columns), [80, 40, 60, 80]);
    }
}
