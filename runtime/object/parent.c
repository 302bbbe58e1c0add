/* SPDX-License-Identifier: MIT-0 */
/* Interpreters as deleters see them, and guards, which keep Python objects alive for owners. */

#include "object.h"

#include <stdlib.h>

struct dlb_py_guard {
    dlb_kept kept; /* the owner's dependencies at first; later those of its object too */
    dlb_py_interpreter *storage;
    PyObject *parent;              /* or NULL */
    void (*release)(void *object); /* the owner's release function, if it needs the GIL */
    const dlb_owner *owner;
};

#if defined(Py_LIMITED_API)
/* Records the thread that finalizes Python. The limited API cannot report finalization. `atexit` runs this function before other
 * threads can no longer attach. */
static PyObject *note_end(PyObject *capsule, PyObject *unused)
{
    dlb_py_interpreter *const interpreter = PyCapsule_GetPointer(capsule, NULL);

    (void)unused;
    dlb_count_add(&interpreter->ender, (uint64_t)PyThread_get_thread_ident());
    Py_RETURN_NONE;
}

static void drop_capsule(PyObject *capsule)
{
    dlb_py_interpreter_drop(PyCapsule_GetPointer(capsule, NULL));
}

/* Registers note_end() with `atexit`. Returns 0, or -1 with an exception. */
static int register_note_end(dlb_py_interpreter *interpreter)
{
    static PyMethodDef method = {"note_end", note_end, METH_NOARGS, NULL};
    PyObject *const capsule = PyCapsule_New(interpreter, NULL, drop_capsule);
    PyObject *function;
    PyObject *atexit;
    PyObject *result = NULL;

    if (capsule == NULL) {
        return -1; /* not covered: a module of the limited API is imported without failing calls */
    }
    dlb_count_add(&interpreter->holders, 1);
    function = PyCFunction_New(&method, capsule);
    Py_DECREF(capsule);
    atexit = function != NULL ? PyImport_ImportModule("atexit") : NULL;
    if (atexit != NULL) {
        result = PyObject_CallMethod(atexit, "register", "O", function);
    }
    Py_XDECREF(atexit);
    Py_XDECREF(function);
    Py_XDECREF(result);
    return result != NULL ? 0 : -1;
}
#endif

