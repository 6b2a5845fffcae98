//! The bytes of libclang and of the libraries that it is loaded with. They are large, so their hashes are kept, each with
//! what the file system says of the file: a file that is written, or another one, has another time of change.

use super::folder::Folder;
use super::{opened, sealed};
use cudair_frontend::clang;
use cudair_ir::binary::{Decoder, Encoder};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The file of the hashes.
pub const NAME: &str = "libraries";

/// A file that changed more recently may change again without a later time.
const SETTLED: Duration = Duration::from_secs(2);

/// What the file system says of a file: device, number, size, when it was written, when it changed.
pub type Identity = [i64; 7];

/// What the file system says of the file behind a path.
pub fn identity(path: &Path) -> Option<Identity> {
    let about = path.metadata().ok()?;
    Some([
        about.dev() as i64,
        about.ino() as i64,
        about.size() as i64,
        about.mtime(),
        about.mtime_nsec(),
        about.ctime(),
        about.ctime_nsec(),
    ])
}

/// Hashes that are known.
#[derive(Default)]
pub struct Hashes {
    known: BTreeMap<String, (Identity, [u8; 32])>,
    changed: bool,
}

impl Hashes {
    /// Those that were kept.
    pub fn read(folder: &Folder) -> Hashes {
        let kept = folder.read(NAME).and_then(|bytes| decoded(opened(&bytes)?));
        Hashes { known: kept.unwrap_or_default(), changed: false }
    }

    /// The hash of a file's bytes.
    pub fn hash(&mut self, path: &str) -> Option<[u8; 32]> {
        let before = identity(Path::new(path))?;
        if let Some((identity, hash)) = self.known.get(path)
            && *identity == before
        {
            return Some(*hash);
        }
        let hash = hash_of(path)?;
        if identity(Path::new(path))? != before {
            return None;
        }
        let changed = Duration::new(before[5].max(0) as u64, 0) + SETTLED;
        if SystemTime::UNIX_EPOCH.checked_add(changed).is_some_and(|at| at < SystemTime::now()) {
            self.known.insert(path.to_owned(), (before, hash));
            self.changed = true;
        }
        Some(hash)
    }

    /// Writes which libraries the process is loaded with.
    ///
    /// # Errors
    /// Why that is not known.
    pub fn write(&mut self, out: &mut Encoder) -> Result<(), String> {
        let libclang = clang::about().map_err(|e| e.to_string())?;
        let libraries = loaded(&libclang.path);
        out.number(libraries.len() as u64);
        for path in &libraries {
            out.bytes(path.as_bytes());
            out.bytes(&self.hash(path).ok_or_else(|| format!("{path} cannot be read"))?);
        }
        Ok(())
    }

    /// Reads what [`Hashes::write`] wrote: whether these libraries are as they were. `None` where it is not that.
    pub fn hold(&mut self, from: &mut Decoder<'_>) -> Option<bool> {
        for _ in 0..from.count()? {
            let (path, hash) = from.text().zip(from.bytes())?;
            if self.hash(path).is_none_or(|now| now != hash) {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Keeps what is new.
    pub fn keep(&self, folder: &Folder) {
        if !self.changed {
            return;
        }
        let mut out = Encoder::default();
        out.number(self.known.len() as u64);
        for (path, (identity, hash)) in &self.known {
            out.bytes(path.as_bytes());
            for &n in identity {
                out.number(n as u64);
            }
            out.bytes(hash);
        }
        if let Err(error) = folder.write(NAME, &sealed(&out.finish())) {
            log::debug!(target: "cache", "hashes of libraries are not kept: {error}");
        }
    }
}

/// The hash of a file that need not fit into memory.
fn hash_of(path: &str) -> Option<[u8; 32]> {
    let mut file = File::open(path).ok()?;
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer).ok()? {
            0 => return Some(hasher.finalize().into()),
            n => hasher.update(&buffer[..n]),
        };
    }
}

fn decoded(bytes: &[u8]) -> Option<BTreeMap<String, (Identity, [u8; 32])>> {
    let mut from = Decoder::new(bytes);
    let mut known = BTreeMap::new();
    for _ in 0..from.count()? {
        let path = from.text()?.to_owned();
        let mut identity = Identity::default();
        for n in &mut identity {
            *n = from.number()? as i64;
        }
        known.insert(path, (identity, from.bytes()?.try_into().ok()?));
    }
    from.is_at_end().then_some(known)
}

/// The libraries that the process is loaded with, libclang among them, which is `libclang`.
fn loaded(libclang: &Path) -> Vec<String> {
    let real = libclang.canonicalize().unwrap_or_else(|_| libclang.to_path_buf());
    let mut found: Vec<PathBuf> = match std::fs::read_to_string("/proc/self/maps") {
        // The path is what begins with a slash.
        Ok(maps) => maps
            .lines()
            .filter_map(|line| line.find('/').map(|at| &line[at..]))
            .filter(|path| path.contains(".so"))
            .map(PathBuf::from)
            .collect(),
        // Elsewhere those of LLVM lie beside it.
        Err(_) => {
            let list = real.parent().and_then(|folder| std::fs::read_dir(folder).ok());
            let is_of_llvm = |name: &str| name.contains("LLVM") || name.contains("clang");
            list.into_iter()
                .flatten()
                .flatten()
                .filter(|entry| entry.file_name().to_str().is_some_and(is_of_llvm) && entry.path().is_file())
                .map(|entry| entry.path())
                .collect()
        }
    };
    found.push(real);
    found.sort();
    found.dedup();
    found.into_iter().filter_map(|path| path.to_str().map(str::to_owned)).collect()
}
