//! Snapshots of each renderer over the same reports.

use super::{Look, Report, Sources, human, json, render, sarif};
use crate::cli::Format;
use cudair_ir::verdict::{Basis, Because, ByRun, Check, CheckVerdict, KernelVerdict, Outcome};
use cudair_ir::{
    Certainty, Diagnostic, DiagnosticClass, Finding, Kind, Origin, Pos, Severity, Span, ThreadCoord,
};
use cudair_vm::Unseen;

const PLAIN: Look = Look { colour: false, width: None, ascii: false };

const RACE: &str = "\
__global__ void reverse(int *data) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = data[t];

    data[t] = tile[63 - t];
}
";

const HELPER: &str = "\
// A helper with a tab and a wide letter: é
__device__ int\u{9}read(const int *p, int at) { return p[at]; }
";

pub(super) fn span(file: &str, from: (u32, u32), to: (u32, u32), label: &str) -> Span {
    let pos = |(line, col)| Pos { line, col };
    Span { file: file.to_owned(), start: pos(from), end: pos(to), spelling: None, label: label.to_owned() }
}

pub(super) fn thread(x: u32) -> ThreadCoord {
    ThreadCoord { block: [0; 3], thread: [x, 0, 0] }
}

pub(super) fn race() -> Finding {
    Finding {
        kernel: Some("reverse".to_owned()),
        launch: Some(0),
        primary: Some(span("reverse.cu", (6, 15), (6, 27), "read by thread (0,0,0)")),
        related: vec![span("reverse.cu", (4, 5), (4, 22), "written by thread (63,0,0)")],
        threads: vec![thread(0), thread(63)],
        notes: vec!["4 bytes at offset 252 of `tile`, which has 256 bytes".to_owned()],
        help: Some("put a barrier between the write and the read: `__syncthreads();`".to_owned()),
        count: 64,
        ..Finding::dynamic(Kind::SharedRace, "a read and a write of `tile` are not ordered")
    }
}

/// In two files, with a call path, and possible only.
fn across_files() -> Finding {
    Finding {
        severity: Severity::Warning,
        certainty: Certainty::Possible,
        origin: Origin::Static,
        primary: Some(span("helper.cuh", (2, 49), (2, 54), "read here")),
        related: vec![
            span("reverse.cu", (6, 5), (6, 12), "written here"),
            span("reverse.cu", (4, 15), (4, 22), "called from here"),
        ],
        schedule_dependent: true,
        seed: None,
        ..Finding::dynamic(Kind::GlobalRace, "a read may see a write of another block")
    }
}

/// A place in a file that nobody has.
pub(super) fn without_source() -> Finding {
    Finding {
        primary: Some(span("gone.cu", (12, 3), (12, 9), "4 bytes are read here")),
        related: vec![span("gone.cu", (7, 3), (7, 9), "allocated here")],
        threads: (0..7).map(thread).collect(),
        help: Some(
            "compare the index with the number of elements before the access; a grid that is rounded up to whole \
             blocks has threads beyond the end"
                .to_owned(),
        ),
        ..Finding::dynamic(Kind::OutOfBounds, "a read ends 4 bytes beyond an allocation of 40 bytes")
    }
}

/// Nowhere at all.
pub(super) fn without_place() -> Finding {
    Finding {
        severity: Severity::Warning,
        notes: vec!["128 bytes in 2 allocations".to_owned()],
        ..Finding::dynamic(Kind::MemoryLeak, "memory is never freed")
    }
}

/// A range over several lines, and one beyond the end of its line.
fn odd_ranges() -> Finding {
    Finding {
        primary: Some(span("reverse.cu", (1, 1), (7, 2), "this kernel is launched with 2048 threads")),
        related: vec![
            span("reverse.cu", (3, 20), (3, 400), "beyond the line"),
            span("reverse.cu", (99, 1), (99, 2), "no such line"),
        ],
        ..Finding::dynamic(Kind::InvalidLaunch, "a block may have 1024 threads")
    }
}

fn diagnostics() -> Vec<Diagnostic> {
    let mut parse = Diagnostic::new(DiagnosticClass::Parse, "expected ';' after expression");
    parse.primary = Some(span("reverse.cu", (3, 25), (3, 26), ""));
    let mut unsupported = Diagnostic::new(DiagnosticClass::Unsupported, "not supported: inline PTX");
    unsupported.primary = Some(span("reverse.cu", (2, 5), (2, 15), "this"));
    unsupported.related = vec![span("reverse.cu", (6, 5), (6, 12), "reached from here")];
    unsupported.help = Some("put it behind `#ifndef __CUDAIR__`".to_owned());
    vec![
        parse,
        unsupported,
        Diagnostic::new(DiagnosticClass::Limit, "the program used up its 1000000 operations (--fuel)"),
        Diagnostic::new(DiagnosticClass::Internal, "a fragment without lanes"),
        Diagnostic::new(DiagnosticClass::Usage, "nowhere.cu: no such file"),
    ]
}

