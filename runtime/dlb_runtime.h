/* SPDX-License-Identifier: MIT-0 */
/* The runtime of dlpack-bindgen as C programs see it: errors, views, owners. No Python here.
 *
 * Unless a function says otherwise: it returns 0, or -1 with `error` filled (`error` may be NULL), and on failure every
 * argument still belongs to the caller and `*out` is as it was, or NULL. Extents and strides count elements. "DLPack" is
 * version 1.3 of its C text. */
#ifndef DLB_RUNTIME_H_
#define DLB_RUNTIME_H_

#include <stddef.h>
#include <stdint.h>

#include <dlpack/dlpack.h>

#if !defined(DLPACK_MAJOR_VERSION) || !defined(DLPACK_MINOR_VERSION)
#error "this dlpack.h is older than 1.0; 1.3 is needed: pip install 'dlpack-bindgen[header]', or set DLPACK_INCLUDE"
#elif DLPACK_MAJOR_VERSION != 1
#error "this dlpack.h has another major version than 1; 1.3 is needed: see DLPACK_INCLUDE"
#elif DLPACK_MINOR_VERSION < 3
#error "this dlpack.h is older than 1.3: pip install 'dlpack-bindgen[header]', or set DLPACK_INCLUDE"
#endif

/* The formats of generated files that this runtime can be compiled with; the files check their own number. */
#define DLB_FORMAT 27
#define DLB_OLDEST_FORMAT 27

#include "dlb_namespace.h"

#if defined(__GNUC__) && !defined(_WIN32)
#define DLB_API __attribute__((visibility("hidden")))
#else
#define DLB_API
#endif

/* Begins the declarations of generated headers. Their symbols are hidden: CPython may load modules with RTLD_GLOBAL, and two modules
 * of one name would share whatever other shared objects see. A program can still link them statically. Compile with -DDLB_EXPORT where
 * the users of a shared library call them. */
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
#define DLB_PRINTF(text, arguments) __attribute__((format(printf, text, arguments)))
#else
#define DLB_PRINTF(text, arguments)
#endif

/* `pointer`, a void *, as another one: C++ wants a cast, and not that of C. */
#ifdef __cplusplus
#define DLB_FROM_VOID(type, pointer) (static_cast<type>(pointer))
#else
#define DLB_FROM_VOID(type, pointer) ((type)(pointer))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Errors ---- */

/* What went wrong; in Python each becomes the exception of that name. */
typedef enum dlb_status {
    DLB_OK = 0,
    DLB_BUFFER_ERROR,  /* this state of the object, or this array, cannot be shared */
    DLB_VALUE_ERROR,   /* an argument has a value that is not allowed */
    DLB_TYPE_ERROR,    /* an argument is of the wrong kind */
    DLB_MEMORY_ERROR,  /* no memory */
    DLB_RUNTIME_ERROR  /* a function of the library failed */
} dlb_status;

typedef struct dlb_error {
    dlb_status status;
    int required;      /* it is a `require` of the spec that does not hold */
    char message[512]; /* UTF-8, ended by '\0' */
} dlb_error;

/* Fills `error` unless it is NULL; a message that is too long is cut. Always returns -1. */
DLB_API int dlb_fail(dlb_error *error, dlb_status status, const char *format, ...) DLB_PRINTF(3, 4);

/* ---- Views: an array described, without owning anything ---- */

enum { DLB_MAX_NDIM = 64 };

/* The axes that an owner has room for when its rank is known only at run time. */
enum { DLB_FAST_NDIM = 8 };

/* An integer on its way from the library's types to DLPack's, with the C expression that it came from. */
typedef struct dlb_integer {
    int64_t value;
    int fits; /* 0: an unsigned number above INT64_MAX, kept in `value` modulo 2^64; -1: no integer; -2: a text, at `value` */
    const char *text;
} dlb_integer;

/* The first value that did not fit. */
typedef struct dlb_fault {
    int kind;     /* one that has its words, or 0: they are here */
    int32_t axis; /* -1: the slot has no axes */
    const char *slot;
    const char *reason;
    dlb_integer value;
} dlb_fault;

