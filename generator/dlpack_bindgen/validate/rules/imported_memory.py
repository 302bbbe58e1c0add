"""Rules for imported objects that use the memory of an array and do not free it."""

from __future__ import annotations

import re

from dlpack_bindgen.hooks.release import RELEASE
from dlpack_bindgen.imports.attach import ATTACH
from dlpack_bindgen.imports.deleter import DELETER
from dlpack_bindgen.imports.destroy import DESTROY, DETACH
from dlpack_bindgen.imports.init import INIT_OF_MAKING
from dlpack_bindgen.imports.set import SET_OF_IMPORT
from dlpack_bindgen.language.making import IMPORT_OF_CLASS
from dlpack_bindgen.language.values import Fields, c_fragments, is_whole
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report

_MAKING = ("let", "set", "init", "construct", "ok", "attach", "require")


def check(tensor: Fields, report: Report) -> None:
    made = tensor[IMPORT_OF_CLASS]
    if made is None or not is_whole(made):
        return
    _address(made, report)
    if SET_OF_IMPORT in made:
        _end(tensor, made, report)
        _data(made, report)


def _address(made: Fields, report: Report) -> None:
    """Reports imports whose C text never uses the address of the data."""
    fragments = [leaf.text for key in _MAKING if key in made.values for _, leaf in c_fragments(made.values[key])]
    build = next((key for key in ("set", "init", "construct") if key in made.given), None)
    if build and not any(ctext.mentions(text, name) for text in fragments for name in ("data", "rows")):
        message = "no key uses 'data', the address of the memory of the array"
        hint = "set the member that points to it to 'data'" if build == "set" else "hand 'data' to the call"
        report(Diagnostic("import-incomplete", made.given[build], message, hint))


def _end(tensor: Fields, made: Fields, report: Report) -> None:
    """Reports a `destroy` equal to `release`: it would free the data, which the array owns."""
    end, release = made[DESTROY], tensor[RELEASE]
    others = made.has_any(INIT_OF_MAKING, DETACH, DELETER, ATTACH)
    if end is None or release is None or others:
        return
    if end.text.strip(" ;") == release.text.strip(" ;") and "(" in end.text and ctext.mentions(end.text, "self"):
        message = "this may free the data as well, as it does for the library's objects: here the array owns the data"
        notes = (Note(release.span, "the same"),)
        hint = "leave 'destroy' out, or let go of the data first: 'detach: self->... = NULL'"
        report(Diagnostic("frees-our-memory", end.span, message, hint, notes))


def _data(made: Fields, report: Report) -> None:
    """Reports a `destroy` that frees the member with the data, which the array owns."""
    end, members = made[DESTROY], made[SET_OF_IMPORT]
    if end is None or members is None or DETACH in made:
        return
    for member in [member.text for member, value in members.leaves() if value.text == "data"]:
        if re.search(rf"\b(?:\w+_)?(?:free|delete|dealloc)\(\s*self\s*->\s*{re.escape(member)}\s*\)", end.text):
            message = f"'{member}' has the memory of the array, which is freed with its owner: this would free it too"
            report(Diagnostic("frees-our-memory", end.span, message, "leave that out"))
