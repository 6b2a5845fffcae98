//! Arrays and textures, whose descriptions are the driver's own.

use crate::array::{Array, Channels};
use crate::call::Call;
use crate::constants::*;
use crate::layout::{
    CUDA_ARRAY_DESCRIPTOR, CUDA_ARRAY3D_DESCRIPTOR, CUDA_MEMCPY2D, CUDA_MEMCPY3D, CUDA_RESOURCE_DESC,
    CUDA_TEXTURE_DESC, Field, Fields, Laid, Structure, Value, cudaExtent, cudaMemcpy3DParms, cudaPitchedPtr,
    cudaPos, cudaResourceDesc, cudaTextureDesc,
};
use crate::memory::{Timing, transfer};
use crate::queue::Extent;
use crate::{Api, CudaError, Fail, Kept, RuntimeCall, array, stream, texture};
use cudair_engine::Args;
use cudair_engine::guest::Host;
use cudair_lane::ptr::Ptr;

/// The bits and the kind (unsigned, signed, float) of a channel of a `CUarray_format`.
pub(super) fn format_bits(format: u32) -> Option<(u32, u32)> {
    use cudaChannelFormatKindFloat as FLOAT;
    use cudaChannelFormatKindSigned as SIGNED;
    use cudaChannelFormatKindUnsigned as UNSIGNED;
    Some(match format {
        CU_AD_FORMAT_UNSIGNED_INT8 => (8, UNSIGNED),
        CU_AD_FORMAT_UNSIGNED_INT16 => (16, UNSIGNED),
        CU_AD_FORMAT_UNSIGNED_INT32 => (32, UNSIGNED),
        CU_AD_FORMAT_SIGNED_INT8 => (8, SIGNED),
        CU_AD_FORMAT_SIGNED_INT16 => (16, SIGNED),
        CU_AD_FORMAT_SIGNED_INT32 => (32, SIGNED),
        CU_AD_FORMAT_HALF => (16, FLOAT),
        CU_AD_FORMAT_FLOAT => (32, FLOAT),
        _ => return None,
    })
}

/// The channels of a format.
fn channels(format: u32, count: u32) -> Result<Channels, Fail> {
    let (bits, kind) = format_bits(format).ok_or(CudaError::INVALID_VALUE)?;
    if !matches!(count, 1 | 2 | 4) {
        return Err(CudaError::INVALID_VALUE.into());
    }
    Ok(Channels { bits: std::array::from_fn(|i| if (i as u32) < count { bits } else { 0 }), kind })
}

/// The format of channels, and how many there are.
fn format(channels: Channels) -> (u32, u32) {
    let known = [
        CU_AD_FORMAT_UNSIGNED_INT8,
        CU_AD_FORMAT_UNSIGNED_INT16,
        CU_AD_FORMAT_UNSIGNED_INT32,
        CU_AD_FORMAT_SIGNED_INT8,
        CU_AD_FORMAT_SIGNED_INT16,
        CU_AD_FORMAT_SIGNED_INT32,
        CU_AD_FORMAT_HALF,
        CU_AD_FORMAT_FLOAT,
    ];
    let same = |&f: &u32| format_bits(f) == Some((channels.bits[0], channels.kind));
    let count = channels.bits.iter().filter(|&&b| b != 0).count() as u32;
    (known.into_iter().find(same).unwrap_or(0), count)
}

/// A `CUDA_ARRAY3D_DESCRIPTOR`: extent, channels, flags.
fn volume(h: &mut RuntimeCall<'_, '_>, at: Ptr) -> Result<([u64; 3], Channels, u32), Fail> {
    use CUDA_ARRAY3D_DESCRIPTOR as Array;
    let told = Structure::read_to(h, at, Array::Flags)?;
    let channels = channels(told.get(Array::Format), told.get(Array::NumChannels))?;
    Ok((told.get(Array::extent), channels, told.get(Array::Flags)))
}

/// `cuArrayCreate(array, descriptor)`
pub(super) fn create(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    use CUDA_ARRAY_DESCRIPTOR as Array;
    let told = Structure::read(h, a.ptr(1))?;
    let channels = channels(told.get(Array::Format), told.get(Array::NumChannels))?;
    array::make(h, a.ptr(0), channels, [told.get(Array::Width), told.get(Array::Height), 0], 0)
}

/// `cuArray3DCreate(array, descriptor)`
pub(super) fn create_3d(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let (extent, channels, flags) = volume(h, a.ptr(1))?;
    array::make(h, a.ptr(0), channels, extent, flags)
}

