//! What has to be as it was for an entry to be of use: the contents of files, files that are not there, others that are,
//! and the names in some folders.

use cudair_frontend::Reads;
use cudair_ir::binary::{Decoder, Encoder};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Files longer than this are not read, and what is made of them not kept.
const MAX_FILE: u64 = 64 << 20;
/// What a file system's clock may lag behind.
const LAG: Duration = Duration::from_millis(20);

/// What a file held.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Held {
    path: String,
    hash: [u8; 32],
    /// Which file of the list it is, by another path or a link; itself where it is no other one.
    first: u64,
}

/// What has to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    files: Vec<Held>,
    /// Where nothing is.
    absent: Vec<String>,
    /// Files that are there, whatever they hold.
    present: Vec<String>,
    /// Folders that are there.
    folders: Vec<String>,
    /// Folders, with a hash of the names in them.
    names: Vec<(String, [u8; 32])>,
    /// Files and folders, with what they are without links.
    real: Vec<(String, String)>,
}

/// What files of the facts hold, those that were asked for.
pub type Contents = Vec<Option<Vec<u8>>>;

impl Facts {
    /// Those under which `reads` would be the same. `None` where one may have changed since `start`, when the first of them
    /// was read.
    pub fn of(reads: &Reads, start: SystemTime) -> Option<Facts> {
        let mut facts = Facts::default();
        let mut ids: FxHashMap<(u64, u64), u64> = FxHashMap::default();
        let mut folders: FxHashSet<&Path> = FxHashSet::default();
        for (n, file) in reads.files.iter().enumerate() {
            let about = std::fs::metadata(&file.path).ok()?;
            let first = *ids.entry((about.dev(), about.ino())).or_insert(n as u64);
            let hash = blake3::hash(&file.contents).into();
            facts.files.push(Held { path: file.path.clone(), hash, first });
            // Reports name such a file by its path without links.
            if file.path.contains("/../") {
                let path = Path::new(&file.path);
                if path.symlink_metadata().ok()?.is_symlink() {
                    facts.real.push((file.path.clone(), real(path)?));
                }
                folders.extend(path.parent());
            }
        }
        let mut folders: Vec<&Path> = folders.into_iter().collect();
        folders.sort();
        for folder in folders {
            facts.real.push((text(folder)?, real(folder)?));
        }
        let read: FxHashSet<&str> = reads.files.iter().map(|f| f.path.as_str()).collect();
        let mut settled = Settled { start, known: FxHashMap::default() };
        let mut absent: FxHashSet<PathBuf> = FxHashSet::default();
        for place in &reads.places {
            if place.to_str().is_some_and(|p| read.contains(p)) {
                continue;
            }
            if let Ok(about) = std::fs::metadata(place) {
                if !settled.is(place) {
                    return None;
                }
                let path = text(place)?;
                match ids.get(&(about.dev(), about.ino())) {
                    // Of a file that is read by several names the parser tells one.
                    Some(&first) => {
                        let hash = facts.files[first as usize].hash;
                        facts.files.push(Held { path, hash, first });
                    }
                    None if about.is_dir() => facts.folders.push(path),
                    None => facts.present.push(path),
                }
                continue;
            }
            let missing = missing(place);
            if !settled.is(folder_of(missing)) {
                return None;
            }
            let missing = missing.to_path_buf();
            if absent.insert(missing.clone()) {
                facts.absent.push(text(&missing)?);
            }
        }
        for folder in &reads.folders {
            let changed = folder.metadata().is_ok() && !settled.is(folder);
            if changed {
                return None;
            }
            facts.names.push((text(folder)?, names(folder)));
        }
        facts.tell();
        Some(facts)
    }

    /// Traces them.
    fn tell(&self) {
        if !log::log_enabled!(target: "cache", log::Level::Trace) {
            return;
        }
        let tell = |what: &str, path: &str| log::trace!(target: "cache", "{what} {path}");
        self.files.iter().for_each(|f| tell("read:", &f.path));
        self.absent.iter().for_each(|path| tell("absent:", path));
        self.present.iter().for_each(|path| tell("present:", path));
        self.folders.iter().for_each(|path| tell("folder:", path));
        self.names.iter().for_each(|(path, _)| tell("names in:", path));
    }

    /// The first of the names of the file with this number. The parser told of that one.
    pub fn first(&self, number: usize) -> usize {
        self.files[number].first as usize
    }

    /// The numbers of the files by their paths, and by those without links.
    pub fn numbers(&self) -> FxHashMap<String, usize> {
        let real: FxHashMap<&str, &str> = self.real.iter().map(|(path, real)| (&**path, &**real)).collect();
        let mut numbers = FxHashMap::default();
        for (n, Held { path, .. }) in self.files.iter().enumerate() {
            let whole = real.get(path.as_str()).map(|real| (*real).to_owned());
            let parted = || {
                let (folder, name) = path.rsplit_once('/')?;
                Some(format!("{}/{name}", real.get(folder)?))
            };
            if let Some(real) = whole.or_else(parted) {
                numbers.insert(real, n);
            }
            numbers.insert(path.clone(), n);
        }
        numbers
    }

