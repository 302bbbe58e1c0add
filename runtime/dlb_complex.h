/* SPDX-License-Identifier: MIT-0 */
/* Complex numbers: C's own types, and structs of a real and an imaginary part. Included by dlb_assert.h. */
#ifndef DLB_COMPLEX_H_
#define DLB_COMPLEX_H_

/* Structs that represent complex numbers: two floats or two doubles, whatever the names of the members. A compiler cannot report the
 * types of members without their names. The macros below check three things instead. The struct has two scalars: six zeros fill three
 * such structs. It has the size and alignment of two floats or doubles. Both scalars can hold a number that is too large for any other
 * type. */
struct dlb_floats {
    float real, imaginary;
};
struct dlb_doubles {
    double real, imaginary;
};

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wmissing-braces" /* for structs whose parts are an array */

#define DLB_IS_C_COMPLEX_(ctype)                                                                                       \
    (__builtin_types_compatible_p(ctype, float _Complex) || __builtin_types_compatible_p(ctype, double _Complex) ||    \
     __builtin_types_compatible_p(ctype, long double _Complex))
#define DLB_IS_PAIR_(ctype)                                                                                            \
    (DLB_IS_STRUCT_(*(ctype *)0) && sizeof((ctype[]){0, 0, 0, 0, 0, 0}) == 3 * sizeof(ctype) &&                        \
     (DLB_IS_LIKE_(ctype, struct dlb_floats) || DLB_IS_LIKE_(ctype, struct dlb_doubles)))
#define DLB_IS_LIKE_(ctype, pair) (sizeof(ctype) == sizeof(pair) && __alignof__(ctype) == __alignof__(pair))
#define DLB_IS_COMPLEX_(ctype) (DLB_IS_C_COMPLEX_(ctype) || DLB_IS_PAIR_(ctype))

/* Asserts that the C type is a complex number. */
#define DLB_ASSERT_COMPLEX(ctype, message)                                                                             \
    do {                                                                                                               \
        DLB_ASSERT_(DLB_IS_COMPLEX_(ctype), message);                                                                  \
        DLB_ASSERT_PARTS_(ctype);                                                                                      \
    } while (0)
/* Asserts that the parts of a struct are floating-point numbers. */
#define DLB_ASSERT_PARTS_(ctype)                                                                                       \
    do {                                                                                                               \
        typedef __typeof__(*__builtin_choose_expr(DLB_IS_PAIR_(ctype), (ctype *)0, (struct dlb_doubles *)0)) dlb_pair_;  \
        DLB_STRICT_BEGIN(void)(dlb_pair_){DLB_LARGE_(dlb_pair_), DLB_LARGE_(dlb_pair_)};                               \
        DLB_STRICT_END                                                                                                 \
    } while (0)
#define DLB_LARGE_(ctype) __builtin_choose_expr(sizeof(ctype) == sizeof(struct dlb_floats), 0x1p100, 0x1p1000)

/* A part of a complex variable, or of a real number, as a double. */
#define DLB_REAL_PART_(value) DLB_PART_(value, real, __real__)
#define DLB_IMAGINARY_PART_(value) DLB_PART_(value, imaginary, __imag__)
#define DLB_PART_(value, member, operator)                                                                             \
    __builtin_choose_expr(DLB_IS_STRUCT_(value),                                                                       \
                          sizeof(value) == sizeof(struct dlb_floats)                                                   \
                              ? (double)DLB_PAIR_(value, .whole = (value)).floats.member                               \
                              : DLB_PAIR_(value, .whole = (value)).doubles.member,                                     \
                          operator((double _Complex)__builtin_choose_expr(DLB_IS_STRUCT_(value), 0, (value))))
/* A struct of the type of `like`, with these two parts. */
#define DLB_PAIR_OF_(like, first, second)                                                                              \
    __builtin_choose_expr(sizeof(like) == sizeof(struct dlb_floats),                                                   \
                          DLB_PAIR_(like, .floats = {(float)(first), (float)(second)}),                                \
                          DLB_PAIR_(like, .doubles = {(first), (second)}))                                             \
        .whole
#define DLB_PAIR_(like, ...)                                                                                           \
    ((union {                                                                                                          \
        __typeof__(like) whole;                                                                                        \
        struct dlb_floats floats;                                                                                      \
        struct dlb_doubles doubles;                                                                                    \
    }){__VA_ARGS__})
#else
#define DLB_IS_COMPLEX_(ctype) (sizeof(ctype) == sizeof(struct dlb_floats) || sizeof(ctype) == sizeof(struct dlb_doubles))
#define DLB_ASSERT_COMPLEX(ctype, message) DLB_ASSERT_(DLB_IS_COMPLEX_(ctype), message)
#endif

/* The dtype of a C type that the spec declares as complex. DLB_ASSERT_COMPLEX() has checked the type. */
#define DLB_COMPLEX_CODE_OF(ctype)                                                                                     \
    (uint8_t)(kDLComplex * DLB_PROVE_(sizeof(ctype) <= sizeof(struct dlb_doubles), no_dtype_has_so_many_bits))
#define DLB_COMPLEX_DTYPE_OF(ctype) ((DLDataType){DLB_COMPLEX_CODE_OF(ctype), 8 * sizeof(ctype), 1})

#endif
