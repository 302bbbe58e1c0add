"""Long C is formatted in pieces, which must give the bytes that it would have in one."""

from __future__ import annotations

from pathlib import Path

import pytest

from dlpack_bindgen.emit import clang_format
from dlpack_bindgen.emit.clang_format import Piece, cut, format_files, joined
from dlpack_bindgen.emit.render import render
from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.text.yaml import load
from support.specs import committed_specs

TOP = Path(__file__).resolve().parents[2]
SPECS = sorted([*committed_specs(), *TOP.glob("docs/examples/*.yaml")])
# Those of GSL have functions in `#if 0` too, which clang-format leaves alone.
TENSOR = """\
  Image{index}:
    type: image{index}_t
    doc: A picture with {{ brackets "of the kind {index}.
    data: self->pixels
    dtype: {{of: self->kind, map: {{U8: uint8, F32: float32}}}}
    shape: [self->height, self->width]
    release: image_free(self, '}}', "{{")
"""


def specs_of(path: str, text: bytes) -> list[Spec]:
    specs, problems = validate([load(path, text)])
    assert problems == []
    return specs


def many_tensors(count: int) -> list[Spec]:
    body = "".join(TENSOR.format(index=index) for index in range(count))
    return specs_of("many.yaml", f"module: many\ninclude: [image.h]\ntensors:\n{body}".encode())


def use_size(size: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clang_format, "cut", lambda text: cut(text, len(text) if size is None else size))


@pytest.mark.parametrize("size", [1, 1000])
@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_any_output_is_formatted_in_pieces_as_in_one(path: Path, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    specs = specs_of(path.name, path.read_bytes())
    use_size(None, monkeypatch)
    whole = render(specs)
    use_size(size, monkeypatch)
    assert render(specs) == whole


def test_a_long_output_is_formatted_in_pieces_as_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    specs = many_tensors(60)
    pieces = render(specs)
    use_size(None, monkeypatch)
    assert pieces == render(specs)
    assert max(len(file.text) for file in pieces) > 64 * 1024


def test_pieces_are_no_longer_than_they_must_be() -> None:
    function = "void f(void)\n{\nif (x) {\n\ng();\n}\n\nh();\n}\n"
    pieces = cut("\n\n".join([function] * 100), 1000)
    assert len(pieces) > 4
    assert max(len(piece.text) for piece in pieces) < 1000 + 2 * len(function)


def test_a_short_text_is_one_piece() -> None:
    assert cut("int x;\n\nint y;\n", 100) == [Piece("int x;\n\nint y;\n", formatted=False)]


@pytest.mark.parametrize(
    "one",
    [
        "void f(void)\n{\nint x;\n\nif (x) {\n\n}\n\nx = 1;\n}\n",
        'void f(void)\n{\nputs("}\\"}");\n\nputs("{");\n}\n',
        "int f(void)\n{\nreturn '}';\n\n/* } */\n\nreturn '\\'';\n}\n",
        "#if 0\nint   x;\n\nint   y;\n#ifdef Z\nint   z;\n#endif\n\nint   w;\n#endif\n",
        "#if A\nint x;\n\n#elif B\nint y;\n\n#else\nint z;\n\n#endif\n",
    ],
    ids=["blocks", "strings", "characters and comments", "conditions", "branches"],
)
def test_a_piece_never_ends_inside_a_function_or_condition(one: str) -> None:
    pieces = cut(f"int before;\n\n\n{one}\n\nint after;\n", 1)
    assert [piece.text for piece in pieces] == ["int before;\n", one, "int after;\n"]


def test_the_linkage_of_a_header_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    begin, end = '#ifdef __cplusplus\nextern "C" {\n#endif\n', "#ifdef __cplusplus\n}\n#endif\n#endif\n"
    header = f"#ifndef H\n#define H\n\n{begin}\nint   f(void);\n\n#ifdef P\n\nint   g(void);\n\n#endif\n\n{end}"
    use_size(1, monkeypatch)
    pieces = format_files([("x.h", header)])
    assert [piece.text for piece in cut(header, 1) if piece.formatted] == [begin, end]
    use_size(None, monkeypatch)
    assert pieces == format_files([("x.h", header)])


def test_pieces_together_are_the_whole_text() -> None:
    text = (TOP / "generated" / "gsl" / "gsl_module.c").read_text(encoding="utf-8")
    pieces = cut(text)
    assert len(pieces) > 2
    assert joined([piece.text for piece in pieces]) == text
