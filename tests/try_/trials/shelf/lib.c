#include "lib.h"
#include <stdlib.h>
#include <string.h>
struct shelf {
    int books, packed;
    int32_t *pages;
    book *all;
};
static void point(shelf *s)
{
    for (int i = 0; i < s->books; i++) s->all[i].pages = s->pages + (ptrdiff_t)i * s->all[i].count;
}
shelf *shelf_fill(int books, int pages)
{
    if (books < 1 || pages < 1 || books > 100 || pages > 100) return NULL;
    shelf *s = calloc(1, sizeof *s);
    s->books = books;
    s->pages = calloc((size_t)books * (size_t)pages, sizeof *s->pages);
    s->all = calloc((size_t)books, sizeof *s->all);
    for (int i = 0; i < books; i++) s->all[i].count = pages;
    point(s);
    return s;
}
book *shelf_book(shelf *s, int index) { return index >= 0 && index < s->books ? &s->all[index] : NULL; }
int shelf_pack(shelf *s)
{
    size_t size = (size_t)s->books * (size_t)s->all[0].count * sizeof *s->pages;
    int32_t *pages = malloc(size);
    memcpy(pages, s->pages, size);
    free(s->pages);
    s->pages = pages;
    point(s);
    return ++s->packed;
}
void shelf_free(shelf *s)
{
    free(s->pages);
    free(s->all);
    free(s);
}