/// `cuMipmappedArrayCreate(mipmap, descriptor, levels)`
pub(super) fn create_mipmap(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let (extent, channels, flags) = volume(h, a.ptr(1))?;
    if a.u32(2) == 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    array::make_mipmap(h, a.ptr(0), channels, extent, a.u32(2), flags)
}

/// `cuArrayGetDescriptor(descriptor, array)`
pub(super) fn describe(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let array = array::find(h, a.ptr(1))?;
    let (format, count) = format(array.channels);
    let mut told = Structure::zeroed();
    told.set(CUDA_ARRAY_DESCRIPTOR::Width, array.width);
    told.set(CUDA_ARRAY_DESCRIPTOR::Height, array.height);
    told.set(CUDA_ARRAY_DESCRIPTOR::Format, format);
    told.set(CUDA_ARRAY_DESCRIPTOR::NumChannels, count);
    h.store(a.ptr(0), told.bytes())
}

/// `cuArray3DGetDescriptor(descriptor, array)`
pub(super) fn describe_3d(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let array = array::find(h, a.ptr(1))?;
    let (format, count) = format(array.channels);
    let mut told = Structure::zeroed();
    told.set(CUDA_ARRAY3D_DESCRIPTOR::extent, [array.width, array.height, array.depth]);
    told.set(CUDA_ARRAY3D_DESCRIPTOR::Format, format);
    told.set(CUDA_ARRAY3D_DESCRIPTOR::NumChannels, count);
    told.set(CUDA_ARRAY3D_DESCRIPTOR::Flags, array.flags);
    h.store(a.ptr(0), told.bytes())
}

// Copies.

/// The fields of an end of a copy that `S` describes; a flat copy has no third dimension and no height of its own.
struct EndFields<S> {
    x: Field<S, u64>,
    y: Field<S, u64>,
    z: Option<Field<S, u64>>,
    memory_type: Field<S, u32>,
    host: Field<S, Ptr>,
    device: Field<S, Ptr>,
    array: Field<S, Ptr>,
    pitch: Field<S, u64>,
    height: Option<Field<S, u64>>,
}

/// A structure that describes a copy.
trait Description: Laid + Sized {
    const SRC: EndFields<Self>;
    const DST: EndFields<Self>;
    const WIDTH: Field<Self, u64>;
    const HEIGHT: Field<Self, u64>;
    const DEPTH: Option<Field<Self, u64>>;
}

impl Description for CUDA_MEMCPY2D {
    const SRC: EndFields<Self> = EndFields {
        x: CUDA_MEMCPY2D::srcXInBytes,
        y: CUDA_MEMCPY2D::srcY,
        z: None,
        memory_type: CUDA_MEMCPY2D::srcMemoryType,
        host: CUDA_MEMCPY2D::srcHost,
        device: CUDA_MEMCPY2D::srcDevice,
        array: CUDA_MEMCPY2D::srcArray,
        pitch: CUDA_MEMCPY2D::srcPitch,
        height: None,
    };
    const DST: EndFields<Self> = EndFields {
        x: CUDA_MEMCPY2D::dstXInBytes,
        y: CUDA_MEMCPY2D::dstY,
        z: None,
        memory_type: CUDA_MEMCPY2D::dstMemoryType,
        host: CUDA_MEMCPY2D::dstHost,
        device: CUDA_MEMCPY2D::dstDevice,
        array: CUDA_MEMCPY2D::dstArray,
        pitch: CUDA_MEMCPY2D::dstPitch,
        height: None,
    };
    const WIDTH: Field<Self, u64> = CUDA_MEMCPY2D::WidthInBytes;
    const HEIGHT: Field<Self, u64> = CUDA_MEMCPY2D::Height;
    const DEPTH: Option<Field<Self, u64>> = None;
}

