/* SPDX-License-Identifier: MIT-0 */
/* Converts operands to the form that C needs: combines the requirements of an operand, shows the memory to C, and sets exceptions for
 * memory that does not meet the requirements. */
#include "dlb_py_call.h"

#include <inttypes.h>

/* ---- Messages ---- */

const char *dlb_py_operand_name(const dlb_py_function *function, const dlb_py_operand *operand)
{
    return operand->param < 0 ? "self" : function->params[operand->param].name;
}

/* Returns the name of the class, without the name of its module. */
static const char *class_name(const dlb_type *type)
{
    const char *const dot = strrchr(type->name, '.');

    return dot != NULL ? dot + 1 : type->name;
}

int dlb_py_refuse_argument(const dlb_py_function *function, const dlb_py_operand *operand, PyObject *value)
{
    const bool imports = operand->type != NULL && operand->type->importer != NULL &&
                         (operand->flags & (DLB_PY_INVALIDATES | DLB_PY_KEEPS)) == 0;
    const char *const cls = operand->type != NULL ? class_name(operand->type) : "";
    const char *const any = (operand->flags & DLB_PY_BYTES) != 0 ? "a bytes-like object" : "an array";
    const char *const array = operand->type == NULL ? any : imports ? " or an array" : "";
    const char *const numbers = (operand->flags & DLB_PY_NUMBERS) != 0 ? " or a sequence of numbers" : "";
    const char *const none = (operand->flags & DLB_PY_OPTIONAL) != 0 ? " or None" : "";
    PyObject *keeper = NULL;
    const char *const name = value == Py_None ? "None" : dlb_py_type_as_str(value, &keeper);

    if (name != NULL) {
        (void)dlb_py_raise_message(PyExc_TypeError, "%s() argument '%s' must be %s%s%s%s, not %s", function->name,
                                dlb_py_operand_name(function, operand), cls, array, numbers, none, name);
    }
    Py_XDECREF(keeper);
    return -1;
}

int dlb_py_explain(const dlb_py_function *function, const dlb_py_operand *operand, const char *name)
{
    char before[DLB_PY_MESSAGE_SIZE];
    char instead[DLB_PY_MESSAGE_SIZE];
    const char *const param = dlb_py_operand_name(function, operand);

    dlb_write(before, sizeof before, "%s:", name);
    dlb_write(instead, sizeof instead, "%s() argument '%s':", function->name, param);
    return dlb_py_replace_beginning(before, '\0', instead) ? -1 : dlb_py_name_argument(function->name, param);
}

int dlb_py_refuse(const dlb_py_function *function, const dlb_py_operand *operand, const dlb_error *error)
{
    const char *const name = error->message[0] == ':' || operand->type == NULL ? "" : operand->type->name;
    const size_t length = strlen(name);

    if (strncmp(error->message, name, length) == 0 && error->message[length] == ':') { /* the message of dlb_py_explain(), in one step */
        (void)dlb_py_raise_message(dlb_py_exception_of(error), "%s() argument '%s'%s", function->name,
                                dlb_py_operand_name(function, operand), error->message + length);
    } else {
        (void)dlb_py_raise(error); /* not covered: each message begins with the name of the type, or with a colon */
    }
    return -1;
}

/* ---- Requirements ---- */

const dlb_maker *dlb_py_demand_of(const dlb_py_operand *operand, dlb_maker *storage)
{
    const dlb_maker *const own = operand->require;
    const dlb_maker *const base = operand->type != NULL ? operand->type->importer : own;
    const unsigned writable = (operand->flags & DLB_PY_WRITES) != 0 ? DLB_WRITABLE : 0;

    if ((operand->type == NULL || own == NULL) && (base->layout & DLB_WRITABLE) == writable) {
        return base;
    }
    *storage = *base;
    /* An import does not know whether its object will be written to. Elements that share memory are refused in any case: C may divide
     * by a stride, which would be 0. */
    storage->layout |= (base->layout & DLB_WRITABLE) != 0 ? DLB_NO_OVERLAP : 0;
    storage->layout = (storage->layout & ~(unsigned)DLB_WRITABLE) | writable;
    if (operand->type == NULL || own == NULL) {
        return storage;
    }
    storage->min_ndim = own->min_ndim > storage->min_ndim ? own->min_ndim : storage->min_ndim;
    storage->max_ndim = own->max_ndim < storage->max_ndim ? own->max_ndim : storage->max_ndim;
    storage->layout |= own->layout;
    storage->alignment = own->alignment > storage->alignment ? own->alignment : storage->alignment;
    storage->copy = own->copy > storage->copy ? own->copy : storage->copy;
    if (own->dtype_count > 0) {
        storage->dtypes = own->dtypes;
        storage->dtype_count = own->dtype_count;
    }
    if (own->device_count > 0) {
        storage->devices = own->devices;
        storage->device_count = own->device_count;
    }
    return storage;
}

