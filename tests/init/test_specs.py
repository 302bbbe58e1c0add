"""Specs for headers with each kind of difficulty: they generate and compile, and mark guesses and open questions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dlpack_bindgen.tools import c_compiler
from dlpack_bindgen.tools.init.layout import unit_in_comment
from init.conftest import FOLDER, HEADERS, answered, asked, calls, compile_generated, described, initialised
from support.build import TOP, build_extension, import_extension
from test_documents import blocks

GOLDEN = ("picture", "tensor", "opaque", "arrays", "formats", "pixels", "axes", "codes", "flexible", "planes")
GOOD = (
    *GOLDEN,
    "rows",
    "macros",
    "fields",
    "several",
    "owners",
    "alone",
    "constants",
    "undecided",
    "refused",
    "files",
    "emitted",
)


@pytest.mark.parametrize("arguments", [(), ("--accept",)], ids=["draft", "accepted"])
@pytest.mark.parametrize("name", GOOD)
def test_a_spec_generates_and_compiles(tmp_path: Path, name: str, arguments: tuple[str, ...]) -> None:
    spec = initialised(tmp_path / f"{name}.yaml", str(HEADERS / f"{name}.h"), *arguments)
    compile_generated(spec, tmp_path, [f"-I{HEADERS}"])


@pytest.mark.parametrize("name", GOLDEN)
def test_a_spec_is_this_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """`cd tests/init && dlpack-bindgen init headers/NAME.h -o golden/NAME.yaml --force` writes the expected spec."""
    monkeypatch.chdir(FOLDER)
    spec = initialised(tmp_path / f"{name}.yaml", f"headers/{name}.h")
    assert spec == (FOLDER / "golden" / f"{name}.yaml").read_text(encoding="utf-8")


def test_a_module_shares_its_arrays(tmp_path: Path) -> None:
    """The suggestions for a common library are right, and one question has no suggestion."""
    described(tmp_path, "picture.h", (HEADERS / "picture.h").read_text(), "--accept")
    spec = answered(tmp_path / "picture.yaml", {"second object": "reads"})
    sources = [FOLDER / "picture.c"]
    path = build_extension("picture", spec, tmp_path, sources=sources, flags=[f"-I{HEADERS}"])
    picture = import_extension("picture", path)
    image = picture.Image(4, 2, 3)
    pixels = np.from_dlpack(image)
    assert (pixels.shape, pixels.dtype, pixels.strides) == ((2, 4, 3), np.uint8, (15, 3, 1))
    assert (image.gamma, image.title, image.size) == (2.5, "black", 30)
    pixels[0, 0, 0] = 7
    assert image.blur(image, 2) is None
    assert np.from_dlpack(image.copy())[0, 0, 0] == 9
    assert np.from_dlpack(picture.image_load("picture")).shape == (1, 2, 3)
    with pytest.raises(RuntimeError, match="cannot open the picture"):
        picture.image_load("nothing")
    x = np.array([1, 2], np.float32)
    y = np.zeros(2, np.float32)
    picture.curve_apply(x, y)
    assert y.tolist() == [2, 4]
    assert picture.curve_mean(np.array([1.0, 3.0])) == 2


@pytest.fixture
def spec_of(tmp_path: Path) -> object:
    return lambda name, *arguments: initialised((tmp_path / name).with_suffix(".yaml"), str(HEADERS / name), *arguments)


LINES = [
    pytest.param(
        "rows.h",
        "    strides: {outer: self->lda, unit: elements}  # guess: the row stride and the unit, by name",
        id="unit by name",
    ),
    pytest.param("rows.h", "    #   strides: {outer: self->stride, unit: bytes}", id="open unit"),
    pytest.param("rows.h", "    strides: {rows: self->data}  # guess: each pointer is a row", id="pointers to rows"),
    pytest.param("macros.h", "      TYPE_FLOAT: MAC_TYPE_FLOAT".replace("      ", "  "), id="macro"),
    pytest.param("macros.h", "    # guess: by the names of the constants", id="dtypes of macros"),
    pytest.param("macros.h", "    dtype: int16", id="fields of a macro"),
    pytest.param("macros.h", "        c: double mac_sum_v2(const mac_array *array)", id="function behind a macro"),
    pytest.param(
        "fields.h",
        "    shape: [self->height, self->width]",
        id="bit-fields",
    ),
    pytest.param(
        "fields.h",
        "  # open: Mixed looks like an array. Complete it here, and remove the handle Mixed below",
        id="union",
    ),
    pytest.param("fields.h", "    strides: {outer: 4, unit: elements}", id="array in the struct"),
    pytest.param(
        "several.h", "  Mode: {enum: {FAST: SEV_MODE_FAST, EXACT: SEV_MODE_EXACT}}", id="enum of another header"
    ),
    pytest.param("several.h", "      limit: {get: self->limit, set: true, type: float}", id="struct of numbers"),
    pytest.param("alone.h", "include: [<stdio.h>, alone.h]", id="missing include"),
    pytest.param("undecided.h", "  #   # open: which number of axes has `shape`?", id="open rank"),
    pytest.param(
        "emitted.h",
        "prefix: emitted_py  # the header declares a name that emitted would emit",
        id="emitted names",
    ),
    pytest.param(
        "files.h",
        "    args: {stream: {of: file, mode: w}}  # guess: the mode of `stream`, by the word `print`",
        id="file for text",
    ),
    pytest.param(
        "files.h",
        "        args: {to: {of: file, mode: wb}}  # guess: the mode of `to`, by the word `write`",
        id="written file",
    ),
    pytest.param(
        "files.h", "  # open: does it read or write `file`? {of: file, mode: rb}, or mode: wb", id="open mode"
    ),
    pytest.param("opaque.h", "    #   # open: variadic functions are not supported", id="variadic"),
]


@pytest.mark.parametrize(("name", "line"), LINES)
def test_a_spec_has_this_line(spec_of, name: str, line: str) -> None:  # type: ignore[no-untyped-def]
    assert line in spec_of(name).splitlines()


ACCEPTED_LINES = [
    pytest.param("several.h", "numbers: {sev_real: float}", id="typedef of another header"),
    pytest.param("several.h", "        args: {list: {takes: always}}", id="second free"),
    pytest.param("owners.h", "        args: {array: {invalidates: true}}", id="moved memory"),
    pytest.param("owners.h", "        args: {array: {out: true, borrow: pool}}", id="borrowed out"),
    pytest.param("owners.h", "        returns: {of: Array, borrow: pool}", id="borrowed result"),
    pytest.param("owners.h", "        args: {count: {count_of: arrays}}", id="objects"),
    pytest.param(
        "owners.h", "        args: {record: bytes, recbuflen: {size_of: record}}", id="characters with a length"
    ),
    pytest.param("owners.h", "    release: own_view_release(self)", id="freed by a pointer to const"),
    pytest.param(
        "owners.h", "      is_free: {get: own_view_is_free(self), type: bool}", id="read by a pointer to const"
    ),
    pytest.param(
        "emitted.h", "        c: emitted_vector *emitted_vector_wrap(emitted_vector *other)", id="emitted name"
    ),
    pytest.param(
        "files.h",
        "      args: {from_: {of: file, mode: rb}}  # guess: the mode of `from_`, by the word `read`",
        id="read file",
    ),
    pytest.param("opaque.h", "        returns: {of: Surface, borrow: session}", id="borrowed surface"),
    pytest.param("opaque.h", "    args: {session: {out: true}, path: path}  # guess: `path` is a path", id="path"),
    pytest.param("tensor.h", "    retain: ten_ref(self)", id="reference"),
    pytest.param("opaque.h", "    retain: opq_surface_ref(self)", id="reference with a result"),
    pytest.param(
        "picture.h", "    args: {n: {count_of: x}, y: {require: [{count: n}]}}", id="one length of two arrays"
    ),
]


@pytest.mark.parametrize(("name", "line"), ACCEPTED_LINES)
def test_an_accepted_draft_has_this_line(spec_of, name: str, line: str) -> None:  # type: ignore[no-untyped-def]
    """The line follows from a suggestion: without an answer, the draft lacks it."""
    assert line in spec_of(name, "--accept").splitlines()
    assert line not in spec_of(name, "--force").splitlines()


QUESTIONS = [
    pytest.param("several.h", "sev_list_free_all", {"ends": "ends"}, id="second free"),
    pytest.param("several.h", "sev_smooth", {"second object": ""}, id="object beside options"),
    pytest.param("several.h", "sev_get_mode", {"library": "plain"}, id="no object"),
    pytest.param("several.h", "sev_fill", {"output sev_real *values": "count: n"}, id="length"),
    pytest.param(
        "several.h",
        "sev_bounds",
        {"objects": "plain", "output double *low": "one", "output double *high": "one"},
        id="results beside an object",
    ),
    pytest.param("owners.h", "own_array_resize", {"objects with a doubtful name": "moves"}, id="moved memory"),
    pytest.param("owners.h", "own_array_swap", {"second object with a doubtful name": ""}, id="exchanged memory"),
    pytest.param(
        "owners.h", "own_pool_get", {"results": "part", "structs own_array **array": "one"}, id="borrowed out"
    ),
    pytest.param("owners.h", "own_pool_first", {"results": "part"}, id="borrowed result"),
    pytest.param("owners.h", "own_pool_destroy_array", {"second object with a doubtful name": ""}, id="freed argument"),
    pytest.param("owners.h", "own_array_wrap", {"results": "new", "output double *data": ""}, id="kept array"),
    pytest.param(
        "owners.h",
        "own_pool_merge",
        {"objects with a doubtful name": "moves", "structs const own_array *const *arrays": "count: count"},
        id="objects",
    ),
    pytest.param(
        "owners.h",
        "own_pool_parse",
        {"text": "moves", "bytes const char *record": "count: recbuflen"},
        id="characters with a length",
    ),
    pytest.param("owners.h", "own_pool_list", {"second object": ""}, id="filled structs"),
    pytest.param("owners.h", "own_view_release", {"ends": "ends"}, id="freed by a pointer to const"),
    pytest.param(
        "owners.h", "own_view_is_free", {"objects with a doubtful name": "plain"}, id="read by a pointer to const"
    ),
    pytest.param("opaque.h", "opq_surface_get_width", {"Surface.data": "reads"}, id="extent of an opaque struct"),
    pytest.param("opaque.h", "opq_plan_execute", {"objects": "plain"}, id="object that is not const"),
    pytest.param("planes.h", "pla_sound_get_row", {"objects": "plain", "array results": ""}, id="memory as the result"),
    pytest.param("planes.h", "pla_scan_free", {"ends": "ends"}, id="end of an object that nothing makes"),
    pytest.param("tensor.h", "ten_unref", {"ends": "unref"}, id="end of a reference"),
]


@pytest.mark.parametrize(("name", "function", "questions"), QUESTIONS)
def test_a_function_is_a_question(spec_of, name: str, function: str, questions: dict[str, str]) -> None:  # type: ignore[no-untyped-def]
    """Types do not tell whether the function frees, moves, keeps or overruns memory. Names suggest an answer."""
    spec = spec_of(name)
    assert asked(spec, function) == questions
    assert not calls(spec, function)


def test_many_refused_functions_need_few_compilations(spec_of, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    """The lines of the errors lead to the functions, which are not tried one by one."""
    files = []
    compiled = c_compiler.compile_error
    monkeypatch.setattr(c_compiler, "compile_error", lambda *given: files.append(given) or compiled(*given))
    spec = spec_of("refused.h", "--accept")
    assert spec.count("# the compiler refuses it: ") == 61
    assert [line for line in spec.splitlines() if line.startswith("    c: ")] == [
        "    c: int ref_sum(int a, int b)",
        "    c: int ref_last(int a)",
    ]
    assert len(files) == 2


def test_a_type_limits_the_spec_to_its_functions(spec_of) -> None:  # type: ignore[no-untyped-def]
    spec = spec_of("several.h", "--type", "sev_vector")
    assert "  Vector:\n" in spec
    assert "sev_list" not in spec
    assert "Mode" not in spec


def test_the_page_shows_the_spec_of_the_tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    header = next(iter(blocks("c", (TOP / "docs/tutorial.md").read_text())))
    shown = next(iter(blocks("yaml", (TOP / "docs/init.md").read_text())))
    (tmp_path / "heat.h").write_text(header)
    monkeypatch.chdir(tmp_path)
    assert initialised(tmp_path / "heat.yaml", "heat.h") == shown


def test_comments_and_strings_in_latin_1_are_left_out(tmp_path: Path) -> None:
    """Old headers have comments and strings in Latin-1."""
    header = tmp_path / "old.h"
    header.write_bytes(b'/** Gr\xfc\xdfe. */\nint old_f(int x);\n#define OLD_S "\xe9"\n#define OLD_N 3\n')
    spec = initialised(tmp_path / "spec.yaml", str(header), "--accept")
    assert "    c: int old_f(int x)\n" in spec
    assert "OLD_N" in spec
    assert "doc:" not in spec


def test_reserved_names_of_parameters_are_changed(tmp_path: Path) -> None:
    """C reserves names with two underscores, and specs cannot use them."""
    header = "#include <stddef.h>\ndouble sys_mean(const double *__x, size_t __n);\n"
    assert asked(described(tmp_path, "sys.h", header), "sys_mean") == {"input const double *x": "count: n"}
    spec = described(tmp_path, "sys.h", header, "--accept", "--force")
    assert "    c: double sys_mean(const double *x, size_t n)\n" in spec
    assert "    args: {n: {count_of: x}}" in spec


def test_a_struct_beside_a_number_is_a_question(tmp_path: Path) -> None:
    """A struct beside a number can be an array: C would read beyond the only struct that Python passes."""
    header = (
        "typedef struct vec { float x, y; } vec;\n"
        "void vec_scale(vec *v, int n, float by);\n"
        "float vec_dot(const vec *a, const vec *b);\n"
    )
    spec = described(tmp_path, "vec.h", header)
    assert asked(spec, "vec_scale") == {"objects": "plain", "structs vec *v": "count: n"}
    assert not calls(spec, "vec_scale")
    assert calls(spec, "vec_dot")
    many = described(tmp_path, "vec.h", header, "--accept", "--force")
    assert "records:\n  vec: [x, y]\n" in many
    assert "    c: void vec_scale(vec *v, int n, float by)\n    args: {n: {count_of: v}, v: records}\n" in many
    described(tmp_path, "vec.h", header, "--force")
    one = answered(tmp_path / "vec.yaml", {"objects": "plain", "structs vec *v": "one"})
    assert "        c: void vec_scale(vec *v, int n, float by)\n" in one
    assert "count_of" not in one


def test_a_function_that_finalizes_is_the_release(tmp_path: Path) -> None:
    """Its result can be a status, so that types do not tell it: the name suggests it."""
    header = "typedef struct stmt_impl *db_stmt;\nint db_finalize(db_stmt s);\nint db_step(db_stmt s);\n"
    spec = described(tmp_path, "db.h", header)
    assert "  Stmt:\n" in spec
    assert asked(spec, "db_finalize") == {"ends": "ends"}
    assert not calls(spec, "db_finalize")
    assert "    release: db_finalize(self)\n" in described(tmp_path, "db.h", header, "--accept", "--force")


def test_only_the_first_200_constants_are_written(tmp_path: Path) -> None:
    """The spec says that it leaves constants out."""
    spec = described(tmp_path, "many.h", "".join(f"#define MANY_A{number} {number}\n" for number in range(203)))
    assert "# The header has 3 more constants. Add those that Python needs to `constants`.\n" in spec
    assert spec.count("  A") == 200


def test_a_sparse_matrix_has_the_shape_of_its_stored_elements(tmp_path: Path) -> None:
    """The data has the number of stored elements, and not rows by columns."""
    spec = described(
        tmp_path,
        "sparse.h",
        "typedef struct csr { int rows, cols, nnz; double *values; int *indices, *indptr; } csr;\n"
        "void csr_free(csr *m);\n",
    )
    assert "    shape: [self->nnz]  # guess: the number of elements, by its name\n" in spec
    assert "      rows: self->rows\n" in spec


def test_a_struct_by_value_can_keep_an_array(tmp_path: Path) -> None:
    """The array must live as long as the struct with its address. No suggestion tells whether the struct has it."""
    header = (
        "typedef struct view { const float *data; int n; } view;\n"
        "view view_of(const float *x, int n);\n"
        "typedef struct range { float least, most; } range;\n"
        "range range_of(const float *x, int n);\n"
    )
    spec = described(tmp_path, "view.h", header, "--accept")
    assert asked(spec, "view_of") == {"input const float *x": ""}
    assert not calls(spec, "view_of")
    assert "    c: range range_of(const float *x, int n)\n" in spec
    described(tmp_path, "view.h", header, "--force")
    answer = "{count: {n: rest}, keeps: view_of}"
    assert "    returns: {of: View, keeps: x}" in answered(tmp_path / "view.yaml", {"input const float *x": answer})


def test_an_object_that_python_never_gets(tmp_path: Path) -> None:
    """A header can declare a function that the library lacks. No handle calls it without a use."""
    header = (
        "typedef struct face face;\nvoid face_free(face *f);\n"
        "typedef struct name name;\nvoid name_free(name *f);\nint name_length(const name *n);\n"
    )
    spec = described(tmp_path, "face.h", header)
    assert asked(spec, "face_free") == asked(spec, "name_free") == {"ends": "ends"}
    assert not calls(spec, "face_free")
    assert not calls(spec, "name_free")
    spec = described(tmp_path, "face.h", header, "--accept", "--force")
    assert "  # open: no function below makes or takes such an object\n  # Face:\n" in spec
    assert not calls(spec, "face_free")
    assert "  Name:\n    type: name\n    release: name_free(self)\n" in spec


LENGTHS = [
    pytest.param(
        "double *x; int n, m; int *p; /* starts (size n+1) or columns (size m) */",
        '    shape: ["self->n + 1 < self->m ? self->n + 1 : self->m"]',
        id="the smaller of two lengths",
    ),
    pytest.param(
        "double *x; int n; int *p; /* starts, n in size */",
        "    shape: [self->n]  # guess: the length, by a comment in the header",
        id="a length in size",
    ),
    pytest.param(
        "int mWidth, mHeight; short *dots; /* mWidth * mHeight dots */",
        "    shape: [self->mHeight, self->mWidth]",
        id="a product",
    ),
    pytest.param(
        "int used_size; /* abs(used_size) is the number of limbs */\n unsigned *limbs;",
        '    shape: ["(self->used_size < 0 ? -(int64_t)self->used_size : self->used_size)"]',
        id="a sign with a meaning",
    ),
    pytest.param(
        "double *x; int m, k; /* abs(k) is the size */\n int *perm; /* size k, length m */",
        '    shape: ["(self->k < 0 ? -(int64_t)self->k : self->k) < self->m ? '
        '(self->k < 0 ? -(int64_t)self->k : self->k) : self->m"]',
        id="the smaller of two lengths, of which one has a sign",
    ),
    pytest.param(
        "double *x; int n, width, height; short *dots; /* width * height / 2 */",
        "  # open: which length has `dots`? Replace N: self->n, self->width, self->height",
        id="a half of a product",
    ),
    pytest.param(
        "double *x; int n, width, height; short *dots; /* 3 x width x height */",
        "  # open: which length has `dots`? Replace N: self->n, self->width, self->height",
        id="a product of three factors",
    ),
    pytest.param(
        "int flag, n; double *start, *chol; /* packed upper triangular matrix */",
        "    shape: [self->n]  # guess: the only length of the struct",
        id="a matrix of which a half is stored",
    ),
    pytest.param(
        "struct { char *data; int length; } name; short *dots; int left, right; short *unknown;",
        "  # open: which length has `dots`? Replace N: self->left, self->right",
        id="the length of a string in the struct",
    ),
    pytest.param(
        "int n_all;\n/** The angles.\n * n_all in size. */\nREAL double *angles; double *unknown;",
        "    shape: [self->n_all]  # guess: the length, by a comment in the header",
        id="a comment before a macro",
    ),
    pytest.param(
        "unsigned short channels, length; int samples[2][1152];",
        "    shape: [self->channels, self->length]  # guess: the used part, by their names",
        id="channels of samples",
    ),
    pytest.param(
        "double *stor_begin, *stor_end, *end;",
        "    shape: [self->end - self->stor_begin]  # guess: `end` is its end, by its name",
        id="a pointer behind the last element",
    ),
    pytest.param(
        "int width, height; unsigned char *y, *u, *v; int y_stride, uv_stride;",
        "    strides: {outer: self->y_stride, unit: bytes}",
        id="planes with strides",
    ),
    pytest.param(
        "int width, height; unsigned *y, *rgb; int rgb_stride; /* in pixels, not bytes */",
        "    strides: {outer: self->rgb_stride, unit: elements}",
        id="planes with strides in pixels",
    ),
    pytest.param(
        "int width, height; unsigned *y, *rgb; int rgb_stride; /* in pixels */",
        "    # guess: the extents of the image, because it has a row stride; the unit of `rgb_stride`, by its comment",
        id="the reason of a unit",
    ),
    pytest.param(
        "int width, height; float *y, *rgb; int rgb_stride; /* floats, not in bytes */",
        "  # open: which length has `rgb`? Replace N: self->width, self->height, self->rgb_stride",
        id="a comment that denies a unit",
    ),
    pytest.param(
        "int ncols, nrows; float (*data)[4];",
        "    strides: {outer: 4, unit: elements}",
        id="a pointer to rows of a constant length",
    ),
    pytest.param(
        "int width, height; unsigned char *y, *u, *v; int y_stride, uv_stride;",
        "  # open: which length has `u`? Replace N: self->width, self->height, self->y_stride, self->uv_stride",
        id="planes of another size",
    ),
    pytest.param(
        "unsigned char **pixels; int sx, sy; int **tpixels;",
        "    strides: {rows: self->tpixels}",
        id="two tables of rows",
    ),
    pytest.param(
        "double *data; int rows, cols;",
        "    order: F  # guess: the macro `AT` reads columns",
        id="a macro that reads columns",
    ),
    pytest.param(
        "int flag, naxis; double *start, *pc; /* linear transformation matrix. */",
        "    shape: [self->naxis, self->naxis]",
        id="a square matrix",
    ),
    pytest.param(
        "int flag, naxis; double *start, *pc; /* diagonal of the matrix */",
        "    shape: [self->naxis]  # guess: the only length of the struct",
        id="a part of a matrix",
    ),
    pytest.param(
        "int nr_class, nr_feature; double *w; int *label; /* label of each class */",
        "    shape: [self->nr_class]  # guess: `nr_class` is its length, by a comment in the header",
        id="an element for each thing",
    ),
]


@pytest.mark.parametrize(("members", "line"), LENGTHS)
def test_the_layout_of_an_array_is_guessed_from_members_and_comments(tmp_path: Path, members: str, line: str) -> None:
    spec = described(
        tmp_path,
        "part.h",
        "#define REAL\n#define AT(m, i, j) ((m)->data[(m)->rows * (j) + (i)])\n"
        f"struct part {{ {members} }};\nint part_check(struct part *p);\n",
    )
    assert line in spec.splitlines()


def test_few_macros_with_names_of_dtypes_are_not_codes(tmp_path: Path) -> None:
    """Names of keys, of which some look like dtypes, are not the dtypes of an array."""
    keys = "".join(f"#define XK_{key} {code}\n" for code, key in enumerate(("F16", "F32", *"abcdefghijklmnop")))
    spec = described(
        tmp_path,
        "keys.h",
        f"{keys}typedef struct {{ unsigned char *data; int n, format; }} keys_t;\nint keys_check(keys_t *k);\n",
    )
    assert "    dtype: uint8\n" in spec


def test_macros_can_be_codes_that_are_characters(tmp_path: Path) -> None:
    spec = described(
        tmp_path,
        "letters.h",
        "#define LET_CODE_UINT8 'B'\n#define LET_CODE_DOUBLE 'd'\n"
        "typedef struct { void *data; int n; char dtype; } let_block;\nvoid let_block_free(let_block *b);\n",
    )
    assert "    dtype: {of: self->dtype, map: {LET_CODE_UINT8: uint8, LET_CODE_DOUBLE: float64}}\n" in spec


def test_one_code_does_not_tell_the_type_of_several_untyped_arrays(tmp_path: Path) -> None:
    """The only code of a struct is not that of each `void *`, and a rank is not a length."""
    spec = described(
        tmp_path,
        "factor.h",
        "enum { FAC_INT, FAC_DOUBLE };\n"
        "typedef struct { int n; void *p, *x; int dtype; } fac_factor;\nvoid fac_factor_free(fac_factor *f);\n"
        "typedef struct { int rank; void *address; int type; } fac_view;\nvoid fac_view_free(fac_view *v);\n",
    )
    assert "tensors:" not in spec


def test_a_code_does_not_tell_the_type_of_memory_in_an_inner_struct(tmp_path: Path) -> None:
    """A code does not tell the type of memory in a struct inside the struct."""
    spec = described(
        tmp_path,
        "slot.h",
        "typedef struct { int width, height, format; struct { void *data; } user; } slot;\nvoid slot_free(slot *s);\n"
        "typedef struct { int width, height, format; struct { void *data; } all; } part;\nvoid part_free(part *p);\n",
    )
    assert "of: self->format" not in spec
    assert "  #   # open: `all.data` points to `void`: which dtype has it?\n" in spec


def test_extents_may_stand_at_the_end_of_a_struct(tmp_path: Path) -> None:
    spec = described(
        tmp_path,
        "view.h",
        "#include <stddef.h>\ntypedef struct { ptrdiff_t extent, sm; } view_dim;\n"
        "typedef struct { double *base; int rank; view_dim dim[]; } view;\nvoid view_free(view *v);\n",
    )
    assert '    shape: {ndim: self->rank, each: "self->dim[axis].extent"}' in spec
    assert '    strides: {each: "self->dim[axis].sm", unit: bytes}' in spec


def test_a_length_in_bytes_is_divided_by_itemsize_where_a_code_decides(tmp_path: Path) -> None:
    """With a number of bytes as the extent, C would read beyond the end of the array."""
    spec = described(
        tmp_path,
        "entry.h",
        "typedef enum { ENT_BYTE, ENT_INT32 } ent_format;\n"
        "typedef struct { ent_format format; long components; unsigned char *data; int size; } ent_entry;\n"
        "void ent_entry_free(ent_entry *e);\n",
    )
    assert "    shape: [self->size / itemsize]  # guess: `size` is the number of bytes" in spec


def test_a_union_of_equal_numbers_is_an_array(tmp_path: Path) -> None:
    """The array is the whole union. If the types differ, nothing decides which one counts."""
    spec = described(
        tmp_path,
        "coord.h",
        "typedef union { double v[4]; struct { double x, y; } at; } coord;\ncoord coord_add(coord a, coord b);\n"
        "typedef union { float f[4]; int i[4]; } bits;\nbits bits_add(bits a, bits b);\n",
    )
    assert "  CoordV:\n    type: coord\n    data: self->v\n    dtype: float64\n    shape: [4]\n" in spec
    assert "BitsF" not in spec


def test_an_array_in_a_union_is_a_question(tmp_path: Path) -> None:
    """Nothing decides whether the array or the pointer counts."""
    spec = described(
        tmp_path,
        "cell.h",
        "typedef struct { int kind; union { float data[4]; void *next; } u; } cell;\nvoid cell_free(cell *c);\n"
        "typedef struct { int kind; union { float data[4]; char *text; }; } part;\nvoid part_free(part *p);\n"
        "typedef struct { int n; union { double *data; long number; }; } item;\nvoid item_free(item *i);\n"
        "typedef struct { int n, dtype; union { void *data; long number; }; } code;\nvoid code_free(code *c);\n",
    )
    assert "tensors:\n  # open: Code looks like an array." in spec
    assert "    data: self->" not in spec
    assert "  #   data: self->data  # guess: by its name\n" in spec


def test_an_array_at_the_end_of_a_struct_by_value_has_its_declared_length(tmp_path: Path) -> None:
    """A copy of a struct has no memory behind the struct."""
    spec = described(
        tmp_path,
        "small.h",
        "typedef struct { int n; double values[1]; } small;\nsmall small_make(int n);\n"
        "typedef struct { int n, m; double *all, values[1]; } both;\ndouble both_sum(both b);\n"
        "typedef struct { int n; double values[]; } none;\ndouble none_sum(none s);\n",
    )
    assert "  Small:\n    type: small\n    data: self->values\n    dtype: float64\n    shape: [1]\n" in spec
    assert "(double *)" not in spec
    assert "type: none" not in spec


def test_a_macro_that_fits_two_structs_decides_about_neither(tmp_path: Path) -> None:
    """Nothing tells which struct the macro is about."""
    spec = described(
        tmp_path,
        "two.h",
        "#define AT(m, i, j) ((m)->data[(m)->rows * (j) + (i)])\n"
        "typedef struct { double *data; int rows, cols; } first;\nvoid first_free(first *f);\n"
        "typedef struct { float *data; int rows, cols; } second;\nvoid second_free(second *s);\n",
    )
    assert "order: F  # guess: the macro" not in spec


def test_a_macro_decides_about_all_structs_of_one_kind(tmp_path: Path) -> None:
    spec = described(
        tmp_path,
        "kind.h",
        "#define AT(m, i, j) ((m)->data[(m)->rows * (j) + (i)])\n"
        "typedef struct { double *data; int rows, cols; } kind_matrix_double;\nvoid kind_f(kind_matrix_double *m);\n"
        "typedef struct { float *data; int rows, cols; } kind_matrix_float;\nvoid kind_g(kind_matrix_float *m);\n"
        "typedef struct { int key; } kind_a;\ntypedef struct { int key; } kind_b;\n",
    )
    assert spec.count("    order: F  # guess: the macro `AT` reads columns\n") == 2


UNITS = [
    ("row distance in bytes", "bytes"),
    ("bytes from one element to the next", "bytes"),
    ("bytes per row, aligned to 16 bytes", "bytes"),
    ("rows are padded to 4 bytes", ""),
    ("row distance, 16-byte aligned", ""),
    ("elements per row", "elements"),
    ("pixels from row to row, not bytes", "elements"),
    ("not in bytes", "other"),
    ("units of 4 bytes", "other"),
    ("bytes or elements, see unit", "other"),
    ("the distance of two rows of pixels", ""),
]


@pytest.mark.parametrize(("comment", "unit"), UNITS)
def test_a_comment_can_tell_the_unit_of_a_stride(comment: str, unit: str) -> None:
    assert unit_in_comment(comment, True) == unit
    assert unit_in_comment(comment, False) == ("other" if "not bytes" in comment else unit)


def test_a_stride_in_units_of_several_bytes_is_a_question(tmp_path: Path) -> None:
    spec = described(
        tmp_path,
        "image.h",
        "typedef struct { int width, height; float *pixels; int stride; /* in units of 4 bytes */ } image;\n"
        "void image_free(image *i);\n",
    )
    assert "# open: does `stride` count elements or bytes?" in spec
    assert "    strides:" not in spec


def test_numbers_with_a_gap_behind_them_are_not_one_array(tmp_path: Path) -> None:
    """With an alignment, the next element does not follow the last number."""
    spec = described(
        tmp_path,
        "box.h",
        "typedef struct { float x, y, z; } __attribute__((aligned(16))) wide;\n"
        "typedef struct { float x, y, z; } near_;\n"
        "typedef struct { int id; wide corners[8]; near_ ends[2]; } box;\nvoid box_free(box *b);\n",
    )
    assert "    shape: [2, 3]\n" in spec
    assert "corners" not in spec


def test_extents_can_be_named_by_the_letters_of_axes(tmp_path: Path) -> None:
    """An extent of 0 is an axis that is not used. Without the unit of the strides, only contiguous arrays are right."""
    spec = described(
        tmp_path,
        "field.h",
        "typedef struct { unsigned nx, ny, nz; /* sizes (zero for unused dimensions) */\n"
        "long sx, sy, sz; /* strides (zero for contiguous array a[nz][ny][nx]) */ double *data; } field;\n"
        "int field_check(const field *f);\n",
    )
    assert (
        "    shape: {ndim: (self->nx != 0) + (self->ny != 0) + (self->nz != 0),\n"
        '      each: "axis == 0 ? self->nx : axis == 1 ? self->ny : self->nz"}\n'
        "    order: reversed  # guess: x is the innermost axis, by the names\n"
    ) in spec
    assert "    require: [{expr: self->sx == 0 && self->sy == 0 && self->sz == 0," in spec
    assert (
        '    #   strides: {each: "axis == 0 ? self->sx : axis == 1 ? self->sy : self->sz", '
        "compact_when: self->sx == 0 && self->sy == 0 && self->sz == 0, unit: elements}\n"
    ) in spec


PLANES = """\
#include <stddef.h>
typedef struct snd snd;
void snd_free(snd *s);
const float *snd_get_channel_data(const snd *s, int channel, int *length);
"""


@pytest.mark.parametrize(
    ("declaration", "condition"),
    [
        ("int snd_get_num_channels(const snd *s);", "channel < snd_get_num_channels(self)"),
        ("int snd_channels(const snd *s);", "channel < snd_channels(self)"),
        ("int snd_get_channel_length(const snd *s);", "channel < N"),
        ("int snd_get_channel_size(const snd *s);", "channel < N"),
    ],
)
def test_the_length_of_a_plane_is_not_the_number_of_planes(tmp_path: Path, declaration: str, condition: str) -> None:
    spec = described(tmp_path, "snd.h", PLANES + declaration + "\n")
    assert condition in spec
    assert spec.count("channel < ") == 1


@pytest.mark.parametrize("name", ["snd_create_channel", "snd_copy_channel"])
def test_a_function_that_creates_memory_returns_no_plane(tmp_path: Path, name: str) -> None:
    """Each reading would leak an allocation."""
    spec = described(tmp_path, "snd.h", PLANES.replace("snd_get_channel_data", name) + "int snd_run(snd *s);\n")
    assert "tensors:" not in spec


def test_a_plane_whose_stride_has_no_unit_is_a_question(tmp_path: Path) -> None:
    """`require` comes before the variables that the function fills."""
    functions = "int snd_get_width(snd *s, int plane);\nint snd_get_height(snd *s, int plane);\n"
    plane = "float *snd_get_plane(snd *s, int plane, int *stride);\n"
    spec = described(tmp_path, "snd.h", f"typedef struct snd snd;\nvoid snd_free(snd *s);\n{functions}{plane}")
    assert "  #   # open: does `stride` count elements or bytes?\n" in spec
    assert "refuses" not in spec


def test_a_size_of_untyped_memory_counts_bytes(tmp_path: Path) -> None:
    header = "#include <stddef.h>\ntypedef enum { T_INT16, T_FLOAT64 } elt;\n"
    spec = described(tmp_path, "blob.h", f"{header}typedef struct {{ void *data; size_t size; elt type; }} blob;\n")
    assert "shape: [self->size / itemsize]  # guess" in spec


@pytest.mark.parametrize(
    "name", ["FMT_DXT1_RGB", "FMT_PAL8_RGB", "FMT_LUMINANCE_ALPHA", "FMT_MONO"], ids=lambda name: name.lower()
)
def test_formats_without_one_byte_for_each_sample_are_left_out(tmp_path: Path, name: str) -> None:
    """These formats do not store one byte for each sample: compressed pixels, palettes, and pixels of one bit."""
    enum = f"typedef enum {{ FMT_BGR, {name} }} fmt;\n"
    struct = "typedef struct { int w, h; fmt format; unsigned char *pixels; } pic;\n"
    spec = described(tmp_path, "pic.h", enum + struct)
    assert "when: FMT_BGR" in spec
    assert f"when: {name}" not in spec
