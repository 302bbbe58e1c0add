/* SPDX-License-Identifier: MIT-0 */
/* Makes an owner from a foreign managed tensor. Its object shows the memory of the tensor, or a copy. */
#include "dlb_gather.h"
#include "dlb_import.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Foreign tensors ---- */

/* Validates a foreign tensor, and copies it to the view: shape and strides to its `axes`, and the offset into the data.
 * Afterwards only the deleter of `foreign` is used. Returns 0, or -1 with `error` filled. */
static int validate_foreign(const DLTensor *foreign, dlb_view *view, dlb_error *error)
{
    DLTensor *const tensor = view->tensor;
    const char *const name = view->name;
    int64_t count;

    *tensor = *foreign;
    tensor->shape = view->axes;
    tensor->strides = view->axes + DLB_MAX_NDIM;
    if (foreign->ndim < 0 || foreign->ndim > DLB_MAX_NDIM) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the array declares %" PRId32 " axes", name, foreign->ndim);
    }
    if (foreign->ndim > 0 && foreign->shape == NULL) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the shape of the array is NULL", name);
    }
    if (foreign->ndim > 0) {
        memcpy(tensor->shape, foreign->shape, sizeof(int64_t) * (size_t)foreign->ndim);
    }
    if (dlb_check_extents(tensor, name, &count, error) != 0) {
        return -1;
    }
    if (foreign->strides == NULL) { /* allowed before DLPack 1.2: compact */
        dlb_compact_tensor(tensor, tensor->ndim);
    } else if (foreign->ndim > 0) {
        memcpy(tensor->strides, foreign->strides, sizeof(int64_t) * (size_t)foreign->ndim);
    }
    if (count == 0) {
        tensor->byte_offset = 0;
        return 0;
    }
    if (tensor->data == NULL) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the data of the array is NULL, but it has %" PRId64 " elements",
                        name, count);
    }
    if (dlb_has_address(tensor->device.device_type)) {
        if (tensor->byte_offset > PTRDIFF_MAX || tensor->byte_offset > UINTPTR_MAX - (uintptr_t)tensor->data) {
            return dlb_fail(error, DLB_BUFFER_ERROR,
                            "%s: byte_offset is %" PRIu64 ": it leads beyond the address space", name,
                            tensor->byte_offset);
        }
        tensor->data = (char *)tensor->data + tensor->byte_offset;
        tensor->byte_offset = 0;
    }
    return dlb_check_span(tensor, name, error);
}

bool dlb_is_fast(const dlb_maker *maker, const DLTensor *tensor)
{
    return dlb_find_fast(maker, tensor);
}

/* ---- Copies of foreign memory ---- */

/* Copies the elements to new memory, compact in the order of the spec. check_copyable() has passed. Returns 0, or -1 with
 * `error` filled if memory runs out. */
static int copy_memory(const dlb_maker *maker, dlb_incoming *from, dlb_error *error)
{
    DLTensor *const tensor = from->view->tensor;
    const int64_t nbytes = dlb_nbytes(tensor->dtype, dlb_element_count(tensor));
    const size_t alignment = dlb_copy_alignment(maker);

    from->copied = true;
    from->readonly = 0;
    tensor->device = DLB_CPU;
    if (nbytes == 0) {
        tensor->data = NULL; /* the producer frees its data together with its tensor */
        return 0;
    }
    from->copy = (uint64_t)nbytes > SIZE_MAX - alignment ? NULL : malloc((size_t)nbytes + alignment);
    if (from->copy == NULL) {
        return dlb_fail(error, DLB_MEMORY_ERROR, "%s: no memory for a copy of %" PRId64 " bytes", from->view->name,
                        nbytes);
    }
    tensor->data = dlb_copy_compact(tensor, maker->order, dlb_next_aligned(from->copy, alignment));
    return 0;
}

