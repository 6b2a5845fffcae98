// Memory goes by the variable or the member in which its address is stored first; what a function hands on is its caller's.
// revisions: member static_one array handed element device
#include <cstdlib>

struct Table {
    double unused;
    int *rows;
    int *first[2];
};
static char *text;

static int *make(int n) {
    int *made = (int *)malloc(n * sizeof(int));
    return made;
}

__global__ void grow() {
    int *own = (int *)malloc(8);
    own[2] = 1; //[device]~ ERROR out-of-bounds: just past the end of `own` (8 bytes from `malloc` in device code)
}

int main() {
#ifdef REV_device
    grow<<<1, 1>>>();
    cudaDeviceSynchronize();
#endif
    Table *table = new Table;
#ifdef REV_member
    table->rows = new int[4];
    table->rows[4] = 1; //[member]~ ERROR out-of-bounds: just past the end of `table->rows` (16 bytes from `new[]`)
#endif
#ifdef REV_static_one
    text = (char *)calloc(3, 1);
    text[3] = 'x'; //[static_one]~ ERROR out-of-bounds: just past the end of `text` (3 bytes from `malloc`)
#endif
#ifdef REV_array
    table[1].unused = 0; //[array]~ ERROR out-of-bounds: of `table`
#endif
#ifdef REV_handed
    int *rows = make(2);
    rows[2] = 1; //[handed]~ ERROR out-of-bounds: just past the end of memory from `malloc` (8 bytes)
#endif
#ifdef REV_element
    table->first[1] = new int(3);
    table->first[1][2] = 1; //[element]~ ERROR out-of-bounds: past the end of `table->first[1]` (4 bytes from `new`)
#endif
    delete table;
}
