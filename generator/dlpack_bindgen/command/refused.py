"""The search for C code in a spec that clang-format refuses although `validate` accepts it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dlpack_bindgen.emit.clang_format import FormatterError, RefusedText, format_files
from dlpack_bindgen.text.diagnostics import Diagnostic, Note
from dlpack_bindgen.text.yaml import Loaded, Mapping, Node, Scalar
from dlpack_bindgen.text.yaml import Sequence as ListNode

_MOST = 200
"""The maximum number of strings that are tried one by one."""


def refused(loaded: Sequence[Loaded], error: RefusedText) -> list[Diagnostic]:
    """Returns one diagnostic for each C string of the specs that clang-format refuses alone. If there are none, returns
    one for all C strings in the refused text."""
    printed = _packed(error.text)
    given = [node for file in loaded for node in _scalars(file.root) if _is_in(node.text, printed)][:_MOST]
    message = f"{error}: brackets, quotes or operators of this C text do not fit together"
    alone = [node for node in given if not _is_formatted(node.text)]
    if alone or not given:
        return [Diagnostic("c-brackets", node.span, message) for node in alone]
    first, *others = given
    notes = tuple(Note(node.span, "or of this one") for node in others)
    return [Diagnostic("c-brackets", first.span, message, notes=notes)]


def _scalars(node: Node | None) -> Iterator[Scalar]:
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Scalar):
            yield node
        elif isinstance(node, ListNode):
            waiting += reversed(node.items)
        elif isinstance(node, Mapping):
            waiting += [each for entry in reversed(node.entries) for each in reversed(entry)]


def _packed(text: str) -> str:
    return "".join(text.split())


def _is_in(text: str, printed: str) -> bool:
    """Returns whether the output contains the code, which `variants` may have completed. A single name or number does
    not count."""
    parts = re.split(r"\$\{\w*\}", _packed(text))
    return re.fullmatch(r"[\w.$ {}-]*", text) is None and all(part in printed for part in parts)


def _is_formatted(text: str) -> bool:
    try:
        format_files([("", f"void f(void)\n{{\n{text};\n}}\n")])
    except FormatterError:
        return False
    return True
