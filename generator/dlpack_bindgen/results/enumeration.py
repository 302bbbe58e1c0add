"""Members of an enumeration of the spec."""

from __future__ import annotations

from dlpack_bindgen.language.names import Enum, Mistake, Named
from dlpack_bindgen.results.kind import Recognized, Source
from dlpack_bindgen.results.scalars import Scalar
from dlpack_bindgen.text.fragments import operand
from dlpack_bindgen.text.types import holds


class EnumMember(Scalar):
    number = "int"

    def is_named(self, named: Named) -> bool:
        return isinstance(named, Enum)

    def by_name(self, named: Named, source: Source) -> Recognized | None:
        return Recognized("enum", named.name.text) if isinstance(named, Enum) and holds(source.ctype, "int") else None

    def refusal(self, named: Named, source: Source) -> Mistake:
        assert isinstance(named, Enum)
        return source.mistake(f"a '{named.name.text}' is an integer, and this does not point to one")

    def made(self, text: str, base: str = "", table: str = "") -> str:
        return f"dlb_py_from_enum(&{table}, (int64_t){operand(text)})"
