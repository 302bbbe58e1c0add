"""Structs with const members, which C initialises and does not assign."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from structs.libraries import COMPILERS, STRICT, assert_same, count
from support.build import GATE_FLAGS, build_module, compiler_environment, generate, header_flags

HERE = Path(__file__).parent
HEADER, SPEC = ((HERE / f"const_members.{suffix}").read_text() for suffix in ("h", "yaml"))
INTEGERS = """
dlpack-bindgen: 1
module: integers
include: [const_members.h]
tensors:
  Volume:
    type: volume
    data: (void *)(uintptr_t)self->bytes
    dtype: uint8
    shape: {ndim: self->rank, each: "self->size[axis]"}
    readonly: 1
    import:
      require: [{ndim: [0, 4]}]
      set: {rank: ndim, "size[axis]": "shape[axis]", bytes: data}
      const: [rank, "size[axis]", bytes]
  Part:
    type: part
    data: self->at
    dtype: float32
    shape: [self->size]
    import: {set: {at: data, size: "shape[0]"}, const: [at, size]}
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """Returns the module, compiled by a compiler that relies on `const`, unless a gate chooses the optimisation."""
    flags = [] if GATE_FLAGS else ["-O2"]
    return build_module("const_members", SPEC, tmp_path_factory.mktemp("const_members"), HEADER, flags=flags)


def test_const_members_of_every_type_are_initialised(module: ModuleType) -> None:
    array = count(2, 3)
    sheet = module.Sheet.from_dlpack(array)
    assert_same(np.from_dlpack(sheet), array)
    assert module.sheet_sum(sheet) == 0.5 + 2 / 8 + 1 + (2 + 3) + 2 + 24 + 7 + (1 + 2) + 4


def test_a_const_flag_for_read_only_data_is_initialised(module: ModuleType) -> None:
    array = count(2, 3)
    assert np.from_dlpack(module.Sheet.from_dlpack(array)).flags.writeable
    array.flags.writeable = False
    assert not np.from_dlpack(module.Sheet.from_dlpack(array)).flags.writeable


@pytest.mark.parametrize(
    "array", [count(2, 3, dtype="u1"), count(4, 3, 2, 1, dtype="u1")[::2, ::-1], np.array(7, "u1")]
)
def test_const_arrays_get_an_element_for_each_axis(module: ModuleType, array: np.ndarray) -> None:
    assert_same(np.from_dlpack(module.Volume.from_dlpack(array)), array)


def test_const_members_behind_a_pointer_are_initialised(module: ModuleType) -> None:
    array = count(5)
    assert_same(np.from_dlpack(module.Row.from_dlpack(array)), array)


def test_const_members_of_an_embedded_struct_are_initialised(module: ModuleType) -> None:
    array = count(5)
    assert_same(np.from_dlpack(module.Part.from_dlpack(array)), array)


def test_a_struct_by_value_can_have_const_members(module: ModuleType) -> None:
    assert module.span_sum(count(5)) == 10
    assert module.span_sum(module.Span.from_dlpack(count(5))) == 10


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("Sheet", np.zeros((40000, 1), "f4"), r"rows \(shape\[0\]\) would be 40000"),
        ("Sheet", np.zeros((1, 200), "f4"), r"columns \(shape\[1\]\) would be 200"),
        ("Volume", np.zeros((1, 40000), "u1"), r"size\[axis\] \(shape\[axis\]\) would be 40000"),
        ("Span", np.zeros(40000, "f4"), r"size \(shape\[0\]\) would be 40000"),
    ],
)
def test_values_for_const_members_are_checked(module: ModuleType, name: str, array: np.ndarray, message: str) -> None:
    with pytest.raises(BufferError, match=message):
        getattr(module, name).from_dlpack(array)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(
    ("spec", "mode"),
    [(SPEC, "-std=c11"), (SPEC, "-std=c99"), (INTEGERS, "-std=c99"), (INTEGERS, "-DDLB_NO_GENERIC=1")],
    ids=["c11", "c99", "integers", "no-generic"],
)
def test_structs_with_const_members_compile_without_warnings(
    spec: str, mode: str, compiler: str, tmp_path: Path
) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    (tmp_path / "const_members.h").write_text(HEADER)
    source = next(path for path in generate(spec, tmp_path) if path.name.endswith("_dlpack.c"))
    flags = [*STRICT, "-Wcast-qual", "-O2", mode, f"-I{tmp_path}", *header_flags(), "-c", "-o", str(tmp_path / "a.o")]
    command, environment = [compiler, *flags, str(source)], compiler_environment()
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
