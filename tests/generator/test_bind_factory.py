"""The functions that make objects: variables in scope, construction, ownership of the memory."""

from __future__ import annotations

import pytest

from dlpack_bindgen.tensor.item import (
    Action,
    Allocate,
    Attach,
    CallStep,
    Construct,
    Declaration,
    Deleter,
    Import,
    Init,
    Let,
    SetFields,
    Step,
)
from dlpack_bindgen.tensor.requirements import Check, Requirements
from dlpack_bindgen.tensor.shape import EachShape, ListedShape
from generator.bind_specs import SET, bound, code, factory, function, made, members, printed, requirements

SELF = "image_t *self = source->box;"
DATA = "void *data = source->data;"
NDIM = "const int ndim = source->ndim;"
WRAP = Construct("wrap(data)")
USER = Deleter((("void *", "user"),))
BY_VALUE = {"data": "self.pixels", "shape": ListedShape(("self.n",))}


# ---- Set ----


def test_set_fills_a_struct_in_the_owner() -> None:
    fields = SetFields(
        (("n", "shape[0]"), ("pixels", "data"), ("flags", "FLAGS"), ("a.b", "(dims_t){1, 2}"), ("on", "1"))
    )
    importer = factory(made=Import(fields))
    assert code(printed(importer)[-1].lines) == [
        SELF,
        DATA,
        "const int64_t *shape = source->shape;",
        "DLB_SET(source, self->n, shape[0]);",
        "self->pixels = data;",
        "DLB_SET(source, self->flags, FLAGS);",
        "DLB_SET(source, self->a.b, ((dims_t){1, 2}));",
        "self->on = 1;",
        "return dlb_source_failed(source, error) ? NULL : self;",
    ]
    assert ".box = DLB_STORAGE_FOR(image_t)" in members(importer) and importer.structs == []
    assert printed(importer)[-1].head == "static void *dl_img_image_import(dlb_source *source, dlb_error *error)"
    assert printed(importer)[-1].strict == "DLB_STRICT_BEGIN"


def test_a_value_that_always_fits_is_not_checked() -> None:
    assert made(Import(SetFields((("pixels", "data"),)))) == [
        SELF, DATA, "(void)error;", "self->pixels = data;", "return self;",
    ]  # fmt: skip


def test_fields_of_each_axis_are_set_in_one_loop() -> None:
    found = made(
        Import(SetFields((("dims[axis].n", "shape[axis]"), ("step[axis]", "1"), ("x", "0"), ("y[axis]", "1"))))
    )
    assert found[1:] == [
        NDIM,
        "const int64_t *shape = source->shape;",
        "for (int axis = 0; axis < ndim; axis++) {",
        "DLB_SET(source, self->dims[axis].n, shape[axis]);",
        "self->step[axis] = 1;",
        "}",
        "self->x = 0;",
        "for (int axis = 0; axis < ndim; axis++) {",
        "self->y[axis] = 1;",
        "}",
        "return dlb_source_failed(source, error) ? NULL : self;",
    ]


# ---- Init and construct ----


def test_init_fills_the_box() -> None:
    importer = factory(made=Import(Init("fill(self, data)", "% == 0", "why(result)"), destroy="close(self)"))
    found = code(function(importer, "import").lines)
    assert found[0] == SELF
    assert "DLB_AUTO result = fill(self, data);" in found
    assert 'return dlb_source_call_failed(source, error, "fill(self, data)", why(result));' in found
    assert found[-1] == "return self;"
    assert ".destroy = dl_img_image_destroy" in members(importer)
    assert code(function(importer, "destroy").lines) == ["image_t *self = object;", "close(self);"]
    assert made(Import(Init("fill(self)"))) == [SELF, "(void)error;", "fill(self);", "return self;"]


