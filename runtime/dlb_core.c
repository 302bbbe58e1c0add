/* SPDX-License-Identifier: MIT-0 */
/* The library core: the runtime without Python, which every program and module needs. */

#include "core/names.c"
#include "core/error.c"
#include "core/tensor.c"
#include "core/owner.c"
#include "core/dependencies.c"
#include "core/own.c"
#include "core/describe.c"
#include "core/export.c"
#include "core/requirements.c"
#include "core/cast.c"
#include "core/import.c"
