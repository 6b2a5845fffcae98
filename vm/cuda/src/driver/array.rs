//! Arrays and textures, whose descriptions are the driver's own.

use super::memory::{ANY, IN_DEVICE, TO_DEVICE, TO_HOST};
use crate::Kept;
use crate::array::{Array, Channels};
use crate::call::Call;
use crate::memory::{Timing, transfer};
use crate::queue::Extent;
use crate::{Api, CudaError, Fail, array, stream, texture, word_at};
use cudair_engine::Args;
use cudair_engine::guest::Host;
use cudair_lane::ptr::Ptr;

/// The bits and the kind (unsigned, signed, float) of a channel of a `CUarray_format`.
pub(super) fn format_bits(format: u32) -> Option<(u32, u32)> {
    const SIGNED: u32 = 0;
    const UNSIGNED: u32 = 1;
    const FLOAT: u32 = 2;
    Some(match format {
        0x01 => (8, UNSIGNED),
        0x02 => (16, UNSIGNED),
        0x03 => (32, UNSIGNED),
        0x08 => (8, SIGNED),
        0x09 => (16, SIGNED),
        0x0a => (32, SIGNED),
        0x10 => (16, FLOAT),
        0x20 => (32, FLOAT),
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
    let known = [0x01, 0x02, 0x03, 0x08, 0x09, 0x0a, 0x10, 0x20];
    let same = |&f: &u32| format_bits(f) == Some((channels.bits[0], channels.kind));
    let count = channels.bits.iter().filter(|&&b| b != 0).count() as u32;
    (known.into_iter().find(same).unwrap_or(0), count)
}

/// A `CUDA_ARRAY3D_DESCRIPTOR`: extent, channels, flags.
fn volume(h: &mut Host<'_>, at: Ptr) -> Result<([u64; 3], Channels, u32), Fail> {
    let bytes = h.structure(at, 36)?;
    let word = |at: usize| word_at(&bytes, at) as u32;
    Ok(([0, 8, 16].map(|at| word_at(&bytes, at)), channels(word(24), word(28))?, word(32)))
}

/// `cuArrayCreate(array, descriptor)`
pub(super) fn create(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let bytes = h.structure(a.ptr(1), 24)?;
    let channels = channels(word_at(&bytes, 16) as u32, word_at(&bytes, 20) as u32)?;
    array::make(h, a.ptr(0), channels, [word_at(&bytes, 0), word_at(&bytes, 8), 0], 0)
}

/// `cuArray3DCreate(array, descriptor)`
pub(super) fn create_3d(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let (extent, channels, flags) = volume(h, a.ptr(1))?;
    array::make(h, a.ptr(0), channels, extent, flags)
}

/// `cuMipmappedArrayCreate(mipmap, descriptor, levels)`
pub(super) fn create_mipmap(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let (extent, channels, flags) = volume(h, a.ptr(1))?;
    if a.u32(2) == 0 {
        return Err(CudaError::INVALID_VALUE.into());
    }
    array::make_mipmap(h, a.ptr(0), channels, extent, a.u32(2), flags)
}

/// `cuArrayGetDescriptor(descriptor, array)`
pub(super) fn describe(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let array = array::find(h, a.ptr(1))?;
    let (format, count) = format(array.channels);
    let words = [array.width, array.height, u64::from(format) | u64::from(count) << 32];
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    h.store(a.ptr(0), &bytes)
}

/// `cuArray3DGetDescriptor(descriptor, array)`
pub(super) fn describe_3d(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let array = array::find(h, a.ptr(1))?;
    let (format, count) = format(array.channels);
    let kind = u64::from(format) | u64::from(count) << 32;
    let words = [array.width, array.height, array.depth, kind, array.flags.into()];
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    h.store(a.ptr(0), &bytes)
}

// Copies.

/// Where the fields of an end of a copy lie: x, y, z, memory type, host, device, array, pitch, height.
struct Layout {
    end: [i64; 9],
    extent: [i64; 3],
}

/// No such field.
const NONE: i64 = -1;
const SRC_2D: [i64; 9] = [0, 8, NONE, 16, 24, 32, 40, 48, NONE];
const DST_2D: [i64; 9] = [56, 64, NONE, 72, 80, 88, 96, 104, NONE];
const EXTENT_2D: [i64; 3] = [112, 120, NONE];
const SRC_3D: [i64; 9] = [0, 8, 16, 32, 40, 48, 56, 72, 80];
const DST_3D: [i64; 9] = [88, 96, 104, 120, 128, 136, 144, 160, 168];
const EXTENT_3D: [i64; 3] = [176, 184, 192];

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

const HOST: u32 = 1;
const DEVICE: u32 = 2;
const ARRAY: u32 = 3;
const UNIFIED: u32 = 4;

/// Reads an end. What a program does not use of the structure it need not write, and is not looked at.
fn end(h: &mut Host<'_>, at: Ptr, layout: &Layout) -> Result<(End, Extent), Fail> {
    let field = |h: &mut Host<'_>, offset: i64, bytes: u64, absent: u64| {
        if offset == NONE { Ok(absent) } else { h.value(at.add(offset), bytes) }
    };
    let [width, height, depth] = layout.extent;
    let extent = Extent {
        width: field(h, width, 8, 1)?,
        height: field(h, height, 8, 1)?,
        depth: field(h, depth, 8, 1)?,
    };
    let [x, y, z, kind, host, device, array, pitch, rows] = layout.end;
    let position = [field(h, x, 8, 0)?, field(h, y, 8, 0)?, field(h, z, 8, 0)?];
    let kind = field(h, kind, 4, 0)? as u32;
    let mut end =
        End { position, kind, ptr: Ptr::NULL, array: None, handle: Ptr::NULL, pitch: 0, rows: extent.height };
    match kind {
        ARRAY => {
            end.handle = Ptr(field(h, array, 8, 0)?);
            end.array = Some(array::find(h, end.handle)?);
        }
        HOST | DEVICE | UNIFIED => {
            end.ptr = Ptr(field(h, if kind == HOST { host } else { device }, 8, 0)?);
            end.pitch = field(h, pitch, 8, 0)?;
            if extent.depth > 1 {
                end.rows = field(h, rows, 8, 0)?;
            }
            // Rows one behind the other.
            let row = extent.width.saturating_add(position[0]);
            if end.pitch == 0 {
                end.pitch = row;
            }
            let most = h.m.config.device.mem_pitch;
            if extent.height > 1 && (end.pitch < row || end.pitch > most) {
                return Err(CudaError::INVALID_VALUE.into());
            }
            if end.rows == 0 {
                end.rows = extent.height.saturating_add(position[1]);
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
        self.kind == HOST
    }
}

/// `cudaMemcpyKind` of a copy between ends.
fn direction(src: &End, dst: &End) -> i32 {
    if src.kind == UNIFIED || dst.kind == UNIFIED {
        return ANY;
    }
    match (src.is_host(), dst.is_host()) {
        (true, true) => 0,
        (true, false) => TO_DEVICE,
        (false, true) => TO_HOST,
        (false, false) => IN_DEVICE,
    }
}

fn timing(h: &mut Host<'_>, a: &Args<'_>, is_async: bool) -> Result<Timing, Fail> {
    Ok(if is_async { Timing::Async(stream::find(h, a.ptr(1))?) } else { Timing::Blocking })
}

fn ends(h: &mut Host<'_>, at: Ptr, flat: bool) -> Result<(End, End, Extent), Fail> {
    if at.is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let [src, dst] = if flat { [SRC_2D, DST_2D] } else { [SRC_3D, DST_3D] };
    let extent = if flat { EXTENT_2D } else { EXTENT_3D };
    let (src, _) = end(h, at, &Layout { end: src, extent })?;
    let (dst, extent) = end(h, at, &Layout { end: dst, extent })?;
    Ok((src, dst, extent))
}

fn copy(h: &mut Host<'_>, a: &Args<'_>, flat: bool, is_async: bool) -> Api {
    let timing = timing(h, a, is_async)?;
    let (src, dst, extent) = ends(h, a.ptr(0), flat)?;
    let (to, from) = (dst.place(h, extent)?, src.place(h, extent)?);
    transfer(h, to, from, extent, direction(&src, &dst), timing)
}

/// `cuMemcpy2D(copy)`
pub(super) fn copy_2d(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    copy(h, a, true, false)
}

/// `cuMemcpy2DAsync(copy, stream)`
pub(super) fn copy_2d_async(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    copy(h, a, true, true)
}

/// `cuMemcpy3D(copy)`
pub(super) fn copy_3d(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    copy(h, a, false, false)
}

/// `cuMemcpy3DAsync(copy, stream)`
pub(super) fn copy_3d_async(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    copy(h, a, false, true)
}

/// The runtime's description of a copy, for a node of a graph.
pub(super) fn parameters(h: &mut Host<'_>, at: Ptr) -> Result<Vec<u8>, Fail> {
    let (src, dst, extent) = ends(h, at, false)?;
    let element = dst.array.or(src.array).map_or(1, |a| a.channels.bytes().max(1));
    let mut words = Vec::new();
    for end in [src, dst] {
        let [x, y, z] = end.position;
        let x = if end.array.is_some() { x / element } else { x };
        words.extend([end.handle.0, x, y, z, end.ptr.0, end.pitch, extent.width, end.rows]);
    }
    words.extend([extent.width / element, extent.height, extent.depth]);
    words.push(direction(&src, &dst) as u64);
    Ok(words.iter().flat_map(|w| w.to_le_bytes()).collect())
}

/// What the driver calls a copy that the runtime describes.
pub(super) fn described(h: &mut Host<'_>, bytes: &[u8]) -> Result<Vec<u8>, Fail> {
    let kind = word_at(bytes, 152) as u32;
    let mut out = vec![0; 200];
    let mut element = 1;
    for (from, to, is_host) in [(0, SRC_3D, matches!(kind, 0 | 1)), (64, DST_3D, matches!(kind, 0 | 2))] {
        let mut put =
            |at: i64, word: u64| out[at as usize..at as usize + 8].copy_from_slice(&word.to_le_bytes());
        let word = |i: usize| word_at(bytes, from + 8 * i);
        let mut x = word(1);
        let memory = if word(0) != 0 {
            element = array::find(h, Ptr(word(0)))?.channels.bytes();
            x = x.saturating_mul(element);
            put(to[6], word(0));
            ARRAY
        } else {
            let of = if kind as i32 == ANY {
                UNIFIED
            } else if is_host {
                HOST
            } else {
                DEVICE
            };
            put(if of == HOST { to[4] } else { to[5] }, word(4));
            put(to[7], word(5));
            put(to[8], word(7));
            of
        };
        put(to[0], x);
        put(to[1], word(2));
        put(to[2], word(3));
        put(to[3], memory.into());
    }
    let extent = [word_at(bytes, 128).saturating_mul(element), word_at(bytes, 136), word_at(bytes, 144)];
    for (at, word) in EXTENT_3D.into_iter().zip(extent) {
        out[at as usize..at as usize + 8].copy_from_slice(&word.to_le_bytes());
    }
    Ok(out)
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
    transfer(h, to, from, Extent::linear(a.u64(4)), IN_DEVICE, Timing::Blocking)
}

// Textures and surfaces.

/// What a program said of a resource: the runtime's structure, the channels, and its own bytes.
fn resource(h: &mut Host<'_>, at: Ptr) -> Result<(Vec<u8>, Channels, Vec<u8>), Fail> {
    const LINEAR: u64 = 2;
    const PITCHED: u64 = 3;
    if at.is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let kind = h.value(at, 4)?;
    let first = h.value(at.add(8), 8)?;
    let mut own = vec![0; 144];
    let mut bytes = vec![0; 64];
    for part in [&mut own, &mut bytes] {
        part[..8].copy_from_slice(&kind.to_le_bytes());
        part[8..16].copy_from_slice(&first.to_le_bytes());
    }
    let of = match kind {
        0 => array::find(h, Ptr(first))?.channels,
        1 => {
            let levels = array::levels(h, Ptr(first))?;
            array::find(h, levels[0])?.channels
        }
        LINEAR | PITCHED => {
            let rest = h.structure(at.add(16), if kind == LINEAR { 16 } else { 32 })?;
            own[16..16 + rest.len()].copy_from_slice(&rest);
            let of = channels(word_at(&rest, 0) as u32, word_at(&rest, 4) as u32)?;
            for (i, word) in of.bits.into_iter().chain([of.kind]).enumerate() {
                bytes[16 + 4 * i..20 + 4 * i].copy_from_slice(&word.to_le_bytes());
            }
            bytes[40..40 + rest.len() - 8].copy_from_slice(&rest[8..]);
            of
        }
        _ => return Err(CudaError::INVALID_VALUE.into()),
    };
    Ok((bytes, of, own))
}

/// `cuTexObjectCreate(texture, resource, description, view)`
pub(super) fn create_texture(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    const AS_INTEGER: u32 = 1;
    const NORMALIZED: u32 = 2;
    const SRGB: u32 = 0x10;
    if a.ptr(0).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let (bytes, of, own) = resource(h, a.ptr(1))?;
    let how = h.structure(a.ptr(2), 56)?;
    let flags = word_at(&how, 16) as u32;
    let mut texture = vec![0; 72];
    let mut put = |at: usize, from: &[u8]| texture[at..at + from.len()].copy_from_slice(from);
    // Address modes and filter.
    put(0, &how[..16]);
    // Integers are read as fractions of their range unless the description says otherwise.
    let fraction = of.kind != 2 && of.bits[0] != 32 && flags & AS_INTEGER == 0;
    put(16, &u32::from(fraction).to_le_bytes());
    put(20, &u32::from(flags & SRGB != 0).to_le_bytes());
    put(24, &how[40..56]);
    put(40, &u32::from(flags & NORMALIZED != 0).to_le_bytes());
    // Anisotropy, filter between levels, their bias and bounds.
    put(44, &how[20..40]);
    texture::make_texture(h, a.ptr(0), bytes, &texture, a.ptr(3))?;
    let handle = Ptr(h.value(a.ptr(0), 8)?);
    let mut how = how;
    how.resize(104, 0);
    h.m.cuda.get_mut().described.insert(handle, (own, how));
    Ok(())
}

/// `cuSurfObjectCreate(surface, resource)`
pub(super) fn create_surface(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    if a.ptr(0).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let (bytes, _, own) = resource(h, a.ptr(1))?;
    texture::make_surface(h, a.ptr(0), bytes)?;
    let handle = Ptr(h.value(a.ptr(0), 8)?);
    h.m.cuda.get_mut().described.insert(handle, (own, Vec::new()));
    Ok(())
}

/// `cuTexObjectDestroy(texture)` and `cuSurfObjectDestroy(surface)`
pub(super) fn destroy(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    texture::destroy(h, a)?;
    h.m.cuda.get_mut().described.remove(&a.ptr(0));
    Ok(())
}

/// `cuTexObjectGetResourceDesc(resource, texture)`, and that of a surface
pub(super) fn resource_of(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let known = h.m.cuda.get().described.get(&a.ptr(1)).map(|(resource, _)| resource.clone());
    h.store(a.ptr(0), &known.ok_or(CudaError::INVALID_VALUE)?)
}

/// `cuTexObjectGetTextureDesc(description, texture)`
pub(super) fn texture_of(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    let known = h.m.cuda.get().described.get(&a.ptr(1)).map(|(_, texture)| texture.clone());
    h.store(a.ptr(0), &known.filter(|t| !t.is_empty()).ok_or(CudaError::INVALID_VALUE)?)
}
