//! CUDA arrays. An array is an allocation of device memory that the program only has a handle of; its rows lie one
//! behind the other.

use super::device::known;
use super::memory::{self, Timing, transfer};
use super::queue::{self, Extent};
use super::{Api, CudaError, Fail, stream};
use crate::call::Call;
use crate::constants::*;
use crate::layout::{
    Field, Fields, Laid, Structure, cudaChannelFormatDesc, cudaExtent, cudaMemcpy3DOperand,
    cudaMemcpy3DParms, cudaMemcpy3DPeerParms, cudaPitchedPtr, cudaPos,
};
use crate::{Kept, RuntimeCall};
use cudair_engine::Args;
use cudair_engine::guest::{Host, runtime_object};
use cudair_engine::parts::HasRuntime;
use cudair_engine::profile::DeviceProfile;
use cudair_ir::Space;
use cudair_lane::fault::{AllocKind, Stop};
use cudair_lane::ptr::Ptr;
use cudair_memory::LaneCx;
use rustc_hash::FxHashMap;

pub(super) use crate::constants::cudaArrayCubemap as CUBEMAP;
pub(super) use crate::constants::cudaArrayLayered as LAYERED;

/// `cudaChannelFormatDesc`: the bits of up to four channels, and their kind (signed, unsigned, float).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Channels {
    pub bits: [u32; 4],
    pub kind: u32,
}

impl Channels {
    pub fn of(described: &Structure<cudaChannelFormatDesc>) -> Channels {
        Channels {
            bits: described.get(cudaChannelFormatDesc::bits),
            kind: described.get(cudaChannelFormatDesc::f),
        }
    }

    /// As the program describes them.
    pub fn described(self) -> Structure<cudaChannelFormatDesc> {
        let mut described = Structure::zeroed();
        described.set(cudaChannelFormatDesc::bits, self.bits);
        described.set(cudaChannelFormatDesc::f, self.kind);
        described
    }

    /// One, two or four channels of one width, which the device's texels have.
    pub fn is_texel(self) -> bool {
        let count = self.bits.iter().take_while(|&&b| b != 0).count();
        let wide = self.bits[0];
        matches!(count, 1 | 2 | 4)
            && matches!(wide, 8 | 16 | 32)
            && self.bits.iter().enumerate().all(|(i, &b)| b == if i < count { wide } else { 0 })
            && match self.kind {
                cudaChannelFormatKindSigned | cudaChannelFormatKindUnsigned => true,
                cudaChannelFormatKindFloat => wide != 8,
                _ => false,
            }
    }

    pub fn bytes(self) -> u64 {
        self.bits.iter().map(|&b| u64::from(b)).sum::<u64>() / 8
    }
}

/// An array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Array {
    pub(super) data: Ptr,
    pub(super) channels: Channels,
    /// As the program gave them: 0 for a dimension that it does not have.
    pub(super) width: u64,
    pub(super) height: u64,
    pub(super) depth: u64,
    pub(super) flags: u32,
    /// It is a level of a mipmapped array.
    is_level: bool,
}

/// The arrays that there are.
#[derive(Debug, Default)]
pub(super) struct Arrays {
    /// By their handle.
    all: FxHashMap<Ptr, Array>,
    /// The levels of mipmapped arrays, by their handle.
    mipmaps: FxHashMap<Ptr, Vec<Ptr>>,
}

impl Array {
    pub(super) fn row(self) -> u64 {
        self.width * self.channels.bytes()
    }

    pub(super) fn slice(self) -> u64 {
        self.row() * self.height.max(1)
    }

    /// The place of an element of a row, a row and a slice.
    fn at(self, x: u64, y: u64, z: u64) -> (Ptr, u64, u64) {
        let offset =
            z.saturating_mul(self.slice()).saturating_add(y.saturating_mul(self.row())).saturating_add(x);
        (self.data.add(i64::try_from(offset).unwrap_or(i64::MAX)), self.row(), self.slice())
    }

    /// How many dimensions an element's place has, without the layer's.
    pub(super) fn dimensions(self) -> u32 {
        if self.flags & (LAYERED | CUBEMAP) != 0 {
            if self.height == 0 { 1 } else { 2 }
        } else {
            1 + u32::from(self.height != 0) + u32::from(self.depth != 0)
        }
    }
}

