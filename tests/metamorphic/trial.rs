//! One test: a program, a rewrite, and the comparison.

use crate::ROOT;
use crate::apply::{Applied, Counts, apply, rewritten};
use crate::case::{Observed, Pair, Program, Verb, mirror};
use crate::process::{Outcome, difference};
use crate::random::Random;
use crate::rewrite::{self, Place, Rewrite};
use crate::source::{Parser, Source};
use crate::text::Text;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

/// What a program does as it is.
struct Original {
    observed: Observed,
    native: Option<Outcome>,
}

/// What the tests did, for the summary.
#[derive(Default)]
struct Totals {
    rewrites: BTreeMap<&'static str, Counts>,
    tests: BTreeMap<&'static str, usize>,
    differences: BTreeMap<&'static str, usize>,
    programs: BTreeSet<PathBuf>,
}

static TOTALS: Mutex<Option<Totals>> = Mutex::new(None);

fn totals(change: impl FnOnce(&mut Totals)) {
    let mut held = TOTALS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    change(held.get_or_insert_with(Totals::default));
}

/// Runs the original once, whatever the number of tests that ask for it.
fn original(program: &Program) -> Result<Arc<Original>, String> {
    type Known = Mutex<HashMap<String, Arc<OnceLock<Result<Arc<Original>, String>>>>>;
    static KNOWN: OnceLock<Known> = OnceLock::new();
    let cell = {
        let mut known =
            KNOWN.get_or_init(Known::default).lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        known.entry(program.name.clone()).or_default().clone()
    };
    cell.get_or_init(|| {
        let root = Path::new(ROOT);
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        mirror(folder.path(), &program.path)?;
        std::fs::copy(root.join(&program.path), folder.path().join(&program.path))
            .map_err(|e| e.to_string())?;
        let observed = program.run(folder.path())?;
        let native = (program.verb == Verb::Native).then(|| program.natively(folder.path())).transpose()?;
        Ok(Arc::new(Original { observed, native }))
    })
    .clone()
}

/// How many trees are kept: the tests of one program come one after the other.
const TREES: usize = 6;

/// The tree of an original, read once for the tests that come soon.
fn tree(name: &str, read: impl FnOnce() -> Result<Source, String>) -> Result<Arc<Source>, String> {
    static KNOWN: Mutex<Vec<(String, Arc<Source>)>> = Mutex::new(Vec::new());
    let held = || KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some((_, source)) = held().iter().find(|(known, _)| known == name) {
        return Ok(source.clone());
    }
    let source = Arc::new(read()?);
    let mut held = held();
    if held.len() == TREES {
        held.remove(0);
    }
    held.push((name.to_owned(), source.clone()));
    Ok(source)
}

/// How many rewrites a mix is at most.
const MIXED: usize = 4;

/// Runs a test.
pub fn run(name: &str, program: &Program, rewrite: Option<usize>, seed: u64) -> Result<(), String> {
    let kind = rewrite.map_or("mix", |number| rewrite::ALL[number].name);
    totals(|totals| {
        totals.programs.insert(program.path.clone());
        *totals.tests.entry(kind).or_default() += 1;
    });
    let result = compare(name, program, rewrite, seed);
    if result.is_err() {
        totals(|totals| *totals.differences.entry(kind).or_default() += 1);
    }
    result.map_err(|problem| {
        format!(
            "{problem}\nrepeat: CUDAIR_METAMORPHIC={seed} cargo test --test metamorphic -- --exact '{name}'"
        )
    })
}

