/* SPDX-License-Identifier: MIT */
/* A library of results: out-parameters, status codes, texts and objects that somebody must end. It counts. */
#ifndef CALLS_RESULTS_H_
#define CALLS_RESULTS_H_

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { RESULT_OK, RESULT_RANGE, RESULT_MEMORY, RESULT_SYSTEM, RESULT_OTHER, RESULT_MUTE } result_status;

/* An object that the caller owns. */
typedef struct token {
    int value;
} token;

token *token_new(int value); /* NULL where it is negative */
void token_free(token *self);

/* ---- Out-parameters ---- */

void result_divide(int dividend, int divisor, int *quotient, int *remainder);
/* `quotient` is not changed where it fails. */
result_status result_checked_divide(int dividend, int divisor, int *quotient, int *remainder);
void result_kinds(long long *integer, unsigned char *byte, bool *truth, double *real, double complex *both,
                  char *letter, const char **text, result_status *status);
void result_three(float values[3], uint16_t one[1]);
#define RESULT_ROOM 20
void result_many(int values[RESULT_ROOM], bool truths[2 + 1], short more[17]); /* 0, 1, ...; true, false, ... */
bool result_token(int value, token **out);
token *result_pair(int first, int second, token **out);
/* The values of two new tokens. */
result_status result_tokens(int first, int second, token **a, token **b);
/* Names that generated code might like too. */
int result_names(int answer, int *values, int *items_of_values, int *number);
const char *result_name(result_status status); /* NULL for an unknown one */

/* ---- Failures ---- */

result_status result_fail(result_status status);
long result_fail_negative(long number);
result_status result_fail_errno(result_status status, int number, const char *path);
int result_signed(int value);
const char *result_message(result_status status);
const char *result_broken_message(void); /* which is not UTF-8 */

/* ---- Counts: since the last call of them ---- */

void result_undo(int value);
void result_finish(int value);
/* 10000 * undone + 100 * finished + calls; and how many tokens live. */
int result_counts(int *tokens);
/* Counts this call; fails as `status` says. */
result_status result_counted(result_status status, int *out);
/* A new text, or NULL. */
char *result_text(int value);
/* So many new bytes, 0, 1, 2 and so on; NULL for 0. */
unsigned char *result_bytes(int count);
/* The same, in a variable; `*size` is -1 for 7, and for 9 it fails. */
int result_bytes_to(int count, void **to, long *size);
int result_spell(int number, char *text, size_t size); /* fills all of it where it must, without a NUL */
const char *result_letters(void); /* of the library: a, b, c */
const unsigned char *result_prefixed(int count); /* of the library: how many there are, and so many; NULL for none */
void result_broken_texts(char first[4], const char **second, result_status *status); /* no UTF-8 */
void result_text_free(char *text);

#endif