/// The format and the size of an array that is asked for, if they are those of one.
fn asked(
    h: &mut RuntimeCall<'_, '_>,
    channels: Channels,
    [width, height, depth]: [u64; 3],
    flags: u32,
) -> Result<Array, Fail> {
    if width == 0 || flags & !(LAYERED | cudaArraySurfaceLoadStore | CUBEMAP | cudaArrayTextureGather) != 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    if !channels.is_texel() {
        return Err(CudaError::INVALID_CHANNEL_DESCRIPTOR.into());
    }
    let layers = if flags & LAYERED != 0 { depth } else { 6 };
    let cubes = flags & CUBEMAP != 0;
    if cubes
        && (width != height
            || depth == 0
            || !depth.is_multiple_of(6)
            || flags & LAYERED == 0 && depth != layers)
        || flags & LAYERED != 0 && depth == 0
        || flags & LAYERED == 0 && depth != 0 && height == 0
    {
        return Err(CudaError::INVALID_VALUE.into());
    }
    if !fits(&h.m.config.device, [width, height, depth], flags) {
        return Err(CudaError::INVALID_VALUE.into());
    }
    Ok(Array { data: Ptr::NULL, channels, width, height, depth, flags, is_level: false })
}

/// Whether the device has arrays of a size, as it says by its properties.
fn fits(p: &DeviceProfile, size: [u64; 3], flags: u32) -> bool {
    let [_, height, depth] = size;
    let most: [i32; 3] = match flags & (LAYERED | CUBEMAP) {
        0 if height == 0 => [p.texture.max_texture_1d, 0, 0],
        0 if depth == 0 => [p.texture.max_texture_2d[0], p.texture.max_texture_2d[1], 0],
        // Volumes may be long in one direction instead.
        0 => {
            let within = |most: [i32; 3]| size.iter().zip(most).all(|(&n, most)| n <= most as u64);
            return within(p.texture.max_texture_3d) || within(p.texture.max_texture_3d_alt);
        }
        LAYERED if height == 0 => {
            [p.texture.max_texture_1d_layered[0], 0, p.texture.max_texture_1d_layered[1]]
        }
        LAYERED => p.texture.max_texture_2d_layered,
        CUBEMAP => [p.texture.max_texture_cubemap, p.texture.max_texture_cubemap, 6],
        _ => [
            p.texture.max_texture_cubemap_layered[0],
            p.texture.max_texture_cubemap_layered[0],
            p.texture.max_texture_cubemap_layered[1],
        ],
    };
    size.iter().zip(most).all(|(&n, most)| n <= most as u64)
}

/// Makes an array and its handle.
fn allocate(h: &mut RuntimeCall<'_, '_>, array: Array) -> Result<Ptr, Fail> {
    let (rows, slices) = (array.height.max(1), array.depth.max(1));
    let size = [rows, slices, array.channels.bytes()].into_iter().fold(array.width, u64::saturating_mul);
    let kind = if array.is_level { AllocKind::CudaMipmap } else { AllocKind::CudaArray };
    let data = memory::device_alloc(h, size, Space::Global, kind, Ptr::NULL)?;
    let handle = runtime_object(h.m, "array", &[0; 8], 8)?;
    h.m.cuda.get_mut().arrays.all.insert(handle, Array { data, ..array });
    Ok(handle)
}

/// A `cudaChannelFormatDesc` of the program.
fn format(h: &mut RuntimeCall<'_, '_>, at: Ptr) -> Result<Channels, Fail> {
    Ok(Channels::of(&Structure::read(h, at)?))
}

/// Makes an array of a format and a size.
pub(super) fn make(
    h: &mut RuntimeCall<'_, '_>,
    out: Ptr,
    channels: Channels,
    extent: [u64; 3],
    flags: u32,
) -> Api {
    if out.is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let array = asked(h, channels, extent, flags)?;
    let handle = allocate(h, array)?;
    h.give(out, handle.0, 8)
}

// Mipmapped arrays.

