// Bounds of one macro in sizeof, and types whose names have template arguments.
#define DIMS [k][m]
#define DIM(k, m) [k][m]
#define D2 [k++]
#define T2(T) T[k][m]
extern "C" int printf(const char*, ...);
int main() { int k = 2, m = 3; printf("%d\n", (int)sizeof(int DIMS)); printf("%d\n", (int)sizeof(int DIM(k, m)));
printf("%d\n", (int)sizeof(T2(short)));
printf("%d\n", (int)sizeof(T2(int*)));
printf("%d %d\n", (int)sizeof(int D2 D2), k);
printf("%d %d\n", (int)sizeof(int[k++][3][m++]), k);
}
