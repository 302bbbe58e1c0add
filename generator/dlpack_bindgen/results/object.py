"""Objects: a pointer to an object, or an object by value."""

from __future__ import annotations

from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.results.kind import Param, ResultKind, ResultScope, SameFacts, Target


class Member(Frozen):
    """A member of the state of an object, and its value."""

    name: str
    value: str


class StateFacts(Frozen):
    """The state of a returned object."""

    variable: str
    early: tuple[Member, ...]
    """The members that are initialised."""
    has_defaults: bool
    late: tuple[Member, ...]
    """The members that are set after the defaults."""


class ObjectResult(Frozen):
    """An object that C returns."""

    to: Target
    of: str
    """The C name of the class."""
    passed: str
    flags: tuple[str, ...]
    stored: str
    """The struct that C has returned by value; empty: it has returned none."""
    storage: str
    """The memory for the struct; empty: there is none."""
    state: StateFacts | None
    owner: str
    """The macro of the template that prints what keeps the object alive."""
    function: str
    arrays: str
    kept: tuple[str, ...]
    """The arguments that the object keeps alive, or the one whose object owns it."""
    same: tuple[SameFacts, ...]
    is_stored_first: bool
    """Whether struct and state are stored before the tests of the arguments."""


class Object(ResultKind):
    runs_code = True

    def piece(self, scope: ResultScope) -> Piece:
        call, ctype, written, of = scope.call, scope.ctype, scope.written, scope.value.of
        assert of is not None
        passed, state, in_storage = scope.variable, None, call.is_in_storage(ctype, of)
        stored = passed if scope.name == "result" and in_storage else ""
        if stored:
            passed = call.storage
        if written is not None or (ctype.pointers and ctype.pointers[0]):
            passed = f"({ctype.base}{' *' if ctype.pointers else ''})(uintptr_t){passed}"
        if (params := call.params(scope.name, of)) is not None:
            state = _state(params, call.own(f"made_{scope.name}"), passed)
            passed = f"&{state.variable}"
        wanted = {
            "DLB_PY_OPTIONAL": scope.value.optional,
            "DLB_PY_IN_STORAGE": in_storage,
            "DLB_PY_READS": (written or ctype).reads,
            f"DLB_PY_READS_IF_CONST({(written or ctype).base})": written is not None and not written.pointers,
        }
        same, (owner, kept) = call.same(scope.name), _owner(scope)
        facts = ObjectResult(
            to=scope.to,
            of=call.classes[of],
            passed=passed,
            flags=tuple(name for name, is_set in wanted.items() if is_set) or ("0",),
            stored=stored,
            storage=call.storage if in_storage else "",
            state=state,
            owner=owner,
            function=call.table,
            arrays=call.arrays,
            kept=kept,
            same=same,
            is_stored_first=not all(each.is_same for each in same),
        )
        return Piece("results/object", "given_or_made" if same else "made", facts)


def _owner(scope: ResultScope) -> tuple[str, tuple[str, ...]]:
    """Returns how an object is kept alive, as a macro of the template, and the arguments for it."""
    call, keeps, borrow = scope.call, scope.value.keeps, scope.value.borrow
    if call.may_refer(scope.name):
        return "referring", call.places(keeps)
    if len(keeps) == 1:
        return "beside" if call.is_param(keeps[0]) else "keeping", call.places(keeps)
    if keeps:
        return "keeping_all", call.places(keeps)
    if borrow is None:
        return "owned", ()
    return "borrowed", () if borrow == "static" else (call.place(borrow),)


def _state(params: tuple[Param, ...], variable: str, made: str) -> StateFacts:
    """Returns the state of an object. Params have their defaults, unless the function reports a value."""
    reported = [each for each in params if each.value]
    has_defaults = any(each.has_default and not each.value for each in params)
    late = [each for each in reported if each.has_default and has_defaults]
    early = [each for each in reported if each not in late]
    return StateFacts(
        variable=variable,
        early=(Member("self", made), *(Member(each.name, each.value) for each in early)),
        has_defaults=has_defaults,
        late=tuple(Member(each.name, each.value) for each in late),
    )
