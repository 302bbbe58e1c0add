/* SPDX-License-Identifier: MIT-0 */
/* After a call: writes copies back, transfers ownership, and releases the arguments. */

#include "call.h"

#include <stdlib.h>

/* Fills `layout` with the address, the shape and the strides of the source, of which the call received a copy. `axes` has space for the
 * strides. Returns 0, or -1 with an exception. */
static int layout_of_source(const dlb_py_argument *array, int64_t axes[DLB_MAX_NDIM], dlb_layout *layout)
{
    DLTensor from = array->versioned != NULL ? array->versioned->dl_tensor
                    : array->legacy != NULL  ? array->legacy->dl_tensor
                                             : array->borrowed;
    int64_t unit;
    dlb_error error;
    dlb_view view;

    if (array->owner != NULL && array->versioned == NULL) { /* `array->view` describes the copy */
        if (dlb_owner_view(array->owner, &view, &error) != 0) {
            (void)dlb_py_raise(&error);
            return -1;
        }
        from = *view.tensor;
    }
    from.ndim = array->tensor->ndim;
    from.shape = array->tensor->shape;
    if (from.strides == NULL) {
        from.strides = axes;
        dlb_compact_tensor(&from, from.ndim);
    }
    unit = dlb_itemsize(from.dtype); /* one byte, if DLPack cannot describe the source */
    from.dtype = array->tensor->dtype;
    *layout = dlb_layout_of(&from, unit, axes);
    layout->data = (char *)from.data + from.byte_offset;
    return 0;
}

/* The argument of write_back() and its result. */
typedef struct copied_back {
    const dlb_py_argument *array;
    int result;
} copied_back;

/* Copies the elements that the function wrote from the copy to the source. Returns 0, or -1 with an exception. */
static int copy_back(const dlb_py_argument *array)
{
    int64_t axes[DLB_MAX_NDIM];
    dlb_layout to;

    if (array->copy == NULL) { /* no elements */
        return 0;
    }
    if (layout_of_source(array, axes, &to) != 0) {
        return -1;
    }
    if (array->tensor->dtype.bits % 8 != 0) { /* packed, and row-major contiguous on both sides */
        memcpy((void *)(uintptr_t)to.data, array->tensor->data,
               (size_t)dlb_nbytes(array->tensor->dtype, dlb_element_count(array->tensor)));
    } else {
        dlb_scatter_elements(array->tensor, &to);
    }
    return 0;
}

/* Calls copy_back(); a callback of dlb_py_quietly(), since an earlier failure may be pending. */
static void write_back(void *target)
{
    copied_back *const task = target;

    task->result = copy_back(task->array);
}

/* Destroys the temporary structs of one argument and of its items, and frees its copies. If the call succeeded, copies are written back
 * before they are freed. Returns 0, or -1 with an exception. */
static int finish_array(const dlb_py_operand *operand, dlb_py_argument *array, bool succeeded)
{
    copied_back task = {array, 0};
    int result = 0;

    for (int64_t i = 0; array->items != NULL && i < array->count; i++) {
        result |= finish_array(operand, &array->items[i], succeeded);
    }
    if (array->temporary != NULL && array->temporary->destroy != NULL) {
        DLB_CHECK(dlb_checked_destroy(operand->type));
        dlb_py_quietly(array->temporary->destroy, array->object);
    }
    DLB_CHECK(dlb_checked_unshadow(array, operand, succeeded));
    if (succeeded && array->copied && (operand->flags & DLB_PY_WRITES) != 0) {
        dlb_py_quietly(write_back, &task);
        result |= task.result;
    }
    free(array->copy);
    free(array->table);
    return result;
}

/* Raises a BufferError, because the function moved or resized the memory of a Python array, and returns NULL. Either the Python array
 * lacks the results, or the struct points to memory that nothing keeps alive. */
