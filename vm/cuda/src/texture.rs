//! Textures and surfaces: objects through which kernels read and write arrays and memory. Such an object is the address
//! of a description that the device functions of the headers (`cudair/texture.h`) read, so that what they touch are the
//! array's own bytes.

use super::array::{Array, CUBEMAP, Channels, LAYERED, find, levels};
use super::{Api, CudaError, Fail, memory, queue};
use crate::call::Call;
use crate::constants::*;
use crate::layout::{__cudair_level, __cudair_texture, Structure, cudaResourceDesc, cudaTextureDesc};
use crate::{Kept, RuntimeCall};
use cudair_engine::Args;
use cudair_engine::guest::Host;
use cudair_ir::Space;
use cudair_lane::fault::{AllocKind, Stop};
use cudair_lane::ptr::Ptr;
use cudair_memory::{AllocInfo, InitState, LaneCx};
use rustc_hash::FxHashMap;

/// Texture and surface objects: what their resource and their texture description were.
#[derive(Debug, Default)]
pub(super) struct Textures {
    /// As the runtime describes them.
    all: FxHashMap<Ptr, (Vec<u8>, Vec<u8>)>,
    /// As the program described those of the driver.
    pub(super) described: FxHashMap<Ptr, (Vec<u8>, Vec<u8>)>,
}

/// What a texture or a surface object stands for, as the header's `__cudair_texture` has it.
struct Description {
    data: Ptr,
    pitch: u64,
    slice: u64,
    extent: [u64; 3],
    /// 0 linear memory, else the number of dimensions; 0x10 layered, 0x20 a cube's faces.
    shape: u32,
    channels: Channels,
    /// Of a mipmapped array.
    levels: Vec<Array>,
}

impl Description {
    fn of_array(array: Array, levels: Vec<Array>) -> Description {
        let layers = if array.flags & LAYERED != 0 { 0x10 } else { 0 };
        let faces = if array.flags & CUBEMAP != 0 { 0x20 } else { 0 };
        Description {
            data: array.data,
            pitch: array.row(),
            slice: array.slice(),
            extent: [array.width, array.height.max(1), array.depth.max(1)],
            shape: array.dimensions() | layers | faces,
            channels: array.channels,
            levels,
        }
    }
}

/// `cudaResourceDesc`
fn resource(h: &mut RuntimeCall<'_, '_>, told: &Structure<cudaResourceDesc>) -> Result<Description, Fail> {
    use cudaResourceDesc as Resource;
    let kind = told.get(Resource::resType);
    let d = match kind {
        cudaResourceTypeArray => {
            let array = find(h, told.get(Resource::array))?;
            Description::of_array(array, Vec::new())
        }
        cudaResourceTypeMipmappedArray => {
            let levels = levels(h, told.get(Resource::mipmap))?;
            let levels = levels.into_iter().map(|l| find(h, l)).collect::<Result<Vec<_>, _>>()?;
            Description::of_array(levels[0], levels)
        }
        cudaResourceTypeLinear => {
            let size = told.get(Resource::linear_sizeInBytes);
            let channels = Channels::of(&told.part(Resource::linear_desc));
            let width = size / channels.bytes().max(1);
            Description {
                data: told.get(Resource::linear_devPtr),
                pitch: size,
                slice: size,
                extent: [width, 1, 1],
                shape: 0,
                channels,
                levels: Vec::new(),
            }
        }
        cudaResourceTypePitch2D => {
            let (width, height) = (told.get(Resource::pitch2D_width), told.get(Resource::pitch2D_height));
            let pitch = told.get(Resource::pitch2D_pitchInBytes);
            let channels = Channels::of(&told.part(Resource::pitch2D_desc));
            if pitch < width.saturating_mul(channels.bytes()) {
                return Err(CudaError::INVALID_VALUE.into());
            }
            let alignment = h.m.config.device.texture.texture_pitch_alignment.max(1);
            if !pitch.is_multiple_of(alignment) {
                let message = format!(
                    "the rows of this texture are {pitch} bytes apart, which is not a multiple of \
                     {alignment}"
                );
                return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
            }
            let slice = pitch.saturating_mul(height);
            let extent = [width, height, 1];
            let data = told.get(Resource::pitch2D_devPtr);
            Description { data, pitch, slice, extent, shape: 2, channels, levels: Vec::new() }
        }
        _ => return Err(CudaError::INVALID_VALUE.into()),
    };
    if !d.channels.is_texel() {
        return Err(CudaError::INVALID_CHANNEL_DESCRIPTOR.into());
    }
    if matches!(kind, cudaResourceTypeLinear | cudaResourceTypePitch2D) {
        let last = d.slice - (d.pitch - d.extent[0] * d.channels.bytes()).min(d.slice);
        h.check_range(d.data, last, false)?;
        let alignment = h.m.config.device.texture.texture_alignment.max(1);
        let off = h.m.mem.lookup(d.data).map_or(0, |(start, ..)| d.data.offset().abs_diff(start.offset()));
        if !off.is_multiple_of(alignment) {
            let message = format!(
                "this texture starts {off} bytes into its allocation, which is not a multiple of \
                 {alignment}"
            );
            return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
        }
        if !matches!(
            memory::side(h, d.data),
            memory::Side::Device | memory::Side::Managed | memory::Side::Pinned
        ) {
            return Err(h.bad_argument(CudaError::INVALID_VALUE, "a texture over host memory".to_owned()));
        }
    }
    Ok(d)
}

