/* SPDX-License-Identifier: MIT */
#include <Python.h>
#include "first_arrays.h"
static int asked;
int __real_PyObject_GetBuffer(PyObject *object, Py_buffer *buffer, int flags);
int __wrap_PyObject_GetBuffer(PyObject *object, Py_buffer *buffer, int flags);
int __wrap_PyObject_GetBuffer(PyObject *object, Py_buffer *buffer, int flags)
{
    asked++;
    return __real_PyObject_GetBuffer(object, buffer, flags);
}
int buffers(void) { return asked; }
void add(const double *a, const double *b, double *sum, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        sum[i] = a[i] + b[i];
    }
}
