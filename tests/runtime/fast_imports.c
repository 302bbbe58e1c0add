/* SPDX-License-Identifier: MIT */
/* Compares the fast path of imports with the slow path: both make equal objects, and common arrays take the fast path. */
#include "chance.h"
#include "check.h"
#include "dlb_emit.h"
#include "foreign.h"
#include "sample.h"
#include "taken_dlpack.h"

enum { TURNS = 2000, MOST_AXES = 5 };

static dlb_error error;
static uint8_t memory[64];

/* Which arrays a type takes in one step. */
enum { ALL, MATRICES, GAPLESS_FLOATS, NONE };

static const struct {
    const dlb_type *type;
    int takes;
} taken[] = {
    {&taken_elements_type, ALL},    {&taken_bytes_type, ALL},       {&taken_numbered_type, ALL},
    {&taken_steps_type, ALL},       {&taken_writable_type, ALL},    {&taken_moved_type, ALL},
    {&taken_matrix_type, MATRICES}, {&taken_tested_type, MATRICES}, {&taken_floats_type, GAPLESS_FLOATS},
    {&taken_offset_type, NONE},
};
enum { TYPES = sizeof taken / sizeof taken[0] };

void sample_release(sample *self)
{
    (void)self;
    CHECK(!"a struct that is no object of the library's is not released");
}

/* Returns a copy of the type without its fast functions. Its requirements list extents, although all are allowed, so that
 * each array takes the slow path. */
static dlb_type slow_type(const dlb_type *type, dlb_factory *importer, dlb_requirements *require)
{
    static int64_t any[DLB_MAX_NDIM];
    dlb_type made = *type;

    for (int axis = 0; axis < DLB_MAX_NDIM; axis++) {
        any[axis] = -1;
    }
    *importer = *type->importer;
    *require = *importer->require;
    if (require->extents == NULL) {
        require->extents = any;
    }
    importer->require = require;
    made.importer = importer;
    made.describe_fast = NULL;
    made.import_fast = NULL;
    return made;
}

/* dlb_import() of a copy of `array`, which must go once the owner has gone, or stay the caller's. */
static dlb_owner *import_copy(const dlb_type *type, const foreign *array, foreign *copy)
{
    dlb_owner *owner = NULL;
    int result;

    *copy = *array;
    copy->versioned.manager_ctx = copy;
    copy->versioned.dl_tensor.shape = array->versioned.dl_tensor.shape == NULL ? NULL : copy->shape;
    copy->versioned.dl_tensor.strides = array->versioned.dl_tensor.strides == NULL ? NULL : copy->strides;
    memset(&error, 0, sizeof error);
    result = dlb_import(type, &copy->versioned, &owner, &error);
    CHECK_EQUAL(result, owner != NULL ? 0 : -1);
    CHECK((error.status == DLB_OK) == (owner != NULL));
    CHECK_EQUAL(copy->deleted, 0);
    return owner;
}

static void check_ended(dlb_owner *owner, const foreign *array)
{
    if (owner != NULL) {
        dlb_owner_drop(owner);
    }
    CHECK_EQUAL(array->deleted, owner != NULL);
}

