# SPDX-License-Identifier: MIT
"""Managed memory, which the CPU can read while a GPU still works on it: the producer is asked to finish this work."""

from __future__ import annotations

import ctypes
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.exchange import ATTRIBUTE
from python.scripts import run
from python.tensors import IS_COPIED, inside
from support.build import TOP, build_module, compile_c

HEADER = """
#include <stddef.h>
typedef struct { float *at; long n; int place; } line;
static inline double sum(const float *x, size_t n)
{
    double total = 0;
    for (size_t i = 0; i < n; i++) total += x[i];
    return total;
}
static inline double sum_of_doubles(const double *x, size_t n) { return n > 0 ? 100 + x[0] : 0; }
static inline double negate(float *x, size_t n)
{
    const double before = sum(x, n);
    for (size_t i = 0; i < n; i++) x[i] = -x[i];
    return before;
}
static inline double sum_of_two(const float *x, size_t n, const float *y, size_t m) { return sum(x, n) + sum(y, m); }
static inline double line_sum(const line *x) { return sum(x->at, (size_t)x->n); }
static inline double lines_sum(const line *const *x, size_t n) { return n > 0 ? line_sum(x[0]) : 0; }
"""
SPEC = """
dlpack-bindgen: 1
module: unified
include: unified.h
tensors:
  Line: {type: line, data: self->at, dtype: float32, shape: [self->n], import: {set: {at: data, n: "shape[0]"}}}
  Copied:
    type: line
    data: self->at
    dtype: float32
    shape: [self->n]
    import: {copy: always, set: {at: data, n: "shape[0]"}}
  Shared:
    type: line
    data: self->at
    dtype: float32
    shape: [self->n]
    device: {of: self->place, map: {13: cuda_managed}}
    import: {set: {at: data, n: "shape[0]", place: device_code}}
  Either:
    type: line
    data: self->at
    dtype: float32
    shape: [self->n]
    device: {of: self->place, map: {1: cpu, 2: cuda}}
    import: {set: {at: data, n: "shape[0]", place: device_code}}
  Both:
    type: line
    data: self->at
    dtype: float32
    shape: [self->n]
    device: {of: self->place, map: {1: cpu, 13: cuda_managed}}
    import: {set: {at: data, n: "shape[0]", place: device_code}}
functions:
  lines_either:
    c: "double lines_sum(const line *const *x, size_t n)"
    args: {n: {count_of: x}, x: {of: Line}}
    name: any_lines
  line_either: {c: double line_sum(const line *x), args: {x: {of: Line}}, name: any_lines}
  sum: {c: "double sum(const float *x, size_t n)", args: {n: {count_of: x}}}
  sum_copied: {c: "double sum(const float *x, size_t n)", args: {n: {count_of: x}, x: {copy: allowed}}}
  sum_held: {c: "double sum(const float *x, size_t n)", args: {n: {count_of: x}}, release_gil: true}
  sum_of_two:
    c: "double sum_of_two(const float *x, size_t n, const float *y, size_t m)"
    args: {n: {count_of: x}, m: {count_of: y}}
  negate: {c: "double negate(float *x, size_t n)", args: {n: {count_of: x}}}
  negate_copied: {c: "double negate(float *x, size_t n)", args: {n: {count_of: x}, x: {copy: allowed}}}
  line_sum: {c: double line_sum(const line *x), args: {x: {of: Line}}}
  lines_sum: {c: "double lines_sum(const line *const *x, size_t n)", args: {n: {count_of: x}, x: {of: Line}}}
  sum_floats: {c: "double sum(const float *x, size_t n)", args: {n: {count_of: x}}, name: any_sum}
  sum_of_doubles: {c: "double sum_of_doubles(const double *x, size_t n)", args: {n: {count_of: x}}, name: any_sum}
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("unified", SPEC, tmp_path_factory.mktemp("unified"), HEADER)


class Unified:
    """Three numbers in managed memory. They are 2 when the work of the GPU is done, and -1 before."""

    device = 13

    def __init__(self) -> None:
        self.array = np.full(3, -1, np.float32)
        self.asked: list[dict[str, Any]] = []

    def wait(self) -> None:
        self.array[:] = 2

    def export(self, array: np.ndarray | None = None, flags: int = 0, device: int | None = None) -> Any:
        capsule = (self.array if array is None else array).__dlpack__(max_version=(1, 0))
        managed = inside(capsule)
        managed.tensor.device_type = self.device if device is None else device
        managed.flags |= flags
        return capsule

    def __dlpack__(self, *, max_version: Any = None, **keywords: Any) -> Any:
        assert max_version == (1, 3)
        self.asked.append(keywords)
        if keywords.get("dl_device") == (1, 0):
            self.wait()
        return self.export()


VIEW = {"dl_device": (1, 0), "copy": False}
COPY = {"dl_device": (1, 0)}
READERS: dict[str, tuple[Callable[[ModuleType, Any], Any], dict[str, Any]]] = {
    "array": (lambda lib, x: lib.sum(x), VIEW),
    "copy allowed": (lambda lib, x: lib.sum_copied(x), COPY),
    "without the GIL": (lambda lib, x: lib.sum_held(x), VIEW),
    "written": (lambda lib, x: lib.negate(x), VIEW),
    "written, copy allowed": (lambda lib, x: lib.negate_copied(x), VIEW),
    "object": (lambda lib, x: lib.line_sum(x), VIEW),
    "list of objects": (lambda lib, x: lib.lines_sum([x]), VIEW),
    "import": (lambda lib, x: np.asarray(lib.Line.from_dlpack(x)).sum(), VIEW),
    "import that copies": (lambda lib, x: np.asarray(lib.Copied.from_dlpack(x)).sum(), COPY),
    "import to one of two devices": (lambda lib, x: np.asarray(lib.Either.from_dlpack(x)).sum(), VIEW),
    "copy=False": (lambda lib, x: np.asarray(lib.Line.from_dlpack(x, copy=False)).sum(), VIEW),
    "copy=True": (lambda lib, x: np.asarray(lib.Line.from_dlpack(x, copy=True)).sum(), COPY),
}


class TestWaiting:
    @pytest.mark.parametrize("name", READERS)
    def test_the_producer_finishes_its_work_before_the_cpu_reads(self, lib: ModuleType, name: str) -> None:
        read, keywords = READERS[name]
        x = Unified()
        assert read(lib, x) == 6
        assert x.asked[-1] == keywords
        assert len(x.asked) == 2

    def test_the_keyword_device_asks_the_producer_at_once(self, lib: ModuleType) -> None:
        x = Unified()
        assert np.asarray(lib.Line.from_dlpack(x, device="cpu")).sum() == 6
        assert x.asked == [{"dl_device": (1, 0)}]

    def test_alternatives_wait_for_managed_memory(self, lib: ModuleType) -> None:
        x = Unified()
        assert lib.any_sum(x) == 6

    def test_alternatives_wait_for_managed_memory_in_a_list(self, lib: ModuleType) -> None:
        x = Unified()
        assert lib.any_lines([x]) == 6
        assert x.asked[-1] == VIEW
        assert lib.any_lines(Unified()) == 6

    def test_an_array_with_an_exchange_table_waits_by_dlpack(
        self, lib: ModuleType, managed: Callable[..., Any], table: Callable[..., Any]
    ) -> None:
        """The table gives the memory at once, so `__dlpack__` is called."""

        class Tabled(Unified):
            def give(self) -> Any:
                return managed(dtype=(2, 32, 1), axes=((3,), None), device_type=13).address

        for without in ("", "view"):
            cls = type("Own", (Tabled,), {ATTRIBUTE: table(without=without), "__dlpack__": Unified.__dlpack__})
            for read in (lib.sum, lib.line_sum, lambda x: np.asarray(lib.Line.from_dlpack(x)).sum()):
                x = cls()
                assert read(x) == 6
                assert x.asked[-1] == VIEW

    def test_c_writes_to_the_memory_of_the_producer(self, lib: ModuleType) -> None:
        x = Unified()
        lib.negate(x)
        assert x.array.tolist() == [-2] * 3

    def test_a_producer_may_answer_with_memory_of_the_cpu(self, lib: ModuleType) -> None:
        class Moves(Unified):
            def export(self, *_: Any, **__: Any) -> Any:
                return super().export(device=1 if self.asked[-1] else 13)

        x = Moves()
        assert lib.sum(x) == 6
        assert lib.negate(x) == 6

    def test_no_copy_is_requested_if_c_writes(self, lib: ModuleType) -> None:
        """A producer that ignores `copy=False` answers with a copy. C gets the memory of the first answer."""

        class Copies(Unified):
            def export(self, *_: Any, **__: Any) -> Any:
                copy = self.array.copy() if self.asked[-1] else None
                return super().export(copy, 0 if copy is None else IS_COPIED)

        x = Copies()
        assert lib.negate(x) == 6
        assert x.array.tolist() == [-2] * 3
        assert lib.sum(Copies()) == 6


class TestOtherMemory:
    @pytest.mark.parametrize("device", [1, 3, 11, 20])
    def test_host_memory_is_exported_only_once(self, lib: ModuleType, device: int) -> None:
        """Devices without streams have no order but that of the CPU: the first call of `__dlpack__` waits."""
        x = Unified()
        x.device = device
        assert lib.sum(x) == -3
        lib.Line.from_dlpack(x)
        assert x.asked == [{}, {}]

    def test_a_class_of_managed_memory_leaves_it_on_its_device(self, lib: ModuleType) -> None:
        x = Unified()
        assert lib.Shared.from_dlpack(x).device == (13, 0)
        assert x.asked == [{}]

    def test_a_class_of_both_leaves_managed_memory_on_its_device(self, lib: ModuleType) -> None:
        x = Unified()
        assert lib.Both.from_dlpack(x).device == (13, 0)
        assert x.asked == [{}]
        x.device = 1
        assert lib.Both.from_dlpack(x).device == (1, 0)

    def test_memory_of_oneapi_is_refused_without_a_copy(self, lib: ModuleType) -> None:
        """Memory of oneAPI can be shared or not: without a copy, it is refused."""
        x = Unified()
        x.device = 14
        with pytest.raises(BufferError, match=r"^sum\(\) argument 'x': the data is on oneapi, not cpu$"):
            lib.sum(x)
        assert x.asked == [{}]
        assert lib.sum_copied(CpuForOneApi()) == 6

    def test_a_capsule_is_taken_as_it_is(self, lib: ModuleType) -> None:
        x = Unified()
        assert lib.sum(x.export()) == -3
        x.wait()
        assert np.asarray(lib.Line.from_dlpack(x.export())).sum() == 6


class CpuForOneApi(Unified):
    def export(self, *_: Any, **__: Any) -> Any:
        return super().export(device=1 if self.asked[-1] else 14)


class Older(Unified):
    """Knows no keyword but `max_version`."""

    def __dlpack__(self, *, max_version: Any = None) -> Any:  # type: ignore[override]
        self.asked.append({})
        return self.export()


class WithoutCopy(Unified):
    """Knows `dl_device`, but not `copy`."""

    def __dlpack__(self, *, max_version: Any = None, dl_device: Any = None) -> Any:  # type: ignore[override]
        return super().__dlpack__(max_version=max_version, **({"dl_device": dl_device} if dl_device else {}))


def refusing(error: type[BaseException]) -> Unified:
    class Refuses(Unified):
        def wait(self) -> None:
            raise error("no other device")

    return Refuses()


class TestProducersThatCannotWait:
    """Without a driver of CUDA, no GPU works on the memory, and it is read."""

    def test_a_producer_that_does_not_know_dl_device_is_read(self, lib: ModuleType) -> None:
        for read, _ in READERS.values():
            x = Older()
            x.array[:] = 2
            assert read(lib, x) == 6

    def test_a_producer_that_does_not_know_copy(self, lib: ModuleType) -> None:
        x = WithoutCopy()
        assert lib.sum(x) == 6
        assert x.asked == [{}, {"dl_device": (1, 0)}]

    @pytest.mark.parametrize("error", [BufferError, ValueError, NotImplementedError, RuntimeError, TypeError])
    def test_a_producer_that_refuses_to_wait_is_read(self, lib: ModuleType, error: type[Exception]) -> None:
        x = refusing(error)
        x.array[:] = 2
        assert lib.sum(x) == 6
        assert np.asarray(lib.Line.from_dlpack(x)).sum() == 6

    @pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, SystemExit])
    def test_an_interrupt_an_exit_or_a_lack_of_memory_while_waiting_is_raised(
        self, lib: ModuleType, error: type[BaseException]
    ) -> None:
        for read in (lib.sum, lib.line_sum, lib.Line.from_dlpack):
            with pytest.raises(error):
                read(refusing(error))

    def test_a_producer_may_answer_with_a_legacy_capsule(self, lib: ModuleType, managed: Callable[..., Any]) -> None:
        class Legacy:
            def __dlpack__(self) -> Any:
                made = managed(False, dtype=(2, 32, 1), axes=((3,), None), device_type=13)
                (ctypes.c_float * 3).from_address(made.data)[:] = [2, 2, 2]
                return made.capsule()

        assert lib.sum(Legacy()) == 6


class TestWithoutADriver:
    """ctypes raises an OSError if it finds no driver: then no GPU works on the memory."""

    class Older:
        def __init__(self, managed: Callable[..., Any]) -> None:
            self.managed = managed

        def __dlpack__(self, stream: Any = None) -> Any:
            made = self.managed(dtype=(2, 32, 1), axes=((3,), None), device_type=13)
            (ctypes.c_float * 3).from_address(made.data)[:] = [2, 2, 2]
            return made.capsule()

        def __dlpack_device__(self) -> tuple[int, int]:
            return (13, 0)

    @pytest.mark.parametrize("error", [OSError, RuntimeError, ImportError, AttributeError, KeyboardInterrupt])
    def test_only_an_oserror_of_loading_the_driver_is_ignored(
        self,
        lib: ModuleType,
        managed: Callable[..., Any],
        monkeypatch: pytest.MonkeyPatch,
        error: type[BaseException],
    ) -> None:
        def fail(name: str) -> Any:
            raise error("no library")

        monkeypatch.setattr(ctypes, "CDLL", fail)
        if error is OSError:
            assert lib.sum(self.Older(managed)) == 6
        else:
            with pytest.raises(error, match=r"no library$"):
                lib.sum(self.Older(managed))


PRELUDE = """
import ctypes, os, numpy as np, scripted, producer, unified
from python.exchange import ATTRIBUTE
from python.tensors import Managed

