// Counts words of a text and prints the most frequent ones.
// stdin: It was the best of times, it was the worst of times,\nit was the age of wisdom... it was the age of foolishness\n
#include <algorithm>
#include <cctype>
#include <iomanip>
#include <iostream>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

int main()
{
    std::unordered_map<std::string, int> counts;
    std::string line, word;
    size_t lines = 0, chars = 0;
    while (std::getline(std::cin, line)) {
        ++lines;
        chars += line.size() + 1;
        for (char c : line + ' ') {
            if (std::isalpha(static_cast<unsigned char>(c))) {
                word += static_cast<char>(std::tolower(c));
            } else if (!word.empty()) {
                ++counts[word];
                word.clear();
            }
        }
    }
    std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second || (a.second == b.second && a.first < b.first); });
    std::cout << lines << " lines, " << chars << " characters, " << sorted.size() << " words\n";
    for (const auto& [w, n] : sorted) std::cout << std::left << std::setw(12) << w << std::right << std::setw(4) << n << ' ' << std::string(n, '*') << '\n';
    std::map<size_t, std::vector<std::string>> by_length;
    for (const auto& p : sorted) by_length[p.first.length()].push_back(p.first);
    for (auto& [len, words] : by_length) {
        std::cout << len << ':';
        for (auto& w : words) std::cout << ' ' << w;
        std::cout << '\n';
    }
}
