"""Leaks: memory that nothing refers to at the end of a process, and the key that should free it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from dlpack_bindgen.calls.argument_kind import Argument
from dlpack_bindgen.calls.call import Call
from dlpack_bindgen.calls.result_kind import Value
from dlpack_bindgen.tensor.item import RELEASES_NOTHING
from dlpack_bindgen.tools.try_.claims import NEW, Subject
from dlpack_bindgen.tools.try_.findings import Finding, Specs, bytes_of
from dlpack_bindgen.tools.try_.lifetimes import holder, objects_in, releasing, returned_object
from dlpack_bindgen.tools.try_.remedies import Remedy, change
from dlpack_bindgen.tools.try_.rounds import Event, Leak


def leaked(
    specs: Specs,
    leak: Leak,
    returned: Sequence[Event] = (),
    released: Collection[str] = (),
    calls: Mapping[str, tuple[int, int]] | None = None,
) -> Finding:
    """Returns the finding of a leak. `returned`: the functions that returned an argument, which is still there;
    `released`: the classes of which `release` has freed objects; `calls`: how often each wrapper returned, and how
    often it failed."""
    subject = specs.function(leak.function)
    if subject is None:
        return _leak_of_class(specs, leak)
    call = subject.call
    if (counted := _leak_of_counted(specs, leak, subject, returned)) is not None:
        return counted
    each = leak.size // max(leak.blocks, 1)
    evidence = f"nothing refers to {leak.blocks} blocks from {' < '.join(leak.frames[:3])}"
    event = {"check": "leak", "count": leak.blocks}
    name, value = returned_object(subject, None)
    of = specs.class_named(value.of) if value is not None else None
    if of is None and subject.item is not None and subject.name == f"{subject.item.name}.{NEW}":
        of = specs.class_named(subject.item.name)
    if of is not None:
        found = _leak_of_other(specs, leak, subject, of, name, value, evidence, released, calls or {})
        return found or _leak_of_object(specs, event, subject, of, each, evidence, released)
    if call is not None and not _returns_memory(call) and (of := holder(specs, call)) is not None:
        evidence += f", and {subject.name} returns none: an object of {of.name} probably had it"
        return _leak_of_release(specs, event, subject, of, f"{bytes_of(each)} of an object are never freed", evidence)
    sentence = f"{bytes_of(each)} of each call are never freed"
    return specs.about(event, "values", subject, sentence, evidence, _freeing_results(specs, subject), key="finally")


def _leak_of_counted(specs: Specs, leak: Leak, maker: Subject, returned: Sequence[Event]) -> Finding | None:
    """Returns the finding of leaked objects that a function returned a second time, with a new reference. The
    module takes the result for the argument, and releases it once."""
    for event in returned:
        of, function = specs.class_(event["class"]), specs.function(event["function"])
        if of is None or function is None or of.name not in _classes_of_result(maker):
            continue
        place = specs.place(of, "release")
        return specs.about(
            {"check": "leak", "count": leak.blocks},
            "owner",
            function,
            f"its {of.name} is an argument, to which C adds a reference: it is never freed",
            f"nothing refers to {leak.blocks} blocks from {' < '.join(leak.frames[:3])}",
            [Remedy(f"retain: the call that adds a reference, beside `release` of {of.name}")],
            key="retain",
            place=place,
        )
    return None


# ---- Objects ----


def _leak_of_other(
    specs: Specs,
    leak: Leak,
    maker: Subject,
    of: Subject,
    name: str,
    value: Value | None,
    evidence: str,
    released: Collection[str],
    calls: Mapping[str, tuple[int, int]],
) -> Finding | None:
    """Returns the finding of leaked objects that Python has not released: the spec says that the library owns
    them, or the call failed. None: `release` leaves a part of each object."""
    event = {"check": "leak", "count": leak.blocks}
    release = of.item.release if of.item is not None else None
    if value is not None and value.borrow is not None and release not in (None, RELEASES_NOTHING):
        sentence = f"its {of.name} is new, and never freed"
        return specs.about(event, "owner", maker, sentence, evidence, [_unborrow(value.borrow)], key="borrow")
    if f"{of.module}.{of.name}" not in released:
        return None
    called = [(specs.functions[each], *counts) for each, counts in calls.items() if each in specs.functions]
    for taker, returned, failed in called:
        for argument in taker.call.arguments if taker.call is not None else ():
            times = returned + (failed if argument.kind.takes_always else 0)
            if argument.kind.takes and argument.kind.object_class == of.name and leak.blocks <= times:
                return _leak_of_taken(specs, event, taker, argument, of, evidence)
    returned, failed = calls.get(leak.function, (0, 0))
    call = maker.call
    if call is not None and call.undo is None and value is not None and leak.blocks <= failed and release:
        evidence += f"; {failed} calls failed, and {returned} returned"
        sentence = f"its {of.name} is not freed in calls that fail"
        undo = re.sub(r"\bself\b", name, release)
        return specs.about(event, "values", maker, sentence, evidence, [change("undo", undo)], key="undo")
    for other, returned, _ in called:
        result = returned_object(other, of)[1]
        if result is not None and result.of == of.name and result.borrow is not None and leak.blocks <= returned:
            sentence = f"its {of.name} has a reference that nobody releases"
            evidence += f", which {other.name} returned, too"
            return specs.about(event, "owner", other, sentence, evidence, [_unborrow(result.borrow)], key="borrow")
    return None


def _leak_of_taken(
    specs: Specs, event: Event, taker: Subject, argument: Argument, of: Subject, evidence: str
) -> Finding:
    takes = "always" if argument.kind.takes_always else "true"
    remedies = [Remedy(f"remove `takes: {takes}`, if C copies the {of.name}")]
    for each in [name for name in objects_in(taker) if name != argument.name][:1]:
        words = f"`keeps: {argument.name}` of `{each}` instead of `takes`, if C only stores the pointer"
        remedies.append(Remedy(words))
    sentence = f"C does not free the {of.name} that it takes"
    name = argument.name
    return specs.about(event, "owner", taker, sentence, evidence, remedies, argument=name, key="takes")


def _leak_of_object(
    specs: Specs, event: Event, maker: Subject, of: Subject, each: int, evidence: str, released: Collection[str]
) -> Finding:
    """Returns the finding of a leak of new objects: `release` leaves them, or `close`, if the class has it."""
    item = of.item if maker.name.endswith(f".{NEW}") else None
    if item is None or item.close is None:
        sentence = f"{bytes_of(each)} of an object are never freed"
        return _leak_of_release(specs, event, maker, of, sentence, f"{evidence}, in {maker.name}")
    closing = [Remedy("a `close` that frees all of the object, because Python calls it instead of `release`")]
    if item.release is not None and item.release != item.close.do:
        closing.insert(0, change("close", f"{{do: {item.release}}}", ", as `release`"))
    remedies = [*releasing(specs, of), Remedy("a `release` that frees all of the object")]
    if f"{of.module}.{of.name}" in released:
        evidence += "; `release` has freed other objects"
        remedies = []
    place = specs.place(of, "close")
    sentence = f"{bytes_of(each)} of each object are never freed after `close`"
    return specs.about(event, "released", of, sentence, evidence, closing + remedies, key="close", place=place)


def _leak_of_release(specs: Specs, event: Event, maker: Subject, of: Subject, sentence: str, evidence: str) -> Finding:
    """Returns the finding of memory that `release` leaves. It is one for all functions that allocate memory."""
    remedies = [*releasing(specs, of), Remedy("a `release` that frees all of the object")]
    place = specs.place(of, "release")
    caller = maker.name
    return specs.about(event, "released", of, sentence, evidence, remedies, key="release", place=place, caller=caller)


def _unborrow(owner: str) -> Remedy:
    return Remedy(f"remove `borrow: {owner}`, because the caller owns the object")


def _classes_of_result(subject: Subject) -> set[str]:
    """Returns the class of the object that a function returns."""
    result = subject.call.read_result if subject.call is not None else None
    if subject.item is not None and subject.name == f"{subject.item.name}.{NEW}":
        return {subject.item.name}
    return {result.of} if result is not None and result.kind.is_object and result.of else set()


# ---- Memory of results, imports and allocations ----


def _freeing_results(specs: Specs, subject: Subject) -> list[Remedy]:
    """Returns how to free the memory that a call returns: by a function of the headers, or by free()."""
    call = subject.call
    if call is None:
        return []
    found = []
    for name, ctype, value in call.values:
        of_python = getattr(call.find(name), "kind", None)
        if name not in call.returned or not ctype.pointers or value.kind.is_object:
            continue
        if of_python is None or not of_python.capacity:
            found.append(f"{_function_that_frees(specs, subject, ctype.base)}({name})")
    if not found:
        return [Remedy("finally: the call that frees it")]
    return [change("finally", "; ".join([*([call.finally_] if call.finally_ else []), *found]))]


def _function_that_frees(specs: Specs, subject: Subject, type_: str) -> str:
    """Returns a function of the headers that frees memory of a type, or of any type if its name begins as that of
    the function that made it; else free()."""
    freeing = specs.freeing(subject)
    name = subject.call.prototype.name if subject.call is not None else ""
    begin = re.match("[a-z]+", name)
    same = freeing.get(type_.split()[-1], ())
    any_ = [each for each in freeing.get("void", ()) if begin is not None and each.startswith(begin[0])]
    return next((each for each in (*same, *any_) if each != "free"), "free")


def _returns_memory(call: Call) -> bool:
    """Returns whether Python gets a string, bytes or an array that C has allocated."""
    found = [(ctype, value) for name, ctype, value in call.values if name in call.returned]
    return any(ctype.pointers and not value.kind.is_object for ctype, value in found)


def _leak_of_class(specs: Specs, leak: Leak) -> Finding:
    """Returns the finding of a leak in an import or an allocation."""
    subject = specs.class_(leak.function) or specs.maker(leak.function)
    key = "allocate" if leak.function.endswith("_allocate") else "import"
    sentence = f"{bytes_of(leak.size // max(leak.blocks, 1))} of each new object are never freed"
    evidence = f"nothing refers to {leak.blocks} blocks from {' < '.join(leak.frames[:3])}"
    words = "destroy: the call that frees the object, but not the data"
    remedies = [Remedy(words)] if key == "import" else []
    remedies.append(Remedy(f"`finally` or `undo` in `{key}`"))
    place = specs.place(subject, key) if subject is not None else None
    event = {"check": "leak", "count": leak.blocks}
    return specs.about(event, "import", subject, sentence, evidence, remedies, key=key, place=place)