impl Description for CUDA_MEMCPY3D {
    const SRC: EndFields<Self> = EndFields {
        x: CUDA_MEMCPY3D::srcXInBytes,
        y: CUDA_MEMCPY3D::srcY,
        z: Some(CUDA_MEMCPY3D::srcZ),
        memory_type: CUDA_MEMCPY3D::srcMemoryType,
        host: CUDA_MEMCPY3D::srcHost,
        device: CUDA_MEMCPY3D::srcDevice,
        array: CUDA_MEMCPY3D::srcArray,
        pitch: CUDA_MEMCPY3D::srcPitch,
        height: Some(CUDA_MEMCPY3D::srcHeight),
    };
    const DST: EndFields<Self> = EndFields {
        x: CUDA_MEMCPY3D::dstXInBytes,
        y: CUDA_MEMCPY3D::dstY,
        z: Some(CUDA_MEMCPY3D::dstZ),
        memory_type: CUDA_MEMCPY3D::dstMemoryType,
        host: CUDA_MEMCPY3D::dstHost,
        device: CUDA_MEMCPY3D::dstDevice,
        array: CUDA_MEMCPY3D::dstArray,
        pitch: CUDA_MEMCPY3D::dstPitch,
        height: Some(CUDA_MEMCPY3D::dstHeight),
    };
    const WIDTH: Field<Self, u64> = CUDA_MEMCPY3D::WidthInBytes;
    const HEIGHT: Field<Self, u64> = CUDA_MEMCPY3D::Height;
    const DEPTH: Option<Field<Self, u64>> = Some(CUDA_MEMCPY3D::Depth);
}

/// One end of a copy.
#[derive(Clone, Copy)]
struct End {
    position: [u64; 3],
    /// `CUmemorytype`
    kind: u32,
    ptr: Ptr,
    array: Option<Array>,
    handle: Ptr,
    pitch: u64,
    rows: u64,
}

/// Reads a field, if the structure has it.
fn known<S: Laid, T: Value>(
    h: &mut Host<'_>,
    at: Ptr,
    field: Option<Field<S, T>>,
    absent: T,
) -> Result<T, Fail> {
    field.map_or(Ok(absent), |field| h.field(at, field))
}

/// Reads an end. What a program does not use of the structure it need not write, and is not looked at.
fn end<S: Description>(h: &mut Host<'_>, at: Ptr, fields: &EndFields<S>) -> Result<(End, Extent), Fail> {
    let extent = Extent {
        width: h.field(at, S::WIDTH)?,
        height: h.field(at, S::HEIGHT)?,
        depth: known(h, at, S::DEPTH, 1)?,
    };
    let position = [h.field(at, fields.x)?, h.field(at, fields.y)?, known(h, at, fields.z, 0)?];
    let kind = h.field(at, fields.memory_type)?;
    let mut end =
        End { position, kind, ptr: Ptr::NULL, array: None, handle: Ptr::NULL, pitch: 0, rows: extent.height };
    match kind {
        CU_MEMORYTYPE_ARRAY => {
            end.handle = h.field(at, fields.array)?;
            end.array = Some(array::find(h, end.handle)?);
        }
        CU_MEMORYTYPE_HOST | CU_MEMORYTYPE_DEVICE | CU_MEMORYTYPE_UNIFIED => {
            end.ptr = h.field(at, if kind == CU_MEMORYTYPE_HOST { fields.host } else { fields.device })?;
            end.pitch = h.field(at, fields.pitch)?;
            end.rows = known(h, at, fields.height, 0)?;
            // Rows one behind the other.
            let row = extent.width.saturating_add(position[0]);
            if end.pitch == 0 {
                end.pitch = row;
            }
            let most = h.m.config.device.memory.mem_pitch;
            if extent.height > 1 && (end.pitch < row || end.pitch > most) {
                return Err(CudaError::INVALID_VALUE.into());
            }
            let rows = extent.height.saturating_add(position[1]);
            if end.rows == 0 {
                end.rows = rows;
            }
            if end.rows < rows {
                return Err(CudaError::INVALID_VALUE.into());
            }
        }
        _ => return Err(CudaError::INVALID_VALUE.into()),
    }
    Ok((end, extent))
}

impl End {
    fn place(&self, h: &mut Host<'_>, extent: Extent) -> Result<(Ptr, u64, u64), Fail> {
        let [x, y, z] = self.position;
        if let Some(array) = self.array {
            return array.part(h, self.position, extent);
        }
        let slice = self.pitch.saturating_mul(self.rows);
        let offset = z.saturating_mul(slice).saturating_add(y.saturating_mul(self.pitch)).saturating_add(x);
        Ok((self.ptr.add(i64::try_from(offset).unwrap_or(i64::MAX)), self.pitch, slice))
    }

    fn is_host(&self) -> bool {
        self.kind == CU_MEMORYTYPE_HOST
    }
}

