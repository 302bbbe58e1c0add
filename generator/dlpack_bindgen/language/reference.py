"""docs/spec.md from the declaration of the language and the specs in docs/examples.

`python -m dlpack_bindgen.language.reference > docs/spec.md`, in a checkout.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from dlpack_bindgen.dlpack import DEVICES, DTYPES
from dlpack_bindgen.language.kinds import Alternatives, Key, Kind, ListOf, Lookup, MapOf, Record, Words, description
from dlpack_bindgen.language.language import SPEC, records
from dlpack_bindgen.language.occurrences import ENTRY, Instance, covering, excerpt, instances
from dlpack_bindgen.language.slots import SLOT_NAMES
from dlpack_bindgen.load.load import load
from dlpack_bindgen.rooms import room

INTRODUCTION = """\
# The spec language

One YAML file describes the C structs and functions of one module: which expression yields the address of the data,
which the extents, who frees what, what Python calls. This page begins with the smallest spec and the rules that hold
everywhere, and then goes through all keys. It is made from the declarations that the checks are made from (`make
generate`); the examples under each table come from the specs in [examples](examples), which the tests compile.

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

Editors complete and explain the keys: [editors.md](editors.md). How the structs of many libraries are said:
[constructs.md](constructs.md).

## Rules

### C text

The value of a slot is **a C expression**, emitted as written into one assignment or one argument. In scope are `self`
(a `T *`; with `pass: value` a `T`), `axis` where something is said per axis, the names from `params`, `hold` and
`let`, and all that `dlpack.h` and the headers in `include` declare. These are names of the language and not C:
dtypes, devices, and the words of `order`, `unit`, `pass`, `copy` and their like. `doc` and `message` are text.
Everything else is C.

**Declarations** are written `{T name: value}`: the last identifier is the name, and the value is what C has behind
`=`, so `"{0}"` is fine; nothing at all means zeroed.

**C text stays in its place.** Its brackets are balanced. Comments, `#`, `_Pragma`, digraphs (`<:`), trigraphs,
raw strings and a backslash outside of a literal are refused. A statement is complete: `return` and `goto` are refused,
and `else`, `case`, `break` and `continue` belong to a statement of the same text.

### YAML

Scalars are **taken as written**: `NO`, `010` and `0x10` stay what they are. YAML removes quotes, so a C literal needs
both kinds: `'"text"'`. Quotes are also needed around a value that begins with `*`, `&`, `!`, `%` or `@`, that has `:
` or ` #` inside, or, within `[...]` and `{...}`, one of `, [ ] { }`; an error at that place shows how. Anchors,
aliases, tags, `<<` and several documents are refused; what several slots share goes into `maps`.

### When what runs

The order of keys never matters.

* **When an owner is made** (a Python object, or `dlb_own()` in C): `hold`, then `retain` or `clone`.
* **At each reading** (export, view, buffer, attribute): `require`, `acquire` if no export is alive, for exports
  `before_read`, the steps of `let` in their order, then `dtype`, `device`, `shape`, `strides`, `data`, `readonly`.
  The struct is read anew each time; nothing of it is remembered. One reading may evaluate an expression more than
  once: it must have no side effects.
* **At the end of a reading**: the `finally` parts of `let`, in reverse. `undo` parts run only if something failed
  after them.
* **When the last export has gone**: `after_write` if one of them could write, then `restore`.
* **When the owner ends**: `release`. With `release` alone the object moves into its owner; with `retain` or `clone`
  the owner has a reference or a handle of its own; with neither the object is borrowed.
* **When an imported object ends**: `detach`, `destroy`, and then the memory of the other side is given back, unless
  the library has a `deleter` to say so itself.

### Failure

**`ok`** says when a call succeeded: the rest of a comparison (`'!= NULL'`, `== 0`), or an expression with `%` for the
result. `ok: none` says that the call has no status; an object that is NULL is a failure all the same. `error` is a C
expression for the message, a `const char *`, with `result` in scope; without it, the message has the result, where that
is an integer. An object that cannot be shared as it is raises a `BufferError` that names tensor, slot and value; a call
that fails raises a `RuntimeError`.

### Conversions

**Nothing is converted silently.** Extents, strides and ids must fit DLPack's types, byte strides must be multiples of
the item size. An expression of unsigned type that subtracts does not compile: declare a signed `let` for it. Towards
the library, values narrow only in `let` and in the `set` of an import, where they are read back and compared; anything
else that would narrow does not compile. So where a compiler says of an argument that its conversion "may change value"
or "loses integer precision", declare it: `let: [{int n: "shape[0]"}]`, and pass `n`.

### Functions

A function is said by **its C prototype**, which the compiler compares with the header; most parameters say themselves
what they are. `const T *` of a tensor takes any array that its import takes, `T *` one that may be written. Numbers,
booleans, complex numbers, `const char *` and pointers to numbers (arrays of that dtype) are what they look like, and a
type that only the header knows is an integer. `args` says the rest: `path`, `bytes`, enums, defaults, what is `out`,
and which parameters Python does not give because they follow from others (`count_of`, `stride_of`, ...).

