//! A launch's transaction: it alone knows what a launch changes, and puts it back or lets it stand.
//!
//! It begins before the first block of a launch and ends once: [`Transaction::roll_back`] leaves the machine as it
//! was and gives what the run has told; [`Transaction::commit`] lets all stand, [`Transaction::commit_as`] with what
//! another run of the launch has told. To end twice, to begin while another launch is open, and to leave a launch
//! open are defects, and say so. Where cores share a launch, what they do is a [`Part`] of it, with an end of its
//! own.
//!
//! What a launch changes stands in four places, each of which lists all of its fields where it opens a launch, so
//! that one that is added does not compile until it is thought of: [`Before::of`] here, `WorkerState::open`,
//! the runtime's `open_launch` and `Memory::open`.
//!
//! | what | how it is put back |
//! | --- | --- |
//! | bytes of objects and which are initialised | pages, kept before they are first written |
//! | allocations, frees, numbers of objects | a list of changes |
//! | shared memory, local variables | each block has its own; the next number is kept |
//! | shadow of the race detector | each launch has epochs of its own |
//! | `printf`, assertions, findings, state, counts | a list of the launch's own, handed on when it stands |
//! | heap, fuel, clocks | the number is kept |
//! | errors, streams, events, texts, launches and graphs of device code | a list of changes |
//!
//! What is so whenever it is looked up (compiled code, footprints, which loops wait) and what steers the machine by
//! time (which kernels are shared among cores) stays as it is.

use super::{Launches, Perf, PollCounter};
use crate::counters::Counters;
use crate::engine_state::EngineState;
use crate::faults::UbLog;
use crate::library::Printed;
use crate::machine::Machine;
use crate::worker::{Lent, Worker, WorkerState};
use cudair_lane::fault::Stop;
use cudair_memory::{Keep, Parted, Share};
use cudair_report::Findings;

/// The machine as it was, as far as a launch changes it and no list of changes tells.
struct Before {
    findings: Findings,
    state: StateBefore,
}

/// The worker's meters and what it has told, when a launch begins.
struct StateBefore {
    ub: UbLog,
    perf: Option<Box<Perf>>,
    counters: Option<Box<Counters>>,
    dump: Option<usize>,
    meters: [u64; 3],
    looks: PollCounter,
    alone: bool,
    ended: u64,
}

/// What a run of a launch has told: everything that is seen of it but memory.
pub(crate) struct Told {
    /// What it found.
    pub(crate) findings: Findings,
    printed: Printed,
    ub: UbLog,
    perf: Option<Box<Perf>>,
    counters: Option<Box<Counters>>,
    dump: Option<String>,
    meters: [u64; 3],
    ended: u64,
}

impl Told {
    /// What it found, and what undefined behaviour the engine met.
    pub(crate) fn into_found(self) -> (Findings, UbLog) {
        (self.findings, self.ub)
    }

    /// Fuel, clocks and changes when it ended.
    pub(crate) fn meters(&self) -> [u64; 3] {
        self.meters
    }
}

/// See the module's documentation.
pub(crate) struct Transaction {
    id: u64,
    /// Nothing once it has ended.
    before: Option<Before>,
}

/// Whether a launch is open.
#[derive(Debug, Default)]
pub(crate) struct Open {
    /// Its transaction's number.
    id: Option<u64>,
    /// How many there were.
    count: u64,
}

impl WorkerState {
    /// A launch, or a part of one, begins: findings of the engine and counts are its own from now on.
    fn open(&mut self) -> StateBefore {
        // A field that is added must be thought of here: what a launch changes of it is put back by `close`.
        let WorkerState {
            // Put back.
            ub,
            perf,
            counters,
            dump,
            fuel,
            clock,
            changes,
            looks,
            alone,
            ended,
            // The same whenever it is looked up.
            loops: _,
            early_returns: _,
            fuel_limit: _,
            // It tells what the next launch is likely to cost.
            turned: _,
            // Counted across the runs under seeds.
            accesses: _,
            // By time.
            watch: _,
            // Who is asked hangs on the run of the launch.
            asks: _,
        } = self;
        StateBefore {
            ub: std::mem::take(ub),
            perf: perf.as_mut().map(std::mem::take),
            counters: counters.as_mut().map(std::mem::take),
            dump: dump.as_ref().map(String::len),
            meters: [*fuel, *clock, *changes],
            looks: std::mem::take(looks),
            alone: *alone,
            ended: *ended,
        }
    }

