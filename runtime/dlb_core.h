/* SPDX-License-Identifier: MIT-0 */
/* The C interface of the runtime: errors, views and owners. It needs no Python.
 *
 * These rules hold for every function unless its comment says otherwise. It returns 0 on success. On failure it returns -1 and fills
 * `error`, which may be NULL. On failure, every argument still belongs to the caller, and `*out` is unchanged or NULL. Extents and
 * strides count elements. "DLPack" means version 1.3 of its C API. */
#ifndef DLB_CORE_H_
#define DLB_CORE_H_

#include <stddef.h>
#include <stdint.h>

#include <dlpack/dlpack.h>

#if !defined(DLPACK_MAJOR_VERSION) || !defined(DLPACK_MINOR_VERSION)
#error "this dlpack.h is older than 1.0; 1.3 is needed: put the folder of a newer dlpack/dlpack.h first among the -I flags"
#elif DLPACK_MAJOR_VERSION != 1
#error "this dlpack.h has another major version than 1; 1.3 is needed: put the folder of dlpack/dlpack.h 1.x first among the -I flags"
#elif DLPACK_MINOR_VERSION < 3
#error "this dlpack.h is older than 1.3: put the folder of a newer dlpack/dlpack.h first among the -I flags"
#endif

/* The formats of generated files that this runtime supports, newest and oldest. A generated file checks its own number against them. */
#define DLB_FORMAT 32
#define DLB_OLDEST_FORMAT 31

#include "dlb_namespace.h"

#if defined(__GNUC__) && !defined(_WIN32)
#define DLB_API __attribute__((visibility("hidden")))
#else
#define DLB_API
#endif

/* Begins each declaration in a generated header. The symbols are hidden by default. CPython may load modules with RTLD_GLOBAL, and two
 * modules with the same symbols would then call each other's functions. A program can still link hidden symbols statically. Compile
 * with -DDLB_EXPORT if users of a shared library call the functions. */
#if !defined(DLB_EXPORT)
#define DLB_EXTERN extern DLB_API
#elif defined(_WIN32)
#define DLB_EXTERN extern __declspec(dllexport)
#elif defined(__GNUC__)
#define DLB_EXTERN extern __attribute__((visibility("default")))
#else
#define DLB_EXTERN extern
#endif

#if defined(__GNUC__)
#define DLB_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define DLB_PRINTF(format_index, first)
#endif

/* Converts `pointer`, a void *, to another pointer type. A cast of C would raise warnings in C++ (-Wold-style-cast). */
#ifdef __cplusplus
#define DLB_FROM_VOID(type, pointer) (static_cast<type>(pointer))
#else
#define DLB_FROM_VOID(type, pointer) ((type)(pointer))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Errors ---- */

/* The class of an error. In Python, each becomes the exception of that name. */
typedef enum dlb_status {
    DLB_OK = 0,
    DLB_BUFFER_ERROR, /* this array, or the object in its present state, cannot be shared */
    DLB_VALUE_ERROR,  /* an argument has a value that is not allowed */
    DLB_TYPE_ERROR,   /* an argument has the wrong type */
    DLB_MEMORY_ERROR, /* out of memory */
    DLB_RUNTIME_ERROR /* a function of the library failed */
} dlb_status;

typedef struct dlb_error {
    dlb_status status;
    int required;      /* 1: a `require` of the spec is not met */
    char message[512]; /* UTF-8, terminated by '\0' */
} dlb_error;

/* Fills `error` unless it is NULL, and truncates a message that is too long. Always returns -1. */
DLB_API int dlb_fail(dlb_error *error, dlb_status status, const char *format, ...) DLB_PRINTF(3, 4);

/* ---- Views: descriptions of arrays, which own nothing ---- */

enum { DLB_MAX_NDIM = 64 };

/* The number of axes that an owner can store if the rank is known only at run time. */
enum { DLB_FAST_NDIM = 8 };

/* The meaning of `value` in a dlb_integer. */
typedef enum dlb_integer_status {
    DLB_IS_STRING = -2,   /* the address of a string */
    DLB_NOT_INTEGER = -1, /* nothing: the expression is not an integer */
    DLB_TOO_LARGE = 0,    /* an unsigned integer above INT64_MAX, modulo 2^64 */
    DLB_FITS = 1          /* the integer */
} dlb_integer_status;

