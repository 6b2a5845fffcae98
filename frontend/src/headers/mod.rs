//! The CUDA headers that are served to libclang from memory, so that no toolkit is needed.
//!
//! [`unsaved_files`] are the headers, relative to [`VIRTUAL_INCLUDE_DIR`]; [`PRELUDE_NAME`] is force-included
//! into every `.cu` file, as nvcc includes its runtime header. They present CUDA 12.9 and keep names that
//! older versions had and newer ones added.
//!
//! Two rules for whoever lowers what these headers declare:
//!
//! - **A function with a body here is transparent.** `atomicAdd`, `__ldg`, `make_float4`, `cudaMalloc<T>` and
//!   kin stand in for a CUDA function: what their instructions do is reported at the place of the call in
//!   the program, not in the header. [`is_own_header`] tells such a place.
//! - **A function without a body is a primitive** of the table below, or a function of the C library or the
//!   runtime API, all known by name (all are `extern "C"`). Host and device overloads have one name: which
//!   one is meant follows from the side that the *calling* code runs on, since a `__host__ __device__`
//!   caller resolves to the host's declaration in clang's host mode.
//!
//! # Built-in variables
//!
//! `threadIdx`, `blockIdx` (`uint3`), `blockDim`, `gridDim` (`dim3`), `warpSize` (`int`): `extern const
//! __device__` declarations without a definition. A member read is an instruction (`tid.x`); a read of the
//! whole struct is three.
//!
//! # Attributes that survive as `annotate`
//!
//! | annotation | from | arguments |
//! | --- | --- | --- |
//! | `cudair.managed` | `__managed__` | none (the variable is `device` too) |
//! | `cudair.launch_bounds` | `__launch_bounds__` | threads a block \[, blocks a multiprocessor \[, cluster\]\] |
//! | `cudair.cluster_dims` | `__cluster_dims__` | blocks of a cluster in x \[, y \[, z\]\] |
//! | `cudair.maxnreg`, `cudair.block_size` | same names | as written |
//! | `cudair.grid_constant` | `__grid_constant__` | none (on a parameter: the launch's memory, not a copy) |
//!
//! # Primitives: synchronisation
//!
//! | name | signature | meaning |
//! | --- | --- | --- |
//! | `__syncthreads` | `void ()` | block barrier 0 |
//! | `__syncthreads_count`, `_and`, `_or` | `int (int predicate)` | block barrier with a reduction over the threads' predicates |
//! | `__cudair_grid_barrier` | `void (void)` | block barrier behind which all blocks have met |
//! | `__barrier_sync` | `void (unsigned id)` | named block barrier, all threads of the block |
//! | `__barrier_sync_count` | `void (unsigned id, unsigned count)` | named block barrier of `count` threads |
//! | `__syncwarp` | `void (unsigned mask = ~0)` | warp barrier; the default argument is in the declaration |
//! | `__threadfence_block`, `__threadfence`, `__threadfence_system` | `void ()` | fence at block, device, system scope |
//! | `__threadfence_cluster` | `void ()` | fence at the scope of the cluster |
//! | `__cluster_barrier_arrive`, `__cluster_barrier_arrive_relaxed`, `__cluster_barrier_wait` | `void ()` | the halves of the cluster's barrier |
//! | `__cluster_nctaid_x`, `_y`, `_z`, `__clusterDimIsSpecified` | `unsigned ()` | the cluster's shape, and whether anybody gave one |
//! | `__cudair_cluster_map` | `void* (const void*, unsigned rank)` | the same place in another block's shared memory |
//! | `__cudair_cluster_rank`, `__cudair_cluster_owns` | `unsigned (const void*)` | whose shared memory it is in; whether it is in that of the cluster |
//! | `__trap`, `__brkpt` | `void ()` | abort the kernel; breakpoint (a trap where no debugger listens) |
//! | `__cudair_assume`, `__cudair_assert` | `void (bool)` | what the program rests on; what has to hold (both sides, as are the annotations of `cudair/verify.h`) |
//! | `__nanosleep` | `void (unsigned)` | suspend: a yield |
//! | `clock`, `clock64` | `long ()`, `long long ()` | cycle counter |
//! | `__cudair_on_device` | `bool ()` | which side the code runs on; only as a whole condition of an `if`, of which the branch for the other side is not lowered |
//! | `__cudair_here<R>` | `R (bool)` | the call in its argument, `noexcept(call)`: one that the parser does not check, since code of both sides makes it on the device alone |
//!
//! # Primitives: warp
//!
//! `S` is `i32`, `i64`, `f32`, `f64` with the types `int`, `long long`, `float`, `double`.
//!
//! | name | signature | meaning |
//! | --- | --- | --- |
//! | `__activemask` | `unsigned ()` | lanes that execute this together |
//! | `__all_sync`, `__any_sync`, `__uni_sync` | `int (unsigned mask, int predicate)` | vote: all, any, all equal |
//! | `__ballot_sync` | `unsigned (unsigned mask, int predicate)` | vote: the lanes where it holds |
//! | `__cudair_shfl_idx_S` | `T (unsigned mask, T value, int lane, int width)` | shuffle from a lane |
//! | `__cudair_shfl_up_S`, `__cudair_shfl_down_S` | `T (unsigned mask, T value, unsigned delta, int width)` | shuffle from `delta` lanes below, above |
//! | `__cudair_shfl_xor_S` | `T (unsigned mask, T value, int lane_mask, int width)` | shuffle from the lane of xor |
//! | `__cudair_match_any_i32`, `_i64` | `unsigned (unsigned mask, unsigned [long long] value)` | lanes with the caller's value |
//! | `__cudair_match_all_i32`, `_i64` | the same | `mask` where all lanes' values are equal, else 0 |
//! | `__cudair_reduce_OP_i32` | `unsigned (unsigned mask, unsigned value)` | OP of `add and or xor` over the lanes of mask |
//! | `__cudair_reduce_min_u32`, `max_u32`, `min_s32`, `max_s32` | `T (unsigned mask, T value)` | unsigned, signed extremes |
//!
//! # Primitives: atomics
//!
//! `T __cudair_atomic_OP_S(T* ptr, T value, int scope)` returns the old value; relaxed. `scope` is always a
//! constant: 0 block, 1 device, 2 system. On both sides, as is `__cudair_fence(int scope)`. Integers of 8 and 16
//! bits too (`i8`, `s16`, …), but for `inc` and `dec`.
//!
//! | OP | S | T |
//! | --- | --- | --- |
//! | `add` | `i32 i64 f32 f64` | `unsigned`, `unsigned long long`, `float`, `double` |
//! | `sub`, `and`, `or`, `xor` | `i32 i64` | `unsigned`, `unsigned long long` |
//! | `exch` | `i32 i64 f32` | `unsigned`, `unsigned long long`, `float` |
//! | `min`, `max` | `s32 u32 s64 u64` | `int`, `unsigned`, `long long`, `unsigned long long` |
//! | `inc`, `dec` | `u32` | `old >= value ? 0 : old + 1`; `old == 0 \|\| old > value ? value : old - 1` |
//! | `add` | `f16 bf16` | `_Float16`, `__bf16` |
//! | `load`, `store` | `i8 i16 i32 i64` | as the others; `store` returns nothing |
//! | `exch`, `cas` | `i128` | `unsigned __int128`; `cas` as below |
//! | `cas` | `i8 i16 i32 i64` | `T __cudair_atomic_cas_S(T* ptr, T compare, T value, int scope)` |
//!
//! # Primitives: addresses, bits, numbers
//!
//! | name | signature | meaning |
//! | --- | --- | --- |
//! | `__isGlobal`, `__isShared`, `__isConstant`, `__isLocal`, `__isGridConstant` | `unsigned (const void*)` | is the generic pointer in that space |
//! | `__cvta_generic_to_X` | `size_t (const void*)` | address inside space X of `global shared constant local` |
//! | `__cvta_X_to_generic` | `void* (size_t)` | back |
//! | `__float_as_int`, `__float_as_uint`, `__int_as_float`, `__uint_as_float`, `__double_as_longlong`, `__longlong_as_double` | as named | bit casts |
//! | `__fadd_R`, `__fsub_R`, `__fmul_R`, `__fdiv_R`, `__frcp_R`, `__fsqrt_R`, `__fmaf_R`, `__fmaf_ieee_R`, `__dadd_R` …, `__ddiv_R`, `__drcp_R`, `__dsqrt_R`, `__fma_R` | `T (T…)` | one operation in rounding mode R of `rn rz ru rd`; `rn` is the plain operation, never contracted |
//! | `__float2int_R`, `__float2uint_R`, `__float2ll_R`, `__float2ull_R`, `__double2…`, `__double2float_R`, `__int2float_R`, `__uint2float_R`, `__ll2float_R`, `__ull2float_R`, `__ll2double_R`, `__ull2double_R`, `__int2double_rn`, `__uint2double_rn` | as named | conversion in mode R; to integers it saturates |
//! | `__cudair_bits_T` | `T (U)` | the bits as another type of the same size, on both sides |
//! | `__sinf`, `__cosf`, `__tanf`, `__sincosf`, `__expf`, `__exp10f`, `__logf`, `__log2f`, `__log10f`, `__powf`, `__tanhf`, `__fdividef`, `__frsqrt_rn` | as CUDA | hardware approximations |
//! | `__isnan`, `__isinf`, `__finite`, `__signbit` and `…f` | `int (T)` | classification |
//! | `sqrt`, `sqrtf`, `sin` … (`cudair/math.h`) | as `<math.h>` | the host's libm on the host, CUDA's on the device |
//! | `rsqrt`, `rcbrt`, `sinpi`, `cospi`, `sincospi`, `erfinv`, `erfcinv`, `erfcx`, `normcdf`, `normcdfinv`, `cyl_bessel_i0`, `_i1`, `norm`, `norm3d`, `norm4d`, `rnorm`, `rnorm3d`, `rnorm4d`, `rhypot`, `fdividef` and `…f` | as CUDA | CUDA's own, on both sides (`norm` and `rnorm`: device) |
//! | `printf`, `vprintf`, `malloc`, `free`, `memcpy`, `memmove`, `memset`, `abort`, `__assert_fail` | as C | device overloads of the C library |
//!
//! Bodies use these builtins: `__builtin_popcount[ll]`, `__builtin_clz[ll]` (argument not 0),
//! `__builtin_ffs[ll]`, `__builtin_bitreverse32`, `64`, `__builtin_isnan`, `isinf`, `isfinite`, `isnormal`,
//! `signbit`.
//!
//! # Only the parts that a program needs
//!
//! Parsing every declaration takes longer than parsing most programs. [`parts_for`] looks at the names that
//! a program mentions and says which `-D` flags leave out the parts that it cannot use; where it is not sure
//! it leaves out nothing.

