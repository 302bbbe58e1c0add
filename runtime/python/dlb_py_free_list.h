/* SPDX-License-Identifier: MIT-0 */
/* Memory of what has ended, which serves the next of its kind: an object that is imported, used and dropped takes nothing of any
 * allocator. An interpreter keeps that of one object and of one owner (and of one guard: dlb_py_parent.c), all with the GIL; without
 * one, nothing is kept. */
#ifndef DLB_PY_FREE_LIST_H_
#define DLB_PY_FREE_LIST_H_

#include "dlb_py_internal.h"

#include <stdlib.h>

/* ---- Objects ---- */

/* A new object of nothing yet, in the memory of the last one that ended, if that was kept. NULL with an exception. */
static inline dlb_py_object *dlb_py_new_object(dlb_py_state *state, PyTypeObject *cls)
{
    void *const free_list = DLB_PY_FREE_THREADED ? NULL : state->free_list;

    if (free_list == NULL) {
        return PyObject_New(dlb_py_object, cls);
    }
    DLB_UNHIDE(free_list, sizeof(dlb_py_object));
    state->free_list = NULL;
    return (dlb_py_object *)(void *)PyObject_Init(free_list, cls);
}

/* Frees the memory of one, or keeps it for the next. */
static inline void dlb_py_free_object(dlb_py_state *state, PyObject *self)
{
    if (DLB_PY_FREE_THREADED || state->free_list != NULL || state->interpreter == NULL) {
        PyObject_Free(self);
    } else {
        state->free_list = self;
        DLB_HIDE(self, sizeof(dlb_py_object));
    }
}

/* ---- Owners of imports in one step ---- */

/* The memory of the last owner of an import in one step, if that was one of the same type and is kept. */
static inline void *dlb_py_take_free_owner(dlb_py_state *state, const dlb_type *type)
{
    if (DLB_PY_FREE_THREADED || state->free_owner_type != type) {
        return NULL;
    }
    state->free_owner_type = NULL;
    DLB_UNHIDE(state->storage, dlb_fast_size(type));
    return state->storage;
}

/* Frees it. */
static inline void dlb_py_clear_free_owner(dlb_py_state *state)
{
    if (state->free_owner_type != NULL) {
        free(dlb_py_take_free_owner(state, state->free_owner_type));
    }
}

/* Disowns an owner, whose memory may be kept for the next. */
static inline void dlb_py_disown(dlb_py_state *state, dlb_owner *owner)
{
    if (DLB_PY_FREE_THREADED || !owner->fast || state->interpreter == NULL) {
        dlb_owner_disown(owner);
    } else {
        dlb_py_clear_free_owner(state);
        state->storage = owner;
        state->free_owner_type = owner->type;
        DLB_HIDE(owner, dlb_fast_size(state->free_owner_type));
    }
}

/* ---- The end of the interpreter ---- */

static inline void dlb_py_free_spares(dlb_py_state *state)
{
    if (state->free_list != NULL) {
        DLB_UNHIDE(state->free_list, sizeof(dlb_py_object));
        PyObject_Free(state->free_list);
        state->free_list = NULL;
    }
    dlb_py_clear_free_owner(state);
}

#endif
