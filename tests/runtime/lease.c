/* SPDX-License-Identifier: MIT */
/* Imports that copy, and that lend their memory to the library. */
#include "blob.h"
#include "check.h"

static dlb_error error;

static const DLDeviceType pinned = kDLCUDAHost;
static const dlb_requirements
    picky_requirements = {REQUIRE, .layout = DLB_WRITABLE | DLB_COMPACT, .alignment = 64},
    copy_requirements = {REQUIRE, .layout = DLB_WRITABLE | DLB_COMPACT, .alignment = 64, .copy = DLB_COPY_ALLOWED},
    fortran_requirements = {REQUIRE, .layout = DLB_COMPACT, .order = DLB_ORDER_F, .copy = DLB_COPY_ALLOWED},
    always_requirements = {REQUIRE, .copy = DLB_COPY_ALWAYS},
    pinned_requirements = {.min_ndim = 2, .max_ndim = 2, .dtypes = &uint16, .dtype_count = 1, .devices = &pinned,
                           .device_count = 1, .layout = DLB_COMPACT, .copy = DLB_COPY_ALLOWED};
static const dlb_factory lease_factory = {FACTORY, .require = &blob_requirements, .lease = 1},
                         picky_factory = {FACTORY, .require = &picky_requirements},
                         copy_factory = {FACTORY, .require = &copy_requirements},
                         fortran_factory = {FACTORY, .require = &fortran_requirements},
                         always_factory = {FACTORY, .require = &always_requirements},
                         pinned_factory = {.make = blob_make, .require = &pinned_requirements},
                         copied_lease_factory = {FACTORY, .require = &always_requirements, .lease = 1};

static const dlb_type lease_type = TYPE(lease_factory), picky_type = TYPE(picky_factory), copy_type = TYPE(copy_factory),
                      fortran_type = TYPE(fortran_factory), always_type = TYPE(always_factory),
                      pinned_type = TYPE(pinned_factory), copied_lease_type = TYPE(copied_lease_factory);

/* ---- Copies ---- */

static void check_copied(const dlb_type *type, DLManagedTensorVersioned *tensor, foreign *source, int64_t pitch,
                         int64_t step)
{
    const int64_t from[2] = {source->strides[0], source->strides[1]};
    DLManagedTensorVersioned *managed;
    dlb_owner *owner;
    blob *object;

    memset(&error, 0, sizeof error);
    if (dlb_import(type, tensor, &owner, &error) != 0) {
        printf("%s\n", error.message);
        CHECK(!"imported");
        return;
    }
    CHECK_EQUAL(source->deleted, 1); /* at once */
    CHECK_EQUAL(readonly_seen, 0);
    object = dlb_owner_object(owner);
    CHECK_EQUAL((uintptr_t)object->data % 64, 0);
    CHECK(object->pitch == pitch && object->step == step);
    for (int64_t y = 0; y < 3; y++) {
        for (int64_t x = 0; x < 4; x++) {
            CHECK_EQUAL(object->data[y * pitch + x * step], memory[y * from[0] + x * from[1]]);
        }
    }
    CHECK(dlb_export(owner, &managed, &error) == 0);
    CHECK_EQUAL(managed->flags, 0); /* what we copied is ours */
    dlb_owner_drop(owner);
    ((uint16_t *)managed->dl_tensor.data)[0] = 0;
    managed->deleter(managed);
    CHECK_EQUAL(source->deleted, 1);
    CHECK_EQUAL(blobs_living, 0);
}

static void test_an_import_copies_where_the_layout_is_not_accepted(void)
{
    dlb_owner *owner = NULL;
    foreign source;

    arrive(&source);
    CHECK(dlb_import(&picky_type, &source.versioned, &owner, NULL) == -1);
    check_copied(&copy_type, arrive(&source), &source, 4, 1);
    check_copied(&always_type, arrive(&source), &source, 4, 1);
    check_copied(&fortran_type, arrive(&source), &source, 1, 3);
    arrive(&source)->flags = DLPACK_FLAG_BITMASK_READ_ONLY;
    check_copied(&copy_type, &source.versioned, &source, 4, 1);
    arrive(&source)->dl_tensor.strides[0] = -8;
    source.versioned.dl_tensor.byte_offset = 32;
    CHECK(dlb_import(&copy_type, &source.versioned, &owner, &error) == 0);
    CHECK_EQUAL(((blob *)dlb_owner_object(owner))->data[4], memory[8]);
    dlb_owner_drop(owner);

    /* What is fine is shared, aligned and all. */
    arrive(&source)->dl_tensor.data = (void *)(((uintptr_t)memory + 63) / 64 * 64);
    source.strides[0] = 4;
    source.strides[1] = 1;
    CHECK(dlb_import(&copy_type, &source.versioned, &owner, &error) == 0);
    CHECK(((blob *)dlb_owner_object(owner))->data == source.versioned.dl_tensor.data);
    CHECK_EQUAL(source.deleted, 0);
    dlb_owner_drop(owner);
    CHECK_EQUAL(source.deleted, 1);

    /* Extents of nothing: no memory, and no reason to refuse. */
    arrive(&source)->flags = DLPACK_FLAG_BITMASK_READ_ONLY;
    source.shape[0] = 0;
    CHECK(dlb_import(&copy_type, &source.versioned, &owner, &error) == 0);
    CHECK_EQUAL(source.deleted, 1);
    dlb_owner_drop(owner);
}