mod parts;
mod words;

pub(crate) use parts::identifiers;
pub use parts::{is_in_prelude, parts_for, wants_std_math};
pub use words::{Words, folders_of};

/// The directory under which [`unsaved_files`] appear to lie; it need not exist. Pass it as `-isystem`.
pub const VIRTUAL_INCLUDE_DIR: &str = "/__cudair__/include";

/// The header to force-include (`-include`) first into a `.cu` file.
pub const PRELUDE_NAME: &str = "cudair_prelude.h";

/// What the headers of Thrust and CUB bring along, to be force-included where a program needs it.
pub const TRANSITIVE_NAME: &str = "cudair/transitive.h";

macro_rules! header {
    ($name:literal) => {
        ($name, include_str!(concat!("include/", $name)))
    };
}

/// The headers: path relative to [`VIRTUAL_INCLUDE_DIR`], and contents.
pub fn unsaved_files() -> &'static [(&'static str, &'static str)] {
    HEADERS
}

static HEADERS: &[(&str, &str)] = &[
    header!("bits/basic_ios.h"),
    header!("bits/c++config.h"),
    header!("bits/codecvt.h"),
    header!("bits/cudair_locale.h"),
    header!("bits/cudair_stdio.h"),
    header!("bits/hashtable_policy.h"),
    header!("bits/ios_base.h"),
    header!("bits/locale_classes.h"),
    header!("bits/locale_facets.h"),
    header!("bits/locale_facets_nonio.h"),
    header!("bits/std_thread.h"),
    header!("bits/stl_bvector.h"),
    header!("bits/stl_list.h"),
    header!("bits/stl_tree.h"),
    header!("builtin_types.h"),
    header!("channel_descriptor.h"),
    header!("charconv"),
    header!("codecvt"),
    header!("valarray"),
    header!("memory_resource"),
    header!("common_functions.h"),
    header!("condition_variable"),
    header!("complex"),
    header!("cooperative_groups.h"),
    header!("cooperative_groups/memcpy_async.h"),
    header!("cooperative_groups/reduce.h"),
    header!("cooperative_groups/scan.h"),
    header!("crt/common_functions.h"),
    header!("crt/device_functions.h"),
    header!("crt/host_config.h"),
    header!("crt/host_defines.h"),
    header!("crt/math_functions.h"),
    header!("cuComplex.h"),
    header!("cub/block/block_adjacent_difference.cuh"),
    header!("cub/block/block_discontinuity.cuh"),
    header!("cub/block/block_exchange.cuh"),
    header!("cub/block/block_histogram.cuh"),
    header!("cub/block/block_load.cuh"),
    header!("cub/block/block_merge_sort.cuh"),
    header!("cub/block/block_radix_sort.cuh"),
    header!("cub/block/block_reduce.cuh"),
    header!("cub/block/block_run_length_decode.cuh"),
    header!("cub/block/block_scan.cuh"),
    header!("cub/block/block_shuffle.cuh"),
    header!("cub/block/block_store.cuh"),
    header!("cub/config.cuh"),
    header!("cub/cub.cuh"),
    header!("cub/detail/block_shape.cuh"),
    header!("cub/detail/device.cuh"),
    header!("cub/detail/shuffle.cuh"),
    header!("cub/device/device_adjacent_difference.cuh"),
    header!("cub/device/device_copy.cuh"),
    header!("cub/device/device_for.cuh"),
    header!("cub/device/device_histogram.cuh"),
    header!("cub/device/device_memcpy.cuh"),
    header!("cub/device/device_merge_sort.cuh"),
    header!("cub/device/device_partition.cuh"),
    header!("cub/device/device_radix_sort.cuh"),
    header!("cub/device/device_reduce.cuh"),
    header!("cub/device/device_run_length_encode.cuh"),
    header!("cub/device/device_scan.cuh"),
    header!("cub/device/device_segmented_radix_sort.cuh"),
    header!("cub/device/device_segmented_reduce.cuh"),
    header!("cub/device/device_segmented_sort.cuh"),
    header!("cub/device/device_select.cuh"),
    header!("cub/device/device_transform.cuh"),
    header!("cub/iterator/arg_index_input_iterator.cuh"),
    header!("cub/iterator/cache_modified_input_iterator.cuh"),
    header!("cub/iterator/cache_modified_output_iterator.cuh"),
    header!("cub/iterator/constant_input_iterator.cuh"),
    header!("cub/iterator/counting_input_iterator.cuh"),
    header!("cub/iterator/discard_output_iterator.cuh"),
    header!("cub/iterator/iterators.cuh"),
    header!("cub/iterator/tex_obj_input_iterator.cuh"),
    header!("cub/iterator/transform_input_iterator.cuh"),
    header!("cub/thread/thread_load.cuh"),
    header!("cub/thread/thread_operators.cuh"),
    header!("cub/thread/thread_reduce.cuh"),
    header!("cub/thread/thread_search.cuh"),
    header!("cub/thread/thread_store.cuh"),
    header!("cub/util.cuh"),
    header!("cub/util_allocator.cuh"),
    header!("cub/util_arch.cuh"),
    header!("cub/util_debug.cuh"),
    header!("cub/util_device.cuh"),
    header!("cub/util_macro.cuh"),
    header!("cub/util_namespace.cuh"),
    header!("cub/util_ptx.cuh"),
    header!("cub/util_type.cuh"),
    header!("cub/version.cuh"),
    header!("cub/warp/warp_exchange.cuh"),
    header!("cub/warp/warp_load.cuh"),
    header!("cub/warp/warp_merge_sort.cuh"),
    header!("cub/warp/warp_reduce.cuh"),
    header!("cub/warp/warp_scan.cuh"),
    header!("cub/warp/warp_store.cuh"),
    header!("cuda.h"),
    header!("cuda/atomic"),
    header!("cuda/barrier"),
    header!("cuda/pipeline"),
    header!("cuda/std/__cudair_std"),
    header!("cuda/std/algorithm"),
    header!("cuda/std/array"),
    header!("cuda/std/atomic"),
    header!("cuda/std/barrier"),
    header!("cuda/std/bitset"),
    header!("cuda/std/cassert"),
    header!("cuda/std/cfloat"),
    header!("cuda/std/chrono"),
    header!("cuda/std/climits"),
    header!("cuda/std/cmath"),
    header!("cuda/std/complex"),
    header!("cuda/std/cstddef"),
    header!("cuda/std/cstdint"),
    header!("cuda/std/cstdlib"),
    header!("cuda/std/cstring"),
    header!("cuda/std/ctime"),
    header!("cuda/std/functional"),
    header!("cuda/std/initializer_list"),
    header!("cuda/std/iterator"),
    header!("cuda/std/limits"),
    header!("cuda/std/numeric"),
    header!("cuda/std/optional"),
    header!("cuda/std/ratio"),
    header!("cuda/std/span"),
    header!("cuda/std/tuple"),
    header!("cuda/std/type_traits"),
    header!("cuda/std/utility"),
    header!("cuda/std/variant"),
    header!("cudaProfiler.h"),
    header!("cuda_awbarrier.h"),
    header!("cuda_awbarrier_primitives.h"),
    header!("cuda_bf16.h"),
    header!("cuda_bf16.hpp"),
    header!("cuda_device_runtime_api.h"),
    header!("cuda_fp16.h"),
    header!("cuda_fp16.hpp"),
    header!("cuda_fp4.h"),
    header!("cuda_fp4.hpp"),
    header!("cuda_fp6.h"),
    header!("cuda_fp6.hpp"),
    header!("cuda_fp8.h"),
    header!("cuda_fp8.hpp"),
    header!("cuda_pipeline.h"),
    header!("cuda_pipeline_primitives.h"),
    header!("cuda_profiler_api.h"),
    header!("cuda_runtime.h"),
    header!("cuda_runtime_api.h"),
    header!("cuda_surface_types.h"),
    header!("cuda_texture_types.h"),
    header!("cudair/atomics.h"),
    header!("cudair/device.h"),
    header!("cudair/device_types.h"),
    header!("cudair/error_types.h"),
    header!("cudair/flags.h"),
    header!("cudair/cu_api.h"),
    header!("cudair/cu_enums.h"),
    header!("cudair/cu_types.h"),
    header!("cudair/graph_api.h"),
    header!("cudair/graph_types.h"),
    header!("cudair/integer.h"),
    header!("cudair/interop_api.h"),
    header!("cudair/libc.h"),
    header!("cudair/math.h"),
    header!("cudair/math_overloads.h"),
    header!("cudair/memory.h"),
    header!("cudair/narrow.h"),
    header!("cudair/nv_atomic.h"),
    header!("cudair/narrow_convert.h"),
    header!("cudair/narrow_ops.h"),
    header!("cudair/narrow_types.h"),
    header!("cudair/power_types.h"),
    header!("cudair/tiny.h"),
    header!("cudair/tiny_functions.h"),
    header!("cudair/tiny_types.h"),
    header!("cudair/rounding.h"),
    header!("cudair/runtime_templates.h"),
    header!("cudair/simd.h"),
    header!("cudair/sync.h"),
    header!("cudair/claims.h"),
    header!("cudair/cluster.h"),
    header!("cudair/complex_math.h"),
    header!("cudair/texture.h"),
    header!("cudair/transitive.h"),
    header!("cudair/verify.h"),
    header!("cudair/warp.h"),
    header!("cudair_prelude.h"),
    header!("curand_kernel.h"),
    header!("device_atomic_functions.h"),
    header!("device_double_functions.h"),
    header!("device_functions.h"),
    header!("device_launch_parameters.h"),
    header!("device_types.h"),
    header!("driver_functions.h"),
    header!("driver_types.h"),
    header!("filesystem"),
    header!("fstream"),
    header!("future"),
    header!("host_config.h"),
    header!("host_defines.h"),
    header!("iomanip"),
    header!("ios"),
    header!("iostream"),
    header!("istream"),
    header!("library_types.h"),
    header!("locale"),
    header!("math.h"),
    header!("math_constants.h"),
    header!("math_functions.h"),
    header!("mma.h"),
    header!("mutex"),
    header!("nvToolsExt.h"),
    header!("nvrtc.h"),
    header!("nvtx3/nvToolsExt.h"),
    header!("omp.h"),
    header!("ostream"),
    header!("ranges"),
    header!("regex"),
    header!("sm_20_atomic_functions.h"),
    header!("sm_20_intrinsics.h"),
    header!("sm_30_intrinsics.h"),
    header!("sm_32_atomic_functions.h"),
    header!("sm_32_intrinsics.h"),
    header!("sm_35_atomic_functions.h"),
    header!("sm_35_intrinsics.h"),
    header!("sm_60_atomic_functions.h"),
    header!("sm_61_intrinsics.h"),
    header!("sstream"),
    header!("stdlib.h"),
    header!("streambuf"),
    header!("surface_functions.h"),
    header!("surface_indirect_functions.h"),
    header!("surface_types.h"),
    header!("system_error"),
    header!("texture_fetch_functions.h"),
    header!("texture_indirect_functions.h"),
    header!("texture_types.h"),
    header!("thrust/adjacent_difference.h"),
    header!("thrust/advance.h"),
    header!("thrust/binary_search.h"),
    header!("thrust/complex.h"),
    header!("thrust/copy.h"),
    header!("thrust/count.h"),
    header!("thrust/detail/config.h"),
    header!("thrust/detail/core.h"),
    header!("thrust/detail/facade.h"),
    header!("thrust/detail/kernels.h"),
    header!("thrust/detail/pointer.h"),
    header!("thrust/detail/raw_pointer_cast.h"),
    header!("thrust/detail/raw_reference_cast.h"),
    header!("thrust/detail/selection.h"),
    header!("thrust/detail/sorting.h"),
    header!("thrust/detail/transitive.h"),
    header!("thrust/detail/tuple.h"),
    header!("thrust/detail/type_traits.h"),
    header!("thrust/detail/vector_base.h"),
    header!("thrust/device_allocator.h"),
    header!("thrust/device_free.h"),
    header!("thrust/device_malloc.h"),
    header!("thrust/device_malloc_allocator.h"),
    header!("thrust/device_ptr.h"),
    header!("thrust/device_reference.h"),
    header!("thrust/device_vector.h"),
    header!("thrust/distance.h"),
    header!("thrust/equal.h"),
    header!("thrust/execution_policy.h"),
    header!("thrust/extrema.h"),
    header!("thrust/fill.h"),
    header!("thrust/find.h"),
    header!("thrust/for_each.h"),
    header!("thrust/functional.h"),
    header!("thrust/gather.h"),
    header!("thrust/generate.h"),
    header!("thrust/host_vector.h"),
    header!("thrust/inner_product.h"),
    header!("thrust/iterator/constant_iterator.h"),
    header!("thrust/iterator/counting_iterator.h"),
    header!("thrust/iterator/discard_iterator.h"),
    header!("thrust/iterator/iterator_categories.h"),
    header!("thrust/iterator/iterator_traits.h"),
    header!("thrust/iterator/permutation_iterator.h"),
    header!("thrust/iterator/reverse_iterator.h"),
    header!("thrust/iterator/transform_input_output_iterator.h"),
    header!("thrust/iterator/transform_iterator.h"),
    header!("thrust/iterator/transform_output_iterator.h"),
    header!("thrust/iterator/zip_iterator.h"),
    header!("thrust/logical.h"),
    header!("thrust/memory.h"),
    header!("thrust/merge.h"),
    header!("thrust/mismatch.h"),
    header!("thrust/pair.h"),
    header!("thrust/partition.h"),
    header!("thrust/random.h"),
    header!("thrust/random/discard_block_engine.h"),
    header!("thrust/random/linear_congruential_engine.h"),
    header!("thrust/random/linear_feedback_shift_engine.h"),
    header!("thrust/random/normal_distribution.h"),
    header!("thrust/random/subtract_with_carry_engine.h"),
    header!("thrust/random/uniform_int_distribution.h"),
    header!("thrust/random/uniform_real_distribution.h"),
    header!("thrust/random/xor_combine_engine.h"),
    header!("thrust/reduce.h"),
    header!("thrust/remove.h"),
    header!("thrust/replace.h"),
    header!("thrust/reverse.h"),
    header!("thrust/scan.h"),
    header!("thrust/scatter.h"),
    header!("thrust/sequence.h"),
    header!("thrust/set_operations.h"),
    header!("thrust/shuffle.h"),
    header!("thrust/sort.h"),
    header!("thrust/swap.h"),
    header!("thrust/system/cpp/execution_policy.h"),
    header!("thrust/system/cuda/error.h"),
    header!("thrust/system/cuda/execution_policy.h"),
    header!("thrust/system/cuda/experimental/pinned_allocator.h"),
    header!("thrust/system/cuda/memory.h"),
    header!("thrust/system/cuda/vector.h"),
    header!("thrust/system/error_code.h"),
    header!("thrust/system/omp/execution_policy.h"),
    header!("thrust/system/system_error.h"),
    header!("thrust/system_error.h"),
    header!("thrust/tabulate.h"),
    header!("thrust/transform.h"),
    header!("thrust/transform_reduce.h"),
    header!("thrust/transform_scan.h"),
    header!("thrust/tuple.h"),
    header!("thrust/uninitialized_copy.h"),
    header!("thrust/uninitialized_fill.h"),
    header!("thrust/unique.h"),
    header!("thrust/universal_allocator.h"),
    header!("thrust/universal_vector.h"),
    header!("thrust/version.h"),
    header!("thrust/zip_function.h"),
    header!("vector_functions.h"),
    header!("vector_functions.hpp"),
    header!("vector_types.h"),
];

