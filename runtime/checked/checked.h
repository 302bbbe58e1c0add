/* SPDX-License-Identifier: MIT-0 */
/* The hooks of a checked build (-DDLB_CHECKED): the runtime calls them, and checked.c compares the library with its spec. Other builds do
 * not see this file.
 *
 * The hooks are in a shared library, so that all modules of a process share its tables. They change no result of a call. They may be called
 * on any thread, with or without the GIL. */
#ifndef DLB_CHECKED_CHECKED_H_
#define DLB_CHECKED_CHECKED_H_

#include <dlpack/dlpack.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct dlb_array;
struct dlb_owner;
struct dlb_py_argument;
struct dlb_py_function;
struct dlb_py_operand;
struct dlb_request;
struct dlb_span;
struct dlb_type;
struct dlb_view;

/* ---- Calls ---- */

/* Begins a call, whose arguments are not sorted yet, or which has none. `wrapper`: the name of the generated function; `frame`: the address
 * of its stack frame. A call without operands ends when its frame does. */
void dlb_checked_begin(const char *wrapper, const void *frame);
/* Begins a call that sorts its arguments now. */
void dlb_checked_enter(const struct dlb_py_function *function, const char *wrapper, const void *frame);
/* Begins to take the operands of a call, which is begun first if it has no other arguments. */
void dlb_checked_take(const struct dlb_py_function *function, const char *wrapper, const void *frame);
/* Ends taking operands. If `result` is not 0, it has failed, and the call ends. Returns `result`. */
int dlb_checked_taken(const struct dlb_py_function *function, int result);
/* Ends a call with operands, and checks the living exports. `answer`: NULL after a failure. Returns `answer`. */
void *dlb_checked_leave(const struct dlb_py_function *function, void *answer);
/* Records that the current call has failed. */
void dlb_checked_failed(const struct dlb_py_function *function);

/* ---- Arguments ---- */

/* Gives C a copy of an array argument between forbidden zones: its shadow. */
void dlb_checked_shadow(struct dlb_py_argument *array, const struct dlb_py_operand *operand);
/* Does the same for a sequence of numbers, unless it becomes an object. */
void dlb_checked_numbers(struct dlb_py_argument *array, const struct dlb_py_operand *operand);
/* Does the same for an array that becomes an object for the call: dlb_checked_imports() tells that the operand is about to be imported, and
 * dlb_checked_import() returns the tensor that the object of `type` must show. The shadow ends with the object. */
void dlb_checked_imports(const struct dlb_py_operand *operand);
const DLTensor *dlb_checked_import(const struct dlb_type *type, struct dlb_view *view);
/* Finds the memory of such a shadow. Returns false if the owner has none. */
bool dlb_checked_span(const struct dlb_owner *owner, struct dlb_span *span);
/* Does the same for a new output. */
void dlb_checked_output(struct dlb_py_argument *array, const struct dlb_py_operand *operand);
/* Gives C memory between forbidden zones for a new array that becomes a result, and copies it back when C has filled the array: `count`
 * elements are part of the result. */
void dlb_checked_new_array(struct dlb_array *array, const char *argument);
void dlb_checked_filled(struct dlb_array *array, int64_t count);
/* Show the arguments themselves in the tensors of the call, to compare their addresses, and then the shadows again. Returns `result`. */
void dlb_checked_show_sources(const struct dlb_py_function *function);
int dlb_checked_show_shadows(const struct dlb_py_function *function, int result);
/* Copies the shadow of an output back, because a library is about to make an array of the output. */
void dlb_checked_show_result(const struct dlb_py_function *function, const struct dlb_py_argument *array);
/* Compares the shadow with the argument, copies it back, and forbids it. `succeeded`: the call has. */
void dlb_checked_unshadow(struct dlb_py_argument *array, const struct dlb_py_operand *operand, bool succeeded);
/* Tells that the temporary struct of an argument is about to be destroyed. dlb_checked_unshadow() follows. */
void dlb_checked_destroy(const struct dlb_type *type);
/* Records that an object of a generated class is an argument. */
void dlb_checked_passed(const struct dlb_py_function *function, const struct dlb_py_operand *operand, const struct dlb_owner *owner);

/* Records that a call returns an argument, because C returned the same object. */
void dlb_checked_returned(const struct dlb_owner *owner);

/* ---- Descriptions and results ---- */

/* Begins to make an object of the class from an array or a shape; NULL ends it. What the library allocates meanwhile belongs to the class. */
void dlb_checked_making(const struct dlb_type *type);
/* Compares a new object, which `made` describes, with the array or the shape that it was made from. */
void dlb_checked_made(const struct dlb_request *request, const struct dlb_view *made);
/* Checks the memory of an export, which `view` describes with the flags of the owner, and records it. */
void dlb_checked_exported(const struct dlb_owner *owner, const struct dlb_view *view);
/* Checks the memory of a copy, or of a borrowed view. */
void dlb_checked_viewed(const struct dlb_owner *owner, const struct dlb_view *view);
/* Checks the memory of a `bytes` result, and of an array that is copied. */
void dlb_checked_bytes(const void *at, size_t size);
void dlb_checked_copied(const void *at, size_t size);

/* ---- Owners ---- */

/* How an owner got its object. */
typedef enum dlb_checked_way {
    DLB_CHECKED_OWNED,   /* with a reference of its own, or from C code of the user */
    DLB_CHECKED_ADOPTED, /* the library made it for the caller */
    DLB_CHECKED_SHARED,  /* it belongs to another owner, or to the library */
    DLB_CHECKED_MADE     /* an import, or a new object of the allocator */
} dlb_checked_way;

/* Records a new owner. */
void dlb_checked_owned(struct dlb_owner *owner, dlb_checked_way way);
/* Are called before and after the object of an owner is released. `releases`: a function of the library is called. */
void dlb_checked_release(const struct dlb_owner *owner, bool releases);
void dlb_checked_released(const struct dlb_owner *owner);
/* Records that the library has the object of the owner now, or has freed it. */
void dlb_checked_transferred(struct dlb_owner *owner);

/* ---- The end ---- */

/* Writes the counts, and forgets all addresses, so that a leak checker finds what only the tables refer to. Can be called again. */
void dlb_checked_finish(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
