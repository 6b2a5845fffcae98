//! `cudaGetDeviceProperties` and `cudaDeviceGetAttribute`, from the device's profile.

use super::device::known;
use super::{Api, CudaError};
use crate::call::Call;
use cudair_engine::Args;
use cudair_engine::guest::Host;
use cudair_engine::profile::DeviceProfile;

/// A structure written field after field, with C's padding.
#[derive(Default)]
struct Structure {
    bytes: Vec<u8>,
}

impl Structure {
    fn align(&mut self, n: usize) {
        self.bytes.resize(self.bytes.len().next_multiple_of(n), 0);
    }

    fn int(&mut self, value: i32) -> &mut Structure {
        self.align(4);
        self.bytes.extend(value.to_le_bytes());
        self
    }

    fn ints(&mut self, values: &[i32]) -> &mut Structure {
        for &v in values {
            self.int(v);
        }
        self
    }

    fn flag(&mut self, value: bool) -> &mut Structure {
        self.int(i32::from(value))
    }

    fn size(&mut self, value: u64) -> &mut Structure {
        self.align(8);
        self.bytes.extend(value.to_le_bytes());
        self
    }

    fn raw(&mut self, bytes: &[u8], len: usize) -> &mut Structure {
        let end = self.bytes.len() + len;
        self.bytes.extend(&bytes[..bytes.len().min(len)]);
        self.bytes.resize(end, 0);
        self
    }
}

/// What tells the device apart from others.
pub(super) const UUID: [u8; 16] = [0xcd, 0xa1, 0x50, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1];

/// The bytes of `cudaDeviceProp` of version 12.9.
fn structure(p: &DeviceProfile) -> Vec<u8> {
    let mut s = Structure::default();
    s.raw(p.name.as_bytes(), 256);
    s.raw(&UUID, 16);
    s.raw(&[], 8).int(0);
    s.size(p.total_global_mem).size(p.shared_mem_per_block).int(p.regs_per_block).int(p.warp_size);
    s.size(p.mem_pitch).int(p.max_threads_per_block).ints(&p.max_threads_dim).ints(&p.max_grid_size);
    s.int(p.clock_rate).size(p.total_const_mem).int(p.major).int(p.minor);
    s.size(p.texture_alignment).size(p.texture_pitch_alignment);
    // Overlap, processors, no time limit, not integrated, maps host memory, default mode.
    s.flag(true).int(p.multiprocessor_count).flag(false).flag(false).flag(true).int(0);
    s.int(p.max_texture_1d).int(p.max_texture_1d_mipmap).int(p.max_texture_1d_linear);
    s.ints(&p.max_texture_2d).ints(&p.max_texture_2d_mipmap).ints(&p.max_texture_2d_linear);
    s.ints(&p.max_texture_2d_gather).ints(&p.max_texture_3d).ints(&p.max_texture_3d_alt);
    s.int(p.max_texture_cubemap).ints(&p.max_texture_1d_layered).ints(&p.max_texture_2d_layered);
    s.ints(&p.max_texture_cubemap_layered).int(p.max_surface_1d).ints(&p.max_surface_2d);
    s.ints(&p.max_surface_3d).ints(&p.max_surface_1d_layered).ints(&p.max_surface_2d_layered);
    s.int(p.max_surface_cubemap).ints(&p.max_surface_cubemap_layered).size(p.surface_alignment);
    // Concurrent kernels, error correction, bus 1 device 0 domain 0.
    s.flag(true).flag(p.ecc_enabled).ints(&[1, 0, 0]).flag(p.tcc_driver).int(p.async_engine_count);
    // One address space.
    s.flag(true).int(p.memory_clock_rate).int(p.memory_bus_width).int(p.l2_cache_size);
    s.int(p.persisting_l2_cache_max_size).int(p.max_threads_per_multiprocessor);
    // Stream priorities, caches in L1.
    s.flag(true).flag(true).flag(true);
    s.size(p.shared_mem_per_multiprocessor).int(p.regs_per_multiprocessor);
    // Managed memory, a board of its own; no native atomics on host memory.
    s.flag(true).flag(false).int(0).flag(false).int(p.single_to_double_ratio);
    // No pageable access, concurrent managed access, preemption, host pointers as they are, cooperative
    // launches on one device.
    s.flag(false).flag(p.pascal()).flag(p.pascal()).flag(p.pascal()).flag(p.pascal()).flag(false);
    s.size(p.shared_mem_per_block_optin).flag(false).flag(false);
    s.int(p.max_blocks_per_multiprocessor).int(p.access_policy_max_window_size);
    s.size(p.reserved_shared_mem_per_block);
    // Registration of host memory, read-only too, pools; neither sparse arrays nor semaphores of others.
    s.flag(true).flag(false).flag(true).flag(false).flag(p.memory_pools());
    // No direct access over the network: its support, flush options and ordering.
    s.flag(false).int(0).int(0);
    // Handles of pools (file descriptors), deferred arrays, events between processes.
    s.int(i32::from(p.memory_pools())).flag(false).flag(true).flag(p.cluster_launch).flag(false);
    s.ints(&[0; 63]);
    s.align(8);
    s.bytes
}

pub(crate) fn get(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    known(a.i32(1))?;
    if a.ptr(0).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let total_global_mem = super::memory::total_bytes(h.m);
    let bytes = structure(&DeviceProfile { total_global_mem, ..DeviceProfile::clone(&h.m.config.device) });
    h.store(a.ptr(0), &bytes)?;
    Ok(())
}

pub(crate) fn attribute(h: &mut Host<'_>, a: &Args<'_>) -> Api {
    known(a.i32(2))?;
    let Some(value) = value(&h.m.config.device, a.i32(1)) else {
        return Err(CudaError::INVALID_VALUE.into());
    };
    h.give(a.ptr(0), u64::from(value as u32), 4)
}