/// `cudaMallocMipmappedArray(mipmap, desc, extent, levels, flags)`: each level is half as large as the one before in each
/// dimension, but no layer or face is lost.
pub(crate) fn malloc_mipmap(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let extent = h.field(a.ptr(2), cudaExtent::all)?;
    let channels = format(h, a.ptr(1))?;
    make_mipmap(h, a.ptr(0), channels, extent, a.u32(3), a.u32(4))
}

/// Makes a mipmapped array of a format, a size and a number of levels.
pub(super) fn make_mipmap(
    h: &mut RuntimeCall<'_, '_>,
    out: Ptr,
    channels: Channels,
    extent: [u64; 3],
    count: u32,
    flags: u32,
) -> Api {
    if out.is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let base = asked(h, channels, extent, flags)?;
    let flat = flags & (LAYERED | CUBEMAP) != 0;
    let longest = extent[0].max(extent[1]).max(if flat { 0 } else { extent[2] });
    let count = count.clamp(1, 1 + longest.ilog2());
    let mut levels = Vec::new();
    for level in 0..count {
        let part = |n: u64| if n == 0 { 0 } else { (n >> level).max(1) };
        let [width, height] = [part(base.width), part(base.height)];
        let depth = if flat { base.depth } else { part(base.depth) };
        levels.push(allocate(h, Array { width, height, depth, is_level: true, ..base })?);
    }
    let handle = runtime_object(h.m, "mipmapped array", &[0; 8], 8)?;
    h.m.cuda.get_mut().arrays.mipmaps.insert(handle, levels);
    h.give(out, handle.0, 8)
}

pub(super) fn levels(h: &mut RuntimeCall<'_, '_>, handle: Ptr) -> Result<Vec<Ptr>, Fail> {
    match h.m.cuda.get().arrays.mipmaps.get(&handle) {
        Some(levels) => Ok(levels.clone()),
        None => {
            let message = "this value is not a mipmapped array, or the array was freed".to_owned();
            Err(h.bad_argument(CudaError::INVALID_RESOURCE_HANDLE, message))
        }
    }
}

/// `cudaGetMipmappedArrayLevel(array, mipmap, level)`
pub(crate) fn level(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    match levels(h, a.ptr(1))?.get(a.u32(2) as usize) {
        Some(level) => h.give(a.ptr(0), level.0, 8),
        None => Err(CudaError::INVALID_VALUE.into()),
    }
}

/// `cudaFreeMipmappedArray` waits for everything before it frees.
pub(crate) fn free_mipmap(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    queue::synchronize(h.m)?;
    if a.ptr(0).is_null() {
        return Ok(());
    }
    for level in h.with_runtime(|h| levels(h, a.ptr(0)))? {
        let array = find(h, level)?;
        release(h, level, array, AllocKind::CudaMipmap)?;
    }
    h.m.cuda.get_mut().arrays.mipmaps.remove(&a.ptr(0));
    Ok(())
}

/// `cudaMallocArray(array, desc, width, height, flags)`
pub(crate) fn malloc(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let channels = format(h, a.ptr(1))?;
    make(h, a.ptr(0), channels, [a.u64(2), a.u64(3), 0], a.u32(4))
}

/// `cudaMalloc3DArray(array, desc, extent, flags)`, the extent by value.
pub(crate) fn malloc_3d(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let extent = h.field(a.ptr(2), cudaExtent::all)?;
    let channels = format(h, a.ptr(1))?;
    make(h, a.ptr(0), channels, extent, a.u32(3))
}

pub(super) fn find<M: HasRuntime>(h: &mut Host<'_, M>, handle: Ptr) -> Result<Array, Fail> {
    h.with_runtime(|h| {
        if handle.is_null() {
            return Err(CudaError::INVALID_RESOURCE_HANDLE.into());
        }
        match h.m.cuda.get().arrays.all.get(&handle) {
            Some(&array) => Ok(array),
            None => {
                let message = "this value is not an array, or the array was freed".to_owned();
                Err(h.bad_argument(CudaError::INVALID_RESOURCE_HANDLE, message))
            }
        }
    })
}

