/* SPDX-License-Identifier: MIT-0 */
/* Arguments that C reads and writes as a FILE *: paths, which are opened for the call, and file objects of Python. */

#include "call.h"

#include <errno.h>

#if defined(_WIN32)
#include <io.h>
#else
#include <fcntl.h>
#include <unistd.h>
#endif

/* ---- Differences between systems. Positions are in bytes; -1: there is none, or an error. ---- */

#if defined(_WIN32)

static int duplicate_descriptor(int descriptor)
{
    return _dup(descriptor);
}
static void close_descriptor(int descriptor)
{
    (void)_close(descriptor);
}
static int64_t offset_of_descriptor(int descriptor)
{
    return _lseeki64(descriptor, 0, SEEK_CUR);
}
static void move_descriptor(int descriptor, int64_t offset)
{
    (void)_lseeki64(descriptor, offset, SEEK_SET);
}
static FILE *stream_of_path(const char *path, const char *mode)
{
    return fopen(path, mode);
}
static FILE *stream_of_descriptor(int descriptor, const char *mode)
{
    return _fdopen(descriptor, mode);
}
static int64_t position_of_stream(FILE *stream)
{
    return _ftelli64(stream);
}
static int move_stream(FILE *stream, int64_t position)
{
    return _fseeki64(stream, position, SEEK_SET);
}

#else

/* Programs that another thread starts must not inherit the descriptors of a call. */
static int duplicate_descriptor(int descriptor)
{
    return fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}
static void close_descriptor(int descriptor)
{
    (void)close(descriptor);
}
static int64_t offset_of_descriptor(int descriptor)
{
    return lseek(descriptor, 0, SEEK_CUR);
}
static void move_descriptor(int descriptor, int64_t offset)
{
    (void)lseek(descriptor, (off_t)offset, SEEK_SET);
}
static FILE *stream_of_path(const char *path, const char *mode)
{
    FILE *const stream = fopen(path, mode);

    if (stream != NULL) {
        (void)fcntl(fileno(stream), F_SETFD, FD_CLOEXEC);
    }
    return stream;
}
static FILE *stream_of_descriptor(int descriptor, const char *mode)
{
    return fdopen(descriptor, mode);
}
static int64_t position_of_stream(FILE *stream)
{
    return ftello(stream);
}
static int move_stream(FILE *stream, int64_t position)
{
    return fseeko(stream, (off_t)position, SEEK_SET);
}

#endif

/* ---- Arguments ---- */

/* Returns whether the value names a file, as a path or as the descriptor that open() was given: 1 or 0, or -1 with an exception. */
static int is_filename(PyObject *value)
{
    return PyUnicode_Check(value) || PyBytes_Check(value) || PyLong_Check(value) ? 1 : dlb_py_has(value, "__fspath__");
}

PyObject *dlb_py_filename(PyObject *argument)
{
    PyObject *name;
    int descriptor;
    int is_file = 0;
    int is_known;

    if (!PyUnicode_Check(argument) && !PyBytes_Check(argument)) {
        is_file = dlb_py_has_attribute(argument, "fileno");
    }
    if (is_file == 0) {
        return Py_NewRef(argument);
    }
    name = is_file > 0 ? PyObject_GetAttrString(argument, "name") : NULL;
    is_known = name != NULL ? is_filename(name) : -1;
    if (is_known > 0) {
        return name;
    }
    dlb_py_discard(name);
    if (is_known < 0 && !dlb_py_may_try_another()) {
        return NULL;
    }
    descriptor = PyObject_AsFileDescriptor(argument);
    if (descriptor >= 0) {
        return PyLong_FromLong(descriptor);
    }
    return dlb_py_may_try_another() ? Py_NewRef(Py_None) : NULL; /* the object is closed, for example */
}

/* Raises an OSError with the error number, and with the path or the name of the file object. */
static void raise_file_error(const dlb_py_file *file, int number)
{
    PyObject *const name = dlb_py_filename(file->argument);

    if (name != NULL) {
        errno = number;
        (void)PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, name);
        Py_DECREF(name);
    }
}

