/* SPDX-License-Identifier: MIT */
/* A list of labels. It owns the strings that it takes over. */
#ifndef LABELS_H
#define LABELS_H
#include <stdlib.h>
#include <string.h>

typedef struct labels labels;
typedef unsigned char xmlChar;

/* The generated module and the library allocate with these functions. */
void *counted_malloc(size_t size);
void counted_free(void *memory);
#define malloc counted_malloc
#define free counted_free
int live_blocks(void);
void fail_after(int blocks); /* later calls of malloc fail after this number of blocks; -1: none fails */

labels *labels_new(void);
void labels_free(labels *l);
int labels_count(const labels *l);
const char *labels_get(const labels *l, int index);

/* These return 0, or 1 if the list is full: it has place for two labels. */
int labels_add(labels *l, char *label);           /* owns the label after a success */
int labels_consume(labels *l, char *label);       /* owns the label, also after a failure */
int labels_add_const(labels *l, const char *label);
int labels_add_xml(labels *l, xmlChar *label);
int labels_add_both(labels *l, char *first, const double *weights, int n, char *last); /* consumes `last` */
labels *labels_of(char *label); /* NULL if the label is empty */

void labels_set_title(labels *l, char *title); /* NULL removes the title */
const char *labels_title(const labels *l);
size_t labels_drop(char *label, size_t size); /* frees the label, and returns its size */
#endif
