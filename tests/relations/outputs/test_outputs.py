# SPDX-License-Identifier: MIT
"""`outputs: as given`: new arrays are of the library of an argument."""

from __future__ import annotations

import array
import collections
import ctypes
import gc
import math
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import array_api_strict as strict
import numpy as np
import pytest

from python.exchange import ATTRIBUTE, NAME, ExchangeAPI, delete, tensor_at
from python.leaks import assert_no_growth, warm_up
from python.tensors import READ_ONLY, DLTensor
from support.build import ABI3, build_module, generate

FOLDER = Path(__file__).parent
HEADER = (FOLDER / "shares.h").read_text()
SPEC = (FOLDER / "shares.yaml").read_text()
SOURCE = """
#include "shares.h"
int living;
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("shares", SPEC, tmp_path_factory.mktemp("shares"), HEADER, SOURCE)


def ones(count: int = 3) -> Any:
    return np.ones(count)


class TestNumPy:
    CALLS: ClassVar[dict[str, tuple[Callable[[ModuleType, Any], Any], Any]]] = {
        "like": (lambda lib, x: lib.half(x), [0.5] * 3),
        "shape": (lambda lib, x: lib.outer(x, [1.0, 2.0]), [[1, 2]] * 3),
        "by column": (lambda lib, x: lib.outer_by_column(x, [1.0, 2.0]), [[1, 2]] * 3),
        "aligned": (lambda lib, x: lib.aligned(x), [0.5] * 3),
        "count": (lambda lib, x: lib.cross(x, [1.0, 2.0, 3.0]), [1, -2, 1]),
        "copy": (lambda lib, x: lib.copied(x), [1] * 3),
        "view": (lambda lib, x: lib.Table().scaled(np.append(x, 4)), [1, 1, 1, 4]),
        "method": (lambda lib, x: lib.Table().sum(np.append(x, 4)), [1, 1, 1, 4]),
        "of an object": (lambda lib, x: lib.line_sum([x]), [1, 1]),
        "by name": (lambda lib, x: lib.half(x=x), [0.5] * 3),
        "None": (lambda lib, x: lib.half(x, None), [0.5] * 3),
    }

    @pytest.mark.parametrize("name", CALLS)
    def test_a_new_array_is_one_of_numpy(self, lib: ModuleType, name: str) -> None:
        call, wanted = self.CALLS[name]
        made = call(lib, ones())
        assert type(made) is np.ndarray
        gc.collect()
        assert made.tolist() == wanted
        assert made.flags.writeable == (name != "view")

    def test_a_column_major_array_stays_one(self, lib: ModuleType) -> None:
        assert lib.outer_by_column(ones(), ones()).flags.f_contiguous
        assert lib.outer_by_column(ones(), ones()).ctypes.data % 64 == 0

    def test_each_of_several_results_is_an_array_of_numpy(self, lib: ModuleType) -> None:
        quotient, rest = lib.divide(np.array([1.5, 2.25]))
        assert (type(quotient), type(rest)) == (np.ndarray, np.ndarray)
        assert (quotient.tolist(), rest.tolist()) == ([1, 2], [0.5, 0.25])
        found, where = lib.above(np.array([1.0, 5.0, 3.0]), 2.0)
        assert (type(found), found.tolist()) == (np.ndarray, [5, 3])
        assert (type(where), where.tolist()) == (np.ndarray, [1, 2])

    def test_an_output_of_the_caller_is_returned_itself(self, lib: ModuleType) -> None:
        x, y = ones(), np.zeros(3)
        assert lib.half(x, y) is y
        own = lib.Array.empty(3, dtype="float64")
        assert lib.half(x, own) is own
        assert lib.cross(x, [1.0, 2.0, 3.0], y) is y
        assert y.tolist() == [1, -2, 1]
        with pytest.raises(ValueError, match=r"^cross\(\) argument 'y' must have 3 elements, not 2$"):
            lib.cross(x, x, np.zeros(2))
        quotient, rest = lib.divide(x, quotient=y)
        assert quotient is y
        assert type(rest) is np.ndarray

    def test_an_argument_that_c_returns_is_returned_itself(self, lib: ModuleType) -> None:
        own = lib.Array.empty(5, dtype="float64")
        assert lib.larger(lib.Array.empty(2, dtype="float64"), own) is own
        assert lib.larger(ones(2), own) is own
        assert type(lib.larger(ones(7), own)) is np.ndarray

    def test_no_array_stays_none(self, lib: ModuleType) -> None:
        assert lib.copied(ones(0)) is None

    def test_a_view_keeps_the_object_alive(self, lib: ModuleType) -> None:
        table = lib.Table()
        before = lib.living_tables()
        view = table.scaled(ones(4))
        del table
        gc.collect()
        assert view.tolist() == [1] * 4
        assert lib.living_tables() == before
        del view
        assert lib.living_tables() == before - 1

    @pytest.mark.parametrize(
        ("version", "importer"),
        [("1.26.4", "asarray"), ("2.1.3", "asarray"), ("2.2.0", "from_dlpack"), ("3.0", "from_dlpack"),
         ("2", "asarray"), (None, "asarray")],
    )  # fmt: skip
    def test_the_version_of_numpy_decides_on_the_importer(
        self, lib: ModuleType, monkeypatch: pytest.MonkeyPatch, version: str | None, importer: str
    ) -> None:
        """The module looks the importer up once for each class."""
        original, called = getattr(np, importer), []
        monkeypatch.setattr(np, "__version__", version)
        monkeypatch.setattr(np, importer, lambda x: (called.append(importer), original(x))[1])
        made = lib.half(ones().view(type("Own", (np.ndarray,), {})))
        monkeypatch.undo()
        assert (type(made), made.tolist(), called) == (np.ndarray, [0.5] * 3, [importer])

    def test_a_subclass_counts_as_numpy(self, lib: ModuleType) -> None:
        class Own(np.ndarray):
            pass

        made = lib.half(ones().view(Own))
        assert type(made) is np.ndarray

    def test_the_memory_of_an_array_of_numpy_is_freed(self, lib: ModuleType) -> None:
        x = np.ones(100)

        def call() -> None:
            lib.half(x)

        warm_up(call)
        assert_no_growth(call)


class TestDecision:
    OPEN: ClassVar[dict[str, Callable[[ModuleType], Any]]] = {
        "list": lambda _: [1.0, 2.0, 3.0],
        "tuple": lambda _: (1.0, 2.0, 3.0),
        "memoryview": lambda _: memoryview(ones()),
        "buffer": lambda _: array.array("d", [1, 2, 3]),
        "capsule": lambda _: ones().__dlpack__(max_version=(1, 3)),
    }

    @pytest.mark.parametrize("name", OPEN)
    def test_a_result_without_an_array_of_a_library_is_an_own_object(self, lib: ModuleType, name: str) -> None:
        make = self.OPEN[name]
        assert type(lib.half(make(lib))) is lib.Array
        assert np.asarray(lib.half(make(lib))).size == 3
        assert type(lib.cross(make(lib), ones())) is np.ndarray  # the first array decides
        assert type(lib.outer_of_w(ones(), make(lib))) is lib.Array  # `w` decides

    def test_the_first_array_decides(self, lib: ModuleType) -> None:
        x, other, own = ones(), strict.ones(3, dtype=strict.float64), lib.half_here(ones())
        assert type(own) is lib.Array
        assert type(lib.cross(x, other)) is np.ndarray
        assert type(lib.cross(other, x)) is type(other)
        assert type(lib.cross(own, x)) is lib.Array
        assert type(lib.cross(lib.Line.from_dlpack(x), x)) is lib.Array
        assert type(lib.outer_of_w(other, x)) is np.ndarray
        assert type(lib.outer_of_w(x, other)) is type(other)

    def test_the_first_item_of_a_list_decides(self, lib: ModuleType) -> None:
        assert type(lib.line_sum((ones(), lib.Line.from_dlpack(ones())))) is np.ndarray
        assert type(lib.line_sum([lib.Line.from_dlpack(ones()), ones()])) is lib.Array
        assert type(lib.line_sum([])) is lib.Array
        assert type(lib.line_sum(collections.deque([ones()]))) is lib.Array

    def test_the_first_array_decides_if_an_optional_one_is_none(self, lib: ModuleType) -> None:
        own = lib.Array.from_dlpack(ones())
        for made in (lib.weighted(ones()), lib.weighted(ones(), w=None), lib.weighted(own, w=ones())):
            assert (type(made), made.tolist()) == (np.ndarray, [1] * 3)
        assert type(lib.weighted(ones(), w=own)) is lib.Array

    def test_an_object_of_a_handle_is_not_an_array(self, lib: ModuleType) -> None:
        assert type(lib.Table.sum(lib.Table(), ones(4))) is np.ndarray
        assert type(lib.Table().rows()) is lib.Array
        assert lib.sum_of_table(lib.Table(), ones(4)).tolist() == [1] * 4
        table, low = lib.new_table(ones())
        assert (type(table), type(low), low.tolist()) == (lib.Table, np.ndarray, [1, 10, 100])

    def test_the_namespace_of_the_array_api_makes_the_array(self, lib: ModuleType) -> None:
        made = lib.half(strict.ones(3, dtype=strict.float64))
        assert type(made) is type(strict.ones(1))
        assert strict.all(made == 0.5)

    def test_an_array_without_a_library_leaves_an_own_object(self, lib: ModuleType) -> None:
        class Alone:
            def __dlpack__(self, **keywords: Any) -> Any:
                return ones().__dlpack__(**keywords)

        assert type(lib.half(Alone())) is lib.Array
        assert type(lib.cross(Alone(), ones())) is np.ndarray


class Given:
    """An array of a library whose importer is a function of this test."""

    importer: Any = None

    def __init__(self, count: int = 3) -> None:
        self.asked = 0
        self.array = ones(count)

    def __dlpack__(self, **keywords: Any) -> Any:
        return self.array.__dlpack__(**keywords)

    def __array_namespace__(self) -> Any:
        self.asked += 1
        return SimpleNamespace(from_dlpack=self.importer)


def given(importer: Any, count: int = 3) -> Any:
    return type("Given", (Given,), {"importer": staticmethod(importer)})(count)


class TestImporters:
    def test_the_importer_is_looked_up_once(self, lib: ModuleType) -> None:
        x = given(lambda x: [float(x) for x in np.asarray(x)])
        assert [lib.half(x) for _ in range(5)] == [[0.5] * 3] * 5
        assert x.asked == 1
        type(x).importer = staticmethod(lambda _: "another")  # changes the class; the limited API does not show that
        assert lib.half(x) == ([0.5] * 3 if ABI3 else "another")

    def test_many_classes_of_arrays_can_be_used(self, lib: ModuleType) -> None:
        for i in range(40):
            x = given(lambda _, i=i: i)
            assert [lib.half(x), lib.half(x)] == [i, i]

    @pytest.mark.parametrize("error", [ValueError, BufferError, RuntimeError, TypeError])
    def test_an_array_that_the_library_refuses_is_not_lost(self, lib: ModuleType, error: type[Exception]) -> None:
        def refuse(_: Any) -> Any:
            raise error("no such dtype")

        made = lib.half(given(refuse))
        assert type(made) is lib.Array
        assert np.asarray(made).tolist() == [0.5] * 3
        first, second = lib.divide(given(refuse))
        assert (type(first), type(second)) == (lib.Array, lib.Array)

    def test_a_dtype_that_numpy_does_not_know_leaves_an_own_object(self, lib: ModuleType) -> None:
        assert type(lib.half_scales(ones())) is np.ndarray
        scales = lib.Array.empty(3, dtype="float8_e8m0fnu")

        class Scales:
            def __dlpack__(self, **keywords: Any) -> Any:
                return scales.__dlpack__(**keywords)

            def __array_namespace__(self) -> Any:
                return np

        assert lib.half_scales(Scales()).dtype == "float8_e8m0fnu"

    @pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, SystemExit])
    def test_other_exceptions_reach_the_caller(self, lib: ModuleType, error: type[BaseException]) -> None:
        alive: list[Any] = []

        def stop(x: Any) -> Any:
            alive.append(weakref.ref(x))
            raise error

        for call in (lib.half, lib.divide, lib.copied):
            with pytest.raises(error):
                call(given(stop))
        gc.collect()
        assert [each() for each in alive] == [None] * 3

        class Stops(Given):
            def __array_namespace__(self) -> Any:
                raise error

        before = lib.calls_of_half()
        with pytest.raises(error):
            lib.half(Stops())
        assert lib.calls_of_half() == before  # the library is found first
        with pytest.raises(error):
            lib.copied(Stops())

    def test_a_namespace_that_fails_leaves_an_own_object(self, lib: ModuleType) -> None:
        class Fails(Given):
            def __array_namespace__(self) -> Any:
                raise ValueError("no namespace")

        assert type(lib.half(Fails())) is lib.Array
        assert type(lib.cross(Fails(), ones())) is np.ndarray

    def test_an_importer_may_close_other_arguments(self, lib: ModuleType) -> None:
        own = lib.Array.empty(3, dtype="float64")
        x = given(lambda _: own.close())
        lib.outer(x, own)
        with pytest.raises(ValueError, match="closed"):
            lib.outer(x, own)


# ---- Exchange tables ----

_ALLOCATOR = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(DLTensor), ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p, ctypes.c_void_p
)


class Script:
    """A library with an exchange table: its allocator, and how its objects are made of tensors."""

    def __init__(self, scripted: ModuleType, managed: Callable[..., Any]) -> None:
        self.managed = managed
        self.fields: dict[str, Any] = {}
        self.wanted: list[list[int]] = []
        self.answer: Callable[[int], Any] = lambda address: ("made of", address)
        self.fails = False
        self.callback = _ALLOCATOR(self.allocate)
        self.capsule = scripted.table("", 1)
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        self.api = ExchangeAPI.from_address(get(self.capsule, NAME))
        self.api.allocator = ctypes.cast(self.callback, ctypes.c_void_p).value
        self.allocated: list[int] = []

    def allocate(self, prototype: Any, out: Any, context: Any, set_error: Any) -> int:
        wanted = prototype.contents
        shape = [wanted.shape[axis] for axis in range(wanted.ndim)]
        assert [wanted.strides[axis] for axis in range(wanted.ndim)] == [
            int(np.prod(shape[axis + 1 :])) for axis in range(wanted.ndim)
        ]
        self.wanted.append(shape)
        if self.fails:
            ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)(set_error)(
                context, b"MemoryError", b"no memory"
            )
            return -1
        axes = (tuple(shape), tuple(wanted.strides[axis] for axis in range(wanted.ndim)))
        tensor = self.managed(**{"dtype": (2, 64, 1), "axes": axes, **self.fields})
        out[0] = tensor.address
        self.allocated.append(tensor.address)
        return 0

    def make(self, address: int) -> Any:
        return self.answer(address)

    def stream(self, device: int, number: int) -> Any:
        return None


@pytest.fixture
def script(scripted: ModuleType, managed: Callable[..., Any]) -> Iterator[Script]:
    made = Script(scripted, managed)
    scripted.follow(made)
    yield made
    scripted.follow(None)


@pytest.fixture
def tabled(script: Script, managed: Callable[..., Any]) -> Any:
    """Makes an array of that library: 3 ones, or ones of another shape."""

    class Tabled:
        shape: tuple[int, ...] = (3,)

        def give(self) -> Any:
            tensor = managed(dtype=(2, 64, 1), axes=(self.shape, None))
            count = math.prod(self.shape)
            (ctypes.c_double * count).from_address(tensor.data)[:] = [1] * count
            return tensor.address

    setattr(Tabled, ATTRIBUTE, script.capsule)
    return Tabled()


def taken(address: int) -> list[float]:
    """Makes a list of the elements of a tensor, and deletes the tensor."""
    tensor = tensor_at(address).tensor
    count = int(np.prod([tensor.shape[axis] for axis in range(tensor.ndim)]))
    values = list((ctypes.c_double * count).from_address(tensor.data)) if count > 0 else []
    delete(address)
    return values


class TestTables:
    def test_a_table_that_makes_no_objects_decides_nothing(
        self, lib: ModuleType, tabled: Any, scripted: ModuleType
    ) -> None:
        other = type("Other", (type(tabled),), {ATTRIBUTE: scripted.table("to", 1)})()
        made = lib.half(other)
        assert (type(made), np.asarray(made).tolist()) == (lib.Array, [0.5] * 3)
        assert type(lib.outer(other, ones())) is np.ndarray

    def test_the_allocator_of_the_table_makes_the_output(self, lib: ModuleType, script: Script, tabled: Any) -> None:
        seen: list[int] = []
        script.answer = lambda address: (seen.append(address), taken(address))[1]
        assert lib.half(tabled) == [0.5] * 3
        assert lib.cross(tabled, [1.0, 2.0, 3.0]) == [1, -2, 1]
        assert lib.outer(tabled, [1.0, 2.0]) == [1, 2] * 3
        assert seen == script.allocated
        assert script.wanted == [[3], [3], [3, 2]]

    def test_the_table_allocates_several_outputs(
        self, lib: ModuleType, script: Script, tabled: Any, producer: ModuleType
    ) -> None:
        script.answer = taken
        producer.record()
        assert lib.divide(tabled) == ([1] * 3, [0] * 3)
        assert len(script.allocated) == 2
        assert producer.record()[0] == 3  # with that of the argument

    @pytest.mark.parametrize("shape", [(), (0,), (2, 2)])
    def test_the_table_allocates_an_output_of_each_shape(
        self, lib: ModuleType, script: Script, tabled: Any, shape: tuple[int, ...]
    ) -> None:
        """An empty tensor needs no memory."""
        tabled.shape, script.answer = shape, taken
        if 0 in shape:
            script.fields = {"data": None}
        assert lib.half(tabled) == [0.5] * math.prod(shape)
        assert (script.wanted, len(script.allocated)) == ([list(shape)], 1)

    def test_a_tensor_without_strides_is_row_major(self, lib: ModuleType, script: Script, tabled: Any) -> None:
        seen: list[int] = []
        script.fields = {"axes": ((3,), None)}
        script.answer = lambda address: (seen.append(address), taken(address))[1]
        assert lib.half(tabled) == [0.5] * 3
        assert seen == script.allocated

    def test_the_table_allocates_a_column_major_line(self, lib: ModuleType, script: Script, tabled: Any) -> None:
        """With one axis, both orders are one."""
        script.answer = taken
        assert lib.half_by_column(tabled) == [0.5] * 3
        assert script.wanted == [[3]]

    def test_an_output_that_the_function_refuses_is_not_allocated(
        self, lib: ModuleType, script: Script, tabled: Any
    ) -> None:
        tabled.shape = (2, 2)
        with pytest.raises(BufferError, match=r"^half_line\(\) argument 'y': the array has 2 axes, not 1$"):
            lib.half_line(tabled)
        assert script.wanted == []

    def test_an_allocator_that_returns_no_tensor_leads_to_a_conversion(
        self, lib: ModuleType, script: Script, tabled: Any
    ) -> None:
        nothing = _ALLOCATOR(lambda *_: 0)
        script.api.allocator, script.answer = ctypes.cast(nothing, ctypes.c_void_p).value, taken
        assert lib.half(tabled) == [0.5] * 3

    @pytest.mark.skipif(ABI3, reason="the limited API does not show the change of a class")
    def test_an_output_is_of_the_own_class_if_the_table_disappears(
        self, lib: ModuleType, script: Script, tabled: Any
    ) -> None:
        """The allocator of the table removes it. The memory that it has allocated holds the result."""
        allocate = script.allocate

        def last(*arguments: Any) -> int:
            delattr(type(tabled), ATTRIBUTE)
            return allocate(*arguments)

        callback = _ALLOCATOR(last)
        script.api.allocator = ctypes.cast(callback, ctypes.c_void_p).value
        made = lib.half(tabled)
        assert (type(made), np.asarray(made).tolist()) == (lib.Array, [0.5] * 3)
        assert np.asarray(made).ctypes.data == tensor_at(script.allocated[0]).tensor.data

    def test_results_that_the_table_does_not_allocate_are_converted(
        self, lib: ModuleType, script: Script, tabled: Any
    ) -> None:
        script.answer = taken
        assert lib.copied(tabled) == [1] * 3
        assert lib.outer_by_column(tabled, [1.0, 2.0]) == [1] * 3 + [2] * 3
        assert lib.aligned(tabled) == [0.5] * 3
        assert script.wanted == [[3]]

    def test_an_array_of_the_caller_is_not_allocated(self, lib: ModuleType, script: Script, tabled: Any) -> None:
        y = np.zeros(3)
        assert lib.half(tabled, y) is y
        assert lib.outer(tabled, [1.0], y.reshape(3, 1)).tolist() == [[1]] * 3
        assert script.wanted == []

    UNFIT: ClassVar[dict[str, dict[str, Any]]] = {
        "shape": {"axes": ((4,), (1,))},
        "rank": {"axes": ((3, 1), (1, 1))},
        "strides": {"axes": ((3,), (2,))},
        "alignment": {"byte_offset": 1},
        "dtype": {"dtype": (2, 32, 1)},
        "device": {"device_type": 2},
        "read-only": {"flags": READ_ONLY},
        "no data": {"data": None},
        "version": {"major": 2},
    }

    @pytest.mark.parametrize("name", UNFIT)
    def test_an_unfit_tensor_is_not_used(
        self, lib: ModuleType, script: Script, tabled: Any, producer: ModuleType, name: str
    ) -> None:
        script.fields, script.answer = self.UNFIT[name], taken
        producer.record()
        assert lib.half(tabled) == [0.5] * 3
        assert len(script.allocated) == 1
        assert producer.record()[:2] == (2, 0)

    def test_a_failing_allocator_leads_to_a_conversion(self, lib: ModuleType, script: Script, tabled: Any) -> None:
        script.fails, script.answer = True, taken
        assert lib.half(tabled) == [0.5] * 3
        assert script.wanted == [[3]]

    def test_a_table_without_an_allocator_leads_to_a_conversion(
        self, lib: ModuleType, script: Script, tabled: Any
    ) -> None:
        script.api.allocator, script.answer = None, taken
        assert lib.half(tabled) == [0.5] * 3

    @pytest.mark.parametrize("answer", [ValueError("no"), NotImplemented])
    def test_a_failed_conversion_loses_no_result(
        self, lib: ModuleType, script: Script, tabled: Any, producer: ModuleType, answer: Any
    ) -> None:
        def refuse(_: int) -> Any:
            if answer is NotImplemented:
                return answer
            raise answer

        script.answer = refuse
        producer.record()
        for made in (lib.half(tabled), lib.copied(tabled)):
            assert type(made) is lib.Array
            assert np.asarray(made)[0] in (0.5, 1)
        del made
        assert producer.record() == (3, 0, 0)

    def test_an_interrupt_of_the_table_reaches_the_caller(
        self, lib: ModuleType, script: Script, tabled: Any, producer: ModuleType
    ) -> None:
        def interrupt(_: int) -> Any:
            raise KeyboardInterrupt

        script.answer = interrupt
        producer.record()
        for call, deleted in ((lib.half, 2), (lib.divide, 3), (lib.copied, 1)):
            with pytest.raises(KeyboardInterrupt):
                call(tabled)
            assert producer.record() == (deleted, 0, 0)

    def test_a_table_that_makes_nothing_is_an_error(self, lib: ModuleType, script: Script, tabled: Any) -> None:
        def nothing(address: int) -> None:
            delete(address)

        script.answer = nothing
        with pytest.raises(RuntimeError, match=r"^half\(\): the exchange table of the arguments made no array$"):
            lib.half(tabled)

    def test_the_table_of_another_module_makes_its_class(self, lib: ModuleType, tmp_path: Path) -> None:
        other = build_module(
            "fellow", SPEC.replace("shares", "fellow"), tmp_path, HEADER, SOURCE.replace("shares", "fellow")
        )
        x = other.Array.from_dlpack(ones())
        for call in (lib.half, lib.copied, lib.outer_of_w):
            made = call(x) if call is not lib.outer_of_w else call(ones(), x)
            assert type(made) is other.Array
        assert np.asarray(lib.half(x)).tolist() == [0.5] * 3
        assert type(other.half(lib.half(x))) is other.Array


# ---- Read-only memory ----

FIXED = [1, 10, 100, 2, 20, 200]
READ_ONLY_RESULTS: dict[str, tuple[Callable[[ModuleType, Any], Any], list[Any]]] = {
    "static memory": (lambda lib, x: lib.steps(x), FIXED),
    "two axes": (lambda lib, x: lib.steps_by_column(x), [FIXED[:3], FIXED[3:]]),
    "of the argument w": (lambda lib, x: lib.steps_of_w(x), FIXED),
    "several": (lambda lib, x: lib.two_steps(x)[1], FIXED[3:]),
    "part of an argument": (lambda lib, x: lib.line_rest(x), [1, 1]),
    "a constant view of an argument that C writes": (lambda lib, x: lib.line_half(x), [0.5] * 3),
    "memory of an object": (lambda lib, x: lib.Table().scaled(x), [1] * 4),
}


def writable_view(x: Any) -> np.ndarray:
    """Makes a writable array of any memory, as a library does that ignores the flag READ_ONLY."""
    array = np.asarray(x)
    view = np.ctypeslib.as_array((ctypes.c_double * array.size).from_address(array.ctypes.data)).reshape(array.shape)
    assert view.flags.writeable
    return view


class Exports:
    """An array that shows the memory of another one, and exports it in its own way."""

    def __init__(self, array: np.ndarray, readonly: bool, error: BaseException | None = None) -> None:
        self.array, self.error = array, error
        self.view = array.view()
        self.view.flags.writeable = not readonly

    def __dlpack__(self, **keywords: Any) -> Any:
        if self.error is not None:
            raise self.error
        return self.view.__dlpack__(**keywords)


class TestReadOnly:
    """Python never gets a writable array of memory that C declares as `const`."""

    @pytest.fixture
    def fixed(self, lib: ModuleType) -> int:
        return int(np.asarray(lib.steps([1.0])).ctypes.data)

    @pytest.mark.parametrize("name", READ_ONLY_RESULTS)
    def test_numpy_has_read_only_arrays(self, lib: ModuleType, name: str) -> None:
        call, wanted = READ_ONLY_RESULTS[name]
        made = call(lib, ones(4 if name == "memory of an object" else 3))
        assert (type(made), made.flags.writeable) == (np.ndarray, False)
        assert made.tolist() == wanted

    @pytest.mark.parametrize("name", READ_ONLY_RESULTS)
    def test_a_library_that_ignores_the_flag_gets_a_copy(self, lib: ModuleType, fixed: int, name: str) -> None:
        call, wanted = READ_ONLY_RESULTS[name]
        seen: list[int] = []

        def importer(x: Any) -> np.ndarray:
            seen.append(np.asarray(x).ctypes.data)
            return writable_view(x)

        made = call(lib, given(importer, 4 if name == "memory of an object" else 3))
        assert made.flags.writeable
        assert made.tolist() == wanted
        assert made.ctypes.data == seen[-1] != seen[0]
        assert not fixed <= made.ctypes.data < fixed + 48
        made += 1

    def test_a_library_without_versioned_capsules_gets_a_copy(self, lib: ModuleType, fixed: int) -> None:
        made = lib.steps(given(lambda x: lib.Line.from_dlpack(x.__dlpack__())))
        assert type(made) is lib.Line
        array = np.asarray(made)
        assert (array.tolist(), array.flags.writeable) == (FIXED, True)
        assert array.ctypes.data != fixed

    def test_a_library_whose_exports_have_no_version_gets_a_copy(self, lib: ModuleType, fixed: int) -> None:
        """A capsule without a version has no flag READ_ONLY. An array with memory of its own is left as it is."""

        class Legacy(Exports):
            def __dlpack__(self, **keywords: Any) -> Any:
                return self.view.__dlpack__()

        seen: list[Any] = []
        for show, calls in ((writable_view, 2), (np.array, 1)):
            seen.clear()
            made = lib.steps(given(lambda x, show=show: (seen.append(1), Legacy(show(x), False))[1]))
            assert (type(made), len(seen)) == (Legacy, calls)
            assert (made.array.tolist(), made.array.ctypes.data == fixed) == (FIXED, False)

    def test_a_library_that_keeps_the_flag_shares_memory(self, lib: ModuleType, fixed: int) -> None:
        made = lib.steps(given(lambda x: Exports(np.asarray(x), True)))
        assert made.array.ctypes.data == fixed

    def test_a_library_that_copies_is_called_once(self, lib: ModuleType) -> None:
        seen: list[Any] = []
        for copy in (np.array, lambda x: Exports(np.array(x), False)):
            made = lib.steps(given(lambda x, copy=copy: (seen.append(1), copy(x))[1]))
            assert np.from_dlpack(made).tolist() == FIXED
        assert len(seen) == 2

    @pytest.mark.parametrize("error", [LookupError("none"), BufferError("none"), TypeError("none")])
    def test_an_array_whose_flag_cannot_be_read_counts_as_writable(
        self, lib: ModuleType, fixed: int, error: Exception
    ) -> None:
        made = lib.steps(given(lambda x: Exports(np.asarray(x), True, error)))
        assert made.array.ctypes.data != fixed
        assert lib.steps(given(lambda x: np.asarray(x).ctypes.data)) != fixed

    @pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, SystemExit])
    def test_an_interrupt_of_a_read_only_array_reaches_the_caller(
        self, lib: ModuleType, error: type[BaseException]
    ) -> None:
        with pytest.raises(error):
            lib.steps(given(lambda x: Exports(np.asarray(x), True, error())))

    def test_a_library_may_close_the_object(self, lib: ModuleType) -> None:
        assert lib.steps(given(lambda x: x.close())) is None

        def closing(x: Any) -> Any:
            view = np.from_dlpack(x)
            x.close()
            return view

        assert lib.steps(given(closing)).tolist() == FIXED

    def test_a_refused_copy_leaves_an_own_object(self, lib: ModuleType) -> None:
        def importer(x: Any) -> Any:
            if np.asarray(x).flags.writeable:
                raise ValueError("no such memory")
            return writable_view(x)

        made = lib.steps(given(importer))
        assert (type(made), made.readonly) == (lib.Array, True)

    def test_an_array_of_the_own_class_shares_memory(self, lib: ModuleType, fixed: int) -> None:
        made = lib.own_steps(given(writable_view))
        assert (type(made), made.readonly) == (lib.Array, True)
        assert np.asarray(made).ctypes.data == fixed

    def test_memory_that_c_does_not_declare_as_const_is_shared(self, lib: ModuleType) -> None:
        x = given(np.asarray)
        made = lib.line_all(x)
        made += 1
        assert x.array.tolist() == [2] * 3

    def test_the_memory_of_a_read_only_array_is_freed(self, lib: ModuleType) -> None:
        x = given(writable_view)

        def call() -> None:
            lib.steps(x)
            lib.two_steps(x)

        warm_up(call)
        assert_no_growth(call)


class Made:
    """An array that the table of `script` made. It exports the memory with other flags."""

    flags = 0

    def __init__(self, script: Script, address: int) -> None:
        self.script, self.address = script, address
        tensor = tensor_at(address)
        self.data, self.got = tensor.tensor.data, tensor.flags
        self.shape, _ = tensor.tensor.axes()

    def give(self) -> int:
        flags = self.got if self.flags is None else self.flags
        fields = {"data": self.data, "axes": (self.shape, None), "flags": flags}
        return int(self.script.managed(dtype=(2, 64, 1), **fields).address)

    def __del__(self) -> None:
        delete(self.address)


class TestReadOnlyTables:
    @staticmethod
    def library(script: Script, tabled: Any, **attributes: Any) -> type:
        cls = type("Own", (Made,), {ATTRIBUTE: script.capsule, **attributes})
        script.answer = lambda address: cls(script, address)
        return cls

    def test_a_table_that_ignores_the_flag_gets_a_copy(self, lib: ModuleType, script: Script, tabled: Any) -> None:
        cls = self.library(script, tabled)
        fixed = np.asarray(lib.steps([1.0])).ctypes.data
        for made, shift in ((lib.steps(tabled), 0), (lib.two_steps(tabled)[1], 3)):
            assert type(made) is cls
            assert (made.got & READ_ONLY, made.data == fixed + 8 * shift) == (0, False)
            assert list((ctypes.c_double * 3).from_address(made.data)) == FIXED[shift : shift + 3]
        made = lib.copied(tabled)
        assert made.got == 0

    def test_a_table_that_keeps_the_flag_shares_memory(self, lib: ModuleType, script: Script, tabled: Any) -> None:
        self.library(script, tabled, flags=None)
        made = lib.steps(tabled)
        assert made.got & READ_ONLY
        assert made.data == np.asarray(lib.steps([1.0])).ctypes.data

    def test_read_only_memory_is_copied_if_the_table_makes_another_type(
        self, lib: ModuleType, script: Script, tabled: Any, scripted: ModuleType
    ) -> None:
        """PyTorch 2.15 has a type for read-only tensors, with a table of its own, that refuses every operation."""
        cls = self.library(script, tabled)
        wrapper = type("Wrapper", (Made,), {ATTRIBUTE: scripted.table("", 1), "flags": None})
        script.answer = lambda address: (wrapper if tensor_at(address).flags & READ_ONLY else cls)(script, address)
        made = lib.steps(tabled)
        assert (type(made), made.got & READ_ONLY) == (cls, 0)

    def test_the_table_of_another_module_shares_memory(self, lib: ModuleType, tmp_path: Path) -> None:
        other = build_module(
            "fellows", SPEC.replace("shares", "fellows"), tmp_path, HEADER, SOURCE.replace("shares", "fellows")
        )
        made = lib.steps(other.Array.from_dlpack(ones()))
        assert (type(made), made.readonly) == (other.Array, True)
        assert np.asarray(made).ctypes.data == np.asarray(lib.steps([1.0])).ctypes.data


def test_the_table_of_tvm_ffi_makes_the_result(lib: ModuleType) -> None:
    tvm_ffi = pytest.importorskip("tvm_ffi")
    x = tvm_ffi.from_dlpack(ones())
    for made in (lib.half(x), lib.cross(x, ones()), lib.outer(x, ones())):
        assert type(made) is type(x)
    assert np.from_dlpack(lib.half(x)).tolist() == [0.5] * 3
    assert np.from_dlpack(lib.copied(x)).tolist() == [1] * 3
    assert type(lib.half_here(x)) is lib.Array


def test_the_stub_shows_any_and_given_outputs(tmp_path: Path) -> None:
    generate(SPEC, tmp_path)
    stub = " ".join((tmp_path / "shares.pyi").read_text().split())
    sequence = "_Array | collections.abc.Sequence[float]"
    for line in (
        f"def half(x: {sequence}, y: None = None) -> typing.Any:",
        f"def half(x: {sequence}, y: _Given) -> _Given: ...",
        f"def half_here(x: {sequence}, y: None = None) -> Array:",
        f"def copied(x: {sequence}) -> typing.Any:",
        "New arrays are of the library of the first array argument, or Array.",
        "New arrays are of the library of `w`, or Array.",
        "def rows(self, /) -> Array:",
    ):
        assert line in stub, line
    assert "-> tuple[typing.Any, typing.Any]:" in stub
