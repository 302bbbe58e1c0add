#define _DEFAULT_SOURCE
#include "lib.h"
#include <stdlib.h>
#include <sys/mman.h>
enum { PAGE = 4096 };
vista *vista_open(size_t size)
{
    if (size == 0 || size > 1000000) return NULL;
    vista *v = malloc(sizeof *v);
    v->size = size;
    v->mapped = (size + PAGE - 1) / PAGE * PAGE;
    v->pixels = mmap(NULL, v->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (v->pixels == MAP_FAILED) {
        free(v);
        return NULL;
    }
    for (size_t i = 0; i < size; i++) v->pixels[i] = (uint8_t)(i % 200);
    return v;
}
size_t vista_bright(const vista *v)
{
    size_t bright = 0;
    for (size_t i = 0; i < v->size; i++) bright += v->pixels[i] > 100;
    return bright;
}
void vista_shut(vista *v)
{
    munmap(v->pixels, v->mapped);
    free(v);
}