/// `cudaFreeArray` waits for everything before it frees.
pub(crate) fn free(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    queue::synchronize(h.m)?;
    if a.ptr(0).is_null() {
        return Ok(());
    }
    let array = find(h, a.ptr(0))?;
    if array.is_level {
        let message = "a level of a mipmapped array cannot be freed alone".to_owned();
        return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
    }
    release(h, a.ptr(0), array, AllocKind::CudaArray)
}

fn release(h: &mut Host<'_>, handle: Ptr, array: Array, kind: AllocKind) -> Api {
    h.m.cuda.get_mut().arrays.all.remove(&handle);
    let who = h.who;
    h.m.mem.wholly_written(who.place, array.data);
    let cx = LaneCx::host(&mut h.m.findings);
    h.m.mem.free(&cx, who, array.data, kind).map_err(Stop::Fault)?;
    h.m.cuda.get_mut().memory.remove(array.data);
    Ok(())
}

fn give_channels(h: &mut RuntimeCall<'_, '_>, out: Ptr, channels: Channels) -> Api {
    for (i, bits) in channels.bits.into_iter().enumerate() {
        h.put_field(out, cudaChannelFormatDesc::bits.nth(i), bits)?;
    }
    h.put_field(out, cudaChannelFormatDesc::f, channels.kind)
}

/// `cudaArrayGetInfo(desc, extent, flags, array)`
pub(crate) fn info(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let array = find(h, a.ptr(3))?;
    if !a.ptr(0).is_null() {
        give_channels(h, a.ptr(0), array.channels)?;
    }
    if !a.ptr(1).is_null() {
        for (i, size) in [array.width, array.height, array.depth].into_iter().enumerate() {
            h.put_field(a.ptr(1), cudaExtent::all.nth(i), size)?;
        }
    }
    if !a.ptr(2).is_null() {
        h.give(a.ptr(2), array.flags.into(), 4)?;
    }
    Ok(())
}

/// `cudaGetChannelDesc(desc, array)`
pub(crate) fn channels(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let array = find(h, a.ptr(1))?;
    give_channels(h, a.ptr(0), array.channels)
}

// Copies.

/// Bytes of a plane of an array from byte `x` of row `y` on, which must lie in it.
fn window(h: &mut Host<'_>, array: Array, x: u64, y: u64, extent: Extent) -> Result<(Ptr, u64, u64), Fail> {
    let fits = |from: u64, count: u64, all: u64| from.checked_add(count).is_some_and(|end| end <= all);
    if !fits(x, extent.width, array.row()) || !fits(y, extent.height, array.height.max(1)) {
        let message = format!(
            "a copy of {} rows of {} bytes, starting at byte {x} of row {y}, goes outside an array of {} \
             rows of {} bytes",
            extent.height,
            extent.width,
            array.height.max(1),
            array.row()
        );
        return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
    }
    Ok(array.at(x, y, 0))
}

fn timing(h: &mut Host<'_>, a: &Args<'_>, stream: Option<usize>) -> Result<Timing, Fail> {
    Ok(match stream {
        Some(at) => Timing::Async(stream::find(h, a.ptr(at))?),
        None => Timing::Blocking,
    })
}

/// `cudaMemcpy2DToArray(dst, wOffset, hOffset, src, spitch, width, height, kind)`
fn plane_to(h: &mut Host<'_>, a: &Args<'_>, stream: Option<usize>) -> Api {
    let timing = timing(h, a, stream)?;
    let array = find(h, a.ptr(0))?;
    let extent = Extent { width: a.u64(5), height: a.u64(6), depth: 1 };
    if extent.width > a.u64(4) {
        return Err(CudaError::INVALID_PITCH_VALUE.into());
    }
    let to = window(h, array, a.u64(1), a.u64(2), extent)?;
    transfer(h, to, (a.ptr(3), a.u64(4), 0), extent, a.i32(7), timing)
}

pub(crate) fn copy_2d_to(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    plane_to(h, a, None)
}

pub(crate) fn copy_2d_to_async(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    plane_to(h, a, Some(8))
}

