/* SPDX-License-Identifier: MIT-0 */
/* Stores arguments as the params of an object or of an import, which are members of a struct. */
#include "dlb_py_internal.h"

void *dlb_py_allocate_values(dlb_py_values *values, size_t size, void (*defaults)(void *values))
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

void dlb_py_free_values(dlb_py_values *values)
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

bool dlb_py_holds_index(const dlb_param *param, const void *values, uint64_t count)
{
    const char *const place = (const char *)values + param->offset;
    uint8_t bits8;
    uint16_t bits16;
    uint32_t bits32;
    uint64_t bits64;

    switch (param->size) { /* a negative index exceeds any count */
    case 1:
        memcpy(&bits8, place, sizeof bits8);
        return bits8 < count && !(param->kind == DLB_SIGNED && bits8 > INT8_MAX);
    case 2:
        memcpy(&bits16, place, sizeof bits16);
        return bits16 < count && !(param->kind == DLB_SIGNED && bits16 > INT16_MAX);
    case 4:
        memcpy(&bits32, place, sizeof bits32);
        return bits32 < count && !(param->kind == DLB_SIGNED && bits32 > INT32_MAX);
    default:
        memcpy(&bits64, place, sizeof bits64);
        return bits64 < count && !(param->kind == DLB_SIGNED && bits64 > INT64_MAX);
    }
}

/* Stores the C object of an argument at `place`, and takes a share of its owner in `*kept`. Returns 0, or -1 with an exception. */
static int read_object(const dlb_py_function *function, const dlb_param *param, PyObject *value, void *place, dlb_owner **kept)
{
    const dlb_type *const type = param->of;
    dlb_owner *owner;
    void *object;

    if (value == NULL || (value == Py_None && !param->required)) {
        return 0;
    }
    if (!dlb_py_is_ours(value) || dlb_py_data(value)->type != type) {
        return dlb_py_refuse_type(function, param, value, strrchr(type->name, '.') + 1);
    }
    DLB_PY_LOCK(value);
    owner = dlb_py_data(value)->owner;
    if (owner != NULL) {
        dlb_owner_keep(owner);
    }
    DLB_PY_UNLOCK();
    if (owner == NULL) {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s() argument '%s' is closed", function->name, param->name);
        return -1;
    }
    *kept = owner;
    object = dlb_owner_object(owner);
    memcpy(place, type->value > 0 ? object : (void *)&object, param->size);
    return 0;
}

static int read_all(const dlb_py_function *function, PyObject *const *given, void *values, dlb_owner **kept)
{
    for (int i = 0; i < function->count; i++) {
        const dlb_param *const param = &function->params[i];
        void *const place = (char *)values + param->offset;
        const int result = param->of != NULL ? read_object(function, param, given[i], place, &kept[i])
                                             : dlb_py_read_number(function, i, given, place);

        if (result != 0) {
            return -1;
        }
    }
    return 0;
}

int dlb_py_parse(const dlb_py_call *call, const dlb_param *params, size_t count, void *values, dlb_owner **kept)
{
    const Py_ssize_t others = call->keyword_only ? call->nargs : 0;
    const dlb_py_function function = {.name = call->function,
                                      .params = params,
                                      .count = (int)count,
                                      .positional = call->keyword_only ? 0 : (int)count};
    dlb_py_values storage;
    PyObject **const sorted = dlb_py_allocate_values(&storage, count * sizeof *sorted, NULL);
    int result = -1;

    if (sorted != NULL && dlb_py_sort(&function, call->args + others, call->nargs - others, call->kwnames, sorted) == 0) {
        result = read_all(&function, sorted, values, kept);
    }
    dlb_py_free_values(&storage);
    return result;
}
