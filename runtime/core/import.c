/* SPDX-License-Identifier: MIT-0 */
/* Imports: checks a foreign array, makes an object that shows it, and compares both. */

#include "exchange.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Leases ---- */

struct dlb_lease {
    dlb_count holders;
    void (*let_go)(void *keeper); /* NULL until the import has succeeded, and for a copy */
    void *keeper;
    void *copy;
    dlb_deferred deferred;
};

dlb_lease *dlb_lease_new(const char *name, void *copy, dlb_error *error)
{
    dlb_lease *const lease = malloc(sizeof *lease);

    if (lease == NULL) {
        (void)dlb_fail(error, DLB_MEMORY_ERROR, "%s: no memory for a lease", name);
        return NULL;
    }
    dlb_count_start(&lease->holders, 2);
    lease->let_go = NULL;
    lease->keeper = NULL;
    lease->copy = copy;
    return lease;
}

/* Releases the foreign memory, or the copy, and frees the lease. */
static void finish_lease(void *what)
{
    dlb_lease *const lease = what;

    if (lease->let_go != NULL) {
        lease->let_go(lease->keeper);
    }
    free(lease->copy);
    free(lease);
}

void dlb_lease_end(void *user)
{
    dlb_lease *const lease = user;

    if (dlb_count_subtract(&lease->holders, 1) == 0) {
        dlb_destroy_or_defer(finish_lease, lease, &lease->deferred);
    }
}

void dlb_lease_grant(dlb_lease *lease, void (*let_go)(void *keeper), void *keeper)
{
    lease->let_go = let_go;
    lease->keeper = keeper;
    dlb_lease_end(lease);
}

void dlb_lease_revoke(dlb_lease *lease, bool refused)
{
    if (refused) {
        finish_lease(lease);
    } else {
        dlb_lease_end(lease);
    }
}

/* ---- Objects made from arrays ---- */

/* The alignment in bytes of the parameters that follow a box. */
enum { PARAMS_ALIGNMENT = 16 };

