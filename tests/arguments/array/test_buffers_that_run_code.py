"""Buffers whose release runs code of Python, and producers that say with a buffer whether their memory is read-only."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import compile_c, import_extension

HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def exporters(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    path = tmp_path_factory.mktemp("exporters") / "exporters.so"
    compile_c(["-shared", "-Wno-missing-field-initializers", HERE / "exporters.c"], path)
    return import_extension("exporters", path)


# ---- The release of a buffer ----


def test_a_refused_buffer_is_released_without_the_pending_exception(
    arrays: ModuleType, lab: ModuleType, exporters: ModuleType
) -> None:
    seen = []

    def release() -> None:
        seen.append(len("abc"))  # raises nothing, and sees nothing that is raised

    for function in (arrays.numbers_sum, lab.Moved.from_dlpack):
        with pytest.raises(BufferError, match="a buffer of format 'P' with items of 8 bytes has no DLPack dtype"):
            function(exporters.Exporter(release, "P", 1))
    assert set(seen) == {3}


def test_an_exception_of_a_release_does_not_fail_the_call(
    arrays: ModuleType, lab: ModuleType, exporters: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda told: heard.append(str(told.exc_value)))

    def release() -> None:
        raise LookupError("at the end")

    assert arrays.numbers_sum(exporters.Exporter(release, "d", 5)) == 0
    assert heard == ["at the end"]
    with pytest.raises(BufferError, match="has no DLPack dtype"):
        lab.Moved.from_dlpack(exporters.Exporter(release, "P", 5))
    assert heard == ["at the end"] * 2


def test_a_keyboard_interrupt_of_a_buffer_is_raised(arrays: ModuleType, exporters: ModuleType) -> None:
    """A refused buffer of a class with the name of NumPy's array leads to `__dlpack__`, but an interrupt does not."""

    def fail(self: object, **keywords: Any) -> Any:
        raise AssertionError("it is called")

    ndarray = type("ndarray", (exporters.Exporter,), {"__module__": "numpy", "__dlpack__": fail})
    with pytest.raises(KeyboardInterrupt):
        arrays.numbers_sum(ndarray(lambda: None, "d", 6))


# ---- Buffers without a shape ----


def test_one_axis_without_a_shape_has_all_items(arrays: ModuleType, lab: ModuleType, exporters: ModuleType) -> None:
    """PyBuffer_FillInfo() makes such a buffer with PyBUF_SIMPLE, whatever the consumer asked for."""
    given = exporters.Exporter(lambda: None, "d", 3)
    (ctypes.c_double * 2).from_address(given.address)[:] = 1, 2
    for _ in range(2):
        assert arrays.numbers_sum(given) == 3
        assert arrays.tensor_text(given).endswith(" on 1:0, 2/1")
        assert lab.Moved.from_dlpack(given).shape == (2,)


def test_several_axes_without_a_shape_are_refused(arrays: ModuleType, exporters: ModuleType) -> None:
    """Only functions refuse them: classes import a memoryview, and CPython crashes when it makes one."""
    for function in (arrays.numbers_sum, arrays.tensor_text):
        with pytest.raises(BufferError, match="the buffer has no shape"):
            function(exporters.Exporter(lambda: None, "d", 4))


# ---- Read-only legacy tensors ----


@pytest.mark.parametrize("shown", [0, 1, 2])
def test_a_legacy_tensor_is_read_only_where_the_buffer_says_so(
    arrays: ModuleType, lab: ModuleType, exporters: ModuleType, shown: int
) -> None:
    """A buffer without a format decides, too. A refused buffer decides nothing."""

    class Old(exporters.Exporter):  # type: ignore[misc, name-defined]
        def __dlpack__(self, stream: Any = None) -> Any:
            return np.ctypeslib.as_array((ctypes.c_double * 2).from_address(self.address)).__dlpack__()

        def __dlpack_device__(self) -> tuple[int, int]:
            return (1, 0)

    given = Old(lambda: None, "d", shown)
    assert lab.Moved.from_dlpack(given).readonly
    with pytest.raises(BufferError, match="read-only"):
        arrays.tensor_fill(given, 1.0)
