"""Fast paths: the types that have them, and their functions."""

from __future__ import annotations

import re

import pytest

from dlpack_bindgen.classes.emitted_class import EmittedClass
from dlpack_bindgen.emit.render import environment_of_templates
from dlpack_bindgen.tensor.data_and_device import Device
from dlpack_bindgen.tensor.item import (
    Action,
    Attach,
    CallStep,
    Construct,
    Declaration,
    Deleter,
    Handle,
    Import,
    Init,
    Let,
    SetFields,
)
from dlpack_bindgen.tensor.requirements import Check, Requirements
from dlpack_bindgen.tensor.shape import EachShape, ListedShape
from dlpack_bindgen.tensor.slots import Arm, Match, Slots
from generator.bind_specs import SET, binding, bound, either
from support.build import RUNTIME

DESCRIBES, BOTH = ["describe_fast"], ["describe_fast", "import_fast"]
IMPORT = Import(SET)
FORTRAN = {"order": "F"}
CLONE = Construct("copy(self)")
USER = Deleter((("void *", "user"),))
BY_VALUE = {"data": "self.pixels", "shape": ListedShape(("self.n",))}
PURE = Let("int", "rows", "self->height")
CALLED = Let("int", "rows", "rows_of(self)")


def fast_paths(slots: dict[str, object] | None = None, **changes: object) -> list[str]:
    """Returns the fast paths of the type, by the members of its `dlb_type`."""
    found = bound(slots, **changes)
    named = [fact.removeprefix(".").split(" = ") for fact in found.type_members if "_fast" in fact]
    assert [f"dl_img_image_{member}" for member, _ in named] == [function for _, function in named]
    return [member for member, _ in named]


def taken(made: Import, slots: dict[str, object] | None = None, **changes: object) -> list[str]:
    return fast_paths(slots, import_=made, **changes)


def on(*devices: str) -> tuple[Match, ...]:
    arms = tuple(Arm(((f"KEY{i}",),), Slots(device=Device(name))) for i, name in enumerate(devices))
    return (Match(("self->place",), arms),)


# ---- Definitions ----


def printed(macro: str, found: EmittedClass) -> list[str]:
    """Returns the lines of a macro about a class."""
    imported = '{% import "macros.j2" as macros %}'
    template = environment_of_templates().from_string(f"{imported}{{{{ macros.{macro}(t) }}}}")
    return [line for line in template.render(t=found).splitlines() if line]


def test_fast_paths_are_the_description_and_the_importer() -> None:
    describe = "dl_img_image_describe"
    assert printed("fast_paths", bound(import_=IMPORT)) == [
        f"DLB_DEFINE_DESCRIBE_FAST(dl_img_image_describe_fast, {describe}, 2)",
        f"DLB_DEFINE_IMPORT_FAST(dl_img_image_import_fast, dl_img_image_importer, {describe})",
    ]


def test_a_fast_one_shot_export_has_the_description_and_the_hooks_of_the_object() -> None:
    def export(retain: str, deleter: str) -> str:
        return f"DLB_DEFINE_TO_DLPACK_FAST(img_image, image_t *, dl_img_image_describe, 2, {retain}, {deleter})"

    deleter = "dl_img_image_delete_one_shot"
    defined = f"DLB_DEFINE_ONE_SHOT_DELETER({deleter}, dl_img_image_release)"
    assert bound().has_fast_export and printed("fast_export", bound()) == [export("NULL", "dlb_delete_one_shot")]
    assert printed("fast_export", bound(release="f(self)")) == [defined, export("NULL", deleter)]
    counted = bound(release="f(self)", retain="g(self)")
    assert printed("fast_export", counted) == [defined, export("dl_img_image_retain", deleter)]


@pytest.mark.parametrize(
    "changes",
    [
        {"before_read": "f(self)"},
        {"params": (Declaration("int", "plane", "0"),)},
        {"hold": (CALLED,)},
        {"clone": CLONE, "release": "f(self)"},
        {"release_on": "gil", "release": "f(self)"},
        {"release_on": "creator", "release": "f(self)"},
        {"copy": "always"},
    ],
)
def test_objects_with_other_keys_have_no_fast_one_shot_export(changes: dict[str, object]) -> None:
    assert not bound(**changes).has_fast_export


@pytest.mark.parametrize(
    "shape, rank",
    [(ListedShape(()), 0), (EachShape("self->rank", "self->dims[axis]"), -1),
     (either(ListedShape(("self->n",)), ListedShape(())), -1)],
)  # fmt: skip
def test_a_rank_that_never_changes_is_a_constant(shape: object, rank: int) -> None:
    assert bound({"shape": shape}).rank == str(rank)


def test_handles_have_none() -> None:
    found = binding(handles=(Handle("Image", "image_t", import_=IMPORT),)).classes[0]
    assert not any("_fast" in member for member in found.type_members)


# ---- Descriptions ----


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"let": (PURE, Let("int", "zeroed", None))},
        {"require": (Check("self->ready", "not ready"),)},
        {"params": (Declaration("int", "plane", "0"),)},
        {"hold": (CALLED,)},
        {"clone": CLONE, "release": "f(self)"},
        {"release": "f(self)", "retain": "g(self)"},
        {"release_on": "gil", "release": "f(self)"},
        {"sync": Action("f(self, stream)")},
        {"to_cpu": Action("f(self, dst, nbytes)")},
        {"legacy_readonly": "copy"},
    ],
)
def test_tensors_are_described_in_one_step(changes: dict[str, object]) -> None:
    assert fast_paths(**changes) == DESCRIBES