/* Returns the device type that the factory lists for an accepted array: its own type, or kDLCPU if the CPU can read the memory. */
static inline DLDeviceType listed_device(const dlb_requirements *require, DLDeviceType type)
{
    for (size_t i = 0; i < require->device_count; i++) {
        if (require->devices[i] == type) {
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
    const dlb_requirements *const require = request->require;
    const DLTensor *const tensor = request->tensor;

    source->shape = tensor->shape;
    source->strides = tensor->strides;
    if (require->order == DLB_ORDER_REVERSED) {
        const size_t size = sizeof(int64_t) * (size_t)tensor->ndim;

        source->shape = memcpy(source->axes, tensor->shape, size);
        source->strides = memcpy(source->axes + DLB_MAX_NDIM, tensor->strides, size);
        dlb_reverse(source->axes, tensor->ndim);
        dlb_reverse(source->axes + DLB_MAX_NDIM, tensor->ndim);
    }
    source->data = tensor->data;
    source->ndim = tensor->ndim;
    source->device_type = listed_device(require, tensor->device.device_type);
    source->device_id = tensor->device.device_id;
    source->dtype = tensor->dtype;
    source->readonly = request->readonly;
    source->user = request->lease;
    source->name = request->type->name;
    source->itself = source;
    source->last.expression = NULL;
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
        char buffer[DLB_NAME_SIZE];
        char expected[DLB_NAME_SIZE];

        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the new object shows dtype %s, not %s: the import must set the dtype of the array", type->name,
                        dlb_dtype_name(made->dtype, buffer), dlb_dtype_name(wanted->dtype, expected));
    }
    if (layout && !same_device(made->device, wanted->device)) {
        char buffer[DLB_NAME_SIZE];
        char expected[DLB_NAME_SIZE];

        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the new object shows device %s:%" PRId32 ", not %s:%" PRId32,
                        type->name, dlb_device_name(made->device.device_type, buffer), made->device.device_id,
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
    DLB_CHECK(dlb_checked_made(request, &made));
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
    const dlb_factory *const factory = request->factory;
    const size_t params_at = (factory->box + PARAMS_ALIGNMENT - 1) / PARAMS_ALIGNMENT * PARAMS_ALIGNMENT;
    const bool defaults = request->params == NULL && factory->params_size > 0;
    dlb_owner *owner;
    void *box;

    for (size_t i = 0; defaults && i < factory->param_count; i++) {
        if (factory->params[i].required) {
            (void)dlb_fail(error, DLB_TYPE_ERROR, "%s: %s() needs the argument '%s'", request->type->name,
                           factory == request->type->allocator ? "empty" : "from_dlpack", factory->params[i].name);
            return NULL;
        }
    }
    owner = dlb_owner_new(request->type, defaults ? params_at + factory->params_size : factory->box, &box, error);
    if (owner == NULL) {
        return NULL;
    }
    source->box = factory->box > 0 ? box : NULL;
    source->params = request->params;
    if (defaults) {
        void *const params = (char *)box + params_at;

        if (factory->defaults != NULL) {
            factory->defaults(params);
        }
        source->params = params;
    }
    return owner;
}

/* Copies the values of the import's parameters to parameters of the object with equal names. */
static void carry_params(const dlb_type *type, void *state, const dlb_factory *factory, const void *params)
{
    for (size_t i = 0; i < type->param_count; i++) {
        const dlb_param *const to = &type->params[i];

        for (size_t k = 0; k < factory->param_count; k++) {
            const dlb_param *const from = &factory->params[k];

            if (strcmp(to->name, from->name) == 0 && to->ctype_class == from->ctype_class && to->size == from->size) {
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
    carry_params(type, owner->object, request->factory, params);
    dlb_owner_set_object(owner, object);
    owner->release = request->factory->destroy;
    if (type->hold != NULL && type->hold(owner->object, error) != 0) {
        return -1;
    }
    return type->describe != NULL ? check_made(owner, request, error) : 0;
}

/* Calls the factory. Returns NULL with `error` filled if it makes no object. */
static void *make_object(const dlb_request *request, dlb_source *source, dlb_error *error)
{
    void *const object = request->factory->make(source, error);

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
        dlb_owner_free(owner);
        return NULL;
    }
    fill_source(&source, request);
    DLB_CHECK(dlb_checked_making(type));
    object = make_object(request, &source, error);
    DLB_CHECK(dlb_checked_making(NULL));
    if (object == NULL) {
        dlb_owner_free(owner);
        return NULL;
    }
    *refused = false;
    if (store_object(owner, request, source.params, object, error) != 0) {
        dlb_owner_drop(owner);
        return NULL;
    }
    DLB_CHECK(dlb_checked_owned(owner, DLB_CHECKED_MADE));
    return owner;
}

int dlb_make_temporary(const dlb_request *request, void *box, void **object, dlb_error *error)
{
    const dlb_factory *const factory = request->factory;
    dlb_source source;

    memset(box, 0, factory->box);
    source.box = box;
    source.params = NULL;
    fill_source(&source, request);
    *object = make_object(request, &source, error);
    if (*object == NULL) {
        return -1;
    }
    if (check_object(request->type, *object, request, error) != 0) {
        if (factory->destroy != NULL) {
            factory->destroy(*object);
        }
        return -1;
    }
    return 0;
}

/* ---- Objects without an array (allocate) ---- */

/* Makes a new object for the rank, dtype and shape of `prototype`. Returns NULL with `error` filled on failure. */
static dlb_owner *allocate(const dlb_type *type, const DLTensor *prototype, const void *params, dlb_error *error)
{
    const dlb_factory *const allocator = type->allocator;
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
        dlb_check_request(allocator->require, prototype, type->name, error) != 0) {
        return NULL;
    }
    tensor = *prototype;
    tensor.data = NULL;
    tensor.device = DLB_CPU;
    tensor.strides = strides;
    dlb_compact_tensor(&tensor, tensor.ndim);
    request = (dlb_request){type, allocator, allocator->require, &tensor, 0, 0, params, NULL};
    return dlb_make(&request, &refused, error);
}

int dlb_allocate_with(const dlb_type *type, const DLTensor *prototype, const void *params, dlb_owner **out, dlb_error *error)
{
    dlb_owner *owner;

    if (type->allocator == NULL) {
        return dlb_fail(error, DLB_TYPE_ERROR, "%s: new arrays cannot be allocated", type->name);
    }
    owner = allocate(type, prototype, params, error);
    if (owner == NULL) {
        if (error != NULL && error->status == DLB_BUFFER_ERROR) {
            error->status = DLB_VALUE_ERROR; /* the arguments are wrong, not an array */
        }
        return -1;
    }
    *out = owner;
    return 0;
}

int dlb_allocate(const dlb_type *type, const DLTensor *prototype, dlb_owner **out, dlb_error *error)
{
    return dlb_allocate_with(type, prototype, NULL, out, error);
}

void *dlb_make_any_trivial(const dlb_factory *factory, int (*describe)(void *object, dlb_view *view, dlb_error *error),
                           const DLTensor *array, int readonly, void *box)
{
    return dlb_make_trivial(factory, describe, array, readonly, box);
}

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
    return dlb_check_addresses(tensor, name, error);
}

bool dlb_is_fast(const dlb_requirements *require, const DLTensor *tensor)
{
    return dlb_find_fast(require, tensor);
}

/* ---- Copies of foreign memory ---- */

/* Copies the elements to new memory, compact in the order of the spec. check_copyable() has passed. Returns 0, or -1 with
 * `error` filled if memory runs out. */
static int copy_memory(const dlb_requirements *require, dlb_incoming *from, dlb_error *error)
{
    DLTensor *const tensor = from->view->tensor;
    const int64_t nbytes = dlb_nbytes(tensor->dtype, dlb_element_count(tensor));
    const size_t alignment = dlb_copy_alignment(require);

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
    tensor->data = dlb_copy_compact(tensor, from->bytewise ? 1 : dlb_itemsize(tensor->dtype), require->order,
                                    dlb_next_aligned(from->copy, alignment));
    return 0;
}

/* Checks that the CPU can copy the elements. Packed elements must be compact already. Returns 0, or -1 with `error` filled. */
static int check_copyable(const dlb_requirements *require, const dlb_view *view, dlb_error *error)
{
    const DLTensor *const tensor = view->tensor;

    if (!dlb_host_readable(tensor->device.device_type)) {
        char buffer[DLB_NAME_SIZE];

        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: data on %s cannot be copied by the CPU", view->name,
                        dlb_device_name(tensor->device.device_type, buffer));
    }
    if (tensor->dtype.bits % 8 != 0 && !(dlb_is_compact(tensor, DLB_ORDER_C) &&
                                         dlb_is_compact(tensor, require->order))) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: elements of %d bits are packed, and cannot be copied one by one",
                        view->name, tensor->dtype.bits);
    }
    return 0;
}