def test_an_object_that_a_step_has_tested_is_not_tested_again() -> None:
    def tested(*steps: Step, construct: Construct | None = None, **changes: object) -> bool:
        lines = made(Import(construct or Construct("frame"), let=steps), **changes)
        return any("frame" in line and "result" in line for line in lines)

    frame = Let("image_t *", "frame", "f()", ok="% != NULL")
    assert not tested(frame)
    assert not tested(frame, CallStep("g(frame, &frame->data, a == frame)"))
    for step in (CallStep("frame = g(frame)"), CallStep("g(&frame)"), Let("int", "n", "(frame = g())")):
        assert tested(frame, step)
    assert tested(Let("image_t *", "frame", "f()"))
    assert tested(Let("image_t *", "frame", "f()", ok="status() == 0"))
    assert tested(Let("void *", "frame", "f()", ok="% != NULL"))
    assert tested(frame, construct=Construct("frame", ok="% != NONE"))
    assert made(Import(Construct("frame"), let=(Let("image_t", "frame", "f()", ok="good(%)"),)), by_value=True)[
        -2:
    ] == [
        "*(image_t *)source->box = self;",
        "return source->box;",
    ]


def test_the_result_of_construct_is_compared_with_null_unless_ok_is_given() -> None:
    found = made(Import(WRAP))
    assert found == [
        DATA,
        "image_t *result = wrap(data);",
        "if (result == NULL) {",
        'return dlb_source_call_failed(source, error, "wrap(data)", NULL);',
        "}",
        "return result;",
    ]
    assert "if (bad(result) != 0) {" in made(Import(Construct("wrap(data)", "bad(%) == 0")))
    assert not any(fact.startswith(".box") for fact in members(factory(made=Import(WRAP))))


def test_a_tensor_with_a_state_gets_the_object_alone() -> None:
    """The runtime makes the state of the object."""
    params = (Declaration("int", "plane", "0"),)
    assert made(Import(WRAP), params=params) == made(Import(WRAP))
    found = factory(made=Import(SET), params=params)
    assert ".box = DLB_STORAGE_FOR(image_t)" in members(found) and code(printed(found)[-1].lines)[0] == SELF


def test_allocate_is_nonnegative_and_destroyed_by_release() -> None:
    allocate = Allocate(Construct("make(count)"), let=(Let("size_t", "count", "shape[0]"),))
    allocator = bound(release="close(self)", allocate=allocate).allocator
    assert allocator is not None
    assert printed(allocator)[-1].strict == "DLB_STRICT_NONNEGATIVE_BEGIN"
    assert ".destroy = dl_img_image_release" in members(allocator)
    assert not any(fact.startswith((".layout", ".devices")) for fact in members(allocator))


# ---- Values ----


def test_values_are_made_here_and_copied_by_the_runtime() -> None:
    built = made(Import(SetFields((("n", "shape[0]"),))), BY_VALUE, by_value=True)
    assert built == [
        "const int64_t *shape = source->shape;",
        "image_t self = {0};",
        "DLB_SET(source, self.n, shape[0]);",
        "if (dlb_source_failed(source, error)) {",
        "return NULL;",
        "}",
        "*(image_t *)source->box = self;",
        "return source->box;",
    ]
    constructed = made(Import(Construct("wrap(data)", "good(&%)", "why(&result)")), BY_VALUE, by_value=True)
    assert constructed == [
        DATA,
        "image_t self = wrap(data);",
        "if (!(good(&self))) {",
        'return dlb_source_call_failed(source, error, "wrap(data)", why(&self));',
        "}",
        "*(image_t *)source->box = self;",
        "return source->box;",
    ]
    assert not any("if (" in line for line in made(Import(WRAP), BY_VALUE, by_value=True))
    assert "fill(&self, data);" in made(Import(Init("fill(&self, data)")), BY_VALUE, by_value=True)
    assert ".box = DLB_STORAGE_FOR(image_t)" in members(factory(BY_VALUE, made=Import(WRAP), by_value=True))


# ---- Variables ----


def test_names_of_the_scope_are_declared_only_where_they_are_mentioned() -> None:
    names = dict.fromkeys("ndim readonly device_id strides shape data".split())
    computed = {
        "byte_strides": "dlb_byte_strides(source)",
        "nbytes": "dlb_source_nbytes(source)",
        "itemsize": "dlb_itemsize(source->dtype)",
    }
    for name, value in {**names, **computed}.items():
        found = made(Import(Construct(f"wrap({name})")))
        declared = [line for line in found if "source" in line and " = " in line]
        assert len(declared) == 1 and declared[0].endswith(f"{name} = {value or f'source->{name}'};")
    assert "(void)source;" not in made(Import(WRAP))
    assert made(Import(Construct("wrap()", "1")), by_value=False)[0] != DATA


