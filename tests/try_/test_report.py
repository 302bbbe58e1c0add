# SPDX-License-Identifier: MIT
"""The report: its numbers add up, and it shows the calls that other runs have found."""

from __future__ import annotations

from dataclasses import replace

from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.text.diagnostics import Span
from dlpack_bindgen.text.yaml import load
from dlpack_bindgen.tools.try_.claims import Described
from dlpack_bindgen.tools.try_.findings import Finding
from dlpack_bindgen.tools.try_.report import Report, Shown, merged, text

SPEC = """
module: one
include: [one.h]
functions: {sum: {c: "double one_sum(int n)"}}
"""
FINDING = Finding(
    check="leak",
    claim="released",
    subject="sum",
    argument="",
    key="release",
    label="sum",
    place=Span("one.yaml", 4, 13, 3),
    sentence="8 bytes are never freed",
    evidence="",
    remedies=(),
)


def first_line(*findings: Finding) -> str:
    """Returns the first line of the report about a spec with one claim, which calls have confirmed."""
    loaded = load("one.yaml", SPEC.encode())
    (spec,), problems = validate([loaded])
    assert not problems
    report = Report(
        specs=(Described(loaded, spec),),
        findings=tuple(Shown(each, (), "") for each in findings),
        known=(),
        unseen=(),
        confirmed={("values", "sum", ""): 3},
        targets=(),
        library=(),
        notes=(),
        seed=1,
        rounds=1,
        complete=True,
    )
    return text(report, 1.0).splitlines()[0]


def test_one_claim_is_no_plural() -> None:
    assert first_line() == "one.yaml: 1 claim: 0 refuted, 1 confirmed, 0 not exercised"


def test_the_claims_are_the_sum_of_their_states() -> None:
    """A leak refutes none of the claims that are counted one by one, and is a claim of its own."""
    assert first_line(FINDING) == "one.yaml: 2 claims: 1 refuted, 1 confirmed, 0 not exercised"
    refuted = replace(FINDING, claim="values", check="bad-access")
    assert first_line(refuted) == "one.yaml: 1 claim: 1 refuted, 0 confirmed, 0 not exercised"


def test_a_finding_of_a_test_has_the_calls_that_show_it_too() -> None:
    by_test, by_calls = Shown(FINDING, (), "--with use.py"), Shown(FINDING, ("sum(3)",), "--seed 1 --only sum")
    assert merged([by_test, by_calls]) == [by_calls]
    assert merged([by_calls, by_test]) == [by_calls]