static PyObject *refuse_moved(const dlb_py_function *function, const dlb_py_operand *operand)
{
    (void)dlb_py_raise_message(PyExc_BufferError,
                            "%s() argument '%s': after the call it points outside of the array that was passed: "
                            "a function that moves or resizes the memory must be declared with 'invalidates: true'",
                            function->name, dlb_py_operand_name(function, operand));
    return NULL;
}

PyObject *dlb_py_release_arguments(const dlb_py_function *function, dlb_py_argument *arrays, PyObject *answer)
{
    int result = 0;
    int moved = -1;

    if (arrays[0].held == DLB_PY_SHARE) {
        dlb_py_quietly(dlb_py_drop_owner, arrays[0].owner);
        return answer;
    }
    for (int i = 0; i < function->operand_count && moved < 0; i++) {
        moved = arrays[i].moved ? i : -1;
    }
    for (int i = 0; i < function->operand_count; i++) {
        result |= finish_array(&function->operands[i], &arrays[i], answer != NULL && moved < 0);
    }
    for (int i = 0; i < function->operand_count; i++) { /* last: this runs foreign code, which can free borrowed memory */
        dlb_py_drop_array(&arrays[i]);
    }
    if (answer != NULL && moved >= 0) {
        dlb_py_quietly(dlb_py_decref, answer);
        return refuse_moved(function, &function->operands[moved]);
    }
    if (result != 0) {
        dlb_py_quietly(dlb_py_decref, answer);
        return NULL;
    }
    return answer;
}

dlb_owner *dlb_py_detach_owner(dlb_py_argument *array)
{
    if (array->source == NULL) { /* the argument was None */
        return NULL;
    }
    dlb_owner_close(array->owner);
    DLB_CHECK(dlb_checked_transferred(array->owner));
    if (array->owner->type->external != NULL) {
        dlb_py_give_up_external(array->owner->type, array->source);
    }
    return dlb_py_detach(array->made != NULL ? array->made : array->source); /* NULL if another thread has just closed it */
}

void dlb_py_mark_released(dlb_py_argument *array)
{
    dlb_owner *const owner = dlb_py_detach_owner(array);

    if (owner != NULL) {
        dlb_owner_drop(owner);
    }
}

/* Transfers the dependencies of `owner` to `recipient`, and drops the share of `owner`. `owner` may be NULL. */
static void transfer(dlb_owner *owner, dlb_owner *recipient)
{
    if (owner != NULL) {
        dlb_owner_transfer_dependencies(owner, recipient);
        dlb_owner_drop(owner);
    }
}

void dlb_py_transfer_dependencies(dlb_py_argument *array, const dlb_py_argument *recipient)
{
    transfer(dlb_py_detach_owner(array), recipient != NULL ? recipient->owner : NULL);
}

void dlb_py_transfer_to_result(dlb_owner *owner, PyObject *recipient)
{
    transfer(owner, recipient != NULL && dlb_py_is_ours(recipient) ? dlb_py_data(recipient)->owner : NULL);
}

dlb_py_argument *dlb_py_item(const dlb_py_argument *array, const void *object)
{
    for (int64_t i = 0; i < array->count; i++) {
        if (array->items[i].object == object) {
            return &array->items[i];
        }
    }
    return NULL;
}

dlb_py_argument *dlb_py_item_by_value(const dlb_py_argument *array, const void *value, size_t size, unsigned flags)
{
    if ((flags & DLB_PY_ZEROS) == 0 && dlb_is_zero(value, size)) {
        return NULL;
    }
    for (int64_t i = 0; i < array->count; i++) {
        if (memcmp(array->items[i].object, value, size) == 0) {
            return &array->items[i];
        }
    }
    return NULL;
}

PyObject *dlb_py_argument_object(dlb_py_argument *array)
{
    DLB_CHECK(dlb_checked_returned(array->owner));
    PyObject *const source = array->source != NULL ? array->source : Py_None;

    Py_INCREF(source);
    return source;
}
