"""Functions that make objects: their requirements, their variables and their steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from dlpack_bindgen.dlpack import MAX_NDIM
from dlpack_bindgen.tensor.accepts import rank_members, ranks, required_of
from dlpack_bindgen.tensor.import_calls import attach, construct, destroy, initialise, is_released
from dlpack_bindgen.tensor.import_parts import Making, fill, param_variables, storage, store, variables
from dlpack_bindgen.tensor.import_set import arrays_of_axes, set_members, uses_axes
from dlpack_bindgen.tensor.item import Allocate, Construct, Import, Init, Let, SetFields, Step, Tensor
from dlpack_bindgen.tensor.lifetime_hooks import default_values
from dlpack_bindgen.tensor.match_inverse import inverse_match
from dlpack_bindgen.tensor.params import params_table
from dlpack_bindgen.tensor.requirements import TABLE, Check
from dlpack_bindgen.tensor.slot import Scope, Variable
from dlpack_bindgen.tensor.steps import MAKE, Body, Flow, Function, made_fragments
from dlpack_bindgen.text.fragments import Piece, Table, declaration, mentions, replace_names


class Factory:
    """A function that makes an object, for an import or an allocation, and its requirements."""

    def __init__(
        self, scope: Scope, tensor: Tensor, verb: str, made: Import | Allocate, classes: Mapping[str, str]
    ) -> None:
        """`classes` maps params that are objects to the C names of their classes."""
        self.scope = scope
        self._classes = classes
        self._tensor = tensor
        self._made = made
        self._import = made if isinstance(made, Import) else None
        self.deleter = self._import.deleter if self._import is not None else None
        self.struct = f"struct {scope.c_name}_{verb}_params"
        # Held values do not exist yet, and `self` is the new object.
        inner = replace(scope, params=(), hold=(), has_state=False)
        self._inverse = inverse_match(inner, tensor, made)
        names = {"deleter": scope.hook("deleter")} if self.deleter is not None else {}
        self._flow = Flow(inner, MAKE, lambda text: self._inverse.rename(replace_names(text, names)))
        most = ranks(tensor, made.require)[1]
        self.making = Making(
            name=scope.hook(verb),
            scope=scope,
            flow=self._flow,
            verb=verb,
            spec=made,
            most_axes=most if most < MAX_NDIM else None,
            rename=self._inverse.rename,
        )
        self.storage = storage(self.making)
        self.body = self._body()
        self.required = self.requirements.name
        """The name of its `dlb_requirements`, or of an equal table before."""

    @property
    def name(self) -> str:
        """Returns the name of the `dlb_factory`."""
        return self.scope.hook("importer" if self.is_import else "allocator")

    @property
    def is_import(self) -> bool:
        return self._import is not None

    @property
    def structs(self) -> list[tuple[str, Sequence[str]]]:
        """Returns the types and members of the structs."""
        members = [declaration(param.ctype, param.name) for param in self._made.params]
        structs = [(self.struct, members), (self.storage.type, self.storage.members)]
        return [(struct, members) for struct, members in structs if members]

    @property
    def params(self) -> Table | None:
        table = self.scope.hook(f"{self.making.verb}_table")
        return params_table(table, self.struct, self._made.params, classes=self._classes)

    @property
    def defaults(self) -> Function | None:
        verb, struct = self.making.verb, f"{self.struct} *params"
        return default_values(self.scope, f"{verb}_defaults", self._made.params, f"{verb}.params", struct, True)

    # ---- Requirements ----

    @cached_property
    def requirements(self) -> Table:
        place = f"{self.scope.null}{'.' if self.scope.by_value else '->'}"
        lengths = [f"DLB_LENGTH({place}{array})" for array in arrays_of_axes(self._made.build)]
        ranks = rank_members(self._tensor, self._made.require, lengths)
        members = (*ranks, *required_of(self._tensor, self._made).members())
        return Table(TABLE, f"{self.making.name}_requirements", members)

    @property
    def has_table(self) -> bool:
        return self.required == self.requirements.name

    # ---- The end of the object, the callback and the stream ----

    @cached_property
    def destroy(self) -> Function | None:
        return destroy(self.scope, self._import, self._tensor.release)

    @property
    def destroyed(self) -> str:
        """Returns the function that destroys a made object; empty: there is none."""
        release = self.scope.hook("release") if is_released(self._import, self._tensor.release) else ""
        return self.destroy.name if self.destroy is not None else release

    @property
    def label_of_deleter(self) -> str:
        return self.making.label("deleter") if self.deleter is not None and self.deleter.user else ""

    @property
    def stream(self) -> str:
        """Returns the stream on which the library works, as a C expression; empty: the spec names none."""
        made = self._import
        return self._flow.text(made.stream) if made is not None and made.stream is not None else ""

    @property
    def stream_variables(self) -> list[Variable]:
        return [*param_variables([self.stream], self._made.params, self.struct, "values")]

    @property
    def label_of_stream(self) -> str:
        return self.making.label("stream")

    # ---- The function that makes the object ----

    @property
    def variables(self) -> list[Variable]:
        steps = self._made.let
        uses_rank = uses_axes(self._made.build) or any(isinstance(step, Let) and step.array for step in steps)
        fragments = [*made_fragments(self._made), *(["ndim"] if uses_rank else [])]
        return [*variables(fragments, self._made.params, self.struct, self.deleter)]

    @property
    def keys(self) -> tuple[str, ...]:
        """Returns the declarations of the variables for keys of a `match`."""
        return self._inverse.declarations

    @property
    def is_error_used(self) -> bool:
        return self._flow.can_fail

    def _body(self) -> Body:
        flow, checks, verb = self._flow, self._made.require.checks, self.making.verb
        late = [check for check in checks if _reads_codes(check)]
        for check in checks:
            if check not in late:
                flow.refuse_unless(check, f"{verb}.require")
        for chain in self._inverse.chains:
            flow.add(*chain(flow.exit))
            flow.separate()
        for check in late:
            flow.refuse_unless(check, f"{verb}.require")
        self._lets(self._made.let)
        if not flow.is_empty:
            flow.separate()
        value = self._build(self._made.build)
        attach(self.making)
        return flow.body(store(self.making, self.storage) if self.scope.by_value else value)

    def _lets(self, steps: Sequence[Step]) -> None:
        rest: list[Step] = []
        for step in steps:
            if isinstance(step, Let) and step.array:
                self._flow.steps(rest, f"{self.making.verb}.let")
                rest = []
                fill(self.making, step, is_stored=bool(self.storage.members))
            else:
                rest.append(step)
        self._flow.steps(rest, f"{self.making.verb}.let")

    def _build(self, build: SetFields | Init | Construct) -> Piece:
        """Adds the steps that make the object, and returns the object."""
        if isinstance(build, SetFields):
            return set_members(self.making, build)
        return initialise(self.making, build) if isinstance(build, Init) else construct(self.making, build)


def _reads_codes(check: Check) -> bool:
    """Returns whether the check reads `code` or `device_code`. It must then follow their assignment."""
    fragments = [check.expr, check.message, check.error]
    return mentions(fragments, "code") or mentions(fragments, "device_code")
