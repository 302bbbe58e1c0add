"""Headers and arguments that `init` refuses, each with one sentence."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dlpack_bindgen.cli import main
from generator.command import refused
from init.conftest import HEADERS

REFUSED = [
    pytest.param(
        ["missing.h"],
        "missing.h:1 includes missing_config.h, which is not found: install it, or add its folder, -- -IFOLDER",
        id="missing include",
    ),
    pytest.param(
        ["broken.h"],
        "broken.h:3 does not compile: unknown type name 'lib_int'; include what it needs, -- -include HEADER",
        id="unknown type",
    ),
    pytest.param(
        ["classes.hpp"],
        "classes.hpp is a header of C++, and init reads headers of C: name the C header of the library",
        id="C++",
    ),
    pytest.param(
        ["empty.h"],
        "empty.h declares no struct, function or constant that a spec can describe: name the header that declares them",
        id="nothing in it",
    ),
    pytest.param(
        ["absent.h"],
        "absent.h is neither a file nor a header in the include folders: add its folder, -- -IFOLDER",
        id="no such header",
    ),
    pytest.param(["parts"], "parts is a folder: name one header in it", id="folder"),
    pytest.param(
        ["rows.h", "--type", "wheel"],
        "rows.h has no struct wheel with an array or with functions; "
        "it has: struct leading, struct stepped, struct table",
        id="no such type",
    ),
    pytest.param([], "the following arguments are required: HEADER (see dlpack-bindgen init --help)", id="no header"),
]


HEADERS_REFUSED = [
    pytest.param(
        '#error "include config.h first"\nint f(int);\n',
        'probe.h:1 does not compile: "include config.h first"; include what it needs, -- -include HEADER',
        id="#error",
    ),
    pytest.param(
        "int f(int)",
        "probe.h does not compile: expected function body after function declarator; "
        "add the flags with which sources include it, -- CFLAGS",
        id="syntax at the end",
    ),
    pytest.param(
        "int f(int) lib_deprecated(2, 1);\nint g(int);\n",
        "probe.h:1 does not compile: expected function body after function declarator; "
        "add the flags with which sources include it, -- CFLAGS",
        id="syntax",
    ),
    pytest.param(
        "#include <vector>\nclass Grid { std::vector<double> data; };\n",
        "probe.h is a header of C++, and init reads headers of C: name the C header of the library",
        id="header of the C++ library",
    ),
    pytest.param(
        'extern "C" {\nint f(int);\n}\n',
        "probe.h is a header of C++, and init reads headers of C: name the C header of the library",
        id="extern C",
    ),
    pytest.param(
        "struct grid { double *data; int n = 0; };\nvoid grid_free(grid &g);\n",
        "probe.h is a header of C++, and init reads headers of C: name the C header of the library",
        id="C++ without its keywords",
    ),
    pytest.param(
        "enum { A };\nint f(struct later *x);\n" + "int log_line(const char *format, ...);\n",
        None,
        id="a struct that is declared later",
    ),
]


@pytest.mark.parametrize(("text", "message"), HEADERS_REFUSED)
def test_headers_that_cannot_be_read_or_described_are_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str,
    message: str | None,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("probe.h").write_text(text)
    if message is None:
        assert main(["init", "probe.h"]) == 0
    else:
        assert refused(capsys, "init", "probe.h") == message


def test_a_header_that_is_not_utf8_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wide.h").write_bytes("int f(int);\n".encode("utf-16"))
    message = refused(capsys, "init", "wide.h")
    assert message.startswith("wide.h is not in UTF-8: UTF-16 (LE) byte order mark detected")
    assert message.endswith("; convert it to UTF-8")


def test_a_header_without_permission_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object) -> object:
        raise PermissionError(13, "Permission denied")

    header = tmp_path / "secret.h"
    header.write_text("int f(int);\n")
    monkeypatch.setattr(Path, "open", refuse)
    assert refused(capsys, "init", str(header)) == f"cannot read {header}: Permission denied"


def test_a_header_whose_name_no_spec_can_have_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header = tmp_path / "it's.h"
    header.write_text("int f(int);\n")
    assert refused(capsys, "init", str(header)) == (
        "the first lines of the spec are refused: 'it's.h' cannot stand behind #include; "
        "include the header from one with another name"
    )


@pytest.mark.parametrize(
    ("flag", "message"),
    [
        ("-mno-such", "libclang does not know a flag: unknown argument: '-mno-such'; leave it out after --"),
        ("-std=c", "libclang cannot read the headers: check the flags after --"),
    ],
)
def test_flags_that_libclang_does_not_know_are_refused(
    capsys: pytest.CaptureFixture[str], flag: str, message: str
) -> None:
    assert refused(capsys, "init", str(HEADERS / "rows.h"), "--", flag) == message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rows.h", "--type", "table"], None),
        (["rows.h", "--type", "tabel"], "did you mean struct table?"),
        (["macros.h", "--type", "wheel"], "it has: "),
        (["alone.h", "--type", ""], "argument --type: must not be empty (see dlpack-bindgen init --help)"),
        (["", "--type", "t"], "argument HEADER: must not be empty (see dlpack-bindgen init --help)"),
        (["alone.h", "-o", ""], "argument -o/--output: must not be empty (see dlpack-bindgen init --help)"),
        (["alone.h", "other.h"], "unrecognized arguments: other.h (see dlpack-bindgen init --help)"),
    ],
)
def test_wrong_types_and_arguments_are_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str | None
) -> None:
    monkeypatch.chdir(HEADERS)
    if message is None:
        assert main(["init", *arguments]) == 0
    else:
        assert message in refused(capsys, "init", *arguments)


def test_a_type_is_refused_where_the_header_has_no_structs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header = tmp_path / "thing.h"
    header.write_text("int thing(int);\n")
    assert refused(capsys, "init", str(header), "--type", "wheel") == (
        f"{header} has no struct wheel with an array or with functions, and no other struct: "
        "name the header that has it"
    )


def test_places_where_no_spec_can_be_written_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header = str(HEADERS / "rows.h")
    (tmp_path / "file").write_text("")
    message = refused(capsys, "init", header, "-o", str(tmp_path / "file" / "rows.yaml"))
    assert message == f"{tmp_path / 'file'} is not a directory"
    message = refused(capsys, "init", header, "-o", str(tmp_path), "--force")
    assert message == f"cannot write {tmp_path}: it is a directory"


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_wrong_arguments_are_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(HEADERS)
    assert refused(capsys, "init", *arguments) == message


def test_a_spec_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = tmp_path / "rows.yaml"
    spec.write_text("mine\n")
    message = refused(capsys, "init", str(HEADERS / "rows.h"), "-o", str(spec))
    assert message == f"{spec} exists already: name another file with -o, or replace it with --force"
    assert spec.read_text() == "mine\n"
    assert main(["init", str(HEADERS / "rows.h"), "-o", str(spec), "--force"]) == 0
    assert spec.read_text().startswith("# Written by")


def test_a_missing_libclang_is_an_error_with_advice(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "clang", None)
    message = refused(capsys, "init", str(HEADERS / "rows.h"))
    assert message == "init needs libclang: pip install 'dlpack-bindgen[init]'"


def test_a_missing_library_of_libclang_is_an_error_with_advice(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing() -> None:
        raise cindex.LibclangError("libclang.so: cannot open shared object file")

    from clang import cindex

    monkeypatch.setattr(cindex.Index, "create", missing)
    message = refused(capsys, "init", str(HEADERS / "rows.h"))
    assert message == "init found no libclang library: pip install --force-reinstall libclang"


def test_compilers_that_cannot_run_are_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CC", "gcc 'quoted")
    message = refused(capsys, "init", str(HEADERS / "rows.h"))
    assert message == "CC is not a command: gcc 'quoted: set it to a C compiler, such as gcc"
    text = tmp_path / "cc"
    text.write_text("no program")
    text.chmod(0o755)
    monkeypatch.setenv("CC", str(text))
    message = refused(capsys, "init", str(HEADERS / "rows.h"))
    assert message == f"cannot run the C compiler {text}: Exec format error: set CC to another one"


def test_missing_headers_of_the_runtime_are_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from dlpack_bindgen.resources import ResourceError

    def missing() -> list[str]:
        raise ResourceError("dlpack.h is not installed")

    monkeypatch.setattr("dlpack_bindgen.tools.config.cflags", missing)
    assert refused(capsys, "init", str(HEADERS / "rows.h")) == "dlpack.h is not installed"


def test_only_headers_without_standard_headers_are_read_without_a_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only headers that need no standard headers can be read, and only the generator checks their specs."""
    monkeypatch.setenv("CC", "no-such-compiler")
    monkeypatch.chdir(tmp_path)
    message = refused(capsys, "init", str(HEADERS / "rows.h"))
    assert message == (
        "rows.h:2 includes stddef.h, and no C compiler is here to find it: install gcc or clang, or set CC"
    )
    assert main(["init", str(HEADERS / "macros.h"), "-o", "spec.yaml"]) == 0
    assert "# No C compiler was there: the C of this spec has not been compiled.\n" in Path("spec.yaml").read_text()


def test_a_header_with_only_functions_that_cannot_be_described_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header = tmp_path / "log.h"
    header.write_text("void log_line(const char *format, ...);\n")
    message = refused(capsys, "init", str(header))
    reason = "log_line: variadic functions are not supported"
    assert message == (
        f"no declaration of {header} can be described, for example {reason}; write a header with C functions that call "
        "them"
    )
