// A recursive descent parser that builds a tree of variants and evaluates it.
#include <cctype>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

struct Node;
using Tree = std::unique_ptr<Node>;
struct Number {
    double value;
};
struct Name {
    std::string name;
};
struct Binary {
    char op;
    Tree left, right;
};
struct Call {
    std::string function;
    std::vector<Tree> args;
};
struct Node {
    std::variant<Number, Name, Binary, Call> what;
};
template <class T>
Tree make(T t) { return std::make_unique<Node>(Node{std::move(t)}); }

class Parser {
    const std::string text;
    size_t at = 0;

    char peek()
    {
        while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
        return at < text.size() ? text[at] : '\0';
    }
    bool take(char c)
    {
        if (peek() != c) return false;
        ++at;
        return true;
    }
    Tree sum()
    {
        Tree t = product();
        for (;;) {
            if (take('+')) t = make(Binary{'+', std::move(t), product()});
            else if (take('-')) t = make(Binary{'-', std::move(t), product()});
            else return t;
        }
    }
    Tree product()
    {
        Tree t = power();
        for (;;) {
            if (take('*')) t = make(Binary{'*', std::move(t), power()});
            else if (take('/')) t = make(Binary{'/', std::move(t), power()});
            else return t;
        }
    }
    Tree power()
    {
        Tree t = atom();
        if (take('^')) return make(Binary{'^', std::move(t), power()});
        return t;
    }
    Tree atom()
    {
        if (take('(')) {
            Tree t = sum();
            if (!take(')')) throw std::runtime_error("missing ) at " + std::to_string(at));
            return t;
        }
        if (take('-')) return make(Binary{'-', make(Number{0}), atom()});
        char c = peek();
        if (std::isdigit(c)) {
            size_t used;
            double v = std::stod(text.substr(at), &used);
            at += used;
            return make(Number{v});
        }
        if (std::isalpha(c)) {
            std::string name;
            while (at < text.size() && std::isalnum(text[at])) name += text[at++];
            if (!take('(')) return make(Name{name});
            Call call{name, {}};
            if (!take(')')) {
                do call.args.push_back(sum());
                while (take(','));
                if (!take(')')) throw std::runtime_error("missing ) after arguments");
            }
            return make(std::move(call));
        }
        throw std::runtime_error(std::string("unexpected ") + (c ? std::string(1, c) : "end"));
    }

public:
    explicit Parser(std::string s) : text(std::move(s)) {}
    Tree parse()
    {
        Tree t = sum();
        if (peek()) throw std::runtime_error("trailing " + text.substr(at));
        return t;
    }
};
struct Evaluator {
    const std::map<std::string, double>& names;
    double operator()(const Number& n) const { return n.value; }
    double operator()(const Name& n) const
    {
        auto it = names.find(n.name);
        if (it == names.end()) throw std::runtime_error("unknown " + n.name);
        return it->second;
    }
    double operator()(const Binary& b) const
    {
        double l = eval(b.left), r = eval(b.right);
        switch (b.op) {
        case '+': return l + r;
        case '-': return l - r;
        case '*': return l * r;
        case '/': return l / r;
        default: return std::pow(l, r);
        }
    }
    double operator()(const Call& c) const
    {
        std::vector<double> a;
        for (auto& t : c.args) a.push_back(eval(t));
        if (c.function == "max" && !a.empty()) {
            double m = a[0];
            for (double x : a) m = std::max(m, x);
            return m;
        }
        if (c.function == "sqrt" && a.size() == 1) return std::sqrt(a[0]);
        throw std::runtime_error("no function " + c.function);
    }
    double eval(const Tree& t) const { return std::visit(*this, t->what); }
};
struct Printer {
    std::ostream& out;
    void operator()(const Number& n) { out << n.value; }
    void operator()(const Name& n) { out << n.name; }
    void operator()(const Binary& b)
    {
        out << '(';
        std::visit(*this, b.left->what);
        out << ' ' << b.op << ' ';
        std::visit(*this, b.right->what);
        out << ')';
    }
    void operator()(const Call& c)
    {
        out << c.function << '[';
        for (size_t i = 0; i < c.args.size(); i++) {
            if (i) out << ", ";
            std::visit(*this, c.args[i]->what);
        }
        out << ']';
    }
};

int main()
{
    std::map<std::string, double> names{{"x", 3}, {"pi", 3.141592653589793}};
    for (const char* text : {"1 + 2 * 3", "(1+2)*3 - -4", "2 ^ 3 ^ 2 / 2", "max(1, x, 2) * sqrt(16)", "2 * pi * x", "1 / 0", "(1", "y + 1", "1 $ 2", "foo()", ""}) {
        try {
            Tree t = Parser(text).parse();
            std::ostringstream out;
            Printer p{out};
            std::visit(p, t->what);
            std::cout << out.str() << " = ";
            std::cout << Evaluator{names}.eval(t) << '\n';
        } catch (const std::exception& e) {
            std::cout << "error: " << e.what() << '\n';
        }
    }
}
