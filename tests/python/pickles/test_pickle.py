# SPDX-License-Identifier: MIT
"""Objects are pickled and copied, and come back with their elements."""

from __future__ import annotations

import copy
import ctypes
import io
import pickle
import pickletools
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.builds import DTYPES
from python.pickles.pickling import PROTOCOLS, out_of_band, there_and_back
from python.scripts import run
from python.tensors import compact, inside

BUFFERLESS = ["bfloat16", "float8_e4m3fn", "float4_e2m1fn"]


def memory_of(made: Any) -> bytes:
    """Returns the bytes of the elements in row-major order, whatever the dtype."""
    capsule = made.__dlpack__(max_version=(1, 0), copy=True)
    nbytes = made.nbytes
    return ctypes.string_at(inside(capsule).tensor.data, nbytes) if nbytes else b""


def filled(subject: Any, shape: Any, strides: Any, dtype: str) -> Any:
    made = subject(shape, strides, dtype)
    ctypes.memmove(made.struct.data, bytes(range(1, 256)) * 4, 1020)
    if dtype == "bool":
        ctypes.memset(made.struct.data, 1, 1020)
    return made


SHAPES = {
    "rows": ((2, 3), None),
    "columns": ((2, 3), (1, 2)),
    "padded": ((2, 3), (8, 1)),
    "every second": ((2, 3), (12, 2)),
    "one value": ((2, 3), (0, 0)),
    "scalar": ((), ()),
    "no elements": ((0, 3), (9, 9)),
    "no elements, again": ((3, 0, 2), (7, 7, 7)),
    "one element": ((1, 1, 1), (5, 6, 7)),
    "64 axes": ((1,) * 64, (3,) * 64),
    "9 axes": ((2,) * 7 + (1, 1), None),
}


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_comes_back_from_a_pickle(subject, name: str, protocol: int) -> None:
    shape, strides = SHAPES[name]
    made = filled(subject, shape, strides, "int16").object
    back = there_and_back(made, protocol)
    assert type(back) is type(made)
    assert (back.shape, back.dtype, back.device) == (shape, "int16", (1, 0))
    assert memory_of(back) == memory_of(made)
    assert set(back.strides) <= set(compact(shape)) | set(made.strides)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_comes_back_from_a_pickle(subject, dtype: str, protocol: int) -> None:
    made = filled(subject, (3, 5), None, dtype).object
    back = there_and_back(made, protocol)
    assert (back.shape, back.strides, back.dtype) == ((3, 5), (5, 1), dtype)
    assert memory_of(back) == memory_of(made)


@pytest.mark.parametrize("dtype", BUFFERLESS[:2])
def test_elements_whose_dtype_has_no_buffer_format_are_gathered(subject, dtype: str) -> None:
    made = filled(subject, (2, 3), (8, 2), dtype).object
    back, buffers = out_of_band(made)
    assert (back.shape, back.strides, back.dtype) == ((2, 3), (3, 1), dtype)
    assert memory_of(back) == memory_of(made)
    assert [buffer.raw().nbytes for buffer in buffers] == [made.nbytes]


