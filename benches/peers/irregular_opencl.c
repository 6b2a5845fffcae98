// Runs one of the irregular benchmark kernels through OpenCL (Oclgrind or PoCL), on the data that the CUDA
// programs use, and prints the same line. Usage: irregular_opencl NAME irregular.cl [warm]
#include "opencl.h"
#include "../kernels/irregular/inputs.h"

static void spmv(const char *name, struct csr m, size_t threads, int warm)
{
    float *x = floats_random(m.n), *y = malloc(m.n * sizeof(float));
    cl_mem row = buffer((m.n + 1) * sizeof(int), m.row), col = buffer(m.nnz * sizeof(int), m.col);
    cl_mem val = buffer(m.nnz * sizeof(float), m.val), dx = buffer(m.n * sizeof(float), x);
    cl_mem dy = buffer(m.n * sizeof(float), NULL);
    cl_kernel k = kernel(name);
    arg(k, 0, sizeof row, &row);
    arg(k, 1, sizeof col, &col);
    arg(k, 2, sizeof val, &val);
    arg(k, 3, sizeof dx, &dx);
    arg(k, 4, sizeof dy, &dy);
    arg(k, 5, sizeof m.n, &m.n);
    MEASURE(, enqueue(k, 1, threads, 1, 256, 1));
    read_back(dy, y, m.n * sizeof(float));
    print_floats(name, y, m.n);
}

// Writes the start of a search: level 0 for vertex 0, and the frontier.
static void bfs_reset(cl_mem level, cl_mem from, int *levels, int n)
{
    int start = 0;
    for (int i = 0; i < n; i++)
        levels[i] = i ? -1 : 0;
    check(clEnqueueWriteBuffer(queue, level, CL_TRUE, 0, n * sizeof(int), levels, 0, NULL, NULL), "reset");
    check(clEnqueueWriteBuffer(queue, from, CL_TRUE, 0, sizeof start, &start, 0, NULL, NULL), "reset");
}

static void bfs_search(cl_kernel k, cl_mem from, cl_mem to, cl_mem count)
{
    for (int size = 1, depth = 1, zero = 0; size > 0; depth++) {
        check(clEnqueueWriteBuffer(queue, count, CL_TRUE, 0, sizeof zero, &zero, 0, NULL, NULL), "count");
        arg(k, 3, sizeof from, &from);
        arg(k, 4, sizeof size, &size);
        arg(k, 5, sizeof to, &to);
        arg(k, 7, sizeof depth, &depth);
        enqueue(k, 1, (size + 255) / 256 * 256, 1, 256, 1);
        read_back(count, &size, sizeof size);
        cl_mem t = from;
        from = to;
        to = t;
    }
}

static void bfs(int warm)
{
    struct csr m = csr_random(BFS_VERTICES, BFS_MOST);
    int *levels = malloc(m.n * sizeof(int));
    cl_mem row = buffer((m.n + 1) * sizeof(int), m.row), col = buffer(m.nnz * sizeof(int), m.col);
    cl_mem level = buffer(m.n * sizeof(int), NULL), from = buffer(m.n * sizeof(int), NULL);
    cl_mem to = buffer(m.n * sizeof(int), NULL), count = buffer(sizeof(int), NULL);
    cl_kernel k = kernel("bfs");
    arg(k, 0, sizeof row, &row);
    arg(k, 1, sizeof col, &col);
    arg(k, 2, sizeof level, &level);
    arg(k, 6, sizeof count, &count);
    bfs_reset(level, from, levels, m.n);
    MEASURE(bfs_reset(level, from, levels, m.n), bfs_search(k, from, to, count));
    read_back(level, levels, m.n * sizeof(int));
    print_ints("bfs", levels, m.n);
}

static void gauss_eliminate(cl_kernel factors, cl_kernel rest, int n)
{
    for (int k = 0; k < n - 1; k++) {
        int rows = n - 1 - k, columns = n + 1 - k;
        arg(factors, 3, sizeof k, &k);
        arg(rest, 3, sizeof k, &k);
        enqueue(factors, 1, (rows + 63) / 64 * 64, 1, 64, 1);
        enqueue(rest, 2, (columns + 15) / 16 * 16, (rows + 15) / 16 * 16, 16, 16);
    }
}

static void gauss(int warm)
{
    int n = GAUSS_SIZE;
    size_t bytes = (size_t)n * (n + 1) * sizeof(float);
    float *h = gauss_matrix(n);
    cl_mem a = buffer(bytes, h), f = buffer(n * sizeof(float), NULL);
    cl_kernel factors = kernel("gauss_factors"), rest = kernel("gauss_rest");
    arg(factors, 0, sizeof a, &a);
    arg(factors, 1, sizeof f, &f);
    arg(factors, 2, sizeof n, &n);
    arg(rest, 0, sizeof a, &a);
    arg(rest, 1, sizeof f, &f);
    arg(rest, 2, sizeof n, &n);
    MEASURE(check(clEnqueueWriteBuffer(queue, a, CL_TRUE, 0, bytes, h, 0, NULL, NULL), "reset"),
            gauss_eliminate(factors, rest, n));
    read_back(a, h, bytes);
    print_gauss(h, n);
}

static void mandelbrot(int warm)
{
    int n = MANDELBROT_SIZE, most = MANDELBROT_MOST, *out = malloc(n * n * sizeof(int));
    cl_mem d = buffer(n * n * sizeof(int), NULL);
    cl_kernel k = kernel("mandelbrot");
    arg(k, 0, sizeof d, &d);
    arg(k, 1, sizeof n, &n);
    arg(k, 2, sizeof most, &most);
    MEASURE(, enqueue(k, 2, n, n, 32, 8));
    read_back(d, out, n * n * sizeof(int));
    print_ints("mandelbrot", out, n * n);
}

