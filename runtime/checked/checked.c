/* SPDX-License-Identifier: MIT-0 */
/* The checked build: compares what the library does with what its spec says. Compile this file with memory_map.c and one of the files
 * memory_asan.c, memory_pages.c and memory_memcheck.c to a shared library, which all checked modules of a process share. It needs the
 * headers of Python, and calls none of its functions. The files in parts/ are parts of this one. */

#include "parts/layer.h"

#include "parts/events.c"
#include "parts/elements.c"
#include "parts/leaks.c"
#include "parts/calls.c"
#include "parts/shadows.c"
#include "parts/outputs.c"
#include "parts/arguments.c"
#include "parts/owners.c"
#include "parts/exports.c"
#include "parts/releases.c"