/* Checks that the CPU can copy the elements. Packed elements must be compact already. Returns 0, or -1 with `error` filled. */
static int check_copyable(const dlb_maker *maker, const dlb_view *view, dlb_error *error)
{
    const DLTensor *const tensor = view->tensor;

    if (!dlb_host_readable(tensor->device.device_type)) {
        char text[DLB_NAME_SIZE];

        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: data on %s cannot be copied by the CPU", view->name,
                        dlb_device_name(tensor->device.device_type, text));
    }
    if (tensor->dtype.bits % 8 != 0 && !(dlb_is_compact(tensor, DLB_ORDER_C) &&
                                         dlb_is_compact(tensor, maker->order))) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: elements of %d bits are packed, and cannot be copied one by one",
                        view->name, tensor->dtype.bits);
    }
    return 0;
}

/* Checks the layout that the factory requires, and copies the array if that is needed and allowed. Returns 0, or -1 with `error` filled. */
static int validate_layout(const dlb_maker *maker, dlb_incoming *from, dlb_error *error)
{
    DLTensor *const tensor = from->view->tensor;
    const char *const name = from->view->name;

    if (maker->copy != DLB_COPY_ALWAYS) {
        if (dlb_check_layout(maker, tensor, from->readonly, name, error) == 0) {
            return 0;
        }
        if (maker->copy == DLB_COPY_NEVER || check_copyable(maker, from->view, NULL) != 0) {
            return -1;
        }
    } else if (check_copyable(maker, from->view, error) != 0) {
        return -1;
    }
    if (copy_memory(maker, from, error) != 0) {
        return -1;
    }
    if (maker->order == DLB_ORDER_F) {
        dlb_compact_fortran_tensor(tensor, tensor->ndim);
    } else {
        dlb_compact_tensor(tensor, tensor->ndim);
    }
    if (dlb_check_layout(maker, tensor, 0, name, error) != 0) {
        free(from->copy);
        return -1;
    }
    return 0;
}

int dlb_receive(const dlb_maker *maker, const dlb_memory *memory, dlb_incoming *from, dlb_error *error)
{
    DLTensor *const tensor = &from->view->own;

    from->view->tensor = tensor;
    from->copied = false;
    from->copy = NULL;
    from->readonly = (memory->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
    if (dlb_allows(maker, from->readonly) && dlb_is_fast(maker, memory->tensor)) {
        from->view->tensor = (DLTensor *)(uintptr_t)memory->tensor; /* nobody writes to it */
        return 0;
    }
    if (validate_foreign(memory->tensor, from->view, error) != 0 ||
        dlb_check_request(maker, tensor, from->view->name, error) != 0) {
        return -1;
    }
    if ((memory->flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) != 0 && tensor->dtype.bits % 8 != 0) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: padded elements below eight bits are not supported",
                        from->view->name);
    }
    dlb_normalise_strides(tensor, maker->order);
    return validate_layout(maker, from, error);
}

/* ---- Imports ---- */

/* Gives the foreign memory to the library (`lease`) or to the owner. If the array was copied, the foreign tensor is released at once. */
static void give_memory(const dlb_memory *memory, const dlb_incoming *from, dlb_lease *lease, dlb_owner *owner)
{
    if (lease == NULL) {
        owner->foreign = true;
        owner->kept.keeper = from->copied ? from->copy : memory->keeper;
        owner->kept.let_go = from->copied ? free : memory->let_go;
    } else if (from->copied) {
        dlb_lease_grant(lease, NULL, NULL);
    } else {
        dlb_lease_grant(lease, memory->let_go, memory->keeper);
    }
    if (from->copied) {
        memory->let_go(memory->keeper);
    }
}

