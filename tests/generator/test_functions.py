"""Functions of valid specs: kinds of arguments, results, tests and exceptions."""

from __future__ import annotations

import json

import pytest

from dlpack_bindgen.calls.argument_kind import Kind
from dlpack_bindgen.calls.array import DLTensorPointer, SharedArray
from dlpack_bindgen.calls.call import Call
from dlpack_bindgen.calls.derived_arguments import Fixed, Measure, ParamOf
from dlpack_bindgen.calls.number import ENUM, EnumValue, Number
from dlpack_bindgen.calls.object import Object, Objects
from dlpack_bindgen.calls.out_variable import Out
from dlpack_bindgen.calls.result_kind import HIDDEN, Result
from dlpack_bindgen.calls.result_kinds import KINDS, kind_of
from dlpack_bindgen.calls.string import String
from dlpack_bindgen.classes.constants import Constant
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.tensor.dtype import CTypeDType
from dlpack_bindgen.tensor.item import Action
from dlpack_bindgen.tensor.requirements import Check, NewOutput, Requirements
from support.validated import spec

OBJECT = next(kind for kind in KINDS if kind.is_object)

CPU = Requirements(devices=("cpu",))
CLASSES = """\
module: m
tensors:
  Image:
    type: image_t
    data: self->p
    dtype: uint8
    shape: [self->n]
    release: image_free(self)
    allocate: {construct: "image_new(shape[0])"}
    import: {construct: image_of(data)}
  Color: {type: color_t, pass: value, data: self.p, dtype: uint8, shape: ["4"], release: color_free(self)}
handles:
  File: {type: struct file, release: file_close(self)}
constants:
  Mode: {enum: [FAST, GOOD]}
"""
TWINS = """\
  Row: {type: pixels, data: self->p, dtype: uint8, shape: [self->n], release: free(self)}
  Rows: {type: pixels, data: self->p, dtype: uint8, shape: [self->n], release: free(self)}
"""


def module(functions: str, classes: str = CLASSES) -> Spec:
    return spec(f"{classes}{functions}\n")


def function(c: str, **keys: object) -> Call:
    text = json.dumps({"c": c, **keys})
    return module(f"functions: {{f: {text}}}").functions[0]


def kind(parameter: str, given: object = None, beside: str = "", counted: bool = False) -> Kind:
    """Returns the kind of the parameter `x`; `counted`: it is an array, which needs a length."""
    args: dict[str, object] = {"x": given} if given is not None else {}
    if counted:
        beside += ", size_t count"
        args["count"] = {"count_of": "x"}
    keys = {"args": args} if args else {}
    return function(f"void f({parameter}{beside})", **keys).arguments[0].kind


# ---- Arguments ----


@pytest.mark.parametrize(
    ("parameter", "expected"),
    [
        ("int x", Number("int")),
        ("uint64_t x", Number("int")),
        ("unsigned char x", Number("int")),
        ("float x", Number("float")),
        ("long double x", Number("float")),
        ("bool x", Number("bool")),
        ("char x", Number("char")),
        ("double complex x", Number("complex")),
        ("enum mode x", Number("int")),
        ("mode_t x", Number("int")),
        ("const char *x", String()),
        ("image_t *x", Object("Image", writes=True)),
        ("const image_t *x", Object("Image", writes=False)),
        ("color_t x", Object("Color", writes=True)),
        ("struct file *x", Object("File", writes=True)),
        ("const DLTensor *x", DLTensorPointer(writes=False)),
        ("DLTensor *x", DLTensorPointer(writes=True)),
        ("double *x", SharedArray(CTypeDType("double"), writes=True, require=CPU)),
        ("const double x[]", SharedArray(CTypeDType("double"), require=CPU)),
        ("const unsigned char *x", SharedArray(CTypeDType("unsigned char"), require=CPU)),
        ("float complex *x", SharedArray(CTypeDType("float _Complex"), writes=True, require=CPU)),
        ("const image_t *x[2]", Objects("Image", writes=False)),
    ],
)
def test_the_kind_of_an_argument_follows_from_its_c_type(parameter: str, expected: Kind) -> None:
    assert kind(parameter, counted=isinstance(expected, SharedArray)) == expected


