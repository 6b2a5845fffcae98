//! Devices: what a program sees of the card it runs on.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What a CUDA device is: the numbers that its properties, attributes and launch checks come from.
/// Names follow `cudaDeviceProp`, whose documentation says what each means.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
    pub total_global_mem: u64,
    pub shared_mem_per_block: u64,
    pub shared_mem_per_block_optin: u64,
    pub shared_mem_per_multiprocessor: u64,
    pub reserved_shared_mem_per_block: u64,
    pub regs_per_block: i32,
    pub regs_per_multiprocessor: i32,
    pub warp_size: i32,
    pub mem_pitch: u64,
    pub max_threads_per_block: i32,
    pub max_threads_dim: [i32; 3],
    pub max_grid_size: [i32; 3],
    /// kHz
    pub clock_rate: i32,
    /// kHz
    pub memory_clock_rate: i32,
    pub memory_bus_width: i32,
    pub total_const_mem: u64,
    pub texture_alignment: u64,
    pub texture_pitch_alignment: u64,
    pub surface_alignment: u64,
    pub multiprocessor_count: i32,
    pub max_threads_per_multiprocessor: i32,
    pub max_blocks_per_multiprocessor: i32,
    pub async_engine_count: i32,
    pub l2_cache_size: i32,
    pub persisting_l2_cache_max_size: i32,
    pub access_policy_max_window_size: i32,
    pub single_to_double_ratio: i32,
    pub ecc_enabled: bool,
    pub tcc_driver: bool,
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
    /// Blocks form clusters (compute capability 9.0).
    pub cluster_launch: bool,
}

impl Default for DeviceProfile {
    fn default() -> DeviceProfile {
        DeviceProfile::H100
    }
}

impl DeviceProfile {
    /// A Hopper data-centre card, the default.
    pub const H100: DeviceProfile = DeviceProfile {
        profile: Cow::Borrowed("h100"),
        name: Cow::Borrowed("NVIDIA H100 80GB HBM3"),
        driver_version: 12090,
        runtime_version: 12090,
        major: 9,
        minor: 0,
        total_global_mem: 85_045_870_592,
        shared_mem_per_block: 49_152,
        shared_mem_per_block_optin: 232_448,
        shared_mem_per_multiprocessor: 233_472,
        reserved_shared_mem_per_block: 1024,
        regs_per_block: 65_536,
        regs_per_multiprocessor: 65_536,
        warp_size: 32,
        mem_pitch: 2_147_483_647,
        max_threads_per_block: 1024,
        max_threads_dim: [1024, 1024, 64],
        max_grid_size: [2_147_483_647, 65_535, 65_535],
        clock_rate: 1_980_000,
        memory_clock_rate: 2_619_000,
        memory_bus_width: 5120,
        total_const_mem: 65_536,
        texture_alignment: 512,
        texture_pitch_alignment: 32,
        surface_alignment: 512,
        multiprocessor_count: 132,
        max_threads_per_multiprocessor: 2048,
        max_blocks_per_multiprocessor: 32,
        async_engine_count: 3,
        l2_cache_size: 52_428_800,
        persisting_l2_cache_max_size: 32_768_000,
        access_policy_max_window_size: 134_213_632,
        single_to_double_ratio: 2,
        ecc_enabled: true,
        tcc_driver: false,
        max_texture_1d: 131_072,
        max_texture_1d_mipmap: 32_768,
        max_texture_1d_linear: 268_435_456,
        max_texture_2d: [131_072, 65_536],
        max_texture_2d_mipmap: [32_768, 32_768],
        max_texture_2d_linear: [131_072, 65_000, 2_097_120],
        max_texture_2d_gather: [32_768, 32_768],
        max_texture_3d: [16_384, 16_384, 16_384],
        max_texture_3d_alt: [8192, 8192, 32_768],
        max_texture_cubemap: 32_768,
        max_texture_1d_layered: [32_768, 2048],
        max_texture_2d_layered: [32_768, 32_768, 2048],
        max_texture_cubemap_layered: [32_768, 2046],
        max_surface_1d: 32_768,
        max_surface_2d: [131_072, 65_536],
        max_surface_3d: [16_384, 16_384, 16_384],
        max_surface_1d_layered: [32_768, 2048],
        max_surface_2d_layered: [32_768, 32_768, 2048],
        max_surface_cubemap: 32_768,
        max_surface_cubemap_layered: [32_768, 2046],
        cluster_launch: true,
    };

