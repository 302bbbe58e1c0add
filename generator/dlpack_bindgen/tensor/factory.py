"""Functions that make objects: their requirements, their variables and their steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dlpack_bindgen.dlpack import MAX_NDIM
from dlpack_bindgen.tensor.accepts import CASTING, COPYING, accepts, ranks
from dlpack_bindgen.tensor.binding import REQUIREMENTS, FactoryBinding, Struct
from dlpack_bindgen.tensor.construct import attach, construct, deleter_facts, destroy, initialise, is_released
from dlpack_bindgen.tensor.hooks import DefaultsFacts, default_values
from dlpack_bindgen.tensor.import_parts import MakeFacts, Making, fill, storage, store, variables
from dlpack_bindgen.tensor.imports import stream_function
from dlpack_bindgen.tensor.inverse import inverse_match
from dlpack_bindgen.tensor.item import Allocate, Construct, Import, Init, Let, SetFields, Step, Tensor
from dlpack_bindgen.tensor.params import params_table
from dlpack_bindgen.tensor.requirements import Check
from dlpack_bindgen.tensor.set import arrays_of_axes, set_members, uses_axes
from dlpack_bindgen.tensor.slot import Scope
from dlpack_bindgen.tensor.steps import MAKE, Flow, made_fragments
from dlpack_bindgen.text.fragments import declaration, mentions, replace_names
from dlpack_bindgen.text.names import STATIC
from dlpack_bindgen.text.statements import Piece, Table


def bind_importer(scope: Scope, tensor: Tensor, classes: Mapping[str, str]) -> FactoryBinding | None:
    """Binds the import. `classes` maps params that are objects to the C names of their classes."""
    if tensor.import_ is None:
        return None
    return _Factory(scope, tensor, "import", tensor.import_, classes).binding()


def bind_allocator(scope: Scope, tensor: Tensor, classes: Mapping[str, str]) -> FactoryBinding | None:
    """Binds the allocation. `classes` maps params that are objects to the C names of their classes."""
    if tensor.allocate is None:
        return None
    return _Factory(scope, tensor, "allocate", tensor.allocate, classes).binding()


class _Factory:
    def __init__(
        self, scope: Scope, tensor: Tensor, verb: str, spec: Import | Allocate, classes: Mapping[str, str]
    ) -> None:
        self._scope = scope
        self._classes = classes
        self._tensor = tensor
        self._spec = spec
        self._import = spec if isinstance(spec, Import) else None
        self._deleter = self._import.deleter if self._import is not None else None
        self._params = spec.params
        self._struct = f"{scope.c_name}_{verb}_params"
        # Held values do not exist yet, and `self` is the new object.
        inner = replace(scope, params=(), hold=(), has_state=False)
        self._inverse = inverse_match(inner, tensor, spec)
        names = {"deleter": scope.hook("deleter")} if self._deleter is not None else {}
        self._flow = Flow(inner, MAKE, lambda text: self._inverse.rename(replace_names(text, names)))
        most = ranks(tensor, spec.require)[1]
        self._making = Making(
            name=scope.hook(verb),
            scope=scope,
            flow=self._flow,
            verb=verb,
            spec=spec,
            most_axes=most if most < MAX_NDIM else None,
            rename=self._inverse.rename,
        )
        self._storage = storage(self._making)

    def binding(self) -> FactoryBinding:
        made, destroyer = self._import, destroy(self._scope, self._import, self._tensor.release)
        table = f"{STATIC}{self._scope.c_name}_{self._making.verb}_table"
        requirements = Table(REQUIREMENTS, f"{self._making.name}_requirements", tuple(self._requirements()))
        release = self._scope.hook("release") if is_released(self._import, self._tensor.release) else ""
        return FactoryBinding(
            structs=tuple(self._structs()),
            defaults=self._defaults(),
            deleter=deleter_facts(self._scope, self._deleter) if self._deleter is not None else None,
            destroy=destroyer,
            make=self._function(),
            stream=stream_function(self._making, self._struct),
            params=params_table(table, f"struct {self._struct}", self._params, classes=self._classes),
            requirements=requirements,
            name=f"{STATIC}{self._scope.c_name}_{'importer' if made is not None else 'allocator'}",
            required=requirements.name,
            destroyed=destroyer.name if destroyer is not None else release,
            params_tag=self._struct,
        )

    def _structs(self) -> list[Struct]:
        members = tuple(declaration(param.ctype, param.name) for param in self._params)
        structs = [
            Struct(f"struct {self._struct}", members),
            Struct(f"struct {self._storage.tag}", self._storage.members),
        ]
        return [struct for struct in structs if struct.members]

    def _defaults(self) -> DefaultsFacts | None:
        verb = self._making.verb
        values = default_values(self._scope, self._params, f"{verb}.params", "params")
        if not values:
            return None
        return DefaultsFacts(self._scope.hook(f"{verb}_defaults"), f"struct {self._struct}", "params", values, True)

    def _requirements(self) -> list[str]:
        place = f"{self._scope.null}{'.' if self._scope.by_value else '->'}"
        lengths = [f"DLB_LENGTH({place}{array})" for array in arrays_of_axes(self._spec.build)]
        made = self._import
        facts = accepts(self._tensor, self._spec.require, made is not None, lengths)
        if made is not None and made.copy != "never":
            facts.append(f".copy = {COPYING[made.copy]}")
        if made is not None and made.cast is not None:
            facts.append(f".cast = {CASTING[made.cast]}")
        return facts

    # ---- Function ----

    def _function(self) -> MakeFacts:
        flow, checks, verb = self._flow, self._spec.require.checks, self._making.verb
        late = [check for check in checks if _reads_codes(check)]
        for check in checks:
            if check not in late:
                flow.refuse_unless(check, f"{verb}.require")
        for chain in self._inverse.chains:
            flow.add(*chain(flow.exit))
            flow.separate()
        for check in late:
            flow.refuse_unless(check, f"{verb}.require")
        self._lets(self._spec.let)
        if not flow.is_empty:
            flow.separate()
        value = self._build(self._spec.build)
        attach(self._making)
        if self._scope.by_value:
            value = store(self._making, self._storage)
        fragments = made_fragments(self._spec)
        if uses_axes(self._spec.build) or any(isinstance(step, Let) and step.array for step in self._spec.let):
            fragments.append("ndim")
        return MakeFacts(
            name=self._making.name,
            is_import=self._import is not None,
            storage=self._storage,
            variables=tuple(variables(fragments, self._params, self._struct, self._deleter)),
            keys=self._inverse.declarations,
            is_error_used=flow.can_fail,
            body=flow.body(value),
        )

    def _lets(self, steps: Sequence[Step]) -> None:
        rest: list[Step] = []
        for step in steps:
            if isinstance(step, Let) and step.array:
                self._flow.steps(rest, f"{self._making.verb}.let")
                rest = []
                fill(self._making, step, is_stored=bool(self._storage.tag))
            else:
                rest.append(step)
        self._flow.steps(rest, f"{self._making.verb}.let")

    def _build(self, build: SetFields | Init | Construct) -> Piece:
        """Adds the steps that make the object, and returns the object."""
        if isinstance(build, SetFields):
            return set_members(self._making, build)
        return initialise(self._making, build) if isinstance(build, Init) else construct(self._making, build)


def _reads_codes(check: Check) -> bool:
    """Returns whether the check reads `code` or `device_code`. It must then follow their assignment."""
    fragments = [check.expr, check.message, check.error]
    return mentions(fragments, "code") or mentions(fragments, "device_code")
