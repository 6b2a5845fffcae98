//! The text of a program that launches one kernel.

use super::aggregate::members;
use cudair_ir::{Argument, Counterexample, Finding, Function, Param, ParamAttr, Type};
use std::fmt::Write;

/// Threads along an axis where nobody says how many.
const BLOCK: [u32; 3] = [64, 2, 2];
/// Blocks along an axis.
const GRID: [u32; 3] = [2, 2, 2];
/// The largest array that is made.
const MAX_BYTES: u64 = 1 << 28;

/// What arrays hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contents {
    /// Zeros.
    Zeros,
    /// The index of each element, of 4 bytes.
    Indices,
    /// Small numbers without an order.
    Scattered,
    /// The same, some of them negative.
    Signed,
}

/// What is chosen where a counterexample leaves it open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// What arrays hold.
    pub contents: Contents,
    /// Which of [`NUMBERS`] the first open number is, and how much further that of the next one is.
    pub numbers: (usize, usize),
    /// Bytes of an array, and of dynamic shared memory.
    pub bytes: u64,
    pub shared: u32,
}

/// An integer, from the threads of a block.
type Integer = fn(u64) -> u64;

/// What number arguments may be: integers as a function of the threads of a block, and others.
pub const NUMBERS: [(Integer, f32); 5] =
    [(|n| n, 1.0), (|_| 1, 0.0), (|_| 1000, 1000.0), (|n| n / 2, -1.0), (|_| 0, 0.5)];

/// The program of the user, as another one includes it.
pub struct Included {
    /// Its absolute path.
    pub path: String,
    /// It has a `main`.
    pub has_main: bool,
    /// The lines that stand before it: what `-D`, `-U` and `-include` say.
    pub before: String,
}

/// A kernel as code in the file names it: with the namespaces around it.
///
/// # Errors
/// That it has no such name.
pub fn name_of(kernel: &Function) -> Result<String, String> {
    let display = &kernel.display_name;
    let Some(mut rest) = kernel.name.strip_prefix("_ZN") else { return Ok(display.clone()) };
    let mut names: Vec<&str> = Vec::new();
    loop {
        rest = rest.strip_prefix('L').unwrap_or(rest);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Ok(length) = rest[..digits].parse::<usize>() else { break };
        let Some(name) = rest.get(digits..digits + length) else { break };
        names.push(name);
        rest = &rest[digits + length..];
    }
    names.pop();
    // Behind the last name stand its template arguments, or the end; something else is a scope that is no namespace.
    let plain = display.split('<').next().unwrap_or(display);
    let ends = rest.starts_with('E')
        || rest.starts_with('I') && kernel.name.contains(&format!("{}{plain}I", plain.len()));
    if !ends {
        return Err(format!("the scope of `{display}` has no name that another file can write"));
    }
    names.retain(|n| *n != "_GLOBAL__N_1");
    names.push(display);
    Ok(names.join("::"))
}

/// How many numbers a launch leaves open.
pub fn open(launch: &Counterexample, kernel: &Function) -> usize {
    let of = |n: usize| launch.args.get(n).copied().unwrap_or_default();
    let params = kernel.sig.params.iter().enumerate();
    // What members an aggregate has, nobody tells.
    let is_open = |p: &Param| !p.ty.is_ptr() || p.attr != ParamAttr::None;
    params.filter(|(n, p)| is_open(p) && of(*n) == Argument::Any).count()
}

