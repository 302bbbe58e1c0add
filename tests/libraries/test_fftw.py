"""Fourier transforms of FFTW, on the arrays of NumPy and on those of others."""

from __future__ import annotations

import gc
import os
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from libraries.real import Array, count, frozen
from structs.libraries import Library
from structs.producers import aligned

RANDOM = np.random.default_rng(21)
SHAPES = [(1,), (7,), (16,), (4, 6), (3, 1, 5), (2, 3, 2, 3)]


@pytest.fixture(scope="session")
def lib(fftw: Library) -> ModuleType:
    return fftw.module


@pytest.fixture
def unlearned(lib: ModuleType) -> Iterator[None]:
    lib.forget_wisdom()
    yield
    lib.forget_wisdom()


def reals(*shape: int) -> Array:
    return RANDOM.normal(size=shape)


def complexes(*shape: int) -> Array:
    return reals(*shape) + 1j * reals(*shape)


def close(a: Array, b: Array) -> None:
    np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-10)


# ---- In place ----


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_plan_transforms_an_array_in_place(lib: ModuleType, shape: tuple[int, ...]) -> None:
    values = complexes(*shape)
    changed = values.copy()
    forward = lib.InPlace.from_dlpack(changed)
    assert forward.execute() is None
    close(changed, np.fft.fftn(values))
    lib.InPlace.from_dlpack(changed, sign=lib.Direction.BACKWARD, flags=lib.Flags.ESTIMATE).execute()
    close(changed / values.size, values)


def test_a_plan_can_be_used_again(lib: ModuleType) -> None:
    values = np.zeros((4, 3), complex)
    plan = lib.InPlace.from_dlpack(values, flags=lib.Flags.MEASURE)
    for _ in range(3):
        values[...] = new = complexes(4, 3)
        plan.execute()
        close(values, np.fft.fftn(new))


def test_a_plan_keeps_its_array(lib: ModuleType) -> None:
    values = complexes(8)
    alive = weakref.ref(values)
    plan = lib.InPlace.from_dlpack(values)
    del values
    gc.collect()
    plan.execute()
    assert alive() is not None
    del plan
    assert alive() is None


def test_a_plan_keeps_two_arrays(lib: ModuleType) -> None:
    values, spectrum = complexes(8), np.zeros(8, complex)
    expected, shown = np.fft.fft(values), np.asarray(spectrum)
    alive = [weakref.ref(values), weakref.ref(spectrum)]
    plan = lib.Transform(values, spectrum)
    del values, spectrum
    gc.collect()
    plan.execute()
    close(shown, expected)
    assert all(each() is not None for each in alive)
    del plan, shown
    gc.collect()
    assert all(each() is None for each in alive)


def test_a_plan_transforms_every_row(lib: ModuleType) -> None:
    values = complexes(3, 5)
    plan, spectra = lib.Transform.rows(values)
    plan.execute()
    close(np.asarray(spectra), np.fft.fft(values))
    back, same = lib.Transform.rows(spectra, np.zeros((3, 5), complex), sign=lib.Direction.BACKWARD)
    back.execute()
    close(same / 5, values)
    with pytest.raises(ValueError, match=r"rows\(\) argument 'dst' must have shape \(3, 5\), not \(5, 3\)"):
        lib.Transform.rows(values, np.zeros((5, 3), complex))


def test_a_with_block_destroys_a_plan(lib: ModuleType) -> None:
    values = complexes(8)
    alive = weakref.ref(values)
    with lib.InPlace.from_dlpack(values) as plan:
        del values
        assert alive() is not None
    assert alive() is None
    for use in (plan.execute, plan.flops, plan.sprint, lambda: plan.cost):
        with pytest.raises(ValueError, match=r"fftw\.InPlace: the object is closed"):
            use()


