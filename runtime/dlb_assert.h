/* SPDX-License-Identifier: MIT-0 */
/* Compares the spec with the real struct at compile time, and converts integers of any C type to those of DLPack.
 *
 * The assertions are placed in functions. A failed one shows its message, which names tensor, key and expression: in the error, or in
 * the source line that the compiler prints. The assertions need `_Generic`, of C11 or as an extension. Compilers without it use the
 * second half of each pair below, in C99 (tested with -DDLB_NO_GENERIC). There, DLB_VALUE has no value. DLB_SET, DLB_SET_CONST and
 * DLB_LET accept integers only. Const data needs a cast and `readonly`. Params and complex C types are missing. Only gcc and clang
 * check the types that data points to, and keys.
 *
 * Include this after the headers of the library: from here to the end of the file, some warnings are errors. */
#ifndef DLB_ASSERT_H_
#define DLB_ASSERT_H_

#include "dlb_core.h"

#include <limits.h>

/* gcc does not show how a macro of a system header expands: it prints only the line with the mistake. It does not print warnings about
 * such macros, but those that are errors below. Generated files include this header first: an error then begins with one line about
 * included files, not with all headers on the way here. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

#if defined(DLB_NO_GENERIC)
#define DLB_HAS_GENERIC 0
#elif defined(__GNUC__) /* "__extension__" silences -std=c99 -pedantic */
#define DLB_HAS_GENERIC 1
#define DLB_GENERIC_ __extension__ _Generic
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define DLB_HAS_GENERIC 1
#define DLB_GENERIC_ _Generic
#else
#define DLB_HAS_GENERIC 0
#endif

/* ---- Classes of expressions ---- */

#if DLB_HAS_GENERIC

/* Selects by the promoted type of `e`, which is not evaluated. */
#define DLB_SELECT_(e, is_signed, is_unsigned, is_other)                                                               \
    DLB_GENERIC_(1 ? (e) : (e),                                                                                        \
        int: is_signed, long: is_signed, long long: is_signed,                                                         \
        unsigned: is_unsigned, unsigned long: is_unsigned, unsigned long long: is_unsigned,                            \
        default: is_other)

/* Selects for an expression that is a number or a pointer. Counts wide bit-fields, whose type has no name, as numbers. */
#define DLB_WIDEN_(e, is_signed, is_unsigned, is_other)                                                                \
    DLB_GENERIC_(1 ? (e) : 0LL, long long: is_signed, unsigned long long: is_unsigned, default: is_other)

#define DLB_POINTS_TO_CONST_(pointer)                                                                                  \
    DLB_GENERIC_(1 ? (pointer) : (void *)1, const void *: 1, const volatile void *: 1, default: 0)

/* DLB_CLASSIFY_ precedes the other two, which select by the class of `value`. (With gcc and clang they do not repeat `value`.) */
#if defined(__GNUC__)
#define DLB_CLASSIFY_(value) typedef DLB_TYPE_OF(value) dlb_type_
#define DLB_BY_CLASS_(value, is_signed, is_unsigned, is_other)                                                         \
    DLB_SELECT_(*(dlb_type_ *)0, is_signed, is_unsigned, is_other)
#define DLB_IF_INTEGER_(value, then, otherwise)                                                                        \
    __builtin_choose_expr(DLB_SELECT_(*(dlb_type_ *)0, 1, 1, 0), then, otherwise)
#else
#define DLB_CLASSIFY_(value) ((void)0)
#define DLB_BY_CLASS_(value, is_signed, is_unsigned, is_other) DLB_SELECT_(value, is_signed, is_unsigned, is_other)
#define DLB_IF_INTEGER_(value, then, otherwise) DLB_SELECT_(value, then, then, otherwise)
#endif

#else

/* Never defined, never called: an argument that they do not accept is a compile error. */
int dlb_is_pointer_(const volatile void *pointer);
int dlb_is_pointer_to_writable_(volatile void *pointer);

/* 0 for an integer; other types do not compile. */
#define DLB_INTEGRAL_(e) (sizeof((e) % 1) == 0)
#define DLB_UNSIGNED_(e) ((0 ? (e) : 0) - 1 > 0)
/* Always 0. Causes a diagnostic if `pointer` points to const. */
#define DLB_POINTS_TO_CONST_(pointer) (sizeof(dlb_is_pointer_to_writable_(pointer)) == 0)

