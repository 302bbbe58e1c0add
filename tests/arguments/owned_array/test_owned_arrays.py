"""Arrays that the library takes over: their elements, and who frees them."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

HERE = Path(__file__).parent
ONE = np.ones(1)
METHODS = ("add", "add_const", "add_reals", "consume", "set_only")
GRID = np.arange(12, dtype="f4").reshape(3, 4)


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    spec, header, source = ((HERE / f"boxes.{suffix}").read_text() for suffix in ("yaml", "h", "c"))
    return build_module("boxes", spec, tmp_path_factory.mktemp("boxes"), header, source)


@pytest.fixture
def boxes(module: ModuleType) -> Iterator[ModuleType]:
    """Gives the module. After each test, every copy must have been freed."""
    yield module
    module.fail_after(-1)
    gc.collect()
    assert module.live_blocks() == 0


def content(of: Any) -> list[bytes | None]:
    return [of.get(index) for index in range(len(of))]


def full(boxes: ModuleType) -> Any:
    made = boxes.Box()
    made.add(ONE)
    made.add(ONE)
    return made


class Producer:
    """An array that has nothing but `__dlpack__`."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __dlpack__(self, **keywords: Any) -> Any:
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


# ---- Success: the library owns the copy ----


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "array",
    [
        np.arange(4.0),
        np.empty(0),
        np.array(2.0),
        np.arange(9.0)[::2],
        np.arange(9.0)[::-1],
        np.arange(6.0).reshape(2, 3).T,
        np.broadcast_to(np.ones(1), 3),
        np.arange(100_000.0),
    ],
    ids=["plain", "empty", "0-d", "strided", "backwards", "transposed", "broadcast", "large"],
)
def test_the_library_gets_a_compact_copy(boxes: ModuleType, method: str, array: Any) -> None:
    made, before = boxes.Box(), array.tobytes()
    getattr(made, method)(array)
    assert (content(made), boxes.live_blocks()) == ([before], 1)


@pytest.mark.parametrize("wrap", [list, tuple, Producer, np.ma.array, lambda array: memoryview(array)])
def test_each_producer_is_copied(boxes: ModuleType, wrap: Callable[[Any], Any]) -> None:
    made = boxes.Box()
    made.add(wrap(np.arange(3.0)))
    assert (content(made), boxes.live_blocks()) == ([np.arange(3.0).tobytes()], 1)


PACKED = np.zeros((3, 4), [("tag", "u1"), ("x", "f8"), ("y", "<i2")])
PACKED["x"] = PACKED["y"] = np.arange(12).reshape(3, 4)
INTEGERS = np.arange(24, dtype="i2").reshape(2, 3, 4)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("wrap", [lambda array: array, lambda array: memoryview(array)], ids=["array", "buffer"])
def test_a_field_of_packed_records_is_copied(boxes: ModuleType, method: str, wrap: Callable[[Any], Any]) -> None:
    made, array = boxes.Box(), PACKED["x"][1, ::-1]
    getattr(made, method)(wrap(array))
    assert content(made) == [array.tobytes()]


@pytest.mark.parametrize("wrap", [lambda array: array, lambda array: memoryview(array)], ids=["array", "buffer"])
@pytest.mark.parametrize(
    "array",
    [
        INTEGERS.transpose(2, 0, 1),
        INTEGERS[::-1, :, ::3],
        np.asfortranarray(INTEGERS),
        INTEGERS.astype(">i2").T,
        PACKED["x"],
        PACKED["y"].T,
        PACKED[::2, ::-1],
        np.arange(6, dtype="u1").reshape(2, 3).T,
        np.arange(9, dtype="D")[::-2],
    ],
    ids=[
        "permuted",
        "strided",
        "column-major",
        "swapped",
        "field",
        "field, transposed",
        "records",
        "bytes",
        "complex",
    ],
)
def test_c_gets_the_bytes_of_any_layout_row_by_row(boxes: ModuleType, array: Any, wrap: Callable[[Any], Any]) -> None:
    """C gets the bytes of the elements, row by row, as `tobytes()` returns them."""
    made = boxes.Box()
    made.add_bytes(wrap(array))
    assert content(made) == [array.tobytes()]


def test_c_gets_the_bytes_of_arrays_of_strings(boxes: ModuleType) -> None:
    """No buffer has a format for them, but the array itself has bytes."""
    made, array = boxes.Box(), np.array(["ab", "c", "def"])[::2]
    made.add_bytes(array)
    assert content(made) == [array.tobytes()]


def test_a_read_only_array_is_copied(boxes: ModuleType) -> None:
    made, array = boxes.Box(), np.arange(3.0)
    array.setflags(write=False)
    made.add(array)
    assert content(made) == [array.tobytes()]


def test_the_copy_stays_when_the_array_changes(boxes: ModuleType) -> None:
    made, array = boxes.Box(), np.arange(3.0)
    made.add(array)
    array[:] = 7
    assert content(made) == [np.arange(3.0).tobytes()]


@pytest.mark.parametrize("array", [GRID, GRID[:, ::-1], np.asfortranarray(GRID), GRID[:0]])
def test_extents_are_derived(boxes: ModuleType, array: Any) -> None:
    made = boxes.Box()
    made.add_picture(array)
    assert content(made) == [array.tobytes()]