class TestOutOfBand:
    def test_compact_memory_is_shared_without_a_copy(self, subject) -> None:
        for strides in (None, (1, 2)):
            made = filled(subject, (2, 3), strides, "int32")
            back, buffers = out_of_band(made.object)
            assert len(buffers) == 1
            assert back.strides == made.object.strides
            np.from_dlpack(back)[1, 2] = 77
            assert np.from_dlpack(made.object)[1, 2] == 77

    def test_the_buffer_keeps_the_object_of_the_library(self, subject, lab: ModuleType) -> None:
        made = filled(subject, (6,), None, "uint8")
        released = lab.counts()[1]
        back, buffers = out_of_band(made.object)
        made.object.close()
        del buffers
        assert lab.counts()[1] == released
        assert memory_of(back) == bytes(range(1, 7))
        back.close()
        made.object = None
        assert lab.counts()[1] == released + 2

    @pytest.mark.parametrize("strides", [(8, 1), (12, 2)], ids=["padded", "every second"])
    def test_memory_with_gaps_is_copied_first(self, subject, strides: Any) -> None:
        made = filled(subject, (2, 3), strides, "int32").object
        back, buffers = out_of_band(made)
        assert [buffer.raw().nbytes for buffer in buffers] == [24]
        assert (back.strides, memory_of(back)) == ((3, 1), memory_of(made))

    def test_read_only_data_comes_back_read_only(self, subject) -> None:
        made = filled(subject, (6,), None, "uint8")
        made.struct.readonly = 1
        assert out_of_band(made.object)[0].readonly
        assert there_and_back(made.object, 5).readonly

    def test_an_object_is_read_only_if_its_buffer_out_of_band_is(self, subject) -> None:
        made = filled(subject, (6,), None, "uint8").object
        back, _ = out_of_band(made, lambda buffer: bytes(buffer))
        assert (back.readonly, memory_of(back)) == (True, memory_of(made))
        assert not out_of_band(made, lambda buffer: bytearray(buffer))[0].readonly

    def test_read_only_memory_is_copied_where_the_library_writes(self, stocked: ModuleType) -> None:
        memory = (ctypes.c_char * 300)()
        start = -ctypes.addressof(memory) % 128
        view = memoryview(memory).cast("B")[start : start + 7]
        view[:] = b"abcdefg"
        made = stocked.Aligned.from_dlpack(view)
        for turn in (bytes, bytearray, lambda buffer: memoryview(b"x" + bytes(buffer))[1:]):
            back, _ = out_of_band(made, turn)
            assert (back.readonly, memory_of(back)) == (False, b"abcdefg")
            assert np.from_dlpack(back).ctypes.data % 128 == 0
        np.from_dlpack(back)[:] = 0
        assert memory_of(made) == b"abcdefg"

    def test_a_buffer_of_the_wrong_size_is_refused(self, subject) -> None:
        made = filled(subject, (6,), None, "uint8").object
        for turn in (lambda _: b"", lambda _: bytes(5), lambda _: bytes(7)):
            with pytest.raises(ValueError, match="bytes were pickled, where the array has 6"):
                out_of_band(made, turn)

    @pytest.mark.parametrize("protocol", PROTOCOLS)
    def test_one_object_in_two_places_of_a_pickle_comes_back_as_one(self, subject, protocol: int) -> None:
        made = filled(subject, (6,), None, "uint8").object
        first, (second, third), none = there_and_back([made, (made, "x"), None], protocol)
        assert first is second
        assert (memory_of(first), third, none) == (memory_of(made), "x", None)


class TestLayouts:
    @pytest.mark.parametrize("protocol", PROTOCOLS)
    def test_a_pickle_in_the_other_byte_order_is_refused(self, stocked, protocol: int) -> None:
        native, foreign = ("<", ">") if sys.byteorder == "little" else (">", "<")
        made = stocked.Columns.from_dlpack(np.arange(6.0).reshape(2, 3).copy("F"))
        (_, arguments, *_) = made.__reduce_ex__(protocol)
        cls, *facts, order, _ = arguments
        assert (cls, order[1:]) == (type(made), native)
        rebuild = cls._rebuild
        assert memory_of(rebuild(*facts, order[0] + native)) == memory_of(made)
        with pytest.raises(ValueError, match="pickled on a machine of the other byte order"):
            rebuild(*facts, order[0] + foreign)
        if native == "<":  # as those that said nothing
            assert memory_of(rebuild(*facts, order[0])) == memory_of(made)

    @pytest.mark.parametrize("protocol", PROTOCOLS)
    @pytest.mark.parametrize("shape", [(2, 3), (2, 3, 4), (6,), (), (0, 3), (1, 5, 1)], ids=str)
    @pytest.mark.parametrize("name", ["Rows", "Columns", "Copying"])
    def test_memory_comes_back_in_the_order_of_the_spec(self, stocked, name: str, shape: Any, protocol: int) -> None:
        order = "F" if name == "Columns" else "C"
        array = np.arange(np.prod(shape, dtype=int), dtype=float).reshape(shape).copy(order)
        made = getattr(stocked, name).from_dlpack(array)
        for back in (there_and_back(made, protocol), out_of_band(made)[0]):
            assert (back.shape, back.strides) == (made.shape, made.strides)
            np.testing.assert_array_equal(np.from_dlpack(back), array)

    @pytest.mark.parametrize("protocol", PROTOCOLS)
    def test_packed_elements_come_back_from_a_pickle(self, stocked, managed, protocol: int) -> None:
        given = managed(dtype=(0, 4, 1), axes=((2, 4), (4, 1)))
        ctypes.memmove(given.data, b"\x10\x32\x54\x76", 4)
        made = stocked.Nibbles.from_dlpack(given.capsule())
        for back in (there_and_back(made, protocol), out_of_band(made)[0]):
            assert (back.shape, back.strides, back.dtype) == ((2, 4), (4, 1), "int4")
            assert memory_of(back) == b"\x10\x32\x54\x76"

    @pytest.mark.parametrize("protocol", PROTOCOLS)
    def test_padded_rows_lose_their_padding(self, stocked, protocol: int) -> None:
        array = np.arange(24, dtype=np.uint16).reshape(4, 6)[:, :5]
        back = there_and_back(stocked.Padded.from_dlpack(array), protocol)
        assert back.strides == (5, 1)
        np.testing.assert_array_equal(np.from_dlpack(back), array)

    @pytest.mark.parametrize("protocol", PROTOCOLS)
    @pytest.mark.parametrize("name", ["Locked", "Noted", "Copied"])
    def test_data_that_exists_only_during_an_export_is_pickled(self, stocked, name: str, protocol: int) -> None:
        made = getattr(stocked, name).from_dlpack(bytearray(b"abcdef"))
        for back in (there_and_back(made, protocol), out_of_band(made)[0]):
            assert bytes(memoryview(back)) == b"abcdef"

    @pytest.mark.parametrize("protocol", PROTOCOLS)
    def test_pictures_come_back_from_a_pickle(self, imaging: ModuleType, protocol: int) -> None:
        image = imaging.Image.empty((4, 5, 3))
        np.from_dlpack(image)[:] = np.arange(60).reshape(4, 5, 3)
        back = there_and_back(image, protocol)
        np.testing.assert_array_equal(np.from_dlpack(back), np.from_dlpack(image))
        assert not back.readonly


