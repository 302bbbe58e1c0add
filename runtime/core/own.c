/* SPDX-License-Identifier: MIT-0 */
/* Makes owners of the objects of a library. */

#include "owner.h"

#include <string.h>

/* ---- Storage for objects that the library does not allocate ---- */

void *dlb_new_storage(const dlb_type *type, size_t size, dlb_error *error)
{
    void *storage;

    return dlb_owner_new(type, size, &storage, error) != NULL ? storage : NULL;
}

/* Returns the owner whose box is `storage`. */
static dlb_owner *owner_of_storage(const dlb_type *type, void *storage)
{
    return (dlb_owner *)(void *)((char *)storage - dlb_owner_box_at(type));
}

void dlb_free_storage(const dlb_type *type, void *storage)
{
    if (storage != NULL) {
        dlb_owner_free(owner_of_storage(type, storage));
    }
}

/* ---- Objects that move into an owner, or that an owner takes a reference to ---- */

/* Allocates an owner of `object` that releases nothing yet. `in_storage`: the object lies in memory of dlb_new_storage().
 * Returns NULL with `error` filled on failure. */
static dlb_owner *owner_of(const dlb_type *type, void *object, int in_storage, dlb_error *error)
{
    dlb_owner *owner;

    if (dlb_is_null(type, object)) {
        (void)dlb_fail(error, DLB_VALUE_ERROR, "%s: the object is NULL", type->name);
        return NULL;
    }
    owner = in_storage ? owner_of_storage(type, type->state > 0 ? dlb_first_member(object) : object)
                       : dlb_owner_new(type, 0, NULL, error);
    if (owner == NULL) {
        return NULL;
    }
    if (type->state > 0) {
        memcpy(owner->object, object, type->state);
    } else {
        owner->object = object;
    }
    return owner;
}

/* Computes the members of the state. */
static int hold(dlb_owner *owner, dlb_error *error)
{
    return owner->type->hold != NULL ? owner->type->hold(owner->object, error) : 0;
}

/* Makes sure that the creating thread releases the object, if the type requires that. */
static int enlist(dlb_owner *owner, dlb_error *error)
{
    return owner->type->release_on == DLB_RELEASE_CREATOR ? dlb_creator_enlist(owner, error) : 0;
}

/* Takes a reference to the object, if the type has `clone` or `retain`. */
static int take_reference(dlb_owner *owner, dlb_error *error)
{
    const dlb_type *const type = owner->type;

    if (type->clone != NULL) {
        if (type->clone(owner->object, error) != 0) {
            return -1;
        }
        return dlb_is_null(type, owner->object)
                   ? dlb_fail(error, DLB_RUNTIME_ERROR, "%s: the clone of the object is NULL", type->name)
                   : 0;
    }
    if (type->retain != NULL) {
        type->retain(owner->object);
    }
    return 0;
}

/* Makes an owner of an object of any type: computes its state, and takes a reference if the type has one. */
static int own_any(const dlb_type *type, void *object, dlb_owner **out, dlb_error *error)
{
    dlb_owner *const owner = owner_of(type, object, 0, error);

    if (owner == NULL) {
        return -1;
    }
    if (hold(owner, error) != 0 || enlist(owner, error) != 0 || take_reference(owner, error) != 0) {
        dlb_owner_free(owner);
        return -1;
    }
    owner->release = type->release;
    DLB_CHECK(dlb_checked_owned(owner, DLB_CHECKED_OWNED));
    *out = owner;
    return 0;
}

/* Allocates an owner of an object of a trivial type. Returns NULL with `error` filled if memory runs out. */
static inline dlb_owner *own_trivial(const dlb_type *type, void *object, dlb_error *error)
{
    const int32_t capacity = dlb_capacity(type->ndim);
    dlb_owner *const owner = dlb_owner_alloc(type, capacity, dlb_owner_size(capacity), error);

    if (DLB_LIKELY(owner != NULL)) {
        owner->object = object;
        owner->release = type->release;
        if (type->describe == NULL) {
            owner->hooks = &dlb_hook_state_of_handles;
        }
    }
    return owner;
}

int dlb_own(const dlb_type *type, void *object, dlb_owner **out, dlb_error *error)
{
    dlb_owner *owner;

    if (DLB_UNLIKELY(!dlb_is_trivial_type(type) || object == NULL)) {
        return own_any(type, object, out, error);
    }
    owner = own_trivial(type, object, error);
    if (DLB_UNLIKELY(owner == NULL)) {
        return -1;
    }
    if (type->retain != NULL) {
        type->retain(object);
    }
    DLB_CHECK(dlb_checked_owned(owner, DLB_CHECKED_OWNED));
    *out = owner;
    return 0;
}

/* ---- Objects that the library has made for the caller ---- */

static void release(const dlb_type *type, void *object)
{
    if (type->release != NULL) {
        type->release(object);
    }
}

