/* A library that reads and writes files of its callers. */
#ifndef STREAMS_H
#define STREAMS_H

#include <stdio.h>

/* Write `text`; return the number of bytes, or -1 with errno. The second function does not check. */
int streams_write(FILE *to, const char *text);
void streams_write_unchecked(FILE *restrict to, const char *text);
/* Writes the text, and returns -1, with or without an error number. */
int streams_write_and_fail(const char *text, FILE *to, int number);
/* Write the values and the text; returns 0. */
int streams_write_values(FILE *to, const double *values, int n, const char *text);
/* Read up to 99 bytes of one line, without its end. The string is valid until the next call. */
const char *streams_line(FILE *source);
/* Returns the position, or -1. */
long streams_position(FILE *file);
/* Copies a line, and returns its length. */
int streams_copy(FILE *source, FILE *to);
/* Returns 1 for a file, 0 for NULL. */
int streams_is_open(FILE *file);
/* Writes the value to `first` and the rest of the arguments. */
int streams_mark(FILE *file_file, FILE *answer, FILE *given);
/* Replaces the first byte by `letter`, and returns the old one. */
int streams_replace(FILE *file, char letter);

/* Returns 1 if programs that the process starts inherit the file. */
int streams_is_inherited(FILE *file);

typedef struct journal journal;
journal *journal_new(FILE *to, const char *title); /* writes the title; NULL without one */
void journal_free(journal *j);
int journal_append(journal *j, FILE *to);
journal *journal_shared(void); /* of the library */
void journal_weigh(journal *j, const double *weights, int n, FILE *to); /* stores the address, and writes the number */
int live_journals(void);

#endif
