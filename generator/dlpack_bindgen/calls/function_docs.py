"""A function as Python sees it: its signature and its documentation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from dlpack_bindgen.calls.argument_kind import Argument, PythonScope
from dlpack_bindgen.calls.call import Call, Property
from dlpack_bindgen.calls.lengths import prototype_length
from dlpack_bindgen.calls.lifetimes import kept_arguments, kept_in_words
from dlpack_bindgen.calls.object_params import has_params, params_in_words
from dlpack_bindgen.calls.result_kind import Value
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.tensor.accepts import axes, layout_words
from dlpack_bindgen.tensor.data_and_device import named_device
from dlpack_bindgen.tensor.dtype import CTypeDType, FixedDType, NamedDType
from dlpack_bindgen.tensor.item import Item, NewStruct, Tensor
from dlpack_bindgen.tensor.params import python_default
from dlpack_bindgen.tensor.requirements import NOTHING
from dlpack_bindgen.text.expressions import excludes_null
from dlpack_bindgen.text.fragments import is_number, replace_names
from dlpack_bindgen.text.literals import joined
from dlpack_bindgen.text.names import SPECIAL
from dlpack_bindgen.text.types import Prototype, declared

# ---- Functions as Python sees them: arguments and text signature ----

GIVEN = "_Given"
"""The type variable of the stub for an array argument that is returned unchanged."""


def takes_numbers(function: Call, argument: Argument, items: Mapping[str, Item]) -> bool:
    """Returns whether a sequence of numbers can replace the array, or the object that an import makes of one."""
    if argument.kind.class_name is not None:
        return imported_number(function, argument, items) is not None
    axes = [each.axis for each in function.measures(argument)]
    return argument.kind.accepts_numbers(axes) and argument.name not in kept_arguments(function)


def imported_number(function: Call, argument: Argument, items: Mapping[str, Item]) -> str | None:
    """Returns the dtype of the numbers of which an import makes a handle for the call; None: it takes only arrays.

    An array is then the form in which Python passes a small struct. Tensors show the memory of an array instead.
    """
    item = _temporary(function, argument, items)
    require = item.import_.require if item is not None and item.import_ is not None else None
    if require is None or isinstance(item, Tensor) or item is None or item.new_struct is not None:
        return None
    is_elsewhere = require.devices is not None and "cpu" not in require.devices
    is_one_row = require.ndim == (1, 1) and len(require.dtypes) == 1
    return require.dtypes[0] if is_one_row and not is_elsewhere and argument.kind.require == NOTHING else None


def _temporary(function: Call, argument: Argument, items: Mapping[str, Item]) -> Item | None:
    """Returns the class of an argument for which an object can be made that lives only during the call.

    C must neither take over nor change the object.
    """
    kind = argument.kind
    if kind.class_name is None or argument.name == function.receiver:
        return None
    is_changed = kind.writes and bool(argument.ctype.pointers) and kind.unless_const is None
    return None if kind.takes or kind.needs_own or kind.new_output is not None or is_changed else items[kind.class_name]


def members_for(function: Call, argument: Argument, items: Mapping[str, Item]) -> tuple[Property, ...] | None:
    """Returns the members of a struct that can replace the object, in a tuple or a mapping; None: none can."""
    item = _temporary(function, argument, items)
    return item.members if item is not None and item.new_struct is not None else None


def python_scope(function: Call, argument: Argument, items: Mapping[str, Item]) -> PythonScope:
    """Returns what a kind may know about an argument in Python."""
    kind = argument.kind
    item = items[kind.class_name] if kind.class_name is not None else None
    members = members_for(function, argument, items)
    number = imported_number(function, argument, items)
    made = item.import_ if item is not None else None
    is_importable = made is not None and not kind.needs_own and has_params(function, argument, made)
    return PythonScope(
        ctype=argument.ctype,
        takes_numbers=takes_numbers(function, argument, items),
        imported_number=number,
        is_tensor=isinstance(item, Tensor),
        is_importable=is_importable and (isinstance(item, Tensor) or members is not None or number is not None),
        members=None if members is None else tuple(each.name for each in members),
        import_params=params_in_words(function, argument),
    )


def flags(function: Call, in_class: bool, fast: bool) -> str:
    """Returns the flags of the method. With `fast`, the function uses vectorcall."""
    convention = "METH_FASTCALL | METH_KEYWORDS" if fast else "METH_NOARGS"
    if function.name in SPECIAL:
        return f"{convention} | METH_COEXIST"
    return f"{convention} | METH_CLASS" if in_class and function.self_index is None else convention


def text_signature(function: Call, in_class: bool) -> str:
    """Returns the signature as Python's help shows it: `blur($module, src, dst=None, radius=1)`.

    `inspect` evaluates names. It knows the module of a method only since Python 3.13, so methods have no names.
    """
    receiver = "$self" if function.self_index is not None else "$type" if in_class else "$module"
    own = [receiver] if function.positional_only else [receiver, "/"]
    return f"{function.name}({', '.join([*own, *_shown(function, named=not in_class)])})"


def shown_signature(function: Call) -> str:
    """Returns the signature for a docstring with several signatures: `norm(x, axis=0)`."""
    return f"{function.name}({', '.join(_shown(function))})"


def class_signature(new: Call, name: str) -> str:
    """Returns the signature of a class with `new`. It has no parameter for the class itself."""
    return f"{name}({', '.join(_shown(new))})"


def struct_signature(item: Item, new: NewStruct) -> str:
    """Returns the signature of a class whose struct Python makes. Unknown defaults are shown as `...`."""
    shown = (each.kind.zero if each.stored and new.init is None else "..." for each in item.members)
    return f"{item.name}({', '.join(f'{each.name}={value}' for each, value in zip(item.members, shown, strict=True))})"


def _shown(function: Call, named: bool = True) -> list[str]:
    form = forms(function)[:2][-1]  # the second form, if there is one, shows the default of the first new output
    given = function.given
    names = [f"{each.name}{default}" for each, default in zip(given, form.defaults("=", named), strict=True)]
    return form.marked(names)


class Form(Frozen):
    """One way to call the function."""

    function: Call
    by_name: int
    """The number of parameters at the end that are passed by name."""
    needed: int
    """The number of parameters at the start that are always passed."""

    def marked(self, shown: list[str]) -> list[str]:
        """Inserts `/` after positional-only parameters and `*` before keyword-only parameters."""
        first, last = self.function.positional_only, len(shown) - self.by_name
        parts = [*shown[:last], *(["*"] if self.by_name else []), *shown[last:]]
        return [*parts[:first], "/", *parts[first:]] if first else parts

    def defaults(self, sign: str, named: bool = True) -> list[str]:
        given = self.function.given
        return ["" if index < self.needed else default_of(each, sign, named) for index, each in enumerate(given)]


def forms(function: Call) -> tuple[Form, ...]:
    """Returns the ways to call the function.

    A new output can precede required parameters, which one Python signature cannot express. The first form has all
    parameters. Each further form omits one output and passes the following parameters by name.
    """
    given = function.given
    by_position = given[: len(given) - function.keyword_only]
    needed = [index for index, each in enumerate(by_position) if not default_of(each, "=")]
    before = by_position[: max(needed, default=0)]
    made = [index for index, each in enumerate(before) if each.kind.new_output is not None]
    ways = [Form(function, function.keyword_only, needed[-1] + 1 if made else 0)]
    for index in made:
        named = max(index, function.positional_only)
        if not any(index < each < named for each in needed):  # a positional-only parameter cannot be passed by name
            ways.append(Form(function, len(given) - named, 0 if index == made[0] else index))
    return tuple(ways)


def default_of(argument: Argument, sign: str, named: bool = True) -> str:
    """Returns the default as Python shows it, after `sign`. Without `named`, a constant is shown as `...`."""
    kind = argument.kind
    if argument.kind.new_output is not None:
        return f"{sign}None"
    if argument.default_name is not None:
        return f"{sign}{argument.default_name if named else '...'}"
    if kind.default_type is not None and kind.default is not None:
        return f"{sign}{python_default(kind.default, kind.default_type, argument.ctype.base == 'float')}"
    return f"{sign}None" if kind.optional else ""


def may_be_none(function: Call, name: str, value: Value) -> bool:
    """Returns whether Python gets None for NULL. `name` is a name in `returned`."""
    if function.name in SPECIAL and value.kind.is_string:
        return False  # CPython requires a string here
    if not value.kind.may_be_null:
        return value.optional
    tested = "%" if name == "result" else name
    return not (value.required or (function.ok is not None and excludes_null(function.ok, tested)))


def has_items(methods: Sequence[Call]) -> bool:
    """Returns whether the methods are those of a sequence, with items by index."""
    given = [each.given for each in methods if each.name == "__getitem__" and each.self_index is not None]
    return any(each[0].kind.is_integer for each in given)


def has_complex(function: Call) -> bool:
    given = [argument.kind.returned_value() for argument in function.arguments]
    return "complex" in [value.kind.number for value in (*given, function.result) if value is not None]


def accepted_dtypes(function: Call, argument: Argument) -> list[FixedDType | CTypeDType]:
    """Returns the accepted dtypes of an array. An empty list accepts all."""
    kind = argument.kind
    found: list[FixedDType | CTypeDType] = [NamedDType(name) for name in kind.require.dtypes]
    own = kind.element
    if not found and own is not None:
        return [own]
    for code in [each.kind for each in function.arguments if each.kind.codes and each.kind.described == argument.name]:
        coded = list(dict.fromkeys(dtype for _, dtype in code.codes))
        found = [dtype for dtype in coded if not found or dtype in found]
    return found


# ---- Generated parts of the docstring of a function: arrays, results, failures, threads ----

Items = Mapping[str, Item]


def docstring(function: Call, items: Items) -> str:
    """Returns the docstring in the module. It begins with the prototype if the spec has no `doc`."""
    return documented(function, items, f"{prototype_text(function.prototype)}, of the C library.")


def documented(function: Call, items: Items, fallback: str = "") -> str:
    """Returns the docstring of a function. `fallback` replaces a missing `doc` in the spec."""
    return "\n\n".join(filter(None, [function.doc or fallback, facts(function, items)]))


def facts(function: Call, items: Items) -> str:
    """Returns the documented facts about a function, one per line."""
    described = (_argument(function, each, items) for each in function.given)
    return "\n".join([*filter(None, described), *_facts_of_call(function)])


def _facts_of_call(function: Call) -> list[str]:
    """Returns the facts about pairs of arguments, results, failures and threads."""
    return [
        *(sentence for each in function.features for sentence in each.sentences_of_arguments()),
        *filter(None, _results(function)),
        *(["Other threads run meanwhile."] if function.release_gil else []),
    ]


def call_facts(function: Call, items: Items) -> list[str]:
    """Returns the documented facts, and those that the docstring leaves out.

    The docstring has no facts about parameters that Python does not pass, or about objects that their types describe.
    """
    described = {each.name: _argument(function, each, items) for each in function.given}
    found = [
        described.get(each.name) or (_bare_argument(function, each) if each.kind.is_operand else None)
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
    what = kind.description(scope, _required(function, argument) if kind.is_operand else [])
    if what is None:
        return None
    verb = "is taken" if kind.unless_const else "is read"
    if kind.writes and not kind.unless_const and not scope.may_be_temporary:
        # The type of an object that is passed by value does not tell whether C writes to its array.
        is_value = kind.class_name is not None and not argument.ctype.pointers
        verb = "may be written" if is_value else "is written"
    return f"`{argument.name}` {verb}: {'; '.join([what, *kind.notes()])}."


def _required(function: Call, argument: Argument) -> list[str]:
    require = argument.kind.requirements(function.measures(argument))
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
    if argument.kind.element is None:
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
        if value is not None:
            subject = "The result" if name == "result" else f"`{name}`"
            yield value.kind.lifetime(subject, value.borrow, kept_in_words(function, value.keeps))
    yield from (sentence for each in function.features for sentence in each.sentences())


def prototype_text(prototype: Prototype) -> str:
    """Returns the prototype as a string for messages and comments."""
    parameters = ", ".join(declared(each.ctype, each.name) for each in prototype.parameters) or "void"
    return f"{declared(prototype.result, prototype.name)}({parameters})"