driver = ctypes.CDLL(os.path.join(os.path.dirname(unified.__file__), "libcuda.so.1"))
driver.driver_waited.restype = ctypes.c_size_t

def managed():
    made = Managed(producer, dtype=(2, 32, 1), axes=((3,), None), device_type=13)
    (ctypes.c_float * 3).from_address(made.data)[:] = [2, 2, 2]
    return made

class Older:
    def __dlpack__(self, stream=None):
        return managed().capsule()
    def __dlpack_device__(self):
        return (13, 0)

class Refuses:
    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if dl_device is not None:
            raise BufferError("no other device")
        return managed().capsule()

class Waits:
    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        return managed().capsule()

def outcome(read, x):
    driver.cuStreamSynchronize(0)
    try:
        return f"{read(x)}, stream {driver.driver_waited()}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"

def total(x, **keywords):
    return np.asarray(unified.Either.from_dlpack(x, **keywords)).sum()
"""


class TestTheDriverOfCuda:
    """The driver of a test reports the last stream that was waited for."""

    @pytest.fixture
    def script(
        self, lib: ModuleType, scripted: ModuleType, producer: ModuleType, tmp_path: Path
    ) -> Callable[[str], list[str]]:
        for module in (lib, scripted, producer):
            file = Path(str(module.__file__))
            (tmp_path / file.name).symlink_to(file)
        driver = TOP / "tests" / "python" / "imports" / "driver.c"
        compile_c(["-shared", driver, "-Wl,-soname,libcuda.so.1"], tmp_path / "libcuda.so.1")
        return lambda text: run(tmp_path, textwrap.dedent(text), prelude=PRELUDE)

    def test_the_cpu_waits_for_the_stream_for_which_the_memory_is_ready(self, script: Any) -> None:
        """Without a stream, the producer makes the memory ready for the legacy default stream, which is 1."""
        lines = script("""
            for read in (unified.sum, unified.line_sum, unified.negate, total):
                print(outcome(read, Older()), outcome(read, Refuses()), outcome(read, Waits()))
            print(outcome(lambda x: total(x, stream=4096), Older()))
            print(outcome(lambda x: total(x, stream=-1), Older()))
        """)
        assert lines == [
            *["6.0, stream 1 6.0, stream 1 6.0, stream 0"] * 4,
            "6.0, stream 4096",
            "6.0, stream 0",
        ]

    def test_a_stream_that_fails_is_an_error(self, script: Any) -> None:
        lines = script("""
            print(outcome(lambda x: total(x, stream=666), Older()))
        """)
        assert lines == [
            "BufferError: unified.Either: the data is on cuda_managed, its library does not wait for the GPU "
            "(dl_device=(1, 0)), and CUDA cannot wait either (error 700)"
        ]

    def test_a_table_without_dlpack_tells_its_stream(self, script: Any) -> None:
        """The table tells the stream on which its library works."""
        lines = script("""
            class Script:
                current = 4096
                def stream(self, device, number):
                    assert (device, number) == (13, 0)
                    return self.current

            class Tabled:
                def give(self):
                    return managed().address

            class Lends(Tabled):
                def __init__(self):
                    self.lent = managed()
                def lend(self):
                    return ctypes.addressof(self.lent.struct.tensor)
                def __del__(self):
                    self.lent.capsule()  # deletes the tensor

            library = Script()
            scripted.follow(library)
            for base, without in ((Tabled, "view"), (Lends, "")):
                cls = type("Own", (base,), {ATTRIBUTE: scripted.table(without, 1)})
                for read in (unified.sum, unified.line_sum, total, lambda x: unified.sum_of_two(x, x)):
                    print(outcome(read, cls()))
                library.current = 666
                print(outcome(unified.sum, cls()))
                library.current = 4096
            Silent = type("Silent", (Lends,), {ATTRIBUTE: scripted.table("stream", 1)})
            for read in (unified.sum, total):
                print(outcome(read, Silent()))
        """)
        failed = (
            "BufferError: sum() argument 'x': the data is on cuda_managed, its library does not wait for the GPU "
            "(dl_device=(1, 0)), and CUDA cannot wait either (error 700)"
        )
        silent = "the library of the array does not report its stream"
        assert lines[:10] == [*["6.0, stream 4096"] * 3, "12.0, stream 4096", failed] * 2
        assert lines[10:] == [f"BufferError: sum() argument 'x': {silent}", f"BufferError: unified.Either: {silent}"]
