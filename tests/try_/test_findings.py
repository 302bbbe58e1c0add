# SPDX-License-Identifier: MIT
"""Findings: what the report says about an event of the log. The specs are those of the trials."""

from __future__ import annotations

from typing import Any

import pytest

from dlpack_bindgen.tools.try_ import checks
from dlpack_bindgen.tools.try_.crashes import with_steps
from dlpack_bindgen.tools.try_.findings import Finding, Specs
from dlpack_bindgen.tools.try_.leaks import leaked
from dlpack_bindgen.tools.try_.report import Shown, merged
from dlpack_bindgen.tools.try_.rounds import Leak
from try_.changed_spec import described, refusals, remedies_in
from try_.trial import TRIALS


def text_of(trial: str) -> str:
    """Returns the wrong spec of a trial, or a spec of this file."""
    return SPECS[trial] if trial in SPECS else (TRIALS / trial / "wrong.yaml").read_text()


def specs(trial: str, **freeing: list[str]) -> Specs:
    return Specs([described(text_of(trial))], lambda _: freeing)


def accepted(trial: str, found: Finding) -> Finding:
    """Returns a finding of which the generator accepts all remedies, and a reader finds them in the report."""
    text = text_of(trial)
    spec = described(text)
    assert refusals(spec, text, found.subject, found.remedies) == []
    assert remedies_in(spec, found.subject, printed_remedies(found)) == list(found.remedies)
    return found


def printed_remedies(found: Finding) -> list[str]:
    """Returns the remedies as the report prints them."""
    return [each.text for each in found.remedies]


def finding(trial: str, check: str, **members: Any) -> Finding:
    found = checks.finding(specs(trial), {"event": "finding", "check": check, "count": 1, **members})
    assert found is not None
    return accepted(trial, found)


def leak(trial: str, function: str, blocks: int, *details: Any, **freeing: list[str]) -> Finding:
    found = leaked(specs(trial, **freeing), Leak(function, 16 * blocks, blocks, ("make",)), (), *details)
    return accepted(trial, found)


SPECS: dict[str, str] = {}
"""Small specs by the names of their modules."""


def spec(module: str, text: str) -> str:
    SPECS[module] = f"module: {module}\ninclude: [lib.h]\n{text}"
    return module


def freed_by_sell(**members: Any) -> Finding:
    passed = {"function": "py_gate_gate_sell", "argument": "self"}
    members = {"class": "gate.Gate", "by": "py_gate_gate_new", "passed": passed, "freed": 1, "failed": 0, **members}
    return finding("gate", "freed-before-release", **members)


def test_the_call_that_freed_its_object_has_the_argument_of_the_prototype() -> None:
    found = freed_by_sell()
    assert (found.subject, found.argument, found.key) == ("Gate.sell", "g", "takes")
    assert printed_remedies(found) == ["args: {g: {takes: true}}"]


def test_a_call_that_frees_its_object_and_fails_needs_always() -> None:
    (remedy,) = printed_remedies(freed_by_sell(failed=1))
    assert remedy.startswith("args: {g: {takes: always}}")


@pytest.mark.parametrize(("variable", "argument"), [("text", "text"), ("", "text"), ("other", "")])
def test_an_output_on_the_stack_is_named_if_it_is_known(variable: str, argument: str) -> None:
    members = {"in": "py_ticket_print", "kind": "stack-buffer-overflow", "symbol": "", "variable": variable}
    found = finding("ticket", "bad-access", **members)
    assert ("8 bytes" in found.sentence, found.key == "c") == (bool(argument), bool(argument))
    assert not argument or found.argument == argument


BOX = """
module: box
include: [box.h]
functions:
  bounds: {c: "void bounds(double *low, uint8_t *level)", args: {low: {out: true}, level: {out: true}}}
"""


