//! Precompiled headers in the cache's folder: for each a record, which says under what it may be used, and the header
//! itself as libclang wrote it.

use super::facts::Facts;
use super::folder::Folder;
use super::libraries::Hashes;
use super::{opened, sealed};
use cudair_frontend::clang::{Hidden, HiddenFunction, crash};
use cudair_frontend::{Found, Headers, Kept, New, Precompiled};
use cudair_ir::binary::{Decoder, Encoder};
use rustc_hash::FxHashSet;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// Keeps precompiled headers.
#[derive(Debug)]
pub struct Keeper {
    folder: Folder,
    surroundings: blake3::Hash,
    start: SystemTime,
    /// One is made when it could be used for the first time.
    at_once: bool,
}

/// What a record says.
const ASKED_FOR: u64 = 0;
const REFUSED: u64 = 1;
const KEPT: u64 = 2;

fn text(from: &mut Decoder<'_>) -> Option<String> {
    from.text().map(str::to_owned)
}

fn texts(from: &mut Decoder<'_>) -> Option<Vec<String>> {
    (0..from.count()?).map(|_| text(from)).collect()
}

fn write_texts(out: &mut Encoder, texts: &[String]) {
    out.number(texts.len() as u64);
    for text in texts {
        out.bytes(text.as_bytes());
    }
}

/// A key for a file.
fn of_file(key: &str, file: &str) -> String {
    format!("{key} for {file:?}")
}

/// Why there is no header to use.
enum Without {
    /// None is to be made.
    Refused,
    /// One is to be made, for this reason.
    Stale(&'static str),
}

impl Keeper {
    /// The keeper for a run, given the surroundings. `None` where the user wants none, or the last run crashed with one.
    pub fn of(folder: &Folder, surroundings: &blake3::Hash) -> Option<Precompiled> {
        let setting = std::env::var(crash::VARIABLE).unwrap_or_default();
        if setting == crash::CRASHED {
            log::info!(target: "cache", "the parser crashed with a precompiled header: it is not used any more");
        }
        if setting == crash::CRASHED || setting == "never" {
            return None;
        }
        let (folder, surroundings) = (folder.clone(), *surroundings);
        let keeper = Keeper { folder, surroundings, start: SystemTime::now(), at_once: setting == "at-once" };
        Some(Precompiled::new(Arc::new(keeper)))
    }

    fn hash(&self, key: &str) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.surroundings.as_bytes());
        hasher.update(key.as_bytes());
        hasher.finalize()
    }

    fn note(&self, key: &str, what: u64) {
        let hash = self.hash(key);
        let mut out = Encoder::default();
        out.bytes(hash.as_bytes());
        out.number(what);
        if let Err(error) = self.folder.write(&Folder::record(&hash), &sealed(&out.finish())) {
            log::debug!(target: "cache", "nothing is noted of a precompiled header: {error}");
        }
    }

    fn read(&self, hash: &blake3::Hash, record: &[u8]) -> Result<Kept, Without> {
        const BROKEN: Without = Without::Stale("its record does not have the form of one");
        // So a crash leaves it.
        if record.is_empty() {
            return Err(Without::Refused);
        }
        let bytes = opened(record).ok_or(Without::Stale("its record is not whole"))?;
        let mut from = Decoder::new(bytes);
        if from.bytes() != Some(hash.as_bytes()) {
            return Err(Without::Stale("its record is another's"));
        }
        match from.number() {
            Some(KEPT) => {}
            Some(ASKED_FOR) => return Err(Without::Stale("it is asked for again")),
            Some(REFUSED) => return Err(Without::Refused),
            _ => return Err(BROKEN),
        }
        let facts = Facts::read(&mut from).ok_or(BROKEN)?;
        let mut hashes = Hashes::read(&self.folder);
        if !hashes.hold(&mut from).ok_or(BROKEN)? {
            return Err(Without::Stale("libclang is another one"));
        }
        hashes.keep(&self.folder);
        let bytes_of_header: [u8; 32] = from.bytes().and_then(|b| b.try_into().ok()).ok_or(BROKEN)?;
        let includes = from.number().and_then(|n| usize::try_from(n).ok()).ok_or(BROKEN)?;
        let mut lists = || {
            let files = texts(&mut from)?;
            let functions = (0..from.count()?)
                .map(|_| Some(HiddenFunction { name: text(&mut from)?, class: text(&mut from)? }))
                .collect::<Option<_>>()?;
            let (types, values) = (texts(&mut from)?, texts(&mut from)?);
            Some((files, Hidden { functions, types, values }))
        };
        let (files, hidden) = lists().ok_or(BROKEN)?;
        if !from.is_at_end() {
            return Err(BROKEN);
        }
        if facts.hold(&FxHashSet::default()).is_err() {
            return Err(Without::Stale("what it was made from has changed"));
        }
        let name = Folder::header(hash);
        let header = self.folder.read(&name).ok_or(Without::Stale("its file is not there"))?;
        if *blake3::hash(&header).as_bytes() != bytes_of_header {
            return Err(Without::Stale("its file has changed"));
        }
        Ok(self.kept(hash, files, hidden, includes))
    }

    fn kept(&self, hash: &blake3::Hash, files: Vec<String>, hidden: Hidden, includes: usize) -> Kept {
        let at = |name: String| self.folder.path().join(name);
        Kept { path: at(Folder::header(hash)), record: at(Folder::record(hash)), files, hidden, includes }
    }

    fn record(&self, hash: &blake3::Hash, header: &[u8], new: New<'_>) -> Result<Vec<u8>, String> {
        let facts = Facts::of(new.reads, self.start).ok_or("something changed meanwhile")?;
        let mut out = Encoder::default();
        out.bytes(hash.as_bytes());
        out.number(KEPT);
        facts.write(&mut out);
        let mut hashes = Hashes::read(&self.folder);
        hashes.write(&mut out)?;
        hashes.keep(&self.folder);
        out.bytes(blake3::hash(header).as_bytes());
        out.number(new.includes as u64);
        write_texts(&mut out, new.files);
        out.number(new.hidden.functions.len() as u64);
        for HiddenFunction { name, class } in &new.hidden.functions {
            out.bytes(name.as_bytes());
            out.bytes(class.as_bytes());
        }
        write_texts(&mut out, &new.hidden.types);
        write_texts(&mut out, &new.hidden.values);
        Ok(sealed(&out.finish()))
    }
}

