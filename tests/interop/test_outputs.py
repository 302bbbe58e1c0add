# SPDX-License-Identifier: MIT
"""`outputs: as given` with PyTorch, whose table allocates, with JAX, whose arrays are immutable, and with libraries
whose arrays are always writable."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from interop.seen import library
from support.build import TOP, build_module

SHARES = TOP / "tests" / "relations" / "outputs"


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    spec, header = (SHARES / f"shares.{ending}" for ending in ("yaml", "h"))
    folder: Path = tmp_path_factory.mktemp("shares")
    return build_module("shares", spec.read_text(), folder, header.read_text(), '#include "shares.h"\nint living;\n')


class TestTorch:
    @pytest.fixture
    def torch(self) -> Any:
        return library("torch")

    def test_a_new_output_is_memory_of_pytorch(self, lib: ModuleType, torch: Any) -> None:
        x = torch.ones(3, dtype=torch.float64)
        made = [lib.half(x), lib.cross(x, [1.0, 2.0, 3.0]), lib.outer(x, np.ones(2)), *lib.divide(x)]
        assert {type(each) for each in made} == {torch.Tensor}
        assert made[0].tolist() == [0.5] * 3
        assert made[2].tolist() == [[1, 1]] * 3
        with torch.profiler.profile() as profile:
            lib.half(x)
            lib.copied(x)
        assert [each.name for each in profile.events()].count("aten::empty") == 1  # by half()

    def test_other_results_become_tensors_without_a_copy(self, lib: ModuleType, torch: Any) -> None:
        x = torch.ones(3, dtype=torch.float64)
        assert lib.copied(x).tolist() == [1] * 3
        line = lib.line_all(x)
        assert line.data_ptr() == x.data_ptr()
        assert [each.tolist() for each in lib.above(torch.arange(4.0, dtype=torch.float64), 1.5)] == [[2, 3], [2, 3]]

    def test_read_only_memory_is_copied(self, lib: ModuleType, torch: Any) -> None:
        """PyTorch has no read-only tensors for computations, and this memory is declared as `const` in C."""
        x = torch.ones(3, dtype=torch.float64)
        fixed = np.asarray(lib.own_steps(x))
        made = [lib.steps(x), *lib.two_steps(x), lib.line_rest(x), lib.Table().scaled(torch.ones(4, dtype=x.dtype))]
        for each in made:
            assert type(each) is torch.Tensor
            each += 1
        assert made[0].tolist() == [2, 11, 101, 3, 21, 201]
        assert fixed.tolist() == [1, 10, 100, 2, 20, 200]
        assert x.tolist() == [1] * 3

    def test_subclasses_of_tensors_give_plain_tensors(self, lib: ModuleType, torch: Any) -> None:
        class Own(torch.Tensor):
            pass

        x = torch.ones(3, dtype=torch.float64)
        for given in (x.as_subclass(Own), torch.nn.Parameter(x)):
            assert type(lib.half(given)) is torch.Tensor

    def test_a_new_output_has_the_dtype_of_the_argument(self, lib: ModuleType, torch: Any) -> None:
        scales = torch.ones(3).to(torch.float8_e8m0fnu)
        made = lib.half_scales(scales)
        assert (type(made), made.dtype) == (torch.Tensor, torch.float8_e8m0fnu)


class TestJax:
    def test_arrays_of_jax_are_made_after_the_call(self, lib: ModuleType) -> None:
        jax = library("jax")
        jax.config.update("jax_enable_x64", True)
        x = jax.numpy.ones(3, dtype="float64")
        made = [lib.half(x), lib.cross(x, [1.0, 2.0, 3.0]), lib.copied(x), *lib.divide(x)]
        made += [lib.steps(x), *lib.two_steps(x), lib.line_rest(x)]  # read-only memory, which JAX before 0.12 copies
        assert all(isinstance(each, jax.Array) for each in made)
        assert made[5].tolist() == [1, 10, 100, 2, 20, 200]
        assert made[0].tolist() == [0.5] * 3
        assert made[1].tolist() == [1, -2, 1]


class TestWritableLibraries:
    """Libraries that ignore the flag READ_ONLY, or ask for capsules without flags."""

    def test_warp_gets_writable_copies_of_read_only_results(self, lib: ModuleType) -> None:
        warp = library("warp")
        warp.init()
        x = warp.ones(3, dtype=warp.float64, device="cpu")
        made = lib.steps(x)
        assert type(made) is type(x)
        made.fill_(7)
        assert np.asarray(lib.own_steps(x)).tolist() == [1, 10, 100, 2, 20, 200]

    def test_tvm_ffi_gets_writable_copies_of_read_only_results(self, lib: ModuleType) -> None:
        tvm_ffi = library("tvm_ffi")
        x = tvm_ffi.from_dlpack(np.ones(3))
        made = lib.steps(x)
        assert type(made) is type(x)
        np.from_dlpack(made)[:] = 7
        assert np.asarray(lib.own_steps(x)).tolist() == [1, 10, 100, 2, 20, 200]
