//! Files and folders outside of the program.

use super::{Journal, Reached};
use crate::gate::Follow;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, FileType, Metadata, OpenOptions, Permissions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::DirEntryExt;
use std::path::PathBuf;
use std::sync::Arc;

/// A file that the program has open.
#[derive(Debug)]
pub struct OuterFile(Handle);

#[derive(Debug)]
enum Handle {
    Own(File),
    /// The journal has it, by this number.
    Kept(Arc<Journal>, usize),
}

/// An entry of a folder.
#[derive(Clone, Debug)]
pub struct FolderEntry {
    /// Its name.
    pub name: OsString,
    /// Its number in the file system.
    pub inode: u64,
    /// What it is; nothing where the system does not say.
    pub kind: Option<FileType>,
}

impl Reached {
    /// Does something with the path, or gives what came of it when a run did it before.
    fn ask<T: Clone + Send + 'static>(&self, what: impl FnOnce(&PathBuf) -> io::Result<T>) -> io::Result<T> {
        match &self.journal {
            None => what(&self.path),
            Some(journal) => journal.io(|| what(&self.path)),
        }
    }

    /// Opens the file.
    ///
    /// # Errors
    /// As the system has them.
    pub fn open(&self, options: &OpenOptions) -> io::Result<OuterFile> {
        Ok(OuterFile(match &self.journal {
            None => Handle::Own(options.open(&self.path)?),
            Some(journal) => Handle::Kept(journal.clone(), journal.open(|| options.open(&self.path))?),
        }))
    }

    /// All of the file.
    ///
    /// # Errors
    /// As the system has them.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        self.ask(|path| fs::read(path))
    }

    /// Makes the file hold this text.
    ///
    /// # Errors
    /// As the system has them.
    pub fn write(&self, text: &str) -> io::Result<()> {
        self.ask(|path| fs::write(path, text))
    }

    /// What the system knows of the entry.
    ///
    /// # Errors
    /// As the system has them.
    pub fn metadata(&self, follow: Follow) -> io::Result<Metadata> {
        self.ask(|path| match follow {
            Follow::Link => fs::metadata(path),
            Follow::Entry => fs::symlink_metadata(path),
        })
    }

    /// The folder's entries, but for those that cannot be read.
    ///
    /// # Errors
    /// As the system has them.
    pub fn entries(&self) -> io::Result<Vec<FolderEntry>> {
        let of = |entry: fs::DirEntry| FolderEntry {
            name: entry.file_name(),
            inode: entry.ino(),
            kind: entry.file_type().ok(),
        };
        self.ask(|path| Ok(fs::read_dir(path)?.flatten().map(of).collect()))
    }

    /// Makes a folder.
    ///
    /// # Errors
    /// As the system has them.
    pub fn create_folder(&self) -> io::Result<()> {
        self.ask(|path| fs::create_dir(path))
    }

    /// Removes a folder that is empty.
    ///
    /// # Errors
    /// As the system has them.
    pub fn remove_folder(&self) -> io::Result<()> {
        self.ask(|path| fs::remove_dir(path))
    }

    /// Removes a file.
    ///
    /// # Errors
    /// As the system has them.
    pub fn remove(&self) -> io::Result<()> {
        self.ask(|path| fs::remove_file(path))
    }

    /// Gives the entry another name.
    ///
    /// # Errors
    /// As the system has them.
    pub fn rename(&self, to: &Reached) -> io::Result<()> {
        self.ask(|path| fs::rename(path, &to.path))
    }

    /// Sets who may do what.
    ///
    /// # Errors
    /// As the system has them.
    pub fn set_permissions(&self, permissions: Permissions) -> io::Result<()> {
        self.ask(|path| fs::set_permissions(path, permissions))
    }

    /// Without links, `.` and `..`.
    ///
    /// # Errors
    /// As the system has them.
    pub fn resolved(&self) -> io::Result<PathBuf> {
        self.ask(|path| path.canonicalize())
    }

    /// The path, if it is a folder; else an `errno`.
    pub fn folder(&self) -> Result<PathBuf, i32> {
        const NOT_A_FOLDER: i32 = 20;
        match self.metadata(Follow::Link) {
            Ok(about) if about.is_dir() => {
                self.resolved().map_err(|e| e.raw_os_error().unwrap_or(NOT_A_FOLDER))
            }
            Ok(_) => Err(NOT_A_FOLDER),
            Err(e) => Err(e.raw_os_error().unwrap_or(NOT_A_FOLDER)),
        }
    }

    /// The same folder's entry of another name.
    #[must_use]
    pub fn sibling(&self, name: &[u8]) -> Reached {
        let name: &OsStr = &OsString::from_vec(name.to_vec());
        Reached { path: self.path.with_file_name(name), journal: self.journal.clone() }
    }
}

impl OuterFile {
    /// Does something with the file, or gives what came of it when a run did it before.
    fn ask<T: Clone + Send + 'static>(
        &mut self,
        what: impl FnOnce(&mut &File) -> io::Result<T>,
    ) -> io::Result<T> {
        match &self.0 {
            Handle::Own(file) => what(&mut &*file),
            Handle::Kept(journal, number) => journal.io_of(*number, what),
        }
    }

    /// What the system knows of the file.
    ///
    /// # Errors
    /// As the system has them.
    pub fn metadata(&mut self) -> io::Result<Metadata> {
        self.ask(|file| file.metadata())
    }

    /// Makes the file so many bytes long.
    ///
    /// # Errors
    /// As the system has them.
    pub fn set_len(&mut self, size: u64) -> io::Result<()> {
        self.ask(|file| file.set_len(size))
    }
}

impl Read for OuterFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (journal, number) = match &mut self.0 {
            Handle::Own(file) => return file.read(buffer),
            Handle::Kept(journal, number) => (journal, *number),
        };
        let bytes = journal.io_of(number, |file| {
            let n = file.read(buffer)?;
            Ok(buffer[..n].to_vec())
        })?;
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}

impl Write for OuterFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.ask(|file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.ask(|file| file.flush())
    }
}

impl Seek for OuterFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.ask(|file| file.seek(to))
    }
}

impl Drop for OuterFile {
    fn drop(&mut self) {
        if let Handle::Kept(journal, number) = &self.0 {
            journal.close(*number);
        }
    }
}
