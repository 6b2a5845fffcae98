//! Clusters of blocks: what kernels and launches ask for, what a device takes, and how many find room.

use super::admission::{Refusal, shared_limit, static_shared};
use super::launch::{loaded, max_threads, resident};
use super::queue::Work;
use super::{Api, CudaError, Fail};
use crate::call::Call;
use crate::constants::*;
use crate::layout::{Fields, Structure, cudaLaunchAttributeValue, cudaLaunchConfig_t, dim3};
use crate::{Kept, RuntimeCall};
use cudair_engine::parts::HostRuntime;
use cudair_engine::{Args, ClusterRequest, GridLaunch};
use cudair_ir::FuncId;
use cudair_lane::ptr::Ptr;

/// Blocks of a cluster that every device with clusters takes.
const PORTABLE: u64 = 8;
/// Blocks of a cluster where a kernel asks for what not every device takes.
const MOST: u64 = 16;
/// Blocks of clusters that a multiprocessor holds at most.
const HELD: u64 = 8;
/// How many multiprocessors stand together in an H100, which clusters do not leave. Which ones of the 144 of the chip a card
/// has differs from one card to the next.
const GROUPS_OF_H100: [u64; 12] = [18, 18, 16, 16, 16, 16, 16, 8, 2, 2, 2, 2];
/// From this compute capability times ten on blocks may form larger clusters than the launch says.
const PREFERS: u32 = 100;

/// What a program has set for a kernel.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ClusterAttributes {
    /// Blocks of a cluster in x, y, z; 0 where nothing is required.
    required: [u32; 3],
    non_portable: bool,
    policy: u32,
}

fn volume(dims: [u32; 3]) -> u64 {
    dims.iter().fold(1, |n, &d| n.saturating_mul(d.into()))
}

fn shown([x, y, z]: [u32; 3]) -> String {
    format!("{x} x {y} x {z}")
}

/// What a kernel requires, at compile time or since.
fn required(m: &HostRuntime<'_>, func: FuncId) -> [u32; 3] {
    match m.module.funcs[func].attrs.cluster_dims {
        [0, 0, 0] => m.cuda.get().kernels.cluster_attributes.get(&func).map_or([0; 3], |a| a.required),
        dims => dims,
    }
}

/// The most blocks that a cluster of a kernel may have.
fn most(m: &HostRuntime<'_>, func: FuncId) -> u64 {
    let non_portable = m.cuda.get().kernels.cluster_attributes.get(&func).is_some_and(|a| a.non_portable);
    let limit = if non_portable { MOST } else { PORTABLE };
    match m.module.funcs[func].attrs.max_cluster {
        0 => limit,
        n => limit.min(n.into()),
    }
}

/// The blocks of a launch's clusters, and whether anybody asks for clusters.
///
/// # Errors
/// Why the device refuses them.
pub(super) fn shape(
    m: &HostRuntime<'_>,
    func: FuncId,
    grid: [u32; 3],
    asked: ClusterRequest,
) -> Result<([u32; 3], bool), Refusal> {
    let name = &m.module.funcs[func].display_name;
    let needed = required(m, func);
    let refuse = |what: String, note: Option<String>| {
        Err((CudaError::INVALID_CLUSTER_SIZE, format!("the launch of `{name}` {what}"), note))
    };
    let dims = match (asked.dims, needed) {
        (None, [0, 0, 0]) => match asked.preferred {
            Some(preferred) => {
                let what = format!("with preferred clusters of {} blocks, and no clusters", shown(preferred));
                return refuse(what, None);
            }
            None => return Ok(([1; 3], false)),
        },
        (Some(dims), needed) if needed != [0; 3] && dims != needed => {
            return refuse(
                format!("with clusters of {} blocks: the kernel requires {}", shown(dims), shown(needed)),
                None,
            );
        }
        (dims, needed) => dims.unwrap_or(needed),
    };
    if dims.contains(&0) {
        return refuse(format!("with clusters of {} blocks", shown(dims)), None);
    }
    if volume(dims) > 1 && !m.config.device.block.cluster_launch {
        let card = &m.config.device.name;
        return Err((
            CudaError::NOT_SUPPORTED,
            format!("the launch of `{name}` with clusters of {} blocks on {card}", shown(dims)),
            Some("blocks form clusters from compute capability 9.0 on".to_owned()),
        ));
    }
    check_size(m, func, grid, dims, "clusters").map_err(|(what, note)| {
        (CudaError::INVALID_CLUSTER_SIZE, format!("the launch of `{name}` {what}"), note)
    })?;
    let Some(preferred) = asked.preferred.filter(|_| asked.dims.is_some()) else { return Ok((dims, true)) };
    let multiple = (0..3).all(|d| preferred[d] != 0 && preferred[d].is_multiple_of(dims[d]));
    if !multiple || preferred[2] != dims[2] {
        return refuse(
            format!(
                "with preferred clusters of {} blocks: this is not a multiple of clusters of {}",
                shown(preferred),
                shown(dims)
            ),
            None,
        );
    }
    check_size(m, func, grid, preferred, "preferred clusters").map_err(|(what, note)| {
        (CudaError::INVALID_CLUSTER_SIZE, format!("the launch of `{name}` {what}"), note)
    })?;
    let prefers = m.config.device.capability() >= PREFERS;
    Ok((if prefers { preferred } else { dims }, true))
}

