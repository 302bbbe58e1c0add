#include "buffers.h"

#include <pthread.h>

static int live;

Py_buffer *buffers_get(PyObject *exporter)
{
    Py_buffer *buffer = PyMem_Malloc(sizeof *buffer);

    if (PyObject_GetBuffer(exporter, buffer, PyBUF_FULL_RO) != 0) {
        PyMem_Free(buffer);
        return NULL;
    }
    live++;
    return buffer;
}

void buffers_release(Py_buffer *buffer)
{
    if (!PyGILState_Check()) {
        Py_FatalError("a buffer is given back without the GIL");
    }
    PyBuffer_Release(buffer);
    PyMem_Free(buffer);
    live--;
}

void buffers_forget_strides(Py_buffer *buffer)
{
    buffer->strides = NULL;
}

int buffers_live(void)
{
    return live;
}

struct call {
    void (*function)(void *);
    void *argument;
};

static void *run(void *call)
{
    const struct call *c = call;

    c->function(c->argument);
    return NULL;
}

void buffers_elsewhere(void (*function)(void *), void *argument)
{
    struct call call = {function, argument};
    pthread_t thread;

    if (pthread_create(&thread, NULL, run, &call) == 0) {
        pthread_join(thread, NULL);
    }
}