/* An array as its object shows it now. It may point into itself: do not copy it. */
typedef struct dlb_view {
    DLTensor *tensor; /* `own`, or where else somebody wants it */
    struct dlb_view *itself; /* or NULL: it is a trial, see dlb_is_speculative() */
    uint64_t flags; /* READ_ONLY, or IS_COPIED where every export is a copy, or 0 (DLPACK_FLAG_BITMASK_...) */
    const char *name;
    dlb_fault fault;
    int exporting;             /* 1: described for an export or a copy; 0: for attributes and C views */
    int one_way;               /* 1: no import makes an object in this state from the array that it shows */
    int pending_checks;             /* bits: there is a fault, an offset, or a layout to gather */
    int32_t capacity;          /* how many axes fit where `tensor->shape` points */
    struct dlb_gather *gather; /* where a layout goes that can only be copied; NULL: that is a fault */
    dlb_integer last;          /* the integer that DLB_LET is storing */
    DLTensor own;
    int64_t axes[2 * DLB_MAX_NDIM];
} dlb_view;

/* ---- Types: what a generated file says about one tensor or handle of its spec ---- */

typedef struct dlb_source dlb_source;
typedef struct dlb_maker dlb_maker;

/* On which thread an object may be released. */
typedef enum dlb_release_on {
    DLB_RELEASE_ANY = 0,
    DLB_RELEASE_GIL,    /* on any that holds the GIL; a C program has none, and releases on any */
    DLB_RELEASE_CREATOR /* on the one that made the owner, at its next call for such an owner; never if it has ended */
} dlb_release_on;

/* Whether what cannot be shared in place may be copied. */
typedef enum dlb_copying {
    DLB_COPY_NEVER = 0,
    DLB_COPY_ALLOWED, /* where the layout leaves nothing else */
    DLB_COPY_ALWAYS
} dlb_copying;

typedef enum dlb_kind {
    DLB_SIGNED,
    DLB_UNSIGNED,
    DLB_FLOATING,
    DLB_BOOLEAN,
    DLB_TEXT, /* const char * */
    DLB_OTHER
} dlb_kind;

/* A value that is given when an object or an import is made: a member of its state, or of its params. */
typedef struct dlb_param {
    const char *name;
    dlb_kind kind;
    size_t offset;
    size_t size;
    int required; /* it has no default */
    const char *type; /* the C type, where parts of an object that has one of that name and C type have its value; else NULL */
    const struct dlb_type *of; /* whose object Python gives, which is kept; else NULL */
} dlb_param;

/* Fills `tensor`, with shape and strides at `axes`, and returns the flags: 0 if the type is `writable`. Or leaves `tensor` as it was,
 * and returns what otherwise(tensor, axes) returns. (These come first since they are then where that call wants them.) */
typedef int dlb_otherwise(DLTensor *tensor, int64_t *axes);
typedef int dlb_describe_once(DLTensor *tensor, int64_t *axes, void *object, dlb_otherwise *otherwise);

/* The two `usual` functions do in one step what `describe` and the importer do, each for its type alone, and say no more of what
 * they cannot do: then it must be looked at more closely. import_fast makes the object in `box`, or returns NULL. describe_fast is
 * a dlb_describe_once(); types with acquire, restore, after_write, `copy` or a creator have none. The functions get `object`: the
 * T *, or with `state` the state that lives in the owner, whose first member is the T *, or with `value` the T. acquire, restore
 * and after_write are called under a lock of their owner: they must neither come back to it nor need the GIL. */
