//! Textures and surfaces: objects through which kernels read and write arrays and memory. Such an object is the address
//! of a description that the device functions of the headers (`cudair/texture.h`) read, so that what they touch are the
//! array's own bytes.

use super::array::{Array, CUBEMAP, Channels, LAYERED, SURFACE, find, levels};
use super::{Api, CudaError, Fail, memory, queue, word_at};
use crate::Kept;
use crate::call::Call;
use cudair_engine::Args;
use cudair_engine::guest::Host;
use cudair_ir::Space;
use cudair_lane::fault::{AllocKind, Stop};
use cudair_lane::ptr::Ptr;
use cudair_memory::{AllocInfo, InitState, LaneCx};

/// The bytes of a description: the header's `__cudair_texture`.
const DESCRIPTION: usize = 120;

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
fn resource(h: &mut Host<'_>, bytes: &[u8]) -> Result<Description, Fail> {
    let (ptr, channels) = (Ptr(word_at(bytes, 8)), Channels::read(bytes, 16));
    let kind = word_at(bytes, 0) as u32;
    let d = match kind {
        0 => {
            let array = find(h, ptr)?;
            Description::of_array(array, Vec::new())
        }
        1 => {
            let levels = levels(h, ptr)?.into_iter().map(|l| find(h, l)).collect::<Result<Vec<_>, _>>()?;
            Description::of_array(levels[0], levels)
        }
        2 => {
            let size = word_at(bytes, 40);
            let width = size / channels.bytes().max(1);
            Description {
                data: ptr,
                pitch: size,
                slice: size,
                extent: [width, 1, 1],
                shape: 0,
                channels,
                levels: Vec::new(),
            }
        }
        3 => {
            let (width, height, pitch) = (word_at(bytes, 40), word_at(bytes, 48), word_at(bytes, 56));
            if pitch < width.saturating_mul(channels.bytes()) {
                return Err(CudaError::INVALID_VALUE.into());
            }
            let alignment = h.m.config.device.texture_pitch_alignment.max(1);
            if !pitch.is_multiple_of(alignment) {
                let message = format!(
                    "the rows of this texture are {pitch} bytes apart, which is not a multiple of \
                     {alignment}"
                );
                return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
            }
            let slice = pitch.saturating_mul(height);
            let extent = [width, height, 1];
            Description { data: ptr, pitch, slice, extent, shape: 2, channels, levels: Vec::new() }
        }
        _ => return Err(CudaError::INVALID_VALUE.into()),
    };
    if !d.channels.is_texel() {
        return Err(CudaError::INVALID_CHANNEL_DESCRIPTOR.into());
    }
    if kind >= 2 {
        let last = d.slice - (d.pitch - d.extent[0] * d.channels.bytes()).min(d.slice);
        h.check_range(d.data, last, false)?;
        let alignment = h.m.config.device.texture_alignment.max(1);
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
    h: &mut Host<'_>,
    out: Ptr,
    kind: AllocKind,
    d: &Description,
    texture: &[u8],
    resource: Vec<u8>,
) -> Api {
    let mut bytes = Vec::with_capacity(DESCRIPTION);
    for word in [d.data.0, d.pitch, d.slice] {
        bytes.extend(word.to_le_bytes());
    }
    for word in d.extent {
        bytes.extend((word.min(u64::from(u32::MAX)) as u32).to_le_bytes());
    }
    bytes.extend(d.shape.to_le_bytes());
    bytes.extend(d.channels.bits[0].to_le_bytes());
    bytes.extend((d.channels.bits.iter().filter(|&&b| b != 0).count() as u32).to_le_bytes());
    bytes.extend(d.channels.kind.to_le_bytes());
    // Address modes, filter, read mode, sRGB, border, normalized coordinates, anisotropy, filter between levels, their bias
    // and bounds; those of a surface are zeros.
    bytes.extend_from_slice(texture.get(..64).unwrap_or(&[0; 64]));
    bytes.extend((d.levels.len() as u32).to_le_bytes());
    debug_assert_eq!(bytes.len(), DESCRIPTION);
    for level in &d.levels {
        for word in [level.data.0, level.row(), level.slice()] {
            bytes.extend(word.to_le_bytes());
        }
        for word in [level.width, level.height.max(1), level.depth.max(1), 0] {
            bytes.extend((word as u32).to_le_bytes());
        }
    }
    let info = AllocInfo { kind, name: None, place: h.who.place };
    let handle = h.m.mem.alloc(Space::Host, bytes.len() as u64, 16, InitState::Zero, info)?;
    h.store(handle, &bytes)?;
    h.m.mem.set_mapped(handle, true);
    h.m.mem.set_read_only(handle);
    h.m.cuda.get_mut().textures.insert(handle, (resource, texture.to_vec()));
    h.give(out, handle.0, 8)
}

/// `cudaCreateTextureObject(texture, resource, description, view)`
pub(crate) fn create_texture(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let bytes = resource_bytes(h, a.ptr(1))?;
    resource(h, &bytes)?;
    let texture = h.structure(a.ptr(2), 72)?;
    make_texture(h, a.ptr(0), bytes, &texture, a.ptr(3))
}

/// Makes a texture object of a `cudaResourceDesc` and a `cudaTextureDesc`.
pub(super) fn make_texture(h: &mut Host<'_>, out: Ptr, bytes: Vec<u8>, texture: &[u8], view: Ptr) -> Api {
    let d = resource(h, &bytes)?;
    if !view.is_null() {
        return Err(Fail::Stop(Stop::unsupported("a texture with a resource view")));
    }
    let word = |at: usize| word_at(texture, at) as u32;
    let (filter, read) = (word(12), word(16));
    if (0..3).any(|i| word(4 * i) > 3) || filter > 1 || read > 1 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let between = word(48);
    if !d.levels.is_empty() && between > 1 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let floats = d.channels.kind == 2;
    if read == 1 && !floats && d.channels.bits[0] == 32 {
        let message =
            "a texture cannot read 32-bit integers as normalized numbers, only integers of 8 or 16 bits";
        return Err(h.bad_argument(CudaError::INVALID_NORM_SETTING, message.to_owned()));
    }
    if (filter == 1 || !d.levels.is_empty() && between == 1) && read == 0 && !floats {
        let message = "a texture can filter integers only if it reads them as normalized numbers";
        return Err(h.bad_argument(CudaError::INVALID_FILTER_SETTING, message.to_owned()));
    }
    object(h, out, AllocKind::Texture, &d, texture, bytes)
}

/// The structure; the part of it that its kind uses.
fn resource_bytes(h: &mut Host<'_>, ptr: Ptr) -> Result<Vec<u8>, Fail> {
    let mut bytes = h.structure(ptr, 4)?;
    bytes.resize(64, 0);
    let parts: &[(usize, usize)] = match word_at(&bytes, 0) as u32 {
        0 | 1 => &[(8, 8)],
        2 => &[(8, 28), (40, 8)],
        3 => &[(8, 28), (40, 24)],
        _ => &[],
    };
    for &(at, len) in parts {
        let part = h.structure(ptr.add(at as i64), len as u64)?;
        bytes[at..at + len].copy_from_slice(&part);
    }
    Ok(bytes)
}

/// `cudaCreateSurfaceObject(surface, resource)`
pub(crate) fn create_surface(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let bytes = resource_bytes(h, a.ptr(1))?;
    make_surface(h, a.ptr(0), bytes)
}

/// Makes a surface object of a `cudaResourceDesc`.
pub(super) fn make_surface(h: &mut Host<'_>, out: Ptr, bytes: Vec<u8>) -> Api {
    if out.is_null() || word_at(&bytes, 0) as u32 != 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    if find(h, Ptr(word_at(&bytes, 8)))?.flags & SURFACE == 0 {
        let message = "a surface over an array that was made without `cudaArraySurfaceLoadStore`".to_owned();
        return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
    }
    let d = resource(h, &bytes)?;
    object(h, out, AllocKind::Surface, &d, &[], bytes)
}

/// `cudaDestroyTextureObject` and `cudaDestroySurfaceObject`.
pub(crate) fn destroy(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() {
        return Ok(());
    }
    let kind = h.m.mem.lookup(a.ptr(0)).map(|(.., kind)| kind);
    let (Some(_), Some(kind)) = (h.m.cuda.get_mut().textures.remove(&a.ptr(0)), kind) else {
        let message =
            "this value is not a texture or surface object, or the object was destroyed before".to_owned();
        return Err(h.bad_argument(CudaError::INVALID_VALUE, message));
    };
    // What runs late has its texture still when it runs.
    queue::advance_all(h.m)?;
    let who = h.who;
    let cx = LaneCx::host(&mut h.m.findings);
    h.m.mem.free(&cx, who, a.ptr(0), kind).map_err(Stop::Fault)?;
    Ok(())
}

fn described(h: &mut Host<'_>, handle: Ptr, texture: bool) -> Result<Vec<u8>, Fail> {
    match h.m.cuda.get().textures.get(&handle) {
        Some((_, t)) if texture => Ok(t.clone()),
        Some((r, _)) => Ok(r.clone()),
        None => Err(CudaError::INVALID_VALUE.into()),
    }
}

/// `cudaGetTextureObjectResourceDesc`, and that of a surface.
pub(crate) fn resource_of(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let bytes = described(h, a.ptr(1), false)?;
    h.store(a.ptr(0), &bytes)
}

/// `cudaGetTextureObjectTextureDesc`
pub(crate) fn texture_of(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let bytes = described(h, a.ptr(1), true)?;
    h.store(a.ptr(0), &bytes)
}

/// `cudaGetTextureObjectResourceViewDesc`: no texture has a view (see [`create_texture`]).
pub(crate) fn view_of(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    described(h, a.ptr(1), true)?;
    Err(CudaError::INVALID_VALUE.into())
}