/// `cudaMemcpyKind` of a copy between ends.
fn direction(src: &End, dst: &End) -> i32 {
    if src.kind == CU_MEMORYTYPE_UNIFIED || dst.kind == CU_MEMORYTYPE_UNIFIED {
        return cudaMemcpyDefault;
    }
    match (src.is_host(), dst.is_host()) {
        (true, true) => cudaMemcpyHostToHost,
        (true, false) => cudaMemcpyHostToDevice,
        (false, true) => cudaMemcpyDeviceToHost,
        (false, false) => cudaMemcpyDeviceToDevice,
    }
}

fn timing(h: &mut Host<'_>, a: &Args<'_>, is_async: bool) -> Result<Timing, Fail> {
    Ok(if is_async { Timing::Async(stream::find(h, a.ptr(1))?) } else { Timing::Blocking })
}

fn ends<S: Description>(h: &mut Host<'_>, at: Ptr) -> Result<(End, End, Extent), Fail> {
    if at.is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let (src, _) = end(h, at, &S::SRC)?;
    let (dst, extent) = end(h, at, &S::DST)?;
    Ok((src, dst, extent))
}

fn copy<S: Description>(h: &mut Host<'_>, a: &Args<'_>, is_async: bool) -> Api {
    let timing = timing(h, a, is_async)?;
    let (src, dst, extent) = ends::<S>(h, a.ptr(0))?;
    let (to, from) = (dst.place(h, extent)?, src.place(h, extent)?);
    transfer(h, to, from, extent, direction(&src, &dst), timing)
}

/// `cuMemcpy2D(copy)`
pub(super) fn copy_2d(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    copy::<CUDA_MEMCPY2D>(h, a, false)
}

/// `cuMemcpy2DAsync(copy, stream)`
pub(super) fn copy_2d_async(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    copy::<CUDA_MEMCPY2D>(h, a, true)
}

/// `cuMemcpy3D(copy)`
pub(super) fn copy_3d(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    copy::<CUDA_MEMCPY3D>(h, a, false)
}

/// `cuMemcpy3DAsync(copy, stream)`
pub(super) fn copy_3d_async(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    copy::<CUDA_MEMCPY3D>(h, a, true)
}

/// The runtime's description of a copy, for a node of a graph.
pub(super) fn parameters(h: &mut Host<'_>, at: Ptr) -> Result<Structure<cudaMemcpy3DParms>, Fail> {
    use cudaMemcpy3DParms as Copy;
    let (src, dst, extent) = ends::<CUDA_MEMCPY3D>(h, at)?;
    let element = dst.array.or(src.array).map_or(1, |a| a.channels.bytes().max(1));
    let mut told = Structure::zeroed();
    for (end, array, position, place) in
        [(src, Copy::srcArray, Copy::srcPos, Copy::srcPtr), (dst, Copy::dstArray, Copy::dstPos, Copy::dstPtr)]
    {
        let [x, y, z] = end.position;
        let x = if end.array.is_some() { x / element } else { x };
        told.set(array, end.handle);
        told.set(position.then(cudaPos::all), [x, y, z]);
        told.set(place.then(cudaPitchedPtr::ptr), end.ptr);
        told.set(place.then(cudaPitchedPtr::pitch), end.pitch);
        told.set(place.then(cudaPitchedPtr::xsize), extent.width);
        told.set(place.then(cudaPitchedPtr::ysize), end.rows);
    }
    let extent = [extent.width / element, extent.height, extent.depth];
    told.set(Copy::extent.then(cudaExtent::all), extent);
    told.set(Copy::kind, direction(&src, &dst));
    Ok(told)
}

