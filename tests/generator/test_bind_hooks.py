"""The functions beside the description, and the members of the table that name them."""

from __future__ import annotations

import pytest

from dlpack_bindgen.classes.emitted_class import EmittedClass
from dlpack_bindgen.tensor.item import Action, Construct, Declaration, Handle, Let, Part
from dlpack_bindgen.tensor.lifetime_hooks import HOOKS, StatementsHook
from dlpack_bindgen.tensor.requirements import Check
from dlpack_bindgen.tensor.shape import ListedShape
from generator.bind_specs import binding, bound, code, described, function, printed, tensor

PLANE = (Declaration("int", "plane", "0"),)
STATE = "struct img_image_state *state = object;"


def lines(found: EmittedClass, name: str) -> list[str]:
    return code(function(found, name).lines)


def test_a_hook_has_no_unknown_attribute() -> None:
    hook = StatementsHook(key=HOOKS[0].key, is_of_exports=True)
    assert hook.is_of_exports and not hook.is_of_handles
    with pytest.raises(TypeError, match="a hook has no attribute 'is_of_export'"):
        StatementsHook(key=HOOKS[0].key, is_of_export=True)


@pytest.mark.parametrize("name", ["retain", "release", "restore", "after_write"])
def test_hooks_that_cannot_fail_return_nothing(name: str) -> None:
    found = bound(**{"release": "close(self)", name: "f(self)"})
    assert lines(found, name) == ["image_t *self = object;", "f(self);"]
    assert function(found, name).head == f"static void dl_img_image_{name}(void *object)"
    assert f".{name} = dl_img_image_{name}" in found.type_members
    without = bound(**{"release": "close(self)", name: "f()"})
    assert lines(without, name) == ["(void)object;", "f();"]


def test_without_hooks_there_is_only_the_description() -> None:
    found = bound()
    assert found.hooks == [] and found.params is None and not found.scope.has_state
    assert found.type_members == [
        '.name = "imaging.Image"',
        ".ndim = 2",
        ".describe = dl_img_image_describe",
        ".writable = DLB_POINTS_TO_WRITABLE(((image_t *)0)->pixels)",
        ".describe_fast = dl_img_image_describe_fast",
    ]


@pytest.mark.parametrize(
    "name, parameters, unused",
    [
        ("sync", "intptr_t stream, ", ["(void)stream;"]),
        ("to_cpu", "void *dst, int64_t nbytes, ", ["(void)dst;", "(void)nbytes;"]),
    ],
)
def test_a_hook_marks_its_unused_arguments(name: str, parameters: str, unused: list[str]) -> None:
    found = bound(**{name: Action("f(self)")})
    assert function(found, name).head == f"static int dl_img_image_{name}(void *object, {parameters}dlb_error *error)"
    assert lines(found, name) == ["image_t *self = object;", *unused, "(void)error;", "f(self);", "return 0;"]
    used = bound(**{name: Action("f(self, stream, dst, nbytes)", "% == 0")})
    assert not any(line.startswith("(void)") for line in lines(used, name))


def test_acquire_checks_the_requirements_first() -> None:
    actions = (Action("lock(self)", "% == 0"), Action("map(self)"))
    found = bound(acquire=actions, require=(Check("self->ready", "not ready"),))
    assert lines(found, "acquire") == [
        "image_t *self = object;",
        "if (!(self->ready)) {",
        'return dlb_refuse(error, "imaging.Image", "not ready");',
        "}",
        "if (lock(self) != 0) {",
        'return dlb_call_failed(error, "imaging.Image", "lock(self)", NULL);',
        "}",
        "map(self);",
        "return 0;",
    ]
    assert not found.has_view and bound().has_view


# ---- States ----


def test_params_live_in_a_state() -> None:
    params = (Declaration("double", "scale"), *PLANE)
    found = bound({"data": "self->planes[plane]"}, params=params)
    assert found.scope.state == "struct img_image_state" and found.scope.members == (
        "image_t *self /* Image.type */",
        "double scale",
        "int plane",
    )
    assert ".state = DLB_STORAGE_FOR(struct img_image_state)" in found.type_members
    assert found.params is not None and found.params.entries == (
        "DLB_PARAM(struct img_image_state, scale, 1)",
        "DLB_PARAM(struct img_image_state, plane, 0)",
    )
    assert {".params = dl_img_image_params", ".param_count = 2", ".defaults = dl_img_image_defaults"} <= set(
        found.type_members
    )
    assert lines(found, "defaults") == [STATE, "state->plane = 0;"]
    assert function(found, "defaults").strict is None
    other = bound({"data": "self->planes[plane]"}, params=(Declaration("int", "plane", "FIRST_PLANE"),))
    assert function(other, "defaults").strict == "DLB_STRICT_BEGIN"
    assert code(function(found, "describe").lines)[:3] == [
        STATE,
        "image_t *self = state->self;",
        "const int plane = state->plane;",
    ]
    required = bound({"data": "self->planes[plane]"}, params=(Declaration("int", "plane"),))
    assert not any("defaults" in fact for fact in required.type_members)


