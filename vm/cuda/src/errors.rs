//! The errors that calls gave: the last one, one that broke the context, and those that the program has not looked at.

use crate::api::Interface;
use crate::{CudaError, Kept, text};
use cudair_engine::parts::HostRuntime;
use cudair_engine::{Args, Ret};
use cudair_ir::{Inst, InstData, Kind, Loc, Side};
use cudair_lane::fault::{Fault, Place, Stop};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// An error that was returned and not looked at so far.
#[derive(Clone, Debug)]
struct Unchecked {
    error: CudaError,
    function: &'static str,
    interface: Interface,
    place: Place,
    /// The host's calls that led there, the innermost first.
    calls: Box<[Loc]>,
    /// The bytes for which there was no room.
    wanted: Option<Refused>,
}

/// Bytes for which there was no room.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refused {
    pub(crate) wanted: u64,
    /// What was free.
    pub(crate) free: u64,
}

/// Errors of the host's calls.
#[derive(Debug, Default)]
pub(crate) struct Errors {
    /// What `cudaGetLastError` gives.
    pub(crate) last: CudaError,
    /// An error that broke the context: every call gives it from then on.
    pub(crate) sticky: Option<CudaError>,
    /// The bytes for which a call found no room in the device's memory, while it is answered.
    pub(crate) refused: Option<Refused>,
    unchecked: Vec<Unchecked>,
    /// Whether the program uses the result of the call at a place, where that was asked.
    used_results: FxHashMap<Place, bool>,
}

impl Errors {
    /// What `cudaGetLastError` and `cudaPeekAtLastError` give; the program has then looked at what the runtime's calls
    /// gave, and where `clear` is set it is gone. An error that broke the context stays until the device is reset.
    fn look(&mut self, clear: bool) -> CudaError {
        if let Some(error) = self.sticky
            && error != CudaError::DEVICES_UNAVAILABLE
        {
            return error;
        }
        self.unchecked.retain(|u| u.interface == Interface::Driver);
        if clear { std::mem::take(&mut self.last) } else { self.last }
    }

    /// The device is reset, which does not mend a context that is broken: no other can be made. Whether it is broken.
    pub(crate) fn reset(&mut self) -> bool {
        let Some(error) = self.sticky else { return false };
        if error != CudaError::DEVICES_UNAVAILABLE {
            self.last = error;
            self.sticky = Some(CudaError::DEVICES_UNAVAILABLE);
        }
        true
    }

    /// A finding for each error that the program has not looked at.
    pub(crate) fn take_unchecked(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.unchecked).into_iter().map(Unchecked::finding).collect()
    }
}

impl Unchecked {
    fn finding(self) -> Fault {
        let Unchecked { error, function, interface, place, calls, wanted } = self;
        let (name, help) = match interface {
            Interface::Driver => (error.driver_name().unwrap_or_else(|| error.name()), "test the result"),
            Interface::Runtime => (error.name(), "test the result, or ask `cudaGetLastError`"),
        };
        let message =
            format!("`{function}` returns {name} ({}), which the program never looks at", error.text());
        let mut fault =
            Fault::other(Kind::ApiError, place, message, "this returns the error, which is dropped here")
                .with_help(help);
        fault.calls = calls;
        if let Some(why) = error.usual_reason() {
            fault = fault.with_note(format!("as a rule {why}"));
        }
        match wanted {
            // The program goes on with a pointer that points nowhere.
            Some(Refused { wanted, free }) => {
                fault.with_note(format!("it asks for {wanted} bytes of device memory; {free} bytes are free"))
            }
            None => fault.warning(),
        }
    }
}

/// Remembers an error that a call gave and that the program may not look at.
pub(crate) fn remember(
    m: &mut HostRuntime<'_>,
    error: CudaError,
    (function, interface): (&'static str, Interface),
    place: Place,
) {
    if m.cuda.get().errors.unchecked.iter().any(|u| u.place == place) || result_is_used(m, place) {
        return;
    }
    let calls = m.host_calls().into();
    let errors = &mut m.cuda.get_mut().errors;
    let wanted = errors.refused.take().filter(|_| error == CudaError::MEMORY_ALLOCATION);
    errors.unchecked.push(Unchecked { error, function, interface, place, calls, wanted });
}

/// Whether the program does anything with the result of the call at a place. Where that cannot be said,
/// it does.
fn result_is_used(m: &mut HostRuntime<'_>, place: Place) -> bool {
    if let Some(&used) = m.cuda.get().errors.used_results.get(&place) {
        return used;
    }
    let mut calls = 0;
    let mut used = false;
    for func in m.module.funcs.values().filter(|f| f.side == Side::Host) {
        let insts = || func.layout.iter().flat_map(|&b| func.block_insts(b)).copied();
        let found: SmallVec<[Inst; 2]> = insts()
            .filter(|&i| match place {
                Place::Site(site) => {
                    m.module.funcs[site.func].name == func.name
                        && func.insts[i].sites().contains(&Some(site.site))
                }
                Place::Loc(loc) => {
                    // Of a wrapper in our own headers the place of its call is known.
                    let visible = |loc| m.module.source.visible(loc);
                    func.locs[i].expand().is_some_and(|l| l == loc || visible(l) == visible(loc))
                        && matches!(
                            func.insts[i],
                            InstData::Call { .. }
                                | InstData::CallIndirect { .. }
                                | InstData::Invoke { .. }
                                | InstData::Launch { .. }
                                | InstData::LaunchIndirect { .. }
                        )
                }
                Place::Unknown => false,
            })
            .collect();
        calls += found.len();
        for call in found {
            let results = func.inst_results(call);
            // The result of an `invoke` is a parameter of a block: taken as used.
            used |= results.is_empty()
                || insts().any(|i| {
                    let mut uses = false;
                    func.for_each_arg(i, |v| uses |= results.contains(&v));
                    uses
                });
        }
    }
    let used = used || calls == 0;
    m.cuda.get_mut().errors.used_results.insert(place, used);
    used
}

/// `cudaGetLastError` and `cudaPeekAtLastError`.
pub(crate) fn last_error(m: &mut HostRuntime<'_>, name: &'static str, clear: bool) -> Ret {
    let cuda = m.cuda.get_mut();
    let error = cuda.errors.look(clear);
    cuda.log.note(name, error.0);
    error.0.into()
}

/// `cudaGetErrorName` and `cudaGetErrorString`.
pub(crate) fn text_of(
    m: &mut HostRuntime<'_>,
    a: &Args<'_>,
    name: &'static str,
    f: fn(CudaError) -> &'static str,
) -> Result<Ret, Stop> {
    m.cuda.get_mut().log.note(name, 0);
    Ok(text(m, f(CudaError(a.i32(0))))?.into())
}
