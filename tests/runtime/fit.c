/* SPDX-License-Identifier: MIT */
/* Imports that the struct cannot hold, or that the spec does not carry over, are refused before anybody reads there. */
#include "check.h"
#include "fits_dlpack.h"
#include "foreign.h"

#include <limits.h>

static dlb_error error;
static uint8_t memory[64];
static const DLDataType uint8 = {kDLUInt, 8, 1};

typedef struct shaped {
    int32_t ndim;
    int64_t shape[3];
    int64_t strides[3];
} shaped;

static void check_taken(const dlb_type *type, const shaped *tried)
{
    dlb_owner *owner = NULL;
    foreign source;

    foreign_array(&source, memory, uint8, tried->ndim, tried->shape, tried->strides);
    memset(&error, 0, sizeof error);
    if (dlb_import(type, &source.versioned, &owner, &error) != 0) {
        printf("%s\n", error.message);
        CHECK(!"taken");
        return;
    }
    dlb_owner_drop(owner);
    CHECK_EQUAL(source.deleted, 1);
}

static void check_refused(const dlb_type *type, const shaped *tried, const char *message)
{
    dlb_owner *owner = NULL;
    foreign source;

    foreign_array(&source, memory, uint8, tried->ndim, tried->shape, tried->strides);
    CHECK_FAILS(dlb_import(type, &source.versioned, &owner, &error), error, DLB_BUFFER_ERROR, message);
    CHECK(dlb_import(type, &source.versioned, &owner, NULL) == -1);
    CHECK(owner == NULL);
    CHECK_EQUAL(source.deleted, 0);
}

#define TAKEN(name, ...) check_taken(&fits_##name##_type, &(const shaped)__VA_ARGS__)
#define LINE(n) {1, {(n)}, {1}}
#define REFUSED_LINE(name, n, message) check_refused(&fits_##name##_type, &(const shaped)LINE(n), message)
#define REFUSED(name, message, ...) check_refused(&fits_##name##_type, &(const shaped)__VA_ARGS__, message)

static void test_extents_that_do_not_fit_are_refused(void)
{
    TAKEN(int, LINE(INT_MAX));
    REFUSED_LINE(int, INT64_C(1) << 31,
                 "fits.Int: self->height (shape[0]) would be 2147483648: the value does not fit");
    REFUSED_LINE(int, (INT64_C(1) << 32) + 1, /* one, if it were cut */
                 "fits.Int: self->height (shape[0]) would be 4294967297: the value does not fit");
    TAKEN(byte, LINE(255));
    REFUSED_LINE(byte, 256, "fits.Byte: self->width (shape[0]) would be 256: the value does not fit");
    TAKEN(bits, LINE(15));
    REFUSED_LINE(bits, 16, "fits.Bits: self->channels (shape[0]) would be 16: the value does not fit");
    TAKEN(wide_bits, LINE((INT64_C(1) << 40) - 1));
    REFUSED_LINE(wide_bits, (INT64_C(1) << 40) + 1,
                 "fits.WideBits: self->columns (shape[0]) would be 1099511627777: the value does not fit");
    TAKEN(flag, LINE(0));
    TAKEN(flag, LINE(1));
    REFUSED_LINE(flag, 2, "fits.Flag: self->pair (shape[0]) would be 2: the value does not fit");
}

/* The description does not show these members, so that only reading them back can tell. */
static void test_members_that_no_slot_shows_are_read_back(void)
{
    TAKEN(unseen, LINE(15));
    REFUSED_LINE(unseen, 16, "fits.Unseen: self->channels (shape[0]) would be 16: the value does not fit");
    TAKEN(unseen_wide, LINE((INT64_C(1) << 40) - 1));
    REFUSED_LINE(unseen_wide, (INT64_C(1) << 40) + 1,
                 "fits.UnseenWide: self->columns (shape[0]) would be 1099511627777: the value does not fit");
}

