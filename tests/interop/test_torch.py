# SPDX-License-Identifier: MIT
"""PyTorch through `__dlpack__` and `to`: the same memory, and every dtype and layout that both sides have."""

from __future__ import annotations

import gc
import io
import os
import pickle
import signal
import subprocess
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

from interop.consumer import Consumer
from interop.producer import Producer
from interop.seen import Refused, library, look, truth, version
from python.tensors import IS_COPIED, inside

torch = library("torch")

WAYS = {
    "torch.utils.dlpack.from_dlpack": lambda x: torch.utils.dlpack.from_dlpack(x),
    "of a legacy capsule": lambda x: torch.utils.dlpack.from_dlpack(x.__dlpack__()),
    "of a versioned capsule": lambda x: torch.utils.dlpack.from_dlpack(x.__dlpack__(max_version=(1, 0))),
    "torch.as_tensor": lambda x: torch.as_tensor(x),
}

NEGATIVE = "import numpy, torch, lab; x = lab.Moved.from_dlpack(numpy.arange(3.0)[::-1]); {}"


class Taking(Consumer):
    """PyTorch cannot say that memory is read-only: it is an alias that can be written."""

    call: ClassVar[str]
    """The call that `take` makes, as an expression of `x`."""

    def check(self, made: Any, row: str) -> None:
        if row != "negative":
            super().check(made, row)
            return
        if version("torch") >= (2, 15):
            with pytest.raises(RuntimeError, match="Storage size calculation overflowed"):
                self.take(made.object)
            return
        # PyTorch 2.13 ends the process. docs/using.md warns of it.
        paths = [str(Path(sys.modules["lab"].__file__ or "").parent), os.environ.get("PYTHONPATH", "")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        command = [sys.executable, "-c", NEGATIVE.format(self.call)]
        ended = subprocess.run(command, env=environment, capture_output=True, check=False)
        assert ended.returncode == -signal.SIGABRT
        assert b"Storage size calculation overflowed" in ended.stderr


class TestTorch(Taking, Producer):
    call = "torch.from_dlpack(x)"
    take = staticmethod(torch.from_dlpack)
    of = staticmethod(torch.from_numpy)
    asks: ClassVar = {"max_version": (1, 0)}
    rows: ClassVar = {
        "float4_e2m1fn": Refused(BufferError, "Unsupported kDLFloat4_e2m1fn"),
        "page-locked": Refused(BufferError, "Unsupported device_type"),
        "refused": Refused(BufferError, r"probe\.Moved: the probe refuses"),
    }
    makes: ClassVar = {"negative": Refused(ValueError, "stride in the given numpy array is negative")}

    @staticmethod
    def numbers(array: Any) -> list[Any]:
        return array.flatten().tolist()

    @pytest.mark.parametrize("way", WAYS)
    def test_other_functions_of_pytorch_share_the_memory(self, aligned: Callable[..., Any], way: str) -> None:
        made = aligned("padded rows")
        assert look(WAYS[way](made.object)) == truth(made.struct)

    @pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3fn"])
    def test_small_floats_are_exchanged(self, lab: ModuleType, dtype: str) -> None:
        tensor = torch.arange(4).to(getattr(torch, dtype))
        made = lab.Moved.from_dlpack(tensor)
        assert (made.dtype, look(made)) == (dtype, look(tensor))
        assert torch.from_dlpack(made).float().tolist() == [0, 1, 2, 3]

    @pytest.mark.parametrize(("copy", "same"), [(True, False), (False, True), (None, True)])
    def test_the_keyword_copy_decides_about_a_copy(
        self, aligned: Callable[..., Any], copy: bool | None, same: bool
    ) -> None:
        made = aligned("padded rows")
        tensor = torch.from_dlpack(made.object, copy=copy)
        assert (tensor.data_ptr() == made.struct.data) == same
        assert tensor.is_contiguous() != same

    def test_the_device_can_be_given_by_name(self, aligned: Callable[..., Any]) -> None:
        made = aligned("compact")
        assert torch.from_dlpack(made.object, device="cpu").data_ptr() == made.struct.data


class TestTo(Taking):
    call = "x.to(torch.Tensor)"
    take = staticmethod(lambda x: x.to(torch.Tensor))
    rows: ClassVar = {
        "float4_e2m1fn": Refused(RuntimeError, "Unsupported kDLFloat4_e2m1fn"),
        "page-locked": Refused(RuntimeError, "Unsupported device_type"),
        "refused": Refused(BufferError, r"probe\.Moved: the probe refuses"),
    }

    test_the_library_calls_dlpack_with_its_keywords = None  # tables call no method

    def test_a_tensor_that_torch_does_not_take_is_released(self, aligned: Callable[..., Any], lab: ModuleType) -> None:
        made, released = aligned("compact", "float4_e2m1fn"), lab.counts()[1]
        with pytest.raises(RuntimeError, match="Unsupported"):
            self.take(made.object)
        made.object = None
        assert lab.counts()[1] == released + 1

    def test_a_write_to_the_tensor_reaches_our_object(self, aligned: Callable[..., Any]) -> None:
        made = aligned("padded rows")
        made.object.to(torch.Tensor).fill_(5)
        assert (np.from_dlpack(made.object) == 5).all()


def test_an_image_and_its_tensor_share_memory(imaging: ModuleType) -> None:
    image = imaging.Image.empty((4, 5, 3))
    tensor, array = torch.from_dlpack(image), np.from_dlpack(image)
    assert (tensor.shape, tensor.stride(), tensor.dtype) == ((4, 5, 3), (64, 3, 1), torch.uint8)
    tensor[3, 4, 2] = 200
    array[0, 0, 0] = 100
    assert array[3, 4, 2] == 200
    assert tensor[0, 0, 0] == 100


def test_a_write_to_an_image_of_a_tensor_reaches_the_tensor(imaging: ModuleType) -> None:
    tensor = torch.zeros((4, 5, 3), dtype=torch.uint8)
    image = imaging.Image.from_dlpack(tensor)
    np.from_dlpack(image)[1, 2] = [1, 2, 3]
    assert tensor[1, 2].tolist() == [1, 2, 3]
    rows: ClassVar = torch.zeros((4, 8, 3), dtype=torch.uint8)[:, :5]
    assert imaging.Image.from_dlpack(rows).strides == (24, 3, 1)


def test_an_image_of_a_wrong_tensor_is_refused(imaging: ModuleType) -> None:
    for tensor, message in (
        (torch.zeros(4, 5, 3), "the dtype is float32, not uint8"),
        (torch.zeros((3, 4, 5), dtype=torch.uint8).permute(1, 2, 0), "strides"),
        (torch.zeros((4, 5), dtype=torch.uint8), "the array has 2 axes, not 3"),
    ):
        with pytest.raises(BufferError, match=message):
            imaging.Image.from_dlpack(tensor)


def test_a_copy_has_the_flag_that_pytorch_trusts(imaging: ModuleType) -> None:
    """Without the flag, PyTorch would copy once more."""
    assert inside(imaging.Image.empty((4, 5, 3)).__dlpack__(copy=True, max_version=(1, 0))).flags == IS_COPIED


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


def test_threads_of_autograd_can_release_the_memory(subject: Callable[..., Any], lab: ModuleType) -> None:
    """These threads hold no GIL when they free the tensors that a graph has saved."""
    made, released = subject((8,), None, "float64"), lab.counts()[1]
    leaf = torch.ones(8, dtype=torch.float64, requires_grad=True)
    product = (leaf * torch.from_dlpack(made.object)).sum()
    made.object = None
    product.backward()
    assert leaf.grad.tolist() == [0.0] * 8
    del product
    gc.collect()
    assert lab.counts()[1] == released + 1


def test_torch_load_reads_objects_within_safe_globals(imaging: ModuleType) -> None:
    """Without `safe_globals`, `torch.load()` reads only tensors and dicts."""
    image = imaging.Image.empty((2, 3, 3))
    np.asarray(image)[...] = np.arange(18).reshape(2, 3, 3)
    file = io.BytesIO()
    torch.save({"image": image, "tensor": torch.ones(2)}, file)
    file.seek(0)
    with pytest.raises(pickle.UnpicklingError, match="imaging"):
        torch.load(file, weights_only=True)
    file.seek(0)
    with torch.serialization.safe_globals([imaging.Image, imaging._rebuild]):
        made = torch.load(file, weights_only=True)
    assert (type(made["image"]), np.asarray(made["image"]).ravel().tolist()) == (imaging.Image, list(range(18)))
    assert made["tensor"].tolist() == [1, 1]
