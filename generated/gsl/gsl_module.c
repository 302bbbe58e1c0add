/* SPDX-License-Identifier: MIT-0
 * Generated from gsl.yaml by dlpack-bindgen. Do not edit: change the spec and run `dlpack-bindgen generate` again. */
/* clang-format off */

#include "dlb_object.h"

#include "dlb_assert.h"
#include "dlb_call.h"

#include "gsl_dlpack.h"

static const dlb_py_member dl_dlgsl_transpose_enum_members[] = {
    DLB_PY_MEMBER("NO", CblasNoTrans),
    DLB_PY_MEMBER("YES", CblasTrans),
    DLB_PY_MEMBER("CONJUGATE", CblasConjTrans),
};

static const dlb_py_enum dl_dlgsl_transpose_enum = {"Transpose", DLB_PY_INT_ENUM,
                                                    dl_dlgsl_transpose_enum_members, 3};

static const dlb_py_member dl_dlgsl_triangle_enum_members[] = {
    DLB_PY_MEMBER("UPPER", CblasUpper),
    DLB_PY_MEMBER("LOWER", CblasLower),
};

static const dlb_py_enum dl_dlgsl_triangle_enum = {"Triangle", DLB_PY_INT_ENUM,
                                                   dl_dlgsl_triangle_enum_members, 2};

static const dlb_py_member dl_dlgsl_diagonal_enum_members[] = {
    DLB_PY_MEMBER("GIVEN", CblasNonUnit),
    DLB_PY_MEMBER("ONES", CblasUnit),
};

static const dlb_py_enum dl_dlgsl_diagonal_enum = {"Diagonal", DLB_PY_INT_ENUM,
                                                   dl_dlgsl_diagonal_enum_members, 2};

static const dlb_py_member dl_dlgsl_order_enum_members[] = {
    DLB_PY_MEMBER("ASCENDING", GSL_EIGEN_SORT_VAL_ASC),
    DLB_PY_MEMBER("DESCENDING", GSL_EIGEN_SORT_VAL_DESC),
};

static const dlb_py_enum dl_dlgsl_order_enum = {"Order", DLB_PY_INT_ENUM,
                                                dl_dlgsl_order_enum_members, 2};

/* ---- EigenSymmWorkspace ---- */

static const dlb_py_function dl_eigen_symm_workspace_new_call = {
    .name = "EigenSymmWorkspace",
    .count = 1,
    .positional = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(size_t, "n", 1)),
};

static PyObject *py_dlgsl_eigen_symm_workspace_new(PyObject *cls, PyObject *const *args,
                                                   Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_eigen_symm_alloc, gsl_eigen_symm_workspace *(*)(size_t), "EigenSymmWorkspace.new.c: gsl_eigen_symm_alloc is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_eigen_symm_workspace_new_call, args, nargs, kwnames, sorted);
    size_t n = 0;
    PyObject *answer = NULL;

    (void)cls;
    if (given == NULL || dlb_py_read_number(&dl_eigen_symm_workspace_new_call, 0, given, &n) != 0) {
        return NULL;
    }

    gsl_eigen_symm_workspace *result = gsl_eigen_symm_alloc(n);
    if (result != NULL) {
        answer = dlb_py_adopt(&dlgsl_eigen_symm_workspace_type, result, 0);
    } else {
        dlb_py_failed(&dl_eigen_symm_workspace_new_call, given, PyExc_ValueError,
                      "gsl_eigen_symm_alloc()", NULL);
    }
    return answer;
}

static const dlb_py_function dl_eigen_symm_workspace_self = {
    .name = "EigenSymmWorkspace",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_eigen_symm_workspace_type}),
};

static PyObject *py_dlgsl_eigen_symm_workspace_get_size(PyObject *object, void *closure)
{
    dlb_py_argument arrays[1];

    (void)closure;
    if (dlb_py_take(&dl_eigen_symm_workspace_self, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_eigen_symm_workspace *self = arrays[0].object;

    PyObject *answer = DLB_PY_FROM_INTEGER(self->size); /* EigenSymmWorkspace.properties.size */
    return dlb_py_finish_call(&dl_eigen_symm_workspace_self, arrays, answer);
}

DLB_PY_DEFINE_NEW(dl_dlgsl_eigen_symm_workspace_tp_new, dl_dlgsl_eigen_symm_workspace_vectorcall,
                  py_dlgsl_eigen_symm_workspace_new)

static PyGetSetDef dl_dlgsl_eigen_symm_workspace_attributes[] = {
    {"size", py_dlgsl_eigen_symm_workspace_get_size, NULL, "The rows of the matrices.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const dlb_py_class dl_dlgsl_eigen_symm_workspace_class = {
    .type = &dlgsl_eigen_symm_workspace_type,
    .c_type = "gsl_eigen_symm_workspace",
    .doc = "EigenSymmWorkspace(n)\n"
           "--\n\n"
           "Room for eigen_symm() to work in.\n\n"
           "Of matrices with `n` rows.\n\n"
           "Raises ValueError if the library reports a failure.",
    .attributes = dl_dlgsl_eigen_symm_workspace_attributes,
    .make = dl_dlgsl_eigen_symm_workspace_tp_new,
    .call = dl_dlgsl_eigen_symm_workspace_vectorcall,
};

DLB_PY_DEFINE_WRAP(dlgsl_eigen_symm_workspace, gsl_eigen_symm_workspace *)
DLB_PY_DEFINE_UNWRAP(dlgsl_eigen_symm_workspace, gsl_eigen_symm_workspace *)

/* ---- Rng ---- */

static const dlb_py_function dl_rng_taus_call = {
    .name = "taus",
};

static PyObject *py_dlgsl_rng_taus(PyObject *cls, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_rng_alloc, gsl_rng *(*)(const gsl_rng_type *), "Rng.taus.c: gsl_rng_alloc is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *answer = NULL;

    (void)cls;
    (void)unused;
    const gsl_rng_type *kind = gsl_rng_taus;

    gsl_rng *result = gsl_rng_alloc(kind);
    if (result != NULL) {
        answer = dlb_py_adopt(&dlgsl_rng_type, result, 0);
    } else {
        dlb_py_failed(&dl_rng_taus_call, NULL, PyExc_MemoryError, "gsl_rng_alloc()", NULL);
    }
    return answer;
}

static const dlb_py_function dl_rng_ranlux_call = {
    .name = "ranlux",
};

static PyObject *py_dlgsl_rng_ranlux(PyObject *cls, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_rng_alloc, gsl_rng *(*)(const gsl_rng_type *), "Rng.ranlux.c: gsl_rng_alloc is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *answer = NULL;

    (void)cls;
    (void)unused;
    const gsl_rng_type *kind = gsl_rng_ranlux;

    gsl_rng *result = gsl_rng_alloc(kind);
    if (result != NULL) {
        answer = dlb_py_adopt(&dlgsl_rng_type, result, 0);
    } else {
        dlb_py_failed(&dl_rng_ranlux_call, NULL, PyExc_MemoryError, "gsl_rng_alloc()", NULL);
    }
    return answer;
}

static const dlb_py_function dl_rng_clone_call = {
    .name = "clone",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_rng_type}),
};

static PyObject *py_dlgsl_rng_clone(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_rng_clone, gsl_rng *(*)(const gsl_rng *), "Rng.clone.c: gsl_rng_clone is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];
    PyObject *answer = NULL;

    (void)unused;
    if (dlb_py_take(&dl_rng_clone_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    const gsl_rng *rng = arrays[0].object;

    gsl_rng *result = gsl_rng_clone(rng);
    if (result != NULL) {
        if (result == rng) {
            answer = dlb_py_argument_object(&arrays[0]);
        } else {
            answer = dlb_py_adopt(&dlgsl_rng_type, result, 0);
        }
    } else {
        dlb_py_failed(&dl_rng_clone_call, NULL, PyExc_MemoryError, "gsl_rng_clone()", NULL);
    }
    return dlb_py_finish_call(&dl_rng_clone_call, arrays, answer);
}

static const dlb_py_function dl_rng_copy_from_call = {
    .name = "copy_from",
    .count = 1,
    .positional = 1,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("source", 1)),
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_rng_type, .flags = DLB_PY_WRITES},
                                {.param = 0, .type = &dlgsl_rng_type}),
};

static PyObject *py_dlgsl_rng_copy_from(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                        PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_rng_memcpy, int (*)(gsl_rng *, const gsl_rng *), "Rng.copy_from.c: gsl_rng_memcpy is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_rng_copy_from_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_take(&dl_rng_copy_from_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_rng *rng = arrays[0].object;
    const gsl_rng *source = arrays[1].object;

    int result = gsl_rng_memcpy(rng, source);
    if (result == GSL_SUCCESS) { /* Rng.copy_from.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_rng_copy_from_call, given, PyExc_ValueError, "gsl_rng_memcpy()",
                           gsl_strerror(result) /* Rng.copy_from.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_rng_copy_from_call, arrays, answer);
}

static const dlb_py_function dl_rng_seed_call = {
    .name = "seed",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(unsigned long, "seed", 1)),
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_rng_type}),
};

static PyObject *py_dlgsl_rng_seed(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                   PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_rng_set, void (*)(const gsl_rng *, unsigned long), "Rng.seed.c: gsl_rng_set is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_rng_seed_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    unsigned long seed = 0;

    if (given == NULL || dlb_py_read_number(&dl_rng_seed_call, 0, given, &seed) != 0 ||
        dlb_py_take(&dl_rng_seed_call, object, given, arrays) != 0) {
        return NULL;
    }
    const gsl_rng *rng = arrays[0].object;

    gsl_rng_set(rng, seed);
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_rng_seed_call, arrays, answer);
}

static const dlb_py_function dl_rng_get_call = {
    .name = "get",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_rng_type}),
};

static PyObject *py_dlgsl_rng_get(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_rng_get, unsigned long (*)(const gsl_rng *), "Rng.get.c: gsl_rng_get is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_rng_get_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    const gsl_rng *rng = arrays[0].object;

    unsigned long result = gsl_rng_get(rng);
    PyObject *answer = DLB_PY_FROM_INTEGER(result);
    return dlb_py_finish_call(&dl_rng_get_call, arrays, answer);
}

static const dlb_py_function dl_rng_uniform_call = {
    .name = "uniform",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_rng_type}),
};

static PyObject *py_dlgsl_rng_uniform(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_rng_uniform, double (*)(const gsl_rng *), "Rng.uniform.c: gsl_rng_uniform is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_rng_uniform_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    const gsl_rng *rng = arrays[0].object;

    double result = gsl_rng_uniform(rng);
    PyObject *answer = PyFloat_FromDouble(result);
    return dlb_py_finish_call(&dl_rng_uniform_call, arrays, answer);
}

static const dlb_py_function dl_rng_gaussian_call = {
    .name = "gaussian",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(double, "sigma", 0)),
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_rng_type}),
};

static PyObject *py_dlgsl_rng_gaussian(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                       PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_ran_gaussian, double (*)(const gsl_rng *, double), "Rng.gaussian.c: gsl_ran_gaussian is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_rng_gaussian_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    double sigma = 1.0;

    if (given == NULL || dlb_py_read_number(&dl_rng_gaussian_call, 0, given, &sigma) != 0 ||
        dlb_py_take(&dl_rng_gaussian_call, object, given, arrays) != 0) {
        return NULL;
    }
    const gsl_rng *rng = arrays[0].object;

    double result = gsl_ran_gaussian(rng, sigma);
    PyObject *answer = PyFloat_FromDouble(result);
    return dlb_py_finish_call(&dl_rng_gaussian_call, arrays, answer);
}

static const dlb_requirements dl_rng_shuffle_base_array = {
    .min_ndim = 0,
    .max_ndim = 64,
    .layout = DLB_WRITABLE | DLB_COMPACT,
    .dtypes = (const DLDataType[]){{kDLFloat, 64, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_py_function dl_rng_shuffle_call = {
    .name = "shuffle",
    .count = 1,
    .positional = 1,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("base", 1)),
    .operands = DLB_PY_OPERANDS(
        {.param = -1, .type = &dlgsl_rng_type},
        {.param = 0, .flags = DLB_PY_WRITES, .require = &dl_rng_shuffle_base_array}),
};

static PyObject *py_dlgsl_rng_shuffle(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                      PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_ran_shuffle, void (*)(const gsl_rng *, void *, size_t, size_t), "Rng.shuffle.c: gsl_ran_shuffle is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_rng_shuffle_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];

    if (given == NULL || dlb_py_take(&dl_rng_shuffle_call, object, given, arrays) != 0) {
        return NULL;
    }
    const gsl_rng *rng = arrays[0].object;
    void *base = arrays[1].object;
    size_t n = 0;
    size_t size = sizeof(double);

    if (DLB_PY_DERIVE(&dl_rng_shuffle_call, "base", n, dlb_py_count(&arrays[1])) != 0) {
        return dlb_py_finish_call(&dl_rng_shuffle_call, arrays, NULL);
    }
    if (!(n > 0)) { /* Rng.shuffle.require */
        dlb_py_failed(&dl_rng_shuffle_call, given, PyExc_ValueError, "n > 0",
                      "there is nothing to shuffle");
        return dlb_py_finish_call(&dl_rng_shuffle_call, arrays, NULL);
    }

    gsl_ran_shuffle(rng, base, n, size);
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_rng_shuffle_call, arrays, answer);
}

static const dlb_requirements dl_rng_choose_src_array = {
    .min_ndim = 0,
    .max_ndim = 64,
    .layout = DLB_COMPACT,
    .dtypes = (const DLDataType[]){{kDLFloat, 64, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_py_function dl_rng_choose_call = {
    .name = "choose",
    .count = 2,
    .positional = 2,
    .operand_count = 3,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("dest", 1), DLB_PY_OBJECT_PARAM("src", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_rng_type},
                        {.param = 0, .flags = DLB_PY_WRITES, .require = &dl_rng_shuffle_base_array},
                        {.param = 1, .flags = DLB_PY_NUMBERS, .require = &dl_rng_choose_src_array}),
};

static PyObject *py_dlgsl_rng_choose(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                     PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_ran_choose, int (*)(const gsl_rng *, void *, size_t, void *, size_t, size_t), "Rng.choose.c: gsl_ran_choose is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given = dlb_py_arguments(&dl_rng_choose_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[3];
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_take(&dl_rng_choose_call, object, given, arrays) != 0) {
        return NULL;
    }
    const gsl_rng *rng = arrays[0].object;
    void *dest = arrays[1].object;
    size_t k = 0;
    void *src = arrays[2].object;
    size_t n = 0;
    size_t size = sizeof(double);

    if (DLB_PY_DERIVE(&dl_rng_choose_call, "dest", k, dlb_py_count(&arrays[1])) != 0 ||
        DLB_PY_DERIVE(&dl_rng_choose_call, "src", n, dlb_py_count(&arrays[2])) != 0) {
        return dlb_py_finish_call(&dl_rng_choose_call, arrays, NULL);
    }

    int result = gsl_ran_choose(rng, dest, k, src, n, size);
    if (result == GSL_SUCCESS) { /* Rng.choose.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_rng_choose_call, given, PyExc_ValueError, "gsl_ran_choose()",
                           gsl_strerror(result) /* Rng.choose.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_rng_choose_call, arrays, answer);
}

static const dlb_py_function dl_rng_sample_call = {
    .name = "sample",
    .count = 2,
    .positional = 2,
    .operand_count = 3,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("dest", 1), DLB_PY_OBJECT_PARAM("src", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_rng_type},
                        {.param = 0, .flags = DLB_PY_WRITES, .require = &dl_rng_shuffle_base_array},
                        {.param = 1, .flags = DLB_PY_NUMBERS, .require = &dl_rng_choose_src_array}),
};

static PyObject *py_dlgsl_rng_sample(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                     PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_ran_sample, void (*)(const gsl_rng *, void *, size_t, void *, size_t, size_t), "Rng.sample.c: gsl_ran_sample is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given = dlb_py_arguments(&dl_rng_sample_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[3];

    if (given == NULL || dlb_py_take(&dl_rng_sample_call, object, given, arrays) != 0) {
        return NULL;
    }
    const gsl_rng *rng = arrays[0].object;
    void *dest = arrays[1].object;
    size_t k = 0;
    void *src = arrays[2].object;
    size_t n = 0;
    size_t size = sizeof(double);

    if (DLB_PY_DERIVE(&dl_rng_sample_call, "dest", k, dlb_py_count(&arrays[1])) != 0 ||
        DLB_PY_DERIVE(&dl_rng_sample_call, "src", n, dlb_py_count(&arrays[2])) != 0) {
        return dlb_py_finish_call(&dl_rng_sample_call, arrays, NULL);
    }
    if (!(n > 0)) { /* Rng.sample.require */
        dlb_py_failed(&dl_rng_sample_call, given, PyExc_ValueError, "n > 0",
                      "there is nothing to take from");
        return dlb_py_finish_call(&dl_rng_sample_call, arrays, NULL);
    }

    gsl_ran_sample(rng, dest, k, src, n, size);
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_rng_sample_call, arrays, answer);
}

static const dlb_py_function dl_rng_new_call = {
    .name = "Rng",
};

static PyObject *py_dlgsl_rng_new(PyObject *cls, PyObject *const *args, Py_ssize_t nargs,
                                  PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_rng_alloc, gsl_rng *(*)(const gsl_rng_type *), "Rng.new.c: gsl_rng_alloc is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_rng_new_call, args, nargs, kwnames, sorted);
    PyObject *answer = NULL;

    (void)cls;
    if (given == NULL) {
        return NULL;
    }
    const gsl_rng_type *kind = gsl_rng_default;

    gsl_rng *result = gsl_rng_alloc(kind);
    if (result != NULL) {
        answer = dlb_py_adopt(&dlgsl_rng_type, result, 0);
    } else {
        dlb_py_failed(&dl_rng_new_call, NULL, PyExc_MemoryError, "gsl_rng_alloc()", NULL);
    }
    return answer;
}

static const dlb_py_function dl_rng_self = {
    .name = "Rng",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_rng_type}),
};