#endif

/* The type of a variable or member, with its qualifiers. Not defined if the compiler has no such operator. */
#if defined(__GNUC__) || (defined(_MSC_VER) && _MSC_VER >= 1939)
#define DLB_DECLARED_TYPE_ __typeof__
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L
#define DLB_DECLARED_TYPE_ typeof
#endif

/* ---- Assertions ---- */

/* Whether the C type is a pointer; 0 if the compiler has no way to tell. */
#if defined(__GNUC__)
#define DLB_SAME_TYPE_(a, b) __builtin_types_compatible_p(__typeof__(a), __typeof__(b))
#define DLB_CLASS_(type) __builtin_classify_type(*(type *)0)
#define DLB_IS_POINTER_TYPE(type) (DLB_CLASS_(type) == DLB_CLASS_(void *))
#else
#define DLB_IS_POINTER_TYPE(type) 0
#endif
/* Whether the C type is a struct or a union; 0 if the compiler has no way to tell. */
#if defined(__GNUC__)
#define DLB_IS_STRUCT_TYPE(type) DLB_IS_STRUCT_(*(type *)0)
#else
#define DLB_IS_STRUCT_TYPE(type) 0
#endif

/* Fails to compile unless the condition holds: a bit-field then has a negative width. Its name is the message. */
#define DLB_PROVE_(condition, field) (sizeof(struct { int field : (condition) ? 1 : -1; }) > 0)
#if DLB_HAS_GENERIC && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define DLB_ASSERT_(condition, message) _Static_assert(condition, message)
#else
#define DLB_ASSERT_(condition, message) ((void)(sizeof(message) * DLB_PROVE_(condition, see_the_line_below)))
#endif

/* The assertions below have each expression once, because compilers report a mistake wherever the expression appears. They call few
 * macros, because clang prints three lines for each. `dlb_differs_from_the_spec_` keeps the condition out of the message of clang. It is
 * 0 if the expression has a mistake, which is reported already. */
#if DLB_HAS_GENERIC
#if defined(__GNUC__)
/* A second error behind a failed assertion: the compiler prints the type of the expression. */
#define DLB_SHOW_TYPE_(type)                                                                                           \
    (void)sizeof((struct dlb_type_in_the_spec *){                                                                      \
        __builtin_choose_expr(dlb_differs_from_the_spec_, *(type *)0, (struct dlb_type_in_the_spec *)0)})
#define DLB_ASSERT_INTEGER(e, message)                                                                                 \
    do {                                                                                                               \
        typedef __typeof__(1 ? (e) : 0LL) dlb_type_;                                                                   \
        enum { dlb_differs_from_the_spec_ = !DLB_IS_INTEGER_(*(dlb_type_ *)0) };                                       \
        DLB_ASSERT_(!dlb_differs_from_the_spec_, message);                                                             \
        DLB_SHOW_TYPE_(dlb_type_);                                                                                     \
    } while (0)
/* Asserts that a difference is signed. A difference of unsigned numbers would wrap around instead of becoming negative. */
#define DLB_ASSERT_SIGNED(e, message)                                                                                  \
    do {                                                                                                               \
        typedef __typeof__(1 ? (e) : 0) dlb_type_;                                                                     \
        enum { dlb_differs_from_the_spec_ = !DLB_IS_SIGNED_(*(dlb_type_ *)0) };                                        \
        DLB_ASSERT_(!dlb_differs_from_the_spec_, message);                                                             \
    } while (0)
#define DLB_ASSERT_POINTER(e, message)                                                                                 \
    do {                                                                                                               \
        typedef __typeof__(e) dlb_type_;                                                                               \
        enum { dlb_differs_from_the_spec_ = !DLB_IS_POINTER_(*(dlb_type_ *)0) };                                       \
        DLB_ASSERT_(!dlb_differs_from_the_spec_, message);                                                             \
        DLB_SHOW_TYPE_(dlb_type_);                                                                                     \
    } while (0)
