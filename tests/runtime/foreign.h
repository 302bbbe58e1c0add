/* SPDX-License-Identifier: MIT */
/* Managed tensors of somebody else, with which the tests of imports begin. */
#ifndef FOREIGN_H_
#define FOREIGN_H_

#include "dlb_core.h"

#include <string.h>

typedef struct foreign {
    DLManagedTensorVersioned versioned;
    DLManagedTensor legacy;
    int64_t shape[DLB_MAX_NDIM + 2];
    int64_t strides[DLB_MAX_NDIM + 2];
    int deleted;
    int living_at_deletion; /* what `*foreign_living` was then */
} foreign;

/* The count of living objects of the library under test, if it has one. */
static const int *foreign_living;

static inline void foreign_delete(foreign *self)
{
    self->deleted++;
    self->living_at_deletion = foreign_living != NULL ? *foreign_living : 0;
    /* A tensor is gone after its deleter: whoever reads it again shall notice. */
    memset(&self->versioned, 0xEE, sizeof self->versioned);
    memset(&self->legacy, 0xEE, sizeof self->legacy);
    memset(self->shape, 0xEE, sizeof self->shape);
    memset(self->strides, 0xEE, sizeof self->strides);
}

static inline void foreign_delete_versioned(DLManagedTensorVersioned *managed)
{
    foreign_delete(managed->manager_ctx);
}

static inline void foreign_delete_legacy(DLManagedTensor *managed)
{
    foreign_delete(managed->manager_ctx);
}

/* The struct of DLPack before 1.0, with the same tensor as `self->versioned`. */
static inline DLManagedTensor *foreign_legacy(foreign *self)
{
    self->legacy.dl_tensor = self->versioned.dl_tensor;
    self->legacy.manager_ctx = self;
    self->legacy.deleter = self->versioned.deleter != NULL ? foreign_delete_legacy : NULL;
    return &self->legacy;
}

/* A well-formed tensor on the CPU; tests spoil it afterwards. */
static inline DLManagedTensorVersioned *foreign_array(foreign *self, void *data, DLDataType dtype, int32_t ndim,
                                                      const int64_t *shape, const int64_t *strides)
{
    memset(self, 0, sizeof *self);
    for (int32_t axis = 0; axis < ndim; axis++) {
        self->shape[axis] = shape[axis];
        self->strides[axis] = strides[axis];
    }
    self->versioned.version = (DLPackVersion){1, 3};
    self->versioned.manager_ctx = self;
    self->versioned.deleter = foreign_delete_versioned;
    self->versioned.dl_tensor = (DLTensor){data, {kDLCPU, 0}, ndim, dtype, self->shape, self->strides, 0};
    return &self->versioned;
}

#endif
