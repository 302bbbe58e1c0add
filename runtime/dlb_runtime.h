/* SPDX-License-Identifier: MIT-0 */
/* The runtime of dlpack-bindgen as C programs see it: errors, views, owners. No Python here.
 *
 * Unless a function says otherwise: it returns 0, or -1 with `error` filled (`error` may be NULL), and on failure every
 * argument still belongs to the caller. Extents and strides count elements. "DLPack" is version 1.3 of its C text. */
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
#define DLB_FORMAT 1
#define DLB_OLDEST_FORMAT 1

#include "dlb_namespace.h"

#if defined(__GNUC__) && !defined(_WIN32)
#define DLB_API __attribute__((visibility("hidden")))
#else
#define DLB_API
#endif

#if defined(__GNUC__)
#define DLB_PRINTF(text, arguments) __attribute__((format(printf, text, arguments)))
#else
#define DLB_PRINTF(text, arguments)
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
    char message[512]; /* UTF-8, ended by '\0' */
} dlb_error;

/* Fills `error` unless it is NULL; a message that is too long is cut. Always returns -1. */
DLB_API int dlb_fail(dlb_error *error, dlb_status status, const char *format, ...) DLB_PRINTF(3, 4);

/* ---- Views: an array described, without owning anything ---- */

enum { DLB_MAX_NDIM = 64 };

/* An integer on its way from the library's types to DLPack's, with the C expression that it came from. */
typedef struct dlb_integer {
    int64_t value;
    int fits; /* 0: an unsigned number above INT64_MAX, kept in `value` modulo 2^64; -1: no integer */
    const char *text;
} dlb_integer;

/* The first value that did not fit; `slot` is NULL while all did. */
typedef struct dlb_fault {
    const char *slot;
    const char *reason;
    dlb_integer value;
    int32_t axis; /* -1: the slot has no axes */
} dlb_fault;

/* An array as its object shows it now. `tensor.shape` and `tensor.strides` may point into the view: do not copy it. */
typedef struct dlb_view {
    DLTensor tensor;
    uint64_t flags; /* DLPACK_FLAG_BITMASK_READ_ONLY or 0 */
    const char *name;
    dlb_fault fault;
    int32_t capacity; /* how many axes fit where `tensor.shape` points */
    int64_t axes[2 * DLB_MAX_NDIM];
} dlb_view;

/* ---- Types: what a generated file says about one tensor of its spec ---- */

typedef struct dlb_source dlb_source;
typedef struct dlb_maker dlb_maker;

typedef struct dlb_type {
    const char *name; /* "module.Name" */
    int32_t ndim;     /* the rank, or -1: known only at run time */
    int (*describe)(void *object, dlb_view *view, dlb_error *error);
    void (*retain)(void *object);  /* NULL: an object moves into its owner */
    void (*release)(void *object); /* NULL: a borrow, nothing to give back */
    const dlb_maker *importer;     /* NULL: export only */
    const dlb_maker *allocator;    /* NULL: cannot make new objects */
} dlb_type;

/* Describes `object` into `view`, which the caller provides and which stays valid while the object is neither freed nor
 * resized. Allocates nothing. */
DLB_API int dlb_describe(const dlb_type *type, void *object, dlb_view *view, dlb_error *error);

/* ---- Owners: what every export and every import hangs on ----
 *
 * An owner keeps one object alive for as long as somebody shares it: its holders (dlb_owner_keep, dlb_owner_drop) and the
 * managed tensors exported from it, whose deleters each give back one share. With the last share the object is
 * released, whichever thread that happens on. All functions may be called from any thread; nothing of the object is
 * cached: it is described anew at every export. */
typedef struct dlb_owner dlb_owner;

/* Makes an owner of `object`, held once. With `type->retain` the owner takes a reference of its own, and the caller keeps
 * the caller's; without, the object moves in. */
DLB_API int dlb_own(const dlb_type *type, void *object, dlb_owner **out, dlb_error *error);

DLB_API void dlb_owner_keep(dlb_owner *owner);
DLB_API void dlb_owner_drop(dlb_owner *owner);

/* The object; it lives as long as the owner. */
DLB_API void *dlb_owner_object(const dlb_owner *owner);

/* Describes the object as its exports do: read-only also where it shows memory that was imported read-only. */
DLB_API int dlb_owner_view(const dlb_owner *owner, dlb_view *view, dlb_error *error);

/* How many exports live at this moment. */
DLB_API int64_t dlb_owner_exports(const dlb_owner *owner);

/* One more managed tensor of the object, which keeps the owner alive until its deleter is called (DLPack: C API). */
DLB_API int dlb_export(dlb_owner *owner, DLManagedTensorVersioned **out, dlb_error *error);

/* The same as the struct of DLPack before 1.0, which cannot say read-only: refused for read-only data. */
DLB_API int dlb_export_legacy(dlb_owner *owner, DLManagedTensor **out, dlb_error *error);

/* A copy of what the object shows, compact in row-major order and aligned to 64 bytes; it depends on nothing. */
DLB_API int dlb_export_copy(dlb_owner *owner, DLManagedTensorVersioned **out, dlb_error *error);
DLB_API int dlb_export_copy_legacy(dlb_owner *owner, DLManagedTensor **out, dlb_error *error);

/* An owner of `object` and one export of it, in one step. */
DLB_API int dlb_to_dlpack(const dlb_type *type, void *object, DLManagedTensorVersioned **out, dlb_error *error);

/* Makes an object of `type` that shows the memory of `tensor`, and an owner of both. On success the tensor belongs to
 * the owner; its deleter is called once, after the object is gone. */
DLB_API int dlb_import(const dlb_type *type, DLManagedTensorVersioned *tensor, dlb_owner **out, dlb_error *error);
DLB_API int dlb_import_legacy(const dlb_type *type, DLManagedTensor *tensor, dlb_owner **out, dlb_error *error);

/* Makes a new object with the shape and dtype of `prototype` (its other fields are not read), and an owner of it. */
DLB_API int dlb_allocate(const dlb_type *type, const DLTensor *prototype, dlb_owner **out, dlb_error *error);

#ifdef __cplusplus
}
#endif
#endif
