//! Groups of findings that are shown while the program runs.
//!
//! Of a run that takes a while a group is shown on stderr when the launch that first shows it has ended; what was found in
//! the run's first second is shown when that is over, if the program still runs. A short run tells all at its end. What is
//! shown early does not stand in the report a second time: the report's last part corrects it ([`Shown::corrections`]).
//!
//! Some things wait for the end, as only the end knows whether they are so: what the host did; reads of memory that was never
//! written, as an operation of another stream may turn out to race with them; and the help of a race for which a repair will
//! be tried.
//!
//! The thread that works shows what a launch has found, and the first thread what was found before the time to show it. A
//! line that the program has begun is not torn, unless it stays open for [`HELD`].

use crate::cli::{Common, Format};
use crate::commands::Filters;
use crate::groups::Group;
use crate::monitor::Monitor;
use crate::render::{self, Look, Sources};
use cudair_ir::{Finding, Kind, Module, Severity, Span};
use cudair_vm::{Findings, HostIo, Listener};
use std::fmt;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// After which time of a run findings are shown while it goes on.
const AFTER: Duration = Duration::from_secs(1);
/// How long a line of the program may stay open before it is torn.
const HELD: Duration = Duration::from_secs(2);

/// A group that was shown.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The finding, as it stood then.
    finding: Finding,
    /// What was said of the others of its group.
    others: Option<String>,
    /// Its help was left for the end.
    unhelped: bool,
}

/// The groups that were shown so far.
pub type List = Arc<Mutex<Vec<Shown>>>;

/// What is there; each change leaves it whole.
pub fn list(of: &List) -> MutexGuard<'_, Vec<Shown>> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The last of the places that say where the other access of a race is, or nothing.
fn other(f: &Finding) -> Option<(&str, cudair_ir::Pos)> {
    f.related.iter().find(|s| !render::is_call(s)).map(|s| (s.file.as_str(), s.start))
}

impl Shown {
    /// Whether a finding is the one that was shown, perhaps with another severity: the analyses may add places at its end.
    pub fn is(&self, f: &Finding) -> bool {
        let known = &self.finding;
        known.kind == f.kind
            && known.kernel == f.kernel
            && known.primary.as_ref().map(Span::place) == f.primary.as_ref().map(Span::place)
            && other(known).is_none_or(|place| other(f) == Some(place))
    }

    /// Whether a finding is the one that was shown, and no worse than it was.
    pub fn shows(&self, f: &Finding) -> bool {
        self.is(f) && self.finding.severity >= f.severity
    }

    /// What is said of a finding that is shown although it was shown before: it has become worse.
    pub fn before(all: &[Shown], f: &Finding) -> Option<String> {
        let before = all.iter().find(|s| s.is(f) && s.finding.severity < f.severity)?;
        let name = match before.finding.severity {
            Severity::Error => "an error",
            Severity::Warning => "a warning",
            Severity::Note => "a note",
        };
        Some(format!("while the program ran this was shown as {name}; later launches have shown more"))
    }

    /// What of a group is not as it was shown, a part each. `brief`: how often something happened and how sure it is was not
    /// shown.
    pub fn corrections(&self, group: &Group<'_>, brief: bool) -> Vec<String> {
        let mut out = Vec::new();
        let Some(now) = group.members().find(|f| self.shows(f)) else { return out };
        if now.message != self.finding.message {
            out.push(now.message.clone());
        }
        if now.count != self.finding.count && !brief {
            out.push(match now.count {
                1 => "it happened once".to_owned(),
                n => format!("it happened {n} times"),
            });
        }
        let others = group.members().filter(|f| !std::ptr::eq(*f, now)).collect();
        let others = Group { shown: now, others }.more();
        if others != self.others {
            out.push(others.unwrap_or_else(|| "no other pair of places has this cause".to_owned()));
        }
        let sure = |f: &Finding| {
            render::human::certainty(f).map(str::to_owned).into_iter().chain(render::human::schedule(f))
        };
        if !brief {
            let known: Vec<String> = sure(&self.finding).collect();
            out.extend(sure(now).filter(|text| !known.contains(text)));
        }
        out
    }

    /// The help of a group that was shown without it, or with another one.
    pub fn help(&self, group: &Group<'_>) -> Option<String> {
        let now = group.members().find(|f| self.shows(f))?;
        now.help.clone().filter(|_| self.unhelped || now.help != self.finding.help)
    }

    /// The finding, as it stood then.
    pub fn finding(&self) -> &Finding {
        &self.finding
    }
}

