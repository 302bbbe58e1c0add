/* SPDX-License-Identifier: MIT-0
 * Generated from fftw.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#include "dlb_object.h"

#include "dlb_assert.h"
#include "dlb_call.h"

#include "fftw_dlpack.h"

#include <errno.h>

static const dlb_py_member dl_dlfftw_direction_enum_members[] = {
    DLB_PY_MEMBER("FORWARD", FFTW_FORWARD),
    DLB_PY_MEMBER("BACKWARD", FFTW_BACKWARD),
};

static const dlb_py_enum dl_dlfftw_direction_enum = {"Direction", DLB_PY_INT_ENUM,
                                                     dl_dlfftw_direction_enum_members, 2};

static const dlb_py_member dl_dlfftw_flags_enum_members[] = {
    DLB_PY_MEMBER("ESTIMATE", FFTW_ESTIMATE),
    DLB_PY_MEMBER("MEASURE", FFTW_MEASURE),
    DLB_PY_MEMBER("PATIENT", FFTW_PATIENT),
    DLB_PY_MEMBER("EXHAUSTIVE", FFTW_EXHAUSTIVE),
    DLB_PY_MEMBER("WISDOM_ONLY", FFTW_WISDOM_ONLY),
    DLB_PY_MEMBER("DESTROY_INPUT", FFTW_DESTROY_INPUT),
    DLB_PY_MEMBER("PRESERVE_INPUT", FFTW_PRESERVE_INPUT),
    DLB_PY_MEMBER("UNALIGNED", FFTW_UNALIGNED),
};

static const dlb_py_enum dl_dlfftw_flags_enum = {"Flags", DLB_PY_INT_FLAG,
                                                 dl_dlfftw_flags_enum_members, 8};

/* ---- InPlace ---- */

DLB_PY_DEFINE_CLASS_METHOD(dl_dlfftw_in_place_from_producer, dlb_py_from_dlpack_with,
                           dlfftw_in_place_type)

