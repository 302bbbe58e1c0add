/* SPDX-License-Identifier: MIT */
/* Layouts that strides in elements cannot say: refused, or gathered into a copy where the type allows it. */
#include "check.h"
#include "dlb_describe.h"

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

static int downloads, to_cpu_fails;

static int sheet_describe(void *object, dlb_view *view, dlb_error *failure)
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

static int sheet_to_cpu(void *object, void *dst, int64_t nbytes, dlb_error *failure)
{
    sheet *const self = object;

    downloads++;
    CHECK_EQUAL((uintptr_t)dst % 64, 0);
    CHECK_EQUAL(nbytes, self->height * self->width * 2);
    if (to_cpu_fails) {
        return dlb_call_failed(failure, "sheets.Sheet", "sheet_download(self, dst, nbytes)", NULL);
    }
    memset(dst, 0x11, (size_t)nbytes);
    return 0;
}

#define SHEET .name = "sheets.Sheet", .ndim = 2, .describe = sheet_describe
static const dlb_type never_type = {SHEET};
static const dlb_type allowed_type = {SHEET, .copy = DLB_COPY_ALLOWED};
static const dlb_type always_type = {SHEET, .copy = DLB_COPY_ALWAYS, .to_cpu = sheet_to_cpu};
static const dlb_type device_type = {SHEET, .to_cpu = sheet_to_cpu};

/* Memory in which each byte says where it is. */
static uint8_t memory[256];

static uint16_t number_at(ptrdiff_t offset)
{
    uint16_t number;

    memcpy(&number, memory + offset, sizeof number);
    return number;
}

static void check_compact(const DLTensor *tensor, int64_t height, int64_t width)
{
    CHECK_EQUAL(tensor->ndim, 2);
    CHECK(tensor->shape[0] == height && tensor->shape[1] == width);
    CHECK(tensor->strides[0] == width && tensor->strides[1] == 1);
    CHECK_EQUAL((uintptr_t)tensor->data % 64, 0);
    CHECK_EQUAL(tensor->device.device_type, kDLCPU);
}

/* Every kind of export must be a copy whose row `i` is at `offsets[i]`; attributes show the same, without data. */
static void check_gathered(sheet *object, const ptrdiff_t *offsets)
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

static void test_odd_strides(void)
{
    sheet object = {BYTES, 3, 4, 11, 0, 0, 0, 0, NULL, memory};

    check_gathered(&object, (const ptrdiff_t[]){0, 11, 22});
    object.data = memory + 40;
    object.pitch = -11;
    check_gathered(&object, (const ptrdiff_t[]){40, 29, 18});
    object.reversed = 1; /* the odd stride is told before the axes are turned around */
    check_gathered(&object, (const ptrdiff_t[]){40, 29, 18});
    object.pitch = 7; /* the rows overlap */
    check_gathered(&object, (const ptrdiff_t[]){40, 47, 54});
    object.reversed = 0;
    object.unit = BITS;
    object.pitch = 72;
    check_gathered(&object, (const ptrdiff_t[]){40, 49, 58});
    object.unit = UNITS;
    object.pitch = 3;
    object.step = 3;
    check_gathered(&object, (const ptrdiff_t[]){40, 49, 58});
    object.locked = 1; /* a copy may be written */
    check_gathered(&object, (const ptrdiff_t[]){40, 49, 58});
}

/* What can be a view stays one, whatever the type would allow. */
static void check_view(const dlb_type *type, sheet *object, int64_t stride)
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

static void test_even_strides(void)
{
    sheet object = {BYTES, 3, 4, 12, 0, 0, 0, 0, NULL, memory};

    check_view(&allowed_type, &object, 6);
    check_view(&never_type, &object, 6);
    object.unit = BITS;
    object.pitch = 160;
    check_view(&allowed_type, &object, 10);
    object.unit = UNITS;
    object.pitch = -3;
    object.step = 4;
    check_view(&never_type, &object, -6);
    object.height = 1; /* its stride is never used */
    object.step = 3;
    check_view(&never_type, &object, -4);
    object.step = 0;
    check_view(&never_type, &object, 0);
    object.step = INT64_MAX;
    check_view(&never_type, &object, 0);
}

static void refused(sheet *object, const dlb_type *type, const char *message)
{
    DLManagedTensorVersioned *managed = NULL;
    dlb_owner *owner;

    CHECK(dlb_own(type, object, &owner, &error) == 0);
    CHECK_FAILS(dlb_export(owner, &managed, &error), error, DLB_BUFFER_ERROR, message);
    CHECK(managed == NULL);
    CHECK_EQUAL(dlb_owner_exports(owner), 0);
    dlb_owner_drop(owner);
}

