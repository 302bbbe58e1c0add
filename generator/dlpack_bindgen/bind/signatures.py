"""A function as Python sees it: what it is given, its text signature, its lines in the stub."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping

from dlpack_bindgen.bind.params import python_default
from dlpack_bindgen.c.quote import python_doc_lines
from dlpack_bindgen.c.types import CType
from dlpack_bindgen.spec.functions import (
    Argument,
    Array,
    EnumValue,
    Fixed,
    Function,
    Measure,
    Number,
    Object,
    Objects,
    Out,
    Property,
    Raw,
    Result,
    Text,
)
from dlpack_bindgen.spec.spec import Handle, Tensor

_NUMBERS = {
    "int": "int",
    "float": "float",
    "bool": "bool",
    "complex": "complex",
    "char": "str",
    "str": "str",
    "bytes": "bytes",
}
_ARRAY = "_Array"


def given_arguments(function: Function) -> list[Argument]:
    """Those that Python gives, in order."""
    silent = (Measure, Fixed, Out)
    arguments = enumerate(function.arguments)
    return [each for index, each in arguments if index != function.self_index and not isinstance(each.kind, silent)]


def flags(function: Function, in_class: bool) -> str:
    convention = "METH_FASTCALL | METH_KEYWORDS" if given_arguments(function) else "METH_NOARGS"
    return f"{convention} | METH_CLASS" if in_class and function.self_index is None else convention


def text_signature(function: Function, in_class: bool) -> str:
    """As Python's help shows it: `blur($module, src, dst=None, radius=1)`."""
    receiver = "$self" if function.self_index is not None else "$type" if in_class else "$module"
    shown = [f"{each.name}{default}" for each, default in _defaults(function, "=")]
    own = [receiver] if function.positional_only else [receiver, "/"]
    return f"{function.name}({', '.join([*own, *_marked(function, shown)])})"


def class_signature(new: Function, name: str) -> str:
    """That of a class, which `new` makes objects of: nothing stands for the class itself."""
    shown = [f"{each.name}{default}" for each, default in _defaults(new, "=")]
    return f"{name}({', '.join(_marked(new, shown))})"


def _marked(function: Function, shown: list[str]) -> list[str]:
    """With `/` behind what is positional only, and `*` before what is keyword only."""
    first, last = function.positional_only, len(shown) - function.keyword_only
    marked = [*shown[:last], *(["*"] if function.keyword_only else []), *shown[last:]]
    return [*marked[:first], "/", *marked[first:]] if first else marked


def _defaults(function: Function, sign: str) -> list[tuple[Argument, str]]:
    """An output that is made where none is given may stand before what must be given. Python has no way to say that, so
    the latter looks as if it had a default."""
    found: list[tuple[Argument, str]] = []
    given = given_arguments(function)
    for index, argument in enumerate(given):
        default = _default(argument, sign)
        by_position = index < len(given) - function.keyword_only
        found.append((argument, default or (f"{sign}..." if by_position and any(each for _, each in found) else "")))
    return found


def _default(argument: Argument, sign: str) -> str:
    kind = argument.kind
    if isinstance(kind, Object) and kind.like is not None:
        return f"{sign}None"
    if isinstance(kind, Number | EnumValue | Text) and kind.default is not None:
        python_type = _NUMBERS[kind.kind] if isinstance(kind, Number) else "str" if isinstance(kind, Text) else "int"
        return f"{sign}{python_default(kind.default, python_type)}"
    return f"{sign}None" if getattr(kind, "optional", False) else ""


# ---- The stub ----


