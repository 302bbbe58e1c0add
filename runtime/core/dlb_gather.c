/* SPDX-License-Identifier: MIT-0 */
/* Describes layouts that strides in elements cannot express: byte strides that are not multiples of the item size, and tables of
 * row pointers. */
#include "dlb_gather.h"

#include <stdlib.h>
#include <string.h>

/* ---- Descriptions ---- */

dlb_gather *dlb_gather_start(dlb_gather *gather, const dlb_type *type, bool copying)
{
    if (type->copy == DLB_COPY_NEVER) {
        return NULL;
    }
    gather->used = false;
    gather->copying = copying;
    gather->no_memory = false;
    gather->odd_strides = 0;
    gather->rows_axis = -1;
    gather->rows = NULL;
    return gather;
}

void dlb_gather_end(dlb_gather *gather)
{
    if (gather != NULL) {
        free(gather->rows);
        gather->rows = NULL;
    }
}

/* Returns where to collect a layout that needs a copy. Returns NULL if the view must not become a copy, or if its elements are
 * not whole bytes. */
static dlb_gather *gather_of(dlb_view *view)
{
    return view->tensor->dtype.bits % 8 == 0 ? view->gather : NULL;
}

static const char odd_bytes[] = "bytes that are not a multiple of the item size";

/* Sets a byte stride that is not a multiple of the item size. A copy can have it; otherwise it is a fault with that `reason`. */
static void odd_stride(dlb_view *view, int32_t axis, dlb_integer bytes, const char *reason)
{
    dlb_gather *const gather = gather_of(view);

    if (gather == NULL || gather->odd_strides == DLB_MAX_NDIM) {
        dlb_view_set_error(view, "strides", axis, bytes, reason);
        view->tensor->strides[axis] = 0;
        return;
    }
    view->tensor->strides[axis] = INT64_MIN + gather->odd_strides;
    gather->steps[gather->odd_strides++] = bytes.value;
    gather->used = true;
    view->pending_checks |= DLB_GATHERED;
}

void dlb_bit_stride(dlb_view *view, int32_t axis, dlb_integer bits)
{
    const int64_t itembits = (int64_t)view->tensor->dtype.bits * view->tensor->dtype.lanes;

    if (bits.fits && bits.value % itembits != 0 && view->tensor->shape[axis] > 1) {
        if (bits.value % 8 == 0) {
            odd_stride(view, axis, (dlb_integer){bits.value / 8, 1, bits.text}, odd_bytes);
        } else {
            dlb_view_set_error(view, "strides", axis, bits, "bits that are not a multiple of the item size");
            view->tensor->strides[axis] = 0;
        }
        return;
    }
    if (bits.fits) {
        bits.value /= itembits;
    }
    dlb_stride(view, axis, bits);
}

/* Sets the stride of an axis of packed elements, in bytes. */
static void packed_stride(dlb_view *view, int32_t axis, dlb_integer bytes)
{
    dlb_integer bits = bytes;

    if (bytes.fits && dlb_multiply_overflows(bytes.value, 8, &bits.value)) {
        if (view->tensor->shape[axis] > 1) {
            dlb_view_set_error(view, "strides", axis, bytes, "so many bytes lead beyond the address space");
        }
        bits.value = 0;
    }
    dlb_bit_stride(view, axis, bits);
}

void dlb_byte_stride_slow(dlb_view *view, int32_t axis, dlb_integer bytes)
{
    const DLDataType dtype = view->tensor->dtype;
    const int64_t itemsize = dlb_itemsize(dtype);

    if (dtype.bits * dtype.lanes % 8 != 0) {
        packed_stride(view, axis, bytes);
    } else if (bytes.fits && bytes.value % itemsize != 0 && view->tensor->shape[axis] > 1) {
        odd_stride(view, axis, bytes, odd_bytes);
    } else {
        if (bytes.fits) {
            bytes.value /= itemsize;
        }
        dlb_stride(view, axis, bytes);
    }
}

void dlb_unit_stride(dlb_view *view, int32_t axis, dlb_integer steps, dlb_integer bytes_per_step)
{
    const bool matters = view->tensor->shape[axis] > 1;
    int64_t bytes = 0;

    if (!bytes_per_step.fits || bytes_per_step.value <= 0) {
        if (matters) {
            dlb_view_set_error(view, "strides", axis, bytes_per_step, "the bytes of a step are 1 to 2^63 - 1");
        }
        steps.fits = 1;
    } else if (steps.fits && dlb_multiply_overflows(steps.value, bytes_per_step.value, &bytes)) {
        if (matters) {
            dlb_view_set_error(view, "strides", axis, steps, "so many steps lead beyond the address space");
        }
        bytes = 0;
    }
    steps.value = bytes;
    dlb_byte_stride_slow(view, axis, steps);
}

/* ---- Tables of row pointers ---- */

/* Returns the pointer to a row, whose C type may be any object pointer. */
static const char *row_at(const void *table, int64_t row)
{
    const char *pointer;

    /* on all supported platforms, object pointers of every type have the same representation */
    memcpy(&pointer, (const char *)table + (size_t)row * sizeof pointer, sizeof pointer);
    return pointer;
}