static void test_strides_that_nobody_can_follow(void)
{
    sheet object = {BYTES, 3, 4, 11, 0, 0, 0, 0, NULL, memory};

    refused(&object, &never_type,
            "sheets.Sheet: strides[0] (self->pitch) is 11: bytes that are no multiple of the item size");
    object.unit = BITS;
    object.pitch = 15;
    refused(&object, &allowed_type,
            "sheets.Sheet: strides[0] (self->pitch) is 15: bits that are no multiple of the item size");
    object.pitch = 24;
    refused(&object, &never_type,
            "sheets.Sheet: strides[0] (self->pitch) is 3: bytes that are no multiple of the item size");
    object.unit = UNITS;
    object.step = INT64_MAX;
    refused(&object, &allowed_type,
            "sheets.Sheet: strides[0] (self->pitch) is 24: so many steps lead beyond what can be addressed");
    object.step = 0;
    refused(&object, &allowed_type,
            "sheets.Sheet: strides[0] (self->step) is 0: the bytes of a step are 1 to 2^63 - 1");
    object.unit = BYTES;
    object.pitch = INT64_MAX;
    refused(&object, &allowed_type,
            "sheets.Sheet: strides[0] is 9223372036854775807: with shape[0] of 3 it leads beyond what can be addressed");
    object.pitch = 11;
    object.data = NULL;
    refused(&object, &allowed_type, "sheets.Sheet: data is NULL, but the shape has 12 elements");
    object.height = -1;
    refused(&object, &allowed_type, "sheets.Sheet: shape[0] (self->height) is -1: an extent is 0 to 2^63 - 1");
    object.height = INT64_MAX;
    refused(&object, &allowed_type, "sheets.Sheet: the extents up to shape[1] (4) multiply to more than 2^63 - 1");
}

static void test_empty_sheets(void)
{
    sheet object = {BYTES, 3, 0, 11, 0, 0, 0, 0, NULL, memory};
    DLManagedTensorVersioned *managed;
    dlb_owner *owner;

    for (int unit = BYTES; unit <= ROWS; unit++) { /* no stride is wrong, no row is read */
        object.unit = unit;
        CHECK(dlb_own(&allowed_type, &object, &owner, &error) == 0);
        CHECK(dlb_export(owner, &managed, &error) == 0);
        CHECK(managed->dl_tensor.data == NULL && managed->dl_tensor.shape[0] == 3);
        CHECK_EQUAL(managed->flags, 0);
        managed->deleter(managed);
        dlb_owner_drop(owner);
    }
}

/* ---- Tables of rows ---- */

static uint16_t *row(ptrdiff_t offset)
{
    return (uint16_t *)(void *)(memory + offset);
}

static void test_rows_at_a_constant_distance(void)
{
    uint16_t *rows[] = {row(0), row(20), row(40)};
    sheet object = {ROWS, 3, 4, 0, 0, 0, 0, 0, rows, memory};

    check_view(&never_type, &object, 10);
    check_view(&allowed_type, &object, 10);
    rows[0] = row(40);
    rows[2] = row(0);
    object.data = memory + 40;
    check_view(&never_type, &object, -10);
    rows[1] = rows[2] = rows[0];
    check_view(&never_type, &object, 0);
    object.height = 2;
    rows[1] = row(60);
    check_view(&never_type, &object, 10);
    object.height = 1;
    check_view(&never_type, &object, 4);
}

static void test_rows_anywhere(void)
{
    uint16_t *rows[] = {row(20), row(0), row(62), row(40)};
    sheet object = {ROWS, 4, 4, 0, 0, 0, 0, 0, rows, memory + 20};

    check_gathered(&object, (const ptrdiff_t[]){20, 0, 62, 40});
    refused(&object, &never_type, "sheets.Sheet: rows[2] (self->rows): the distance of the rows is not constant");
    rows[1] = (uint16_t *)(void *)(memory + 31);
    rows[2] = row(42);
    rows[3] = (uint16_t *)(void *)(memory + 53);
    check_gathered(&object, (const ptrdiff_t[]){20, 31, 42, 53});
    refused(&object, &never_type,
            "sheets.Sheet: rows[1] (self->rows): the distance of the rows is no multiple of the item size");
}

/* The table is of columns, each of which follows itself in memory. */
static void test_a_table_of_another_axis(void)
{
    uint16_t *rows[] = {row(20), row(0), row(62), row(40)};
    sheet object = {PLANES, 3, 4, 0, 0, 0, 0, 0, rows, memory + 20};
    DLManagedTensorVersioned *managed;
    dlb_owner *owner;

    CHECK(dlb_own(&allowed_type, &object, &owner, &error) == 0);
    CHECK(dlb_export(owner, &managed, &error) == 0);
    check_compact(&managed->dl_tensor, 3, 4);
    for (int64_t y = 0; y < 3; y++) {
        for (int64_t x = 0; x < 4; x++) {
            CHECK_EQUAL(((uint16_t *)managed->dl_tensor.data)[y * 4 + x], rows[x][y]);
        }
    }
    managed->deleter(managed);
    dlb_owner_drop(owner);
}

