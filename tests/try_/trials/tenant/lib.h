#pragma once
#include <stddef.h>
#include <stdint.h>
typedef struct tenant {
    float *rooms;
    size_t count;
    void (*leave)(void *user);
    void *user;
} tenant;
/* Around memory of the caller. `leave` is called when the memory is not used any more: not by tenant_free(), but by
   the call of tenant_free() after it. */
tenant *tenant_over(float *rooms, size_t count, void (*leave)(void *user), void *user);
void tenant_free(tenant *t);
int tenants_waiting(void);
