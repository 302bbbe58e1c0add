/* SPDX-License-Identifier: MIT-0 */
/* The end of an object: it has one owner, and `release` frees it. */

#include "layer.h"

#include "../../core/exchange.h"

#include <string.h>

/* ---- Classes: does `release` leave the elements behind? ---- */

typedef struct class_record {
    const char *class;
    int64_t released; /* objects whose elements were in a block of their own */
    int64_t left;     /* of these, the blocks that were not freed */
    int64_t bytes;
    bool is_shared; /* a block was seen again, with another object: a pool, or shared memory */
    int64_t freed; /* objects that `release` freed */
    struct class_record *next;
} class_record;

/* The objects that a function got and returned, and that `release` did not free. */
typedef struct returned_record {
    const char *function;
    class_record *class;
    int64_t count;
} returned_record;

enum { MOST_RETURNED = 256 };

static returned_record returned[MOST_RETURNED];
static size_t returned_count;

static class_record *classes;
static table left_blocks; /* blocks of elements that were left */

static class_record *class_of_name(const char *class)
{
    class_record *found = classes;

    while (found != NULL && found->class != class) {
        found = found->next;
    }
    if (found == NULL) {
        found = new_node(sizeof *found);
        if (found != NULL) {
            *found = (class_record){.class = class, .next = classes};
            classes = found;
        }
    }
    return found;
}

/* Returns whether none of the blocks of the class was freed since. */
static bool are_left(const class_record *class)
{
    dlb_block now;

    for (size_t i = 0; i < left_blocks.capacity; i++) {
        const slot *const each = &left_blocks.slots[i];

        if (each->key != NULL && (const void *)each->value == class && (!dlb_memory_block(each->key, &now) || now.freed)) {
            return false;
        }
    }
    return true;
}

static void judge_classes(void)
{
    line to;

    for (class_record *each = classes; each != NULL; each = each->next) {
        if (each->left >= 2 && each->left == each->released && !each->is_shared && are_left(each) &&
            begin_finding(&to, "release-left-data", NULL, each->class, NULL)) {
            add_number(&to, "bytes", each->bytes);
            add_number(&to, "objects", each->left);
            write_line(&to);
        }
    }
}

static void note_returned(const record *of)
{
    class_record *const class = class_of_name(of->type->name);
    size_t at = 0;

    while (at < returned_count && (returned[at].function != of->returned_by || returned[at].class != class)) {
        at++;
    }
    if (class == NULL || at == MOST_RETURNED) {
        return;
    }
    if (at == returned_count) {
        returned[returned_count++] = (returned_record){of->returned_by, class, 0};
    }
    returned[at].count++;
}

/* Writes how many objects `release` left, after a function returned them: it has perhaps added a reference. They are leaks only if nothing
 * else refers to them, which the leak checker knows. It would find their addresses here, so there are none. */
static void write_returned(void)
{
    line to;

    for (size_t i = 0; i < returned_count; i++) {
        if (returned[i].class->freed > 0) {
            begin_line(&to, "returned");
            add_string(&to, "function", returned[i].function);
            add_string(&to, "class", returned[i].class->class);
            add_number(&to, "count", returned[i].count);
            write_line(&to);
        }
    }
    returned_count = 0;
}

/* ---- Release ---- */

/* Finds the block with the elements of an object that its `release` should free. */
static void find_data_block(record *of)
{
    const bool is_imported = dlb_owner_is_imported(of->owner);
    const char *const at = is_imported && !of->is_described ? of->foreign : of->low;
    dlb_view view;

    of->data_block.start = NULL;
    if (of->is_reported || at == NULL || (!of->is_described && !is_imported)) {
        return;
    }
    if (!of->is_described && of->type->importer != NULL && of->type->importer->lease) {
        return; /* the library releases the foreign array itself */
    }
    if (!is_imported && (!describe(of, &view) || (char *)view.tensor->data + view.tensor->byte_offset != of->data)) {
        return; /* it has other memory now */
    }
    if (!dlb_memory_block(at, &of->data_block) || of->data_block.freed || of->data_block.start == of->block.start) {
        of->data_block.start = NULL;
    }
}

static void write_freed_before(record *of)
{
    line to;

    if (of->is_reported) {
        return;
    }
    of->is_reported = true;
    if (begin_finding(&to, "freed-before-release", NULL, of->type->name, NULL)) {
        add_string(&to, "by", of->by);
        add_string(&to, "in", current_wrapper(true));
        add_freeing(&to, of);
        write_line(&to);
    }
}

void dlb_checked_release(const dlb_owner *owner, bool releases)
{
    record *of;

    enter_layer();
    of = find_record(&by_owner, owner);
    if (of != NULL && !of->is_releasing) {
        if (!releases && is_guarded(owner)) {
            of = NULL; /* the guard releases the object */
        } else if (!releases) {
            if (dlb_owner_is_imported(owner)) {
                confirm("import", of->type->name, NULL);
            }
            remove_record(of);
        } else {
            of->is_releasing = true;
            of->was_alive = of->block.start != NULL && !is_freed(&of->block);
            if (of->block.start != NULL && !of->was_alive) {
                write_freed_before(of);
            } else {
                find_data_block(of);
            }
        }
    }
    leave_layer();
}

