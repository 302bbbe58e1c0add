/* SPDX-License-Identifier: MIT-0 */
/* Outputs: are all elements set? */

#include "layer.h"

#include <stdlib.h>
#include <string.h>

/* The counts of all calls with one output: whether C sets each element is seen in several calls only. */
typedef struct output_record {
    const char *function;
    const char *argument;
    int new_calls;     /* with a new output of more than one element, in which C has written */
    int given_calls;   /* the same with an output that the caller passed */
    int unset_calls;   /* of the new ones: elements at the end, or at the start, kept the pattern */
    bool is_scattered; /* other elements kept it: C sets those that it wants, and relies on zeros */
    bool adds;         /* C adds to the elements */
    int64_t unset, of, element;
    /* of given outputs */
    int kept_calls;    /* in which the end kept its value */
    int64_t kept, kept_of;
    bool is_constant; /* the number of elements that kept it was always equal */
    bool is_part;     /* they were always the same part of the array */
    bool has_lengths; /* there were arrays of several lengths */
    /* memcheck: of outputs in which C has set some elements */
    int undefined_calls; /* in which others, at the end or at the start, were left undefined */
    bool has_gaps; /* C left out an element between two others, such as a byte that pads a row */
    bool is_undefined_new; /* the first one was a new output */
    int64_t undefined_element, undefined_of;
    struct output_record *next;
} output_record;

static output_record *outputs[256];

static output_record *output_of(const char *function, const char *argument)
{
    output_record **const place = &outputs[((uintptr_t)function / 8 ^ (uintptr_t)argument) % 256];
    output_record *found = *place;

    while (found != NULL && (found->function != function || found->argument != argument)) {
        found = found->next;
    }
    if (found == NULL) {
        found = new_node(sizeof *found);
        if (found != NULL) {
            *found = (output_record){.function = function, .argument = argument, .next = *place};
            *place = found;
        }
    }
    return found;
}

/* Fills an element with a pattern: a number that is large in size, and negative for every second call. */
static void fill_pattern(DLDataType dtype, size_t size, bool is_negative, unsigned char *element)
{
    const bool is_float = dtype.code == kDLFloat || dtype.code == kDLComplex;
    const size_t part = dtype.code == kDLComplex ? size / 2 : size;

    memset(element, is_negative ? 0xA5 : 0x5A, size);
    for (size_t end = part; is_float && part >= 4 && end <= size && end > 0; end += part) {
        element[(dlb_is_big_endian() ? end - part : end - 1)] = is_negative ? 0xC3 : 0x43;
    }
}

/* Returns whether an element is near to the pattern, and not equal: C has added to it. */
static bool is_near(const unsigned char *element, const unsigned char *pattern, size_t size)
{
    if (size < 4) {
        const int distance = element[dlb_is_big_endian() ? size - 1 : 0] - pattern[dlb_is_big_endian() ? size - 1 : 0];

        return distance > -16 && distance < 16;
    }
    return memcmp(dlb_is_big_endian() ? element : element + size / 2, dlb_is_big_endian() ? pattern : pattern + size / 2, size / 2) == 0;
}

/* Returns whether an array of several axes has only one row, or one column: C does not use the distance of its rows, and fills it in full
 * although this distance is wrong. */
static bool has_one_row(const DLTensor *tensor)
{
    for (int i = 0; i < tensor->ndim; i++) {
        if (tensor->ndim > 1 && tensor->shape[i] == 1) {
            return true;
        }
    }
    return false;
}

