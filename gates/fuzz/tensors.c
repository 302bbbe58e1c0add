/* SPDX-License-Identifier: MIT */
/* Draws tensors from the input of a fuzzer, and judges them by arithmetic of its own, in 128 bits. */
#include "tensors.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef __int128 wide;

/* ---- Input ---- */

uint8_t fuzz_byte(fuzz_input *input)
{
    if (input->left == 0) {
        return 0;
    }
    input->left--;
    return *input->at++;
}

unsigned fuzz_below(fuzz_input *input, unsigned limit) { return fuzz_byte(input) % limit; }

int64_t fuzz_number(fuzz_input *input)
{
    static const int64_t limits[] = {
        INT64_MAX, INT64_MIN,  INT64_MAX / 2, INT64_MIN / 2, INT64_MAX / 8, INT64_MIN / 8, INT32_MAX,
        INT32_MIN, UINT32_MAX, INT16_MAX,     INT16_MIN,     UINT16_MAX,    UINT8_MAX,     INT8_MIN,
        -1,        0,          1LL << 40,     1LL << 59};
    const uint8_t choice = fuzz_byte(input);
    uint64_t number = 0;

    if (choice < 128) {
        return choice % 9;
    }
    if (choice < 192) {
        return (int8_t)fuzz_byte(input);
    }
    if (choice < 240) {
        number = (uint64_t)limits[fuzz_below(input, sizeof limits / sizeof *limits)];
        return (int64_t)(number + choice % 3 - 1);
    }
    for (int i = 0; i < 8; i++) {
        number = number << 8 | fuzz_byte(input);
    }
    return (int64_t)number;
}

_Noreturn void fuzz_find(const char *type, const char *format, ...)
{
    va_list arguments;

    (void)fprintf(stderr, "FINDING: %s: ", type);
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fputc('\n', stderr);
    abort();
}

/* ---- Fields ---- */

static DLDataType draw_dtype(fuzz_input *input, const dlb_requirements *require)
{
    static const uint8_t bits[] = {8, 16, 32, 64, 1, 4, 6, 128, 0, 24, 255};

    if (require != NULL && require->dtype_count > 0 && fuzz_byte(input) < 230) {
        return require->dtypes[fuzz_below(input, (unsigned)require->dtype_count)];
    }
    if (fuzz_byte(input) < 200) {
        return (DLDataType){fuzz_below(input, 18), bits[fuzz_below(input, sizeof bits)], 1};
    }
    return (DLDataType){fuzz_byte(input), fuzz_byte(input), (uint16_t)fuzz_number(input)};
}

static DLDevice draw_device(fuzz_input *input, const dlb_requirements *require)
{
    const uint8_t choice = fuzz_byte(input);

    if (require != NULL && require->device_count > 0 && choice < 230) {
        return (DLDevice){require->devices[choice % require->device_count],
                          choice < 200 ? 0 : (int32_t)fuzz_number(input)};
    }
    if (choice < 240) {
        return (DLDevice){kDLCPU, 0};
    }
    return (DLDevice){(DLDeviceType)fuzz_below(input, 24), (int32_t)fuzz_number(input)};
}

static int32_t draw_rank(fuzz_input *input, const dlb_requirements *require)
{
    const uint8_t choice = fuzz_byte(input);
    int32_t most = 5;

    if (choice >= 250) {
        return (int32_t)fuzz_number(input);
    }
    if (choice >= 240) {
        return DLB_MAX_NDIM - 2 + (int32_t)fuzz_below(input, 5);
    }
    if (require != NULL && choice < 220) {
        most = require->max_ndim < require->min_ndim + 5 ? require->max_ndim : require->min_ndim + 5;
        return require->min_ndim + choice % (most - require->min_ndim + 1);
    }
    return choice % most;
}

/* Draws extents and strides of `ndim` axes; often those of a compact array, perhaps with padded rows. */
static void draw_axes(fuzz_tensor *tensor, fuzz_input *input, const dlb_requirements *require, int32_t ndim)
{
    const uint8_t layout = fuzz_byte(input);
    const uint8_t size = fuzz_byte(input);
    uint64_t step = 1;

    for (int32_t axis = 0; axis < ndim; axis++) {
        const int fixed = require != NULL && require->extents != NULL && axis < require->max_ndim &&
                          require->extents[axis] >= 0 && size < 240;

        tensor->shape[axis] = fixed                    ? require->extents[axis]
                              : size < 200 && ndim > 8 ? 1 + fuzz_byte(input) % 2
                                                       : fuzz_number(input);
    }
    for (int32_t i = 0; i < ndim; i++) {
        const int32_t axis = layout % 2 == 0 ? ndim - 1 - i : i;

        if (layout >= 200) {
            tensor->strides[axis] = fuzz_number(input);
            continue;
        }
        step += layout >= 100 && i == ndim - 1 ? fuzz_byte(input) % 32 : 0;
        tensor->strides[axis] = layout >= 150 && fuzz_byte(input) % 2 ? (int64_t)(0 - step) : (int64_t)step;
        step *= (uint64_t)tensor->shape[axis];
    }
}