@pytest.mark.parametrize(("variable", "type_"), [("low", "double"), ("level", "uint8_t")])
def test_one_value_on_the_stack_beside_which_c_writes_is_named(variable: str, type_: str) -> None:
    event = {"event": "finding", "check": "bad-access", "in": "py_box_bounds", "kind": "stack-buffer-overflow"}
    found = checks.finding(
        Specs([described(BOX)], lambda _: {}), {**event, "symbol": "", "variable": variable, "count": 1}
    )
    assert found is not None and (found.subject, found.argument, found.key) == ("bounds", variable, "out")
    assert type_ in found.sentence and f"{variable}[...]" in printed_remedies(found)[-1]


def test_an_array_that_c_frees_needs_takes() -> None:
    members = {"function": "py_inkwell_inkwell_fill", "argument": "drops", "in": "", "symbol": "inkwell_free"}
    freed = finding("inkwell", "used-later", kind="bad-free", **members)
    read = finding("inkwell", "used-later", kind="SEGV", write=0, **members)
    assert (freed.key, printed_remedies(freed)[0]) == ("takes", "args: {drops: {takes: true}}")
    assert read.key == "keeps" and any("takes" in each for each in printed_remedies(read))
    assert [each.finding for each in merged([Shown(read, (), ""), Shown(freed, (), "")])] == [freed]


def test_an_export_of_a_result_names_the_function_that_returned_it() -> None:
    members = {"class": "strata.Array", "shape": [6, 3], "needs": 72, "at": 48, "has": 48}
    found = finding("strata", "export-outside", function="py_strata_core_depths", **members)
    assert (found.subject, found.key) == ("Core.depths", "shape")


@pytest.mark.parametrize(("is_array", "key"), [(0, "size"), (1, "shape")])
def test_a_copied_array_has_a_shape_and_bytes_have_a_size(is_array: int, key: str) -> None:
    found = finding("census", "bytes-outside", function="py_census_count", size=36, at=32, has=32, array=is_array)
    assert found.key == key


def test_a_leaked_object_that_was_returned_twice_needs_retain() -> None:
    memory = Leak("py_bead_bead_new", 56, 2, ("bead_new",))
    returned = {"event": "returned", "function": "py_bead_larger", "class": "bead.Bead", "count": 2}
    found = leaked(specs("bead"), memory, [returned])
    assert (found.subject, found.key) == ("larger", "retain")
    assert (leaked(specs("bead"), memory).subject, leaked(specs("bead"), memory).key) == ("Bead", "release")


@pytest.mark.parametrize(("releasing", "word"), [(1, "destroy"), (0, "Tray.new freed")])
def test_a_freed_import_tells_who_freed_it(releasing: int, word: str) -> None:
    found = finding("tray", "import-freed", **{"class": "tray.Tray", "in": "py_tray_tray_new", "releasing": releasing})
    assert word in found.sentence


# ---- Places ----


def test_a_finding_without_a_function_stands_at_its_class() -> None:
    found = finding("hatch", "signal", signal="SIGABRT", target="Hatch.with")
    assert (found.subject, found.place is not None and found.place.line) == ("Hatch", 5)


def test_a_finding_that_names_nothing_has_no_place() -> None:
    found = finding("hatch", "signal", signal="SIGABRT")
    assert (found.subject, found.place) == ("hatch", None)


# ---- Lengths ----


def test_an_access_beside_an_array_without_elements_needs_a_condition() -> None:
    members = {"write": 0, "side": "after", "distance": 0, "size": 0, "argument": "heights"}
    found = finding("summit", "beyond", function="py_summit_height", **members)
    assert printed_remedies(found)[0] == "require: [{expr: n > 0}], if C needs an element"
    members["size"] = 24
    found = finding("summit", "beyond", function="py_summit_height", **members)
    assert not any("expr" in each for each in printed_remedies(found))


def test_bytes_between_rows_are_not_behind_the_array() -> None:
    members = {"write": 1, "side": "between", "distance": 0, "size": 24, "argument": "teeth"}
    found = finding("comb", "beyond", function="py_comb_cut", **members)
    assert found.sentence == "C writes between the elements of its 24 bytes"
    assert printed_remedies(found)[0] == "step: {stride_of: teeth, unit: bytes}, if C counts bytes"