/* Reads the position of a file object, which has none if it cannot be moved. Returns 0, or -1 with an exception. */
static int read_position(dlb_py_file *file)
{
    int can_move = dlb_py_has_attribute(file->argument, "tell");
    PyObject *position;

    if (can_move > 0) {
        can_move = dlb_py_has_attribute(file->argument, "seek");
    }
    if (can_move <= 0) {
        return can_move;
    }
    position = PyObject_CallMethod(file->argument, "tell", NULL);
    if (position == NULL) {
        return -1;
    }
    file->position = PyLong_AsLongLong(position);
    Py_DECREF(position);
    return file->position < 0 && PyErr_Occurred() ? -1 : 0;
}

/* Duplicates the descriptor of a file object, and flushes the buffer of the object. Returns 0, or -1 with an exception. */
static int read_file_object(dlb_py_file *file)
{
    const int descriptor = PyObject_AsFileDescriptor(file->argument);
    PyObject *flushed;
    int has_flush;

    if (descriptor < 0) {
        return -1;
    }
    file->descriptor = duplicate_descriptor(descriptor);
    if (file->descriptor < 0) {
        raise_file_error(file, errno);
        return -1;
    }
    /* A pipe, a socket or a terminal has no position. A text file must be asked before flush(): while it is iterated, it does not know
     * its position, and after flush() it returns a wrong one. */
    if (offset_of_descriptor(file->descriptor) >= 0 && read_position(file) != 0) {
        return -1;
    }
    has_flush = dlb_py_has_attribute(file->argument, "flush");
    if (has_flush < 0) {
        return -1;
    }
    if (has_flush > 0) {
        flushed = PyObject_CallMethod(file->argument, "flush", NULL);
        if (flushed == NULL) {
            return -1;
        }
        Py_DECREF(flushed);
    }
    file->offset = offset_of_descriptor(file->descriptor);
    return 0;
}

int dlb_py_read_file(const dlb_py_function *function, int index, PyObject *const *arguments, int optional, dlb_py_file *file)
{
    const dlb_param *const param = &function->params[index];
    PyObject *const value = arguments[index];
    int has = 0;

    if (value == NULL || (optional && value == Py_None)) {
        return 0;
    }
    file->argument = value;
    if (!PyUnicode_Check(value) && !PyBytes_Check(value)) {
        if (dlb_py_check_stack_of(function) != 0) {
            return dlb_py_name_argument(function->name, param->name);
        }
        has = dlb_py_has_attribute(value, "fileno");
        if (has > 0) {
            return read_file_object(file) != 0 ? dlb_py_name_argument(function->name, param->name) : 0;
        }
        if (has == 0) {
            has = dlb_py_has(value, "__fspath__");
        }
        if (has == 0) {
            return dlb_py_refuse_type(function, param, value,
                                      optional ? "a path, a file object or None" : "a path or a file object");
        }
        if (has < 0) {
            return dlb_py_name_argument(function->name, param->name);
        }
    }
    return dlb_py_read_path(function, index, arguments, 0, &file->path, &file->keeper);
}

/* ---- Streams ---- */

/* Returns the mode for a descriptor: the access of `mode` without creating, truncating or appending. */
static const char *access_of(const char *mode)
{
    const bool updates = strchr(mode, '+') != NULL;

    if (mode[0] == 'r') {
        return updates ? "r+b" : "rb";
    }
    return updates ? "w+b" : "wb";
}

/* Opens a path. This may wait: a named pipe for its other end, which another thread may have to open. Returns 0, or -1 with an exception. */
static int open_path(dlb_py_file *file, const char *mode)
{
    int number;

    do {
        Py_BEGIN_ALLOW_THREADS
        file->stream = stream_of_path(file->path, mode);
        number = errno;
        Py_END_ALLOW_THREADS
        if (file->stream == NULL && number == EINTR && PyErr_CheckSignals() != 0) {
            return -1;
        }
    } while (file->stream == NULL && number == EINTR);
    if (file->stream == NULL) {
        raise_file_error(file, number);
        return -1;
    }
    return 0;
}

