//! Translation units: parsing, diagnostics, files and places.

use super::library::{LibraryError, library, opened};
use super::{Cursor, CursorKind, Hidden, take_string};
use clang_sys as cs;
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::ffi::CString;
use std::os::raw::c_uint;
use std::path::Path;

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
    /// What is known of the precompiled header.
    precompiled: Option<Precompiled>,
    /// A file with the text that a reader sees, where the parser was given another one.
    shown: Option<(FileKey, String)>,
    /// What it was parsed with.
    #[cfg(test)]
    inputs: Inputs,
}

/// What is known of a unit's precompiled header, whose declarations are not among the unit's.
struct Precompiled {
    files: Vec<FileKey>,
    hidden: Hidden,
    /// Something was looked for among the unit's declarations that may be among the header's.
    missed: Cell<bool>,
}

/// The arguments and files that a unit was parsed with.
#[cfg(test)]
struct Inputs {
    arguments: Vec<String>,
    unsaved: Vec<(String, String)>,
}

#[cfg(test)]
impl TranslationUnit {
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
    ///
    /// # Errors
    /// There is no libclang, or it gave no unit at all.
    pub fn parse(file: &str, arguments: &[String], unsaved: &[Unsaved<'_>]) -> Result<Self, ParseFailure> {
        TranslationUnit::parse_flagged(file, arguments, unsaved, cs::CXTranslationUnit_KeepGoing)
    }

    /// The same, for [`TranslationUnit::save`].
    ///
    /// # Errors
    /// As for [`TranslationUnit::parse`].
    pub fn parse_to_save(
        file: &str,
        arguments: &[String],
        unsaved: &[Unsaved<'_>],
    ) -> Result<Self, ParseFailure> {
        // What is left to be instantiated at the end of the unit is left to those that use the header: there it is seen.
        let flags = cs::CXTranslationUnit_KeepGoing
            | cs::CXTranslationUnit_ForSerialization
            | cs::CXTranslationUnit_Incomplete;
        TranslationUnit::parse_flagged(file, arguments, unsaved, flags)
    }

    fn parse_flagged(
        file: &str,
        arguments: &[String],
        unsaved: &[Unsaved<'_>],
        flags: cs::CXTranslationUnit_Flags,
    ) -> Result<Self, ParseFailure> {
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
                flags,
                &raw mut raw,
            );
            if code != cs::CXError_Success || raw.is_null() {
                (f.clang_disposeIndex)(index);
                return Err(ParseFailure::GaveUp(file.to_owned()));
            }
            Ok(TranslationUnit {
                index,
                raw,
                precompiled: None,
                shown: None,
                #[cfg(test)]
                inputs: Inputs {
                    arguments: arguments.to_vec(),
                    unsaved: unsaved.iter().map(|u| (u.path.to_owned(), u.contents.to_owned())).collect(),
                },
            })
        }
    }

    /// Saves the unit, for `-include-pch`. Whether that was done.
    pub fn save(&self, path: &Path) -> bool {
        let Some(path) = path.to_str().and_then(|p| CString::new(p).ok()) else { return false };
        // SAFETY: the unit is alive, the path is a C string.
        let code = unsafe { (opened().functions.clang_saveTranslationUnit)(self.raw, path.as_ptr(), 0) };
        code == cs::CXSaveError_None
    }

    /// The unit, which was parsed with a precompiled header of these files, which hides something. Its main file was
    /// given in another form to the parser than `text`, with each place where it is.
    #[must_use]
    pub fn with_precompiled(mut self, files: &[String], hidden: Hidden, text: &str) -> Self {
        let find = |path: &String| {
            let path = CString::new(path.as_str()).ok()?;
            // SAFETY: the unit is alive, the path is a C string.
            let file = unsafe { (opened().functions.clang_getFile)(self.raw, path.as_ptr()) };
            (!file.is_null()).then_some(FileKey(file as usize))
        };
        let files = files.iter().filter_map(find).collect();
        self.precompiled = Some(Precompiled { files, hidden, missed: Cell::new(false) });
        self.shown = self.files().first().map(|&main| (main, text.to_owned()));
        self
    }

    /// Notes that something was looked for among the unit's declarations, which a precompiled header may have.
    pub(crate) fn miss(&self, what: &str) {
        if let Some(precompiled) = &self.precompiled {
            log::debug!(target: "cache", "with a precompiled header `{what}` is not found");
            precompiled.missed.set(true);
        }
    }

    /// Notes that a type of a name was looked for in vain among the unit's declarations.
    pub(crate) fn miss_type(&self, name: &str) {
        if self.precompiled.as_ref().is_some_and(|p| p.hidden.has_type(name)) {
            self.miss(name);
        }
    }

    /// The same of a variable or an enumerator.
    pub(crate) fn miss_value(&self, name: &str) {
        if self.precompiled.as_ref().is_some_and(|p| p.hidden.has_value(name)) {
            self.miss(name);
        }
    }

    /// Notes that functions of a name were looked for, constructors of a class alone.
    pub(crate) fn look_for(&self, name: &str, class: Option<Cursor<'_>>) {
        if self.precompiled.as_ref().is_some_and(|p| p.hidden.has_function(name, class)) {
            self.miss(name);
        }
    }

    /// Whether what was looked for may be in the precompiled header, so that another answer than its absence is right.
    pub(crate) fn has_missed(&self) -> bool {
        self.precompiled.as_ref().is_some_and(|p| p.missed.get())
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

    /// What stands in front of a place in its file, and what stands there.
    pub fn text_around(&self, at: RawPos) -> Option<(&[u8], &[u8])> {
        self.contents(at.file?)?.split_at_checked(at.offset as usize)
    }

    /// The contents of a file that was parsed.
    pub(super) fn contents(&self, file: FileKey) -> Option<&[u8]> {
        if let Some((_, text)) = self.shown.as_ref().filter(|(shown, _)| *shown == file) {
            return Some(text.as_bytes());
        }
        let mut size = 0usize;
        // SAFETY: libclang returns a buffer of `size` bytes that lives as long as the unit.
        unsafe {
            let pointer = (opened().functions.clang_getFileContents)(self.raw, file.raw(), &raw mut size);
            (!pointer.is_null()).then(|| std::slice::from_raw_parts(pointer.cast::<u8>(), size))
        }
    }

    /// The files that make up the unit, the main file first, and last those of a precompiled header.
    pub fn files(&self) -> Vec<FileKey> {
        let own = self.inclusions().into_iter().map(|(file, _)| file);
        own.chain(self.precompiled.iter().flat_map(|p| p.files.iter().copied())).collect()
    }

    /// The files that the parser read, the main file first, each with the line of the main file that brought it.
    pub fn inclusions(&self) -> Vec<(FileKey, Option<u32>)> {
        extern "C" fn collect(
            file: cs::CXFile,
            stack: *mut cs::CXSourceLocation,
            depth: c_uint,
            data: cs::CXClientData,
        ) {
            // SAFETY: `data` is the vector passed below, alive during the call; `stack` has `depth` places.
            unsafe {
                let outermost = depth.checked_sub(1).map(|n| expansion(*stack.add(n as usize)));
                (*data.cast::<Vec<(FileKey, Option<RawPos>)>>()).push((FileKey(file as usize), outermost));
            };
        }
        let mut found: Vec<(FileKey, Option<RawPos>)> = Vec::new();
        // SAFETY: the callback is called only during the call.
        unsafe { (opened().functions.clang_getInclusions)(self.raw, collect, (&raw mut found).cast()) };
        let main = found.first().map(|&(file, _)| file);
        let line = |at: Option<RawPos>| at.filter(|at| at.file == main).map(|at| at.line);
        found.into_iter().map(|(file, at)| (file, line(at))).collect()
    }

    /// Whether a file is the system's, as the folder in which it was found tells.
    pub fn is_system_header(&self, file: FileKey) -> bool {
        let f = &opened().functions;
        // SAFETY: the key was made from a file of this unit.
        unsafe {
            let start = (f.clang_getLocationForOffset)(self.raw, file.raw(), 0);
            (f.clang_Location_isInSystemHeader)(start) != 0
        }
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
