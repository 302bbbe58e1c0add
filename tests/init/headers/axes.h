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
