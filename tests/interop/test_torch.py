# SPDX-License-Identifier: MIT
"""PyTorch, both ways: the same memory, and every dtype and layout that both sides have."""

from __future__ import annotations

import gc
import weakref
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python import builds
from python.tensors import IS_COPIED, Probe, inside
from support.build import import_extension

torch: Any = pytest.importorskip("torch", reason="no PyTorch: pip install torch==2.13.0 (4.6 GB)")

DTYPES = [name for name in builds.DTYPES if hasattr(torch, name)]
"""float4_e2m1fn is not among them: PyTorch has it only as pairs."""


@pytest.fixture(scope="module")
def imaging(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return import_extension("imaging", builds.imaging(tmp_path_factory.mktemp("imaging")))


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return import_extension("lab", builds.lab(tmp_path_factory.mktemp("lab")))


def probe(lab: ModuleType, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str, kind: str = "Moved") -> Any:
    """An object of that layout, and its struct."""
    address = lab.new(1024)
    struct = Probe.from_address(address)
    struct.set_axes(shape, strides)
    struct.dtype = builds.DTYPES.index(dtype) + 1
    return lab.wrap(kind, address), struct


WAYS = {
    "torch.from_dlpack": lambda x: torch.from_dlpack(x),
    "torch.utils.dlpack.from_dlpack": lambda x: torch.utils.dlpack.from_dlpack(x),
    "of a legacy capsule": lambda x: torch.utils.dlpack.from_dlpack(x.__dlpack__()),
    "of a versioned capsule": lambda x: torch.utils.dlpack.from_dlpack(x.__dlpack__(max_version=(1, 0))),
    "torch.as_tensor": lambda x: torch.as_tensor(x),
}


@pytest.mark.parametrize("way", WAYS)
def test_an_image_and_its_tensor_are_one_memory(imaging: ModuleType, way: str) -> None:
    image = imaging.Image.empty((4, 5, 3))
    tensor, array = WAYS[way](image), np.from_dlpack(image)
    assert tensor.data_ptr() == array.__array_interface__["data"][0]
    assert (tensor.shape, tensor.stride(), tensor.dtype) == ((4, 5, 3), (64, 3, 1), torch.uint8)
    tensor[3, 4, 2] = 200
    array[0, 0, 0] = 100
    assert array[3, 4, 2] == 200
    assert tensor[0, 0, 0] == 100


LAYOUTS = {
    "compact": ((2, 3), (3, 1)),
    "column-major": ((2, 3), (1, 2)),
    "padded rows": ((4, 3), (8, 1)),
    "permuted": ((2, 3, 4), (1, 8, 2)),
    "broadcast": ((4, 3), (0, 1)),
    "rank 0": ((), ()),
    "rank 12": ((1,) * 11 + (3,), (3,) * 11 + (1,)),
    "extent 1": ((2, 1), (1, 12345)),
    "empty": ((0, 3), (3, 1)),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_tensor_has_the_address_and_the_strides_of_the_object(lab: ModuleType, layout: str) -> None:
    shape, strides = LAYOUTS[layout]
    made, struct = probe(lab, shape, strides, "float32")
    tensor = torch.from_dlpack(made)
    assert tuple(tensor.shape) == shape
    assert tensor.stride() == strides
    assert tensor.data_ptr() == (struct.data if tensor.numel() else 0)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_that_both_have_goes_both_ways(lab: ModuleType, dtype: str) -> None:
    made, struct = probe(lab, (2, 3), (3, 1), dtype)
    tensor = torch.from_dlpack(made)
    assert tensor.dtype == getattr(torch, dtype)
    again = lab.Moved.from_dlpack(tensor)
    assert (again.dtype, again.shape) == (dtype, (2, 3))
    assert Probe.from_address(lab.unwrap("Moved", again)).data == struct.data


TENSORS = {
    "compact": lambda: torch.arange(24.0).reshape(4, 6),
    "transposed": lambda: torch.arange(24.0).reshape(4, 6).T,
    "sliced": lambda: torch.arange(24.0).reshape(4, 6)[1:4:2, 2:],
    "expanded": lambda: torch.arange(6.0).expand(4, 6),
    "unsqueezed": lambda: torch.arange(6.0)[:, None],
    "rank 0": lambda: torch.tensor(1.5),
    "empty": lambda: torch.zeros(3, 0),
}


@pytest.mark.parametrize("name", TENSORS)
def test_an_object_of_a_tensor_is_the_same_memory(lab: ModuleType, name: str) -> None:
    tensor = TENSORS[name]()
    made = lab.Moved.from_dlpack(tensor)
    again = torch.from_dlpack(made)
    assert (made.dtype, made.shape, made.readonly) == ("float32", tuple(tensor.shape), False)
    assert again.data_ptr() == tensor.data_ptr()
    assert torch.equal(again, tensor)
    if name not in ("expanded", "empty"):
        again.fill_(7)
        assert torch.equal(tensor, torch.full_like(tensor, 7))


def test_an_image_of_a_tensor_writes_through(imaging: ModuleType) -> None:
    tensor = torch.zeros((4, 5, 3), dtype=torch.uint8)
    image = imaging.Image.from_dlpack(tensor)
    np.from_dlpack(image)[1, 2] = [1, 2, 3]
    assert tensor[1, 2].tolist() == [1, 2, 3]
    rows = torch.zeros((4, 8, 3), dtype=torch.uint8)[:, :5]
    assert imaging.Image.from_dlpack(rows).strides == (24, 3, 1)


def test_an_image_of_a_wrong_tensor_is_refused(imaging: ModuleType) -> None:
    for tensor, message in (
        (torch.zeros(4, 5, 3), "the dtype is float32, not uint8"),
        (torch.zeros((3, 4, 5), dtype=torch.uint8).permute(1, 2, 0), "strides"),
        (torch.zeros((4, 5), dtype=torch.uint8), "the array has 2 axes, not 3"),
    ):
        with pytest.raises(BufferError, match=message):
            imaging.Image.from_dlpack(tensor)


def test_what_the_producer_refuses_arrives_as_it_said_it(lab: ModuleType) -> None:
    with pytest.raises(BufferError, match=r"(?i)require.*grad"):
        lab.Moved.from_dlpack(torch.zeros(3, requires_grad=True))
    with pytest.raises(BufferError, match=r"(?i)sparse|layout"):
        lab.Moved.from_dlpack(torch.zeros(3, 3).to_sparse())


def test_a_refused_state_arrives_in_torch_as_a_buffer_error(lab: ModuleType) -> None:
    made, struct = probe(lab, (2, 3), (3, 1), "float32")
    struct.refused = 1
    with pytest.raises(BufferError, match=r"probe\.Moved: the probe refuses"):
        torch.from_dlpack(made)


def test_a_copy_that_torch_asks_for_is_a_copy(imaging: ModuleType) -> None:
    image = imaging.Image.empty((4, 5, 3))
    np.from_dlpack(image)[...] = 3
    assert inside(image.__dlpack__(copy=True, max_version=(1, 0))).flags == IS_COPIED
    copied, shared = torch.from_dlpack(image, copy=True), torch.from_dlpack(image, copy=False)
    np.from_dlpack(image)[...] = 4
    assert copied.data_ptr() != shared.data_ptr()
    assert copied.unique().tolist() == [3]
    assert shared.unique().tolist() == [4]
    assert copied.is_contiguous()


def test_the_device_may_be_named(imaging: ModuleType) -> None:
    image = imaging.Image.empty((4, 5, 3))
    assert torch.from_dlpack(image, device="cpu").data_ptr() == torch.from_dlpack(image).data_ptr()


@pytest.mark.parametrize("kind", ["Moved", "Counted", "Borrowed"])
def test_the_memory_lives_as_long_as_the_tensor(lab: ModuleType, kind: str) -> None:
    class Parent:
        pass

    address, parent = lab.new(64), Parent()
    watched, counts = weakref.ref(parent), lab.counts()
    made = lab.wrap(kind, address, parent)
    tensors = [torch.from_dlpack(made), torch.from_dlpack(made)[3:]]
    del made, parent
    for _ in range(2):
        assert lab.counts()[1] == counts[1]
        assert (watched() is None) == (kind != "Borrowed")
        tensors.pop()
    gc.collect()
    assert watched() is None
    assert lab.counts()[1] == counts[1] + (kind != "Borrowed")
    if kind != "Moved":
        lab.unref(address)


def test_a_tensor_lives_as_long_as_the_object_made_of_it(lab: ModuleType) -> None:
    tensor = torch.arange(6.0)
    address = tensor.data_ptr()
    array = np.from_dlpack(lab.Moved.from_dlpack(tensor))
    del tensor
    gc.collect()
    assert array.__array_interface__["data"][0] == address
    assert array.tolist() == [0, 1, 2, 3, 4, 5]


def test_autograd_threads_may_end_the_memory(lab: ModuleType) -> None:
    """They hold no GIL when they drop what a graph has saved."""
    released = lab.counts()[1]
    made, _ = probe(lab, (8,), (1,), "float64")
    leaf = torch.ones(8, dtype=torch.float64, requires_grad=True)
    product = (leaf * torch.from_dlpack(made)).sum()
    del made
    product.backward()
    assert leaf.grad.tolist() == [0.0] * 8
    del product
    gc.collect()
    assert lab.counts()[1] == released + 1
