//! Tests of the test: its tokenizer and its places.

use crate::text::{Edit, Text, line_of, offset_of};
use crate::token::tokens;
use libtest_mimic::{Failed, Trial};

/// Source text and its tokens, a blank between each two.
const TOKENS: [(&str, &str); 14] = [
    ("a+++b", "a ++ + b"),
    ("x /* ) */ y // (\nz", "x y z"),
    ("R\"x()\" )x\" u8R\"(\\\n)\"_s;", "R\"x()\" )x\" u8R\"(\\\n)\"_s ;"),
    ("LR\"(a\")\" L\"b\\\"\" u'\\''", "LR\"(a\")\" L\"b\\\"\" u'\\''"),
    ("1'000'000u 0x1p-3f 1e+5 .5 3..4", "1'000'000u 0x1p-3f 1e+5 .5 3..4"),
    ("el\\\nse i\\\n\\\nf", "else if"),
    ("a<::b> c<::> d<:::e", "a < :: b > c <: :> d <: :: e"),
    ("%:define X %:%: Y", "%: define X %:%: Y"),
    ("#include <a/b.h>\n<a/b.h>", "# include <a/b.h> < a / b . h >"),
    ("k<<<1, 2>>>(p)", "k <<< 1 , 2 >>> ( p )"),
    ("\"x\"_km 'c'_c", "\"x\"_km 'c'_c"),
    ("a->*b<=>c...d", "a ->* b <=> c ... d"),
    ("\"/*\" '\"' \"//\"", "\"/*\" '\"' \"//\""),
    ("x/\\\n/ y\nz", "x z"),
];

fn tokenizer() -> Result<(), Failed> {
    for (text, expected) in TOKENS {
        let found: Vec<String> = tokens(text, true).into_iter().map(|t| t.text).collect();
        if found.join(" ") != expected {
            return Err(format!("{text:?}: {found:?}").into());
        }
    }
    let directives: Vec<bool> =
        tokens("a\n#if b \\\n c\nd # e", true).iter().map(|t| t.directive.is_some()).collect();
    if directives != [false, true, true, true, true, false, false, false] {
        return Err(format!("directives: {directives:?}").into());
    }
    Ok(())
}

fn places() -> Result<(), Failed> {
    let text = Text::new("int a;\nf(b + c);\n");
    // `b + c` in parentheses, and then behind a macro with them.
    let once = text.edited(&Edit::around(9..14, "(", ")"), &[], false);
    let line = crate::text::Line { text: "#define M (b + c)".to_owned(), range: Some(9..16) };
    let twice = once.edited(&[Edit::replace(9..16, "M"), Edit::insert(0, "/*\n*/")], &[line], true);
    let expected = "#define M (b + c)\n#line 1\n/*\n*/int a;\nf(M);\n";
    if twice.text() != expected {
        return Err(twice.text().into());
    }
    for (line, column, origin) in
        [(4, 3, (0, 0)), (4, 7, (4, 4)), (5, 1, (7, 7)), (5, 3, (9, 14)), (5, 5, (15, 15)), (1, 3, (9, 14))]
    {
        let found = offset_of(expected, line, column).and_then(|at| twice.origin(at));
        if found != Some(origin) {
            return Err(format!("{line}:{column} is of {found:?}, not of {origin:?}").into());
        }
    }
    if line_of(expected, 20) != 2 {
        return Err("line_of".into());
    }
    Ok(())
}

/// The tests.
pub fn trials() -> Vec<Trial> {
    vec![Trial::test("own/tokenizer", tokenizer), Trial::test("own/places", places)]
}