/// What the driver calls a copy that the runtime describes.
pub(super) fn described(
    h: &mut RuntimeCall<'_, '_>,
    copy: &Structure<cudaMemcpy3DParms>,
) -> Result<Structure<CUDA_MEMCPY3D>, Fail> {
    use cudaMemcpy3DParms as Copy;
    let kind = copy.get(Copy::kind);
    let mut told = Structure::zeroed();
    let mut element = 1;
    let (src, dst) = (CUDA_MEMCPY3D::SRC, CUDA_MEMCPY3D::DST);
    let from_host = matches!(kind, cudaMemcpyHostToHost | cudaMemcpyHostToDevice);
    let to_host = matches!(kind, cudaMemcpyHostToHost | cudaMemcpyDeviceToHost);
    for (array, position, place, to, is_host) in [
        (Copy::srcArray, Copy::srcPos, Copy::srcPtr, src, from_host),
        (Copy::dstArray, Copy::dstPos, Copy::dstPtr, dst, to_host),
    ] {
        let array = copy.get(array);
        let [mut x, y, z] = copy.get(position.then(cudaPos::all));
        let memory = if !array.is_null() {
            element = array::find(h, array)?.channels.bytes();
            x = x.saturating_mul(element);
            told.set(to.array, array);
            CU_MEMORYTYPE_ARRAY
        } else {
            let of = if kind == cudaMemcpyDefault {
                CU_MEMORYTYPE_UNIFIED
            } else if is_host {
                CU_MEMORYTYPE_HOST
            } else {
                CU_MEMORYTYPE_DEVICE
            };
            let ptr = copy.get(place.then(cudaPitchedPtr::ptr));
            told.set(if of == CU_MEMORYTYPE_HOST { to.host } else { to.device }, ptr);
            told.set(to.pitch, copy.get(place.then(cudaPitchedPtr::pitch)));
            if let Some(height) = to.height {
                told.set(height, copy.get(place.then(cudaPitchedPtr::ysize)));
            }
            of
        };
        told.set(to.x, x);
        told.set(to.y, y);
        if let Some(field) = to.z {
            told.set(field, z);
        }
        told.set(to.memory_type, memory);
    }
    let [width, height, depth] = copy.get(Copy::extent.then(cudaExtent::all));
    told.set(CUDA_MEMCPY3D::WidthInBytes, width.saturating_mul(element));
    told.set(CUDA_MEMCPY3D::Height, height);
    told.set(CUDA_MEMCPY3D::Depth, depth);
    Ok(told)
}

/// A run of bytes of an array, from a byte of its first row on.
fn run(h: &mut Host<'_>, handle: Ptr, offset: u64, count: u64) -> Result<(Ptr, u64, u64), Fail> {
    let array = array::find(h, handle)?;
    array::run(h, array, offset, 0, count)
}

/// `cuMemcpy…toA(array, offset, src, count)`
pub(super) fn to_array(h: &mut Host<'_>, a: &Args<'_>, kind: i32, is_async: bool) -> Api {
    let timing = if is_async { Timing::Async(stream::find(h, a.ptr(4))?) } else { Timing::Blocking };
    let to = run(h, a.ptr(0), a.u64(1), a.u64(3))?;
    transfer(h, to, (a.ptr(2), 0, 0), Extent::linear(a.u64(3)), kind, timing)
}

/// `cuMemcpyAto…(dst, array, offset, count)`
pub(super) fn from_array(h: &mut Host<'_>, a: &Args<'_>, kind: i32, is_async: bool) -> Api {
    let timing = if is_async { Timing::Async(stream::find(h, a.ptr(4))?) } else { Timing::Blocking };
    let from = run(h, a.ptr(1), a.u64(2), a.u64(3))?;
    transfer(h, (a.ptr(0), 0, 0), from, Extent::linear(a.u64(3)), kind, timing)
}

/// `cuMemcpyAtoA(array, offset, array, offset, count)`
pub(super) fn between(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let to = run(h, a.ptr(0), a.u64(1), a.u64(4))?;
    let from = run(h, a.ptr(2), a.u64(3), a.u64(4))?;
    transfer(h, to, from, Extent::linear(a.u64(4)), cudaMemcpyDeviceToDevice, Timing::Blocking)
}

// Textures and surfaces.

/// What a program said of a resource: the runtime's structure, the channels, and its own.
struct Resource {
    runtime: Structure<cudaResourceDesc>,
    channels: Channels,
    own: Structure<CUDA_RESOURCE_DESC>,
}

fn resource(h: &mut RuntimeCall<'_, '_>, at: Ptr) -> Result<Resource, Fail> {
    use CUDA_RESOURCE_DESC as Own;
    use cudaResourceDesc as Runtime;
    if at.is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let mut own = Structure::read_to(h, at, Own::resType)?;
    let mut runtime = Structure::zeroed();
    let kind = own.get(Own::resType);
    runtime.set(Runtime::resType, kind);
    // An array's handle or an address.
    own.read_more(h, at, (Own::hArray, Own::hArray))?;
    runtime.set(Runtime::array, own.get(Own::hArray));
    let channels = match kind {
        cudaResourceTypeArray => array::find(h, own.get(Own::hArray))?.channels,
        cudaResourceTypeMipmappedArray => {
            let levels = array::levels(h, own.get(Own::hMipmappedArray))?;
            array::find(h, levels[0])?.channels
        }
        cudaResourceTypeLinear => {
            own.read_more(h, at, (Own::linear_format, Own::linear_sizeInBytes))?;
            let of = channels(own.get(Own::linear_format), own.get(Own::linear_numChannels))?;
            runtime.set_part(Runtime::linear_desc, &of.described());
            runtime.set(Runtime::linear_sizeInBytes, own.get(Own::linear_sizeInBytes));
            of
        }
        cudaResourceTypePitch2D => {
            own.read_more(h, at, (Own::pitch2D_format, Own::pitch2D_pitchInBytes))?;
            let of = channels(own.get(Own::pitch2D_format), own.get(Own::pitch2D_numChannels))?;
            runtime.set_part(Runtime::pitch2D_desc, &of.described());
            runtime.set(Runtime::pitch2D_width, own.get(Own::pitch2D_width));
            runtime.set(Runtime::pitch2D_height, own.get(Own::pitch2D_height));
            runtime.set(Runtime::pitch2D_pitchInBytes, own.get(Own::pitch2D_pitchInBytes));
            of
        }
        _ => return Err(CudaError::INVALID_VALUE.into()),
    };
    Ok(Resource { runtime, channels, own })
}

