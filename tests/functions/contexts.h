#ifndef CONTEXTS_H
#define CONTEXTS_H

/* A library whose functions all take its context, which must outlive everything that is made with it. */

typedef struct context {
    int made, dropped;
} context;
typedef struct book {
    int pages;
} book;
typedef struct pixmap {
    int width, height, stride;
    unsigned char *samples;
    struct pixmap *whole; /* whose samples these are; or NULL */
} pixmap;

context *context_new(void);
void context_drop(context *ctx); /* ends the process if anything is left */
int context_dropped(const context *ctx);

book *book_open(context *ctx, const char *name);
void book_drop(context *ctx, book *b);
int book_pages(context *ctx, const book *b);
book *book_from(const unsigned char *data, int size);

pixmap *book_render(context *ctx, book *b, int dpi);
void pixmap_drop(context *ctx, pixmap *p);
pixmap *pixmap_half(context *ctx, pixmap *p, int dpi);
pixmap *pixmap_top(context *ctx, pixmap *p);
int pixmap_size(const context *ctx, const pixmap *p);
void pixmap_set(context *ctx, pixmap *p, int value);
int pixmap_blend(context *ctx, pixmap *target, const pixmap *source);

#endif
