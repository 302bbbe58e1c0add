/* SPDX-License-Identifier: MIT */
#include "calls_classes.h"

#include <stdlib.h>
#include <string.h>

/* What has ended says so: a value of it is this one. */
enum { DEAD = -99 };

static int living_stores;
static int living_points;
static int living_doors;
static int living_blocks;

/* ---- Stores: their memory is kept, so that using one too late is seen, not undefined ---- */

enum { MAX_STORES = 4096 };
static store all_stores[MAX_STORES];

static void fill(store *self, int value)
{
    free(self->label);
    *self = (store){.references = 1, .value = value, .ratio = 0.5, .letter = 's'};
    for (int i = 0; i < STORE_ITEMS; i++) {
        self->items[i].value = value + i + 1;
        self->items[i].leaf.value = 10 * self->items[i].value;
    }
}

store *store_new(int value)
{
    for (int i = 0; value >= 0 && i < MAX_STORES; i++) {
        if (all_stores[i].references == 0) {
            fill(&all_stores[i], value);
            living_stores++;
            return &all_stores[i];
        }
    }
    return NULL;
}

store *store_empty(void)
{
    return store_new(0);
}

store *store_ref(store *self)
{
    self->references++;
    return self;
}

void store_unref(store *self)
{
    if (--self->references == 0) {
        living_stores--;
        fill(self, DEAD);
        self->references = 0;
        for (int i = 0; i < STORE_ITEMS; i++) {
            self->items[i].value = self->items[i].leaf.value = DEAD;
        }
    }
}

int store_close(store *self)
{
    const int status = self->close_fails;

    store_unref(self);
    return status;
}

const char *store_error(int status)
{
    return status == 1 ? "it is stuck" : "it is refused";
}

store *store_shared(void)
{
    static store shared;

    if (shared.references == 0) {
        fill(&shared, 500);
    }
    return &shared;
}

item *store_item(store *self, int index)
{
    return index >= 0 && index < STORE_ITEMS ? &self->items[index] : NULL;
}

const item *store_peek(const store *self, int index)
{
    return index >= 0 && index < STORE_ITEMS ? &self->items[index] : NULL;
}

item *store_pick(store *one, store *other, int index)
{
    (void)one;
    return store_item(other, index);
}

bool store_find(store *self, int value, item **out)
{
    *out = NULL;
    for (int i = 0; i < STORE_ITEMS; i++) {
        if (self->items[i].value == value) {
            *out = &self->items[i];
        }
    }
    return *out != NULL;
}

leaf *item_leaf(item *self)
{
    return &self->leaf;
}

int item_value(const item *self)
{
    return self->value;
}

int leaf_value(const leaf *self)
{
    return self->value;
}

int store_value(const store *self)
{
    return self->value;
}

int store_compare(const store *self, const store *other)
{
    return self->value - (other != NULL ? other->value : 0);
}

int store_set_value(store *self, int value)
{
    self->value = value;
    return value;
}

int store_set_ratio(store *self, double ratio)
{
    if (ratio < 0.0) {
        return 2;
    }
    self->ratio = ratio;
    return 0;
}

void store_set_flag(store *self, bool flag)
{
    self->flag = flag;
}

void store_set_letter(store *self, char letter)
{
    self->letter = letter;
}

void store_set_mood(store *self, enum mood mood)
{
    self->mood = mood;
}

void store_set_label(store *self, const char *label)
{
    free(self->label);
    self->label = NULL;
    if (label != NULL) {
        self->label = malloc(strlen(label) + 1);
        strcpy(self->label, label);
    }
}

void store_set_close_fails(store *self, int status)
{
    self->close_fails = status;
}

int stores(void)
{
    return living_stores;
}

/* ---- By value ---- */

point point_make(int x, int y)
{
    living_points++;
    return (point){x, y};
}

int point_sum(point self, point other)
{
    return self.x + self.y + other.x + other.y;
}

void point_end(point self)
{
    (void)self;
    living_points--;
}

int points(void)
{
    return living_points;
}

/* ---- A pointer with a name of its own ---- */

struct door {
    char name[32];
};

door_handle door_open(const char *name)
{
    const door_handle made = name[0] == '\0' ? NULL : calloc(1, sizeof *made);

    if (made != NULL) {
        strncpy(made->name, name, sizeof made->name - 1);
        living_doors++;
    }
    return made;
}

const char *door_name(door_handle self)
{
    return self->name;
}

void door_free(door_handle self)
{
    living_doors--;
    free(self);
}

int doors(void)
{
    return living_doors;
}

/* ---- A tensor that can be closed ---- */

block *block_new(size_t count)
{
    block *const made = malloc(sizeof *made);

    if (made != NULL) {
        made->data = calloc(count + 1, sizeof(double));
        made->count = count;
        living_blocks++;
    }
    return made;
}

block *block_shared(void)
{
    static double data[2] = {1.0, 2.0};
    static block shared = {data, 2};

    return &shared;
}

double block_sum(const block *self)
{
    double sum = 0.0;

    for (size_t i = 0; i < self->count; i++) {
        sum += self->data[i];
    }
    return sum;
}

int block_close(block *self)
{
    const int status = self->count > 0 && self->data[0] < 0.0;

    block_free(self);
    return status;
}

void block_free(block *self)
{
    living_blocks--;
    free(self->data);
    free(self);
}

int blocks(void)
{
    return living_blocks;
}

grid *grid_new(int width, int height)
{
    grid *const made = block_new((size_t)width * (size_t)height);

    for (size_t i = 0; made != NULL && i < made->count; i++) {
        made->data[i] = (double)width;
    }
    return made;
}

bool grid_get(int width, grid **out)
{
    *out = width >= 0 ? grid_new(width, 1) : NULL;
    return *out != NULL;
}

grid *store_grid(store *self, int width, store *keeper)
{
    static double data[8];
    static grid row = {data, 8};

    (void)self;
    row.count = (size_t)width;
    data[0] = keeper->value;
    return &row;
}

void grid_free(grid *self, int width)
{
    if (self->count > 0 && self->data[0] != (double)width) {
        abort();
    }
    block_free(self);
}
