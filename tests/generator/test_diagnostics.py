"""The layout of diagnostics."""

from __future__ import annotations

import pytest

from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Span, render, shown
from dlpack_bindgen.tools.advice_forms import did_you_mean


def test_an_error_has_place_message_hint_line_and_caret() -> None:
    source = "a: 1\n" * 8 + "    dtype: unit8\n    shapes: [1]\n"
    diagnostics = [
        Diagnostic(
            "unknown-key", Span("imaging.yaml", 10, 5, 6), "'shapes' is not a key of a tensor", "did you mean 'shape'?"
        ),
        Diagnostic("unknown-dtype", Span("imaging.yaml", 9, 12, 5), "unknown dtype 'unit8'", "did you mean 'uint8'?"),
    ]
    assert render(diagnostics, {"imaging.yaml": source}) == (
        "imaging.yaml:9:12: error: unknown dtype 'unit8' (did you mean 'uint8'?)\n"
        "    9 |     dtype: unit8\n"
        "      |            ^~~~~\n"
        "imaging.yaml:10:5: error: 'shapes' is not a key of a tensor (did you mean 'shape'?)\n"
        "   10 |     shapes: [1]\n"
        "      |     ^~~~~~\n"
    )


def test_files_lines_and_columns_are_in_order_and_notes_follow_their_error() -> None:
    diagnostics = [
        Diagnostic("duplicate-key", Span("b", 1, 1), "third", notes=(Note(Span("a", 1, 1), "its note"),)),
        Diagnostic("duplicate-key", Span("a", 2, 9), "second"),
        Diagnostic("duplicate-key", Span("a", 2, 3), "first"),
    ]
    assert render(diagnostics, {}).splitlines() == [
        "a:2:3: error: first",
        "a:2:9: error: second",
        "b:1:1: error: third",
        "a:1:1: note: its note",
    ]


def _caret(line: str, column: int, length: int) -> tuple[str, str]:
    diagnostic = Diagnostic("c-empty", Span("f", 1, column, length), "m")
    _, source, caret = render([diagnostic], {"f": line}).splitlines()
    return source, caret


@pytest.mark.parametrize(
    ("line", "column", "length", "caret"),
    [
        ("\tx:\ty", 5, 1, "      | \t  \t^"),
        ("größe: x", 8, 1, "      |        ^"),
        ("名前: xy", 5, 2, "      |       ^~"),
        ("a: 名前", 4, 2, "      |    ^~~~"),
        ("e\u0301: xy", 5, 2, "      |    ^~"),
        ("abc", 3, 9, "      |   ^"),
        ("abc", 4, 1, "      |    ^"),
    ],
)
def test_the_caret_stands_below_its_column(line: str, column: int, length: int, caret: str) -> None:
    assert _caret(line, column, length)[1] == caret


@pytest.mark.parametrize("column", [1, 150, 350, 5000, 9996])
def test_a_long_line_is_shown_around_the_caret(column: int) -> None:
    line = "." * (column - 1) + "HERE" + "." * (9999 - column - 3)
    source, caret = _caret(line, column, 4)
    assert len(source) < 230
    assert source[caret.index("^") : caret.index("^") + caret.count("~") + 1] == "HERE"
    assert source.startswith("    1 | ...") or column < 200


def test_characters_that_control_a_terminal_are_not_shown() -> None:
    diagnostic = Diagnostic("bad-license", Span("\x1b[2Jf", 1, 1), f"'{shown(chr(27))}' and \u202e")
    text = render([diagnostic], {"\x1b[2Jf": "a\x1b]0;title\x07b"})
    assert all(char.isprintable() or char == "\n" for char in text)


def test_a_place_outside_the_source_has_no_snippet() -> None:
    for line in (2, 3):
        assert render([Diagnostic("empty-file", Span("f", line, 1), "m")], {"f": "x\n"}) == f"f:{line}:1: error: m\n"


def test_values_in_messages_are_cut() -> None:
    assert shown("x" * 1000) == "x" * 57 + "..."
    assert shown("a\n  b") == "a b"


def test_suggestions_ignore_case_and_do_not_guess_wildly() -> None:
    assert did_you_mean("Float32", ["float32", "float64"]) == "did you mean 'float32'?"
    assert did_you_mean("colour", ["shape", "dtype"]) is None
