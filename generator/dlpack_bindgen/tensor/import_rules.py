"""Rules for imports and allocations: the values that they use, and the lifetime of the objects that they make."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import PASS
from dlpack_bindgen.language.values import Fields, Leaf, c_fragments, is_record, is_whole, text_of
from dlpack_bindgen.tensor import accepts
from dlpack_bindgen.tensor.dtype import BITS, CODE, DECODED_DTYPE
from dlpack_bindgen.tensor.import_calls import ATTACH, DELETER, DESTROY, INIT_OF_MAKING
from dlpack_bindgen.tensor.import_parts import LET_OF_MAKING, REQUIRE_OF_MAKING
from dlpack_bindgen.tensor.import_set import SET_OF_IMPORT
from dlpack_bindgen.tensor.imports import ALLOCATE_OF_TENSOR, CAST_OF_IMPORT, IMPORT_OF_CLASS, PARTS, factories_of
from dlpack_bindgen.tensor.lifetime_hooks import RELEASE
from dlpack_bindgen.tensor.match_arms import Match, plain
from dlpack_bindgen.tensor.match_inverse_rules import SLOTS_OF_CODES, importable
from dlpack_bindgen.tensor.match_rules import accepted_ranks
from dlpack_bindgen.tensor.requirements import CHECK, EXPR
from dlpack_bindgen.tensor.steps import DO, REQUIRE_OF_STEP
from dlpack_bindgen.text import ctext, fragments
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report, Span, shown, within
from dlpack_bindgen.text.expressions import LiteralIndex, literal_indices
from dlpack_bindgen.text.names import ARRAYS_OF_AXES
from dlpack_bindgen.text.types import split_variable

_HANDED = ("deleter", "user")
_BUILDS = ("set", "init", "construct")
_OF_IMPORTS = ("data", "strides", "byte_strides", "readonly", "device_id", "device_code")
"""Names that the emitted function has in an `allocate` as well, where they have no value."""


def check_imports(tensor: Fields, report: Report) -> None:
    """Checks `import` and `allocate` of a class."""
    for _, making in factories_of(tensor):
        accepts.check_requirements(making[REQUIRE_OF_MAKING], tensor, report)
        _indices(tensor, making, report)
        for part in PARTS:
            for problem in part.problems(making):
                report(problem)
        _frees(tensor, making, report)
    if allocate := tensor[ALLOCATE_OF_TENSOR]:
        _allocate(allocate, report)
    made = tensor[IMPORT_OF_CLASS]
    if made:
        _cast(tensor, made, report)
        _destroy(tensor, made, report)
        _lease(made, report)


def _allocate(made: Fields, report: Report) -> None:
    for _, leaf in c_fragments(made):
        name = next((name for name in _OF_IMPORTS if fragments.mentions_variable(leaf.text, name)), None)
        if name:
            message = f"'{name}' is known in 'import' only: 'allocate' makes an object with memory of its own"
            place = within(leaf.span, leaf.text, (leaf.text.find(name), len(name)))
            report(Diagnostic("out-of-scope", place, message))


def _indices(tensor: Fields, making: Fields, report: Report) -> None:
    ranks = accepted_ranks(tensor, making)
    copies = _copies(making)
    beyond: list[tuple[LiteralIndex, Leaf]] = []
    for _, leaf in c_fragments(making):
        for found in literal_indices(leaf.text, copies.union(ARRAYS_OF_AXES)):
            if not 0 <= found.value < ranks[1]:
                report(_outside(found, leaf, ranks))
                break
            if found.value >= ranks[0] and found.certain and found.array not in copies:
                beyond.append((found, leaf))
    if beyond and not _checks_rank(making) and is_whole(tensor):
        found, leaf = max(beyond, key=lambda each: each[0].value)
        axes = "1 axis" if ranks[0] == 1 else f"{ranks[0]} axes"
        message = f"'{found.shown}' is out of range where the array has {axes}"
        other = f"'ndim > {found.value} ? {found.shown} : 1'"
        hint = f"write require: [{{ndim: {found.value + 1}}}], or write {other}"
        report(Diagnostic("index-out-of-rank", leaf.span, message, hint))


def _outside(found: LiteralIndex, leaf: Leaf, ranks: tuple[int, int]) -> Diagnostic:
    if found.value >= 0:
        message, hint = f"'{found.shown}' is out of range: the rank is at most {ranks[1]}", None
    else:
        message = f"'{found.shown}' is out of range: C does not count from the end"
        index = ranks[0] + found.value
        hint = f"write {found.array}[{index}]" if index >= 0 else None
        if ranks[0] != ranks[1]:
            hint = f"write {found.array}[ndim - {-found.value}]"
    return Diagnostic("index-out-of-rank", leaf.span, message, hint)


def _copies(making: Fields) -> frozenset[str]:
    """Returns the names of arrays in `let`. They have all axes, and 0 for axes that the imported array lacks."""
    let = making[LET_OF_MAKING]
    declared = [split_variable(each.entry[0].text) for each in (let.records() if let else ()) if each.entry]
    return frozenset(each[1] for each in declared if isinstance(each, tuple) and each[2])


def _checks_rank(making: Fields) -> bool:
    """Returns whether a condition in C text tests the rank."""
    checks = required.records(CHECK) if (required := making[REQUIRE_OF_MAKING]) else ()
    steps = let.records() if (let := making[LET_OF_MAKING]) else ()
    conditions = [*(check[EXPR] for check in checks), *(step[REQUIRE_OF_STEP] for step in steps)]
    return any(leaf is not None and ctext.mentions(leaf.text, "ndim") for leaf in conditions)


def _frees(tensor: Fields, making: Fields, report: Report) -> None:
    """Reports a `destroy` or `release` that calls free() for an object in memory of its owner."""
    if text_of(tensor[PASS]) == "value" or not making.has_any(SET_OF_IMPORT, INIT_OF_MAKING):
        return
    destroys = DESTROY in making
    if not destroys and INIT_OF_MAKING not in making:
        return
    end = making[DESTROY] if destroys else tensor[RELEASE]
    for _, leaf in c_fragments(end) if end else ():
        if frees_self(leaf.text):
            message = "the object lies in memory that is freed with its owner, and that free() does not know"
            hint = "free the content of the object, not the object; 'destroy: none' if there is nothing in it"
            report(Diagnostic("frees-our-memory", leaf.span, message, hint))


def frees_self(text: str) -> bool:
    """Returns whether C code calls `free(self)`."""
    words = [token.text for token in ctext.tokens(text)]
    return any(words[place : place + 4] == ["free", "(", "self", ")"] for place in range(len(words)))


def _cast(tensor: Fields, made: Fields, report: Report) -> None:
    """Reports a `cast` of an import that accepts every dtype."""
    if made[CAST_OF_IMPORT] is not None and is_whole(tensor) and not accepts.lists_dtypes(tensor, made):
        message = "this import has no list of dtypes: there is nothing to which an array is converted"
        hint = "list them: 'require: [{dtype: [float32, float64]}]'"
        report(Diagnostic("without-effect", made.place(CAST_OF_IMPORT), message, hint))


def _destroy(tensor: Fields, made: Fields, report: Report) -> None:
    build = next((key for key in ("construct", "init") if key in made.given), None)
    is_missing = DESTROY not in made and RELEASE not in tensor
    if build and is_missing and not (made.has_unknown or tensor.has_unknown):
        message = f"nothing destroys the object of '{build}': the tensor has no 'release' to use for it"
        report(Diagnostic("missing-destroy", made.given[build], message, "add 'destroy', or 'destroy: none'"))


def _lease(made: Fields, report: Report) -> None:
    """Reports imports that use `deleter` and `user` wrongly: the library must get both and pass `user` back."""
    attach = made[ATTACH]
    before = [leaf for key, value in made.values.items() if key in (*_BUILDS, "let") for _, leaf in c_fragments(value)]
    if DELETER not in made:
        for leaf in before:
            name = next((name for name in _HANDED if fragments.mentions_variable(leaf.text, name)), None)
            if name:
                message = f"'{name}' is known only with a 'deleter' beside it"
                hint = "the arguments of the library's callback, such as deleter: [data, user]"
                if ATTACH in made:
                    message, hint = f"'{name}' is known in 'attach' only, which comes later", "write 'deleter' instead"
                report(Diagnostic("deleter-missing", leaf.span, message, hint))
    call = attach[DO] if attach else None
    if call:
        _handed([call], call.span, report)
    elif DELETER in made and any(key in made.values for key in _BUILDS):
        _handed(before, made.place(DELETER), report)


def _handed(leaves: list[Leaf], place: Span, report: Report) -> None:
    known = {name for leaf in leaves for name in ctext.names(leaf.text)}
    missing = [f"'{name}'" for name in _HANDED if name not in known]
    if missing:
        message = f"no call passes {' and '.join(missing)} to the library"
        hint = "if it takes none, leave the key out; calls that complete the object go into a function for 'construct'"
        report(Diagnostic("deleter-unused", place, message, hint if len(missing) == len(_HANDED) else None))


# ---- Rules for members that describe the dtype or the device, and that `set` of an import leaves out ----
# The struct of `set` is filled with zeros. A member that is left out is 0, so that imports of all dtypes but one fail.

_MEMBER = re.compile(r"self\s*(?:->|\.)\s*(\w+(?:\.\w+)*(?:\[(?:axis|\d+)\])?)")


class _Read(Frozen):
    """A C expression that the description reads, and the value of `set` that restores it."""

    leaf: Leaf
    what: str
    value: str | None


def check_unset_members(tensor: Fields, matches: tuple[Match, ...], report: Report) -> None:
    """Reports members that select the dtype or the device, and that `set` does not set."""
    made = tensor[IMPORT_OF_CLASS]
    members = made[SET_OF_IMPORT] if made is not None else None
    if made is None or members is None or not (is_whole(tensor) and is_whole(made)) or _sets_elsewhere(made):
        return
    stored = [member.text for member, _ in members.entries]
    reported: set[str] = set()
    for read in (*_selectors(tensor, matches, made), *_numbers(tensor)):
        found = _MEMBER.fullmatch(read.leaf.text.strip())
        if found is None or found[1] in reported or any(_is_set(found[1], member) for member in stored):
            continue
        reported.add(found[1])
        message = f"'set' leaves out '{shown(found[1])}', {read.what}: it is 0 in each new object"
        hint = f"write '{shown(found[1])}: {read.value}'" if read.value is not None else f"set '{shown(found[1])}', too"
        notes = (Note(read.leaf.span, "read here"),)
        report(Diagnostic("import-incomplete", made.place(SET_OF_IMPORT), message, hint, notes))


def _sets_elsewhere(made: Fields) -> bool:
    """Returns whether C code other than `set` may set members of the new object."""
    others = [value for key, value in made.values.items() if key != "set"]
    return any(fragments.mentions_variable(leaf.text, "self") for value in others for _, leaf in c_fragments(value))


def _is_set(member: str, stored: str) -> bool:
    """Returns whether `set` sets the member, a part of it, or a struct that contains it. Indices are not compared."""
    one, other = (re.split(r"\.|->", re.sub(r"\[[^]]*\]", "", text)) for text in (member, stored))
    count = min(len(one), len(other))
    return one[:count] == other[:count]


def _selectors(tensor: Fields, matches: tuple[Match, ...], made: Fields) -> Iterator[_Read]:
    """Yields the expressions that choose the dtype or the device, if the import accepts several."""
    records = required.records() if (required := made[REQUIRE_OF_MAKING]) else ()
    for word, (slot, *_) in SLOTS_OF_CODES.items():
        match = next((match for match in matches if slot in match.sets), None)
        is_limited = any(slot in record.given for record in records)
        if match is None or is_limited or len(importable(tensor, matches, match, made, slot)) < 2:
            continue
        for place, of in enumerate(match.of):
            yield _Read(of, f"which selects the {slot}", word if match.width == 1 else f"{word}[{place}]")


def _numbers(tensor: Fields) -> Iterator[_Read]:
    """Yields the numbers from which the dtype is decoded."""
    dtype = plain(tensor, "dtype")
    for leaf in (dtype[CODE], dtype[BITS]) if is_record(dtype, DECODED_DTYPE) else ():
        if leaf is not None:
            yield _Read(leaf, "a number of the dtype", None)