/* Counts the elements that kept the pattern, and sets them to 0, as they would be without it. */
static void judge_new_output(const shadow *of, output_record *found)
{
    const size_t size = of->elements.itemsize;
    const int64_t count = (int64_t)(of->elements.span / size);
    char *const at = of->record->zone.at;
    const unsigned char *const pattern = (const unsigned char *)of->record->before;
    int64_t unset = 0, first = -1, last = -1, set_first = -1, set_last = -1;

    for (int64_t i = 0; i < count; i++) {
        unsigned char *const element = (unsigned char *)at + (size_t)i * size;

        if (memcmp(element, pattern + (size_t)i * size, size) == 0) {
            memset(element, 0, size);
            first = first < 0 ? i : first;
            last = i;
            unset++;
        } else {
            found->adds = found->adds || is_near(element, pattern + (size_t)i * size, size);
            set_first = set_first < 0 ? i : set_first;
            set_last = i;
        }
    }
    if (unset == 0 && count > 0) {
        confirm("set", of->function, of->argument);
    }
    if (set_first < 0 || count < 2 || (unset == 0 && of->array != NULL && has_one_row(of->array->tensor))) {
        return;
    }
    found->new_calls++;
    if (unset > 0 && (first > set_last || last < set_first)) {
        found->unset_calls++;
        found->unset = unset;
        found->of = count;
        found->element = first;
    } else if (unset > 0) {
        found->is_scattered = true;
    }
}

/* Counts the elements at the end of a given output that kept their values. */
static void judge_given_output(const shadow *of, output_record *found)
{
    const size_t size = of->elements.itemsize;
    const int64_t count = (int64_t)(of->elements.span / size);
    const char *const now = of->record->zone.at;
    const char *const before = of->record->before;
    size_t same = of->elements.span;
    int64_t kept;

    while (same > 0 && now[same - 1] == before[same - 1]) {
        same--;
    }
    kept = count - (int64_t)((same + size - 1) / size);
    if (kept == count || count < 2) { /* nothing was written: the array had the values already, or C does not write */
        return;
    }
    found->given_calls++;
    if (kept == 0) {
        confirm("set", of->function, of->argument);
        return;
    }
    if (found->kept_calls++ == 0) {
        found->is_constant = true;
        found->is_part = true;
        found->has_lengths = false;
    } else {
        found->is_constant = found->is_constant && kept == found->kept;
        found->is_part = found->is_part && kept * found->kept_of >= (found->kept - 1) * count && (kept - 1) * found->kept_of <= found->kept * count;
        found->has_lengths = found->has_lengths || count != found->kept_of;
    }
    found->kept = kept;
    found->kept_of = count;
}

/* memcheck: counts the calls in which C has left elements undefined, while it has set others. */
static void judge_undefined(const shadow *of, const call *in, output_record *found)
{
    const size_t size = of->elements.itemsize;
    const char *const at = of->record->zone.at;
    const int64_t first = (int64_t)(dlb_memory_undefined(at, of->elements.span) / size);
    const int64_t count = (int64_t)(of->elements.span / size);
    int64_t last = first, first_set = first > 0 ? 0 : count, last_set = first - 1;

    if (first == count || (in != NULL && in->reads_undefined)) {
        return;
    }
    for (int64_t i = first; i < count; i++) {
        if (dlb_memory_undefined(at + (size_t)i * size, size) < size) {
            last = i;
        } else {
            first_set = i < first_set ? i : first_set;
            last_set = i;
        }
    }
    if (first < last_set && last > first_set) {
        found->has_gaps = true;
    } else if (first_set < count && found->undefined_calls++ == 0) {
        found->undefined_element = first;
        found->undefined_of = count;
        found->is_undefined_new = of->is_new;
    }
}

static void judge_output(const shadow *of, const call *in)
{
    output_record *const found = is_compact(&of->elements) ? output_of(of->function, of->argument) : NULL;

    if (found == NULL) {
        return;
    }
    if (of->is_undefined) {
        judge_undefined(of, in, found);
    }
    if (of->has_pattern) {
        judge_new_output(of, found);
    } else if (!of->is_new) {
        judge_given_output(of, found);
    }
}

