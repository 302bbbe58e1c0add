/* SPDX-License-Identifier: MIT-0 */
/* Methods, attributes and slots that all classes have; dlb_py_class.c adds them to the classes. */
#ifndef DLB_PY_METHODS_H_
#define DLB_PY_METHODS_H_

#include "dlb_py_internal.h"

/* ---- Of all classes ---- */

/* Implement close(), __enter__() and __exit__(): they drop Python's share of the object. Exports keep their shares. */
DLB_API PyObject *dlb_py_close(PyObject *self, PyObject *unused);
DLB_API PyObject *dlb_py_enter_context(PyObject *self, PyObject *unused);
DLB_API PyObject *dlb_py_exit_context(PyObject *self, PyObject *const *args, Py_ssize_t nargs);
/* Implement __reduce_ex__(protocol), and the class method _rebuild(), which unpickles objects. */
DLB_API PyObject *dlb_py_reduce_ex(PyObject *self, PyObject *protocol);
DLB_API PyObject *dlb_py_rebuild(PyObject *cls, PyObject *args);
/* Implements repr() of handles: <module.Name at 0x...>. */
DLB_API PyObject *dlb_py_handle_repr(PyObject *self);

/* ---- Of tensors ---- */

/* Implements __dlpack__(*, stream=None, max_version=None, dl_device=None, copy=None) (array API: __dlpack__). */
DLB_API PyObject *dlb_py_dlpack(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
/* Implements __dlpack_device__() (array API: __dlpack_device__). */
DLB_API PyObject *dlb_py_dlpack_device(PyObject *self, PyObject *unused);
/* Implements __array__(dtype=None, copy=None): numpy.asarray() of the buffer, or an exception that tells why there is none. */
DLB_API PyObject *dlb_py_array(PyObject *self, PyObject *args, PyObject *kwargs);
/* Implements to(target, /): converts to an object of another library. `target` is a type of that library, or an object that has its
 * from_dlpack(). */
DLB_API PyObject *dlb_py_to(PyObject *self, PyObject *target);
/* Implements repr() of tensors. */
DLB_API PyObject *dlb_py_repr(PyObject *self);
/* Implement the buffer protocol (Python: bf_getbuffer, bf_releasebuffer). */
DLB_API int dlb_py_getbuffer(PyObject *self, Py_buffer *buffer, int flags);
DLB_API void dlb_py_releasebuffer(PyObject *self, Py_buffer *buffer);

/* The properties shape, strides and so on, terminated by an entry without a name. */
DLB_API extern PyGetSetDef dlb_py_attributes[];

#endif