#else
#define DLB_ASSERT_INTEGER(e, message) DLB_ASSERT_(DLB_IS_INTEGER_(1 ? (e) : 0LL), message)
#define DLB_ASSERT_SIGNED(e, message) DLB_ASSERT_(DLB_IS_SIGNED_(1 ? (e) : 0), message)
#define DLB_ASSERT_POINTER(e, message) DLB_ASSERT_(DLB_IS_POINTER_(e), message)
#endif
#define DLB_IS_INTEGER_(e) DLB_WIDEN_(e, 1, 1, 0)
#define DLB_IS_SIGNED_(e) DLB_SELECT_(e, 1, 0, 0)
#define DLB_IS_POINTER_(e)                                                                                             \
    (sizeof((uintptr_t)(e)) > 0 && DLB_SELECT_(e, 0, 0, 1) &&                                                          \
     DLB_GENERIC_((e), float: 0, double: 0, long double: 0, default: 1))
#else

#define DLB_ASSERT_INTEGER(e, message) ((void)(DLB_INTEGRAL_(e) + sizeof(message)))
#if defined(__GNUC__)
#define DLB_ASSERT_SIGNED(e, message) DLB_ASSERT_((__typeof__((e) % 1))-1 < 0, message)
#else /* a division by zero */
#define DLB_ASSERT_SIGNED(e, message) ((void)((DLB_INTEGRAL_(e) + sizeof(message)) / !DLB_UNSIGNED_(e)))
#endif
#define DLB_ASSERT_POINTER(e, message) ((void)(sizeof(dlb_is_pointer_(e)) + sizeof(message)))

#endif

/* ---- The `ok` of a spec, for calls without an `ok` of their own ---- */

/* Asserts that the call returns a value. */
#define DLB_ASSERT_RESULT(call, message) DLB_ASSERT_OF_RESULT_(call, DLB_IS_RESULT_, 0, 0, message)
/* Asserts that the result can be compared with `value`: a number with a number, or a pointer with a pointer. */
#define DLB_ASSERT_COMPARED(call, value, message) DLB_ASSERT_OF_RESULT_(call, DLB_IS_COMPARED_, value, 0, message)
/* Asserts that the result is a status that can be compared with `value`. A pointer to the object, of the type `pointer`, is not a
 * status. */
#define DLB_ASSERT_STATUS(call, value, pointer, message)                                                               \
    DLB_ASSERT_OF_RESULT_(call, DLB_IS_STATUS_, value, pointer, message)
#if defined(__GNUC__)
#define DLB_ASSERT_OF_RESULT_(call, is, value, pointer, message)                                                       \
    do {                                                                                                               \
        typedef __typeof__(call) dlb_type_;                                                                            \
        enum { dlb_differs_from_the_spec_ = !is(dlb_type_, value, pointer) };                                          \
        DLB_ASSERT_(!dlb_differs_from_the_spec_, message);                                                             \
    } while (0)
#define DLB_IS_RESULT_(type, value, pointer) (!DLB_IS_VOID_(type))
#define DLB_IS_COMPARED_(type, value, pointer)                                                                         \
    (!DLB_IS_STRUCT_(*DLB_NO_VOID_(type)) && DLB_POINTS_(*DLB_NO_VOID_(type)) == DLB_POINTS_(value))
#define DLB_IS_STATUS_(type, value, pointer)                                                                           \
    (DLB_IS_COMPARED_(type, value, pointer) && !(DLB_POINTS_(value) && DLB_IS_TO_(type, pointer)))
#define DLB_POINTS_(value) (__builtin_classify_type(value) == DLB_CLASS_(void *))
#define DLB_IS_TO_(type, pointer)                                                                                      \
    (__builtin_types_compatible_p(type, pointer) || __builtin_types_compatible_p(type, const pointer))
#define DLB_IS_VOID_(type) __builtin_types_compatible_p(type, void)
/* A null pointer to the type; for void, which has no values, a null pointer to a struct. */
#define DLB_NO_VOID_(type) __builtin_choose_expr(DLB_IS_VOID_(type), (DLTensor *)0, (type *)0)
#else /* any expression that can be compared with `value` */
#define DLB_ASSERT_OF_RESULT_(call, is, value, pointer, message) is(call, value, message)
#define DLB_IS_RESULT_(call, value, message) ((void)(sizeof(call) + sizeof(message)))
#define DLB_IS_COMPARED_(call, value, message) ((void)(sizeof((call) == (value)) + sizeof(message)))
#define DLB_IS_STATUS_(call, value, message) DLB_IS_COMPARED_(call, value, message)
#endif

