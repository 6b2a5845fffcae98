//! What a native function does to the program's memory, on behalf of the host or of a device lane.

use crate::machine::{Args, DeviceCall, Machine};
use crate::parts::{HasFuel, HasMemory, HasRuntime, HostMemory, HostRuntime};
use cudair_ir::{Kind, Space};
use cudair_lane::fault::{AllocKind, Fault, Place, Stop};
use cudair_lane::ptr::Ptr;
use cudair_memory::{AllocInfo, ByteAccess, InitState, LaneCx, Memory, Reach};
use cudair_report::Findings;

/// Access to the program's memory for one native call. The same functions serve both sides.
pub trait Guest {
    /// Reads `len` bytes, as a use of them.
    fn read(&mut self, ptr: Ptr, len: u64) -> Result<Vec<u8>, Stop>;
    /// Reads a string without its NUL, at most `max` bytes of it.
    fn cstr(&mut self, ptr: Ptr, max: Option<u64>) -> Result<Vec<u8>, Stop>;
    /// Writes bytes.
    fn write(&mut self, ptr: Ptr, bytes: &[u8]) -> Result<(), Stop>;
    /// Fills bytes.
    fn fill(&mut self, ptr: Ptr, byte: u8, len: u64) -> Result<(), Stop>;
    /// Copies bytes with their initialisation, as `memmove` does.
    fn copy(&mut self, dst: Ptr, src: Ptr, len: u64) -> Result<(), Stop>;
    /// A fault of this call.
    fn fault(&self, kind: Kind, message: String) -> Fault;
    /// Notes a fault after which the program goes on.
    fn note(&mut self, fault: Fault);

    /// Reads a little-endian integer of `bytes` bytes.
    fn word(&mut self, ptr: Ptr, bytes: u64) -> Result<u64, Stop> {
        let mut word = [0; 8];
        let read = self.read(ptr, bytes.min(8))?;
        word[..read.len()].copy_from_slice(&read);
        Ok(u64::from_le_bytes(word))
    }

    /// Writes the low `bytes` bytes of an integer.
    fn put(&mut self, ptr: Ptr, word: u64, bytes: usize) -> Result<(), Stop> {
        self.write(ptr, &word.to_le_bytes()[..bytes])
    }

    /// Writes a string with its NUL.
    fn put_cstr(&mut self, ptr: Ptr, text: &[u8]) -> Result<(), Stop> {
        let mut bytes = text.to_vec();
        bytes.push(0);
        self.write(ptr, &bytes)
    }
}

/// A call by the host that needs memory alone.
pub struct Bytes<'a> {
    mem: &'a mut Memory,
    findings: &'a mut Findings,
    who: ByteAccess,
}

impl<'a> Bytes<'a> {
    /// The call `args` of the function `name`.
    pub fn new(memory: &'a mut HostMemory<'_>, args: &Args<'_>, name: &'static str) -> Bytes<'a> {
        let who = ByteAccess { lane: 0, place: args.place, native: Some(name) };
        Bytes { mem: memory.mem, findings: memory.findings, who }
    }

    /// Whether the host may read or write all of a range: asked before a length of the program's decides
    /// how much the machine itself gathers.
    pub fn check(&mut self, ptr: Ptr, len: u64, writes: bool) -> Result<(), Stop> {
        let mut cx = LaneCx::host(self.findings);
        Ok(self.mem.check(&mut cx, self.who, ptr, Reach::Own, len, writes)?)
    }
}

/// A call by the host, which sees the whole machine or a part of it.
pub struct Host<'a, M = Machine> {
    /// The machine, or the part.
    pub m: &'a mut M,
    /// The call.
    pub who: ByteAccess,
}

impl<'a, M: HasMemory> Host<'a, M> {
    /// The call `args` of the function `name`.
    pub fn new(m: &'a mut M, args: &Args<'_>, name: &'static str) -> Host<'a, M> {
        Host { m, who: ByteAccess { lane: 0, place: args.place, native: Some(name) } }
    }

    /// What the library does of itself.
    pub fn unasked(m: &'a mut M, name: &'static str) -> Host<'a, M> {
        Host { m, who: ByteAccess { native: Some(name), ..ByteAccess::default() } }
    }