@pytest.mark.parametrize("name", ["shape", "strides", "byte_strides"])
def test_arrays_of_a_constructor_live_in_the_function(name: str) -> None:
    let = (Let("size_t", "size", name, array=True, is_reversed=name == "strides"),)
    found = made(
        Import(Construct("wrap(size)"), let=let, require=Requirements(ndim=(1, 4))),
        {"shape": EachShape("self->n", "self->d[axis]")},
    )
    place = "ndim - 1 - axis" if name == "strides" else "axis"
    assert found[:9] == [
        NDIM,
        f"const int64_t *{name} = {'dlb_byte_strides(source)' if name == 'byte_strides' else f'source->{name}'};",
        "size_t size[4] = {0};",
        "for (int axis = 0; axis < ndim; axis++) {",
        f"DLB_SET(source, size[axis], {name}[{place}]);",
        "}",
        "if (dlb_source_failed(source, error)) {",
        "return NULL;",
        "}",
    ]


def test_arrays_of_a_box_live_as_long_as_the_object() -> None:
    let = (Let("int", "dims", "shape", array=True),)
    importer = factory({"shape": EachShape("self->n", "self->d[axis]")}, made=Import(Init("fill(self, dims)"), let=let))
    members_of_box = ("image_t object", "int dims[DLB_MAX_NDIM]")
    assert importer.structs == [("struct dl_img_image_import_box", members_of_box)]
    found = code(printed(importer)[-1].lines)
    assert found[:3] == [
        "struct dl_img_image_import_box *box = source->box;", "image_t *self = &box->object;", "int *dims = box->dims;",
    ]  # fmt: skip
    assert ".box = DLB_STORAGE_FOR(struct dl_img_image_import_box)" in members(importer)
    value = factory(BY_VALUE, made=Import(SetFields((("d", "dims"),)), let=let), by_value=True)
    assert code(printed(value)[-1].lines)[-2:] == ["box->object = self;", "return &box->object;"]


def test_the_box_may_have_another_type_than_the_object() -> None:
    importer = factory(made=Import(Init("fill(self)"), box="union storage"))
    assert importer.structs[0][1] == ("union storage object",)
    assert "image_t *self = (image_t *)(void *)&box->object;" in printed(importer)[-1].lines


def test_variables_are_checked_and_requirements_come_first() -> None:
    let = (Let("int", "w", "shape[0]"), Let("int", "h", "shape[1]"))
    require = Requirements(checks=(Check("ndim == 2", "two axes"),))
    found = made(Import(Construct("wrap(w, h)"), let=let, require=require))
    start = found.index("if (ndim != 2) {")
    assert found[start : start + 10] == [
        "if (ndim != 2) {",
        'return dlb_source_refuse(source, error, "two axes");',
        "}",
        "int w;",
        "DLB_SET(source, w, shape[0]);",
        "int h;",
        "DLB_SET(source, h, shape[1]);",
        "if (dlb_source_failed(source, error)) {",
        "return NULL;",
        "}",
    ]


# ---- Params ----


def test_params_of_an_import_are_stored_in_a_struct() -> None:
    params = (Declaration("int", "plane"), Declaration("const char *", "label", '"x"'))
    importer = factory(made=Import(Construct("wrap(data, plane)"), params=params))
    assert importer.structs[0][1] == ["int plane", "const char *label"]
    assert importer.params is not None and importer.params.entries == (
        "DLB_PARAM(struct img_image_import_params, plane, 1)",
        "DLB_PARAM(struct img_image_import_params, label, 0)",
    )
    assert code(function(importer, "import_defaults").lines) == [
        "struct img_image_import_params *params = object;", 'params->label = "x";',
    ]  # fmt: skip
    found = code(function(importer, "import").lines)
    assert "const struct img_image_import_params *params = source->params;" in found
    assert "const int plane = params->plane;" in found and not any("label" in line for line in found)
    assert {".defaults = dl_img_image_import_defaults", ".param_count = 2"} <= set(members(importer))
    required = factory(made=Import(WRAP, params=params[:1]))
    assert not any("defaults" in fact for fact in members(required))
    found = bound(import_=Import(WRAP, params=params))
    assert found.import_parameters == ", int plane, const char *label" and found.import_params == params