/* Asserts that `e` can be compared: an integer, a boolean, an enumeration, a floating-point number or a pointer. */
#define DLB_ASSERT_VALUE(e, message) ((void)(sizeof((uintptr_t)(e)) + sizeof(message)))
/* Asserts that `e` can be compared with this key: a pointer with a pointer, or a number with a number. */
#if defined(__GNUC__)
#define DLB_ASSERT_KEY(e, key, message) DLB_ASSERT_(DLB_IS_ADDRESS_(e) == DLB_IS_ADDRESS_(key), message)
#define DLB_IS_ADDRESS_(e) (sizeof((uintptr_t)(e)) > 0 && __builtin_classify_type(e) == DLB_CLASS_(void *))
#else
#define DLB_ASSERT_KEY(e, key, message) DLB_ASSERT_VALUE(e, message)
#endif

#if defined(__GNUC__)
#define DLB_ASSERT_ALIGNMENT(type, alignment, message) DLB_ASSERT_(__alignof__(type) <= (alignment), message)
#else
#define DLB_ASSERT_ALIGNMENT(type, alignment, message) DLB_ASSERT_VALUE(alignment, message)
#endif
#define DLB_ASSERT_SIZE(type, size, message) DLB_ASSERT_(sizeof(type) == (size), message)
#define DLB_ASSERT_WHOLE(type, size, message) DLB_ASSERT_((size) % sizeof(type) == 0, message)

/* Asserts that `object` is a struct or a union whose members are known. */
#if defined(__GNUC__)
#define DLB_ASSERT_STRUCT(object, message)                                                                             \
    do {                                                                                                               \
        typedef __typeof__(object) dlb_type_;                                                                          \
        enum { dlb_differs_from_the_spec_ = sizeof(dlb_type_) == 0 || DLB_IS_POINTER_TYPE(dlb_type_) };                \
        DLB_ASSERT_(!dlb_differs_from_the_spec_, message);                                                             \
    } while (0)
#else
#define DLB_ASSERT_STRUCT(object, message) DLB_ASSERT_(sizeof(object) > 0, message)
#endif

/* Asserts that `storage` is large enough for an object of the type. */
#define DLB_ASSERT_STORAGE(storage, type, message) DLB_ASSERT_(sizeof(storage) >= sizeof(type), message)

/* Asserts that `e` is a table of pointers. */
#define DLB_ASSERT_TABLE(e, message) DLB_ASSERT_POINTER((e)[0], message)

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

/* Whether `e` is an array, and not a pointer. */
#define DLB_IS_INNER_ARRAY_(e) DLB_IS_ARRAY_(__typeof__(e))
#define DLB_ASSERT_CAPACITY(member, bytes, message)                                                                    \
    do {                                                                                                               \
        typedef __typeof__(member) dlb_array_;                                                                         \
        typedef DLB_ELEMENT_(dlb_array_) dlb_element_;                                                                 \
        enum { dlb_differs_from_the_spec_ = DLB_CAPACITY_(dlb_array_, dlb_element_) < (bytes) };                       \
        DLB_ASSERT_(!dlb_differs_from_the_spec_, message);                                                             \
    } while (0)
/* Asserts that rows have this size in bytes, if `member` is a two-dimensional array of numbers. */
#define DLB_ASSERT_ROWS(member, bytes, message)                                                                        \
    do {                                                                                                               \
        typedef __typeof__(member) dlb_array_;                                                                         \
        typedef DLB_ELEMENT_(dlb_array_) dlb_row_;                                                                     \
        typedef DLB_ELEMENT_(dlb_row_) dlb_element_;                                                                   \
        enum {                                                                                                         \
            dlb_differs_from_the_spec_ = DLB_IS_ARRAY_(dlb_array_) && DLB_IS_ARRAY_(dlb_row_) &&                       \
                                         !DLB_IS_ARRAY_(dlb_element_) && sizeof(dlb_row_) != (bytes)                   \
        };                                                                                                             \
        DLB_ASSERT_(!dlb_differs_from_the_spec_, message);                                                             \
    } while (0)
