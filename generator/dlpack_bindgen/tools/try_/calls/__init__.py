"""Generated calls of built modules, by their plans (`../plan.py`).

The folder is a program of its own, `python calls PLAN.json...`. It runs with CPython 3.8 and newer, beside the module
and without this package: its files need the standard library only. Each step is logged before it runs, as one line of
JSON in the file that DLB_CHECKED_LOG names. A list of logged steps can be replayed.

The steps come in episodes. An episode belongs to one target: it makes all objects that it needs, calls the target in
one of three patterns, and drops everything. Its choices depend on the seed, the target and the number of the episode
alone, so they are the same when other targets are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    Json = dict[str, Any]
    Class = tuple[str, str]
    Made = list[tuple[str, Class]]
    Outcome = tuple[str | None, Made]
    Relation = list[Any]
    Form = dict[str, Any] | None