def ranks(*ranks: int) -> dict[str, object]:
    """Makes a tensor that has one of these ranks."""
    shapes = [ListedShape(tuple(f"self->e[{axis}]" for axis in range(rank))) for rank in ranks]
    arms = tuple(Arm(((f"RANK{i}",),), Slots(shape=shape)) for i, shape in enumerate(shapes))
    return {"matches": (Match(("self->kind",), arms),)}


def test_no_axis_is_written_beyond_the_capacity_of_an_owner() -> None:
    """The axes of an arm are written one after the other."""
    capacity = re.search(r"enum \{ DLB_FAST_NDIM = (\d+) \}", (RUNTIME / "dlb_core.h").read_text())
    assert capacity is not None
    most = int(capacity[1])
    assert fast_paths({"shape": None}, **ranks(2, most)) == DESCRIBES
    assert fast_paths({"shape": None}, **ranks(2, most + 1)) == []
    assert fast_paths({"shape": None}, **ranks(most + 1, most + 1)) == DESCRIBES


def test_values_are_described_in_one_step() -> None:
    assert fast_paths(BY_VALUE, by_value=True) == DESCRIBES


@pytest.mark.parametrize(
    "changes",
    [
        {"before_read": "f(self)"},
        {"let": (CALLED,)},
        {"let": (PURE, CALLED)},
        {"let": (PURE, CallStep("f(self)"))},
        {"let": (PURE, Check("self->ready"))},
        {"let": (Let("int", "rows", "self->n", ok="% > 0"),)},
        {"let": (Let("int", "rows", "self->n", finally_="f(rows)"),)},
        {"let": (Let("int", "rows", "self->n", undo="f(rows)"),)},
        {"require": (Check("self->ready", error="last_error()"),)},
        {"require": (Check("lock(self) == 0"),)},
        {"acquire": (Action("f(self)"),)},
        {"restore": "f(self)"},
        {"after_write": "f(self)"},
        {"copy": "allowed"},
        {"copy": "always"},
        {"release_on": "creator", "release": "f(self)"},
    ],
)
def test_calls_hooks_copies_and_tests_of_a_let_exclude_fast_paths(changes: dict[str, object]) -> None:
    assert taken(IMPORT, **changes) == []


# ---- Imports ----


@pytest.mark.parametrize(
    "made",
    [
        IMPORT,
        Import(SET, let=(Let("int", "rows", "shape[0]"), Let("int", "steps", "strides", array=True))),
        Import(SET, box="struct wide_image"),
        Import(SET, copy="allowed"),
        Import(SET, require=Requirements(ndim=(1, 2), dtypes=("uint8",), writable=True, compact=True, no_overlap=True)),
        Import(SET, require=Requirements(checks=(Check("shape[0] > 1", "a single row is no image"),))),
    ],
)
def test_structs_are_filled_in_one_step(made: Import) -> None:
    assert taken(made) == BOTH
    assert taken(made, FORTRAN) == BOTH


@pytest.mark.parametrize(
    "made",
    [
        Import(Construct("wrap(data)")),
        Import(Init("fill(self, data)")),
        Import(SET, let=(Let("int", "rows", "rows_for(shape)"),)),
        Import(SET, require=Requirements(checks=(Check("shape[0] > 1", error="last_error()"),))),
        Import(SET, let=(Let("int", "rows", "shape[0]"), CallStep("f(data)"))),
        Import(SetFields((("n", "shape[0]"), ("format", "format_of(dtype)")))),
        Import(SET, params=(Declaration("int", "depth", "3"),)),
        Import(SET, deleter=USER, attach=Attach(Action("hand_over(self, deleter, user)"))),
        Import(SetFields((("n", "shape[0]"), ("user", "user"), ("end", "deleter"))), deleter=USER),
        Import(SET, attach=Attach(Action("f(self)"))),
        Import(SET, attach=Attach(Action("f(self)")), detach="g(self)"),
        Import(SET, detach="g(self)"),
        Import(SET, destroy="f(self)"),
        Import(SET, copy="always"),
        Import(SET, require=Requirements(align=64)),
    ],
)
def test_imports_with_calls_params_copies_or_an_alignment_have_no_fast_path(made: Import) -> None:
    assert taken(made) == DESCRIBES


@pytest.mark.parametrize(
    "slots, changes",
    [
        ({"order": "reversed"}, {}),
        ({"shape": ListedShape(("self->height", "3"))}, {}),
        ({"device": Device("cuda")}, {}),
        ({}, {"matches": on("cuda", "cpu")}),
        (BY_VALUE, {"by_value": True}),
        ({}, {"params": (Declaration("int", "plane", "0"),)}),
        ({}, {"hold": (PURE,)}),
        ({}, {"clone": CLONE, "release": "f(self)"}),
        ({}, {"release_on": "gil", "release": "f(self)"}),
    ],
)
def test_arrays_that_no_such_type_shows_as_they_are(slots: dict[str, object], changes: dict[str, object]) -> None:
    assert taken(IMPORT, slots, **changes) == DESCRIBES


@pytest.mark.parametrize(
    "slots, changes",
    [
        ({"order": "C"}, {}),
        ({"device": either(Device("cpu"), Device("cuda"))}, {}),
        ({}, {"matches": on("cpu", "cuda")}),
        ({}, {"release": "f(self)", "retain": "g(self)"}),
        ({}, {"let": (PURE,)}),
    ],
)
def test_arrays_that_such_a_type_shows_as_they_are(slots: dict[str, object], changes: dict[str, object]) -> None:
    assert taken(IMPORT, slots, **changes) == BOTH
