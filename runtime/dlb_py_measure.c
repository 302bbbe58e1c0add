/* SPDX-License-Identifier: MIT-0 */
/* What the parameters of a call say of each other: extents that they must share. */
#include "dlb_py_internal.h"

#include <inttypes.h>
#include <stdio.h>

/* "(4, 3)" or "(4,)", as far as it fits. */
static void write_shape(const int64_t *extents, int32_t count, char text[120])
{
    int used = snprintf(text, 120, "(");

    for (int32_t axis = 0; axis < count && used < 90; axis++) {
        used += snprintf(text + used, (size_t)(120 - used), axis == 0 ? "%" PRId64 : ", %" PRId64, extents[axis]);
    }
    (void)snprintf(text + used, (size_t)(120 - used), count == 1 ? ",)" : ")");
}

int dlb_py_check_shape(const dlb_py_function *function, const dlb_py_argument *array, const char *param, int ndim,
                       const int64_t *extents)
{
    const DLTensor *const tensor = array->tensor;
    char wanted[120];
    char shape[120];
    bool same = tensor != NULL && tensor->ndim == ndim;

    if (tensor == NULL) { /* None, which may be given */
        return 0;
    }
    for (int axis = 0; same && axis < ndim; axis++) {
        same = tensor->shape[axis] == extents[axis];
    }
    if (same) {
        return 0;
    }
    write_shape(extents, ndim, wanted);
    write_shape(tensor->shape, tensor->ndim, shape);
    PyErr_Format(PyExc_ValueError, "%s() argument '%s' must have shape %s, not %s", function->name, param, wanted, shape);
    return -1;
}

int dlb_py_check_count(const dlb_py_function *function, const dlb_py_argument *array, const char *param, int64_t count)
{
    const int64_t given = dlb_py_count(array);

    if (given == count || (array->giver == NULL && array->tensor == NULL)) {
        return 0;
    }
    PyErr_Format(PyExc_ValueError, "%s() argument '%s' must have %lld element%s, not %lld", function->name, param,
                 (long long)count, count == 1 ? "" : "s", (long long)given);
    return -1;
}
