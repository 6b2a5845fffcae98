// Variable templates: variables and constants, specialised, as members.
#include <cstdio>
#include <string>
template <class T> T pi = T(3.14159265358979);
template <class T> constexpr T e = T(2.718281828);
template <class T> std::string name = "gen";
template <> std::string name<int> = "int";
template <int N> int arr[N] = {1, 2};
struct S {
    template <class T> static T zero;
};
template <class T> T S::zero = T(5);
template <class T> int counter = 0;
template <class T> void hit() {
    counter<T>++;
}
int main() {
    pi<double> += 1;
    printf("%g %g %d\n", pi<double>, pi<float>, pi<int>);
    printf("%g\n", e<double>);
    name<char> += "!";
    printf("%s %s %s\n", name<double>.c_str(), name<int>.c_str(), name<char>.c_str());
    arr<3>[2] = 7;
    printf("%d %d %zu\n", arr<3>[1], arr<3>[2], sizeof arr<4>);
    S::zero<int>++;
    printf("%d %g\n", S::zero<int>, S::zero<double>);
    hit<int>();
    hit<int>();
    hit<char>();
    printf("%d %d\n", counter<int>, counter<char>);
    int* p = &counter<int>;
    *p = 9;
    printf("%d\n", counter<int>);
}
