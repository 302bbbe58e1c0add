/* SPDX-License-Identifier: MIT-0 */
/* Owners and their objects: what is known of each, and the calls that get them. */

#include "layer.h"

#include "../../core/exchange.h"

#include <string.h>

/* ---- Records of owners ---- */

enum { MOST_RECORDED = 8 }; /* axes */

/* An owner that lives. */
typedef struct record {
    dlb_owner *owner;
    const dlb_type *type;
    void *object; /* of the library; NULL: a struct by value */
    dlb_block block; /* of the heap, with the object; `start` NULL: it lies elsewhere */
    const char *by; /* the wrapper that has made it */
    dlb_checked_way way;
    bool is_in_owner; /* the struct lies in the block of the owner, or is passed by value */
    bool releases;
    bool is_releasing;
    bool was_alive;   /* before `release`: the block of the object was not freed */
    bool is_reported; /* a finding has told that its memory is freed */
    /* the last export */
    bool is_described;
    bool is_compact;
    char *low;
    size_t span;
    void *data;
    int ndim;
    int64_t shape[MOST_RECORDED];
    dlb_block data_block; /* before `release`: the living block with its data */
    /* the last call that got the object as another argument than `self` */
    const char *passed_function;
    const char *passed_argument;
    /* the call that got the object, as `self` too, and during which the library freed it; NULL: none did */
    const char *freed_function;
    const char *freed_argument;
    bool freed_by_failure; /* the call raised an exception */
    const char *returned_by; /* a wrapper that got the object, and whose C function returned it; NULL: none */
    const char *foreign; /* the memory of the array that an import was made from, if it is known */
    struct shadow *shadow; /* of the array that the object shows, if it exists for a call; else NULL */
    struct record *next_of_object; /* another owner of the object */
    struct record *next_export;    /* in the list of objects with exports, or of free records */
    struct record *previous_export;
    bool is_exported;
} record;

static record *free_of_objects;
static int64_t imports; /* how many records have `foreign` */

/* ---- Hash tables of addresses ---- */

typedef struct slot {
    const void *key; /* NULL: free */
    record *value;
} slot;

typedef struct table {
    slot *slots;
    size_t capacity; /* a power of two */
    size_t count;
} table;

static table by_owner, by_object;

static size_t hash_of_address(const void *address)
{
    const uint64_t hash = (uintptr_t)address * UINT64_C(0x9E3779B97F4A7C15);

    return (size_t)(hash >> 20);
}

static slot *find_slot(const table *in, const void *key)
{
    size_t at = hash_of_address(key) & (in->capacity - 1);

    while (in->slots[at].key != NULL && in->slots[at].key != key) {
        at = (at + 1) & (in->capacity - 1);
    }
    return &in->slots[at];
}

static record *find_record(const table *in, const void *key)
{
    return in->capacity > 0 ? find_slot(in, key)->value : NULL;
}

/* Makes space for one more key. Returns false if memory runs out. */
static bool grow_table(table *of)
{
    const table old = *of;

    if (of->count * 2 < of->capacity) {
        return true;
    }
    of->capacity = old.capacity > 0 ? old.capacity * 2 : 4096;
    of->slots = dlb_memory_table(of->capacity * sizeof *of->slots);
    if (of->slots == NULL) {
        *of = old;
        return false;
    }
    for (size_t i = 0; i < old.capacity; i++) {
        if (old.slots[i].key != NULL) {
            *find_slot(of, old.slots[i].key) = old.slots[i];
        }
    }
    if (old.slots != NULL) {
        dlb_memory_table_free(old.slots, old.capacity * sizeof *old.slots);
    }
    return true;
}

/* Stores the value of a key; NULL removes the key. Returns false if memory runs out. */
static bool store(table *in, const void *key, record *value)
{
    slot *place;
    size_t at, next;

    if (value != NULL && !grow_table(in)) {
        return false;
    }
    place = find_slot(in, key);
    if (value != NULL) {
        in->count += place->key == NULL;
        *place = (slot){key, value};
        return true;
    }
    if (place->key == NULL) {
        return true;
    }
    in->count--;
    at = (size_t)(place - in->slots);
    for (next = (at + 1) & (in->capacity - 1); in->slots[next].key != NULL; next = (next + 1) & (in->capacity - 1)) {
        const size_t home = hash_of_address(in->slots[next].key) & (in->capacity - 1);

        if (((next - home) & (in->capacity - 1)) >= ((next - at) & (in->capacity - 1))) { /* it can move to the free slot */
            in->slots[at] = in->slots[next];
            at = next;
        }
    }
    in->slots[at] = (slot){NULL, NULL};
    return true;
}

