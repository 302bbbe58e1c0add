"""Arrays that automatic differentiation follows (`requires_grad`): C reads them, and writes to none of them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from functions.descent_library import READS, WRITES, build_descent, ones
from python.exchange import Calls, Source, with_table

FLOAT32, INT32 = (2, 32, 1), (0, 32, 1)
REFUSED = r"^\w+\(\) argument '\w+': detach the tensor first$"


class Lending(Source):
    """An array whose table also gives borrowed views."""

    def __init__(self, managed: Callable[..., Any], **fields: Any) -> None:
        super().__init__(managed, **{"axes": ((3,), (1,)), "dtype": FLOAT32, **fields})
        self.borrowed: list[Any] = []

    def lend(self) -> int:
        self.asked.append("view")
        self.borrowed.append(self.managed(**self.fields))
        return ctypes.addressof(self.borrowed[-1].struct.tensor)

    def __del__(self) -> None:
        for tensor in self.borrowed:
            tensor.capsule()


class Followed(Lending, Calls):
    """Acts like a tensor of PyTorch: only the call looks at the gradient, and the table does not."""

    requires_grad: Any = True

    def __dlpack__(self, **keywords: Any) -> Any:
        if self.requires_grad:
            self.asked.append("refused")
            raise BufferError("detach the tensor first")
        return super().__dlpack__(**keywords)


class Asking(Followed):
    """An array whose attribute runs code."""

    act: Callable[[], object] = staticmethod(lambda: None)

    @property
    def requires_grad(self) -> bool:  # type: ignore[override]
        self.act()
        return False


@pytest.fixture(scope="module")
def descent(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_descent(tmp_path_factory.mktemp("descent"))


@pytest.fixture
def follow(managed: Callable[..., Any], table: Callable[..., object], producer: ModuleType) -> Iterator[Any]:
    """Makes such a tensor; in the end, all that was exported has been deleted once."""
    producer.record()

    def make(base: type = Followed, without: str = "", **fields: Any) -> Any:
        return with_table(base, table(without=without))(managed, **fields)

    yield make


@pytest.mark.parametrize("without", ["", "view"])
@pytest.mark.parametrize("way", READS)
def test_an_array_with_gradients_is_read_through_the_table(
    descent: ModuleType, follow: Any, way: str, without: str
) -> None:
    for _ in range(2):  # the type is not known, then it is
        source = follow(without=without)
        assert READS[way](descent, source) == 0
        assert not {"call", "refused"} & set(source.asked)


@pytest.mark.parametrize("without", ["", "view"])
@pytest.mark.parametrize("way", WRITES)
def test_an_array_with_gradients_is_not_written(descent: ModuleType, follow: Any, way: str, without: str) -> None:
    """The message is that of the array's own `__dlpack__()`."""
    source = follow(without=without)
    for _ in range(2):
        with pytest.raises(BufferError, match=REFUSED if way != "a writable object" else "^detach the tensor first$"):
            WRITES[way](descent, source)
    assert source.asked.count("refused") == 2


@pytest.mark.parametrize("way", WRITES)
def test_an_array_without_gradients_is_written(descent: ModuleType, follow: Any, way: str) -> None:
    class Detached(Followed):
        requires_grad = False

    source = follow(Detached)
    for _ in range(2):
        WRITES[way](descent, source)
    assert not {"call", "refused"} & set(source.asked)


def test_rows_are_not_written_to(descent: ModuleType, follow: Any) -> None:
    with pytest.raises(BufferError, match=REFUSED):
        descent.rows_step(follow(axes=((2, 3), (3, 1))), 1)


def test_an_object_that_shows_an_array_with_gradients_is_read_only(descent: ModuleType, follow: Any) -> None:
    """Nothing writes to it later, be it C or another library."""
    made = descent.Layer.from_dlpack(follow())
    assert made.readonly
    assert not np.asarray(made).flags.writeable
    with pytest.raises(BufferError, match=r"step\(\) argument 'self': the object is read-only, and must be writable"):
        made.step(1)
    with pytest.raises(BufferError, match=r"values_step\(\) argument 'values': .* read-only, and must be writable"):
        descent.values_step(made, 1)


