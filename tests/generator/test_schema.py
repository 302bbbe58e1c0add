"""The schema for editors agrees with the validator about structure."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from dlpack_bindgen.cli import main
from dlpack_bindgen.spec import schema
from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.text.diagnostics import Span
from dlpack_bindgen.text.yaml import Broken, Loaded, Mapping, Node, Scalar, Sequence, load
from support.specs import Case, committed_specs, find_bad_specs

TOP = Path(__file__).resolve().parents[2]
GOOD = sorted([*committed_specs(), *TOP.glob("tests/structs/libraries/*/*.yaml"), *TOP.glob("docs/examples/*.yaml")])
BAD = find_bad_specs()
STRUCTURAL = {
    "bad-identifier",
    "bad-integer",
    "bad-version",
    "exclusive-keys",
    "missing-key",
    "needs-key",
    "newer-version",
    "not-a-mapping",
    "unknown-device",
    "unknown-dtype",
    "unknown-exception",
    "unknown-key",
    "unknown-word",
    "wrong-length",
    "wrong-type",
}
"""Codes of mistakes that both the schema and the validator find."""
PARTLY = {"c-declaration", "c-empty", "empty-value", "rank-too-high", "reserved-name", "unknown-map", "variant-keys"}
"""Codes that the schema finds only if the form shows the mistake: an editor reads C's NULL as an empty value."""
NOT_BY_STRUCTURE = {
    # An expression that is a number.
    "slots/device: numbers that a slot cannot have",
    # The same of one that is none.
    "spec/constants: constants that are not integers",
    # Without an 'ok' of its own.
    "imports/destroy: an 'undo' without an 'ok'",
    # An argument of the deleter, not a key, is the other one.
    "imports/deleter: a deleter with the user data as an argument and elsewhere",
    # No arm sets the slot.
    "slots/match: a slot that neither the tensor nor an arm sets",
    # Only 'construct' has an 'ok' by default.
    "functions/failures: an error of an 'init' that has no 'ok'",
    # Only a pointer can be tested without 'ok'.
    "functions/failures: an error of a 'clone' by value that has no 'ok'",
    # An `ok` that is no condition.
    "functions/failures: errors beside 'ok: none'",
    # Only bytes need it.
    "relations/lengths: bytes that are returned without a size",
    # Nor without one can a function that returns no object.
    "functions/failures: errors, 'undo' and exceptions of functions that have no 'ok'",
    # Or one by value.
    "functions/failures: an error of an object by value that has no 'ok'",
    # A map is for dtypes if one looks it up for that.
    "slots/dtype: a misspelled dtype in a map of the whole spec",
    # A '${KEY}' is a dtype if it is put in for one.
    "slots/dtype: a misspelled dtype in a variant",
    # One letter from a word, and a C expression as well.
    "slots/strides: a misspelled unit",
}
"""Specs whose mistake has a structural code, but is found by more than structure."""

SCHEMA = schema.schema()
CHECKER = jsonschema_rs.Draft202012Validator(SCHEMA)


def plain(written: Node, edited: bool = False) -> Any:
    """Turns a node into JSON: all scalars are strings, or (`edited`) values as editors read them, by YAML 1.2."""
    if isinstance(written, Scalar):
        return resolved(written.text) if edited and written.plain else written.text
    if isinstance(written, Mapping):
        return {key.text: plain(value, edited) for key, value in written.entries}
    assert not isinstance(written, Broken)
    return [plain(item, edited) for item in written.items]


