"""Rules for the key `stream` of functions: an array can be on a device, and the stream is known before the arrays."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.c import ctext
from dlpack_bindgen.c.usage import mentions
from dlpack_bindgen.diagnostics import Diagnostic, Span
from dlpack_bindgen.dlpack import WITHOUT_STREAMS
from dlpack_bindgen.language.functions import FunctionFields
from dlpack_bindgen.slots.slots import BY_NAME
from dlpack_bindgen.spec.functions import Argument
from dlpack_bindgen.validate.arms import matches, slot_values
from dlpack_bindgen.validate.functions.calls import Call
from dlpack_bindgen.validate.structure import Report


def check(function: FunctionFields, call: Call, report: Report) -> None:
    """Reports a stream that no array uses, or that depends on values that are not known yet."""
    if function.stream is None or None in call.arguments:
        return
    text, span = function.stream.text, function.stream.span
    if not any(_may_be_on_device(call, each) for each in call.from_python()):
        message = f"'stream' is never used: no argument of '{call.prototype.name}' is an array on a device with streams"
        hint = "declare the device of an array, such as 'require: [{device: cuda}]' in its entry of 'args'"
        report(Diagnostic("never-called", span, message, hint))
    for problem in _too_early(call, text, span):
        report(problem)


def _may_be_on_device(call: Call, argument: Argument) -> bool:
    """Returns whether Python can pass an array on a device with streams, which the runtime gets from its producer."""
    kind = argument.kind
    if kind.is_array:
        return kind.require.devices is None or not WITHOUT_STREAMS.issuperset(kind.require.devices)
    of = call.names.classes.get(kind.class_name or "")
    if of is None or not of.imports or kind.needs_own:
        return False
    values = slot_values(of.fields, matches(of.fields), "device")
    return any(BY_NAME["device"].identity(value) not in WITHOUT_STREAMS for value in values)


def _too_early(call: Call, text: str, span: Span) -> Iterator[Diagnostic]:
    """Yields the values in the expression that are known only after the arrays are there."""
    if mentions(text, "result") and call.find("result") is None:
        message = "'result' is not known yet: the stream is needed before the call"
        yield Diagnostic("stream-too-early", span, message)
    for argument in call.sound():
        if mentions(text, argument.name) and (why := _why_too_early(call, argument)):
            message = f"'{argument.name}' {why}: the producers get the stream before that"
            hint = "use a number, a handle, or the object of the method"
            yield Diagnostic("stream-too-early", span, message, hint)


def _why_too_early(call: Call, argument: Argument) -> str | None:
    """Returns why the value is not known before the arrays of the call, or None if it is."""
    kind = argument.kind
    if kind.is_operand:
        of = call.class_of(argument)
        is_receiver = call.self_index is not None and call.arguments[call.self_index] is argument
        if kind.is_list or of is None:
            return "is read together with the arrays"
        if kind.new_output is not None:
            return "may be a new output, which is allocated after the arrays are read"
        if of.imports and not kind.needs_own and not is_receiver:
            return f"may be an array, from which a '{of.name.text}' is made"
        return None
    if not kind.is_read_early or kind.takes:
        return "is known only after the arrays are read"
    if kind.default is not None and any(ctext.mentions(kind.default, each.name) for each in call.sound()):
        return "has a default value that is known only after the arrays are read"
    return None