/* ---- Objects with exports: the newest come first ---- */

static record *exported, *exported_last;
static record *next_checked; /* where the check of older ones goes on */

static void unlink_export(record *of)
{
    if (!of->is_exported) {
        return;
    }
    if (next_checked == of) {
        next_checked = of->next_export;
    }
    *(of->previous_export != NULL ? &of->previous_export->next_export : &exported) = of->next_export;
    *(of->next_export != NULL ? &of->next_export->previous_export : &exported_last) = of->previous_export;
    of->is_exported = false;
}

static void link_export(record *of)
{
    unlink_export(of);
    of->next_export = exported;
    of->previous_export = NULL;
    *(exported != NULL ? &exported->previous_export : &exported_last) = of;
    exported = of;
    of->is_exported = true;
}

/* Removes an owner from all tables. */
static void remove_record(record *of)
{
    if (of->shadow != NULL) {
        end_import(of->shadow);
        of->shadow = NULL;
    }
    imports -= of->foreign != NULL;
    unlink_export(of);
    (void)store(&by_owner, of->owner, NULL);
    if (of->object != NULL) {
        record *const first = find_record(&by_object, of->object);

        if (first == of) {
            (void)store(&by_object, of->object, of->next_of_object);
        }
        for (record *each = first; each != NULL && each != of; each = each->next_of_object) {
            if (each->next_of_object == of) {
                each->next_of_object = of->next_of_object;
                break;
            }
        }
    }
    of->next_export = free_of_objects;
    free_of_objects = of;
}

/* ---- Released objects ---- */

typedef struct released_object {
    const char *start;
    size_t size;
    const char *data; /* the block of its elements that was freed with it; NULL: none */
    size_t data_size;
    const char *class;
    const char *by;
    const char *passed_function;
    const char *passed_argument;
    bool is_import; /* of the memory of a foreign array, which is reported */
} released_object;

enum { MOST_RELEASED = 16384 };

static released_object *released_objects;
static size_t released_count;

static bool contains(const char *start, size_t size, const char *at)
{
    return start != NULL && at >= start && at < start + (size > 0 ? size : 1);
}

static bool is_freed(const dlb_block *block)
{
    dlb_block now;

    return block->start != NULL && dlb_memory_block(block->start, &now) && now.start == block->start && now.freed;
}

static void note_released(const record *of)
{
    if (released_objects == NULL) {
        released_objects = dlb_memory_table(MOST_RELEASED * sizeof *released_objects);
    }
    if (released_objects == NULL || (of->block.start == NULL && of->data_block.start == NULL)) {
        return;
    }
    released_objects[released_count++ % MOST_RELEASED] = (released_object){
        of->block.start, of->block.size, is_freed(&of->data_block) ? of->data_block.start : NULL, of->data_block.size, of->type->name, of->by,
        of->passed_function, of->passed_argument, dlb_owner_is_imported(of->owner)};
}

/* ---- New owners, and the calls that get their objects ---- */

/* Returns the object of the library, or NULL if it is a struct by value. */
static void *real_object(const dlb_owner *owner)
{
    const dlb_type *const type = owner->type;

    if (type->value > 0) {
        return type->points ? dlb_first_member(owner->object) : NULL;
    }
    return dlb_object_of(type, owner);
}

