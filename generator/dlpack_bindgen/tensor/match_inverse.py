"""The inverse of a match: C that finds the key of the library from the dtype, shape or device of an imported array."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from dlpack_bindgen.dlpack import MAX_NDIM
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.tensor.dtype import test_of_import
from dlpack_bindgen.tensor.item import Allocate, CallStep, Import, Let, SetFields, Tensor
from dlpack_bindgen.tensor.match_inverse_rules import SLOTS_OF_CODES
from dlpack_bindgen.tensor.requirements import Requirements
from dlpack_bindgen.tensor.shape import ListedShape
from dlpack_bindgen.tensor.slot import Branch, Scope, Statement, Variable, alternatives, chain
from dlpack_bindgen.tensor.slots import BY_NAME, Arm, Match
from dlpack_bindgen.tensor.steps import MAKE, Exit, Report, made_fragments, unqualified
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.fragments import ALWAYS, LITERAL, Piece, argument, mentions, replace_names
from dlpack_bindgen.text.literals import c_string

_INDEXED = re.compile(rf"{LITERAL}|(?<!->)(?<!-> )(?<!\.)\b(code|device_code)\s*\[\s*(\d+)\s*\]")
_BEFORE = frozenset("( , ) == != ? : && || ! = {".split())
_BEHIND = frozenset(") , == != ? : && || ; }".split())
"""Tokens around a variable that is only passed on by value. A `)` before it ends a cast."""
Chain = Callable[[Callable[[Report], Exit]], list[Statement]]
"""A function that returns an if-chain.

