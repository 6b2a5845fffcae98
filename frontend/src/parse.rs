//! Arguments for libclang, and what its diagnostics mean for us.

use crate::clang::{self, RawPos, Severity, TranslationUnit, Unsaved};
use crate::error::FrontendError;
use crate::headers::{self, Words, identifiers, is_in_prelude};
use crate::isolation::{self, Room};
use crate::precompiled::{Precompiled, Request};
use crate::reads::Reads;
use crate::spaced_brackets;
use cudair_ir::{Pos, Span};
use std::path::{Path, PathBuf};

/// What to lower and how to read it. The options mean what they mean to nvcc.
#[derive(Clone, Debug)]
pub struct Options {
    /// The source files: `.cu` is CUDA C++, `.c` is C11, `.cpp` and kin are C++.
    pub files: Vec<String>,
    /// `-I`
    pub include_dirs: Vec<String>,
    /// `-isystem`
    pub system_dirs: Vec<String>,
    /// `-D` and `-U` in order, each with its letter (`DNAME=1`, `UNAME`).
    pub macros: Vec<String>,
    /// `-include`
    pub includes: Vec<String>,
    /// `-std=`; without it C++17 for CUDA and C++, C11 for C.
    pub std: Option<String>,
    /// The compute capability that device code is compiled for, as `__CUDA_ARCH__` has it: 800 is 8.0.
    pub arch: u32,
    /// The version that the headers present, as `CUDART_VERSION` has it: 12090 is 12.9.
    pub cuda_version: Option<u32>,
    /// `-x cu`: take every file for CUDA.
    pub force_cuda: bool,
    /// Lower every function that the files define with external linkage, not only what `main` and the
    /// kernels reach.
    pub all_functions: bool,
    /// Lower those as well that no other file can name, such as `static` ones.
    pub uncalled_functions: bool,
    /// The parser sees no file outside of the sources' folders, `-I`, `-isystem` and the system's headers.
    pub isolate: bool,
    /// Paths of files, sources or headers, and what they are read to hold, whatever lies there.
    pub replaced: Vec<(String, String)>,
    /// Say what was read ([`Lowered::reads`](crate::Lowered::reads)).
    pub record: bool,
    /// Where headers are kept precompiled.
    pub precompiled: Option<Precompiled>,
    /// Told the name of each stage of the work as it begins.
    pub stage: fn(&'static str),
}

impl Default for Options {
    fn default() -> Self {
        Options {
            files: Vec::new(),
            include_dirs: Vec::new(),
            system_dirs: Vec::new(),
            macros: Vec::new(),
            includes: Vec::new(),
            std: None,
            arch: 800,
            cuda_version: None,
            force_cuda: false,
            all_functions: false,
            uncalled_functions: false,
            isolate: false,
            replaced: Vec::new(),
            record: false,
            precompiled: None,
            stage: |_| {},
        }
    }
}

/// The language of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// CUDA C++.
    Cuda,
    /// C.
    C,
    /// C++ without CUDA's extensions.
    Cxx,
}

impl Language {
    /// By the file's name, as nvcc decides.
    pub fn of(file: &str, force_cuda: bool) -> Language {
        if force_cuda {
            return Language::Cuda;
        }
        match Path::new(file).extension().and_then(|e| e.to_str()) {
            Some("c") => Language::C,
            Some("cpp" | "cc" | "cxx" | "C" | "c++") => Language::Cxx,
            _ => Language::Cuda,
        }
    }
}

/// A parsed file.
pub struct Parsed {
    /// The tree.
    pub unit: TranslationUnit,
    /// The file's language.
    pub language: Language,
    /// Modifications that nothing orders with another use of the variable.
    pub(crate) unsequenced: Vec<Unsequenced>,
    /// The standard is C++17 or a later one: arguments of a call are evaluated one after the other, and `noexcept` is part
    /// of a function's type.
    pub(crate) cxx17: bool,
}