/// Shows groups while the program runs. See the module's documentation.
pub struct Early {
    module: Arc<Module>,
    monitor: Arc<Monitor>,
    common: Common,
    format: Format,
    /// A repair is tried at the end for what proposes a barrier.
    repairs: bool,
    begin: Instant,
    after: Duration,
    work: Mutex<Work>,
    shown: List,
    lines: Lines,
}

/// What is shown with, by one thread at a time.
struct Work {
    filters: Filters,
    sources: Sources,
    /// What was found and not looked at yet.
    found: Option<Findings>,
    /// A text that waits for the end of a line, and which groups it shows.
    held: Option<(String, Vec<Shown>, Instant)>,
    /// Nothing is shown any more.
    closed: bool,
}

/// What the program has written to where the report goes.
#[derive(Default)]
struct Lines {
    /// Some line has been begun and not ended, on stdout or stderr.
    open: [AtomicBool; 2],
    /// A text waits for its end.
    held: AtomicBool,
}

impl fmt::Debug for Early {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Early")
    }
}

impl Early {
    /// What shows groups of a run that begins now, as `format` has them, and adds them to `shown`.
    pub fn new(
        (module, monitor): (&Arc<Module>, &Arc<Monitor>),
        (common, format, repairs): (&Common, Format, bool),
        (filters, sources): (Filters, Sources),
        shown: List,
    ) -> Early {
        let asked = std::env::var("CUDAIR_SHOW_AFTER").ok().and_then(|s| s.parse().ok());
        let asked = asked.and_then(|s: f64| Duration::try_from_secs_f64(s).ok());
        Early {
            module: module.clone(),
            monitor: monitor.clone(),
            common: common.clone(),
            format,
            repairs,
            begin: Instant::now(),
            after: asked.unwrap_or(AFTER),
            work: Mutex::new(Work { filters, sources, found: None, held: None, closed: false }),
            shown,
            lines: Lines::default(),
        }
    }

    /// The program's streams, of whose lines it is known where they end.
    pub fn streams(self: &Arc<Early>, io: HostIo) -> HostIo {
        let HostIo { stdin, stdout, stderr, terminal } = io;
        let line = |n, to| Box::new(Watched { early: self.clone(), n, to }) as Box<dyn Write + Send>;
        // What goes elsewhere is not torn.
        let stdout = if one_place() { line(0, stdout) } else { stdout };
        HostIo { stdin, stdout, stderr: line(1, stderr), terminal }
    }

    /// Shows what was found, if it is time; called again and again while the program runs.
    pub fn tick(&self) {
        if self.begin.elapsed() < self.after {
            return;
        }
        let mut work = match self.work.try_lock() {
            Ok(work) => work,
            Err(TryLockError::Poisoned(e)) => e.into_inner(),
            // The other thread is at it.
            Err(TryLockError::WouldBlock) => return,
        };
        self.show(&mut work);
        self.release(&mut work);
    }

    /// The program has ended: nothing is shown any more.
    pub fn close(&self) {
        let mut work = self.lock();
        work.closed = true;
        // It stands in the report.
        work.held = None;
    }

