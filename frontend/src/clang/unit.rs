//! Translation units: parsing, diagnostics, files and places.

use super::library::{LibraryError, library, opened};
use super::{Cursor, CursorKind, take_string};
use clang_sys as cs;
use rustc_hash::FxHashSet;
use std::ffi::CString;
use std::os::raw::c_uint;

/// A file served from memory.
#[derive(Clone, Copy, Debug)]
pub struct Unsaved<'a> {
    /// Where the parser shall find it; the directory need not exist.
    pub path: &'a str,
    /// Its contents.
    pub contents: &'a str,
}

/// A position as libclang gives it: line and byte column from 1. The file is a key for
/// [`TranslationUnit::file_name`]; `None` where the position is in no file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RawPos {
    /// Key of the file.
    pub file: Option<FileKey>,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
    /// Offset in bytes.
    pub offset: u32,
}

/// A range as the reader sees it, and where its first token is spelled if a macro brought it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RawRange {
    /// Start, at the use of a macro.
    pub start: RawPos,
    /// End, exclusive, at the use of a macro.
    pub end: RawPos,
    /// Start inside a macro's definition, where that differs.
    pub spelling: Option<(RawPos, RawPos)>,
    /// Whether the last token is of a macro's definition, and `end` is where the use of that macro begins: libclang
    /// says so of macros in arguments of others.
    pub before_macro: bool,
}

/// A file of a translation unit, as a key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FileKey(usize);

impl FileKey {
    pub(super) fn raw(self) -> cs::CXFile {
        self.0 as cs::CXFile
    }
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// Remark or note.
    Note,
    /// Warning.
    Warning,
    /// Error.
    Error,
    /// An error after which nothing can be relied on.
    Fatal,
}

/// A diagnostic of the parser.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What it says.
    pub message: String,
    /// Where.
    pub start: RawPos,
    /// Where what it points at ends, if it says so.
    pub end: Option<RawPos>,
    /// The option that controls it, such as `-Wshift-count-overflow`.
    pub option: String,
    /// What it refers to: a declaration, a candidate and what is wrong with it.
    pub notes: Vec<Note>,
}

/// What a diagnostic refers to, where it says so.
#[derive(Clone, Debug)]
pub struct Note {
    /// What it says.
    pub message: String,
    /// Where.
    pub start: RawPos,
}

/// Why libclang gave no translation unit at all.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ParseFailure {
    /// No libclang.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// An argument has a NUL byte in it.
    #[error("an argument holds a NUL byte")]
    NulByte,
    /// libclang crashed, or refused the arguments.
    #[error("the parser gave up on {0}")]
    GaveUp(String),
}

/// A parsed file with everything that it includes.
pub struct TranslationUnit {
    index: cs::CXIndex,
    pub(super) raw: cs::CXTranslationUnit,
    /// What it was parsed with.
    #[cfg(test)]
    inputs: Inputs,
}

/// The arguments and files that a unit was parsed with.
#[cfg(test)]
struct Inputs {
    arguments: Vec<String>,
    unsaved: Vec<(String, String)>,
}

#[cfg(test)]
impl TranslationUnit {
    /// Saves the unit, for `-include-pch`.
    pub(crate) fn save(&self, path: &std::path::Path) {
        let path = CString::new(path.display().to_string()).expect("a path without zero bytes");
        // SAFETY: the function has this signature in every libclang; the library is never unloaded.
        let code = unsafe {
            let library = libloading::Library::new(&opened().about.path).expect("it is open already");
            type Save =
                unsafe extern "C" fn(cs::CXTranslationUnit, *const std::os::raw::c_char, c_uint) -> i32;
            let save: libloading::Symbol<'_, Save> =
                library.get(b"clang_saveTranslationUnit\0").expect("each libclang has it");
            let code = save(self.raw, path.as_ptr(), 0);
            std::mem::forget(library);
            code
        };
        assert_eq!(code, 0, "the unit cannot be saved");
    }

    /// Parses a text as this unit was parsed, with more arguments; `includes`: with what it includes first.
    pub(crate) fn probe(&self, text: &str, more: &[&str], includes: bool) {
        let mut arguments: Vec<String> = Vec::new();
        let mut rest = self.inputs.arguments.iter();
        while let Some(argument) = rest.next() {
            if argument == "-include" && !includes {
                rest.next();
            } else {
                arguments.push(argument.clone());
            }
        }
        arguments.extend(more.iter().map(|a| (*a).to_owned()));
        let probe = "/cudair-probe";
        let mut unsaved: Vec<Unsaved<'_>> =
            self.inputs.unsaved.iter().map(|(path, contents)| Unsaved { path, contents }).collect();
        unsaved.push(Unsaved { path: probe, contents: text });
        assert!(TranslationUnit::parse(probe, &arguments, &unsaved).is_ok(), "the probe does not parse");
    }
}

