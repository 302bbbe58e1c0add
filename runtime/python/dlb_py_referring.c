/* SPDX-License-Identifier: MIT-0 */
/* Wraps results that refer to arguments: further references to their structs, and views of their memory.
 *
 * A library that counts references keeps its own memory alive. The memory of arrays, and structs that imports made, belong to owners,
 * which the result must keep alive. */
#include "dlb_py_call.h"

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

    if (same && (owner->foreign || dlb_owner_stores_object(owner))) {
        return true;
    }
    if (!owner->foreign) {
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
static int visit_referred(referring_result *given,
                          int (*visit)(referring_result *given, const dlb_type *type, dlb_py_argument *array, int held))
{
    int result = 0;

    for (int i = 0; i < given->function->operand_count && result == 0; i++) {
        const dlb_py_operand *const operand = &given->function->operands[i];
        dlb_py_argument *const array = &given->arrays[i];
        const bool listed = (operand->flags & DLB_PY_ITEMS) != 0;

        if ((operand->flags & DLB_PY_REFERRED) == 0) {
            continue;
        }
        if (!listed) {
            result = visit(given, operand->type, array, given->arrays[0].held);
        }
        for (int64_t k = 0; listed && k < array->count && result == 0; k++) {
            result = visit(given, operand->type, &array->items[k], 1);
        }
    }
    return result;
}

/* Returns whether a result may refer to the owner: the owner has dependencies, or its object is the result. */
static bool may_be_referred(const dlb_owner *owner, const referring_result *given)
{
    return owner != NULL &&
           (owner->kept.let_go != NULL || dlb_owner_has_object(owner, given->type, given->object));
}

static int needs_dependency(referring_result *given, const dlb_type *type, dlb_py_argument *array, int held)
{
    (void)type;
    return may_be_referred(dlb_py_owner_of(array, held), given) || (held == 1 && array->temporary != NULL);
}

/* Returns 1 if the result is the struct that an import made of an argument: the result then becomes a subobject of that owner, with
 * nothing to release. Returns 0 if not, or -1 with an error. */
static int adopt_subobject(referring_result *given, const dlb_type *type, dlb_py_argument *array, int held)
{
    dlb_owner *const owner = dlb_py_owner_of(array, held);
    dlb_owner *const storage = owner != NULL ? dlb_owner_of_made(owner, given->type, given->object) : NULL;

    (void)type;
    if (storage == NULL) {
        return 0;
    }
    return dlb_own_subobject(storage, given->type, given->object, 0, &given->owner, &given->error) == 0 ? 1 : -1;
}

static int refuse_result_of_temporary(referring_result *given, const dlb_type *type)
{
    const char *const dot = strrchr(type->name, '.');

    return dlb_fail(&given->error, DLB_BUFFER_ERROR,
                    "%s(): the result shows memory that exists only during the call: pass a %s instead of an array",
                    given->function->name, dot != NULL ? dot + 1 : type->name);
}

/* Rejects a result that is the temporary struct of an argument, which ends with the call. Returns 0, or -1 with an error. */
static int refuse_temporary(referring_result *given, const dlb_type *type, dlb_py_argument *array, int held)
{
    if (held != 1 || array->temporary == NULL || given->type->value > 0 ||
        (given->type->state > 0 ? dlb_first_member(given->object) : given->object) != array->object) {
        return 0;
    }
    return refuse_result_of_temporary(given, type);
}

/* Makes the new owner keep the owner that the result refers to in this argument. Returns 0, or -1 with an error. */
static int keep_dependency(referring_result *given, const dlb_type *type, dlb_py_argument *array, int held)
{
    dlb_owner *const owner = dlb_py_owner_of(array, held);
    reference result;
    dlb_owner *found;

    if (held == 1 && array->temporary != NULL) {
        result = reference_of(given->owner, type);
        return result.known && dlb_overlaps(result.span, dlb_span_of(array->tensor)) ? refuse_result_of_temporary(given, type) : 0;
    }
    if (!may_be_referred(owner, given)) {
        return 0;
    }
    result = reference_of(given->owner, type);
    found = dlb_owner_find(owner, refers_to, &result);
    if (found == NULL) {
        return 0;
    }
    if (result.known) {
        given->owner->flags |= found->flags & DLPACK_FLAG_BITMASK_READ_ONLY;
    }
    return dlb_owner_outlive_too(given->owner, found, &given->error);
}

/* Makes the owner of the result, with all its dependencies. On failure, `owner` is NULL and `error` is set. Called by dlb_py_quietly(). */
static void adopt_with_dependencies(void *target)
{
    referring_result *const given = target;
    const bool in_storage = (given->flags & DLB_PY_IN_STORAGE) != 0;
    int result = in_storage ? 0 : visit_referred(given, adopt_subobject);

    if (result == 0 && !in_storage) {
        result = visit_referred(given, refuse_temporary);
    }
    if (result == 0) {
        result = dlb_adopt(given->type, given->object, in_storage, &given->owner, &given->error) != 0 ? -1 : 0;
        if (result == 0 && visit_referred(given, keep_dependency) != 0) {
            dlb_owner_drop(given->owner);
            result = -1;
        }
    }
    for (int i = 0; i < given->count && result >= 0; i++) {
        if (given->kept[i]->owner != NULL && dlb_owner_outlive_too(given->owner, given->kept[i]->owner, &given->error) != 0) {
            dlb_owner_drop(given->owner);
            result = -1;
        }
    }
    if (result < 0) {
        given->owner = NULL;
    }
}

PyObject *dlb_py_adopt_referring(const dlb_type *type, void *object, const dlb_py_function *function,
                                 dlb_py_argument *arrays, dlb_py_argument *const *kept, int count, unsigned flags)
{
    referring_result given; /* not zeroed: `error` is large */

    given.type = type;
    given.object = object;
    given.flags = flags;
    given.function = function;
    given.arrays = arrays;
    given.kept = kept;
    given.count = count;
    if (dlb_is_null(type, object) || visit_referred(&given, needs_dependency) == 0) {
        return count > 0 ? dlb_py_adopt_keeping_all(type, object, kept, count, flags) : dlb_py_adopt(type, object, flags);
    }
    dlb_py_quietly(adopt_with_dependencies, &given);
    return dlb_py_convert_owner(type, given.owner, flags, &given.error);
}
