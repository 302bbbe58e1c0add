/* SPDX-License-Identifier: MIT-0 */
/* Extents, lengths and strides of arguments: the parameters derived from them, and their checks. */

#include "call.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Derived parameters ---- */

int64_t dlb_py_count(const dlb_py_argument *array)
{
    return array->tensor != NULL ? dlb_element_count(array->tensor) : array->count;
}

int64_t dlb_py_size(const dlb_py_argument *array)
{
    const DLTensor *const tensor = array->tensor;
    int64_t last = 0;

    if (tensor == NULL || dlb_element_count(tensor) == 0) {
        return 0;
    }
    for (int32_t axis = 0; axis < tensor->ndim; axis++) {
        last += (tensor->shape[axis] - 1) * (tensor->strides[axis] < 0 ? -tensor->strides[axis] : tensor->strides[axis]);
    }
    return dlb_nbytes(tensor->dtype, last + 1);
}

int64_t dlb_py_extent(const dlb_py_argument *array, int axis)
{
    return array->tensor != NULL && axis < array->tensor->ndim ? array->tensor->shape[axis] : 0;
}

int64_t dlb_py_stride(const dlb_py_argument *array, int axis)
{
    return array->tensor != NULL && axis < array->tensor->ndim ? array->tensor->strides[axis] : 0;
}

/* ---- Arithmetic and checks ---- */

/* The reasons of lengths that no array has, such as "k = -1". The next eight lengths of a thread leave a reason as it is: a shape has
 * several. */
enum { REASONS = 8, REASON_SIZE = 160 };
typedef struct reasons {
    unsigned next;
    char strings[REASONS][REASON_SIZE];
} reasons;
static DLB_THREAD_LOCAL reasons reasons_of_thread;

/* Returns whether the expression of a length is a reason, since the length is a result of arithmetic. */
static bool is_reason(const char *expression)
{
    return (uintptr_t)expression - (uintptr_t)reasons_of_thread.strings < sizeof reasons_of_thread.strings;
}

/* Writes "k = -1" for an operand of C, and the reason of a result. Writes nothing for a literal, and for a result that is a length. */
static void write_reason(char reason[REASON_SIZE], const dlb_integer *operand)
{
    const char *const expression = operand->expression;

    reason[0] = '\0';
    if (expression == NULL || (expression[0] >= '0' && expression[0] <= '9')) {
        return;
    }
    if (is_reason(expression)) {
        (void)snprintf(reason, REASON_SIZE, "%s", expression);
    } else if (operand->status == DLB_FITS) {
        (void)snprintf(reason, REASON_SIZE, "%s = %" PRId64, expression, operand->value);
    } else {
        (void)snprintf(reason, REASON_SIZE, "%s = %" PRIu64, expression, (uint64_t)operand->value);
    }
}

/* Returns the reason of a result that no array has as its length: its operands. */
DLB_COLD static const char *reason_of(const dlb_integer *a, const dlb_integer *b)
{
    char *const reason = reasons_of_thread.strings[reasons_of_thread.next++ % REASONS];
    char first[REASON_SIZE];
    char second[REASON_SIZE];
    const char *comma;

    write_reason(first, a);
    write_reason(second, b);
    if (strcmp(first, second) == 0) {
        second[0] = '\0';
    }
    comma = first[0] != '\0' && second[0] != '\0' ? ", " : "";
    (void)snprintf(reason, REASON_SIZE, "%.78s%s%.78s", first, comma, second);
    return reason;
}

/* Returns a result of arithmetic. A later operation can make a negative result positive, so it is not a fault yet. */
static dlb_integer length(bool fits, int64_t value, const dlb_integer *a, const dlb_integer *b)
{
    return (dlb_integer){value, fits ? DLB_FITS : DLB_TOO_LARGE, DLB_LIKELY(fits && value >= 0) ? NULL : reason_of(a, b)};
}

static bool both_fit(const dlb_integer *a, const dlb_integer *b)
{
    return a->status == DLB_FITS && b->status == DLB_FITS;
}

dlb_integer dlb_plus(dlb_integer a, dlb_integer b)
{
    int64_t sum = 0;
    const bool fits = both_fit(&a, &b) && !dlb_add_overflows(a.value, b.value, &sum);

    return length(fits, sum, &a, &b);
}

dlb_integer dlb_minus(dlb_integer a, dlb_integer b)
{
    int64_t sum = 0;
    const bool fits = both_fit(&a, &b) && b.value != INT64_MIN && !dlb_add_overflows(a.value, -b.value, &sum);

    return length(fits, sum, &a, &b);
}

dlb_integer dlb_times(dlb_integer a, dlb_integer b)
{
    int64_t product = 0;
    const bool sensible = both_fit(&a, &b) && (a.value >= 0 || b.value >= 0);
    const bool fits = sensible && !dlb_multiply_overflows(a.value, b.value, &product);

    return length(fits, product, &a, &b);
}

static bool divides(const dlb_integer *a, const dlb_integer *b)
{
    return both_fit(a, b) && b->value != 0 && (a->value != INT64_MIN || b->value != -1);
}

