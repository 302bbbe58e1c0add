/* SPDX-License-Identifier: MIT-0 */
/* From somebody's managed tensor, or from nothing but a shape, to an object of the library in an owner. */
#include "dlb_internal.h"

#include <inttypes.h>
#include <string.h>

int64_t dlb_source_keep(dlb_source *source, dlb_integer value)
{
    source->last = value;
    return value.value;
}

void dlb_source_check(dlb_source *source, dlb_integer stored)
{
    const dlb_integer wanted = source->last;

    source->last.text = NULL;
    if (wanted.text != NULL && stored.fits >= 0 && (stored.value != wanted.value || stored.fits != wanted.fits)) {
        dlb_note_fault(&source->fault, stored.text, -1, wanted, "that does not fit there");
    }
}

/* Checks what a foreign producer wrote, and copies it: shape and strides to the `axes` of the view, the offset into the
 * data. Nothing of `foreign` is used afterwards but its deleter. */
static int take_over(const DLTensor *foreign, dlb_view *view, dlb_error *error)
{
    DLTensor *const tensor = &view->tensor;
    const char *const name = view->name;
    int64_t count;

    *tensor = *foreign;
    tensor->shape = view->axes;
    tensor->strides = view->axes + DLB_MAX_NDIM;
    if (foreign->ndim < 0 || foreign->ndim > DLB_MAX_NDIM) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the array says that it has %" PRId32 " axes", name, foreign->ndim);
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
    if (foreign->strides == NULL) { /* before DLPack 1.2: compact */
        dlb_compact(view);
    } else if (foreign->ndim > 0) {
        memcpy(tensor->strides, foreign->strides, sizeof(int64_t) * (size_t)foreign->ndim);
    }
    if (count == 0) {
        return 0;
    }
    if (tensor->data == NULL) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the data of the array is NULL, but it has %" PRId64 " elements",
                        name, count);
    }
    if (tensor->byte_offset > PTRDIFF_MAX || tensor->byte_offset > UINTPTR_MAX - (uintptr_t)tensor->data) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: byte_offset is %" PRIu64 ": it leads beyond what can be addressed",
                        name, tensor->byte_offset);
    }
    tensor->data = (char *)tensor->data + tensor->byte_offset;
    tensor->byte_offset = 0;
    return dlb_check_span(tensor, name, error);
}

/* The device type of the maker's list under which the array was accepted: its own, or the CPU that reads its memory. */
static DLDeviceType listed_device(const dlb_maker *maker, DLDeviceType type)
{
    for (size_t i = 0; i < maker->device_count; i++) {
        if (maker->devices[i] == type) {
            return type;
        }
    }
    return kDLCPU;
}

/* The array as the makers see it. */
static void fill_source(dlb_source *source, const dlb_maker *maker, const DLTensor *tensor, const char *name, void *box)
{
    int64_t *const shape = source->axes;
    int64_t *const strides = source->axes + DLB_MAX_NDIM;
    int64_t *const byte_strides = source->axes + 2 * DLB_MAX_NDIM;
    const int64_t itemsize = dlb_itemsize(tensor->dtype);

    for (int32_t axis = 0; axis < tensor->ndim; axis++) {
        shape[axis] = tensor->shape[axis];
        strides[axis] = tensor->strides[axis];
    }
    if (maker->order == DLB_ORDER_REVERSED) {
        dlb_reverse(shape, tensor->ndim);
        dlb_reverse(strides, tensor->ndim);
    }
    for (int32_t axis = 0; axis < tensor->ndim; axis++) {
        /* only an axis of extent 1 or an empty array can overflow here, and its stride is never used */
        byte_strides[axis] = (int64_t)((uint64_t)strides[axis] * (uint64_t)itemsize);
    }
    source->data = tensor->data;
    source->ndim = tensor->ndim;
    source->shape = shape;
    source->strides = strides;
    source->byte_strides = byte_strides;
    source->itemsize = itemsize;
    source->nbytes = dlb_nbytes(tensor->dtype, dlb_element_count(tensor));
    source->device_type = listed_device(maker, tensor->device.device_type);
    source->device_id = tensor->device.device_id;
    source->dtype = tensor->dtype;
    source->box = box;
    source->name = name;
    source->last.text = NULL;
    source->fault.slot = NULL;
}