/// `cuTexObjectCreate(texture, resource, description, view)`
pub(super) fn create_texture(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    use CUDA_TEXTURE_DESC as Own;
    use cudaTextureDesc as Runtime;
    if a.ptr(0).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let of = resource(h, a.ptr(1))?;
    let how = Structure::read_to(h, a.ptr(2), Own::borderColor)?;
    let flags = how.get(Own::flags);
    let mut texture = Structure::zeroed();
    texture.set(Runtime::addressMode, how.get(Own::addressMode));
    texture.set(Runtime::filterMode, how.get(Own::filterMode));
    // Integers are read as fractions of their range unless the description says otherwise.
    let fraction = of.channels.kind != cudaChannelFormatKindFloat
        && of.channels.bits[0] != 32
        && flags & CU_TRSF_READ_AS_INTEGER == 0;
    texture
        .set(Runtime::readMode, if fraction { cudaReadModeNormalizedFloat } else { cudaReadModeElementType });
    texture.set(Runtime::sRGB, u32::from(flags & CU_TRSF_SRGB != 0));
    texture.set(Runtime::borderColor, how.get(Own::borderColor));
    texture.set(Runtime::normalizedCoords, u32::from(flags & CU_TRSF_NORMALIZED_COORDINATES != 0));
    texture.set(Runtime::maxAnisotropy, how.get(Own::maxAnisotropy));
    texture.set(Runtime::mipmapFilterMode, how.get(Own::mipmapFilterMode));
    texture.set(Runtime::mipmapLevelBias, how.get(Own::mipmapLevelBias));
    texture.set(Runtime::minMipmapLevelClamp, how.get(Own::minMipmapLevelClamp));
    texture.set(Runtime::maxMipmapLevelClamp, how.get(Own::maxMipmapLevelClamp));
    texture::make_texture(h, a.ptr(0), of.runtime, texture, a.ptr(3))?;
    let handle = h.load(a.ptr(0))?;
    h.m.cuda.get_mut().textures.described.insert(handle, (of.own.into_bytes(), how.into_bytes()));
    Ok(())
}

/// `cuSurfObjectCreate(surface, resource)`
pub(super) fn create_surface(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let of = resource(h, a.ptr(1))?;
    texture::make_surface(h, a.ptr(0), of.runtime)?;
    let handle = h.load(a.ptr(0))?;
    h.m.cuda.get_mut().textures.described.insert(handle, (of.own.into_bytes(), Vec::new()));
    Ok(())
}

/// `cuTexObjectDestroy(texture)` and `cuSurfObjectDestroy(surface)`
pub(super) fn destroy(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    texture::destroy(h, a)?;
    h.m.cuda.get_mut().textures.described.remove(&a.ptr(0));
    Ok(())
}

/// `cuTexObjectGetResourceDesc(resource, texture)`, and that of a surface
pub(super) fn resource_of(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let known = h.m.cuda.get().textures.described.get(&a.ptr(1)).map(|(resource, _)| resource.clone());
    h.store(a.ptr(0), &known.ok_or(CudaError::INVALID_VALUE)?)
}

/// `cuTexObjectGetTextureDesc(description, texture)`
pub(super) fn texture_of(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let known = h.m.cuda.get().textures.described.get(&a.ptr(1)).map(|(_, texture)| texture.clone());
    h.store(a.ptr(0), &known.filter(|t| !t.is_empty()).ok_or(CudaError::INVALID_VALUE)?)
}
