/* SPDX-License-Identifier: MIT-0 */
/* Results that refer to arguments, and structs that show other memory after a call. */

#include "call.h"

/* ---- The memory of arrays ---- */

/* Finds the memory of an object by its buffer: of a NumPy array, or of a memoryview. Returns false, without an exception, if there is no
 * usable buffer. */
static bool span_of_buffer(PyObject *producer, dlb_span *span)
{
    int64_t axes[2 * DLB_MAX_NDIM];
    dlb_elements elements;
    DLTensor tensor;
    Py_buffer buffer;
    bool known;

    if (producer == NULL || !PyObject_CheckBuffer(producer) || dlb_py_check_stack() != 0 ||
        PyObject_GetBuffer(producer, &buffer, PyBUF_FULL_RO) != 0) {
        PyErr_Clear();
        return false;
    }
    known = dlb_py_read_buffer("", &buffer, &tensor, axes, &elements) == 0;
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

    DLB_CHECK(if (dlb_checked_span(owner, span)) return true);
    if (source.let_go == dlb_end_versioned || source.let_go == dlb_py_end_versioned) {
        *span = dlb_span_of(&((const DLManagedTensorVersioned *)source.keeper)->dl_tensor);
    } else if (source.let_go == dlb_end_legacy || source.let_go == dlb_py_end_legacy) {
        *span = dlb_span_of(&((const DLManagedTensor *)source.keeper)->dl_tensor);
    } else if (source.let_go == dlb_owner_end_export) {
        *span = dlb_span_of(&((const dlb_owner *)source.keeper)->slot.versioned.dl_tensor);
    } else {
        return source.let_go == dlb_py_guard_let_go && (dlb_py_interface_span(dlb_py_guard_parent(source.keeper), span) ||
                                                        span_of_buffer(dlb_py_guard_parent(source.keeper), span));
    }
    return true;
}

/* ---- After the call ---- */

/* The data address of a struct before and after the call. */
typedef struct change {
    uintptr_t before; /* 0 if unknown */
    uintptr_t now;
} change;

/* Returns whether the struct shows an array outside of `source`, the memory of the Python array. `failed`: the struct could not be
 * described. In this case, and for an array without elements, the view has no data address, so the address in `data` is checked instead. */
