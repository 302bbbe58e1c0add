"""Lifetimes: C that uses an argument after the call, moves the memory of an export, or frees what Python owns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dlpack_bindgen.calls.call import Call
from dlpack_bindgen.calls.result_kind import Value
from dlpack_bindgen.tensor.item import RELEASES_NOTHING, Tensor
from dlpack_bindgen.tools.try_.claims import NEW, Subject
from dlpack_bindgen.tools.try_.findings import Finding, Specs, bytes_of, in_symbol, shape_of, verb_of
from dlpack_bindgen.tools.try_.remedies import Remedy, change, in_args
from dlpack_bindgen.tools.try_.rounds import Event

_COPY = Remedy("copy the array in C")
_FREES = ("bad-free", "double-free")
"""The kinds of an access that frees memory."""


# ---- Arguments that C uses after the call ----


def used_later(specs: Specs, event: Event) -> Finding:
    subject, name = specs.function(event["function"]), event["argument"]
    user = specs.name_of(event.get("in"))
    earlier = subject.name if subject is not None else "a function"
    if event.get("kind") in _FREES:
        return specs.about(
            event,
            "unused-later",
            subject,
            "C frees it after the call",
            f"{user} frees memory of the array that an earlier call of {earlier} got{in_symbol(event)}",
            [in_args(name, "{takes: true}"), _COPY],
            argument=name,
            key="takes",
        )
    evidence = f"{user} {verb_of(event)} memory of the array that an earlier call of {earlier} got{in_symbol(event)}"
    return specs.about(
        event,
        "unused-later",
        subject,
        f"C {verb_of(event)} it after the call",
        evidence,
        _keeping(specs, subject, name, is_array=True),
        argument=name,
        key="keeps",
    )


def _keeping(
    specs: Specs, subject: Subject | None, name: str, is_array: bool = False, takes: bool = False
) -> list[Remedy]:
    """Returns the ways to keep an argument alive."""
    call = subject.call if subject is not None else None
    if subject is None or call is None:
        return []
    objects = [each.name for each in call.arguments if each.kind.object_class is not None and each.name != name]
    found = []
    if call.read_result is not None and call.read_result.kind.is_object:
        found.append(change("returns", f"{{of: {call.read_result.of}, keeps: {name}}}"))
    receiver = subject.receiver
    for each in [receiver] if receiver and receiver != name else objects[:1]:
        keeper = subject.argument(each)
        if keeper is not None and name in keeper.kind.keeps_alive and keeper.kind.replaces:
            words = f"remove `replaces: true` of `{each}`, because C uses the arguments of earlier calls, too"
            found.append(Remedy(words))
        found.append(in_args(each, f"{{keeps: {name}}}"))
        found.append(in_args(each, f"{{keeps: {name}, replaces: true}}", ", if a later call replaces it"))
    if is_array and specs.spec_of(subject).arrays is None and found:
        found.append(Remedy("(with `arrays: Array` at the top, the class of kept arrays)"))
    argument = subject.argument(name)
    if takes or (is_array and argument is not None and argument.ctype.pointers[-1:] == (False,)):
        found.append(in_args(name, "{takes: true}", ", if C frees it"))
    if is_array:
        found.append(_COPY)
    return found


def used_released(specs: Specs, event: Event) -> Finding:
    of, maker = specs.class_(event["class"]), specs.function(event.get("by"))
    passed = event.get("passed") or {}
    keeper = specs.function(passed.get("function"))
    user, name = specs.name_of(event.get("in")), of.name if of is not None else "object"
    evidence = f"{user} uses the {name} after its release{in_symbol(event)}"
    if keeper is not None:
        argument = passed["argument"]
        return specs.about(
            event,
            "unused-later",
            keeper,
            "C uses it after the call, when Python has released it",
            evidence,
            _keeping(specs, keeper, argument, takes=True),
            argument=argument,
            key="keeps",
        )
    return specs.about(
        event,
        "owner",
        maker,
        f"C uses its {name} after the release",
        evidence,
        borrowing(maker, of),
        key="borrow",
    )


# ---- Living exports ----


def moved(specs: Specs, event: Event) -> Finding:
    subject, of = specs.function(event["function"]), specs.class_(event["class"])
    before, after = shape_of(event["before"]), shape_of(event["after"])
    how = f"{before} -> {after}" + (", another address" if event.get("data_moved") else "")
    name, argument = of.name if of is not None else "an object", _argument_of(subject, of)
    return specs.about(
        event,
        "place",
        subject,
        f"it moved the memory of a living export of {name}",
        how,
        _invalidating(subject, argument),
        argument=argument,
        key="invalidates",
    )


def freed_export(specs: Specs, event: Event) -> Finding:
    subject, of = specs.function(event.get("function") or event.get("in")), specs.class_(event["class"])
    name, argument = of.name if of is not None else "an object", _argument_of(subject, of)
    passed = event.get("passed") or {}
    taker = specs.function(passed.get("function"))
    if event.get("freed") and taker is not None:  # the object is freed, too
        return freed_before_release(specs, event)
    released = specs.class_(event.get("released"))
    if subject is None and released is not None:
        return _freed_by_release(specs, event, of, released)
    remedies = _invalidating(subject, argument)
    if argument and argument != (subject.receiver if subject else ""):
        remedies.append(in_args(argument, "{takes: always}", ", if C frees it"))
    if event.get("by"):
        remedies += borrowing(specs.function(event["by"]), of, indirectly=True)
    key = "invalidates" if argument else "borrow"
    return specs.about(
        event,
        "place",
        subject,
        f"it freed the memory of a living export of {name}",
        "",
        remedies,
        argument=argument,
        key=key,
    )


def _freed_by_release(specs: Specs, event: Event, of: Subject | None, released: Subject) -> Finding:
    """Returns the finding of an export whose memory a release freed, of another object than the exported one: the
    function that made the exported object must keep the other one, or a later function has changed the memory."""
    name = of.name if of is not None else "an object"
    maker = specs.function(event.get("by"))
    passed = event.get("passed") or {}
    last = specs.function(passed.get("function"))
    owners = objects_in(maker, released.name)
    if not owners and last is not None:
        argument = _parameter(last, passed["argument"])
        return specs.about(
            event,
            "place",
            last,
            f"after it, a release of {released.name} freed the memory of a living export of {name}",
            f"{last.name} was the last function that got the {name}, as `{argument}`",
            _invalidating(last, argument),
            argument=argument,
            key="invalidates",
        )
    key, remedies = keeping_owner(maker, of, owners)
    words = f"an argument for the {released.name} that has the memory, which the result `keeps`"
    remedies = remedies or [Remedy(words)]
    sentence = f"a release of {released.name} freed the memory of its {name}, which still has an export"
    return specs.about(event, "place", maker, sentence, "", remedies, key=key)


def _argument_of(subject: Subject | None, of: Subject | None) -> str:
    """Returns the argument of a class."""
    if subject is None or subject.call is None or of is None:
        return ""
    names = [each.name for each in subject.call.arguments if each.kind.object_class == of.name]
    receiver = subject.receiver
    return receiver if receiver in names else names[0] if names else receiver or ""


def _invalidating(subject: Subject | None, argument: str) -> list[Remedy]:
    if argument:
        words = "give new memory in C, and leave the old one alone"
        return [in_args(argument, "{invalidates: true}"), Remedy(words)]
    return [Remedy("give the function an argument for the object, with `invalidates: true`")]


# ---- Owners ----


def second_owner(specs: Specs, event: Event) -> Finding:
    subject, of = specs.function(event.get("function") or event.get("in")), specs.class_(event["class"])
    name = of.name if of is not None else "object"
    evidence = f"{specs.name_of(event.get('by'))} made the first owner; both would free it"
    return specs.about(
        event,
        "owner",
        subject,
        f"its {name} already has an owner",
        evidence,
        borrowing(subject, of),
        key="borrow",
    )


def freed_before_release(specs: Specs, event: Event) -> Finding:
    of, maker = specs.class_(event["class"]), specs.function(event.get("by"))
    passed = event.get("passed") or {}
    taker = specs.function(passed.get("function"))
    name = of.name if of is not None else "object"
    if taker is not None and _may_free(taker, passed["argument"]):
        argument = _parameter(taker, passed["argument"])
        if event.get("freed"):
            remedies = _taking(event, argument)
            evidence = f"{taker.name} got it as `{argument}`, and freed it before Python did"
        else:
            remedies = [in_args(argument, "{takes: always}")]
            evidence = f"{taker.name} got it as `{argument}`, and somebody freed it before Python did"
        if not event.get("freed") or (maker is not None and not maker.name.endswith(f".{NEW}")):
            remedies += borrowing(maker, of, indirectly=True)
        return specs.about(
            event,
            "owner",
            taker,
            f"C frees the {name} that Python owns",
            evidence,
            remedies,
            argument=argument,
            key="takes",
        )
    result = returned_object(maker, of)[1]
    is_borrowed = result is not None and result.borrow is not None
    return specs.about(
        event,
        "owner",
        maker,
        f"its {name} is freed while Python uses it" if is_borrowed else f"C frees the {name} that Python owns",
        f"`{result.borrow}` does not own it" if is_borrowed and result else "somebody freed it before Python did",
        borrowing(maker, of),
        key="borrow",
    )


def _may_free(subject: Subject, argument: str) -> bool:
    """Returns whether a function can free an argument. A property only reads its object."""
    found = subject.argument(argument)
    return subject.call is not None and (found is None or not found.ctype.reads)


def _parameter(subject: Subject, argument: str) -> str:
    """Returns the name of an argument in the spec. The checks call the object of a method `self`."""
    return subject.receiver or argument if argument == "self" else argument


def _taking(event: Event, argument: str) -> list[Remedy]:
    """Returns how to say that a call frees an object: `always`, if it has done that although it failed."""
    if event.get("failed"):
        return [in_args(argument, "{takes: always}", ", because C frees it after a failure, too")]
    return [in_args(argument, "{takes: true}")]


def release_other_owner(specs: Specs, event: Event) -> Finding:
    of, maker = specs.class_(event["class"]), specs.function(event.get("by"))
    name = of.name if of is not None else "object"
    who = specs.name_of(event.get("by"))
    evidence = f"a release freed a {name} that another owner still has: {who} returned it without a new reference"
    return specs.about(
        event,
        "owner",
        maker,
        f"the caller does not own its {name}",
        evidence,
        borrowing(maker, of),
        key="borrow",
    )


# ---- Release, and imports ----


def release_left_data(specs: Specs, event: Event) -> Finding:
    of = specs.class_(event["class"])
    place = specs.place(of, "release") if of is not None else None
    sentence = f"it freed the struct, and not the {bytes_of(event['bytes'])} of `data`"
    remedies = [*releasing(specs, of), Remedy("the function of the library that frees the whole object")]
    return specs.about(event, "released", of, sentence, "", remedies, key="release", place=place)


def import_freed(specs: Specs, event: Event) -> Finding:
    of = specs.class_(event["class"])
    place = specs.place(of, "import") if of is not None else None
    tensor = of.item if of is not None else None
    data = tensor.slots.data if isinstance(tensor, Tensor) else None
    remedies = [Remedy("destroy: a function that does not free the elements")]
    if isinstance(data, str) and data.startswith("self"):
        remedies.insert(0, change("detach", f"{data} = NULL", where=("import",)))
    sentence = "`destroy` (by default `release`) freed the memory of the foreign array"
    if event.get("in") and not event.get("releasing", 1):
        sentence = f"{specs.name_of(event['in'])} freed the memory of the foreign array"
        remedies = [Remedy("import: memory of the library, with a copy of the elements")]
    return specs.about(
        event,
        "import",
        of,
        sentence,
        "",
        remedies,
        key="detach",
        place=place,
    )


def releasing(specs: Specs, of: Subject | None) -> Iterator[Remedy]:
    """Yields calls that may free the whole object."""
    if of is not None and of.item is not None:
        for name in specs.freeing(of).get(of.item.type.removeprefix("struct "), ()):
            if name not in (of.item.release or ""):
                yield change("release", f"{name}(self)")


# ---- Objects that a function returns ----


def borrowing(
    subject: Subject | None,
    of: Subject | None,
    owners: Sequence[str] = (),
    indirectly: bool = False,
    after: str = "",
) -> list[Remedy]:
    """Returns the ways to say that a function returns an object of another owner: of one of `owners`, or else of
    any of its arguments. `indirectly`: the finding is one of another function; `after`: the words behind them."""
    call = subject.call if subject is not None else None
    if subject is None or call is None or (subject.item is not None and subject.name.endswith(f".{NEW}")):
        return []
    name, value = returned_object(subject, of)
    others = [each for each in objects_in(subject) if value is None or each != value.borrow]
    if not owners:
        owners = others if value is not None and value.borrow is not None else others[:1]
    if not owners and value is not None and value.borrow is not None:
        return []
    where = subject.name if indirectly else ""
    found = [_of_returned(name, of, f"borrow: {each}", after, where) for each in owners or ("static",)]
    if name == "result" and of is not None and any(each.kind.object_class == of.name for each in call.arguments):
        found.append(change("returns", "None", f", if it is the same object{after}", of=where))
    return found


def keeping_owner(maker: Subject | None, of: Subject | None, owners: Sequence[str]) -> tuple[str, list[Remedy]]:
    """Returns the key and the ways to keep the owner of the memory of a returned object alive."""
    name, value = returned_object(maker, of)
    keeping = [_of_returned(name, of, f"keeps: {each}") for each in owners]
    by_value = maker is not None and maker.call is not None and not maker.call.prototype.result.pointers
    if name == "result" and by_value:  # Python has a copy of the struct
        return "keeps", keeping
    is_new = of is not None and of.item is not None and of.item.release not in (None, RELEASES_NOTHING)
    if value is None or value.borrow is not None or not is_new:
        return "borrow", borrowing(maker, of, owners)
    return "keeps", [*keeping, *borrowing(maker, of, owners, after=", if C frees the object")]


def returns_part(specs: Specs, maker: Subject) -> bool:
    """Returns whether a function returns an object that Python does not own, and that can be a part of another."""
    result = maker.call.read_result if maker.call is not None else None
    is_object = result is not None and result.kind.is_object and result.borrow is not None
    return is_object and maker.call is not None and holder(specs, maker.call) is not None


def holder(specs: Specs, call: Call) -> Subject | None:
    """Returns the class of an object that the function got and that can keep memory: one with a `release`."""
    own = call.own_object
    arguments = [*([own] if own is not None else []), *call.arguments]
    names = [each.kind.object_class for each in arguments if each.kind.object_class is not None]
    found = map(specs.class_named, names)
    return next((each for each in found if each is not None and each.item is not None and each.item.release), None)


def objects_in(subject: Subject | None, of: str | None = None) -> list[str]:
    """Returns the arguments that are objects, or objects of one class. The object of a method comes first."""
    call = subject.call if subject is not None else None
    if call is None:
        return []
    found = [each for each in call.arguments if each.kind.object_class is not None and each.kind.returned is None]
    return [
        each.name
        for each in sorted(found, key=lambda each: each is not call.own_object)
        if of in (None, each.kind.object_class)
    ]


def returned_object(subject: Subject | None, of: Subject | None) -> tuple[str, Value | None]:
    """Returns the object that a function returns, of a class if it returns one: its name in C, and the value."""
    values = subject.call.values if subject is not None and subject.call is not None else ()
    found = [(name, value) for name, _, value in values if value.kind.is_object]
    same = [each for each in found if of is not None and each[1].of == of.name]
    return next(iter([*same, *found]), ("result", None))


def _of_returned(name: str, of: Subject | None, entry: str, after: str = "", function: str = "") -> Remedy:
    """Returns the change of an object that a function returns: `returns: {of: Tree, borrow: g}`."""
    entry = f"of: {of.name}, {entry}" if of is not None else entry
    if name == "result":
        return change("returns", f"{{{entry}}}", after, of=function)
    return in_args(name, f"{{out: true, {entry}}}", after, function)