/// The program's text, without its head.
///
/// # Errors
/// Why there is none.
pub fn text(
    included: &Included,
    kernel: &Function,
    launch: &Counterexample,
    choice: Choice,
) -> Result<String, String> {
    let name = name_of(kernel)?;
    let (grid, block) = extents(launch, kernel);
    let threads = cudair_ir::volume(block);
    let mut out = String::new();
    out.push_str(&included.before);
    if included.has_main {
        out.push_str("#define main cudair_users_main\n");
    }
    let _ = writeln!(out, "#include \"{}\"", included.path);
    if included.has_main {
        out.push_str("#undef main\n");
    }
    out.push_str(HELPERS);
    if kernel.sig.params.iter().any(|p| p.attr != ParamAttr::None) {
        out.push_str(PUT);
    }
    let element = match choice.contents {
        Contents::Zeros => "0",
        Contents::Indices => "(unsigned)i",
        Contents::Scattered => "((unsigned)i * 2654435761u >> 16) % 61",
        Contents::Signed => "((unsigned)i * 2654435761u >> 16) % 61 - 30",
    };
    let _ = write!(out, "{}\nint main() {{\n", ARRAY.replace("ELEMENT", element));
    let mut arrays = Vec::new();
    let mut later = String::new();
    let mut next = choice.numbers.0;
    for (n, param) in kernel.sig.params.iter().enumerate() {
        let said = kernel.param_names.get(n).filter(|name| !name.is_empty());
        let who = said.map_or_else(|| format!("parameter {}", n + 1), |name| format!("`{name}`"));
        if let ParamAttr::ByVal { size, .. } = param.attr {
            let _ = writeln!(out, "    // {who}");
            let numbers = NUMBERS[next % NUMBERS.len()];
            next += choice.numbers.1;
            arrays.extend(aggregate(&mut out, kernel, (n, size), (numbers, threads), choice.bytes));
            continue;
        }
        let argument = launch.args.get(n).copied().unwrap_or_default();
        let _ = writeln!(
            if matches!(argument, Argument::Alias { .. }) { &mut later } else { &mut out },
            "    // {who}"
        );
        match (param.ty.is_ptr(), argument) {
            (true, Argument::Bits(_)) => {
                let _ = writeln!(out, "    void *argument_{n} = 0;");
            }
            (true, Argument::Alias { of, distance }) => {
                let _ = writeln!(later, "    void *argument_{n} = (char *)argument_{of} + {distance};");
            }
            (true, argument) => {
                let (bytes, offset) = match argument {
                    Argument::Array { bytes, offset } => (bytes, offset),
                    _ => (choice.bytes, 0),
                };
                if bytes > MAX_BYTES || offset > bytes {
                    return Err(format!("what {who} points to has {bytes} bytes"));
                }
                arrays.push(n.to_string());
                let _ = writeln!(out, "    void *array_{n} = cudair_array({bytes});");
                let start = match offset {
                    0 => format!("array_{n}"),
                    _ => format!("(char *)array_{n} + {offset}"),
                };
                let _ = writeln!(out, "    void *argument_{n} = {start};");
            }
            (false, argument) => {
                let bits = match argument {
                    Argument::Bits(bits) => Some(bits),
                    _ => None,
                };
                let number = number(param.ty, bits, NUMBERS[next % NUMBERS.len()], threads);
                if bits.is_none() {
                    next += choice.numbers.1;
                }
                let (ty, value) =
                    number.ok_or_else(|| format!("{who} is of a type of which no value is made"))?;
                let _ = writeln!(out, "    {ty} argument_{n} = {value};");
            }
        }
    }
    out.push_str(&later);
    let arguments: Vec<String> = (0..kernel.sig.params.len()).map(|n| format!("&argument_{n}")).collect();
    let arguments = if arguments.is_empty() { "0".to_owned() } else { arguments.join(", ") };
    let function = if launch.cooperative { "cudaLaunchCooperativeKernel" } else { "cudaLaunchKernel" };
    let shared = launch.dynamic_shared.unwrap_or(if launch.uses_dynamic_shared { choice.shared } else { 0 });
    let dim3 = |[x, y, z]: [u32; 3]| format!("dim3({x}, {y}, {z})");
    let _ = write!(
        out,
        "    void *arguments[] = {{{arguments}}};\n    \
         cudair_check({function}((const void *){name}, {}, {}, arguments, {shared}, 0));\n    \
         cudair_check(cudaDeviceSynchronize());\n",
        dim3(grid),
        dim3(block)
    );
    for n in arrays {
        let _ = writeln!(out, "    cudair_check(cudaFree(array_{n}));");
    }
    out.push_str("    return 0;\n}\n");
    Ok(out)
}

/// Writes an aggregate that is passed by value: its bytes, with an array where a member is a pointer, and numbers elsewhere.
/// Gives the names of the arrays.
fn aggregate(
    out: &mut String,
    kernel: &Function,
    (n, size): (usize, u32),
    (numbers, threads): ((Integer, f32), u64),
    bytes: u64,
) -> Vec<String> {
    let mut arrays = Vec::new();
    let _ = writeln!(out, "    alignas(16) unsigned char argument_{n}[{size}] = {{}};");
    let word = (numbers.0)(threads) as i32;
    let _ = writeln!(out, "    for (unsigned i = 0; i + 4 <= sizeof argument_{n}; i += 4)");
    let _ = writeln!(out, "        cudair_put(argument_{n} + i, (int){word});");
    for (at, ty) in members(kernel, n) {
        if ty.is_ptr() {
            let name = format!("{n}_{at}");
            let _ = writeln!(out, "    void *array_{name} = cudair_array({bytes});");
            let _ = writeln!(out, "    cudair_put(argument_{n} + {at}, array_{name});");
            arrays.push(name);
        } else if let Some((c, value)) = number(ty, None, numbers, threads) {
            let _ = writeln!(out, "    cudair_put(argument_{n} + {at}, ({c}){value});");
        }
    }
    arrays
}

