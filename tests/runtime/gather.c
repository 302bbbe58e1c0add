/* SPDX-License-Identifier: MIT */
/* Strides in bytes, bits and other units: what no number of elements can say is refused, or gathered into a copy where
 * the type allows it. Copies in any case, and from devices. */
#include "sheet.h"

static int downloads, to_cpu_fails;

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

static const dlb_type always_type = {SHEET, .copy = DLB_COPY_ALWAYS, .to_cpu = sheet_to_cpu};
static const dlb_type device_type = {SHEET, .to_cpu = sheet_to_cpu};

static void test_strides_within_an_element_are_gathered(void)
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

static void test_strides_of_whole_elements_are_views(void)
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

static void test_sheets_that_cannot_be_gathered_are_refused(void)
{
    sheet object = {BYTES, 3, 4, 11, 0, 0, 0, 0, NULL, memory};

    refused(&object, &never_type,
            "sheets.Sheet: strides[0] (self->pitch) is 11: bytes that are not a multiple of the item size");
    object.unit = BITS;
    object.pitch = 15;
    refused(&object, &allowed_type,
            "sheets.Sheet: strides[0] (self->pitch) is 15: bits that are not a multiple of the item size");
    object.pitch = 24;
    refused(&object, &never_type,
            "sheets.Sheet: strides[0] (self->pitch) is 3: bytes that are not a multiple of the item size");
    object.unit = UNITS;
    object.step = INT64_MAX;
    refused(&object, &allowed_type,
            "sheets.Sheet: strides[0] (self->pitch) is 24: so many steps lead beyond the address space");
    object.step = 0;
    refused(&object, &allowed_type,
            "sheets.Sheet: strides[0] (self->step) is 0: the bytes of a step are 1 to 2^63 - 1");
    object.unit = BYTES;
    object.pitch = INT64_MAX;
    refused(&object, &allowed_type,
            "sheets.Sheet: strides[0] is 9223372036854775807: with shape[0] of 3 it leads beyond the address space");
    object.pitch = 11;
    object.data = NULL;
    refused(&object, &allowed_type, "sheets.Sheet: data is NULL, but the shape has 12 elements");
    object.height = -1;
    refused(&object, &allowed_type, "sheets.Sheet: shape[0] (self->height) is -1: an extent is 0 to 2^63 - 1");
    object.height = INT64_MAX;
    refused(&object, &allowed_type, "sheets.Sheet: the extents up to shape[1] (4) multiply to more than 2^63 - 1");
}

static void test_sheets_without_elements_have_no_wrong_strides(void)
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

/* ---- Types that always copy, and data on devices ---- */

static void test_a_type_can_always_copy(void)
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

static void test_data_on_a_device_is_not_gathered(void)
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
    number_memory();
    test_strides_within_an_element_are_gathered();
    test_strides_of_whole_elements_are_views();
    test_sheets_that_cannot_be_gathered_are_refused();
    test_sheets_without_elements_have_no_wrong_strides();
    test_a_type_can_always_copy();
    test_data_on_a_device_is_not_gathered();
    return checks_result();
}
