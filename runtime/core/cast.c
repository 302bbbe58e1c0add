/* SPDX-License-Identifier: MIT-0 */
/* Copies of arrays with elements of another dtype. */

#include "exchange.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Which dtypes can be converted ---- */

/* The kinds of numbers, in the order of NumPy: a conversion to an earlier kind loses more than digits. */
typedef enum number_kind { BOOLEAN_KIND, UNSIGNED_KIND, SIGNED_KIND, FLOATING_KIND, COMPLEX_KIND, NO_NUMBER } number_kind;

static number_kind kind_of(DLDataType dtype)
{
    const int bits = dtype.bits;

    if (dtype.lanes != 1) {
        return NO_NUMBER;
    }
    switch (dtype.code) {
    case kDLBool:
        return bits == 8 ? BOOLEAN_KIND : NO_NUMBER;
    case kDLUInt:
    case kDLInt:
        if (bits == 8 || bits == 16 || bits == 32 || bits == 64) {
            return dtype.code == kDLInt ? SIGNED_KIND : UNSIGNED_KIND;
        }
        return NO_NUMBER;
    case kDLBfloat:
        return bits == 16 ? FLOATING_KIND : NO_NUMBER;
    case kDLFloat:
        return bits == 16 || bits == 32 || bits == 64 ? FLOATING_KIND : NO_NUMBER;
    case kDLComplex:
        return bits == 64 || bits == 128 ? COMPLEX_KIND : NO_NUMBER;
    default:
        return NO_NUMBER;
    }
}

/* Returns the largest number of bits of an integer for which NumPy calls the conversion to this floating-point dtype safe. */
static int safe_integer_bits(DLDataType dtype)
{
    const int bits = dtype.code == kDLComplex ? dtype.bits / 2 : dtype.bits;

    return bits == 16 ? 8 : bits == 32 ? 16 : 64;
}

/* Returns whether a floating-point or complex dtype holds each number of a floating-point dtype. */
static bool holds_floating(DLDataType from, DLDataType to)
{
    const int bits = to.code == kDLComplex ? to.bits / 2 : to.bits;

    return bits > from.bits || (bits == from.bits && (to.code == from.code || to.code == kDLComplex));
}

/* Returns whether a conversion keeps each value, as numpy.can_cast(from, to, 'safe') does. */
static bool is_safe(DLDataType from, DLDataType to)
{
    const number_kind source = kind_of(from);
    const number_kind target = kind_of(to);

    switch (source) {
    case BOOLEAN_KIND:
        return true;
    case UNSIGNED_KIND:
    case SIGNED_KIND:
        if (target == source) {
            return to.bits >= from.bits;
        }
        if (target == SIGNED_KIND) {
            return to.bits > from.bits;
        }
        return target >= FLOATING_KIND && from.bits <= safe_integer_bits(to);
    case FLOATING_KIND:
        return target >= FLOATING_KIND && holds_floating(from, to);
    default:
        return target == COMPLEX_KIND && to.bits >= from.bits;
    }
}

static bool can_cast(dlb_casting casting, DLDataType from, DLDataType to)
{
    if (kind_of(from) == NO_NUMBER || kind_of(to) == NO_NUMBER) {
        return false;
    }
    return casting == DLB_CAST_SAFE ? is_safe(from, to) : casting == DLB_CAST_SAME_KIND && kind_of(to) >= kind_of(from);
}

bool dlb_find_cast(const dlb_requirements *require, DLDataType from, bool swapped, DLDataType *to)
{
    size_t chosen = require->dtype_count;

    for (size_t i = require->dtype_count; i-- > 0;) {
        if (dlb_same_dtype(require->dtypes[i], from)) {
            *to = from;
            return swapped;
        }
        if (can_cast(require->cast, from, require->dtypes[i])) {
            chosen = i;
        }
    }
    if (chosen == require->dtype_count) {
        return false;
    }
    *to = require->dtypes[chosen];
    return true;
}

/* ---- Floating-point numbers of 16 bits ---- */

/* The format of a floating-point number: the bits of its fraction, and the exponent of its smallest normal number. */
typedef struct format {
    int fraction;
    int least;
} format;

static const format float16 = {10, -14};
static const format bfloat16 = {7, -126};