/* An integer that is converted from a C type of the library to one of DLPack, with the C expression that it came from. */
typedef struct dlb_integer {
    int64_t value;
    dlb_integer_status status;
    const char *expression;
} dlb_integer;

/* The first fault that a description found. */
typedef struct dlb_fault {
    int kind;     /* a DLB_FAULT_... number; 0: `slot` and `reason` describe the fault */
    int32_t axis; /* -1: the fault concerns no single axis */
    const char *slot;
    const char *reason;
    dlb_integer value;
} dlb_fault;

/* A description of an array, as its object shows it now. Do not copy it: it may contain pointers into itself. */
typedef struct dlb_view {
    DLTensor *tensor;        /* `own`, or a tensor of the caller */
    struct dlb_view *itself; /* the view itself; NULL: it is speculative, see dlb_is_speculative() */
    uint64_t flags;          /* DLPACK_FLAG_BITMASK_READ_ONLY; DLPACK_FLAG_BITMASK_IS_COPIED if every export is a copy; or 0 */
    const char *name;
    dlb_fault fault;
    int exporting;             /* 1: described for an export or a copy; 0: for attributes and C views */
    int one_way;               /* 1: importing the described array cannot restore this state of the object */
    int pending_checks;        /* bits such as DLB_FAULTY, see dlb_describe.h */
    int32_t capacity;          /* the number of axes that the arrays `tensor->shape` and `tensor->strides` can hold */
    struct dlb_gather *gather; /* receives a layout that can only be copied; NULL: such a layout is a fault */
    dlb_integer last;          /* the integer that DLB_LET is storing */
    DLTensor own;
    int64_t axes[2 * DLB_MAX_NDIM];
} dlb_view;

/* ---- Types: descriptors in generated files, one for each tensor or handle of a spec ---- */

typedef struct dlb_source dlb_source;
typedef struct dlb_factory dlb_factory;
typedef struct dlb_record dlb_record; /* dlb_records.h */

/* The thread on which an object may be released. */
typedef enum dlb_release_on {
    DLB_RELEASE_ANY = 0,
    DLB_RELEASE_GIL,    /* any thread that holds the GIL; in a C program, any thread */
    DLB_RELEASE_CREATOR /* the thread that made the owner, when it next makes a call for such an owner; never if the thread has ended */
} dlb_release_on;

/* Whether an array that cannot be shared in place may be copied. */
typedef enum dlb_copying {
    DLB_COPY_NEVER = 0,
    DLB_COPY_ALLOWED, /* only if the layout cannot be shared */
    DLB_COPY_ALWAYS
} dlb_copying;

/* Whether the elements of an array of another dtype are converted, in the words of NumPy. */
typedef enum dlb_casting {
    DLB_CAST_NEVER = 0,
    DLB_CAST_SAFE,     /* if no value changes */
    DLB_CAST_SAME_KIND /* also to fewer bits, and from integers to floating-point and complex numbers */
} dlb_casting;

typedef enum dlb_ctype_class {
    DLB_SIGNED,
    DLB_UNSIGNED,
    DLB_FLOATING,
    DLB_BOOLEAN,
    DLB_STRING, /* const char * */
    DLB_OTHER
} dlb_ctype_class;

/* A parameter that the caller sets when an object or an import is made. It is a member of the state of the object, or of the params of
 * the import. */
typedef struct dlb_param {
    const char *name;
    dlb_ctype_class ctype_class;
    size_t offset;
    size_t size;
    int required;     /* it has no default */
    const char *type; /* the C type, if subobjects take the value from a param of that name and C type of their parent; else NULL */
    const struct dlb_type *of; /* the class of the object that Python passes, which is then kept alive; else NULL */
} dlb_param;

