"""Functions that run C code of the spec on an object: acquire, hold, release and wait."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dlpack_bindgen.arguments.requirements import Check
from dlpack_bindgen.bind.binding import Function, PartsBinding
from dlpack_bindgen.c.fragments import argument, declaration, mentions, replace_result, statements
from dlpack_bindgen.c.literals import fit
from dlpack_bindgen.c.names import snake
from dlpack_bindgen.c.quote import c_strings
from dlpack_bindgen.c.types import family
from dlpack_bindgen.slots.scope import Scope, Variables
from dlpack_bindgen.spec.spec import Action, Construct, Handle, Part, Tensor
from dlpack_bindgen.steps.flow import Flow, hook_reporter, returned, step_fragments

_STRICT = "DLB_STRICT_BEGIN"


def hooks(scope: Scope, item: Tensor | Handle) -> tuple[list[Function], list[str]]:
    """Returns the functions, and the members of the `dlb_type` that refer to them."""
    functions: list[Function] = []
    facts: list[str] = []

    def add(member: str, function: Function) -> None:
        functions.append(function)
        facts.append(f".{member} = {scope.hook(member)}")

    if any(param.value is not None for param in item.params):
        add("defaults", _defaults(scope, item))
    if isinstance(item, Tensor) and item.hold:
        add("hold", _hold(scope, item))
    if item.retain is not None:
        add("retain", ender(scope, "retain", {"retain": item.retain}))
    if item.clone is not None:
        add("clone", _clone(scope, item.clone))
    if item.release is not None:
        add("release", ender(scope, "release", {"release": item.release}))
    if item.close is not None:
        add("close", _actions(scope, "close", (item.close,), ()))
    if isinstance(item, Tensor):
        if item.acquire:
            held = [each.name for each in item.hold]
            # Requirements on held values are omitted, because `acquire` can assign these values.
            checks = [c for c in item.require if not any(mentions([c.expr, c.error], name) for name in held)]
            add("acquire", _actions(scope, "acquire", item.acquire, checks))
        if item.restore is not None:
            add("restore", ender(scope, "restore", {"restore": item.restore}))
        if item.after_write is not None:
            add("after_write", ender(scope, "after_write", {"after_write": item.after_write}))
        if item.sync is not None:
            add("sync", _actions(scope, "sync", (item.sync,), (), ("intptr_t stream",)))
        if item.to_cpu is not None:
            add("to_cpu", _actions(scope, "to_cpu", (item.to_cpu,), (), ("void *dst", "int64_t nbytes")))
    return functions, facts


def ender(scope: Scope, verb: str, fragments: Mapping[str, str]) -> Function:
    """Returns a function that runs statements of the spec, by slot, and that cannot fail."""
    lines = [f"{each}{scope.label(slot)}" for slot, text in fragments.items() for each in statements(scope.text(text))]
    return Function(
        head=f"static void {scope.hook(verb)}(void *object)",
        lines=(*printed(scope.variables([*fragments.values()])), "", *lines),
    )


def _defaults(scope: Scope, item: Tensor | Handle) -> Function:
    given = [param for param in item.params if param.value is not None]
    lines = [f"state->{param.name} = {param.value};{scope.label(f'params.{param.name}')}" for param in given]
    converts = any(fit(param.value or "", param.ctype, family(param.ctype)) != "fits" for param in given)
    return Function(
        head=f"static void {scope.hook('defaults')}(void *object)",
        lines=(f"{scope.state} *state = object;", "", *lines),
        strict=_STRICT if converts else None,
    )


def _hold(scope: Scope, tensor: Tensor) -> Function:
    flow = Flow(scope, hook_reporter(scope.full_name))
    for held in tensor.hold:
        label = scope.label(f"hold.{held.name}")
        if held.value is None:
            flow.add_lines([f"memset(&state->{held.name}, 0, sizeof state->{held.name});{label}"])
            continue
        value = scope.text(held.value)
        if value.startswith("{"):
            value = f"({held.ctype}){value}"
        flow.add_lines([f"state->{held.name} = {value};{label}"])
        if held.ok is not None:
            exit = flow.call_failed(held.value, held.error, label)
            flow.leave_unless(scope.text(replace_result(held.ok, held.name)), exit)
    fragments = [text for held in tensor.hold for text in (held.value, held.ok, held.error)]
    return _function(scope, "hold", flow, scope.variables(fragments, state_used=True), strict=_STRICT)


def _clone(scope: Scope, clone: Construct) -> Function:
    flow = Flow(scope, hook_reporter(scope.full_name))
    test = clone.ok if clone.ok is not None or scope.by_value else "% != NULL"
    place = "state->self" if test is None else declaration(scope.pointer, "result")
    flow.add_lines([f"{place} = {scope.text(clone.call)};{scope.label('clone')}"])
    if test is not None:
        exit = flow.call_failed(clone.call, clone.error, scope.label("clone"))
        flow.leave_unless(scope.text(replace_result(test, "result")), exit)
        flow.add_lines(["state->self = result;"])
    return _function(scope, "clone", flow, scope.variables([clone.call, clone.ok, clone.error], state_used=True))


def _actions(
    scope: Scope, slot: str, actions: Sequence[Action], checks: Sequence[Check], parameters: tuple[str, ...] = ()
) -> Function:
    flow = Flow(scope, hook_reporter(scope.full_name))
    for check in checks:
        flow.refuse_unless(check, "require")
    for action in actions:
        flow.call(action, slot)
    fragments = step_fragments([*checks, *actions])
    names = [parameter.split()[-1].lstrip("*") for parameter in parameters]
    unused = tuple(name for name in names if not mentions(fragments, name))
    return _function(scope, slot, flow, scope.variables(fragments), parameters, unused)


def _function(
    scope: Scope,
    slot: str,
    flow: Flow,
    variables: Variables,
    parameters: tuple[str, ...] = (),
    unused: tuple[str, ...] = (),
    strict: str | None = None,
) -> Function:
    unused = (*variables.unused, *unused, *(() if flow.can_fail else ("error",)))
    return Function(
        head=f"static int {scope.hook(slot)}({', '.join(('void *object', *parameters, 'dlb_error *error'))})",
        variables=Variables(variables.declared, unused),
        body=flow.body(returned("0")),
        strict=strict,
    )


def printed(variables: Variables) -> list[str]:
    """Prints variables, for functions that have no template yet."""
    lines = [f"{each.declaration} = {each.value};{each.label}" for each in variables.declared]
    return [*lines, *(f"(void){name};" for name in variables.unused)]


def bind_parts(scope: Scope, part: Part, of: str, condition: str | None) -> PartsBinding:
    """Binds the tuple of parts. `of` is the C name of their tensor, which exists under `condition`."""
    name = scope.hook(f"count_{part.name}")
    return PartsBinding(
        name=part.name,
        facts=f"{scope.c_name}_parts_{part.name}",
        count=Function(
            head=f"static dlb_integer {name}(void *object)",
            lines=(
                *printed(scope.variables([part.count])),
                "",
                f"return DLB_INTEGER({argument(scope.text(part.count))});{scope.label(f'parts.{part.name}.count')}",
            ),
        ),
        count_name=name,
        of=of,
        class_name=part.of,
        doc=c_strings(f"The {snake(part.of).replace('_', ' ')}s of this object, as a tuple of {part.of}."),
        condition=condition,
    )
