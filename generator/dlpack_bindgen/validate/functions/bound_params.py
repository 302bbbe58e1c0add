"""Values for the `params` of objects that a function returns.

Each value comes from a parameter of the same name and type, or from an object argument that was made with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.arguments.array import Array
from dlpack_bindgen.arguments.derived import Derived
from dlpack_bindgen.arguments.dtype_code import DTypeCode
from dlpack_bindgen.arguments.fixed import Fixed
from dlpack_bindgen.arguments.object import Object
from dlpack_bindgen.arguments.output import Out
from dlpack_bindgen.arguments.param_of import ParamOf
from dlpack_bindgen.c.types import CType, as_number, becomes
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.values import Leaf
from dlpack_bindgen.spec.functions import Argument, Result
from dlpack_bindgen.validate.functions.calls import Call
from dlpack_bindgen.validate.functions.classes import Class, Names
from dlpack_bindgen.validate.functions.declared import Declared, declared_params


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


def bound_params(call: Call, names: Names) -> Iterator[BoundParam]:
    for returned, of, kept in _objects(call):
        found = names.classes.get(of or "")
        if found is None:
            continue
        for param in declared_params(found):
            argument = call.find(param.name)
            passed = argument is not None and _has(argument, param.ctype) and _lasts(argument, kept, names)
            source = _source(call, param, names) if argument is None and param.required else None
            has = passed or source is not None
            plain = _is_plain(param, names)
            yield BoundParam(returned, found, param.name, param.leaf, param.required, has, plain, source)


def _source(call: Call, param: Declared, names: Names) -> str | None:
    """Returns the only object parameter that was made with a number of that name and type, or None."""
    if not _is_plain(param, names):
        return None
    found = [
        argument.name
        for argument in call.sound()
        if isinstance(argument.kind, Object) and _was_made_with(argument.kind, param, names)
    ]
    return found[0] if len(found) == 1 else None


def _is_plain(param: Declared, names: Names) -> bool:
    return not param.ctype.depth and not names.objects(param.ctype)


def _was_made_with(given: Object, param: Declared, names: Names) -> bool:
    of = names.classes.get(given.of)
    if of is None or given.optional or given.takes or given.fresh is not None:
        return False
    return any(each.name == param.name and each.ctype == param.ctype for each in declared_params(of))


def _objects(call: Call) -> Iterator[tuple[str, str | None, tuple[str, ...]]]:
    """Yields each returned object: its name, its class, and the parameters that it keeps alive."""
    values: list[tuple[str, Result | Out]] = [("result", call.result)] if call.result is not None else []
    values += [(argument.name, argument.kind) for argument in call.sound() if isinstance(argument.kind, Out)]
    for name, value in values:
        if value.kind == "object":
            yield name, value.of, (value.borrow,) if value.borrow else value.keeps


def _has(argument: Argument, ctype: CType) -> bool:
    """Returns whether the argument has the type, or points to a variable of the type that the function fills."""
    if isinstance(argument.kind, Out):
        target = CType(argument.ctype.base, argument.ctype.pointers[:-1])
        return argument.ctype.length is None and becomes(target, ctype)
    return becomes(argument.ctype, ctype)


def _lasts(argument: Argument, kept: tuple[str, ...], names: Names) -> bool:
    """Returns whether the value of the argument stays valid after the call.

    Objects and arrays stay valid only if the result keeps them. Strings do not stay valid.
    """
    if isinstance(argument.kind, (Object, Array)):
        return argument.name in kept
    if isinstance(argument.kind, ParamOf):
        plain = argument.ctype.depth == 0 and not names.objects(argument.ctype)
        return plain or argument.name in kept or argument.kind.of in kept
    if isinstance(argument.kind, Out):
        return as_number(argument.kind.kind) is not None or argument.kind.kind == "enum"
    return argument.kind.outlasts_call or isinstance(argument.kind, (Derived, DTypeCode, Fixed))
