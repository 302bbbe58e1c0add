# SPDX-License-Identifier: MIT
"""Strings given to an import live as long as its object, its parameters have defaults, and each state has storage."""

from __future__ import annotations

import ctypes
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from python import builds
from support.build import build_extension, compile_c, import_extension

SPEC = """
module: titles
include: [titles.h]
tensors:
  Titled:
    type: titled
    data: self->data
    dtype: uint8
    shape: [self->count]
    require: [{expr: "self->title[0] == 'a' && self->title[63] == 'a'", message: the title has changed}]
    import:
      params: [const char *title, 'const char *note = "none"']
      set: {data: data, count: "shape[0]", title: title, note: note}
"""
HEADER = """
#include <stdint.h>
typedef struct titled { void *data; int64_t count; const char *title, *note; } titled;
"""


@pytest.fixture(scope="module")
def titles(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """Builds and imports a module whose malloc() can be made to fail."""
    path = build_extension(
        "titles",
        SPEC,
        tmp_path_factory.mktemp("titles"),
        files={"titles.h": HEADER},
        sources=[builds.HERE / "scarcity.c"],
        flags=["-Wl,--wrap=malloc"],
    )
    return import_extension("titles", path)


def test_an_import_without_memory_for_its_strings_fails(titles: ModuleType) -> None:
    library = ctypes.PyDLL(titles.__file__)
    memory = bytearray(3)
    failures = 0
    while True:
        library.scarcity_begin(failures)
        try:
            made = titles.Titled.from_dlpack(memory, title="a" * 64)
        except MemoryError:
            assert library.scarcity_end()
            failures += 1
            memory.append(0)  # nothing holds it
        else:
            assert not library.scarcity_end()
            break
    assert failures == 3, "the strings, the guard of the buffer, the owner"
    assert made.shape == (6,)


def test_strings_live_as_long_as_the_import(titles: ModuleType) -> None:
    shown = titles.Titled.from_dlpack(np.zeros(3, np.uint8), title="".join(["a"] * 64))
    others = [str(i % 10) * 64 for i in range(1000)]
    assert shown.shape == (3,) and len(others) == 1000
    array = np.from_dlpack(shown)
    del shown, others
    array[...] = 1
    with pytest.raises(BufferError, match="the title has changed"):
        titles.Titled.from_dlpack(np.zeros(3, np.uint8), title="b" * 64)
    with pytest.raises(TypeError, match="__dlpack__"):
        titles.Titled.from_dlpack(3, title="a" * 64)


COUNTED = """
module: counted
include: [counted.h]
tensors:
  Counted:
    type: counted
    params: ["int *seen = &counted_all"]
    data: self->data
    dtype: uint8
    shape: [self->count]
    let: [{int total: "++*seen"}]
    import:
      params: ["int *seen = &counted_all"]
      set: {data: data, count: "shape[0]", first: "*seen"}
  Row:
    type: counted
    params: [int row = 0, "int *seen = &counted_all"]
    data: self->data + row
    dtype: uint8
    shape: [self->count * (*seen != 0)]
"""
COUNTED_HEADER = """
#include <stdint.h>
typedef struct counted { uint8_t *data; int64_t count; int first; } counted;
extern int counted_all;
"""


def test_a_param_that_is_an_address_keeps_its_default(tmp_path: Path) -> None:
    files = {"counted.h": COUNTED_HEADER, "counted.c": "int counted_all;\n"}
    path = build_extension("counted", COUNTED, tmp_path, files=files)
    counted = import_extension("counted", path)
    shown = counted.Counted.from_dlpack(np.zeros(3, np.uint8))
    assert shown.shape == (3,) and shown.row(1).shape == (3,)
    with pytest.raises(TypeError, match="'seen' is of a C type that Python objects are not converted to"):
        counted.Counted.from_dlpack(np.zeros(3, np.uint8), seen=1)
    with pytest.raises(TypeError, match="'seen'"):  # which is that of `shown`
        shown.row(0, seen=1)
    assert counted.Counted.from_dlpack.__text_signature__ == "($type, x, /, *, device=None, copy=None)"
    assert counted.Counted.row.__text_signature__ == "($self, /, row=0)"
    stub = (tmp_path / "counted.pyi").read_text(encoding="utf-8")
    assert (
        "cls, x: _Array, /, *, device: tuple[int, int] | typing.Literal['cpu'] | None = None, copy: bool | None" in stub
    )
    assert "def row(self, /, row: int = 0) -> Row: ..." in stub


def test_storage_of_values_is_aligned_for_any_type(tmp_path: Path) -> None:
    source = tmp_path / "storage.c"
    condition = "_Alignof(dlb_py_values) >= _Alignof(long double)"
    source.write_text(f'#include "object/object.h"\n_Static_assert({condition}, "");\n', encoding="utf-8")
    compile_c(["-c", source], tmp_path / "storage.o")
