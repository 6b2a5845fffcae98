//! The state of a launch that stops: blocks, threads by stack, variables, shared memory.

use super::block::{Block, ranges};
use super::exec::Exec;
use super::grid::Grid;
use super::strip::{ConvergenceGroup, State, Strip};
use crate::debug::{DeviceThread, Halted, Here, Order};
use crate::dump::{Variable, frame_lines, reason, variable_lines};
use crate::state::Show;
use crate::worker::Worker;
use cudair_ir::Module;
use cudair_lane::fault::Stop;
use cudair_memory::Memory;
use std::fmt::Write;

/// Blocks that are told in full.
const MOST_BLOCKS: usize = 64;

impl Exec<'_> {
    /// Asks the debugger, at a place that the program counts, whether the run goes on.
    #[cold]
    pub(super) fn reached(&self, f: &ConvergenceGroup, point: u32, pc: usize) -> Result<(), Stop> {
        let Some(debugger) = &self.grid.program.config.debugger else { return Ok(()) };
        match debugger.reached(&self.here(f, Some(point), pc)) {
            Order::Go => Ok(()),
            Order::End => Err(Stop::Exit(0)),
        }
    }

    /// What a debugger sees, with the innermost frame at `pc`.
    fn here<'b>(&'b self, group: &'b ConvergenceGroup, point: Option<u32>, pc: usize) -> Here<'b> {
        let side = Halted::Device { grid: self.grid, strip: self.strip, group, block: self.block, pc };
        let program = &self.grid.program;
        Here { point, module: &program.module, mem: &self.worker.mem, watch: &program.config.watch, side }
    }

    /// Tells the debugger of a fault.
    ///
    /// # Errors
    /// It ends the program.
    #[cold]
    pub(super) fn stopped(&self, f: &ConvergenceGroup, stop: &Stop) -> Result<(), Stop> {
        let (Some(debugger), Some(why)) = (&self.grid.program.config.debugger, reason(stop)) else {
            return Ok(());
        };
        let here = self.here(f, None, f.frames.last().map_or(0, |top| top.pc + 1));
        let of = match stop {
            Stop::Fault(fault) => fault.thread,
            _ => None,
        };
        let coord = |t: &DeviceThread| cudair_lane::thread_coord(t.block, self.grid.launch.block, t.thread);
        let thread = here.threads().into_iter().find(|t| of.is_none_or(|of| coord(t) == of));
        match debugger.stopped(&here, &why, thread) {
            Order::Go => Ok(()),
            Order::End => Err(Stop::Exit(0)),
        }
    }
}

/// Adds a launch that stops to the state: why, and each block that is alive.
pub(super) fn launch<'a>(w: &mut Worker, grid: &Grid, stop: &Stop, blocks: impl Iterator<Item = &'a Block>) {
    let Some(why) = reason(stop).filter(|_| w.state.dumps()) else { return };
    let launch = &grid.launch;
    let kernel = &grid.program.module.funcs[launch.kernel];
    let dims = |d: [u32; 3]| format!("{} x {} x {}", d[0], d[1], d[2]);
    let mut out = format!(
        "launch {} of `{}`: grid {}, block {}\nstopped by {why}\n",
        launch.number,
        kernel.display_name,
        dims(launch.grid),
        dims(launch.block)
    );
    let mut blocks: Vec<&Block> = blocks.filter(|b| b.strips.iter().any(|s| !s.live.is_empty())).collect();
    blocks.sort_by_key(|b| {
        b.strips.first().map(|s| s.shape.block_index.map(u64::from)).map(|[x, y, z]| [z, y, x])
    });
    for block in blocks.iter().take(MOST_BLOCKS) {
        one((&grid.program.module, &w.mem), block, &mut out);
    }
    if blocks.len() > MOST_BLOCKS {
        let _ = writeln!(out, "\nand {} more blocks", blocks.len() - MOST_BLOCKS);
    }
    out.push('\n');
    w.state.add_to_dump(&out);
}

