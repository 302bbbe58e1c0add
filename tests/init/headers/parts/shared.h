#include <stddef.h>

typedef double sev_real;
typedef enum { SEV_MODE_FAST = 1, SEV_MODE_EXACT = 2 } sev_mode;
