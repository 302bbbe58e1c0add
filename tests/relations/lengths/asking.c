/* SPDX-License-Identifier: MIT */
#include <Python.h>
#include "asking.h"

long asked(long n)
{
    if (n < 0) {
        PyErr_SetString(PyExc_KeyError, "nobody knows");
    }
    return n < 0 ? 1 : n;
}

void letters(char *to, long n)
{
    memset(to, 'a', (size_t)n);
}

void numbers(double *to, long n)
{
    for (long i = 0; i < n; i++) {
        to[i] = (double)i;
    }
}

const double *cube(long ndim)
{
    static const double all[] = {0, 1, 2, 3, 4, 5, 6, 7};

    (void)ndim;
    return all;
}

sheet *sheet_beside(long ndim, const double **cube_at)
{
    *cube_at = cube(ndim);
    return calloc(1, sizeof(sheet));
}

void sheet_end(sheet *s)
{
    free(s);
    PyErr_SetString(PyExc_ValueError, "left by a release");
}
