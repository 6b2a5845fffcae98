// The object in front of a static member is evaluated, though nothing of it is used.
#include <cstdio>
static int made, ended, asked;
struct Part {
    static int count() { return 1; }
    static int add(int a, int b) { return a + b; }
    template <class T> static T twice(T t) { return t + t; }
    static int number;
    static constexpr int fixed = 4;
    enum { entry = 2 };
    enum class Scoped { first = 3 };
    Part() { ++made; }
    ~Part() { ++ended; }
};
int Part::number = 5;
static Part *next() { ++asked; static Part p; return &p; }
static Part &get() { ++asked; return *next(); }
struct Arrow { Part *p; Part *operator->() const { ++asked; return p; } };
struct User : Part { int own() { return count() + this->count() + (*this).count(); } };

int main()
{
    int sum = next()->count() + get().count() + next()->entry + get().number + next()->fixed;
    std::printf("%d %d\n", sum, asked);
    Part array[3];
    Part *p = array;
    sum = p++->count();
    sum += (p++)->entry;
    sum += p->add(1, asked);
    std::printf("%d %d\n", sum, static_cast<int>(p - array));
    Arrow arrow{array};
    sum = arrow->count() + arrow->number;
    std::printf("%d %d\n", sum, asked);
    made = ended = 0;
    std::printf("%d\n", Part().count() + Part().number + Part().twice(4) + Part().entry);
    std::printf("%d %d\n", made, ended);
    auto function = &get().count;
    std::printf("%d %d\n", function(), asked);
    std::printf("%d %d\n", static_cast<int>(get().twice('c') == 198 - 256), get().twice<long>(4) > 7);
    int i = 0;
    (i++, array[0]).count();
    (i++ ? array[1] : array[2]).add(1, 2);
    std::printf("%d %d\n", i, asked);
    User user;
    std::printf("%d\n", user.own());
    // A reference names an object without work.
    Part &r = array[0];
    const Part *null = nullptr;
    std::printf("%d %d\n", r.count(), null == nullptr ? r.fixed : 0);
}
