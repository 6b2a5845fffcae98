//! A cache of compiled programs, in the user's cache folder: a program that was run before is neither parsed nor lowered.
//!
//! An entry is found by what can be told without libclang ([`key`]), and is used if all holds that the parse rested on
//! ([`facts`]) and libclang is the same ([`libraries`]). What is not certain is parsed: nothing here is an error of the
//! command. docs/cache.md says what an entry holds and why it may be trusted.

mod facts;
mod folder;
mod key;
mod libraries;
mod precompiled;

pub use folder::{Folder, bound, place};
pub use key::surroundings;
pub use precompiled::Keeper;

use crate::compiler_args::CompilerArgs;
use cudair_frontend::{Options, Reads, headers};
use cudair_ir::binary::{Decoder, Encoder, read_diagnostics, read_module, write_diagnostics, write_module};
use cudair_ir::{Diagnostic, FileData, Module, verify_module};
use cudair_passes::transform::Pipeline;
use facts::Facts;
use libraries::Hashes;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

/// Bytes of an entry at most.
pub const MAX_ENTRY: u64 = 64 << 20;

/// What each file of the cache begins with.
const MAGIC: &[u8] = b"cudair cache 1\n";

/// Bytes behind what tells whether they are whole.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    [MAGIC, blake3::hash(bytes).as_bytes(), bytes].concat()
}

/// The bytes of a file that is whole.
fn opened(file: &[u8]) -> Option<&[u8]> {
    let (hash, bytes) = file.strip_prefix(MAGIC)?.split_at_checked(blake3::OUT_LEN)?;
    (blake3::hash(bytes) == <[u8; 32]>::try_from(hash).ok()?).then_some(bytes)
}

/// Where an entry of a compilation is, or will be.
pub struct Place {
    folder: Folder,
    key: blake3::Hash,
    start: SystemTime,
}

/// What was kept of a compilation.
pub struct Kept {
    /// The module, with what the passes made of it.
    pub module: Module,
    /// The notes.
    pub notes: Vec<Diagnostic>,
}

/// Where the text of a module's file comes from.
const NO_TEXT: u64 = 0;
const OF_FILE: u64 = 1;
const OF_OURS: u64 = 2;
const GIVEN: u64 = 3;

impl Place {
    /// The place for a compilation of files. `None` where it is not to be kept.
    pub fn of(
        folder: Folder,
        surroundings: &blake3::Hash,
        files: &[PathBuf],
        options: &Options,
        compiler: &CompilerArgs,
        passes: &Pipeline,
    ) -> Option<Place> {
        let start = SystemTime::now();
        let key = key::key(surroundings, files, options, compiler, passes)?;
        Some(Place { folder, key, start })
    }

    /// What was kept, if it still holds.
    pub fn get(&self) -> Option<Kept> {
        let name = Folder::entry(&self.key);
        let Some(file) = self.folder.read(&name) else {
            log::info!(target: "cache", "there is no entry {name}");
            return None;
        };
        let kept = opened(&file).ok_or("it is not whole").and_then(|bytes| self.read(bytes));
        match kept {
            Ok(kept) => {
                log::info!(target: "cache", "entry {name} is used");
                Some(kept)
            }
            Err(why) => {
                log::info!(target: "cache", "entry {name} is not used: {why}");
                None
            }
        }
    }

