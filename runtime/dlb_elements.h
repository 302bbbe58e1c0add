/* SPDX-License-Identifier: MIT-0 */
/* Compares the spec with the elements of the real struct at compile time: lengths of arrays, and types that data points to. Included by
 * dlb_assert.h. */
#ifndef DLB_ELEMENTS_H_
#define DLB_ELEMENTS_H_

/* ---- Arrays ---- */

#if defined(__GNUC__)
/* The element type of an array type; of another type, the type itself. */
#define DLB_ELEMENT_(type)                                                                                             \
    __typeof__(*__builtin_choose_expr(                                                                                 \
        DLB_IS_ARRAY_(type), *__builtin_choose_expr(DLB_IS_ARRAY_(type), (type *)0, (char (*)[1])0), (type *)0))
#define DLB_IS_ARRAY_(type)                                                                                            \
    (DLB_IS_POINTER_TYPE(type) && !DLB_SAME_TYPE_(type, __typeof__(1 ? *(type *)0 : *(type *)0)))
/* Whether the type is a pointer, or an array whose declared length means nothing: `dims[]`, or `dims[1]` at the end of older structs. */
#define DLB_UNBOUNDED_(array, element)                                                                                 \
    (__builtin_types_compatible_p(array, element *) || __builtin_types_compatible_p(array, element[1]) ||              \
     __extension__ __builtin_types_compatible_p(array, element[0]))
/* The number of elements of an array; DLB_MAX_NDIM if the type does not tell. */
#define DLB_LENGTH(array) DLB_LENGTH_(__typeof__(array), __typeof__((array)[0]))
#define DLB_LENGTH_(array, element)                                                                                    \
    (sizeof(*__builtin_choose_expr(DLB_UNBOUNDED_(array, element), (element(*)[DLB_MAX_NDIM])0, (array *)0)) /         \
     sizeof(element))
/* The size of an array in bytes; SIZE_MAX if the type does not tell. */
#define DLB_CAPACITY_(array, element)                                                                                  \
    (DLB_IS_BOUNDED_(array, element)                                                                                   \
         ? sizeof(*__builtin_choose_expr(DLB_IS_BOUNDED_(array, element), (array *)0, (char *)0))                      \
         : SIZE_MAX)
#define DLB_IS_BOUNDED_(array, element) (DLB_IS_ARRAY_(array) && !DLB_UNBOUNDED_(array, element))

#define DLB_ASSERT_CAPACITY(member, bytes, message)                                                                    \
    do {                                                                                                               \
        typedef __typeof__(member) dlb_array_;                                                                         \
        typedef DLB_ELEMENT_(dlb_array_) dlb_element_;                                                                 \
        DLB_ASSERT_BRIEFLY_(DLB_CAPACITY_(dlb_array_, dlb_element_) >= (bytes), message);                              \
    } while (0)
/* Asserts that rows have this size in bytes, if `member` is a two-dimensional array of numbers. */
#define DLB_ASSERT_ROWS(member, bytes, message)                                                                        \
    do {                                                                                                               \
        typedef __typeof__(member) dlb_array_;                                                                         \
        typedef DLB_ELEMENT_(dlb_array_) dlb_row_;                                                                     \
        typedef DLB_ELEMENT_(dlb_row_) dlb_element_;                                                                   \
        DLB_ASSERT_BRIEFLY_(!DLB_IS_ARRAY_(dlb_array_) || !DLB_IS_ARRAY_(dlb_row_) || DLB_IS_ARRAY_(dlb_element_) ||   \
                                sizeof(dlb_row_) == (bytes),                                                           \
                            message);                                                                                  \
    } while (0)
#else
#define DLB_LENGTH(array) ((size_t)DLB_MAX_NDIM)
#define DLB_ASSERT_CAPACITY(member, bytes, message) DLB_ASSERT_POINTER(member, message)
#define DLB_ASSERT_ROWS(member, bytes, message) DLB_ASSERT_POINTER(member, message)
#endif
/* The smaller of two lengths. */
#define DLB_LEAST(a, b) ((a) < (b) ? (a) : (b))
/* Asserts that an array has at least `count` elements, as far as its type tells. */
#define DLB_ASSERT_LENGTH(array, count, message) DLB_ASSERT_(DLB_LENGTH(array) >= (count), message)

/* ---- What data points to ---- */

/* Asserts that `e` points to complete elements that can have this dtype, or to arrays of them. Elements of one byte can have any dtype.
 * Integers can have dtypes below 8 bits. 16-bit integers can also have floating-point dtypes. Dtypes newer than kDLBool are not
 * checked. */