static double double_of(uint16_t bits, format of)
{
    const int exponent = (bits & 0x7FFF) >> of.fraction;
    const uint64_t fraction = bits & ((1u << of.fraction) - 1);
    const uint64_t sign = (uint64_t)(bits >> 15) << 63;
    uint64_t wide;
    double number;

    if (exponent == 0) { /* zero, or a subnormal number: the fraction counts units of 2^(least - fraction bits) */
        const uint64_t unit = (uint64_t)(of.least - of.fraction + 1023) << 52;

        memcpy(&number, &unit, sizeof number);
        number *= (double)fraction;
        return sign != 0 ? -number : number;
    }
    if (exponent == (1 << (15 - of.fraction)) - 1) {
        wide = (uint64_t)0x7FF << 52;
    } else {
        wide = (uint64_t)(exponent - 1 + of.least + 1023) << 52;
    }
    wide |= sign | fraction << (52 - of.fraction);
    memcpy(&number, &wide, sizeof number);
    return number;
}

/* Rounds a number to the nearest one of the format, and in the middle to the even one. A number that is too large becomes infinite. */
static uint16_t rounded(double number, format to)
{
    const uint32_t infinite = 0x7FFFu & ~((1u << to.fraction) - 1);
    uint64_t wide;
    int exponent, dropped;
    uint64_t fraction, kept, rest, half;
    uint32_t sign, bits;

    memcpy(&wide, &number, sizeof wide);
    sign = (uint32_t)(wide >> 48) & 0x8000u;
    exponent = (int)(wide >> 52 & 0x7FF);
    fraction = wide & (((uint64_t)1 << 52) - 1);
    if (exponent == 0x7FF) {
        return (uint16_t)(sign | infinite | (fraction != 0 ? 1u << (to.fraction - 1) : 0));
    }
    exponent -= 1023;
    dropped = 52 - to.fraction;
    if (exponent < to.least) {
        dropped += to.least - exponent;
        exponent = to.least;
    }
    if (dropped > 62) { /* less than half of the smallest number */
        return (uint16_t)sign;
    }
    fraction |= (uint64_t)1 << 52;
    kept = fraction >> dropped;
    rest = fraction & (((uint64_t)1 << dropped) - 1);
    half = (uint64_t)1 << (dropped - 1);
    if (rest > half || (rest == half && (kept & 1) != 0)) {
        kept++;
    }
    bits = ((uint32_t)(exponent - to.least) << to.fraction) + (uint32_t)kept;
    return (uint16_t)(sign | (bits < infinite ? bits : infinite));
}

/* ---- Elements ---- */

enum { MAX_SIZE = 16 }; /* in bytes: a complex number of two doubles */

/* A number, as the widest of its kind. */
typedef struct number {
    number_kind kind;
    int64_t signed_value;
    uint64_t unsigned_value;
    double real; /* of floating-point and complex numbers */
    double imaginary;
} number;

static uint64_t read_unsigned(const char *from, int bits)
{
    uint8_t bits8;
    uint16_t bits16;
    uint32_t bits32;
    uint64_t bits64;

    switch (bits) {
    case 8:
        memcpy(&bits8, from, sizeof bits8);
        return bits8;
    case 16:
        memcpy(&bits16, from, sizeof bits16);
        return bits16;
    case 32:
        memcpy(&bits32, from, sizeof bits32);
        return bits32;
    default:
        memcpy(&bits64, from, sizeof bits64);
        return bits64;
    }
}

static int64_t read_signed(const char *from, int bits)
{
    const uint64_t sign = UINT64_C(1) << (bits - 1);

    return (int64_t)((read_unsigned(from, bits) ^ sign) - sign); /* two's complement of 64 bits */
}

static double read_real(const char *from, int code, int bits)
{
    uint16_t bits16;
    float single;
    double wide;

    switch (bits) {
    case 16:
        memcpy(&bits16, from, sizeof bits16);
        return double_of(bits16, code == kDLBfloat ? bfloat16 : float16);
    case 32:
        memcpy(&single, from, sizeof single);
        return (double)single;
    default:
        memcpy(&wide, from, sizeof wide);
        return wide;
    }
}

static number read_number(const char *from, DLDataType dtype)
{
    number found = {kind_of(dtype), 0, 0, 0, 0};

    switch (found.kind) {
    case BOOLEAN_KIND:
        found.unsigned_value = read_unsigned(from, 8) != 0;
        break;
    case UNSIGNED_KIND:
        found.unsigned_value = read_unsigned(from, dtype.bits);
        break;
    case SIGNED_KIND:
        found.signed_value = read_signed(from, dtype.bits);
        break;
    case FLOATING_KIND:
        found.real = read_real(from, dtype.code, dtype.bits);
        break;
    default:
        found.real = read_real(from, kDLFloat, dtype.bits / 2);
        found.imaginary = read_real(from + dtype.bits / 16, kDLFloat, dtype.bits / 2);
        break;
    }
    return found;
}