/* Whether the array was taken in one step; then it must be taken with care as well, as the same struct. */
static int check_import(const dlb_type *type, const foreign *array)
{
    const DLTensor *const tensor = &array->versioned.dl_tensor;
    const int readonly = (array->versioned.flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
    const int allowed = !readonly || (type->importer->require->layout & DLB_WRITABLE) == 0; /* which only callers look at */
    dlb_requirements require;
    dlb_factory importer;
    const dlb_type other = slow_type(type, &importer, &require);
    foreign fast_array, slow_array;
    dlb_owner *fast_owner, *slow_owner;
    sample box;
    void *object;
    dlb_error expected;

    memset(&box, 0xEE, sizeof box);
    CHECK_EQUAL(type->importer->box, sizeof box);
    object = allowed ? type->import_fast(tensor, readonly, &box) : NULL;
    slow_owner = import_copy(&other, array, &slow_array);
    expected = error;
    fast_owner = import_copy(type, array, &fast_array);
    CHECK_EQUAL(error.status, expected.status);
    CHECK(strcmp(error.message, expected.message) == 0);
    CHECK((fast_owner != NULL) == (slow_owner != NULL));
    if (object != NULL) {
        CHECK(object == &box);
        CHECK(slow_owner != NULL && memcmp(&box, dlb_owner_object(slow_owner), sizeof box) == 0);
    }
    if (fast_owner != NULL && slow_owner != NULL) {
        CHECK(memcmp(dlb_owner_object(fast_owner), dlb_owner_object(slow_owner), sizeof box) == 0);
    }
    check_ended(fast_owner, &fast_array);
    check_ended(slow_owner, &slow_array);
    return object != NULL;
}

/* Axes in any order, perhaps with gaps, perhaps backwards: for what takes all of them. None has one element only, whose stride says
 * nothing and would be another after the import. */
static void step_freely(int rank, int64_t *sizes, int64_t *steps)
{
    int64_t step = 1 + random_below(2);
    int order[MOST_AXES];

    for (int i = 0; i < rank; i++) {
        const int place = random_below(i + 1);

        order[i] = order[place];
        order[place] = i;
        sizes[i] = 2 + random_below(2);
    }
    for (int i = 0; i < rank; i++) {
        steps[order[i]] = random_below(4) == 0 ? -step : step;
        step = step * sizes[order[i]] + random_below(2);
    }
}

/* Compact, but perhaps for padding of the outermost axis: what `takes` says that there is no more to be said of. */
static void make_fast_array(foreign *array, int takes)
{
    static const DLDataType dtypes[] = {{kDLUInt, 8, 1}, {kDLFloat, 32, 1}, {kDLFloat, 64, 1}};
    const DLDataType dtype = dtypes[takes == GAPLESS_FLOATS ? 1 : random_below(3)];
    const int rank = takes == ALL ? random_below(MOST_AXES + 1) : 2;
    int64_t shape[MOST_AXES], strides[MOST_AXES], step = 1;

    for (int axis = rank - 1; axis >= 0; axis--) {
        shape[axis] = 1 + random_below(5);
        strides[axis] = step;
        step *= shape[axis];
    }
    if (takes != GAPLESS_FLOATS && rank > 0 && shape[0] > 1) {
        strides[0] += random_below(4);
    }
    if (takes == ALL && random_below(2)) {
        step_freely(rank, shape, strides);
    }
    foreign_array(array, memory, dtype, rank, shape, strides);
    array->versioned.flags = takes != GAPLESS_FLOATS && random_below(4) == 0 ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
}

static void spoil(foreign *array)
{
    static const DLDeviceType devices[] = {kDLCUDA, kDLCUDAHost, kDLOpenCL, kDLCUDAManaged};
    DLTensor *const tensor = &array->versioned.dl_tensor;
    const int axis = random_below(MOST_AXES);

    switch (random_below(16)) {
    case 0:
    case 1:
    case 2:
        array->shape[axis] = odd_number();
        break;
    case 3:
    case 4:
    case 5:
        array->strides[axis] = odd_number();
        break;
    case 6:
        tensor->ndim = (int32_t)odd_number();
        break;
    case 7:
        tensor->device.device_type = devices[random_below(4)];
        break;
    case 8:
        tensor->device.device_id = (int32_t)odd_number();
        break;
    case 9:
        tensor->byte_offset = (uint64_t)odd_number();
        break;
    case 10:
        tensor->dtype.bits = (uint8_t)(random_below(2) ? 4 : odd_number());
        break;
    case 11:
        tensor->dtype.lanes = (uint16_t)(random_below(2) ? 2 : odd_number());
        break;
    case 12:
        tensor->dtype.code = (uint8_t)random_below(20);
        break;
    case 13:
        *(random_below(2) ? &tensor->shape : &tensor->strides) = NULL;
        break;
    case 14:
        tensor->data = NULL;
        break;
    default:
        array->versioned.flags ^= DLPACK_FLAG_BITMASK_READ_ONLY;
        break;
    }
}

static void test_common_arrays_take_the_fast_path(void)
{
    for (int turn = 0; turn < TURNS; turn++) {
        const int i = turn % TYPES;
        foreign array;

        make_fast_array(&array, taken[i].takes);
        if (taken[i].type == &taken_writable_type) {
            array.versioned.flags = 0;
        }
        if (check_import(taken[i].type, &array) != (taken[i].takes != NONE)) {
            printf("%s, %d axes\n", taken[i].type->name, (int)array.versioned.dl_tensor.ndim);
            CHECK(!"taken in one step, where that can be");
        }
    }
}

static void test_the_fast_path_accepts_only_valid_arrays(void)
{
    int made[TYPES] = {0};

    for (int turn = 0; turn < TURNS; turn++) {
        foreign array;

        make_fast_array(&array, turn % GAPLESS_FLOATS);
        for (int faults = random_below(3); faults >= 0; faults--) {
            spoil(&array);
        }
        for (int i = 0; i < TYPES; i++) {
            made[i] += check_import(taken[i].type, &array);
        }
    }
    for (int i = 0; i < TYPES; i++) {
        CHECK(taken[i].takes == NONE ? made[i] == 0 : made[i] > TURNS / 200);
        CHECK(made[i] < TURNS / 2);
    }
}

static void test_every_rank_takes_the_fast_path(void)
{
    int64_t ones[SAMPLE_MOST];

    for (int rank = 0; rank <= SAMPLE_MOST; rank++) {
        foreign array;

        for (int axis = 0; axis < rank; axis++) {
            ones[axis] = 1;
        }
        foreign_array(&array, memory, (DLDataType){kDLFloat, 32, 1}, rank, ones, ones);
        CHECK_EQUAL(check_import(&taken_elements_type, &array), rank <= DLB_MAX_NDIM);
        CHECK_EQUAL(check_import(&taken_bytes_type, &array), rank <= DLB_MAX_NDIM);
        CHECK_EQUAL(check_import(&taken_numbered_type, &array), rank <= DLB_MAX_NDIM);
        CHECK_EQUAL(check_import(&taken_steps_type, &array), rank <= MOST_AXES);
    }
}

/* An object that shows something else than what came: none is made in one step, and whoever looks closely says why. An
 * array of one row hides what the spec forgets. */
static void check_refused(const dlb_type *type, const char *message)
{
    static const int64_t shape[] = {2, 3}, strides[] = {5, 1}, row[] = {1, 3}, steps[] = {3, 1};
    const DLDataType uint8 = {kDLUInt, 8, 1};
    dlb_owner *owner = NULL;
    foreign array;
    sample box;

    foreign_array(&array, memory, uint8, 2, shape, strides);
    CHECK(type->import_fast(&array.versioned.dl_tensor, 0, &box) == NULL);
    CHECK_FAILS(dlb_import(type, &array.versioned, &owner, &error), error, DLB_BUFFER_ERROR, message);
    CHECK_EQUAL(array.deleted, 0);
    foreign_array(&array, memory, uint8, 2, row, steps);
    CHECK(check_import(type, &array));
}

static void test_an_object_that_differs_from_the_array_is_refused(void)
{
    check_refused(&taken_forgets_stride_type,
                  "taken.ForgetsStride: the new object shows strides[0] as 3, not 5: this value was lost");
    check_refused(&taken_forgets_extent_type,
                  "taken.ForgetsExtent: the new object shows shape[0] as 1, not 2: this value was lost");
    check_refused(&taken_other_data_type, "taken.OtherData: the new object shows other memory than the array");
    check_refused(&taken_other_rank_type, "taken.OtherRank: the new object shows 0 axes, not 2");
    check_refused(&taken_other_device_type, "taken.OtherDevice: the new object shows device cuda:0, not cpu:0");
    check_refused(&taken_other_dtype_type, "taken.OtherDtype: the new object shows dtype float32, not uint8: the import must set the dtype of the array");
}

int main(void)
{
    test_common_arrays_take_the_fast_path();
    test_the_fast_path_accepts_only_valid_arrays();
    test_every_rank_takes_the_fast_path();
    test_an_object_that_differs_from_the_array_is_refused();
    return checks_result();
}
