/* SPDX-License-Identifier: MIT-0 */
/* Copies elements of any layout to compact memory, and back. */
#include "dlb_gather.h"

#include <string.h>

dlb_layout dlb_layout_of(const DLTensor *tensor, int64_t *steps)
{
    const int64_t itemsize = dlb_itemsize(tensor->dtype);

    for (int32_t axis = 0; axis < tensor->ndim; axis++) { /* the stride of an axis of extent 1 may have any value */
        steps[axis] = tensor->shape[axis] == 1 ? 0 : tensor->strides[axis] * itemsize;
    }
    return (dlb_layout){tensor->ndim, -1, tensor->shape, steps, itemsize, tensor->data, NULL};
}

/* Returns the distance in bytes between two indices of an axis. */
static uintptr_t distance_along(const dlb_layout *layout, int32_t axis, int64_t from, int64_t to)
{
    if (axis == layout->rows_axis) {
        return (uintptr_t)layout->rows[to] - (uintptr_t)layout->rows[from];
    }
    return (uintptr_t)((to - from) * layout->steps[axis]);
}

/* Copies `count` pieces of `size` bytes. Inlined with a constant size, so that each piece is one load and one store. */
static inline DLB_ALWAYS_INLINE void move_each(uintptr_t target, uintptr_t target_step, uintptr_t source,
                                               uintptr_t source_step, int64_t count, size_t size)
{
    for (int64_t i = 0; i < count; i++) {
        memcpy((void *)target, (const void *)source, size);
        target += target_step;
        source += source_step;
    }
}

/* Calls move_each() with a constant size, if the size is a common one. */
static void move_pieces(uintptr_t target, uintptr_t target_step, uintptr_t source, uintptr_t source_step, int64_t count,
                        size_t size)
{
    switch (size) {
    case 1:
        move_each(target, target_step, source, source_step, count, 1);
        break;
    case 2:
        move_each(target, target_step, source, source_step, count, 2);
        break;
    case 4:
        move_each(target, target_step, source, source_step, count, 4);
        break;
    case 8:
        move_each(target, target_step, source, source_step, count, 8);
        break;
    case 16:
        move_each(target, target_step, source, source_step, count, 16);
        break;
    default:
        move_each(target, target_step, source, source_step, count, size);
    }
}

/* Copies all elements. The innermost axes without gaps on both sides form one piece. The next axis is one loop over pieces,
 * unless a table gives the addresses. An odometer steps through the other axes. */
static void move_elements(const dlb_layout *from, const dlb_layout *to)
{
    uintptr_t source = (uintptr_t)from->data;
    uintptr_t target = (uintptr_t)to->data;
    int64_t index[DLB_MAX_NDIM] = {0};
    int64_t piece = from->itemsize;
    int64_t count = 1;
    int64_t source_step = 0;
    int64_t target_step = 0;
    int32_t outer = from->ndim;
    int32_t axis;

    while (outer > 0 && (from->shape[outer - 1] == 1 || (from->steps[outer - 1] == piece && to->steps[outer - 1] == piece))) {
        outer--;
        piece *= from->shape[outer];
    }
    if (outer > 0 && outer - 1 != from->rows_axis && outer - 1 != to->rows_axis) {
        outer--;
        count = from->shape[outer];
        source_step = from->steps[outer];
        target_step = to->steps[outer];
    }
    do {
        move_pieces(target, (uintptr_t)target_step, source, (uintptr_t)source_step, count, (size_t)piece);
        for (axis = outer - 1; axis >= 0; axis--) {
            const int64_t next = index[axis] + 1 < from->shape[axis] ? index[axis] + 1 : 0;

            source += distance_along(from, axis, index[axis], next);
            target += distance_along(to, axis, index[axis], next);
            index[axis] = next;
            if (next > 0) {
                break;
            }
        }
    } while (axis >= 0);
}

/* Returns a compact row-major layout with the extents of `like`. Fills `steps`, which must outlive the result. */
static dlb_layout compact_layout(const dlb_layout *like, const void *data, int64_t steps[DLB_MAX_NDIM])
{
    int64_t step = like->itemsize;

    for (int32_t axis = like->ndim - 1; axis >= 0; axis--) {
        steps[axis] = step;
        step *= like->shape[axis];
    }
    return (dlb_layout){like->ndim, -1, like->shape, steps, like->itemsize, data, NULL};
}

void dlb_gather_elements(const dlb_layout *from, void *to)
{
    int64_t steps[DLB_MAX_NDIM];
    const dlb_layout compact = compact_layout(from, to, steps);

    move_elements(from, &compact);
}

void *dlb_copy_compact(DLTensor *tensor, dlb_order order, void *to)
{
    int64_t steps[DLB_MAX_NDIM];
    dlb_layout layout;

    if (tensor->dtype.bits % 8 != 0) {
        return memcpy(to, tensor->data, (size_t)dlb_nbytes(tensor->dtype, dlb_element_count(tensor)));
    }
    if (order == DLB_ORDER_F) { /* column-major memory is row-major memory of the reversed axes */
        dlb_reverse(tensor->shape, tensor->ndim);
        dlb_reverse(tensor->strides, tensor->ndim);
    }
    layout = dlb_layout_of(tensor, steps);
    dlb_gather_elements(&layout, to);
    if (order == DLB_ORDER_F) {
        dlb_reverse(tensor->shape, tensor->ndim);
    }
    return to;
}

void dlb_scatter_elements(const DLTensor *from, const dlb_layout *to)
{
    int64_t steps[DLB_MAX_NDIM];
    const dlb_layout compact = dlb_layout_of(from, steps);

    move_elements(&compact, to);
}
