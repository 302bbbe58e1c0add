"""Rules for constructors that make a struct: nothing else may count, allocate or free it."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.hooks.clone import CLONE
from dlpack_bindgen.hooks.hooks import RETAIN
from dlpack_bindgen.hooks.release import RELEASE
from dlpack_bindgen.language.classes import GET, INIT_OF_STRUCT, PROPERTIES, SET
from dlpack_bindgen.language.names import Class
from dlpack_bindgen.language.shared import PARAMS
from dlpack_bindgen.language.values import Fields, is_true, text_of
from dlpack_bindgen.steps import reading
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report
from dlpack_bindgen.text.fragments import is_behind_pointer
from dlpack_bindgen.validate.rules.imports import frees_self


def check(new: Fields, own_class: Class, report: Report) -> None:
    for diagnostic in (*_owners(new, own_class), *_params(new, own_class), *_members(new, own_class)):
        report(diagnostic)


def _owners(new: Fields, own_class: Class) -> Iterator[Diagnostic]:
    """Yields problems with the keys that free and count objects."""
    fields, name = own_class.fields, own_class.name.text
    release = fields[RELEASE]
    if not own_class.releases:
        message = f"Python owns the new struct, and '{name}' has no 'release'"
        hint = "release: (void)self if nothing in the struct is freed"
        yield Diagnostic("constructor-result", new.span, message, hint)
    elif release is not None and not own_class.by_value and frees_self(release.text):
        message = f"this '{name}' lies in memory of its owner, which free() does not know"
        hint = "free the content of the object, not the object; '(void)self' if there is nothing in it"
        notes = (Note(release.span, "this frees it"),)
        yield Diagnostic("frees-our-memory", new.span, message, hint, notes, cause=name)
    for key in (RETAIN, CLONE):
        if key in fields:
            message = f"a '{name}' has '{key.name}': only the library can make its objects"
            notes = (Note(fields.place(key), "here"),)
            yield Diagnostic("constructor-result", new.span, message, "new: {c: a function that returns one}", notes)


def _params(new: Fields, own_class: Class) -> Iterator[Diagnostic]:
    """Yields the params that a struct of zeros cannot have."""
    for each in reading.params(own_class.fields[PARAMS]):
        if each.value is None:
            message = f"'{each.name}' is required, and the new struct is made without it"
            yield Diagnostic("param-unset", new.span, message, "give it a default")


def _members(new: Fields, own_class: Class) -> Iterator[Diagnostic]:
    """Yields members that are read through a pointer of a struct of zeros."""
    properties = own_class.fields[PROPERTIES]
    if INIT_OF_STRUCT in new:
        return
    for _, each in properties.records() if properties else ():
        get = text_of(each[GET])
        if get is not None and is_true(each[SET]) and is_behind_pointer(get):
            message = f"'{get}' is behind a pointer, which is NULL in the new struct"
            hint = "set the pointer in 'new: {init: ...}'"
            yield Diagnostic("setter-value", each.place(GET), message, hint)
