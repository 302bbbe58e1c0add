"""The key `draft`: its answers, the names that are open, and what `generate` and `explain` tell about them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from dlpack_bindgen.cli import main
from dlpack_bindgen.spec.draft import Question, kind_of
from support.validated import explanation
from support.validated import spec as validated

HEAD = """\
module: film
include: [film.h]
handles:
  Film:
    type: film
    release: film_close(self)
    methods:
      rewind: {c: void film_rewind(film *f)}
"""
NAMES = "film_trim, film_cut, film_grade"
FREES = "free(result)"


def question(name: str, answer: str, about: str = NAMES) -> Question:
    """Returns the question of a spec with one question."""
    (found,) = validated(f"{HEAD}draft:\n  {name}:\n    about: [{about}]\n    answer: {answer}\n").questions
    return found


def words(found: Question) -> dict[str, list[str]]:
    """Returns the answers of a question by names: each is a word, or a word with its value."""
    return {
        name: [f"{each.word}: {each.value}" if each.value else each.word for each in answers]
        for name, answers in found.answers.items()
    }


# ---- Answers ----


@pytest.mark.parametrize(
    ("name", "answer", "trim", "cut", "grade"),
    [
        ("objects", "plain", "plain", "plain", "plain"),
        ("objects", "{plain: film_trim, moves: [film_cut]}", "plain", "moves", ""),
        ("objects", "{plain: 'film_*'}", "plain", "plain", "plain"),
        ("objects", "{moves: 'film_[tg]*', plain: rest}", "moves", "plain", "moves"),
        ("objects", "{plain: rest, moves: film_cut}", "plain", "moves", "plain"),
        ("objects", "{plain: [rest], moves: film_cut}", "plain", "moves", "plain"),
        ("input const int *x", "one", "one", "one", "one"),
        ("input const int *x", "{count: n}", "count: n", "count: n", "count: n"),
        ("input const int *x", "{count: n * 2, one: film_cut}", "count: n * 2", "one", "count: n * 2"),
        ("input const int *x", "{count: {n: film_trim, m: [film_cut]}}", "count: n", "count: m", ""),
        ("input const int *x", "{count: {n: rest, m: film_cut}}", "count: n", "count: m", "count: n"),
        ("text results", f"{{caller frees: {FREES}}}", *[f"caller frees: {FREES}"] * 3),
        ("text results", f"{{caller frees: {{{FREES}: film_cut}}}}", "", f"caller frees: {FREES}", ""),
        ("text results", "library's", "library's", "library's", "library's"),
        ("array results", "{shape: n}", "shape: n", "shape: n", "shape: n"),
        ("array results", "{shape: [n, 4]}", "shape: n, 4", "shape: n, 4", "shape: n, 4"),
        ("array results", "[n, 4]", "shape: n, 4", "shape: n, 4", "shape: n, 4"),
        ("array results", "{shape: {n: film_cut}}", "", "shape: n", ""),
    ],
)
def test_an_answer_counts_for_its_names(name: str, answer: str, trim: str, cut: str, grade: str) -> None:
    found = question(name, answer)
    expected = {"film_trim": trim, "film_cut": cut, "film_grade": grade}
    assert words(found) == {each: [word] for each, word in expected.items() if word}
    assert found.open_names == [each for each, word in expected.items() if not word]


@pytest.mark.parametrize(
    ("answer", "cut", "grade"),
    [
        ("{count: n, keeps: film_cut}", ["count: n", "keeps"], ["count: n"]),
        ("{one: film_cut, keeps: [film_cut], count: n}", ["keeps", "one"], ["count: n"]),
        ("{count: n, keeps: rest}", ["count: n", "keeps"], ["count: n", "keeps"]),
    ],
)
def test_keeps_stands_beside_another_word(answer: str, cut: list[str], grade: list[str]) -> None:
    found = words(question("input const int *x", answer))
    assert (sorted(found["film_cut"]), sorted(found["film_grade"])) == (cut, grade)


def test_keeps_of_an_object_is_a_word_of_its_own() -> None:
    """Only an address of numbers is kept beside its length."""
    assert words(question("text", "{keeps: film_cut, reads: rest}"))["film_cut"] == ["keeps"]


@pytest.mark.parametrize(
    ("answer", "bits", "packed"),
    [
        ("case", ["case"], ["case"]),
        ("any", ["any"], ["any"]),
        ("{bits: 8}", ["case: 8"], []),
        ("{bits: [8, 16], packed: any}", ["case: 8, 16"], ["any"]),
        ("{bits: 8, any: rest}", ["case: 8"], ["any"]),
        ("{any: packed, match: rest}", ["match"], ["any"]),
    ],
)
def test_members_can_have_values(answer: str, bits: list[str], packed: list[str]) -> None:
    found = question("Film.require", answer, "bits, packed")
    assert words(found) == {name: each for name, each in (("bits", bits), ("packed", packed)) if each}


def test_a_member_can_have_the_name_of_a_word() -> None:
    """A member is found first: `any: any` is the answer about a member that is called so."""
    assert words(question("Film.require", "{any: 8, bits: any}", "any, bits")) == {"any": ["case: 8"], "bits": ["any"]}


def test_an_answer_without_a_value_is_none() -> None:
    for answer in ("", " ", "# later"):
        assert question("objects", answer).open_names == NAMES.split(", ")


def test_a_question_can_be_about_one_name() -> None:
    (found,) = validated(f"{HEAD}draft: {{objects: {{about: film_cut}}}}\n").questions
    assert found.open_names == ["film_cut"]


def test_suggestions_and_observations_decide_nothing() -> None:
    text = f"{HEAD}draft: {{objects: {{about: [{NAMES}], suggested: plain, seen: {{film_cut: 12 calls}}}}}}\n"
    (found,) = validated(text).questions
    assert (found.answers, found.open_names) == ({}, NAMES.split(", "))


# ---- The names of questions ----


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("objects, new", "objects"),
        ("objects with a doubtful name", "objects"),
        ("objects with a doubtful name, new", "objects"),
        ("second object with a doubtful name", "second object"),
        ("input const double *x", "input"),
        ("input const double *x, new", "input"),
        ("output char name[80]", "output"),
        ("Film.require", "require"),
        ("Film.data, new", "data"),
    ],
)
def test_a_name_tells_the_kind_of_its_question(name: str, kind: str) -> None:
    found = kind_of(name)
    assert found is not None
    assert found.name == kind


@pytest.mark.parametrize(
    "name",
    [
        "objects,new",
        "objects, new with a doubtful name",
        "ends with a doubtful name",
        "Film.data with a doubtful name",
        "input",
        "require",
        "data",
        ".data",
        "Film.shape",
        "a b.data",
        "object",
        "",
    ],
)
def test_another_name_is_no_question(name: str) -> None:
    assert kind_of(name) is None


# ---- Names that the spec describes ----


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("    release: film_cut(self)", "film_cut"),
        ("    retain: film_ref(self)", "film_ref"),
        ("    methods: {cut: {c: int film_cut(film *f)}}", "film_cut"),
        ("    properties: {size: film_size(self)}", "film_size"),
        ("    properties: {size: {get: film_size(self), set: {c: 'void film_resize(film *f, int n)'}}}", "film_resize"),
        ("    new: {c: film *film_open(void)}", "film_open"),
    ],
)
def test_a_name_that_the_spec_calls_is_decided(place: str, name: str) -> None:
    release = "" if "release" in place else "    release: film_close(self)\n"
    head = f"module: film\ninclude: [film.h]\nhandles:\n  Film:\n    type: film\n{release}{place}\n"
    (found,) = validated(f"{head}draft: {{objects: {{about: [{name}, {name}_all, film_other]}}}}\n").questions
    assert found.open_names == [f"{name}_all", "film_other"]


def test_a_name_in_a_comment_or_a_doc_stays_open() -> None:
    head = f"{HEAD}      # cut: {{c: void film_cut(film *f)}}\n    doc: As film_cut() does.\n"
    (found,) = validated(f"{head}draft: {{objects: {{about: [film_cut]}}}}\n").questions
    assert found.open_names == ["film_cut"]


def test_a_member_stays_open_although_a_description_reads_it() -> None:
    """A condition about `bits` can be a guess of `init`."""
    tensor = "{type: film, data: self->p, dtype: uint8, shape: [self->n], require: [self->bits == 8]}"
    text = f"module: film\ninclude: [film.h]\ntensors:\n  Film: {tensor}\ndraft:\n  Film.require: {{about: [bits]}}\n"
    (found,) = validated(text).questions
    assert found.open_names == ["bits"]


# ---- The line of `generate` ----


def line_of(folder: Path, capsys: pytest.CaptureFixture[str], *draft: str) -> list[str]:
    """Returns the lines of `generate` that tell no written file."""
    text = HEAD + ("draft:\n" + "".join(f"  {line}\n" for line in draft) if draft else "")
    (folder / "film.yaml").write_text(text)
    assert main(["generate", str(folder / "film.yaml"), "-o", str(folder / "out")]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = [line for line in out.splitlines() if not line.startswith("wrote ")]
    return [line.removeprefix("film.yaml: ") for line in lines]


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        ([], []),
        (["objects: {about: [a, b], answer: plain}"], []),
        (["objects: {about: film_rewind}"], []),
        (["objects: {about: a}"], ["1 question is open: 1 function is left out"]),
        (["objects: {about: [film_rewind, a, b]}"], ["1 question is open: 2 functions are left out"]),
        (["objects: {about: [a, b]}", "text: {about: [b, c]}"], ["2 questions are open: 3 functions are left out"]),
        (
            ["objects: {about: [a, b], answer: {plain: b}}", "text: {about: [b], answer: reads}"],
            ["1 question is open: 1 function is left out"],
        ),
        (["Film.require: {about: [bits, packed]}"], ["1 question is open"]),
        (
            ["Film.require: {about: [bits]}", "objects: {about: a}"],
            ["2 questions are open: 1 function is left out"],
        ),
    ],
)
def test_generate_tells_how_many_questions_are_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], draft: Sequence[str], expected: list[str]
) -> None:
    assert line_of(tmp_path, capsys, *draft) == expected


def test_generate_tells_the_open_questions_of_each_spec(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "two", "three"):
        draft = "draft: {library: {about: [a]}}\n" if name != "two" else ""
        (tmp_path / f"{name}.yaml").write_text(f"module: {name}\nconstants: {{A: 1}}\n{draft}")
    specs = [str(tmp_path / f"{name}.yaml") for name in ("one", "two", "three")]
    assert main(["generate", *specs, "-o", str(tmp_path / "out")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2:] == [f"{each}.yaml: 1 question is open: 1 function is left out" for each in ("one", "three")]


def test_the_generated_files_do_not_depend_on_the_draft(tmp_path: Path) -> None:
    text = f"{HEAD}draft: {{objects: {{about: [film_trim, film_rewind], answer: {{moves: film_rewind}}}}}}\n"
    files = []
    for name, content in (("with", text), ("without", HEAD)):
        (tmp_path / name).mkdir()
        spec = tmp_path / name / "film.yaml"
        spec.write_text(content)
        assert main(["generate", str(spec), "-o", str(tmp_path / name / "out")]) == 0
        files.append({path.name: path.read_bytes() for path in (tmp_path / name / "out").iterdir()})
    assert len(files[0]) > 2
    assert files[0] == files[1]


def test_a_spec_can_be_nothing_but_questions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = tmp_path / "film.yaml"
    spec.write_text("module: film\ninclude: [film.h]\ndraft: {library: {about: [film_stop]}}\n")
    assert main(["generate", str(spec), "-o", str(tmp_path)]) == 0
    assert "1 question is open: 1 function is left out" in capsys.readouterr().out


# ---- The text of `explain` ----

DRAFT = """\
# Written by init.
module: film
include: [film.h]
tensors:
  Frame:
    type: frame
    data: self->data
    dtype: uint8  # guess: bytes are numbers
    shape: [self->size]
