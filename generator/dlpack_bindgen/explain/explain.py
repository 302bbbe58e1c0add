"""The text of `explain`: an overview of a module, its classes and its functions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

from dlpack_bindgen.bind.bind import bind
from dlpack_bindgen.bind.doc_comments import class_doc, module_doc
from dlpack_bindgen.bind.scope import Names
from dlpack_bindgen.emit.render import stub, unmarked
from dlpack_bindgen.explain.array import array, memory
from dlpack_bindgen.explain.functions import NEW, concerned, functions, members
from dlpack_bindgen.explain.imports import allocation, imports
from dlpack_bindgen.explain.layout import INDENT, paragraphs, table, title, wrapped
from dlpack_bindgen.explain.ownership import ownership
from dlpack_bindgen.explain.signatures import Stub
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.axes import counted
from dlpack_bindgen.spec.spec import Item, Spec, Tensor
from dlpack_bindgen.text.names import ATTRIBUTES, METHODS
from dlpack_bindgen.validate.functions.calls import Call

_OF_RUNTIME = (
    "The arrays have any dtype and any number of axes. The module frees the memory of an array after its last use. "
    "Memory that the library or an argument owns is shown without a copy, and its owner is kept alive."
)
"""The sentences about the class of arrays that functions return."""


def known_names(spec: Spec) -> list[str]:
    """Returns the names that `explained` accepts: those of classes and functions."""
    return [*(item.name for item in spec.items), *dict.fromkeys(each.name for each in spec.functions)]


def known_members(spec: Spec, class_name: str) -> list[str]:
    """Returns the names after `Class.` that `explained` accepts: those of methods and properties, and `new`,
    `from_dlpack` and `empty`, if the spec declares these."""
    item = next((item for item in spec.items if item.name == class_name), None)
    if item is None or item.external is not None:
        return []
    found = [NEW] if item.new is not None else []
    found += [*(each.name for each in item.methods), *(each.name for each in item.properties)]
    found += ["from_dlpack"] if item.import_ is not None else []
    found += ["empty"] if isinstance(item, Tensor) and item.allocate is not None else []
    return list(dict.fromkeys(found))


def common_members(spec: Spec, class_name: str) -> frozenset[str]:
    """Returns the names of the attributes that do not depend on the spec: those of all classes, or of all tensors."""
    is_tensor = any(each.name == class_name for each in spec.tensors)
    return ATTRIBUTES if is_tensor else METHODS


def explained(spec: Spec, name: str | None = None) -> str:
    """Returns the text about a module, or about one of its classes, functions or members: `Image`, `blur`,
    `Image.save`."""
    explanation = _Explanation(spec)
    lines = [*(explanation.module() if name is None else explanation.named(name))]
    lines = lines[1:] if not lines[0] else lines
    meanings = [*explanation.stub.meanings(lines)]
    if meanings:
        lines += ["", *wrapped("In the signatures:"), *table(meanings)]
    return "".join(f"{line}\n" for line in lines)


class _Explanation:
    def __init__(self, spec: Spec) -> None:
        self.stub = Stub(stub(bind(spec)))
        self._spec: Spec = _without_marks(spec)
        self._names = Names.of(self._spec)

    def module(self) -> Iterator[str]:
        spec = self._spec
        yield from title(f"Module {spec.module}")
        yield from paragraphs(module_doc(spec))
        yield ""
        yield from table([*_contents(spec)])
        if spec.items:
            yield ""
            yield from table([(item.name, _first_sentence(class_doc(item))) for item in spec.items])
        yield ""
        yield from wrapped(f"`dlpack-bindgen explain {spec.file} NAME` prints one class or function.")
        for item in spec.items:
            yield from self._class(item)
        if spec.constants or spec.enums:
            yield from _heading("Constants")
            yield from self._constants()
        if spec.functions:
            yield from _heading("Functions")
            yield from functions(spec, self.stub, self._names, spec.functions)

    def named(self, name: str) -> Iterator[str]:
        """Yields the lines about a class, and about the functions with its objects; or about a function or a member."""
        spec = self._spec
        class_name, _, member = name.partition(".")
        if member:
            yield from self._member(next(item for item in spec.items if item.name == class_name), member)
            return
        item = next((item for item in spec.items if item.name == name), None)
        chosen: Sequence[Call] = [each for each in spec.functions if each.name == name]
        if item is not None:
            yield from self._class(item)
            chosen = concerned(spec.functions, item)
            if chosen:
                yield from _heading(f"Functions with {name} objects")
        yield from functions(spec, self.stub, self._names, chosen)

    def _class(self, item: Item) -> Iterator[str]:
        yield ""
        passed = item.type if item.by_value else f"{item.type} *"
        yield from title(f"Class {item.name}: {passed}")
        if item.external is not None:
            yield from wrapped(f"This class belongs to the module {item.external.module}, as {item.external.name}.")
            return
        yield from paragraphs(class_doc(item))
        if item.condition is not None:
            yield from wrapped(f"It exists only with #if {item.condition}.")
        for name, lines in self._sections(item):
            yield ""
            yield from title(name, "-")
            yield from lines

    def _sections(self, item: Item) -> Iterator[tuple[str, Iterator[str]]]:
        if item.name == self._spec.arrays:
            yield "Memory", iter(wrapped(_OF_RUNTIME, INDENT))
        else:
            if isinstance(item, Tensor):
                yield "Array", array(item)
                yield "Memory", memory(item)
            yield "Ownership", ownership(item, self._names.c_name(item.name))
            if isinstance(item, Tensor) or item.import_ is not None:
                yield "Import: from_dlpack(x)", imports(item)
            if isinstance(item, Tensor) and item.allocate is not None:
                yield "Allocation: empty(shape)", allocation(item)
        yield "Python", members(item, self.stub, self._names)

    def _member(self, item: Item, name: str) -> Iterator[str]:
        """Yields the lines about a method, a property or the constructor of a class. The text about a class has the
        lines about `from_dlpack` and `empty` in sections of their own."""
        yield from members(item, self.stub, self._names, name)
        if name == "from_dlpack":
            yield from imports(item)
        if name == "empty" and isinstance(item, Tensor):
            yield from allocation(item)

    def _constants(self) -> Iterator[str]:
        spec = self._spec
        yield from table([(f"{each.name}: {each.kind}", each.value) for each in spec.constants])
        for enumeration in spec.enums:
            yield ""
            yield from wrapped(f"{enumeration.name}: enum.{'IntFlag' if enumeration.flags else 'IntEnum'}", INDENT)
            yield from table(enumeration.members, f"{INDENT}{INDENT}")


def _first_sentence(text: str) -> str:
    line = text.split("\n")[0]
    return re.split(r"(?<=\w\.) ", line)[0]


def _contents(spec: Spec) -> Iterator[tuple[str, str]]:
    yield "spec", spec.file
    for kind, names in (
        ("functions", [*dict.fromkeys(each.name for each in spec.functions)]),
        ("constants", [*(each.name for each in spec.constants), *(each.name for each in spec.enums)]),
    ):
        if names:
            yield counted(str(len(names)), kind), ", ".join(names)


def _heading(text: str) -> list[str]:
    return ["", *title(text)]


def _without_marks(value: Any) -> Any:
    """Returns a value of a spec without the marks of names that variables of the emitted C have, too."""
    if isinstance(value, str):
        return unmarked(value)
    if isinstance(value, tuple):
        return tuple(map(_without_marks, value))
    if not isinstance(value, Frozen):
        return value
    record: Any = value
    return replace(record, **{each.name: _without_marks(getattr(record, each.name)) for each in fields(record)})
