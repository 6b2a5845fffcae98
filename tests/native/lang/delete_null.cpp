// `delete` of null calls no function that gives memory back, not one of the program either.
#include <cstdio>
#include <new>
static int given;
struct Own {
    int first;
    static void operator delete(void *p) {
        printf("own %d\n", p == nullptr);
        ::operator delete(p);
    }
    static void operator delete[](void *p) {
        printf("own[] %d\n", p == nullptr);
        ::operator delete[](p);
    }
};
struct Sized {
    int first[3];
    static void operator delete(void *p, std::size_t size) {
        given += static_cast<int>(size);
        ::operator delete(p);
    }
};
int main() {
    Own *none = nullptr;
    delete none;
    delete[] none;
    delete new Own;
    delete[] new Own[2];
    Sized *sized = nullptr;
    delete sized;
    delete new Sized;
    int *number = nullptr;
    delete number;
    delete[] number;
    printf("%d\n", given);
    return 0;
}
