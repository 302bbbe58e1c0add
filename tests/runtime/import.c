/* SPDX-License-Identifier: MIT */
/* Tensors of others: what is refused stays with the caller, what is taken goes once and last. */
#include "array.h"
#include "check.h"
#include "foreign.h"
#include "imports_dlpack.h"

#include <stdlib.h>

static dlb_error error;
static const DLDataType float32 = {kDLFloat, 32, 1};
static const int64_t shape[] = {2, 3}, strides[] = {3, 1};

static DLManagedTensorVersioned *good(foreign *self)
{
    static float memory[8] = {0, 1, 2, 3, 4, 5, 6, 7};

    return foreign_array(self, memory, float32, 2, shape, strides);
}

/* The tensor in `source` must be refused in both of its forms; it stays the caller's. */
static void check_refused(foreign *source, const char *message, int line)
{
    dlb_owner *const before = (dlb_owner *)(void *)source; /* an address that no owner has */
    dlb_owner *owner = before;
    const int failed = checks_failed;
    const int freed = arrays_freed;

    CHECK_FAILS(imports_array_from_dlpack(&source->versioned, &owner, &error), error, DLB_BUFFER_ERROR, message);
    CHECK(imports_array_from_dlpack(&source->versioned, &owner, NULL) == -1);
    if (source->versioned.flags == 0) {
        CHECK_FAILS(dlb_import_legacy(&imports_array_type, foreign_legacy(source), &owner, &error), error,
                    DLB_BUFFER_ERROR, message);
        CHECK(dlb_import_legacy(&imports_array_type, &source->legacy, &owner, NULL) == -1);
    }
    CHECK(owner == before); /* a failure leaves its place alone */
    CHECK_EQUAL(source->deleted, 0);
    CHECK_EQUAL(arrays_living, 0);
    CHECK_EQUAL(arrays_freed, freed); /* the library has never seen it */
    if (failed != checks_failed) {
        printf("  (the case in line %d)\n", line);
    }
}

/* `spoil` is what is wrong with `tensor`, a DLTensor that is good otherwise. */
#define REFUSED(spoil, message)                                                                                        \
    do {                                                                                                               \
        foreign source;                                                                                                \
        DLTensor *const tensor = &good(&source)->dl_tensor;                                                            \
        spoil;                                                                                                         \
        check_refused(&source, message, __LINE__);                                                                     \
        (void)tensor;                                                                                                  \
    } while (0)

static void test_hostile_shapes_are_refused(void)
{
    REFUSED(tensor->ndim = -1, "imports.Array: the array declares -1 axes");
    REFUSED(tensor->ndim = INT32_MIN, "imports.Array: the array declares -2147483648 axes");
    REFUSED(tensor->ndim = 65, "imports.Array: the array declares 65 axes");
    REFUSED(tensor->ndim = INT32_MAX, "imports.Array: the array declares 2147483647 axes");
    REFUSED(tensor->shape = NULL, "imports.Array: the shape of the array is NULL");
    REFUSED(source.shape[1] = -1, "imports.Array: shape[1] is -1: an extent is not negative");
    REFUSED(source.shape[0] = INT64_MIN, "imports.Array: shape[0] is -9223372036854775808: an extent is not negative");
    REFUSED(source.shape[0] = INT64_MAX,
            "imports.Array: the extents up to shape[1] (3) multiply to more than 2^63 - 1");
    REFUSED((source.shape[0] = INT64_MAX / 3 + 1, source.shape[1] = 3),
            "imports.Array: the extents up to shape[1] (3) multiply to more than 2^63 - 1");
    REFUSED((source.shape[0] = INT64_C(1) << 58, source.shape[1] = 1),
            "imports.Array: 288230376151711744 elements of 32 bits are more than memory can hold");
    REFUSED((source.shape[0] = 0, source.shape[1] = INT64_MAX),
            "imports.Array: 9223372036854775807 elements of 32 bits are more than memory can hold");
    REFUSED((source.shape[0] = -1, source.shape[1] = 0), "imports.Array: shape[0] is -1: an extent is not negative");
    REFUSED((source.shape[0] = 0, source.shape[1] = -1), "imports.Array: shape[1] is -1: an extent is not negative");
}

