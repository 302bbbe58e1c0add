"""Bytes become nodes, with all scalars as written, and no input crashes the reader."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dlpack_bindgen.text.diagnostics import Span, render
from dlpack_bindgen.text.yaml import MAX_BYTES, MAX_DEPTH, Broken, Loaded, Mapping, Node, Scalar, Sequence
from dlpack_bindgen.text.yaml_errors import SCANNED
from dlpack_bindgen.tools.generate import load, validate


def _codes(loaded: Loaded) -> list[str]:
    return [diagnostic.code for diagnostic in loaded.diagnostics]


def _plain(node: Node | None) -> object:
    if isinstance(node, Mapping):
        return {key.text: _plain(value) for key, value in node.entries}
    if isinstance(node, Sequence):
        return [_plain(item) for item in node.items]
    return node.text if isinstance(node, Scalar) else node


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Records how many characters each pass over a file has read."""
    lengths: list[int] = []
    parse = yaml.parse

    def counting(text: str, **options: Any) -> Any:
        lengths.append(len(text))
        return parse(text, **options)

    monkeypatch.setattr(yaml, "parse", counting)
    return lengths


@pytest.mark.parametrize(
    "text", ["NO", "on", "0x10", "010", "1_000", "12:30:00", "~", "null", "1e3", "-1", "== 0", "<x.h>", "a&b"]
)
def test_scalars_stay_as_written(text: str) -> None:
    loaded = load("f", f"key: {text}\n".encode())
    assert _plain(loaded.root) == {"key": text}
    assert loaded.diagnostics == ()


def test_nodes_know_their_place() -> None:
    loaded = load("f", "a: 'b c'\nd:\n  - é\n  - {f: 1}\n".encode())
    assert loaded.root == Mapping(
        (
            (Scalar("a", Span("f", 1, 1, 1), True), Scalar("b c", Span("f", 1, 4, 5), False)),
            (
                Scalar("d", Span("f", 2, 1, 1), True),
                Sequence(
                    (
                        Scalar("é", Span("f", 3, 5, 1), True),
                        Mapping(
                            ((Scalar("f", Span("f", 4, 6, 1), True), Scalar("1", Span("f", 4, 9, 1), True)),),
                            Span("f", 4, 5, 6),
                        ),
                    ),
                    Span("f", 3, 5, 1),
                ),
            ),
        ),
        Span("f", 1, 1, 1),
    )


@pytest.mark.parametrize(
    "data", [b"a: b\n", b"\xef\xbb\xbfa: b\n", b"a: b\r\n", b"--- # one document\na: b\n...\n", b"a: b"]
)
def test_bom_crlf_and_document_marks_are_accepted(data: bytes) -> None:
    loaded = load("f", data)
    assert _plain(loaded.root) == {"a": "b"}
    assert loaded.diagnostics == ()
    assert loaded.root is not None
    assert loaded.root.span == Span("f", 1 + data.startswith(b"---"), 1, 1)


def test_structural_mistakes_are_reported_together_and_the_rest_is_kept() -> None:
    loaded = load("f", b"a: *x\nb: &y z\nc: !t u\nd: 1\nd: 2\n<<: {}\n? [e]\n: f\ng: [h(1, 2)]\ni: j\n")
    assert _codes(loaded) == [
        "yaml-alias",
        "yaml-anchor",
        "yaml-tag",
        "non-scalar-key",
        "yaml-split",
        "duplicate-key",
        "yaml-merge-key",
    ]
    assert loaded.root is not None
    kept = {key.text: value for key, value in loaded.root.entries}
    assert list(kept) == ["a", "b", "c", "d", "g", "i"]
    assert [key for key, value in kept.items() if isinstance(value, Broken)] == ["a", "b", "c", "g"]
    assert _plain(kept["d"]) == "1"


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("a: *p", "'*p'"),
        ("a: *p + 1  # comment", "'*p + 1'"),
        ("a: {b: *p, c: 1}", "'*p'"),
        ("a: {b: &x.y(1, 2), c: 1}", "'&x.y(1, 2)'"),
        ("a: !f('x')", "\"!f('x')\""),
        ("a: !f('x', \"y\")", "'!f(''x'', \"y\")'"),
        ("a: b ? c : d", "'b ? c : d'"),
        ("a: [b ? c : d, e]", "'b ? c : d'"),
        ("a: [x[0][1], y]", "'x[0][1]'"),
        ("a: {b: f(x, (y, z)), c: 1}", "'f(x, (y, z))'"),
        ("a: > 0", "'> 0'"),
    ],
)
def test_the_hint_shows_the_quoted_form(text: str, quoted: str) -> None:
    loaded = load("f", text.encode())
    found = [diagnostic for diagnostic in validate([loaded])[1] if diagnostic.code.startswith("yaml")]
    assert [diagnostic.hint for diagnostic in found] == [f"quote it: {quoted}"]
    value = load("f", f"a: {quoted}".encode())
    assert value.diagnostics == ()


