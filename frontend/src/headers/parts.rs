//! Which parts of the prelude a program can need.

use super::words::Words;
use std::sync::OnceLock;

/// Headers whose presence says nothing beyond the names that the program itself mentions.
#[rustfmt::skip]
const PLAIN_HEADERS: &[&str] = &[
    "assert.h", "ctype.h", "errno.h", "float.h", "inttypes.h", "limits.h", "math.h", "signal.h", "stdarg.h",
    "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h", "strings.h", "sys/time.h",
    "time.h", "unistd.h", "cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "cuda_profiler_api.h",
    "device_launch_parameters.h", "cudair/verify.h",
];

/// Names with two leading underscores that are in the prelude's permanent part, or are the compiler's own.
#[rustfmt::skip]
const PLAIN_RESERVED: &[&str] = &[
    "__global__", "__device__", "__host__", "__shared__", "__constant__", "__managed__", "__restrict__",
    "__restrict", "__forceinline__", "__noinline__", "__inline__", "__launch_bounds__", "__align__",
    "__attribute__", "__syncthreads", "__syncthreads_count", "__syncthreads_and", "__syncthreads_or",
    "__syncwarp", "__threadfence", "__threadfence_block", "__threadfence_system", "__trap", "__nanosleep",
    "__cluster_dims__",
    "__FILE__", "__LINE__", "__func__", "__FUNCTION__", "__PRETTY_FUNCTION__", "__CUDA_ARCH__",
    "__builtin_assume", "__cudair_assume", "__cudair_assert", "__CUDAIR__",
    "__CUDACC__", "__VA_ARGS__", "__cplusplus", "__grid_constant__", "__NVCC__", "__DATE__", "__TIME__",
];

/// Every name of the mathematical part that does not start with two underscores.
#[rustfmt::skip]
const MATH_NAMES: &[&str] = &[
    "abs", "acos", "acosf", "acosh", "acoshf", "asin", "asinf", "asinh", "asinhf", "atan", "atan2",
    "atan2f", "atanf", "atanh", "atanhf", "cbrt", "cbrtf", "ceil", "ceilf", "copysign", "copysignf", "cos",
    "cosf", "cosh", "coshf", "cospi", "cospif", "cyl_bessel_i0", "cyl_bessel_i0f", "cyl_bessel_i1",
    "cyl_bessel_i1f", "erf", "erfc", "erfcf", "erfcinv", "erfcinvf", "erfcx", "erfcxf", "erff", "erfinv",
    "erfinvf", "exp", "exp10", "exp10f", "exp2", "exp2f", "expf", "expm1", "expm1f", "fabs", "fabsf",
    "fdim", "fdimf", "fdivide", "fdividef", "float2int", "float2uint", "floor", "floorf", "fma", "fmaf",
    "fmax", "fmaxf", "fmin", "fminf", "fmod", "fmodf", "frexp", "frexpf", "hypot", "hypotf", "ilogb",
    "ilogbf", "int2float", "isfinite", "isinf", "isnan", "isnormal", "j0", "j0f", "j1", "j1f", "jn", "jnf",
    "labs", "ldexp", "ldexpf", "lgamma", "lgammaf", "llabs", "llmax", "llmin", "llrint", "llrintf",
    "llround", "llroundf", "log", "log10", "log10f", "log1p", "log1pf", "log2", "log2f", "logb", "logbf",
    "logf", "lrint", "lrintf", "lround", "lroundf", "max", "min", "modf", "modff", "nan", "nanf",
    "nearbyint", "nearbyintf", "nextafter", "nextafterf", "norm", "norm3d", "norm3df", "norm4d", "norm4df",
    "normcdf", "normcdff", "normcdfinv", "normcdfinvf", "normf", "pow", "powf", "rcbrt", "rcbrtf",
    "remainder", "remainderf", "remquo", "remquof", "rhypot", "rhypotf", "rint", "rintf", "rnorm",
    "rnorm3d", "rnorm3df", "rnorm4d", "rnorm4df", "rnormf", "round", "roundf", "rsqrt", "rsqrtf",
    "saturate", "scalbln", "scalblnf", "scalbn", "scalbnf", "signbit", "sin", "sincos", "sincosf",
    "sincospi", "sincospif", "sinf", "sinh", "sinhf", "sinpi", "sinpif", "sqrt", "sqrtf", "tan", "tanf",
    "tanh", "tanhf", "tgamma", "tgammaf", "trunc", "truncf", "uint2float", "ullmax", "ullmin", "umax",
    "umin", "y0", "y0f", "y1", "y1f", "yn", "ynf",
];

