"""The function that describes an object, and the other functions of a class for the runtime."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby, takewhile
from typing import Any, cast

from dlpack_bindgen.tensor.accepts import (
    all_slots,
    fixed_rank,
    least_rank,
    reading_fragments,
    record_of,
    required_of,
    steps_freely,
)
from dlpack_bindgen.tensor.data_and_device import data_statements, early_pointer, late_checks
from dlpack_bindgen.tensor.dtype import known_dtype
from dlpack_bindgen.tensor.item import CallStep, Item, Let, SetFields, Step, Tensor
from dlpack_bindgen.tensor.lifetime_hooks import HOOKS, before_read
from dlpack_bindgen.tensor.match_inverse import one_way
from dlpack_bindgen.tensor.requirements import Check
from dlpack_bindgen.tensor.shape import EachShape, Layout, Order, rank_of, reversals
from dlpack_bindgen.tensor.slot import (
    DTYPE,
    ITEMSIZE,
    RANK,
    Block,
    Branch,
    Conditional,
    Reading,
    Scope,
    Statement,
    Variable,
    alternatives,
    chain,
    conditioned,
    loop,
    preprocessed,
    with_default,
)
from dlpack_bindgen.tensor.slots import BY_NAME, SLOTS, Arm, Match, Slots, capacity, type_of_data
from dlpack_bindgen.tensor.steps import (
    DESCRIBE,
    FailureTest,
    Flow,
    Function,
    Report,
    returned,
    step_fragments,
    unchecked_names,
)
from dlpack_bindgen.tensor.strides import EachStrides, allowed_overlap
from dlpack_bindgen.text.fragments import Assertion, Piece, Within, argument, has_call, mentions
from dlpack_bindgen.text.literals import c_string

# ---- The order in which a description sets the slots ----
# Each slot follows the slots that it reads.

# Statements are emitted in the order of the slots. The layout consists of `order` and `strides`.
_OF_SLOT: dict[str, tuple[str, ...]] = {"order": ("layout",), "strides": (), "data": ("data", "rows")}
_STAGES = tuple(stage for slot in SLOTS for stage in _OF_SLOT.get(slot.name, (slot.name,)))
_OF_STAGE = {"layout": "strides", "rows": "strides"}
_AFTER = {"layout": ("dtype", "shape"), "rows": ("layout", "data"), "readonly": ("data",)}


class Stages:
    """The stages of one tensor. Each sets a slot, or the two slots of the layout."""

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor

    def all(self) -> list[str]:
        """Returns the stages that the tensor has."""
        return [stage for stage in _STAGES if self._exists(stage)]

    def _exists(self, stage: str) -> bool:
        if stage == "layout":
            return True
        if stage == "rows":
            return any(strides.has_rows for strides in self.values("strides"))
        return BY_NAME[stage].default_value is not None or any(True for _ in self.values(stage))

    def values(self, slot: str) -> Iterator[Any]:
        for slots in all_slots(self._tensor):
            yield from alternatives(getattr(slots, slot))

    def provider(self, stage: str) -> Match | None:
        """Returns the match that sets a slot of the stage."""
        slots = {"layout": ("order", "strides"), "rows": ("strides",)}.get(stage, (stage,))
        return next((match for match in self._tensor.matches if set(slots) & set(match.slots)), None)

    def run(self, pending: Sequence[str]) -> list[str]:
        """Returns the first pending stages outside of matches.

        It stops after the dtype if later stages use `itemsize`, which is declared there.
        """
        run: list[str] = []
        for stage in pending:
            if self.provider(stage) is not None or (run == ["dtype"] and self.use_itemsize(pending[1:])):
                break
            run.append(stage)
        return run

    def first(self, pending: Sequence[str], match: Match) -> list[str]:
        """Returns the stages outside of `match` that its arms depend on."""
        first: list[str] = []
        for stage in pending:
            if self.provider(stage) is match:
                for before in _AFTER.get(stage, ()):
                    if before in pending and before not in first and self.provider(before) is None:
                        first.append(before)
        if "dtype" in pending and self.provider("dtype") is match:
            first = [
                stage for stage in first if not mentions(only(self._tensor.slots, [stage]).fragments(), "itemsize")
            ]
        return sorted(first, key=_STAGES.index)

    def in_chain(self, pending: Sequence[str], match: Match) -> list[str]:
        """Returns the pending stages that the if-chain of a match can set."""
        run: list[str] = []
        for stage in pending:
            ready = all(before in run or before not in pending for before in _AFTER.get(stage, ()))
            if self.provider(stage) is match and ready:
                run.append(stage)
        return run

    def use_itemsize(self, stages: Sequence[str], certain: bool = False) -> bool:
        """Returns whether slots of these stages mention `itemsize`.

        With `certain`, it omits slots that the preprocessor can leave out.
        """
        names = {_OF_STAGE.get(stage, stage) for stage in stages}
        found = [text for slots in all_slots(self._tensor, certain) for text in only(slots, stages).fragments()]
        found += [of for match in self._tensor.matches if names & set(match.slots) for of in match.of]
        return mentions(found, "itemsize")


def only(slots: Slots, stages: Sequence[str]) -> Slots:
    """Returns the slots of these stages. The `order` has no C source and is left out."""
    names = {_OF_STAGE.get(stage, stage) for stage in stages}
    return Slots(**{name: getattr(slots, name) for name in names})


# ---- The statements that fill the slots of a view, in the order of their stages ----


class SlotStatements:
    """The driver of the slots. It asks the slot of each stage."""

    def __init__(self, reading: Reading, without_itemsize: Reading) -> None:
        self._early: dict[Within, None] = {}
        """Data pointers into arrays of the struct that are set before the layout is known."""
        self._reading = reading
        self._without_itemsize = without_itemsize
        """The reading before the variable `itemsize` is declared."""

    def of(
        self, slots: Slots, run: Sequence[str], pending: Sequence[str], is_optional: bool = False
    ) -> list[Statement]:
        """Returns the statements of the stages in `run`.

        `pending` holds these stages and all later ones. With `is_optional`, the preprocessor can leave the statements
        out.
        """
        reading = self._without_itemsize if "dtype" in run and len(run) > 1 else self._reading
        later = [stage for stage in pending if stage not in run]
        is_last = not {"dtype", "shape", "layout"} & {*later} and "byte_offset" not in pending
        if "data" in run and not is_last and not is_optional and isinstance(slots.data, str):
            pointer = early_pointer(slots.data)
            self._early |= {} if pointer is None else {pointer: None}
        in_one_loop = "shape" in run and "layout" in run and _in_one_loop(slots)
        found: list[Statement] = []
        for stage in run:
            if in_one_loop and stage in ("shape", "layout"):
                found += _loop(slots, reading) if stage == "shape" else ()
            elif stage == "data":
                found += self._data(slots, reading, is_last)
            elif stage in _RELATED:
                found += _RELATED[stage](slots, reading)
            else:
                found += _slot(stage, slots, reading)
        return found

    def _data(self, slots: Slots, reading: Reading, is_last: bool) -> list[Statement]:
        def statements(pointer: str) -> list[Statement]:
            first = [table for each in alternatives(slots.strides) if (table := each.first_row(pointer)) is not None]
            return data_statements(pointer, reading, first, is_last)

        return preprocessed(slots.data, statements, _missing("data", reading))

    def last(self, is_chosen: bool) -> list[Statement]:
        """Returns the deferred checks that data stays within its array.

        With `is_chosen`, a match chooses the data pointer.
        """
        return [*late_checks([*self._early], is_chosen, self._reading)]


def _missing(slot: str, reading: Reading) -> list[Statement]:
    return [Piece("tensor/slots", "missing", f"{reading.scope.name}.{slot}")]


def _slot(stage: str, slots: Slots, reading: Reading) -> list[Statement]:
    """Returns the statements of a stage that sets one slot."""
    slot = BY_NAME[stage]
    value = with_default(getattr(slots, stage), slot.default_value)
    otherwise = _missing(stage, reading) if slot.unless is not None else ()
    return preprocessed(value, lambda each: slot.statements(each, reading), otherwise)


# ---- Layout ----


def _in_one_loop(slots: Slots) -> bool:
    strides = slots.strides
    return isinstance(slots.shape, EachShape) and isinstance(strides, EachStrides) and strides.compact_when is None


def _loop(slots: Slots, reading: Reading) -> list[Statement]:
    """Returns the statements that set extents and strides in one loop over the axes."""
    shape, strides = slots.shape, slots.strides
    assert isinstance(shape, EachShape) and isinstance(strides, EachStrides)
    stride = strides.stride(reading, known_dtype(slots.dtype))
    both = loop([shape.extent(reading), stride])
    reversed_ = reversals(slots.order, has_strides=True)
    return [shape.ranks(reading, strides.each), both, *reversed_, *allowed_overlap(strides)]


def _layout(slots: Slots, reading: Reading) -> list[Statement]:
    return preprocessed(with_default(slots.order, "C"), lambda order: _ordered(slots, order, reading))


def _ordered(slots: Slots, order: Order, reading: Reading) -> list[Statement]:
    axes = rank_of(slots.shape) if slots.shape is not None else reading.rank
    ranks = slots.shape if isinstance(slots.shape, EachShape) else None
    rank = reading.integer(ranks.ndim if ranks else RANK)
    layout = Layout(order, axes, rank, ranks.arrays if ranks else (), known_dtype(slots.dtype))
    if slots.strides is None:
        return layout.compact()
    return preprocessed(slots.strides, lambda each: each.statements(reading, layout), layout.compact())


def _rows(slots: Slots, reading: Reading) -> list[Statement]:
    def ordered(order: Order) -> list[Statement]:
        return preprocessed(slots.strides, lambda strides: strides.row_statements(reading, order))

    return preprocessed(with_default(slots.order, "C"), ordered)


_RELATED: dict[str, Callable[[Slots, Reading], list[Statement]]] = {"layout": _layout, "rows": _rows}
"""Stages that read several slots."""


# ---- Compile-time checks of the slots against the real struct ----


def slot_assertions(reading: Reading, slots: Slots, dtypes: Sequence[object]) -> list[Statement]:
    """Returns the assertions of the slots.

    `dtypes` lists the possible dtypes of the data, and is empty if they are unknown.
    """
    found: list[Statement] = []

    def add(value: object, assertions: Callable[[Any], Iterator[Assertion]]) -> None:
        found.extend(preprocessed(value, lambda branch: [_statement(each) for each in assertions(branch)]))

    if len(dtypes) == 1 and isinstance(dtypes[0], Conditional) and isinstance(slots.data, str):
        add(dtypes[0], lambda branch: type_of_data(str(slots.data), [branch], reading))
    else:
        add(slots.data, lambda data: type_of_data(data, dtypes, reading))
    for slot in SLOTS:
        add(getattr(slots, slot.name), partial(slot.assertions, reading=reading))
    return [*found, *(_statement(each) for each in capacity(slots, reading))]


def _type_assertion(reading: Reading, ctype: str) -> Statement:
    """Asserts that the type is a struct with members, not a pointer or an opaque type."""
    what = "a struct with members (write 'pass: value' if it is a pointer)"
    message = f"{reading.scope.name}.type: {ctype} must be {what}"
    return _statement(Assertion("STRUCT", (reading.text("*self"),), message))


def _guarded(condition: str | None, found: list[Statement]) -> list[Statement]:
    """Returns assertions that hold only under a condition of the preprocessor."""
    return found if condition is None else conditioned([Branch(condition, tuple(found))])


def _read(found: Iterable[Statement], names: Iterable[str]) -> bool:
    """Returns whether assertions read one of these variables."""
    arguments = [text for each in found for assertion in _assertions(each) for text in assertion.arguments]
    return any(mentions(arguments, name) for name in names)


def _assertions(found: Statement) -> Iterator[Assertion]:
    if isinstance(found, Block):
        for each in (*(each for branch in found.branches for each in branch.statements), *found.otherwise):
            yield from _assertions(each)
    elif found.macro == "assertions":
        yield from cast(tuple[Assertion, ...], found.input)


def once(found: Iterable[Statement]) -> list[Statement]:
    """Drops each assertion that already occurred without a preprocessor condition.

    Several arms often have equal assertions. Neighbours are joined.
    """
    return _joined(_once(found, set(), is_certain=True))


def _once(found: Iterable[Statement], seen: set[object], is_certain: bool) -> Iterator[Statement]:
    for each in found:
        if isinstance(each, Block):
            branches = [
                Branch(branch.condition, tuple(_joined(_once(branch.statements, seen, is_certain=False))))
                for branch in each.branches
            ]
            yield from conditioned(branches, tuple(_joined(_once(each.otherwise, seen, is_certain=False))))
            continue
        shown = tuple((found.name, found.arguments, found.message) for found in _assertions(each))
        if shown not in seen:
            yield each
            if is_certain:
                seen.add(shown)


def _joined(found: Iterable[Statement]) -> list[Statement]:
    joined: list[Statement] = []
    for is_block, group in groupby(found, lambda each: isinstance(each, Block)):
        if is_block:
            joined += group
        else:
            every = tuple(assertion for each in group for assertion in _assertions(each))
            joined.append(Piece("tensor/slots", "assertions", every))
    return joined


def _statement(assertion: Assertion) -> Statement:
    return Piece("tensor/slots", "assertions", (assertion,))


# ---- Pointers of a struct that its slots dereference ----
# If such a pointer is NULL, the object cannot be described.

_CHAIN = re.compile(r"\bself(?:\s*(?:->|\.)\s*\w+|\s*\[\s*\d+\s*\])+")
_UNREAD = re.compile(r"\b(?:sizeof|_Alignof)\s*\([^()]*\)")
_CHOOSES = re.compile(r"\?|&&|\|\|")
"""Operators with conditional evaluation. The spec itself then decides on the access."""


def _pointers(fragments: Iterable[str | None]) -> Iterator[str]:
    """Yields the dereferenced pointers, such as `self->storage` for `self->storage->data`, in the order of access."""
    for text in fragments:
        for found in _CHAIN.finditer(_UNREAD.sub("", text)) if text and not _CHOOSES.search(text) else ():
            for arrow in re.finditer("->", found.group()):
                pointer = found.group()[: arrow.start()].rstrip()
                if pointer != "self":
                    yield pointer


def _always_read(slots: Slots) -> list[str | None]:
    """Returns the C source that is read from every object with these slots.

    It excludes reads for each axis, since the rank can be 0.
    """
    strides = slots.strides
    left = [name for name in slots.names() if isinstance(getattr(slots, name), Conditional)]
    if isinstance(slots.shape, EachShape):
        return [slots.shape.ndim, *_always_read(replace(slots, shape=None))]
    if isinstance(strides, EachStrides):
        left.append("strides")
    if strides is not None and not isinstance(strides, Conditional) and strides.compact_when is not None:
        left.append("strides")
    return replace(slots, **dict.fromkeys(left)).fragments()


def _is_tested(pointer: str, fragments: Iterable[str | None]) -> bool:
    """Returns whether the spec tests the pointer itself."""
    written = re.compile(rf"{re.escape(pointer)}(?!\s*(?:->|\.|\[|\w))")
    return any(text is not None and written.search(text) for text in fragments)


# ---- The driver of `describe`, the function that reads a tensor from its C object ----


def describe(scope: Scope, tensor: Tensor) -> Function:
    """Returns the function that describes an object."""
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

    def function(self) -> Function:
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
        flow.add(Piece("tensor/slots", "unused", doubtful))
        flow.separate()
        flow.add(*late)
        flow.separate()
        beside = replace(tensor.slots, **dict.fromkeys(name for match in tensor.matches for name in match.slots))
        flow.add(*self._nulls([*_always_read(beside), *(of for match in tensor.matches for of in match.of)]))
        self._slots()
        variables = self._scope.variables(fragments, certain=certain)
        body = flow.body(returned(self._finish()))
        return Function(self._scope.hook("describe"), variables, body, ("dlb_view *view", "dlb_error *error"))

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
        for pointer in _pointers(fragments):
            if pointer not in known and not _is_tested(pointer, asked):
                is_null = f"dlb_is_null_path({self._scope.text(pointer)})"
                test = FailureTest(is_null, self._flow.refused(c_string(f"{pointer} is NULL")))
                found.append(Piece("tensor/steps", "leave_if", test))
                known.add(pointer)
        self._pointers = self._pointers if within else known
        return found

    # ---- Assertions ----

    def _assertions(self) -> tuple[list[Statement], list[Statement]]:
        """Returns the assertions that can come first, and those that need the variables of `let`."""
        early: list[Statement] = []
        late: list[Statement] = []

        def sort(found: list[Statement], guard: str | None = None) -> None:
            """Adds assertions to one of the lists. Those of an arm with a preprocessor block stay together."""
            found = _guarded(guard, found)
            groups = [found] if any(isinstance(each, Block) for each in found) else [[each] for each in found]
            for group in groups:
                (late if _read(group, self._plain.declared) else early).extend(group)

        beside = self._tensor.slots
        chosen = {slot for match in self._tensor.matches for slot in match.slots}
        dtypes = [] if "data" in chosen or self._has_handles() else self._dtypes()
        if not self._scope.by_value and any(
            text and re.search(r"\bself->", text) for text in reading_fragments(self._tensor)
        ):
            early.append(_type_assertion(self._reading, self._scope.type))
        sort(slot_assertions(self._reading, beside, dtypes))
        for match in self._tensor.matches:
            sort([_statement(each) for each in match.assertions(self._plain)])
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
            self._flow.add(Piece("tensor/slots", "itemsize", is_doubtful))

    # ---- Matches ----

    def _chain(self, match: Match, run: Sequence[str], pending: Sequence[str]) -> None:
        beside = self._fixed_slots(match)
        arms = [self._arm(match, index, beside, run, pending) for index in range(len(match.arms))]
        if match.default is not None:
            otherwise = self._arm(match, -1, beside, run, pending)
        else:
            function, arguments = match.report(self._plain)
            unmatched = self._flow.exit(Report(function, (*DESCRIBE.arguments, *arguments)))
            otherwise = [Piece("tensor/steps", "leave", unmatched)]
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
        slots = replace(beside, **{name: getattr(arm.slots, name) for name in arm.slots.names()})
        nulls = self._nulls(_always_read(only(slots, run)), within=True)
        found = self._statements.of(slots, run, pending, is_optional=arm.condition is not None)
        return [*nulls, *found, *self._mark(match, index, run)]

    def _mark(self, match: Match, arm: int, run: Sequence[str]) -> list[Statement]:
        """Returns the statement that marks an arm as irreversible, for pickles. Only one stage emits it."""
        first = "dtype" if "dtype" in match.slots else "shape"
        marked = match is self._decisive and arm in self._one_way and first in run
        return [Piece("tensor/slots", "one_way", None)] if marked else []

    def _values_of(self, match: Match) -> list[str]:
        """Returns the expressions that are compared with the keys.

        The result of a call is stored in a variable, so that C calls it once.
        """
        values = []
        for place, of in enumerate(match.of):
            text = self._scope.text(of)
            if match.calls_once(place):
                name = self._unused("key" if len(match.of) == 1 else f"key_{place}")
                key = Variable(name, argument(text), self._scope.label(f"{match.place}.of"))
                self._flow.add(Piece("tensor/slots", "kept", key))
                text = name
            values.append(text)
        return values

    def _unused(self, name: str) -> str:
        fragments = [*step_fragments([*self._tensor.require, *self._tensor.let]), *reading_fragments(self._tensor)]
        fragments += [*(each.name for each in self._tensor.params), *(each.name for each in self._tensor.hold)]
        while name in self._kept or mentions([*fragments, *self._plain.declared], name):
            name += "_"
        self._kept.append(name)
        return name

    def _beside(self, run: Sequence[str], pending: Sequence[str]) -> list[Statement]:
        return self._statements.of(self._fixed_slots(None), run, pending)

    def _fixed_slots(self, match: Match | None) -> Slots:
        """Returns the slots outside of matches, except a dtype or shape that a match other than this one sets."""
        others = [name for name in ("dtype", "shape") if self._stages.provider(name) not in (None, match)]
        return replace(self._tensor.slots, **dict.fromkeys(others))


# ---- Fast paths that handle ordinary arrays in one step ----
# If a fast path declines an array, the slow path runs the checks again. Fast paths must therefore have no side effects.

_FAST_NDIM = 8
"""`DLB_FAST_NDIM`: the capacity of an owner in axes if only the run time knows their number."""


def has_fast_description(tensor: Tensor) -> bool:
    """Returns whether an ordinary object can be described in one step."""
    if record_of(tensor) is not None or tensor.may_have_records:
        return False  # the slow path knows that DLPack has no records
    if runs_at_exports(tensor) or tensor.copy != "never" or tensor.release_on == "creator":
        return False  # the runtime runs hooks around exports, or can copy
    return tensor.before_read is None and _can_repeat(tensor.require, tensor.let) and _has_capacity(tensor)


def has_fast_import(tensor: Tensor) -> bool:
    """Returns whether an import can set the members of the object in one step, if it has a fast export."""
    return _fills_only(tensor) and _takes_ordinary_arrays(tensor)


def _can_repeat(checks: Sequence[Check], steps: Sequence[Step]) -> bool:
    """Returns whether the code can run twice.

    Calls of the library can have side effects, or report an error only once.
    """
    is_repeatable = not any(has_call(f"{check.expr} {check.error or ''}") for check in checks)
    return is_repeatable and all(isinstance(step, Let) and _is_pure(step) for step in steps)


def _is_pure(step: Let) -> bool:
    return not has_call(step.value or "") and step.ok is None and step.finally_ is None and step.undo is None


def _has_capacity(tensor: Tensor) -> bool:
    """Returns whether an owner has enough capacity for the axes.

    They are written in order, before the rank is validated.
    """
    shapes = [shape for slots in all_slots(tensor) for shape in alternatives(slots.shape)]
    listed = [shape.rank or 0 for shape in shapes]
    return fixed_rank(tensor) is not None or max(listed, default=0) <= _FAST_NDIM


def _fills_only(tensor: Tensor) -> bool:
    made = tensor.import_
    if made is None or not isinstance(made.build, SetFields) or made.params:
        return False
    if any(each is not None for each in (made.deleter, made.attach, made.detach, made.destroy)):
        return False
    writes_only_itself = not any("->" in member or has_call(value) for member, value in made.build.fields)
    return writes_only_itself and _can_repeat(made.require.checks, made.let)


def _takes_ordinary_arrays(tensor: Tensor) -> bool:
    """Returns whether the fast path tests all requirements on an array."""
    made = tensor.import_
    if made is None or made.copy == "always" or made.stream is not None:
        return False
    found = required_of(tensor, made)
    is_plain = found.order != "reversed" and found.alignment is None and not found.extents
    return is_plain and (not found.devices or found.devices[0] == "kDLCPU")


# ---- The functions of a class that run C code of the spec on an object ----


def hooks(scope: Scope, item: Item) -> list[tuple[str, Function]]:
    """Returns the functions, with the members of the `dlb_type` that refer to them."""
    return [
        (hook.name, function)
        for hook in HOOKS
        if hook.is_function and (hook.is_of_handles or isinstance(item, Tensor))
        if (function := hook.function(scope, item)) is not None
    ]


def runs_at_exports(tensor: Tensor) -> bool:
    """Returns whether code of the spec runs when an export starts or ends."""
    return any(hook.is_of_exports and getattr(tensor, hook.name) for hook in HOOKS)
