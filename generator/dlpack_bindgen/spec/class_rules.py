"""Rules about steps and inverse matches of classes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.language.shared import PARAMS, PASS
from dlpack_bindgen.language.values import (
    Fields,
    Items,
    Leaf,
    Table,
    Value,
    c_fragments,
    condition_of,
    is_record,
    is_whole,
    items_of,
    text_of,
)
from dlpack_bindgen.spec.language import OK_OF_SPEC, TENSOR
from dlpack_bindgen.tensor.arms import LET_OF_TENSOR, Arm, Match, is_conditional, plain
from dlpack_bindgen.tensor.construct import CONSTRUCT, INIT_OF_MAKING
from dlpack_bindgen.tensor.dtype import BITS, CODE, DECODED_DTYPE
from dlpack_bindgen.tensor.hook_list import HOOKS, SCOPE_NAMES, WORDS_OF_HOOKS
from dlpack_bindgen.tensor.hooks import HOLD
from dlpack_bindgen.tensor.import_parts import LET_OF_MAKING, PARAMS_OF_MAKING, REQUIRE_OF_MAKING
from dlpack_bindgen.tensor.imports import ALLOCATE, IMPORT, IMPORT_OF_CLASS, factories_of
from dlpack_bindgen.tensor.requirements import DTYPE_OF_REQUIREMENT, ERROR, required_rank
from dlpack_bindgen.tensor.set import SET_OF_IMPORT
from dlpack_bindgen.tensor.shape import literal_extents
from dlpack_bindgen.tensor.slots import BY_NAME
from dlpack_bindgen.tensor.steps import DO, FINALLY_OF_STEP, OK, UNDO_OF_STEP, Declared, declared_in, parameter_problems
from dlpack_bindgen.text import ctext, fragments
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report, Span, shown
from dlpack_bindgen.text.expressions import indices
from dlpack_bindgen.text.names import WORDS_OF_CLASSES, WORDS_OF_MAKING
from dlpack_bindgen.text.types import split_declaration

# ---- Rules for declarations and calls: names are declared before their use, and calls that can fail are tested ----


def check_steps(entry: Fields, spec: Fields, report: Report) -> None:
    """Checks a tensor or a handle."""
    for hook in HOOKS:
        value = entry.value_of(hook.key.name)
        for problem in hook.problems(value) if value is not None else ():
            report(problem)
    _names(entry, ("params", "hold", "let"), report)
    _words(entry[PARAMS], SCOPE_NAMES, report)
    _words(entry[HOLD], WORDS_OF_CLASSES.union(*WORDS_OF_HOOKS.values()), report)
    _words(entry[LET_OF_TENSOR], WORDS_OF_CLASSES, report)
    _order(entry, ("hold", "require", "acquire", "before_read", "let"), report)
    for key, making in factories_of(entry):
        for problem in parameter_problems(making[PARAMS_OF_MAKING]):
            report(problem)
        _names(making, ("params", "let"), report)
        _words(making[PARAMS_OF_MAKING], SCOPE_NAMES - {"stream"}, report)  # the keyword of from_dlpack
        _words(making[LET_OF_MAKING], WORDS_OF_MAKING, report)
        _order(making, ("require", "let"), report)
        _bound(entry[PARAMS], making, key, report)
    tests(entry, entry[PASS], spec, report)
    for let in (entry[LET_OF_TENSOR], *(making[LET_OF_MAKING] for _, making in factories_of(entry))):
        for record in _records(let):
            _ending(record, condition_of(record[OK]), report)


def _records(items: Items | None) -> tuple[Fields, ...]:
    return items.records() if items else ()


def _words(items: Items | None, words: frozenset[str], report: Report) -> None:
    """Reports variables with a name that has another meaning in the C text around them."""
    for item in items.items if items else ():
        declared = declared_in(item)
        if declared and declared.name in words:
            name = declared.name
            message = f"`{name}` has a meaning in the C text that follows: call the variable something else"
            report(Diagnostic("reserved-name", declared.leaf.span, message))


def _bound(params: Items | None, making: Fields, verb: str, report: Report) -> None:
    """Reports required params of the class that `import` or `allocate` does not provide."""
    given = making[PARAMS_OF_MAKING]
    known = {declared.name for item in (given.items if given else ()) if (declared := declared_in(item))}
    if given and len(given.items) != given.count:
        return
    for item in params.items if params else ():
        declared = declared_in(item)
        if declared and isinstance(item, Leaf) and "=" not in item.text and declared.name not in known:
            message = f"'{declared.name}' is required, and '{verb}' makes objects without it"
            hint = f"give it a default, or '{verb}' a parameter of the same name"
            report(Diagnostic("param-unset", item.span, message, hint, (Note(making.span, f"the {verb}"),)))


def _names(record: Fields, keys: tuple[str, ...], report: Report) -> None:
    seen: dict[str, Span] = {}
    for key in keys:
        for item in _items_of(record, key):
            declared = declared_in(item)
            if declared is None:
                continue
            span = declared.leaf.span
            if declared.name in seen:
                notes = (Note(seen[declared.name], "first here"),)
                report(Diagnostic("duplicate-name", span, f"'{declared.name}' is declared twice", notes=notes))
            seen.setdefault(declared.name, span)


def _order(record: Fields, keys: tuple[str, ...], report: Report) -> None:
    """Reports names that are used before their declaration. `keys` are in the order of evaluation."""
    steps = [(key, item) for key in keys if (value := record.values.get(key)) for item in _items(value)]
    declared: dict[str, tuple[int, str, Declared]] = {}
    for index, (key, item) in enumerate(steps):
        found = declared_in(item) if key in ("hold", "let") else None
        if found:
            declared.setdefault(found.name, (index, key, found))
    for index, (key, item) in enumerate(steps):
        own = declared_in(item) if key in ("hold", "let") else None
        for _, leaf in c_fragments(item, key):
            itself = own is not None and leaf is own.value
            for name in ctext.names(leaf.text):
                place, section, later = declared.get(name, (-1, "", None))
                own_value = itself and place == index and name in ctext.evaluated_names(leaf.text)
                if later is not None and (place > index or own_value):
                    _too_early(key, leaf, section, later, report)
                    break


def _items_of(record: Fields, key: str) -> tuple[Value, ...]:
    items = items_of(record.value_of(key))
    return items.items if items else ()


def _items(value: Value) -> tuple[Value, ...]:
    return value.items if isinstance(value, Items) else (value,)


def _too_early(key: str, leaf: Leaf, section: str, later: Declared, report: Report) -> None:
    hint = None
    message = f"'{later.name}' is declared further down"
    if leaf is later.value:
        message = f"'{later.name}' is used before it has a value"
    elif key != section:
        message = f"'{later.name}' is declared in '{section}', which comes after '{key}'"
        hint = "put {require: ...} into 'let', behind it" if key == "require" else None
    notes = () if leaf is later.value else (Note(later.leaf.span, "here"),)
    report(Diagnostic("used-too-early", leaf.span, message, hint, notes))


def tests(value: Value, passed: Leaf | None, spec: Fields, report: Report) -> None:
    """Reports `error` and `undo` in `value` without a test: they need the condition of an `ok`."""
    for record in _calls(value):
        own = record[OK]
        given = OK in record
        has_condition = given and (own is None or condition_of(record[OK]) is not None)
        call = record[DO]
        if call and call.form is Form.STATEMENT:
            tested = condition_of(record[OK]) is not None if given else OK_OF_SPEC in spec
            if tested:
                _statement(record, call, spec, report)
        elif INIT_OF_MAKING in record:
            tested = has_condition if given else OK_OF_SPEC in spec
        elif record.entry is not None:
            tested = has_condition
        else:
            # A call that yields an object is compared with NULL by default. A value cannot be compared.
            tested = has_condition or text_of(passed) != "value"
            _is_pointer(condition_of(record[OK]), passed, report)
        if UNDO_OF_STEP in record and CONSTRUCT in record and not has_condition:
            message = "'undo' needs 'ok' beside it: without a test, only NULL could be undone"
            report(Diagnostic("needs-key", record.place(UNDO_OF_STEP), message))
        if ERROR in record and not tested and (own is not None or not given):
            message = "'error' needs 'ok' beside it: 'ok' declares when the call fails"
            report(Diagnostic("needs-key", record.place(ERROR), message))


def _ending(record: Fields, test: Leaf | None, report: Report) -> None:
    """Reports `{T *e: check(self), ok: == NULL, finally: free(e)}`: `finally` runs after a success, when `e` is
    NULL."""
    ending, made = record[FINALLY_OF_STEP], record.entry
    declared = split_declaration(made[0].text) if made is not None else None
    signs = [token.text for token in ctext.tokens(test.text)] if test else []
    if (
        ending is None
        or made is None
        or not isinstance(declared, tuple)
        or signs[1:] not in (["==", "0"], ["==", "NULL"])
    ):
        return
    ctype, name = declared
    if "*" in ctype and ctext.mentions(ending.text, name):
        message = f"'finally' frees the object of a successful call, and '{name}' is NULL then"
        hint = f"write {{{made[0].text}: NULL, finally: ...}}, {{do: {name} = {made[1].text}, ok: '== NULL', ...}}"
        report(Diagnostic("without-effect", ending.span, message, hint))


def _is_pointer(test: Leaf | None, passed: Leaf | None, report: Report) -> None:
    """Reports tests that count a NULL pointer as a success."""
    signs = [token.text for token in ctext.tokens(test.text)] if test else []
    if test and signs[1:] in (["==", "0"], ["==", "NULL"]) and text_of(passed) != "value":
        message = "this counts a NULL pointer as a success, and every object a failure"
        report(Diagnostic("result-type", test.span, message, "write '!= NULL'"))


def _calls(value: Value) -> Iterator[Fields]:
    if isinstance(value, Items):
        for item in value.items:
            yield from _calls(item)
    elif isinstance(value, Table):
        for _, item in value.entries:
            yield from _calls(item)
    elif isinstance(value, Fields):
        call = value[DO]
        if is_record(value, IMPORT, ALLOCATE):
            call = value[CONSTRUCT] or value[INIT_OF_MAKING]
        if call or (value.entry is not None and OK in value):
            yield value
        for item in value.values.values():
            yield from _calls(item)


def _statement(record: Fields, call: Leaf, spec: Fields, report: Report) -> None:
    """Reports tested statements that are not a single expression with a result."""
    if ctext.expression_problem(call.text) is None:
        return
    if OK in record:
        message = "with 'ok', 'do' is one call: these are statements"
        report(Diagnostic("statement-with-ok", call.span, message))
    else:
        notes = (Note(spec.place(OK_OF_SPEC), "the 'ok' of the spec"),)
        message = "the 'ok' of the spec tests this call, and these are statements"
        report(Diagnostic("statement-with-ok", call.span, message, "write 'ok: none' beside it", notes))


# ---- Rules for `code` and `device_code`: the match is inverted, from the array to the key of the fitting arm ----

_Use = int | Literal["none", "some"]
SLOTS = {"code": ("dtype", "shape"), "device_code": ("device",)}
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
    for _, making in factories_of(tensor):
        for word in SLOTS:
            leaves = [leaf for _, leaf in c_fragments(making) if fragments.mentions_variable(leaf.text, word)]
            uses: list[tuple[Leaf, _Use]] = [(leaf, use) for leaf in leaves for use in indices(leaf.text, word)]
            if uses:
                _check(tensor, matches, making, word, uses, report)


def _check(
    tensor: Fields,
    matches: tuple[Match, ...],
    making: Fields,
    word: str,
    uses: list[tuple[Leaf, _Use]],
    report: Report,
) -> None:
    slot = SLOTS[word][0]
    mention = uses[0][0]
    match = next((match for name in SLOTS[word] for match in matches if name in match.sets), None)
    if match is None:
        if slot not in tensor.given or slot in tensor.values:
            why = f"this tensor's {slot} has no map" if tensor.record is TENSOR else "a handle has none"
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
    for word, (slot, *_) in SLOTS.items():
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
