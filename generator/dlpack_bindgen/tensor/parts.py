"""`parts`: tensors that share one object, with their keys, rules and C."""

from __future__ import annotations

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import EXPRESSION, PARAMS, TYPE, Form, Key, ListOf, Record, Single
from dlpack_bindgen.language.values import Fields, Items, Leaf, Value, needed, text_of
from dlpack_bindgen.tensor.item import Part
from dlpack_bindgen.tensor.slot import Scope, Variables
from dlpack_bindgen.tensor.slots import DTYPE
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report, UnknownName, shown
from dlpack_bindgen.text.fragments import argument
from dlpack_bindgen.text.literals import c_strings
from dlpack_bindgen.text.names import snake
from dlpack_bindgen.text.types import plain_type, split_parameter

NAME_OF_PART = Key[Leaf]("name", Single(Form.PROPERTY), "The name of the property.", required=True)
OF_PART = Key[Leaf](
    "of",
    Single(Form.TENSOR),
    "The tensor of each part. Its first param is the index of the part; each other param has a "
    "default, or is a param of this class, too.",
    required=True,
)
COUNT_OF_PARTS = Key[Leaf]("count", EXPRESSION, "The number of parts.", required=True)
PARTS = Key[Items](
    "parts",
    ListOf(
        Record(
            what="a part",
            doc="A property of the Python object: a tuple of tensors. They share the C object and keep it alive.",
            keys=(NAME_OF_PART, OF_PART, COUNT_OF_PARTS),
        ),
        "a list of parts",
        lone=True,
    ),
    "Properties that are tuples of tensors: the parts of the object.",
)


def read(parts: Items | None) -> tuple[Part, ...]:
    return tuple(
        Part(needed(text_of(part[NAME_OF_PART])), needed(text_of(part[OF_PART])), needed(text_of(part[COUNT_OF_PARTS])))
        for part in (parts.records() if parts else ())
    )


# ---- Rules ----

_NO_INTEGERS = frozenset(("float", "double", "bool", "_Bool", "struct", "union"))


class Entry(Frozen):
    """A tensor or a handle with its name."""

    name: Leaf
    fields: Fields

    @property
    def is_tensor(self) -> bool:
        return self.fields.record.has(DTYPE)

    @property
    def type(self) -> str | None:
        return text_of(self.fields[TYPE])


def check_part(entry: Entry, part: Fields, named: dict[str, Entry], tensors: tuple[str, ...], report: Report) -> None:
    of = part[OF_PART]
    if of is None:
        return
    target = named.get(of.text)
    if target is None or not target.is_tensor:
        message = f"'{of.text}' is {'a handle' if target else 'not a tensor of this spec'}"
        report(Diagnostic("unknown-tensor", of.span, message, facts=UnknownName(of.text, tensors)))
        return
    note = (Note(target.name.span, "the tensor"),)
    if None not in (entry.type, target.type) and entry.type != target.type:
        message = f"'{of.text}' is made of '{target.type}', and this of '{entry.type}': parts are of the same object"
        report(Diagnostic("part-type", of.span, message, notes=note))
    _index(of, target, entry, note, report)


def _index(of: Leaf, target: Entry, whole: Entry, note: tuple[Note, ...], report: Report) -> None:
    found, known = _params(target), _params(whole)
    if found is None:
        return
    if not found:
        message = f"'{of.text}' has no parameter for the index of the part"
        report(Diagnostic("part-index", of.span, message, "add for example params: [int index = 0]", note))
        return
    ctype = found[0][0]
    if "*" in ctype or _NO_INTEGERS.intersection(ctype.split()):
        message = f"the first parameter of '{of.text}' is the index, and '{shown(ctype)}' is not an integer type"
        report(Diagnostic("part-index", of.span, message, notes=note))
    inherited = None if known is None else [(name, plain_type(ctype)) for ctype, name, _ in known]
    for ctype, name, value in found[1:]:
        if value is None and inherited is not None and (name, plain_type(ctype)) not in inherited:
            message = f"'{name}' of '{of.text}' has no default, and '{whole.name.text}' has no such param"
            hint = f"give '{whole.name.text}' the param '{shown(f'{ctype} {name}')}' too: its parts get its value"
            report(Diagnostic("part-index", of.span, message, hint, note))


def _params(entry: Entry) -> list[tuple[str, str, str | None]] | None:
    """Returns the types, names and defaults of the params; None if they are invalid."""
    params = entry.fields[PARAMS]
    if params is None and PARAMS in entry.fields:
        return None
    return [_param(item) for item in (params.items if params else ())]


def _param(item: Value) -> tuple[str, str, str | None]:
    text = ""
    if isinstance(item, Leaf):
        text = item.text
    elif isinstance(item, Fields) and item.entry:
        text = f"{item.entry[0].text} = {item.entry[1].text}"
    found = split_parameter(text)
    return found if isinstance(found, tuple) else ("", "", "")


# ---- The property of a class, for templates ----


class Parts(Frozen):
    """The property with the tuple of all parts."""

    scope: Scope
    """The object with the parts."""
    own: Part
    of: str
    """C name of the class of the parts."""
    condition: str | None
    """The `#if` condition of that class, if it differs from the condition of this class."""

    @property
    def doc(self) -> str:
        """Returns the docstring, as a C string literal."""
        of = self.own.of
        return c_strings(f"The {snake(of).replace('_', ' ')}s of this object, as a tuple of {of}.")

    # ---- The function that returns the number of parts ----

    @property
    def variables(self) -> Variables:
        return self.scope.variables([self.own.count])

    @property
    def count(self) -> str:
        return argument(self.scope.text(self.own.count))

    @property
    def label(self) -> str:
        return self.scope.label(f"parts.{self.own.name}.count")