impl Drop for TranslationUnit {
    fn drop(&mut self) {
        let f = &opened().functions;
        // SAFETY: both were created by `parse` and nothing borrows from the unit any more.
        unsafe {
            (f.clang_disposeTranslationUnit)(self.raw);
            (f.clang_disposeIndex)(self.index);
        }
    }
}

impl TranslationUnit {
    /// Parses `file` with the given compiler arguments.
    pub fn parse(file: &str, arguments: &[String], unsaved: &[Unsaved<'_>]) -> Result<Self, ParseFailure> {
        let f = &library()?.functions;
        let c_string = |s: &str| CString::new(s).map_err(|_| ParseFailure::NulByte);
        let c_file = c_string(file)?;
        let c_arguments = arguments.iter().map(|a| c_string(a)).collect::<Result<Vec<_>, _>>()?;
        let pointers: Vec<_> = c_arguments.iter().map(|a| a.as_ptr()).collect();
        let c_paths = unsaved.iter().map(|u| c_string(u.path)).collect::<Result<Vec<_>, _>>()?;
        let mut c_unsaved: Vec<_> = unsaved
            .iter()
            .zip(&c_paths)
            .map(|(u, path)| cs::CXUnsavedFile {
                Filename: path.as_ptr(),
                Contents: u.contents.as_ptr().cast(),
                Length: u.contents.len() as _,
            })
            .collect();
        // SAFETY: every pointer outlives the call, and counts match.
        unsafe {
            // "Excluding declarations from a precompiled header", of which there is none, makes the unit's
            // children the list in which the parser met them: it ends with the instances of templates.
            let index = (f.clang_createIndex)(1, 0);
            let mut raw = std::ptr::null_mut();
            let code = (f.clang_parseTranslationUnit2)(
                index,
                c_file.as_ptr(),
                pointers.as_ptr(),
                pointers.len() as _,
                c_unsaved.as_mut_ptr(),
                c_unsaved.len() as _,
                cs::CXTranslationUnit_KeepGoing,
                &raw mut raw,
            );
            if code != cs::CXError_Success || raw.is_null() {
                (f.clang_disposeIndex)(index);
                return Err(ParseFailure::GaveUp(file.to_owned()));
            }
            Ok(TranslationUnit {
                index,
                raw,
                #[cfg(test)]
                inputs: Inputs {
                    arguments: arguments.to_vec(),
                    unsaved: unsaved.iter().map(|u| (u.path.to_owned(), u.contents.to_owned())).collect(),
                },
            })
        }
    }

    /// The root of the tree.
    pub fn cursor(&self) -> Cursor<'_> {
        // SAFETY: the unit is alive.
        Cursor::new(unsafe { (opened().functions.clang_getTranslationUnitCursor)(self.raw) })
    }