pub(super) fn report() -> Report {
    Report {
        findings: vec![race(), across_files(), without_source(), without_place(), odd_ranges()],
        diagnostics: diagnostics(),
        reproduce: "cudair run reverse.cu".to_owned(),
        left_out: 2,
        suppressed: Vec::new(),
        unseen: Unseen {
            kernels: vec!["other".to_owned()],
            launches: 1,
            second_runs: 2,
            stranded: 1,
            words: 3,
            places: 2,
        },
        verdicts: verdicts(),
        exit: Some(3),
        ..Report::default()
    }
}

pub(super) fn verdicts() -> Vec<KernelVerdict> {
    let check = |check, outcome, why: Option<&str>, premises: &[&str]| CheckVerdict {
        check,
        outcome,
        basis: Basis::Analysis,
        why: why.map(str::to_owned),
        place: why.map(|_| span("reverse.cu", (4, 5), (4, 9), "")),
        places: usize::from(why.is_some()) * 2,
        premises: premises.iter().map(|&p| p.to_owned()).collect(),
    };
    let kernel = |name: &str, checks| KernelVerdict {
        kernel: name.to_owned(),
        place: Some(span("reverse.cu", (1, 17), (1, 24), "")),
        launches: "as launched here".to_owned(),
        checks,
        run: None,
    };
    let premises = ["parameters point to distinct memory", "no loop counter wraps around"];
    let checks = vec![
        check(Check::BarrierDivergence, Outcome::Proved, None, &[]),
        check(Check::SharedRaces, Outcome::Possible, Some("two threads may touch the same bytes"), &[]),
        check(Check::GlobalRaces, Outcome::Proved, None, &premises),
    ];
    let ran = |launches, checks, run| KernelVerdict {
        run: Some(ByRun { launches, ..run }),
        ..kernel("ran", checks)
    };
    let by_run = CheckVerdict {
        basis: Basis::Run,
        ..check(Check::SharedRaces, Outcome::ProvedForLaunches, None, &[])
    };
    let holds_for = vec!["arguments".to_owned(), "aliasing".to_owned()];
    let proved = ByRun { proved: true, holds_for, ..ByRun::default() };
    let clause = "an address depends on the value loaded at line 5".to_owned();
    let because = vec![Because { clause, place: Some(span("reverse.cu", (6, 5), (6, 9), "")) }];
    let clean = check(Check::GlobalRaces, Outcome::SeenClean, None, &[]);
    vec![
        kernel("reverse", checks),
        kernel("empty", Vec::new()),
        ran(2, vec![by_run], proved),
        ran(1, vec![clean], ByRun { because, ..ByRun::default() }),
        ran(0, vec![check(Check::Bounds, Outcome::NotLaunched, None, &[])], ByRun::default()),
    ]
}

pub(super) fn sources() -> Sources {
    let mut sources = Sources::default();
    sources.insert("reverse.cu", RACE);
    sources.insert("helper.cuh", HELPER);
    sources
}

pub(super) fn check(name: &str, text: &str) {
    insta::with_settings!({snapshot_path => "../../snapshots/render", prepend_module_to_snapshot => false, omit_expression => true}, {
        insta::assert_snapshot!(name, text);
    });
}

#[test]
fn people() {
    check("human", &human::render(&report(), &mut sources(), PLAIN));
    for (name, finding) in [("human_race", race()), ("human_across_files", across_files())] {
        check(name, &human::finding(&finding, None, &mut sources(), PLAIN));
    }
}

#[test]
fn colours_only_where_wanted() {
    assert!(!human::render(&report(), &mut sources(), PLAIN).contains('\u{1b}'));
    assert!(human::render(&report(), &mut sources(), Look { colour: true, ..PLAIN }).contains('\u{1b}'));
}

#[test]
fn json_lines() {
    let text = json::render(&report(), &mut sources());
    for line in text.lines() {
        let value: serde_json::Value = serde_json::from_str(line).expect("each line is JSON");
        assert_eq!(value["schema"], 1);
    }
    check("json", &text);
}

#[test]
fn a_line_a_finding() {
    check("short", &render(&report(), &mut sources(), Format::Short, PLAIN));
}

#[test]
fn workflow_commands() {
    let text = render(&report(), &mut sources(), Format::Github, PLAIN);
    for line in text.lines() {
        assert!(line.starts_with("::") || line.starts_with("cudair: "), "{line}");
    }
    check("github", &text);
}

#[test]
fn junit_document() {
    check("junit", &render(&report(), &mut sources(), Format::Junit, PLAIN));
}