/* Replaces a fast path that declined. Returns flags, or a negative number. */
typedef int dlb_otherwise(DLTensor *tensor, int64_t *axes);
/* Fills `tensor`, whose shape and strides are stored at `axes`, and returns the flags: 0 if the type is `writable`. If it declines, it
 * leaves `tensor` unchanged and returns the result of otherwise(tensor, axes). (`tensor` and `axes` come first: they are then already
 * in the registers of that call.) */
typedef int dlb_describe_once(DLTensor *tensor, int64_t *axes, void *object, dlb_otherwise *otherwise);

/* A class of another Python module. Functions of this module take its objects, and return new ones. */
typedef struct dlb_external {
    const char *module; /* as in `import`; leading dots are relative to the package of this module */
    const char *name;   /* of the class */
    const char *c_type;
} dlb_external;

/* The type of a tensor or handle.
 *
 * The members `describe_fast` and `import_fast` are fast paths for `describe` and the importer. They do the work in one step with the
 * constants of one type. If they decline, they report no reason, and the slow path does the full check. import_fast makes the object in
 * `box`, or returns NULL. describe_fast is a dlb_describe_once(). Types with acquire, restore, after_write, `copy` or a creator thread
 * have no describe_fast.
 *
 * The argument `object` of all functions is a T *. With `state` it is the state in the owner, whose first member is the T *. With
 * `value` it is the address of the T. An owner calls acquire, restore and after_write while it holds its lock. They must not use that
 * owner, and must not need the GIL. */
typedef struct dlb_type {
    const char *name; /* "module.Name" */
    int32_t ndim;     /* the rank; -1: known only at run time */
    int (*describe)(void *object, dlb_view *view, dlb_error *error); /* NULL: the type is a handle, not a tensor */
    void (*retain)(void *object);     /* if this and `clone` are NULL, the owner takes over the object */
    void (*release)(void *object);    /* NULL: the object is borrowed, and nothing is released */
    const dlb_factory *importer;        /* NULL: the type is export-only */
    dlb_describe_once *describe_fast; /* NULL: no fast path */
    void *(*import_fast)(const DLTensor *array, int readonly, void *box); /* NULL: no fast path */
    const dlb_factory *allocator; /* NULL: no new objects can be allocated */
    size_t state;               /* size of the state in bytes; 0: none */
    size_t value;               /* sizeof(T); 0: objects are passed as T * */
    int points;                 /* with `value`: T is a pointer, and NULL means no object */
    int only_bytes;             /* 1, with `value`: `release` does nothing, so a copy of T needs no owner */
    const char *shares;         /* the C type, if several types share its objects */
    const dlb_param *params;    /* members of the state that the caller sets */
    size_t param_count;
    /* 1: a `require` of the description reads params, so it is checked as soon as Python sets them */
    int params_checked;
    void (*defaults)(void *state);                  /* sets the params that have defaults */
    int (*hold)(void *object, dlb_error *error);    /* computes the derived members of the state, before retain or clone */
    int (*clone)(void *object, dlb_error *error);   /* replaces the first member of the state by a handle that the owner then owns */
    int (*acquire)(void *object, dlb_error *error); /* called before the first living export is described */
    void (*restore)(void *object);                  /* called after the last living export is released */
    void (*after_write)(void *object);              /* called when the last writable export is released, before restore */
    int (*sync)(void *object, intptr_t stream, dlb_error *error);
    int (*to_cpu)(void *object, void *dst, int64_t nbytes, dlb_error *error); /* stores a compact copy in `dst` */
    int (*close)(void *object, dlb_error *error); /* instead of `release`, if Python closes an object explicitly */
    dlb_release_on release_on;
    dlb_copying copy; /* which exports are copies */
    int legacy_copy;  /* 1: read-only data is copied for consumers of DLPack before 1.0 */
    int writable;     /* 1: descriptions, if there are any, never report read-only data */
    /* 1: every description declares explicitly whether the data is read-only, so `const` in a prototype is about the struct alone */
    int declares_readonly;
    const dlb_external *external; /* the class of another module; NULL: it is a class of this module */
    const dlb_record *record;     /* the fields of elements that are structs; NULL: elements are numbers */
    size_t record_at; /* instead: the offset of a `const dlb_record *` in the object; 0: there is none */
} dlb_type;

