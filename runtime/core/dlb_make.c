/* SPDX-License-Identifier: MIT-0 */
/* Makes objects of the library in new owners: from an array that meets the requirements, or from a shape and a dtype. */
#include "dlb_gather.h"
#include "dlb_import.h"

#include <inttypes.h>
#include <string.h>

/* The alignment in bytes of the parameters that follow a box. */
enum { PARAMS_ALIGNMENT = 16 };

/* Returns the device type that the factory lists for an accepted array: its own type, or kDLCPU if the CPU can read the memory. */
static inline DLDeviceType listed_device(const dlb_maker *maker, DLDeviceType type)
{
    for (size_t i = 0; i < maker->device_count; i++) {
        if (maker->devices[i] == type) {
            return type;
        }
    }
    return kDLCPU;
}

const int64_t *dlb_packed_byte_strides(dlb_source *source)
{
    const int64_t bits = (int64_t)source->dtype.bits * source->dtype.lanes;

    for (int32_t axis = 0; axis < source->ndim; axis++) {
        const int64_t stride = source->strides[axis];

        source->byte_strides[axis] =
            (int64_t)((uint64_t)(stride / 8) * (uint64_t)bits + (uint64_t)(stride % 8 * bits / 8));
    }
    return source->byte_strides;
}

int64_t dlb_source_nbytes(const dlb_source *source)
{
    int64_t count = 1;

    for (int32_t axis = 0; axis < source->ndim; axis++) {
        count *= source->shape[axis];
    }
    return dlb_nbytes(source->dtype, count);
}

/* Converts the array to the form that factories read. */
static inline void fill_source(dlb_source *source, const dlb_request *request)
{
    const dlb_maker *const maker = request->maker;
    const DLTensor *const tensor = request->tensor;

    source->shape = tensor->shape;
    source->strides = tensor->strides;
    if (maker->order == DLB_ORDER_REVERSED) {
        const size_t size = sizeof(int64_t) * (size_t)tensor->ndim;

        source->shape = memcpy(source->axes, tensor->shape, size);
        source->strides = memcpy(source->axes + DLB_MAX_NDIM, tensor->strides, size);
        dlb_reverse(source->axes, tensor->ndim);
        dlb_reverse(source->axes + DLB_MAX_NDIM, tensor->ndim);
    }
    source->data = tensor->data;
    source->ndim = tensor->ndim;
    source->device_type = listed_device(maker, tensor->device.device_type);
    source->device_id = tensor->device.device_id;
    source->dtype = tensor->dtype;
    source->readonly = request->readonly;
    source->user = request->lease;
    source->name = request->type->name;
    source->itself = source;
    source->last.text = NULL;
    source->fault.slot = NULL;
}

/* Reports that a new object shows another extent or stride than the array; returns -1. */
static int report_difference(const char *name, const char *slot, int32_t axis, int64_t made, int64_t wanted, dlb_error *error)
{
    return dlb_fail(error, DLB_BUFFER_ERROR,
                    "%s: the new object shows %s[%" PRId32 "] as %" PRId64 ", not %" PRId64
                    ": this value was lost",
                    name, slot, axis, made, wanted);
}

/* Returns whether the devices are equal. A new object on the CPU may show any memory that the CPU can read. */
static bool same_device(DLDevice made, DLDevice wanted)
{
    if (made.device_type == kDLCPU && dlb_host_readable(wanted.device_type)) {
        return true;
    }
    return made.device_type == wanted.device_type && made.device_id == wanted.device_id;
}

/* Checks that a new object shows the array that it was made from. This finds members that a spec does not set, before anyone
 * reads wrong elements. `layout`: compares strides, device and data too. Returns 0, or -1 with `error` filled. */
