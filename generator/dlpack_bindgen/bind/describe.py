"""The driver of `describe`, the function that reads a tensor from its C object."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from dlpack_bindgen.bind.assertions import guarded, match_assertions, once, read, slot_assertions, type_assertion
from dlpack_bindgen.bind.binding import Description
from dlpack_bindgen.bind.inverse_match import one_way
from dlpack_bindgen.bind.nulls import always_read, is_tested, pointers
from dlpack_bindgen.bind.slot_values import all_slots, fixed_rank, least_rank, reading_fragments, steps_freely
from dlpack_bindgen.bind.slots import SlotStatements
from dlpack_bindgen.bind.stages import Stages, only
from dlpack_bindgen.hooks.before_read import before_read
from dlpack_bindgen.slots.conditional import alternatives
from dlpack_bindgen.slots.description import ItemSize, Unused
from dlpack_bindgen.slots.dtype import known_dtype
from dlpack_bindgen.slots.match import Arm, Match, MatchedValue, OneWay
from dlpack_bindgen.slots.reading import DTYPE, ITEMSIZE, Reading
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.slots.shape import rank_of
from dlpack_bindgen.slots.slots import Slots
from dlpack_bindgen.slots.statements import Block, Branch, Statement, chain
from dlpack_bindgen.spec.spec import CallStep, Let, Tensor
from dlpack_bindgen.steps.flow import DESCRIBE, Flow, returned, step_fragments, unchecked_names
from dlpack_bindgen.steps.records import FailureTest, Report
from dlpack_bindgen.text.fragments import argument, mentions
from dlpack_bindgen.text.literals import c_string
from dlpack_bindgen.text.statements import Piece


def describe(scope: Scope, tensor: Tensor) -> Description:
    return _Describe(scope, tensor).function()


class _Describe:
    def __init__(self, scope: Scope, tensor: Tensor) -> None:
        self._scope = scope
        self._tensor = tensor
        self._flow = Flow(scope, DESCRIBE)
        self._rank = fixed_rank(tensor)
        self._stages = Stages(tensor)
        names = frozenset(
            each.name for each in tensor.let if isinstance(each, (Let, CallStep)) and each.name is not None
        )
        self._plain = Reading(scope, self._rank, least_rank(tensor), declared=names)
        self._reading = replace(self._plain, names={"itemsize": ITEMSIZE})
        """The reading of assertions, which may precede the variable `itemsize`."""
        self._statements = SlotStatements(self._plain, self._reading)
        self._decisive, self._one_way = one_way(tensor)
        self._kept: list[str] = []
        """Variables from `_values_of`."""
        self._pointers: set[str] = set()
        """Pointers that the emitted code has already tested for NULL."""
        self._itemsize = False
        """Whether the variable `itemsize` is declared."""

    def function(self) -> Description:
        tensor, flow = self._tensor, self._flow
        steps = [*step_fragments([*tensor.require, *tensor.let]), tensor.before_read]
        fragments = [*steps, *reading_fragments(tensor)]
        certain = [*steps, *reading_fragments(tensor, certain=True)]

        early, late = self._assertions()
        flow.add(*early)
        flow.separate()
        for check in tensor.require:
            flow.refuse_unless(check, "require")
        hook = before_read(self._scope, tensor)
        if hook is not None:
            flow.add(hook)
        flow.separate()
        first = takewhile(lambda step: isinstance(step, Let), tensor.let)
        flow.add(*self._nulls([step.value for step in first if isinstance(step, Let)]))
        flow.steps(tensor.let, "let")
        doubtful = [
            name for name in unchecked_names(tensor.let) if mentions(fragments, name) and not mentions(certain, name)
        ]
        flow.add(Piece("slots/description", "unused", Unused(tuple(doubtful))))
        flow.separate()
        flow.add(*late)
        flow.separate()
        beside = replace(tensor.slots, **dict.fromkeys(name for match in tensor.matches for name in match.slots))
        flow.add(*self._nulls([*always_read(beside), *(of for match in tensor.matches for of in match.of)]))
        self._slots()
        variables = self._scope.variables(fragments, certain=certain)
        return Description(self._scope.hook("describe"), variables, flow.body(returned(self._finish())))

    def _finish(self) -> str:
        """Returns the final call with the known dtype and rank, from which the compiler precomputes checks."""
        dtype = known_dtype(self._fixed_slots(None).dtype)
        finish = "dlb_view_finish_strided" if steps_freely(self._tensor) else "dlb_view_finish"
        if self._rank is None or dtype == DTYPE:
            return f"{finish}(view, error)"
        return f"{finish}_fixed(view, {dtype}, {self._rank}, error)"

    def _nulls(self, fragments: list[str | None], within: bool = False) -> list[Statement]:
        """Returns tests that refuse NULL for each pointer that the C expressions in `fragments` dereference.

        With `within`, the tests hold only in one arm of a match.
        """
        found: list[Statement] = []
        asked = step_fragments(self._tensor.require)
        known = set(self._pointers)
        for pointer in pointers(fragments):
            if pointer not in known and not is_tested(pointer, asked):
                is_null = f"dlb_is_null_path({self._scope.text(pointer)})"
                test = FailureTest(is_null, self._flow.refused(c_string(f"{pointer} is NULL")))
                found.append(Piece("steps/calls", "leave_if", test))
                known.add(pointer)
        self._pointers = self._pointers if within else known
        return found

    # ---- Assertions ----

    def _assertions(self) -> tuple[list[Statement], list[Statement]]:
        """Returns the assertions that can come first, and those that need the variables of `let`."""
        names = [step.name for step in self._tensor.let if isinstance(step, (Let, CallStep)) and step.name is not None]
        early: list[Statement] = []
        late: list[Statement] = []

        def sort(found: list[Statement], guard: str | None = None) -> None:
            """Adds assertions to one of the lists. Those of an arm with a preprocessor block stay together."""
            found = guarded(guard, found)
            groups = [found] if any(isinstance(each, Block) for each in found) else [[each] for each in found]
            for group in groups:
                (late if read(group, names) else early).extend(group)

        beside = self._tensor.slots
        chosen = {slot for match in self._tensor.matches for slot in match.slots}
        dtypes = [] if "data" in chosen or self._has_handles() else self._dtypes()
        if not self._scope.by_value and mentions_member(reading_fragments(self._tensor)):
            early.append(type_assertion(self._reading, self._scope.type))
        sort(slot_assertions(self._reading, beside, dtypes))
        for match in self._tensor.matches:
            sort(match_assertions(match, self._plain))
            for arm in match.arms:
                sort(self._slot_assertions(arm.slots), arm.condition)
            if match.default is not None:
                sort(self._slot_assertions(match.default))
        return once(early), once(late)

    def _slot_assertions(self, slots: Slots) -> list[Statement]:
        rank = self._rank if slots.shape is None else rank_of(slots.shape)
        reading = replace(self._reading, rank=rank, least=0)
        return slot_assertions(reading, slots, [] if self._has_handles() else [slots.dtype])

    def _dtypes(self) -> list[object]:
        """Returns the dtypes that the data can have. The data must be one expression for all of them."""
        beside = self._tensor.slots.dtype
        return [beside] if beside is not None else [*self._stages.values("dtype")]

    def _has_handles(self) -> bool:
        devices = [each for slots in all_slots(self._tensor) for each in alternatives(slots.device)]
        return any(each.has_handles for each in devices)

    # ---- Slots ----

    def _slots(self) -> None:
        stages = self._stages
        pending = stages.all()
        while pending:
            stage = pending[0]
            match = stages.provider(stage)
            if match is None:
                run = stages.run(pending)
                self._flow.add(*self._beside(run, pending))
            else:
                first = stages.first(pending, match)
                if first:
                    self._flow.add(*self._beside(first, pending))
                    pending = [each for each in pending if each not in first]
                run = stages.in_chain(pending, match)
                self._chain(match, run, pending)
            pending = [each for each in pending if each not in run]
            if "dtype" in run:
                self._declare_itemsize(pending)
        self._flow.add(*self._statements.last(any("data" in match.slots for match in self._tensor.matches)))

    def _declare_itemsize(self, pending: list[str]) -> None:
        if not self._itemsize and self._stages.use_itemsize(pending):
            self._itemsize = True
            is_doubtful = not self._stages.use_itemsize(pending, certain=True)
            self._flow.add(Piece("slots/description", "itemsize", ItemSize(ITEMSIZE, is_doubtful)))

    # ---- Matches ----

    def _chain(self, match: Match, run: Sequence[str], pending: Sequence[str]) -> None:
        beside = self._fixed_slots(match)
        arms = [self._arm(match, index, beside, run, pending) for index in range(len(match.arms))]
        if match.default is not None:
            otherwise = self._arm(match, -1, beside, run, pending)
        else:
            function, arguments = match.report(self._plain)
            unmatched = self._flow.exit(Report(function, (*DESCRIBE.arguments, *arguments)))
            otherwise = [Piece("steps/calls", "leave", unmatched)]
        values = self._values_of(match)
        branches = [
            Branch(arm.test(values, self._plain), tuple(found), arm.condition or "")
            for arm, found in zip(match.arms, arms, strict=True)
        ]
        self._flow.add(*chain(branches, otherwise, self._scope.label(match.place)))

    def _arm(
        self, match: Match, index: int, beside: Slots, run: Sequence[str], pending: Sequence[str]
    ) -> list[Statement]:
        """Returns the statements of one arm of a match. `index` is the index of the arm, or -1 for the default."""
        arm = match.arms[index] if index >= 0 else Arm((), match.default or Slots())
        slots = _over(beside, arm.slots)
        nulls = self._nulls(always_read(only(slots, run)), within=True)
        found = self._statements.of(slots, run, pending, is_optional=arm.condition is not None)
        return [*nulls, *found, *self._mark(match, index, run)]

    def _mark(self, match: Match, arm: int, run: Sequence[str]) -> list[Statement]:
        """Returns the statement that marks an arm as irreversible, for pickles. Only one stage emits it."""
        first = "dtype" if "dtype" in match.slots else "shape"
        marked = match is self._decisive and arm in self._one_way and first in run
        return [Piece("slots/match", "one_way", OneWay())] if marked else []

    def _values_of(self, match: Match) -> list[str]:
        """Returns the expressions that are compared with the keys.

        The result of a call is stored in a variable, so that C calls it once.
        """
        values = []
        for place, of in enumerate(match.of):
            text = self._scope.text(of)
            if match.calls_once(place):
                name = self._unused("key" if len(match.of) == 1 else f"key_{place}")
                key = MatchedValue(name, argument(text), self._scope.label(f"{match.place}.of"))
                self._flow.add(Piece("slots/match", "key", key))
                text = name
            values.append(text)
        return values

    def _unused(self, name: str) -> str:
        fragments = [*step_fragments([*self._tensor.require, *self._tensor.let]), *reading_fragments(self._tensor)]
        fragments += [*(each.name for each in self._tensor.params), *(each.name for each in self._tensor.hold)]
        names = [step.name or "" for step in self._tensor.let if isinstance(step, (Let, CallStep))]
        while name in self._kept or mentions([*fragments, *names], name):
            name += "_"
        self._kept.append(name)
        return name

    def _beside(self, run: Sequence[str], pending: Sequence[str]) -> list[Statement]:
        return self._statements.of(self._fixed_slots(None), run, pending)

    def _fixed_slots(self, match: Match | None) -> Slots:
        """Returns the slots outside of matches, except a dtype or shape that a match other than this one sets."""
        others = [name for name in ("dtype", "shape") if self._stages.provider(name) not in (None, match)]
        return replace(self._tensor.slots, **dict.fromkeys(others))


def mentions_member(fragments: list[str | None]) -> bool:
    return any(re.search(r"\bself->", text) for text in fragments if text)


def _over(beside: Slots, arm: Slots) -> Slots:
    """Returns the slots of an arm. Slots that the arm does not set come from `beside`."""
    return replace(beside, **{name: getattr(arm, name) for name in arm.names()})