typedef struct dlb_parts {
    const char *name;
    const dlb_type *of;
    dlb_integer (*count)(void *object);
} dlb_parts;

/* Describes `object` into `view`, which the caller provides. With `type->state`, `object` is a filled state, in which the derived
 * members are computed and stored. The view is valid until the object is freed or resized. Allocates nothing. TypeError if the type has
 * `acquire`: such a type is described only through an owner. */
DLB_API int dlb_describe(const dlb_type *type, void *object, dlb_view *view, dlb_error *error);

/* ---- Owners: every export and every import belongs to one ----
 *
 * An owner keeps one object alive while anything holds a share of it. Shares belong to callers (dlb_owner_keep, dlb_owner_drop) and to
 * exported managed tensors, whose deleters each drop one share. The last drop releases the object on the same thread, unless
 * `release_on` of the type requires another one. All functions may be called from any thread. The owner caches nothing of the object:
 * each export describes it anew. */
typedef struct dlb_owner dlb_owner;

/* Makes an owner of `object`, with one share for the caller. With `type->retain` or `type->clone` the owner takes a reference of its
 * own, and the caller keeps its reference. Without both, the owner takes over the object. With `type->state`, `object` is a state in
 * which the caller has set the object and the params; the owner copies it. */
DLB_API int dlb_own(const dlb_type *type, void *object, dlb_owner **out, dlb_error *error);

/* Allocates `size` zeroed bytes of storage for a T that the library fills or returns by value. The storage becomes part of the owner
 * that dlb_adopt() or dlb_own_subobject() makes later. Returns NULL and fills `error` on failure. */
DLB_API void *dlb_new_storage(const dlb_type *type, size_t size, dlb_error *error);
/* Frees storage of dlb_new_storage() that holds no object. NULL is ignored. */
DLB_API void dlb_free_storage(const dlb_type *type, void *storage);

/* Makes an owner of `object`, and takes over the reference of the caller. On failure the object is released. `in_storage`: the object
 * lies in storage of dlb_new_storage(), which becomes part of the owner. */
DLB_API int dlb_adopt(const dlb_type *type, void *object, int in_storage, dlb_owner **out, dlb_error *error);

/* Makes an owner of an object that lives inside the object of `whole`. The owner keeps `whole` alive; if `whole` is NULL, the object
 * must live forever. With `type->retain` or `type->clone` the owner also takes a reference of its own. Otherwise it releases nothing.
 * It is read-only if `whole` was imported read-only. */
DLB_API int dlb_own_subobject(dlb_owner *whole, const dlb_type *type, void *object, int in_storage, dlb_owner **out,
                              dlb_error *error);

/* Makes an owner of the object of `whole`, seen as `type`. The owner keeps `whole` alive and releases nothing. `state` holds the
 * params; it is NULL if the type has no state. This function fills its first member, and each param that `whole` has with the same name
 * and C type. Memory that other params point to must outlive everything that is made with them. TypeError unless `shares` is equal in
 * both types. */
DLB_API int dlb_own_part(dlb_owner *whole, const dlb_type *type, const void *state, dlb_owner **out, dlb_error *error);

/* Adds one share of the owner. The caller must hold a share already. */
DLB_API void dlb_owner_keep(dlb_owner *owner);
/* Drops one share of the owner. The last one releases the object and destroys the owner. */
DLB_API void dlb_owner_drop(dlb_owner *owner);

/* Destroys an owner that nobody else knows, without releasing the object: an object that was taken over belongs to the caller again. */
DLB_API void dlb_owner_undo(dlb_owner *owner);

/* Returns the T *, also if objects are passed by value. It is valid as long as the owner lives. */
DLB_API void *dlb_owner_object(const dlb_owner *owner);

/* Describes the object as its exports do. The view is also read-only if the object shows memory that was imported read-only. The data
 * is NULL if only an export can reach it: with `type->acquire` and `type->restore`, and if exports are copies. For copies, the view has
 * shape, compact strides, device and IS_COPIED. */
DLB_API int dlb_owner_view(const dlb_owner *owner, dlb_view *view, dlb_error *error);

