/* Bit-fields, unions, anonymous structs, and a member that is a struct. */
#include <stdint.h>

struct box {
    unsigned width : 12, height : 12;
    unsigned is_open : 1;
    uint8_t *pixels;
};

typedef union {
    float f32[16];
    uint8_t bytes[64];
} block;

typedef struct {
    union {
        float *f;
        double *d;
        void *raw;
    } data;
    struct {
        int rows, cols;
    } size;
    int kind;
} mixed;

typedef struct {
    struct {
        int rows;
        int cols;
    };
    double cells[4][4];
} grid;

struct box *box_new(unsigned width, unsigned height);
void box_free(struct box *box);
void block_clear(block *b);
mixed *mixed_new(int kind);
void mixed_free(mixed *m);
double grid_trace(const grid *g);