/// A modification that nothing orders with another use of the variable.
#[derive(Clone, Debug)]
pub(crate) struct Unsequenced {
    /// The number of the parser's diagnostic: it is about the operator that modifies the variable, and points at the other
    /// use.
    pub diagnostic: u32,
    /// The other use modifies it too.
    pub twice: bool,
    /// The variable.
    pub name: String,
}

/// What is not supported where a header is not found that is of a library which is not provided.
fn missing_library(message: &str) -> Option<String> {
    let header = message.strip_prefix('\'')?.strip_suffix("' file not found")?;
    let library = match header.split_once('/') {
        Some(("thrust", _)) => "a header of Thrust that cudair lacks",
        Some(("cub", _)) => "a header of CUB that cudair lacks",
        Some(("cutlass" | "cute", _)) => "CUTLASS",
        _ => headers::library_of(header)?,
    };
    Some(format!("<{header}> ({library})"))
}

/// What an `#error` of a header of ours says, told of the user's `#include` that leads there.
fn own_refusal(unit: &TranslationUnit, diagnostic: &crate::clang::Diagnostic) -> Option<FrontendError> {
    let what = diagnostic.message.strip_prefix("\"cudair: ")?.strip_suffix('"')?.to_owned();
    let included = |note: &&crate::clang::Note| note.message.starts_with("in file included from");
    let place = diagnostic
        .notes
        .iter()
        .filter(included)
        .find_map(|note| span(unit, note.start, None).filter(|place| !is_theirs(&place.file)));
    Some(FrontendError::Unsupported { what, place })
}

/// What a warning, by its number, tells of a modification, if it does.
fn unsequenced(message: &str, diagnostic: u32) -> Option<Unsequenced> {
    let (twice, name) = match message.strip_prefix("multiple unsequenced modifications to ") {
        Some(name) => (true, name),
        None => (false, message.strip_prefix("unsequenced modification and access to ")?),
    };
    let name = name.trim_matches('\'').to_owned();
    Some(Unsequenced { diagnostic, twice, name })
}

/// Parses one file. `device` defines `__CUDA_ARCH__`, for the bodies of device functions that ask for it.
pub fn parse(options: &Options, file: &str, device: bool) -> Result<Parsed, Vec<FrontendError>> {
    parse_recorded(options, file, device, None)
}

