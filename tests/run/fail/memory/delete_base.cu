// `delete` by a pointer to a base without a virtual destructor: the object is larger than what is deleted. The compiler
// tells the library the size of the base, and the derived object's destructor does not run.
// revisions: plain destructor owner other fine
#include <cstdio>
#include <memory>
#include <new>

struct Base {
    int first = 1;
};
struct Derived : Base {
    int rest[3];
};
struct Ending {
    int first = 1;
    ~Ending() { std::printf("base\n"); }
};
struct DerivedEnding : Ending {
    std::unique_ptr<int> owned{new int(2)};
};

template <class T> struct Owner {
    T *object;
    ~Owner() { delete object; } //[owner]~ ERROR invalid-free: as an object of 4 bytes
};

// Near misses.
struct Virtual {
    virtual ~Virtual() { std::printf("virtual\n"); }
};
struct DerivedVirtual : Virtual {
    int rest[3];
};
struct Same : Base {};
struct Own {
    int first;
    static void operator delete(void *p) { ::operator delete(p); }
};
struct DerivedOwn : Own {
    int rest[3];
};

int main() {
#if defined(REV_plain)
    Base *p = new Derived;
    delete p; //[plain]~ ERROR invalid-free: `delete` of `p` (16 bytes from `new`) as an object of 4 bytes
#elif defined(REV_destructor)
    Ending *p = new DerivedEnding;
    delete p; //[destructor]~ ERROR invalid-free: as an object of 4 bytes
#elif defined(REV_owner)
    Owner<Base> owner{new Derived};
#elif defined(REV_other)
    Base *p = reinterpret_cast<Base *>(new double);
    delete p; //[other]~ ERROR invalid-free: `delete` of `p` (8 bytes from `new`) as an object of 4 bytes
#else
    Base *none = nullptr;
    delete none;
    delete new Derived;
    Base *same = new Same;
    delete same;
    Virtual *overridden = new DerivedVirtual;
    delete overridden;
    std::unique_ptr<Virtual> owned(new DerivedVirtual);
    Owner<Derived> owner{new Derived};
    Own *own = new DerivedOwn;
    delete own;
    std::shared_ptr<Ending> shared(new DerivedEnding);
    Base *several = new Base[3];
    delete[] several;
    void *room = ::operator new(sizeof(Base) + 16);
    Base *with_room = new (room) Base;
    with_room->~Base();
    ::operator delete(room);
#endif
    return 0;
}
