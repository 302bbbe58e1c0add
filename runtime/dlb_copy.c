/* SPDX-License-Identifier: MIT-0 */
/* Exports that are copies: one block holds the managed tensor, its axes and the data, and depends on no owner. */
#include "dlb_internal.h"

#include <stdlib.h>
#include <string.h>

/* Copies `tensor` to compact row-major memory. The innermost axes that are compact on both sides go in one memcpy; an
 * odometer steps through the others. */
static void gather(const DLTensor *tensor, char *to)
{
    const int64_t itemsize = dlb_itemsize(tensor->dtype);
    const char *from = tensor->data;
    int64_t index[DLB_MAX_NDIM] = {0};
    int64_t run = 1;
    int32_t outer = tensor->ndim;
    int32_t axis;

    while (outer > 0 && (tensor->strides[outer - 1] == run || tensor->shape[outer - 1] == 1)) {
        outer--;
        run *= tensor->shape[outer];
    }
    do {
        memcpy(to, from, (size_t)(run * itemsize));
        to += run * itemsize;
        for (axis = outer - 1; axis >= 0; axis--) {
            if (++index[axis] < tensor->shape[axis]) {
                from += tensor->strides[axis] * itemsize;
                break;
            }
            /* back from the last one: the stride of an axis of extent 1 may be anything, and is not used */
            from -= (tensor->shape[axis] - 1) * tensor->strides[axis] * itemsize;
            index[axis] = 0;
        }
    } while (axis >= 0);
}

/* One block: `head` bytes for the managed tensor, 2 * ndim axes, the aligned data. Fills `copy`. */
static void *copy_block(dlb_owner *owner, size_t head, DLTensor *copy, dlb_error *error)
{
    dlb_view view;
    int64_t count;
    int64_t nbytes;
    size_t axes_size;
    char *block;
    char *data;

    if (dlb_describe(owner->type, owner->object, &view, error) != 0) {
        return NULL;
    }
    if (!dlb_host_readable(view.tensor.device.device_type)) {
        char text[DLB_NAME_TEXT];

        (void)dlb_fail(error, DLB_BUFFER_ERROR, "%s: data on %s cannot be copied by the CPU", view.name,
                       dlb_device_name(view.tensor.device.device_type, text));
        return NULL;
    }
    count = dlb_element_count(&view.tensor);
    nbytes = dlb_nbytes(view.tensor.dtype, count);
    axes_size = 2 * sizeof(int64_t) * (size_t)view.tensor.ndim;
    if ((uint64_t)nbytes > SIZE_MAX - head - axes_size - DLB_COPY_ALIGNMENT) {
        block = NULL;
    } else {
        block = malloc(head + axes_size + DLB_COPY_ALIGNMENT + (size_t)nbytes);
    }
    if (block == NULL) {
        (void)dlb_fail(error, DLB_MEMORY_ERROR, "%s: no memory for a copy of %lld bytes", view.name, (long long)nbytes);
        return NULL;
    }
    data = block + head + axes_size;
    data += DLB_COPY_ALIGNMENT - (size_t)((uintptr_t)data % DLB_COPY_ALIGNMENT);
    if (count == 0) {
        data = NULL;
    } else if (view.tensor.dtype.bits % 8 != 0) {
        memcpy(data, view.tensor.data, (size_t)nbytes); /* packed, hence compact */
    } else {
        gather(&view.tensor, data);
    }

    *copy = view.tensor;
    copy->data = data;
    copy->device = DLB_CPU;
    copy->shape = copy->ndim == 0 ? NULL : (int64_t *)(void *)(block + head);
    copy->strides = copy->ndim == 0 ? NULL : copy->shape + copy->ndim;
    view.tensor.strides = copy->strides;
    dlb_compact(&view);
    if (copy->ndim > 0) {
        memcpy(copy->shape, view.tensor.shape, axes_size / 2);
    }
    return block;
}

static void delete_legacy_copy(DLManagedTensor *managed)
{
    free(managed);
}

static void delete_versioned_copy(DLManagedTensorVersioned *managed)
{
    free(managed);
}

int dlb_export_copy(dlb_owner *owner, DLManagedTensorVersioned **out, dlb_error *error)
{
    DLTensor tensor;
    DLManagedTensorVersioned *const managed = copy_block(owner, sizeof *managed, &tensor, error);

    if (managed == NULL) {
        return -1;
    }
    managed->version = (DLPackVersion){DLB_VERSION_MAJOR, DLB_VERSION_MINOR};
    managed->manager_ctx = NULL;
    managed->deleter = delete_versioned_copy;
    managed->flags = DLPACK_FLAG_BITMASK_IS_COPIED;
    managed->dl_tensor = tensor;
    *out = managed;
    return 0;
}

int dlb_export_copy_legacy(dlb_owner *owner, DLManagedTensor **out, dlb_error *error)
{
    DLTensor tensor;
    DLManagedTensor *const managed = copy_block(owner, sizeof *managed, &tensor, error);

    if (managed == NULL) {
        return -1;
    }
    managed->manager_ctx = NULL;
    managed->deleter = delete_legacy_copy;
    managed->dl_tensor = tensor;
    *out = managed;
    return 0;
}