/// The extents of grid and block.
fn extents(launch: &Counterexample, kernel: &Function) -> ([u32; 3], [u32; 3]) {
    let mut block = [0, 1, 2].map(|d| launch.block[d].unwrap_or(BLOCK[d]));
    let most = match kernel.attrs.launch_bounds[0] {
        0 => 1024,
        n => u64::from(n),
    };
    for d in 0..3 {
        if launch.block[d].is_none() && cudair_ir::volume(block) > most {
            block[d] = 1;
        }
    }
    ([0, 1, 2].map(|d| launch.grid[d].unwrap_or(GRID[d])), block)
}

/// The type and the value of a number in C++.
fn number(
    ty: Type,
    bits: Option<u128>,
    (integer, float): (Integer, f32),
    threads: u64,
) -> Option<(&'static str, String)> {
    let short = |bits: u128| cudair_ir::eval::signed(ty, bits).to_string();
    let whole = bits.unwrap_or(u128::from(integer(threads))) & ty.bit_mask();
    Some(match ty {
        Type::I1 => ("bool", (whole != 0).to_string()),
        Type::I8 => ("signed char", short(whole)),
        Type::I16 => ("short", short(whole)),
        // The least number is no literal.
        Type::I32 if whole == 1 << 31 => ("int", format!("{} - 1", i32::MIN + 1)),
        Type::I32 => ("int", short(whole)),
        Type::I64 if whole == 1 << 63 => ("long long", format!("{}ll - 1", i64::MIN + 1)),
        Type::I64 => ("long long", short(whole) + "ll"),
        // The upper bits of a float are a `bfloat16`.
        Type::BF16 => ("unsigned short", format!("{:#x}", bits.unwrap_or(u128::from(float.to_bits() >> 16)))),
        Type::F16 => {
            ("unsigned short", format!("{:#x}", bits.unwrap_or(if float == 0.0 { 0 } else { 0x3c00 })))
        }
        Type::F32 => {
            let value = bits.map_or(float, |b| f32::from_bits(b as u32));
            (
                "float",
                if value.is_finite() { format!("{value:?}f") } else { odd(value.is_nan(), value > 0.0) },
            )
        }
        Type::F64 => {
            let value = bits.map_or(f64::from(float), |b| f64::from_bits(b as u64));
            (
                "double",
                if value.is_finite() { format!("{value:?}") } else { odd(value.is_nan(), value > 0.0) },
            )
        }
        Type::I128 | Type::F80 | Type::Ptr(_) => return None,
    })
}

/// A number that has no literal.
fn odd(is_nan: bool, is_positive: bool) -> String {
    match (is_nan, is_positive) {
        (true, _) => "__builtin_nan(\"\")",
        (_, true) => "__builtin_inf()",
        _ => "-__builtin_inf()",
    }
    .to_owned()
}

const HELPERS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Ends the program where the runtime reports an error.
static void cudair_check(cudaError_t error) {
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}
"#;

const PUT: &str = r"
// Puts a value among the bytes of an aggregate.
template <class T> static void cudair_put(unsigned char *to, T value) { memcpy(to, &value, sizeof value); }
";

const ARRAY: &str = r"
// An array in device memory, filled.
static void *cudair_array(size_t bytes) {
    size_t count = bytes / 4 + 1;
    unsigned *values = (unsigned *)malloc(count * 4);
    for (size_t i = 0; i < count; i++)
        values[i] = ELEMENT;
    void *array = 0;
    if (bytes > 0) {
        cudair_check(cudaMalloc(&array, bytes));
        cudair_check(cudaMemcpy(array, values, bytes, cudaMemcpyHostToDevice));
    }
    free(values);
    return array;
}
";

/// What a program says of itself.
pub fn head(finding: &Finding, command: &str) -> String {
    let place =
        finding.primary.as_ref().map(|p| format!(" ({}:{})", p.file, p.start.line)).unwrap_or_default();
    let kernel = finding.kernel.as_deref().unwrap_or("a kernel");
    let line = |text: String| text.replace(['\n', '\r', '\\'], " ");
    let what = line(format!(
        "// A {} in kernel `{kernel}`{place}, written by `cudair check --confirm`.",
        finding.kind.name()
    ));
    format!("{what}\n{}\n", line(format!("// To see it: {command}")))
}
