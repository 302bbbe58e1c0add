"""A slot of an arm overrides the slot beside its `match`, and other slots use the chosen rank and dtype."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from support.build import EXPORTED, build_extension, import_extension

HEADER = Path(__file__).with_name("sheet.h").read_text()

ONE, TWO, THREE = "[self->rows]", "[self->rows, self->columns]", "[self->rows, self->columns, 3]"
OUTER, EACH = "{outer: self->pitch, unit: bytes}", "{each: '2 * (1 + axis)', unit: bytes}"
BESIDE = [
    {"dtype": "uint8", "shape": TWO, "order": "C"},
    {"dtype": "uint8", "shape": TWO, "order": "C", "strides": OUTER},
    {"dtype": "uint16", "shape": THREE, "order": "C"},
    {"dtype": "uint16", "shape": THREE, "order": "C", "strides": EACH},
]
OTHERS = {"dtype": "float32", "order": "F", "strides": OUTER}
SHAPES = {TWO: THREE, THREE: ONE}
"""With more axes, and with fewer."""
CHOICES = [
    chosen for count in range(1, 5) for chosen in itertools.combinations(["dtype", "shape", "order", "strides"], count)
]
ITEMSIZES = {"uint8": 1, "uint16": 2, "float32": 4}
ROWS, COLUMNS, PITCH = 4, 5, 48


class Sheet(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("rows", ctypes.c_int64),
        ("columns", ctypes.c_int64),
        ("pitch", ctypes.c_int64),
        ("mode", ctypes.c_int),
    ]


def other(beside: Mapping[str, str], slot: str) -> str:
    return SHAPES[beside["shape"]] if slot == "shape" else OTHERS[slot]


def tensor(beside: Mapping[str, str], chosen: tuple[str, ...], together: bool) -> str:
    """Returns the spec of a tensor whose mode selects the slots in `chosen`: by the arms of one match if `together`,
    else by one table for each slot."""
    slots = [f"    {slot}: {value}" for slot, value in beside.items() if together or slot not in chosen]
    if together:
        arms = ", ".join(
            f"{{when: {mode}, {', '.join(f'{slot}: {other(beside, slot)}' for slot in changed)}}}"
            for mode, changed in enumerate(changes(chosen, together))
        )
        slots.append(f"    match: {{of: self->mode, arms: [{arms}]}}")
    else:
        for slot in chosen:
            values = {0: beside.get(slot), 1: other(beside, slot)}
            table = ", ".join(f"{mode}: {value}" for mode, value in values.items() if value is not None)
            slots.append(f"    {slot}: {{of: self->mode, map: {{{table}}}}}")
    return "\n".join(["    type: sheet", "    data: self->data", *slots])


def changes(chosen: tuple[str, ...], together: bool) -> list[tuple[str, ...]]:
    """Returns the slots that each mode overrides."""
    if not together:
        return [(), chosen]
    return [chosen, *((slot,) for slot in chosen if len(chosen) > 1)]


def cases() -> dict[str, tuple[Mapping[str, str], tuple[str, ...], bool]]:
    found = {}
    for number, beside in enumerate(BESIDE):
        for chosen in CHOICES:
            for together in (True, False):
                if together or set(chosen) <= {"dtype", "shape", "order"} & set(beside):
                    name = "_".join([f"Tensor{number}", *chosen, *([] if together else ["apart"])])
                    found[name] = (beside, chosen, together)
    return found


CASES = cases()


@pytest.fixture(scope="module")
def overridden(tmp_path_factory: pytest.TempPathFactory) -> tuple[ModuleType, ctypes.PyDLL]:
    directory = tmp_path_factory.mktemp("overridden")
    (directory / "sheet.h").write_text(HEADER, encoding="utf-8")
    tensors = "\n".join(f"  {name}:\n{tensor(*case)}" for name, case in CASES.items())
    spec = f"module: overridden\ninclude: sheet.h\ntensors:\n{tensors}\n"
    path = build_extension("overridden", spec, directory, flags=[EXPORTED, f"-I{directory}"])
    return import_extension("overridden", path), ctypes.PyDLL(str(path))


def expected(slots: Mapping[str, str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Returns the shape, and the strides in elements."""
    sizes = {"self->rows": ROWS, "self->columns": COLUMNS, "3": 3}
    shape = tuple(sizes[word] for word in slots["shape"].strip("[]").split(", "))
    axes = range(len(shape))
    itemsize = ITEMSIZES[slots["dtype"]]
    if slots.get("strides") == EACH:
        return shape, tuple(2 * (1 + axis) // itemsize for axis in axes)
    order = list(axes) if slots["order"] == "F" else list(reversed(axes))
    strides = [0] * len(shape)
    step = 1
    for axis in order:
        strides[axis] = step
        step *= shape[axis]
    if slots.get("strides") == OUTER:
        strides[order[-1]] = PITCH // itemsize
    return shape, tuple(strides)


@pytest.mark.parametrize("name", CASES)
def test_slots_of_the_chosen_arm_replace_those_beside_the_match(
    overridden: tuple[ModuleType, ctypes.PyDLL], name: str
) -> None:
    _, library = overridden
    beside, chosen, together = CASES[name]
    wrap: Any = library[f"overridden_{name.lower()}_wrap"]
    wrap.restype = ctypes.py_object
    memory = ctypes.create_string_buffer(4096)
    for mode, changed in enumerate(changes(chosen, together)):
        slots = {**beside, **{slot: other(beside, slot) for slot in changed}}
        if slots.get("strides") == EACH and slots["dtype"] == "float32":
            continue  # steps of two bytes lead to no float32
        sheet = Sheet(ctypes.addressof(memory), ROWS, COLUMNS, PITCH, mode)
        shown = wrap(ctypes.byref(sheet), ctypes.py_object(memory))
        assert (shown.dtype, shown.shape, shown.strides) == (slots["dtype"], *expected(slots)), (name, changed)
