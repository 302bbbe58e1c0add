"""The dtypes and devices of DLPack 1.3 that a spec may name, each with its enumerator in `dlpack.h`.

Specs use numbers for the additions of newer headers. Neither this module nor the installed header has to know them."""

from __future__ import annotations

import re

from dlpack_bindgen.frozen import Frozen

CODES = (
    *("kDLInt", "kDLUInt", "kDLFloat", "kDLOpaqueHandle", "kDLBfloat", "kDLComplex", "kDLBool"),
    *("kDLFloat8_e3m4", "kDLFloat8_e4m3", "kDLFloat8_e4m3b11fnuz", "kDLFloat8_e4m3fn", "kDLFloat8_e4m3fnuz"),
    *("kDLFloat8_e5m2", "kDLFloat8_e5m2fnuz", "kDLFloat8_e8m0fnu"),
    *("kDLFloat6_e2m3fn", "kDLFloat6_e3m2fn", "kDLFloat4_e2m1fn"),
)
"""The type codes, starting from 0."""
LATER_CODES = {"kDLBcomplex": 18}
"""Type codes that headers after 1.3 define."""
MAX_NDIM = 64
"""The greatest rank that the runtime handles."""
GREATEST_CODE = 255
LATER_DEVICES = {"tpu": 19, "tpu_host": 20, "ascend": 21}
"""Devices that headers after 1.3 define. Specs may use their numbers, and greater ones."""
WITHOUT_STREAMS = frozenset(("cpu", "cuda_host", "rocm_host", str(LATER_DEVICES["tpu_host"])))
"""Devices whose memory is that of the host. A spec writes later devices as numbers."""
FIRST_LATER_DEVICE, LAST_LATER_DEVICE = 19, 255
_WIDTHS = {
    "kDLInt": (1, 2, 4, 8, 16, 32, 64),
    "kDLUInt": (1, 2, 4, 8, 16, 32, 64),
    "kDLFloat": (16, 32, 64, 80, 96, 128),
    "kDLOpaqueHandle": (8, 16, 32, 64, 128),
    "kDLBfloat": (16,),
    "kDLComplex": (32, 64, 128),
    "kDLBool": (8,),
    "kDLFloat6_e2m3fn": (6,),
    "kDLFloat6_e3m2fn": (6,),
    "kDLFloat4_e2m1fn": (4,),
    "18": (32,),
}
"""The allowed bits of each type code, as in the runtime (dlb_dtype.c). All other codes of 1.3 have 8 bits. Codes after
18 may have any."""


class DType(Frozen):
    code: str
    """An enumerator of `dlpack.h`, or a number without an enumerator in 1.3."""
    bits: int
    lanes: int = 1

    @property
    def name(self) -> str:
        """The name of the dtype: `float32`, or `dtype(18, 32, 1)` if it has none."""
        known = next((name for name, dtype in DTYPES.items() if dtype == self), None)
        return known or f"dtype({self.code}, {self.bits}, {self.lanes})"


def _family(prefix: str, code: str, *widths: int) -> dict[str, DType]:
    return {f"{prefix}{bits}": DType(code, bits) for bits in widths}


DTYPES: dict[str, DType] = {
    "bool": DType("kDLBool", 8),
    **_family("int", "kDLInt", *_WIDTHS["kDLInt"]),
    **_family("uint", "kDLUInt", *_WIDTHS["kDLUInt"]),
    **_family("float", "kDLFloat", 16, 32, 64),
    "bfloat16": DType("kDLBfloat", 16),
    **_family("complex", "kDLComplex", 32, 64, 128),
    "float8_e3m4": DType("kDLFloat8_e3m4", 8),
    "float8_e4m3": DType("kDLFloat8_e4m3", 8),
    "float8_e4m3b11fnuz": DType("kDLFloat8_e4m3b11fnuz", 8),
    "float8_e4m3fn": DType("kDLFloat8_e4m3fn", 8),
    "float8_e4m3fnuz": DType("kDLFloat8_e4m3fnuz", 8),
    "float8_e5m2": DType("kDLFloat8_e5m2", 8),
    "float8_e5m2fnuz": DType("kDLFloat8_e5m2fnuz", 8),
    "float8_e8m0fnu": DType("kDLFloat8_e8m0fnu", 8),
    "float6_e2m3fn": DType("kDLFloat6_e2m3fn", 6),
    "float6_e3m2fn": DType("kDLFloat6_e3m2fn", 6),
    "float4_e2m1fn": DType("kDLFloat4_e2m1fn", 4),
}

DEVICES: dict[str, str] = {
    "cpu": "kDLCPU",
    "cuda": "kDLCUDA",
    "cuda_host": "kDLCUDAHost",
    "opencl": "kDLOpenCL",
    "vulkan": "kDLVulkan",
    "metal": "kDLMetal",
    "vpi": "kDLVPI",
    "rocm": "kDLROCM",
    "rocm_host": "kDLROCMHost",
    "ext_dev": "kDLExtDev",
    "cuda_managed": "kDLCUDAManaged",
    "oneapi": "kDLOneAPI",
    "webgpu": "kDLWebGPU",
    "hexagon": "kDLHexagon",
    "maia": "kDLMAIA",
    "trn": "kDLTrn",
}


def number(text: str) -> int | None:
    """Returns the value of a decimal number, or None."""
    return int(text) if re.fullmatch(r"0|-?[1-9][0-9]{0,8}", text, re.ASCII) else None


def code_of(text: str) -> str | None:
    """Returns a type code as an enumerator, or as a number that 1.3 does not define. Returns None if it is known only
    at run time."""
    value = number(text)
    if value is None:
        return text if text in CODES else None
    return CODES[value] if 0 <= value < len(CODES) else text


def fixed_dtype(code: str, bits: str, lanes: str) -> DType | None:
    """Returns the dtype of `{code, bits, lanes}` if all three are constants, or None."""
    known, width, count = code_of(code), number(bits), number(lanes)
    return None if known is None or width is None or count is None else DType(known, width, count)


def widths(code: str) -> tuple[int, ...] | None:
    """Returns the allowed bits of a type code; None if neither 1.3 nor this module defines the code."""
    return _WIDTHS.get(code, (8,) if code in CODES else None)


def device_type(name: str) -> str:
    """Returns the `DLDeviceType` of a name or number in a spec."""
    return DEVICES.get(name) or f"(DLDeviceType){name}"
