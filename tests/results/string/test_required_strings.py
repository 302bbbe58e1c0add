"""Strings and bytes that are never None: `ok` decides, or `optional: false`, for which NULL is a failure."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("required_strings.h").read_text()
SPEC = """
module: required_strings
include: required_strings.h
functions:
  tested: {c: const char *text_of(int kind), ok: "!= NULL"}
  tested_besides: {c: const char *text_of(int kind), ok: "% != NULL && kind > 0"}
  tested_either: {c: const char *text_of(int kind), ok: "% != NULL || kind == 0"}
  nullable: {c: const char *text_of(int kind)}
  needed: {c: const char *text_of(int kind), returns: {of: str, optional: false}, raises: OSError, errno: 0}
  needed_besides:
    c: const char *text_of_file(int kind, int *status)
    args: {status: {out: true}}
    returns: {of: str, optional: false}
    ok: status == 0
  both:
    c: int text_into(int kind, const char **text)
    args: {text: {out: true, optional: false}}
    returns: [result, text]
  filled: {c: "int text_into(int kind, const char **text)", args: {text: {out: true, optional: false}}, ok: == 0}
  text_tested:
    c: int text_into(int kind, const char **text)
    args: {text: {out: true}}
    ok: text != NULL
    returns: [text]
  tag:
    c: const void *bytes_of(int kind, size_t *size)
    args: {size: {out: true}}
    returns: {of: bytes, size: size, optional: false}
  tag_into:
    c: int bytes_into(int kind, const unsigned char **bytes, size_t *size)
    args: {bytes: {of: bytes, out: true, size: size, optional: false}, size: {out: true}}
    ok: == 0
  letters:
    c: int text_into(int kind, const char **text)
    args: {text: {of: bytes, out: true, size: strlen(text), optional: false}}
    ok: == 0
"""
NULL = "the function returned NULL for"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("required_strings")


@pytest.fixture(scope="module")
def lib(folder: Path) -> ModuleType:
    return build_module("required_strings", SPEC, folder, HEADER)


@pytest.mark.parametrize(
    ("name", "returned"),
    [
        ("tested", "str"),
        ("tested_besides", "str"),
        ("tested_either", "str | None"),
        ("nullable", "str | None"),
        ("needed", "str"),
        ("needed_besides", "str"),
        ("both", "tuple[int, str]"),
        ("filled", "str"),
        ("text_tested", "str"),
        ("tag", "bytes"),
        ("tag_into", "bytes"),
        ("letters", "bytes"),
    ],
)
def test_stubs_show_none_only_where_it_can_be_returned(lib: ModuleType, folder: Path, name: str, returned: str) -> None:
    assert f"def {name}(kind: int) -> {returned}:" in (folder / "required_strings.pyi").read_text()


@pytest.mark.parametrize(
    "name",
    ["tested", "tested_besides", "tested_either", "nullable", "needed", "needed_besides", "filled", "text_tested"],
)
def test_strings_are_returned(lib: ModuleType, name: str) -> None:
    assert getattr(lib, name)(1) == "text"


@pytest.mark.parametrize("name", ["tag", "tag_into", "letters"])
def test_bytes_are_returned(lib: ModuleType, name: str) -> None:
    assert getattr(lib, name)(1) == b"text"


@pytest.mark.parametrize(
    ("name", "exception", "message"),
    [
        ("tested", RuntimeError, r"text_of\(\) failed"),
        ("needed", OSError, r"text_of\(\) failed"),
        ("needed_besides", RuntimeError, f"{NULL} 'result'"),
        ("both", RuntimeError, f"{NULL} 'text'"),
        ("filled", RuntimeError, f"{NULL} 'text'"),
        ("text_tested", RuntimeError, "text_into"),
        ("tag", RuntimeError, "bytes_of"),
        ("tag_into", RuntimeError, f"{NULL} 'bytes'"),
        ("letters", RuntimeError, f"{NULL} 'text'"),
    ],
)
def test_null_is_a_failure(lib: ModuleType, name: str, exception: type[Exception], message: str) -> None:
    with pytest.raises(exception, match=rf"^{name}\(\): .*{message}"):
        getattr(lib, name)(0)


def test_null_may_be_none(lib: ModuleType) -> None:
    assert (lib.nullable(0), lib.tested_either(0)) == (None, None)