/* Records that a row pointer is invalid. */
static void record_row_fault(dlb_view *view, int64_t row, const char *text, const char *reason)
{
    dlb_view_set_error(view, "rows", row <= INT32_MAX ? (int32_t)row : -1, dlb_not_integer(text), reason);
}

/* Copies the table of row pointers, if a copy follows. The view can then only be copied. */
static void keep_rows(dlb_gather *gather, int32_t axis, const void *table, int64_t count)
{
    gather->used = true;
    gather->rows_axis = axis;
    if (gather->copying) {
        gather->rows = (size_t)count > SIZE_MAX / sizeof(void *) ? NULL : malloc((size_t)count * sizeof(void *));
        gather->no_memory = gather->rows == NULL;
    }
    for (int64_t row = 0; gather->rows != NULL && row < count; row++) {
        gather->rows[row] = row_at(table, row);
    }
}

/* Returns 0 if the distance of the rows is constant and a multiple of the item size, else the first row that breaks this. Sets
 * `*distance` to that from row 0 to row 1, in bytes. Addresses may wrap around, so they are unsigned. */
static int64_t odd_row(const void *table, int64_t count, int64_t itemsize, int64_t *distance)
{
    const uintptr_t first = (uintptr_t)row_at(table, 0);
    const uintptr_t step = (uintptr_t)row_at(table, 1) - first;

    *distance = (int64_t)(intptr_t)step;
    if (*distance % itemsize != 0) {
        return 1;
    }
    for (int64_t row = 2; row < count; row++) {
        if ((uintptr_t)row_at(table, row) != first + (uintptr_t)row * step) {
            return row;
        }
    }
    return 0;
}

/* Returns whether no extent is zero or negative. */
static bool has_elements(const DLTensor *tensor)
{
    for (int32_t axis = 0; axis < tensor->ndim; axis++) {
        if (tensor->shape[axis] <= 0) {
            return false;
        }
    }
    return true;
}

int dlb_has_rows(const dlb_view *view, const void *table)
{
    return table != NULL && (view->pending_checks & DLB_FAULTY) == 0 && has_elements(view->tensor);
}

void dlb_rows(dlb_view *view, int32_t axis, const void *table, const char *text)
{
    const int64_t count = view->tensor->shape[axis];
    dlb_gather *const gather = gather_of(view);
    int64_t distance;
    int64_t odd;

    if ((view->pending_checks & DLB_FAULTY) != 0 || !has_elements(view->tensor)) {
        return;
    }
    if (table == NULL) {
        dlb_view_set_error(view, "rows", -1, dlb_not_integer(text), "the table is NULL");
        return;
    }
    for (int64_t row = 0; row < count; row++) {
        if (row_at(table, row) == NULL) {
            record_row_fault(view, row, text, "the pointer is NULL");
            return;
        }
    }
    if (row_at(table, 0) != view->tensor->data) {
        record_row_fault(view, 0, text, "the data does not begin at the first row");
        return;
    }
    if (count == 1) {
        return;
    }
    odd = odd_row(table, count, dlb_itemsize(view->tensor->dtype), &distance);
    if (odd == 0) {
        dlb_byte_stride_slow(view, axis, dlb_signed(text, distance));
    } else if (gather != NULL) {
        keep_rows(gather, axis, table, count);
        view->pending_checks |= DLB_GATHERED;
    } else {
        record_row_fault(view, odd, text, odd == 1 ? "the distance of the rows is not a multiple of the item size"
                                                   : "the distance of the rows is not constant");
    }
}

/* ---- The last step ---- */

/* Computes the byte strides of all axes into `gather->steps`. Returns 0, or -1 with `error` filled if they overflow. */
static int compute_steps(dlb_view *view, dlb_error *error)
{
    const int64_t itemsize = dlb_itemsize(view->tensor->dtype);
    dlb_gather *const gather = view->gather;
    int64_t odd[DLB_MAX_NDIM];

    memcpy(odd, gather->steps, sizeof(int64_t) * (size_t)gather->odd_strides);
    for (int32_t axis = 0; axis < view->tensor->ndim; axis++) {
        const int64_t stride = view->tensor->strides[axis];

        if (axis == gather->rows_axis || view->tensor->shape[axis] == 1) {
            gather->steps[axis] = 0;
        } else if (stride < INT64_MIN + gather->odd_strides) {
            gather->steps[axis] = odd[stride - INT64_MIN];
        } else if (dlb_multiply_overflows(stride, itemsize, &gather->steps[axis])) {
            return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the strides lead beyond the address space", view->name);
        }
    }
    return 0;
}

int dlb_gather_finish(dlb_view *view, dlb_error *error)
{
    DLTensor bytes = *view->tensor;

    if (view->gather->no_memory) {
        return dlb_fail(error, DLB_MEMORY_ERROR, "%s: no memory for a table of %lld rows", view->name,
                        (long long)view->tensor->shape[view->gather->rows_axis]);
    }
    if (compute_steps(view, error) != 0) {
        return -1;
    }
    bytes.dtype = (DLDataType){kDLUInt, 8, 1};
    bytes.strides = view->gather->steps;
    if (dlb_check_span(&bytes, view->name, error) != 0) {
        return -1;
    }
    dlb_compact_tensor(view->tensor, view->tensor->ndim);
    return 0;
}