/// Makes the object that device code reads. It is the runtime's, and mapped so that the device may.
fn object(
    h: &mut RuntimeCall<'_, '_>,
    out: Ptr,
    kind: AllocKind,
    d: &Description,
    texture: Option<Structure<cudaTextureDesc>>,
    resource: Structure<cudaResourceDesc>,
) -> Api {
    use cudaTextureDesc as Texture;
    let described = texture.as_ref().map_or_else(Vec::new, |t| t.bytes().to_vec());
    let small = |n: u64| n.min(u64::from(u32::MAX)) as u32;
    let mut told = Structure::zeroed();
    told.set(__cudair_texture::data, d.data);
    told.set(__cudair_texture::pitch, d.pitch);
    told.set(__cudair_texture::slice, d.slice);
    told.set(__cudair_texture::extent, d.extent.map(small));
    told.set(__cudair_texture::shape, d.shape);
    told.set(__cudair_texture::bits, d.channels.bits[0]);
    told.set(__cudair_texture::channels, d.channels.bits.iter().filter(|&&b| b != 0).count() as u32);
    told.set(__cudair_texture::kind, d.channels.kind);
    told.set(__cudair_texture::levels, d.levels.len() as u32);
    // What a texture says of itself; of a surface it is zeros.
    let texture = texture.unwrap_or_else(Structure::zeroed);
    told.set(__cudair_texture::address, texture.get(Texture::addressMode));
    told.set(__cudair_texture::filter, texture.get(Texture::filterMode));
    told.set(__cudair_texture::read, texture.get(Texture::readMode));
    told.set(__cudair_texture::srgb, texture.get(Texture::sRGB));
    told.set(__cudair_texture::border, texture.get(Texture::borderColor));
    told.set(__cudair_texture::normalized, texture.get(Texture::normalizedCoords));
    told.set(__cudair_texture::anisotropy, texture.get(Texture::maxAnisotropy));
    told.set(__cudair_texture::between, texture.get(Texture::mipmapFilterMode));
    told.set(__cudair_texture::bias, texture.get(Texture::mipmapLevelBias));
    told.set(__cudair_texture::lowest, texture.get(Texture::minMipmapLevelClamp));
    told.set(__cudair_texture::highest, texture.get(Texture::maxMipmapLevelClamp));
    let mut bytes = told.into_bytes();
    for level in &d.levels {
        let mut told = Structure::zeroed();
        told.set(__cudair_level::data, level.data);
        told.set(__cudair_level::pitch, level.row());
        told.set(__cudair_level::slice, level.slice());
        let extent = [level.width, level.height.max(1), level.depth.max(1)];
        told.set(__cudair_level::extent, extent.map(|n| n as u32));
        bytes.extend(told.into_bytes());
    }
    let info = AllocInfo { kind, name: None, place: h.who.place };
    let handle = h.m.mem.alloc(Space::Host, bytes.len() as u64, 16, InitState::Zero, info)?;
    h.store(handle, &bytes)?;
    h.m.mem.set_mapped(handle, true);
    h.m.mem.set_read_only(handle);
    h.m.cuda.get_mut().textures.all.insert(handle, (resource.into_bytes(), described));
    h.give(out, handle.0, 8)
}

/// `cudaCreateTextureObject(texture, resource, description, view)`
pub(crate) fn create_texture(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let told = read_resource(h, a.ptr(1))?;
    resource(h, &told)?;
    let texture = Structure::read(h, a.ptr(2))?;
    make_texture(h, a.ptr(0), told, texture, a.ptr(3))
}

