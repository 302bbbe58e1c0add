/* SPDX-License-Identifier: MIT */
/* States of a struct that cannot be shared: each is refused with the tensor, the slot, the expression and the value. */
#include "check.h"
#include "picture.h"
#include "views_dlpack.h"

static dlb_error error;
static dlb_view view;
static double memory[64];

/* Something that can be shared; the tests spoil one thing each. */
static picture good(void)
{
    return (picture){.data = memory, .height = 2, .width = 3, .pitch = 16, .kind = KIND_F32, .ready = 1, .format = "f"};
}

#define REFUSED(view_of, object, message)                                                                              \
    do {                                                                                                               \
        CHECK_FAILS(view_of(&(object), &view, &error), error, DLB_BUFFER_ERROR, message);                              \
        CHECK(view_of(&(object), &view, NULL) == -1);                                                                  \
    } while (0)

static void test_a_valid_struct_is_described(void)
{
    picture object = good();

    CHECK(views_picture_view(&object, &view, &error) == 0);
    CHECK(view.tensor->data == memory && view.tensor->ndim == 2 && view.flags == 0);
    CHECK(view.tensor->shape[0] == 2 && view.tensor->shape[1] == 3);
    CHECK(view.tensor->strides[0] == 4 && view.tensor->strides[1] == 1);
    CHECK(view.tensor->byte_offset == 0);
    object.pitch = -16;
    CHECK(views_picture_view(&object, &view, &error) == 0);
    CHECK_EQUAL(view.tensor->strides[0], -4);
    CHECK(views_picture_view(&object, &view, NULL) == 0);
}

static void test_wrong_extents_are_refused(void)
{
    picture object = good();

    object.height = -1;
    REFUSED(views_picture_view, object, "views.Picture: shape[0] (self->height) is -1: an extent is 0 to 2^63 - 1");
    object = good();
    object.width = UINT64_MAX;
    REFUSED(views_picture_view, object,
            "views.Picture: shape[1] (self->width) is 18446744073709551615: an extent is 0 to 2^63 - 1");
    object.width = (uint64_t)INT64_MAX + 1;
    REFUSED(views_picture_view, object,
            "views.Picture: shape[1] (self->width) is 9223372036854775808: an extent is 0 to 2^63 - 1");
    object.width = INT64_MAX;
    REFUSED(views_picture_view, object,
            "views.Picture: the extents up to shape[1] (9223372036854775807) multiply to more than 2^63 - 1");
    object.height = 1;
    object.width = UINT64_C(1) << 58; /* times 32 bits: one bit too many */
    REFUSED(views_picture_view, object,
            "views.Picture: 288230376151711744 elements of 32 bits are more than memory can hold");
    object.width = (UINT64_C(1) << 58) - 1;
    CHECK(views_picture_view(&object, &view, &error) == 0);
}

static void test_a_struct_without_elements_is_described(void)
{
    picture object = good();

    object.height = 0;
    CHECK(views_picture_view(&object, &view, &error) == 0);
    CHECK(view.tensor->data == NULL);
    CHECK_EQUAL(view.tensor->shape[1], 3);
    object.data = NULL;
    CHECK(views_picture_view(&object, &view, &error) == 0);
    object = good();
    object.width = 0;
    object.pitch = INT64_MIN; /* leads nowhere: there is nothing to step to */
    CHECK(views_picture_view(&object, &view, &error) == 0);
    CHECK(view.tensor->data == NULL);
    /* What consumers multiply to strides must not overflow behind a zero. */
    object = good();
    object.height = 0;
    object.width = INT64_MAX;
    REFUSED(views_picture_view, object,
            "views.Picture: 9223372036854775807 elements of 32 bits are more than memory can hold");
}

static void test_elements_without_memory_are_refused(void)
{
    picture object = good();

    object.data = NULL;
    REFUSED(views_picture_view, object, "views.Picture: data is NULL, but the shape has 6 elements");
}

