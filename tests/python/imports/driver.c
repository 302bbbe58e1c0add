/* SPDX-License-Identifier: MIT */
/* Two functions of the driver of CUDA, for tests on machines without one: addresses below 4096 belong to no device. */

#include <stdint.h>

static uintptr_t asked;
static uintptr_t waited;

int cuPointerGetAttribute(void *data, int attribute, uintptr_t address)
{
    asked = address;
    if (attribute != 9 || address < 4096) {
        return 1;
    }
    *(int *)data = 3;
    return 0;
}

int cuStreamSynchronize(uintptr_t stream)
{
    waited = stream;
    return stream == 666 ? 700 : 0;
}

uintptr_t driver_asked(void)
{
    return asked;
}

uintptr_t driver_waited(void)
{
    return waited;
}
