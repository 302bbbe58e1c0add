/* SPDX-License-Identifier: MIT-0 */
/* Shadows of array arguments: C gets a copy between forbidden zones. */

#include "layer.h"

#include <stdlib.h>
#include <string.h>

/* ---- Records of shadows ---- */

/* Memory between forbidden zones, which several arguments of a call can share. */
typedef struct zone_record {
    dlb_zone zone;
    char *source; /* the memory of the argument */
    char *before; /* the bytes before the call */
    int users;    /* the arguments that have not ended */
    bool written; /* C may write to one of them */
    const char *function;
    const char *argument; /* the first one */
    const dlb_type *imported; /* the class of an object that shows it, or NULL */
    struct zone_record *next; /* of the living or of the forbidden ones */
    struct zone_record *previous;
} zone_record;

/* The shadow of an argument. */
typedef struct shadow {
    zone_record *record;
    dlb_py_argument *array;
    void *data; /* the address in the tensor that the shadow has replaced */
    elements elements; /* of the argument; `low` is in the argument */
    const char *function;
    const char *argument;
    bool writes;
    bool is_new; /* a new output */
    bool is_in_struct; /* a struct shows it */
    bool has_pattern;
    bool is_undefined; /* memcheck: C was given undefined elements */
    const dlb_type *imported; /* the class of the object that shows it; NULL: none does, or a temporary struct */
    const dlb_array *made; /* a new array that becomes a result, and that C has not filled yet; else NULL */
    struct shadow *next; /* of the call, or of the free ones */
} shadow;

/* A list from the oldest to the newest. */
typedef struct zone_list {
    zone_record *first;
    zone_record *last;
} zone_list;

static zone_list living_zones, forbidden_zones;
static size_t forbidden_bytes;
static zone_record *free_records;
static shadow *free_shadows;

enum { MOST_FORBIDDEN = 64 << 20, MOST_SHADOW = 1 << 28 };

static void append_zone(zone_list *to, zone_record *record)
{
    record->next = NULL;
    record->previous = to->last;
    *(to->last != NULL ? &to->last->next : &to->first) = record;
    to->last = record;
}

static void remove_zone(zone_list *from, zone_record *record)
{
    *(record->previous != NULL ? &record->previous->next : &from->first) = record->next;
    *(record->next != NULL ? &record->next->previous : &from->last) = record->previous;
}

static zone_record *new_record(void)
{
    zone_record *const record = free_records;

    if (record == NULL) {
        return new_node(sizeof *record);
    }
    free_records = record->next;
    return record;
}

static shadow *new_shadow(void)
{
    shadow *const made = free_shadows;

    if (made == NULL) {
        return new_node(sizeof *made);
    }
    free_shadows = made->next;
    return made;
}

/* ---- Arrays that were arguments ---- */

/* The newest arrays without a shadow. */
typedef struct noted_argument {
    const char *at;
    size_t size;
    const char *function;
    const char *argument;
} noted_argument;

enum { MOST_NOTED = 4096 };

static noted_argument noted[MOST_NOTED];
static size_t noted_count;

static void note_argument(const char *function, const char *argument, const void *at, size_t size)
{
    const size_t newest = (noted_count + MOST_NOTED - 1) % MOST_NOTED;

    if (noted[newest].at == at && noted[newest].function == function && noted[newest].argument == argument) {
        return;
    }
    noted[noted_count++ % MOST_NOTED] = (noted_argument){at, size, function, argument};
}

static void add_use(line *to, const dlb_bad_access *access)
{
    add_string(to, "in", current_wrapper(false));
    add_number(to, "write", access->write);
    add_string(to, "symbol", access->symbol);
    if (access->source[0] != '\0') {
        add_string(to, "source", access->source);
    }
}

static bool report_argument(const dlb_bad_access *access)
{
    const bool frees = strcmp(access->kind, "bad-free") == 0;
    dlb_block block;
    line to;

    if (!dlb_memory_block(access->at, &block) || block.freed == frees) {
        return false;
    }
    for (size_t i = 1; i <= MOST_NOTED && i <= noted_count; i++) {
        const noted_argument *const each = &noted[(noted_count - i) % MOST_NOTED];

        if (each->at >= block.start && each->at < block.start + (block.size > 0 ? block.size : 1)) {
            if (begin_finding(&to, "used-later", each->function, NULL, each->argument)) {
                add_use(&to, access);
                add_string(&to, "kind", access->kind);
                write_line(&to);
            }
            return true;
        }
    }
    return false;
}

/* ---- The shadow of an argument ---- */

