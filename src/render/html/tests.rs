//! The page is HTML and XML, leads nowhere but to itself, and has all that the report has.

use super::finding::Numbered;
use super::{listing, picture, render};
use crate::baseline::{Compared, Entry};
use crate::cli::Format;
use crate::groups;
use crate::render::tests::{
    check, race, report, sources, span, thread, verdicts, without_place, without_source,
};
use crate::render::{self, Look, Report, Sources, human};
use crate::suppress::By;
use cudair_ir::{
    Diagnostic, DiagnosticClass, Edit, Finding, Kind, Pos, Repair, Severity, ThreadsAt, Trial, Unordered,
};
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::BTreeSet;

const SVG: &str = "http://www.w3.org/2000/svg";

/// What a page says, without what marks code in it, and spaces as they come.
fn said(text: &str) -> String {
    text.replace('`', "").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn text_of(node: Node<'_, '_>) -> String {
    let parts: Vec<&str> = node.descendants().filter(Node::is_text).filter_map(|n| n.text()).collect();
    said(&parts.concat())
}

/// Reads a page, and sees that its parts lead to each other and to nothing else.
fn read(page: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(page, options).unwrap_or_else(|e| panic!("{e}\n{page}"));
    let mut ids = BTreeSet::new();
    for node in document.descendants() {
        if let Some(id) = node.attribute("id") {
            assert!(ids.insert(id), "two have the id {id}");
        }
    }
    for node in document.descendants().filter(Node::is_element) {
        let name = node.tag_name().name();
        assert!(!["script", "img", "link", "iframe", "object", "image", "use"].contains(&name), "{name}");
        assert!(node.attributes().all(|a| !a.name().starts_with("on") && a.name() != "src"), "{node:?}");
        if let Some(href) = node.attribute("href") {
            assert!(href.strip_prefix('#').is_some_and(|id| ids.contains(id)), "{href} leads nowhere");
        }
        if let Some(id) = node.attribute("aria-labelledby") {
            assert!(ids.contains(id), "{id}");
        }
        // HTML has elements without content, and others that XML alone may write in short.
        if node.tag_name().namespace() != Some(SVG) {
            let short = page[node.range()].ends_with("/>");
            assert_eq!(short, name == "meta", "{}", &page[node.range()]);
        }
    }
    let root = document.root_element();
    assert_eq!(root.attribute("lang"), Some("en"));
    assert!(page.starts_with("<!DOCTYPE html>\n"));
    let title = root.descendants().find(|n| n.has_tag_name("title") || n.tag_name().name() == "title");
    assert!(title.is_some_and(|t| !text_of(t).is_empty()));
    document
}

fn element<'a>(document: &'a Document<'_>, id: &str) -> Node<'a, 'a> {
    let mut all = document.descendants();
    all.find(|n| n.attribute("id") == Some(id)).unwrap_or_else(|| panic!("nothing has the id {id}"))
}

fn has_class(node: &Node<'_, '_>, class: &str) -> bool {
    node.attribute("class").is_some_and(|c| c.split(' ').any(|c| c == class))
}

/// Whether a page tells of a finding all that a report for people does.
fn tells(page: &str, f: &Finding, id: &str) {
    let document = read(page);
    let text = text_of(element(&document, id));
    let mut all: Vec<String> = vec![f.message.clone(), f.kind.to_string(), f.severity.to_string()];
    all.extend(f.help.clone());
    all.extend(f.notes.clone());
    all.extend(human::context(f));
    all.extend(human::certainty(f).map(str::to_owned));
    all.extend(human::schedule(f));
    all.extend(f.threads.iter().map(|t| f.dims.thread_of(*t)));
    for place in f.primary.iter().chain(f.further_places()) {
        all.push(render::short::at(place));
        all.push(place.label.clone());
    }
    for part in all {
        assert!(text.contains(&said(&part)), "{part} is not in: {text}");
    }
}

