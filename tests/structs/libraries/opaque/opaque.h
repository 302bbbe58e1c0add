/* A type that nobody can look into; memory that is sometimes writable; errors as objects. */
#ifndef OPAQUE_H
#define OPAQUE_H

#include <stddef.h>

typedef struct surface surface;

surface *surface_new(int width, int height, int writable);
surface *surface_for_data(const unsigned char *data, int width, int height, ptrdiff_t stride);
void surface_unref(surface *s);
int surface_width(const surface *s);
int surface_height(const surface *s);
ptrdiff_t surface_stride(const surface *s);
int surface_status(const surface *s);
const char *surface_message(int status);
const unsigned char *surface_data(const surface *s);
int surface_writable(const surface *s);
int surface_live(void);

#define SURFACE_OK(s) (surface_status(s) == 0)

#endif
