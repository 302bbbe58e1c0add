"""Functions as Python sees them: arguments and text signature."""

from __future__ import annotations

from collections.abc import Sequence

from dlpack_bindgen.arguments.array import Array
from dlpack_bindgen.arguments.derived import Derived
from dlpack_bindgen.arguments.dtype_code import DTypeCode
from dlpack_bindgen.arguments.fixed import Fixed
from dlpack_bindgen.arguments.number import Number
from dlpack_bindgen.arguments.object import Object
from dlpack_bindgen.arguments.output import Out
from dlpack_bindgen.arguments.param_of import ParamOf
from dlpack_bindgen.arguments.scalars import PYTHON
from dlpack_bindgen.bind.params import python_default
from dlpack_bindgen.c.fragments import mentions
from dlpack_bindgen.c.names import SPECIAL, is_system_error
from dlpack_bindgen.c.reads import excludes_null
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.functions import Argument, Function, Result, fresh

NUMBERS = {**PYTHON, "str": "str", "strings": "list[str]", "bytes": "bytes"}


def given_arguments(function: Function) -> list[Argument]:
    """Returns the arguments that Python passes, in order."""
    silent = (Derived, DTypeCode, ParamOf, Fixed, Out)
    arguments = enumerate(function.arguments)
    given = [each for index, each in arguments if index != function.self_index and not isinstance(each.kind, silent)]
    return sorted(given, key=lambda each: each.name in function.at_end)


def kept_arguments(function: Function) -> set[str]:
    """Returns the arguments that a result or another argument keeps alive."""
    outs = [each.kind for each in function.arguments if isinstance(each.kind, Out)]
    results: list[Result | Out] = [function.result, *outs]
    found = {name for each in results for name in (each.borrow, *each.keeps) if name is not None}
    return found.union(*([each.name, *kind.keeps] for each, kind in keepers(function)))


def keepers(function: Function) -> list[tuple[Argument, Object]]:
    """Returns the objects that keep other arguments alive after the call."""
    objects = [(each, each.kind) for each in function.arguments if isinstance(each.kind, Object)]
    return [(each, kind) for each, kind in objects if kind.keeps]


def takes_numbers(function: Function, argument: Argument) -> bool:
    """Returns whether a sequence of numbers can replace the array."""
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
    """Returns the flags of the method. With `fast`, the function uses vectorcall."""
    convention = "METH_FASTCALL | METH_KEYWORDS" if fast else "METH_NOARGS"
    if function.name in SPECIAL:
        return f"{convention} | METH_COEXIST"
    return f"{convention} | METH_CLASS" if in_class and function.self_index is None else convention


def text_signature(function: Function, in_class: bool) -> str:
    """Returns the signature as Python's help shows it: `blur($module, src, dst=None, radius=1)`."""
    receiver = "$self" if function.self_index is not None else "$type" if in_class else "$module"
    own = [receiver] if function.positional_only else [receiver, "/"]
    return f"{function.name}({', '.join([*own, *_shown(function)])})"


def class_signature(new: Function, name: str) -> str:
    """Returns the signature of a class with `new`. It has no parameter for the class itself."""
    return f"{name}({', '.join(_shown(new))})"


def _shown(function: Function) -> list[str]:
    form = forms(function)[:2][-1]
    given = given_arguments(function)
    names = [f"{each.name}{default}" for each, default in zip(given, form.defaults("="), strict=True)]
    return form.marked(names)


class Form(Frozen):
    """One way to call the function."""

    function: Function
    by_name: int
    """The number of parameters at the end that are passed by name."""
    needed: int
    """The number of parameters at the start that are always passed."""

    def marked(self, shown: list[str]) -> list[str]:
        """Inserts `/` after positional-only parameters and `*` before keyword-only parameters."""
        first, last = self.function.positional_only, len(shown) - self.by_name
        parts = [*shown[:last], *(["*"] if self.by_name else []), *shown[last:]]
        return [*parts[:first], "/", *parts[first:]] if first else parts

    def defaults(self, sign: str) -> list[str]:
        given = given_arguments(self.function)
        return ["" if index < self.needed else default_of(each, sign) for index, each in enumerate(given)]


def forms(function: Function) -> tuple[Form, ...]:
    """Returns the ways to call the function.

    A new output can precede required parameters, which one Python signature cannot express. The first form has all
    parameters. Each further form omits one output and passes the following parameters by name.
    """
    given = given_arguments(function)
    by_position = given[: len(given) - function.keyword_only]
    needed = [index for index, each in enumerate(by_position) if not default_of(each, "=")]
    made = [
        index for index, each in enumerate(by_position) if fresh(each) is not None and index < max(needed, default=0)
    ]
    ways = [Form(function, function.keyword_only, needed[-1] + 1 if made else 0)]
    for index in made:
        named = max(index, function.positional_only)
        if not any(index < each < named for each in needed):  # a positional-only parameter cannot be passed by name
            ways.append(Form(function, len(given) - named, 0 if index == made[0] else index))
    return tuple(ways)


def default_of(argument: Argument, sign: str) -> str:
    kind = argument.kind
    if fresh(argument) is not None:
        return f"{sign}None"
    default = getattr(kind, "default", None)
    if kind.default_type is not None and default is not None:
        return f"{sign}{python_default(default, kind.default_type)}"
    return f"{sign}None" if getattr(kind, "optional", False) else ""


def may_be_none(function: Function, name: str, value: Result | Out) -> bool:
    """Returns whether Python gets None for NULL. `name` is a name in `returned`."""
    if function.name in SPECIAL and value.kind == "str":
        return False  # CPython requires a string here
    if value.kind not in ("str", "bytes"):
        return value.optional
    tested = "%" if name == "result" else name
    return not (value.required or (function.ok is not None and excludes_null(function.ok, tested)))


def has_items(methods: Sequence[Function]) -> bool:
    """Returns whether the methods are those of a sequence, with items by index."""
    given = [given_arguments(each) for each in methods if each.name == "__getitem__" and each.self_index is not None]
    return any(isinstance(each[0].kind, Number) and each[0].kind.kind == "int" for each in given)


def has_complex(function: Function) -> bool:
    kinds = [argument.kind for argument in function.arguments if isinstance(argument.kind, Number | Out)]
    return "complex" in [function.result.kind, *(kind.kind for kind in kinds)]


def takes_errno(function: Function) -> bool:
    """Returns whether a failure raises OSError with the `errno` of the call."""
    may_fail = function.ok is not None and any(is_system_error(name) for _, name in function.raises)
    return may_fail and mentions([function.errno], "errno")


def is_optional(argument: Argument) -> bool:
    """Returns whether Python can omit the argument."""
    kind = argument.kind
    if fresh(argument) is not None:
        return True
    return getattr(kind, "optional", False) or getattr(kind, "default", None) is not None
