"""Rules for arrays and new outputs whose factories have params: the call must have the values."""

from __future__ import annotations

from dlpack_bindgen.arguments.entry import EntryFields, ParameterEntry
from dlpack_bindgen.c.types import declared
from dlpack_bindgen.diagnostics import Diagnostic, Note
from dlpack_bindgen.language.values import text_of
from dlpack_bindgen.spec.functions import Argument
from dlpack_bindgen.validate.functions.calls import Call
from dlpack_bindgen.validate.functions.declared import Declared, declared_among
from dlpack_bindgen.validate.functions.factory_params import factories, missing_params
from dlpack_bindgen.validate.structure import Report


def check(call: Call, report: Report) -> None:
    for each, argument in call.pairs:
        for verb, making in factories(call, argument):
            missing = missing_params(call, argument, verb)
            if verb == "allocate" and missing:
                place = each.place(EntryFields.default)
                message = f"no new '{argument.kind.class_name}' can be made: {_why(call, argument, verb, missing[0])}"
                hint = "give the param a default, or leave 'default' out"
                note = Note(making.span, "the allocation")
                report(Diagnostic("default-made", place, message, hint, (note,)))
            elif verb == "import" and text_of(each.fields.copy) == "allowed":
                _copy(call, each, argument, missing, report)


def _copy(call: Call, each: ParameterEntry, argument: Argument, missing: list[Declared], report: Report) -> None:
    """Reports `copy` where no array is copied. `missing`: the params for which the call has no value."""
    place, of = each.place(EntryFields.copy), argument.kind.class_name or ""
    if missing:
        given = "".join(f", {param.name}=..." for param in missing)
        message = f"no array is taken here: {_why(call, argument, 'import', missing[0])}"
        hint = f"leave 'copy' out: Python gives {of}.from_dlpack(x{given})"
        report(Diagnostic("without-effect", place, message, hint))
    elif argument.kind.writes and _has_params(call, argument):
        message = f"an array becomes a '{of}' of its own, from which nothing is copied back"
        report(Diagnostic("without-effect", place, message, "leave 'copy' out: such arrays are refused"))


def _has_params(call: Call, argument: Argument) -> bool:
    return any(verb == "import" and any(declared_among(making.params)) for verb, making in factories(call, argument))


def _why(call: Call, argument: Argument, verb: str, param: Declared) -> str:
    """Returns why the call has no value for the param."""
    name, wanted = param.name, declared(param.ctype, "").strip()
    named = call.find(name)
    has = f"'{call.prototype.name}' has no parameter of that name"
    if named is not None and named is not argument:
        has = f"the parameter '{name}' is a '{declared(named.ctype, '').strip()}'"
        if named.kind.object_class is None and not named.kind.is_read_early:
            has = f"the value of the parameter '{name}' is known too late"
    return f"its '{verb}' needs the '{wanted}' '{name}', and {has}"
