#include "lib.h"
#include <stdio.h>
#include <stdlib.h>
static const char *const lines[] = {"measure twice", "cut once", "sand the edges", "oil the wood"};
enum { LINES = sizeof lines / sizeof *lines, LONGEST = 24 };
char *motto_line(int number)
{
    if (number < 0 || number >= LINES) return NULL;
    char *text = malloc(LONGEST);
    if (text != NULL) snprintf(text, LONGEST, "%d: %s", number + 1, lines[number]);
    return text;
}
int motto_lines(void) { return LINES; }