/// Makes a texture object of a `cudaResourceDesc` and a `cudaTextureDesc`.
pub(super) fn make_texture(
    h: &mut RuntimeCall<'_, '_>,
    out: Ptr,
    told: Structure<cudaResourceDesc>,
    texture: Structure<cudaTextureDesc>,
    view: Ptr,
) -> Api {
    use cudaTextureDesc as Texture;
    let d = resource(h, &told)?;
    if !view.is_null() {
        return Err(Fail::Stop(Stop::unsupported("a texture with a resource view")));
    }
    let (filter, read) = (texture.get(Texture::filterMode), texture.get(Texture::readMode));
    let between = texture.get(Texture::mipmapFilterMode);
    if texture.get(Texture::addressMode).iter().any(|&mode| mode > cudaAddressModeBorder)
        || filter > cudaFilterModeLinear
        || read > cudaReadModeNormalizedFloat
        || !d.levels.is_empty() && between > cudaFilterModeLinear
    {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let floats = d.channels.kind == cudaChannelFormatKindFloat;
    if read == cudaReadModeNormalizedFloat && !floats && d.channels.bits[0] == 32 {
        let message =
            "a texture cannot read 32-bit integers as normalized numbers, only integers of 8 or 16 bits";
        return Err(h.bad_argument(CudaError::INVALID_NORM_SETTING, message.to_owned()));
    }
    let filters = filter == cudaFilterModeLinear || !d.levels.is_empty() && between == cudaFilterModeLinear;
    if filters && read == cudaReadModeElementType && !floats {
        let message = "a texture can filter integers only if it reads them as normalized numbers";
        return Err(h.bad_argument(CudaError::INVALID_FILTER_SETTING, message.to_owned()));
    }
    object(h, out, AllocKind::Texture, &d, Some(texture), told)
}

/// The structure; the part of it that its kind uses.
fn read_resource(h: &mut RuntimeCall<'_, '_>, ptr: Ptr) -> Result<Structure<cudaResourceDesc>, Fail> {
    use cudaResourceDesc as Resource;
    let mut told = Structure::read_to(h, ptr, Resource::resType)?;
    match told.get(Resource::resType) {
        cudaResourceTypeArray => told.read_more(h, ptr, (Resource::array, Resource::array))?,
        cudaResourceTypeMipmappedArray => told.read_more(h, ptr, (Resource::mipmap, Resource::mipmap))?,
        cudaResourceTypeLinear => {
            told.read_more(h, ptr, (Resource::linear_devPtr, Resource::linear_desc))?;
            told.read_more(h, ptr, (Resource::linear_sizeInBytes, Resource::linear_sizeInBytes))?;
        }
        cudaResourceTypePitch2D => {
            told.read_more(h, ptr, (Resource::pitch2D_devPtr, Resource::pitch2D_desc))?;
            told.read_more(h, ptr, (Resource::pitch2D_width, Resource::pitch2D_pitchInBytes))?;
        }
        _ => {}
    }
    Ok(told)
}

/// `cudaCreateSurfaceObject(surface, resource)`
pub(crate) fn create_surface(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let told = read_resource(h, a.ptr(1))?;
    make_surface(h, a.ptr(0), told)
}

/// Makes a surface object of a `cudaResourceDesc`.
pub(super) fn make_surface(h: &mut RuntimeCall<'_, '_>, out: Ptr, told: Structure<cudaResourceDesc>) -> Api {
    if out.is_null() || told.get(cudaResourceDesc::resType) != cudaResourceTypeArray {
        return Err(CudaError::INVALID_VALUE.into());
    }
    if find(h, told.get(cudaResourceDesc::array))?.flags & cudaArraySurfaceLoadStore == 0 {
        let message = "a surface over an array that was made without `cudaArraySurfaceLoadStore`".to_owned();
        return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
    }
    let d = resource(h, &told)?;
    object(h, out, AllocKind::Surface, &d, None, told)
}

/// `cudaDestroyTextureObject` and `cudaDestroySurfaceObject`, which succeed for any value: what is none is reported.
pub(crate) fn destroy(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() {
        return Ok(());
    }
    let kind = h.m.mem.lookup(a.ptr(0)).map(|(.., kind)| kind);
    let (Some(_), Some(kind)) = (h.m.cuda.get_mut().textures.all.remove(&a.ptr(0)), kind) else {
        let message =
            "this value is not a texture or surface object, or the object was destroyed before".to_owned();
        h.bad_argument(CudaError::SUCCESS, message);
        return Ok(());
    };
    // What runs late has its texture still when it runs.
    queue::advance_all(h.m)?;
    let who = h.who;
    let cx = LaneCx::host(&mut h.m.findings);
    h.m.mem.free(&cx, who, a.ptr(0), kind).map_err(Stop::Fault)?;
    Ok(())
}

fn described(h: &mut RuntimeCall<'_, '_>, handle: Ptr, texture: bool) -> Result<Vec<u8>, Fail> {
    match h.m.cuda.get().textures.all.get(&handle) {
        Some((_, t)) if texture => Ok(t.clone()),
        Some((r, _)) => Ok(r.clone()),
        None => Err(CudaError::INVALID_VALUE.into()),
    }
}

/// `cudaGetTextureObjectResourceDesc`, and that of a surface.
pub(crate) fn resource_of(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let bytes = described(h, a.ptr(1), false)?;
    h.store(a.ptr(0), &bytes)
}

/// `cudaGetTextureObjectTextureDesc`
pub(crate) fn texture_of(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let bytes = described(h, a.ptr(1), true)?;
    h.store(a.ptr(0), &bytes)
}

/// `cudaGetTextureObjectResourceViewDesc`, of so many bytes: no texture has a view (see [`create_texture`]), and nothing is
/// what it is told.
pub(crate) fn view_of(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>, bytes: usize) -> Api {
    described(h, a.ptr(1), true)?;
    h.store(a.ptr(0), &vec![0; bytes])
}