/// Whether a kernel may have clusters of a size, and they fit the grid.
fn check_size(
    m: &HostRuntime<'_>,
    func: FuncId,
    grid: [u32; 3],
    dims: [u32; 3],
    what: &str,
) -> Result<(), (String, Option<String>)> {
    let (size, most) = (volume(dims), most(m, func));
    if size > most {
        let bound = m.module.funcs[func].attrs.max_cluster;
        let note = if u64::from(bound) == most {
            format!("its `__launch_bounds__` say at most {bound} blocks in a cluster")
        } else if most < MOST && size <= MOST {
            format!(
                "more than {PORTABLE} blocks are not portable: \
                 `cudaFuncSetAttribute(…, cudaFuncAttributeNonPortableClusterSizeAllowed, 1)` asks for them"
            )
        } else {
            format!("no device takes more than {MOST} blocks in a cluster")
        };
        return Err((format!("with {what} of {} blocks: that is more than {most}", shown(dims)), Some(note)));
    }
    if (0..3).any(|d| !grid[d].is_multiple_of(dims[d])) {
        let message =
            format!("with a grid of {} blocks: {what} of {} do not divide it", shown(grid), shown(dims));
        return Err((message, None));
    }
    Ok(())
}

/// The attributes of a launch that concern its clusters: number and place of its value.
///
/// # Errors
/// What the launch returns for a value that is none.
pub(super) fn attribute(
    h: &mut RuntimeCall<'_, '_>,
    asked: &mut ClusterRequest,
    number: u32,
    value: Ptr,
) -> Api {
    use cudaLaunchAttributeValue as Value;
    match number {
        cudaLaunchAttributeClusterDimension => asked.dims = Some(h.field(value, Value::clusterDim)?),
        cudaLaunchAttributePreferredClusterDimension => {
            asked.preferred = Some(h.field(value, Value::preferredClusterDim)?);
        }
        cudaLaunchAttributeClusterSchedulingPolicyPreference
            if !is_policy(h.field(value, Value::clusterSchedulingPolicyPreference)?) =>
        {
            return Err(CudaError::INVALID_VALUE.into());
        }
        _ => {}
    }
    Ok(())
}

/// Whether a number is a `cudaClusterSchedulingPolicy`.
pub(super) fn is_policy(number: u32) -> bool {
    (cudaClusterSchedulingPolicyDefault..=cudaClusterSchedulingPolicyLoadBalancing).contains(&number)
}

/// A launch that waits in a graph gets clusters of this shape.
///
/// # Errors
/// What the device says of them.
pub(super) fn reshape(m: &HostRuntime<'_>, launch: &mut GridLaunch, dims: [u32; 3]) -> Api {
    let asked = ClusterRequest { dims: Some(dims), preferred: None };
    match shape(m, launch.kernel, launch.grid, asked) {
        Ok(found) => (launch.cluster, launch.explicit_cluster) = found,
        Err((error, ..)) => return Err(error.into()),
    }
    Ok(())
}

/// A launch that takes another's place in a graph gets its clusters, unless it has some.
///
/// # Errors
/// What the device says of them.
pub(super) fn inherit(m: &HostRuntime<'_>, old: &Work, new: &mut Work) -> Api {
    if let (Work::Launch { launch: old, .. }, Work::Launch { launch: new, .. }) = (old, new)
        && old.explicit_cluster
        && !new.explicit_cluster
    {
        reshape(m, new, old.cluster)?;
    }
    Ok(())
}