int dlb_py_open_file(const dlb_py_function *function, int index, const char *mode, dlb_py_file *file, FILE **stream)
{
    if (file->argument == NULL) {
        return 0;
    }
    if (file->path != NULL) {
        if (open_path(file, mode) != 0) {
            return -1;
        }
    } else {
        const char *const access = access_of(mode);

        file->stream = stream_of_descriptor(file->descriptor, access);
        if (file->stream == NULL && errno == EINVAL) {
            (void)dlb_py_raise_message(PyExc_ValueError, "%s() argument '%s': the file is not open for %s", function->name,
                                    function->params[index].name,
                                    access[1] == '+' ? "reading and writing" : access[0] == 'r' ? "reading" : "writing");
            return -1;
        }
        if (file->stream != NULL) {
            file->descriptor = -1; /* the stream closes it */
        }
    }
    if (file->stream == NULL || (file->position >= 0 && move_stream(file->stream, file->position) != 0)) {
        raise_file_error(file, errno);
        return -1;
    }
    *stream = file->stream;
    return 0;
}

/* Moves a file object to `position`; -1: to its end. The object remembers where it was before C moved the descriptor, and what it has
 * read in advance: moving it to the end makes it forget both. Some files, such as those in /proc, have no end: then the descriptor returns
 * to where the object has left it. Returns 0, or -1 with an exception. */
static int move_file_object(const dlb_py_file *file, int64_t position)
{
    PyObject *answer = PyObject_CallMethod(file->argument, "seek", "ii", 0, 2);

    if (answer == NULL && position >= 0 && PyErr_ExceptionMatches(PyExc_OSError)) {
        int descriptor;

        PyErr_Clear();
        descriptor = PyObject_AsFileDescriptor(file->argument);
        if (descriptor < 0) {
            return -1;
        }
        move_descriptor(descriptor, file->offset);
        answer = Py_NewRef(Py_None);
    }
    if (answer != NULL && position >= 0) {
        Py_DECREF(answer);
        answer = PyObject_CallMethod(file->argument, "seek", "L", (long long)position);
    }
    if (answer == NULL) {
        return -1;
    }
    Py_DECREF(answer);
    return 0;
}

/* Closes the stream, and moves a file object to the place where C has stopped. Returns 0, or -1 with an exception. */
static int close_stream(dlb_py_file *file)
{
    FILE *const stream = file->stream;
    int64_t position = -1;
    int number = 0;
    bool moved;

    file->stream = NULL;
    /* Closing writes the buffer of the stream. If it is a pipe, another thread may have to read it. */
    Py_BEGIN_ALLOW_THREADS
    if (file->position >= 0) {
        position = position_of_stream(stream);
    }
    if (fclose(stream) != 0) {
        number = errno;
        position = -1;
    }
    Py_END_ALLOW_THREADS
    moved = file->position < 0 || move_file_object(file, position) == 0;
    if (number != 0) {
        PyErr_Clear();
        raise_file_error(file, number);
        return -1;
    }
    return moved ? 0 : -1;
}

void dlb_py_close_file(dlb_py_file *file, PyObject **answer)
{
    if (file->stream != NULL) {
        const dlb_py_exception pending = dlb_py_fetch();
        const int closed = close_stream(file);

        if (*answer == NULL) {
            dlb_py_restore(&pending);
        } else if (closed != 0) {
            dlb_py_discard(*answer);
            *answer = NULL;
        }
    }
}

void dlb_py_release_file(dlb_py_file *file)
{
    if (file->stream != NULL) { /* the call was refused after the file was opened */
        const dlb_py_exception pending = dlb_py_fetch();

        (void)close_stream(file);
        dlb_py_restore(&pending);
    }
    if (file->descriptor >= 0) {
        close_descriptor(file->descriptor);
    }
    Py_XDECREF(file->keeper);
}
