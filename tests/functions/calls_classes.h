/* SPDX-License-Identifier: MIT */
/* A library of objects: a store has items, each of which has a leaf; all three are counted, and die loudly. */
#ifndef CALLS_CLASSES_H_
#define CALLS_CLASSES_H_

#include <stdbool.h>
#include <stddef.h>

enum { STORE_ITEMS = 3 };
enum mood { MOOD_CALM, MOOD_ANGRY };

typedef struct leaf {
    int value;
} leaf;

typedef struct item {
    int value;
    leaf leaf;
} item;

typedef struct store {
    int references;
    int value;
    double ratio;
    bool flag;
    char letter;
    enum mood mood;
    char *label;
    item items[STORE_ITEMS];
    int close_fails;
} store;

/* NULL where `value` is negative. The items have the values `value + 1` and so on; the leaves, ten times as much. */
store *store_new(int value);
store *store_empty(void);
store *store_ref(store *self);
void store_unref(store *self);
/* Ends it like store_unref(), whether it fails or not. */
int store_close(store *self);
const char *store_error(int status);
/* Lives for good. */
store *store_shared(void);
/* NULL out of range. */
item *store_item(store *self, int index);
const item *store_peek(const store *self, int index);
item *store_pick(store *one, store *other, int index);
bool store_find(store *self, int value, item **out);
leaf *item_leaf(item *self);
int item_value(const item *self);
int leaf_value(const leaf *self);
int store_value(const store *self);
int store_compare(const store *self, const store *other); /* `other` may be NULL */
int store_set_value(store *self, int value);
int store_set_ratio(store *self, double ratio); /* fails where it is negative */
void store_set_flag(store *self, bool flag);
void store_set_letter(store *self, char letter);
void store_set_mood(store *self, enum mood mood);
void store_set_label(store *self, const char *label);
void store_set_close_fails(store *self, int status);
/* Stores that live, without the shared one. */
int stores(void);

/* ---- By value ---- */

typedef struct point {
    int x;
    int y;
} point;

point point_make(int x, int y);
int point_sum(point self, point other);
void point_end(point self);
int points(void);

/* ---- A pointer with a name of its own ---- */

typedef struct door *door_handle;

door_handle door_open(const char *name); /* NULL for an empty one */
const char *door_name(door_handle self);
void door_free(door_handle self);
int doors(void);

/* ---- A tensor that can be closed ---- */

typedef struct block {
    double *data;
    size_t count;
} block;

block *block_new(size_t count);
/* Lives for good. */
block *block_shared(void);
double block_sum(const block *self);
int block_close(block *self);
void block_free(block *self);
int blocks(void);

/* ---- The same memory, whose shape only the caller knows ---- */

typedef block grid;

grid *grid_new(int width, int height);
bool grid_get(int width, grid **out); /* of height 1; NULL, and false, where `width` is negative */
grid *store_grid(store *self, int width, store *keeper); /* of height 1; it belongs to the `keeper` */
void grid_free(grid *self, int width); /* fails loudly unless that is the width */

#endif
