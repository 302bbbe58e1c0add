"""Rules for the release of objects: once per object, and never with free() for memory of the generated module."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from dlpack_bindgen.calls.call import Call
from dlpack_bindgen.calls.failures import FINALLY
from dlpack_bindgen.calls.spec_names import Names
from dlpack_bindgen.classes.methods_and_properties import NEW, NEW_STRUCT
from dlpack_bindgen.language.values import Leaf, c_fragments, is_record, text_of
from dlpack_bindgen.tensor.import_calls import DESTROY
from dlpack_bindgen.tensor.import_rules import frees_self
from dlpack_bindgen.tensor.imports import ALLOCATE_OF_TENSOR, IMPORT_OF_CLASS
from dlpack_bindgen.tensor.item import RELEASES_NOTHING
from dlpack_bindgen.tensor.lifetime_hooks import RELEASE, RETAIN
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report, Span
from dlpack_bindgen.text.names import suggests
from dlpack_bindgen.text.types import CType


def check_double_frees(call: Call, report: Report) -> None:
    """Reports functions, code and classes that would free an object twice, or memory that they do not own."""
    _released(call, report)
    _ended(call, report)
    _freed(call, report)
    _strings_freed(call, report)


def check_mixed_memory(calls: Sequence[Call], known: Names, report: Report) -> None:
    """Reports classes whose `release` would get both objects in memory of their owner and objects of the library."""
    filled: dict[str | None, list[Span]] = defaultdict(list)
    given: dict[str | None, list[Span]] = defaultdict(list)
    for call in calls:
        for found, returned in ((filled, _filled(call)), (given, _given(call))):
            for span, of in returned:
                found[of].append(span)
    for name, owner in known.classes.items():
        end = text_of(owner.fields[RELEASE])
        if owner.by_value or end is None or end == RELEASES_NOTHING or frees_self(end):
            continue
        if is_record(new := owner.fields[NEW], NEW_STRUCT):
            filled[name].append(new.span)
        for making in filter(None, (owner.fields[ALLOCATE_OF_TENSOR], owner.fields[IMPORT_OF_CLASS])):
            for key, found in (("init", filled), ("construct", given)):
                if key in making.given and DESTROY not in making:
                    found[name].append(making.given[key])
        for span in filled[name] if given[name] else ():
            message = (
                f"this '{name}' lies in memory of its owner, others belong to the library: 'release' cannot free both"
            )
            hint = f"let C return a new '{owner.type} *', or Python give one to fill; declare 'borrow' if C keeps it"
            notes = (Note(given[name][0], "this one is the library's"),)
            report(Diagnostic("frees-our-memory", span, message, hint, notes, cause=name))


def _filled(call: Call) -> Iterator[tuple[Span, str | None]]:
    """Yields the objects that the library fills in memory of their owner, or returns by value."""
    return _returned(call, 0)


def _given(call: Call) -> Iterator[tuple[Span, str | None]]:
    """Yields the objects that the library allocates and returns."""
    return _returned(call, 1)


def _returned(call: Call, depth: int) -> Iterator[tuple[Span, str | None]]:
    """Yields the objects that the caller owns, with their classes. `depth`: number of `*` of the returned type."""
    for each, argument in call.pairs:
        out, is_owned = argument.kind.returned, argument.ctype.depth == depth + 1
        if is_owned and out is not None and out.kind.is_object and out.borrow is None:
            yield each.span, out.of
    if call.read_result is not None and call.prototype.result.depth == depth and call.read_result.borrow is None:
        yield call.place, call.read_result.of


def _released(call: Call, report: Report) -> None:
    """Reports functions that `release` or `close` calls as well: the object would be freed twice."""
    for each, argument in call.pairs:
        of = argument.kind.object_class
        for key, leaf in _ends(call.names, of) if of is not None and not argument.kind.takes else ():
            if any(token.text == call.prototype.name for token in ctext.tokens(leaf.text)):
                message = f"the '{key}' of '{of}' calls '{call.prototype.name}' as well: a double free"
                hint = f"args: {{{argument.name}: {{takes: true}}}}; or leave it to close()"
                notes = (Note(leaf.span, "there"),)
                report(Diagnostic("released-twice", each.span, message, hint, notes))
                break


def _ended(call: Call, report: Report) -> None:
    """Reports `finally` and `undo` that free an object which Python or the library still owns."""
    for key, theirs in (("finally", _given_away(call)), ("undo", {})):
        for _, leaf in c_fragments(call.fields.values[key]) if key in call.fields.values else ():
            for name, (of, why) in {**theirs, **_of_python(call)}.items():
                ends = {called for _, end in _ends(call.names, of) for called, *_ in _calls(end.text)} if of else set()
                for called, first, alone in _calls(leaf.text):
                    is_end = called == "free" if of else suggests(called, "function that frees")
                    if first == name and (called in ends or (alone and is_end)):
                        message = f"'{name}' {why}, and '{called}' frees it"
                        report(Diagnostic("released-twice", leaf.span, message, f"leave that out of '{key}'"))


def _given_away(call: Call) -> dict[str, tuple[str | None, str]]:
    """Returns the outputs that Python gets or the library keeps. Each has its class, or None, and the reason for
    messages."""
    found: dict[str, tuple[str | None, str]] = {}
    for name, value in call.outputs():
        if name not in call.returned:
            continue
        if value.kind.is_object:
            why = f"becomes a Python object, a '{value.of}'" if value.borrow is None else "stays the library's"
            found[name] = (value.of, why)
        elif value.kind.is_array and value.borrow is not None:
            found[name] = (None, "stays the library's")
    return found


def _of_python(call: Call) -> dict[str, tuple[str | None, str]]:
    """Returns the objects and arrays that Python owns, without reference-counted ones: the call may have taken a
    reference."""
    found: dict[str, tuple[str | None, str]] = {}
    for each in call.arguments:
        if (of := each.kind.object_class) is not None:
            if not each.kind.takes and RETAIN not in call.names.classes[of].fields:
                found[each.name] = (of, f"is a Python object, a '{of}'")
        elif each.kind.takes:
            found[each.name] = (None, "is taken over")
        elif each.kind.is_pointer:
            found[each.name] = (None, "is memory that Python owns")
    return found


def _calls(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yields each called function, the name that is its first argument, and whether it is the only argument. Casts and
    `&` are skipped: `free((void *)x)`, `end(&x)`."""
    seen = ctext.tokens(text)
    for index, token in enumerate(seen[:-1]):
        if token.kind != "name" or seen[index + 1].text != "(":
            continue
        place = index + 2
        while place < len(seen) and seen[place].text in ("(", "&"):
            place = place + 1 if seen[place].text == "&" else ctext.behind_operand(seen, place)
        if place + 1 < len(seen) and seen[place].kind == "name" and seen[place + 1].text in (")", ","):
            yield token.text, seen[place].text, seen[place + 1].text == ")"


