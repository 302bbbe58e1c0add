"""Changes of an existing spec: functions that are added by name, and the entries that answers decide.

All other lines of the text stay as they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import yaml

from dlpack_bindgen.calls.call import Call
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.draft import NEW, Question
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.tensor.item import Item, Tensor
from dlpack_bindgen.text.diagnostics import closest
from dlpack_bindgen.text.yaml import flow_list, scalar
from dlpack_bindgen.tools.init.classes import (
    Ends,
    ObjectClass,
    Statuses,
    creatable,
    object_type,
    shows_memory,
    statuses,
    takes,
)
from dlpack_bindgen.tools.init.declarations import (
    Function,
    Header,
    library_words,
    python_name,
    stem,
    without,
    words,
)
from dlpack_bindgen.tools.init.facts import structs_of_library
from dlpack_bindgen.tools.init.header import named
from dlpack_bindgen.tools.init.layout import Layout
from dlpack_bindgen.tools.init.proposal import Entry, Place, Proposal, block, wrapped
from dlpack_bindgen.tools.init.questions import ACCEPTED, Answers, Asked, Point, question_lines
from dlpack_bindgen.tools.init.signatures import Names, Signature, signature, types_in

# ---- Functions that are added by name ----

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
    names = _names(text, spec, header, Answers(spec.questions))
    found = signature(function, names)
    place = _place(text, function, names.classes)
    key = _key(text, place, function, names.classes, header)
    reason = found.doubt or _open(found)
    if found.points:
        answers = Answers(spec.questions).with_points(found.points)
        found = signature(function, _names(text, spec, header, answers))
    lines = block(key, found.values)
    if not reason:
        whole = inserted(text, place, lines)
        refusal = refused(whole)
        if refusal is None:
            return Addition(whole, "", tuple(guess for _, _, guess in found.values if guess))
        reason = refusal
    return Addition(inserted(text, place, lines, reason), reason, ())


def _open(found: Signature) -> str:
    """Returns the questions about a function that are open, for a comment."""
    asked = [f"{each.question}: {_choice(each)}" for each in found.points]
    return f"open: {'; '.join(asked)}. It is written as suggested" if asked else ""


def _choice(point: Point) -> str:
    words = [f"{each.name}..." if each.has_value else each.name for each in Asked(point.question, (point,)).kind.words]
    return f"{', '.join(words[:-1])} or {words[-1]}?" if words[1:] else f"{words[0]}?"


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


def _names(text: str, spec: Spec, header: Header, answers: Answers) -> Names:
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
    library = library_words([each.name for each in header.functions])
    return Names(
        classes,
        enums,
        _reported(statuses(header), rule),
        known,
        types_in(header),
        answers,
        tuple(library),
        Ends(header, library, answers),
        owned=structs_of_library(header),
        failure=failure,
    )


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
    )


# ---- The place in the spec ----


def _place(text: str, function: Function, classes: Mapping[str, ObjectClass]) -> Place:
    for key, each in classes.items():
        is_first = bool(function.parameters) and object_type(function.parameters[0].type, key)
        is_created = object_type(function.result, key) and not takes(function, key)
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


def inserted(text: str, place: Place, lines: Sequence[str], reason: str = "") -> str:
    """Returns the text with an entry at the end of the mapping at `place`. With a reason, the entry is a comment."""
    missing: list[str] = []
    node = _node(text, place)
    while not isinstance(node, yaml.MappingNode):
        missing.insert(0, place[len(place) - 1 - len(missing)])
        node = _node(text, place[: len(place) - len(missing)])
    if node.flow_style and not reason:
        return _in_braces(text, node, missing, lines)
    for part in reversed(missing):
        lines = [f"{part}:", *(f"  {line}" for line in lines)]
    if reason:
        lines = [f"# {line}" for line in (*wrapped(reason), *lines)]
    column, line = _end(text, node)
    is_section = not place or (bool(missing) and not place[1:])
    draft = _lines_of(text, ("draft",)) if is_section and place != ("draft",) else range(0)
    if draft:  # the questions stay at the end
        line = draft.start
        lines = [*lines, ""]
    end = "\r\n" if "\r\n" in text else "\n"
    kept = text.splitlines(keepends=True)
    before = "".join(kept[:line])
    gap = "" if not before or before.endswith("\n") else end
    blank = end if is_section and not draft else ""
    new = "".join(f"{' ' * column}{each}{end}" if each else end for each in lines)
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


def _in_braces(text: str, node: yaml.MappingNode, missing: Sequence[str], lines: Sequence[str]) -> str:
    """Returns the text with an entry in a mapping that is written in braces. The entry has no comments there.

    It follows the last value, because a comment can stand before the closing brace."""
    ((key, value),) = yaml.load("\n".join(lines), Loader=yaml.BaseLoader).items()
    entry = f"{key}: {_braces(value)}"
    for part in reversed(missing):
        entry = f"{part}: {{{entry}}}"
    at = int(node.value[-1][1].end_mark.index if node.value else node.start_mark.index + 1)
    comma = ", " if node.value else ""
    return f"{text[:at]}{comma}{entry}{text[at:]}"


def _braces(value: object) -> str:
    """Returns a value of YAML in braces and brackets."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{scalar(str(key))}: {_braces(each)}' for key, each in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_braces, value))}]"
    return scalar(str(value))


