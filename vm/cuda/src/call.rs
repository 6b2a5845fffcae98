//! What functions of the runtime have in common: arguments that they read and check, results that they store.

use crate::{Api, CudaError, Fail};
use cudair_engine::guest::{Guest, Host};
use cudair_engine::parts::{HasMemory, HostMemory};
use cudair_ir::Kind;
use cudair_lane::fault::Fault;
use cudair_lane::ptr::Ptr;
use cudair_memory::{ByteAccess, LaneCx};

/// A call of a function of the runtime.
pub(crate) trait Call {
    /// A fault of an argument of this call: reported as an error, and the call returns `error`.
    fn bad_argument(&mut self, error: CudaError, message: String) -> Fail;

    /// Notes a memory fault of this call, which returns `error` for it.
    fn memory_fault(&mut self, error: CudaError, fault: Fault) -> Fail;

    /// Whether `len` bytes at `ptr` can be used; if not, that is reported.
    fn check_range(&mut self, ptr: Ptr, len: u64, writes: bool) -> Api;

    /// Stores a result; a null pointer for it is an invalid value.
    fn give(&mut self, ptr: Ptr, word: u64, bytes: usize) -> Api;

    /// Reads a word of the program; a null pointer to it is an invalid value.
    fn value(&mut self, ptr: Ptr, bytes: u64) -> Result<u64, Fail>;

    /// Writes a structure of the program; a null pointer for it is an invalid value.
    fn store(&mut self, ptr: Ptr, bytes: &[u8]) -> Api;

    /// Reads a string of the program; a null pointer is an invalid value.
    fn string(&mut self, ptr: Ptr, limit: Option<u64>) -> Result<Vec<u8>, Fail>;

    /// Reads a structure of the program.
    fn structure(&mut self, ptr: Ptr, len: u64) -> Result<Vec<u8>, Fail>;

    /// The call, for operations that run later.
    fn access(&self) -> ByteAccess;
}

impl<M: HasMemory> Call for Host<'_, M> {
    fn bad_argument(&mut self, error: CudaError, message: String) -> Fail {
        let fault = self.fault(Kind::ApiError, message);
        self.note(fault);
        Fail::Reported(error)
    }

    fn memory_fault(&mut self, error: CudaError, fault: Fault) -> Fail {
        self.note(fault);
        Fail::Reported(error)
    }

    fn check_range(&mut self, ptr: Ptr, len: u64, writes: bool) -> Api {
        let HostMemory { mem, findings } = self.m.memory();
        match mem.check(&mut LaneCx::host(findings), self.who, ptr, cudair_memory::Reach::Any, len, writes) {
            Ok(()) => Ok(()),
            Err(fault) => Err(self.memory_fault(CudaError::INVALID_VALUE, *fault)),
        }
    }

    fn give(&mut self, ptr: Ptr, word: u64, bytes: usize) -> Api {
        if ptr.is_null() {
            return Err(CudaError::INVALID_VALUE.into());
        }
        self.put(ptr, word, bytes)?;
        Ok(())
    }

    fn value(&mut self, ptr: Ptr, bytes: u64) -> Result<u64, Fail> {
        if ptr.is_null() { Err(CudaError::INVALID_VALUE.into()) } else { Ok(self.word(ptr, bytes)?) }
    }

    fn store(&mut self, ptr: Ptr, bytes: &[u8]) -> Api {
        if ptr.is_null() { Err(CudaError::INVALID_VALUE.into()) } else { Ok(self.write(ptr, bytes)?) }
    }

    fn string(&mut self, ptr: Ptr, limit: Option<u64>) -> Result<Vec<u8>, Fail> {
        if ptr.is_null() { Err(CudaError::INVALID_VALUE.into()) } else { Ok(self.cstr(ptr, limit)?) }
    }

    fn structure(&mut self, ptr: Ptr, len: u64) -> Result<Vec<u8>, Fail> {
        if ptr.is_null() {
            return Err(CudaError::INVALID_VALUE.into());
        }
        Ok(self.read(ptr, len)?)
    }

    fn access(&self) -> ByteAccess {
        self.who
    }
}