static void test_strides_that_do_not_fit_are_refused(void)
{
    TAKEN(unsigned, {2, {2, 3}, {3, 1}});
    TAKEN(unsigned, {2, {2, 3}, {UINT_MAX, 1}});
    REFUSED(unsigned, "fits.Unsigned: self->pitch (strides[0]) would be -3: the value does not fit",
            {2, {2, 3}, {-3, 1}});
    REFUSED(unsigned, "fits.Unsigned: self->pitch (strides[0]) would be 4294967299: the value does not fit",
            {2, {2, 3}, {(INT64_C(1) << 32) + 3, 1}});
    TAKEN(size, {2, {2, 3}, {3, 1}});
    REFUSED(size, "fits.Size: self->skip (strides[0]) would be -3: the value does not fit", {2, {2, 3}, {-3, 1}});
    TAKEN(short, {1, {3}, {-32768}});
    REFUSED(short, "fits.Short: self->step (byte_strides[0]) would be -32769: the value does not fit",
            {1, {3}, {-32769}});
    /* A single row is not stepped over: the stride that it comes with is not stored. */
    TAKEN(unsigned, {2, {1, 3}, {-3, 1}});
    TAKEN(size, {2, {1, 3}, {INT64_MIN, 1}});
}

static void test_variables_of_the_spec_must_fit(void)
{
    TAKEN(let, LINE(SHRT_MAX));
    REFUSED_LINE(let, SHRT_MAX + 1, "fits.Let: count (shape[0]) would be 32768: the value does not fit");
    REFUSED(let_unsigned, "fits.LetUnsigned: step (strides[0]) would be -1: the value does not fit", {1, {3}, {-1}});
}

static void test_the_message_shows_the_first_value_that_does_not_fit(void)
{
    REFUSED(several, "fits.Several: self->width (shape[1]) would be 300: the value does not fit",
            {3, {2, 300, 16}, {4800, 16, 1}});
}

static void test_literal_extents_must_be_equal(void)
{
    TAKEN(literal, {2, {5, 3}, {3, 1}});
    REFUSED(literal, "fits.Literal: shape[1] is 4, not 3", {2, {5, 4}, {4, 1}});
    REFUSED(literal, "fits.Literal: the array has 1 axis, not 2", {1, {3}, {1}});
    REFUSED(literal, "fits.Literal: the array has 3 axes, not 2", {3, {1, 5, 3}, {15, 3, 1}});
    REFUSED(reversed_literal, "fits.ReversedLiteral: shape[0] is 4, not 3", {2, {4, 3}, {3, 1}});
    TAKEN(reversed_literal, {2, {3, 5}, {5, 1}});
    REFUSED(ranks, "fits.Ranks: the array has 1 axis, not 2 to 3", {1, {3}, {1}});
}

static void test_values_that_the_spec_does_not_set_are_reported(void)
{
    TAKEN(forgets_stride, {2, {1, 3}, {5, 1}}); /* nothing is lost */
    REFUSED(forgets_stride,
            "fits.ForgetsStride: the new object shows strides[0] as 0, not 5: this value was lost",
            {2, {2, 3}, {5, 1}});
    REFUSED(forgets_extent,
            "fits.ForgetsExtent: the new object shows shape[1] as 0, not 3: this value was lost",
            {2, {1, 3}, {3, 1}});
    REFUSED(forgets_data, "fits.ForgetsData: data is NULL, but the shape has 2 elements", LINE(2));
    REFUSED(other_data, "fits.OtherData: the new object shows other memory than the array", LINE(2));
    REFUSED(forgets_rank, "fits.ForgetsRank: the new object shows 0 axes, not 1", LINE(2));
    REFUSED(forgets_device, "fits.ForgetsDevice: the new object shows device cuda:0, not cpu:0", LINE(2));
    REFUSED(forgets_dtype, "fits.ForgetsDtype: dtype (self->kind) is 0: not a supported value", LINE(2));
    REFUSED(other_dtype, "fits.OtherDtype: the new object shows dtype float32, not uint8: the import must set the dtype of the array", LINE(2));
}

/* No arm has that shape, whatever its key. */
static void test_arrays_that_fit_no_arm_are_refused(void)
{
    TAKEN(arms, {2, {5, 3}, {3, 1}});
    TAKEN(arms, {2, {5, 4}, {4, 1}});
    REFUSED(arms, "fits.Arms: arrays of uint8[5, 2] are not supported", {2, {5, 2}, {2, 1}});
}