def test_a_plan_reports_its_cost(lib: ModuleType) -> None:
    plan = lib.InPlace.from_dlpack(complexes(64))
    add, multiply, fused = plan.flops()
    assert add > 0 and multiply >= 0 and fused >= 0
    assert plan.sprint().startswith("(dft")
    assert plan.cost >= 0.0
    assert str(plan).startswith("<fftw.InPlace at ")
    with pytest.raises(TypeError, match="InPlace"):
        lib.InPlace()


IMPORTS: dict[str, tuple[Array, dict[str, Any], type[Exception], str]] = {
    "real": (count(4), {}, BufferError, r"fftw\.InPlace: the dtype is float64, not complex128"),
    "with gaps": (
        count(4, 4, dtype=complex)[:, ::2],
        {},
        BufferError,
        r"fftw\.InPlace: the array must be compact \(row-major\); it has strides \(4, 2\)",
    ),
    "read-only": (
        frozen(count(4, dtype=complex)),
        {},
        BufferError,
        r"fftw\.InPlace: the array is read-only, and must be writable",
    ),
    "nine axes": (count(*[1] * 9, dtype=complex), {}, BufferError, r"fftw\.InPlace: the array has 9 axes, not 1 to 8"),
    "no elements": (
        count(0, dtype=complex),
        {},
        RuntimeError,
        r"fftw\.InPlace: fftw_plan_dft\(rank, n, data, data, sign, flags\) failed",
    ),
    "a fraction": (
        count(4, dtype=complex),
        {"sign": 2.5},
        TypeError,
        r"from_dlpack\(\) argument 'sign' must be int, not float",
    ),
    "what there is not": (
        count(4, dtype=complex),
        {"direction": 1},
        TypeError,
        r"from_dlpack\(\) got an unexpected keyword argument 'direction'",
    ),
}


@pytest.mark.parametrize("case", IMPORTS)
def test_wrong_arrays_and_arguments_of_a_plan_in_place_are_refused(lib: ModuleType, case: str) -> None:
    array, keywords, exception, message = IMPORTS[case]
    with pytest.raises(exception, match=rf"^{message}$"):
        lib.InPlace.from_dlpack(array, **keywords)


# ---- From one array into another ----