@pytest.mark.parametrize(
    "text", ["a: {m: sad (, b: 1}", "a: {m: 1) first, b: 1}", "a: [f(x), g(y)]", "a: ['f(1', '2)']"]
)
def test_parentheses_that_yaml_does_not_split_are_accepted(text: str) -> None:
    assert load("f", text.encode()).diagnostics == ()


def test_a_file_that_is_too_large_is_a_mistake() -> None:
    loaded = load("f", b"#" * (MAX_BYTES + 1))
    assert _codes(loaded) == ["file-too-large"]
    assert _codes(load("f", b"a: b\n" + b"#" * (MAX_BYTES - 5))) == []


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_file_that_is_not_utf8_is_a_mistake(encoding: str) -> None:
    found = load("a.yaml", "module: a\n".encode(encoding)).diagnostics
    assert [(each.code, each.hint) for each in found] == [("not-utf8", "save it as UTF-8")]


def test_a_file_that_is_nested_too_deep_is_a_mistake() -> None:
    def nested(depth: int) -> bytes:
        return b"a: " + b"[" * depth + b"]" * depth

    assert _codes(load("f", nested(MAX_DEPTH - 1))) == []
    assert _codes(load("f", nested(MAX_DEPTH))) == ["too-deep"]


@pytest.mark.parametrize(
    "data",
    [b"[" * 200_000, b"{a: " * 200_000, b"- " * 200_000, b"? " * 200_000, b"!" * 200_000, b'a: "' + b'\\"' * 100_000],
)
def test_hostile_input_is_refused_quickly(data: bytes, parsed: list[int]) -> None:
    loaded = load("f", data)
    assert sum(parsed) <= SCANNED + len(data)
    assert len(loaded.diagnostics) == 1
    assert len(render(loaded.diagnostics, {"f": loaded.text})) < 1000


_PIECES = st.sampled_from(
    [
        *(
            "a",
            "b: ",
            ": ",
            "- ",
            "? ",
            "\n",
            "\n  ",
            "\n    ",
            "\r",
            "\t",
            "[",
            "]",
            "{",
            "}",
            ", ",
            "'",
            '"',
            "#",
            " #",
        ),
        *("&x ", "*x", "!t ", "<<", "|\n", ">", "---\n", "...\n", "%YAML 1.1\n", "\\", "\\U", "FFFFFFFF"),
        *("é", "\ufeff", "\u2028", "\x00", "${x}", "f(", ")", "self->a", "uint8", "ndim"),
        *("module: ", "tensors:\n  ", "type: ", "import: ", "shape: ", "dtype: ", "require: "),
    ]
)


def _survives(data: bytes) -> None:
    loaded = load("f", data)
    specs, diagnostics = validate([loaded])
    assert bool(specs) != bool(diagnostics)
    lines = loaded.text.count("\n") + loaded.text.count("\r") + 1
    assert all(1 <= diagnostic.span.line <= lines for diagnostic in diagnostics)
    render(diagnostics, {"f": loaded.text}).encode()


@settings(max_examples=200)
@given(st.binary())
def test_any_bytes_are_read_or_reported(data: bytes) -> None:
    _survives(data)


@settings(max_examples=800)
@given(st.lists(_PIECES, max_size=40).map("".join))
@example('"\\UFFFFFFFF"')
@example('"\\ud800": 1')
@example("%YAML 1." + "9" * 5000 + "\n---\n")
@example("a: !%ff")
def test_any_text_that_looks_like_yaml_is_read_or_reported(text: str) -> None:
    _survives(text.encode())