    /// An Ampere data-centre card.
    pub const A100: DeviceProfile = DeviceProfile {
        profile: Cow::Borrowed("a100"),
        name: Cow::Borrowed("NVIDIA A100-SXM4-40GB"),
        major: 8,
        minor: 0,
        total_global_mem: 42_298_834_944,
        shared_mem_per_block_optin: 166_912,
        shared_mem_per_multiprocessor: 167_936,
        clock_rate: 1_410_000,
        memory_clock_rate: 1_215_000,
        multiprocessor_count: 108,
        l2_cache_size: 41_943_040,
        persisting_l2_cache_max_size: 26_214_400,
        cluster_launch: false,
        ..DeviceProfile::H100
    };

    /// An Ada consumer card.
    pub const RTX4090: DeviceProfile = DeviceProfile {
        profile: Cow::Borrowed("rtx4090"),
        name: Cow::Borrowed("NVIDIA GeForce RTX 4090"),
        major: 8,
        minor: 9,
        total_global_mem: 25_393_692_672,
        shared_mem_per_block_optin: 101_376,
        shared_mem_per_multiprocessor: 102_400,
        clock_rate: 2_520_000,
        memory_clock_rate: 10_501_000,
        memory_bus_width: 384,
        multiprocessor_count: 128,
        max_threads_per_multiprocessor: 1536,
        max_blocks_per_multiprocessor: 24,
        async_engine_count: 2,
        l2_cache_size: 75_497_472,
        persisting_l2_cache_max_size: 51_904_512,
        single_to_double_ratio: 64,
        ecc_enabled: false,
        cluster_launch: false,
        ..DeviceProfile::H100
    };

    /// An Ampere consumer card.
    pub const RTX3090: DeviceProfile = DeviceProfile {
        profile: Cow::Borrowed("rtx3090"),
        name: Cow::Borrowed("NVIDIA GeForce RTX 3090"),
        major: 8,
        minor: 6,
        total_global_mem: 25_438_126_080,
        shared_mem_per_block_optin: 101_376,
        shared_mem_per_multiprocessor: 102_400,
        clock_rate: 1_695_000,
        memory_clock_rate: 9_751_000,
        memory_bus_width: 384,
        multiprocessor_count: 82,
        max_threads_per_multiprocessor: 1536,
        max_blocks_per_multiprocessor: 16,
        async_engine_count: 2,
        l2_cache_size: 6_291_456,
        persisting_l2_cache_max_size: 4_325_376,
        single_to_double_ratio: 64,
        ecc_enabled: false,
        cluster_launch: false,
        ..DeviceProfile::H100
    };

    /// A Turing card.
    pub const T4: DeviceProfile = DeviceProfile {
        profile: Cow::Borrowed("t4"),
        name: Cow::Borrowed("Tesla T4"),
        major: 7,
        minor: 5,
        total_global_mem: 15_655_829_504,
        shared_mem_per_block_optin: 65_536,
        shared_mem_per_multiprocessor: 65_536,
        reserved_shared_mem_per_block: 0,
        clock_rate: 1_590_000,
        memory_clock_rate: 5_001_000,
        memory_bus_width: 256,
        multiprocessor_count: 40,
        max_threads_per_multiprocessor: 1024,
        max_blocks_per_multiprocessor: 16,
        l2_cache_size: 4_194_304,
        persisting_l2_cache_max_size: 0,
        access_policy_max_window_size: 0,
        single_to_double_ratio: 32,
        cluster_launch: false,
        ..DeviceProfile::H100
    };

