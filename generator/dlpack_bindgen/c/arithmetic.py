"""Lengths that a spec computes: C does it in the types of the parameters, where `rows * cols` may overflow."""

from __future__ import annotations

from dlpack_bindgen.c import ctext
from dlpack_bindgen.c.fragments import integer, outer_signs
from dlpack_bindgen.c.names import C_KEYWORDS

_SUMS = {"+": "dlb_plus", "-": "dlb_minus"}
_PRODUCTS = {"*": "dlb_times", "/": "dlb_over", "%": "dlb_modulo"}
_MEMBERS = {".", "->"}


def length(expression: str) -> str:
    """`expression` as a dlb_integer, whose operators outside of calls, indices and comparisons say if they overflow."""
    text = _unwrapped(expression)
    if outer_signs(ctext.tokens(text)) <= _SUMS.keys() | _PRODUCTS.keys() | _MEMBERS:
        for operators in (_SUMS, _PRODUCTS):
            operands, signs = ctext.split(text, operators)
            if signs and all(map(_is_operand, operands)):
                found = length(operands[0])
                for sign, operand in zip(signs, operands[1:], strict=True):
                    found = f"{operators[sign]}({found}, {length(operand)})"
                return found
    return integer(text)


def _unwrapped(expression: str) -> str:
    """Without parentheses around all of it."""
    text = expression.strip()
    while text.startswith("(") and text.endswith(")") and _is_closed(text[1:-1]):
        text = text[1:-1].strip()
    return text


def _is_closed(text: str) -> bool:
    """Whether each bracket that is closed in it was opened in it."""
    depth = 0
    for token in ctext.tokens(text):
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth < 0:
            return False
    return True


def _is_operand(text: str) -> bool:
    """Whether it is a value: not what a unary operator or a cast leaves."""
    tokens = ctext.tokens(text)
    is_type = text.startswith("(") and all(token.text in ("(", ")", "*") or _names_type(token.text) for token in tokens)
    return bool(tokens) and tokens[-1].text not in _PRODUCTS and not is_type


def _names_type(name: str) -> bool:
    return name in C_KEYWORDS or name.endswith("_t")
