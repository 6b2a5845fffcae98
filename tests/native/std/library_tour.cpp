// Streams, containers, algorithms, random numbers: many of each, in short.
#include <iostream>
#include <sstream>
#include <fstream>
#include <iomanip>
#include <string>
#include <vector>
#include <map>
#include <set>
#include <unordered_map>
#include <deque>
#include <list>
#include <queue>
#include <stack>
#include <algorithm>
#include <numeric>
#include <iterator>
#include <random>
#include <chrono>
#include <bitset>
#include <complex>
#include <forward_list>
#include <cctype>
#include <limits>
using namespace std;
struct P {
    string n;
    int a;
    bool operator<(const P& o) const {
        return tie(a, n) < tie(o.a, o.n);
    }
    friend ostream& operator<<(ostream& o, const P& p) {
        return o << '{' << p.n << ',' << p.a << '}';
    }
    friend istream& operator>>(istream& i, P& p) {
        return i >> p.n >> p.a;
    }
};
template <class C> void show(const C& c) {
    copy(c.begin(), c.end(), ostream_iterator<typename C::value_type>(cout, " "));
    cout << '\n';
}
int main() {
    ios::sync_with_stdio(false);
    cout << setprecision(10) << 3.14159265358979 << ' ' << 1e10 << ' ' << 1e-5 << ' ' << 100000.0 << ' ' << 1234567.0 << ' ' << 0.1f << ' ' << 1.0 << '\n';
    cout << fixed << setprecision(2) << 2.675 << ' ' << 1e10 << ' ' << -0.001 << scientific << ' ' << 12345.6789 << defaultfloat << ' ' << 2.5 << '\n';
    cout << hex << 255 << ' ' << oct << 8 << ' ' << dec << showpos << 5 << noshowpos << ' ' << boolalpha << true << noboolalpha << false << ' ' << (void*)0 << ' ' << 'c' << ' ' << (int)'c' << ' ' << (unsigned char)65 << ' ' << (signed char)66 << '\n';
    cout << setw(6) << 42 << '|' << left << setw(6) << 42 << '|' << right << setfill('0') << setw(6) << -42 << '|' << internal << setw(6) << -42 << setfill(' ') << right << '|' << setw(10) << "str" << '|' << setw(3) << "long" << '\n';
    cout << numeric_limits<double>::max() << ' ' << numeric_limits<double>::infinity() << ' ' << -numeric_limits<double>::quiet_NaN() << ' ' << numeric_limits<long long>::min() << '\n';
    cout << hexfloat << 1.5 << defaultfloat << ' ' << showpoint << 2.0 << noshowpoint << ' ' << uppercase << hex << 0xabc << nouppercase << dec << '\n';
    istringstream in("10 3.5 word {x} 0x1f\nline two\n\nlast");
    int a;
    double d;
    string w;
    char c;
    in >> a >> d >> w >> c;
    cout << a << d << w << c << '\n';
    string line;
    getline(in, line);
    cout << '[' << line << "]\n";
    while (getline(in, line)) cout << '<' << line << '>';
    cout << in.eof() << in.fail() << in.bad() << '\n';
    istringstream bad("abc 5");
    int n = 7;
    bad >> n;
    cout << n << bad.fail();
    bad.clear();
    string s;
    bad >> s >> n;
    cout << s << n << '\n';
    istringstream hx("ff 077 0x10");
    int h, o, x;
    hx >> hex >> h >> oct >> o >> setbase(0) >> x;
    cout << h << ' ' << o << ' ' << x << '\n';
    istringstream ov("99999999999 3");
    ov >> n;
    cout << n << ov.fail() << '\n';
    istringstream ps("ann 30 bob 20");
    vector<P> people{istream_iterator<P>(ps), {}};
    sort(people.begin(), people.end());
    show(people);
    istringstream sk("a,b;c");
    getline(sk, s, ',');
    cout << s;
    sk.ignore(10, ';');
    cout << (char)sk.peek() << (char)sk.get();
    cout << sk.get() << sk.eof() << '\n';
    stringstream ss;
    ss << 1 << ' ' << 2.5 << " x";
    ss.seekg(2);
    ss >> d;
    cout << d << ss.tellg() << ss.str().size() << '\n';
    cout << in.rdstate() << (in ? 1 : 0) << (!in) << '\n';
    ostringstream os;
    os << "pad" << setw(5) << 1;
    os.str("");
    os << "new";
    cout << os.str() << '\n';
    istringstream ch("x y");
    noskipws(ch);
    ch >> c >> c;
    cout << '[' << c << ']' << '\n';
    bool bl;
    istringstream("true") >> boolalpha >> bl;
    cout << bl << '\n';
    map<string, vector<int>> m;
    m["b"].push_back(1);
    m["a"] = {3, 4};
    m.emplace("c", vector<int>(2, 9));
    for (auto& [k, v] : m) {
        cout << k << ':';
        for (int i : v) cout << i;
        cout << ' ';
    }
    cout << m.count("z") << m.lower_bound("b")->first << '\n';
    multimap<int, char> mm{{1, 'a'}, {1, 'b'}, {0, 'c'}};
    auto er = mm.equal_range(1);
    for (auto it = er.first; it != er.second; ++it) cout << it->second;
    mm.erase(1);
    cout << mm.size() << '\n';
    set<int, greater<int>> st{3, 1, 2, 3};
    show(st);
    cout << *st.begin() << st.insert(2).second << '\n';
    unordered_map<string, int> um{{"x", 1}};
    um["y"]++;
    ++um["y"];
    int tot = 0;
    for (auto& kv : um) tot += kv.second;
    cout << tot << um.at("y") << '\n';
    try {
        um.at("q");
    } catch (const out_of_range& e) {
        cout << e.what() << '\n';
    }
    priority_queue<int, vector<int>, greater<>> pq;
    for (int i : {5, 1, 3}) pq.push(i);
    cout << pq.top();
    pq.pop();
    cout << pq.top() << '\n';
    stack<int> sta;
    sta.push(1);
    sta.push(2);
    cout << sta.top() << sta.size() << '\n';
    deque<int> dq{1, 2, 3};
    dq.push_front(0);
    dq.pop_back();
    show(dq);
    list<int> l{3, 1, 2};
    l.sort();
    l.reverse();
    l.remove(2);
    l.splice(l.begin(), list<int>{7, 8});
    show(l);
    forward_list<int> fl{1, 2};
    fl.push_front(0);
    fl.insert_after(fl.begin(), 9);
    show(fl);
    vector<int> v(10);
    iota(v.begin(), v.end(), 1);
    rotate(v.begin(), v.begin() + 3, v.end());
    show(v);
    partial_sort(v.begin(), v.begin() + 3, v.end(), greater<>());
    cout << v[0] << v[2];
    nth_element(v.begin(), v.begin() + 5, v.end());
    cout << v[5];
    sort(v.begin(), v.end());
    cout << binary_search(v.begin(), v.end(), 7) << (lower_bound(v.begin(), v.end(), 4) - v.begin()) << accumulate(v.begin(), v.end(), 0) << inner_product(v.begin(), v.end(), v.begin(), 0) << '\n';
    v.erase(remove_if(v.begin(), v.end(), [](int i) { return i % 3 == 0; }), v.end());
    show(v);
    vector<int> ps2(v.size());
    partial_sum(v.begin(), v.end(), ps2.begin());
    show(ps2);
    auto mmx = minmax_element(v.begin(), v.end());
    cout << *mmx.first << *mmx.second << count_if(v.begin(), v.end(), [](int i) { return i & 1; }) << all_of(v.begin(), v.end(), [](int i) { return i > 0; }) << '\n';
    string p = "abc";
    do cout << p << ' ';
    while (next_permutation(p.begin(), p.end()));
    cout << '\n';
    vector<int> u1{1, 2, 3, 4}, u2{3, 4, 5}, r;
    set_intersection(u1.begin(), u1.end(), u2.begin(), u2.end(), back_inserter(r));
    set_union(u1.begin(), u1.end(), u2.begin(), u2.end(), back_inserter(r));
    show(r);
    r.erase(unique(r.begin(), r.end()), r.end());
    stable_partition(r.begin(), r.end(), [](int i) { return i > 3; });
    show(r);
    transform(r.begin(), r.end(), r.begin(), [](int i) { return i * i; });
    reverse(r.begin(), r.end());
    show(r);
    make_heap(r.begin(), r.end());
    pop_heap(r.begin(), r.end());
    cout << r.back() << is_sorted(r.begin(), r.end()) << '\n';
    vector<bool> vb{1, 0, 1};
    vb.flip();
    vb.push_back(true);
    for (bool x : vb) cout << x;
    cout << '\n';
    mt19937 g(42);
    uniform_int_distribution<> ud(1, 6);
    normal_distribution<> nd(0, 1);
    uniform_real_distribution<float> uf(0, 1);
    cout << g() << ' ' << ud(g) << ud(g) << ' ' << nd(g) << ' ' << uf(g) << '\n';
    shuffle(u1.begin(), u1.end(), g);
    show(u1);
    discrete_distribution<> dd{1, 2, 3};
    bernoulli_distribution bd(0.3);
    poisson_distribution<> pd(4);
    exponential_distribution<> ed(1);
    cout << dd(g) << bd(g) << pd(g) << ' ' << ed(g) << '\n';
    mt19937_64 g6(7);
    cout << g6() << '\n';
    default_random_engine de(3);
    cout << de() << '\n';
    string t = "Hello, World";
    transform(t.begin(), t.end(), t.begin(), ::toupper);
    cout << t << t.find("WOR") << t.substr(7, 3) << t.rfind('L') << t.find_first_of("AEIOU") << '\n';
    t.replace(0, 5, "BYE").insert(3, "!").append(3, '.').erase(1, 1);
    cout << t << t.compare("Z") << '\n';
    cout << complex<double>(1, 2) * complex<double>(0, 1) << abs(complex<double>(3, 4)) << '\n';
    cout << bitset<8>(0xA5) << ' ' << (bitset<8>("1100") ^ bitset<8>(5)) << '\n';
    chrono::milliseconds ms(1500);
    cout << chrono::duration_cast<chrono::seconds>(ms).count() << chrono::duration<double>(ms).count() << '\n';
    ofstream of("cudair_native_stream.tmp");
    of << "1 2\nthree\n";
    of.close();
    ifstream f("cudair_native_stream.tmp");
    int i1, i2;
    f >> i1 >> i2 >> s;
    cout << i1 + i2 << s << f.good();
    f.seekg(0, ios::end);
    cout << f.tellg() << '\n';
    remove("cudair_native_stream.tmp");
    ifstream none("nope");
    cout << none.is_open() << !none << '\n';
    cerr << "err " << 5 << endl;
    cout << "done" << endl;
    return 0;
}
