# SPDX-License-Identifier: MIT
"""The spec of the module `stock`: the kinds of import and export that `lab` does not have."""

from __future__ import annotations

_ANY = """
    type: block
    data: self->data
    shape: {ndim: self->ndim, each: "self->extents[axis]"}
    release: block_free(self)"""
_IMPORT = '{require: [{ndim: [0, 4]}], construct: "block_around(data, ndim, shape, 0)", ok: "!= NULL"}'

SPEC = f"""\
dlpack-bindgen: 1
module: stock
include: [stock.h]
handles:
  Box:
    type: block
    release: block_free(self)
tensors:
  Rows:{_ANY}
    dtype: float64
    import: {_IMPORT}
  Columns:{_ANY}
    dtype: float64
    order: F
    import: {_IMPORT}
  Nibbles:{_ANY}
    dtype: int4
    import: {_IMPORT}
  Vectors:{_ANY}
    dtype: {{code: kDLFloat, bits: 32, lanes: 2}}
    import: {_IMPORT}
  Padded:
    type: block
    data: self->data
    dtype: uint16
    shape: ["self->extents[0]", "self->extents[1]"]
    strides: {{outer: self->pitch, unit: bytes}}
    release: block_free(self)
    import: {{construct: "block_around(data, ndim, shape, byte_strides[0])", ok: "!= NULL"}}
  Aligned:{_ANY}
    dtype: uint8
    import:
      require: [{{ndim: [0, 4]}}, writable, {{align: 128}}]
      construct: block_around(data, ndim, shape, 0)
      ok: "!= NULL"
  Copying:{_ANY}
    dtype: float64
    order: F
    import:
      require: [{{ndim: [0, 4]}}]
      copy: allowed
      construct: block_around(data, ndim, shape, 0)
      ok: "!= NULL"
  Labelled:{_ANY}
    dtype: uint8
    import:
      params: [int rate]
      require: [{{ndim: [0, 4]}}]
      construct: block_around(data, ndim, shape, rate)
      ok: "!= NULL"
  Held:
    type: block
    data: self->data
    dtype: uint8
    shape: {{ndim: rank, each: "self->extents[axis]"}}
    hold: [{{int64_t rank: self->ndim}}]
    release: block_free(self)
    import: {{require: [{{ndim: [0, 9]}}], construct: "block_around(data, ndim, shape, 0)", ok: "!= NULL"}}
  Passed:
    type: passed_block
    pass: value
    data: self.data
    dtype: uint8
    shape: {{ndim: self.ndim, each: "self.extents[axis]"}}
    import:
      require: [{{ndim: [0, 4]}}]
      construct: block_of(data, ndim, shape)
      ok: "%.data != NULL"
      destroy: none
  Coded:
    type: block
    data: self->data
    shape: ["self->extents[0]"]
    match:
      of: self->locks
      arms:
        - {{when: 0, dtype: uint8}}
        - {{when: 1, dtype: uint8, import: false}}
        - {{when: {{any: [2, 3]}}, dtype: int8, import: false}}
        - {{when: 4, dtype: int8, import: true}}
        - {{when: 5, dtype: int8}}
      default: {{dtype: int32}}
    import: {{require: [compact], set: {{data: data, "extents[0]": "shape[0]", locks: code}}}}
  Uncoded:
    type: block
    data: self->data
    shape: ["self->extents[0]"]
    dtype: {{of: self->locks, map: {{0: uint8, 1: uint8, 2: int8}}}}
    import: {{require: [compact, {{dtype: uint8}}], set: {{data: data, "extents[0]": "shape[0]"}}}}
  Constant:
    type: block
    data: self->data
    shape: ["self->extents[0]"]
    dtype: {{of: self->locks, map: {{BLOCK_OPEN: uint8, BLOCK_SEALED: uint8, 2: int8}}}}
    import: {{require: [compact], set: {{data: data, "extents[0]": "shape[0]", locks: BLOCK_SEALED}}}}
  Sealed:
    type: block
    data: self->data
    shape: ["self->extents[0]"]
    dtype: {{of: self->locks, map: {{BLOCK_OPEN: uint8, BLOCK_SEALED: uint8, 2: int8}}}}
    release: block_free(self)
    import: {{require: [compact], construct: "block_in_state(data, shape[0], BLOCK_SEALED)", ok: "!= NULL"}}
  Undeclared:
    type: block
    data: self->data
    shape: ["self->extents[0]"]
    dtype: {{of: self->locks, map: {{BLOCK_OPEN: uint8, BLOCK_SEALED: uint8, 2: int8}}}}
    release: block_free(self)
    import: {{require: [compact], construct: "block_in_state(data, shape[0], 0)", ok: "!= NULL"}}
  Remote:{_ANY}
    dtype: uint8
    device: cuda
    import: {_IMPORT}
  Locked:{_ANY}
    dtype: uint8
    acquire: self->locks++
    restore: self->locks--
    import: {_IMPORT}
  Noted:{_ANY}
    dtype: uint8
    after_write: self->locks++
    import: {_IMPORT}
  Copied:{_ANY}
    dtype: uint8
    copy: always
    import: {_IMPORT}
"""
