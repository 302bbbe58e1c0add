"""`init --update`, `--accept SPEC` and `--renew`: answers write entries, and all other lines of a spec stay."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from dlpack_bindgen.cli import main
from generator.command import refused
from init.conftest import answered, asked, calls, compile_generated, initialised, write_answers

HEADER = """\
#include <stddef.h>
typedef struct sx_frame sx_frame;
typedef struct sx_store sx_store;
sx_frame *sx_frame_new(int width, int height);
sx_frame *sx_frame_copy(const sx_frame *f);
void sx_frame_ref(sx_frame *f);
void sx_frame_unref(sx_frame *f);
int sx_frame_width(sx_frame *f);
int sx_frame_height(sx_frame *f);
unsigned char *sx_frame_get_pixels(sx_frame *f);
int sx_frame_resize(sx_frame *f, int w, int h);
sx_store *sx_store_new(void);
void sx_store_free(sx_store *s);
int sx_store_add(sx_store *s, sx_frame *f);
sx_frame *sx_store_get(sx_store *s, int index);
void sx_set_debug(int level);
double sx_mean(const double *x, size_t n);
"""
DOUBTFUL = "objects with a doubtful name"
SECOND = "second object with a doubtful name"
REFERENCES = {"ends": "unref", DOUBTFUL: "{refs: sx_frame_ref}"}
PERSONAL = """\
# Frames, by me.
dlpack-bindgen: 1
module: sx
include: [sx.h]

handles:
  Frame:
    type: sx_frame   # the type
    doc: A picture.
    # my methods
    methods:
      twin: {c: sx_frame *sx_frame_copy(const sx_frame *f), returns: {of: Frame, borrow: static}}  # my name
  Store: {type: sx_store, release: sx_store_free(self)}

draft:
  # my thoughts
  ends: {about: [sx_frame_unref], answer: unref}   # sure
  Frame.data:
    about: [sx_frame_width, sx_frame_height,
            sx_frame_get_pixels]
    answer: reads

# the end
"""


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Writes the header and its draft, and changes to their folder."""
    monkeypatch.chdir(tmp_path)
    Path("sx.h").write_text(HEADER)
    initialised(Path("sx.yaml"), "sx.h")
    return Path("sx.yaml")


def changes(before: str, after: str) -> tuple[list[str], list[str]]:
    """Returns the lines that are removed and added."""
    lines = list(difflib.ndiff(before.splitlines(), after.splitlines()))
    return [each[2:] for each in lines if each.startswith("- ")], [each[2:] for each in lines if each.startswith("+ ")]


