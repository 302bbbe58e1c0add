/* SPDX-License-Identifier: MIT-0 */
/* The one place where messages are made, so that C callers and Python read the same ones. */
#include "dlb_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

int dlb_fail(dlb_error *error, dlb_status status, const char *format, ...)
{
    va_list arguments;

    if (error != NULL) {
        error->status = status;
        va_start(arguments, format);
        (void)vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
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

static int report_value(const char *name, const dlb_fault *fault, const char *verb, dlb_error *error)
{
    char slot[32];
    char value[32];

    if (fault->axis >= 0) {
        (void)snprintf(slot, sizeof slot, "%s[%" PRId32 "]", fault->slot, fault->axis);
    } else {
        (void)snprintf(slot, sizeof slot, "%s", fault->slot);
    }
    if (fault->value.fits) {
        (void)snprintf(value, sizeof value, "%" PRId64, fault->value.value);
    } else {
        (void)snprintf(value, sizeof value, "%" PRIu64, (uint64_t)fault->value.value);
    }
    return dlb_fail(error, DLB_BUFFER_ERROR, "%s: %s (%s) %s %s: %s", name, slot, fault->value.text, verb, value,
                    fault->reason);
}

int dlb_view_fault(const dlb_view *view, dlb_error *error)
{
    return report_value(view->name, &view->fault, "is", error);
}

int dlb_view_refuse(const dlb_view *view, dlb_error *error, const char *message)
{
    return dlb_fail(error, DLB_BUFFER_ERROR, "%s: %s", view->name, message);
}

int dlb_view_unmapped(const dlb_view *view, dlb_error *error, const char *slot, dlb_integer value)
{
    if (value.fits < 0) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: no %s is known for this value of %s", view->name, slot,
                        value.text);
    }
    return report_value(view->name, &(dlb_fault){slot, "the spec maps no such value", value, -1}, "is", error);
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
    (void)dlb_fail(error, DLB_BUFFER_ERROR, "%s: %s", source->name, message);
    return NULL;
}

void *dlb_source_call_failed(const dlb_source *source, dlb_error *error, const char *call, const char *reason)
{
    if (reason != NULL) {
        (void)dlb_fail(error, DLB_RUNTIME_ERROR, "%s: %s failed: %s", source->name, call, reason);
    } else {
        (void)dlb_fail(error, DLB_RUNTIME_ERROR, "%s: %s failed", source->name, call);
    }
    return NULL;
}
