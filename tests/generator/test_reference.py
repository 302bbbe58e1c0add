"""docs/spec.md: made from the language and from the specs in docs/examples, which compile and use every key."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import yaml

from dlpack_bindgen.language.keys import Form, Key, ListOf, Record, Single, records
from dlpack_bindgen.language.values import Fields
from dlpack_bindgen.spec.all_keys import SPEC
from dlpack_bindgen.spec.reference import ENTRY, Instance, covering, excerpt, instances, markdown, own_keys, sections
from dlpack_bindgen.text.yaml import load
from structs.libraries import COMPILERS, compile_strictly
from support.build import TOP, generate

EXAMPLES = TOP / "docs" / "examples"
SPECS = sorted(EXAMPLES.glob("*.yaml"))
PAGE = markdown()
BLOCKS = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def found_in(path: Path) -> list[Instance]:
    return instances(load(path.name, path.read_bytes()), SPEC)


# ---- The page ----


def test_the_page_agrees_with_the_declared_language() -> None:
    assert (TOP / "docs" / "spec.md").read_text(encoding="utf-8") == PAGE, "run: make generate"


def test_the_first_spec_is_a_spec(tmp_path: Path) -> None:
    assert len(generate(BLOCKS[0], tmp_path)) == 4


def test_the_type_of_a_property_is_not_a_class() -> None:
    assert "| `type` | an enum or a word | `int` |" in PAGE


def test_every_excerpt_is_yaml() -> None:
    for block in BLOCKS:
        assert isinstance(yaml.load(block, yaml.BaseLoader), (dict, list)), block


@pytest.mark.parametrize("alike", sections(), ids=lambda alike: alike[0].what)
def test_every_key_has_an_example(alike: list[Record]) -> None:
    shown = {key for path in SPECS for each in found_in(path) if each.record in alike for key in each.keys}
    wanted = {key.name for key in own_keys(alike)} | {ENTRY for record in alike if record.entry}
    assert wanted <= shown
    title = alike[0].what
    section = PAGE[PAGE.index(f"### {title[0].upper()}{title[1:]}\n") :].split("\n### ")[0]
    examples = "".join(re.findall(r"^```yaml\n(.*?)^```", section, re.MULTILINE | re.DOTALL))
    for key in wanted - {ENTRY}:
        assert f"| `{key}` |" in section
        assert re.search(rf"(?<![\w-]){re.escape(key)}: ", examples.replace("\n", " ")), key


def test_every_record_has_a_section() -> None:
    assert {record for alike in sections() for record in alike} == set(records(SPEC))


# ---- The examples ----


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_examples_compile(compiler: str, path: Path, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    files = generate(path.read_text(encoding="utf-8"), tmp_path, path.name)
    for source in [file for file in files if file.suffix == ".c"]:
        compile_strictly(compiler, source, tmp_path / f"{source.stem}.o", [tmp_path, EXAMPLES])


# ---- Excerpts ----

TEXT = """\
module: m
tensors:
  A:
    type: a
    let:
      - int x: self->x
        ok: "> 0"

      - {do: f(self)}
    shape:
      - 1
      - 2
      - 3
      - 4
      - 5
      - 6
      - 7
      - 8

    data: d
    dtype: int8
"""


def quote(what: str, *keys: str) -> str:
    instance = next(each for each in instances(load("a", TEXT.encode()), SPEC) if each.record.what == what)
    return excerpt(TEXT, instance, keys)


def test_an_excerpt_shows_a_key_with_its_value() -> None:
    assert quote("a tensor", "let", "type") == (
        'type: a\nlet:\n  - int x: self->x\n    ok: "> 0"\n\n  - {do: f(self)}\n'
    )


def test_a_long_value_is_cut() -> None:
    assert quote("a tensor", "shape") == "shape:\n  - 1\n  - 2\n  - 3\n  - 4\n  # ...\n"


def test_an_excerpt_shows_a_key_of_a_list_item() -> None:
    assert quote("a declaration", ENTRY, "ok") == '- int x: self->x\n  ok: "> 0"\n'


def test_few_excerpts_cover_all_keys() -> None:
    keys = tuple(Key(name, Single(Form.TEXT), "") for name in "abcd")
    record = Record("a record", "", keys, Fields)
    found = [Instance(str(n), record, dict.fromkeys(names, (0, 0))) for n, names in enumerate(("ab", "bcd", "b", "a"))]
    chosen = covering(found, "abcd")
    assert [(each.file, "".join(names)) for each, names in chosen] == [("1", "bcd"), ("0", "a")]
    assert covering(found, "x") == []


def test_records_in_lone_items_and_lists_are_found() -> None:
    inner = Record("inner", "", (Key("x", Single(Form.TEXT), ""),), Fields)
    outer = Record("outer", "", (Key("a", ListOf(inner, "inners", lone=True), ""),), Fields)
    for text in ("a: {x: 1}", "a: [{x: 1}]"):
        assert [each.record for each in instances(load("t", text.encode()), outer)] == [outer, inner]
