//! The functions of the API by name: what a row of the tables says, and what every call has in common.
//!
//! `table.rs` has the runtime's functions and `driver/table.rs` the driver's, one row each. `tests/cuda_headers.rs`
//! compares the rows with what the headers declare.

use crate::call::Call;
use crate::errors::remember;
use crate::{Api, CALL_COST, CudaError, Fail, Kept, driver, graph, table};
use cudair_engine::guest::{Guest, Host};
use cudair_engine::parts::{HasRuntime, HostRuntime};
use cudair_engine::{Args, HostFn, Ret};
use cudair_ir::Kind;
use cudair_lane::fault::Stop;
use cudair_memory::{ByteAccess, LaneCx};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Whose function it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interface {
    /// The runtime's, `cuda…`: it makes a context current by itself, and its errors are what `cudaGetLastError` gives.
    Runtime,
    /// The driver's, `cu…`.
    Driver,
}

/// A function of the API.
pub struct Function {
    /// Its symbol.
    pub name: &'static str,
    /// Whose it is.
    pub interface: Interface,
    /// How many parameters it has.
    pub parameters: usize,
    pub(crate) run: HostFn,
}

/// Whether a call needs a context that works.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Context {
    Needed,
    /// As [`Context::Needed`], and it may wait for the device, so that it is not for the time of a capture.
    Uncaptured,
    /// As [`Context::Needed`], and a context that is broken does not break it.
    Ends,
    /// The driver must be up; a context that is broken breaks it, but it needs none.
    Up,
    /// It works without one, and its error is not remembered.
    Free,
    /// As [`Context::Free`], and before the driver was initialised too.
    Always,
}

impl Context {
    /// Whether a broken context breaks the call.
    fn can_break(self) -> bool {
        matches!(self, Context::Needed | Context::Uncaptured | Context::Up)
    }

    /// Whether the call needs a context.
    fn is_needed(self) -> bool {
        matches!(self, Context::Needed | Context::Uncaptured | Context::Ends)
    }
}

/// A table of functions of one interface: `"symbol"(parameters) context part(handler)`. The part is the variant of
/// [`HostFn`], and the handler sees no more of the machine. Where the context is `Outside`, the handler does all by itself,
/// for functions that give no error code.
macro_rules! functions {
    ($interface:ident: $($name:literal($parameters:literal) $context:ident $part:ident($f:expr);)*) => {
        /// All of them.
        pub(crate) const FUNCTIONS: &[$crate::api::Function] = &[$(
            $crate::api::Function {
                name: $name,
                interface: $crate::api::Interface::$interface,
                parameters: $parameters,
                run: cudair_engine::HostFn::$part($crate::api::handler!($interface $name $context $f)),
            }
        ),*];
    };
}

/// What runs for a row of [`functions`].
macro_rules! handler {
    ($interface:ident $name:literal Outside $f:expr) => {
        $f
    };
    ($interface:ident $name:literal $context:ident $f:expr) => {
        |m, a| {
            let called = $crate::api::Called {
                name: $name,
                interface: $crate::api::Interface::$interface,
                context: $crate::api::Context::$context,
            };
            $crate::api::call(m, a, called, $f)
        }
    };
}

pub(crate) use {functions, handler};

/// All functions of the API, the runtime's first.
pub fn all() -> impl Iterator<Item = &'static Function> {
    table::FUNCTIONS.iter().chain(driver::FUNCTIONS)
}

/// The function of a name.
pub(crate) fn find(name: &str) -> Option<&'static Function> {
    static BY_NAME: LazyLock<FxHashMap<&str, &Function>> =
        LazyLock::new(|| all().map(|function| (function.name, function)).collect());
    BY_NAME.get(name).copied()
}

/// What runs for a function of the API.
pub fn lookup(name: &str) -> Option<HostFn> {
    find(name).map(|function| function.run)
}

/// The function that is called, as its row says.
#[derive(Clone, Copy)]
pub(crate) struct Called {
    pub name: &'static str,
    pub interface: Interface,
    pub context: Context,
}

impl Called {
    /// Whether it asks nothing of the device: a function that CUDA calls may use it, as far as anybody can tell.
    fn is_harmless(self) -> bool {
        self.context == Context::Always || self.name.ends_with("GetVersion")
    }
}

/// A function that CUDA calls when work has ended calls CUDA: that is refused.
pub(crate) fn refuse_called_back<M: HasRuntime>(h: &mut Host<'_, M>, what: &str) -> Fail {
    let message = format!("{what} in a function that CUDA calls, which must not make any call of CUDA");
    h.with_runtime(|h| {
        let help = "let the function tell a thread of the host, which makes the call";
        let fault = h.fault(Kind::ApiError, message).with_help(help);
        h.memory_fault(CudaError::NOT_PERMITTED, fault)
    })
}

