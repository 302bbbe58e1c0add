"""The reader of `bad.txt`: the spec of each case, its marks, and the files that it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.specs import Expected, MalformedError, read_cases

BASE = """
[base image]
    module: m
    tensors:
      Image:
        type: image_t
        dtype: uint8
        match:
        - {when: 1}
        release: image_free(self)
        ...
    constants: {A: A}

[bad from image]

"""


LINES = [line[4:] for line in BASE.split("[bad")[0].split("\n")[2:-2] if "..." not in line]
"""The lines of the base."""


def case_of(text: str) -> tuple[str, tuple[Expected, ...]]:
    """Returns the spec and the diagnostics of a file with one bad spec."""
    (case,) = read_cases(Path("bad.txt"), text).bad
    return case.text, case.expected


def changed(change: str) -> tuple[list[str], tuple[Expected, ...]]:
    """Returns the lines that a case adds to the base, those that it removes, and its diagnostics."""
    text, expected = case_of(f"{BASE}a mistake\n{change}")
    after = text.split("\n")[:-1]
    added = [f"+{line}" for line in after if line not in LINES]
    return [*added, *(f"-{line}" for line in LINES if line not in after)], expected


def test_a_key_of_the_base_is_replaced_at_its_place() -> None:
    lines, expected = changed("    dtype: unit8\n           ^ unknown-dtype: did you mean 'uint8'?\n")
    assert lines == ["+    dtype: unit8", "-    dtype: uint8"]
    assert expected == (Expected(5, 12, "unknown-dtype", "did you mean 'uint8'?"),)


def test_a_new_key_stands_at_the_end() -> None:
    text, expected = case_of(f"{BASE}a mistake\n    order:\n      of: x\n          ^ one\n")
    assert "    release: image_free(self)\n    order:\n      of: x\nconstants" in text
    assert expected == (Expected(10, 11, "one"),)


def test_a_slash_begins_a_path_from_the_top() -> None:
    lines, expected = changed(
        "    /tensors/Image/type: x *\n                         ^ one\n    /init: y\n     ^ two\n"
    )
    assert lines == ["+    type: x *", "+init: y", "-    type: image_t"]
    assert expected == (Expected(4, 11, "one"), Expected(10, 1, "two"))


def test_without_removes_keys() -> None:
    lines, expected = changed("    without dtype, /constants\n    match: 2\n    ^ one\n")
    assert lines == ["+    match: 2", "-    dtype: uint8", "-    match:", "-    - {when: 1}", "-constants: {A: A}"]
    assert expected == (Expected(5, 5, "one"),)


def test_a_mark_may_stand_below_a_line_of_the_base() -> None:
    lines, expected = changed(
        "    /tensors/Image:\n             ^ one\n    dtype: 2\n    /constants: {A: A}\n                 ^ two\n"
    )
    assert lines == ["+    dtype: 2", "-    dtype: uint8"]
    assert expected == (Expected(3, 3, "one"), Expected(9, 13, "two"))


def test_a_whole_spec_may_have_several_marks() -> None:
    text, expected = case_of(
        "[bad]\n\n# A comment.\na mistake\n  # Another one.\n"
        "    a: b\n    ^ one\n       ^ two: c: d\n    # e\n    f: g\n"
    )
    assert text == "a: b\n# e\nf: g\n"
    assert expected == (Expected(1, 1, "one"), Expected(1, 4, "two", "c: d"))


def test_a_case_may_have_escapes_or_be_an_empty_file() -> None:
    text, expected = case_of("[bad]\n\na tab\n  escapes\n    a:\\t\\u202eb\n              ^ one\n")
    assert (text, expected) == ("a:\t\u202eb\n", (Expected(1, 5, "one"),))
    assert case_of("[bad]\n\nan empty file\n    ^ one\n") == ("", (Expected(1, 1, "one"),))
    (case,) = read_cases(Path("bad.txt"), "[bad]\n\na byte\n  escapes\n    a: \\udcfc\n       ^ one\n").bad
    assert case.content == b"a: \xfc\n"


def test_a_case_may_have_a_companion_and_a_file_may_have_wrong_specs() -> None:
    bad = f"{BASE}a mistake\n  with: image\n    dtype: x\n    ^ one\n"
    wrong = "[wrong]\n\nanother\n  in: a.c\n  error: b\n  error: c\n    d: e\n"
    cases = read_cases(Path("slots/shape/bad.txt"), f"{bad}\n{wrong}")
    assert cases.bad[0].companions == (("image.yaml", "".join(f"{line}\n" for line in LINES).encode()),)
    (case,) = cases.wrong
    assert (case.name, case.text) == ("slots/shape: another", "d: e\n")
    assert (case.emitted, case.errors) == ("a.c", ("b", "c"))


CASE = "a mistake\n    dtype: x\n    ^ one\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{BASE}a mistake\n    dtype: x\n", "a mark for each diagnostic"),
        (f"{BASE}{CASE}\n{CASE}", "another case has this sentence"),
        (f"[bad from image]\n\n{CASE}", "no base is called 'image'"),
        (f"{BASE}a mistake\n    dtype: uint8\n", "'dtype' is as in the base"),
        (f"{BASE}a mistake\n    dtype: uint8\n    ^ one\n", "changes nothing of the base"),
        (f"{BASE}a mistake\n    /tensors/Other/type: x\n", "the base has no 'Other'"),
        (f"{BASE}a mistake\n    without strides\n", "the base has no 'strides' to remove"),
        (f"{BASE}a mistake\n    dtype: x\n    ^ one\n    dtype: y\n", "'dtype' is there twice"),
        (f"{BASE}a mistake\n    - x\n    ^ one\n", "does not begin with a key"),
        (f"{BASE}a mistake\n    /tensors/Image/type: x\n    ^ one\n", "does not stand below the last key"),
        (BASE, "no case uses the base 'image'"),
        (f"{BASE}{CASE}\n{BASE}{CASE}", "another base is called 'image'"),
        (f"[base image]\n    a: b\n\n[bad from image]\n\n{CASE}", "the base has no line '...'"),
        (f"[base image]\n    a: b\n    ^ one\n\n[bad from image]\n\n{CASE}", "a base has the lines of a spec"),
        ("[base image]\n    ...\n    ...\n", "one line '...' at most"),
        ("[base]\n    a: b\n", r"line 1: neither \[base NAME\]"),
        ("[bad image]\n", r"line 1: neither \[base NAME\]"),
        ("[bad]\n\na mistake\n    a: b\n    ^ One\n", "line 5: a mark is"),
        ("[bad]\n\na mistake\n    a: b\n    ^ one\n  escapes\n", "line 6: attributes stand before"),
        (CASE, "belongs to no case"),
        ("[bad]\n\na mistake\n    a: b\n    ^ one\n\n    c: d\n", "belongs to no case"),
        ("[bad]\n\na mistake\n  expect: 3\n    a: b\n    ^ one\n", "the attribute 'expect: 3' is unknown"),
        ("[bad]\n\na mistake\n  error: 3\n    a: b\n    ^ one\n", "no error of the compiler"),
        ("[wrong]\n\na mistake\n    a: b\n", "has an error of the compiler"),
        ("[wrong]\n\na mistake\n  error: c\n    a: b\n    ^ one\n", "and no mark"),
    ],
)
def test_a_malformed_file_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(MalformedError, match=reason):
        read_cases(Path("bad.txt"), text)


def test_the_example_of_the_readme_is_read() -> None:
    page = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    example = page.split("```\n[base image]")[1].split("```")[0]
    cases = read_cases(Path("bad.txt"), f"[base image]{example}")
    assert [expected.code for case in cases.bad for expected in case.expected] == ["unknown-dtype"] * 2
    assert [case.errors for case in cases.wrong] == [("if (result == PICTURE_FINE) { /* lock.ok */",)]