static const dlb_py_function dl_in_place_execute_call = {
    .name = "execute",
    .operand_count = 1,
    .holds = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlfftw_in_place_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlfftw_in_place_execute(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(fftw_execute, void (*)(fftw_plan), "InPlace.execute.c: fftw_execute is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_in_place_execute_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    fftw_plan plan = *(fftw_plan *)arrays[0].object;

    Py_BEGIN_ALLOW_THREADS
    fftw_execute(plan);
    Py_END_ALLOW_THREADS
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_in_place_execute_call, arrays, answer);
}

static const dlb_py_function dl_in_place_flops_call = {
    .name = "flops",
    .operand_count = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlfftw_in_place_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlfftw_in_place_flops(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(fftw_flops, void (*)(fftw_plan, double *, double *, double *), "InPlace.flops.c: fftw_flops is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_in_place_flops_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    fftw_plan plan = *(fftw_plan *)arrays[0].object;
    double add = 0;
    double mul = 0;
    double fma = 0;

    fftw_flops(plan, &add, &mul, &fma);
    PyObject *values[3];

    values[0] = PyFloat_FromDouble(add);
    values[1] = PyFloat_FromDouble(mul);
    values[2] = PyFloat_FromDouble(fma);
    PyObject *answer = dlb_py_tuple(values, 3);
    return dlb_py_finish_call(&dl_in_place_flops_call, arrays, answer);
}

static const dlb_py_function dl_in_place_sprint_call = {
    .name = "sprint",
    .operand_count = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlfftw_in_place_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlfftw_in_place_sprint(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(fftw_sprint_plan, char *(*)(fftw_plan), "InPlace.sprint.c: fftw_sprint_plan is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_in_place_sprint_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    fftw_plan plan = *(fftw_plan *)arrays[0].object;

    char *result = fftw_sprint_plan(plan);
    PyObject *answer = dlb_py_from_string(result);
    free(result); /* InPlace.sprint.finally */
    return dlb_py_finish_call(&dl_in_place_sprint_call, arrays, answer);
}

static const dlb_py_function dl_in_place_self = {
    .name = "InPlace",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlfftw_in_place_type}),
};

static PyObject *py_dlfftw_in_place_get_cost(PyObject *object, void *closure)
{
    dlb_py_argument arrays[1];

    (void)closure;
    if (dlb_py_take(&dl_in_place_self, object, NULL, arrays) != 0) {
        return NULL;
    }
    fftw_plan self = *(fftw_plan *)arrays[0].object;

    PyObject *answer = PyFloat_FromDouble((double)fftw_cost(self)); /* InPlace.properties.cost */
    return dlb_py_finish_call(&dl_in_place_self, arrays, answer);
}

static PyMethodDef dl_dlfftw_in_place_methods[] = {
    {"from_dlpack", DLB_PY_METHOD(dl_dlfftw_in_place_from_producer),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_dlpack($type, x, /, *, sign=..., flags=..., device=None, copy=None)\n"
     "--\n\n"
     "An object that shows the memory of x, without a copy.\n\n"
     "Takes writable complex128 arrays of 1 to 8 axes on the CPU, compact."},
    {"execute", py_dlfftw_in_place_execute, METH_NOARGS,
     "execute($self, /)\n"
     "--\n\n"
     "Transforms the array, without a factor.\n\n"
     "Other threads run meanwhile."},
    {"flops", py_dlfftw_in_place_flops, METH_NOARGS,
     "flops($self, /)\n"
     "--\n\n"
     "The additions, multiplications and fused ones of one transform.\n\n"
     "Returns (add, mul, fma)."},
    {"sprint", py_dlfftw_in_place_sprint, METH_NOARGS,
     "sprint($self, /)\n"
     "--\n\n"
     "The plan as text."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef dl_dlfftw_in_place_attributes[] = {
    {"cost", py_dlfftw_in_place_get_cost, NULL, "What the planner thinks that one transform costs.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const dlb_py_class dl_dlfftw_in_place_class = {
    .type = &dlfftw_in_place_type,
    .c_type = "fftw_plan",
    .doc =
        "A transform of one array in place. Everything but ESTIMATE overwrites the array when it "
        "is made.",
    .methods = dl_dlfftw_in_place_methods,
    .attributes = dl_dlfftw_in_place_attributes,
};

PyObject *dlfftw_in_place_wrap(fftw_plan self)
{
    struct dlfftw_in_place_state state = {.self = self};

    return dlb_py_wrap(&dlfftw_in_place_type, &state);
}

DLB_PY_DEFINE_UNWRAP(dlfftw_in_place, fftw_plan *)

/* ---- Transform ---- */

static const dlb_requirements dl_transform_rows_src_array = {
    .min_ndim = 2,
    .max_ndim = 2,
    .layout = DLB_WRITABLE | DLB_COMPACT,
    .dtypes = (const DLDataType[]){{kDLComplex, 128, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_py_function dl_transform_rows_call = {
    .name = "rows",
    .count = 4,
    .positional = 4,
    .operand_count = 2,
    .holds = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("src", 1), DLB_PY_OBJECT_PARAM("dst", 0),
                            DLB_PY_OBJECT_PARAM("sign", 0), DLB_PY_OBJECT_PARAM("flags", 0)),
    .operands = DLB_PY_OPERANDS({.param = 0,
                                 .flags = DLB_PY_WRITES | DLB_PY_KEPT,
                                 .require = &dl_transform_rows_src_array,
                                 .array = &dlfftw_array_type},
                                {.param = 1,
                                 .flags = DLB_PY_WRITES | DLB_PY_KEPT,
                                 .require = &dl_transform_rows_src_array,
                                 .like = 1,
                                 .array = &dlfftw_array_type}),
};

static PyObject *py_dlfftw_transform_rows(PyObject *cls, PyObject *const *args, Py_ssize_t nargs,
                                          PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(fftw_plan_many_dft, fftw_plan (*)(int, const int *, int, fftw_complex *, const int *, int, int, fftw_complex *, const int *, int, int, int, unsigned int), "Transform.rows.c: fftw_plan_many_dft is not a function of this type in the header (for a macro: 'macro: true')");
    DLB_ASSERT_DATA((const fftw_complex *)0, kDLComplex, 128, "Transform.rows.src: elements of fftw_complex cannot hold complex128");
    DLB_ASSERT_SIZE(fftw_complex, 16, "Transform.rows.src: fftw_complex is not one complex128: write the 'shape' that the array must have");
    DLB_ASSERT_ALIGNMENT(fftw_complex, 8, "Transform.rows.src: fftw_complex is aligned more strictly than complex128: require {align: N}");
    DLB_ASSERT_DATA((const fftw_complex *)0, kDLComplex, 128, "Transform.rows.dst: elements of fftw_complex cannot hold complex128");
    DLB_ASSERT_ALIGNMENT(fftw_complex, 8, "Transform.rows.dst: fftw_complex is aligned more strictly than complex128: require {align: N}");
    DLB_ASSERT_WHOLE(fftw_complex, 16, "Transform.rows.dst: one complex128 does not fill whole elements of fftw_complex, of which C has the array");

    PyObject *sorted[4];
    PyObject *const *given =
        dlb_py_arguments(&dl_transform_rows_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    int sign = FFTW_FORWARD;
    unsigned int flags = FFTW_ESTIMATE;
    PyObject *answer = NULL;

    (void)cls;
    if (given == NULL ||
        dlb_py_read_enum(&dl_transform_rows_call, 2, given, &dl_dlfftw_direction_enum, &sign,
                         sizeof sign) != 0 ||
        dlb_py_read_enum(&dl_transform_rows_call, 3, given, &dl_dlfftw_flags_enum, &flags,
                         sizeof flags) != 0 ||
        dlb_py_take(&dl_transform_rows_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    int howmany = 0;
    fftw_complex *src = arrays[0].object;
    int idist = 0;
    fftw_complex *dst = arrays[1].object;
    int rank = 1;
    const int *inembed = NULL;
    int istride = 1;
    const int *onembed = NULL;
    int ostride = 1;

    if (DLB_PY_DERIVE(&dl_transform_rows_call, "src", howmany, dlb_py_extent(&arrays[0], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_transform_rows_call, "src", idist, dlb_py_extent(&arrays[0], 1)) != 0 ||
        DLB_PY_CHECK_SHAPE(&dl_transform_rows_call, &arrays[1], "dst", DLB_INTEGER(howmany),
                           DLB_INTEGER(idist)) != 0) {
        return dlb_py_finish_call(&dl_transform_rows_call, arrays, NULL);
    }
    const int *n = &(int){idist};
    DLB_STRICT_BEGIN
    int odist = idist; /* Transform.rows.odist */
    DLB_STRICT_END

    fftw_plan result = fftw_plan_many_dft(rank, n, howmany, src, inembed, istride, idist, dst,
                                          onembed, ostride, odist, sign, flags);
    if (result != NULL) {
        PyObject *values[2];

        struct dlfftw_transform_state made_result = {.self = result};
        values[0] =
            dlb_py_adopt_keeping_all(&dlfftw_transform_type, &made_result,
                                     (dlb_py_argument *const[]){&arrays[0], &arrays[1]}, 2, 0);
        values[1] = dlb_py_argument_object(&arrays[1]);
        answer = dlb_py_tuple(values, 2);
    } else {
        dlb_py_failed(&dl_transform_rows_call, given, PyExc_ValueError, "fftw_plan_many_dft()",
                      NULL);
    }
    return dlb_py_finish_call(&dl_transform_rows_call, arrays, answer);
}

static const dlb_py_function dl_transform_execute_call = {
    .name = "execute",
    .operand_count = 1,
    .holds = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlfftw_transform_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlfftw_transform_execute(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(fftw_execute, void (*)(fftw_plan), "Transform.execute.c: fftw_execute is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_transform_execute_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    fftw_plan plan = *(fftw_plan *)arrays[0].object;

    Py_BEGIN_ALLOW_THREADS
    fftw_execute(plan);
    Py_END_ALLOW_THREADS
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_transform_execute_call, arrays, answer);
}

static const dlb_requirements dl_transform_new_src_array = {
    .min_ndim = 0,
    .max_ndim = 64,
    .layout = DLB_WRITABLE | DLB_COMPACT,
    .dtypes = (const DLDataType[]){{kDLComplex, 128, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_py_function dl_transform_new_call = {
    .name = "Transform",
    .count = 4,
    .positional = 4,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("src", 1), DLB_PY_OBJECT_PARAM("dst", 1),
                            DLB_PY_OBJECT_PARAM("sign", 0), DLB_PY_OBJECT_PARAM("flags", 0)),
    .operands = DLB_PY_OPERANDS({.param = 0,
                                 .flags = DLB_PY_WRITES | DLB_PY_KEPT,
                                 .require = &dl_transform_new_src_array,
                                 .array = &dlfftw_array_type},
                                {.param = 1,
                                 .flags = DLB_PY_WRITES | DLB_PY_KEPT,
                                 .require = &dl_transform_new_src_array,
                                 .array = &dlfftw_array_type}),
};

static PyObject *py_dlfftw_transform_new(PyObject *cls, PyObject *const *args, Py_ssize_t nargs,
                                         PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(fftw_plan_dft_1d, fftw_plan (*)(int, fftw_complex *, fftw_complex *, int, unsigned int), "Transform.new.c: fftw_plan_dft_1d is not a function of this type in the header (for a macro: 'macro: true')");
    DLB_ASSERT_DATA((const fftw_complex *)0, kDLComplex, 128, "Transform.new.src: elements of fftw_complex cannot hold complex128");
    DLB_ASSERT_SIZE(fftw_complex, 16, "Transform.new.src: fftw_complex is not one complex128: write the 'shape' that the array must have");
    DLB_ASSERT_ALIGNMENT(fftw_complex, 8, "Transform.new.src: fftw_complex is aligned more strictly than complex128: require {align: N}");
    DLB_ASSERT_DATA((const fftw_complex *)0, kDLComplex, 128, "Transform.new.dst: elements of fftw_complex cannot hold complex128");
    DLB_ASSERT_SIZE(fftw_complex, 16, "Transform.new.dst: fftw_complex is not one complex128: write the 'shape' that the array must have");
    DLB_ASSERT_ALIGNMENT(fftw_complex, 8, "Transform.new.dst: fftw_complex is aligned more strictly than complex128: require {align: N}");

    PyObject *sorted[4];
    PyObject *const *given = dlb_py_arguments(&dl_transform_new_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    int sign = FFTW_FORWARD;
    unsigned int flags = FFTW_ESTIMATE;
    PyObject *answer = NULL;

    (void)cls;
    if (given == NULL ||
        dlb_py_read_enum(&dl_transform_new_call, 2, given, &dl_dlfftw_direction_enum, &sign,
                         sizeof sign) != 0 ||
        dlb_py_read_enum(&dl_transform_new_call, 3, given, &dl_dlfftw_flags_enum, &flags,
                         sizeof flags) != 0 ||
        dlb_py_take(&dl_transform_new_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    int n = 0;
    fftw_complex *src = arrays[0].object;
    fftw_complex *dst = arrays[1].object;

    if (DLB_PY_DERIVE(&dl_transform_new_call, "src", n, dlb_py_count(&arrays[0])) != 0 ||
        dlb_py_check_count(&dl_transform_new_call, &arrays[1], "dst", DLB_INTEGER(n)) != 0) {
        return dlb_py_finish_call(&dl_transform_new_call, arrays, NULL);
    }

    fftw_plan result = fftw_plan_dft_1d(n, src, dst, sign, flags);
    if (result != NULL) {
        struct dlfftw_transform_state made_result = {.self = result};
        answer = dlb_py_adopt_keeping_all(&dlfftw_transform_type, &made_result,
                                          (dlb_py_argument *const[]){&arrays[0], &arrays[1]}, 2, 0);
    } else {
        dlb_py_failed(&dl_transform_new_call, given, PyExc_ValueError, "fftw_plan_dft_1d()", NULL);
    }
    return dlb_py_finish_call(&dl_transform_new_call, arrays, answer);
}

DLB_PY_DEFINE_NEW(dl_dlfftw_transform_tp_new, dl_dlfftw_transform_vectorcall,
                  py_dlfftw_transform_new)

static PyMethodDef dl_dlfftw_transform_methods[] = {
    {"rows", DLB_PY_METHOD(py_dlfftw_transform_rows), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "rows($type, /, src, dst=None, sign=..., flags=...)\n"
     "--\n\n"
     "The plan for each row of `src`.\n\n"
     "`src` is written: an array of complex128, of 2 axes, compact.\n"
     "`dst` is written: an array of complex128, of shape (src.shape[0], src.shape[1]), "
     "compact; a new one like `src` where none is given.\n"
     "Returns (the result, dst).\n"
     "The result keeps `src` and `dst` alive.\n"
     "Raises ValueError if the library reports a failure."},
    {"execute", py_dlfftw_transform_execute, METH_NOARGS,
     "execute($self, /)\n"
     "--\n\n"
     "Transforms the one array into the other, without a factor.\n\n"
     "Other threads run meanwhile."},
    {NULL, NULL, 0, NULL},
};

static const dlb_py_class dl_dlfftw_transform_class = {
    .type = &dlfftw_transform_type,
    .c_type = "fftw_plan",
    .doc = "Transform(src, dst, sign=Direction.FORWARD, flags=Flags.ESTIMATE)\n"
           "--\n\n"
           "A transform of one array into another, both of which it keeps. Everything but ESTIMATE "
           "overwrites them when it is made.\n\n"
           "`src` is written: an array of complex128, compact.\n"
           "`dst` is written: an array of complex128, of src.size elements, compact.\n"
           "The result keeps `src` and `dst` alive.\n"
           "Raises ValueError if the library reports a failure.",
    .methods = dl_dlfftw_transform_methods,
    .make = dl_dlfftw_transform_tp_new,
    .call = dl_dlfftw_transform_vectorcall,
};

PyObject *dlfftw_transform_wrap(fftw_plan self)
{
    struct dlfftw_transform_state state = {.self = self};

    return dlb_py_wrap(&dlfftw_transform_type, &state);
}

DLB_PY_DEFINE_UNWRAP(dlfftw_transform, fftw_plan *)

/* ---- Plan ---- */

static const dlb_py_function dl_plan_dft_1d_call = {
    .name = "dft_1d",
    .count = 4,
    .positional = 4,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("src", 1), DLB_PY_OBJECT_PARAM("dst", 1),
                            DLB_PY_OBJECT_PARAM("sign", 0), DLB_PY_OBJECT_PARAM("flags", 0)),
    .operands = DLB_PY_OPERANDS(
        {.param = 0, .flags = DLB_PY_WRITES, .require = &dl_transform_new_src_array},
        {.param = 1, .flags = DLB_PY_WRITES, .require = &dl_transform_new_src_array}),
};

static PyObject *py_dlfftw_plan_dft_1d(PyObject *cls, PyObject *const *args, Py_ssize_t nargs,
                                       PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(fftw_plan_dft_1d, fftw_plan (*)(int, fftw_complex *, fftw_complex *, int, unsigned int), "Plan.dft_1d.c: fftw_plan_dft_1d is not a function of this type in the header (for a macro: 'macro: true')");
    DLB_ASSERT_DATA((const fftw_complex *)0, kDLComplex, 128, "Plan.dft_1d.src: elements of fftw_complex cannot hold complex128");
    DLB_ASSERT_SIZE(fftw_complex, 16, "Plan.dft_1d.src: fftw_complex is not one complex128: write the 'shape' that the array must have");
    DLB_ASSERT_ALIGNMENT(fftw_complex, 8, "Plan.dft_1d.src: fftw_complex is aligned more strictly than complex128: require {align: N}");
    DLB_ASSERT_DATA((const fftw_complex *)0, kDLComplex, 128, "Plan.dft_1d.dst: elements of fftw_complex cannot hold complex128");
    DLB_ASSERT_SIZE(fftw_complex, 16, "Plan.dft_1d.dst: fftw_complex is not one complex128: write the 'shape' that the array must have");
    DLB_ASSERT_ALIGNMENT(fftw_complex, 8, "Plan.dft_1d.dst: fftw_complex is aligned more strictly than complex128: require {align: N}");

    PyObject *sorted[4];
    PyObject *const *given = dlb_py_arguments(&dl_plan_dft_1d_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    int sign = FFTW_FORWARD;
    unsigned int flags = FFTW_ESTIMATE;
    PyObject *answer = NULL;

    (void)cls;
    if (given == NULL ||
        dlb_py_read_enum(&dl_plan_dft_1d_call, 2, given, &dl_dlfftw_direction_enum, &sign,
                         sizeof sign) != 0 ||
        dlb_py_read_enum(&dl_plan_dft_1d_call, 3, given, &dl_dlfftw_flags_enum, &flags,
                         sizeof flags) != 0 ||
        dlb_py_take(&dl_plan_dft_1d_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    int n = 0;
    fftw_complex *src = arrays[0].object;
    fftw_complex *dst = arrays[1].object;

    if (DLB_PY_DERIVE(&dl_plan_dft_1d_call, "src", n, dlb_py_count(&arrays[0])) != 0 ||
        dlb_py_check_count(&dl_plan_dft_1d_call, &arrays[1], "dst", DLB_INTEGER(n)) != 0) {
        return dlb_py_finish_call(&dl_plan_dft_1d_call, arrays, NULL);
    }

    fftw_plan result = fftw_plan_dft_1d(n, src, dst, sign, flags);
    if (result != NULL) {
        struct dlfftw_plan_state made_result = {.self = result};
        answer = dlb_py_adopt(&dlfftw_plan_type, &made_result, 0);
    } else {
        dlb_py_failed(&dl_plan_dft_1d_call, given, PyExc_ValueError, "fftw_plan_dft_1d()", NULL);
    }
    return dlb_py_finish_call(&dl_plan_dft_1d_call, arrays, answer);
}

static const dlb_py_function dl_plan_dft_2d_call = {
    .name = "dft_2d",
    .count = 4,
    .positional = 4,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("src", 1), DLB_PY_OBJECT_PARAM("dst", 1),
                            DLB_PY_OBJECT_PARAM("sign", 0), DLB_PY_OBJECT_PARAM("flags", 0)),
    .operands = DLB_PY_OPERANDS(
        {.param = 0, .flags = DLB_PY_WRITES, .require = &dl_transform_rows_src_array},
        {.param = 1, .flags = DLB_PY_WRITES, .require = &dl_transform_rows_src_array}),
};

static PyObject *py_dlfftw_plan_dft_2d(PyObject *cls, PyObject *const *args, Py_ssize_t nargs,
                                       PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(fftw_plan_dft_2d, fftw_plan (*)(int, int, fftw_complex *, fftw_complex *, int, unsigned int), "Plan.dft_2d.c: fftw_plan_dft_2d is not a function of this type in the header (for a macro: 'macro: true')");
    DLB_ASSERT_DATA((const fftw_complex *)0, kDLComplex, 128, "Plan.dft_2d.src: elements of fftw_complex cannot hold complex128");
    DLB_ASSERT_SIZE(fftw_complex, 16, "Plan.dft_2d.src: fftw_complex is not one complex128: write the 'shape' that the array must have");
    DLB_ASSERT_ALIGNMENT(fftw_complex, 8, "Plan.dft_2d.src: fftw_complex is aligned more strictly than complex128: require {align: N}");
    DLB_ASSERT_DATA((const fftw_complex *)0, kDLComplex, 128, "Plan.dft_2d.dst: elements of fftw_complex cannot hold complex128");
    DLB_ASSERT_ALIGNMENT(fftw_complex, 8, "Plan.dft_2d.dst: fftw_complex is aligned more strictly than complex128: require {align: N}");
    DLB_ASSERT_WHOLE(fftw_complex, 16, "Plan.dft_2d.dst: one complex128 does not fill whole elements of fftw_complex, of which C has the array");

    PyObject *sorted[4];
    PyObject *const *given = dlb_py_arguments(&dl_plan_dft_2d_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    int sign = FFTW_FORWARD;
    unsigned int flags = FFTW_ESTIMATE;
    PyObject *answer = NULL;

    (void)cls;
    if (given == NULL ||
        dlb_py_read_enum(&dl_plan_dft_2d_call, 2, given, &dl_dlfftw_direction_enum, &sign,
                         sizeof sign) != 0 ||
        dlb_py_read_enum(&dl_plan_dft_2d_call, 3, given, &dl_dlfftw_flags_enum, &flags,
                         sizeof flags) != 0 ||
        dlb_py_take(&dl_plan_dft_2d_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    int n0 = 0;
    int n1 = 0;
    fftw_complex *src = arrays[0].object;
    fftw_complex *dst = arrays[1].object;

    if (DLB_PY_DERIVE(&dl_plan_dft_2d_call, "src", n0, dlb_py_extent(&arrays[0], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_plan_dft_2d_call, "src", n1, dlb_py_extent(&arrays[0], 1)) != 0 ||
        DLB_PY_CHECK_SHAPE(&dl_plan_dft_2d_call, &arrays[1], "dst", DLB_INTEGER(n0),
                           DLB_INTEGER(n1)) != 0) {
        return dlb_py_finish_call(&dl_plan_dft_2d_call, arrays, NULL);
    }

    fftw_plan result = fftw_plan_dft_2d(n0, n1, src, dst, sign, flags);
    if (result != NULL) {
        struct dlfftw_plan_state made_result = {.self = result};
        answer = dlb_py_adopt(&dlfftw_plan_type, &made_result, 0);
    } else {
        dlb_py_failed(&dl_plan_dft_2d_call, given, PyExc_ValueError, "fftw_plan_dft_2d()", NULL);
    }
    return dlb_py_finish_call(&dl_plan_dft_2d_call, arrays, answer);
}

static const dlb_requirements dl_plan_execute_src_array = {
    .min_ndim = 0,
    .max_ndim = 64,
    .layout = DLB_COMPACT,
    .alignment = 16,
    .dtypes = (const DLDataType[]){{kDLComplex, 128, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
    .copy = DLB_COPY_ALLOWED,
};

static const dlb_requirements dl_plan_execute_dst_array = {
    .min_ndim = 0,
    .max_ndim = 64,
    .layout = DLB_WRITABLE | DLB_COMPACT,
    .alignment = 16,
    .dtypes = (const DLDataType[]){{kDLComplex, 128, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
    .copy = DLB_COPY_ALLOWED,
};

static const dlb_py_function dl_plan_execute_call = {
    .name = "execute",
    .count = 2,
    .positional = 2,
    .operand_count = 3,
    .holds = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("src", 1), DLB_PY_OBJECT_PARAM("dst", 1)),
    .operands = DLB_PY_OPERANDS(
        {.param = -1, .type = &dlfftw_plan_type, .flags = DLB_PY_WRITES},
        {.param = 0, .flags = DLB_PY_NUMBERS, .require = &dl_plan_execute_src_array},
        {.param = 1, .flags = DLB_PY_WRITES, .require = &dl_plan_execute_dst_array}),
};

static PyObject *py_dlfftw_plan_execute(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                        PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(fftw_execute_dft, void (*)(fftw_plan, fftw_complex *, fftw_complex *), "Plan.execute.c: fftw_execute_dft is not a function of this type in the header (for a macro: 'macro: true')");
    DLB_ASSERT_DATA((const fftw_complex *)0, kDLComplex, 128, "Plan.execute.src: elements of fftw_complex cannot hold complex128");
    DLB_ASSERT_SIZE(fftw_complex, 16, "Plan.execute.src: fftw_complex is not one complex128: write the 'shape' that the array must have");
    DLB_ASSERT_DATA((const fftw_complex *)0, kDLComplex, 128, "Plan.execute.dst: elements of fftw_complex cannot hold complex128");
    DLB_ASSERT_SIZE(fftw_complex, 16, "Plan.execute.dst: fftw_complex is not one complex128: write the 'shape' that the array must have");

    PyObject *sorted[2];
    PyObject *const *given = dlb_py_arguments(&dl_plan_execute_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[3];

    if (given == NULL || dlb_py_take(&dl_plan_execute_call, object, given, arrays) != 0) {
        return NULL;
    }
    fftw_plan plan = *(fftw_plan *)arrays[0].object;
    fftw_complex *src = arrays[1].object;
    fftw_complex *dst = arrays[2].object;

    Py_BEGIN_ALLOW_THREADS
    fftw_execute_dft(plan, src, dst);
    Py_END_ALLOW_THREADS
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_plan_execute_call, arrays, answer);
}

static const dlb_py_function dl_plan_sprint_call = {
    .name = "sprint",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlfftw_plan_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlfftw_plan_sprint(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(fftw_sprint_plan, char *(*)(fftw_plan), "Plan.sprint.c: fftw_sprint_plan is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_plan_sprint_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    fftw_plan plan = *(fftw_plan *)arrays[0].object;

    char *result = fftw_sprint_plan(plan);
    PyObject *answer = dlb_py_from_string(result);
    free(result); /* Plan.sprint.finally */
    return dlb_py_finish_call(&dl_plan_sprint_call, arrays, answer);
}

static const dlb_requirements dl_plan_new_n_array = {
    .min_ndim = 0,
    .max_ndim = 64,
    .layout = DLB_COMPACT,
    .dtypes = (const DLDataType[]){{DLB_CODE_OF(int), 8 * sizeof(int), 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_py_function dl_plan_new_call = {
    .name = "Plan",
    .count = 5,
    .positional = 5,
    .operand_count = 3,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("n", 1), DLB_PY_OBJECT_PARAM("src", 1),
                            DLB_PY_OBJECT_PARAM("dst", 1), DLB_PY_OBJECT_PARAM("sign", 0),
                            DLB_PY_OBJECT_PARAM("flags", 0)),
    .operands = DLB_PY_OPERANDS(
        {.param = 0, .flags = DLB_PY_NUMBERS, .require = &dl_plan_new_n_array},
        {.param = 1, .flags = DLB_PY_WRITES, .require = &dl_transform_new_src_array},
        {.param = 2, .flags = DLB_PY_WRITES, .require = &dl_transform_new_src_array}),
};

static PyObject *py_dlfftw_plan_new(PyObject *cls, PyObject *const *args, Py_ssize_t nargs,
                                    PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(fftw_plan_dft, fftw_plan (*)(int, const int *, fftw_complex *, fftw_complex *, int, unsigned int), "Plan.new.c: fftw_plan_dft is not a function of this type in the header (for a macro: 'macro: true')");
    DLB_ASSERT_DATA((const fftw_complex *)0, kDLComplex, 128, "Plan.new.src: elements of fftw_complex cannot hold complex128");
    DLB_ASSERT_SIZE(fftw_complex, 16, "Plan.new.src: fftw_complex is not one complex128: write the 'shape' that the array must have");
    DLB_ASSERT_ALIGNMENT(fftw_complex, 8, "Plan.new.src: fftw_complex is aligned more strictly than complex128: require {align: N}");
    DLB_ASSERT_DATA((const fftw_complex *)0, kDLComplex, 128, "Plan.new.dst: elements of fftw_complex cannot hold complex128");
    DLB_ASSERT_SIZE(fftw_complex, 16, "Plan.new.dst: fftw_complex is not one complex128: write the 'shape' that the array must have");
    DLB_ASSERT_ALIGNMENT(fftw_complex, 8, "Plan.new.dst: fftw_complex is aligned more strictly than complex128: require {align: N}");

    PyObject *sorted[5];
    PyObject *const *given = dlb_py_arguments(&dl_plan_new_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[3];
    int sign = FFTW_FORWARD;
    unsigned int flags = FFTW_ESTIMATE;
    PyObject *answer = NULL;

    (void)cls;
    if (given == NULL ||
        dlb_py_read_enum(&dl_plan_new_call, 3, given, &dl_dlfftw_direction_enum, &sign,
                         sizeof sign) != 0 ||
        dlb_py_read_enum(&dl_plan_new_call, 4, given, &dl_dlfftw_flags_enum, &flags,
                         sizeof flags) != 0 ||
        dlb_py_take(&dl_plan_new_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    int rank = 0;
    const int *n = arrays[0].object;
    fftw_complex *src = arrays[1].object;
    fftw_complex *dst = arrays[2].object;

    if (DLB_PY_DERIVE(&dl_plan_new_call, "n", rank, dlb_py_count(&arrays[0])) != 0) {
        return dlb_py_finish_call(&dl_plan_new_call, arrays, NULL);
    }

    fftw_plan result = fftw_plan_dft(rank, n, src, dst, sign, flags);
    if (result != NULL) {
        struct dlfftw_plan_state made_result = {.self = result};
        answer = dlb_py_adopt(&dlfftw_plan_type, &made_result, 0);
    } else {
        dlb_py_failed(&dl_plan_new_call, given, PyExc_ValueError, "fftw_plan_dft()", NULL);
    }
    return dlb_py_finish_call(&dl_plan_new_call, arrays, answer);
}

DLB_PY_DEFINE_NEW(dl_dlfftw_plan_tp_new, dl_dlfftw_plan_vectorcall, py_dlfftw_plan_new)

static PyMethodDef dl_dlfftw_plan_methods[] = {
    {"dft_1d", DLB_PY_METHOD(py_dlfftw_plan_dft_1d), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "dft_1d($type, /, src, dst, sign=..., flags=...)\n"
     "--\n\n"
     "The plan for all elements of `src`.\n\n"
     "`src` is written: an array of complex128, compact.\n"
     "`dst` is written: an array of complex128, of src.size elements, compact.\n"
     "Raises ValueError if the library reports a failure."},
    {"dft_2d", DLB_PY_METHOD(py_dlfftw_plan_dft_2d), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "dft_2d($type, /, src, dst, sign=..., flags=...)\n"
     "--\n\n"
     "The plan for the rows and columns of `src`.\n\n"
     "`src` is written: an array of complex128, of 2 axes, compact.\n"
     "`dst` is written: an array of complex128, of shape (src.shape[0], src.shape[1]), "
     "compact.\n"
     "Raises ValueError if the library reports a failure."},
    {"execute", DLB_PY_METHOD(py_dlfftw_plan_execute), METH_FASTCALL | METH_KEYWORDS,
     "execute($self, /, src, dst)\n"
     "--\n\n"
     "Transforms `src` into `dst`, without a factor.\n\n"
     "`src` is read: an array of complex128, compact, aligned to 16 bytes, or a sequence of "
     "numbers; arrays in another layout or alignment are copied.\n"
     "`dst` is written: an array of complex128, compact, aligned to 16 bytes; arrays in "
     "another layout or alignment are copied, and copied back.\n"
     "Other threads run meanwhile."},
    {"sprint", py_dlfftw_plan_sprint, METH_NOARGS,
     "sprint($self, /)\n"
     "--\n\n"
     "The plan as text."},
    {NULL, NULL, 0, NULL},
};

static const dlb_py_class dl_dlfftw_plan_class = {
    .type = &dlfftw_plan_type,
    .c_type = "fftw_plan",
    .doc = "Plan(n, src, dst, sign=Direction.FORWARD, flags=Flags.ESTIMATE)\n"
           "--\n\n"
           "Transforms of complex arrays into others. What neither FFTW nor this module can check: "
           "Plan(n, src, dst) needs as many elements in `src` and in `dst` as the product of `n`; "
           "execute() needs as many as the plan was made for, in one array if `src` and `dst` were "
           "one, else in two that do not overlap.\n\n"
           "`n` is read: an array of C's `int`, compact, or a sequence of numbers.\n"
           "`src` is written: an array of complex128, compact.\n"
           "`dst` is written: an array of complex128, compact.\n"
           "Raises ValueError if the library reports a failure.",
    .methods = dl_dlfftw_plan_methods,
    .make = dl_dlfftw_plan_tp_new,
    .call = dl_dlfftw_plan_vectorcall,
};

PyObject *dlfftw_plan_wrap(fftw_plan self)
{
    struct dlfftw_plan_state state = {.self = self};

    return dlb_py_wrap(&dlfftw_plan_type, &state);
}

DLB_PY_DEFINE_UNWRAP(dlfftw_plan, fftw_plan *)

/* ---- RealPlan ---- */

static const dlb_requirements dl_real_plan_execute_src_array = {
    .min_ndim = 0,
    .max_ndim = 64,
    .layout = DLB_COMPACT,
    .alignment = 16,
    .dtypes = (const DLDataType[]){{DLB_CODE_OF(double), 8 * sizeof(double), 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
    .copy = DLB_COPY_ALLOWED,
};

static const dlb_py_function dl_real_plan_execute_call = {
    .name = "execute",
    .count = 2,
    .positional = 2,
    .operand_count = 3,
    .holds = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("src", 1), DLB_PY_OBJECT_PARAM("dst", 1)),
    .operands = DLB_PY_OPERANDS(
        {.param = -1, .type = &dlfftw_real_plan_type, .flags = DLB_PY_WRITES},
        {.param = 0, .flags = DLB_PY_NUMBERS, .require = &dl_real_plan_execute_src_array},
        {.param = 1, .flags = DLB_PY_WRITES, .require = &dl_plan_execute_dst_array}),
};

static PyObject *py_dlfftw_real_plan_execute(PyObject *object, PyObject *const *args,
                                             Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(fftw_execute_dft_r2c, void (*)(fftw_plan, double *, fftw_complex *), "RealPlan.execute.c: fftw_execute_dft_r2c is not a function of this type in the header (for a macro: 'macro: true')");
    DLB_ASSERT_DATA((const fftw_complex *)0, kDLComplex, 128, "RealPlan.execute.dst: elements of fftw_complex cannot hold complex128");
    DLB_ASSERT_SIZE(fftw_complex, 16, "RealPlan.execute.dst: fftw_complex is not one complex128: write the 'shape' that the array must have");

    PyObject *sorted[2];
    PyObject *const *given =
        dlb_py_arguments(&dl_real_plan_execute_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[3];

    if (given == NULL || dlb_py_take(&dl_real_plan_execute_call, object, given, arrays) != 0) {
        return NULL;
    }
    fftw_plan plan = *(fftw_plan *)arrays[0].object;
    double *src = arrays[1].object;
    fftw_complex *dst = arrays[2].object;

    Py_BEGIN_ALLOW_THREADS
    fftw_execute_dft_r2c(plan, src, dst);
    Py_END_ALLOW_THREADS
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_real_plan_execute_call, arrays, answer);
}

static const dlb_requirements dl_real_plan_new_src_array = {
    .min_ndim = 0,
    .max_ndim = 64,
    .layout = DLB_WRITABLE | DLB_COMPACT,
    .dtypes = (const DLDataType[]){{DLB_CODE_OF(double), 8 * sizeof(double), 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_py_function dl_real_plan_new_call = {
    .name = "RealPlan",
    .count = 4,
    .positional = 4,
    .operand_count = 3,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("n", 1), DLB_PY_OBJECT_PARAM("src", 1),
                            DLB_PY_OBJECT_PARAM("dst", 1), DLB_PY_OBJECT_PARAM("flags", 0)),
    .operands = DLB_PY_OPERANDS(
        {.param = 0, .flags = DLB_PY_NUMBERS, .require = &dl_plan_new_n_array},
        {.param = 1, .flags = DLB_PY_WRITES, .require = &dl_real_plan_new_src_array},
        {.param = 2, .flags = DLB_PY_WRITES, .require = &dl_transform_new_src_array}),
};

static PyObject *py_dlfftw_real_plan_new(PyObject *cls, PyObject *const *args, Py_ssize_t nargs,
                                         PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(fftw_plan_dft_r2c, fftw_plan (*)(int, const int *, double *, fftw_complex *, unsigned int), "RealPlan.new.c: fftw_plan_dft_r2c is not a function of this type in the header (for a macro: 'macro: true')");
    DLB_ASSERT_DATA((const fftw_complex *)0, kDLComplex, 128, "RealPlan.new.dst: elements of fftw_complex cannot hold complex128");
    DLB_ASSERT_SIZE(fftw_complex, 16, "RealPlan.new.dst: fftw_complex is not one complex128: write the 'shape' that the array must have");
    DLB_ASSERT_ALIGNMENT(fftw_complex, 8, "RealPlan.new.dst: fftw_complex is aligned more strictly than complex128: require {align: N}");

    PyObject *sorted[4];
    PyObject *const *given = dlb_py_arguments(&dl_real_plan_new_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[3];
    unsigned int flags = FFTW_ESTIMATE;
    PyObject *answer = NULL;

    (void)cls;
    if (given == NULL ||
        dlb_py_read_enum(&dl_real_plan_new_call, 3, given, &dl_dlfftw_flags_enum, &flags,
                         sizeof flags) != 0 ||
        dlb_py_take(&dl_real_plan_new_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    int rank = 0;
    const int *n = arrays[0].object;
    double *src = arrays[1].object;
    fftw_complex *dst = arrays[2].object;

    if (DLB_PY_DERIVE(&dl_real_plan_new_call, "n", rank, dlb_py_count(&arrays[0])) != 0) {
        return dlb_py_finish_call(&dl_real_plan_new_call, arrays, NULL);
    }

    fftw_plan result = fftw_plan_dft_r2c(rank, n, src, dst, flags);
    if (result != NULL) {
        struct dlfftw_real_plan_state made_result = {.self = result};
        answer = dlb_py_adopt(&dlfftw_real_plan_type, &made_result, 0);
    } else {
        dlb_py_failed(&dl_real_plan_new_call, given, PyExc_ValueError, "fftw_plan_dft_r2c()", NULL);
    }
    return dlb_py_finish_call(&dl_real_plan_new_call, arrays, answer);
}

DLB_PY_DEFINE_NEW(dl_dlfftw_real_plan_tp_new, dl_dlfftw_real_plan_vectorcall,
                  py_dlfftw_real_plan_new)

static PyMethodDef dl_dlfftw_real_plan_methods[] = {
    {"execute", DLB_PY_METHOD(py_dlfftw_real_plan_execute), METH_FASTCALL | METH_KEYWORDS,
     "execute($self, /, src, dst)\n"
     "--\n\n"
     "Transforms `src` into `dst`, without a factor.\n\n"
     "`src` is read: an array of float64, compact, aligned to 16 bytes, or a sequence of "
     "numbers; arrays in another layout or alignment are copied.\n"
     "`dst` is written: an array of complex128, compact, aligned to 16 bytes; arrays in "
     "another layout or alignment are copied, and copied back.\n"
     "Other threads run meanwhile."},
    {NULL, NULL, 0, NULL},
};

static const dlb_py_class dl_dlfftw_real_plan_class = {
    .type = &dlfftw_real_plan_type,
    .c_type = "fftw_plan",
    .doc =
        "RealPlan(n, src, dst, flags=Flags.ESTIMATE)\n"
        "--\n\n"
        "Transforms of real arrays into half of their complex spectrum. What neither FFTW nor "
        "this module can check: RealPlan(n, src, dst) needs as many elements in `src` as the "
        "product of `n`, and in `dst` as that with n[-1] // 2 + 1 for the last extent; execute() "
        "needs as many as the plan was made for, in two arrays that do not overlap.\n\n"
        "`n` is read: an array of C's `int`, compact, or a sequence of numbers.\n"
        "`src` is written: an array of float64, compact.\n"
        "`dst` is written: an array of complex128, compact.\n"
        "Raises ValueError if the library reports a failure.",
    .methods = dl_dlfftw_real_plan_methods,
    .make = dl_dlfftw_real_plan_tp_new,
    .call = dl_dlfftw_real_plan_vectorcall,
};

PyObject *dlfftw_real_plan_wrap(fftw_plan self)
{
    struct dlfftw_real_plan_state state = {.self = self};

    return dlb_py_wrap(&dlfftw_real_plan_type, &state);
}

DLB_PY_DEFINE_UNWRAP(dlfftw_real_plan, fftw_plan *)

/* ---- InversePlan ---- */

static const dlb_requirements dl_inverse_plan_execute_src_array = {
    .min_ndim = 0,
    .max_ndim = 64,
    .layout = DLB_WRITABLE | DLB_COMPACT,
    .alignment = 16,
    .dtypes = (const DLDataType[]){{kDLComplex, 128, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_requirements dl_inverse_plan_execute_dst_array = {
    .min_ndim = 0,
    .max_ndim = 64,
    .layout = DLB_WRITABLE | DLB_COMPACT,
    .alignment = 16,
    .dtypes = (const DLDataType[]){{DLB_CODE_OF(double), 8 * sizeof(double), 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
    .copy = DLB_COPY_ALLOWED,
};

static const dlb_py_function dl_inverse_plan_execute_call = {
    .name = "execute",
    .count = 2,
    .positional = 2,
    .operand_count = 3,
    .holds = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("src", 1), DLB_PY_OBJECT_PARAM("dst", 1)),
    .operands = DLB_PY_OPERANDS(
        {.param = -1, .type = &dlfftw_inverse_plan_type, .flags = DLB_PY_WRITES},
        {.param = 0, .flags = DLB_PY_WRITES, .require = &dl_inverse_plan_execute_src_array},
        {.param = 1, .flags = DLB_PY_WRITES, .require = &dl_inverse_plan_execute_dst_array}),
};

static PyObject *py_dlfftw_inverse_plan_execute(PyObject *object, PyObject *const *args,
                                                Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(fftw_execute_dft_c2r, void (*)(fftw_plan, fftw_complex *, double *), "InversePlan.execute.c: fftw_execute_dft_c2r is not a function of this type in the header (for a macro: 'macro: true')");
    DLB_ASSERT_DATA((const fftw_complex *)0, kDLComplex, 128, "InversePlan.execute.src: elements of fftw_complex cannot hold complex128");
    DLB_ASSERT_SIZE(fftw_complex, 16, "InversePlan.execute.src: fftw_complex is not one complex128: write the 'shape' that the array must have");

    PyObject *sorted[2];
    PyObject *const *given =
        dlb_py_arguments(&dl_inverse_plan_execute_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[3];

    if (given == NULL || dlb_py_take(&dl_inverse_plan_execute_call, object, given, arrays) != 0) {
        return NULL;
    }
    fftw_plan plan = *(fftw_plan *)arrays[0].object;
    fftw_complex *src = arrays[1].object;
    double *dst = arrays[2].object;

    Py_BEGIN_ALLOW_THREADS
    fftw_execute_dft_c2r(plan, src, dst);
    Py_END_ALLOW_THREADS
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_inverse_plan_execute_call, arrays, answer);
}

static const dlb_py_function dl_inverse_plan_new_call = {
    .name = "InversePlan",
    .count = 4,
    .positional = 4,
    .operand_count = 3,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("n", 1), DLB_PY_OBJECT_PARAM("src", 1),
                            DLB_PY_OBJECT_PARAM("dst", 1), DLB_PY_OBJECT_PARAM("flags", 0)),
    .operands = DLB_PY_OPERANDS(
        {.param = 0, .flags = DLB_PY_NUMBERS, .require = &dl_plan_new_n_array},
        {.param = 1, .flags = DLB_PY_WRITES, .require = &dl_transform_new_src_array},
        {.param = 2, .flags = DLB_PY_WRITES, .require = &dl_real_plan_new_src_array}),
};

static PyObject *py_dlfftw_inverse_plan_new(PyObject *cls, PyObject *const *args, Py_ssize_t nargs,
                                            PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(fftw_plan_dft_c2r, fftw_plan (*)(int, const int *, fftw_complex *, double *, unsigned int), "InversePlan.new.c: fftw_plan_dft_c2r is not a function of this type in the header (for a macro: 'macro: true')");
    DLB_ASSERT_DATA((const fftw_complex *)0, kDLComplex, 128, "InversePlan.new.src: elements of fftw_complex cannot hold complex128");
    DLB_ASSERT_SIZE(fftw_complex, 16, "InversePlan.new.src: fftw_complex is not one complex128: write the 'shape' that the array must have");
    DLB_ASSERT_ALIGNMENT(fftw_complex, 8, "InversePlan.new.src: fftw_complex is aligned more strictly than complex128: require {align: N}");

    PyObject *sorted[4];
    PyObject *const *given =
        dlb_py_arguments(&dl_inverse_plan_new_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[3];
    unsigned int flags = FFTW_ESTIMATE;
    PyObject *answer = NULL;

    (void)cls;
    if (given == NULL ||
        dlb_py_read_enum(&dl_inverse_plan_new_call, 3, given, &dl_dlfftw_flags_enum, &flags,
                         sizeof flags) != 0 ||
        dlb_py_take(&dl_inverse_plan_new_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    int rank = 0;
    const int *n = arrays[0].object;
    fftw_complex *src = arrays[1].object;
    double *dst = arrays[2].object;

    if (DLB_PY_DERIVE(&dl_inverse_plan_new_call, "n", rank, dlb_py_count(&arrays[0])) != 0) {
        return dlb_py_finish_call(&dl_inverse_plan_new_call, arrays, NULL);
    }

    fftw_plan result = fftw_plan_dft_c2r(rank, n, src, dst, flags);
    if (result != NULL) {
        struct dlfftw_inverse_plan_state made_result = {.self = result};
        answer = dlb_py_adopt(&dlfftw_inverse_plan_type, &made_result, 0);
    } else {
        dlb_py_failed(&dl_inverse_plan_new_call, given, PyExc_ValueError, "fftw_plan_dft_c2r()",
                      NULL);
    }
    return dlb_py_finish_call(&dl_inverse_plan_new_call, arrays, answer);
}

DLB_PY_DEFINE_NEW(dl_dlfftw_inverse_plan_tp_new, dl_dlfftw_inverse_plan_vectorcall,
                  py_dlfftw_inverse_plan_new)

static PyMethodDef dl_dlfftw_inverse_plan_methods[] = {
    {"execute", DLB_PY_METHOD(py_dlfftw_inverse_plan_execute), METH_FASTCALL | METH_KEYWORDS,
     "execute($self, /, src, dst)\n"
     "--\n\n"
     "Transforms `src`, which is destroyed, into `dst`, without a factor.\n\n"
     "`src` is written: an array of complex128, compact, aligned to 16 bytes.\n"
     "`dst` is written: an array of float64, compact, aligned to 16 bytes; arrays in another "
     "layout or alignment are copied, and copied back.\n"
     "Other threads run meanwhile."},
    {NULL, NULL, 0, NULL},
};

static const dlb_py_class dl_dlfftw_inverse_plan_class = {
    .type = &dlfftw_inverse_plan_type,
    .c_type = "fftw_plan",
    .doc = "InversePlan(n, src, dst, flags=Flags.ESTIMATE)\n"
           "--\n\n"
           "The way back from half of a spectrum. What neither FFTW nor this module can check: "
           "InversePlan(n, src, dst) needs as many elements in `dst` as the product of `n`, and in "
           "`src` as that with n[-1] // 2 + 1 for the last extent; execute() needs as many as the "
           "plan was made for, in two arrays that do not overlap.\n\n"
           "`n` is read: an array of C's `int`, compact, or a sequence of numbers.\n"
           "`src` is written: an array of complex128, compact.\n"
           "`dst` is written: an array of float64, compact.\n"
           "Raises ValueError if the library reports a failure.",
    .methods = dl_dlfftw_inverse_plan_methods,
    .make = dl_dlfftw_inverse_plan_tp_new,
    .call = dl_dlfftw_inverse_plan_vectorcall,
};

PyObject *dlfftw_inverse_plan_wrap(fftw_plan self)
{
    struct dlfftw_inverse_plan_state state = {.self = self};

    return dlb_py_wrap(&dlfftw_inverse_plan_type, &state);
}

DLB_PY_DEFINE_UNWRAP(dlfftw_inverse_plan, fftw_plan *)

/* ---- Array ---- */

DLB_PY_DEFINE_CLASS_METHOD(dl_dlfftw_array_from_producer, dlb_py_from_dlpack_call,
                           dlfftw_array_type)
DLB_PY_DEFINE_CLASS_METHOD(dl_dlfftw_array_empty, dlb_py_empty, dlfftw_array_type)

static PyMethodDef dl_dlfftw_array_methods[] = {
    {"from_dlpack", DLB_PY_METHOD(dl_dlfftw_array_from_producer),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_dlpack($type, x, /, *, device=None, copy=None)\n"
     "--\n\n"
     "An object that shows the memory of x, without a copy.\n\n"
     "Takes arrays on the CPU."},
    {"empty", DLB_PY_METHOD(dl_dlfftw_array_empty), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype)\n"
     "--\n\n"
     "A new array of that shape, whose elements are 0."},
    {NULL, NULL, 0, NULL},
};

DLB_PY_DEFINE_EXCHANGE_API(dl_dlfftw_array_api, dlfftw_array_type, dlb_py_api_view)

static const dlb_py_class dl_dlfftw_array_class = {
    .type = &dlfftw_array_type,
    .c_type = "dlb_array",
    .doc = "An array that a function has made.",
    .methods = dl_dlfftw_array_methods,
    .api = &dl_dlfftw_array_api,
};

DLB_PY_DEFINE_WRAP(dlfftw_array, dlb_array *)
DLB_PY_DEFINE_UNWRAP(dlfftw_array, dlb_array *)

/* ---- Functions ---- */

static PyObject *py_dlfftw_export_wisdom(PyObject *module, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(fftw_export_wisdom_to_string, char *(*)(void), "export_wisdom.c: fftw_export_wisdom_to_string is not a function of this type in the header (for a macro: 'macro: true')");

    (void)module;
    (void)unused;

    char *result = fftw_export_wisdom_to_string();
    PyObject *answer = dlb_py_from_string(result);
    free(result); /* export_wisdom.finally */
    return answer;
}

static const dlb_py_function dl_import_wisdom_call = {
    .name = "import_wisdom",
    .count = 1,
    .positional = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("wisdom", 1)),
};

static PyObject *py_dlfftw_import_wisdom(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                         PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(fftw_import_wisdom_from_string, int (*)(const char *), "import_wisdom.c: fftw_import_wisdom_from_string is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_import_wisdom_call, args, nargs, kwnames, sorted);
    const char *wisdom = NULL;
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_read_string(&dl_import_wisdom_call, 0, given, 0, &wisdom) != 0) {
        return NULL;
    }

    int result = fftw_import_wisdom_from_string(wisdom);
    if (result == 1) {
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_import_wisdom_call, given, PyExc_ValueError,
                           "fftw_import_wisdom_from_string()", "this is no wisdom of this FFTW",
                           DLB_VALUE(result));
    }
    return answer;
}

static const dlb_py_function dl_save_wisdom_call = {
    .name = "save_wisdom",
    .count = 1,
    .positional = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("path", 1)),
};

static PyObject *py_dlfftw_save_wisdom(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                       PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(fftw_export_wisdom_to_filename, int (*)(const char *), "save_wisdom.c: fftw_export_wisdom_to_filename is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_save_wisdom_call, args, nargs, kwnames, sorted);
    const char *path = NULL;
    PyObject *path_bytes = NULL;
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL ||
        dlb_py_read_path(&dl_save_wisdom_call, 0, given, 0, &path, &path_bytes) != 0) {
        Py_XDECREF(path_bytes);
        return NULL;
    }

    int result;
    int number;

    errno = 0;
    result = fftw_export_wisdom_to_filename(path);
    number = errno;
    if (result == 1) {
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_system(&dl_save_wisdom_call, given, PyExc_OSError, number,
                             "fftw_export_wisdom_to_filename()", NULL, given[0]);
    }
    Py_XDECREF(path_bytes);
    return answer;
}

static const dlb_py_function dl_load_wisdom_call = {
    .name = "load_wisdom",
    .count = 1,
    .positional = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("path", 1)),
};

static PyObject *py_dlfftw_load_wisdom(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                       PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(fftw_import_wisdom_from_filename, int (*)(const char *), "load_wisdom.c: fftw_import_wisdom_from_filename is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_load_wisdom_call, args, nargs, kwnames, sorted);
    const char *path = NULL;
    PyObject *path_bytes = NULL;
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL ||
        dlb_py_read_path(&dl_load_wisdom_call, 0, given, 0, &path, &path_bytes) != 0) {
        Py_XDECREF(path_bytes);
        return NULL;
    }

    int result;
    int number;

    errno = 0;
    result = fftw_import_wisdom_from_filename(path);
    number = errno;
    if (result == 1) {
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_system(&dl_load_wisdom_call, given, PyExc_OSError, number,
                             "fftw_import_wisdom_from_filename()", NULL, given[0]);
    }
    Py_XDECREF(path_bytes);
    return answer;
}

static PyObject *py_dlfftw_forget_wisdom(PyObject *module, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(fftw_forget_wisdom, void (*)(void), "forget_wisdom.c: fftw_forget_wisdom is not a function of this type in the header (for a macro: 'macro: true')");

    (void)module;
    (void)unused;

    fftw_forget_wisdom();
    return Py_NewRef(Py_None);
}

static const dlb_py_function dl_set_timelimit_call = {
    .name = "set_timelimit",
    .count = 1,
    .positional = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(double, "seconds", 1)),
};

static PyObject *py_dlfftw_set_timelimit(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                         PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(fftw_set_timelimit, void (*)(double), "set_timelimit.c: fftw_set_timelimit is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_set_timelimit_call, args, nargs, kwnames, sorted);
    double seconds = 0;

    (void)module;
    if (given == NULL || dlb_py_read_number(&dl_set_timelimit_call, 0, given, &seconds) != 0) {
        return NULL;
    }

    fftw_set_timelimit(seconds);
    return Py_NewRef(Py_None);
}

static const dlb_requirements dl_alignment_of_x_array = {
    .min_ndim = 0,
    .max_ndim = 64,
    .layout = DLB_COMPACT,
    .dtypes = (const DLDataType[]){{DLB_CODE_OF(double), 8 * sizeof(double), 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_py_function dl_alignment_of_call = {
    .name = "alignment_of",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("x", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .flags = DLB_PY_NUMBERS, .require = &dl_alignment_of_x_array}),
};

static PyObject *py_dlfftw_alignment_of(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                        PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(fftw_alignment_of, int (*)(double *), "alignment_of.c: fftw_alignment_of is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_alignment_of_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];

    (void)module;
    if (given == NULL || dlb_py_take(&dl_alignment_of_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    double *x = arrays[0].object;

    int result = fftw_alignment_of(x);
    PyObject *answer = DLB_PY_FROM_INTEGER(result);
    return dlb_py_finish_call(&dl_alignment_of_call, arrays, answer);
}

static PyMethodDef dl_dlfftw_methods[] = {
    {"export_wisdom", py_dlfftw_export_wisdom, METH_NOARGS,
     "export_wisdom($module, /)\n"
     "--\n\n"
     "What the planner has learnt, as text."},
    {"import_wisdom", DLB_PY_METHOD(py_dlfftw_import_wisdom), METH_FASTCALL | METH_KEYWORDS,
     "import_wisdom($module, /, wisdom)\n"
     "--\n\n"
     "Adds what export_wisdom() returned.\n\n"
     "Raises ValueError if the library reports a failure."},
    {"save_wisdom", DLB_PY_METHOD(py_dlfftw_save_wisdom), METH_FASTCALL | METH_KEYWORDS,
     "save_wisdom($module, /, path)\n"
     "--\n\n"
     "Writes what the planner has learnt to a file.\n\n"
     "Raises OSError if the library reports a failure."},
    {"load_wisdom", DLB_PY_METHOD(py_dlfftw_load_wisdom), METH_FASTCALL | METH_KEYWORDS,
     "load_wisdom($module, /, path)\n"
     "--\n\n"
     "Adds what save_wisdom() wrote.\n\n"
     "Raises OSError if the library reports a failure."},
    {"forget_wisdom", py_dlfftw_forget_wisdom, METH_NOARGS,
     "forget_wisdom($module, /)\n"
     "--\n\n"
     "Forgets what the planner has learnt."},
    {"set_timelimit", DLB_PY_METHOD(py_dlfftw_set_timelimit), METH_FASTCALL | METH_KEYWORDS,
     "set_timelimit($module, /, seconds)\n"
     "--\n\n"
     "How long a plan may take to make, about; NO_TIMELIMIT is as long as it takes."},
    {"alignment_of", DLB_PY_METHOD(py_dlfftw_alignment_of), METH_FASTCALL | METH_KEYWORDS,
     "alignment_of($module, /, x)\n"
     "--\n\n"
     "0 where the memory is aligned as SIMD instructions want it.\n\n"
     "`x` is read: an array of float64, compact, or a sequence of numbers."},
    {NULL, NULL, 0, NULL},
};

/* ---- The module ---- */

int dlfftw_add_types(PyObject *module)
{
    if (dlb_py_add_class(module, &dl_dlfftw_in_place_class) != 0) {
        return -1;
    }
    if (dlb_py_add_class(module, &dl_dlfftw_transform_class) != 0) {
        return -1;
    }
    if (dlb_py_add_class(module, &dl_dlfftw_plan_class) != 0) {
        return -1;
    }
    if (dlb_py_add_class(module, &dl_dlfftw_real_plan_class) != 0) {
        return -1;
    }
    if (dlb_py_add_class(module, &dl_dlfftw_inverse_plan_class) != 0) {
        return -1;
    }
    return dlb_py_add_class(module, &dl_dlfftw_array_class);
}

static const dlfftw_c_api dl_dlfftw_c_functions = {
    sizeof(dl_dlfftw_c_functions),
    dlfftw_in_place_wrap,
    dlfftw_in_place_unwrap,
    dlfftw_transform_wrap,
    dlfftw_transform_unwrap,
    dlfftw_plan_wrap,
    dlfftw_plan_unwrap,
    dlfftw_real_plan_wrap,
    dlfftw_real_plan_unwrap,
    dlfftw_inverse_plan_wrap,
    dlfftw_inverse_plan_unwrap,
    dlfftw_array_wrap,
    dlfftw_array_unwrap,
    DLFFTW_C_API_PROTOTYPES,
};

static int dl_dlfftw_fill(PyObject *module)
{
    if (dlfftw_add_types(module) != 0 || dlb_py_add_enum(module, &dl_dlfftw_direction_enum) != 0 ||
        dlb_py_add_enum(module, &dl_dlfftw_flags_enum) != 0 ||
        dlb_py_add_constant(module, "VERSION", dlb_py_from_string(fftw_version)) != 0 ||
        dlb_py_add_constant(module, "NO_TIMELIMIT",
                            PyFloat_FromDouble((double)FFTW_NO_TIMELIMIT)) != 0) {
        return -1;
    }
    return dlb_py_add_c_api(module, "fftw._C_API", &dl_dlfftw_c_functions);
}

static PyModuleDef_Slot dl_dlfftw_slots[] = {
    {Py_mod_exec, DLB_PY_SLOT(dl_dlfftw_fill)},
    DLB_PY_LAST_MODULE_SLOTS,
};

static PyModuleDef dl_dlfftw_definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "fftw",
    .m_doc = "Fourier transforms of the arrays of others, by FFTW.",
    .m_methods = dl_dlfftw_methods,
    .m_slots = dl_dlfftw_slots,
};

PyMODINIT_FUNC PyInit_fftw(void);
PyMODINIT_FUNC PyInit_fftw(void)
{
    return dlb_py_start_module(&dl_dlfftw_definition);
}
