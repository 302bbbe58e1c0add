/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
typedef struct image { unsigned char v[16]; int n; } image;
typedef struct context { int calls; } context;
typedef struct task { context *c; } task;
typedef struct buffer { char *v; size_t n; } buffer;
typedef int file;
extern int live;
image *image_new(int n);
void image_free(image *m);
image *image_largest(image *const *list, size_t n);
int image_extremes(image *const *list, size_t n, image **least, image **most);
image *image_inverted(image *m, int copies);
image *image_rows(image *m, int copies, int rows);
context *context_new(void);
void context_free(context *c);
task *task_new(context *c);
void task_free(task *t);
context *task_flushed(context *c, task *t, int fresh);
buffer buffer_make(size_t n);
void buffer_clear(buffer *b);
buffer buffer_blank(buffer b);
buffer buffer_blank_at(buffer *b);
buffer buffer_copy(buffer b);
file file_open(void);
void file_close(file f);
file file_dup2(file f, file to);
int file_first(file a, file b, file *first);
