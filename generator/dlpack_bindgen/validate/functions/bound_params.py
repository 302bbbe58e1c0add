"""The `params` of objects that a function returns: each has the value of a parameter of the same name and type."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.c import ctext
from dlpack_bindgen.c.prototype import parse
from dlpack_bindgen.c.types import CType, Prototype
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.functions import Argument, EnumValue, Fixed, Measure, Number, Object, Out
from dlpack_bindgen.validate.functions.calls import Call
from dlpack_bindgen.validate.functions.classes import Class, Names
from dlpack_bindgen.validate.values import Fields, Leaf, Value


class BoundParam(Frozen):
    returned: str
    """`result`, or an out-parameter."""
    of: Class
    name: str
    leaf: Leaf
    """Where the class declares it."""
    required: bool
    passed: bool
    """The function has its value."""


def bound_params(call: Call, names: Names) -> Iterator[BoundParam]:
    for returned, of, borrow in _objects(call):
        found = names.classes.get(of or "")
        params = found.fields.items("params") if found else None
        for item in params.items if params else ():
            declared = _declared(item)
            if found is None or declared is None:
                continue
            leaf, ctype, name, value = declared
            argument = call.find(name)
            passed = argument is not None and argument.ctype == ctype and _lasts(argument, borrow)
            yield BoundParam(returned, found, name, leaf, value is None, passed)


def _objects(call: Call) -> Iterator[tuple[str, str | None, str | None]]:
    """What is returned: its class, and the parameter that it keeps."""
    if call.result is not None and call.result.kind == "object":
        yield "result", call.result.of, call.result.borrow or call.result.keeps
    for argument in call.sound():
        if isinstance(argument.kind, Out) and argument.kind.kind == "object":
            yield argument.name, argument.kind.of, argument.kind.borrow or argument.kind.keeps


def _declared(item: Value) -> tuple[Leaf, CType, str, str | None] | None:
    """Where, its type, its name, its default; as `T name = value` or as `{T name: value}`."""
    entry = (item, None) if isinstance(item, Leaf) else item.entry if isinstance(item, Fields) else None
    found = ctext.split_parameter(entry[0].text) if entry else None
    if entry is None or not isinstance(found, tuple):
        return None
    ctype, name, default = found
    parsed = parse(f"void f({ctype} {name})")
    if not isinstance(parsed, Prototype):
        return None
    return entry[0], parsed.parameters[0].ctype, name, entry[1].text if entry[1] else default


def _lasts(argument: Argument, borrow: str | None) -> bool:
    """Whether its value is good for longer than the call: that of a text or an array is not, that of an object only
    where the result keeps it."""
    if isinstance(argument.kind, Object):
        return argument.name == borrow
    return isinstance(argument.kind, (Number, EnumValue, Measure, Fixed))
