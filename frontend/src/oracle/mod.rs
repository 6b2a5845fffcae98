//! What is recovered, held against clang's own dump of the tree.
//!
//! libclang dumps a declaration for `#pragma clang __debug dump NAME`, to the error stream. A unit is saved, and a
//! second one that begins with it asks for its functions, with their instances; classes are dumped from a unit that
//! includes the program, since a saved one shows no more of them than is needed. What the lowering recovered on the
//! way is noted by [`note`], and has to be among what the dump says of the same place.

mod dump;
#[path = "../../../tests/ui/sample.rs"]
mod sample;

use crate::clang::{Cursor, CursorKind, RawRange, TranslationUnit};
use crate::{Options, lower, parse};
use dump::Place;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is known of a construct.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Fact {
    For {
        init: bool,
        variable: bool,
        condition: bool,
        step: bool,
    },
    If {
        init: bool,
        variable: bool,
        other: bool,
        consteval: bool,
    },
    /// Whether a `switch` or a range-based `for` has a first part.
    First(bool),
    New {
        global: bool,
        array: bool,
    },
    Delete {
        global: bool,
        array: bool,
    },
    /// The type of the constructor that an element of a list calls.
    Constructor(String),
}

static NOTED: Mutex<Vec<(Place, Fact)>> = Mutex::new(Vec::new());

/// Notes what was recovered of the construct that begins at a node.
pub(crate) fn note(unit: &TranslationUnit, range: RawRange, fact: Fact) {
    // The dump has the place inside a macro.
    let place = range.spelling.map_or(range.start, |(start, _)| start);
    let Some(file) = place.file else { return };
    let name = unit.file_name(file);
    NOTED.lock().expect("no thread has panicked").push(((name, place.line, place.column), fact));
}

/// The variable that makes [`child`] work.
const PROGRAM: &str = "CUDAIR_ORACLE_PROGRAM";
/// What stands between the dumps and what was recovered.
const MARK: &str = "=== recovered ===";

/// A program with its options.
struct Program {
    /// Its file with its options, the same wherever the repository lies.
    name: String,
    path: PathBuf,
    flags: Vec<String>,
}

fn programs() -> Vec<Program> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for folder in ["tests", "benches", "examples"] {
        collect(&root.join(folder), &mut found);
    }
    found.sort_by(|a: &Program, b: &Program| a.name.cmp(&b.name));
    assert!(found.len() > 500, "the programs are not where they were: {} of them", found.len());
    match sample::Sample::asked().expect("CUDAIR_TEST_SAMPLE is SEED/N") {
        Some(sample) => sample.keep(found, |program| &program.name),
        None => found,
    }
}

fn collect(folder: &Path, found: &mut Vec<Program>) {
    for entry in std::fs::read_dir(folder).expect("a folder of programs") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|e| ["cu", "cpp", "c"].iter().any(|known| e == *known)) {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let lines = |key: &'static str| {
                text.lines().filter_map(move |l| l.strip_prefix(key)).flat_map(str::split_whitespace)
            };
            let mut flags: Vec<String> = lines("// flags: ").map(str::to_owned).collect();
            flags.extend(lines("// std: ").map(|s| format!("-std={s}")));
            let revisions: Vec<&str> = lines("// revisions: ").collect();
            for revision in revisions.iter().map(Some).chain(revisions.is_empty().then_some(None)) {
                let mut flags = flags.clone();
                flags.extend(revision.map(|r| format!("-DREV_{r}")));
                let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
                let file = path.strip_prefix(&root).expect("a file of the repository").display();
                let name = format!("{file} {}", flags.join(" "));
                found.push(Program { name, path: path.clone(), flags });
            }
        }
    }
}

/// What came of a program.
struct Compared {
    /// How many facts the dump has, too.
    agree: usize,
    /// How many facts stand where the dump shows nothing of their kind.
    unseen: usize,
    wrong: Vec<String>,
}