handles:
  Film:
    type: film
    release: film_close(self)
    # guess: it has the first function with the word `open`
    new: {c: film *film_open(void)}
    properties:
      size: film_size(self)  # guess: by the comment
    methods:
      rewind: {c: void film_rewind(film *f)}
      # trim: {c: void film_trim(film *f)}  # guess: this stays a comment
functions:
  version: {c: int film_version(void)}  # guess: the name
  mood: {c: int film_mood(void), doc: A mood.}
draft:
  objects:
    about: [film_a, film_b, film_c, film_d, film_e, film_f, film_g, film_h]
    answer: {plain: film_a}
  library: {about: [film_stop], answer: plain}
"""


def explained_lines(name: str | None = None) -> list[str]:
    return [" ".join(line.split()) for line in explanation(DRAFT, name).splitlines()]


def test_explain_lists_guesses_and_open_questions() -> None:
    lines = explained_lines()
    assert "line 8, dtype bytes are numbers" in lines
    assert "line 15, new it has the first function with the word `open`" in lines
    assert "line 17, size by the comment" in lines
    assert "line 22, version the name" in lines
    assert not any("stays a comment" in line for line in lines)
    start = lines.index("Open questions")
    text = " ".join(lines[start:])
    assert "objects film_b, film_c, film_d, film_e, film_f, film_g and 1 more" in text
    assert "library" not in text


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Frame", {"dtype"}),
        ("Film", {"new", "size"}),
        ("Film.size", {"size"}),
        ("Film.rewind", set()),
        ("version", {"version"}),
        ("mood", set()),
    ],
)
def test_explain_of_one_name_lists_its_guesses(name: str, expected: set[str]) -> None:
    lines = explained_lines(name)
    found = {line.split(", ")[1].split()[0] for line in lines if line.startswith("line ")}
    assert found == expected
    assert "Open questions" not in lines


def test_explain_of_a_decided_spec_has_neither() -> None:
    text = explanation(f"{HEAD}draft: {{objects: {{about: [film_cut], answer: plain}}}}\n")
    assert "Open questions" not in text
    assert "Guesses" not in text