# ---- Answers that are copied from what is suggested ----


def accepted(text: str, questions: Sequence[Question]) -> tuple[str, list[str]]:
    """Returns the text in which open questions have what is suggested as their answers, and the names of these
    questions."""
    done: list[str] = []
    for question in questions:
        node = _node(text, ("draft", question.name))
        given = {key.value: (key, value) for key, value in node.value} if isinstance(node, yaml.MappingNode) else {}
        if question.answers or "suggested" not in given:
            continue
        suggested = given["suggested"][1]
        value = text[suggested.start_mark.index : suggested.end_mark.index].rstrip()
        is_flow = isinstance(node, yaml.MappingNode) and node.flow_style
        if "answer" in given:
            key, empty = given["answer"]
            start, end = key.start_mark.index, max(empty.end_mark.index, key.end_mark.index + 1)
            rest = text[end:]
        else:
            start = end = suggested.end_mark.index
            rest = text[end:]
        indent = " " * suggested.start_mark.column if is_flow else " " * given["suggested"][0].start_mark.column
        if is_flow:
            new = f"answer: {value}" if "answer" in given else f", answer: {value}"
        elif "answer" in given:
            new = f"# {ACCEPTED}\n{indent}answer: {value}"
        else:
            new = f"\n{indent}# {ACCEPTED}\n{indent}answer: {value}"
        text = f"{text[:start]}{new}{rest}"
        done.append(question.name)
    return text, done


# ---- The entries that answers decide, and the declarations of a newer header ----


class Updated(Frozen):
    text: str
    notes: tuple[str, ...]
    """What a person should know: one line each."""


def updated(
    text: str,
    spec: Spec,
    header: Header,
    proposed: Proposal,
    before: Proposal,
    refused: Collection[Entry],
    renew: Sequence[str],
) -> Updated:
    """Returns the text of a spec with the entries of the proposal that it lacks, and with questions about new
    functions. `before` is the proposal without answers, and `renew` are the names of the entries to write again."""
    return _Update(text, spec, header, proposed, before, refused).updated(renew)