    /// The state is as it was; gives what the launch has told and counted, `findings` and `printed` among it.
    fn close(&mut self, before: StateBefore, findings: Findings, printed: Printed) -> Told {
        let (now, ended) = (self.meters(), self.ended);
        let StateBefore { ub, perf, counters, dump, meters, looks, alone, ended: ended_before } = before;
        self.set_meters(meters);
        (self.looks, self.alone, self.ended) = (looks, alone, ended_before);
        Told {
            findings,
            printed,
            ub: std::mem::replace(&mut self.ub, ub),
            perf: std::mem::replace(&mut self.perf, perf),
            counters: std::mem::replace(&mut self.counters, counters),
            dump: self.dump.as_mut().zip(dump).map(|(all, len)| all.split_off(len)),
            meters: now,
            ended,
        }
    }
}

impl Before {
    /// A launch, or a part of one, begins.
    fn of(findings: &mut Findings, state: &mut WorkerState) -> Before {
        let own = findings.for_launch();
        Before { findings: std::mem::replace(findings, own), state: state.open() }
    }

    /// A launch begins.
    fn of_launch(m: &mut Machine) -> Before {
        // A field that is added must be thought of here.
        let Machine {
            findings,
            engine: EngineState { worker, host: _, launches, spare: _ },
            // They have changes of their own.
            mem: _,
            cuda: _,
            // No launch changes them.
            module: _,
            config: _,
            oracle: _,
            host: _,
            libc: _,
            device: _,
            threads: _,
            folder: _,
            globals: _,
        } = m;
        let Launches {
            // The same whenever it is looked up.
            code: _,
            shared: _,
            footprints: _,
            locks: _,
            // Machine code, and how well its kernels fared.
            tier: _,
            // By time.
            sharing: _,
            // Changed before the transaction begins, and after it has ended.
            counts: _,
            ran: _,
            unseen: _,
            influence: _,
            elision: _,
            open: _,
        } = launches;
        Before::of(findings, worker)
    }

    /// Puts it back; gives what was told since, `printed` among it.
    fn put_back(self, findings: &mut Findings, worker: &mut WorkerState, printed: Printed) -> Told {
        let Before { findings: before, state } = self;
        worker.close(state, std::mem::replace(findings, before), printed)
    }
}

impl Transaction {
    /// A launch begins, whose writes are kept as `keep` says.
    ///
    /// # Errors
    /// A defect: another launch is open.
    pub(crate) fn begin(m: &mut Machine, keep: Keep) -> Result<Transaction, Stop> {
        if m.engine.launches.open.id.is_some() {
            return Err(Stop::internal("a launch begins while another one is open"));
        }
        if keep.is_all() && m.mem.grid.touches.is_some() {
            return Err(Stop::internal("a launch that may be undone overlaps with others"));
        }
        m.engine.launches.open.count += 1;
        let id = m.engine.launches.open.count;
        m.engine.launches.open.id = Some(id);
        m.cuda.open_launch();
        m.mem.open(keep);
        Ok(Transaction { id, before: Some(Before::of_launch(m)) })
    }

    fn end(&mut self, m: &mut Machine) -> Result<Before, Stop> {
        let Some(before) = self.before.take() else {
            return Err(Stop::internal("the transaction of a launch ends a second time"));
        };
        if m.engine.launches.open.id != Some(self.id) {
            return Err(Stop::internal("the transaction of a launch ends, but none is open"));
        }
        m.engine.launches.open.id = None;
        Ok(before)
    }

    /// The machine is as it was when the launch began. Gives what the run has told.
    ///
    /// # Errors
    /// Defects: the transaction has ended, or nothing was kept ([`cudair_memory::Memory::may_roll_back`]).
    pub(crate) fn roll_back(&mut self, m: &mut Machine) -> Result<Told, Stop> {
        let before = self.end(m)?;
        m.mem.roll_back()?;
        let printed = m.cuda.roll_back_launch();
        Ok(before.put_back(&mut m.findings, &mut m.engine.worker, printed))
    }

    /// What the run did and told stands.
    ///
    /// # Errors
    /// A defect: the transaction has ended.
    pub(crate) fn commit(&mut self, m: &mut Machine) -> Result<(), Stop> {
        let before = self.end(m)?;
        let printed = m.cuda.take_printed();
        let told = before.put_back(&mut m.findings, &mut m.engine.worker, printed);
        stand(m, told);
        Ok(())
    }

