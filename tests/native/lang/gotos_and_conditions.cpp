// A jump out of a statement ends what its head declares; one within it ends nothing of that.
#include <cstdio>
#include <vector>

struct Told {
    int n;
    explicit Told(int n) : n(n) { std::printf("begin %d\n", n); }
    ~Told() { std::printf("end %d\n", n); }
    explicit operator bool() const { return n > 0; }
};

static std::vector<int> make() { return {1, 2, 3}; }

static int leaves(int k) {
    switch (k) {
    case 0:
        while (Told t{1}) goto out;
        break;
    case 1:
        if (Told t{2}) goto out;
        break;
    case 2:
        for (Told t{3};;) goto out;
    case 3:
        switch (Told t{4}; k) {
        case 3: goto out;
        }
        break;
    case 4:
        for (int n : make()) {
            Told t{n};
            if (n == 2) goto out;
        }
    }
    std::puts("behind");
out:
    std::puts("out");
    return k;
}

// No braces but those of the conditions.
static void leaves_condition() {
    while (Told t{5}) goto out;
out:
    if (Told t{6}) goto behind;
behind:
    std::puts("behind both");
}

static int stays() {
    int sum = 0;
    for (int n : make()) {
        if (n == 2) goto next;
        sum += n;
    next:
        sum *= 2;
    }
    int turns = 3;
    while (int left = turns--) {
    again:
        if (left == 2) {
            left--;
            goto again;
        }
        sum += left;
    }
    if (int k = sum; k > 0) {
        if (k > 5) goto inside;
        k = 7;
    inside:
        sum += k;
    }
    switch (int k = sum; k & 1) {
    default:
        if (k) goto last;
        k = 1;
    last:
        sum += k;
    }
    return sum;
}

int main() {
    for (int k = 0; k < 6; k++) leaves(k);
    leaves_condition();
    std::printf("%d\n", stays());
}