/// What a function of the API does with the part of the machine that it sees.
type Handler<M> = fn(&mut Host<'_, M>, &Args<'_>) -> Api;

/// A call of the runtime or of the driver: what all functions have in common.
pub(crate) fn call<M: HasRuntime>(
    m: &mut M,
    a: &Args<'_>,
    called: Called,
    f: Handler<M>,
) -> Result<Ret, Stop> {
    let error = match begin(&mut m.runtime(), a, called) {
        Ok(begun) => {
            let result = begun.and_then(|()| f(&mut Host::new(m, a, called.name), a));
            end(&mut m.runtime(), a, called, result)?
        }
        Err(broken) => broken,
    };
    m.runtime().cuda.get_mut().log.note(called.name, error.0);
    Ok(error.0.into())
}

/// Whether the driver is up and a context current, where a call needs that; a call of the runtime sees to both.
fn ready(m: &mut HostRuntime<'_>, called: Called) -> Api {
    let contexts = &mut m.cuda.get_mut().contexts;
    if called.interface == Interface::Runtime {
        if called.context.is_needed() {
            contexts.of_runtime();
        }
        return Ok(());
    }
    if called.context != Context::Always && !contexts.initialized {
        return Err(CudaError::NOT_INITIALIZED.into());
    }
    if called.context.is_needed() && !contexts.any() {
        return Err(CudaError::CONTEXT_INVALID.into());
    }
    Ok(())
}

/// What is looked at before the function: whether it may be called now, or the error of a context that is broken.
fn begin(m: &mut HostRuntime<'_>, a: &Args<'_>, called: Called) -> Result<Api, CudaError> {
    m.cuda.get_mut().host_time += CALL_COST;
    m.cuda.get_mut().errors.refused = None;
    if called.context.can_break()
        && let Some(error) = m.cuda.get().errors.sticky
    {
        assume_copied(m, a, called.name);
        if called.interface == Interface::Runtime {
            m.cuda.get_mut().errors.last = error;
        }
        return Err(error);
    }
    let ready = ready(m, called);
    let called_back = m.cuda.get().called_back == Some(m.thread);
    let h = &mut Host::new(m, a, called.name);
    if called_back && !called.is_harmless() {
        return Ok(Err(refuse_called_back(h, &format!("`{}`", called.name))));
    }
    let allowed = if called.context == Context::Uncaptured { graph::refuse_unsafe(h) } else { Ok(()) };
    Ok(ready.and(allowed))
}

/// The error code for what a function gave, which is remembered.
fn end(m: &mut HostRuntime<'_>, a: &Args<'_>, called: Called, result: Api) -> Result<CudaError, Stop> {
    let result = graph::answer(m, result, a.place);
    let (error, reported) = match result {
        Ok(()) => return Ok(CudaError::SUCCESS),
        Err(Fail::Stop(stop)) => return Err(stop),
        Err(Fail::Code(error)) => (error, false),
        Err(Fail::Reported(error)) => (error, true),
    };
    if error == CudaError::NOT_READY {
        // An answer, not an error.
        return Ok(error);
    }
    let broken = m.cuda.get().errors.sticky == Some(error);
    if broken {
        assume_copied(m, a, called.name);
    }
    let error = match called.interface {
        Interface::Driver => error.of_driver(),
        Interface::Runtime => {
            m.cuda.get_mut().errors.last = error;
            error
        }
    };
    if !reported && !broken {
        remember(m, error, (called.name, called.interface), a.place);
    }
    Ok(error)
}

/// After a launch that failed, copies to the host fail too, and a program that does not look prints what it
/// never got. The launch's fault is the finding; the bytes that were to be copied count as written.
fn assume_copied(m: &mut HostRuntime<'_>, a: &Args<'_>, name: &'static str) {
    if matches!(
        name,
        "cudaMemcpy"
            | "cudaMemcpyAsync"
            | "cudaMemcpyFromSymbol"
            | "cudaMemcpyFromSymbolAsync"
            | "cuMemcpyDtoH"
            | "cuMemcpyDtoHAsync"
            | "cuMemcpy"
            | "cuMemcpyAsync"
    ) {
        let cx = &mut LaneCx::host(m.findings);
        // Where the destination is no memory of the host there is nothing to assume.
        let _ = m.mem.assume(cx, ByteAccess::host(name, a.loc), a.ptr(0), a.u64(2));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashSet;

    #[test]
    fn each_function_has_one_row() {
        let mut seen = FxHashSet::default();
        for function in all() {
            assert!(seen.insert(function.name), "{}", function.name);
            let driver = !function.name.starts_with("cuda");
            assert_eq!(function.interface == Interface::Driver, driver, "{}", function.name);
        }
        assert!(
            lookup("cudaMalloc").is_some() && lookup("cuMemAlloc").is_some() && lookup("malloc").is_none()
        );
    }
}
