/* SPDX-License-Identifier: MIT-0 */
/* Descriptions: the functions that emitted code calls to describe a struct, and the checks of the complete view. */

#include "exchange.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Dtypes that are known only at run time ---- */

/* The valid bit widths of a dtype code, and the message for other widths. */
typedef struct widths {
    uint8_t bits[8]; /* ends with 0 */
    const char *reason;
} widths;

/* Newer than DLPack 1.3, whose header may lack it. A struct with a greater code is refused: the value is more likely garbage
 * than a code that a consumer knows. */
enum { BCOMPLEX = 18 };

#define FLOAT8 {8, 0}, "a kDLFloat8 has 8 bits"
static const widths widths_of[] = {
    [kDLInt] = {{1, 2, 4, 8, 16, 32, 64, 0}, "a kDLInt has 1, 2, 4, 8, 16, 32 or 64 bits"},
    [kDLUInt] = {{1, 2, 4, 8, 16, 32, 64, 0}, "a kDLUInt has 1, 2, 4, 8, 16, 32 or 64 bits"},
    [kDLFloat] = {{16, 32, 64, 80, 96, 128, 0}, "a kDLFloat has 16, 32, 64, 80, 96 or 128 bits"},
    [kDLOpaqueHandle] = {{8, 16, 32, 64, 128, 0}, "a kDLOpaqueHandle has 8, 16, 32, 64 or 128 bits"},
    [kDLBfloat] = {{16, 0}, "a kDLBfloat has 16 bits"},
    [kDLComplex] = {{32, 64, 128, 0}, "a kDLComplex has 32, 64 or 128 bits"},
    [kDLBool] = {{8, 0}, "a kDLBool has 8 bits"},
    [kDLFloat8_e3m4] = {FLOAT8},
    [kDLFloat8_e4m3] = {FLOAT8},
    [kDLFloat8_e4m3b11fnuz] = {FLOAT8},
    [kDLFloat8_e4m3fn] = {FLOAT8},
    [kDLFloat8_e4m3fnuz] = {FLOAT8},
    [kDLFloat8_e5m2] = {FLOAT8},
    [kDLFloat8_e5m2fnuz] = {FLOAT8},
    [kDLFloat8_e8m0fnu] = {FLOAT8},
    [kDLFloat6_e2m3fn] = {{6, 0}, "a kDLFloat6 has 6 bits"},
    [kDLFloat6_e3m2fn] = {{6, 0}, "a kDLFloat6 has 6 bits"},
    [kDLFloat4_e2m1fn] = {{4, 0}, "a kDLFloat4 has 4 bits"},
    [BCOMPLEX] = {{32, 0}, "a kDLBcomplex has 32 bits"},
};
#undef FLOAT8

/* Returns whether `bits` is a valid width of the dtype code. */
static bool has_width(const widths *known, dlb_integer bits)
{
    for (size_t i = 0; i < sizeof known->bits && known->bits[i] != 0; i++) {
        if (known->bits[i] == bits.value) {
            return true;
        }
    }
    return false;
}

void dlb_dtype(dlb_view *view, dlb_integer code, dlb_integer bits, dlb_integer lanes)
{
    view->tensor->dtype = (DLDataType){kDLUInt, 8, 1}; /* a valid dtype for computations before the fault is reported */
    if (code.status == DLB_TOO_LARGE || code.value < 0 || code.value >= (int64_t)(sizeof widths_of / sizeof widths_of[0])) {
        dlb_view_set_error(view, "dtype code", -1, code, "the codes of DLPack are kDLInt (0) to kDLBcomplex (18)");
    } else if (!has_width(&widths_of[code.value], bits)) {
        dlb_view_set_error(view, "dtype bits", -1, bits, widths_of[code.value].reason);
    } else if (lanes.status == DLB_TOO_LARGE || lanes.value < 1 || lanes.value > UINT16_MAX) {
        dlb_view_set_error(view, "dtype lanes", -1, lanes, "there are 1 to 65535 lanes");
    } else {
        view->tensor->dtype = (DLDataType){(uint8_t)code.value, (uint8_t)bits.value, (uint16_t)lanes.value};
    }
}

/* ---- Strides ---- */

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

    if (bits.status != DLB_TOO_LARGE && bits.value % itembits != 0 && view->tensor->shape[axis] > 1) {
        if (bits.value % 8 == 0) {
            odd_stride(view, axis, (dlb_integer){bits.value / 8, DLB_FITS, bits.expression}, odd_bytes);
        } else {
            dlb_view_set_error(view, "strides", axis, bits, "bits that are not a multiple of the item size");
            view->tensor->strides[axis] = 0;
        }
        return;
    }
    if (bits.status != DLB_TOO_LARGE) {
        bits.value /= itembits;
    }
    dlb_stride(view, axis, bits);
}