fn clamp(bytes: u64) -> i32 {
    i32::try_from(bytes).unwrap_or(i32::MAX)
}

/// The value of a `cudaDeviceAttr`.
fn value(p: &DeviceProfile, attribute: i32) -> Option<i32> {
    Some(match attribute {
        1 => p.max_threads_per_block,
        2..=4 => p.max_threads_dim[attribute as usize - 2],
        5..=7 => p.max_grid_size[attribute as usize - 5],
        8 => clamp(p.shared_mem_per_block),
        9 => clamp(p.total_const_mem),
        10 => p.warp_size,
        11 => clamp(p.mem_pitch),
        12 => p.regs_per_block,
        13 => p.clock_rate,
        14 => clamp(p.texture_alignment),
        15 => 1,
        16 => p.multiprocessor_count,
        17 | 18 => 0,
        19 => 1,
        20 => 0,
        21 => p.max_texture_1d,
        22 | 23 => p.max_texture_2d[attribute as usize - 22],
        24..=26 => p.max_texture_3d[attribute as usize - 24],
        27..=29 => p.max_texture_2d_layered[attribute as usize - 27],
        30 => clamp(p.surface_alignment),
        31 => 1,
        32 => i32::from(p.ecc_enabled),
        33 => 1,
        34 => 0,
        35 => i32::from(p.tcc_driver),
        36 => p.memory_clock_rate,
        37 => p.memory_bus_width,
        38 => p.l2_cache_size,
        39 => p.max_threads_per_multiprocessor,
        40 => p.async_engine_count,
        41 => 1,
        42 | 43 => p.max_texture_1d_layered[attribute as usize - 42],
        45 | 46 => p.max_texture_2d_gather[attribute as usize - 45],
        47..=49 => p.max_texture_3d_alt[attribute as usize - 47],
        50 => 0,
        51 => clamp(p.texture_pitch_alignment),
        52 => p.max_texture_cubemap,
        53 | 54 => p.max_texture_cubemap_layered[attribute as usize - 53],
        55 => p.max_surface_1d,
        56 | 57 => p.max_surface_2d[attribute as usize - 56],
        58..=60 => p.max_surface_3d[attribute as usize - 58],
        61 | 62 => p.max_surface_1d_layered[attribute as usize - 61],
        63..=65 => p.max_surface_2d_layered[attribute as usize - 63],
        66 => p.max_surface_cubemap,
        67 | 68 => p.max_surface_cubemap_layered[attribute as usize - 67],
        69 => p.max_texture_1d_linear,
        70..=72 => p.max_texture_2d_linear[attribute as usize - 70],
        73 | 74 => p.max_texture_2d_mipmap[attribute as usize - 73],
        75 => p.major,
        76 => p.minor,
        77 => p.max_texture_1d_mipmap,
        78..=80 => 1,
        81 => clamp(p.shared_mem_per_multiprocessor),
        82 => p.regs_per_multiprocessor,
        83 => 1,
        84..=86 => 0,
        87 => p.single_to_double_ratio,
        88 => 0,
        89..=91 => i32::from(p.pascal()),
        92..=94 => 0,
        95 => i32::from(p.pascal()),
        96 => 0,
        97 => clamp(p.shared_mem_per_block_optin),
        98 => 1,
        99 => 1,
        100 | 101 => 0,
        // Virtual memory, and handles and compression of it.
        102 => 1,
        103..=105 | 110 => 0,
        107 => i32::from(p.major >= 8),
        106 => p.max_blocks_per_multiprocessor,
        108 => p.persisting_l2_cache_max_size,
        109 => p.access_policy_max_window_size,
        111 => clamp(p.reserved_shared_mem_per_block),
        112 | 114 => 0,
        113 => 1,
        115 | 119 => i32::from(p.memory_pools()),
        116..=118 => 0,
        120 => i32::from(p.cluster_launch),
        121..=124 => 0,
        125 => 1,
        126 => {
            if p.major >= 9 {
                4
            } else {
                1
            }
        }
        127..=130 => 0,
        131 => -1,
        132..=134 => 0,
        135..=145 => 0,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(bytes: &[u8], at: usize) -> i32 {
        i32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
    }

    #[test]
    fn the_structure_has_its_documented_layout() {
        // Offsets of cudaDeviceProp in CUDA 12.9, as a C compiler gives them.
        let p = DeviceProfile::H100;
        let b = structure(&p);
        assert_eq!(b.len(), 1032);
        assert_eq!(int(&b, 308), 32, "warpSize");
        assert_eq!(int(&b, 320), 1024, "maxThreadsPerBlock");
        assert_eq!(int(&b, 348), p.clock_rate, "clockRate");
        assert_eq!(int(&b, 360), 9, "major");
        assert_eq!(int(&b, 388), p.multiprocessor_count, "multiProcessorCount");
        assert_eq!(int(&b, 612), p.memory_bus_width, "memoryBusWidth");
        assert_eq!(int(&b, 712), p.max_blocks_per_multiprocessor, "maxBlocksPerMultiProcessor");
        assert_eq!(int(&b, 776), 0, "unifiedFunctionPointers");
    }

    #[test]
    fn attributes_agree_with_the_profile() {
        let p = DeviceProfile::default();
        assert_eq!(value(&p, 1), Some(1024));
        assert_eq!(value(&p, 10), Some(32));
        assert_eq!(value(&p, 75), Some(p.major));
        assert_eq!(value(&p, 0), None);
        assert_eq!(value(&p, 10_000), None);
    }
}