#else
#define DLB_LENGTH(array) ((size_t)DLB_MAX_NDIM)
#define DLB_IS_INNER_ARRAY_(e) 1
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
    do {                                                                                                               \
        typedef __typeof__(e) dlb_pointer_;                                                                            \
        DLB_TYPEDEF_ELEMENT_;                                                                                          \
        enum { dlb_code_ = (code), dlb_bits_ = (bits) };                                                               \
        enum {                                                                                                         \
            dlb_differs_from_the_spec_ =                                                                               \
                !DLB_IS_POINTER_(*(dlb_pointer_ *)0) ||                                                                \
                ((int)dlb_code_ != (int)kDLOpaqueHandle &&                                                             \
                 (DLB_IS_POINTER_TYPE(dlb_element_) ||                                                                 \
                  ((int)dlb_code_ <= (int)kDLBool &&                                                                   \
                   !DLB_MAY_HOLD_(*(dlb_element_ *)0, (int)dlb_code_, (size_t)dlb_bits_))))                            \
        };                                                                                                             \
        DLB_ASSERT_(!dlb_differs_from_the_spec_, message);                                                             \
        DLB_SHOW_TYPE_(dlb_pointer_);                                                                                  \
    } while (0)
/* Asserts that `e` points to elements that can have one of several dtypes. `floats`: the bits of the floating-point dtypes, or of the
 * parts of complex ones. `integers`: the bits of the widest integer dtype. Each is 0 if no C type of that class can have all the
 * dtypes. */
#define DLB_ASSERT_ANY_DATA(e, floats, integers, message)                                                              \
    do {                                                                                                               \
        typedef __typeof__(e) dlb_pointer_;                                                                            \
        DLB_TYPEDEF_ELEMENT_;                                                                                          \
        enum {                                                                                                         \
            dlb_differs_from_the_spec_ = !DLB_IS_POINTER_(*(dlb_pointer_ *)0) || DLB_IS_POINTER_TYPE(dlb_element_) ||  \
                                         !DLB_MAY_HOLD_ANY_(*(dlb_element_ *)0, (floats), (integers))                  \
        };                                                                                                             \
        DLB_ASSERT_(!dlb_differs_from_the_spec_, message);                                                             \
        DLB_SHOW_TYPE_(dlb_pointer_);                                                                                  \
    } while (0)
/* Declares the type of the elements that `dlb_pointer_` points to. */
#define DLB_TYPEDEF_ELEMENT_                                                                                           \
    typedef __typeof__(*DLB_TO_COMPLETE_(*(dlb_pointer_ *)0)) dlb_target_;                                             \
    typedef DLB_ELEMENT_(DLB_ELEMENT_(dlb_target_)) dlb_row_;                                                          \
    typedef DLB_ELEMENT_(DLB_ELEMENT_(dlb_row_)) dlb_element_
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

/* ---- Functions ---- */

/* Asserts that `function` has the type that `pointer` points to. (Attributes such as const and noreturn are ignored. gcc treats them as
 * qualifiers of the function.) */
#if defined(__clang__)
#define DLB_ASSERT_FUNCTION(function, pointer, message)                                                                \
    _Static_assert(__builtin_types_compatible_p(__typeof__(function), __typeof__(*(pointer)0)), message);              \
    DLB_CHECK(dlb_checked_begin(__func__, __builtin_frame_address(0)))
#elif defined(__GNUC__) /* the first part prints both types */
#define DLB_ASSERT_FUNCTION(function, pointer, message)                                                                \
    do {                                                                                                               \
        (void)sizeof((pointer){function});                                                                             \
        enum { dlb_differs_from_the_spec_ = !__builtin_types_compatible_p(__typeof__(function), __typeof__(*(pointer)0)) }; \
        DLB_ASSERT_(!dlb_differs_from_the_spec_, message);                                                             \
        DLB_CHECK(dlb_checked_begin(__func__, __builtin_frame_address(0)));                                            \
    } while (0)
#else
#define DLB_ASSERT_FUNCTION(function, pointer, message)                                                                \
    DLB_ASSERT_(DLB_GENERIC_(&(function), pointer: 1, default: 0), message)
