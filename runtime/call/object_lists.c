/* SPDX-License-Identifier: MIT-0 */
/* Lists of objects that C returns. Without reference counts an object has one owner, so each place of a table is compared with the
 * arguments that C can return, with the objects that the call has returned before, and with the places before it. */

#include "call.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- Places of a table ---- */

/* Returns the size of a place: of a pointer, or of an object by value. */
static size_t size_of_place(const dlb_type *type)
{
    return type->value > 0 ? type->value : sizeof(void *);
}

/* Returns the number of places that have an object. If C reports more objects than the table has space for, all places have one. */
static size_t used_places(const void *objects, dlb_integer count, size_t capacity)
{
    if (objects == NULL || count.status != DLB_FITS || count.value < 0 || (uint64_t)count.value > PY_SSIZE_T_MAX / sizeof(void *)) {
        return 0;
    }
    return (uint64_t)count.value < capacity ? (size_t)count.value : capacity;
}

/* ---- Objects that have an owner already ---- */

/* An object that has an owner, or that was released after a failure. */
typedef struct owned_object {
    const void *place;         /* the pointer, or the object by value */
    dlb_py_argument *argument; /* the argument, or its item; NULL: another result */
    bool is_same;              /* of an argument: Python gets the argument itself */
    PyObject *made;            /* of another result: its Python object; NULL: it was released */
} owned_object;

/* A list that is being made. */
typedef struct list_in_progress {
    const dlb_py_table *table;
    size_t size;     /* of a place */
    size_t done;     /* the number of places that are in the list */
    PyObject *list;  /* NULL: the objects are only released */
    size_t *slots;   /* a hash table of the owned objects: 1 + index of each; NULL: they are compared one by one */
    size_t last_slot; /* the number of slots - 1, whose bits are all 1 */
} list_in_progress;

static const void *place_of(const list_in_progress *making, size_t index)
{
    return (const char *)making->table->objects + index * making->size;
}

/* Returns the number of objects of an argument that C can return. Equal numbers, and structs with equal bytes, are one object only if they
 * are of one class that releases them. */
static size_t count_returnable(const dlb_py_table *table, const dlb_py_returnable *from)
{
    if (table->type->value > 0 && !table->type->points && !(from->is_same && (table->flags & DLB_PY_UNIQUE) != 0)) {
        return 0;
    }
    return from->part == DLB_PY_EACH_ITEM ? (size_t)from->argument->count : from->argument->object != NULL;
}

/* Returns the object at `index` of an argument that C can return. */
static owned_object returnable_at(const dlb_type *type, const dlb_py_returnable *from, size_t index)
{
    dlb_py_argument *const argument = from->part == DLB_PY_EACH_ITEM ? &from->argument->items[index] : from->argument;
    const void *const object = type->value > 0 ? argument->object : (const void *)&argument->object;

    return (owned_object){from->part == DLB_PY_PARAM ? from->param : object, argument, from->is_same != 0, NULL};
}

/* Returns the object at `index` of an earlier result. */
static owned_object earlier_at(const dlb_type *type, const dlb_py_earlier *from, size_t index)
{
    PyObject *made = from->made;

    if (made != NULL && from->is_list) {
        made = PyList_GetItem(made, (Py_ssize_t)index);
    }
    return (owned_object){(const char *)from->objects + index * size_of_place(type), NULL, false, made};
}

/* Finds the owned object at `index`: first come arguments, then earlier results, then places of the list itself. Returns false if there
 * are fewer. */
static bool owned_at(const list_in_progress *making, size_t index, owned_object *owned)
{
    const dlb_py_table *const table = making->table;

    for (int i = 0; i < table->returnable_count; i++) {
        const size_t count = count_returnable(table, &table->returnable[i]);

        if (index < count) {
            *owned = returnable_at(table->type, &table->returnable[i], index);
            return true;
        }
        index -= count;
    }
    for (int i = 0; i < table->earlier_count; i++) {
        const size_t count = used_places(table->earlier[i].objects, table->earlier[i].count, table->earlier[i].capacity);

        if (index < count) {
            *owned = earlier_at(table->type, &table->earlier[i], index);
            return true;
        }
        index -= count;
    }
    if (index >= making->done || (table->flags & DLB_PY_UNIQUE) == 0) {
        return false;
    }
    *owned = (owned_object){place_of(making, index), NULL, false,
                            making->list != NULL ? PyList_GetItem(making->list, (Py_ssize_t)index) : NULL};
    return true;
}