static void test_bad_tables(void)
{
    uint16_t *rows[] = {row(20), NULL, row(62)};
    sheet object = {ROWS, 3, 4, 0, 0, 0, 0, 0, rows, memory + 20};

    refused(&object, &allowed_type, "sheets.Sheet: rows[1] (self->rows): the pointer is NULL");
    rows[0] = NULL;
    object.data = NULL;
    refused(&object, &allowed_type, "sheets.Sheet: rows[0] (self->rows): the pointer is NULL");
    rows[0] = rows[1] = row(20);
    object.data = memory;
    refused(&object, &allowed_type, "sheets.Sheet: rows[0] (self->rows): the data does not begin at the first row");
    object.rows = NULL;
    refused(&object, &allowed_type, "sheets.Sheet: rows (self->rows): the table is NULL");
}

/* ---- Copies in any case, and from devices ---- */

static void test_always(void)
{
    sheet object = {BYTES, 3, 4, 12, 0, 0, 0, 1, NULL, memory};
    DLManagedTensorVersioned *managed;
    DLManagedTensor *legacy;
    dlb_owner *owner;
    dlb_view view;

    CHECK(dlb_own(&always_type, &object, &owner, &error) == 0);
    for (int device = 0; device < 2; device++) {
        object.device = device;
        CHECK(dlb_owner_view(owner, &view, &error) == 0);
        CHECK(view.tensor->data == NULL && view.tensor->strides[0] == 4);
        CHECK_EQUAL(view.tensor->device.device_type, kDLCPU);
        CHECK_EQUAL(view.flags, DLPACK_FLAG_BITMASK_IS_COPIED);
        CHECK(dlb_export(owner, &managed, &error) == 0);
        CHECK_EQUAL(managed->flags, DLPACK_FLAG_BITMASK_IS_COPIED);
        check_compact(&managed->dl_tensor, 3, 4);
        CHECK_EQUAL(((uint16_t *)managed->dl_tensor.data)[4], device ? 0x1111 : number_at(12));
        managed->deleter(managed);
        CHECK(dlb_export_legacy(owner, &legacy, &error) == 0); /* a copy is not read-only */
        check_compact(&legacy->dl_tensor, 3, 4);
        legacy->deleter(legacy);
        CHECK_EQUAL(dlb_owner_exports(owner), 0);
    }
    dlb_owner_drop(owner);
}

static void test_data_on_a_device(void)
{
    sheet object = {BYTES, 3, 4, 12, 0, 0, 1, 0, NULL, memory};
    DLManagedTensorVersioned *managed;
    dlb_owner *owner;

    CHECK(dlb_own(&device_type, &object, &owner, &error) == 0);
    CHECK(dlb_export(owner, &managed, &error) == 0);
    CHECK_EQUAL(managed->dl_tensor.device.device_type, kDLCUDA);
    CHECK_EQUAL(managed->dl_tensor.strides[0], 6);
    managed->deleter(managed);
    CHECK(dlb_export_copy(owner, &managed, &error) == 0);
    CHECK_EQUAL(managed->flags, DLPACK_FLAG_BITMASK_IS_COPIED);
    check_compact(&managed->dl_tensor, 3, 4);
    managed->deleter(managed);
    to_cpu_fails = 1;
    CHECK_FAILS(dlb_export_copy(owner, &managed, &error), error, DLB_RUNTIME_ERROR,
                "sheets.Sheet: sheet_download(self, dst, nbytes) failed");
    to_cpu_fails = 0;
    object.height = 0;
    downloads = 0;
    CHECK(dlb_export_copy(owner, &managed, &error) == 0); /* nothing to download */
    CHECK_EQUAL(downloads, 0);
    CHECK(managed->dl_tensor.data == NULL);
    managed->deleter(managed);
    dlb_owner_drop(owner);
    object.height = 3;
    object.pitch = 11;
    CHECK(dlb_own(&allowed_type, &object, &owner, &error) == 0);
    CHECK_FAILS(dlb_export(owner, &managed, &error), error, DLB_BUFFER_ERROR,
                "sheets.Sheet: data on cuda cannot be copied by the CPU");
    dlb_owner_drop(owner);
}

int main(void)
{
    for (size_t i = 0; i < sizeof memory; i++) {
        memory[i] = (uint8_t)i;
    }
    test_odd_strides();
    test_even_strides();
    test_strides_that_nobody_can_follow();
    test_empty_sheets();
    test_rows_at_a_constant_distance();
    test_rows_anywhere();
    test_a_table_of_another_axis();
    test_bad_tables();
    test_always();
    test_data_on_a_device();
    return checks_result();
}
