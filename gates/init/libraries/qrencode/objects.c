/* SPDX-License-Identifier: MIT */
#include <qrencode.h>
#include <stddef.h>

QRcode *new_symbol(void)
{
    QRcode *q = QRcode_encodeStringMQR("123", 1, QR_ECLEVEL_L, QR_MODE_8, 1);
    for (int y = 0; q != NULL && y < q->width; y++)
        for (int x = 0; x < q->width; x++)
            q->data[y * q->width + x] = (unsigned char)(20 * y + x);
    return q;
}

const void *first_symbol(QRcode *q) { return q->data; }
double at_symbol(QRcode *q, const size_t *at) { return q->data[at[0] * (size_t)q->width + at[1]]; }