dlb_owner *dlb_import_slow(const dlb_type *type, const dlb_maker *maker, const dlb_memory *memory,
                           const void *params, dlb_error *error)
{
    dlb_request request = {type, maker, NULL, 0, 1, params, NULL};
    dlb_view view;
    dlb_incoming from = {.view = &view};
    dlb_owner *owner;
    bool refused;

    view.name = type->name;
    if (dlb_receive(maker, memory, &from, error) != 0) {
        return NULL;
    }
    if (view.tensor->byte_offset != 0) {
        free(from.copy);
        (void)dlb_fail(error, DLB_BUFFER_ERROR, "%s: byte_offset is %" PRIu64 ", and the data is a handle, not an address",
                       type->name, view.tensor->byte_offset);
        return NULL;
    }
    request.tensor = view.tensor;
    request.readonly = from.readonly;
    if (maker->lease) {
        request.lease = dlb_lease_new(type->name, from.copy, error);
        if (request.lease == NULL) {
            free(from.copy);
            return NULL;
        }
    }
    owner = dlb_make(&request, &refused, error);
    if (owner != NULL) {
        give_memory(memory, &from, request.lease, owner);
        owner->flags = from.readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
    } else if (request.lease != NULL) {
        dlb_lease_revoke(request.lease, refused);
    } else {
        free(from.copy);
    }
    return owner;
}

int dlb_import_memory(const dlb_type *type, const dlb_maker *maker, const dlb_memory *memory, const void *params,
                      dlb_owner **out, dlb_error *error)
{
    dlb_owner *owner = NULL;

    if (DLB_UNLIKELY(maker == NULL)) {
        return dlb_fail(error, DLB_TYPE_ERROR, "%s: it cannot be made from an array", type->name);
    }
    if (type->import_fast != NULL && maker == type->importer) {
        owner = dlb_import_fast(type, memory, NULL);
    }
    if (owner == NULL) {
        owner = dlb_import_slow(type, maker, memory, params, error);
    }
    if (owner == NULL) {
        return -1;
    }
    *out = owner;
    return 0;
}

void dlb_end_versioned(void *keeper)
{
    DLManagedTensorVersioned *const tensor = keeper;

    if (tensor->deleter != NULL) {
        tensor->deleter(tensor);
    }
}

void dlb_end_legacy(void *keeper)
{
    DLManagedTensor *const tensor = keeper;

    if (tensor->deleter != NULL) {
        tensor->deleter(tensor);
    }
}

int dlb_import_with(const dlb_type *type, DLManagedTensorVersioned *tensor, const void *params, dlb_owner **out,
                    dlb_error *error)
{
    if (tensor == NULL) {
        return dlb_fail(error, DLB_VALUE_ERROR, "%s: the managed tensor is NULL", type->name);
    }
    if (tensor->version.major != DLB_VERSION_MAJOR) { /* then no other member may be read */
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the array is in DLPack version %" PRIu32 ".%" PRIu32 ", not %d.x",
                        type->name, tensor->version.major, tensor->version.minor, DLB_VERSION_MAJOR);
    }
    return dlb_import_memory(type, type->importer,
                             &(dlb_memory){&tensor->dl_tensor, tensor->flags, tensor, dlb_end_versioned}, params, out,
                             error);
}

int dlb_import_legacy_with(const dlb_type *type, DLManagedTensor *tensor, const void *params, dlb_owner **out,
                           dlb_error *error)
{
    if (tensor == NULL) {
        return dlb_fail(error, DLB_VALUE_ERROR, "%s: the managed tensor is NULL", type->name);
    }
    return dlb_import_memory(type, type->importer, &(dlb_memory){&tensor->dl_tensor, 0, tensor, dlb_end_legacy}, params,
                             out, error);
}

int dlb_import(const dlb_type *type, DLManagedTensorVersioned *tensor, dlb_owner **out, dlb_error *error)
{
    return dlb_import_with(type, tensor, NULL, out, error);
}

int dlb_import_legacy(const dlb_type *type, DLManagedTensor *tensor, dlb_owner **out, dlb_error *error)
{
    return dlb_import_legacy_with(type, tensor, NULL, out, error);
}
