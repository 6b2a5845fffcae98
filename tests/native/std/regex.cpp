// std::regex: matching, searching, replacing, iterators, errors.
#include <regex>
#include <iostream>
#include <string>
int main() {
    std::string s = "The year 1999 and 2024, mail a.b@c.org or x@y.com";
    std::regex num("(\\d{4})");
    for (std::sregex_iterator it(s.begin(), s.end(), num), e; it != e; ++it) std::cout << it->str() << " at " << it->position() << "\n";
    std::smatch m;
    if (std::regex_search(s, m, std::regex("([\\w.]+)@([\\w.]+)"))) std::cout << m[1] << " " << m[2] << " " << m.prefix().length() << "\n";
    std::cout << std::regex_match("abc123", std::regex("[a-z]+[0-9]+")) << std::regex_match("abc", std::regex("[a-z]+[0-9]+")) << "\n";
    std::cout << std::regex_replace(s, num, "<$1>") << "\n";
    std::regex ic("THE", std::regex::icase);
    std::cout << std::regex_search(s, ic) << "\n";
    try {
        std::regex bad("(unclosed");
    } catch (const std::regex_error& e) {
        std::cout << "error " << (e.code() == std::regex_constants::error_paren) << " " << e.what() << "\n";
    }
    std::regex ws("\\s+");
    std::sregex_token_iterator t(s.begin(), s.end(), ws, -1), te;
    int n = 0;
    for (; t != te; ++t) n++;
    std::cout << n << "\n";
    std::regex alt("(a|b)*c");
    std::cout << std::regex_match("ababc", alt) << "\n";
    std::regex back("(\\w)\\1");
    std::smatch mm;
    std::string q = "hello";
    std::regex_search(q, mm, back);
    std::cout << mm.str() << "\n";
}
