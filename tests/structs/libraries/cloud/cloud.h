/* Points: a literal extent in the middle of the struct, views that need no end, and a pool that can be full. */
#ifndef CLOUD_H
#define CLOUD_H

#include <stddef.h>

typedef struct {
    float (*xyz)[3];
    size_t count;
} cloud;

typedef struct {
    int used;
    void *data;
    int n;
} slot;

cloud *cloud_new(size_t count);
void cloud_free(cloud *c);
int cloud_live(void);

slot *slot_take(void *data, int n);
void slot_put(slot *s);
int slots_used(void);

#endif
