"""Findings: claims of the specs that a run refuted, and the functions and classes that its events name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.text.diagnostics import Span
from dlpack_bindgen.tools.try_.claims import NEW, Described, Subject
from dlpack_bindgen.tools.try_.remedies import Remedy
from dlpack_bindgen.tools.try_.rounds import Event

REFUTED, NOTICE = "refuted", "notice"
_PATHS = {"detach": "import.detach"}
"""The paths of keys that are not keys of the class itself."""


class Finding(Frozen):
    """A claim that a run refuted, in the words of the spec."""

    check: str
    """The name of the check in the log."""
    claim: str
    """The kind of the claim, a key of `claims.KINDS`."""
    subject: str
    argument: str
    key: str
    """The key of the spec to change."""
    label: str
    """The subject in the report: `Meter.watch`, or a key of a class, such as `Grid.release`."""
    place: Span | None
    """None: the event names no function or class of the specs."""
    sentence: str
    """What the library did, after the subject: "C reads it after the call"."""
    evidence: str
    remedies: tuple[Remedy, ...]
    state: str = REFUTED
    count: int = 1
    step: int | None = None
    """The number of the generated step."""
    caller: str = ""
    """The function whose call shows the finding; empty: the subject."""

    @property
    def same(self) -> tuple[str, str, str, str]:
        """Returns what makes two findings one entry of the report."""
        return (self.check, self.subject, self.argument, self.key)


class Specs:
    """The specs of a run. They find the function or the class that an event names, and make findings about it."""

    def __init__(self, specs: Sequence[Described], freeing: Callable[[Described], Mapping[str, list[str]]]) -> None:
        """Collects the names. `freeing` returns the functions of the headers of a spec that may free an object, by its
        type."""
        self._freeing = freeing
        self.functions = {name: each for spec in specs for name, each in spec.functions.items()}
        """The functions by the C names of their wrappers."""
        self._makers = {name: each for spec in specs for name, each in spec.makers.items()}
        self._classes = {name: each for spec in specs for name, each in spec.classes.items()}
        self._specs = {spec.spec.module: spec for spec in specs}
        self._first = specs[0]
        self._items = {each.name for each in self._classes.values()}
        self._named = {each.name.removesuffix(f".{NEW}"): each for each in self.functions.values()}

    # ---- Look-ups ----

    def function(self, wrapper: object) -> Subject | None:
        return self.functions.get(str(wrapper or ""))

    def class_(self, name: object) -> Subject | None:
        """Returns the class with a full name: `studio.Meter`."""
        return self._classes.get(str(name or ""))

    def maker(self, function: object) -> Subject | None:
        """Returns the class of which a generated C function makes an object from an array or a shape."""
        return self._makers.get(str(function or ""))

    def named(self, name: str) -> Subject | None:
        """Returns the function with a name in Python; that of a class is its constructor."""
        return self._named.get(name)

    def class_named(self, name: str | None) -> Subject | None:
        return next((each for each in self._classes.values() if each.name == name), None)

    def target(self, event: Event) -> Subject | None:
        """Returns what the last generated call has called: a function, or else its class."""
        target = str(event.get("target", ""))
        return self.named(target) or self.class_named(target.partition(".")[0])

    def name_of(self, wrapper: object) -> str:
        found = self.function(wrapper)
        return found.name if found is not None else "the program"

    def place(self, subject: Subject, *path: str) -> Span:
        """Returns the place of a key of a class, or that of a function."""
        if subject.item is not None and subject.call is None:
            return self._specs[subject.module].place(subject.item, *path)
        return subject.place

    def spec_of(self, subject: Subject) -> Spec:
        return self._specs[subject.module].spec

    def freeing(self, subject: Subject) -> Mapping[str, list[str]]:
        """Returns the functions of the headers that may free an object, by its type."""
        return self._freeing(self._specs[subject.module])

    # ---- Findings ----

    def about(
        self,
        event: Event,
        claim: str,
        subject: Subject | None,
        sentence: str,
        evidence: str = "",
        remedies: Sequence[Remedy] = (),
        argument: str = "",
        key: str = "",
        place: Span | None = None,
        state: str = REFUTED,
        caller: str = "",
    ) -> Finding:
        """Returns a finding about a claim of a subject, or else of the one that the event names. Leaves out remedies
        that the specs have already."""
        subject = subject or self._any_subject(event)
        if subject is not None and place is None:
            place = subject.place_of(argument) if argument else subject.place
        if argument == "self" and subject is not None and subject.receiver:
            argument = subject.receiver
        name = subject.name if subject is not None else self._first.spec.module
        is_class = subject is not None and subject.name in self._items
        return Finding(
            check=event["check"],
            claim=claim,
            subject=name,
            argument=argument,
            key=key,
            label=f"{name}.{_PATHS.get(key, key)}" if is_class and key else name,
            place=place,
            sentence=sentence,
            evidence=evidence,
            remedies=tuple(each for each in dict.fromkeys(remedies) if not self._says(subject, each)),
            state=state,
            count=int(event.get("count") or 1),
            step=event.get("step"),
            caller=caller,
        )

    def _any_subject(self, event: Event) -> Subject | None:
        """Returns the function that the event names first, or the class, or the target of the last generated call."""
        functions = (self.function(event.get(key)) for key in ("function", "in", "by"))
        others = (self.class_(event.get("class")), self.maker(event.get("in")), self.target(event))
        return next((each for each in (*functions, *others) if each is not None), None)

    def _says(self, subject: Subject | None, remedy: Remedy) -> bool:
        """Returns whether the spec already says what a remedy proposes."""
        of = self._named.get(remedy.of, subject) if remedy.of else subject
        return bool(remedy.key) and of is not None and self._specs[of.module].says(of, remedy)


# ---- Words of events ----


def bytes_of(count: int) -> str:
    return f"{count} byte{'' if count == 1 else 's'}"


def shape_of(shape: Sequence[int]) -> str:
    return f"[{', '.join(map(str, shape))}]"


def verb_of(event: Event) -> str:
    return {0: "reads", 1: "writes"}.get(event.get("write", -1), "reads or writes")


def symbol_of(event: Event) -> str:
    return f"{event['symbol']}()" if event.get("symbol") else "the library"


def in_symbol(event: Event) -> str:
    return f", in {event['symbol']}()" if event.get("symbol") else ""
