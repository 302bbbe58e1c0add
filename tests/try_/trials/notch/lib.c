#include "lib.h"
#include <stdlib.h>
notch *notch_file(int count)
{
    if (count > 1000) return NULL;
    notch *n = malloc(sizeof *n);
    n->count = count;
    n->depths = malloc((size_t)count * sizeof *n->depths);
    if (n->depths == NULL) {
        free(n);
        return NULL;
    }
    for (int i = 0; i < count - 1; i++) n->depths[i] = i;
    n->depths[count - 1] = 10 * count;
    return n;
}
int notch_deepest(const notch *n) { return n->depths[n->count - 1]; }
void notch_free(notch *n)
{
    free(n->depths);
    free(n);
}