class _Update:
    def __init__(
        self,
        text: str,
        spec: Spec,
        header: Header,
        proposed: Proposal,
        before: Proposal,
        refused: Collection[Entry],
    ) -> None:
        self._text = text
        self._spec = spec
        self._header = header
        self._proposed = proposed
        self._entries = [entry for entry in proposed.entries if entry not in refused]
        self._before = {entry.key: entry for entry in before.entries if entry.is_class}
        self._notes: list[str] = []
        self._written: list[str] = []

    def updated(self, renew: Sequence[str]) -> Updated:
        for name in renew:
            self._remove(name)
        text = _without_draft(self._text)
        self._mentioned = set(re.findall(r"\w+", text))
        self._described = set(re.findall(r"\w+", re.sub(r"(?m)(?:^|\s)#.*$", "", text)))
        """The words outside of comments."""
        self._rules()
        for entry in self._entries:
            if entry.is_class:
                self._class(entry)
            elif entry.place[0] == "constants":
                self._constant(entry)
            elif entry.place[0] in ("tensors", "handles", "functions"):
                self._function(entry)
        self._head()
        self._ask()
        self._report()
        return Updated(self._text, tuple(self._notes))

    # ---- Entries ----

    def _insert(self, place: Place, lines: Sequence[str], name: str) -> None:
        self._text = inserted(self._text, place, lines)
        self._written.append(name)

    def _rules(self) -> None:
        rule = next((entry for entry in self._entries if entry.is_rule), None)
        if rule is not None and _node(self._text, ("failures",)) is None:
            self._insert((), rule.lines, "failures")

    def _section_of(self, name: str) -> str:
        """Returns the section of the spec that has a class; empty if none has it."""
        return next((each for each in ("tensors", "handles") if _node(self._text, (each, name)) is not None), "")

    def _constant(self, entry: Entry) -> None:
        if not entry.names & self._mentioned and _node(self._text, ("constants", entry.key)) is None:
            self._insert(("constants",), entry.lines, entry.key)

    def _class(self, entry: Entry) -> None:
        section = self._section_of(entry.key)
        if not section:
            if not entry.names & self._described:
                self._insert(entry.place, entry.lines, entry.key)
            return
        if section == "handles" and entry.place == ("tensors",):
            self._move(entry)
        elif section == "tensors" and entry.key in self._before:
            self._case(entry)
        node = _node(self._text, (self._section_of(entry.key), entry.key))
        known = {key.value for key, _ in node.value} if isinstance(node, yaml.MappingNode) else set()
        for line in entry.lines[1:]:
            key = line.strip().partition(":")[0]
            if key in ("retain", "release") and key not in known and line.startswith("  ") and line[2] != " ":
                self._insert((self._section_of(entry.key), entry.key), [line.strip()], f"{entry.key}.{key}")

    def _case(self, entry: Entry) -> None:
        """Writes what answers about members say, if nobody has changed what the draft required."""
        place = (self._section_of(entry.key), entry.key)
        found = _value(self._text, place)
        wanted, before = (_value("\n".join(each.lines), (entry.key,)) for each in (entry, self._before[entry.key]))
        for key in ("require", "order"):
            old, new = before.get(key), wanted.get(key)
            if old == new:
                continue
            if found.get(key) != old:
                text = f"{key}: {_braces(new)}" if new is not None else f"no {key}"
                self._notes.append(f"{entry.key}: its `{key}` and the answers differ: these give {text}")
                continue
            if old is not None:
                self._text = _without_lines(self._text, _lines_of(self._text, (*place, key)), place)
            if new is not None:
                self._text = inserted(self._text, place, _lines_of_key(entry.lines, key))
            self._written.append(f"{entry.key}.{key}")

    def _move(self, entry: Entry) -> None:
        """Makes a tensor of a handle whose data is decided. Its own lines stay as they are."""
        own = _lines_of(self._text, ("handles", entry.key))
        block_ = self._text.splitlines(keepends=True)[own.start : own.stop]
        indent = len(block_[0]) - len(block_[0].lstrip())
        kept = [line.rstrip("\r\n")[indent:] if line.strip() else "" for line in block_]
        known = {match[1] for line in kept if (match := re.match(r"  (\w+):", line)) is not None}
        missing = _without_keys(entry.lines[1:], known)
        self._text = _without_lines(self._text, own, ("handles",))
        at = next((number for number, line in enumerate(kept) if line.startswith("  type:")), 0) + 1
        self._insert(("tensors",), [*kept[:at], *missing, *kept[at:]], entry.key)

    def _function(self, entry: Entry) -> None:
        """Adds an entry that the spec lacks, or tells that it differs from the answers."""
        if entry.names & self._mentioned:
            self._compare(entry)
            return
        if not entry.names and entry.place[1] not in self._written:  # `new: {}` of a class that exists
            return
        place: Place = entry.place
        lines: Sequence[str] = entry.lines
        if place[1:]:
            section = self._section_of(place[1])
            if not section:
                return
            place = (section, *place[1:])
        if place[-1] == "new":
            place = place[:-1]
            if _node(self._text, (*place, "new")) is not None:
                name = python_name(without(self._library(), min(entry.names)), self._taken(("functions",)))
                place, lines = ("functions",), [f"{name}:", *lines[1:]]
        key = lines[0].partition(":")[0]
        if _node(self._text, (*place, key)) is not None:
            free = python_name(key, self._taken(place))
            lines = [lines[0].replace(key, free, 1), *lines[1:]]
        self._insert(place, lines, min(entry.names, default=f"{entry.place[1]}.new"))

    def _library(self) -> list[str]:
        return library_words([each.name for each in self._header.functions])

    def _taken(self, place: Place) -> list[str]:
        node = _node(self._text, place)
        return [key.value for key, _ in node.value] if isinstance(node, yaml.MappingNode) else []

    def _compare(self, entry: Entry) -> None:
        """Tells where an entry differs from what the answers give."""
        answered = {name for question in self._spec.questions for name in question.answers}
        if not entry.names & answered or len(entry.lines) < 2:
            return
        ((_, wanted),) = yaml.load("\n".join(entry.lines), Loader=yaml.BaseLoader).items()
        name = min(entry.names)
        found = next((value for value in _entries(self._text) if _calls(value, name)), None)
        if not isinstance(wanted, dict) or not isinstance(found, dict):
            return
        for key in ("args", "returns", "finally"):
            if wanted.get(key) != found.get(key):
                text = f"{key}: {_braces(wanted[key])}" if key in wanted else f"no {key}"
                self._notes.append(f"{name}: its entry and the answers differ: these give {text}; --renew {name}")

    def _remove(self, name: str) -> None:
        """Removes the entry of a C function, so that it is written again."""
        for place in _places_of_functions(self._text):
            node = _node(self._text, place)
            if isinstance(node, yaml.MappingNode) and _calls(
                {key.value: value.value for key, value in node.value}, name
            ):
                self._text = _without_lines(self._text, _lines_of(self._text, place), place[:-1])
                return
        raise AdditionError(f"the spec has no entry that calls {name}: name a C function")

    # ---- The first keys, and the questions ----

    def _head(self) -> None:
        for name, kind in self._proposed.numbers:
            if _node(self._text, ("numbers", name)) is None and name in _without_draft(self._text):
                self._insert(("numbers",), [f"{scalar(name)}: {kind}"], f"numbers: {name}")
        for name, members in self._proposed.records:
            if _node(self._text, ("records", name)) is None:
                self._insert(("records",), [f"{scalar(name)}: {flow_list(members)}"], f"records: {name}")
        if self._proposed.keeps_arrays and _node(self._text, ("arrays",)) is None:
            self._insert((), ["arrays: Array"], "arrays")

    def _ask(self) -> None:
        known = {(_plain_name(each.name), name) for each in self._spec.questions for name in each.about}
        names = {each.name for each in self._spec.questions}
        for asked in self._proposed.asked:
            new = [
                point
                for point in asked.points
                if (_plain_name(asked.name), point.name) not in known
                and (not asked.is_about_functions or point.name not in self._mentioned)
            ]
            if not new:
                continue
            name = asked.name if asked.name not in names else f"{asked.name}{NEW}"
            listed = flow_list(point.name for point in new)
            if name in names:
                self._extend(name, listed[1:-1])
            else:
                self._text = inserted(self._text, ("draft",), [*question_lines(Asked(name, tuple(new), asked.opens))])
            self._notes.append(f"new question {name}: {listed[1:-1]}")

    def _extend(self, question: str, listed: str) -> None:
        """Adds names to the list of a question that exists."""
        node = _node(self._text, ("draft", question, "about"))
        if isinstance(node, yaml.SequenceNode) and node.flow_style and node.value:
            at = node.value[-1].end_mark.index
            self._text = f"{self._text[:at]}, {listed}{self._text[at:]}"

    # ---- What changed ----

    def _report(self) -> None:
        declared = {each.name: each for each in self._header.functions}
        called = [each.prototype.name for each in _called(self._spec)]
        asked = [name for each in self._spec.questions if each.is_about_functions for name in each.about]
        for name in dict.fromkeys((*called, *asked)):
            if name not in declared:
                self._notes.append(f"{name}: the header does not declare it any more")
        for call in _called(self._spec):
            function = declared.get(call.prototype.name)
            if function is not None and (change := _changed_prototype(call, function)):
                self._notes.append(change)
        if self._written:
            self._notes.insert(0, f"added {', '.join(self._written)}")


