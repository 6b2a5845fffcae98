//! The folder of the cache: it is the user's alone, and stays below a size.

use std::fs::{DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

/// Bytes that all entries take at most, unless `CUDAIR_CACHE_SIZE` says otherwise.
pub const SIZE: u64 = 512 << 20;
/// What stays of that where entries have to go.
const KEPT: (u64, u64) = (3, 4);
/// How an entry's name ends, and that of one that is being written.
const ENTRY: &str = "ir";
const UNFINISHED: &str = "part";
/// How the name of a precompiled header ends, and that of what is known of it.
const HEADER: &str = "pch";
const RECORD: &str = "head";
/// One that is being written for longer was left behind.
const WRITING: Duration = Duration::from_hours(1);
/// A use is noted on the entry if the last one is so long ago.
const NOTED: Duration = Duration::from_mins(10);

/// A folder that was looked at and is fine.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

/// What it holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Entries and precompiled headers.
    pub entries: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Where the folder is: below `XDG_CACHE_HOME`, which is `~/.cache`, on a Mac `~/Library/Caches`. None where the user has
/// no home.
pub fn place() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let parent = variable("XDG_CACHE_HOME").or_else(|| {
        let home = variable("HOME")?;
        Some(home.join(if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" }))
    })?;
    Some(parent.join("cudair"))
}

/// Bytes that all entries may take. With none there is no cache.
pub fn bound() -> u64 {
    let asked = std::env::var("CUDAIR_CACHE_SIZE").ok();
    match asked.and_then(|text| crate::cli::bytes_of(&text).ok()) {
        Some(bytes) => bytes,
        None => SIZE,
    }
}

impl Folder {
    /// The user's folder. `None` where there is none, and none is to be made.
    ///
    /// # Errors
    /// What is wrong with it, as a sentence.
    pub fn open(make: bool) -> Result<Option<Folder>, String> {
        let Some(path) = place().filter(|_| bound() > 0) else { return Ok(None) };
        let found = match path.symlink_metadata() {
            Err(e) if e.kind() == ErrorKind::NotFound && make => {
                let parents = path.parent().map(|p| DirBuilder::new().recursive(true).mode(0o700).create(p));
                // Two commands may make it at once.
                if parents.is_none_or(|made| made.is_err())
                    || DirBuilder::new()
                        .mode(0o700)
                        .create(&path)
                        .is_err_and(|e| e.kind() != ErrorKind::AlreadyExists)
                {
                    return Ok(None);
                }
                path.symlink_metadata()
            }
            found => found,
        };
        let Ok(found) = found else { return Ok(None) };
        let named = || format!("the cache's folder {}", path.display());
        if !found.is_dir() {
            return Err(format!("{} is no folder", named()));
        }
        if found.uid() != rustix::process::geteuid().as_raw() {
            return Err(format!("{} belongs to another user", named()));
        }
        if found.mode() & 0o077 != 0 {
            let mode = found.mode() & 0o777;
            return Err(format!("{} is open to other users: its mode is {mode:03o}, and not 700", named()));
        }
        Ok(Some(Folder(path)))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// What a file of this name holds. `None` where there is none that is the user's own and no longer than an entry.
    pub fn read(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.0.join(name);
        let file = OpenOptions::new()
            .read(true)
            .custom_flags((rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK).bits() as i32)
            .open(&path)
            .ok()?;
        let about = file.metadata().ok()?;
        let own = about.is_file()
            && about.uid() == rustix::process::geteuid().as_raw()
            && about.mode() & 0o022 == 0
            && about.len() <= super::MAX_ENTRY;
        if !own {
            return None;
        }
        let mut bytes = Vec::with_capacity(about.len() as usize + 1);
        (&file).take(super::MAX_ENTRY).read_to_end(&mut bytes).ok()?;
        note_use(&file, &about);
        Some(bytes)
    }

    /// The path of a file that is being written.
    fn unfinished(&self) -> PathBuf {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        self.0.join(format!("{}-{number}.{UNFINISHED}", std::process::id()))
    }

    /// Lets someone else write a file, which gets its name if it is whole and not too long. Its bytes.
    ///
    /// # Errors
    /// Why there is no such file.
    pub fn write_by(&self, name: &str, write: &dyn Fn(&Path) -> bool) -> Result<Vec<u8>, String> {
        let unfinished = self.unfinished();
        let written = || {
            if !write(&unfinished) {
                return Err("it cannot be written".to_owned());
            }
            let told = |e: std::io::Error| e.to_string();
            std::fs::set_permissions(&unfinished, Permissions::from_mode(0o600)).map_err(told)?;
            let bytes = std::fs::read(&unfinished).map_err(told)?;
            if bytes.len() as u64 > super::MAX_ENTRY.min(bound() / 2) {
                return Err("it is too long".to_owned());
            }
            std::fs::rename(&unfinished, self.0.join(name)).map_err(told)?;
            Ok(bytes)
        };
        let written = written();
        if written.is_err() {
            let _ = std::fs::remove_file(&unfinished);
        }
        written
    }

    /// Writes a file as a whole or not at all, and removes what was not used for long where all becomes too much.
    pub fn write(&self, name: &str, bytes: &[u8]) -> std::io::Result<()> {
        let unfinished = self.unfinished();
        let write = || {
            let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unfinished)?;
            file.write_all(bytes)?;
            drop(file);
            std::fs::rename(&unfinished, self.0.join(name))
        };
        let written = write();
        if written.is_err() {
            let _ = std::fs::remove_file(&unfinished);
        }
        self.shrink(bound());
        written
    }

    /// The name of an entry.
    pub fn entry(key: &blake3::Hash) -> String {
        named(key, ENTRY)
    }

    /// The name of a precompiled header.
    pub fn header(key: &blake3::Hash) -> String {
        named(key, HEADER)
    }

    /// The name of what is known of a precompiled header.
    pub fn record(key: &blake3::Hash) -> String {
        named(key, RECORD)
    }

    /// Entries, with when they were used last, and their bytes.
    fn files(&self) -> Vec<(PathBuf, SystemTime, u64)> {
        let Ok(list) = std::fs::read_dir(&self.0) else { return Vec::new() };
        let mut files = Vec::new();
        for entry in list.flatten() {
            let path = entry.path();
            // Of the entry itself, were it a link.
            let Ok(about) = entry.metadata() else { continue };
            let Ok(used) = about.modified() else { continue };
            match ending(&path) {
                Some(UNFINISHED) if used.elapsed().is_ok_and(|age| age > WRITING) => {
                    let _ = std::fs::remove_file(&path);
                }
                Some(ENTRY | HEADER | RECORD) => files.push((path, used, about.len())),
                _ => {}
            }
        }
        files
    }

    /// Removes the entries that were not used for the longest time, where all take more than `bound`.
    fn shrink(&self, bound: u64) {
        let mut files = self.files();
        let mut bytes: u64 = files.iter().map(|f| f.2).sum();
        if bytes <= bound {
            return;
        }
        files.sort_by_key(|f| f.1);
        for (path, _, size) in files {
            if bytes <= bound / KEPT.1 * KEPT.0 {
                break;
            }
            if std::fs::remove_file(&path).is_ok() {
                log::debug!(target: "cache", "{} had to go", path.display());
                bytes -= size;
            }
        }
    }

    /// What it holds.
    pub fn contents(&self) -> Contents {
        let files = self.files();
        let counts = |f: &&(PathBuf, SystemTime, u64)| ending(&f.0) != Some(RECORD);
        Contents {
            entries: files.iter().filter(counts).count() as u64,
            bytes: files.iter().map(|f| f.2).sum(),
        }
    }

    /// Removes all that cudair wrote there.
    ///
    /// # Errors
    /// The file that stays, and why.
    pub fn clear(&self) -> std::io::Result<()> {
        for entry in std::fs::read_dir(&self.0)? {
            let path = entry?.path();
            let ours = ending(&path).is_some() || path.ends_with(super::libraries::NAME);
            if ours
                && let Err(e) = std::fs::remove_file(&path)
                && e.kind() != ErrorKind::NotFound
            {
                return Err(e);
            }
        }
        Ok(())
    }
}

/// The name of a file for a key.
fn named(key: &blake3::Hash, ending: &str) -> String {
    format!("{}.{ending}", &key.to_hex()[..40])
}

/// How the name of a file of ours ends. libclang writes to a file with a name that begins as that of the unfinished one.
fn ending(path: &Path) -> Option<&'static str> {
    let is_being_written =
        || path.file_name()?.to_str()?.contains(&format!(".{UNFINISHED}")).then_some(UNFINISHED);
    let ending = path.extension().and_then(|e| e.to_str());
    [ENTRY, HEADER, RECORD].into_iter().find(|e| ending == Some(e)).or_else(is_being_written)
}

/// Notes on an entry that it was used.
fn note_use(file: &File, about: &Metadata) {
    if about.modified().is_ok_and(|at| at.elapsed().is_ok_and(|age| age > NOTED)) {
        let now = rustix::fs::Timespec { tv_sec: 0, tv_nsec: rustix::fs::UTIME_NOW };
        let times = rustix::fs::Timestamps { last_access: now, last_modification: now };
        let _ = rustix::fs::futimens(file, &times);
    }
}