static void transpose(int warm)
{
    int n = TRANSPOSE_SIZE;
    float *h = floats_random(n * n);
    cl_mem in = buffer(n * n * sizeof(float), h), out = buffer(n * n * sizeof(float), NULL);
    cl_kernel k = kernel("transpose");
    arg(k, 0, sizeof in, &in);
    arg(k, 1, sizeof out, &out);
    arg(k, 2, sizeof n, &n);
    MEASURE(, enqueue(k, 2, n, n / 4, 32, 8));
    read_back(out, h, n * n * sizeof(float));
    print_floats("transpose", h, n * n);
}

static void convolve(int warm)
{
    int n = CONVOLVE_SIZE;
    float *h = floats_random(n * n), *t = floats_random(CONVOLVE_TAPS);
    cl_mem in = buffer(n * n * sizeof(float), h), taps = buffer(CONVOLVE_TAPS * sizeof(float), t);
    cl_mem out = buffer(n * n * sizeof(float), NULL);
    cl_kernel k = kernel("convolve");
    arg(k, 0, sizeof in, &in);
    arg(k, 1, sizeof taps, &taps);
    arg(k, 2, sizeof out, &out);
    arg(k, 3, sizeof n, &n);
    MEASURE(, enqueue(k, 2, n, n, 32, 8));
    read_back(out, h, n * n * sizeof(float));
    print_floats("convolve", h, n * n);
}

static void strings(int warm)
{
    int n = STRINGS_TEXT, length = STRINGS_PATTERN, zero = 0, result;
    cl_mem text = buffer(n + length, strings_text(n)), pattern = buffer(length, strings_pattern);
    cl_mem found = buffer(sizeof(int), &zero);
    cl_kernel k = kernel("strings");
    arg(k, 0, sizeof text, &text);
    arg(k, 1, sizeof pattern, &pattern);
    arg(k, 2, sizeof n, &n);
    arg(k, 3, sizeof length, &length);
    arg(k, 4, sizeof found, &found);
    MEASURE(check(clEnqueueWriteBuffer(queue, found, CL_TRUE, 0, sizeof zero, &zero, 0, NULL, NULL), "reset"),
            enqueue(k, 1, n, 1, 256, 1));
    read_back(found, &result, sizeof result);
    print_ints("strings", &result, 1);
}

static void hash(int warm)
{
    int n = HASH_KEYS;
    unsigned slots = HASH_SLOTS;
    unsigned *empty = calloc(HASH_SLOTS, sizeof(unsigned)), *result = malloc(HASH_SLOTS * sizeof(unsigned));
    cl_mem keys = buffer(n * sizeof(unsigned), hash_keys(n)), table = buffer(HASH_SLOTS * sizeof(unsigned), empty);
    cl_kernel k = kernel("hash");
    arg(k, 0, sizeof keys, &keys);
    arg(k, 1, sizeof table, &table);
    arg(k, 2, sizeof n, &n);
    arg(k, 3, sizeof slots, &slots);
    MEASURE(check(clEnqueueWriteBuffer(queue, table, CL_TRUE, 0, HASH_SLOTS * sizeof(unsigned), empty, 0, NULL, NULL), "reset"),
            enqueue(k, 1, n, 1, 256, 1));
    read_back(table, result, HASH_SLOTS * sizeof(unsigned));
    print_hash(result);
}

static void tree(int warm)
{
    int n = TREE_LOOKUPS, *depths = malloc(n * sizeof(int));
    struct tree t = tree_random(TREE_NODES);
    cl_mem key = buffer(TREE_NODES * sizeof(int), t.key), left = buffer(TREE_NODES * sizeof(int), t.left);
    cl_mem right = buffer(TREE_NODES * sizeof(int), t.right), wanted = buffer(n * sizeof(int), tree_wanted(n));
    cl_mem depth = buffer(n * sizeof(int), NULL);
    cl_kernel k = kernel("tree");
    arg(k, 0, sizeof key, &key);
    arg(k, 1, sizeof left, &left);
    arg(k, 2, sizeof right, &right);
    arg(k, 3, sizeof wanted, &wanted);
    arg(k, 4, sizeof depth, &depth);
    arg(k, 5, sizeof n, &n);
    MEASURE(, enqueue(k, 1, n, 1, 256, 1));
    read_back(depth, depths, n * sizeof(int));
    print_ints("tree", depths, n);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    const char *name = argv[1];
    int warm = argc > 3;
    opencl_begin(argv[2]);
    if (!strcmp(name, "spmv_scalar"))
        spmv(name, csr_random(SPMV_ROWS, SPMV_MOST), SPMV_ROWS, warm);
    else if (!strcmp(name, "spmv_vector"))
        spmv(name, csr_random(SPMV_WIDE_ROWS, SPMV_WIDE_MOST), SPMV_WIDE_ROWS * 32, warm);
    else if (!strcmp(name, "bfs"))
        bfs(warm);
    else if (!strcmp(name, "mandelbrot"))
        mandelbrot(warm);
    else if (!strcmp(name, "transpose"))
        transpose(warm);
    else if (!strcmp(name, "gauss"))
        gauss(warm);
    else if (!strcmp(name, "convolve"))
        convolve(warm);
    else if (!strcmp(name, "strings"))
        strings(warm);
    else if (!strcmp(name, "hash"))
        hash(warm);
    else if (!strcmp(name, "tree"))
        tree(warm);
    else {
        fprintf(stderr, "no such kernel: %s\n", name);
        return 2;
    }
    return 0;
}
