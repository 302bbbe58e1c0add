/* SPDX-License-Identifier: MIT */
/* Compares the fast path with the slow path: both describe an object alike, and plain objects take the fast path. */
#include "chance.h"
#include "check.h"
#include "dlb_emit.h"
#include "sample.h"
#include "shown_dlpack.h"

enum { TURNS = 1500 };

static dlb_error error;
static uint8_t memory[64];

static const struct {
    const dlb_type *type;
    int plain; /* what make_plain() makes is plain for this type */
} shown[] = {
    {&shown_elements_type, 1}, {&shown_bytes_type, 1},    {&shown_reversed_type, 1}, {&shown_compact_type, 1},
    {&shown_columns_type, 1},  {&shown_matrix_type, 1},   {&shown_stepped_type, 1},  {&shown_constant_type, 1},
    {&shown_chosen_type, 1},   {&shown_numbered_type, 1}, {&shown_rows_type, 1},     {&shown_narrow_type, 1},
    {&shown_paired_type, 1},   {&shown_scalar_type, 1},   {&shown_offset_type, 0},   {&shown_packed_type, 0},
    {&shown_pointed_type, 1},  {&shown_tripled_type, 0},  {&shown_laned_type, 0},
};
enum { TYPES = sizeof shown / sizeof shown[0] };

static int is_same(const DLTensor *a, const DLTensor *b)
{
    if (a->data != b->data || a->device.device_type != b->device.device_type ||
        a->device.device_id != b->device.device_id || a->ndim != b->ndim || a->dtype.code != b->dtype.code ||
        a->dtype.bits != b->dtype.bits || a->dtype.lanes != b->dtype.lanes || a->byte_offset != b->byte_offset) {
        return 0;
    }
    for (int32_t axis = 0; axis < a->ndim; axis++) {
        if (a->shape[axis] != b->shape[axis] || a->strides[axis] != b->strides[axis]) {
            return 0;
        }
    }
    return 1;
}

/* Returns whether the array is not empty and all its elements can be addressed: no check is pending. */
static int needs_no_checks(const DLTensor *tensor)
{
    int64_t reach = 0;

    for (int32_t axis = tensor->ndim - 1; axis >= 0; axis--) {
        const int64_t extent = tensor->shape[axis];
        const uint64_t up = (uint64_t)tensor->strides[axis];
        const uint64_t stride = tensor->strides[axis] < 0 ? 0 - up : up;

        if (extent < 1 || (extent > 1 && stride > (uint64_t)((INT64_MAX - reach) / (extent - 1)))) {
            return 0;
        }
        reach += extent > 1 ? (int64_t)stride * (extent - 1) : 0;
    }
    return tensor->data != NULL && tensor->dtype.bits % 8 == 0 && tensor->byte_offset == 0 &&
           reach <= INT64_MAX / dlb_itemsize(tensor->dtype);
}

/* Returns whether the fast path described the object; then the slow path must describe it alike. */
static int check_described(const dlb_type *type, sample *object)
{
    const int capacity = type->ndim >= 0 ? type->ndim : DLB_FAST_NDIM;
    const sample before = *object;
    int64_t axes[2 * DLB_FAST_NDIM + 1];
    DLTensor tensor;
    dlb_view view;
    int flags;

    axes[2 * capacity] = 0x5EED; /* no room beyond */
    flags = type->describe_fast(&tensor, axes, object, dlb_decline);
    CHECK_EQUAL(axes[2 * capacity], 0x5EED);
    CHECK(memcmp(object, &before, sizeof before) == 0);
    if (flags < 0) {
        CHECK_EQUAL(flags, -1);
        return 0;
    }
    memset(&error, 0, sizeof error);
    if (dlb_describe(type, object, &view, &error) != 0) {
        check_that(0, error.message, __FILE__, __LINE__);
        return 1;
    }
    CHECK(is_same(&tensor, view.tensor) && needs_no_checks(&tensor));
    CHECK_EQUAL(flags, view.flags);
    CHECK(flags == 0 || !type->writable);
    CHECK(tensor.ndim > 0 ? tensor.shape == axes && tensor.strides == axes + capacity
                          : tensor.shape == NULL && tensor.strides == NULL);
    return 1;
}

