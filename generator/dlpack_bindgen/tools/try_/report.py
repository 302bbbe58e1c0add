"""The report of `try`: each claim of the specs, as text and as JSON.

It counts, and never says that a library is safe. Nothing in it depends on time, addresses or temporary files, so two
runs with the same seed give the same JSON."""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.text.diagnostics import Span
from dlpack_bindgen.tools.try_.claims import KINDS, Claim, Described
from dlpack_bindgen.tools.try_.findings import NOTICE, REFUTED, Finding
from dlpack_bindgen.tools.try_.limits import Limit

JSON_VERSION = 1
KNOWN, MISSING = "known", "not exercised"
"""The states of claims that `NAME.limits.yaml` expects to be refuted, and of those that nothing has tested."""
_MARGIN = 14
_WIDTH = 110


class Shown(Frozen):
    """A finding with the calls that show it."""

    finding: Finding
    calls: tuple[str, ...]
    """The calls, each as Python; empty: the user's test."""
    again: str
    """The options that repeat it."""


class Target(Frozen):
    """What Python can call, and how often it did."""

    name: str
    returned: int
    raised: int
    reason: str
    """Why it never returned, or the call that did not; empty: all did, or a test has called it."""


class Report(Frozen):
    """All that a run found."""

    specs: tuple[Described, ...]
    findings: tuple[Shown, ...]
    known: tuple[tuple[Limit, Shown], ...]
    """Findings that `NAME.limits.yaml` expects."""
    unseen: tuple[Limit, ...]
    """Limits that no finding matches."""
    confirmed: Mapping[tuple[str, str, str], int]
    """How often a claim was confirmed: kind, subject and argument."""
    targets: tuple[Target, ...]
    library: tuple[str, ...]
    """What UndefinedBehaviorSanitizer said about the library."""
    notes: tuple[str, ...]
    """What a run could not do."""
    seed: int
    rounds: int
    complete: bool
    """Whether the run was not interrupted."""

    @property
    def refuted(self) -> list[Shown]:
        return [each for each in self.findings if each.finding.state == REFUTED]

    @property
    def calls(self) -> int:
        return sum(each.returned + each.raised for each in self.targets)

    def states(self) -> list[tuple[Claim, str, int]]:
        """Returns each claim with its state, and how often it was confirmed."""
        refuted = {(each.finding.claim, each.finding.subject, each.finding.argument) for each in self.refuted}
        refuted |= {(claim, subject, "") for claim, subject, _ in refuted}
        known = {(each.finding.claim, each.finding.subject, each.finding.argument) for _, each in self.known}
        known |= {(claim, subject, "") for claim, subject, _ in known}
        found = []
        for spec in self.specs:
            for claim in spec.claims():
                key = (claim.kind, claim.subject.name, claim.argument)
                count = self.confirmed.get(key, 0)
                state = REFUTED if key in refuted else KNOWN if key in known else "confirmed" if count else MISSING
                found.append((claim, state, count))
        return found


# ---- Text ----


