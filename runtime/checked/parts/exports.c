/* SPDX-License-Identifier: MIT-0 */
/* Exports: their memory is there, and stays there while they live. */

#include "layer.h"

#include "../../core/exchange.h"

#include <string.h>

/* ---- Descriptions ---- */

typedef struct bad_run {
    size_t at; /* the offset of the first bad byte from the first byte of the array */
} bad_run;

static bool check_run(const elements *of, size_t offset, void *context)
{
    const size_t good = dlb_memory_bad(of->low + offset, of->run);

    ((bad_run *)context)->at = offset + good;
    return good == of->run;
}

/* Checks the memory of each element. Returns whether all of it is there; else stores the offset of a bad byte in `*at`. */
static bool has_memory(const elements *of, size_t *at)
{
    enum { MOST_RUNS = 1 << 14 };
    bad_run found = {0};

    if (visit_runs(of, MOST_RUNS, check_run, &found)) {
        return true;
    }
    *at = found.at;
    return false;
}

/* Returns the number of bytes from `at` to the end of its block; -1: unknown. */
static int64_t bytes_from(const char *at)
{
    dlb_block block;

    return dlb_memory_block(at, &block) && !block.freed && at >= block.start ? block.start + block.size - at : -1;
}

/* Finds the bytes of a view, also if its distances are those of a copy that follows. Returns false if there are none, or if they are
 * unknown. */
static bool find_view(const dlb_view *view, elements *found)
{
    const dlb_gather *const gather = view->gather;

    if (gather == NULL || !gather->used) {
        return find_elements(view->tensor, NULL, found);
    }
    return gather->rows_axis < 0 && find_elements(view->tensor, gather->steps, found);
}

/* Checks that the memory of each element is there. Returns false if it is not, or if there are no elements. The memory of an import is that
 * of a foreign array. */
static bool check_view(const dlb_owner *owner, const dlb_view *view, elements *bytes)
{
    const char *const class = owner->type->name;
    const char *const in = current_wrapper(true);
    const record *of;
    const char *start;
    size_t at;
    line to;

    if (!find_view(view, bytes)) {
        return false;
    }
    if (has_memory(bytes, &at)) {
        confirm("export", class, NULL);
        return true;
    }
    if (dlb_owner_is_imported(owner)) {
        return false;
    }
    this_thread.bytes = bytes->low;
    this_thread.bytes_end = bytes->low + bytes->span + 16;
    of = find_record(&by_owner, owner);
    if (begin_finding(&to, "export-outside", of != NULL && of->by[0] != '\0' ? of->by : NULL, class, NULL)) {
        start = (const char *)view->tensor->data + view->tensor->byte_offset;
        add_string(&to, "in", in);
        add_shape(&to, "shape", view->tensor->ndim, view->tensor->shape);
        add_number(&to, "needs", bytes->low + bytes->span - start);
        add_number(&to, "at", bytes->low + at - start);
        add_number(&to, "has", bytes_from(start));
        write_line(&to);
    }
    return false;
}

/* Returns the first slot in which a new object differs from what it was made from; NULL: none. Distances along axes of one element have no
 * meaning. */
static const char *different_slot(const DLTensor *made, const DLTensor *wanted, bool has_layout)
{
    bool is_empty = false;

    if (made->ndim != wanted->ndim) {
        return "shape";
    }
    for (int axis = 0; axis < made->ndim; axis++) {
        if (made->shape[axis] != wanted->shape[axis]) {
            return "shape";
        }
        is_empty = is_empty || made->shape[axis] == 0;
    }
    if (!dlb_same_dtype(made->dtype, wanted->dtype)) {
        return "dtype";
    }
    if (!has_layout || is_empty) {
        return NULL;
    }
    for (int axis = 0; axis < made->ndim; axis++) {
        if (made->shape[axis] != 1 && made->strides != NULL && wanted->strides != NULL && made->strides[axis] != wanted->strides[axis]) {
            return "strides";
        }
    }
    return made->data != wanted->data ? "data" : NULL;
}

