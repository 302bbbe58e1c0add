/* SPDX-License-Identifier: MIT-0 */
/* The end of an array argument: its shadow is compared with it, copied back and forbidden. */

#include "layer.h"

#include <string.h>

/* ---- After the call ---- */

/* Copies the bytes that differ from those before the call. */
static void copy_back(zone_record *record)
{
    const char *const now = record->zone.at;
    const size_t size = record->zone.size;

    if (memcmp(now, record->before, size) == 0 || dlb_memory_bad(record->source, size) < size) {
        return;
    }
    for (size_t at = 0; at < size; at += 64) {
        const size_t part = size - at < 64 ? size - at : 64;

        if (memcmp(now + at, record->before + at, part) == 0) {
            continue;
        }
        for (size_t i = at; i < at + part; i++) {
            if (now[i] != record->before[i]) {
                record->source[i] = now[i];
            }
        }
    }
}

/* Finds the shadow of a new array that C has filled, and its call. */
static shadow *filled_shadow(const dlb_array *array, call **in)
{
    thread_state *const here = &this_thread;

    for (int i = here->count - 1; i >= 0; i--) {
        for (shadow *each = here->calls[i].shadows; each != NULL; each = each->next) {
            if (each->made == array) {
                *in = &here->calls[i];
                return each;
            }
        }
    }
    return NULL;
}

void dlb_checked_filled(dlb_array *array, int64_t count)
{
    call *in = NULL;
    shadow *found;

    enter_layer();
    found = filled_shadow(array, &in);
    if (found != NULL) { /* the zone stays until the call ends: C code of the spec may read it once more */
        found->elements.span = found->elements.itemsize * (size_t)count;
        judge_output(found, in);
        copy_back(found->record);
        array->data = found->data;
        found->made = NULL;
        in->filling--;
    }
    leave_layer();
}

/* The bytes between runs, which are not part of the array. */
typedef struct gaps {
    const shadow *of;
    size_t next; /* the first byte behind the runs so far */
    bool is_written;
    size_t at;
} gaps;

static bool check_gap(const elements *of, size_t offset, void *context)
{
    gaps *const found = context;
    const size_t start = (size_t)(of->low - found->of->record->source);
    const char *const now = found->of->record->zone.at + start;
    const char *const before = found->of->record->before + start;

    if (offset > found->next && memcmp(now + found->next, before + found->next, offset - found->next) != 0) {
        found->is_written = true;
        found->at = found->next;
        return false;
    }
    found->next = offset + of->run > found->next ? offset + of->run : found->next;
    return true;
}

/* Finds bytes that C has written between the elements of the array. */
static void judge_gaps(const shadow *of)
{
    gaps found = {of, 0, false, 0};
    line to;

    if (is_compact(&of->elements) || of->record->users > 1) {
        return;
    }
    (void)visit_runs(&of->elements, SIZE_MAX, check_gap, &found);
    if (found.is_written && begin_finding(&to, "beyond", of->function, NULL, of->argument)) {
        add_number(&to, "write", 1);
        add_string(&to, "side", "between");
        add_number(&to, "distance", 0);
        add_number(&to, "size", (int64_t)of->elements.span);
        add_string(&to, "symbol", "");
        write_line(&to);
    }
}

/* Finds bytes that C has written beside the array, where it could. */
static void judge_sides(const zone_record *record)
{
    ptrdiff_t offset;
    line to;

    if (!dlb_zone_overwritten(&record->zone, &offset)) {
        confirm("within", record->function, record->argument);
        return;
    }
    if (begin_finding(&to, "beyond", record->function, NULL, record->argument)) {
        add_number(&to, "write", 1);
        add_string(&to, "side", offset < 0 ? "before" : "after");
        add_number(&to, "distance", offset < 0 ? -offset : offset - (ptrdiff_t)record->zone.size);
        add_number(&to, "size", (int64_t)record->zone.size);
        add_string(&to, "symbol", "");
        write_line(&to);
    }
}

/* Compares an argument that C only reads. */
static void judge_unchanged(const shadow *of)
{
    const char *const now = of->record->zone.at;
    size_t at = 0;
    line to;

    if (memcmp(now, of->record->before, of->record->zone.size) == 0) {
        confirm("unchanged", of->function, of->argument);
        return;
    }
    while (now[at] == of->record->before[at]) {
        at++;
    }
    if (begin_finding(&to, "changed", of->function, NULL, of->argument)) {
        const size_t start = (size_t)(of->elements.low - of->record->source);
        const int64_t rough = at >= start ? (int64_t)((at - start) / of->elements.itemsize) : -1;
        DLTensor tensor;

        if (rough >= 0 && of->array != NULL && !is_compact(&of->elements)) {
            tensor = *of->array->tensor;
            tensor.data = of->data;
            add_number(&to, "element", element_at(&tensor, &of->elements, at - start));
        } else {
            add_number(&to, "element", rough);
        }
        write_line(&to);
    }
}