static void test_strides_that_split_elements_are_refused(void)
{
    picture object = good();

    object.pitch = 13;
    REFUSED(views_picture_view, object,
            "views.Picture: strides[0] (self->pitch) is 13: bytes that are not a multiple of the item size");
    object.pitch = -2;
    REFUSED(views_picture_view, object,
            "views.Picture: strides[0] (self->pitch) is -2: bytes that are not a multiple of the item size");
    object.height = 1; /* no stride of such an axis is ever used, so none is wrong */
    CHECK(views_picture_view(&object, &view, &error) == 0);
    object.height = 3;
    object.width = 0;
    CHECK(views_picture_view(&object, &view, &error) == 0);
    CHECK(view.tensor->data == NULL && view.tensor->strides[1] == 1);
    object = good();
    object.pitch = 0;
    CHECK(views_picture_view(&object, &view, &error) == 0);
    object.step = UINT64_MAX;
    REFUSED(views_stepped_view, object,
            "views.Stepped: strides[0] (self->step) is 18446744073709551615: a stride is below 2^63");
    REFUSED(views_byte_stepped_view, object,
            "views.ByteStepped: strides[0] (self->step) is 18446744073709551615: a stride is below 2^63");
}

static void test_strides_beyond_the_address_space_are_refused(void)
{
    picture object = good();

    object.row_step = INT64_MAX;
    object.height = 3;
    REFUSED(views_strided_view, object,
            "views.Strided: strides[0] is 9223372036854775807: with shape[0] of 3 it leads beyond the address "
            "space");
    object.height = 2; /* as far as a number goes, but not in bytes */
    object.row_step = INT64_MAX - 8;
    REFUSED(views_strided_view, object, "views.Strided: the strides lead beyond the address space");
    object.row_step = INT64_MIN;
    REFUSED(views_strided_view, object, "views.Strided: the strides lead beyond the address space");
    object.row_step = INT64_MAX / 4 - 3; /* with two columns and the element itself */
    object.column_step = 1;
    CHECK(views_strided_view(&object, &view, &error) == 0);
    object.column_step = 2; /* each alone is near enough */
    REFUSED(views_strided_view, object, "views.Strided: the strides lead beyond the address space");
    object.row_step = INT64_MAX - 1;
    REFUSED(views_strided_view, object,
            "views.Strided: strides[1] is 2: with shape[1] of 3 it leads beyond the address space");
    object.row_step = -(INT64_MAX / 4) - 1;
    object.column_step = INT64_MAX / 8;
    REFUSED(views_strided_view, object, "views.Strided: the strides lead beyond the address space");
    object.row_step = -(INT64_MAX / 4); /* below and above are counted apart */
    object.data = (void *)(uintptr_t)(UINTPTR_MAX / 2 + 1);
    CHECK(views_strided_view(&object, &view, &error) == 0);
    object.data = memory;
    object.row_step = INT64_MIN / 4 - 1;
    REFUSED(views_strided_view, object, "views.Strided: the strides lead beyond the address space");
    object.height = 1; /* then nobody steps */
    object.row_step = INT64_MIN;
    CHECK(views_strided_view(&object, &view, &error) == 0);
}

static void test_values_without_a_match_are_refused(void)
{
    picture object = good();

    object.kind = 7;
    REFUSED(views_picture_view, object, "views.Picture: dtype (self->kind) is 7: not a supported value");
    object.kind = -3;
    REFUSED(views_picture_view, object, "views.Picture: dtype (self->kind) is -3: not a supported value");
    object = good();
    object.place = UINT64_MAX;
    REFUSED(views_picture_view, object,
            "views.Picture: device (self->place) is 18446744073709551615: not a supported value");
    object.format = "g";
    REFUSED(views_formatted_view, object, "views.Formatted: dtype (self->format) is 'g': not a supported value");
    object.format = NULL;
    REFUSED(views_formatted_view, object, "views.Formatted: dtype (self->format) is NULL: not a supported value");
    object.format = "d";
    CHECK(views_formatted_view(&object, &view, &error) == 0);
    CHECK_EQUAL(view.tensor->dtype.bits, 64);
}

static void test_devices_have_a_number_that_fits(void)
{
    picture object = good();

    object.place = PLACE_CUDA;
    object.device_id = 3;
    CHECK(views_picture_view(&object, &view, &error) == 0);
    CHECK_EQUAL(view.tensor->device.device_type, kDLCUDA);
    CHECK_EQUAL(view.tensor->device.device_id, 3);
    object.device_id = INT32_MAX;
    CHECK(views_picture_view(&object, &view, &error) == 0);
    object.device_id = -1;
    REFUSED(views_picture_view, object,
            "views.Picture: device id (self->device_id) is -1: a device id is 0 to 2^31 - 1");
    object.device_id = INT64_C(1) << 31;
    REFUSED(views_picture_view, object,
            "views.Picture: device id (self->device_id) is 2147483648: a device id is 0 to 2^31 - 1");
    object.device_id = INT64_C(1) << 32; /* zero, if it were cut to 32 bits */
    REFUSED(views_picture_view, object,
            "views.Picture: device id (self->device_id) is 4294967296: a device id is 0 to 2^31 - 1");
    object.place = PLACE_HOST; /* which has one number only */
    CHECK(views_picture_view(&object, &view, &error) == 0);
    CHECK_EQUAL(view.tensor->device.device_id, 0);
}

