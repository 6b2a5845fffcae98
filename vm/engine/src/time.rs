//! The program's clock, which for an isolated program is one of its own.

use crate::config::VmConfig;
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
        self.engine.host.clock.elapsed(&self.config)
    }

    /// Lets time pass.
    pub fn sleep(&mut self, time: Duration) {
        self.engine.host.clock.sleep(&self.config, time);
    }
}

impl Clock {
    /// See [`Machine::elapsed`].
    pub(crate) fn elapsed(&mut self, config: &VmConfig) -> Duration {
        if config.gate.is_shut() {
            self.virtual_time += ISOLATED_STEP;
            self.virtual_time
        } else {
            config.gate.since(self.started)
        }
    }

    /// See [`Machine::sleep`].
    pub(crate) fn sleep(&mut self, config: &VmConfig, time: Duration) {
        if config.gate.is_shut() {
            self.virtual_time += time;
            return;
        }
        if config.gate.replays() {
            return;
        }
        // A program that sleeps is ended like one that works.
        const NAP: Duration = Duration::from_millis(20);
        let start = Instant::now();
        while !config.watch.is_interrupted() {
            let left = time.saturating_sub(start.elapsed());
            if left.is_zero() {
                break;
            }
            std::thread::sleep(left.min(NAP));
        }
    }
}