static void judge_outputs(void)
{
    line to;

    for (size_t i = 0; i < 256; i++) {
        for (output_record *each = outputs[i]; each != NULL; each = each->next) {
            if (each->unset_calls >= 2 && each->unset_calls == each->new_calls && !each->is_scattered && !each->adds &&
                begin_finding(&to, "unset", each->function, NULL, each->argument)) {
                add_number(&to, "kept", each->unset);
                add_number(&to, "of", each->of);
                add_number(&to, "element", each->element);
                add_number(&to, "calls", each->unset_calls);
                write_line(&to);
            }
            if (each->undefined_calls > 0 && !each->has_gaps && begin_finding(&to, "undefined", each->function, NULL, each->argument)) {
                add_number(&to, "element", each->undefined_element);
                add_number(&to, "of", each->undefined_of);
                add_number(&to, "new", each->is_undefined_new);
                add_number(&to, "calls", each->undefined_calls);
                write_line(&to);
            }
            if (each->kept_calls >= 3 && each->kept_calls == each->given_calls && each->has_lengths && (each->is_constant || each->is_part) &&
                begin_finding(&to, "end-kept", each->function, NULL, each->argument)) {
                add_number(&to, "calls", each->kept_calls);
                add_number(&to, "kept", each->kept);
                add_number(&to, "of", each->kept_of);
                write_line(&to);
            }
        }
    }
}

/* Returns whether new outputs get a pattern: C code that adds to the zeros of a new output would get wrong results. */
static bool wants_pattern(void)
{
    static int wanted = -1;

    if (wanted < 0) {
        const char *const value = getenv("DLB_CHECKED_PATTERN");

        wanted = value != NULL && value[0] == '1';
    }
    return wanted != 0;
}

/* Fills a new output with the pattern, and marks it as undefined. */
static void prepare_output(shadow *of, DLDataType dtype)
{
    static unsigned calls;
    const size_t size = of->elements.itemsize;
    unsigned char element[64];

    if (wants_pattern() && is_compact(&of->elements) && size <= sizeof element) {
        fill_pattern(dtype, size, calls++ % 2 != 0, element);
        for (size_t at = 0; at + size <= of->elements.span; at += size) {
            memcpy(of->record->zone.at + at, element, size);
        }
        memcpy(of->record->before, of->record->zone.at, of->elements.span);
        of->has_pattern = true;
    }
    of->is_undefined = true;
    dlb_memory_undefine(of->record->zone.at, of->record->zone.size);
}

void dlb_checked_output(dlb_py_argument *array, const dlb_py_operand *operand)
{
    call *of;
    shadow *made;

    enter_layer();
    of = call_of(operand);
    if (of == NULL || array->tensor == NULL || is_kept(array, operand) || (operand->flags & DLB_PY_REFERRED) != 0) {
        if (of != NULL && array->tensor != NULL) {
            note_kept(of, array, operand);
        }
        leave_layer();
        return;
    }
    made = give_shadow(of, array, array->tensor, operand);
    array->object = array->tensor->data;
    if (made != NULL) {
        made->is_new = true;
        made->writes = true;
        made->record->written = true;
        prepare_output(made, array->tensor->dtype);
    }
    leave_layer();
}

void dlb_checked_new_array(dlb_array *array, const char *argument)
{
    elements bytes = {0};
    call *of;
    zone_record *record;
    shadow *made;

    if (array == NULL || array->shape == NULL || array->shape[0] == 0 || array->dtype.bits * array->dtype.lanes % 8 != 0) {
        return;
    }
    bytes.low = array->data;
    bytes.itemsize = (size_t)dlb_nbytes(array->dtype, 1);
    bytes.span = bytes.itemsize * (size_t)array->shape[0];
    bytes.run = bytes.span;
    enter_layer();
    of = current_call(false);
    record = of != NULL ? make_zone(&bytes, alignment_of(NULL, bytes.itemsize)) : NULL;
    made = record != NULL ? new_shadow() : NULL;
    if (made != NULL) {
        record->function = of->wrapper;
        record->argument = argument;
        record->users = 1; /* `written` stays false: the end of a call that fails copies nothing */
        *made = (shadow){.record = record, .data = array->data, .elements = bytes, .function = of->wrapper, .argument = argument,
                         .writes = true, .is_new = true, .is_in_struct = true, .made = array, .next = of->shadows};
        of->shadows = made;
        of->filling++;
        prepare_output(made, array->dtype);
        array->data = record->zone.at;
    } else if (record != NULL) {
        forbid_zone(record);
    }
    leave_layer();
}
