/* SPDX-License-Identifier: MIT */
/* The function of tests/runtime/sample.h: samples that an import fills live in their owner. */
#include "sample.h"

void sample_release(sample *self) { (void)self; }
