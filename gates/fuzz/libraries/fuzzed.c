/* SPDX-License-Identifier: MIT */
/* The count of living lamps. It stands in a library of its own, since two modules use it. */
#include "fuzzed.h"

static int alive;

int *lamps(void) { return &alive; }
int lamps_alive(void) { return alive; }
