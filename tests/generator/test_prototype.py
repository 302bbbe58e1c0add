"""The text of `c`: types have one spelling, and text that is not a prototype is refused at its place."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dlpack_bindgen.text.c_checks import Problem
from dlpack_bindgen.text.types import CType, Parameter, Prototype, declared, parse, place_of

TOP = Path(__file__).resolve().parents[2]
SMALL = "module: m\ntensors:\n  T: {type: t, data: d, dtype: int8, shape: []}\n"


def parsed(text: str) -> Prototype:
    found = parse(text)
    assert isinstance(found, Prototype), found
    return found


def only(parameter: str) -> CType:
    return parsed(f"void f({parameter})").parameters[0].ctype


def test_the_example_of_the_documentation_is_parsed() -> None:
    assert parsed("int image_blur(const image_t *src, image_t *dst, float sigma);") == Prototype(
        "image_blur",
        CType("int"),
        (
            Parameter("src", CType("image_t", (True,))),
            Parameter("dst", CType("image_t", (False,))),
            Parameter("sigma", CType("float")),
        ),
    )


@pytest.mark.parametrize(
    "written",
    [
        "double *restrict x",
        "double *__restrict x",
        "const double *__restrict__ const x",
        "double x[restrict]",
        "double x[restrict 3]",
        "double x[static restrict 3]",
        "double (*restrict x)[3]",
        "double x[restrict 2][3]",
        "buffer_t restrict x",
    ],
)
def test_restrict_is_seen_and_changes_no_type(written: str) -> None:
    (parameter,) = parsed(f"void f({written})").parameters
    assert parameter.restrict
    plain = re.sub(r"__restrict(__)?|restrict ?", "", written)
    assert parameter.ctype == only(plain)
    assert not parsed(f"void f({plain})").parameters[0].restrict


@pytest.mark.parametrize(
    ("written", "spelt"),
    [
        ("float *restrict const *x", "float *restrict const *x"),
        ("float *__restrict *restrict x", "float *restrict *x"),
        ("const float *restrict x[4]", "const float *restrict *x"),
        ("float *const *restrict x", "float *const *x"),
    ],
)
def test_restrict_of_a_pointer_behind_another_one_is_part_of_the_type(written: str, spelt: str) -> None:
    assert declared(only(written), "x") == spelt


@pytest.mark.parametrize(
    ("written", "base"),
    [
        ("unsigned n", "unsigned int"),
        ("signed n", "int"),
        ("signed char n", "signed char"),
        ("char n", "char"),
        ("short int n", "short"),
        ("unsigned short int n", "unsigned short"),
        ("long unsigned int n", "unsigned long"),
        ("int long long n", "long long"),
        ("long long unsigned n", "unsigned long long"),
        ("double long n", "long double"),
        ("double complex n", "double _Complex"),
        ("_Complex float n", "float _Complex"),
        ("complex long double n", "long double _Complex"),
        ("bool n", "bool"),
        ("_Bool n", "_Bool"),
        ("size_t n", "size_t"),
        ("struct image n", "struct image"),
        ("union image n", "union image"),
        ("enum mode n", "enum mode"),
        ("const int n", "int"),
    ],
)
def test_types_have_one_spelling(written: str, base: str) -> None:
    assert only(written) == CType(base)


@pytest.mark.parametrize(
    ("written", "ctype"),
    [
        ("image_t *x", CType("image_t", (False,))),
        ("const image_t *x", CType("image_t", (True,))),
        ("image_t const *x", CType("image_t", (True,))),
        ("image_t *const x", CType("image_t", (False,))),
        ("char *restrict x", CType("char", (False,))),
        ("const char **x", CType("char", (True, False))),
        ("image_t *const *x", CType("image_t", (False, True))),
        ("const image_t *const *x", CType("image_t", (True, True))),
        ("const double x[]", CType("double", (True,), "")),
        ("double x[3]", CType("double", (False,), "3")),
        ("double x[static 3]", CType("double", (False,), "3")),
        ("double x[N + 1]", CType("double", (False,), "N + 1")),
        ("double x[(N)]", CType("double", (False,), "N")),
        ("image_t *x[2]", CType("image_t", (False, False), "2")),
        ("const struct image *x", CType("struct image", (True,))),
        ("volatile int *x", CType("volatile int", (False,))),
        ("void (*x)(int, void *)", CType("void (*)(int, void *)")),
        ("int x(double)", CType("int (double)")),
    ],
)
def test_pointers_arrays_and_callbacks_are_parsed(written: str, ctype: CType) -> None:
    assert only(written) == ctype
    assert ctype.is_function is ("(" in ctype.base)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("void f(void)", CType("void")),
        ("extern const char *f(void)", CType("char", (True,))),
        ("image_t *f(void)", CType("image_t", (False,))),
        ("const image_t f(void)", CType("image_t")),
        ("void (*f(void))(int)", CType("void (*)(int)")),
    ],
)
def test_the_type_of_the_result_is_parsed(text: str, result: CType) -> None:
    assert parsed(text) == Prototype("f", result, ())


@pytest.mark.parametrize(
    ("text", "part", "message"),
    [
        ("int f(int a, ...)", "...", "variadic"),
        ("int f(...)", "...", "variadic"),
        ("int f(image_t *)", "image_t", "parameter 1 has no name"),
        ("int f(int a, size_t)", "size_t", "parameter 2 has no name"),
        ("int f(a, b)", "a", "parameter 1 has no name, or no type"),
        ("int f(double complex x, int)", "int", "parameter 2 has no name"),
        ("int f(int (*x)(int, int), int)", "int", "parameter 2 has no name"),
        ("int f(void a)", "void", "no values"),
        ("int f(int a) { return a; }", "{", "bodies"),
        ("int f(struct { int x; } a)", "{", "definitions of types"),
        ("int f(int a); int g(int b)", ";", "one prototype"),
        ("int f(int a), *g(int b)", ",", "one prototype"),
        ("LIB_API int f(int a)", "LIB_API", "macro"),
        ("LIB_API image_t *f(int a)", "LIB_API", "macro"),
        ("int f(LIB_IN const int *a)", "LIB_IN", "macro"),
        ("int f(int a) __attribute__((pure))", "__attribute__", "leave it out"),
        ("static int f(int a)", "static", "leave 'static' out"),
        ("typedef int f(int a)", "typedef", "no place"),
        ("int f(int a = 3)", "=", "default"),
        ("f(int a)", "f", "no type of the result"),
        ("int f", None, "parentheses"),
        ("int (*f)(int a)", None, "not declare a function"),
        ("int f()", None, "write 'f(void)'"),
        ("int f(int a int b)", "int", "',' is missing"),
        ("int f(int a b)", "b", "cannot go on at 'b'"),
        ("LIB_API const struct image *f(int a)", "LIB_API", "macro"),
        ("void LIB_CALL f(int a)", "LIB_CALL", "macro"),
        ("int LIB_DLL f(int a)", "LIB_DLL", "macro"),
        ("image_t LIB_DLL f(int a)", "LIB_DLL", "macro"),
        ("LIB LIB_DLL *f(int a)", "LIB_DLL", "macro"),
        ("LIB_API LIB *f(int a)", "LIB_API", "macro"),
        ("const char LIB_DLL *f(int a)", "LIB_DLL", "macro"),
        ("image_t *LIB_CALL f(int a)", "LIB_CALL", "macro"),
        ("image_t LIB_DLL LIB_CALL f(int a)", "LIB_DLL", "'LIB_DLL' and 'LIB_CALL' have no place here"),
        ("enum kind LIB_DLL f(int a)", "LIB_DLL", "macro"),
        ("double complex LIB_DLL f(int a)", "LIB_DLL", "macro"),
        ("int f(int a) LIB_NONNULL(1)", "LIB_NONNULL", "macro"),
        ("int f(double complex a, double complex b c)", "c", "cannot go on at 'c'"),
        ("int f(int a) g", "g", "macro"),
        ("LIB_API int LIB_CALL f OF((int a))", "LIB_API", "'LIB_API' and 'LIB_CALL' and 'OF' have"),
        ("LIB_EXPORT( lib_error ) f(int a)", "LIB_EXPORT", "expansion of the macro"),
        ("int f(double *a[2][2])", None, "pointer to arrays"),
        ("int f(double (**a)[2])", None, "pointers to arrays"),
        ("int f(int n, double a[2][n])", "n", "run time"),
        ("double (*f(int n))[2]", None, "the result is a pointer to arrays"),
        ("int f(int a, int a)", "a", "two parameters"),
        ("int f(int result)", "result", "value that the function returns"),
        ("int f(int lambda)", "lambda", "keyword"),
        ("int f(int class)", "class", "keyword"),
        ("int f(int errno)", "errno", "C implementation"),
        ("int f(int dlb_x)", "dlb_x", "runtime"),
    ],
)
def test_text_that_is_not_a_prototype_is_refused_at_its_place(text: str, part: str | None, message: str) -> None:
    found = parse(text)
    assert isinstance(found, Problem) and found.code == "c-prototype"
    assert message in f"{found.message} ({found.hint})"
    if part is None:
        assert found.place is None
    else:
        assert found.place is not None
        start, length = found.place
        assert text[start : start + length] == part


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "c-empty"),
        ("int f(int a", "c-brackets"),
        ("int f(int a /* width */)", "c-comment"),
        ("int f(int $a)", "c-character"),
        ("int f(int a) \\\n", "c-backslash"),
        ("int f(${T} a)", "c-substitution"),
        ("#define f(a) a", "c-preprocessor"),
    ],
)
def test_the_rules_for_c_text_hold_for_prototypes(text: str, code: str) -> None:
    found = parse(text)
    assert isinstance(found, Problem) and found.code == code


def test_the_place_of_a_parameter_is_that_of_its_name() -> None:
    text = "int x(const x_t *y, int x)"
    assert place_of(text, "x") == (text.rindex("x"), 1)
    assert place_of(text, "x_t") == (text.index("x_t"), 3)
    assert place_of(text, "z") is None


@pytest.mark.parametrize("functions", ["", "functions:\n  f: {c: void f(int x)}\n"], ids=["without", "with"])
def test_only_functions_load_the_c_parser_which_writes_no_file(functions: str, tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(SMALL + functions, encoding="utf-8")
    program = (
        "import sys; from dlpack_bindgen.text.yaml import load; from dlpack_bindgen.spec.check import validate\n"
        "specs, problems = validate([load('m.yaml', open('m.yaml', 'rb').read())])\n"
        "assert specs and not problems; print('pycparser' in sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": str(TOP / "generator")}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(bool(functions))
    assert [path.name for path in tmp_path.iterdir()] == ["m.yaml"]
