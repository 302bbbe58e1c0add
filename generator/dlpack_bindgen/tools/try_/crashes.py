"""Crashes: calls that end the process by a wrong access or a signal, the values that cause it, and calls that always
fail."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dlpack_bindgen.calls.argument_kind import Argument
from dlpack_bindgen.calls.call import Call
from dlpack_bindgen.tensor.item import Tensor
from dlpack_bindgen.text.types import BYTES
from dlpack_bindgen.tools.try_.arrays import larger_prototype, shape_of_argument, without_exchange
from dlpack_bindgen.tools.try_.claims import NEW, Subject
from dlpack_bindgen.tools.try_.findings import NOTICE, Finding, Specs, in_symbol, symbol_of
from dlpack_bindgen.tools.try_.lifetimes import keeping_owner, objects_in, returned_object
from dlpack_bindgen.tools.try_.remedies import Remedy, change, in_args
from dlpack_bindgen.tools.try_.rounds import Event

_FIRST_PAGE = 4096
"""An access below this address is one by NULL."""


def bad_access(specs: Specs, event: Event) -> Finding:
    subject = _caller(specs, event)
    if (out := _output_on_stack(event, subject)) is not None:
        return _beyond_stack(specs, event, subject, out)
    if (missing := _null(specs, event, subject)) is not None:
        return missing
    if (freed := _part_of_freed(specs, event, subject)) is not None:
        return freed
    kind = str(event.get("kind", "")).replace("-", " ")
    return _values(specs, event, subject, f"C leaves its memory ({kind})", f"in {symbol_of(event)}")


def ended_by_signal(specs: Specs, event: Event) -> Finding:
    subject = _caller(specs, event)
    return _values(specs, event, subject, f"C ends the process with {event['signal']}", f"in {symbol_of(event)}")


def memcheck_error(specs: Specs, event: Event) -> Finding:
    subject = specs.function(event.get("in") or event.get("function"))
    return _values(
        specs, event, subject, f"memcheck reports an error ({event.get('kind', '')})", f"in {symbol_of(event)}"
    )


def never_returned(specs: Specs, target: str, raised: int, last: str) -> Finding:
    """Returns the notice about a target of which each call raised an exception."""
    of, _, member = target.partition(".")
    subject = specs.target({"target": target})
    key = {"from_dlpack": "import", "empty": "allocate"}.get(member, "")
    place = specs.place(subject, key) if subject is not None and key else None
    sentence = f"{member or of}() never returned"
    event = {"check": "never-returned", "count": raised}
    remedies = [Remedy("compare what it needs with the spec; a test can call it (--with)")]
    return specs.about(event, "values", subject, sentence, last, remedies, key=key, place=place, state=NOTICE)


def _caller(specs: Specs, event: Event) -> Subject | None:
    """Returns the function that ran, or the last generated call."""
    return specs.function(event.get("in")) or specs.maker(event.get("in", "")) or specs.target(event)


# ---- Accesses of a known kind ----


def _null(specs: Specs, event: Event, subject: Subject | None) -> Finding | None:
    """Returns the finding of an access by NULL in a function with optional pointers."""
    address = str(event.get("address") or "")
    is_null = address.startswith("0x") and int(address, 16) < _FIRST_PAGE
    call = subject.call if subject is not None else None
    names = [each.name for each in call.from_python() if each.kind.optional] if call is not None else []
    if not is_null or not names:
        return None
    remedies = [Remedy(f"remove `optional: true` of `{each}`, if C needs it") for each in names]
    argument = names[0] if len(names) == 1 else ""
    sentence = f"C uses {'it' if argument else 'an optional argument'}, although it is NULL"
    evidence = f"in {symbol_of(event)}"
    return specs.about(event, "values", subject, sentence, evidence, remedies, argument=argument, key="optional")


def _part_of_freed(specs: Specs, event: Event, subject: Subject | None) -> Finding | None:
    """Returns the finding of an object that uses freed memory of the library, if a function made the object from
    another object and does not keep that one alive."""
    if event.get("kind") != "heap-use-after-free" or subject is None or subject.item is None or not subject.receiver:
        return None
    of = specs.class_named(subject.item.name)
    for maker in specs.functions.values():
        value = returned_object(maker, of)[1]
        if of is None or value is None or value.of != of.name or value.borrow is not None or value.keeps:
            continue
        owners = [each for each in objects_in(maker) if each not in objects_in(maker, of.name)]
        if owners:
            remedies = keeping_owner(maker, of, owners)[1]
            sentence = f"its {of.name} uses freed memory, probably of `{owners[0]}`"
            evidence = f"{subject.name} uses it{in_symbol(event)}"
            return specs.about(event, "values", maker, sentence, evidence, remedies, key="keeps")
    return None


def _output_on_stack(event: Event, subject: Subject | None) -> Argument | None:
    """Returns the output on the stack of the wrapper beside which C wrote: the variable that AddressSanitizer
    names, or the only one of fixed size."""
    if event.get("kind") != "stack-buffer-overflow" or subject is None or subject.call is None:
        return None
    outputs = [each for each in subject.call.arguments if each.kind.returned is not None]
    named = [each for each in outputs if each.name == event.get("variable")]
    sized = [each for each in outputs if each.ctype.length]
    found = named or (sized if not event.get("variable") else [])
    return found[0] if len(found) == 1 else None


def _beyond_stack(specs: Specs, event: Event, subject: Subject | None, argument: Argument) -> Finding:
    ctype, name = argument.ctype, argument.name
    if ctype.length:
        size = f"its {ctype.length} {'bytes' if ctype.base in BYTES else 'elements'}"
        remedies = [larger_prototype(argument)]
    else:
        inner = f"{ctype.base}{' ' + '*' * (ctype.depth - 1) if ctype.depth > 1 else ''}"
        size = f"one `{inner}`"
        remedies = [
            Remedy(f"args: {{{name}: {{require: [{{shape: [...]}}], default: new}}}}, if C fills an array"),
            Remedy(f"c: a prototype with the type of `{name}`, or with a length: `{name}[...]`"),
        ]
    sentence = f"C writes beyond the end of {size}"
    evidence = f"in {symbol_of(event)}"
    key = "c" if ctype.length else "out"
    return specs.about(event, "within", subject, sentence, evidence, remedies, argument=name, key=key)


# ---- Values with which a call failed ----


def _values(specs: Specs, event: Event, subject: Subject | None, sentence: str, evidence: str) -> Finding:
    call = subject.call if subject is not None else None
    numbers = _numbers(call)
    argument = numbers[0] if len(numbers) == 1 else ""
    remedies = _bounds(specs, subject, numbers, {})
    return specs.about(
        event,
        "values",
        subject,
        sentence,
        evidence,
        remedies or [Remedy("a `require` for the values that C accepts")],
        argument=argument,
        key="require",
    )


def with_steps(specs: Specs, finding: Finding, steps: Sequence[Event]) -> Finding:
    """Returns a finding about values with remedies for the values of the last step."""
    last = steps[-1] if steps else {}
    subject = specs.named(finding.subject.removesuffix(f".{NEW}"))
    if finding.check == "beyond" and subject is not None and subject.call is not None:
        return without_exchange(finding, subject.call, steps)
    if subject is None or subject.call is None or finding.key != "require" or last.get("target") is None:
        return finding
    values = last.get("args", {})
    empty = [name for name, value in values.items() if 0 in shape_of_argument(value, steps)]
    conditions = [each for name in empty for each in _conditions_of_elements(specs, subject, name)]
    if conditions:
        expression = " && ".join(dict.fromkeys(conditions))
        remedy = change("require", f"[{{expr: {expression}, message: there are no elements}}]")
        argument = empty[0] if len(empty) == 1 else ""
        evidence = f"{finding.evidence}; the array has no elements"
        return replace(finding, argument=argument, remedies=(remedy,), evidence=evidence)
    numbers = [finding.argument] if finding.argument in values else _numbers(subject.call)
    if not numbers and (setter := _setter(specs, finding, last, steps)) is not None:
        return setter
    remedies = _bounds(specs, subject, numbers, values)
    return replace(finding, remedies=tuple(remedies)) if remedies else finding


def _bounds(specs: Specs, subject: Subject | None, numbers: Sequence[str], values: Mapping[str, Any]) -> list[Remedy]:
    """Returns requirements that exclude the values with which a call failed."""
    call = subject.call if subject is not None else None
    if call is None:
        return []
    found = [in_args(name, enum) for name in numbers for enum in _enums(specs, name)]
    for name in numbers:
        value = values.get(name)
        if type(value) is int and value <= 0:
            found.append(change("require", f"[{{expr: {name} {'>' if value == 0 else '>='} 0}}]"))
        else:
            found.append(Remedy(f"require: [{{expr: {name} >= 0 && {name} < ...}}]"))
    arrays = [each.name for each in call.arguments if each.kind.is_array]
    return [*found, *(Remedy(f"args: {{{name}: {{require: ...}}}}") for name in arrays)]


def _enums(specs: Specs, name: str) -> Iterator[str]:
    """Yields the enumerations that arguments with a name have in other functions."""
    calls = [each.call for each in specs.functions.values() if each.call is not None]
    named = [each.kind for call in calls for each in call.arguments if each.name == name]
    values = [each.returned_value() for each in named if each.call_value == "enum"]
    yield from dict.fromkeys(each.of for each in values if each is not None and each.of is not None)


def _conditions_of_elements(specs: Specs, subject: Subject, name: str) -> list[str]:
    """Returns the conditions in C for an array or an object that has elements."""
    argument = subject.argument(name)
    if argument is None or subject.call is None:
        return []
    lengths = [each for each in subject.call.derived if each.measure.of == name and each.measure.is_length]
    if lengths:
        return [f"{each.argument.name} > 0" for each in lengths]
    of = specs.class_named(argument.kind.object_class)
    slots = of.item.slots if of is not None and isinstance(of.item, Tensor) else None
    extents = [str(each) for each in getattr(slots.shape, "extents", None) or ()] if slots is not None else []
    return [f"{re.sub(r'^self->', f'{name}->', each)} > 0" for each in extents if re.fullmatch(r"self->\w+", each)]


def _setter(specs: Specs, finding: Finding, last: Event, steps: Sequence[Event]) -> Finding | None:
    """Returns the finding at the setter of an object that accepted a value with which a later call failed."""
    before = [each for each in steps[:-1] if each.get("kind") == "setter" and each.get("self") == last.get("self")]
    name = str(before[-1]["target"]).removesuffix("=") if before else ""
    setter = specs.named(name)
    if setter is None or setter.item is None:
        return None
    key = name.partition(".")[2]
    place = specs.place(replace(setter, call=None), "properties", key, "set")
    remedies = (
        Remedy("set: a C function that refuses wrong values"),
        Remedy(f"a test of `{key}` in C, in each function that uses it"),
    )
    sentence = f"it accepts a value with which {finding.subject} leaves the memory of C"
    return replace(finding, subject=name, label=name, place=place, key="set", sentence=sentence, remedies=remedies)


def _numbers(call: Call | None) -> list[str]:
    """Returns the numbers that Python passes: only integers, if there are any."""
    numbers = [each for each in call.from_python() if each.kind.is_number] if call is not None else []
    return [each.name for each in numbers if each.kind.is_integer] or [each.name for each in numbers]