static void test_a_legacy_import_can_copy(void)
{
    dlb_owner *owner;
    foreign source;

    arrive(&source);
    CHECK(dlb_import_legacy(&always_type, foreign_legacy(&source), &owner, &error) == 0);
    CHECK_EQUAL(source.deleted, 1);
    dlb_owner_drop(owner);
}

static void test_a_copy_does_not_help_against_a_wrong_device_or_dtype(void)
{
    dlb_owner *owner = NULL;
    foreign source;

    arrive(&source)->dl_tensor.device.device_type = kDLCUDA;
    CHECK_FAILS(dlb_import(&copy_type, &source.versioned, &owner, &error), error, DLB_BUFFER_ERROR,
                "blobs.Blob: the data is on cuda, not cpu");
    CHECK_FAILS(dlb_import(&always_type, &source.versioned, &owner, &error), error, DLB_BUFFER_ERROR,
                "blobs.Blob: data on cuda cannot be copied by the CPU");
    arrive(&source)->dl_tensor.dtype.bits = 8;
    CHECK_FAILS(dlb_import(&copy_type, &source.versioned, &owner, &error), error, DLB_BUFFER_ERROR,
                "blobs.Blob: the dtype is uint8, not uint16");
    arrive(&source);
    mood = REFUSES;
    CHECK(dlb_import(&copy_type, &source.versioned, &owner, NULL) == -1);
    mood = LIES;
    CHECK(dlb_import(&copy_type, &source.versioned, &owner, NULL) == -1);
    mood = FINE;
    source.versioned.dl_tensor.device.device_type = kDLCUDAHost; /* a copy would be elsewhere */
    CHECK_FAILS(dlb_import(&pinned_type, &source.versioned, &owner, &error), error, DLB_BUFFER_ERROR,
                "blobs.Blob: the data is on cpu, not cuda_host");
    CHECK_EQUAL(source.deleted, 0);
    CHECK_EQUAL(blobs_living, 0);
}

/* ---- Leases ---- */

static void test_a_lease_outlives_the_owner(void)
{
    DLManagedTensorVersioned *managed;
    dlb_owner *owner;
    foreign source;

    arrive(&source);
    mood = KEEPS;
    CHECK(dlb_import(&lease_type, &source.versioned, &owner, &error) == 0);
    CHECK(dlb_export(owner, &managed, &error) == 0);
    dlb_owner_drop(owner);
    managed->deleter(managed);
    CHECK_EQUAL(blobs_living, 0);
    CHECK_EQUAL(source.deleted, 0);
    blob_end(kept);
    CHECK_EQUAL(source.deleted, 1);

    arrive(&source); /* the same, of a legacy tensor and with a library that lets go with the object */
    mood = FINE;
    CHECK(dlb_import_legacy(&lease_type, foreign_legacy(&source), &owner, &error) == 0);
    CHECK_EQUAL(source.deleted, 0);
    dlb_owner_drop(owner);
    CHECK_EQUAL(source.deleted, 1);
}

/* Whatever a failing library does, the tensor stays the caller's. */
static void test_a_failing_lease_leaves_the_tensor_with_the_caller(void)
{
    static const dlb_type *const types[] = {&lease_type, &copied_lease_type};

    for (int i = 0; i < 2; i++) {
        dlb_owner *owner = NULL;
        foreign source;

        arrive(&source);
        mood = REFUSES; /* and never calls back */
        CHECK_FAILS(dlb_import(types[i], &source.versioned, &owner, &error), error, DLB_RUNTIME_ERROR,
                    "blobs.Blob: blob_wrap(data) failed");
        mood = REFUSES_LATE; /* and has called back */
        ended = 0;
        CHECK(dlb_import(types[i], &source.versioned, &owner, NULL) == -1);
        CHECK_EQUAL(ended, 1);
        mood = LIES; /* so that the object is destroyed again */
        CHECK_FAILS(dlb_import(types[i], &source.versioned, &owner, &error), error, DLB_BUFFER_ERROR,
                    "blobs.Blob: the new object shows shape[1] as 5, not 4: this value was lost");
        CHECK_EQUAL(ended, 2);
        mood = LIES_AND_KEEPS; /* and destroyed, but not forgotten yet */
        CHECK(dlb_import(types[i], &source.versioned, &owner, NULL) == -1);
        blob_end(kept);
        CHECK_EQUAL(ended, 3);
        CHECK(owner == NULL);
        CHECK_EQUAL(source.deleted, 0);
        CHECK_EQUAL(blobs_living, 0);
    }
    mood = FINE;
}

static void test_a_leased_copy_belongs_to_the_library(void)
{
    dlb_owner *owner;
    foreign source;

    arrive(&source);
    mood = KEEPS;
    CHECK(dlb_import(&copied_lease_type, &source.versioned, &owner, &error) == 0);
    CHECK_EQUAL(source.deleted, 1);
    dlb_owner_drop(owner);
    kept->data[11] = 7; /* it still is the library's */
    blob_end(kept);
    mood = FINE;
    CHECK_EQUAL(source.deleted, 1);
}

int main(void)
{
    for (size_t i = 0; i < 64; i++) {
        memory[i] = (uint16_t)(i * 3);
    }
    test_an_import_copies_where_the_layout_is_not_accepted();
    test_a_legacy_import_can_copy();
    test_a_copy_does_not_help_against_a_wrong_device_or_dtype();
    test_a_lease_outlives_the_owner();
    test_a_failing_lease_leaves_the_tensor_with_the_caller();
    test_a_leased_copy_belongs_to_the_library();
    CHECK_EQUAL(blobs_living, 0);
    return checks_result();
}