@pytest.mark.parametrize(
    "line, where",
    [
        ("\tb: c", "is used for indentation"),
        ("b: c\t", "ends this line"),
        ("b: c\t# d", "stands before a comment"),
        ("b:\tc", "follows ':'"),
        ("b: [c,\td]", "follows ','"),
        ("b: [c\t]", "stands before ']'"),
        ("b: c\td", "stands in an unquoted value"),
    ],
)
def test_a_tab_is_reported_with_its_place(line: str, where: str) -> None:
    loaded = load("f", f"a: 1\n{line}\n".encode())
    assert [(each.span.line, each.span.column) for each in loaded.diagnostics] == [(2, line.index("\t") + 1)]
    assert loaded.diagnostics[0].message == f"a tab {where}; YAML allows only spaces there"


def test_tabs_are_reported_together_up_to_a_limit(parsed: list[int]) -> None:
    many = "".join(f"a{number}: b\t\n" for number in range(500))
    assert len(load("f", many.encode()).diagnostics) == 100
    parsed.clear()
    assert len(load("f", (many + "b: c\n" * 100_000).encode()).diagnostics) == 2
    assert sum(parsed) < SCANNED + parsed[0]


# ---- Recovery after a mistake in YAML ----


def _places(loaded: Loaded) -> list[tuple[int, int, str]]:
    return sorted((each.span.line, each.span.column, each.code) for each in loaded.diagnostics)


def test_a_tab_hides_nothing() -> None:
    loaded = load("f", b"a: b\t\nc: @\nd: e\t\nf: {g: *h}\n")
    assert _places(loaded) == [(1, 5, "yaml-tab"), (2, 4, "yaml-reserved"), (3, 5, "yaml-tab"), (4, 8, "yaml-alias")]


@pytest.mark.parametrize(
    ("text", "places", "rest"),
    [
        ("a:b\nc: d\n", [(1, 1)], {"c": "d"}),
        ("c: d\na:b\n", [(2, 1)], {"c": "d"}),
        ("a: *b->c\nc: d\n", [(1, 4)], {"c": "d"}),
        ("a: *b->c\nc: *d.e + 1\nf: g\n", [(1, 4), (2, 4)], {"f": "g"}),
        ("a: [x[0][1], y]\nc: d\n", [(1, 5)], {"c": "d"}),
        ("a: {b: x ? y : z,\n c: &d}\ne: f\n", [(1, 8), (2, 5)], {"e": "f"}),
        ("\ta: b\n\tc: d\n", [(1, 1), (2, 1)], {"a": "b", "c": "d"}),
        ("a:\u00a0b\nc: d\n", [(1, 3)], {"a": "b", "c": "d"}),
    ],
)
def test_the_rest_of_a_file_with_mistakes_is_read(
    text: str, places: list[tuple[int, int]], rest: dict[str, str]
) -> None:
    loaded = load("f", text.encode())
    assert [place[:2] for place in _places(loaded)] == places
    plain = _plain(loaded.root)
    assert isinstance(plain, dict)
    assert {key: value for key, value in plain.items() if not isinstance(value, (Broken, list))} == rest


@pytest.mark.parametrize(
    ("text", "places"),
    [
        # Tabs among spaces: nobody knows how far they were to indent.
        ("a:\n  b: c\n\td: e\nf: @\n", [(3, 1)]),
        # The repaired line does not fit either: its mistake has been reported.
        ("a: 1\n\tb: c\nd: @\n", [(2, 1)]),
        ("a: [b\nc: d\ne: @\n", [(2, 2)]),
    ],
)
def test_the_rest_is_not_read_where_no_repair_is_clear(text: str, places: list[tuple[int, int]]) -> None:
    loaded = load("f", text.encode())
    assert loaded.root is None
    assert [place[:2] for place in _places(loaded)] == places


def test_reading_behind_mistakes_comes_to_an_end(parsed: list[int]) -> None:
    many = "".join(f"a{number}:b\nc{number}: d\n" for number in range(500))
    assert len(load("f", many.encode()).diagnostics) <= 100
    assert len(parsed) <= 100
    parsed.clear()
    assert len(load("f", (many + "b: c\n" * 100_000).encode()).diagnostics) == 1
    assert sum(parsed) < SCANNED + parsed[0]