fn compare(program: &Program) -> Option<Compared> {
    let child = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "oracle::child", "--ignored", "--nocapture"])
        .current_dir(program.path.parent().expect("a folder"))
        .env(PROGRAM, program.path.file_name().expect("a name"))
        .env("CUDAIR_ORACLE_FLAGS", program.flags.join("\n"))
        .stdin(Stdio::null())
        .output()
        .expect("this program runs again");
    let text = String::from_utf8_lossy(&child.stderr);
    // What does not parse has nothing to compare; a test elsewhere says why.
    let (dump, recovered) = text.split_once(MARK)?;
    Some(hold_against(dump, recovered))
}

/// Holds the lines that [`child`] writes of what was recovered against a dump.
fn hold_against(dump: &str, recovered: &str) -> Compared {
    let dumped = dump::facts(dump);
    let mut compared = Compared { agree: 0, unseen: 0, wrong: Vec::new() };
    for line in recovered.lines().filter(|l| !l.is_empty()) {
        let (place, fact) = line.split_once('\t').expect("a fact");
        let known = dumped.iter().find(|(p, _)| place_text(p) == place).map(|(_, facts)| facts);
        let of_kind = |f: &&Fact| kind(&format!("{f:?}")) == kind(fact);
        let said: BTreeSet<String> =
            known.into_iter().flatten().filter(of_kind).map(|f| format!("{f:?}")).collect();
        if said.contains(fact) {
            compared.agree += 1;
        } else if said.is_empty() {
            compared.unseen += 1;
        } else {
            compared.wrong.push(format!("{place}: recovered {fact}, dumped {said:?}"));
        }
    }
    compared
}

#[test]
fn what_the_dump_does_not_say_is_wrong() {
    let dump = "FunctionDecl 0x1 </a/x.cpp:5:1, line:7:2> line:5:5 main 'int ()'\n\
                `-CompoundStmt 0x2 <col:12, line:7:2>\n\
                \x20 `-CXXNewExpr 0x3 <line:6:3, col:20> 'int *' array Function 0x4 'operator new[]'\n";
    let held = |array: bool, column: u32| {
        let fact = Fact::New { global: false, array };
        let held = hold_against(dump, &format!("\nx.cpp:6:{column}\t{fact:?}\n"));
        (held.agree, held.unseen, held.wrong.len())
    };
    assert_eq!(held(true, 3), (1, 0, 0));
    assert_eq!(held(false, 3), (0, 0, 1));
    assert_eq!(held(true, 4), (0, 1, 0));
}

fn kind(fact: &str) -> &str {
    fact.split([' ', '(']).next().unwrap_or_default()
}

fn place_text((file, line, column): &Place) -> String {
    // One parse may know a file by another path than the other.
    format!("{}:{line}:{column}", Path::new(file).file_name().unwrap_or_default().to_string_lossy())
}

#[test]
#[ignore = "takes minutes; `./x dump` runs it"]
fn what_is_recovered_agrees_with_the_dump() {
    let programs = programs();
    let next = AtomicUsize::new(0);
    let all = Mutex::new((0, 0, 0, Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(|| {
                while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Some(found) = compare(program) else { continue };
                    let mut all = all.lock().expect("no other thread has panicked");
                    all.0 += 1;
                    all.1 += found.agree;
                    all.2 += found.unseen;
                    all.3.extend(found.wrong.into_iter().map(|w| format!("{}: {w}", program.name)));
                }
            });
        }
    });
    let (compared, agree, unseen, wrong) = all.into_inner().expect("no thread has panicked");
    println!(
        "{compared} of {} programs parse: {agree} facts agree, {unseen} stand where the dump shows nothing, {} differ",
        programs.len(),
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared * 10 >= programs.len() * 8, "only {compared} of {} programs parse", programs.len());
    assert!(agree > compared, "only {agree} facts in {compared} programs");
    // Few programs have most of them: a small sample may draw those.
    assert!(unseen * 10 <= agree + 1000, "{unseen} facts are not seen by the dump, beside {agree} that are");
}

