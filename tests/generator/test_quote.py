"""Text of a spec as C and Python: nothing breaks out of a literal or a comment, and nothing is lost in a literal."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dlpack_bindgen.text.literals import c_string, c_strings, comment_lines, python_doc_lines

CC = "cc"
_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|(.))")
_SIMPLE = {"n": b"\n", "t": b"\t", "\\": b"\\", '"': b'"', "?": b"?"}
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]))
# What could end a comment, a literal or a line is more probable than in any text.
HOSTILE = st.lists(
    st.sampled_from(["*/", "/*", "*", "/", "\\", "??/", "??", "?", '"', "'", "\n", " ", "a", "é", "7", "//"])
)
STRINGS = [
    "", "plain", 'say "hello"', "C:\\new\\table\\0", "what??!", "a?b", "??/", "???/", "tab\there", "two\nlines",
    "Grüße 漢字 🎈", "\0", "\0007", "é7", "\x7f", "100% %s", "*/", "a" * 600,
]  # fmt: skip


def decoded(literal: str) -> str:
    """Returns the text that a C compiler reads, by the rules of C."""
    assert literal[0] == literal[-1] == '"'
    inside = literal[1:-1]
    assert not re.search(r'(?<!\\)(?:\\\\)*"', inside.replace(r"\"", "")), "a quote that ends it"
    assert "??" not in inside, "a trigraph"

    def byte(match: re.Match[str]) -> bytes:
        octal, simple = match.groups()
        return bytes([int(octal, 8)]) if octal else _SIMPLE[simple]

    parts, end = [], 0
    for match in _ESCAPE.finditer(inside):
        parts += [inside[end : match.start()].encode("ascii"), byte(match)]
        end = match.end()
    return b"".join([*parts, inside[end:].encode("ascii")]).decode("utf-8")


@given(ANY_TEXT | HOSTILE.map("".join))
@example("\x01" + "1")
@example("??=??/")
def test_a_c_string_is_decoded_to_its_text(text: str) -> None:
    literal = c_string(text)
    assert literal.isascii() and literal.isprintable()
    assert decoded(literal) == text


def test_the_compiler_reads_a_c_string_as_its_text(tmp_path: Path) -> None:
    rows = ",\n".join(f"{{sizeof {c_string(text)} - 1, {c_string(text)}}}" for text in STRINGS)
    source = tmp_path / "main.c"
    source.write_text(
        "#include <stdio.h>\nstatic const struct { unsigned long size; const char *text; } rows[] = {\n"
        f"{rows}}};\nint main(void) {{\n"
        "for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {\n"
        'printf("%lu:", rows[i].size); fwrite(rows[i].text, 1, rows[i].size, stdout); }\nreturn 0; }\n'
    )
    subprocess.run(
        [CC, "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", source, "-o", tmp_path / "main"], check=True
    )
    shown = subprocess.run([tmp_path / "main"], capture_output=True, check=True).stdout
    assert shown == b"".join(b"%d:%s" % (len(text.encode()), text.encode()) for text in STRINGS)


@pytest.mark.parametrize(
    "text, literal",
    [
        ("plain", '"plain"'),
        ("why? yes.", '"why? yes."'),
        ("what??", '"what\\?\\?"'),
        ('a "b" \\', '"a \\"b\\" \\\\"'),
        ("é", '"\\303\\251"'),
        ("a\nb", '"a\\nb"'),
    ],
)
def test_a_c_string_is_readable(text: str, literal: str) -> None:
    assert c_string(text) == literal


@given(ANY_TEXT | HOSTILE.map("".join))
@example("*\\\n/")
@example("a *\\ /")
@example("/*/")
@example("*??/\n/")
def test_comments_do_not_end_early(text: str) -> None:
    lines = comment_lines(text)
    inside = "\n * ".join(lines)
    assert "*/" not in inside and "/*" not in inside
    assert "*/" not in "".join(lines) or "*/" not in inside
    for line in lines:
        assert not line.endswith("\\") and not line.endswith("??/"), "a line that continues"
        assert line == line.rstrip() and "\n" not in line
        assert all(c.isprintable() for c in line)


@given(HOSTILE.map("".join))
def test_comments_do_not_end_after_a_line_splice(text: str) -> None:
    """Compilers resolve trigraphs and continued lines before they look for comments."""
    inside = "\n * ".join(comment_lines(text)) + " "
    resolved = re.sub(r"\\[ \t]*\n", "", inside.replace("??/", "\\"))
    assert "*/" not in resolved


def test_comments_give_no_warning_in_a_compiler(tmp_path: Path) -> None:
    strings = [*STRINGS, "/*/ */", "ends with \\", "ends with ??/", "// a line \\\n next", "*\\\n/"]
    source = tmp_path / "comments.c"
    comments = "\n".join("/* {} */".format("\n * ".join(comment_lines(text))) for text in strings)
    source.write_text(comments + "\nextern int nothing;\n", encoding="utf-8")
    for language in ("c11", "c99"):
        subprocess.run([CC, f"-std={language}", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", source], check=True)


def test_comments_wrap_and_keep_paragraphs() -> None:
    text = f"First {'word ' * 40}\n\nSecond.\n"
    lines = comment_lines(text)
    assert max(map(len, lines)) <= 114
    assert lines[-2:] == ("", "Second.")
    address = "https://example.org/" + "x" * 100
    assert comment_lines(f"See {address} for more.") == ("See", address, "for more.")


@given(ANY_TEXT | HOSTILE.map("".join))
def test_a_docstring_of_a_stub_has_the_words_of_the_spec(text: str) -> None:
    lines = python_doc_lines(text)
    tree = ast.parse('"""' + "\n".join(lines) + '"""\n')
    assert len(tree.body) == 1
    statement = tree.body[0]
    assert isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    value = statement.value.value
    assert isinstance(value, str)
    printable = "".join(c if c.isprintable() else " " for c in text)
    assert value.split() == printable.split()


def test_a_docstring_has_a_literal_for_each_line() -> None:
    assert c_strings("f(x)\n--\n\nDoes it.") == '"f(x)\\n" "--\\n\\n" "Does it."'
    assert c_strings("") == '""'
    words = "word " * 40
    pieces = c_strings(words.strip()).split('" "')
    assert len(pieces) == 3 and all(len(piece) < 90 for piece in pieces)
    assert "".join(pieces).strip('"') == words.strip()
    assert c_strings("x" * 200) == f'"{"x" * 200}"'
