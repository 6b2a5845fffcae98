//! Kernels whose races are known by construction: a pattern that is right, at a random size, and the same with one thing
//! taken away or moved, which makes one known pair of lines race.

use super::counts::Counts;
use super::cudair::report;
use super::print::Source;
use super::program::{Line, Space};
use super::random::Random;
use std::collections::BTreeMap;
use std::path::Path;

/// A racing pair of lines, and whether it is an error.
type Expected = (Space, Line, Line, bool);

/// A kernel.
struct Kernel {
    name: String,
    /// Lines of its body; those with accesses have numbers.
    body: Vec<(Option<Line>, String)>,
    expected: Vec<Expected>,
    blocks: u32,
    /// Threads of a block.
    threads: [u32; 2],
    cooperative: bool,
}

/// Numbers of lines.
const A: Line = 1;
const B: Line = 2;
const C: Line = 3;

struct Maker {
    random: Random,
    kernel: Kernel,
    /// What is taken away, if anything.
    mutation: Option<usize>,
}

impl Maker {
    fn line(&mut self, text: String) {
        self.kernel.body.push((None, text));
    }

    fn access(&mut self, line: Line, text: String) {
        self.kernel.body.push((Some(line), text));
    }

    /// A line that mutation `n` leaves out.
    fn unless(&mut self, n: usize, text: &str) {
        if self.mutation != Some(n) {
            self.line(text.to_owned());
        }
    }

    /// What is expected of mutation `n`.
    fn expect(&mut self, n: usize, all: &[Expected]) {
        if self.mutation == Some(n) {
            self.kernel.expected.extend_from_slice(all);
        }
    }

    /// The one text or, for mutation `n`, the other.
    fn or<'a>(&self, n: usize, usual: &'a str, other: &'a str) -> &'a str {
        if self.mutation == Some(n) { other } else { usual }
    }

    fn size(&mut self, blocks: &[u32], threads: &[u32]) -> u32 {
        let threads = *self.random.pick(threads);
        self.kernel.blocks = *self.random.pick(blocks);
        self.kernel.threads = [threads, 1];
        threads
    }

    fn element(&mut self) -> &'static str {
        const ALL: [&str; 5] = ["unsigned short", "unsigned int", "unsigned long long", "float", "double"];
        ALL[self.random.below(ALL.len())]
    }

    /// Accesses of each thread to memory of its own.
    fn decoy(&mut self) {
        if self.random.chance(30) {
            self.line("own[id] += 1;".to_owned());
        }
    }
}

const MANY: [u32; 12] = [33, 40, 63, 64, 96, 128, 200, 256, 333, 512, 768, 1024];
const POWERS: [u32; 5] = [64, 128, 256, 512, 1024];