/* Returns the name of the parameter. */
static const char *name_of(const dlb_py_function *function, const dlb_py_operand *operand)
{
    return operand->param < 0 ? "self" : function->params[operand->param].name;
}

/* Copies the tensor and its axes into the argument, so that the address can be changed. */
static void own_tensor(dlb_py_argument *array)
{
    const DLTensor *const tensor = array->tensor;
    const size_t size = sizeof(int64_t) * (size_t)tensor->ndim;

    if (tensor == &array->view.own) {
        return;
    }
    array->view.own = *tensor;
    array->view.own.shape = array->view.axes;
    array->view.own.strides = array->view.axes + DLB_MAX_NDIM;
    if (size > 0) {
        memcpy(array->view.axes, tensor->shape, size);
        memcpy(array->view.axes + DLB_MAX_NDIM, tensor->strides, size);
    }
    array->tensor = &array->view.own;
}

/* Returns the alignment that the address in the zone shares with that of the argument. `operand`: NULL for a new array. */
static size_t alignment_of(const dlb_py_operand *operand, size_t itemsize)
{
    const bool ends_at_page = strcmp(dlb_memory_way(), "pages") == 0; /* a larger alignment would leave accessible bytes behind the array */
    size_t needed = operand != NULL && operand->require != NULL ? operand->require->alignment : 0;
    size_t alignment = ends_at_page ? itemsize & (~itemsize + 1) & 63 : 64;

    if (operand != NULL && operand->type != NULL && operand->type->importer != NULL && operand->type->importer->require->alignment > needed) {
        needed = operand->type->importer->require->alignment;
    }
    alignment = alignment > 0 ? alignment : 64;
    while (alignment < needed && alignment < 4096) {
        alignment *= 2;
    }
    return alignment;
}

/* The answers of find_zone(). */
enum { NO_ZONE, SAME_ZONE, PARTLY_ZONE };

/* Looks for a shadow of the call that contains the bytes. PARTLY_ZONE: one has some of them. */
static int find_zone(const call *of, const elements *bytes, zone_record **found)
{
    int result = NO_ZONE;

    for (const shadow *each = of->shadows; each != NULL; each = each->next) {
        const char *const low = each->record->source;
        const char *const high = low + each->record->zone.size;

        if (low <= bytes->low && bytes->low + bytes->span <= high) {
            *found = each->record;
            return SAME_ZONE;
        }
        if (low < bytes->low + bytes->span && bytes->low < high) {
            result = PARTLY_ZONE;
        }
    }
    return result;
}

/* Forbids a zone that no argument uses any more, and frees the oldest ones. */
static void forbid_zone(zone_record *record)
{
    remove_zone(&living_zones, record);
    free(record->before);
    record->before = NULL;
    dlb_zone_forbid(&record->zone);
    append_zone(&forbidden_zones, record);
    forbidden_bytes += record->zone.block_size;
    while (forbidden_bytes > MOST_FORBIDDEN && forbidden_zones.first != NULL) {
        zone_record *const oldest = forbidden_zones.first;

        remove_zone(&forbidden_zones, oldest);
        forbidden_bytes -= oldest->zone.block_size;
        dlb_zone_free(&oldest->zone);
        oldest->next = free_records;
        free_records = oldest;
    }
}

/* Gives C the arguments themselves that share some bytes with another one: a write to one must be seen in the other. A struct that shows
 * a shadow stays: what C writes there is copied back at the end. */
static void take_back(call *of, const elements *bytes)
{
    shadow **place = &of->shadows;

    while (*place != NULL) {
        shadow *const each = *place;
        zone_record *const record = each->record;

        if (each->is_in_struct || record->source + record->zone.size <= bytes->low || bytes->low + bytes->span <= record->source) {
            place = &each->next;
            continue;
        }
        each->array->tensor->data = each->data;
        each->array->object = each->data;
        note_argument(each->function, each->argument, each->elements.low, each->elements.span);
        *place = each->next;
        each->next = free_shadows;
        free_shadows = each;
        if (--record->users == 0) {
            forbid_zone(record);
        }
    }
}

