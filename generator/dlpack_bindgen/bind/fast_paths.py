"""Fast paths that handle ordinary arrays in one step.

If a fast path declines an array, the slow path runs the checks again. Fast paths must therefore have no side effects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dlpack_bindgen.arguments.requirements import Check
from dlpack_bindgen.bind.accepts import accepted
from dlpack_bindgen.bind.binding import FactoryBinding, FastPath, OneShotBinding
from dlpack_bindgen.bind.hooks import runs_at_exports
from dlpack_bindgen.bind.slot_values import all_slots, fixed_rank, record_of
from dlpack_bindgen.slots.conditional import alternatives
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.spec.spec import Let, SetFields, Step, Tensor
from dlpack_bindgen.text.fragments import has_call

_FAST_NDIM = 8
"""`DLB_FAST_NDIM`: the capacity of an owner in axes if only the run time knows their number."""


def bind_fast_paths(scope: Scope, tensor: Tensor, importer: FactoryBinding | None) -> Iterator[FastPath]:
    """Yields the fast paths of a class."""
    if _has_fast_description(tensor):
        describe, rank = scope.hook("describe"), _rank(tensor)
        yield FastPath("describe_fast", scope.hook("describe_fast"), describe, rank, "")
        if importer is not None and _has_fast_import(scope, tensor, importer):
            yield FastPath("import_fast", scope.hook("import_fast"), describe, rank, importer.name)


def bind_one_shot(scope: Scope, tensor: Tensor) -> OneShotBinding | None:
    """Returns the one-shot export, if it is possible in one step."""
    if not _has_fast_description(tensor) or not _is_plain(scope, tensor):
        return None
    return OneShotBinding(
        describe=scope.hook("describe"),
        rank=_rank(tensor),
        retain="NULL" if tensor.retain is None else scope.hook("retain"),
        release="" if tensor.release is None else scope.hook("release"),
        deleter="dlb_delete_one_shot" if tensor.release is None else scope.hook("delete_one_shot"),
    )


def _rank(tensor: Tensor) -> str:
    rank = fixed_rank(tensor)
    return "-1" if rank is None else str(rank)


def _has_fast_description(tensor: Tensor) -> bool:
    if record_of(tensor) is not None or tensor.may_have_records:
        return False  # the slow path knows that DLPack has no records
    repeats = tensor.before_read is None and _can_repeat(tensor.require, tensor.let)
    return repeats and not _is_special(tensor) and _has_capacity(tensor)


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


def _is_special(tensor: Tensor) -> bool:
    """Returns whether the runtime runs hooks around exports, or can copy."""
    return runs_at_exports(tensor) or tensor.copy != "never" or tensor.release_on == "creator"


def _is_plain(scope: Scope, tensor: Tensor) -> bool:
    """Returns whether an owner only refers to the object, without state or rules for its release."""
    return not scope.has_state and tensor.release_on == "any"


def _fills_only(tensor: Tensor) -> bool:
    made = tensor.import_
    if made is None or not isinstance(made.build, SetFields) or made.attach is not None or made.detach is not None:
        return False
    writes_only_itself = not any("->" in member or has_call(value) for member, value in made.build.fields)
    return writes_only_itself and _can_repeat(made.require.checks, made.let)


def _has_fast_import(scope: Scope, tensor: Tensor, importer: FactoryBinding) -> bool:
    has_more = importer.destroyed or importer.deleter is not None or importer.params is not None
    return _is_plain(scope, tensor) and _fills_only(tensor) and not has_more and _takes_ordinary_arrays(tensor)


def _takes_ordinary_arrays(tensor: Tensor) -> bool:
    """Returns whether the fast path tests all requirements on an array."""
    made = tensor.import_
    if made is None or made.copy == "always" or made.stream is not None:
        return False
    required = accepted(tensor, made.require)
    is_plain = required.order != "reversed" and required.alignment is None and not required.extents
    return is_plain and required.devices[:1] in ((), ("kDLCPU",))
