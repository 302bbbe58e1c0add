"""The proposal of a spec for a header: its entries and their text."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.draft import Answer
from dlpack_bindgen.text.names import snake
from dlpack_bindgen.text.yaml import flow_list, flow_map, scalar
from dlpack_bindgen.tools.init.classes import (
    NO_RELEASE,
    Ends,
    ObjectClass,
    classes,
    creatable,
    creation_rank,
    object_class,
    object_type,
    returns,
    shared_start,
    spelled,
    statuses,
    taken_objects,
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
    without,
    words,
)
from dlpack_bindgen.tools.init.facts import structs_of_library
from dlpack_bindgen.tools.init.questions import Answers, Asked, Point, grouped
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
    is_asked: bool = False
    """Whether questions are open about functions of the class."""

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
    asked: tuple[Asked, ...]
    """The questions about the functions that are no entries."""
    numbers: tuple[tuple[str, str], ...] = ()
    """The number types that only the header defines, each with its kind."""
    records: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The structs that are elements of arrays, with their members."""
    keeps_arrays: bool = False
    """Whether C keeps arrays, which needs the key `arrays`."""


def proposal(
    header: Header,
    only: str | None,
    first_lines: Sequence[str],
    file_name: str = "",
    answers: Answers | None = None,
    names: Mapping[str, str] = MappingProxyType({}),
) -> Proposal:
    """Returns the proposal for a header; with `only`, for one struct and the functions that use it. `first_lines` are
    comments, without `#`. `file_name`: the name of the spec without its ending, which is the name of the module if it
    can be one. Otherwise the module has the name of the header. `names` are the names of classes by their C types."""
    stem = header.include.strip("<>").rpartition("/")[2].partition(".")[0]
    module = file_name if is_module_name(file_name) else module_name(stem)
    return _Proposal(header, only, module, answers or Answers(), names).proposal(first_lines)