int dlb_adopt(const dlb_type *type, void *object, int in_storage, dlb_owner **out, dlb_error *error)
{
    dlb_owner *owner;

    if (DLB_LIKELY(!in_storage && object != NULL && dlb_is_trivial_type(type))) {
        owner = own_trivial(type, object, error);
        if (DLB_UNLIKELY(owner == NULL)) {
            release(type, object);
            return -1;
        }
        DLB_CHECK(dlb_checked_owned(owner, DLB_CHECKED_ADOPTED));
        *out = owner;
        return 0;
    }
    owner = owner_of(type, object, in_storage, error);

    if (owner == NULL && !dlb_is_null(type, object)) {
        if (type->hold != NULL) {
            (void)type->hold(object, NULL); /* the release may use the state */
        }
        release(type, object);
    }
    if (owner == NULL) {
        return -1;
    }
    if (hold(owner, error) != 0 || enlist(owner, error) != 0) {
        release(type, owner->object);
        dlb_owner_free(owner);
        return -1;
    }
    owner->release = type->release;
    DLB_CHECK(dlb_checked_owned(owner, DLB_CHECKED_ADOPTED));
    *out = owner;
    return 0;
}

/* ---- Read-only objects ---- */

/* Returns whether the memory is read-only for another reason than a `const`. */
static bool is_fixed(const dlb_owner *owner)
{
    return owner->constness != DLB_NOT_CONST ? owner->constness == DLB_CONST_AND_FIXED
                                             : (owner->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
}

void dlb_owner_set_const(dlb_owner *owner)
{
    owner->constness = is_fixed(owner) ? DLB_CONST_AND_FIXED : DLB_CONST;
    if (!owner->type->declares_readonly) {
        owner->flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
    }
}

/* Makes a subobject of `whole` read-only or constant, if `whole` is. */
static void restrict_writing(dlb_owner *owner, const dlb_owner *whole)
{
    if (is_fixed(whole)) {
        owner->flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
    }
    if (whole->constness != DLB_NOT_CONST) {
        dlb_owner_set_const(owner);
    }
}

/* ---- Subobjects ---- */

int dlb_own_subobject(dlb_owner *whole, const dlb_type *type, void *object, int in_storage, dlb_owner **out,
                      dlb_error *error)
{
    const bool counted = (type->retain != NULL || type->clone != NULL) &&
                         (whole == NULL || in_storage || dlb_owner_of_made(whole, type, object) == NULL);
    dlb_owner *const owner = owner_of(type, object, in_storage, error);

    if (owner == NULL) {
        return -1;
    }
    if (hold(owner, error) != 0 || (counted && (enlist(owner, error) != 0 || take_reference(owner, error) != 0))) {
        dlb_owner_free(owner);
        return -1;
    }
    owner->release = counted ? type->release : NULL;
    owner->origin = DLB_FROM_WHOLE;
    if (whole != NULL) {
        restrict_writing(owner, whole);
        if (whole->release == NULL && dlb_owner_whole(whole) != NULL) {
            whole = dlb_owner_whole(whole); /* `whole` is itself a subobject: keep its owner, so that no chain grows */
        }
        dlb_owner_set_whole(owner, whole);
    }
    DLB_CHECK(dlb_checked_owned(owner, DLB_CHECKED_SHARED));
    *out = owner;
    return 0;
}

const dlb_param *dlb_inherited(const dlb_type *whole, const dlb_param *param)
{
    for (size_t i = 0; param->type != NULL && i < whole->param_count; i++) {
        const dlb_param *const own = &whole->params[i];

        if (own->type != NULL && strcmp(own->name, param->name) == 0 && strcmp(own->type, param->type) == 0 &&
            own->size == param->size) {
            return own;
        }
    }
    return NULL;
}

/* Copies the parameters that both types have from the state of `whole`. */
static void inherit(dlb_owner *part, const dlb_owner *whole)
{
    for (size_t i = 0; i < part->type->param_count; i++) {
        const dlb_param *const param = &part->type->params[i];
        const dlb_param *const own = dlb_inherited(whole->type, param);

        if (own != NULL) {
            memcpy((char *)part->object + param->offset, (const char *)whole->object + own->offset, param->size);
        }
    }
}

int dlb_own_part(dlb_owner *whole, const dlb_type *type, const void *state, dlb_owner **out, dlb_error *error)
{
    const char *const shares = whole->type->shares;
    dlb_owner *owner;

    if (shares == NULL || type->shares == NULL || strcmp(shares, type->shares) != 0) {
        return dlb_fail(error, DLB_TYPE_ERROR, "%s cannot be made of %s: they are of different C types", type->name,
                        whole->type->name);
    }
    owner = dlb_owner_new(type, 0, NULL, error);
    if (owner == NULL) {
        return -1;
    }
    if (type->state > 0 && state != NULL) {
        memcpy(owner->object, state, type->state);
    } else if (type->defaults != NULL) {
        type->defaults(owner->object);
    }
    inherit(owner, whole);
    if (whole->origin == DLB_FROM_SAME && dlb_owner_whole(whole) != NULL) { /* both are parts of the same object */
        whole = dlb_owner_whole(whole);
    }
    dlb_owner_set_object(owner, dlb_owner_object(whole));
    if (hold(owner, error) != 0) {
        dlb_owner_free(owner);
        return -1;
    }
    owner->origin = DLB_FROM_SAME;
    dlb_owner_set_whole(owner, whole);
    restrict_writing(owner, whole);
    DLB_CHECK(dlb_checked_owned(owner, DLB_CHECKED_SHARED));
    *out = owner;
    return 0;
}
