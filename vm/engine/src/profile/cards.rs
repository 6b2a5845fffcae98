//! The cards that there are profiles of. What one has in common with another is written once.

use super::{BlockLimits, DeviceMemory, DeviceProfile, Multiprocessor, TextureLimits};
use std::borrow::Cow;

impl BlockLimits {
    const H100: BlockLimits = BlockLimits {
        max_threads_per_block: 1024,
        max_threads_dim: [1024, 1024, 64],
        max_grid_size: [2_147_483_647, 65_535, 65_535],
        shared_mem_per_block: 49_152,
        shared_mem_per_block_optin: 232_448,
        reserved_shared_mem_per_block: 1024,
        regs_per_block: 65_536,
        warp_size: 32,
        cluster_launch: true,
    };

    const P100: BlockLimits = BlockLimits {
        shared_mem_per_block_optin: 49_152,
        reserved_shared_mem_per_block: 0,
        cluster_launch: false,
        ..BlockLimits::H100
    };
}

impl Multiprocessor {
    const H100: Multiprocessor = Multiprocessor {
        multiprocessor_count: 132,
        max_threads_per_multiprocessor: 2048,
        max_blocks_per_multiprocessor: 32,
        shared_mem_per_multiprocessor: 233_472,
        regs_per_multiprocessor: 65_536,
        clock_rate: 1_980_000,
        single_to_double_ratio: 2,
    };

    const P100: Multiprocessor = Multiprocessor {
        multiprocessor_count: 56,
        shared_mem_per_multiprocessor: 65_536,
        clock_rate: 1_328_500,
        ..Multiprocessor::H100
    };

    const K40: Multiprocessor = Multiprocessor {
        multiprocessor_count: 15,
        max_blocks_per_multiprocessor: 16,
        shared_mem_per_multiprocessor: 49_152,
        clock_rate: 745_000,
        single_to_double_ratio: 3,
        ..Multiprocessor::P100
    };
}

impl DeviceMemory {
    const H100: DeviceMemory = DeviceMemory {
        total_global_mem: 85_017_493_504,
        total_const_mem: 65_536,
        mem_pitch: 2_147_483_647,
        l2_cache_size: 52_428_800,
        persisting_l2_cache_max_size: 32_768_000,
        access_policy_max_window_size: 134_217_728,
        memory_clock_rate: 2_619_000,
        memory_bus_width: 5120,
        ecc_enabled: true,
        async_engine_count: 3,
    };

    const P100: DeviceMemory = DeviceMemory {
        total_global_mem: 17_066_885_120,
        l2_cache_size: 4_194_304,
        persisting_l2_cache_max_size: 0,
        access_policy_max_window_size: 0,
        memory_clock_rate: 715_000,
        memory_bus_width: 4096,
        async_engine_count: 2,
        ..DeviceMemory::H100
    };

    const K40: DeviceMemory = DeviceMemory {
        total_global_mem: 12_079_136_768,
        l2_cache_size: 1_572_864,
        memory_clock_rate: 3_004_000,
        memory_bus_width: 384,
        ..DeviceMemory::P100
    };
}

impl TextureLimits {
    const H100: TextureLimits = TextureLimits {
        texture_alignment: 512,
        texture_pitch_alignment: 32,
        surface_alignment: 512,
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
    };

