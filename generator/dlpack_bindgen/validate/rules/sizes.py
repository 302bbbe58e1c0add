"""Sizes of elements, as far as a spec declares them."""

from __future__ import annotations

from dlpack_bindgen.dlpack import number
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.values import Leaf, Value, is_record, text_of
from dlpack_bindgen.slots.dtype import BITS, C_OF_DTYPE, DECODED_DTYPE, DTYPE_OF_C_TYPE, LANES, constant_dtype

_C_BITS = {
    **dict.fromkeys(("char", "bool", "_Bool"), (8,)),
    "short": (16,),
    **dict.fromkeys(("int", "float"), (32,)),
    **dict.fromkeys(("long long", "double", "float _Complex", "_Complex float"), (64,)),
    **dict.fromkeys(("double _Complex", "_Complex double"), (128,)),
    **{f"int{bits}_t": (bits,) for bits in (8, 16, 32, 64)},
    **dict.fromkeys(("long", "size_t", "ssize_t", "ptrdiff_t", "intptr_t"), (32, 64)),
}
"""The possible numbers of bits of C types without `unsigned` or `signed`, over all platforms."""
_ANY = (8, 16, 32, 64, 128)


class Size(Frozen):
    """The size of an element."""

    key: str
    """A key for comparisons: equal keys mean equal sizes."""
    possible: tuple[int, ...]
    """The possible numbers of bits."""
    shown: str
    """The dtype, for messages."""
    varies: bool = False
    """Whether the struct has the size at run time."""

    @property
    def bits(self) -> int | None:
        return self.possible[0] if len(self.possible) == 1 else None

    @property
    def bytes(self) -> tuple[int, ...]:
        return tuple(bits // 8 for bits in self.possible if bits % 8 == 0)

    @property
    def may_be_wide(self) -> bool:
        return max(self.possible) > 8


def size_of(dtype: Value) -> Size:
    """Returns the size of the elements of a dtype without conditions."""
    known = constant_dtype(dtype)
    if known is not None:
        return _fixed(known.bits * known.lanes, known.name)
    if is_record(dtype, DTYPE_OF_C_TYPE) and (ctype := text_of(dtype[C_OF_DTYPE])):
        return _of_c_type(ctype)
    bits, lanes = (
        (text_of(dtype[BITS]), text_of(dtype[LANES]) or "1") if is_record(dtype, DECODED_DTYPE) else (None, "1")
    )
    width, count = number(bits or ""), number(lanes)
    if width is not None and count is not None:
        return _fixed(width * count, f"{width * count} bits")
    shown = dtype.text if isinstance(dtype, Leaf) else "a dtype that the struct has"
    return Size("at run time", _ANY, shown, varies=True)


def _fixed(bits: int, shown: str) -> Size:
    return Size(str(bits), (bits,), shown)


def _of_c_type(ctype: str) -> Size:
    words = [word for word in ctype.split() if word not in ("signed", "unsigned", "const")]
    if words and words[-1] == "int" and len(words) > 1:
        words.pop()
    name = " ".join(words) or "int"
    plain = name[1:] if name.startswith("uint") else name
    possible = _C_BITS.get(plain, _ANY)
    if len(possible) == 1:
        return _fixed(possible[0], ctype)
    return Size("address" if plain in _C_BITS and plain != "long" else plain, possible, ctype)
