/* SPDX-License-Identifier: MIT */
/* A library whose parameters have names that mean something else where they are no parameters. */
#ifndef CALLS_NAMES_H_
#define CALLS_NAMES_H_

#include <stddef.h>
#include <stdint.h>

typedef struct node {
    int value;
    struct node *after;
} node;

typedef int status;
typedef struct point {
    int x;
} point;

/* A chain of two. */
node *node_new(int value);
void node_free(node *node);
node *node_next(node *node);
const char *node_error(int status);
/* How many nodes live; -1 if `node_error` is not 0. */
int node_count(const node *node, int node_error);
/* Adds `status` to the value of the second node; without one, that is what is returned, else 0. */
status node_add(node *node, status status);
int scale(node *n, int scale);
int result(int x);
int ask(int a, int b, int *c, int d);
int wait_for(int _save);
double total(const double *values, int32_t n, int32_t m);
void fill(void *x, size_t bytes, unsigned char value);
point point_moved(point point, int x);

/* The nodes that live, and what is added to them. */
extern int nodes;
void forget(int counted);

#endif
