/* SPDX-License-Identifier: MIT-0 */
/* Errors: their messages, and the faults that descriptions and factories record. */

#include "tensor.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Turns the message into one line: messages of libraries may contain several lines, or end with a newline. */
static void make_one_line(char *buffer)
{
    size_t end = strlen(buffer);

    while (end > 0 && (unsigned char)buffer[end - 1] <= ' ') {
        buffer[--end] = '\0';
    }
    for (size_t i = 0; i < end; i++) {
        if ((unsigned char)buffer[i] < ' ') {
            buffer[i] = ' ';
        }
    }
}

/* Writes the digits of a number. Returns where in `storage` they begin. */
static const char *write_number(uint64_t size, bool negative, char storage[24])
{
    char *at = storage + 23;

    *at = '\0';
    do {
        *--at = (char)('0' + size % 10);
        size /= 10;
    } while (size != 0);
    if (negative) {
        *--at = '-';
    }
    return at;
}

/* Formats without vsnprintf(), which takes several times as long: some callers refuse arrays all the time. */
int dlb_write_plain(char *buffer, size_t size, const char *format, va_list arguments)
{
    size_t used = 0;

    while (*format != '\0') {
        const char *part = format;
        size_t length = strcspn(format, "%");
        char storage[24];

        format += length;
        if (length == 0) {
            const int longs = format[1] != 'l' ? 0 : format[2] != 'l' ? 1 : 2;
            const int of_size = format[1] == 'z';

            format += 1 + longs + of_size;
            if (*format == 's') {
                part = va_arg(arguments, const char *);
            } else if (*format == 'd') {
                const int64_t number = longs == 2 ? va_arg(arguments, long long)
                                       : longs == 1 ? va_arg(arguments, long)
                                       : of_size    ? va_arg(arguments, ptrdiff_t)
                                                    : va_arg(arguments, int);

                part = write_number(number < 0 ? 0 - (uint64_t)number : (uint64_t)number, number < 0, storage);
            } else if (*format == 'u') {
                const uint64_t number = longs == 2 ? va_arg(arguments, unsigned long long)
                                        : longs == 1 ? va_arg(arguments, unsigned long)
                                        : of_size    ? va_arg(arguments, size_t)
                                                     : va_arg(arguments, unsigned);

                part = write_number(number, false, storage);
            } else {
                return -1;
            }
            if (part == NULL) {
                return -1;
            }
            format++;
            length = strlen(part);
        }
        if (length >= size - used) {
            return -1;
        }
        memcpy(buffer + used, part, length);
        used += length;
    }
    buffer[used] = '\0';
    return (int)used;
}

/* Formats with dlb_write_plain(), or with vsnprintf() if that cannot. Cuts the string off at `size` bytes. */
static void write_any(char *buffer, size_t size, const char *format, va_list arguments)
{
    va_list again;

    va_copy(again, arguments);
    if (dlb_write_plain(buffer, size, format, arguments) < 0) {
        (void)vsnprintf(buffer, size, format, again);
    }
    va_end(again);
}

void dlb_write(char *buffer, size_t size, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    write_any(buffer, size, format, arguments);
    va_end(arguments);
}

int dlb_fail(dlb_error *error, dlb_status status, const char *format, ...)
{
    va_list arguments;

    if (error != NULL) {
        error->status = status;
        error->required = 0;
        va_start(arguments, format);
        write_any(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        make_one_line(error->message);
    }
    return -1;
}

dlb_integer dlb_not_integer(const char *expression, ...)
{
    return (dlb_integer){0, DLB_NOT_INTEGER, expression};
}

/* Returns the value for a message. May write it to `buffer`. Returns NULL for a value that is not an integer or a string. */
static const char *shown_value(const dlb_integer *value, char *buffer, size_t size)
{
    const char *const found = (const char *)(intptr_t)value->value;

    if (value->status == DLB_IS_STRING && found != NULL) {
        (void)snprintf(buffer, size, "'%s'", found);
    } else if (value->status == DLB_IS_STRING) {
        return "NULL";
    } else if (value->status < DLB_TOO_LARGE) {
        return NULL;
    } else if (value->status == DLB_FITS) {
        (void)snprintf(buffer, size, "%" PRId64, value->value);
    } else {
        (void)snprintf(buffer, size, "%" PRIu64, (uint64_t)value->value);
    }
    return buffer;
}

/* Returns the fault with its strings: a fault with a number (DLB_FAULT_...) gets them from a table. */
static dlb_fault in_words(const dlb_fault *fault)
{
    static const char *const words[][2] = {
        [DLB_FAULT_DEVICE_ID] = {"device id", "a device id is 0 to 2^31 - 1"},
        [DLB_FAULT_OFFSET] = {"byte_offset", "an offset is 0 to 2^63 - 1"},
        [DLB_FAULT_RANK] = {"ndim", "a rank is 0 to 64"},
        [DLB_FAULT_CAPACITY] = {"ndim", "the struct cannot hold so many axes"},
        [DLB_FAULT_NO_DATA] = {"ndim", "the array with a value for each axis is NULL"},
        [DLB_FAULT_EXTENT] = {"shape", "an extent is 0 to 2^63 - 1"},
        [DLB_FAULT_STRIDE] = {"strides", "a stride is below 2^63"},
        [DLB_FAULT_BYTES] = {"data", "so many bytes do not hold all elements"},
    };
    dlb_fault result = *fault;

    if (fault->kind > 0) {
        result.slot = words[fault->kind][0];
        result.reason = words[fault->kind][1];
    }
    return result;
}

/* Reports the value that did not fit, with the C expression that it comes from. Returns -1. */
static int report_value(const char *name, const dlb_fault *fault, const char *verb, dlb_error *error)
{
    char slot[32];
    char buffer[128];
    const char *const value = shown_value(&fault->value, buffer, sizeof buffer);

    if (fault->axis >= 0) {
        dlb_write(slot, sizeof slot, "%s[%" PRId32 "]", fault->slot, fault->axis);
    } else {
        dlb_write(slot, sizeof slot, "%s", fault->slot);
    }
    if (value == NULL) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: %s (%s): %s", name, slot, fault->value.expression, fault->reason);
    }
    return dlb_fail(error, DLB_BUFFER_ERROR, "%s: %s (%s) %s %s: %s", name, slot, fault->value.expression, verb, value,
                    fault->reason);
}

