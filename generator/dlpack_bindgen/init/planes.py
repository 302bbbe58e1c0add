"""The planes of an object: arrays whose address, extents and strides come from functions that take a selector, such as
`get_plane(image, channel, &stride)`. A plane is a tensor with the selector as its param."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.init.declarations import DeclaredType, Function, Header, Parameter, Struct
from dlpack_bindgen.init.dtypes import pixels_of_enum
from dlpack_bindgen.init.layout import Attribute, Question, Slot, layout
from dlpack_bindgen.init.names import words
from dlpack_bindgen.init.vocabulary import (
    COPY,
    CREATE,
    DATA,
    HEIGHT,
    LENGTH,
    MOVE,
    NO_DATA,
    NO_PLANE,
    NUMBER,
    PLANE,
    SEVERAL_SAMPLES,
    STRIDE,
    WIDTH,
    WRITABILITY,
)
from dlpack_bindgen.init.yaml_values import flow_map, scalar
from dlpack_bindgen.text.names import C_KEYWORDS

_ELEMENTS = "elements"
"""The variable with the address of a plane."""


class Planes(Frozen):
    """The planes that one function returns."""

    function: str
    words: tuple[str, ...]
    """The words that name a plane, from the name of the function."""
    param: str
    """The selector as the spec declares it: `enum channel channel`."""
    steps: tuple[str, ...]
    """The steps of `let`, in YAML."""
    slots: tuple[Slot, ...]
    questions: tuple[Question, ...]

    @property
    def is_complete(self) -> bool:
        return not any(each.is_required for each in self.questions)


def planes(struct: Struct, users: Sequence[Function], own: Sequence[str], header: Header) -> tuple[Planes, ...]:
    """Returns the planes of a struct. `users` are the functions that take or return it, `own` the words with which they
    begin. Of two functions for the same planes, the one whose planes can be written counts."""
    found: list[Planes] = []
    for function in sorted(users, key=_is_readonly):
        named = _words_of_plane(function, struct.key, own)
        if not named or any(set(named) <= set(each.words) or set(each.words) <= set(named) for each in found):
            continue
        each = _planes(function, named, struct, users, own, header)
        if each is not None:
            found.append(each)
    return tuple(found)


def _is_readonly(function: Function) -> bool:
    target = function.result.pointed
    return target is not None and target.is_const


def _selector(function: Function, key: str) -> Parameter | None:
    """Returns the number or enum that a function takes after the object, or None."""
    if len(function.parameters) < 2:
        return None
    first, second = function.parameters[:2]
    is_object = first.type.kind == "pointer" and first.type.target is not None and first.type.target.declaration == key
    return second if is_object and second.type.kind in ("int", "enum") else None


def _words_of_plane(function: Function, key: str, own: Sequence[str]) -> tuple[str, ...]:
    """Returns the words that name a plane, if a function returns one; else nothing."""
    selector = _selector(function, key)
    result = function.result
    target = result.target if result.kind == "pointer" else None
    if selector is None or target is None or not (target.is_number or target.kind == "void") or target.kind == "char":
        return ()
    if not all(_is_output(each) for each in function.parameters[2:]):
        return ()
    named = [word for word in words(function.name) if word not in own and word not in ("get", *WRITABILITY)]
    chosen = {*named, *words(selector.name), *words(selector.type.spelling)}
    if not chosen & PLANE or set(named) & (NO_DATA | NO_PLANE) or not set(named) & {*PLANE, *DATA}:
        return ()
    if set(named) & (CREATE | COPY | MOVE):  # its result has memory of its own
        return ()
    return tuple(named)


def _is_output(parameter: Parameter) -> bool:
    target = parameter.type.target
    return parameter.type.kind == "pointer" and target is not None and target.kind == "int" and not target.is_const


def _planes(
    function: Function,
    named: Sequence[str],
    struct: Struct,
    users: Sequence[Function],
    own: Sequence[str],
    header: Header,
) -> Planes | None:
    selector = _selector(function, struct.key)
    if selector is None:
        return None
    taken = [_ELEMENTS]
    name = _variable(selector.name, taken)
    outputs = [(_variable(each.name, taken), each) for each in function.parameters[2:]]
    readers = [each for each in users if _reads(each, struct.key)]
    extents, others = [], []
    for each in _numbers_of_plane(readers, own, selector.type, name):
        if each.word in HEIGHT | WIDTH | LENGTH:
            variable = _variable(each.word, taken)
            extents.append((variable, each))
        else:
            others.append(each)
    attributes = [
        Attribute("data", _ELEMENTS, function.result, function.comment, is_field=False),
        *(_attribute_of_output(variable, each, function) for variable, each in outputs),
        *(Attribute(each.name, variable, each.type, each.comment, is_field=False) for variable, each in extents),
        *others,
        *_numbers_of_object(readers, own, header),
    ]
    found = layout(struct, attributes, header)
    if found is None:
        return None
    shape = " ".join(slot.value for slot in found.slots if slot.key in ("shape", "match"))
    used = [(variable, each) for variable, each in extents if re.search(rf"\b{variable}\b", shape)]
    call = f"{function.name}(self, {name}{''.join(f', &{variable}' for variable, _ in outputs)})"
    steps = [f"{{{_declared(each.type.target or each.type, variable)}: }}" for variable, each in outputs]
    steps.append(f'{{{_declared(function.result, _ELEMENTS)}: {scalar(call)}, ok: "!= NULL"}}')
    steps += [f"{{{_declared(each.type, variable)}: {scalar(each.expression)}}}" for variable, each in used]
    slots = [
        Slot("data", _ELEMENTS, f"`{function.name}` returns a plane, by its name") if each.key == "data" else each
        for each in found.slots
    ]
    check = _check(readers, own, selector.type, name)
    questions = [*found.questions, *_questions(slots, shape, header, selector.type)]
    variables = "|".join((_ELEMENTS, *(variable for variable, _ in (*outputs, *extents))))
    if any(each.key == "require" and re.search(rf"\b(?:{variables})\b", each.value) for each in slots):
        # `require` comes before `let`: the condition cannot replace the answer.
        slots = [each for each in slots if each.key != "require"]
        questions = [Question(f"{each.text.partition('?')[0]}?", each.choices) for each in questions]
    if check is not None:
        slots = _with_requirement(slots, *check, selector.name)
    else:
        text = f"does `{function.name}` return NULL for a wrong `{name}`? Else add a condition to `require`"
        condition = flow_map({"expr": f"{name} < N", "message": f"no such {name}"})
        questions.append(Question(text, (f"require: [{condition}]",), False))
    return Planes(
        function.name,
        tuple(named),
        _declared(selector.type, name),
        tuple(steps),
        tuple(slots),
        tuple(questions),
    )


def _variable(name: str, taken: list[str]) -> str:
    """Returns a name for a variable, and adds it to the names that are taken."""
    while name in taken or name in C_KEYWORDS or name in ("self", "axis", "itemsize", "result"):
        name += "_"
    taken.append(name)
    return name


def _declared(given: DeclaredType, name: str) -> str:
    return f"{given.spelling}{'' if given.spelling.endswith('*') else ' '}{name}"


def _attribute_of_output(variable: str, parameter: Parameter, function: Function) -> Attribute:
    """Returns a variable that the function fills. `out_stride` is a stride, and `p_width` a width."""
    own = words(parameter.name)
    known = STRIDE | HEIGHT | WIDTH | LENGTH
    name = next((joined for index in range(len(own)) if (joined := "".join(own[index:])) in known), parameter.name)
    given = parameter.type.target or parameter.type
    return Attribute(name, variable, given, function.comment, is_field=False)


def _reads(function: Function, key: str) -> bool:
    """Returns whether a function returns an integer, and its first parameter is the object."""
    first = function.parameters[0].type if function.parameters else None
    is_object = first is not None and first.target is not None and first.target.declaration == key
    return function.result.is_integer and is_object


def _numbers_of_plane(
    readers: Sequence[Function], own: Sequence[str], selected: DeclaredType, name: str
) -> Iterator[Attribute]:
    """Yields the numbers that functions read with the selector: `width` for `get_plane_width(image, plane)`."""
    for function in readers:
        if _takes_selector(function, selected):
            kept = [word for word in words(function.name) if word not in own]
            plain = [word for word in kept if word not in PLANE] or kept
            name_ = "_".join(plain)
            yield Attribute(name_, f"{function.name}(self, {name})", function.result, function.comment, is_field=False)


def _numbers_of_object(readers: Sequence[Function], own: Sequence[str], header: Header) -> Iterator[Attribute]:
    """Yields the numbers of the whole object. Neither a format of its pixels nor the number of planes describes a
    plane."""
    for function in readers:
        if len(function.parameters) == 1 and not (_is_format(function.result, header) or _counts_planes(function, own)):
            kept = "_".join(word for word in words(function.name) if word not in own)
            yield Attribute(kept, f"{function.name}(self)", function.result, function.comment, is_field=False)


def _takes_selector(function: Function, selected: DeclaredType) -> bool:
    return len(function.parameters) == 2 and function.parameters[1].type.canonical == selected.canonical


def _is_format(given: DeclaredType, header: Header) -> bool:
    enum = header.enums.get(given.declaration)
    return enum is not None and any(pixels_of_enum(enum, has_planes) for has_planes in (False, True))


def _check(
    readers: Sequence[Function], own: Sequence[str], selected: DeclaredType, name: str
) -> tuple[str, str] | None:
    """Returns a condition for the selector, and the message: a function asks for its plane, or counts the planes."""
    for function in readers:
        kept = [word for word in words(function.name) if word not in own]
        if kept[:1] == ["has"] and set(kept) & PLANE and _takes_selector(function, selected):
            return f"{function.name}(self, {name})", f"no such {kept[-1]}"
        if selected.kind == "int" and _counts_planes(function, own):
            return _range(name, selected, f"{function.name}(self)", function.result), f"no such {name}"
    return None


def _range(name: str, selected: DeclaredType, count: str, counted: DeclaredType) -> str:
    """Returns the condition that a selector is less than the number of planes, for integers of any sign."""
    if selected.canonical == counted.canonical == "int":
        return f"{name} >= 0 && {name} < {count}"
    return f"(int64_t){name} >= 0 && (int64_t){name} < (int64_t){count}"


def _counts_planes(function: Function, own: Sequence[str]) -> bool:
    """Returns whether a function counts the planes, by its name: `get_num_channels`, but not `get_channel_size`."""
    kept = [word for word in words(function.name) if word not in own and word != "get"]
    things = [word for word in kept if word.removesuffix("s") in PLANE]
    rest = set(kept) - set(things)
    if len(function.parameters) != 1 or len(things) != 1:
        return False
    return rest <= NUMBER and (bool(rest) or things[0].endswith("s"))


def _with_requirement(slots: Sequence[Slot], condition: str, message: str, selector: str) -> list[Slot]:
    """Returns the slots with a condition about the selector before those of the layout."""
    new = flow_map({"expr": condition, "message": message})
    old = next((each.value for each in slots if each.key == "require"), "[]")[1:-1]
    others = [each for each in slots if each.key != "require"]
    guess = f"the values of `{selector}`, by the name of the function"
    return [Slot("require", f"[{new}, {old}]" if old else f"[{new}]", guess), *others]


def _questions(slots: Sequence[Slot], shape: str, header: Header, selected: DeclaredType) -> Iterator[Question]:
    """Yields the questions that only planes have: about extents of the whole object, and about planes of pixels with
    several samples."""
    if "(self)" in shape:
        yield Question("has each plane this shape? Planes of colors can be smaller", ())
    enum = header.enums.get(selected.declaration)
    mixed = [name for name, _ in enum.values if set(words(name)) & SEVERAL_SAMPLES] if enum is not None else []
    if not mixed:
        return
    if not {"match", "require"} & {each.key for each in slots}:
        yield Question(f"which shape has `{mixed[0]}`? Its pixels have several samples", ())
    elif arm := re.search(r"- (.*), dtype: uint32, shape: \[(.*)\]\}", shape):
        four = f"- {arm[1]}, dtype: uint8, shape: [{arm[2]}, 4]}}"
        yield Question(f"are the 32 bits of a pixel of `{mixed[0]}` four samples? Then replace its arm", (four,), False)
