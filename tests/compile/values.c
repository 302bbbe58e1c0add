/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include "picture.h"
#include "dlb_emit.h"

static int wrong;

static void check(dlb_integer found, int64_t value, int fits)
{
    if (found.value != value || found.status != fits) {
        printf("%s: %lld, %d\n", found.expression, (long long)found.value, found.status);
        wrong = 1;
    }
}

static void check_dtype(DLDataType found, int code, int bits)
{
    if (found.code != code || found.bits != bits || found.lanes != 1) {
        printf("%d: code %d, bits %d\n", code, found.code, found.bits);
        wrong = 1;
    }
}

int main(void)
{
    picture_t picture = {.pitch = 4294967290u, .channels = 5, .depth = 250, .device = -3, .format = PICTURE_RGBA};
    picture_t *self = &picture;
    uint64_t big = UINT64_MAX;
    const _Bool yes = 1;

    DLB_ASSERT_POINTER(self->pixels, "a pointer");
    DLB_ASSERT_POINTER(self->palette, "a pointer to const");
    DLB_ASSERT_POINTER(self->gain, "an array");
    DLB_ASSERT_INTEGER(self->channels, "a bit-field");
    DLB_ASSERT_INTEGER(self->format, "an enumeration");
    DLB_ASSERT_INTEGER(yes, "a boolean");
    DLB_ASSERT_SIGNED(-self->device, "a signed integer");
    DLB_ASSERT_SIGNED(self->depth - 1, "small unsigned numbers are signed in expressions");
    DLB_ASSERT_VALUE(self->name, "a text");
    DLB_ASSERT_VALUE(self->gamma, "a floating number");
    DLB_ASSERT_VALUE(self->pitch << 2, "a shift, which looks like a mistake for a comparison");
    DLB_ASSERT_VALUE(self->gain, "an array, which is never NULL");
    DLB_ASSERT_LENGTH(self->dims, 4, "long enough");
    DLB_ASSERT_LENGTH(self->lines, 64, "a pointer, which may be as long as it likes");

    check(DLB_INTEGER(self->pitch), 4294967290, 1);
    check(DLB_INTEGER(self->channels), 5, 1);
    check(DLB_INTEGER(self->depth), 250, 1);
    check(DLB_INTEGER(self->device), -3, 1);
    check(DLB_INTEGER(-self->device), 3, 1);
    check(DLB_INTEGER(self->format), PICTURE_RGBA, 1);
    check(DLB_INTEGER(yes), 1, 1);
    check(DLB_INTEGER(big), -1, 0);
    check(DLB_INTEGER(big / 2), INT64_MAX, 1);
    check(DLB_INTEGER(INT64_MIN), INT64_MIN, 1);
    check_dtype(DLB_DTYPE_OF(_Bool), kDLBool, 8);
    check_dtype(DLB_DTYPE_OF(signed char), kDLInt, 8);
    check_dtype(DLB_DTYPE_OF(uint8_t), kDLUInt, 8);
    check_dtype(DLB_DTYPE_OF(short), kDLInt, 16);
    check_dtype(DLB_DTYPE_OF(uint64_t), kDLUInt, 64);
    check_dtype(DLB_DTYPE_OF(long), kDLInt, (int)(8 * sizeof(long)));
    check_dtype(DLB_DTYPE_OF(const float), kDLFloat, 32);
    check_dtype(DLB_DTYPE_OF(double), kDLFloat, 64);
    return DLB_LENGTH(self->dims) == 4 && DLB_LENGTH(self->lines) == DLB_MAX_NDIM ? wrong : 1;
}