dlb_py_interpreter *dlb_py_interpreter_new(void)
{
    dlb_py_interpreter *const interpreter = malloc(sizeof *interpreter); /* outlives Python's allocators */

    if (interpreter == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    dlb_count_start(&interpreter->holders, 1);
    dlb_count_start(&interpreter->alive, 1);
    interpreter->state = PyInterpreterState_Get();
    interpreter->free_list = NULL;
#if defined(Py_LIMITED_API)
    dlb_count_start(&interpreter->ender, 0);
    if (register_note_end(interpreter) != 0) {
        /* not covered: a module of the limited API is imported without failing calls */
        dlb_py_interpreter_drop(interpreter);
        return NULL;
    }
#endif
    return interpreter;
}

/* Returns the memory in the free list for a guard, which the caller then owns, or NULL. */
static inline void *take_from_free_list(dlb_py_interpreter *storage)
{
    void *const free_list = storage->free_list;

    if (free_list != NULL) {
        DLB_UNHIDE(free_list, sizeof(dlb_py_guard));
        storage->free_list = NULL;
    }
    return free_list;
}

/* Frees a guard. `here` says that this thread is attached to the guard's interpreter, so that the memory may go to the free list. */
static inline void free_guard(dlb_py_guard *guard, bool here)
{
    dlb_py_interpreter *const storage = guard->storage;

    if (DLB_PY_FREE_THREADED || !here || storage->free_list != NULL) {
        free(guard);
    } else {
        storage->free_list = guard;
        DLB_HIDE(guard, sizeof *guard);
    }
    dlb_py_interpreter_drop(storage);
}

void dlb_py_interpreter_drop(dlb_py_interpreter *interpreter)
{
    if (dlb_count_subtract(&interpreter->holders, 1) == 0) {
        free(take_from_free_list(interpreter));
        free(interpreter);
    }
}

/* Returns the thread state that is attached to this thread, or NULL. */
static PyThreadState *attached(void)
{
#if defined(Py_LIMITED_API)
    return PyThreadState_GetDict() != NULL ? PyThreadState_Get() : NULL; /* not covered: the limited API calls it since CPython 3.12 */
#elif PY_VERSION_HEX >= 0x030D0000
    return PyThreadState_GetUnchecked();
#elif PY_VERSION_HEX >= 0x030C0000
    return _PyThreadState_UncheckedGet();
#else
    PyThreadState *const current = _PyThreadState_UncheckedGet(); /* possibly that of another thread, which holds the GIL */

    return current != NULL && current->thread_id == PyThread_get_thread_ident() ? current : NULL;
#endif
}

/* Returns whether this thread is attached for certain, so that exceptions are its own. Before 3.12, CPython may report the thread state
 * of another thread, and the limited API cannot tell the two apart. */
static bool is_attached(void)
{
#if defined(Py_LIMITED_API)
    return Py_Version >= 0x030C0000 && attached() != NULL;
#elif PY_VERSION_HEX >= 0x030C0000
    return attached() != NULL;
#else
    return PyGILState_GetThisThreadState() != NULL && attached() != NULL;
#endif
}

/* Calls `end` on a foreign tensor. An exception that the deleter leaves is reported as unraisable, because the code that releases the
 * tensor did not fail. A pending exception is restored. Without Python there are no exceptions. */
static void delete_tensor_quietly(void (*end)(void *tensor), void *tensor)
{
    dlb_py_exception pending;

    if (!is_attached()) {
        end(tensor);
        return;
    }
    if (DLB_UNLIKELY(PyErr_Occurred() != NULL)) {
        pending = dlb_py_fetch();
        end(tensor);
        if (PyErr_Occurred() != NULL) {
            PyErr_WriteUnraisable(NULL);
        }
        dlb_py_restore(&pending);
        return;
    }
    end(tensor);
    if (DLB_UNLIKELY(PyErr_Occurred() != NULL)) {
        PyErr_WriteUnraisable(NULL);
    }
}

void dlb_py_end_versioned(void *tensor)
{
    delete_tensor_quietly(dlb_end_versioned, tensor);
}

void dlb_py_end_legacy(void *tensor)
{
    delete_tensor_quietly(dlb_end_legacy, tensor);
}

/* Returns whether Python finalizes, so that this thread can no longer attach to it. */
static bool is_finalizing(const dlb_py_interpreter *storage)
{
#if defined(Py_LIMITED_API)
    const uint64_t ender = dlb_count_read(&storage->ender);

    return ender != 0 && ender != (uint64_t)PyThread_get_thread_ident();
#else
    (void)storage;
#if PY_VERSION_HEX >= 0x030D0000
    return Py_IsFinalizing() != 0;
#else
    return _Py_IsFinalizing() != 0;
#endif
#endif
}

/* Runs the destruction that needs Python. The object is released first, since it may use the parent. */
static void destroy_attached(void *target)
{
    const dlb_py_guard *const guard = target;

    if (guard->release != NULL && !dlb_owner_is_closed(guard->owner)) {
        DLB_CHECK(dlb_checked_release(guard->owner, true));
        guard->release(guard->owner->object);
        DLB_CHECK(dlb_checked_released(guard->owner));
        if (PyErr_Occurred() != NULL) { /* a Python destructor of the parent must not see this exception */
            PyErr_WriteUnraisable(NULL);
        }
    }
    Py_XDECREF(guard->parent);
}

/* Where the destruction ran: nowhere (leaked); in an interpreter to which the thread attached for it; on a thread that was attached
 * already. */
typedef enum destruction { LEAKED, DESTROYED, DESTROYED_HERE } destruction;

/* Runs the destruction on a thread that is not attached. A thread that Python knows attaches with its own thread state. With a second
 * one, PyGILState_Ensure() in the release would wait for the GIL that this thread holds. */
static destruction destroy_attaching(dlb_py_guard *guard)
{
    PyThreadState *const known = PyGILState_GetThisThreadState();
    PyThreadState *visitor;

    if (known != NULL && PyThreadState_GetInterpreter(known) == guard->storage->state) {
        PyEval_RestoreThread(known);
        dlb_py_quietly(destroy_attached, guard);
        (void)PyEval_SaveThread();
        return DESTROYED;
    }
    visitor = PyThreadState_New(guard->storage->state);
    if (visitor == NULL) {
        return LEAKED; /* not covered: the tests make calls fail on their own thread only */
    }
    PyEval_RestoreThread(visitor);
    destroy_attached(guard);
    PyThreadState_Clear(visitor);
    (void)PyEval_SaveThread();
    PyThreadState_Delete(visitor);
    return DESTROYED;
}

#if defined(Py_LIMITED_API)
/* Runs the destruction through PyGILState. Before 3.12 the limited API cannot tell whether a thread is attached. It then supports the
 * main interpreter alone (see dlb_py_get_state), which PyGILState knows. */
static destruction destroy_with_gil(dlb_py_guard *guard)
{
    PyGILState_STATE before;

    if (is_finalizing(guard->storage)) {
        return LEAKED; /* not covered: no other thread destroys an object of the limited API while Python ends */
    }
    before = PyGILState_Ensure();
    dlb_py_quietly(destroy_attached, guard);
    PyGILState_Release(before);
    return DESTROYED;
}
#endif

/* Runs the destruction that needs Python on the current thread, or leaks the objects if Python has ended or finalizes. */
static destruction destroy_guarded(dlb_py_guard *guard)
{
    PyThreadState *current;
    destruction ended;

    if (dlb_count_read(&guard->storage->alive) == 0) {
        return LEAKED;
    }
#if defined(Py_LIMITED_API)
    if (Py_Version < 0x030C0000) {
        return destroy_with_gil(guard);
    }
#endif
    current = attached();
    if (current != NULL && PyThreadState_GetInterpreter(current) == guard->storage->state) {
        dlb_py_quietly(destroy_attached, guard);
        return DESTROYED_HERE;
    }
    if (is_finalizing(guard->storage)) {
        return LEAKED;
    }
    if (current == NULL) {
        return destroy_attaching(guard);
    }
    (void)PyEval_SaveThread();
    ended = destroy_attaching(guard);
    PyEval_RestoreThread(current);
    return ended;
}

void dlb_py_guard_let_go(void *keeper)
{
    dlb_py_guard *const guard = keeper;
    const destruction ended = destroy_guarded(guard);

    if (ended != LEAKED && guard->kept.let_go != NULL) {
        guard->kept.let_go(guard->kept.keeper);
    }
    free_guard(guard, ended == DESTROYED_HERE);
}

dlb_py_guard *dlb_py_guard_new(const dlb_py_state *state, PyObject *parent)
{
    void *const free_list = DLB_PY_FREE_THREADED ? NULL : take_from_free_list(state->interpreter);
    dlb_py_guard *const guard = free_list != NULL ? free_list : malloc(sizeof *guard); /* outlives Python's allocators */

    if (guard == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    Py_XINCREF(parent);
    dlb_count_add(&state->interpreter->holders, 1);
    *guard = (dlb_py_guard){.storage = state->interpreter, .parent = parent};
    return guard;
}

PyObject *dlb_py_guard_parent(const dlb_py_guard *guard)
{
    return guard->parent;
}

void dlb_py_guard_free(dlb_py_guard *guard)
{
    Py_XDECREF(guard->parent);
    free_guard(guard, true);
}

void dlb_py_guard_owner(dlb_py_guard *guard, dlb_owner *owner)
{
    dlb_kept_kind kind = DLB_KEPT_WRAPPER;

    if (owner->type->release_on == DLB_RELEASE_GIL && owner->release != NULL) {
        guard->release = owner->release;
        guard->owner = owner;
        owner->release = NULL;
        kind = DLB_KEPT_GUARD;
    } else if (guard->parent == NULL) { /* a part, or nothing to release: no guard is needed */
        dlb_py_guard_free(guard);
        return;
    }
    guard->kept = owner->kept;
    owner->kept = (dlb_kept){dlb_py_guard_let_go, guard, kind};
}