#[test]
fn sarif_document() {
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    let text = sarif::render(&report(), &mut sources()).replace(&version, "\"version\": \"VERSION\"");
    let mut document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    // The texts of `explain` are tested there.
    let rules = document["runs"][0]["tool"]["driver"]["rules"].as_array_mut().expect("rules");
    for rule in rules.iter_mut().skip(1).filter_map(|r| r.as_object_mut()) {
        rule.remove("help");
        rule.remove("fullDescription");
    }
    rules[0]["help"] = rules[0]["help"]["markdown"].as_str().map(|m| m.lines().next()).into();
    check("sarif", &format!("{document:#}\n"));
}

#[test]
fn an_empty_report_says_nothing() {
    let empty = Report::default();
    for format in [Format::Human, Format::Short, Format::Github] {
        assert_eq!(render(&empty, &mut sources(), format, PLAIN), "");
    }
    let json = render(&empty, &mut sources(), Format::Json, PLAIN);
    assert!(json.starts_with("{\"schema\":1,\"type\":\"summary\"") && json.lines().count() == 1, "{json}");
    assert!(render(&empty, &mut sources(), Format::Sarif, PLAIN).contains("\"results\": []"));
}

#[test]
fn a_line_too_long_is_drawn_around_its_labels() {
    let front = "int a = 1; ".repeat(60);
    let line = format!("{front}p[5] = 1; {front}\n");
    let mut sources = Sources::default();
    sources.insert("long.cu", &format!("// first\n{line}"));
    let col = front.len() as u32 + 1;
    let primary = Some(span("long.cu", (2, col), (2, col + 4), "written here"));
    let f = Finding { primary, ..Finding::dynamic(Kind::OutOfBounds, "past the end") };
    let drawn = human::finding(&f, None, &mut sources, PLAIN);
    assert!(drawn.contains(&format!("─[ long.cu:2:{col} ]")), "{drawn}");
    assert!(drawn.contains("…"), "{drawn}");
    assert!(drawn.lines().all(|l| l.chars().count() < 140), "{drawn}");
    let line = drawn.lines().find(|l| l.contains("p[5]")).unwrap_or_default();
    let mark = drawn.lines().find(|l| l.contains("─┬")).unwrap_or_default();
    let column = |l: &str, part: &str| l.find(part).map(|at| l[..at].chars().count());
    assert_eq!(column(line, "p[5]"), column(mark, "──┬"), "{drawn}");
}

/// Whether no line is longer, but those that nothing can break: heads of excerpts.
fn fits(text: &str, width: usize) -> bool {
    let escapes =
        |l: &str| l.split("\u{1b}[").skip(1).map(|p| 2 + p.find('m').unwrap_or(0) + 1).sum::<usize>();
    text.lines().filter(|l| !l.contains(['╭', '├'])).all(|l| l.chars().count() - escapes(l) <= width)
}

#[test]
fn a_narrow_terminal() {
    for width in [40, 60, 80] {
        let look = Look { width: Some(width), ..PLAIN };
        let text = human::render(&report(), &mut sources(), look);
        assert!(fits(&text, width), "{width}:\n{text}");
        check(&format!("human_{width}"), &text);
        // Colours take no room.
        let coloured = human::render(&report(), &mut sources(), Look { colour: true, ..look });
        assert!(fits(&coloured, width), "{width}:\n{coloured}");
    }
}

#[test]
fn labels_of_a_long_line_stay_on_a_narrow_terminal() {
    let line = format!("    {}out[threadIdx.x] = tile[63 - threadIdx.x];\n", "int a = 1; ".repeat(9));
    let mut sources = Sources::default();
    sources.insert("long.cu", &line);
    let from = line.find("tile").expect("it is there") as u32 + 1;
    let mut f = race();
    f.primary = Some(span("long.cu", (1, from), (1, from + 22), "read by thread (0,0,0) of block (12,3,4)"));
    f.related = vec![span("long.cu", (1, 5), (1, 15), "written by thread (63,0,0)")];
    for width in [40, 60, 80] {
        for colour in [false, true] {
            let look = Look { width: Some(width), colour, ..PLAIN };
            let drawn = human::finding(&f, None, &mut sources, look);
            assert!(fits(&drawn, width), "{width}:\n{drawn}");
            assert!(drawn.contains(&format!(" long.cu:1:{from} ")), "{drawn}");
            // Whatever stands between them, all words are there.
            let words =
                drawn.split(|c: char| c.is_whitespace() || "│╰─".contains(c)).collect::<Vec<_>>().join(" ");
            let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.contains("read by thread (0,0,0) of block (12,3,4)"), "{width}: {drawn}");
        }
    }
}

#[test]
fn ascii_alone() {
    let look = Look { ascii: true, ..PLAIN };
    let text = render(&report(), &mut sources(), Format::Human, look);
    // The source's own letter is left as it is.
    assert!(text.chars().all(|c| c.is_ascii() || c == 'é'), "{text}");
    check("human_ascii", &text);
}
