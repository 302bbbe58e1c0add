/* SPDX-License-Identifier: MIT */
#include <fftw3.h>