class _Proposal:
    def __init__(
        self, header: Header, only: str | None, module: str, answers: Answers, names: Mapping[str, str]
    ) -> None:
        self._header = header
        self._answers = answers
        self._module = module
        self._only = only
        self._library = library_words(
            [each.name for each in header.functions] or [each.spelling for each in header.structs.values()]
        )
        self._statuses = statuses(header)
        self._endings = Ends(header, self._library, answers)
        self._classes = classes(header, self._endings, self._library, only, self._statuses.structs, names)
        self._numbers: dict[str, str] = {}
        self._left_out = 0
        """The number of constants that the spec leaves out."""
        taken = {each.name for each in self._classes.values()}
        self._enums = dict(self._named_enums(taken))
        self._class_names = taken
        glib = header.has_objects_of_glib
        self._methods: dict[str, list[Function]] = {}
        """The functions of the classes."""
        self._of_data = {
            name for each in self._classes.values() if each.layout and each.layout.is_complete for name in each.called
        }
        """The functions that the layouts of opaque structs call. They are asked about there."""
        self._points: list[tuple[Point, ...]] = []
        """The open questions about each function that is no entry, and about the tensors."""
        self._records: dict[str, tuple[str, ...]] = {}
        self._keeps_arrays = False
        self._names = Names(
            self._classes,
            self._enums,
            self._statuses,
            creatable(header.functions, self._classes),
            types_in(header),
            answers,
            tuple(self._library),
            self._endings,
            frozenset(name for each in self._classes.values() for name in {*each.called} - {*each.undecided}),
            structs_of_library(header),
            _GLIB_FAILURE if glib else "",
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
        return Proposal(
            tuple(self._head(first_lines)),
            tuple(entries),
            bool(self._classes),
            grouped(self._points),
            tuple(sorted(self._numbers.items())),
            tuple(self._records.items()),
            self._keeps_arrays,
        )

    def _head(self, first_lines: Sequence[str]) -> Iterator[str]:
        header = self._header
        include = [*header.before, header.include]
        yield from (f"# {line}" for line in first_lines)
        yield "# Check each `# guess`: it comes from names. Answer each `# open`, and remove the `#` before the keys."
        if self._points:
            yield "# Answer the questions of `draft` below, and run `dlpack-bindgen init --update` on this file."
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
        if self._keeps_arrays:
            yield "arrays: Array"
        if self._records:
            yield "records:"
            yield from (f"  {scalar(name)}: {flow_list(members)}" for name, members in self._records.items())
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
        if each.layout is not None and not each.layout.is_complete:
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
        if each.release is None and not each.is_record and each.struct.key not in self._endings.asked.values():
            comments.append(
                "open: which function frees the object? Without `release` it is borrowed: release: FREE(self)"
            )
        if each.is_tensor and each.layout is not None and each.layout.cases:
            about = f"{each.name}.require"
            self._points.append(
                tuple(Point(about, case.name, Answer("case", case.value)) for case in each.layout.cases)
            )
        if each.undecided and each.layout is not None and each.layout.is_complete:
            about = f"{each.name}.data"
            self._points.append(tuple(Point(about, name, Answer("reads")) for name in each.undecided))
        names = frozenset(filter(None, (each.type, *(pair[1] for pair in (each.release, each.retain) if pair))))
        before = len(self._points)
        members = list(self._members(each, section))
        lines = block(each.name, values, comments)
        is_asked = len(self._points) > before
        yield Entry((section,), each.name, lines, frozenset(), names, is_class=True, is_asked=is_asked)
        yield from members

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
            values.append(("retain", scalar(each.retain[0], False), ""))
        if each.is_record:
            values.append(("release", NO_RELEASE, ""))
        elif each.release is not None:
            is_open = not each.release[1] and each.has_pointers
            guess = "it owns no memory, since no function is known to free it" if is_open else ""
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
            if not found.is_entry:
                continue
            zeroing = zeroing_twin(function, makers) if each.shows_memory else None
            if zeroing is not None and signature(zeroing, self._names).is_entry:
                reason = f"its elements are 0, unlike those of `{function.name}`"
                function, found = zeroing, signature(zeroing, self._names, reason)
            yield from self._entry((section, each.name, "new"), "new", function, found)
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
            found = signature(function, self._names)
            if found.is_entry and self._is_getter(function, key):
                yield self._property(each, section, function, taken)
                continue
            if found.records:  # an array of structs is no object
                name = python_name(without(self._library, function.name))
                yield from self._entry(("functions",), name, function, found)
                continue
            name = python_name(self._method_name(each, function), taken)
            if found.is_entry or found.doubt:
                taken.add(name)
            yield from self._entry((section, each.name, "methods"), name, function, found)

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
        reads = (
            "get" in own
            or function.name in self._names.reading
            or (target is not None and target.is_const and bool(own & PROPERTY))
        )
        result = function.result.pointed
        is_string = result is not None and result.kind == "char" and result.is_const
        plain = function.result.is_number or (
            function.result.kind == "enum" and function.result.declaration not in self._statuses.success
        )
        return reads and (plain or is_string)

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
        """Returns whether a function makes an object from other things than objects: by its type, or by an answer."""
        answers = {each.word for each in self._answers.of("results", function.name)}
        is_new = function.name in self._endings.makers or "new" in answers
        return is_new and returns(function, key) and not taken_objects(function) & self._classes.keys()

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
        found = object_class(function.result, self._classes)
        return found if found is not None and self._is_maker(function, found.struct.key) else None

    def _functions(self, used: Sequence[Function]) -> Iterator[Entry]:
        taken = {each.name for each in self._classes.values()}
        for function in used:
            if self._home_of(function) is not None or (self._only is not None and not self._concerns(function)):
                continue
            name = python_name(without(self._library, function.name), taken)
            found = signature(function, self._names)
            if found.is_entry or found.doubt:
                taken.add(name)
            yield from self._entry(("functions",), name, function, found)

    def _concerns(self, function: Function) -> bool:
        return object_class(function.result, self._classes) is not None or bool(
            self._classes.keys() & taken_objects(function)
        )

    def _entry(self, place: Place, key: str, function: Function, found: Signature) -> Iterator[Entry]:
        """Yields the entry of a function. One with open questions is no entry, and a comment if no entry can describe
        it."""
        if function.name in self._of_data and (found.points or function.result.pointed is not None):
            return
        if found.points and not found.doubt:
            self._points.append(found.points)
        elif not found.is_left_out:
            if found.is_entry:
                self._numbers.update(found.numbers)
                self._records.update(found.records)
                self._keeps_arrays |= found.keeps_arrays
            yield Entry(place, key, block(key, found.values), found.needs, frozenset((function.name,)), found.doubt)


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