fn compare(name: &str, program: &Program, rewrite: Option<usize>, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed, name);
    let before = original(program)?;
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    mirror(folder.path(), &program.path)?;
    let path = folder.path().join(&program.path);
    let options = program.options();
    let parser = Parser { options: &options, path: &path };
    let plain = std::fs::read_to_string(Path::new(ROOT).join(&program.path)).map_err(|e| e.to_string())?;
    let read = |text: Text, stage: usize| {
        parser
            .source(text, !program.also.is_empty(), stage)
            .map_err(|problem| format!("the test's own parse: {problem}"))
    };
    let mut source = match tree(&program.name, || read(Text::new(&plain), 0)) {
        Ok(source) => source,
        // A program that is not to parse has nothing to be rewritten in.
        Err(_) if program.is_refused && before.observed.outcome.code == 2 => return Ok(()),
        Err(problem) => return Err(problem),
    };
    let mut used = Vec::new();
    let stages: Vec<(Rewrite, usize)> = if let Some(number) = rewrite {
        vec![(rewrite::ALL[number], *random.pick(&[10, 40, 70, 100]))]
    } else {
        let mut numbers: Vec<usize> = (0..rewrite::ALL.len()).collect();
        random.shuffle(&mut numbers);
        numbers.truncate(2 + random.below(MIXED - 1));
        // What is in a header is no longer seen by others.
        numbers.sort_by_key(|number| rewrite::ALL[*number].name == "headers");
        numbers.into_iter().map(|number| (rewrite::ALL[number], *random.pick(&[5, 20, 50]))).collect()
    };
    let last = stages.len() - 1;
    let mut applied = Applied { places: Vec::new(), counts: Counts::default() };
    for (stage, (rewrite, percent)) in stages.into_iter().enumerate() {
        used.push(rewrite.name);
        applied = apply(rewrite, &source, percent, &parser, &mut random)?;
        totals(|totals| totals.rewrites.entry(rewrite.name).or_default().add(&applied.counts));
        if stage != last {
            source = Arc::new(read(rewritten(&source, &applied.places), stage + 1)?);
        }
    }
    let test = Test { program, before: &before, plain: &plain, folder: folder.path(), parser: &parser };
    let Err(problem) = test.holds(&rewritten(&source, &applied.places)) else { return Ok(()) };
    let mut places = applied.places;
    let mut problem = problem;
    if std::env::var_os("CUDAIR_SHRINK").is_some() {
        (places, problem) = test.shrunk(&source, places, problem);
    }
    let kept = keep(name, seed, program, &rewritten(&source, &places))?;
    let problem = format!(
        "{} ({} places of the last): {problem}\nrewritten: {}",
        used.join(", "),
        places.len(),
        kept.display()
    );
    std::fs::write(kept.with_file_name("problem.txt"), &problem).map_err(|e| e.to_string())?;
    Err(problem)
}

/// Counts the places of every rewrite in a program.
pub fn count(program: &Program) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    mirror(folder.path(), &program.path)?;
    let plain = std::fs::read_to_string(Path::new(ROOT).join(&program.path)).map_err(|e| e.to_string())?;
    let (options, path) = (program.options(), folder.path().join(&program.path));
    let parser = Parser { options: &options, path: &path };
    let source = match parser.source(Text::new(&plain), !program.also.is_empty(), 0) {
        Ok(source) => source,
        Err(_) if program.is_refused => return Ok(()),
        Err(problem) => return Err(problem),
    };
    for rewrite in rewrite::ALL {
        let plan = (rewrite.plan)(&source, &mut Random::new(1, &program.name));
        let counts = Counts { places: plan.places.len(), exceptions: plan.exceptions, ..Counts::default() };
        totals(|totals| {
            totals.rewrites.entry(rewrite.name).or_default().add(&counts);
            totals.programs.insert(program.path.clone());
        });
    }
    Ok(())
}

struct Test<'a> {
    program: &'a Program,
    before: &'a Original,
    plain: &'a str,
    folder: &'a Path,
    parser: &'a Parser<'a>,
}

