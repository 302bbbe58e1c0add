/* SPDX-License-Identifier: MIT */
#include "calls_results.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int undone;
static int finished;
static int called;
static int living;

token *token_new(int value)
{
    token *const made = value < 0 ? NULL : malloc(sizeof *made);

    if (made != NULL) {
        made->value = value;
        living++;
    }
    return made;
}

void token_free(token *self)
{
    living--;
    free(self);
}

void result_divide(int dividend, int divisor, int *quotient, int *remainder)
{
    *quotient = dividend / divisor;
    *remainder = dividend % divisor;
}

result_status result_checked_divide(int dividend, int divisor, int *quotient, int *remainder)
{
    if (divisor == 0) {
        return RESULT_RANGE;
    }
    result_divide(dividend, divisor, quotient, remainder);
    return RESULT_OK;
}

void result_kinds(long long *integer, unsigned char *byte, bool *truth, double *real, double complex *both,
                  char *letter, const char **text, result_status *status)
{
    *integer = -7;
    *byte = 255;
    *truth = true;
    *real = 0.5;
    *both = 1.0 + 2.0 * I;
    *letter = 'z';
    *text = "text";
    *status = RESULT_RANGE;
}

void result_three(float values[3], uint16_t one[1])
{
    for (int i = 0; i < 3; i++) {
        values[i] = (float)i + 0.5F;
    }
    one[0] = 65535;
}

void result_many(int values[RESULT_ROOM], bool truths[2 + 1], short more[17])
{
    for (int i = 0; i < RESULT_ROOM; i++) {
        values[i] = i;
    }
    for (int i = 0; i < 3; i++) {
        truths[i] = i % 2 == 0;
    }
    for (int i = 0; i < 17; i++) {
        more[i] = (short)-i;
    }
}

bool result_token(int value, token **out)
{
    *out = token_new(value);
    return *out != NULL;
}

token *result_pair(int first, int second, token **out)
{
    *out = token_new(second);
    return token_new(first);
}

result_status result_tokens(int first, int second, token **a, token **b)
{
    *a = token_new(first);
    *b = token_new(second);
    return *a != NULL && *b != NULL ? RESULT_OK : RESULT_RANGE;
}

int result_names(int answer, int *values, int *items_of_values, int *number)
{
    *values = answer + 1;
    *items_of_values = answer + 2;
    *number = answer + 3;
    return answer;
}

const char *result_name(result_status status)
{
    static const char *const names[] = {"ok", "range", "memory"};

    return (size_t)status < sizeof names / sizeof *names ? names[status] : NULL;
}

result_status result_fail(result_status status)
{
    return status;
}

long result_fail_negative(long number)
{
    errno = ENOENT;
    return -number;
}

result_status result_fail_errno(result_status status, int number, const char *path)
{
    (void)path;
    errno = number;
    return status;
}

int result_signed(int value)
{
    return value;
}

const char *result_message(result_status status)
{
    errno = 0; /* as a function may that makes a message */
    return status == RESULT_MUTE ? NULL : status == RESULT_RANGE ? "out of range" : "100% wrong";
}

const char *result_broken_message(void)
{
    return "caf\xe9";
}

void result_undo(int value)
{
    undone += value;
}

void result_finish(int value)
{
    finished += value;
}

int result_counts(int *tokens)
{
    const int counts = 10000 * undone + 100 * finished + called;

    undone = finished = called = 0;
    *tokens = living;
    return counts;
}

result_status result_counted(result_status status, int *out)
{
    called++;
    *out = 5;
    return status;
}

char *result_text(int value)
{
    char *const text = value < 0 ? NULL : malloc(16);

    called++;
    if (text != NULL) {
        living++;
        (void)snprintf(text, 16, value == 0 ? "\xff" : "%d", value);
    }
    return text;
}

unsigned char *result_bytes(int count)
{
    unsigned char *const bytes = count > 0 ? malloc((size_t)count) : NULL;

    called++;
    living += bytes != NULL;
    for (int i = 0; bytes != NULL && i < count; i++) {
        bytes[i] = (unsigned char)i;
    }
    return bytes;
}

int result_bytes_to(int count, void **to, long *size)
{
    *to = result_bytes(count);
    *size = count == 7 ? -1 : count;
    return count == 9 ? -1 : 0;
}

int result_spell(int number, char *text, size_t size)
{
    char all[16];
    const int length = snprintf(all, sizeof all, "%d", number);

    memcpy(text, all, (size_t)length < size ? (size_t)length : size);
    return number >= 0 ? length : 0;
}

const char *result_letters(void)
{
    return "abc";
}

const unsigned char *result_prefixed(int count)
{
    static const unsigned char bytes[] = {3, 5, 7};

    return count > 0 ? bytes : NULL;
}

void result_broken_texts(char first[4], const char **second, result_status *status)
{
    first[0] = '\xff';
    first[1] = '\0';
    *second = "\xff";
    *status = RESULT_OK;
}

void result_text_free(char *text)
{
    living -= text != NULL;
    finished++;
    free(text);
}