    fn read(&self, bytes: &[u8]) -> Result<Kept, &'static str> {
        const BROKEN: &str = "it does not have the form of one";
        let mut from = Decoder::new(bytes);
        if from.bytes() != Some(self.key.as_bytes()) {
            return Err("it is another's");
        }
        let facts = Facts::read(&mut from).ok_or(BROKEN)?;
        let mut hashes = Hashes::read(&self.folder);
        if !hashes.hold(&mut from).ok_or(BROKEN)? {
            return Err("libclang is another one");
        }
        hashes.keep(&self.folder);
        let texts = read_texts(&mut from).ok_or(BROKEN)?;
        let keep = texts.iter().filter_map(|text| if let Text::File(n) = text { Some(*n) } else { None });
        let contents = facts.hold(&keep.collect()).map_err(|changed| {
            log::debug!(target: "cache", "{changed} has changed");
            "what it was made from has changed"
        })?;
        let notes = from.bytes().and_then(read_diagnostics).ok_or(BROKEN)?;
        let module = from.bytes().ok_or(BROKEN)?;
        let module = read_module(module, |n, path| texts.get(n)?.of(path, &contents)).ok_or(BROKEN)?;
        if !from.is_at_end() || module.source.files.len() != texts.len() {
            return Err(BROKEN);
        }
        verify_module(&module).map_err(|_| "its module is not valid")?;
        Ok(Kept { module, notes })
    }

    /// Keeps what was compiled, if it can be told when it is to be compiled anew.
    pub fn put(&self, module: &Module, notes: &[Diagnostic], reads: &Reads) {
        match self.entry(module, notes, reads) {
            Ok(entry) => match self.folder.write(&Folder::entry(&self.key), &entry) {
                Ok(()) => log::info!(target: "cache", "entry {} is written", Folder::entry(&self.key)),
                Err(error) => log::debug!(target: "cache", "no entry is written: {error}"),
            },
            Err(why) => log::info!(target: "cache", "no entry is written: {why}"),
        }
    }

    fn entry(&self, module: &Module, notes: &[Diagnostic], reads: &Reads) -> Result<Vec<u8>, String> {
        if let Some(why) = &reads.unrepeatable {
            return Err(why.clone());
        }
        let facts = Facts::of(reads, self.start).ok_or("something changed meanwhile")?;
        let mut hashes = Hashes::read(&self.folder);
        let mut out = Encoder::default();
        out.bytes(self.key.as_bytes());
        facts.write(&mut out);
        hashes.write(&mut out)?;
        hashes.keep(&self.folder);
        out.number(module.source.files.len() as u64);
        let numbers = facts.numbers();
        for file in module.source.files.values() {
            let number = numbers.get(&file.path).map(|n| facts.first(*n));
            write_text(&mut out, file, number, reads);
        }
        out.bytes(&write_diagnostics(notes));
        out.bytes(&write_module(module).ok_or("the module is not valid")?);
        let entry = sealed(&out.finish());
        if entry.len() as u64 > MAX_ENTRY.min(bound()) {
            return Err("it is too long".to_owned());
        }
        Ok(entry)
    }
}

/// Where a text comes from.
enum Text {
    None,
    /// A file of the facts.
    File(usize),
    /// A header that cudair has in itself.
    Ours,
    Given(Arc<str>),
}

fn write_text(out: &mut Encoder, file: &FileData, number: Option<usize>, reads: &Reads) {
    let Some(text) = &file.text else { return out.number(NO_TEXT) };
    let is_it = |&n: &usize| String::from_utf8_lossy(&reads.files[n].contents) == **text;
    if let Some(n) = number.filter(is_it) {
        out.number(OF_FILE);
        out.number(n as u64);
    } else if ours(&file.path).is_some_and(|ours| *ours == **text) {
        out.number(OF_OURS);
    } else {
        out.number(GIVEN);
        out.bytes(text.as_bytes());
    }
}

fn read_texts(from: &mut Decoder<'_>) -> Option<Vec<Text>> {
    (0..from.count()?)
        .map(|_| {
            Some(match from.number()? {
                NO_TEXT => Text::None,
                OF_FILE => Text::File(usize::try_from(from.number()?).ok()?),
                OF_OURS => Text::Ours,
                GIVEN => Text::Given(from.text()?.into()),
                _ => return None,
            })
        })
        .collect()
}

impl Text {
    /// The text of the file with this path. Nothing where it cannot be told; the inner one where the file has none.
    #[allow(clippy::option_option, reason = "what the module's reader asks for")]
    fn of(&self, path: &str, contents: &facts::Contents) -> Option<Option<Arc<str>>> {
        Some(match self {
            Text::None => None,
            Text::File(n) => Some(Arc::from(&*String::from_utf8_lossy(contents.get(*n)?.as_ref()?))),
            Text::Ours => Some(Arc::from(ours(path)?)),
            Text::Given(text) => Some(text.clone()),
        })
    }
}

/// The text of a header that cudair serves itself.
fn ours(path: &str) -> Option<&'static str> {
    let lists = [
        (headers::VIRTUAL_INCLUDE_DIR, headers::unsaved_files()),
        (headers::VIRTUAL_BUILTIN_DIR, headers::builtin_files()),
    ];
    lists.into_iter().find_map(|(folder, files)| {
        let name = path.strip_prefix(folder)?.strip_prefix('/')?;
        files.iter().find(|(path, _)| *path == name).map(|(_, text)| *text)
    })
}
