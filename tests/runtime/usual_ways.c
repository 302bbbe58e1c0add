/* SPDX-License-Identifier: MIT */
/* All that exports and imports does the usual in one step, and looks closely, once, at what cannot be done so. */
#include "check.h"
#include "dlb_describe.h"
#include "foreign.h"
#include "mallocs.h"
#include "sample.h"
#include "ways_dlpack.h"

static dlb_error error;
static float memory[64];
static const DLDataType float32 = {kDLFloat, 32, 1};
static const int64_t shape[] = {2, 3}, strides[] = {4, 1};

/* ---- Types that count ---- */

static int in_one_step, with_care, imported, released;

void sample_release(sample *self)
{
    (void)self;
    released++;
}

static void delete_single(DLManagedTensorVersioned *managed)
{
    sample_release(dlb_end_single(managed));
}

static int describe_usual(void *object, DLTensor *tensor, int64_t *axes)
{
    in_one_step++;
    return ways_kept_type.describe_usual(object, tensor, axes);
}

static int describe(void *object, dlb_view *view, dlb_error *why)
{
    *(dlb_is_trial(view) ? &in_one_step : &with_care) += 1;
    return ways_kept_type.describe(object, view, why);
}

static void *import_kept(const DLTensor *array, int readonly, void *box)
{
    imported++;
    return ways_kept_type.import_usual(array, readonly, box);
}

static void *import_moved(const DLTensor *array, int readonly, void *box)
{
    imported++;
    return ways_moved_type.import_usual(array, readonly, box);
}

/* Of the two types, which describe alike. */
static dlb_type counting(const dlb_type *type)
{
    dlb_type made = *type;

    made.describe_usual = describe_usual;
    made.describe = describe;
    made.import_usual = type == &ways_kept_type ? import_kept : import_moved;
    return made;
}

/* How often `call`, which must give `result`, described in one step, and how often with care. */
#define CHECK_STEPS(call, result, usual, careful)                                                                      \
    do {                                                                                                               \
        in_one_step = with_care = imported = 0;                                                                        \
        CHECK_EQUAL(call, result);                                                                                     \
        CHECK_EQUAL(in_one_step, usual);                                                                               \
        CHECK_EQUAL(with_care, careful);                                                                               \
    } while (0)

/* ---- Ways to export ---- */

enum { VERSIONED, LEGACY, BORROWED, MOVED, MOVED_ALONE, MOVED_LEGACY, WAYS };

/* How often one step is tried on what declines it: alone, then with an owner. */
static int tries(int way)
{
    return way == MOVED_ALONE ? 2 : 1;
}

static sample make_sample(void)
{
    return (sample){.data = memory, .rank = 2, .shape = {2, 3}, .strides = {4, 1}, .kind = SAMPLE_F32};
}

static int shows(const DLTensor *tensor, const sample *object)
{
    int same = tensor->data == object->data && tensor->ndim == object->rank && tensor->dtype.bits == 32 &&
               tensor->device.device_type == kDLCPU && tensor->byte_offset == 0;

    for (int axis = 0; same && axis < tensor->ndim; axis++) {
        same = tensor->shape[axis] == object->shape[axis] && tensor->strides[axis] == object->strides[axis];
    }
    return same;
}

/* Exports the object in one of the ways, and ends that at once; 0 if it succeeded. */
static int try(int way, dlb_owner *owner, const dlb_type *type, sample *object)
{
    DLManagedTensorVersioned *versioned = NULL;
    DLManagedTensor *legacy = NULL;
    DLTensor borrowed;
    int result;

    switch (way) {
    case VERSIONED:
        result = dlb_export(owner, &versioned, &error);
        break;
    case LEGACY:
        result = dlb_export_legacy(owner, &legacy, &error);
        break;
    case BORROWED:
        result = dlb_borrow(owner, &borrowed, &error);
        CHECK(result != 0 || shows(&borrowed, object));
        return result;
    case MOVED:
        result = dlb_to_dlpack(type, object, &versioned, &error);
        break;
    case MOVED_ALONE:
        result = dlb_to_dlpack_usual(type, describe, type->ndim, type->retain,
                                     type->release != NULL ? delete_single : dlb_delete_single, object, &versioned, &error);
        break;
    default:
        result = dlb_to_dlpack_legacy(type, object, &legacy, &error);
        break;
    }
    CHECK((versioned != NULL) + (legacy != NULL) == (result == 0));
    if (versioned != NULL) {
        CHECK(shows(&versioned->dl_tensor, object));
        CHECK_EQUAL(versioned->flags, object->locked ? DLPACK_FLAG_BITMASK_READ_ONLY : 0);
        versioned->deleter(versioned);
    }
    if (legacy != NULL) {
        CHECK(shows(&legacy->dl_tensor, object));
        legacy->deleter(legacy);
    }
    return result;
}

