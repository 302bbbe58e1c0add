#include "lib.h"
#include <stdlib.h>
quilt *quilt_sew(int rows, int columns)
{
    if (rows < 1 || columns < 1 || rows > 1000 || columns > 1000) return NULL;
    quilt *q = malloc(sizeof *q);
    q->rows = rows;
    q->columns = columns;
    q->skip = (columns * 2 + 7) / 8 * 8;
    q->patches = calloc((size_t)rows, (size_t)q->skip);
    for (int r = 0; r < rows; r++) {
        int16_t *row = (int16_t *)((char *)q->patches + (ptrdiff_t)r * q->skip);
        for (int c = 0; c < columns; c++) row[c] = (int16_t)((r + c) % 2);
    }
    return q;
}
void quilt_unpick(quilt *q)
{
    free(q->patches);
    free(q);
}
