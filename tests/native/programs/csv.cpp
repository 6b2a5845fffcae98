// Reads a table of comma-separated values, groups and sums it, writes it sorted.
// stdin: name,team,points,weight\nann,red,10,52.5\nbob,blue,7,80\n"carl, jr",red,3,77.25\ndora,green,,61\neve,blue,12,58.75\n
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

std::vector<std::string> fields(const std::string& line)
{
    std::vector<std::string> out(1);
    bool quoted = false;
    for (char c : line) {
        if (c == '"') quoted = !quoted;
        else if (c == ',' && !quoted) out.emplace_back();
        else out.back() += c;
    }
    return out;
}
struct Row {
    std::string name, team;
    int points = 0;
    double weight = 0;
    bool operator<(const Row& o) const { return std::tie(team, o.points) < std::tie(o.team, points); }
};
std::istream& operator>>(std::istream& in, Row& r)
{
    std::string line;
    if (!std::getline(in, line)) return in;
    auto f = fields(line);
    if (f.size() != 4) {
        in.setstate(std::ios::failbit);
        return in;
    }
    r = Row{f[0], f[1], f[2].empty() ? 0 : std::stoi(f[2]), std::stod(f[3])};
    return in;
}

int main()
{
    std::string header;
    std::getline(std::cin, header);
    auto names = fields(header);
    std::vector<Row> rows;
    for (Row r; std::cin >> r;) rows.push_back(r);
    std::cout << rows.size() << " rows of " << names.size() << '\n';
    std::sort(rows.begin(), rows.end());
    std::map<std::string, std::vector<const Row*>> teams;
    for (const Row& r : rows) teams[r.team].push_back(&r);
    for (const auto& [team, members] : teams) {
        int total = std::accumulate(members.begin(), members.end(), 0, [](int s, const Row* r) { return s + r->points; });
        std::cout << std::left << std::setw(6) << team << std::right << std::setw(4) << total << " |";
        for (const Row* r : members) std::cout << ' ' << std::quoted(r->name) << '=' << std::fixed << std::setprecision(1) << r->weight;
        std::cout << std::defaultfloat << '\n';
    }
    auto heaviest = std::max_element(rows.begin(), rows.end(), [](auto& a, auto& b) { return a.weight < b.weight; });
    std::cout << heaviest->name << ' ' << heaviest->weight << '\n';
}
