"""The generator of docs/spec.md."""

from __future__ import annotations

from collections import abc
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from dlpack_bindgen.dlpack import DEVICES, DTYPES
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import (
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
from dlpack_bindgen.resources import resource_folder
from dlpack_bindgen.spec.all_keys import SPEC
from dlpack_bindgen.tensor.slots import SLOT_NAMES
from dlpack_bindgen.text.diagnostics import split_lines
from dlpack_bindgen.text.yaml import Loaded, Mapping, Node, load
from dlpack_bindgen.text.yaml import Sequence as List

# ---- The parts of docs/spec.md that are not derived from declarations: the introduction and notes on two tables ----

INTRODUCTION = """\
# The spec language

A spec is a YAML file that describes the C structs and functions of one module. It states where a struct keeps its
data, which shape and strides the data has, who frees the struct, and which functions Python calls.

This page has three parts: the smallest spec, the rules that hold for all keys, and the reference of [all keys](#keys).
`make generate` prints this page from the declarations with which the generator validates specs. The examples below each
table come from the specs in [examples](examples), which the tests compile. [constructs.md](constructs.md) shows how to
describe typical structs. [editors.md](editors.md) shows how an editor completes and explains the keys.

## The smallest spec

A C library has images with padded rows:

```c
typedef struct image {
    uint8_t *pixels;
    int height, width, channels;
    ptrdiff_t pitch; /* bytes from one row to the next */
} image_t;

image_t *image_load(const char *path);
void image_free(image_t *image);
```

The spec describes the struct by C expressions, and the functions by their prototypes:

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
functions:
  load: {c: image_t *image_load(const char *path), args: {path: path}}
```

In Python, the struct is an object that shares its memory with every library that supports DLPack:

```python
image = imaging.load("cat.bmp")  # an imaging.Image; image_free() runs after its last use
pixels = numpy.from_dlpack(image)  # a uint8 array of shape (height, width, channels), without a copy
```

## Terms

* A **tensor** is a class for a C struct that holds an array. A **handle** is a class for any other C object.
* The **slots** of a tensor describe the array: `dtype`, `device`, `shape`, `order`, `strides`, `data`, `byte_offset`
  and `readonly`.
* An **extent** is the number of elements along one axis. An array is **compact** if it is contiguous in memory,
  without gaps.
* The **owner** of a C object is its Python object, or in C the result of `dlb_own()`. The owner frees the C object.
* A **foreign array** belongs to another library, such as NumPy. An **export** shares the memory of an object with
  another library. An **import** creates an object around the memory of a foreign array.
* A **reading** evaluates the slots, for an export, a view, a buffer or an attribute such as `shape`.
* A **param** belongs to a class, which declares it with the key `params`. A **parameter** belongs to a C function.
* **`T`** stands for the C type of a class.

## Rules

### C code

The value of a slot is **a C expression**. The generator copies it unchanged into one assignment or one argument.
These names are in scope:

* `self`: a pointer to the object, `T *`; with `pass: value` the object itself, a `T`;
* `axis`: the index of an axis, in an expression that is evaluated for each axis;
* the names that `params`, `hold` and `let` declare;
* everything that `dlpack.h` and the headers in `include` declare.

Dtypes, devices, and the words of keys such as `order`, `unit`, `pass` and `copy` are names of the language. The
values of `doc` and `message` are strings. All other values are C.

**Declarations** are written `{T name: value}`. The last identifier before the colon is the name of the variable. The
value is its C initialiser, such as `"{0}"`. An empty value initialises with zero.

**Brackets must be balanced.** Comments, `#`, `_Pragma`, digraphs (`<:`), trigraphs, raw strings, and a backslash
outside of a literal are refused. A statement must be complete. `return` and `goto` are refused. `else`, `case`, `break`
and `continue` must belong to a statement in the C code of one value.

### YAML

Scalars are **taken as written**: `NO`, `010` and `0x10` reach C unchanged. YAML removes quotes, so a C string literal
needs two pairs of quotes: `'"text"'`. These values need quotes, too, and an error message shows how:

* a value that begins with `*`, `&`, `!`, `%` or `@`;
* a value that contains `: ` or ` #`;
* inside `[...]` and `{...}`, a value that contains one of `, [ ] { }`.

Anchors, aliases, tags, `<<` and several documents in one file are refused. Put values that several slots share into
`maps`.

### Order of evaluation

The order of keys in the file does not matter. The code runs in this order:

* **When an owner is created**: `hold`, then `retain` or `clone`.
* **At each reading**: first `require`, then `acquire` if no export is alive, then `before_read` for an export. The
  steps of `let` come next, and the slots come last: `dtype`, `device`, `shape`, `strides`, `data` and `readonly`.
* **At the end of a reading**: the `finally` parts of `let`, in reverse order. The `undo` part of a step runs only if
  a later step fails.
* **After the last export is released**: `after_write` if one of the exports was writable, then `restore`.
* **When the owner is destroyed**: `release`.
* **When an imported object is destroyed**: `detach`, then `destroy`. The foreign memory is released after `destroy`. If
  the library takes a `deleter`, the call of the deleter releases the memory instead.

Each reading reads the struct again; no value is cached. One reading can evaluate an expression more than once.
Expressions must therefore have no side effects.

The keys decide who owns the C object. With `release` alone, the owner takes the object over. With `retain` or
`clone`, the owner has its own reference or its own C object. Without any of them, the object is borrowed.

### Failure

**`ok`** is the success condition of a call. It is the rest of a comparison (`'!= NULL'`, `== 0`), or an expression in
which `%` stands for the result (`status(%) == 0`). `ok: none` declares that the call has no status. Even with
`ok: none`, NULL instead of an object is a failure.

**`error`** is a C expression for the message, of type `const char *`; `result` is in scope. Without `error`, the
message contains the result if the result is an integer.

The export of an object that cannot be shared in its present state raises a `BufferError`. The message names the tensor,
the slot and the value. A call that fails raises a `RuntimeError`.

### Conversions

**No value is converted silently.** Extents, strides and ids must fit the types of DLPack. Strides in bytes must be
multiples of the item size. An unsigned expression with a subtraction does not compile: declare a signed variable for
it in `let`.

Only a `let` and the `set` of an import can convert a value for the library to a narrower type. The generated code
compares the converted value with the original, and refuses a difference. In other places, a narrowing conversion does
not compile: the compiler reports that it "may change value" or "loses integer precision". Declare such an argument in
`let`, `{int n: "shape[0]"}`, and pass `n`.

### Arguments

Each function is declared by **its C prototype**, which the compiler compares with the header. The generator infers
most parameters from their types:

* `const T *` of a tensor takes every array that the `import` of the tensor accepts; `T *` takes a writable one.
* Numbers, booleans, complex numbers and `const char *` take the Python type that matches.
* A pointer to a number takes an array of that dtype.
* A parameter of a type that only the header defines takes an integer.

`args` describes the rest: `path`, `bytes`, enums, defaults, results (`out`), and parameters that Python does not pass
because they follow from others (`count_of`, `stride_of`, ...).

**Classes of numbers.** The `type` of a class can be a number type, such as an integer id or `double` for bare memory. A
parameter or result of that type is still a number, and a pointer to that type is an array. If it is an object, name the
class in `args` or `returns`. Two cases need no name: a returned pointer, and the object of a method if no other
parameter has its type.

**Other typedefs.** A header may have a second typedef for a pointer to an object:
`typedef const struct wheel *wheel_view` beside `typedef struct wheel *wheel`. Such a parameter or result is an object
if `args` or `returns` names the class. The compiler checks that both are pointers to the same type. A typedef that
points to `const` works like `const T *`: the function takes read-only objects, and a returned object needs `borrow` or
`owned: true`.

A second typedef of the struct, as in `typedef vec2 position`, is the struct: see **Structs by value**. `args` or
`returns` names the class here, too, and `struct vec2` works without a typedef. The compiler decides whether such a name
is the struct or a pointer to it. Two cases need the type of the class itself, or a pointer to it, in the prototype:

* parameters with `optional`, `takes`, `invalidates` or `keeps`;
* results and `out` parameters of a class whose `release` is not `(void)self`.

**Numbers by address.** A pointer to a number is the address of a single number if `args` describes a number:
`{n: int}`, an enum, `count_of` and similar keys. Fortran functions take numbers by address. If `returns` lists the
parameter, Python gets the number that C stores.

**Structs by value.** A parameter of type `T` gets a copy of the struct. A result of type `T` is copied to memory of the
new object. A `T *` that is `out` points to memory of the new object, which is initialised with zero. For such results,
`release` must free the content of the struct, not the struct itself. One class therefore cannot have both objects from
such results and objects that C allocates.

Callbacks and variadic functions are not supported.

### Lengths of arrays

The required length of an array comes from one of these declarations:

* a parameter that is derived from the array: `{n: {count_of: x}}`;
* a requirement: `require: [{count: n}]` or `require: [{shape: [n, m]}]`;
* the prototype: `x[3]`, or `double x[3][3]` for the shape. `double x[][3]` and `double (*x)[3]` have as many rows as
  an `extent_of` or a `shape` declares.

If exactly one of several arrays of a C type has a length, the others get the same length. Declare the length of an
array to override this rule.

If the C function knows the length itself, write `{x: array}`, or with other keys `{x: {of: array, ...}}`. An empty list
of requirements also declares this: `{key: {of: bytes, require: []}}`.

**Output arrays.** If an array that C only writes has a default, Python can omit it:
`{y: {require: [{shape: [n, m]}], default: new}}` or `{y: {default: like x}}`. The call then allocates an array of the
class that the top-level key `arrays` names, and returns it. An array that Python passes is checked, filled and
returned.

### Results

Python gets **the result of the C function**, each `out` parameter and each new output. Several values form a tuple.
Python does not get the status that `ok` compares with `==`. The status is the result, or a parameter such as `info` in
`ok: info == 0`. `returns` overrides these rules; `returns: None` returns nothing.

The caller owns a returned object, unless `borrow` names its owner. `keeps` names an argument that the returned object
keeps alive. NULL instead of an object is a failure, unless the result is `optional`.

Errors in numbers and strings are raised first, then errors in arrays and objects, then errors of the call.

### Methods

`methods` are functions with an object of the class among their parameters. The object is the first parameter of its
type. A function without such a parameter belongs to the class: `Mixer.open(path)`.

Special methods have their Python names: `__len__`, `__bool__`, `__int__`, `__index__`, `__float__`, `__str__`,
`__repr__`, `__iter__`, `__next__`, `__call__`, `__getitem__`, `__setitem__`, `__delitem__`, `__contains__`.

* An object with `__next__` is its own iterator. `raises: StopIteration` ends the iteration.
* If `__getitem__` takes an integer, Python can iterate over the object. An `IndexError` from `raises` ends the
  iteration. A failed `require` raises a `ValueError`, which reaches the caller.

### Several classes of one C type

Several classes can have the same C type, such as a handle `Frame` and a tensor `Plane`. Each tensor is then a method of
the other classes: `frame.plane(1)` returns the C object of `frame` as a `Plane`. The new object keeps `frame` alive.
`parts` are tuples of such objects.

**The new object gets the value of each param that both classes have, with equal name and type.** A context or a size is
therefore not an argument of the method. Only the index of a part is never passed on.

All other params are arguments of the method. `require` checks them at once, and a failure is a `ValueError`. A class
does not get the method if Python cannot supply a param of the tensor:

* the param is an address without a default;
* its value **comes from the functions that return the tensor**, such as an extent that is `out`. Only these functions
  know the size of the memory. A tensor does not pass on such a param, because its value is the size of another array. A
  handle passes on such a param.

If more than 16 classes have the same type, only the handles get these methods. Tensors whose methods take arguments
are an exception: if there are at most 16 of them, all classes get their methods.

### Choices

**Lookup.** A C expression can select the value of a slot: `{of: self->type, map: {LIB_U8: uint8, LIB_F32: float32}}`.
The keys of `map` are C expressions. The generated code compares them with the value of `of`, by `==` or, for string
literals, by `strcmp`. Characters as keys need two pairs of quotes: `{"'i'": int32, "'f'": float32}`.

**`match`** sets several slots at once, by one or more values. Each of its **arms** lists values and slots. A slot
beside `match` applies to all arms that do not set it.

A value without a matching key raises a `BufferError`, unless there is a `default`.

**Preprocessor.** A slot can depend on a condition of the preprocessor:
`[{if: LIB_VERSION >= 2, value: new_pixels(self)}, {value: self->pixels}]`. Tensors, handles and arms have the key
`if`.

### Axes, strides, layouts

`order` decides whether the last or the first axis is the innermost. Without `strides`, an array is compact in that
order. `order: reversed` is for structs that count their axes from the innermost. `axis` and all lists are then in the
order of the struct, and so are `shape[]` and `strides[]` in an import.

The stride of an axis with extent 1 has no effect. An export has the stride of the struct. An import gets the stride
that a compact array has. An empty array has compact strides.

### Imports

The slots are also requirements on a foreign array:

* the rank and the constant extents of `shape`, and the `dtype`;
* `compact` if there are no `strides`;
* `inner_compact` for `strides: {outer: ...}`.

**Inverse lookup.** In an import, `code` is the library's code for the foreign array. In a `map`, it is the key whose
value is the dtype of the array. With `match`, it is the key of the arm with the dtype, rank and constant extents of
the array. If `of` has several expressions, `code[0]`, `code[1]` and so on are its keys. `device_code` is the key of
the device. An arm with several keys gives the first one, or the key that `code` names: `{any: [RGB, BGR], code: BGR}`.

If an array fits several arms, mark one with `import: true`, or the others with `import: false`. A dtype of the form
`{code: ..., bits: ...}` has no key.

**Axes.** An import may read `shape[1]` only if the array has a second axis. `shape` or `require: [{ndim: 2}]` ensures
this rank. Without them, test the rank in the expression: `ndim > 1 ? shape[1] : 1`.

### Variants

A tensor with `variants` declares several tensors. A variant can have keys of a tensor, which replace the keys beside
`variants`. The value of any other key `KEY` replaces `${KEY}` in names and values.

## Keys
"""

FURTHER_DTYPES = """\
Write all other dtypes as numbers: `{code: kDLOpaqueHandle, bits: 64}` (a pointer), `{code: kDLFloat, bits: 128}`,
`{code: kDLFloat, bits: 32, lanes: 4}`. For a dtype of a newer `dlpack.h`, write the number of its code:
`{code: 18, bits: 32}` (`kDLBcomplex`).

A constant code above 18 is accepted as written. A code above 18 that comes from a struct raises a `BufferError`,
because such a number is most likely not a dtype."""
FURTHER_DEVICES = """\
Write a device type of a newer `dlpack.h` as a number: `device: 19` (`kDLTPU`), `{type: 21, id: self->ordinal}`
(`kDLAscend`). The CPU never reads such memory."""


# ---- The search for keys of the language in specs ----
# The examples in `docs/spec.md` come from it.

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


# ---- The generator of docs/spec.md, from the declarations of the language and the specs in docs/examples ----
# In a checkout: `python -m dlpack_bindgen.spec.reference > docs/spec.md`.

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


def _section(alike: Sequence[Record], found: Sequence[Instance], sources: abc.Mapping[str, str]) -> str:
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
