//! `cudaGetDeviceProperties` and `cudaDeviceGetAttribute`, from the device's profile.

use super::device::known;
use super::{Api, CudaError};
use crate::RuntimeCall;
use crate::call::Call;
use crate::constants::*;
use crate::layout::{Structure, cudaDeviceProp as Prop};
use cudair_engine::Args;
use cudair_engine::profile::DeviceProfile;

/// What tells the device apart from others.
pub(super) const UUID: [u8; 16] = [0xcd, 0xa1, 0x50, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1];

/// What `cudaDeviceProp` of version 12.9 says of a device. What is not set here is zero: what the device does not have,
/// such as a limit of time, sparse arrays or direct access over the network.
fn structure(p: &DeviceProfile) -> Structure<Prop> {
    let yes = i32::from;
    let mut s = Structure::zeroed();
    let mut name = [0; 256];
    for (to, from) in name.iter_mut().zip(p.name.bytes()) {
        *to = from;
    }
    s.set(Prop::name, name);
    s.set(Prop::uuid, UUID);
    s.set(Prop::totalGlobalMem, p.memory.total_global_mem);
    s.set(Prop::sharedMemPerBlock, p.block.shared_mem_per_block);
    s.set(Prop::regsPerBlock, p.block.regs_per_block);
    s.set(Prop::warpSize, p.block.warp_size);
    s.set(Prop::memPitch, p.memory.mem_pitch);
    s.set(Prop::maxThreadsPerBlock, p.block.max_threads_per_block);
    s.set(Prop::maxThreadsDim, p.block.max_threads_dim);
    s.set(Prop::maxGridSize, p.block.max_grid_size);
    s.set(Prop::clockRate, p.multiprocessor.clock_rate);
    s.set(Prop::totalConstMem, p.memory.total_const_mem);
    s.set(Prop::major, p.major);
    s.set(Prop::minor, p.minor);
    s.set(Prop::textureAlignment, p.texture.texture_alignment);
    s.set(Prop::texturePitchAlignment, p.texture.texture_pitch_alignment);
    s.set(Prop::deviceOverlap, 1);
    s.set(Prop::multiProcessorCount, p.multiprocessor.multiprocessor_count);
    s.set(Prop::canMapHostMemory, 1);
    s.set(Prop::maxTexture1D, p.texture.max_texture_1d);
    s.set(Prop::maxTexture1DMipmap, p.texture.max_texture_1d_mipmap);
    s.set(Prop::maxTexture1DLinear, p.texture.max_texture_1d_linear);
    s.set(Prop::maxTexture2D, p.texture.max_texture_2d);
    s.set(Prop::maxTexture2DMipmap, p.texture.max_texture_2d_mipmap);
    s.set(Prop::maxTexture2DLinear, p.texture.max_texture_2d_linear);
    s.set(Prop::maxTexture2DGather, p.texture.max_texture_2d_gather);
    s.set(Prop::maxTexture3D, p.texture.max_texture_3d);
    s.set(Prop::maxTexture3DAlt, p.texture.max_texture_3d_alt);
    s.set(Prop::maxTextureCubemap, p.texture.max_texture_cubemap);
    s.set(Prop::maxTexture1DLayered, p.texture.max_texture_1d_layered);
    s.set(Prop::maxTexture2DLayered, p.texture.max_texture_2d_layered);
    s.set(Prop::maxTextureCubemapLayered, p.texture.max_texture_cubemap_layered);
    s.set(Prop::maxSurface1D, p.texture.max_surface_1d);
    s.set(Prop::maxSurface2D, p.texture.max_surface_2d);
    s.set(Prop::maxSurface3D, p.texture.max_surface_3d);
    s.set(Prop::maxSurface1DLayered, p.texture.max_surface_1d_layered);
    s.set(Prop::maxSurface2DLayered, p.texture.max_surface_2d_layered);
    s.set(Prop::maxSurfaceCubemap, p.texture.max_surface_cubemap);
    s.set(Prop::maxSurfaceCubemapLayered, p.texture.max_surface_cubemap_layered);
    s.set(Prop::surfaceAlignment, p.texture.surface_alignment);
    s.set(Prop::concurrentKernels, 1);
    s.set(Prop::ECCEnabled, yes(p.memory.ecc_enabled));
    s.set(Prop::pciBusID, 1);
    s.set(Prop::tccDriver, yes(p.tcc_driver));
    s.set(Prop::asyncEngineCount, p.memory.async_engine_count);
    s.set(Prop::unifiedAddressing, 1);
    s.set(Prop::memoryClockRate, p.memory.memory_clock_rate);
    s.set(Prop::memoryBusWidth, p.memory.memory_bus_width);
    s.set(Prop::l2CacheSize, p.memory.l2_cache_size);
    s.set(Prop::persistingL2CacheMaxSize, p.memory.persisting_l2_cache_max_size);
    s.set(Prop::maxThreadsPerMultiProcessor, p.multiprocessor.max_threads_per_multiprocessor);
    s.set(Prop::streamPrioritiesSupported, 1);
    s.set(Prop::globalL1CacheSupported, 1);
    s.set(Prop::localL1CacheSupported, 1);
    s.set(Prop::sharedMemPerMultiprocessor, p.multiprocessor.shared_mem_per_multiprocessor);
    s.set(Prop::regsPerMultiprocessor, p.multiprocessor.regs_per_multiprocessor);
    s.set(Prop::managedMemory, 1);
    s.set(Prop::singleToDoublePrecisionPerfRatio, p.multiprocessor.single_to_double_ratio);
    s.set(Prop::concurrentManagedAccess, yes(p.pascal()));
    s.set(Prop::computePreemptionSupported, yes(p.pascal()));
    s.set(Prop::canUseHostPointerForRegisteredMem, yes(p.pascal()));
    s.set(Prop::cooperativeLaunch, yes(p.pascal()));
    s.set(Prop::sharedMemPerBlockOptin, p.block.shared_mem_per_block_optin);
    s.set(Prop::maxBlocksPerMultiProcessor, p.multiprocessor.max_blocks_per_multiprocessor);
    s.set(Prop::accessPolicyMaxWindowSize, p.memory.access_policy_max_window_size);
    s.set(Prop::reservedSharedMemPerBlock, p.block.reserved_shared_mem_per_block);
    s.set(Prop::hostRegisterSupported, 1);
    s.set(Prop::hostRegisterReadOnlySupported, 1);
    s.set(Prop::memoryPoolsSupported, yes(p.memory_pools()));
    // File descriptors.
    s.set(Prop::memoryPoolSupportedHandleTypes, p.memory_pools().into());
    s.set(Prop::ipcEventSupported, 1);
    s.set(Prop::clusterLaunch, yes(p.block.cluster_launch));
    s
}