def update(spec: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """Updates a spec, and returns the lines that the command prints."""
    capsys.readouterr()
    assert main(["init", "--update", *arguments, str(spec)]) == 0
    return capsys.readouterr().out.splitlines()


# ---- Answers write entries ----


def test_an_update_without_answers_changes_nothing(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = spec.read_bytes()
    assert update(spec, capsys) == []
    assert spec.read_bytes() == before


def test_an_answer_writes_the_entries_of_its_names(spec: Path) -> None:
    """The answers themselves stay as they are."""
    before = write_answers(spec, {"library": "plain", "input const double *x": "{count: n}"})
    removed, added = changes(before, answered(spec, {}))
    assert removed == []
    assert added == [
        "",
        "functions:",
        "  set_debug:",
        "    c: void sx_set_debug(int level)",
        "  mean:",
        "    c: double sx_mean(const double *x, size_t n)",
        "    args: {n: {count_of: x}}",
    ]
    compile_generated(spec.read_text(), Path.cwd(), [f"-I{Path.cwd()}"])


def test_names_without_a_word_stay_asked(spec: Path) -> None:
    text = answered(spec, {**REFERENCES, "results": "{new: sx_frame_copy}"})
    assert calls(text, "sx_frame_copy")
    assert not calls(text, "sx_frame_new")
    assert not calls(text, "sx_store_get")
    assert "results" in asked(text, "sx_frame_new")


def test_a_function_needs_the_answers_to_all_its_questions(tmp_path: Path) -> None:
    (tmp_path / "two.h").write_text("typedef struct two two;\nint two_fill(two *t, const double *x, int n);\n")
    initialised(tmp_path / "two.yaml", str(tmp_path / "two.h"))
    assert not calls(answered(tmp_path / "two.yaml", {"objects": "plain"}), "two_fill")
    assert calls(answered(tmp_path / "two.yaml", {"input const double *x": "{count: n}"}), "two_fill")


@pytest.mark.parametrize(
    ("answers", "slots"),
    [
        ({"ends": "ends"}, ["release: sx_frame_unref(self)"]),
        ({"ends": "unref"}, ["release: sx_frame_unref(self)"]),
        (REFERENCES, ["retain: sx_frame_ref(self)", "release: sx_frame_unref(self)"]),
        ({DOUBTFUL: "{refs: sx_frame_ref}"}, []),
    ],
)
def test_answers_give_a_class_its_release(spec: Path, answers: dict[str, str], slots: list[str]) -> None:
    before = write_answers(spec, answers)
    removed, added = changes(before, answered(spec, {}))
    assert removed == []
    assert [line.strip() for line in added] == slots
    compile_generated(spec.read_text(), Path.cwd(), [f"-I{Path.cwd()}"])


def test_a_function_that_only_changes_the_object_gives_no_release(spec: Path) -> None:
    text = answered(spec, {"ends": "plain"})
    assert "release: sx_frame_unref" not in text
    assert "        c: void sx_frame_unref(sx_frame *f)\n" in text


def test_a_new_object_needs_a_release(spec: Path) -> None:
    """Otherwise nothing would free it."""
    assert not calls(answered(spec, {"results": "{new: [sx_frame_new, sx_frame_copy]}"}), "sx_frame_new")
    assert calls(answered(spec, {"ends": "unref"}), "sx_frame_new")


@pytest.mark.parametrize(
    ("word", "lines"),
    [
        ("reads", []),
        ("keeps", ["        args: {s: {keeps: f}}"]),
        ("takes", ["        args: {f: {takes: always}}"]),
    ],
)
def test_each_word_about_a_second_object_writes_its_key(spec: Path, word: str, lines: list[str]) -> None:
    before = write_answers(spec, {"ends": "ends", SECOND: word})
    removed, added = changes(before, answered(spec, {}))
    assert removed == []
    at = added.index("        c: int sx_store_add(sx_store *s, sx_frame *f)")
    assert [line for line in added[at + 1 :] if line.startswith("        args")] == lines


@pytest.mark.parametrize(
    ("word", "key"),
    [("part", "borrow: s"), ("static", "borrow: static"), ("refers", "keeps: s"), ("new", "")],
)
def test_each_word_about_a_result_writes_its_key(spec: Path, word: str, key: str) -> None:
    text = answered(spec, {"ends": "ends", "results": f"{{{word}: sx_store_get}}"})
    prototype = "        c: sx_frame *sx_store_get(sx_store *s, int index)\n"
    assert prototype in text
    returns = f"        returns: {{of: Frame, {key}}}\n"
    assert text.partition(prototype)[2].startswith(returns if key else "\n")


@pytest.mark.parametrize(("question", "word"), [("library", "ends"), (DOUBTFUL, "refs")])
def test_functions_can_be_left_out(spec: Path, question: str, word: str) -> None:
    text = answered(spec, {question: word})
    assert not any(calls(text, name) for name in ("sx_set_debug", "sx_frame_resize", "sx_frame_ref"))


# ---- The data of a class ----


def test_answered_data_moves_a_handle_to_the_tensors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own lines stay as they are, in their order, with their comments."""
    monkeypatch.chdir(tmp_path)
    Path("sx.h").write_text(HEADER)
    Path("sx.yaml").write_text(PERSONAL)
    text = answered(Path("sx.yaml"), {})
    handles, _, tensors = text.partition("handles:")[2].partition("draft:")[0].partition("tensors:\n")
    assert handles.startswith("\n  Store: {type: sx_store, release: sx_store_free(self), ")
    assert "Frame:" not in handles
    own = PERSONAL.partition("handles:\n")[2].partition("  Store:")[0].splitlines()
    assert [line for line in tensors.splitlines() if line in own] == own
    assert [line.strip() for line in tensors.splitlines() if line not in own][:5] == [
        "data: sx_frame_get_pixels(self)  # guess: by its name",
        "dtype: uint8",
        "# guess: the order of the axes, by their names; rows are contiguous, else add `order: F`",
        "shape: [sx_frame_height(self), sx_frame_width(self)]",
        "release: sx_frame_unref(self)",
    ]
    compile_generated(text, tmp_path, [f"-I{tmp_path}"])


def test_the_lines_of_a_person_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sx.h").write_text(HEADER)
    Path("sx.yaml").write_text(PERSONAL)
    text = answered(Path("sx.yaml"), {})
    start, end = PERSONAL.partition("handles:\n")[0], PERSONAL.partition("draft:\n")[2]
    assert text.startswith(start)
    assert end.removesuffix("\n# the end\n") in text
    assert text.endswith("\n# the end\n")
    assert text.count("sx_frame_copy(") == 1


def test_an_array_stays_a_handle_until_its_functions_only_read(spec: Path) -> None:
    text = answered(spec, {"Frame.data": "{reads: [sx_frame_width, sx_frame_height]}"})
    assert "tensors:" not in text
    assert calls(text, "sx_frame_width")


# ---- Once more, with the same or a newer header ----


@pytest.mark.parametrize(
    "answers",
    [
        {},
        REFERENCES,
        {"results": "{part: sx_store_get, new: rest}", SECOND: "keeps", "library": "plain", **REFERENCES},
        {"Frame.data": "reads", DOUBTFUL: "{moves: sx_frame_resize}", "input const double *x": "{count: n}"},
    ],
)
def test_a_second_update_changes_nothing(
    spec: Path, capsys: pytest.CaptureFixture[str], answers: dict[str, str]
) -> None:
    text = answered(spec, answers)
    assert update(spec, capsys) == []
    assert spec.read_text() == text


def test_new_declarations_are_added_or_asked(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An answer counts for the names below it, never for later ones. A name that types decide needs none."""
    before = answered(spec, {"library": "plain"})
    new = "void sx_reset_all(void);\nint sx_store_count(const sx_store *s);\nvoid sx_store_pack(sx_store *s, int n);\n"
    Path("sx.h").write_text(f"{HEADER}{new}")
    assert update(spec, capsys) == [
        "wrote sx.yaml",
        "sx.yaml: added sx_store_count",
        "sx.yaml: new question objects: sx_store_pack",
        "sx.yaml: new question library, new: sx_reset_all",
    ]
    text = spec.read_text()
    removed, _ = changes(before, text)
    assert removed == []
    assert calls(text, "sx_store_count")
    assert not calls(text, "sx_reset_all")
    assert asked(text, "sx_reset_all") == {"library, new": "ends"}
    assert asked(text, "sx_set_debug") == {"library": "plain"}
    text = answered(spec, {'"library, new"': "plain"})
    assert calls(text, "sx_reset_all")
    compile_generated(text, Path.cwd(), [f"-I{Path.cwd()}"])


def test_new_names_join_the_open_question_about_new_names(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("sx_start", "sx_stop"):
        with Path("sx.h").open("a") as file:
            file.write(f"void {name}(int level);\n")
        assert f"sx.yaml: new question library, new: {name}" in update(spec, capsys)
    assert "    about: [sx_start, sx_stop]\n" in spec.read_text()


def test_a_new_kind_of_question_has_its_plain_name(spec: Path) -> None:
    Path("sx.h").write_text(f"{HEADER}char *sx_store_describe(const sx_store *s);\n")
    assert asked(answered(spec, {}), "sx_store_describe") == {"text results": ""}


def test_new_classes_are_added(spec: Path) -> None:
    new = "typedef struct sx_pen sx_pen;\nsx_pen *sx_pen_new(int n);\nvoid sx_pen_free(sx_pen *p);\n"
    before = spec.read_text()
    Path("sx.h").write_text(f"{HEADER}{new}")
    removed, added = changes(before, answered(spec, {}))
    assert removed == []
    assert added == [
        "  Pen:",
        "    type: sx_pen",
        "    release: sx_pen_free(self)",
        "    new:",
        "      c: sx_pen *sx_pen_new(int n)",
    ]


def test_removed_and_changed_declarations_are_reported(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Entries stay: only a person removes lines. Another name of a parameter is no change."""
    counts = "int sx_store_find(const sx_store *s, int n);\nint sx_store_sum(const sx_store *s, int n);\n"
    Path("sx.h").write_text(f"{HEADER}{counts}int sx_store_last(const sx_store *s, int n);\n")
    before = answered(spec, {})
    assert calls(before, "sx_store_find")
    changed = counts.replace("find(const sx_store *s, int n", "find(const sx_store *s, double n").replace(
        "int n", "int m"
    )
    Path("sx.h").write_text(HEADER.replace("void sx_set_debug(int level);\n", "") + changed)
    lines = update(spec, capsys)
    assert "sx.yaml: sx_set_debug: the header does not declare it any more" in lines
    assert "sx.yaml: sx_store_last: the header does not declare it any more" in lines
    report = "the header declares the parameters (const sx_store *, double), and its entry has others"
    assert f"sx.yaml: sx_store_find: {report}" in lines
    assert not any("sx_store_sum:" in line for line in lines)
    assert spec.read_text() == before


# ---- Entries that differ from the answers ----


def differing(spec: Path) -> str:
    """Changes the answer about a function after its entry has been written."""
    text = answered(spec, {"ends": "ends", "results": "{part: sx_store_get}"})
    spec.write_text(text.replace("answer: {part: sx_store_get}", "answer: {static: sx_store_get}"))
    return spec.read_text()


def test_an_entry_that_differs_from_its_answer_is_reported(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A person may have changed either, so the entry stays."""
    text = differing(spec)
    given = "returns: {of: Frame, borrow: static}"
    assert update(spec, capsys) == [
        f"sx.yaml: sx_store_get: its entry and the answers differ: these give {given}; --renew sx_store_get"
    ]
    assert spec.read_text() == text


def test_renew_writes_one_entry_again(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = differing(spec)
    assert update(spec, capsys, "--renew", "sx_store_get") == ["wrote sx.yaml", "sx.yaml: added sx_store_get"]
    removed, added = changes(text, spec.read_text())
    assert removed == ["        returns: {of: Frame, borrow: s}"]
    assert added == ["        returns: {of: Frame, borrow: static}"]
    assert update(spec, capsys) == []


def test_renew_of_an_unknown_function_is_refused(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = differing(spec)
    capsys.readouterr()
    message = refused(capsys, "init", "--update", "--renew", "sx_store_give", "sx.yaml")
    assert message == "the spec has no entry that calls sx_store_give: name a C function"
    assert spec.read_text() == text


def test_a_refused_result_leaves_the_spec_as_it_is(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A constant of a person has the name of the function that is answered."""
    spec.write_text(spec.read_text().replace("handles:", "constants: {set_debug: 1}\n\nhandles:"))
    before = write_answers(spec, {"library": "plain"})
    capsys.readouterr()
    message = refused(capsys, "init", "--update", "sx.yaml")
    assert message.startswith("sx.yaml stays as it is, since the generator refuses it: ")
    assert spec.read_text() == before


def test_a_header_that_does_not_compile_leaves_the_spec_as_it_is(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = write_answers(spec, {"library": "plain"})
    Path("sx.h").write_text(HEADER.replace("sx_set_debug(int level)", "sx_set_debug(int level, sx_mode mode)"))
    message = refused(capsys, "init", "--update", "sx.yaml")
    assert "sx_mode" in message
    assert spec.read_text() == before


@pytest.mark.parametrize(
    ("question", "answer", "message"),
    [
        ("library", "plane", "'plane' is no answer to this question"),
        ("library", "{plain: sx_set_debugs}", "'sx_set_debugs' is none of the names in 'about'"),
        ("results", "{new: sx_frame_new, part: sx_frame_*}", "'sx_frame_new' has two answers"),
        ("results", "{new: rest, part: rest}", "two words have the rest of the names"),
        ("input const double *x", "count", "'count' needs a value: {count: ...}"),
    ],
)
def test_wrong_answers_are_refused(
    spec: Path, capsys: pytest.CaptureFixture[str], question: str, answer: str, message: str
) -> None:
    before = write_answers(spec, {question: answer})
    capsys.readouterr()
    assert main(["init", "--update", "sx.yaml"]) == 1
    assert message in capsys.readouterr().err
    assert spec.read_text() == before


# ---- Suggestions that nobody has read ----


def test_accepted_suggestions_are_marked(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["init", "--accept", "sx.yaml"]) == 0
    names = ["results", DOUBTFUL, "ends", "library", "input const double *x", "Frame.data"]
    assert f"sx.yaml: accepted unread: {', '.join(names)}" in capsys.readouterr().out.splitlines()
    text = spec.read_text()
    assert "    suggested: unref\n    # accepted unread\n    answer: unref\n" in text
    assert text.count("# accepted unread") == len(names)
    assert calls(text, "sx_frame_copy")
    compile_generated(text, Path.cwd(), [f"-I{Path.cwd()}"])


def test_accepting_a_spec_gives_the_entries_of_an_accepted_draft(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init", "--accept", "sx.yaml"]) == 0
    whole = initialised(Path("whole.yaml"), "sx.h", "--accept")
    names = [line.partition("(")[0].rpartition(" ")[2].lstrip("*") for line in HEADER.splitlines() if "(" in line]
    assert [calls(spec.read_text(), name) for name in names] == [calls(whole, name) for name in names]
    assert update(spec, capsys) == []


def test_answers_of_a_person_are_not_replaced(spec: Path) -> None:
    write_answers(spec, {"library": "ends", "results": "{part: sx_store_get}"})
    assert main(["init", "--accept", "sx.yaml"]) == 0
    text = spec.read_text()
    assert "    answer: ends\n" in text
    assert "    answer: {part: sx_store_get}\n" in text
    assert not calls(text, "sx_set_debug")
    assert not calls(text, "sx_frame_new")


def test_questions_without_a_suggestion_stay_open(spec: Path) -> None:
    assert main(["init", "--accept", "sx.yaml"]) == 0
    text = spec.read_text()
    assert asked(text, "sx_store_add") == {SECOND: ""}
    assert not calls(text, "sx_store_add")
    assert "    about: [sx_store_add]\n    answer:\n" in text
