"""C functions with one name in Python: the arguments choose between them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.leaks import assert_no_growth, warm_up
from python.scripts import AT_THE_END, run
from support.build import build_module, generate

FOLDER = Path(__file__).parent
SPEC = (FOLDER / "chosen.yaml").read_text()
HEADER = "#define WITH_FLOAT 1\n" + (FOLDER / "chosen.h").read_text()
DOUBLES = np.full(2, 2.0)
FLOATS = DOUBLES.astype(np.float32)
INTS = DOUBLES.astype(np.int32)


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("chosen", SPEC, tmp_path_factory.mktemp("chosen"), HEADER)


class Producer:
    """An array that only `__dlpack__()` exports, and that counts the calls."""

    def __init__(self, array: np.ndarray, legacy: bool = False) -> None:
        self.array, self.legacy, self.calls = array, legacy, 0

    def __dlpack__(self, **keywords: Any) -> Any:
        self.calls += 1
        return self.array.__dlpack__(**({} if self.legacy else keywords))

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def test_the_dtype_chooses(lib: ModuleType) -> None:
    assert (lib.norm(DOUBLES), lib.norm(FLOATS), lib.norm(INTS)) == (8, -8, 40)
    assert (lib.norm(x=DOUBLES), lib.norm(x=FLOATS)) == (8, -8)
    assert (lib.norm(np.zeros((0, 3))), lib.norm(DOUBLES[::-1].copy())) == (0, 8)


def test_the_dtype_of_an_own_object_chooses(lib: ModuleType) -> None:
    assert lib.norm(lib.Rgb.from_dlpack(FLOATS)) == -8
    with pytest.raises(
        BufferError, match=r"^norm\(\) argument 'x': the dtype is uint8; accepted: float64, float32, int32\n"
    ):
        lib.norm(lib.Gray.make(2))


def test_the_number_of_arguments_chooses(lib: ModuleType) -> None:
    assert (lib.norm(DOUBLES, 3), lib.norm(scale=2, x=DOUBLES)) == (24, 16)
    for call, reasons in (
        (lambda: lib.norm(), ["the argument 'x' is missing"] * 2),
        (lambda: lib.norm(DOUBLES, 1, 2), [f"at most {n} by position, not 3" for n in ("1 argument", "2 arguments")]),
        (lambda: lib.norm(y=DOUBLES), ["there is no argument 'y' by name"] * 2),
        (lambda: lib.norm(DOUBLES, x=DOUBLES), ["the argument 'x' is given twice"] * 2),
        (lambda: lib.norm(*[DOUBLES] * 5), [f"at most {n} by position, not 5" for n in ("1 argument", "2 arguments")]),
    ):
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value) == (
            f"norm() has no signature for these arguments:\n  norm(x): {reasons[0]}\n  norm(x, scale): {reasons[1]}"
        )


def test_keywords_choose(lib: ModuleType) -> None:
    assert (lib.mode(DOUBLES, axis=1), lib.mode(DOUBLES, place=1), lib.mode(place=2, x=DOUBLES)) == (21, 19, 18)
    with pytest.raises(TypeError) as caught:
        lib.mode(DOUBLES, axis=1, place=1)
    assert str(caught.value).splitlines()[1:] == [
        "  mode(x, *, axis): there is no argument 'place' by name",
        "  mode(x, *, place): there is no argument 'axis' by name",
    ]


def test_the_rank_chooses(lib: ModuleType) -> None:
    assert (lib.rank(DOUBLES), lib.rank(np.zeros((2, 3)))) == (2, 203)
    with pytest.raises(BufferError, match=r"^rank\(\) argument 'x': the number of axes is 3; accepted: 1, 2$"):
        lib.rank(np.zeros((2, 3, 4)))


def test_the_type_of_a_value_chooses(lib: ModuleType) -> None:
    assert [lib.what(x) for x in (3, 3.0, "abc", DOUBLES, True)] == [3, 1.5, 1003, 2008, 1]
    assert [lib.what(x) for x in (np.float32(8), np.float64(8), np.int64(5), [1.0, 2.0])] == [4, 4, 5, 2005]
    with pytest.raises(
        BufferError, match=r"^what\(\) argument 'x': the dtype is float32; accepted: float64, float, int$"
    ):
        lib.what(FLOATS)
    with pytest.raises(TypeError, match=r"^what\(\) argument 'x' must be str, not None\n"):
        lib.what(None)


def test_the_class_chooses(lib: ModuleType) -> None:
    wheel = lib.Wheel(7)
    assert lib.size(lib.Gray.make(3)) == 1003
    assert lib.size(lib.Rgb.from_dlpack(np.zeros(5, np.float32))) == 2005
    assert (lib.size(wheel), lib.size([wheel, wheel]), lib.size(())) == (3007, 4009, 4000)
    assert (lib.size(np.zeros(4, np.uint8)), lib.size(np.zeros(4, np.float32))) == (1004, 2004)
    for value in (3, [lib.Gray.make(1)], [3]):
        with pytest.raises(
            TypeError, match=r"^size\(\) argument 'x': the type is (int|list); accepted: Gray, an array of"
        ):
            lib.size(value)
    with pytest.raises(
        BufferError, match=r"the dtype is float64; accepted: uint8, float32, Wheel, a sequence of Wheel$"
    ):
        lib.size(np.zeros(4))


def test_a_closed_object_is_refused(lib: ModuleType) -> None:
    gray = lib.Gray.make(3)
    gray.close()
    with pytest.raises(ValueError, match=r"^size\(\) argument 'x' is closed$"):
        lib.size(gray)
    with pytest.raises(ValueError, match=r"^norm\(\) argument 'x' is closed$"):
        lib.norm(gray)


def test_methods_can_have_alternatives(lib: ModuleType) -> None:
    gray = lib.Gray.make(3)
    assert (gray.add(3), gray.add(np.full(3, 2, np.uint8)), gray.add(x=b"\1\1\1")) == (3, 1005, 1006)
    assert (gray[0], gray["abc"]) == (6, 303)
    assert bytes(lib.Gray.make(b"abcd")) == b"abcd"
    with pytest.raises(ValueError, match="does not hold"):
        gray[9]
    with pytest.raises(TypeError, match=r"must be str, not float\n"):
        gray[2.5]


def test_a_second_array_chooses(lib: ModuleType) -> None:
    assert (lib.pair(DOUBLES, DOUBLES), lib.pair(DOUBLES, FLOATS), lib.pair(FLOATS, FLOATS)) == (8, -8, 108)
    with pytest.raises(BufferError, match=r"^pair\(\) argument 'b': the dtype is float64; accepted: float32\n"):
        lib.pair(FLOATS, DOUBLES)
    with pytest.raises(ValueError, match=r"^pair\(\) argument 'b' must have 2 elements, not 1$"):
        lib.pair(DOUBLES, DOUBLES[:1])


def test_a_sequence_of_numbers_has_the_dtype_that_numpy_chooses(lib: ModuleType) -> None:
    """Without an alternative for that dtype, float64 is next, and then the first that takes sequences."""
    assert [lib.norm(x) for x in ([1, 2], [1.5, 2], (1,), [], range(3), [np.int64(3)])] == [5, 6.25, 1, 0, 5, 9]
    for value, items in (([1j], ", with complex numbers"), (["a"], ""), ([[1.0]], "")):
        with pytest.raises(
            TypeError,
            match=rf"^norm\(\) argument 'x': the type is list{items}; accepted: .*, a sequence of real numbers\n",
        ):
            lib.norm(value)


def test_an_alternative_can_return_its_argument(lib: ModuleType) -> None:
    doubles, letters = np.zeros(3), np.zeros(3, np.uint8)
    assert lib.fill(doubles, 2.5) is doubles
    assert lib.fill(letters, value=7) is letters
    assert doubles.tolist() == [2.5] * 3
    assert letters.tolist() == [7] * 3
    with pytest.raises(TypeError, match=r"^fill\(\) argument 'value': the type is float; accepted: int\n"):
        lib.fill(letters, 2.5)


def test_an_alternative_can_keep_its_argument(lib: ModuleType) -> None:
    views = [lib.view(x) for x in (DOUBLES.copy(), FLOATS.copy(), Producer(DOUBLES.copy()))]
    assert [view.sum() for view in views] == [4, 4, 4]


@pytest.mark.parametrize("legacy", [False, True])
def test_each_producer_is_exported_once(lib: ModuleType, legacy: bool) -> None:
    floats, doubles = Producer(FLOATS, legacy), Producer(DOUBLES, legacy)
    assert (lib.norm(floats), floats.calls) == (-8, 1)
    assert (lib.pair(doubles, floats), doubles.calls, floats.calls) == (-8, 1, 2)
    assert (lib.norm(scale=2, x=doubles), doubles.calls) == (16, 2)
    wrong = Producer(DOUBLES.astype(np.int16), legacy)
    with pytest.raises(BufferError, match="the dtype is int16"):
        lib.norm(wrong)
    assert wrong.calls == 1


def test_a_producer_that_is_written_to_is_returned(lib: ModuleType) -> None:
    out = Producer(np.zeros(2))
    assert lib.fill(out, 9.0) is out
    assert (out.array.tolist(), out.calls) == ([9, 9], 1)


def test_a_producer_that_is_passed_twice_is_exported_twice(lib: ModuleType) -> None:
    both = Producer(DOUBLES)
    assert (lib.pair(both, both), both.calls) == (8, 2)
    assert (lib.pair(a=both, b=both), both.calls) == (8, 4)


def test_errors_of_producers_reach_the_caller(lib: ModuleType) -> None:
    class Failing(Producer):
        def __dlpack__(self, **keywords: Any) -> Any:
            raise RuntimeError("no memory card")

    with pytest.raises(RuntimeError, match=r"^norm\(\) argument 'x': no memory card$"):
        lib.norm(Failing(DOUBLES))
    with pytest.raises(TypeError, match="the type is type; accepted: an array of float64"):
        lib.norm(Producer)


def test_the_error_names_dtypes_whose_names_contain_each_other(lib: ModuleType) -> None:
    with pytest.raises(BufferError, match=r"the dtype is float64; accepted: uint8, int8$"):
        lib.bytes(DOUBLES)


def test_new_arrays_are_of_the_library_of_the_producer(lib: ModuleType) -> None:
    class OfNumPy(Producer):
        def __array_namespace__(self) -> Any:
            return np

    for array in (DOUBLES, FLOATS):
        made = lib.half(OfNumPy(array))
        assert lib.half(array, None).tolist() == made.tolist()
        assert (type(made), made.dtype, made.tolist()) == (np.ndarray, array.dtype, (array / 2).tolist())


def test_capsules_choose_and_are_consumed(lib: ModuleType) -> None:
    assert (lib.norm(FLOATS.__dlpack__()), lib.norm(DOUBLES.__dlpack__(max_version=(1, 0)))) == (-8, 8)
    capsule = FLOATS.__dlpack__()
    lib.norm(capsule)
    with pytest.raises(ValueError, match=r"^norm\(\) argument 'x': this DLPack capsule has been consumed already$"):
        lib.norm(capsule)


def test_the_preprocessor_can_leave_out_alternatives(lib: ModuleType) -> None:
    assert (lib.raised(DOUBLES), lib.raised(FLOATS)) == (2, 2)
    with pytest.raises(BufferError, match=r"accepted: float64, float32$"):
        lib.raised(INTS)


def test_no_alternative_is_chosen_after_the_interpreter_has_released_its_states(lib: ModuleType) -> None:
    """A number and an object of the module need no state."""
    script = """
