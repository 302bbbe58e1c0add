"""The slot `dtype`, as C source."""

from __future__ import annotations

from dlpack_bindgen.c.fragments import dtype_literal
from dlpack_bindgen.slots.values import CTypeDType, FixedDType


def constant(dtype: FixedDType | CTypeDType) -> str:
    """Returns a dtype that the compiler knows, as a C expression."""
    return dtype.value if isinstance(dtype, CTypeDType) else dtype_literal(dtype.numbers)