#endif
/* Asserts that the C type of a parameter or a result is of that class. An enumeration counts as an integer, a union as a struct. */
#define DLB_ASSERT_KIND(ctype, kind, message) DLB_ASSERT_(DLB_IS_##kind##_(*(ctype *)0), message)
#define DLB_IS_REAL_(e) DLB_GENERIC_((e), float: 1, double: 1, long double: 1, default: 0)
#if defined(__GNUC__)
#define DLB_IS_STRUCT_(e)                                                                                              \
    (__builtin_classify_type(e) == DLB_CLASS_(DLTensor) || __builtin_classify_type(e) == DLB_CLASS_(union dlb_some_union))
union dlb_some_union {
    int some;
};
#else
#define DLB_IS_STRUCT_(e) 1
#endif

/* Asserts that both types are equal, or pointers of which `other` may add a `const` to the target. */
#if defined(__GNUC__)
#define DLB_ASSERT_CONVERTS(own, other, message) DLB_ASSERT_(DLB_CONVERTS_(own, other), message)
#define DLB_CONVERTS_(own, other)                                                                                      \
    (__builtin_types_compatible_p(own, other) ||                                                                       \
     (DLB_POINTS_(*(own *)0) && DLB_POINTS_(*(other *)0) &&                                                            \
      __builtin_types_compatible_p(__typeof__(1 ? DLB_POINTER_(own) : DLB_POINTER_(other)), other)))
/* Asserts that pointers of type `own` convert to type `other`, or point to it if it is a struct. */
#define DLB_ASSERT_PASSES(own, other, message)                                                                         \
    DLB_ASSERT_(DLB_CONVERTS_(own, other) ||                                                                           \
                    (DLB_IS_STRUCT_TYPE(other) && __builtin_types_compatible_p(__typeof__(*(own)0), other)),           \
                message)
/* A value of the type if that is a pointer, else a void pointer. */
#define DLB_POINTER_(type) __builtin_choose_expr(DLB_POINTS_(*(type *)0), *(type *)0, (void *)0)
#define DLB_TO_CONST_(type) DLB_POINTS_TO_CONST_(DLB_POINTER_(type))
#else
#define DLB_ASSERT_CONVERTS(own, other, message) ((void)(sizeof(1 ? *(own *)0 : *(other *)0) + sizeof(message)))
#define DLB_ASSERT_PASSES(own, other, message) DLB_ASSERT_CONVERTS(own, other, message)
#define DLB_TO_CONST_(type) DLB_POINTS_TO_CONST_(*(type *)0)
#endif
#define DLB_ASSERT_NOT_CONST(type, message) DLB_ASSERT_(!DLB_TO_CONST_(type), message)

/* ---- Types ---- */

#if DLB_HAS_GENERIC

/* The dlb_ctype_class of a member of a state. */
#define DLB_CTYPE_CLASS_OF(e)                                                                                          \
    DLB_GENERIC_((e), _Bool: DLB_BOOLEAN, char: CHAR_MIN < 0 ? DLB_SIGNED : DLB_UNSIGNED,                              \
        signed char: DLB_SIGNED, short: DLB_SIGNED, int: DLB_SIGNED, long: DLB_SIGNED, long long: DLB_SIGNED,          \
        unsigned char: DLB_UNSIGNED, unsigned short: DLB_UNSIGNED, unsigned: DLB_UNSIGNED,                             \
        unsigned long: DLB_UNSIGNED, unsigned long long: DLB_UNSIGNED,                                                 \
        float: DLB_FLOATING, double: DLB_FLOATING, long double: DLB_FLOATING,                                          \
        char *: DLB_STRING, const char *: DLB_STRING, default: DLB_OTHER)

#if defined(__FLT16_MAX__)
#define DLB_HALF_(then) _Float16: then,
#else
#define DLB_HALF_(then)
#endif
#if defined(__STDC_NO_COMPLEX__) || (defined(_MSC_VER) && !defined(__clang__))
#define DLB_COMPLEX_(then)
#else
#define DLB_COMPLEX_(then) float _Complex: then, double _Complex: then,
#endif

/* The type code of a C type; -1 if it has none. */
#define DLB_CODE_(ctype)                                                                                               \
    DLB_GENERIC_(*(ctype *)0, _Bool: kDLBool, char: CHAR_MIN < 0 ? kDLInt : kDLUInt,                                   \
        signed char: kDLInt, short: kDLInt, int: kDLInt, long: kDLInt, long long: kDLInt,                              \
        unsigned char: kDLUInt, unsigned short: kDLUInt, unsigned: kDLUInt, unsigned long: kDLUInt,                    \
        unsigned long long: kDLUInt, DLB_HALF_(kDLFloat) DLB_COMPLEX_(kDLComplex)                                      \
        float: kDLFloat, double: kDLFloat, long double: sizeof(long double) == 8 ? (int)kDLFloat : -1, default: -1)