import chosen
from array import array
x, wheel = array("d", [1, 2]), chosen.Wheel(7)
calls = (
    lambda: chosen.what(3), lambda: chosen.size(wheel),
    lambda: chosen.norm(x), lambda: chosen.norm([1.5]), lambda: chosen.what(x), lambda: chosen.half(x),
    lambda: chosen.half([1.5]), lambda: chosen.size([x]), lambda: chosen.fill(x, 1.5),
)
call_at_the_end(calls)
"""
    lines = run(Path(str(lib.__file__)).parent, script, prelude=AT_THE_END)
    functions = ["norm", "norm", "what", "half", "half", "size"]
    ended = [f"RuntimeError: {name}() argument 'x': this interpreter is ending" for name in functions]
    assert lines == ["3", "3007", *ended, "RuntimeError: fill() argument 'out': this interpreter is ending"]


def test_the_docstring_has_all_signatures(lib: ModuleType) -> None:
    lines = (inspect.getdoc(lib.norm) or "").splitlines()
    assert [line for line in lines if line.startswith("norm(")] == ["norm(x)", "norm(x)", "norm(x)", "norm(x, scale)"]
    assert lines[1] == "The sum of squares."
    assert (lib.Gray.__getitem__.__doc__ or "").startswith("__getitem__(index)\n")


def test_the_stub_shows_overloads(tmp_path: Path) -> None:
    """Signatures whose types overlap are one for type checkers."""
    stub = next(path.read_text() for path in generate(SPEC, tmp_path) if path.suffix == ".pyi")
    assert "def fill(out: _Given, value: float | int = 1) -> _Given:" in stub
    assert "@typing.overload\ndef what(x: str) -> int: ..." in stub
    assert "@typing.overload\ndef what(x: float | int) -> float | int: ..." in stub
    assert "@typing.overload\ndef size(x: Gray | _Array | Rgb) -> int:" in stub
    assert "@typing.overload\ndef size(x: collections.abc.Sequence[Wheel]) -> int: ..." in stub
    assert "    @typing.overload\n    def add(self, /, value: int) -> int: ..." in stub
    assert "    @typing.overload\n    @classmethod\n    def make(cls, /, n: int) -> Gray:" in stub
    assert (
        "def pair(a: _Array | collections.abc.Sequence[float], b: _Array | collections.abc.Sequence[float]) -> float:"
        in stub
    )


def test_alternatives_leak_nothing(lib: ModuleType) -> None:
    def refused(call: Callable[[], Any]) -> None:
        with pytest.raises((TypeError, BufferError)):
            call()

    def calls() -> None:
        lib.pair(Producer(DOUBLES), Producer(FLOATS, legacy=True))
        lib.norm([1.5])
        lib.norm(x=FLOATS)
        refused(lambda: lib.norm(Producer(DOUBLES.astype(np.int16))))
        refused(lambda: lib.pair(Producer(DOUBLES), Producer(INTS)))
        refused(lambda: lib.pair(Producer(DOUBLES)))

    warm_up(calls)
    assert_no_growth(calls)
