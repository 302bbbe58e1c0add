/* SPDX-License-Identifier: MIT-0 */
/* Overlap of arguments that C declares restrict. */

#include "call.h"

/* ---- Two arrays ---- */

/* One axis, or several axes with equal strides: an element lies 0 to `most` steps behind the first one. */
typedef struct axis_step {
    uint64_t size; /* of one step, in bytes */
    uint64_t most;
} axis_step;

/* The set of bytes that an array occupies: multiples of the steps behind `first`, and up to `loose` bytes further. */
typedef struct byte_set {
    uint64_t first;
    uint64_t span; /* from the first byte to the last one */
    uint64_t loose;
    int count; /* of steps; the largest step comes first */
    axis_step steps[DLB_MAX_NDIM];
} byte_set;

/* Adds `most` steps of `size` bytes. Steps of one byte are counted in `loose`, not in the list. */
static void add_step(byte_set *to, uint64_t size, uint64_t most)
{
    to->span += size * most;
    if (size == 1) {
        to->loose += most;
    } else if (size > 0) {
        to->steps[to->count++] = (axis_step){size, most};
    }
}

/* Finds the bytes of a tensor that has elements. For packed elements, smaller than a byte, the set has all bytes from the first one to
 * the last one. */
static void find_bytes(const DLTensor *tensor, byte_set *found)
{
    const bool packed = tensor->dtype.bits % 8 != 0;
    const uint64_t itemsize = packed ? 1 : (uint64_t)dlb_itemsize(tensor->dtype);
    const bool has_address = dlb_has_address(tensor->device.device_type);
    int64_t below = 0;
    int64_t above = 0;

    found->first = (has_address ? (uint64_t)(uintptr_t)tensor->data : 0) + tensor->byte_offset;
    found->span = 0;
    found->loose = 0;
    found->count = 0;
    for (int32_t axis = 0; axis < tensor->ndim; axis++) {
        const int64_t reach = tensor->strides[axis] * (tensor->shape[axis] - 1);

        below += reach < 0 ? reach : 0;
        above += reach > 0 ? reach : 0;
        if (!packed && tensor->shape[axis] > 1) {
            const int64_t stride = tensor->strides[axis];

            add_step(found, (uint64_t)(stride < 0 ? -stride : stride) * itemsize, (uint64_t)tensor->shape[axis] - 1);
        }
    }
    if (packed) {
        const int64_t before = dlb_nbytes(tensor->dtype, -below);

        found->first -= (uint64_t)before;
        add_step(found, 1, (uint64_t)(before + dlb_nbytes(tensor->dtype, above + 1) - 1));
        return;
    }
    found->first -= (uint64_t)-below * itemsize;
    add_step(found, 1, itemsize - 1);
}