@pytest.mark.parametrize(
    ("parameter", "given", "expected"),
    [
        ("int x", "bool", Number("bool")),
        ("mode_t x", "float", Number("float")),
        ("int x", {"default": "3"}, Number("int", "3")),
        ("int x", "Mode", EnumValue("Mode")),
        ("mode_t x", {"of": "Mode", "default": "FAST"}, EnumValue("Mode", "FAST")),
        ("const char *x", "path", String(is_path=True)),
        ("const char *x", {"optional": "true"}, String(optional=True)),
        ("const name_t *x", {"of": "str", "default": '"a"'}, String(default='"a"')),
        ("image_t *x", "Image", Object("Image", writes=True)),
        ("image_t *x", {"writes": "false"}, Object("Image", writes=False)),
        ("color_t x", {"writes": "false"}, Object("Color", writes=False)),
        ("struct file *x", {"invalidates": "true"}, Object("File", True, invalidates=True)),
        ("struct file *x", {"optional": "true"}, Object("File", True, optional=True)),
        (
            "image_t *x",
            {"require": ["compact", {"ndim": [1, 2]}, {"align": 64}], "copy": "allowed"},
            Object("Image", True, Requirements(ndim=(1, 2), compact=True, align=64), "allowed"),
        ),
        ("DLTensor *x", {"require": [{"device": "cuda"}]}, DLTensorPointer(True, Requirements(devices=("cuda",)))),
        (
            "double *x",
            {"require": [{"device": "any"}]},
            SharedArray(CTypeDType("double"), writes=True, require=Requirements()),
        ),
        (
            "double *x",
            {"require": [{"device": ["cpu", "cuda_host"]}], "optional": "true"},
            SharedArray(
                element=CTypeDType("double"),
                writes=True,
                require=Requirements(devices=("cpu", "cuda_host")),
                optional=True,
            ),
        ),
        (
            "z_t *x",
            {"require": [{"dtype": "complex128"}]},
            SharedArray(
                element=CTypeDType("z_t"), writes=True, require=Requirements(dtypes=("complex128",), devices=("cpu",))
            ),
        ),
        (
            "double *x",
            {"require": [{"shape": ["n", "2 * m"]}]},
            SharedArray(
                element=CTypeDType("double"),
                writes=True,
                require=Requirements(ndim=(2, 2), shape=("n", "2 * m"), devices=("cpu",)),
            ),
        ),
        (
            "DLTensor *x",
            {"require": [{"ndim": ["2", "3"]}, {"shape": ["n", "m"]}]},
            DLTensorPointer(True, Requirements(ndim=(2, 2), shape=("n", "m"))),
        ),
        (
            "const image_t *x",
            {"require": [{"count": "n * m"}, {"ndim": "1"}]},
            Object("Image", False, Requirements(ndim=(1, 1), count="n * m")),
        ),
        (
            "const void *x",
            "bytes",
            SharedArray(
                element=CTypeDType("void"), require=Requirements(dtypes=("uint8",), devices=("cpu",)), is_bytes=True
            ),
        ),
        (
            "char *x",
            "bytes",
            SharedArray(
                element=CTypeDType("char"),
                writes=True,
                require=Requirements(dtypes=("uint8",), devices=("cpu",)),
                is_bytes=True,
            ),
        ),
        ("void *x", "array", SharedArray(writes=True, require=CPU)),
        ("double *x", "array", SharedArray(CTypeDType("double"), writes=True, require=CPU)),
        ("void (*x)(int)", {"value": "NULL"}, Fixed("NULL")),
        ("double *x", {"out": "true"}, Out(kind_of("float"))),
        ("int *x", {"out": "true", "of": "bool"}, Out(kind_of("bool"))),
        ("mode_t *x", {"out": "true", "of": "Mode"}, Out(ENUM, "Mode")),
        ("const char **x", {"out": "true"}, Out(kind_of("str"))),
        ("image_t **x", {"out": "true"}, Out(OBJECT, "Image")),
        ("color_t *x", {"out": "true", "of": "Color"}, Out(OBJECT, "Color")),
        ("struct file **x", {"out": "true", "optional": "true"}, Out(OBJECT, "File", optional=True)),
        ("image_t **x", {"out": "true", "borrow": "static"}, Out(OBJECT, "Image", borrow="static")),
    ],
)
def test_args_change_the_kind_of_an_argument(parameter: str, given: object, expected: Kind) -> None:
    assert kind(parameter, given, counted=isinstance(expected, SharedArray)) == expected


def test_lengths_strides_and_flags_are_derived_from_other_parameters() -> None:
    found = function(
        "void f(const double *x, size_t n, int bytes, long w, long step, uint64_t flags, image_t *const *list, int k)",
        args={
            "n": {"count_of": "x"},
            "bytes": {"size_of": "x"},
            "w": {"extent_of": "x", "axis": "1"},
            "step": {"stride_of": "x"},
            "flags": {"flags_of": "x"},
            "k": {"count_of": "list"},
        },
    )
    assert [each.kind for each in found.arguments] == [
        SharedArray(CTypeDType("double"), require=CPU),
        Measure("count", "x"),
        Measure("size", "x"),
        Measure("extent", "x", 1),
        Measure("stride", "x"),
        Measure("flags", "x"),
        Objects("Image", writes=True),
        Measure("count", "list"),
    ]


