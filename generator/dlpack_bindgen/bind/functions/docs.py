"""Generated parts of the docstring of a function: arrays, results, failures, threads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from dlpack_bindgen.arguments.array import Array
from dlpack_bindgen.arguments.derived import Derived
from dlpack_bindgen.arguments.dltensor import Raw
from dlpack_bindgen.arguments.fixed import Fixed
from dlpack_bindgen.arguments.object import Object
from dlpack_bindgen.arguments.objects import Objects
from dlpack_bindgen.arguments.output import Out
from dlpack_bindgen.arguments.param_of import ParamOf
from dlpack_bindgen.bind.doc_comments import axes, joined, layout_words, named_device
from dlpack_bindgen.bind.functions.ctypes import prototype_text
from dlpack_bindgen.bind.functions.operands import Operand, accepted_dtypes, array_requirements, is_operand
from dlpack_bindgen.bind.signatures import given_arguments, keepers, takes_numbers
from dlpack_bindgen.c.fragments import is_number, replace_names
from dlpack_bindgen.slots.values import FixedDType
from dlpack_bindgen.spec.functions import Argument, ArgumentKind, Function, Result, fresh, needs_own
from dlpack_bindgen.spec.lengths import prototype_length
from dlpack_bindgen.spec.restrict import exclusive
from dlpack_bindgen.spec.spec import Handle, Tensor

Items = Mapping[str, Tensor | Handle]

_DTYPES = {
    **{f"{sign}int{bits}_t": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "float": "float32",
    "double": "float64",
    "float _Complex": "complex64",
    "double _Complex": "complex128",
    "bool": "bool",
    "_Bool": "bool",
}
"""NumPy dtypes of the C types with the same size on every platform."""
_MEASURES = {"count": "{of}.size", "size": "{of}.nbytes", "extent": "{of}.shape[{axis}]"}


def docstring(function: Function, items: Items) -> str:
    return documented(function, items, f"{prototype_text(function.prototype)}, of the C library.")


def documented(function: Function, items: Items, fallback: str = "") -> str:
    """Returns the docstring of a function. `fallback` replaces a missing `doc` in the spec."""
    return "\n\n".join(filter(None, [function.doc or fallback, facts(function, items)]))


def facts(function: Function, items: Items) -> str:
    """Returns the documented facts about a function, one per line."""
    taken = [each for each in given_arguments(function) if is_operand(each)]
    return "\n".join(
        [
            *filter(None, (_argument(function, each, items) for each in taken)),
            *_restrict(function),
            *_results(function),
            *_failures(function),
            *(["Other threads run meanwhile."] if function.release_gil else []),
        ]
    )


def _argument(function: Function, argument: Argument, items: Items) -> str | None:
    kind = argument.kind
    assert isinstance(kind, Operand)
    what = _what(function, argument, items)
    if what is None:
        return None
    notes = []
    if isinstance(kind, Object) and kind.takes:
        notes.append(f"it is taken over, and closed{', also by a call that fails' if kind.takes_always else ''}")
    if isinstance(kind, Object) and kind.invalidates:
        notes.append("nobody else may be using its memory")
    if (made := fresh(argument)) is not None:
        notes.append(f"a new one{f' like `{made.like}`' if made.like else ''} where none is given")
    elif getattr(kind, "optional", False):
        notes.append("None will do")
    if kind.copy == "allowed":
        is_bytes = isinstance(kind, Array) and kind.is_bytes
        copied = "bytes with gaps between them" if is_bytes else "arrays in another layout or alignment"
        notes.append(f"{copied} are copied{', and copied back' if kind.writes else ''}")
    verb = "is taken" if getattr(kind, "unless_const", None) else "is written" if kind.writes else "is read"
    return f"`{argument.name}` {verb}: {'; '.join([what, *notes])}."


def _what(function: Function, argument: Argument, items: Items) -> str | None:
    """Returns the description of an argument. It returns None for a handle, whose type describes it already."""
    kind = argument.kind
    if isinstance(kind, Object | Objects):
        item = items[kind.of]
        if not isinstance(item, Tensor):
            return None
        importable = item.import_ is not None and not needs_own(kind)
        one = f"{kind.of}, or an array that {kind.of}.from_dlpack() takes" if importable else kind.of
        return ", ".join(
            [f"a sequence, each {one}" if isinstance(kind, Objects) else one, *_required(function, argument)]
        )
    if isinstance(kind, Raw):
        return ", ".join(["an array", *_required(function, argument)])
    assert isinstance(kind, Array)
    dtype = joined(kind.require.dtypes) or _DTYPES.get(argument.ctype.base) or f"C's `{argument.ctype.base}`"
    elements = "bytes-like" if kind.is_bytes else "an array" if kind.any_dtype else f"an array of {dtype}"
    elements = f"rows of {elements}" if kind.rows else elements
    numbers = ["or a sequence of numbers"] if takes_numbers(function, argument) else []
    return ", ".join([elements, *_required(function, argument), *numbers])


def _required(function: Function, argument: Argument) -> list[str]:
    kind = argument.kind
    assert isinstance(kind, Operand)
    require = array_requirements(function, argument) if isinstance(kind, Array) else kind.require
    words = []
    if require.shape is not None:
        extents = [replace_names(extent, _measured(function)) for extent in require.shape]
        words.append(f"of shape ({', '.join(extents)}{',' if len(extents) == 1 else ''})")
    elif require.ndim is not None:
        words.append(axes(*require.ndim).strip())
    length = prototype_length(argument)
    is_literal = argument.ctype.length is not None and is_number(argument.ctype.length)
    count = require.count or (length if is_literal else None)
    if count is not None:
        words.append(f"of {replace_names(count, _measured(function))} element{'' if count == '1' else 's'}")
    if not isinstance(kind, Array) or kind.any_dtype:
        dtypes = accepted_dtypes(function, argument)
        names = [each.name if isinstance(each, FixedDType) else f"C's `{each.ctype}`" for each in dtypes]
        words += [f"of {joined(names)}"] if names else []
    words += layout_words(require)
    if require.devices is not None and require.devices != ("cpu",):
        words.append(f"on {joined([named_device(device) for device in require.devices])}")
    return [word for word in words if word]


def _measured(function: Function) -> dict[str, str]:
    """Returns what Python sees for derived parameters, by name.

    Strides are left out, because NumPy counts them in bytes.
    """
    measures = [(each.name, each.kind) for each in function.arguments if isinstance(each.kind, Derived)]
    known = {}
    for name, kind in measures:
        if kind.what in _MEASURES:
            text = _MEASURES[kind.what].format(of=kind.of, axis=kind.axis)
            known[name] = f"({text} {'-' if kind.plus < 0 else '+'} {abs(kind.plus)})" if kind.plus else text
    for each in function.arguments:
        if isinstance(each.kind, Fixed) and not each.ctype.pointers:
            value = replace_names(each.kind.value, known)
            known[each.name] = value if re.fullmatch(r"[\w.\[\]]+", value) else f"({value})"
    return known


def _restrict(function: Function) -> Iterable[str]:
    """Yields sentences about arguments that must not overlap, one for each pair."""
    names = [argument.name for argument in function.arguments]
    for name, others in exclusive(function.arguments).items():
        earlier = [f"`{other}`" for other in others if names.index(other) < names.index(name)]
        if earlier:
            yield f"`{name}` must not overlap {joined(earlier)}."
        if name in others:
            yield f"The objects of `{name}` must not overlap each other."


def _results(function: Function) -> Iterable[str]:
    arguments = {argument.name: argument.kind for argument in function.arguments}
    if len(function.returned) > 1:
        yield f"Returns ({', '.join('the result' if name == 'result' else name for name in function.returned)})."
    for name in function.returned:
        value = function.result if name == "result" else arguments[name]
        if not isinstance(value, Result | Out):
            continue
        of = "The result" if name == "result" else f"`{name}`"
        if value.borrow == "static":
            yield f"{of} stays the library's."
        elif value.borrow is not None:
            yield f"{of} lives in `{value.borrow}`, and keeps it alive."
        elif value.keeps:
            yield f"{of} keeps {_all_kept(function, value.keeps)} alive."
    for argument, kind in keepers(function):
        own = function.self_index is not None and argument is function.arguments[function.self_index]
        until = ", until the next call" if kind.replaces else ""
        kept = _all_kept(function, kind.keeps)
        yield f"{'This object' if own else f'`{argument.name}`'} keeps {kept} alive from now on{until}."


def _all_kept(function: Function, names: Iterable[str]) -> str:
    arguments = {argument.name: argument.kind for argument in function.arguments}
    kept = [_kept(function, name, arguments[name]) for name in names]
    return " and ".join([", ".join(kept[:-1]), kept[-1]] if len(kept) > 1 else kept)


def _kept(function: Function, name: str, kind: ArgumentKind) -> str:
    if not isinstance(kind, ParamOf):
        return f"`{name}`"
    own = function.self_index is not None and function.arguments[function.self_index].name == kind.of
    return f"the `{name}` of {'this object' if own else f'`{kind.of}`'}"


def _failures(function: Function) -> Iterable[str]:
    if function.ok is not None:
        names = list(dict.fromkeys(exception for _, exception in function.raises))
        yield f"Raises {joined(names)} if the library reports a failure."
