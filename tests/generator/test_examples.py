"""Specs of real libraries, each in a few lines, have no mistakes."""

from __future__ import annotations

import pytest

from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.text.yaml import load

_EXAMPLES = {
    "smallest": """\
dlpack-bindgen: 1
module: pictures
include: [picture.h]
tensors:
  Picture:
    type: picture_t
    data: self->pixels
    dtype: uint8
    shape: [self->rows, self->columns, self->channels]
    strides: {outer: self->row_bytes, unit: bytes}
    release: picture_free(self)
""",
    "one element type after the other": """\
dlpack-bindgen: 1
module: gsl
tensors:
  Matrix${N}:
    variants:
      - {N: "", T: gsl_matrix, dtype: float64}
      - {N: U8, T: gsl_matrix_uchar, dtype: uint8}
      - {N: C64, T: gsl_matrix_complex_float, dtype: complex64}
    type: ${T}
    data: self->data
    shape: [self->size1, self->size2]
    strides: {outer: self->tda}
    release: ${T}_free(self)
    allocate: {construct: "${T}_calloc(shape[0], shape[1])", ok: "!= NULL", require: [{ndim: 2}]}
    import:
      set: {size1: "shape[0]", size2: "shape[1]", tda: "strides[0]", data: data, block: NULL, owner: 0}
      require: [{ndim: 2}, inner_compact, nonnegative_strides, writable]
""",
    "formats, an error state, a deleter that is attached": """\
dlpack-bindgen: 1
module: surfaces
include: [<cairo.h>]
tensors:
  Surface:
    type: cairo_surface_t
    require:
      - expr: cairo_surface_status(self) == CAIRO_STATUS_SUCCESS
        error: cairo_status_to_string(cairo_surface_status(self))
      - {expr: cairo_surface_get_type(self) == CAIRO_SURFACE_TYPE_IMAGE, message: this is no image}
    before_read: cairo_surface_flush(self)
    after_write: cairo_surface_mark_dirty(self)
    let:
      - int height: cairo_image_surface_get_height(self)
      - int width: cairo_image_surface_get_width(self)
    data: cairo_image_surface_get_data(self)
    strides: {outer: cairo_image_surface_get_stride(self), unit: bytes}
    match:
      of: cairo_image_surface_get_format(self)
      arms:
        - {when: CAIRO_FORMAT_ARGB32, dtype: uint8, shape: [height, width, 4], import: true}
        - {when: CAIRO_FORMAT_RGB24, dtype: uint8, shape: [height, width, 4]}
        - {when: CAIRO_FORMAT_A8, dtype: uint8, shape: [height, width]}
        - {when: CAIRO_FORMAT_RGBA128F, dtype: float32, shape: [height, width, 4], if: CAIRO_VERSION >= 11702}
    retain: cairo_surface_reference(self)
    release: cairo_surface_destroy(self)
    import:
      require: [{ndim: [2, 3]}, inner_compact, nonnegative_strides, writable]
      let: [{static cairo_user_data_key_t key: }, {int height: "shape[0]"}, {int width: "shape[1]"}]
      construct: "cairo_image_surface_create_for_data(data, code, width, height, (int)byte_strides[0])"
      ok: cairo_surface_status(%) == CAIRO_STATUS_SUCCESS
      error: cairo_status_to_string(cairo_surface_status(result))
      attach:
        do: cairo_surface_set_user_data(self, &key, user, deleter)
        ok: == CAIRO_STATUS_SUCCESS
        order: [user]
""",
    "planes, values held from before the clone": """\
dlpack-bindgen: 1
module: frames
tensors:
  Plane:
    type: AVFrame
    params: [int plane = 0]
    hold: [{int writable: av_frame_is_writable(self)}]
    require:
      - expr: plane >= 0 && plane < AV_NUM_DATA_POINTERS && self->data[plane]
        message: there is no such plane
    let: [{int h: self->height}, {int w: self->width}]
    data: self->data[plane]
    strides: {outer: "self->linesize[plane]", unit: bytes}
    match:
      of: [self->format, plane]
      arms:
        - {when: [AV_PIX_FMT_GRAY8, 0], dtype: uint8, shape: [h, w]}
        - {when: [{any: [AV_PIX_FMT_RGB24, AV_PIX_FMT_BGR24]}, 0], dtype: uint8, shape: [h, w, 3]}
        - {when: [{any: [AV_PIX_FMT_NV12, AV_PIX_FMT_YUV420P]}, 0], dtype: uint8, shape: [h, w]}
        - {when: [AV_PIX_FMT_NV12, 1], dtype: uint8, shape: [(h + 1) / 2, (w + 1) / 2, 2]}
        - {when: [AV_PIX_FMT_YUV420P, _], dtype: uint8, shape: [(h + 1) / 2, (w + 1) / 2]}
    readonly: "!writable"
    clone: av_frame_clone(self)
    release: av_frame_free(&self)
handles:
  Frame:
    type: AVFrame
    clone: {do: av_frame_clone(self), ok: "!= NULL"}
    release: av_frame_free(&self)
    parts: {name: planes, of: Plane, count: av_pix_fmt_count_planes(self->format)}
""",
    "a rank of run time, axes the other way around": """\
dlpack-bindgen: 1
module: rasters
maps:
  types: {nrrdTypeChar: int8, nrrdTypeUChar: uint8, nrrdTypeInt: int32, nrrdTypeFloat: float32}
tensors:
  Raster:
    type: Nrrd
    data: self->data
    shape: {ndim: self->dim, each: "self->axis[axis].size"}
    order: reversed
    dtype: {of: self->type, map: types}
    release: nrrdNuke(self)
    import:
      require: [{ndim: [1, 16]}, compact, writable]
      let:
        - size_t size[]: shape
        - unsigned rank: ndim
        - {Nrrd *fresh: nrrdNew(), ok: "!= NULL", undo: nrrdNix(fresh)}
      construct: "nrrdWrap_nva(fresh, data, code, rank, size) == 0 ? fresh : NULL"
      ok: "!= NULL"
      destroy: nrrdNix(self)
""",
    "memory of a device, a test for all calls": """\
dlpack-bindgen: 1
module: device
ok: == RT_OK
tensors:
  Tensor:
    type: rt_tensor
    data: self->buffer->address
    shape: {ndim: self->rank, each: "self->extents[axis]"}
    strides: {each: "self->steps[axis]", unit: elements, compact_when: self->steps == NULL}
    dtype: {code: self->dtype.code, bits: self->dtype.bits, lanes: 1}
    device: {of: self->buffer->kind, map: {RT_HOST: cpu, RT_CUDA: cuda, RT_PINNED: cuda_host}, id: self->buffer->device}
    acquire: {do: rt_lock(self)}
    restore: rt_unlock(self)
    sync: {do: "rt_wait(self, (rt_stream)stream)"}
    to_cpu: {do: "rt_download(self, dst, nbytes)"}
    retain: rt_retain(self)
    release: rt_release(self)
    release_on: gil
""",
    "a descriptor whose axes follow it": """\
dlpack-bindgen: 1
module: descriptors
tensors:
  Array:
    type: CFI_cdesc_t
    require: [{expr: self->base_addr != NULL, message: it is not allocated}]
    data: self->base_addr
    dtype: {of: self->type, map: {CFI_type_int: {c: int}, CFI_type_double: float64}}
    shape: {ndim: self->rank, each: "self->dim[axis].extent"}
    strides: {each: "self->dim[axis].sm", unit: bytes}
    order: F
    import:
      require: [{ndim: [0, 15]}]
      box: CFI_CDESC_T(CFI_MAX_RANK)
      set:
        base_addr: data
        rank: ndim
        type: code
        "dim[axis].extent": shape[axis]
        "dim[axis].sm": byte_strides[axis]
""",
}


@pytest.mark.parametrize("name", _EXAMPLES)
def test_the_spec_of_a_real_library_has_no_mistake(name: str) -> None:
    specs, diagnostics = validate([load("f", _EXAMPLES[name].encode())])
    assert diagnostics == []
    assert len(specs) == 1
