// Functions for text that write over what they read. Near misses: ranges that touch, and texts that end before.
// revisions: copy end part joined joined_part formatted format bounded fine
#include <stdio.h>
#include <string.h>

int main(void) {
    char s[32] = "abcdef", t[32] = "xyz";
#if defined REV_copy
    strcpy(s, s + 1); //[copy]~ ERROR undefined-behavior: the call writes 6 bytes over the 6 that it reads
#elif defined REV_end
    stpcpy(s + 6, s); //[end]~ ERROR undefined-behavior
#elif defined REV_part
    strncpy(s + 3, s, 4); //[part]~ ERROR undefined-behavior
#elif defined REV_joined
    strcat(s, s + 2); //[joined]~ ERROR undefined-behavior
#elif defined REV_joined_part
    strncat(s, s, 7); //[joined_part]~ ERROR undefined-behavior
#elif defined REV_formatted
    sprintf(s, "%s%s", s, t); //[formatted]~ ERROR undefined-behavior
#elif defined REV_format
    sprintf(t + 1, t); //[format]~ ERROR undefined-behavior
#elif defined REV_bounded
    snprintf(s, sizeof s, "<%.2s>", s + 1); //[bounded]~ ERROR undefined-behavior
#else
    strncpy(s + 3, s, 3);     // abcabc
    strncat(s, s, 3);         // abcabcabc
    strcpy(s + 16, s);
    strcpy(s, s + 17);        // the text begins behind what is written
    snprintf(s, 3, "%.2s", s + 5);
    snprintf(s, 0, "%s", s);
    sprintf(t, "abc%.0s", t + 1);
    sprintf(s + 4, "%.3s", s + 8);
    printf("%s %s %s\n", s, s + 4, s + 16);
#endif
    return 0;
}
