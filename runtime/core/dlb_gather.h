/* SPDX-License-Identifier: MIT-0 */
/* Declarations for layouts that can only be copied, and for the copies. Only the files of the runtime include this header. */
#ifndef DLB_GATHER_H_
#define DLB_GATHER_H_

#include "dlb_internal.h"

/* The addresses of the elements of a nonempty array. `steps` are strides in bytes. Along `rows_axis`, which has at least two
 * rows and a step of 0, the table `rows` gives the address of each row. */
typedef struct dlb_layout {
    int32_t ndim;
    int32_t rows_axis;
    const int64_t *shape;
    const int64_t *steps;
    int64_t itemsize;
    const void *data;
    const void *const *rows; /* NULL: no table */
} dlb_layout;

/* Returns the layout of a nonempty `tensor`. Fills `steps`, which must have space for its axes and outlive the result. */
DLB_API dlb_layout dlb_layout_of(const DLTensor *tensor, int64_t *steps);

/* Copies all elements to compact row-major memory at `to`. */
DLB_API void dlb_gather_elements(const dlb_layout *from, void *to);

/* Copies the elements of a compact tensor to the layout `to`, which has an equal shape. */
DLB_API void dlb_scatter_elements(const DLTensor *from, const dlb_layout *to);

/* Copies the elements of a nonempty tensor to `to`, compact in `order`. Packed elements must be compact already. Invalidates the
 * strides of the tensor. Returns `to`. */
DLB_API void *dlb_copy_compact(DLTensor *tensor, dlb_order order, void *to);

/* Returns the first multiple of `alignment` above `place`; it is at most `alignment` bytes away. */
static inline void *dlb_next_aligned(char *place, size_t alignment)
{
    return place + alignment - (size_t)((uintptr_t)place % alignment);
}

/* Returns the alignment in bytes of copies that an import makes. */
static inline size_t dlb_copy_alignment(const dlb_maker *maker)
{
    return maker->alignment > DLB_COPY_ALIGNMENT ? maker->alignment : DLB_COPY_ALIGNMENT;
}

/* The parts of a layout that strides in elements cannot express. During the description, such an axis has the stride INT64_MIN +
 * i in the view, and its byte stride is steps[i]: so the axes can still be reversed. Afterwards `steps` are the byte strides of all
 * axes. */
typedef struct dlb_gather {
    bool used;
    bool copying;   /* a copy follows; otherwise only its description is needed */
    bool no_memory; /* for the copy of the table */
    int32_t odd_strides;
    int32_t rows_axis;
    const void **rows; /* a copy of the table, since that of the library may be freed after the description */
    int64_t steps[DLB_MAX_NDIM];
} dlb_gather;

/* Returns `gather`, initialised for a description, or NULL if the type never copies. */
DLB_API dlb_gather *dlb_gather_start(dlb_gather *gather, const dlb_type *type, bool copying);
/* Frees the table of `gather`, which may be NULL. */
DLB_API void dlb_gather_end(dlb_gather *gather);

/* Finishes a view whose extents are checked, whose `gather` is used, and which has elements. The view is compact afterwards.
 * Returns 0, or -1 with `error` filled. */
DLB_API int dlb_gather_finish(dlb_view *view, dlb_error *error);

/* Changes a finished tensor to that of a copy on the CPU, whose data is still missing. */
DLB_API void dlb_show_copy(DLTensor *tensor);

/* Copies the elements of a finished view to a new managed tensor, which the caller owns. `gather` is that of the view; NULL if
 * it was not used. Returns 0, or -1 with `error` filled. */
DLB_API int dlb_copy_view(const dlb_owner *owner, const dlb_view *view, const dlb_gather *gather,
                          DLManagedTensorVersioned **out, dlb_error *error);
DLB_API int dlb_copy_view_legacy(const dlb_owner *owner, const dlb_view *view, const dlb_gather *gather,
                                 DLManagedTensor **out, dlb_error *error);

#endif
