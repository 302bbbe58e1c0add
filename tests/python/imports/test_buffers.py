# SPDX-License-Identifier: MIT
"""`Name.from_dlpack` of objects that are buffers and have no `__dlpack__()`."""

from __future__ import annotations

import array
import ctypes
import gc
import mmap
import struct
import sys
import threading
import weakref
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.scripts import run
from python.tensors import compact


def integer(code: str, sign: str = "int") -> str:
    return f"{sign}{8 * struct.calcsize(code)}"


FORMATS = {
    **{code: integer(code) for code in "bhilqn"},
    **{code: integer(code.lower(), "uint") for code in "BHILQN"},
    "c": "uint8",
    "?": "bool",
    "f": "float32",
    "d": "float64",
}
"""Those of the struct module that DLPack has and memoryview.cast() knows."""


@pytest.mark.parametrize(("code", "dtype"), FORMATS.items())
def test_every_native_format_has_its_dtype(lab: ModuleType, code: str, dtype: str) -> None:
    for written in (code, "@" + code):
        source = memoryview(bytearray(struct.calcsize(code) * 6)).cast(written)
        made = lab.Moved.from_dlpack(source)
        assert (made.dtype, made.shape, made.readonly) == (dtype, (6,), False)


@pytest.mark.parametrize("order", ["=", "<", ">", "|"])
@pytest.mark.parametrize("name", "bool i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split())
def test_formats_of_numpy_in_native_byte_order_are_read_and_others_refused(lab, name: str, order: str) -> None:
    dtype = np.dtype(name).newbyteorder(order)
    source = np.arange(6).reshape(2, 3).astype(dtype)
    if source.dtype.isnative:
        made = lab.Moved.from_dlpack(memoryview(source))
        assert np.dtype(made.dtype) == source.dtype
        if name not in ("c8", "c16"):
            np.testing.assert_array_equal(np.from_dlpack(made), source)
    else:
        with pytest.raises(BufferError, match=f"the dtype is {np.dtype(name)} in the other byte order"):
            lab.Moved.from_dlpack(memoryview(source))


@pytest.mark.parametrize(
    "source",
    [
        np.zeros(3, "i4, f8"),
        np.zeros(3, "U2"),
        np.zeros(3, "S3"),
        np.zeros(3, "V4"),
        np.array([None, 1]),
        np.zeros(3, np.longdouble),
        np.zeros(3, np.clongdouble),
        array.array("w" if sys.version_info >= (3, 13) else "u", "abc"),
        (ctypes.c_void_p * 3)(),
        (ctypes.c_wchar * 3)(),
        (type("Pair", (ctypes.Structure,), {"_fields_": [("a", ctypes.c_int), ("b", ctypes.c_int)]}) * 2)(),
    ],
    ids=range(11),
)
def test_the_message_shows_a_format_without_a_dtype(lab: ModuleType, source: Any) -> None:
    view = memoryview(source)
    with pytest.raises(BufferError) as caught:
        lab.Moved.from_dlpack(view)
    text = str(caught.value)
    assert text.startswith(f"probe.Moved: a buffer of format '{view.format[:50]}' with items of {view.itemsize} bytes")
    assert text.endswith("has no DLPack dtype")


SOURCES = {
    "bytes": (b"abcdef", "uint8", (6,), True),
    "bytearray": (bytearray(b"abcdef"), "uint8", (6,), False),
    "memoryview": (memoryview(bytearray(12)).cast("H", (2, 3)), "uint16", (2, 3), False),
    "read-only memoryview": (memoryview(bytearray(12)).toreadonly(), "uint8", (12,), True),
    "slice": (memoryview(bytearray(12))[2:11:3], "uint8", (3,), False),
    "backwards": (memoryview(bytearray(12))[::-2], "uint8", (6,), False),
    "scalar": (memoryview(bytearray(8)).cast("d", ()), "float64", (), False),
    "array": (array.array("d", [1, 2, 3]), "float64", (3,), False),
    "ctypes": (((ctypes.c_int16 * 3) * 2)(), "int16", (2, 3), False),
    "ctypes scalar": (ctypes.c_double(1), "float64", (), False),
    "no elements": (b"", "uint8", (0,), True),
    "no elements in two axes": (memoryview(np.zeros((3, 0), "i4")), "int32", (3, 0), False),
    "columns": (memoryview(np.zeros((3, 4), "f4", order="F")), "float32", (3, 4), False),
    "one address": (memoryview(np.broadcast_to(np.zeros(1, "u1"), (3, 4))), "uint8", (3, 4), True),
}


@pytest.mark.parametrize("name", SOURCES)
def test_every_kind_of_buffer_is_an_array(lab: ModuleType, name: str) -> None:
    source, dtype, shape, readonly = SOURCES[name]
    made = lab.Moved.from_dlpack(source)
    assert (made.dtype, made.shape, made.readonly, made.device) == (dtype, shape, readonly, (1, 0))
    there, here = (np.frombuffer(x.tobytes(), np.uint8) for x in (memoryview(source), memoryview(made)))
    np.testing.assert_array_equal(here, there)
    strides = memoryview(source).strides
    if 0 not in shape:
        assert made.strides == tuple(step // memoryview(source).itemsize for step in strides)
    else:
        assert made.strides == tuple(compact(shape))


def test_memory_is_shared_in_both_directions(lab: ModuleType) -> None:
    source = bytearray(b"abc")
    made = lab.Moved.from_dlpack(source)
    source[0] = ord("x")
    np.from_dlpack(made)[2] = ord("z")
    assert (bytes(memoryview(made)), bytes(source)) == (b"xbz", b"xbz")


def test_a_mapped_file_is_written_through(lab: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"abc")
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        made = lab.Moved.from_dlpack(mapped)
        with pytest.raises(BufferError, match="exported pointers exist"):
            mapped.close()
        np.from_dlpack(made)[0] = ord("x")
        made.close()
    assert path.read_bytes() == b"xbc"


def test_the_buffer_is_held_until_the_last_export_is_freed(lab: ModuleType) -> None:
    source = bytearray(b"abc")
    made = lab.Moved.from_dlpack(source)
    array_ = np.from_dlpack(made)
    made.close()
    del made
    with pytest.raises(BufferError, match="re-sized"):
        source.append(1)
    del array_
    source.append(1)
    assert len(source) == 4


@pytest.mark.parametrize("place", ["here", "without the GIL", "on a foreign thread", "with an exception pending"])
def test_the_buffer_is_released_wherever_the_last_export_is_freed(lab: ModuleType, producer, place: str) -> None:
    source = bytearray(b"abc")
    tensor = producer.consume(lab.Moved.from_dlpack(source).__dlpack__())
    with pytest.raises(BufferError, match="re-sized"):
        source.append(1)
    producer.delete(*tensor, place)
    source.append(1)


class Counted(bytearray):
    """Weak references show when it ends."""


def test_the_exporter_of_the_buffer_lives_as_long_as_the_import(lab: ModuleType) -> None:
    source = Counted(b"abc")
    watched = weakref.ref(source)
    array_ = np.from_dlpack(lab.Moved.from_dlpack(source))
    del source
    gc.collect()
    assert watched() is not None and bytes(array_) == b"abc"
    del array_
    assert watched() is None


@pytest.mark.parametrize("mood", [1, 2])
def test_an_import_that_fails_releases_the_buffer(lab: ModuleType, mood: int) -> None:
    source = bytearray(b"abc")
    lab.set_mood(mood)
    try:
        with pytest.raises((RuntimeError, BufferError)):
            lab.Moved.from_dlpack(source)
    finally:
        lab.set_mood(0)
    gc.collect()
    source.append(1)


def test_read_only_buffers_are_refused_where_the_library_writes(imaging: ModuleType) -> None:
    with pytest.raises(BufferError, match="read-only"):
        imaging.Image.from_dlpack(memoryview(bytes(24)).cast("B", (2, 4, 3)))
    image = imaging.Image.from_dlpack(memoryview(bytearray(24)).cast("B", (2, 4, 3)))
    assert image.shape == (2, 4, 3)


def test_a_refused_layout_releases_the_buffer(stocked: ModuleType) -> None:
    source = bytearray(48)
    with pytest.raises(BufferError, match="compact"):
        stocked.Columns.from_dlpack(memoryview(source).cast("d", (2, 3)))
    gc.collect()
    source.append(1)


def test_an_import_that_copies_releases_the_buffer_at_once(stocked: ModuleType) -> None:
    source = bytearray(struct.pack("6d", *range(6)))
    made = stocked.Copying.from_dlpack(memoryview(source).cast("d", (2, 3)))
    source.append(1)
    np.testing.assert_array_equal(np.from_dlpack(made), np.arange(6.0).reshape(2, 3))


def test_a_buffer_without_the_required_alignment_is_refused(stocked: ModuleType) -> None:
    memory = (ctypes.c_char * 300)()
    start = -ctypes.addressof(memory) % 128
    view = memoryview(memory).cast("B")
    assert stocked.Aligned.from_dlpack(view[start : start + 3]).shape == (3,)
    with pytest.raises(BufferError, match="128"):
        stocked.Aligned.from_dlpack(view[start + 1 : start + 4])


def test_strides_between_elements_are_refused(lab: ModuleType) -> None:
    records = np.zeros(3, np.dtype([("value", "i4"), ("tag", "u1")]))
    message = r"strides\[0\] of the array is 5 bytes: not a multiple of the item size 4"
    with pytest.raises(BufferError, match=message):
        lab.Moved.from_dlpack(memoryview(records["value"]))
    assert lab.Moved.from_dlpack(memoryview(records["value"][:1])).shape == (1,)
    for axes, axis, stride in (((0, 1, 2), 2, 9), ((1, 2, 0), 1, 9), ((2, 0, 1), 0, 9)):
        view = np.lib.stride_tricks.as_strided(np.zeros(40, "i4"), (2, 1, 3), (36, 2, stride)).transpose(axes)
        with pytest.raises(BufferError, match=rf"strides\[{axis}\] of the array is {stride} bytes: not a multiple"):
            lab.Moved.from_dlpack(memoryview(view))


def test_a_buffer_with_suboffsets_is_refused(lab: ModuleType) -> None:
    testbuffer = pytest.importorskip("_testbuffer")
    source = testbuffer.ndarray(list(range(12)), shape=[3, 4], format="B", flags=testbuffer.ND_PIL)
    with pytest.raises(BufferError, match="the buffer has suboffsets"):
        lab.Moved.from_dlpack(source)
    rows = testbuffer.ndarray(list(range(12)), shape=[3, 4], format="B")
    assert lab.Moved.from_dlpack(rows).shape == (3, 4)


def test_buffers_with_64_axes_are_taken(lab: ModuleType) -> None:
    source = memoryview(bytearray(1)).cast("B", (1,) * 64)
    assert lab.Moved.from_dlpack(source).shape == (1,) * 64
    with pytest.raises(BufferError) as caught:
        lab.Moved.from_dlpack(memoryview(np.zeros((1,) * 64, ">f4")))
    assert str(caught.value) == "probe.Moved: DLPack can describe neither the strides nor the byte order of the array"


def test_a_released_memoryview_is_refused_with_the_message_of_python(lab: ModuleType) -> None:
    source = memoryview(b"abc")
    source.release()
    with pytest.raises(ValueError, match="released memoryview"):
        lab.Moved.from_dlpack(source)


def test_a_memoryview_may_be_released_before_the_import(lab: ModuleType) -> None:
    memory = bytearray(b"abc")
    source = memoryview(memory)
    made = lab.Moved.from_dlpack(source)
    source.release()
    with pytest.raises(BufferError, match="re-sized"):
        memory.append(1)
    assert bytes(memoryview(made)) == b"abc"
    made.close()
    memory.append(1)


def test_an_import_of_a_buffer_accepts_params(stocked: ModuleType) -> None:
    assert stocked.Labelled.from_dlpack(bytearray(3), rate=7).shape == (3,)
    with pytest.raises(TypeError, match="rate"):
        stocked.Labelled.from_dlpack(bytearray(3))


def test_an_object_with_dlpack_is_not_taken_as_a_buffer(lab: ModuleType) -> None:
    class Both(bytearray):
        def __dlpack__(self, **keywords: Any) -> Any:
            raise BufferError("by DLPack")

    with pytest.raises(BufferError, match="by DLPack"):
        lab.Moved.from_dlpack(Both(3))


def test_a_memoryview_of_our_object_can_be_imported(subject, lab: ModuleType) -> None:
    made = subject((2, 3), (3, 1), "int32")
    view = memoryview(made.object)
    again = lab.Moved.from_dlpack(view)
    assert (again.shape, again.dtype) == ((2, 3), "int32")
    released = lab.counts()[1]
    view.release()
    made.object.close()
    made.object = None
    assert lab.counts()[1] == released
    again.close()
    assert lab.counts()[1] == released + 2


def test_a_finalizer_of_the_source_may_use_the_runtime(lab: ModuleType) -> None:
    seen = []

    class Last(bytearray):
        def __del__(self) -> None:
            seen.append(np.from_dlpack(lab.Moved.from_dlpack(bytearray(b"inner"))).tobytes())

    made = lab.Moved.from_dlpack(Last(b"abc"))
    made.close()
    assert seen == [b"inner"]


def test_threads_import_and_release_one_buffer_at_the_same_time(lab: ModuleType, producer) -> None:
    source = bytearray(b"abc")
    errors: list[BaseException] = []

    def work(place: str) -> None:
        try:
            for _ in range(100):
                tensor = producer.consume(lab.Moved.from_dlpack(source).__dlpack__())
                producer.delete(*tensor, place)
        except BaseException as error:
            errors.append(error)

    places = ["here", "without the GIL", "on a foreign thread"] * 2
    threads = [threading.Thread(target=work, args=(place,)) for place in places]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    source.append(1)


class TestProcesses:
    """Tests in processes of their own, because a failure is a crash or a hang."""

    @pytest.fixture(autouse=True)
    def modules(self, lab, producer_module) -> None:
        """Builds what the scripts import."""

    def test_a_buffer_is_leaked_and_not_touched_after_the_interpreter_has_ended(self, folder: Path) -> None:
        script = """
tensor = producer.consume(lab.Moved.from_dlpack(bytearray(3)).__dlpack__())
producer.delete(*tensor, "after the interpreter")
"""
        assert run(folder, script, leaks=True) == []

    def test_imports_that_are_left_at_the_end_cause_no_crash(self, folder: Path) -> None:
        script = """
class Last(bytearray):
    def __del__(self, say=say):
        say("ended")
sys.left = [lab.Moved.from_dlpack(Last(3)), memoryview(lab.Moved.from_dlpack(Last(3)))]
sys.left.append(sys.left)
"""
        assert run(folder, script, leaks=True) in ([], ["ended"], ["ended", "ended"])

    @pytest.mark.parametrize("place", ["here", "without the GIL", "on a foreign thread"])
    def test_a_child_process_releases_its_copy_of_the_buffer(self, folder: Path, place: str) -> None:
        script = f"""
source = bytearray(3)
tensor = producer.consume(lab.Moved.from_dlpack(source).__dlpack__())
if os.fork() == 0:
    producer.delete(*tensor, {place!r})
    source.append(1)
    say("child")
    os._exit(0)
assert os.wait()[1] == 0
try:
    source.append(1)
except BufferError:
    producer.delete(*tensor, {place!r})
source.append(1)
say("parent")
"""
        assert run(folder, script) == ["child", "parent"]

    @pytest.mark.subinterpreters
    def test_a_buffer_of_another_interpreter_is_released_there(self, folder: Path) -> None:
        script = """
reader, writer = os.pipe()
another = Another()
another.run(f'''
import lab, os, producer
class Source(bytearray):
    def __del__(self, say=print):
        import lab
        say("ended in", id(lab), flush=True)
tensor = producer.consume(lab.Moved.from_dlpack(Source(3)).__dlpack__())
os.write({writer}, repr((*tensor, id(lab))).encode())
''')
address, versioned, home = eval(os.read(reader, 99))
producer.delete(address, versioned, "without the GIL")
another.end()
say(f"expected {home}")
"""
        ended, expected = run(folder, script, leaks=True)
        assert ended == expected.replace("expected", "ended in")