/// The same, and adds to `reads` what was read.
pub(crate) fn parse_recorded(
    options: &Options,
    file: &str,
    device: bool,
    mut reads: Option<&mut Reads>,
) -> Result<Parsed, Vec<FrontendError>> {
    let language = Language::of(file, options.force_cuda);
    let text = match options.replaced.iter().find(|(path, _)| path == file) {
        Some((_, text)) => text.clone(),
        None => read_source(file).map_err(|e| vec![e])?,
    };
    (options.stage)("libclang's load");
    // The user's macros are not to change what the prelude means: they come after it.
    let late = |m: &&String| language == Language::Cuda && !is_early(m);
    let macros: String = options.macros.iter().filter(late).map(|m| directive(m)).collect();
    let arguments =
        |prelude| arguments(options, language, device, &[&text, &macros], prelude).map_err(|e| vec![e]);
    let served: Vec<(String, &'static str)> = headers::unsaved_files()
        .iter()
        .map(|(path, contents)| (format!("{}/{path}", headers::VIRTUAL_INCLUDE_DIR), *contents))
        .chain(
            headers::builtin_files()
                .iter()
                .map(|(path, contents)| (format!("{}/{path}", headers::VIRTUAL_BUILTIN_DIR), *contents)),
        )
        .collect();
    let mut unsaved: Vec<Unsaved<'_>> =
        served.iter().map(|(path, contents)| Unsaved { path, contents }).collect();
    let macros_path = format!("{}/{MACROS_NAME}", headers::VIRTUAL_INCLUDE_DIR);
    unsaved.push(Unsaved { path: &macros_path, contents: &macros });
    unsaved.extend(options.replaced.iter().map(|(path, contents)| Unsaved { path, contents }));
    let room = if options.isolate { Some(Room::new(options, file).map_err(|e| vec![e])?) } else { None };
    (options.stage)("libclang's parse");
    let mut parse = |prelude, unsaved: &[Unsaved<'_>]| {
        let mut arguments = arguments(prelude).map_err(Refused::by)?;
        if let Some(reads) = &mut reads {
            reads.source(file, &text);
        }
        let reads = reads.as_deref_mut();
        let Some(room) = &room else {
            let own = unsaved.iter().rfind(|u| u.path == file).map_or(&*text, |u| u.contents);
            let arguments = &arguments;
            return match (Request { options, language, file, text: own, arguments, unsaved }).parse() {
                Some(unit) => look_at(unit, unsaved, reads),
                None => parse_unit(file, arguments, unsaved, reads),
            };
        };
        arguments.extend(room.arguments());
        let (unit, found) = parse_unit(file, &arguments, unsaved, reads).map_err(|mut refused| {
            refused.errors.iter_mut().for_each(isolation::explain);
            refused
        })?;
        match room.outside(&unit, &options.replaced) {
            Some(error) => Err(Refused::by(vec![error])),
            None => Ok((unit, found)),
        }
    };
    // What nvcc reads first and this program does not seem to need takes longer than most programs, and headers of
    // Thrust and CUB bring along far more than they are for: it is read where a name is missing without it.
    let (unit, found) = match parse(Prelude::Needed, &unsaved) {
        Err(first) if language == Language::Cuda => {
            let pieces = spaced_brackets::joined(&text);
            let names = missing_names(&first.errors, file, &text);
            let (prelude, with) = match () {
                () if first.may_find(&names) => {
                    (Prelude::Transitive, "what the headers of Thrust and CUB bring along")
                }
                () if pieces.is_some() || names.iter().any(|name| is_in_prelude(name)) => {
                    (Prelude::Whole, "all that nvcc reads first")
                }
                () => return Err(first.errors),
            };
            log::info!(target: "parse", "{file}: is read again, with {with}");
            if let Some(contents) = &pieces {
                unsaved.retain(|u| u.path != file);
                unsaved.push(Unsaved { path: file, contents });
            }
            parse(prelude, &unsaved).map_err(|second| second.errors)?
        }
        parsed => parsed.map_err(|refused| refused.errors)?,
    };
    let older = ["98", "03", "0x", "11", "1y", "14"];
    let cxx17 = language != Language::C
        && options.std.as_deref().is_none_or(|std| !older.iter().any(|year| std.ends_with(year)));
    log::info!(target: "parse", "{file}: {language:?}, {} side", if device { "device" } else { "host" });
    Ok(Parsed { unit, language, unsequenced: found, cxx17 })
}

/// Why a file does not parse.
struct Refused {
    errors: Vec<FrontendError>,
    /// Where its headers lie, if headers of Thrust or CUB are among them.
    templates: Option<Vec<PathBuf>>,
}

impl Refused {
    fn by(errors: Vec<FrontendError>) -> Refused {
        Refused { errors, templates: None }
    }

    /// Whether what the headers of Thrust and CUB bring along may declare what is missing.
    fn may_find(&self, names: &[String]) -> bool {
        let Some(folders) = &self.templates else { return false };
        let mut names = names.iter().filter(|name| !is_in_prelude(name)).peekable();
        names.peek().is_some() && {
            let words = Words::of(headers::TRANSITIVE_NAME, folders);
            !words.is_whole() || names.any(|name| words.contains(name))
        }
    }
}

/// The names that are missing, or have too few meanings, where errors say that.
fn missing_names(errors: &[FrontendError], file: &str, text: &str) -> Vec<String> {
    const OF_NAMES: [&str; 15] = [
        "undeclared",
        "include <",
        "unknown type name",
        "no member named",
        "no template named",
        "no type named",
        "no matching",
        "is ambiguous",
        "undefined template",
        "incomplete type",
        "no viable",
        "invalid operands",
        "a type specifier is required",
        "expected unqualified-id",
        "static assertion failed",
    ];
    // What else these messages quote is where it was looked for.
    const OF_ONE: [&str; 5] =
        ["undeclared", "unknown type name", "no member named", "no template named", "no type named"];
    let mut names = Vec::new();
    for error in errors {
        let FrontendError::Parse { message, place, .. } = error else { continue };
        if !OF_NAMES.iter().any(|what| message.contains(what)) {
            continue;
        }
        let mut quoted = message.split('\'').skip(1).step_by(2);
        if let Some((_, header)) = message.split_once("include <") {
            names.extend(identifiers(header).next().map(str::to_owned));
        } else if OF_ONE.iter().any(|what| message.contains(what)) {
            names.extend(quoted.next().into_iter().flat_map(identifiers).map(str::to_owned));
        } else if message.contains('\'') {
            names.extend(quoted.flat_map(identifiers).map(str::to_owned));
        } else if let Some(place) = place.as_ref().filter(|place| place.file == file) {
            // It names nothing: what stands there may be missing.
            let line = text.lines().nth(place.start.line.saturating_sub(1) as usize);
            names.extend(line.into_iter().flat_map(identifiers).map(str::to_owned));
        }
    }
    names
}

/// Where a unit's headers lie, if it has one of our headers of Thrust or CUB.
fn folders_of_templates(unit: &TranslationUnit) -> Option<Vec<PathBuf>> {
    let is_one = |name: &String| {
        let rest = name.strip_prefix(headers::VIRTUAL_INCLUDE_DIR).unwrap_or_default();
        rest.starts_with("/thrust/") || rest.starts_with("/cub/")
    };
    let names: Vec<String> = unit.files().into_iter().map(|file| unit.file_name(file)).collect();
    names.iter().any(is_one).then(|| headers::folders_of(names.into_iter()))
}

/// Parses with these arguments: the tree, or what is wrong with the source.
fn parse_unit(
    file: &str,
    arguments: &[String],
    unsaved: &[Unsaved<'_>],
    reads: Option<&mut Reads>,
) -> Result<(TranslationUnit, Vec<Unsequenced>), Refused> {
    log::debug!(target: "parse", "{file}: arguments {}", arguments.join(" "));
    let unit = TranslationUnit::parse(file, arguments, unsaved)
        .map_err(|failure| Refused::by(vec![failure.into()]))?;
    look_at(unit, unsaved, reads)
}

/// A unit, or what is wrong with the source.
fn look_at(
    unit: TranslationUnit,
    unsaved: &[Unsaved<'_>],
    reads: Option<&mut Reads>,
) -> Result<(TranslationUnit, Vec<Unsequenced>), Refused> {
    let (mut errors, mut found) = (Vec::new(), Vec::new());
    let diagnostics = unit.diagnostics();
    if let Some(reads) = reads {
        reads.unit(&unit, &diagnostics, unsaved);
    }
    for (number, diagnostic) in (0..).zip(diagnostics) {
        match diagnostic.severity {
            Severity::Error | Severity::Fatal => {
                let place = span(&unit, diagnostic.start, diagnostic.end);
                // A header that is not provided: what follows from its lack is not told.
                if let Some(what) = missing_library(&diagnostic.message) {
                    let errors = vec![FrontendError::Unsupported { what, place }];
                    return Err(Refused::by(errors));
                }
                if let Some(refusal) = own_refusal(&unit, &diagnostic) {
                    return Err(Refused::by(vec![refusal]));
                }
                let notes = notes(&unit, &diagnostic);
                let message = diagnostic.message;
                // A macro that is used often says the same of one place again and again.
                let told = |e: &FrontendError| matches!(e, FrontendError::Parse { message: m, place: p, .. } if *m == message && *p == place);
                if !errors.iter().any(told) {
                    errors.push(FrontendError::Parse { message, place, notes });
                }
            }
            // What is only bad style is no business of an interpreter.
            Severity::Warning => found.extend(unsequenced(&diagnostic.message, number)),
            Severity::Note => {}
        }
    }
    if errors.is_empty() {
        Ok((unit, found))
    } else {
        Err(Refused { errors, templates: folders_of_templates(&unit) })
    }
}

/// What a diagnostic refers to in the user's files, of many candidates the first.
fn notes(unit: &TranslationUnit, diagnostic: &crate::clang::Diagnostic) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    // How a header of the system came in says nothing of the error.
    for note in diagnostic.notes.iter().filter(|note| !note.message.starts_with("in file included from")) {
        let Some(mut place) = span(unit, note.start, None).filter(|place| !is_theirs(&place.file)) else {
            continue;
        };
        place.label.clone_from(&note.message);
        if spans.len() < 3 && !spans.contains(&place) {
            spans.push(place);
        }
    }
    spans
}

/// Whether a file is a header of cudair, of the compiler or of the system.
pub(crate) fn is_theirs(name: &str) -> bool {
    headers::is_own_header(name)
        || name.starts_with("/usr/include")
        || name.contains("/lib/gcc/")
        || name.contains("/lib/clang/")
}

/// The header with the user's macros.
pub(crate) const MACROS_NAME: &str = "cudair_macros.h";

/// Whether a macro of the user may be one that headers ask for.
fn is_early(option: &str) -> bool {
    let name = option.get(1..).unwrap_or_default();
    name.starts_with('_') || name.starts_with("CUDA") || name.split('=').next() == Some("NDEBUG")
}

/// What an option such as `DN=4` or `UN` means, as a line of a header.
fn directive(option: &str) -> String {
    let text = option.get(1..).unwrap_or_default();
    match (option.starts_with('U'), text.split_once('=')) {
        (true, _) => format!("#undef {text}\n"),
        // As the compiler does: a line's end ends the macro.
        (false, Some((name, value))) => {
            format!("#define {name} {}\n", value.lines().next().unwrap_or_default())
        }
        (false, None) => format!("#define {text} 1\n"),
    }
}

/// Whether the files of the user that make up the unit ask for `__CUDA_ARCH__`, so that device code may
/// differ from what the host's parse shows.
pub(crate) fn asks_for_architecture(unit: &TranslationUnit) -> bool {
    let needle = b"__CUDA_ARCH__";
    unit.files().into_iter().any(|file| {
        let name = unit.file_name(file);
        !is_theirs(&name)
            && unit
                .file_contents(file)
                .is_some_and(|text| text.windows(needle.len()).any(|window| window == needle))
    })
}

/// The source, which must be text.
fn read_source(file: &str) -> Result<String, FrontendError> {
    let bytes = std::fs::read(file)
        .map_err(|e| FrontendError::Usage { message: format!("cannot read {file}: {e}") })?;
    if bytes.contains(&0) {
        return Err(FrontendError::Parse {
            message: format!("{file} is not a text file"),
            place: Some(Span {
                file: file.to_owned(),
                start: Pos { line: 1, col: 1 },
                end: Pos { line: 1, col: 1 },
                spelling: None,
                label: String::new(),
            }),
            notes: Vec::new(),
        });
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// How much of what nvcc reads before a program is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Prelude {
    /// What the program's text may use.
    Needed,
    /// All of it.
    Whole,
    /// All of it, and what the headers of Thrust and CUB bring along.
    Transitive,
}

/// What libclang is told of the language and its standard.
fn language_arguments(options: &Options, language: Language) -> Vec<String> {
    let mut a: Vec<String> = Vec::new();
    let std = |default: &str| match &options.std {
        Some(std) => format!("-std={std}"),
        None => format!("-std={default}"),
    };
    let mut push = |list: &[&str]| a.extend(list.iter().map(|s| (*s).to_owned()));
    match language {
        Language::Cuda => {
            push(&[
                "-x",
                "cuda",
                "--cuda-host-only",
                "-fgpu-rdc",
                "-nocudainc",
                "-nocudalib",
                &std("gnu++17"),
            ]);
        }
        Language::Cxx => push(&["-x", "c++", &std("gnu++17")]),
        Language::C => {
            // A standard for C++ says nothing about a C file beside it.
            let c_std = options.std.as_deref().filter(|s| !s.contains("++"));
            push(&["-x", "c", &format!("-std={}", c_std.unwrap_or("gnu11"))]);
            // What older C allowed, clang takes for an error and other compilers for a warning.
            for old in [
                "implicit-function-declaration",
                "implicit-int",
                "int-conversion",
                "incompatible-pointer-types",
                "incompatible-function-pointer-types",
                "return-mismatch",
            ] {
                push(&[&format!("-Wno-error={old}")]);
            }
        }
    }
    a
}

/// What libclang is told to parse a file.
pub(crate) fn arguments(
    options: &Options,
    language: Language,
    device: bool,
    texts: &[&str],
    prelude: Prelude,
) -> Result<Vec<String>, FrontendError> {
    let mut a = language_arguments(options, language);
    let mut push = |list: &[&str]| a.extend(list.iter().map(|s| (*s).to_owned()));
    // No `-w`: one warning is of interest.
    push(&[
        "-Wno-error",
        "-Wno-unknown-warning-option",
        "-Wno-c++11-narrowing",
        // An error of clang's from C++17 on, a warning of nvcc's.
        "-Wno-register",
        "-Wunsequenced",
        // `Reads` asks for it.
        "-Wdate-time",
        "-Wno-parentheses",
        "-ferror-limit=20",
        "-fno-spell-checking",
    ]);
    match clang::builtin_headers()? {
        // The resource directory belongs to the library, wherever that lies.
        Some(dir) => {
            if let Some(resource) = dir.parent() {
                push(&["-resource-dir", &resource.display().to_string()]);
            }
        }
        None => push(&["-nobuiltininc"]),
    }
    for dir in &options.include_dirs {
        push(&["-I", dir]);
    }
    for dir in &options.system_dirs {
        push(&["-isystem", dir]);
    }
    push(&["-isystem", headers::VIRTUAL_INCLUDE_DIR]);
    // By which a program tells cudair from nvcc.
    push(&["-D__CUDAIR__=1"]);
    if clang::builtin_headers()?.is_none() {
        push(&["-isystem", headers::VIRTUAL_BUILTIN_DIR]);
    }
    if let Some(version) = options.cuda_version {
        push(&[&format!("-D__CUDAIR_CUDA_VERSION={version}")]);
    }
    if device {
        push(&[&format!("-D__CUDA_ARCH__={}", options.arch)]);
    }
    for m in options.macros.iter().filter(|m| language != Language::Cuda || is_early(m)) {
        push(&[&format!("-{m}")]);
    }
    if language == Language::Cuda {
        match prelude {
            Prelude::Needed => {
                if texts.first().is_some_and(|text| headers::wants_std_math(text)) {
                    push(&["-D__CUDAIR_STD_MATH"]);
                }
                for flag in headers::parts_for(texts) {
                    push(&[flag]);
                }
            }
            Prelude::Whole | Prelude::Transitive => {
                push(&["-D__CUDAIR_STD_MATH", "-D__CUDAIR_STD_UTILITY"]);
            }
        }
        push(&["-include", headers::PRELUDE_NAME, "-include", MACROS_NAME]);
        if prelude == Prelude::Transitive {
            push(&["-include", headers::TRANSITIVE_NAME]);
        }
    }
    for include in &options.includes {
        push(&["-include", include]);
    }
    Ok(a)
}

/// A diagnostic's place.
fn span(unit: &TranslationUnit, start: RawPos, end: Option<RawPos>) -> Option<Span> {
    let file = start.file?;
    let contents = unit.file_contents(file);
    let pos = |raw: RawPos| {
        let line_start = raw.offset.saturating_sub(raw.column.saturating_sub(1)) as usize;
        let col = contents
            .as_ref()
            .and_then(|c| c.get(line_start..raw.offset as usize))
            .map_or(raw.column, |b| String::from_utf8_lossy(b).chars().count() as u32 + 1);
        Pos { line: raw.line, col }
    };
    let from = pos(start);
    let to = match end {
        Some(end) => pos(end),
        None => Pos { line: from.line, col: from.col + 1 },
    };
    Some(Span { file: unit.file_name(file), start: from, end: to, spelling: None, label: String::new() })
}
