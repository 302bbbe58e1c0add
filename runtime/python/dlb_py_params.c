/* SPDX-License-Identifier: MIT-0 */
/* Arguments that become the params of an object or of an import: members of a struct. */
#include "dlb_py_internal.h"

void *dlb_py_room(dlb_py_values *values, size_t size, void (*defaults)(void *values))
{
    values->large = NULL;
    if (size > sizeof values->small) {
        values->large = PyMem_Malloc(size);
        if (values->large == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
    }
    values->place = values->large != NULL ? values->large : (void *)&values->small;
    memset(values->place, 0, size);
    if (defaults != NULL) {
        defaults(values->place);
    }
    return values->place;
}

void dlb_py_room_end(dlb_py_values *values)
{
    PyMem_Free(values->large);
}

bool dlb_py_store_index(const dlb_param *param, void *values, uint64_t index)
{
    const unsigned unused = (unsigned)(64 - 8 * param->size) + (param->kind == DLB_SIGNED);

    if (index > UINT64_MAX >> unused) {
        return false;
    }
    dlb_py_store_integer((char *)values + param->offset, param->size, index);
    return true;
}

static int read_all(const dlb_py_function *function, PyObject *const *given, void *values)
{
    for (int i = 0; i < function->count; i++) {
        if (dlb_py_read_number(function, i, given, (char *)values + function->params[i].offset) != 0) {
            return -1;
        }
    }
    return 0;
}

int dlb_py_parse(const dlb_py_call *call, const dlb_param *params, size_t count, void *values)
{
    const Py_ssize_t others = call->keyword_only ? call->nargs : 0;
    const dlb_py_function function = {.name = call->function,
                                      .params = params,
                                      .count = (int)count,
                                      .positional = call->keyword_only ? 0 : (int)count};
    dlb_py_values room;
    PyObject **const sorted = dlb_py_room(&room, count * sizeof *sorted, NULL);
    int result = -1;

    if (sorted != NULL && dlb_py_sort(&function, call->args + others, call->nargs - others, call->kwnames, sorted) == 0) {
        result = read_all(&function, sorted, values);
    }
    dlb_py_room_end(&room);
    return result;
}