/* Sets the stride of an axis of packed elements, in bytes. */
static void packed_stride(dlb_view *view, int32_t axis, dlb_integer bytes)
{
    dlb_integer bits = bytes;

    if (bytes.status != DLB_TOO_LARGE && dlb_multiply_overflows(bytes.value, 8, &bits.value)) {
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
    } else if (bytes.status != DLB_TOO_LARGE && bytes.value % itemsize != 0 && view->tensor->shape[axis] > 1) {
        odd_stride(view, axis, bytes, odd_bytes);
    } else {
        if (bytes.status != DLB_TOO_LARGE) {
            bytes.value /= itemsize;
        }
        dlb_stride(view, axis, bytes);
    }
}

void dlb_unit_stride(dlb_view *view, int32_t axis, dlb_integer steps, dlb_integer bytes_per_step)
{
    const bool matters = view->tensor->shape[axis] > 1;
    int64_t bytes = 0;

    if (bytes_per_step.status == DLB_TOO_LARGE || bytes_per_step.value <= 0) {
        if (matters) {
            dlb_view_set_error(view, "strides", axis, bytes_per_step, "the bytes of a step are 1 to 2^63 - 1");
        }
        steps.status = DLB_FITS;
    } else if (steps.status != DLB_TOO_LARGE && dlb_multiply_overflows(steps.value, bytes_per_step.value, &bytes)) {
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
static void record_row_fault(dlb_view *view, int64_t row, const char *expression, const char *reason)
{
    dlb_view_set_error(view, "rows", row <= INT32_MAX ? (int32_t)row : -1, dlb_not_integer(expression), reason);
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

void dlb_rows(dlb_view *view, int32_t axis, const void *table, const char *expression)
{
    const int64_t count = view->tensor->shape[axis];
    dlb_gather *const gather = gather_of(view);
    int64_t distance;
    int64_t odd;

    if ((view->pending_checks & DLB_FAULTY) != 0 || !has_elements(view->tensor)) {
        return;
    }
    if (table == NULL) {
        dlb_view_set_error(view, "rows", -1, dlb_not_integer(expression), "the table is NULL");
        return;
    }
    for (int64_t row = 0; row < count; row++) {
        if (row_at(table, row) == NULL) {
            record_row_fault(view, row, expression, "the pointer is NULL");
            return;
        }
    }
    if (row_at(table, 0) != view->tensor->data) {
        record_row_fault(view, 0, expression, "the data does not begin at the first row");
        return;
    }
    if (count == 1) {
        return;
    }
    odd = odd_row(table, count, dlb_itemsize(view->tensor->dtype), &distance);
    if (odd == 0) {
        dlb_byte_stride_slow(view, axis, dlb_signed(expression, distance));
    } else if (gather != NULL) {
        keep_rows(gather, axis, table, count);
        view->pending_checks |= DLB_GATHERED;
    } else {
        record_row_fault(view, odd, expression, odd == 1 ? "the distance of the rows is not a multiple of the item size"
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

/* Refuses the export of an array whose elements overlap, unless the type allows it. A row whose stride counts another unit than the
 * spec declares is shorter than its elements, and consumers would read beyond the end of the memory. `strides` are those of the view,
 * in units of which an element has `size`. Returns 0, or -1 with `error` filled. */
static int check_overlap(const dlb_view *view, int64_t *strides, int64_t size, dlb_error *error)
{
    DLTensor tensor = *view->tensor;
    dlb_overlap found;

    tensor.strides = strides;
    if (DLB_LIKELY(dlb_may_overlap(view) || !dlb_overlaps_itself(&tensor, (uint64_t)size, true, &found))) {
        return 0;
    }
    return dlb_fail(error, DLB_BUFFER_ERROR,
                    "%s: elements overlap: strides[%" PRId32 "] is %" PRId64 "%s, shorter than the %" PRIu64
                    " that the axes inside it span",
                    view->name, found.axis, strides[found.axis], size == 1 ? "" : " bytes", found.least);
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
    if (dlb_check_addresses(&bytes, view->name, error) != 0 ||
        check_overlap(view, bytes.strides, dlb_itemsize(view->tensor->dtype), error) != 0) {
        return -1;
    }
    dlb_compact_tensor(view->tensor, view->tensor->ndim);
    return 0;
}

/* ---- The complete view ---- */

int dlb_no_tensor(const dlb_type *type, dlb_error *error)
{
    return dlb_fail(error, DLB_TYPE_ERROR, "%s is not an array", type->name);
}

/* Returns whether the elements lie in `object`, a copy of a struct that is passed by value. They are invalid when its function returns. */
static bool shows_copy(const dlb_type *type, const void *object, const DLTensor *tensor)
{
    return (uintptr_t)tensor->data - (uintptr_t)object < type->value && dlb_element_count(tensor) > 0;
}

int dlb_describe(const dlb_type *type, void *object, dlb_view *view, dlb_error *error)
{
    if (type->describe == NULL) {
        return dlb_no_tensor(type, error);
    }
    if (type->acquire != NULL) {
        return dlb_fail(error, DLB_TYPE_ERROR, "%s: its data exists only while an owner exports it", type->name);
    }
    if (type->hold != NULL && type->hold(object, error) != 0) {
        return -1;
    }
    view->tensor = &view->own;
    view->exporting = 0;
    view->gather = NULL;
    if (dlb_describe_into(type, object, view->axes, DLB_MAX_NDIM, view, error) != 0) {
        return -1;
    }
    if (shows_copy(type, object, view->tensor)) {
        return dlb_fail(error, DLB_TYPE_ERROR, "%s: its elements lie in the struct, which is passed by value: view an owner",
                        type->name);
    }
    return 0;
}

/* Returns whether the fault must be reported. A faulty stride does not matter if there are no elements. Strides are read last,
 * so everything else is valid then. */
static bool fault_counts(const dlb_view *view)
{
    const dlb_fault *const fault = &view->fault;
    const bool of_stride = fault->kind == DLB_FAULT_STRIDE ||
                           (fault->kind == 0 && fault->axis >= 0 && strcmp(fault->slot, "strides") == 0);

    for (int32_t axis = 0; of_stride && axis < view->tensor->ndim; axis++) {
        if (view->tensor->shape[axis] == 0) {
            return false;
        }
    }
    return true;
}

/* Validates extents, data and strides. An empty array becomes compact, with NULL as its data. Returns 0, or -1 with `error` filled. */
static int finish(dlb_view *view, dlb_error *error)
{
    DLTensor *const tensor = view->tensor;
    int64_t count;

    if (tensor->data != NULL && dlb_is_strided(tensor->data, tensor->dtype, tensor->ndim, tensor->shape, tensor->strides)) {
        return check_overlap(view, tensor->strides, 1, error);
    }
    if (DLB_UNLIKELY(dlb_check_extents(tensor, view->name, &count, error) != 0)) {
        return -1;
    }
    if (count == 0) {
        tensor->data = NULL; /* dlpack.h requires this for an array without elements */
        tensor->byte_offset = 0;
        dlb_compact_tensor(tensor, tensor->ndim);
        return 0;
    }
    if (DLB_UNLIKELY(tensor->data == NULL)) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: data is NULL, but the shape has %" PRId64 " elements", view->name,
                        count);
    }
    if (DLB_UNLIKELY(dlb_check_addresses(tensor, view->name, error) != 0)) {
        return -1;
    }
    if (DLB_UNLIKELY(tensor->dtype.bits % 8 != 0 && !dlb_is_compact(tensor, DLB_ORDER_C))) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: elements of %d bits are packed, so they must be compact",
                        view->name, tensor->dtype.bits);
    }
    return check_overlap(view, tensor->strides, 1, error);
}

/* Adds byte_offset to the data if that is an address: several consumers ignore byte_offset. */
static int fold_offset(dlb_view *view, dlb_error *error)
{
    DLTensor *const tensor = view->tensor;

    if (tensor->data == NULL || !dlb_host_readable(tensor->device.device_type)) {
        return 0;
    }
    if (tensor->byte_offset > PTRDIFF_MAX || tensor->byte_offset > UINTPTR_MAX - (uintptr_t)tensor->data) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: byte_offset is %" PRIu64 ": it leads beyond the address space",
                        view->name, tensor->byte_offset);
    }
    tensor->data = (char *)tensor->data + tensor->byte_offset;
    tensor->byte_offset = 0;
    return 0;
}

int dlb_view_validate(dlb_view *view, dlb_error *error)
{
    int64_t count;

    if ((view->pending_checks & DLB_FAULTY) != 0 && fault_counts(view)) {
        return dlb_view_fault(view, error);
    }
    if (fold_offset(view, error) != 0) {
        return -1;
    }
    if (view->gather == NULL || !view->gather->used) {
        return finish(view, error);
    }
    if (dlb_check_extents(view->tensor, view->name, &count, error) != 0) {
        return -1;
    }
    if (count == 0 || view->tensor->data == NULL) {
        view->gather->used = false;
        return finish(view, error);
    }
    return dlb_gather_finish(view, error);
}