    const K40: TextureLimits = TextureLimits {
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
        ..TextureLimits::H100
    };
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
        tcc_driver: false,
        block: BlockLimits::H100,
        multiprocessor: Multiprocessor::H100,
        memory: DeviceMemory::H100,
        texture: TextureLimits::H100,
    };

    /// An Ampere data-centre card.
    pub const A100: DeviceProfile = DeviceProfile {
        profile: Cow::Borrowed("a100"),
        name: Cow::Borrowed("NVIDIA A100-SXM4-40GB"),
        major: 8,
        minor: 0,
        block: BlockLimits {
            shared_mem_per_block_optin: 166_912,
            cluster_launch: false,
            ..BlockLimits::H100
        },
        multiprocessor: Multiprocessor {
            multiprocessor_count: 108,
            shared_mem_per_multiprocessor: 167_936,
            clock_rate: 1_410_000,
            ..Multiprocessor::H100
        },
        memory: DeviceMemory {
            total_global_mem: 42_298_834_944,
            l2_cache_size: 41_943_040,
            persisting_l2_cache_max_size: 26_214_400,
            memory_clock_rate: 1_215_000,
            ..DeviceMemory::H100
        },
        texture: TextureLimits::H100,
        ..DeviceProfile::H100
    };

    /// An Ada consumer card.
    pub const RTX4090: DeviceProfile = DeviceProfile {
        profile: Cow::Borrowed("rtx4090"),
        name: Cow::Borrowed("NVIDIA GeForce RTX 4090"),
        major: 8,
        minor: 9,
        block: BlockLimits {
            shared_mem_per_block_optin: 101_376,
            cluster_launch: false,
            ..BlockLimits::H100
        },
        multiprocessor: Multiprocessor {
            multiprocessor_count: 128,
            max_threads_per_multiprocessor: 1536,
            max_blocks_per_multiprocessor: 24,
            shared_mem_per_multiprocessor: 102_400,
            clock_rate: 2_520_000,
            single_to_double_ratio: 64,
            ..Multiprocessor::H100
        },
        memory: DeviceMemory {
            total_global_mem: 25_393_692_672,
            l2_cache_size: 75_497_472,
            persisting_l2_cache_max_size: 51_904_512,
            memory_clock_rate: 10_501_000,
            memory_bus_width: 384,
            ecc_enabled: false,
            async_engine_count: 2,
            ..DeviceMemory::H100
        },
        texture: TextureLimits::H100,
        ..DeviceProfile::H100
    };

    /// An Ampere consumer card.
    pub const RTX3090: DeviceProfile = DeviceProfile {
        profile: Cow::Borrowed("rtx3090"),
        name: Cow::Borrowed("NVIDIA GeForce RTX 3090"),
        major: 8,
        minor: 6,
        block: BlockLimits {
            shared_mem_per_block_optin: 101_376,
            cluster_launch: false,
            ..BlockLimits::H100
        },
        multiprocessor: Multiprocessor {
            multiprocessor_count: 82,
            max_threads_per_multiprocessor: 1536,
            max_blocks_per_multiprocessor: 16,
            shared_mem_per_multiprocessor: 102_400,
            clock_rate: 1_695_000,
            single_to_double_ratio: 64,
            ..Multiprocessor::H100
        },
        memory: DeviceMemory {
            total_global_mem: 25_438_126_080,
            l2_cache_size: 6_291_456,
            persisting_l2_cache_max_size: 4_325_376,
            memory_clock_rate: 9_751_000,
            memory_bus_width: 384,
            ecc_enabled: false,
            async_engine_count: 2,
            ..DeviceMemory::H100
        },
        texture: TextureLimits::H100,
        ..DeviceProfile::H100
    };

    /// A Turing card.
    pub const T4: DeviceProfile = DeviceProfile {
        profile: Cow::Borrowed("t4"),
        name: Cow::Borrowed("Tesla T4"),
        major: 7,
        minor: 5,
        block: BlockLimits {
            shared_mem_per_block_optin: 65_536,
            reserved_shared_mem_per_block: 0,
            cluster_launch: false,
            ..BlockLimits::H100
        },
        multiprocessor: Multiprocessor {
            multiprocessor_count: 40,
            max_threads_per_multiprocessor: 1024,
            max_blocks_per_multiprocessor: 16,
            shared_mem_per_multiprocessor: 65_536,
            clock_rate: 1_590_000,
            single_to_double_ratio: 32,
            ..Multiprocessor::H100
        },
        memory: DeviceMemory {
            total_global_mem: 15_655_829_504,
            l2_cache_size: 4_194_304,
            persisting_l2_cache_max_size: 0,
            access_policy_max_window_size: 0,
            memory_clock_rate: 5_001_000,
            memory_bus_width: 256,
            ..DeviceMemory::H100
        },
        texture: TextureLimits::H100,
        ..DeviceProfile::H100
    };

    /// A Volta data-centre card: the first whose lanes progress independently.
    pub const V100: DeviceProfile = DeviceProfile {
        profile: Cow::Borrowed("v100"),
        name: Cow::Borrowed("Tesla V100-SXM2-16GB"),
        major: 7,
        minor: 0,
        block: BlockLimits {
            shared_mem_per_block_optin: 98_304,
            reserved_shared_mem_per_block: 0,
            cluster_launch: false,
            ..BlockLimits::H100
        },
        multiprocessor: Multiprocessor {
            multiprocessor_count: 80,
            shared_mem_per_multiprocessor: 98_304,
            clock_rate: 1_530_000,
            ..Multiprocessor::H100
        },
        memory: DeviceMemory {
            total_global_mem: 16_945_512_448,
            l2_cache_size: 6_291_456,
            persisting_l2_cache_max_size: 0,
            access_policy_max_window_size: 0,
            memory_clock_rate: 877_000,
            memory_bus_width: 4096,
            async_engine_count: 5,
            ..DeviceMemory::H100
        },
        texture: TextureLimits::H100,
        ..DeviceProfile::H100
    };

    /// A Pascal data-centre card: the last before independent thread scheduling.
    pub const P100: DeviceProfile = DeviceProfile {
        profile: Cow::Borrowed("p100"),
        name: Cow::Borrowed("Tesla P100-PCIE-16GB"),
        major: 6,
        minor: 0,
        block: BlockLimits::P100,
        multiprocessor: Multiprocessor::P100,
        memory: DeviceMemory::P100,
        texture: TextureLimits::H100,
        ..DeviceProfile::H100
    };

    /// A Maxwell consumer card.
    pub const GTX980: DeviceProfile = DeviceProfile {
        profile: Cow::Borrowed("gtx980"),
        name: Cow::Borrowed("NVIDIA GeForce GTX 980"),
        major: 5,
        minor: 2,
        block: BlockLimits::P100,
        multiprocessor: Multiprocessor {
            multiprocessor_count: 16,
            shared_mem_per_multiprocessor: 98_304,
            clock_rate: 1_216_000,
            single_to_double_ratio: 32,
            ..Multiprocessor::K40
        },
        memory: DeviceMemory {
            total_global_mem: 4_294_770_688,
            l2_cache_size: 2_097_152,
            memory_clock_rate: 3_505_000,
            memory_bus_width: 256,
            ecc_enabled: false,
            ..DeviceMemory::K40
        },
        texture: TextureLimits::K40,
        ..DeviceProfile::K40
    };

    /// A Kepler data-centre card, the oldest that there is a profile of.
    pub const K40: DeviceProfile = DeviceProfile {
        profile: Cow::Borrowed("k40"),
        name: Cow::Borrowed("Tesla K40c"),
        major: 3,
        minor: 5,
        block: BlockLimits::P100,
        multiprocessor: Multiprocessor::K40,
        memory: DeviceMemory::K40,
        texture: TextureLimits::K40,
        ..DeviceProfile::P100
    };
}
