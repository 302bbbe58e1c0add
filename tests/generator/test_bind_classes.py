"""The surroundings of the functions of a class: names, comments, signatures, related classes, conditions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dlpack_bindgen.dlpack import DType
from dlpack_bindgen.emit.module import Module
from dlpack_bindgen.emit.render import render
from dlpack_bindgen.tensor.data_and_device import Device
from dlpack_bindgen.tensor.dtype import NumberedDType
from dlpack_bindgen.tensor.item import Allocate, Construct, Declaration, Handle, Import, Let, Part, ReleaseOn, Tensor
from dlpack_bindgen.tensor.params import c_parameters, stub_parameters, text_signature
from dlpack_bindgen.tensor.requirements import Copy, Requirements
from dlpack_bindgen.tensor.shape import EachShape, ListedShape
from dlpack_bindgen.tensor.slot import Conditional
from dlpack_bindgen.tensor.slots import Arm as ArmOf
from dlpack_bindgen.tensor.slots import Match, Slots
from dlpack_bindgen.tensor.strides import EachStrides, OuterStride
from generator.bind_specs import FLOAT32, SET, UINT8, binding, bound, by_dtype, either, spec, tensor

HOLD = (Let("int", "frozen", "1"),)
PLANE = (Declaration("int", "plane", "0"),)
ALLOCATE = Allocate(Construct("make(shape[0])"))


# ---- Comments and docstrings ----


@pytest.mark.parametrize(
    "slots, summary",
    [
        ({}, "is uint8[height, width] on the CPU"),
        ({"shape": EachShape("self->rank", "self->dims[axis]")}, "has `rank` axes of uint8 on the CPU"),
        ({"shape": ListedShape(())}, "is uint8[] on the CPU"),
        ({"shape": either(ListedShape(("1",)), ListedShape(()))}, "has 0 or 1 axes of uint8 on the CPU"),
        ({"dtype": either(UINT8, FLOAT32)}, "is uint8 or float32[height, width] on the CPU"),
        ({"device": Device("cuda", "self->gpu")}, "is uint8[height, width] on cuda"),
        ({"dtype": NumberedDType(DType("18", 32))}, "is dtype(18, 32, 1)[height, width] on the CPU"),
        ({"device": Device("19")}, "is uint8[height, width] on device 19"),
        ({"order": "F"}, "is uint8[height, width], in column-major order, on the CPU"),
        (
            {"strides": OuterStride("self->pitch", "bytes")},
            "is uint8[height, width], its rows `pitch` bytes apart, on the CPU",
        ),
        ({"strides": OuterStride("self->pitch", "sizeof(float)")}, "is uint8[height, width] on the CPU"),
        ({"device": either(Device("cuda"), Device("cpu"))}, "is uint8[height, width] on cuda or the CPU"),
    ],
)
def test_the_summary_names_dtype_shape_and_device(slots: dict[str, object], summary: str) -> None:
    assert bound(slots, doc="A picture.").comment == ("Image: A picture.", f"The array {summary}.")


def test_the_summary_lists_the_possible_values_of_matches() -> None:
    arms = tuple(
        ArmOf(((key,),), Slots(shape=ListedShape(extents), device=Device(device)))
        for key, extents, device in (("A", ("1",), "cpu"), ("B", ("1", "2"), "cuda"))
    )
    found = bound({"dtype": None, "shape": None}, matches=(by_dtype(UINT8), Match(("self->kind",), arms)))
    assert (
        found.comment[-1]
        == "The array has 1 or 2 axes (by `kind`) of uint8 (by `type`) on the device that `kind` says."
    )


def test_the_default_doc_names_the_c_type() -> None:
    assert bound().comment[0] == "Image: image_t, shared through DLPack."
    assert bound().docstring == '"image_t, shared through DLPack."'


@pytest.mark.parametrize(
    "changes, words",
    [
        ({}, "Makes an owner that borrows `self`. `self` must outlive it."),
        (
            {"release": "image_free(self)"},
            "Moves `self` into an owner. `image_free(self)` is called when its last share is dropped.",
        ),
        (
            {"release": "image_unref(self)", "retain": "image_ref(self)"},
            "Makes an owner with a reference of its own to `self`. The caller keeps its reference.",
        ),
        (
            {"release": "image_free(self)", "clone": Construct("dup(self)")},
            "Makes an owner with a clone of `self`. The caller keeps `self`.",
        ),
    ],
)
def test_comments_say_who_owns_the_object(changes: dict[str, object], words: str) -> None:
    found = bound(**changes)
    assert " ".join(found.own_comment).startswith(f"{words} It can be exported any number of times. Returns 0; ")
    assert " ".join(found.export_comment) == words.replace("an owner", "one managed tensor")
    assert " ".join(found.wrap_comment) == words.replace("an owner", "a new Python object of class Image")


@pytest.mark.parametrize(
    ("release_on", "words"),
    [
        ("any", "Any thread may call it."),
        ("gil", "Any thread may call it. The object is released with the GIL."),
        (
            "creator",
            "Any thread may call it, and releases the object at a later call. If it has ended, the object leaks.",
        ),
    ],
)
def test_comments_say_which_threads_may_release(release_on: ReleaseOn, words: str) -> None:
    found = bound(release="image_free(self)", release_on=release_on)
    assert " ".join(found.own_comment).endswith(f" `self` still belongs to the caller. {words}")


ANY_RANK = {"shape": EachShape("self->rank", "self->n[axis]")}
STRIDED = {"strides": EachStrides("self->steps[axis]")}


@pytest.mark.parametrize(
    ("slots", "require", "words"),
    [
        ({}, Requirements(), "Takes uint8 arrays of 2 axes on the CPU, compact."),
        ({}, Requirements(writable=True, align=16), "Takes writable uint8 arrays of 2 axes on the CPU, compact, "),
        ({}, Requirements(align=16), "compact, aligned to 16 bytes."),
        (STRIDED, Requirements(), "Takes uint8 arrays of 2 axes on the CPU."),
        (STRIDED, Requirements(nonnegative_strides=True), "arrays of 2 axes on the CPU, without negative strides."),
        ({"strides": OuterStride("self->pitch")}, Requirements(), "on the CPU, compact but for the outermost axis."),
        (
            {"shape": EachShape("self->rank", "self->n[axis]")},
            Requirements(),
            "Takes uint8 arrays on the CPU, compact.",
        ),
        (ANY_RANK, Requirements(ndim=(1, 4)), "arrays of 1 to 4 axes on"),
        ({"dtype": either(UINT8, FLOAT32)}, Requirements(), "Takes uint8 or float32 arrays of 2 axes on the CPU"),
        ({"dtype": either(UINT8, FLOAT32)}, Requirements(dtypes=("uint8",)), "Takes uint8 arrays of 2 axes on the CPU"),
        ({"device": Device("cuda")}, Requirements(), "Takes uint8 arrays of 2 axes on cuda, compact."),
    ],
)
def test_comments_and_docstrings_say_which_arrays_an_import_takes(
    slots: dict[str, object], require: Requirements, words: str
) -> None:
    found = bound(slots, import_=Import(SET, require=require))
    assert words in " ".join(found.import_comment)
    assert words in found.from_doc


@pytest.mark.parametrize(
    ("copy", "made", "taken"),
    [
        ("never", "An object that shows the memory of x, without a copy.", "compact."),
        (
            "allowed",
            "An object that shows the memory of x, or of a copy.",
            "On the CPU, arrays in another layout or alignment are copied.",
        ),
        ("always", "An object with a copy of x.", "compact."),
    ],
)
def test_the_docstring_says_whether_an_import_copies(copy: Copy, made: str, taken: str) -> None:
    found = bound(import_=Import(SET, copy=copy))
    assert made in found.from_doc
    assert found.from_doc.replace('" "', "").endswith(f'{taken}"')


@pytest.mark.parametrize(("policy", "what"), [("refuse", "refused"), ("copy", "copied")])
def test_the_comment_says_what_legacy_exports_do_with_read_only_data(policy: str, what: str) -> None:
    comment = " ".join(bound(legacy_readonly=policy).legacy_comment)
    assert comment.endswith(f"read-only data: such data is {what}.")


def test_a_handle_is_not_exported() -> None:
    handle = binding(handles=(Handle("Frame", "frame_t", release="f(self)"),)).classes[0]
    assert "exported" not in " ".join(handle.own_comment)
    assert handle.comment == ("Frame: The C library's frame_t.",)


def test_comments_of_long_names_are_wrapped() -> None:
    long = tensor(type="library_of_a_long_name_matrix_of_complex_numbers_t", import_=Import(SET))
    found = binding(long, replace(long, name="Other")).classes[0]
    for lines in (found.import_comment, found.part_comment):
        assert len(lines) > 1 and max(map(len, lines)) < 115


def test_a_file_name_cannot_break_out() -> None:
    assert Module(replace(spec(tensor()), file="a */ b\nc??/\\.yaml")).spec_file == "a * / b c?? /\\.yaml"


# ---- Signatures ----


def test_params_are_declared_in_c_and_python() -> None:
    params = (
        Declaration("double", "scale"),
        Declaration("int", "plane", "-1"),
        Declaration("const char *", "label", '"x"'),
        Declaration("bool", "on", "true"),
        Declaration("size_t", "n", "010"),
    )
    assert c_parameters(params) == ", double scale, int plane, const char *label, bool on, size_t n"
    assert stub_parameters(params) == ', scale: float, plane: int = -1, label: str = "x", on: bool = True, n: int = 8'
    assert text_signature(params) == ', scale, plane=-1, label="x", on=True, n=8'


def test_python_gives_no_addresses() -> None:
    params = (
        Declaration("int", "plane"),
        Declaration("struct context *", "context", "&usual"),
        Declaration("const unsigned char *", "table", "NULL"),
        Declaration("cl_queue", "queue", "NULL"),
        Declaration("char *", "label", "NULL"),
        Declaration("store *", "home"),
    )
    assert c_parameters(params).endswith("const unsigned char *table, cl_queue queue, char *label, store *home")
    assert stub_parameters(params) == ", plane: int, label: str = ..., home: typing_extensions.Never"
    assert text_signature(params) == ", plane, label=..., home"


def test_the_signature_of_from_dlpack_has_the_params_of_the_import() -> None:
    found = bound(import_=Import(SET, params=PLANE))
    assert found.from_doc.startswith('"from_dlpack($type, x, /, *, plane=0, device=None, copy=None)\\n" "--')
    hidden = bound(import_=Import(SET, params=(Declaration("int", "copy", "0"),)))
    assert hidden.from_doc.startswith('"from_dlpack($type, x, /, *, copy=0, device=None)\\n" "--')
    assert hidden.import_stub == ", copy: int = 0, device: tuple[int, int] | typing.Literal['cpu'] | None = None"
    assert bound(import_=Import(SET)).from_doc.startswith(
        '"from_dlpack($type, x, /, *, device=None, copy=None)\\n" "--'
    )


@pytest.mark.parametrize(
    "slots, matches, require, default",
    [
        ({}, (), Requirements(), "'uint8'"),
        ({"dtype": None}, (by_dtype(UINT8, FLOAT32),), Requirements(), None),
        ({"dtype": None}, (by_dtype(UINT8, FLOAT32),), Requirements(dtypes=("float32",)), "'float32'"),
        ({"dtype": Conditional((("X", UINT8),), FLOAT32)}, (), Requirements(), None),
    ],
)
def test_empty_of_one_dtype_has_a_default(
    slots: dict[str, object], matches: tuple[Match, ...], require: Requirements, default: str | None
) -> None:
    allocate = replace(ALLOCATE, require=require)
    found = bound(slots, matches=matches, release="f(self)", allocate=allocate)
    assert found.default_dtype == default
    assert ("dtype)" if default is None else f"dtype={default})") in found.empty_doc


# ---- Related classes ----


def test_classes_of_one_c_type_show_each_other() -> None:
    first = tensor(release="f(self)")
    second = tensor(name="Plane", release="f(self)", params=PLANE, condition="PLANES")
    image, plane = binding(first, second).classes
    assert '.shares = "image_t"' in image.type_members
    (view,) = image.views
    assert (view.method, view.c_name) == ("plane", "img_plane")
    assert view.doc.startswith('"plane($self, /, plane=0)\\n" "--') and view.condition == "PLANES"
    assert image.has_part and plane.has_part and plane.views[0].condition is None
    source = files(first, replace(second, hold=HOLD))["imaging_dlpack.c"]
    assert "&img_image_type, NULL, out" in source and "img_plane_state state = {.plane = plane};" in source
    assert "state = {0};" in files(first, replace(second, params=(), hold=HOLD))["imaging_dlpack.c"]
    assert not any("shares" in fact for fact in bound().type_members) and not bound().has_part
    other = binding(first, replace(second, by_value=True, params=())).classes[0]
    assert other.views == ()


def test_one_shot_exports_exist_only_where_no_other_export_loses_the_object() -> None:
    """A first export would move the object away from the others."""
    assert bound(release="f(self)").one_shot and bound(params=PLANE).one_shot
    assert not bound(release="f(self)", params=PLANE).one_shot
    assert bound(release="f(self)", retain="g(self)", params=PLANE).one_shot
    assert bound(release="f(self)", clone=Construct("g(self)"), params=PLANE).one_shot
    assert not binding(tensor(release="f(self)"), tensor(name="Other")).classes[0].one_shot


def files(*tensors: Tensor, handles: tuple[Handle, ...] = ()) -> dict[str, str]:
    return {file.name: file.text for file in render([spec(*tensors, handles=handles)], 1)}


def test_related_classes_that_the_preprocessor_leaves_out_are_not_mentioned() -> None:
    plane = tensor(name="Plane", params=PLANE, condition="PLANES")
    handle = Handle("Frame", "image_t", parts=(Part("planes", "Plane", "2"),))
    for name, text in files(tensor(), plane, handles=(handle,)).items():
        if name.endswith(".pyi"):
            continue
        depth = 0
        for line in text.splitlines():
            depth += line.startswith("#if PLANES") - (depth > 0 and line.startswith("#endif"))
            assert depth in (0, 1)
            assert depth or not any(word in line for word in ("img_plane", "planes", "as_plane")), (name, line)


def test_a_shared_condition_is_written_once() -> None:
    both = [tensor(condition="ALL"), tensor(name="Plane", condition="ALL")]
    assert files(*both)["imaging_module.c"].count("#if ALL") == 6
