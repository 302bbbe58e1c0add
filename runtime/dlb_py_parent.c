/* SPDX-License-Identifier: MIT-0 */
/* Owners that keep a Python object alive, or whose object is released with the GIL held (`release_on: gil`): the cases in
 * which a deleter needs Python. It may come on a thread that Python never saw, with another interpreter attached, with an
 * exception pending, or after its interpreter ended. In the last case, and on other threads from the moment that Python
 * begins to end, both are leaked on purpose, with all that they stand on. */
#include "dlb_py_internal.h"

#include <stdlib.h>

struct dlb_py_guard {
    dlb_py_interpreter *home;
    PyObject *parent;              /* or NULL */
    void (*release)(void *object); /* the owner's own, where that needs the GIL */
    void *object;
    void (*let_go)(void *keeper); /* what the owner kept before it had the guard */
    void *keeper;
};

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

/* What needs Python; the object may stand on the parent. */
static void end_attached(void *target)
{
    const dlb_py_guard *const guard = target;

    if (guard->release != NULL) {
        guard->release(guard->object);
    }
    Py_XDECREF(guard->parent);
}

/* The same from a thread that is attached to no interpreter. One that Python knows comes back as itself: with a second
 * thread state, PyGILState_Ensure() in the release would wait for the GIL that this thread has. */
static bool end_attaching(dlb_py_guard *guard)
{
    PyThreadState *const known = PyGILState_GetThisThreadState();
    PyThreadState *visitor;

    if (known != NULL && PyThreadState_GetInterpreter(known) == guard->home->state) {
        PyEval_RestoreThread(known);
        dlb_py_quietly(end_attached, guard);
        (void)PyEval_SaveThread();
        return true;
    }
    visitor = PyThreadState_New(guard->home->state);
    if (visitor == NULL) {
        return false;
    }
    PyEval_RestoreThread(visitor);
    end_attached(guard);
    PyThreadState_Clear(visitor);
    PyThreadState_DeleteCurrent();
    return true;
}

/* Whether Python could be reached. */
static bool end_somehow(dlb_py_guard *guard)
{
    PyThreadState *current;
    bool ended;

    if (dlb_count_read(&guard->home->alive) == 0) {
        return false;
    }
    current = attached();
    if (current != NULL && PyThreadState_GetInterpreter(current) == guard->home->state) {
        dlb_py_quietly(end_attached, guard);
        return true;
    }
    if (finalizing()) {
        return false;
    }
    if (current == NULL) {
        return end_attaching(guard);
    }
    (void)PyEval_SaveThread();
    ended = end_attaching(guard);
    PyEval_RestoreThread(current);
    return ended;
}

static void let_go_guard(void *keeper)
{
    dlb_py_guard *const guard = keeper;

    if (end_somehow(guard) && guard->let_go != NULL) {
        guard->let_go(guard->keeper);
    }
    dlb_py_interpreter_drop(guard->home);
    free(guard);
}

dlb_py_guard *dlb_py_guard_new(const dlb_py_state *state, PyObject *parent)
{
    dlb_py_guard *const guard = malloc(sizeof *guard); /* it outlives Python's allocators */

    if (guard == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    Py_XINCREF(parent);
    dlb_count_add(&state->interpreter->holders, 1);
    *guard = (dlb_py_guard){.home = state->interpreter, .parent = parent};
    return guard;
}

void dlb_py_guard_free(dlb_py_guard *guard)
{
    Py_XDECREF(guard->parent);
    dlb_py_interpreter_drop(guard->home);
    free(guard);
}

void dlb_py_guard_owner(dlb_py_guard *guard, dlb_owner *owner)
{
    if (owner->type->release_on == DLB_RELEASE_GIL && owner->release != NULL) {
        guard->release = owner->release;
        guard->object = owner->object;
        owner->release = NULL;
    } else if (guard->parent == NULL) { /* a part, or nothing to release: Python is not needed */
        dlb_py_guard_free(guard);
        return;
    }
    guard->let_go = owner->let_go;
    guard->keeper = owner->keeper;
    owner->let_go = let_go_guard;
    owner->keeper = guard;
}
