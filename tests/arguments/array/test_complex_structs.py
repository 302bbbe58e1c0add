"""Structs of a real and an imaginary part, which most C libraries have for complex numbers."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("phasors.h").read_text()
SPEC = """
module: phasors
include: phasors.h
arrays: Array
numbers: {phasor: complex, tone: complex, struct wave: complex, exact: complex}
constants: {UNIT: {value: "(phasor){0, 1}", type: complex}, TWO: {value: 2.0 * I, type: complex}}
tensors:
  Taps: {type: bank, data: self->taps, dtype: {c: phasor}, shape: [self->count]}
handles:
  Bank:
    type: bank
    release: bank_free(self)
    new: {c: bank *bank_new(int n)}
    properties:
      gain: {get: self->gain, type: complex, set: true}
      low: {get: self->low, type: complex, set: true}
      high: {get: self->high, type: complex, set: true}
      level: {get: self->level, type: complex}
      called: {get: bank_gain(self), type: complex, set: {c: "void bank_set(bank *b, phasor gain)"}}
    methods:
      borrowed: {c: const phasor *bank_taps(const bank *b), returns: {of: array, shape: [b->count], borrow: b}}
functions:
  turned: {c: phasor turned(phasor z), args: {z: {default: "{1, 2}"}}}
  halved: {c: tone halved(tone z)}
  flipped: {c: struct wave flipped(struct wave z)}
  squared: {c: exact squared(exact z), args: {z: {default: 1.0}}}
  sum: {c: "phasor sum(const phasor *z, int n)", args: {n: {count_of: z}}}
  energy: {c: "double energy(const tone *z, size_t n)", args: {n: {count_of: z}}}
  loudest: {c: "double loudest(const struct wave *z, int n)", args: {n: {count_of: z}}}
  conjugate: {c: "void conjugate(phasor *z, int n)", args: {n: {count_of: z}}}
  circle: {c: "void circle(phasor *z, int n)", args: {z: {default: new, require: [{count: n}]}}}
  split: {c: "void split(int at, phasor *z, tone *t, exact *e)", args: {z: {out: true}, t: {out: true}, e: {out: true}}}
  roots: {c: "void roots(phasor found[3])", args: {found: {out: true}}}
  array: {c: "void roots(phasor found[3])", args: {found: {out: true, of: array}}}
  reversed: {c: void reversed(phasor *z), args: {z: complex}, returns: [z]}
  code:
    c: int code(const void *z, int kind)
    args: {kind: {code_of: z, map: {7: {c: phasor}, 8: {c: tone}}}, z: array}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("phasors")


@pytest.fixture(scope="module")
def phasors(folder: Path) -> ModuleType:
    return build_module("phasors", SPEC, folder, HEADER)


def test_a_complex_struct_is_passed_and_returned_by_value(phasors: ModuleType) -> None:
    assert (phasors.turned(1 + 2j), phasors.turned(3), phasors.turned()) == (-2 + 1j, 3j, -2 + 1j)
    assert (phasors.halved(1 + 2j), phasors.flipped(1 + 2j)) == (0.5 + 1j, 2 + 1j)
    assert (phasors.squared(2j), phasors.squared()) == (-4, 1)
    with pytest.raises(OverflowError, match=r"halved\(\) argument 'z': Python float too large"):
        phasors.halved(1e300j)
    with pytest.raises(TypeError, match=r"turned\(\) argument 'z' must be complex number, not str"):
        phasors.turned("1j")


def test_complex_arrays_are_passed_as_arrays_of_structs(phasors: ModuleType) -> None:
    z = np.arange(4) + 1j
    assert phasors.sum(z) == phasors.sum([0 + 1j, 1 + 1j, 5 + 2j]) == 6 + 4j
    assert phasors.energy(z.astype(np.complex64)) == phasors.energy([1j, 1, 2 + 3j]) + 3
    assert phasors.loudest(np.array([1j, 3j], np.complex64)) == 3
    phasors.conjugate(z)
    assert z.tolist() == [-1j, 1 - 1j, 2 - 1j, 3 - 1j]
    for wrong in (z.astype(np.complex64), z.real.copy(), np.zeros((4, 2))):
        with pytest.raises(BufferError, match="not complex128"):
            phasors.sum(wrong)
    with pytest.raises(BufferError, match="not complex64"):
        phasors.energy(z)
    assert (phasors.code(z), phasors.code(z.astype(np.complex64))) == (7, 8)


def test_arrays_of_complex_structs_are_returned_as_complex_arrays(phasors: ModuleType) -> None:
    made = np.from_dlpack(phasors.circle(n=3))
    assert (made.tolist(), made.dtype) == ([3j, 1 + 3j, 2 + 3j], np.complex128)
    assert np.from_dlpack(phasors.array()).tolist() == list(phasors.roots()) == [0, 1 + 2j, 2 + 4j]
    bank = phasors.Bank(2)
    assert np.from_dlpack(bank.borrowed()).tolist() == np.from_dlpack(bank.taps()).tolist() == [2j, 1 + 2j]


def test_complex_structs_that_c_fills_are_returned(phasors: ModuleType) -> None:
    assert phasors.split(5) == (5 + 1j, 5 + 2j, 5)
    assert phasors.reversed(1 + 2j) == 2 + 1j


def test_members_and_constants_can_be_complex_structs(phasors: ModuleType) -> None:
    bank = phasors.Bank(1)
    bank.gain, bank.low, bank.high = 1 + 2j, 3 + 4j, 5
    assert (bank.gain, bank.low, bank.high, bank.level, bank.called) == (1 + 2j, 3 + 4j, 5, 2.5, 1 + 2j)
    bank.called = 7j
    assert bank.gain == 7j
    with pytest.raises(OverflowError, match=r"attribute 'low' cannot hold 1e\+300j"):
        bank.low = 1e300j
    assert bank.low == 3 + 4j
    assert (phasors.UNIT, phasors.TWO) == (1j, 2j)


def test_stubs_show_complex(phasors: ModuleType, folder: Path) -> None:
    stub = (folder / "phasors.pyi").read_text()
    assert "def turned(z: complex = ...) -> complex: ...\n" in stub
    assert "z: _Array | collections.abc.Sequence[complex]) -> complex:" in stub
    assert phasors.turned.__doc__
