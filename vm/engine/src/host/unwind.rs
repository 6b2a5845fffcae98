//! Exceptions pass frames.
//!
//! First the frames are searched for a handler that takes the exception, as the Itanium C++ ABI has it: where there is
//! none the program ends before any destructor has run. Then frames are left up to the first whose call has a landing,
//! a place in its code that takes the exception, runs destructors, and either goes on in a handler or passes the
//! exception on.

use super::*;
use crate::library::Target;
use crate::parts::HostProcess;
use cudair_bytecode::{Landing, Reg};

/// What a search in a frame says.
enum Found {
    Handler,
    Barrier,
    /// Nobody knows whether it is a barrier.
    Unknown,
    Nothing,
}

impl Host<'_> {
    /// Makes an exception that leaves the innermost frame's call go on where it is taken.
    #[cold]
    pub(super) fn unwind(&mut self, handle: Ptr) -> Result<(), Stop> {
        let target = match self.m.host.exception_target(&HostProcess::of(self.m), handle) {
            Target::Frame(serial) if self.frames.iter().any(|f| f.serial == serial) => Target::Frame(serial),
            Target::Outside if self.activation > 1 => Target::Outside,
            _ => self.search(handle)?,
        };
        self.m.host.set_exception_target(&mut HostProcess::of(self.m), handle, target);
        while let Some(&frame) = self.frames.last() {
            if let Some(landing) = landing(frame) {
                if let Some(Reg::S(reg)) = landing.exception {
                    let s = self.stack.frame(frame.base, frame.code.code());
                    s.set(reg, handle.0);
                }
                if let Some(frame) = self.frames.last_mut() {
                    frame.pc = landing.target.index();
                }
                return Ok(());
            }
            self.leave();
        }
        if self.activation > 1 {
            return Err(Stop::Throw(handle));
        }
        // A landing that names a handler for it has passed it on all the same.
        Err(self.m.host.uncaught(self.m, handle, "an uncaught exception"))
    }

    /// Which frame takes the exception.
    fn search(&mut self, handle: Ptr) -> Result<Target, Stop> {
        for n in (0..self.frames.len()).rev() {
            let frame = self.frames[n];
            match self.search_frame(frame, handle)? {
                Found::Handler => return Ok(Target::Frame(frame.serial)),
                Found::Barrier => {
                    let name = frame.code.code().name.clone();
                    let why = format!("an exception leaves `{name}`, which is `noexcept`: it is");
                    return Err(self.m.host.uncaught(self.m, handle, &why));
                }
                Found::Unknown => {
                    let name = &frame.code.code().name;
                    let why = "before C++17 the value of its `noexcept(…)` is not known";
                    return Err(Stop::unsupported(format!("an exception that leaves `{name}`: {why}")));
                }
                Found::Nothing => {}
            }
        }
        if self.activation > 1 {
            // Further out frames are those of whoever called the library.
            return Ok(Target::Outside);
        }
        Err(self.m.host.uncaught(self.m, handle, "an uncaught exception"))
    }

    fn search_frame(&mut self, frame: Frame, handle: Ptr) -> Result<Found, Stop> {
        if let Some(landing) = landing(frame) {
            for &(table, entries) in &landing.tables {
                let table = self.m.globals[table];
                if self.m.host.choose_handler(&mut HostProcess::of(self.m), handle, table, entries.into())?
                    != 0
                {
                    return Ok(Found::Handler);
                }
            }
            if landing.unknown {
                return Ok(Found::Handler);
            }
        }
        let attrs = self.m.module.funcs[frame.code.code().func].attrs;
        Ok(match attrs {
            _ if attrs.noexcept => Found::Barrier,
            _ if attrs.noexcept_unknown => Found::Unknown,
            _ => Found::Nothing,
        })
    }
}

/// Where the call that a frame is in goes on when it throws.
pub(super) fn landing(frame: Frame) -> Option<&'static Landing> {
    let code: &'static Code = frame.code.code();
    let at = code.landings.binary_search_by_key(&(frame.pc as u32), |l| l.after).ok()?;
    code.landings.get(at)
}
