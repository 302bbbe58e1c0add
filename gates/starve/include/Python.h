/* SPDX-License-Identifier: MIT */
/* Takes the place of <Python.h>: the functions of names.txt can fail. */
#include_next <Python.h>

/* Not in C++, which only files of the tests are written in. */
#if !defined(STARVE_PYTHON_H_) && !defined(__cplusplus)
#define STARVE_PYTHON_H_

#include "../starve.h"

static inline void starve_raise(void)
{
    const starve_site *const site = starve_failed();

    PyErr_Format(PyExc_MemoryError, "starved: %s at %s:%d", site->name, site->file, site->line);
}

/* Called in the place of a function that fails: they return its failure value. */

static inline void *starve_null(void)
{
    starve_raise();
    return NULL;
}

static inline long long starve_zero(void)
{
    starve_raise();
    return 0;
}

static inline long long starve_minus_one(void)
{
    starve_raise();
    return -1;
}

/* Without an exception, as the function itself fails. */
static inline void *starve_quiet_null(void)
{
    return NULL;
}

/* Fails as PyObject_GetBuffer() does: -1, and the buffer has no object. */
static inline int starve_no_buffer(PyObject *object, Py_buffer *view, int flags)
{
    (void)object;
    (void)flags;
    starve_raise();
    view->obj = NULL;
    return -1;
}

/* Fails as _PyBytes_Resize() does: -1, and the bytes object is released. */
static inline int starve_no_bytes(PyObject **bytes, Py_ssize_t size)
{
    (void)size;
    starve_raise();
    Py_CLEAR(*bytes);
    return -1;
}

/* Allocate as PyMem_Malloc() and the others do, or return NULL where the call must fail. */
static inline void *starve_py_malloc(starve_site *site, size_t size)
{
    void *const allocated = starve_fails(site) ? NULL : PyMem_Malloc(size);

    starve_add_block(site, allocated);
    return allocated;
}

static inline void *starve_py_calloc(starve_site *site, size_t count, size_t size)
{
    void *const allocated = starve_fails(site) ? NULL : PyMem_Calloc(count, size);

    starve_add_block(site, allocated);
    return allocated;
}

static inline void *starve_py_realloc(starve_site *site, void *block, size_t size)
{
    void *const allocated = starve_fails(site) ? NULL : PyMem_Realloc(block, size);

    if (allocated != NULL) {
        starve_remove_block(block);
        starve_add_block(site, allocated);
    }
    return allocated;
}

static inline void starve_py_free(void *block)
{
    if (block != NULL) {
        starve_remove_block(block);
    }
    PyMem_Free(block);
}

/* A function, or the one that stands in for it: gcov sees no other branches than without the macro. */
#define STARVE_CHOOSE(name, stub)                                                             \
    __extension__({                                                                           \
        static starve_site starve_here = {__FILE__, #name, NULL, __LINE__, 0};                \
        starve_here.function = __func__;                                                      \
        (__typeof__(&name)) starve_choose(&starve_here, (starve_any *)name, (starve_any *)stub); \
    })

/* Converts as PyFloat_AsDouble() does, whose address the runtime takes: all its calls are one site. */
static inline double starve_py_float_as_double(PyObject *object)
{
    static starve_site here = {__FILE__, "PyFloat_AsDouble", "starve_py_float_as_double", __LINE__, 0};

    if (starve_choose(&here, NULL, (starve_any *)starve_raise) == NULL) {
        return PyFloat_AsDouble(object);
    }
    starve_raise();
    return -1.0;
}

#define PyFloat_AsDouble starve_py_float_as_double
#define PyMem_Malloc(size) STARVE_BLOCK("PyMem_Malloc", starve_py_malloc, (size))
#define PyMem_Calloc(count, size) STARVE_BLOCK("PyMem_Calloc", starve_py_calloc, (count), (size))
#define PyMem_Realloc(block, size) STARVE_BLOCK("PyMem_Realloc", starve_py_realloc, (block), (size))
#define PyMem_Free starve_py_free

#include "starve_names.h"

#endif