/// `cudaMemcpy2DFromArray(dst, dpitch, src, wOffset, hOffset, width, height, kind)`
fn plane_from(h: &mut Host<'_>, a: &Args<'_>, stream: Option<usize>) -> Api {
    let timing = timing(h, a, stream)?;
    let array = find(h, a.ptr(2))?;
    let extent = Extent { width: a.u64(5), height: a.u64(6), depth: 1 };
    if extent.width > a.u64(1) {
        return Err(CudaError::INVALID_PITCH_VALUE.into());
    }
    let from = window(h, array, a.u64(3), a.u64(4), extent)?;
    transfer(h, (a.ptr(0), a.u64(1), 0), from, extent, a.i32(7), timing)
}

pub(crate) fn copy_2d_from(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    plane_from(h, a, None)
}

pub(crate) fn copy_2d_from_async(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    plane_from(h, a, Some(8))
}

/// `cudaMemcpy2DArrayToArray(dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, width, height, kind)`
pub(crate) fn copy_2d_between(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let (dst, src) = (find(h, a.ptr(0))?, find(h, a.ptr(3))?);
    let extent = Extent { width: a.u64(6), height: a.u64(7), depth: 1 };
    let to = window(h, dst, a.u64(1), a.u64(2), extent)?;
    let from = window(h, src, a.u64(4), a.u64(5), extent)?;
    transfer(h, to, from, extent, a.i32(8), Timing::Blocking)
}

/// Bytes of an array that run over its rows, from byte `x` of row `y` on.
pub(super) fn run(
    h: &mut Host<'_>,
    array: Array,
    x: u64,
    y: u64,
    count: u64,
) -> Result<(Ptr, u64, u64), Fail> {
    let start = y.saturating_mul(array.row()).saturating_add(x);
    if x >= array.row() || start.saturating_add(count) > array.slice() {
        let message = format!(
            "a copy of {count} bytes, starting at byte {x} of row {y}, goes outside an array of {} rows of \
             {} bytes",
            array.height.max(1),
            array.row()
        );
        return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
    }
    Ok((array.at(x, y, 0).0, 0, 0))
}

/// `cudaMemcpyToArray(dst, wOffset, hOffset, src, count, kind)`
fn run_to(h: &mut Host<'_>, a: &Args<'_>, stream: Option<usize>) -> Api {
    let timing = timing(h, a, stream)?;
    let array = find(h, a.ptr(0))?;
    let to = run(h, array, a.u64(1), a.u64(2), a.u64(4))?;
    transfer(h, to, (a.ptr(3), 0, 0), Extent::linear(a.u64(4)), a.i32(5), timing)
}

pub(crate) fn copy_to(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    run_to(h, a, None)
}

pub(crate) fn copy_to_async(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    run_to(h, a, Some(6))
}

/// `cudaMemcpyFromArray(dst, src, wOffset, hOffset, count, kind)`
fn run_from(h: &mut Host<'_>, a: &Args<'_>, stream: Option<usize>) -> Api {
    let timing = timing(h, a, stream)?;
    let array = find(h, a.ptr(1))?;
    let from = run(h, array, a.u64(2), a.u64(3), a.u64(4))?;
    transfer(h, (a.ptr(0), 0, 0), from, Extent::linear(a.u64(4)), a.i32(5), timing)
}

pub(crate) fn copy_from(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    run_from(h, a, None)
}

pub(crate) fn copy_from_async(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    run_from(h, a, Some(6))
}

/// `cudaMemcpyArrayToArray(dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, count, kind)`
pub(crate) fn copy_between(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let (dst, src) = (find(h, a.ptr(0))?, find(h, a.ptr(3))?);
    let to = run(h, dst, a.u64(1), a.u64(2), a.u64(6))?;
    let from = run(h, src, a.u64(4), a.u64(5), a.u64(6))?;
    transfer(h, to, from, Extent::linear(a.u64(6)), a.i32(7), Timing::Blocking)
}

/// What only arrays have that are sparse or mapped later: `cudaArrayGetSparseProperties(properties, array)`,
/// `cudaArrayGetMemoryRequirements(requirements, array, device)`. The device has none, and says so by its attributes.
pub(crate) fn no_such_array(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    find(h, a.ptr(1))?;
    Err(CudaError::INVALID_VALUE.into())
}

