"""Functions that a header has as macros."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import ModuleType

import pytest

from compile.test_wrong_specs import FIRST_ERROR, messages
from dlpack_bindgen.tools.config import python_cflags
from support.build import SANITIZED, build_module, generate

HEADER = """
#include <stddef.h>
typedef struct { int level; } stream_t;
int stream_open_(stream_t *stream, int level, const char *version, size_t size);
#define stream_open(stream, level) stream_open_((stream), (level), "1.2", sizeof(stream_t))
/* A macro with another name for the function. */
int stream_level_v2(const stream_t *stream);
#define stream_level stream_level_v2
/* Both: the macro is faster. */
int stream_next(const stream_t *stream);
#define stream_next(stream) ((stream)->level + 1)
/* A macro that is an expression, and one for a pointer to a function. */
#define stream_twice(stream) (2L * (stream)->level)
typedef struct { int (*close)(stream_t *stream); } stream_functions;
extern const stream_functions streams;
#define stream_end streams.close
"""
SOURCE = """
#include "macros.h"
int stream_open_(stream_t *stream, int level, const char *version, size_t size)
{
    stream->level = level;
    return version[0] == '1' && size == sizeof(stream_t) && level >= 0 ? 0 : -1;
}
int stream_level_v2(const stream_t *stream) { return stream->level; }
int (stream_next)(const stream_t *stream) { return stream->level + 1; }
static int closed(stream_t *stream) { return stream->level = -1; }
const stream_functions streams = {closed};
"""
SPEC = """
module: macros
include: macros.h
handles:
  Stream:
    type: stream_t
    new: {}
    release: (void)self
    methods:
      open: {c: 'int stream_open(stream_t *self, int level)', macro: true, ok: == 0, raises: ValueError}
      level: {c: int stream_level(const stream_t *self)}
      next: {c: int stream_next(const stream_t *self)}
      twice: {c: long stream_twice(const stream_t *self), macro: true}
      end: {c: int stream_end(stream_t *self), macro: true}
"""


@pytest.fixture(scope="module")
def macros(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("macros", SPEC, tmp_path_factory.mktemp("macros"), HEADER, SOURCE)


def test_a_macro_with_parameters_is_called(macros: ModuleType) -> None:
    stream = macros.Stream()
    assert stream.open(3) is None
    assert (stream.level(), stream.next(), stream.twice()) == (3, 4, 6)
    with pytest.raises(ValueError, match=r"stream_open\(\)"):
        stream.open(-1)
    with pytest.raises(TypeError):
        stream.open("3")


def test_a_macro_for_a_pointer_to_a_function_is_called(macros: ModuleType) -> None:
    assert macros.Stream().end() == -1


if not SANITIZED:  # compilers leave memory behind

    @pytest.mark.parametrize("compiler", ["gcc", "clang"])
    @pytest.mark.parametrize("name", ["open", "twice", "end"])
    def test_a_macro_without_the_key_is_an_error_that_names_it(compiler: str, name: str, tmp_path: Path) -> None:
        if shutil.which(compiler) is None:
            pytest.skip(f"{compiler} is not installed")
        lines = [
            line.replace(", macro: true", "") if line.strip().startswith(f"{name}:") else line
            for line in SPEC.split("\n")
        ]
        (tmp_path / "macros.h").write_text(HEADER)
        generate("\n".join(lines), tmp_path)
        fine, output = messages(compiler, "c11", tmp_path / "macros_module.c", *python_cflags())
        first = FIRST_ERROR.search(output)
        assert not fine and first is not None
        assert f"Stream.{name}.c: stream_{name} is not a function of this type in the header" in first.group()
        assert "macro: true" in first.group()
