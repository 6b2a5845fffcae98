//! Launches before they are queued: what a device refuses, by whomever it is asked, and what is taken from the
//! caller.

use super::cluster::ClusterAttributes;
use super::effects::Change;
use super::{CudaError, cluster};
use crate::Kept;
use cudair_engine::parts::{HasRuntime, HostRuntime};
use cudair_engine::{GridLaunch, LaunchRequest, Machine};
use cudair_ir::{
    Concern, FuncId, InstData, Kind, Loc, Module, NAMED_BARRIERS, ParamAttr, Side, Space, ThreadCoord,
    concerns, reachable, version, volume,
};
use cudair_lane::fault::{AllocKind, Fault, LaunchRef, NeverRan, Place};
use cudair_lane::ptr::Ptr;
use cudair_memory::AllocInfo;
use rustc_hash::FxHashMap;

/// What the program set of kernels, and what was found out of them.
#[derive(Debug, Default)]
pub(super) struct Kernels {
    /// Dynamic shared memory that a kernel was allowed beyond the usual.
    pub(super) dynamic_limits: FxHashMap<FuncId, u64>,
    /// Per cent of shared memory that a kernel prefers.
    pub(super) carveouts: FxHashMap<FuncId, u64>,
    /// What the program set of kernels' clusters.
    pub(super) cluster_attributes: FxHashMap<FuncId, ClusterAttributes>,
    /// Bytes of static shared memory.
    pub(super) static_shared: FxHashMap<FuncId, u64>,
    /// Whether the device has what a kernel uses.
    pub(super) capable: FxHashMap<FuncId, bool>,
}

impl Kernels {
    /// What was set is gone with the context.
    pub(super) fn reset(&mut self) {
        self.dynamic_limits.clear();
        self.carveouts.clear();
        self.cluster_attributes.clear();
    }
}

/// Why a launch is refused: the error, the message, a further fact.
pub(super) type Refusal = (CudaError, String, Option<String>);

/// The device thread that launches, and the launch that it is of.
pub(super) type Parent = (ThreadCoord, Option<LaunchRef>);

/// Whether the device takes a launch, by the host or by a thread of the device.
///
/// # Errors
/// What the launch returns; it is reported.
pub(super) fn admit(m: &mut Machine, r: &LaunchRequest, by: Option<Parent>) -> Result<(), CudaError> {
    let called = &m.module.funcs[r.kernel];
    // Through a pointer any function may be launched.
    if called.side != Side::Kernel {
        let message = format!("`{}` is launched, which is no kernel", called.display_name);
        let help = "launch a function that is declared with `__global__`".to_owned();
        return Err(refuse(m, r, (CudaError::INVALID_DEVICE_FUNCTION, message, None), help, by));
    }
    match refusal(m, r) {
        Some(refused) => {
            if by.is_none() {
                let message = refused.1.as_str().into();
                m.never_runs(NeverRan { kernel: r.kernel, place: r.place, message }, &r.args);
            }
            let help = suggest_fix(&m.runtime(), r);
            Err(refuse(m, r, refused, help, by))
        }
        None if capable(m, r, by) => Ok(()),
        None => Err(CudaError::NO_KERNEL_IMAGE),
    }
}

/// Reports a launch that is refused and how to mend it, and gives what it returns.
pub(super) fn refuse(
    m: &mut Machine,
    r: &LaunchRequest,
    (error, message, note): Refusal,
    help: String,
    by: Option<Parent>,
) -> CudaError {
    let mut fault = Fault::other(Kind::InvalidLaunch, r.place, message, "launched here").with_help(help);
    if let Some(note) = note {
        fault = fault.with_note(note);
    }
    m.findings.note(issued(fault, by));
    error
}

/// A fault of a launch, by its thread where the device launches.
fn issued(fault: Fault, by: Option<Parent>) -> Fault {
    match by {
        Some((thread, launch)) => fault.by_thread(thread, launch),
        None => fault,
    }
}

/// The launch that is queued next, with its arguments, and the host's calls that led there.
pub(super) fn numbered(m: &mut Machine, r: &LaunchRequest, args: Vec<u128>, calls: Box<[Loc]>) -> GridLaunch {
    let number = m.cuda.get().launches;
    m.cuda.get_mut().launches += 1;
    // It has been admitted.
    let (cluster, explicit_cluster) =
        cluster::shape(&m.runtime(), r.kernel, r.grid, r.cluster).unwrap_or(([1; 3], false));
    GridLaunch {
        kernel: r.kernel,
        grid: r.grid,
        block: r.block,
        cluster,
        explicit_cluster,
        dynamic_shared: r.dynamic_shared,
        args,
        environment: None,
        number,
        loc: r.loc,
        calls,
    }
}