#[test]
fn the_whole_report() {
    let report = report();
    let page = render(&report, &mut sources());
    assert_eq!(page, render(&report, &mut sources()));
    for (n, f) in report.findings.iter().enumerate() {
        tells(&page, f, &format!("f{}", n + 1));
    }
    let document = read(&page);
    let whole = text_of(document.root_element());
    for (n, d) in report.diagnostics.iter().enumerate() {
        let text = text_of(element(&document, &format!("d{}", n + 1)));
        let parts = [Some(&d.message), d.help.as_ref()].into_iter().flatten();
        assert!(parts.chain(d.related.iter().map(|s| &s.label)).all(|p| text.contains(&said(p))), "{text}");
    }
    // What a report for people says last.
    let unseen = said(&report.unseen().expect("some was not looked at"));
    for part in ["2 more left out (--max-findings)", "exit code 3", "cudair run reverse.cu", &unseen] {
        assert!(whole.contains(part), "{part} is not in: {whole}");
    }
    let version = format!("cudair {}", env!("CARGO_PKG_VERSION"));
    assert!(whole.contains(&version), "{whole}");
    let (head, body) = page.split_once("<style>").expect("a style");
    let body = body.split_once("</style>").expect("its end").1;
    check("html", &format!("{head}{body}").replace(&version, "cudair VERSION"));
}

#[test]
fn nothing_found_is_a_page() {
    let page = render(&Report::default(), &mut sources());
    let document = read(&page);
    let text = text_of(document.root_element());
    assert!(text.contains("no finding") && !text.contains("Findings"), "{text}");
    // Where the command did not come to its end, nothing is said of what it would have found.
    let stopped = Report {
        diagnostics: vec![Diagnostic::new(DiagnosticClass::Limit, "the time is up")],
        ..Report::default()
    };
    let page = render(&stopped, &mut sources());
    assert!(page.contains("<h1>no finding: the command did not come to its end</h1>"), "{page}");
    assert!(page.contains("the time is up"));
    assert!(Format::Html.is_document());
    assert_eq!(
        page,
        render::render(&stopped, &mut sources(), Format::Html, Look { ascii: true, ..Look::default() })
    );
}

#[test]
fn whatever_texts_hold_the_page_is_well_formed() {
    let odd =
        "a<b> & \"c\" 'd' `e ]]> <!-- </style><script>f()</script> &amp; \u{1b}[31m\0\r\n\u{ffff}é\u{202e}x";
    let mut sources = Sources::default();
    sources.insert(odd, &format!("// {odd}\nint {odd};\n{}\n", odd.repeat(300)));
    let mut f = race();
    (f.message, f.kernel, f.help) = (odd.to_owned(), Some(odd.to_owned()), Some(odd.to_owned()));
    f.notes = vec![odd.to_owned()];
    f.primary = Some(span(odd, (2, 1), (2, 30), odd));
    f.related = vec![span(odd, (3, 2), (3, 9), odd), span(odd, (1, 1), (9, 9), "called from here")];
    f.launched = vec![span("other\"<&", (1, 1), (1, 2), odd)];
    let edit = Edit {
        file: odd.to_owned(),
        start: Pos { line: 2, col: 4 },
        end: Pos { line: 3, col: 5 },
        text: odd.to_owned(),
    };
    f.repair = Some(Box::new(Repair { insert: odd.to_owned(), edits: vec![edit], verified_by: Vec::new() }));
    let mut all = verdicts();
    all[0].kernel = odd.to_owned();
    all[0].launches = odd.to_owned();
    all[0].checks[1].why = Some(odd.to_owned());
    all[0].checks[2].premises = vec![odd.to_owned()];
    let mut d = Diagnostic::new(DiagnosticClass::Unsupported, odd);
    d.primary = Some(span(odd, (2, 1), (2, 3), odd));
    d.help = Some(odd.to_owned());
    let entry = Entry {
        fingerprint: String::new(),
        kind: odd.to_owned(),
        severity: odd.to_owned(),
        message: odd.to_owned(),
        kernel: Some(odd.to_owned()),
        place: Some(span(odd, (1, 1), (1, 2), odd)),
    };
    let report = Report {
        suppressed: vec![(f.clone(), By::Source)],
        baseline: Some(Compared { known: vec![f.clone()], absent: vec![entry] }),
        findings: vec![f],
        diagnostics: vec![d],
        verdicts: all,
        reproduce: format!("cudair run '{odd}'"),
        ..Report::default()
    };
    let page = render(&report, &mut sources);
    let document = read(&page);
    let text = text_of(element(&document, "f1"));
    assert!(text.contains("<b> & \"c\" 'd'") && text.contains("<script>f()</script> &amp;"), "{text}");
    // What turns the direction of writing is named.
    assert!(!page.contains('\u{202e}') && text.contains("é[U+202E]x"), "{text}");
    assert!(!page.contains("<script"), "{page}");
}

