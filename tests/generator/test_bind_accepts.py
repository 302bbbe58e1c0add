"""Imports and allocations accept arrays that the description can have, and find the keys of a match in an array."""

from __future__ import annotations

import pytest

from dlpack_bindgen.dlpack import DType
from dlpack_bindgen.tensor.data_and_device import Device
from dlpack_bindgen.tensor.dtype import CTypeDType, DecodedDType, NumberedDType
from dlpack_bindgen.tensor.item import Construct, Import, Let, SetFields
from dlpack_bindgen.tensor.requirements import Requirements
from dlpack_bindgen.tensor.shape import EachShape, ListedShape
from dlpack_bindgen.tensor.slot import Conditional
from dlpack_bindgen.tensor.slots import Arm, Match, Slots
from dlpack_bindgen.tensor.strides import EachStrides, OuterStride, RowPointers
from generator.bind_specs import FLOAT32, FLOAT64, SET, UINT8, by_dtype, either, factory, made, members, requirements

CODE = Import(Construct("wrap(data, code)"))
EACH = EachShape("self->n", "self->dims[axis]")


def facts(
    slots: dict[str, object] | None = None, require: Requirements | None = None, **changes: object
) -> dict[str, str]:
    importer = factory(slots, made=Import(SET, require=require or Requirements()), **changes)
    return dict(fact.removeprefix(".").split(" = ", 1) for fact in (*members(importer), *requirements(importer)))


# ---- Accepted arrays ----


def test_imports_accept_the_ranks_of_the_shape_and_of_the_requirements() -> None:
    def found(*arguments: object, **changes: object) -> tuple[str, str]:
        all_facts = facts(*arguments, **changes)  # type: ignore[arg-type]
        return all_facts.get("min_ndim", "0"), all_facts["max_ndim"]

    assert found() == ("2", "2")
    assert found({"shape": EACH}) == ("0", "DLB_MAX_NDIM")
    assert found({"shape": EACH}, Requirements(ndim=(1, 4))) == ("1", "4")
    assert found({"shape": EachShape("2", "self->dims[axis]")}) == ("2", "2")
    one, three = (Arm((("A",),), Slots(shape=ListedShape(("1",) * n))) for n in (1, 3))
    assert found({"shape": None}, matches=(Match(("self->a",), (one, three)),)) == ("1", "3")


@pytest.mark.parametrize(
    "slots, require, layout",
    [
        ({}, Requirements(), "DLB_COMPACT"),
        ({"strides": OuterStride("self->pitch")}, Requirements(writable=True), "DLB_WRITABLE | DLB_INNER_COMPACT"),
        ({"strides": RowPointers("self->rows")}, Requirements(), "DLB_INNER_COMPACT"),
        ({"strides": OuterStride("self->world")}, Requirements(), "DLB_INNER_COMPACT"),
        *(
            ({"strides": OuterStride(name)}, Requirements(), "DLB_INNER_COMPACT | DLB_NONNEGATIVE_STRIDES")
            for name in ("self->lda", "store->LD", "m->row_ld", "self->ldim", "self->leading_dim")
        ),
        ({"shape": EACH, "strides": EachStrides("self->s[axis]")}, Requirements(), None),
        ({"shape": EACH, "strides": EachStrides("self->s[axis]")},
         Requirements(compact=True, no_overlap=True, nonnegative_strides=True),
         "DLB_COMPACT | DLB_NO_OVERLAP | DLB_NONNEGATIVE_STRIDES"),
    ],
)  # fmt: skip
def test_the_accepted_layout_follows_from_strides_and_requirements(
    slots: dict[str, object], require: Requirements, layout: str | None
) -> None:
    assert facts(slots, require).get("layout") == layout


def test_the_alignment_and_the_literal_extents_are_required() -> None:
    assert facts(require=Requirements(align=64))["alignment"] == "64"
    listed = {"shape": ListedShape(("self->n", "3"))}
    assert facts(listed)["extents"] == "(const int64_t[]){ -1, 3 }"
    assert facts({**listed, "order": "reversed"})["extents"] == "(const int64_t[]){ 3, -1 }"
    assert "extents" not in facts()
    arm = Arm((("A",),), Slots(shape=ListedShape(("3",))))
    assert "extents" not in facts(listed, matches=(Match(("self->a",), (arm,)),))


