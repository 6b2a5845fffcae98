//! Snippets and the IR that they become. Each module must pass the verifier.

use cudair_frontend::{FrontendError, Options, lower_files};
use cudair_ir::verify::verify_module;

/// Lowers `source` as a file of the given name and gives the module's text.
fn lowered(name: &str, source: &str) -> Result<String, Vec<FrontendError>> {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join(name);
    std::fs::write(&path, source).expect("a file");
    let path = path.to_str().expect("a path of text");
    let options = Options { files: vec![path.to_owned()], all_functions: true, ..Options::default() };
    let module = lower_files(&options)?.module;
    if let Err(errors) = verify_module(&module) {
        panic!("{}\n{module}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"));
    }
    Ok(module.to_string().replace(dir.path().to_str().expect("a path of text"), "DIR"))
}

/// Compares the functions and variables of the lowered source with a snapshot, places left out.
fn check(snapshot: &str, file: &str, source: &str) {
    let text = lowered(file, source).unwrap_or_else(|e| panic!("{e:?}"));
    let mut body = String::new();
    for line in text.lines().filter(|l| !l.starts_with("loc") && !l.starts_with("file")) {
        let line = match line.rfind(" @loc") {
            Some(at) => line[..at].trim_end().to_owned() + if line.ends_with('{') { " {" } else { "" },
            None => line.to_owned(),
        };
        body.push_str(&line);
        body.push('\n');
    }
    insta::with_settings!({
        snapshot_path => "../../snapshots/frontend",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(snapshot, body.trim());
    });
}

/// The messages of the errors that a source gives, with their lines and columns.
fn errors(file: &str, source: &str) -> Vec<String> {
    match lowered(file, source) {
        Ok(text) => panic!("lowered:\n{text}"),
        Err(errors) => errors
            .iter()
            .map(|e| {
                let d = e.diagnostic();
                let at = d.primary.map(|s| format!("{}:{}: ", s.start.line, s.start.col)).unwrap_or_default();
                format!("{at}{}: {}", d.class, d.message)
            })
            .collect(),
    }
}

#[test]
fn shared_memory_reduction() {
    check(
        "kernel_reduction",
        "a.cu",
        "__global__ void sum(int* in, int* out) {
           extern __shared__ int shared[];
           int tid = threadIdx.x;
           shared[tid] = in[blockIdx.x * blockDim.x + tid];
           __syncthreads();
           if (tid < 4) shared[tid] += shared[4 + tid];
           __syncthreads();
           if (tid == 0) out[blockIdx.x] = shared[0];
         }",
    );
}

#[test]
fn launches() {
    check(
        "launches",
        "a.cu",
        "__global__ void k(int* p, dim3 d) { p[0] = d.x; }
         template <class T, int N> __global__ void t(T v) { __shared__ T s[N]; s[0] = v; }
         int f(int* p, cudaStream_t s) {
           k<<<2, 3>>>(p, 4);
           k<<<dim3(1, 2), 64, 16, s>>>(p, dim3(5));
           void (*q)(int*, dim3) = k;
           q<<<1, 1>>>(p, 1);
           t<float, 8><<<1, 8>>>(1.5f);
           return cudaDeviceSynchronize();
         }",
    );
}

#[test]
fn device_functions_and_variables() {
    check(
        "device_functions",
        "a.cu",
        "__device__ int counter = 3;
         __constant__ float table[2] = {1.5f, 2.5f};
         __managed__ int both;
         const int N = 7;
         __host__ __device__ float square(float x) { return x * x; }
         float on_host(float x) { return square(x) + both; }
         __global__ void k(float* p) {
           p[0] = square(table[1]) + counter + both + N;
           __threadfence();
           if (__any_sync(0xffffffffu, p[0] > 0)) __trap();
         }",
    );
}

#[test]
fn expressions() {
    check(
        "expressions",
        "a.c",
        "int arithmetic(int a, unsigned b, char c, long d) { c += a; c <<= 2; return a * c + b / 3u + d % 7 - -a; }
         int logic(int a, int *p) { return a && *p || !a ? ~a : a ^ 1; }
         double floats(float f, double d, long double l, int i) { f *= d; return f + l + i; }
         int pointers(int *p, int *q, long n) { return p[n] + *(q - n) + (int)(q - p) + (p < q); }
         int incs(int *p, unsigned char c) { c++; --*p; return *p++ + c--; }
         int comma(int a) { return a = 2, a += 3, a; }",
    );
}

