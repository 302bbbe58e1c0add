/* SPDX-License-Identifier: MIT */
#pragma once
typedef float data;
typedef struct tensor { data *pixels; int height, width, pitch, kind; } tensor;
typedef struct self { int x; } self;
typedef int view, shape, axis, strides, dtype, device, ndim, code, itemsize, nbytes, readonly, object, error, source;
typedef int box, params, owner, out, value, result, args, nargs, kwnames, given, sorted, arrays, module, cls, answer;
typedef int state, plane, whole, imported, capsule, api;
tensor *tensor_new(shape height, shape width);
void tensor_free(tensor *);
int tensor_sum(const tensor *t, data scale, axis a);
int tensor_get(const tensor *tensor, axis axis);
double sum_all(const data *x, int n);
self *self_new(void);
void self_free(self *);
view self_view(const self *self);
