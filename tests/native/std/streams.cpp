// Output formats: bases, widths, fills, precisions, flags, manipulators; reading back what was written.
// stdin: 12 0x1f 3.5 word  another\nwhole line here\n-5 abc\n99999999999 7\n
#include <cmath>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>
#include <unistd.h>

struct Complex {
    double re, im;
};
std::ostream& operator<<(std::ostream& out, const Complex& c) { return out << '(' << c.re << (c.im < 0 ? "" : "+") << c.im << "i)"; }
std::istream& operator>>(std::istream& in, Complex& c)
{
    char open, close, i;
    return in >> open >> c.re >> c.im >> i >> close;
}

int main()
{
    std::cout << 1 << ' ' << -2L << ' ' << 3u << ' ' << 4ull << ' ' << 'c' << ' ' << "text" << ' ' << true << ' ' << 2.5f << ' ' << 1e100 << ' ' << 3.0L << '\n';
    short sh = -3;
    unsigned short us = 65535;
    unsigned char uc = 'u';
    signed char sc = 's';
    std::cout << sh << us << uc << sc << std::hex << ' ' << sh << ' ' << -1 << ' ' << 255 << ' ' << std::showbase << 255 << ' ' << std::uppercase << 0xabcdL << ' ' << 0 << std::nouppercase << ' ' << std::oct << 8 << std::noshowbase << ' ' << -1 << std::dec << '\n';
    for (double x : {0.0, -0.0, 1.0, 123456789.0, 0.000012345, 1e20, 3.14159265358979, -2.5})
        std::cout << x << ' ' << std::fixed << x << ' ' << std::scientific << x << ' ' << std::hexfloat << x << std::defaultfloat << '\n';
    std::cout << std::setprecision(3) << 3.14159 << ' ' << 1234567.0 << ' ' << std::fixed << 2.0005 << ' ' << std::setprecision(0) << 2.5 << ' ' << 3.5 << std::defaultfloat << ' ' << 7.7 << std::setprecision(12) << ' ' << 1.0 / 3 << std::setprecision(6) << '\n';
    std::cout << INFINITY << ' ' << -INFINITY << ' ' << std::nan("") << ' ' << std::showpoint << 5.0 << std::noshowpoint << ' ' << std::showpos << 5 << ' ' << 2.5 << ' ' << 0 << std::noshowpos << '\n';
    std::cout << '[' << std::setw(6) << 42 << "][" << std::left << std::setw(6) << 42 << "][" << std::internal << std::setw(6) << -42 << "][" << std::right << std::setfill('.') << std::setw(8) << "abc" << "][" << std::setw(3) << "longer" << "][" << std::setw(4) << 'x' << "][" << std::setw(9) << std::fixed << std::setprecision(2) << 3.14159 << "]" << std::setfill(' ') << std::defaultfloat << std::setprecision(6) << '\n';
    std::cout << std::boolalpha << true << false << std::setw(7) << true << std::noboolalpha << true << '\n';
    std::cout << std::internal << std::setfill('0') << std::hex << std::showbase << std::setw(10) << 255 << std::dec << std::noshowbase << std::setfill(' ') << std::right << ' ' << std::setbase(16) << 31 << std::setbase(10) << '\n';
    std::cout << Complex{1, -2} << Complex{0.5, 3} << std::quoted("a \"b\" \\c") << '\n';
    const char* nothing = "";
    std::cout << nothing << static_cast<const void*>(nullptr) << ' ' << std::cout.width() << std::cout.precision() << (std::cout.flags() & std::ios::dec ? "dec" : "") << std::cout.good() << '\n';

    int a, b;
    double d;
    std::string w, rest;
    std::cin >> a >> std::hex >> b >> std::dec >> d >> w;
    std::getline(std::cin, rest);
    std::cout << a << ' ' << b << ' ' << d << ' ' << w << '|' << rest << "|\n";
    std::getline(std::cin, rest);
    std::cout << rest << ' ' << std::cin.gcount() << '\n';
    std::cin >> a >> b;
    std::cout << a << ' ' << b << ' ' << std::cin.fail() << std::cin.eof() << std::cin.bad() << !std::cin << '\n';
    std::cin.clear();
    std::cin.ignore(100, '\n');
    std::cin >> a;
    std::cout << a << std::cin.fail() << '\n';
    std::cin.clear();
    std::cin >> b >> b;
    std::cout << b << std::cin.eof() << std::cin.fail() << '\n';

    std::ostringstream out;
    out << "n=" << 5 << ' ' << std::setw(5) << std::setfill('#') << 1.5;
    out.put('!').write("raw bytes", 3);
    std::cout << out.str() << ' ' << out.tellp() << '\n';
    out.str("");
    out << "again";
    std::cout << out.str() << '\n';
    std::istringstream in("3 4.5 (1+2i) name 0x10 010 99 true x");
    int n;
    double f;
    Complex z;
    std::string name;
    bool flag;
    int x, y, q;
    in >> n >> f >> z >> name >> std::setbase(0) >> x >> y >> q >> std::dec >> std::boolalpha >> flag;
    std::cout << n << ' ' << f << ' ' << z << ' ' << name << ' ' << x << ' ' << y << ' ' << q << ' ' << flag << ' ' << in.good() << '\n';
    char c;
    in >> c;
    std::cout << c << in.eof() << (in.get() == EOF) << in.eof() << in.fail() << '\n';
    std::stringstream both("one two");
    both >> name;
    both.seekg(0);
    both.seekp(0, std::ios::end);
    both << " three";
    while (both >> name) std::cout << '<' << name << '>';
    both.clear();
    both.str("5 6 x 7");
    int sum = 0;
    while (both >> n) sum += n;
    std::cout << sum << both.fail() << '\n';
    std::istringstream lines("a,b;c\nsecond\n\nlast");
    std::string line;
    int count = 0;
    while (std::getline(lines, line)) std::cout << ++count << line << '|';
    std::istringstream chars("ab c");
    std::cout << static_cast<char>(chars.peek()) << static_cast<char>(chars.get());
    chars.unget();
    chars.get(c);
    std::cout << c;
    chars.ignore(1);
    chars >> std::noskipws >> c;
    std::cout << '"' << c << '"' << '\n';

    // A file of the process's own: the program may run twice at a time.
    const std::string path = "/tmp/cudair_native_" + std::to_string(getpid()) + ".txt";
    {
        std::ofstream file(path);
        file << "first " << 1 << '\n' << std::setw(5) << 2 << std::endl << "third line\n";
        std::cout << file.is_open() << file.good() << '\n';
    }
    {
        std::ifstream file(path);
        while (std::getline(file, line)) std::cout << line.size() << line << ';';
        file.clear();
        file.seekg(6);
        file >> n;
        std::cout << n << ' ' << file.tellg() << '\n';
    }
    {
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::app);
        file << "appended";
        file.seekg(0);
        std::string all((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        std::cout << all.size() << all.substr(all.size() - 8) << '\n';
    }
    std::ifstream missing("/nonexistent/file");
    std::cout << missing.is_open() << !missing << '\n';
    std::remove(path.c_str());
    std::clog << "";
    std::cout << "done" << std::flush << std::endl;
}
