/* In the style of LAPACK and FFTW: plain doubles by columns, with a leading dimension. */
#ifndef BLAS_H
#define BLAS_H

#include <stddef.h>

struct dmatrix {
    double *a;
    int m, n, lda;
};

typedef struct {
    double *v;
    ptrdiff_t n[3];
} dgrid;

struct dmatrix *dmatrix_new(int m, int n, int lda);
void dmatrix_free(struct dmatrix *matrix);
double dmatrix_trace(const struct dmatrix *matrix);
double dmatrix_at(const struct dmatrix *matrix, int row, int column);

dgrid *dgrid_new(size_t n0, size_t n1, size_t n2);
void dgrid_free(dgrid *grid);
double dgrid_at(const dgrid *grid, int i, int j, int k);
int blas_live(void);

#endif