#if DLB_HAS_GENERIC && defined(__GNUC__)
#define DLB_ASSERT_DATA(e, code, bits, message)                                                                        \
    DLB_ASSERT_ELEMENT_(e,                                                                                             \
                        (code) == kDLOpaqueHandle ||                                                                   \
                            (!DLB_IS_POINTER_TYPE(dlb_element_) &&                                                     \
                             ((code) > kDLBool || DLB_MAY_HOLD_(*(dlb_element_ *)0, (code), (bits)))),                 \
                        message)
/* Asserts that `e` points to elements that can have one of several dtypes. `floats`: the bits of the floating-point dtypes, or of the
 * parts of complex ones. `integers`: the bits of the widest integer dtype. Each is 0 if no C type of that class can have all the
 * dtypes. */
#define DLB_ASSERT_ANY_DATA(e, floats, integers, message)                                                              \
    DLB_ASSERT_ELEMENT_(e,                                                                                             \
                        !DLB_IS_POINTER_TYPE(dlb_element_) &&                                                          \
                            DLB_MAY_HOLD_ANY_(*(dlb_element_ *)0, (floats), (integers)),                               \
                        message)
#define DLB_ASSERT_ELEMENT_(e, condition, message)                                                                     \
    do {                                                                                                               \
        typedef __typeof__(e) dlb_pointer_;                                                                            \
        typedef __typeof__(*DLB_TO_COMPLETE_(*(dlb_pointer_ *)0)) dlb_target_;                                         \
        typedef DLB_ELEMENT_(DLB_ELEMENT_(dlb_target_)) dlb_row_;                                                      \
        typedef DLB_ELEMENT_(DLB_ELEMENT_(dlb_row_)) dlb_element_;                                                     \
        DLB_ASSERT_BRIEFLY_(DLB_IS_POINTER_(*(dlb_pointer_ *)0) && (condition), message);                              \
    } while (0)
#define DLB_TO_COMPLETE_(e)                                                                                            \
    DLB_GENERIC_(__builtin_choose_expr(DLB_IS_POINTER_(e), (e), (char *)0), void *: (char *)0,                         \
        const void *: (char *)0, volatile void *: (char *)0, const volatile void *: (char *)0,                         \
        default: __builtin_choose_expr(DLB_IS_POINTER_(e), (e), (char *)0))
#define DLB_MAY_HOLD_(element, code, bits)                                                                             \
    DLB_GENERIC_((element), float: DLB_HOLDS_FLOAT_(float, code, bits),                                                \
        double: DLB_HOLDS_FLOAT_(double, code, bits), long double: DLB_HOLDS_FLOAT_(long double, code, bits),          \
        float _Complex: DLB_HOLDS_FLOAT_(float, code, bits), double _Complex: DLB_HOLDS_FLOAT_(double, code, bits),    \
        _Bool: (bits) <= 8, char: 1, signed char: 1, unsigned char: 1,                                                 \
        default: __builtin_classify_type(element) != DLB_CLASS_(int) || DLB_HOLDS_INTEGER_(sizeof(element), code, bits))
#define DLB_MAY_HOLD_ANY_(element, floats, integers)                                                                   \
    DLB_GENERIC_((element), float: (floats) == 8 * sizeof(float), double: (floats) == 8 * sizeof(double),              \
        long double: (floats) == 8 * sizeof(long double), float _Complex: (floats) == 8 * sizeof(float),               \
        double _Complex: (floats) == 8 * sizeof(double), _Bool: 1, char: 1, signed char: 1, unsigned char: 1,          \
        default: __builtin_classify_type(element) != DLB_CLASS_(int) ||                                                \
            ((integers) != 0 && (integers) <= 8 * sizeof(element)))
#define DLB_HOLDS_FLOAT_(ctype, code, bits)                                                                            \
    ((code) == kDLComplex ? (bits) == 16 * sizeof(ctype) : (code) == kDLFloat && (bits) == 8 * sizeof(ctype))
#define DLB_HOLDS_INTEGER_(size, code, bits)                                                                           \
    ((bits) < 8 || ((bits) == 8 * (size) && ((code) == kDLInt || (code) == kDLUInt || (bits) <= 16)))
#else
#define DLB_ASSERT_DATA(e, code, bits, message) DLB_ASSERT_POINTER(e, message)
#define DLB_ASSERT_ANY_DATA(e, floats, integers, message) DLB_ASSERT_POINTER(e, message)
#endif

#endif