/* Row-major, nonempty, perhaps with gaps: of every type a state against which nothing can be said. */
static sample make_plain(int rank)
{
    const int kind = 1 + random_below(3);
    const int64_t itemsize = kind == SAMPLE_U8 ? 1 : kind == SAMPLE_F32 ? 4 : 8;
    sample made = {.data = memory, .constant = memory, .rank = rank, .kind = kind, .code = 2, .bits = 16};
    int64_t stride = 1 + random_below(2);

    for (int axis = rank - 1; axis >= 0; axis--) {
        made.shape[axis] = 1 + (random_below(3) == 0 ? random_below(6) : 0);
        made.strides[axis] = stride;
        made.steps[axis] = stride * itemsize;
        stride = stride * made.shape[axis] + (random_below(9) == 0);
    }
    made.lanes = 1 + random_below(4);
    made.height = (uint64_t)(1 + random_below(9));
    made.width = 1 + random_below(8);
    made.step = 4 * (1 + random_below(2));
    made.pitch = 8 * (made.width + random_below(3));
    made.place = random_below(3);
    made.device_id = random_below(3);
    made.locked = random_below(2);
    for (int row = 0; row < SAMPLE_ROWS; row++) {
        made.rows[row] = memory + 8 * row;
    }
    return made;
}

/* Another step, at random or by a few bytes. */
static int64_t odd_step(int64_t step)
{
    return random_below(2) ? odd_number() : (int64_t)((uint64_t)step + (uint64_t)random_below(16) - 8);
}

static void spoil(sample *object)
{
    const int axis = random_below(object->rank > 0 && object->rank < SAMPLE_MOST ? (int)object->rank : 3);

    switch (random_below(18)) {
    case 0:
        object->data = NULL;
        object->constant = NULL;
        break;
    case 1:
        object->rank = odd_number();
        break;
    case 2:
    case 3:
        object->shape[axis] = odd_number();
        break;
    case 4:
    case 5:
        object->strides[axis] = odd_number();
        break;
    case 6:
    case 7:
        object->steps[axis] = odd_step(object->steps[axis]);
        break;
    case 8:
        object->height = (uint64_t)odd_number();
        break;
    case 9:
        object->width = (int)odd_number();
        break;
    case 10:
        object->pitch = odd_step(object->pitch);
        break;
    case 11:
        object->step = odd_step(object->step);
        break;
    case 12:
        object->kind = random_below(2) ? SAMPLE_F4 : (int)odd_number();
        break;
    case 13:
        object->place = (int)odd_number();
        break;
    case 14:
        object->device_id = odd_number();
        break;
    case 15:
        object->skip = odd_number();
        break;
    case 16:
        *(random_below(3) == 0 ? &object->code : random_below(2) ? &object->bits : &object->lanes) = odd_number();
        break;
    default:
        object->rows[random_below(SAMPLE_ROWS)] = random_below(2) ? NULL : memory + random_below(40);
        break;
    }
}

static void test_common_objects_take_the_fast_path(void)
{
    for (int turn = 0; turn < TURNS; turn++) {
        sample object = make_plain(turn % (DLB_FAST_NDIM + 1));

        for (int i = 0; i < TYPES; i++) {
            const int described = check_described(shown[i].type, &object);

            if (shown[i].plain && !described) {
                printf("%s, rank %d\n", shown[i].type->name, turn % (DLB_FAST_NDIM + 1));
                CHECK(!"described in one step");
            }
        }
    }
}

/* The slot of an owner holds eight axes: larger ranks take the slow path. */
static void test_ranks_above_the_capacity_take_the_slow_path(void)
{
    for (int rank = DLB_FAST_NDIM + 1; rank <= SAMPLE_MOST; rank++) {
        sample object = make_plain(rank);
        dlb_view view;

        CHECK(!check_described(&shown_elements_type, &object) && !check_described(&shown_compact_type, &object));
        CHECK_EQUAL(dlb_describe(&shown_elements_type, &object, &view, NULL), rank <= DLB_MAX_NDIM ? 0 : -1);
    }
}

/* The fast path declines most spoiled objects; some are still valid. */
static void test_the_fast_path_describes_only_valid_objects(void)
{
    int described[TYPES] = {0};

    for (int turn = 0; turn < TURNS; turn++) {
        sample object = make_plain(random_below(DLB_FAST_NDIM + 3));

        for (int faults = random_below(4); faults >= 0; faults--) {
            spoil(&object);
        }
        for (int i = 0; i < TYPES; i++) {
            described[i] += check_described(shown[i].type, &object);
        }
    }
    for (int i = 0; i < TYPES; i++) {
        const int never = shown[i].type == &shown_offset_type; /* what is to be added needs care */

        CHECK(never ? described[i] == 0 : described[i] > TURNS / 200);
        CHECK(described[i] < TURNS * 99 / 100);
    }
}

int main(void)
{
    test_common_objects_take_the_fast_path();
    test_ranks_above_the_capacity_take_the_slow_path();
    test_the_fast_path_describes_only_valid_objects();
    return checks_result();
}