dlb_integer dlb_over(dlb_integer a, dlb_integer b)
{
    const bool fits = divides(&a, &b);

    return length(fits, fits ? a.value / b.value : 0, &a, &b);
}

dlb_integer dlb_modulo(dlb_integer a, dlb_integer b)
{
    const bool fits = divides(&a, &b);

    return length(fits, fits ? a.value % b.value : 0, &a, &b);
}

/* Writes a shape such as "(4, 3)" or "(4,)" to `buffer`, and truncates it if there is not enough space. */
static void write_shape(const int64_t *extents, int32_t count, char buffer[120])
{
    int used = snprintf(buffer, 120, "(");

    for (int32_t axis = 0; axis < count && used < 90; axis++) {
        used += snprintf(buffer + used, (size_t)(120 - used), axis == 0 ? "%" PRId64 : ", %" PRId64, extents[axis]);
    }
    (void)snprintf(buffer + used, (size_t)(120 - used), count == 1 ? ",)" : ")");
}

/* Writes the reason of a length that no array has: " (k = -1)", or nothing if only literals are known. */
static void write_end(char end[REASON_SIZE + 3], const dlb_integer *wrong)
{
    char reason[REASON_SIZE];

    write_reason(reason, wrong);
    end[0] = '\0';
    if (reason[0] != '\0') {
        (void)snprintf(end, REASON_SIZE + 3, " (%s)", reason);
    }
}

int dlb_py_refuse_length(const dlb_py_function *function, const char *param, const char *holder, const char *unit,
                         const dlb_integer *wrong)
{
    char end[REASON_SIZE + 3];

    write_end(end, wrong);
    if (wrong->status != DLB_FITS) {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s(): no %s has as many %s as '%s' must have%s", function->name, holder, unit,
                                param, end);
    } else {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s(): '%s' cannot have %lld %s%s", function->name, param, (long long)wrong->value,
                                unit, end);
    }
    return -1;
}

int dlb_py_refuse_shape(const dlb_py_function *function, const char *param, int ndim, const dlb_integer *extents)
{
    int64_t wanted[DLB_MAX_NDIM];
    char end[REASON_SIZE + 3];
    char shape[120];
    bool fit = true;
    int wrong = 0;

    for (int axis = ndim - 1; axis >= 0; axis--) {
        wanted[axis] = extents[axis].value;
        fit = fit && extents[axis].status == DLB_FITS;
        wrong = extents[axis].status != DLB_FITS || (fit && wanted[axis] < 0) ? axis : wrong;
    }
    write_end(end, &extents[wrong]);
    if (fit) {
        write_shape(wanted, ndim, shape);
        (void)dlb_py_raise_message(PyExc_ValueError, "%s(): '%s' cannot have shape %s%s", function->name, param, shape, end);
    } else {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s(): no array has the shape that '%s' must have%s", function->name, param, end);
    }
    return -1;
}

int dlb_py_check_shape(const dlb_py_function *function, const dlb_py_argument *array, const char *param, int ndim,
                       const dlb_integer *extents)
{
    const DLTensor *const tensor = array->tensor;
    int64_t wanted[DLB_MAX_NDIM];
    char wanted_shape[120];
    char shape[120];
    bool same = tensor != NULL && tensor->ndim == ndim;
    bool fit = true;

    if (tensor == NULL) { /* None, which the operand allows */
        return 0;
    }
    for (int axis = 0; axis < ndim; axis++) {
        fit = fit && extents[axis].status == DLB_FITS && extents[axis].value >= 0;
        wanted[axis] = extents[axis].value;
        same = same && tensor->shape[axis] == wanted[axis];
    }
    if (!fit) {
        return dlb_py_refuse_shape(function, param, ndim, extents);
    }
    if (same) {
        return 0;
    }
    write_shape(wanted, ndim, wanted_shape);
    write_shape(tensor->shape, tensor->ndim, shape);
    (void)dlb_py_raise_message(PyExc_ValueError, "%s() argument '%s' must have shape %s, not %s", function->name, param, wanted_shape,
                            shape);
    return -1;
}

/* Converts the stride of an axis from elements to bytes. Returns whether it is a whole number of bytes and fits. */
static bool in_bytes(const dlb_py_argument *array, int axis, int64_t *bytes)
{
    const DLDataType dtype = array->tensor != NULL ? array->tensor->dtype : (DLDataType){0};
    int64_t bits = 0;
    const bool fits = !dlb_multiply_overflows(dlb_py_stride(array, axis), (int64_t)dtype.bits * dtype.lanes, &bits);

    *bytes = bits / 8;
    return fits && bits % 8 == 0;
}

int dlb_py_check_forward(const dlb_py_function *function, const dlb_py_argument *array, const char *param, int axis)
{
    const DLTensor *const tensor = array->tensor;

    if (tensor == NULL || tensor->strides == NULL || tensor->strides[axis] >= 0 || tensor->shape[axis] < 2) {
        return 0;
    }
    (void)dlb_py_raise_message(PyExc_BufferError, "%s() argument '%s' must not run backwards along axis %d", function->name, param, axis);
    return -1;
}