/* Borrows the data for the time of a call that may write to it (DLPack: DLTensorFromPyObjectNoSync). Allocates nothing, and does not
 * count as an export. Shape and strides are stored in the owner until the next such call. The data is valid until the object is resized
 * or the owner is destroyed. BufferError if the data is read-only or exists only during exports, or if a rank known only at run time is
 * above 8. Two threads must not borrow from one owner at once. */
DLB_API int dlb_borrow(dlb_owner *owner, DLTensor *out, dlb_error *error);

/* Makes work on `stream` (as DLPack defines its values) wait for the data. Does nothing if the spec has no `sync`. */
DLB_API int dlb_owner_sync(const dlb_owner *owner, intptr_t stream, dlb_error *error);

/* Returns the number of living exports. */
DLB_API int64_t dlb_owner_exports(const dlb_owner *owner);

/* Exports the object as a managed tensor, which holds a share of the owner until its deleter is called (DLPack: C API). Makes a copy,
 * flagged IS_COPIED, if `type->copy` requires it. A copy does not count as an export. */
DLB_API int dlb_export(dlb_owner *owner, DLManagedTensorVersioned **out, dlb_error *error);

/* Exports the object as dlb_export() does, but as the struct of DLPack before 1.0. That struct cannot express read-only: with
 * `type->legacy_copy` read-only data is copied, else it is a BufferError. */
DLB_API int dlb_export_legacy(dlb_owner *owner, DLManagedTensor **out, dlb_error *error);

/* Exports a compact row-major copy on the CPU, aligned to 64 bytes. Data on other devices needs `type->to_cpu`. The copy does not
 * depend on the owner. */
DLB_API int dlb_export_copy(dlb_owner *owner, DLManagedTensorVersioned **out, dlb_error *error);
/* Exports such a copy as the struct of DLPack before 1.0. */
DLB_API int dlb_export_copy_legacy(dlb_owner *owner, DLManagedTensor **out, dlb_error *error);

/* Makes an owner of `object` as dlb_own() does, and returns one export of it, which holds the only share. */
DLB_API int dlb_to_dlpack(const dlb_type *type, void *object, DLManagedTensorVersioned **out, dlb_error *error);
/* Makes an owner and one export, as the struct of DLPack before 1.0: see dlb_export_legacy(). */
DLB_API int dlb_to_dlpack_legacy(const dlb_type *type, void *object, DLManagedTensor **out, dlb_error *error);

/* Makes an object of `type` that shows the memory of `tensor`, and an owner of both. On success the tensor belongs to the owner, which
 * calls its deleter once: after the object is destroyed, or when a library that holds a lease no longer needs the memory. If the memory
 * had to be copied, the deleter is called at once. */
DLB_API int dlb_import(const dlb_type *type, DLManagedTensorVersioned *tensor, dlb_owner **out, dlb_error *error);
/* Imports a tensor of DLPack before 1.0 as dlb_import() does. The memory counts as writable. */
DLB_API int dlb_import_legacy(const dlb_type *type, DLManagedTensor *tensor, dlb_owner **out, dlb_error *error);

/* Imports as dlb_import() does, with the params of the importer: a struct that the generated header declares. NULL: the defaults. */
DLB_API int dlb_import_with(const dlb_type *type, DLManagedTensorVersioned *tensor, const void *params, dlb_owner **out,
                            dlb_error *error);
/* Imports a tensor of DLPack before 1.0, with the params of the importer. */
DLB_API int dlb_import_legacy_with(const dlb_type *type, DLManagedTensor *tensor, const void *params, dlb_owner **out,
                                   dlb_error *error);

/* Makes a new object with the shape and dtype of `prototype`, and an owner of it. Other members of `prototype` are not read. */
DLB_API int dlb_allocate(const dlb_type *type, const DLTensor *prototype, dlb_owner **out, dlb_error *error);
/* Allocates as dlb_allocate() does, with the params of the allocator. NULL: the defaults. */
DLB_API int dlb_allocate_with(const dlb_type *type, const DLTensor *prototype, const void *params, dlb_owner **out, dlb_error *error);

#ifdef __cplusplus
}
#endif
#endif