/* Makes a zone with a copy of the bytes. Returns NULL if it cannot. */
static zone_record *make_zone(const elements *bytes, size_t alignment)
{
    zone_record *record;

    if (bytes->span > MOST_SHADOW || dlb_memory_bad(bytes->low, bytes->span) < bytes->span) {
        return NULL;
    }
    record = new_record();
    if (record == NULL) {
        return NULL;
    }
    record->before = malloc(bytes->span + 1); /* malloc(0) may return NULL */
    if (record->before == NULL ||
        !dlb_zone_make(&record->zone, bytes->span, alignment, (uintptr_t)bytes->low & (alignment - 1))) {
        free(record->before);
        record->next = free_records;
        free_records = record;
        return NULL;
    }
    memcpy(record->zone.at, bytes->low, bytes->span);
    memcpy(record->before, bytes->low, bytes->span);
    record->source = bytes->low;
    record->users = 0;
    record->written = false;
    record->imported = NULL;
    append_zone(&living_zones, record);
    return record;
}

/* Finds the place of an array without elements. Its shadow has no byte, so that C cannot read the first element. */
static bool find_empty(const DLTensor *tensor, elements *found)
{
    bool is_empty = false;

    for (int i = 0; i < tensor->ndim; i++) {
        is_empty = is_empty || tensor->shape[i] == 0;
    }
    if (!is_empty || tensor->data == NULL || tensor->device.device_type != kDLCPU) {
        return false;
    }
    *found = (elements){.low = (char *)tensor->data + tensor->byte_offset, .itemsize = 1};
    return true;
}

/* Gives the array of an argument a shadow, whose address replaces that in the tensor. Returns it, or NULL if there is none. */
static shadow *give_shadow(call *of, dlb_py_argument *array, DLTensor *tensor, const dlb_py_operand *operand)
{
    const char *const argument = name_of(of->function, operand);
    zone_record *record = NULL;
    shadow *made;
    elements bytes;
    int overlap;

    if (!find_elements(tensor, NULL, &bytes) && !find_empty(tensor, &bytes)) {
        return NULL;
    }
    overlap = find_zone(of, &bytes, &record);
    if (overlap == PARTLY_ZONE) {
        take_back(of, &bytes);
    } else if (overlap == NO_ZONE) {
        record = make_zone(&bytes, alignment_of(operand, bytes.itemsize));
        if (record != NULL) {
            record->function = of->wrapper;
            record->argument = argument;
        }
    }
    made = record != NULL ? new_shadow() : NULL;
    if (made == NULL) {
        note_argument(of->wrapper, argument, bytes.low, bytes.span);
        return NULL;
    }
    *made = (shadow){.record = record, .array = array, .data = tensor->data, .elements = bytes, .function = of->wrapper,
                     .argument = argument, .writes = (operand->flags & DLB_PY_WRITES) != 0,
                     .is_in_struct = array == NULL || operand->type != NULL, .next = of->shadows};
    of->shadows = made;
    record->users++;
    record->written = record->written || made->writes;
    tensor->data = record->zone.at + ((char *)tensor->data - record->source);
    return made;
}

/* Returns whether C keeps the array after the call, or a result may: then C gets the array itself. */
static bool is_kept(const dlb_py_argument *array, const dlb_py_operand *operand)
{
    const unsigned kept = DLB_PY_KEPT | DLB_PY_KEEPS | DLB_PY_INVALIDATES | (array->owner != NULL ? DLB_PY_REFERRED : 0);

    return (operand->flags & kept) != 0;
}

/* Records an array that C gets itself. */
static void note_kept(const call *of, const dlb_py_argument *array, const dlb_py_operand *operand)
{
    elements bytes;

    if (find_elements(array->tensor, NULL, &bytes)) {
        note_argument(of->wrapper, name_of(of->function, operand), bytes.low, bytes.span);
    }
}

void dlb_checked_shadow(dlb_py_argument *array, const dlb_py_operand *operand)
{
    call *of;
    shadow *made;

    if (array->tensor == NULL) {
        return;
    }
    enter_layer();
    of = call_of(operand);
    if (of != NULL && is_kept(array, operand)) {
        note_kept(of, array, operand);
    } else if (of != NULL) {
        own_tensor(array);
        made = give_shadow(of, array, array->tensor, operand);
        if (operand->type == NULL) {
            array->object = array->tensor->data;
        }
        if (made != NULL && made->writes && made->record->users == 1 && is_compact(&made->elements)) {
            made->is_undefined = true; /* memcheck alone */
            dlb_memory_undefine(made->record->zone.at, made->record->zone.size);
        }
    }
    leave_layer();
}

void dlb_checked_numbers(dlb_py_argument *array, const dlb_py_operand *operand)
{
    if (operand->type == NULL && (operand->flags & (DLB_PY_KEPT | DLB_PY_REFERRED)) == 0) { /* else an object takes over the numbers */
        dlb_checked_shadow(array, operand);
    }
}