fn one((module, mem): (&Module, &Memory), block: &Block, out: &mut String) {
    let Some(first) = block.strips.first() else { return };
    let show = Show { mem, types: &module.types, block: block.mem.as_ref().map(|mem| (mem, &first.locals)) };
    let [x, y, z] = first.shape.block_index;
    let live: u32 = block.strips.iter().map(|s| s.live.count()).sum();
    let all: u32 = block.strips.iter().map(|s| s.all.count()).sum();
    let _ = writeln!(out, "\nblock ({x},{y},{z}): {live} of {all} threads alive");
    // Convergence groups with one stack are told as one, whichever strip or warp they are of.
    let mut alike: Vec<Vec<(&Strip, &ConvergenceGroup)>> = Vec::new();
    let mut groups: Vec<(&Strip, &ConvergenceGroup)> = block
        .strips
        .iter()
        .flat_map(|s| {
            s.groups.iter().filter(|f| !f.mask.is_empty() && !f.frames.is_empty()).map(move |f| (s, f))
        })
        .collect();
    groups.sort_by_key(|(s, f)| s.shape.first_thread + f.mask.lowest().unwrap_or(0) as u32);
    for (s, f) in groups {
        let same = |g: &&mut Vec<(&Strip, &ConvergenceGroup)>| {
            let (t, o) = g[0];
            f.frames.len() == o.frames.len()
                && f.frames.iter().zip(&o.frames).all(|(a, b)| a.code == b.code && a.pc == b.pc)
                && does(s, f) == does(t, o)
        };
        match alike.iter_mut().find(same) {
            Some(list) => list.push((s, f)),
            None => alike.push(vec![(s, f)]),
        }
    }
    for all in &alike {
        let (strip, group) = all[0];
        let mut threads: Vec<u32> = all.iter().flat_map(|(s, f)| threads(s, f)).collect();
        threads.sort_unstable();
        let _ = writeln!(out, "\n  {}: {}", list(&threads), does(strip, group));
        for (n, frame) in group.frames.iter().enumerate().rev() {
            let top = n + 1 == group.frames.len();
            let code = frame.code.code();
            frame_lines(module, code, if top { frame.pc } else { frame.pc.saturating_sub(1) }, top, out);
            let mut variables: Vec<Variable> = Vec::new();
            for (slot, layout) in code.slots.iter().enumerate().filter(|(_, l)| !l.name.is_empty()) {
                let mut of: Vec<_> = all
                    .iter()
                    .flat_map(|(s, f)| f.mask.iter().map(move |l| (s, f, l)))
                    .map(|(s, f, l)| {
                        let bytes = f.frames[n].locals.and_then(|id| s.locals.peek(id, slot as u32, l));
                        (s.shape.first_thread + l as u32, bytes)
                    })
                    .collect();
                of.sort_by_key(|v| v.0);
                variables.push(Variable {
                    name: layout.name.clone(),
                    ty: Variable::ty(module, code, layout),
                    of,
                });
            }
            variable_lines(show, &variables, list, out);
        }
    }
    let Some(own) = &block.mem else { return };
    for (n, var) in own.layout().vars.iter().enumerate() {
        let bytes = own.peek(n);
        let ty = module.globals[var.global].ty.as_ref();
        let of = ty.map_or(String::new(), |t| format!(" as {t}"));
        let _ = writeln!(
            out,
            "\n  shared `{}`, {} bytes{of}:{}",
            var.name,
            bytes.len(),
            show.contents(ty, &bytes, "    ")
        );
    }
}

fn threads(s: &Strip, f: &ConvergenceGroup) -> Vec<u32> {
    f.mask.iter().map(|l| s.shape.first_thread + l as u32).collect()
}

/// Threads by linear index.
fn list(threads: &[u32]) -> String {
    ranges(threads.iter().copied(), "thread")
}

/// What the threads of a group do.
pub(crate) fn does(strip: &Strip, f: &ConvergenceGroup) -> &'static str {
    match f.state {
        State::Ready if strip.is_held_up(f) => "held up by lanes of the warp",
        State::Ready if f.stuck_at.is_some() => "spinning",
        State::Ready => "running",
        State::Barrier { .. } => "waiting at a barrier",
        State::Cluster => "waiting at the barrier of the cluster",
        State::Warp { .. } => "waiting for lanes of the warp",
    }
}
