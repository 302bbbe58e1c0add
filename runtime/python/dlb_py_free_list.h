/* SPDX-License-Identifier: MIT-0 */
/* Free lists: memory of destroyed objects, for the next ones. Importing, using and dropping an object then needs no allocator. An
 * interpreter keeps the memory of one object, one owner, and one guard (dlb_py_parent.c). All need the GIL. Without a GIL, nothing is
 * kept. */
#ifndef DLB_PY_FREE_LIST_H_
#define DLB_PY_FREE_LIST_H_

#include "dlb_py_internal.h"

#include <stdlib.h>

/* ---- Objects ---- */

/* Makes an object without contents, in memory from the free list if there is some. NULL with an exception. */
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

/* Frees the memory of an object, or puts it on the free list. */
static inline void dlb_py_free_object(dlb_py_state *state, PyObject *self)
{
    if (DLB_PY_FREE_THREADED || state->free_list != NULL || state->interpreter == NULL) {
        PyObject_Free(self);
    } else {
        state->free_list = self;
        DLB_HIDE(self, sizeof(dlb_py_object));
    }
}

/* ---- Owners from dlb_import_fast() ---- */

/* Takes the memory of an owner from the free list, if there is some for this type. Else returns NULL. */
static inline void *dlb_py_take_free_owner(dlb_py_state *state, const dlb_type *type)
{
    if (DLB_PY_FREE_THREADED || state->free_owner_type != type) {
        return NULL;
    }
    state->free_owner_type = NULL;
    DLB_UNHIDE(state->storage, dlb_fast_size(type));
    return state->storage;
}

/* Frees the memory of an owner on the free list. */
static inline void dlb_py_clear_free_owner(dlb_py_state *state)
{
    if (state->free_owner_type != NULL) {
        free(dlb_py_take_free_owner(state, state->free_owner_type));
    }
}

/* Disowns an owner, whose memory may go to the free list. */
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

/* ---- Shutdown of the interpreter ---- */

/* Frees all memory on the free lists of an interpreter. */
static inline void dlb_py_clear_free_lists(dlb_py_state *state)
{
    if (state->free_list != NULL) {
        DLB_UNHIDE(state->free_list, sizeof(dlb_py_object));
        PyObject_Free(state->free_list);
        state->free_list = NULL;
    }
    dlb_py_clear_free_owner(state);
}

#endif
