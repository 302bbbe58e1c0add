"""The module of a spec, as the templates read it: its classes, functions, constants and enumerations."""

from __future__ import annotations

import re
from functools import cached_property
from zlib import crc32

from dlpack_bindgen.calls.call import Call
from dlpack_bindgen.calls.failures import takes_errno
from dlpack_bindgen.calls.function_docs import has_complex
from dlpack_bindgen.calls.stub import gives_back, stubs, uses_arrays, uses_paths, uses_sequences
from dlpack_bindgen.classes import class_docs, records
from dlpack_bindgen.classes.constants import Enumeration
from dlpack_bindgen.classes.emitted_class import EmittedClass, Tables, emit_functions
from dlpack_bindgen.classes.external import ExternalClass
from dlpack_bindgen.classes.related import RelatedClasses
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.tensor.c_names import CNames, enum_table, scope_of
from dlpack_bindgen.tensor.item import Action
from dlpack_bindgen.tensor.steps import status_assertion
from dlpack_bindgen.text.fragments import Assertion, EmittedFunction, negate, replace_result, statements
from dlpack_bindgen.text.literals import c_strings, comment_lines, python_doc_lines
from dlpack_bindgen.text.types import CType, RecordType, is_typedef

OUTPUT_FORMAT = 32
"""The version of the contract between emitted files and the runtime.

Increase it when older runtimes no longer fit; see `DLB_FORMAT` in the runtime.
"""

_OF_THE_RUNTIME = re.compile(r"DL|dlb_|Py|(?:ll?)?div_t$")
"""Types of the headers that generated files include in any case."""


class InitAction(Frozen):
    """A call of the library when the module is imported."""

    own: Action
    statements: tuple[str, ...] = ()
    """Statements of the spec that cannot fail; empty: the call can fail."""
    assertion: Assertion | None = None
    """An assertion about the call."""
    fails: str = ""
    """The condition that the call has failed, as a C expression."""
    failed: str = ""
    """The message without one of the library."""


class EmittedConstant(Frozen):
    """A constant of the module, in C and in the stub."""

    name: str
    value: str
    """A C expression that makes the Python object."""
    stub_type: str