def test_an_output_that_is_like_another_argument_is_returned() -> None:
    keys = {"dst": {"default": "like src"}, "sigma": {"default": "1.0"}}
    found = function("int f(const image_t *src, image_t *dst, float sigma)", args=keys, ok="== 0")
    assert found.arguments[1].kind == Object("Image", writes=True, new_output=NewOutput("src"))
    assert found.returned == ("dst",)


# ---- Results ----


@pytest.mark.parametrize(
    ("result", "keys", "expected"),
    [
        ("void", {}, Result(HIDDEN)),
        ("int", {}, Result(kind_of("int"))),
        ("double", {}, Result(kind_of("float"))),
        ("mode_t", {}, Result(kind_of("int"))),
        ("const char *", {}, Result(kind_of("str"))),
        ("int", {"ok": "== 0"}, Result(HIDDEN)),
        ("int", {"ok": "== 0 || % == 1"}, Result(kind_of("int"))),
        ("int", {"ok": ">= 0"}, Result(kind_of("int"))),
        ("int", {"ok": "== 0", "returns": "bool"}, Result(kind_of("bool"))),
        ("int", {"ok": "== 0", "returns": ["result"]}, Result(kind_of("int"))),
        ("int", {"returns": "None"}, Result(HIDDEN)),
        ("int", {"returns": ["x"]}, Result(HIDDEN)),
        ("int", {"returns": "Mode"}, Result(ENUM, "Mode")),
        ("char *", {"returns": "str"}, Result(kind_of("str"))),
        ("image_t *", {}, Result(OBJECT, "Image")),
        ("color_t", {}, Result(OBJECT, "Color")),
        ("image_t *", {"returns": {"of": "Image", "optional": "true"}}, Result(OBJECT, "Image", optional=True)),
        ("const image_t *", {"returns": {"of": "Image", "borrow": "x"}}, Result(OBJECT, "Image", "x")),
        ("const image_t *", {"returns": {"of": "Image", "borrow": "static"}}, Result(OBJECT, "Image", "static")),
    ],
)
def test_the_kind_of_a_result_follows_from_its_c_type_and_returns(
    result: str, keys: dict[str, object], expected: Result
) -> None:
    assert function(f"{result} f(image_t *x)", **keys).result == expected


@pytest.mark.parametrize(
    ("c", "keys", "returned"),
    [
        ("void f(int *x, int *y)", {}, ("x", "y")),
        ("int f(int *x, int *y)", {}, ("result", "x", "y")),
        ("int f(int *x, int *y)", {"ok": "== 0"}, ("x", "y")),
        ("int f(int *x, int *y)", {"returns": ["y", "result"]}, ("y", "result")),
        ("int f(int *x, int *y)", {"returns": "None"}, ()),
    ],
)
def test_a_call_returns_the_result_and_the_outputs_or_what_returns_lists(
    c: str, keys: dict[str, object], returned: tuple[str, ...]
) -> None:
    assert function(c, args={"x": {"out": "true"}, "y": {"out": "true"}}, **keys).returned == returned


@pytest.mark.parametrize(
    ("result", "keys", "ok"),
    [
        ("image_t *", {}, "% != NULL"),
        ("image_t *", {"ok": "image_ok(%)"}, "image_ok(%)"),
        ("image_t *", {"returns": {"of": "Image", "optional": "true"}}, None),
        ("image_t *", {"returns": "None"}, None),
        ("color_t", {}, None),
        ("const char *", {}, None),
        ("int", {"ok": "== 0"}, "% == 0"),
    ],
)
def test_the_test_of_success_follows_from_the_result_or_ok(
    result: str, keys: dict[str, object], ok: str | None
) -> None:
    assert function(f"{result} f(void)", **keys).ok == ok


def test_the_ok_of_the_spec_is_not_for_functions() -> None:
    found = module("functions: {f: {c: int f(void)}}\ninit: [{do: start()}, go()]", f"ok: == 0\n{CLASSES}")
    assert (found.functions[0].ok, found.functions[0].result) == (None, Result(kind_of("int")))
    assert found.init == (Action("start()", "% == 0"), Action("go()"))


