/* Structs, unions, bit-fields, enums: layout, copies, by value, nested, flexible arrays, compound literals. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct Point { int x, y; };
struct Mixed { char c; double d; short s; };
struct Line { struct Point from, to; char name[4]; };
union Number { int i; float f; unsigned char bytes[4]; };
struct Flags { unsigned a : 3, b : 5; int c : 4; unsigned : 0; unsigned d : 17; };
struct Tagged {
    int tag;
    union { int whole; double real; };
    struct { int inner; } named;
};
struct Vector { int length; int data[]; };
enum Color { RED, GREEN = 5, BLUE };
typedef struct Node { int value; struct Node *next; } Node;
struct Big { long v[10]; };

static struct Point move(struct Point p, int by) {
    p.x += by;
    p.y -= by;
    return p;
}

static struct Big make(int seed) {
    struct Big b;
    for (int i = 0; i < 10; i++) b.v[i] = seed * i;
    return b;
}

static long total(struct Big b) {
    long sum = 0;
    for (int i = 0; i < 10; i++) sum += b.v[i];
    b.v[0] = -1;
    return sum;
}

static struct Mixed mixed(double d) { return (struct Mixed){.d = d, .c = 'm', .s = -2}; }

int main(void) {
    printf("%zu %zu %zu %zu\n", sizeof(struct Mixed), offsetof(struct Mixed, d), offsetof(struct Mixed, s),
           _Alignof(struct Mixed));
    struct Point p = {3, 4}, q = move(p, 2);
    printf("%d %d %d %d\n", p.x, p.y, q.x, q.y);
    printf("%d\n", move(q, 1).x);
    struct Line line = {{1, 2}, {.y = 9}, "ab"}, copy = line;
    copy.from.x = 7;
    printf("%d %d %d %s %d\n", line.from.x, copy.from.x, copy.to.y, copy.name, line.to.x);
    struct Line *pl = &copy;
    pl->to = q;
    (*pl).to.y++;
    printf("%d %d\n", pl->to.x, copy.to.y);
    union Number n;
    n.f = 1.0f;
    printf("%x %d\n", n.i, n.bytes[3]);
    struct Flags f = {5, 17, -3, 70000};
    f.a += 4;
    f.c = 7;
    f.c++;
    printf("%d %d %d %d %zu\n", f.a, f.b, f.c, f.d, sizeof f);
    struct Tagged t = {1, {.real = 2.5}, {6}};
    printf("%g %d %d\n", t.real, t.named.inner, t.tag);
    t.whole = 3;
    printf("%d\n", t.whole);
    struct Vector *v = malloc(sizeof *v + 3 * sizeof(int));
    v->length = 3;
    for (int i = 0; i < v->length; i++) v->data[i] = i + 1;
    printf("%d %zu\n", v->data[2], sizeof *v);
    free(v);
    enum Color c = BLUE;
    printf("%d %d %d\n", RED, GREEN, c);
    Node third = {3, NULL}, second = {2, &third}, first = {1, &second};
    int sum = 0;
    for (Node *node = &first; node; node = node->next) sum = sum * 10 + node->value;
    printf("%d\n", sum);
    struct Big big = make(3);
    printf("%ld %ld %ld\n", total(big), big.v[0], make(2).v[4]);
    struct Point *literal = &(struct Point){8, 9};
    printf("%d %d\n", literal->x, ((int[]){4, 5, 6})[1]);
    struct Mixed m = mixed(0.5);
    printf("%c %g %d\n", m.c, m.d, m.s);
    struct Point points[3] = {[2] = {5, 6}, [0].y = 1};
    printf("%d %d %d\n", points[0].y, points[1].x, points[2].x);
    int sparse[] = {[5] = 1, 2, [1] = 7};
    printf("%zu %d %d %d\n", sizeof sparse / sizeof *sparse, sparse[6], sparse[1], sparse[0]);
    points[1] = points[2], points[2].x = 0;
    printf("%d %d\n", points[1].x, points[2].x);
    const struct Point *chosen = p.x > 2 ? &p : &q;
    printf("%d\n", (p.x > 5 ? p : q).x + chosen->y);
    return 0;
}
