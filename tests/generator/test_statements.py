"""Statements of a spec are complete: C reads no word of them as a part of the emitted code around them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlpack_bindgen.text import c_checks, ctext
from dlpack_bindgen.text.c_checks import Problem, misplaced
from dlpack_bindgen.text.fragments import statement


@pytest.mark.parametrize(
    "text",
    [
        "if (a) f(); else if (b) g(); else h()",
        "if (a) if (b) f(); else g(); else h()",
        "for (i = 0; i < n; i++) { if (a) break; else continue; }",
        "do { f(); } while (x); g()",
        "if (a) do f(); while (b); else g()",
        "if (a) for (;;) if (b) break; else c(); else d()",
        "switch (a) { case A: f(); break; case B ? 1 : 2: default: g(); }",
        "for (;;) { switch (a) { case 1: continue; } }",
        "LIST_FOREACH(x, list) { break; }",
        "LIST_FOREACH(x, list) if (y) break; else g()",
        "struct s { int a : 3; uint32_t b : 2; } x; f(&x)",
        "__extension__ ({ for (;;) break; f(); })",
        'asm volatile ("" : [a] "=r"(x) : : )',
        "x = a ? b : c",
        "while (x)",
        "{ again: f(); }",
        "switch (a) { default: again: f(); }",
        "else_if(x); default_of(x) ? f() : case_of(x)",
        '_Static_assert(sizeof(int) == 4, "x"); f()',
    ],
)
def test_a_whole_statement_is_accepted(text: str) -> None:
    assert misplaced(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "return",
        "if (a) { goto end; }",
        "break",
        "if (a) break",
        "{ continue; }",
        "for (;;) f(); break",
        "switch (a) { case 1: continue; }",
        "UNLESS_DEBUG break",
        "__extension__ ({ break; })",
        "else f()",
        "if (a) f(); g(); else h()",
        "while (a) { } else f()",
        "if (a) f(); else g(); else h()",
        "case 1: f()",
        "f(); default: g()",
        "f(); again: g()",
        "do f()",
        "if (a) do f(); else g()",
        "int g(void) { f(); }",
        "static item *g(int a) { f(a); }",
    ],
)
def test_a_part_of_a_statement_is_refused(text: str) -> None:
    assert misplaced(text) is not None


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        ("if (x) { f(); }", True),
        ("if (x) { f(); } else { g(); }", True),
        ("for (;;) LIST_FOREACH(a, b) { f(); }", True),
        ("switch (a) { case 1: { f(); } }", True),
        ("if (x) a = (point){0}", False),
        ("if (x) f((point){1}), b = (point){2}", False),
        ("while (x) do { f(); } while (y)", False),
        ("for (;;) int a[] = {1}", False),
    ],
)
def test_only_a_block_ends_a_statement_without_a_semicolon(text: str, ended: bool) -> None:
    """A compound literal at the end would take the next emitted line for its operand."""
    assert statement(text) == (text if ended else f"{text};")


# ---- Brackets of accepted text, in all of C's spellings ----

_C = re.compile(
    r"""//|/\*|(?:u8|[uUL])?R"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[A-Za-z_]\w*|\.?[0-9](?:[eEpP][+-]|'\w|[\w.])*"""
    r"""|%:|<:|:>|<%|%>|<<|>>|->|--|\S""",
    re.ASCII,
)
_SPELT = {"<:": "[", ":>": "]", "<%": "{", "%>": "}"}
_CLOSES = {")": "(", "]": "[", "}": "{"}
_WORDS = "%: ??< ??/ // /* R\" 1' 0'1 -> _Pragma self f( if (a) else = 0"
_PIECES = st.sampled_from([*_SPELT, *"(){}[];,?:%<>#'\"\\", *_WORDS.split(), '"("', "')'"])


def is_balanced(text: str) -> bool:
    pending: list[str] = []
    for match in _C.finditer(text):
        sign = _SPELT.get(match.group(), match.group())
        if sign in ("//", "/*", "#", "%:", '"', "'", "\\", 'R"'):
            return False
        if sign in _CLOSES.values():
            pending.append(sign)
        elif sign in _CLOSES and (not pending or pending.pop() != _CLOSES[sign]):
            return False
    return not pending


@settings(derandomize=True, max_examples=600)
@given(st.lists(_PIECES, max_size=8), st.sampled_from(["self->n", "f(self)", "if (a) { f(self); }", "f(\"a\", 'b')"]))
def test_accepted_text_is_balanced(pieces: list[str], sound: str) -> None:
    for text in ("".join(pieces), " ".join([sound, *pieces]), "".join([*pieces, sound])):
        for what in ("expression", "statement", "prototype"):
            if c_checks.code_problem(text, what) is None:
                assert is_balanced(ctext.fold(text)), text
        if not isinstance(tested := c_checks.ok_condition(text), Problem):
            assert is_balanced(tested.replace("%", " result ")), text