def resolved(text: str) -> Any:
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text in ("true", "True", "TRUE", "false", "False", "FALSE"):
        return text.lower() == "true"
    if re.fullmatch(r"[-+]?[0-9]+", text):
        return int(text)
    if re.fullmatch(r"0o[0-7]+|0x[0-9a-fA-F]+", text):
        return int(text, 0)
    if re.fullmatch(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", text):
        return float(text)
    return text


def node(value: Any) -> Node:
    """Turns JSON into the nodes of a file."""
    span = Span("spec.yaml", 1, 1)
    if isinstance(value, dict):
        return Mapping(tuple((Scalar(key, span, False), node(item)) for key, item in value.items()), span)
    if isinstance(value, list):
        return Sequence(tuple(node(item) for item in value), span)
    return Scalar(value, span, False)


def complaints(value: Any) -> list[str]:
    return [f"{error.instance_path}: {error.message}" for error in CHECKER.iter_errors(value)]


def codes(loaded: Loaded) -> set[str]:
    return {problem.code for problem in validate([loaded])[1]}


def test_the_schema_is_a_json_schema() -> None:
    jsonschema_rs.meta.validate(SCHEMA)


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_the_schema_accepts_good_specs(path: Path) -> None:
    root = load(path.name, path.read_bytes()).root
    assert root is not None
    assert complaints(plain(root)) == []
    assert complaints(plain(root, edited=True)) == []


def disagreement(found: set[str], value: Any) -> str | None:
    """Describes how the schema and the validator, which finds these codes, disagree about the value."""
    if CHECKER.is_valid(value):
        return f"only the validator: {sorted(found)}" if found & STRUCTURAL else None
    return None if found & (STRUCTURAL | PARTLY) else f"only the schema, not {sorted(found)}: {complaints(value)}"


@pytest.mark.parametrize("case", BAD, ids=lambda case: case.name)
def test_the_schema_refuses_bad_specs_of_structure(case: Case) -> None:
    loaded = load("bad.yaml", case.content)
    if loaded.root is None or loaded.diagnostics:
        return  # YAML itself is the mistake: an editor has a parser for that
    found = {expected.code for expected in case.expected}  # test_bad_specs.py shows that the validator finds them
    if case.name in NOT_BY_STRUCTURE:
        assert found & STRUCTURAL
        assert complaints(plain(loaded.root)) == []
    else:
        assert disagreement(found, plain(loaded.root)) is None


# ---- Sound specs with one mistake each ----

Path_ = tuple[str | int, ...]


def places(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Finds every place in a value, containers before their content."""
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*path, index))


def at(value: Any, path: Path_) -> Any:
    for step in path:
        value = value[step]
    return value


def mutations(value: Any, path: Path_) -> Iterator[tuple[str, Any]]:
    """Makes copies of the value with one change at `path`, which may be a mistake."""
    old = at(value, path)
    spoilt: dict[str, Any] = {"a list": [], "a mapping of nonsense": {"nonsense": "1"}, "a number": "65"}
    if isinstance(old, list):
        spoilt |= {"one more": [*old, "nonsense"], "twice": [*old, *old], "a mapping": {}}
    if isinstance(old, dict):
        for key in old:
            if key in ("dtype", "shape", "data") and "match" in old:
                continue  # each arm may set it
            spoilt[f"without {key}"] = {name: item for name, item in old.items() if name != key}
            spoilt[f"{key} misspelt"] = {name if name != key else f"{name[:-1]}_": item for name, item in old.items()}
        spoilt |= {f"with {key}": {**old, key: "nonsense"} for key in ADDED if key not in old}
        spoilt |= {"a scalar": "nonsense", "a mapping": {}, "a list of nonsense": ["nonsense"]}
    for what, new in spoilt.items():
        if not path:
            yield what, new
            continue
        whole = copy.deepcopy(value)
        at(whole, path[:-1])[path[-1]] = new
        yield what, whole


ADDED = ("of", "ok", "error", "undo", "unit", "each", "variants", "nonsense", "int x")
"""Keys that belong somewhere."""
NOT_FOUND_BY_STRUCTURE = {"without ok", "with error", "with undo", "without size"}
"""Whether a call can fail without an 'ok' of its own, or C says how much there is, depends on others."""


CHOSEN_BELOW = {"args", "functions", "handles", "let", "map", "maps", "methods", "params", "samples", "set", "tensors"}
"""Keys whose value is a mapping with keys that the author chooses."""


def role(path: Path_) -> tuple[str, ...]:
    """Returns the keys of the language that lead to a place; names and indices that the author chooses become ''."""
    names = [step if isinstance(step, str) else "" for step in path]
    names = [name if before not in CHOSEN_BELOW else "" for before, name in zip(["", *names], names, strict=False)]
    for index in range(len(names) - 1, -1, -1):
        if names[index] in ("functions", "methods"):  # a function is the same record, wherever it stands
            return ("functions", *names[index + 1 :])
    return tuple(names)


def features(path: Path_, value: Any) -> set[tuple[object, ...]]:
    """Returns the facts of a place that the language tells apart: its role and its type; of a mapping, each key."""
    place = at(value, path)
    own: set[tuple[object, ...]] = {(role(path), type(place))}
    if isinstance(place, dict) and not CHOSEN_BELOW & set(role(path)[-1:]):
        own |= {(role(path), key) for key in place}
    return own


def smaller(whole: Any, path: Path_) -> Any:
    """Returns a sound spec with what is at `path`, and little else: it is faster to check many times."""
    value = {"module": "m", "maps": whole.get("maps", {"m": {"M": "int8"}})}
    value["tensors"] = {"T": {"type": "t", "data": "d", "dtype": "int8", "shape": []}}
    if path[0] in ("constants", "init", "numbers"):
        return {**value, path[0]: whole[path[0]]}
    record = whole[path[0]][path[1]]
    if "methods" in record:
        name = path[3] if path[2:3] == ("methods",) and len(path) > 3 else next(iter(record["methods"]))
        record = {**record, "methods": {name: record["methods"][name]}}
    value[path[0]] = {path[1]: record}
    return value


def all_places() -> list[Any]:
    """Returns the places of all examples that show a feature that no earlier place has."""
    seen: set[tuple[object, ...]] = set()
    found = []
    for file in sorted(TOP.glob("docs/examples/*.yaml")):
        root = load(file.name, file.read_bytes()).root
        assert root is not None
        whole = plain(root)
        for path in places(whole):
            if path[0:1] == ("maps",) and len(path) > 1:
                continue  # what a value must be depends on the slot that looks it up
            by_name = path[0:1] in (("tensors",), ("handles",), ("functions",)) and len(path) > 1
            alone = path[0:1] in (("constants",), ("init",), ("numbers",))
            value = smaller(whole, path) if by_name or alone else whole
            new = features(path, value) - seen
            if new:
                seen |= new
                found.append(pytest.param(value, path, id=".".join(map(str, (file.stem, *path)))))
    return found


@pytest.mark.parametrize(("value", "path"), all_places())
def test_schema_and_validator_agree_about_mistakes_of_structure(value: Any, path: Path_) -> None:
    wrong = {}
    for what, changed in mutations(value, path):
        root = node(changed)
        if isinstance(root, Mapping) and what not in NOT_FOUND_BY_STRUCTURE:
            wrong[what] = disagreement(codes(Loaded("spec.yaml", root, "", ())), changed)
    assert {what: problem for what, problem in wrong.items() if problem} == {}


# ---- Descriptions and names for editors ----


def test_everything_is_explained() -> None:
    """Each key has a text to show, each record a title, and each word its own text."""
    for record in [SCHEMA, *SCHEMA["$defs"].values()]:
        assert record["title"]
        for name, key in record.get("properties", {}).items():
            assert key["description"], name
    assert len(words(SCHEMA)) >= 10
    for choice in words(SCHEMA):
        assert len(choice["markdownEnumDescriptions"]) <= len(choice["enum"])
        assert all(choice["markdownEnumDescriptions"])


def words(value: Any) -> list[Any]:
    """Finds all parts of the schema that list words."""
    if isinstance(value, list):
        return [each for item in value for each in words(item)]
    if not isinstance(value, dict):
        return []
    return ([value] if "markdownEnumDescriptions" in value else []) + [
        each for item in value.values() for each in words(item)
    ]


def test_names_can_be_completed() -> None:
    definitions = SCHEMA["$defs"]
    assert "bfloat16" in json.dumps(definitions["dtype-name"])
    assert "cuda_host" in json.dumps(definitions["device-name"])


def test_every_definition_is_used() -> None:
    text = schema.text()
    for name in json.loads(text)["$defs"]:
        assert f'"$ref": "#/$defs/{name}"' in text


# ---- The command ----


def test_the_command_prints_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert capsys.readouterr() == (schema.text(), "")


def test_the_command_writes_the_schema(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "new" / "spec.schema.json"
    assert main(["schema", "-o", str(target)]) == 0
    assert target.read_text(encoding="utf-8") == schema.text()
    before = target.stat()
    assert main(["schema", "-o", str(target)]) == 0
    assert (target.stat().st_ino, target.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert main(["schema", "-o", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"dlpack-bindgen: error: cannot write {tmp_path}: it is a directory\n")
