// new[] with lists shorter than the array, of arrays; bits in std::vector<bool>.
#include <vector>
#include <cstdio>
#include <algorithm>
struct D {
    int k;
    D(int k = 7) : k(k) {
        printf("+%d ", k);
    }
    ~D() {
        printf("-%d ", k);
    }
};
int main() {
    std::vector<bool> a{1, 0, 1}, b(70, true), c(b), d;
    d = a;
    d.resize(130, true);
    d.insert(d.begin() + 2, 5, false);
    d.erase(d.begin());
    a.swap(d);
    for (int i = 0; i < 100; i++) c.push_back(i % 3 == 0);
    printf("%zu %td %td\n", a.size(), std::count(a.begin(), a.end(), true), std::count(c.begin(), c.end(), true));
    a.flip();
    a[3] = true;
    printf("%d %d\n", (int)a[3], (int)a.back());
    printf("%d\n", b == c);
    int n = 4;
    D* p = new D[n]{1, 2};
    puts("");
    delete[] p;
    puts("");
    D* q = new D[2]{3};
    delete[] q;
    puts("");
    D(*m)[2] = new D[2][2]{
        {
            1
        }
        , {2, 3}
    };
    delete[] m;
    puts("");
    int* z = new int[n]{5};
    printf("%d%d\n", z[0], z[3]);
    delete[] z;
    try {
        n = 1;
        new D[n]{1, 2};
    } catch (const std::exception& e) {
        printf("%s\n", e.what());
    }
}