/// What nvcc's runtime header brings along from the C library: a program that mentions one of these names
/// and does not include the header itself needs the part with the C library.
#[rustfmt::skip]
const LIBC_NAMES: &[(&str, &[&str])] = &[
    ("assert.h", &["assert", "static_assert"]),
    ("limits.h", &["INT_MAX", "INT_MIN", "UINT_MAX", "LONG_MAX", "LONG_MIN", "ULONG_MAX", "LLONG_MAX",
        "LLONG_MIN", "ULLONG_MAX", "CHAR_BIT", "CHAR_MAX", "CHAR_MIN", "SCHAR_MAX", "SCHAR_MIN",
        "UCHAR_MAX", "SHRT_MAX", "SHRT_MIN", "USHRT_MAX"]),
    ("stdio.h", &["FILE", "stdin", "stdout", "stderr", "EOF", "SEEK_SET", "SEEK_CUR", "SEEK_END", "fopen",
        "fclose", "fprintf", "fputs", "fputc", "puts", "putchar", "sprintf", "snprintf", "scanf", "sscanf",
        "fscanf", "fread", "fwrite", "fgets", "fgetc", "getchar", "fseek", "ftell", "rewind", "fflush",
        "feof", "perror", "remove", "rename", "vprintf", "vsnprintf", "setbuf", "setvbuf"]),
    ("stdlib.h", &["malloc", "free", "calloc", "realloc", "exit", "abort", "atexit", "atoi", "atol", "atoll",
        "atof", "strtol", "strtoul", "strtoll", "strtoull", "strtod", "strtof", "rand", "srand", "RAND_MAX",
        "qsort", "bsearch", "getenv", "system", "abs", "labs", "llabs", "div", "EXIT_SUCCESS",
        "EXIT_FAILURE", "random", "srandom", "drand48", "srand48", "posix_memalign", "aligned_alloc",
        "rand_r", "div_t", "ldiv_t", "alloca"]),
    ("string.h", &["memcpy", "memmove", "memset", "memcmp", "memchr", "strlen", "strcpy", "strncpy", "strcat",
        "strncat", "strcmp", "strncmp", "strchr", "strrchr", "strstr", "strtok", "strdup", "strerror",
        "strcasecmp", "strspn", "strcspn", "strpbrk"]),
    ("time.h", &["time", "time_t", "clock", "clock_t", "CLOCKS_PER_SEC", "timespec", "clock_gettime", "tm",
        "difftime", "localtime", "gmtime", "strftime", "CLOCK_MONOTONIC", "CLOCK_REALTIME", "nanosleep"]),
];

/// The constants of `<math.h>`, which come with the mathematical part.
fn is_math_constant(name: &str) -> bool {
    name.starts_with("M_") || matches!(name, "INFINITY" | "NAN" | "HUGE_VAL" | "HUGE_VALF")
}

/// Handles of kernels and libraries, functions of the driver by name, other interfaces.
fn is_of_interop(name: &str) -> bool {
    let parts =
        ["External", "Graphics", "Library", "Jit", "cudaAsync", "AsyncNotification", "DriverEntryPoint"];
    let more = ["cudaKernel", "cudaGetKernel", "cudaGetExportTable", "NvSci"];
    name.starts_with("cuda") && parts.iter().chain(&more).any(|part| name.contains(part))
}

