#include "cfi.h"

#include <stdlib.h>

static int live;

CFI_cdesc_t *cfi_establish(void *base, CFI_type_t type, CFI_rank_t rank, const int64_t *extents, const int64_t *sm)
{
    CFI_cdesc_t *descriptor = calloc(1, sizeof(cfi_room));

    descriptor->base_addr = base;
    descriptor->elem_len = (size_t)(type >> 8) * ((type & 255) == CFI_type_Complex ? 2 : 1);
    descriptor->version = CFI_VERSION;
    descriptor->type = type;
    descriptor->rank = rank;
    for (int i = 0; i < rank; i++) {
        descriptor->dim[i] = (CFI_dim_t){1, extents[i], sm[i]};
    }
    live++;
    return descriptor;
}

double cfi_element(const CFI_cdesc_t *descriptor, int i, int j)
{
    const char *base = descriptor->base_addr;

    return *(const double *)(const void *)(base + i * descriptor->dim[0].sm + j * descriptor->dim[1].sm);
}

int cfi_live(void)
{
    return live;
}

void cfi_deallocate(CFI_cdesc_t *descriptor)
{
    free(descriptor);
    live--;
}