static PyObject *py_dlgsl_rng_get_name(PyObject *object, void *closure)
{
    dlb_py_argument arrays[1];

    (void)closure;
    if (dlb_py_take(&dl_rng_self, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_rng *self = arrays[0].object;

    PyObject *answer = DLB_PY_STRING(gsl_rng_name(self)); /* Rng.properties.name */
    return dlb_py_finish_call(&dl_rng_self, arrays, answer);
}

static PyObject *py_dlgsl_rng_get_min(PyObject *object, void *closure)
{
    dlb_py_argument arrays[1];

    (void)closure;
    if (dlb_py_take(&dl_rng_self, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_rng *self = arrays[0].object;

    PyObject *answer = DLB_PY_FROM_INTEGER(gsl_rng_min(self)); /* Rng.properties.min */
    return dlb_py_finish_call(&dl_rng_self, arrays, answer);
}

static PyObject *py_dlgsl_rng_get_max(PyObject *object, void *closure)
{
    dlb_py_argument arrays[1];

    (void)closure;
    if (dlb_py_take(&dl_rng_self, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_rng *self = arrays[0].object;

    PyObject *answer = DLB_PY_FROM_INTEGER(gsl_rng_max(self)); /* Rng.properties.max */
    return dlb_py_finish_call(&dl_rng_self, arrays, answer);
}

DLB_PY_DEFINE_NEW(dl_dlgsl_rng_tp_new, dl_dlgsl_rng_vectorcall, py_dlgsl_rng_new)

static PyMethodDef dl_dlgsl_rng_methods[] = {
    {"taus", py_dlgsl_rng_taus, METH_NOARGS | METH_CLASS,
     "taus($type, /)\n"
     "--\n\n"
     "Tausworthe's generator.\n\n"
     "Raises MemoryError if the library reports a failure."},
    {"ranlux", py_dlgsl_rng_ranlux, METH_NOARGS | METH_CLASS,
     "ranlux($type, /)\n"
     "--\n\n"
     "L\303\274scher's generator.\n\n"
     "Raises MemoryError if the library reports a failure."},
    {"clone", py_dlgsl_rng_clone, METH_NOARGS,
     "clone($self, /)\n"
     "--\n\n"
     "A generator in the same state.\n\n"
     "Raises MemoryError if the library reports a failure."},
    {"copy_from", DLB_PY_METHOD(py_dlgsl_rng_copy_from), METH_FASTCALL | METH_KEYWORDS,
     "copy_from($self, /, source)\n"
     "--\n\n"
     "Takes the state of another one of the same kind.\n\n"
     "Raises ValueError if the library reports a failure."},
    {"seed", DLB_PY_METHOD(py_dlgsl_rng_seed), METH_FASTCALL | METH_KEYWORDS,
     "seed($self, /, seed)\n"
     "--\n\n"
     "Begins anew."},
    {"get", py_dlgsl_rng_get, METH_NOARGS,
     "get($self, /)\n"
     "--\n\n"
     "An integer from `min` to `max`."},
    {"uniform", py_dlgsl_rng_uniform, METH_NOARGS,
     "uniform($self, /)\n"
     "--\n\n"
     "A number from 0 to 1, without 1."},
    {"gaussian", DLB_PY_METHOD(py_dlgsl_rng_gaussian), METH_FASTCALL | METH_KEYWORDS,
     "gaussian($self, /, sigma=1.0)\n"
     "--\n\n"
     "A number of a normal distribution around 0."},
    {"shuffle", DLB_PY_METHOD(py_dlgsl_rng_shuffle), METH_FASTCALL | METH_KEYWORDS,
     "shuffle($self, /, base)\n"
     "--\n\n"
     "Puts the elements into a random order.\n\n"
     "`base` is written: an array of float64, compact."},
    {"choose", DLB_PY_METHOD(py_dlgsl_rng_choose), METH_FASTCALL | METH_KEYWORDS,
     "choose($self, /, dest, src)\n"
     "--\n\n"
     "Fills `dest` with elements of `src`, each once at most, in their order.\n\n"
     "`dest` is written: an array of float64, compact.\n"
     "`src` is read: an array of float64, compact, or a sequence of numbers.\n"
     "Raises ValueError if the library reports a failure."},
    {"sample", DLB_PY_METHOD(py_dlgsl_rng_sample), METH_FASTCALL | METH_KEYWORDS,
     "sample($self, /, dest, src)\n"
     "--\n\n"
     "Fills `dest` with elements of `src`, which may be there more than once.\n\n"
     "`dest` is written: an array of float64, compact.\n"
     "`src` is read: an array of float64, compact, or a sequence of numbers."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef dl_dlgsl_rng_attributes[] = {
    {"name", py_dlgsl_rng_get_name, NULL, "What GSL calls it.", NULL},
    {"min", py_dlgsl_rng_get_min, NULL, "The smallest number of get().", NULL},
    {"max", py_dlgsl_rng_get_max, NULL, "The greatest number of get().", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const dlb_py_class dl_dlgsl_rng_class = {
    .type = &dlgsl_rng_type,
    .c_type = "gsl_rng",
    .doc = "Rng()\n"
           "--\n\n"
           "A generator of random numbers.\n\n"
           "Raises MemoryError if the library reports a failure.",
    .methods = dl_dlgsl_rng_methods,
    .attributes = dl_dlgsl_rng_attributes,
    .make = dl_dlgsl_rng_tp_new,
    .call = dl_dlgsl_rng_vectorcall,
};

DLB_PY_DEFINE_WRAP(dlgsl_rng, gsl_rng *)
DLB_PY_DEFINE_UNWRAP(dlgsl_rng, gsl_rng *)

/* ---- Matrix ---- */

DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_matrix_from_producer, dlb_py_from_dlpack_call,
                           dlgsl_matrix_type)
DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_matrix_empty, dlb_py_empty, dlgsl_matrix_type)

static const dlb_py_function dl_matrix_transpose_call = {
    .name = "transpose",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_transpose(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_transpose, int (*)(gsl_matrix *), "Matrix.transpose.c: gsl_matrix_transpose is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];
    PyObject *answer = NULL;

    (void)unused;
    if (dlb_py_take(&dl_matrix_transpose_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_matrix *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    int result = gsl_matrix_transpose(m);
    dlb_py_check_place(&dl_matrix_transpose_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    if (result == GSL_SUCCESS) { /* Matrix.transpose.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_matrix_transpose_call, NULL, PyExc_ValueError,
                           "gsl_matrix_transpose()",
                           gsl_strerror(result) /* Matrix.transpose.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_matrix_transpose_call, arrays, answer);
}

static const dlb_py_function dl_matrix_swap_rows_call = {
    .name = "swap_rows",
    .count = 2,
    .positional = 2,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(size_t, "i", 1), DLB_PY_PARAM(size_t, "j", 1)),
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_swap_rows(PyObject *object, PyObject *const *args,
                                           Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_swap_rows, int (*)(gsl_matrix *, size_t, size_t), "Matrix.swap_rows.c: gsl_matrix_swap_rows is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given =
        dlb_py_arguments(&dl_matrix_swap_rows_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    size_t i = 0;
    size_t j = 0;
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_read_number(&dl_matrix_swap_rows_call, 0, given, &i) != 0 ||
        dlb_py_read_number(&dl_matrix_swap_rows_call, 1, given, &j) != 0 ||
        dlb_py_take(&dl_matrix_swap_rows_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    int result = gsl_matrix_swap_rows(m, i, j);
    dlb_py_check_place(&dl_matrix_swap_rows_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    if (result == GSL_SUCCESS) { /* Matrix.swap_rows.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_matrix_swap_rows_call, given, PyExc_IndexError,
                           "gsl_matrix_swap_rows()",
                           gsl_strerror(result) /* Matrix.swap_rows.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_matrix_swap_rows_call, arrays, answer);
}

static const dlb_py_function dl_matrix_set_identity_call = {
    .name = "set_identity",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_set_identity(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_set_identity, void (*)(gsl_matrix *), "Matrix.set_identity.c: gsl_matrix_set_identity is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_matrix_set_identity_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_matrix *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    gsl_matrix_set_identity(m);
    dlb_py_check_place(&dl_matrix_set_identity_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_matrix_set_identity_call, arrays, answer);
}

#if 1
static const dlb_py_function dl_matrix_set_all_call = {
    .name = "set_all",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(double, "x", 1)),
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_set_all(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                         PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_set_all, void (*)(gsl_matrix *, double), "Matrix.set_all.c: gsl_matrix_set_all is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_matrix_set_all_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    double x = 0;

    if (given == NULL || dlb_py_read_number(&dl_matrix_set_all_call, 0, given, &x) != 0 ||
        dlb_py_take(&dl_matrix_set_all_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    gsl_matrix_set_all(m, x);
    dlb_py_check_place(&dl_matrix_set_all_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_matrix_set_all_call, arrays, answer);
}

#endif

static const dlb_py_function dl_matrix_add_call = {
    .name = "add",
    .count = 1,
    .positional = 1,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("other", 1)),
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_type, .flags = DLB_PY_WRITES},
                                {.param = 0, .type = &dlgsl_matrix_type}),
};

static PyObject *py_dlgsl_matrix_add(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                     PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_add, int (*)(gsl_matrix *, const gsl_matrix *), "Matrix.add.c: gsl_matrix_add is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_matrix_add_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_take(&dl_matrix_add_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix *m = arrays[0].object;
    const gsl_matrix *other = arrays[1].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    int result = gsl_matrix_add(m, other);
    dlb_py_check_place(&dl_matrix_add_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    if (result == GSL_SUCCESS) { /* Matrix.add.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_matrix_add_call, given, PyExc_ValueError, "gsl_matrix_add()",
                           gsl_strerror(result) /* Matrix.add.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_matrix_add_call, arrays, answer);
}

static const dlb_py_function dl_matrix_isnull_call = {
    .name = "isnull",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_type}),
};

static PyObject *py_dlgsl_matrix_isnull(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_isnull, int (*)(const gsl_matrix *), "Matrix.isnull.c: gsl_matrix_isnull is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_matrix_isnull_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    const gsl_matrix *m = arrays[0].object;

    int result = gsl_matrix_isnull(m);
    PyObject *answer = PyBool_FromLong(result ? 1 : 0);
    return dlb_py_finish_call(&dl_matrix_isnull_call, arrays, answer);
}

static PyMethodDef dl_dlgsl_matrix_methods[] = {
    {"from_dlpack", DLB_PY_METHOD(dl_dlgsl_matrix_from_producer),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_dlpack($type, x, /, *, device=None, copy=None)\n"
     "--\n\n"
     "An object that shows the memory of x, without a copy.\n\n"
     "Takes writable float64 arrays of 2 axes on the CPU, compact but for the outermost axis, "
     "without negative strides."},
    {"empty", DLB_PY_METHOD(dl_dlgsl_matrix_empty), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='float64')\n"
     "--\n\n"
     "A new object of that shape, made by the library; its elements are what the library "
     "leaves there."},
    {"transpose", py_dlgsl_matrix_transpose, METH_NOARGS,
     "transpose($self, /)\n"
     "--\n\n"
     "Transposes the square matrix in place.\n\n"
     "Raises ValueError if the library reports a failure."},
    {"swap_rows", DLB_PY_METHOD(py_dlgsl_matrix_swap_rows), METH_FASTCALL | METH_KEYWORDS,
     "swap_rows($self, /, i, j)\n"
     "--\n\n"
     "Swaps two rows.\n\n"
     "Raises IndexError if the library reports a failure."},
    {"set_identity", py_dlgsl_matrix_set_identity, METH_NOARGS,
     "set_identity($self, /)\n"
     "--\n\n"
     "Ones on the diagonal, zeroes elsewhere."},
#if 1
    {"set_all", DLB_PY_METHOD(py_dlgsl_matrix_set_all), METH_FASTCALL | METH_KEYWORDS,
     "set_all($self, /, x)\n"
     "--\n\n"
     "Sets all elements."},
#endif
    {"add", DLB_PY_METHOD(py_dlgsl_matrix_add), METH_FASTCALL | METH_KEYWORDS,
     "add($self, /, other)\n"
     "--\n\n"
     "Adds the elements of another one.\n\n"
     "`other` is read: Matrix, or an array that Matrix.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure."},
    {"isnull", py_dlgsl_matrix_isnull, METH_NOARGS,
     "isnull($self, /)\n"
     "--\n\n"
     "Whether all elements are zero."},
    {NULL, NULL, 0, NULL},
};

DLB_PY_DEFINE_EXCHANGE_API(dl_dlgsl_matrix_api, dlgsl_matrix_type, dlb_py_api_view)

static const dlb_py_class dl_dlgsl_matrix_class = {
    .type = &dlgsl_matrix_type,
    .c_type = "gsl_matrix",
    .doc = "A gsl_matrix, stored by rows.",
    .methods = dl_dlgsl_matrix_methods,
    .api = &dl_dlgsl_matrix_api,
};

DLB_PY_DEFINE_WRAP(dlgsl_matrix, gsl_matrix *)
DLB_PY_DEFINE_UNWRAP(dlgsl_matrix, gsl_matrix *)

/* ---- MatrixF32 ---- */

DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_matrix_f32_from_producer, dlb_py_from_dlpack_call,
                           dlgsl_matrix_f32_type)
DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_matrix_f32_empty, dlb_py_empty, dlgsl_matrix_f32_type)

static const dlb_py_function dl_matrix_f32_transpose_call = {
    .name = "transpose",
    .operand_count = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_f32_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_f32_transpose(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_float_transpose, int (*)(gsl_matrix_float *), "MatrixF32.transpose.c: gsl_matrix_float_transpose is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];
    PyObject *answer = NULL;

    (void)unused;
    if (dlb_py_take(&dl_matrix_f32_transpose_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_float *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    int result = gsl_matrix_float_transpose(m);
    dlb_py_check_place(&dl_matrix_f32_transpose_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    if (result == GSL_SUCCESS) { /* MatrixF32.transpose.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_matrix_f32_transpose_call, NULL, PyExc_ValueError,
                           "gsl_matrix_float_transpose()",
                           gsl_strerror(result) /* MatrixF32.transpose.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_matrix_f32_transpose_call, arrays, answer);
}

static const dlb_py_function dl_matrix_f32_swap_rows_call = {
    .name = "swap_rows",
    .count = 2,
    .positional = 2,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(size_t, "i", 1), DLB_PY_PARAM(size_t, "j", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_f32_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_f32_swap_rows(PyObject *object, PyObject *const *args,
                                               Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_float_swap_rows, int (*)(gsl_matrix_float *, size_t, size_t), "MatrixF32.swap_rows.c: gsl_matrix_float_swap_rows is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given =
        dlb_py_arguments(&dl_matrix_f32_swap_rows_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    size_t i = 0;
    size_t j = 0;
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_read_number(&dl_matrix_f32_swap_rows_call, 0, given, &i) != 0 ||
        dlb_py_read_number(&dl_matrix_f32_swap_rows_call, 1, given, &j) != 0 ||
        dlb_py_take(&dl_matrix_f32_swap_rows_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_float *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    int result = gsl_matrix_float_swap_rows(m, i, j);
    dlb_py_check_place(&dl_matrix_f32_swap_rows_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    if (result == GSL_SUCCESS) { /* MatrixF32.swap_rows.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_matrix_f32_swap_rows_call, given, PyExc_IndexError,
                           "gsl_matrix_float_swap_rows()",
                           gsl_strerror(result) /* MatrixF32.swap_rows.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_matrix_f32_swap_rows_call, arrays, answer);
}

static const dlb_py_function dl_matrix_f32_set_identity_call = {
    .name = "set_identity",
    .operand_count = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_f32_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_f32_set_identity(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_float_set_identity, void (*)(gsl_matrix_float *), "MatrixF32.set_identity.c: gsl_matrix_float_set_identity is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_matrix_f32_set_identity_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_float *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    gsl_matrix_float_set_identity(m);
    dlb_py_check_place(&dl_matrix_f32_set_identity_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_matrix_f32_set_identity_call, arrays, answer);
}

#if 1
static const dlb_py_function dl_matrix_f32_set_all_call = {
    .name = "set_all",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(float, "x", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_f32_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_f32_set_all(PyObject *object, PyObject *const *args,
                                             Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_float_set_all, void (*)(gsl_matrix_float *, float), "MatrixF32.set_all.c: gsl_matrix_float_set_all is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_matrix_f32_set_all_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    float x = 0;

    if (given == NULL || dlb_py_read_number(&dl_matrix_f32_set_all_call, 0, given, &x) != 0 ||
        dlb_py_take(&dl_matrix_f32_set_all_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_float *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    gsl_matrix_float_set_all(m, x);
    dlb_py_check_place(&dl_matrix_f32_set_all_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_matrix_f32_set_all_call, arrays, answer);
}

#endif

static const dlb_py_function dl_matrix_f32_add_call = {
    .name = "add",
    .count = 1,
    .positional = 1,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("other", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_f32_type, .flags = DLB_PY_WRITES},
                        {.param = 0, .type = &dlgsl_matrix_f32_type}),
};

static PyObject *py_dlgsl_matrix_f32_add(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                         PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_float_add, int (*)(gsl_matrix_float *, const gsl_matrix_float *), "MatrixF32.add.c: gsl_matrix_float_add is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_matrix_f32_add_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_take(&dl_matrix_f32_add_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_float *m = arrays[0].object;
    const gsl_matrix_float *other = arrays[1].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    int result = gsl_matrix_float_add(m, other);
    dlb_py_check_place(&dl_matrix_f32_add_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    if (result == GSL_SUCCESS) { /* MatrixF32.add.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_matrix_f32_add_call, given, PyExc_ValueError,
                           "gsl_matrix_float_add()", gsl_strerror(result) /* MatrixF32.add.error */,
                           DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_matrix_f32_add_call, arrays, answer);
}

static const dlb_py_function dl_matrix_f32_isnull_call = {
    .name = "isnull",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_f32_type}),
};

static PyObject *py_dlgsl_matrix_f32_isnull(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_float_isnull, int (*)(const gsl_matrix_float *), "MatrixF32.isnull.c: gsl_matrix_float_isnull is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_matrix_f32_isnull_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    const gsl_matrix_float *m = arrays[0].object;

    int result = gsl_matrix_float_isnull(m);
    PyObject *answer = PyBool_FromLong(result ? 1 : 0);
    return dlb_py_finish_call(&dl_matrix_f32_isnull_call, arrays, answer);
}

static PyMethodDef dl_dlgsl_matrix_f32_methods[] = {
    {"from_dlpack", DLB_PY_METHOD(dl_dlgsl_matrix_f32_from_producer),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_dlpack($type, x, /, *, device=None, copy=None)\n"
     "--\n\n"
     "An object that shows the memory of x, without a copy.\n\n"
     "Takes writable float32 arrays of 2 axes on the CPU, compact but for the outermost axis, "
     "without negative strides."},
    {"empty", DLB_PY_METHOD(dl_dlgsl_matrix_f32_empty), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='float32')\n"
     "--\n\n"
     "A new object of that shape, made by the library; its elements are what the library "
     "leaves there."},
    {"transpose", py_dlgsl_matrix_f32_transpose, METH_NOARGS,
     "transpose($self, /)\n"
     "--\n\n"
     "Transposes the square matrix in place.\n\n"
     "Raises ValueError if the library reports a failure."},
    {"swap_rows", DLB_PY_METHOD(py_dlgsl_matrix_f32_swap_rows), METH_FASTCALL | METH_KEYWORDS,
     "swap_rows($self, /, i, j)\n"
     "--\n\n"
     "Swaps two rows.\n\n"
     "Raises IndexError if the library reports a failure."},
    {"set_identity", py_dlgsl_matrix_f32_set_identity, METH_NOARGS,
     "set_identity($self, /)\n"
     "--\n\n"
     "Ones on the diagonal, zeroes elsewhere."},
#if 1
    {"set_all", DLB_PY_METHOD(py_dlgsl_matrix_f32_set_all), METH_FASTCALL | METH_KEYWORDS,
     "set_all($self, /, x)\n"
     "--\n\n"
     "Sets all elements."},
#endif
    {"add", DLB_PY_METHOD(py_dlgsl_matrix_f32_add), METH_FASTCALL | METH_KEYWORDS,
     "add($self, /, other)\n"
     "--\n\n"
     "Adds the elements of another one.\n\n"
     "`other` is read: MatrixF32, or an array that MatrixF32.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure."},
    {"isnull", py_dlgsl_matrix_f32_isnull, METH_NOARGS,
     "isnull($self, /)\n"
     "--\n\n"
     "Whether all elements are zero."},
    {NULL, NULL, 0, NULL},
};

DLB_PY_DEFINE_EXCHANGE_API(dl_dlgsl_matrix_f32_api, dlgsl_matrix_f32_type, dlb_py_api_view)

static const dlb_py_class dl_dlgsl_matrix_f32_class = {
    .type = &dlgsl_matrix_f32_type,
    .c_type = "gsl_matrix_float",
    .doc = "A gsl_matrix_float, stored by rows.",
    .methods = dl_dlgsl_matrix_f32_methods,
    .api = &dl_dlgsl_matrix_f32_api,
};

DLB_PY_DEFINE_WRAP(dlgsl_matrix_f32, gsl_matrix_float *)
DLB_PY_DEFINE_UNWRAP(dlgsl_matrix_f32, gsl_matrix_float *)

/* ---- MatrixI32 ---- */

DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_matrix_i32_from_producer, dlb_py_from_dlpack_call,
                           dlgsl_matrix_i32_type)
DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_matrix_i32_empty, dlb_py_empty, dlgsl_matrix_i32_type)

static const dlb_py_function dl_matrix_i32_transpose_call = {
    .name = "transpose",
    .operand_count = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_i32_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_i32_transpose(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_int_transpose, int (*)(gsl_matrix_int *), "MatrixI32.transpose.c: gsl_matrix_int_transpose is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];
    PyObject *answer = NULL;

    (void)unused;
    if (dlb_py_take(&dl_matrix_i32_transpose_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_int *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    int result = gsl_matrix_int_transpose(m);
    dlb_py_check_place(&dl_matrix_i32_transpose_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    if (result == GSL_SUCCESS) { /* MatrixI32.transpose.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_matrix_i32_transpose_call, NULL, PyExc_ValueError,
                           "gsl_matrix_int_transpose()",
                           gsl_strerror(result) /* MatrixI32.transpose.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_matrix_i32_transpose_call, arrays, answer);
}

static const dlb_py_function dl_matrix_i32_swap_rows_call = {
    .name = "swap_rows",
    .count = 2,
    .positional = 2,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(size_t, "i", 1), DLB_PY_PARAM(size_t, "j", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_i32_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_i32_swap_rows(PyObject *object, PyObject *const *args,
                                               Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_int_swap_rows, int (*)(gsl_matrix_int *, size_t, size_t), "MatrixI32.swap_rows.c: gsl_matrix_int_swap_rows is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given =
        dlb_py_arguments(&dl_matrix_i32_swap_rows_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    size_t i = 0;
    size_t j = 0;
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_read_number(&dl_matrix_i32_swap_rows_call, 0, given, &i) != 0 ||
        dlb_py_read_number(&dl_matrix_i32_swap_rows_call, 1, given, &j) != 0 ||
        dlb_py_take(&dl_matrix_i32_swap_rows_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_int *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    int result = gsl_matrix_int_swap_rows(m, i, j);
    dlb_py_check_place(&dl_matrix_i32_swap_rows_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    if (result == GSL_SUCCESS) { /* MatrixI32.swap_rows.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_matrix_i32_swap_rows_call, given, PyExc_IndexError,
                           "gsl_matrix_int_swap_rows()",
                           gsl_strerror(result) /* MatrixI32.swap_rows.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_matrix_i32_swap_rows_call, arrays, answer);
}

static const dlb_py_function dl_matrix_i32_set_identity_call = {
    .name = "set_identity",
    .operand_count = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_i32_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_i32_set_identity(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_int_set_identity, void (*)(gsl_matrix_int *), "MatrixI32.set_identity.c: gsl_matrix_int_set_identity is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_matrix_i32_set_identity_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_int *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    gsl_matrix_int_set_identity(m);
    dlb_py_check_place(&dl_matrix_i32_set_identity_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_matrix_i32_set_identity_call, arrays, answer);
}

#if 1
static const dlb_py_function dl_matrix_i32_set_all_call = {
    .name = "set_all",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(int, "x", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_i32_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_i32_set_all(PyObject *object, PyObject *const *args,
                                             Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_int_set_all, void (*)(gsl_matrix_int *, int), "MatrixI32.set_all.c: gsl_matrix_int_set_all is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_matrix_i32_set_all_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    int x = 0;

    if (given == NULL || dlb_py_read_number(&dl_matrix_i32_set_all_call, 0, given, &x) != 0 ||
        dlb_py_take(&dl_matrix_i32_set_all_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_int *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    gsl_matrix_int_set_all(m, x);
    dlb_py_check_place(&dl_matrix_i32_set_all_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_matrix_i32_set_all_call, arrays, answer);
}

#endif

static const dlb_py_function dl_matrix_i32_add_call = {
    .name = "add",
    .count = 1,
    .positional = 1,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("other", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_i32_type, .flags = DLB_PY_WRITES},
                        {.param = 0, .type = &dlgsl_matrix_i32_type}),
};

static PyObject *py_dlgsl_matrix_i32_add(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                         PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_int_add, int (*)(gsl_matrix_int *, const gsl_matrix_int *), "MatrixI32.add.c: gsl_matrix_int_add is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_matrix_i32_add_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_take(&dl_matrix_i32_add_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_int *m = arrays[0].object;
    const gsl_matrix_int *other = arrays[1].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    int result = gsl_matrix_int_add(m, other);
    dlb_py_check_place(&dl_matrix_i32_add_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    if (result == GSL_SUCCESS) { /* MatrixI32.add.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_matrix_i32_add_call, given, PyExc_ValueError, "gsl_matrix_int_add()",
                           gsl_strerror(result) /* MatrixI32.add.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_matrix_i32_add_call, arrays, answer);
}

static const dlb_py_function dl_matrix_i32_isnull_call = {
    .name = "isnull",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_i32_type}),
};

static PyObject *py_dlgsl_matrix_i32_isnull(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_int_isnull, int (*)(const gsl_matrix_int *), "MatrixI32.isnull.c: gsl_matrix_int_isnull is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_matrix_i32_isnull_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    const gsl_matrix_int *m = arrays[0].object;

    int result = gsl_matrix_int_isnull(m);
    PyObject *answer = PyBool_FromLong(result ? 1 : 0);
    return dlb_py_finish_call(&dl_matrix_i32_isnull_call, arrays, answer);
}

static PyMethodDef dl_dlgsl_matrix_i32_methods[] = {
    {"from_dlpack", DLB_PY_METHOD(dl_dlgsl_matrix_i32_from_producer),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_dlpack($type, x, /, *, device=None, copy=None)\n"
     "--\n\n"
     "An object that shows the memory of x, without a copy.\n\n"
     "Takes writable int32 arrays of 2 axes on the CPU, compact but for the outermost axis, "
     "without negative strides."},
    {"empty", DLB_PY_METHOD(dl_dlgsl_matrix_i32_empty), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='int32')\n"
     "--\n\n"
     "A new object of that shape, made by the library; its elements are what the library "
     "leaves there."},
    {"transpose", py_dlgsl_matrix_i32_transpose, METH_NOARGS,
     "transpose($self, /)\n"
     "--\n\n"
     "Transposes the square matrix in place.\n\n"
     "Raises ValueError if the library reports a failure."},
    {"swap_rows", DLB_PY_METHOD(py_dlgsl_matrix_i32_swap_rows), METH_FASTCALL | METH_KEYWORDS,
     "swap_rows($self, /, i, j)\n"
     "--\n\n"
     "Swaps two rows.\n\n"
     "Raises IndexError if the library reports a failure."},
    {"set_identity", py_dlgsl_matrix_i32_set_identity, METH_NOARGS,
     "set_identity($self, /)\n"
     "--\n\n"
     "Ones on the diagonal, zeroes elsewhere."},
#if 1
    {"set_all", DLB_PY_METHOD(py_dlgsl_matrix_i32_set_all), METH_FASTCALL | METH_KEYWORDS,
     "set_all($self, /, x)\n"
     "--\n\n"
     "Sets all elements."},
#endif
    {"add", DLB_PY_METHOD(py_dlgsl_matrix_i32_add), METH_FASTCALL | METH_KEYWORDS,
     "add($self, /, other)\n"
     "--\n\n"
     "Adds the elements of another one.\n\n"
     "`other` is read: MatrixI32, or an array that MatrixI32.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure."},
    {"isnull", py_dlgsl_matrix_i32_isnull, METH_NOARGS,
     "isnull($self, /)\n"
     "--\n\n"
     "Whether all elements are zero."},
    {NULL, NULL, 0, NULL},
};

DLB_PY_DEFINE_EXCHANGE_API(dl_dlgsl_matrix_i32_api, dlgsl_matrix_i32_type, dlb_py_api_view)

static const dlb_py_class dl_dlgsl_matrix_i32_class = {
    .type = &dlgsl_matrix_i32_type,
    .c_type = "gsl_matrix_int",
    .doc = "A gsl_matrix_int, stored by rows.",
    .methods = dl_dlgsl_matrix_i32_methods,
    .api = &dl_dlgsl_matrix_i32_api,
};

DLB_PY_DEFINE_WRAP(dlgsl_matrix_i32, gsl_matrix_int *)
DLB_PY_DEFINE_UNWRAP(dlgsl_matrix_i32, gsl_matrix_int *)

/* ---- MatrixU16 ---- */

DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_matrix_u16_from_producer, dlb_py_from_dlpack_call,
                           dlgsl_matrix_u16_type)
DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_matrix_u16_empty, dlb_py_empty, dlgsl_matrix_u16_type)

static const dlb_py_function dl_matrix_u16_transpose_call = {
    .name = "transpose",
    .operand_count = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_u16_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_u16_transpose(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_ushort_transpose, int (*)(gsl_matrix_ushort *), "MatrixU16.transpose.c: gsl_matrix_ushort_transpose is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];
    PyObject *answer = NULL;

    (void)unused;
    if (dlb_py_take(&dl_matrix_u16_transpose_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_ushort *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    int result = gsl_matrix_ushort_transpose(m);
    dlb_py_check_place(&dl_matrix_u16_transpose_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    if (result == GSL_SUCCESS) { /* MatrixU16.transpose.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_matrix_u16_transpose_call, NULL, PyExc_ValueError,
                           "gsl_matrix_ushort_transpose()",
                           gsl_strerror(result) /* MatrixU16.transpose.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_matrix_u16_transpose_call, arrays, answer);
}

static const dlb_py_function dl_matrix_u16_swap_rows_call = {
    .name = "swap_rows",
    .count = 2,
    .positional = 2,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(size_t, "i", 1), DLB_PY_PARAM(size_t, "j", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_u16_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_u16_swap_rows(PyObject *object, PyObject *const *args,
                                               Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_ushort_swap_rows, int (*)(gsl_matrix_ushort *, size_t, size_t), "MatrixU16.swap_rows.c: gsl_matrix_ushort_swap_rows is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given =
        dlb_py_arguments(&dl_matrix_u16_swap_rows_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    size_t i = 0;
    size_t j = 0;
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_read_number(&dl_matrix_u16_swap_rows_call, 0, given, &i) != 0 ||
        dlb_py_read_number(&dl_matrix_u16_swap_rows_call, 1, given, &j) != 0 ||
        dlb_py_take(&dl_matrix_u16_swap_rows_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_ushort *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    int result = gsl_matrix_ushort_swap_rows(m, i, j);
    dlb_py_check_place(&dl_matrix_u16_swap_rows_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    if (result == GSL_SUCCESS) { /* MatrixU16.swap_rows.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_matrix_u16_swap_rows_call, given, PyExc_IndexError,
                           "gsl_matrix_ushort_swap_rows()",
                           gsl_strerror(result) /* MatrixU16.swap_rows.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_matrix_u16_swap_rows_call, arrays, answer);
}

static const dlb_py_function dl_matrix_u16_set_identity_call = {
    .name = "set_identity",
    .operand_count = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_u16_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_u16_set_identity(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_ushort_set_identity, void (*)(gsl_matrix_ushort *), "MatrixU16.set_identity.c: gsl_matrix_ushort_set_identity is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_matrix_u16_set_identity_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_ushort *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    gsl_matrix_ushort_set_identity(m);
    dlb_py_check_place(&dl_matrix_u16_set_identity_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_matrix_u16_set_identity_call, arrays, answer);
}

#if 1
static const dlb_py_function dl_matrix_u16_set_all_call = {
    .name = "set_all",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(unsigned short, "x", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_u16_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_u16_set_all(PyObject *object, PyObject *const *args,
                                             Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_ushort_set_all, void (*)(gsl_matrix_ushort *, unsigned short), "MatrixU16.set_all.c: gsl_matrix_ushort_set_all is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_matrix_u16_set_all_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    unsigned short x = 0;

    if (given == NULL || dlb_py_read_number(&dl_matrix_u16_set_all_call, 0, given, &x) != 0 ||
        dlb_py_take(&dl_matrix_u16_set_all_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_ushort *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    gsl_matrix_ushort_set_all(m, x);
    dlb_py_check_place(&dl_matrix_u16_set_all_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_matrix_u16_set_all_call, arrays, answer);
}

#endif

static const dlb_py_function dl_matrix_u16_add_call = {
    .name = "add",
    .count = 1,
    .positional = 1,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("other", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_u16_type, .flags = DLB_PY_WRITES},
                        {.param = 0, .type = &dlgsl_matrix_u16_type}),
};

static PyObject *py_dlgsl_matrix_u16_add(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                         PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_ushort_add, int (*)(gsl_matrix_ushort *, const gsl_matrix_ushort *), "MatrixU16.add.c: gsl_matrix_ushort_add is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_matrix_u16_add_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_take(&dl_matrix_u16_add_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_ushort *m = arrays[0].object;
    const gsl_matrix_ushort *other = arrays[1].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    int result = gsl_matrix_ushort_add(m, other);
    dlb_py_check_place(&dl_matrix_u16_add_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    if (result == GSL_SUCCESS) { /* MatrixU16.add.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_matrix_u16_add_call, given, PyExc_ValueError,
                           "gsl_matrix_ushort_add()",
                           gsl_strerror(result) /* MatrixU16.add.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_matrix_u16_add_call, arrays, answer);
}

static const dlb_py_function dl_matrix_u16_isnull_call = {
    .name = "isnull",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_u16_type}),
};

static PyObject *py_dlgsl_matrix_u16_isnull(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_ushort_isnull, int (*)(const gsl_matrix_ushort *), "MatrixU16.isnull.c: gsl_matrix_ushort_isnull is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_matrix_u16_isnull_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    const gsl_matrix_ushort *m = arrays[0].object;

    int result = gsl_matrix_ushort_isnull(m);
    PyObject *answer = PyBool_FromLong(result ? 1 : 0);
    return dlb_py_finish_call(&dl_matrix_u16_isnull_call, arrays, answer);
}

static PyMethodDef dl_dlgsl_matrix_u16_methods[] = {
    {"from_dlpack", DLB_PY_METHOD(dl_dlgsl_matrix_u16_from_producer),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_dlpack($type, x, /, *, device=None, copy=None)\n"
     "--\n\n"
     "An object that shows the memory of x, without a copy.\n\n"
     "Takes writable uint16 arrays of 2 axes on the CPU, compact but for the outermost axis, "
     "without negative strides."},
    {"empty", DLB_PY_METHOD(dl_dlgsl_matrix_u16_empty), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='uint16')\n"
     "--\n\n"
     "A new object of that shape, made by the library; its elements are what the library "
     "leaves there."},
    {"transpose", py_dlgsl_matrix_u16_transpose, METH_NOARGS,
     "transpose($self, /)\n"
     "--\n\n"
     "Transposes the square matrix in place.\n\n"
     "Raises ValueError if the library reports a failure."},
    {"swap_rows", DLB_PY_METHOD(py_dlgsl_matrix_u16_swap_rows), METH_FASTCALL | METH_KEYWORDS,
     "swap_rows($self, /, i, j)\n"
     "--\n\n"
     "Swaps two rows.\n\n"
     "Raises IndexError if the library reports a failure."},
    {"set_identity", py_dlgsl_matrix_u16_set_identity, METH_NOARGS,
     "set_identity($self, /)\n"
     "--\n\n"
     "Ones on the diagonal, zeroes elsewhere."},
#if 1
    {"set_all", DLB_PY_METHOD(py_dlgsl_matrix_u16_set_all), METH_FASTCALL | METH_KEYWORDS,
     "set_all($self, /, x)\n"
     "--\n\n"
     "Sets all elements."},
#endif
    {"add", DLB_PY_METHOD(py_dlgsl_matrix_u16_add), METH_FASTCALL | METH_KEYWORDS,
     "add($self, /, other)\n"
     "--\n\n"
     "Adds the elements of another one.\n\n"
     "`other` is read: MatrixU16, or an array that MatrixU16.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure."},
    {"isnull", py_dlgsl_matrix_u16_isnull, METH_NOARGS,
     "isnull($self, /)\n"
     "--\n\n"
     "Whether all elements are zero."},
    {NULL, NULL, 0, NULL},
};

DLB_PY_DEFINE_EXCHANGE_API(dl_dlgsl_matrix_u16_api, dlgsl_matrix_u16_type, dlb_py_api_view)

static const dlb_py_class dl_dlgsl_matrix_u16_class = {
    .type = &dlgsl_matrix_u16_type,
    .c_type = "gsl_matrix_ushort",
    .doc = "A gsl_matrix_ushort, stored by rows.",
    .methods = dl_dlgsl_matrix_u16_methods,
    .api = &dl_dlgsl_matrix_u16_api,
};

DLB_PY_DEFINE_WRAP(dlgsl_matrix_u16, gsl_matrix_ushort *)
DLB_PY_DEFINE_UNWRAP(dlgsl_matrix_u16, gsl_matrix_ushort *)

/* ---- MatrixU8 ---- */

DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_matrix_u8_from_producer, dlb_py_from_dlpack_call,
                           dlgsl_matrix_u8_type)
DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_matrix_u8_empty, dlb_py_empty, dlgsl_matrix_u8_type)

static const dlb_py_function dl_matrix_u8_transpose_call = {
    .name = "transpose",
    .operand_count = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_u8_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_u8_transpose(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_uchar_transpose, int (*)(gsl_matrix_uchar *), "MatrixU8.transpose.c: gsl_matrix_uchar_transpose is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];
    PyObject *answer = NULL;

    (void)unused;
    if (dlb_py_take(&dl_matrix_u8_transpose_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_uchar *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    int result = gsl_matrix_uchar_transpose(m);
    dlb_py_check_place(&dl_matrix_u8_transpose_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    if (result == GSL_SUCCESS) { /* MatrixU8.transpose.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_matrix_u8_transpose_call, NULL, PyExc_ValueError,
                           "gsl_matrix_uchar_transpose()",
                           gsl_strerror(result) /* MatrixU8.transpose.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_matrix_u8_transpose_call, arrays, answer);
}

static const dlb_py_function dl_matrix_u8_swap_rows_call = {
    .name = "swap_rows",
    .count = 2,
    .positional = 2,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(size_t, "i", 1), DLB_PY_PARAM(size_t, "j", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_u8_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_u8_swap_rows(PyObject *object, PyObject *const *args,
                                              Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_uchar_swap_rows, int (*)(gsl_matrix_uchar *, size_t, size_t), "MatrixU8.swap_rows.c: gsl_matrix_uchar_swap_rows is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given =
        dlb_py_arguments(&dl_matrix_u8_swap_rows_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    size_t i = 0;
    size_t j = 0;
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_read_number(&dl_matrix_u8_swap_rows_call, 0, given, &i) != 0 ||
        dlb_py_read_number(&dl_matrix_u8_swap_rows_call, 1, given, &j) != 0 ||
        dlb_py_take(&dl_matrix_u8_swap_rows_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_uchar *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    int result = gsl_matrix_uchar_swap_rows(m, i, j);
    dlb_py_check_place(&dl_matrix_u8_swap_rows_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    if (result == GSL_SUCCESS) { /* MatrixU8.swap_rows.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_matrix_u8_swap_rows_call, given, PyExc_IndexError,
                           "gsl_matrix_uchar_swap_rows()",
                           gsl_strerror(result) /* MatrixU8.swap_rows.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_matrix_u8_swap_rows_call, arrays, answer);
}

static const dlb_py_function dl_matrix_u8_set_identity_call = {
    .name = "set_identity",
    .operand_count = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_u8_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_u8_set_identity(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_uchar_set_identity, void (*)(gsl_matrix_uchar *), "MatrixU8.set_identity.c: gsl_matrix_uchar_set_identity is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_matrix_u8_set_identity_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_uchar *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    gsl_matrix_uchar_set_identity(m);
    dlb_py_check_place(&dl_matrix_u8_set_identity_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_matrix_u8_set_identity_call, arrays, answer);
}

#if 1
static const dlb_py_function dl_matrix_u8_set_all_call = {
    .name = "set_all",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(unsigned char, "x", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_u8_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_u8_set_all(PyObject *object, PyObject *const *args,
                                            Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_uchar_set_all, void (*)(gsl_matrix_uchar *, unsigned char), "MatrixU8.set_all.c: gsl_matrix_uchar_set_all is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_matrix_u8_set_all_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    unsigned char x = 0;

    if (given == NULL || dlb_py_read_number(&dl_matrix_u8_set_all_call, 0, given, &x) != 0 ||
        dlb_py_take(&dl_matrix_u8_set_all_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_uchar *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    gsl_matrix_uchar_set_all(m, x);
    dlb_py_check_place(&dl_matrix_u8_set_all_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_matrix_u8_set_all_call, arrays, answer);
}

#endif

static const dlb_py_function dl_matrix_u8_add_call = {
    .name = "add",
    .count = 1,
    .positional = 1,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("other", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_u8_type, .flags = DLB_PY_WRITES},
                        {.param = 0, .type = &dlgsl_matrix_u8_type}),
};

static PyObject *py_dlgsl_matrix_u8_add(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                        PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_uchar_add, int (*)(gsl_matrix_uchar *, const gsl_matrix_uchar *), "MatrixU8.add.c: gsl_matrix_uchar_add is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_matrix_u8_add_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_take(&dl_matrix_u8_add_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_uchar *m = arrays[0].object;
    const gsl_matrix_uchar *other = arrays[1].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    int result = gsl_matrix_uchar_add(m, other);
    dlb_py_check_place(&dl_matrix_u8_add_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    if (result == GSL_SUCCESS) { /* MatrixU8.add.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_matrix_u8_add_call, given, PyExc_ValueError,
                           "gsl_matrix_uchar_add()", gsl_strerror(result) /* MatrixU8.add.error */,
                           DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_matrix_u8_add_call, arrays, answer);
}

static const dlb_py_function dl_matrix_u8_isnull_call = {
    .name = "isnull",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_u8_type}),
};

static PyObject *py_dlgsl_matrix_u8_isnull(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_uchar_isnull, int (*)(const gsl_matrix_uchar *), "MatrixU8.isnull.c: gsl_matrix_uchar_isnull is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_matrix_u8_isnull_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    const gsl_matrix_uchar *m = arrays[0].object;

    int result = gsl_matrix_uchar_isnull(m);
    PyObject *answer = PyBool_FromLong(result ? 1 : 0);
    return dlb_py_finish_call(&dl_matrix_u8_isnull_call, arrays, answer);
}

static PyMethodDef dl_dlgsl_matrix_u8_methods[] = {
    {"from_dlpack", DLB_PY_METHOD(dl_dlgsl_matrix_u8_from_producer),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_dlpack($type, x, /, *, device=None, copy=None)\n"
     "--\n\n"
     "An object that shows the memory of x, without a copy.\n\n"
     "Takes writable uint8 arrays of 2 axes on the CPU, compact but for the outermost axis, "
     "without negative strides."},
    {"empty", DLB_PY_METHOD(dl_dlgsl_matrix_u8_empty), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='uint8')\n"
     "--\n\n"
     "A new object of that shape, made by the library; its elements are what the library "
     "leaves there."},
    {"transpose", py_dlgsl_matrix_u8_transpose, METH_NOARGS,
     "transpose($self, /)\n"
     "--\n\n"
     "Transposes the square matrix in place.\n\n"
     "Raises ValueError if the library reports a failure."},
    {"swap_rows", DLB_PY_METHOD(py_dlgsl_matrix_u8_swap_rows), METH_FASTCALL | METH_KEYWORDS,
     "swap_rows($self, /, i, j)\n"
     "--\n\n"
     "Swaps two rows.\n\n"
     "Raises IndexError if the library reports a failure."},
    {"set_identity", py_dlgsl_matrix_u8_set_identity, METH_NOARGS,
     "set_identity($self, /)\n"
     "--\n\n"
     "Ones on the diagonal, zeroes elsewhere."},
#if 1
    {"set_all", DLB_PY_METHOD(py_dlgsl_matrix_u8_set_all), METH_FASTCALL | METH_KEYWORDS,
     "set_all($self, /, x)\n"
     "--\n\n"
     "Sets all elements."},
#endif
    {"add", DLB_PY_METHOD(py_dlgsl_matrix_u8_add), METH_FASTCALL | METH_KEYWORDS,
     "add($self, /, other)\n"
     "--\n\n"
     "Adds the elements of another one.\n\n"
     "`other` is read: MatrixU8, or an array that MatrixU8.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure."},
    {"isnull", py_dlgsl_matrix_u8_isnull, METH_NOARGS,
     "isnull($self, /)\n"
     "--\n\n"
     "Whether all elements are zero."},
    {NULL, NULL, 0, NULL},
};

DLB_PY_DEFINE_EXCHANGE_API(dl_dlgsl_matrix_u8_api, dlgsl_matrix_u8_type, dlb_py_api_view)

static const dlb_py_class dl_dlgsl_matrix_u8_class = {
    .type = &dlgsl_matrix_u8_type,
    .c_type = "gsl_matrix_uchar",
    .doc = "A gsl_matrix_uchar, stored by rows.",
    .methods = dl_dlgsl_matrix_u8_methods,
    .api = &dl_dlgsl_matrix_u8_api,
};

DLB_PY_DEFINE_WRAP(dlgsl_matrix_u8, gsl_matrix_uchar *)
DLB_PY_DEFINE_UNWRAP(dlgsl_matrix_u8, gsl_matrix_uchar *)

/* ---- MatrixLong ---- */

DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_matrix_long_from_producer, dlb_py_from_dlpack_call,
                           dlgsl_matrix_long_type)
DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_matrix_long_empty, dlb_py_empty, dlgsl_matrix_long_type)

static const dlb_py_function dl_matrix_long_transpose_call = {
    .name = "transpose",
    .operand_count = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_long_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_long_transpose(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_long_transpose, int (*)(gsl_matrix_long *), "MatrixLong.transpose.c: gsl_matrix_long_transpose is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];
    PyObject *answer = NULL;

    (void)unused;
    if (dlb_py_take(&dl_matrix_long_transpose_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_long *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    int result = gsl_matrix_long_transpose(m);
    dlb_py_check_place(&dl_matrix_long_transpose_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    if (result == GSL_SUCCESS) { /* MatrixLong.transpose.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(
            &dl_matrix_long_transpose_call, NULL, PyExc_ValueError, "gsl_matrix_long_transpose()",
            gsl_strerror(result) /* MatrixLong.transpose.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_matrix_long_transpose_call, arrays, answer);
}

static const dlb_py_function dl_matrix_long_swap_rows_call = {
    .name = "swap_rows",
    .count = 2,
    .positional = 2,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(size_t, "i", 1), DLB_PY_PARAM(size_t, "j", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_long_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_long_swap_rows(PyObject *object, PyObject *const *args,
                                                Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_long_swap_rows, int (*)(gsl_matrix_long *, size_t, size_t), "MatrixLong.swap_rows.c: gsl_matrix_long_swap_rows is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given =
        dlb_py_arguments(&dl_matrix_long_swap_rows_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    size_t i = 0;
    size_t j = 0;
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_read_number(&dl_matrix_long_swap_rows_call, 0, given, &i) != 0 ||
        dlb_py_read_number(&dl_matrix_long_swap_rows_call, 1, given, &j) != 0 ||
        dlb_py_take(&dl_matrix_long_swap_rows_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_long *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    int result = gsl_matrix_long_swap_rows(m, i, j);
    dlb_py_check_place(&dl_matrix_long_swap_rows_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    if (result == GSL_SUCCESS) { /* MatrixLong.swap_rows.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(
            &dl_matrix_long_swap_rows_call, given, PyExc_IndexError, "gsl_matrix_long_swap_rows()",
            gsl_strerror(result) /* MatrixLong.swap_rows.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_matrix_long_swap_rows_call, arrays, answer);
}

static const dlb_py_function dl_matrix_long_set_identity_call = {
    .name = "set_identity",
    .operand_count = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_long_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_long_set_identity(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_long_set_identity, void (*)(gsl_matrix_long *), "MatrixLong.set_identity.c: gsl_matrix_long_set_identity is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_matrix_long_set_identity_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_long *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    gsl_matrix_long_set_identity(m);
    dlb_py_check_place(&dl_matrix_long_set_identity_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_matrix_long_set_identity_call, arrays, answer);
}

#if 1
static const dlb_py_function dl_matrix_long_set_all_call = {
    .name = "set_all",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(long, "x", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_long_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_long_set_all(PyObject *object, PyObject *const *args,
                                              Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_long_set_all, void (*)(gsl_matrix_long *, long), "MatrixLong.set_all.c: gsl_matrix_long_set_all is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_matrix_long_set_all_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    long x = 0;

    if (given == NULL || dlb_py_read_number(&dl_matrix_long_set_all_call, 0, given, &x) != 0 ||
        dlb_py_take(&dl_matrix_long_set_all_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_long *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    gsl_matrix_long_set_all(m, x);
    dlb_py_check_place(&dl_matrix_long_set_all_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_matrix_long_set_all_call, arrays, answer);
}

#endif

static const dlb_py_function dl_matrix_long_add_call = {
    .name = "add",
    .count = 1,
    .positional = 1,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("other", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_long_type, .flags = DLB_PY_WRITES},
                        {.param = 0, .type = &dlgsl_matrix_long_type}),
};

static PyObject *py_dlgsl_matrix_long_add(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                          PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_long_add, int (*)(gsl_matrix_long *, const gsl_matrix_long *), "MatrixLong.add.c: gsl_matrix_long_add is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_matrix_long_add_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_take(&dl_matrix_long_add_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_long *m = arrays[0].object;
    const gsl_matrix_long *other = arrays[1].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    int result = gsl_matrix_long_add(m, other);
    dlb_py_check_place(&dl_matrix_long_add_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    if (result == GSL_SUCCESS) { /* MatrixLong.add.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_matrix_long_add_call, given, PyExc_ValueError,
                           "gsl_matrix_long_add()", gsl_strerror(result) /* MatrixLong.add.error */,
                           DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_matrix_long_add_call, arrays, answer);
}

static const dlb_py_function dl_matrix_long_isnull_call = {
    .name = "isnull",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_long_type}),
};

static PyObject *py_dlgsl_matrix_long_isnull(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_long_isnull, int (*)(const gsl_matrix_long *), "MatrixLong.isnull.c: gsl_matrix_long_isnull is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_matrix_long_isnull_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    const gsl_matrix_long *m = arrays[0].object;

    int result = gsl_matrix_long_isnull(m);
    PyObject *answer = PyBool_FromLong(result ? 1 : 0);
    return dlb_py_finish_call(&dl_matrix_long_isnull_call, arrays, answer);
}

static PyMethodDef dl_dlgsl_matrix_long_methods[] = {
    {"from_dlpack", DLB_PY_METHOD(dl_dlgsl_matrix_long_from_producer),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_dlpack($type, x, /, *, device=None, copy=None)\n"
     "--\n\n"
     "An object that shows the memory of x, without a copy.\n\n"
     "Takes writable long arrays of 2 axes on the CPU, compact but for the outermost axis, "
     "without negative strides."},
    {"empty", DLB_PY_METHOD(dl_dlgsl_matrix_long_empty), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype=...)\n"
     "--\n\n"
     "A new object of that shape, made by the library; its elements are what the library "
     "leaves there."},
    {"transpose", py_dlgsl_matrix_long_transpose, METH_NOARGS,
     "transpose($self, /)\n"
     "--\n\n"
     "Transposes the square matrix in place.\n\n"
     "Raises ValueError if the library reports a failure."},
    {"swap_rows", DLB_PY_METHOD(py_dlgsl_matrix_long_swap_rows), METH_FASTCALL | METH_KEYWORDS,
     "swap_rows($self, /, i, j)\n"
     "--\n\n"
     "Swaps two rows.\n\n"
     "Raises IndexError if the library reports a failure."},
    {"set_identity", py_dlgsl_matrix_long_set_identity, METH_NOARGS,
     "set_identity($self, /)\n"
     "--\n\n"
     "Ones on the diagonal, zeroes elsewhere."},
#if 1
    {"set_all", DLB_PY_METHOD(py_dlgsl_matrix_long_set_all), METH_FASTCALL | METH_KEYWORDS,
     "set_all($self, /, x)\n"
     "--\n\n"
     "Sets all elements."},
#endif
    {"add", DLB_PY_METHOD(py_dlgsl_matrix_long_add), METH_FASTCALL | METH_KEYWORDS,
     "add($self, /, other)\n"
     "--\n\n"
     "Adds the elements of another one.\n\n"
     "`other` is read: MatrixLong, or an array that MatrixLong.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure."},
    {"isnull", py_dlgsl_matrix_long_isnull, METH_NOARGS,
     "isnull($self, /)\n"
     "--\n\n"
     "Whether all elements are zero."},
    {NULL, NULL, 0, NULL},
};

DLB_PY_DEFINE_EXCHANGE_API(dl_dlgsl_matrix_long_api, dlgsl_matrix_long_type, dlb_py_api_view)

static const dlb_py_class dl_dlgsl_matrix_long_class = {
    .type = &dlgsl_matrix_long_type,
    .c_type = "gsl_matrix_long",
    .doc = "A gsl_matrix_long, stored by rows.",
    .methods = dl_dlgsl_matrix_long_methods,
    .api = &dl_dlgsl_matrix_long_api,
};

DLB_PY_DEFINE_WRAP(dlgsl_matrix_long, gsl_matrix_long *)
DLB_PY_DEFINE_UNWRAP(dlgsl_matrix_long, gsl_matrix_long *)

/* ---- MatrixC128 ---- */

DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_matrix_c128_from_producer, dlb_py_from_dlpack_call,
                           dlgsl_matrix_c128_type)
DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_matrix_c128_empty, dlb_py_empty, dlgsl_matrix_c128_type)

static const dlb_py_function dl_matrix_c128_transpose_call = {
    .name = "transpose",
    .operand_count = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_c128_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_c128_transpose(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_complex_transpose, int (*)(gsl_matrix_complex *), "MatrixC128.transpose.c: gsl_matrix_complex_transpose is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];
    PyObject *answer = NULL;

    (void)unused;
    if (dlb_py_take(&dl_matrix_c128_transpose_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_complex *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    int result = gsl_matrix_complex_transpose(m);
    dlb_py_check_place(&dl_matrix_c128_transpose_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    if (result == GSL_SUCCESS) { /* MatrixC128.transpose.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_matrix_c128_transpose_call, NULL, PyExc_ValueError,
                           "gsl_matrix_complex_transpose()",
                           gsl_strerror(result) /* MatrixC128.transpose.error */,
                           DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_matrix_c128_transpose_call, arrays, answer);
}

static const dlb_py_function dl_matrix_c128_swap_rows_call = {
    .name = "swap_rows",
    .count = 2,
    .positional = 2,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(size_t, "i", 1), DLB_PY_PARAM(size_t, "j", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_c128_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_c128_swap_rows(PyObject *object, PyObject *const *args,
                                                Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_complex_swap_rows, int (*)(gsl_matrix_complex *, size_t, size_t), "MatrixC128.swap_rows.c: gsl_matrix_complex_swap_rows is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given =
        dlb_py_arguments(&dl_matrix_c128_swap_rows_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    size_t i = 0;
    size_t j = 0;
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_read_number(&dl_matrix_c128_swap_rows_call, 0, given, &i) != 0 ||
        dlb_py_read_number(&dl_matrix_c128_swap_rows_call, 1, given, &j) != 0 ||
        dlb_py_take(&dl_matrix_c128_swap_rows_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_complex *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    int result = gsl_matrix_complex_swap_rows(m, i, j);
    dlb_py_check_place(&dl_matrix_c128_swap_rows_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    if (result == GSL_SUCCESS) { /* MatrixC128.swap_rows.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_matrix_c128_swap_rows_call, given, PyExc_IndexError,
                           "gsl_matrix_complex_swap_rows()",
                           gsl_strerror(result) /* MatrixC128.swap_rows.error */,
                           DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_matrix_c128_swap_rows_call, arrays, answer);
}

static const dlb_py_function dl_matrix_c128_set_identity_call = {
    .name = "set_identity",
    .operand_count = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_c128_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_matrix_c128_set_identity(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_complex_set_identity, void (*)(gsl_matrix_complex *), "MatrixC128.set_identity.c: gsl_matrix_complex_set_identity is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_matrix_c128_set_identity_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_complex *m = arrays[0].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    gsl_matrix_complex_set_identity(m);
    dlb_py_check_place(&dl_matrix_c128_set_identity_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_matrix_c128_set_identity_call, arrays, answer);
}

#if 0
static const dlb_py_function dl_matrix_c128_set_all_call = {
    .name = "set_all",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(
    DLB_PY_PARAM(double, "x", 1)
),
    .operands = DLB_PY_OPERANDS({ .param = -1, .type = &dlgsl_matrix_c128_type, .flags = DLB_PY_WRITES }),
};

static PyObject *py_dlgsl_matrix_c128_set_all(PyObject *object, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
DLB_ASSERT_FUNCTION(gsl_matrix_complex_set_all, void (*)(gsl_matrix_complex *, double), "MatrixC128.set_all.c: gsl_matrix_complex_set_all is not a function of this type in the header (for a macro: 'macro: true')");

PyObject *sorted[1];
PyObject *const *given = dlb_py_arguments(&dl_matrix_c128_set_all_call, args, nargs, kwnames, sorted);
dlb_py_argument arrays[1];
double x = 0;

if (given == NULL || dlb_py_read_number(&dl_matrix_c128_set_all_call, 0, given, &x) != 0 || dlb_py_take(&dl_matrix_c128_set_all_call, object, given, arrays) != 0) {
return NULL;
}
gsl_matrix_complex *m = arrays[0].object;

const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

gsl_matrix_complex_set_all(m, x);
dlb_py_check_place(&dl_matrix_c128_set_all_call, arrays, 0, place_of_m, DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
PyObject *answer = Py_NewRef(Py_None);
return dlb_py_finish_call(&dl_matrix_c128_set_all_call, arrays, answer);
}

#endif

static const dlb_py_function dl_matrix_c128_add_call = {
    .name = "add",
    .count = 1,
    .positional = 1,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("other", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_c128_type, .flags = DLB_PY_WRITES},
                        {.param = 0, .type = &dlgsl_matrix_c128_type}),
};

static PyObject *py_dlgsl_matrix_c128_add(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                          PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_complex_add, int (*)(gsl_matrix_complex *, const gsl_matrix_complex *), "MatrixC128.add.c: gsl_matrix_complex_add is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_matrix_c128_add_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_take(&dl_matrix_c128_add_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_complex *m = arrays[0].object;
    const gsl_matrix_complex *other = arrays[1].object;

    const dlb_place place_of_m = DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2);

    int result = gsl_matrix_complex_add(m, other);
    dlb_py_check_place(&dl_matrix_c128_add_call, arrays, 0, place_of_m,
                       DLB_PLACE(m->data, (uint64_t)m->size1 * (uint64_t)m->size2));
    if (result == GSL_SUCCESS) { /* MatrixC128.add.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_matrix_c128_add_call, given, PyExc_ValueError,
                           "gsl_matrix_complex_add()",
                           gsl_strerror(result) /* MatrixC128.add.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_matrix_c128_add_call, arrays, answer);
}

static const dlb_py_function dl_matrix_c128_isnull_call = {
    .name = "isnull",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_matrix_c128_type}),
};

static PyObject *py_dlgsl_matrix_c128_isnull(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_matrix_complex_isnull, int (*)(const gsl_matrix_complex *), "MatrixC128.isnull.c: gsl_matrix_complex_isnull is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_matrix_c128_isnull_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    const gsl_matrix_complex *m = arrays[0].object;

    int result = gsl_matrix_complex_isnull(m);
    PyObject *answer = PyBool_FromLong(result ? 1 : 0);
    return dlb_py_finish_call(&dl_matrix_c128_isnull_call, arrays, answer);
}

static PyMethodDef dl_dlgsl_matrix_c128_methods[] = {
    {"from_dlpack", DLB_PY_METHOD(dl_dlgsl_matrix_c128_from_producer),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_dlpack($type, x, /, *, device=None, copy=None)\n"
     "--\n\n"
     "An object that shows the memory of x, without a copy.\n\n"
     "Takes writable complex128 arrays of 2 axes on the CPU, compact but for the outermost "
     "axis, without negative strides."},
    {"empty", DLB_PY_METHOD(dl_dlgsl_matrix_c128_empty), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='complex128')\n"
     "--\n\n"
     "A new object of that shape, made by the library; its elements are what the library "
     "leaves there."},
    {"transpose", py_dlgsl_matrix_c128_transpose, METH_NOARGS,
     "transpose($self, /)\n"
     "--\n\n"
     "Transposes the square matrix in place.\n\n"
     "Raises ValueError if the library reports a failure."},
    {"swap_rows", DLB_PY_METHOD(py_dlgsl_matrix_c128_swap_rows), METH_FASTCALL | METH_KEYWORDS,
     "swap_rows($self, /, i, j)\n"
     "--\n\n"
     "Swaps two rows.\n\n"
     "Raises IndexError if the library reports a failure."},
    {"set_identity", py_dlgsl_matrix_c128_set_identity, METH_NOARGS,
     "set_identity($self, /)\n"
     "--\n\n"
     "Ones on the diagonal, zeroes elsewhere."},
#if 0
    {"set_all", DLB_PY_METHOD(py_dlgsl_matrix_c128_set_all), METH_FASTCALL | METH_KEYWORDS, "set_all($self, /, x)\n" "--\n\n" "Sets all elements."},
#endif
    {"add", DLB_PY_METHOD(py_dlgsl_matrix_c128_add), METH_FASTCALL | METH_KEYWORDS,
     "add($self, /, other)\n"
     "--\n\n"
     "Adds the elements of another one.\n\n"
     "`other` is read: MatrixC128, or an array that MatrixC128.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure."},
    {"isnull", py_dlgsl_matrix_c128_isnull, METH_NOARGS,
     "isnull($self, /)\n"
     "--\n\n"
     "Whether all elements are zero."},
    {NULL, NULL, 0, NULL},
};

DLB_PY_DEFINE_EXCHANGE_API(dl_dlgsl_matrix_c128_api, dlgsl_matrix_c128_type, dlb_py_api_view)

static const dlb_py_class dl_dlgsl_matrix_c128_class = {
    .type = &dlgsl_matrix_c128_type,
    .c_type = "gsl_matrix_complex",
    .doc = "A gsl_matrix_complex, stored by rows.",
    .methods = dl_dlgsl_matrix_c128_methods,
    .api = &dl_dlgsl_matrix_c128_api,
};

DLB_PY_DEFINE_WRAP(dlgsl_matrix_c128, gsl_matrix_complex *)
DLB_PY_DEFINE_UNWRAP(dlgsl_matrix_c128, gsl_matrix_complex *)

/* ---- Vector ---- */

DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_vector_from_producer, dlb_py_from_dlpack_call,
                           dlgsl_vector_type)
DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_vector_empty, dlb_py_empty, dlgsl_vector_type)

static const dlb_py_function dl_vector_reverse_call = {
    .name = "reverse",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_vector_reverse(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_vector_reverse, int (*)(gsl_vector *), "Vector.reverse.c: gsl_vector_reverse is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];
    PyObject *answer = NULL;

    (void)unused;
    if (dlb_py_take(&dl_vector_reverse_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_vector *v = arrays[0].object;

    const dlb_place place_of_v = DLB_PLACE(v->data, (uint64_t)v->size);

    int result = gsl_vector_reverse(v);
    dlb_py_check_place(&dl_vector_reverse_call, arrays, 0, place_of_v,
                       DLB_PLACE(v->data, (uint64_t)v->size));
    if (result == GSL_SUCCESS) { /* Vector.reverse.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_vector_reverse_call, NULL, PyExc_RuntimeError,
                           "gsl_vector_reverse()", gsl_strerror(result) /* Vector.reverse.error */,
                           DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_vector_reverse_call, arrays, answer);
}

#if 1
static const dlb_py_function dl_vector_scale_call = {
    .name = "scale",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(double, "x", 1)),
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_vector_scale(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                       PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_vector_scale, int (*)(gsl_vector *, double), "Vector.scale.c: gsl_vector_scale is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_vector_scale_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    double x = 0;
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_read_number(&dl_vector_scale_call, 0, given, &x) != 0 ||
        dlb_py_take(&dl_vector_scale_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_vector *v = arrays[0].object;

    const dlb_place place_of_v = DLB_PLACE(v->data, (uint64_t)v->size);

    int result = gsl_vector_scale(v, x);
    dlb_py_check_place(&dl_vector_scale_call, arrays, 0, place_of_v,
                       DLB_PLACE(v->data, (uint64_t)v->size));
    if (result == GSL_SUCCESS) { /* Vector.scale.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_vector_scale_call, given, PyExc_RuntimeError, "gsl_vector_scale()",
                           gsl_strerror(result) /* Vector.scale.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_vector_scale_call, arrays, answer);
}

#endif

static const dlb_py_function dl_vector_add_call = {
    .name = "add",
    .count = 1,
    .positional = 1,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("other", 1)),
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_type, .flags = DLB_PY_WRITES},
                                {.param = 0, .type = &dlgsl_vector_type}),
};

static PyObject *py_dlgsl_vector_add(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                     PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_vector_add, int (*)(gsl_vector *, const gsl_vector *), "Vector.add.c: gsl_vector_add is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_vector_add_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_take(&dl_vector_add_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_vector *v = arrays[0].object;
    const gsl_vector *other = arrays[1].object;

    const dlb_place place_of_v = DLB_PLACE(v->data, (uint64_t)v->size);

    int result = gsl_vector_add(v, other);
    dlb_py_check_place(&dl_vector_add_call, arrays, 0, place_of_v,
                       DLB_PLACE(v->data, (uint64_t)v->size));
    if (result == GSL_SUCCESS) { /* Vector.add.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_vector_add_call, given, PyExc_ValueError, "gsl_vector_add()",
                           gsl_strerror(result) /* Vector.add.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_vector_add_call, arrays, answer);
}

static const dlb_py_function dl_vector_isnull_call = {
    .name = "isnull",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_type}),
};

static PyObject *py_dlgsl_vector_isnull(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_vector_isnull, int (*)(const gsl_vector *), "Vector.isnull.c: gsl_vector_isnull is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_vector_isnull_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    const gsl_vector *v = arrays[0].object;

    int result = gsl_vector_isnull(v);
    PyObject *answer = PyBool_FromLong(result ? 1 : 0);
    return dlb_py_finish_call(&dl_vector_isnull_call, arrays, answer);
}

static PyMethodDef dl_dlgsl_vector_methods[] = {
    {"from_dlpack", DLB_PY_METHOD(dl_dlgsl_vector_from_producer),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_dlpack($type, x, /, *, device=None, copy=None)\n"
     "--\n\n"
     "An object that shows the memory of x, without a copy.\n\n"
     "Takes writable float64 arrays of 1 axis on the CPU, without negative strides."},
    {"empty", DLB_PY_METHOD(dl_dlgsl_vector_empty), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='float64')\n"
     "--\n\n"
     "A new object of that shape, made by the library; its elements are what the library "
     "leaves there."},
    {"reverse", py_dlgsl_vector_reverse, METH_NOARGS,
     "reverse($self, /)\n"
     "--\n\n"
     "Reverses the order of the elements.\n\n"
     "Raises RuntimeError if the library reports a failure."},
#if 1
    {"scale", DLB_PY_METHOD(py_dlgsl_vector_scale), METH_FASTCALL | METH_KEYWORDS,
     "scale($self, /, x)\n"
     "--\n\n"
     "Multiplies all elements by `x`.\n\n"
     "Raises RuntimeError if the library reports a failure."},
#endif
    {"add", DLB_PY_METHOD(py_dlgsl_vector_add), METH_FASTCALL | METH_KEYWORDS,
     "add($self, /, other)\n"
     "--\n\n"
     "Adds the elements of another one.\n\n"
     "`other` is read: Vector, or an array that Vector.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure."},
    {"isnull", py_dlgsl_vector_isnull, METH_NOARGS,
     "isnull($self, /)\n"
     "--\n\n"
     "Whether all elements are zero."},
    {NULL, NULL, 0, NULL},
};

DLB_PY_DEFINE_EXCHANGE_API(dl_dlgsl_vector_api, dlgsl_vector_type, dlb_py_api_view)

static const dlb_py_class dl_dlgsl_vector_class = {
    .type = &dlgsl_vector_type,
    .c_type = "gsl_vector",
    .doc = "A gsl_vector, whose elements may lie apart.",
    .methods = dl_dlgsl_vector_methods,
    .api = &dl_dlgsl_vector_api,
};

DLB_PY_DEFINE_WRAP(dlgsl_vector, gsl_vector *)
DLB_PY_DEFINE_UNWRAP(dlgsl_vector, gsl_vector *)

/* ---- VectorF32 ---- */

DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_vector_f32_from_producer, dlb_py_from_dlpack_call,
                           dlgsl_vector_f32_type)
DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_vector_f32_empty, dlb_py_empty, dlgsl_vector_f32_type)

static const dlb_py_function dl_vector_f32_reverse_call = {
    .name = "reverse",
    .operand_count = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_f32_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_vector_f32_reverse(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_vector_float_reverse, int (*)(gsl_vector_float *), "VectorF32.reverse.c: gsl_vector_float_reverse is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];
    PyObject *answer = NULL;

    (void)unused;
    if (dlb_py_take(&dl_vector_f32_reverse_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_vector_float *v = arrays[0].object;

    const dlb_place place_of_v = DLB_PLACE(v->data, (uint64_t)v->size);

    int result = gsl_vector_float_reverse(v);
    dlb_py_check_place(&dl_vector_f32_reverse_call, arrays, 0, place_of_v,
                       DLB_PLACE(v->data, (uint64_t)v->size));
    if (result == GSL_SUCCESS) { /* VectorF32.reverse.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_vector_f32_reverse_call, NULL, PyExc_RuntimeError,
                           "gsl_vector_float_reverse()",
                           gsl_strerror(result) /* VectorF32.reverse.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_vector_f32_reverse_call, arrays, answer);
}

#if 1
static const dlb_py_function dl_vector_f32_scale_call = {
    .name = "scale",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(float, "x", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_f32_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_vector_f32_scale(PyObject *object, PyObject *const *args,
                                           Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_vector_float_scale, int (*)(gsl_vector_float *, float), "VectorF32.scale.c: gsl_vector_float_scale is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_vector_f32_scale_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    float x = 0;
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_read_number(&dl_vector_f32_scale_call, 0, given, &x) != 0 ||
        dlb_py_take(&dl_vector_f32_scale_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_vector_float *v = arrays[0].object;

    const dlb_place place_of_v = DLB_PLACE(v->data, (uint64_t)v->size);

    int result = gsl_vector_float_scale(v, x);
    dlb_py_check_place(&dl_vector_f32_scale_call, arrays, 0, place_of_v,
                       DLB_PLACE(v->data, (uint64_t)v->size));
    if (result == GSL_SUCCESS) { /* VectorF32.scale.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_vector_f32_scale_call, given, PyExc_RuntimeError,
                           "gsl_vector_float_scale()",
                           gsl_strerror(result) /* VectorF32.scale.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_vector_f32_scale_call, arrays, answer);
}

#endif

static const dlb_py_function dl_vector_f32_add_call = {
    .name = "add",
    .count = 1,
    .positional = 1,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("other", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_f32_type, .flags = DLB_PY_WRITES},
                        {.param = 0, .type = &dlgsl_vector_f32_type}),
};

static PyObject *py_dlgsl_vector_f32_add(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                         PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_vector_float_add, int (*)(gsl_vector_float *, const gsl_vector_float *), "VectorF32.add.c: gsl_vector_float_add is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_vector_f32_add_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_take(&dl_vector_f32_add_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_vector_float *v = arrays[0].object;
    const gsl_vector_float *other = arrays[1].object;

    const dlb_place place_of_v = DLB_PLACE(v->data, (uint64_t)v->size);

    int result = gsl_vector_float_add(v, other);
    dlb_py_check_place(&dl_vector_f32_add_call, arrays, 0, place_of_v,
                       DLB_PLACE(v->data, (uint64_t)v->size));
    if (result == GSL_SUCCESS) { /* VectorF32.add.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_vector_f32_add_call, given, PyExc_ValueError,
                           "gsl_vector_float_add()", gsl_strerror(result) /* VectorF32.add.error */,
                           DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_vector_f32_add_call, arrays, answer);
}

static const dlb_py_function dl_vector_f32_isnull_call = {
    .name = "isnull",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_f32_type}),
};

static PyObject *py_dlgsl_vector_f32_isnull(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_vector_float_isnull, int (*)(const gsl_vector_float *), "VectorF32.isnull.c: gsl_vector_float_isnull is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_vector_f32_isnull_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    const gsl_vector_float *v = arrays[0].object;

    int result = gsl_vector_float_isnull(v);
    PyObject *answer = PyBool_FromLong(result ? 1 : 0);
    return dlb_py_finish_call(&dl_vector_f32_isnull_call, arrays, answer);
}

static PyMethodDef dl_dlgsl_vector_f32_methods[] = {
    {"from_dlpack", DLB_PY_METHOD(dl_dlgsl_vector_f32_from_producer),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_dlpack($type, x, /, *, device=None, copy=None)\n"
     "--\n\n"
     "An object that shows the memory of x, without a copy.\n\n"
     "Takes writable float32 arrays of 1 axis on the CPU, without negative strides."},
    {"empty", DLB_PY_METHOD(dl_dlgsl_vector_f32_empty), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='float32')\n"
     "--\n\n"
     "A new object of that shape, made by the library; its elements are what the library "
     "leaves there."},
    {"reverse", py_dlgsl_vector_f32_reverse, METH_NOARGS,
     "reverse($self, /)\n"
     "--\n\n"
     "Reverses the order of the elements.\n\n"
     "Raises RuntimeError if the library reports a failure."},
#if 1
    {"scale", DLB_PY_METHOD(py_dlgsl_vector_f32_scale), METH_FASTCALL | METH_KEYWORDS,
     "scale($self, /, x)\n"
     "--\n\n"
     "Multiplies all elements by `x`.\n\n"
     "Raises RuntimeError if the library reports a failure."},
#endif
    {"add", DLB_PY_METHOD(py_dlgsl_vector_f32_add), METH_FASTCALL | METH_KEYWORDS,
     "add($self, /, other)\n"
     "--\n\n"
     "Adds the elements of another one.\n\n"
     "`other` is read: VectorF32, or an array that VectorF32.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure."},
    {"isnull", py_dlgsl_vector_f32_isnull, METH_NOARGS,
     "isnull($self, /)\n"
     "--\n\n"
     "Whether all elements are zero."},
    {NULL, NULL, 0, NULL},
};

DLB_PY_DEFINE_EXCHANGE_API(dl_dlgsl_vector_f32_api, dlgsl_vector_f32_type, dlb_py_api_view)

static const dlb_py_class dl_dlgsl_vector_f32_class = {
    .type = &dlgsl_vector_f32_type,
    .c_type = "gsl_vector_float",
    .doc = "A gsl_vector_float, whose elements may lie apart.",
    .methods = dl_dlgsl_vector_f32_methods,
    .api = &dl_dlgsl_vector_f32_api,
};

DLB_PY_DEFINE_WRAP(dlgsl_vector_f32, gsl_vector_float *)
DLB_PY_DEFINE_UNWRAP(dlgsl_vector_f32, gsl_vector_float *)

/* ---- VectorI32 ---- */

DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_vector_i32_from_producer, dlb_py_from_dlpack_call,
                           dlgsl_vector_i32_type)
DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_vector_i32_empty, dlb_py_empty, dlgsl_vector_i32_type)

static const dlb_py_function dl_vector_i32_reverse_call = {
    .name = "reverse",
    .operand_count = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_i32_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_vector_i32_reverse(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_vector_int_reverse, int (*)(gsl_vector_int *), "VectorI32.reverse.c: gsl_vector_int_reverse is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];
    PyObject *answer = NULL;

    (void)unused;
    if (dlb_py_take(&dl_vector_i32_reverse_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_vector_int *v = arrays[0].object;

    const dlb_place place_of_v = DLB_PLACE(v->data, (uint64_t)v->size);

    int result = gsl_vector_int_reverse(v);
    dlb_py_check_place(&dl_vector_i32_reverse_call, arrays, 0, place_of_v,
                       DLB_PLACE(v->data, (uint64_t)v->size));
    if (result == GSL_SUCCESS) { /* VectorI32.reverse.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_vector_i32_reverse_call, NULL, PyExc_RuntimeError,
                           "gsl_vector_int_reverse()",
                           gsl_strerror(result) /* VectorI32.reverse.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_vector_i32_reverse_call, arrays, answer);
}

#if 1
static const dlb_py_function dl_vector_i32_scale_call = {
    .name = "scale",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(int, "x", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_i32_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_vector_i32_scale(PyObject *object, PyObject *const *args,
                                           Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_vector_int_scale, int (*)(gsl_vector_int *, int), "VectorI32.scale.c: gsl_vector_int_scale is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_vector_i32_scale_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    int x = 0;
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_read_number(&dl_vector_i32_scale_call, 0, given, &x) != 0 ||
        dlb_py_take(&dl_vector_i32_scale_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_vector_int *v = arrays[0].object;

    const dlb_place place_of_v = DLB_PLACE(v->data, (uint64_t)v->size);

    int result = gsl_vector_int_scale(v, x);
    dlb_py_check_place(&dl_vector_i32_scale_call, arrays, 0, place_of_v,
                       DLB_PLACE(v->data, (uint64_t)v->size));
    if (result == GSL_SUCCESS) { /* VectorI32.scale.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_vector_i32_scale_call, given, PyExc_RuntimeError,
                           "gsl_vector_int_scale()",
                           gsl_strerror(result) /* VectorI32.scale.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_vector_i32_scale_call, arrays, answer);
}

#endif

static const dlb_py_function dl_vector_i32_add_call = {
    .name = "add",
    .count = 1,
    .positional = 1,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("other", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_i32_type, .flags = DLB_PY_WRITES},
                        {.param = 0, .type = &dlgsl_vector_i32_type}),
};

static PyObject *py_dlgsl_vector_i32_add(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                         PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_vector_int_add, int (*)(gsl_vector_int *, const gsl_vector_int *), "VectorI32.add.c: gsl_vector_int_add is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_vector_i32_add_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_take(&dl_vector_i32_add_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_vector_int *v = arrays[0].object;
    const gsl_vector_int *other = arrays[1].object;

    const dlb_place place_of_v = DLB_PLACE(v->data, (uint64_t)v->size);

    int result = gsl_vector_int_add(v, other);
    dlb_py_check_place(&dl_vector_i32_add_call, arrays, 0, place_of_v,
                       DLB_PLACE(v->data, (uint64_t)v->size));
    if (result == GSL_SUCCESS) { /* VectorI32.add.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_vector_i32_add_call, given, PyExc_ValueError, "gsl_vector_int_add()",
                           gsl_strerror(result) /* VectorI32.add.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_vector_i32_add_call, arrays, answer);
}

static const dlb_py_function dl_vector_i32_isnull_call = {
    .name = "isnull",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_i32_type}),
};

static PyObject *py_dlgsl_vector_i32_isnull(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_vector_int_isnull, int (*)(const gsl_vector_int *), "VectorI32.isnull.c: gsl_vector_int_isnull is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_vector_i32_isnull_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    const gsl_vector_int *v = arrays[0].object;

    int result = gsl_vector_int_isnull(v);
    PyObject *answer = PyBool_FromLong(result ? 1 : 0);
    return dlb_py_finish_call(&dl_vector_i32_isnull_call, arrays, answer);
}

static PyMethodDef dl_dlgsl_vector_i32_methods[] = {
    {"from_dlpack", DLB_PY_METHOD(dl_dlgsl_vector_i32_from_producer),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_dlpack($type, x, /, *, device=None, copy=None)\n"
     "--\n\n"
     "An object that shows the memory of x, without a copy.\n\n"
     "Takes writable int32 arrays of 1 axis on the CPU, without negative strides."},
    {"empty", DLB_PY_METHOD(dl_dlgsl_vector_i32_empty), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='int32')\n"
     "--\n\n"
     "A new object of that shape, made by the library; its elements are what the library "
     "leaves there."},
    {"reverse", py_dlgsl_vector_i32_reverse, METH_NOARGS,
     "reverse($self, /)\n"
     "--\n\n"
     "Reverses the order of the elements.\n\n"
     "Raises RuntimeError if the library reports a failure."},
#if 1
    {"scale", DLB_PY_METHOD(py_dlgsl_vector_i32_scale), METH_FASTCALL | METH_KEYWORDS,
     "scale($self, /, x)\n"
     "--\n\n"
     "Multiplies all elements by `x`.\n\n"
     "Raises RuntimeError if the library reports a failure."},
#endif
    {"add", DLB_PY_METHOD(py_dlgsl_vector_i32_add), METH_FASTCALL | METH_KEYWORDS,
     "add($self, /, other)\n"
     "--\n\n"
     "Adds the elements of another one.\n\n"
     "`other` is read: VectorI32, or an array that VectorI32.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure."},
    {"isnull", py_dlgsl_vector_i32_isnull, METH_NOARGS,
     "isnull($self, /)\n"
     "--\n\n"
     "Whether all elements are zero."},
    {NULL, NULL, 0, NULL},
};

DLB_PY_DEFINE_EXCHANGE_API(dl_dlgsl_vector_i32_api, dlgsl_vector_i32_type, dlb_py_api_view)

static const dlb_py_class dl_dlgsl_vector_i32_class = {
    .type = &dlgsl_vector_i32_type,
    .c_type = "gsl_vector_int",
    .doc = "A gsl_vector_int, whose elements may lie apart.",
    .methods = dl_dlgsl_vector_i32_methods,
    .api = &dl_dlgsl_vector_i32_api,
};

DLB_PY_DEFINE_WRAP(dlgsl_vector_i32, gsl_vector_int *)
DLB_PY_DEFINE_UNWRAP(dlgsl_vector_i32, gsl_vector_int *)

/* ---- VectorU16 ---- */

DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_vector_u16_from_producer, dlb_py_from_dlpack_call,
                           dlgsl_vector_u16_type)
DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_vector_u16_empty, dlb_py_empty, dlgsl_vector_u16_type)

static const dlb_py_function dl_vector_u16_reverse_call = {
    .name = "reverse",
    .operand_count = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_u16_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_vector_u16_reverse(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_vector_ushort_reverse, int (*)(gsl_vector_ushort *), "VectorU16.reverse.c: gsl_vector_ushort_reverse is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];
    PyObject *answer = NULL;

    (void)unused;
    if (dlb_py_take(&dl_vector_u16_reverse_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_vector_ushort *v = arrays[0].object;

    const dlb_place place_of_v = DLB_PLACE(v->data, (uint64_t)v->size);

    int result = gsl_vector_ushort_reverse(v);
    dlb_py_check_place(&dl_vector_u16_reverse_call, arrays, 0, place_of_v,
                       DLB_PLACE(v->data, (uint64_t)v->size));
    if (result == GSL_SUCCESS) { /* VectorU16.reverse.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_vector_u16_reverse_call, NULL, PyExc_RuntimeError,
                           "gsl_vector_ushort_reverse()",
                           gsl_strerror(result) /* VectorU16.reverse.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_vector_u16_reverse_call, arrays, answer);
}

#if 1
static const dlb_py_function dl_vector_u16_scale_call = {
    .name = "scale",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(unsigned short, "x", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_u16_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_vector_u16_scale(PyObject *object, PyObject *const *args,
                                           Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_vector_ushort_scale, int (*)(gsl_vector_ushort *, unsigned short), "VectorU16.scale.c: gsl_vector_ushort_scale is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_vector_u16_scale_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    unsigned short x = 0;
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_read_number(&dl_vector_u16_scale_call, 0, given, &x) != 0 ||
        dlb_py_take(&dl_vector_u16_scale_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_vector_ushort *v = arrays[0].object;

    const dlb_place place_of_v = DLB_PLACE(v->data, (uint64_t)v->size);

    int result = gsl_vector_ushort_scale(v, x);
    dlb_py_check_place(&dl_vector_u16_scale_call, arrays, 0, place_of_v,
                       DLB_PLACE(v->data, (uint64_t)v->size));
    if (result == GSL_SUCCESS) { /* VectorU16.scale.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_vector_u16_scale_call, given, PyExc_RuntimeError,
                           "gsl_vector_ushort_scale()",
                           gsl_strerror(result) /* VectorU16.scale.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_vector_u16_scale_call, arrays, answer);
}

#endif

static const dlb_py_function dl_vector_u16_add_call = {
    .name = "add",
    .count = 1,
    .positional = 1,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("other", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_u16_type, .flags = DLB_PY_WRITES},
                        {.param = 0, .type = &dlgsl_vector_u16_type}),
};

static PyObject *py_dlgsl_vector_u16_add(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                         PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_vector_ushort_add, int (*)(gsl_vector_ushort *, const gsl_vector_ushort *), "VectorU16.add.c: gsl_vector_ushort_add is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_vector_u16_add_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_take(&dl_vector_u16_add_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_vector_ushort *v = arrays[0].object;
    const gsl_vector_ushort *other = arrays[1].object;

    const dlb_place place_of_v = DLB_PLACE(v->data, (uint64_t)v->size);

    int result = gsl_vector_ushort_add(v, other);
    dlb_py_check_place(&dl_vector_u16_add_call, arrays, 0, place_of_v,
                       DLB_PLACE(v->data, (uint64_t)v->size));
    if (result == GSL_SUCCESS) { /* VectorU16.add.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_vector_u16_add_call, given, PyExc_ValueError,
                           "gsl_vector_ushort_add()",
                           gsl_strerror(result) /* VectorU16.add.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_vector_u16_add_call, arrays, answer);
}

static const dlb_py_function dl_vector_u16_isnull_call = {
    .name = "isnull",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_u16_type}),
};

static PyObject *py_dlgsl_vector_u16_isnull(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_vector_ushort_isnull, int (*)(const gsl_vector_ushort *), "VectorU16.isnull.c: gsl_vector_ushort_isnull is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_vector_u16_isnull_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    const gsl_vector_ushort *v = arrays[0].object;

    int result = gsl_vector_ushort_isnull(v);
    PyObject *answer = PyBool_FromLong(result ? 1 : 0);
    return dlb_py_finish_call(&dl_vector_u16_isnull_call, arrays, answer);
}

static PyMethodDef dl_dlgsl_vector_u16_methods[] = {
    {"from_dlpack", DLB_PY_METHOD(dl_dlgsl_vector_u16_from_producer),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_dlpack($type, x, /, *, device=None, copy=None)\n"
     "--\n\n"
     "An object that shows the memory of x, without a copy.\n\n"
     "Takes writable uint16 arrays of 1 axis on the CPU, without negative strides."},
    {"empty", DLB_PY_METHOD(dl_dlgsl_vector_u16_empty), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='uint16')\n"
     "--\n\n"
     "A new object of that shape, made by the library; its elements are what the library "
     "leaves there."},
    {"reverse", py_dlgsl_vector_u16_reverse, METH_NOARGS,
     "reverse($self, /)\n"
     "--\n\n"
     "Reverses the order of the elements.\n\n"
     "Raises RuntimeError if the library reports a failure."},
#if 1
    {"scale", DLB_PY_METHOD(py_dlgsl_vector_u16_scale), METH_FASTCALL | METH_KEYWORDS,
     "scale($self, /, x)\n"
     "--\n\n"
     "Multiplies all elements by `x`.\n\n"
     "Raises RuntimeError if the library reports a failure."},
#endif
    {"add", DLB_PY_METHOD(py_dlgsl_vector_u16_add), METH_FASTCALL | METH_KEYWORDS,
     "add($self, /, other)\n"
     "--\n\n"
     "Adds the elements of another one.\n\n"
     "`other` is read: VectorU16, or an array that VectorU16.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure."},
    {"isnull", py_dlgsl_vector_u16_isnull, METH_NOARGS,
     "isnull($self, /)\n"
     "--\n\n"
     "Whether all elements are zero."},
    {NULL, NULL, 0, NULL},
};

DLB_PY_DEFINE_EXCHANGE_API(dl_dlgsl_vector_u16_api, dlgsl_vector_u16_type, dlb_py_api_view)

static const dlb_py_class dl_dlgsl_vector_u16_class = {
    .type = &dlgsl_vector_u16_type,
    .c_type = "gsl_vector_ushort",
    .doc = "A gsl_vector_ushort, whose elements may lie apart.",
    .methods = dl_dlgsl_vector_u16_methods,
    .api = &dl_dlgsl_vector_u16_api,
};

DLB_PY_DEFINE_WRAP(dlgsl_vector_u16, gsl_vector_ushort *)
DLB_PY_DEFINE_UNWRAP(dlgsl_vector_u16, gsl_vector_ushort *)

/* ---- VectorU8 ---- */

DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_vector_u8_from_producer, dlb_py_from_dlpack_call,
                           dlgsl_vector_u8_type)
DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_vector_u8_empty, dlb_py_empty, dlgsl_vector_u8_type)

static const dlb_py_function dl_vector_u8_reverse_call = {
    .name = "reverse",
    .operand_count = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_u8_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_vector_u8_reverse(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_vector_uchar_reverse, int (*)(gsl_vector_uchar *), "VectorU8.reverse.c: gsl_vector_uchar_reverse is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];
    PyObject *answer = NULL;

    (void)unused;
    if (dlb_py_take(&dl_vector_u8_reverse_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_vector_uchar *v = arrays[0].object;

    const dlb_place place_of_v = DLB_PLACE(v->data, (uint64_t)v->size);

    int result = gsl_vector_uchar_reverse(v);
    dlb_py_check_place(&dl_vector_u8_reverse_call, arrays, 0, place_of_v,
                       DLB_PLACE(v->data, (uint64_t)v->size));
    if (result == GSL_SUCCESS) { /* VectorU8.reverse.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_vector_u8_reverse_call, NULL, PyExc_RuntimeError,
                           "gsl_vector_uchar_reverse()",
                           gsl_strerror(result) /* VectorU8.reverse.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_vector_u8_reverse_call, arrays, answer);
}

#if 1
static const dlb_py_function dl_vector_u8_scale_call = {
    .name = "scale",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(unsigned char, "x", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_u8_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_vector_u8_scale(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                          PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_vector_uchar_scale, int (*)(gsl_vector_uchar *, unsigned char), "VectorU8.scale.c: gsl_vector_uchar_scale is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_vector_u8_scale_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    unsigned char x = 0;
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_read_number(&dl_vector_u8_scale_call, 0, given, &x) != 0 ||
        dlb_py_take(&dl_vector_u8_scale_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_vector_uchar *v = arrays[0].object;

    const dlb_place place_of_v = DLB_PLACE(v->data, (uint64_t)v->size);

    int result = gsl_vector_uchar_scale(v, x);
    dlb_py_check_place(&dl_vector_u8_scale_call, arrays, 0, place_of_v,
                       DLB_PLACE(v->data, (uint64_t)v->size));
    if (result == GSL_SUCCESS) { /* VectorU8.scale.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_vector_u8_scale_call, given, PyExc_RuntimeError,
                           "gsl_vector_uchar_scale()",
                           gsl_strerror(result) /* VectorU8.scale.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_vector_u8_scale_call, arrays, answer);
}

#endif

static const dlb_py_function dl_vector_u8_add_call = {
    .name = "add",
    .count = 1,
    .positional = 1,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("other", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_u8_type, .flags = DLB_PY_WRITES},
                        {.param = 0, .type = &dlgsl_vector_u8_type}),
};

static PyObject *py_dlgsl_vector_u8_add(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                        PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_vector_uchar_add, int (*)(gsl_vector_uchar *, const gsl_vector_uchar *), "VectorU8.add.c: gsl_vector_uchar_add is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_vector_u8_add_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_take(&dl_vector_u8_add_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_vector_uchar *v = arrays[0].object;
    const gsl_vector_uchar *other = arrays[1].object;

    const dlb_place place_of_v = DLB_PLACE(v->data, (uint64_t)v->size);

    int result = gsl_vector_uchar_add(v, other);
    dlb_py_check_place(&dl_vector_u8_add_call, arrays, 0, place_of_v,
                       DLB_PLACE(v->data, (uint64_t)v->size));
    if (result == GSL_SUCCESS) { /* VectorU8.add.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_vector_u8_add_call, given, PyExc_ValueError,
                           "gsl_vector_uchar_add()", gsl_strerror(result) /* VectorU8.add.error */,
                           DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_vector_u8_add_call, arrays, answer);
}

static const dlb_py_function dl_vector_u8_isnull_call = {
    .name = "isnull",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_u8_type}),
};

static PyObject *py_dlgsl_vector_u8_isnull(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_vector_uchar_isnull, int (*)(const gsl_vector_uchar *), "VectorU8.isnull.c: gsl_vector_uchar_isnull is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_vector_u8_isnull_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    const gsl_vector_uchar *v = arrays[0].object;

    int result = gsl_vector_uchar_isnull(v);
    PyObject *answer = PyBool_FromLong(result ? 1 : 0);
    return dlb_py_finish_call(&dl_vector_u8_isnull_call, arrays, answer);
}

static PyMethodDef dl_dlgsl_vector_u8_methods[] = {
    {"from_dlpack", DLB_PY_METHOD(dl_dlgsl_vector_u8_from_producer),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_dlpack($type, x, /, *, device=None, copy=None)\n"
     "--\n\n"
     "An object that shows the memory of x, without a copy.\n\n"
     "Takes writable uint8 arrays of 1 axis on the CPU, without negative strides."},
    {"empty", DLB_PY_METHOD(dl_dlgsl_vector_u8_empty), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='uint8')\n"
     "--\n\n"
     "A new object of that shape, made by the library; its elements are what the library "
     "leaves there."},
    {"reverse", py_dlgsl_vector_u8_reverse, METH_NOARGS,
     "reverse($self, /)\n"
     "--\n\n"
     "Reverses the order of the elements.\n\n"
     "Raises RuntimeError if the library reports a failure."},
#if 1
    {"scale", DLB_PY_METHOD(py_dlgsl_vector_u8_scale), METH_FASTCALL | METH_KEYWORDS,
     "scale($self, /, x)\n"
     "--\n\n"
     "Multiplies all elements by `x`.\n\n"
     "Raises RuntimeError if the library reports a failure."},
#endif
    {"add", DLB_PY_METHOD(py_dlgsl_vector_u8_add), METH_FASTCALL | METH_KEYWORDS,
     "add($self, /, other)\n"
     "--\n\n"
     "Adds the elements of another one.\n\n"
     "`other` is read: VectorU8, or an array that VectorU8.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure."},
    {"isnull", py_dlgsl_vector_u8_isnull, METH_NOARGS,
     "isnull($self, /)\n"
     "--\n\n"
     "Whether all elements are zero."},
    {NULL, NULL, 0, NULL},
};

DLB_PY_DEFINE_EXCHANGE_API(dl_dlgsl_vector_u8_api, dlgsl_vector_u8_type, dlb_py_api_view)

static const dlb_py_class dl_dlgsl_vector_u8_class = {
    .type = &dlgsl_vector_u8_type,
    .c_type = "gsl_vector_uchar",
    .doc = "A gsl_vector_uchar, whose elements may lie apart.",
    .methods = dl_dlgsl_vector_u8_methods,
    .api = &dl_dlgsl_vector_u8_api,
};

DLB_PY_DEFINE_WRAP(dlgsl_vector_u8, gsl_vector_uchar *)
DLB_PY_DEFINE_UNWRAP(dlgsl_vector_u8, gsl_vector_uchar *)

/* ---- VectorLong ---- */

DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_vector_long_from_producer, dlb_py_from_dlpack_call,
                           dlgsl_vector_long_type)
DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_vector_long_empty, dlb_py_empty, dlgsl_vector_long_type)

static const dlb_py_function dl_vector_long_reverse_call = {
    .name = "reverse",
    .operand_count = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_long_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_vector_long_reverse(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_vector_long_reverse, int (*)(gsl_vector_long *), "VectorLong.reverse.c: gsl_vector_long_reverse is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];
    PyObject *answer = NULL;

    (void)unused;
    if (dlb_py_take(&dl_vector_long_reverse_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_vector_long *v = arrays[0].object;

    const dlb_place place_of_v = DLB_PLACE(v->data, (uint64_t)v->size);

    int result = gsl_vector_long_reverse(v);
    dlb_py_check_place(&dl_vector_long_reverse_call, arrays, 0, place_of_v,
                       DLB_PLACE(v->data, (uint64_t)v->size));
    if (result == GSL_SUCCESS) { /* VectorLong.reverse.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_vector_long_reverse_call, NULL, PyExc_RuntimeError,
                           "gsl_vector_long_reverse()",
                           gsl_strerror(result) /* VectorLong.reverse.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_vector_long_reverse_call, arrays, answer);
}

#if 1
static const dlb_py_function dl_vector_long_scale_call = {
    .name = "scale",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(long, "x", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_long_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_vector_long_scale(PyObject *object, PyObject *const *args,
                                            Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_vector_long_scale, int (*)(gsl_vector_long *, long), "VectorLong.scale.c: gsl_vector_long_scale is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_vector_long_scale_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    long x = 0;
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_read_number(&dl_vector_long_scale_call, 0, given, &x) != 0 ||
        dlb_py_take(&dl_vector_long_scale_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_vector_long *v = arrays[0].object;

    const dlb_place place_of_v = DLB_PLACE(v->data, (uint64_t)v->size);

    int result = gsl_vector_long_scale(v, x);
    dlb_py_check_place(&dl_vector_long_scale_call, arrays, 0, place_of_v,
                       DLB_PLACE(v->data, (uint64_t)v->size));
    if (result == GSL_SUCCESS) { /* VectorLong.scale.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_vector_long_scale_call, given, PyExc_RuntimeError,
                           "gsl_vector_long_scale()",
                           gsl_strerror(result) /* VectorLong.scale.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_vector_long_scale_call, arrays, answer);
}

#endif

static const dlb_py_function dl_vector_long_add_call = {
    .name = "add",
    .count = 1,
    .positional = 1,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("other", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_long_type, .flags = DLB_PY_WRITES},
                        {.param = 0, .type = &dlgsl_vector_long_type}),
};

static PyObject *py_dlgsl_vector_long_add(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                          PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_vector_long_add, int (*)(gsl_vector_long *, const gsl_vector_long *), "VectorLong.add.c: gsl_vector_long_add is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_vector_long_add_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_take(&dl_vector_long_add_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_vector_long *v = arrays[0].object;
    const gsl_vector_long *other = arrays[1].object;

    const dlb_place place_of_v = DLB_PLACE(v->data, (uint64_t)v->size);

    int result = gsl_vector_long_add(v, other);
    dlb_py_check_place(&dl_vector_long_add_call, arrays, 0, place_of_v,
                       DLB_PLACE(v->data, (uint64_t)v->size));
    if (result == GSL_SUCCESS) { /* VectorLong.add.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_vector_long_add_call, given, PyExc_ValueError,
                           "gsl_vector_long_add()", gsl_strerror(result) /* VectorLong.add.error */,
                           DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_vector_long_add_call, arrays, answer);
}

static const dlb_py_function dl_vector_long_isnull_call = {
    .name = "isnull",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_long_type}),
};

static PyObject *py_dlgsl_vector_long_isnull(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_vector_long_isnull, int (*)(const gsl_vector_long *), "VectorLong.isnull.c: gsl_vector_long_isnull is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_vector_long_isnull_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    const gsl_vector_long *v = arrays[0].object;

    int result = gsl_vector_long_isnull(v);
    PyObject *answer = PyBool_FromLong(result ? 1 : 0);
    return dlb_py_finish_call(&dl_vector_long_isnull_call, arrays, answer);
}

static PyMethodDef dl_dlgsl_vector_long_methods[] = {
    {"from_dlpack", DLB_PY_METHOD(dl_dlgsl_vector_long_from_producer),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_dlpack($type, x, /, *, device=None, copy=None)\n"
     "--\n\n"
     "An object that shows the memory of x, without a copy.\n\n"
     "Takes writable long arrays of 1 axis on the CPU, without negative strides."},
    {"empty", DLB_PY_METHOD(dl_dlgsl_vector_long_empty), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype=...)\n"
     "--\n\n"
     "A new object of that shape, made by the library; its elements are what the library "
     "leaves there."},
    {"reverse", py_dlgsl_vector_long_reverse, METH_NOARGS,
     "reverse($self, /)\n"
     "--\n\n"
     "Reverses the order of the elements.\n\n"
     "Raises RuntimeError if the library reports a failure."},
#if 1
    {"scale", DLB_PY_METHOD(py_dlgsl_vector_long_scale), METH_FASTCALL | METH_KEYWORDS,
     "scale($self, /, x)\n"
     "--\n\n"
     "Multiplies all elements by `x`.\n\n"
     "Raises RuntimeError if the library reports a failure."},
#endif
    {"add", DLB_PY_METHOD(py_dlgsl_vector_long_add), METH_FASTCALL | METH_KEYWORDS,
     "add($self, /, other)\n"
     "--\n\n"
     "Adds the elements of another one.\n\n"
     "`other` is read: VectorLong, or an array that VectorLong.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure."},
    {"isnull", py_dlgsl_vector_long_isnull, METH_NOARGS,
     "isnull($self, /)\n"
     "--\n\n"
     "Whether all elements are zero."},
    {NULL, NULL, 0, NULL},
};

DLB_PY_DEFINE_EXCHANGE_API(dl_dlgsl_vector_long_api, dlgsl_vector_long_type, dlb_py_api_view)

static const dlb_py_class dl_dlgsl_vector_long_class = {
    .type = &dlgsl_vector_long_type,
    .c_type = "gsl_vector_long",
    .doc = "A gsl_vector_long, whose elements may lie apart.",
    .methods = dl_dlgsl_vector_long_methods,
    .api = &dl_dlgsl_vector_long_api,
};

DLB_PY_DEFINE_WRAP(dlgsl_vector_long, gsl_vector_long *)
DLB_PY_DEFINE_UNWRAP(dlgsl_vector_long, gsl_vector_long *)

/* ---- VectorC128 ---- */

DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_vector_c128_from_producer, dlb_py_from_dlpack_call,
                           dlgsl_vector_c128_type)
DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_vector_c128_empty, dlb_py_empty, dlgsl_vector_c128_type)

static const dlb_py_function dl_vector_c128_reverse_call = {
    .name = "reverse",
    .operand_count = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_c128_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_vector_c128_reverse(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_vector_complex_reverse, int (*)(gsl_vector_complex *), "VectorC128.reverse.c: gsl_vector_complex_reverse is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];
    PyObject *answer = NULL;

    (void)unused;
    if (dlb_py_take(&dl_vector_c128_reverse_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_vector_complex *v = arrays[0].object;

    const dlb_place place_of_v = DLB_PLACE(v->data, (uint64_t)v->size);

    int result = gsl_vector_complex_reverse(v);
    dlb_py_check_place(&dl_vector_c128_reverse_call, arrays, 0, place_of_v,
                       DLB_PLACE(v->data, (uint64_t)v->size));
    if (result == GSL_SUCCESS) { /* VectorC128.reverse.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_vector_c128_reverse_call, NULL, PyExc_RuntimeError,
                           "gsl_vector_complex_reverse()",
                           gsl_strerror(result) /* VectorC128.reverse.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_vector_c128_reverse_call, arrays, answer);
}

#if 0
static const dlb_py_function dl_vector_c128_scale_call = {
    .name = "scale",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(
    DLB_PY_PARAM(double, "x", 1)
),
    .operands = DLB_PY_OPERANDS({ .param = -1, .type = &dlgsl_vector_c128_type, .flags = DLB_PY_WRITES }),
};

static PyObject *py_dlgsl_vector_c128_scale(PyObject *object, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
DLB_ASSERT_FUNCTION(gsl_vector_complex_scale, int (*)(gsl_vector_complex *, double), "VectorC128.scale.c: gsl_vector_complex_scale is not a function of this type in the header (for a macro: 'macro: true')");

PyObject *sorted[1];
PyObject *const *given = dlb_py_arguments(&dl_vector_c128_scale_call, args, nargs, kwnames, sorted);
dlb_py_argument arrays[1];
double x = 0;
PyObject *answer = NULL;

if (given == NULL || dlb_py_read_number(&dl_vector_c128_scale_call, 0, given, &x) != 0 || dlb_py_take(&dl_vector_c128_scale_call, object, given, arrays) != 0) {
return NULL;
}
gsl_vector_complex *v = arrays[0].object;

const dlb_place place_of_v = DLB_PLACE(v->data, (uint64_t)v->size);

int result = gsl_vector_complex_scale(v, x);
dlb_py_check_place(&dl_vector_c128_scale_call, arrays, 0, place_of_v, DLB_PLACE(v->data, (uint64_t)v->size));
if (result == GSL_SUCCESS) { /* VectorC128.scale.ok */
answer = Py_NewRef(Py_None);
} else {
dlb_py_failed_with(&dl_vector_c128_scale_call, given, PyExc_RuntimeError, "gsl_vector_complex_scale()", gsl_strerror(result) /* VectorC128.scale.error */, DLB_VALUE(result));
}
return dlb_py_finish_call(&dl_vector_c128_scale_call, arrays, answer);
}

#endif

static const dlb_py_function dl_vector_c128_add_call = {
    .name = "add",
    .count = 1,
    .positional = 1,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("other", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_c128_type, .flags = DLB_PY_WRITES},
                        {.param = 0, .type = &dlgsl_vector_c128_type}),
};

static PyObject *py_dlgsl_vector_c128_add(PyObject *object, PyObject *const *args, Py_ssize_t nargs,
                                          PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_vector_complex_add, int (*)(gsl_vector_complex *, const gsl_vector_complex *), "VectorC128.add.c: gsl_vector_complex_add is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_vector_c128_add_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    PyObject *answer = NULL;

    if (given == NULL || dlb_py_take(&dl_vector_c128_add_call, object, given, arrays) != 0) {
        return NULL;
    }
    gsl_vector_complex *v = arrays[0].object;
    const gsl_vector_complex *other = arrays[1].object;

    const dlb_place place_of_v = DLB_PLACE(v->data, (uint64_t)v->size);

    int result = gsl_vector_complex_add(v, other);
    dlb_py_check_place(&dl_vector_c128_add_call, arrays, 0, place_of_v,
                       DLB_PLACE(v->data, (uint64_t)v->size));
    if (result == GSL_SUCCESS) { /* VectorC128.add.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_vector_c128_add_call, given, PyExc_ValueError,
                           "gsl_vector_complex_add()",
                           gsl_strerror(result) /* VectorC128.add.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_vector_c128_add_call, arrays, answer);
}

static const dlb_py_function dl_vector_c128_isnull_call = {
    .name = "isnull",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_vector_c128_type}),
};

static PyObject *py_dlgsl_vector_c128_isnull(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_vector_complex_isnull, int (*)(const gsl_vector_complex *), "VectorC128.isnull.c: gsl_vector_complex_isnull is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_vector_c128_isnull_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    const gsl_vector_complex *v = arrays[0].object;

    int result = gsl_vector_complex_isnull(v);
    PyObject *answer = PyBool_FromLong(result ? 1 : 0);
    return dlb_py_finish_call(&dl_vector_c128_isnull_call, arrays, answer);
}

static PyMethodDef dl_dlgsl_vector_c128_methods[] = {
    {"from_dlpack", DLB_PY_METHOD(dl_dlgsl_vector_c128_from_producer),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_dlpack($type, x, /, *, device=None, copy=None)\n"
     "--\n\n"
     "An object that shows the memory of x, without a copy.\n\n"
     "Takes writable complex128 arrays of 1 axis on the CPU, without negative strides."},
    {"empty", DLB_PY_METHOD(dl_dlgsl_vector_c128_empty), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "empty($type, /, shape, *, dtype='complex128')\n"
     "--\n\n"
     "A new object of that shape, made by the library; its elements are what the library "
     "leaves there."},
    {"reverse", py_dlgsl_vector_c128_reverse, METH_NOARGS,
     "reverse($self, /)\n"
     "--\n\n"
     "Reverses the order of the elements.\n\n"
     "Raises RuntimeError if the library reports a failure."},
#if 0
    {"scale", DLB_PY_METHOD(py_dlgsl_vector_c128_scale), METH_FASTCALL | METH_KEYWORDS, "scale($self, /, x)\n" "--\n\n" "Multiplies all elements by `x`.\n\n" "Raises RuntimeError if the library reports a failure."},
#endif
    {"add", DLB_PY_METHOD(py_dlgsl_vector_c128_add), METH_FASTCALL | METH_KEYWORDS,
     "add($self, /, other)\n"
     "--\n\n"
     "Adds the elements of another one.\n\n"
     "`other` is read: VectorC128, or an array that VectorC128.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure."},
    {"isnull", py_dlgsl_vector_c128_isnull, METH_NOARGS,
     "isnull($self, /)\n"
     "--\n\n"
     "Whether all elements are zero."},
    {NULL, NULL, 0, NULL},
};

DLB_PY_DEFINE_EXCHANGE_API(dl_dlgsl_vector_c128_api, dlgsl_vector_c128_type, dlb_py_api_view)

static const dlb_py_class dl_dlgsl_vector_c128_class = {
    .type = &dlgsl_vector_c128_type,
    .c_type = "gsl_vector_complex",
    .doc = "A gsl_vector_complex, whose elements may lie apart.",
    .methods = dl_dlgsl_vector_c128_methods,
    .api = &dl_dlgsl_vector_c128_api,
};

DLB_PY_DEFINE_WRAP(dlgsl_vector_c128, gsl_vector_complex *)
DLB_PY_DEFINE_UNWRAP(dlgsl_vector_c128, gsl_vector_complex *)

/* ---- Permutation ---- */

DLB_PY_DEFINE_CLASS_METHOD(dl_dlgsl_permutation_from_producer, dlb_py_from_dlpack_call,
                           dlgsl_permutation_type)

static const dlb_py_function dl_permutation_valid_call = {
    .name = "valid",
    .operand_count = 1,
    .operands = DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_permutation_type}),
};

static PyObject *py_dlgsl_permutation_valid(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_permutation_valid, int (*)(const gsl_permutation *), "Permutation.valid.c: gsl_permutation_valid is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];
    PyObject *answer = NULL;

    (void)unused;
    if (dlb_py_take(&dl_permutation_valid_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    const gsl_permutation *p = arrays[0].object;

    int result = gsl_permutation_valid(p);
    if (result == GSL_SUCCESS) { /* Permutation.valid.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_permutation_valid_call, NULL, PyExc_ValueError,
                           "gsl_permutation_valid()",
                           gsl_strerror(result) /* Permutation.valid.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_permutation_valid_call, arrays, answer);
}

static const dlb_py_function dl_permutation_next_call = {
    .name = "next",
    .operand_count = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_permutation_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_permutation_next(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_permutation_next, int (*)(gsl_permutation *), "Permutation.next.c: gsl_permutation_next is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_permutation_next_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_permutation *p = arrays[0].object;

    const dlb_place place_of_p = DLB_PLACE(p->data, (uint64_t)p->size);

    int result = gsl_permutation_next(p);
    dlb_py_check_place(&dl_permutation_next_call, arrays, 0, place_of_p,
                       DLB_PLACE(p->data, (uint64_t)p->size));
    PyObject *answer = DLB_PY_FROM_INTEGER(result);
    return dlb_py_finish_call(&dl_permutation_next_call, arrays, answer);
}

static const dlb_py_function dl_permutation_reverse_call = {
    .name = "reverse",
    .operand_count = 1,
    .operands =
        DLB_PY_OPERANDS({.param = -1, .type = &dlgsl_permutation_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_permutation_reverse(PyObject *object, PyObject *unused)
{
    DLB_ASSERT_FUNCTION(gsl_permutation_reverse, void (*)(gsl_permutation *), "Permutation.reverse.c: gsl_permutation_reverse is not a function of this type in the header (for a macro: 'macro: true')");

    dlb_py_argument arrays[1];

    (void)unused;
    if (dlb_py_take(&dl_permutation_reverse_call, object, NULL, arrays) != 0) {
        return NULL;
    }
    gsl_permutation *p = arrays[0].object;

    const dlb_place place_of_p = DLB_PLACE(p->data, (uint64_t)p->size);

    gsl_permutation_reverse(p);
    dlb_py_check_place(&dl_permutation_reverse_call, arrays, 0, place_of_p,
                       DLB_PLACE(p->data, (uint64_t)p->size));
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_permutation_reverse_call, arrays, answer);
}

static const dlb_py_function dl_permutation_new_call = {
    .name = "Permutation",
    .count = 1,
    .positional = 1,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(size_t, "n", 1)),
};

static PyObject *py_dlgsl_permutation_new(PyObject *cls, PyObject *const *args, Py_ssize_t nargs,
                                          PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_permutation_calloc, gsl_permutation *(*)(size_t), "Permutation.new.c: gsl_permutation_calloc is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_permutation_new_call, args, nargs, kwnames, sorted);
    size_t n = 0;
    PyObject *answer = NULL;

    (void)cls;
    if (given == NULL || dlb_py_read_number(&dl_permutation_new_call, 0, given, &n) != 0) {
        return NULL;
    }

    gsl_permutation *result = gsl_permutation_calloc(n);
    if (result != NULL) {
        answer = dlb_py_adopt(&dlgsl_permutation_type, result, 0);
    } else {
        dlb_py_failed(&dl_permutation_new_call, given, PyExc_MemoryError,
                      "gsl_permutation_calloc()", NULL);
    }
    return answer;
}

DLB_PY_DEFINE_NEW(dl_dlgsl_permutation_tp_new, dl_dlgsl_permutation_vectorcall,
                  py_dlgsl_permutation_new)

static PyMethodDef dl_dlgsl_permutation_methods[] = {
    {"from_dlpack", DLB_PY_METHOD(dl_dlgsl_permutation_from_producer),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "from_dlpack($type, x, /, *, device=None, copy=None)\n"
     "--\n\n"
     "An object that shows the memory of x, without a copy.\n\n"
     "Takes writable size_t arrays of 1 axis on the CPU, compact."},
    {"valid", py_dlgsl_permutation_valid, METH_NOARGS,
     "valid($self, /)\n"
     "--\n\n"
     "Fails unless each index is there once.\n\n"
     "Raises ValueError if the library reports a failure."},
    {"next", py_dlgsl_permutation_next, METH_NOARGS,
     "next($self, /)\n"
     "--\n\n"
     "Goes on to the next one in lexicographic order; -1 at the last."},
    {"reverse", py_dlgsl_permutation_reverse, METH_NOARGS,
     "reverse($self, /)\n"
     "--\n\n"
     "Reverses the order of the indices."},
    {NULL, NULL, 0, NULL},
};

DLB_PY_DEFINE_EXCHANGE_API(dl_dlgsl_permutation_api, dlgsl_permutation_type, dlb_py_api_view)

static const dlb_py_class dl_dlgsl_permutation_class = {
    .type = &dlgsl_permutation_type,
    .c_type = "gsl_permutation",
    .doc = "Permutation(n)\n"
           "--\n\n"
           "A gsl_permutation, the index of each element.\n\n"
           "That which leaves `n` elements where they are.\n\n"
           "Raises MemoryError if the library reports a failure.",
    .methods = dl_dlgsl_permutation_methods,
    .api = &dl_dlgsl_permutation_api,
    .make = dl_dlgsl_permutation_tp_new,
    .call = dl_dlgsl_permutation_vectorcall,
};

DLB_PY_DEFINE_WRAP(dlgsl_permutation, gsl_permutation *)
DLB_PY_DEFINE_UNWRAP(dlgsl_permutation, gsl_permutation *)

/* ---- Functions ---- */

static const dlb_requirements dl_mean_data_array = {
    .min_ndim = 1,
    .max_ndim = 1,
    .layout = DLB_NONNEGATIVE_STRIDES,
    .dtypes = (const DLDataType[]){{DLB_CODE_OF(double), 8 * sizeof(double), 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_py_function dl_mean_call = {
    .name = "mean",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("data", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .flags = DLB_PY_NUMBERS, .require = &dl_mean_data_array}),
};

static PyObject *py_dlgsl_mean(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                               PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_stats_mean, double (*)(const double *, size_t, size_t), "mean.c: gsl_stats_mean is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_mean_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];

    (void)module;
    if (given == NULL || dlb_py_take(&dl_mean_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const double *data = arrays[0].object;
    size_t stride = 0;
    size_t n = 0;

    if (DLB_PY_DERIVE(&dl_mean_call, "data", stride, dlb_py_stride(&arrays[0], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_mean_call, "data", n, dlb_py_count(&arrays[0])) != 0) {
        return dlb_py_finish_call(&dl_mean_call, arrays, NULL);
    }

    double result = gsl_stats_mean(data, stride, n);
    PyObject *answer = PyFloat_FromDouble(result);
    return dlb_py_finish_call(&dl_mean_call, arrays, answer);
}

static const dlb_py_function dl_variance_call = {
    .name = "variance",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("data", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .flags = DLB_PY_NUMBERS, .require = &dl_mean_data_array}),
};

static PyObject *py_dlgsl_variance(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                   PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_stats_variance, double (*)(const double *, size_t, size_t), "variance.c: gsl_stats_variance is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_variance_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];

    (void)module;
    if (given == NULL || dlb_py_take(&dl_variance_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const double *data = arrays[0].object;
    size_t stride = 0;
    size_t n = 0;

    if (DLB_PY_DERIVE(&dl_variance_call, "data", stride, dlb_py_stride(&arrays[0], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_variance_call, "data", n, dlb_py_count(&arrays[0])) != 0) {
        return dlb_py_finish_call(&dl_variance_call, arrays, NULL);
    }

    double result = gsl_stats_variance(data, stride, n);
    PyObject *answer = PyFloat_FromDouble(result);
    return dlb_py_finish_call(&dl_variance_call, arrays, answer);
}

static const dlb_py_function dl_sd_call = {
    .name = "sd",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("data", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .flags = DLB_PY_NUMBERS, .require = &dl_mean_data_array}),
};

static PyObject *py_dlgsl_sd(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                             PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_stats_sd, double (*)(const double *, size_t, size_t), "sd.c: gsl_stats_sd is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_sd_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];

    (void)module;
    if (given == NULL || dlb_py_take(&dl_sd_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const double *data = arrays[0].object;
    size_t stride = 0;
    size_t n = 0;

    if (DLB_PY_DERIVE(&dl_sd_call, "data", stride, dlb_py_stride(&arrays[0], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_sd_call, "data", n, dlb_py_count(&arrays[0])) != 0) {
        return dlb_py_finish_call(&dl_sd_call, arrays, NULL);
    }

    double result = gsl_stats_sd(data, stride, n);
    PyObject *answer = PyFloat_FromDouble(result);
    return dlb_py_finish_call(&dl_sd_call, arrays, answer);
}

static const dlb_py_function dl_absdev_call = {
    .name = "absdev",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("data", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .flags = DLB_PY_NUMBERS, .require = &dl_mean_data_array}),
};

static PyObject *py_dlgsl_absdev(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                 PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_stats_absdev, double (*)(const double *, size_t, size_t), "absdev.c: gsl_stats_absdev is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_absdev_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];

    (void)module;
    if (given == NULL || dlb_py_take(&dl_absdev_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const double *data = arrays[0].object;
    size_t stride = 0;
    size_t n = 0;

    if (DLB_PY_DERIVE(&dl_absdev_call, "data", stride, dlb_py_stride(&arrays[0], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_absdev_call, "data", n, dlb_py_count(&arrays[0])) != 0) {
        return dlb_py_finish_call(&dl_absdev_call, arrays, NULL);
    }

    double result = gsl_stats_absdev(data, stride, n);
    PyObject *answer = PyFloat_FromDouble(result);
    return dlb_py_finish_call(&dl_absdev_call, arrays, answer);
}

static const dlb_py_function dl_skew_call = {
    .name = "skew",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("data", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .flags = DLB_PY_NUMBERS, .require = &dl_mean_data_array}),
};

static PyObject *py_dlgsl_skew(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                               PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_stats_skew, double (*)(const double *, size_t, size_t), "skew.c: gsl_stats_skew is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_skew_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];

    (void)module;
    if (given == NULL || dlb_py_take(&dl_skew_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const double *data = arrays[0].object;
    size_t stride = 0;
    size_t n = 0;

    if (DLB_PY_DERIVE(&dl_skew_call, "data", stride, dlb_py_stride(&arrays[0], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_skew_call, "data", n, dlb_py_count(&arrays[0])) != 0) {
        return dlb_py_finish_call(&dl_skew_call, arrays, NULL);
    }

    double result = gsl_stats_skew(data, stride, n);
    PyObject *answer = PyFloat_FromDouble(result);
    return dlb_py_finish_call(&dl_skew_call, arrays, answer);
}

static const dlb_py_function dl_kurtosis_call = {
    .name = "kurtosis",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("data", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .flags = DLB_PY_NUMBERS, .require = &dl_mean_data_array}),
};

static PyObject *py_dlgsl_kurtosis(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                   PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_stats_kurtosis, double (*)(const double *, size_t, size_t), "kurtosis.c: gsl_stats_kurtosis is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_kurtosis_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];

    (void)module;
    if (given == NULL || dlb_py_take(&dl_kurtosis_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const double *data = arrays[0].object;
    size_t stride = 0;
    size_t n = 0;

    if (DLB_PY_DERIVE(&dl_kurtosis_call, "data", stride, dlb_py_stride(&arrays[0], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_kurtosis_call, "data", n, dlb_py_count(&arrays[0])) != 0) {
        return dlb_py_finish_call(&dl_kurtosis_call, arrays, NULL);
    }

    double result = gsl_stats_kurtosis(data, stride, n);
    PyObject *answer = PyFloat_FromDouble(result);
    return dlb_py_finish_call(&dl_kurtosis_call, arrays, answer);
}

static const dlb_requirements dl_mean_of_floats_data_array = {
    .min_ndim = 1,
    .max_ndim = 1,
    .layout = DLB_NONNEGATIVE_STRIDES,
    .dtypes = (const DLDataType[]){{DLB_CODE_OF(float), 8 * sizeof(float), 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_py_function dl_mean_of_floats_call = {
    .name = "mean_of_floats",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("data", 1)),
    .operands = DLB_PY_OPERANDS(
        {.param = 0, .flags = DLB_PY_NUMBERS, .require = &dl_mean_of_floats_data_array}),
};

static PyObject *py_dlgsl_mean_of_floats(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                         PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_stats_float_mean, double (*)(const float *, size_t, size_t), "mean_of_floats.c: gsl_stats_float_mean is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_mean_of_floats_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];

    (void)module;
    if (given == NULL || dlb_py_take(&dl_mean_of_floats_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const float *data = arrays[0].object;
    size_t stride = 0;
    size_t n = 0;

    if (DLB_PY_DERIVE(&dl_mean_of_floats_call, "data", stride, dlb_py_stride(&arrays[0], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_mean_of_floats_call, "data", n, dlb_py_count(&arrays[0])) != 0) {
        return dlb_py_finish_call(&dl_mean_of_floats_call, arrays, NULL);
    }

    double result = gsl_stats_float_mean(data, stride, n);
    PyObject *answer = PyFloat_FromDouble(result);
    return dlb_py_finish_call(&dl_mean_of_floats_call, arrays, answer);
}

static const dlb_requirements dl_median_data_array = {
    .min_ndim = 1,
    .max_ndim = 1,
    .layout = DLB_WRITABLE | DLB_NONNEGATIVE_STRIDES,
    .dtypes = (const DLDataType[]){{DLB_CODE_OF(double), 8 * sizeof(double), 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_py_function dl_median_call = {
    .name = "median",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("data", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .flags = DLB_PY_WRITES, .require = &dl_median_data_array}),
};

static PyObject *py_dlgsl_median(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                 PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_stats_median, double (*)(double *, size_t, size_t), "median.c: gsl_stats_median is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_median_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];

    (void)module;
    if (given == NULL || dlb_py_take(&dl_median_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    double *data = arrays[0].object;
    size_t stride = 0;
    size_t n = 0;

    if (DLB_PY_DERIVE(&dl_median_call, "data", stride, dlb_py_stride(&arrays[0], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_median_call, "data", n, dlb_py_count(&arrays[0])) != 0) {
        return dlb_py_finish_call(&dl_median_call, arrays, NULL);
    }

    double result = gsl_stats_median(data, stride, n);
    PyObject *answer = PyFloat_FromDouble(result);
    return dlb_py_finish_call(&dl_median_call, arrays, answer);
}

static const dlb_py_function dl_median_from_sorted_data_call = {
    .name = "median_from_sorted_data",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("data", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .flags = DLB_PY_NUMBERS, .require = &dl_mean_data_array}),
};

static PyObject *py_dlgsl_median_from_sorted_data(PyObject *module, PyObject *const *args,
                                                  Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_stats_median_from_sorted_data, double (*)(const double *, size_t, size_t), "median_from_sorted_data.c: gsl_stats_median_from_sorted_data is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_median_from_sorted_data_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];

    (void)module;
    if (given == NULL || dlb_py_take(&dl_median_from_sorted_data_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const double *data = arrays[0].object;
    size_t stride = 0;
    size_t n = 0;

    if (DLB_PY_DERIVE(&dl_median_from_sorted_data_call, "data", stride,
                      dlb_py_stride(&arrays[0], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_median_from_sorted_data_call, "data", n, dlb_py_count(&arrays[0])) != 0) {
        return dlb_py_finish_call(&dl_median_from_sorted_data_call, arrays, NULL);
    }

    double result = gsl_stats_median_from_sorted_data(data, stride, n);
    PyObject *answer = PyFloat_FromDouble(result);
    return dlb_py_finish_call(&dl_median_from_sorted_data_call, arrays, answer);
}

static const dlb_py_function dl_quantile_from_sorted_data_call = {
    .name = "quantile_from_sorted_data",
    .count = 2,
    .positional = 2,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("data", 1), DLB_PY_PARAM(double, "f", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .flags = DLB_PY_NUMBERS, .require = &dl_mean_data_array}),
};

static PyObject *py_dlgsl_quantile_from_sorted_data(PyObject *module, PyObject *const *args,
                                                    Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_stats_quantile_from_sorted_data, double (*)(const double *, size_t, size_t, double), "quantile_from_sorted_data.c: gsl_stats_quantile_from_sorted_data is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given =
        dlb_py_arguments(&dl_quantile_from_sorted_data_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    double f = 0;

    (void)module;
    if (given == NULL ||
        dlb_py_read_number(&dl_quantile_from_sorted_data_call, 1, given, &f) != 0 ||
        dlb_py_take(&dl_quantile_from_sorted_data_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const double *data = arrays[0].object;
    size_t stride = 0;
    size_t n = 0;

    if (DLB_PY_DERIVE(&dl_quantile_from_sorted_data_call, "data", stride,
                      dlb_py_stride(&arrays[0], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_quantile_from_sorted_data_call, "data", n, dlb_py_count(&arrays[0])) !=
            0) {
        return dlb_py_finish_call(&dl_quantile_from_sorted_data_call, arrays, NULL);
    }
    if (!(f >= 0 && f <= 1)) { /* quantile_from_sorted_data.require */
        dlb_py_failed(&dl_quantile_from_sorted_data_call, given, PyExc_ValueError,
                      "f >= 0 && f <= 1", "'f' must be from 0 to 1");
        return dlb_py_finish_call(&dl_quantile_from_sorted_data_call, arrays, NULL);
    }

    double result = gsl_stats_quantile_from_sorted_data(data, stride, n, f);
    PyObject *answer = PyFloat_FromDouble(result);
    return dlb_py_finish_call(&dl_quantile_from_sorted_data_call, arrays, answer);
}

static const dlb_py_function dl_minmax_call = {
    .name = "minmax",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("data", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .flags = DLB_PY_NUMBERS, .require = &dl_mean_data_array}),
};

static PyObject *py_dlgsl_minmax(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                 PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_stats_minmax, void (*)(double *, double *, const double *, size_t, size_t), "minmax.c: gsl_stats_minmax is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_minmax_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];

    (void)module;
    if (given == NULL || dlb_py_take(&dl_minmax_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    double min = 0;
    double max = 0;
    const double *data = arrays[0].object;
    size_t stride = 0;
    size_t n = 0;

    if (DLB_PY_DERIVE(&dl_minmax_call, "data", stride, dlb_py_stride(&arrays[0], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_minmax_call, "data", n, dlb_py_count(&arrays[0])) != 0) {
        return dlb_py_finish_call(&dl_minmax_call, arrays, NULL);
    }
    if (!(n > 0)) { /* minmax.require */
        dlb_py_failed(&dl_minmax_call, given, PyExc_ValueError, "n > 0", "there are no data");
        return dlb_py_finish_call(&dl_minmax_call, arrays, NULL);
    }

    gsl_stats_minmax(&min, &max, data, stride, n);
    PyObject *values[2];

    values[0] = PyFloat_FromDouble(min);
    values[1] = PyFloat_FromDouble(max);
    PyObject *answer = dlb_py_tuple(values, 2);
    return dlb_py_finish_call(&dl_minmax_call, arrays, answer);
}

static const dlb_py_function dl_minmax_index_call = {
    .name = "minmax_index",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("data", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .flags = DLB_PY_NUMBERS, .require = &dl_mean_data_array}),
};

static PyObject *py_dlgsl_minmax_index(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                       PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_stats_minmax_index, void (*)(size_t *, size_t *, const double *, size_t, size_t), "minmax_index.c: gsl_stats_minmax_index is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_minmax_index_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];

    (void)module;
    if (given == NULL || dlb_py_take(&dl_minmax_index_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    size_t min = 0;
    size_t max = 0;
    const double *data = arrays[0].object;
    size_t stride = 0;
    size_t n = 0;

    if (DLB_PY_DERIVE(&dl_minmax_index_call, "data", stride, dlb_py_stride(&arrays[0], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_minmax_index_call, "data", n, dlb_py_count(&arrays[0])) != 0) {
        return dlb_py_finish_call(&dl_minmax_index_call, arrays, NULL);
    }
    if (!(n > 0)) { /* minmax_index.require */
        dlb_py_failed(&dl_minmax_index_call, given, PyExc_ValueError, "n > 0", "there are no data");
        return dlb_py_finish_call(&dl_minmax_index_call, arrays, NULL);
    }

    gsl_stats_minmax_index(&min, &max, data, stride, n);
    PyObject *values[2];

    values[0] = DLB_PY_FROM_INTEGER(min);
    values[1] = DLB_PY_FROM_INTEGER(max);
    PyObject *answer = dlb_py_tuple(values, 2);
    return dlb_py_finish_call(&dl_minmax_index_call, arrays, answer);
}

static const dlb_py_function dl_covariance_call = {
    .name = "covariance",
    .count = 2,
    .positional = 2,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("data1", 1), DLB_PY_OBJECT_PARAM("data2", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .flags = DLB_PY_NUMBERS, .require = &dl_mean_data_array},
                        {.param = 1, .flags = DLB_PY_NUMBERS, .require = &dl_mean_data_array}),
};

static PyObject *py_dlgsl_covariance(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                     PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_stats_covariance, double (*)(const double *, size_t, const double *, size_t, size_t), "covariance.c: gsl_stats_covariance is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given = dlb_py_arguments(&dl_covariance_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];

    (void)module;
    if (given == NULL || dlb_py_take(&dl_covariance_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const double *data1 = arrays[0].object;
    size_t stride1 = 0;
    const double *data2 = arrays[1].object;
    size_t stride2 = 0;
    size_t n = 0;

    if (DLB_PY_DERIVE(&dl_covariance_call, "data1", stride1, dlb_py_stride(&arrays[0], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_covariance_call, "data2", stride2, dlb_py_stride(&arrays[1], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_covariance_call, "data1", n, dlb_py_count(&arrays[0])) != 0 ||
        dlb_py_check_count(&dl_covariance_call, &arrays[1], "data2", DLB_INTEGER(n)) != 0) {
        return dlb_py_finish_call(&dl_covariance_call, arrays, NULL);
    }

    double result = gsl_stats_covariance(data1, stride1, data2, stride2, n);
    PyObject *answer = PyFloat_FromDouble(result);
    return dlb_py_finish_call(&dl_covariance_call, arrays, answer);
}

static const dlb_py_function dl_correlation_call = {
    .name = "correlation",
    .count = 2,
    .positional = 2,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("data1", 1), DLB_PY_OBJECT_PARAM("data2", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .flags = DLB_PY_NUMBERS, .require = &dl_mean_data_array},
                        {.param = 1, .flags = DLB_PY_NUMBERS, .require = &dl_mean_data_array}),
};

static PyObject *py_dlgsl_correlation(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                      PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_stats_correlation, double (*)(const double *, size_t, const double *, size_t, size_t), "correlation.c: gsl_stats_correlation is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given = dlb_py_arguments(&dl_correlation_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];

    (void)module;
    if (given == NULL || dlb_py_take(&dl_correlation_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const double *data1 = arrays[0].object;
    size_t stride1 = 0;
    const double *data2 = arrays[1].object;
    size_t stride2 = 0;
    size_t n = 0;

    if (DLB_PY_DERIVE(&dl_correlation_call, "data1", stride1, dlb_py_stride(&arrays[0], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_correlation_call, "data2", stride2, dlb_py_stride(&arrays[1], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_correlation_call, "data1", n, dlb_py_count(&arrays[0])) != 0 ||
        dlb_py_check_count(&dl_correlation_call, &arrays[1], "data2", DLB_INTEGER(n)) != 0) {
        return dlb_py_finish_call(&dl_correlation_call, arrays, NULL);
    }
    if (!(n > 0)) { /* correlation.require */
        dlb_py_failed(&dl_correlation_call, given, PyExc_ValueError, "n > 0", "there are no data");
        return dlb_py_finish_call(&dl_correlation_call, arrays, NULL);
    }

    double result = gsl_stats_correlation(data1, stride1, data2, stride2, n);
    PyObject *answer = PyFloat_FromDouble(result);
    return dlb_py_finish_call(&dl_correlation_call, arrays, answer);
}

static const dlb_requirements dl_spearman_work_array = {
    .min_ndim = 0,
    .max_ndim = 64,
    .layout = DLB_WRITABLE | DLB_COMPACT,
    .dtypes = (const DLDataType[]){{DLB_CODE_OF(double), 8 * sizeof(double), 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_py_function dl_spearman_call = {
    .name = "spearman",
    .count = 3,
    .positional = 3,
    .operand_count = 3,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("data1", 1), DLB_PY_OBJECT_PARAM("data2", 1),
                            DLB_PY_OBJECT_PARAM("work", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .flags = DLB_PY_NUMBERS, .require = &dl_mean_data_array},
                        {.param = 1, .flags = DLB_PY_NUMBERS, .require = &dl_mean_data_array},
                        {.param = 2, .flags = DLB_PY_WRITES, .require = &dl_spearman_work_array}),
};

static PyObject *py_dlgsl_spearman(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                   PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_stats_spearman, double (*)(const double *, size_t, const double *, size_t, size_t, double *), "spearman.c: gsl_stats_spearman is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[3];
    PyObject *const *given = dlb_py_arguments(&dl_spearman_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[3];

    (void)module;
    if (given == NULL || dlb_py_take(&dl_spearman_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const double *data1 = arrays[0].object;
    size_t stride1 = 0;
    const double *data2 = arrays[1].object;
    size_t stride2 = 0;
    size_t n = 0;
    double *work = arrays[2].object;

    if (DLB_PY_DERIVE(&dl_spearman_call, "data1", stride1, dlb_py_stride(&arrays[0], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_spearman_call, "data2", stride2, dlb_py_stride(&arrays[1], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_spearman_call, "data1", n, dlb_py_count(&arrays[0])) != 0 ||
        dlb_py_check_count(&dl_spearman_call, &arrays[1], "data2", DLB_INTEGER(n)) != 0 ||
        dlb_py_check_count(&dl_spearman_call, &arrays[2], "work",
                           dlb_times(DLB_INTEGER(2), DLB_INTEGER(n))) != 0) {
        return dlb_py_finish_call(&dl_spearman_call, arrays, NULL);
    }
    if (!(n > 0)) { /* spearman.require */
        dlb_py_failed(&dl_spearman_call, given, PyExc_ValueError, "n > 0", "there are no data");
        return dlb_py_finish_call(&dl_spearman_call, arrays, NULL);
    }

    double result = gsl_stats_spearman(data1, stride1, data2, stride2, n, work);
    PyObject *answer = PyFloat_FromDouble(result);
    return dlb_py_finish_call(&dl_spearman_call, arrays, answer);
}

static const dlb_py_function dl_wmean_call = {
    .name = "wmean",
    .count = 2,
    .positional = 2,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("w", 1), DLB_PY_OBJECT_PARAM("data", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .flags = DLB_PY_NUMBERS, .require = &dl_mean_data_array},
                        {.param = 1, .flags = DLB_PY_NUMBERS, .require = &dl_mean_data_array}),
};

static PyObject *py_dlgsl_wmean(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_stats_wmean, double (*)(const double *, size_t, const double *, size_t, size_t), "wmean.c: gsl_stats_wmean is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given = dlb_py_arguments(&dl_wmean_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];

    (void)module;
    if (given == NULL || dlb_py_take(&dl_wmean_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const double *w = arrays[0].object;
    size_t wstride = 0;
    const double *data = arrays[1].object;
    size_t stride = 0;
    size_t n = 0;

    if (DLB_PY_DERIVE(&dl_wmean_call, "w", wstride, dlb_py_stride(&arrays[0], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_wmean_call, "data", stride, dlb_py_stride(&arrays[1], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_wmean_call, "data", n, dlb_py_count(&arrays[1])) != 0 ||
        dlb_py_check_count(&dl_wmean_call, &arrays[0], "w", DLB_INTEGER(n)) != 0) {
        return dlb_py_finish_call(&dl_wmean_call, arrays, NULL);
    }

    double result = gsl_stats_wmean(w, wstride, data, stride, n);
    PyObject *answer = PyFloat_FromDouble(result);
    return dlb_py_finish_call(&dl_wmean_call, arrays, answer);
}

static const dlb_py_function dl_fit_linear_call = {
    .name = "fit_linear",
    .count = 2,
    .positional = 2,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("x", 1), DLB_PY_OBJECT_PARAM("y", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .flags = DLB_PY_NUMBERS, .require = &dl_mean_data_array},
                        {.param = 1, .flags = DLB_PY_NUMBERS, .require = &dl_mean_data_array}),
};

static PyObject *py_dlgsl_fit_linear(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                     PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_fit_linear, int (*)(const double *, size_t, const double *, size_t, size_t, double *, double *, double *, double *, double *, double *), "fit_linear.c: gsl_fit_linear is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given = dlb_py_arguments(&dl_fit_linear_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_take(&dl_fit_linear_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const double *x = arrays[0].object;
    size_t xstride = 0;
    const double *y = arrays[1].object;
    size_t ystride = 0;
    size_t n = 0;
    double c0 = 0;
    double c1 = 0;
    double cov00 = 0;
    double cov01 = 0;
    double cov11 = 0;
    double sumsq = 0;

    if (DLB_PY_DERIVE(&dl_fit_linear_call, "x", xstride, dlb_py_stride(&arrays[0], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_fit_linear_call, "y", ystride, dlb_py_stride(&arrays[1], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_fit_linear_call, "x", n, dlb_py_count(&arrays[0])) != 0 ||
        dlb_py_check_count(&dl_fit_linear_call, &arrays[1], "y", DLB_INTEGER(n)) != 0) {
        return dlb_py_finish_call(&dl_fit_linear_call, arrays, NULL);
    }

    int result =
        gsl_fit_linear(x, xstride, y, ystride, n, &c0, &c1, &cov00, &cov01, &cov11, &sumsq);
    if (result == GSL_SUCCESS) { /* fit_linear.ok */
        PyObject *values[6];

        values[0] = PyFloat_FromDouble(c0);
        values[1] = PyFloat_FromDouble(c1);
        values[2] = PyFloat_FromDouble(cov00);
        values[3] = PyFloat_FromDouble(cov01);
        values[4] = PyFloat_FromDouble(cov11);
        values[5] = PyFloat_FromDouble(sumsq);
        answer = dlb_py_tuple(values, 6);
    } else {
        dlb_py_failed_with(&dl_fit_linear_call, given, PyExc_RuntimeError, "gsl_fit_linear()", NULL,
                           DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_fit_linear_call, arrays, answer);
}

static const dlb_py_function dl_sort_call = {
    .name = "sort",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .holds = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("data", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .flags = DLB_PY_WRITES, .require = &dl_median_data_array}),
};

static PyObject *py_dlgsl_sort(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                               PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_sort, void (*)(double *, size_t, size_t), "sort.c: gsl_sort is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_sort_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];

    (void)module;
    if (given == NULL || dlb_py_take(&dl_sort_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    double *data = arrays[0].object;
    size_t stride = 0;
    size_t n = 0;

    if (DLB_PY_DERIVE(&dl_sort_call, "data", stride, dlb_py_stride(&arrays[0], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_sort_call, "data", n, dlb_py_count(&arrays[0])) != 0) {
        return dlb_py_finish_call(&dl_sort_call, arrays, NULL);
    }

    Py_BEGIN_ALLOW_THREADS
    gsl_sort(data, stride, n);
    Py_END_ALLOW_THREADS
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_sort_call, arrays, answer);
}

static const dlb_py_function dl_sort2_call = {
    .name = "sort2",
    .count = 2,
    .positional = 2,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("data1", 1), DLB_PY_OBJECT_PARAM("data2", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .flags = DLB_PY_WRITES, .require = &dl_median_data_array},
                        {.param = 1, .flags = DLB_PY_WRITES, .require = &dl_median_data_array}),
};

static PyObject *py_dlgsl_sort2(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_sort2, void (*)(double *, size_t, double *, size_t, size_t), "sort2.c: gsl_sort2 is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given = dlb_py_arguments(&dl_sort2_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];

    (void)module;
    if (given == NULL || dlb_py_take(&dl_sort2_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    double *data1 = arrays[0].object;
    size_t stride1 = 0;
    double *data2 = arrays[1].object;
    size_t stride2 = 0;
    size_t n = 0;

    if (DLB_PY_DERIVE(&dl_sort2_call, "data1", stride1, dlb_py_stride(&arrays[0], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_sort2_call, "data2", stride2, dlb_py_stride(&arrays[1], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_sort2_call, "data1", n, dlb_py_count(&arrays[0])) != 0 ||
        dlb_py_check_count(&dl_sort2_call, &arrays[1], "data2", DLB_INTEGER(n)) != 0) {
        return dlb_py_finish_call(&dl_sort2_call, arrays, NULL);
    }

    gsl_sort2(data1, stride1, data2, stride2, n);
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_sort2_call, arrays, answer);
}

static const dlb_requirements dl_sort_index_p_array = {
    .min_ndim = 0,
    .max_ndim = 64,
    .layout = DLB_WRITABLE | DLB_COMPACT,
    .dtypes = (const DLDataType[]){{DLB_CODE_OF(size_t), 8 * sizeof(size_t), 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_py_function dl_sort_index_call = {
    .name = "sort_index",
    .count = 2,
    .positional = 2,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("p", 1), DLB_PY_OBJECT_PARAM("data", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .flags = DLB_PY_WRITES, .require = &dl_sort_index_p_array},
                        {.param = 1, .flags = DLB_PY_NUMBERS, .require = &dl_mean_data_array}),
};

static PyObject *py_dlgsl_sort_index(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                     PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_sort_index, void (*)(size_t *, const double *, size_t, size_t), "sort_index.c: gsl_sort_index is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given = dlb_py_arguments(&dl_sort_index_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];

    (void)module;
    if (given == NULL || dlb_py_take(&dl_sort_index_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    size_t *p = arrays[0].object;
    const double *data = arrays[1].object;
    size_t stride = 0;
    size_t n = 0;

    if (DLB_PY_DERIVE(&dl_sort_index_call, "data", stride, dlb_py_stride(&arrays[1], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_sort_index_call, "data", n, dlb_py_count(&arrays[1])) != 0 ||
        dlb_py_check_count(&dl_sort_index_call, &arrays[0], "p", DLB_INTEGER(n)) != 0) {
        return dlb_py_finish_call(&dl_sort_index_call, arrays, NULL);
    }

    gsl_sort_index(p, data, stride, n);
    PyObject *answer = Py_NewRef(Py_None);
    return dlb_py_finish_call(&dl_sort_index_call, arrays, answer);
}

static const dlb_py_function dl_sort_smallest_call = {
    .name = "sort_smallest",
    .count = 2,
    .positional = 2,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("dest", 1), DLB_PY_OBJECT_PARAM("src", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .flags = DLB_PY_WRITES, .require = &dl_spearman_work_array},
                        {.param = 1, .flags = DLB_PY_NUMBERS, .require = &dl_mean_data_array}),
};

static PyObject *py_dlgsl_sort_smallest(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                        PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_sort_smallest, int (*)(double *, size_t, const double *, size_t, size_t), "sort_smallest.c: gsl_sort_smallest is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given = dlb_py_arguments(&dl_sort_smallest_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_take(&dl_sort_smallest_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    double *dest = arrays[0].object;
    size_t k = 0;
    const double *src = arrays[1].object;
    size_t stride = 0;
    size_t n = 0;

    if (DLB_PY_DERIVE(&dl_sort_smallest_call, "dest", k, dlb_py_count(&arrays[0])) != 0 ||
        DLB_PY_DERIVE(&dl_sort_smallest_call, "src", stride, dlb_py_stride(&arrays[1], 0)) != 0 ||
        DLB_PY_DERIVE(&dl_sort_smallest_call, "src", n, dlb_py_count(&arrays[1])) != 0) {
        return dlb_py_finish_call(&dl_sort_smallest_call, arrays, NULL);
    }

    int result = gsl_sort_smallest(dest, k, src, stride, n);
    if (result == GSL_SUCCESS) { /* sort_smallest.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_sort_smallest_call, given, PyExc_ValueError, "gsl_sort_smallest()",
                           gsl_strerror(result) /* sort_smallest.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_sort_smallest_call, arrays, answer);
}

static const dlb_requirements dl_poly_eval_c_array = {
    .min_ndim = 0,
    .max_ndim = 64,
    .layout = DLB_COMPACT,
    .dtypes = (const DLDataType[]){{DLB_CODE_OF(double), 8 * sizeof(double), 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_py_function dl_poly_eval_call = {
    .name = "poly_eval",
    .count = 2,
    .positional = 2,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("c", 1), DLB_PY_PARAM(double, "x", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .flags = DLB_PY_NUMBERS, .require = &dl_poly_eval_c_array}),
};

static PyObject *py_dlgsl_poly_eval(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                    PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_poly_eval, double (*)(const double *, int, double), "poly_eval.c: gsl_poly_eval is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given = dlb_py_arguments(&dl_poly_eval_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    double x = 0;

    (void)module;
    if (given == NULL || dlb_py_read_number(&dl_poly_eval_call, 1, given, &x) != 0 ||
        dlb_py_take(&dl_poly_eval_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const double *c = arrays[0].object;
    int len = 0;

    if (DLB_PY_DERIVE(&dl_poly_eval_call, "c", len, dlb_py_count(&arrays[0])) != 0) {
        return dlb_py_finish_call(&dl_poly_eval_call, arrays, NULL);
    }
    if (!(len > 0)) { /* poly_eval.require */
        dlb_py_failed(&dl_poly_eval_call, given, PyExc_ValueError, "len > 0",
                      "there are no coefficients");
        return dlb_py_finish_call(&dl_poly_eval_call, arrays, NULL);
    }

    double result = gsl_poly_eval(c, len, x);
    PyObject *answer = PyFloat_FromDouble(result);
    return dlb_py_finish_call(&dl_poly_eval_call, arrays, answer);
}

static const dlb_py_function dl_solve_quadratic_call = {
    .name = "solve_quadratic",
    .count = 3,
    .positional = 3,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(double, "a", 1), DLB_PY_PARAM(double, "b", 1),
                            DLB_PY_PARAM(double, "c", 1)),
};

static PyObject *py_dlgsl_solve_quadratic(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                          PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_poly_solve_quadratic, int (*)(double, double, double, double *, double *), "solve_quadratic.c: gsl_poly_solve_quadratic is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[3];
    PyObject *const *given =
        dlb_py_arguments(&dl_solve_quadratic_call, args, nargs, kwnames, sorted);
    double a = 0;
    double b = 0;
    double c = 0;

    (void)module;
    if (given == NULL || dlb_py_read_number(&dl_solve_quadratic_call, 0, given, &a) != 0 ||
        dlb_py_read_number(&dl_solve_quadratic_call, 1, given, &b) != 0 ||
        dlb_py_read_number(&dl_solve_quadratic_call, 2, given, &c) != 0) {
        return NULL;
    }
    double x0 = 0;
    double x1 = 0;

    int result = gsl_poly_solve_quadratic(a, b, c, &x0, &x1);
    PyObject *values[3];

    values[0] = DLB_PY_FROM_INTEGER(result);
    values[1] = PyFloat_FromDouble(x0);
    values[2] = PyFloat_FromDouble(x1);
    return dlb_py_tuple(values, 3);
}

static const dlb_requirements dl_fft_radix2_forward_data_array = {
    .min_ndim = 1,
    .max_ndim = 1,
    .layout = DLB_WRITABLE | DLB_NONNEGATIVE_STRIDES,
    .dtypes = (const DLDataType[]){{kDLComplex, 128, 1}},
    .dtype_count = 1,
    .devices = (const DLDeviceType[]){kDLCPU},
    .device_count = 1,
};

static const dlb_py_function dl_fft_radix2_forward_call = {
    .name = "fft_radix2_forward",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("data", 1)),
    .operands = DLB_PY_OPERANDS(
        {.param = 0, .flags = DLB_PY_WRITES, .require = &dl_fft_radix2_forward_data_array}),
};

static PyObject *py_dlgsl_fft_radix2_forward(PyObject *module, PyObject *const *args,
                                             Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_fft_complex_radix2_forward, int (*)(double *, size_t, size_t), "fft_radix2_forward.c: gsl_fft_complex_radix2_forward is not a function of this type in the header (for a macro: 'macro: true')");
    DLB_ASSERT_DATA((const double *)0, kDLComplex, 128, "fft_radix2_forward.data: elements of double cannot hold complex128");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_fft_radix2_forward_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_take(&dl_fft_radix2_forward_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    double *data = arrays[0].object;
    size_t stride = 0;
    size_t n = 0;

    if (DLB_PY_DERIVE(&dl_fft_radix2_forward_call, "data", stride, dlb_py_stride(&arrays[0], 0)) !=
            0 ||
        DLB_PY_DERIVE(&dl_fft_radix2_forward_call, "data", n, dlb_py_count(&arrays[0])) != 0) {
        return dlb_py_finish_call(&dl_fft_radix2_forward_call, arrays, NULL);
    }

    int result = gsl_fft_complex_radix2_forward(data, stride, n);
    if (result == GSL_SUCCESS) { /* fft_radix2_forward.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_fft_radix2_forward_call, given, PyExc_ValueError,
                           "gsl_fft_complex_radix2_forward()",
                           gsl_strerror(result) /* fft_radix2_forward.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_fft_radix2_forward_call, arrays, answer);
}

static const dlb_py_function dl_fft_radix2_inverse_call = {
    .name = "fft_radix2_inverse",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("data", 1)),
    .operands = DLB_PY_OPERANDS(
        {.param = 0, .flags = DLB_PY_WRITES, .require = &dl_fft_radix2_forward_data_array}),
};

static PyObject *py_dlgsl_fft_radix2_inverse(PyObject *module, PyObject *const *args,
                                             Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_fft_complex_radix2_inverse, int (*)(double *, size_t, size_t), "fft_radix2_inverse.c: gsl_fft_complex_radix2_inverse is not a function of this type in the header (for a macro: 'macro: true')");
    DLB_ASSERT_DATA((const double *)0, kDLComplex, 128, "fft_radix2_inverse.data: elements of double cannot hold complex128");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_fft_radix2_inverse_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_take(&dl_fft_radix2_inverse_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    double *data = arrays[0].object;
    size_t stride = 0;
    size_t n = 0;

    if (DLB_PY_DERIVE(&dl_fft_radix2_inverse_call, "data", stride, dlb_py_stride(&arrays[0], 0)) !=
            0 ||
        DLB_PY_DERIVE(&dl_fft_radix2_inverse_call, "data", n, dlb_py_count(&arrays[0])) != 0) {
        return dlb_py_finish_call(&dl_fft_radix2_inverse_call, arrays, NULL);
    }

    int result = gsl_fft_complex_radix2_inverse(data, stride, n);
    if (result == GSL_SUCCESS) { /* fft_radix2_inverse.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_fft_radix2_inverse_call, given, PyExc_ValueError,
                           "gsl_fft_complex_radix2_inverse()",
                           gsl_strerror(result) /* fft_radix2_inverse.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_fft_radix2_inverse_call, arrays, answer);
}

static const dlb_py_function dl_dgemm_call = {
    .name = "dgemm",
    .count = 7,
    .positional = 7,
    .operand_count = 3,
    .holds = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("trans_a", 1), DLB_PY_OBJECT_PARAM("trans_b", 1),
                            DLB_PY_PARAM(double, "alpha", 1), DLB_PY_OBJECT_PARAM("a", 1),
                            DLB_PY_OBJECT_PARAM("b", 1), DLB_PY_PARAM(double, "beta", 1),
                            DLB_PY_OBJECT_PARAM("c", 1)),
    .operands = DLB_PY_OPERANDS({.param = 3, .type = &dlgsl_matrix_type},
                                {.param = 4, .type = &dlgsl_matrix_type},
                                {.param = 6, .type = &dlgsl_matrix_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_dgemm(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_blas_dgemm, int (*)(CBLAS_TRANSPOSE_t, CBLAS_TRANSPOSE_t, double, const gsl_matrix *, const gsl_matrix *, double, gsl_matrix *), "dgemm.c: gsl_blas_dgemm is not a function of this type in the header (for a macro: 'macro: true')");
    DLB_ASSERT_KIND(CBLAS_TRANSPOSE_t, INTEGER, "dgemm.trans_a: CBLAS_TRANSPOSE_t is not an int: declare it in 'args' or 'returns'");
    DLB_ASSERT_KIND(CBLAS_TRANSPOSE_t, INTEGER, "dgemm.trans_b: CBLAS_TRANSPOSE_t is not an int: declare it in 'args' or 'returns'");

    PyObject *sorted[7];
    PyObject *const *given = dlb_py_arguments(&dl_dgemm_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[3];
    CBLAS_TRANSPOSE_t trans_a = 0;
    CBLAS_TRANSPOSE_t trans_b = 0;
    double alpha = 0;
    double beta = 0;
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL ||
        dlb_py_read_enum(&dl_dgemm_call, 0, given, &dl_dlgsl_transpose_enum, &trans_a,
                         sizeof trans_a) != 0 ||
        dlb_py_read_enum(&dl_dgemm_call, 1, given, &dl_dlgsl_transpose_enum, &trans_b,
                         sizeof trans_b) != 0 ||
        dlb_py_read_number(&dl_dgemm_call, 2, given, &alpha) != 0 ||
        dlb_py_read_number(&dl_dgemm_call, 5, given, &beta) != 0 ||
        dlb_py_take(&dl_dgemm_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const gsl_matrix *a = arrays[0].object;
    const gsl_matrix *b = arrays[1].object;
    gsl_matrix *c = arrays[2].object;
    if (!(a->size1 > 0 && a->size2 > 0 && b->size1 > 0 && b->size2 > 0 && c->size1 > 0 && c->size2 > 0) /* dgemm.require */) {
        dlb_py_failed(
            &dl_dgemm_call, given, PyExc_ValueError,
            "a->size1 > 0 && a->size2 > 0 && b->size1 > 0 && b->size2 > 0 && c->size1 > 0 && c->size2 > 0",
            "a matrix is empty");
        return dlb_py_finish_call(&dl_dgemm_call, arrays, NULL);
    }

    const dlb_place place_of_c = DLB_PLACE(c->data, (uint64_t)c->size1 * (uint64_t)c->size2);

    int result;
    Py_BEGIN_ALLOW_THREADS
    result = gsl_blas_dgemm(trans_a, trans_b, alpha, a, b, beta, c);
    Py_END_ALLOW_THREADS
    dlb_py_check_place(&dl_dgemm_call, arrays, 2, place_of_c,
                       DLB_PLACE(c->data, (uint64_t)c->size1 * (uint64_t)c->size2));
    if (result == GSL_SUCCESS) { /* dgemm.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_dgemm_call, given, PyExc_ValueError, "gsl_blas_dgemm()",
                           gsl_strerror(result) /* dgemm.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_dgemm_call, arrays, answer);
}

static const dlb_py_function dl_dgemv_call = {
    .name = "dgemv",
    .count = 6,
    .positional = 6,
    .operand_count = 3,
    .holds = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("trans", 1), DLB_PY_PARAM(double, "alpha", 1),
                            DLB_PY_OBJECT_PARAM("a", 1), DLB_PY_OBJECT_PARAM("x", 1),
                            DLB_PY_PARAM(double, "beta", 1), DLB_PY_OBJECT_PARAM("y", 1)),
    .operands = DLB_PY_OPERANDS({.param = 2, .type = &dlgsl_matrix_type},
                                {.param = 3, .type = &dlgsl_vector_type},
                                {.param = 5, .type = &dlgsl_vector_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_dgemv(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_blas_dgemv, int (*)(CBLAS_TRANSPOSE_t, double, const gsl_matrix *, const gsl_vector *, double, gsl_vector *), "dgemv.c: gsl_blas_dgemv is not a function of this type in the header (for a macro: 'macro: true')");
    DLB_ASSERT_KIND(CBLAS_TRANSPOSE_t, INTEGER, "dgemv.trans: CBLAS_TRANSPOSE_t is not an int: declare it in 'args' or 'returns'");

    PyObject *sorted[6];
    PyObject *const *given = dlb_py_arguments(&dl_dgemv_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[3];
    CBLAS_TRANSPOSE_t trans = 0;
    double alpha = 0;
    double beta = 0;
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL ||
        dlb_py_read_enum(&dl_dgemv_call, 0, given, &dl_dlgsl_transpose_enum, &trans,
                         sizeof trans) != 0 ||
        dlb_py_read_number(&dl_dgemv_call, 1, given, &alpha) != 0 ||
        dlb_py_read_number(&dl_dgemv_call, 4, given, &beta) != 0 ||
        dlb_py_take(&dl_dgemv_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const gsl_matrix *a = arrays[0].object;
    const gsl_vector *x = arrays[1].object;
    gsl_vector *y = arrays[2].object;
    if (!(a->size1 > 0 && a->size2 > 0)) { /* dgemv.require */
        dlb_py_failed(&dl_dgemv_call, given, PyExc_ValueError, "a->size1 > 0 && a->size2 > 0",
                      "the matrix is empty");
        return dlb_py_finish_call(&dl_dgemv_call, arrays, NULL);
    }

    const dlb_place place_of_y = DLB_PLACE(y->data, (uint64_t)y->size);

    int result;
    Py_BEGIN_ALLOW_THREADS
    result = gsl_blas_dgemv(trans, alpha, a, x, beta, y);
    Py_END_ALLOW_THREADS
    dlb_py_check_place(&dl_dgemv_call, arrays, 2, place_of_y,
                       DLB_PLACE(y->data, (uint64_t)y->size));
    if (result == GSL_SUCCESS) { /* dgemv.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_dgemv_call, given, PyExc_ValueError, "gsl_blas_dgemv()",
                           gsl_strerror(result) /* dgemv.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_dgemv_call, arrays, answer);
}

static const dlb_py_function dl_dtrsv_call = {
    .name = "dtrsv",
    .count = 5,
    .positional = 5,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("triangle", 1), DLB_PY_OBJECT_PARAM("trans", 1),
                            DLB_PY_OBJECT_PARAM("diagonal", 1), DLB_PY_OBJECT_PARAM("a", 1),
                            DLB_PY_OBJECT_PARAM("x", 1)),
    .operands = DLB_PY_OPERANDS({.param = 3, .type = &dlgsl_matrix_type},
                                {.param = 4, .type = &dlgsl_vector_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_dtrsv(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_blas_dtrsv, int (*)(CBLAS_UPLO_t, CBLAS_TRANSPOSE_t, CBLAS_DIAG_t, const gsl_matrix *, gsl_vector *), "dtrsv.c: gsl_blas_dtrsv is not a function of this type in the header (for a macro: 'macro: true')");
    DLB_ASSERT_KIND(CBLAS_UPLO_t, INTEGER, "dtrsv.triangle: CBLAS_UPLO_t is not an int: declare it in 'args' or 'returns'");
    DLB_ASSERT_KIND(CBLAS_TRANSPOSE_t, INTEGER, "dtrsv.trans: CBLAS_TRANSPOSE_t is not an int: declare it in 'args' or 'returns'");
    DLB_ASSERT_KIND(CBLAS_DIAG_t, INTEGER, "dtrsv.diagonal: CBLAS_DIAG_t is not an int: declare it in 'args' or 'returns'");

    PyObject *sorted[5];
    PyObject *const *given = dlb_py_arguments(&dl_dtrsv_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    CBLAS_UPLO_t triangle = 0;
    CBLAS_TRANSPOSE_t trans = 0;
    CBLAS_DIAG_t diagonal = 0;
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL ||
        dlb_py_read_enum(&dl_dtrsv_call, 0, given, &dl_dlgsl_triangle_enum, &triangle,
                         sizeof triangle) != 0 ||
        dlb_py_read_enum(&dl_dtrsv_call, 1, given, &dl_dlgsl_transpose_enum, &trans,
                         sizeof trans) != 0 ||
        dlb_py_read_enum(&dl_dtrsv_call, 2, given, &dl_dlgsl_diagonal_enum, &diagonal,
                         sizeof diagonal) != 0 ||
        dlb_py_take(&dl_dtrsv_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const gsl_matrix *a = arrays[0].object;
    gsl_vector *x = arrays[1].object;
    if (!(a->size1 > 0 && a->size2 > 0)) { /* dtrsv.require */
        dlb_py_failed(&dl_dtrsv_call, given, PyExc_ValueError, "a->size1 > 0 && a->size2 > 0",
                      "the matrix is empty");
        return dlb_py_finish_call(&dl_dtrsv_call, arrays, NULL);
    }

    const dlb_place place_of_x = DLB_PLACE(x->data, (uint64_t)x->size);

    int result = gsl_blas_dtrsv(triangle, trans, diagonal, a, x);
    dlb_py_check_place(&dl_dtrsv_call, arrays, 1, place_of_x,
                       DLB_PLACE(x->data, (uint64_t)x->size));
    if (result == GSL_SUCCESS) { /* dtrsv.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_dtrsv_call, given, PyExc_ValueError, "gsl_blas_dtrsv()",
                           gsl_strerror(result) /* dtrsv.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_dtrsv_call, arrays, answer);
}

static const dlb_py_function dl_ddot_call = {
    .name = "ddot",
    .count = 2,
    .positional = 2,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("x", 1), DLB_PY_OBJECT_PARAM("y", 1)),
    .operands = DLB_PY_OPERANDS({.param = 0, .type = &dlgsl_vector_type},
                                {.param = 1, .type = &dlgsl_vector_type}),
};

static PyObject *py_dlgsl_ddot(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                               PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_blas_ddot, int (*)(const gsl_vector *, const gsl_vector *, double *), "ddot.c: gsl_blas_ddot is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given = dlb_py_arguments(&dl_ddot_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_take(&dl_ddot_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const gsl_vector *x = arrays[0].object;
    const gsl_vector *y = arrays[1].object;
    double product = 0;

    int result = gsl_blas_ddot(x, y, &product);
    if (result == GSL_SUCCESS) { /* ddot.ok */
        answer = PyFloat_FromDouble(product);
    } else {
        dlb_py_failed_with(&dl_ddot_call, given, PyExc_ValueError, "gsl_blas_ddot()",
                           gsl_strerror(result) /* ddot.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_ddot_call, arrays, answer);
}

static const dlb_py_function dl_sdot_call = {
    .name = "sdot",
    .count = 2,
    .positional = 2,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("x", 1), DLB_PY_OBJECT_PARAM("y", 1)),
    .operands = DLB_PY_OPERANDS({.param = 0, .type = &dlgsl_vector_f32_type},
                                {.param = 1, .type = &dlgsl_vector_f32_type}),
};

static PyObject *py_dlgsl_sdot(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                               PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_blas_sdot, int (*)(const gsl_vector_float *, const gsl_vector_float *, float *), "sdot.c: gsl_blas_sdot is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given = dlb_py_arguments(&dl_sdot_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_take(&dl_sdot_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const gsl_vector_float *x = arrays[0].object;
    const gsl_vector_float *y = arrays[1].object;
    float product = 0;

    int result = gsl_blas_sdot(x, y, &product);
    if (result == GSL_SUCCESS) { /* sdot.ok */
        answer = PyFloat_FromDouble((double)product);
    } else {
        dlb_py_failed_with(&dl_sdot_call, given, PyExc_ValueError, "gsl_blas_sdot()",
                           gsl_strerror(result) /* sdot.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_sdot_call, arrays, answer);
}

static const dlb_py_function dl_dnrm2_call = {
    .name = "dnrm2",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("x", 1)),
    .operands = DLB_PY_OPERANDS({.param = 0, .type = &dlgsl_vector_type}),
};

static PyObject *py_dlgsl_dnrm2(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_blas_dnrm2, double (*)(const gsl_vector *), "dnrm2.c: gsl_blas_dnrm2 is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_dnrm2_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];

    (void)module;
    if (given == NULL || dlb_py_take(&dl_dnrm2_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const gsl_vector *x = arrays[0].object;

    double result = gsl_blas_dnrm2(x);
    PyObject *answer = PyFloat_FromDouble(result);
    return dlb_py_finish_call(&dl_dnrm2_call, arrays, answer);
}

static const dlb_py_function dl_dznrm2_call = {
    .name = "dznrm2",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("x", 1)),
    .operands = DLB_PY_OPERANDS({.param = 0, .type = &dlgsl_vector_c128_type}),
};

static PyObject *py_dlgsl_dznrm2(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                 PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_blas_dznrm2, double (*)(const gsl_vector_complex *), "dznrm2.c: gsl_blas_dznrm2 is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given = dlb_py_arguments(&dl_dznrm2_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];

    (void)module;
    if (given == NULL || dlb_py_take(&dl_dznrm2_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const gsl_vector_complex *x = arrays[0].object;

    double result = gsl_blas_dznrm2(x);
    PyObject *answer = PyFloat_FromDouble(result);
    return dlb_py_finish_call(&dl_dznrm2_call, arrays, answer);
}

static const dlb_py_function dl_daxpy_call = {
    .name = "daxpy",
    .count = 3,
    .positional = 3,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_PARAM(double, "alpha", 1), DLB_PY_OBJECT_PARAM("x", 1),
                            DLB_PY_OBJECT_PARAM("y", 1)),
    .operands = DLB_PY_OPERANDS({.param = 1, .type = &dlgsl_vector_type},
                                {.param = 2, .type = &dlgsl_vector_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_daxpy(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_blas_daxpy, int (*)(double, const gsl_vector *, gsl_vector *), "daxpy.c: gsl_blas_daxpy is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[3];
    PyObject *const *given = dlb_py_arguments(&dl_daxpy_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    double alpha = 0;
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_read_number(&dl_daxpy_call, 0, given, &alpha) != 0 ||
        dlb_py_take(&dl_daxpy_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const gsl_vector *x = arrays[0].object;
    gsl_vector *y = arrays[1].object;

    const dlb_place place_of_y = DLB_PLACE(y->data, (uint64_t)y->size);

    int result = gsl_blas_daxpy(alpha, x, y);
    dlb_py_check_place(&dl_daxpy_call, arrays, 1, place_of_y,
                       DLB_PLACE(y->data, (uint64_t)y->size));
    if (result == GSL_SUCCESS) { /* daxpy.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_daxpy_call, given, PyExc_ValueError, "gsl_blas_daxpy()",
                           gsl_strerror(result) /* daxpy.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_daxpy_call, arrays, answer);
}

static const dlb_py_function dl_LU_decomp_call = {
    .name = "LU_decomp",
    .count = 2,
    .positional = 2,
    .operand_count = 2,
    .holds = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("a", 1), DLB_PY_OBJECT_PARAM("p", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .type = &dlgsl_matrix_type, .flags = DLB_PY_WRITES},
                        {.param = 1, .type = &dlgsl_permutation_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_LU_decomp(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                    PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_linalg_LU_decomp, int (*)(gsl_matrix *, gsl_permutation *, int *), "LU_decomp.c: gsl_linalg_LU_decomp is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given = dlb_py_arguments(&dl_LU_decomp_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_take(&dl_LU_decomp_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix *a = arrays[0].object;
    gsl_permutation *p = arrays[1].object;
    int signum = 0;
    if (!(a->size1 > 0 && a->size2 > 0)) { /* LU_decomp.require */
        dlb_py_failed(&dl_LU_decomp_call, given, PyExc_ValueError, "a->size1 > 0 && a->size2 > 0",
                      "the matrix is empty");
        return dlb_py_finish_call(&dl_LU_decomp_call, arrays, NULL);
    }

    const dlb_place place_of_a = DLB_PLACE(a->data, (uint64_t)a->size1 * (uint64_t)a->size2);
    const dlb_place place_of_p = DLB_PLACE(p->data, (uint64_t)p->size);

    int result;
    Py_BEGIN_ALLOW_THREADS
    result = gsl_linalg_LU_decomp(a, p, &signum);
    Py_END_ALLOW_THREADS
    dlb_py_check_place(&dl_LU_decomp_call, arrays, 0, place_of_a,
                       DLB_PLACE(a->data, (uint64_t)a->size1 * (uint64_t)a->size2));
    dlb_py_check_place(&dl_LU_decomp_call, arrays, 1, place_of_p,
                       DLB_PLACE(p->data, (uint64_t)p->size));
    if (result == GSL_SUCCESS) { /* LU_decomp.ok */
        answer = DLB_PY_FROM_INTEGER(signum);
    } else {
        dlb_py_failed_with(&dl_LU_decomp_call, given, PyExc_ValueError, "gsl_linalg_LU_decomp()",
                           gsl_strerror(result) /* LU_decomp.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_LU_decomp_call, arrays, answer);
}

static const dlb_requirements dl_LU_solve_p_array = {
    .min_ndim = 1,
    .max_ndim = 1,
};

static const dlb_py_function dl_LU_solve_call = {
    .name = "LU_solve",
    .count = 4,
    .positional = 4,
    .operand_count = 4,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("lu", 1), DLB_PY_OBJECT_PARAM("p", 1),
                            DLB_PY_OBJECT_PARAM("b", 1), DLB_PY_OBJECT_PARAM("x", 0)),
    .operands = DLB_PY_OPERANDS(
        {.param = 0, .type = &dlgsl_matrix_type},
        {.param = 1, .type = &dlgsl_permutation_type, .require = &dl_LU_solve_p_array},
        {.param = 2, .type = &dlgsl_vector_type, .flags = DLB_PY_DESCRIBED},
        {.param = 3, .type = &dlgsl_vector_type, .flags = DLB_PY_WRITES, .like = 3}),
};

static PyObject *py_dlgsl_LU_solve(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                   PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_linalg_LU_solve, int (*)(const gsl_matrix *, const gsl_permutation *, const gsl_vector *, gsl_vector *), "LU_solve.c: gsl_linalg_LU_solve is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[4];
    PyObject *const *given = dlb_py_arguments(&dl_LU_solve_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[4];
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_take(&dl_LU_solve_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const gsl_matrix *lu = arrays[0].object;
    const gsl_permutation *p = arrays[1].object;
    const gsl_vector *b = arrays[2].object;
    gsl_vector *x = arrays[3].object;
    if (!(lu->size1 > 0 && lu->size2 > 0)) { /* LU_solve.require */
        dlb_py_failed(&dl_LU_solve_call, given, PyExc_ValueError, "lu->size1 > 0 && lu->size2 > 0",
                      "the matrix is empty");
        return dlb_py_finish_call(&dl_LU_solve_call, arrays, NULL);
    }

    const dlb_place place_of_x = DLB_PLACE(x->data, (uint64_t)x->size);

    int result = gsl_linalg_LU_solve(lu, p, b, x);
    dlb_py_check_place(&dl_LU_solve_call, arrays, 3, place_of_x,
                       DLB_PLACE(x->data, (uint64_t)x->size));
    if (result == GSL_SUCCESS) { /* LU_solve.ok */
        answer = dlb_py_argument_object(&arrays[3]);
    } else {
        dlb_py_failed_with(&dl_LU_solve_call, given, PyExc_ValueError, "gsl_linalg_LU_solve()",
                           gsl_strerror(result) /* LU_solve.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_LU_solve_call, arrays, answer);
}

static const dlb_requirements dl_LU_invert_inverse_array = {
    .min_ndim = 2,
    .max_ndim = 2,
};

static const dlb_py_function dl_LU_invert_call = {
    .name = "LU_invert",
    .count = 3,
    .positional = 3,
    .operand_count = 3,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("lu", 1), DLB_PY_OBJECT_PARAM("p", 1),
                            DLB_PY_OBJECT_PARAM("inverse", 0)),
    .operands = DLB_PY_OPERANDS(
        {.param = 0, .type = &dlgsl_matrix_type, .flags = DLB_PY_DESCRIBED},
        {.param = 1, .type = &dlgsl_permutation_type, .require = &dl_LU_solve_p_array},
        {.param = 2,
         .type = &dlgsl_matrix_type,
         .flags = DLB_PY_WRITES,
         .require = &dl_LU_invert_inverse_array,
         .like = 1}),
};

static PyObject *py_dlgsl_LU_invert(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                    PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_linalg_LU_invert, int (*)(const gsl_matrix *, const gsl_permutation *, gsl_matrix *), "LU_invert.c: gsl_linalg_LU_invert is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[3];
    PyObject *const *given = dlb_py_arguments(&dl_LU_invert_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[3];
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_take(&dl_LU_invert_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const gsl_matrix *lu = arrays[0].object;
    const gsl_permutation *p = arrays[1].object;
    gsl_matrix *inverse = arrays[2].object;
    if (!(lu->size1 > 0 && lu->size2 > 0)) { /* LU_invert.require */
        dlb_py_failed(&dl_LU_invert_call, given, PyExc_ValueError, "lu->size1 > 0 && lu->size2 > 0",
                      "the matrix is empty");
        return dlb_py_finish_call(&dl_LU_invert_call, arrays, NULL);
    }

    if (DLB_PY_CHECK_SHAPE(&dl_LU_invert_call, &arrays[2], "inverse", DLB_INTEGER(lu->size1),
                           DLB_INTEGER(lu->size2)) != 0) {
        return dlb_py_finish_call(&dl_LU_invert_call, arrays, NULL);
    }

    const dlb_place place_of_inverse =
        DLB_PLACE(inverse->data, (uint64_t)inverse->size1 * (uint64_t)inverse->size2);

    int result = gsl_linalg_LU_invert(lu, p, inverse);
    dlb_py_check_place(
        &dl_LU_invert_call, arrays, 2, place_of_inverse,
        DLB_PLACE(inverse->data, (uint64_t)inverse->size1 * (uint64_t)inverse->size2));
    if (result == GSL_SUCCESS) { /* LU_invert.ok */
        answer = dlb_py_argument_object(&arrays[2]);
    } else {
        dlb_py_failed_with(&dl_LU_invert_call, given, PyExc_ValueError, "gsl_linalg_LU_invert()",
                           gsl_strerror(result) /* LU_invert.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_LU_invert_call, arrays, answer);
}

static const dlb_py_function dl_LU_invx_call = {
    .name = "LU_invx",
    .count = 2,
    .positional = 2,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("lu", 1), DLB_PY_OBJECT_PARAM("p", 1)),
    .operands = DLB_PY_OPERANDS(
        {.param = 0, .type = &dlgsl_matrix_type, .flags = DLB_PY_WRITES},
        {.param = 1, .type = &dlgsl_permutation_type, .require = &dl_LU_solve_p_array}),
};

static PyObject *py_dlgsl_LU_invx(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                  PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_linalg_LU_invx, int (*)(gsl_matrix *, const gsl_permutation *), "LU_invx.c: gsl_linalg_LU_invx is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given = dlb_py_arguments(&dl_LU_invx_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_take(&dl_LU_invx_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix *lu = arrays[0].object;
    const gsl_permutation *p = arrays[1].object;
    if (!(lu->size1 > 0 && lu->size2 > 0)) { /* LU_invx.require */
        dlb_py_failed(&dl_LU_invx_call, given, PyExc_ValueError, "lu->size1 > 0 && lu->size2 > 0",
                      "the matrix is empty");
        return dlb_py_finish_call(&dl_LU_invx_call, arrays, NULL);
    }

    const dlb_place place_of_lu = DLB_PLACE(lu->data, (uint64_t)lu->size1 * (uint64_t)lu->size2);

    int result = gsl_linalg_LU_invx(lu, p);
    dlb_py_check_place(&dl_LU_invx_call, arrays, 0, place_of_lu,
                       DLB_PLACE(lu->data, (uint64_t)lu->size1 * (uint64_t)lu->size2));
    if (result == GSL_SUCCESS) { /* LU_invx.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_LU_invx_call, given, PyExc_ValueError, "gsl_linalg_LU_invx()",
                           gsl_strerror(result) /* LU_invx.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_LU_invx_call, arrays, answer);
}

static const dlb_py_function dl_LU_det_call = {
    .name = "LU_det",
    .count = 2,
    .positional = 2,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("lu", 1), DLB_PY_PARAM(int, "signum", 1)),
    .operands = DLB_PY_OPERANDS(
        {.param = 0, .type = &dlgsl_matrix_type, .require = &dl_LU_invert_inverse_array}),
};

static PyObject *py_dlgsl_LU_det(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                 PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_linalg_LU_det, double (*)(gsl_matrix *, int), "LU_det.c: gsl_linalg_LU_det is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given = dlb_py_arguments(&dl_LU_det_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    int signum = 0;

    (void)module;
    if (given == NULL || dlb_py_read_number(&dl_LU_det_call, 1, given, &signum) != 0 ||
        dlb_py_take(&dl_LU_det_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix *lu = arrays[0].object;

    if (DLB_PY_CHECK_SHAPE(&dl_LU_det_call, &arrays[0], "lu", DLB_INTEGER(lu->size1),
                           DLB_INTEGER(lu->size1)) != 0) {
        return dlb_py_finish_call(&dl_LU_det_call, arrays, NULL);
    }

    double result = gsl_linalg_LU_det(lu, signum);
    PyObject *answer = PyFloat_FromDouble(result);
    return dlb_py_finish_call(&dl_LU_det_call, arrays, answer);
}

static const dlb_py_function dl_complex_LU_decomp_call = {
    .name = "complex_LU_decomp",
    .count = 2,
    .positional = 2,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("a", 1), DLB_PY_OBJECT_PARAM("p", 1)),
    .operands =
        DLB_PY_OPERANDS({.param = 0, .type = &dlgsl_matrix_c128_type, .flags = DLB_PY_WRITES},
                        {.param = 1, .type = &dlgsl_permutation_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_complex_LU_decomp(PyObject *module, PyObject *const *args,
                                            Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_linalg_complex_LU_decomp, int (*)(gsl_matrix_complex *, gsl_permutation *, int *), "complex_LU_decomp.c: gsl_linalg_complex_LU_decomp is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given =
        dlb_py_arguments(&dl_complex_LU_decomp_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_take(&dl_complex_LU_decomp_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix_complex *a = arrays[0].object;
    gsl_permutation *p = arrays[1].object;
    int signum = 0;
    if (!(a->size1 > 0 && a->size2 > 0)) { /* complex_LU_decomp.require */
        dlb_py_failed(&dl_complex_LU_decomp_call, given, PyExc_ValueError,
                      "a->size1 > 0 && a->size2 > 0", "the matrix is empty");
        return dlb_py_finish_call(&dl_complex_LU_decomp_call, arrays, NULL);
    }

    const dlb_place place_of_a = DLB_PLACE(a->data, (uint64_t)a->size1 * (uint64_t)a->size2);
    const dlb_place place_of_p = DLB_PLACE(p->data, (uint64_t)p->size);

    int result = gsl_linalg_complex_LU_decomp(a, p, &signum);
    dlb_py_check_place(&dl_complex_LU_decomp_call, arrays, 0, place_of_a,
                       DLB_PLACE(a->data, (uint64_t)a->size1 * (uint64_t)a->size2));
    dlb_py_check_place(&dl_complex_LU_decomp_call, arrays, 1, place_of_p,
                       DLB_PLACE(p->data, (uint64_t)p->size));
    if (result == GSL_SUCCESS) { /* complex_LU_decomp.ok */
        answer = DLB_PY_FROM_INTEGER(signum);
    } else {
        dlb_py_failed_with(&dl_complex_LU_decomp_call, given, PyExc_ValueError,
                           "gsl_linalg_complex_LU_decomp()",
                           gsl_strerror(result) /* complex_LU_decomp.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_complex_LU_decomp_call, arrays, answer);
}

static const dlb_py_function dl_complex_LU_solve_call = {
    .name = "complex_LU_solve",
    .count = 4,
    .positional = 4,
    .operand_count = 4,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("lu", 1), DLB_PY_OBJECT_PARAM("p", 1),
                            DLB_PY_OBJECT_PARAM("b", 1), DLB_PY_OBJECT_PARAM("x", 0)),
    .operands = DLB_PY_OPERANDS(
        {.param = 0, .type = &dlgsl_matrix_c128_type},
        {.param = 1, .type = &dlgsl_permutation_type, .require = &dl_LU_solve_p_array},
        {.param = 2, .type = &dlgsl_vector_c128_type, .flags = DLB_PY_DESCRIBED},
        {.param = 3, .type = &dlgsl_vector_c128_type, .flags = DLB_PY_WRITES, .like = 3}),
};

static PyObject *py_dlgsl_complex_LU_solve(PyObject *module, PyObject *const *args,
                                           Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_linalg_complex_LU_solve, int (*)(const gsl_matrix_complex *, const gsl_permutation *, const gsl_vector_complex *, gsl_vector_complex *), "complex_LU_solve.c: gsl_linalg_complex_LU_solve is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[4];
    PyObject *const *given =
        dlb_py_arguments(&dl_complex_LU_solve_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[4];
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_take(&dl_complex_LU_solve_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const gsl_matrix_complex *lu = arrays[0].object;
    const gsl_permutation *p = arrays[1].object;
    const gsl_vector_complex *b = arrays[2].object;
    gsl_vector_complex *x = arrays[3].object;
    if (!(lu->size1 > 0 && lu->size2 > 0)) { /* complex_LU_solve.require */
        dlb_py_failed(&dl_complex_LU_solve_call, given, PyExc_ValueError,
                      "lu->size1 > 0 && lu->size2 > 0", "the matrix is empty");
        return dlb_py_finish_call(&dl_complex_LU_solve_call, arrays, NULL);
    }

    const dlb_place place_of_x = DLB_PLACE(x->data, (uint64_t)x->size);

    int result = gsl_linalg_complex_LU_solve(lu, p, b, x);
    dlb_py_check_place(&dl_complex_LU_solve_call, arrays, 3, place_of_x,
                       DLB_PLACE(x->data, (uint64_t)x->size));
    if (result == GSL_SUCCESS) { /* complex_LU_solve.ok */
        answer = dlb_py_argument_object(&arrays[3]);
    } else {
        dlb_py_failed_with(&dl_complex_LU_solve_call, given, PyExc_ValueError,
                           "gsl_linalg_complex_LU_solve()",
                           gsl_strerror(result) /* complex_LU_solve.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_complex_LU_solve_call, arrays, answer);
}

static const dlb_py_function dl_cholesky_decomp_call = {
    .name = "cholesky_decomp",
    .count = 1,
    .positional = 1,
    .operand_count = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("a", 1)),
    .operands = DLB_PY_OPERANDS({.param = 0, .type = &dlgsl_matrix_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_cholesky_decomp(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                          PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_linalg_cholesky_decomp1, int (*)(gsl_matrix *), "cholesky_decomp.c: gsl_linalg_cholesky_decomp1 is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[1];
    PyObject *const *given =
        dlb_py_arguments(&dl_cholesky_decomp_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[1];
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_take(&dl_cholesky_decomp_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix *a = arrays[0].object;

    const dlb_place place_of_a = DLB_PLACE(a->data, (uint64_t)a->size1 * (uint64_t)a->size2);

    int result = gsl_linalg_cholesky_decomp1(a);
    dlb_py_check_place(&dl_cholesky_decomp_call, arrays, 0, place_of_a,
                       DLB_PLACE(a->data, (uint64_t)a->size1 * (uint64_t)a->size2));
    if (result == GSL_SUCCESS) { /* cholesky_decomp.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_cholesky_decomp_call, given, PyExc_ValueError,
                           "gsl_linalg_cholesky_decomp1()",
                           gsl_strerror(result) /* cholesky_decomp.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_cholesky_decomp_call, arrays, answer);
}

static const dlb_py_function dl_cholesky_solve_call = {
    .name = "cholesky_solve",
    .count = 3,
    .positional = 3,
    .operand_count = 3,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("cholesky", 1), DLB_PY_OBJECT_PARAM("b", 1),
                            DLB_PY_OBJECT_PARAM("x", 0)),
    .operands = DLB_PY_OPERANDS(
        {.param = 0, .type = &dlgsl_matrix_type},
        {.param = 1, .type = &dlgsl_vector_type, .flags = DLB_PY_DESCRIBED},
        {.param = 2, .type = &dlgsl_vector_type, .flags = DLB_PY_WRITES, .like = 2}),
};

static PyObject *py_dlgsl_cholesky_solve(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                         PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_linalg_cholesky_solve, int (*)(const gsl_matrix *, const gsl_vector *, gsl_vector *), "cholesky_solve.c: gsl_linalg_cholesky_solve is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[3];
    PyObject *const *given =
        dlb_py_arguments(&dl_cholesky_solve_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[3];
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_take(&dl_cholesky_solve_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const gsl_matrix *cholesky = arrays[0].object;
    const gsl_vector *b = arrays[1].object;
    gsl_vector *x = arrays[2].object;
    if (!(cholesky->size1 > 0 && cholesky->size2 > 0)) { /* cholesky_solve.require */
        dlb_py_failed(&dl_cholesky_solve_call, given, PyExc_ValueError,
                      "cholesky->size1 > 0 && cholesky->size2 > 0", "the matrix is empty");
        return dlb_py_finish_call(&dl_cholesky_solve_call, arrays, NULL);
    }

    const dlb_place place_of_x = DLB_PLACE(x->data, (uint64_t)x->size);

    int result = gsl_linalg_cholesky_solve(cholesky, b, x);
    dlb_py_check_place(&dl_cholesky_solve_call, arrays, 2, place_of_x,
                       DLB_PLACE(x->data, (uint64_t)x->size));
    if (result == GSL_SUCCESS) { /* cholesky_solve.ok */
        answer = dlb_py_argument_object(&arrays[2]);
    } else {
        dlb_py_failed_with(&dl_cholesky_solve_call, given, PyExc_ValueError,
                           "gsl_linalg_cholesky_solve()",
                           gsl_strerror(result) /* cholesky_solve.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_cholesky_solve_call, arrays, answer);
}

static const dlb_py_function dl_QR_decomp_call = {
    .name = "QR_decomp",
    .count = 2,
    .positional = 2,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("a", 1), DLB_PY_OBJECT_PARAM("tau", 1)),
    .operands = DLB_PY_OPERANDS({.param = 0, .type = &dlgsl_matrix_type, .flags = DLB_PY_WRITES},
                                {.param = 1, .type = &dlgsl_vector_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_QR_decomp(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                    PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_linalg_QR_decomp, int (*)(gsl_matrix *, gsl_vector *), "QR_decomp.c: gsl_linalg_QR_decomp is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[2];
    PyObject *const *given = dlb_py_arguments(&dl_QR_decomp_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_take(&dl_QR_decomp_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix *a = arrays[0].object;
    gsl_vector *tau = arrays[1].object;

    const dlb_place place_of_a = DLB_PLACE(a->data, (uint64_t)a->size1 * (uint64_t)a->size2);
    const dlb_place place_of_tau = DLB_PLACE(tau->data, (uint64_t)tau->size);

    int result = gsl_linalg_QR_decomp(a, tau);
    dlb_py_check_place(&dl_QR_decomp_call, arrays, 0, place_of_a,
                       DLB_PLACE(a->data, (uint64_t)a->size1 * (uint64_t)a->size2));
    dlb_py_check_place(&dl_QR_decomp_call, arrays, 1, place_of_tau,
                       DLB_PLACE(tau->data, (uint64_t)tau->size));
    if (result == GSL_SUCCESS) { /* QR_decomp.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_QR_decomp_call, given, PyExc_ValueError, "gsl_linalg_QR_decomp()",
                           gsl_strerror(result) /* QR_decomp.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_QR_decomp_call, arrays, answer);
}

static const dlb_py_function dl_QR_solve_call = {
    .name = "QR_solve",
    .count = 4,
    .positional = 4,
    .operand_count = 4,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("qr", 1), DLB_PY_OBJECT_PARAM("tau", 1),
                            DLB_PY_OBJECT_PARAM("b", 1), DLB_PY_OBJECT_PARAM("x", 0)),
    .operands = DLB_PY_OPERANDS(
        {.param = 0, .type = &dlgsl_matrix_type},
        {.param = 1, .type = &dlgsl_vector_type, .require = &dl_LU_solve_p_array},
        {.param = 2, .type = &dlgsl_vector_type, .flags = DLB_PY_DESCRIBED},
        {.param = 3, .type = &dlgsl_vector_type, .flags = DLB_PY_WRITES, .like = 3}),
};

static PyObject *py_dlgsl_QR_solve(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                   PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_linalg_QR_solve, int (*)(const gsl_matrix *, const gsl_vector *, const gsl_vector *, gsl_vector *), "QR_solve.c: gsl_linalg_QR_solve is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[4];
    PyObject *const *given = dlb_py_arguments(&dl_QR_solve_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[4];
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_take(&dl_QR_solve_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    const gsl_matrix *qr = arrays[0].object;
    const gsl_vector *tau = arrays[1].object;
    const gsl_vector *b = arrays[2].object;
    gsl_vector *x = arrays[3].object;
    if (!(qr->size1 > 0 && qr->size2 > 0)) { /* QR_solve.require */
        dlb_py_failed(&dl_QR_solve_call, given, PyExc_ValueError, "qr->size1 > 0 && qr->size2 > 0",
                      "the matrix is empty");
        return dlb_py_finish_call(&dl_QR_solve_call, arrays, NULL);
    }

    if (DLB_PY_CHECK_SHAPE(&dl_QR_solve_call, &arrays[1], "tau", DLB_INTEGER(qr->size2)) != 0) {
        return dlb_py_finish_call(&dl_QR_solve_call, arrays, NULL);
    }

    const dlb_place place_of_x = DLB_PLACE(x->data, (uint64_t)x->size);

    int result = gsl_linalg_QR_solve(qr, tau, b, x);
    dlb_py_check_place(&dl_QR_solve_call, arrays, 3, place_of_x,
                       DLB_PLACE(x->data, (uint64_t)x->size));
    if (result == GSL_SUCCESS) { /* QR_solve.ok */
        answer = dlb_py_argument_object(&arrays[3]);
    } else {
        dlb_py_failed_with(&dl_QR_solve_call, given, PyExc_ValueError, "gsl_linalg_QR_solve()",
                           gsl_strerror(result) /* QR_solve.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_QR_solve_call, arrays, answer);
}

static const dlb_py_function dl_SV_decomp_call = {
    .name = "SV_decomp",
    .count = 4,
    .positional = 4,
    .operand_count = 4,
    .holds = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("a", 1), DLB_PY_OBJECT_PARAM("v", 1),
                            DLB_PY_OBJECT_PARAM("s", 1), DLB_PY_OBJECT_PARAM("work", 1)),
    .operands = DLB_PY_OPERANDS({.param = 0, .type = &dlgsl_matrix_type, .flags = DLB_PY_WRITES},
                                {.param = 1, .type = &dlgsl_matrix_type, .flags = DLB_PY_WRITES},
                                {.param = 2, .type = &dlgsl_vector_type, .flags = DLB_PY_WRITES},
                                {.param = 3, .type = &dlgsl_vector_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_SV_decomp(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                    PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_linalg_SV_decomp, int (*)(gsl_matrix *, gsl_matrix *, gsl_vector *, gsl_vector *), "SV_decomp.c: gsl_linalg_SV_decomp is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[4];
    PyObject *const *given = dlb_py_arguments(&dl_SV_decomp_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[4];
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_take(&dl_SV_decomp_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix *a = arrays[0].object;
    gsl_matrix *v = arrays[1].object;
    gsl_vector *s = arrays[2].object;
    gsl_vector *work = arrays[3].object;
    if (!(a->size1 > 0 && a->size2 > 0)) { /* SV_decomp.require */
        dlb_py_failed(&dl_SV_decomp_call, given, PyExc_ValueError, "a->size1 > 0 && a->size2 > 0",
                      "the matrix is empty");
        return dlb_py_finish_call(&dl_SV_decomp_call, arrays, NULL);
    }

    const dlb_place place_of_a = DLB_PLACE(a->data, (uint64_t)a->size1 * (uint64_t)a->size2);
    const dlb_place place_of_v = DLB_PLACE(v->data, (uint64_t)v->size1 * (uint64_t)v->size2);
    const dlb_place place_of_s = DLB_PLACE(s->data, (uint64_t)s->size);
    const dlb_place place_of_work = DLB_PLACE(work->data, (uint64_t)work->size);

    int result;
    Py_BEGIN_ALLOW_THREADS
    result = gsl_linalg_SV_decomp(a, v, s, work);
    Py_END_ALLOW_THREADS
    dlb_py_check_place(&dl_SV_decomp_call, arrays, 0, place_of_a,
                       DLB_PLACE(a->data, (uint64_t)a->size1 * (uint64_t)a->size2));
    dlb_py_check_place(&dl_SV_decomp_call, arrays, 1, place_of_v,
                       DLB_PLACE(v->data, (uint64_t)v->size1 * (uint64_t)v->size2));
    dlb_py_check_place(&dl_SV_decomp_call, arrays, 2, place_of_s,
                       DLB_PLACE(s->data, (uint64_t)s->size));
    dlb_py_check_place(&dl_SV_decomp_call, arrays, 3, place_of_work,
                       DLB_PLACE(work->data, (uint64_t)work->size));
    if (result == GSL_SUCCESS) { /* SV_decomp.ok */
        answer = Py_NewRef(Py_None);
    } else if (result == GSL_ENOMEM) { /* SV_decomp.raises */
        dlb_py_failed_with(&dl_SV_decomp_call, given, PyExc_MemoryError, "gsl_linalg_SV_decomp()",
                           gsl_strerror(result) /* SV_decomp.error */, DLB_VALUE(result));
    } else if (result == GSL_EMAXITER) { /* SV_decomp.raises */
        dlb_py_failed_with(&dl_SV_decomp_call, given, PyExc_ArithmeticError,
                           "gsl_linalg_SV_decomp()", gsl_strerror(result) /* SV_decomp.error */,
                           DLB_VALUE(result));
    } else {
        dlb_py_failed_with(&dl_SV_decomp_call, given, PyExc_ValueError, "gsl_linalg_SV_decomp()",
                           gsl_strerror(result) /* SV_decomp.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_SV_decomp_call, arrays, answer);
}

static const dlb_py_function dl_eigen_symm_call = {
    .name = "eigen_symm",
    .count = 3,
    .positional = 3,
    .operand_count = 3,
    .holds = 1,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("a", 1), DLB_PY_OBJECT_PARAM("eval", 1),
                            DLB_PY_OBJECT_PARAM("w", 1)),
    .operands = DLB_PY_OPERANDS(
        {.param = 0, .type = &dlgsl_matrix_type, .flags = DLB_PY_WRITES},
        {.param = 1, .type = &dlgsl_vector_type, .flags = DLB_PY_WRITES},
        {.param = 2, .type = &dlgsl_eigen_symm_workspace_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_eigen_symm(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                     PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_eigen_symm, int (*)(gsl_matrix *, gsl_vector *, gsl_eigen_symm_workspace *), "eigen_symm.c: gsl_eigen_symm is not a function of this type in the header (for a macro: 'macro: true')");

    PyObject *sorted[3];
    PyObject *const *given = dlb_py_arguments(&dl_eigen_symm_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[3];
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL || dlb_py_take(&dl_eigen_symm_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    gsl_matrix *a = arrays[0].object;
    gsl_vector *eval = arrays[1].object;
    gsl_eigen_symm_workspace *w = arrays[2].object;

    const dlb_place place_of_a = DLB_PLACE(a->data, (uint64_t)a->size1 * (uint64_t)a->size2);
    const dlb_place place_of_eval = DLB_PLACE(eval->data, (uint64_t)eval->size);

    int result;
    Py_BEGIN_ALLOW_THREADS
    result = gsl_eigen_symm(a, eval, w);
    Py_END_ALLOW_THREADS
    dlb_py_check_place(&dl_eigen_symm_call, arrays, 0, place_of_a,
                       DLB_PLACE(a->data, (uint64_t)a->size1 * (uint64_t)a->size2));
    dlb_py_check_place(&dl_eigen_symm_call, arrays, 1, place_of_eval,
                       DLB_PLACE(eval->data, (uint64_t)eval->size));
    if (result == GSL_SUCCESS) { /* eigen_symm.ok */
        answer = Py_NewRef(Py_None);
    } else if (result == GSL_EMAXITER) { /* eigen_symm.raises */
        dlb_py_failed_with(&dl_eigen_symm_call, given, PyExc_ArithmeticError, "gsl_eigen_symm()",
                           gsl_strerror(result) /* eigen_symm.error */, DLB_VALUE(result));
    } else {
        dlb_py_failed_with(&dl_eigen_symm_call, given, PyExc_ValueError, "gsl_eigen_symm()",
                           gsl_strerror(result) /* eigen_symm.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_eigen_symm_call, arrays, answer);
}

static const dlb_py_function dl_eigen_symmv_sort_call = {
    .name = "eigen_symmv_sort",
    .count = 3,
    .positional = 3,
    .operand_count = 2,
    .params = DLB_PY_PARAMS(DLB_PY_OBJECT_PARAM("eval", 1), DLB_PY_OBJECT_PARAM("evec", 1),
                            DLB_PY_OBJECT_PARAM("order", 0)),
    .operands = DLB_PY_OPERANDS({.param = 0, .type = &dlgsl_vector_type, .flags = DLB_PY_WRITES},
                                {.param = 1, .type = &dlgsl_matrix_type, .flags = DLB_PY_WRITES}),
};

static PyObject *py_dlgsl_eigen_symmv_sort(PyObject *module, PyObject *const *args,
                                           Py_ssize_t nargs, PyObject *kwnames)
{
    DLB_ASSERT_FUNCTION(gsl_eigen_symmv_sort, int (*)(gsl_vector *, gsl_matrix *, gsl_eigen_sort_t), "eigen_symmv_sort.c: gsl_eigen_symmv_sort is not a function of this type in the header (for a macro: 'macro: true')");
    DLB_ASSERT_KIND(gsl_eigen_sort_t, INTEGER, "eigen_symmv_sort.order: gsl_eigen_sort_t is not an int: declare it in 'args' or 'returns'");

    PyObject *sorted[3];
    PyObject *const *given =
        dlb_py_arguments(&dl_eigen_symmv_sort_call, args, nargs, kwnames, sorted);
    dlb_py_argument arrays[2];
    gsl_eigen_sort_t order = GSL_EIGEN_SORT_VAL_ASC;
    PyObject *answer = NULL;

    (void)module;
    if (given == NULL ||
        dlb_py_read_enum(&dl_eigen_symmv_sort_call, 2, given, &dl_dlgsl_order_enum, &order,
                         sizeof order) != 0 ||
        dlb_py_take(&dl_eigen_symmv_sort_call, NULL, given, arrays) != 0) {
        return NULL;
    }
    gsl_vector *eval = arrays[0].object;
    gsl_matrix *evec = arrays[1].object;
    if (!(eval->size > 0)) { /* eigen_symmv_sort.require */
        dlb_py_failed(&dl_eigen_symmv_sort_call, given, PyExc_ValueError, "eval->size > 0",
                      "there are no eigenvalues");
        return dlb_py_finish_call(&dl_eigen_symmv_sort_call, arrays, NULL);
    }

    const dlb_place place_of_eval = DLB_PLACE(eval->data, (uint64_t)eval->size);
    const dlb_place place_of_evec =
        DLB_PLACE(evec->data, (uint64_t)evec->size1 * (uint64_t)evec->size2);

    int result = gsl_eigen_symmv_sort(eval, evec, order);
    dlb_py_check_place(&dl_eigen_symmv_sort_call, arrays, 0, place_of_eval,
                       DLB_PLACE(eval->data, (uint64_t)eval->size));
    dlb_py_check_place(&dl_eigen_symmv_sort_call, arrays, 1, place_of_evec,
                       DLB_PLACE(evec->data, (uint64_t)evec->size1 * (uint64_t)evec->size2));
    if (result == GSL_SUCCESS) { /* eigen_symmv_sort.ok */
        answer = Py_NewRef(Py_None);
    } else {
        dlb_py_failed_with(&dl_eigen_symmv_sort_call, given, PyExc_ValueError,
                           "gsl_eigen_symmv_sort()",
                           gsl_strerror(result) /* eigen_symmv_sort.error */, DLB_VALUE(result));
    }
    return dlb_py_finish_call(&dl_eigen_symmv_sort_call, arrays, answer);
}

static PyMethodDef dl_dlgsl_methods[] = {
    {"mean", DLB_PY_METHOD(py_dlgsl_mean), METH_FASTCALL | METH_KEYWORDS,
     "mean($module, /, data)\n"
     "--\n\n"
     "The arithmetic mean.\n\n"
     "`data` is read: an array of float64, of 1 axis, without negative strides, or a sequence "
     "of numbers."},
    {"variance", DLB_PY_METHOD(py_dlgsl_variance), METH_FASTCALL | METH_KEYWORDS,
     "variance($module, /, data)\n"
     "--\n\n"
     "The variance of a sample, with the divisor n - 1.\n\n"
     "`data` is read: an array of float64, of 1 axis, without negative strides, or a sequence "
     "of numbers."},
    {"sd", DLB_PY_METHOD(py_dlgsl_sd), METH_FASTCALL | METH_KEYWORDS,
     "sd($module, /, data)\n"
     "--\n\n"
     "The standard deviation of a sample, with the divisor n - 1.\n\n"
     "`data` is read: an array of float64, of 1 axis, without negative strides, or a sequence "
     "of numbers."},
    {"absdev", DLB_PY_METHOD(py_dlgsl_absdev), METH_FASTCALL | METH_KEYWORDS,
     "absdev($module, /, data)\n"
     "--\n\n"
     "The mean distance from the mean.\n\n"
     "`data` is read: an array of float64, of 1 axis, without negative strides, or a sequence "
     "of numbers."},
    {"skew", DLB_PY_METHOD(py_dlgsl_skew), METH_FASTCALL | METH_KEYWORDS,
     "skew($module, /, data)\n"
     "--\n\n"
     "How far the data lean to one side.\n\n"
     "`data` is read: an array of float64, of 1 axis, without negative strides, or a sequence "
     "of numbers."},
    {"kurtosis", DLB_PY_METHOD(py_dlgsl_kurtosis), METH_FASTCALL | METH_KEYWORDS,
     "kurtosis($module, /, data)\n"
     "--\n\n"
     "How sharply the data peak, 0 for a normal distribution.\n\n"
     "`data` is read: an array of float64, of 1 axis, without negative strides, or a sequence "
     "of numbers."},
    {"mean_of_floats", DLB_PY_METHOD(py_dlgsl_mean_of_floats), METH_FASTCALL | METH_KEYWORDS,
     "mean_of_floats($module, /, data)\n"
     "--\n\n"
     "The arithmetic mean of single precision numbers.\n\n"
     "`data` is read: an array of float32, of 1 axis, without negative strides, or a sequence "
     "of numbers."},
    {"median", DLB_PY_METHOD(py_dlgsl_median), METH_FASTCALL | METH_KEYWORDS,
     "median($module, /, data)\n"
     "--\n\n"
     "The median; reorders the data.\n\n"
     "`data` is written: an array of float64, of 1 axis, without negative strides."},
    {"median_from_sorted_data", DLB_PY_METHOD(py_dlgsl_median_from_sorted_data),
     METH_FASTCALL | METH_KEYWORDS,
     "median_from_sorted_data($module, /, data)\n"
     "--\n\n"
     "The median of sorted data.\n\n"
     "`data` is read: an array of float64, of 1 axis, without negative strides, or a sequence "
     "of numbers."},
    {"quantile_from_sorted_data", DLB_PY_METHOD(py_dlgsl_quantile_from_sorted_data),
     METH_FASTCALL | METH_KEYWORDS,
     "quantile_from_sorted_data($module, /, data, f)\n"
     "--\n\n"
     "The value below which the fraction `f` of sorted data lies, interpolated.\n\n"
     "`data` is read: an array of float64, of 1 axis, without negative strides, or a sequence "
     "of numbers."},
    {"minmax", DLB_PY_METHOD(py_dlgsl_minmax), METH_FASTCALL | METH_KEYWORDS,
     "minmax($module, /, data)\n"
     "--\n\n"
     "The least and the greatest element.\n\n"
     "`data` is read: an array of float64, of 1 axis, without negative strides, or a sequence "
     "of numbers.\n"
     "Returns (min, max)."},
    {"minmax_index", DLB_PY_METHOD(py_dlgsl_minmax_index), METH_FASTCALL | METH_KEYWORDS,
     "minmax_index($module, /, data)\n"
     "--\n\n"
     "Where the least and the greatest element are.\n\n"
     "`data` is read: an array of float64, of 1 axis, without negative strides, or a sequence "
     "of numbers.\n"
     "Returns (min, max)."},
    {"covariance", DLB_PY_METHOD(py_dlgsl_covariance), METH_FASTCALL | METH_KEYWORDS,
     "covariance($module, /, data1, data2)\n"
     "--\n\n"
     "The covariance of a sample of pairs, with the divisor n - 1.\n\n"
     "`data1` is read: an array of float64, of 1 axis, without negative strides, or a "
     "sequence of numbers.\n"
     "`data2` is read: an array of float64, of 1 axis, of data1.size elements, without "
     "negative strides, or a sequence of numbers."},
    {"correlation", DLB_PY_METHOD(py_dlgsl_correlation), METH_FASTCALL | METH_KEYWORDS,
     "correlation($module, /, data1, data2)\n"
     "--\n\n"
     "Pearson's correlation of pairs.\n\n"
     "`data1` is read: an array of float64, of 1 axis, without negative strides, or a "
     "sequence of numbers.\n"
     "`data2` is read: an array of float64, of 1 axis, of data1.size elements, without "
     "negative strides, or a sequence of numbers."},
    {"spearman", DLB_PY_METHOD(py_dlgsl_spearman), METH_FASTCALL | METH_KEYWORDS,
     "spearman($module, /, data1, data2, work)\n"
     "--\n\n"
     "Spearman's correlation of the ranks of pairs; `work` is room for twice as many numbers.\n\n"
     "`data1` is read: an array of float64, of 1 axis, without negative strides, or a "
     "sequence of numbers.\n"
     "`data2` is read: an array of float64, of 1 axis, of data1.size elements, without "
     "negative strides, or a sequence of numbers.\n"
     "`work` is written: an array of float64, of 2 * data1.size elements, compact."},
    {"wmean", DLB_PY_METHOD(py_dlgsl_wmean), METH_FASTCALL | METH_KEYWORDS,
     "wmean($module, /, w, data)\n"
     "--\n\n"
     "The mean of data with weights.\n\n"
     "`w` is read: an array of float64, of 1 axis, of data.size elements, without negative "
     "strides, or a sequence of numbers.\n"
     "`data` is read: an array of float64, of 1 axis, without negative strides, or a sequence "
     "of numbers."},
    {"fit_linear", DLB_PY_METHOD(py_dlgsl_fit_linear), METH_FASTCALL | METH_KEYWORDS,
     "fit_linear($module, /, x, y)\n"
     "--\n\n"
     "The line c0 + c1 x that fits best, the covariances of both, the sum of the squares of "
     "what is left.\n\n"
     "`x` is read: an array of float64, of 1 axis, without negative strides, or a sequence of "
     "numbers.\n"
     "`y` is read: an array of float64, of 1 axis, of x.size elements, without negative "
     "strides, or a sequence of numbers.\n"
     "Returns (c0, c1, cov00, cov01, cov11, sumsq).\n"
     "Raises RuntimeError if the library reports a failure."},
    {"sort", DLB_PY_METHOD(py_dlgsl_sort), METH_FASTCALL | METH_KEYWORDS,
     "sort($module, /, data)\n"
     "--\n\n"
     "Sorts the data in place.\n\n"
     "`data` is written: an array of float64, of 1 axis, without negative strides.\n"
     "Other threads run meanwhile."},
    {"sort2", DLB_PY_METHOD(py_dlgsl_sort2), METH_FASTCALL | METH_KEYWORDS,
     "sort2($module, /, data1, data2)\n"
     "--\n\n"
     "Sorts `data1` in place, and `data2` with it.\n\n"
     "`data1` is written: an array of float64, of 1 axis, without negative strides.\n"
     "`data2` is written: an array of float64, of 1 axis, of data1.size elements, without "
     "negative strides."},
    {"sort_index", DLB_PY_METHOD(py_dlgsl_sort_index), METH_FASTCALL | METH_KEYWORDS,
     "sort_index($module, /, p, data)\n"
     "--\n\n"
     "Writes to `p` where the elements are, the least one first.\n\n"
     "`p` is written: an array of C's `size_t`, of data.size elements, compact.\n"
     "`data` is read: an array of float64, of 1 axis, without negative strides, or a sequence "
     "of numbers."},
    {"sort_smallest", DLB_PY_METHOD(py_dlgsl_sort_smallest), METH_FASTCALL | METH_KEYWORDS,
     "sort_smallest($module, /, dest, src)\n"
     "--\n\n"
     "Writes the least elements of `src` to `dest`, as many as it has room for.\n\n"
     "`dest` is written: an array of float64, compact.\n"
     "`src` is read: an array of float64, of 1 axis, without negative strides, or a sequence "
     "of numbers.\n"
     "Raises ValueError if the library reports a failure."},
    {"poly_eval", DLB_PY_METHOD(py_dlgsl_poly_eval), METH_FASTCALL | METH_KEYWORDS,
     "poly_eval($module, /, c, x)\n"
     "--\n\n"
     "c[0] + c[1] x + c[2] x**2 + ...\n\n"
     "`c` is read: an array of float64, compact, or a sequence of numbers."},
    {"solve_quadratic", DLB_PY_METHOD(py_dlgsl_solve_quadratic), METH_FASTCALL | METH_KEYWORDS,
     "solve_quadratic($module, /, a, b, c)\n"
     "--\n\n"
     "How many real roots a x**2 + b x + c has, and the roots.\n\n"
     "Returns (the result, x0, x1)."},
    {"fft_radix2_forward", DLB_PY_METHOD(py_dlgsl_fft_radix2_forward),
     METH_FASTCALL | METH_KEYWORDS,
     "fft_radix2_forward($module, /, data)\n"
     "--\n\n"
     "The Fourier transform in place, of as many elements as a power of two says.\n\n"
     "`data` is written: an array of complex128, of 1 axis, without negative strides.\n"
     "Raises ValueError if the library reports a failure."},
    {"fft_radix2_inverse", DLB_PY_METHOD(py_dlgsl_fft_radix2_inverse),
     METH_FASTCALL | METH_KEYWORDS,
     "fft_radix2_inverse($module, /, data)\n"
     "--\n\n"
     "The inverse of `fft_radix2_forward`.\n\n"
     "`data` is written: an array of complex128, of 1 axis, without negative strides.\n"
     "Raises ValueError if the library reports a failure."},
    {"dgemm", DLB_PY_METHOD(py_dlgsl_dgemm), METH_FASTCALL | METH_KEYWORDS,
     "dgemm($module, /, trans_a, trans_b, alpha, a, b, beta, c)\n"
     "--\n\n"
     "c = alpha op(a) op(b) + beta c\n\n"
     "`a` is read: Matrix, or an array that Matrix.from_dlpack() takes.\n"
     "`b` is read: Matrix, or an array that Matrix.from_dlpack() takes.\n"
     "`c` is written: Matrix, or an array that Matrix.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure.\n"
     "Other threads run meanwhile."},
    {"dgemv", DLB_PY_METHOD(py_dlgsl_dgemv), METH_FASTCALL | METH_KEYWORDS,
     "dgemv($module, /, trans, alpha, a, x, beta, y)\n"
     "--\n\n"
     "y = alpha op(a) x + beta y\n\n"
     "`a` is read: Matrix, or an array that Matrix.from_dlpack() takes.\n"
     "`x` is read: Vector, or an array that Vector.from_dlpack() takes.\n"
     "`y` is written: Vector, or an array that Vector.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure.\n"
     "Other threads run meanwhile."},
    {"dtrsv", DLB_PY_METHOD(py_dlgsl_dtrsv), METH_FASTCALL | METH_KEYWORDS,
     "dtrsv($module, /, triangle, trans, diagonal, a, x)\n"
     "--\n\n"
     "Solves op(a) x = x in place, where `a` is triangular.\n\n"
     "`a` is read: Matrix, or an array that Matrix.from_dlpack() takes.\n"
     "`x` is written: Vector, or an array that Vector.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure."},
    {"ddot", DLB_PY_METHOD(py_dlgsl_ddot), METH_FASTCALL | METH_KEYWORDS,
     "ddot($module, /, x, y)\n"
     "--\n\n"
     "The scalar product.\n\n"
     "`x` is read: Vector, or an array that Vector.from_dlpack() takes.\n"
     "`y` is read: Vector, or an array that Vector.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure."},
    {"sdot", DLB_PY_METHOD(py_dlgsl_sdot), METH_FASTCALL | METH_KEYWORDS,
     "sdot($module, /, x, y)\n"
     "--\n\n"
     "The scalar product in single precision.\n\n"
     "`x` is read: VectorF32, or an array that VectorF32.from_dlpack() takes.\n"
     "`y` is read: VectorF32, or an array that VectorF32.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure."},
    {"dnrm2", DLB_PY_METHOD(py_dlgsl_dnrm2), METH_FASTCALL | METH_KEYWORDS,
     "dnrm2($module, /, x)\n"
     "--\n\n"
     "The Euclidean norm.\n\n"
     "`x` is read: Vector, or an array that Vector.from_dlpack() takes."},
    {"dznrm2", DLB_PY_METHOD(py_dlgsl_dznrm2), METH_FASTCALL | METH_KEYWORDS,
     "dznrm2($module, /, x)\n"
     "--\n\n"
     "The Euclidean norm of complex numbers.\n\n"
     "`x` is read: VectorC128, or an array that VectorC128.from_dlpack() takes."},
    {"daxpy", DLB_PY_METHOD(py_dlgsl_daxpy), METH_FASTCALL | METH_KEYWORDS,
     "daxpy($module, /, alpha, x, y)\n"
     "--\n\n"
     "y = alpha x + y\n\n"
     "`x` is read: Vector, or an array that Vector.from_dlpack() takes.\n"
     "`y` is written: Vector, or an array that Vector.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure."},
    {"LU_decomp", DLB_PY_METHOD(py_dlgsl_LU_decomp), METH_FASTCALL | METH_KEYWORDS,
     "LU_decomp($module, /, a, p)\n"
     "--\n\n"
     "Decomposes the matrix in place; returns the sign of the permutation.\n\n"
     "`a` is written: Matrix, or an array that Matrix.from_dlpack() takes.\n"
     "`p` is written: Permutation, or an array that Permutation.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure.\n"
     "Other threads run meanwhile."},
    {"LU_solve", DLB_PY_METHOD(py_dlgsl_LU_solve), METH_FASTCALL | METH_KEYWORDS,
     "LU_solve($module, /, lu, p, b, x=None)\n"
     "--\n\n"
     "Solves A x = b from the decomposition of A.\n\n"
     "`lu` is read: Matrix, or an array that Matrix.from_dlpack() takes.\n"
     "`p` is read: Permutation, or an array that Permutation.from_dlpack() takes, of 1 axis.\n"
     "`b` is read: Vector, or an array that Vector.from_dlpack() takes.\n"
     "`x` is written: Vector, or an array that Vector.from_dlpack() takes; a new one like `b` "
     "where none is given.\n"
     "Raises ValueError if the library reports a failure."},
    {"LU_invert", DLB_PY_METHOD(py_dlgsl_LU_invert), METH_FASTCALL | METH_KEYWORDS,
     "LU_invert($module, /, lu, p, inverse=None)\n"
     "--\n\n"
     "The inverse of A from its decomposition.\n\n"
     "`lu` is read: Matrix, or an array that Matrix.from_dlpack() takes.\n"
     "`p` is read: Permutation, or an array that Permutation.from_dlpack() takes, of 1 axis.\n"
     "`inverse` is written: Matrix, or an array that Matrix.from_dlpack() takes, of shape "
     "(lu->size1, lu->size2); a new one like `lu` where none is given.\n"
     "Raises ValueError if the library reports a failure."},
    {"LU_invx", DLB_PY_METHOD(py_dlgsl_LU_invx), METH_FASTCALL | METH_KEYWORDS,
     "LU_invx($module, /, lu, p)\n"
     "--\n\n"
     "Puts the inverse of A in the place of its decomposition.\n\n"
     "`lu` is written: Matrix, or an array that Matrix.from_dlpack() takes.\n"
     "`p` is read: Permutation, or an array that Permutation.from_dlpack() takes, of 1 axis.\n"
     "Raises ValueError if the library reports a failure."},
    {"LU_det", DLB_PY_METHOD(py_dlgsl_LU_det), METH_FASTCALL | METH_KEYWORDS,
     "LU_det($module, /, lu, signum)\n"
     "--\n\n"
     "The determinant of A from its decomposition.\n\n"
     "`lu` is read: Matrix, or an array that Matrix.from_dlpack() takes, of shape (lu->size1, "
     "lu->size1)."},
    {"complex_LU_decomp", DLB_PY_METHOD(py_dlgsl_complex_LU_decomp), METH_FASTCALL | METH_KEYWORDS,
     "complex_LU_decomp($module, /, a, p)\n"
     "--\n\n"
     "As `LU_decomp`, of complex numbers.\n\n"
     "`a` is written: MatrixC128, or an array that MatrixC128.from_dlpack() takes.\n"
     "`p` is written: Permutation, or an array that Permutation.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure."},
    {"complex_LU_solve", DLB_PY_METHOD(py_dlgsl_complex_LU_solve), METH_FASTCALL | METH_KEYWORDS,
     "complex_LU_solve($module, /, lu, p, b, x=None)\n"
     "--\n\n"
     "As `LU_solve`, of complex numbers.\n\n"
     "`lu` is read: MatrixC128, or an array that MatrixC128.from_dlpack() takes.\n"
     "`p` is read: Permutation, or an array that Permutation.from_dlpack() takes, of 1 axis.\n"
     "`b` is read: VectorC128, or an array that VectorC128.from_dlpack() takes.\n"
     "`x` is written: VectorC128, or an array that VectorC128.from_dlpack() takes; a new one "
     "like `b` where none is given.\n"
     "Raises ValueError if the library reports a failure."},
    {"cholesky_decomp", DLB_PY_METHOD(py_dlgsl_cholesky_decomp), METH_FASTCALL | METH_KEYWORDS,
     "cholesky_decomp($module, /, a)\n"
     "--\n\n"
     "Puts L in the lower triangle, where A = L L^T.\n\n"
     "`a` is written: Matrix, or an array that Matrix.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure."},
    {"cholesky_solve", DLB_PY_METHOD(py_dlgsl_cholesky_solve), METH_FASTCALL | METH_KEYWORDS,
     "cholesky_solve($module, /, cholesky, b, x=None)\n"
     "--\n\n"
     "Solves A x = b from the decomposition of A.\n\n"
     "`cholesky` is read: Matrix, or an array that Matrix.from_dlpack() takes.\n"
     "`b` is read: Vector, or an array that Vector.from_dlpack() takes.\n"
     "`x` is written: Vector, or an array that Vector.from_dlpack() takes; a new one like `b` "
     "where none is given.\n"
     "Raises ValueError if the library reports a failure."},
    {"QR_decomp", DLB_PY_METHOD(py_dlgsl_QR_decomp), METH_FASTCALL | METH_KEYWORDS,
     "QR_decomp($module, /, a, tau)\n"
     "--\n\n"
     "Decomposes the matrix in place; `tau` is as long as its shorter side.\n\n"
     "`a` is written: Matrix, or an array that Matrix.from_dlpack() takes.\n"
     "`tau` is written: Vector, or an array that Vector.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure."},
    {"QR_solve", DLB_PY_METHOD(py_dlgsl_QR_solve), METH_FASTCALL | METH_KEYWORDS,
     "QR_solve($module, /, qr, tau, b, x=None)\n"
     "--\n\n"
     "Solves A x = b from the decomposition of A.\n\n"
     "`qr` is read: Matrix, or an array that Matrix.from_dlpack() takes.\n"
     "`tau` is read: Vector, or an array that Vector.from_dlpack() takes, of shape "
     "(qr->size2,).\n"
     "`b` is read: Vector, or an array that Vector.from_dlpack() takes.\n"
     "`x` is written: Vector, or an array that Vector.from_dlpack() takes; a new one like `b` "
     "where none is given.\n"
     "Raises ValueError if the library reports a failure."},
    {"SV_decomp", DLB_PY_METHOD(py_dlgsl_SV_decomp), METH_FASTCALL | METH_KEYWORDS,
     "SV_decomp($module, /, a, v, s, work)\n"
     "--\n\n"
     "A = U S V^T, with U in the place of A.\n\n"
     "`a` is written: Matrix, or an array that Matrix.from_dlpack() takes.\n"
     "`v` is written: Matrix, or an array that Matrix.from_dlpack() takes.\n"
     "`s` is written: Vector, or an array that Vector.from_dlpack() takes.\n"
     "`work` is written: Vector, or an array that Vector.from_dlpack() takes.\n"
     "Raises MemoryError, ArithmeticError or ValueError if the library reports a failure.\n"
     "Other threads run meanwhile."},
    {"eigen_symm", DLB_PY_METHOD(py_dlgsl_eigen_symm), METH_FASTCALL | METH_KEYWORDS,
     "eigen_symm($module, /, a, eval, w)\n"
     "--\n\n"
     "The eigenvalues of the symmetric matrix, which is destroyed, in no order.\n\n"
     "`a` is written: Matrix, or an array that Matrix.from_dlpack() takes.\n"
     "`eval` is written: Vector, or an array that Vector.from_dlpack() takes.\n"
     "Raises ArithmeticError or ValueError if the library reports a failure.\n"
     "Other threads run meanwhile."},
    {"eigen_symmv_sort", DLB_PY_METHOD(py_dlgsl_eigen_symmv_sort), METH_FASTCALL | METH_KEYWORDS,
     "eigen_symmv_sort($module, /, eval, evec, order=Order.ASCENDING)\n"
     "--\n\n"
     "Sorts eigenvalues together with the columns of `evec`.\n\n"
     "`eval` is written: Vector, or an array that Vector.from_dlpack() takes.\n"
     "`evec` is written: Matrix, or an array that Matrix.from_dlpack() takes.\n"
     "Raises ValueError if the library reports a failure."},
    {NULL, NULL, 0, NULL},
};

/* ---- The module ---- */

int dlgsl_add_types(PyObject *module)
{
    if (dlb_py_add_class(module, &dl_dlgsl_eigen_symm_workspace_class) != 0) {
        return -1;
    }
    if (dlb_py_add_class(module, &dl_dlgsl_rng_class) != 0) {
        return -1;
    }
    if (dlb_py_add_class(module, &dl_dlgsl_matrix_class) != 0) {
        return -1;
    }
    if (dlb_py_add_class(module, &dl_dlgsl_matrix_f32_class) != 0) {
        return -1;
    }
    if (dlb_py_add_class(module, &dl_dlgsl_matrix_i32_class) != 0) {
        return -1;
    }
    if (dlb_py_add_class(module, &dl_dlgsl_matrix_u16_class) != 0) {
        return -1;
    }
    if (dlb_py_add_class(module, &dl_dlgsl_matrix_u8_class) != 0) {
        return -1;
    }
    if (dlb_py_add_class(module, &dl_dlgsl_matrix_long_class) != 0) {
        return -1;
    }
    if (dlb_py_add_class(module, &dl_dlgsl_matrix_c128_class) != 0) {
        return -1;
    }
    if (dlb_py_add_class(module, &dl_dlgsl_vector_class) != 0) {
        return -1;
    }
    if (dlb_py_add_class(module, &dl_dlgsl_vector_f32_class) != 0) {
        return -1;
    }
    if (dlb_py_add_class(module, &dl_dlgsl_vector_i32_class) != 0) {
        return -1;
    }
    if (dlb_py_add_class(module, &dl_dlgsl_vector_u16_class) != 0) {
        return -1;
    }
    if (dlb_py_add_class(module, &dl_dlgsl_vector_u8_class) != 0) {
        return -1;
    }
    if (dlb_py_add_class(module, &dl_dlgsl_vector_long_class) != 0) {
        return -1;
    }
    if (dlb_py_add_class(module, &dl_dlgsl_vector_c128_class) != 0) {
        return -1;
    }
    return dlb_py_add_class(module, &dl_dlgsl_permutation_class);
}

static const dlgsl_c_api dl_dlgsl_c_functions = {
    sizeof(dl_dlgsl_c_functions),
    dlgsl_eigen_symm_workspace_wrap,
    dlgsl_eigen_symm_workspace_unwrap,
    dlgsl_rng_wrap,
    dlgsl_rng_unwrap,
    dlgsl_matrix_wrap,
    dlgsl_matrix_unwrap,
    dlgsl_matrix_f32_wrap,
    dlgsl_matrix_f32_unwrap,
    dlgsl_matrix_i32_wrap,
    dlgsl_matrix_i32_unwrap,
    dlgsl_matrix_u16_wrap,
    dlgsl_matrix_u16_unwrap,
    dlgsl_matrix_u8_wrap,
    dlgsl_matrix_u8_unwrap,
    dlgsl_matrix_long_wrap,
    dlgsl_matrix_long_unwrap,
    dlgsl_matrix_c128_wrap,
    dlgsl_matrix_c128_unwrap,
    dlgsl_vector_wrap,
    dlgsl_vector_unwrap,
    dlgsl_vector_f32_wrap,
    dlgsl_vector_f32_unwrap,
    dlgsl_vector_i32_wrap,
    dlgsl_vector_i32_unwrap,
    dlgsl_vector_u16_wrap,
    dlgsl_vector_u16_unwrap,
    dlgsl_vector_u8_wrap,
    dlgsl_vector_u8_unwrap,
    dlgsl_vector_long_wrap,
    dlgsl_vector_long_unwrap,
    dlgsl_vector_c128_wrap,
    dlgsl_vector_c128_unwrap,
    dlgsl_permutation_wrap,
    dlgsl_permutation_unwrap,
    DLGSL_C_API_PROTOTYPES,
};

static int dl_dlgsl_fill(PyObject *module)
{
    if (dlgsl_add_types(module) != 0 || dlb_py_add_enum(module, &dl_dlgsl_transpose_enum) != 0 ||
        dlb_py_add_enum(module, &dl_dlgsl_triangle_enum) != 0 ||
        dlb_py_add_enum(module, &dl_dlgsl_diagonal_enum) != 0 ||
        dlb_py_add_enum(module, &dl_dlgsl_order_enum) != 0 ||
        dlb_py_add_constant(module, "VERSION", dlb_py_from_string(GSL_VERSION)) != 0) {
        return -1;
    }
    gsl_set_error_handler_off();
    return dlb_py_add_c_api(module, "gsl._C_API", &dl_dlgsl_c_functions);
}

static PyModuleDef_Slot dl_dlgsl_slots[] = {
    {Py_mod_exec, DLB_PY_SLOT(dl_dlgsl_fill)},
    DLB_PY_LAST_MODULE_SLOTS,
};

static PyModuleDef dl_dlgsl_definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "gsl",
    .m_doc =
        "Matrices, vectors and functions of the GNU Scientific Library, which work on the arrays "
        "of others through DLPack.",
    .m_methods = dl_dlgsl_methods,
    .m_slots = dl_dlgsl_slots,
};

PyMODINIT_FUNC PyInit_gsl(void);
PyMODINIT_FUNC PyInit_gsl(void)
{
    return dlb_py_start_module(&dl_dlgsl_definition);
}