def test_the_order_is_required_only_if_it_never_changes() -> None:
    assert facts({"order": "F"})["order"] == "DLB_ORDER_F"
    assert "order" not in facts()
    arms = (Arm((("A",),), Slots(order="F")), Arm((("B",),), Slots(data="self->b")))
    assert "order" not in facts(matches=(Match(("self->a",), arms),))
    assert "order" not in facts({"order": either("F", None)})


def test_imports_accept_the_dtypes_that_the_description_can_have() -> None:
    assert facts()["dtypes"] == "(const DLDataType[]){ {kDLUInt, 8, 1} }"
    assert facts({"dtype": None}, matches=(by_dtype(UINT8, FLOAT32, UINT8),))["dtype_count"] == "2"
    assert "{DLB_CODE_OF(long), 8 * sizeof(long), 1}" in facts({"dtype": CTypeDType("long")})["dtypes"]
    assert facts({"dtype": NumberedDType(DType("18", 32, 2))})["dtypes"] == "(const DLDataType[]){ {18, 32, 2} }"
    assert "dtypes" not in facts({"dtype": DecodedDType("1", "8", "1")})
    decoded = by_dtype(UINT8, DecodedDType("1", "8", "1"))
    assert "dtypes" not in facts({"dtype": None}, matches=(decoded,))
    assert facts({"dtype": either(UINT8, FLOAT32)})["dtype_count"] == "2"
    only = facts({"dtype": None}, Requirements(dtypes=("float32",)), matches=(by_dtype(UINT8, FLOAT32),))
    assert only["dtypes"] == "(const DLDataType[]){ {kDLFloat, 32, 1} }"


def test_imports_accept_the_devices_that_the_description_can_have() -> None:
    assert facts()["devices"] == "(const DLDeviceType[]){ kDLCPU }"
    assert facts({"device": Device("cuda", "self->gpu")})["devices"] == "(const DLDeviceType[]){ kDLCUDA }"
    assert facts({"device": Device("19")})["devices"] == "(const DLDeviceType[]){ (DLDeviceType)19 }"
    arms = (Arm((("A",),), Slots(device=Device("cuda"))), Arm((("B",),), Slots(data="self->b")))
    both = "(const DLDeviceType[]){ kDLCUDA, kDLCPU }"
    assert facts(matches=(Match(("self->a",), arms),))["devices"] == both
    assert facts({"device": either(Device("cuda"), None)})["devices"] == both


# ---- Keys of a match for an array ----


def chain(slots: dict[str, object], import_: Import = CODE, **changes: object) -> list[str]:
    """Returns the lines between the locals and the constructor."""
    found = made(import_, slots, **changes)
    start = next(i for i, line in enumerate(found) if line.startswith("/* The keys"))
    stop = next(i for i, line in enumerate(found) if "wrap(" in line)
    return found[start + 1 : stop]


def test_the_last_key_is_left_when_the_runtime_has_checked() -> None:
    found = chain({"dtype": None}, matches=(by_dtype(UINT8, FLOAT32),))
    assert found == [
        "DLB_TYPE_OF_KEYS(((image_t *)0)->type, DLB_KEY(KEY0) | DLB_KEY(KEY1)) code;",
        "if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLUInt, 8))) {",
        "code = KEY0;",
        "} else {",
        "code = KEY1;",
        "}",
    ]
    assert chain({"dtype": None}, matches=(by_dtype(UINT8),))[1:] == ["code = KEY0;"]
    one = Import(CODE.build, require=Requirements(dtypes=("float32",)))
    assert chain({"dtype": None}, one, matches=(by_dtype(UINT8, FLOAT32),))[1:] == ["code = KEY1;"]
    assert chain({"dtype": None}, matches=(by_dtype(CTypeDType("int")),))[1:] == ["code = KEY0;"]


