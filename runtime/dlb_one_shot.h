/* SPDX-License-Identifier: MIT-0 */
/* Fills managed tensors, and makes one-shot exports. Included by dlb_describe.h. */
#ifndef DLB_ONE_SHOT_H_
#define DLB_ONE_SHOT_H_

#include "dlb_describe.h"

#include <stdlib.h>

/* The version that this runtime implements, whatever version dlpack.h has (DLPack: version negotiation). */
enum { DLB_VERSION_MAJOR = 1, DLB_VERSION_MINOR = 3 };

/* Turns a described tensor into a managed tensor. */
static inline void dlb_manage(DLManagedTensorVersioned *managed, void *manager_ctx,
                              void (*deleter)(DLManagedTensorVersioned *managed), uint64_t flags)
{
    managed->version = (DLPackVersion){DLB_VERSION_MAJOR, DLB_VERSION_MINOR};
    managed->manager_ctx = manager_ctx;
    managed->deleter = deleter;
    managed->flags = flags;
}

/* Turns a described tensor into a managed tensor of DLPack before 1.0. */
static inline void dlb_manage_legacy(DLManagedTensor *managed, void *manager_ctx,
                                     void (*deleter)(DLManagedTensor *managed))
{
    managed->manager_ctx = manager_ctx;
    managed->deleter = deleter;
}

/* A one-shot export: the managed tensor is its own owner, since nothing else shares the object. Its context is the object. */
typedef struct dlb_one_shot {
    DLManagedTensorVersioned managed;
    int64_t axes[];
} dlb_one_shot;

/* Frees a one-shot export. Returns the object, which the deleter must release. */
static inline void *dlb_end_one_shot(DLManagedTensorVersioned *managed)
{
    void *const object = managed->manager_ctx;

    free(managed);
    return object;
}

/* The deleter of one-shot exports of types that release nothing. */
DLB_API void dlb_delete_one_shot(DLManagedTensorVersioned *managed);

/* Exports as dlb_to_dlpack() does, for a type without a state whose objects may be released on any thread. Objects that pass the fast
 * path become one-shot exports. Inlined with the constants of the type. */
DLB_INLINE int dlb_to_dlpack_fast(const dlb_type *type, int (*describe)(void *object, dlb_view *view, dlb_error *error),
                                  int32_t ndim, void (*retain)(void *object),
                                  void (*deleter)(DLManagedTensorVersioned *managed), void *object,
                                  DLManagedTensorVersioned **out, dlb_error *error)
{
    const size_t storage = 2 * sizeof(int64_t) * (size_t)dlb_capacity(ndim);
    dlb_one_shot *const one_shot = DLB_LIKELY(object != NULL) ? malloc(sizeof *one_shot + storage) : NULL;

    if (DLB_LIKELY(one_shot != NULL)) {
        const int flags = dlb_describe_plain(describe, ndim, &one_shot->managed.dl_tensor, one_shot->axes, object, dlb_decline);

        if (DLB_LIKELY(flags >= 0)) {
            dlb_manage(&one_shot->managed, object, deleter, (uint64_t)flags);
            *out = &one_shot->managed;
            if (retain != NULL) {
                retain(object);
            }
            return 0;
        }
        free(one_shot);
    }
    return dlb_to_dlpack(type, object, out, error);
}

#endif