/// Lowers a program, dumps it and says what was recovered, on the error stream.
#[test]
#[ignore = "what the comparison runs"]
fn child() {
    let Ok(file) = std::env::var(PROGRAM) else { return };
    let flags = std::env::var("CUDAIR_ORACLE_FLAGS").unwrap_or_default();
    let work = std::thread::Builder::new().stack_size(1 << 30).spawn(move || dump_and_tell(&file, &flags));
    work.expect("a thread").join().expect("the thread ends");
}

fn options(file: &str, flags: &str) -> Options {
    let mut options = Options { files: vec![file.to_owned()], ..Options::default() };
    for flag in flags.lines() {
        match flag.split_at_checked(2) {
            Some(("-D" | "-U", _)) => options.macros.push(flag[1..].to_owned()),
            Some(("-I", dir)) => options.include_dirs.push(dir.to_owned()),
            _ => {}
        }
        if let Some(std) = flag.strip_prefix("-std=") {
            options.std = Some(std.to_owned());
        }
    }
    options
}

fn dump_and_tell(file: &str, flags: &str) {
    let options = options(file, flags);
    let Ok(parsed) = parse::parse(&options, file, false) else { return };
    let mut module = cudair_ir::Module::new();
    let arena = bumpalo::Bump::new();
    let mut cx = lower::Cx::new(&mut module, &parsed.unit, &arena, parsed.language != crate::Language::C);
    cx.set_hints(&parsed);
    cx.run(lower::Roots::Program);
    let mut names = Names::default();
    names.of(parsed.unit.cursor());
    let folder = tempfile::tempdir().expect("a folder");
    let saved = folder.path().join("unit.pch");
    parsed.unit.save(&saved);
    // What is included first is in the saved unit.
    let saved = saved.display().to_string();
    parsed.unit.probe(&names.functions, &["-include-pch", &saved], false);
    parsed.unit.probe(&names.classes, &["-include", file], true);
    let mut told = String::new();
    let noted = std::mem::take(&mut *NOTED.lock().expect("no thread has panicked"));
    for (place, fact) in noted.into_iter().filter(|((name, ..), _)| !name.starts_with('/')) {
        writeln!(told, "{}\t{fact:?}", place_text(&place)).expect("a text takes all");
    }
    eprintln!("{MARK}\n{told}");
}

/// The pragmas that ask for what a program declares.
#[derive(Default)]
struct Names {
    functions: String,
    classes: String,
    seen: BTreeSet<String>,
}

impl Names {
    fn of(&mut self, parent: Cursor<'_>) {
        for child in parent.children() {
            let name = child.spelling();
            let plain = !name.is_empty() && name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
            if !child.in_main_file() {
                continue;
            }
            let list = match child.kind() {
                CursorKind::Namespace => {
                    let opening = format!("namespace {} {{\n", if plain { &name } else { "" });
                    self.functions += &opening;
                    self.classes += &opening;
                    self.of(child);
                    self.functions += "}\n";
                    self.classes += "}\n";
                    continue;
                }
                CursorKind::LinkageSpec => {
                    self.of(child);
                    continue;
                }
                CursorKind::FunctionDecl | CursorKind::FunctionTemplate | CursorKind::VarDecl => {
                    &mut self.functions
                }
                CursorKind::StructDecl
                | CursorKind::ClassDecl
                | CursorKind::UnionDecl
                | CursorKind::ClassTemplate => &mut self.classes,
                _ => continue,
            };
            let key = format!("{}.{}", child.semantic_parent().map(|p| p.usr()).unwrap_or_default(), name);
            if plain && self.seen.insert(key) {
                *list += &format!("#pragma clang __debug dump {name}\n");
            }
        }
    }
}
