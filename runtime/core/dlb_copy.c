/* SPDX-License-Identifier: MIT-0 */
/* Makes exports that are copies. One block holds the managed tensor, its axes and its data. The block does not depend on an owner. */
#include "dlb_gather.h"

#include <stdlib.h>
#include <string.h>

void dlb_show_copy(DLTensor *tensor)
{
    tensor->data = NULL;
    tensor->byte_offset = 0;
    tensor->device = DLB_CPU;
    dlb_compact_tensor(tensor, tensor->ndim);
}

/* Copies the elements of a nonempty view to `data`, which has `nbytes` bytes. Returns 0, or -1 with `error` filled if `to_cpu` fails. */
static int copy_elements(const dlb_owner *owner, const dlb_view *view, const dlb_gather *gather, void *data,
                         int64_t nbytes, dlb_error *error)
{
    const DLTensor *const tensor = view->tensor;
    int64_t steps[DLB_MAX_NDIM];
    dlb_layout layout;

    if (!dlb_host_readable(tensor->device.device_type)) {
        return owner->type->to_cpu(owner->object, data, nbytes, error);
    }
    if (tensor->dtype.bits % 8 != 0) {
        memcpy(data, tensor->data, (size_t)nbytes); /* packed elements are always compact */
        return 0;
    }
    layout = dlb_layout_of(tensor, steps);
    if (gather != NULL && gather->used) {
        layout.steps = gather->steps;
        layout.rows_axis = gather->rows_axis;
        layout.rows = gather->rows;
    }
    dlb_gather_elements(&layout, data);
    return 0;
}

/* Allocates a block for a copy of the view, and copies the elements. The block holds `head` bytes for the managed tensor, 2 *
 * ndim axes and the aligned data. Fills `copy`. The caller owns the block. Returns NULL with `error` filled on failure. */
static void *copy_block(const dlb_owner *owner, const dlb_view *view, const dlb_gather *gather, size_t head,
                        DLTensor *copy, dlb_error *error)
{
    const int64_t count = dlb_element_count(view->tensor);
    const int64_t nbytes = dlb_nbytes(view->tensor->dtype, count);
    const size_t axes_size = 2 * sizeof(int64_t) * (size_t)view->tensor->ndim;
    char *block = NULL;
    char *data;

    if (!dlb_host_readable(view->tensor->device.device_type) && owner->type->to_cpu == NULL) {
        char text[DLB_NAME_SIZE];

        (void)dlb_fail(error, DLB_BUFFER_ERROR, "%s: data on %s cannot be copied by the CPU", view->name,
                       dlb_device_name(view->tensor->device.device_type, text));
        return NULL;
    }
    if ((uint64_t)nbytes <= SIZE_MAX - head - axes_size - DLB_COPY_ALIGNMENT) {
        block = malloc(head + axes_size + DLB_COPY_ALIGNMENT + (size_t)nbytes);
    }
    if (block == NULL) {
        (void)dlb_fail(error, DLB_MEMORY_ERROR, "%s: no memory for a copy of %lld bytes", view->name, (long long)nbytes);
        return NULL;
    }
    data = dlb_next_aligned(block + head + axes_size, DLB_COPY_ALIGNMENT);
    if (count > 0 && copy_elements(owner, view, gather, data, nbytes, error) != 0) {
        free(block);
        return NULL;
    }

    *copy = *view->tensor;
    copy->shape = copy->ndim == 0 ? NULL : (int64_t *)(void *)(block + head);
    copy->strides = copy->ndim == 0 ? NULL : copy->shape + copy->ndim;
    if (copy->ndim > 0) {
        memcpy(copy->shape, view->tensor->shape, axes_size / 2);
    }
    dlb_show_copy(copy);
    copy->data = count > 0 ? data : NULL;
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

int dlb_copy_view(const dlb_owner *owner, const dlb_view *view, const dlb_gather *gather,
                  DLManagedTensorVersioned **out, dlb_error *error)
{
    DLTensor tensor;
    DLManagedTensorVersioned *const managed = copy_block(owner, view, gather, sizeof *managed, &tensor, error);

    if (managed == NULL) {
        return -1;
    }
    dlb_manage(managed, NULL, delete_versioned_copy, DLPACK_FLAG_BITMASK_IS_COPIED);
    managed->dl_tensor = tensor;
    *out = managed;
    return 0;
}

int dlb_copy_view_legacy(const dlb_owner *owner, const dlb_view *view, const dlb_gather *gather, DLManagedTensor **out,
                         dlb_error *error)
{
    DLTensor tensor;
    DLManagedTensor *const managed = copy_block(owner, view, gather, sizeof *managed, &tensor, error);

    if (managed == NULL) {
        return -1;
    }
    dlb_manage_legacy(managed, NULL, delete_legacy_copy);
    managed->dl_tensor = tensor;
    *out = managed;
    return 0;
}

/* ---- Copies that the caller requests ---- */

/* Describes the object for a copy. Enters the access scope, which the caller must leave. Returns 0, or -1 with `error` filled. */
static int describe_for_copy(dlb_owner *owner, dlb_view *view, dlb_gather *gather, dlb_error *error)
{
    if (owner->type->describe == NULL) {
        return dlb_no_tensor(owner->type, error);
    }
    if (dlb_access_begin(owner, error) != 0) {
        return -1;
    }
    view->tensor = &view->own;
    view->exporting = 1;
    view->gather = dlb_gather_start(gather, owner->type, true);
    if (dlb_describe_into(owner->type, owner->object, view->axes, DLB_MAX_NDIM, view, error) != 0) {
        dlb_gather_end(view->gather);
        dlb_access_end(owner, false);
        return -1;
    }
    return 0;
}

int dlb_export_copy(dlb_owner *owner, DLManagedTensorVersioned **out, dlb_error *error)
{
    dlb_gather gather;
    dlb_view view;
    int result;

    if (describe_for_copy(owner, &view, &gather, error) != 0) {
        return -1;
    }
    result = dlb_copy_view(owner, &view, view.gather, out, error);
    dlb_gather_end(view.gather);
    dlb_access_end(owner, false);
    return result;
}

int dlb_export_copy_legacy(dlb_owner *owner, DLManagedTensor **out, dlb_error *error)
{
    dlb_gather gather;
    dlb_view view;
    int result;

    if (describe_for_copy(owner, &view, &gather, error) != 0) {
        return -1;
    }
    result = dlb_copy_view_legacy(owner, &view, view.gather, out, error);
    dlb_gather_end(view.gather);
    dlb_access_end(owner, false);
    return result;
}