/// The kernel's arguments as they are at the launch, and the objects made for them: `copy` gives a copy of an
/// aggregate, made as told, of so many bytes, aligned so, from there.
///
/// # Errors
/// Those of `copy`.
pub(super) fn by_value<E>(
    module: &Module,
    r: &LaunchRequest,
    mut copy: impl FnMut(AllocInfo, u64, u64, Ptr) -> Result<Ptr, E>,
) -> Result<(Vec<u128>, Vec<Ptr>), E> {
    let mut objects = Vec::new();
    let mut args = Vec::with_capacity(r.args.len());
    for (i, &bits) in r.args.iter().enumerate() {
        let attr = module.funcs[r.kernel].sig.params.get(i).map(|p| p.attr);
        let Some(ParamAttr::ByVal { size, align_log2 }) = attr else {
            args.push(bits);
            continue;
        };
        let info = AllocInfo { kind: AllocKind::Parameter, name: Some("argument".into()), place: r.place };
        let object = copy(info, size.into(), 1 << align_log2.min(12), Ptr(bits as u64))?;
        objects.push(object);
        args.push(object.0.into());
    }
    Ok((args, objects))
}

/// Whether the device can run the kernel's code. What it lacks, and what newer ones lack, is reported once.
fn capable(m: &mut Machine, r: &LaunchRequest, by: Option<Parent>) -> bool {
    if let Some(&known) = m.cuda.get().kernels.capable.get(&r.kernel) {
        return known;
    }
    let (lacking, old) = generations(m, r);
    let good = lacking.is_none();
    if let Some(fault) = lacking {
        m.findings.note(issued(fault, by));
    }
    for fault in old {
        m.findings.note(fault);
    }
    m.cuda.get_mut().kernels.capable.insert(r.kernel, good);
    if by.is_some() {
        m.cuda.get_mut().note(Change::Capable(r.kernel));
    }
    good
}

/// What keeps a kernel from running: that it is compiled for a newer device, or the first thing that its
/// architecture does not have. And its warp functions without a mask.
fn generations(m: &Machine, r: &LaunchRequest) -> (Option<Fault>, Vec<Fault>) {
    let (device, code) = (&m.config.device, m.config.compiled_for);
    let name = &m.module.funcs[r.kernel].display_name;
    let launched = |message: String| Fault::other(Kind::InvalidLaunch, r.place, message, "launched here");
    let mut lacking = (code > device.capability()).then(|| {
        let (code, has) = (version(code), version(device.capability()));
        let card = &device.name;
        launched(format!(
            "the launch of `{name}` on {card}: the code is for compute capability {code}, the device has {has}"
        ))
        .with_help("compile for the device too: `-gencode arch=…`")
    });
    let mut old = Vec::new();
    for func in reachable(&m.module, r.kernel).into_iter().map(|f| &m.module.funcs[f]) {
        for (loc, concern) in concerns(&m.module, func, code) {
            let place = Place::from(loc);
            match concern {
                Concern::Lacking(used) => {
                    lacking.get_or_insert_with(|| {
                        let (what, since) = (used.name, used.since);
                        launched(format!(
                            "the launch of `{name}`, which uses {what}: this needs compute capability {} \
                             or higher, and the code is for {}",
                            version(since),
                            version(code)
                        ))
                        .with_related(place, "used here")
                        .with_help(format!(
                            "guard it with `#if __CUDA_ARCH__ >= {since}0`, or ask for a newer device"
                        ))
                    });
                }
                Concern::ImpliedMask => {
                    let (message, label, help) = cudair_ir::implied_mask(code);
                    old.push(Fault::other(Kind::SyncMask, place, message, label).with_help(help).warning());
                }
            }
        }
    }
    (lacking, old)
}

