/* Arrays at the end of a struct, whose memory goes on behind the struct. */
#include <stdint.h>

typedef struct { float x, y; } fle_point;
typedef struct { int n; float x[]; } fle_values;
typedef struct { int n; double values[1]; } fle_vector;
typedef struct { int rows, cols; unsigned char data[1]; } fle_image;
typedef struct { int n_points, n_rest; fle_point points[1]; } fle_path;
typedef struct { int n_points, n_rest; int rest[0]; } fle_rest;
typedef struct { int first, second; short rest[]; } fle_open;
typedef struct { int key; double data[1]; } fle_single; /* nothing counts: one element */
int fle_check(fle_values *v, fle_vector *w, fle_image *i, fle_path *p, fle_rest *r, fle_open *o, fle_single *s);

/* `colors` can be the samples of a pixel, or the size of a palette. */
typedef struct { unsigned short height, width, colors, bits; unsigned size; unsigned char data[1]; } fle_memory;
void fle_memory_free(fle_memory *memory);
