"""Tokens that C code of a spec must not contain. They could end their context early, or differ between compilers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dlpack_bindgen.c import letters
from dlpack_bindgen.c.problem import Digraph, ForeignCharacter, OpenQuote, Problem

if TYPE_CHECKING:
    from dlpack_bindgen.c.ctext import Token
    from dlpack_bindgen.diagnostics import Code

_DIGRAPHS = {"<:": "[", ":>": "]", "<%": "{", "%>": "}", "%:": "#"}
_PRAGMAS = ("_Pragma", "__pragma")


def token_problem(token: Token, what: str, tested: bool) -> Problem | None:
    """Returns the reason why C code cannot contain this token, or None. `what`: the kind of C code. `tested`: `%`
    stands for the result."""
    text = token.text
    if token.kind == "comment":
        return Problem("c-comment", f"a comment ('{text}') inside a C {what}", "a YAML comment is fine: # ...")
    if text in ('"', "'"):
        return Problem("c-quotes", f"a {text} is never closed in this C {what}", facts=OpenQuote())
    if token.kind == "raw":
        message = f"'{text}' begins a raw string, and some C compilers have none"
        return Problem("c-quotes", message, 'write a plain string, with a \\ before each " in it')
    if token.kind == "separated":
        message = f"the ' in '{text}' separates digits in C23, and begins a character in older C"
        return Problem("c-quotes", message, "leave it out")
    if text == "\\":
        return Problem("c-backslash", "a backslash outside a C literal")
    if text == ";" and what != "statement":
        hint = "statements belong to keys such as 'release', or to a {do: ...} of 'let'"
        return Problem("c-semicolon", f"a ';' in a C {what}", hint)
    if text in _DIGRAPHS:
        sign = _DIGRAPHS[text]
        code: Code = "c-preprocessor" if sign == "#" else "c-brackets"
        return Problem(code, f"C reads '{text}' as '{sign}'", facts=Digraph(text, sign, tested))
    if text == "#" or text in _PRAGMAS:
        return Problem("c-preprocessor", f"'{text}' starts a preprocessor directive, not a C {what}")
    if token.kind == "other":
        return Problem("c-character", f"'{text}' is not a character of C", facts=ForeignCharacter(text))
    if token.kind == "name" and (letter := letters.stranger(text)):
        return Problem("c-character", f"the '{letter}' in '{text}' is a letter of another alphabet")
    return None
