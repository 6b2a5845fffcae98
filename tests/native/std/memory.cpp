// unique_ptr, shared_ptr, weak_ptr: ownership, deleters, arrays, casts, trees and cycles that are cut.
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

struct Shape {
    virtual ~Shape() { std::cout << "~Shape "; }
    virtual double area() const = 0;
};
struct Square : Shape {
    double side;
    explicit Square(double s) : side(s) { std::cout << "Square "; }
    ~Square() override { std::cout << "~Square "; }
    double area() const override { return side * side; }
};
struct Circle : Shape {
    double r;
    explicit Circle(double r) : r(r) {}
    double area() const override { return 3 * r * r; }
};
struct Node {
    int value;
    std::unique_ptr<Node> left, right;
    explicit Node(int v) : value(v) {}
};
void insert(std::unique_ptr<Node>& at, int v)
{
    if (!at) at = std::make_unique<Node>(v);
    else insert(v < at->value ? at->left : at->right, v);
}
int depth(const std::unique_ptr<Node>& n) { return n ? 1 + std::max(depth(n->left), depth(n->right)) : 0; }
void walk(const Node* n, std::ostream& out)
{
    if (!n) return;
    walk(n->left.get(), out);
    out << n->value << ' ';
    walk(n->right.get(), out);
}
struct Person : std::enable_shared_from_this<Person> {
    std::string name;
    std::vector<std::shared_ptr<Person>> children;
    std::weak_ptr<Person> parent;
    explicit Person(std::string n) : name(std::move(n)) {}
    ~Person() { std::cout << "bye " << name << ' '; }
    void adopt(std::shared_ptr<Person> c)
    {
        c->parent = shared_from_this();
        children.push_back(std::move(c));
    }
};
struct Close {
    void operator()(int* p) const { std::cout << "close " << *p << ' '; delete p; }
};

int main()
{
    {
        std::vector<std::unique_ptr<Shape>> shapes;
        shapes.push_back(std::make_unique<Square>(3));
        shapes.emplace_back(new Circle(2));
        shapes.push_back(std::unique_ptr<Shape>(new Square(1)));
        double total = 0;
        for (auto& s : shapes) total += s->area();
        std::cout << total << '\n';
        std::unique_ptr<Shape> taken = std::move(shapes[1]);
        std::cout << (shapes[1] == nullptr) << taken->area() << '\n';
        shapes.erase(shapes.begin());
        taken.reset();
        taken.reset(new Square(9));
        delete taken.release();
        std::cout << '\n';
    }
    std::cout << '\n';
    std::unique_ptr<Node> root;
    for (int v : {50, 30, 70, 20, 40, 60, 80, 10}) insert(root, v);
    walk(root.get(), std::cout);
    std::cout << depth(root) << '\n';
    {
        auto grandma = std::make_shared<Person>("grandma");
        auto mother = std::make_shared<Person>("mother");
        grandma->adopt(mother);
        mother->adopt(std::make_shared<Person>("child"));
        std::cout << mother->parent.lock()->name << mother.use_count() << grandma.use_count() << mother->children[0]->parent.lock()->name << '\n';
        std::weak_ptr<Person> gone;
        {
            auto brief = std::make_shared<Person>("brief");
            gone = brief;
            std::cout << gone.expired() << ' ';
        }
        std::cout << gone.expired() << (gone.lock() == nullptr) << '\n';
    }
    std::cout << '\n';
    {
        std::unique_ptr<int, Close> custom(new int(5));
        std::unique_ptr<int, std::function<void(int*)>> function(new int(6), [](int* p) { std::cout << "fn " << *p << ' '; delete p; });
        std::shared_ptr<int> shared(new int(7), [](int* p) { std::cout << "lambda " << *p << ' '; delete p; });
        auto again = shared;
        std::unique_ptr<int[]> array = std::make_unique<int[]>(10);
        for (int i = 0; i < 10; i++) array[i] = i;
        std::cout << array[9] << shared.use_count() << shared.unique() << '\n';
        std::shared_ptr<Shape> shape = std::make_shared<Square>(4);
        std::shared_ptr<Square> square = std::static_pointer_cast<Square>(shape);
        std::shared_ptr<double> side(square, &square->side);
        shape.reset();
        square.reset();
        std::cout << *side << side.use_count() << '\n';
        std::shared_ptr<int> moved = std::move(again);
        std::cout << (again ? 1 : 0) << *moved << (moved == shared) << (moved < shared) << '\n';
        std::vector<std::shared_ptr<int>> many(3, moved);
        std::cout << moved.use_count() << '\n';
    }
    std::cout << std::endl;
}
