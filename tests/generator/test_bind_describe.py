"""The description of a tensor: the statements of each slot, their order, and choices by the object or by `#if`."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dlpack_bindgen.dlpack import DType
from dlpack_bindgen.tensor.data_and_device import Device
from dlpack_bindgen.tensor.dtype import CTypeDType, DecodedDType, NumberedDType
from dlpack_bindgen.tensor.item import Let
from dlpack_bindgen.tensor.requirements import Check
from dlpack_bindgen.tensor.shape import EachShape, ListedShape
from dlpack_bindgen.tensor.slot import Conditional
from dlpack_bindgen.tensor.slots import Arm, Match, Slots
from dlpack_bindgen.tensor.strides import EachStrides, ListedStrides, OuterStride, RowPointers
from generator.bind_specs import FLOAT32, FLOAT64, UINT8, by_dtype, described, either

SELF = "image_t *self = object;"
END = "return dlb_view_finish_fixed(view, DLB_DTYPE(kDLUInt, 8), 2, error);"
COMPACT = "dlb_compact(view, 2);"
DTYPE = "view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);"
CPU = "view->tensor->device = DLB_CPU;"
SHAPE = ["dlb_extent(view, 0, DLB_INTEGER(self->height));", "dlb_extent(view, 1, DLB_INTEGER(self->width));"]
DATA = "DLB_DATA_MEMBER(view, self->pixels);"
EACH = {"shape": EachShape("self->rank", "self->dims[axis]")}
LOOP = "for (int axis = 0; axis < view->tensor->ndim; axis++) {"
EXTENT = "dlb_extent(view, axis, DLB_INTEGER(self->dims[axis]));"


def test_the_smallest_description_sets_dtype_device_layout_and_data() -> None:
    assert described() == [SELF, DTYPE, CPU, *SHAPE, COMPACT, DATA, END]


@pytest.mark.parametrize(
    "slots, freely",
    [
        ({"strides": OuterStride("self->pitch")}, False),
        ({"strides": ListedStrides(("self->pitch", "1"))}, False),
        ({"strides": ListedStrides(("self->pitch", "self->step"))}, True),
        ({"strides": EachStrides("self->steps[axis]")}, True),
        ({"strides": either(OuterStride("self->pitch"), EachStrides("self->steps[axis]"))}, True),
        ({"order": "C"}, False),
        ({"order": "F"}, True),
        ({"order": "reversed"}, True),
        ({"order": either("C", "F")}, True),
    ],
    ids=repr,
)
def test_strides_of_any_order_are_checked_as_such(slots: dict[str, object], freely: bool) -> None:
    assert described(slots)[-1] == (END.replace("finish", "finish_strided") if freely else END)
    unknown = described({**slots, "dtype": DecodedDType("self->code", "self->bits")})[-1]
    assert unknown == f"return dlb_view_finish{'_strided' if freely else ''}(view, error);"


@pytest.mark.parametrize(
    "slots, lines",
    [
        ({"dtype": DecodedDType("self->code", "8", "1")},
         ["dlb_dtype(view, DLB_INTEGER(self->code), DLB_INTEGER(8), DLB_INTEGER(1));"]),
        ({"dtype": NumberedDType(DType("18", 32))}, ["view->tensor->dtype = DLB_DTYPE(18, 32);"]),
        ({"dtype": NumberedDType(DType("kDLFloat", 32, 2))}, ["view->tensor->dtype = (DLDataType){kDLFloat, 32, 2};"]),
        ({"dtype": CTypeDType("long")}, ["view->tensor->dtype = DLB_DTYPE_OF(long);"]),
        ({"device": Device("cuda", "self->gpu")}, ["dlb_device(view, kDLCUDA, DLB_INTEGER(self->gpu));"]),
        ({"device": Device("cuda")}, ["view->tensor->device = (DLDevice){kDLCUDA, 0};"]),
        ({"device": Device("19")}, ["view->tensor->device = (DLDevice){(DLDeviceType)19, 0};"]),
        ({"device": Device("19", "self->n")}, ["dlb_device(view, (DLDeviceType)19, DLB_INTEGER(self->n));"]),
        ({"device": Device("cuda_host", "self->gpu")}, ["view->tensor->device = (DLDevice){kDLCUDAHost, 0};"]),
        ({"readonly": "self->frozen"}, ["dlb_readonly(view, (self->frozen) != 0);"]),
        ({"readonly": "!self->open"}, ["dlb_readonly(view, !self->open);"]),
        ({"byte_offset": "self->skip"}, ["dlb_byte_offset(view, DLB_INTEGER(self->skip));"]),
        ({"data": "(image_data){self}.pixels"}, ["DLB_DATA(view, ((image_data){self}.pixels));"]),
        ({"shape": ListedShape(("f((int[]){1, 2})", "2"))},
         ["dlb_extent(view, 0, DLB_INTEGER((f((int[]){1, 2}))));", "dlb_extent(view, 1, DLB_INTEGER(2));"]),
        (EACH, ["DLB_RANK_WITHIN(view, DLB_INTEGER(self->rank), self->dims);", LOOP, EXTENT, "}"]),
        ({"shape": EachShape("self->rank", "extent(self, axis)")}, ["dlb_rank(view, DLB_INTEGER(self->rank));"]),
    ],
)  # fmt: skip
def test_each_form_of_a_slot_has_its_statements(slots: dict[str, object], lines: list[str]) -> None:
    found = described(slots)
    start = found.index(lines[0])
    assert found[start : start + len(lines)] == lines


# ---- Layouts ----


@pytest.mark.parametrize(
    "slots, lines",
    [
        ({"order": "F"}, ["dlb_compact_fortran(view, 2);"]),
        ({"order": "reversed"}, ["dlb_reverse(view->tensor->shape, view->tensor->ndim);", COMPACT]),
        ({"strides": ListedStrides(("self->a", "1"))},
         ["dlb_stride(view, 0, DLB_INTEGER(self->a));", "dlb_stride(view, 1, DLB_INTEGER(1));"]),
        ({"strides": ListedStrides(("2", "1"), "bytes"), "order": "F"},
         ["dlb_byte_stride(view, DLB_DTYPE(kDLUInt, 8), 0, DLB_INTEGER(2));",
          "dlb_byte_stride(view, DLB_DTYPE(kDLUInt, 8), 1, DLB_INTEGER(1));"]),
        ({"strides": ListedStrides(("2", "1"), "bits"), "order": "reversed"},
         ["dlb_bit_stride(view, 0, DLB_INTEGER(2));", "dlb_bit_stride(view, 1, DLB_INTEGER(1));",
          "dlb_reverse(view->tensor->shape, view->tensor->ndim);",
          "dlb_reverse(view->tensor->strides, view->tensor->ndim);"]),
        ({"strides": OuterStride("self->pitch")},
         [COMPACT, "dlb_stride(view, 0, DLB_INTEGER(self->pitch));"]),
        ({"strides": OuterStride("self->pitch", "self->step"), "order": "F"},
         ["dlb_compact_fortran(view, 2);",
          "dlb_unit_stride(view, 1, DLB_INTEGER(self->pitch), DLB_INTEGER(self->step));"]),
        ({"strides": OuterStride("self->pitch", compact_when="self->pitch == 0")},
         [COMPACT, "if (self->pitch != 0) {", "dlb_stride(view, 0, DLB_INTEGER(self->pitch));", "}"]),
        ({"strides": ListedStrides(("2", "1"), compact_when="self->packed")},
         ["if (self->packed) {", COMPACT, "} else {", "dlb_stride(view, 0, DLB_INTEGER(2));",
          "dlb_stride(view, 1, DLB_INTEGER(1));", "}"]),
        ({**EACH, "strides": OuterStride("self->pitch")},
         ["if (view->tensor->ndim > 0) {", "dlb_stride(view, 0, DLB_INTEGER(self->pitch));", "}"]),
        ({**EACH, "strides": EachStrides("self->steps[axis]", compact_when="self->packed")},
         ["if (self->packed) {", "dlb_compact(view, view->tensor->ndim);", "} else {",
          "DLB_RANK_WITHIN(view, DLB_INTEGER(self->rank), self->steps);", LOOP,
          "dlb_stride(view, axis, DLB_INTEGER(self->steps[axis]));", "}", "}"]),
    ],
)  # fmt: skip
def test_the_statements_of_a_layout_stand_before_the_data(slots: dict[str, object], lines: list[str]) -> None:
    found = described(slots)
    start = found.index(lines[0])
    assert found[start : start + len(lines)] == lines
    end = found.index(DATA)
    assert start + len(lines) == end


def test_shape_and_strides_of_each_axis_share_a_loop() -> None:
    found = described({**EACH, "strides": EachStrides("self->steps[axis]", "bytes")})
    assert found[3:-2] == [
        "DLB_RANK_WITHIN(view, DLB_INTEGER(self->rank), self->dims);",
        "DLB_RANK_WITHIN(view, DLB_INTEGER(self->rank), self->steps);",
        LOOP,
        EXTENT,
        "dlb_byte_stride(view, DLB_DTYPE(kDLUInt, 8), axis, DLB_INTEGER(self->steps[axis]));",
        "}",
    ]
    reversed_axes = described({**EACH, "strides": EachStrides("self->steps[axis]"), "order": either("reversed", "C")})
    assert reversed_axes[-7:-2] == [
        "}",
        "#if defined(FIRST)",
        "dlb_reverse(view->tensor->shape, view->tensor->ndim);",
        "dlb_reverse(view->tensor->strides, view->tensor->ndim);",
        "#endif",
    ]


@pytest.mark.parametrize("order, axis", [(None, "0"), ("F", "view->tensor->ndim - 1"), ("reversed", "0")])
def test_rows_come_after_the_data(order: str | None, axis: str) -> None:
    found = described({"strides": RowPointers("self->rows"), "order": order})
    assert found[-3:-1] == [DATA, f"DLB_ROWS(view, {axis}, self->rows);"]
    maybe = described({"strides": RowPointers("self->rows", "self->one == NULL"), "order": order})
    assert maybe[-5:-1] == [DATA, "if (self->one != NULL) {", f"DLB_ROWS(view, {axis}, self->rows);", "}"]


def test_the_preprocessor_can_choose_the_order_of_rows() -> None:
    found = described({"strides": RowPointers("self->rows"), "order": either("F", "C")})
    rows = ["#if defined(FIRST)", "DLB_ROWS(view, view->tensor->ndim - 1, self->rows);"]
    assert found[-6:-1] == [*rows, "#else", "DLB_ROWS(view, 0, self->rows);", "#endif"]


# ---- The preprocessor ----


@pytest.mark.parametrize(
    "slots, lines",
    [
        ({"dtype": either(UINT8, FLOAT32)},
         [DTYPE, "#else", "view->tensor->dtype = DLB_DTYPE(kDLFloat, 32);", "#endif"]),
        ({"shape": either(ListedShape(("self->n",)), ListedShape(()))},
         ["dlb_rank(view, DLB_INTEGER(1));", "dlb_extent(view, 0, DLB_INTEGER(self->n));", "#else",
          "dlb_rank(view, DLB_INTEGER(0));", "#endif"]),
        ({"data": either("self->a", "b()")}, ["DLB_DATA_MEMBER(view, self->a);", "#else", "DLB_DATA(view, b());"]),
        ({"readonly": either("self->a", None)}, ["dlb_readonly(view, (self->a) != 0);", "#endif"]),
        ({"byte_offset": either("self->a", None)}, ["dlb_byte_offset(view, DLB_INTEGER(self->a));", "#endif"]),
        ({"device": either(Device("cuda"), None)},
         ["view->tensor->device = (DLDevice){kDLCUDA, 0};", "#else", CPU, "#endif"]),
        ({"order": either("F", None)}, ["dlb_compact_fortran(view, 2);", "#else", COMPACT, "#endif"]),
        ({"strides": either(ListedStrides(("2", "1")), None)},
         ["dlb_stride(view, 0, DLB_INTEGER(2));", "dlb_stride(view, 1, DLB_INTEGER(1));", "#else",
          COMPACT, "#endif"]),
    ],
)  # fmt: skip
def test_every_slot_may_be_chosen_by_the_preprocessor(slots: dict[str, object], lines: list[str]) -> None:
    found = described(slots)
    start = found.index("#if defined(FIRST)", found.index(lines[0]) - 1) + 1
    assert found[start : start + len(lines)] == lines


def test_several_conditions_become_elif_branches() -> None:
    value = Conditional((("defined(A)", "self->a"), ("defined(B)", "self->b")), "self->c")
    found = described({"data": value})
    directives = [line for line in found[found.index(COMPACT) :] if line.startswith("#")]
    assert directives == ["#if defined(A)", "#elif defined(B)", "#else", "#endif"]


def test_a_variable_that_only_one_branch_mentions_is_not_reported_as_unused() -> None:
    slots = {"data": either("self->a", "screen"), "shape": ListedShape(("2",))}
    assert described(slots)[:2] == [SELF, "(void)self;"]
    assert "(void)self;" not in described({**slots, "readonly": "self->frozen"})
    arm = Arm((("A",),), Slots(data="self->a"), condition="defined(A)")
    match = Match(("kind",), (arm,), Slots(data="screen"))
    assert "(void)self;" in described({"data": None, "shape": ListedShape(("2",))}, matches=(match,))
    let = (Let("char *", "row", "self->row"),)
    assert "(void)row;" in described({"data": either("row", "self->b")}, let=let)
    assert "(void)row;" not in described({"data": "row"}, let=let)


# ---- Matches ----


def test_a_match_over_a_call_runs_the_call_once() -> None:
    arms = tuple(Arm(((key,),), Slots(dtype=UINT8)) for key in ("A", "B"))
    found = described({"dtype": None}, matches=(Match(("kind_of(self)",), arms),))
    assert found.count("DLB_KEEP(key, kind_of(self));") == 1
    assert "if (key == A) {" in found and "} else if (key == B) {" in found
    for of in ("self->kind", "kind_of(self) & 3", "(kind_of)(self)"):
        found = described({"dtype": None}, matches=(Match((of,), arms),))
        assert not any("DLB_KEEP" in line for line in found)
    assert not any("DLB_KEEP" in line for line in described({"dtype": None}, matches=(Match(("f(self)",), arms[:1]),)))
    off = tuple(replace(arm, condition="HAS_IT") for arm in arms)
    assert not any("DLB_KEEP" in line for line in described({"dtype": None}, matches=(Match(("f(self)",), off),)))
    named = described({"dtype": None, "shape": ListedShape(("key",))}, matches=(Match(("f(self)",), arms),))
    assert "DLB_KEEP(key_, f(self));" in named


def test_a_match_is_an_if_chain() -> None:
    found = described({"dtype": None}, matches=(by_dtype(UINT8, FLOAT32),))
    assert found[1:7] == [
        "if (self->type == KEY0) {",
        DTYPE,
        "} else if (self->type == KEY1) {",
        "view->tensor->dtype = DLB_DTYPE(kDLFloat, 32);",
        "} else {",
        'return dlb_view_unmapped(view, error, "dtype", DLB_VALUE(self->type));',
    ]
    found = described({"dtype": None}, matches=(by_dtype(UINT8, default=Slots(dtype=FLOAT64)),))
    assert found[3:6] == ["} else {", "view->tensor->dtype = DLB_DTYPE(kDLFloat, 64);", "}"]


@pytest.mark.parametrize(
    "when, condition",
    [
        ((("A",), ("1",)), "self->a == A && self->b == 1"),
        ((("A", "B"), ("1",)), "(self->a == A || self->a == B) && self->b == 1"),
        ((("A", "B"), None), "self->a == A || self->a == B"),
        ((None, ('"x"',)), 'dlb_is_string(self->b, "x")'),
        ((("A | B",), None), "self->a == (A | B)"),
    ],
)
def test_arms_compare_all_their_values(when: tuple[tuple[str, ...] | None, ...], condition: str) -> None:
    match = Match(("self->a", "self->b"), (Arm(when, Slots(dtype=UINT8)),))
    assert f"if ({condition}) {{" in described({"dtype": None}, matches=(match,))


def test_an_arm_that_fits_every_value_is_the_last_of_its_chain() -> None:
    arms = (Arm((("A",),), Slots(dtype=UINT8)), Arm((None,), Slots(dtype=FLOAT32)))
    found = described({"dtype": None}, matches=(Match(("self->a",), arms),))
    assert found[1:6] == [
        "if (self->a == A) {", DTYPE, "} else {", "view->tensor->dtype = DLB_DTYPE(kDLFloat, 32);", "}",
    ]  # fmt: skip
    alone = described({"dtype": None}, matches=(Match(("self->a",), arms[1:]),))
    assert alone[1] == "view->tensor->dtype = DLB_DTYPE(kDLFloat, 32);"


def test_an_unmatched_value_is_reported_with_all_values_of_the_match() -> None:
    match = Match(("self->a", "self->b"), (Arm((("A",), None), Slots(dtype=UINT8, shape=ListedShape(()))),))
    found = described({"dtype": None, "shape": None}, matches=(match,))
    assert (
        'return dlb_view_unmatched(view, error, "dtype, shape", '
        "(const dlb_integer[]){DLB_VALUE(self->a), DLB_VALUE(self->b)}, 2);"
    ) in found


@pytest.mark.parametrize("guarded", [{0}, {1}, {2}, {0, 1}, {0, 1, 2}, set()])
def test_arms_keep_their_order_whatever_the_preprocessor_leaves(guarded: set[int]) -> None:
    arms = tuple(
        Arm(((f"KEY{i}",),), Slots(dtype=UINT8), condition=f"defined(HAS{i})" if i in guarded else None)
        for i in range(3)
    )
    found = described({"dtype": None}, matches=(Match(("self->a",), arms),))
    tests = [line for line in found if "KEY" in line and "==" in line]
    assert ["KEY0" in tests[0], "KEY1" in tests[1], "KEY2" in tests[2]] == [True] * 3
    for off in (set(), {0}, {1}, {0, 2}, {0, 1, 2}):  # as the preprocessor would
        kept, skipping = [], False
        for line in found:
            if line.startswith("#if"):
                skipping = int(line[-2]) in off
            elif line == "#endif":
                skipping = False
            elif not skipping:
                kept.append(line)
        text = "\n".join(kept)
        assert text.count("{") == text.count("}")
        assert text.count("KEY") == 3 - len(off & guarded)
        chain = [line for line in kept if "if (" in line or "else" in line]
        assert chain[0].startswith("if (") and all(line.startswith("} else") for line in chain[1:])
        assert chain[-1] == "} else {"


def test_a_slot_of_an_arm_replaces_the_slot_of_the_tensor() -> None:
    match = Match(("self->a",), (Arm((("A",),), Slots(data="self->here")), Arm((("B",),), Slots(readonly="1"))))
    found = described(matches=(match,))
    start = found.index("if (self->a == A) {")
    assert found[start : start + 5] == [
        "if (self->a == A) {", "DLB_DATA_MEMBER(view, self->here);", "} else if (self->a == B) {",
        "DLB_DATA_MEMBER(view, self->pixels);", "dlb_readonly(view, 1);",
    ]  # fmt: skip


def test_two_matches_are_two_chains_in_the_order_of_their_slots() -> None:
    order = Match(("self->layout",), (Arm((("C_LIKE",),), Slots(order="C")), Arm((("F_LIKE",),), Slots(order="F"))))
    found = described({"dtype": None}, matches=(order, by_dtype(UINT8)))
    assert (
        found.index("if (self->type == KEY0) {") < found.index(SHAPE[0]) < found.index("if (self->layout == C_LIKE) {")
    )
    assert found[found.index("} else if (self->layout == F_LIKE) {") + 1] == "dlb_compact_fortran(view, 2);"


def test_arms_set_the_rank_only_if_it_differs() -> None:
    arms = (Arm((("A",),), Slots(shape=ListedShape(("1",)))), Arm((("B",),), Slots(shape=ListedShape(("1", "2")))))
    found = described({"shape": None}, matches=(Match(("self->a",), arms),))
    assert [line for line in found if "rank" in line] == [
        "dlb_rank(view, DLB_INTEGER(1));", "dlb_rank(view, DLB_INTEGER(2));",
    ]  # fmt: skip
    same = (arms[0], Arm((("B",),), Slots(shape=ListedShape(("3",)))))
    assert not any("rank" in line for line in described({"shape": None}, matches=(Match(("self->a",), same),)))


# ---- Order of the statements ----


def test_strides_of_an_arm_wait_for_the_shape_beside() -> None:
    match = Match(("self->a",), (Arm((("A",),), Slots(dtype=UINT8, strides=OuterStride("9", "bytes"))),))
    found = described({"dtype": None}, matches=(match,))
    assert found[1:8] == [
        *SHAPE, "if (self->a == A) {", DTYPE, COMPACT,
        "dlb_byte_stride(view, DLB_DTYPE(kDLUInt, 8), 0, DLB_INTEGER(9));", "} else {",
    ]  # fmt: skip


def test_a_match_is_split_where_another_comes_between() -> None:
    first = Match(("self->a",), (Arm((("A",),), Slots(dtype=UINT8, strides=OuterStride("9"))),))
    second = Match(("self->b",), (Arm((("B",),), Slots(shape=ListedShape(("self->n",)))),))
    found = described({"dtype": None, "shape": None}, matches=(first, second))
    chains = [line for line in found if line.startswith("if (self->")]
    assert chains == ["if (self->a == A) {", "if (self->b == B) {", "if (self->a == A) {"]


def test_itemsize_is_there_after_the_dtype() -> None:
    strides = OuterStride("self->n * itemsize", "bytes")
    found = described({"strides": strides})
    declared = found.index("const int64_t itemsize = dlb_itemsize(view->tensor->dtype);")
    assert found[declared - 1] == DTYPE
    assert found.index("dlb_byte_stride(view, DLB_DTYPE(kDLUInt, 8), 0, DLB_INTEGER(self->n * itemsize));") > declared
    assert not any("itemsize" in line for line in described())
    chosen = described({"dtype": None, "strides": strides}, matches=(by_dtype(UINT8),))
    assert chosen[chosen.index("}") + 1].startswith("const int64_t itemsize =")
    of = Match(("itemsize",), (Arm((("1",),), Slots(data="self->a")),))
    assert any(line.startswith("const int64_t itemsize") for line in described({"data": None}, matches=(of,)))


def test_itemsize_can_be_used_in_the_arm_that_sets_the_dtype() -> None:
    match = Match(("self->a",), (Arm((("A",),), Slots(dtype=UINT8, strides=OuterStride("itemsize", "bytes"))),))
    found = described({"dtype": None}, matches=(match,))
    assert "dlb_byte_stride(view, DLB_DTYPE(kDLUInt, 8), 0, DLB_INTEGER(dlb_itemsize(view->tensor->dtype)));" in found
    assert not any(line.startswith("const int64_t itemsize") for line in found)


def test_itemsize_is_not_reported_as_unused_in_a_branch() -> None:
    found = described({"strides": either(OuterStride("itemsize", "bytes"), None)})
    assert found[found.index("const int64_t itemsize = dlb_itemsize(view->tensor->dtype);") + 1] == "(void)itemsize;"


def test_checks_come_first_then_the_hook_then_the_variables() -> None:
    found = described(
        require=(Check("self->ready", "not ready"),),
        before_read="image_flush(self)",
        let=(Let("char *", "row", "self->row"),),
    )
    assert found[1:8] == [
        "if (!(self->ready)) {",
        'return dlb_view_refuse(view, error, "not ready");',
        "}",
        "if (view->exporting) {",
        "image_flush(self);",
        "}",
        "char *row = self->row;",
    ]


def test_pointers_into_an_array_stay_within_it() -> None:
    within = "DLB_STAYS_WITHIN(view, self->rows, self->rows[0]);"
    found = described({"data": "&self->rows[0][self->first]"})
    assert found[-3:-1] == ["DLB_DATA(view, &self->rows[0][self->first]);", within]
    found = described({"data": "self->rows", "byte_offset": "self->skipped"})
    assert found[-4:-1] == [
        "DLB_DATA(view, self->rows);", "dlb_byte_offset(view, DLB_INTEGER(self->skipped));",
        "DLB_STAYS_WITHIN(view, self->rows, self->rows);",
    ]  # fmt: skip
    assert not any("WITHIN" in line for line in described({"data": "(float *)self->rows"}))


def test_data_that_is_chosen_with_the_dtype_is_checked_last() -> None:
    arms = (
        Arm((("A",),), Slots(dtype=UINT8, data="self->bytes")),
        Arm((("B",),), Slots(dtype=FLOAT32, data="at(self)")),
    )
    found = described({"dtype": None}, matches=(Match(("self->kind",), arms),))
    assert found[-6:-1] == [
        "{", "dlb_reach reach = {0, NULL, 0};", "DLB_REACHES(&reach, view, self->bytes, self->bytes);",
        "dlb_reach_end(&reach, view);", "}",
    ]  # fmt: skip
    optional = (Arm((("A",),), Slots(dtype=UINT8, data="self->bytes"), condition="X"),)
    assert "{" not in described({"dtype": None}, matches=(Match(("self->kind",), optional),))
