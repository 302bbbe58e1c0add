"""The text of a step, for reports."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .arrays import compact_strides
from .steps import variables_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


def described(value: Any) -> str:
    """Returns the text of a value: `float64[3]` for an array."""
    if not isinstance(value, dict):
        return repr(value)
    (word, of), *_ = value.items()
    if word == "var":
        return str(of)
    if word == "array":
        own = of
        text = "{}[{}]".format(own["dtype"], ", ".join(map(str, own["shape"])))
        if own["strides"] != compact_strides(own["shape"], own["itemsize"], "C") and 0 not in own["shape"]:
            text += " with strides ({})".format(", ".join(map(str, own["strides"])))
        return ("read-only " if own["readonly"] else "") + text
    if word == "enum":
        return " | ".join(f"{of}.{name}" for name in value["names"])
    if word == "complex":
        return repr(complex(*of))
    if word == "bytes":
        return repr(of.encode("latin-1"))
    if word == "list":
        return "[{}]".format(", ".join(map(described, of)))
    if word == "tuple":
        return "({}{})".format(", ".join(map(described, of)), "," if len(of) == 1 else "")
    return "{{{}}}".format(", ".join(f"{name!r}: {described(each)}" for name, each in of.items()))


_OPERATORS = {"__len__": "len(%s)", "__iter__": "iter(%s)", "__next__": "next(%s)", "__bool__": "bool(%s)"}
_OPERATORS.update({f"__{name}__": name + "(%s)" for name in ("int", "float", "str", "repr")})
_OPERATORS["__index__"] = "operator.index(%s)"


def describe(step: Mapping[str, Any]) -> str:
    """Returns the text of a step for a report, as Python: `m.watch(float64[3])`."""
    do = step["do"]
    if do == "drop":
        return "del {}".format(", ".join(step["names"]))
    if do == "collect":
        return "gc.collect()"
    if do == "export":
        of = step["of"]
        made = f"memoryview({of})" if step["way"] == "buffer" else f"numpy.from_dlpack({of})"
        return "{} = {}".format(step["result"], made)
    if do == "read":
        return "{}.sum()".format(step["of"])
    if do == "attributes":
        return "{}.shape, {}.strides".format(step["of"], step["of"])
    if do == "delete":
        return "del {}.{}".format(step["of"], step["python"])
    return _described_call(step)


def _described_call(step: Mapping[str, Any]) -> str:
    kind, python, own = step["kind"], step["python"], step.get("self")
    by_name = step.get("by_name", ())
    shown = [f"{name}={described(each)}" if name in by_name else described(each) for name, each in step["args"].items()]
    text = "{}.{}({})".format(own, python, ", ".join(shown))
    if kind == "function":
        text = "{}({})".format(python, ", ".join(shown))
    elif kind == "new":
        text = "{}({})".format(step["class"], ", ".join(shown))
    elif kind in ("import", "allocate", "class method"):
        text = "{}.{}({})".format(step["class"], python, ", ".join(shown))
    elif kind == "getter":
        text = f"{own}.{python}"
    elif kind == "setter":
        return f"{own}.{python} = {shown[0]}"
    elif kind == "with":
        return f"with {own}: pass"
    elif kind == "iteration":
        text = f"list({own})"
    elif kind == "pickle":
        text = f"pickle.loads(pickle.dumps({own}))"
    elif kind == "to":
        text = f"{own}.to({step['class']})"
    elif kind == "special":
        if python == "__setitem__":
            return f"{own}[{shown[0]}] = {shown[1]}"
        if python == "__delitem__":
            return f"del {own}[{shown[0]}]"
        text = {
            "__getitem__": "{}[{}]".format(own, ", ".join(shown)),
            "__contains__": "{} in {}".format(", ".join(shown), own),
            "__call__": "{}({})".format(own, ", ".join(shown)),
        }.get(python) or (_OPERATORS[python] % own if python in _OPERATORS else text)
    return "{} = {}".format(step["result"], text) if step.get("result") else text


def describe_all(steps: Sequence[Mapping[str, Any]]) -> list[str]:
    """Returns each step as a line of Python. Variables get new names: the first object is `m`, the second one `m2`."""
    # Nothing uses the result of the last call. Others live until they are dropped, so they keep their names.
    last = {key: value for key, value in steps[-1].items() if key != "result"} if steps else {}
    is_call = bool(steps) and steps[-1]["do"] == "call"
    texts = [*map(describe, steps[:-1]), *([describe(last if is_call else steps[-1])] if steps else [])]
    names: dict[str, str] = {}
    for step in steps:
        for each in [step.get("result"), *variables_of(step)]:
            base = each.partition("[")[0] if each else None
            if base and base not in names:
                letter = base.rstrip("0123456789")
                count = len([known for known in names if known.rstrip("0123456789") == letter])
                names[base] = letter if not count else f"{letter}{count + 1}"
    return [re.sub(r"\b[a-z]+\d+\b", lambda match: names.get(match[0], match[0]), text) for text in texts]
