"""The names of DLPack 1.3 that a spec may use: dtypes and devices, each with its enumerator in `dlpack.h`.

What newer headers add is said in numbers: nothing here, and no installed header, has to know it.
"""

from __future__ import annotations

import re

from dlpack_bindgen.frozen import Frozen

CODES = (
    *("kDLInt", "kDLUInt", "kDLFloat", "kDLOpaqueHandle", "kDLBfloat", "kDLComplex", "kDLBool"),
    *("kDLFloat8_e3m4", "kDLFloat8_e4m3", "kDLFloat8_e4m3b11fnuz", "kDLFloat8_e4m3fn", "kDLFloat8_e4m3fnuz"),
    *("kDLFloat8_e5m2", "kDLFloat8_e5m2fnuz", "kDLFloat8_e8m0fnu"),
    *("kDLFloat6_e2m3fn", "kDLFloat6_e3m2fn", "kDLFloat4_e2m1fn"),
)
"""The type codes, from 0 on."""
LATER_CODES = {"kDLBcomplex": 18}
"""In headers after 1.3."""
GREATEST_CODE = 255
LATER_DEVICES = {"tpu": 19, "tpu_host": 20, "ascend": 21}
"""In headers after 1.3; their numbers are accepted, and so are those that follow."""
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
"""As in the runtime (dlb_dtype.c). All others of 1.3 have 8 bits, those after 18 whatever their header says."""


class DType(Frozen):
    code: str
    """An enumerator of `dlpack.h`, or a number that 1.3 has none for."""
    bits: int
    lanes: int = 1

    @property
    def name(self) -> str:
        """`float32`, or `dtype(18, 32, 1)` where there is none."""
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
    """The value of a decimal number."""
    return int(text) if re.fullmatch(r"0|-?[1-9][0-9]{0,8}", text, re.ASCII) else None


def code_of(text: str) -> str | None:
    """A type code as an enumerator where 1.3 has one; None: known at run time only."""
    value = number(text)
    if value is None:
        return text if text in CODES else None
    return CODES[value] if 0 <= value < len(CODES) else text


def fixed_dtype(code: str, bits: str, lanes: str) -> DType | None:
    """What the texts of `{code, bits, lanes}` say when all of them are constants."""
    known, width, count = code_of(code), number(bits), number(lanes)
    return None if known is None or width is None or count is None else DType(known, width, count)


def widths(code: str) -> tuple[int, ...] | None:
    """The bits that elements of a code may have; None where 1.3 and this module know nothing of it."""
    return _WIDTHS.get(code, (8,) if code in CODES else None)


def device_type(name: str) -> str:
    """A name or number of a spec as a `DLDeviceType`."""
    return DEVICES.get(name) or f"(DLDeviceType){name}"
