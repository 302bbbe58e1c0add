/* Several structs, arrays with lengths, structs of numbers, an array of structs, and declarations from another header. */
#include "parts/shared.h"

typedef struct sev_options {
    int passes;
    float limit;
    _Bool sharp;
} sev_options;

typedef struct sev_vector {
    long size;
    double *data;
    long stride;
} sev_vector;

typedef struct sev_volume {
    float *voxels;
    size_t nz, ny, nx;
    struct {
        double spacing;
        int n;
    } axis[3];
} sev_volume;

typedef struct sev_list sev_list;

sev_vector *sev_vector_alloc(long n);
sev_vector *sev_vector_view(sev_vector *vector, long first, long n);
void sev_vector_free(sev_vector *vector);
double sev_dot(const sev_vector *a, const sev_vector *b);
int sev_smooth(sev_volume *volume, const sev_options *options);
sev_volume *sev_volume_new(size_t nz, size_t ny, size_t nx);
void sev_volume_del(sev_volume *volume);
sev_list *sev_list_new(void);
void sev_list_free(sev_list *list);
void sev_list_free_all(sev_list *list);
int sev_list_add(sev_list *list, const char *name);
const char *sev_list_find(const sev_list *list, const char *name);
void sev_sort(double data[], size_t stride, size_t n);
void sev_matvec(const float *a, int rows, int cols, const float *x, float *y);
void sev_transform(const double matrix[9], double point[3]);
void sev_fill(sev_real *values, size_t n, sev_real with);
sev_mode sev_get_mode(void);
void sev_bounds(const sev_vector *vector, double *low, double *high);