/// The same of a mipmapped array.
pub(crate) fn no_such_mipmap(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    levels(h, a.ptr(1))?;
    Err(CudaError::INVALID_VALUE.into())
}

/// `cudaArrayGetPlane(plane, array, index)`: no format here has planes.
pub(crate) fn plane_of(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    find(h, a.ptr(1))?;
    Err(CudaError::INVALID_VALUE.into())
}

/// One end of a `cudaMemcpy3DParms`: its array or its pitched pointer, and where in it.
struct End {
    array: Option<Array>,
    position: [u64; 3],
    ptr: Ptr,
    pitch: u64,
    rows: u64,
}

impl End {
    fn of(
        h: &mut RuntimeCall<'_, '_>,
        handle: Ptr,
        position: [u64; 3],
        place: &Structure<cudaPitchedPtr>,
    ) -> Result<End, Fail> {
        let array = if handle.is_null() { None } else { Some(find(h, handle)?) };
        let (ptr, pitch) = (place.get(cudaPitchedPtr::ptr), place.get(cudaPitchedPtr::pitch));
        // Either the one or the other.
        if array.is_some() != ptr.is_null() {
            return Err(CudaError::INVALID_VALUE.into());
        }
        Ok(End { array, position, ptr, pitch, rows: place.get(cudaPitchedPtr::ysize) })
    }

    /// Its place in memory; `extent` is in bytes.
    fn place(&self, h: &mut Host<'_>, extent: Extent) -> Result<(Ptr, u64, u64), Fail> {
        let [x, y, z] = self.position;
        let Some(array) = self.array else {
            if extent.width > self.pitch && extent.height > 1 {
                return Err(CudaError::INVALID_PITCH_VALUE.into());
            }
            // A size of 0 is not told: one row needs no pitch, and one slice no rows.
            let leaves = |from: u64, count: u64, all: u64| all != 0 && from.saturating_add(count) > all;
            if leaves(x, extent.width, self.pitch) || leaves(y, extent.height, self.rows) {
                return Err(CudaError::INVALID_VALUE.into());
            }
            let slice = self.pitch.saturating_mul(self.rows);
            let offset =
                z.saturating_mul(slice).saturating_add(y.saturating_mul(self.pitch)).saturating_add(x);
            return Ok((self.ptr.add(i64::try_from(offset).unwrap_or(i64::MAX)), self.pitch, slice));
        };
        let x = x.saturating_mul(array.channels.bytes());
        array.part(h, [x, y, z], extent)
    }
}

impl Array {
    /// The place of a part of it, which must lie in it; all in bytes.
    pub(super) fn part(
        self,
        h: &mut impl Call,
        [x, y, z]: [u64; 3],
        extent: Extent,
    ) -> Result<(Ptr, u64, u64), Fail> {
        let array = self;
        let fits = |from: u64, count: u64, all: u64| from.checked_add(count).is_some_and(|end| end <= all);
        let whole = [array.row(), array.height.max(1), array.depth.max(1)];
        let part = [(x, extent.width), (y, extent.height), (z, extent.depth)];
        if !part.iter().zip(whole).all(|(&(from, count), all)| fits(from, count, all)) {
            let message = format!(
                "a copy of {} x {} x {} bytes, starting at ({x}, {y}, {z}), goes outside an array of {} x \
                 {} x {} bytes",
                extent.width, extent.height, extent.depth, whole[0], whole[1], whole[2]
            );
            return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
        }
        Ok(array.at(x, y, z))
    }
}

/// `cudaMemcpy3D(params)`. The extent's width counts elements where an array takes part, else bytes.
pub(crate) fn volume(h: &mut Host<'_>, params: Ptr, timing: Timing) -> Api {
    use cudaMemcpy3DParms as Copy;
    let copy = Structure::read_to(h, params, Copy::kind)?;
    let ends = [(Copy::srcArray, Copy::srcPos, Copy::srcPtr), (Copy::dstArray, Copy::dstPos, Copy::dstPtr)];
    block(h, &copy, ends, Copy::extent, copy.get(Copy::kind), timing)
}