/// `cudaFuncSetAttribute` for what concerns clusters; `None` for other attributes.
pub(super) fn set(h: &mut RuntimeCall<'_, '_>, func: FuncId, attribute: u32, value: i32) -> Option<Api> {
    use CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH as DEPTH;
    use CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH as WIDTH;
    let fixed = h.m.module.funcs[func].attrs.cluster_dims != [0; 3];
    let entry = h.m.cuda.get_mut().kernels.cluster_attributes.entry(func).or_default();
    match attribute {
        WIDTH..=DEPTH if fixed => return Some(Err(CudaError::NOT_PERMITTED.into())),
        WIDTH..=DEPTH if value >= 0 => entry.required[(attribute - WIDTH) as usize] = value as u32,
        CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED if (0..=1).contains(&value) => {
            entry.non_portable = value == 1;
        }
        CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE if is_policy(value as u32) => {
            entry.policy = value as u32;
        }
        _ => return None,
    }
    Some(Ok(()))
}

/// What a program is told of a kernel's clusters, as `cudaFuncAttributes` has it.
pub(super) struct Known {
    pub must_be_set: bool,
    pub required: [u32; 3],
    pub policy: u32,
    pub non_portable: bool,
}

/// What there is to tell of a kernel's clusters.
pub(super) fn known(m: &HostRuntime<'_>, func: FuncId) -> Known {
    let set = m.cuda.get().kernels.cluster_attributes.get(&func).copied().unwrap_or_default();
    Known {
        must_be_set: m.module.funcs[func].attrs.cluster_dims != [0; 3],
        required: required(m, func),
        policy: set.policy,
        non_portable: set.non_portable,
    }
}

/// A `cudaLaunchConfig_t`: blocks, threads of a block, dynamic shared memory, clusters.
fn config(h: &mut RuntimeCall<'_, '_>, ptr: Ptr) -> Result<([u32; 3], u64, u64, ClusterRequest), Fail> {
    use cudaLaunchConfig_t as Config;
    let config = Structure::read_to(h, ptr, Config::stream)?;
    let grid = config.get(Config::gridDim.then(dim3::all));
    let threads = volume(config.get(Config::blockDim.then(dim3::all)));
    let dynamic = config.get(Config::dynamicSmemBytes);
    let mut asked = ClusterRequest::default();
    for (number, value) in super::launch::launch_attributes(h, ptr)? {
        attribute(h, &mut asked, number, value)?;
    }
    if grid.contains(&0) || threads == 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    Ok((grid, threads, dynamic, asked))
}

/// `cudaOccupancyMaxPotentialClusterSize(size, kernel, config)`
pub(crate) fn potential_size(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let func = loaded(h, a.ptr(1))?;
    let (_, threads, dynamic, _) = config(h, a.ptr(2))?;
    let fixed = static_shared(h.m, func);
    if threads > max_threads(h, func) || fixed.saturating_add(dynamic) > shared_limit(h.m, func, fixed) {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let size = match required(h.m, func) {
        _ if !h.m.config.device.block.cluster_launch => 1,
        [0, 0, 0] => most(h.m, func),
        dims => volume(dims),
    };
    h.give(a.ptr(0), size, 4)
}

/// The groups that a device's multiprocessors stand in: one for a device whose groups are not known.
fn groups(m: &HostRuntime<'_>) -> Vec<u64> {
    let device = &m.config.device;
    let all = device.multiprocessor.multiprocessor_count as u64;
    if device.major == 9 && all == GROUPS_OF_H100.iter().sum::<u64>() {
        GROUPS_OF_H100.to_vec()
    } else {
        vec![all]
    }
}

/// `cudaOccupancyMaxActiveClusters(clusters, kernel, config)`: a cluster stays within a group that has a multiprocessor for
/// each of its blocks.
pub(crate) fn active(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let func = loaded(h, a.ptr(1))?;
    let (grid, threads, dynamic, asked) = config(h, a.ptr(2))?;
    if asked.dims.is_none() && required(h.m, func) == [0; 3] {
        return Err(CudaError::INVALID_CLUSTER_SIZE.into());
    }
    // Where more than the usual is allowed, it answers for sizes that no launch can have.
    let allowed = h.m.cuda.get().kernels.cluster_attributes.get(&func).is_some_and(|a| a.non_portable);
    let size = match (asked.dims, shape(h.m, func, grid, asked)) {
        (_, Ok((dims, _))) => volume(dims),
        (Some(dims), Err(_)) if allowed && volume(dims) > MOST => volume(dims),
        (_, Err((error, ..))) => return Err(error.into()),
    };
    let each = resident(h, func, threads, dynamic).min(HELD);
    let clusters = |group: &u64| if *group < size { 0 } else { group * each / size };
    h.give(a.ptr(0), groups(h.m).iter().map(clusters).sum(), 4)
}
