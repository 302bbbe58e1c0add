"""Rules for `code` and `device_code`: the match is inverted, from the array to the key of the fitting arm."""

from __future__ import annotations

from typing import Literal

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.values import Fields, Leaf, Value, c_fragments, text_of
from dlpack_bindgen.tensor.import_parts import REQUIRE_OF_MAKING
from dlpack_bindgen.tensor.imports import factories_of
from dlpack_bindgen.tensor.match_arms import Arm, Match, is_conditional, plain
from dlpack_bindgen.tensor.requirements import DTYPE_OF_REQUIREMENT, required_rank
from dlpack_bindgen.tensor.shape import literal_extents
from dlpack_bindgen.tensor.slots import BY_NAME, DTYPE
from dlpack_bindgen.text import fragments
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report, shown
from dlpack_bindgen.text.expressions import indices

_Use = int | Literal["none", "some"]
SLOTS_OF_CODES = {"code": ("dtype", "shape"), "device_code": ("device",)}
"""For each word, the slots to search for: the match that sets the first found slot is inverted."""


class _Candidate(Frozen):
    """An arm that an imported array may fit."""

    arm: Arm
    name: str | None
    """The dtype or device; None if it can be any."""
    extents: tuple[str | None, ...] | None
    """The literal extent of each axis, None for an axis without one; None instead of the tuple if the rank is
    unknown."""

    def fits_with(self, other: _Candidate) -> bool:
        """Returns whether one array can fit both candidates."""
        if self.name is not None and other.name is not None and self.name != other.name:
            return False
        if self.extents is None or other.extents is None:
            return True
        pairs = zip(self.extents, other.extents, strict=False)
        return len(self.extents) == len(other.extents) and all(a == b or None in (a, b) for a, b in pairs)


def check_inverse_match(tensor: Fields, matches: tuple[Match, ...], report: Report) -> None:
    """Checks the uses of `code` and `device_code` in an import or an allocation."""
    for _, making in factories_of(tensor):
        for word in SLOTS_OF_CODES:
            leaves = [leaf for _, leaf in c_fragments(making) if fragments.mentions_variable(leaf.text, word)]
            uses: list[tuple[Leaf, _Use]] = [(leaf, use) for leaf in leaves for use in indices(leaf.text, word)]
            if uses:
                _check(tensor, matches, making, word, uses, report)


def _check(
    tensor: Fields, matches: tuple[Match, ...], making: Fields, word: str, uses: list[tuple[Leaf, _Use]], report: Report
) -> None:
    slot = SLOTS_OF_CODES[word][0]
    mention = uses[0][0]
    match = next((match for name in SLOTS_OF_CODES[word] for match in matches if name in match.sets), None)
    if match is None:
        if slot not in tensor.given or slot in tensor.values:
            why = f"this tensor's {slot} has no map" if tensor.record.has(DTYPE) else "a handle has none"
            message = f"'{word}' is the {slot} map read backwards, and {why}"
            notes = (Note(tensor.given[slot], f"the {slot}"),) if slot in tensor.given else ()
            report(Diagnostic("code-without-map", mention.span, message, notes=notes))
        return
    mentioned = _positions(match, word, uses, report)
    if mentioned is None or not match.complete:
        return
    candidates = [_candidate(tensor, matches, match, arm, slot) for arm in match.arms if arm.complete]
    decoded = [value for candidate in candidates if (value := _decoded(candidate.arm, slot))]
    if decoded and len(decoded) == len(candidates):
        message = f"'{word}' cannot be read back where the dtype is decoded from numbers"
        report(Diagnostic("code-not-invertible", mention.span, message, notes=(Note(decoded[0].span, "here"),)))
        return
    readable = [each for each in candidates if each.arm.imports is not False and not _decoded(each.arm, slot)]
    fitting = [candidate for candidate in readable if _accepted(making, candidate, slot)]
    _ambiguity(match, word, mention, fitting, report)
    preferred = [candidate for candidate in fitting if candidate.arm.imports]
    for candidate in fitting:
        if candidate.arm.imports or not any(candidate.fits_with(other) for other in preferred):
            _one_key(candidate.arm, mentioned, word, mention, report)


def importable(tensor: Fields, matches: tuple[Match, ...], match: Match, making: Fields, slot: str) -> set[str]:
    """Returns the dtypes or devices of the arms that an import accepts, as far as they are known."""
    candidates = [_candidate(tensor, matches, match, arm, slot) for arm in match.arms if arm.complete]
    fitting = [each for each in candidates if each.arm.imports is not False and _accepted(making, each, slot)]
    return {each.name for each in fitting if each.name is not None}


