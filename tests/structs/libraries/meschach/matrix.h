/* Meschach's matrices: a table of pointers to the rows, which mostly lie in one block, and which anybody may swap. */
#ifndef MATRIX_H
#define MATRIX_H

typedef double Real;

typedef struct {
    unsigned int m, n;
    unsigned int max_m, max_n, max_size;
    Real **me, *base;
} MAT;

MAT *m_get(int m, int n);
int m_free(MAT *mat);
void m_swap(MAT *mat, int i, int j); /* two rows change places */
Real **m_table(int rows);
void m_untable(Real **table);
int m_fill(Real **table, void *data, int rows, long step); /* -1 for 13 rows */
int m_live(void);
int m_tables(void);

#endif