/* Merges the steps of both sets into `all`, the largest step first, and adds up equal steps. Returns the number of steps. */
static int merge_steps(const byte_set *a, const byte_set *b, axis_step all[2 * DLB_MAX_NDIM])
{
    int count = 0;

    for (int i = 0; i < a->count + b->count; i++) {
        const axis_step added = i < a->count ? a->steps[i] : b->steps[i - a->count];
        int place = count;

        while (place > 0 && all[place - 1].size < added.size) {
            place--;
        }
        if (place > 0 && all[place - 1].size == added.size) {
            all[place - 1].most += added.most;
            continue;
        }
        for (int j = count; j > place; j--) {
            all[j] = all[j - 1];
        }
        all[place] = added;
        count++;
    }
    return count;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* Returns whether `distance` is a sum of multiples of the steps and up to `loose` bytes. Gives up after `*work` tries, and returns true
 * then. Steps that divide each other, as those of slices do, need about ten tries. */
static bool reaches(const axis_step *steps, int count, uint64_t loose, uint64_t distance, int *work)
{
    uint64_t divisor = 0;
    uint64_t rest = loose;
    uint64_t least;
    uint64_t most;

    for (int i = 1; i < count; i++) {
        rest += steps[i].size * steps[i].most;
    }
    for (int i = 0; i < count; i++) {
        divisor = common_divisor(divisor, steps[i].size);
    }
    if (count == 0) {
        return distance <= loose;
    }
    if (distance % divisor > loose) {
        return false;
    }
    least = distance > rest ? (distance - rest - 1) / steps[0].size + 1 : 0;
    most = distance / steps[0].size < steps[0].most ? distance / steps[0].size : steps[0].most;
    for (uint64_t i = least; i <= most; i++) {
        if (--*work <= 0 || reaches(steps + 1, count - 1, loose, distance - i * steps[0].size, work)) {
            return true;
        }
    }
    return false;
}

/* Returns whether equal addresses on both devices may be the same memory. */
static bool shares_addresses(const DLTensor *a, const DLTensor *b)
{
    const DLDevice one = a->device;
    const DLDevice other = b->device;

    if (dlb_host_readable(one.device_type) || dlb_host_readable(other.device_type)) {
        return dlb_host_readable(one.device_type) && dlb_host_readable(other.device_type);
    }
    return one.device_type == other.device_type && one.device_id == other.device_id &&
           (dlb_has_address(one.device_type) || a->data == b->data);
}

/* Returns whether an element of one array shares a byte with an element of the other array. Interleaved slices of one array do not
 * overlap. */
static bool overlap(const DLTensor *a, const DLTensor *b)
{
    axis_step all[2 * DLB_MAX_NDIM];
    byte_set one;
    byte_set other;
    int work = 10000;

    if (dlb_element_count(a) == 0 || dlb_element_count(b) == 0 || !shares_addresses(a, b)) {
        return false;
    }
    find_bytes(a, &one);
    find_bytes(b, &other);
    if (one.first > other.first + other.span || other.first > one.first + one.span) {
        return false;
    }
    /* A byte of `one` lies some steps behind its first byte, and a byte of `other` some steps before its last byte. */
    return reaches(all, merge_steps(&one, &other, all), one.loose + other.loose, other.first + other.span - one.first,
                   &work);
}

/* ---- Two arguments ---- */

/* The memory of an argument that C may reach: its elements, and the struct of an object. Elements that exist only while they are
 * exported have no address here. */
typedef struct reached_memory {
    int count;
    const DLTensor *parts[2];
    DLTensor start; /* the first byte of the struct; only the compiler knows the size */
} reached_memory;

/* Describes an object of a generated class, so that its elements are known. An object that cannot be described counts as empty: the
 * call may be meant to repair its state. */
static void describe_own(const dlb_py_operand *operand, dlb_py_argument *array)
{
    dlb_owner *owner = NULL;
    dlb_error error;

    if (operand->type == NULL || array->source == NULL) {
        return;
    }
    if (array->held && array->shared) {
        owner = array->tensor == NULL ? array->owner : NULL;
    } else if (dlb_py_is_own(operand, array->source)) { /* taken on the fast path: no other member is set */
        owner = dlb_py_data(array->source)->owner;
        array->tensor = NULL;
    }
    if (owner != NULL && operand->type->describe != NULL && dlb_owner_view(owner, &array->view, &error) == 0) {
        array->tensor = array->view.tensor;
    }
}

/* Finds the memory of an argument that C may reach. */
static void reached_by(const dlb_py_operand *operand, const dlb_py_argument *array, reached_memory *found)
{
    found->count = 0;
    if (array->tensor != NULL && array->tensor->data != NULL) {
        found->parts[found->count++] = array->tensor;
    }
    if (operand->type != NULL && array->object != NULL) {
        found->start = (DLTensor){array->object, DLB_CPU, 0, {kDLUInt, 8, 1}, NULL, NULL, 0};
        found->parts[found->count++] = &found->start;
    }
}

static bool arguments_overlap(const dlb_py_operand *a, const dlb_py_argument *one, const dlb_py_operand *b,
                              const dlb_py_argument *other)
{
    reached_memory first;
    reached_memory second;

    reached_by(a, one, &first);
    reached_by(b, other, &second);
    for (int i = 0; i < first.count; i++) {
        for (int j = 0; j < second.count; j++) {
            if (overlap(first.parts[i], second.parts[j])) {
                return true;
            }
        }
    }
    return false;
}

/* ---- All arguments ---- */

/* Returns the number of objects in an argument: the length of a list, else 1. */
static int64_t objects_in(const dlb_py_operand *operand, const dlb_py_argument *array)
{
    return (operand->flags & DLB_PY_ITEMS) == 0 ? 1 : array->items != NULL ? array->count : 0;
}

static dlb_py_argument *object_at(const dlb_py_operand *operand, dlb_py_argument *array, int64_t index)
{
    return (operand->flags & DLB_PY_ITEMS) == 0 ? array : &array->items[index];
}

static void write_name(const dlb_py_function *function, const dlb_py_operand *operand, int64_t index, char name[DLB_PY_MESSAGE_SIZE])
{
    if ((operand->flags & DLB_PY_ITEMS) == 0) {
        dlb_write(name, DLB_PY_MESSAGE_SIZE, "%s", dlb_py_operand_name(function, operand));
    } else {
        dlb_write(name, DLB_PY_MESSAGE_SIZE, "%s[%lld]", dlb_py_operand_name(function, operand), (long long)index);
    }
}

/* Returns whether the memory of two operands, or of the items of one operand, must not overlap. */
static bool must_not_overlap(const dlb_py_operand *a, const dlb_py_operand *b)
{
    if (a == b) {
        return (a->flags & DLB_PY_RESTRICT_ITEMS) != 0;
    }
    return ((a->flags | b->flags) & DLB_PY_RESTRICT) != 0 && ((a->flags | b->flags) & DLB_PY_WRITES) != 0;
}

/* Compares two arguments, or the objects of one list with each other. Returns 0, or -1 with a BufferError. */
static int check_pair(const dlb_py_function *function, const dlb_py_operand *a, dlb_py_argument *one, const dlb_py_operand *b,
                      dlb_py_argument *other)
{
    char first[DLB_PY_MESSAGE_SIZE];
    char second[DLB_PY_MESSAGE_SIZE];

    for (int64_t i = 0; i < objects_in(a, one); i++) {
        for (int64_t j = a == b ? i + 1 : 0; j < objects_in(b, other); j++) {
            if (arguments_overlap(a, object_at(a, one, i), b, object_at(b, other, j))) {
                write_name(function, a, i, first);
                write_name(function, b, j, second);
                (void)dlb_py_raise_message(PyExc_BufferError,
                                        "%s() argument '%s': its memory overlaps the memory of '%s', which the function does not "
                                        "allow: pass a copy of one of them",
                                        function->name, second, first);
                return -1;
            }
        }
    }
    return 0;
}

int dlb_py_check_overlap(const dlb_py_function *function, dlb_py_argument *arrays)
{
    const dlb_py_operand *const operands = function->operands;

    for (int i = 0; i < function->operand_count; i++) {
        bool compared = false;

        for (int j = 0; j < function->operand_count; j++) {
            compared = compared || must_not_overlap(&operands[i], &operands[j]);
        }
        for (int64_t k = 0; compared && k < objects_in(&operands[i], &arrays[i]); k++) {
            describe_own(&operands[i], object_at(&operands[i], &arrays[i], k));
        }
    }
    for (int i = 0; i < function->operand_count; i++) {
        for (int j = i; j < function->operand_count; j++) {
            if (must_not_overlap(&operands[i], &operands[j]) &&
                check_pair(function, &operands[i], &arrays[i], &operands[j], &arrays[j]) != 0) {
                return -1;
            }
        }
    }
    return 0;
}
