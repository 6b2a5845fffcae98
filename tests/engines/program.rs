//! Programs that launch kernels.

use crate::kernel::{Kernel, N};
use crate::proofs::Random;
use std::fmt::Write;

/// What stands before the kernels.
const HEAD: &str = r"#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstring>
";

/// What stands behind them. Arrays that are read lie in memory without a gap, and half of one was never written.
const HOST: &str = r#"
static unsigned state;

static unsigned number() {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

// Some are NaNs that differ, infinite, tiny or zero.
static float narrow() {
    unsigned n = number(), bits;
    switch (n & 31) {
    case 0: bits = 0x7fc00000u | n >> 10; break;
    case 1: bits = 0xff800001u | n >> 9; break;
    case 2: bits = 0x7f800000u | n << 31; break;
    case 3: bits = n >> 12; break;
    case 4: bits = n << 31; break;
    default: return (float)((int)(n >> 5 & 2047) - 900) * 0.37f;
    }
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

template <typename T> static T *filled(int count, const T *from) {
    T *p;
    cudaMalloc(&p, count * sizeof(T));
    if (from) cudaMemcpy(p, from, count * sizeof(T), cudaMemcpyHostToDevice);
    else cudaMemset(p, 0, count * sizeof(T));
    return p;
}

template <typename T> static void show(const char *name, const T *p, int count) {
    static unsigned words[4096];
    cudaMemcpy(words, p, count * sizeof(T), cudaMemcpyDeviceToHost);
    unsigned h = 2166136261u;
    for (int n = 0; n < (int)(count * sizeof(T) / 4); n++) h = (h ^ words[n]) * 16777619u;
    printf(" %s %08x", name, h);
}

"#;

/// The arrays that are read: their types, names, and what an element is.
const READ: &[(&str, &str, &str)] = &[
    ("int", "b", "(int)(number() & 1023) - 400"),
    ("int", "q", "number() & 511"),
    ("int", "p", "n"),
    ("unsigned", "w", "number() * 257"),
    ("float", "g", "narrow()"),
    ("double", "e", "narrow() * 1.25"),
    ("long long", "h", "(long long)number() * number() - (1ll << 46)"),
    ("char", "txt", "'a' + (number() & 3) / 2"),
    ("int", "big", "(int)(number() << 8)"),
    ("int", "half", "number() & 511"),
];

/// Those that are written, with their sizes.
const WRITTEN: &[(&str, &str, usize)] = &[
    ("int", "oi", 4 * N),
    ("unsigned", "ou", 4 * N),
    ("float", "of", 4 * N),
    ("double", "od", 4 * N),
    ("long long", "ol", 4 * N),
    ("unsigned char", "ob", N),
    ("int", "ca", 64),
    ("unsigned", "cu", 64),
    ("float", "cf", 64),
    ("unsigned long long", "cl", 64),
];

/// A program that launches these kernels, one after the other, and prints what each has written.
pub fn program(r: &mut Random, kernels: &[Kernel]) -> String {
    let mut text = HEAD.to_owned();
    for k in kernels {
        text += "\n";
        text += &k.text;
    }
    text += HOST;
    let _ = writeln!(text, "int main() {{\n    state = {};", r.next() as u32);
    for (ty, name, value) in READ {
        let _ = writeln!(text, "    static {ty} in_{name}[{N}];");
        let _ = writeln!(text, "    for (int n = 0; n < {N}; n++) in_{name}[n] = {value};");
    }
    let _ = writeln!(text, "    for (int n = {N} - 1; n > 0; n--) {{");
    text += "        int o = number() % (n + 1), z = in_p[n];\n        in_p[n] = in_p[o];\n        in_p[o] = z;\n    }\n";
    // Rows of 0 to 6 elements, the last ones without any.
    let _ = writeln!(text, "    static int in_rows[{N} + 1];\n    for (int n = 0; n < {N}; n++) {{");
    text += "        int end = in_rows[n] + number() % 7 % 5 * (number() & 1);\n";
    let _ = writeln!(text, "        in_rows[n + 1] = end < {N} ? end : {N};\n    }}");
    for (ty, name, _) in READ.iter().filter(|(_, name, _)| *name != "half") {
        let _ = writeln!(text, "    {ty} *{name} = filled<{ty}>({N}, in_{name});");
    }
    let _ = writeln!(text, "    int *rows = filled<int>({N} + 1, in_rows), *half;");
    let _ = writeln!(text, "    cudaMalloc(&half, {N} * 4);");
    let _ = writeln!(text, "    cudaMemcpy(half, in_half, {N} * 2, cudaMemcpyHostToDevice);");
    for (ty, name, count) in WRITTEN {
        let _ = writeln!(text, "    {ty} *{name} = filled<{ty}>({count}, nullptr);");
    }
    for k in kernels {
        let [x, y] = k.block;
        for [n, m, st] in &k.launches {
            let (float, long) = (r.pick(&["1.5f", "-0.25f", "3e20f"]), r.below(1 << 30));
            let _ = writeln!(
                text,
                "    {}<<<{}, dim3({x}, {y})>>>(b, q, p, rows, w, g, e, h, txt, big, half, oi, ou, of, od, ol, ob, ca, cu, cf, cl, \
                 {n}, {m}, {st}, {float}, {long}ll);",
                k.name, k.blocks
            );
        }
        let _ = writeln!(text, "    printf(\"{} %d\", cudaDeviceSynchronize());", k.name);
        for (_, name, count) in WRITTEN {
            let _ = writeln!(text, "    show(\"{name}\", {name}, {count});");
        }
        text += "    printf(\"\\n\");\n";
    }
    let arrays = READ.iter().map(|a| a.1).chain(WRITTEN.iter().map(|a| a.1)).chain(["rows"]);
    text.extend(arrays.map(|name| format!("    cudaFree({name});\n")));
    text + "    return 0;\n}\n"
}
