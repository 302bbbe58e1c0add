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


def test_room_for_any_state(tmp_path: Path) -> None:
    source = tmp_path / "room.c"
    condition = "_Alignof(dlb_py_values) >= _Alignof(long double)"
    source.write_text(f'#include "dlb_py_internal.h"\n_Static_assert({condition}, "");\n', encoding="utf-8")
    compile_c(["-c", source], tmp_path / "room.o")
