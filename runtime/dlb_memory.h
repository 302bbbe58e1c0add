/* SPDX-License-Identifier: MIT-0 */
/* Checks that all elements lie in a member of the struct, if its type is an array and so has a known size. Included by dlb_describe.h. */
#ifndef DLB_MEMORY_H_
#define DLB_MEMORY_H_

#include "dlb_assert.h"
#include "dlb_platform.h"
#include "dlb_view.h"

/* Returns the size of an element in bytes, rounded up. */
DLB_INLINE int64_t dlb_itemsize(DLDataType dtype)
{
    return (dtype.bits * dtype.lanes + 7) / 8;
}

/* Sets the address of the first element to a member of the struct. Call it after shape and strides. If the member is an array, it must
 * contain all elements. */
#if defined(__GNUC__)
#define DLB_DATA_MEMBER(view, member)                                                                                  \
    do {                                                                                                               \
        typedef __typeof__(member) dlb_array_;                                                                         \
        typedef DLB_ELEMENT_(dlb_array_) dlb_element_;                                                                 \
        DLB_DATA(view, member);                                                                                        \
        dlb_holds((view), DLB_CAPACITY_(dlb_array_, dlb_element_), #member);                                           \
    } while (0)
/* Checks that all elements lie in `member`, if that is an array. Call it after the data, which points to an element of `array`:
 * `member` itself, or an array inside it. */
#define DLB_STAYS_WITHIN(view, member, array)                                                                          \
    dlb_stays_within((view), &(member), DLB_BYTES_AROUND_(member, array), #member)
/* Checks one of several members, if the data points into it; dlb_reach_end() reports the result. Members may overlap, as in a union. */
#define DLB_REACHES(reach, view, member, array)                                                                        \
    dlb_reaches((reach), (view), &(member), DLB_BYTES_AROUND_(member, array), #member)
#define DLB_BYTES_AROUND_(member, array)                                                                               \
    (DLB_IS_ARRAY_(__typeof__(array)) ? DLB_CAPACITY_(__typeof__(member), DLB_ELEMENT_(__typeof__(member))) : SIZE_MAX)
#else
#define DLB_DATA_MEMBER(view, member) DLB_DATA(view, member)
#define DLB_STAYS_WITHIN(view, member, array) ((void)0)
#define DLB_REACHES(reach, view, member, array) ((void)0)
#endif

/* Records a fault if the elements need more than the `bytes` of memory behind the data. SIZE_MAX: unknown, not checked. (Gathered
 * elements lie elsewhere.) */
DLB_INLINE void dlb_holds(dlb_view *view, size_t bytes, const char *text)
{
    const DLTensor *const tensor = view->tensor;
    int64_t elements = 1;
    int64_t bits;
    int within = 1;

    if (bytes == SIZE_MAX || (view->pending_checks & (DLB_FAULTY | DLB_GATHERED)) != 0) {
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
        dlb_view_record_fault(view, DLB_FAULT_BYTES, -1, (dlb_integer){(int64_t)bytes, 1, text});
    }
}

/* Returns whether all elements lie in the `bytes` that begin at `memory`. True for arrays without elements. */
DLB_INLINE int dlb_lies_within(const DLTensor *tensor, const volatile void *memory, size_t bytes)
{
    const int64_t bits = (int64_t)tensor->dtype.bits * tensor->dtype.lanes;
    int64_t below = 0; /* in bits, from `memory` to the lowest address of an element */
    int64_t end = 0;   /* in bits, from `memory` to the end of the element at the highest address */
    int within = tensor->byte_offset <= bytes &&
                 !dlb_add_overflows((intptr_t)tensor->data - (intptr_t)memory, (int64_t)tensor->byte_offset, &below) &&
                 !dlb_multiply_overflows(below, 8, &below) && !dlb_add_overflows(below, bits, &end);

    for (int32_t axis = 0; axis < tensor->ndim; axis++) {
        const int64_t extent = tensor->shape[axis];

        if (extent <= 0) { /* no elements, or a fault */
            return 1;
        }
        if (extent > 1 && within) {
            int64_t steps;

            within = !dlb_multiply_overflows(extent - 1, tensor->strides[axis], &steps) &&
                     !dlb_multiply_overflows(steps, bits, &steps) &&
                     !(steps < 0 ? dlb_add_overflows(below, steps, &below) : dlb_add_overflows(end, steps, &end));
        }
    }
    return within && below >= 0 && end >= 0 && (uint64_t)end <= 8 * (uint64_t)bytes;
}

/* Records a fault if elements lie outside of the `bytes` that begin at `memory`. SIZE_MAX: unknown, not checked. */
DLB_INLINE void dlb_stays_within(dlb_view *view, const volatile void *memory, size_t bytes, const char *text)
{
    if (bytes != SIZE_MAX && (view->pending_checks & (DLB_FAULTY | DLB_GATHERED)) == 0 &&
        DLB_UNLIKELY(!dlb_lies_within(view->tensor, memory, bytes))) {
        dlb_view_record_fault(view, DLB_FAULT_BYTES, -1, (dlb_integer){(int64_t)bytes, 1, text});
    }
}

/* The result of checking several members into which the data may point. */
typedef struct dlb_reach {
    size_t bytes; /* of the largest member that the data points into, but that does not contain all elements */
    const char *text;
    int is_fine; /* a member contains all elements */
} dlb_reach;

/* Checks the elements against one member, the `bytes` at `memory`. Does nothing if the data points elsewhere. */
DLB_INLINE void dlb_reaches(dlb_reach *reach, const dlb_view *view, const volatile void *memory, size_t bytes,
                            const char *text)
{
    if (bytes == SIZE_MAX || (uintptr_t)view->tensor->data - (uintptr_t)memory >= bytes) {
        return;
    }
    if (dlb_lies_within(view->tensor, memory, bytes)) {
        reach->is_fine = 1;
    } else if (bytes > reach->bytes) {
        reach->bytes = bytes;
        reach->text = text;
    }
}

/* Records a fault if the data points into members, but none of them contains all elements. */
DLB_INLINE void dlb_reach_end(const dlb_reach *reach, dlb_view *view)
{
    if (DLB_UNLIKELY(reach->bytes != 0 && !reach->is_fine) && (view->pending_checks & (DLB_FAULTY | DLB_GATHERED)) == 0) {
        dlb_view_record_fault(view, DLB_FAULT_BYTES, -1, (dlb_integer){(int64_t)reach->bytes, 1, reach->text});
    }
}

#endif
