"""Variables, calls and checks around the slots: tests, messages, and the cleanup after a failure."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import pytest

from dlpack_bindgen.tensor.item import Action, CallStep, Construct, Import, Let, Step
from dlpack_bindgen.tensor.requirements import Check
from dlpack_bindgen.text.fragments import statement
from generator.bind_specs import UINT8, bound, by_dtype, code, described, function, made

FAILED = ["if (dlb_view_failed(view, error)) {", "return -1;", "}"]


def steps(*let: Step) -> list[str]:
    """Returns the code between the locals and the slots."""
    found = described(let=let)
    return found[1 : found.index("view->tensor->dtype = DLB_DTYPE(kDLUInt, 8);")]


# ---- Variables ----


@pytest.mark.parametrize(
    "let, lines",
    [
        (Let("int", "n", "self->n"), ["int n;", "DLB_LET(view, n, self->n);", *FAILED]),
        (Let("const int", "n", "f((int[]){1, 2})"), ["int n;", "DLB_LET(view, n, (f((int[]){1, 2})));", *FAILED]),
        (Let("unsigned const long", "n", "1"), ["unsigned long n;", "DLB_LET(view, n, 1);", *FAILED]),
        (Let("row_t", "n", "self->row"), ["row_t n;", "DLB_LET(view, n, self->row);", *FAILED]),
        (Let("char *", "p", "self->row"), ["char *p = self->row;"]),
        (Let("char *const", "p", "self->row"), ["char *const p = self->row;"]),
        (Let("double", "d", "self->scale"), ["double d = self->scale;"]),
        (Let("struct dims", "d", "dims(self)"), ["struct dims d = dims(self);"]),
        (Let("dims_t", "d", "{0, 1}"), ["dims_t d = {0, 1};"]),
        (Let("static key_t", "k", "1"), ["static key_t k = 1;"]),
        (Let("static key_t", "k", None), ["static key_t k = {0};"]),
        (Let("char *", "p", None), ["char *p = NULL;"]),
    ],
)
def test_each_variable_of_let_is_declared_and_set(let: Let, lines: list[str]) -> None:
    assert steps(let) == lines


def test_values_that_do_not_fit_are_reported_once_before_they_are_used() -> None:
    plain = steps(Let("int", "a", "self->a"), Let("int", "b", "self->b"))
    assert plain == ["int a;", "DLB_LET(view, a, self->a);", "int b;", "DLB_LET(view, b, self->b);", *FAILED]
    for later in (
        Let("char *", "p", "row(self, a)"),
        Let("int", "b", "row(self, a)"),
        Check("self->b"),
        CallStep("f(self)"),
        Let("char *", "p", None),
        Let("char *", "p", "self->row", ok="% != NULL"),
        Let("char *", "p", "self->row", finally_="free(p)"),
    ):
        found = steps(Let("int", "a", "self->a"), later)
        assigned = found.index("DLB_LET(view, a, self->a);")
        assert found[assigned + 1 : assigned + 4] == FAILED, later
    found = steps(Let("int", "a", "self->a"), Let("char *", "p", "self->row"))
    assert found[2] == "char *p = self->row;" and found[3:] == FAILED


def test_a_variable_is_tested() -> None:
    found = steps(Let("char *", "p", "row(self)", ok="% != NULL", error="why(self)"))
    assert found == [
        "char *p = row(self);",
        "if (p == NULL) {",
        'return dlb_view_call_failed(view, error, "row(self)", why(self));',
        "}",
    ]
    number = steps(Let("int", "n", "open_it(self)", ok="% >= 0"))
    assert number == [
        "int n;", "DLB_LET(view, n, open_it(self));", *FAILED, "if (!(n >= 0)) {",
        'return dlb_view_call_failed(view, error, "open_it(self)", NULL);', "}",
    ]  # fmt: skip


# ---- Calls and checks ----


def test_a_call_that_cannot_fail() -> None:
    assert steps(CallStep("f(self); g(self)")) == ["f(self);", "g(self);"]


def test_a_call_is_tested_where_it_stands() -> None:
    found = steps(CallStep("f(self)", ok="% == 0", error="why(self)"))
    assert found == [
        "if (f(self) != 0) {", 'return dlb_view_call_failed(view, error, "f(self)", why(self));', "}",
    ]  # fmt: skip
    assert steps(CallStep("a | b", ok="OK(%)"))[0] == "if (!(OK((a | b)))) {"


@pytest.mark.parametrize(
    "ok, error, test",
    [
        ("% == 0", "why(result)", "result != 0"),
        ("% > 0 && % < 5", None, "!(result > 0 && result < 5)"),
        ("flag", None, "!(flag)"),
    ],
)
def test_a_result_that_is_needed_again_is_kept(ok: str, error: str | None, test: str) -> None:
    found = steps(CallStep("f(self)", ok=ok, error=error))
    assert found == [
        "{",
        "DLB_AUTO result = f(self);",
        f"if ({test}) {{",
        f'return dlb_view_call_failed(view, error, "f(self)", {error or "NULL"});',
        "}",
        "}",
    ]


def test_out_declares_the_variable_that_the_call_fills() -> None:
    assert steps(CallStep("f(self, &n)", "int", "n")) == ["int n = 0;", "f(self, &n);"]
    assert steps(CallStep("f(self, &p)", "char *", "p", ok="% == 0"))[:2] == [
        "char *p = NULL;",
        "if (f(self, &p) != 0) {",
    ]


@pytest.mark.parametrize(
    "check, message",
    [
        (Check("self->n > 0"), '"self->n > 0 does not hold"'),
        (Check("self->n > 0", 'it is "empty"'), '"it is \\"empty\\""'),
        (Check("self->n > 0", "ignored", "why(self)"), "why(self)"),
    ],
)
def test_a_check_that_fails_reports_its_message(check: Check, message: str) -> None:
    assert steps(check) == [
        "if (!(self->n > 0)) {", f"return dlb_view_refuse(view, error, {message});", "}",
    ]  # fmt: skip


# ---- Cleanup ----

LOCK = CallStep("lock(self)", finally_="unlock(self)")
ROW = Let("char *", "row", "row(self)", ok="% != NULL", finally_="free(row)")


def test_finally_runs_in_reverse_on_both_ways() -> None:
    found = described(let=(LOCK, ROW, Check("row[0]", "empty")))
    assert found[1] == "int outcome = -1;"
    start = found.index("lock(self);")
    assert found[start : start + 9] == [
        "lock(self);",
        "char *row = row(self);",
        "if (row == NULL) {",
        '(void)dlb_view_call_failed(view, error, "row(self)", NULL);',
        "goto end_1;",
        "}",
        "if (!(row[0])) {",
        '(void)dlb_view_refuse(view, error, "empty");',
        "goto end_row;",
    ]
    assert found[-6:] == [
        "outcome = dlb_view_finish_fixed(view, DLB_DTYPE(kDLUInt, 8), 2, error);", "end_row:", "free(row);", "end_1:",
        "unlock(self);", "return outcome;",
    ]  # fmt: skip


def test_a_failure_before_anything_is_held_returns_at_once() -> None:
    found = described(let=(Check("self->a"), ROW))
    assert 'return dlb_view_refuse(view, error, "self->a does not hold");' in found
    assert 'return dlb_view_call_failed(view, error, "row(self)", NULL);' in found
    assert not any(line.startswith(("goto", "end_")) for line in found)
    assert found[-3:] == [
        "outcome = dlb_view_finish_fixed(view, DLB_DTYPE(kDLUInt, 8), 2, error);",
        "free(row);",
        "return outcome;",
    ]


def test_an_unmatched_value_runs_the_cleanup() -> None:
    found = described({"dtype": None}, let=(LOCK,), matches=(by_dtype(UINT8),))
    refused = next(i for i, line in enumerate(found) if "unmapped" in line)
    assert found[refused].startswith("(void)dlb_view_unmapped(") and found[refused + 1] == "goto end_1;"


def test_values_that_do_not_fit_run_the_cleanup() -> None:
    found = described(let=(LOCK, Let("int", "n", "self->n")))
    assert found[found.index(FAILED[0]) + 1] == "goto end_1;"


def test_statements_behind_a_label_may_declare() -> None:
    found = described(let=(CallStep("f(self)", finally_="int n = 1; g(n)"), Check("self->a")))
    assert found[-5:] == ["end_1:", "{", "int n = 1; g(n);", "}", "return outcome;"]


def test_undo_runs_on_failure_only_and_last() -> None:
    let = (Let("char *", "p", "get(data)", ok="% != NULL", finally_="note(p)", undo="free(p)"), Check("ndim > 1"))
    found = made(Import(Construct("wrap(p)"), let=let))
    assert found[found.index("outcome = result;") :] == [
        "outcome = result;", "end_p:", "note(p);", "if (outcome == NULL) {", "free(p);", "}", "return outcome;",
    ]  # fmt: skip
    assert "void *outcome = NULL;" in found
    assert found[found.index('(void)dlb_source_refuse(source, error, "ndim > 1 does not hold");') + 1] == "goto end_p;"


def test_a_construct_that_fails_undoes_itself_first() -> None:
    build = Construct("wrap(data)", ok="good(%)", error="why(result)", undo="drop(result)")
    found = made(Import(build, let=(CallStep("lock()", finally_="unlock()"),)))
    start = found.index("if (!(good(result))) {")
    assert found[start + 1 : start + 4] == [
        '(void)dlb_source_call_failed(source, error, "wrap(data)", why(result));', "drop(result);", "goto end_1;",
    ]  # fmt: skip
    alone = made(Import(build))
    start = alone.index("if (!(good(result))) {")
    assert alone[start + 2 : start + 4] == ["drop(result);", "return NULL;"]


@pytest.mark.parametrize("order", [*itertools.permutations(range(4))])
def test_a_failure_runs_the_finally_of_earlier_steps_in_reverse(order: tuple[int, ...]) -> None:
    """Nothing else is cleaned up."""
    pool: list[Step] = [
        Let("char *", "p", "get(self)", ok="% != NULL", finally_="free(p)"),
        CallStep("lock(self)", ok="% == 0", finally_="unlock(self)"),
        Check("self->good"),
        Let("int", "n", "self->n", finally_="close(n)"),
    ]
    ends = {0: "free(p);", 1: "unlock(self);", 3: "close(n);"}
    found = described(let=tuple(pool[i] for i in order))
    held: list[str] = []
    position = 0
    for i in order:
        begin = {0: "char *p", 1: "if (lock(self)", 2: "if (!(self->good", 3: "int n;"}[i]
        start = next(k for k in range(position, len(found)) if found[k].startswith(begin))
        stop = start + next(k for k, line in enumerate(found[start:]) if line.startswith(("goto", "return")))
        leaves = found[stop]
        if leaves.startswith("goto"):
            tail = found[found.index(f"{leaves[5:-1]}:") :]
            assert [line for line in tail if line in ends.values()] == held[::-1]
        else:
            assert not held
        position = stop
        if i in ends:
            held.append(ends[i])
    assert [line for line in found[position:] if line in ends.values()] == held[::-1]


def test_labels_and_jumps_agree() -> None:
    text = "\n".join(described(let=(ROW, replace(ROW, name="other"), LOCK, LOCK, Check("self->a"))))
    assert set(re.findall(r"goto (\w+);", text)) == set(re.findall(r"^(\w+):$", text, re.M))
    assert len(re.findall(r"^(\w+):$", text, re.M)) == len(set(re.findall(r"^(\w+):$", text, re.M)))


# ---- Names of slots in comments ----


def test_lines_have_a_comment_with_the_name_of_their_slot() -> None:
    describe = function(
        bound(
            require=(Check("self->a"),), let=(Let("int", "n", "self->n"), CallStep("f(self)")), before_read="g(self)"
        ),
        "describe",
    )
    for line in (
        "if (!(self->a)) { /* Image.require */",
        "DLB_LET(view, n, self->n); /* Image.let.n */",
        "f(self); /* Image.let */",
        "g(self); /* Image.before_read */",
    ):
        assert line in describe.lines


def test_the_name_of_the_slot_stands_before_a_long_line() -> None:
    for long in (f"of_a_long_name(self, {'self->width, ' * 9}1)", f"if (self) {{ {'f(self); ' * 10}}}"):
        describe = function(bound(let=(CallStep(long),)), "describe")
        assert describe.lines[describe.lines.index(statement(long)) - 1] == "/* Image.let */"
    wide = f"f({', '.join('abcdefghijklmnopqrstuvwxyz')})"
    describe = function(bound(let=(CallStep(wide), CallStep(wide, ok="% == 0"))), "describe")
    assert f"DLB_LINE_({wide}; /* Image.let */ DLB_LINE_END_);" in describe.lines
    assert f"if (DLB_LINE_({wide} != 0 /* Image.let */ DLB_LINE_END_)) {{" in describe.lines


def test_hooks_report_failures_without_a_view() -> None:
    sync = function(bound(sync=Action("wait(self, stream)", "% == 0", "why(result)")), "sync")
    failed = 'return dlb_call_failed(error, "imaging.Image", "wait(self, stream)", why(result));'
    assert failed in code(sync.lines)
