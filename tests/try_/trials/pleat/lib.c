#include "lib.h"
void pleat_fold(float *cloth, size_t n)
{
    for (size_t i = 0; i < n; i += 2) {
        float left = cloth[i], right = cloth[i + 1];
        cloth[i] = (left + right) / 2;
        cloth[i + 1] = (left - right) / 2;
    }
}
float pleat_widest(const float *cloth, size_t n)
{
    float widest = 0;
    for (size_t i = 0; i < n; i++) {
        float width = cloth[i] < 0 ? -cloth[i] : cloth[i];
        if (width > widest) widest = width;
    }
    return widest;
}
