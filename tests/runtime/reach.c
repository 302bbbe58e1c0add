/* SPDX-License-Identifier: MIT */
/* Whether all elements lie in the memory that is known: each way to lead out of it, and numbers that do not fit. */
#include "check.h"
#include "dlb_emit.h"

static uint8_t memory[64];
static DLDataType dtype = {kDLUInt, 8, 1};

typedef struct axes {
    int32_t ndim;
    int64_t shape[2];
    int64_t strides[2];
} axes;

static DLTensor tensor_at(void *data, axes *of)
{
    return (DLTensor){data, {kDLCPU, 0}, of->ndim, dtype, of->shape, of->strides, 0};
}

/* ---- Memory that begins with the data ---- */

/* Whether so many bytes hold the elements; `unsettled` is what was found before. */
static int holds(axes of, size_t bytes, int pending_checks)
{
    DLTensor tensor = tensor_at(memory, &of);
    dlb_view view = {.tensor = &tensor, .pending_checks = pending_checks};

    view.itself = &view;
    dlb_holds(&view, bytes, "self->memory");
    CHECK(view.fault.kind == 0 || (view.fault.kind == DLB_FAULT_BYTES && view.fault.value.value == (int64_t)bytes));
    return view.fault.kind == 0;
}

static void test_arrays_must_fit_the_memory(void)
{
    CHECK(holds((axes){2, {2, 3}, {3, 1}}, 6, 0));
    CHECK(!holds((axes){2, {2, 3}, {3, 1}}, 5, 0));
    CHECK(holds((axes){2, {2, 3}, {4, 1}}, 7, 0));
    CHECK(!holds((axes){2, {2, 3}, {4, 1}}, 6, 0));
    CHECK(holds((axes){0, {0}, {0}}, 1, 0));
    CHECK(!holds((axes){0, {0}, {0}}, 0, 0));
    CHECK(holds((axes){2, {2, 3}, {3, 1}}, SIZE_MAX, 0));
    CHECK(holds((axes){2, {2, 3}, {3, 1}}, 5, DLB_GATHERED)); /* which is checked elsewhere */
    CHECK(holds((axes){2, {2, 3}, {3, 1}}, 5, DLB_FAULTY));
    CHECK(holds((axes){2, {100, 0}, {1, 1}}, 0, 0));
    CHECK(holds((axes){2, {100, -1}, {1, 1}}, 0, 0)); /* a fault of its own */
    CHECK(holds((axes){2, {1, 3}, {-1000, 1}}, 3, 0)); /* nobody steps there */
    CHECK(!holds((axes){2, {2, 3}, {-3, 1}}, 64, 0));
    CHECK(!holds((axes){2, {3, 2}, {INT64_MAX / 2 + 1, 1}}, 64, 0));
    CHECK(!holds((axes){2, {2, 2}, {INT64_MAX, INT64_MAX}}, 64, 0));
    dtype.bits = 16;
    CHECK(!holds((axes){1, {2}, {INT64_MAX / 2}}, 64, 0));
    CHECK(holds((axes){1, {3}, {1}}, 6, 0));
    dtype.bits = 4;
    CHECK(holds((axes){1, {3}, {1}}, 2, 0));
    CHECK(!holds((axes){1, {5}, {1}}, 2, 0));
    dtype.bits = 8;
}

/* ---- Memory that the data points into ---- */

static int lies_within(ptrdiff_t first, uint64_t offset, axes of, size_t bytes)
{
    DLTensor tensor = tensor_at((char *)(uintptr_t)((uintptr_t)memory + (uintptr_t)first), &of);
    dlb_view view = {.tensor = &tensor};
    int result;

    tensor.byte_offset = offset;
    result = dlb_lies_within(&tensor, memory, bytes);
    dlb_stays_within(&view, memory, bytes, "self->memory");
    CHECK_EQUAL(view.fault.kind, result ? 0 : DLB_FAULT_BYTES);
    for (int pending_checks = DLB_FAULTY; pending_checks <= DLB_GATHERED; pending_checks += DLB_GATHERED - DLB_FAULTY) {
        view = (dlb_view){.tensor = &tensor, .pending_checks = pending_checks};
        dlb_stays_within(&view, memory, bytes, "self->memory");
        CHECK_EQUAL(view.fault.kind, 0);
    }
    view = (dlb_view){.tensor = &tensor};
    dlb_stays_within(&view, memory, SIZE_MAX, "self->memory");
    CHECK_EQUAL(view.fault.kind, 0);
    return result;
}

static void test_arrays_must_lie_within_the_memory(void)
{
    CHECK(lies_within(0, 0, (axes){2, {2, 3}, {3, 1}}, 6));
    CHECK(!lies_within(0, 0, (axes){2, {2, 3}, {3, 1}}, 5));
    CHECK(lies_within(3, 0, (axes){2, {2, 3}, {-3, 1}}, 6));
    CHECK(!lies_within(2, 0, (axes){2, {2, 3}, {-3, 1}}, 6));
    CHECK(lies_within(0, 3, (axes){1, {3}, {1}}, 6));
    CHECK(!lies_within(0, 4, (axes){1, {3}, {1}}, 6));
    CHECK(!lies_within(0, 7, (axes){1, {1}, {1}}, 6));
    CHECK(!lies_within(-1, 0, (axes){1, {3}, {1}}, 6));
    CHECK(lies_within(-1, 0, (axes){2, {3, 0}, {1, 1}}, 6)); /* no elements */
    CHECK(lies_within(-1, 0, (axes){2, {3, -1}, {1, 1}}, 6));
    CHECK(lies_within(0, 0, (axes){2, {1, 3}, {INT64_MIN, 1}}, 6));
    CHECK(lies_within(5, 0, (axes){0, {0}, {0}}, 6));
    CHECK(!lies_within(6, 0, (axes){0, {0}, {0}}, 6));
}