/* Stores the lowest bits of an integer. */
static void store_integer(char *to, int bits, uint64_t value)
{
    const uint8_t bits8 = (uint8_t)value;
    const uint16_t bits16 = (uint16_t)value;
    const uint32_t bits32 = (uint32_t)value;

    switch (bits) {
    case 8:
        memcpy(to, &bits8, sizeof bits8);
        break;
    case 16:
        memcpy(to, &bits16, sizeof bits16);
        break;
    case 32:
        memcpy(to, &bits32, sizeof bits32);
        break;
    default:
        memcpy(to, &value, sizeof value);
        break;
    }
}

static bool is_finite(double value)
{
    return value - value == 0;
}

/* Stores a floating-point number. Returns false if a finite number would become infinite. */
static bool store_real(char *to, int code, int bits, double value)
{
    const format of = code == kDLBfloat ? bfloat16 : float16;
    uint16_t bits16;
    float single;

    switch (bits) {
    case 16:
        bits16 = rounded(value, of);
        memcpy(to, &bits16, sizeof bits16);
        return !is_finite(value) || is_finite(double_of(bits16, of));
    case 32:
        single = (float)value;
        memcpy(to, &single, sizeof single);
        return !is_finite(value) || is_finite((double)single);
    default:
        memcpy(to, &value, sizeof value);
        return true;
    }
}

/* Returns a double that numbers of 16 bits round to as the integer itself does: in place of the digits that a double lacks, one bit says
 * whether there are any. */
static double odd_double(uint64_t magnitude)
{
    if (magnitude >> 53 == 0) {
        return (double)magnitude;
    }
    return 2048 * (double)(magnitude >> 11 | ((magnitude & 2047) != 0));
}

/* Stores an integer as a floating-point number. It is rounded once: a detour through double would round twice. */
static bool store_integer_as_real(char *to, int code, int bits, const number *value)
{
    const float single = value->kind == SIGNED_KIND ? (float)value->signed_value : (float)value->unsigned_value;

    if (bits == 32) {
        memcpy(to, &single, sizeof single);
        return true;
    }
    if (bits == 16) {
        const bool negative = value->kind == SIGNED_KIND && value->signed_value < 0;
        const double magnitude = odd_double(negative                     ? 0 - (uint64_t)value->signed_value
                                            : value->kind == SIGNED_KIND ? (uint64_t)value->signed_value
                                                                         : value->unsigned_value);

        return store_real(to, code, bits, negative ? -magnitude : magnitude);
    }
    return store_real(to, code, bits, value->kind == SIGNED_KIND ? (double)value->signed_value : (double)value->unsigned_value);
}

static bool store_part(char *to, int code, int bits, const number *value)
{
    return value->kind < FLOATING_KIND ? store_integer_as_real(to, code, bits, value) : store_real(to, code, bits, value->real);
}

/* Stores a number. Returns false if the dtype cannot hold it. */
static bool store_number(char *to, DLDataType dtype, const number *value)
{
    const int half = dtype.bits / 2;

    switch (kind_of(dtype)) {
    case UNSIGNED_KIND:
        store_integer(to, dtype.bits, value->unsigned_value);
        return value->unsigned_value <= UINT64_MAX >> (64 - dtype.bits);
    case SIGNED_KIND:
        if (value->kind != SIGNED_KIND) {
            store_integer(to, dtype.bits, value->unsigned_value);
            return value->unsigned_value <= (uint64_t)INT64_MAX >> (64 - dtype.bits);
        }
        store_integer(to, dtype.bits, (uint64_t)value->signed_value);
        return read_signed(to, dtype.bits) == value->signed_value;
    case FLOATING_KIND:
        return store_part(to, dtype.code, dtype.bits, value);
    default:
        return store_part(to, kDLFloat, half, value) && store_real(to + half / 8, kDLFloat, half, value->imaginary);
    }
}

/* ---- Arrays ---- */

