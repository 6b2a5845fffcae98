//! The threads of the host take turns in the loop.
//!
//! A thread that waits or gives way leaves the loop by [`Stop::Switch`]; its frames are put away and another's come
//! in their place. What a library function has called is an activation of its own, whose frames stand on the
//! machine's stack: only that activation can go on with them, but it can run other threads meanwhile.

use super::*;
use crate::threads;
use crate::threads::{Context, Own, Ready};
use crate::va::VaTable;
use cudair_lane::fault::Switch;

/// What a turn costs of the fuel.
const TURN: u64 = 64;

/// A context that does not run.
#[derive(Debug)]
pub(crate) struct Parked {
    words: WordStack,
    frames: Vec<Frame>,
    depth: usize,
    va: VaTable,
    /// Its local variables.
    locals: u32,
    own: Own,
}

impl Host<'_> {
    /// Whether the frames are those of another thread than that for which the loop was entered.
    pub(super) fn is_guest(&self) -> bool {
        self.m.threads.current != self.thread
    }

    /// The thread that runs waits or gives way or ends: on return the one that is to go on is in the loop.
    #[cold]
    pub(super) fn switch(&mut self, how: Switch, pc: usize) -> Result<(), Stop> {
        if let Switch::End(result) = how {
            return self.end_early(result);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.pc = if how == Switch::Again { pc - 1 } else { pc };
        }
        // Threads that only take turns never come to the loop's own look at the limits.
        self.m.engine.spend(TURN)?;
        let activation = (!self.is_guest()).then_some(self.level);
        let context = self.m.threads.suspend(activation);
        match threads::next(self.m, self.level)? {
            Some(next) if next.context == context => {
                threads::go_on(self.m, &next);
                Ok(())
            }
            Some(next) => self.turn_to(&next, Some(context)),
            None => Err(self.deadlock(context)),
        }
    }

    /// The frames of another context come into the loop; those that are in it are put away under a name.
    fn turn_to(&mut self, next: &Ready, name: Option<Context>) -> Result<(), Stop> {
        let engine = &mut self.m.engine.host;
        let mut incoming = match (next.begins, engine.parked.remove(&next.context)) {
            (None, Some(parked)) => parked,
            (None, None) => return Err(Stop::internal("a thread's frames are gone")),
            (Some(_), _) => Parked {
                words: engine.stacks.pop().unwrap_or_default(),
                frames: Vec::new(),
                depth: 0,
                va: VaTable::default(),
                locals: self.m.mem.host.new_stack()?,
                own: Own::default(),
            },
        };
        let engine = &mut self.m.engine.host;
        std::mem::swap(&mut self.stack, &mut incoming.words);
        std::mem::swap(&mut self.frames, &mut incoming.frames);
        std::mem::swap(&mut engine.depth, &mut incoming.depth);
        std::mem::swap(&mut engine.va, &mut incoming.va);
        let locals = std::mem::replace(&mut incoming.locals, self.m.mem.host.stack());
        self.m.mem.host.switch(locals);
        incoming.own = threads::resume(self.m, next, std::mem::take(&mut incoming.own));
        self.activation = if self.is_guest() { 1 } else { self.level };
        match name {
            Some(name) => {
                self.m.engine.host.parked.insert(name, incoming);
            }
            None => {
                self.m.mem.host.retire_stack(incoming.locals);
                self.m.engine.host.stacks.push(incoming.words);
            }
        }
        match next.begins {
            Some((function, argument)) => self.begin(function, argument),
            None => Ok(()),
        }
    }

    /// Enters the function of a thread.
    fn begin(&mut self, function: Ptr, argument: u64) -> Result<(), Stop> {
        let id = code_pointer(&self.m.module, function, Place::Unknown)?;
        match self.m.resolve_host(id)? {
            HostTarget::Code(code) => self.start(code, &[argument.into()]),
            _ => {
                let name = &self.m.module.funcs[id].display_name;
                Err(Stop::unsupported(format!(
                    "not supported: a thread whose function is `{name}` of the library"
                )))
            }
        }
    }

    /// A thread's function has returned: the next thread's frames come into the loop.
    #[cold]
    pub(super) fn end_thread(&mut self, result: u64) -> Result<(), Stop> {
        self.m.host.end_thread(self.m)?;
        self.m.threads.ended(result);
        match threads::next(self.m, self.level)? {
            Some(next) => self.turn_to(&next, None),
            None if self.m.threads.all_ended() => Err(Stop::Exit(0)),
            None => Err(self.deadlock(Context::NONE)),
        }
    }

    /// `pthread_exit`.
    fn end_early(&mut self, result: u64) -> Result<(), Stop> {
        if self.activation > 1 {
            let what = "not supported: `pthread_exit` in a function that the library called";
            return Err(Stop::unsupported(what));
        }
        if self.frames.iter().any(|&frame| unwind::landing(frame).is_some()) {
            let what = "not supported: `pthread_exit` where destructors or handlers are to run";
            return Err(Stop::unsupported(what));
        }
        while !self.frames.is_empty() {
            self.leave();
        }
        self.end_thread(result)
    }

    /// No thread can go on; the frames of `own` are in the loop.
    fn deadlock(&mut self, own: Context) -> Stop {
        let waiting = self.m.threads.waiting();
        let places: Vec<Place> = waiting
            .iter()
            .map(|&(context, place)| match self.m.engine.host.parked.get(&context) {
                _ if context == own => super::rare::user_place(self.m, &self.frames, place),
                Some(parked) => super::rare::user_place(self.m, &parked.frames, place),
                None => place,
            })
            .collect();
        self.m.threads.deadlock(&places)
    }
}
