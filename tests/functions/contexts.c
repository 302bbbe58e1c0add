#include "contexts.h"

#include <stdlib.h>
#include <string.h>

context *context_new(void)
{
    return calloc(1, sizeof(context));
}

void context_drop(context *ctx)
{
    if (ctx->made != ctx->dropped) {
        abort();
    }
    free(ctx);
}

int context_dropped(const context *ctx)
{
    return ctx->dropped;
}

book *book_open(context *ctx, const char *name)
{
    book *const made = malloc(sizeof *made);

    made->pages = (int)strlen(name);
    ctx->made++;
    return made;
}

void book_drop(context *ctx, book *b)
{
    if (ctx != NULL) {
        ctx->dropped++;
    }
    free(b);
}

int book_pages(context *ctx, const book *b)
{
    return ctx->made > 0 ? b->pages : -1;
}

book *book_from(const unsigned char *data, int size)
{
    book *const made = malloc(sizeof *made);

    made->pages = size > 0 ? data[0] + size % 1000 : 0;
    return made;
}

static pixmap *new_pixmap(context *ctx, int width, int height)
{
    pixmap *const made = malloc(sizeof *made);

    *made = (pixmap){width, height, width, calloc((size_t)(width * height) + 1, 1), NULL};
    ctx->made++;
    return made;
}

pixmap *book_render(context *ctx, book *b, int dpi)
{
    return new_pixmap(ctx, 2 * b->pages, dpi);
}

void pixmap_drop(context *ctx, pixmap *p)
{
    ctx->dropped++;
    if (p->whole == NULL) {
        free(p->samples);
    }
    free(p);
}

pixmap *pixmap_half(context *ctx, pixmap *p, int dpi)
{
    return new_pixmap(ctx, p->width / 2, dpi / 2);
}

pixmap *pixmap_top(context *ctx, pixmap *p)
{
    pixmap *const made = malloc(sizeof *made);

    *made = (pixmap){p->width, 1, p->stride, p->samples, p};
    ctx->made++;
    return made;
}

int pixmap_size(const context *ctx, const pixmap *p)
{
    return ctx->made > 0 ? p->width * p->height : -1;
}

void pixmap_set(context *ctx, pixmap *p, int value)
{
    if (ctx->made > 0) {
        memset(p->samples, value, (size_t)(p->stride * p->height));
    }
}

int pixmap_blend(context *ctx, pixmap *target, const pixmap *source)
{
    target->samples[0] = (unsigned char)((target->samples[0] + source->samples[0]) / 2);
    return ctx->made;
}
