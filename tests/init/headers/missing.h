#include "missing_config.h"

struct thing {
    float *data;
    int n;
};