/* Reports other owners of an object that has just been freed. */
static void judge_owners(const record *freed)
{
    line to;

    for (record *each = freed->object != NULL ? find_record(&by_object, freed->object) : NULL; each != NULL; each = each->next_of_object) {
        if (each == freed || !each->releases || each->is_releasing || each->is_reported) {
            continue;
        }
        each->is_reported = true;
        if (begin_finding(&to, "second-owner", each->by, each->type->name, NULL)) {
            add_string(&to, "by", freed->by);
            write_line(&to);
        }
    }
}

/* Counts the blocks of elements that `release` has freed or left. */
static void judge_data(const record *of)
{
    const dlb_owner *const owner = of->owner;
    class_record *class;
    dlb_block now;

    if (of->data_block.start == NULL || owner->origin != DLB_FROM_LIBRARY || owner->type->retain != NULL || owner->type->clone != NULL ||
        (owner->kept.let_go != NULL && !is_guarded(owner))) {
        return;
    }
    class = class_of_name(of->type->name);
    if (class == NULL) {
        return;
    }
    class->released++;
    if (!dlb_memory_block(of->data_block.start, &now) || now.freed || now.start != of->data_block.start) {
        return;
    }
    class->left++;
    class->bytes = (int64_t)now.size;
    class->is_shared = class->is_shared || find_record(&left_blocks, now.start) != NULL;
    (void)store(&left_blocks, now.start, (record *)(void *)class);
}

/* Reports an import that freed the memory of the foreign array. Other objects with this memory are not reported. */
static void write_import_freed(const record *of)
{
    line to;

    for (size_t i = 0; i < by_owner.capacity; i++) {
        record *const each = by_owner.slots[i].key != NULL ? by_owner.slots[i].value : NULL;

        if (each != NULL && each->is_described && contains(of->data_block.start, of->data_block.size, each->low)) {
            each->is_reported = true;
        }
    }
    if (begin_finding(&to, "import-freed", NULL, of->type->name, NULL)) {
        add_string(&to, "by", of->by);
        write_line(&to);
    }
}

/* Counts an object that `release` freed, or notes one that it left. */
static void count_release(const record *of, bool frees)
{
    class_record *const class = frees ? class_of_name(of->type->name) : NULL;

    if (class != NULL) {
        class->freed++;
    } else if (!frees && of->returned_by != NULL) {
        note_returned(of);
    }
}

/* Returns whether the library counts the references to the object, and another owner has one: `release` must leave the object alone. */
static bool is_counted(const record *of)
{
    const record *each = of->owner->type->retain != NULL ? find_record(&by_object, of->object) : NULL;

    while (each != NULL && (each == of || !each->releases)) {
        each = each->next_of_object;
    }
    return each != NULL;
}

void dlb_checked_released(const dlb_owner *owner)
{
    record *of;

    enter_layer();
    of = find_record(&by_owner, owner);
    if (of != NULL && of->is_releasing) {
        const char *const class = of->type->name;
        const bool frees = of->was_alive && is_freed(&of->block);

        if (of->was_alive) {
            confirm(frees ? "released" : "not-freed", class, NULL);
            count_release(of, frees);
        }
        if (frees) {
            judge_owners(of);
        } else if (of->was_alive && is_counted(of)) {
            confirm("released", class, NULL);
        }
        if (of->way == DLB_CHECKED_MADE && dlb_owner_is_imported(owner)) {
            if (of->data_block.start != NULL && is_freed(&of->data_block)) {
                write_import_freed(of);
            } else {
                confirm("import", class, NULL);
            }
        } else if (of->foreign != NULL) { /* the library has called the deleter of the array, which perhaps freed it */
            confirm("import", class, NULL);
        } else if (frees || of->is_in_owner) {
            judge_data(of);
        }
        if (of->shadow != NULL) {
            end_import(of->shadow);
            of->shadow = NULL;
        }
        if (frees || is_freed(&of->data_block)) {
            note_released(of);
        }
        remove_record(of);
        check_living("", class);
    }
    leave_layer();
}

void dlb_checked_transferred(dlb_owner *owner)
{
    record *of;

    enter_layer();
    of = find_record(&by_owner, owner);
    if (of != NULL) {
        of->data_block.start = NULL;
        if (is_freed(&of->block)) {
            note_released(of);
        }
        remove_record(of);
    }
    leave_layer();
}

/* ---- Reports ---- */

/* Begins the finding about an access to an object whose block was freed. */
static bool begin_used(line *to, const char *check, const char *class, const char *by, const char *in, const dlb_bad_access *access)
{
    if (!begin_finding(to, check, NULL, class, NULL)) {
        return false;
    }
    add_string(to, "by", by);
    add_string(to, "in", in);
    add_string(to, "kind", access->kind);
    add_string(to, "symbol", access->symbol);
    if (access->source[0] != '\0') {
        add_string(to, "source", access->source);
    }
    return true;
}