# ---- Objects ----


def test_an_object_without_its_memory_needs_borrow_in_the_function_that_returned_it() -> None:
    members = {"shape": [5], "needs": 40, "at": 0, "has": -1, "function": "py_grove_grove_tree"}
    found = finding("grove", "export-outside", **{"class": "grove.Tree"}, **members)
    assert (found.subject, found.key) == ("Grove.tree", "borrow")
    assert printed_remedies(found) == ["returns: {of: Tree, borrow: g}"]
    members.update({"at": 24, "has": 24})
    found = finding("grove", "export-outside", **{"class": "grove.Tree"}, **members)
    assert (found.subject, found.key) == ("Tree", "shape")


def test_a_leak_of_a_function_without_a_result_is_the_fault_of_release() -> None:
    found = leaked(specs("lantern"), Leak("py_lantern_lantern_glaze", 64, 2, ("lantern_glaze",)))
    assert (found.label, found.key, found.caller) == ("Lantern.release", "release", "Lantern.glaze")
    assert not any("finally" in each for each in printed_remedies(found))


@pytest.mark.parametrize("released", [(), ("hatch.Hatch",)])
def test_a_leak_of_objects_with_close_is_the_fault_of_close(released: tuple[str, ...]) -> None:
    found = leaked(specs("hatch"), Leak("py_hatch_hatch_new", 32, 2, ("hatch_fit",)), (), released)
    assert (found.label, found.key, found.place is not None and found.place.line) == ("Hatch.close", "close", 11)
    assert printed_remedies(found)[0] == "close: {do: hatch_scrap(self)}, as `release`"
    assert any("`release` that" in each for each in printed_remedies(found)) == (not released)


# ---- Owners ----

NODES = spec(
    "nodes",
    """
tensors:
  Part: {type: part, data: self->items, dtype: float64, shape: [self->count], release: part_free(self)}
  View: {type: view, data: self->items, dtype: float32, shape: [self->count], release: (void)self}
  Slice: {type: slice, data: self->items, dtype: float64, shape: [self->count]}
handles:
  Item: {type: item, properties: {tone: self->tone}}
  Node:
    type: node
    release: node_free(self)
    new: {c: node *node_new(double value)}
    methods:
      copy: {c: node *node_copy(const node *n), returns: {of: Node, borrow: n}}
      adopt: {c: "void node_adopt(node *n, node *child)", args: {child: {takes: true}}}
      part: {c: "part *node_part(node *n)"}
      view: {c: "view node_view(node *n)", returns: {of: View}}
      slice: {c: "slice *node_slice(node *n)", returns: {of: Slice, borrow: static}}
      item: {c: "item *node_item(node *n, box *b)", returns: {of: Item, borrow: n}}
  Box: {type: box, release: box_free(self), new: {c: box *box_new(void)}}
  Code:
    type: code
    release: code_free(self)
    methods:
      parse: {c: "int code_parse(int x, code **out)", args: {out: {of: Code, out: true}}, ok: == 0}
functions:
  swap: {c: "void part_swap(part *a, part *b)", args: {a: {invalidates: true}}}
  primes:
    c: int primes_below(int limit, int **primes, size_t *count)
    args: {primes: {out: true, of: bytes, size: count}, count: {out: true}}
    ok: == 0
""",
)
RELEASED = ("nodes.Node", "nodes.Code")


def test_a_leak_of_taken_objects_is_the_fault_of_the_function_that_took_them() -> None:
    calls = {"py_nodes_node_new": (90, 2), "py_nodes_node_adopt": (5, 7)}
    found = leak(NODES, "py_nodes_node_new", 5, RELEASED, calls)
    assert (found.subject, found.argument, found.key) == ("Node.adopt", "child", "takes")
    assert (
        printed_remedies(found)[0].startswith("remove `takes: true`") and "keeps: child" in printed_remedies(found)[1]
    )
    found = leak(NODES, "py_nodes_node_new", 6, RELEASED, calls)  # more than it took
    assert (found.label, found.key) == ("Node.release", "release")


