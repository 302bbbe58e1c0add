"""What `init` says about functions that move memory, exchange objects, or free them: guesses and questions."""

from __future__ import annotations

from pathlib import Path

import pytest

from init.conftest import compile_generated, described

ARRAY = """\
#include <stddef.h>
#include <stdio.h>
typedef struct vec { double *data; size_t length; } vec;
vec *vec_new(size_t length);
void vec_free(vec *v);
"""


def compiled(folder: Path, name: str, header: str) -> str:
    """Returns the spec of a header, whose C compiles."""
    here = folder / name.partition(".")[0]
    here.mkdir()
    spec = described(here, name, header)
    compile_generated(spec, here, [f"-I{here}"])
    return spec


@pytest.mark.parametrize(
    "function",
    [
        "int vec_crop(vec *v, int first, int count)",
        "int vec_append_value(vec *v, double x)",
        "int vec_add(vec *v, double x)",
        "int vec_addspan(vec *v, double x)",
        "int vec_convertsamples(vec *v, char type)",
        "int vec_unpack(vec *v)",
        "int vec_set_size(vec *v, size_t length)",
        "int vec_load(vec *v, const char *path)",
        "int vec_clear(vec *v)",
        "int vec_decode(FILE *from, vec *v)",
        "vec *vec_insert(vec *v, size_t at, double x)",
    ],
)
def test_memory_may_move(tmp_path: Path, function: str) -> None:
    """Without the mark, an array that shares the memory would be left dangling."""
    spec = compiled(tmp_path, "vec.h", f"{ARRAY}{function};\n")
    assert "v: {invalidates: true}" in spec
    assert "it may move the memory of `v`" in spec


@pytest.mark.parametrize(
    "function",
    [
        "double vec_add_up(const vec *v)",
        "int vec_set_read_only(vec *v, int on)",
        "int vec_get_load(vec *v)",
        "void vec_set_address(vec *v, int at)",
        "vec *vec_convert(vec *v, int type)",
    ],
)
def test_memory_stays(tmp_path: Path, function: str) -> None:
    assert "invalidates" not in compiled(tmp_path, "vec.h", f"{ARRAY}{function};\n")


def test_memory_of_an_opaque_object_may_move(tmp_path: Path) -> None:
    """A function shows the memory of the object, which a tensor of the spec can share later."""
    opaque = "typedef struct img img;\nvoid img_free(img *i);\nint img_crop(img *i, int w);\n"
    assert "invalidates" not in compiled(tmp_path, "hidden.h", opaque)
    spec = compiled(tmp_path, "img.h", f"{opaque}unsigned char *img_plane(img *i, int channel);\n")
    assert "        args: {i: {invalidates: true}}  # guess: it may move the memory of `i`" in spec.splitlines()


def test_the_memory_of_several_objects_may_move(tmp_path: Path) -> None:
    spec = compiled(tmp_path, "vec.h", f"{ARRAY}void vec_swap(vec *a, vec *b);\n")
    assert "        args: {a: {invalidates: true}, b: {invalidates: true}}" in spec
    assert "# guess: it may move the memory of `a` and `b`" in spec


def test_a_sum_stays_in_place(tmp_path: Path) -> None:
    spec = compiled(tmp_path, "vec.h", f"{ARRAY}void vec_add(const vec *a, const vec *b, vec *sum);\n")
    assert "# guess: `add` is arithmetic, so the memory of `sum` stays in place" in spec
    assert "invalidates" not in spec


def test_arithmetic_moves_no_memory(tmp_path: Path) -> None:
    """`add` beside `sub` and `mul` adds numbers to the elements."""
    functions = "".join(f"int vec_{name}(vec *a, const vec *b);\n" for name in ("add", "sub", "mul"))
    spec = compiled(tmp_path, "vec.h", f"{ARRAY}{functions}")
    assert "# guess: `add` is arithmetic, so the memory of `a` stays in place" in spec
    assert "invalidates" not in spec
