// Accounts with exceptions: a small class hierarchy, transactions that fail and are undone, RAII guards.
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

class InsufficientFunds : public std::runtime_error {
    double missing_;

public:
    InsufficientFunds(const std::string& who, double missing) : std::runtime_error("insufficient funds: " + who), missing_(missing) {}
    double missing() const { return missing_; }
};
class Account {
protected:
    std::string owner_;
    double balance_ = 0;

public:
    explicit Account(std::string owner, double start = 0) : owner_(std::move(owner)), balance_(start) {}
    virtual ~Account() = default;
    virtual void withdraw(double x)
    {
        if (x > balance_) throw InsufficientFunds(owner_, x - balance_);
        balance_ -= x;
    }
    void deposit(double x)
    {
        if (x <= 0) throw std::invalid_argument("deposit of " + std::to_string(x));
        balance_ += x;
    }
    double balance() const { return balance_; }
    virtual std::string describe() const
    {
        std::ostringstream out;
        out << owner_ << ": " << balance_;
        return out.str();
    }
};
class Credit : public Account {
    double limit_;

public:
    Credit(std::string owner, double limit) : Account(std::move(owner)), limit_(limit) {}
    void withdraw(double x) override
    {
        if (x > balance_ + limit_) throw InsufficientFunds(owner_, x - balance_ - limit_);
        balance_ -= x;
    }
    std::string describe() const override { return Account::describe() + " (limit " + std::to_string(static_cast<int>(limit_)) + ")"; }
};
struct Undo {
    Account& a;
    double amount;
    bool armed = true;
    ~Undo()
    {
        if (armed) a.deposit(amount), std::cout << "  undone\n";
    }
};
class Bank {
    std::map<std::string, std::unique_ptr<Account>> accounts_;

public:
    template <class A, class... Args>
    void open(const std::string& name, Args&&... args) { accounts_[name] = std::make_unique<A>(name, std::forward<Args>(args)...); }
    Account& at(const std::string& name)
    {
        auto it = accounts_.find(name);
        if (it == accounts_.end()) throw std::out_of_range("no account " + name);
        return *it->second;
    }
    void transfer(const std::string& from, const std::string& to, double x)
    {
        Account& source = at(from);
        source.withdraw(x);
        Undo undo{source, x};
        at(to).deposit(x);
        undo.armed = false;
    }
    void print() const
    {
        for (auto& [name, a] : accounts_) std::cout << "  " << a->describe() << '\n';
    }
};

int main()
{
    Bank bank;
    bank.open<Account>("ann", 100.0);
    bank.open<Account>("bob", 20.5);
    bank.open<Credit>("carl", 50.0);
    struct Order {
        const char *from, *to;
        double x;
    };
    for (const Order& o : std::vector<Order>{{"ann", "bob", 30}, {"bob", "ann", 500}, {"carl", "ann", 40}, {"carl", "bob", 40}, {"ann", "dora", 5}, {"eve", "ann", 1}}) {
        std::cout << o.from << " -> " << o.to << ' ' << o.x << '\n';
        try {
            bank.transfer(o.from, o.to, o.x);
        } catch (const InsufficientFunds& e) {
            std::cout << "  " << e.what() << ", missing " << e.missing() << '\n';
        } catch (const std::logic_error& e) {
            std::cout << "  error: " << e.what() << '\n';
        }
    }
    bank.print();
    std::vector<int> v{1, 2, 3};
    try {
        std::cout << v.at(2) << v.at(3);
    } catch (std::exception& e) {
        std::cout << "\n" << e.what() << '\n';
    }
    try {
        std::cout << std::stoi("not a number");
    } catch (const std::invalid_argument& e) {
        std::cout << e.what() << '\n';
    }
    try {
        std::string s("abc");
        s.substr(10);
    } catch (const std::out_of_range&) {
        std::cout << "out of range\n";
    }
}
