# SPDX-License-Identifier: MIT
"""`x.to(target)` exports through both tables, or through a from_dlpack() that belongs to the target."""

from __future__ import annotations

import array
import sys
import types
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.exchange import tensor_at
from python.framing import CPU, CUDA, CUDA_HOST, CUDA_MANAGED, FAIL_SYNC, ROCM
from python.tensors import READ_ONLY

ATTRIBUTE = "__dlpack_c_exchange_api__"


class Script:
    """The behaviour of the functions of a scripted table. It owns the tensors that it gets."""

    def __init__(self) -> None:
        self.given: list[int] = []
        self.asked: list[tuple[int, int]] = []
        self.answer: Callable[[int], Any] | None = lambda address: ("made of", address)
        self.current: Any = None

    def make(self, address: int) -> Any:
        self.given.append(address)
        return self.answer(address)

    def stream(self, device: int, number: int) -> Any:
        self.asked.append((device, number))
        return self.current


@pytest.fixture
def script(scripted: ModuleType) -> Iterator[Script]:
    made = Script()
    scripted.follow(made)
    yield made
    scripted.follow(None)
    made.answer = None  # with the objects that it knows


@pytest.fixture
def target(scripted: ModuleType, script: Script) -> Callable[..., Any]:
    """Makes a type with a scripted table."""

    def make(*majors: int, without: str = "", **attributes: Any) -> Any:
        return type("Target", (), {ATTRIBUTE: scripted.table(without, *(majors or (1,))), **attributes})

    return make


def by_call(x: Any) -> Any:
    return "by from_dlpack", x


class TestThroughTables:
    def test_the_target_gets_an_export(self, subject, producer, target, script: Script) -> None:
        made = subject((2, 3), (8, 1), "int16")
        made.struct.readonly = 1
        result = made.object.to(target(from_dlpack=by_call))
        assert result == ("made of", script.given[0])
        given = tensor_at(script.given[0])
        assert (given.major, given.minor, given.flags, given.tensor.axes()) == (1, 3, READ_ONLY, ((2, 3), (8, 1)))
        assert given.tensor.data == made.struct.data
        assert script.asked == []
        producer.delete(script.given[0], True, "here")

    def test_older_tables_of_the_target_are_searched(self, subject, producer, target, script: Script) -> None:
        subject().object.to(target(3, 2, 1, from_dlpack=by_call))
        producer.delete(script.given[0], True, "here")

    @pytest.mark.parametrize(("majors", "without"), [((2,), ""), ((0,), ""), ((1,), "to")])
    def test_from_dlpack_is_called_if_the_table_cannot_import(
        self, subject, target, script, majors: Any, without: str
    ) -> None:
        made = subject().object
        assert made.to(target(*majors, without=without, from_dlpack=by_call)) == ("by from_dlpack", made)
        assert script.given == []

    def test_a_tensor_that_a_target_refuses_is_deleted_once(self, subject, lab, target, script) -> None:
        error = LookupError("no room")

        def fail(address: int) -> Any:
            raise error

        script.answer = fail
        made = subject()
        with pytest.raises(LookupError) as caught:
            made.object.to(target(from_dlpack=by_call))
        assert caught.value is error
        released = lab.counts()[1]
        made.object.close()
        assert lab.counts()[1] == released + 1, "an export was left"

    def test_a_failure_of_the_target_without_an_exception_is_an_error(self, subject, target, script: Script) -> None:
        script.answer = lambda address: NotImplemented
        message = r"probe\.Moved\.to\(\): the exchange table of the target failed without an exception"
        with pytest.raises(RuntimeError, match=message):
            subject().object.to(target())

    def test_a_table_that_reports_success_owns_the_tensor(self, subject, producer, target, script) -> None:
        script.answer = lambda address: None
        message = r"probe\.Moved\.to\(\): the exchange table of the target made no object"
        with pytest.raises(RuntimeError, match=message):
            subject().object.to(target())
        producer.delete(script.given[0], True, "here")

    def test_the_target_can_close_the_object(self, subject, lab, producer, target, script: Script) -> None:
        made = subject()
        script.answer = lambda address: (made.object.close(), "made")
        released = lab.counts()[1]
        assert made.object.to(target()) == (None, "made")
        assert lab.counts()[1] == released
        producer.delete(script.given[0], True, "without the GIL")
        assert lab.counts()[1] == released + 1

    def test_the_target_can_fail_after_it_has_closed_the_object(self, subject, lab, target, script: Script) -> None:
        def fail(address: int) -> Any:
            made.object.close()
            raise LookupError

        made, released = subject(), lab.counts()[1]
        script.answer = fail
        with pytest.raises(LookupError):
            made.object.to(target())
        assert lab.counts()[1] == released + 1

    def test_our_own_classes_are_targets(self, subject, lab: ModuleType) -> None:
        made = subject((3,), kind="Counted").object
        other = made.to(lab.Moved)
        assert (type(other), other.shape) == (lab.Moved, (3,))
        with pytest.raises(TypeError, match=r"probe\.Counted: it cannot be made from an array"):
            other.to(lab.Counted)

    def test_a_tensor_that_our_class_refuses_is_released(self, subject, lab, imaging: ModuleType) -> None:
        made = subject()
        with pytest.raises(BufferError, match=r"imaging\.Image"):
            made.object.to(imaging.Image)
        released = lab.counts()[1]
        made.object.close()
        assert lab.counts()[1] == released + 1

    def test_a_table_that_makes_another_type_than_the_target_is_refused(
        self, subject, producer, target, script: Script
    ) -> None:
        made = subject().object
        with pytest.raises(TypeError, match=r"the result of the table inherited by <class '.*Subclass'> is a 'tuple'"):
            made.to(type("Subclass", (target(),), {}))
        producer.delete(script.given[0], True, "here")
        assert made.to(type("Subclass", (target(),), {"from_dlpack": by_call})) == by_call(made)

    @pytest.mark.type_versions
    def test_a_target_can_get_and_lose_its_table(self, subject, producer, scripted, script: Script) -> None:
        cls: Any = type("Late", (), {"from_dlpack": by_call})
        made = subject().object
        assert made.to(cls) == ("by from_dlpack", made)
        setattr(cls, ATTRIBUTE, scripted.table("", 1))
        assert made.to(cls) == ("made of", script.given[0])
        delattr(cls, ATTRIBUTE)
        assert made.to(cls) == ("by from_dlpack", made)
        producer.delete(script.given[0], True, "here")


