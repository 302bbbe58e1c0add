/* SPDX-License-Identifier: MIT */
/* One type by several names: tensors that share a C type have no one-step export of what moves in. */
#ifndef ALIASES_H_
#define ALIASES_H_

#include "grid.h"

typedef grid moved_grid;
typedef grid copied_grid;
typedef grid part_grid;

#endif