    fn lock(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a text of the groups that are new, which is written when no line is open.
    fn show(&self, work: &mut Work) {
        if work.closed || work.held.is_some() {
            return;
        }
        let Some(found) = work.found.take() else { return };
        let room = self.common.max_findings.saturating_sub(list(&self.shown).len());
        let mut findings = found.finish(&self.module);
        findings.retain(|f| f.launch.is_some() && f.kind != Kind::UninitializedRead);
        // Which rules have an effect is told at the end, of all that was found.
        let (report, _) = work.filters.clone().report(&self.common, &mut work.sources, findings, false);
        let known = list(&self.shown).clone();
        let is_known = |f: &Finding| known.iter().any(|s| s.is(f));
        let mut text = String::new();
        let mut shown = Vec::new();
        let groups = report.grouped().0;
        let new = groups.iter().filter(|g| !is_known(g.shown) && !g.others.iter().any(|f| is_known(f)));
        for group in new.take(room) {
            let mut f = group.shown.clone();
            let unhelped = self.repairs && f.unordered.is_some() && f.help.is_some();
            if unhelped {
                f.help = None;
                f.notes.push("what helps is tried when the program has ended".to_owned());
            }
            let others = group.more();
            text += &render::early(&f, others.clone(), &mut work.sources, self.format, Look::of_stderr());
            shown.push(Shown { finding: f, others, unhelped });
        }
        if !shown.is_empty() {
            work.held = Some((text, shown, Instant::now()));
            self.lines.held.store(true, Relaxed);
        }
    }

    /// Writes the text that waits, if no line is open, or one is for too long.
    fn release(&self, work: &mut Work) {
        let is_open = self.lines.open.iter().any(|open| open.load(Relaxed));
        if work.closed || is_open && work.held.as_ref().is_some_and(|held| held.2.elapsed() < HELD) {
            return;
        }
        let Some((text, new, _)) = work.held.take() else { return };
        self.lines.held.store(false, Relaxed);
        let text = if is_open { format!("\n{text}") } else { text };
        self.monitor.write_whole(&text, || list(&self.shown).extend(new));
    }
}

impl Listener for Early {
    fn launch_ended(&self, found: Findings) {
        let mut work = self.lock();
        work.found = Some(found);
        if self.begin.elapsed() >= self.after {
            self.show(&mut work);
            self.release(&mut work);
        }
    }
}

/// Whether stdout and stderr go to the same place, so that a text on the one tears a line on the other.
fn one_place() -> bool {
    let of = |fd: io::Result<std::os::fd::OwnedFd>| {
        let data = File::from(fd.ok()?).metadata().ok()?;
        Some((data.dev(), data.ino(), data.rdev()))
    };
    let out = of(io::stdout().as_fd().try_clone_to_owned());
    let error = of(io::stderr().as_fd().try_clone_to_owned());
    io::stdout().is_terminal() && io::stderr().is_terminal() || out.is_some() && out == error
}

/// A stream of the program that tells where its lines end.
struct Watched {
    early: Arc<Early>,
    n: usize,
    to: Box<dyn Write + Send>,
}

impl Write for Watched {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.to.write(bytes)?;
        if let Some(last) = bytes[..n].last() {
            let lines = &self.early.lines;
            lines.open[self.n].store(*last != b'\n', Relaxed);
            if *last == b'\n' && lines.held.load(Relaxed) {
                self.to.flush()?;
                self.early.release(&mut self.early.lock());
            }
        }
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cudair_ir::Pos;

    fn race(line: u32, other: u32) -> Finding {
        let mut f = Finding::dynamic(Kind::GlobalRace, "a race");
        let at = |line| Pos { line, col: 1 };
        let span = |line| Span {
            file: "k.cu".to_owned(),
            start: at(line),
            end: at(line),
            spelling: None,
            label: String::new(),
        };
        (f.primary, f.related) = (Some(span(line)), vec![span(other)]);
        (f.count, f.kernel) = (1, Some("k".to_owned()));
        f
    }

    fn shown(finding: Finding) -> Shown {
        Shown { finding, others: None, unhelped: false }
    }

    fn alone(f: &Finding) -> Group<'_> {
        Group { shown: f, others: Vec::new() }
    }

    #[test]
    fn what_has_not_changed_is_not_corrected() {
        let f = race(3, 4);
        assert!(shown(f.clone()).corrections(&alone(&f), false).is_empty());
        assert_eq!(shown(f.clone()).help(&alone(&f)), None);
        assert!(!shown(f.clone()).shows(&race(3, 5)));
        assert!(!shown(f).shows(&race(2, 4)));
    }

    #[test]
    fn counts_texts_and_help_are_corrected() {
        let before = Shown { unhelped: true, ..shown(race(3, 4)) };
        let mut now = race(3, 4);
        (now.count, now.message, now.help) = (5, "another race".to_owned(), Some("a barrier".to_owned()));
        let other = race(3, 9);
        let group = Group { shown: &other, others: vec![&now] };
        assert_eq!(
            before.corrections(&group, false),
            [
                "another race",
                "it happened 5 times",
                "1 more pair of places has this cause, in line 3; `--verbose` shows all"
            ]
        );
        assert_eq!(before.corrections(&group, true).len(), 2);
        assert_eq!(before.help(&group).as_deref(), Some("a barrier"));
    }

    #[test]
    fn what_has_become_worse_is_shown_again() {
        let mut mild = race(3, 4);
        mild.severity = Severity::Warning;
        let (before, now) = (shown(mild), race(3, 4));
        assert!(before.is(&now) && !before.shows(&now));
        let said = Shown::before(&[before], &now);
        assert!(said.is_some_and(|said| said.contains("shown as a warning")));
        assert_eq!(Shown::before(&[shown(race(3, 4))], &now), None);
    }
}