    /// Whether `delete` may free an object of a class of `size` bytes there.
    pub fn check_deleted_size(&mut self, ptr: Ptr, size: u64) -> Result<(), Stop> {
        let HostMemory { mem, findings } = self.m.memory();
        Ok(mem.check_deleted_size(&LaneCx::host(findings), self.who, ptr, size)?)
    }

    /// Ends an allocation.
    pub fn free(&mut self, ptr: Ptr, by: AllocKind) -> Result<(), Stop> {
        let HostMemory { mem, findings } = self.m.memory();
        Ok(mem.free(&LaneCx::host(findings), self.who, ptr, by)?)
    }

    /// Whether the host may read or write all of a range: asked before a length of the program's decides
    /// how much the machine itself gathers.
    pub fn check(&mut self, ptr: Ptr, len: u64, writes: bool) -> Result<(), Stop> {
        self.bytes().check(ptr, len, writes)
    }

    /// The call, with memory alone.
    fn bytes(&mut self) -> Bytes<'_> {
        let HostMemory { mem, findings } = self.m.memory();
        Bytes { mem, findings, who: self.who }
    }
}

impl<M: HasRuntime> Host<'_, M> {
    /// The same call, which sees the runtime alone.
    pub fn with_runtime<R>(&mut self, f: impl FnOnce(&mut Host<'_, HostRuntime<'_>>) -> R) -> R {
        f(&mut Host { m: &mut self.m.runtime(), who: self.who })
    }
}

impl<M: HasFuel> Host<'_, M> {
    /// An allocation.
    pub fn alloc(&mut self, size: u64, align: u64, init: InitState, kind: AllocKind) -> Result<Ptr, Stop> {
        let info = AllocInfo { kind, name: None, place: self.who.place };
        self.m.spend(size / 64)?;
        self.m.memory().mem.alloc(Space::Host, size, align, init, info)
    }
}

/// Makes an object of the machine's own, which is no leak and cannot be freed.
pub fn runtime_object(m: &mut impl HasMemory, name: &str, bytes: &[u8], align: u64) -> Result<Ptr, Stop> {
    let HostMemory { mem, findings } = m.memory();
    let info = AllocInfo { kind: AllocKind::Runtime, name: Some(name.into()), place: Place::Unknown };
    let ptr = mem.alloc(Space::Host, bytes.len() as u64, align, InitState::Zero, info)?;
    if !bytes.is_empty() {
        let who = ByteAccess::default();
        mem.write(&mut LaneCx::host(findings), who, ptr, bytes)?;
    }
    Ok(ptr)
}

impl Guest for Bytes<'_> {
    fn read(&mut self, ptr: Ptr, len: u64) -> Result<Vec<u8>, Stop> {
        if len == 0 {
            return Ok(Vec::new());
        }
        self.mem.read(&mut LaneCx::host(self.findings), self.who, ptr, len)
    }

    fn cstr(&mut self, ptr: Ptr, max: Option<u64>) -> Result<Vec<u8>, Stop> {
        if max == Some(0) {
            return Ok(Vec::new());
        }
        self.mem.read_cstr(&mut LaneCx::host(self.findings), self.who, ptr, max)
    }

    fn write(&mut self, ptr: Ptr, bytes: &[u8]) -> Result<(), Stop> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.mem.write(&mut LaneCx::host(self.findings), self.who, ptr, bytes)
    }

    fn fill(&mut self, ptr: Ptr, byte: u8, len: u64) -> Result<(), Stop> {
        if len == 0 {
            return Ok(());
        }
        self.mem.fill(&mut LaneCx::host(self.findings), self.who, ptr, byte, len)
    }

    fn copy(&mut self, dst: Ptr, src: Ptr, len: u64) -> Result<(), Stop> {
        if len == 0 {
            return Ok(());
        }
        self.mem.copy(&mut LaneCx::host(self.findings), self.who, dst, src, len)
    }

    fn fault(&self, kind: Kind, message: String) -> Fault {
        host_fault(self.who, kind, message)
    }

    fn note(&mut self, fault: Fault) {
        self.findings.note(fault);
    }
}

