// The order in which objects are made and destroyed: globals that print, static ones, temporaries, members.
#include <iostream>
#include <string>
#include <vector>

struct Loud {
    std::string name;
    Loud(std::string s) : name(s) { std::cout << '+' << name << ' '; }
    Loud(const Loud& o) : name(o.name + '\'') { std::cout << 'c' << name << ' '; }
    ~Loud() { std::cout << '-' << name << ' '; }
};
Loud& late();
Loud global("global");
static Loud other("other");
Loud& from_function = late();
Loud& late()
{
    static Loud l("late");
    return l;
}
Loud make(std::string s) { return Loud(s); }
struct Holder {
    Loud a, b;
    Holder() : a("a"), b("b") {}
};
struct Derived : Holder {
    Loud c{"c"};
};

int main()
{
    Loud x = make("made");
    const Loud& kept = make("kept");
    {
        Loud y("y");
        std::vector<Loud> v;
        v.reserve(2);
        v.push_back(y);
        v.emplace_back("emplaced");
    }
    std::cout << "| ";
    for (int i = 0; i < 2; i++) {
        static Loud once("once");
        Loud l(std::to_string(i));
        if (i) break;
    }
    Derived d;
    Loud* p = new Loud[2]{{"p0"}, {"p1"}};
    delete[] p;
    Loud q = d.a.name.size() == 1 ? Loud("yes") : Loud("no");
    std::cout << kept.name << x.name << q.name << from_function.name << '\n';
    return 3;
}