def _decoded(arm: Arm, slot: str) -> Value | None:
    """Returns the dtype of the arm if it is computed from numbers and has no inverse, or None."""
    value = arm.slots.get(slot)
    if value is None or is_conditional(value) or BY_NAME[slot].identity(value) is not None:
        return None
    return value


def _positions(match: Match, word: str, uses: list[tuple[Leaf, _Use]], report: Report) -> set[int] | None:
    """Returns the positions in `of` that the C text uses, or None after a report."""
    found: set[int] = set()
    sound = True
    for leaf, use in uses:
        if match.width == 1 and use == "none":
            found.add(0)
        elif match.width == 1:
            sound = False
            report(Diagnostic("code-index", leaf.span, f"'{word}' is a single value here", f"write '{word}'"))
        elif use == "none" or (isinstance(use, int) and not 0 <= use < match.width):
            sound = False
            message = f"'{word}' has {match.width} values here, one for each expression of 'of'"
            report(Diagnostic("code-index", leaf.span, message, f"write '{word}[0]' to '{word}[{match.width - 1}]'"))
        else:
            found |= {use} if isinstance(use, int) else set(range(match.width))
    return found if sound else None


def _candidate(tensor: Fields, matches: tuple[Match, ...], match: Match, arm: Arm, slot: str) -> _Candidate:
    """Returns the candidate for an arm. The slots beside the match complete it; slots of other matches can be
    anything."""

    def value(name: str) -> Value | None:
        elsewhere = any(name in other.sets for other in matches if other is not match)
        found = arm.slots.get(name) or (None if elsewhere else plain(tensor, name))
        return None if found is None or is_conditional(found) else found

    shape = value("shape") if slot == "dtype" else None
    own = value(slot)
    return _Candidate(arm, None if own is None else BY_NAME[slot].identity(own), literal_extents(shape))


def _accepted(making: Fields, candidate: _Candidate, slot: str) -> bool:
    """Returns whether `require` accepts arrays that fit the candidate."""
    require = making[REQUIRE_OF_MAKING]
    ranks = required_rank(require)
    if ranks and candidate.extents is not None and not ranks[0] <= len(candidate.extents) <= ranks[1]:
        return False
    records = require.records() if require and slot == "dtype" else ()
    dtype = next((text for record in records if (text := text_of(record[DTYPE_OF_REQUIREMENT]))), None)
    return dtype is None or candidate.name is None or candidate.name == dtype or candidate.name.startswith("{c:")


def _ambiguity(match: Match, word: str, mention: Leaf, fitting: list[_Candidate], report: Report) -> None:
    for index, candidate in enumerate(fitting):
        if candidate.arm.condition:
            continue
        for other in fitting[:index]:
            if other.arm.condition or other.arm.imports != candidate.arm.imports or not candidate.fits_with(other):
                continue
            if not candidate.arm.imports and _decided(fitting, candidate, other):
                continue
            first, second = (_shown(arm) for arm in (other.arm, candidate.arm))
            message = f"'{word}' is ambiguous: an array can fit both '{first}' and '{second}'"
            only = "only " if candidate.arm.imports else ""
            hint = f"write 'import: true' in {only}one of the arms, or 'import: false' in others"
            if match.slot:
                message = f"'{word}' is ambiguous: both '{first}' and '{second}' mean {candidate.name}"
                hint = "write a match, whose arms can have 'import: true'"
            notes = (Note(other.arm.span, "one"), Note(candidate.arm.span, "two"))
            cause = " and ".join(f"{each.span.line}:{each.span.column}" for each in notes)
            report(Diagnostic("ambiguous-code", mention.span, message, hint, notes, cause))
            return


def _decided(fitting: list[_Candidate], one: _Candidate, other: _Candidate) -> bool:
    """Returns whether an arm with `import: true` fits all arrays that fit both candidates."""
    preferred = [candidate for candidate in fitting if candidate.arm.imports]
    return any(candidate.fits_with(one) and candidate.fits_with(other) for candidate in preferred)


def _one_key(arm: Arm, mentioned: set[int], word: str, mention: Leaf, report: Report) -> None:
    for position in sorted(mentioned):
        if position < len(arm.when) and not arm.when[position].keys:
            message = f"'{word}' cannot be read back where an arm accepts every value"
            pattern = arm.when[position]
            hint = "write an arm with one key before this one, and 'import: true' in it"
            notes = (Note(mention.span, f"'{word}' is mentioned here"),)
            report(Diagnostic("code-not-invertible", pattern.span, message, hint, notes))


def _shown(arm: Arm) -> str:
    return shown(", ".join(" or ".join(key.text for key in pattern.keys) or "_" for pattern in arm.when))