def stub(function: Function, owner: Tensor | Handle | None, items: Mapping[str, Tensor | Handle]) -> tuple[str, ...]:
    """The lines of a `def`, with its decorator."""
    shown = [f"{each.name}: {_argument_type(each, items)}{default}" for each, default in _defaults(function, " = ")]
    in_class = owner is not None
    is_new = owner is not None and owner.new is function
    receiver = [] if not in_class else ["self"] if function.self_index is not None else ["cls"]
    marked = _marked(function, shown)
    if receiver and "/" not in marked and not is_new:
        receiver.append("/")
    decorator = ["@classmethod"] if in_class and function.self_index is None and not is_new else []
    name = "__new__" if is_new else function.name
    return (*decorator, *definition(name, [*receiver, *marked], returned_type(function, items), function.doc))


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
        setter = properties[name].set
        lines += ["@property", *definition(name, ["self"], property_type(properties[name]), properties[name].doc)]
        if setter is not None:
            value = _argument_type(given_arguments(setter)[0], items)
            lines += [f"@{name}.setter", f"def {name}(self, value: {value}, /) -> None: ..."]
    if item.new is not None:
        lines += stub(item.new, item, items)
    return tuple(lines)


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
            if length:
                text = f"tuple[{', '.join([text] * int(length))}]" if length.isdecimal() else f"tuple[{text}, ...]"
            nullable = kind.optional or kind.kind in ("str", "bytes")
            types.append(f"{text} | None" if nullable else text)
        else:
            types.append("typing.Any")  # an array that was given comes back as it is
    if len(types) == 1:
        return types[0]
    return f"tuple[{', '.join(types)}]" if types else "None"


def value_type(kind: str, of: str | None) -> str:
    return of if of is not None else _NUMBERS[kind]


def property_type(each: Property) -> str:
    return f"{_NUMBERS['str']} | None" if each.kind == "str" else value_type(each.kind, each.of)


def _argument_type(argument: Argument, items: Mapping[str, Tensor | Handle]) -> str:
    text = _plain_type(argument, items)
    return f"{text} | None" if _default(argument, "").startswith("None") else text


def _plain_type(argument: Argument, items: Mapping[str, Tensor | Handle]) -> str:
    kind = argument.kind
    if isinstance(kind, Number):
        return _NUMBERS[kind.kind]
    if isinstance(kind, EnumValue):
        return f"{kind.of} | str | int"
    if isinstance(kind, Text):
        return "_Path" if kind.path else "str"
    if isinstance(kind, Object | Objects):
        item = items[kind.of]
        importable = isinstance(item, Tensor) and item.import_ is not None and not getattr(kind, "invalidates", False)
        text = f"{kind.of} | {_ARRAY}" if importable else kind.of
        return f"collections.abc.Sequence[{text}]" if isinstance(kind, Objects) else text
    if isinstance(kind, Array) and not kind.writes and not kind.any_dtype:
        return f"{_ARRAY} | collections.abc.Sequence[{_element_type(argument.ctype, kind)}]"
    assert isinstance(kind, Array | Raw)
    return _ARRAY


def _element_type(ctype: CType, array: Array) -> str:
    """Of the numbers in a sequence that stands for an array."""
    dtype = array.require.dtype or ctype.base
    if "complex" in dtype.lower():
        return "complex"
    return "float" if "float" in dtype or dtype.endswith("double") else "int"


def uses_arrays(function: Function) -> bool:
    return any(isinstance(argument.kind, Object | Objects | Raw | Array) for argument in function.arguments)


def uses_sequences(function: Function) -> bool:
    return any(isinstance(argument.kind, Objects | Array) for argument in function.arguments)


def uses_paths(function: Function) -> bool:
    return any(isinstance(argument.kind, Text) and argument.kind.path for argument in function.arguments)


def has_complex(function: Function) -> bool:
    kinds = [argument.kind for argument in function.arguments if isinstance(argument.kind, Number | Out)]
    return "complex" in [function.result.kind, *(kind.kind for kind in kinds)]


def takes_errno(function: Function) -> bool:
    """Whether a failure is an OSError, which has the number of an error."""
    return function.ok is not None and any(is_system_error(name) for _, name in function.raises)


def is_system_error(exception: str) -> bool:
    return issubclass(getattr(builtins, exception), OSError)