/* Nothing lives, and the next export finds the owner's own managed tensor free. */
static void check_left_alone(dlb_owner *owner, sample *object)
{
    const sample spoilt = *object;

    CHECK_EQUAL(dlb_owner_exports(owner), 0);
    *object = make_sample();
    mallocs = 0;
    CHECK_STEPS(try(VERSIONED, owner, NULL, object), 0, 1, 0);
    CHECK_STEPS(try(LEGACY, owner, NULL, object), 0, 1, 0);
    CHECK_EQUAL(mallocs, 0);
    CHECK_EQUAL(dlb_owner_exports(owner), 0);
    *object = spoilt;
}

static void test_each_export_describes_in_one_step(void)
{
    const dlb_type type = counting(&ways_kept_type);
    sample object = make_sample();
    dlb_owner *owner;

    CHECK(dlb_own(&type, &object, &owner, &error) == 0);
    for (int turn = 0; turn < 2; turn++) {
        for (int way = 0; way < WAYS; way++) {
            CHECK_STEPS(try(way, owner, &type, &object), 0, 1, 0);
        }
    }
    dlb_owner_drop(owner);
}

/* While another export lives in the owner, the next get blocks of their own. */
static void test_exports_beside_another(void)
{
    const dlb_type type = counting(&ways_kept_type);
    const sample before = make_sample();
    sample object = before;
    DLManagedTensorVersioned *first;
    dlb_owner *owner;

    CHECK(dlb_own(&type, &object, &owner, &error) == 0);
    CHECK(dlb_export(owner, &first, &error) == 0);
    object.shape[0] = 1;
    CHECK_STEPS(try(VERSIONED, owner, &type, &object), 0, 1, 0);
    CHECK_STEPS(try(LEGACY, owner, &type, &object), 0, 1, 0);
    CHECK_STEPS(try(BORROWED, owner, &type, &object), 0, 1, 0);
    object.strides[1] = -1;
    CHECK_STEPS(try(VERSIONED, owner, &type, &object), 0, 1, 1);
    CHECK_STEPS(try(LEGACY, owner, &type, &object), 0, 1, 1);
    CHECK_STEPS(try(BORROWED, owner, &type, &object), 0, 1, 1);
    CHECK_EQUAL(dlb_owner_exports(owner), 1);
    CHECK(shows(&first->dl_tensor, &before));
    first->deleter(first);
    check_left_alone(owner, &object);
    dlb_owner_drop(owner);
}

/* What is fine but not plain: steps backwards, none at all, no elements. */
static void test_what_is_declined_is_looked_at_closely(void)
{
    const dlb_type type = counting(&ways_kept_type);
    sample object = make_sample();
    dlb_owner *owner;

    CHECK(dlb_own(&type, &object, &owner, &error) == 0);
    for (int way = 0; way < WAYS; way++) {
        object = make_sample();
        object.data = memory + 32;
        object.strides[0] = -4;
        CHECK_STEPS(try(way, owner, &type, &object), 0, tries(way), 1);
        object.strides[0] = 0;
        CHECK_STEPS(try(way, owner, &type, &object), 0, tries(way), 1);
        object = (sample){.rank = 1, .strides = {1}, .kind = SAMPLE_F32};
        CHECK_STEPS(try(way, owner, &type, &object), 0, tries(way), 1);
        check_left_alone(owner, &object);
        object = make_sample();
        object.rank = 9;
        for (int axis = 0; axis < 9; axis++) {
            object.shape[axis] = object.strides[axis] = 1;
        }
        CHECK_STEPS(try(way, owner, &type, &object), way == BORROWED ? -1 : 0, tries(way), 1);
        CHECK(way != BORROWED ||
              strcmp(error.message, "ways.Kept: a borrowed view has room for 8 axes, not for 9") == 0);
        check_left_alone(owner, &object);
    }
    dlb_owner_drop(owner);
}