void dlb_view_set_error(dlb_view *view, const char *slot, int32_t axis, dlb_integer value, const char *reason)
{
    if ((view->pending_checks & DLB_FAULTY) == 0) {
        view->fault = (dlb_fault){0, axis, slot, reason, value};
        view->pending_checks |= DLB_FAULTY;
    }
}

int dlb_view_fault(const dlb_view *view, dlb_error *error)
{
    const dlb_fault fault = in_words(&view->fault);

    return report_value(view->name, &fault, "is", error);
}

int dlb_refuse(dlb_error *error, const char *name, const char *message)
{
    (void)dlb_fail(error, DLB_BUFFER_ERROR, "%s: %s", name, message != NULL ? message : "the library gives no reason");
    if (error != NULL) {
        error->required = 1;
    }
    return -1;
}

int dlb_call_failed(dlb_error *error, const char *name, const char *call, const char *reason)
{
    if (reason == NULL) {
        return dlb_fail(error, DLB_RUNTIME_ERROR, "%s: %s failed", name, call);
    }
    return dlb_fail(error, DLB_RUNTIME_ERROR, "%s: %s failed: %s", name, call, reason);
}

int dlb_view_call_failed(const dlb_view *view, dlb_error *error, const char *call, const char *reason)
{
    return dlb_call_failed(error, view->name, call, reason);
}

int dlb_unmapped(dlb_error *error, const char *name, const char *slot, dlb_integer value)
{
    if (value.status == DLB_NOT_INTEGER) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the %s for this value of %s is unknown", name, slot,
                        value.expression);
    }
    return report_value(name, &(dlb_fault){0, -1, slot, "not a supported value", value}, "is", error);
}

/* Writes "self->format is 44, plane is 2", cut off at `size` bytes. */
static void write_values(char *buffer, size_t size, const dlb_integer *values, int count)
{
    size_t used = 0;

    buffer[0] = '\0';
    for (int i = 0; i < count && used < size; i++) {
        const char *const comma = i > 0 ? ", " : "";
        char value[128];
        const char *const found = shown_value(&values[i], value, sizeof value);
        const int written = snprintf(buffer + used, size - used, "%s%s%s%s", comma, values[i].expression,
                                     found != NULL ? " is " : "", found != NULL ? found : "");

        used += written > 0 ? (size_t)written : 0;
    }
}

int dlb_unmatched(dlb_error *error, const char *name, const char *slots, const dlb_integer *values, int count)
{
    char buffer[384];

    write_values(buffer, sizeof buffer, values, count);
    return dlb_fail(error, DLB_BUFFER_ERROR, "%s: no %s for these values: %s", name, slots, buffer);
}

void dlb_source_set_error(dlb_source *source, const char *place, const char *expression)
{
    const dlb_integer value = {source->last.value, source->last.status, expression};

    if (source->fault.slot == NULL) {
        source->fault = (dlb_fault){0, -1, place, "the value does not fit", value};
    }
}

int dlb_source_fault(const dlb_source *source, dlb_error *error)
{
    return report_value(source->name, &source->fault, "would be", error);
}

void *dlb_source_refuse(const dlb_source *source, dlb_error *error, const char *message)
{
    (void)dlb_refuse(error, source->name, message);
    return NULL;
}

void *dlb_source_unmatched(const dlb_source *source, dlb_error *error)
{
    char name[DLB_NAME_SIZE];
    char shape[256] = "";
    size_t used = 0;

    for (int axis = 0; axis < source->ndim && used < sizeof shape; axis++) {
        const int written = snprintf(shape + used, sizeof shape - used, axis > 0 ? ", %" PRId64 : "%" PRId64,
                                     source->shape[axis]);

        used += written > 0 ? (size_t)written : 0;
    }
    (void)dlb_fail(error, DLB_BUFFER_ERROR, "%s: arrays of %s[%s] are not supported", source->name,
                   dlb_dtype_name(source->dtype, name), shape);
    return NULL;
}

void *dlb_source_call_failed(const dlb_source *source, dlb_error *error, const char *call, const char *reason)
{
    (void)dlb_call_failed(error, source->name, call, reason);
    return NULL;
}
