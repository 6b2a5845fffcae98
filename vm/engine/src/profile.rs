//! Devices: what a program sees of the card it runs on.

mod cards;

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What a CUDA device is: the numbers that its properties, attributes and launch checks come from.
/// Names follow `cudaDeviceProp`, whose documentation says what each means. As text all fields stand side by side.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields are those of cudaDeviceProp, documented there")]
pub struct DeviceProfile {
    /// The short name on the command line (`--device`).
    pub profile: Cow<'static, str>,
    pub name: Cow<'static, str>,
    /// Version of the driver and of the runtime, as `cudaDriverGetVersion` gives them.
    pub driver_version: i32,
    pub runtime_version: i32,
    pub major: i32,
    pub minor: i32,
    pub tcc_driver: bool,
    #[serde(flatten)]
    pub block: BlockLimits,
    #[serde(flatten)]
    pub multiprocessor: Multiprocessor,
    #[serde(flatten)]
    pub memory: DeviceMemory,
    #[serde(flatten)]
    pub texture: TextureLimits,
}

/// What a block and a grid may be at most.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields are those of cudaDeviceProp, documented there")]
pub struct BlockLimits {
    pub max_threads_per_block: i32,
    pub max_threads_dim: [i32; 3],
    pub max_grid_size: [i32; 3],
    pub shared_mem_per_block: u64,
    pub shared_mem_per_block_optin: u64,
    pub reserved_shared_mem_per_block: u64,
    pub regs_per_block: i32,
    pub warp_size: i32,
    /// Blocks form clusters (compute capability 9.0).
    pub cluster_launch: bool,
}

/// The multiprocessors: how many, what each holds, how fast they are.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields are those of cudaDeviceProp, documented there")]
pub struct Multiprocessor {
    pub multiprocessor_count: i32,
    pub max_threads_per_multiprocessor: i32,
    pub max_blocks_per_multiprocessor: i32,
    pub shared_mem_per_multiprocessor: u64,
    pub regs_per_multiprocessor: i32,
    /// kHz
    pub clock_rate: i32,
    pub single_to_double_ratio: i32,
}

/// Memory, caches, and the ways to them.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields are those of cudaDeviceProp, documented there")]
pub struct DeviceMemory {
    pub total_global_mem: u64,
    pub total_const_mem: u64,
    pub mem_pitch: u64,
    pub l2_cache_size: i32,
    pub persisting_l2_cache_max_size: i32,
    pub access_policy_max_window_size: i32,
    /// kHz
    pub memory_clock_rate: i32,
    pub memory_bus_width: i32,
    pub ecc_enabled: bool,
    pub async_engine_count: i32,
}

/// Textures and surfaces: alignments and the largest of each kind.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields are those of cudaDeviceProp, documented there")]
pub struct TextureLimits {
    pub texture_alignment: u64,
    pub texture_pitch_alignment: u64,
    pub surface_alignment: u64,
    pub max_texture_1d: i32,
    pub max_texture_1d_mipmap: i32,
    pub max_texture_1d_linear: i32,
    pub max_texture_2d: [i32; 2],
    pub max_texture_2d_mipmap: [i32; 2],
    pub max_texture_2d_linear: [i32; 3],
    pub max_texture_2d_gather: [i32; 2],
    pub max_texture_3d: [i32; 3],
    pub max_texture_3d_alt: [i32; 3],
    pub max_texture_cubemap: i32,
    pub max_texture_1d_layered: [i32; 2],
    pub max_texture_2d_layered: [i32; 3],
    pub max_texture_cubemap_layered: [i32; 2],
    pub max_surface_1d: i32,
    pub max_surface_2d: [i32; 2],
    pub max_surface_3d: [i32; 3],
    pub max_surface_1d_layered: [i32; 2],
    pub max_surface_2d_layered: [i32; 3],
    pub max_surface_cubemap: i32,
    pub max_surface_cubemap_layered: [i32; 2],
}

impl Default for DeviceProfile {
    fn default() -> DeviceProfile {
        DeviceProfile::H100
    }
}

impl DeviceProfile {
    /// Every profile, the default first.
    pub const ALL: [&'static DeviceProfile; 9] = [
        &DeviceProfile::H100,
        &DeviceProfile::A100,
        &DeviceProfile::RTX4090,
        &DeviceProfile::RTX3090,
        &DeviceProfile::T4,
        &DeviceProfile::V100,
        &DeviceProfile::P100,
        &DeviceProfile::GTX980,
        &DeviceProfile::K40,
    ];

    /// The profile of a command-line name.
    pub fn from_name(name: &str) -> Option<&'static DeviceProfile> {
        DeviceProfile::ALL.into_iter().find(|p| p.profile.eq_ignore_ascii_case(name))
    }

    /// The compute capability times ten.
    pub fn capability(&self) -> u32 {
        (self.major * 10 + self.minor).unsigned_abs()
    }

    /// Whether all blocks of a launch can wait for each other, and the host can touch managed memory while the device
    /// works (compute capability 6.0).
    pub fn pascal(&self) -> bool {
        self.major >= 6
    }

    /// Whether the driver has pools of memory for the device (compute capability 5.0).
    pub fn memory_pools(&self) -> bool {
        self.major >= 5
    }

    /// Whether barriers count live threads and lanes progress independently (compute capability 7.0).
    pub fn independent_threads(&self) -> bool {
        self.major >= 7
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_found_by_name() {
        for p in DeviceProfile::ALL {
            assert_eq!(DeviceProfile::from_name(&p.profile), Some(p));
        }
        assert_eq!(DeviceProfile::from_name("voodoo"), None);
    }
}
