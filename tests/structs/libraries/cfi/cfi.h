/* In the style of ISO_Fortran_binding.h: descriptors with extents and byte strides per axis, first axis fastest. */
#ifndef CFI_H
#define CFI_H

#include <stddef.h>
#include <stdint.h>

typedef ptrdiff_t CFI_index_t;
typedef signed char CFI_rank_t;
typedef signed char CFI_attribute_t;
typedef short CFI_type_t;

#define CFI_VERSION 1
#define CFI_MAX_RANK 15
#define CFI_attribute_other 2
#define CFI_type_Integer 1
#define CFI_type_Real 3
#define CFI_type_Complex 4
#define CFI_type_int32_t (CFI_type_Integer + (4 << 8))
#define CFI_type_float (CFI_type_Real + (4 << 8))
#define CFI_type_double (CFI_type_Real + (8 << 8))
#define CFI_type_double_Complex (CFI_type_Complex + (8 << 8))

typedef struct {
    CFI_index_t lower_bound, extent, sm;
} CFI_dim_t;

typedef struct CFI_cdesc_t {
    void *base_addr;
    size_t elem_len;
    int version;
    CFI_rank_t rank;
    CFI_attribute_t attribute;
    CFI_type_t type;
    CFI_dim_t dim[];
} CFI_cdesc_t;

/* A descriptor with room for all ranks. */
typedef struct cfi_room {
    void *base_addr;
    size_t elem_len;
    int version;
    CFI_rank_t rank;
    CFI_attribute_t attribute;
    CFI_type_t type;
    CFI_dim_t dim[CFI_MAX_RANK];
} cfi_room;

CFI_cdesc_t *cfi_establish(void *base, CFI_type_t type, CFI_rank_t rank, const int64_t *extents, const int64_t *sm);
double cfi_element(const CFI_cdesc_t *descriptor, int i, int j); /* of doubles */
int cfi_live(void);
void cfi_deallocate(CFI_cdesc_t *descriptor);

#endif