static void check_refused(const sample *refused, const char *message)
{
    const dlb_type type = counting(&ways_moved_type);
    sample object = *refused;
    dlb_owner *owner;

    CHECK(dlb_own(&type, &object, &owner, &error) == 0);
    released = 0;
    for (int way = 0; way < WAYS; way++) {
        CHECK_STEPS(try(way, owner, &type, &object), -1, tries(way), 1);
        CHECK_EQUAL(error.status, DLB_BUFFER_ERROR);
        CHECK(strcmp(error.message, message) == 0);
        check_left_alone(owner, &object);
        CHECK_EQUAL(released, 0); /* what could not be exported is still the caller's */
    }
    dlb_owner_drop(owner);
    CHECK_EQUAL(released, 1);
}

static void test_what_cannot_be_exported(void)
{
    sample object = make_sample();

    object.data = NULL;
    check_refused(&object, "ways.Moved: data is NULL, but the shape has 6 elements");
    object = make_sample();
    object.shape[1] = -3;
    check_refused(&object, "ways.Moved: shape[1] (self->shape[axis]) is -3: an extent is 0 to 2^63 - 1");
    object = make_sample();
    object.kind = 77;
    check_refused(&object, "ways.Moved: dtype (self->kind) is 77: the spec maps no such value");
    object = make_sample();
    object.rank = 65;
    check_refused(&object, "ways.Moved: ndim (self->rank) is 65: a rank is 0 to 64");
}

static void test_objects_go_with_their_only_export(void)
{
    const dlb_type type = counting(&ways_moved_type);
    sample object = make_sample();

    for (int way = MOVED; way <= MOVED_LEGACY; way++) {
        released = 0;
        CHECK_STEPS(try(way, NULL, &type, &object), 0, 1, 0);
        CHECK_EQUAL(released, 1);
    }
}

static void test_an_only_export_is_one_block(void)
{
    sample object = make_sample();
    DLManagedTensorVersioned *managed = NULL;
    const int before = blocks;

    mallocs = 0;
    CHECK(ways_kept_to_dlpack(&object, &managed, &error) == 0);
    CHECK_EQUAL(mallocs, 1);
    CHECK(shows(&managed->dl_tensor, &object));
    managed->deleter(managed);
    CHECK_FAILS(ways_kept_to_dlpack(NULL, &managed, &error), error, DLB_VALUE_ERROR, "ways.Kept: the object is NULL");
    object.kind = 77;
    CHECK_FAILS(ways_kept_to_dlpack(&object, &managed, &error), error, DLB_BUFFER_ERROR,
                "ways.Kept: dtype (self->kind) is 77: the spec maps no such value");
    CHECK_EQUAL(blocks, before);
}

/* ---- Read-only data ---- */

static void check_readonly(dlb_owner *owner, const dlb_type *type, sample *object)
{
    static const char legacy[] =
        "ways.Kept: read-only data needs a versioned capsule: ask with max_version=(1, 0) or later";
    static const char borrowed[] = "ways.Kept: the data is read-only, which a borrowed view cannot say";
    DLManagedTensorVersioned *versioned;

    CHECK_STEPS(dlb_export(owner, &versioned, &error), 0, 1, 0);
    CHECK_EQUAL(versioned->flags, DLPACK_FLAG_BITMASK_READ_ONLY);
    versioned->deleter(versioned);
    CHECK_FAILS(try(LEGACY, owner, type, object), error, DLB_BUFFER_ERROR, legacy);
    CHECK_FAILS(try(BORROWED, owner, type, object), error, DLB_BUFFER_ERROR, borrowed);
    if (object->locked) {
        CHECK_FAILS(try(MOVED_LEGACY, owner, type, object), error, DLB_BUFFER_ERROR, legacy);
    }
    CHECK_EQUAL(dlb_owner_exports(owner), 0);
    CHECK(dlb_export(owner, &versioned, &error) == 0);
    CHECK(versioned->deleter != NULL && dlb_owner_exports(owner) == 1);
    versioned->deleter(versioned);
}

