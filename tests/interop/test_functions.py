# SPDX-License-Identifier: MIT
"""Functions of GSL and FFTW on the tensors of PyTorch, in place."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from interop.seen import library
from libraries.real import load

torch = library("torch")


@pytest.fixture(scope="session")
def gsl(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return load("gsl", tmp_path_factory.mktemp("gsl-")).module


@pytest.fixture(scope="session")
def fftw(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return load("fftw", tmp_path_factory.mktemp("fftw-")).module


def numbers(*shape: int, dtype: Any = torch.float64) -> Any:
    return torch.randn(shape, dtype=dtype, generator=torch.Generator().manual_seed(22))


@pytest.mark.parametrize("step", [1, 3])
def test_statistics_of_tensors_agree_with_pytorch(gsl: ModuleType, step: int) -> None:
    values = numbers(30)[::step]
    assert gsl.mean(values) == pytest.approx(values.mean().item())
    assert gsl.sd(values) == pytest.approx(values.std().item())
    assert gsl.mean_of_floats(values.float()) == pytest.approx(values.mean().item(), rel=1e-5)


def test_tensors_are_written_in_place(gsl: ModuleType) -> None:
    whole = numbers(20)
    expected = whole.clone()
    expected[1::4] = expected[1::4].sort().values
    gsl.sort(whole[1::4])
    assert torch.equal(whole, expected)


def test_products_of_tensors_agree_with_pytorch(gsl: ModuleType) -> None:
    a, b, c = numbers(3, 6)[:, :4], numbers(4, 2), torch.zeros(3, 2, dtype=torch.float64)
    gsl.dgemm("NO", "NO", 1, a, b, 0, c)
    assert torch.allclose(c, a @ b)
    c.zero_()
    gsl.dgemm("YES", "NO", 1, a.T.contiguous(), b, 0, c)
    assert torch.allclose(c, a @ b)


def test_solutions_of_equations_agree_with_pytorch(gsl: ModuleType) -> None:
    a, b = numbers(5, 5), numbers(5)
    lu, order = a.clone(), torch.arange(5).to(torch.uint64)
    sign = gsl.LU_decomp(lu, order)
    assert gsl.LU_det(lu, sign) == pytest.approx(torch.linalg.det(a).item())
    made = gsl.LU_solve(lu, order, b)
    assert torch.allclose(torch.from_dlpack(made), torch.linalg.solve(a, b))
    x = torch.zeros(10, dtype=torch.float64)[::2]
    assert gsl.LU_solve(lu, order, b, x) is x
    assert torch.allclose(a @ x, b)


def test_a_tensor_is_transformed_in_place(fftw: ModuleType) -> None:
    values = numbers(4, 6, dtype=torch.complex128)
    expected = torch.fft.fft2(values)
    with fftw.InPlace.from_dlpack(values) as plan:
        plan.execute()
    assert torch.allclose(values, expected)


def test_real_tensors_are_transformed(fftw: ModuleType) -> None:
    values, half = numbers(3, 8), torch.zeros(3, 5, dtype=torch.complex128)
    fftw.RealPlan(values.shape, values.clone(), half).execute(values, half)
    assert torch.allclose(half, torch.fft.rfft2(values))


def test_a_conjugate_is_not_taken_for_its_source(fftw: ModuleType) -> None:
    values = numbers(8, dtype=torch.complex128)
    with pytest.raises(BufferError, match="conjugate"):
        fftw.InPlace.from_dlpack(values.conj())


REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "single precision": (
        lambda: numbers(3).float(),
        BufferError,
        r"sort\(\) argument 'data': the dtype is float32, not float64",
    ),
    "two axes": (lambda: numbers(3, 3), BufferError, r"sort\(\) argument 'data': the array has 2 axes, not 1"),
    "without memory": (
        lambda: numbers(3).to("meta"),
        BufferError,
        r"^sort\(\) argument 'data': Cannot pack tensors on meta$",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_tensors_that_gsl_cannot_use_are_refused(gsl: ModuleType, case: str) -> None:
    make, exception, message = REFUSED[case]
    with pytest.raises(exception, match=message):
        gsl.sort(make())
