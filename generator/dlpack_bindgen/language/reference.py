"""The generator of docs/spec.md, from the declarations of the language and the specs in docs/examples.

In a checkout: `python -m dlpack_bindgen.language.reference > docs/spec.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from dlpack_bindgen.dlpack import DEVICES, DTYPES
from dlpack_bindgen.language.introduction import FURTHER_DEVICES, FURTHER_DTYPES, INTRODUCTION
from dlpack_bindgen.language.kinds import (
    Alternatives,
    Key,
    Kind,
    ListOf,
    Lookup,
    MapOf,
    Record,
    Words,
    description,
    records,
)
from dlpack_bindgen.language.language import SPEC
from dlpack_bindgen.language.occurrences import ENTRY, Instance, covering, excerpt, instances
from dlpack_bindgen.language.slots import SLOT_NAMES
from dlpack_bindgen.resources import resource_folder
from dlpack_bindgen.text.yaml import load

_HERE = "docs/examples"
_FEW = 4
"""The most keys that the heading of an example names."""


def markdown(examples: Path | None = None) -> str:
    """Returns the page. `examples` is the folder of the specs that it quotes."""
    folder = examples or resource_folder("templates").parent / _HERE
    sources = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.yaml"))}
    found = [each for name, text in sources.items() for each in instances(load(name, text.encode()), SPEC)]
    parts = [INTRODUCTION]
    parts += [_section(alike, found, sources) for alike in sections()]
    parts.append(f"## Dtypes\n\n{_names(DTYPES)}\n\n{FURTHER_DTYPES}\n")
    parts.append(f"## Devices\n\n{_names(DEVICES)}\n\n{FURTHER_DEVICES}\n")
    return "\n".join(parts)


def sections() -> list[list[Record]]:
    """Returns the records in the order of the page. Records with the same `what` share a section."""
    alike: dict[str, list[Record]] = {}
    for record in records(SPEC):
        alike.setdefault(record.what, []).append(record)
    return list(alike.values())


def own_keys(alike: Sequence[Record]) -> list[Key]:
    """Returns the keys of a section. Only the section of the tensor explains the slots."""
    keys = {key.name: key for record in reversed(alike) for key in reversed(record.keys)}
    within = _repeats_slots(alike[0])
    return [key for key in reversed(keys.values()) if not (within and key.name in SLOT_NAMES)]


def _repeats_slots(record: Record) -> bool:
    return {key.name for key in record.keys}.issuperset(SLOT_NAMES) and record.key("type") is None


def _names(table: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in table)


def _section(alike: Sequence[Record], found: Sequence[Instance], sources: Mapping[str, str]) -> str:
    record = alike[0]
    keys = own_keys(alike)
    lines = [f"### {record.what[0].upper()}{record.what[1:]}", "", record.doc]
    entries = dict.fromkeys(f"{each.entry.doc}" for each in alike if each.entry)
    lines += [line for entry in entries for line in ("", entry)]
    if keys:
        lines += ["", "| key | value | default | meaning |", "|---|---|---|---|", *(_row(alike, key) for key in keys)]
    if _repeats_slots(record):
        lines += [
            "",
            f"The slots of a tensor are keys here, too, but take no choice `{{of, map}}`: {_names(SLOT_NAMES)}.",
        ]
    if record.one_of:
        lines += ["", f"Exactly one of {_names(record.one_of)} is required."]
    if record.some_of:
        lines += ["", f"At least one of {_names(record.some_of)} is required."]
    lines += [f"\nUse `{first}` or `{second}`, not both." for first, second in record.exclusive]
    for key in keys:
        lines += _words(key)
        if key.details:
            lines += ["", f"Details of `{key.name}`:", "", *(f"* {detail}" for detail in key.details)]
    mine = [each for each in found if each.record in alike]
    for instance, names in covering(mine, [*([ENTRY] if entries else []), *(key.name for key in keys)]):
        link = f"[{instance.file}](examples/{instance.file})"
        shown = [name for name in names if name != ENTRY]
        lines += ["", f"{_names(shown)} in {link}:" if 0 < len(shown) <= _FEW else f"From {link}:", ""]
        lines += ["```yaml", excerpt(sources[instance.file], instance, names) + "```"]
    return "\n".join(lines) + "\n"


def _row(alike: Sequence[Record], key: Key) -> str:
    record = alike[0]
    value = _value(key.kind)
    if len({_value(other.kind) for each in alike if (other := each.key(key.name))}) > 1:
        value += ", and so on for each slot"
    default = "**required**" if key.required else key.default or ""
    if key.required and key.unless:
        default = f"**required**, here or in `{key.unless}`"
    if key.name in record.one_of:
        default = "one of these"
    doc = key.doc if key.needs is None else f"{key.doc} Needs {_alternatives(key.needs.keys)}: {key.needs.why}."
    return f"| `{key.name}` | {_cell(value)} | {_cell(default)} | {_cell(doc)} |"


def _alternatives(names: Sequence[str]) -> str:
    return " or ".join(f"`{name}`" for name in names)


def _value(kind: Kind) -> str:
    if isinstance(kind, Alternatives):
        return "; ".join(dict.fromkeys(_value(option.kind) for option in kind.options))
    if isinstance(kind, ListOf) and kind.lone:
        return f"{description(kind)}, or a single one"
    return description(kind).replace("'", "`") if isinstance(kind, Words) else description(kind)


def _words(key: Key) -> list[str]:
    """Returns the lines that explain the words of a key."""
    found: list[tuple[str, str]] = []
    kinds = [key.kind]
    while kinds:
        kind = kinds.pop(0)
        if isinstance(kind, Words):
            found += [(word.name, word.doc) for word in kind.words]
        elif isinstance(kind, Alternatives):
            kinds += [option.kind for option in kind.options]
        elif isinstance(kind, ListOf):
            kinds.append(kind.item)
        elif isinstance(kind, MapOf):
            kinds.append(kind.value)
        elif isinstance(kind, Lookup):
            kinds.append(kind.table)
    if not found:
        return []
    return ["", f"Words of `{key.name}`:", "", *(f"* `{name}`: {doc}" for name, doc in dict.fromkeys(found))]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    print(markdown(), end="")