/// Findings of one cause.
fn many(n: u32) -> Vec<Finding> {
    let mut all: Vec<Finding> = (0..n)
        .map(|line| Finding {
            primary: Some(span("reverse.cu", (1 + line % 6, 1), (1 + line % 6, 3), &format!("read {line}"))),
            cause: Some("one".to_owned()),
            ..race()
        })
        .collect();
    groups::number(&mut all);
    all
}

#[test]
fn a_group_is_one_section_with_all_its_findings() {
    let mut findings = many(5);
    findings.push(without_place());
    let mut report = Report { findings, ..Report::default() };
    let page = render(&report, &mut sources());
    let document = read(&page);
    assert_eq!(
        text_of(document.descendants().find(|n| n.tag_name().name() == "h1").expect("a headline")),
        "1 error, 1 warning, 4 more of the same cause"
    );
    let group = crate::groups::groups(&report.findings);
    tells(&page, group[0].shown, "f1");
    for (n, other) in (2..).zip(&group[0].others) {
        tells(&page, other, &format!("f1.{n}"));
        let article = element(&document, &format!("f1.{n}"));
        assert!(article.ancestors().any(|a| a.has_tag_name(("http://www.w3.org/1999/xhtml", "details"))));
    }
    assert!(page.contains("<summary>4 more pairs of places have this cause, in lines"), "{page}");
    assert!(!page.contains("--verbose"), "{page}");
    tells(&page, &report.findings[5], "f2");
    // Lines lead back to all of them.
    for id in ["f1", "f1.2", "f1.5"] {
        let line = |n: &Node<'_, '_>| {
            has_class(n, "line") && n.descendants().any(|a| a.attribute("href") == Some(&format!("#{id}")))
        };
        assert!(document.descendants().any(|n| line(&n)), "{id}");
    }
    // With a section for each, and with groups left out.
    report.verbose = true;
    let page = render(&report, &mut sources());
    tells(&page, &report.findings[4], "f5");
    (report.verbose, report.most) = (false, Some(1));
    let page = render(&report, &mut sources());
    assert!(page.contains("<li>1 more left out (--max-findings)</li>"), "{page}");
    assert!(!page.contains("id=\"f2\""), "{page}");
}