void dlb_checked_making(const dlb_type *type)
{
    static DLB_THREAD_LOCAL const char *before;

    enter_layer();
    if (type != NULL) {
        before = dlb_memory_enter(type->name);
    } else {
        (void)dlb_memory_enter(before);
    }
    leave_layer();
}

void dlb_checked_made(const dlb_request *request, const dlb_view *made)
{
    const DLTensor *const wanted = request->tensor;
    const char *const slot = different_slot(made->tensor, wanted, request->layout != 0);
    const bool is_strides = slot != NULL && strcmp(slot, "strides") == 0;
    line to;

    elements bytes;

    enter_layer();
    this_thread.foreign = request->factory != request->type->allocator && find_elements(wanted, NULL, &bytes) ? bytes.low : NULL;
    if (slot == NULL) {
        confirm("made", request->type->name, NULL);
    } else if (begin_finding(&to, "made-differs", NULL, request->type->name, NULL)) {
        add_string(&to, "slot", slot);
        add_string(&to, "by", request->factory == request->type->allocator ? "allocate" : "import");
        add_shape(&to, "wanted", wanted->ndim, is_strides ? wanted->strides : wanted->shape);
        add_shape(&to, "made", made->tensor->ndim, is_strides ? made->tensor->strides : made->tensor->shape);
        write_line(&to);
    }
    leave_layer();
}

/* Records the place and the shape of an export. */
static void store_export(record *of, const dlb_view *view, const elements *bytes)
{
    of->is_described = true;
    of->is_compact = is_compact(bytes);
    of->low = bytes->low;
    of->span = bytes->span;
    of->data = (char *)view->tensor->data + view->tensor->byte_offset;
    of->ndim = view->tensor->ndim;
    for (int i = 0; i < of->ndim && i < MOST_RECORDED; i++) {
        of->shape[i] = view->tensor->shape[i];
    }
    link_export(of);
}

void dlb_checked_viewed(const dlb_owner *owner, const dlb_view *view)
{
    elements bytes;

    enter_layer();
    (void)check_view(owner, view, &bytes);
    leave_layer();
}

