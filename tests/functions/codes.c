#include "codes.h"

struct codes_info {
    int size;
};

static const struct codes_info of_bytes = {1}, of_floats = {4};
const codes_type codes_byte = &of_bytes, codes_float = &of_floats;

static double get(long type, const void *values, size_t i)
{
    switch (type) {
    case CODES_BYTE:
        return ((const uint8_t *)values)[i];
    case CODES_FLOAT:
        return (double)((const float *)values)[i];
    case CODES_LONG:
        return (double)((const long *)values)[i];
    default:
        return ((const double *)values)[i];
    }
}

double codes_sum(int type, const void *values, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += get(type, values, i);
    }
    return sum;
}

int codes_fill(void *values, size_t count, long type, double value)
{
    for (size_t i = 0; i < count; i++) {
        if (type == CODES_FLOAT) {
            ((float *)values)[i] = (float)value;
        } else {
            ((double *)values)[i] = value;
        }
    }
    return (int)type;
}

int codes_size(codes_type type, const void *values)
{
    return values != NULL ? type->size : 0;
}

double codes_first(const DLTensor *values, signed char type)
{
    return get(type, (const char *)values->data + values->byte_offset, 0);
}