/* Finds an object that has an owner, and whose block contains the address. */
static record *living_at(const char *at, bool *is_data)
{
    record *found = NULL;

    for (size_t i = 0; i < by_owner.capacity; i++) {
        record *const each = by_owner.slots[i].value;

        if (by_owner.slots[i].key == NULL) {
            continue;
        }
        if (contains(each->block.start, each->block.size, at)) {
            *is_data = false;
            return each;
        }
        if (each->is_described && contains(each->low, each->span, at)) {
            *is_data = true;
            found = each;
        }
    }
    return found;
}

/* Finds an import that shows the memory of a foreign array; a copy of the array is not of interest. */
static const record *import_of(const void *block)
{
    for (size_t i = 0; i < by_owner.capacity; i++) {
        const record *const each = by_owner.slots[i].key != NULL ? by_owner.slots[i].value : NULL;

        if (each != NULL && each->foreign != NULL && each->foreign == block && dlb_owner_is_imported(each->owner)) {
            return each;
        }
    }
    return NULL;
}

static bool is_of_import(const void *block)
{
    bool found;

    if (__atomic_load_n(&imports, __ATOMIC_RELAXED) <= 0) {
        return false;
    }
    enter_layer();
    found = import_of(block) != NULL;
    leave_layer();
    return found;
}

/* Reports that the memory of a foreign array is freed, and that the library has not allocated it. */
static bool report_freed_import(const dlb_bad_access *access, const char *in)
{
    line to;

    const record *of;

    if (access->at == NULL || strcmp(access->kind, "bad-free") != 0) {
        return false;
    }
    of = import_of(access->at);
    for (size_t i = 0; i < by_owner.capacity && of == NULL; i++) {
        const record *const each = by_owner.slots[i].key != NULL ? by_owner.slots[i].value : NULL;

        if (each != NULL && each->is_releasing && dlb_owner_is_imported(each->owner) && each->foreign == NULL &&
            (!each->is_described || each->low == access->at)) {
            of = each;
        }
    }
    if (of == NULL) {
        return false;
    }
    if (begin_finding(&to, "import-freed", NULL, of->type->name, NULL)) {
        add_string(&to, "by", of->by);
        add_string(&to, "in", in);
        add_number(&to, "releasing", of->is_releasing);
        add_string(&to, "kind", access->kind);
        write_line(&to);
    }
    return true;
}

static bool report_object(const dlb_bad_access *access, const char *in)
{
    const char *const at = access->at;
    const record *const described = this_thread.described;
    record *found;
    dlb_block block;
    bool is_data = false;
    line to;

    if (described != NULL) { /* the layer has described an object whose memory is gone */
        if (begin_finding(&to, "freed-export", in, described->type->name, NULL)) {
            add_string(&to, "by", described->by);
            add_string(&to, "kind", access->kind);
            write_line(&to);
        }
        return true;
    }
    if (report_freed_import(access, in)) {
        return true;
    }
    if (at == NULL || !dlb_memory_block(at, &block) || !block.freed) {
        return false;
    }
    found = living_at(at, &is_data);
    if (found != NULL && found->is_reported) {
        return true;
    }
    if (found != NULL && is_data && dlb_owner_is_imported(found->owner)) {
        if (begin_finding(&to, "import-freed", NULL, found->type->name, NULL)) {
            add_string(&to, "by", found->by);
            add_string(&to, "in", in);
            add_string(&to, "kind", access->kind);
            write_line(&to);
        }
        return true;
    }
    if (found != NULL) {
        judge_running(found);
        if (begin_used(&to, is_data ? "freed-export" : "freed-before-release", found->type->name, found->by, in, access)) {
            add_freeing(&to, found);
            write_line(&to);
        }
        return true;
    }
    for (size_t i = 1; i <= MOST_RELEASED && i <= released_count; i++) {
        const released_object *const each = &released_objects[(released_count - i) % MOST_RELEASED];

        if (contains(each->data, each->data_size, at) && each->is_import) {
            return true;
        }
        if (contains(each->start, each->size, at) || contains(each->data, each->data_size, at)) {
            if (begin_used(&to, "used-released", each->class, each->by, in, access)) {
                add_passed(&to, each->passed_function, each->passed_argument);
                write_line(&to);
            }
            return true;
        }
    }
    return false;
}

static void forget_objects(void)
{
    for (size_t i = 0; i < by_owner.capacity; i++) {
        by_owner.slots[i] = (slot){NULL, NULL};
    }
    for (size_t i = 0; i < by_object.capacity; i++) {
        by_object.slots[i] = (slot){NULL, NULL};
    }
    by_owner.count = 0;
    by_object.count = 0;
    imports = 0;
    exported = NULL;
    exported_last = NULL;
    next_checked = NULL;
}