class TestRefusals:
    @pytest.mark.parametrize("protocol", PROTOCOLS)
    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("Counted", "it cannot be made from an array"),
            ("Labelled", "it is made from more than an array"),
            ("Remote", "it cannot be made from an array on the CPU"),
            ("Frame", "it is not an array"),
        ],
    )
    def test_classes_that_cannot_be_pickled_give_the_reason(
        self, subject, stocked, managed, frame, name: str, reason: str, protocol: int
    ) -> None:
        if name == "Labelled":
            made = stocked.Labelled.from_dlpack(bytearray(3), rate=1)
        elif name == "Remote":
            made = stocked.Remote.from_dlpack(managed(dtype=(1, 8, 1), device_type=2).capsule())
        elif name == "Frame":
            made = frame().wrap("Frame")
        else:
            made = subject(kind=name).object
        with pytest.raises(TypeError, match=rf"^cannot pickle '[a-z]+\.{name}' object: {reason}$"):
            pickle.dumps(made, protocol)

    @pytest.mark.parametrize(
        ("name", "states"),
        [
            ("Coded", {0: True, 1: False, 2: False, 3: False, 4: True, 5: False, 9: False}),
            ("Uncoded", {0: True, 1: False, 2: False}),
            ("Constant", {0: False, 1: True, 2: False}),
            ("Sealed", {0: False, 1: True}),
            ("Undeclared", {0: False, 1: False}),
        ],
    )
    def test_states_that_an_import_does_not_restore_are_refused(
        self, stocked: ModuleType, name: str, states: dict[int, bool]
    ) -> None:
        """The arrays do not show these states: the objects would come back with another state."""
        unwrap = ctypes.PyDLL(stocked.__file__)[f"stock_{name.lower()}_unwrap"]
        unwrap.argtypes, unwrap.restype = [ctypes.py_object], ctypes.c_void_p
        for state, comes_back in states.items():
            made = getattr(stocked, name).from_dlpack(np.arange(4, dtype=np.uint8))
            ctypes.c_int64.from_address(unwrap(made) + 96).value = state  # `locks`
            if comes_back:
                assert there_and_back(made, 5).dtype == made.dtype
            else:
                with pytest.raises(
                    TypeError, match=f"^cannot pickle 'stock.{name}' object: its state cannot be restored"
                ):
                    pickle.dumps(made)

    def test_the_message_shows_the_device_of_the_data(self, subject) -> None:
        made = subject()
        made.struct.device = 2
        with pytest.raises(TypeError, match=r"^cannot pickle 'probe\.Moved' object: its data is on cuda$"):
            pickle.dumps(made.object)
        made.struct.device = 3
        assert there_and_back(made.object, 5).device == (1, 0)

    def test_an_object_that_cannot_be_exported_gives_the_reason(self, subject) -> None:
        made = subject()
        made.struct.refused = 1
        with pytest.raises(BufferError, match="the probe refuses"):
            pickle.dumps(made.object)

    @pytest.mark.parametrize("protocol", [None, "5", 5.0, 2**70])
    def test_the_protocol_must_be_a_number(self, subject, protocol: Any) -> None:
        with pytest.raises((TypeError, OverflowError)):
            subject().object.__reduce_ex__(protocol)

    def test_reduce_of_object_makes_no_incomplete_object(self, subject) -> None:
        rebuild, arguments, *_ = subject().object.__reduce__()
        with pytest.raises(TypeError):
            rebuild(*arguments)


