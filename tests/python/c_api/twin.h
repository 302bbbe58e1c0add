/* SPDX-License-Identifier: MIT */
#include <stdint.h>
typedef struct { %s *at; long n; } row;
typedef struct { int ink; } pen;
static inline pen *pen_new(void) { static pen one = {%s}; return &one; }
typedef struct { float low[4], high[2][4]; } sky;
static inline sky *sky_new(void) { static sky one; return &one; }
typedef enum { MODE_A = 1, MODE_B } mode;
static inline int mode_now(const pen *p) { (void)p; return %s; }
