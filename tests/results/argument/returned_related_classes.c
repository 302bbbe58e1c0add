/* SPDX-License-Identifier: MIT */
#include "returned_related_classes.h"
#include <string.h>

int live;

image *image_new(int n)
{
    image *made = calloc(1, sizeof *made);

    live++;
    made->n = n;
    return made;
}
void image_free(image *m) { live--; free(m); }
image *image_largest(image *const *list, size_t n)
{
    image *found = n > 0 ? list[0] : image_new(0);

    for (size_t i = 1; i < n; i++) {
        found = list[i]->n > found->n ? list[i] : found;
    }
    return found;
}
int image_extremes(image *const *list, size_t n, image **least, image **most)
{
    *least = *most = n > 0 ? list[0] : NULL;
    for (size_t i = 0; i < n; i++) {
        *least = list[i]->n < (*least)->n ? list[i] : *least;
        *most = list[i]->n > (*most)->n ? list[i] : *most;
    }
    return 0;
}
image *image_inverted(image *m, int copies)
{
    image *const made = copies ? image_new(m->n) : m;

    made->v[0] = m->v[0] ^ 255;
    return made;
}
image *image_rows(image *m, int copies, int rows)
{
    (void)rows;
    return image_inverted(m, copies);
}
context *context_new(void) { live++; return calloc(1, sizeof(context)); }
void context_free(context *c) { live--; free(c); }
task *task_new(context *c)
{
    task *made = calloc(1, sizeof *made);

    live++;
    made->c = c;
    return made;
}
void task_free(task *t) { live--; t->c->calls++; free(t); }
context *task_flushed(context *c, task *t, int fresh)
{
    t->c->calls++;
    return fresh ? context_new() : c;
}
buffer buffer_make(size_t n)
{
    buffer made = {n > 0 ? calloc(1, n) : NULL, n};

    live++;
    return made;
}
void buffer_clear(buffer *b) { live--; free(b->v); b->v = NULL; }
buffer buffer_blank(buffer b) { memset(b.v, 0, b.n); return b; }
buffer buffer_blank_at(buffer *b) { b->n = 1; return *b; }
buffer buffer_copy(buffer b) { return buffer_make(b.n); }
file file_open(void) { return live++; }
void file_close(file f) { (void)f; live--; }
file file_dup2(file f, file to) { return f >= 0 ? to : file_open(); }
int file_first(file a, file b, file *first) { *first = a < b ? a : b; return 0; }
