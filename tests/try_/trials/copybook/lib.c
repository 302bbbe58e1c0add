#include "lib.h"
#include <stdlib.h>
#include <string.h>
copybook *copybook_write(const uint16_t *lines, size_t count)
{
    copybook *c = malloc(sizeof *c);
    c->count = count;
    c->lines = malloc((count + 1) * sizeof *lines);
    if (count > 0) memcpy(c->lines, lines, count * sizeof *lines);
    c->lines[count] = 0;
    return c;
}
void copybook_erase(copybook *c)
{
    memset(c->lines, 0, c->count * sizeof *c->lines);
    free(c->lines);
    free(c);
}
uint32_t copybook_sum(const copybook *c)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < c->count; i++) sum += c->lines[i];
    return sum;
}
const uint16_t *copybook_lines(const copybook *c, size_t *count)
{
    *count = c->count;
    return c->lines;
}