class TestCopies:
    @pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
    def test_a_copy_has_memory_of_its_own(self, subject, lab, duplicate: Callable[[Any], Any]) -> None:
        made = filled(subject, (2, 3), (8, 1), "int32")
        other = duplicate(made.object)
        np.from_dlpack(made.object)[:] = 0
        assert (type(other), other.shape, other.strides) == (lab.Moved, (2, 3), (3, 1))
        assert np.from_dlpack(other).all()
        made.object.close()
        np.from_dlpack(other)[:] = 1

    def test_a_deep_copy_of_one_object_in_two_places_is_made_once(self, subject) -> None:
        made = filled(subject, (3,), None, "uint8").object
        first, second = copy.deepcopy([made, made])
        assert first is second is not made

    @pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
    def test_an_object_that_cannot_be_pickled_cannot_be_copied(self, subject, duplicate: Callable[[Any], Any]) -> None:
        with pytest.raises(TypeError, match="cannot pickle"):
            duplicate(subject(kind="Counted").object)


WORK = """
def invert(x):
    there = memoryview(bytearray(b"\\xff" * x.nbytes)).cast("B", x.shape)
    return type(x).from_dlpack(there)
"""


class TestProcesses:
    @pytest.fixture(autouse=True)
    def modules(self, imaging, lab, producer_module) -> None:
        """Builds what the scripts import."""

    @pytest.mark.parametrize("protocol", PROTOCOLS)
    def test_a_pickle_is_read_by_a_process_that_has_not_imported_the_module(self, imaging, folder, tmp_path, protocol):
        image = imaging.Image.empty((4, 5, 3))
        np.from_dlpack(image)[:] = np.arange(60).reshape(4, 5, 3)
        path = tmp_path / "pickle"
        path.write_bytes(pickle.dumps(image, protocol))
        script = f"""
import pathlib, pickle
made = pickle.loads(pathlib.Path({str(path)!r}).read_bytes())
print(type(made).__module__, made.shape, bytes(memoryview(made))[-3:])
"""
        assert run(folder, script, prelude="") == [f"imaging (4, 5, 3) {bytes([57, 58, 59])!r}"]

    def test_multiprocessing_sends_objects_to_a_spawned_process(self, folder: Path, tmp_path: Path) -> None:
        (tmp_path / "work.py").write_text(WORK)
        script = f"""
import multiprocessing, sys
sys.path.append({str(tmp_path)!r})
import imaging, work
if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        made = pool.apply(work.invert, (imaging.Image.empty((2, 3, 3)),))
    print(type(made) is imaging.Image, made.shape, set(bytes(memoryview(made))))
"""
        assert run(folder, script, prelude="") == ["True (2, 3, 3) {255}"]

    def test_rebuild_of_a_class_whose_module_was_imported_again_is_refused(self, folder: Path) -> None:
        script = """
import pickle
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
rebuild = lab.Moved._rebuild
made = lab.wrap("Moved", lab.new(8))
spec = spec_from_file_location("lab", lab.__file__, loader=ExtensionFileLoader("lab", lab.__file__))
again = module_from_spec(spec)
spec.loader.exec_module(again)
try:
    rebuild(b"abc", (1, 8, 1), (3,), "C")
except RuntimeError as error:
    say(str(error))
say(str(again.Moved._rebuild(b"abc", (1, 8, 1), (3,), "C").shape))
"""
        assert run(folder, script) == ["<class 'lab.Moved'> is not the class that its module has now", "(3,)"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_layout_that_the_import_refuses_is_converted(subject, protocol: int) -> None:
    """Column-major memory is a buffer without gaps, but this import refuses it."""
    made = subject((3, 4), (1, 3), "float32", kind="Compact")
    ctypes.memmove(made.struct.data, np.arange(12, dtype=np.float32).tobytes(), 48)
    back = there_and_back(made.object, protocol)
    assert (back.shape, back.strides) == ((3, 4), (4, 1))
    assert np.array_equal(np.from_dlpack(back), np.from_dlpack(made.object))


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_pickling_waits_for_the_work_of_a_device(subject, protocol: int, dtype: str) -> None:
    made = subject((3, 4), None, dtype, kind="Compact")
    made.struct.device = 13  # cuda_managed
    pickle.dumps(made.object, protocol)
    assert made.struct.flushes >= 1000


class Restricted(pickle.Unpickler):
    """Loads names of one module only, as readers do that take pickles from strangers."""

    def __init__(self, data: bytes, module: str, buffers: Any = None) -> None:
        super().__init__(io.BytesIO(data), buffers=buffers)
        self.module = module

    def find_class(self, module: str, name: str) -> Any:
        if module != self.module:
            raise pickle.UnpicklingError(f"{module}.{name} is forbidden")
        return super().find_class(module, name)


def names_in(data: bytes) -> set[str]:
    """Returns the modules that a pickle names."""
    strings: list[str] = []
    modules: set[str] = set()
    for opcode, argument, _ in pickletools.genops(data):
        if isinstance(argument, str):
            strings.append(argument)
        if opcode.name == "STACK_GLOBAL":
            modules.add(strings[-2])
        elif opcode.name == "GLOBAL":
            modules.add(str(argument).split(" ")[0])
    return modules


@pytest.mark.parametrize("protocol", [0, 1, *PROTOCOLS])
@pytest.mark.parametrize("name", [*SHAPES])
def test_a_pickle_names_only_the_module_of_the_class(subject, name: str, protocol: int) -> None:
    shape, strides = SHAPES[name]
    for dtype in ("uint8", "int16", "bfloat16"):
        made = filled(subject, shape, strides, dtype).object
        data = pickle.dumps(made, protocol)
        assert names_in(data) == {type(made).__module__}
        back = Restricted(data, type(made).__module__).load()
        assert (type(back), back.shape, back.dtype, back.readonly) == (type(made), made.shape, made.dtype, False)
        assert memory_of(back) == memory_of(made)


def test_buffers_out_of_band_name_only_the_module_of_the_class(subject) -> None:
    made = filled(subject, (2, 3), None, "int16").object
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(made, 5, buffer_callback=buffers.append)
    assert names_in(data) == {type(made).__module__}
    assert memory_of(Restricted(data, type(made).__module__, buffers).load()) == memory_of(made)


def test_pickles_of_earlier_releases_are_read(lab: ModuleType) -> None:
    """They get the class method _rebuild() with getattr()."""
    old = b"".join(
        [
            b"\x80\x04cbuiltins\ngetattr\nclab\nMoved\n\x8c\x08_rebuild\x86R",
            b"(cbuiltins\nbytearray\nC\x06abcdef\x85R",
            b"(K\x01K\x08K\x01t",
            b"K\x02K\x03\x86\x8c\x01CtR.",
        ]
    )
    made = pickle.loads(old)
    assert (made.shape, made.dtype, made.readonly, memory_of(made)) == ((2, 3), "uint8", False, b"abcdef")


@pytest.mark.parametrize(
    "arguments",
    [(), (5,), ("Moved", b"abc", (1, 8, 1), (3,), "C"), (int, b"abc", (1, 8, 1), (3,), "C"), (bytearray,)],
    ids=["nothing", "no class", "a name", "another class", "a class alone"],
)
def test_the_function_rebuild_makes_objects_of_the_module_only(lab: ModuleType, arguments: tuple[Any, ...]) -> None:
    with pytest.raises((TypeError, RuntimeError), match=r"_rebuild\(\)|is not the class"):
        lab._rebuild(*arguments)


def test_an_object_whose_module_has_another_function_is_not_pickled(
    lab: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = lab.Moved.from_dlpack(np.arange(3))
    for other in (len, lambda *arguments: None):
        monkeypatch.setattr(lab, "_rebuild", other)
        with pytest.raises(TypeError) as error:
            pickle.dumps(made)
        message = "cannot pickle 'probe.Moved' object: its module has another function '_rebuild'"
        assert str(error.value) == message
    monkeypatch.undo()
    assert np.asarray(pickle.loads(pickle.dumps(made))).tolist() == [0, 1, 2]


def test_a_protocol_of_minus_one_is_the_oldest_one(lab: ModuleType) -> None:
    """pickle.dumps() replaces it by the newest one, before it calls the method."""
    made = lab.Moved.from_dlpack(np.arange(3))
    assert made.__reduce_ex__(-1)[1][1] == made.__reduce_ex__(0)[1][1] == np.arange(3).tobytes().decode("latin1")
    with pytest.raises(TypeError):
        made.__reduce_ex__("2")


def test_strings_of_old_protocols_are_bytes(lab: ModuleType) -> None:
    assert memory_of(lab._rebuild(lab.Moved, "a\xffc", (1, 8, 1), (3,), "C", True)) == b"a\xffc"
    with pytest.raises(UnicodeEncodeError):
        lab._rebuild(lab.Moved, "a\u0100c", (1, 8, 1), (3,), "C", True)
