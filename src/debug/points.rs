//! The places where a program can stand still: each piece of a line of the user's files.

use super::command::Location;
use cudair_ir::{FileId, Module};
use cudair_passes::transform::count::Counted;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A place.
#[derive(Clone, Debug)]
pub struct Point {
    /// The file.
    pub file: FileId,
    /// Its path.
    pub path: Arc<str>,
    /// The line.
    pub line: u32,
    /// The function, by its number among those that are counted.
    function: usize,
    /// The function's head, where its parameters are set.
    pub entry: bool,
}

impl Point {
    /// `FILE:LINE`
    pub fn place(&self) -> String {
        format!("{}:{}", self.path, self.line)
    }
}

/// All places of a program.
#[derive(Debug)]
pub struct Points {
    all: FxHashMap<u32, Point>,
    functions: Vec<String>,
    files: FxHashMap<FileId, (Arc<str>, Option<Arc<str>>)>,
}

impl Points {
    /// Those that the program counts.
    pub fn new(module: &Module, counted: &[Counted]) -> Points {
        let mut points =
            Points { all: FxHashMap::default(), functions: Vec::new(), files: FxHashMap::default() };
        for (function, c) in counted.iter().enumerate() {
            points.functions.push(c.function.as_ref().map_or(String::new(), |f| f.0.clone()));
            // Where parameters are set is not where a reader expects to stop, unless all stands on that line.
            let head =
                c.function.as_ref().map(|f| f.1).filter(|head| c.lines.iter().any(|(at, _)| at != head));
            for &((file, line), counter) in &c.lines {
                let entry = counter == c.calls || head == Some((file, line));
                let (path, _) = points.files.entry(file).or_insert_with(|| {
                    let data = &module.source.files[file];
                    let text = data
                        .text
                        .clone()
                        .or_else(|| std::fs::read_to_string(&data.path).ok().map(Into::into));
                    (data.path.as_str().into(), text)
                });
                points.all.insert(counter, Point { file, path: path.clone(), line, function, entry });
            }
        }
        points
    }

    /// A place by its number; nothing for counters of branches.
    pub fn at(&self, point: u32) -> Option<&Point> {
        self.all.get(&point)
    }

    /// Where `main` starts.
    pub fn main(&self) -> Option<&Point> {
        let main = self.functions.iter().position(|f| f == "main")?;
        self.all.values().filter(|p| p.function == main).min_by_key(|p| p.line)
    }

    /// A file's path; nothing of a file without places.
    pub fn path(&self, file: FileId) -> &str {
        self.files.get(&file).map_or("", |f| &f.0)
    }

    /// The paths of all files with places.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.values().map(|(path, _)| path.as_ref())
    }

    /// A line of a file.
    pub fn text(&self, file: FileId, line: u32) -> Option<&str> {
        self.files.get(&file)?.1.as_deref()?.lines().nth(line.checked_sub(1)? as usize)
    }

    /// The places that a user means. A line without any stands for the next one that has one.
    ///
    /// # Errors
    /// There is none.
    pub fn find(&self, at: &Location, current: Option<FileId>) -> Result<Vec<u32>, String> {
        let sorted = |mut points: Vec<u32>| {
            points.sort_unstable();
            points
        };
        match at {
            Location::Function(name) => {
                let is = |f: &String| f == name || f.split('<').next() == Some(name);
                let of = |f: usize| {
                    let own = self.all.iter().filter(|(_, p)| p.function == f && !p.entry);
                    own.map(|(&n, _)| n).min()
                };
                let found: Vec<u32> =
                    (0..self.functions.len()).filter(|&f| is(&self.functions[f])).filter_map(of).collect();
                if found.is_empty() {
                    Err(format!("there is no function `{name}`"))
                } else {
                    Ok(sorted(found))
                }
            }
            Location::Line(file, line) => {
                let main = || self.main().map(|p| p.file);
                let is = |id: FileId| match file {
                    Some(name) => self
                        .files
                        .get(&id)
                        .is_some_and(|(path, _)| **path == **name || path.ends_with(&format!("/{name}"))),
                    None => Some(id) == current.or_else(main),
                };
                let there = || self.all.iter().filter(|(_, p)| is(p.file) && !p.entry);
                let nearest = there().map(|(_, p)| p.line).filter(|l| l >= line).min();
                let Some(nearest) = nearest else {
                    return Err(match file {
                        Some(name) if !self.files.keys().any(|&f| is(f)) => {
                            format!("there is no file `{name}`")
                        }
                        _ => format!("there is no code at line {line} or behind it"),
                    });
                };
                Ok(sorted(there().filter(|(_, p)| p.line == nearest).map(|(&n, _)| n).collect()))
            }
        }
    }
}
