"""The claims of a spec about the library, which a run can confirm or refute: of classes, functions and arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from dlpack_bindgen.calls.argument_kind import Argument
from dlpack_bindgen.calls.call import Call
from dlpack_bindgen.calls.lifetimes import kept_arguments
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.tensor.item import RELEASES_NOTHING, Item, Tensor
from dlpack_bindgen.text.diagnostics import Span
from dlpack_bindgen.text.names import CALLED, called_part, snake
from dlpack_bindgen.text.yaml import Loaded
from dlpack_bindgen.tools.try_.places import Places
from dlpack_bindgen.tools.try_.remedies import Remedy, member, says

NEW = "new"


class Subject(Frozen):
    """A class, or a function of the module or of a class, as the report names it."""

    name: str
    """`edges`, `Meter.watch`, `Meter.new`, `Meter`."""
    module: str
    item: Item | None
    """The class."""
    call: Call | None
    place: Span

    @property
    def receiver(self) -> str | None:
        return self.call.receiver if self.call is not None else None

    def argument(self, name: str) -> Argument | None:
        """Returns the argument with a name in Python. `self` is the object of a method."""
        if self.call is None:
            return None
        return self.call.own_object if name == "self" else self.call.find(name)

    def place_of(self, argument: str) -> Span:
        """Returns the place of an argument in the spec, or that of the function."""
        if self.call is not None:
            for entry, each in self.call.pairs:
                if each.name == argument:
                    return entry.span
        return self.place


class Claim(Frozen):
    """A statement of the spec that a run can confirm or refute."""

    kind: str
    """A key of `KINDS`."""
    subject: Subject
    argument: str
    """A parameter of the function; empty: the claim is about the function or the class."""
    place: Span


KINDS: Mapping[str, str] = {
    "export": "exports inside their memory",
    "import": "imports that left the foreign memory alone",
    "released": "objects freed by release",
    "owner": "objects with one owner",
    "within": "arguments within their length",
    "unused-later": "arguments not used after the call",
    "unchanged": "arguments that are only read",
    "set": "outputs set in full",
    "place": "calls that left living exports in place",
    "bytes": "results inside their memory",
    "values": "calls without a wrong access to memory",
}
"""The kinds of claims, in the words of the report."""


class Described:
    """A spec, with the names that the checks use for its functions and classes."""

    def __init__(self, loaded: Loaded, spec: Spec) -> None:
        self.loaded = loaded
        self.spec = spec

    @cached_property
    def functions(self) -> dict[str, Subject]:
        """Returns the functions by the C names of their wrappers."""
        return dict(self._functions())

    def _functions(self) -> Iterator[tuple[str, Subject]]:
        module, prefix = self.spec.module, self.spec.prefix
        for call in self.spec.functions:
            yield f"{CALLED}{prefix}_{called_part(call.key)}", Subject(call.name, module, None, call, call.place)
        for item in self.spec.items:
            scope = f"{CALLED}{prefix}_{snake(item.name)}"
            for call in item.methods:
                name = f"{item.name}.{call.name}"
                yield f"{scope}_{called_part(call.key)}", Subject(name, module, item, call, call.place)
            for each in item.properties:
                name = f"{item.name}.{each.name}"
                place = self.place(item, "properties", each.name)
                yield f"{scope}_get_{each.name}", Subject(name, module, item, None, place)
                setter = Subject(name, module, item, each.set, each.set.place if each.set is not None else place)
                yield f"{scope}_set_{each.name}", setter
                yield f"{scope}_assign_{each.name}", setter
            if item.new is not None:
                subject = Subject(f"{item.name}.{NEW}", module, item, item.new, item.new.place)
                yield f"{scope}_{called_part(item.new.key)}", subject
            elif item.new_struct is not None:
                subject = Subject(f"{item.name}.{NEW}", module, item, None, self.place(item, NEW))
                yield f"{scope}_new", subject

    @cached_property
    def classes(self) -> dict[str, Subject]:
        """Returns the classes by their full names."""
        module = self.spec.module
        return {
            f"{module}.{item.name}": Subject(item.name, module, item, None, self.place(item))
            for item in self.spec.items
            if item.external is None
        }

    @cached_property
    def makers(self) -> dict[str, Subject]:
        """Returns the classes by the C names of the functions that make an object from an array or a shape."""
        found: dict[str, Subject] = {}
        for subject in self.classes.values():
            assert subject.item is not None
            scope = f"dl_{self.spec.prefix}_{snake(subject.item.name)}"
            found |= {f"{scope}_import": subject, f"{scope}_allocate": subject}
        return found

    def place(self, item: Item, *path: str) -> Span:
        """Returns the place of a key of a class, or of the nearest key around it that the spec has."""
        table = "tensors" if isinstance(item, Tensor) else "handles"
        return self._places.find(table, item.name, *path) or Span(self.loaded.file, 1, 1, 1)

    @cached_property
    def _places(self) -> Places:
        return Places(self.loaded)

    def path(self, subject: Subject) -> tuple[str, ...]:
        """Returns the keys that lead to the part of the spec with a function or a class."""
        item, call = subject.item, subject.call
        if item is None:
            return ("functions", call.key) if call is not None else ()
        path = ("tensors" if isinstance(item, Tensor) else "handles", item.name)
        name = subject.name.partition(".")[2]
        if not name or name == NEW:
            return (*path, NEW) if name else path
        if any(each.name == name and (call is None or each.set is call) for each in item.properties):
            return (*path, "properties", name, *(("set",) if call is not None else ()))
        return (*path, "methods", call.key if call is not None else name)

    def says(self, subject: Subject, remedy: Remedy) -> bool:
        """Returns whether the spec has what a remedy says already."""
        return says(member(self.loaded.root, *self.path(subject), *remedy.where), remedy.node)

    def claims(self) -> list[Claim]:
        return [*self._claims_of_classes(), *self._claims_of_functions()]

    def _claims_of_classes(self) -> Iterator[Claim]:
        for subject in self.classes.values():
            item = subject.item
            assert item is not None
            if isinstance(item, Tensor):
                yield Claim("export", subject, "", self.place(item, "shape"))
            if item.release not in (None, RELEASES_NOTHING):
                yield Claim("owner", subject, "", self.place(item, "release"))
                yield Claim("released", subject, "", self.place(item, "release"))
            if item.import_ is not None:
                yield Claim("import", subject, "", self.place(item, "import"))

    def _claims_of_functions(self) -> Iterator[Claim]:
        for wrapper, subject in self.functions.items():
            call = subject.call
            if call is None or "_assign_" in wrapper:
                continue
            yield Claim("values", subject, "", subject.place)
            kept = kept_arguments(call)
            for argument in call.arguments:
                place = subject.place_of(argument.name)
                if argument.kind.is_array:
                    yield Claim("within", subject, argument.name, place)
                    if argument.name not in kept:  # C uses the others as long as their owner exists
                        yield Claim("unused-later", subject, argument.name, place)
                    yield Claim("set" if argument.kind.writes else "unchanged", subject, argument.name, place)
            if any(argument.kind.object_class is not None for argument in call.arguments):
                yield Claim("place", subject, "", subject.place)
            if call.sizes:
                yield Claim("bytes", subject, "", subject.place)
