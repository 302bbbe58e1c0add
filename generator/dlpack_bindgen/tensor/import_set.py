"""`set`: assigns the members of a struct that the module stores."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import EXPRESSION, Form, Key, ListOf, MapOf, Needs, Single
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table, c_fragments
from dlpack_bindgen.tensor.import_parts import LET_OF_MAKING, Making, Part
from dlpack_bindgen.tensor.item import Allocate, Import, SetFields
from dlpack_bindgen.tensor.steps import OK, REQUIRE_OF_STEP, declared_in, returned
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Note
from dlpack_bindgen.text.fragments import Assertion, Piece, argument, arrays_by_axis, has_call, mentions, needs_no_check
from dlpack_bindgen.text.names import ARRAYS_OF_AXES

SET_OF_IMPORT = Key[Table](
    "set",
    MapOf(Form.MEMBER, EXPRESSION, "a mapping from members to C expressions"),
    "Creates the struct itself, initialised with zero, and sets these members. A value that does not fit its "
    "member is refused.",
    details=(
        "A member with `axis` in its name is set once for each axis.",
        "A member behind a pointer, such as `info->rows`, comes after the pointer: `info: info`.",
    ),
    after="let",
)
CONST = Key[Items](
    "const",
    ListOf(Single(Form.MEMBER), "a list of members", least=1),
    "The members in `set` that are `const` in C, or that are structs with `const` members.",
    needs=Needs(("set",), "it lists members that are set"),
    details=(
        "Write each member as in `set`. The check of `set` applies.",
        "A struct with a bit-field that is `const` needs `init`: C cannot copy a value into a bit-field.",
    ),
    after="set",
)


class SetPart(Part):
    keys = (SET_OF_IMPORT, CONST)

    def problems(self, making: Fields) -> Iterator[Diagnostic]:
        """Yields members set to the address of `shape` or `strides`, which may be freed after the import."""
        stored = making[SET_OF_IMPORT]
        for _, value in stored.entries if stored else ():
            word = value.text.strip(" ()&") if isinstance(value, Leaf) else ""
            name = word.removesuffix("[0]") if isinstance(value, Leaf) and "&" in value.text else word
            if name in ARRAYS_OF_AXES:
                message = f"the object would keep the address of '{name}', which exists only while the object is made"
                hint = f"set each number, such as 'extent[axis]: {name}[axis]'"
                yield Diagnostic("array-kept", value.span, message, hint)
        yield from _pointer_problems(making)
        yield from _const_problems(making)

    def in_words(self, made: Import | Allocate) -> Iterator[str]:
        if isinstance(made.build, SetFields):
            members = [f"{member} = {value}" for member, value in made.build.fields]
            yield "\n".join(["The module stores the struct, filled with zeros, and sets these members:", *members])


def _pointer_problems(making: Fields) -> Iterator[Diagnostic]:
    """Yields members behind a pointer of the struct that is NULL, or that may be NULL."""
    let = making[LET_OF_MAKING]
    if let and any(ctext.mentions(leaf.text, "self") for _, leaf in c_fragments(let)):
        return  # a step can set pointers of the struct
    untested = _untested_pointers(let.records() if let else ())
    values: dict[str, str] = {}
    for member, value in members.leaves() if (members := making[SET_OF_IMPORT]) else ():
        pointer, arrow, _ = member.text.partition("->")
        source = _value_of(pointer, values) if arrow else None
        if arrow and source in (None, "NULL", "0"):
            message = f"'self->{pointer}' is NULL here: no member before this one sets it"
            hint = f"write '{pointer}: ...' before this member, with a pointer that 'let' declares"
            yield Diagnostic("pointer-not-set", member.span, message, hint)
        elif source is not None and (source in untested or has_call(source)):
            message = f"'self->{pointer}' may be NULL: '{source}' has no test"
            hint = "declare the pointer in 'let', with 'ok: \"!= NULL\"'"
            yield Diagnostic("pointer-not-set", member.span, message, hint)
        values[member.text] = value.text


def _const_problems(making: Fields) -> Iterator[Diagnostic]:
    """Yields items of `const` that `set` does not set, and items that are there twice."""
    members, const = making[SET_OF_IMPORT], making[CONST]
    stored = {member.text for member, _ in members.entries} if members else set()
    first: dict[str, Leaf] = {}
    for leaf in const.leaves() if const and members else ():
        if leaf.text in first:
            notes = (Note(first[leaf.text].span, "first here"),)
            yield Diagnostic("duplicate-name", leaf.span, f"'{leaf.text}' is there twice", notes=notes)
        elif leaf.text not in stored:
            message = f"'set' does not set the member '{leaf.text}'"
            yield Diagnostic("const-not-set", leaf.span, message, f"write '{leaf.text}: ...' in 'set'")
        first.setdefault(leaf.text, leaf)


def _untested_pointers(steps: Sequence[Fields]) -> list[str]:
    """Returns the variables that hold the result of a call, and that no step tests."""
    tests = [required.text for step in steps if (required := step[REQUIRE_OF_STEP])]
    declared = [found for step in steps if step[OK] is None and (found := declared_in(step)) and found.value]
    return [
        each.name for each in declared if each.value and has_call(each.value.text) and not mentions(tests, each.name)
    ]


def _value_of(pointer: str, values: Mapping[str, str]) -> str | None:
    """Returns the value of the member or of a struct that contains it; None: no member has been set."""
    names = (
        pointer,
        re.sub(r"\[[^]]*\]", "[axis]", pointer),
        *(name for name in values if pointer.startswith(f"{name}.")),
    )
    return next((values[name] for name in names if name in values), None)


def read(members: Table, const: Items | None) -> SetFields:
    fields = tuple((member.text, value.text) for member, value in members.leaves())
    return SetFields(fields, tuple(leaf.text for leaf in const.leaves()) if const else ())


class SetMember(Frozen):
    place: str
    value: str
    is_checked: bool
    """Whether the value is stored with a range check."""
    is_const: bool
    """Whether the member cannot be assigned, so that the value is copied."""
    label: str


class SetMembers(Frozen):
    """Neighbouring members that are set."""

    members: tuple[SetMember, ...]
    is_loop: bool
    """Whether the members are set once for each axis."""


def set_members(making: Making, build: SetFields) -> Piece:
    """Adds the assignments, and returns the object."""
    scope, flow = making.scope, making.flow
    self = "self." if scope.by_value else "self->"
    for array in arrays_of_axes(build) if making.most_axes is not None else ():
        message = f"{scope.name}.import.set: {array} must be at least {making.most_axes} elements long"
        assertion = Assertion("LENGTH", (f"{self}{array}", str(making.most_axes)), message)
        flow.add(Piece("tensor/steps", "assertion", assertion))
    for is_loop, fields in groupby(build.fields, lambda field: mentions(field, "axis")):
        members = tuple(_member(making, self, *field, field[0] in build.const) for field in fields)
        flow.add(Piece("tensor/factory", "set_members", SetMembers(members, is_loop)))
    if all(needs_no_check(value) for _, value in build.fields):
        return returned("self")
    if not making.is_attached and not scope.by_value:
        flow.can_fail = True
        return Piece("tensor/factory", "self_unless_out_of_range", None)
    flow.leave_if_out_of_range()
    return returned("self")


def _member(making: Making, self: str, field: str, value: str, is_const: bool) -> SetMember:
    is_checked, text = not needs_no_check(value), making.flow.text(value)
    label = making.scope.label(f"import.set.{field}")
    place = f"{self}{making.rename(field)}"
    return SetMember(place, argument(text) if is_checked or is_const else text, is_checked, is_const, label)


def uses_axes(build: object) -> bool:
    """Returns whether the object has a member that is set once for each axis."""
    return isinstance(build, SetFields) and any(mentions(field, "axis") for field in build.fields)


def arrays_of_axes(build: object) -> list[str]:
    """Returns the array members of the struct that get an element for each axis."""
    fields = [field for field, _ in build.fields] if isinstance(build, SetFields) else []
    arrays = dict.fromkeys(array for field in fields for array in arrays_by_axis(f"self.{field}"))
    return [array.removeprefix("self.") for array in arrays]