/// A pattern: its name, how many mutations it has, and how it is made.
type Pattern = (&'static str, usize, fn(&mut Maker));

const PATTERNS: [Pattern; 15] = [
    ("reverse", 3, reverse),
    ("double_buffer", 2, double_buffer),
    ("reduction", 2, reduction),
    ("permutation", 1, permutation),
    ("last_block", 3, last_block),
    ("producer", 2, producer),
    ("lock", 2, lock),
    ("warp_exchange", 2, warp_exchange),
    ("stencil", 2, stencil),
    ("histogram", 2, histogram),
    ("records", 1, records),
    ("transpose", 1, transpose),
    ("ranges", 1, ranges),
    ("flag", 1, flag),
    ("grid", 1, grid),
];

fn reverse(m: &mut Maker) {
    let n = m.size(&[1, 2, 5], &MANY);
    let t = m.element();
    m.line(format!("__shared__ {t} s[{n}];"));
    m.decoy();
    let index = m.or(2, "t", "t / 2");
    let text = format!("s[{index}] = t + 1;");
    m.access(A, text);
    let barrier = m.or(0, "__syncthreads();", "").to_owned();
    let barrier = m.or(1, &barrier, "__syncwarp();").to_owned();
    m.line(barrier);
    m.decoy();
    let last = n - 1;
    let text = if m.mutation == Some(2) {
        "own[id] += s[t / 2];".to_owned()
    } else {
        format!("own[id] += s[{last} - t];")
    };
    m.access(B, text);
    let pair = [(Space::Shared, A, B, true)];
    m.expect(0, &pair);
    m.expect(1, &pair);
    m.expect(2, &[(Space::Shared, A, A, true)]);
}

fn double_buffer(m: &mut Maker) {
    let n = m.size(&[1, 3], &MANY);
    let t = m.element();
    let rounds = 2 + m.random.below(3);
    m.line(format!("__shared__ {t} s[2][{n}];"));
    m.line(format!("for (unsigned int i = 0; i < {rounds}; ++i) {{"));
    let which = m.or(1, "i % 2", "0").to_owned();
    m.access(A, format!("s[{which}][t] = t + i;"));
    m.unless(0, "__syncthreads();");
    m.decoy();
    m.access(B, format!("own[id] += s[{which}][(t + 1) % {n}];"));
    m.line("}".to_owned());
    let pair = [(Space::Shared, A, B, true)];
    m.expect(0, &pair);
    m.expect(1, &pair);
}

fn reduction(m: &mut Maker) {
    let n = m.size(&[1, 2, 4], &POWERS);
    let t = m.element();
    m.line(format!("__shared__ {t} s[{n}];"));
    m.access(A, "s[t] = t;".to_owned());
    m.unless(0, "__syncthreads();");
    m.line(format!("for (unsigned int half = {}; half > 0; half /= 2) {{", n / 2));
    m.line("if (t < half) {".to_owned());
    m.access(B, format!("{t} v = s[t + half];"));
    m.access(C, "s[t] += v;".to_owned());
    m.line("}".to_owned());
    m.unless(1, "__syncthreads();");
    m.line("}".to_owned());
    m.expect(0, &[(Space::Shared, A, B, true)]);
    m.expect(1, &[(Space::Shared, B, C, true)]);
}

fn permutation(m: &mut Maker) {
    let n = m.size(&[1, 2, 8], &POWERS) * m.kernel.blocks;
    let odd = 2 * m.random.below(40) as u32 + 1;
    let factor = if m.mutation == Some(0) { odd + 1 } else { odd };
    let plus = m.random.below(100);
    m.decoy();
    m.access(A, format!("data[(id * {factor} + {plus}) % {n}] = id;"));
    m.expect(0, &[(Space::Global, A, A, true)]);
}

fn last_block(m: &mut Maker) {
    m.size(&[2, 3, 8], &MANY);
    let blocks = m.kernel.blocks;
    m.line("if (t == 0) {".to_owned());
    m.access(A, "data[b] = b + 1;".to_owned());
    let fence = m.or(0, "__threadfence();", "").to_owned();
    let fence = m.or(2, &fence, "__threadfence_block();").to_owned();
    m.line(fence);
    m.access(B, format!("if (atomicAdd(&flags[0], 1) == {}) {{", blocks - 1));
    m.unless(1, "__threadfence();");
    m.line(format!("for (unsigned int i = 0; i < {blocks}; ++i) {{"));
    m.access(C, "own[id] += data[i];".to_owned());
    m.line("}\n}\n}".to_owned());
    m.expect(0, &[(Space::Global, A, C, true)]);
    m.expect(1, &[(Space::Global, A, C, false)]);
    m.expect(2, &[(Space::Global, A, C, true)]);
}

fn producer(m: &mut Maker) {
    m.size(&[2, 4], &MANY);
    m.line("if (t == 0 && b == 0) {".to_owned());
    m.access(A, "data[5] = 7;".to_owned());
    m.unless(0, "__threadfence();");
    let set = *m.random.pick(&["*(volatile unsigned int *)&flags[0] = 1;", "atomicExch(&flags[0], 1);"]);
    m.line(format!("{set}\n}}"));
    m.line("if (t == 3 && b == 1) {".to_owned());
    let wait = *m.random.pick(&["*(volatile unsigned int *)&flags[0]", "atomicAdd(&flags[0], 0)"]);
    m.line(format!("while ({wait} == 0) {{}}"));
    m.unless(1, "__threadfence();");
    m.access(B, "own[id] = data[5];".to_owned());
    m.line("}".to_owned());
    m.expect(0, &[(Space::Global, A, B, true)]);
    m.expect(1, &[(Space::Global, A, B, false)]);
}

fn lock(m: &mut Maker) {
    m.size(&[2, 5], &MANY);
    m.line("if (t == 0) {\nwhile (atomicCAS(&flags[0], 0, 1) != 0) {}".to_owned());
    m.unless(1, "__threadfence();");
    m.access(A, "unsigned int v = data[9];".to_owned());
    m.access(B, "data[9] = v + 1;".to_owned());
    m.unless(0, "__threadfence();");
    m.line("atomicExch(&flags[0], 0);\n}".to_owned());
    m.expect(0, &[(Space::Global, A, B, true), (Space::Global, B, B, true)]);
    m.expect(1, &[(Space::Global, A, B, false), (Space::Global, B, B, false)]);
}

fn warp_exchange(m: &mut Maker) {
    let n = m.size(&[1, 2], &[32, 64, 96, 256, 1024]);
    let t = m.element();
    m.line(format!("__shared__ {t} s[{n}];"));
    m.access(A, "s[t] = t;".to_owned());
    let sync = m.or(0, "__syncwarp();", "").to_owned();
    let sync = m.or(1, &sync, "if (t % 32 < 16) __syncwarp(0xffff);").to_owned();
    m.line(sync);
    let bit = *m.random.pick(&[1, 2, 4, 8]);
    m.access(B, format!("own[id] += s[t ^ {bit}];"));
    let pair = [(Space::Shared, A, B, true)];
    m.expect(0, &pair);
    m.expect(1, &pair);
}

fn stencil(m: &mut Maker) {
    let n = m.size(&[1, 4], &MANY);
    let t = m.element();
    m.line(format!("__shared__ {t} s[{}];", n + 2));
    m.access(A, "s[t + 1] = t + 5;".to_owned());
    let halo = if m.mutation == Some(1) { n } else { n + 1 };
    m.line("if (t == 0) {\ns[0] = 1;".to_owned());
    m.access(B, format!("s[{halo}] = 2;"));
    m.line("}".to_owned());
    if m.mutation == Some(1) {
        m.line("if (t == 1) {".to_owned());
        m.line(format!("s[{}] = 2;\n}}", n + 1));
    }
    m.unless(0, "__syncthreads();");
    m.access(C, "own[id] += s[t] + s[t + 2];".to_owned());
    m.expect(0, &[(Space::Shared, A, C, true), (Space::Shared, B, C, true)]);
    m.expect(1, &[(Space::Shared, A, B, true)]);
}

fn histogram(m: &mut Maker) {
    let n = m.size(&[1, 3], &MANY);
    let bins = 2 + m.random.below(30) as u32;
    m.line(format!("__shared__ unsigned int s[{n}];\ns[t] = 0;\n__syncthreads();"));
    let add = if m.mutation == Some(1) {
        format!("s[t % {bins}]++;")
    } else {
        format!("atomicAdd(&s[t % {bins}], 1);")
    };
    m.access(A, add);
    m.unless(0, "__syncthreads();");
    m.access(B, format!("own[id] += s[{}];", m.kernel.threads[0].min(bins) - 1));
    m.expect(0, &[(Space::Shared, A, B, true)]);
    m.expect(1, &[(Space::Shared, A, A, true)]);
}

fn records(m: &mut Maker) {
    let n = m.size(&[1, 2], &MANY);
    m.line(format!("__shared__ Record s[{n}];"));
    m.access(A, "s[t].a = t;".to_owned());
    m.unless(0, "__syncthreads();");
    m.line("s[t].b = 3;".to_owned());
    m.access(B, format!("own[id] += s[(t + 1) % {n}].a;"));
    m.expect(0, &[(Space::Shared, A, B, true)]);
}

fn transpose(m: &mut Maker) {
    let rows = *m.random.pick(&[8, 16, 32]);
    m.kernel.blocks = *m.random.pick(&[1, 3]);
    m.kernel.threads = [32, rows];
    let pad = m.random.below(2);
    m.line(format!("__shared__ unsigned int s[32][{}];", 32 + pad));
    m.line(format!("for (unsigned int i = threadIdx.y; i < 32; i += {rows}) {{"));
    m.access(A, "s[i][threadIdx.x] = i;".to_owned());
    m.line("}".to_owned());
    m.unless(0, "__syncthreads();");
    m.line(format!("for (unsigned int i = threadIdx.y; i < 32; i += {rows}) {{"));
    m.access(B, "own[id] += s[threadIdx.x][i];".to_owned());
    m.line("}".to_owned());
    m.expect(0, &[(Space::Shared, A, B, true)]);
}

fn ranges(m: &mut Maker) {
    let n = m.size(&[2, 8], &MANY);
    let stride = if m.mutation == Some(0) { n - 1 } else { n };
    m.decoy();
    m.access(A, format!("data[b * {stride} + t] = id;"));
    m.expect(0, &[(Space::Global, A, A, true)]);
}

fn flag(m: &mut Maker) {
    m.size(&[1], &MANY);
    m.line("__shared__ unsigned int s[1];".to_owned());
    let who = m.or(0, "if (t == 0) {", "if (t % 2 == 0) {").to_owned();
    m.line(who);
    m.access(A, "s[0] = 1;".to_owned());
    m.line("}\n__syncthreads();".to_owned());
    m.access(B, "own[id] += s[0];".to_owned());
    m.expect(0, &[(Space::Shared, A, A, false)]);
}

fn grid(m: &mut Maker) {
    let n = m.size(&[2, 4], &[32, 64, 100, 256]);
    m.kernel.cooperative = true;
    let all = n * m.kernel.blocks;
    m.access(A, "data[id] = id;".to_owned());
    let sync = m.or(0, "cooperative_groups::this_grid().sync();", "__syncthreads();").to_owned();
    m.line(sync);
    m.access(B, format!("own[id] += data[(id + {n}) % {all}];"));
    m.expect(0, &[(Space::Global, A, B, true)]);
}

/// The kernel of a seed. Patterns come in turn, right ones and all of their mutations.
fn kernel(seed: u64) -> Kernel {
    let (name, mutations, make) = PATTERNS[(seed % PATTERNS.len() as u64) as usize];
    let mut random = Random::new(seed, "planted");
    let n = random.below(mutations + 1);
    let mutation = (n < mutations).then_some(n);
    let kernel = Kernel {
        name: mutation.map_or_else(|| format!("{name}, right"), |n| format!("{name}, mutation {n}")),
        body: Vec::new(),
        expected: Vec::new(),
        blocks: 1,
        threads: [1, 1],
        cooperative: false,
    };
    let mut m = Maker { random, kernel, mutation };
    make(&mut m);
    m.kernel
}

fn source(kernels: &[(u64, Kernel)]) -> Source {
    let mut s = Source::new();
    s.put("#include <cuda_runtime.h>");
    s.put("#include <cooperative_groups.h>");
    s.put("struct Record { unsigned int a; unsigned short b; };");
    for (n, (seed, k)) in kernels.iter().enumerate() {
        s.put(&format!("__global__ void k{n}(unsigned int *own, unsigned int *data, unsigned int *flags) {{ // seed {seed}"));
        let [x, y] = k.threads;
        s.put("    unsigned int t = threadIdx.y * blockDim.x + threadIdx.x, b = blockIdx.x;");
        s.put(&format!("    unsigned int id = b * {} + t;", x * y));
        for (line, text) in &k.body {
            for text in text.lines() {
                s.put_at(line.map(|l| (n, l)), &format!("    {text}"));
            }
        }
        s.put("}");
    }
    s.put("int main() {");
    for (n, (_, k)) in kernels.iter().enumerate() {
        let [x, y] = k.threads;
        let (all, blocks) = (4 * (k.blocks * x * y + 16), k.blocks);
        s.put("    {");
        s.put("        unsigned int *own, *data, *flags;");
        for name in ["own", "data", "flags"] {
            s.put(&format!("        cudaMalloc(&{name}, {all});"));
            s.put(&format!("        cudaMemset({name}, 0, {all});"));
        }
        if k.cooperative {
            s.put("        void *args[] = {&own, &data, &flags};");
            s.put(&format!(
                "        cudaLaunchCooperativeKernel((void *)k{n}, {blocks}, dim3({x}, {y}), args);"
            ));
        } else {
            s.put(&format!("        k{n}<<<{blocks}, dim3({x}, {y})>>>(own, data, flags);"));
        }
        s.put("        cudaDeviceSynchronize();");
        s.put("        cudaFree(own); cudaFree(data); cudaFree(flags);");
        s.put("    }");
    }
    s.put("    return 0;\n}");
    s
}

/// Kernels in a file.
const BATCH: usize = 45;

/// Runs the kernels of these seeds and prints what differs.
pub fn batch(folder: &Path, seeds: std::ops::RangeInclusive<u64>, counts: &mut Counts) {
    let all: Vec<(u64, Kernel)> = seeds.map(|seed| (seed, kernel(seed))).collect();
    for part in all.chunks(BATCH) {
        let text = source(part);
        let name = format!("planted_{}", part[0].0);
        let run = match report(folder, &name, &text, &[]) {
            Ok(run) => run,
            Err(why) => {
                println!("{} in {}: {why}", name, folder.display());
                counts.kernels += part.len() as u64;
                counts.differ += part.len() as u64;
                continue;
            }
        };
        let mut found: Vec<BTreeMap<(Space, Line, Line), bool>> = vec![BTreeMap::new(); part.len()];
        for told in run.races {
            let (a, b) = told.lines;
            *found[told.kernel].entry((told.space, a, b)).or_default() |= told.is_error;
        }
        let mut right = run.others.is_empty();
        for (_, what) in run.others {
            println!("{name} in {}: not expected: {what}", folder.display());
            counts.differ += 1;
        }
        for ((seed, k), found) in part.iter().zip(found) {
            let expected: BTreeMap<_, _> = k.expected.iter().map(|&(s, a, b, e)| ((s, a, b), e)).collect();
            counts.kernels += 1;
            counts.racy += u64::from(!expected.is_empty());
            counts.pairs += expected.len() as u64;
            if found != expected {
                println!("planted seed {seed} ({}), {name} in {}:", k.name, folder.display());
                println!("    expected {expected:?}\n    found    {found:?}");
                counts.differ += 1;
                right = false;
            }
        }
        if right {
            for end in [".cu", ".json"] {
                let _ = std::fs::remove_file(folder.join(format!("{name}{end}")));
            }
        }
    }
}