/* ---- Memory ---- */

/* How many elements the tensor declares, and where their memory begins and ends. */
typedef struct extent {
    int is_valid; /* the products fit in 64 bits */
    wide count;
    wide low, high; /* bytes before the first element, and behind its address */
} extent;

static wide floor_eighth(wide bits) { return bits >= 0 ? bits / 8 : -((-bits + 7) / 8); }

static extent measure(const DLTensor *tensor)
{
    const wide bits = (wide)tensor->dtype.bits * tensor->dtype.lanes;
    extent found = {1, 1, 0, 0};
    wide low = 0, high = 0, step = 1;
    int empty = 0;

    for (int32_t axis = 0; axis < tensor->ndim; axis++) {
        if (tensor->shape[axis] < 0) {
            found.is_valid = 0;
            return found;
        }
        empty |= tensor->shape[axis] == 0;
    }
    if (empty) {
        found.count = 0;
        return found;
    }
    for (int32_t axis = tensor->ndim - 1; axis >= 0; axis--) {
        const wide extent = tensor->shape[axis];
        const wide reach = (extent - 1) * (tensor->strides != NULL ? (wide)tensor->strides[axis] : step);

        low += reach < 0 ? reach : 0;
        high += reach > 0 ? reach : 0;
        found.count *= extent;
        step *= extent;
        if (found.count > INT64_MAX || -low > INT64_MAX || high > INT64_MAX) {
            found.is_valid = 0;
            return found;
        }
    }
    found.low = -floor_eighth(low * bits);
    found.high = ((high + 1) * bits + 7) / 8;
    if (found.count * bits / 8 > INT64_MAX || found.low > INT64_MAX || found.high > INT64_MAX) {
        found.is_valid = 0;
    }
    return found;
}

/* Halves extents until the array fits in the memory that one array gets, and so does a compact copy; strides stay. */
static extent shrink(DLTensor *tensor, extent found)
{
    const wide bits = (wide)tensor->dtype.bits * tensor->dtype.lanes;

    while (found.is_valid && found.count > 0 && tensor->ndim > 0 &&
           (found.low + found.high > FUZZ_MOST_BYTES || found.count * (bits + 8) / 8 > FUZZ_MOST_BYTES)) {
        int32_t largest = 0;

        for (int32_t axis = 1; axis < tensor->ndim; axis++) {
            largest = tensor->shape[axis] > tensor->shape[largest] ? axis : largest;
        }
        tensor->shape[largest] /= 2;
        found = measure(tensor);
    }
    return found;
}

/* Gives the tensor a block that holds exactly its elements, and an address and an offset that lead there. */
static void give_memory(fuzz_tensor *tensor, DLTensor *array, fuzz_input *input, extent found)
{
    const uint8_t choice = fuzz_byte(input);
    const size_t misaligned = choice < 200 ? 0 : fuzz_byte(input) % 64;
    const size_t size = (size_t)(found.low + found.high);
    const uintptr_t offset = (uintptr_t)array->byte_offset;
    uintptr_t first;

    tensor->block = malloc(size + misaligned + 1);
    for (size_t i = 0; tensor->block != NULL && i < size + misaligned; i++) {
        tensor->block[i] = (char)(i * 37 + 11);
    }
    first = (uintptr_t)tensor->block + misaligned + (uintptr_t)found.low;
    array->data = (void *)(first - offset);
    if (first <= offset) { /* no address and this offset lead there: the sum is beyond what can be addressed */
        array->data = tensor->block;
        if (array->byte_offset <= PTRDIFF_MAX && array->byte_offset <= UINTPTR_MAX - (uintptr_t)tensor->block) {
            array->data = (void *)first;
            array->byte_offset = 0;
        } else {
            tensor->must_refuse = 1;
        }
    }
}

static void judge(fuzz_tensor *tensor, DLTensor *array, fuzz_input *input)
{
    extent found;

    if (array->ndim < 0 || array->ndim > DLB_MAX_NDIM || (array->ndim > 0 && array->shape == NULL)) {
        tensor->must_refuse = 1;
        return;
    }
    found = shrink(array, measure(array));
    tensor->must_refuse = !found.is_valid;
    tensor->count = (int64_t)found.count;
    if (found.is_valid && found.count > 0) {
        if (fuzz_byte(input) >= 250) { /* NULL, although there are elements */
            tensor->must_refuse = 1;
            return;
        }
        give_memory(tensor, array, input, found);
    } else {
        array->data = fuzz_byte(input) % 2 ? NULL : &tensor->shape;
    }
}

/* ---- Tensors ---- */