/// Why a device refuses a launch, if it does: the error, the message, a further fact.
fn refusal(m: &mut Machine, r: &LaunchRequest) -> Option<Refusal> {
    let device = m.config.device.clone();
    let module = m.module.clone();
    let kernel = &module.funcs[r.kernel];
    let name = &kernel.display_name;
    let config = |what: String| Some((CudaError::INVALID_CONFIGURATION, what, None));
    for (dims, limits, what) in
        [(r.grid, device.block.max_grid_size, "grid"), (r.block, device.block.max_threads_dim, "block")]
    {
        let [x, y, z] = dims;
        for (i, axis) in ["x", "y", "z"].into_iter().enumerate() {
            if dims[i] == 0 {
                return config(format!(
                    "the launch of `{name}` with a {what} of {x} x {y} x {z}: {axis} is 0"
                ));
            }
            if u64::from(dims[i]) > limits[i] as u64 {
                let limit = limits[i];
                return config(format!(
                    "the launch of `{name}` with a {what} of {x} x {y} x {z}: {axis} is more than {limit}"
                ));
            }
        }
    }
    let threads = volume(r.block);
    if threads > device.block.max_threads_per_block as u64 {
        let limit = device.block.max_threads_per_block;
        return config(format!(
            "the launch of `{name}` with {threads} threads in a block: the device takes at most {limit}"
        ));
    }
    let bound = u64::from(kernel.attrs.launch_bounds[0]);
    if bound != 0 && threads > bound {
        return Some((
            CudaError::INVALID_VALUE,
            format!(
                "the launch of `{name}` with {threads} threads in a block: its `__launch_bounds__` say {bound}"
            ),
            None,
        ));
    }
    let fixed = static_shared(&mut m.runtime(), r.kernel);
    let limit = shared_limit(&m.runtime(), r.kernel, fixed);
    if fixed.saturating_add(r.dynamic_shared) > limit {
        let dynamic = r.dynamic_shared;
        return Some((
            CudaError::INVALID_VALUE,
            format!("the launch of `{name}` with {dynamic} bytes of dynamic shared memory"),
            Some(format!(
                "together with {fixed} bytes of shared variables this is more than the {limit} bytes that \
                 a block may have"
            )),
        ));
    }
    cluster::shape(&m.runtime(), r.kernel, r.grid, r.cluster).err()
}

/// How to mend a launch that is refused.
fn suggest_fix(m: &HostRuntime<'_>, r: &LaunchRequest) -> String {
    let device = &m.config.device;
    let threads = volume(r.block);
    if let Err((error, ..)) = cluster::shape(m, r.kernel, r.grid, r.cluster) {
        if error == CudaError::NOT_SUPPORTED {
            return "look at `cudaDeviceProp::clusterLaunch` first, and launch without clusters if it is 0"
                .to_owned();
        }
        return "choose a cluster size that divides the grid, has at most eight blocks and agrees with the \
                kernel"
            .to_owned();
    }
    let [_, y, z] = r.grid.map(u64::from);
    let [_, most_y, most_z] = device.block.max_grid_size.map(|n| n as u64);
    if r.grid.contains(&0) || r.block.contains(&0) {
        "give each dimension at least 1, and do not launch when there is nothing to do".to_owned()
    } else if y > most_y || z > most_z {
        "put the largest dimension of the grid into x".to_owned()
    } else if threads > device.block.max_threads_per_block as u64 {
        "use smaller blocks and more of them".to_owned()
    } else if r.dynamic_shared > 0 {
        let most = device.block.shared_mem_per_block_optin;
        format!(
            "use less, or ask for more with `cudaFuncSetAttribute(…, cudaFuncAttributeMaxDynamicSharedMemorySize, …)`: \
             this device gives up to {most} bytes"
        )
    } else {
        "choose a shape that the device takes".to_owned()
    }
}

/// Bytes of shared memory that a block of a kernel may have.
pub(super) fn shared_limit(m: &HostRuntime<'_>, kernel: FuncId, fixed: u64) -> u64 {
    match m.cuda.get().kernels.dynamic_limits.get(&kernel) {
        Some(&dynamic) => (dynamic + fixed).max(m.config.device.block.shared_mem_per_block),
        None => m.config.device.block.shared_mem_per_block,
    }
}

/// Bytes of the shared variables that a kernel and the functions it calls use.
pub(super) fn static_shared(m: &mut HostRuntime<'_>, kernel: FuncId) -> u64 {
    if let Some(&bytes) = m.cuda.get().kernels.static_shared.get(&kernel) {
        return bytes;
    }
    let bytes = shared_variables(m.module, kernel);
    m.cuda.get_mut().kernels.static_shared.insert(kernel, bytes);
    bytes
}

fn shared_variables(module: &Module, kernel: FuncId) -> u64 {
    let mut globals = std::collections::BTreeSet::new();
    for func in reachable(module, kernel).into_iter().map(|f| &module.funcs[f]) {
        for &inst in func.layout.iter().flat_map(|&b| func.block_insts(b)) {
            if let InstData::GlobalAddr { global } = func.insts[inst] {
                let g = &module.globals[global];
                if g.space == Space::Shared && !g.dynamic && g.name != NAMED_BARRIERS {
                    globals.insert(global);
                }
            }
        }
    }
    globals.into_iter().fold(0u64, |end, g| {
        let g = &module.globals[g];
        let start = end.checked_next_multiple_of(1 << g.align_log2.min(16)).unwrap_or(u64::MAX);
        start.saturating_add(g.size)
    })
}
