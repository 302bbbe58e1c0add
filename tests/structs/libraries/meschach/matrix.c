#include "matrix.h"

#include <stdlib.h>

static int live, tables;

MAT *m_get(int m, int n)
{
    MAT *mat = calloc(1, sizeof *mat);
    int max_n = n + 2;

    mat->m = mat->max_m = (unsigned)m;
    mat->n = (unsigned)n;
    mat->max_n = (unsigned)max_n;
    mat->base = calloc((size_t)(m * max_n) + 1, sizeof(Real));
    mat->me = m_table(m);
    m_fill(mat->me, mat->base, m, max_n * (long)sizeof(Real));
    live++;
    return mat;
}

int m_free(MAT *mat)
{
    m_untable(mat->me);
    free(mat->base);
    free(mat);
    live--;
    return 0;
}

void m_swap(MAT *mat, int i, int j)
{
    Real *row = mat->me[i];

    mat->me[i] = mat->me[j];
    mat->me[j] = row;
}

Real **m_table(int rows)
{
    tables++;
    return calloc((size_t)rows + 1, sizeof(Real *));
}

void m_untable(Real **table)
{
    free(table);
    tables--;
}

int m_fill(Real **table, void *data, int rows, long step)
{
    for (int i = 0; i < rows; i++) {
        table[i] = (Real *)(void *)((char *)data + i * step);
    }
    return rows == 13 ? -1 : 0;
}

int m_live(void)
{
    return live;
}

int m_tables(void)
{
    return tables;
}
