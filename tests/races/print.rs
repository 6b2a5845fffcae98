//! Kernels as CUDA C++: a line for each access, so that a finding's lines tell which accesses it is about.

use super::program::*;

/// A source file under construction.
#[derive(Default)]
pub struct Source {
    pub text: String,
    /// Of each line of the file from 1: the kernel and the line in it.
    pub places: Vec<Option<(usize, Line)>>,
}

impl Source {
    pub fn new() -> Source {
        Source { places: vec![None], ..Source::default() }
    }

    pub fn put(&mut self, line: &str) {
        self.put_at(None, line);
    }

    pub fn put_at(&mut self, place: Option<(usize, Line)>, line: &str) {
        for line in line.lines() {
            self.text.push_str(line);
            self.text.push('\n');
            self.places.push(place);
        }
    }
}

const HEAD: &str = "\
#include <cuda_runtime.h>
#include <cooperative_groups.h>
struct Record { unsigned int a; unsigned short b; unsigned char c; unsigned int d; };";

/// Programs as one file, whose kernels are launched one after the other, each on memory of its own.
pub fn source(programs: &[Program]) -> Source {
    let mut s = Source::new();
    HEAD.lines().for_each(|l| s.put(l));
    for (n, program) in programs.iter().enumerate() {
        kernel(&mut s, n, program);
    }
    s.put("int main() {");
    for (n, program) in programs.iter().enumerate() {
        launch(&mut s, n, program);
    }
    s.put("    return 0;");
    s.put("}");
    s
}

fn launch(s: &mut Source, n: usize, p: &Program) {
    s.put("    {");
    let mut names = Vec::new();
    for (a, array) in p.arrays.iter().enumerate().filter(|(_, a)| a.space == Space::Global) {
        let allocate = if array.managed { "cudaMallocManaged" } else { "cudaMalloc" };
        s.put(&format!("        unsigned char *g{a};"));
        s.put(&format!("        {allocate}(&g{a}, {});", array.bytes));
        s.put(&format!("        cudaMemset(g{a}, 0, {});", array.bytes));
        names.push(format!("g{a}"));
    }
    let total = p.blocks * p.threads;
    s.put("        unsigned int *out;");
    s.put(&format!("        cudaMalloc(&out, {});", 4 * total));
    names.push("out".to_owned());
    let (blocks, threads) = (p.blocks, p.threads);
    for time in 0..p.launches {
        if p.is_cooperative() {
            let all: Vec<String> = names.iter().map(|n| format!("&{n}")).collect();
            let all = all.join(", ");
            s.put(&format!("        void *args{time}[] = {{{all}}};"));
            s.put(&format!(
                "        cudaLaunchCooperativeKernel((void *)k{n}, {blocks}, {threads}, args{time});"
            ));
        } else {
            s.put(&format!("        k{n}<<<{blocks}, {threads}>>>({});", names.join(", ")));
        }
        s.put("        cudaDeviceSynchronize();");
    }
    for name in names {
        s.put(&format!("        cudaFree({name});"));
    }
    s.put("    }");
}

struct Printer<'a> {
    source: &'a mut Source,
    number: usize,
    program: &'a Program,
    variables: u32,
}

fn kernel(s: &mut Source, number: usize, p: &Program) {
    let mut parameters: Vec<String> = Vec::new();
    for (a, _) in p.arrays.iter().enumerate().filter(|(_, a)| a.space == Space::Global) {
        parameters.push(format!("unsigned char *g{a}"));
    }
    parameters.push("unsigned int *out".to_owned());
    s.put("");
    s.put(&format!("__global__ void k{number}({}) {{ // seed {}", parameters.join(", "), p.seed));
    for (a, array) in p.arrays.iter().enumerate().filter(|(_, a)| a.space == Space::Shared) {
        s.put(&format!("    __shared__ __align__(16) unsigned char s{a}[{}];", array.bytes));
    }
    s.put("    unsigned int t = threadIdx.x, b = blockIdx.x;");
    s.put("    unsigned long long acc = 0;");
    if p.filled {
        for (a, array) in p.arrays.iter().enumerate().filter(|(_, a)| a.space == Space::Shared) {
            s.put(&format!(
                "    for (unsigned int n = t; n < {}; n += {}) s{a}[n] = 0;",
                array.bytes, p.threads
            ));
        }
        s.put("    __syncthreads();");
    }
    Printer { source: s, number, program: p, variables: 0 }.all(&p.body, 1);
    s.put(&format!("    out[b * {} + t] = (unsigned int)acc;", p.threads));
    s.put("}");
}

