"""The names of DLPack 1.3 that a spec may use: dtypes and devices, each with its enumerator in `dlpack.h`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DType:
    code: str
    bits: int


def _family(prefix: str, code: str, *widths: int) -> dict[str, DType]:
    return {f"{prefix}{bits}": DType(code, bits) for bits in widths}


DTYPES: dict[str, DType] = {
    "bool": DType("kDLBool", 8),
    **_family("int", "kDLInt", 8, 16, 32, 64),
    **_family("uint", "kDLUInt", 8, 16, 32, 64),
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
