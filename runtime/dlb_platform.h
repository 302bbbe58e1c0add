/* SPDX-License-Identifier: MIT-0 */
/* Compiler differences: atomic variables, locks, thread-local variables, checked arithmetic. */
#ifndef DLB_PLATFORM_H_
#define DLB_PLATFORM_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define DLB_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define DLB_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define DLB_COLD __attribute__((noinline, cold)) /* its callers save no registers for it */
#define DLB_NOINLINE __attribute__((noinline))
#define DLB_ALWAYS_INLINE __attribute__((always_inline))
#define DLB_IS_CONSTANT(x) __builtin_constant_p(x)
/* Hides from the compiler how the pointer was computed. Compilers assume that the address of a thread-local variable is cheap and
 * compute it repeatedly, but it can cost a call. */
#define DLB_LAUNDER(pointer) __asm__("" : "+r"(pointer))
#else
#define DLB_LIKELY(condition) (condition)
#define DLB_UNLIKELY(condition) (condition)
#define DLB_COLD
#define DLB_NOINLINE
#define DLB_ALWAYS_INLINE
#define DLB_IS_CONSTANT(x) 0
#define DLB_LAUNDER(pointer) ((void)0)
#endif

/* A function of descriptions: inlined even if the build optimises for size. Only if all of them are inlined is the code short, and the
 * view never in memory. */
#define DLB_INLINE static inline DLB_ALWAYS_INLINE

#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 8)
#define DLB_UNROLL _Pragma("GCC unroll 4") /* for a loop over axes, whose number is often constant */
#else
#define DLB_UNROLL
#endif

#define DLB_RESTRICT __restrict /* all compilers have this spelling, in any C version */

/* ---- Memory ---- */

/* Returns whether `bytes` can be the size of an object, or the distance of two elements. On 32-bit machines not every int64_t can. */
static inline bool dlb_is_addressable(int64_t bytes)
{
    return (int64_t)(ptrdiff_t)bytes == bytes;
}

/* Return whether an array at `data`, of no more than 2^60 bytes, may end within the address space, and whether one with this size does.
 * With addresses of 64 bits, the first test suffices, and costs a fast path no more than a comparison with NULL. */
static inline bool dlb_may_hold_array(const void *data)
{
    return sizeof data >= sizeof(int64_t) ? (intptr_t)data > 0 : data != NULL;
}
static inline bool dlb_holds_bytes(const void *data, int64_t bytes)
{
    return sizeof data >= sizeof(int64_t) || (dlb_is_addressable(bytes) && (uint64_t)bytes <= UINTPTR_MAX - (uintptr_t)data);
}

static inline bool dlb_is_big_endian(void)
{
    const uint16_t one = 1;

    return *(const unsigned char *)&one == 0;
}

/* The alignment in bytes of memory from malloc(). */
#if INTPTR_MAX > 0x7fffffff || (defined(__i386__) && defined(__linux__))
#define DLB_MALLOC_ALIGNMENT 16
#else
#define DLB_MALLOC_ALIGNMENT 8
#endif

#if defined(__GNUC__) || defined(__clang__)
#define DLB_ALIGN_16 __attribute__((aligned(16)))
#elif defined(_MSC_VER)
#define DLB_ALIGN_16 __declspec(align(16))
#else
#define DLB_ALIGN_16 _Alignas(16)
#endif

/* ---- DLB_ONE_THREAD: the process has never had a second thread, as the C library reports.
 *
 * Counting then needs no atomic operations, which take longer than the rest of an export. glibc notices threads of pthread_create(),
 * and of libraries based on it. Compile with -DDLB_ONE_THREAD=0 if the program starts threads in other ways (clone(), a second C
 * library through dlmopen()), or is built for a glibc before 2.32. ---- */

#if !defined(DLB_ONE_THREAD) && defined(__has_include) && defined(__GLIBC__)
#if __has_include(<sys/single_threaded.h>) && __GLIBC_PREREQ(2, 32)
#include <sys/single_threaded.h>
#define DLB_ONE_THREAD (__libc_single_threaded != 0)
#endif
#endif
#if !defined(DLB_ONE_THREAD)
#define DLB_ONE_THREAD 0
#endif

/* ---- An atomic 64-bit count, and an atomic pointer.
 *
 * dlb_count_subtract() returns the new value, and orders all memory accesses before it. dlb_count_enter() adds, returns the old value,
 * and orders all accesses after it. dlb_count_set() is not atomic: no other thread may use the count. All writes before
 * dlb_pointer_replace() are visible after dlb_pointer_take(). ---- */

