"""The code of a library for a dtype or a device, which an import passes on: it compiles without a warning with both
compilers, whatever the types of the code and of the parameter are."""

import shutil
from pathlib import Path

import pytest

from compile.test_strict_warnings import COMMON, COMPILE, ONLY_C, compiles
from support.build import generate

HEADER = Path(__file__).with_name("blocks.h").read_text()
TENSOR = """
  Block{number}:
    type: block
    {let}
    data: self->at
    dtype: {{of: {of}, map: {{{u8}: uint8, {f32}: float32}}}}
    shape: [self->n]
    release: block_free(self)
    {way}
"""
OF = [
    ("let: [{const plan *p: block_plan(self)}]", "p->kind"),
    ("let: [{%s k: self->plan.kind}]", "k"),
    ("", "block_kind(self)"),
    ("", "self->plan.kind"),
]
"""Places that a code is read from."""
TYPES = {
    "enum to itself": ("tone", "kind", "tone", "TONE_U8", "TONE_F32"),
    "enum to int": ("tone", "kind", "int", "TONE_U8", "TONE_F32"),
    "enum to unsigned": ("tone", "kind", "unsigned", "TONE_U8", "TONE_F32"),
    "int to enum": ("int", "kind", "tone", "TONE_U8", "TONE_F32"),
    "unsigned to int": ("unsigned", "kind", "int", "TONE_U8", "TONE_F32"),
    "size_t to enum": ("size_t", "kind", "tone", "TONE_U8", "TONE_F32"),
    "int64_t to enum": ("int64_t", "kind", "wide", "WIDE_U8", "WIDE_F32"),
    "tag with negative values": ("enum shade", "kind", "enum shade", "SHADE_U8", "SHADE_F32"),
    "negative key": ("enum shade", "kind", "enum shade", "SHADE_NONE", "SHADE_F32"),
    "int to an enum of 16 bits": ("int", "kind", "wide", "WIDE_U8", "WIDE_F32"),
    "letters": ("char", "kind", "char", "\"'B'\"", "\"'f'\""),
    "letters to int": ("char", "kind", "int", "\"'B'\"", "\"'f'\""),
    "int to a byte": ("int", "kind", "uint8_t", "1", "2"),
    "bytes": ("uint8_t", "kind", "uint8_t", "1", "200"),
    "bits": ("tone", "kind : 9", "tone", "TONE_U8", "TONE_F32"),
    "macros of 32 bits": ("uint32_t", "kind", "uint32_t", "FOUR_U8", "FOUR_F32"),
    "macros of 64 bits": ("uint64_t", "kind", "uint64_t", "LONG_U8", "LONG_F32"),
    "variables of the library": ("int", "kind", "int", "global_u8", "global_f32"),
    "truth": ("_Bool", "kind", "_Bool", "0", "1"),
}
WAYS = [
    "import: {construct: 'block_over(data, shape[0], code)'}",
    "import: {init: 'block_fill(self, data, shape[0], code)', ok: == 0}",
    "import: {set: {at: data, n: 'shape[0]', plan.kind: code}}",
    "import: {let: [{%s kind: code}], construct: 'block_over(data, shape[0], kind)'}",
    "import: {require: [{expr: block_takes(code)}], construct: 'block_over(data, shape[0], (%s)code)'}",
]
"""Places that a code is written to."""


def warnings(compiler: str, folder: Path, header: str, spec: str) -> str:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    (folder / "blocks.h").write_text(header)
    found = ""
    for source in generate(spec, folder):
        if source.name.endswith("_dlpack.c"):
            flags = ["-std=c11", "-fPIC", *COMMON, *ONLY_C, f"-I{folder}"]
            fine, output = compiles(compiler, *flags, *COMPILE[compiler], str(source))
            found += "" if fine else output
    return found


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("types", TYPES)
def test_a_code_of_any_type_is_passed_on_without_a_warning(compiler: str, types: str, tmp_path: Path) -> None:
    ctype, member, wanted, u8, f32 = TYPES[types]
    pairs = [(OF[0], way) for way in WAYS] + [(of, WAYS[0]) for of in OF[1:]]
    spec = "module: blocks\ninclude: blocks.h\ntensors:\n" + "".join(
        TENSOR.format(number=number, let=let.replace("%s", ctype), of=of, u8=u8, f32=f32, way=way.replace("%s", wanted))
        for number, ((let, of), way) in enumerate(pairs)
    )
    header = HEADER.format(of=ctype, member=f"{ctype} {member}", wanted=wanted)
    assert warnings(compiler, tmp_path, header, spec) == ""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("member", ["place", "int", "size_t"])
def test_a_code_of_a_device_is_passed_on_without_a_warning(compiler: str, member: str, tmp_path: Path) -> None:
    header = f"""
#include <stddef.h>
typedef enum {{ AT_HOST, AT_CARD }} place;
typedef struct {{ {member} place; float *at; long n; }} block;
static inline const block *block_itself(const block *b) {{ return b; }}
block *block_over(void *at, long n, place where, int card);
void block_free(block *b);
"""
    spec = """
module: blocks
include: blocks.h
tensors:
  Block:
    type: block
    let: [{const block *b: block_itself(self)}]
    data: self->at
    dtype: float32
    device: {of: b->place, map: {AT_HOST: cpu, AT_CARD: cuda}}
    shape: [self->n]
    release: block_free(self)
    import: {construct: "block_over(data, shape[0], device_code, device_id)"}
"""
    assert warnings(compiler, tmp_path, header, spec) == ""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_codes_of_several_values_are_passed_on_without_a_warning(compiler: str, tmp_path: Path) -> None:
    header = """
typedef enum { BASE_INT, BASE_FLOAT } base;
typedef struct { int base; long width; void *at; long n; } block;
block *block_over(void *at, long n, base base, unsigned char width);
void block_free(block *b);
"""
    spec = """
module: blocks
include: blocks.h
tensors:
  Block:
    type: block
    data: self->at
    match:
      of: [self->base, self->width]
      arms: [{when: [BASE_INT, 8], dtype: int8}, {when: [BASE_FLOAT, 32], dtype: float32}]
    shape: [self->n]
    release: block_free(self)
    import: {construct: "block_over(data, shape[0], code[0], code[1])"}
"""
    assert warnings(compiler, tmp_path, header, spec) == ""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("text", ["block_over(data, shape[0], &code)", "block_packed(data, shape[0], code << 40)"])
def test_a_code_has_its_own_type_where_it_is_not_only_passed_on(compiler: str, text: str, tmp_path: Path) -> None:
    header = """
#include <stdint.h>
typedef struct { int64_t kind; void *at; long n; } block;
block *block_over(void *at, long n, const int64_t *kind);
block *block_packed(void *at, long n, int64_t kind);
void block_free(block *b);
"""
    spec = f"""
module: blocks
include: blocks.h
tensors:
  Block:
    type: block
    data: self->at
    dtype: {{of: self->kind, map: {{1: uint8, 2: float32}}}}
    shape: [self->n]
    release: block_free(self)
    import: {{construct: '{text}'}}
"""
    assert warnings(compiler, tmp_path, header, spec) == ""
