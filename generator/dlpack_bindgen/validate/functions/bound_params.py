"""Values for the `params` of objects that a function returns.

Each value comes from a parameter of the same name and type, or from an object argument that was made with it. The
result must keep that argument alive if the value is an object.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dlpack_bindgen.arguments.kind import Kind
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.names import Class, Names
from dlpack_bindgen.language.values import Leaf
from dlpack_bindgen.spec.functions import Argument
from dlpack_bindgen.text.types import CType, becomes
from dlpack_bindgen.validate.functions.declared import Declared, declared_params

if TYPE_CHECKING:
    from dlpack_bindgen.validate.functions.calls import Call


class BoundParam(Frozen):
    returned: str
    """`result`, or the name of an out-parameter."""
    of: Class
    name: str
    leaf: Leaf
    """The declaration in the class."""
    required: bool
    passed: bool
    """Whether the function has a value for it."""
    is_plain: bool
    """Whether it is passed by value and is not an object. An object argument can provide it without being kept."""
    source: str | None = None
    """The object parameter that provides the value if no parameter has this name."""


def bound_params(call: Call) -> Iterator[BoundParam]:
    names = call.names
    for returned, of, kept in _objects(call):
        found = names.classes.get(of or "")
        if found is None:
            continue
        for param in declared_params(found):
            argument = call.find(param.name)
            passed = argument is not None and _has(argument, param.ctype) and _lasts(argument, kept, names)
            source = _source(call, param, names) if argument is None and param.required else None
            plain = _is_plain(param.ctype, names)
            has = passed or (source is not None and (plain or source in kept))
            yield BoundParam(returned, found, param.name, param.leaf, param.required, has, plain, source)


def _source(call: Call, param: Declared, names: Names) -> str | None:
    """Returns the only object parameter that was made with a value of that name and type, or None."""
    found = [argument.name for argument in call.arguments if _was_made_with(argument.kind, param, names)]
    return found[0] if len(found) == 1 else None


def _is_plain(ctype: CType, names: Names) -> bool:
    return not ctype.depth and not names.objects(ctype)


def _was_made_with(given: Kind, param: Declared, names: Names) -> bool:
    of = names.classes.get(given.object_class or "")
    if of is None or given.may_be_missing or given.takes:
        return False
    return any(each.name == param.name and each.ctype == param.ctype for each in declared_params(of))


def _objects(call: Call) -> Iterator[tuple[str, str | None, tuple[str, ...]]]:
    """Yields each returned object: its name, its class, and the parameters that it keeps alive."""
    for name, value in call.outputs():
        if value.kind == "object":
            yield name, value.of, (value.borrow,) if value.borrow else value.keeps


def _has(argument: Argument, ctype: CType) -> bool:
    """Returns whether the argument has the type, or points to a variable of the type that the function fills."""
    if argument.kind.returned is not None:
        target = CType(argument.ctype.base, argument.ctype.pointers[:-1])
        return argument.ctype.length is None and becomes(target, ctype)
    return becomes(argument.ctype, ctype)


def _lasts(argument: Argument, kept: tuple[str, ...], names: Names) -> bool:
    """Returns whether the value of the argument stays valid after the call."""
    return argument.kind.is_valid_after_call(argument.name, kept, not _is_plain(argument.ctype, names))
