/* SPDX-License-Identifier: MIT-0 */
/* How objects get owners: those that move in or are counted, those that the library has made for the caller, those that live in
 * others. No function here knows Python. */
#include "dlb_internal.h"

#include <string.h>

/* ---- Room for objects that the library does not allocate ---- */

void *dlb_room(const dlb_type *type, size_t size, dlb_error *error)
{
    void *room;

    return dlb_owner_new(type, size, &room, error) != NULL ? room : NULL;
}

static dlb_owner *owner_of_room(const dlb_type *type, void *room)
{
    return (dlb_owner *)(void *)((char *)room - dlb_owner_box_at(type));
}

void dlb_leave_room(const dlb_type *type, void *room)
{
    if (room != NULL) {
        dlb_owner_disown(owner_of_room(type, room));
    }
}

/* ---- Objects that move in, or of which the owner takes a reference ---- */

/* An owner of `object`, still without anything that would have to be given back; NULL with `error` filled. */
static dlb_owner *owner_of(const dlb_type *type, void *object, int in_room, dlb_error *error)
{
    dlb_owner *owner;

    if (dlb_is_null(type, object)) {
        (void)dlb_fail(error, DLB_VALUE_ERROR, "%s: the object is NULL", type->name);
        return NULL;
    }
    owner = in_room ? owner_of_room(type, type->state > 0 ? dlb_first_member(object) : object)
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

/* Computes what the state is to hold. */
static int hold(dlb_owner *owner, dlb_error *error)
{
    return owner->type->hold != NULL ? owner->type->hold(owner->object, error) : 0;
}

/* Makes sure that the object, which is to be released, is so on the right thread. */
static int enlist(dlb_owner *owner, dlb_error *error)
{
    return owner->type->release_on == DLB_RELEASE_CREATOR ? dlb_creator_enlist(owner, error) : 0;
}

/* Takes a reference of its own, if the type has such. */
static int refer(dlb_owner *owner, dlb_error *error)
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

static int own_particular(const dlb_type *type, void *object, dlb_owner **out, dlb_error *error)
{
    dlb_owner *const owner = owner_of(type, object, 0, error);

    if (owner == NULL) {
        return -1;
    }
    if (hold(owner, error) != 0 || enlist(owner, error) != 0 || refer(owner, error) != 0) {
        dlb_owner_disown(owner);
        return -1;
    }
    owner->release = type->release;
    *out = owner;
    return 0;
}

/* An owner to which there is nothing but the object; NULL with `error` filled. */
static inline dlb_owner *own_plainly(const dlb_type *type, void *object, dlb_error *error)
{
    const int32_t capacity = dlb_capacity(type->ndim);
    dlb_owner *const owner = dlb_owner_alloc(type, capacity, dlb_owner_size(capacity), error);

    if (DLB_LIKELY(owner != NULL)) {
        owner->object = object;
        owner->release = type->release;
        if (type->describe == NULL) {
            owner->special = &dlb_special_of_handles;
        }
    }
    return owner;
}

int dlb_own(const dlb_type *type, void *object, dlb_owner **out, dlb_error *error)
{
    dlb_owner *owner;

    if (DLB_UNLIKELY(!dlb_is_plain_type(type) || object == NULL)) {
        return own_particular(type, object, out, error);
    }
    owner = own_plainly(type, object, error);
    if (DLB_UNLIKELY(owner == NULL)) {
        return -1;
    }
    if (type->retain != NULL) {
        type->retain(object);
    }
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

int dlb_adopt(const dlb_type *type, void *object, int in_room, dlb_owner **out, dlb_error *error)
{
    dlb_owner *owner;

    if (DLB_LIKELY(!in_room && object != NULL && dlb_is_plain_type(type))) {
        owner = own_plainly(type, object, error);
        if (DLB_UNLIKELY(owner == NULL)) {
            release(type, object);
            return -1;
        }
        *out = owner;
        return 0;
    }
    owner = owner_of(type, object, in_room, error);

    if (owner == NULL && !dlb_is_null(type, object)) {
        if (type->hold != NULL) {
            (void)type->hold(object, NULL); /* the release may refer to it */
        }
        release(type, object);
    }
    if (owner == NULL) {
        return -1;
    }
    if (hold(owner, error) != 0 || enlist(owner, error) != 0) {
        release(type, owner->object);
        dlb_owner_disown(owner);
        return -1;
    }
    owner->release = type->release;
    *out = owner;
    return 0;
}

/* ---- Objects that live in others ---- */

static void drop_whole(void *keeper)
{
    dlb_owner_drop(keeper);
}

bool dlb_owner_is_within(const dlb_owner *owner)
{
    return owner->within;
}

/* Makes an owner that nobody else knows keep `whole`. */
static void keep_whole(dlb_owner *owner, dlb_owner *whole)
{
    dlb_owner_keep(whole);
    owner->flags = whole->flags;
    owner->keeper = whole;
    owner->let_go = drop_whole;
    owner->within = true;
}

void dlb_owner_outlive(dlb_owner *owner, dlb_owner *other)
{
    dlb_owner_keep(other);
    owner->keeper = other;
    owner->let_go = drop_whole;
    owner->apart = true;
}

/* One more that an owner keeps. */
typedef struct another {
    dlb_owner *other;
    const void *by; /* whose later calls let go of it; NULL: nobody's */
    bool former;    /* such a call has begun */
    void (*let_go)(void *keeper); /* what it kept before; NULL: nothing */
    void *keeper;
} another;

/* They may be many: no call inside of another. */
static void drop_another(void *keeper)
{
    void (*let_go)(void *) = drop_another;

    while (let_go == drop_another) {
        another *const kept = keeper;

        let_go = kept->let_go;
        keeper = kept->keeper;
        dlb_owner_drop(kept->other);
        free(kept);
    }
    if (let_go != NULL) {
        let_go(keeper);
    }
}

static int keep_another(dlb_owner *owner, dlb_owner *other, const void *by, dlb_error *error)
{
    another *const kept = malloc(sizeof *kept);

    if (kept == NULL) {
        return dlb_fail(error, DLB_MEMORY_ERROR, "%s: no memory", owner->type->name);
    }
    dlb_owner_keep(other);
    *kept = (another){other, by, false, owner->let_go, owner->keeper};
    owner->let_go = drop_another;
    owner->keeper = kept;
    return 0;
}

int dlb_owner_outlive_too(dlb_owner *owner, dlb_owner *other, dlb_error *error)
{
    if (owner->let_go == NULL) {
        dlb_owner_outlive(owner, other);
        return 0;
    }
    return keep_another(owner, other, NULL, error);
}

/* The owner of the memory in which the object lies. */
static dlb_owner *home_of(dlb_owner *owner)
{
    while (owner->release == NULL && owner->let_go == drop_whole && !owner->apart) {
        owner = owner->keeper;
    }
    return owner;
}

/* Whether the object ends with its owner: it is released then, by nobody's count, or it is a struct in the owner's block. */
static bool ends_with(dlb_owner *owner)
{
    const bool counted = owner->type->retain != NULL || owner->type->clone != NULL;

    return owner->release != NULL ? !counted
                                  : dlb_owner_object(owner) == (void *)((char *)owner + dlb_owner_box_at(owner->type));
}

int dlb_owner_keep_others(dlb_owner *owner, dlb_owner *const *others, int count, const void *by, dlb_error *error)
{
    dlb_owner *const home = home_of(owner);

    if (!ends_with(home)) {
        return dlb_fail(error, DLB_TYPE_ERROR, "%s: it can keep nothing, since only the library knows when it ends",
                        owner->type->name);
    }
    for (another *kept = home->let_go == drop_another ? home->keeper : NULL; kept != NULL;
         kept = kept->let_go == drop_another ? kept->keeper : NULL) {
        kept->former = kept->former || kept->by == by;
    }
    for (int i = 0; i < count; i++) {
        if (home_of(others[i]) != home && keep_another(home, others[i], by, error) != 0) { /* else it lives as long anyway */
            return -1;
        }
    }
    return 0;
}

void dlb_owner_forget(dlb_owner *owner, const void *by)
{
    dlb_owner *const home = home_of(owner);
    void (**let_go)(void *) = &home->let_go;
    void **keeper = &home->keeper;
    another *forgotten = NULL;

    while (*let_go == drop_another) {
        another *const kept = *keeper;

        if (kept->by == by && kept->former) {
            *let_go = kept->let_go;
            *keeper = kept->keeper;
            kept->let_go = forgotten != NULL ? drop_another : NULL;
            kept->keeper = forgotten;
            forgotten = kept;
        } else {
            let_go = &kept->let_go;
            keeper = &kept->keeper;
        }
    }
    if (forgotten != NULL) {
        drop_another(forgotten);
    }
}

dlb_owner *dlb_owner_outlived(dlb_owner *owner)
{
    return owner->apart && owner->let_go == drop_whole ? owner->keeper : owner;
}

int dlb_own_within(dlb_owner *whole, const dlb_type *type, void *object, int in_room, dlb_owner **out,
                   dlb_error *error)
{
    const bool counted = type->retain != NULL || type->clone != NULL;
    dlb_owner *const owner = owner_of(type, object, in_room, error);

    if (owner == NULL) {
        return -1;
    }
    if (hold(owner, error) != 0 || (counted && (enlist(owner, error) != 0 || refer(owner, error) != 0))) {
        dlb_owner_disown(owner);
        return -1;
    }
    owner->release = counted ? type->release : NULL;
    owner->within = true;
    if (whole != NULL) {
        const uint32_t flags = whole->flags;

        if (whole->release == NULL && whole->let_go == drop_whole && !whole->apart) {
            whole = whole->keeper; /* its object lives in that one itself: no chain grows */
        }
        keep_whole(owner, whole);
        owner->flags |= flags;
    }
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

/* Takes from the whole what both have. */
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
    if (whole->part && whole->let_go == drop_whole) { /* both are of the same whole */
        whole = whole->keeper;
    }
    dlb_owner_put(owner, dlb_owner_object(whole));
    if (hold(owner, error) != 0) {
        dlb_owner_disown(owner);
        return -1;
    }
    owner->part = true;
    keep_whole(owner, whole);
    *out = owner;
    return 0;
}