/* Ends a shadow, which is removed from its call already. */
static void end_shadow(shadow *of)
{
    zone_record *const record = of->record;

    if (record->written) {
        copy_back(record);
    }
    if (--record->users == 0) {
        judge_sides(record);
        forbid_zone(record);
    }
    confirm("unused-later", of->function, of->argument);
    of->next = free_shadows;
    free_shadows = of;
}

/* Removes the shadow of the argument from its call. Returns NULL if there is none. */
static shadow *take_shadow(call *of, const dlb_py_argument *array)
{
    for (shadow **place = &of->shadows; *place != NULL; place = &(*place)->next) {
        shadow *const found = *place;

        if (found->array == array) {
            *place = found->next;
            return found;
        }
    }
    return NULL;
}

/* Compares a shadow with its argument. */
static void judge_shadow(const shadow *of, const call *in, bool succeeded)
{
    if (!of->record->written) {
        judge_unchanged(of);
    } else if (of->writes) {
        judge_gaps(of);
        if (succeeded && of->record->users == 1 && of->elements.span == of->record->zone.size) {
            judge_output(of, in);
        }
    }
}

void dlb_checked_unshadow(dlb_py_argument *array, const dlb_py_operand *operand, bool succeeded)
{
    call *of;
    shadow *found;

    enter_layer();
    this_thread.destroyed = NULL;
    of = call_of(operand);
    found = of != NULL ? take_shadow(of, array) : NULL;
    if (found != NULL) {
        judge_shadow(found, of, succeeded);
        array->tensor->data = found->data;
        if (operand->type == NULL) {
            array->object = found->data;
        }
        end_shadow(found);
    }
    leave_layer();
}

static void drop_shadows(call *of)
{
    this_thread.imported = NULL;
    while (of->shadows != NULL) {
        shadow *const found = of->shadows;

        of->shadows = found->next;
        if (found->imported == NULL) {
            end_shadow(found);
        } else if (found->record->written) { /* the object lives longer than the call */
            copy_back(found->record);
        }
    }
}

/* ---- Addresses of the arguments ---- */

/* Returns the shadows of the call of a function. */
static const shadow *shadows_of(const dlb_py_function *function)
{
    thread_state *const here = &this_thread;
    int found = here->count - 1;

    while (found >= 0 && here->calls[found].function != function) {
        found--;
    }
    return found >= 0 ? here->calls[found].shadows : NULL;
}

/* Stores the addresses of the arguments, or of their shadows, in the tensors of a call. */
static void show(const dlb_py_function *function, bool sources)
{
    for (const shadow *each = shadows_of(function); each != NULL; each = each->next) {
        if (each->array != NULL) {
            each->array->tensor->data =
                sources ? each->data : each->record->zone.at + ((char *)each->data - each->record->source);
        }
    }
}

void dlb_checked_show_sources(const dlb_py_function *function)
{
    show(function, true);
}

int dlb_checked_show_shadows(const dlb_py_function *function, int result)
{
    show(function, false);
    return result;
}

void dlb_checked_show_result(const dlb_py_function *function, const dlb_py_argument *array)
{
    enter_layer();
    for (const shadow *each = shadows_of(function); each != NULL; each = each->next) {
        if (each->array == array) {
            copy_back(each->record);
        }
    }
    leave_layer();
}

/* ---- Arrays that become objects ---- */

void dlb_checked_imports(const dlb_py_operand *operand)
{
    const unsigned kept = DLB_PY_KEPT | DLB_PY_KEEPS | DLB_PY_INVALIDATES | DLB_PY_REFERRED;

    this_thread.imports = (operand->flags & kept) == 0 && operand->type != NULL && !operand->type->importer->lease ? operand : NULL;
}

