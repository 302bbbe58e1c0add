#include "lib.h"
enum { LENGTH = 6 };
uint32_t stamp_sum(const unsigned char *code)
{
    uint32_t sum = 5381;
    for (int i = 0; i < LENGTH; i++) sum = sum * 33 + code[i];
    return sum;
}
int stamp_equal(const unsigned char *a, const unsigned char *b)
{
    unsigned different = 0;
    for (int i = 0; i < LENGTH; i++) different |= (unsigned)(a[i] ^ b[i]);
    return different == 0;
}
