"""The functions that do the usual in one step, where nobody could notice that it is done twice: what they decline is
looked at again, closely."""

from __future__ import annotations

from collections.abc import Sequence

from dlpack_bindgen.bind.binding import Function, MakerBinding, OneShotBinding
from dlpack_bindgen.bind.scope import Scope, function
from dlpack_bindgen.bind.texts import all_slots, alternatives, fixed_rank
from dlpack_bindgen.c.fragments import has_call
from dlpack_bindgen.spec.requirements import Check
from dlpack_bindgen.spec.slots import ListedShape
from dlpack_bindgen.spec.spec import Let, SetFields, Step, Tensor

_UNUSUAL = (
    ".order = DLB_ORDER_REVERSED",
    ".alignment",
    ".extents",
    ".destroy",
    ".lease",
    ".params",
    ".copy = DLB_COPY_ALWAYS",
)
"""Members of a `dlb_maker` with which no array is usual, or an import has more to do."""

_FAST_NDIM = 8
"""`DLB_FAST_NDIM`: the axes for which an owner has room where only run time knows their number."""


def bind_fast_path(scope: Scope, tensor: Tensor, importer: MakerBinding | None) -> dict[str, Function]:
    """By the member of the `dlb_type` that names them."""
    functions = {}
    if _has_fast_description(tensor):
        functions["describe_fast"] = function(
            head=f"DLB_FLATTEN static int {scope.hook('describe_fast')}"
            "(DLTensor *tensor, int64_t *axes, void *object, dlb_otherwise *otherwise)",
            lines=(f"return dlb_describe_plain({_description(scope, tensor)}, tensor, axes, object, otherwise);",),
        )
        if importer is not None and _is_plain(scope, tensor) and _fills_only(tensor) and _has_fast_import(importer):
            arguments = f"&{importer.name}, {scope.hook('describe')}, array, readonly, box"
            functions["import_fast"] = function(
                head=f"DLB_FLATTEN static void *{scope.hook('import_fast')}"
                "(const DLTensor *array, int readonly, void *box)",
                lines=(f"return dlb_make_fast({arguments});",),
            )
    return functions


def bind_one_shot(scope: Scope, tensor: Tensor) -> OneShotBinding | None:
    """How an object is exported for once, if that can be done in one step."""
    if not _has_fast_description(tensor) or not _is_plain(scope, tensor):
        return None
    retain = "NULL" if tensor.retain is None else scope.hook("retain")
    name, deleter = "dlb_delete_one_shot", None
    if tensor.release is not None:
        name = scope.hook("delete_one_shot")
        deleter = function(
            head=f"static void {name}(DLManagedTensorVersioned *managed)",
            lines=(f"{scope.hook('release')}(dlb_end_one_shot(managed));",),
        )
    facts = f"&{scope.c_name}_type, {_description(scope, tensor)}, {retain}, {name}"
    return OneShotBinding(deleter=deleter, call=f"dlb_to_dlpack_fast({facts}, self, out, error)")


def _description(scope: Scope, tensor: Tensor) -> str:
    """What describes such an object, and the rank that it finds, if that is known."""
    rank = fixed_rank(tensor)
    return f"{scope.hook('describe')}, {-1 if rank is None else rank}"


def _has_fast_description(tensor: Tensor) -> bool:
    repeats = tensor.before_read is None and _can_repeat(tensor.require, tensor.let)
    return repeats and not _is_special(tensor) and _has_capacity(tensor)


def _can_repeat(checks: Sequence[Check], steps: Sequence[Step]) -> bool:
    """What calls the library might do something, or tell its error only once."""
    told = not any(has_call(f"{check.expr} {check.error or ''}") for check in checks)
    return told and all(isinstance(step, Let) and _is_pure(step) for step in steps)


def _is_pure(step: Let) -> bool:
    return not has_call(step.value or "") and step.ok is None and step.finally_ is None and step.undo is None


def _has_capacity(tensor: Tensor) -> bool:
    """Axes are written one after the other, whatever the rank was found to be: an owner has room for so many."""
    shapes = [shape for slots in all_slots(tensor) for shape in alternatives(slots.shape)]
    listed = [len(shape.extents) for shape in shapes if isinstance(shape, ListedShape)]
    return fixed_rank(tensor) is not None or max(listed, default=0) <= _FAST_NDIM


def _is_special(tensor: Tensor) -> bool:
    """The runtime does something around its exports, or may copy."""
    hooked = bool(tensor.acquire) or tensor.restore is not None or tensor.after_write is not None
    return hooked or tensor.copy != "never" or tensor.release_on == "creator"


def _is_plain(scope: Scope, tensor: Tensor) -> bool:
    """There is nothing to an owner of such an object but to refer to it."""
    return not scope.has_state and tensor.release_on == "any"


def _fills_only(tensor: Tensor) -> bool:
    made = tensor.import_
    if made is None or not isinstance(made.build, SetFields) or made.attach is not None or made.detach is not None:
        return False
    return _can_repeat(made.require.checks, made.let) and not any(has_call(value) for _, value in made.build.fields)


def _has_fast_import(importer: MakerBinding) -> bool:
    devices = [fact for fact in importer.facts if fact.startswith(".devices")]
    host_first = all("{ kDLCPU" in fact for fact in devices)
    return host_first and not any(fact.startswith(_UNUSUAL) for fact in importer.facts)