static void test_readonly_data(void)
{
    const dlb_type type = counting(&ways_kept_type);
    sample object = make_sample();
    dlb_owner *owner;
    foreign array;

    object.locked = 1;
    CHECK(dlb_own(&type, &object, &owner, &error) == 0);
    check_readonly(owner, &type, &object);
    check_left_alone(owner, &object);
    dlb_owner_drop(owner);

    foreign_array(&array, memory, float32, 2, shape, strides)->flags = DLPACK_FLAG_BITMASK_READ_ONLY;
    CHECK(dlb_import(&type, &array.versioned, &owner, &error) == 0);
    check_readonly(owner, &type, dlb_owner_object(owner)); /* also where the struct says nothing of it */
    dlb_owner_drop(owner);
    CHECK_EQUAL(array.deleted, 1);
}

/* ---- Imports ---- */

static void test_each_import_takes_one_step(void)
{
    const dlb_type types[] = {counting(&ways_kept_type), counting(&ways_moved_type)};
    sample expected = make_sample();

    released = 0;
    for (int i = 0; i < 4; i++) {
        const dlb_type *const type = &types[i / 2];
        dlb_owner *owner;
        foreign array;

        foreign_array(&array, memory, float32, 2, shape, strides);
        CHECK_STEPS(i % 2 ? dlb_import(type, &array.versioned, &owner, &error)
                          : dlb_import_legacy(type, foreign_legacy(&array), &owner, &error), 0, 0, 0);
        CHECK_EQUAL(imported, 1);
        CHECK_STEPS(try(VERSIONED, owner, type, &expected), 0, 1, 0);
        CHECK_EQUAL(array.deleted, 0);
        dlb_owner_drop(owner);
        CHECK_EQUAL(array.deleted, 1);
    }
    CHECK_EQUAL(released, 0); /* the struct was never the library's */
    CHECK_EQUAL(blocks, 0);
}

static void test_unusual_arrays_are_looked_at_closely(void)
{
    const dlb_type type = counting(&ways_kept_type), moved = counting(&ways_moved_type);
    dlb_owner *owner;
    foreign array;

    foreign_array(&array, memory, float32, 2, shape, strides)->dl_tensor.byte_offset = 4;
    CHECK_STEPS(dlb_import(&type, &array.versioned, &owner, &error), 0, 0, 1);
    CHECK_EQUAL(imported, 1);
    CHECK(((sample *)dlb_owner_object(owner))->data == memory + 1);
    dlb_owner_drop(owner);
    CHECK_EQUAL(array.deleted, 1);

    foreign_array(&array, NULL, float32, 2, shape, strides);
    CHECK_FAILS(dlb_import(&type, &array.versioned, &owner, &error), error, DLB_BUFFER_ERROR,
                "ways.Kept: the data of the array is NULL, but it has 6 elements");
    foreign_array(&array, memory, float32, 2, shape, strides)->flags = DLPACK_FLAG_BITMASK_READ_ONLY;
    imported = 0;
    CHECK_FAILS(dlb_import(&moved, &array.versioned, &owner, &error), error, DLB_BUFFER_ERROR,
                "ways.Moved: the array is read-only, and must be writable");
    CHECK_EQUAL(imported, 0); /* that function is not told what must be writable */
    CHECK_EQUAL(array.deleted, 0);
    CHECK_EQUAL(blocks, 0);
}

static void test_imports_without_memory(void)
{
    const dlb_type type = counting(&ways_kept_type);
    dlb_owner *owner = NULL;
    foreign array;

    foreign_array(&array, memory, float32, 2, shape, strides);
    mallocs_to_fail = 0;
    mallocs_fail_for_ever = true;
    CHECK_FAILS(dlb_import(&type, &array.versioned, &owner, &error), error, DLB_MEMORY_ERROR,
                "ways.Kept: no memory for its owner");
    mallocs_to_fail = -1;
    CHECK(owner == NULL);
    CHECK_EQUAL(array.deleted, 0);
    CHECK_EQUAL(blocks, 0);
}

int main(void)
{
    test_each_export_describes_in_one_step();
    test_exports_beside_another();
    test_what_is_declined_is_looked_at_closely();
    test_what_cannot_be_exported();
    test_objects_go_with_their_only_export();
    test_an_only_export_is_one_block();
    test_readonly_data();
    test_each_import_takes_one_step();
    test_unusual_arrays_are_looked_at_closely();
    test_imports_without_memory();
    CHECK_EQUAL(blocks, 0);
    return checks_result();
}
