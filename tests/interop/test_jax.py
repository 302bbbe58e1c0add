# SPDX-License-Identifier: MIT
"""JAX: takes row- or column-major arrays, and shares those that are aligned to 64 bytes.

JAX before 0.12 asks for legacy capsules only. JAX 0.12 exports its own arrays as read-only."""

from __future__ import annotations

import copy
from collections.abc import Callable
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

from interop.producer import Producer
from interop.seen import Copied, Refused, Shared, library, look, version
from python.tensors import compact

jax = library("jax")
ml_dtypes = library("ml_dtypes")
jax.config.update("jax_enable_x64", True)

IS_VERSIONED = version("jax") >= (0, 12)
STRIDED = Refused(RuntimeError, "Only DLPack tensors with trivial")


class TestJax(Producer):
    take = staticmethod(jax.dlpack.from_dlpack)
    of = staticmethod(jax.numpy.asarray)
    writable: ClassVar = False
    asks: ClassVar = {"stream": None, "max_version": (1, 3)} if IS_VERSIONED else {"stream": None}
    usual: ClassVar = Shared(writable=not IS_VERSIONED)
    rows: ClassVar = {
        "padded rows": STRIDED,
        "negative": STRIDED,
        "broadcast": STRIDED,
        "float4_e2m1fn": Refused(RuntimeError, "Unsupported layout" if IS_VERSIONED else "only support default layout"),
        "unaligned": Copied(writable=not IS_VERSIONED),
        "read-only": Shared(writable=False)
        if IS_VERSIONED
        else Refused(BufferError, "read-only data needs a versioned capsule"),
        "page-locked": Refused(RuntimeError, "Unknown backend cuda"),
        "refused": Refused(BufferError, r"probe\.Moved: the probe refuses"),
    }

    def test_jax_does_not_copy_aligned_memory(self, aligned: Callable[..., Any]) -> None:
        """JAX 0.10.2 and 0.12 neither pass copy=True on nor copy."""
        made = aligned("compact")
        array = jax.dlpack.from_dlpack(made.object, copy=True)
        assert look(array).address == made.struct.data

    def test_jax_numpy_refuses_a_dtype_that_is_a_string(self, aligned: Callable[..., Any]) -> None:
        """docs/using.md names another way: `x.to(jax.numpy)`."""
        made = aligned("compact")
        with pytest.raises(ValueError, match="dtype"):
            jax.numpy.asarray(made.object)
        assert look(made.object.to(jax.numpy)).address == made.struct.data

    def test_without_a_copy_unaligned_memory_is_refused(self, aligned: Callable[..., Any]) -> None:
        made = aligned("compact")
        made.struct.data += 16
        with pytest.raises(ValueError, match="copy"):
            jax.dlpack.from_dlpack(made.object, copy=False)

    @pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3fn"])
    def test_small_floats_are_exchanged_in_both_directions(self, lab: ModuleType, dtype: str) -> None:
        array = jax.numpy.arange(4).astype(dtype)
        made = lab.Moved.from_dlpack(array)
        assert made.readonly  # though JAX gives no buffer of them
        again = jax.dlpack.from_dlpack(copy.copy(made))
        assert (made.dtype, look(again)._replace(address=0)) == (dtype, look(array)._replace(address=0))
        assert np.asarray(again).dtype == getattr(ml_dtypes, dtype)
        assert np.asarray(again).tolist() == [0, 1, 2, 3]

    def test_results_of_compiled_functions_are_imported(self, lab: ModuleType) -> None:
        made = lab.Moved.from_dlpack(jax.jit(lambda x: x @ x.T)(jax.numpy.ones((3, 2))))
        assert (made.dtype, list(made.strides)) == ("float64", compact((3, 3)))
        assert (np.from_dlpack(made) == 2).all()

    def test_tracers_of_jax_are_refused(self, lab: ModuleType) -> None:
        with pytest.raises(Exception, match=r"(?i)tracer"):
            jax.jit(lab.Moved.from_dlpack)(jax.numpy.ones(3))

    def test_deleted_arrays_are_refused_with_the_message_of_jax(self, lab: ModuleType) -> None:
        array = jax.numpy.ones(3)
        array.delete()
        with pytest.raises(RuntimeError, match="deleted"):
            lab.Moved.from_dlpack(array)

    def test_jax_refuses_the_padded_rows_of_an_image(self, imaging: ModuleType) -> None:
        image = imaging.Image.empty((4, 64, 1))
        assert look(jax.dlpack.from_dlpack(image)).address == look(image).address
        with pytest.raises(RuntimeError, match="trivial"):
            jax.dlpack.from_dlpack(imaging.Image.empty((4, 5, 3)))