/* Describes a copy as compact in the order of the spec, and checks its layout. Returns 0; or -1 with `error` filled, and frees the copy. */
static int finish_copy(const dlb_requirements *require, dlb_incoming *from, dlb_error *error)
{
    DLTensor *const tensor = from->view->tensor;

    if (require->order == DLB_ORDER_F) {
        dlb_compact_fortran_tensor(tensor, tensor->ndim);
    } else {
        dlb_compact_tensor(tensor, tensor->ndim);
    }
    if (dlb_check_layout(require, tensor, 0, from->view->name, error) != 0) {
        free(from->copy);
        return -1;
    }
    return 0;
}

/* Checks the layout that the factory requires, and copies the array if that is needed and allowed. `copied`: it is a copy already, in memory
 * that the CPU cannot read. Returns 0, or -1 with `error` filled. */
static int validate_layout(const dlb_requirements *require, bool copied, dlb_incoming *from, dlb_error *error)
{
    if (require->copy != DLB_COPY_ALWAYS || copied) {
        if (dlb_check_layout(require, from->view->tensor, from->readonly, from->view->name, error) == 0) {
            return 0;
        }
        if (require->copy == DLB_COPY_NEVER || check_copyable(require, from->view, NULL) != 0) {
            return -1;
        }
    } else if (check_copyable(require, from->view, error) != 0) {
        return -1;
    }
    return copy_memory(require, from, error) == 0 ? finish_copy(require, from, error) : -1;
}

/* Copies elements that DLPack cannot describe. Returns 0, or -1 with `error` filled: they may not be copied, or not converted. */
static int copy_bytes(const dlb_requirements *require, dlb_incoming *from, dlb_error *error)
{
    const DLTensor *const tensor = from->view->tensor;
    const int64_t size = dlb_itemsize(tensor->dtype);
    int32_t axis = 0;

    if (from->swapped) {
        char buffer[DLB_NAME_SIZE];

        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: the dtype is %s in the other byte order, not in that of this machine", from->view->name,
                        dlb_dtype_name(tensor->dtype, buffer));
    }
    if (require->copy != DLB_COPY_NEVER) {
        return check_copyable(require, from->view, error) == 0 && copy_memory(require, from, error) == 0 ? finish_copy(require, from, error) : -1;
    }
    while (axis < tensor->ndim - 1 && (tensor->strides[axis] % size == 0 || tensor->shape[axis] == 1)) {
        axis++;
    }
    return dlb_fail(error, DLB_BUFFER_ERROR, "%s: strides[%" PRId32 "] of the array is %" PRId64 " bytes: not a multiple of the item size %" PRId64,
                    from->view->name, axis, tensor->strides[axis], size);
}

/* Checks the tensor as if it had the dtype, and then converts its elements. Returns 0, or -1 with `error` filled. */
static int receive_cast(const dlb_requirements *require, DLDataType dtype, dlb_incoming *from, dlb_error *error)
{
    DLTensor *const tensor = from->view->tensor;
    const DLDataType given = tensor->dtype;
    int result;

    tensor->dtype = dtype;
    result = dlb_check_request(require, tensor, from->view->name, error);
    tensor->dtype = given;
    return result == 0 && dlb_cast_memory(require, dtype, from, error) == 0 ? finish_copy(require, from, error) : -1;
}

