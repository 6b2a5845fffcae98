// std::string: building, searching, changing, converting, comparing.
#include <algorithm>
#include <cctype>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

std::vector<std::string> split(const std::string& text, char sep)
{
    std::vector<std::string> parts;
    std::string::size_type from = 0, to;
    while ((to = text.find(sep, from)) != std::string::npos) {
        parts.push_back(text.substr(from, to - from));
        from = to + 1;
    }
    parts.push_back(text.substr(from));
    return parts;
}

std::string trim(std::string s)
{
    s.erase(s.begin(), std::find_if(s.begin(), s.end(), [](unsigned char c) { return !std::isspace(c); }));
    s.erase(std::find_if(s.rbegin(), s.rend(), [](unsigned char c) { return !std::isspace(c); }).base(), s.end());
    return s;
}

std::string upper(std::string s)
{
    std::transform(s.begin(), s.end(), s.begin(), ::toupper);
    return s;
}

int main()
{
    std::string a, b("bee"), c(5, 'c'), d(b), e("a longer text that does not fit the short buffer", 20), f = b + "!" + c;
    std::cout << a.empty() << b << c << d << '|' << e << '|' << f << ' ' << f.length() << '\n';
    a = "x";
    for (int i = 0; i < 40; i++) a += static_cast<char>('a' + i % 26);
    a.append("123").append(2, '-').append(b, 1, 2).append(c.begin(), c.end());
    std::cout << a << ' ' << a.size() << '\n';
    a.insert(3, "<<").insert(0, 2, '#').replace(5, 4, "REPLACED").erase(1, 1);
    std::cout << a << ' ' << a[4] << a.at(5) << a.front() << a.back() << '\n';
    std::cout << a.find("REP") << ' ' << a.find('z') << ' ' << a.rfind('a') << ' ' << (a.find("none") == std::string::npos)
              << ' ' << a.find_first_of("xyz") << ' ' << a.find_last_of("0123456789") << ' ' << a.find_first_not_of("#x") << ' '
              << a.find_last_not_of("c") << '\n';
    std::cout << b.compare("bee") << (b < c) << (b == "bee") << ("bee" != b) << (b >= d) << ' ' << b.compare(1, 2, "ee") << '\n';
    std::cout << std::to_string(42) << std::to_string(-7L) << ' ' << std::to_string(3.5) << ' ' << std::to_string(123456789012ULL) << '\n';
    std::cout << std::stoi("123abc") + std::stol("-20") << ' ' << std::stod("2.5e3") << ' ' << std::stoi("ff", nullptr, 16) << ' '
              << std::stoul("777", nullptr, 8) << ' ' << std::stof("0.25") << '\n';
    size_t used = 0;
    int n = std::stoi("  77 bottles", &used);
    std::cout << n << ' ' << used << '\n';
    for (auto& part : split("one,two,,three", ',')) std::cout << '[' << part << ']';
    std::cout << '\n' << '<' << trim("  padded text \t\n") << '>' << upper("mixed Case 1") << '\n';
    std::string r(f.rbegin(), f.rend());
    std::sort(r.begin(), r.end());
    std::cout << r << ' ' << std::count(r.begin(), r.end(), 'c') << '\n';
    r.resize(3);
    r.resize(6, '*');
    r.push_back('$');
    r.pop_back();
    std::cout << r << ' ' << r.substr(2) << ' ' << r.c_str() << '\n';
    std::string moved = std::move(a);
    std::cout << moved.size() << ' ' << a.size() << '\n';
    swap(b, c);
    std::cout << b << c << '\n';
    char buffer[8] = {};
    moved.copy(buffer, 5, 2);
    std::cout << buffer << '\n';
    std::string_view v = moved;
    v.remove_prefix(3);
    std::cout << v.substr(0, 8) << ' ' << v.find("PLA") << ' ' << (v == "x") << '\n';
}