/* Returns the number of owned objects before those of the list itself. */
static size_t count_owned(const dlb_py_table *table)
{
    size_t count = 0;

    for (int i = 0; i < table->returnable_count; i++) {
        count += count_returnable(table, &table->returnable[i]);
    }
    for (int i = 0; i < table->earlier_count; i++) {
        count += used_places(table->earlier[i].objects, table->earlier[i].count, table->earlier[i].capacity);
    }
    return count;
}

/* ---- The hash table ---- */

/* Returns a hash of the bytes of a place. */
static uint64_t hash_of(const void *place, size_t size)
{
    uint64_t hash = 0;
    uint64_t word;

    for (size_t at = 0; at < size; at += sizeof word) {
        word = 0;
        memcpy(&word, (const char *)place + at, size - at < sizeof word ? size - at : sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return hash;
}

/* Finds the owned object with the bytes of `place`, and fills `owned`. Returns its slot, or the empty slot for such an object. */
static size_t *find_slot(const list_in_progress *making, const void *place, owned_object *owned)
{
    size_t at = (size_t)hash_of(place, making->size) & making->last_slot;
    size_t *slot = &making->slots[at];

    while (*slot != 0 && !(owned_at(making, *slot - 1, owned) && memcmp(owned->place, place, making->size) == 0)) {
        at = (at + 1) & making->last_slot;
        slot = &making->slots[at];
    }
    return slot;
}

/* Adds the owned object at `index` to the hash table, unless an equal object is there. */
static void add_owned(const list_in_progress *making, size_t index, const void *place)
{
    owned_object owned;
    size_t *const slot = making->slots != NULL ? find_slot(making, place, &owned) : NULL;

    if (slot != NULL && *slot == 0) {
        *slot = index + 1;
    }
}

/* Makes the hash table, with twice as many slots as there are objects, or more. Few objects are compared one by one, and so are many if
 * there is no memory for the table. */
static void hash_owned(list_in_progress *making, size_t places)
{
    enum { FEW = 8 };
    const size_t count = count_owned(making->table);
    size_t slots = 4 * FEW;
    owned_object owned;

    making->slots = NULL;
    if (count + places <= FEW || (count == 0 && (making->table->flags & DLB_PY_UNIQUE) == 0)) {
        return;
    }
    while (slots / 2 < count + places) {
        slots *= 2;
    }
    making->slots = calloc(slots, sizeof *making->slots);
    making->last_slot = slots - 1;
    for (size_t i = 0; making->slots != NULL && i < count; i++) {
        if (owned_at(making, i, &owned)) {
            add_owned(making, i, owned.place);
        }
    }
}

/* Finds the owned object with the bytes of `place`. Returns false if the object there has no owner yet. */
static bool find_owned(const list_in_progress *making, const void *place, owned_object *owned)
{
    const dlb_py_table *const table = making->table;

    if (dlb_is_zero(place, making->size) && (table->flags & DLB_PY_ZEROS) == 0) { /* NULL, or a struct without content */
        return false;
    }
    if (making->slots != NULL) {
        return *find_slot(making, place, owned) != 0;
    }
    for (size_t i = 0; owned_at(making, i, owned); i++) {
        if (memcmp(owned->place, place, making->size) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- The list ---- */

/* Returns a new reference to the Python object of an owned object. NULL with an exception. */
static PyObject *object_again(const dlb_py_table *table, void *object, const owned_object *owned)
{
    if (owned->argument == NULL) { /* if there is no object, an exception is pending */
        Py_XINCREF(owned->made);
        return owned->made;
    }
    return owned->is_same ? dlb_py_argument_object(owned->argument)
                          : dlb_py_borrowed_result(table->type, object, owned->argument, table->flags & DLB_PY_READS);
}

/* Makes the Python object of a C object without an owner. `made`: the object in the form that functions of the type take. `refers`: it may
 * refer to arguments. Returns NULL with an exception; then an object that the caller owned is released. */
static PyObject *new_object(const dlb_py_table *table, void *made, bool refers)
{
    const unsigned flags = table->flags & DLB_PY_READS;

    if ((table->flags & DLB_PY_BORROWED) != 0) {
        return dlb_py_borrowed_result(table->type, made, table->kept_count > 0 ? table->kept[0] : NULL, flags);
    }
    if (refers) {
        return dlb_py_adopt_referring(table->type, made, table->function, table->arrays, table->kept, table->kept_count, flags);
    }
    return table->kept_count > 0 ? dlb_py_adopt_keeping_all(table->type, made, table->kept, table->kept_count, flags)
                                 : dlb_py_adopt(table->type, made, flags);
}

/* Makes the Python object of a place. `any_refers`: each object may refer to arguments; otherwise those do that are arguments. Returns NULL
 * with an exception; then an object that the caller owned is released, unless it has an owner. */
static PyObject *object_of_place(const list_in_progress *making, const void *place, bool any_refers)
{
    const dlb_py_table *const table = making->table;
    const dlb_type *const type = table->type;
    void *object = type->value > 0 ? (void *)(uintptr_t)place : dlb_first_member(place);
    dlb_py_values values = {.large = NULL};
    owned_object owned;
    const bool is_owned = (table->flags & DLB_PY_BORROWED) == 0 && find_owned(making, place, &owned);
    PyObject *result;

    if (is_owned && table->function == NULL && (owned.argument == NULL || owned.is_same)) {
        return object_again(table, object, &owned);
    }
    if (type->state > 0) {
        void *const state = dlb_py_allocate_values(&values, type->state, type->defaults);

        if (state == NULL) {
            return NULL; /* not covered: a struct of more than 256 bytes that C passes by value, and no memory */
        }
        object = memcpy(state, type->value > 0 ? object : (void *)&object, making->size);
    }
    result = is_owned && table->function == NULL ? object_again(table, object, &owned)
                                                 : new_object(table, object, table->function != NULL && (any_refers || is_owned));
    if (type->state > 0) {
        dlb_py_free_values(&values);
    }
    return result;
}

/* Checks the number of objects in a table. Returns 0, or -1 with an exception. */
static int check_table(const dlb_py_table *table)
{
    const dlb_integer count = table->count;
    dlb_error error;

    if (PyErr_Occurred()) { /* another result, or a call in the count, has failed */
        return -1;
    }
    if (count.status != DLB_FITS || count.value < 0 || (uint64_t)count.value > PY_SSIZE_T_MAX / sizeof(void *)) {
        (void)dlb_fail(&error, DLB_VALUE_ERROR, "the number of objects (%s) is %" PRId64, count.expression, count.value);
    } else if ((uint64_t)count.value > table->capacity) {
        (void)dlb_fail(&error, DLB_VALUE_ERROR, "the number of objects (%s) is %" PRId64 ", and C had space for %zu",
                       count.expression, count.value, table->capacity);
    } else if (table->objects == NULL && count.value > 0) {
        (void)dlb_fail(&error, DLB_RUNTIME_ERROR, "the table of %" PRId64 " objects (%s) is NULL", count.value, count.expression);
    } else {
        return 0;
    }
    (void)dlb_py_raise(&error);
    return -1;
}

/* Fills the list with the objects of the places. If an object fails, the others are made all the same: adopting them releases them. Returns
 * whether the list is complete. */
static bool fill_list(list_in_progress *making, size_t places)
{
    const dlb_py_table *const table = making->table;
    const size_t first = count_owned(table);
    const bool any_refers = table->function != NULL && dlb_py_any_has_dependencies(table->function, table->arrays);
    const bool is_too_small = (uint64_t)table->count.value > table->capacity;
    bool is_complete = making->list != NULL;

    hash_owned(making, places);
    for (size_t i = 0; i < places; i++) {
        const void *const place = place_of(making, i);
        const bool is_unused = is_too_small && dlb_is_zero(place, making->size); /* C need not have filled all places */
        PyObject *const item = is_unused ? NULL : object_of_place(making, place, any_refers);

        if (making->list == NULL) {
            dlb_py_discard(item);
        } else if (item != NULL) {
            (void)PyList_SetItem(making->list, (Py_ssize_t)i, item); /* the index is valid */
        } else {
            is_complete = false;
        }
        making->done = i + 1;
        if ((table->flags & DLB_PY_UNIQUE) != 0) {
            add_owned(making, first + i, place);
        }
    }
    free(making->slots);
    return is_complete;
}

PyObject *dlb_py_from_objects(const dlb_py_table *table)
{
    const bool is_valid = check_table(table) == 0;
    const size_t places = used_places(table->objects, table->count, table->capacity);
    list_in_progress making = {.table = table, .size = size_of_place(table->type)};

    making.list = is_valid ? PyList_New((Py_ssize_t)places) : NULL;
    if (making.list == NULL && (table->flags & DLB_PY_BORROWED) != 0) { /* no object needs a release */
        return NULL;
    }
    if (fill_list(&making, places)) {
        return making.list;
    }
    dlb_py_discard(making.list);
    return NULL;
}

int dlb_py_is_earlier(const dlb_type *type, const void *object, unsigned flags, const dlb_py_earlier *earlier, int count, PyObject **made)
{
    const dlb_py_table table = {.type = type, .flags = flags, .earlier = earlier, .earlier_count = count};
    const list_in_progress making = {.table = &table, .size = size_of_place(type)};
    owned_object owned;

    if (!find_owned(&making, object, &owned)) {
        return 0;
    }
    Py_XINCREF(owned.made);
    *made = owned.made;
    return 1;
}
