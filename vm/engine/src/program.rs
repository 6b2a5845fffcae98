//! A run from its start to its end: statics, constructors, `main`, exit functions.

use crate::cache::HostTarget;
use crate::host;
use crate::machine::Machine;
use crate::parts::HostProcess;
use cudair_ir::*;
use cudair_lane::fault::{AllocKind, Place, Stop};
use cudair_lane::ptr::Ptr;
use cudair_memory::{AllocInfo, ByteAccess, InitState, LaneCx, Reach};
use std::sync::Arc;

/// Runs the program and gives its status.
pub fn run_program(m: &mut Machine, args: &[String]) -> Result<i32, Stop> {
    let result = start(m, args).and_then(|code| m.no_launch_is_open().map(|()| code));
    let result = match result {
        // The functions registered for the exit run after `main` returned and after `exit`.
        Ok(code) | Err(Stop::Exit(code)) => m.host.exit(m, code),
        Err(stop) => {
            m.host.leave(m);
            Err(stop)
        }
    };
    m.engine.worker.ub.flush(&mut m.findings);
    m.note_perf();
    result
}

fn start(m: &mut Machine, args: &[String]) -> Result<i32, Stop> {
    let module = m.module.clone();
    let Some(main) = module.func_by_name("main").filter(|&f| !module.funcs[f].is_declaration()) else {
        return Err(Stop::unsupported("a program without `main`"));
    };
    make_globals(m)?;
    for &ctor in &module.ctors {
        call(m, ctor, &[])?;
    }
    let values = main_args(m, &module.funcs[main].sig, args)?;
    let bits = call(m, main, &values)?;
    Ok(if module.funcs[main].sig.ret.is_some() { bits as i32 } else { 0 })
}

fn call(m: &mut Machine, func: FuncId, args: &[u128]) -> Result<u128, Stop> {
    match m.resolve_host(func)? {
        HostTarget::Code(code) => host::run(m, code, args),
        _ => Err(Stop::internal("a constructor or `main` without a body")),
    }
}

/// Makes an object of the machine's own with these bytes.
fn runtime_object(m: &mut Machine, bytes: &[u8], align: u64) -> Result<Ptr, Stop> {
    let info = AllocInfo { kind: AllocKind::Runtime, name: None, place: Place::Unknown };
    let p = m.mem.alloc(Space::Host, bytes.len() as u64, align, InitState::Zero, info)?;
    let who = ByteAccess::host("main", None);
    m.mem.write(&mut LaneCx::host(&mut m.findings), who, p, bytes)?;
    Ok(p)
}

/// `argc`, `argv`, `envp`, as many as `main` takes.
fn main_args(m: &mut Machine, sig: &Signature, args: &[String]) -> Result<Vec<u128>, Stop> {
    if sig.params.is_empty() {
        return Ok(Vec::new());
    }
    let name = m.config.program_name.clone();
    let mut pointers = Vec::new();
    for arg in std::iter::once(&name).chain(args) {
        let mut bytes = arg.clone().into_bytes();
        bytes.push(0);
        pointers.extend(runtime_object(m, &bytes, 1)?.0.to_le_bytes());
    }
    let argc = pointers.len() / 8;
    pointers.extend([0; 8]);
    let argv = runtime_object(m, &pointers, 8)?;
    let envp = runtime_object(m, &[0; 8], 8)?;
    Ok([argc as u128, argv.0.into(), envp.0.into()].into_iter().take(sig.params.len()).collect())
}

/// Makes the variables of static storage and fills them.
/// What the program's image has in a variable; none where it has zeros, or nothing.
fn image(m: &Machine, id: GlobalId) -> Result<Option<Vec<u8>>, Stop> {
    let global = &m.module.globals[id];
    let GlobalInit::Data { bytes, relocs } = &global.init else { return Ok(None) };
    let mut bytes = bytes.clone();
    for r in relocs {
        let target = match r.target {
            RelocTarget::Global(g) => m.globals[g],
            RelocTarget::Func(f) => Ptr::code(f.as_u32()),
        };
        let at = r.offset as usize;
        match bytes.get_mut(at..at + 8) {
            Some(word) => word.copy_from_slice(&target.add(r.addend).0.to_le_bytes()),
            None => return Err(Stop::internal(format!("an address outside `{}`", global.display_name))),
        }
    }
    Ok(Some(bytes))
}

