// C++: a template class with an indexed array, operators on small structs, references.
#include "host.h"

template <typename T> class Array {
    T *items;
    size_t count;
    size_t room;

public:
    Array() : items(nullptr), count(0), room(0) {}
    ~Array() { free(items); }
    void push(const T &item)
    {
        if (count == room) {
            room = room ? 2 * room : 8;
            items = (T *)realloc(items, room * sizeof(T));
        }
        items[count++] = item;
    }
    T &operator[](size_t i) { return items[i]; }
    const T &operator[](size_t i) const { return items[i]; }
    size_t size() const { return count; }
    const T *begin() const { return items; }
    const T *end() const { return items + count; }
};

struct Vec3 {
    float x, y, z;
    Vec3(float x, float y, float z) : x(x), y(y), z(z) {}
    Vec3 operator+(const Vec3 &o) const { return Vec3(x + o.x, y + o.y, z + o.z); }
    Vec3 operator*(float f) const { return Vec3(x * f, y * f, z * f); }
    float dot(const Vec3 &o) const { return x * o.x + y * o.y + z * o.z; }
};

template <typename T> static T product(const Array<T> &a, const Array<T> &b)
{
    T sum = 0;
    for (size_t i = 0; i < a.size(); i++)
        sum += a[i] * b[i];
    return sum;
}

template <typename T> static void swap_items(T &a, T &b)
{
    T t = a;
    a = b;
    b = t;
}

int main()
{
    const int n = 1000000;
    Array<float> a, b;
    host_begin();
    for (int i = 0; i < n; i++) {
        a.push((float)(host_random() % 16));
        b.push((float)(host_random() % 16));
    }
    double p = 0;
    for (int i = 0; i < 4; i++)
        p += product(a, b);
    for (int i = 0; i + 1 < n; i += 2)
        swap_items(a[i], b[i + 1]);
    double total = 0;
    for (const float *it = b.begin(); it != b.end(); ++it)
        total += *it;
    Vec3 v(0, 0, 0);
    for (int i = 0; i + 2 < n; i++)
        v = v * 0.5f + Vec3(a[i], a[i + 1], a[i + 2]);
    host_end();
    printf("%.0f %.0f %.6f\n", p, total, v.dot(v));
    return 0;
}