/// Whether the driver's interface may have the name: `cuInit`, `CUresult`, `CUDA_SUCCESS`.
fn is_of_driver(name: &str) -> bool {
    name.starts_with("CU") || name.strip_prefix("cu").is_some_and(|rest| rest.starts_with(char::is_uppercase))
}

/// The `-D` flags that leave out of the prelude what a program cannot use, given the text of its file and of
/// each `-D` flag; empty (nothing is left out) where that cannot be told from the text: it includes other
/// files, or pastes names together.
///
/// A name that is missing for want of a part is an error of the parser, never another meaning, so a caller
/// that meets an error may parse again without these flags.
pub fn parts_for(texts: &[&str]) -> Vec<&'static str> {
    let mut parts = vec!["-D__CUDAIR_PARTS"];
    let mut need = |flag: &'static str| {
        if !parts.contains(&flag) {
            parts.push(flag);
        }
    };
    let includes = |header: &str| texts.iter().any(|text| text.contains(&format!("<{header}>")));
    // <math.h> from the C library alone lacks nothing but namespace std and long double's overloads.
    let needs_cxx = |text: &&str| text.contains("long double") || identifiers(text).any(|name| name == "std");
    if !texts.iter().any(needs_cxx) {
        need("-D__CUDAIR_PLAIN_C");
    }
    if includes("math.h") {
        need("-D__CUDAIR_PART_MATH");
    }
    for text in texts {
        if text.contains("##") || !includes_are_plain(text) {
            return Vec::new();
        }
        for name in identifiers(text) {
            let of_libc = LIBC_NAMES.iter().find(|(_, names)| names.contains(&name));
            if of_libc.is_some_and(|(header, _)| !includes(header)) {
                need("-D__CUDAIR_PART_LIBC");
            }
            if MATH_NAMES.contains(&name) || is_math_constant(name) {
                need("-D__CUDAIR_PART_MATH");
            } else if name.starts_with("atomic") {
                need("-D__CUDAIR_PART_ATOMICS");
            } else if name.starts_with("tex") || name.starts_with("surf") {
                need("-D__CUDAIR_PART_TEXTURE");
                need("-D__CUDAIR_PART_MATH");
            } else if name.starts_with("cudaDataType")
                || name.starts_with("CUDA_R_")
                || name.starts_with("CUDA_C_")
                || name.starts_with("libraryPropertyType")
                || matches!(name, "MAJOR_VERSION" | "MINOR_VERSION" | "PATCH_LEVEL")
            {
                need("-D__CUDAIR_PART_LIBRARY");
            } else if is_of_driver(name) {
                need("-D__CUDAIR_PART_DRIVER");
            } else if name.starts_with("make_") {
                need("-D__CUDAIR_PART_VECTOR");
            } else if name == "cudaCreateChannelDesc" {
                need("-D__CUDAIR_PART_CHANNEL");
            } else if is_of_interop(name) {
                need("-D__CUDAIR_PART_GRAPH");
                need("-D__CUDAIR_PART_INTEROP");
            } else if name.contains("Graph") || name.contains("Capture") || name.contains("UserObject") {
                need("-D__CUDAIR_PART_GRAPH");
            } else if matches!(name, "mul24" | "umul24" | "mulhi" | "mul64hi") {
                need("-D__CUDAIR_PART_INTEGER");
            } else if name.starts_with("__") && !PLAIN_RESERVED.contains(&name) {
                if starts_with_any(name, &["__nv_atomic_", "__NV_"]) {
                    need("-D__CUDAIR_PART_ATOMICS");
                    need("-D__CUDAIR_PART_NV_ATOMIC");
                } else if name.starts_with("__u128Atomic") {
                    need("-D__CUDAIR_PART_ATOMICS");
                } else if starts_with_any(
                    name,
                    &["__shfl", "__all", "__any", "__ballot", "__match", "__reduce"],
                ) || matches!(name, "__activemask" | "__uni_sync")
                {
                    need("-D__CUDAIR_PART_WARP");
                } else if starts_with_any(name, &["__cluster", "__isCluster", "__isCta"])
                    || name == "__threadfence_cluster"
                {
                    need("-D__CUDAIR_PART_MEMORY");
                    need("-D__CUDAIR_PART_CLUSTER");
                } else if starts_with_any(name, &["__ld", "__st", "__is", "__cvta"]) {
                    need("-D__CUDAIR_PART_MEMORY");
                    need("-D__CUDAIR_PART_MATH");
                } else if name.starts_with("__v") {
                    need("-D__CUDAIR_PART_SIMD");
                } else {
                    need("-D__CUDAIR_PART_MATH");
                    need("-D__CUDAIR_PART_INTEGER");
                }
            }
        }
    }
    parts
}

