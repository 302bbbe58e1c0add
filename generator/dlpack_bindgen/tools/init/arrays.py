"""Further arrays of an object: several in one struct, and planes that functions return for a selector."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.text.names import C_KEYWORDS
from dlpack_bindgen.text.yaml import flow_map, scalar
from dlpack_bindgen.tools.init.declarations import (
    CODE_WORDS,
    COPY,
    COUNTING,
    CREATE,
    DATA,
    EXTENT_OF_AXIS,
    HEIGHT,
    HIDDEN,
    INPUT,
    LENGTH,
    MOVE,
    NO_COUNT,
    NO_DATA,
    NO_PLANE,
    NUMBER,
    OUTPUT,
    PLANE,
    RANK,
    ROWS_OF_PIXELS,
    SEVERAL_SAMPLES,
    STORED,
    STRIDE,
    THINGS_IN_ROWS,
    WIDTH,
    WRITABILITY,
    DeclaredType,
    Function,
    Header,
    Member,
    Parameter,
    Struct,
    words,
)
from dlpack_bindgen.tools.init.dtypes import coded_type, dtype_of_type, is_type_code, pixels_of_enum, thing_of_code
from dlpack_bindgen.tools.init.layout import Attribute, Question, Slot, layout, unit_in_comment

# The arrays in a struct that has several: each becomes a tensor of the same C type, and an attribute of the handle.

_MOST_MEMBERS = 16
"""A struct with more equal numbers is not an element of an array."""
_LENGTHS_IN_COMMENT = (
    re.compile(r"\b(?:size|length|len|dimension)(?: of| is|:| =)? (\w+)((?: ?\+ ?1)?)\b(?! ?[-+*/])"),
    re.compile(r"\b(\w+)() (?:in size|entries|elements)\b"),
)
"""A name, and `+ 1` after it: `size n+1`, `n in size`."""
_IS_SQUARE = re.compile(
    r"^(?:(?!diagonal|vector|row|column|eigen|dimension|packed|triang|upper|lower|half|band|sparse|symmetric| of ).)*"
    r"\bmatrix\.?$",
    re.IGNORECASE,
)
"""A comment about a square matrix, if the struct has one length."""
_EACH_IN_COMMENT = re.compile(r"\b(?:of|for|per) (?:each|every) (\w+)\b")
_PRODUCT_IN_COMMENT = re.compile(r"\b([A-Za-z_]\w*) ?[*x] ?([A-Za-z_]\w*)\b")
_WHOLE_PRODUCT_IN_COMMENT = re.compile(
    rf"(?<![-+*/])(?<![-+*/] )(?<!\bx ){_PRODUCT_IN_COMMENT.pattern}(?!\)? ?(?:[-+*/]|x\b))"
)
"""A product that is not a part of a longer formula, such as `width * height / 2`."""


class MemberArray(Frozen):
    """An array in a struct."""

    name: str
    """The member with the array."""
    data: str
    dtype: str
    shape: tuple[str, ...]
    guess: str
    """The reason of a guessed length; empty for a fact."""
    strides: str = ""
    """The strides of an array whose rows have pointers; empty for a contiguous array."""
    lengths: tuple[str, ...] = ()
    """The integers of the struct, of which nothing decides the length; empty if the length is known."""
    dtype_guess: str = ""
    """The reason of a guessed dtype; empty for a fact."""
    question: str = ""
    """The question about the values of a type code; empty if the dtype is known."""
    has_code: bool = False
    """Whether another member tells the type of the elements."""

    @property
    def is_counted(self) -> bool:
        """Whether another member is the length."""
        return self.shape[0].startswith("self->")


def member_arrays(struct: Struct, header: Header) -> tuple[MemberArray, ...]:
    """Returns the members that are arrays of numbers, or pointers to them."""
    found = (_array(member, struct, header) for member in struct.members)
    return tuple(each for each in found if each is not None)


def _array(member: Member, struct: Struct, header: Header) -> MemberArray | None:
    if "." in member.name or "[" in member.name or set(words(member.name)) & HIDDEN:
        return None
    if struct.shares_memory(member):
        return None
    is_flexible = member is struct.flexible
    is_pointer = member.type.kind == "pointer" or is_flexible
    element = member.type.target if is_pointer else member.type
    extents = []
    while element is not None and element.kind == "array" and element.length:
        extents.append(str(element.length))
        element = element.target
    if element is None or not (is_pointer or extents):
        return None
    if is_pointer and element.kind == "pointer":
        return _rows(member, element.target, struct)
    if is_pointer and element.kind == "void":
        return _coded(member, struct, header)
    inner = "[0]" * (len(extents) + is_pointer)
    data = f"self->{member.name}" if not extents or not is_pointer else f"&self->{member.name}{inner}"
    equal = _equal_numbers(element, header.structs)
    if equal:
        data = f"&self->{member.name}{inner}.{equal[0].name}"
        extents.append(str(len(equal)))
        element = equal[0].type
    dtype = dtype_of_type(element)
    if dtype is None:
        return None
    if is_flexible and member.type.length is not None:
        data = f"({element.spelling} *){data}"
    if not is_pointer:
        return MemberArray(member.name, data, dtype, tuple(extents), "")
    integers = [each for each in struct.members if each.type.kind == "int" and "." not in each.name]
    plane, strides, reason = _plane(member, struct, integers, dtype)
    if plane and not extents:
        guess = f"the extents of the image, because it has a row stride{reason}"
        return MemberArray(member.name, data, dtype, tuple(plane), guess, strides)
    found, guess = _product(member, struct, integers)
    if not found and not _has_formula(member, struct, integers):
        length, guess = _length(member, integers)
        if length is None:
            length, guess = _nearest(member, integers, struct)
        found = [length] if length is not None else []
        if found and not extents and _IS_SQUARE.search(member.comment):
            found, guess = [*found, *found], f"{guess}; rows and columns, by the word `matrix`"
    if found:
        return MemberArray(member.name, data, dtype, (*found, *extents), guess)
    if is_flexible and member.type.length == 1 and not equal:
        return MemberArray(member.name, f"self->{member.name}", dtype, ("1", *extents), "")
    listed = tuple(each.name for each in integers)
    return MemberArray(member.name, data, dtype, ("N", *extents), "", lengths=listed) if listed else None


def _coded(member: Member, struct: Struct, header: Header) -> MemberArray | None:
    """Returns the array behind a `void *`, if a member counts its elements, and a code tells their type."""
    code = _code(member, struct)
    length, guess = _length_of_coded(member, struct)
    if code is None or length is None:
        return None
    data = f"self->{member.name}"
    found = coded_type(code.name, f"self->{code.name}", code.type, code.comment, header)
    if found is None:
        return None
    question = found.question
    if not question and code.type.kind == "int" and thing_of_code(code.name):
        question = f"do these constants list the values of `{code.name}`?"
    return MemberArray(member.name, data, found.value, (length,), guess, "", (), found.guess, question, True)


def _code(member: Member, struct: Struct) -> Member | None:
    """Returns the member that tells the type of the elements: the comment of the array names it, or its name has that
    of the array, or it is the only code of the only `void *`."""
    if not _is_untyped(member):
        return None
    codes = [each for each in struct.members if each.type.kind in ("char", "int", "enum") and is_type_code(each.name)]
    quoted = [each for each in codes if _is_quoted(each.name, member.comment)]
    own = "".join(words(member.name))
    named = [each for each in codes if len(thing := thing_of_code(each.name)) > 2 and thing in own]
    for chosen in (quoted, named):
        if len(chosen) == 1:
            return chosen[0]
    is_only = len(codes) == 1 and not thing_of_code(codes[0].name) and sum(map(_is_untyped, struct.members)) == 1
    return codes[0] if is_only else None


def _is_untyped(member: Member) -> bool:
    target = member.type.target
    is_void = member.type.kind == "pointer" and target is not None and target.kind == "void"
    return is_void and not set(words(member.name)) & NO_DATA


def _is_quoted(name: str, comment: str) -> bool:
    return re.search(rf"['`\"]{re.escape(name)}['`\"]", comment) is not None


def _length_of_coded(member: Member, struct: Struct) -> tuple[str | None, str]:
    """Returns the integer that counts the elements behind a `void *`, and the reason. A number of bytes counts none."""
    integers = [
        each
        for each in struct.members
        if each.type.kind == "int"
        and "." not in each.name
        and each.name.lower() not in RANK
        and not _counts_bytes(each)
    ]
    quoted = [each.name for each in integers if _is_quoted(each.name, member.comment)]
    if len(quoted) == 1:
        return f"self->{quoted[0]}", "the length, by a comment in the header"
    return _length(member, integers)


def _counts_bytes(member: Member) -> bool:
    """Returns whether a number beside a `void *` counts bytes. A `size` without a comment may do so."""
    is_size = words(member.name)[-1:] == ["size"] and not member.comment
    return is_size or "byte" in member.comment.lower() or "byte" in member.name.lower()


def _rows(member: Member, element: DeclaredType | None, struct: Struct) -> MemberArray | None:
    """Returns an array of pointers to rows, if a count has the name of the array, and one counts rows."""
    dtype = dtype_of_type(element) if element is not None else None
    counts = {_counted(each.name): each.name for each in struct.members if each.type.kind == "int"}
    own = _singular("".join(words(member.name)))
    columns = counts.get(own)
    rows = [name for thing, name in counts.items() if thing in THINGS_IN_ROWS and thing != own]
    if columns is None and set(words(member.name)[-1:]) & ROWS_OF_PIXELS:
        extents = _extents_of_image(struct)
        rows, columns = (extents[:1], extents[1]) if extents else ([], None)
    if dtype is None or columns is None or len(rows) != 1:
        return None
    guess = f"`{rows[0]}` rows of `{columns}` numbers, by the names"
    data = f"self->{member.name}"
    return MemberArray(
        member.name, f"{data}[0]", dtype, (f"self->{rows[0]}", f"self->{columns}"), guess, f"{{rows: {data}}}"
    )


def _extents_of_image(struct: Struct) -> list[str]:
    """Returns the height and the width of a struct that has one of each; else nothing."""
    integers = [each.name for each in struct.members if each.type.kind == "int" and "." not in each.name]
    for rows, columns in ((HEIGHT, WIDTH), ({"sy"}, {"sx"})):
        pair = [[name for name in integers if "".join(words(name)) in names] for names in (rows, columns)]
        if [len(names) for names in pair] == [1, 1]:
            return [pair[0][0], pair[1][0]]
    return []


def _plane(member: Member, struct: Struct, integers: Sequence[Member], dtype: str) -> tuple[list[str], str, str]:
    """Returns the extents and the strides of a plane with a row stride of its own, `y_stride` of `y`, and the
    reason for the unit of the strides."""
    stride = next((each for each in integers if each.name == f"{member.name}_stride"), None)
    extents = _extents_of_image(struct)
    if stride is None or not extents:
        return [], "", ""
    said = unit_in_comment(stride.comment, True)
    unit = said or ("bytes" if dtype in ("uint8", "int8") else "other")
    if unit == "other":
        return [], "", ""
    reason = f"; the unit of `{stride.name}`, by its comment" if said else ""
    return [f"self->{name}" for name in extents], f"{{outer: self->{stride.name}, unit: {unit}}}", reason


def _equal_numbers(element: DeclaredType, structs: Mapping[str, Struct]) -> Sequence[Member]:
    """Returns the members of a struct of equal numbers, such as a point; else nothing. With an alignment, a struct can
    be longer than its members: then the numbers do not lie one after the other."""
    struct = structs.get(element.declaration)
    members = struct.members if struct is not None and element.kind == "struct" else ()
    types = {each.type.canonical for each in members}
    plain = all(each.type.is_number and not each.in_union and not each.is_bit_field for each in members)
    if struct is None or not plain or len(types) != 1 or not 1 < len(members) <= _MOST_MEMBERS:
        return ()
    return members if 8 * struct.size == len(members) * members[0].type.bits else ()


def _length(member: Member, integers: Sequence[Member]) -> tuple[str | None, str]:
    """Returns the expression of the number of elements behind a pointer, and the reason."""
    names = {each.name: _extent(each) for each in integers}
    commented = _commented(member, names)
    if len(commented) > 1:
        least = f"{commented[0]} < {commented[1]} ? {commented[0]} : {commented[1]}"
        return least, "the smaller of two lengths in a comment in the header"
    if commented:
        return commented[0], "the length, by a comment in the header"
    things = {_singular(thing) for thing in _EACH_IN_COMMENT.findall(member.comment)}
    counts = [name for name in names if _counted(name) in things]
    if len(counts) == 1:
        return names[counts[0]], f"`{counts[0]}` is its length, by a comment in the header"
    own = _singular("".join(words(member.name)))
    ranked = sorted((len(counted), each) for each in names if (counted := _counted(each)) and own.endswith(counted))
    if ranked and (len(ranked) == 1 or ranked[-1][0] > ranked[-2][0]):
        return names[ranked[-1][1]], f"`{ranked[-1][1]}` is its length, by the names"
    if direction := _direction(member.name):
        same = [each for each in names if _direction(each) == direction and words(each)[-1] in LENGTH]
        if len(same) == 1:
            return names[same[0]], f"`{same[0]}` is its length, by the word `{direction}`"
    plain = [each for each in names if each.lower() in LENGTH | EXTENT_OF_AXIS | RANK]
    return (names[plain[0]], "the only length of the struct") if len(plain) == 1 and not ranked else (None, "")


def _extent(integer: Member) -> str:
    """Returns the expression of a length. A comment `abs(n)` says that the sign of `n` means something else."""
    length = f"self->{integer.name}"
    is_signed = re.search(rf"\babs ?\( ?{integer.name} ?\)", integer.comment)
    return f"({length} < 0 ? -(int64_t){length} : {length})" if is_signed else length


def _commented(member: Member, names: Mapping[str, str]) -> list[str]:
    """Returns the lengths of an array in its comment, without repetition, at most two. `names` has the expressions of
    the integers."""
    found = [pair for pattern in _LENGTHS_IN_COMMENT for pair in pattern.findall(member.comment)]
    found += [(name, "") for name in re.findall(rf"\b{member.name}\[(\w+)\]", member.comment)]
    lengths = [f"{names[name]}{' + 1' if one else ''}" for name, one in found if name in names]
    return list(dict.fromkeys(lengths))[:2]


def _product(member: Member, struct: Struct, integers: Sequence[Member]) -> tuple[list[str], str]:
    """Returns the extents that a comment multiplies, `width*height`, and the reason. The comment of a struct counts if
    the struct has no other pointer. A sparse matrix stores less than its extents."""
    names = {each.name: _extent(each) for each in integers}
    if any("".join(words(name)) in STORED for name in names):
        return [], ""
    comment = _comment_with_products(member, struct)
    found = [pair for pair in _WHOLE_PRODUCT_IN_COMMENT.findall(comment) if set(pair) <= set(names)]
    if not found:
        return [], ""
    first, last = found[0]
    if words(first)[-1] in WIDTH and words(last)[-1] in HEIGHT:
        first, last = last, first
    return [names[first], names[last]], "the extents, by a comment in the header; the order of the axes, by their names"


def _comment_with_products(member: Member, struct: Struct) -> str:
    is_only = sum(each.type.kind == "pointer" for each in struct.members) == 1
    return f"{member.comment} {struct.comment if is_only else ''}"


def _has_formula(member: Member, struct: Struct, integers: Sequence[Member]) -> bool:
    """Returns whether a comment multiplies two integers of the struct: no single integer is the length."""
    names = {each.name for each in integers}
    pairs = _PRODUCT_IN_COMMENT.findall(_comment_with_products(member, struct))
    return any(set(pair) <= names for pair in pairs)


def _nearest(member: Member, integers: Sequence[Member], struct: Struct) -> tuple[str | None, str]:
    """Returns the only count directly before an array, or before the arrays that precede it, and the reason."""
    before = list(struct.members[: struct.members.index(member)])
    while before and before[-1].type.kind in ("pointer", "array"):
        before.pop()
    counts = [each for each in before[-2:] if each in integers and _is_count(each.name)]
    if len(counts) == 1 and counts[0] is before[-1]:
        return _extent(counts[0]), f"`{counts[0].name}` is its length, because it stands before the array"
    return None, ""


def _direction(name: str) -> str:
    """Returns whether a name has a word for an input or an output; empty: neither, or both."""
    found = {"input" if word in INPUT else "output" for word in words(name) if word in INPUT | OUTPUT}
    return found.pop() if len(found) == 1 else ""


def _is_count(name: str) -> bool:
    own = words(name)
    named = bool(_counted(name)) or "".join(own) in LENGTH or own[-1] in ("size", "length", "count")
    return named and own[-1] not in CODE_WORDS


def _counted(name: str) -> str:
    """Returns the thing that an integer counts, in the singular: `color` for `ColorCount` and `n_colors`; empty: the
    name is not that of a count."""
    own = words(name)
    rest = [word for word in own if word not in COUNTING]
    if len(rest) == len(own) and own[0] not in NO_COUNT:
        start = "num" if own[0].startswith("num") and len(own[0]) > 5 else "n"
        rest = [own[0].removeprefix(start), *own[1:]] if own[0].startswith("n") and len(own[0]) > 3 else []
    elif len(rest) == len(own):
        rest = []
    return _singular("".join(rest))


def _singular(name: str) -> str:
    return name.removesuffix("s")


# The planes of an object: arrays whose address, extents and strides come from functions that take a selector, such as
# `get_plane(image, channel, &stride)`.
# A plane is a tensor with the selector as its param.

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
        function.name, tuple(named), _declared(selector.type, name), tuple(steps), tuple(slots), tuple(questions)
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
