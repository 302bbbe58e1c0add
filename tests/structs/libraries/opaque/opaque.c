#include "opaque.h"

#include <stdlib.h>

struct surface {
    const unsigned char *data;
    unsigned char *owned;
    int width, height, writable, status;
    ptrdiff_t stride;
};

static int live;
static surface failed = {.status = 24};

surface *surface_for_data(const unsigned char *data, int width, int height, ptrdiff_t stride)
{
    surface *s;

    if (stride % 4 != 0) {
        return &failed;
    }
    s = calloc(1, sizeof *s);
    *s = (surface){data, NULL, width, height, 0, 0, stride};
    live++;
    return s;
}

surface *surface_new(int width, int height, int writable)
{
    const int stride = (width + 3) / 4 * 4;
    unsigned char *owned = calloc((size_t)stride, (size_t)height);
    surface *s = surface_for_data(owned, width, height, stride);

    s->owned = owned;
    s->writable = writable;
    return s;
}

void surface_unref(surface *s)
{
    free(s->owned);
    free(s);
    live--;
}

int surface_width(const surface *s)
{
    return s->width;
}

int surface_height(const surface *s)
{
    return s->height;
}

ptrdiff_t surface_stride(const surface *s)
{
    return s->stride;
}

int surface_status(const surface *s)
{
    return s->status;
}

const char *surface_message(int status)
{
    return status == 24 ? "invalid value for stride" : "no error";
}

const unsigned char *surface_data(const surface *s)
{
    return s->data;
}

int surface_writable(const surface *s)
{
    return s->writable;
}

int surface_live(void)
{
    return live;
}
