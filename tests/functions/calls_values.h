/* SPDX-License-Identifier: MIT */
/* A library of numbers and texts: what goes in comes out. */
#ifndef CALLS_VALUES_H_
#define CALLS_VALUES_H_

#include <complex.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int16_t calls_index;
typedef float calls_ratio;

enum calls_color { CALLS_RED = 1, CALLS_GREEN = 2, CALLS_BLUE = 300, CALLS_UNKNOWN = -1 };
typedef enum { CALLS_LOW, CALLS_HIGH = 7 } calls_level;
enum { CALLS_ECHO = 1, CALLS_REVERB = 2 };
typedef enum {
    NOTE_C, NOTE_CIS, NOTE_D, NOTE_DIS, NOTE_E, NOTE_F, NOTE_FIS, NOTE_G, NOTE_GIS, NOTE_A, NOTE_B, NOTE_H,
    HIGH_C, HIGH_CIS, HIGH_D, HIGH_DIS, HIGH_E, HIGH_F, HIGH_FIS, HIGH_G, HIGH_GIS, HIGH_A
} calls_note;
typedef enum { CALLS_NONE, CALLS_READ, CALLS_WRITE = 4 } calls_access;

#define CALLS_VERSION "1.2 \xc3\xa9"
#define CALLS_ALL UINT64_MAX
#define CALLS_LEAST INT64_MIN

#define CALLS_TYPES(X)                                                                                                 \
    X(char, char)                                                                                                      \
    X(signed char, schar)                                                                                              \
    X(unsigned char, uchar)                                                                                            \
    X(short, short)                                                                                                    \
    X(unsigned short, ushort)                                                                                          \
    X(int, int)                                                                                                        \
    X(unsigned, uint)                                                                                                  \
    X(long, long)                                                                                                      \
    X(unsigned long, ulong)                                                                                            \
    X(long long, llong)                                                                                                \
    X(unsigned long long, ullong)                                                                                      \
    X(int8_t, int8)                                                                                                    \
    X(uint8_t, uint8)                                                                                                  \
    X(int16_t, int16)                                                                                                  \
    X(uint16_t, uint16)                                                                                                \
    X(int32_t, int32)                                                                                                  \
    X(uint32_t, uint32)                                                                                                \
    X(int64_t, int64)                                                                                                  \
    X(uint64_t, uint64)                                                                                                \
    X(size_t, size)                                                                                                    \
    X(ptrdiff_t, ptrdiff)                                                                                              \
    X(intptr_t, intptr)                                                                                                \
    X(uintptr_t, uintptr)                                                                                              \
    X(calls_index, index)                                                                                              \
    X(bool, bool)                                                                                                      \
    X(float, float)                                                                                                    \
    X(double, double)                                                                                                  \
    X(long double, ldouble)                                                                                            \
    X(calls_ratio, ratio)                                                                                              \
    X(float complex, cfloat)                                                                                           \
    X(double complex, cdouble)                                                                                         \
    X(long double complex, cldouble)                                                                                   \
    X(enum calls_color, color)                                                                                         \
    X(calls_level, level)                                                                                              \
    X(calls_access, access)                                                                                            \
    X(calls_note, note)

#define CALLS_DECLARE(type, name) type calls_echo_##name(type value);
CALLS_TYPES(CALLS_DECLARE)

/* An integer that is used as a color. */
uint8_t calls_small_color(uint8_t color);

/* ---- Signatures: the digits of the result are the arguments ---- */

int calls_nothing(void);
int calls_digits(int a, int b, int c, int d, int e, int f);
int calls_two(int a, int b);
/* Names that generated code might like too. */
int calls_names(int given, int arrays, int answer, int number, int values, int self, int args, int module);

/* ---- Texts ---- */

/* Bytes of a text; -1 for NULL. */
long calls_length(const char *text);
/* The sum of the bytes of two paths; -1 for NULL. */
long calls_paths(const char *path, const char *other);
/* The text of that number: NULL, ASCII, other characters, and one that is not UTF-8. */
const char *calls_word(int number);
/* A new text, which calls_free() ends. */
char *calls_join(const char *first, const char *second);
void calls_free(char *text);
/* New texts that have not been ended. */
int calls_texts(void);

/* ---- The module ---- */

void calls_start(void);
int calls_started(void);

#endif
