//! `setjmp` and `longjmp`: a buffer is known by its address; what it holds is kept here.

use super::host::{Host, write};
use cudair_bytecode::TypedReg;
use cudair_ir::Kind;
use cudair_lane::fault::{Fault, Place, Stop};
use cudair_lane::ptr::Ptr;
use cudair_memory::{ByteAccess, LaneCx};
use rustc_hash::FxHashMap;

/// Where `setjmp` was called.
#[derive(Clone, Debug)]
struct JumpPoint {
    activation: u32,
    depth: usize,
    serial: u64,
    pc: usize,
    ret: Option<TypedReg>,
    words: Vec<u64>,
}

/// The `jmp_buf`s that were set, by address.
#[derive(Debug, Default)]
pub(crate) struct JumpTable {
    points: FxHashMap<Ptr, JumpPoint>,
}

impl Host<'_> {
    /// `setjmp(buf)`: remembers the innermost frame with its registers, whose values a later `longjmp` finds
    /// again.
    pub(super) fn set_jump(&mut self, buf: Ptr, ret: Option<TypedReg>, place: Place) -> Result<(), Stop> {
        let who = ByteAccess::host("setjmp", self.m.loc_of(place));
        self.m.mem.write(&mut LaneCx::host(&mut self.m.findings), who, buf, &[0; 8])?;
        let depth = self.frames.len();
        if let Some(frame) = self.frames.last() {
            let point = JumpPoint {
                activation: self.activation,
                depth,
                serial: frame.serial,
                pc: frame.pc,
                ret,
                words: self.stack.slice(frame.base, frame.code.code().files.scalars.into()).to_vec(),
            };
            self.m.engine.host.jumps.points.insert(buf, point);
        }
        Ok(())
    }

    /// `longjmp(buf, value)`.
    pub(super) fn long_jump(&mut self, buf: Ptr, value: u32, place: Place) -> Result<(), Stop> {
        let bad = |message: &str| -> Stop {
            Fault::other(Kind::UndefinedBehavior, place, message, "the jump is made here").into()
        };
        let Some(point) = self.m.engine.host.jumps.points.get(&buf).cloned() else {
            return Err(bad("`longjmp` with a buffer that `setjmp` did not fill"));
        };
        if point.activation < self.activation {
            return Err(Stop::unsupported("`longjmp` out of a function that the library called"));
        }
        let alive = point.activation == self.activation
            && self.frames.get(point.depth - 1).is_some_and(|f| f.serial == point.serial);
        if !alive {
            return Err(bad("`longjmp` to a function that has returned"));
        }
        while self.frames.len() > point.depth {
            self.leave();
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.pc = point.pc;
            let (base, code) = (frame.base, frame.code.code());
            self.stack.restore(base, &point.words);
            if let Some(ret) = point.ret {
                write(self.stack.frame(base, code), ret.reg, value.into());
            }
        }
        Ok(())
    }
}