void dlb_checked_exported(const dlb_owner *owner, const dlb_view *view)
{
    const bool is_copied = owner->type->copy == DLB_COPY_ALWAYS || (view->gather != NULL && view->gather->used);
    const bool is_readonly = (view->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
    record *of;
    elements bytes;
    line to;

    enter_layer();
    of = find_record(&by_owner, owner);
    if (check_view(owner, view, &bytes)) {
        if (of != NULL && !is_copied) {
            store_export(of, view, &bytes);
        }
        if (!is_copied && !is_readonly && !dlb_memory_writable(bytes.low) && begin_finding(&to, "readonly-memory", NULL, owner->type->name, NULL)) {
            add_string(&to, "in", current_wrapper(true));
            write_line(&to);
        }
    } else if (of != NULL) {
        of->is_described = false;
    }
    leave_layer();
}

static void check_bytes(const void *at, size_t size, bool is_array)
{
    const char *wrapper;
    size_t good;
    line to;

    enter_layer();
    wrapper = current_wrapper(false);
    good = dlb_memory_bad(at, size);
    if (good == size) {
        confirm("bytes", wrapper, NULL);
    } else {
        this_thread.bytes = at;
        this_thread.bytes_end = (const char *)at + size;
        if (begin_finding(&to, "bytes-outside", wrapper, NULL, NULL)) {
            add_number(&to, "size", (int64_t)size);
            add_number(&to, "at", (int64_t)good);
            add_number(&to, "has", bytes_from(at));
            add_number(&to, "array", is_array);
            write_line(&to);
        }
    }
    leave_layer();
}

void dlb_checked_bytes(const void *at, size_t size)
{
    check_bytes(at, size, false);
}

void dlb_checked_copied(const void *at, size_t size)
{
    check_bytes(at, size, true);
}

/* ---- Living exports ---- */

static void add_passed(line *to, const char *function, const char *argument)
{
    if (function != NULL) {
        add_pair(to, "passed", function, argument);
    }
}

/* Adds the call that freed the object, or else the last one that got it. */
static void add_freeing(line *to, const record *of)
{
    add_passed(to, of->freed_function != NULL ? of->freed_function : of->passed_function,
               of->freed_function != NULL ? of->freed_argument : of->passed_argument);
    if (of->freed_function != NULL) {
        add_number(to, "freed", 1);
        add_number(to, "failed", of->freed_by_failure);
    }
}

/* Writes the finding about an export whose memory is freed. */
static void write_freed(record *of, const char *function, const char *class)
{
    const int ndim = of->ndim < MOST_RECORDED ? of->ndim : MOST_RECORDED;
    const bool is_object_there = of->object == NULL || dlb_memory_bad(of->object, 1) == 1;
    dlb_view view;
    line to;

    of->is_reported = true;
    if (is_object_there && class == NULL && describe(of, &view) && view.tensor->ndim <= MOST_RECORDED &&
        ((char *)view.tensor->data + view.tensor->byte_offset != of->data || view.tensor->ndim != of->ndim ||
         (of->ndim > 0 && memcmp(view.tensor->shape, of->shape, sizeof(int64_t) * (size_t)ndim) != 0))) {
        if (begin_finding(&to, "moved", function, of->type->name, NULL)) {
            add_string(&to, "by", of->by);
            add_shape(&to, "before", ndim, of->shape);
            add_shape(&to, "after", view.tensor->ndim, view.tensor->shape);
            add_number(&to, "data_moved", (char *)view.tensor->data + view.tensor->byte_offset != of->data);
            write_line(&to);
        }
        return;
    }
    if (begin_finding(&to, "freed-export", function, of->type->name, NULL)) {
        add_string(&to, "by", of->by);
        add_string(&to, "released", class != NULL ? class : "");
        add_freeing(&to, of);
        write_line(&to);
    }
}

/* Returns whether the memory of the export is there: of a large array, its start and its end. */
static bool is_there(const record *of)
{
    enum { PART = 1 << 16 };
    const size_t part = of->span < PART ? of->span : PART;

    if (!of->is_compact) {
        return dlb_memory_bad(of->low, 1) == 1 && dlb_memory_bad(of->low + of->span - 1, 1) == 1;
    }
    return dlb_memory_bad(of->low, part) == part && dlb_memory_bad(of->low + of->span - part, part) == part;
}

/* Checks one object with exports, unless it has none any more. */
static void check_export(record *of, const char *function, const char *class)
{
    if (dlb_count_read(&of->owner->state) % DLB_HOLDER == 0) {
        unlink_export(of);
    } else if (of->is_releasing || of->is_reported) {
        return;
    } else if (!is_there(of) || (of->object != NULL && dlb_memory_bad(of->object, 1) == 0)) {
        write_freed(of, function, class);
    } else {
        confirm("living", of->type->name, NULL);
        if (class == NULL) {
            confirm("place", function, NULL);
        }
    }
}

static void check_living(const char *function, const char *class)
{
    enum { AT_ONCE = 32 };
    record *each = exported;
    record *next;

    if (others_run()) { /* a call on another thread may change the objects now */
        return;
    }
    for (int i = 0; i < AT_ONCE && each != NULL; i++) {
        next = each->next_export;
        check_export(each, function, class);
        each = next;
    }
    each = each != NULL && next_checked != NULL ? next_checked : each;
    for (int i = 0; i < AT_ONCE && each != NULL; i++) {
        next = each->next_export;
        check_export(each, function, class);
        each = next;
    }
    next_checked = each;
}
