// The end of a range and the comparison of its iterators stand where their namespace is opened once more, or beside an
// inline namespace.
#include <cstdio>

namespace text {
struct Text {
    const char* p;
};
struct Zero {};
}
namespace text {
inline namespace one {
struct Chars {
    const char* p;
    char operator*() const { return *p; }
    Chars& operator++()
    {
        ++p;
        return *this;
    }
};
}
}
namespace text {
inline namespace two {
bool operator!=(const Chars& c, Zero)
{
    return *c.p != 0;
}
}
Chars begin(const Text& t)
{
    return {t.p};
}
}
namespace other {
struct Zero {};
Zero end(const Zero&)
{
    return {};
}
}
namespace text {
inline namespace three {
Zero end(const Text&)
{
    return {};
}
}
}

int main()
{
    for (char c : text::Text{"hello"}) std::printf("%c.", c);
    std::printf("\n");
}
