// An `operator delete` that destroys the object itself is not called as the others are.
// flags: -std=c++20
#include <cstdio>
#include <new>

struct Node {
    ~Node() { std::puts("~Node"); }
    void operator delete(Node *p, std::destroying_delete_t) //~ DIAGNOSTIC unsupported: an `operator delete` that destroys the object itself
    {
        std::puts("destroying");
        ::operator delete(p);
    }
};

int main()
{
    delete new Node;
}
