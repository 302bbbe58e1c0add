/* SPDX-License-Identifier: MIT */
/* Strides in bits, bytes and steps, one word at a time: values that do not fit, axes that nobody steps along, and layouts
 * that a copy can have. */
#include "check.h"
#include "core/exchange.h"
#include "dlb_emit.h"

static uint8_t memory[64];
static int64_t shape[2], strides[2];
static DLTensor tensor;
static dlb_view view;
static dlb_gather gather;
static dlb_error error;

static const dlb_integer too_large = {INT64_MIN, DLB_TOO_LARGE, "self->pitch"}; /* 2^63 */

static dlb_integer number(int64_t value)
{
    return (dlb_integer){value, DLB_FITS, "self->pitch"};
}

/* A view of 3 or fewer elements along the first axis; with a place for layouts that are copied, if `copies`. */
static void begin(int64_t extent, DLDataType dtype, bool copies)
{
    memset(&view, 0, sizeof view);
    memset(&gather, 0, sizeof gather);
    shape[0] = extent;
    shape[1] = 2;
    strides[0] = 77;
    strides[1] = 1;
    tensor = (DLTensor){memory, {kDLCPU, 0}, 2, dtype, shape, strides, 0};
    gather.rows_axis = -1;
    view.tensor = &tensor;
    view.itself = &view;
    view.name = "units.Unit";
    view.gather = copies ? &gather : NULL;
}

/* What the view found wrong, without its name; NULL: nothing. */
static const char *fault(void)
{
    if ((view.pending_checks & DLB_FAULTY) == 0) {
        return NULL;
    }
    CHECK_EQUAL(dlb_view_fault(&view, &error), -1);
    return error.message + strlen("units.Unit: strides[0] (self->pitch) ");
}

static void check_stride(int64_t expected)
{
    CHECK(fault() == NULL);
    CHECK_EQUAL(strides[0], expected);
}

static void check_fault(const char *expected)
{
    const char *const found = fault();

    CHECK(found != NULL && strcmp(found, expected) == 0);
    CHECK_EQUAL(strides[0], 0);
}

static const DLDataType u16 = {kDLUInt, 16, 1}, u4 = {kDLUInt, 4, 1};

#define NO_BITS "is 15: bits that are not a multiple of the item size"
#define TOO_LARGE "is 9223372036854775808: a stride is below 2^63"
#define FAR "so many bytes lead beyond the address space"

static void test_strides_in_bits_are_converted(void)
{
    begin(3, u16, false);
    dlb_bit_stride(&view, 0, number(-32));
    check_stride(-2);
    dlb_bit_stride(&view, 0, number(15));
    check_fault(NO_BITS);
    begin(3, u16, true); /* no copy has that either */
    dlb_bit_stride(&view, 0, number(15));
    check_fault(NO_BITS);
    begin(1, u16, false);
    dlb_bit_stride(&view, 0, number(15));
    check_stride(0);
    begin(3, u16, false);
    dlb_bit_stride(&view, 0, too_large);
    check_fault(TOO_LARGE);
    begin(1, u16, false);
    dlb_bit_stride(&view, 0, too_large);
    check_stride(0);
}

static void test_strides_in_bytes_of_packed_elements_are_converted(void)
{
    begin(3, u4, true);
    dlb_byte_stride_slow(&view, 0, number(2));
    check_stride(4);
    dlb_byte_stride_slow(&view, 0, number(INT64_MAX / 4));
    check_fault("is 2305843009213693951: " FAR);
    begin(1, u4, true);
    dlb_byte_stride_slow(&view, 0, number(INT64_MAX / 4));
    check_stride(0);
    begin(3, u4, true);
    dlb_byte_stride_slow(&view, 0, too_large);
    check_fault(TOO_LARGE);
}

static void test_strides_in_bytes_are_converted_or_gathered(void)
{
    begin(3, u16, false);
    dlb_byte_stride_slow(&view, 0, too_large);
    check_fault(TOO_LARGE);
    begin(1, u16, false);
    dlb_byte_stride_slow(&view, 0, number(3));
    check_stride(1);
    begin(3, u16, true);
    dlb_byte_stride_slow(&view, 0, number(3));
    check_stride(INT64_MIN); /* the first one that is gathered */
    CHECK_EQUAL(view.pending_checks, DLB_GATHERED);
    gather.odd_strides = DLB_MAX_NDIM;
    dlb_byte_stride_slow(&view, 0, number(3));
    check_fault("is 3: bytes that are not a multiple of the item size");
}