impl Printer<'_> {
    fn put(&mut self, depth: usize, text: &str) {
        self.source.put(&format!("{}{text}", "    ".repeat(depth)));
    }

    fn put_at(&mut self, line: Line, depth: usize, text: &str) {
        self.source.put_at(Some((self.number, line)), &format!("{}{text} // {line}", "    ".repeat(depth)));
    }

    fn index(a: &Affine) -> String {
        let t = match a.bend {
            Bend::None => "t".to_owned(),
            Bend::Xor(n) => format!("(t ^ {n})"),
            Bend::Divide(n) => format!("(t / {n})"),
            Bend::Modulo(n) => format!("(t % {n})"),
        };
        let mut out = a.plus.to_string();
        for (factor, name) in [(a.thread, t.as_str()), (a.block, "b"), (a.loops[0], "i"), (a.loops[1], "j")] {
            match factor {
                0 => {}
                1 => out = format!("{out} + {name}"),
                -1 => out = format!("{out} - {name}"),
                f if f < 0 => out = format!("{out} - {} * {name}", -f),
                f => out = format!("{out} + {f} * {name}"),
            }
        }
        out
    }

    /// The lvalue of a spot.
    fn spot(&self, s: &Spot) -> String {
        let letter = if self.program.arrays[s.array].space == Space::Shared { 's' } else { 'g' };
        let name = format!("{letter}{}", s.array);
        let index = Self::index(&s.index);
        let volatile = if s.volatile { "volatile " } else { "" };
        let kind = match s.view {
            View::U8 => "unsigned char",
            View::U16 => "unsigned short",
            View::U32 => "unsigned int",
            View::U64 => "unsigned long long",
            View::Vec4 => "float4",
            View::Member(n) => return format!("(({volatile}Record *){name})[{index}].{}", RECORD[n].0),
        };
        format!("(({volatile}{kind} *){name})[{index}]")
    }

    fn value(v: Value) -> String {
        match v {
            Value::Constant(n) => n.to_string(),
            Value::Thread(n) => format!("t + {n}"),
        }
    }

    fn all(&mut self, stmts: &[Stmt], depth: usize) {
        for s in stmts {
            self.stmt(s, depth);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, d: usize) {
        match stmt {
            Stmt::Load(line, s) => {
                let (at, x) = (self.spot(s), if s.view == View::Vec4 { ".x" } else { "" });
                if x.is_empty() {
                    self.put_at(*line, d, &format!("acc += {at};"));
                } else {
                    let v = self.variable();
                    self.put_at(*line, d, &format!("float4 {v} = {at};"));
                    self.put(d, &format!("acc += (unsigned int){v}.x + (unsigned int){v}.w;"));
                }
            }
            Stmt::Store(line, s, v) => {
                let (at, value) = (self.spot(s), Self::value(*v));
                if s.view == View::Vec4 {
                    let make = format!("make_float4({value}, 1, 2, 3)");
                    self.put_at(*line, d, &format!("{at} = {make};"));
                } else {
                    self.put_at(*line, d, &format!("{at} = {value};"));
                }
            }
            Stmt::Update(line, s, n) => {
                let at = self.spot(s);
                self.put_at(*line, d, &format!("{at} += {n};"));
            }
            Stmt::Copy(first, from, between, second, to) => {
                let (v, from, at) = (self.variable(), self.spot(from), self.spot(to));
                self.put_at(*first, d, &format!("unsigned long long {v} = {from};"));
                self.put(d, &format!("acc += {v};"));
                self.all(between, d);
                self.put_at(*second, d, &format!("{at} = {v} + 1;"));
            }
            Stmt::Atomic(line, s, rmw, reach, used) => {
                let at = self.spot(s);
                let scope = if *reach == Reach::Block { "_block" } else { "" };
                let call = match rmw {
                    Rmw::Add => format!("atomicAdd{scope}(&{at}, 1)"),
                    Rmw::Exchange => format!("atomicExch{scope}(&{at}, t)"),
                    Rmw::Max => format!("atomicMax{scope}(&{at}, t)"),
                    Rmw::CompareAndSwap => format!("atomicCAS{scope}(&{at}, 0, t)"),
                };
                let result = if *used { "acc += " } else { "" };
                self.put_at(*line, d, &format!("{result}{call};"));
            }
            Stmt::Fence(Reach::Block) => self.put(d, "__threadfence_block();"),
            Stmt::Fence(Reach::Device) => self.put(d, "__threadfence();"),
            Stmt::If(guard, yes, no) => {
                let condition = match guard {
                    Guard::Residue(m, r) => format!("t % {m} == {r}"),
                    Guard::Below(n) => format!("t < {n}"),
                    Guard::Is(n) => format!("t == {n}"),
                    Guard::Warp(w) => format!("t / 32 == {w}"),
                    Guard::Block(b) => format!("b == {b}"),
                    Guard::Odd(n) => format!("{} % 2 == 1", ["i", "j"][*n]),
                };
                self.put(d, &format!("if ({condition}) {{"));
                self.all(yes, d + 1);
                if !no.is_empty() {
                    self.put(d, "} else {");
                    self.all(no, d + 1);
                }
                self.put(d, "}");
            }
            Stmt::Loop(n, rounds, body) => {
                let i = ["i", "j"][*n];
                self.put(d, &format!("for (unsigned int {i} = 0; {i} < {rounds}; ++{i}) {{"));
                self.all(body, d + 1);
                self.put(d, "}");
            }
            Stmt::Ragged(n, m, body) => {
                let i = ["i", "j"][*n];
                self.put(d, &format!("for (unsigned int {i} = 0; {i} < t % {m}; ++{i}) {{"));
                self.all(body, d + 1);
                self.put(d, "}");
            }
            Stmt::Barrier => self.put(d, "__syncthreads();"),
            Stmt::BarrierCount => self.put(d, "acc += __syncthreads_count(t % 2);"),
            Stmt::WarpAll => self.put(d, "__syncwarp();"),
            Stmt::WarpMask(mask) => {
                self.put(d, &format!("if ({mask:#x}u >> t % 32 & 1) __syncwarp({mask:#x}u);"));
            }
            Stmt::WarpTile(n) => {
                let ones = (1u64 << n) - 1;
                self.put(d, &format!("__syncwarp({ones:#x}u << (t % 32 & ~{}u));", n - 1));
            }
            Stmt::Shuffle => {
                let last = self.program.threads % 32;
                let whole = self.program.threads / 32;
                let mask = match (whole, last) {
                    (_, 0) => "0xffffffffu".to_owned(),
                    (0, _) => format!("{:#x}u", (1u32 << last) - 1),
                    _ => format!("(t / 32 == {whole} ? {:#x}u : 0xffffffffu)", (1u32 << last) - 1),
                };
                self.put(d, &format!("acc += __shfl_sync({mask}, t, 0);"));
            }
            Stmt::Grid => self.put(d, "cooperative_groups::this_grid().sync();"),
            Stmt::ReturnAbove(n) => self.put(d, &format!("if (t >= {n}) return;")),
        }
    }

    fn variable(&mut self) -> String {
        self.variables += 1;
        format!("v{}", self.variables)
    }
}
