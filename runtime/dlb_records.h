/* SPDX-License-Identifier: MIT-0 */
/* The records of a spec: structs that are elements of arrays, as NumPy's structured dtypes are. Generated files include this if the spec
 * has `records`. The macros take C code of the spec, and need dlb_assert.h. */
#ifndef DLB_RECORDS_H_
#define DLB_RECORDS_H_

#include "dlb_core.h"

enum { DLB_FIELD_AXES = 3 };

/* A member of a struct that arrays of records show as a field. */
typedef struct dlb_field {
    const char *name;
    size_t offset;            /* in bytes */
    const dlb_record *record; /* of a member that is a struct, or an array of structs; NULL: numbers of `dtype` */
    DLDataType dtype;
    int is_char; /* C declares it as `char`: an array of them is also a string of bytes */
    int ndim;    /* the number of axes of an array; 0: a single value */
    int64_t extents[DLB_FIELD_AXES];
} dlb_field;

/* A struct whose fields lie in the order of their offsets, without overlap. */
struct dlb_record {
    const char *name; /* its C type */
    size_t size;      /* in bytes */
    const dlb_field *fields;
    int field_count;
};

/* ---- Macros whose arguments are C code of the spec ---- */

/* See dlb_assert.h. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

/* The alignment of a struct, for dlb_requirements. */
#if defined(__GNUC__)
#define DLB_RECORD_ALIGNMENT(type) __alignof__(type)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define DLB_RECORD_ALIGNMENT(type) _Alignof(type)
#else
#define DLB_RECORD_ALIGNMENT(type) 1
#endif
/* DLPack has no dtype for a record. Inside of the runtime, an element is a vector of opaque bytes. */
#define DLB_DTYPE_OF_RECORD(type) ((DLDataType){kDLOpaqueHandle, 8, sizeof(type)})

/* Declares a member as `name`: its type, the type of its elements if it is an array with up to three axes, and its place in the struct.
 * (A mistake is then reported here, and not once more where the member is used.) */
#define DLB_MEMBER(name, type, member)                                                                                 \
    typedef DLB_DECLARED_TYPE_(((type *)0)->member) name;                                                              \
    typedef DLB_AXIS_OF_(name) name##__row;                                                                            \
    typedef DLB_AXIS_OF_(name##__row) name##__column;                                                                  \
    typedef DLB_AXIS_OF_(name##__column) name##__item;                                                                 \
    enum { name##__begin = offsetof(type, member), name##__end = name##__begin + sizeof(name) }

/* The initialisers of a dlb_field, for a member that DLB_MEMBER() has declared as `name`: a number or an array of numbers; a struct of the
 * type `of`, with that record, or an array of such structs. */
#define DLB_FIELD(name, member)                                                                                        \
    {#member, name##__begin, NULL,                                                                                     \
     {(uint8_t)(DLB_PROVE_(DLB_CODE_(name##__item) >= 0, leave_a_pointer_out__and_list_a_struct_with_its_type) *       \
                DLB_CODE_(name##__item)),                                                                              \
      8 * sizeof(name##__item), 1},                                                                                    \
     DLB_GENERIC_(*(name##__item *)0, char: 1, default: 0), DLB_AXES_(name)}
#define DLB_FIELD_OF(name, member, of, record)                                                                         \
    {#member, name##__begin, &(record),                                                                                \
     {kDLOpaqueHandle, 8, (uint16_t)(sizeof(of) * DLB_PROVE_(DLB_IS_OF_(name##__item, of), not_a_struct_of_that_type))}, \
     0, DLB_AXES_(name)}
/* Proves that a member lies behind the one before it in the list. */
#define DLB_FOLLOWS(before, name) DLB_PROVE_(name##__begin >= before##__end, members_are_listed_in_the_order_of_the_struct)
/* The initialiser of a dlb_record. */
#define DLB_RECORD(type, fields)                                                                                       \
    {#type, sizeof(type) * DLB_PROVE_(sizeof(type) <= UINT16_MAX, a_record_has_at_most_65535_bytes), (fields),         \
     (int)(sizeof(fields) / sizeof((fields)[0]))}

#if defined(__GNUC__)
#define DLB_AXIS_OF_(type) DLB_ELEMENT_(type)
#define DLB_IS_OF_(type, of) __builtin_types_compatible_p(type, of)
#define DLB_AXES_(name)                                                                                                \
    DLB_IS_ARRAY_(name) + DLB_IS_ARRAY_(name##__row) + DLB_IS_ARRAY_(name##__column),                                  \
    {                                                                                                                  \
        sizeof(name) / sizeof(name##__row), sizeof(name##__row) / sizeof(name##__column),                              \
            sizeof(name##__column) / sizeof(name##__item)                                                              \
    }
#else /* members that are arrays do not compile */
#define DLB_AXIS_OF_(type) type
#define DLB_IS_OF_(type, of) (sizeof(type) == sizeof(of))
#define DLB_AXES_(name) 0, {0}
#endif

#endif
