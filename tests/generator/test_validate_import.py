"""Nodes become specs: imports."""

from __future__ import annotations

import pytest

from dlpack_bindgen.tensor.item import Action, Attach, Construct, Declaration, Deleter, Import, Let, SetFields
from dlpack_bindgen.tensor.requirements import Check, Requirements
from support.validated import importing, tensor


@pytest.mark.parametrize(
    ("text", "destroy"),
    [
        ("{set: {p: data}}", None),
        ("{construct: t_view(data)}", "t_free(self)"),
        ("{construct: t_view(data), destroy: t_end(self)}", "t_end(self)"),
        ("{construct: t_view(data), destroy: none}", None),
        ('{init: "t_fill(self, data)"}', "t_free(self)"),
        ("{set: {p: data}, destroy: t_end(self)}", "t_end(self)"),
    ],
)
def test_an_imported_object_is_destroyed_by_destroy_or_release(text: str, destroy: str | None) -> None:
    assert importing(text).destroy == destroy


@pytest.mark.parametrize(
    ("ok", "condition"),
    [
        ("== 1", "% == 1"),
        ("'!= NULL'", "% != NULL"),
        ("'>= 0'", "% >= 0"),
        ("< 7", "% < 7"),
        ("LIB_OK(%)", "LIB_OK(%)"),
        ("'% == 0 || errno == 0'", "% == 0 || errno == 0"),
    ],
)
def test_ok_becomes_an_expression_of_the_result(ok: str, condition: str) -> None:
    assert importing(f"{{construct: t_view(data), ok: {ok}}}").build == Construct("t_view(data)", condition)


def test_the_rank_of_a_listed_shape_is_required_of_imports() -> None:
    assert importing("{set: {p: data}}").require.ndim == (1, 1)
    assert importing("{set: {p: data}, require: [{ndim: [1, 2]}]}").require.ndim == (1, 2)
    free = tensor("shape: {ndim: self->rank, each: 'self->size[axis]'}\nimport: {set: {p: data}}").import_
    assert free is not None
    assert free.require.ndim is None


def test_the_ranks_of_arms_are_required_of_imports() -> None:
    match = "match: {of: self->k, arms: [{when: A, shape: [a]}, {when: B, shape: [a, b, c]}]}"
    made = tensor(f"{match}\nimport: {{set: {{p: data}}}}").import_
    assert made is not None
    assert made.require.ndim == (1, 3)


@pytest.mark.parametrize(
    ("text", "deleter"),
    [
        ("[data, user]", Deleter((("void *", "data"), ("void *", "user")))),
        ("[user, 'uint8_t *data']", Deleter((("void *", "user"), ("uint8_t *", "data")))),
        ("[data, size_t length, user]", Deleter((("void *", "data"), ("size_t", "length"), ("void *", "user")))),
        ("{order: [object], user: object->u}", Deleter((("void *", "object"),), "object->u")),
    ],
)
def test_each_form_of_a_deleter_is_read(text: str, deleter: Deleter) -> None:
    made = importing(f"{{construct: 't(data, deleter, user)', destroy: none, deleter: {text}}}")
    assert made.deleter == deleter
    attach = text if text.startswith("{") else f"{{order: {text}}}"
    made = importing(f"{{construct: t(data), attach: {{do: 'a(self, user, deleter)', ok: == 0, {attach[1:]}}}")
    assert made.deleter == deleter
    assert made.attach == Attach(Action("a(self, user, deleter)", "% == 0"))


def test_the_values_of_many_keys_of_an_import_are_read() -> None:
    made = importing("""
  params: [int mode = 0]
  let: [{"size_t size[]": shape}, {"long back[]": reversed( byte_strides )}, {int n: ndim, ok: < 4, undo: u()}]
  construct: t_view(data, size, mode)
  ok: T_OK(%)
  error: t_error(result)
  undo: t_free(result)
  detach: t_detach(self)
  copy: always""")
    assert made == Import(
        Construct("t_view(data, size, mode)", "T_OK(%)", "t_error(result)", "t_free(result)"),
        params=(Declaration("int", "mode", "0"),),
        let=(
            Let("size_t", "size", "shape", array=True),
            Let("long", "back", "byte_strides", array=True, is_reversed=True),
            Let("int", "n", "ndim", ok="% < 4", undo="u()"),
        ),
        require=Requirements(ndim=(1, 1)),
        detach="t_detach(self)",
        destroy="t_free(self)",
        copy="always",
    )


def test_set_can_have_members_for_each_axis() -> None:
    made = importing("{box: T_OF(15), set: {p: data, 'dim[axis].n': 'shape[axis]', 'last[ndim - 1]': 1}}")
    assert made.build == SetFields((("p", "data"), ("dim[axis].n", "shape[axis]"), ("last[ndim - 1]", "1")))
    assert made.box == "T_OF(15)"


def test_code_is_unambiguous_where_the_dtype_is_required() -> None:
    dtype = "dtype: {of: self->k, map: {A: int8, B: int8, C: uint8}}"
    assert tensor(f"{dtype}\nimport: {{set: {{p: data, k: code}}, require: [{{dtype: uint8}}]}}").import_


@pytest.mark.parametrize(
    "arms",
    [
        "{when: A, shape: [h, w, 3]}, {when: B, shape: [h, w, 4]}",
        "{when: A, shape: [h, w]}, {when: B, shape: [h, w, 4]}",
        "{when: A, shape: [h, w], dtype: int16}, {when: B, shape: [h, w]}",
        "{when: A, shape: [h], import: true}, {when: B, shape: [w]}, {when: {any: [C, D]}, shape: [w]}",
        "{when: A, shape: [h], if: OLD}, {when: B, shape: [h], if: '!OLD'}",
    ],
)
def test_code_is_unambiguous_where_arms_differ(arms: str) -> None:
    assert tensor(f"match: {{of: self->k, arms: [{arms}]}}\nimport: {{set: {{p: data, k: code}}}}").import_


def test_constant_numbers_have_a_code() -> None:
    dtype = "dtype: {of: self->kind, map: {A: {code: 18, bits: 32}, B: {code: 19, bits: 32}}}"
    made = tensor(f'{dtype}\nrelease: t_free(self)\nimport: {{construct: "wrap(data, code)"}}').import_
    assert made is not None and made.build == Construct("wrap(data, code)")


def test_a_code_of_a_composite_match_has_an_index() -> None:
    match = "match: {of: [a, b], arms: [{when: [A, _], dtype: int8}, {when: [B, _], dtype: uint8}]}"
    assert tensor(f"{match}\nimport: {{set: {{p: data, k: 'code[0]'}}}}").import_


def test_a_word_of_the_library_may_look_like_one_of_the_language() -> None:
    found = tensor("hold: [{int w: 1}]\nlet: [{int h: self->h}]\nrequire: [w && self->h && h(self)]\nrelease: f(h)")
    assert found.require == (Check("w && self->h && h(self)"),)