static bool is_outside(dlb_span source, const dlb_view *view, bool failed, change data)
{
    if (failed || dlb_element_count(view->tensor) == 0) {
        return data.before != 0 && !dlb_lies_in((dlb_span){data.now, data.now}, source);
    }
    return !dlb_lies_in(dlb_span_of(view->tensor), source);
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
    dlb_span source;
    dlb_view view;
    bool failed;

    if (!dlb_owner_is_imported(owner) || dlb_has_hooks(owner->type)) {
        return false;
    }
    if (!dlb_py_source_span(owner, &source)) {
        return data.now != data.before;
    }
    failed = dlb_owner_view(owner, &view, &error) != 0;
    return is_outside(source, &view, failed, data);
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

/* Returns whether an item of a sequence shows memory outside of its Python array. Without `items`, the call has taken only objects of this
 * runtime, or shares of the owners of a class that has no import. */
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

/* A C object that a call passes to Python, the arguments it may refer to, and the owner that results. */
typedef struct referring_result {
    const dlb_type *type;
    void *object;
    unsigned flags;
    const dlb_py_function *function;
    dlb_py_argument *arrays;
    dlb_py_argument *const *kept;
    int count;
    dlb_owner *owner; /* NULL after a failure */
    dlb_error error;
} referring_result;

/* ---- Which arguments the result refers to ---- */

/* A result, for dlb_owner_find(), which looks for the owner that the result refers to. */
typedef struct reference {
    const dlb_owner *owner;
    dlb_span span;
    bool known; /* the result shows the memory in `span`; otherwise its memory is unknown */
} reference;

/* Returns whether the result, `what`, refers to the owner: it is the same object, or shares foreign memory with it. */
static bool refers_to(const dlb_owner *owner, const void *what)
{
    const reference *const result = what;
    const bool same = dlb_owner_has_object(owner, result->owner->type, result->owner->object);
    dlb_span span;

    if (same && (dlb_owner_is_imported(owner) || dlb_owner_stores_object(owner))) {
        return true;
    }
    if (!dlb_owner_is_imported(owner)) {
        return false;
    }
    return !result->known || !dlb_py_source_span(owner, &span) || dlb_overlaps(result->span, span);
}

/* Describes the object of an owner. A handle is described as the operand's `type`, if both have the same C type and the description
 * needs nothing else. Returns whether that worked. */
static bool describe(const dlb_owner *owner, const dlb_type *type, dlb_view *view)
{
    dlb_error error;

    if (owner->type->describe != NULL) {
        return !dlb_has_hooks(owner->type) && dlb_owner_view(owner, view, &error) == 0;
    }
    return type->shares != NULL && owner->type->shares != NULL && strcmp(type->shares, owner->type->shares) == 0 &&
           dlb_is_trivial_type(type) && dlb_describe(type, dlb_owner_object(owner), view, &error) == 0;
}

static reference reference_of(const dlb_owner *owner, const dlb_type *type)
{
    reference result = {owner, {0, 0}, false};
    dlb_view view;

    if (describe(owner, type, &view) && dlb_element_count(view.tensor) > 0) {
        result.span = dlb_span_of(view.tensor);
        result.known = true;
    }
    return result;
}

/* ---- The owner of the result ---- */

/* Calls `visit` for each argument that the result may refer to, until it returns something other than 0. Returns its last result. */
static int visit_referred(referring_result *adopted,
                          int (*visit)(referring_result *adopted, const dlb_type *type, dlb_py_argument *array, int held))
{
    int result = 0;

    for (int i = 0; i < adopted->function->operand_count && result == 0; i++) {
        const dlb_py_operand *const operand = &adopted->function->operands[i];
        dlb_py_argument *const array = &adopted->arrays[i];
        const bool listed = (operand->flags & DLB_PY_ITEMS) != 0;

        if ((operand->flags & DLB_PY_REFERRED) == 0) {
            continue;
        }
        if (!listed) {
            result = visit(adopted, operand->type, array, adopted->arrays[0].held);
        }
        for (int64_t k = 0; listed && k < array->count && result == 0; k++) {
            result = visit(adopted, operand->type, &array->items[k], 1);
        }
    }
    return result;
}

/* Returns whether a result may refer to the owner: the owner has dependencies, or its object is the result. */
static bool may_be_referred(const dlb_owner *owner, const referring_result *adopted)
{
    return owner != NULL &&
           (owner->kept.let_go != NULL || dlb_owner_has_object(owner, adopted->type, adopted->object));
}

static int needs_dependency(referring_result *adopted, const dlb_type *type, dlb_py_argument *array, int held)
{
    (void)type;
    return may_be_referred(dlb_py_owner_of(array, held), adopted) || (held == 1 && array->temporary != NULL);
}

static int has_dependencies(referring_result *adopted, const dlb_type *type, dlb_py_argument *array, int held)
{
    const dlb_owner *const owner = dlb_py_owner_of(array, held);

    (void)adopted;
    (void)type;
    return (owner != NULL && owner->kept.let_go != NULL) || (held == 1 && array->temporary != NULL);
}

/* Returns 1 if the result is the struct that an import made of an argument: the result then becomes a subobject of that owner, with
 * nothing to release. Returns 0 if not, or -1 with an error. */
static int adopt_subobject(referring_result *adopted, const dlb_type *type, dlb_py_argument *array, int held)
{
    dlb_owner *const owner = dlb_py_owner_of(array, held);
    dlb_owner *const storage = owner != NULL ? dlb_owner_of_made(owner, adopted->type, adopted->object) : NULL;

    (void)type;
    if (storage == NULL) {
        return 0;
    }
    return dlb_own_subobject(storage, adopted->type, adopted->object, 0, &adopted->owner, &adopted->error) == 0 ? 1 : -1;
}

static int refuse_result_of_temporary(referring_result *adopted, const dlb_type *type)
{
    const char *const dot = strrchr(type->name, '.');

    return dlb_fail(&adopted->error, DLB_BUFFER_ERROR,
                    "%s(): the result shows memory that exists only during the call: pass a %s instead of an array",
                    adopted->function->name, dot != NULL ? dot + 1 : type->name);
}

/* Rejects a result that is the temporary struct of an argument, which ends with the call. Returns 0, or -1 with an error. */
static int refuse_temporary(referring_result *adopted, const dlb_type *type, dlb_py_argument *array, int held)
{
    if (held != 1 || array->temporary == NULL || adopted->type->value > 0 ||
        (adopted->type->state > 0 ? dlb_first_member(adopted->object) : adopted->object) != array->object) {
        return 0;
    }
    return refuse_result_of_temporary(adopted, type);
}

/* Makes the new owner keep the owner that the result refers to in this argument. Returns 0, or -1 with an error. */
static int keep_dependency(referring_result *adopted, const dlb_type *type, dlb_py_argument *array, int held)
{
    dlb_owner *const owner = dlb_py_owner_of(array, held);
    reference result;
    dlb_owner *found;

    if (held == 1 && array->temporary != NULL) {
        result = reference_of(adopted->owner, type);
        return result.known && dlb_overlaps(result.span, dlb_span_of(array->tensor)) ? refuse_result_of_temporary(adopted, type) : 0;
    }
    if (!may_be_referred(owner, adopted)) {
        return 0;
    }
    result = reference_of(adopted->owner, type);
    found = dlb_owner_find(owner, refers_to, &result);
    if (found == NULL) {
        return 0;
    }
    if (result.known) {
        adopted->owner->flags |= found->flags & DLPACK_FLAG_BITMASK_READ_ONLY;
    }
    return dlb_owner_add_dependency(adopted->owner, found, &adopted->error);
}

/* Makes the owner of the result, with all its dependencies. On failure, `owner` is NULL and `error` is set. Called by dlb_py_quietly(). */
static void adopt_with_dependencies(void *target)
{
    referring_result *const adopted = target;
    const bool in_storage = (adopted->flags & DLB_PY_IN_STORAGE) != 0;
    int result = in_storage ? 0 : visit_referred(adopted, adopt_subobject);

    if (result == 0 && !in_storage) {
        result = visit_referred(adopted, refuse_temporary);
    }
    if (result == 0) {
        result = dlb_adopt(adopted->type, adopted->object, in_storage, &adopted->owner, &adopted->error) != 0 ? -1 : 0;
        if (result == 0 && visit_referred(adopted, keep_dependency) != 0) {
            dlb_owner_drop(adopted->owner);
            result = -1;
        }
    }
    for (int i = 0; i < adopted->count && result >= 0; i++) {
        dlb_owner *const kept = adopted->kept[i]->owner;

        if (kept != NULL && dlb_owner_add_dependency(adopted->owner, kept, &adopted->error) != 0) {
            dlb_owner_drop(adopted->owner);
            result = -1;
        } else if (kept != NULL) {
            dlb_py_inherit_readonly(adopted->owner, kept);
        }
    }
    if (result < 0) {
        adopted->owner = NULL;
    }
}

bool dlb_py_any_has_dependencies(const dlb_py_function *function, dlb_py_argument *arrays)
{
    referring_result any; /* not zeroed: `error` is large */

    any.function = function;
    any.arrays = arrays;
    return visit_referred(&any, has_dependencies) != 0;
}

PyObject *dlb_py_adopt_referring(const dlb_type *type, void *object, const dlb_py_function *function,
                                 dlb_py_argument *arrays, dlb_py_argument *const *kept, int count, unsigned flags)
{
    referring_result adopted; /* not zeroed: `error` is large */

    adopted.type = type;
    adopted.object = object;
    adopted.flags = flags;
    adopted.function = function;
    adopted.arrays = arrays;
    adopted.kept = kept;
    adopted.count = count;
    if (dlb_is_null(type, object) || visit_referred(&adopted, needs_dependency) == 0) {
        return count > 0 ? dlb_py_adopt_keeping_all(type, object, kept, count, flags) : dlb_py_adopt(type, object, flags);
    }
    dlb_py_quietly(adopt_with_dependencies, &adopted);
    return dlb_py_convert_owner(type, adopted.owner, flags, &adopted.error);
}
