/* Points that a scanner has found: structs that are elements of arrays. */
#include <stddef.h>
#include <stdint.h>

typedef struct colour {
    uint8_t r, g, b;
} colour;

typedef struct point {
    float at[3];
    double time;
    colour seen;
} point;

double cloud_latest(const point *points, size_t count);
void cloud_shift(point *points, size_t count, double seconds);

typedef struct cloud {
    point *points;
    size_t count;
} cloud;

cloud *cloud_open(const char *path);
void cloud_close(cloud *c);
