# SPDX-License-Identifier: MIT
"""The gates of `try`: the edits of a spec, the errors that are put into it, and the reasons for targets."""

from __future__ import annotations

import sys

import pytest

from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.text.yaml import Loaded, Mapping, load
from support.build import TOP

sys.path.append(str(TOP / "gates"))

from try_ import seeded, specs
from try_.edits import Edit, Source, apply, entries
from try_.errors import SeededError, errors_of
from try_.libraries import LIBRARIES, library

TEXT = """\
module: demo # a comment
functions:
  one:
    c: >-
      int one(const int *x,
      size_t n)
    args: {n: {count_of: x}, x: {require: [{count: 2}, compact]}}
    doc: "It's one."
  two: {c: int two(void)}
lists:
  - {a: 1}
  - {a: [2]}
"""


def source(text: str = TEXT) -> Source:
    return Source(load("demo.yaml", text.encode()))


def node(of: Source, *path: str) -> Mapping:
    found = of.root
    for name in path:
        found = entries(found)[name]  # type: ignore[assignment]
    assert isinstance(found, Mapping)
    return found


def edited(*edits: Edit | None) -> str:
    assert None not in edits
    return apply(TEXT, [each for each in edits if each is not None])


# ---- Edits ----


def test_entries_in_lines_and_in_braces_are_removed() -> None:
    of = source()
    assert "one" not in edited(of.remove(node(of, "functions"), "one"))
    assert edited(of.remove(node(of, "functions"), "two")) == TEXT.replace("  two: {c: int two(void)}\n", "")
    assert "args: {x: {require" in edited(of.remove(node(of, "functions", "one", "args"), "n"))
    assert "args: {n: {count_of: x}}\n" in edited(of.remove(node(of, "functions", "one", "args"), "x"))


def test_items_are_removed() -> None:
    of = source()
    require = entries(node(of, "functions", "one", "args", "x"))["require"]
    assert "require: [compact]" in edited(of.remove_item(require, 0))  # type: ignore[arg-type]
    assert "require: [{count: 2}]" in edited(of.remove_item(require, 1))  # type: ignore[arg-type]
    assert edited(of.remove_item(entries(of.root)["lists"], 0)) == TEXT.replace("  - {a: 1}\n", "")  # type: ignore[arg-type]


def test_entries_are_added() -> None:
    of = source()
    assert "n: {plus: 1, count_of: x}" in edited(of.add(node(of, "functions", "one", "args", "n"), "plus: 1"))
    assert "  one:\n    ok: none\n    c: >-" in edited(of.add(node(of, "functions", "one"), "ok: none"))


def test_words_in_a_value_of_several_lines_are_replaced() -> None:
    of = source()
    prototype = entries(node(of, "functions", "one"))["c"]
    assert "int one(int *x,\n" in edited(of.within(prototype, "const int *x", "int *x"))  # type: ignore[arg-type]
    assert "int one(const int *x, long n)\n" in edited(of.within(prototype, "x, size_t n", "x, long n"))  # type: ignore[arg-type]


def test_edits_that_overlap_are_refused() -> None:
    with pytest.raises(ValueError, match="overlap"):
        apply("abcdef", [Edit(0, 3, ""), Edit(2, 4, "")])


# ---- Errors ----


def loaded(name: str) -> Loaded:
    path = TOP / library(name).spec
    return load(path.name, path.read_bytes())


def errors(name: str) -> list[SeededError]:
    return errors_of(loaded(name), library(name))


@pytest.mark.parametrize("name", seeded.SPECS)
def test_each_error_is_one_change_of_a_valid_spec(name: str) -> None:
    found = errors(name)
    assert len({each.name for each in found}) == len(found)
    for base in {each.base for each in found}:
        read = load("base.yaml", base.encode())
        assert [*read.diagnostics, *validate([read])[1]] == []
    for each in found:
        assert each.text != each.base, each.name
        assert not load("error.yaml", each.text.encode()).diagnostics, each.name


def test_errors_of_imaging_have_all_changes_of_an_extent() -> None:
    changes = {each.change for each in errors("imaging") if each.where == "tensors.Image.shape[1]"}
    members = {"self->height", "self->channels", "self->pitch"}
    assert changes == {"self->width + 1", "self->width * 2", "self->width / 2", "self->width * 1", *members}


def test_errors_of_gsl_are_of_these_kinds() -> None:
    kinds = {"extent", "stride", "offset", "length", "unit", "owner", "finally", "readonly", "const"}
    assert {each.kind for each in errors("gsl")} == kinds


def test_an_error_leaves_out_what_it_does_not_need() -> None:
    [found] = [each for each in errors("gsl") if each.name == "functions.mean.args.n.plus: 1"]
    assert "n: {plus: 1, count_of: data}" in found.text
    assert "variance" not in found.text
    assert "tensors:" not in found.text


def test_the_seed_of_a_sample_chooses_errors() -> None:
    one, again, other = (seeded.chosen(library("gsl"), sample) for sample in ("1", "1", "2"))
    assert one == again != other
    assert len(one) == seeded.SAMPLE


def not_found(where: str) -> seeded.Outcome:
    return seeded.Outcome(SeededError("nrrd", "owner", where, "removed", "", ""), seeded.NOT_FOUND, "")


def test_a_reason_names_errors_that_nobody_finds() -> None:
    explained, other = not_found("tensors.Nrrd.release"), not_found("tensors.Nrrd.shape")
    assert seeded.unexplained([explained, other]) == [other]


def test_a_table_counts_errors_with_an_effect() -> None:
    own = errors("nrrd")[:4]
    by = (seeded.TRY, seeded.GENERATOR, seeded.SAME, seeded.NOT_FOUND)
    figures = seeded.table(seeded.Outcome(error, each, "") for error, each in zip(own, by, strict=True))
    assert figures["nrrd, all"] == "2 of 3 (67 %): generator 1, try 1; 1 without effect"


# ---- Counts ----


def run(**returned: int) -> specs.Run:
    targets = [{"name": name, "returned": count, "raised": 0} for name, count in returned.items()]
    return specs.Run(library("imaging"), 0, {"targets": targets, "claims": [], "known": []}, 1.0)


def test_a_target_that_seldom_returned_needs_a_reason() -> None:
    [problem] = specs.problems([run(blur=19, load=0)], [("imaging", "load", "needs a path")])
    assert problem.startswith("imaging blur: 19 calls returned")


def test_a_reason_without_a_target_is_reported() -> None:
    [problem] = specs.problems([run(load=20)], [("imaging", "load", "needs a path")])
    assert problem.startswith("imaging load: 20 calls or more returned")


def test_a_sample_has_a_spec_of_this_repository_and_one_of_a_library() -> None:
    for sample in "abcdef":
        own, other = specs.sampled(sample)
        assert not own.package
        assert other.package


def test_all_specs_are_run() -> None:
    ours = {path.stem for path in (TOP / "specs").glob("*.yaml") if not path.stem.endswith(".limits")}
    assert {each.name for each in LIBRARIES} == ours | {"sound"}
