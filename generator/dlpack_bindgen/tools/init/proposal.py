"""The proposal of a spec for a header: its entries and their text; and functions that are added to an existing spec."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field

import yaml

from dlpack_bindgen.calls.call import Call
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.tensor.item import Item, Tensor
from dlpack_bindgen.text.diagnostics import closest
from dlpack_bindgen.text.names import snake
from dlpack_bindgen.text.yaml import flow_list, flow_map, scalar
from dlpack_bindgen.tools.init.classes import (
    NO_RELEASE,
    ObjectClass,
    Statuses,
    classes,
    creatable,
    creates,
    creation_rank,
    freeing_word,
    is_arithmetic,
    object_class,
    object_type,
    returns,
    shared_start,
    shows_memory,
    spelled,
    statuses,
    taken_objects,
    takes,
    zeroing_twin,
)
from dlpack_bindgen.tools.init.declarations import (
    HIDDEN,
    PROPERTY,
    QUESTION,
    Enum,
    Function,
    Header,
    Member,
    class_name,
    common_words,
    is_module_name,
    library_words,
    module_name,
    python_name,
    stem,
    without,
    words,
)
from dlpack_bindgen.tools.init.header import named
from dlpack_bindgen.tools.init.layout import Layout
from dlpack_bindgen.tools.init.signatures import Names, Signature, sentence, signature, types_in

# ---- The entries of a spec: the parts that the generator accepts or refuses one by one ----

_WIDTH = 108
_COMMA = re.compile(r", (?=(?:[^\"']|\"[^\"]*\"|'[^']*')*$)")
"""A comma between the items of a list or mapping, outside of quotes."""
Place = tuple[str, ...]
"""The keys that lead to an entry: `("functions",)`, `("tensors", "Image", "methods")`."""


class Entry(Frozen):
    """A key of the spec with its lines. Entries are compared by identity, because a header can have thousands."""

    place: Place
    key: str
    lines: tuple[str, ...]
    """The lines in YAML, from the key on, without the indentation of the place."""
    needs: frozenset[str] = field(default=frozenset())
    """The names of classes and enums that the entry refers to."""
    names: frozenset[str] = field(default=frozenset())
    """The names of C by which the messages of a compiler mention the entry."""
    doubt: str = ""
    """The reason why the entry stays a comment; empty if it is proposed."""
    is_class: bool = False

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    @property
    def defines(self) -> str:
        """The name that other entries can need: of a class, a constant or a rule."""
        return self.key if self.is_class or self.place == ("constants",) or self.is_rule else ""

    @property
    def is_rule(self) -> bool:
        """Whether the entry is a rule about failures. A spec has it only if a function needs it."""
        return self.place == ("failures",)


def block(key: str, values: Sequence[tuple[str, str, str]], comments: Sequence[str] = ()) -> tuple[str, ...]:
    """Returns the lines of a mapping: the key, comments, and keys with their values and the reasons of guesses. A
    value of several lines is a mapping in YAML."""
    lines = [f"{key}:", *(f"  # {line}" for comment in comments for line in wrapped(comment))]
    for name, value, guess in values:
        line = f"  {name}: {value}"
        if "\n" in value:
            lines += [f"  # {part}" for part in wrapped(f"guess: {guess}")] if guess else []
            lines += [f"  {name}:", *(f"    {part}" for part in value.splitlines())]
            continue
        if len(line) > _WIDTH:
            lines += [f"  # {part}" for part in wrapped(f"guess: {guess}")] if guess else []
            lines += _split(name, value)
            continue
        beside = f"{line}  # guess: {guess}"
        if not guess or len(beside) <= _WIDTH:
            lines.append(beside if guess else line)
        else:
            lines += [*(f"  # {part}" for part in wrapped(f"guess: {guess}")), line]
    return tuple(lines)


def _split(name: str, value: str) -> list[str]:
    """Returns the lines of a long value: a prototype, or a list or mapping in brackets."""
    if value.startswith(("[", "{")):
        parts = _COMMA.split(value)
        lines = [f"  {name}: {parts[0]}"]
        for part in parts[1:]:
            if len(lines[-1]) + len(part) < _WIDTH - 2:
                lines[-1] += f", {part}"
            else:
                lines[-1] += ","
                lines.append(f"    {part}")
        return lines
    if value.startswith(("'", '"')):
        return [f"  {name}: {value}"]
    return [f"  {name}: >-", *(f"    {line}" for line in wrapped(value))]


def wrapped(comment: str) -> list[str]:
    """Returns the lines of a comment, without `#`. Lines of YAML in it, which begin with blanks, stay whole."""
    if comment.startswith(" "):
        return [comment]
    return textwrap.wrap(comment, _WIDTH, break_on_hyphens=False, break_long_words=False)


# ---- The text of a spec from its entries ----
# An entry that is not accepted becomes a comment with the reason.

SECTIONS = ("failures", "constants", "tensors", "handles", "functions")
_PARTS = ("new", "properties", "methods")


class Document(Frozen):
    text: str
    owners: tuple[Entry | None, ...]
    """The entry to which each line of the text belongs."""


class _Line(Frozen):
    text: str
    owner: Entry | None = None


def document(head: Sequence[str], entries: Sequence[Entry], refused: Mapping[Entry, str]) -> Document:
    """Returns the text of a spec: the lines of `head`, and the entries in the order of their sections. `refused` has
    the reason for each entry that must not count."""
    lines = [_Line(line) for line in head]
    for section in SECTIONS:
        lines += _section(section, [entry for entry in entries if entry.place[0] == section], refused)
    return Document("".join(f"{line.text}\n" for line in lines), tuple(line.owner for line in lines))


def _section(section: str, entries: Sequence[Entry], refused: Mapping[Entry, str]) -> Iterator[_Line]:
    if not entries:
        return
    top = [entry for entry in entries if len(entry.place) == 1]
    parts: dict[Place, list[Entry]] = {}
    for entry in entries:
        parts.setdefault(entry.place, []).append(entry)
    if section == "failures":
        for entry in top:
            yield from _entry(entry, 0, {}) if entry not in refused else ()
        return
    is_empty = all(entry in refused for entry in top)
    yield _Line("")
    yield _Line(f"# {section}:" if is_empty else f"{section}:")
    for entry in top:
        yield from _entry(entry, 2, refused)
        for part in _PARTS:
            yield from _part(part, parts.get((section, entry.key, part), ()), entry in refused, refused)


def _part(part: str, entries: Sequence[Entry], is_comment: bool, refused: Mapping[Entry, str]) -> Iterator[_Line]:
    """Returns the constructor, the properties or the methods of a class. `is_comment`: the class is a comment."""
    if not entries:
        return
    if part == "new":
        for entry in entries:
            yield from _entry(entry, 4, refused, 2 if is_comment else None)
        return
    commented = is_comment or all(entry in refused for entry in entries)
    yield _Line(f"  #   {part}:" if is_comment else f"    # {part}:" if commented else f"    {part}:")
    for entry in entries:
        yield from _entry(entry, 6, refused, 2 if is_comment else 4 if commented else None)


def _entry(
    entry: Entry, indent: int, refused: Mapping[Entry, str], comment_indent: int | None = None
) -> Iterator[_Line]:
    """Returns the lines of an entry. With a reason in `refused` they are comments at the place of the entry, or at
    `comment_indent` inside a larger comment."""
    reason = refused.get(entry)
    if reason is None and comment_indent is None:
        for line in entry.lines:
            yield _Line(" " * indent + line, entry)
        return
    at = indent if comment_indent is None else comment_indent
    blank = " " * (indent - at)
    if reason:
        for line in wrapped(reason):
            yield _Line(f"{' ' * at}# {blank}# {line}" if blank else f"{' ' * at}# {line}", entry)
    for line in entry.lines:
        yield _Line(f"{' ' * at}# {blank}{line}", entry)


# ---- The proposal of a spec for a header: its first lines and its entries ----

_MOST_CONSTANTS = 200
_EMITTED = ("own", "wrap", "unwrap", "type", "view", "part")
"""Endings of C names that the generator emits for a class."""
_GLIB_FAILURE = "GError **error"
_GLIB_RULE = {
    "parameter": _GLIB_FAILURE,
    "ok": "error == NULL",
    "error": "error->message",
    "finally": "g_clear_error(&error)",
}


class Proposal(Frozen):
    head: tuple[str, ...]
    entries: tuple[Entry, ...]
    has_types: bool
    """Whether the header has a struct that becomes a class."""


def proposal(header: Header, only: str | None, first_lines: Sequence[str], file_name: str = "") -> Proposal:
    """Returns the proposal for a header; with `only`, for one struct and the functions that use it. `first_lines` are
    comments, without `#`. `file_name`: the name of the spec without its ending, which is the name of the module if it
    can be one. Otherwise the module has the name of the header."""
    stem = header.include.strip("<>").rpartition("/")[2].partition(".")[0]
    module = file_name if is_module_name(file_name) else module_name(stem)
    return _Proposal(header, only, module).proposal(first_lines)


class _Proposal:
    def __init__(self, header: Header, only: str | None, module: str) -> None:
        self._header = header
        self._module = module
        self._only = only
        self._library = library_words(
            [each.name for each in header.functions] or [each.spelling for each in header.structs.values()]
        )
        self._statuses = statuses(header)
        self._classes = classes(header, self._library, only, self._statuses.structs)
        self._numbers: dict[str, str] = {}
        self._left_out = 0
        """The number of constants that the spec leaves out."""
        taken = {each.name for each in self._classes.values()}
        self._enums = dict(self._named_enums(taken))
        self._class_names = taken
        glib = header.has_objects_of_glib
        self._methods: dict[str, list[Function]] = {}
        """The functions of the classes."""
        self._freeing = [each for each in header.functions if freeing_word(each)]
        """The functions that may free an object, by their names."""
        self._creatable = creatable(header.functions, self._classes)
        self._names = Names(
            self._classes, self._enums, self._statuses, self._creatable, types_in(header), _GLIB_FAILURE if glib else ""
        )

    def proposal(self, first_lines: Sequence[str]) -> Proposal:
        used = self._used_functions()
        for function in used:
            home = self._home_of(function)
            if home is not None:
                self._methods.setdefault(home.name, []).append(function)
        entries = [
            *self._rules(),
            *self._constants(),
            *(entry for each in self._classes.values() for entry in self._class(each)),
        ]
        entries += self._functions(used)
        wanted = {name for entry in entries for name in entry.needs}
        if self._only is not None:
            entries = [entry for entry in entries if entry.place != ("constants",) or entry.key in wanted]
        return Proposal(tuple(self._head(first_lines)), tuple(entries), bool(self._classes))

    def _head(self, first_lines: Sequence[str]) -> Iterator[str]:
        header = self._header
        include = [*header.before, header.include]
        yield from (f"# {line}" for line in first_lines)
        yield "# Check each `# guess`: it comes from names. Answer each `# open`, and remove the `#` before the keys."
        yield "# docs/spec.md explains all keys; `dlpack-bindgen generate` checks this file and writes the module."
        if self._left_out and self._only is None:
            yield f"# The header has {self._left_out} more constants. Add those that Python needs to `constants`."
        yield "dlpack-bindgen: 1"
        yield f"module: {self._module}"
        if self._declares_emitted_names(self._module):
            yield f"prefix: {self._module}_py  # the header declares a name that {self._module} would emit"
        yield f"include: {flow_list(include)}"
        if self._numbers:
            yield f"numbers: {flow_map(dict(sorted(self._numbers.items())))}"
        if any(each.retain or each.release for each in self._classes.values()):
            success = "" if self._statuses.structs else self._statuses.constant
            value = f"`ok: == {success}`" if success else "`ok` with the value of success, such as `ok: == 0`,"
            yield f"# Functions that return a status: add {value} to raise an exception for other results."

    def _declares_emitted_names(self, prefix: str) -> bool:
        """Returns whether the header declares a name that the C of a class would have with this prefix."""
        types = (name for struct in self._header.structs.values() for name in struct.names)
        declared = {*(each.name for each in self._header.functions), *types}
        starts = [f"{prefix}_{snake(name)}" for name in sorted(self._class_names)]
        return any(f"{start}_{ending}" in declared for start in starts for ending in _EMITTED)

    def _rules(self) -> Iterator[Entry]:
        """Returns the rules about failures, as one entry."""
        rules = [(_GLIB_RULE, "")] if self._names.failure else []
        for spelling, each in spelled(self._statuses.structs):
            rules.append(({"result": spelling, "ok": each.ok, "error": each.error}, each.guess))
        lines = [line for rule, guess in rules for line in _rule(rule, guess)]
        if lines:
            yield Entry(("failures",), "failures", ("failures:", *(f"  {line}" for line in lines)))

    # ---- Constants ----

    def _named_enums(self, taken: set[str]) -> Iterator[tuple[str, str]]:
        for key, enum in self._header.enums.items():
            if enum.spelling and enum.values:
                name = class_name(enum.spelling, self._library)
                while name in taken:
                    name += "_"
                taken.add(name)
                yield key, name

    def _constants(self) -> Iterator[Entry]:
        taken = {each.name for each in self._classes.values()}
        for key, name in self._enums.items():
            yield self._enum(self._header.enums[key], name)
        plain: list[tuple[str, str, str]] = [
            (name, name, "int") for each in self._header.enums.values() if not each.spelling for name, _ in each.values
        ]
        plain += [(each.name, each.name, each.kind) for each in self._header.macros if each.kind != "char"]
        taken |= set(self._enums.values())
        shared = library_words([constant for constant, _, _ in plain])
        self._left_out = max(len(plain) - _MOST_CONSTANTS, 0)
        for constant, value, kind in plain[:_MOST_CONSTANTS]:
            name = python_name(without(shared, constant), taken)
            taken.add(name)
            line = f"{name}: {value}" if kind == "int" else f"{name}: {flow_map({'value': value, 'type': kind})}"
            yield Entry(("constants",), name, (line,), names=frozenset((constant,)))

    def _enum(self, enum: Enum, name: str) -> Entry:
        shared = common_words([each for each, _ in enum.values])
        members: dict[str, str] = {}
        for constant, _ in enum.values:
            members.setdefault(python_name(without(shared, constant).upper(), ("MRO",)), constant)
        values = [value for _, value in enum.values]
        is_flags = len(values) > 2 and all(value > 0 and value & (value - 1) == 0 for value in values)
        kind = "flags" if is_flags and {"flags", "flag", "mask"} & set(words(enum.spelling)) else "enum"
        line = f"{name}: {{{kind}: {flow_map(members)}}}"
        lines = (
            (line,) if len(line) < 110 else (f"{name}:", f"  {kind}:", *(f"    {k}: {v}" for k, v in members.items()))
        )
        return Entry(("constants",), name, lines, names=frozenset(each for each, _ in enum.values))

    # ---- Classes ----

    def _class(self, each: ObjectClass) -> Iterator[Entry]:
        section = "tensors" if each.is_tensor else "handles"
        ends = self._ends(each)
        if each.layout is not None and not each.is_tensor:
            yield self._undecided(each, ends)
        slots = (
            [(slot.key, slot.value, slot.guess) for slot in each.layout.slots] if each.is_tensor and each.layout else []
        )
        values = [("type", scalar(each.type, False), ""), *([("pass", "value", "")] if each.by_value else [])]
        values += [*self._doc(each), *slots, *ends]
        comments = []
        if each.is_tensor and each.layout is not None:
            for question in each.layout.questions:
                comments += [f"open: {question.text}:", *(f"  {choice}" for choice in question.choices)]
        if each.release is None and not each.is_record:
            comments.append(
                "open: which function frees the object? Without `release` it is borrowed: release: FREE(self)"
            )
            named = [function.name for function in self._freeing if takes(function, each.struct.key)]
            if named:
                comments.append(f"open: by their names, these functions may free it: {', '.join(named)}")
        names = frozenset(filter(None, (each.type, *(pair[1] for pair in (each.release, each.retain) if pair))))
        yield Entry((section,), each.name, block(each.name, values, comments), frozenset(), names, is_class=True)
        yield from self._members(each, section)

    def _arrays(self, each: ObjectClass, taken: set[str]) -> Iterator[Entry]:
        """Returns a tensor for each array in the struct of a handle, and the attribute of the handle that shows it."""
        for array in each.arrays:
            name = f"{each.name}{''.join(word.capitalize() for word in words(array.name))}"
            if name in self._class_names:
                continue
            self._class_names.add(name)
            values = [("type", scalar(each.type, False), ""), *([("pass", "value", "")] if each.by_value else [])]
            values += [("data", scalar(array.data, False), ""), ("dtype", array.dtype, array.dtype_guess)]
            values.append(("shape", flow_list(array.shape), array.guess))
            values += [("strides", array.strides, "")] if array.strides else []
            listed = ", ".join(f"self->{length}" for length in array.lengths)
            doubt = f"open: which length has `{array.name}`? Replace N: {listed}" if array.lengths else ""
            doubt = f"open: {array.question}" if array.question else doubt
            lines = block(name, values)
            yield Entry(("tensors",), name, lines, frozenset((each.name,)), frozenset((array.name,)), doubt, True)
            if not doubt:
                key = python_name(array.name, taken)
                taken.add(key)
                line = f"{key}: {{get: self, type: {name}}}"
                yield Entry(("handles", each.name, "properties"), key, (line,), frozenset((name,)))

    def _planes(self, each: ObjectClass) -> Iterator[Entry]:
        """Returns a tensor for each kind of planes of a handle. The handle gets a method with its name."""
        for found in each.planes:
            own = "".join(word.capitalize() for word in found.words)
            name = own if own not in self._class_names else f"{each.name}{own}"
            if name in self._class_names:
                continue
            self._class_names.add(name)
            values = [("type", scalar(each.type, False), ""), *([("pass", "value", "")] if each.by_value else [])]
            values += [("params", f"[{found.param}]", ""), ("let", _steps(found.steps), "")]
            values += [(slot.key, slot.value, slot.guess) for slot in found.slots]
            comments = []
            for question in found.questions:
                comments += [f"open: {question.text}", *(f"  {choice}" for choice in question.choices)]
            doubt = "" if found.is_complete else f"open: answer the questions about {name}, and remove the `#`"
            names = frozenset((found.function,))
            lines = block(name, values, comments)
            yield Entry(("tensors",), name, lines, frozenset((each.name,)), names, doubt, True)

    def _ends(self, each: ObjectClass) -> list[tuple[str, str, str]]:
        values = []
        if each.retain is not None and each.release is not None:
            values.append(("retain", scalar(each.retain[0], False), f"`{each.retain[1]}` takes a reference"))
        if each.is_record:
            values.append(("release", NO_RELEASE, ""))
        elif each.release is not None:
            guess = f"`{each.release[1]}` frees it, by its name" if each.release[1] else ""
            if not guess and each.has_pointers:
                guess = "it owns no memory, since no function is named as one that frees it"
            values.append(("release", scalar(each.release[0], False), guess))
        return values

    def _doc(self, each: ObjectClass) -> list[tuple[str, str, str]]:
        doc = sentence(each.struct.comment)
        return [("doc", scalar(doc, False), "")] if doc else []

    def _undecided(self, each: ObjectClass, ends: Sequence[tuple[str, str, str]]) -> Entry:
        """Returns the tensor that answers to the open questions would complete, as a comment."""
        found = each.layout
        assert found is not None
        comments = []
        for question in found.questions:
            comments += [f"open: {question.text}", *(f"  {choice}" for choice in question.choices)]
        values = [("type", scalar(each.type, False), ""), *([("pass", "value", "")] if each.by_value else [])]
        values += [*((slot.key, slot.value, slot.guess) for slot in found.slots), *ends]
        doubt = f"open: {each.name} looks like an array. Complete it here, and remove the handle {each.name} below"
        return Entry(("tensors",), each.name, block(each.name, values, comments), doubt=doubt)

    def _members(self, each: ObjectClass, section: str) -> Iterator[Entry]:
        key = each.struct.key
        taken: set[str] = set()
        own = list(self._methods.get(each.name, ()))
        makers = sorted((function for function in own if self._is_maker(function, key)), key=creation_rank)
        for function in makers:
            found = signature(function, self._names)
            if found.doubt:
                continue
            zeroing = zeroing_twin(function, makers) if each.shows_memory else None
            if zeroing is not None and not signature(zeroing, self._names).doubt:
                reason = f"its elements are 0, unlike those of `{function.name}`"
                function, found = zeroing, signature(zeroing, self._names, reason)
            yield self._entry((section, each.name, "new"), "new", function, found)
            own.remove(function)
            break
        if each.is_record:
            yield Entry((section, each.name, "new"), "new", ("new: {}",))
        used_expressions = each.layout.used if each.layout is not None else frozenset()
        for member in each.struct.members:
            if f"self->{member.name}" not in used_expressions:
                yield from self._property_of_member(each, section, member, taken)
        yield from self._arrays(each, taken)
        yield from self._planes(each)
        described = {found.function for found in each.planes if found.is_complete}
        for function in own:
            if function.name in described:
                continue
            if self._is_getter(function, key):
                yield self._property(each, section, function, taken)
            else:
                name = python_name(self._method_name(each, function), taken)
                taken.add(name)
                found = signature(function, self._names)
                yield self._entry((section, each.name, "methods"), name, function, found)

    def _property_of_member(self, each: ObjectClass, section: str, member: Member, taken: set[str]) -> Iterator[Entry]:
        target = member.type.pointed
        is_string = member.type.kind == "pointer" and target is not None and target.kind == "char"
        if "." in member.name or "[" in member.name or member.in_union or set(words(member.name)) & HIDDEN:
            return
        value = {"get": f"self->{member.name}", **({"set": "true"} if each.is_record and not is_string else {})}
        needs: frozenset[str] = frozenset()
        if member.type.kind == "enum" and member.type.declaration in self._enums:
            value["type"] = self._enums[member.type.declaration]
            needs = frozenset((value["type"],))
        elif member.type.kind in ("float", "bool", "complex"):
            value["type"] = member.type.kind
        elif is_string and target is not None and target.is_const:
            value["type"] = "str"
        elif member.type.kind not in ("int", "enum"):
            return
        name = python_name(member.name, taken)
        taken.add(name)
        line = f"{name}: {scalar(value['get'], False)}" if len(value) == 1 else f"{name}: {flow_map(value)}"
        yield Entry((section, each.name, "properties"), name, (line,), needs, frozenset((member.name,)))

    def _is_getter(self, function: Function, key: str) -> bool:
        if len(function.parameters) != 1 or not object_type(function.parameters[0].type, key):
            return False
        target = function.parameters[0].type.target
        own = set(words(function.name))
        reads = "get" in own or (target is not None and target.is_const and bool(own & PROPERTY))
        result = function.result.pointed
        is_string = result is not None and result.kind == "char" and result.is_const
        plain = function.result.is_number or (
            function.result.kind == "enum" and function.result.declaration not in self._statuses.success
        )
        return reads and (plain or is_string) and not creates(function)

    def _property(self, each: ObjectClass, section: str, function: Function, taken: set[str]) -> Entry:
        value = {"get": f"{function.name}(self)"}
        needs: frozenset[str] = frozenset()
        enum = self._enums.get(function.result.declaration)
        if enum is not None:
            value["type"] = enum
            needs = frozenset((enum,))
        elif function.result.kind in ("float", "bool", "complex", "char"):
            value["type"] = function.result.kind
        elif function.result.kind == "pointer":
            value["type"] = "str"
        elif QUESTION & set(words(function.name)):
            value["type"] = "bool"
        own = self._method_name(each, function)
        name = python_name(re.sub(r"^[gG]et_?(?=\w)", "", own), taken)
        taken.add(name)
        line = f"{name}: {scalar(value['get'], False)}" if len(value) == 1 else f"{name}: {flow_map(value)}"
        return Entry((section, each.name, "properties"), name, (line,), needs, frozenset((function.name,)))

    def _method_name(self, each: ObjectClass, function: Function) -> str:
        shared = shared_start(function.name, each.own_words)
        if shared == list(each.own_words[: len(shared)]) and len(shared) > len(self._library):
            return without(shared, function.name)
        return without(self._library, function.name)

    def _is_maker(self, function: Function, key: str) -> bool:
        return returns(function, key) and creates(function) and not takes(function, key)

    # ---- Functions ----

    def _used_functions(self) -> list[Function]:
        """Returns the functions that no class uses for the lifetime of its objects."""
        ends = {pair[1] for each in self._classes.values() for pair in (each.release, each.retain) if pair}
        return [each for each in self._header.functions if each.name not in ends]

    def _home_of(self, function: Function) -> ObjectClass | None:
        """Returns the class of which a function is a method: that of its first parameter, or of the object that it
        creates."""
        if function.parameters and (found := object_class(function.parameters[0].type, self._classes)) is not None:
            return found
        if any(key in self._classes for key in taken_objects(function)) or not creates(function):
            return None
        return object_class(function.result, self._classes)

    def _functions(self, used: Sequence[Function]) -> Iterator[Entry]:
        taken = {each.name for each in self._classes.values()}
        for function in used:
            if self._home_of(function) is not None or (self._only is not None and not self._concerns(function)):
                continue
            name = python_name(without(self._library, function.name), taken)
            taken.add(name)
            yield self._entry(("functions",), name, function, signature(function, self._names))

    def _concerns(self, function: Function) -> bool:
        return object_class(function.result, self._classes) is not None or bool(
            self._classes.keys() & taken_objects(function)
        )

    def _entry(self, place: Place, key: str, function: Function, found: Signature) -> Entry:
        lines = block(key, found.values, found.comments)
        if not found.doubt:
            self._numbers.update(found.numbers)
        return Entry(place, key, lines, found.needs, frozenset((function.name,)), found.doubt)


def _steps(steps: Sequence[str]) -> str:
    """Returns the steps of `let` in YAML: one step in brackets, several steps in a line each."""
    return f"[{steps[0]}]" if len(steps) == 1 else "\n".join(f"- {step}" for step in steps)


def _rule(rule: Mapping[str, str], guess: str) -> Iterator[str]:
    """Yields the lines of a rule about failures."""
    yield from (f"# {line}" for line in wrapped(f"guess: {guess}")) if guess else ()
    yield f"- {flow_map(rule)}"


def types_of(header: Header) -> list[str]:
    """Returns the names of the structs, for a message."""
    return [each.spelling or each.pointer_typedef for each in header.structs.values()]


# ---- Functions that are added to the text of an existing spec ----
# All other lines of the text stay as they are.

Refused = Callable[[str], "str | None"]
"""Checks the text of a spec, and returns the reason why it is refused, or None."""


class AdditionError(Exception):
    """Raised if a function cannot be added. The message is one line and names the remedy."""


class Addition(Frozen):
    text: str
    """The whole spec with the function."""
    reason: str
    """The reason why the function is a comment; empty if the spec calls it."""
    guesses: tuple[str, ...]


def added(text: str, spec: Spec, header: Header, name: str, refused: Refused) -> Addition:
    """Returns the text of a spec with one more function of its headers: a method if the spec has the class of its first
    parameter, else a function of the module."""
    function = next((each for each in header.functions if each.name == name), None)
    if function is None:
        raise AdditionError(_not_declared(name, spec.includes, [each.name for each in header.functions]))
    if any(each.prototype.name == name for each in _called(spec)):
        raise AdditionError(f"the spec calls {name} already: change that entry")
    names = _names(text, spec, header)
    found = signature(function, names)
    place = _place(text, function, names.classes)
    key = _key(text, place, function, names.classes, header)
    if not found.doubt:
        whole = _inserted(text, place, key, found, "")
        reason = refused(whole)
        if reason is None:
            return Addition(whole, "", tuple(guess for _, _, guess in found.values if guess))
    else:
        reason = found.doubt
    return Addition(_inserted(text, place, key, found, reason), reason, ())


def _not_declared(name: str, includes: Sequence[str], known: Sequence[str]) -> str:
    if not includes:
        return f"the spec has no `include`: add the header that declares {name}"
    message = f"{named(includes)} {'declare' if len(includes) > 1 else 'declares'} no function {name}"
    meant = closest(name, known)
    return f"{message}: did you mean {meant}?" if meant is not None else f"{message}: add its header to `include`"


def _called(spec: Spec) -> list[Call]:
    items = (*spec.tensors, *spec.handles)
    own = [function for item in items for function in (*item.methods, *([item.new] if item.new else []))]
    return [*spec.functions, *own]


def _names(text: str, spec: Spec, header: Header) -> Names:
    """Returns the classes and enums of a spec, by the structs and enums of its headers."""
    classes: dict[str, ObjectClass] = {}
    for item in (*spec.handles, *spec.tensors):
        key = next((key for key, struct in header.structs.items() if item.type in struct.names), None)
        if key is not None:
            classes.setdefault(key, _class_of(item, header, key))
    enums = {}
    for enum in spec.enums:
        values = {value for _, value in enum.members}
        for key, each in header.enums.items():
            if values & {name for name, _ in each.values}:
                enums[key] = enum.name
    rule = _node(text, ("failures",))
    failure = next((each.value for each in _scalars(rule) if each.value.startswith("GError **")), "")
    known = creatable(header.functions, classes)
    return Names(classes, enums, _reported(statuses(header), rule), known, types_in(header), failure)


def _reported(found: Statuses, rule: yaml.Node | None) -> Statuses:
    """Returns the statuses of a header. Only those structs report failures about which the spec has a rule."""
    said = {each.value for each in _scalars(rule)}
    structs = {key: each for key, each in found.structs.items() if said & set(each.spellings)}
    return Statuses(found.success, found.messages, structs, found.constant)


def _scalars(node: yaml.Node | None) -> Iterator[yaml.ScalarNode]:
    if isinstance(node, yaml.ScalarNode):
        yield node
    elif isinstance(node, yaml.SequenceNode):
        yield from (each for item in node.value for each in _scalars(item))
    elif isinstance(node, yaml.MappingNode):
        yield from (each for _, value in node.value for each in _scalars(value))


def _class_of(item: Item, header: Header, key: str) -> ObjectClass:
    release = (item.release, item.release) if item.release is not None else None
    retain = (item.retain, item.retain) if item.retain is not None else None
    struct = header.structs[key]
    layout = Layout((), (), frozenset()) if isinstance(item, Tensor) else None
    users = [each for each in header.functions if takes(each, key)]
    return ObjectClass(
        item.name,
        struct,
        item.type,
        item.by_value,
        layout,
        release,
        retain,
        tuple(stem(struct.spelling)),
        shows_memory=layout is not None or shows_memory(struct, users),
        is_arithmetic=is_arithmetic(users),
    )


# ---- The place in the spec ----


def _place(text: str, function: Function, classes: Mapping[str, ObjectClass]) -> Place:
    for key, each in classes.items():
        is_first = bool(function.parameters) and object_type(function.parameters[0].type, key)
        is_created = object_type(function.result, key) and creates(function) and not takes(function, key)
        for section in ("tensors", "handles"):
            if (is_first or is_created) and _node(text, (section, each.name)) is not None:
                return section, each.name, "methods"
    return ("functions",)


def _key(text: str, place: Place, function: Function, classes: Mapping[str, ObjectClass], header: Header) -> str:
    library = library_words(each.name for each in header.functions if each.name.startswith(function.name[:3]))
    own = next((each.own_words for each in classes.values() if place[1:2] == (each.name,)), ())
    shared = [word for word, other in zip(words(function.name), own, strict=False) if word == other]
    name = without(shared if len(shared) > len(library) else library, function.name)
    node = _node(text, place)
    taken = [key.value for key, _ in node.value] if isinstance(node, yaml.MappingNode) else []
    return python_name(name, taken)


def _node(text: str, place: Sequence[str]) -> yaml.Node | None:
    """Returns the value at a place of the YAML text; None: there is none."""
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    for part in place:
        entries = node.value if isinstance(node, yaml.MappingNode) else []
        node = next((value for key, value in entries if key.value == part), None)
    return node


# ---- The text ----


def _inserted(text: str, place: Place, key: str, found: Signature, reason: str) -> str:
    """Returns the text with an entry at the end of the mapping at `place`. With a reason, the entry is a comment."""
    missing: list[str] = []
    node = _node(text, place)
    while not isinstance(node, yaml.MappingNode):
        missing.insert(0, place[len(place) - 1 - len(missing)])
        node = _node(text, place[: len(place) - len(missing)])
    if node.flow_style and not reason:
        return _in_braces(text, node, missing, key, found)
    lines = list(block(key, found.values, found.comments))
    for part in reversed(missing):
        lines = [f"{part}:", *(f"  {line}" for line in lines)]
    if reason:
        lines = [f"# {line}" for line in (*wrapped(reason), *lines)]
    column, line = _end(text, node)
    end = "\r\n" if "\r\n" in text else "\n"
    kept = text.splitlines(keepends=True)
    before = "".join(kept[:line])
    gap = "" if not before or before.endswith("\n") else end
    blank = end if missing and not place[1:] else ""
    new = "".join(f"{' ' * column}{each}{end}" for each in lines)
    return f"{before}{gap}{blank}{new}{''.join(kept[line:])}"


def _end(text: str, node: yaml.MappingNode) -> tuple[int, int]:
    """Returns the column of the keys of a mapping, and the line before which its next entry begins."""
    lines = text.splitlines()
    column = int(node.start_mark.column)
    if node.flow_style:
        start = lines[node.start_mark.line]
        return len(start) - len(start.lstrip()), int(node.end_mark.line) + 1
    line = int(node.end_mark.line) + (node.end_mark.column > column)
    line = min(line, len(lines))
    while line > 0 and _is_outside(lines[line - 1], column):
        line -= 1
    return column, line


def _is_outside(line: str, column: int) -> bool:
    """Returns whether a line is empty, or a comment to the left of the keys of a mapping."""
    stripped = line.lstrip()
    return not stripped or (stripped.startswith("#") and len(line) - len(stripped) < column)


def _in_braces(text: str, node: yaml.MappingNode, missing: Sequence[str], key: str, found: Signature) -> str:
    """Returns the text with an entry in a mapping that is written in braces. The entry has no comments there.

    It follows the last value, because a comment can stand before the closing brace."""
    listed = ", ".join(f"{name}: {_between_braces(value)}" for name, value, _ in found.values)
    entry = f"{key}: {{{listed}}}"
    for part in reversed(missing):
        entry = f"{part}: {{{entry}}}"
    at = int(node.value[-1][1].end_mark.index if node.value else node.start_mark.index + 1)
    comma = ", " if node.value else ""
    return f"{text[:at]}{comma}{entry}{text[at:]}"


def _between_braces(value: str) -> str:
    """Returns a value of YAML with the quotes that it needs between braces."""
    return value if value.startswith(("{", "[")) else scalar(str(yaml.load(value, Loader=yaml.BaseLoader)))