impl Headers for Keeper {
    fn find(&self, key: &str, file: &str) -> Found {
        let hash = self.hash(key);
        let refused = Folder::record(&self.hash(&of_file(key, file)));
        if self.folder.read(&refused).is_some() {
            log::info!(target: "cache", "{file} is read without a precompiled header");
            return Found::Unwanted;
        }
        let name = Folder::header(&hash);
        let Some(record) = self.folder.read(&Folder::record(&hash)) else {
            if self.at_once {
                return Found::Wanted;
            }
            // Who runs a program once does not wait for it.
            log::debug!(target: "cache", "the precompiled header {name} is asked for");
            self.note(key, ASKED_FOR);
            return Found::Unwanted;
        };
        match self.read(&hash, &record) {
            Ok(kept) => {
                log::info!(target: "cache", "the precompiled header {name} is used");
                Found::Kept(kept)
            }
            Err(Without::Refused) => {
                log::info!(target: "cache", "the precompiled header {name} is of no use");
                Found::Unwanted
            }
            Err(Without::Stale(why)) => {
                log::info!(target: "cache", "the precompiled header {name} is to be made: {why}");
                Found::Wanted
            }
        }
    }

    fn keep(&self, key: &str, header: New<'_>, save: &dyn Fn(&Path) -> bool) -> Option<Kept> {
        let hash = self.hash(key);
        let name = Folder::header(&hash);
        let written = self.folder.write_by(&name, save).and_then(|bytes| {
            let record = self.record(&hash, &bytes, header)?;
            self.folder.write(&Folder::record(&hash), &record).map_err(|e| e.to_string())
        });
        match written {
            Ok(()) => log::info!(target: "cache", "the precompiled header {name} is written"),
            Err(error) => {
                log::debug!(target: "cache", "no precompiled header is kept: {error}");
                return None;
            }
        }
        Some(self.kept(&hash, header.files.to_vec(), header.hidden.clone(), header.includes))
    }

    fn refuse(&self, key: &str, file: Option<&str>, why: &str) {
        log::info!(target: "cache", "no precompiled header is used: {why}");
        match file {
            Some(file) => self.note(&of_file(key, file), REFUSED),
            None => self.note(key, REFUSED),
        }
    }

    fn forget(&self, key: &str, why: &str) {
        log::info!(target: "cache", "the precompiled header is not taken: {why}");
        self.note(key, ASKED_FOR);
    }
}
