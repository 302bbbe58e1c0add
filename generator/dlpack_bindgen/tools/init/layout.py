"""The array in a struct: which fields, or which functions of an opaque struct, give its data, shape, strides, dtype
and device. Each slot has the reason why it was chosen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.draft import Answer
from dlpack_bindgen.text.yaml import flow_list, flow_map, scalar
from dlpack_bindgen.tools.init.cases import BY_COLUMNS, ORDER, Case, answered, cases, unknown_order
from dlpack_bindgen.tools.init.declarations import (
    BEGIN,
    BITS_OF_PIXEL,
    BYTE_OFFSET,
    BYTES_OF_PIXEL,
    CHANNELS,
    CODE_OF_PIXELS,
    COLORS,
    DATA,
    DEPTH,
    DEVICE,
    DEVICE_NUMBER,
    DISPLAYED,
    DTYPE,
    END,
    EXTENT_OF_AXIS,
    HEIGHT,
    IGNORED,
    ITEM_BITS,
    ITEM_SIZE,
    LENGTH,
    NO_DATA,
    OFFSET,
    RANK,
    READONLY,
    STORED,
    STRIDE,
    STRIDE_IN_BYTES,
    STRIDE_IN_ELEMENTS,
    STRIDE_OF_AXIS,
    SURE_DEVICE,
    VECTOR_OF_EXTENTS,
    WIDTH,
    WRITABLE,
    DeclaredType,
    Enum,
    Header,
    Member,
    Struct,
    words,
)
from dlpack_bindgen.tools.init.dtypes import (
    CodedType,
    choice,
    coded_type,
    decided_type,
    describes_data,
    dtype_of_type,
    map_of_enum,
    pixels_of_enum,
)

# ---- The unit in which a stride counts, by the comment of the header ----

_SAYS_NO_UNIT = re.compile(
    r"\b(?:align\w*|padded|round\w*|multiples?)\b(?: \w+){0,3}? \d+[- ]?bytes?\b|\b\d+[- ]bytes? (?:align|bound)\w*"
)
"""The length of the gap behind a row: `aligned to 16 bytes`."""
_DENIES_BYTES = re.compile(r"\bnot (?:in )?bytes?\b")
_SEVERAL_BYTES = re.compile(r"\b(?:\d+|two|four|eight)[- ]?bytes?\b")
"""A unit of several bytes: `units of 4 bytes`."""
_SURE_BYTES = re.compile(r"\bin bytes\b|\bbytes? (?:per|between|from|to)\b")
_ELEMENTS = re.compile(r"elements?(?![a-z])|\bin items\b")
_PIXELS = re.compile(r"\b(?:in|number of) (?:pixel|sample)s?\b|\b(?:pixel|sample)s (?:per|between|from|to)\b")


def unit_in_comment(comment: str, pixels_are_elements: bool) -> Literal["bytes", "elements", "other", ""]:
    """Returns the unit of a stride; `other`: the comment is about several units, or about one that is neither bytes nor
    elements. The result is empty if the comment has no unit."""
    plain = _SAYS_NO_UNIT.sub("", comment.lower())
    rest = _DENIES_BYTES.sub("", plain)
    has_bytes, in_pixels = "byte" in rest, _PIXELS.search(rest) is not None
    has_elements = _ELEMENTS.search(rest) is not None or (in_pixels and pixels_are_elements)
    if _SEVERAL_BYTES.search(rest):
        return "other"
    if rest != plain:
        return "elements" if has_elements and not has_bytes else "other"
    if has_bytes:
        return "other" if (has_elements or in_pixels) and not _is_sure(rest) else "bytes"
    return "elements" if has_elements else "other" if in_pixels else ""


def _is_sure(comment: str) -> bool:
    """Returns whether a comment is surely about bytes: `bytes to the next element`, but not `in bytes or elements`."""
    return _SURE_BYTES.search(comment) is not None and not re.search(r"\bor\b", comment)


# ---- Arrays with an extent for each letter of an axis: `nx`, `ny`, `nz` ----
# An extent of 0 is an axis that is not used.

_LETTERS = "xyzw"
_UNUSED = re.compile(r"\b(?:zero|0) (?:for|if|when) unused\b|\bunused[^.;]*\b(?:zero|0)\b")
_COMPACT = re.compile(r"\b(?:zero|0) (?:for|if|when) (?:a )?(?:contiguous|compact)\b")


class Named(Frozen):
    """A member of a struct, with its expression."""

    name: str
    expression: str
    type: DeclaredType
    comment: str


class LetterAxes(Frozen):
    """The shape and the strides of such an array."""

    rank: str
    extent: str
    """The expression of the extent of `axis`."""
    stride: str
    """The expression of the stride of `axis`; empty without strides."""
    is_contiguous: str
    """The condition that all strides are 0, which stands for a contiguous array."""


def letter_axes(members: Sequence[Named]) -> LetterAxes | None:
    """Returns the axes of a struct with at least two such members, whose comments say that 0 means no axis."""
    extents = _of_axes("n", members)
    if len(extents) < 2 or not all(_UNUSED.search(each.comment.lower()) for each in extents):
        return None
    strides = _of_axes("s", members)[: len(extents)]
    if len(strides) != len(extents) or not all(_COMPACT.search(each.comment.lower()) for each in strides):
        strides = []
    rank = " + ".join(f"({each.expression} != 0)" for each in extents)
    zero = " && ".join(f"{each.expression} == 0" for each in strides)
    return LetterAxes(rank, _chosen(extents), _chosen(strides) if strides else "", zero)


def _of_axes(start: str, members: Sequence[Named]) -> list[Named]:
    """Returns the integers `nx`, `ny` and so on, without a gap."""
    named = {each.name.lower(): each for each in members if each.type.kind == "int"}
    found: list[Named] = []
    for letter in _LETTERS:
        if f"{start}{letter}" not in named:
            break
        found.append(named[f"{start}{letter}"])
    return found


def _chosen(extents: Sequence[Named]) -> str:
    *first, last = extents
    tests = "".join(f"axis == {index} ? {each.expression} : " for index, each in enumerate(first))
    return f"{tests}{last.expression}"


_FIRST_IS_INNERMOST = re.compile(
    r"\[0\] is the fastest|first (?:axis|dimension) (?:is the|varies) (?:fastest|innermost)"
)
_ORDER = "require data byte_offset dtype device shape match order strides readonly".split()


_MATRIX = frozenset("rows cols nrows ncols nrow ncol columns ncolumns m n r c size1 size2 nr nc".split())
"""Words of the extents of a matrix, whose rows or columns can lie together. The rows of images do."""
_UNIT_BY_NAME = "the unit, by its name"
_PIXELS_OF_BITS = (("8", "uint8", ""), ("16", "uint16", ""), ("24", "uint8", "3"), ("32", "uint32", ""))
"""The numbers of bits of a pixel, each with the dtype of a sample, and the samples of a pixel."""


class Attribute(Frozen):
    """A field of a struct, or the result of a function that reads the struct."""

    name: str
    expression: str
    type: DeclaredType
    comment: str = ""
    element: str = ""
    """The expression of the element with the index `axis`."""
    is_field: bool = True
    is_flexible: bool = False
    """Whether it is an array at the end of a struct, whose memory can go on behind the struct."""
    in_union: bool = False
    """Whether other members of a union share its memory."""

    @property
    def word(self) -> str:
        """The name in lower case, in one word, without words such as `get` and `num`."""
        own = words(self.name.rpartition(".")[2])
        kept = [each for each in own if each not in IGNORED] or own[-1:]
        return "".join(kept)


class Slot(Frozen):
    key: str
    value: str
    """The value in YAML."""
    guess: str = ""
    """The reason of a guess; empty for a fact."""


class Question(Frozen):
    """A key that nothing decides, with lines from which the author of the spec chooses."""

    text: str
    choices: tuple[str, ...]
    is_required: bool = True
    """Whether the tensor is incomplete without an answer."""


class Layout(Frozen):
    slots: tuple[Slot, ...]
    questions: tuple[Question, ...]
    used: frozenset[str]
    """The expressions that the slots use."""
    cases: tuple[Case, ...] = ()
    """The conditions under which the description is right, and about which nobody has decided."""

    @property
    def is_complete(self) -> bool:
        return not any(each.is_required for each in self.questions)


def attributes_of_members(struct: Struct) -> list[Attribute]:
    return [_attribute_of(member, struct) for member in struct.members]


def _attribute_of(member: Member, struct: Struct) -> Attribute:
    base, index, rest = member.name.partition("[axis]")
    expression = f"self->{member.name}"
    element = expression if index else f"self->{base}[axis]" if member.type.pointed is not None else ""
    return Attribute(
        f"{base}{rest}" if index else base,
        expression,
        member.type,
        member.comment,
        element,
        True,
        member is struct.flexible,
        struct.shares_memory(member),
    )


def layout(
    struct: Struct,
    attributes: Sequence[Attribute],
    header: Header,
    answers: Mapping[str, Answer] = MappingProxyType({}),
) -> Layout | None:
    """Returns the array in a struct, or None if the struct does not look like an array. `answers` are those about
    members that may change what the array is."""
    return _Search(struct, attributes, header, answers).layout()


def _reason_of_strides(what: str, unit: str) -> str:
    """Returns the reason for strides that a name shows, with the reason for their unit, which can be a fact."""
    if unit == _UNIT_BY_NAME:
        return f"the {what} and the unit, by name"
    reason = unit.removeprefix("the unit, ")
    return f"the {what}, by name{f'; the unit, {reason}' if unit else ''}"


def _is_displayed(attribute: Attribute, extent: str) -> bool:
    """Returns whether a field is the displayed part of an extent: `d_w` beside `w`, with a comment that says so."""
    *first, last = words(attribute.name)
    said = "display" in attribute.comment.lower() or "visible" in attribute.comment.lower()
    return last == extent and len(first) == 1 and (first[0] in DISPLAYED or (first[0] in ("d", "v") and said))


def _points_to_rows(attribute: Attribute) -> bool:
    """Returns whether a field is a pointer to pointers to numbers."""
    inner = attribute.type.target.target if attribute.type.target is not None else None
    kinds = attribute.type.kind, attribute.type.target.kind if attribute.type.target is not None else ""
    return kinds == ("pointer", "pointer") and inner is not None and inner.is_number


class _Search:
    def __init__(
        self, struct: Struct, attributes: Sequence[Attribute], header: Header, answers: Mapping[str, Answer]
    ) -> None:
        self._struct = struct
        self._answers = answers
        self._attributes = attributes
        self._header = header
        self._slots: list[Slot] = []
        self._questions: list[Question] = []
        self._requirements: list[tuple[str, str]] = []
        self._format: Attribute | None = None
        """The format of the pixels, or their number of bits."""
        self._pixels: list[tuple[str, str, str]] = []
        """The known values of the format, each with the dtype of a sample, and the samples of a pixel."""
        self._extents: list[str] = []
        self._comments = " ".join([struct.comment, *(each.comment for each in attributes)]).lower()

    def layout(self) -> Layout | None:
        data = self._data()
        if data is None:
            return None
        self._find_format(data)
        extents = self._shape(data)
        if extents is None:
            return None
        self._extents = extents
        self._add_data(data, extents == ["1"])
        self._dtype(data)
        self._strides(data, extents)
        self._order(data, extents)
        self._device()
        self._readonly()
        open_cases = self._cases(data, extents)
        if self._requirements:
            conditions = ", ".join(flow_map({"expr": each, "message": why}) for each, why in self._requirements)
            self._slots.append(Slot("require", f"[{conditions}]"))
        text = " ".join(slot.value for slot in self._slots)
        used = frozenset(each.expression for each in self._attributes if each.expression in text)
        self._mention_order()
        self._slots.sort(key=lambda slot: _ORDER.index(slot.key))
        return Layout(tuple(self._slots), tuple(self._questions), used, tuple(open_cases))

    # ---- members that may change what the array is ----

    def _cases(self, data: Attribute, extents: Sequence[str]) -> list[Case]:
        """Requires the case that the slots describe. Returns the cases about which nobody has decided."""
        text = " ".join([*(slot.value for slot in self._slots), *(condition for condition, _ in self._requirements)])
        used = frozenset(each.expression for each in self._attributes if each.expression in text)
        dtype = next((slot.value for slot in self._slots if slot.key == "dtype"), "")
        dtypes = frozenset(re.findall(r"\b(?:u?int|float|complex|bool)\d*\b", dtype)) - {"bool"}
        element = self._element(data)
        bits = element.bits if element is not None and "map" not in dtype and not self._pixels else 0
        found = [] if self._pixels else [*cases(self._attributes, used, dtypes, bits, self._header)]
        found += self._unknown_order(extents)
        expressions = {each.name: each.expression for each in self._attributes}
        still_open = []
        for each in found:
            case = answered(each, self._answers, expressions.get(each.name, ""))
            if case is not None and case.condition:
                self._requirements.append((case.condition, case.message))
            elif case is not None:
                self._questions.append(Question(f"{case.message}: which array is it?", ()))
            if each.name not in self._answers:
                still_open.append(each)
        return still_open

    def _unknown_order(self, extents: Sequence[str]) -> Iterator[Case]:
        """Yields the case of an array of several axes that may be stored by columns. An answer can tell."""
        keys = {slot.key for slot in self._slots}
        shape = next((slot for slot in self._slots if slot.key == "shape"), None)
        rank = re.match(r"\{ndim: ([^,]+),", shape.value) if shape is not None and not extents else None
        is_matrix = len(extents) == 2 and bool(
            {each.word for each in self._attributes if each.expression in extents} & _MATRIX
        )
        if keys & {"strides", "order", "match"} or not (is_matrix or rank is not None):
            return
        answer = self._answers.get(ORDER)
        if answer is not None and answer.value == BY_COLUMNS:
            self._slots.append(Slot("order", "F"))
        yield unknown_order(extents, rank[1] if rank is not None else "")

    def _found(self, names: frozenset[str], integer: bool = True) -> Attribute | None:
        """Returns the first field with one of the names. Ignores `mod.n`, a member of another struct member with a name
        of one letter, since it seldom describes the array."""
        return next(
            (
                each
                for each in self._attributes
                if each.word in names
                and (not integer or each.type.is_integer)
                and (len(each.word) > 1 or "." not in each.name)
            ),
            None,
        )

    # ---- data ----

    def _data(self) -> Attribute | None:
        scored = [(self._data_score(each), each) for each in self._attributes]
        best = max((score for score, _ in scored), default=0)
        several = [each for score, each in scored if score == best]
        if len(several) > 1 and (best == 1 or all(_points_to_rows(each) for each in several)):
            return None
        return next((each for score, each in scored if score == best), None) if best > 0 else None

    def _data_score(self, attribute: Attribute) -> int:
        target = attribute.type.pointed
        if target is None or "[axis]" in attribute.expression:
            return 0
        path, _, last = attribute.name.rpartition(".")
        own = words(last)
        if attribute.in_union and self._element(attribute) is not None:  # nothing tells which member counts
            return 0
        if self._struct.is_copied and attribute.type.kind == "array" and not attribute.type.length:
            return 0
        if set(own) & NO_DATA and not set(own) & {"data", "pixels"}:
            return 0
        if set(words(path)) & NO_DATA or (own[0] in ("user", "priv", "private") and len(own) > 1):
            return 0
        if attribute.comment.lower().startswith("private") or own[-1] in END:
            return 0
        if self._length_by_name(attribute) is not None and target.is_number and target.kind != "char":
            return 1
        named = max((len(DATA) - DATA.index(word) for word in own if word in DATA), default=0)
        if not named and _points_to_rows(attribute):  # `tpixels` beside `pixels`
            named = max((len(DATA) - DATA.index(word) for word in DATA if own[-1][1:] == word), default=0)
        if target.is_number or target.kind == "void":
            plain = attribute.type.kind == "pointer" and target.is_number and target.kind != "char"
            return 2 * named + 1 if named else int(plain and attribute.is_field)
        inner = target.pointed
        if inner is not None and (inner.is_number or inner.kind == "void"):
            return 2 * named
        if attribute.type.kind == "array" and inner is not None and inner.is_number:
            return named
        return 0

    def _element(self, data: Attribute) -> DeclaredType | None:
        """Returns the type of an element; None for `void`."""
        target = data.type.pointed
        while target is not None and target.pointed is not None:
            target = target.pointed
        return target if target is not None and target.kind != "void" else None

    def _add_data(self, data: Attribute, is_one: bool) -> None:
        """Adds the address of the data. `is_one`: the data is one element."""
        expression = data.expression
        target = data.type.pointed
        named = set(words(data.name)) & set(DATA)
        is_only = sum(self._data_score(each) > 0 for each in self._attributes) == 1
        is_clear = named and data.is_field and is_only and not data.in_union
        guess = "" if is_clear else "by its name" if named else "the only pointer to numbers"
        if target is not None and target.kind == "pointer" and data.type.kind == "array" and self._pixels:
            expression += "[0]"
            guess = "the first plane"
        elif target is not None and target.kind == "pointer" and data.type.kind == "array":
            lines = ("params: [int plane = 0]", f"data: {expression}[plane]")
            self._questions.append(Question(f"`{data.name}` points to several planes: which one has the array?", lines))
            return
        elif target is not None and target.kind == "pointer":
            expression += "[0]"
            guess = "the first row"
        elif target is not None and target.kind == "array":
            expression = (
                f"&{expression}[0][0]" if target.pointed is None or target.pointed.kind != "array" else expression
            )
        elif data.is_flexible and data.type.length is not None and target is not None and not is_one:
            expression = f"({target.spelling} *){expression}"
        self._slots.append(Slot("data", scalar(expression, False), guess))
        offset = self._found(BYTE_OFFSET)
        if offset is not None:
            self._slots.append(Slot("byte_offset", scalar(offset.expression, False), "by its name"))
            return
        offset = self._found(OFFSET)
        if offset is not None:
            self._requirements.append(
                (f"{offset.expression} == 0", f"the array begins at {offset.name}, not at its data")
            )
            bytes_, elements = f"byte_offset: {offset.expression}", f"data: {expression} + {offset.expression}"
            text = f"does `{offset.name}` count bytes or elements? `require` refuses others than 0 until you replace it"
            self._questions.append(Question(text, (bytes_, elements), False))

    # ---- shape ----

    def _shape(self, data: Attribute) -> list[str] | None:
        """Adds the shape, and returns its extents, or an empty list if the rank varies; None: there are no extents."""
        target = data.type.target
        if data.type.kind == "array" and target is not None and target.kind == "array" and target.length is not None:
            return self._shape_of_member(data, target.length)
        if data.type.kind == "array" and target is not None and target.is_number:
            length = self._found(LENGTH) if data.is_flexible or data.type.length != 1 else None
            is_fixed = length is None and not (data.is_flexible and self._scalars(data))
            if data.type.length is not None and is_fixed:
                return self._add_shape([str(data.type.length)], "")
        vectors = [each for each in self._attributes if each is not data and self._is_vector(each)]
        rank = next((each for each in self._attributes if each.type.is_integer and self._is_rank(each)), None)
        for vector in vectors:
            if rank is not None:
                begins = re.search(rf"{vector.name}\[0\] ?= ?{rank.name}\b", vector.comment)
                element = vector.element.replace("[axis]", "[axis + 1]") if begins else vector.element
                value = flow_map({"ndim": rank.expression, "each": element})
                self._slots.append(Slot("shape", value, f"`{rank.name}` is the rank, by its name"))
                return []
            if vector.type.length is not None and vector.type.length <= 8 and "[axis]" not in vector.expression:
                listed = [f"{vector.expression}[{index}]" for index in range(vector.type.length)]
                stride = next((each for each in self._attributes if each.word in STRIDE and each.type.is_integer), None)
                if stride is not None and len(listed) == 2:
                    reason = f"the width, then the height, because `{stride.name}` is the stride of a row"
                    return self._add_shape(listed[::-1], reason)
                return self._add_shape(listed, f"all {len(listed)} axes are always there")
        if self._is_of_letters():
            return []
        scalars = self._scalars(data)
        if scalars:
            listed = [each.expression for each in scalars]
            if data.type.kind == "pointer" and target is not None and target.length is not None and len(listed) == 2:
                self._slots.append(Slot("strides", flow_map({"outer": str(target.length), "unit": "elements"})))
                self._add_shape(listed, self._reason_of(scalars))
                return []
            return self._add_shape(listed, self._reason_of(scalars))
        if vectors:
            vector = vectors[0]
            text = f"which number of axes has `{vector.name}`?"
            choices = (f"shape: {flow_list([f'{vector.expression}[0]', f'{vector.expression}[1]'])}",)
            self._questions.append(Question(text, choices))
            return []
        end = self._end(data)
        if end is not None:
            return self._add_shape([f"{end.expression} - {data.expression}"], f"`{end.name}` is its end, by its name")
        return None

    def _is_of_letters(self) -> bool:
        """Describes the axes `nx`, `ny` and so on, of which 0 means no axis. Strides of 0 mean a contiguous array."""
        members = [Named(each.name, each.expression, each.type, each.comment) for each in self._attributes]
        axes = letter_axes(members)
        if axes is None:
            return False
        reason = "an axis of 0 is unused, by a comment"
        self._slots.append(Slot("shape", flow_map({"ndim": axes.rank, "each": axes.extent}), reason))
        self._slots.append(Slot("order", "reversed", "x is the innermost axis, by the names"))
        if axes.stride:
            self._requirements.append((axes.is_contiguous, "the array has strides, whose unit is unknown"))
            value = {"each": axes.stride, "compact_when": axes.is_contiguous}
            lines = tuple(f"strides: {flow_map({**value, 'unit': each})}" for each in ("elements", "bytes"))
            text = "do the strides count elements or bytes? `require` refuses other strides than 0 until you replace it"
            self._questions.append(Question(text, lines, False))
        return True

    def _end(self, data: Attribute) -> Attribute | None:
        """Returns the pointer behind the last element: `end` of `begin`. Of several, the one with the shortest name
        counts: others point behind the memory, as `stor_end` does."""
        path, _, last = data.name.rpartition(".")
        if words(last)[-1] not in BEGIN:
            return None
        ends = [
            each
            for each in self._attributes
            if each.type == data.type and each.name.rpartition(".")[0] == path and words(each.name)[-1] in END
        ]
        return min(ends, key=lambda each: len(each.name), default=None)

    def _shape_of_member(self, data: Attribute, columns: int) -> list[str]:
        """Adds the shape of a member `m[ROWS][COLUMNS]`, of which other members may give the used part."""
        height, width = self._found(HEIGHT), self._found(WIDTH)
        if data.type.length is not None and data.type.length < columns and (height is None or width is None):
            height, width = self._found(CHANNELS), self._found(LENGTH)
        if height is None or width is None:
            return self._add_shape([str(data.type.length), str(columns)], "")
        self._slots.append(Slot("strides", flow_map({"outer": str(columns), "unit": "elements"})))
        self._add_shape([height.expression, width.expression], "the used part, by their names")
        return []

    def _add_shape(self, extents: list[str], guess: str) -> list[str]:
        self._slots.append(Slot("shape", flow_list(extents), guess))
        return extents

    def _is_vector(self, attribute: Attribute) -> bool:
        target = attribute.type.pointed
        if target is None or not target.is_integer or not attribute.element:
            return False
        if "[axis]" in attribute.expression:
            return words(attribute.name)[-1] in EXTENT_OF_AXIS
        return attribute.word in VECTOR_OF_EXTENTS

    def _is_rank(self, attribute: Attribute) -> bool:
        return attribute.word in RANK or "".join(words(attribute.name)) in RANK

    def _scalars(self, data: Attribute) -> list[Attribute]:
        stored = self._found(STORED)
        if stored is not None:
            return [stored]
        height, width = self._shown(HEIGHT), self._shown(WIDTH)
        if height is None and width is None:
            height, width = self._found(frozenset("r")), self._found(frozenset("c"))
        channels, depth = self._found(CHANNELS), self._found(DEPTH)
        if self._pixels:  # the format decides the last axis, and the depth is one of colors
            channels, depth = None, None
        element = self._element(data)
        if channels is None and element is not None and element.bits == 8 and not self._pixels:
            channels = self._found(BYTES_OF_PIXEL)
        channels = channels if channels is not width else None
        if height is not None and width is None and height.word in ("height", "rows"):
            width = self._found(frozenset(("length",)))
        if height is not None and width is not None and height is not width:
            outer = [depth] if depth is not None and depth.word not in ("depth", "d", "planes") else []
            if depth is not None and depth.word in ("depth", "d") and depth.type.kind != "enum" and channels is None:
                outer = [depth] if self._found(frozenset(("nz", "slices"))) is None else outer
            return [*outer, height, width, *([channels] if channels is not None else [])]
        length = self._length_by_name(data) or self._found(LENGTH) or self._found(EXTENT_OF_AXIS)
        if length is None:
            return []
        if self._counts_bytes(length, data):
            expression = f"{length.expression} / itemsize"
            return [Attribute(length.name, expression, length.type, length.comment, is_field=length.is_field)]
        return [length, channels] if channels is not None else [length]

    def _shown(self, names: frozenset[str]) -> Attribute | None:
        """Returns an extent of an image: that of the part that is displayed, if the struct has more."""
        found = self._found(names)
        if found is None or "." in found.name:
            return found
        shown = [each for each in self._attributes if each.type.is_integer and _is_displayed(each, found.word)]
        return shown[0] if len(shown) == 1 else found

    def _counts_bytes(self, length: Attribute, data: Attribute) -> bool:
        """Returns whether a length counts bytes, of elements whose size a code tells. The `size` of untyped memory or
        of bytes does so, unless it has a comment: if it is the number of elements, the array ends too early, not too
        late."""
        element = self._element(data)
        is_bytes = element is not None and element.bits == 8
        is_coded = element is None or (is_bytes and any(map(self._decided, self._codes(data))))
        is_size = length.word == "size" and not length.comment
        return is_coded and (is_size or "byte" in length.comment.lower() or "bytes" in words(length.name))

    def _reason_of(self, scalars: Sequence[Attribute]) -> str:
        if scalars[0].expression.endswith(" / itemsize"):
            return f"`{scalars[0].name}` is the number of bytes, by its name or comment"
        if len(scalars) == 1:
            return "the number of elements, by its name"
        last = scalars[-1]
        order = "the order of the axes, by their names"
        return (
            f"{order}; the values of one pixel lie together"
            if last.word in CHANNELS | BYTES_OF_PIXEL and len(scalars) > 2
            else order
        )

    def _length_by_name(self, data: Attribute) -> Attribute | None:
        """Returns the function that counts the elements of another one: `get_table_entries` of `get_table`."""
        names = {f"{data.name}_{ending}" for ending in ("entries", "size", "length", "count", "len")}
        return next((each for each in self._attributes if each.name in names and not each.is_field), None)

    # ---- dtype ----

    def _dtype(self, data: Attribute) -> None:
        element = self._element(data)
        is_bytes = element is None or element.bits == 8
        named = self._codes(data)
        if self._is_format():
            return
        if is_bytes and self._dtype_of_code(named):
            return
        known = dtype_of_type(element) if element is not None else None
        if element is not None and known is not None:
            self._slots.append(Slot("dtype", known))
            self._size_of_items(known, element)
            return
        if element is None and self._ask_about_codes(data, named):
            return
        size = self._found(ITEM_SIZE)
        of = f"; `{size.name}` is the size of one element" if size is not None else ""
        pointer = "void" if element is None else element.spelling
        choices = ("dtype: uint8", "dtype: float32", "dtype: {of: self->type, map: {LIB_U8: uint8, LIB_F32: float32}}")
        self._questions.append(Question(f"`{data.name}` points to `{pointer}`: which dtype has it{of}?", choices))

    def _codes(self, data: Attribute) -> list[Attribute]:
        """Returns the attributes that can tell the type of the elements."""
        integers = [each for each in self._attributes if each.type.is_integer]
        named = [each for each in integers if each.word in DTYPE]
        if named or self._element(data) is not None:
            return named
        return [each for each in integers if describes_data(each.name, data.name)]

    def _dtype_of_code(self, named: Sequence[Attribute]) -> bool:
        for attribute in named:
            found = self._decided(attribute)
            if found is not None:
                self._slots.append(Slot("dtype", found.value, found.guess))
                return True
        return False

    def _decided(self, attribute: Attribute) -> CodedType | None:
        return decided_type(attribute.name, attribute.expression, attribute.type, attribute.comment, self._header)

    def _ask_about_codes(self, data: Attribute, named: Sequence[Attribute]) -> bool:
        """Asks which dtypes the values of a code beside the data stand for, and adds an example. Returns whether there
        is a code."""
        path = data.name.rpartition(".")[0]
        for each in (each for each in named if each.name.rpartition(".")[0] == path):
            found = coded_type(each.name, each.expression, each.type, each.comment, self._header)
            if found is not None:
                self._slots.append(Slot("dtype", found.value))
                self._questions.append(Question(found.question, ()))
                return True
        return False

    # ---- formats of pixels ----

    def _find_format(self, data: Attribute) -> None:
        """Finds the enum with the format of the pixels, or their number of bits. Pixels of 32 bits can have formats of
        other sizes."""
        element = self._element(data)
        is_number = element is not None and element.kind == "int" and element.bits == 32
        if not (element is None or element.bits == 8 or is_number):
            return
        target = data.type.pointed
        has_planes = data.type.kind == "array" and target is not None and target.kind == "pointer"
        bits = self._found(BITS_OF_PIXEL)
        has_bytes = element is not None and element.kind == "int" and not is_number
        if not has_planes and bits is not None and has_bytes and self._found(CHANNELS | BYTES_OF_PIXEL) is not None:
            self._format, self._pixels = bits, [*_PIXELS_OF_BITS[:3], ("32", "uint8", "4")]
            return
        if not has_planes and self._found(CHANNELS) is not None:
            return
        for attribute in self._attributes:
            for enum in self._formats_of(attribute):
                pixels = pixels_of_enum(enum, has_planes)
                if pixels and (not is_number or len({dtype for _, dtype, _ in pixels}) > 1):
                    self._format, self._pixels = attribute, pixels
                    return
        if bits is not None and not is_number and not has_planes:
            self._format, self._pixels = bits, list(_PIXELS_OF_BITS)

    def _formats_of(self, attribute: Attribute) -> list[Enum]:
        """Returns the enums that a field may have as formats of pixels: its type, those that its comment mentions, or
        one with its name."""
        if not attribute.type.is_integer or not self._is_code_of_pixels(attribute):
            return []
        if attribute.type.kind == "enum":
            own = self._header.enums.get(attribute.type.declaration)
            return [own] if own is not None else []
        named = words(attribute.name)
        mentioned = set(re.findall(r"\w+", attribute.comment))
        return [
            each
            for each in self._header.enums.values()
            if each.spelling.removeprefix("enum ") in mentioned
            or (len(named) > 1 and words(each.spelling)[-len(named) :] == named)
        ]

    def _is_code_of_pixels(self, attribute: Attribute) -> bool:
        return attribute.word in DTYPE or words(attribute.name)[-1] in CODE_OF_PIXELS

    def _is_format(self) -> bool:
        """Matches the formats of pixels, if there are any: they decide the dtype and the last axis."""
        shape = next((slot for slot in self._slots if slot.key == "shape" and slot.value.count(",") == 1), None)
        if shape is None or self._format is None:
            self._pixels = []
            return False
        arms = []
        for constant, dtype, samples in self._pixels:
            extents = f"{shape.value[:-1]}, {samples}]" if samples else shape.value
            arms.append(f"{{when: {constant}, dtype: {dtype}, shape: {extents}}}")
        self._slots.remove(shape)
        value = "\n".join([f"of: {scalar(self._format.expression, False)}", "arms:", *(f"  - {arm}" for arm in arms)])
        source = "bits of a pixel" if self._pixels[0] == _PIXELS_OF_BITS[0] else "names of the formats"
        self._slots.append(Slot("match", value, f"by the {source}; others are refused"))
        return True

    def _size_of_items(self, dtype: str, element: DeclaredType) -> None:
        bits = self._found(ITEM_BITS)
        size = self._found(ITEM_SIZE)
        colors = self._found(COLORS)
        if bits is not None and colors is not None:
            self._samples_of_pixel(colors)
        if dtype == "uint8" and bits is not None:
            self._requirements.append((f"{bits.expression} == 8", "the samples are not bytes"))
        elif size is not None and size.type.kind == "int" and element.bits:
            self._requirements.append(
                (f"{size.expression} == sizeof({element.spelling})", "the elements have another size")
            )

    def _samples_of_pixel(self, colors: Attribute) -> None:
        """Refuses pixels of several samples, if `colors` can count them, or the entries of a palette."""
        if len(self._extents) != 2:
            return
        self._requirements.append((f"{colors.expression} == 1", "the pixels have several samples"))
        text = f"does `{colors.name}` count the samples of a pixel? `require` refuses several until you replace it"
        shape = f"shape: {flow_list([*self._extents, colors.expression])}"
        self._questions.append(Question(text, (shape,), False))

    # ---- strides ----

    def _strides(self, data: Attribute, extents: Sequence[str]) -> None:
        if any(slot.key == "strides" for slot in self._slots):
            return
        element = self._element(data)
        target = data.type.pointed
        if target is not None and target.kind == "pointer" and data.type.kind == "pointer":
            self._slots.append(Slot("strides", flow_map({"rows": data.expression}), "each pointer is a row"))
            return
        is_fixed_byte = element is not None and element.bits == 8 and not any("map" in s.value for s in self._slots)
        vector = next((each for each in self._attributes if self._is_stride_vector(each)), None)
        if target is not None and target.kind == "pointer":
            if vector is not None and self._pixels:
                strides = flow_map({"outer": f"{vector.expression}[0]", "unit": "bytes"})
                reason = _reason_of_strides("row stride", "the unit, because the size of a pixel varies")
                self._slots.append(Slot("strides", strides, reason))
            elif vector is not None:
                line = f"strides: {flow_map({'outer': f'{vector.expression}[plane]', 'unit': 'bytes'})}"
                self._questions.append(Question(f"`{vector.name}` has a stride for each plane", (line,)))
        elif vector is not None and extents == []:
            self._stride_vector(vector, is_fixed_byte)
        else:
            stride = next((each for each in self._attributes if each.word in STRIDE and each.type.is_integer), None)
            if stride is not None and extents:
                self._scalar_stride(stride, extents, element, is_fixed_byte)

    def _is_stride_vector(self, attribute: Attribute) -> bool:
        target = attribute.type.pointed
        if target is None or not target.is_integer:
            return False
        return attribute.word in STRIDE or (
            "[axis]" in attribute.expression and words(attribute.name)[-1] in STRIDE_OF_AXIS
        )

    def _unit(self, attribute: Attribute, is_fixed_byte: bool) -> tuple[str, str] | None:
        """Returns the unit of a stride and the reason; None: nothing decides it."""
        said = unit_in_comment(attribute.comment, len(self._extents) == 2 and not self._pixels)
        if said == "other":
            return None
        if said:
            return said, "the unit, by its comment"
        if is_fixed_byte:
            return "bytes", ""
        word = attribute.word
        last = words(attribute.name)[-1]
        if word in STRIDE_IN_BYTES or "byte" in word or last == "sm":
            return "bytes", _UNIT_BY_NAME
        if self._pixels or self._found(BYTES_OF_PIXEL) is not None:
            return "bytes", "the unit, because the size of a pixel varies"
        if word in STRIDE_IN_ELEMENTS:
            return "elements", _UNIT_BY_NAME
        return None

    def _stride_vector(self, vector: Attribute, is_fixed_byte: bool) -> None:
        unit = self._unit(vector, is_fixed_byte)
        value = {"each": vector.element}
        if vector.type.kind == "pointer" and vector.is_field:
            value["compact_when"] = f"{vector.expression} == NULL"
        if unit is None:
            lines = tuple(f"strides: {flow_map({**value, 'unit': each})}" for each in ("elements", "bytes"))
            self._questions.append(Question(f"in which unit does `{vector.name}` count?", lines))
            return
        self._slots.append(
            Slot("strides", flow_map({**value, "unit": unit[0]}), _reason_of_strides("strides", unit[1]))
        )

    def _scalar_stride(
        self, stride: Attribute, extents: Sequence[str], element: DeclaredType | None, is_fixed_byte: bool
    ) -> None:
        unit = self._unit(stride, is_fixed_byte)
        if unit is None and len(extents) == 1 and element is not None:
            unit = "elements", "the unit, as usual for vectors of numbers"
        if unit is not None:
            strides = flow_map({"outer": stride.expression, "unit": unit[0]})
            what = "row stride" if len(extents) > 1 else "stride"
            self._slots.append(Slot("strides", strides, _reason_of_strides(what, unit[1])))
            return
        inner = " * ".join(f"(int64_t){each}" for each in extents[1:]) or "1"
        lines = tuple(
            f"strides: {flow_map({'outer': stride.expression, 'unit': each})}" for each in ("elements", "bytes")
        )
        text = f"does `{stride.name}` count elements or bytes? `require` refuses arrays with gaps until you replace it"
        self._questions.append(Question(text, lines, False))
        value = f"(int64_t){stride.expression}" if extents[1:] else stride.expression
        compact = f"{value} == {inner}"
        if element is not None and len(extents) > 1:
            compact += f" || {value} == {inner} * (int64_t)sizeof({element.spelling})"
        self._requirements.append((compact, "there are gaps between the rows"))

    # ---- order, device, readonly ----

    def _mention_order(self) -> None:
        """Adds to the reason of the shape that the last axis is the innermost, unless strides or an order decide it."""
        keys = {slot.key for slot in self._slots}
        for index, slot in enumerate(self._slots):
            several = "," in slot.value
            if slot.key == "shape" and slot.guess and several and not keys & {"strides", "order"}:
                guess = f"{slot.guess}; rows are contiguous, else add `order: F`"
                self._slots[index] = Slot(slot.key, slot.value, guess)

    def _order(self, data: Attribute, extents: Sequence[str]) -> None:
        macro = self._macro_of_columns(data, extents[0].removeprefix("self->")) if len(extents) == 2 else None
        target = data.type.pointed
        has_rows = target is not None and target.kind == "array" and any(slot.key == "strides" for slot in self._slots)
        if has_rows or any(slot.key == "order" for slot in self._slots):
            return
        if macro is not None:
            self._slots.append(Slot("order", "F", f"the macro `{macro}` reads columns"))
        elif len(extents) != 1 and any(
            each in self._comments for each in ("column-major", "column major", "fortran order")
        ):
            self._slots.append(Slot("order", "F", "by a comment in the header"))
        elif not extents and _FIRST_IS_INNERMOST.search(self._comments):
            self._slots.append(Slot("order", "reversed", "by a comment in the header"))
        elif not extents and {"nx", "ny"} <= {each.name.lower() for each in self._attributes}:
            self._slots.append(Slot("order", "reversed", "x is the first axis, and usually the innermost"))

    def _macro_of_columns(self, data: Attribute, rows: str) -> str | None:
        """Returns the macro that reads an element by its column. If several structs have both members, it counts if
        their names have a word in common, `matrix` of `matrix_float` and `matrix_double`, that most structs lack."""
        macro = self._header.columns.get((data.name, rows))
        every = [(frozenset(words(each.spelling)), each) for each in self._header.structs.values()]
        named = [own for own, each in every if {data.name, rows} <= each.member_names]
        shared = frozenset.intersection(*named) if named else frozenset()
        is_one_kind = any(2 * sum(word in own for own, _ in every) <= len(every) for word in shared)
        return macro if len(named) == 1 or is_one_kind else None

    def _device(self) -> None:
        attribute = next((each for each in self._attributes if each.word in DEVICE and each.type.kind == "enum"), None)
        enum = self._header.enums.get(attribute.type.declaration) if attribute is not None else None
        if attribute is not None and enum is not None:
            found, other = map_of_enum(enum, "device")
            if found:
                left = f"; other values are refused: {', '.join(other[:6])}" if other else ""
                value = choice(attribute.expression, found)
                number = self._found(DEVICE_NUMBER)
                if number is not None:
                    value = f"{value[:-1]}, id: {scalar(number.expression)}}}"
                self._slots.append(Slot("device", value, f"by the names of the constants{left}"))
                return
        other_device = next((each for each in self._attributes if each.word in DEVICE and each.type.is_integer), None)
        if other_device is not None and other_device.word in SURE_DEVICE:
            text = f"`{other_device.name}` may name a device; without this key the data is in the memory of the CPU"
            line = f"device: {{of: {scalar(other_device.expression)}, map: {{LIB_CPU: cpu, LIB_GPU: cuda}}}}"
            self._questions.append(Question(text, (line,)))

    def _readonly(self) -> None:
        readonly = self._found(READONLY)
        writable = self._found(WRITABLE)
        if readonly is not None:
            self._slots.append(Slot("readonly", scalar(readonly.expression, False), "by its name"))
        elif writable is not None:
            self._slots.append(Slot("readonly", scalar(f"!{writable.expression}", False), "by its name"))