static void test_strides_in_other_units_are_converted(void)
{
    begin(3, u16, false);
    dlb_unit_stride(&view, 0, number(-3), number(4));
    check_stride(-6);
    for (int i = 0; i < 3; i++) {
        const dlb_integer steps[] = {too_large, number(0), number(-4)};

        begin(3, u16, false);
        dlb_unit_stride(&view, 0, number(1), steps[i]);
        CHECK(fault() != NULL);
        begin(1, u16, false);
        dlb_unit_stride(&view, 0, too_large, steps[i]);
        check_stride(0);
    }
    begin(3, u16, false);
    dlb_unit_stride(&view, 0, number(INT64_MAX / 2), number(4));
    check_fault("is 4611686018427387903: so many steps lead beyond the address space");
    begin(1, u16, false);
    dlb_unit_stride(&view, 0, number(INT64_MAX / 2), number(4));
    check_stride(0);
    begin(3, u16, false);
    dlb_unit_stride(&view, 0, too_large, number(4));
    CHECK(fault() != NULL);
}

static void test_a_table_that_is_missing_faulty_or_empty_is_not_read(void)
{
    begin(3, u16, false);
    CHECK(dlb_has_rows(&view, memory));
    CHECK(!dlb_has_rows(&view, NULL));
    view.pending_checks = DLB_FAULTY;
    CHECK(!dlb_has_rows(&view, memory));
    begin(0, u16, false);
    CHECK(!dlb_has_rows(&view, memory));
    begin(-1, u16, false);
    CHECK(!dlb_has_rows(&view, memory));
}

/* The stride beside an odd stride overflows in bytes. */
static void test_strides_that_overflow_are_not_gathered(void)
{
    begin(3, u16, true);
    dlb_byte_stride_slow(&view, 0, number(3));
    strides[1] = INT64_MAX / 2 + 1;
    CHECK_FAILS(dlb_gather_finish(&view, &error), error, DLB_BUFFER_ERROR,
                "units.Unit: the strides lead beyond the address space");
    begin(3, u16, true);
    dlb_byte_stride_slow(&view, 0, number(3));
    CHECK(dlb_gather_finish(&view, &error) == 0);
    CHECK(strides[0] == 2 && strides[1] == 1);
    CHECK(gather.steps[0] == 3 && gather.steps[1] == 2);
    begin(3, u16, true);
    dlb_byte_stride_slow(&view, 0, number(INT64_MAX));
    CHECK(dlb_gather_finish(&view, NULL) == -1);
}

/* ---- Offsets ---- */

static void check_offset(uint64_t offset, const char *message)
{
    begin(3, u16, false);
    strides[0] = 2;
    tensor.byte_offset = offset;
    if (message == NULL) {
        CHECK(dlb_view_validate(&view, &error) == 0);
        CHECK(tensor.data == memory + offset && tensor.byte_offset == 0);
    } else {
        CHECK_FAILS(dlb_view_validate(&view, &error), error, DLB_BUFFER_ERROR, message);
        CHECK(tensor.data == memory);
    }
}

static void test_offsets_beyond_the_address_space_are_refused(void)
{
    check_offset(0, NULL);
    check_offset(8, NULL);
    check_offset((uint64_t)PTRDIFF_MAX + 1,
                 sizeof(void *) == 8
                     ? "units.Unit: byte_offset is 9223372036854775808: it leads beyond the address space"
                     : "units.Unit: byte_offset is 2147483648: it leads beyond the address space");
    check_offset(UINT64_MAX, "units.Unit: byte_offset is 18446744073709551615: it leads beyond the address space");
    begin(3, u16, false);
    strides[0] = 2;
    tensor.device.device_type = kDLCUDA; /* which the CPU cannot read */
    tensor.byte_offset = 8;
    CHECK(dlb_view_validate(&view, &error) == 0);
    CHECK(tensor.data == memory && tensor.byte_offset == 8);
}

static void test_extents_that_overflow_are_not_gathered(void)
{
    begin(INT64_MAX, u16, true);
    dlb_byte_stride_slow(&view, 0, number(3));
    gather.used = true;
    CHECK_FAILS(dlb_view_validate(&view, &error), error, DLB_BUFFER_ERROR,
                "units.Unit: the extents up to shape[1] (2) multiply to more than 2^63 - 1");
    begin(0, u16, true); /* without elements nothing is read */
    gather.used = true;
    CHECK(dlb_view_validate(&view, &error) == 0);
}

int main(void)
{
    test_offsets_beyond_the_address_space_are_refused();
    test_extents_that_overflow_are_not_gathered();
    test_strides_in_bits_are_converted();
    test_strides_in_bytes_of_packed_elements_are_converted();
    test_strides_in_bytes_are_converted_or_gathered();
    test_strides_in_other_units_are_converted();
    test_a_table_that_is_missing_faulty_or_empty_is_not_read();
    test_strides_that_overflow_are_not_gathered();
    return checks_result();
}