#define DLB_HAS_DTYPE_(ctype) (DLB_CODE_(ctype) >= 0)

#else

/* Complex numbers cannot be ordered, so they do not compile here. */
#define DLB_CODE_(ctype)                                                                                               \
    ((ctype)2 == 1 ? kDLBool : (ctype)0.5 != 0 ? kDLFloat : (ctype)-1 > 0 ? kDLUInt : kDLInt)
#define DLB_HAS_DTYPE_(ctype) (sizeof(ctype) <= 8)

#endif

/* The type code of an arithmetic C type, and its dtype. */
#define DLB_CODE_OF(ctype)                                                                                             \
    (uint8_t)(DLB_IS_TYPE_(ctype) * DLB_PROVE_(DLB_HAS_DTYPE_(ctype), no_dtype_has_the_layout_of_this_C_type) *        \
              DLB_CODE_(ctype))
#define DLB_DTYPE_OF(ctype) ((DLDataType){DLB_CODE_OF(ctype), 8 * sizeof(ctype), 1})
#define DLB_IS_TYPE_(ctype) (sizeof(struct { ctype *pointer; }) > 0)

/* ---- Integers ---- */

static inline dlb_integer dlb_signed(const char *expression, int64_t value)
{
    return (dlb_integer){value, DLB_FITS, expression};
}

static inline dlb_integer dlb_unsigned(const char *expression, uint64_t value)
{
    return (dlb_integer){(int64_t)value, value <= INT64_MAX ? DLB_FITS : DLB_TOO_LARGE, expression};
}

/* Returns a dlb_integer that is not an integer, only with its expression. */
DLB_API dlb_integer dlb_not_integer(const char *expression, ...);

#if DLB_HAS_GENERIC
/* A dlb_integer of an expression of any integer type. `expression`: the expression as the spec spells it. */
#define DLB_INTEGER(e) (DLB_GENERIC_(1 ? (e) : 0LL, long long: dlb_signed, unsigned long long: dlb_unsigned)(#e, (e)))
#define DLB_INTEGER_AS(expression, e)                                                                                  \
    (DLB_GENERIC_(1 ? (e) : 0LL, long long: dlb_signed, unsigned long long: dlb_unsigned)((expression), (e)))
/* A dlb_integer of an expression of any type. It has a value only if the type is an integer. */
#define DLB_VALUE(e) DLB_VALUE_AS(#e, e)
#define DLB_VALUE_AS(expression, e) (DLB_SELECT_(e, dlb_signed, dlb_unsigned, dlb_not_integer)((expression), (e)))
#else
#define DLB_INTEGER(e) DLB_INTEGER_AS(#e, e)
#define DLB_INTEGER_AS(expression, e) dlb_either((expression), DLB_INTEGRAL_(e) || DLB_UNSIGNED_(e), (uint64_t)(e))
#define DLB_VALUE(e) DLB_VALUE_AS(#e, e)
#define DLB_VALUE_AS(expression, e) dlb_not_integer(expression)

static inline dlb_integer dlb_either(const char *expression, int is_unsigned, uint64_t value)
{
    return is_unsigned ? dlb_unsigned(expression, value) : dlb_signed(expression, (int64_t)value);
}
#endif

#if defined(__GNUC__)
/* The type of the value of `e`, which may be a bit-field. For an array it is a pointer. */
#define DLB_TYPE_OF(e) __typeof__((void)0, (e))
/* The type of a variable that holds the values `DLB_KEY(A) | DLB_KEY(B)` of `e`. If `e` is an integer of 32 bits or more and the values
 * are small constants, it is unsigned char or unsigned short: C converts those to every integer and enumeration without changing the
 * sign. */