/// The library that a header belongs to which cudair does not provide, by the header's name.
pub fn library_of(header: &str) -> Option<&'static str> {
    LIBRARIES.iter().find(|(_, headers)| headers.contains(&header)).map(|(library, _)| *library)
}

/// Libraries that come with the toolkit, or are found beside it, and that are not provided.
static LIBRARIES: &[(&str, &[&str])] = &[
    ("cuBLAS", &["cublas.h", "cublas_v2.h", "cublas_api.h"]),
    ("cuBLASLt", &["cublasLt.h"]),
    ("cuBLASXt", &["cublasXt.h"]),
    ("cuFFT", &["cufft.h", "cufftXt.h", "cufftw.h"]),
    ("cuRAND's host interface", &["curand.h"]),
    ("cuSOLVER", &["cusolverDn.h", "cusolverSp.h", "cusolverRf.h", "cusolverMg.h", "cusolver_common.h"]),
    ("cuSPARSE", &["cusparse.h", "cusparse_v2.h"]),
    ("cuSPARSELt", &["cusparseLt.h"]),
    ("cuTENSOR", &["cutensor.h"]),
    ("cuDNN", &["cudnn.h", "cudnn_v9.h"]),
    ("cuFile", &["cufile.h"]),
    ("NCCL", &["nccl.h"]),
    ("NVSHMEM", &["nvshmem.h", "nvshmemx.h"]),
    ("NPP", &["npp.h", "nppi.h", "npps.h", "nppcore.h", "nppdefs.h"]),
    ("nvJPEG", &["nvjpeg.h"]),
    ("NVML", &["nvml.h"]),
    ("nvJitLink", &["nvJitLink.h"]),
    ("CUPTI", &["cupti.h"]),
    ("MPI", &["mpi.h"]),
    (
        "graphics",
        &[
            "cuda_gl_interop.h",
            "cudaGL.h",
            "cuda_vdpau_interop.h",
            "cudaVDPAU.h",
            "cudaEGL.h",
            "cuda_egl_interop.h",
        ],
    ),
];