static void test_hostile_memory_is_refused(void)
{
    REFUSED(tensor->data = NULL, "imports.Array: the data of the array is NULL, but it has 6 elements");
    REFUSED((tensor->data = NULL, tensor->byte_offset = 64),
            "imports.Array: the data of the array is NULL, but it has 6 elements");
    REFUSED(tensor->byte_offset = UINT64_MAX,
            "imports.Array: byte_offset is 18446744073709551615: it leads beyond the address space");
    REFUSED(source.strides[0] = INT64_MAX - 3, "imports.Array: the strides lead beyond the address space");
    REFUSED(source.strides[0] = INT64_MAX,
            "imports.Array: strides[0] is 9223372036854775807: with shape[0] of 2 it leads beyond the address space");
    REFUSED(source.strides[0] = INT64_MIN, "imports.Array: the strides lead beyond the address space");
    REFUSED(source.strides[1] = INT64_MAX,
            "imports.Array: strides[1] is 9223372036854775807: with shape[1] of 3 it leads beyond the address "
            "space");
    REFUSED(source.strides[1] = INT64_MIN,
            "imports.Array: strides[1] is -9223372036854775808: with shape[1] of 3 it leads beyond the address "
            "space");
}

#define NOT_OURS ", not uint8, float32, float64 or float4_e2m1fn"

static void test_hostile_dtypes_are_refused(void)
{
    REFUSED(tensor->dtype.lanes = 0, "imports.Array: the dtype is dtype(2, 32, 0)" NOT_OURS);
    REFUSED(tensor->dtype.lanes = 2, "imports.Array: the dtype is dtype(2, 32, 2)" NOT_OURS);
    REFUSED(tensor->dtype.lanes = 4, "imports.Array: the dtype is dtype(2, 32, 4)" NOT_OURS);
    REFUSED((tensor->dtype.bits = 16, tensor->dtype.lanes = 2), /* as wide as the right one */
            "imports.Array: the dtype is dtype(2, 16, 2)" NOT_OURS);
    REFUSED(tensor->dtype.bits = 0, "imports.Array: the dtype is dtype(2, 0, 1)" NOT_OURS);
    REFUSED(tensor->dtype.bits = 33, "imports.Array: the dtype is dtype(2, 33, 1)" NOT_OURS);
    REFUSED(tensor->dtype.code = kDLInt, "imports.Array: the dtype is int32" NOT_OURS);
    REFUSED(tensor->dtype = ((DLDataType){255, 255, 65535}),
            "imports.Array: the dtype is dtype(255, 255, 65535)" NOT_OURS);
}

static void test_foreign_devices_are_refused(void)
{
    foreign source;
    dlb_owner *owner;

    REFUSED(tensor->device.device_type = kDLCUDA, "imports.Array: the data is on cuda, not cpu");
    REFUSED(tensor->device.device_type = (DLDeviceType)99, "imports.Array: the data is on device 99, not cpu");
    REFUSED(tensor->device.device_type = (DLDeviceType)0, "imports.Array: the data is on device 0, not cpu");
    good(&source)->dl_tensor.device.device_type = kDLCUDAHost; /* the CPU reads it like its own */
    CHECK(imports_array_from_dlpack(&source.versioned, &owner, &error) == 0);
    dlb_owner_drop(owner);
}

/* Nothing but the version may be read: nothing else is there. */
static void test_only_the_version_of_another_major_version_is_read(void)
{
    DLPackVersion *const version = malloc(sizeof *version);
    dlb_owner *owner = NULL;

    *version = (DLPackVersion){2, 7};
    CHECK_FAILS(imports_array_from_dlpack((DLManagedTensorVersioned *)(void *)version, &owner, &error), error,
                DLB_BUFFER_ERROR, "imports.Array: the array is in DLPack version 2.7, not 1.x");
    *version = (DLPackVersion){0, 8};
    CHECK_FAILS(imports_array_from_dlpack((DLManagedTensorVersioned *)(void *)version, &owner, &error), error,
                DLB_BUFFER_ERROR, "imports.Array: the array is in DLPack version 0.8, not 1.x");
    *version = (DLPackVersion){UINT32_MAX, 0};
    CHECK(imports_array_from_dlpack((DLManagedTensorVersioned *)(void *)version, &owner, NULL) == -1);
    CHECK(owner == NULL);
    free(version);
}

static void test_later_minor_versions_and_flags_are_taken(void)
{
    foreign source;
    dlb_owner *owner;

    good(&source)->version.minor = 99;
    source.versioned.flags = UINT64_C(1) << 40;
    CHECK(imports_array_from_dlpack(&source.versioned, &owner, &error) == 0);
    dlb_owner_drop(owner);
    CHECK_EQUAL(source.deleted, 1);
}

