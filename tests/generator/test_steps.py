"""The time that a spec takes grows with its length, and not with the square of it: steps are counted, not seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.text.diagnostics import render
from dlpack_bindgen.text.yaml import load

FEW = 4
COUNTED = ("dlpack_bindgen", "yaml", "difflib", "pycparser")
"""Not the compiler of patterns, which are remembered from one spec to the next."""
MOST_GROWTH = 6
"""Four times the text costs four times the steps, and a little more where something is sorted; sixteen times if each
part is compared with each other one."""


def steps(text: str) -> int:
    """Counts the lines of Python that run until the spec is read, or all its mistakes are reported."""
    count = 0

    def enter(frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        return step if frame.f_globals.get("__name__", "").partition(".")[0] in COUNTED else None

    def step(frame: FrameType, event: str, argument: Any) -> Callable[..., Any]:
        nonlocal count
        count += 1
        return step

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        _, problems = validate([load("s.yaml", text.encode())])
        render(problems, {"s.yaml": text})
    finally:
        sys.settrace(before)
    return count


def tensor(name: str, **changes: str | None) -> str:
    keys = {"type": "bin", "data": "self->at", "dtype": "uint8", "shape": "[self->n]", "release": "bin_end(self)"}
    lines = [f"    {key}: {value}\n" for key, value in {**keys, **changes}.items() if value is not None]
    return f"  {name}:\n{''.join(lines)}"


def flow(entry: str, last: str = "") -> Callable[[int], str]:
    """Returns one line with many entries, in which `#` is a number."""
    return lambda n: "module: m\ntensors:\n  Bin: {" + "".join(entry.replace("#", str(i)) for i in range(n)) + last


def tensors(**changes: str) -> Callable[[int], str]:
    return lambda n: (
        "module: m\ntensors:\n"
        + "".join(
            tensor(f"Bin{i}", **{key: value.replace("#", str(i)) for key, value in changes.items()}) for i in range(n)
        )
    )


def one(**changes: Callable[[int], str]) -> Callable[[int], str]:
    return lambda n: "module: m\ntensors:\n" + tensor("Bin", **{key: of(n) for key, of in changes.items()})


def items(item: str, around: str = "[%s]") -> Callable[[int], str]:
    return lambda n: around % ", ".join(item.replace("#", str(i)) for i in range(n))


def functions(function: str, before: str = "") -> Callable[[int], str]:
    def text(n: int) -> str:
        handles = "".join(before.replace("#", str(i)) for i in range(n))
        return f"module: m\n{handles and 'handles:'}\n{handles}functions:\n" + "".join(
            f"  f{i}: {{{function.replace('#', str(i))}}}\n" for i in range(n)
        )

    return text


LONG = {
    "a brace at the end of a line": flow("k#: v, ", "last: a { b}\n"),
    "a bracket that stays open": flow("k#: v, ", "\n"),
    "a quote at the end of a line": flow("k#: 'v', ", "last: 'a' b}\n"),
    "aliases in a line": flow("k#: *p#, ", "}\n"),
    "anchors in a line": flow("k#: &p# x, ", "}\n"),
    "calls in a line": flow("k#: f(a, b), ", "}\n"),
    "aliases in calls": flow("k#: f(a, x: *b), ", "}\n"),
    "calls that stay open": flow("k#: f(a, ", "*x}\n"),
    "braces in calls that stay open": flow("k#: f(a, ", "a{b }\n"),
    "unknown keys in a line": flow("shpae#: v, ", "}\n"),
    "duplicate keys in a line": flow("doc: v, ", "}\n"),
    "tensors": tensors(),
    "tensors of many types": tensors(type="t#"),
    "tensors with mistakes": tensors(data="'self-> '", dtype="uint9", shape="[self.n#]", order="row"),
    "anchors and their aliases": tensors(data="&a# x", readonly="*a#"),
    "values that a comment cuts off": tensors(doc="Format #1 of them"),
    "near misses of keys": tensors(shpae="x", dtpye="x"),
    "axes": one(shape=items("self->n#")),
    "axes with mistakes": one(shape=items("self.n# +")),
    "params": one(params=items("int p#")),
    "params with mistakes": one(params=items("p#")),
    "codes": one(dtype=items("K#: uint8", "{of: self->k, map: {%s}}")),
    "codes with mistakes": one(dtype=items("K#: uint", "{of: self->k, map: {%s}}")),
    "arms": one(shape=lambda n: "[1]", match=items("{when: K#, readonly: self->r#}", "{of: self->k, arms: [%s]}")),
    "arms with mistakes": one(match=items("{when: K#, shpe: [n#]}", "{of: self->k, arms: [%s]}")),
    "parts of unknown tensors": one(parts=items("p#: {of: Bni#}", "{%s}")),
    "variants": lambda n: "module: m\ntensors:\n" + tensor("Bin${X}", variants=items("{X: #}")(n), type="t${X}"),
    "unknown names of variants": lambda n: (
        "module: m\ntensors:\n" + tensor("Bin${A0}", variants=items("A#: x", "[{%s}]")(n), shape=items("'${B#}'")(n))
    ),
    "names of maps": lambda n: (
        f"maps: {items('m#: {A: uint8}', '{%s}')(n)}\n" + tensors(dtype="{of: self->k, map: n#}")(n)
    ),
    "functions": functions("c: 'int f#(int a, double b)'"),
    "functions of many types": functions("c: 'int f#(h# *a)'", "  H#: {type: h#, release: h#_end(self)}\n"),
    "functions of unknown types": functions("c: 'int f#(k# *a)'", "  H#: {type: h#, release: h#_end(self)}\n"),
    "unknown classes": functions("c: 'int f#(h# *a)', args: {a: Hx#}", "  H#: {type: h#, release: h#_end(self)}\n"),
    "unknown parameters": lambda n: (
        f"module: m\nfunctions:\n  f: {{c: 'int f({items('int a#', '%s')(n)})', args: {items('b#: int', '{%s}')(n)}}}\n"
    ),
    "exceptions": functions("c: 'int f#(int a)', ok: '== 0', raises: {A: ValuError, B: KeyEror}"),
    "a long expression": one(data=lambda n: "self->at" + " + 1" * n),
    "a long statement": one(release=lambda n: "if (a) { f(self); } else " * n + "g(self)"),
    "lines of a value": one(doc=lambda n: "|\n" + "      x y z\n" * n),
    "comments": lambda n: "module: m\n" + "# x\n" * n,
    "empty lines": lambda n: "module: m\n" + "\n" * n + "tensors: 1\n",
    "spaces of other alphabets": tensors(data="self->at +\u00a01"),
}


@pytest.mark.parametrize("name", LONG)
def test_the_work_grows_no_faster_than_the_text(name: str) -> None:
    text = LONG[name]
    steps(text(5 * FEW))  # what is imported and remembered the first time
    few, some, many = (steps(text(n)) for n in (FEW, 4 * FEW, 16 * FEW))
    assert many - some <= MOST_GROWTH * max(some - few, 1000)