/// Is this file one of ours? What happens in a function defined there is reported at its call.
pub fn is_own_header(path: &str) -> bool {
    path.starts_with(VIRTUAL_INCLUDE_DIR)
}

/// Is this file one of those that stand in for CUDA's, rather than one of the C++ library's?
pub fn is_own_cuda_header(path: &str) -> bool {
    path.strip_prefix(VIRTUAL_INCLUDE_DIR).is_some_and(|rest| {
        !rest.starts_with("/bits/") && rest.rsplit('/').next().is_some_and(|n| n.contains('.'))
    })
}

/// The directory under which [`builtin_files`] appear to lie. Pass it as `-isystem`, after
/// [`VIRTUAL_INCLUDE_DIR`], where libclang comes without its resource directory (the PyPI wheel does).
pub const VIRTUAL_BUILTIN_DIR: &str = "/__cudair__/builtin";

macro_rules! builtin {
    ($name:literal) => {
        ($name, include_str!(concat!("builtin/", $name)))
    };
}

/// The compiler's own C headers (`stddef.h` and kin), for a libclang without its resource directory: path
/// relative to [`VIRTUAL_BUILTIN_DIR`], and contents.
pub fn builtin_files() -> &'static [(&'static str, &'static str)] {
    BUILTIN
}

static BUILTIN: &[(&str, &str)] = &[
    builtin!("float.h"),
    builtin!("iso646.h"),
    builtin!("limits.h"),
    builtin!("stdalign.h"),
    builtin!("stdarg.h"),
    builtin!("stdbool.h"),
    builtin!("stddef.h"),
    builtin!("stdnoreturn.h"),
];
