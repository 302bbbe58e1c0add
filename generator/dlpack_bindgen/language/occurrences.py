"""The search for keys of the language in specs. The examples in `docs/spec.md` come from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import Alternatives, Kind, ListOf, Lookup, MapOf, Record
from dlpack_bindgen.text.diagnostics import split_lines
from dlpack_bindgen.text.yaml import Loaded, Mapping, Node
from dlpack_bindgen.text.yaml import Sequence as List

_LONGEST, _SHOWN = 8, 5
"""A value with more lines than `_LONGEST` is cut to `_SHOWN` lines."""


ENTRY = ""


class Instance(Frozen):
    """A mapping in a spec, and the record that declares it."""

    file: str
    record: Record
    keys: dict[str, tuple[int, int]]
    """The line and column of each key, counted from 0. ENTRY stands for the key that the author chose."""


def instances(loaded: Loaded, kind: Kind) -> list[Instance]:
    """Returns all records of a valid spec, outer records first."""
    return list(_walk(loaded.file, loaded.root, kind)) if loaded.root else []


def covering(found: Sequence[Instance], wanted: Sequence[str]) -> list[tuple[Instance, list[str]]]:
    """Returns a few instances that together have all `wanted` keys, each with the keys that it adds."""
    left = list(wanted)
    chosen: dict[int, list[str]] = {}
    while True:
        counts = [len(set(left).intersection(each.keys)) for each in found]
        if not any(counts):
            return [(found[index], keys) for index, keys in chosen.items()]
        best = counts.index(max(counts))
        chosen[best] = [name for name in left if name in found[best].keys]
        left = [name for name in left if name not in chosen[best]]


def excerpt(text: str, instance: Instance, keys: Sequence[str]) -> str:
    """Returns the lines of the spec with these keys and their values, in the order of the file."""
    lines = split_lines(text)
    shown: dict[int, str] = {}
    for line, column in sorted(instance.keys[key] for key in keys):
        shown |= _value_lines(lines, line, column)
    indent = min(_indent(line) for line in shown.values() if line.strip())
    return "".join(f"{line[indent:]}\n" for _, line in sorted(shown.items()))


def _value_lines(lines: Sequence[str], start: int, column: int) -> dict[int, str]:
    """Returns the line of a key and the lines of its value, by their numbers."""
    end = start + 1
    while end < len(lines) and (not lines[end].strip() or _indent(lines[end]) > column):
        end += 1
    while not lines[end - 1].strip():
        end -= 1
    if end - start <= _LONGEST:
        return dict(zip(range(start, end), lines[start:end], strict=True))
    cut = start + _SHOWN
    return {**dict(zip(range(start, cut), lines[start:cut], strict=True)), cut: f"{' ' * _indent(lines[cut])}# ..."}


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


# ---- Nodes and the kinds that declare them ----


def _walk(file: str, node: Node, kind: Kind) -> Iterator[Instance]:
    if isinstance(kind, Alternatives):
        for option in _fitting(node, kind):
            yield from _walk(file, node, option)
    elif isinstance(kind, Lookup):
        yield from _walk(file, node, kind.table)
    elif isinstance(kind, ListOf) and isinstance(node, List):
        for item in node.items:
            yield from _walk(file, item, kind.item)
    elif isinstance(kind, ListOf) and kind.lone:
        yield from _walk(file, node, kind.item)
    elif isinstance(kind, MapOf) and isinstance(node, Mapping):
        for _, value in node.entries:
            yield from _walk(file, value, kind.value)
    elif isinstance(kind, Record) and isinstance(node, Mapping):
        names = {key.text: key.text if kind.key(key.text) else ENTRY for key, _ in node.entries}
        places = {names[key.text]: (key.span.line - 1, key.span.column - 1) for key, _ in node.entries}
        yield Instance(file, kind, places)
        for name, value in node.entries:
            key = kind.key(name.text)
            if key is not None:
                yield from _walk(file, value, key.kind)
            elif kind.entry is not None:
                yield from _walk(file, value, kind.entry.value)


def _fitting(node: Node, kind: Alternatives) -> list[Kind]:
    """Returns the option that a valid node matches, if it contains records."""
    if isinstance(node, Mapping):
        names = {key.text for key, _ in node.entries}
        records = [option for option in kind.options if isinstance(option.kind, Record)]
        tagged = [option.kind for option in records if option.tag in names]
        return tagged[:1] or [option.kind for option in records if option.tag is None or len(records) == 1]
    if isinstance(node, List):
        of_records = any(isinstance(item, Mapping) for item in node.items)
        lists = [option.kind for option in kind.options if isinstance(option.kind, ListOf)]
        return [each for each in lists if len(lists) == 1 or isinstance(each.item, Record) == of_records]
    return []