Where the `type` of a class is a number, such as an id or bare memory, parameters and results of that type are numbers
and arrays all the same: `args` and `returns` name the class where it is meant. (The object of a method needs no name
where it is the only parameter of that type, nor does a pointer that is returned.)

A header may have a typedef of its own for a pointer to an object, such as `typedef const struct wheel *wheel_view`
beside `typedef struct wheel *wheel`. Such a parameter or result is an object where `args` or `returns` names the class;
the compiler checks that it is a pointer to the same type. If it points to `const`, the function takes read-only
objects, and an object that is returned needs `borrow` or `owned: true`, as with `const T *`.

A pointer to a number that `args` says to be one (`{n: int}`, an enum, `count_of` and its like) is the address of that
number, as in Fortran; what C leaves there is returned where `returns` lists it.

How long an array must be is said by a parameter that measures it, by `require: [{count: n}]` or a `shape`, or by the
prototype, `x[3]`. `double x[3][3]` is an array of that shape, `double x[][3]` and `double (*x)[3]` have as many rows
as `extent_of` or a `shape` says. Arrays of one C type of which only one is counted, and of the others nothing is
said, have as many elements as that. `{x: array}`, beside other words `{x: {of: array, ...}}`, leaves it to the C
function, and so does an empty list of what is required: `{key: {of: bytes, require: []}}`.

An array that C only writes need not be given: with `{y: {require: [{shape: [n, m]}], default: new}}`, or `{y:
{default: like x}}`, one is made and returned, of the class that `arrays` names at the top. One that is given is
checked, filled and returned itself.

Python gets **the result**, and all that is `out` or was made by default, but not the status that `ok` compares with
`==`, be it the result or, as in `ok: info == 0`, a parameter; several values are a tuple. `returns` says otherwise;
with `returns: None` Python gets nothing. An object is the caller's, unless `borrow` says in what it lives; `keeps`
names an argument that must outlive it. `NULL` for an object is a failure, unless it is `optional`. Errors come in this
order: arguments, arrays, the call.

A struct itself, `T` instead of `T *`, is copied: in an argument from the object, in a result to memory that lasts as
long as the new object; a `T *` that is `out` points to such memory, zeroed. `release` ends what is in the struct then,
and leaves the struct alone: it cannot be that of objects which C allocates, and which the class has beside these.

`methods` are functions with an object of the class among their parameters, the first one of its type; without one,
they belong to the class, as `Mixer.open(path)`. Callbacks and variadic functions are out of scope.

Methods that Python calls itself have their names in Python: `__len__`, `__bool__`, `__int__`, `__index__`, `__float__`,
`__str__`, `__repr__`, `__iter__`, `__next__`, `__call__`, `__getitem__`, `__setitem__`, `__delitem__`, `__contains__`.
An object with `__next__` is its own iterator, which `raises: StopIteration` ends; one whose `__getitem__` takes an
integer is iterated up to an `IndexError`, of `raises` (what `require` refuses is a `ValueError`, which ends nothing).

### Several classes of one C type

Tensors of one C type are methods of each other and of the handles of that type, `frame.plane(1)`, and `parts` are
tuples of them: the same object, seen as another class, which keeps the first. **A param that both classes have, by name
and type, is that of the first**: a context, or a size, is given once, and is no argument of the method. Only the index
of a part is its own.

The other params are arguments, as far as Python can know them. A tensor is no method where it would need an address
that has no default, or a param whose value **comes from the functions that return it**, such as an extent that is
`out`: nobody else knows how much memory there is. That of another array is no measure of this one either; a handle
that has the param gives it to its views. What Python does give is checked by `require`, at once: a ValueError.

Among more than 16 classes of one type, tensors are methods of the handles alone; those that take arguments, of all, if
they are not more than 16 themselves.

### Choices

A slot can be **looked up**: `{of: self->type, map: {LIB_U8: uint8, LIB_F32: float32}}`. Keys are C expressions
compared with `==`, or with `strcmp` if they are string literals. **`match`** sets several slots at once, by one or
more values; what an arm does not set comes from beside `match`, and an arm wins over it. A value that fits no key and
no `default` is a `BufferError`.

A slot can also be chosen **by the preprocessor**: `[{if: LIB_VERSION >= 2, value: new_pixels(self)}, {value:
self->pixels}]`. Tensors, handles and arms have `if` as a key.

### Axes, strides, layouts

`order` says at which end the innermost axis is. Without `strides` an array is compact in that order. `order:
reversed` is for structs that count their axes from the innermost: the lists and `axis` are in the struct's own order,
and so are `shape[]` and `strides[]` in an import.

The stride of an axis of extent 1 never matters: exports have what the struct says, imports what it would be if the
array were compact. An empty array has compact strides.

### Imports

