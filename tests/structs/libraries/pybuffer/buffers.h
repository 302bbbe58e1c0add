/* CPython's own Py_buffer; only code that holds the GIL may give one back. */
#ifndef BUFFERS_H
#define BUFFERS_H

#include <Python.h>

Py_buffer *buffers_get(PyObject *exporter);
void buffers_release(Py_buffer *buffer);
void buffers_forget_strides(Py_buffer *buffer); /* as simple exporters do, that are compact anyway */
int buffers_live(void);

/* Calls `function(argument)` on another thread, and waits for it. */
void buffers_elsewhere(void (*function)(void *), void *argument);

#endif
