// Formatting by streams, states, seeking in files, and what goes wrong.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

int main()
{
    std::cout << std::hex << std::showbase << std::uppercase << 255 << ' ' << std::oct << 8 << std::dec << std::noshowbase << '\n';
    std::cout << std::setfill('*') << std::setw(8) << std::left << 42 << '|' << std::right << std::setw(8) << -42 << '|'
              << std::internal << std::setw(8) << -42 << '|' << std::setfill(' ') << '\n';
    std::cout << std::fixed << std::setprecision(3) << 3.14159 << ' ' << 1e10 << ' ' << std::scientific << 12345.678 << ' '
              << std::hexfloat << 1.5 << ' ' << std::defaultfloat << 0.0001 << ' ' << 1e-5 << ' ' << 1e6 << ' ' << 123456789.0 << '\n';
    std::cout << std::setprecision(17) << 0.1 << ' ' << 0.1f << ' ' << 1.0L / 3 << std::setprecision(6) << '\n';
    std::cout << std::showpoint << 1.0 << ' ' << std::noshowpoint << 1.0 << ' ' << std::showpos << 5 << ' ' << 2.5 << std::noshowpos << '\n';
    std::cout << std::boolalpha << true << ' ' << false << std::noboolalpha << ' ' << true << '\n';
    std::cout << std::numeric_limits<double>::infinity() << ' ' << -std::numeric_limits<float>::infinity() << ' '
              << std::numeric_limits<double>::quiet_NaN() << ' ' << -0.0 << '\n';
    std::cout << std::quoted("say \"hi\" \\ there") << ' ' << std::quoted("a'b", '\'') << '\n';
    std::string unquoted;
    std::istringstream("\"one \\\"two\\\" three\" rest") >> std::quoted(unquoted);
    std::cout << unquoted << '\n';
    char c = 'x';
    const void *null = nullptr;
    std::cout << c << ' ' << static_cast<signed char>('y') << ' ' << static_cast<int>(c) << ' ' << null << ' ' << nullptr << '\n';
    std::cout << std::setw(10) << "text" << std::setw(3) << "longer" << std::setw(6) << 'c' << std::setw(7) << true << '\n';
    std::cout << std::setbase(16) << 31 << std::setbase(10) << ' ' << std::resetiosflags(std::ios::showbase) << 5 << '\n';

    std::istringstream in("12 0x1f 077 3.5e2 word   last line\nsecond");
    int i, h, o;
    double d;
    std::string w;
    in >> i >> std::hex >> h >> std::oct >> o >> std::dec >> d >> w;
    std::cout << i << ' ' << h << ' ' << o << ' ' << d << ' ' << w << '\n';
    std::string line;
    std::getline(in >> std::ws, line);
    std::cout << '[' << line << "] " << in.tellg() << '\n';
    in >> i;
    std::cout << in.fail() << in.bad() << in.eof() << '\n';
    in.clear();
    in >> w;
    std::cout << w << in.eof() << in.rdstate() << '\n';
    std::istringstream big("99999999999 300 -1");
    int over;
    big >> over;
    std::cout << over << big.fail() << '\n';
    big.clear();
    short s;
    unsigned u;
    big >> s >> u;
    std::cout << s << ' ' << u << '\n';
    std::istringstream chars("abc,def;x");
    char buf[10];
    chars.get(buf, 10, ',');
    std::cout << buf << ' ' << chars.gcount() << ' ' << static_cast<char>(chars.peek()) << '\n';
    chars.ignore(100, ';');
    std::cout << static_cast<char>(chars.get()) << chars.get() << '\n';
    std::istringstream list("1,2,3");
    std::vector<int> v;
    for (int x; list >> x;) {
        v.push_back(x);
        if (list.peek() == ',') list.ignore();
    }
    std::copy(v.begin(), v.end(), std::ostream_iterator<int>(std::cout, "; "));
    std::cout << v.size() << '\n';

    const char *name = "cudair_stream_states.tmp";
    {
        std::ofstream out(name, std::ios::binary);
        for (int k = 0; k < 100; k++) out.write(reinterpret_cast<const char *>(&k), sizeof k);
        std::cout << out.tellp() << '\n';
        out.seekp(40);
        int marker = -7;
        out.write(reinterpret_cast<const char *>(&marker), sizeof marker);
    }
    {
        std::fstream file(name, std::ios::in | std::ios::out | std::ios::binary);
        file.seekg(0, std::ios::end);
        std::cout << file.tellg() << ' ';
        file.seekg(-4, std::ios::cur);
        int last = 0, tenth = 0;
        file.read(reinterpret_cast<char *>(&last), 4);
        file.seekg(40, std::ios::beg);
        file.read(reinterpret_cast<char *>(&tenth), 4);
        std::cout << last << ' ' << tenth << ' ' << file.gcount() << '\n';
        file.seekp(0);
        file.put('Z');
        file.flush();
        file.seekg(0);
        std::cout << static_cast<char>(file.get()) << '\n';
        file.seekg(0, std::ios::end);
        file.read(reinterpret_cast<char *>(&last), 4);
        std::cout << file.eof() << file.fail() << file.gcount() << '\n';
    }
    {
        std::ofstream out(name, std::ios::app);
        out << "more\n";
    }
    std::ifstream whole(name, std::ios::binary);
    std::string all((std::istreambuf_iterator<char>(whole)), std::istreambuf_iterator<char>());
    std::cout << all.size() << ' ' << all.substr(all.size() - 5);
    whole.close();
    std::ifstream none("does/not/exist");
    std::cout << none.is_open() << !none << '\n';
    none.exceptions(std::ios::goodbit);
    try {
        none.exceptions(std::ios::failbit);
    } catch (const std::ios_base::failure &e) {
        std::cout << "failure\n";
    }
    std::remove(name);
    std::stringstream both;
    both << "a " << 1 << ' ' << 2.5;
    std::string t;
    int n;
    double x;
    both >> t >> n >> x;
    std::cout << t << n << x << both.str() << '\n';
    both.str("fresh");
    both.clear();
    both >> t;
    std::cout << t << '\n';
    std::ostringstream held;
    auto *before = std::cout.rdbuf(held.rdbuf());
    std::cout << "into the string";
    std::cout.rdbuf(before);
    std::cout << held.str().size() << '\n';
    std::ios state(nullptr);
    state.copyfmt(std::cout);
    std::cout << std::hex << 255 << ' ';
    std::cout.copyfmt(state);
    std::cout << 255 << '\n';
    std::cout.width(6);
    std::cout.fill('.');
    std::cout.precision(2);
    std::cout << 1.2345 << std::cout.flags() << '\n';
}
