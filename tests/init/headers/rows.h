/* Row steps: one whose name gives the unit, one that nothing decides, and pointers to rows. */
#include <stddef.h>

struct leading {
    double *values;
    size_t rows, cols;
    size_t lda;
};

struct stepped {
    float *data;
    int rows, cols, stride;
};

struct table {
    double **data;
    int nrows, ncols;
};

struct leading *leading_new(size_t rows, size_t cols);
void leading_free(struct leading *matrix);
struct stepped *stepped_new(int rows, int cols);
void stepped_free(struct stepped *matrix);
struct table *table_new(int nrows, int ncols);
void table_free(struct table *t);
