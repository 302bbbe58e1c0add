/* SPDX-License-Identifier: MIT-0 */
/* Calls one of several C functions that have the same name in Python. */

#include "choice.h"

/* Returns whether the function, or the import of an argument, works on a stream of the library. */
static bool works_on_stream(const dlb_py_function *function)
{
    bool works = function->stream != NULL;

    for (int i = 0; i < function->operand_count; i++) {
        const dlb_type *const type = function->operands[i].type;

        works = works || (type != NULL && type->importer != NULL && type->importer->stream != NULL);
    }
    return works;
}

/* Returns whether the chosen function gets the answer for the argument at a position. A number is passed as it is, and the items of a
 * sequence only where a sequence is accepted: items that are answers of producers only where arrays or objects are. If the alternative
 * works on a stream, the producers on a device are called again, since they do not know this stream yet. Producers of managed memory are
 * called again, too: only the alternative knows whether the CPU reads it. */
static bool takes_answer(const dlb_py_choice *call, const dlb_py_function *function, Py_ssize_t position, bool on_stream)
{
    const dlb_py_described *const described = &call->described[position];
    const dlb_py_operand *operand = NULL;

    for (int i = 0; i < function->count; i++) {
        operand = dlb_py_position_of(call, i) == position ? dlb_py_operand_of(function, i) : operand;
    }
    if (described->answer == NULL || operand == NULL || described->is_managed || (on_stream && described->has_streams)) {
        return false;
    }
    if (described->has_items && (operand->flags & DLB_PY_ITEMS) == 0) {
        return false;
    }
    return described->state == DLB_PY_ARRAY || (operand->flags & (unsigned)(DLB_PY_NUMBERS | DLB_PY_ITEMS)) != 0;
}

/* Calls the alternative with the answers of producers in the places of these. */
static PyObject *call_with_answers(const dlb_py_choice *call, const dlb_py_alternative *chosen, PyObject *self)
{
    PyObject **const args = PyMem_Malloc((size_t)call->count * sizeof *args);
    const bool on_stream = works_on_stream(chosen->function);
    PyObject *result;

    if (args == NULL) {
        return PyErr_NoMemory();
    }
    if (call->kwnames != NULL) {
        (void)dlb_py_place_keywords(call, chosen->function); /* those of the last alternative are in place */
    }
    for (Py_ssize_t i = 0; i < call->count; i++) {
        args[i] = takes_answer(call, chosen->function, i, on_stream) ? call->described[i].answer : call->args[i];
    }
    result = chosen->call(self, args, call->nargs, call->kwnames);
    PyMem_Free(args);
    return result;
}

/* Calls the chosen alternative, unless it is NULL, and releases the answers. If only this function could tell whether it takes the
 * arguments, and it does not, the message also lists the other signatures. */
DLB_NOINLINE static PyObject *call_slow(dlb_py_choice *call, const dlb_py_alternative *chosen, PyObject *self)
{
    PyObject *result = NULL;

    if (chosen != NULL) {
        result = call->has_answers ? call_with_answers(call, chosen, self) : chosen->call(self, call->args, call->nargs, call->kwnames);
    }
    if (chosen != NULL && result == NULL && call->is_doubtful &&
        (PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_BufferError))) {
        dlb_py_name_others(call, chosen->function, -1);
    }
    for (Py_ssize_t i = 0; i < call->count; i++) {
        PyMem_Free(call->described[i].has_items ? call->described[i].items : NULL);
        dlb_py_discard(call->described[i].answer);
    }
    return result;
}

PyObject *dlb_py_call_alternative(const dlb_py_alternatives *of, PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                                  PyObject *kwnames, dlb_py_described *described)
{
    dlb_py_choice call = {of, args, nargs, kwnames, nargs, described, false, false};
    const dlb_py_alternative *chosen;

    if (kwnames != NULL) {
        call.count += PyTuple_GET_SIZE(kwnames);
    }
    if (call.count > of->most) {
        dlb_py_refuse_count_of_all(&call);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < call.count; i++) {
        described[i].state = DLB_PY_NOT_DESCRIBED;
        described[i].numbers_state = DLB_PY_NOT_READ;
        described[i].has_items = false;
        described[i].has_streams = false;
        described[i].is_managed = false;
        described[i].answer = NULL;
    }
    chosen = dlb_py_choose(&call);
    if (DLB_UNLIKELY(chosen == NULL && !PyErr_Occurred())) {
        dlb_py_refuse_all(&call);
    }
    if (DLB_UNLIKELY(call.has_answers || call.is_doubtful)) {
        return call_slow(&call, chosen, self);
    }
    return chosen != NULL ? chosen->call(self, args, nargs, kwnames) : NULL;
}