#define DLB_TYPE_OF_KEYS(e, keys)                                                                                      \
    __typeof__(*__builtin_choose_expr(                                                                                 \
        DLB_ARE_WITHIN_(DLB_TYPE_OF(e), keys, 0xFF), (unsigned char *)0,                                               \
        __builtin_choose_expr(DLB_ARE_WITHIN_(DLB_TYPE_OF(e), keys, 0xFFFF), (unsigned short *)0, (DLB_TYPE_OF(e) *)0)))
#define DLB_KEY(e) ((intptr_t)(e))
#define DLB_ARE_WITHIN_(type, keys, most)                                                                              \
    (DLB_CLASS_(type) == DLB_CLASS_(int) && sizeof(type) >= sizeof(int) && DLB_IS_FIXED_(keys) &&                      \
     __builtin_choose_expr(DLB_IS_FIXED_(keys), (keys), (intptr_t)-1) >= 0 &&                                          \
     __builtin_choose_expr(DLB_IS_FIXED_(keys), (keys), (intptr_t)-1) <= (most))
/* Whether C accepts `e` as an integer constant expression. (Such a zero is a null pointer constant.) */
#define DLB_IS_FIXED_(e)                                                                                               \
    __builtin_types_compatible_p(__typeof__(1 ? (void *)((e) * (intptr_t)0) : (int *)0), int *)
#else
#define DLB_TYPE_OF(e) int64_t
#define DLB_TYPE_OF_KEYS(e, keys) int64_t
#endif

/* ---- Conversions that must not happen silently ---- */

#if defined(__GNUC__)
/* From here on, a misspelled function is an error, and so is a number or another pointer where the library expects a pointer. */
#pragma GCC diagnostic error "-Wimplicit-function-declaration"
#pragma GCC diagnostic error "-Wint-conversion"
#pragma GCC diagnostic error "-Wincompatible-pointer-types"
#if defined(__clang__)
/* Restores a warning that gcc does not count among these. An error does not become a warning in one step. */
#pragma clang diagnostic ignored "-Wincompatible-pointer-types-discards-qualifiers"
#pragma clang diagnostic warning "-Wincompatible-pointer-types-discards-qualifiers"
#endif
#if !defined(__clang__) /* a conditional expression that promotes `e` mentions it twice */
#pragma GCC diagnostic ignored "-Wduplicated-branches"
#endif
/* Allowed: a parameter of the spec may have the name of something in the header. */
#if !defined(DLB_SHADOW_WARNINGS)
#pragma GCC diagnostic ignored "-Wshadow"
#endif

#define DLB_NARROWING_BEGIN_                                                                                           \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wconversion\"")                                  \
        _Pragma("GCC diagnostic ignored \"-Wsign-conversion\"") /* still errors: */                                    \
        _Pragma("GCC diagnostic error \"-Wfloat-conversion\"") _Pragma("GCC diagnostic error \"-Wint-conversion\"")
#define DLB_NARROWING_END_ _Pragma("GCC diagnostic pop")
/* Between DLB_STRICT_BEGIN and DLB_STRICT_END, a silent conversion of a value that is passed to the library is a compile error. */
#define DLB_STRICT_BEGIN                                                                                               \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic error \"-Wconversion\"")                                    \
        _Pragma("GCC diagnostic error \"-Wsign-conversion\"") _Pragma("GCC diagnostic error \"-Woverflow\"")
/* Allows conversions that change signedness: all numbers in scope are known to be nonnegative. If `size_t` has 32 bits, it also allows
 * extents to become a `size_t`: they fit, since the array is addressable. */
#if SIZE_MAX > 0xffffffff
#define DLB_STRICT_NONNEGATIVE_BEGIN                                                                                   \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic error \"-Wconversion\"")                                    \
        _Pragma("GCC diagnostic ignored \"-Wsign-conversion\"") _Pragma("GCC diagnostic error \"-Woverflow\"")
#else
#define DLB_STRICT_NONNEGATIVE_BEGIN                                                                                   \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wconversion\"")                                  \
        _Pragma("GCC diagnostic ignored \"-Wsign-conversion\"") _Pragma("GCC diagnostic error \"-Woverflow\"")
#endif
#define DLB_STRICT_END _Pragma("GCC diagnostic pop")
#else
#define DLB_NARROWING_BEGIN_
#define DLB_NARROWING_END_
#define DLB_STRICT_BEGIN
#define DLB_STRICT_NONNEGATIVE_BEGIN
#define DLB_STRICT_END
#endif

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
