"""Members of an enumeration of the spec."""

from __future__ import annotations

from dlpack_bindgen.c.fragments import operand
from dlpack_bindgen.results.scalars import Scalar


class EnumMember(Scalar):
    number = "int"

    def made(self, text: str, base: str = "", table: str = "") -> str:
        return f"dlb_py_from_enum(&{table}, (int64_t){operand(text)})"
