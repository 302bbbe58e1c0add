/* SPDX-License-Identifier: MIT-0 */
/* The bytes that the elements of an array occupy. */

#include "layer.h"

#include <string.h>

/* Inserts an axis before those with larger steps. */
static void insert_axis(elements *to, int64_t extent, int64_t step)
{
    int place = to->axes++;

    while (place > 0 && to->axis[place - 1].step > step) {
        to->axis[place] = to->axis[place - 1];
        place--;
    }
    to->axis[place] = (axis){extent, step};
}

/* Joins axes whose runs are adjacent. */
static void join_axes(elements *of)
{
    int kept = 0;

    for (int i = 0; i < of->axes; i++) {
        if (kept == 0 && of->axis[i].step == (int64_t)of->run) {
            of->run *= (size_t)of->axis[i].extent;
        } else {
            of->axis[kept++] = of->axis[i];
        }
    }
    of->axes = kept;
}

static bool find_elements(const DLTensor *tensor, const int64_t *steps, elements *found)
{
    const int64_t bits = (int64_t)tensor->dtype.bits * tensor->dtype.lanes;
    int64_t count = 1;
    int64_t step = 1;

    found->axes = 0;
    if (tensor->data == NULL || bits <= 0 || tensor->device.device_type != kDLCPU) {
        return false;
    }
    for (int i = 0; i < tensor->ndim; i++) {
        if (tensor->shape[i] <= 0 || dlb_multiply_overflows(count, tensor->shape[i], &count)) {
            return false;
        }
    }
    found->low = (char *)tensor->data + tensor->byte_offset;
    found->itemsize = bits % 8 == 0 ? (size_t)(bits / 8) : 1;
    found->run = bits % 8 == 0 ? (size_t)(bits / 8) : (size_t)dlb_nbytes(tensor->dtype, count);
    found->span = found->run;
    for (int i = tensor->ndim - 1; i >= 0 && bits % 8 == 0; i--) {
        const int64_t extent = tensor->shape[i];
        int64_t distance = steps != NULL             ? steps[i]
                           : tensor->strides != NULL ? tensor->strides[i] * (bits / 8)
                                                     : step * (bits / 8);

        step *= extent;
        if (extent == 1 || distance == 0) {
            continue;
        }
        if (distance < 0) {
            found->low += distance * (extent - 1);
            distance = -distance;
        }
        found->span += (size_t)distance * (size_t)(extent - 1);
        insert_axis(found, extent, distance);
    }
    join_axes(found);
    return true;
}

static bool is_compact(const elements *of)
{
    return of->axes == 0;
}

static bool visit_runs(const elements *of, size_t most, bool (*visit)(const elements *of, size_t offset, void *context), void *context)
{
    int64_t index[DLB_MAX_NDIM];
    size_t offset = 0;
    int at = 0;

    memset(index, 0, sizeof(int64_t) * (size_t)of->axes);
    for (size_t done = 0; done < most; done++) {
        if (!visit(of, offset, context)) {
            return false;
        }
        for (at = 0; at < of->axes; at++) {
            offset += (size_t)of->axis[at].step;
            if (++index[at] < of->axis[at].extent) {
                break;
            }
            offset -= (size_t)(of->axis[at].step * of->axis[at].extent);
            index[at] = 0;
        }
        if (at == of->axes) {
            return true;
        }
    }
    return visit(of, of->span - of->run, context);
}

static int64_t element_at(const DLTensor *tensor, const elements *of, size_t offset)
{
    const int64_t size = (int64_t)of->itemsize;
    int64_t index[DLB_MAX_NDIM];
    int64_t place = (char *)tensor->data + tensor->byte_offset - of->low;
    int64_t number = 0;
    int at;

    if (tensor->ndim <= 1 && tensor->strides != NULL && tensor->ndim == 1 && tensor->strides[0] > 0) {
        return (int64_t)offset / (tensor->strides[0] * size);
    }
    memset(index, 0, sizeof(int64_t) * (size_t)tensor->ndim);
    for (;; number++) {
        if ((int64_t)offset >= place && (int64_t)offset < place + size) {
            return number;
        }
        for (at = tensor->ndim - 1; at >= 0; at--) {
            const int64_t step = tensor->strides != NULL ? tensor->strides[at] * size : size;

            place += step;
            if (++index[at] < tensor->shape[at]) {
                break;
            }
            place -= step * tensor->shape[at];
            index[at] = 0;
        }
        if (at < 0) {
            return -1;
        }
    }
}