/// Whether a program may use the mathematical functions of namespace std without an include of its own, as
/// nvcc lets it: it mentions both, or includes files of its own that may.
pub fn wants_std_math(text: &str) -> bool {
    let included = |line| {
        let directive = str::trim_start(line).strip_prefix('#')?;
        directive.trim_start().strip_prefix("include").map(str::trim_start)
    };
    if text.lines().filter_map(included).any(|what| what.starts_with("<cmath>")) {
        return false;
    }
    let mentions = |wanted: &dyn Fn(&str) -> bool| identifiers(text).any(wanted);
    mentions(&|name| name == "std") && mentions(&|name| MATH_NAMES.contains(&name))
        || text.lines().filter_map(included).any(|what| what.starts_with('"'))
}

fn starts_with_any(name: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| name.starts_with(prefix))
}

/// Does every `#include` name one of the plain headers? The C library's functions are declared by them or,
/// where a program relies on nvcc's implicit includes, missing, which is an error.
fn includes_are_plain(text: &str) -> bool {
    if text.contains("??=") || text.contains("_Pragma") || text.contains("%:") {
        return false;
    }
    text.lines().all(|line| {
        let Some(directive) = line.trim_start().strip_prefix('#') else {
            return true;
        };
        let directive = directive.trim();
        // A directive split over lines, or one that hides behind a comment, could be an include.
        let split = directive.ends_with('\\') && !directive.starts_with("define");
        if split || directive.starts_with('/') {
            return false;
        }
        let Some(target) = directive.strip_prefix("include") else {
            return true;
        };
        let target = target.trim();
        let name = target.strip_prefix('<').and_then(|rest| rest.split_once('>')).map(|(name, _)| name);
        name.is_some_and(|name| PLAIN_HEADERS.contains(&name))
    })
}

/// Names of `<utility>`, which the whole prelude has.
const UTILITY_NAMES: [&str; 12] = [
    "pair",
    "make_pair",
    "move",
    "forward",
    "swap",
    "exchange",
    "declval",
    "as_const",
    "integer_sequence",
    "index_sequence",
    "make_index_sequence",
    "initializer_list",
];

/// Whether the whole prelude may declare a name: it stands in one of its headers, or is of what they include.
pub fn is_in_prelude(name: &str) -> bool {
    static WORDS: OnceLock<Words<'static>> = OnceLock::new();
    UTILITY_NAMES.contains(&name)
        || MATH_NAMES.contains(&name)
        || is_math_constant(name)
        || name.ends_with("_t")
        // Macros make families of names.
        || starts_with_any(name, &["make_", "atomic", "cuda", "tex", "surf", "__"])
        || is_of_driver(name)
        || LIBC_NAMES.iter().any(|(_, names)| names.contains(&name))
        || WORDS.get_or_init(|| Words::of(super::PRELUDE_NAME, &[])).contains(name)
}

