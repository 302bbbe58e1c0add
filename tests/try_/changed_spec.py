# SPDX-License-Identifier: MIT
"""Specs after a remedy of a finding: what the generator says about them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import yaml

from dlpack_bindgen.calls.derived_arguments import MEASURES
from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.text.yaml import load
from dlpack_bindgen.tools.try_.claims import Described, Subject
from dlpack_bindgen.tools.try_.remedies import Remedy

_EXCLUSIVE = ({"borrow", "keeps", "owned"}, {"takes", "keeps"}, set(MEASURES))
"""Keys of which an entry has one."""


def described(text: str, file: str = "wrong.yaml") -> Described:
    """Returns a spec without mistakes."""
    loaded = load(file, text.encode())
    specs, problems = validate([loaded])
    assert [each.message for each in [*loaded.diagnostics, *problems]] == []
    return Described(loaded, specs[0])


def refusals(spec: Described, text: str, subject: str, remedies: Sequence[Remedy]) -> list[str]:
    """Returns the remedies that the generator refuses, with its reasons. Remedies that leave something open are
    skipped."""
    found = []
    keeps_arrays = any("`arrays: Array` at the top" in each.text for each in remedies)
    for remedy in (each for each in remedies if each.key):
        of = _subject(spec, remedy.of or subject)
        assert of is not None, remedy
        loaded = load("changed.yaml", _changed(spec, text, of, remedy, keeps_arrays).encode())
        _, problems = validate([loaded])
        found += [f"{remedy.text}: {each.message}" for each in [*loaded.diagnostics, *problems]]
    return found


def _subject(spec: Described, name: str) -> Subject | None:
    """Returns the function or class with a name. A property and its setter have one name; the setter has the keys."""
    named = [each for each in (*spec.classes.values(), *spec.functions.values()) if each.name == name]
    return max(named, key=lambda each: each.call is not None, default=None)


def _changed(spec: Described, text: str, subject: Subject, wanted: Remedy, keeps_arrays: bool) -> str:
    """Returns the text of a spec with a change."""
    whole = yaml.load(text, yaml.BaseLoader)
    part = whole
    for name in (*spec.path(subject), *wanted.where):
        entry = part.setdefault(name, {})
        part[name] = {"c": entry} if isinstance(entry, str) else entry
        part = part[name]
    part.update(_merged(part, yaml.load(wanted.yaml, yaml.BaseLoader)))
    if keeps_arrays:
        whole["arrays"] = "Array"
    return yaml.safe_dump(whole, sort_keys=False)


def _merged(old: Any, new: Any) -> Any:
    if isinstance(new, dict):
        old = {"of": old} if isinstance(old, str) else dict(old or {})
        for keys in _EXCLUSIVE:
            if keys & new.keys():
                old = {key: value for key, value in old.items() if key not in keys}
        return old | {key: _merged(old.get(key), value) for key, value in new.items()}
    if isinstance(new, list) and isinstance(old, list):
        return [*old, *(each for each in new if each not in old)] if any("expr" in each for each in new) else new
    return new


# ---- Remedies of a printed report ----

_PRINTED = re.compile(
    r"(?P<key>[a-z_]\w*): (?P<value>\{.*\}|\[.*\]|(?!a |the )\S.*?)"
    r"(?: of (?P<of>[A-Za-z_][\w.]*))?(?P<after>,? (?:if|because|as|or|instead|so) .*)?",
    re.IGNORECASE,
)


def remedies_in(spec: Described, subject: str, lines: Iterable[str]) -> list[Remedy]:
    """Returns the remedies of a report, as a reader takes them out of its lines: a key, its value, and words."""
    return [_read(spec, subject, line) for line in lines]


def _read(spec: Described, subject: str, line: str) -> Remedy:
    match = _PRINTED.fullmatch(line)
    if match is None or "..." in match["value"]:
        return Remedy(line)
    key, value, of = match["key"], match["value"], match["of"] or ""
    if " " in value and not re.search(r"^[\[{]|[(=]", value):  # a sentence
        return Remedy(line)
    owner = _subject(spec, of or subject)
    is_argument = owner is not None and owner.argument(key) is not None
    where = ("args",) if is_argument else ("import",) if key == "detach" else ()
    return Remedy(line, key, value, where, of)