/* One multiplication or addition after the other does not fit. */
static void test_distances_that_overflow_are_refused(void)
{
    const ptrdiff_t far = (ptrdiff_t)(UINTPTR_MAX / 2 - (uintptr_t)memory);

    CHECK(!lies_within(far, 0, (axes){1, {3}, {1}}, 6));
    CHECK(sizeof far < 8 || !lies_within(far, UINTPTR_MAX / 4, (axes){1, {3}, {1}}, SIZE_MAX - 1));
    CHECK(!lies_within(0, 0, (axes){2, {3, 3}, {INT64_MAX, 1}}, 6));
    CHECK(!lies_within(0, 0, (axes){2, {2, 3}, {INT64_MAX / 4, 1}}, 6));
    CHECK(!lies_within(0, 0, (axes){2, {2, 2}, {INT64_MAX / 9, INT64_MAX / 9}}, 6));
    CHECK(!lies_within(0, 0, (axes){2, {2, 2}, {INT64_MIN / 9, INT64_MIN / 9}}, 6));
    CHECK(!lies_within(0, 0, (axes){2, {2, 2}, {INT64_MAX, INT64_MAX}}, 6)); /* nothing is added to what did not fit */
}

static int is_strided(axes of)
{
    return dlb_is_strided((const void *)(UINTPTR_MAX / 2), dtype, of.ndim, of.shape, of.strides); /* far from both ends */
}

static void test_strided_arrays_are_told_from_faulty_ones(void)
{
    CHECK(is_strided((axes){0, {0}, {0}}));
    CHECK(is_strided((axes){2, {2, 3}, {-3, 1}}));
    CHECK(is_strided((axes){2, {1, 3}, {INT64_MIN, 1}}));
    CHECK(!is_strided((axes){2, {0, 3}, {3, 1}}));
    CHECK(!is_strided((axes){2, {2, -1}, {3, 1}}));
    CHECK(!is_strided((axes){2, {INT64_MAX / 2, 3}, {0, 0}}));
    CHECK(!is_strided((axes){2, {3, 3}, {INT64_MAX, 1}}));
    CHECK(!is_strided((axes){1, {2}, {INT64_MIN}}));
    CHECK(!is_strided((axes){2, {2, 2}, {INT64_MAX, INT64_MAX}}));
    CHECK(!is_strided((axes){2, {2, 2}, {INT64_MAX, INT64_MIN + 1}}));
    CHECK_EQUAL(is_strided((axes){1, {2}, {INT64_C(1) << 40}}), sizeof(void *) == 8);
    dtype.bits = 16;
    CHECK(!is_strided((axes){1, {2}, {INT64_MAX}}));
    dtype.bits = 4;
    CHECK(!is_strided((axes){1, {2}, {1}}));
    dtype.bits = 8;
}

/* ---- Several members ---- */

static void test_the_check_uses_the_member_that_the_data_points_into(void)
{
    axes six = {1, {6}, {1}};
    DLTensor tensor = tensor_at(memory + 8, &six);
    dlb_view view = {.tensor = &tensor};
    dlb_reach reach = {0, NULL, 0};

    dlb_reaches(&reach, &view, memory, SIZE_MAX, "unknown");
    dlb_reaches(&reach, &view, memory, 8, "before");
    dlb_reaches(&reach, &view, memory + 9, 8, "behind");
    CHECK(reach.bytes == 0 && !reach.is_fine);
    dlb_reach_end(&reach, &view);
    CHECK_EQUAL(view.fault.kind, 0); /* it points into none of them */
    dlb_reaches(&reach, &view, memory, 12, "long");
    dlb_reaches(&reach, &view, memory + 8, 4, "short");
    CHECK(reach.bytes == 12 && strcmp(reach.expression, "long") == 0);
    view.pending_checks = DLB_GATHERED;
    dlb_reach_end(&reach, &view);
    CHECK_EQUAL(view.fault.kind, 0);
    view.pending_checks = 0;
    dlb_reach_end(&reach, &view);
    CHECK_EQUAL(view.fault.kind, DLB_FAULT_BYTES);
    CHECK_EQUAL(view.fault.value.value, 12);
    view = (dlb_view){.tensor = &tensor};
    dlb_reaches(&reach, &view, memory, 14, "whole");
    CHECK(reach.is_fine);
    dlb_reach_end(&reach, &view);
    CHECK_EQUAL(view.fault.kind, 0);
}

int main(void)
{
    test_arrays_must_fit_the_memory();
    test_arrays_must_lie_within_the_memory();
    test_distances_that_overflow_are_refused();
    test_strided_arrays_are_told_from_faulty_ones();
    test_the_check_uses_the_member_that_the_data_points_into();
    return checks_result();
}