int dlb_py_check_bytes(const dlb_py_function *function, const dlb_py_argument *array, const char *param, int axis)
{
    int64_t bytes;

    if (in_bytes(array, axis, &bytes)) {
        return 0;
    }
    (void)dlb_py_raise_message(PyExc_ValueError, "%s() argument '%s': the stride of axis %d is not a number of bytes", function->name,
                            param, axis);
    return -1;
}

int64_t dlb_py_byte_stride(const dlb_py_argument *array, int axis)
{
    int64_t bytes;

    (void)in_bytes(array, axis, &bytes);
    return bytes;
}

int dlb_py_check_least(const dlb_py_function *function, const char *param, int64_t length, int64_t least)
{
    if (length >= least) {
        return 0;
    }
    (void)dlb_py_raise_message(PyExc_ValueError, "%s() argument '%s' is of length %lld, which must be %lld at least", function->name,
                            param, (long long)length, (long long)least);
    return -1;
}

int dlb_py_check_count(const dlb_py_function *function, const dlb_py_argument *array, const char *param,
                       dlb_integer count)
{
    const int64_t elements = dlb_py_count(array);

    if (array->source == NULL && array->tensor == NULL) {
        return 0;
    }
    if (count.status == DLB_FITS && elements == count.value) {
        return 0;
    }
    if (count.status != DLB_FITS || count.value < 0) {
        return dlb_py_refuse_length(function, param, "array", "elements", &count);
    }
    (void)dlb_py_raise_message(PyExc_ValueError, "%s() argument '%s' must have %lld element%s, not %lld", function->name, param,
                            (long long)count.value, count.value == 1 ? "" : "s", (long long)elements);
    return -1;
}

/* Computes how many elements of `size` bytes can be reached from the first element: in `*behind` forwards, with the first, and in
 * `*before` backwards, where strides are negative. */
static void count_reachable(const DLTensor *tensor, int64_t size, int64_t *before, int64_t *behind)
{
    int64_t low = 0;
    int64_t high = 0;

    for (int32_t axis = 0; axis < tensor->ndim; axis++) {
        const int64_t span = (tensor->shape[axis] - 1) * tensor->strides[axis];

        low += span < 0 ? span : 0;
        high += span > 0 ? span : 0;
    }
    *before = -low * dlb_nbytes(tensor->dtype, 1) / size;
    *behind = dlb_nbytes(tensor->dtype, high + 1) / size;
}

/* Raises a ValueError: the element at `index`, which the call reads, does not exist. Returns -1. */
static int refuse_element(const dlb_py_function *function, const char *param, const dlb_integer *index, int64_t count)
{
    if (index->status != DLB_FITS) {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s(): no array has the element of '%s' that is read", function->name, param);
    } else {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s() reads element %lld of argument '%s', which has %lld", function->name,
                                (long long)index->value, param, (long long)count);
    }
    return -1;
}

int dlb_py_check_element(const dlb_py_function *function, const dlb_py_argument *array, const char *param, size_t size,
                         dlb_integer index)
{
    const DLTensor *const tensor = array->tensor;
    int64_t before = 0;
    int64_t behind = 0;

    if (tensor != NULL && !dlb_host_readable(tensor->device.device_type)) {
        (void)dlb_py_raise_message(PyExc_ValueError, "%s() reads elements of argument '%s', which is on a device", function->name,
                                param);
        return -1;
    }
    if (tensor != NULL && dlb_element_count(tensor) > 0) {
        count_reachable(tensor, (int64_t)size, &before, &behind);
    }
    if (index.status == DLB_FITS && index.value >= -before && index.value < behind) {
        return 0;
    }
    return refuse_element(function, param, &index, dlb_py_count(array));
}

int dlb_py_check_string(const dlb_py_function *function, const void *strings, const char *param, dlb_integer index)
{
    const int64_t count = dlb_py_string_count(strings);

    return index.status == DLB_FITS && index.value >= 0 && index.value < count ? 0 : refuse_element(function, param, &index, count);
}

int dlb_py_check_strings(const dlb_py_function *function, const void *strings, const char *param, dlb_integer count)
{
    const int64_t found = dlb_py_string_count(strings);

    if (strings == NULL || (count.status == DLB_FITS && count.value == found)) {
        return 0;
    }
    if (count.status != DLB_FITS || count.value < 0) {
        return dlb_py_refuse_length(function, param, "sequence", "strings", &count);
    }
    (void)dlb_py_raise_message(PyExc_ValueError, "%s() argument '%s' must have %lld string%s, not %lld", function->name, param,
                            (long long)count.value, count.value == 1 ? "" : "s", (long long)found);
    return -1;
}

int dlb_py_check_letter(const dlb_py_function *function, const char *string, const char *param, dlb_integer index)
{
    const int64_t length = string != NULL ? (int64_t)strlen(string) : -1;

    if (index.status == DLB_FITS && index.value >= 0 && index.value <= length) {
        return 0;
    }
    return refuse_element(function, param, &index, length < 0 ? 0 : length);
}