def _ends(known: Names, of: str) -> list[tuple[str, Leaf]]:
    values = known.classes[of].fields.values
    return [(key, leaf) for key in ("release", "close") if key in values for _, leaf in c_fragments(values[key])]


def _freed(call: Call, report: Report) -> None:
    for span, of in _filled(call):
        owner = call.names.classes.get(of or "")
        if owner is None or owner.by_value:
            continue
        end = next((leaf for _, leaf in _ends(call.names, owner.name.text) if frees_self(leaf.text)), None)
        if end is not None:
            message = f"this '{of}' lies in memory of its owner, which free() does not know"
            notes = (Note(end.span, "this frees it"),)
            hint = "free the content of the object, not the object; '(void)self' if there is nothing in it"
            report(Diagnostic("frees-our-memory", span, message, hint, notes, cause=of))


def _strings_freed(call: Call, report: Report) -> None:
    """Reports a `finally` that frees a `const char *`, which the caller rarely owns. The C compiler only warns."""
    ending = call.fields[FINALLY]
    types = {"result": call.prototype.result}
    types |= {each.name: CType(each.ctype.base, each.ctype.pointers[:-1]) for each in call.arguments}
    for name, ctype in [(name, types[name]) for name, value in call.outputs() if value.kind.is_string]:
        if ending is not None and ctype.reads and re.search(rf"\bfree\(\s*{name}\s*\)", ending.text):
            message = (
                "the owner of this string is not declared: the caller seldom owns a 'const' string, and this frees it"
            )
            hint = f"leave that out; if it is, write 'free((char *){name})'"
            report(Diagnostic("result-owner", ending.span, message, hint))
