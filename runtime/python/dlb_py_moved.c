/* SPDX-License-Identifier: MIT-0 */
/* Checks after a call that may have moved the memory of a struct: a struct that shows a Python array must still point into the memory of
 * that array. */
#include "dlb_py_call.h"

/* ---- The memory of arrays ---- */

/* Finds the memory of an object by its buffer: of a NumPy array, or of a memoryview. Returns false, without an exception, if there is no
 * usable buffer. */
static bool span_of_buffer(PyObject *producer, dlb_span *span)
{
    int64_t axes[2 * DLB_MAX_NDIM];
    DLTensor tensor;
    Py_buffer buffer;
    bool known;

    if (producer == NULL || !PyObject_CheckBuffer(producer) || PyObject_GetBuffer(producer, &buffer, PyBUF_FULL_RO) != 0) {
        PyErr_Clear();
        return false;
    }
    known = dlb_py_read_buffer("", &buffer, &tensor, axes) == 0;
    PyErr_Clear();
    if (known) {
        *span = dlb_span_of(&tensor);
    }
    PyBuffer_Release(&buffer);
    return known;
}

bool dlb_py_source_span(const dlb_owner *owner, dlb_span *span)
{
    const dlb_kept source = dlb_owner_source(owner);

    if (source.let_go == dlb_end_versioned || source.let_go == dlb_py_end_versioned) {
        *span = dlb_span_of(&((const DLManagedTensorVersioned *)source.keeper)->dl_tensor);
    } else if (source.let_go == dlb_end_legacy || source.let_go == dlb_py_end_legacy) {
        *span = dlb_span_of(&((const DLManagedTensor *)source.keeper)->dl_tensor);
    } else if (source.let_go == dlb_owner_end_export) {
        *span = dlb_span_of(&((const dlb_owner *)source.keeper)->slot.versioned.dl_tensor);
    } else {
        return source.let_go == dlb_py_guard_let_go && span_of_buffer(dlb_py_guard_parent(source.keeper), span);
    }
    return true;
}

/* ---- After the call ---- */

/* The data address of a struct before and after the call. */
typedef struct change {
    uintptr_t before; /* 0 if unknown */
    uintptr_t now;
} change;

/* Returns whether the struct shows an array outside of `given`, the memory of the Python array. `failed`: the struct could not be
 * described. In this case, and for an array without elements, the view has no data address, so the address in `data` is checked instead. */
static bool is_outside(dlb_span given, const dlb_view *view, bool failed, change data)
{
    if (failed || dlb_element_count(view->tensor) == 0) {
        return data.before != 0 && !dlb_lies_in((dlb_span){data.now, data.now}, given);
    }
    return !dlb_lies_in(dlb_span_of(view->tensor), given);
}

/* Returns whether a temporary struct of the call shows memory outside of its array. */
static bool has_temporary_moved(const dlb_py_operand *operand, const dlb_py_argument *array, change data)
{
    dlb_error error;
    dlb_view view;
    const bool failed = dlb_describe(operand->type, array->object, &view, &error) != 0;

    return is_outside(dlb_span_of(array->tensor), &view, failed, data);
}

/* Returns whether an object that was imported from an array shows memory outside of that array. Types with hooks are not checked: their
 * exports can be copies, or can be unavailable now. */
static bool has_object_moved(const dlb_owner *owner, change data)
{
    dlb_error error;
    dlb_span given;
    dlb_view view;
    bool failed;

    if (!owner->foreign || dlb_has_hooks(owner->type)) {
        return false;
    }
    if (!dlb_py_source_span(owner, &given)) {
        return data.now != data.before;
    }
    failed = dlb_owner_view(owner, &view, &error) != 0;
    return is_outside(given, &view, failed, data);
}

/* Returns whether the struct of an argument shows memory outside of its Python array. `held` is that of the first argument of the call. */
static bool has_moved(const dlb_py_operand *operand, const dlb_py_argument *array, int held, change data)
{
    const dlb_owner *const owner = dlb_py_owner_of(array, held);

    if (array->source == NULL || operand->type->describe == NULL) {
        return false;
    }
    if (owner != NULL && !(held == 1 && array->temporary != NULL)) {
        return has_object_moved(owner, data);
    }
    return owner == NULL && array->object != NULL && array->tensor != NULL && has_temporary_moved(operand, array, data);
}

/* Returns whether an item of a sequence shows memory outside of its Python array. Without `items`, the sequence was taken by the fast
 * path, and all its items are objects of this runtime. */
static bool has_item_moved(const dlb_py_operand *operand, const dlb_py_argument *array, int held)
{
    const change unknown = {0, 0};
    Py_ssize_t count = 0;
    PyObject *const *items;

    if (held && array->items != NULL) {
        for (int64_t i = 0; i < array->count; i++) {
            if (has_moved(operand, &array->items[i], 1, unknown)) {
                return true;
            }
        }
        return false;
    }
    items = array->count > 0 ? dlb_py_items_of(array->source, &count) : NULL;
    for (Py_ssize_t i = 0; items != NULL && i < count; i++) {
        if (dlb_py_is_ours(items[i]) && dlb_py_data(items[i])->owner != NULL &&
            has_object_moved(dlb_py_data(items[i])->owner, unknown)) {
            return true;
        }
    }
    return false;
}

void dlb_py_check_memory(const dlb_py_function *function, dlb_py_argument *arrays, int index, uintptr_t before, uintptr_t now)
{
    const dlb_py_operand *const operand = &function->operands[index];
    const bool moved = (operand->flags & DLB_PY_ITEMS) != 0
                           ? has_item_moved(operand, &arrays[index], arrays[0].held)
                           : has_moved(operand, &arrays[index], arrays[0].held, (change){before, now});

    if (moved) {
        dlb_py_hold_all(function, arrays);
        arrays[index].moved = 1;
    }
}
