"""A function as Python sees it: what it is given, and its text signature."""

from __future__ import annotations

from collections.abc import Sequence

from dlpack_bindgen.bind.params import python_default
from dlpack_bindgen.c.fragments import mentions
from dlpack_bindgen.c.names import SPECIAL, is_system_error
from dlpack_bindgen.c.reads import excludes_null
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.functions import (
    Argument,
    Array,
    Derived,
    DTypeCode,
    EnumValue,
    Fixed,
    Function,
    Number,
    Object,
    Out,
    ParamOf,
    Result,
    String,
    fresh,
)

NUMBERS = {
    "int": "int",
    "float": "float",
    "bool": "bool",
    "complex": "complex",
    "char": "str",
    "str": "str",
    "strings": "list[str]",
    "bytes": "bytes",
}


def given_arguments(function: Function) -> list[Argument]:
    """Those that Python gives, in its order."""
    silent = (Derived, DTypeCode, ParamOf, Fixed, Out)
    arguments = enumerate(function.arguments)
    given = [each for index, each in arguments if index != function.self_index and not isinstance(each.kind, silent)]
    return sorted(given, key=lambda each: each.name in function.at_end)


def kept_arguments(function: Function) -> set[str]:
    """Those that something returned keeps, or lives in, and those that another one keeps from now on."""
    outs = [each.kind for each in function.arguments if isinstance(each.kind, Out)]
    results: list[Result | Out] = [function.result, *outs]
    found = {name for each in results for name in (each.borrow, *each.keeps) if name is not None}
    return found.union(*([each.name, *kind.keeps] for each, kind in keepers(function)))


def keepers(function: Function) -> list[tuple[Argument, Object]]:
    """The objects that keep others from the call on."""
    objects = [(each, each.kind) for each in function.arguments if isinstance(each.kind, Object)]
    return [(each, kind) for each, kind in objects if kind.keeps]


def takes_numbers(function: Function, argument: Argument) -> bool:
    """A sequence of numbers will do."""
    array = argument.kind
    if not isinstance(array, Array) or argument.name in kept_arguments(function):
        return False
    measures = [each.kind for each in function.arguments if isinstance(each.kind, Derived)]
    axes = [each.axis for each in measures if each.of == argument.name]
    tables = array.require.ndim[0] > 1 if array.require.ndim else max(axes, default=0) > 0
    several = array.any_dtype or array.is_bytes or array.rows or len(array.require.dtypes) > 1
    elsewhere = array.require.devices is not None and "cpu" not in array.require.devices
    return not (array.writes or several or tables or elsewhere)


def flags(function: Function, in_class: bool, fast: bool) -> str:
    """`fast`: it takes its arguments as a vector."""
    convention = "METH_FASTCALL | METH_KEYWORDS" if fast else "METH_NOARGS"
    if function.name in SPECIAL:
        return f"{convention} | METH_COEXIST"
    return f"{convention} | METH_CLASS" if in_class and function.self_index is None else convention


def text_signature(function: Function, in_class: bool) -> str:
    """As Python's help shows it: `blur($module, src, dst=None, radius=1)`."""
    receiver = "$self" if function.self_index is not None else "$type" if in_class else "$module"
    own = [receiver] if function.positional_only else [receiver, "/"]
    return f"{function.name}({', '.join([*own, *_shown(function)])})"


def class_signature(new: Function, name: str) -> str:
    """That of a class, which `new` makes objects of: nothing stands for the class itself."""
    return f"{name}({', '.join(_shown(new))})"


def _shown(function: Function) -> list[str]:
    form = forms(function)[:2][-1]
    given = given_arguments(function)
    names = [f"{each.name}{default}" for each, default in zip(given, form.defaults("="), strict=True)]
    return form.marked(names)


class Form(Frozen):
    """A way to call the function."""

    function: Function
    by_name: int
    """How many of the last parameters are given by name."""
    needed: int
    """How many of the first ones are given in any case."""

    def marked(self, shown: list[str]) -> list[str]:
        """With `/` behind what is positional only, and `*` before what is keyword only."""
        first, last = self.function.positional_only, len(shown) - self.by_name
        parts = [*shown[:last], *(["*"] if self.by_name else []), *shown[last:]]
        return [*parts[:first], "/", *parts[first:]] if first else parts

    def defaults(self, sign: str) -> list[str]:
        given = given_arguments(self.function)
        return ["" if index < self.needed else default_of(each, sign) for index, each in enumerate(given)]


def forms(function: Function) -> tuple[Form, ...]:
    """An output that is made where none is given may stand before what must be given. Python has no way to say that but
    several: with all of them, and for each without it, where what follows is given by name."""
    given = given_arguments(function)
    by_position = given[: len(given) - function.keyword_only]
    needed = [index for index, each in enumerate(by_position) if not default_of(each, "=")]
    made = [
        index for index, each in enumerate(by_position) if fresh(each) is not None and index < max(needed, default=0)
    ]
    ways = [Form(function, function.keyword_only, needed[-1] + 1 if made else 0)]
    for index in made:
        named = max(index, function.positional_only)
        if not any(index < each < named for each in needed):  # which cannot be given by name
            ways.append(Form(function, len(given) - named, 0 if index == made[0] else index))
    return tuple(ways)


def default_of(argument: Argument, sign: str) -> str:
    kind = argument.kind
    if fresh(argument) is not None:
        return f"{sign}None"
    if isinstance(kind, Number | EnumValue | String) and kind.default is not None:
        python_type = NUMBERS[kind.kind] if isinstance(kind, Number) else "str" if isinstance(kind, String) else "int"
        return f"{sign}{python_default(kind.default, python_type)}"
    return f"{sign}None" if getattr(kind, "optional", False) else ""


def may_be_none(function: Function, name: str, value: Result | Out) -> bool:
    """Whether Python gets None for a NULL. `name`: as in `returned`."""
    if function.name in SPECIAL and value.kind == "str":
        return False  # nobody else takes it either
    if value.kind not in ("str", "bytes"):
        return value.optional
    tested = "%" if name == "result" else name
    return not (value.required or (function.ok is not None and excludes_null(function.ok, tested)))


def has_items(methods: Sequence[Function]) -> bool:
    """Whether they are those of a sequence: it has items, by their numbers."""
    given = [given_arguments(each) for each in methods if each.name == "__getitem__" and each.self_index is not None]
    return any(isinstance(each[0].kind, Number) and each[0].kind.kind == "int" for each in given)


def has_complex(function: Function) -> bool:
    kinds = [argument.kind for argument in function.arguments if isinstance(argument.kind, Number | Out)]
    return "complex" in [function.result.kind, *(kind.kind for kind in kinds)]


def takes_errno(function: Function) -> bool:
    """Whether a failure is an OSError with the number that the call left in `errno`."""
    may_fail = function.ok is not None and any(is_system_error(name) for _, name in function.raises)
    return may_fail and mentions([function.errno], "errno")


def is_nullable(kind: String) -> bool:
    """Whether None is NULL: it is what Python shows as the default where that is NULL."""
    return kind.optional or kind.default == "NULL"


def is_optional(argument: Argument) -> bool:
    """Whether Python may leave it out."""
    kind = argument.kind
    if fresh(argument) is not None:
        return True
    return getattr(kind, "optional", False) or getattr(kind, "default", None) is not None