def test_numbers_have_an_inverse() -> None:
    found = chain({"dtype": None}, matches=(by_dtype(NumberedDType(DType("18", 32)), UINT8),))
    assert found[1] == "if (dlb_same_dtype(source->dtype, DLB_DTYPE(18, 32))) {"
    one = Import(CODE.build, require=Requirements(dtypes=("uint8",)))
    numbered = by_dtype(NumberedDType(DType("18", 32)), UINT8)
    assert chain({"dtype": None}, one, matches=(numbered,))[1:] == ["code = KEY1;"]
    arms = (Arm((("HOST",),), Slots(device=Device("cpu"))), Arm((("TPU",),), Slots(device=Device("19"))))
    import_ = Import(Construct("wrap(data, device_code)"))
    found = chain({}, import_, matches=(Match(("self->kind",), tuple(reversed(arms))),))
    assert found[1:3] == ["if (source->device_type == (DLDeviceType)19) {", "device_code = TPU;"]


def test_codes_are_computed_where_they_are_mentioned() -> None:
    found = made(Import(Construct("wrap(data)")), {"dtype": None}, matches=(by_dtype(UINT8),))
    assert not any("code" in line.replace("wrap", "") for line in found)
    assert not any("code;" in line for line in made(CODE))


def test_a_value_that_the_runtime_cannot_check_is_refused_by_the_chain() -> None:
    refuse = "return dlb_source_unmatched(source, error);"
    assert refuse not in chain({"dtype": None}, matches=(by_dtype(UINT8, FLOAT32),))
    decoded = by_dtype(UINT8, DecodedDType("1", "8", "1"))
    assert chain({"dtype": None}, matches=(decoded,))[-5:] == [
        "if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLUInt, 8))) {", "code = KEY0;", "} else {", refuse, "}",
    ]  # fmt: skip
    guarded = Match(("self->a",), (Arm((("A",),), Slots(dtype=UINT8), condition="defined(A)"),))
    assert refuse in chain({"dtype": None}, matches=(guarded,))
    every = Match(("self->a",), (Arm((("C",),), Slots(dtype=FLOAT32)), Arm((None,), Slots(dtype=UINT8))))
    found = chain({"dtype": None}, matches=(every,))
    assert refuse in found and [line for line in found if line.startswith("code")] == ["code = C;"]


def test_an_arm_with_several_keys_gives_one_of_them() -> None:
    for codes, key in (((), "A"), (("B",), "B")):
        arms = Arm((("A", "B"),), Slots(dtype=UINT8), codes=codes), Arm((("C",),), Slots(dtype=FLOAT32))
        found = chain({"dtype": None}, matches=(Match(("self->a",), arms),))
        assert [line for line in found if line.startswith("code")] == [f"code = {key};", "code = C;"]


def test_shapes_decide_between_arms_of_one_dtype() -> None:
    arms = (
        Arm((("RGB",),), Slots(shape=ListedShape(("self->h", "self->w", "3")))),
        Arm((("GRAY",),), Slots(shape=ListedShape(("self->h", "self->w")))),
    )
    found = chain({"shape": None}, matches=(Match(("self->kind",), arms),))
    assert found[1:5] == [
        "if (source->ndim == 3 && source->shape[2] == 3) {", "code = RGB;", "} else if (source->ndim == 2) {",
        "code = GRAY;",
    ]  # fmt: skip
    typed = tuple(Arm(arm.when, Slots(dtype=UINT8, shape=arm.slots.shape)) for arm in arms)
    found = chain({"shape": None, "dtype": None}, matches=(Match(("self->kind",), typed),))
    assert found[1].startswith("if (dlb_same_dtype(source->dtype, DLB_DTYPE(kDLUInt, 8)) && source->ndim == 3 &&")


def test_arms_that_say_import_come_first_and_stand_for_their_equals() -> None:
    shape = Slots(shape=ListedShape(("self->h", "4")))
    wide = Slots(shape=ListedShape(("self->h", "self->w")))
    arms = (Arm((("ANY",),), wide), Arm((("OLD",),), shape), Arm((("NEW",),), shape, imports=True))
    found = chain({"shape": None}, matches=(Match(("self->kind",), arms),))
    assert [line for line in found if line.startswith("code")] == ["code = NEW;", "code = ANY;"]