static int check_count(const dlb_py_operand *operand, const DLTensor *tensor, dlb_error *error)
{
    int64_t count;

    if (operand->count == 0 || (operand->flags & DLB_PY_ITEMS) != 0) {
        return 0;
    }
    count = dlb_element_count(tensor);
    if (count == operand->count) {
        return 0;
    }
    return dlb_fail(error, DLB_VALUE_ERROR, ": the array must have %" PRId64 " element%s, not %" PRId64, operand->count,
                    operand->count == 1 ? "" : "s", count);
}

/* Checks that everything that C writes reaches the source, directly or by a later copy. Returns 0, or -1 with an error. */
static int check_writable(const dlb_memory *memory, dlb_error *error)
{
    if ((memory->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0) {
        return dlb_fail(error, DLB_BUFFER_ERROR, ": the array is read-only, and must be writable");
    }
    if ((memory->flags & DLPACK_FLAG_BITMASK_IS_COPIED) != 0) {
        return dlb_fail(error, DLB_BUFFER_ERROR,
                        ": the array is a copy made for this call: its changes would be lost");
    }
    return 0;
}

/* Checks that no elements of the source share memory, since copying back could keep only one of them. Returns 0, or -1 with an error. */
static int check_copied_back(const dlb_memory *memory, const dlb_view *copy, dlb_error *error)
{
    const dlb_maker distinct = {.layout = DLB_NO_OVERLAP};
    DLTensor source = *copy->tensor;

    source.strides = memory->tensor->strides;
    return source.strides != NULL ? dlb_check_layout(&distinct, &source, 0, "", error) : 0;
}

void dlb_py_own_tensor(dlb_py_argument *array)
{
    const DLTensor *const tensor = array->tensor;
    const size_t size = sizeof(int64_t) * (size_t)tensor->ndim;

    if (tensor == &array->view.own) { /* it has its own axes already */
        return;
    }
    array->view.own = *tensor;
    array->view.own.shape = array->view.axes;
    array->view.own.strides = array->view.axes + DLB_MAX_NDIM;
    if (size > 0) {
        memcpy(array->view.axes, tensor->shape, size);
        memcpy(array->view.axes + DLB_MAX_NDIM, tensor->strides, size);
    }
    array->tensor = &array->view.own;
}

int dlb_py_convert(dlb_py_argument *array, const dlb_py_operand *operand, const dlb_memory *memory, dlb_error *error)
{
    const bool writes = (operand->flags & DLB_PY_WRITES) != 0;
    dlb_maker storage;
    const dlb_maker *const maker = dlb_py_demand_of(operand, &storage);
    dlb_incoming from = {.view = &array->view};
    dlb_request request = {operand->type, maker, NULL, 0, 1, NULL, NULL};

    array->view.name = "";
    if (writes && check_writable(memory, error) != 0) {
        return -1;
    }
    if (dlb_receive(maker, memory, &from, error) != 0) {
        return -1;
    }
    array->tensor = array->view.tensor;
    request.tensor = array->tensor;
    array->flags = memory->flags;
    array->copied = from.copied;
    array->copy = from.copy;
    if (from.copied) {
        array->flags = DLPACK_FLAG_BITMASK_IS_COPIED;
    }
    if (from.copied && writes && check_copied_back(memory, &array->view, error) != 0) {
        return -1;
    }
    if (check_count(operand, array->tensor, error) != 0) {
        return -1;
    }
    if (operand->type == NULL) {
        array->object = array->tensor->data;
        if (writes) {
            dlb_py_own_tensor(array);
        }
        return 0;
    }
    if (array->view.tensor->byte_offset != 0) {
        return dlb_fail(error, DLB_BUFFER_ERROR, ": byte_offset is %" PRIu64 ", and the data is a handle, not an address",
                        array->view.tensor->byte_offset);
    }
    request.readonly = from.readonly;
    if (dlb_make_temporary(&request, &array->storage, &array->object, error) != 0) {
        return -1;
    }
    array->temporary = operand->type->importer;
    return 0;
}