typedef struct dlb_type {
    const char *name; /* "module.Name" */
    int32_t ndim;     /* the rank, or -1: known only at run time */
    int (*describe)(void *object, dlb_view *view, dlb_error *error); /* NULL: a handle, which is no tensor */
    void (*retain)(void *object);                   /* without it and `clone` an object moves into its owner */
    void (*release)(void *object);                  /* NULL: a borrow, nothing to give back */
    const dlb_maker *importer;                      /* NULL: export only */
    dlb_describe_once *describe_fast;              /* NULL: not in one step */
    void *(*import_fast)(const DLTensor *array, int readonly, void *box); /* NULL: not in one step */
    const dlb_maker *allocator;                     /* NULL: cannot make new objects */
    size_t state;                                   /* size of the state; 0: there is none */
    size_t value;                                   /* sizeof(T); 0: objects are passed as T * */
    int points;                                     /* with `value`: T is a pointer, and NULL no object */
    const char *shares;                             /* the C type, where several types share its objects */
    const dlb_param *params;                        /* members of the state that the caller gives */
    size_t param_count;
    int params_checked; /* the description requires something, of params too: it is asked as soon as Python gives some */
    void (*defaults)(void *state);                  /* sets the params that have defaults */
    int (*hold)(void *object, dlb_error *error);    /* computes what the state holds, before retain or clone */
    int (*clone)(void *object, dlb_error *error);   /* replaces the state's first member by a handle of its own */
    int (*acquire)(void *object, dlb_error *error); /* before the first of the living exports is described */
    void (*restore)(void *object);                  /* after the last of them has gone */
    void (*after_write)(void *object);              /* when the last one that may write has gone, before restore */
    int (*sync)(void *object, intptr_t stream, dlb_error *error);
    int (*to_cpu)(void *object, void *dst, int64_t nbytes, dlb_error *error); /* a compact copy into `dst` */
    int (*close)(void *object, dlb_error *error); /* instead of `release`, where Python closes an object explicitly */
    dlb_release_on release_on;
    dlb_copying copy; /* exports that cannot be views, or all */
    int legacy_copy;  /* read-only data is copied for consumers that cannot be told so */
    int writable;     /* no description says read-only, if there is one */
    int declares_readonly; /* every description declares whether the data is read-only: `const` in a prototype is about the struct */
} dlb_type;

typedef struct dlb_parts {
    const char *name;
    const dlb_type *of;
    dlb_integer (*count)(void *object);
} dlb_parts;

/* Describes `object` (with `type->state`: a filled state, whose held values are computed and stored there) into `view`,
 * which the caller provides and which stays valid while the object is neither freed nor resized. Allocates nothing. A type
 * with `acquire` is described through an owner only (TypeError). */
DLB_API int dlb_describe(const dlb_type *type, void *object, dlb_view *view, dlb_error *error);

/* ---- Owners: what every export and every import hangs on ----
 *
 * An owner keeps one object alive for as long as somebody shares it: its holders (dlb_owner_keep, dlb_owner_drop) and the
 * managed tensors exported from it, whose deleters each give back one share. With the last share the object is
 * released, whichever thread that happens on. All functions may be called from any thread; nothing of the object is
 * cached: it is described anew at every export. */
typedef struct dlb_owner dlb_owner;

/* Makes an owner of `object`, held once. With `type->retain` or `type->clone` the owner takes a reference of its own, and
 * the caller keeps the caller's; without, the object moves in. With `type->state`, `object` is a state in which the
 * caller has set the object and the params; it is copied. */
DLB_API int dlb_own(const dlb_type *type, void *object, dlb_owner **out, dlb_error *error);

/* Room of so many zeroed bytes for a T that the library does not allocate but fills, or returns by value: in the owner that
 * dlb_adopt() or dlb_own_subobject() makes of the object. NULL with `error` filled. */
DLB_API void *dlb_new_storage(const dlb_type *type, size_t size, dlb_error *error);
/* Gives back room in which there is no object; NULL: nothing. */
DLB_API void dlb_free_storage(const dlb_type *type, void *storage);

/* Makes an owner of an object that the caller gives away: it moves in with the reference that the caller has. On failure it
 * is released. `in_room`: it lies in room of dlb_new_storage(), which its owner has. */
DLB_API int dlb_adopt(const dlb_type *type, void *object, int in_storage, dlb_owner **out, dlb_error *error);

/* Makes an owner of an object that lives in that of `whole`, which the owner keeps alive, or for good where `whole` is NULL.
 * With `type->retain` or `type->clone` the owner takes a reference of its own as well; without, it has nothing to release. It
 * is read-only where `whole` was imported read-only. */
DLB_API int dlb_own_subobject(dlb_owner *whole, const dlb_type *type, void *object, int in_storage, dlb_owner **out,
                           dlb_error *error);

/* Makes an owner of the object of `whole`, seen as `type`, which keeps `whole` alive and has nothing to release. `state`
 * holds the params, its first member is filled in here, and so are params that `whole` has too (of the same name and
 * `type`); NULL where the type has no state. What other params point to must outlive all that is made with them. TypeError
 * unless `shares` of both types is the same. */
