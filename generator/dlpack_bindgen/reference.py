"""docs/spec.md from the declaration of the language: `python -m dlpack_bindgen.reference > docs/spec.md`."""

from __future__ import annotations

from collections.abc import Iterable

from dlpack_bindgen.dlpack import DEVICES, DTYPES
from dlpack_bindgen.kinds import Alternatives, Key, Kind, ListOf, MapOf, Record, Words, description
from dlpack_bindgen.language import SPEC, records

INTRODUCTION = """\
# The spec language

One YAML file describes the C structs of one module. This page is made from the declaration in
`generator/dlpack_bindgen/language.py`, as the checks are (`make generate`).

```yaml
dlpack-bindgen: 1
module: imaging
include: [image.h]
tensors:
  Image:
    type: image_t
    data: self->pixels
    dtype: uint8
    shape: [self->height, self->width, self->channels]
    strides: {outer: self->pitch, unit: bytes}
    release: image_free(self)
```

## Rules

* **A slot's value is a C expression**, emitted as written into one assignment or argument. In scope are `self` (a `T
  *`), `axis` where a slot is said per axis, the names that each section below lists, and those of `dlpack.h`. Names
  of dtypes and devices, `order` and `unit` are words of this language; `doc` and `message` are text.
* **Scalars are taken as written**: `NO`, `010` and `0x10` stay what they are. YAML removes quotes, so a C literal
  needs both kinds: `'"text"'`. A value that starts with `*`, `&`, `!`, `%` or `@`, or that has `, [ ] { }` inside a
  flow list, must be quoted; the error shows how. Anchors, aliases, tags, `<<` and several documents are refused.
* **The order of keys never matters.** When the owner is made: `retain`. At each reading: `require`, `dtype`,
  `device`, `shape`, `strides`, `data`, `readonly`. The struct is read anew at every export, view, buffer and
  attribute.
* **Nothing is converted silently.** Extents, strides and ids must fit DLPack's types, byte strides must be multiples
  of the item size; else a `BufferError` names tensor, slot, expression and value. Towards the library, values narrow
  only in `let` and `set`, where they are read back and compared; anything else that would narrow does not compile.
* **Layouts.** `compact` means without gaps in `order`. An axis of extent 1 never matters, and has the stride that it
  would have if it were compact; an empty array has compact strides. A struct without `strides` of its own takes
  compact arrays only, one with `{outer: ...}` what is `inner_compact`; the rank and the literal extents of `shape`
  are required as well.
* **`ok`** is the rest of a comparison with the result of a call (`'!= NULL'`), or an expression with `%` for the
  result.
* **Lifetime.** With `release` alone the object moves into its owner; with `retain` as well, the owner takes a
  reference of its own; without both it is borrowed. An imported object goes first (`destroy`), then the memory behind
  it.
"""


def markdown() -> str:
    parts = [INTRODUCTION]
    parts += [_section(record) for record in records(SPEC) if record.keys]
    parts.append(f"## Dtypes\n\n{_names(DTYPES)}\n")
    parts.append(f"## Devices\n\n{_names(DEVICES)}\n")
    return "\n".join(parts)


def _names(table: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in table)


def _section(record: Record) -> str:
    title = record.what[0].upper() + record.what[1:]
    lines = [f"## {title}", "", record.doc, "", "| key | value | default | |", "|---|---|---|---|"]
    lines += [_row(record, key) for key in record.keys]
    if record.one_of:
        lines += ["", f"Exactly one of {', '.join(f'`{name}`' for name in record.one_of)} is given."]
    for key in record.keys:
        lines += _words(key)
    return "\n".join(lines) + "\n"


def _row(record: Record, key: Key) -> str:
    default = "**required**" if key.required else key.default or ""
    if key.name in record.one_of:
        default = "one of"
    doc = key.doc if key.needs is None else f"{key.doc} Needs `{key.needs.key}`: {key.needs.why}."
    return f"| `{key.name}` | {_cell(_value(key.kind))} | {_cell(default)} | {_cell(doc)} |"


def _value(kind: Kind) -> str:
    if isinstance(kind, Alternatives):
        return "; ".join(dict.fromkeys(_value(option.kind) for option in kind.options))
    if isinstance(kind, Record) and kind.entry is not None:
        return f"{kind.what}: {kind.entry.doc}"
    return description(kind)


def _words(key: Key) -> list[str]:
    """What the words and the alternatives of a key mean."""
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
    if not found:
        return []
    return ["", f"Words of `{key.name}`:", "", *(f"* `{name}`: {doc}" for name, doc in found)]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    print(markdown(), end="")
