//! The program's clock, which for an isolated program is one of its own.

use crate::machine::Machine;
use std::time::{Duration, Instant};

/// What a look at an isolated program's clock costs.
const ISOLATED_STEP: Duration = Duration::from_micros(1);

/// The clock of a run.
#[derive(Debug)]
pub(crate) struct Clock {
    started: Instant,
    /// Of an isolated program: how far its time has gone.
    virtual_time: Duration,
}

impl Default for Clock {
    fn default() -> Clock {
        Clock { started: Instant::now(), virtual_time: Duration::ZERO }
    }
}

impl Machine {
    /// Time since the program started, for every clock that counts from an unnamed point.
    pub fn elapsed(&mut self) -> Duration {
        let clock = &mut self.engine.host.clock;
        if self.config.gate.is_shut() {
            clock.virtual_time += ISOLATED_STEP;
            clock.virtual_time
        } else {
            clock.started.elapsed()
        }
    }

    /// Lets time pass.
    pub fn sleep(&mut self, time: Duration) {
        if self.config.gate.is_shut() {
            self.engine.host.clock.virtual_time += time;
            return;
        }
        // A program that sleeps is ended like one that works.
        const NAP: Duration = Duration::from_millis(20);
        let start = Instant::now();
        while !self.config.watch.is_interrupted() {
            let left = time.saturating_sub(start.elapsed());
            if left.is_zero() {
                break;
            }
            std::thread::sleep(left.min(NAP));
        }
    }
}