@pytest.mark.parametrize("array", [GRID, np.asfortranarray(GRID)])
def test_the_copy_has_the_required_order(boxes: ModuleType, array: Any) -> None:
    made = boxes.Box()
    made.add_columns(array, 4, height=3)
    assert content(made) == [GRID.tobytes("F")]
    with pytest.raises(ValueError, match="pixels"):
        made.add_columns(array, 3, height=4)


def test_numbers_can_be_structs(boxes: ModuleType) -> None:
    made = boxes.Box()
    made.add_points(GRID[:, :2])
    assert content(made) == [GRID[:, :2].tobytes()]
    with pytest.raises(ValueError, match="points"):
        made.add_points(GRID)


@pytest.mark.parametrize("dtype", ["f4", "i8"])
def test_the_library_gets_the_code_of_the_dtype(boxes: ModuleType, dtype: str) -> None:
    made, array = boxes.Box(), np.arange(3, dtype=dtype)
    made.add_any(array)
    assert content(made) == [array.tobytes()]
    with pytest.raises(BufferError):
        made.add_any(array.astype("i2"))


@pytest.mark.parametrize("data", [b"abc", bytearray(b"\0\1"), b"", np.arange(3.0), memoryview(b"abcdef")[::2]])
def test_c_gets_the_bytes_of_any_buffer(boxes: ModuleType, data: Any) -> None:
    made = boxes.Box()
    made.add_bytes(data)
    assert (content(made), boxes.live_blocks()) == ([bytes(data)], 1)


def test_a_pointer_to_void_gets_the_required_dtype(boxes: ModuleType) -> None:
    made, array = boxes.Box(), np.arange(3, dtype="i2")
    made.add_void(array)
    assert content(made) == [array.tobytes()]
    with pytest.raises(BufferError):
        made.add_void(np.arange(3))


def test_none_is_null(boxes: ModuleType) -> None:
    made = full(boxes)
    made.set_only(ONE)
    assert (content(made), boxes.live_blocks()) == ([ONE.tobytes()], 1)
    made.set_only(None)
    assert (content(made), boxes.live_blocks()) == ([], 0)
    made.set_only(np.empty(0))
    assert (len(made), boxes.live_blocks()) == (1, 1)
    made.set_only()
    assert (content(made), boxes.live_blocks()) == ([], 0)


def test_other_arguments_read_the_elements(boxes: ModuleType) -> None:
    assert (boxes.drop(np.arange(1.0, 4)), boxes.drop_free([2, 3], 1)) == (4.0, 4.0)
    with pytest.raises(ValueError, match="values"):
        boxes.drop(np.empty(0))


def test_a_returned_object_owns_the_copy(boxes: ModuleType) -> None:
    made = boxes.of(b"first")
    assert (content(made), boxes.live_blocks()) == ([b"first"], 1)


# ---- Failure ----


def test_after_a_failure_the_module_frees_the_copy(boxes: ModuleType) -> None:
    made = full(boxes)
    for add in (made.add, made.add_const, made.add_reals):
        with pytest.raises(RuntimeError):
            add(ONE)
    with pytest.raises(RuntimeError):
        made.add_bytes(b"c")
    with pytest.raises(RuntimeError):
        boxes.of(b"\0")
    assert (len(made), boxes.live_blocks()) == (2, 2)


def test_with_always_the_library_frees_the_copy_after_a_failure(boxes: ModuleType) -> None:
    made = full(boxes)
    with pytest.raises(RuntimeError):
        made.consume(ONE)
    assert (len(made), boxes.live_blocks()) == (2, 2)


INTS = np.arange(1, 3, dtype="i4")
TWO = np.arange(2.0)


@pytest.mark.parametrize(
    "arguments, error",
    [
        ((INTS, ONE, 3), TypeError),
        ((INTS, ONE), TypeError),
        ((INTS, ONE, TWO.astype("f4")), BufferError),
        ((INTS, ONE, ["a", "b"]), TypeError),
        ((INTS, ONE, None), TypeError),
        ((INTS, ONE, np.arange(3.0)), ValueError),
        ((INTS, TWO, TWO), ValueError),
        ((INTS[:0], ONE, TWO), ValueError),
        ((INTS * 0, ONE, TWO), ValueError),
        ((INTS, -ONE, TWO), RuntimeError),
    ],
)
def test_without_a_successful_call_both_copies_are_freed(
    boxes: ModuleType, arguments: tuple[object, ...], error: type[Exception]
) -> None:
    made = boxes.Box()
    with pytest.raises(error):
        made.add_both(*arguments)
    assert (content(made), boxes.live_blocks()) == ([], 0)
    made.add_both(INTS, ONE, TWO)
    assert (content(made), boxes.live_blocks()) == ([INTS.tobytes(), TWO.tobytes()], 2)


@pytest.mark.parametrize("blocks", [0, 1])
def test_without_memory_the_call_raises(boxes: ModuleType, blocks: int) -> None:
    made = boxes.Box()
    boxes.fail_after(blocks)
    with pytest.raises(MemoryError):
        made.add_both(INTS, ONE, TWO)
    assert (content(made), boxes.live_blocks()) == ([], 0)


def test_a_closed_box_leaves_no_copy(boxes: ModuleType) -> None:
    made = boxes.Box()
    made.close()
    with pytest.raises(ValueError, match="closed"):
        made.add(ONE)
    assert boxes.live_blocks() == 0