    /// What the run did stands, and what another run of the launch has told: nobody hears of this one.
    ///
    /// # Errors
    /// A defect: the transaction has ended.
    pub(crate) fn commit_as(&mut self, m: &mut Machine, told: Told) -> Result<(), Stop> {
        let before = self.end(m)?;
        let printed = m.cuda.take_printed();
        drop(before.put_back(&mut m.findings, &mut m.engine.worker, printed));
        stand(m, told);
        Ok(())
    }
}

/// A run of a launch stands: what it told is told.
fn stand(m: &mut Machine, told: Told) {
    let Told { findings, printed, ub, perf, counters, dump, meters, ended } = told;
    m.mem.commit();
    m.cuda.commit_launch(printed);
    m.findings.absorb(findings);
    let worker = &mut m.engine.worker;
    worker.ub.absorb(ub);
    if let (Some(all), Some(perf)) = (&mut worker.perf, perf) {
        all.absorb(*perf);
    }
    if let (Some(all), Some(counters)) = (&mut worker.counters, counters) {
        all.absorb(&counters);
    }
    if let (Some(all), Some(dump)) = (&mut worker.dump, dump) {
        all.push_str(&dump);
    }
    worker.set_meters(meters);
    worker.ended = ended;
}

impl Machine {
    /// A defect where a launch has been left open.
    ///
    /// # Errors
    /// That defect.
    pub(crate) fn no_launch_is_open(&self) -> Result<(), Stop> {
        match self.engine.launches.open.id {
            None => Ok(()),
            Some(_) => Err(Stop::internal("a launch ended without its transaction")),
        }
    }
}

/// What this core does of a launch while others do the rest.
pub(crate) struct Part {
    before: Before,
    changes: usize,
    parted: Parted,
}

impl Part {
    /// The cores part.
    pub(crate) fn begin(w: &mut Worker, rest: &mut Lent<'_>) -> Part {
        let changes = rest.runtime().changes();
        let parted = w.mem.part();
        Part { before: Before::of(&mut w.findings, &mut w.state), changes, parted }
    }

    /// When the cores parted.
    pub(crate) fn parted(&self) -> &Parted {
        &self.parted
    }

    /// Fuel, clocks and changes when the cores parted.
    pub(crate) fn meters(&self) -> [u64; 3] {
        self.before.state.meters
    }

    /// The cores join: what each did stands, and they have `spent` so much.
    ///
    /// # Errors
    /// No memory; a defect: something was told, or done that cannot be joined.
    pub(crate) fn join(
        self,
        w: &mut Worker,
        rest: &mut Lent<'_>,
        shares: Vec<Share>,
        spent: [u64; 3],
    ) -> Result<(), Stop> {
        let Part { before, changes, parted } = self;
        let [fuel, clock, changed] = before.state.meters;
        let (alone, done) = (w.state.alone, rest.runtime().changes());
        let told = before.put_back(&mut w.findings, &mut w.state, Printed::default());
        w.state.set_meters([fuel.saturating_sub(spent[0]), clock + spent[1], changed + spent[2]]);
        if alone || done != changes || !told.findings.is_empty() || !told.ub.is_empty() {
            return Err(Stop::internal("a core did something that cannot be joined with the others"));
        }
        w.mem.join(parted, shares)
    }

    /// The run ends while the cores have parted: what this core did stands, nothing comes of what the others did.
    /// What it has told is void as ever: it may come of what it did not see of the others.
    ///
    /// # Errors
    /// No memory.
    pub(crate) fn cut(self, w: &mut Worker) -> Result<(), Stop> {
        let Part { before, changes: _, parted } = self;
        let meters = w.state.meters();
        let told = before.put_back(&mut w.findings, &mut w.state, Printed::default());
        w.state.set_meters(meters);
        if told.findings.is_empty() && told.ub.is_empty() {
            return w.mem.join(parted, Vec::new());
        }
        w.mem.void(parted);
        Ok(())
    }

    /// What this core did is taken back, and nothing comes of what the others did.
    pub(crate) fn void(self, w: &mut Worker, rest: &mut Lent<'_>) {
        let Part { before, changes, parted } = self;
        rest.runtime().undo_to(changes);
        w.mem.void(parted);
        drop(before.put_back(&mut w.findings, &mut w.state, Printed::default()));
    }
}

#[cfg(test)]
mod tests;