    /// Whether all hold. What the files hold for which `keep` has their number comes along.
    pub fn hold(&self, keep: &FxHashSet<usize>) -> Result<Contents, &str> {
        let mut contents = Contents::new();
        let mut ids: FxHashMap<(u64, u64), u64> = FxHashMap::default();
        let mut buffer = Vec::new();
        for (n, held) in self.files.iter().enumerate() {
            let changed = held.path.as_str();
            let (dev, ino) = read(&held.path, &mut buffer).ok_or(changed)?;
            let first = *ids.entry((dev, ino)).or_insert(n as u64);
            if first != held.first || blake3::hash(&buffer) != held.hash {
                return Err(changed);
            }
            contents.push(keep.contains(&n).then(|| std::mem::take(&mut buffer)));
        }
        let is_folder = |path: &str| std::fs::metadata(path).map(|about| about.is_dir()).ok();
        for (list, wanted) in
            [(&self.absent, None), (&self.present, Some(false)), (&self.folders, Some(true))]
        {
            if let Some(path) = list.iter().find(|path| is_folder(path) != wanted) {
                return Err(path);
            }
        }
        if let Some((folder, _)) = self.names.iter().find(|(folder, hash)| names(Path::new(folder)) != *hash)
        {
            return Err(folder);
        }
        match self.real.iter().find(|(path, was)| real(Path::new(path)).as_ref() != Some(was)) {
            Some((path, _)) => Err(path),
            None => Ok(contents),
        }
    }

    /// Adds them to an entry.
    pub fn write(&self, out: &mut Encoder) {
        out.number(self.files.len() as u64);
        for Held { path, hash, first } in &self.files {
            out.bytes(path.as_bytes());
            out.bytes(hash);
            out.number(*first);
        }
        for list in [&self.absent, &self.present, &self.folders] {
            out.number(list.len() as u64);
            for path in list {
                out.bytes(path.as_bytes());
            }
        }
        out.number(self.names.len() as u64);
        for (folder, hash) in &self.names {
            out.bytes(folder.as_bytes());
            out.bytes(hash);
        }
        out.number(self.real.len() as u64);
        for (path, real) in &self.real {
            out.bytes(path.as_bytes());
            out.bytes(real.as_bytes());
        }
    }

    /// Reads them.
    pub fn read(from: &mut Decoder<'_>) -> Option<Facts> {
        fn list<'a, T>(
            from: &mut Decoder<'a>,
            read: impl Fn(&mut Decoder<'a>) -> Option<T>,
        ) -> Option<Vec<T>> {
            (0..from.count()?).map(|_| read(from)).collect()
        }
        let text = |from: &mut Decoder<'_>| from.text().map(str::to_owned);
        let hash = |from: &mut Decoder<'_>| from.bytes()?.try_into().ok();
        Some(Facts {
            files: list(from, |from| {
                Some(Held { path: text(from)?, hash: hash(from)?, first: from.number()? })
            })?,
            absent: list(from, text)?,
            present: list(from, text)?,
            folders: list(from, text)?,
            names: list(from, |from| Some((text(from)?, hash(from)?)))?,
            real: list(from, |from| Some((text(from)?, text(from)?)))?,
        })
    }
}

fn text(path: &Path) -> Option<String> {
    path.to_str().map(str::to_owned)
}

fn real(path: &Path) -> Option<String> {
    text(&path.canonicalize().ok()?)
}

/// The folder in which a path is.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).map_or(Path::new("."), |p| p)
}

/// Of a path where nothing is, its first part where nothing is: it stands for all below.
fn missing(path: &Path) -> &Path {
    let mut missing = path;
    while std::fs::metadata(folder_of(missing)).is_err() {
        match missing.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => missing = parent,
            _ => break,
        }
    }
    missing
}

/// A hash of the names in a folder; that of nothing where it is not there.
fn names(folder: &Path) -> [u8; 32] {
    let mut names: Vec<_> = match std::fs::read_dir(folder) {
        Ok(list) => list.flatten().map(|entry| entry.file_name()).collect(),
        Err(_) => return [0; 32],
    };
    names.sort();
    let mut hasher = blake3::Hasher::new();
    for name in names {
        hasher.update(name.as_encoded_bytes());
        hasher.update(b"/");
    }
    hasher.finalize().into()
}

/// Reads a file into a buffer, and gives the device that it is on and its number there.
fn read(path: &str, buffer: &mut Vec<u8>) -> Option<(u64, u64)> {
    // A pipe in its place keeps nobody waiting.
    let flags = rustix::fs::OFlags::NONBLOCK.bits() as i32;
    let mut file = File::options().read(true).custom_flags(flags).open(path).ok()?;
    let about = file.metadata().ok()?;
    if !about.is_file() || about.len() > MAX_FILE {
        return None;
    }
    buffer.clear();
    buffer.reserve(about.len() as usize + 1);
    file.by_ref().take(MAX_FILE).read_to_end(buffer).ok()?;
    Some((about.dev(), about.ino()))
}

/// Which paths had not changed when the work began.
struct Settled {
    start: SystemTime,
    known: FxHashMap<PathBuf, bool>,
}

impl Settled {
    fn is(&mut self, path: &Path) -> bool {
        if let Some(&known) = self.known.get(path) {
            return known;
        }
        let is = [std::fs::metadata(path), path.symlink_metadata()].into_iter().all(|about| {
            about.is_ok_and(|about| {
                let at = Duration::new(about.ctime().max(0) as u64, about.ctime_nsec().max(0) as u32);
                SystemTime::UNIX_EPOCH.checked_add(at + LAG).is_some_and(|at| at < self.start)
            })
        });
        self.known.insert(path.to_path_buf(), is);
        is
    }
}