class TestStreams:
    """The library makes its data ready on the stream on which the target works."""

    @pytest.mark.parametrize(
        ("device", "current", "log"),
        [
            (CPU, 7, ""),
            (CUDA, 7, "sync 7\n"),
            (CUDA, None, "sync 1\n"),
            (CUDA_MANAGED, None, "sync 1\n"),
            (CUDA_HOST, None, "sync 0\n"),
            (ROCM, None, "sync 0\n"),
            (ROCM, 2**40, f"sync {2**40}\n"),
        ],
    )
    def test_the_hook_sync_gets_the_stream_of_the_target(
        self, frame, frames, producer, target, script, device: int, current: Any, log: str
    ) -> None:
        made = frame(device=device, device_id=0).wrap("Remote")
        script.current = current
        frames.log()
        made.to(target())
        assert frames.log() == log
        assert script.asked == ([] if device == CPU else [(device, 0)])
        producer.delete(script.given[0], True, "here")

    def test_without_a_function_of_the_stream_the_default_stream_is_used(
        self, frame, frames, producer, target, script
    ) -> None:
        frame(device=CUDA).wrap("Remote").to(target(without="stream"))
        assert frames.log() == "sync 1\n"
        producer.delete(script.given[0], True, "here")

    @pytest.mark.parametrize("answer", [NotImplemented, "no stream"])
    def test_a_failing_function_of_the_stream_leaves_no_export(
        self, frame, frames, target, script, answer: Any
    ) -> None:
        framed = frame(device=CUDA)
        made = framed.wrap("Remote")
        script.current = answer
        with pytest.raises((RuntimeError, TypeError)):
            made.to(target())
        assert (script.given, frames.log()) == ([], "")
        made.close()
        assert framed.references == 0

    def test_a_failing_hook_sync_leaves_no_export(self, frame, target, script: Script) -> None:
        framed = frame(device=CUDA, fails=FAIL_SYNC)
        made = framed.wrap("Remote")
        with pytest.raises(RuntimeError, match="sync"):
            made.to(target())
        assert script.given == []
        made.close()
        assert framed.references == 0


