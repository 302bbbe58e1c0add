#include "ort.h"

#include <stdlib.h>
#include <string.h>

struct OrtStatus {
    const char *message;
};

struct OrtMemoryInfo {
    const char *name;
    int id;
};

struct OrtTensorTypeAndShapeInfo {
    ONNXTensorElementDataType type;
    size_t rank;
    int64_t dims[ORT_RANK];
};

struct OrtValue {
    int references;
    OrtTensorTypeAndShapeInfo info;
    OrtMemoryInfo memory;
    OrtAllocator *deleter;
    void *data;
};

static int values, infos, statuses, leases;

static OrtStatus *status(const char *message)
{
    OrtStatus *s = malloc(sizeof *s);

    s->message = message;
    statuses++;
    return s;
}

static const char *get_error_message(const OrtStatus *s)
{
    return s->message;
}

static void release_status(OrtStatus *s)
{
    statuses -= s != NULL;
    free(s);
}

static OrtStatus *get_tensor_mutable_data(OrtValue *value, void **out)
{
    *out = value->data;
    return NULL;
}

static OrtStatus *get_tensor_type_and_shape(const OrtValue *value, OrtTensorTypeAndShapeInfo **out)
{
    if (value->info.type == ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED) {
        return status("the value is no tensor");
    }
    *out = malloc(sizeof **out);
    **out = value->info;
    infos++;
    return NULL;
}

static void release_info(OrtTensorTypeAndShapeInfo *info)
{
    free(info);
    infos--;
}

static OrtStatus *get_tensor_element_type(const OrtTensorTypeAndShapeInfo *info, ONNXTensorElementDataType *out)
{
    *out = info->type;
    return NULL;
}

static OrtStatus *get_dimensions_count(const OrtTensorTypeAndShapeInfo *info, size_t *out)
{
    *out = info->rank;
    return NULL;
}

static OrtStatus *get_dimensions(const OrtTensorTypeAndShapeInfo *info, int64_t *dims, size_t count)
{
    if (info->rank > count) {
        return status("there are more dimensions than that");
    }
    memcpy(dims, info->dims, info->rank * sizeof *dims);
    return NULL;
}

static OrtStatus *get_tensor_memory_info(const OrtValue *value, const OrtMemoryInfo **out)
{
    *out = &value->memory;
    return NULL;
}

static OrtStatus *memory_info_get_name(const OrtMemoryInfo *info, const char **out)
{
    if (info->name == NULL) {
        return status("the memory has no name");
    }
    *out = info->name;
    return NULL;
}

static OrtStatus *memory_info_get_id(const OrtMemoryInfo *info, int *out)
{
    *out = info->id;
    return NULL;
}

static OrtStatus *create_tensor(OrtAllocator *deleter, void *data, size_t size, const int64_t *shape, size_t rank,
                                ONNXTensorElementDataType type, OrtValue **out)
{
    if (size > 4096) {
        return status("more than a page is too much");
    }
    *out = ort_make((int)type, "Cpu", 0, rank, shape, data);
    (*out)->deleter = deleter;
    return NULL;
}

static void release_value(OrtValue *value)
{
    if (--value->references > 0) {
        return;
    }
    if (value->deleter != NULL) {
        value->deleter->Free(value->deleter, value->data);
    }
    free(value);
    values--;
}

const OrtApi *OrtGetApi(void)
{
    static const OrtApi api = {
        get_error_message,
        release_status,
        get_tensor_mutable_data,
        get_tensor_type_and_shape,
        release_info,
        get_tensor_element_type,
        get_dimensions_count,
        get_dimensions,
        get_tensor_memory_info,
        memory_info_get_name,
        memory_info_get_id,
        create_tensor,
        release_value,
    };

    return &api;
}

const char *ort_told(OrtStatus *s)
{
    const char *message = s->message;

    release_status(s);
    return message;
}

ort_lease *ort_lease_new(void (*release)(struct OrtAllocator *allocator, void *data), void *user)
{
    ort_lease *lease = calloc(1, sizeof *lease);

    lease->base.Free = release;
    lease->user = user;
    leases++;
    return lease;
}

void ort_lease_drop(ort_lease *lease)
{
    free(lease);
    leases--;
}

void *ort_lease_end(OrtAllocator *allocator)
{
    ort_lease *lease = (ort_lease *)allocator;
    void *user = lease->user;

    ort_lease_drop(lease);
    return user;
}

OrtValue *ort_make(int type, const char *memory, int id, size_t rank, const int64_t *dims, void *data)
{
    OrtValue *value = calloc(1, sizeof *value);

    value->references = 1;
    value->info.type = (ONNXTensorElementDataType)type;
    value->info.rank = rank;
    memcpy(value->info.dims, dims, (rank < ORT_RANK ? rank : ORT_RANK) * sizeof *dims);
    value->memory.name = memory;
    value->memory.id = id;
    value->data = data;
    values++;
    return value;
}

OrtValue *ort_keep(OrtValue *value)
{
    value->references++;
    return value;
}

int ort_values(void)
{
    return values;
}

int ort_infos(void)
{
    return infos;
}

int ort_statuses(void)
{
    return statuses;
}

int ort_leases(void)
{
    return leases;
}