void dlb_checked_owned(dlb_owner *owner, dlb_checked_way way)
{
    void *const object = real_object(owner);
    record *made;

    enter_layer();
    made = find_record(&by_owner, owner);
    if (made != NULL) { /* the memory of an earlier owner, whose end nobody has seen */
        remove_record(made);
    }
    made = free_of_objects;
    if (made != NULL) {
        free_of_objects = made->next_export;
    } else {
        made = new_node(sizeof *made);
    }
    if (made != NULL) {
        *made = (record){.owner = owner, .type = owner->type, .object = object, .way = way,
                         .by = current_wrapper(false), .releases = owner->release != NULL};
        if (way == DLB_CHECKED_MADE && made->by[0] == '\0') {
            made->by = "from_dlpack";
        }
        made->is_in_owner = object == NULL;
        if (object == NULL || !dlb_memory_block(object, &made->block) || made->block.freed) {
            made->block.start = NULL;
        } else if (made->block.start == (const char *)owner) {
            made->block.start = NULL;
            made->is_in_owner = true;
        }
        if (way == DLB_CHECKED_MADE) {
            made->shadow = take_imported(owner->type);
            made->foreign = this_thread.foreign;
            this_thread.foreign = NULL;
        }
        if (!store(&by_owner, owner, made)) {
            made->next_export = free_of_objects;
            free_of_objects = made;
            made = NULL;
        }
    }
    imports += made != NULL && made->foreign != NULL;
    if (made != NULL && made->object != NULL) {
        made->next_of_object = find_record(&by_object, made->object);
        (void)store(&by_object, made->object, made);
    }
    if (made != NULL && made->releases && (way != DLB_CHECKED_SHARED || owner->type->retain != NULL)) {
        confirm("owner", owner->type->name, NULL);
    }
    leave_layer();
}

bool dlb_checked_span(const dlb_owner *owner, dlb_span *span)
{
    const record *of;

    enter_layer();
    of = find_record(&by_owner, owner);
    if (of != NULL && of->shadow != NULL) {
        *span = span_of_shadow(of->shadow);
    } else {
        of = NULL;
    }
    leave_layer();
    return of != NULL;
}

void dlb_checked_passed(const dlb_py_function *function, const dlb_py_operand *operand, const dlb_owner *owner)
{
    record *of;
    call *const current = call_of(operand);
    const char *const argument = name_of(function, operand);

    enter_layer();
    if (current != NULL && current->passed_count < MOST_PASSED) {
        current->passed[current->passed_count++] = (passed_object){owner, argument};
    }
    of = operand->param >= 0 ? find_record(&by_owner, owner) : NULL;
    if (of != NULL) {
        of->passed_function = current_wrapper(false);
        of->passed_argument = argument;
        if (of->is_described && dlb_owner_is_imported(owner)) {
            note_argument(of->passed_function, of->passed_argument, of->low, of->span);
        }
    }
    leave_layer();
}

void dlb_checked_returned(const dlb_owner *owner)
{
    record *of;

    enter_layer();
    of = find_record(&by_owner, owner);
    if (of != NULL && of->returned_by == NULL && of->type->retain == NULL && of->type->clone == NULL) {
        of->returned_by = current_wrapper(false);
    }
    leave_layer();
}

/* Records that the library freed the object in a call that got it, unless an earlier call did. */
static void note_freed(record *of, const call *in, const char *argument, bool failed)
{
    if (of->freed_function == NULL && !of->is_releasing && is_freed(&of->block)) {
        of->freed_function = in->wrapper;
        of->freed_argument = argument;
        of->freed_by_failure = failed;
    }
}

static void judge_passed(const call *ended, bool failed)
{
    for (int i = 0; i < ended->passed_count; i++) {
        record *const of = find_record(&by_owner, ended->passed[i].owner);

        if (of != NULL) {
            note_freed(of, ended, ended->passed[i].argument, failed);
        }
    }
}

/* Looks for a running call that got the object, and has freed it. */
static void judge_running(record *of)
{
    for (int i = 0; i < this_thread.count; i++) {
        const call *const each = &this_thread.calls[i];

        for (int k = 0; k < each->passed_count; k++) {
            if (each->passed[k].owner == of->owner) {
                note_freed(of, each, each->passed[k].argument, false);
            }
        }
    }
}

/* Describes the object of an owner, without an export. Returns false if that is not possible. */
static bool describe(const record *of, dlb_view *view)
{
    const dlb_type *const type = of->type;
    dlb_error error;
    int result;

    if (type->describe == NULL || dlb_has_hooks(type) || type->external != NULL) {
        return false;
    }
    view->tensor = &view->own;
    view->exporting = 0;
    view->gather = NULL;
    view->name = type->name;
    view->itself = view;
    dlb_view_begin(view, view->tensor, type->ndim, view->axes, DLB_MAX_NDIM);
    this_thread.described = of;
    result = type->describe(of->owner->object, view, &error);
    this_thread.described = NULL;
    return result == 0;
}
