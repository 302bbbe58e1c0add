/* CHOLMOD's matrices: kinds of numbers in two fields, integers of two widths, a leading dimension. */
#ifndef CHOLMOD_H
#define CHOLMOD_H

#include <stddef.h>
#include <stdint.h>

#define SuiteSparse_long int64_t

#define CHOLMOD_INT 0
#define CHOLMOD_LONG 2
#define CHOLMOD_PATTERN 0
#define CHOLMOD_REAL 1
#define CHOLMOD_COMPLEX 2
#define CHOLMOD_ZOMPLEX 3
#define CHOLMOD_DOUBLE 0
#define CHOLMOD_SINGLE 1

typedef struct cholmod_sparse {
    size_t nrow, ncol, nzmax;
    void *p, *i, *x, *z;
    int stype, itype, xtype, dtype;
    int sorted, packed;
} cholmod_sparse;

typedef struct cholmod_dense {
    size_t nrow, ncol, nzmax;
    size_t d; /* leading dimension */
    void *x, *z;
    int xtype, dtype;
} cholmod_dense;

typedef struct cholmod_vector {
    SuiteSparse_long *index;
    float *value;
    unsigned char *mark;
    int n;
} cholmod_vector;

cholmod_sparse *cholmod_make(size_t n, int itype, int xtype, int dtype); /* bidiagonal: 2n - 1 entries 1, 2, ... */
void cholmod_free_sparse(cholmod_sparse **a);
cholmod_dense *cholmod_allocate_dense(size_t nrow, size_t ncol, size_t d, int xdtype); /* xtype + 4 * dtype */
void cholmod_free_dense(cholmod_dense **x);
double cholmod_entry(const cholmod_dense *x, size_t row, size_t column); /* of doubles */
cholmod_vector *cholmod_vector_new(int n);
void cholmod_vector_free(cholmod_vector *v);
int cholmod_live(void);

#endif
