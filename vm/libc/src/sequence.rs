//! What the frontend's calls tell of modifications that nothing orders: noted where they run.

use cudair_engine::guest::{Guest, Host, Lane};
use cudair_engine::{Args, DeviceFn, HostFn, Ret};
use cudair_ir::{Kind, Module, Unsequenced};
use cudair_lane::fault::{Fault, FaultKind};

/// The host's function, if the name is of that kind.
pub(crate) fn lookup(name: &str) -> Option<HostFn> {
    Unsequenced::of_func(name)?;
    Some(HostFn::Process(|m, a| {
        if let Some(fault) = fault(m.module, a) {
            Host::new(m, a, "").note(fault);
        }
        Ok(Ret::Void)
    }))
}

/// The device's.
pub(crate) fn lookup_device(name: &str) -> Option<DeviceFn> {
    Unsequenced::of_func(name)?;
    Some(|c, a| {
        if let Some(fault) = fault(&c.program.module, a) {
            let fault = fault.by_thread(c.thread(), c.shape.launch);
            Lane::new(c, a, "").note(fault);
        }
        Ok(Ret::Void)
    })
}

fn fault(module: &Module, a: &Args<'_>) -> Option<Fault> {
    let (how, variable) = Unsequenced::of_func(&module.funcs[a.func].name)?;
    let kind = FaultKind::Other {
        kind: Kind::UndefinedBehavior,
        severity: how.severity(),
        message: how.message(variable),
        label: how.label().to_owned(),
        related: Vec::new(),
        notes: Vec::new(),
        help: Some(how.help().to_owned()),
    };
    Some(Fault::new(kind, a.place))
}
