//! Changes of text that know of tokens only, for the parser and the verifier.

use crate::random::Random;

/// Numbers at which readers of numbers turn.
const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "255",
    "256",
    "65536",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "0x",
];

/// Where words, numbers and signs of a text begin and end.
fn tokens(text: &str) -> Vec<(usize, usize)> {
    let word = |c: char| c.is_alphanumeric() || "_$.".contains(c);
    let mut out: Vec<(usize, usize)> = Vec::new();
    let mut in_word = false;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        match out.last_mut() {
            Some(last) if in_word && word(c) => last.1 = end,
            _ if c.is_whitespace() => {}
            _ => out.push((at, end)),
        }
        in_word = word(c);
    }
    out
}

/// Changes a text once or a few times.
pub fn mutate(text: &str, random: &mut Random) -> String {
    let mut out = text.to_owned();
    for _ in 0..=random.below(3) {
        out = once(&out, random);
    }
    out
}

fn once(text: &str, random: &mut Random) -> String {
    let all = tokens(text);
    if all.is_empty() {
        return "func".to_owned();
    }
    let (start, end) = *random.pick(&all);
    let with = |new: &str| format!("{}{new}{}", &text[..start], &text[end..]);
    let (from, to) = *random.pick(&all);
    let another = &text[from..to];
    match random.below(12) {
        0 => with(""),
        1 => with(&format!("{0} {0}", &text[start..end])),
        2 | 3 => with(another),
        4 => with(&format!("{} {another}", &text[start..end])),
        5 | 6 => {
            let numbers: Vec<&(usize, usize)> =
                all.iter().filter(|t| text[t.0..].starts_with(|c: char| c.is_ascii_digit())).collect();
            if numbers.is_empty() {
                return with("0");
            }
            let &&(start, end) = random.pick(&numbers);
            format!("{}{}{}", &text[..start], random.pick(&NUMBERS), &text[end..])
        }
        7 => {
            // The number at a word's end: another value, block, type or place.
            let word = text[start..end].trim_end_matches(|c: char| c.is_ascii_digit());
            with(&format!("{word}{}", random.pick(&NUMBERS)))
        }
        8 => text[..start].to_owned(),
        9 => {
            let signs = ["\"", "{", "}", "(", ")", "@", ";", "=", "->", "\n", "\u{e9}", "\0", ",", ":", "-"];
            with(signs[random.below(signs.len())])
        }
        _ => {
            let mut lines: Vec<&str> = text.lines().collect();
            let (a, b) = (random.below(lines.len()), random.below(lines.len()));
            match random.below(3) {
                0 => lines.swap(a, b),
                1 => lines.insert(a, lines[b]),
                _ => {
                    lines.remove(a);
                }
            }
            lines.join("\n") + "\n"
        }
    }
}