/* Where the data is a handle, nothing can be added to it. */
static void test_a_handle_with_an_offset_is_refused(void)
{
    static const int64_t shape[] = {7}, strides[] = {1};
    dlb_owner *owner = NULL;
    foreign source;

    foreign_array(&source, memory, uint8, 1, shape, strides)->dl_tensor.device.device_type = kDLOpenCL;
    source.versioned.dl_tensor.byte_offset = 8;
    CHECK_FAILS(dlb_import(&fits_open_cl_type, &source.versioned, &owner, &error), error, DLB_BUFFER_ERROR,
                "fits.OpenCL: byte_offset is 8, and the data is a handle, not an address");
    CHECK_EQUAL(source.deleted, 0);
    source.versioned.dl_tensor.byte_offset = 0;
    CHECK(dlb_import(&fits_open_cl_type, &source.versioned, &owner, &error) == 0);
    dlb_owner_drop(owner);
}

static void test_a_key_can_be_a_floating_point_number(void)
{
    narrow object = {.data = memory, .scale = 1.5};
    dlb_view view;

    CHECK(fits_scaled_view(&object, &view, &error) == 0);
    object.scale = 2.5;
    CHECK_FAILS(fits_scaled_view(&object, &view, &error), error, DLB_BUFFER_ERROR,
                "fits.Scaled: the dtype for this value of self->scale is unknown");
}

/* Members that are no integers are set as well. */
static void test_members_that_are_no_integers_are_set(void)
{
    static const int64_t shape[] = {7}, strides[] = {1};
    const narrow *object;
    dlb_owner *owner;
    foreign source;

    foreign_array(&source, memory, uint8, 1, shape, strides);
    CHECK(fits_mixed_from_dlpack(&source.versioned, &owner, &error) == 0);
    object = dlb_owner_object(owner);
    CHECK(object->scale == 1.5 && object->ratio == 7.0F && object->start.x == 1 && object->start.y == 2);
    CHECK(strcmp(object->name, "it") == 0);
    CHECK(object->height == 0 && object->step == 0 && !object->pair); /* what is not set is zero */
    dlb_owner_drop(owner);
}

/* What a library made goes again the way that the spec says, once; the tensor stays the caller's. */
static int made, destroyed;
static narrow only;

narrow *narrow_make(void *data, int64_t rows)
{
    made++;
    only = (narrow){.data = data, .rows = rows};
    return &only;
}

void narrow_destroy(narrow *object)
{
    CHECK(object == &only);
    destroyed++;
}

static void test_a_wrong_object_is_destroyed_once(void)
{
    REFUSED(constructed, "fits.Constructed: the new object shows shape[0] as 1, not 2: this value was lost",
            LINE(2));
    CHECK_EQUAL(made, 2); /* with a place for the error, and without */
    CHECK_EQUAL(destroyed, 2);
    TAKEN(constructed, LINE(1));
    CHECK_EQUAL(made, 3);
    CHECK_EQUAL(destroyed, 3);
}

/* The stride of an axis with one element may be any number: it leads nowhere. */
static void test_a_converted_array_ignores_strides_of_single_elements(void)
{
    const int64_t strides[] = {INT64_MAX, -1};
    const int64_t shape[] = {1, 3};
    uint16_t numbers[] = {3, 2, 1};
    dlb_owner *owner = NULL;
    foreign source;
    dlb_view view;

    foreign_array(&source, &numbers[2], (DLDataType){kDLUInt, 16, 1}, 2, shape, strides);
    CHECK(dlb_import(&fits_cast_type, &source.versioned, &owner, &error) == 0);
    CHECK_EQUAL(source.deleted, 1);
    CHECK(dlb_owner_view(owner, &view, &error) == 0);
    CHECK(memcmp(view.tensor->data, "\1\2\3", 3) == 0);
    CHECK_EQUAL(view.tensor->strides[0], 3);
    dlb_owner_drop(owner);
}

int main(void)
{
    test_a_converted_array_ignores_strides_of_single_elements();
    test_extents_that_do_not_fit_are_refused();
    test_members_that_no_slot_shows_are_read_back();
    test_strides_that_do_not_fit_are_refused();
    test_variables_of_the_spec_must_fit();
    test_the_message_shows_the_first_value_that_does_not_fit();
    test_literal_extents_must_be_equal();
    test_values_that_the_spec_does_not_set_are_reported();
    test_arrays_that_fit_no_arm_are_refused();
    test_a_handle_with_an_offset_is_refused();
    test_a_key_can_be_a_floating_point_number();
    test_members_that_are_no_integers_are_set();
    test_a_wrong_object_is_destroyed_once();
    return checks_result();
}
