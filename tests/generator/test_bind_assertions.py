"""The compile-time checks of a description: their messages and their places, and when they are left out."""

from __future__ import annotations

from dlpack_bindgen.tensor.item import CallStep, Let
from dlpack_bindgen.tensor.shape import ListedShape
from dlpack_bindgen.tensor.slots import Arm, Match, Slots
from dlpack_bindgen.tensor.strides import OuterStride
from generator.bind_specs import bound, either, function


def asserted(slots: dict[str, object] | None = None, **changes: object) -> list[str]:
    describe = function(bound(slots, **changes), "describe")
    slots = next(i for i, line in enumerate(describe.lines) if line.startswith(("view->", "if (", "dlb_")))
    return [line for line in describe.lines[:slots] if line.startswith(("DLB_ASSERT", "#"))]


def test_assertions_quote_tensor_slot_and_expression() -> None:
    what = "a struct with members (write 'pass: value' if it is a pointer)"
    assert asserted() == [
        f'DLB_ASSERT_STRUCT(*self, "Image.type: image_t must be {what}");',
        'DLB_ASSERT_DATA(self->pixels, kDLUInt, 8, "Image.data: self->pixels must be a pointer to uint8");',
        'DLB_ASSERT_INTEGER(self->height, "Image.shape[0]: self->height must be an integer");',
        'DLB_ASSERT_INTEGER(self->width, "Image.shape[1]: self->width must be an integer");',
    ]


def test_a_difference_must_be_signed() -> None:
    line = asserted({"shape": ListedShape(("self->end - self->begin", "3"))})[2]
    assert line.startswith("DLB_ASSERT_SIGNED(self->end - self->begin, ")


def test_assertions_stand_behind_the_variables_that_they_need() -> None:
    describe = function(
        bound({"data": "row"}, let=(Let("char *", "row", "self->row"), CallStep("f(self)"))), "describe"
    )
    lines = list(describe.lines)
    declared = next(i for i, line in enumerate(lines) if line.startswith("char *row"))
    data = next(i for i, line in enumerate(lines) if line.startswith("DLB_ASSERT_DATA(row"))
    shape = next(i for i, line in enumerate(lines) if line.startswith("DLB_ASSERT_INTEGER(self->height"))
    assert shape < declared < data


def test_assertions_stand_under_the_condition_of_their_slot_or_arm() -> None:
    found = asserted({"strides": either(OuterStride("self->a * itemsize"), None)})
    assert found[4:7] == [
        "#if defined(FIRST)",
        "DLB_ASSERT_INTEGER(self->a * dlb_itemsize(view->tensor->dtype), "
        '"Image.strides.outer: self->a * itemsize must be an integer");',
        "#endif",
    ]
    arms = (Arm((("A",),), Slots(data="self->a"), condition="defined(A)"), Arm((("B",),), Slots(data="self->b")))
    found = asserted({"data": None}, matches=(Match(("self->kind",), arms),))
    start = found.index("#if defined(A)")
    assert "self->a" in found[start + 1] and found[start + 2] == "#endif" and "self->b" in found[start + 3]


def test_no_assertion_is_repeated() -> None:
    extent = Slots(shape=ListedShape(("self->n",)))
    arms = (
        Arm((("A",),), extent),
        Arm((("B",),), extent, condition="defined(B)"),
        Arm((("C",),), Slots(shape=either(extent.shape, ListedShape(("1",))))),
    )
    found = asserted({"shape": None}, matches=(Match(("self->kind",), arms),))
    assert sum("self->n," in line for line in found) == 1
    assert not any(line.startswith("#") for line in found)
    found = asserted({"shape": None}, matches=(Match(("self->kind",), (arms[1], arms[0])),))
    assert [line for line in found if line.startswith("#") or "self->n," in line] == [
        "#if defined(B)",
        integer := 'DLB_ASSERT_INTEGER(self->n, "Image.shape[0]: self->n must be an integer");',
        "#endif",
        integer,
    ]