def test_values_of_hold_are_stored_in_the_state() -> None:
    hold = (
        Let("int", "frozen", "is_frozen(self)"),
        Let("small", "both", "{1, 2}"),
        Let("char *", "name", "name_of(self, frozen)", ok="% != NULL && frozen", error="why(frozen)"),
    )
    found = bound({"readonly": "!frozen"}, hold=hold)
    assert lines(found, "hold") == [
        STATE,
        "image_t *self = state->self;",
        "state->frozen = is_frozen(self);",
        "state->both = (small){1, 2};",
        "state->name = name_of(self, state->frozen);",
        "if (!(state->name != NULL && state->frozen)) {",
        'return dlb_call_failed(error, "imaging.Image", "name_of(self, frozen)", why(state->frozen));',
        "}",
        "return 0;",
    ]
    assert function(found, "hold").strict == "DLB_STRICT_BEGIN"
    assert "dlb_readonly(view, !state->frozen);" in described({"readonly": "!frozen"}, hold=hold)
    assert "(void)error;" in lines(bound(hold=hold[:1]), "hold")


@pytest.mark.parametrize(
    "clone, test, reason",
    [
        (Construct("dup(self)"), "result == NULL", "NULL"),
        (Construct("dup(self)", "good(%)", "why(result)"), "!(good(result))", "why(result)"),
    ],
)
def test_a_clone_takes_the_place_of_the_object(clone: Construct, test: str, reason: str) -> None:
    found = bound(clone=clone, release="drop(self)")
    assert lines(found, "clone") == [
        STATE,
        "image_t *self = state->self;",
        "image_t *result = dup(self);",
        f"if ({test}) {{",
        f'return dlb_call_failed(error, "imaging.Image", "dup(self)", {reason});',
        "}",
        "state->self = result;",
        "return 0;",
    ]


def test_an_object_that_is_a_value_is_stored_in_the_state() -> None:
    slots = {"data": "self.pixels", "shape": ListedShape(("self.n",))}
    found = bound(slots, by_value=True, release="close(&self)", clone=Construct("dup(self)"))
    assert lines(found, "release") == [STATE, "close(&state->self);"]
    assert lines(found, "clone") == [
        STATE, "(void)error;", "state->self = dup(state->self);", "return 0;",
    ]  # fmt: skip
    assert found.scope.self_parameter == "image_t self"
    assert {".state = DLB_STORAGE_FOR(struct img_image_state)", ".value = sizeof(image_t)"} <= set(found.type_members)
    assert "DLB_DATA_MEMBER(view, state->self.pixels);" in described(slots, by_value=True)


# ---- Members of the table ----


@pytest.mark.parametrize(
    "changes, facts",
    [
        ({"release": "f(self)", "release_on": "gil"}, [".release_on = DLB_RELEASE_GIL"]),
        ({"release": "f(self)", "release_on": "creator"}, [".release_on = DLB_RELEASE_CREATOR"]),
        ({"copy": "allowed"}, [".copy = DLB_COPY_ALLOWED"]),
        ({"copy": "always"}, [".copy = DLB_COPY_ALWAYS"]),
        ({"legacy_readonly": "copy"}, [".legacy_copy = 1"]),
    ],
)
def test_keys_of_the_class_become_members_of_its_table(changes: dict[str, object], facts: list[str]) -> None:
    assert [fact for fact in bound(**changes).type_members if fact in facts] == facts
    plain = bound(release="f(self)").type_members
    assert not any(fact in plain for fact in facts)


# ---- Parts ----


def test_a_handle_counts_its_parts_and_names_their_class() -> None:
    plane = tensor(name="Plane", params=PLANE, condition="defined(PLANES)")
    handle = Handle("Frame", "image_t", release="f(self)", parts=(Part("planes", "Plane", "self->count"),))
    frame = binding(plane, handles=(handle,)).classes[0]
    assert frame.describe is None and not frame.one_shot and not frame.has_view
    members = ['.name = "imaging.Frame"', '.shares = "image_t"', ".release = dl_img_frame_release", ".writable = 1"]
    assert frame.type_members == members
    (parts,) = frame.parts
    assert (parts.own.name, parts.of) == ("planes", "img_plane")
    assert parts.condition == "defined(PLANES)"
    assert code(printed(parts)[0].lines) == ["image_t *self = object;", "return DLB_INTEGER(self->count);"]
    assert printed(parts)[0].lines[-1].endswith("/* Frame.parts.planes.count */")