#if defined(__GNUC__) || defined(__clang__) /* works in any C version: "_Atomic" needs C11 */
typedef uint64_t dlb_count __attribute__((aligned(8))); /* some ABIs of 32-bit processors align it to 4 */
static inline void dlb_count_start(dlb_count *count, uint64_t n)
{
    __atomic_store_n(count, n, __ATOMIC_RELAXED);
}
static inline void dlb_count_set(dlb_count *count, uint64_t n)
{
    __atomic_store_n(count, n, __ATOMIC_RELAXED);
}
static inline uint64_t dlb_count_read(const dlb_count *count)
{
    return __atomic_load_n(count, __ATOMIC_ACQUIRE);
}
static inline void dlb_count_add(dlb_count *count, uint64_t n)
{
    if (DLB_ONE_THREAD) {
        dlb_count_set(count, dlb_count_read(count) + n);
    } else {
        (void)__atomic_fetch_add(count, n, __ATOMIC_RELAXED);
    }
}
static inline uint64_t dlb_count_enter(dlb_count *count, uint64_t n)
{
    if (DLB_ONE_THREAD) {
        const uint64_t before = dlb_count_read(count);

        dlb_count_set(count, before + n);
        return before;
    }
    return __atomic_fetch_add(count, n, __ATOMIC_ACQUIRE);
}
static inline uint64_t dlb_count_subtract(dlb_count *count, uint64_t n)
{
    if (DLB_ONE_THREAD) {
        const uint64_t after = dlb_count_read(count) - n;

        dlb_count_set(count, after);
        return after;
    }
    return __atomic_sub_fetch(count, n, __ATOMIC_ACQ_REL);
}
/* Stores `desired` if the count equals `*seen`, and returns true. Else stores the count in `*seen`. May fail spuriously. */
static inline bool dlb_count_replace(dlb_count *count, uint64_t *seen, uint64_t desired)
{
    return __atomic_compare_exchange_n(count, seen, desired, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}
typedef void *dlb_pointer;
static inline void dlb_pointer_start(dlb_pointer *pointer)
{
    *pointer = NULL;
}
/* Stores `desired` if the pointer equals `*seen`, and returns true. Else stores the pointer in `*seen`. May fail spuriously. */
static inline bool dlb_pointer_replace(dlb_pointer *pointer, void **seen, void *desired)
{
    return __atomic_compare_exchange_n(pointer, seen, desired, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}
/* Returns the pointer, and sets it to NULL. */
static inline void *dlb_pointer_take(dlb_pointer *pointer)
{
    return __atomic_exchange_n(pointer, (void *)0, __ATOMIC_ACQUIRE);
}
#elif defined(_MSC_VER)
#if !defined(_WIN64)
#error "32-bit Windows needs clang or gcc"
#endif
#include <intrin.h>
typedef volatile __int64 dlb_count;
static inline void dlb_count_start(dlb_count *count, uint64_t n)
{
    *count = (__int64)n;
}
static inline void dlb_count_set(dlb_count *count, uint64_t n)
{
    *count = (__int64)n;
}
static inline uint64_t dlb_count_read(const dlb_count *count)
{
#if defined(_M_ARM64)
    return __ldar64((volatile unsigned __int64 *)(uintptr_t)count);
#else
    return (uint64_t)*count; /* x64 orders all reads */
#endif
}
static inline void dlb_count_add(dlb_count *count, uint64_t n)
{
    (void)_InterlockedExchangeAdd64(count, (__int64)n);
}
static inline uint64_t dlb_count_enter(dlb_count *count, uint64_t n)
{
    return (uint64_t)_InterlockedExchangeAdd64(count, (__int64)n);
}
static inline uint64_t dlb_count_subtract(dlb_count *count, uint64_t n)
{
    return (uint64_t)_InterlockedExchangeAdd64(count, -(__int64)n) - n;
}
static inline bool dlb_count_replace(dlb_count *count, uint64_t *seen, uint64_t desired)
{
    const uint64_t before = (uint64_t)_InterlockedCompareExchange64(count, (__int64)desired, (__int64)*seen);
    const bool done = before == *seen;

    *seen = before;
    return done;
}
typedef void *volatile dlb_pointer;
static inline void dlb_pointer_start(dlb_pointer *pointer)
{
    *pointer = NULL;
}
static inline bool dlb_pointer_replace(dlb_pointer *pointer, void **seen, void *desired)
{
    void *const before = _InterlockedCompareExchangePointer(pointer, desired, *seen);
    const bool done = before == *seen;

    *seen = before;
    return done;
}
static inline void *dlb_pointer_take(dlb_pointer *pointer)
{
    return _InterlockedExchangePointer(pointer, NULL);
}
#else
#include <stdatomic.h>
typedef _Atomic uint64_t dlb_count;
static inline void dlb_count_start(dlb_count *count, uint64_t n)
{
    atomic_init(count, n);
}
static inline void dlb_count_set(dlb_count *count, uint64_t n)
{
    atomic_store_explicit(count, n, memory_order_relaxed);
}
static inline uint64_t dlb_count_read(const dlb_count *count)
{
    return atomic_load_explicit((dlb_count *)(uintptr_t)count, memory_order_acquire);
}
static inline void dlb_count_add(dlb_count *count, uint64_t n)
{
    (void)atomic_fetch_add_explicit(count, n, memory_order_relaxed);
}
static inline uint64_t dlb_count_enter(dlb_count *count, uint64_t n)
{
    return atomic_fetch_add_explicit(count, n, memory_order_acquire);
}
static inline uint64_t dlb_count_subtract(dlb_count *count, uint64_t n)
{
    return atomic_fetch_sub_explicit(count, n, memory_order_acq_rel) - n;
}
static inline bool dlb_count_replace(dlb_count *count, uint64_t *seen, uint64_t desired)
{
    return atomic_compare_exchange_weak_explicit(count, seen, desired, memory_order_acquire, memory_order_relaxed);
}
typedef _Atomic(void *) dlb_pointer;
static inline void dlb_pointer_start(dlb_pointer *pointer)
{
    atomic_init(pointer, NULL);
}
static inline bool dlb_pointer_replace(dlb_pointer *pointer, void **seen, void *desired)
{
    return atomic_compare_exchange_weak_explicit(pointer, seen, desired, memory_order_release, memory_order_relaxed);
}
static inline void *dlb_pointer_take(dlb_pointer *pointer)
{
    return atomic_exchange_explicit(pointer, NULL, memory_order_acquire);
}
#endif

/* ---- Memory on a free list: AddressSanitizer reports accesses until it is used again ---- */

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DLB_WATCHED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define DLB_WATCHED
#endif
#if defined(DLB_WATCHED)
#include <sanitizer/asan_interface.h>
#define DLB_HIDE(memory, size) ASAN_POISON_MEMORY_REGION((memory), (size))
#define DLB_UNHIDE(memory, size) ASAN_UNPOISON_MEMORY_REGION((memory), (size))
#else
#define DLB_HIDE(memory, size) ((void)0)
#define DLB_UNHIDE(memory, size) ((void)0)
#endif

/* ---- A lock that needs no thread library; waiting threads yield ---- */

#if defined(_WIN32)
__declspec(dllimport) int __stdcall SwitchToThread(void);
static inline void dlb_wait(void)
{
    (void)SwitchToThread();
}
#else
#include <sched.h>
static inline void dlb_wait(void)
{
    (void)sched_yield();
}
#endif

/* Locks: 0 means unlocked, 1 locked. */
static inline void dlb_lock(dlb_count *lock)
{
    uint64_t open = 0;

    while (!dlb_count_replace(lock, &open, 1)) {
        open = 0;
        dlb_wait();
    }
}
static inline void dlb_unlock(dlb_count *lock)
{
    (void)dlb_count_subtract(lock, 1);
}

/* ---- Hooks of a checked build, which compares the library with its spec ---- */

#if defined(DLB_CHECKED)
#define DLB_CHECKED_HEADER_ "checked/checked.h" /* a macro, so that a copy of the runtime does not contain it */
#include DLB_CHECKED_HEADER_
#define DLB_CHECK(...) __VA_ARGS__
#else
#define DLB_CHECK(...) ((void)0)
#endif

/* ---- Thread-local variables ---- */

#if defined(__GNUC__)
#define DLB_THREAD_LOCAL __thread
#elif defined(_MSC_VER)
#define DLB_THREAD_LOCAL __declspec(thread)
#else
#define DLB_THREAD_LOCAL _Thread_local
#endif

/* ---- Checked arithmetic: returns whether it overflowed; the result is then undefined ---- */

#if defined(__GNUC__) && !defined(DLB_PORTABLE_ARITHMETIC)
static inline bool dlb_add_overflows(int64_t a, int64_t b, int64_t *sum)
{
    return __builtin_add_overflow(a, b, sum);
}
static inline bool dlb_multiply_overflows(int64_t a, int64_t b, int64_t *product)
{
    return __builtin_mul_overflow(a, b, product);
}
#else
static inline bool dlb_add_overflows(int64_t a, int64_t b, int64_t *sum)
{
    if (b >= 0 ? a > INT64_MAX - b : a < INT64_MIN - b) {
        return true;
    }
    *sum = a + b;
    return false;
}
static inline bool dlb_multiply_overflows(int64_t a, int64_t b, int64_t *product)
{
    if (a == 0 || b == 0) {
        *product = 0;
        return false;
    }
    if (a > 0) {
        if (b > 0 ? a > INT64_MAX / b : b < INT64_MIN / a) {
            return true;
        }
    } else if (b > 0 ? a < INT64_MIN / b : b < INT64_MAX / a) {
        return true;
    }
    *product = a * b;
    return false;
}
#endif

/* Returns how often a positive number can be halved without a remainder. */
#if defined(__GNUC__) && !defined(DLB_PORTABLE_ARITHMETIC)
static inline int dlb_halvings(int64_t value)
{
    return __builtin_ctzll((unsigned long long)value);
}
#else
static inline int dlb_halvings(int64_t value)
{
    int count = 0;

    while ((value >> count & 1) == 0) {
        count++;
    }
    return count;
}
#endif

#endif
