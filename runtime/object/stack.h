/* SPDX-License-Identifier: MIT-0 */
/* The stack that is left in a thread, for calls of foreign code. */
#ifndef DLB_OBJECT_STACK_H_
#define DLB_OBJECT_STACK_H_

#include "dlb_module.h"

/* The stack that the wrapper of a function needs for each of its arrays, in bytes. */
enum { DLB_PY_STACK_PER_ARRAY = 3072 };
/* So many arrays leave half of the reserve for foreign code. A function with more of them raises the reserve before its first call of
 * foreign code. */
enum { DLB_PY_FEW_ARRAYS = 16 };

/* A part of the stack of the main thread. In it, so much stack is left that no call needs another check. `size`: in bytes, or 0 if the
 * code runs in another thread or the stack is unknown. */
typedef struct dlb_py_ample_stack {
    uintptr_t low;
    size_t size;
} dlb_py_ample_stack;
DLB_API dlb_py_ample_stack dlb_py_find_ample_stack(void);

/* Check that the thread has enough stack to run foreign code, which may call functions of the module again. Each way from a function of
 * the module to foreign code has such a check. The second function is for the code that knows the called function, whose arrays are on
 * the stack. Return 0, or -1 with a RecursionError. */
DLB_API int dlb_py_check_stack(void);
DLB_API int dlb_py_check_stack_of(const dlb_py_function *function);

#endif
