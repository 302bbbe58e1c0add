"""Nodes become specs: slots that are chosen at run time."""

from __future__ import annotations

import pytest

from dlpack_bindgen.tensor.dtype import CTypeDType, NamedDType
from dlpack_bindgen.tensor.shape import EachShape, ListedShape
from dlpack_bindgen.tensor.slot import Conditional
from dlpack_bindgen.tensor.slots import Arm, Match, Slots
from dlpack_bindgen.tensor.strides import EachStrides
from support.validated import spec, tensor


def test_a_match_can_have_every_key() -> None:
    found = tensor("""\
dtype: uint8
match:
  of: [self->format, plane]
  arms:
    - {when: [GRAY, 0], shape: [h, w], import: true}
    - {when: [{any: [A, B]}, _], shape: [h, w, 3], dtype: [{if: DEEP, value: uint16}, {value: uint8}], if: COLOUR}
  default: {shape: {ndim: 0, each: 0}, order: F}""")
    assert found.matches == (
        Match(
            ("self->format", "plane"),
            (
                Arm((("GRAY",), ("0",)), Slots(shape=ListedShape(("h", "w"))), imports=True),
                Arm(
                    (("A", "B"), None),
                    Slots(
                        dtype=Conditional((("DEEP", NamedDType("uint16")),), NamedDType("uint8")),
                        shape=ListedShape(("h", "w", "3")),
                    ),
                    condition="COLOUR",
                ),
            ),
            Slots(shape=EachShape("0", "0"), order="F"),
        ),
    )
    assert found.matches[0].slots == ("dtype", "shape", "order")


@pytest.mark.parametrize("when", ["K", "[K]", "{any: [K]}", "[{any: [K]}]"])
def test_one_key_of_a_match_can_be_written_in_several_ways(when: str) -> None:
    match = tensor(f"match: {{of: self->k, arms: [{{when: {when}, order: F}}]}}").matches[0]
    assert match.arms[0].when == (("K",),)


def test_choices_come_first_and_every_slot_has_them() -> None:
    found = tensor("""\
match: [{of: a, arms: [{when: _, readonly: 1}]}]
data: {of: self->k, map: {A: self->a, B: self->b}}
strides: {of: self->k, map: {A: [1], B: {outer: 2}}, default: {each: "self->s[axis]"}}""")
    assert [match.of for match in found.matches] == [("self->k",), ("self->k",), ("a",)]
    assert [match.slots for match in found.matches] == [("strides",), ("data",), ("readonly",)]
    assert found.matches[0].default == Slots(strides=EachStrides("self->s[axis]"))
    assert found.matches[2].arms[0].when == (None,)


def test_arms_say_whether_imports_take_them() -> None:
    found = tensor("""\
match:
  of: self->k
  arms: [{when: A, dtype: int8, import: false}, {when: B, dtype: int8}, {when: C, dtype: int16, import: true}]
import: {construct: "t_view(data, code)", destroy: none}""")
    assert [arm.imports for arm in found.matches[0].arms] == [False, None, True]


def test_maps_are_shared() -> None:
    text = """\
module: m
maps:
  types: {A: int8, B: {c: long}}
tensors:
  T: {type: t, data: p, dtype: {of: self->k, map: types}, shape: []}
  U: {type: u, data: p, dtype: {of: self->k, map: types, default: bool}, shape: []}
"""
    first, second = spec(text).tensors
    assert first.matches[0].arms == second.matches[0].arms
    assert first.matches[0].arms[1] == Arm((("B",),), Slots(dtype=CTypeDType("long")))


def test_one_match_can_choose_order_and_strides() -> None:
    match = tensor("match: {of: self->k, arms: [{when: A, order: F, strides: [1]}]}").matches[0]
    assert match.slots == ("order", "strides")