The slots are requirements as well: the rank and the literal extents of `shape`, the dtype, `compact` where there are
no `strides`, `inner_compact` for `{outer: ...}`. A choice is **read backwards**: `code` is the key that belongs to
the dtype of the array (for a `match`, to its dtype, rank and literal extents; `code[0]`, `code[1]` where `of` has
several), `device_code` that of the device. If several arms fit, one of them says `import: true`, or the others say
`import: false`. Decoded dtypes have no key to go back to.

`shape[1]` needs a second axis: by `shape`, by `require: [{ndim: 2}]`, or asked for where it stands, `ndim > 1 ?
shape[1] : 1`.

### Variants

A tensor with `variants` stands for several. In each variant the keys of a tensor replace those beside `variants`, and
any other key `KEY` is put in wherever `${KEY}` stands, in names and values.

## Keys
"""

_FURTHER_DTYPES = """\
All others are said in numbers: `{code: kDLOpaqueHandle, bits: 64}` (a pointer), `{code: kDLFloat, bits: 128}`, `{code:
kDLFloat, bits: 32, lanes: 4}`, and what a newer `dlpack.h` has, `{code: 18, bits: 32}` (`kDLBcomplex`). Constants above
18 are taken as they are, since who writes them has read a header that says so; of codes that a struct holds, those
above 18 are a `BufferError`: more likely than not they are no dtype."""
_FURTHER_DEVICES = """\
What a newer `dlpack.h` has is said by its number: `device: 19` (`kDLTPU`), `{type: 21, id: self->ordinal}`
(`kDLAscend`). No CPU reads such memory."""
_HERE = "docs/examples"


def markdown(examples: Path | None = None) -> str:
    """The page; `examples` is the folder of the specs that it quotes."""
    folder = examples or room("templates").parent / _HERE
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.yaml"))}
    found = [each for name, text in texts.items() for each in instances(load(name, text.encode()), SPEC)]
    parts = [INTRODUCTION]
    parts += [_section(alike, found, texts) for alike in sections()]
    parts.append(f"## Dtypes\n\n{_names(DTYPES)}\n\n{_FURTHER_DTYPES}\n")
    parts.append(f"## Devices\n\n{_names(DEVICES)}\n\n{_FURTHER_DEVICES}\n")
    return "\n".join(parts)


def sections() -> list[list[Record]]:
    """The records in the order in which the page explains them; those that differ only in what is chosen, together."""
    alike: dict[str, list[Record]] = {}
    for record in records(SPEC):
        alike.setdefault(record.what, []).append(record)
    return list(alike.values())


def own_keys(alike: Sequence[Record]) -> list[Key]:
    """The keys of a section; the slots are explained once, with the tensor."""
    keys = {key.name: key for record in reversed(alike) for key in reversed(record.keys)}
    within = _repeats_slots(alike[0])
    return [key for key in reversed(keys.values()) if not (within and key.name in SLOT_NAMES)]


def _repeats_slots(record: Record) -> bool:
    return {key.name for key in record.keys}.issuperset(SLOT_NAMES) and record.key("type") is None


def _names(table: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in table)


def _section(alike: Sequence[Record], found: Sequence[Instance], texts: Mapping[str, str]) -> str:
    record = alike[0]
    keys = own_keys(alike)
    lines = [f"### {record.what[0].upper()}{record.what[1:]}", "", record.doc]
    entries = dict.fromkeys(f"{each.entry.doc}" for each in alike if each.entry)
    lines += [line for entry in entries for line in ("", entry)]
    if keys:
        lines += ["", "| key | value | default | |", "|---|---|---|---|", *(_row(alike, key) for key in keys)]
    if _repeats_slots(record):
        lines += ["", f"And the slots of a tensor, where a choice by value has no place: {_names(SLOT_NAMES)}."]
    if record.one_of:
        lines += ["", f"Exactly one of {_names(record.one_of)} is given."]
    if record.some_of:
        lines += ["", f"At least one of {_names(record.some_of)} is given."]
    lines += [f"\n`{first}` and `{second}` exclude each other." for first, second in record.exclusive]
    for key in keys:
        lines += _words(key)
    mine = [each for each in found if each.record in alike]
    for instance, names in covering(mine, [*([ENTRY] if entries else []), *(key.name for key in keys)]):
        lines += ["", f"From [{instance.file}](examples/{instance.file}):", ""]
        lines += ["```yaml", excerpt(texts[instance.file], instance, names) + "```"]
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
        default = "one of"
    doc = key.doc if key.needs is None else f"{key.doc} Needs {_alternatives(key.needs.keys)}: {key.needs.why}."
    return f"| `{key.name}` | {_cell(value)} | {_cell(default)} | {_cell(doc)} |"


def _alternatives(names: Sequence[str]) -> str:
    return " or ".join(f"`{name}`" for name in names)


def _value(kind: Kind) -> str:
    if isinstance(kind, Alternatives):
        return "; ".join(dict.fromkeys(_value(option.kind) for option in kind.options))
    if isinstance(kind, ListOf) and kind.lone:
        return f"{description(kind)}, or one alone"
    return description(kind).replace("'", "`") if isinstance(kind, Words) else description(kind)


def _words(key: Key) -> list[str]:
    """What the words of a key mean."""
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