class Module:
    """The input of the templates. They read the spec, and what follows from it."""

    output_format = OUTPUT_FORMAT

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.names = CNames(
            prefix=spec.prefix,
            items={item.name: item for item in spec.items},
            enums={each.name: enum_table(spec.prefix, each.name) for each in spec.enums},
            arrays=spec.arrays,
        )

    # ---- Classes and functions ----

    @cached_property
    def _members(self) -> tuple[list[EmittedClass], list[EmittedFunction]]:
        """The classes and the functions. They are made together, because they share tables."""
        items = [item for item in self.spec.items if item.external is None]
        related, glue, calls = RelatedClasses(items, self._calls), Tables(), Tables()
        classes = [EmittedClass(self.names, self.spec.module, item, related, glue, calls) for item in items]
        return classes, [calls.of_function(each, None) for each in emit_functions(self.names, self.spec.functions)]

    @property
    def classes(self) -> list[EmittedClass]:
        return self._members[0]

    @property
    def functions(self) -> list[EmittedFunction]:
        return self._members[1]

    @cached_property
    def external_classes(self) -> list[ExternalClass]:
        return [
            ExternalClass(item, item.external, scope_of(self.spec.module, self.names.c_name(item.name), item))
            for item in self.spec.items
            if item.external is not None
        ]

    @cached_property
    def _calls(self) -> list[Call]:
        """All functions that Python calls."""
        found = [*self.spec.functions]
        for item in self.spec.items:
            found += [*item.methods, *(each.set for each in item.properties if each.set is not None)]
            found += [item.new] if item.new is not None else []
        return found

    @property
    def has_calls(self) -> bool:
        """Returns whether the module needs the library `call` of the runtime: for functions, properties, constants."""
        has_members = any(each.called or each.properties for each in self.classes)
        return bool(self.functions or self.spec.constants) or has_members

    @property
    def conditional(self) -> bool:
        """Returns whether the preprocessor can leave out some classes, or the module has none."""
        return not self.classes or any(each.item.condition is not None for each in self.classes)

    @property
    def may_be_empty(self) -> bool:
        """Returns whether the preprocessor can leave out all classes, or the module has none."""
        return all(item.condition is not None for item in self.spec.items)

    # ---- The header ----

    @property
    def spec_file(self) -> str:
        return " ".join(comment_lines(self.spec.file))

    @property
    def guard(self) -> str:
        return f"{self.spec.module.upper()}_DLPACK_H_"

    @property
    def undeclared(self) -> list[str]:
        """Returns the first type that a header must declare, if the spec includes none."""
        spec = self.spec
        types = (item.type for item in (*spec.tensors, *spec.handles) if is_typedef(CType(item.type)))
        found = [each for each in types if _OF_THE_RUNTIME.match(each) is None]
        own = 0 if spec.arrays is None else 1
        return found[:1] if len(spec.includes) == own else []

    @property
    def records(self) -> list[RecordType]:
        """Returns the structs that are elements of arrays."""
        return records.ordered(self.spec.records)

    @property
    def checksum(self) -> str:
        """Returns the name of the macro with the checksum of the prototypes."""
        return f"{self.spec.prefix.upper()}_C_API_PROTOTYPES"

    @property
    def prototypes(self) -> str:
        """Returns a checksum of the signatures of `wrap` and `unwrap` of all classes. It fits into an `int`."""
        taken = [
            (item.name, item.type, each.scope.self_parameter, each.parameters, item.release is None, item.condition)
            for each in self.classes
            if (item := each.item)
        ]
        return f"0x{crc32(repr(taken).encode()) & 0x7FFFFFFF:08x}"

    # ---- The module of CPython ----

    @property
    def doc(self) -> str:
        """Returns the docstring, as a C string literal."""
        return c_strings(module_doc(self.spec))

    @property
    def headers(self) -> list[str]:
        """Returns the C headers that the bodies of functions need."""
        kinds = [each.kind for item in self.spec.items for each in item.properties]
        kinds += [each.kind for each in self.spec.constants]
        has_numbers = "complex" in [kind.number for kind in kinds] or any(map(has_complex, self._calls))
        found = ["<complex.h>"] if has_numbers else []
        return [*found, "<errno.h>"] if any(map(takes_errno, self._calls)) else found

    @property
    def last_slots(self) -> str:
        """Returns the last slots of the module, which declare whether it supports running without the GIL."""
        needs_gil = any(argument.kind.needs_own for function in self._calls for argument in function.arguments)
        return f"DLB_PY_LAST_MODULE_SLOTS{'_WITH_GIL' if needs_gil else ''}"

    @property
    def enums(self) -> list[tuple[str, Enumeration]]:
        """Returns the enumerations with the names of their tables."""
        return [(self.names.enums[each.name], each) for each in self.spec.enums]

    @cached_property
    def constants(self) -> list[EmittedConstant]:
        return [
            EmittedConstant(each.name, each.kind.made(each.value), each.kind.stub_type(None))
            for each in self.spec.constants
        ]

    @property
    def init(self) -> list[InitAction]:
        return [_init_action(each) for each in self.spec.init]

    @property
    def has_contents(self) -> bool:
        """Returns whether the module has more than classes and functions."""
        return bool(self.spec.enums or self.spec.constants or self.spec.init)

    # ---- The stub ----

    @property
    def doc_lines(self) -> tuple[str, ...]:
        return python_doc_lines(module_doc(self.spec))

    @property
    def stubs(self) -> tuple[str, ...]:
        """Returns the lines of the functions."""
        return stubs(self.spec.functions, self.names)

    @property
    def exports(self) -> bool:
        return any(each.tensor is not None for each in self.classes)

    @property
    def allocates(self) -> bool:
        return any(tensor.allocate is not None for tensor in self.spec.tensors)

    @property
    def takes_arrays(self) -> bool:
        """Returns whether the stub needs its name for the type of arrays."""
        return any(item.import_ is not None for item in self.spec.items) or any(map(uses_arrays, self._calls))

    @property
    def takes_sequences(self) -> bool:
        return self.allocates or any(uses_sequences(each, self.names) for each in self._calls)

    @property
    def takes_paths(self) -> bool:
        return any(map(uses_paths, self._calls))

    @property
    def gives_back(self) -> bool:
        """Returns whether functions return array arguments."""
        return any(gives_back(call, self.names) for call in self._calls)


def module_doc(spec: Spec) -> str:
    shared = class_docs.SHARED if spec.tensors else ""
    return spec.doc or f"{'Arrays' if spec.tensors else 'Functions'} of {spec.module}{shared}."


def _init_action(action: Action) -> InitAction:
    if action.ok is None:
        return InitAction(action, tuple(statements(action.do)))
    return InitAction(
        own=action,
        assertion=status_assertion(action.do, action.ok, "init") if action.by_spec else None,
        fails=negate(replace_result(action.ok, "result")),
        failed=f"{action.do} failed",
    )
