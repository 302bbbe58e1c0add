# SPDX-License-Identifier: MIT
"""Tensors of PyTorch that require grad, and subclasses whose `__torch_function__` differs from their table."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from functions.descent_library import READS, WRITES, build_descent
from interop.seen import library, look

torch = library("torch")

ARGUMENT = r"^(?:\w+\(\) argument '\w+': )?"
"""The argument of a function is named in front of PyTorch's words; an import passes them on."""
REFUSED = ARGUMENT + r"Can't export tensors that require gradient, use tensor\.detach\(\)$"
UNINITIALISED = ARGUMENT + "Attempted to use an uninitialized parameter"


@pytest.fixture(scope="module")
def descent(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_descent(tmp_path_factory.mktemp("descent"))


class Plain(torch.Tensor):
    """A subclass that changes nothing."""


FOLLOWED: dict[str, Callable[[], Any]] = {
    "a tensor": lambda: torch.ones(3, requires_grad=True),
    "a result": lambda: torch.ones(3, requires_grad=True) * 1,
    "a view": lambda: torch.ones(2, 3, requires_grad=True)[1],
    "a parameter": lambda: torch.nn.Parameter(torch.ones(3)),
    "a subclass": lambda: torch.ones(3, requires_grad=True).as_subclass(Plain),
    "a parameter of a module": lambda: next(torch.nn.LayerNorm(3).parameters()),
}
"""Tensors of three ones."""


@pytest.mark.parametrize("make", FOLLOWED.values(), ids=FOLLOWED)
@pytest.mark.parametrize("way", READS)
def test_a_tensor_that_requires_grad_can_be_read(descent: ModuleType, way: str, make: Callable[[], Any]) -> None:
    tensor = make()
    assert READS[way](descent, tensor) == 3
    assert tensor.tolist() == [1, 1, 1]


@pytest.mark.parametrize("make", FOLLOWED.values(), ids=FOLLOWED)
@pytest.mark.parametrize("way", WRITES)
def test_a_tensor_that_requires_grad_cannot_be_written(descent: ModuleType, way: str, make: Callable[[], Any]) -> None:
    tensor = make()
    with pytest.raises(BufferError, match=REFUSED):
        WRITES[way](descent, tensor)
    with torch.no_grad(), pytest.raises(BufferError, match=REFUSED):
        WRITES[way](descent, tensor)
    assert tensor.tolist() == [1, 1, 1]


@pytest.mark.parametrize("make", FOLLOWED.values(), ids=FOLLOWED)
@pytest.mark.parametrize("way", WRITES)
def test_a_detached_tensor_can_be_written(descent: ModuleType, way: str, make: Callable[[], Any]) -> None:
    tensor = make()
    WRITES[way](descent, tensor.detach())
    with torch.no_grad():
        WRITES[way](descent, (tensor * 1).requires_grad_(False))


def test_a_frozen_parameter_can_be_written(descent: ModuleType) -> None:
    frozen = torch.nn.Parameter(torch.ones(3), requires_grad=False)
    descent.values_step(frozen, 1)
    assert frozen.tolist() == [0, 0, 0]
    assert not descent.Layer.from_dlpack(frozen).readonly


def test_gradients_are_right_after_a_refusal(descent: ModuleType) -> None:
    weights = torch.full((3,), 3.0, requires_grad=True)
    loss = (weights * weights).sum()
    with pytest.raises(BufferError):
        descent.values_step(weights, 2)
    loss.backward()
    assert weights.grad.tolist() == [6, 6, 6]


def test_an_import_of_a_tensor_that_requires_grad_is_read_only(descent: ModuleType) -> None:
    tensor = torch.nn.Parameter(torch.ones(3))
    made = descent.Layer.from_dlpack(tensor)
    assert not np.from_dlpack(made).flags.writeable
    with pytest.raises(BufferError, match="read-only"):
        made.step(1)
    assert descent.values_sum(made) == 3


def test_the_code_of_a_mode_can_run_while_arguments_are_taken(descent: ModuleType) -> None:
    """PyTorch calls the mode when an attribute of a tensor is read."""
    asked = []

    class Watching(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            asked.append(function)
            return function(*args, **(kwargs or {}))

    first, second, sums = torch.ones(3), torch.ones(3), torch.zeros(3)
    for _ in range(2):
        with Watching():
            descent.values_add(first, second, sums)
    assert asked
    assert sums.tolist() == [2, 2, 2]


# ---- Subclasses ----


class Answering(torch.Tensor):
    """A subclass whose `__torch_function__` refuses the export."""

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if function is torch.Tensor.__dlpack__:
            raise LookupError("of whom?")
        return super().__torch_function__(function, types, args, kwargs or {})


class Subclass(Answering):
    pass


class Disabled(torch.Tensor):
    """As PyTorch's own parameters."""

    __torch_function__ = torch._C._disabled_torch_function_impl


class DisabledAgain(Answering):
    __torch_function__ = torch._C._disabled_torch_function_impl


class Instance(torch.Tensor):
    """Through a function that belongs to no class."""

    __torch_function__ = staticmethod(lambda *arguments: Answering.__torch_function__(*arguments))


class Dispatching(torch.Tensor):
    asked: list[Any] = []  # noqa: RUF012

    @classmethod
    def __torch_dispatch__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise AssertionError(function)

    def __dlpack_device__(self) -> tuple[int, int]:
        raise AssertionError

    @property
    def requires_grad(self) -> bool:
        """Records the access: PyTorch's `__dlpack__` reads this property, its exchange table does not."""
        Dispatching.asked.append("requires_grad")
        return False


def of(kind: type) -> Any:
    return torch.ones(3).as_subclass(kind)


@pytest.mark.parametrize("kind", [Answering, Subclass, Instance])
@pytest.mark.parametrize("way", [*READS, *WRITES])
def test_the_torch_function_of_a_subclass_is_called(descent: ModuleType, way: str, kind: type) -> None:
    tensor = of(kind)
    with pytest.raises(LookupError, match=ARGUMENT + r"of whom\?$"):
        {**READS, **WRITES}[way](descent, tensor)


@pytest.mark.parametrize("kind", [Plain, Disabled, DisabledAgain, torch.nn.Parameter])
@pytest.mark.parametrize("way", READS)
def test_a_subclass_without_a_torch_function_is_taken_through_the_table(
    descent: ModuleType, way: str, kind: type
) -> None:
    """A call of `__dlpack__` would be refused."""
    tensor = of(kind)
    tensor.requires_grad_()
    assert READS[way](descent, tensor) == 3


def test_dlpack_is_called_for_a_subclass_with_a_torch_dispatch(descent: ModuleType) -> None:
    tensor = torch.Tensor._make_subclass(Dispatching, torch.ones(3))
    Dispatching.asked.clear()
    assert descent.values_sum(tensor) == 3
    assert Dispatching.asked == ["requires_grad"]


@pytest.mark.filterwarnings("ignore:Lazy modules")
@pytest.mark.parametrize("kind", [torch.nn.UninitializedParameter, torch.nn.UninitializedBuffer])
@pytest.mark.parametrize("way", [*READS, *WRITES])
def test_a_parameter_without_memory_is_refused(descent: ModuleType, way: str, kind: type) -> None:
    with pytest.raises(ValueError, match=UNINITIALISED):
        {**READS, **WRITES}[way](descent, kind())


@pytest.mark.filterwarnings("ignore:Lazy modules")
def test_a_lazy_parameter_is_accepted_once_it_has_memory(descent: ModuleType) -> None:
    module = torch.nn.LazyLinear(3, bias=False)
    with pytest.raises(ValueError, match=UNINITIALISED):
        descent.Layer.from_dlpack(module.weight)
    module(torch.ones(1, 1))
    assert type(module.weight) is torch.nn.Parameter
    row = module.weight[:, 0].detach()
    assert look(descent.Layer.from_dlpack(row)) == look(row)
