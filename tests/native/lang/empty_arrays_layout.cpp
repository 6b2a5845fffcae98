// Where empty objects in arrays of arrays lie: two of one type never share an address, so what follows moves.
// Virtual bases make the layout be computed; without them the parser tells it.
#include <cstdio>

struct Empty {};
struct Other {};

struct Root {
    int root = 1;
};

struct Flat {
    Empty cells[6];
};
struct Square {
    Empty cells[2][3];
};
struct Cube {
    Empty cells[2][2][2];
};
struct Mixed {
    Square squares[2][2];
    Other others[3][1];
};

template <typename First, typename Second> struct Joined : First, Second, virtual Root {
    char end = 7;
};
template <typename Held> struct Behind : Empty, virtual Root {
    Held held[2][2];
    char end = 7;
};
template <typename Base> struct Only : Base, virtual Root {
    Empty last;
    char end = 7;
};

// `Derived` holds the place in front, so the empty virtual base lies behind, and the next one must not begin there.
struct Derived : Empty {};
template <typename Last> struct Crossed : Derived, virtual Empty, virtual Last {
    char end = 7;
};
// An empty virtual base lies in front.
template <typename Held> struct Around : virtual Empty {
    Held held[2][2];
    char end = 7;
};
template <typename First> struct After : First, virtual Empty {
    char end = 7;
};

template <typename T> void around(const char* name) {
    T object;
    const char* start = reinterpret_cast<const char*>(&object);
    printf("%s: %zu bytes, end at %td\n", name, sizeof(T), &object.end - start);
}

template <typename Last> void crossed(const char* name) {
    Crossed<Last> object;
    const char* last = reinterpret_cast<const char*>(static_cast<Last*>(&object));
    printf("  last at %td\n", last - reinterpret_cast<const char*>(&object));
    around<Crossed<Last>>(name);
}

template <typename T> void show(const char* name) {
    T object;
    const char* start = reinterpret_cast<const char*>(&object);
    const char* root = reinterpret_cast<const char*>(static_cast<Root*>(&object));
    printf("%s: %zu bytes, end at %td, root at %td\n", name, sizeof(T), &object.end - start, root - start);
}

template <typename First, typename Second> void bases(const char* name) {
    Joined<First, Second> object;
    const char* start = reinterpret_cast<const char*>(&object);
    const char* first = reinterpret_cast<const char*>(static_cast<First*>(&object));
    const char* second = reinterpret_cast<const char*>(static_cast<Second*>(&object));
    printf("  bases at %td and %td\n", first - start, second - start);
    show<Joined<First, Second>>(name);
}

int main() {
    bases<Empty, Flat>("empty, flat");
    bases<Empty, Square>("empty, square");
    bases<Square, Empty>("square, empty");
    bases<Cube, Square>("cube, square");
    bases<Mixed, Cube>("mixed, cube");
    bases<Other, Mixed>("other, mixed");
    show<Behind<Empty>>("behind empty");
    show<Behind<Other>>("behind other");
    show<Behind<Square>>("behind square");
    show<Only<Empty>>("only empty");
    show<Only<Cube>>("only cube");
    around<Around<Empty>>("around empty");
    around<Around<Other>>("around other");
    around<Around<Square>>("around square");
    around<After<Flat>>("after flat");
    around<After<Square>>("after square");
    around<After<Cube>>("after cube");
    around<After<Mixed>>("after mixed");
    crossed<Flat>("crossed flat");
    crossed<Square>("crossed square");
    crossed<Cube>("crossed cube");
    crossed<Mixed>("crossed mixed");
    crossed<Other>("crossed other");
}
