"""Functions, methods and properties as the stub shows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dlpack_bindgen.bind.signatures import NUMBERS, default_of, forms, given_arguments, takes_numbers
from dlpack_bindgen.c.quote import python_doc_lines
from dlpack_bindgen.c.types import CType
from dlpack_bindgen.spec.functions import (
    Argument,
    Array,
    EnumValue,
    Function,
    Number,
    Object,
    Objects,
    Out,
    Property,
    Raw,
    Result,
    Text,
    Texts,
    needs_own,
)
from dlpack_bindgen.spec.spec import Handle, Tensor

_ARRAY = "_Array"


def stub(function: Function, owner: Tensor | Handle | None, items: Mapping[str, Tensor | Handle]) -> tuple[str, ...]:
    """The lines of a `def`, with its decorators; of one for each way to call it."""
    given = given_arguments(function)
    types = [f"{each.name}: {_argument_type(function, each, items)}" for each in given]
    in_class = owner is not None
    is_new = owner is not None and owner.new is function
    receiver = [] if not in_class else ["self"] if function.self_index is not None else ["cls"]
    decorators = ["@classmethod"] if in_class and function.self_index is None and not is_new else []
    name, returned = "__new__" if is_new else function.name, returned_type(function, items)
    ways, lines = forms(function), list[str]()
    for way in ways:
        shown = [f"{text}{default}" for text, default in zip(types, way.defaults(" = "), strict=True)]
        parameters = way.marked(shown)
        own = [*receiver, "/"] if receiver and "/" not in parameters and not is_new else receiver
        doc = shown_doc(function, items) if way is ways[0] else None
        lines += ["@typing.overload"] if len(ways) > 1 else []
        lines += [*decorators, *definition(name, [*own, *parameters], returned, doc)]
    return tuple(lines)


def stubs(functions: Iterable[Function], items: Mapping[str, Tensor | Handle]) -> tuple[str, ...]:
    """Of several of one name the first is shown: checkers do not know what the preprocessor chooses."""
    chosen = {function.name: function for function in reversed(list(functions))}
    named = [chosen[name] for name in reversed(chosen)]
    return tuple(line for function in named for line in stub(function, None, items))


def member_stubs(item: Tensor | Handle, items: Mapping[str, Tensor | Handle]) -> tuple[str, ...]:
    """The same of a class."""
    methods = {method.name: method for method in reversed(item.methods)}
    lines = [line for name in reversed(methods) for line in stub(methods[name], item, items)]
    properties = {each.name: each for each in reversed(item.properties)}
    for name in reversed(properties):
        value = _assigned_type(properties[name], items)
        lines += ["@property", *definition(name, ["self"], property_type(properties[name]), properties[name].doc)]
        if value is not None:
            lines += [f"@{name}.setter", f"def {name}(self, value: {value}, /) -> None: ..."]
    if item.new is not None:
        lines += stub(item.new, item, items)
    return tuple(lines)


def shown_doc(function: Function, items: Mapping[str, Tensor | Handle]) -> str | None:
    from dlpack_bindgen.bind.functions.docs import documented  # many specs have no functions

    return documented(function, items) or None


def definition(name: str, parameters: list[str], returned: str, doc: str | None) -> list[str]:
    line = f"def {name}({', '.join(parameters)}) -> {returned}:"
    lines = [line]
    if len(line) > 115:
        lines = [f"def {name}(", *(f"    {parameter}," for parameter in parameters), f") -> {returned}:"]
    if doc is None:
        return [*lines[:-1], f"{lines[-1]} ..."]
    text = python_doc_lines(doc)
    return (
        [*lines, f'    """{text[0]}', *(f"    {each}".rstrip() for each in text[1:]), '    """']
        if len(text) > 1
        else [
            *lines,
            f'    """{text[0]}"""',
        ]
    )


def returned_type(function: Function, items: Mapping[str, Tensor | Handle]) -> str:
    arguments = {argument.name: argument for argument in function.arguments}
    types = []
    for name in function.returned:
        kind = function.result if name == "result" else arguments[name].kind
        if isinstance(kind, Result | Out):
            text = value_type(kind.kind or "None", kind.of)
            length = arguments[name].ctype.length if name != "result" else None
            if length and kind.kind == "str" and arguments[name].ctype.depth == 1:
                types.append(text)
                continue
            if length:
                text = f"tuple[{', '.join([text] * int(length))}]" if length.isdecimal() else f"tuple[{text}, ...]"
            nullable = kind.optional or kind.kind in ("str", "bytes")
            types.append(f"{text} | None" if nullable else text)
        elif arguments[name].by_address:
            types.append(kind.of if isinstance(kind, EnumValue) else NUMBERS[getattr(kind, "kind", "int")])
        else:
            text = _plain_type(function, arguments[name], items)
            none = " | None" if getattr(kind, "optional", False) else ""
            # An array that was given comes back as it is.
            types.append(f"{text}{none}" if isinstance(kind, Object) and _ARRAY not in text else "typing.Any")
    if len(types) == 1:
        return types[0]
    return f"tuple[{', '.join(types)}]" if types else "None"


def value_type(kind: str, of: str | None) -> str:
    return of if of is not None else NUMBERS[kind]


def property_type(each: Property) -> str:
    return f"{NUMBERS['str']} | None" if each.kind == "str" else value_type(each.kind, each.of)


def _assigned_type(each: Property, items: Mapping[str, Tensor | Handle]) -> str | None:
    if each.set is not None:
        return _argument_type(each.set, given_arguments(each.set)[0], items)
    if not each.stored:
        return None
    return _enum_type(each.of) if each.kind == "enum" else property_type(each)


def _argument_type(function: Function, argument: Argument, items: Mapping[str, Tensor | Handle]) -> str:
    text = _plain_type(function, argument, items)
    return f"{text} | None" if default_of(argument, "").startswith("None") else text


def _plain_type(function: Function, argument: Argument, items: Mapping[str, Tensor | Handle]) -> str:
    kind = argument.kind
    if isinstance(kind, Number):
        return NUMBERS[kind.kind]
    if isinstance(kind, EnumValue):
        return _enum_type(kind.of)
    if isinstance(kind, Text):
        return "_Path" if kind.path else "str"
    if isinstance(kind, Texts):
        return "collections.abc.Sequence[str]"
    if isinstance(kind, Object | Objects):
        item = items[kind.of]
        importable = isinstance(item, Tensor) and item.import_ is not None and not needs_own(kind)
        text = f"{kind.of} | {_ARRAY}" if importable else kind.of
        return f"collections.abc.Sequence[{text}]" if isinstance(kind, Objects) else text
    if isinstance(kind, Array) and takes_numbers(function, argument):
        return f"{_ARRAY} | collections.abc.Sequence[{_element_type(argument.ctype, kind)}]"
    assert isinstance(kind, Array | Raw)
    return _ARRAY


def _element_type(ctype: CType, array: Array) -> str:
    """Of the numbers in a sequence that stands for an array."""
    if array.number and not array.require.dtypes:
        return array.number
    dtype = array.require.dtypes[0] if array.require.dtypes else ctype.base
    if "complex" in dtype.lower():
        return "complex"
    return "float" if "float" in dtype or dtype.endswith("double") else "int"


def _enum_type(of: str | None) -> str:
    return f"{of} | str | int"


def uses_arrays(function: Function) -> bool:
    return any(isinstance(argument.kind, Object | Objects | Raw | Array) for argument in function.arguments)


def uses_sequences(function: Function) -> bool:
    return any(isinstance(argument.kind, Objects | Array | Texts) for argument in function.arguments)


def uses_paths(function: Function) -> bool:
    return any(isinstance(argument.kind, Text) and argument.kind.path for argument in function.arguments)
