/* SPDX-License-Identifier: MIT-0 */
/* The one place where messages are made, so that C callers and Python read the same ones. */
#include "dlb_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* One line: messages of libraries may have several, or a newline at the end. */
static void make_one_line(char *text)
{
    size_t end = strlen(text);

    while (end > 0 && (unsigned char)text[end - 1] <= ' ') {
        text[--end] = '\0';
    }
    for (size_t i = 0; i < end; i++) {
        if ((unsigned char)text[i] < ' ') {
            text[i] = ' ';
        }
    }
}

int dlb_fail(dlb_error *error, dlb_status status, const char *format, ...)
{
    va_list arguments;

    if (error != NULL) {
        error->status = status;
        va_start(arguments, format);
        (void)vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        make_one_line(error->message);
    }
    return -1;
}

dlb_integer dlb_not_integer(const char *text, ...)
{
    return (dlb_integer){0, -1, text};
}

void dlb_note_fault(dlb_fault *fault, const char *slot, int32_t axis, dlb_integer value, const char *reason)
{
    if (fault->slot == NULL) {
        *fault = (dlb_fault){slot, reason, value, axis};
    }
}

void dlb_view_note(dlb_view *view, const char *slot, int32_t axis, dlb_integer value, const char *reason)
{
    dlb_note_fault(&view->fault, slot, axis, value, reason);
    view->unsettled = 1;
}

/* What a value is, in `text` or elsewhere; NULL where it has no name. */
static const char *shown_value(const dlb_integer *value, char *text, size_t size)
{
    const char *const found = (const char *)(intptr_t)value->value;

    if (value->fits == -2 && found != NULL) {
        (void)snprintf(text, size, "'%s'", found);
    } else if (value->fits == -2) {
        return "NULL";
    } else if (value->fits < 0) {
        return NULL;
    } else if (value->fits) {
        (void)snprintf(text, size, "%" PRId64, value->value);
    } else {
        (void)snprintf(text, size, "%" PRIu64, (uint64_t)value->value);
    }
    return text;
}

static int report_value(const char *name, const dlb_fault *fault, const char *verb, dlb_error *error)
{
    char slot[32];
    char text[128];
    const char *const value = shown_value(&fault->value, text, sizeof text);

    if (fault->axis >= 0) {
        (void)snprintf(slot, sizeof slot, "%s[%" PRId32 "]", fault->slot, fault->axis);
    } else {
        (void)snprintf(slot, sizeof slot, "%s", fault->slot);
    }
    if (value == NULL) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: %s (%s): %s", name, slot, fault->value.text, fault->reason);
    }
    return dlb_fail(error, DLB_BUFFER_ERROR, "%s: %s (%s) %s %s: %s", name, slot, fault->value.text, verb, value,
                    fault->reason);
}

int dlb_view_fault(const dlb_view *view, dlb_error *error)
{
    return report_value(view->name, &view->fault, "is", error);
}

int dlb_view_failed(const dlb_view *view, dlb_error *error)
{
    return view->fault.slot != NULL ? dlb_view_fault(view, error) : 0;
}

int dlb_refuse(dlb_error *error, const char *name, const char *message)
{
    return dlb_fail(error, DLB_BUFFER_ERROR, "%s: %s", name, message != NULL ? message : "the library gives no reason");
}

int dlb_call_failed(dlb_error *error, const char *name, const char *call, const char *reason)
{
    if (reason == NULL) {
        return dlb_fail(error, DLB_RUNTIME_ERROR, "%s: %s failed", name, call);
    }
    return dlb_fail(error, DLB_RUNTIME_ERROR, "%s: %s failed: %s", name, call, reason);
}

int dlb_view_refuse(const dlb_view *view, dlb_error *error, const char *message)
{
    return dlb_refuse(error, view->name, message);
}

int dlb_view_call_failed(const dlb_view *view, dlb_error *error, const char *call, const char *reason)
{
    return dlb_call_failed(error, view->name, call, reason);
}

int dlb_view_unmapped(const dlb_view *view, dlb_error *error, const char *slot, dlb_integer value)
{
    if (value.fits == -1) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: no %s is known for this value of %s", view->name, slot,
                        value.text);
    }
    return report_value(view->name, &(dlb_fault){slot, "the spec maps no such value", value, -1}, "is", error);
}

/* "self->format is 44, plane is 2", as far as it fits. */
static void write_values(char *text, size_t size, const dlb_integer *values, int count)
{
    size_t used = 0;

    text[0] = '\0';
    for (int i = 0; i < count && used < size; i++) {
        const char *const comma = i > 0 ? ", " : "";
        char value[128];
        const char *const found = shown_value(&values[i], value, sizeof value);
        const int written = snprintf(text + used, size - used, "%s%s%s%s", comma, values[i].text,
                                     found != NULL ? " is " : "", found != NULL ? found : "");

        used += written > 0 ? (size_t)written : 0;
    }
}

int dlb_view_unmatched(const dlb_view *view, dlb_error *error, const char *slots, const dlb_integer *values, int count)
{
    char text[384];

    write_values(text, sizeof text, values, count);
    return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the spec has no %s for this: %s", view->name, slots, text);
}

int dlb_source_failed(const dlb_source *source, dlb_error *error)
{
    if (source->fault.slot == NULL) {
        return 0;
    }
    return report_value(source->name, &source->fault, "would be", error);
}

void *dlb_source_refuse(const dlb_source *source, dlb_error *error, const char *message)
{
    (void)dlb_refuse(error, source->name, message);
    return NULL;
}

void *dlb_source_unmatched(const dlb_source *source, dlb_error *error)
{
    char name[DLB_NAME_TEXT];
    char shape[256] = "";
    size_t used = 0;

    for (int axis = 0; axis < source->ndim && used < sizeof shape; axis++) {
        const int written = snprintf(shape + used, sizeof shape - used, axis > 0 ? ", %" PRId64 : "%" PRId64,
                                     source->shape[axis]);

        used += written > 0 ? (size_t)written : 0;
    }
    (void)dlb_fail(error, DLB_BUFFER_ERROR, "%s: the spec has no arm for %s[%s]", source->name,
                   dlb_dtype_name(source->dtype, name), shape);
    return NULL;
}

void *dlb_source_call_failed(const dlb_source *source, dlb_error *error, const char *call, const char *reason)
{
    (void)dlb_call_failed(error, source->name, call, reason);
    return NULL;
}
