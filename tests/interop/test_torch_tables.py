# SPDX-License-Identifier: MIT
"""PyTorch through exchange tables: its table in `from_dlpack`, ours in `to`, and both in functions of tvm-ffi."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from interop.seen import library, look, truth

torch = library("torch")
tvm_ffi = library("tvm_ffi")


def test_complex_numbers_are_imported_unless_they_have_the_conjugate_bit(lab: ModuleType) -> None:
    """The table does not report this bit, so `__dlpack__` is called for complex tensors."""
    tensor = torch.full((3,), 1 + 2j)
    made = lab.Moved.from_dlpack(tensor)
    assert look(made) == look(tensor)
    assert np.from_dlpack(made).tolist() == [1 + 2j] * 3
    with pytest.raises(BufferError, match="conjugate bit"):
        lab.Moved.from_dlpack(tensor.conj())


def test_the_dlpack_of_a_subclass_is_called(lab: ModuleType) -> None:
    """Its method may know more than the inherited table."""
    asked = []

    class Own(torch.Tensor):
        def __dlpack__(self, **keywords: Any) -> object:
            asked.append(keywords)
            return super().__dlpack__(**keywords)

    class Subclass(torch.Tensor):
        pass

    tensor = torch.arange(6.0)
    for kind in (Own, Subclass):
        assert look(lab.Moved.from_dlpack(tensor.as_subclass(kind))) == look(tensor)
    assert asked == [{"max_version": (1, 3)}]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: torch.zeros(3, 3).to_sparse(), r"Can't export tensors with layout other than torch\.strided"),
        (lambda: torch.zeros(3, device="meta"), r"Cannot pack tensors on meta"),
        (lambda: torch.zeros(4, dtype=torch.int16).view(torch.bits16), r"Bit types are not supported by dlpack"),
    ],
    ids=["sparse", "meta", "bits"],
)
def test_the_message_of_dlpack_is_shown_where_the_table_refuses(
    lab: ModuleType, make: Callable[[], Any], message: str
) -> None:
    """The table raises RuntimeErrors with a trace of C++."""
    with pytest.raises(BufferError, match=f"^{message}$"):
        lab.Moved.from_dlpack(make())


def test_tensors_without_memory_are_refused(lab: ModuleType) -> None:
    """PyTorch 2.13.0 exports them, with NULL for the data."""
    with pytest.raises(BufferError, match=r"probe\.Moved: the data of the array is NULL, but it has 3 elements"):
        lab.Moved.from_dlpack(torch._efficientzerotensor(3))


def test_the_negative_bit_is_not_reported_by_pytorch(lab: ModuleType) -> None:
    """PyTorch 2.13.0: neither its table nor its `__dlpack__` reads this bit."""
    tensor = torch.full((3,), 2j).conj().imag
    assert tensor.tolist() == [-2, -2, -2]
    assert np.from_dlpack(lab.Moved.from_dlpack(tensor)).tolist() == [2, 2, 2]


def test_a_closed_object_becomes_no_tensor(subject: Callable[..., Any]) -> None:
    made = subject()
    made.object.close()
    with pytest.raises(ValueError, match="the object is closed"):
        made.object.to(torch.Tensor)


def test_a_tensor_outlives_the_closed_object(subject: Callable[..., Any], lab: ModuleType) -> None:
    made, released = subject(), lab.counts()[1]
    tensor = made.object.to(torch.Tensor)
    made.object.close()
    assert tensor.sum() == 0
    assert lab.counts()[1] == released
    del tensor
    assert lab.counts()[1] == released + 1


def test_functions_return_the_class_of_their_last_argument(subject: Callable[..., Any], lab: ModuleType) -> None:
    made, tensor = subject(), torch.ones(2, 3)
    first = tvm_ffi.convert_func(lambda first, second: first)
    result = first(made.object, tensor)
    assert type(result) is torch.Tensor
    assert look(result) == truth(made.struct)
    result = first(tensor, made.object)
    assert type(result) is lab.Moved
    assert look(result) == look(tensor)