# ---- Ownership of the memory ----


@pytest.mark.parametrize(
    "deleter, head, lines",
    [
        (USER, "void *user", ["dlb_lease_end(user);"]),
        (Deleter((("void *", "data"), ("size_t", "length"), ("void *", "user"))),
         "void *data, size_t length, void *user", ["(void)data;", "(void)length;", "dlb_lease_end(user);"]),
        (Deleter((("image_t *", "object"),), "object->user"), "image_t *object", ["dlb_lease_end(object->user);"]),
    ],
)  # fmt: skip
def test_the_deleter_is_an_adapter_with_the_declared_parameters(deleter: Deleter, head: str, lines: list[str]) -> None:
    importer = factory(made=Import(Construct("wrap(data, deleter, user)"), deleter=deleter))
    adapter = function(importer, "deleter")
    assert adapter.head == f"static void dl_img_image_deleter({head})"
    assert code(adapter.lines) == lines
    found = code(function(importer, "import").lines)
    assert "struct dlb_lease *user = source->user;" in found
    assert "image_t *result = wrap(data, dl_img_image_deleter, user);" in found
    assert ".lease = 1" in members(importer)


def test_the_user_pointer_has_the_declared_type() -> None:
    deleter = Deleter((("const unsigned char *", "user"),))
    importer = factory(made=Import(Construct("wrap(data, deleter, user)"), deleter=deleter))
    assert "const unsigned char *user = source->user;" in code(function(importer, "import").lines)


def test_an_import_without_deleter_has_no_lease() -> None:
    assert ".lease = 1" not in members(factory(made=Import(WRAP)))


def test_attach_runs_last_and_its_failure_destroys_the_object() -> None:
    attach = Attach(Action("attach(self, user, deleter)", "% == 0"))
    found = made(Import(WRAP, attach=attach, deleter=USER, destroy="close(self)"))
    assert found[-10:] == [
        "image_t *self = wrap(data);",
        "if (self == NULL) {",
        'return dlb_source_call_failed(source, error, "wrap(data)", NULL);',
        "}",
        "if (attach(self, user, dl_img_image_deleter) != 0) {",
        '(void)dlb_source_call_failed(source, error, "attach(self, user, deleter)", NULL);',
        "close(self);",
        "return NULL;",
        "}",
        "return self;",
    ]
    fields = made(Import(SET, attach=attach, deleter=USER))
    assert fields.index("if (dlb_source_failed(source, error)) {") < fields.index(
        "if (attach(self, user, dl_img_image_deleter) != 0) {"
    )


def test_how_a_made_object_is_destroyed() -> None:
    def facts(made: Import) -> list[str]:
        found = factory(made=made, release="drop(self)")
        return [fact for fact in members(found) if "destroy" in fact]

    assert facts(Import(WRAP)) == []
    assert facts(Import(WRAP, destroy="drop(self)")) == [".destroy = dl_img_image_release"]
    assert facts(Import(WRAP, destroy="close(self)")) == [".destroy = dl_img_image_destroy"]
    assert facts(Import(WRAP, detach="drop(self)")) == [".destroy = dl_img_image_release"]
    both = factory(made=Import(WRAP, detach="detach(self)", destroy="drop(self)"), release="drop(self)")
    assert code(function(both, "destroy").lines) == ["image_t *self = object;", "detach(self);", "drop(self);"]


def test_the_copy_policy_is_a_requirement() -> None:
    assert ".copy = DLB_COPY_ALWAYS" in requirements(factory(made=Import(WRAP, copy="always")))
    assert not any(".copy" in fact for fact in requirements(factory(made=Import(WRAP))))