/// Makes another variable like one of the host's, as the program's image has it.
pub(crate) fn instance_of(m: &mut Machine, id: GlobalId) -> Result<Ptr, Stop> {
    let module = m.module.clone();
    let global = &module.globals[id];
    let info = AllocInfo {
        kind: AllocKind::Static,
        name: (!global.display_name.is_empty()).then(|| global.display_name.as_str().into()),
        place: global.loc.expand().into(),
    };
    let at = m.mem.alloc(Space::Host, global.size, 1 << global.align_log2.min(63), InitState::Zero, info)?;
    if let Some(bytes) = image(m, id)? {
        m.mem.write(&mut LaneCx::host(&mut m.findings), ByteAccess::host("main", None), at, &bytes)?;
    }
    Ok(at)
}

/// Zeros that are written at a time.
const ZEROS: u64 = 1 << 16;

/// Puts bytes into a variable of the device through the host's memory, as a program's image is loaded.
fn load(m: &mut Machine, at: Ptr, bytes: &[u8]) -> Result<(), Stop> {
    let image = runtime_object(m, bytes, 1)?;
    let cx = &mut LaneCx::host(&mut m.findings);
    let who = ByteAccess::host("main", None);
    m.mem.copy_between(cx, who, (at, Reach::Device), (image, Reach::Own), bytes.len() as u64)?;
    m.mem.drop_object(image);
    Ok(())
}

/// The device's variables get what the program's image has in them, as when it was loaded.
pub(crate) fn reload_device(m: &mut Machine) -> Result<(), Stop> {
    let module = m.module.clone();
    for (id, global) in &module.globals {
        let of_device = matches!(global.space, Space::Global | Space::Const | Space::Managed);
        if !of_device || matches!(global.init, GlobalInit::Extern | GlobalInit::Uninit) {
            continue;
        }
        let at = m.globals[id];
        if let Some(bytes) = image(m, id)? {
            load(m, at, &bytes)?;
            continue;
        }
        let mut from = 0;
        while from < global.size {
            let zeros = vec![0; (global.size - from).min(ZEROS) as usize];
            load(m, at.add(from as i64), &zeros)?;
            from += zeros.len() as u64;
        }
    }
    Ok(())
}

fn make_globals(m: &mut Machine) -> Result<(), Stop> {
    let module = m.module.clone();
    for (id, global) in &module.globals {
        if global.space == Space::Shared {
            continue;
        }
        if global.init == GlobalInit::Extern {
            // What the host library defines has an address there; the rest is found when it is used.
            if let Some(p) = m.host.variable(&mut HostProcess::of(m), &global.name)? {
                Arc::make_mut(&mut m.globals)[id] = p;
            }
            continue;
        }
        let literal = global.name.starts_with(".str") || global.display_name.is_empty();
        let info = AllocInfo {
            kind: if literal { AllocKind::Literal } else { AllocKind::Static },
            name: (!global.display_name.is_empty()).then(|| global.display_name.as_str().into()),
            place: global.loc.expand().into(),
        };
        let init = if global.init == GlobalInit::Uninit { InitState::Uninit } else { InitState::Zero };
        let ptr = m.mem.alloc(global.space, global.size, 1 << global.align_log2.min(63), init, info)?;
        Arc::make_mut(&mut m.globals)[id] = ptr;
    }
    for (id, global) in &module.globals {
        let Some(bytes) = image(m, id)? else { continue };
        let at = m.globals[id];
        if global.space == Space::Host {
            let who = ByteAccess::host("main", None);
            m.mem.write(&mut LaneCx::host(&mut m.findings), who, at, &bytes)?;
        } else {
            load(m, at, &bytes)?;
        }
    }
    for (id, global) in &module.globals {
        if global.constant && global.space == Space::Host && global.init != GlobalInit::Extern {
            m.mem.set_read_only(m.globals[id]);
        }
    }
    Ok(())
}