def _changed_prototype(call: Call, function: Function) -> str:
    """Returns a line about a prototype whose types differ from those of the header; empty if they are equal."""
    wanted = [_plain_type(each.type.spelling) for each in function.parameters]
    found = [f"{''.join(each.ctype.base.split())}{'*' * each.ctype.depth}" for each in call.prototype.parameters]
    is_equal = all(one == other or "[" in one or "(" in one for one, other in zip(wanted, found, strict=False))
    if len(wanted) == len(found) and is_equal:
        return ""
    listed = ", ".join(each.type.spelling for each in function.parameters)
    return f"{function.name}: the header declares the parameters ({listed or 'void'}), and its entry has others"


def _plain_type(text: str) -> str:
    return "".join(text.replace("const", "").split())


def _plain_name(question: str) -> str:
    return question.removesuffix(NEW)


def _without_draft(text: str) -> str:
    """Returns the text of a spec without the section of the draft."""
    lines = _lines_of(text, ("draft",))
    return "".join(line for number, line in enumerate(text.splitlines(keepends=True)) if number not in lines)


def _lines_of(text: str, place: Place) -> range:
    """Returns the lines of an entry, from the line of its key on, counted from 0."""
    parent = _node(text, place[:-1])
    for key, value in parent.value if isinstance(parent, yaml.MappingNode) else []:
        if key.value == place[-1]:
            last = value.end_mark.line + (value.end_mark.column > key.start_mark.column)
            lines = text.splitlines()
            last = min(last, len(lines))
            while last > key.start_mark.line + 1 and _is_outside(lines[last - 1], key.start_mark.column + 1):
                last -= 1
            return range(key.start_mark.line, last)
    return range(0)