def test_a_leak_of_a_borrowed_result_is_a_new_object() -> None:
    found = leak(NODES, "py_nodes_node_copy", 2)
    assert (found.subject, found.key) == ("Node.copy", "borrow")
    assert printed_remedies(found) == ["remove `borrow: n`, because the caller owns the object"]


def test_a_leak_of_objects_that_a_function_returned_again_has_its_reference() -> None:
    found = leak(NODES, "py_nodes_node_new", 3, RELEASED, {"py_nodes_node_copy": (4, 0)})
    assert (found.subject, found.key) == ("Node.copy", "borrow")


def test_a_leak_of_calls_that_failed_needs_undo() -> None:
    calls = {"py_nodes_code_parse": (9, 3)}
    found = leak(NODES, "py_nodes_code_parse", 3, RELEASED, calls)
    assert (found.subject, found.key, printed_remedies(found)) == ("Code.parse", "undo", ["undo: code_free(out)"])
    assert leak(NODES, "py_nodes_code_parse", 4, RELEASED, calls).key == "release"


def test_leaks_of_one_release_are_one_finding_at_its_line() -> None:
    found = [leak(NODES, f"py_nodes_node_{each}", 9) for each in ("new", "adopt")]
    places = {each.place.line for each in found if each.place is not None}
    assert len({each.same for each in found}) == 1 and len(places) == 1
    assert [each.caller for each in found] == ["Node.new", "Node.adopt"]


def test_memory_that_a_call_returns_is_freed_by_a_function_of_the_headers() -> None:
    assert printed_remedies(leak(NODES, "py_nodes_primes", 2)) == ["finally: free(primes)"]
    assert printed_remedies(leak(NODES, "py_nodes_primes", 2, int=["primes_free"])) == ["finally: primes_free(primes)"]
    assert printed_remedies(leak(NODES, "py_nodes_primes", 2, void=["free", "primes_end"])) == [
        "finally: primes_end(primes)"
    ]


@pytest.mark.parametrize(
    ("maker", "of", "key", "remedies"),
    [
        (
            "part",
            "Part",
            "keeps",
            ["returns: {of: Part, keeps: n}", "returns: {of: Part, borrow: n}, if C frees the object"],
        ),
        ("view", "View", "keeps", ["returns: {of: View, keeps: n}"]),
        ("slice", "Slice", "borrow", ["returns: {of: Slice, borrow: n}"]),
    ],
)
def test_an_export_freed_by_the_release_of_an_owner(maker: str, of: str, key: str, remedies: list[str]) -> None:
    members = {"function": "", "class": f"nodes.{of}", "by": f"py_nodes_node_{maker}", "released": "nodes.Node"}
    found = finding(NODES, "freed-export", **members)
    assert (found.subject, found.key, printed_remedies(found)) == (f"Node.{maker}", key, remedies)


def test_an_export_freed_by_the_release_of_a_stranger_names_the_last_function() -> None:
    passed = {"function": "py_nodes_swap", "argument": "b"}
    members = {"function": "", "class": "nodes.Part", "by": "py_nodes_box_new", "released": "nodes.Part"}
    found = finding(NODES, "freed-export", passed=passed, **members)
    assert (found.subject, found.argument, printed_remedies(found)[0]) == (
        "swap",
        "b",
        "args: {b: {invalidates: true}}",
    )


def test_a_property_does_not_free_its_object() -> None:
    passed = {"function": "py_nodes_item_get_tone", "argument": "self"}
    members = {"class": "nodes.Item", "by": "py_nodes_node_item", "in": "py_nodes_item_get_tone", "freed": 1}
    found = finding(NODES, "freed-before-release", passed=passed, **members)
    assert (found.subject, printed_remedies(found)) == ("Node.item", ["returns: {of: Item, borrow: b}"])