static void test_requirements_are_checked(void)
{
    picture object = good();

    object.ready = 0;
    REFUSED(views_picture_view, object, "views.Picture: the picture is not ready");
    object.ready = 2;
    REFUSED(views_picture_view, object, "views.Picture: self->ready < 2 does not hold");
}

static void test_the_first_fault_is_reported(void)
{
    picture object = good();

    object.height = -5;
    object.width = UINT64_MAX;
    object.pitch = 13;
    object.data = NULL;
    REFUSED(views_picture_view, object, "views.Picture: shape[0] (self->height) is -5: an extent is 0 to 2^63 - 1");
    object.ready = 0;
    REFUSED(views_picture_view, object, "views.Picture: the picture is not ready");
}

static void test_bit_fields_are_read_with_their_sign(void)
{
    picture object = good();

    object.rows = 5;
    object.many_rows = (UINT64_C(1) << 39) + 1;
    object.lines = -2;
    CHECK(views_packed_view(&object, &view, &error) == 0);
    CHECK_EQUAL(view.tensor->shape[0], 5);
    CHECK_EQUAL(view.tensor->shape[1], (INT64_C(1) << 39) + 1);
    REFUSED(views_negative_view, object, "views.Negative: shape[0] (self->lines) is -2: an extent is 0 to 2^63 - 1");
}

static void test_elements_below_a_byte_must_be_compact(void)
{
    picture object = good();

    object.row_step = 3;
    object.column_step = 1;
    CHECK(views_nibbles_view(&object, &view, &error) == 0);
    object.row_step = 4;
    REFUSED(views_nibbles_view, object, "views.Nibbles: elements of 4 bits are packed, so they must be compact");
    object.height = 1; /* then the step does not matter */
    CHECK(views_nibbles_view(&object, &view, &error) == 0);
    object.width = INT64_MAX / 4; /* whose bits, rounded up to bytes, are one too many */
    REFUSED(views_nibbles_view, object,
            "views.Nibbles: 2305843009213693951 elements of 4 bits are more than memory can hold");
}

static void test_read_only_structs_have_the_flag(void)
{
    picture object = good();

    CHECK(views_constant_view(&object, &view, &error) == 0);
    CHECK_EQUAL(view.flags, DLPACK_FLAG_BITMASK_READ_ONLY);
    CHECK(views_locked_view(&object, &view, &error) == 0);
    CHECK_EQUAL(view.flags, 0);
    object.locked = 256; /* any value but zero */
    CHECK(views_locked_view(&object, &view, &error) == 0);
    CHECK_EQUAL(view.flags, DLPACK_FLAG_BITMASK_READ_ONLY);
}

static void test_a_long_message_is_cut(void)
{
    struct {
        char before[16];
        dlb_error error;
        char after[16];
    } guarded;
    char text[2000];

    memset(&guarded, 'x', sizeof guarded);
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    CHECK(dlb_fail(&guarded.error, DLB_VALUE_ERROR, "%s", text) == -1);
    CHECK_EQUAL(guarded.error.status, DLB_VALUE_ERROR);
    CHECK_EQUAL(strlen(guarded.error.message), sizeof guarded.error.message - 1);
    for (int i = 0; i < 16; i++) {
        CHECK(guarded.before[i] == 'x' && guarded.after[i] == 'x');
    }
    CHECK(dlb_fail(NULL, DLB_VALUE_ERROR, "%s", text) == -1);
}

int main(void)
{
    test_a_valid_struct_is_described();
    test_wrong_extents_are_refused();
    test_a_struct_without_elements_is_described();
    test_elements_without_memory_are_refused();
    test_strides_that_split_elements_are_refused();
    test_strides_beyond_the_address_space_are_refused();
    test_values_without_a_match_are_refused();
    test_devices_have_a_number_that_fits();
    test_requirements_are_checked();
    test_the_first_fault_is_reported();
    test_bit_fields_are_read_with_their_sign();
    test_elements_below_a_byte_must_be_compact();
    test_read_only_structs_have_the_flag();
    test_a_long_message_is_cut();
    return checks_result();
}
