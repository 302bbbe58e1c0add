/* SPDX-License-Identifier: MIT-0 */
/* The few things that compilers spell differently: atomic counts, thread-local variables, checked arithmetic. */
#ifndef DLB_PLATFORM_H_
#define DLB_PLATFORM_H_

#include <stdbool.h>
#include <stdint.h>

#if defined(__GNUC__)
#define DLB_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#else
#define DLB_UNLIKELY(condition) (condition)
#endif

/* ---- An atomic 64-bit count; a subtraction returns the new value and orders all that went before ---- */

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
typedef volatile __int64 dlb_count;
static inline void dlb_count_start(dlb_count *count, uint64_t n)
{
    *count = (__int64)n;
}
static inline uint64_t dlb_count_read(const dlb_count *count)
{
    return (uint64_t)*count;
}
static inline void dlb_count_add(dlb_count *count, uint64_t n)
{
    (void)_InterlockedExchangeAdd64(count, (__int64)n);
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
#else
#include <stdatomic.h>
typedef _Atomic uint64_t dlb_count;
static inline void dlb_count_start(dlb_count *count, uint64_t n)
{
    atomic_init(count, n);
}
static inline uint64_t dlb_count_read(const dlb_count *count)
{
    return atomic_load_explicit((dlb_count *)(uintptr_t)count, memory_order_acquire);
}
static inline void dlb_count_add(dlb_count *count, uint64_t n)
{
    (void)atomic_fetch_add_explicit(count, n, memory_order_relaxed);
}
static inline uint64_t dlb_count_subtract(dlb_count *count, uint64_t n)
{
    return atomic_fetch_sub_explicit(count, n, memory_order_acq_rel) - n;
}
/* Stores `desired` if the count is `*seen`, else reads it into `*seen`. */
static inline bool dlb_count_replace(dlb_count *count, uint64_t *seen, uint64_t desired)
{
    return atomic_compare_exchange_weak_explicit(count, seen, desired, memory_order_acquire, memory_order_relaxed);
}
#endif

/* ---- A variable of each thread ---- */

#if defined(_MSC_VER) && !defined(__clang__)
#define DLB_THREAD_LOCAL __declspec(thread)
#else
#define DLB_THREAD_LOCAL _Thread_local
#endif

/* ---- Arithmetic that says whether it overflowed; then the result is not to be used ---- */

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

#endif