def test_arms_of_one_dtype_keep_their_preprocessor_conditions() -> None:
    arms = tuple(Arm(((key,),), Slots(dtype=UINT8), condition=guard) for key, guard in (("A", "X"), ("B", "!X")))
    found = chain({"dtype": None}, matches=(Match(("self->kind",), arms),))
    assert [line for line in found if line.startswith(("#", "code"))] == [
        "#if X", "code = A;", "#endif", "#if !X", "code = B;", "#endif",
    ]  # fmt: skip


def test_a_guarded_arm_behind_an_equal_arm_is_left_out() -> None:
    arms = (Arm((("A",),), Slots(dtype=UINT8)), Arm((("B",),), Slots(dtype=UINT8), condition="X"))
    assert chain({"dtype": None}, matches=(Match(("self->kind",), arms),))[1:] == ["code = A;"]


def test_composite_keys_are_variables_of_their_own() -> None:
    arms = (Arm((("A",), ("1",)), Slots(dtype=UINT8)), Arm((("B",), ("2",)), Slots(dtype=FLOAT64)))
    match = Match(("self->kind", "lanes"), arms)
    import_ = Import(Construct('wrap(data, code[0], code [1], self->code[1], "code[1]")'))
    found = made(import_, {"dtype": None}, matches=(match,))
    assert {"code_0 = A;", "code_1 = 1;", "code_0 = B;", "code_1 = 2;"} <= set(found)
    # `lanes` is nothing that an import has.
    assert "DLB_TYPE_OF_KEYS(1, DLB_KEY(1) | DLB_KEY(2)) code_1;" in found
    assert 'image_t *result = wrap(data, code_0, code_1, self->code[1], "code[1]");' in found


def test_a_code_that_is_only_passed_on_has_a_type_for_its_keys() -> None:
    match = by_dtype(UINT8, FLOAT32)
    plain = "DLB_TYPE_OF(((image_t *)0)->type) code;"
    for text in ("wrap(data, code + 1)", "wrap(data, &code)", "wrap(data, sizeof(code))", "wrap(data, -code, code)"):
        assert plain in made(Import(Construct(text)), {"dtype": None}, matches=(match,))
    for text in ("wrap(data, (kind)code)", "wrap(data, self->code, code)", "wrap(data, code == A ? 1 : 2)"):
        assert plain not in made(Import(Construct(text)), {"dtype": None}, matches=(match,))
    fields = SetFields((("data", "data"), ("type", "code")))
    assert plain in made(Import(fields), {"dtype": None}, matches=(match,))
    fields = SetFields((("data", "data"), ("kind", "code")))
    assert plain not in made(Import(fields), {"dtype": None}, matches=(match,))


def test_a_variable_of_let_is_used_only_for_its_type() -> None:
    arms = (Arm((("A",),), Slots(dtype=UINT8)), Arm((("B",),), Slots(dtype=FLOAT64)))
    let = (Let("const layout *", "l", "layout_of(self)"),)
    import_ = Import(Construct("wrap(data, code)"))
    found = made(import_, {"dtype": None}, matches=(Match(("l->kind",), arms),), let=let)
    assert "DLB_TYPE_OF_KEYS((*(layout **)0)->kind, DLB_KEY(A) | DLB_KEY(B)) code;" in found


def test_the_device_of_an_array_chooses_the_device_code() -> None:
    arms = (Arm((("HOST",),), Slots(device=Device("cpu"))), Arm((("GPU",),), Slots(device=Device("cuda"))))
    import_ = Import(Construct("wrap(data, device_code)"))
    found = chain({}, import_, matches=(Match(("self->kind",), arms),))
    assert found[1:] == [
        "if (source->device_type == kDLCPU) {", "device_code = HOST;", "} else {", "device_code = GPU;", "}",
    ]  # fmt: skip
    default = Match(("self->kind",), arms, Slots(device=Device("rocm")))
    assert any("has this device" in line for line in chain({}, import_, matches=(default,)))
    either_device = Conditional((("X", Device("cuda")),), Device("rocm"))
    maybe = Match(("self->kind",), (arms[0], Arm((("GPU",),), Slots(device=either_device))), Slots())
    found = chain({}, import_, matches=(maybe,))
    assert "} else if (source->device_type == kDLCUDA || source->device_type == kDLROCM) {" in found