/// Every maximal run of identifier characters that does not start with a digit, wherever it stands.
pub(crate) fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_prelude() {
        for name in
            ["cudaMalloc", "atomicAdd", "make_float4", "move", "printf", "uint32_t", "M_PI", "__shfl_sync"]
        {
            assert!(is_in_prelude(name), "{name}");
        }
        for name in ["vector", "cout", "sort", "undeclared", "nvcc", "includes"] {
            assert!(!is_in_prelude(name), "{name}");
        }
    }

    #[test]
    fn a_program_of_the_core_needs_no_part() {
        let text = "#include <stdio.h>\n#include <cuda.h>\n__global__ void k(int *p) { __syncthreads(); }\n";
        assert_eq!(parts_for(&[text]), ["-D__CUDAIR_PARTS", "-D__CUDAIR_PLAIN_C"]);
    }

    #[test]
    fn names_bring_their_parts() {
        let parts = parts_for(&["__device__ float f(float x) { return sqrt(x) + __shfl_sync(~0u, x, 0); }"]);
        assert_eq!(parts[2..], ["-D__CUDAIR_PART_MATH", "-D__CUDAIR_PART_WARP"]);
        let parts = parts_for(&["int x;", "-DCALL=atomicAdd"]);
        assert_eq!(parts[2..], ["-D__CUDAIR_PART_ATOMICS"]);
        let parts = parts_for(&["#include <stdlib.h>\nint *p = (int *)malloc(4), x = std::max(1, 2);"]);
        assert_eq!(parts, ["-D__CUDAIR_PARTS", "-D__CUDAIR_PART_MATH"]);
        let parts = parts_for(&["int main() { cudaFree(0); return cuInit(0); }"]);
        assert_eq!(parts[2..], ["-D__CUDAIR_PART_DRIVER"]);
        let parts = parts_for(&["int *p = (int *)malloc(4), x = INT_MAX;"]);
        assert_eq!(parts[2..], ["-D__CUDAIR_PART_LIBC"]);
    }

    #[test]
    fn doubt_brings_everything() {
        for text in [
            "#include \"mine.h\"\n",
            "#include <vector>\n",
            "  #  include MACRO\n",
            "#define F(a) a##f\n",
            "%:include \"mine.h\"\n",
            "#\\\ninclude \"mine.h\"\n",
        ] {
            assert!(parts_for(&[text]).is_empty(), "{text}");
        }
    }

    /// The list of names is what the headers declare: a name missing here could choose another overload.
    #[test]
    fn math_names_are_complete() {
        let text = |name: &str| {
            super::super::unsaved_files().iter().find(|(path, _)| *path == name).expect("the header").1
        };
        let mut names = Vec::new();
        for line in text("cudair/math.h").lines().chain(text("cudair/math_overloads.h").lines()) {
            if line.starts_with("#define") || line.trim_start().starts_with("return") {
                continue;
            }
            // Functions by a macro: __CUDAIR_F1(sqrt) declares sqrt and sqrtf, the others one name.
            for piece in line.split("__CUDAIR_").skip(1) {
                let Some((kind, rest)) = piece.split_once('(') else { continue };
                let inside = rest.split(')').next().unwrap_or("");
                let name = match kind {
                    "F1" | "F2" | "F3" | "FA" | "C1" | "C3" | "C4" | "CN" | "O1" | "O2" | "MIXED"
                    | "CLASS" | "OX" | "INTX" => inside.split(',').next(),
                    "FR" | "INT1" => inside.split(',').nth(1),
                    _ => None,
                };
                if let Some(name) = name.map(str::trim).filter(|name| name.len() > 1) {
                    names.push(name.to_owned());
                    if matches!(kind, "F1" | "F2" | "F3" | "FA" | "C1" | "C3" | "C4" | "CN" | "FR") {
                        names.push(format!("{name}f"));
                    }
                }
            }
            // Functions written out.
            if let Some((head, _)) = line.split_once('(') {
                let plain = head.starts_with("__") || head.starts_with(|c: char| c.is_ascii_lowercase());
                if plain && head.contains(' ') && !head.contains("CUDAIR_M") {
                    names.extend(head.rsplit(' ').next().map(str::to_owned));
                }
            }
        }
        let missing: Vec<_> = names
            .iter()
            .filter(|name| !name.starts_with("__") && !MATH_NAMES.contains(&name.as_str()))
            .collect();
        assert!(names.len() > 200 && missing.is_empty(), "{missing:?}");
    }
}
