"""Classes whose C type is a number: ids, and memory without a struct. Other numbers and arrays stay what they are."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: plainly
include: plainly.h
numbers: {real: float}
tensors:
  Span: {type: real, params: [int n], data: self, dtype: {c: real}, shape: [n]}
  Bytes: {type: void, params: [int n], data: self, dtype: uint8, shape: [n], readonly: true}
  Block:
    type: float
    params: [int n]
    data: self
    dtype: float32
    shape: [n]
    release: block_free(self)
    methods:
      double: {c: "void twice(float *x, int n)", args: {n: {param_of: x}}}
handles:
  File:
    type: int
    pass: value
    release: file_close(self)
    new: {c: "int file_open(int mode, int *id)", args: {mode: int, id: {of: File, out: true}}, ok: == 0, returns: [id]}
    methods:
      grow: {c: "int file_grow(int by, int id, int *size)", args: {id: File, size: {out: true}}, ok: == 0}
      size: {c: int file_size(int id)}
      copy: {c: int file_copy(int id), returns: File}
      same: {c: "int file_same(int id, int other)", args: {id: File, other: File}, returns: bool}
      seek: {c: "int file_seek(int whence, int id)", args: {whence: {default: 2}}}
functions:
  opened: {c: int files_opened(void)}
  make: {c: "float *block_new(int n, float first)", returns: Block}
  sum: {c: "float sum(const float *x, int n)", args: {n: {count_of: x}}}
  twice: {c: "void twice(float *x, int n)", args: {x: array, n: {count_of: x}}}
  mean: {c: "real mean(const real *x, const int *n)", args: {x: {of: array, copy: allowed}, n: {count_of: x}}}
  halve: {c: "void *halve(void *x, int *n)", args: {x: array, n: {size_of: x}}, returns: {of: Bytes, borrow: static}}
  drop: {c: void block_free(float *x), args: {x: {takes: true}}}
  first: {c: float first(const float *x), args: {x: Block}}
  tail:
    c: real *tail(real *x, int *n)
    args: {x: {require: [{count: "3"}], writes: false}, n: {out: true}}
    returns: {of: Span, borrow: static}
"""
HEADER = Path(__file__).with_name("plainly.h").read_text()


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("plainly", SPEC, tmp_path_factory.mktemp("plainly"), HEADER, "int opened;")


def test_numbers_beside_ids_are_numbers(lib: ModuleType) -> None:
    file = lib.File(3)
    assert (file.grow(4), file.size()) == (34, 30)
    assert (file.seek(), file.seek(1)) == (32, 31)
    other = file.copy()
    assert isinstance(other, lib.File)
    assert (file.same(file), file.same(other), lib.opened()) == (True, False, 2)
    with pytest.raises(TypeError, match=r"^same\(\) argument 'other' must be File, not int$"):
        file.same(30)
    file.close()
    other.close()
    assert lib.opened() == 0


def test_arrays_beside_memory_of_their_type_are_arrays(lib: ModuleType) -> None:
    x = np.array([1, 2, 3], np.float32)
    lib.twice(x)
    assert lib.sum(x) == lib.sum([2.0, 4.0, 6.0]) == 12
    assert lib.mean(np.arange(8.0)[::2]) == 3


def test_memory_is_an_array_too(lib: ModuleType) -> None:
    block = lib.make(3, 5)
    block.double()
    lib.twice(block)
    assert (lib.sum(block), lib.first(block)) == (20, 20)
    assert np.from_dlpack(lib.tail(np.arange(3.0))).tolist() == [1, 2]
    lib.drop(block)
    with pytest.raises(TypeError, match=r"^first\(\) argument 'x' must be Block, not numpy.ndarray$"):
        lib.first(np.zeros(3, np.float32))
    assert lib.opened() == 0


def test_a_void_pointer_takes_arrays_and_returns_an_object_of_the_class_for_void(lib: ModuleType) -> None:
    made = lib.halve(np.arange(4, dtype=np.uint16))
    assert (type(made), np.asarray(made).tolist(), made.readonly) == (lib.Bytes, [0, 0, 1, 0], True)
