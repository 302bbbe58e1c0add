"""Modules from unedited specs, and from specs with one answer, share untyped memory, planes, and arrays at the end of
structs. Tensors in comments compile once somebody removes the `#`."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from init.conftest import FOLDER, HEADERS, answered, compile_generated, described
from support.build import build_module

HEADER = """\
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct lib_trace {
    void *samples;
    int n_samples;
    char sampletype; /* 'i': 32-bit integer, 'd': double, 'a': text */
} lib_trace;
lib_trace *lib_trace_new(int n, int letter);
void lib_trace_free(lib_trace *trace);

typedef struct lib_memory {
    int rows, cols;
    float data[1];
} lib_memory;
lib_memory *lib_memory_new(int rows, int cols);
void lib_memory_free(lib_memory *memory);

typedef struct lib_image lib_image;
lib_image *lib_image_new(int width, int height);
void lib_image_free(lib_image *image);
int lib_image_get_num_channels(const lib_image *image);
int lib_image_get_width(const lib_image *image, int channel);
int lib_image_get_height(const lib_image *image, int channel);
int lib_image_get_bits_per_pixel(const lib_image *image, int channel);
const uint8_t *lib_image_get_plane(const lib_image *image, int channel, int *out_stride);
"""

SOURCE = """\
#include "lib.h"

lib_trace *lib_trace_new(int n, int letter)
{
    lib_trace *trace = malloc(sizeof *trace);
    *trace = (lib_trace){calloc((size_t)n, 8), n, (char)letter};
    for (int i = 0; i < n; ++i) {
        if (letter == 'd') {
            ((double *)trace->samples)[i] = i + 0.5;
        } else {
            ((int32_t *)trace->samples)[i] = i;
        }
    }
    return trace;
}

void lib_trace_free(lib_trace *trace)
{
    free(trace->samples);
    free(trace);
}

lib_memory *lib_memory_new(int rows, int cols)
{
    const size_t n = (size_t)rows * (size_t)cols;
    lib_memory *memory = calloc(1, sizeof *memory + n * sizeof(float));
    float *data = memory->data;
    memory->rows = rows;
    memory->cols = cols;
    for (size_t i = 0; i < n; ++i) {
        data[i] = (float)i;
    }
    return memory;
}

void lib_memory_free(lib_memory *memory)
{
    free(memory);
}

struct lib_image {
    int width, height;
    uint8_t *bytes;
};

lib_image *lib_image_new(int width, int height)
{
    lib_image *image = malloc(sizeof *image);
    *image = (lib_image){width, height, malloc(1000)};
    for (int i = 0; i < 1000; ++i) {
        image->bytes[i] = (uint8_t)i;
    }
    return image;
}

void lib_image_free(lib_image *image)
{
    free(image->bytes);
    free(image);
}

int lib_image_get_num_channels(const lib_image *image)
{
    return (void)image, 3;
}

int lib_image_get_width(const lib_image *image, int channel)
{
    return channel == 0 ? image->width : image->width / 2;
}

int lib_image_get_height(const lib_image *image, int channel)
{
    return channel == 0 ? image->height : image->height / 2;
}

int lib_image_get_bits_per_pixel(const lib_image *image, int channel)
{
    return (void)image, channel == 2 ? 12 : 8;
}

const uint8_t *lib_image_get_plane(const lib_image *image, int channel, int *out_stride)
{
    *out_stride = 10;
    return image->bytes + 100 * channel;
}
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    folder = tmp_path_factory.mktemp("exports")
    spec = described(folder, "lib.h", HEADER)
    return build_module("lib", spec, folder, HEADER, SOURCE)


def test_a_letter_tells_the_type_of_untyped_memory(lib: ModuleType) -> None:
    """A comment lists the types. Another letter is refused, and `a` does not become numbers."""
    doubles = np.from_dlpack(lib.Trace(3, ord("d")))
    assert (doubles.dtype, doubles.tolist()) == (np.float64, [0.5, 1.5, 2.5])
    integers = np.from_dlpack(lib.Trace(2, ord("i")))
    assert (integers.dtype, integers.tolist()) == (np.int32, [0, 1])
    with pytest.raises(BufferError, match="sampletype"):
        np.from_dlpack(lib.Trace(2, ord("a")))


def test_memory_can_continue_behind_the_struct(lib: ModuleType) -> None:
    assert np.from_dlpack(lib.Memory(1, 6)).tolist() == [[0, 1, 2, 3, 4, 5]]
    assert np.from_dlpack(lib.Memory(3, 1)).tolist() == [[0], [1], [2]]


def test_a_matrix_whose_order_is_not_known_is_refused(lib: ModuleType) -> None:
    """Rows or columns can be contiguous. With one long axis, both give the same array."""
    with pytest.raises(BufferError, match="the order of the axes is not known"):
        np.from_dlpack(lib.Memory(2, 3))


@pytest.mark.parametrize(("order", "elements"), [("C", [[0, 1, 2], [3, 4, 5]]), ("F", [[0, 2, 4], [1, 3, 5]])])
def test_an_answer_tells_the_order_of_a_matrix(tmp_path: Path, order: str, elements: list[list[int]]) -> None:
    name = f"order_{order.lower()}"
    described(tmp_path, f"{name}.h", HEADER)
    spec = answered(tmp_path / f"{name}.yaml", {"Memory.require": f"{{order: {order}}}"})
    module = build_module(name, spec, tmp_path, HEADER, SOURCE.replace("lib.h", f"{name}.h"))
    assert np.from_dlpack(module.Memory(2, 3)).tolist() == elements


def test_planes_have_extents_of_their_own(lib: ModuleType) -> None:
    image = lib.Image(6, 4)
    whole, half = np.from_dlpack(image.plane(0)), np.from_dlpack(image.plane(1))
    assert (whole.shape, whole.strides, whole[1, 2]) == ((4, 6), (10, 1), 12)
    assert (half.shape, half[1, 2], half.flags.writeable) == ((2, 3), 112, False)


def test_planes_that_the_spec_does_not_describe_are_refused(lib: ModuleType) -> None:
    """There are three planes, and the pixels of the last one have no whole bytes."""
    image = lib.Image(6, 4)
    with pytest.raises(ValueError, match="no such channel"):
        image.plane(3)
    with pytest.raises(BufferError, match=r"bits_per_pixel.* is 12"):
        np.from_dlpack(image.plane(2))


@pytest.mark.parametrize(
    ("header", "name"),
    [("codes", "RecordDatasamples"), ("planes", "FramePlane"), ("planes", "PhotoPlane"), ("codes", "Table")],
)
def test_a_tensor_in_a_comment_compiles(tmp_path: Path, header: str, name: str) -> None:
    spec = (FOLDER / "golden" / f"{header}.yaml").read_text()
    found = re.search(rf"^  # {name}:\n(?:  #   .*\n)+", spec, re.MULTILINE)
    assert found is not None
    live = re.sub(r"^  # ", "  ", found[0], flags=re.MULTILINE)
    spec = spec.replace(found[0], live)
    if re.search(rf"^  {name}:$", spec[spec.index("\nhandles:") :], re.MULTILINE):
        spec = spec[: spec.index("\nhandles:")] + "\n"
    compile_generated(spec, tmp_path, [f"-I{HEADERS}"])
