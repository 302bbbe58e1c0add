/* SPDX-License-Identifier: MIT */
#include <stdbool.h>

#include "blurs.h"

void blur_options_default(blur_options *options) { options->passes = 3; }
double blur_cost(const blur_options *options) { return options->passes * (options->sharp ? 10.0 : 1.0); }
int colour_luma(colour c) { return (c.r + c.g + c.b) / 3; }
