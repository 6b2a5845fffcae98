//! `cudair debug`: a program that stands still where its user wants it to, and goes back.
//!
//! The engine asks at each piece of a line, on both sides ([`Debugger`]). A thread of the host, or a thread of the device, is
//! *in focus*: steps are its steps, and values are as it has them. Threads of the device that come to a place together stand
//! there together. [`control`] decides where the program stands still; a [`Front`] shows it to the user, and does what the
//! user says.

mod command;
mod control;
pub mod dap;
mod expression;
mod points;
mod prompt;
mod search;
mod values;
mod world;

pub use control::{Control, Next};
pub use prompt::{Commands, Prompt};
pub use world::World;

use cudair_ir::{Finding, Module};
use cudair_passes::transform::count::Counted;
use cudair_vm::debug::{Debugger, DeviceThread, Here, Order};
use points::Points;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Whose steps and values are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Focus {
    /// A thread of the host, by its number.
    Host(u64),
    /// A thread of the device.
    Device(DeviceThread),
}

impl Focus {
    /// What the thread is called: "host", "launch 0, block (0,0,0), thread 5".
    pub fn name(self) -> String {
        match self {
            Focus::Host(1) => "host".to_owned(),
            Focus::Host(n) => format!("host, thread {n}"),
            Focus::Device(t) => {
                let [x, y, z] = t.block;
                format!("launch {}, block ({x},{y},{z}), thread {}", t.launch, t.thread)
            }
        }
    }
}

/// What is said where a run was not as the one before.
const DIFFERS: &str = "The program did not run as it did before, so this is not where it was. Something that it uses is not kept.";

/// Whose steps they are, where a thread of the device is in focus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Its own.
    Thread,
    /// Those of any thread of its warp.
    Warp,
    /// Those of any thread of its block.
    Block,
}

/// How the program goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// To the next breakpoint.
    Run,
    /// So many lines further; with a depth, only those that are not deeper.
    Step {
        /// Lines.
        left: u32,
        /// How many calls deep at most.
        depth: Option<usize>,
        /// Whose lines.
        scope: Scope,
    },
    /// To the first line outside of so many calls.
    Finish {
        /// How many.
        depth: usize,
    },
}

/// Why a program stands still.
#[derive(Clone, Debug)]
pub enum Why {
    /// It has not started.
    Start,
    /// A breakpoint, by its number.
    Breakpoint(u32),
    /// The step is done.
    Step,
    /// The user wants it to.
    Pause,
    /// Something ends a launch or the run.
    Fault(String),
    /// Something was found.
    Findings(Vec<Finding>),
    /// What is watched has changed, or, back, changes here.
    Changed {
        /// The number.
        number: u32,
        /// What it was and what it is, where that is known.
        values: Option<[String; 2]>,
        /// Where it was changed: who stood at which place before.
        by: Option<(Focus, u32)>,
    },
    /// It went back.
    Back,
    /// It was to go back to something before which there is nothing.
    First,
    /// It was to go back to a place that nobody has come to.
    Nowhere,
    /// It was to go back, and did not run as before.
    Differs,
    /// It has ended.
    End,
}

/// Who shows a program to its user.
pub trait Front: Send {
    /// The program stands still, and goes on when this returns: as the user has told `control`. `here` is nothing before it
    /// starts and after its end.
    fn stands(&mut self, control: &mut Control, here: Option<&Here<'_>>, why: &Why);

    /// Somebody wants something of the program, which runs. Gives whether it is to stand still.
    fn attend(&mut self, control: &mut Control, here: &Here<'_>) -> bool;
}

/// A program under the debugger.
pub struct Session(Mutex<(Control, Box<dyn Front>)>);

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Session")
    }
}

impl Session {
    /// A session over the places of a module.
    pub fn new(module: &Module, counted: &[Counted], front: Box<dyn Front>, world: &World) -> Session {
        let points = Points::new(module, counted);
        let control = Control::new(points, world.attention.clone(), world.journal.clone());
        Session(Mutex::new((control, front)))
    }

    fn lock(&self) -> MutexGuard<'_, (Control, Box<dyn Front>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes commands before the program starts, until one starts it. Gives whether it is to start.
    pub fn begin(&self) -> bool {
        let (control, front) = &mut *self.lock();
        front.stands(control, None, &Why::Start);
        !control.leaves()
    }

    /// Whether the user has ended the program.
    pub fn has_ended(&self) -> bool {
        self.lock().0.leaves()
    }

    /// A run has ended: whether another is to start.
    pub fn over(&self) -> Next {
        self.lock().0.over()
    }

    /// Takes commands after the program's end, when all of its findings are known. Gives whether another run is to start.
    pub fn end(&self, why: &Why, findings: Vec<Finding>) -> bool {
        let (control, front) = &mut *self.lock();
        control.learn(findings);
        front.stands(control, None, why);
        matches!(control.over(), Next::Again)
    }
}

impl Debugger for Session {
    fn reached(&self, here: &Here<'_>) -> Order {
        let (control, front) = &mut *self.lock();
        if control.reached(here, front.as_mut()) { Order::Go } else { Order::End }
    }

    fn stopped(&self, here: &Here<'_>, why: &str, thread: Option<DeviceThread>) -> Order {
        let (control, front) = &mut *self.lock();
        if control.stopped(here, (why, thread), front.as_mut()) { Order::Go } else { Order::End }
    }

    fn begins(&self) {
        self.lock().0.launch_begins();
    }

    fn ends(&self, may: bool) -> bool {
        self.lock().0.launch_ends(may)
    }
}