/// A copy between operands of a batch: pointers with the length of a row and the height of a layer, 0 for what the copy
/// takes, or arrays with an offset. All counts elements of the array, or bytes.
pub(super) fn operands(
    h: &mut Host<'_>,
    operands: [Structure<cudaMemcpy3DOperand>; 2],
    [width, height, depth]: [u64; 3],
    timing: Timing,
) -> Api {
    use cudaMemcpy3DOperand as Operand;
    let mut ends = Vec::new();
    for operand in operands {
        let array = match operand.get(Operand::kind) {
            cudaMemcpyOperandTypePointer => None,
            cudaMemcpyOperandTypeArray => Some(find(h, operand.get(Operand::array))?),
            _ => return Err(CudaError::INVALID_VALUE.into()),
        };
        ends.push((array, operand));
    }
    let elements: Vec<u64> = ends.iter().filter_map(|(a, _)| a.map(|a| a.channels.bytes())).collect();
    let element = elements.first().copied().unwrap_or(1);
    if elements.iter().any(|&e| e != element) {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let extent = Extent { width: width.saturating_mul(element), height, depth };
    let mut places = Vec::new();
    for (array, operand) in ends {
        let end = if array.is_some() {
            End { array, position: operand.get(Operand::offset), ptr: Ptr::NULL, pitch: 0, rows: 0 }
        } else {
            let (row, layer) = (operand.get(Operand::rowLength), operand.get(Operand::layerHeight));
            if row != 0 && row < width || layer != 0 && layer < height {
                return Err(CudaError::INVALID_VALUE.into());
            }
            let pitch = if row == 0 { extent.width } else { row.saturating_mul(element) };
            let rows = if layer == 0 { height } else { layer };
            End { array, position: [0; 3], ptr: operand.get(Operand::ptr), pitch, rows }
        };
        places.push(end.place(h, extent)?);
    }
    transfer(h, places[1], places[0], extent, cudaMemcpyDefault, timing)
}

/// The fields of an end of a copy that `S` describes: an array, a position, a pitched pointer.
type EndFields<S> = (Field<S, Ptr>, Field<S, cudaPos>, Field<S, cudaPitchedPtr>);

/// A copy from the first of two ends to the second.
fn block<S: Laid>(
    h: &mut Host<'_>,
    copy: &Structure<S>,
    ends: [EndFields<S>; 2],
    extent: Field<S, cudaExtent>,
    kind: i32,
    timing: Timing,
) -> Api {
    let mut end = |(array, position, place): EndFields<S>| {
        h.with_runtime(|h| {
            End::of(h, copy.get(array), copy.get(position.then(cudaPos::all)), &copy.part(place))
        })
    };
    let [src, dst] = ends;
    let (src, dst) = (end(src)?, end(dst)?);
    let element = dst.array.or(src.array).map_or(1, |array| array.channels.bytes());
    let [width, height, depth] = copy.get(extent.then(cudaExtent::all));
    let extent = Extent { width: width.saturating_mul(element), height, depth };
    let (to, from) = (dst.place(h, extent)?, src.place(h, extent)?);
    transfer(h, to, from, extent, kind, timing)
}

/// `cudaMemcpy3DPeer(params)`: between this device and itself.
fn peers(h: &mut Host<'_>, params: Ptr, timing: Timing) -> Api {
    use cudaMemcpy3DPeerParms as Copy;
    let copy = Structure::read(h, params)?;
    known(copy.get(Copy::srcDevice))?;
    known(copy.get(Copy::dstDevice))?;
    let ends = [(Copy::srcArray, Copy::srcPos, Copy::srcPtr), (Copy::dstArray, Copy::dstPos, Copy::dstPtr)];
    block(h, &copy, ends, Copy::extent, cudaMemcpyDefault, timing)
}

pub(crate) fn copy_3d_peer(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    peers(h, a.ptr(0), Timing::Blocking)
}

pub(crate) fn copy_3d_peer_async(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let timing = timing(h, a, Some(1))?;
    peers(h, a.ptr(0), timing)
}

pub(crate) fn copy_3d(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    volume(h, a.ptr(0), Timing::Blocking)
}

pub(crate) fn copy_3d_async(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let timing = timing(h, a, Some(1))?;
    volume(h, a.ptr(0), timing)
}
