/* SPDX-License-Identifier: MIT */
/* Sheets in any layout, and what must become of each: a view, a copy or a message. For one file per program. */
#ifndef SHEET_H_
#define SHEET_H_

#include "check.h"
#include "dlb_emit.h"

static dlb_error error;

enum { BYTES, BITS, UNITS, ROWS, PLANES };

/* Rows of two-byte numbers, wherever they are. */
typedef struct sheet {
    int unit;
    int64_t height, width;
    int64_t pitch; /* in `unit`s */
    int64_t step;  /* bytes of one, with UNITS */
    int reversed;  /* the struct counts its axes fastest first */
    int device;
    int locked;
    uint16_t **rows;
    void *data;
} sheet;

static inline int sheet_describe(void *object, dlb_view *view, dlb_error *failure)
{
    sheet *const self = object;
    const int outer = self->reversed ? 1 : 0;

    view->tensor->dtype = DLB_DTYPE(kDLUInt, 16);
    view->tensor->device = (DLDevice){self->device ? kDLCUDA : kDLCPU, 0};
    dlb_extent(view, outer, DLB_INTEGER(self->height));
    dlb_extent(view, 1 - outer, DLB_INTEGER(self->width));
    dlb_stride(view, 1 - outer, DLB_INTEGER(1));
    if (self->unit == BYTES) {
        dlb_byte_stride(view, view->tensor->dtype, outer, DLB_INTEGER(self->pitch));
    } else if (self->unit == BITS) {
        dlb_bit_stride(view, outer, DLB_INTEGER(self->pitch));
    } else if (self->unit == UNITS) {
        dlb_unit_stride(view, outer, DLB_INTEGER(self->pitch), DLB_INTEGER(self->step));
    } else {
        dlb_compact(view, view->tensor->ndim);
    }
    if (self->reversed) {
        dlb_reverse(view->tensor->shape, view->tensor->ndim);
        dlb_reverse(view->tensor->strides, view->tensor->ndim);
    }
    dlb_allow_overlap(view);
    DLB_DATA(view, self->data);
    dlb_readonly(view, self->locked);
    if (self->unit == ROWS) {
        DLB_ROWS(view, 0, self->rows);
    } else if (self->unit == PLANES) { /* the rows of the table are the columns of the array */
        dlb_compact_fortran(view, view->tensor->ndim);
        DLB_ROWS(view, 1, self->rows);
    }
    return dlb_view_finish(view, failure);
}

#define SHEET .name = "sheets.Sheet", .ndim = 2, .describe = sheet_describe
static const dlb_type never_type = {SHEET};
static const dlb_type allowed_type = {SHEET, .copy = DLB_COPY_ALLOWED};

/* Memory in which each byte says where it is. */
static uint8_t memory[256];

static inline void number_memory(void)
{
    for (size_t i = 0; i < sizeof memory; i++) {
        memory[i] = (uint8_t)i;
    }
}

static inline uint16_t number_at(ptrdiff_t offset)
{
    uint16_t number;

    memcpy(&number, memory + offset, sizeof number);
    return number;
}

static inline void check_compact(const DLTensor *tensor, int64_t height, int64_t width)
{
    CHECK_EQUAL(tensor->ndim, 2);
    CHECK(tensor->shape[0] == height && tensor->shape[1] == width);
    CHECK(tensor->strides[0] == width && tensor->strides[1] == 1);
    CHECK_EQUAL((uintptr_t)tensor->data % 64, 0);
    CHECK_EQUAL(tensor->device.device_type, kDLCPU);
}

/* Every kind of export must be a copy whose row `i` is at `offsets[i]`; attributes show the same, without data. */
static inline void check_gathered(sheet *object, const ptrdiff_t *offsets)
{
    DLManagedTensorVersioned *managed;
    DLManagedTensor *legacy;
    dlb_owner *owner;
    dlb_view view;

    CHECK(dlb_own(&allowed_type, object, &owner, &error) == 0);
    CHECK(dlb_owner_view(owner, &view, &error) == 0);
    CHECK(view.tensor->data == NULL && view.tensor->strides[0] == object->width);
    CHECK_EQUAL(view.flags, DLPACK_FLAG_BITMASK_IS_COPIED);
    for (int i = 0; i < 2; i++) {
        memset(&error, 0, sizeof error);
        if ((i == 0 ? dlb_export(owner, &managed, &error) : dlb_export_copy(owner, &managed, &error)) != 0) {
            printf("%s\n", error.message);
            CHECK(!"exported");
            continue;
        }
        CHECK_EQUAL(dlb_owner_exports(owner), 0);
        CHECK_EQUAL(managed->flags, DLPACK_FLAG_BITMASK_IS_COPIED);
        CHECK(managed->manager_ctx == NULL);
        check_compact(&managed->dl_tensor, object->height, object->width);
        for (int64_t row = 0; row < object->height; row++) {
            for (int64_t column = 0; column < object->width; column++) {
                const uint16_t *const numbers = managed->dl_tensor.data;

                CHECK_EQUAL(numbers[row * object->width + column], number_at(offsets[row] + 2 * column));
            }
        }
        managed->deleter(managed);
    }
    CHECK(dlb_export_legacy(owner, &legacy, &error) == 0);
    check_compact(&legacy->dl_tensor, object->height, object->width);
    legacy->deleter(legacy);
    dlb_owner_drop(owner);

    CHECK(dlb_own(&never_type, object, &owner, &error) == 0);
    CHECK(dlb_export(owner, &managed, NULL) == -1);
    CHECK(dlb_export_copy(owner, &managed, NULL) == -1);
    CHECK(dlb_owner_view(owner, &view, NULL) == -1);
    dlb_owner_drop(owner);
}

/* What can be a view stays one, whatever the type would allow. */
static inline void check_view(const dlb_type *type, sheet *object, int64_t stride)
{
    DLManagedTensorVersioned *managed;
    dlb_owner *owner;
    dlb_view view;

    CHECK(dlb_own(type, object, &owner, &error) == 0);
    memset(&error, 0, sizeof error);
    if (dlb_export(owner, &managed, &error) != 0) {
        printf("%s\n", error.message);
        CHECK(!"exported");
        dlb_owner_drop(owner);
        return;
    }
    CHECK(managed->dl_tensor.data == object->data);
    CHECK(managed->manager_ctx == owner);
    CHECK_EQUAL(managed->flags, 0);
    CHECK_EQUAL(managed->dl_tensor.strides[0], stride);
    managed->deleter(managed);
    CHECK(dlb_owner_view(owner, &view, &error) == 0);
    CHECK(view.tensor->data == object->data && view.tensor->strides[0] == stride);
    dlb_owner_drop(owner);
}

static inline void refused(sheet *object, const dlb_type *type, const char *message)
{
    DLManagedTensorVersioned *managed = NULL;
    dlb_owner *owner;

    CHECK(dlb_own(type, object, &owner, &error) == 0);
    CHECK_FAILS(dlb_export(owner, &managed, &error), error, DLB_BUFFER_ERROR, message);
    CHECK(managed == NULL);
    CHECK_EQUAL(dlb_owner_exports(owner), 0);
    dlb_owner_drop(owner);
}

#endif
