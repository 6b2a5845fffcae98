// A host array that is one element too short.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *numbers = malloc(4 * sizeof(int));
    for (int i = 0; i <= 4; i++) {
        numbers[i] = i; //~ ERROR out-of-bounds
    }
    free(numbers);
    return 0;
}
