//! The functions of the runtime by name.

use super::driver::{entry, function};
use super::error::CudaError;
use super::graph::{self, NodeKind};
use super::{Context, call, last_error, text};
use super::{
    array, batch, cluster, device, event, interop, ipc, launch, managed, memory, module, pool, properties,
    stream, symbol, texture,
};
use crate::Kept;
use cudair_engine::HostFn;

/// The runtime's function of a name.
pub fn lookup(name: &str) -> Option<HostFn> {
    macro_rules! table {
        ($($name:literal => $context:ident $f:expr;)*) => {
            match name {
                $($name => |m, a| call(m, a, $name, Context::$context, $f),)*
                "cudaGetLastError" => |m, _| Ok(last_error(m, "cudaGetLastError", true)),
                "cudaPeekAtLastError" => |m, _| Ok(last_error(m, "cudaPeekAtLastError", false)),
                "cudaGetErrorName" => |m, a| {
                    m.cuda.get_mut().log.note("cudaGetErrorName", 0);
                    Ok(text(m, CudaError(a.i32(0)).name())?.into())
                },
                "cudaGetErrorString" => |m, a| {
                    m.cuda.get_mut().log.note("cudaGetErrorString", 0);
                    Ok(text(m, CudaError(a.i32(0)).text())?.into())
                },
                _ => return super::driver::lookup(name),
            }
        };
    }
    Some(table! {
        // Devices
        "cudaGetDeviceCount" => Free device::count;
        "cudaGetDevice" => Free device::get;
        "cudaSetDevice" => Needed device::set;
        "cudaInitDevice" => Needed device::init;
        "cudaChooseDevice" => Free device::choose;
        "cudaSetValidDevices" => Free device::valid;
        "cudaSetDeviceFlags" => Free device::set_flags;
        "cudaGetDeviceFlags" => Free device::get_flags;
        "cudaGetDeviceProperties" => Free properties::get;
        "cudaGetDeviceProperties_v2" => Free properties::get;
        "cudaDeviceGetAttribute" => Free properties::attribute;
        "cudaDriverGetVersion" => Free device::driver_version;
        "cudaRuntimeGetVersion" => Free device::runtime_version;
        "cudaDeviceSynchronize" => Needed device::synchronize;
        "cudaThreadSynchronize" => Needed device::synchronize;
        "cudaDeviceReset" => Needed device::reset;
        "cudaThreadExit" => Needed device::reset;
        "cudaDeviceSetLimit" => Needed device::set_limit;
        "cudaThreadSetLimit" => Needed device::set_limit;
        "cudaDeviceGetLimit" => Needed device::get_limit;
        "cudaThreadGetLimit" => Needed device::get_limit;
        "cudaDeviceGetCacheConfig" => Needed device::get_cache_config;
        "cudaThreadGetCacheConfig" => Needed device::get_cache_config;
        "cudaDeviceSetCacheConfig" => Needed device::set_cache_config;
        "cudaThreadSetCacheConfig" => Needed device::set_cache_config;
        "cudaDeviceGetSharedMemConfig" => Needed device::get_shared_config;
        "cudaDeviceSetSharedMemConfig" => Needed device::set_shared_config;
        "cudaDeviceGetStreamPriorityRange" => Needed device::priority_range;
        "cudaDeviceGetPCIBusId" => Free device::pci_bus_id;
        "cudaDeviceGetByPCIBusId" => Free device::by_pci_bus_id;
        "cudaDeviceCanAccessPeer" => Free device::can_access_peer;
        "cudaDeviceEnablePeerAccess" => Needed device::enable_peer;
        "cudaDeviceDisablePeerAccess" => Needed device::disable_peer;
        "cudaDeviceGetP2PAttribute" => Free device::peer_attribute;
        "cudaSetDoubleForDevice" => Free device::nothing;
        "cudaSetDoubleForHost" => Free device::nothing;
        "cudaProfilerStart" => Free device::nothing;
        "cudaProfilerStop" => Free device::nothing;
        "cudaCtxResetPersistingL2Cache" => Needed device::nothing;
        "cudaDeviceGetTexture1DLinearMaxWidth" => Free device::linear_texture_width;
        "cudaDeviceFlushGPUDirectRDMAWrites" => Needed device::flush_remote_writes;
        "cudaMemGetInfo" => Needed device::memory_info;
        // Memory
        "cudaMalloc" => Uncaptured memory::malloc;
        "cudaMallocManaged" => Uncaptured memory::malloc_managed;
        "cudaMallocPitch" => Uncaptured memory::malloc_pitch;
        "cudaMalloc3D" => Uncaptured memory::malloc_3d;
        "cudaMallocAsync" => Needed pool::malloc;
        "cudaMallocFromPoolAsync" => Needed pool::malloc_from;
        "cudaDeviceGetDefaultMemPool" => Needed pool::default_of;
        "cudaDeviceGetMemPool" => Needed pool::current_of;
        "cudaDeviceSetMemPool" => Needed pool::set_current;
        "cudaMemPoolCreate" => Needed pool::create;
        "cudaMemPoolDestroy" => Needed pool::destroy;
        "cudaMemPoolTrimTo" => Needed pool::trim;
        "cudaMemPoolSetAttribute" => Needed pool::set_attribute;
        "cudaMemPoolGetAttribute" => Needed pool::attribute;
        "cudaMemPoolSetAccess" => Needed pool::set_access;
        "cudaMemPoolGetAccess" => Needed pool::access;
        "cudaMemPoolExportToShareableHandle" => Needed pool::export;
        "cudaMemPoolImportFromShareableHandle" => Needed pool::import;
        "cudaMemPoolExportPointer" => Needed pool::export_pointer;
        "cudaMemPoolImportPointer" => Needed pool::import_pointer;
        "cudaFree" => Uncaptured memory::free;
        "cudaFreeAsync" => Needed memory::free_async;
        "cudaMallocHost" => Uncaptured memory::malloc_host;
        "cudaHostAlloc" => Uncaptured memory::host_alloc;
        "cudaFreeHost" => Uncaptured memory::free_host;
        "cudaHostRegister" => Uncaptured memory::host_register;
        "cudaHostUnregister" => Uncaptured memory::host_unregister;
        "cudaHostGetDevicePointer" => Needed memory::host_device_pointer;
        "cudaHostGetFlags" => Needed memory::host_flags;
        "cudaMemcpy" => Needed memory::copy;
        "cudaMemcpyAsync" => Needed memory::copy_async;
        "cudaMemcpyPeer" => Needed memory::copy_peer;
        "cudaMemcpyPeerAsync" => Needed memory::copy_peer_async;
        "cudaMemcpy2D" => Needed memory::copy_2d;
        "cudaMemcpy2DAsync" => Needed memory::copy_2d_async;
        "cudaMemset" => Needed memory::set;
        "cudaMemsetAsync" => Needed memory::set_async;
        "cudaMemset2D" => Needed memory::set_2d;
        "cudaMemset2DAsync" => Needed memory::set_2d_async;
        "cudaMemset3D" => Needed memory::set_3d;
        "cudaMemset3DAsync" => Needed memory::set_3d_async;
        "cudaMemPrefetchAsync" => Needed managed::prefetch;
        "cudaMemPrefetchAsync_v2" => Needed managed::prefetch_location;
        "cudaMemAdvise" => Needed managed::advise;
        "cudaMemAdvise_v2" => Needed managed::advise_location;
        "cudaMemRangeGetAttribute" => Needed managed::attribute;
        "cudaMemRangeGetAttributes" => Needed managed::attributes;
        "cudaStreamAttachMemAsync" => Needed managed::attach;
        "cudaPointerGetAttributes" => Needed memory::attributes;
        "cudaMemcpyToSymbol" => Needed symbol::copy_to;
        "cudaMemcpyToSymbolAsync" => Needed symbol::copy_to_async;
        "cudaMemcpyFromSymbol" => Needed symbol::copy_from;
        "cudaMemcpyFromSymbolAsync" => Needed symbol::copy_from_async;
        "cudaGetSymbolAddress" => Needed symbol::address;
        "cudaGetSymbolSize" => Needed symbol::size;
        "cudaMemcpyBatchAsync" => Needed batch::copies;
        "cudaMemcpy3DBatchAsync" => Needed batch::volumes;
        // Other processes
        "cudaIpcGetMemHandle" => Needed ipc::memory_handle;
        "cudaIpcGetEventHandle" => Needed ipc::event_handle;
        "cudaIpcOpenMemHandle" => Needed ipc::open_memory;
        "cudaIpcOpenEventHandle" => Needed ipc::open_event;
        "cudaIpcCloseMemHandle" => Needed ipc::close_memory;
        // Arrays, textures, surfaces
        "cudaMallocArray" => Uncaptured array::malloc;
        "cudaMalloc3DArray" => Uncaptured array::malloc_3d;
        "cudaFreeArray" => Uncaptured array::free;
        "cudaMallocMipmappedArray" => Uncaptured array::malloc_mipmap;
        "cudaGetMipmappedArrayLevel" => Needed array::level;
        "cudaFreeMipmappedArray" => Uncaptured array::free_mipmap;
        "cudaArrayGetInfo" => Needed array::info;
        "cudaGetChannelDesc" => Needed array::channels;
        "cudaMemcpyToArray" => Needed array::copy_to;
        "cudaMemcpyToArrayAsync" => Needed array::copy_to_async;
        "cudaMemcpyFromArray" => Needed array::copy_from;
        "cudaMemcpyFromArrayAsync" => Needed array::copy_from_async;
        "cudaMemcpyArrayToArray" => Needed array::copy_between;
        "cudaMemcpy3DPeer" => Needed array::copy_3d_peer;
        "cudaMemcpy3DPeerAsync" => Needed array::copy_3d_peer_async;
        "cudaArrayGetMemoryRequirements" => Needed array::no_such_array;
        "cudaArrayGetSparseProperties" => Needed array::no_such_array;
        "cudaMipmappedArrayGetMemoryRequirements" => Needed array::no_such_mipmap;
        "cudaMipmappedArrayGetSparseProperties" => Needed array::no_such_mipmap;
        "cudaArrayGetPlane" => Needed array::plane_of;
        "cudaGetTextureObjectResourceViewDesc" => Needed texture::view_of;
        "cudaMemcpy2DToArray" => Needed array::copy_2d_to;
        "cudaMemcpy2DToArrayAsync" => Needed array::copy_2d_to_async;
        "cudaMemcpy2DFromArray" => Needed array::copy_2d_from;
        "cudaMemcpy2DFromArrayAsync" => Needed array::copy_2d_from_async;
        "cudaMemcpy2DArrayToArray" => Needed array::copy_2d_between;
        "cudaMemcpy3D" => Needed array::copy_3d;
        "cudaMemcpy3DAsync" => Needed array::copy_3d_async;
        "cudaCreateTextureObject" => Needed texture::create_texture;
        "cudaDestroyTextureObject" => Needed texture::destroy;
        "cudaGetTextureObjectResourceDesc" => Needed texture::resource_of;
        "cudaGetTextureObjectTextureDesc" => Needed texture::texture_of;
        "cudaCreateSurfaceObject" => Needed texture::create_surface;
        "cudaDestroySurfaceObject" => Needed texture::destroy;
        "cudaGetSurfaceObjectResourceDesc" => Needed texture::resource_of;
        // Streams and events
        "cudaStreamCreate" => Needed stream::create;
        "cudaStreamCreateWithFlags" => Needed stream::create_with_flags;
        "cudaStreamCreateWithPriority" => Needed stream::create_with_priority;
        "cudaStreamDestroy" => Needed stream::destroy;
        "cudaStreamSynchronize" => Needed stream::synchronize;
        "cudaStreamQuery" => Needed stream::query;
        "cudaStreamWaitEvent" => Needed stream::wait_event;
        "cudaStreamSetAttribute" => Needed stream::set_attribute;
        "cudaStreamGetAttribute" => Needed stream::attribute;
        "cudaStreamCopyAttributes" => Needed stream::copy_attributes;
        "cudaStreamGetFlags" => Needed stream::flags;
        "cudaStreamGetPriority" => Needed stream::priority;
        "cudaStreamGetId" => Needed stream::id;
        "cudaStreamGetDevice" => Needed stream::device;
        "cudaStreamIsCapturing" => Needed graph::is_capturing;
        "cudaStreamAddCallback" => Needed stream::add_callback;
        "cudaLaunchHostFunc" => Needed stream::launch_host_func;
        "cudaEventCreate" => Needed event::create;
        "cudaEventCreateWithFlags" => Needed event::create_with_flags;
        "cudaEventDestroy" => Needed event::destroy;
        "cudaEventRecord" => Needed event::record;
        "cudaEventRecordWithFlags" => Needed event::record_with_flags;
        "cudaEventQuery" => Needed event::query;
        "cudaEventSynchronize" => Needed event::synchronize;
        "cudaEventElapsedTime" => Needed event::elapsed;
        "cudaEventElapsedTime_v2" => Needed event::elapsed;
        // Capture
        "cudaStreamBeginCapture" => Needed graph::begin_capture;
        "cudaStreamBeginCaptureToGraph" => Needed graph::begin_to_graph;
        "cudaStreamEndCapture" => Needed graph::end_capture;
        "cudaStreamGetCaptureInfo" => Needed graph::capture_info;
        "cudaStreamGetCaptureInfo_v2" => Needed graph::capture_info;
        "cudaStreamGetCaptureInfo_v3" => Needed graph::capture_info_with_edges;
        "cudaStreamUpdateCaptureDependencies" => Needed graph::update_dependencies;
        "cudaStreamUpdateCaptureDependencies_v2" => Needed graph::update_dependencies_with_edges;
        "cudaThreadExchangeStreamCaptureMode" => Needed graph::exchange_mode;
        // Graphs
        "cudaGraphCreate" => Needed graph::create;
        "cudaGraphClone" => Needed graph::clone;
        "cudaGraphDestroy" => Needed graph::destroy;
        "cudaGraphDebugDotPrint" => Needed graph::print_dot;
        "cudaGraphNodeFindInClone" => Needed graph::find_in_clone;
        "cudaGraphGetNodes" => Needed graph::list_nodes;
        "cudaGraphGetRootNodes" => Needed graph::roots;
        "cudaGraphGetEdges" => Needed graph::edges;
        "cudaGraphGetEdges_v2" => Needed graph::edges_with_data;
        "cudaGraphNodeGetDependencies" => Needed graph::dependencies;
        "cudaGraphNodeGetDependencies_v2" => Needed graph::dependencies_with_edges;
        "cudaGraphNodeGetDependentNodes" => Needed graph::dependents;
        "cudaGraphNodeGetDependentNodes_v2" => Needed graph::dependents_with_edges;
        "cudaGraphAddDependencies" => Needed graph::add_dependencies;
        "cudaGraphAddDependencies_v2" => Needed graph::add_dependencies_with_edges;
        "cudaGraphRemoveDependencies" => Needed graph::remove_dependencies;
        "cudaGraphRemoveDependencies_v2" => Needed graph::remove_dependencies_with_edges;
        "cudaGraphDestroyNode" => Needed graph::destroy_node;
        "cudaGraphNodeGetType" => Needed graph::get_type;
        "cudaGraphAddKernelNode" => Needed |h, a| graph::add(h, a, NodeKind::Kernel);
        "cudaGraphAddMemcpyNode" => Needed |h, a| graph::add(h, a, NodeKind::Copy);
        "cudaGraphAddMemcpyNode1D" => Needed graph::add_copy_1d;
        "cudaGraphAddMemcpyNodeToSymbol" => Needed graph::add_to_symbol;
        "cudaGraphAddMemcpyNodeFromSymbol" => Needed graph::add_from_symbol;
        "cudaGraphAddMemsetNode" => Needed |h, a| graph::add(h, a, NodeKind::Fill);
        "cudaGraphAddHostNode" => Needed |h, a| graph::add(h, a, NodeKind::Host);
        "cudaGraphAddEmptyNode" => Needed |h, a| graph::add(h, a, NodeKind::Empty);
        "cudaGraphAddChildGraphNode" => Needed |h, a| graph::add(h, a, NodeKind::Child);
        "cudaGraphAddEventRecordNode" => Needed |h, a| graph::add(h, a, NodeKind::Record);
        "cudaGraphAddEventWaitNode" => Needed |h, a| graph::add(h, a, NodeKind::Wait);
        "cudaGraphAddMemAllocNode" => Needed |h, a| graph::add(h, a, NodeKind::Alloc);
        "cudaGraphAddMemFreeNode" => Needed graph::add_free;
        "cudaGraphAddNode" => Needed graph::add_any;
        "cudaGraphAddNode_v2" => Needed graph::add_any_with_edges;
        "cudaGraphConditionalHandleCreate" => Needed graph::create_condition;
        "cudaGraphKernelNodeGetParams" => Needed |h, a| graph::get(h, a, NodeKind::Kernel);
        "cudaGraphMemcpyNodeGetParams" => Needed |h, a| graph::get(h, a, NodeKind::Copy);
        "cudaGraphMemsetNodeGetParams" => Needed |h, a| graph::get(h, a, NodeKind::Fill);
        "cudaGraphHostNodeGetParams" => Needed |h, a| graph::get(h, a, NodeKind::Host);
        "cudaGraphEventRecordNodeGetEvent" => Needed |h, a| graph::get(h, a, NodeKind::Record);
        "cudaGraphEventWaitNodeGetEvent" => Needed |h, a| graph::get(h, a, NodeKind::Wait);
        "cudaGraphMemAllocNodeGetParams" => Needed |h, a| graph::get(h, a, NodeKind::Alloc);
        "cudaGraphMemFreeNodeGetParams" => Needed |h, a| graph::get(h, a, NodeKind::Free);
        "cudaGraphChildGraphNodeGetGraph" => Needed graph::get_graph;
        "cudaGraphKernelNodeSetParams" => Needed |h, a| graph::set(h, a, NodeKind::Kernel);
        "cudaGraphMemcpyNodeSetParams" => Needed |h, a| graph::set(h, a, NodeKind::Copy);
        "cudaGraphMemcpyNodeSetParams1D" => Needed graph::set_copy_1d;
        "cudaGraphMemcpyNodeSetParamsToSymbol" => Needed graph::set_to_symbol;
        "cudaGraphMemcpyNodeSetParamsFromSymbol" => Needed graph::set_from_symbol;
        "cudaGraphMemsetNodeSetParams" => Needed |h, a| graph::set(h, a, NodeKind::Fill);
        "cudaGraphHostNodeSetParams" => Needed |h, a| graph::set(h, a, NodeKind::Host);
        "cudaGraphEventRecordNodeSetEvent" => Needed |h, a| graph::set(h, a, NodeKind::Record);
        "cudaGraphEventWaitNodeSetEvent" => Needed |h, a| graph::set(h, a, NodeKind::Wait);
        "cudaGraphNodeSetParams" => Needed graph::set_any;
        "cudaGraphKernelNodeGetAttribute" => Needed graph::attribute;
        "cudaGraphKernelNodeSetAttribute" => Needed graph::set_attribute;
        "cudaGraphKernelNodeCopyAttributes" => Needed graph::copy_attributes;
        "cudaDeviceGetGraphMemAttribute" => Needed graph::memory::attribute;
        "cudaDeviceSetGraphMemAttribute" => Needed graph::memory::set_attribute;
        "cudaDeviceGraphMemTrim" => Needed graph::memory::trim;
        "cudaUserObjectCreate" => Needed graph::create_object;
        "cudaUserObjectRetain" => Needed graph::retain_object;
        "cudaUserObjectRelease" => Needed graph::release_object;
        "cudaGraphRetainUserObject" => Needed graph::retain_object_for_graph;
        "cudaGraphReleaseUserObject" => Needed graph::release_object_of_graph;
        // Executable graphs
        "cudaGraphInstantiate" => Needed graph::instantiate;
        "cudaGraphInstantiateWithFlags" => Needed graph::instantiate_with_flags;
        "cudaGraphInstantiateWithParams" => Needed graph::instantiate_with_params;
        "cudaGraphExecGetFlags" => Needed graph::exec_flags;
        "cudaGraphExecKernelNodeSetParams" => Needed |h, a| graph::set_in_exec(h, a, NodeKind::Kernel);
        "cudaGraphExecMemcpyNodeSetParams" => Needed |h, a| graph::set_in_exec(h, a, NodeKind::Copy);
        "cudaGraphExecMemcpyNodeSetParams1D" => Needed graph::set_copy_1d_in_exec;
        "cudaGraphExecMemcpyNodeSetParamsToSymbol" => Needed graph::set_to_symbol_in_exec;
        "cudaGraphExecMemcpyNodeSetParamsFromSymbol" => Needed graph::set_from_symbol_in_exec;
        "cudaGraphExecMemsetNodeSetParams" => Needed |h, a| graph::set_in_exec(h, a, NodeKind::Fill);
        "cudaGraphExecHostNodeSetParams" => Needed |h, a| graph::set_in_exec(h, a, NodeKind::Host);
        "cudaGraphExecChildGraphNodeSetParams" => Needed |h, a| graph::set_in_exec(h, a, NodeKind::Child);
        "cudaGraphExecEventRecordNodeSetEvent" => Needed |h, a| graph::set_in_exec(h, a, NodeKind::Record);
        "cudaGraphExecEventWaitNodeSetEvent" => Needed |h, a| graph::set_in_exec(h, a, NodeKind::Wait);
        "cudaGraphExecNodeSetParams" => Needed graph::set_any_in_exec;
        "cudaGraphNodeSetEnabled" => Needed graph::set_enabled;
        "cudaGraphNodeGetEnabled" => Needed graph::enabled;
        "cudaGraphExecUpdate" => Needed graph::update;
        "cudaGraphUpload" => Needed graph::upload;
        "cudaGraphLaunch" => Needed graph::run;
        "cudaGraphExecDestroy" => Needed graph::destroy_exec;
        // Launches and kernels
        "cudaLaunchKernel" => Needed launch::launch_kernel;
        "cudaLaunchKernelExC" => Needed launch::launch_configured;
        "cudaLaunchCooperativeKernel" => Needed launch::launch_cooperative;
        "cudaFuncGetAttributes" => Needed launch::attributes;
        "cudaFuncSetAttribute" => Needed launch::set_attribute;
        "cudaFuncSetCacheConfig" => Needed launch::set_cache_config;
        "cudaFuncSetSharedMemConfig" => Needed launch::set_cache_config;
        "cudaFuncGetParamInfo" => Needed launch::parameter;
        "cudaGetFuncBySymbol" => Needed launch::by_symbol;
        "cudaLaunchCooperativeKernelMultiDevice" => Needed launch::no_multi_device;
        "cudaFuncGetName" => Needed launch::name;
        // Kernels and libraries, other interfaces
        "cudaImportExternalMemory" => Needed interop::import_memory;
        "cudaExternalMemoryGetMappedBuffer" => Needed interop::mapped_memory;
        "cudaExternalMemoryGetMappedMipmappedArray" => Needed interop::mapped_memory;
        "cudaDestroyExternalMemory" => Needed interop::destroy_memory;
        "cudaImportExternalSemaphore" => Needed interop::import_semaphore;
        "cudaSignalExternalSemaphoresAsync" => Needed interop::semaphores;
        "cudaWaitExternalSemaphoresAsync" => Needed interop::semaphores;
        "cudaDestroyExternalSemaphore" => Needed interop::destroy_semaphore;
        "cudaGraphicsUnregisterResource" => Needed interop::resource;
        "cudaGraphicsResourceSetMapFlags" => Needed interop::resource;
        "cudaGraphicsMapResources" => Needed interop::resources;
        "cudaGraphicsUnmapResources" => Needed interop::resources;
        "cudaGraphicsResourceGetMappedPointer" => Needed interop::mapped_resource;
        "cudaGraphicsSubResourceGetMappedArray" => Needed interop::mapped_resource;
        "cudaGraphicsResourceGetMappedMipmappedArray" => Needed interop::mapped_resource;
        "cudaGraphAddExternalSemaphoresSignalNode" => Needed interop::no_semaphore_node;
        "cudaGraphExternalSemaphoresSignalNodeGetParams" => Needed interop::no_semaphore_node;
        "cudaGraphExternalSemaphoresSignalNodeSetParams" => Needed interop::no_semaphore_node;
        "cudaGraphAddExternalSemaphoresWaitNode" => Needed interop::no_semaphore_node;
        "cudaGraphExternalSemaphoresWaitNodeGetParams" => Needed interop::no_semaphore_node;
        "cudaGraphExternalSemaphoresWaitNodeSetParams" => Needed interop::no_semaphore_node;
        "cudaGraphExecExternalSemaphoresSignalNodeSetParams" => Needed interop::no_semaphore_node;
        "cudaGraphExecExternalSemaphoresWaitNodeSetParams" => Needed interop::no_semaphore_node;
        "cudaDeviceRegisterAsyncNotification" => Needed interop::register;
        "cudaDeviceUnregisterAsyncNotification" => Needed interop::unregister;
        "cudaDeviceGetNvSciSyncAttributes" => Free interop::no_sync_attributes;
        "cudaGetExportTable" => Free interop::no_table;
        "cudaGetDriverEntryPoint" => Needed entry::point;
        "cudaGetDriverEntryPointByVersion" => Needed entry::point_of_version;
        "cudaLibraryLoadData" => Needed module::load_data;
        "cudaLibraryLoadFromFile" => Needed module::load;
        "cudaLibraryUnload" => Needed module::unload_library;
        "cudaLibraryGetKernel" => Needed module::function;
        "cudaLibraryGetGlobal" => Needed module::global;
        "cudaLibraryGetManaged" => Needed function::managed;
        "cudaLibraryGetUnifiedFunction" => Needed function::no_unified_function;
        "cudaLibraryGetKernelCount" => Needed function::count;
        "cudaLibraryEnumerateKernels" => Needed function::list;
        "cudaKernelSetAttributeForDevice" => Needed function::set_attribute_for;
        "cudaGetKernel" => Needed function::same;
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor" => Needed launch::occupancy;
        "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags" => Needed launch::occupancy_with_flags;
        "cudaOccupancyMaxPotentialClusterSize" => Needed cluster::potential_size;
        "cudaOccupancyMaxActiveClusters" => Needed cluster::active;
        "cudaOccupancyAvailableDynamicSMemPerBlock" => Needed launch::available_shared;
    })
}