int dlb_receive(const dlb_requirements *require, const dlb_memory *memory, dlb_incoming *from, dlb_error *error)
{
    DLTensor *const tensor = &from->view->own;
    DLDataType dtype;
    bool valid, casts, copied;

    from->view->tensor = tensor;
    from->copied = false;
    from->copy = NULL;
    from->readonly = (memory->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
    if (!dlb_has_bytes(memory) && dlb_allows(require, from->readonly) && dlb_is_fast(require, memory->tensor)) {
        from->view->tensor = (DLTensor *)(uintptr_t)memory->tensor; /* nobody writes to it */
        return 0;
    }
    from->bytewise = dlb_has_bytes(memory);
    from->swapped = memory->elements.swapped;
    valid = validate_foreign(memory->tensor, from->view, error) == 0;
    if (from->bytewise) {
        tensor->dtype = memory->elements.dtype;
        tensor->ndim--;
    }
    casts = valid && require->cast != DLB_CAST_NEVER && dlb_find_cast(require, tensor->dtype, from->swapped, &dtype);
    if (!valid || (!casts && dlb_check_request(require, tensor, from->view->name, error) != 0)) {
        return -1;
    }
    if (casts) {
        return receive_cast(require, dtype, from, error);
    }
    if (from->bytewise) {
        return copy_bytes(require, from, error);
    }
    if ((memory->flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) != 0 && tensor->dtype.bits % 8 != 0) {
        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: padded elements below eight bits are not supported",
                        from->view->name);
    }
    dlb_normalise_strides(tensor, require->order);
    copied = (memory->flags & DLPACK_FLAG_BITMASK_IS_COPIED) != 0 && !dlb_host_readable(tensor->device.device_type);
    return validate_layout(require, copied, from, error);
}

/* ---- Imports ---- */

/* Gives the foreign memory to the library (`lease`) or to the owner. If the array was copied, the foreign tensor is released at once. */
static void give_memory(const dlb_memory *memory, const dlb_incoming *from, dlb_lease *lease, dlb_owner *owner)
{
    if (lease == NULL) {
        owner->origin = DLB_FROM_IMPORT;
        owner->kept.keeper = from->copied ? from->copy : memory->keeper;
        owner->kept.let_go = from->copied ? free : memory->let_go;
    } else if (from->copied) {
        dlb_lease_grant(lease, NULL, NULL);
    } else {
        owner->origin = DLB_FROM_LEASE;
        dlb_lease_grant(lease, memory->let_go, memory->keeper);
    }
    if (from->copied) {
        memory->let_go(memory->keeper);
    }
}

dlb_owner *dlb_import_slow(const dlb_type *type, const dlb_requirements *require, const dlb_memory *memory,
                           const void *params, dlb_error *error)
{
    const dlb_factory *const importer = type->importer;
    dlb_request request = {type, importer, require != NULL ? require : importer->require, NULL, 0, 1, params, NULL};
    dlb_view view;
    dlb_incoming from = {.view = &view};
    dlb_owner *owner;
    bool refused;

    view.name = type->name;
    if (dlb_receive(request.require, memory, &from, error) != 0) {
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
    DLB_CHECK(request.tensor = dlb_checked_import(type, &view));
    if (importer->lease) {
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

int dlb_import_memory(const dlb_type *type, const dlb_requirements *require, const dlb_memory *memory, const void *params,
                      dlb_owner **out, dlb_error *error)
{
    dlb_owner *owner = NULL;

    if (DLB_UNLIKELY(type->importer == NULL)) {
        return dlb_fail(error, DLB_TYPE_ERROR, "%s: it cannot be made from an array", type->name);
    }
    if (type->import_fast != NULL && require == NULL && !dlb_has_bytes(memory)) {
        owner = dlb_import_fast(type, memory, NULL);
    }
    if (owner == NULL) {
        owner = dlb_import_slow(type, require, memory, params, error);
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
    return dlb_import_memory(type, NULL,
                             &(dlb_memory){.tensor = &tensor->dl_tensor, .flags = tensor->flags, .keeper = tensor, .let_go = dlb_end_versioned},
                             params, out, error);
}

int dlb_import_legacy_with(const dlb_type *type, DLManagedTensor *tensor, const void *params, dlb_owner **out,
                           dlb_error *error)
{
    if (tensor == NULL) {
        return dlb_fail(error, DLB_VALUE_ERROR, "%s: the managed tensor is NULL", type->name);
    }
    return dlb_import_memory(type, NULL, &(dlb_memory){.tensor = &tensor->dl_tensor, .keeper = tensor, .let_go = dlb_end_legacy}, params,
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