@pytest.mark.parametrize("effort", ["ESTIMATE", "MEASURE"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_plan_transforms_complex_arrays(lib: ModuleType, shape: tuple[int, ...], effort: str) -> None:
    values, target = complexes(*shape), np.zeros(shape, complex)
    plan = lib.Plan(list(shape), np.zeros_like(values), target, flags=effort)
    assert plan.execute(values, target) is None
    close(target, np.fft.fftn(values))
    back = lib.Plan(np.array(shape, np.intc), np.zeros_like(values), target.copy(), lib.Direction.BACKWARD)
    again = np.zeros(shape, complex)
    back.execute(src=target, dst=again)
    close(again / values.size, values)


def test_a_plan_can_take_its_shape_from_an_array(lib: ModuleType) -> None:
    values, target = complexes(4, 6), np.zeros((4, 6), complex)
    lib.Plan.dft_2d(values, target).execute(values, target)
    close(target, np.fft.fft2(values))
    lib.Plan.dft_1d(values, target, "BACKWARD").execute(values, target)
    close(target.ravel() / 24, np.fft.ifft(values.ravel()))


@pytest.mark.parametrize("shape", [(9,), (16,), (4, 6), (3, 4, 5)], ids=str)
def test_a_plan_transforms_real_arrays(lib: ModuleType, shape: tuple[int, ...]) -> None:
    values = reals(*shape)
    half = np.zeros((*shape[:-1], shape[-1] // 2 + 1), complex)
    lib.RealPlan(shape, values.copy(), half.copy()).execute(values, half)
    close(half, np.fft.rfftn(values))
    again = np.zeros(shape)
    lib.InversePlan(shape, half.copy(), again).execute(half, again)
    close(again / values.size, values)


SOURCES: dict[str, Callable[[Array], Any]] = {
    "read-only": lambda values: frozen(values.copy()),
    "by columns": lambda values: np.asfortranarray(values),
    "with gaps": lambda values: np.repeat(values, 2, axis=1)[:, ::2],
    "backwards": lambda values: values[::-1].copy()[::-1],
    "not aligned": lambda values: _offset(values),
    "a buffer": lambda values: memoryview(values),
    "a capsule": lambda values: values.__dlpack__(max_version=(1, 0)),
}


def _offset(values: Array) -> Array:
    moved = aligned(values.size, complex, offset=8).reshape(values.shape)
    moved[...] = values
    return moved


@pytest.mark.parametrize("way", SOURCES)
def test_sources_are_copied_where_the_layout_demands_it(lib: ModuleType, way: str) -> None:
    values, target = complexes(4, 6), np.zeros((4, 6), complex)
    plan = lib.Plan((4, 6), values.copy(), target)
    plan.execute(SOURCES[way](values), target)
    close(target, np.fft.fft2(values))


@pytest.mark.parametrize("way", ["by columns", "with gaps", "backwards", "not aligned"])
def test_targets_are_copied_back(lib: ModuleType, way: str) -> None:
    values, target = complexes(4, 6), SOURCES[way](np.zeros((4, 6), complex))
    lib.Plan((4, 6), values.copy(), values.copy()).execute(values, target)
    close(target, np.fft.fft2(values))


def test_the_alignment_of_an_array_is_measured(lib: ModuleType) -> None:
    assert lib.alignment_of(aligned(4, float)) == 0
    assert lib.alignment_of(aligned(4, float, offset=8)) != 0


def test_a_list_is_transformed(lib: ModuleType) -> None:
    given, found = [1 + 2j, 3.0, -4j, 5], np.zeros(4, complex)
    lib.Plan([4], Z.copy(), Z.copy()).execute(given, found)
    np.testing.assert_allclose(found, np.fft.fft(given))


# ---- Refused arguments ----

Z, ROW = count(4, dtype=complex), count(4)
REFUSED: dict[str, tuple[Callable[[ModuleType, Any], object], type[Exception], str]] = {
    "real for complex": (
        lambda lib, plan: plan.execute(ROW, Z),
        BufferError,
        r"execute\(\) argument 'src': the dtype is float64, not complex128",
    ),
    "complex for real": (
        lambda lib, plan: lib.RealPlan([4], Z, Z),
        BufferError,
        r"RealPlan\(\) argument 'src': the dtype is complex128, not float64",
    ),
    "a list to be written to": (
        lambda lib, plan: plan.execute(Z, [0j, 1j, 2j, 3j]),
        TypeError,
        r"execute\(\) argument 'dst' must be an array, not list",
    ),
    "a read-only target": (
        lambda lib, plan: plan.execute(Z, frozen(Z.copy())),
        BufferError,
        r"execute\(\) argument 'dst': the array is read-only, and must be writable",
    ),
    "what an inverse destroys": (
        lambda lib, plan: lib.InversePlan([4], frozen(Z.copy()), ROW),
        BufferError,
        r"InversePlan\(\) argument 'src': the array is read-only, and must be writable",
    ),
    "one axis for two": (
        lambda lib, plan: lib.Plan.dft_2d(Z, Z),
        BufferError,
        r"dft_2d\(\) argument 'src': the array has 1 axis, not 2",
    ),
    "less room than data": (
        lambda lib, plan: lib.Plan.dft_1d(Z, count(3, dtype=complex)),
        ValueError,
        r"dft_1d\(\) argument 'dst' must have 4 elements, not 3",
    ),
    "room of another shape": (
        lambda lib, plan: lib.Plan.dft_2d(count(2, 3, dtype=complex), count(3, 2, dtype=complex)),
        ValueError,
        r"dft_2d\(\) argument 'dst' must have shape \(2, 3\), not \(3, 2\)",
    ),
    "gaps in a plan": (
        lambda lib, plan: lib.Plan.dft_1d(count(8, dtype=complex)[::2], Z),
        BufferError,
        r"dft_1d\(\) argument 'src': the array must be compact \(row-major\); it has strides \(2\)",
    ),
    "no target": (
        lambda lib, plan: plan.execute(Z),
        TypeError,
        r"execute\(\) missing required argument 'dst' \(pos 2\)",
    ),
    "None": (
        lambda lib, plan: plan.execute(Z, None),
        TypeError,
        r"execute\(\) argument 'dst' must be an array, not None",
    ),
    "no direction": (
        lambda lib, plan: lib.Plan([4], Z, Z, 7),
        ValueError,
        r"Plan\(\) argument 'sign': 7 is not a valid Direction",
    ),
    "no effort": (
        lambda lib, plan: lib.Plan([4], Z, Z, flags="FAST"),
        ValueError,
        r"Plan\(\) argument 'flags': 'FAST' is not a member of Flags: ESTIMATE, MEASURE, PATIENT, "
        "EXHAUSTIVE, WISDOM_ONLY, DESTROY_INPUT, PRESERVE_INPUT, UNALIGNED",
    ),
    "sizes that no int holds": (
        lambda lib, plan: lib.Plan([2**31], Z, Z),
        OverflowError,
        r"Plan\(\) argument 'n\[0\]': signed 32-bit integer is greater than maximum",
    ),
    "a size of 0": (lambda lib, plan: lib.Plan([0], Z, Z), ValueError, r"Plan\(\): fftw_plan_dft\(\) failed"),
    "a size alone": (
        lambda lib, plan: lib.Plan(4, Z, Z),
        TypeError,
        r"Plan\(\) argument 'n' must be an array or a sequence of numbers, not int",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_wrong_arguments_of_a_plan_are_refused(lib: ModuleType, case: str) -> None:
    call, exception, message = REFUSED[case]
    plan = lib.Plan([4], Z.copy(), Z.copy())
    with pytest.raises(exception, match=rf"^{message}$"):
        call(lib, plan)


# ---- Wisdom ----


@pytest.mark.usefixtures("unlearned")
def test_wisdom_is_exported_as_a_string(lib: ModuleType) -> None:
    nothing = lib.export_wisdom()
    assert "fftw_wisdom" in nothing
    lib.InPlace.from_dlpack(complexes(30), flags=lib.Flags.MEASURE)
    learnt = lib.export_wisdom()
    assert len(learnt) > len(nothing)
    lib.forget_wisdom()
    assert lib.export_wisdom() == nothing
    assert lib.import_wisdom(learnt) is None
    assert sorted(lib.export_wisdom()) == sorted(learnt)
    with pytest.raises(ValueError, match=r"^import_wisdom\(\): this is no wisdom of this FFTW \(wisdom='none'\)$"):
        lib.import_wisdom("none")


@pytest.mark.usefixtures("unlearned")
def test_wisdom_is_saved_to_a_file(lib: ModuleType, tmp_path: Path) -> None:
    lib.InPlace.from_dlpack(complexes(30), flags=lib.Flags.MEASURE)
    learnt = lib.export_wisdom()
    path = tmp_path / "wisdom"
    lib.save_wisdom(path)
    lib.forget_wisdom()
    lib.load_wisdom(os.fsencode(path))
    assert sorted(lib.export_wisdom()) == sorted(learnt)
    for call in (lib.save_wisdom, lib.load_wisdom):
        with pytest.raises(FileNotFoundError) as caught:
            call(tmp_path / "nowhere" / "wisdom")
        assert caught.value.filename == tmp_path / "nowhere" / "wisdom"


def test_the_module_has_its_constants(lib: ModuleType) -> None:
    assert lib.VERSION.startswith("fftw-3.")
    assert {each.name: int(each) for each in lib.Direction} == {"FORWARD": -1, "BACKWARD": 1}
    assert lib.set_timelimit(lib.NO_TIMELIMIT) is None
    assert lib.NO_TIMELIMIT == -1.0
