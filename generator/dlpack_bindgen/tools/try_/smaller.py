"""Fewer and smaller steps that show the same fault, for a report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from dlpack_bindgen.tools.try_.calls.arrays import compact_strides
from dlpack_bindgen.tools.try_.calls.steps import variables_of

Step = Mapping[str, Any]
Steps = list[Step]

_MOST_RUNS = 12
_LAST_RUNS = 3
"""The runs that are left for simpler arguments."""


def smaller(steps: Sequence[Step], fails: Callable[[Sequence[Step]], bool], most: int = _MOST_RUNS) -> Steps:
    """Returns few steps for which `fails` is true. The last step is the one that failed, unless the fault was found at
    the end. `fails` runs steps in a new process; it is called at most `most` times. Returns the steps of the last
    episode if no attempt fails."""
    search = _Search(fails, most)
    found = search.first(_candidates(steps))
    if found is None:
        return _episode(steps)
    found = search.with_fewer_steps(found, steps[-1])
    for simplify in (_with_simple_arrays, _with_small_numbers, _without_named_arguments):
        simpler = simplify(found)
        if simpler != found and search.fails(simpler):
            found = simpler
    return list(_without_unknown_names(found))


class _Search:
    def __init__(self, fails: Callable[[Sequence[Step]], bool], most: int) -> None:
        self._fails = fails
        self._left = most

    def fails(self, steps: Sequence[Step]) -> bool:
        if self._left <= 0:
            return False
        self._left -= 1
        return self._fails(steps)

    def first(self, candidates: Iterable[Steps]) -> Steps | None:
        """Returns the first of some lists that fails."""
        tried: list[Steps] = []
        for each in candidates:
            if each not in tried and self.fails(each):
                return each
            tried.append(each)
        return None

    def with_fewer_steps(self, steps: Steps, last: Step) -> Steps:
        """Returns the steps without those that are not needed: first halves, then quarters, and so on. The step that
        has failed stays, and three runs are left for simpler arguments."""
        kept = 1 if steps[-1] is last else 0
        size = max(1, (len(steps) - kept) // 2)
        while self._left > _LAST_RUNS and len(steps) > 1:
            start = 0
            while start < len(steps) - kept and self._left > _LAST_RUNS:
                fewer = [*steps[:start], *steps[min(start + size, len(steps) - kept) :]]
                if fewer and self.fails(fewer):
                    steps = fewer
                else:
                    start += size
            if size == 1:
                break
            size = max(1, size // 2)
        return steps


# ---- Steps that may be enough ----


def _candidates(steps: Sequence[Step]) -> Iterator[Steps]:
    """Yields lists of steps, the shortest one first."""
    if not steps:
        return
    episode = _episode(steps)
    yield _needed(episode, with_uses=False)
    yield _needed(episode, with_uses=True)
    yield episode
    # A fault of many objects is found at the end of the process, or after a number of them.
    episodes = [list(each) for _, each in groupby(steps, key=lambda step: step.get("episode"))]
    count = 1
    while count < len(episodes):
        yield [step for each in episodes[:count] for step in each]
        count *= 2 if count > 1 else 3
    yield list(steps)


def with_makers(steps: Sequence[Step]) -> Steps:
    """Returns the last step, and the steps of its episode that make the variables that it uses."""
    return _needed(_episode(steps), with_uses=False)


def _episode(steps: Sequence[Step]) -> Steps:
    return [step for step in steps if step.get("episode") == steps[-1].get("episode")]


def _needed(steps: Steps, with_uses: bool) -> Steps:
    """Returns the last step, and the steps that make the variables that it uses. With `with_uses`, also all steps that
    use one of these variables."""
    found: Steps = [steps[-1]]
    needed = set(map(_base, variables_of(steps[-1])))
    for step in reversed(steps[:-1]):
        uses = set(map(_base, variables_of(step)))
        is_maker = _base(step.get("result") or "") in needed
        is_use = with_uses and (step["do"] in ("collect", "drop") or bool(uses & needed))
        if is_maker or is_use:
            found.append(step)
            needed |= uses if step["do"] != "drop" else set()
    return found[::-1]


def _base(name: str) -> str:
    """Returns the variable of a tuple for that of one of its items: `r3` for `r3[0]`."""
    return name.partition("[")[0]


def _without_unknown_names(steps: Steps) -> Iterator[Step]:
    """Yields the steps that a replay runs. Those that drop variables name only variables that are there."""
    known: set[str] = set()
    for step in steps:
        used = set(map(_base, variables_of(step)))
        if step["do"] != "drop":
            if used <= known:
                yield step
            known |= {_base(step["result"])} if step.get("result") else set()
        elif names := [name for name in step["names"] if _base(name) in known]:
            yield {**step, "names": names}
            known -= set(names)


# ---- Simpler arguments ----


def _with_simple_arrays(steps: Steps) -> Steps:
    """Returns the steps with compact and writable arrays of small numbers."""

    def simple(own: dict[str, Any]) -> dict[str, Any]:
        size = own["itemsize"]
        strides = compact_strides(own["shape"], size, "C")
        bytes_ = size
        for extent in own["shape"]:
            bytes_ *= extent
        return {**own, "strides": strides, "offset": 0, "size": bytes_, "readonly": False, "fill": "range"}

    return [_with_arrays(step, simple) for step in steps]


def _with_small_numbers(steps: Steps) -> Steps:
    """Returns the steps with 2 in the place of the least extent above 2, 3 in that of the next one, and so on, and in
    that of each equal number. Extents that were distinct stay distinct, and keep their order."""
    extents: set[int] = set()

    def collect(own: dict[str, Any]) -> dict[str, Any]:
        extents.update(own["shape"])
        return own

    for step in steps:
        _with_arrays(step, collect)
    first = 3 if 2 in extents else 2
    less = {each: first + place for place, each in enumerate(sorted(each for each in extents if each > 2))}

    def small(own: dict[str, Any]) -> dict[str, Any]:
        return {**own, "shape": [less.get(each, each) for each in own["shape"]]}

    found = [_with_arrays(step, small) for step in steps]
    shrunk = _with_simple_arrays(found)
    return [
        {
            **step,
            "args": {name: less.get(each, each) if type(each) is int else each for name, each in step["args"].items()},
        }
        if "args" in step
        else step
        for step in shrunk
    ]


def _without_named_arguments(steps: Steps) -> Steps:
    """Returns the steps without the arguments that are passed by name, which often have defaults."""
    return [
        {
            **step,
            "args": {name: each for name, each in step["args"].items() if name not in step["by_name"]},
            "by_name": [],
        }
        if step.get("by_name")
        else step
        for step in steps
    ]


def _with_arrays(step: Step, changed: Callable[[dict[str, Any]], dict[str, Any]]) -> Step:
    def walk(value: Any) -> Any:
        if isinstance(value, dict):
            return {word: changed(of) if word == "array" else walk(of) for word, of in value.items()}
        return [walk(each) for each in value] if isinstance(value, list) else value

    return {**step, "args": walk(step["args"])} if "args" in step else step
