// The start-up of a program with the headers that most programs include.
#include <iostream>
#include <vector>

int main() {
    std::vector<int> numbers{1, 2, 3};
    int sum = 0;
    for (int n : numbers) sum += n;
    std::cout << "sum " << sum << '\n';
}
