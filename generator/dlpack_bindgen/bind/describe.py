"""The body of `describe`, which reads a tensor from its C object."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile

from dlpack_bindgen.arguments.kind import Piece
from dlpack_bindgen.bind.assertions import HANDLE_DEVICES, key_assertion, rank_of, slot_assertions, type_assertion
from dlpack_bindgen.bind.binding import Function
from dlpack_bindgen.bind.inverse_match import one_way
from dlpack_bindgen.bind.nulls import always_read, is_tested, pointers
from dlpack_bindgen.bind.slot_values import (
    all_slots,
    alternatives,
    fixed_rank,
    least_rank,
    reading_fragments,
    slot_fragments,
    steps_freely,
)
from dlpack_bindgen.bind.slots import DTYPE, ITEMSIZE, SlotLines, known_dtype
from dlpack_bindgen.c.fragments import (
    ALWAYS,
    argument,
    equals,
    if_chain,
    is_call,
    mentions,
    quoting,
    replace_names,
    statements,
)
from dlpack_bindgen.c.quote import c_string
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.slots.values import Arm, Device, Match, RowPointers, Slots
from dlpack_bindgen.spec.spec import Call, Let, Tensor
from dlpack_bindgen.steps.flow import DESCRIBE, Flow, exit_lines, plain_names, returned, step_fragments
from dlpack_bindgen.steps.records import Report, Statements

# The order of emitted statements, chosen for readers. The layout consists of `order` and `strides`.
_STAGES = ("dtype", "device", "shape", "layout", "data", "rows", "byte_offset", "readonly")
_OF_STAGE = {"layout": "strides", "rows": "strides"}
_AFTER = {"layout": ("dtype", "shape"), "rows": ("layout", "data"), "readonly": ("data",)}


def describe(scope: Scope, tensor: Tensor) -> Function:
    return _Describe(scope, tensor).function()


class _Describe:
    def __init__(self, scope: Scope, tensor: Tensor) -> None:
        self._scope = scope
        self._tensor = tensor
        self._flow = Flow(scope, DESCRIBE)
        self._rank = fixed_rank(tensor)
        self._lines = SlotLines(scope, self._rank, least_rank(tensor))
        self._decisive, self._one_way = one_way(tensor)
        self._kept: list[str] = []
        """Variables from `_values_of`."""
        self._pointers: set[str] = set()
        """Pointers that the emitted code has already tested for NULL."""
        self._itemsize = False
        """Whether the variable `itemsize` is declared."""

    def function(self) -> Function:
        tensor, flow = self._tensor, self._flow
        steps = [*step_fragments([*tensor.require, *tensor.let]), tensor.before_read]
        fragments = [*steps, *reading_fragments(tensor)]
        certain = [*steps, *reading_fragments(tensor, certain=True)]

        early, late = self._assertions()
        flow.add_lines(early)
        flow.separate()
        for check in tensor.require:
            flow.refuse_unless(check, "require")
        if tensor.before_read is not None:
            lines = tuple(statements(self._scope.text(tensor.before_read)))
            facts = Statements(lines, self._scope.label("before_read"))
            flow.add(Piece("hooks/before_read", "statements", facts))
        flow.separate()
        first = takewhile(lambda step: isinstance(step, Let), tensor.let)
        flow.add_lines(self._nulls([step.value for step in first if isinstance(step, Let)]))
        flow.steps(tensor.let, "let")
        doubtful = [
            name for name in plain_names(tensor.let) if mentions(fragments, name) and not mentions(certain, name)
        ]
        flow.add_lines(f"(void){name};" for name in doubtful)
        flow.separate()
        flow.add_lines(late)
        flow.separate()
        beside = replace(tensor.slots, **dict.fromkeys(name for match in tensor.matches for name in match.slots))
        flow.add_lines(self._nulls([*always_read(beside), *(of for match in tensor.matches for of in match.of)]))
        self._slots()
        head = f"static int {self._scope.hook('describe')}(void *object, dlb_view *view, dlb_error *error)"
        variables = self._scope.variables(fragments, certain=certain)
        return Function(head, variables=variables, body=flow.body(returned(self._finish())))

    def _finish(self) -> str:
        """Returns the final call with the known dtype and rank, from which the compiler precomputes checks."""
        dtype = known_dtype(self._fixed_slots(None).dtype)
        finish = "dlb_view_finish_strided" if steps_freely(self._tensor) else "dlb_view_finish"
        if self._rank is None or dtype == DTYPE:
            return f"{finish}(view, error)"
        return f"{finish}_fixed(view, {dtype}, {self._rank}, error)"

    def _nulls(self, fragments: list[str | None], within: bool = False) -> list[str]:
        """Returns tests that refuse NULL for each pointer that the C expressions in `fragments` dereference.

        With `within`, the tests hold only in one arm of a match.
        """
        lines = []
        asked = step_fragments(self._tensor.require)
        known = set(self._pointers)
        for pointer in pointers(fragments):
            if pointer not in known and not is_tested(pointer, asked):
                refused = exit_lines(self._flow.refused(c_string(f"{pointer} is NULL")))
                lines += [f"if (dlb_is_null_path({self._scope.text(pointer)})) {{", *refused, "}"]
                known.add(pointer)
        self._pointers = self._pointers if within else known
        return lines

    # ---- Assertions ----

    def _assertions(self) -> tuple[list[str], list[str]]:
        """Returns the assertions that can come first, and those that need the variables of `let`."""
        names = [step.name for step in self._tensor.let if isinstance(step, (Let, Call)) and step.name is not None]
        early: list[str] = []
        late: list[str] = []
        beside = self._tensor.slots
        chosen = {slot for match in self._tensor.matches for slot in match.slots}
        dtypes: list[object] = [] if "data" in chosen or self._has_handles() else self._dtypes()
        if not self._scope.by_value and mentions_member(reading_fragments(self._tensor)):
            early.append(type_assertion(self._scope))
        self._sort(slot_assertions(self._scope, beside, self._rank, dtypes), names, early, late)
        for match in self._tensor.matches:
            slot = _slot_of(match)
            for place, of in enumerate(match.of):
                key = next((keys[0] for arm in match.arms if (keys := arm.when[place])), "0")
                line = key_assertion(self._scope, f"{slot}.of", of, key)
                (late if any(mentions([of, key], name) for name in names) else early).append(line)
            for arm in match.arms:
                lines = self._slot_assertions(arm.slots)
                if arm.condition is not None and lines:
                    lines = [f"#if {arm.condition}", *lines, "#endif"]
                self._sort(lines, names, early, late)
            if match.default is not None:
                self._sort(self._slot_assertions(match.default), names, early, late)
        return _once(early), _once(late)

    def _slot_assertions(self, slots: Slots) -> list[str]:
        rank = self._rank if slots.shape is None else rank_of(slots.shape)
        return slot_assertions(self._scope, slots, rank, [] if self._has_handles() else [slots.dtype])

    def _dtypes(self) -> list[object]:
        """Returns the dtypes that the data can have. The data must be one expression for all of them."""
        beside = self._tensor.slots.dtype
        return [beside] if beside is not None else [*self._values("dtype")]

    def _has_handles(self) -> bool:
        devices = [each for slots in all_slots(self._tensor) for each in alternatives(slots.device)]
        return any(isinstance(each, Device) and each.type in HANDLE_DEVICES for each in devices)

    def _sort(self, lines: list[str], names: list[str], early: list[str], late: list[str]) -> None:
        lines = [replace_names(line, {"itemsize": ITEMSIZE}) for line in lines]
        if any(line.startswith("#") for line in lines):  # preprocessor blocks stay together
            (late if any(mentions(lines, name) for name in names) else early).extend(lines)
            return
        for line in lines:
            (late if any(mentions([line], name) for name in names) else early).append(line)

    # ---- Slots ----

    def _slots(self) -> None:
        pending = [stage for stage in _STAGES if self._given(stage)]
        while pending:
            stage = pending[0]
            match = self._provider(stage)
            if match is None:
                run = self._run(pending)
                self._flow.add_lines(self._beside(run, pending))
            else:
                first = self._first(pending, match)
                if first:
                    self._flow.add_lines(self._beside(first, pending))
                    pending = [each for each in pending if each not in first]
                run = self._in_chain(pending, match)
                self._chain(match, run, pending)
            pending = [each for each in pending if each not in run]
            if "dtype" in run:
                self._declare_itemsize(pending)
        self._flow.add_lines(self._lines.last(any("data" in match.slots for match in self._tensor.matches)))

    def _given(self, stage: str) -> bool:
        if stage in ("device", "layout"):
            return True
        if stage == "rows":
            return any(isinstance(strides, RowPointers) for strides in self._values("strides"))
        return any(True for _ in self._values(stage))

    def _values(self, slot: str) -> Iterator[object]:
        for slots in all_slots(self._tensor):
            yield from alternatives(getattr(slots, slot))

    def _provider(self, stage: str) -> Match | None:
        slots = {"layout": ("order", "strides"), "rows": ("strides",)}.get(stage, (stage,))
        for match in self._tensor.matches:
            if set(slots) & set(match.slots):
                return match
        return None

    def _run(self, pending: list[str]) -> list[str]:
        """Returns the first pending stages outside of matches.

        It stops after the dtype if later stages use `itemsize`, which is declared there.
        """
        run: list[str] = []
        for stage in pending:
            if self._provider(stage) is not None or (run == ["dtype"] and self._uses_itemsize(pending[1:])):
                break
            run.append(stage)
        return run

    def _first(self, pending: list[str], match: Match) -> list[str]:
        """Returns the stages outside of `match` that its arms depend on."""
        first: list[str] = []
        for stage in pending:
            if self._provider(stage) is match:
                for before in _AFTER.get(stage, ()):
                    if before in pending and before not in first and self._provider(before) is None:
                        first.append(before)
        if "dtype" in pending and self._provider("dtype") is match:
            first = [
                stage for stage in first if not mentions(slot_fragments(_only(self._tensor.slots, {stage})), "itemsize")
            ]
        return sorted(first, key=_STAGES.index)

    def _in_chain(self, pending: list[str], match: Match) -> list[str]:
        run: list[str] = []
        for stage in pending:
            ready = all(before in run or before not in pending for before in _AFTER.get(stage, ()))
            if self._provider(stage) is match and ready:
                run.append(stage)
        return run

    def _uses_itemsize(self, stages: list[str], certain: bool = False) -> bool:
        names = {_OF_STAGE.get(stage, stage) for stage in stages}
        found = [text for slots in all_slots(self._tensor, certain) for text in slot_fragments(_only(slots, names))]
        found += [of for match in self._tensor.matches if names & set(match.slots) for of in match.of]
        return mentions(found, "itemsize")

    def _declare_itemsize(self, pending: list[str]) -> None:
        if not self._itemsize and self._uses_itemsize(pending):
            self._itemsize = True
            self._flow.add_lines([f"const int64_t itemsize = {ITEMSIZE};"])
            if not self._uses_itemsize(pending, certain=True):
                self._flow.add_lines(["(void)itemsize;"])

    # ---- Matches ----

    def _chain(self, match: Match, run: list[str], pending: list[str]) -> None:
        beside = self._fixed_slots(match)
        arms = [(arm, self._arm(match, index, beside, run, pending)) for index, arm in enumerate(match.arms)]
        if match.default is not None:
            otherwise = self._arm(match, -1, beside, run, pending)
        else:
            otherwise = exit_lines(self._flow.exit(self._unmatched(match)))
        values = self._values_of(match)
        chain = [(_condition(self._scope, values, arm), arm.condition, statements) for arm, statements in arms]
        self._flow.add_lines(if_chain(chain, otherwise, self._scope.label(_slot_of(match))))

    def _arm(self, match: Match, index: int, beside: Slots, run: list[str], pending: list[str]) -> list[str]:
        """Returns the statements of one arm of a match. `index` is the index of the arm, or -1 for the default."""
        arm = match.arms[index] if index >= 0 else Arm((), match.default or Slots())
        set_here = _only(_over(beside, arm.slots), {_OF_STAGE.get(stage, stage) for stage in run})
        nulls = self._nulls(always_read(set_here), within=True)
        lines = self._lines.of(_over(beside, arm.slots), run, pending, is_optional=arm.condition is not None)
        return [*nulls, *lines, *self._mark(match, index, run)]

    def _mark(self, match: Match, arm: int, run: list[str]) -> list[str]:
        """Returns the statement that marks an arm as irreversible, for pickles. Only one stage emits it."""
        first = "dtype" if "dtype" in match.slots else "shape"
        marked = match is self._decisive and arm in self._one_way and first in run
        return ["dlb_one_way(view);"] if marked else []

    def _values_of(self, match: Match) -> list[str]:
        """Returns the expressions that are compared with the keys.

        The result of a call is stored in a variable, so that C calls it once.
        """
        values = []
        for place, of in enumerate(match.of):
            text = self._scope.text(of)
            keys = [arm.when[place] or () for arm in match.arms]
            certain = any(found for found, arm in zip(keys, match.arms, strict=True) if arm.condition is None)
            if is_call(of) and certain and sum(map(len, keys)) > 1:
                name = self._unused("key" if len(match.of) == 1 else f"key_{place}")
                self._flow.add_lines(
                    [f"DLB_KEEP({name}, {argument(text)});{self._scope.label(f'{_slot_of(match)}.of')}"]
                )
                text = name
            values.append(text)
        return values

    def _unused(self, name: str) -> str:
        fragments = [*step_fragments([*self._tensor.require, *self._tensor.let]), *reading_fragments(self._tensor)]
        fragments += [*(each.name for each in self._tensor.params), *(each.name for each in self._tensor.hold)]
        names = [step.name or "" for step in self._tensor.let if isinstance(step, (Let, Call))]
        while name in self._kept or mentions([*fragments, *names], name):
            name += "_"
        self._kept.append(name)
        return name

    def _unmatched(self, match: Match) -> Report:
        what = c_string(_what(match))
        values = [
            quoting("DLB_STRING_VALUE" if _is_string(match, place) else "DLB_VALUE", of, self._scope.text(of))
            for place, of in enumerate(match.of)
        ]
        if len(values) == 1:
            return Report("dlb_view_unmapped", ("view", "error", what, values[0]))
        listed = f"(const dlb_integer[]){{{', '.join(values)}}}"
        return Report("dlb_view_unmatched", ("view", "error", what, listed, str(len(values))))

    def _beside(self, run: list[str], pending: list[str]) -> list[str]:
        return self._lines.of(self._fixed_slots(None), run, pending)

    def _fixed_slots(self, match: Match | None) -> Slots:
        """Returns the slots outside of matches, except a dtype or shape that a match other than this one sets."""
        others = [name for name in ("dtype", "shape") if self._provider(name) not in (None, match)]
        return replace(self._tensor.slots, **dict.fromkeys(others))


def _condition(scope: Scope, values: list[str], arm: Arm) -> str:
    parts = []
    for value, keys in zip(values, arm.when, strict=True):
        if keys is None:
            continue
        tests = [equals(value, scope.text(key)) for key in keys]
        several = len(tests) > 1 and sum(keys is not None for keys in arm.when) > 1
        parts.append(f"({' || '.join(tests)})" if several else " || ".join(tests))
    return " && ".join(parts) or ALWAYS


def _is_string(match: Match, place: int) -> bool:
    return any(key.endswith('"') for arm in match.arms for key in arm.when[place] or ())


def mentions_member(fragments: list[str | None]) -> bool:
    return any(re.search(r"\bself->", text) for text in fragments if text)


def _slot_of(match: Match) -> str:
    return _what(match) if len(match.slots) == 1 else "match"


def _what(match: Match) -> str:
    """Returns the slots that a match decides, in the words of the spec."""
    return ", ".join(match.slots)


def _over(beside: Slots, arm: Slots) -> Slots:
    """Returns the slots of an arm. Slots that the arm does not set come from `beside`."""
    return replace(beside, **{name: getattr(arm, name) for name in arm.names()})


def _only(slots: Slots, names: set[str]) -> Slots:
    return Slots(**{name: getattr(slots, name) for name in names if hasattr(slots, name)})


def _once(lines: list[str]) -> list[str]:
    """Drops each line that already occurred without a preprocessor condition. Several arms often emit equal lines."""
    seen: set[str] = set()
    kept: list[str] = []
    depth = 0
    for line in lines:
        depth += line.startswith("#if") - line.startswith("#endif")
        if line == "#endif":
            while kept[-1].startswith("#el"):
                kept.pop()
            if kept[-1].startswith("#if"):
                kept.pop()
            else:
                kept.append(line)
        elif line.startswith("#"):
            kept.append(line)
        elif line not in seen:
            kept.append(line)
            if depth == 0:
                seen.add(line)
    return kept