static void test_null_and_types_without_import_are_refused(void)
{
    foreign source;
    dlb_owner *owner = NULL;

    CHECK_FAILS(imports_array_from_dlpack(NULL, &owner, &error), error, DLB_VALUE_ERROR,
                "imports.Array: the managed tensor is NULL");
    CHECK_FAILS(dlb_import_legacy(&imports_array_type, NULL, &owner, &error), error, DLB_VALUE_ERROR,
                "imports.Array: the managed tensor is NULL");
    CHECK_FAILS(dlb_import(&imports_exported_type, good(&source), &owner, &error), error, DLB_TYPE_ERROR,
                "imports.Exported: it cannot be made from an array");
    CHECK_FAILS(dlb_import_legacy(&imports_exported_type, foreign_legacy(&source), &owner, &error), error,
                DLB_TYPE_ERROR, "imports.Exported: it cannot be made from an array");
    CHECK_FAILS(dlb_allocate(&imports_exported_type, &source.versioned.dl_tensor, &owner, &error), error,
                DLB_TYPE_ERROR, "imports.Exported: new arrays cannot be allocated");
    CHECK(owner == NULL);
    CHECK_EQUAL(source.deleted, 0);
}

static void test_the_object_is_freed_before_the_tensor(void)
{
    DLManagedTensorVersioned *first, *second;
    foreign source;
    dlb_owner *owner;

    for (int legacy = 0; legacy < 2; legacy++) {
        arrays_freed = 0;
        good(&source);
        CHECK((legacy ? dlb_import_legacy(&imports_array_type, foreign_legacy(&source), &owner, &error)
                      : imports_array_from_dlpack(&source.versioned, &owner, &error)) == 0);
        CHECK_EQUAL(arrays_living, 1);
        CHECK(((array *)dlb_owner_object(owner))->data == source.versioned.dl_tensor.data);
        CHECK(dlb_export(owner, &first, &error) == 0);
        CHECK(dlb_export(owner, &second, &error) == 0);
        dlb_owner_drop(owner);
        first->deleter(first);
        CHECK_EQUAL(arrays_freed, 0);
        CHECK_EQUAL(source.deleted, 0);
        CHECK(((float *)second->dl_tensor.data)[5] == 5.0F);
        second->deleter(second);
        CHECK_EQUAL(arrays_freed, 1);
        CHECK_EQUAL(source.deleted, 1);
        CHECK_EQUAL(source.living_at_deletion, 0);
    }
}

static void test_a_tensor_without_a_deleter_is_imported(void)
{
    foreign source;
    dlb_owner *owner;

    good(&source)->deleter = NULL;
    CHECK(imports_array_from_dlpack(&source.versioned, &owner, &error) == 0);
    dlb_owner_drop(owner);
    good(&source)->deleter = NULL;
    CHECK(dlb_import_legacy(&imports_array_type, foreign_legacy(&source), &owner, &error) == 0);
    dlb_owner_drop(owner);
    CHECK_EQUAL(source.deleted, 0);
    CHECK_EQUAL(arrays_living, 0);
}

static void test_the_library_gets_strides_and_an_address_without_offset(void)
{
    static const int64_t wide[] = {8, 2};
    foreign source;
    dlb_owner *owner;
    array *object;

    /* Strides may be NULL before DLPack 1.2; the offset goes into the data. */
    good(&source)->dl_tensor.strides = NULL;
    source.versioned.dl_tensor.byte_offset = 8;
    CHECK(imports_array_from_dlpack(&source.versioned, &owner, &error) == 0);
    object = dlb_owner_object(owner);
    CHECK(((float *)object->data)[0] == 2.0F);
    CHECK(object->rank == 2 && object->shape[0] == 2 && object->shape[1] == 3);
    CHECK(object->strides[0] == 3 && object->strides[1] == 1);
    dlb_owner_drop(owner);

    good(&source);
    memcpy(source.strides, wide, sizeof wide);
    CHECK(imports_array_from_dlpack(&source.versioned, &owner, &error) == 0);
    object = dlb_owner_object(owner);
    CHECK(object->strides[0] == 8 && object->strides[1] == 2 && object->kind == KIND_F32);
    memset(source.shape, 0xEE, sizeof source.shape); /* what was read once is not read again */
    CHECK_EQUAL(object->shape[1], 3);
    dlb_owner_drop(owner);

    /* A number needs neither shape nor strides. */
    good(&source)->dl_tensor.ndim = 0;
    source.versioned.dl_tensor.shape = NULL;
    source.versioned.dl_tensor.strides = NULL;
    CHECK(imports_array_from_dlpack(&source.versioned, &owner, &error) == 0);
    CHECK_EQUAL(((array *)dlb_owner_object(owner))->rank, 0);
    dlb_owner_drop(owner);
    CHECK_EQUAL(arrays_living, 0);
}