def test_a_copy_of_an_array_with_gradients_may_be_written(descent: ModuleType, follow: Any) -> None:
    """Changes of the copy do not reach the tensor."""
    made = descent.Copied.from_dlpack(follow())
    assert not made.readonly
    descent.values_step(made, 1)
    assert np.asarray(made).tolist() == [-1, -1, -1]


def test_integers_have_no_gradient(descent: ModuleType, follow: Any) -> None:
    """The import of an array of integers does not read the attribute."""
    asked = []

    class Counting(Asking):
        act = staticmethod(lambda: asked.append("requires_grad"))

    with pytest.raises(BufferError, match="the dtype is int32, not float32"):
        descent.Layer.from_dlpack(follow(Counting, dtype=INT32))
    assert asked == []


@pytest.mark.parametrize("value", [1, "yes", np.True_, [0]], ids=repr)
def test_a_true_value_of_requires_grad_counts_as_true(descent: ModuleType, follow: Any, value: Any) -> None:
    class Truthy(Followed):
        requires_grad = value

    with pytest.raises(BufferError, match=REFUSED):
        descent.values_step(follow(Truthy), 1)


@pytest.mark.parametrize("value", [0, None, np.False_, []], ids=repr)
def test_a_false_value_of_requires_grad_counts_as_false(descent: ModuleType, follow: Any, value: Any) -> None:
    class Falsy(Followed):
        requires_grad = value

    source = follow(Falsy)
    descent.values_step(source, 1)
    assert not descent.Layer.from_dlpack(source).readonly
    assert "call" not in source.asked


def test_dlpack_is_called_where_the_attribute_fails(descent: ModuleType, follow: Any) -> None:
    def fail() -> None:
        raise AttributeError("not yet")

    class Failing(Asking):
        act = staticmethod(fail)

        def __dlpack__(self, **keywords: Any) -> Any:
            return Calls.__dlpack__(self, **keywords)

    source = follow(Failing)
    descent.values_step(source, 1)
    descent.values_add(ones(), ones(), source)
    assert source.asked == ["call", "call"]
    assert descent.Layer.from_dlpack(source).readonly
    assert source.asked == ["call", "call", "table"]


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("way", WRITES)
def test_an_interrupt_of_the_attribute_is_raised(descent: ModuleType, follow: Any, way: str, known: bool) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    class Interrupting(Asking):
        pass

    source = follow(Interrupting)
    if known:
        WRITES[way](descent, source)
    type(source).act = staticmethod(interrupt)
    with pytest.raises(KeyboardInterrupt):
        WRITES[way](descent, source)


def test_without_dlpack_the_table_decides(descent: ModuleType, follow: Any) -> None:
    class Bare(Lending):
        requires_grad = True

    source = follow(Bare)
    for _ in range(2):
        descent.values_step(source, 1)
    assert set(source.asked) <= {"view", "table"}


@pytest.mark.borrowing
def test_nothing_is_borrowed_before_the_attribute_is_read(descent: ModuleType, follow: Any) -> None:
    """The code of the attribute may free the memory of another argument."""

    class Freeing(Asking):
        def free(self) -> None:
            while self.borrowed:
                self.borrowed.pop().capsule()

    first = follow(Freeing)
    second, sums = (type(first)(first.managed) for _ in range(2))
    for _ in range(3):  # the type is not known, then it is
        Freeing.act = staticmethod(lambda: (first.free(), second.free()))
        descent.values_add(first, second, sums)
        assert len(first.borrowed) == len(second.borrowed) == 1


def test_reading_the_attribute_may_close_another_argument(descent: ModuleType, follow: Any) -> None:
    class Closing(Asking):
        pass

    sums = follow(Closing)
    for _ in range(3):
        first = descent.Layer.from_dlpack(ones())
        Closing.act = staticmethod(first.close)
        with pytest.raises(ValueError, match=r"values_add\(\) argument 'first' is closed"):
            descent.values_add(first, ones(), sums)