impl<M: HasMemory> Guest for Host<'_, M> {
    fn read(&mut self, ptr: Ptr, len: u64) -> Result<Vec<u8>, Stop> {
        self.bytes().read(ptr, len)
    }

    fn cstr(&mut self, ptr: Ptr, max: Option<u64>) -> Result<Vec<u8>, Stop> {
        self.bytes().cstr(ptr, max)
    }

    fn write(&mut self, ptr: Ptr, bytes: &[u8]) -> Result<(), Stop> {
        self.bytes().write(ptr, bytes)
    }

    fn fill(&mut self, ptr: Ptr, byte: u8, len: u64) -> Result<(), Stop> {
        self.bytes().fill(ptr, byte, len)
    }

    fn copy(&mut self, dst: Ptr, src: Ptr, len: u64) -> Result<(), Stop> {
        self.bytes().copy(dst, src, len)
    }

    fn fault(&self, kind: Kind, message: String) -> Fault {
        host_fault(self.who, kind, message)
    }

    fn note(&mut self, fault: Fault) {
        self.m.memory().findings.note(fault);
    }
}

/// A fault of a call by the host.
fn host_fault(who: ByteAccess, kind: Kind, message: String) -> Fault {
    let mut fault = Fault::other(kind, who.place, message, "in this call");
    fault.native = who.native;
    fault
}

/// A call by a device lane.
pub struct Lane<'a, 'b> {
    /// The call.
    pub call: &'a mut DeviceCall<'b>,
    /// The call, for memory.
    pub who: ByteAccess,
}

impl<'a, 'b> Lane<'a, 'b> {
    /// The call `args` of the function `name`.
    pub fn new(call: &'a mut DeviceCall<'b>, args: &Args<'_>, name: &'static str) -> Lane<'a, 'b> {
        let who = ByteAccess { lane: call.lane, place: args.place, native: Some(name) };
        Lane { call, who }
    }
}

impl Guest for Lane<'_, '_> {
    fn read(&mut self, ptr: Ptr, len: u64) -> Result<Vec<u8>, Stop> {
        if len == 0 {
            return Ok(Vec::new());
        }
        let (mem, mut cx) = self.call.memory();
        mem.read(&mut cx, self.who, ptr, len)
    }

    fn cstr(&mut self, ptr: Ptr, max: Option<u64>) -> Result<Vec<u8>, Stop> {
        if max == Some(0) {
            return Ok(Vec::new());
        }
        let (mem, mut cx) = self.call.memory();
        mem.read_cstr(&mut cx, self.who, ptr, max)
    }

    fn write(&mut self, ptr: Ptr, bytes: &[u8]) -> Result<(), Stop> {
        if bytes.is_empty() {
            return Ok(());
        }
        let (mem, mut cx) = self.call.memory();
        mem.write(&mut cx, self.who, ptr, bytes)
    }

    fn fill(&mut self, ptr: Ptr, byte: u8, len: u64) -> Result<(), Stop> {
        if len == 0 {
            return Ok(());
        }
        let (mem, mut cx) = self.call.memory();
        mem.fill(&mut cx, self.who, ptr, byte, len)
    }

    fn copy(&mut self, dst: Ptr, src: Ptr, len: u64) -> Result<(), Stop> {
        if len == 0 {
            return Ok(());
        }
        let (mem, mut cx) = self.call.memory();
        mem.copy(&mut cx, self.who, dst, src, len)
    }

    fn fault(&self, kind: Kind, message: String) -> Fault {
        let mut fault = Fault::other(kind, self.who.place, message, "in this call");
        fault.native = self.who.native;
        fault.by_thread(self.call.thread(), self.call.shape.launch)
    }

    fn note(&mut self, fault: Fault) {
        self.call.worker.findings.note(fault);
    }
}
