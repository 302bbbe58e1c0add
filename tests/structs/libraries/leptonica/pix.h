/* Leptonica's images: rows counted in words of 32 bits, a count of references in the struct, headers that outlive data. */
#ifndef PIX_H
#define PIX_H

#include <stdint.h>

typedef uint32_t l_uint32;

typedef struct Pix {
    l_uint32 w, h;
    l_uint32 d;
    l_uint32 spp;
    l_uint32 wpl; /* words per line */
    int refcount;
    l_uint32 *data;
} PIX;

PIX *pixCreate(int width, int height, int depth);
PIX *pixCreateHeader(int width, int height, int depth); /* without data; NULL for other depths than 1, 8, 16, 32 */
PIX *pixClone(PIX *pix);
void pixDestroy(PIX **pix);
int pixSetData(PIX *pix, l_uint32 *data);
int pixSetWpl(PIX *pix, int wpl); /* at most 1000 */
l_uint32 *pixExtractData(PIX *pix);
int pixLive(void);
int pixFreed(void); /* data, with their headers */

#endif
