// Inline static members run their initialisers before `main`, whether or not anybody names them.
#include <cstdio>
#include <string>
static int order;
static bool add(const char *who) { std::printf("%d %s\n", ++order, who); return true; }

struct Plugin {
    static inline bool registered = add("plugin");
    struct Inner {
        static inline const bool registered = add("inner");
    };
    static constexpr int fixed = 3;
    static inline int plain = 4;
    static const int declared = 5;
    static inline std::string text = "text";
};
static bool between = add("between");
namespace {
struct Hidden {
    static inline bool registered = add("hidden");
};
union Either {
    int n;
    static inline bool registered = add("either");
};
}
template <class T> struct Of {
    static inline bool registered = add("never: of a template that nobody instantiates");
};
template <> struct Of<int> {
    static inline bool registered = add("of int");
};
template <class T> struct Used {
    static inline bool registered = order >= 0;
};
class Last {
    static inline bool registered = add("last");
public:
    static inline int later = order;
};
int main()
{
    std::printf("%d %d %d %s\n", Used<char>::registered, Plugin::plain, Last::later > 0, Plugin::text.c_str());
    return between && Plugin::fixed == 3 && Plugin::declared == 5 ? 0 : 1;
}