static int differs(const char *name, const char *slot, int32_t axis, int64_t made, int64_t wanted, dlb_error *error)
{
    return dlb_fail(error, DLB_BUFFER_ERROR,
                    "%s: the new object shows %s[%" PRId32 "] as %" PRId64 ", not %" PRId64
                    ": the spec does not carry it over",
                    name, slot, axis, made, wanted);
}

/* Memory that the CPU reads is as good on the CPU. */
static bool same_device(DLDevice made, DLDevice wanted)
{
    if (made.device_type == kDLCPU && dlb_host_readable(wanted.device_type)) {
        return true;
    }
    return made.device_type == wanted.device_type && made.device_id == wanted.device_id;
}

/* A new object must show the array that it was made for: what a spec forgets to carry over is found here, before anybody
 * reads wrong elements. `layout`: strides and data too. */
static int check_made(const dlb_type *type, void *object, const DLTensor *wanted, int layout, dlb_error *error)
{
    const bool empty = dlb_element_count(wanted) == 0;
    dlb_view made;

    if (dlb_describe(type, object, &made, error) != 0) {
        return -1;
    }
    if (made.tensor.ndim != wanted->ndim) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the new object shows %" PRId32 " axes, not %" PRId32, type->name,
                        made.tensor.ndim, wanted->ndim);
    }
    if (!dlb_same_dtype(made.tensor.dtype, wanted->dtype)) {
        char text[DLB_NAME_TEXT];
        char expected[DLB_NAME_TEXT];

        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the new object shows dtype %s, not %s", type->name,
                        dlb_dtype_name(made.tensor.dtype, text), dlb_dtype_name(wanted->dtype, expected));
    }
    if (layout && !same_device(made.tensor.device, wanted->device)) {
        char text[DLB_NAME_TEXT];
        char expected[DLB_NAME_TEXT];

        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the new object shows device %s:%" PRId32 ", not %s:%" PRId32,
                        type->name, dlb_device_name(made.tensor.device.device_type, text),
                        made.tensor.device.device_id, dlb_device_name(wanted->device.device_type, expected),
                        wanted->device.device_id);
    }
    for (int32_t axis = 0; axis < wanted->ndim; axis++) {
        if (made.tensor.shape[axis] != wanted->shape[axis]) {
            return differs(type->name, "shape", axis, made.tensor.shape[axis], wanted->shape[axis], error);
        }
        if (layout && !empty && wanted->shape[axis] != 1 && made.tensor.strides[axis] != wanted->strides[axis]) {
            return differs(type->name, "strides", axis, made.tensor.strides[axis], wanted->strides[axis], error);
        }
    }
    if (layout && made.tensor.data != wanted->data && !empty) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the new object shows other memory than the array", type->name);
    }
    return 0;
}

/* Makes the object that `source` asks for in a new owner, which does not hold anything foreign yet. */
static dlb_owner *make(const dlb_type *type, const dlb_maker *maker, const DLTensor *tensor, int readonly, int layout,
                       dlb_error *error)
{
    dlb_owner *const owner = dlb_owner_new(type, maker->box, error);
    dlb_source source;

    if (owner == NULL) {
        return NULL;
    }
    fill_source(&source, maker, tensor, type->name, owner->object);
    source.readonly = readonly;
    owner->object = maker->make(&source, error);
    if (owner->object == NULL) {
        dlb_owner_disown(owner);
        return NULL;
    }
    owner->release = maker->destroy;
    if (check_made(type, owner->object, tensor, layout, error) != 0) {
        dlb_owner_drop(owner);
        return NULL;
    }
    return owner;
}

