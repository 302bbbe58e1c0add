/* SPDX-License-Identifier: MIT-0 */
/* The stream on which a function works: producers make their arrays ready for it. */

#include "call.h"

/* Takes an object on which the stream depends, as far as the stream needs it: its address, and a share, since code of a producer may close
 * the object. Returns 0, or -1 with an exception. */
static int take_object(const dlb_py_function *function, dlb_py_argument *arrays, int index)
{
    const dlb_py_operand *const operand = &function->operands[index];
    dlb_py_argument *const array = &arrays[index];
    PyObject *object = array->source;

    if (object == NULL || array->shared) { /* None; or another array needed the stream before */
        return 0;
    }
    if (!dlb_py_is_own_argument(operand, object)) {
        if (array->made == NULL && dlb_py_take_foreign(function, arrays, operand, true, array) != 0) {
            return -1;
        }
        object = array->made;
    }
    if (dlb_py_share_own(function, operand, array, object) != 0) {
        return -1;
    }
    array->object = dlb_owner_object(array->owner);
    return 0;
}

int dlb_py_stream_of_call(const dlb_py_function *function, dlb_py_argument *arrays, dlb_py_stream *stream, const dlb_py_stream **found)
{
    *found = NULL;
    if (DLB_LIKELY(function->stream == NULL)) {
        return 0;
    }
    for (int i = 0; i < function->operand_count; i++) {
        if ((function->operands[i].flags & DLB_PY_OF_STREAM) != 0 && take_object(function, arrays, i) != 0) {
            return -1;
        }
    }
    *stream = (dlb_py_stream){function->stream(arrays), true};
    *found = stream;
    return 0;
}