DLB_COLD static int compare_tensors(const dlb_type *type, const DLTensor *made, const DLTensor *wanted, int layout, dlb_error *error)
{
    const bool empty = dlb_element_count(wanted) == 0;

    if (made->ndim != wanted->ndim) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the new object shows %" PRId32 " axes, not %" PRId32, type->name,
                        made->ndim, wanted->ndim);
    }
    if (!dlb_same_dtype(made->dtype, wanted->dtype)) {
        char text[DLB_NAME_SIZE];
        char expected[DLB_NAME_SIZE];

        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the new object shows dtype %s, not %s", type->name,
                        dlb_dtype_name(made->dtype, text), dlb_dtype_name(wanted->dtype, expected));
    }
    if (layout && !same_device(made->device, wanted->device)) {
        char text[DLB_NAME_SIZE];
        char expected[DLB_NAME_SIZE];

        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the new object shows device %s:%" PRId32 ", not %s:%" PRId32,
                        type->name, dlb_device_name(made->device.device_type, text), made->device.device_id,
                        dlb_device_name(wanted->device.device_type, expected), wanted->device.device_id);
    }
    for (int32_t axis = 0; axis < wanted->ndim; axis++) {
        if (made->shape[axis] != wanted->shape[axis]) {
            return report_difference(type->name, "shape", axis, made->shape[axis], wanted->shape[axis], error);
        }
        if (layout && !empty && wanted->shape[axis] != 1 && made->strides[axis] != wanted->strides[axis]) {
            return report_difference(type->name, "strides", axis, made->strides[axis], wanted->strides[axis], error);
        }
    }
    if (layout && made->data != wanted->data && !empty) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the new object shows other memory than the array", type->name);
    }
    return 0;
}

/* Describes a new object and compares it with the request. Uses the object as it is, even if its exports are copies. */
static inline int check_object(const dlb_type *type, void *object, const dlb_request *request, dlb_error *error)
{
    dlb_gather storage;
    dlb_view made;

    made.tensor = &made.own;
    made.exporting = 0;
    made.gather = request->layout ? NULL : dlb_gather_start(&storage, type, false); /* tables of row pointers may have any distances */
    if (dlb_describe_into(type, object, made.axes, DLB_MAX_NDIM, &made, error) != 0) {
        return -1;
    }
    return dlb_has_same_layout(made.tensor, request->tensor) && dlb_is_on_same_device(made.tensor, request->tensor)
               ? 0
               : compare_tensors(type, made.tensor, request->tensor, request->layout, error);
}

/* Enters the access scope and compares the new object with the request. Returns 0, or -1 with `error` filled. */
static int check_made(dlb_owner *owner, const dlb_request *request, dlb_error *error)
{
    int result;

    if (dlb_access_begin(owner, error) != 0) {
        return -1;
    }
    result = check_object(owner->type, owner->object, request, error);
    dlb_access_end(owner, false);
    return result;
}

/* Allocates the owner with storage for the object and the parameters. The parameters get their defaults if the caller gives
 * none. Returns NULL with `error` filled if a required parameter is missing or memory runs out. */
static dlb_owner *new_owner(const dlb_request *request, dlb_source *source, dlb_error *error)
{
    const dlb_maker *const maker = request->maker;
    const size_t params_at = (maker->box + PARAMS_ALIGNMENT - 1) / PARAMS_ALIGNMENT * PARAMS_ALIGNMENT;
    const bool defaults = request->params == NULL && maker->params_size > 0;
    dlb_owner *owner;
    void *box;

    for (size_t i = 0; defaults && i < maker->param_count; i++) {
        if (maker->params[i].required) {
            (void)dlb_fail(error, DLB_TYPE_ERROR, "%s: from_dlpack() needs the argument '%s'", request->type->name,
                           maker->params[i].name);
            return NULL;
        }
    }
    owner = dlb_owner_new(request->type, defaults ? params_at + maker->params_size : maker->box, &box, error);
    if (owner == NULL) {
        return NULL;
    }
    source->box = maker->box > 0 ? box : NULL;
    source->params = request->params;
    if (defaults) {
        void *const params = (char *)box + params_at;

        if (maker->defaults != NULL) {
            maker->defaults(params);
        }
        source->params = params;
    }
    return owner;
}

/* Copies the values of the import's parameters to parameters of the object with equal names. */
static void carry_params(const dlb_type *type, void *state, const dlb_maker *maker, const void *params)
{
    for (size_t i = 0; i < type->param_count; i++) {
        const dlb_param *const to = &type->params[i];

        for (size_t k = 0; k < maker->param_count; k++) {
            const dlb_param *const from = &maker->params[k];

            if (strcmp(to->name, from->name) == 0 && to->kind == from->kind && to->size == from->size) {
                memcpy((char *)state + to->offset, (const char *)params + from->offset, to->size);
            }
        }
    }
}

