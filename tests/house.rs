//! What the tests' own tools promise: samples, and one idea of which libclang is right.

#[allow(dead_code, reason = "what the harnesses use of it is not used here")]
#[path = "ui/sample.rs"]
mod sample;

use cudair_frontend::clang::WHEEL;
use sample::Sample;

fn names() -> Vec<String> {
    (0..1000).map(|n| format!("run/pass/number_{n}.cu")).collect()
}

fn kept(text: &str) -> Vec<String> {
    Sample::read(text).expect("a sample").keep(names(), String::as_str)
}

#[test]
fn a_sample_is_a_fraction_and_the_same_again() {
    let first = kept("deadbeef/10");
    assert!((60..150).contains(&first.len()), "{} of 1000", first.len());
    assert_eq!(first, kept("deadbeef/10"));
    assert_ne!(first, kept("deadbee0/10"));
    assert_eq!(kept("1/1"), names());
    assert_eq!(kept("1/1000000000").len(), 1, "never none");
}

#[test]
fn what_is_no_sample_is_refused() {
    for text in ["", "1", "1/", "/2", "1/0", "1/x"] {
        assert!(Sample::read(text).is_err(), "{text}");
    }
}

#[test]
fn the_script_and_the_loader_name_the_same_wheel() {
    let script = include_str!("../x");
    assert!(script.contains(&format!("\nwheel_version={WHEEL}\n")));
    let rows = script.split_once("wheels=\"\\\n").and_then(|(_, rest)| rest.split_once('"'));
    let rows = rows.expect("the table of wheels").0.replace("\\\n", "");
    assert_eq!(rows.lines().count(), 6);
    for row in rows.lines() {
        let words: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(words.len(), 5, "{row}");
        assert!(words[3].len() == 64 && words[3].bytes().all(|b| b.is_ascii_hexdigit()), "{row}");
    }
}