static void delete_tensor(fuzz_tensor *tensor)
{
    tensor->deleted++;
    if (tensor->deleted > 1) {
        fuzz_find("deleter", "it was called %d times", tensor->deleted);
    }
    fuzz_tensor_end(tensor); /* whoever still reads the memory shall be seen */
    memset(tensor->shape, 0xEE, sizeof tensor->shape);
    memset(tensor->strides, 0xEE, sizeof tensor->strides);
}

static void delete_versioned(DLManagedTensorVersioned *managed)
{
    delete_tensor(managed->manager_ctx);
    memset(managed, 0xEE, sizeof *managed);
}

static void delete_legacy(DLManagedTensor *managed)
{
    delete_tensor(managed->manager_ctx);
    memset(managed, 0xEE, sizeof *managed);
}

void fuzz_tensor_begin(fuzz_tensor *tensor, fuzz_input *input, const dlb_requirements *require)
{
    const uint8_t form = fuzz_byte(input);
    DLTensor *const array = &tensor->versioned.dl_tensor;
    int32_t ndim;

    memset(tensor, 0, sizeof *tensor);
    tensor->is_legacy = form % 4 == 0;
    tensor->versioned.version = (DLPackVersion){1, form < 200 ? 3 : (uint32_t)fuzz_number(input)};
    tensor->versioned.manager_ctx = tensor->legacy.manager_ctx = tensor;
    tensor->versioned.deleter = delete_versioned;
    tensor->legacy.deleter = delete_legacy;
    tensor->versioned.flags = form >= 100 && form < 220 ? fuzz_byte(input) % 8
                              : form < 100              ? 0
                                                        : (uint64_t)fuzz_number(input);
    ndim = array->ndim = draw_rank(input, require);
    array->dtype = draw_dtype(input, require);
    array->device = draw_device(input, require);
    array->shape = ndim == 0 && form % 2 ? NULL : tensor->shape;
    array->strides = tensor->strides;
    draw_axes(tensor, input, require, ndim < 0 ? 0 : ndim > FUZZ_MOST_AXES ? FUZZ_MOST_AXES : ndim);
    if (form % 8 == 1) {
        array->strides = NULL;
    } else if (form == 254) {
        array->shape = NULL;
    }
    array->byte_offset = form % 5 != 0 ? 0 : (uint64_t)fuzz_number(input);
    judge(tensor, array, input);
    if (!tensor->is_legacy && form == 255) {
        tensor->versioned.version.major = (uint32_t)fuzz_number(input);
        tensor->must_refuse |= tensor->versioned.version.major != DLPACK_MAJOR_VERSION;
    }
    tensor->legacy.dl_tensor = tensor->before = *array;
}

int fuzz_needs_elements(const char *type)
{
    static const char *const types[] = {"contexts.Book", "probe.Compact"};

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i], type) == 0) {
            return 1;
        }
    }
    return 0;
}

void fuzz_tensor_end(fuzz_tensor *tensor)
{
    free(tensor->block);
    tensor->block = NULL;
}

/* ---- Comparison ---- */

/* Returns the place of the element with that number in row-major order, in elements. */
static int64_t place_of(const DLTensor *tensor, int64_t number)
{
    int64_t place = 0, step = 1;

    for (int32_t axis = tensor->ndim - 1; axis >= 0; axis--) {
        place += number % tensor->shape[axis] * (tensor->strides != NULL ? tensor->strides[axis] : step);
        number /= tensor->shape[axis];
        step *= tensor->shape[axis];
    }
    return place;
}

static const char *first_of(const DLTensor *tensor)
{
    return (const char *)((uintptr_t)tensor->data + (uintptr_t)tensor->byte_offset);
}

void fuzz_compare(const char *type, const fuzz_tensor *tensor, const DLTensor *shown)
{
    const DLTensor *const before = &tensor->before;
    const int64_t bits = (int64_t)before->dtype.bits * before->dtype.lanes;

    if (shown->ndim != before->ndim || !dlb_same_dtype(shown->dtype, before->dtype)) {
        fuzz_find(type, "the export has another rank or dtype than the imported array");
    }
    for (int32_t axis = 0; axis < shown->ndim; axis++) {
        if (shown->shape[axis] != before->shape[axis]) {
            fuzz_find(type, "the export has another shape than the imported array");
        }
    }
    if (bits % 8 != 0) {
        return; /* packed elements: the addresses are compared by the caller */
    }
    for (int64_t i = 0; i < tensor->count; i++) {
        const char *const a = first_of(shown) + place_of(shown, i) * (bits / 8);
        const char *const b = first_of(before) + place_of(before, i) * (bits / 8);

        if (a != b && memcmp(a, b, (size_t)(bits / 8)) != 0) {
            fuzz_find(type, "element %lld of the export differs from that of the imported array", (long long)i);
        }
    }
}
