//! Launches on several cores.
//!
//! A launch that takes long enough gives the blocks that are left to forked processes, one per core. It can if
//! what they do joins again into what one core would have done: no block has talked to others (atomics in global
//! memory, fences), printed, used the heap or the clock, waits for another, or found anything. Where a block does so on the
//! way, all that the processes did is void and one core does it again; so findings, and all that depends on order,
//! are the same on any number of cores. What blocks of different cores touched is compared by the race
//! detector when they join ([`cudair_race`]).

use super::block::Block;
use super::fork::{Child, Output, Queue};
use super::grid::{Grid, Order, Running};
use super::transaction::Part;
use crate::worker::{Lent, Worker};
use cudair_ir::FuncId;
use cudair_lane::fault::Stop;
use cudair_lane::pages::ran_short;
use cudair_memory::Share;
use rustc_hash::FxHashMap;
use std::io::{BufReader, BufWriter, Read, Write};
use std::time::{Duration, Instant};

/// The work that is left must take this many times as long as what it takes to be given away.
const WORTH: u32 = 2;
/// Seconds that a byte takes which another core writes: it gets a page of its own, tells it, and the first core
/// joins it. Measured on vector add and a stencil, which do nothing else: 2 to 3 nanoseconds.
const TELLING: f64 = 3e-9;
/// How many helpings each core takes of what is left.
const HELPINGS: u64 = 16;
/// Blocks between two looks at the limits.
const LOOK: u64 = 64;

/// Launches in a row that must have lost by being shared until a kernel's are not any more.
const LOSSES: u8 = 2;

/// Which kernels stay on one core.
#[derive(Debug, Default)]
pub(crate) struct Sharing {
    /// Launches in a row that lost.
    losses: FxHashMap<FuncId, u8>,
}

impl Sharing {
    fn is_off(&self, kernel: FuncId) -> bool {
        self.losses.get(&kernel).is_some_and(|&n| n >= LOSSES)
    }

    /// The kernel's blocks have turned out to need one core.
    pub(super) fn switch_off(&mut self, kernel: FuncId) {
        self.losses.insert(kernel, LOSSES);
    }

    /// A launch has been shared, and took so long where one core was expected to take that long.
    fn shared(&mut self, kernel: FuncId, took: Duration, alone: Duration) {
        if took < alone {
            self.losses.remove(&kernel);
        } else {
            *self.losses.entry(kernel).or_default() += 1;
        }
    }
}

/// Times a launch, and tells when to share the rest of it among cores.
pub(super) struct ShareTimer {
    started: Option<Instant>,
    /// The fuel that was left when it started.
    fuel: u64,
    /// How long the rest would take on this core.
    left: Duration,
}

impl ShareTimer {
    /// For a launch that starts.
    pub(super) fn new(w: &Worker, grid: &Grid, rest: Option<&mut Lent<'_>>) -> ShareTimer {
        let config = &grid.program.config;
        let may = config.jobs > 1
            && !config.perf
            && !config.counts
            // What other processes hold is not seen.
            && !config.dump_state
            && w.mem.may_part()
            && rest.is_some_and(|rest| !rest.launches().sharing.is_off(grid.launch.kernel));
        ShareTimer { started: may.then(Instant::now), fuel: w.state.meters()[0], left: Duration::ZERO }
    }

    /// Whether to give away the rest, `done` of all `blocks` being done.
    #[inline]
    pub(super) fn is_time(
        &mut self,
        w: &Worker,
        grid: &Grid,
        running: &Running<'_>,
        (done, blocks): (u64, u64),
    ) -> bool {
        let Some(started) = self.started else { return false };
        if done == 0 || blocks - done < 2 {
            return false;
        }
        let taken = started.elapsed();
        let after = Duration::from_secs_f64(grid.program.config.share_after.clamp(0.0, 1e6));
        let left = taken.as_secs_f64() / done as f64 * (blocks - done) as f64;
        if taken < after || left < after.as_secs_f64() * f64::from(WORTH) {
            return false;
        }
        self.started = None;
        // Where the fuel does not last, all that the other cores do would be void, and so would be the time.
        let fuel = w.state.meters()[0];
        let needed =
            u128::from(self.fuel.saturating_sub(fuel)) * u128::from(blocks - done) / u128::from(done);
        if needed > u128::from(fuel) {
            return false;
        }
        // What is gained by other cores must be more than what it takes to put together what they write.
        let share = (blocks - done) as f64 / blocks as f64;
        let gained = left * (1.0 - 1.0 / grid.program.config.jobs as f64);
        if !after.is_zero() && gained < w.mem.may_write() as f64 * share * TELLING {
            return false;
        }
        self.left = Duration::from_secs_f64(left);
        w.mem.may_part() && running.suspended.is_empty() && !w.state.alone
    }
}

