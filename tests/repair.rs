//! Repairs hold what they promise: from right kernels each barrier is taken away in turn. Where the run then finds a race,
//! its help says where a barrier belongs, and the program with a barrier at that line runs clean.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// What a run tells: its findings, its output, and the code of its end.
fn run(file: &Path, command: &[&str]) -> (Vec<Value>, String, i32) {
    let mut cudair = Command::new(env!("CARGO_BIN_EXE_cudair"));
    let output = cudair.args(command).args(["--format", "json"]).arg(file).output().expect("cudair starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines = said.lines().filter_map(|l| serde_json::from_str::<Value>(l).ok());
    let findings = lines.filter(|v| v["type"] == "finding").collect();
    (findings, String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code().unwrap_or(-1))
}

/// The program with `__syncthreads();` put in a line of its own before each line that the repair names.
fn applied(text: &str, repair: &Value) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let edits = repair["edits"].as_array().expect("edits");
    for edit in edits.iter().rev() {
        assert_eq!(repair["insert"], "__syncthreads()", "{repair}");
        assert!(edit["text"].as_str().expect("a text").contains("__syncthreads();"), "{repair}");
        assert_eq!(
            [&edit["line"], &edit["column"]],
            [&edit["end_line"], &edit["end_column"]],
            "an insertion"
        );
        let line = edit["line"].as_u64().expect("a line") as usize;
        lines.insert(line - 1, "__syncthreads();".to_owned());
    }
    assert_eq!(repair["line"], edits[0]["line"], "the first place");
    lines.join("\n") + "\n"
}

/// Takes each barrier of a kernel away in turn. How many were missed, and how many there were.
fn each_barrier(name: &str, text: &str) -> (usize, usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(format!("{name}.cu"));
    let write = |text: &str| std::fs::write(&file, text).expect("the program is written");
    write(text);
    let (findings, output, code) = run(&file, &["run"]);
    assert!(findings.is_empty() && code == 0, "{name} is right: {findings:?} {code}");
    let barriers: Vec<usize> =
        text.lines().enumerate().filter(|(_, l)| l.trim() == "__syncthreads();").map(|(n, _)| n).collect();
    let mut missed = 0;
    for &barrier in &barriers {
        let others = text.lines().enumerate().filter(|(n, _)| *n != barrier).map(|(_, l)| l);
        let without = others.collect::<Vec<_>>().join("\n") + "\n";
        write(&without);
        let (findings, ..) = run(&file, &["run", "--repair"]);
        let races: Vec<&Value> =
            findings.iter().filter(|f| f["kind"].as_str().is_some_and(|k| k.ends_with("-race"))).collect();
        missed += usize::from(!races.is_empty());
        for race in races {
            let repair = &race["repair"];
            let what = format!("{name} without the barrier of line {}: {race}", barrier + 1);
            assert!(repair.is_object(), "no repair of {what}");
            assert_eq!(repair["verified_by"], serde_json::json!(["analysis", "run"]), "{what}");
            let help = race["help"].as_str().expect("a help");
            assert!(help.contains("verified: the program ran again with it"), "{what}");
            write(&applied(&without, repair));
            let (findings, now, code) = run(&file, &["run"]);
            assert!(findings.is_empty() && code == 0, "{what}\nmended: {findings:?} {code}");
            assert_eq!(now, output, "{what}");
        }
    }
    (missed, barriers.len())
}

/// A kernel, and a host that runs it on so many blocks of a shape and prints the result.
fn program(kernel: &str, grid: &str, block: &str) -> String {
    format!(
        "#include <cstdio>\n#define N 256\n{kernel}
int main() {{
    static float in[N], out[N];
    float *d_in, *d_out;
    for (int i = 0; i < N; ++i) in[i] = (float)(i % 7);
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemset(d_out, 0, sizeof out);
    k<<<{grid}, {block}>>>(d_in, d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i += 17) printf(\"%g \", out[i]);
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}}
"
    )
}

#[track_caller]
fn all_missed(name: &str, kernel: &str, grid: &str, block: &str) {
    let (missed, all) = each_barrier(name, &program(kernel, grid, block));
    assert_eq!(missed, all, "each barrier of {name} is needed");
}

#[test]
fn reduction() {
    let kernel = "__global__ void k(const float *in, float *out) {
    __shared__ float part[128];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half) {
            part[t] += part[t + half];
        }
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}";
    all_missed("reduction", kernel, "2", "128");
}

#[test]
fn scan() {
    let kernel = "__global__ void k(const float *in, float *out) {
    __shared__ float sum[256];
    int t = threadIdx.x;
    sum[t] = in[t];
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        float left = 0;
        if (t >= step) left = sum[t - step];
        __syncthreads();
        sum[t] += left;
        __syncthreads();
    }
    out[t] = sum[255 - t];
}";
    all_missed("scan", kernel, "1", "256");
}

#[test]
fn stencil_in_steps() {
    let kernel = "__global__ void k(const float *in, float *out) {
    __shared__ float row[66];
    int t = threadIdx.x;
    row[t + 1] = in[t];
    if (t < 2) row[t * 65] = 0;
    __syncthreads();
    for (int step = 0; step < 4; ++step) {
        float next = (row[t] + row[t + 1] + row[t + 2]) / 3;
        __syncthreads();
        row[t + 1] = next;
        __syncthreads();
    }
    out[t] = row[64 - t];
}";
    all_missed("stencil", kernel, "1", "64");
}

#[test]
fn tiled_product() {
    let kernel = "__global__ void k(const float *in, float *out) {
    __shared__ float a[8][8];
    __shared__ float b[8][8];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * 8 + y, column = blockIdx.x * 8 + x;
    float sum = 0;
    for (int tile = 0; tile < 2; ++tile) {
        a[y][x] = in[row * 16 + tile * 8 + x];
        b[y][x] = in[(tile * 8 + y) * 16 + column];
        __syncthreads();
        for (int i = 0; i < 8; ++i) sum += a[y][i] * b[i][x];
        __syncthreads();
    }
    out[row * 16 + column] = sum;
}";
    all_missed("product", kernel, "dim3(2, 2)", "dim3(8, 8)");
}

#[test]
fn transpose_with_a_helper() {
    let kernel = "__device__ void load(float (*tile)[17], const float *in) {
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
}
__device__ float turned(float (*tile)[17]) { return tile[threadIdx.x][threadIdx.y]; }
__global__ void k(const float *in, float *out) {
    __shared__ float tile[16][17];
    load(tile, in);
    __syncthreads();
    out[threadIdx.y * 16 + threadIdx.x] = turned(tile);
}";
    all_missed("transpose", kernel, "1", "dim3(16, 16)");
}

#[test]
fn device_memory_and_a_flag() {
    let kernel = "__global__ void k(const float *in, float *out) {
    __shared__ int again;
    int t = threadIdx.x;
    float mine = in[t];
    int more;
    do {
        if (t == 0) again = 0;
        __syncthreads();
        if (mine > 1) {
            mine -= 1;
            atomicOr(&again, 1);
        }
        __syncthreads();
        more = again;
        __syncthreads();
    } while (more);
    out[t] = mine;
    __syncthreads();
    if (t < 64) out[t + 64] = out[63 - t];
}";
    all_missed("flag", kernel, "1", "64");
}
