/* SPDX-License-Identifier: MIT-0 */
/* Layouts that can only be copied, and the copies: what the files of the runtime share, and nobody else sees. */
#ifndef DLB_GATHER_H_
#define DLB_GATHER_H_

#include "dlb_internal.h"

/* Where the elements of a nonempty array are: `steps` are strides in bytes; along `rows_axis`, which then has several
 * rows and a step of 0, a table says instead. */
typedef struct dlb_layout {
    int32_t ndim;
    int32_t rows_axis;
    const int64_t *shape;
    const int64_t *steps;
    int64_t itemsize;
    const void *data;
    const void *const *rows; /* NULL: no table */
} dlb_layout;

/* Describes how `tensor`, which has elements, lies in memory; `steps` has room for its axes. */
DLB_API dlb_layout dlb_layout_of(const DLTensor *tensor, int64_t *steps);

/* Copies all elements to compact memory, the last axis innermost. */
DLB_API void dlb_gather_elements(const dlb_layout *from, void *to);

/* The reverse: copies the elements of a compact tensor to where those of `to`, of the same shape, are. */
DLB_API void dlb_scatter_elements(const DLTensor *from, const dlb_layout *to);

/* Copies the elements of a nonempty tensor to `to`, compact in `order`; packed ones are compact already. Leaves no strides.
 * Returns `to`. */
DLB_API void *dlb_copy_compact(DLTensor *tensor, dlb_order order, void *to);

/* The first address above `place` that is a multiple of `alignment`, and at most that far away. */
static inline void *dlb_next_aligned(char *place, size_t alignment)
{
    return place + alignment - (size_t)((uintptr_t)place % alignment);
}

/* To what copies for an import are aligned. */
static inline size_t dlb_copy_alignment(const dlb_maker *maker)
{
    return maker->alignment > DLB_COPY_ALIGNMENT ? maker->alignment : DLB_COPY_ALIGNMENT;
}

/* What a description met that strides in elements cannot say. While it is described, the strides of the view count up from
 * INT64_MIN for what stands in `steps`, so that they may be reversed; then `steps` are those of all axes. */
typedef struct dlb_gather {
    bool used;
    bool copying;   /* for a copy that follows; else only for what it would show */
    bool no_memory; /* for the copy of the table */
    int32_t odd_strides;
    int32_t rows_axis;
    const void **rows; /* a copy, since the library's own may end with the description */
    int64_t steps[DLB_MAX_NDIM];
} dlb_gather;

/* Where a type may copy, `gather` made ready for a description; else NULL. */
DLB_API dlb_gather *dlb_gather_start(dlb_gather *gather, const dlb_type *type, bool copying);
DLB_API void dlb_gather_end(dlb_gather *gather);

/* The last step of a view whose extents are checked, whose `gather` was used, and which has elements: leaves it compact. */
DLB_API int dlb_gather_finish(dlb_view *view, dlb_error *error);

/* Makes a finished tensor into that of a copy on the CPU, whose data is not there yet. */
DLB_API void dlb_show_copy(DLTensor *tensor);

/* Copies what a finished view shows; `gather` is its own, NULL if that was not used. */
DLB_API int dlb_copy_view(const dlb_owner *owner, const dlb_view *view, const dlb_gather *gather,
                          DLManagedTensorVersioned **out, dlb_error *error);
DLB_API int dlb_copy_view_legacy(const dlb_owner *owner, const dlb_view *view, const dlb_gather *gather,
                                 DLManagedTensor **out, dlb_error *error);

#endif
