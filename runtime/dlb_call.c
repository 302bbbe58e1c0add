/* SPDX-License-Identifier: MIT-0 */
/* The library call: functions of a module. It needs object. */

#include "call/acquire.c"
#include "call/results.c"
#include "call/members.c"
#include "call/objects.c"
#include "call/factory_params.c"
#include "call/extents.c"
#include "call/files.c"
#include "call/release.c"
#include "call/outputs.c"
#include "call/libraries.c"
#include "call/foreign.c"
#include "call/arguments.c"
#include "call/overlap.c"
#include "call/references.c"
#include "call/calls.c"
#include "call/alternatives.c"