impl Test<'_> {
    /// Does the rewritten program do what the original does?
    fn holds(&self, text: &Text) -> Result<(), String> {
        self.parser.write(text)?;
        if let Some(before) = &self.before.native {
            let after = self.program.natively(self.folder)?;
            let differs = difference("native stdout", &before.stdout, &after.stdout)
                .or_else(|| difference("native stderr", &before.stderr, &after.stderr));
            if before.code != after.code || differs.is_some() {
                let codes = format!("native exit code {}, rewritten {}", before.code, after.code);
                return Err(format!("the rewrite is not neutral: {codes}\n{}", differs.unwrap_or_default()));
            }
        }
        let after = self.program.run(self.folder)?;
        let pair = Pair { program: self.program, original: self.plain, text };
        pair.compare(&self.before.observed, &after)?;
        if self.before.native.is_some() {
            let (before, after) = (&self.before.observed.outcome.stderr, &after.outcome.stderr);
            return difference("stderr", before, after).map_or(Ok(()), Err);
        }
        Ok(())
    }

    /// Fewer places with which it fails still, and how.
    fn shrunk(&self, source: &Source, mut places: Vec<Place>, mut problem: String) -> (Vec<Place>, String) {
        let mut tries = 0;
        let mut size = places.len().div_ceil(2);
        while size > 0 && places.len() > 1 && tries < 80 {
            let mut start = 0;
            let before = places.len();
            while start < places.len() && places.len() > 1 && tries < 80 {
                let end = (start + size).min(places.len());
                let fewer: Vec<Place> = places[..start].iter().chain(&places[end..]).cloned().collect();
                tries += 1;
                let text = rewritten(source, &fewer);
                let parses = self.parser.errors(&text).is_ok_and(|errors| errors.is_empty());
                match self.holds(&text) {
                    Err(still) if parses => {
                        problem = still;
                        places = fewer;
                    }
                    _ => start = end,
                }
            }
            if size == 1 && places.len() == before {
                break;
            }
            size = if size == 1 { 1 } else { size.div_ceil(2) };
        }
        (places, problem)
    }
}

/// Keeps a rewritten program below `target/metamorphic`.
fn keep(name: &str, seed: u64, program: &Program, text: &Text) -> Result<PathBuf, String> {
    let say = |e: std::io::Error| e.to_string();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("metamorphic");
    let folder = target.join(seed.to_string()).join(name.replace(['/', '#', '.'], "_"));
    std::fs::create_dir_all(&folder).map_err(say)?;
    let file = folder.join(program.path.file_name().unwrap_or_default());
    std::fs::write(&file, text.text()).map_err(say)?;
    for (name, part) in &text.headers {
        std::fs::write(folder.join(name), part.text()).map_err(say)?;
    }
    Ok(file)
}

/// So many tests of a rewrite have to have a place that is rewritten.
const MANY: usize = 40;

/// So much, in percent, the parse may refuse of what a rewrite drew: more would be a rewrite that does not work. Of
/// functions that become templates it refuses most, namely those whose address is taken or whose arguments are
/// converted.
const MOST_REFUSED: f64 = 15.0;

/// What the numbers show to be wrong.
#[derive(Default)]
pub struct Shown {
    /// A tenth of a rewrite's places are exceptions, or more, or the parse refuses too many.
    pub too_many: bool,
    /// A rewrite has many tests and is applied nowhere, or none is applied at all: such tests pass whatever cudair does.
    pub idle: bool,
}

/// Prints what the tests did.
pub fn summary() -> Shown {
    let mut shown = Shown::default();
    totals(|totals| {
        println!("{} programs", totals.programs.len());
        println!("rewrite         tests  differ   places  applied  refused  exceptions  left out");
        for (name, counts) in &totals.rewrites {
            let exceptions: usize = counts.exceptions.values().sum();
            shown.too_many |= counts.left_out() >= 10.0 || counts.share_refused() >= MOST_REFUSED;
            let tests = totals.tests.get(name).unwrap_or(&0);
            shown.idle |= *tests >= MANY && counts.drawn == counts.refused;
            println!(
                "{name:14} {:6} {:7} {:8} {:8} {:8} {exceptions:11} {:8.1}%",
                tests,
                totals.differences.get(name).unwrap_or(&0),
                counts.places,
                counts.drawn - counts.refused,
                counts.refused,
                counts.left_out()
            );
            for (why, count) in &counts.exceptions {
                println!("    {count:8} {why}");
            }
        }
        let of_mix = |map: &BTreeMap<&'static str, usize>| map.get("mix").copied().unwrap_or(0);
        println!("mix            {:6} {:7}", of_mix(&totals.tests), of_mix(&totals.differences));
        shown.idle |= totals.rewrites.values().all(|counts| counts.drawn == counts.refused);
    });
    shown
}
