# SPDX-License-Identifier: MIT
"""What an import was given lives as long as its object; what a part is given has room for all types."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

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


def test_texts_live_as_long_as_the_import(tmp_path: Path) -> None:
    titles = import_extension("titles", build_extension("titles", SPEC, tmp_path, files={"titles.h": HEADER}))
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
    shape: [self->count / (*seen != 0)]
"""
COUNTED_HEADER = """
#include <stdint.h>
typedef struct counted { uint8_t *data; int64_t count; int first; } counted;
extern int counted_all;
"""


def test_python_takes_the_default_of_an_address(tmp_path: Path) -> None:
    files = {"counted.h": COUNTED_HEADER, "counted.c": "int counted_all;\n"}
    path = build_extension("counted", COUNTED, tmp_path, files=files)
    counted = import_extension("counted", path)
    shown = counted.Counted.from_dlpack(np.zeros(3, np.uint8))
    assert shown.shape == (3,) and shown.row(1).shape == (3,)
    for call in (counted.Counted.from_dlpack, lambda x, seen: shown.row(0, seen)):
        with pytest.raises(TypeError, match="'seen' is of a C type that Python objects are not converted to"):
            call(np.zeros(3, np.uint8), seen=1)
    assert counted.Counted.from_dlpack.__text_signature__ == "($type, x, /)"
    assert counted.Counted.row.__text_signature__ == "($self, /, row=0)"
    stub = (tmp_path / "counted.pyi").read_text(encoding="utf-8")
    assert "def from_dlpack(cls, x: _Array, /) -> Counted: ..." in stub
    assert "def row(self, /, row: int = 0) -> Row: ..." in stub


def test_room_for_any_state(tmp_path: Path) -> None:
    source = tmp_path / "room.c"
    condition = "_Alignof(dlb_py_values) >= _Alignof(long double)"
    source.write_text(f'#include "dlb_py_internal.h"\n_Static_assert({condition}, "");\n', encoding="utf-8")
    compile_c(["-c", source], tmp_path / "room.o")
