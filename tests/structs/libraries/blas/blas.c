#include "blas.h"

#include <stdlib.h>

static int live;

struct dmatrix *dmatrix_new(int m, int n, int lda)
{
    struct dmatrix *matrix = calloc(1, sizeof *matrix);

    *matrix = (struct dmatrix){calloc((size_t)lda * (size_t)n, sizeof(double)), m, n, lda};
    live++;
    return matrix;
}

void dmatrix_free(struct dmatrix *matrix)
{
    free(matrix->a);
    free(matrix);
    live--;
}

double dmatrix_at(const struct dmatrix *matrix, int row, int column)
{
    return matrix->a[row + matrix->lda * column];
}

double dmatrix_trace(const struct dmatrix *matrix)
{
    double sum = 0;

    for (int i = 0; i < matrix->m && i < matrix->n; i++) {
        sum += dmatrix_at(matrix, i, i);
    }
    return sum;
}

dgrid *dgrid_new(size_t n0, size_t n1, size_t n2)
{
    dgrid *grid = calloc(1, sizeof *grid);

    grid->v = calloc(n0 * n1 * n2, sizeof(double));
    grid->n[0] = (ptrdiff_t)n0;
    grid->n[1] = (ptrdiff_t)n1;
    grid->n[2] = (ptrdiff_t)n2;
    live++;
    return grid;
}

void dgrid_free(dgrid *grid)
{
    free(grid->v);
    free(grid);
    live--;
}

double dgrid_at(const dgrid *grid, int i, int j, int k)
{
    return grid->v[i + grid->n[0] * (j + grid->n[1] * k)];
}

int blas_live(void)
{
    return live;
}