@pytest.mark.parametrize(
    ("given", "raises"),
    [
        (None, ((None, "RuntimeError"),)),
        ("OSError", ((None, "OSError"),)),
        ({"ENOENT": "KeyError"}, (("ENOENT", "KeyError"), (None, "RuntimeError"))),
        ({"_": "OSError", "E(1)": "KeyError"}, (("E(1)", "KeyError"), (None, "OSError"))),
    ],
)
def test_raises_is_a_list_of_values_and_exceptions(given: object, raises: tuple[tuple[str | None, str], ...]) -> None:
    assert function("int f(void)", ok="== 0", **({"raises": given} if given else {})).raises == raises


# ---- Other keys of a function ----


def test_the_values_of_many_keys_of_a_function_are_read() -> None:
    found = function(
        "char *f(int a, int b, size_t n, const double *c, int d)",
        args={"n": {"count_of": "c"}, "a": {"default": "1"}, "b": {"default": "2"}},
        returns="str",
        ok="!= NULL",
        error="why()",
        undo="forget(a);",
        **{"finally": "free(result)", "release_gil": "true", "name": "g", "doc": "What it does.", "if": "NEW"},
        positional_only="b",
        keyword_only="c",
    )
    assert (found.key, found.name, found.doc, found.condition) == ("f", "g", "What it does.", "NEW")
    assert (found.ok, found.error, found.undo, found.finally_) == ("% != NULL", "why()", "forget(a)", "free(result)")
    assert (found.positional_only, found.keyword_only, found.release_gil, found.self_index) == (2, 2, True, None)


def test_a_function_keeps_its_requirements() -> None:
    found = function("int f(int a, int b)", require=["a > b", {"expr": "b != 3", "message": "no three"}])
    assert found.require == (Check("a > b"), Check("b != 3", "no three"))
    found = function("int f(int a)", require=[{"expr": "a > 0", "error": "why(a)"}])
    assert found.require == (Check("a > 0", error="why(a)"),)
    assert function("int f(int a)").require == ()


def test_two_functions_share_a_name_where_the_preprocessor_chooses() -> None:
    entries = "{old: {c: void f(void), name: f, if: OLD}, new: {c: void g(void), name: f, if: '!OLD'}}"
    assert [(each.key, each.name) for each in module(f"functions: {entries}").functions] == [("old", "f"), ("new", "f")]


def test_a_module_may_have_only_functions_or_constants() -> None:
    found = spec("module: m\nfunctions: {f: {c: double f(double x)}}\n")
    assert (found.tensors, found.handles, len(found.functions)) == ((), (), 1)
    assert spec("module: m\nconstants: {A: '1'}\n").constants == (Constant("A", "1", kind_of("int")),)


def test_a_handle_is_the_object_of_which_tensors_are_views() -> None:
    views = CLASSES.replace("handles:\n", f"{TWINS}handles:\n  Pixels: {{type: pixels, release: free(self)}}\n")
    found = module(
        "functions: {f: {c: int f(const pixels *p)}, g: {c: pixels *g(void)}, "
        'h: {c: "int h(pixels **p)", args: {p: {out: true}}, ok: == 0}}',
        views,
    ).functions
    filled = found[2].arguments[0].kind.returned
    assert found[0].arguments[0].kind.class_name == "Pixels"
    assert filled is not None and filled.of == "Pixels"
    assert found[1].result.of == "Pixels"


def test_a_param_of_an_object_may_be_const_for_a_function() -> None:
    classes = CLASSES.replace(
        "handles:\n", "handles:\n  Page: {type: page, params: [doc *d], release: page_free(self)}\n"
    )
    text = 'functions: {f: {c: "int f(const doc *d, page *p)", args: {d: {param_of: p}}}}'
    assert module(text, classes).functions[0].arguments[0].kind == ParamOf("p")


def test_a_method_belongs_to_its_class_where_tensors_share_a_c_type() -> None:
    """A function names the class where it does not mean the first one."""
    rows = CLASSES.replace("handles:\n", f"{TWINS}handles:\n").replace(
        "dtype: uint8, shape: [self->n], release: free(self)}",
        "dtype: uint8, shape: [self->n], release: free(self), new: {c: pixels *rows_new(void)}, "
        "methods: {flip: {c: void rows_flip(pixels *rows)}}}",
    )
    found = module("functions: {f: {c: pixels *f(const pixels *x), args: {x: Rows}, returns: Row}}", rows)
    twins = found.tensors[2:]
    assert [each.methods[0].arguments[0].kind for each in twins] == [Object("Row", True), Object("Rows", True)]
    assert [each.new and each.new.result.of for each in twins] == ["Row", "Rows"]
    assert found.functions[0].arguments[0].kind == Object("Rows", False)
    assert found.functions[0].result == Result(OBJECT, "Row")
