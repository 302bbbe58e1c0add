# SPDX-License-Identifier: MIT
"""The errors that `make try-seeded` puts into a spec, one at a time. README.md lists the kinds.

A number, such as an extent, becomes + 1, * 2, / 2, * itemsize, and another integer of the struct or of the array. A
length that the generator derives, such as `n: {count_of: x}`, has no factor in the language. It gets `plus: 1` and
`plus: -1`, and counts elements instead of bytes or bytes instead of elements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dlpack_bindgen.text.yaml import Loaded, Mapping, Node, Scalar, Sequence
from try_.edits import Edit, Source, apply, entries, sequences
from try_.libraries import Library

INTEGERS = re.compile(r"(?:unsigned |signed )?(?:int|long|short|size_t|ptrdiff_t|u?int\d+_t|unsigned)\s+\w+")
"""Declarations of integers in `let`."""
OF_ARRAY = re.compile(r"byte_strides\[\d+\]|\b(?:shape|strides)\[\d+\]|\bndim\b")
"""Words in the C code of an `import` or an `allocate` for extents, strides and the rank of the array."""
DERIVED = ("count_of", "size_of", "extent_of", "stride_of")
PARAMETER = re.compile(r"(?P<const>const\s+)?(?P<type>[\w${}]+(?:\s\w+)*?)\s*(?P<star>\*)\s*(?P<name>\w+)$")
ARRAY = re.compile(r"(?P<const>const\s+)?(?P<type>[\w${}]+(?:\s\w+)*?)\s+(?P<name>\w+)\[\w*\]$")


@dataclass(frozen=True)
class SeededError:
    """A spec with one error."""

    library: str
    kind: str
    where: str
    """The keys that lead to the changed value, `functions.mean.args.n`."""
    change: str
    text: str
    """The spec with the error, and without the functions and classes that have nothing to do with it."""
    base: str
    """The spec without the error. It lacks the same functions and classes as `text`."""

    @property
    def name(self) -> str:
        return f"{self.where}: {self.change}"


Found = tuple[str, str, str, list[Edit]]
"""Kind, place, change and edits."""


def errors_of(loaded: Loaded, library: Library) -> list[SeededError]:
    """Returns all errors of a spec, in the order of the file."""
    source = Source(loaded)
    found: dict[str, SeededError] = {}
    for kind, where, change, edits in _Errors(source, library).all():
        if not edits:
            continue
        left_out = _left_out(source, where)
        text, base = apply(source.text, [*edits, *left_out]), apply(source.text, left_out)
        error = SeededError(library.name, kind, where, change, text, base)
        found.setdefault(error.name, error)
    return list(found.values())


class _Errors:
    def __init__(self, source: Source, library: Library) -> None:
        self._source = source
        self._library = library

    def all(self) -> Iterator[Found]:
        root = entries(self._source.root)
        for name, function in entries(root.get("functions")).items():
            yield from self._of_call(f"functions.{name}", function, None)
        for table in ("handles", "tensors"):
            for name, item in entries(root.get(table)).items():
                yield from self._of_class(f"{table}.{name}", item)

    # ---- Helpers ----

    def _changed(self, kind: str, where: str, node: Node, others: list[str] | tuple[str, ...] = ()) -> Iterator[Found]:
        """Yields the changes of an expression with an integer."""
        if not isinstance(node, Scalar):
            return
        text = node.text
        inner = text if re.fullmatch(r"[\w\->.\[\]]+", text) else f"({text})"
        size = self._library.itemsize
        for new in (f"{inner} + 1", f"{inner} * 2", f"{inner} / 2", f"{inner} * {size}", *others):
            if new != text:
                yield kind, where, new, [self._source.replace(node, new)]

    def _removed(self, kind: str, where: str, mapping: Node | None, *names: str) -> Iterator[Found]:
        for name in names:
            if isinstance(mapping, Mapping) and name in entries(mapping):
                yield kind, f"{where}.{name}", "removed", [self._source.remove(mapping, name)]

    def _exchanged(self, kind: str, where: str, node: Node | None, *others: str) -> Iterator[Found]:
        for other in others:
            if isinstance(node, Scalar) and node.text != other:
                yield kind, where, other, [self._source.replace(node, other)]

    # ---- Classes ----

    def _of_class(self, where: str, item: Node) -> Iterator[Found]:
        keys = entries(item)
        ctype = keys["type"].text if isinstance(keys.get("type"), Scalar) else ""  # type: ignore[union-attr]
        members = next((of for name, of in self._library.members.items() if ctype.startswith(name)), ())
        yield from self._shape("extent", f"{where}.shape", keys.get("shape"), members)
        yield from self._strides(f"{where}.strides", keys.get("strides"), members)
        data = keys.get("data")
        if isinstance(data, Scalar):
            later = f"(void *)((char *)({data.text}) + {self._library.itemsize})"
            yield "offset", f"{where}.data", later, [self._source.replace(data, later)]
        yield from self._removed("readonly", where, item, "readonly")
        yield from self._removed("owner", where, item, "retain", "release", "clone")
        yield from self._exchanged("owner", f"{where}.retain", keys.get("retain"), "(void)self")
        yield from self._exchanged("owner", f"{where}.release", keys.get("release"), "none", "free(self)")
        for step in sequences(keys.get("let")):
            yield from self._step(f"{where}.let", step, members)
        if "new" in keys:
            yield from self._of_call(f"{where}.new", keys["new"], where)
        for name, method in entries(keys.get("methods")).items():
            yield from self._of_call(f"{where}.methods.{name}", method, where)
        for name, each in entries(keys.get("properties")).items():
            yield from self._removed("finally", f"{where}.properties.{name}", each, "finally")
        for name in ("allocate", "import"):
            yield from self._of_making(f"{where}.{name}", keys.get(name), keys)

    def _shape(self, kind: str, where: str, shape: Node | None, others: tuple[str, ...]) -> Iterator[Found]:
        for index, extent in enumerate(sequences(shape)):
            yield from self._changed(kind, f"{where}[{index}]", extent, others)
        for name, value in entries(shape).items():
            yield from self._changed(kind, f"{where}.{name}", value, others)

    def _strides(self, where: str, strides: Node | None, others: tuple[str, ...]) -> Iterator[Found]:
        for index, stride in enumerate(sequences(strides)):
            yield from self._changed("stride", f"{where}[{index}]", stride, others)
        keys = entries(strides)
        for name in ("outer", "each"):
            if name in keys:
                yield from self._changed("stride", f"{where}.{name}", keys[name], others)
        yield from self._removed("unit", where, strides, "unit")
        yield from self._exchanged("unit", f"{where}.unit", keys.get("unit"), "elements", "bytes")
        if isinstance(strides, Mapping) and "unit" not in keys:
            yield "unit", f"{where}.unit", "bytes", [self._source.add(strides, "unit: bytes")]
        elif isinstance(strides, Sequence):
            written = self._source.text[self._source.start(strides) : self._source.end(strides)]
            edit = self._source.write(strides, f"{{list: {written}, unit: bytes}}")
            yield "unit", f"{where}.unit", "bytes", [edit]

    def _step(self, where: str, step: Node, others: tuple[str, ...]) -> Iterator[Found]:
        """Yields the errors of a step of `let`: lengths, and what runs afterwards."""
        yield from self._removed("finally", where, step, "finally")
        yield from self._removed("owner", where, step, "undo")
        for name, value in entries(step).items():
            if not isinstance(value, Scalar):
                continue
            if name.endswith("[]"):
                kind = "stride" if "strides" in value.text else "extent"
                yield from self._exchanged(kind, f"{where}.{name}", value, "reversed(shape)", "strides", "byte_strides")
            elif INTEGERS.fullmatch(name):
                kind = "stride" if "strides" in value.text else "extent"
                yield from self._changed(kind, f"{where}.{name}", value, self._others(value.text) or others)

    def _others(self, text: str) -> tuple[str, ...]:
        """Returns other numbers of an array."""
        found = {
            "shape[0]": ("shape[1]",),
            "shape[1]": ("shape[0]",),
            "shape[2]": ("shape[1]",),
            "strides[0]": ("shape[0]", "byte_strides[0]"),
            "byte_strides[0]": ("strides[0]", "shape[0]"),
            "ndim": ("shape[0]",),
        }
        return found.get(text, ())

    def _of_making(self, where: str, making: Node | None, of_class: dict[str, Node]) -> Iterator[Found]:
        """Yields the errors of `import` and `allocate`."""
        keys = entries(making)
        require = keys.get("require")
        for index, each in enumerate(sequences(require)):
            if isinstance(each, Scalar) and isinstance(require, Sequence):
                kind = {"writable": "readonly", "nonnegative_strides": "stride"}.get(each.text)
                if kind is not None:
                    edit = (
                        self._source.remove_item(require, index)
                        if len(require.items) > 1
                        else self._source.remove(making, "require")  # type: ignore[arg-type]
                    )
                    yield kind, f"{where}.require.{each.text}", "removed", [edit]
        for step in sequences(keys.get("let")):
            yield from self._step(f"{where}.let", step, ())
        for name, value in entries(keys.get("set")).items():
            if not isinstance(value, Scalar):
                continue
            if name == "data" or value.text == "data":
                later = f"(void *)((char *)data + {self._library.itemsize})"
                yield "offset", f"{where}.set.{name}", later, [self._source.replace(value, later)]
            elif name == "owner":
                yield from self._exchanged("owner", f"{where}.set.{name}", value, "1")
            elif OF_ARRAY.search(value.text):
                kind = "stride" if "strides" in value.text else "extent"
                is_vector = not any("size2" in other for other in entries(keys["set"]))
                others = self._others(value.text)
                others = tuple(other for other in others if not (is_vector and other == "shape[1]"))
                yield from self._changed(kind, f"{where}.set.{name}", value, others)
        construct = keys.get("construct")
        if isinstance(construct, Scalar):
            yield from self._within(where, construct)
        yield from self._removed("owner", where, making, "destroy", "undo")
        release = of_class.get("release")
        destroy = keys.get("destroy")
        if isinstance(release, Scalar):
            yield from self._exchanged("owner", f"{where}.destroy", destroy, release.text, "none")
            if destroy is None and isinstance(making, Mapping) and where.endswith(".import"):
                yield "owner", f"{where}.destroy", "none", [self._source.add(making, "destroy: none")]
                if "set" in keys:
                    entry = f'destroy: "{release.text}"'
                    yield "owner", f"{where}.destroy", release.text, [self._source.add(making, entry)]

    def _within(self, where: str, construct: Scalar) -> Iterator[Found]:
        """Yields the errors of the numbers in a call."""
        start = self._source.start(construct)
        text = self._source.text[start : self._source.end(construct)]
        for match in OF_ARRAY.finditer(text):
            kind, own, size = "stride" if "strides" in match[0] else "extent", match[0], self._library.itemsize
            for new in (f"{own} + 1", f"{own} * 2", f"{own} / 2", f"{own} * {size}", *self._others(own)):
                edit = Edit(start + match.start(), start + match.end(), f"({new})")
                yield kind, f"{where}.construct.{own}", new, [edit]

    # ---- Functions, methods and constructors ----

    def _of_call(self, where: str, call: Node, of_class: str | None) -> Iterator[Found]:
        keys = entries(call)
        prototype = keys.get("c")
        if not isinstance(prototype, Scalar):
            return
        args = entries(keys.get("args"))
        yield from self._prototype(where, prototype)
        names = _arrays(prototype.text)
        for name, argument in args.items():
            yield from self._argument(f"{where}.args.{name}", argument, names)
        yield from self._removed("finally", where, call, "finally")
        returns = keys.get("returns")
        yield from self._removed("keeps", f"{where}.returns", returns, "keeps")
        yield from self._removed("owner", f"{where}.returns", returns, "borrow")
        yield from self._owner(where, call, prototype.text, of_class)

    def _prototype(self, where: str, prototype: Scalar) -> Iterator[Found]:
        """Yields the pointers with or without `const`."""
        inside = prototype.text[prototype.text.index("(") + 1 : prototype.text.rindex(")")]
        for parameter in inside.split(","):
            parameter = parameter.strip()
            match = PARAMETER.fullmatch(parameter) or ARRAY.fullmatch(parameter)
            if match is None or match["type"] == "char":
                continue
            if match["const"]:
                new, change = parameter.removeprefix("const").strip(), "without const"
            else:
                new, change = f"const {parameter}", "with const"
            edit = self._source.within(prototype, parameter, new)
            if edit is not None:
                yield "const", f"{where}.c.{match['name']}", change, [edit]

    def _argument(self, where: str, argument: Node, arrays: list[str]) -> Iterator[Found]:
        keys = entries(argument)
        if not isinstance(argument, Mapping):
            return
        for key in DERIVED:
            if key in keys:
                yield from self._derived(where, argument, key, arrays)
        for name in ("keeps", "takes", "invalidates", "finally"):
            yield from self._removed(name, where, argument, name)
        if isinstance(writes := keys.get("writes"), Scalar):
            other = "true" if writes.text == "false" else "false"
            yield from self._exchanged("readonly", f"{where}.writes", writes, other)
        value = keys.get("value")
        if isinstance(value, Scalar) and "sizeof" in value.text:
            yield from self._changed("length", f"{where}.value", value)
        for index, each in enumerate(sequences(keys.get("require"))):
            for name, required in entries(each).items():
                if name == "count":
                    yield from self._changed("extent", f"{where}.require.count", required, ("1",))
                if name == "shape":
                    items = [item.text for item in sequences(required) if isinstance(item, Scalar)]
                    for axis, extent in enumerate(sequences(required)):
                        others = [item for item in items if isinstance(extent, Scalar) and item != extent.text]
                        yield from self._changed("extent", f"{where}.require.shape[{axis}]", extent, others[:1])
                if name in ("count", "shape") and isinstance(keys["require"], Sequence):
                    require = keys["require"]
                    assert isinstance(require, Sequence)
                    alone = len(require.items) == 1
                    edit = self._source.remove_item(require, index)
                    if alone:
                        edit = self._source.replace(require, "")
                        edit = Edit(edit.start, edit.end, "[]")
                    yield "extent", f"{where}.require.{name}", "removed", [edit]

    def _derived(self, where: str, argument: Mapping, key: str, arrays: list[str]) -> Iterator[Found]:
        keys = entries(argument)
        kind = "stride" if key == "stride_of" else "length"
        of = keys[key]
        assert isinstance(of, Scalar)
        if "plus" in keys:
            yield from self._exchanged(kind, f"{where}.plus", keys["plus"], "0", "1", "-1")
        else:
            for plus in ("1", "-1"):
                yield kind, f"{where}.plus", plus, [self._source.add(argument, f"plus: {plus}")]
        others = [name for name in arrays if name != of.text]
        yield from self._exchanged(kind, f"{where}.{key}", of, *others[:1])
        if key in ("count_of", "size_of"):
            new = "size_of" if key == "count_of" else "count_of"
            key_node = next(each for each, _ in argument.entries if each.text == key)
            yield kind, f"{where}.{new}", new, [self._source.replace(key_node, new)]
        if key == "stride_of" and "unit" not in keys:
            yield "unit", f"{where}.unit", "bytes", [self._source.add(argument, "unit: bytes")]
        yield from self._exchanged("unit", f"{where}.unit", keys.get("unit"), "elements", "bytes")
        if key in ("extent_of", "stride_of"):
            axis = keys.get("axis")
            if isinstance(axis, Scalar):
                yield from self._exchanged(kind, f"{where}.axis", axis, "1" if axis.text == "0" else "0")
            elif key == "extent_of":
                yield kind, f"{where}.axis", "1", [self._source.add(argument, "axis: 1")]

    def _owner(self, where: str, call: Node, prototype: str, of_class: str | None) -> Iterator[Found]:
        """Yields another owner of an object that a function returns."""
        if not isinstance(call, Mapping) or of_class is None or where.endswith(".new") or "returns" in entries(call):
            return
        own = of_class.split(".")[1]
        item = entries(entries(entries(self._source.root).get(of_class.split(".")[0])).get(own))
        ctype = item.get("type")
        match = re.match(r"(?:const )?(\w+) \*\w+\(", prototype)
        if match is None or not isinstance(ctype, Scalar) or match[1] != ctype.text:
            return
        parameter = re.search(rf"\(\s*(?:const )?{re.escape(match[1])} \*(\w+)", prototype)
        owner = parameter[1] if parameter is not None else "static"
        entry = f"returns: {{of: {own}, borrow: {owner}}}"
        yield "owner", f"{where}.returns.borrow", owner, [self._source.add(call, entry)]


def _arrays(prototype: str) -> list[str]:
    """Returns the names of the parameters that are pointers to numbers."""
    inside = prototype[prototype.index("(") + 1 : prototype.rindex(")")]
    numbers = re.compile(r"(?:const )?(?:double|float|int|size_t|void|unsigned char|\w+_t) ?\*? ?(\w+)(?:\[\w*\])?$")
    found = [numbers.match(each.strip()) for each in inside.split(",") if "*" in each or "[" in each]
    return [match[1] for match in found if match is not None]


# ---- The rest of the spec ----


def _left_out(source: Source, where: str) -> list[Edit]:
    """Returns the edits that remove the functions and classes that a changed part does not need. The compiler then has
    less to do."""
    table, name, *_ = where.split(".")
    root = source.root
    keys = entries(root)
    changed = entries(keys[table])[name]
    needed = source.text[source.start(changed) : source.end(changed)]
    edits = []
    functions = keys.get("functions")
    if isinstance(functions, Mapping):
        others = [each for each in entries(functions) if (table, name) != ("functions", each)]
        if len(others) == len(functions.entries):
            edits.append(source.remove(root, "functions"))  # type: ignore[arg-type]
        else:
            edits += [source.remove(functions, each) for each in others]
    for of in ("handles", "tensors"):
        classes = keys.get(of)
        if not isinstance(classes, Mapping):
            continue
        others = []
        for each, item in entries(classes).items():
            kept = _needed_variants(item, needed, is_all=(of, each) == (table, name))
            if kept is None:
                others.append(each)
            elif kept and isinstance(variants := entries(item)["variants"], Sequence):
                edits += [
                    source.remove_item(variants, index) for index in range(len(variants.items)) if index not in kept
                ]
        if len(others) == len(classes.entries):
            edits.append(source.remove(root, of))  # type: ignore[arg-type]
        else:
            edits += [source.remove(classes, each) for each in others]
    return edits


def _needed_variants(item: Node, needed: str, is_all: bool) -> list[int] | None:
    """Returns the numbers of the variants of a class that a part of the spec needs; an empty list: the class has none
    or all are needed; None: the class is not needed."""
    keys = entries(item)
    ctype = keys["type"].text if isinstance(keys.get("type"), Scalar) else ""  # type: ignore[union-attr]
    if is_all:
        return []
    variants = keys.get("variants")
    if variants is None:
        return [] if re.search(rf"\b{re.escape(ctype)}\b", needed) else None
    found = []
    for index, variant in enumerate(sequences(variants)):
        own = ctype
        for name, value in entries(variant).items():
            own = own.replace(f"${{{name}}}", value.text if isinstance(value, Scalar) else "")
        if re.search(rf"\b{re.escape(own)}\b", needed):
            found.append(index)
    return found or None
