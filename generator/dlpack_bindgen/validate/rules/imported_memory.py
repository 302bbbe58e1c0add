"""Rules for imported objects that use the memory of an array and do not free it."""

from __future__ import annotations

import re

from dlpack_bindgen.c import ctext
from dlpack_bindgen.diagnostics import Diagnostic, Note
from dlpack_bindgen.language.imports import MakingFields
from dlpack_bindgen.language.language import ClassFields
from dlpack_bindgen.language.values import c_fragments, is_whole
from dlpack_bindgen.validate.structure import Report

_MAKING = ("let", "set", "init", "construct", "ok", "attach", "require")


def check(tensor: ClassFields, report: Report) -> None:
    made = tensor.import_
    if made is None or not is_whole(made):
        return
    _address(made, report)
    if MakingFields.set in made:
        _end(tensor, made, report)
        _data(made, report)


def _address(made: MakingFields, report: Report) -> None:
    """Reports imports whose C text never uses the address of the data."""
    fragments = [leaf.text for key in _MAKING if key in made.values for _, leaf in c_fragments(made.values[key])]
    build = next((key for key in ("set", "init", "construct") if key in made.given), None)
    if build and not any(ctext.mentions(text, name) for text in fragments for name in ("data", "rows")):
        message = "no key uses 'data', the address of the memory of the array"
        hint = "set the member that points to it to 'data'" if build == "set" else "hand 'data' to the call"
        report(Diagnostic("import-incomplete", made.given[build], message, hint))


def _end(tensor: ClassFields, made: MakingFields, report: Report) -> None:
    """Reports a `destroy` equal to `release`: it would free the data, which the array owns."""
    end, release = made.destroy, tensor.release
    others = made.has_any(MakingFields.init, MakingFields.detach, MakingFields.deleter, MakingFields.attach)
    if end is None or release is None or others:
        return
    if end.text.strip(" ;") == release.text.strip(" ;") and "(" in end.text and ctext.mentions(end.text, "self"):
        message = "this may free the data as well, as it does for the library's objects: here the array owns the data"
        notes = (Note(release.span, "the same"),)
        hint = "leave 'destroy' out, or let go of the data first: 'detach: self->... = NULL'"
        report(Diagnostic("frees-our-memory", end.span, message, hint, notes))


def _data(made: MakingFields, report: Report) -> None:
    """Reports a `destroy` that frees the member with the data, which the array owns."""
    end, members = made.destroy, made.set
    if end is None or members is None or MakingFields.detach in made:
        return
    for member in [member.text for member, value in members.leaves() if value.text == "data"]:
        if re.search(rf"\b(?:\w+_)?(?:free|delete|dealloc)\(\s*self\s*->\s*{re.escape(member)}\s*\)", end.text):
            message = f"'{member}' has the memory of the array, which is freed with its owner: this would free it too"
            report(Diagnostic("frees-our-memory", end.span, message, "leave that out"))