static void test_read_only_arrays_stay_read_only(void)
{
    DLManagedTensorVersioned *managed;
    DLManagedTensor *legacy = NULL;
    foreign source;
    dlb_owner *owner = NULL;
    dlb_view view;

    good(&source)->flags = DLPACK_FLAG_BITMASK_READ_ONLY;
    CHECK_FAILS(imports_writable_from_dlpack(&source.versioned, &owner, &error), error, DLB_BUFFER_ERROR,
                "imports.Writable: the array is read-only, and must be writable");
    CHECK(owner == NULL);
    CHECK_EQUAL(source.deleted, 0);
    CHECK(imports_array_from_dlpack(&source.versioned, &owner, &error) == 0);
    CHECK(dlb_export(owner, &managed, &error) == 0);
    CHECK_EQUAL(managed->flags, DLPACK_FLAG_BITMASK_READ_ONLY);
    managed->deleter(managed);
    CHECK(dlb_owner_view(owner, &view, &error) == 0);
    CHECK_EQUAL(view.flags, DLPACK_FLAG_BITMASK_READ_ONLY);
    CHECK_FAILS(dlb_export_legacy(owner, &legacy, &error), error, DLB_BUFFER_ERROR,
                "imports.Array: read-only data needs a versioned capsule: pass max_version=(1, 0) or later");
    CHECK(legacy == NULL);
    CHECK(dlb_export_copy(owner, &managed, &error) == 0);
    CHECK_EQUAL(managed->flags, DLPACK_FLAG_BITMASK_IS_COPIED);
    managed->deleter(managed);
    dlb_owner_drop(owner);
    CHECK_EQUAL(source.deleted, 1);

    good(&source)->flags = DLPACK_FLAG_BITMASK_IS_COPIED; /* says nothing about what we export */
    CHECK(imports_writable_from_dlpack(&source.versioned, &owner, &error) == 0);
    CHECK(dlb_export(owner, &managed, &error) == 0);
    CHECK_EQUAL(managed->flags, 0);
    managed->deleter(managed);
    dlb_owner_drop(owner);
}

static void test_a_refusal_of_the_library_is_reported(void)
{
    foreign source;
    dlb_owner *owner = NULL;

    good(&source);
    CHECK_FAILS(imports_failing_from_dlpack(&source.versioned, &owner, &error), error, DLB_RUNTIME_ERROR,
                "imports.Failing: failing_wrap(data) failed: out of luck");
    CHECK(imports_failing_from_dlpack(&source.versioned, &owner, NULL) == -1);
    source.shape[0] = 1;
    CHECK_FAILS(imports_failing_from_dlpack(&source.versioned, &owner, &error), error, DLB_BUFFER_ERROR,
                "imports.Failing: a single row is no array");
    CHECK(owner == NULL);
    CHECK_EQUAL(source.deleted, 0);
}

static void test_the_allocator_makes_an_object_of_the_wanted_shape(void)
{
    foreign source;
    DLTensor *const wanted = &good(&source)->dl_tensor;
    dlb_owner *owner = NULL;
    array *object;

    wanted->data = NULL;
    CHECK(dlb_allocate(&imports_array_type, wanted, &owner, &error) == 0);
    object = dlb_owner_object(owner);
    CHECK(object->rank == 2 && object->shape[1] == 3 && object->kind == KIND_F32 && object->data != NULL);
    dlb_owner_drop(owner);
    owner = NULL;
    source.shape[0] = -1;
    CHECK_FAILS(dlb_allocate(&imports_array_type, wanted, &owner, &error), error, DLB_VALUE_ERROR,
                "imports.Array: shape[0] is -1: an extent is not negative");
    wanted->ndim = 65;
    CHECK_FAILS(dlb_allocate(&imports_array_type, wanted, &owner, &error), error, DLB_VALUE_ERROR,
                "imports.Array: an array cannot have 65 axes");
    wanted->ndim = 2;
    wanted->shape = NULL;
    CHECK_FAILS(dlb_allocate(&imports_array_type, wanted, &owner, &error), error, DLB_VALUE_ERROR,
                "imports.Array: the shape of the array is NULL");
    wanted->shape = source.shape;
    source.shape[0] = 2;
    wanted->dtype.lanes = 2;
    CHECK(dlb_allocate(&imports_array_type, wanted, &owner, NULL) == -1);
    CHECK(owner == NULL);
    CHECK_EQUAL(arrays_living, 0);
}

int main(void)
{
    foreign_living = &arrays_living;
    test_hostile_shapes_are_refused();
    test_hostile_memory_is_refused();
    test_hostile_dtypes_are_refused();
    test_foreign_devices_are_refused();
    test_only_the_version_of_another_major_version_is_read();
    test_later_minor_versions_and_flags_are_taken();
    test_null_and_types_without_import_are_refused();
    test_the_object_is_freed_before_the_tensor();
    test_a_tensor_without_a_deleter_is_imported();
    test_the_library_gets_strides_and_an_address_without_offset();
    test_read_only_arrays_stay_read_only();
    test_a_refusal_of_the_library_is_reported();
    test_the_allocator_makes_an_object_of_the_wanted_shape();
    CHECK_EQUAL(arrays_living, 0);
    return checks_result();
}