/* All of an import but taking over the deleter. */
static dlb_owner *make_from(const dlb_type *type, const DLTensor *foreign, uint64_t flags, dlb_error *error)
{
    const int readonly = (flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
    const dlb_maker *const maker = type->importer;
    dlb_owner *owner;
    dlb_view view;

    if (maker == NULL) {
        (void)dlb_fail(error, DLB_TYPE_ERROR, "%s: its spec has no import", type->name);
        return NULL;
    }
    view.name = type->name;
    if (take_over(foreign, &view, error) != 0) {
        return NULL;
    }
    if (dlb_check_request(maker, &view.tensor, type->name, error) != 0) {
        return NULL;
    }
    if ((flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) != 0) {
        (void)dlb_fail(error, DLB_BUFFER_ERROR, "%s: padded elements below eight bits are not supported", type->name);
        return NULL;
    }
    dlb_normalise_strides(&view.tensor, maker->order);
    if (dlb_check_layout(maker, &view.tensor, readonly, type->name, error) != 0) {
        return NULL;
    }
    owner = make(type, maker, &view.tensor, readonly, 1, error);
    if (owner != NULL && readonly) {
        owner->flags = DLPACK_FLAG_BITMASK_READ_ONLY;
    }
    return owner;
}

static void let_go_versioned(void *keeper)
{
    DLManagedTensorVersioned *const tensor = keeper;

    if (tensor->deleter != NULL) {
        tensor->deleter(tensor);
    }
}

static void let_go_legacy(void *keeper)
{
    DLManagedTensor *const tensor = keeper;

    if (tensor->deleter != NULL) {
        tensor->deleter(tensor);
    }
}

int dlb_import(const dlb_type *type, DLManagedTensorVersioned *tensor, dlb_owner **out, dlb_error *error)
{
    dlb_owner *owner;

    if (tensor == NULL) {
        return dlb_fail(error, DLB_VALUE_ERROR, "%s: the managed tensor is NULL", type->name);
    }
    if (tensor->version.major != DLPACK_MAJOR_VERSION) { /* then nothing else may be read */
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the array is in DLPack version %" PRIu32 ".%" PRIu32 ", not %d.x",
                        type->name, tensor->version.major, tensor->version.minor, DLPACK_MAJOR_VERSION);
    }
    owner = make_from(type, &tensor->dl_tensor, tensor->flags, error);
    if (owner == NULL) {
        return -1;
    }
    owner->keeper = tensor;
    owner->let_go = let_go_versioned;
    *out = owner;
    return 0;
}

int dlb_import_legacy(const dlb_type *type, DLManagedTensor *tensor, dlb_owner **out, dlb_error *error)
{
    dlb_owner *owner;

    if (tensor == NULL) {
        return dlb_fail(error, DLB_VALUE_ERROR, "%s: the managed tensor is NULL", type->name);
    }
    owner = make_from(type, &tensor->dl_tensor, 0, error);
    if (owner == NULL) {
        return -1;
    }
    owner->keeper = tensor;
    owner->let_go = let_go_legacy;
    *out = owner;
    return 0;
}

static dlb_owner *allocate(const dlb_type *type, const DLTensor *prototype, dlb_error *error)
{
    const dlb_maker *const maker = type->allocator;
    dlb_view view;
    int64_t count;

    if (prototype->ndim < 0 || prototype->ndim > DLB_MAX_NDIM) {
        (void)dlb_fail(error, DLB_VALUE_ERROR, "%s: an array cannot have %" PRId32 " axes", type->name, prototype->ndim);
        return NULL;
    }
    if (prototype->ndim > 0 && prototype->shape == NULL) {
        (void)dlb_fail(error, DLB_VALUE_ERROR, "%s: the shape of the array is NULL", type->name);
        return NULL;
    }
    if (dlb_check_extents(prototype, type->name, &count, error) != 0 ||
        dlb_check_request(maker, prototype, type->name, error) != 0) {
        return NULL;
    }
    view.tensor = *prototype;
    view.tensor.data = NULL;
    view.tensor.device = DLB_CPU;
    view.tensor.strides = view.axes;
    dlb_compact(&view);
    return make(type, maker, &view.tensor, 0, 0, error);
}

int dlb_allocate(const dlb_type *type, const DLTensor *prototype, dlb_owner **out, dlb_error *error)
{
    dlb_owner *owner;

    if (type->allocator == NULL) {
        return dlb_fail(error, DLB_TYPE_ERROR, "%s: its spec has no allocate", type->name);
    }
    owner = allocate(type, prototype, error);
    if (owner == NULL) {
        if (error != NULL && error->status == DLB_BUFFER_ERROR) {
            error->status = DLB_VALUE_ERROR; /* no array is at fault, but the arguments */
        }
        return -1;
    }
    *out = owner;
    return 0;
}
