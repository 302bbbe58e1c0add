/* SPDX-License-Identifier: MIT-0 */
/* The methods, attributes and slots that all classes have; dlb_py_class.c puts them into the classes. */
#ifndef DLB_PY_METHODS_H_
#define DLB_PY_METHODS_H_

#include "dlb_py_internal.h"

/* ---- Of all classes ---- */

/* close(), __enter__(), __exit__(): gives Python's share of the object back; what was exported keeps its own. */
DLB_API PyObject *dlb_py_close(PyObject *self, PyObject *unused);
DLB_API PyObject *dlb_py_enter_context(PyObject *self, PyObject *unused);
DLB_API PyObject *dlb_py_exit_context(PyObject *self, PyObject *const *args, Py_ssize_t nargs);
/* __reduce_ex__(protocol), and the class method _rebuild() that what was pickled comes back by. */
DLB_API PyObject *dlb_py_reduce_ex(PyObject *self, PyObject *protocol);
DLB_API PyObject *dlb_py_rebuild(PyObject *cls, PyObject *args);
/* <module.Name at 0x...>, of handles */
DLB_API PyObject *dlb_py_handle_repr(PyObject *self);

/* ---- Of tensors ---- */

/* __dlpack__(*, stream=None, max_version=None, dl_device=None, copy=None) (array API: __dlpack__) */
DLB_API PyObject *dlb_py_dlpack(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
/* __dlpack_device__() (array API: __dlpack_device__) */
DLB_API PyObject *dlb_py_dlpack_device(PyObject *self, PyObject *unused);
/* __array__(dtype=None, copy=None): numpy.asarray() of the buffer, or the reason why there is none. */
DLB_API PyObject *dlb_py_array(PyObject *self, PyObject *args, PyObject *kwargs);
/* to(target, /): this object as one of another library: `target` is its type, or what has its from_dlpack(). */
DLB_API PyObject *dlb_py_to(PyObject *self, PyObject *target);
DLB_API PyObject *dlb_py_repr(PyObject *self);
DLB_API int dlb_py_getbuffer(PyObject *self, Py_buffer *buffer, int flags);
DLB_API void dlb_py_releasebuffer(PyObject *self, Py_buffer *buffer);

/* shape, strides and the others, up to an entry without a name. */
DLB_API extern PyGetSetDef dlb_py_attributes[];

#endif
