# SPDX-License-Identifier: MIT
"""`x.to(target)` with the types and modules of every library."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from interop.seen import library, look, truth, version


def find(module: str, name: str) -> Any:
    """Returns a module, or the attribute `name` of it; skips if the module is not installed."""
    found = library(module)
    return operator.attrgetter(name)(found) if name else found


@pytest.mark.parametrize(
    ("module", "target", "result"),
    [
        ("numpy", "", "ndarray"),
        ("numpy", "ndarray", "ndarray"),
        ("array_api_compat.numpy", "", "ndarray"),
        ("array_api_compat.torch", "", "Tensor"),
        ("array_api_strict", "", "_array_object.Array"),
        ("array_api_strict", "_array_object.Array", "_array_object.Array"),
        ("jax.numpy", "", "ndarray"),
        ("onnxruntime", "OrtValue", "OrtValue"),
        ("pyarrow", "Tensor", "Tensor"),
        ("torch", "", "Tensor"),
        ("torch", "Tensor", "Tensor"),
        ("tvm_ffi", "", "Tensor"),
        ("tvm_ffi", "Tensor", "Tensor"),
        ("warp", "", "array"),
        ("warp", "array", "array"),
    ],
)
def test_the_result_belongs_to_the_library_and_shares_the_memory(
    subject: Callable[..., Any], module: str, target: str, result: str
) -> None:
    if module == "warp":
        library("warp").init()
    made = subject()
    made.struct.data += -made.struct.data % 64
    array = made.object.to(find(module, target))
    assert isinstance(array, find(module, result))
    is_read_only = module == "jax.numpy" and version("jax") >= (0, 12)
    assert look(array) == truth(made.struct)._replace(read_only=is_read_only)


def test_a_parameter_of_pytorch_is_no_target(subject: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match=r"the table inherited by <class 'torch\..*Parameter'> is a '.*Tensor'"):
        subject().object.to(library("torch").nn.Parameter)


@pytest.mark.parametrize(("module", "target"), [("awkward", "Array"), ("awkward", "")])
def test_arrays_of_awkward_share_the_memory(subject: Callable[..., Any], module: str, target: str) -> None:
    made = subject()
    array = made.object.to(find(module, target))
    assert isinstance(array, find(module, "Array"))
    assert look(np.asarray(array)) == truth(made.struct)


@pytest.mark.parametrize("target", ["", "array"])
def test_arrays_of_mlx_are_copies(subject: Callable[..., Any], target: str) -> None:
    made = subject()
    array = made.object.to(find("mlx.core", target))
    assert isinstance(array, find("mlx.core", "array"))
    assert look(array)._replace(address=None) == truth(made.struct)._replace(address=None)


@pytest.mark.parametrize(("module", "target"), [("jax", "Array"), ("onnxruntime", ""), ("pyarrow", "")])
def test_types_whose_package_has_no_from_dlpack_are_refused(
    subject: Callable[..., Any], module: str, target: str
) -> None:
    """`jax.numpy` is a target, and `jax.Array` is not."""
    with pytest.raises(TypeError, match=r"to\(\): .* has neither an exchange table nor from_dlpack\(\)"):
        subject().object.to(find(module, target))


def test_a_refusal_of_the_library_has_its_message(subject: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match="Only contiguous one dimensional tensor"):
        subject().object.to(find("pyarrow", "Array"))


@pytest.mark.parametrize("target", [memoryview, list])
def test_other_types_are_no_targets(subject: Callable[..., Any], target: type) -> None:
    with pytest.raises(TypeError, match="neither an exchange table nor from_dlpack"):
        subject().object.to(target)


@pytest.mark.parametrize("target", [42, None, np.float32(1)])
def test_other_objects_are_no_targets(subject: Callable[..., Any], target: object) -> None:
    with pytest.raises(TypeError, match="takes a type or a module, not"):
        subject().object.to(target)