class TestThroughFromDlpack:
    @pytest.mark.parametrize("target", [np, np.ndarray], ids=repr)
    def test_numpy_and_its_array_type_are_targets(self, subject, target: Any) -> None:
        made = subject((2, 3), (8, 1), "int16")
        result = made.object.to(target)
        assert (type(result), result.shape, result.ctypes.data) == (np.ndarray, (2, 3), made.struct.data)

    def test_a_namespace_of_the_array_api_is_a_target(self, subject) -> None:
        strict = pytest.importorskip("array_api_strict")
        result = subject((2, 3), None, "float64").object.to(strict)
        assert (result.__array_namespace__().__name__, result.shape) == ("array_api_strict", (2, 3))

    def test_tvm_ffi_has_a_table(self, subject, lab) -> None:
        tvm_ffi = pytest.importorskip("tvm_ffi")
        made = subject((2, 3))
        result = made.object.to(tvm_ffi.Tensor)
        released = lab.counts()[1]
        made.object.close()
        assert (tuple(result.shape), lab.counts()[1]) == ((2, 3), released)
        assert lab.Moved.from_dlpack(result).shape == (2, 3)

    def test_an_instance_and_a_class_with_a_function_from_dlpack_are_targets(self, subject) -> None:
        made = subject().object
        for target in (types.SimpleNamespace(from_dlpack=by_call), type("Class", (), {"from_dlpack": by_call})):
            assert made.to(target) == ("by from_dlpack", made)

    def test_a_class_method_from_dlpack_is_called(self, subject) -> None:
        class Target:
            @classmethod
            def from_dlpack(cls, x: Any) -> Any:
                return cls, x

        made = subject().object
        assert made.to(Target) == (Target, made)

    def test_from_dlpack_of_the_top_package_of_a_type_is_called(self, subject, monkeypatch: pytest.MonkeyPatch) -> None:
        package = types.ModuleType("some_package")
        monkeypatch.setitem(sys.modules, "some_package", package)
        cls = type("Array", (tuple,), {"__module__": "some_package.inner.deep"})
        package.from_dlpack = lambda x: cls(("by from_dlpack", x))  # type: ignore[attr-defined]
        made = subject().object
        assert made.to(cls) == ("by from_dlpack", made)

    @pytest.mark.parametrize("target", [np.matrix, np.int64, np.dtype, np.random.Generator], ids=repr)
    def test_from_dlpack_of_the_package_must_make_the_type(self, subject, lab, target: Any) -> None:
        made = subject()
        message = r"Moved\.to\(\): the result of from_dlpack\(\) beside <class 'numpy.*'> is a '(numpy\.)?ndarray'"
        with pytest.raises(TypeError, match=message):
            made.object.to(target)
        released = lab.counts()[1]
        made.object.close()
        assert lab.counts()[1] == released + 1, "the array was left"

    def test_an_exception_of_from_dlpack_reaches_the_caller(self, subject) -> None:
        error = KeyboardInterrupt()

        def fail(x: Any) -> Any:
            raise error

        with pytest.raises(KeyboardInterrupt) as caught:
            subject().object.to(types.SimpleNamespace(from_dlpack=fail))
        assert caught.value is error


class TestWrongTargets:
    @pytest.mark.parametrize("target", [object, int, array.array, array, sys], ids=repr)
    def test_the_message_names_a_type_or_a_module_without_from_dlpack(self, subject, target: Any) -> None:
        with pytest.raises(TypeError) as caught:
            subject().object.to(target)
        name = target.__name__
        assert str(caught.value) == f"probe.Moved.to(): '{name}' has neither an exchange table nor from_dlpack()"

    @pytest.mark.parametrize("target", [None, 1, "numpy", object(), [np.ndarray]], ids=type)
    def test_the_message_names_the_type_of_any_other_target(self, subject, target: Any) -> None:
        message = rf"^probe\.Moved\.to\(\) takes a type or a module, not '{type(target).__name__}'$"
        with pytest.raises(TypeError, match=message):
            subject().object.to(target)

    @pytest.mark.parametrize("module", [None, 3, "", ".", "no such module", "builtins", b"numpy"], ids=repr)
    def test_a_type_with_a_strange_module_is_refused(self, subject, module: Any) -> None:
        with pytest.raises(TypeError, match="has neither an exchange table nor from_dlpack"):
            subject().object.to(type("Array", (), {"__module__": module}))

    def test_a_type_whose_module_is_none_in_sys_modules_is_refused(
        self, subject, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "gone", None)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="has neither an exchange table nor from_dlpack"):
            subject().object.to(type("Array", (), {"__module__": "gone.inner"}))

    def test_an_exception_of_a_lookup_reaches_the_caller(self, subject) -> None:
        class Meta(type):
            def __getattr__(cls, name: str) -> Any:
                raise KeyboardInterrupt if name == "from_dlpack" else AttributeError(name)

        with pytest.raises(KeyboardInterrupt):
            subject().object.to(Meta("Target", (), {}))

    def test_a_from_dlpack_that_cannot_be_called_is_a_type_error(self, subject) -> None:
        with pytest.raises(TypeError, match="not callable"):
            subject().object.to(types.SimpleNamespace(from_dlpack=1))
        with pytest.raises(TypeError, match=r"to\(\) takes a type or a module, not '(types\.)?SimpleNamespace'"):
            subject().object.to(types.SimpleNamespace(from_dlpack=None))

    @pytest.mark.parametrize("arguments", [(), (np, np)])
    def test_to_takes_exactly_one_target(self, subject, arguments: Any) -> None:
        with pytest.raises(TypeError, match="exactly one argument"):
            subject().object.to(*arguments)

    def test_an_object_that_cannot_be_shared_is_refused_with_the_reason(self, subject, target, script: Script) -> None:
        made = subject()
        made.struct.refused = 1
        for way in (np, target()):
            with pytest.raises(BufferError, match="the probe refuses"):
                made.object.to(way)
        assert script.given == []

    def test_handles_have_no_method_to(self, stocked: ModuleType) -> None:
        assert not hasattr(stocked.Box, "to")