DLB_API int dlb_own_part(dlb_owner *whole, const dlb_type *type, const void *state, dlb_owner **out, dlb_error *error);

DLB_API void dlb_owner_keep(dlb_owner *owner);
DLB_API void dlb_owner_drop(dlb_owner *owner);

/* Ends an owner that nobody else knows as if it had never been: what had moved in is the caller's again. */
DLB_API void dlb_owner_undo(dlb_owner *owner);

/* The T *, also where objects are passed by value; it lives as long as the owner. */
DLB_API void *dlb_owner_object(const dlb_owner *owner);

/* Describes the object as its exports do: read-only also where it shows memory that was imported read-only. The data is
 * NULL where it can only be reached through an export: with `type->acquire` and `type->restore`, and where exports are
 * copies, of which shape, compact strides, device and IS_COPIED are shown. */
DLB_API int dlb_owner_view(const dlb_owner *owner, dlb_view *view, dlb_error *error);

/* Shows the data for the time of a call, to code that may write (DLPack: DLTensorFromPyObjectNoSync). Allocates nothing and
 * counts as no export: shape and strides live in the owner, until the next such call; the data until the object is
 * resized or the owner ends. BufferError for what is read-only, has more than 8 axes that only run time knows, or is there
 * only while it is exported. Two threads must not borrow of one owner at once. */
DLB_API int dlb_borrow(dlb_owner *owner, DLTensor *out, dlb_error *error);

/* Makes the work on `stream` (DLPack: the meaning of its values) wait for the data; nothing where the spec has no sync. */
DLB_API int dlb_owner_sync(const dlb_owner *owner, intptr_t stream, dlb_error *error);

/* How many exports live at this moment. */
DLB_API int64_t dlb_owner_exports(const dlb_owner *owner);

/* One more managed tensor of the object, which keeps the owner alive until its deleter is called (DLPack: C API). Where
 * `type->copy` says so it is a copy, with IS_COPIED, which counts as no export. */
DLB_API int dlb_export(dlb_owner *owner, DLManagedTensorVersioned **out, dlb_error *error);

/* The same as the struct of DLPack before 1.0, which cannot say read-only: refused for read-only data, or a copy with
 * `type->legacy_copy`. */
DLB_API int dlb_export_legacy(dlb_owner *owner, DLManagedTensor **out, dlb_error *error);

/* A copy of what the object shows, compact in row-major order and aligned to 64 bytes, on the CPU (from other devices with
 * `type->to_cpu`); it depends on nothing. */
DLB_API int dlb_export_copy(dlb_owner *owner, DLManagedTensorVersioned **out, dlb_error *error);
DLB_API int dlb_export_copy_legacy(dlb_owner *owner, DLManagedTensor **out, dlb_error *error);

/* An owner of `object` and one export of it, in one step. */
DLB_API int dlb_to_dlpack(const dlb_type *type, void *object, DLManagedTensorVersioned **out, dlb_error *error);
DLB_API int dlb_to_dlpack_legacy(const dlb_type *type, void *object, DLManagedTensor **out, dlb_error *error);

/* Makes an object of `type` that shows the memory of `tensor`, and an owner of both. On success the tensor belongs to
 * the owner; its deleter is called once: after the object is gone, or when a library that was given a lease no longer needs
 * the memory; at once where the memory had to be copied. */
DLB_API int dlb_import(const dlb_type *type, DLManagedTensorVersioned *tensor, dlb_owner **out, dlb_error *error);
DLB_API int dlb_import_legacy(const dlb_type *type, DLManagedTensor *tensor, dlb_owner **out, dlb_error *error);

/* The same with the import's params, a struct that the generated file declares; NULL: their defaults. */
DLB_API int dlb_import_with(const dlb_type *type, DLManagedTensorVersioned *tensor, const void *params, dlb_owner **out,
                            dlb_error *error);
DLB_API int dlb_import_legacy_with(const dlb_type *type, DLManagedTensor *tensor, const void *params, dlb_owner **out,
                                   dlb_error *error);

/* Makes a new object with the shape and dtype of `prototype` (its other fields are not read), and an owner of it. */
DLB_API int dlb_allocate(const dlb_type *type, const DLTensor *prototype, dlb_owner **out, dlb_error *error);

#ifdef __cplusplus
}
#endif
#endif