/// Gives the blocks from `from` on to several cores, as `watched` has told to. False where they have to be done here after all.
pub(super) fn share(
    w: &mut Worker,
    rest: &mut Lent<'_>,
    grid: &Grid,
    order: &Order,
    (from, blocks): (u64, u64),
    watched: &ShareTimer,
) -> Result<bool, Stop> {
    let started = Instant::now();
    let cores = (grid.program.config.jobs as u64).min(blocks - from);
    let Some(queue) = Queue::new(from, blocks, (blocks - from) / (cores * HELPINGS)) else {
        return Ok(false);
    };
    let part = Part::begin(w, rest);
    let before = part.meters();
    let mut children = Vec::new();
    for _ in 1..cores {
        let child = Child::fork(|to| {
            let done = work(w, grid, order, (from, &queue), &part).is_ok();
            // Where it cannot be written, the other side sees that it is not whole.
            let _ = tell(w, before, done, to);
        });
        children.extend(child);
    }
    let mut done = work(w, grid, order, (from, &queue), &part).is_ok();
    let mut spent = spent(w, before);
    let mut shares = Vec::new();
    let watch = grid.program.config.watch.clone();
    for child in &mut children {
        let is_off = || {
            watch.blocks_done(queue.done());
            !done || queue.is_off() || watch.is_interrupted()
        };
        match hear(&mut Output { child, is_off }) {
            Some((sums, share)) => {
                spent.iter_mut().zip(sums).for_each(|(all, n)| *all = all.saturating_add(n));
                shares.push(share);
            }
            None => done = false,
        }
    }
    drop(children);
    if done {
        w.mem.seat(part.parted(), &grid.layout, blocks - from);
        part.join(w, rest, shares, spent)?;
        if grid.program.config.share_after > 0.0 {
            rest.launches().sharing.shared(grid.launch.kernel, started.elapsed(), watched.left);
        }
    } else if let Err(stop) = watch.check() {
        // The run ends. What this core did goes before the race detector; the others have been ended.
        let done = queue.done();
        part.cut(w)?;
        watch.blocks_done(done);
        return Err(stop);
    } else {
        part.void(w, rest);
        rest.launches().sharing.switch_off(grid.launch.kernel);
        watch.blocks_done(from);
    }
    Ok(done)
}

/// Why a part of the work is void.
struct Void;

/// Does blocks as long as there are any and nothing happens that needs one core.
fn work(
    w: &mut Worker,
    grid: &Grid,
    order: &Order,
    (from, queue): (u64, &Queue),
    part: &Part,
) -> Result<(), Void> {
    let mut running = Running::new(None);
    let result = (|| {
        while let Some(numbers) = queue.take() {
            for n in numbers.clone() {
                if (n - numbers.start).is_multiple_of(LOOK) {
                    w.spend(LOOK.min(numbers.end - n)).map_err(|_| Void)?;
                }
                w.mem.seat(part.parted(), &grid.layout, n - from);
                running.one(w, grid, order.at(n)).map_err(|_| Void)?;
                queue.count_done();
                grid.program.config.watch.blocks_done(queue.done());
                let alone = !running.suspended.is_empty()
                    || w.state.alone
                    || !w.findings.is_empty()
                    || !w.state.ub.is_empty()
                    || !w.mem.may_part()
                    || ran_short();
                if alone || queue.is_off() {
                    return Err(Void);
                }
            }
        }
        if queue.is_off() { Err(Void) } else { Ok(()) }
    })();
    if result.is_err() {
        queue.call_off();
    }
    let left: Vec<Block> = running.suspended.into();
    for block in left {
        block.end(w);
    }
    result
}

/// Fuel, clock and changes since.
fn spent(w: &Worker, before: [u64; 3]) -> [u64; 3] {
    let now = w.state.meters();
    [before[0] - now[0], now[1] - before[1], now[2] - before[2]]
}

/// Tells the process that forked this one what it did.
fn tell(w: &mut Worker, before: [u64; 3], done: bool, to: &mut impl Write) -> std::io::Result<()> {
    let mut to = BufWriter::with_capacity(1 << 16, to);
    to.write_all(&[u8::from(done)])?;
    if done {
        spent(w, before).iter().try_for_each(|n| to.write_all(&n.to_le_bytes()))?;
        w.mem.share().write_to(&mut to)?;
    }
    to.flush()
}

/// What [`tell`] told; `None` where the work is void.
fn hear(from: &mut impl Read) -> Option<([u64; 3], Share)> {
    let mut from = BufReader::with_capacity(1 << 16, from);
    let mut done = [0];
    from.read_exact(&mut done).ok()?;
    if done != [1] {
        return None;
    }
    let mut sums = [0; 3];
    for n in &mut sums {
        let mut bytes = [0; 8];
        from.read_exact(&mut bytes).ok()?;
        *n = u64::from_le_bytes(bytes);
    }
    Some((sums, Share::read_from(&mut from).ok()?))
}
