"""Numbers and characters."""

from __future__ import annotations

from dlpack_bindgen.language.names import Named
from dlpack_bindgen.results.kind import Recognized, Source
from dlpack_bindgen.results.scalars import Scalar
from dlpack_bindgen.text.fragments import operand
from dlpack_bindgen.text.types import PYTHON, NumberKind, family, holds, is_unknown


class Number(Scalar):
    def __init__(self, kind: NumberKind) -> None:
        self._kind = kind
        self.number = "" if kind == "bool" else kind
        self.words = (kind,)

    def by_name(self, named: Named, source: Source) -> Recognized | None:
        return Recognized(self._kind) if holds(source.ctype, self._kind) else None

    def by_type(self, source: Source) -> Recognized | None:
        ctype, known = source.ctype, source.names.number(source.ctype.base)
        is_known = known == self._kind or (known is None and self._kind == "int" and is_unknown(ctype))
        return Recognized(self._kind) if ctype.depth == 0 and not ctype.is_function and is_known else None

    def stub_type(self, of: str | None, is_counted: bool = False) -> str:
        return PYTHON[self._kind]

    def made(self, text: str, base: str = "", table: str = "") -> str:
        value = operand(text)
        if self._kind == "complex" and family(base):
            return f"dlb_py_from_complex(creal((double complex){value}), cimag((double complex){value}))"
        return {
            "int": f"DLB_PY_FROM_INTEGER({text})",
            "float": f"PyFloat_FromDouble({text if base == 'double' else f'(double){value}'})",
            "bool": f"PyBool_FromLong({value} ? 1 : 0)",
            "char": f"dlb_py_from_char({text})",
            "complex": f"DLB_PY_FROM_COMPLEX({text})",
        }[self._kind]
