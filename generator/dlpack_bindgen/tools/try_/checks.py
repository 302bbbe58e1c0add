"""The checks of the log by their names: what explains their findings, and which findings are consequences of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dlpack_bindgen.tools.try_ import arrays, crashes, lifetimes
from dlpack_bindgen.tools.try_.findings import Finding, Specs
from dlpack_bindgen.tools.try_.rounds import Event, Round

_FINDINGS: Mapping[str, Callable[[Specs, Event], Finding | None]] = {
    "export-outside": arrays.export_outside,
    "readonly-memory": arrays.readonly_memory,
    "made-differs": arrays.made_differs,
    "bytes-outside": arrays.bytes_outside,
    "beyond": arrays.beyond,
    "changed": arrays.changed,
    "unset": arrays.unset,
    "undefined": arrays.undefined,
    "end-kept": arrays.end_kept,
    "end-unused": arrays.end_unused,
    "used-later": lifetimes.used_later,
    "used-released": lifetimes.used_released,
    "moved": lifetimes.moved,
    "freed-export": lifetimes.freed_export,
    "second-owner": lifetimes.second_owner,
    "freed-before-release": lifetimes.freed_before_release,
    "release-other-owner": lifetimes.release_other_owner,
    "release-left-data": lifetimes.release_left_data,
    "import-freed": lifetimes.import_freed,
    "bad-access": crashes.bad_access,
    "signal": crashes.ended_by_signal,
    "memcheck": crashes.memcheck_error,
}
OF_ALL_CALLS = ("unset", "undefined", "end-kept")
"""Findings that compare all calls of a function, at the end of the process."""
_OF_OWNERS = (
    "second-owner",
    "freed-before-release",
    "freed-export",
    "release-left-data",
    "release-other-owner",
    "moved",
    "import-freed",
    "export-outside",
)
"""Findings after which later faults can be their consequences."""
_CLAIMS = {"living": "export", "calls": "values"}
"""The kinds of claims that these checks confirm. Other checks have the name of their kind."""


def finding(specs: Specs, event: Event) -> Finding | None:
    """Returns the finding of an event; None: it says nothing about the specs."""
    make = _FINDINGS.get(event["check"])
    return make(specs, event) if make is not None else None


def consequences(done: Round) -> tuple[list[Event], list[Event]]:
    """Divides the findings of a process: those that stand alone, and a last one that can follow from them."""
    fatal = done.fatal
    others = [each for each in done.findings if each is not fatal]
    if fatal is None:
        return others, []
    if any(each["check"] in _OF_OWNERS for each in others):
        return others, [fatal]
    return [*others, fatal], []


def confirmed_claim(specs: Specs, event: Event) -> tuple[str, str, str] | None:
    """Returns the kind, the subject and the argument of a claim that a check has confirmed; None: a claim of other
    specs."""
    check = str(event["check"])
    subject = specs.function(event.get("subject")) or specs.class_(event.get("subject"))
    if subject is None:
        return None
    argument = str(event.get("argument") or "")
    if argument == "self":
        argument = subject.receiver or ""
    return _CLAIMS.get(check, check), subject.name, argument
