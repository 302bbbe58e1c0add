/* Structs that count their axes from the innermost, by a comment or by names, and a vector with a length in each form. */
#include <stddef.h>

typedef struct {
    double *data;
    int ndim;
    size_t shape[8]; /* shape[0] is the fastest axis */
} axs_volume;
int axs_volume_check(const axs_volume *volume);

typedef struct {
    float *data;
    int ndim, nx, ny, nz;
    int dim[8]; /* dim[0]=ndim, dim[1]=nx */
} axs_scan;
int axs_scan_check(const axs_scan *scan);

typedef struct {
    double *values;
    unsigned dim;
} axs_vector;
int axs_vector_check(const axs_vector *vector);

typedef struct {
    long *entries;
    long r, c;
    struct {
        unsigned long n, inverse;
    } modulus;
} axs_matrix;
int axs_matrix_check(const axs_matrix *matrix);

typedef struct {
    size_t size, stride;
    double *data;
} axs_view;
int axs_view_check(const axs_view *view);

typedef struct {
    unsigned length, height;
    float **data;
} axs_table;
int axs_table_check(const axs_table *table);

typedef struct axs_curve axs_curve;
unsigned axs_curve_get_points_entries(const axs_curve *curve);
const unsigned short *axs_curve_get_points(const axs_curve *curve);