    /// A Volta data-centre card: the first whose lanes progress independently.
    pub const V100: DeviceProfile = DeviceProfile {
        profile: Cow::Borrowed("v100"),
        name: Cow::Borrowed("Tesla V100-SXM2-16GB"),
        major: 7,
        minor: 0,
        total_global_mem: 16_945_512_448,
        shared_mem_per_block_optin: 98_304,
        shared_mem_per_multiprocessor: 98_304,
        reserved_shared_mem_per_block: 0,
        clock_rate: 1_530_000,
        memory_clock_rate: 877_000,
        memory_bus_width: 4096,
        multiprocessor_count: 80,
        async_engine_count: 5,
        l2_cache_size: 6_291_456,
        persisting_l2_cache_max_size: 0,
        access_policy_max_window_size: 0,
        cluster_launch: false,
        ..DeviceProfile::H100
    };

    /// A Pascal data-centre card: the last before independent thread scheduling.
    pub const P100: DeviceProfile = DeviceProfile {
        profile: Cow::Borrowed("p100"),
        name: Cow::Borrowed("Tesla P100-PCIE-16GB"),
        major: 6,
        minor: 0,
        total_global_mem: 17_066_885_120,
        shared_mem_per_block_optin: 49_152,
        shared_mem_per_multiprocessor: 65_536,
        reserved_shared_mem_per_block: 0,
        clock_rate: 1_328_500,
        memory_clock_rate: 715_000,
        memory_bus_width: 4096,
        multiprocessor_count: 56,
        async_engine_count: 2,
        l2_cache_size: 4_194_304,
        persisting_l2_cache_max_size: 0,
        access_policy_max_window_size: 0,
        cluster_launch: false,
        ..DeviceProfile::H100
    };

    /// A Maxwell consumer card.
    pub const GTX980: DeviceProfile = DeviceProfile {
        profile: Cow::Borrowed("gtx980"),
        name: Cow::Borrowed("NVIDIA GeForce GTX 980"),
        major: 5,
        minor: 2,
        total_global_mem: 4_294_770_688,
        shared_mem_per_multiprocessor: 98_304,
        clock_rate: 1_216_000,
        memory_clock_rate: 3_505_000,
        memory_bus_width: 256,
        multiprocessor_count: 16,
        l2_cache_size: 2_097_152,
        single_to_double_ratio: 32,
        ecc_enabled: false,
        ..DeviceProfile::K40
    };

    /// A Kepler data-centre card, the oldest that there is a profile of.
    pub const K40: DeviceProfile = DeviceProfile {
        profile: Cow::Borrowed("k40"),
        name: Cow::Borrowed("Tesla K40c"),
        major: 3,
        minor: 5,
        total_global_mem: 12_079_136_768,
        shared_mem_per_multiprocessor: 49_152,
        clock_rate: 745_000,
        memory_clock_rate: 3_004_000,
        memory_bus_width: 384,
        multiprocessor_count: 15,
        max_blocks_per_multiprocessor: 16,
        l2_cache_size: 1_572_864,
        single_to_double_ratio: 3,
        max_texture_1d: 65_536,
        max_texture_1d_mipmap: 16_384,
        max_texture_1d_linear: 134_217_728,
        max_texture_2d: [65_536, 65_536],
        max_texture_2d_mipmap: [16_384, 16_384],
        max_texture_2d_linear: [65_000, 65_000, 1_048_544],
        max_texture_2d_gather: [16_384, 16_384],
        max_texture_3d: [4096, 4096, 4096],
        max_texture_3d_alt: [2048, 2048, 16_384],
        max_texture_cubemap: 16_384,
        max_texture_1d_layered: [16_384, 2048],
        max_texture_2d_layered: [16_384, 16_384, 2048],
        max_texture_cubemap_layered: [16_384, 2046],
        max_surface_1d: 65_536,
        max_surface_2d: [65_536, 32_768],
        max_surface_3d: [65_536, 32_768, 2048],
        max_surface_1d_layered: [65_536, 2048],
        max_surface_2d_layered: [65_536, 32_768, 2048],
        max_surface_cubemap: 32_768,
        max_surface_cubemap_layered: [32_768, 2046],
        ..DeviceProfile::P100
    };

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