#[test]
fn control_flow() {
    check(
        "control_flow",
        "a.c",
        "int loops(int n) {
           int s = 0;
           for (int i = 0; i < n; i++) { if (i == 3) continue; if (i == 7) break; s += i; }
           while (n) n--;
           do s--; while (s > 0);
           for (;;) { s++; break; }
           for (n = 0;;) if (n++ > 3) break;
           for (;; n++) if (n > 9) break;
           return s;
         }
         int switches(int x) {
           switch (x) { case 1 ... 3: x = 9; case 5: return x; default: x++; break; case -1: { int y = x; return y; } }
           return x;
         }
         int duff(int n) { int r = 0; switch (n & 1) { case 0: do { r++; case 1: r += 2; } while (--n > 0); } return r; }
         int gotos(int n) { int r = 0; again: if (n-- > 0) { r++; goto again; } goto in; { in: r = -r; } return r; }
         int computed(int k) { static void *t[] = { &&a, &&b }; goto *t[k]; a: return 1; b: return 2; }",
    );
}

#[test]
fn aggregates() {
    check(
        "aggregates",
        "a.c",
        "struct S { int a; union { int u; float f; }; struct { int p : 3; unsigned q : 5; } b; int arr[4]; };
         struct S global = { .a = 1, .u = 3, .b = {1, 2}, .arr = {[2] = 5, 6} };
         int m[3][4] = { [0 ... 1] = {1, 2}, {3} };
         const char *names[] = { \"a\", \"b\" \"c\" };
         int *inside = &m[1][1];
         struct S make(int a) { struct S s = { a, {.f = 2.5f}, {-1, 31} }; return s; }
         int use(struct S s, struct S *p) { struct S t = s; *p = make(t.arr[1]); p->b.q += 3; return p->f + t.b.p; }
         int literal(void) { struct S *p = &(struct S){ .a = 9 }; char text[8] = \"hi\"; return p->a + text[1]; }",
    );
}

#[test]
fn variable_arguments_and_arrays() {
    check(
        "varargs_vla",
        "a.c",
        "#include <stdarg.h>
         int sum(int n, ...) { va_list ap; va_start(ap, n); int s = va_arg(ap, int) + (int)va_arg(ap, double); va_end(ap); return s; }
         int call(void) { char c = 1; float f = 2; return sum(2, c, f); }
         int vla(int n) { int v[n][n + 1]; v[1][2] = 3; return (int)(sizeof v / sizeof v[0]) + v[n - 1][n]; }
         int parameter(int n, int a[n][n]) { return a[1][2]; }",
    );
}

#[test]
fn classes() {
    check(
        "classes",
        "a.cu",
        "struct P {
           int a; float b = 2;
           P(int q) : a(q) {}
           ~P() { a = 0; }
           int get() const { return a; }
           P& operator+=(const P& o) { a += o.a; return *this; }
         };
         int f() { P p(3); P q = 4; p += q; return p.get(); }
         void g(int& r, const int& c = 5) { r = c; }
         int h() { int x; g(x); int* p = new int[3]{1, 2}; x += p[1]; delete[] p; return x; }",
    );
}

#[test]
fn diagnostics_have_places() {
    assert_eq!(errors("a.cu", "int main() { return x; }"), ["1:21: parse: use of undeclared identifier 'x'"]);
    assert_eq!(
        errors("a.cu", "#include \"nowhere.h\"\nint main() {}"),
        ["1:10: parse: 'nowhere.h' file not found"]
    );
    assert_eq!(
        errors("a.cu", "int main() {\n  asm(\"cpuid\");\n}"),
        ["2:3: unsupported: not supported: inline assembly `cpuid`"]
    );
    assert!(errors("a.cu", "int x = 1;\0")[0].ends_with("is not a text file"));
}

#[test]
fn what_is_not_reached_for_certain_is_a_trap() {
    let source = "int main(int c, char**) { if (c > 9) { asm(\"cpuid\"); } return 0; }";
    let text = lowered("a.cu", source).expect("it lowers");
    assert!(text.contains("trap unsupported \"inline assembly `cpuid`\""), "{text}");
}

#[test]
fn files_link() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut files = Vec::new();
    for (name, text) in [
        ("a.cu", "extern \"C\" int other(int); static int s = 1; int main() { return other(s); }"),
        ("b.c", "static int s = 2; int other(int x) { return x + s; }"),
    ] {
        let path = dir.path().join(name);
        std::fs::write(&path, text).expect("a file");
        files.push(path.to_str().expect("a path of text").to_owned());
    }
    let module = lower_files(&Options { files, ..Options::default() }).expect("it lowers").module;
    verify_module(&module).expect("it verifies");
    let other = module.func_by_name("other").expect("the function");
    assert!(!module.funcs[other].is_declaration());
    assert_eq!(module.globals.values().filter(|g| g.display_name == "s").count(), 2);
}
