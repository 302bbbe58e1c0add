# SPDX-License-Identifier: MIT
"""Builds the extension modules of these tests: committed ones of real libraries, and modules made for testing."""

from __future__ import annotations

import functools
import subprocess
import sysconfig
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from python.stock import SPEC as STOCK_SPEC
from support.build import CC, EXPORTED, LIMITED, SUFFIX, TOP, build_extension, compile_c, runtime_objects
from support.shared import build_once

HERE = Path(__file__).resolve().parent
OWN_SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
"""Of modules that only this Python can load."""

DTYPES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 bfloat16 "
    "float8_e4m3fn float4_e2m1fn"
).split()
"""In the order of `probe_dtype`, whose first value is 1."""

_MAP = ", ".join(f"{value}: {name}" for value, name in enumerate(DTYPES, 1))

_DEVICES = "1: cpu, 2: cuda, 3: cuda_host, 10: rocm, 11: rocm_host, 13: cuda_managed, 20: 20"

_SLOTS = f"""
    type: probe_t
    data: self->data
    dtype: {{of: self->dtype, map: {{{_MAP}}}}}
    device: {{of: self->device, map: {{{_DEVICES}}}, id: self->device_id}}
    shape: {{ndim: self->ndim, each: "self->shape[axis]"}}
    strides: {{each: "self->strides[axis]", unit: elements}}
    readonly: self->readonly
    require: [{{expr: "!self->refused", message: the probe refuses}}]"""

PROBE_SPEC = f"""\
dlpack-bindgen: 1
module: probe
doc: A struct that can be put into every state.
include: [probe.h]
tensors:
  Moved:{_SLOTS}
    doc: Moves into its owner; anything can be imported.
    release: probe_free(self)
    import:
      construct: probe_adopt(data, ndim, shape, strides, code)
      ok: "!= NULL"
      error: '"the probe is unwilling"'
  Counted:{_SLOTS}
    doc: Has a reference count of the library.
    retain: probe_ref(self)
    release: probe_unref(self)
  Borrowed:{_SLOTS}
    doc: Lives as long as somebody else lets it.
  Compact:{_SLOTS}
    doc: Takes only compact arrays, and wants to be waited for.
    release: probe_free(self)
    sync: self->flushes += 1000
    import:
      require: [compact]
      construct: probe_adopt(data, ndim, shape, strides, code)
      ok: "!= NULL"
  Created:{_SLOTS}
    doc: Goes on the thread that made it.
    release: probe_free(self)
    release_on: creator
    import:
      construct: probe_adopt(data, ndim, shape, strides, code)
      ok: "!= NULL"
  Rows:
    type: probe_t
    doc: Of fixed rank, with numbers that need not fit.
    data: self->data
    dtype: int32
    shape: ["self->rows", "self->shape[1]"]
    strides: {{outer: self->row_bytes, unit: bytes}}
  Line:
    type: probe_line
    doc: Filled by its import, in one step.
    data: self->bytes
    dtype: uint8
    shape: [self->count]
    import: {{require: [compact], set: {{bytes: data, count: "shape[0]"}}}}
  Sheet:
    type: probe_sheet
    doc: The same, in more room.
    data: self->bytes
    dtype: uint8
    shape: [self->rows, self->columns]
    import: {{require: [compact], set: {{bytes: data, rows: "shape[0]", columns: "shape[1]"}}}}
"""


def once(suffix: str) -> Callable[[Callable[[Path], None]], Callable[[Path], Path]]:
    """Makes a function that builds a module of its own name into a folder, unless the module is there already: another
    process of this run may have built it, or another Python (see `folder` in modules.py)."""

    def decorate(build: Callable[[Path], None]) -> Callable[[Path], Path]:
        @functools.wraps(build)
        def find(directory: Path) -> Path:
            target = directory / f"{build.__name__}{suffix}"
            return build_once(target, lambda: build(target))

        return find

    return decorate


@once(SUFFIX)
def lab(target: Path) -> None:
    sources = [HERE / "lab.c", HERE / "probe.c"]
    build_extension("lab", PROBE_SPEC, target.parent, sources=sources, flags=[EXPORTED, f"-I{HERE}"])


@once(OWN_SUFFIX)
def producer(target: Path) -> None:
    """Builds the producer for this Python alone: it accesses fields of types, as real producers do."""
    compile_c(["-shared", "-pthread", HERE / "producer.c"], target)


@once(SUFFIX)
def stock(target: Path) -> None:
    build_extension("stock", STOCK_SPEC, target.parent, flags=[EXPORTED, f"-I{HERE}"])


@once(OWN_SUFFIX)
def scripted(target: Path) -> None:
    compile_c(["-shared", "-pthread", HERE / "scripted.c"], target)


@once(OWN_SUFFIX)
def restarts(target: Path) -> None:
    compile_c(["-shared", HERE / "interpreters" / "restarts.c"], target)


@once(SUFFIX)
def frames(target: Path) -> None:
    """Builds the frames without the generator: their types are written by hand."""
    sources = [HERE / name for name in ("frames.c", "frames_types.c", "frames_module.c")]
    compile_c(["-shared", *LIMITED, "-pthread", f"-I{HERE}", *sources, *runtime_objects()], target)


@once(SUFFIX)
def imaging(target: Path) -> None:
    library = TOP / "examples" / "imaging"
    sources = [library / name for name in ("image.c", "image_bmp.c", "image_ops.c")]
    _committed("imaging", target, [f"-I{library}", *sources], ["-lm"])


@once(SUFFIX)
def gsl(target: Path) -> None:
    """Skips if the library is not installed."""
    check = [*CC, "-E", "-x", "c", "-"]
    found = subprocess.run(check, input="#include <gsl/gsl_matrix.h>\n", text=True, capture_output=True, check=False)
    if found.returncode != 0:
        pytest.skip("no <gsl/gsl_matrix.h>: install the GNU Scientific Library (Debian: apt install libgsl-dev)")
    _committed("gsl", target, [EXPORTED], ["-lgsl", "-lgslcblas", "-lm"])


def _committed(name: str, target: Path, arguments: Sequence[str | Path], libraries: Sequence[str]) -> None:
    """Builds a module from the files in `generated/`, unchanged."""
    folder = TOP / "generated" / name
    files = [folder / f"{name}_dlpack.c", folder / f"{name}_module.c"]
    compile_c(["-shared", *LIMITED, f"-I{folder}", *arguments, *files, *runtime_objects(), *libraries], target)
