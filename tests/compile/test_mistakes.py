"""A spec that does not fit its struct: the first error of the compiler shows which tensor, slot and expression."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from structs.libraries import COMPILERS
from support.build import generate, header_flags

HEADER = Path(__file__).with_name("wrong.h").read_text()
SPEC = {
    "data": "self->pixels",
    "dtype": "float32",
    "shape": "[self->height, self->width]",
    "release": "image_free(self)",
}


def spec(**slots: str) -> str:
    lines = "".join(f"    {slot.rstrip('_')}: {text}\n" for slot, text in (SPEC | slots).items())
    return f"module: wrong\ninclude: [wrong.h]\ntensors:\n  Image:\n    type: image_t\n{lines}"


def compiled(compiler: str, text: str, directory: Path) -> subprocess.CompletedProcess[str]:
    """Compiles without any warning flag: an error must not need one."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    (directory / "wrong.h").write_text(HEADER)
    generate(text, directory)
    source = directory / "wrong_dlpack.c"
    command = [compiler, "-std=c11", f"-I{directory}", *header_flags(), "-fsyntax-only", str(source)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def first_error(compiler: str, text: str, directory: Path) -> str:
    """Returns the line of the first error and the lines that the compiler shows below it."""
    result = compiled(compiler, text, directory)
    assert result.returncode != 0, "it compiles"
    found = re.search(r"^\S+: (?:fatal )?error: .*?(?=^\S+:\d+:\d+: (?:error|warning)|\Z)", result.stderr, re.M | re.S)
    assert found, result.stderr
    return found.group()


def test_the_right_spec_compiles(tmp_path: Path) -> None:
    for compiler in COMPILERS:
        result = compiled(compiler, spec(), tmp_path)
        assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(
    "slots, shown",
    [
        ({"data": "self->pixel"}, "Image.data: self->pixel must be a pointer"),
        ({"shape": "[self->hight, 3]"}, "Image.shape[0]: self->hight must be an integer"),
        ({"strides": "[self->step, 1]"}, "Image.strides[0]: self->step must be an integer"),
        ({"shape": "{ndim: 2, each: 'self->extents[axis]'}"}, "Image.shape.each: self->extents[axis] must be"),
    ],
    ids=["data", "shape", "strides", "each"],
)
def test_a_member_that_does_not_exist_is_named_in_the_first_error(
    compiler: str, slots: dict[str, str], shown: str, tmp_path: Path
) -> None:
    error = first_error(compiler, spec(**slots), tmp_path)
    assert "no member" in error.splitlines()[0]
    assert shown in error


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(
    "slots, shown",
    [
        ({"data": "self->width"}, "Image.data: self->width must be a pointer"),
        ({"data": "self->scale"}, "Image.data: self->scale must be a pointer"),
        ({"data": "(uintptr_t)self->pixels"}, "Image.data: (uintptr_t)self->pixels must be a pointer"),
        ({"shape": "[self->name]"}, "Image.shape[0]: self->name must be an integer"),
        ({"shape": "[2, self->scale]"}, "Image.shape[1]: self->scale must be an integer"),
        ({"shape": "{ndim: self->scale, each: self->width}"}, "Image.shape.ndim: self->scale must be an integer"),
        ({"strides": "{outer: self->scale}"}, "Image.strides.outer: self->scale must be an integer"),
        ({"strides": "{list: [self->name, 1]}"}, "Image.strides[0]: self->name must be an integer"),
        ({"device": "{type: cuda, id: self->name}"}, "Image.device.id: self->name must be an integer"),
    ],
)
def test_a_wrong_type_is_named_in_the_first_error(
    compiler: str, slots: dict[str, str], shown: str, tmp_path: Path
) -> None:
    assert shown in first_error(compiler, spec(**slots), tmp_path).splitlines()[0]


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(
    "slots, actual",
    [
        ({"dtype": "float64"}, "float *"),
        ({"data": "self->words", "dtype": "float64"}, "unsigned int *"),
        ({"data": "self->flat", "dtype": "int32"}, "float"),
        ({"data": "self->width"}, "int"),
        ({"dtype": "{of: self->width, map: {0: float64, 1: int64}}"}, "float *"),
        ({"shape": "[self->name]"}, "char *"),
        ({"shape": "[self->scale]"}, "double"),
    ],
)
def test_the_type_in_the_header_is_shown(compiler: str, slots: dict[str, str], actual: str, tmp_path: Path) -> None:
    """The second error has the type of the expression, whatever the assertion expects."""
    output = compiled(compiler, spec(**slots), tmp_path).stderr
    second = [line for line in output.splitlines() if " error: " in line][1]
    assert "struct dlb_type_in_the_spec *" in second
    assert actual in second


def errors(compiler: str, text: str, directory: Path) -> list[str]:
    result = compiled(compiler, text, directory)
    return [line for line in result.stderr.splitlines() if " error: " in line]


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(
    "slots", [{"data": "self->pixl"}, {"shape": "{ndim: 2, each: 'self->extents[axis]'}"}, {"shape": "[self->rows]"}]
)
def test_a_mistake_gives_at_most_six_errors(compiler: str, slots: dict[str, str], tmp_path: Path) -> None:
    """Macros mention an expression often. The compiler reports each line that emits the expression only once."""
    found = errors(compiler, spec(**slots), tmp_path)
    assert 1 <= len(found) <= 6, found


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(
    "data, dtypes",
    [
        ("self->pixels", "{0: float32, 1: float64}"),
        ("self->pixels", "{0: float32, 1: uint8}"),
        ("self->words", "{0: uint32, 1: float32}"),
        ("self->words", "{0: uint32, 1: uint64}"),
        ("self->flat", "{0: float32, 1: int32}"),
        ("&self->words", "{0: uint8, 1: int8}"),
    ],
)
def test_a_pointer_that_cannot_hold_some_dtype_is_an_error(
    compiler: str, data: str, dtypes: str, tmp_path: Path
) -> None:
    dtype = f"{{of: self->width, map: {dtypes}}}"
    message = f"Image.data: {data} must be a pointer to elements of"
    assert message in first_error(compiler, spec(data=f"'{data}'", dtype=dtype), tmp_path)
    if not data.startswith("&"):
        assert compiled(compiler, spec(data=f"(void *){data}", dtype=dtype), tmp_path).returncode == 0


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(
    "data, dtypes",
    [
        ("self->pixels", "{0: float32, 1: complex64}"),
        ("self->words", "{0: uint32, 1: int8, 2: uint16, 3: float16}"),
        ("self->any", "{0: uint32, 1: float64}"),
        ("self->name", "{0: uint32, 1: float64}"),
    ],
)
def test_a_pointer_that_can_hold_all_dtypes_compiles(compiler: str, data: str, dtypes: str, tmp_path: Path) -> None:
    dtype = f"{{of: self->width, map: {dtypes}}}"
    assert compiled(compiler, spec(data=data, dtype=dtype), tmp_path).stderr == ""


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(
    "data, shape, message",
    [
        ("self->flat", "[17]", "Image.shape: self->flat must have storage for 17 elements of float32"),
        ("self->flat", "[4, 5]", "Image.shape: self->flat must have storage for 20 elements of float32"),
        ("self->cube", "[5, 5]", "Image.shape: self->cube must have storage for 25 elements of float32"),
        ("self->table", "[5, 4]", "Image.shape: self->table must have rows of 4 elements of float32, if it has any"),
        ("self->table", "[self->width, 4]", "Image.shape: self->table must have rows of 4 elements of float32"),
    ],
)
def test_an_array_that_does_not_fit_the_shape_is_an_error(
    compiler: str, data: str, shape: str, message: str, tmp_path: Path
) -> None:
    assert message in first_error(compiler, spec(data=data, shape=shape), tmp_path)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(
    "slots",
    [
        {"data": "self->flat", "shape": "[4, 4]"},
        {"data": "self->table", "shape": "[20]"},
        {"data": "self->table[0]", "shape": "[20]"},
        {"data": "self->table", "shape": "[5, 4]", "strides": "{list: [1, 5]}"},
        {"data": "self->cube", "shape": "[6, 4]"},
        {"data": "self->tail", "shape": "[100]"},
        {"data": "self->pixels", "shape": "[100, 100]"},
    ],
)
def test_an_array_that_is_large_enough_compiles(compiler: str, slots: dict[str, str], tmp_path: Path) -> None:
    assert compiled(compiler, spec(**slots), tmp_path).stderr == ""


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("difference", ["self->row - 1", "-self->row", "2 * (4 - self->row)"])
def test_a_difference_of_unsigned_numbers_is_an_error(compiler: str, difference: str, tmp_path: Path) -> None:
    """`-row` of an `unsigned` is 4294967296 - row."""
    error = first_error(compiler, spec(strides=f"{{outer: {difference}}}"), tmp_path)
    assert f"Image.strides.outer: {difference} must be a signed integer" in error.splitlines()[0]
    cast = difference.replace("self->row", "(long)self->row")
    assert compiled(compiler, spec(strides=f"{{outer: {cast}}}"), tmp_path).returncode == 0


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(
    "slots, offending",
    [
        ({"import_": "{construct: 'image_wrap(data, shape[1], 3)'}"}, "image_wrap(data, shape[1], 3)"),
        ({"import_": "{construct: 'image_sized(data, strides[0])'}"}, "image_sized(data, strides[0])"),
        ({"allocate": "{construct: 'image_wrap(NULL, shape[1], 3)'}"}, "image_wrap(NULL, shape[1], 3)"),
        ({"import_": "{set: {with: data}}"}, "self->with = data"),
        ({"require": "[self->bits == 8]"}, "self->bits"),
        ({"release": "image_free(self->pair)"}, "image_free(self->pair)"),
        ({"dtype": "{of: self->kind, map: {1: float32}}"}, "Image.dtype.of: self->kind must be comparable"),
    ],
    ids=["int", "sign", "allocate", "set", "require", "release", "of"],
)
def test_the_first_error_shows_the_line_of_the_mistake(
    compiler: str, slots: dict[str, str], offending: str, tmp_path: Path
) -> None:
    """Without an assertion before it, the emitted line has the expression as it is in the spec."""
    assert offending in first_error(compiler, spec(**slots), tmp_path)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(
    "slots, offending",
    [
        ({"data": "this->pixels"}, "this->pixels"),
        ({"data": "self.pixels"}, "self.pixels"),
        ({"require": "[self->pixels != None]"}, "None"),
        ({"require": "[self->width > 0 and self->height > 0]"}, "self->width > 0 and self->height > 0"),
        ({"readonly": "not self->width"}, "not self->width"),
        ({"readonly": "yes"}, "yes"),
        ({"release": "image_free({self})"}, "image_free({self})"),
        ({"require": "[compact]"}, "compact"),
        ({"shape": "['shape[0]', 3]"}, "shape[0]"),
        ({"allocate": "{construct: 'image_sized(self, 3)'}"}, "image_sized(self, 3)"),
        ({"acquire": "{do: image_rows(self), ok: == 0, error: failed}"}, "failed"),
    ],
    ids=["this", "dot", "None", "and", "not", "yes", "braces", "compact", "shape", "self", "error"],
)
def test_a_word_that_c_does_not_have_is_an_error(
    compiler: str, slots: dict[str, str], offending: str, tmp_path: Path
) -> None:
    """The generator leaves these mistakes to the compilers, which quote the expression of the spec."""
    assert offending in first_error(compiler, spec(**slots), tmp_path)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_let_loses_no_fraction(compiler: str, tmp_path: Path) -> None:
    """A lost fraction could not be seen when the integer is read back."""
    halved = "{let: [{int width: '(double)shape[1] * 0.5'}], construct: 'image_wrap(data, width, 3)'}"
    assert "(double)shape[1] * 0.5" in first_error(compiler, spec(import_=halved), tmp_path)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_an_accessor_may_be_a_statement_expression(compiler: str, tmp_path: Path) -> None:
    result = compiled(compiler, spec(shape="[IMAGE_ROWS(self), self->width]"), tmp_path)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_variable_of_let_may_narrow_a_number(compiler: str, tmp_path: Path) -> None:
    """A `let` allows the narrowing that a call refuses."""
    fitting = "{let: [{int width: 'shape[1]'}], construct: 'image_wrap(data, width, 3)'}"
    assert compiled(compiler, spec(import_=fitting), tmp_path).returncode == 0
    counted = "{construct: 'image_sized(NULL, shape[1])'}"
    assert compiled(compiler, spec(allocate=counted), tmp_path).returncode == 0
