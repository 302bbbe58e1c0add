"""Params of the factories that make objects of arguments: `import` for an array, `allocate` for a new output.

The value of a param comes from the argument of that name and C type. Without such an argument, it is the object of a
method, if that has the C type. Otherwise it comes from the objects of the call that were made with a param of that name
and C type.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dlpack_bindgen.arguments.kind import Kind
from dlpack_bindgen.c import ctext
from dlpack_bindgen.c.types import CType
from dlpack_bindgen.language.imports import MakingFields
from dlpack_bindgen.language.names import Class
from dlpack_bindgen.spec.functions import Argument, FactoryParam
from dlpack_bindgen.validate.functions.declared import Declared, declared_among, declared_params

if TYPE_CHECKING:
    from dlpack_bindgen.validate.functions.calls import Call


def factory_params(call: Call) -> Iterator[FactoryParam]:
    """Yields the sources of all params, in the order of preference."""
    for argument in call.arguments:
        for verb, making in factories(call, argument):
            for index, param in enumerate(declared_among(making.params)):
                for source, of_object in _sources(call, argument, param):
                    yield FactoryParam(argument.name, verb, index, source.name, param.name if of_object else None)


def missing_params(call: Call, argument: Argument, verb: str) -> list[Declared]:
    """Returns the required params of the factory for which the call has no value."""
    return [
        param
        for each, making in factories(call, argument)
        for param in declared_among(making.params)
        if each == verb and param.required and not _sources(call, argument, param)
    ]


def factories(call: Call, argument: Argument) -> Iterator[tuple[str, MakingFields]]:
    """Yields the factories of the class that the call uses for the argument, each with its key."""
    kind = argument.kind
    of = call.names.classes.get(kind.class_name or "")
    for verb, making in of.fields.factories() if of is not None else ():
        if (verb == "import" and _takes_arrays(call, argument)) or (verb == "allocate" and kind.new_output is not None):
            yield verb, making


def _takes_arrays(call: Call, argument: Argument) -> bool:
    return not argument.kind.needs_own and argument is not call.own_object


def _sources(call: Call, argument: Argument, param: Declared) -> list[tuple[Argument, bool]]:
    """Returns the arguments with the value of the param, each with whether its object has the value as a param."""
    named = call.find(param.name)
    if named is not None and named is not argument and not named.kind.is_list and _is_same(named.ctype, param.ctype):
        if named.kind.is_operand and named.kind.object_class is not None:
            return [(named, False)]
        if named.kind.is_read_early and not named.kind.takes and not _is_late(call, named.kind):
            return [(named, False)]
        owner = call.find(named.kind.param_owner or "")
        if owner is not None and owner is not argument:
            return [(owner, True)]
    receiver = call.own_object
    if receiver is not None and receiver is not argument and _is_same(receiver.ctype, param.ctype):
        return [(receiver, False)]
    found = [each for each in call.arguments if each is not argument and _has_param(call.class_of(each), param)]
    return [(each, True) for each in found if receiver not in found or each is receiver]


def _has_param(of: Class | None, param: Declared) -> bool:
    return of is not None and any(
        each.name == param.name and _is_same(each.ctype, param.ctype) for each in declared_params(of)
    )


def _is_same(ctype: CType, wanted: CType) -> bool:
    """Returns whether both types differ by `const` only. A factory takes the object itself, whatever the call does."""
    if ctype.length is not None or ctype.extents:
        return False
    return (ctype.base, ctype.depth) == (wanted.base, wanted.depth)


def _is_late(call: Call, kind: Kind) -> bool:
    """Returns whether the default value depends on other arguments: it is known too late."""
    default = kind.default
    return default is not None and any(ctext.mentions(default, each.name) for each in call.arguments)
