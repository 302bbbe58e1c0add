/* SPDX-License-Identifier: MIT-0 */
/* Checks that all elements lie in the memory of an array in the struct, whose type says how many bytes it has. Included by
 * dlb_describe.h. */
#ifndef DLB_MEMORY_H_
#define DLB_MEMORY_H_

#include "dlb_assert.h"
#include "dlb_platform.h"
#include "dlb_view.h"

DLB_WORD int64_t dlb_itemsize(DLDataType dtype)
{
    return (dtype.bits * dtype.lanes + 7) / 8;
}

/* The first element, in a member of the struct, after shape and strides: one that is an array holds all elements. */
#if defined(__GNUC__)
#define DLB_DATA_MEMBER(view, member)                                                                                  \
    do {                                                                                                               \
        typedef __typeof__(member) dlb_array_;                                                                         \
        typedef DLB_ELEMENT_(dlb_array_) dlb_element_;                                                                 \
        DLB_DATA(view, member);                                                                                        \
        dlb_holds((view), DLB_CAPACITY_(dlb_array_, dlb_element_), #member);                                           \
    } while (0)
/* After the data, which points to an element of `array`: `member` or an array in it. All elements lie in `member`, if that is an
 * array and no pointer. */
#define DLB_STAYS_WITHIN(view, member, array)                                                                          \
    do {                                                                                                               \
        typedef __typeof__(member) dlb_array_;                                                                         \
        typedef DLB_ELEMENT_(dlb_array_) dlb_element_;                                                                 \
        dlb_stays_within((view), &(member),                                                                            \
                         DLB_IS_ARRAY_(__typeof__(array)) ? DLB_CAPACITY_(dlb_array_, dlb_element_) : SIZE_MAX,        \
                         #member);                                                                                     \
    } while (0)
#else
#define DLB_DATA_MEMBER(view, member) DLB_DATA(view, member)
#define DLB_STAYS_WITHIN(view, member, array) ((void)0)
#endif

/* `bytes` of memory behind the data; SIZE_MAX: nobody knows, and nothing is checked. (What is gathered is so elsewhere.) */
DLB_WORD void dlb_holds(dlb_view *view, size_t bytes, const char *text)
{
    const DLTensor *const tensor = view->tensor;
    int64_t elements = 1;
    int64_t bits;
    int within = 1;

    if (bytes == SIZE_MAX || (view->unsettled & (DLB_FAULTY | DLB_GATHERED)) != 0) {
        return;
    }
    for (int32_t axis = 0; axis < tensor->ndim; axis++) {
        const int64_t extent = tensor->shape[axis];

        if (extent <= 0) { /* no elements, or a fault */
            return;
        }
        if (extent > 1) {
            int64_t steps;

            within = within && tensor->strides[axis] >= 0 &&
                     !dlb_multiply_overflows(extent - 1, tensor->strides[axis], &steps) &&
                     !dlb_add_overflows(elements, steps, &elements);
        }
    }
    if (DLB_UNLIKELY(!within ||
                     dlb_multiply_overflows(elements, (int64_t)tensor->dtype.bits * tensor->dtype.lanes, &bits) ||
                     (uint64_t)bits > 8 * (uint64_t)bytes)) {
        dlb_view_note(view, DLB_FAULT_BYTES, -1, (dlb_integer){(int64_t)bytes, 1, text});
    }
}

/* The elements lie in the `bytes` that begin at `memory`; SIZE_MAX: nobody knows, and nothing is checked. */
DLB_WORD void dlb_stays_within(dlb_view *view, const volatile void *memory, size_t bytes, const char *text)
{
    const DLTensor *const tensor = view->tensor;
    const int64_t bits = (int64_t)tensor->dtype.bits * tensor->dtype.lanes;
    int64_t below = 0; /* from the memory to the lowest address of an element, in bits */
    int64_t end = 0;   /* to the end of the element at the highest address */
    int within;

    if (bytes == SIZE_MAX || (view->unsettled & (DLB_FAULTY | DLB_GATHERED)) != 0) {
        return;
    }
    within = tensor->byte_offset <= bytes &&
             !dlb_add_overflows((intptr_t)tensor->data - (intptr_t)memory, (int64_t)tensor->byte_offset, &below) &&
             !dlb_multiply_overflows(below, 8, &below) && !dlb_add_overflows(below, bits, &end);
    for (int32_t axis = 0; axis < tensor->ndim; axis++) {
        const int64_t extent = tensor->shape[axis];

        if (extent <= 0) { /* no elements, or a fault */
            return;
        }
        if (extent > 1 && within) {
            int64_t steps;

            within = !dlb_multiply_overflows(extent - 1, tensor->strides[axis], &steps) &&
                     !dlb_multiply_overflows(steps, bits, &steps) &&
                     !(steps < 0 ? dlb_add_overflows(below, steps, &below) : dlb_add_overflows(end, steps, &end));
        }
    }
    if (DLB_UNLIKELY(!within || below < 0 || end < 0 || (uint64_t)end > 8 * (uint64_t)bytes)) {
        dlb_view_note(view, DLB_FAULT_BYTES, -1, (dlb_integer){(int64_t)bytes, 1, text});
    }
}

#endif