def text(report: Report, seconds: float) -> str:
    """Returns the report for people."""
    blocks = [*map(_finding, report.findings), *(_known(*each) for each in report.known)]
    parts = ["\n".join(_heads(report, seconds)), *blocks, *_counts(report)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _heads(report: Report, seconds: float) -> Iterator[str]:
    states = report.states()
    for spec in report.specs:
        own = Counter(state for claim, state, _ in states if claim.subject.module == spec.spec.module)
        count = sum(own.values())
        places = [each.finding.place for each in report.refuted if each.finding.place is not None]
        outside = len([each for each in places if each.file == spec.loaded.file])
        refuted = max(own[REFUTED], outside)  # a finding can be about more than a claim, such as a leak
        count += refuted - own[REFUTED]
        parts = [
            f"{refuted} refuted",
            f"{own['confirmed']} confirmed",
            *([f"{own[KNOWN]} known"] if own[KNOWN] else []),
            f"{own[MISSING]} not exercised",
        ]
        yield f"{spec.loaded.file}: {count} claim{'' if count == 1 else 's'}: {', '.join(parts)}"
    processes = f"{report.rounds} process{'' if report.rounds == 1 else 'es'}"
    stopped = "" if report.complete else ", interrupted"
    yield f"({report.calls} generated calls, {processes}, {seconds:.1f} s, seed {report.seed}{stopped})"


def _finding(shown: Shown) -> str:
    found = shown.finding
    lines = [_row(found.state, _head(found))]
    if found.evidence:
        lines.append(_row("", found.evidence))
    if found.place is not None:
        lines.append(_row("", _place(found.place)))
    label = "change to"
    for remedy in found.remedies:
        lines.append(_row("", f"{label:<12}{remedy.text}"))
        label = "or"
    if shown.calls:
        lines.append(_row("", f"{'seen':<12}{'; '.join(shown.calls)}"))
    if shown.again:
        lines.append(_row("", f"{'again':<12}{shown.again}"))
    return "\n".join(lines)


def _head(found: Finding) -> str:
    argument = f", argument `{found.argument}`" if found.argument else ""
    times = f" ({_times(found.count)})" if found.count > 1 else ""
    return f"{found.label}{argument}: {found.sentence}{times}"


def _known(limit: Limit, shown: Shown) -> str:
    lines = [_row("known", _head(shown.finding)), _row("", f"{_place(limit.place)}: {limit.reason}")]
    return "\n".join(lines)


def _place(span: Span) -> str:
    return f"{span.file}:{span.line}:{span.column}"


def _row(label: str, words: str) -> str:
    lines = textwrap.wrap(words, _WIDTH - _MARGIN, break_long_words=False, break_on_hyphens=False) or [""]
    indent = " " * _MARGIN
    return "\n".join([f"{label:<{_MARGIN}}{lines[0]}", *(f"{indent}{'':12}{line}" for line in lines[1:])])


def _counts(report: Report) -> Iterator[str]:
    states = report.states()
    kinds = [kind for kind in KINDS if any(claim.kind == kind and count for claim, _, count in states)]
    lines: list[str] = []
    for kind in kinds:
        counted = [(claim, count) for claim, _, count in states if claim.kind == kind and count]
        total = sum(count for _, count in counted)
        lines.append(
            _row(
                "" if lines else "confirmed",
                f"{KINDS[kind]}: {_times(total)} ({len(counted)} claim{'' if len(counted) == 1 else 's'})",
            )
        )
    yield "\n".join(lines)
    found = [*report.findings, *(each for _, each in report.known)]
    told = {each.finding.subject.removesuffix(".new") for each in found}
    told |= {f"{spec.spec.module}.{name}" for name in told for spec in report.specs if len(report.specs) > 1}
    missing = [f"{each.name}: {each.reason}" for each in report.targets if each.reason and each.name not in told]
    missing += [f"{name}: {kinds}" for name, kinds in _not_exercised(report)]
    missing += [f"{each.subject} is no longer seen: remove it from {_place(each.place)}" for each in report.unseen]
    missing += report.notes
    yield "\n".join(_row("" if index else "not exercised", each) for index, each in enumerate(missing))
    library = [*report.library]
    yield "\n".join(_row("" if index else "library", each) for index, each in enumerate(library))


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _not_exercised(report: Report) -> Iterator[tuple[str, str]]:
    """Yields the classes and functions with claims that no run has tested, although it was called."""
    never = {each.name for each in report.targets if each.reason}
    findings = [each.finding for each in (*report.findings, *(shown for _, shown in report.known))]
    told = {(each.subject, each.argument) for each in findings}
    for claim, state, _ in report.states():
        name = claim.subject.name
        if state != MISSING or name in never or claim.kind == "values" or (name, claim.argument) in told:
            continue
        told.add((name, claim.argument))
        yield name, f"`{claim.argument}` {_SHORT[claim.kind]}" if claim.argument else _SHORT[claim.kind]


_SHORT: Mapping[str, str] = {
    "export": "no export was described",
    "import": "no imported object was released",
    "released": "`release` freed no block of memory that is known: a pool, or counted references",
    "owner": "no object was made",
    "within": "got no array of its own length: it is kept, or always missing",
    "unused-later": "was never watched after the call",
    "unchanged": "was never compared",
    "set": "was never written by a call that succeeded",
    "place": "no export lived during a call",
    "bytes": "no result",
    "values": "no call",
}


# ---- JSON ----


def as_json(report: Report) -> str:
    """Returns the report for programs. docs/try.md and the JSON Schema describe it."""
    claims = [
        _json_claim(claim, state, count) for claim, state, count in report.states() if state not in (REFUTED, KNOWN)
    ]
    found = {
        "version": JSON_VERSION,
        "specs": [each.loaded.file for each in report.specs],
        "seed": report.seed,
        "complete": report.complete,
        "claims": [*map(_json_finding, report.findings), *claims],
        "known": [{**_json_finding(shown), "reason": limit.reason} for limit, shown in report.known],
        "unseen": [
            {"subject": each.subject, "reason": each.reason, "place": _json_place(each.place)} for each in report.unseen
        ],
        "targets": [
            {"name": each.name, "returned": each.returned, "raised": each.raised, "reason": each.reason or None}
            for each in report.targets
        ],
        "library": list(report.library),
        "notes": list(report.notes),
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _json_finding(shown: Shown) -> dict[str, Any]:
    found = shown.finding
    return {
        "state": found.state,
        "kind": found.claim,
        "check": found.check,
        "subject": found.subject,
        "argument": found.argument or None,
        "key": found.key or None,
        "text": found.sentence,
        "evidence": found.evidence or None,
        "remedies": [each.text for each in found.remedies],
        "count": found.count,
        "place": _json_place(found.place) if found.place is not None else None,
        "seen": list(shown.calls),
        "again": shown.again or None,
    }


def _json_claim(claim: Claim, state: str, count: int) -> dict[str, Any]:
    return {
        "state": state,
        "kind": claim.kind,
        "subject": claim.subject.name,
        "argument": claim.argument or None,
        "count": count,
        "place": _json_place(claim.place),
    }


def _json_place(span: Span) -> dict[str, Any]:
    return {"file": span.file, "line": span.line, "column": span.column}


def schema_text() -> str:
    """Returns the JSON Schema of the report, as text."""
    return json.dumps(schema(), indent=2) + "\n"


def schema() -> dict[str, Any]:
    """Returns the JSON Schema of the report."""
    string, number = {"type": "string"}, {"type": "integer"}
    optional = {"type": ["string", "null"]}
    strings = {"type": "array", "items": string}
    place = _object({"file": string, "line": number, "column": number})
    finding = {
        "state": {"enum": [REFUTED, NOTICE]},
        "kind": {"enum": list(KINDS)},
        "check": string,
        "subject": string,
        "argument": optional,
        "key": optional,
        "text": string,
        "evidence": optional,
        "remedies": strings,
        "count": number,
        "place": {"anyOf": [place, {"type": "null"}]},
        "seen": strings,
        "again": optional,
    }
    claim = {
        "state": {"enum": ["confirmed", MISSING]},
        "kind": {"enum": list(KINDS)},
        "subject": string,
        "argument": optional,
        "count": number,
        "place": place,
    }
    target = {"name": string, "returned": number, "raised": number, "reason": optional}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The report of dlpack-bindgen try",
        **_object(
            {
                "version": {"const": JSON_VERSION},
                "specs": strings,
                "seed": number,
                "complete": {"type": "boolean"},
                "claims": {"type": "array", "items": {"oneOf": [_object(finding), _object(claim)]}},
                "known": {"type": "array", "items": _object({**finding, "reason": string})},
                "unseen": {"type": "array", "items": _object({"subject": string, "reason": string, "place": place})},
                "targets": {"type": "array", "items": _object(target)},
                "library": strings,
                "notes": strings,
            }
        ),
    }


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def merged(found: Iterable[Shown]) -> list[Shown]:
    """Returns the findings, each once: several processes find the same. If C frees an argument, a later use of it is a
    consequence, and is left out."""
    found = list(found)
    freed = {(each.finding.subject, each.finding.argument) for each in found if each.finding.key == "takes"}
    found = [
        each
        for each in found
        if each.finding.key != "keeps" or (each.finding.subject, each.finding.argument) not in freed
    ]
    first: dict[tuple[str, str, str, str], Shown] = {}
    for each in found:
        known = first.setdefault(each.finding.same, each)
        if each.calls and not known.calls:  # a test has shown it first, without single calls
            first[each.finding.same] = each
    return list(first.values())