const DLTensor *dlb_checked_import(const dlb_type *type, dlb_view *view)
{
    const dlb_py_operand *const operand = this_thread.imports;
    call *of;
    const size_t size = sizeof(int64_t) * (size_t)view->tensor->ndim;

    if (operand == NULL || operand->type != type) {
        return view->tensor;
    }
    this_thread.imports = NULL;
    enter_layer();
    of = call_of(operand);
    if (of != NULL) {
        if (view->tensor != &view->own) {
            const DLTensor *const tensor = view->tensor;

            view->own = *tensor;
            view->own.shape = view->axes;
            view->own.strides = view->axes + DLB_MAX_NDIM;
            if (size > 0) {
                memcpy(view->axes, tensor->shape, size);
                memcpy(view->axes + DLB_MAX_NDIM, tensor->strides, size);
            }
            view->tensor = &view->own;
        }
        this_thread.imported = give_shadow(of, NULL, view->tensor, operand);
    }
    leave_layer();
    return view->tensor;
}

/* Gives the shadow of the array that has just become an object to its owner. */
static shadow *take_imported(const dlb_type *type)
{
    shadow *const found = this_thread.imported;

    this_thread.imported = NULL;
    if (found != NULL) {
        found->imported = type;
        found->record->imported = type;
    }
    return found;
}

static dlb_span span_of_shadow(const shadow *of)
{
    const uintptr_t at = (uintptr_t)of->record->zone.at;

    return (dlb_span){at, at + of->record->zone.size};
}

static void end_import(shadow *of)
{
    thread_state *const here = &this_thread;

    for (int i = 0; i < here->count; i++) {
        shadow **place = &here->calls[i].shadows;

        while (*place != NULL && *place != of) {
            place = &(*place)->next;
        }
        if (*place == of) {
            *place = of->next;
        }
    }
    judge_shadow(of, NULL, false);
    end_shadow(of);
}

void dlb_checked_destroy(const dlb_type *type)
{
    this_thread.destroyed = type;
}

/* ---- Reports ---- */

/* Returns the zone whose block contains the address, the newest first. */
static const zone_record *zone_at(const zone_list *of, const char *at)
{
    for (const zone_record *each = of->last; each != NULL; each = each->previous) {
        if (at >= each->zone.block && at < each->zone.block + each->zone.block_size) {
            return each;
        }
    }
    return NULL;
}

/* Writes the finding about an access beside a living shadow. */
static void write_beyond(const zone_record *record, const dlb_bad_access *access)
{
    const char *const at = access->at;
    const char *const end = record->zone.at + record->zone.size;
    line to;

    if (!begin_finding(&to, "beyond", record->function, NULL, record->argument)) {
        return;
    }
    add_number(&to, "write", access->write);
    add_string(&to, "side", at < record->zone.at ? "before" : "after");
    add_number(&to, "distance", at < record->zone.at ? record->zone.at - at : at > end ? at - end : 0);
    add_number(&to, "size", (int64_t)record->zone.size);
    add_string(&to, "in", current_wrapper(false));
    add_string(&to, "kind", access->kind);
    add_string(&to, "symbol", access->symbol);
    if (access->source[0] != '\0') {
        add_string(&to, "source", access->source);
    }
    write_line(&to);
}

/* Returns whether the report is about free() of an address that no allocator has returned. */
static bool is_bad_free(const dlb_bad_access *access)
{
    return strcmp(access->kind, "bad-free") == 0 || strcmp(access->kind, "double-free") == 0;
}

static bool report_shadow(const dlb_bad_access *access)
{
    const zone_record *record = access->at != NULL ? zone_at(&living_zones, access->at) : NULL;
    line to;

    if (record != NULL && !is_bad_free(access)) {
        write_beyond(record, access);
        return true;
    }
    if (record != NULL && record->imported != NULL) { /* `destroy` has freed the memory of the array */
        if (begin_finding(&to, "import-freed", NULL, record->imported->name, NULL)) {
            add_use(&to, access);
            write_line(&to);
        }
        return true;
    }
    if (record != NULL) { /* C has freed an argument: it takes it over, or must not free it */
        if (begin_finding(&to, "bad-access", record->function, NULL, record->argument)) {
            add_use(&to, access);
            add_string(&to, "kind", access->kind);
            write_line(&to);
        }
        return true;
    }
    record = access->at != NULL ? zone_at(&forbidden_zones, access->at) : NULL;
    if (record == NULL) {
        return false;
    }
    if (begin_finding(&to, "used-later", record->function, NULL, record->argument)) {
        add_use(&to, access);
        add_string(&to, "kind", access->kind);
        add_number(&to, "at", (const char *)access->at - record->zone.at);
        write_line(&to);
    }
    return true;
}