/* Reports an element that the dtype cannot hold. Returns -1. */
DLB_COLD static int refuse_value(const char *name, const number *value, DLDataType to, dlb_error *error)
{
    char buffer[DLB_NAME_SIZE];
    const char *const dtype = dlb_dtype_name(to, buffer);

    if (value->kind == SIGNED_KIND) {
        return dlb_fail(error, DLB_VALUE_ERROR, "%s: the value %" PRId64 " does not fit %s", name, value->signed_value, dtype);
    }
    if (value->kind < SIGNED_KIND) {
        return dlb_fail(error, DLB_VALUE_ERROR, "%s: the value %" PRIu64 " does not fit %s", name, value->unsigned_value, dtype);
    }
    if (value->kind == COMPLEX_KIND) {
        return dlb_fail(error, DLB_VALUE_ERROR, "%s: the value %g%+gj does not fit %s", name, value->real, value->imaginary, dtype);
    }
    return dlb_fail(error, DLB_VALUE_ERROR, "%s: the value %g does not fit %s", name, value->real, dtype);
}

/* Copies an element to the other byte order. A complex number has two parts. Returns `to`. */
static const char *swap_bytes(const char *from, DLDataType dtype, char to[MAX_SIZE])
{
    const int size = dtype.bits / 8;
    const int part = dtype.code == kDLComplex ? size / 2 : size;

    for (int begin = 0; begin < size; begin += part) {
        for (int i = 0; i < part; i++) {
            to[begin + i] = from[begin + part - 1 - i];
        }
    }
    return to;
}

/* Converts one element. Returns 0, or -1 with `error` filled. */
static inline int convert_element(const char *name, const char *from, DLDataType given, char *to, DLDataType dtype, dlb_error *error)
{
    const number value = read_number(from, given);

    return store_number(to, dtype, &value) ? 0 : refuse_value(name, &value, dtype, error);
}

/* Converts the elements in the order of the compact copy. Returns 0, or -1 with `error` filled. */
static int convert(const dlb_incoming *incoming, dlb_order order, DLDataType dtype, char *to, dlb_error *error)
{
    const DLTensor *const from = incoming->view->tensor;
    const int64_t count = dlb_element_count(from);
    const int64_t size = incoming->bytewise ? 1 : dlb_itemsize(from->dtype);
    const bool same = dlb_same_dtype(from->dtype, dtype); /* only the byte order differs: NaNs keep their bits */
    int64_t index[DLB_MAX_NDIM] = {0};
    int64_t offset = 0;
    char swapped[MAX_SIZE];

    for (int64_t i = 0; i < count; i++) {
        const char *const place = (const char *)from->data + offset;
        const char *const element = incoming->swapped ? swap_bytes(place, from->dtype, swapped) : place;

        if (same) {
            memcpy(to, element, (size_t)dlb_itemsize(dtype));
        } else if (convert_element(incoming->view->name, element, from->dtype, to, dtype, error) != 0) {
            return -1;
        }
        to += dlb_itemsize(dtype);
        for (int32_t depth = 0; depth < from->ndim; depth++) {
            const int32_t axis = order == DLB_ORDER_F ? depth : from->ndim - 1 - depth;

            if (++index[axis] < from->shape[axis]) {
                offset += from->strides[axis] * size;
                break;
            }
            offset -= (from->shape[axis] - 1) * from->strides[axis] * size; /* the stride of a single element may be any number */
            index[axis] = 0;
        }
    }
    return 0;
}

int dlb_cast_memory(const dlb_requirements *require, DLDataType dtype, dlb_incoming *from, dlb_error *error)
{
    DLTensor *const tensor = from->view->tensor;
    const char *const name = from->view->name;
    const int64_t count = dlb_element_count(tensor);
    const size_t size = (size_t)dlb_itemsize(dtype);
    const size_t alignment = dlb_copy_alignment(require);
    char *to = NULL;

    if (!dlb_host_readable(tensor->device.device_type)) {
        char buffer[DLB_NAME_SIZE];

        return dlb_fail(error, DLB_BUFFER_ERROR, "%s: data on %s cannot be converted by the CPU", name,
                        dlb_device_name(tensor->device.device_type, buffer));
    }
    if (count > 0) {
        from->copy = (uint64_t)count > (SIZE_MAX - alignment) / size ? NULL : malloc((size_t)count * size + alignment);
        if (from->copy == NULL) {
            return dlb_fail(error, DLB_MEMORY_ERROR, "%s: no memory for a copy of %" PRId64 " elements", name, count);
        }
        to = dlb_next_aligned(from->copy, alignment);
        if (convert(from, require->order, dtype, to, error) != 0) {
            free(from->copy);
            return -1;
        }
    }
    from->copied = true;
    from->readonly = 0;
    tensor->device = DLB_CPU;
    tensor->data = to;
    tensor->dtype = dtype;
    return 0;
}
