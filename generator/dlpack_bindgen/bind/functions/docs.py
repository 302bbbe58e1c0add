"""Generated parts of the docstring of a function: arrays, results, failures, threads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from dlpack_bindgen.bind.doc_comments import axes, layout_words
from dlpack_bindgen.bind.functions.operands import accepted_dtypes
from dlpack_bindgen.bind.signatures import given_arguments, python_scope
from dlpack_bindgen.calls.keeping import kept_in_words
from dlpack_bindgen.results.kinds import KINDS
from dlpack_bindgen.slots.device import named_device
from dlpack_bindgen.slots.dtype import FixedDType
from dlpack_bindgen.spec.functions import Argument
from dlpack_bindgen.spec.lengths import prototype_length
from dlpack_bindgen.spec.spec import Item
from dlpack_bindgen.text.fragments import is_number, replace_names
from dlpack_bindgen.text.literals import joined
from dlpack_bindgen.text.types import Prototype, declared
from dlpack_bindgen.validate.functions.calls import Call

Items = Mapping[str, Item]


def docstring(function: Call, items: Items) -> str:
    return documented(function, items, f"{prototype_text(function.prototype)}, of the C library.")


def documented(function: Call, items: Items, fallback: str = "") -> str:
    """Returns the docstring of a function. `fallback` replaces a missing `doc` in the spec."""
    return "\n\n".join(filter(None, [function.doc or fallback, facts(function, items)]))


def facts(function: Call, items: Items) -> str:
    """Returns the documented facts about a function, one per line."""
    taken = [each for each in given_arguments(function) if each.kind.is_operand]
    return "\n".join([*filter(None, (_argument(function, each, items) for each in taken)), *_facts_of_call(function)])


def _facts_of_call(function: Call) -> list[str]:
    """Returns the facts about pairs of arguments, results, failures and threads."""
    return [
        *(sentence for each in function.features for sentence in each.sentences_of_arguments()),
        *filter(None, _results(function)),
        *_failures(function),
        *(["Other threads run meanwhile."] if function.release_gil else []),
    ]


def call_facts(function: Call, items: Items) -> list[str]:
    """Returns the documented facts, and those that the docstring leaves out.

    The docstring has no facts about parameters that Python does not pass, or about objects that their types describe.
    """
    operands = [each.name for each in function.arguments if each.kind.is_operand]
    described = {each.name: _argument(function, each, items) for each in given_arguments(function)}
    found = [
        described.get(each.name) or _bare_argument(function, each) if each.name in operands else None
        for each in function.arguments
    ]
    origins = [each.kind.origin(each.name) for each in function.arguments]
    about = [text for pair in zip(found, origins, strict=True) for text in pair if text is not None]
    return [*about, *_facts_of_call(function)]


def _bare_argument(function: Call, argument: Argument) -> str:
    """Returns the sentence about an object that its type describes."""
    subject = "This object" if argument.name == function.receiver else f"`{argument.name}`"
    is_value = argument.kind.writes and not argument.ctype.pointers
    use = "is passed by value" if is_value else f"is {'written' if argument.kind.writes else 'read'}"
    return f"{subject} {'; '.join([use, *argument.kind.notes()])}."


def _argument(function: Call, argument: Argument, items: Items) -> str | None:
    kind = argument.kind
    scope = python_scope(function, argument, items)
    what = kind.description(scope, _required(function, argument))
    if what is None:
        return None
    verb = "is taken" if kind.unless_const else "is read"
    if kind.writes and not kind.unless_const and not scope.may_be_temporary:
        # The type of an object that is passed by value does not tell whether C writes to its array.
        is_value = kind.class_name is not None and not argument.ctype.pointers
        verb = "may be written" if is_value else "is written"
    return f"`{argument.name}` {verb}: {'; '.join([what, *kind.notes()])}."


def _required(function: Call, argument: Argument) -> list[str]:
    require = argument.kind.requirements(function.measures(argument.name))
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
    if argument.kind.own_dtype(argument.ctype) is None:
        dtypes = accepted_dtypes(function, argument)
        names = [each.name if isinstance(each, FixedDType) else f"C's `{each.ctype}`" for each in dtypes]
        words += [f"of {joined(names)}"] if names else []
    words += layout_words(require)
    if require.devices is not None and require.devices != ("cpu",):
        words.append(f"on {joined([named_device(device) for device in require.devices])}")
    return [word for word in words if word]


def _measured(function: Call) -> dict[str, str]:
    """Returns what Python sees for derived parameters, by name.

    Strides are left out, because NumPy counts them in bytes.
    """
    measured = [(each.name, each.kind.measure.in_python()) for each in function.arguments if each.kind.measure]
    known = {name: text for name, text in measured if text is not None}
    for each in function.arguments:
        if each.kind.value is not None and not each.ctype.pointers:
            value = replace_names(each.kind.value, known)
            known[each.name] = value if re.fullmatch(r"[\w.\[\]]+", value) else f"({value})"
    return known


def _results(function: Call) -> Iterable[str | None]:
    """Yields sentences about the results, and about the life of objects after the call."""
    if len(function.returned) > 1:
        yield f"Returns ({', '.join('the result' if name == 'result' else name for name in function.returned)})."
    for name in function.returned:
        value = function.value_of(name)
        if value is None or value.kind is None:
            continue
        subject = "The result" if name == "result" else f"`{name}`"
        yield KINDS[value.kind].lifetime(subject, value.borrow, kept_in_words(function, value.keeps))
    yield from (sentence for each in function.features for sentence in each.sentences())


def _failures(function: Call) -> Iterable[str]:
    if function.ok is not None:
        names = list(dict.fromkeys(exception for _, exception in function.raises))
        yield f"Raises {joined(names)} if the library reports a failure."


def prototype_text(prototype: Prototype) -> str:
    """Returns the prototype as a string for messages and comments."""
    parameters = ", ".join(declared(each.ctype, each.name) for each in prototype.parameters) or "void"
    return f"{declared(prototype.result, prototype.name)}({parameters})"
