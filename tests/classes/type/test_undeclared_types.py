"""Types that the headers of a spec do not declare: `generate` reports them if it finds all headers and if nothing can
hide a declaration. Each header is also compiled, which shows whether it declares the type."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from dlpack_bindgen.cli import main
from support.build import CC, generate, header_flags

MEMBERS = "{ float *at; long n; }"
SPEC = """
dlpack-bindgen: 1
module: demo
include: [demo.h]
tensors:
  Coil: {type: TYPE, data: self->at, dtype: float32, shape: [self->n], import: {set: {at: data, n: "shape[0]"}}}
"""

DECLARED = {
    "typedef": ("coil", f"typedef struct {MEMBERS} coil;"),
    "second-name": ("coil", f"struct s {MEMBERS};\ntypedef struct s coil_t, coil;"),
    "in-parentheses": ("coil", f"typedef struct {MEMBERS} (coil);"),
    "after-a-string": ("coil", f'#define URL "/* x://"\ntypedef struct {MEMBERS} coil; /* */'),
    "after-a-quote": ("coil", f"#if 0\ndon't // say\n#endif\ntypedef struct {MEMBERS} coil;"),
    "on-two-lines": ("coil", f"typedef struct {MEMBERS} co\\\nil;"),
    "two-branches": ("coil", f"#if 1\ntypedef struct {MEMBERS}\n#else\ntypedef struct {{ int i; }}\n#endif\ncoil;"),
    "two-beginnings": ("coil", "#if 1\ntypedef struct { float *at;\n#else\nstruct coil {\n#endif\nlong n; } coil;"),
    "macro-for-the-name": ("coil", f"#define NAME coil\ntypedef struct {MEMBERS} NAME;"),
    "macro-of-the-name": ("coil", f"typedef struct {MEMBERS} coil_t;\n#define coil coil_t"),
    "macro-with-typedef": ("coil", f"#define TYPE(name) typedef struct {MEMBERS} name\nTYPE(coil);"),
    "joined-names": ("coil", f"#define TYPE(a, b) typedef struct {MEMBERS} a##b\nTYPE(co, il);"),
    "in-another-header": ("coil", '#include "parts.h"'),
    "in-brackets": ("coil", "#include <parts.h>"),
    "macro-for-a-header": ("coil", '#define PARTS "parts.h"\n#include PARTS'),
    "tag": ("struct coil", f"struct coil {MEMBERS};"),
    "tag-and-attribute": ("struct coil", f"struct __attribute__((packed)) coil {MEMBERS};"),
    "tag-and-macro": ("struct coil", f"#define PACKED\nstruct PACKED coil {MEMBERS};"),
    "tag-and-macro-with-arguments": ("struct coil", f"#define ALIGN(n)\nstruct ALIGN(8) coil {MEMBERS};"),
    "macro-with-struct": ("struct coil", f"#define RECORD struct\nRECORD coil {MEMBERS};"),
    "macro-for-the-tag": ("struct coil", f"#define TAG coil\nstruct TAG {MEMBERS};"),
}
"""The C type of a spec, and a header that declares it."""

UNDECLARED = {
    "other-name": ("coil", f"typedef struct {MEMBERS} coil_t;", "did you mean 'coil_t'?"),
    "in-a-comment": ("coil", f"/* coil */\ntypedef struct {MEMBERS} ring; // coil", None),
    "in-a-string": ("coil", f'typedef struct {MEMBERS} ring;\n#pragma message("coil")', None),
    "parameter": ("coil", f"typedef struct {MEMBERS} ring;\nvoid wind(ring *coil);", None),
    "member": ("coil", f"typedef struct {MEMBERS} ring;\ntypedef struct {{ ring *coil; }} box;", None),
    "function-pointer": (
        "coil",
        f"typedef struct {MEMBERS} ring;\ntypedef int (*coil_fn)(ring *coils);",
        "did you mean 'coil_fn'?",
    ),
    "function": ("coil", f"typedef struct {MEMBERS} ring;\nvoid coil(ring *r);", None),
    "constant": ("coil", f"typedef struct {MEMBERS} ring;\ntypedef enum {{ coil, spool }} parts;", None),
    "tag": ("coil", f"struct coil {MEMBERS};", "write 'struct coil'"),
    "union": ("coil", f"union coil {MEMBERS};\nunion coil *wind(union coil *coil);", "write 'union coil'"),
    "no-tag": ("struct coil", f"typedef struct {MEMBERS} coil;", "write 'coil'"),
    "other-tag": ("struct coil", f"struct coils {MEMBERS};", "did you mean 'struct coils'?"),
    "standard-headers": ("coil", f"#include <stddef.h>\n#include <stdint.h>\ntypedef struct {MEMBERS} ring;", None),
    "cycle": ("coil", f'#pragma once\n#include "demo.h"\ntypedef struct {MEMBERS} ring;', None),
    "empty": ("coil", "", None),
}
"""The C type of a spec, a header that does not declare it, and the hint of the error."""


def written(folder: Path, ctype: str, header: str) -> list[str]:
    """Writes a spec, its header, and a second header. Returns the command that generates the files."""
    (folder / "demo.h").write_text(f"{header}\n")
    (folder / "parts.h").write_text(f"typedef struct {MEMBERS} coil;\n")
    (folder / "spec.yaml").write_text(SPEC.replace("TYPE", ctype))
    return ["generate", str(folder / "spec.yaml"), "-o", str(folder)]


def compiles(folder: Path) -> bool:
    generate((folder / "spec.yaml").read_text(), folder)
    flags = ["-std=c11", f"-I{folder}", *header_flags(), "-fsyntax-only"]
    command = [*CC, *flags, str(folder / "demo_dlpack.c")]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("ctype, header", DECLARED.values(), ids=DECLARED)
def test_a_declared_type_is_accepted(
    ctype: str, header: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = written(tmp_path, ctype, header)
    assert main(command) == 0, capsys.readouterr().err
    assert compiles(tmp_path)


@pytest.mark.parametrize("ctype, header, hint", UNDECLARED.values(), ids=UNDECLARED)
def test_an_undeclared_type_is_refused_at_its_place(
    ctype: str, header: str, hint: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = written(tmp_path, ctype, header)
    assert main(command) == 1
    column = 16 + ctype.index("coil")
    message = f"spec.yaml:6:{column}: error: '{tmp_path / 'demo.h'}' does not declare the type '{ctype}'"
    first = capsys.readouterr().err.splitlines()[0]
    assert first.endswith(f"{message} ({hint})" if hint else message)
    assert not compiles(tmp_path)


def test_a_header_in_the_output_folder_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Follows compilers, which look first in the folder of the file that includes a header."""
    output = tmp_path / "out"
    output.mkdir()
    written(tmp_path, "coil", f"typedef struct {MEMBERS} coil_t;")
    command = ["generate", str(tmp_path / "spec.yaml"), "-o", str(output)]
    assert main(command) == 1
    assert f"'{tmp_path / 'demo.h'}' does not declare" in capsys.readouterr().err
    (output / "demo.h").write_text(f"typedef struct {MEMBERS} coil;\n")
    assert main(command) == 0


@pytest.mark.parametrize("missing", ["demo.h", "parts.h"])
def test_nothing_is_checked_without_all_headers(missing: str, tmp_path: Path) -> None:
    command = written(tmp_path, "coil", f'#include "parts.h"\ntypedef struct {MEMBERS} coil_t;')
    (tmp_path / "parts.h").write_text("#define PARTS 1\n")
    assert main(command) == 1
    (tmp_path / missing).unlink()
    assert main(command) == 0


def test_a_header_that_is_not_a_file_is_not_read(tmp_path: Path) -> None:
    """Opens neither a pipe, which would wait for a writer, nor a folder."""
    command = written(tmp_path, "coil", '#include "parts.h"')
    (tmp_path / "parts.h").unlink()
    os.mkfifo(tmp_path / "parts.h")
    assert main(command) == 0
    (tmp_path / "demo.h").unlink()
    (tmp_path / "demo.h").mkdir()
    assert main(command) == 0