    /// What the parser had to say.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let f = &opened().functions;
        // SAFETY: indices are below the count; each diagnostic is disposed of after it was read.
        unsafe {
            (0..(f.clang_getNumDiagnostics)(self.raw))
                .map(|i| {
                    let d = (f.clang_getDiagnostic)(self.raw, i);
                    let severity = match (f.clang_getDiagnosticSeverity)(d) {
                        cs::CXDiagnostic_Fatal => Severity::Fatal,
                        cs::CXDiagnostic_Error => Severity::Error,
                        cs::CXDiagnostic_Warning => Severity::Warning,
                        _ => Severity::Note,
                    };
                    let start = expansion((f.clang_getDiagnosticLocation)(d));
                    let end = (0..(f.clang_getDiagnosticNumRanges)(d))
                        .map(|r| range((f.clang_getDiagnosticRange)(d, r)))
                        .filter(|r| r.start == start && r.end.file == start.file)
                        .map(|r| r.end)
                        .max_by_key(|e| e.offset);
                    let message = take_string((f.clang_getDiagnosticSpelling)(d));
                    let option = take_string((f.clang_getDiagnosticOption)(d, std::ptr::null_mut()));
                    // The set and what is in it belong to the diagnostic.
                    let children = (f.clang_getChildDiagnostics)(d);
                    let notes = (0..(f.clang_getNumDiagnosticsInSet)(children))
                        .map(|n| {
                            let note = (f.clang_getDiagnosticInSet)(children, n);
                            let start = expansion((f.clang_getDiagnosticLocation)(note));
                            Note { message: take_string((f.clang_getDiagnosticSpelling)(note)), start }
                        })
                        .collect();
                    (f.clang_disposeDiagnostic)(d);
                    Diagnostic { severity, message, start, end, option, notes }
                })
                .collect()
        }
    }

    /// The path of a file, as the compiler resolved it.
    pub fn file_name(&self, file: FileKey) -> String {
        // SAFETY: the key was made from a file of this unit.
        take_string(unsafe { (opened().functions.clang_getFileName)(file.raw()) })
    }

    /// The contents of a file that was parsed, to be kept.
    pub fn file_contents(&self, file: FileKey) -> Option<Vec<u8>> {
        self.contents(file).map(<[u8]>::to_vec)
    }

    /// The contents of a file that was parsed.
    pub(super) fn contents(&self, file: FileKey) -> Option<&[u8]> {
        let mut size = 0usize;
        // SAFETY: libclang returns a buffer of `size` bytes that lives as long as the unit.
        unsafe {
            let pointer = (opened().functions.clang_getFileContents)(self.raw, file.raw(), &raw mut size);
            (!pointer.is_null()).then(|| std::slice::from_raw_parts(pointer.cast::<u8>(), size))
        }
    }

    /// The files that make up the unit, the main file first.
    pub fn files(&self) -> Vec<FileKey> {
        extern "C" fn collect(
            file: cs::CXFile,
            _stack: *mut cs::CXSourceLocation,
            _depth: c_uint,
            data: cs::CXClientData,
        ) {
            // SAFETY: `data` is the vector passed below, alive during the call.
            unsafe { (*data.cast::<Vec<FileKey>>()).push(FileKey(file as usize)) };
        }
        let mut files = Vec::new();
        // SAFETY: the callback is called only during the call.
        unsafe { (opened().functions.clang_getInclusions)(self.raw, collect, (&raw mut files).cast()) };
        files
    }

    /// The variables that functions declare, as the indexer meets them, those in instances of templates included. It
    /// sees some that a visit of children does not.
    pub fn local_variables(&self) -> Vec<Cursor<'_>> {
        extern "C" fn note(data: cs::CXClientData, info: *const cs::CXIdxDeclInfo) {
            // SAFETY: `data` is the vector passed below, alive during the call; libclang passes a valid description.
            unsafe {
                if (*info).cursor.kind == cs::CXCursor_VarDecl {
                    (*data.cast::<Vec<Cursor<'_>>>()).push(Cursor::new((*info).cursor));
                }
            }
        }
        let f = &opened().functions;
        let mut found: Vec<Cursor<'_>> = Vec::new();
        let mut callbacks = cs::IndexerCallbacks { indexDeclaration: Some(note), ..Default::default() };
        let options =
            cs::CXIndexOptIndexFunctionLocalSymbols | cs::CXIndexOptIndexImplicitTemplateInstantiations;
        // SAFETY: the callback is called only during the call; the action is disposed of once.
        unsafe {
            let action = (f.clang_IndexAction_create)(self.index);
            (f.clang_indexTranslationUnit)(
                action,
                (&raw mut found).cast(),
                &raw mut callbacks,
                std::mem::size_of::<cs::IndexerCallbacks>() as c_uint,
                options,
                self.raw,
            );
            (f.clang_IndexAction_dispose)(action);
        }
        // The body of a lambda is met in the expression and in its class.
        let mut known = FxHashSet::default();
        found.retain(|v| {
            let is_local = v.semantic_parent().is_some_and(|p| {
                matches!(
                    p.kind(),
                    CursorKind::FunctionDecl
                        | CursorKind::CXXMethod
                        | CursorKind::Constructor
                        | CursorKind::Destructor
                        | CursorKind::ConversionFunction
                )
            });
            is_local && known.insert(v.id())
        });
        found
    }
}

type Locate =
    unsafe extern "C" fn(cs::CXSourceLocation, *mut cs::CXFile, *mut c_uint, *mut c_uint, *mut c_uint);

fn locate(f: Locate, location: cs::CXSourceLocation) -> RawPos {
    let (mut file, mut line, mut column, mut offset) = (std::ptr::null_mut(), 0, 0, 0);
    // SAFETY: the location belongs to a live unit; all out-pointers are valid.
    unsafe { f(location, &raw mut file, &raw mut line, &raw mut column, &raw mut offset) };
    RawPos { file: (!file.is_null()).then_some(FileKey(file as usize)), line, column, offset }
}

/// The place in a file that the reader sees: a macro argument where it is written, else the macro's use.
pub(super) fn expansion(location: cs::CXSourceLocation) -> RawPos {
    locate(opened().functions.clang_getFileLocation, location)
}

pub(super) fn range(raw: cs::CXSourceRange) -> RawRange {
    let f = &opened().functions;
    // SAFETY: the range belongs to a live unit.
    let (start, end) = unsafe { ((f.clang_getRangeStart)(raw), (f.clang_getRangeEnd)(raw)) };
    let start_expansion = expansion(start);
    let end_expansion = expansion(end);
    // The low bit of libclang's encoding tells a macro location, but is no promise of the API;
    // comparing the two readings is.
    let start_spelling = locate(f.clang_getSpellingLocation, start);
    let end_spelling = locate(f.clang_getSpellingLocation, end);
    let spelling = (start_spelling != start_expansion && start_spelling.file.is_some())
        .then_some((start_spelling, end_spelling));
    let before_macro = end_spelling != end_expansion && end_spelling.file.is_some();
    RawRange { start: start_expansion, end: end_expansion, spelling, before_macro }
}