def _without_lines(text: str, lines: range, parent: Place) -> str:
    """Returns the text without an entry. A mapping that had no other entry goes, too."""
    node = _node(text, parent)
    if isinstance(node, yaml.MappingNode) and len(node.value) == 1 and parent:
        return _without_lines(text, _lines_of(text, parent), parent[:-1])
    return "".join(line for number, line in enumerate(text.splitlines(keepends=True)) if number not in lines)


def _without_keys(lines: Sequence[str], known: Collection[str]) -> list[str]:
    """Returns the lines of a class without the keys that are known, and without their comments."""
    kept: list[str] = []
    comments: list[str] = []
    is_known = False
    for line in lines:
        key = re.match(r"  ([\w-]+):", line)
        if line.startswith("  #"):
            comments.append(line)
        elif key is not None:
            is_known = key[1] in known
            kept += [] if is_known else [*comments, line]
            comments = []
        elif not is_known:
            kept.append(line)
    return kept


def _lines_of_key(lines: Sequence[str], key: str) -> list[str]:
    """Returns the lines of one key of a class, without the indentation of the class."""
    start = next(number for number, line in enumerate(lines) if line.startswith(f"  {key}:"))
    end = start + 1
    while end < len(lines) and lines[end].startswith("   "):
        end += 1
    return [line[2:] for line in lines[start:end]]


def _value(text: str, place: Place) -> dict[str, object]:
    """Returns the mapping at a place of a text in YAML; empty if there is none."""
    value = yaml.load(text, Loader=yaml.BaseLoader)
    for part in place:
        value = value.get(part) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def _places_of_functions(text: str) -> Iterator[Place]:
    """Yields the places of all functions, methods and constructors of a spec."""
    for section in ("tensors", "handles"):
        node = _node(text, (section,))
        for key, _ in node.value if isinstance(node, yaml.MappingNode) else []:
            yield section, key.value, "new"
            for part in ("methods", "properties"):
                inner = _node(text, (section, key.value, part))
                for name, _ in inner.value if isinstance(inner, yaml.MappingNode) else []:
                    yield section, key.value, part, name.value
    node = _node(text, ("functions",))
    for key, _ in node.value if isinstance(node, yaml.MappingNode) else []:
        yield "functions", key.value


def _entries(text: str) -> Iterator[object]:
    root = yaml.load(text, Loader=yaml.BaseLoader)
    for place in _places_of_functions(text):
        value = root
        for part in place:
            value = value.get(part) if isinstance(value, dict) else None
        yield value


def _calls(entry: object, name: str) -> bool:
    """Returns whether an entry calls a C function."""
    text = entry.get("c", "") if isinstance(entry, dict) else ""
    return re.search(rf"\b{re.escape(name)}\s*\(", str(text)) is not None