pub(crate) fn get(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    known(a.i32(1))?;
    if a.ptr(0).is_null() {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let mut device = DeviceProfile::clone(&h.m.config.device);
    device.memory.total_global_mem = super::memory::total_bytes(h.m);
    let told = structure(&device);
    h.store(a.ptr(0), told.bytes())
}

pub(crate) fn attribute(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    known(a.i32(2))?;
    let Some(value) = value(&h.m.config.device, a.u32(1)) else {
        return Err(CudaError::INVALID_VALUE.into());
    };
    h.give(a.ptr(0), u64::from(value as u32), 4)
}

fn clamp(bytes: u64) -> i32 {
    i32::try_from(bytes).unwrap_or(i32::MAX)
}

/// The value of a `cudaDeviceAttr`, or of a `CUdevice_attribute`.
fn value(p: &DeviceProfile, attribute: u32) -> Option<i32> {
    Some(match attribute {
        cudaDevAttrMaxThreadsPerBlock => p.block.max_threads_per_block,
        cudaDevAttrMaxBlockDimX => p.block.max_threads_dim[0],
        cudaDevAttrMaxBlockDimY => p.block.max_threads_dim[1],
        cudaDevAttrMaxBlockDimZ => p.block.max_threads_dim[2],
        cudaDevAttrMaxGridDimX => p.block.max_grid_size[0],
        cudaDevAttrMaxGridDimY => p.block.max_grid_size[1],
        cudaDevAttrMaxGridDimZ => p.block.max_grid_size[2],
        cudaDevAttrMaxSharedMemoryPerBlock => clamp(p.block.shared_mem_per_block),
        cudaDevAttrTotalConstantMemory => clamp(p.memory.total_const_mem),
        cudaDevAttrWarpSize => p.block.warp_size,
        cudaDevAttrMaxPitch => clamp(p.memory.mem_pitch),
        cudaDevAttrMaxRegistersPerBlock => p.block.regs_per_block,
        cudaDevAttrClockRate => p.multiprocessor.clock_rate,
        cudaDevAttrTextureAlignment => clamp(p.texture.texture_alignment),
        cudaDevAttrMultiProcessorCount => p.multiprocessor.multiprocessor_count,
        cudaDevAttrMaxTexture1DWidth => p.texture.max_texture_1d,
        cudaDevAttrMaxTexture2DWidth => p.texture.max_texture_2d[0],
        cudaDevAttrMaxTexture2DHeight => p.texture.max_texture_2d[1],
        cudaDevAttrMaxTexture3DWidth => p.texture.max_texture_3d[0],
        cudaDevAttrMaxTexture3DHeight => p.texture.max_texture_3d[1],
        cudaDevAttrMaxTexture3DDepth => p.texture.max_texture_3d[2],
        cudaDevAttrMaxTexture2DLayeredWidth => p.texture.max_texture_2d_layered[0],
        cudaDevAttrMaxTexture2DLayeredHeight => p.texture.max_texture_2d_layered[1],
        cudaDevAttrMaxTexture2DLayeredLayers => p.texture.max_texture_2d_layered[2],
        cudaDevAttrSurfaceAlignment => clamp(p.texture.surface_alignment),
        cudaDevAttrEccEnabled => i32::from(p.memory.ecc_enabled),
        cudaDevAttrTccDriver => i32::from(p.tcc_driver),
        cudaDevAttrMemoryClockRate => p.memory.memory_clock_rate,
        cudaDevAttrGlobalMemoryBusWidth => p.memory.memory_bus_width,
        cudaDevAttrL2CacheSize => p.memory.l2_cache_size,
        cudaDevAttrMaxThreadsPerMultiProcessor => p.multiprocessor.max_threads_per_multiprocessor,
        cudaDevAttrAsyncEngineCount => p.memory.async_engine_count,
        cudaDevAttrMaxTexture1DLayeredWidth => p.texture.max_texture_1d_layered[0],
        cudaDevAttrMaxTexture1DLayeredLayers => p.texture.max_texture_1d_layered[1],
        cudaDevAttrMaxTexture2DGatherWidth => p.texture.max_texture_2d_gather[0],
        cudaDevAttrMaxTexture2DGatherHeight => p.texture.max_texture_2d_gather[1],
        cudaDevAttrMaxTexture3DWidthAlt => p.texture.max_texture_3d_alt[0],
        cudaDevAttrMaxTexture3DHeightAlt => p.texture.max_texture_3d_alt[1],
        cudaDevAttrMaxTexture3DDepthAlt => p.texture.max_texture_3d_alt[2],
        cudaDevAttrTexturePitchAlignment => clamp(p.texture.texture_pitch_alignment),
        cudaDevAttrMaxTextureCubemapWidth => p.texture.max_texture_cubemap,
        cudaDevAttrMaxTextureCubemapLayeredWidth => p.texture.max_texture_cubemap_layered[0],
        cudaDevAttrMaxTextureCubemapLayeredLayers => p.texture.max_texture_cubemap_layered[1],
        cudaDevAttrMaxSurface1DWidth => p.texture.max_surface_1d,
        cudaDevAttrMaxSurface2DWidth => p.texture.max_surface_2d[0],
        cudaDevAttrMaxSurface2DHeight => p.texture.max_surface_2d[1],
        cudaDevAttrMaxSurface3DWidth => p.texture.max_surface_3d[0],
        cudaDevAttrMaxSurface3DHeight => p.texture.max_surface_3d[1],
        cudaDevAttrMaxSurface3DDepth => p.texture.max_surface_3d[2],
        cudaDevAttrMaxSurface1DLayeredWidth => p.texture.max_surface_1d_layered[0],
        cudaDevAttrMaxSurface1DLayeredLayers => p.texture.max_surface_1d_layered[1],
        cudaDevAttrMaxSurface2DLayeredWidth => p.texture.max_surface_2d_layered[0],
        cudaDevAttrMaxSurface2DLayeredHeight => p.texture.max_surface_2d_layered[1],
        cudaDevAttrMaxSurface2DLayeredLayers => p.texture.max_surface_2d_layered[2],
        cudaDevAttrMaxSurfaceCubemapWidth => p.texture.max_surface_cubemap,
        cudaDevAttrMaxSurfaceCubemapLayeredWidth => p.texture.max_surface_cubemap_layered[0],
        cudaDevAttrMaxSurfaceCubemapLayeredLayers => p.texture.max_surface_cubemap_layered[1],
        cudaDevAttrMaxTexture1DLinearWidth => p.texture.max_texture_1d_linear,
        cudaDevAttrMaxTexture2DLinearWidth => p.texture.max_texture_2d_linear[0],
        cudaDevAttrMaxTexture2DLinearHeight => p.texture.max_texture_2d_linear[1],
        cudaDevAttrMaxTexture2DLinearPitch => p.texture.max_texture_2d_linear[2],
        cudaDevAttrMaxTexture2DMipmappedWidth => p.texture.max_texture_2d_mipmap[0],
        cudaDevAttrMaxTexture2DMipmappedHeight => p.texture.max_texture_2d_mipmap[1],
        cudaDevAttrComputeCapabilityMajor => p.major,
        cudaDevAttrComputeCapabilityMinor => p.minor,
        cudaDevAttrMaxTexture1DMipmappedWidth => p.texture.max_texture_1d_mipmap,
        cudaDevAttrMaxSharedMemoryPerMultiprocessor => clamp(p.multiprocessor.shared_mem_per_multiprocessor),
        cudaDevAttrMaxRegistersPerMultiprocessor => p.multiprocessor.regs_per_multiprocessor,
        cudaDevAttrSingleToDoublePrecisionPerfRatio => p.multiprocessor.single_to_double_ratio,
        cudaDevAttrConcurrentManagedAccess
        | cudaDevAttrComputePreemptionSupported
        | cudaDevAttrCanUseHostPointerForRegisteredMem
        | cudaDevAttrCooperativeLaunch => i32::from(p.pascal()),
        cudaDevAttrMaxSharedMemoryPerBlockOptin => clamp(p.block.shared_mem_per_block_optin),
        cudaDevAttrMaxBlocksPerMultiprocessor => p.multiprocessor.max_blocks_per_multiprocessor,
        CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED => i32::from(p.major >= 8),
        cudaDevAttrMaxPersistingL2CacheSize => p.memory.persisting_l2_cache_max_size,
        cudaDevAttrMaxAccessPolicyWindowSize => p.memory.access_policy_max_window_size,
        cudaDevAttrReservedSharedMemoryPerBlock => clamp(p.block.reserved_shared_mem_per_block),
        cudaDevAttrMemoryPoolsSupported | cudaDevAttrMemoryPoolSupportedHandleTypes => {
            i32::from(p.memory_pools())
        }
        cudaDevAttrClusterLaunch => i32::from(p.block.cluster_launch),
        cudaDevAttrMemSyncDomainCount => {
            if p.major >= 9 {
                4
            } else {
                1
            }
        }
        cudaDevAttrNumaId => -1,
        // What the device can do, and what it cannot.
        cudaDevAttrGpuOverlap
        | cudaDevAttrCanMapHostMemory
        | cudaDevAttrConcurrentKernels
        | cudaDevAttrPciBusId
        | cudaDevAttrUnifiedAddressing
        | cudaDevAttrStreamPrioritiesSupported
        | cudaDevAttrGlobalL1CacheSupported
        | cudaDevAttrLocalL1CacheSupported
        | cudaDevAttrManagedMemory
        | cudaDevAttrHostRegisterSupported
        | CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER
        | CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS
        | CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED
        | cudaDevAttrHostRegisterReadOnlySupported
        | cudaDevAttrIpcEventSupport => 1,
        cudaDevAttrKernelExecTimeout
        | cudaDevAttrIntegrated
        | cudaDevAttrComputeMode
        | cudaDevAttrPciDeviceId
        | cudaDevAttrPciDomainId
        | cudaDevAttrCanFlushRemoteWrites
        | cudaDevAttrIsMultiGpuBoard
        | cudaDevAttrMultiGpuBoardGroupID
        | cudaDevAttrHostNativeAtomicSupported
        | cudaDevAttrPageableMemoryAccess
        | CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1
        | CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1
        | CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1
        | cudaDevAttrCooperativeMultiDeviceLaunch
        | cudaDevAttrPageableMemoryAccessUsesHostPageTables
        | cudaDevAttrDirectManagedMemAccessFromHost
        | CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED
        | CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED
        | CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED
        | CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED
        | cudaDevAttrSparseCudaArraySupported
        | cudaDevAttrTimelineSemaphoreInteropSupported
        | cudaDevAttrGPUDirectRDMASupported
        | cudaDevAttrGPUDirectRDMAFlushWritesOptions
        | cudaDevAttrGPUDirectRDMAWritesOrdering
        | cudaDevAttrDeferredMappingCudaArraySupported
        | CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR
        | CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED
        | CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED
        | CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED
        | CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS
        | cudaDevAttrNumaConfig
        | CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED
        | cudaDevAttrMpsEnabled
        | cudaDevAttrHostNumaId
        | cudaDevAttrD3D12CigSupported
        | CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK
        | CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH
        | cudaDevAttrVulkanCigSupported
        | cudaDevAttrGpuPciDeviceId
        | cudaDevAttrGpuPciSubsystemId
        | CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
        | cudaDevAttrHostNumaMemoryPoolsSupported
        | cudaDevAttrHostNumaMultinodeIpcSupported => 0,
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
        let told = structure(&p);
        let b = told.bytes();
        assert_eq!(b.len(), 1032);
        assert_eq!(int(b, 308), 32, "warpSize");
        assert_eq!(int(b, 320), 1024, "maxThreadsPerBlock");
        assert_eq!(int(b, 348), p.multiprocessor.clock_rate, "clockRate");
        assert_eq!(int(b, 360), 9, "major");
        assert_eq!(int(b, 388), p.multiprocessor.multiprocessor_count, "multiProcessorCount");
        assert_eq!(int(b, 612), p.memory.memory_bus_width, "memoryBusWidth");
        assert_eq!(int(b, 712), p.multiprocessor.max_blocks_per_multiprocessor, "maxBlocksPerMultiProcessor");
        assert_eq!(int(b, 776), 0, "unifiedFunctionPointers");
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

    #[test]
    fn each_attribute_of_the_headers_has_a_value_and_no_other() {
        let named = |number: u32| {
            CONSTANTS.into_iter().flatten().any(|row| {
                let attribute =
                    ["cudaDevAttr", "CU_DEVICE_ATTRIBUTE_"].iter().any(|p| row.name.starts_with(p));
                attribute && row.value == i128::from(number)
            })
        };
        let p = DeviceProfile::H100;
        for number in 0..1000 {
            assert_eq!(value(&p, number).is_some(), named(number), "{number}");
        }
    }
}
