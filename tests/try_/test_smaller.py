"""A failing list of steps is made smaller, with few runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dlpack_bindgen.tools.try_.calls.steps import variables_of
from dlpack_bindgen.tools.try_.smaller import smaller

Step = Mapping[str, Any]


def made(name: str, episode: str = "one") -> Step:
    return {"do": "call", "kind": "new", "result": name, "args": {}, "by_name": [], "episode": episode}


def used(name: str, python: str, episode: str = "one", **args: Any) -> Step:
    step = {"do": "call", "kind": "method", "self": name, "python": python, "args": args, "by_name": []}
    return {**step, "episode": episode}


def dropped(*names: str) -> Step:
    return {"do": "drop", "names": [*names], "episode": "one"}


def replayed(steps: Sequence[Step]) -> list[Step]:
    """Returns the steps whose variables are there, as a replay runs them."""
    known: set[str] = set()
    found = []
    for step in steps:
        if step["do"] == "drop":
            known -= set(step["names"])
        elif not known.issuperset(variables_of(step)):
            continue
        known |= {step["result"]} if step.get("result") else set()
        found.append(step)
    return found


class Runs:
    """Counts the runs, and fails if some steps are there in their order."""

    def __init__(self, needed: Callable[[Sequence[Step]], bool]) -> None:
        self.count = 0
        self._needed = needed

    def __call__(self, steps: Sequence[Step]) -> bool:
        self.count += 1
        return self._needed(replayed(steps))


def calls(*names: str) -> Callable[[Sequence[Step]], bool]:
    return lambda steps: [step.get("python") for step in steps if step.get("python") in names] == [*names]


def test_only_the_makers_of_its_objects_are_left() -> None:
    noise = [made("x2"), used("x2", "other"), made("y3")]
    runs = Runs(calls("over"))
    assert smaller([*noise, made("m4"), *noise, used("m4", "over")], runs) == [made("m4"), used("m4", "over")]
    assert runs.count == 2


def test_earlier_uses_of_an_object_stay_if_they_are_needed() -> None:
    steps = [made("m1"), used("m1", "size"), used("m1", "watch"), used("m1", "size"), used("m1", "over")]
    assert smaller(steps, Runs(calls("watch", "over"))) == [made("m1"), used("m1", "watch"), used("m1", "over")]


def test_episodes_before_the_failing_one_are_left_out() -> None:
    steps = [made("m1", "zero"), used("m1", "watch", "zero"), made("m1"), used("m1", "over")]
    assert smaller(steps, Runs(calls("over"))) == steps[2:]


def test_a_drop_names_only_variables_that_are_made() -> None:
    steps = [made("m1"), made("s2"), used("m1", "watch", s={"var": "s2"}), dropped("e9", "s2"), used("m1", "over")]
    found = smaller(steps, Runs(lambda each: calls("watch", "over")(each) and "drop" in [s["do"] for s in each]))
    assert dropped("s2") in found


def test_steps_that_a_replay_leaves_out_are_not_shown() -> None:
    """Both makers are needed, so that the use of a dropped object stays until the end."""
    steps = [made("m1"), dropped("m1"), used("m1", "size"), made("s2"), used("s2", "over")]
    found = smaller(steps, Runs(lambda each: len(each) == 4), most=4)
    assert used("m1", "size") not in found
    assert len(found) == 4


def test_arguments_get_compact_and_small_and_keep_the_order_of_extents() -> None:
    array = {"dtype": "float64", "itemsize": 8, "shape": [5, 3], "strides": [80, 16], "offset": 0, "size": 400}
    array.update({"readonly": True, "way": "interface", "fill": "small:3"})
    steps = [{**used("m1", "over", x={"array": array}, n=5, k=7), "by_name": ["k"]}]
    (found,) = smaller([made("m1"), *steps], Runs(calls("over")))[1:]
    own = found["args"]["x"]["array"]
    assert (own["shape"], own["strides"], own["size"], own["readonly"]) == ([3, 2], [16, 8], 48, False)
    assert (found["args"]["n"], found["by_name"]) == (3, [])
    assert "k" not in found["args"]


def test_a_fault_of_several_objects_needs_few_episodes() -> None:
    steps = [
        step
        for index in range(40)
        for step in (made("g1", f"e{index}"), made("g2", f"e{index}"), used("g1", "x", f"e{index}"))
    ]
    runs = Runs(lambda each: len([step for step in each if step.get("result")]) >= 3)
    found = smaller(steps, runs)
    assert len([step for step in found if step.get("result")]) == 3
    assert len(found) <= 5
    assert runs.count <= 12


def test_few_runs_are_made() -> None:
    steps = [made("m1"), *[used("m1", f"call{index}") for index in range(40)], used("m1", "over")]
    runs = Runs(calls("call7", "call31", "over"))
    found = smaller(steps, runs)
    assert runs.count <= 12
    assert calls("call7", "call31", "over")(found)
    assert len(found) < len(steps)


def test_the_last_episode_is_shown_if_no_run_fails_again() -> None:
    steps = [made("m1", "zero"), made("m1"), used("m1", "over")]
    assert smaller(steps, Runs(lambda _: False)) == steps[1:]