#[test]
fn what_is_not_told_is_counted_or_listed() {
    let entry = Entry {
        fingerprint: String::new(),
        kind: "deadlock".to_owned(),
        severity: "error".to_owned(),
        message: "no thread goes on".to_owned(),
        kernel: Some("gone_kernel".to_owned()),
        place: Some(span("reverse.cu", (5, 1), (5, 2), "")),
    };
    let (mut hushed, mut filed) = (race(), without_source());
    hushed.message = "hushed".to_owned();
    filed.message = "filed".to_owned();
    let report = Report {
        suppressed: vec![(hushed, By::Source), (filed, By::File)],
        baseline: Some(Compared { known: vec![without_place()], absent: vec![entry] }),
        mild: 7,
        excluded: 8,
        unchecked: vec![Kind::MemoryLeak, Kind::Deadlock],
        ..Report::default()
    };
    let page = render(&report, &mut sources());
    let document = read(&page);
    let text = text_of(document.root_element());
    for part in report.left_out(0) {
        assert!(text.contains(&part), "{part} is not in: {text}");
    }
    for part in [
        "not looked for: memory-leak, deadlock",
        "1 suppressed by a comment in the source",
        "1 suppressed by a file (--suppress)",
        "error deadlock: no thread goes on in kernel gone_kernel reverse.cu:5:1",
    ] {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
    tells(&page, &report.suppressed[0].0, "s1");
    tells(&page, &report.suppressed[1].0, "s2");
    tells(&page, &report.known()[0], "k1");
    // They do not count.
    assert!(text.contains("no finding"), "{text}");
}

#[test]
fn verdicts_are_a_table() {
    let report = Report { verdicts: verdicts(), ..Report::default() };
    let page = render(&report, &mut sources());
    let document = read(&page);
    let rows: Vec<String> = element(&document, "verdicts")
        .descendants()
        .filter(|n| n.tag_name().name() == "tr")
        .map(|row| row.children().map(text_of).filter(|t| !t.is_empty()).collect::<Vec<_>>().join(" | "))
        .collect();
    assert_eq!(
        rows,
        [
            "check | outcome | why, and what is taken for granted",
            "reverse reverse.cu:1:17 as launched here",
            "barrier-divergence | proved by analysis",
            "shared-race | possible by analysis | reverse.cu:4:5: two threads may touch the same bytes; 2 places",
            "global-race | proved by analysis | taken for granted: parameters point to distinct memory, no loop counter \
             wraps around",
            "empty reverse.cu:1:17 as launched here",
            "nothing that threads share",
            "ran reverse.cu:1:17 as launched here, launched 2 times",
            "shared-race | proved for every input of these 2 launches by the run",
            "every input: with the same arguments, aliasing",
            "ran reverse.cu:1:17 as launched here, launched once",
            "global-race | seen clean by analysis",
            "not for every input:an address depends on the value loaded at line 5 (reverse.cu:6:5)",
            "ran reverse.cu:1:17 as launched here, never launched",
            "out-of-bounds | not launched by analysis",
        ]
    );
    // The source is there for the places of the verdicts, without a finding.
    assert!(
        page.contains("<a class=\"at\" href=\"#src1-4\" title=\"reverse.cu:4:5\">reverse.cu:4:5</a>"),
        "{page}"
    );
}

#[test]
fn a_file_that_is_not_at_hand() {
    let mut odd = without_source();
    odd.related.push(span("reverse.cu", (99, 1), (99, 2), "no such line"));
    odd.related.push(span("reverse.cu", (0, 0), (0, 0), "no line"));
    let report = Report { findings: vec![odd.clone()], ..Report::default() };
    let page = render(&report, &mut sources());
    tells(&page, &odd, "f1");
    for part in [
        "The text of this file is not at hand.",
        "<p class=\"gap\" id=\"src1-12\">line 12:</p>",
        "line 99, which the text does not have:",
        "without a line:",
        "<a class=\"at\" href=\"#src1-12\" title=\"gone.cu:12:3\">gone.cu:12:3</a>",
    ] {
        assert!(page.contains(part), "{part} is not in: {page}");
    }
}

#[test]
fn what_is_far_from_findings_is_folded_and_of_headers_left_out() {
    let line = |n: u32| format!("int x{n};\n");
    let text: String = (1..=100).map(line).collect();
    let mut sources = Sources::default();
    sources.insert("long.cu", &text);
    sources.insert("lib/long.cuh", &text);
    let mut f = without_place();
    f.primary = Some(span("long.cu", (50, 5), (50, 8), "main"));
    f.related = vec![span("lib/long.cuh", (50, 5), (50, 8), "called from here")];
    let page = render(&Report { findings: vec![f], ..Report::default() }, &mut sources);
    let document = read(&page);
    let [own, header] = ["src1", "src2"].map(|id| text_of(element(&document, id)));
    assert!(own.contains("lines 1 to 41") && own.contains("int x1;") && own.contains("int x100;"), "{own}");
    assert!(
        header.contains("lines 1 to 41: not shown") && header.contains("lines 59 to 100: not shown"),
        "{header}"
    );
    assert!(header.contains("int x42;") && !header.contains("int x41;"), "{header}");
    // The line itself is not folded, its place is marked, and both lead to each other.
    let line = element(&document, "src1-50");
    assert!(!line.ancestors().any(|n| n.tag_name().name() == "details"));
    let mark = line.descendants().find(|n| n.tag_name().name() == "mark").expect("a mark");
    assert_eq!(text_of(mark), "x50");
    assert!(line.descendants().any(|n| n.attribute("href") == Some("#f1")));
    let links =
        element(&document, "f1").descendants().filter_map(|n| n.attribute("href")).collect::<Vec<_>>();
    assert!(links.contains(&"#src1-50") && links.contains(&"#src2-50"), "{links:?}");
}

fn picture_of(f: &Finding) -> Option<String> {
    let mut listing = listing::Listing::default();
    let n = Numbered::new(f, "f", "1".to_owned());
    n.mark(&mut listing, &mut sources());
    picture::race(&n, &listing)
}

#[test]
fn a_race_of_streams_is_drawn_with_its_operations() {
    let mut f = race();
    (f.threads, f.unordered, f.repair) = (vec![thread(5)], None, None);
    assert_eq!(picture_of(&f), None);
    let who = [["use", "stream 2"], ["the host", ""]].map(|who| who.map(str::to_owned));
    f.operations = Some(Box::new(who));
    let drawn = picture_of(&f).expect("a picture");
    for part in [">use</text>", ">stream 2</text>", ">the host</text>", ">nothing orders them</text>"] {
        assert!(drawn.contains(part), "{part} in {drawn}");
    }
}

#[test]
fn threads_that_wait_are_drawn_where_they_are() {
    let mut f = Finding::dynamic(Kind::BarrierDivergence, "threads wait");
    let at = |line| span("reverse.cu", (line, 5), (line, 8), "");
    f.primary = Some(at(5));
    f.dims.block = [Some(40), Some(1), Some(1)];
    f.standing = vec![
        ThreadsAt { place: at(5), threads: vec![[0, 15], [32, 33]], left: false },
        ThreadsAt { place: at(7), threads: vec![[16, 31]], left: true },
    ];
    let report = Report { findings: vec![f.clone()], ..Report::default() };
    let page = render(&report, &mut sources());
    let document = read(&page);
    let drawn = element(&document, "f1-standing");
    let said = "40 threads: threads 0-15, 32-33 wait at line 5; threads 16-31 have left at line 7";
    assert_eq!(text_of(drawn), said);
    // Two rows, the second one shorter; of the first place two pieces and its sign.
    for (part, times) in
        [("class=\"object\"", 2), ("width=\"96\"", 1), ("class=\"stands0\"", 3), ("class=\"stands1\"", 2)]
    {
        assert_eq!(page.matches(part).count(), times, "{part} in {page}");
    }
    // Without the block's extents nobody knows how many there are.
    f.dims.block = [None; 3];
    let page = render(&Report { findings: vec![f], ..Report::default() }, &mut sources());
    assert!(!page.contains("f1-standing"));
}

fn with_repair(mut f: Finding, line: u32) -> Finding {
    let sides = [f.primary.clone(), f.related.first().cloned()].map(|s| s.into_iter().collect());
    f.unordered = Some(Box::new(Unordered { sides, same_warp: false, ty: None, otherwise: None }));
    let at = Pos { line, col: 1 };
    let edit =
        Edit { file: "reverse.cu".to_owned(), start: at, end: at, text: "    __syncthreads();\n".to_owned() };
    let insert = "__syncthreads();".to_owned();
    f.repair = Some(Box::new(Repair { insert, edits: vec![edit], verified_by: vec![Trial::Run] }));
    f
}

#[test]
fn a_race_is_drawn_from_its_data() {
    // A barrier that was tried and stands between the two: what is in front of it is above.
    let drawn = picture_of(&with_repair(race(), 5)).expect("a picture");
    let (written, missing, read) = (
        drawn.find("written by thread"),
        drawn.find("missing: __syncthreads();"),
        drawn.find("read by thread (0,0,0)</text>"),
    );
    assert!(written.is_some() && missing.is_some() && read.is_some(), "{drawn}");
    assert!(drawn.contains("Without what is missing the two accesses have no order"), "{drawn}");
    let tops: Vec<&str> =
        drawn.split("<rect class=\"access\"").skip(1).filter_map(|r| r.split('"').nth(3)).collect();
    assert!(tops.len() == 2 && tops[0] != tops[1], "{tops:?}");
    // One that stands behind both, as in a loop: nobody knows which of the two comes first.
    let level = |f: &Finding, text: &str| {
        let drawn = picture_of(f).expect("a picture");
        let tops: Vec<&str> =
            drawn.split("<rect class=\"access\"").skip(1).filter_map(|r| r.split('"').nth(3)).collect();
        assert!(tops.len() == 2 && tops[0] == tops[1], "{tops:?}");
        assert!(drawn.contains(text), "{drawn}");
    };
    level(&with_repair(race(), 7), "missing: __syncthreads(); in reverse.cu:7");
    let mut untried = with_repair(race(), 5);
    untried.repair = None;
    level(&untried, ">no barrier between them</text>");
    level(&race(), ">nothing orders them</text>");
    // Threads that nobody names.
    untried.threads = Vec::new();
    level(&untried, ">another thread</text>");
}

#[test]
fn without_data_there_is_no_picture() {
    let mut f = race();
    f.threads.pop();
    assert_eq!(picture_of(&f), None);
    f = race();
    f.related.clear();
    assert_eq!(picture_of(&f), None);
    f = race();
    f.primary = None;
    assert_eq!(picture_of(&f), None);
    f = race();
    f.related = vec![span("reverse.cu", (4, 5), (4, 9), "called from here")];
    assert_eq!(picture_of(&f), None);
    f = race();
    f.kind = Kind::OutOfBounds;
    assert_eq!(picture_of(&f), None);
    f.threads = vec![thread(1)];
    f.severity = Severity::Note;
    assert!(!render(&Report { findings: vec![f], ..Report::default() }, &mut sources()).contains("<svg"));
}
