/* SPDX-License-Identifier: MIT-0 */
/* The stack that is left in a thread. Foreign code can call functions of the module again, endlessly. CPython limits the depth of such
 * calls, but not their memory: the arguments of one call can need 40 KB of stack. */

#include "errors.h"
#include "state.h"

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif
#if defined(__linux__) && defined(_GNU_SOURCE)
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__APPLE__)
#include <pthread.h>
#elif defined(_WIN32)
/* <windows.h> declares it only if the build asks for Windows 8 or later */
__declspec(dllimport) void __stdcall GetCurrentThreadStackLimits(uintptr_t *low, uintptr_t *end);
#endif

/* The reserve, in bytes, for CPython, for the frames of the runtime, and for foreign code until it calls a function of the module again.
 * An array adds DLB_PY_STACK_PER_ARRAY. A small stack has a smaller reserve: at most half of it. */
enum { RESERVE = 96 * 1024 };
/* So many bytes are enough for each call. */
enum { AMPLE = 1024 * 1024 };
/* The largest part of the stack of the main thread that counts as ample, in bytes. A stack without a limit reaches down to the next mapping,
 * and the stacks of later threads can lie between the two. */
enum { MOST_AMPLE = 64 * 1024 * 1024 };

/* The stack of a thread, which grows from its end towards `low`. */
typedef struct thread_stack {
    uintptr_t low;
    size_t size;    /* in bytes; 0: not read yet, or unknown */
    size_t reserve; /* in bytes: the largest that a call has needed so far */
    bool unknown;   /* the system does not report the stack */
} thread_stack;
static DLB_THREAD_LOCAL thread_stack this_stack;

/* Returns an address in the current frame. The address of a variable can be elsewhere: AddressSanitizer moves variables to the heap. */
static inline uintptr_t frame_address(void)
{
#if defined(__GNUC__)
    return (uintptr_t)__builtin_frame_address(0);
#elif defined(_MSC_VER)
    return (uintptr_t)_AddressOfReturnAddress();
#else
    char variable;

    return (uintptr_t)&variable;
#endif
}

#if defined(__linux__) && defined(_GNU_SOURCE)

static bool is_main_thread(void)
{
    return (long)getpid() == (long)syscall(SYS_gettid);
}

/* Reads the bounds of the stack of this thread. Returns false if they are unknown. */
static bool read_bounds(uintptr_t *low, size_t *size)
{
    pthread_attr_t attributes;
    void *address = NULL;
    bool known;

    if (pthread_getattr_np(pthread_self(), &attributes) != 0) { /* for the main thread, it needs /proc */
        return false; /* not covered: the tests have /proc */
    }
    known = pthread_attr_getstack(&attributes, &address, size) == 0;
    (void)pthread_attr_destroy(&attributes);
    *low = (uintptr_t)address;
#if !defined(__GLIBC__)
    if (known && is_main_thread()) { /* musl reports only the part that the main thread has used so far */
        const uintptr_t end = *low + *size;
        struct rlimit limit;

        known = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < end;
        if (known && limit.rlim_cur > *size) {
            *size = (size_t)limit.rlim_cur;
            *low = end - *size;
        }
    }
#endif
    return known;
}

#elif defined(__APPLE__)

static bool read_bounds(uintptr_t *low, size_t *size)
{
    *size = pthread_get_stacksize_np(pthread_self());
    *low = (uintptr_t)pthread_get_stackaddr_np(pthread_self()) - *size;
    return true;
}

static bool is_main_thread(void)
{
    return pthread_main_np() != 0;
}

#elif defined(_WIN32)

static bool read_bounds(uintptr_t *low, size_t *size)
{
    uintptr_t end;

    GetCurrentThreadStackLimits(low, &end);
    *size = (size_t)(end - *low);
    return true;
}

static bool is_main_thread(void)
{
    return false; /* not needed: Windows finds the variables of a thread in a few instructions */
}

#else

static bool read_bounds(uintptr_t *low, size_t *size)
{
    (void)low;
    (void)size;
    return false;
}

static bool is_main_thread(void)
{
    return false;
}

#endif

dlb_py_ample_stack dlb_py_find_ample_stack(void)
{
    dlb_py_ample_stack ample = {0, 0};
    size_t size = 0;

    if (is_main_thread() && read_bounds(&ample.low, &size) && size > AMPLE) {
        ample.size = size - AMPLE < MOST_AMPLE ? size - AMPLE : MOST_AMPLE;
        ample.low += size - ample.size;
    }
    return ample;
}

/* Returns the bytes between the lowest address of the stack and `here`. A larger number than the size of the stack: `here` is outside. */
static inline size_t bytes_left(const thread_stack *stack, uintptr_t here)
{
    return (size_t)(here - stack->low);
}

static inline bool suffices(const thread_stack *stack, uintptr_t here)
{
    const size_t left = bytes_left(stack, here);

    return left < stack->size && left >= stack->reserve;
}

/* Checks a stack that is not known yet, that is almost used up, or on which the code does not run: a fiber has a stack of its own. Where
 * the stack is unknown, only the depth counts. */
DLB_COLD static int check_exactly(thread_stack *stack, uintptr_t here)
{
    if (!stack->unknown && (stack->size == 0 || bytes_left(stack, here) < stack->size)) { /* a limit may have been raised, too */
        stack->unknown = !read_bounds(&stack->low, &stack->size);
        stack->size = stack->unknown ? 0 : stack->size;
    }
    if (bytes_left(stack, here) >= stack->size) {
        if (Py_EnterRecursiveCall(" in a call of foreign code") != 0) {
            return -1;
        }
        Py_LeaveRecursiveCall();
        return 0;
    }
    if (bytes_left(stack, here) >= (stack->reserve < stack->size / 2 ? stack->reserve : stack->size / 2)) {
        return 0;
    }
    (void)dlb_py_raise_message(PyExc_RecursionError, "calls of Python code and of this module are nested too deeply for the stack of %zu KiB",
                               stack->size / 1024);
    return -1;
}

/* Checks the stack of this thread. `arrays`: the number of arrays of the called function, which may raise the reserve. Returns 0, or -1
 * with a RecursionError. */
DLB_NOINLINE static int check_thread(uintptr_t here, int arrays)
{
    const size_t reserve = RESERVE + (size_t)arrays * DLB_PY_STACK_PER_ARRAY;
    thread_stack *stack = &this_stack;

    DLB_LAUNDER(stack);
    if (reserve > stack->reserve) {
        stack->reserve = reserve;
    }
    return DLB_LIKELY(suffices(stack, here)) ? 0 : check_exactly(stack, here);
}

/* The variables of a thread cost a call of the C library, so an ample stack is tested first. */
int dlb_py_check_stack(void)
{
    const dlb_py_state *const state = dlb_py_sole_state();
    const uintptr_t here = frame_address();

    return state != NULL && dlb_py_is_stack_ample(state, here) ? 0 : check_thread(here, 0);
}

int dlb_py_check_stack_of(const dlb_py_function *function)
{
    const uintptr_t here = frame_address();

    return dlb_py_is_stack_ample_for(function, here) ? 0 : check_thread(here, function->operand_count);
}