# ---- Remedies that the spec has already ----

TAPS = spec(
    "taps",
    """
arrays: Array
handles:
  Bank:
    type: bank
    release: bank_free(self)
    new: {c: bank *bank_new(void)}
    methods:
      add:
        c: void bank_add(bank *b, const float *tap, size_t n)
        args: {n: {count_of: tap}, b: {keeps: tap, replaces: true}}
""",
)


def test_a_kept_argument_that_is_used_after_the_next_call_is_not_replaced() -> None:
    members = {"function": "py_taps_bank_add", "argument": "tap", "in": "", "kind": "SEGV", "write": 0}
    remedies = printed_remedies(finding(TAPS, "used-later", **members))
    assert remedies[0].startswith("remove `replaces: true` of `b`")
    assert not any("keeps" in each for each in remedies)


def test_the_owner_that_the_spec_has_is_no_remedy() -> None:
    text = SPECS[NODES].replace("borrow: static", "borrow: n")
    again = spec("nodes_again", text.partition("include: [lib.h]")[2])
    members = {"function": "py_nodes_again_node_adopt", "class": "nodes_again.Slice", "by": "py_nodes_again_node_slice"}
    found = finding(again, "freed-export", **members)
    assert printed_remedies(found)[0] == "args: {n: {invalidates: true}}"
    assert not any("borrow" in each for each in printed_remedies(found))


# ---- Lengths and values that fit the evidence ----

LENGTHS = spec(
    "lengths",
    """
arrays: Array
constants:
  Kind: {enum: [KIND_LOW, KIND_HIGH]}
tensors:
  Grid: {type: grid, data: self->cells, dtype: float64, shape: [self->rows, self->columns]}
handles:
  Meter:
    type: meter
    release: meter_free(self)
    new: {c: meter *meter_new(void)}
    properties: {at: {get: self->at, set: true}}
    methods:
      add:
        c: void meter_add(meter *m, const double *x, int n)
        args: {n: {extent_of: x}, x: {require: [{shape: [n]}]}}
      put:
        c: void meter_put(meter *m, const short *x, int n)
        args: {n: {extent_of: x}, x: {require: [{shape: [n, m->channels]}]}}
      read: {c: double meter_read(meter *m)}
      items:
        c: void meter_items(meter *m, double out[meter_count(m)])
        args: {out: {out: true, of: array, shape: [2]}}
      list: {c: list *meter_list(meter *m)}
  List: {type: list, release: list_free(self), methods: {next: {c: int list_next(list *l)}}}
functions:
  sum:
    c: double image_sum(const unsigned char *x, int rows, int columns, long step)
    args: {rows: {extent_of: x, axis: 1}, columns: {extent_of: x}, step: {stride_of: x, axis: 0, unit: bytes}}
  dot: {c: "double dot(const double *x, int n, const double *w)", args: {n: {count_of: x}, w: {optional: true}}}
  set: {c: "void set(int kind, double gain)"}
  get: {c: double get(int kind), args: {kind: Kind}}
  solve: {c: void solve(grid *a), args: {a: Grid}}
""",
)


def beyond(function: str, argument: str, **members: Any) -> Finding:
    members = {"write": 0, "side": "after", "distance": 0, "size": 24, **members}
    return finding(LENGTHS, "beyond", function=f"py_lengths_{function}", argument=argument, **members)


def test_extents_in_the_wrong_order_are_exchanged() -> None:
    remedy, *others = printed_remedies(beyond("sum", "x"))
    assert remedy.startswith("args: {rows: {extent_of: x, axis: 0}, columns: {extent_of: x, axis: 1}}")
    assert not any("elements}" in each for each in others)  # they have one byte each


