/* SPDX-License-Identifier: MIT-0 */
/* Owners that keep a Python object alive: the one case in which a deleter needs Python. It may come on a thread that
 * Python never saw, with another interpreter attached, with an exception pending, or after its interpreter ended. In the
 * last case, and on other threads from the moment that Python begins to end, the object is leaked on purpose. */
#include "dlb_py_internal.h"

#include <stdlib.h>

typedef struct parent {
    PyObject *object;
    dlb_py_interpreter *home;
} parent;

dlb_py_interpreter *dlb_py_interpreter_new(void)
{
    dlb_py_interpreter *const interpreter = malloc(sizeof *interpreter); /* it outlives Python's allocators */

    if (interpreter == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    dlb_count_start(&interpreter->holders, 1);
    dlb_count_start(&interpreter->alive, 1);
    interpreter->state = PyInterpreterState_Get();
    return interpreter;
}

void dlb_py_interpreter_drop(dlb_py_interpreter *interpreter)
{
    if (dlb_count_subtract(&interpreter->holders, 1) == 0) {
        free(interpreter);
    }
}

/* The thread state with which this thread is attached, or NULL. */
static PyThreadState *attached(void)
{
#if PY_VERSION_HEX >= 0x030D0000
    return PyThreadState_GetUnchecked();
#elif PY_VERSION_HEX >= 0x030C0000
    return _PyThreadState_UncheckedGet();
#else
    PyThreadState *const current = _PyThreadState_UncheckedGet(); /* of whichever thread holds the GIL */

    return current != NULL && current->thread_id == PyThread_get_thread_ident() ? current : NULL;
#endif
}

static int finalizing(void)
{
#if PY_VERSION_HEX >= 0x030D0000
    return Py_IsFinalizing();
#else
    return _Py_IsFinalizing();
#endif
}

/* Drops `object` from a thread that is attached to no interpreter. */
static void decref_attaching(PyObject *object, PyInterpreterState *home)
{
    PyThreadState *const visitor = PyThreadState_New(home);

    if (visitor == NULL) {
        return;
    }
    PyEval_RestoreThread(visitor);
    Py_DECREF(object);
    PyThreadState_Clear(visitor);
    PyThreadState_DeleteCurrent();
}

static void let_go_parent(void *keeper)
{
    parent *const kept = keeper;
    dlb_py_interpreter *const home = kept->home;

    if (dlb_count_read(&home->alive) != 0) {
        PyThreadState *const current = attached();

        if (current != NULL && PyThreadState_GetInterpreter(current) == home->state) {
            dlb_py_quietly(dlb_py_decref, kept->object);
        } else if (current != NULL && !finalizing()) {
            (void)PyEval_SaveThread();
            decref_attaching(kept->object, home->state);
            PyEval_RestoreThread(current);
        } else if (current == NULL && !finalizing()) {
            decref_attaching(kept->object, home->state);
        }
    }
    dlb_py_interpreter_drop(home);
    free(kept);
}

int dlb_py_keep_parent(dlb_owner *owner, PyObject *object)
{
    dlb_py_state *const state = dlb_py_get_state();
    parent *kept;

    if (state == NULL) {
        return -1;
    }
    kept = malloc(sizeof *kept);
    if (kept == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    Py_INCREF(object);
    dlb_count_add(&state->interpreter->holders, 1);
    *kept = (parent){object, state->interpreter};
    owner->keeper = kept;
    owner->let_go = let_go_parent;
    return 0;
}