Its argument returns the end of the function after a report.
"""


class InverseMatch(Frozen):
    declarations: tuple[str, ...]
    chains: tuple[Chain, ...]

    def rename(self, text: str) -> str:
        """Replaces `code[1]` by the name of a separate variable, because the keys of one arm can have different
        types."""
        return _INDEXED.sub(lambda m: f"{m[1]}_{m[2]}" if m[1] else m.group(), text)


def inverse_match(scope: Scope, tensor: Tensor, made: Import | Allocate) -> InverseMatch:
    """Returns the uses of `code` and `device_code` in `made`."""
    fragments = made_fragments(made)
    declarations: list[str] = []
    chains: list[Chain] = []
    for word, slots in SLOTS_OF_CODES.items():
        match = next((match for slot in slots for match in tensor.matches if slot in match.slots), None)
        if match is None or not mentions(fragments, word):
            continue
        names = _names(word, match, fragments)
        reader = _Reader(tensor, match, word, made.require, names)
        for place, name in names.items():
            others = _elsewhere(made, fragments, match.of[place])
            keys = reader.keys(place) if _is_passed(word, place, len(match.of), others) else []
            declarations.append(f"{_type(scope, tensor, match, place, keys)} {name}")
        chains.append(reader.statements)
    return InverseMatch(tuple(declarations), tuple(chains))


def one_way(tensor: Tensor) -> tuple[Match | None, frozenset[int]]:
    """Returns the match that decides on dtype or shape, and its irreversible arms.

    An import cannot restore these arms from the dtype and shape of an array. The default has the index -1.
    """
    made = tensor.import_
    match = next((match for slot in SLOTS_OF_CODES["code"] for match in tensor.matches if slot in match.slots), None)
    if made is None or match is None:
        return None, frozenset()
    fragments = made_fragments(made)
    names = _names("code", match, fragments) if mentions(fragments, "code") else {}
    return match, _Reader(tensor, match, "code", made.require, names).one_way()


def _names(word: str, match: Match, fragments: Sequence[str | None]) -> dict[int, str]:
    """Returns the positions in `of` that the strings mention, each with its variable."""
    if len(match.of) == 1:
        return {0: word}
    found = sorted({int(m[2]) for text in fragments if text for m in _INDEXED.finditer(text) if m[1] == word})
    return {place: f"{word}_{place}" for place in found if place < len(match.of)}


def _type(scope: Scope, tensor: Tensor, match: Match, place: int, keys: list[str]) -> str:
    """Returns the type of a variable for `of`.

    For small `keys`, this can be a type that all integers and enumerations convert to.
    """
    of = match.of[place]
    known = [*tensor.params, *tensor.hold, *(step for step in tensor.let if isinstance(step, Let | CallStep))]
    types = {each.name: each.ctype for each in known if each.name is not None and each.ctype is not None}
    arrays = [step.name for step in tensor.let if isinstance(step, CallStep) and step.length is not None]
    if of in types and not keys:
        return unqualified(types[of])
    places = {
        name: f"(({_pointer_to(unqualified(ctype))})0)"
        if name in arrays
        else f"(*({_pointer_to(unqualified(ctype))})0)"
        for name, ctype in types.items()
    }
    if not all(name in ("self", *types) or name.isupper() for name in ctext.names(of)):
        # The expression uses names that do not exist in an import. The keys have the same type.
        of = next((found[0] for arm in match.arms if (found := arm.when[place])), of)
    of = argument(replace_names(of, {**places, "self": scope.null}))
    if not keys:
        return f"DLB_TYPE_OF({of})"
    return f"DLB_TYPE_OF_KEYS({of}, {' | '.join(f'DLB_KEY({argument(key)})' for key in keys)})"


def _pointer_to(ctype: str) -> str:
    return f"{ctype}{'' if ctype.endswith('*') else ' '}*"


def _elsewhere(made: Import | Allocate, fragments: Sequence[str | None], of: str) -> list[str]:
    """Returns all strings, except the values of fields that `of` reads. Such fields have the type of the variable."""
    fields = made.build.fields if isinstance(made.build, SetFields) else ()
    own = [value for member, value in fields if f"self->{member}" == of]
    return [text for text in fragments if text and text not in own]


def _is_passed(word: str, place: int, width: int, fragments: Sequence[str]) -> bool:
    """Returns whether the strings use the variable and only pass it by value. Then its own type does not matter."""
    index = ["[", str(place), "]"] if width > 1 else []
    used = False
    for text in fragments:
        seen = [token.text for token in ctext.tokens(text)]
        for at, token in enumerate(seen):
            behind = at + 1 + len(index)
            if token != word or seen[at + 1 : behind] != index or (at and seen[at - 1] in (".", "->")):
                continue
            used = True
            around = (seen[at - 1] if at else "("), (seen[behind] if behind < len(seen) else ")")
            if around[0] not in _BEFORE or around[1] not in _BEHIND or "sizeof" in seen[max(at - 2, 0) : at]:
                return False
    return used


class _Reader:
    """Code from an array to the keys of the matching arm."""

    def __init__(self, tensor: Tensor, match: Match, word: str, require: Requirements, names: dict[int, str]) -> None:
        self._tensor = tensor
        self._match = match
        self._word = word
        self._require = require
        self._names = names
        self._sets = match.slots
        # Without extents to test, the runtime has already checked that the array fits one of the arms.
        self._certain = match.default is None if word == "device_code" else "shape" not in self._sets

    def statements(self, exit: Callable[[Report], Exit]) -> list[Statement]:
        branches = self._branches()
        if self._certain and branches:
            *branches, last = branches
            return chain(branches, last.statements)
        if self._word == "device_code":
            refused = exit(MAKE.refuse(c_string("no arm of the spec has this device")))
        else:
            refused = exit(Report("dlb_source_unmatched", MAKE.arguments))
        return chain(branches, [Piece("tensor/steps", "leave", refused)])

    def _branches(self) -> list[Branch]:
        """Returns the condition and the assignments of each reversible arm. Arms with `import` come first."""
        return [Branch(condition, self._assignments(arm), arm.condition or "") for arm, condition in self._chosen()]

    def _assignments(self, arm: Arm) -> tuple[Statement, ...]:
        keys = [(name, arm.code(place)) for place, name in self._names.items()]
        return tuple(Piece("tensor/steps", "variable", Variable(name, key)) for name, key in keys if key is not None)

    def _chosen(self) -> list[tuple[Arm, str]]:
        """Returns the reversible arms with their conditions."""
        found: list[tuple[Arm, str]] = []
        for arm in sorted(self._match.arms, key=lambda arm: not arm.imports):
            condition = self._condition(arm)
            if condition is None or arm.imports is False or any(arm.code(place) is None for place in self._names):
                self._certain = False
            elif self._required(arm) and condition not in [each for other, each in found if other.condition is None]:
                found.append((arm, condition))
                self._certain = self._certain and arm.condition is None
        return found

    def keys(self, place: int) -> list[str]:
        """Returns the keys that the variable can get. It is empty if an arm is conditional or a key is a string."""
        arms = [arm for arm, _ in self._chosen()]
        keys = [key for arm in arms if (key := arm.code(place)) is not None]
        return (
            [] if any(arm.condition for arm in arms) or any('"' in key for key in keys) else list(dict.fromkeys(keys))
        )

    def one_way(self) -> frozenset[int]:
        """Returns the arms that no import restores.

        With `code`, these are the arms without an inverse, and the arms with several keys. An import by fields
        restores only arms with the keys that it sets. Otherwise arms with equal conditions are irreversible, except a
        single arm that the import names.
        """
        arms = dict(enumerate(self._match.arms))
        if self._match.default is not None:
            arms[-1] = Arm((), self._match.default)
        if self._names:
            exact = [
                arm for arm, _ in self._chosen() if not any(len(arm.when[place] or ()) > 1 for place in self._names)
            ]
            return frozenset(index for index, arm in arms.items() if arm not in exact)
        named = {index for index, arm in enumerate(self._match.arms) if self._says(arm)}
        assert self._tensor.import_ is not None
        if named and isinstance(self._tensor.import_.build, SetFields):
            return frozenset(arms.keys() - named)
        alike: dict[str | None, set[int]] = {}
        for index, arm in arms.items():
            alike.setdefault(self._condition(arm), set()).add(index)
        groups = [group for condition, group in alike.items() if condition is not None and len(group) > 1]
        return frozenset[int]().union(*(group - named if len(group & named) == 1 else group for group in groups))

    def _says(self, arm: Arm) -> bool:
        """Returns whether the import uses the keys of this arm."""
        made = self._tensor.import_
        assert made is not None
        if isinstance(made.build, SetFields):
            fields = dict(made.build.fields)  # the other fields are zero
            given = [fields.get(of.removeprefix("self->"), "0") for of in self._match.of]
            return all(keys is None or value in keys for value, keys in zip(given, arm.when, strict=True))
        fragments = made_fragments(made)
        return all(any(key.isidentifier() and mentions(fragments, key) for key in keys or ()) for keys in arm.when)

    def _required(self, arm: Arm) -> bool:
        """Returns whether `require` accepts arrays of this arm."""
        wanted = self._require.dtypes
        dtypes = alternatives(self._value(arm, "dtype"))
        if wanted and dtypes and not any(getattr(dtype, "name", wanted[0]) in wanted for dtype in dtypes):
            return False
        least, most = self._require.ndim or (0, MAX_NDIM)
        rank = getattr(self._value(arm, "shape"), "known_rank", None)
        return rank is None or least <= rank <= most

    def _value(self, arm: Arm, slot: str) -> object:
        """Returns the value of a slot in this arm, or None if another match decides it."""
        value = getattr(arm.slots, slot)
        elsewhere = any(slot in match.slots for match in self._tensor.matches if match is not self._match)
        return value if value is not None or elsewhere else getattr(self._tensor.slots, slot)

    def _condition(self, arm: Arm) -> str | None:
        """Returns the condition on the array, or None if the dtype cannot be inverted."""
        if self._word == "device_code":
            devices = alternatives(self._value(arm, "device")) or [BY_NAME["device"].default_value]
            return " || ".join(device.test_of_import() for device in devices)
        parts: list[str] = []
        if "dtype" in self._sets:
            tests = [test_of_import(dtype) for dtype in alternatives(self._value(arm, "dtype"))]
            if None in tests:
                return None
            parts.append(" || ".join(filter(None, tests)))
        shape = self._value(arm, "shape")
        if "shape" in self._sets and isinstance(shape, ListedShape):
            parts += shape.tests_of_import()
        if len(parts) > 1:
            parts = [f"({part})" if " || " in part else part for part in parts]
        return " && ".join(parts) or ALWAYS