/* Stores the new object in its owner and checks it. Returns 0, or -1 with `error` filled. */
static int store_object(dlb_owner *owner, const dlb_request *request, const void *params, void *object, dlb_error *error)
{
    const dlb_type *const type = request->type;

    if (type->defaults != NULL) {
        type->defaults(owner->object);
    }
    carry_params(type, owner->object, request->maker, params);
    dlb_owner_put(owner, object);
    owner->release = request->maker->destroy;
    if (type->hold != NULL && type->hold(owner->object, error) != 0) {
        return -1;
    }
    return type->describe != NULL ? check_made(owner, request, error) : 0;
}

/* Calls the factory. Returns NULL with `error` filled if it makes no object. */
static void *make_object(const dlb_request *request, dlb_source *source, dlb_error *error)
{
    void *const object = request->maker->make(source, error);

    if (object != NULL && request->type->points && dlb_first_member(object) == NULL) {
        (void)dlb_fail(error, DLB_RUNTIME_ERROR, "%s: the new object is NULL", request->type->name);
        return NULL;
    }
    return object;
}

dlb_owner *dlb_make(const dlb_request *request, bool *refused, dlb_error *error)
{
    const dlb_type *const type = request->type;
    dlb_source source;
    dlb_owner *owner;
    void *object;

    *refused = true;
    owner = new_owner(request, &source, error);
    if (owner == NULL) {
        return NULL;
    }
    if (type->release_on == DLB_RELEASE_CREATOR && dlb_creator_enlist(owner, error) != 0) {
        dlb_owner_disown(owner);
        return NULL;
    }
    fill_source(&source, request);
    object = make_object(request, &source, error);
    if (object == NULL) {
        dlb_owner_disown(owner);
        return NULL;
    }
    *refused = false;
    if (store_object(owner, request, source.params, object, error) != 0) {
        dlb_owner_drop(owner);
        return NULL;
    }
    return owner;
}

int dlb_make_temporary(const dlb_request *request, void *box, void **object, dlb_error *error)
{
    const dlb_maker *const maker = request->maker;
    dlb_source source;

    memset(box, 0, maker->box);
    source.box = box;
    source.params = NULL;
    fill_source(&source, request);
    *object = make_object(request, &source, error);
    if (*object == NULL) {
        return -1;
    }
    if (check_object(request->type, *object, request, error) != 0) {
        if (maker->destroy != NULL) {
            maker->destroy(*object);
        }
        return -1;
    }
    return 0;
}

/* ---- Objects without an array (allocate) ---- */

/* Makes a new object for the rank, dtype and shape of `prototype`. Returns NULL with `error` filled on failure. */
static dlb_owner *allocate(const dlb_type *type, const DLTensor *prototype, dlb_error *error)
{
    const dlb_maker *const maker = type->allocator;
    int64_t strides[DLB_MAX_NDIM];
    dlb_request request;
    DLTensor tensor;
    int64_t count;
    bool refused;

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
    tensor = *prototype;
    tensor.data = NULL;
    tensor.device = DLB_CPU;
    tensor.strides = strides;
    dlb_compact_tensor(&tensor, tensor.ndim);
    request = (dlb_request){type, maker, &tensor, 0, 0, NULL, NULL};
    return dlb_make(&request, &refused, error);
}

int dlb_allocate(const dlb_type *type, const DLTensor *prototype, dlb_owner **out, dlb_error *error)
{
    dlb_owner *owner;

    if (type->allocator == NULL) {
        return dlb_fail(error, DLB_TYPE_ERROR, "%s: new arrays cannot be allocated", type->name);
    }
    owner = allocate(type, prototype, error);
    if (owner == NULL) {
        if (error != NULL && error->status == DLB_BUFFER_ERROR) {
            error->status = DLB_VALUE_ERROR; /* the arguments are wrong, not an array */
        }
        return -1;
    }
    *out = owner;
    return 0;
}

void *dlb_make_any_trivial(const dlb_maker *maker, int (*describe)(void *object, dlb_view *view, dlb_error *error),
                           const DLTensor *array, int readonly, void *box)
{
    return dlb_make_trivial(maker, describe, array, readonly, box);
}