def test_a_larger_length_fits_the_distance() -> None:
    remedies = printed_remedies(beyond("meter_add", "x", distance=24))
    assert "x: {require: [{shape: [n + 4]}]}, or another larger shape" in remedies
    assert "x: {require: [{shape: [n, m->channels]}]}, as in Meter.put" in remedies
    assert not any("plus" in each for each in remedies)
    assert any("plus: -1" in each for each in printed_remedies(beyond("meter_add", "x")))


def test_an_output_in_memory_of_python_has_the_capacity_of_the_prototype() -> None:
    found = beyond("meter_items", "out", write=1)
    assert (found.key, printed_remedies(found)) == (
        "c",
        ["c: a prototype with a larger length than `out[meter_count(m)]`"],
    )


def bad_access(function: str, kind: str = "SEGV", address: str = "0x602000000010") -> Finding:
    return finding(LENGTHS, "bad-access", **{"in": f"py_lengths_{function}"}, kind=kind, address=address)


def test_an_access_by_null_names_the_optional_argument() -> None:
    found = bad_access("dot", address="0x000000000000")
    assert (found.argument, found.key, printed_remedies(found)[0][:24]) == ("w", "optional", "remove `optional: true` ")
    assert bad_access("dot").key == "require"


def test_an_object_that_uses_freed_memory_needs_the_object_that_made_it() -> None:
    found = bad_access("list_next", "heap-use-after-free")
    assert (found.subject, found.key) == ("Meter.list", "keeps")
    assert printed_remedies(found)[0] == "returns: {of: List, keeps: m}"


def after(found: Finding, *steps: dict[str, Any]) -> Finding:
    return accepted(LENGTHS, with_steps(specs(LENGTHS), found, steps))


def test_bounds_exclude_the_value_that_failed() -> None:
    found = bad_access("set")
    assert not any("gain" in each for each in printed_remedies(found))
    assert printed_remedies(found)[0] == "args: {kind: Kind}"
    for value, condition in ((0, "kind > 0"), (-1, "kind >= 0"), (7, "kind >= 0 && kind < ...")):
        remedies = printed_remedies(after(found, {"target": "set", "args": {"kind": value, "gain": 1.0}}))
        assert f"require: [{{expr: {condition}}}]" in remedies


@pytest.mark.parametrize(
    ("function", "argument", "condition"),
    [
        ("dot", "x", "n > 0"),
        ("solve", "a", "a->rows > 0 && a->columns > 0"),
    ],
)
def test_an_array_without_elements_needs_a_condition(function: str, argument: str, condition: str) -> None:
    array = {"array": {"shape": [0, 2]}}
    made = {"target": "Grid.from_dlpack", "result": "g1", "args": {"array": array}}
    value = array if function == "dot" else {"var": "g1"}
    found = after(bad_access(function), made, {"target": function, "args": {argument: value}})
    assert printed_remedies(found) == [f"require: [{{expr: {condition}, message: there are no elements}}]"]
    assert found.argument == argument


def test_a_value_that_a_setter_accepted_is_the_fault_of_the_setter() -> None:
    step = {"target": "Meter.at=", "kind": "setter", "self": "m1", "args": {"at": 8}}
    found = after(bad_access("meter_read"), step, {"target": "Meter.read", "self": "m1", "args": {}})
    assert (found.label, found.key) == ("Meter.at", "set")


def test_equal_extents_are_not_exchanged() -> None:
    found = beyond("sum", "x")
    for extent, exchanged in ((3, False), (4, True)):
        step = {"target": "sum", "args": {"x": {"array": {"shape": [3, extent]}}}}
        assert any("other order" in each for each in printed_remedies(after(found, step))) == exchanged


def test_an_argument_can_have_the_name_of_a_key() -> None:
    c = "double f(const double *x, int error)"
    named = spec("named", f'functions: {{f: {{c: "{c}", args: {{error: {{count_of: x}}}}}}}}\n')
    members = {"write": 0, "side": "after", "distance": 0, "size": 24, "argument": "x"}
    (remedy,) = finding(named, "beyond", function="py_named_f", **members).remedies
    assert (remedy.where, remedy.key) == (("args",), "error")
