# SPDX-License-Identifier: MIT
"""A pytest plugin beside that of `make starve`: only calls of the runtime fail, one at a time, and again in each file.

The callers of a site, which differ from file to file, give back what they have in lines of their own.
"""

from __future__ import annotations

from typing import Any

FOLDERS = ("runtime/", "core/", "object/", "call/")
"""The runtime's, as Control.describe() shows them."""


def pytest_configure() -> None:
    """Changes how the other plugin chooses the calls that fail."""
    from starve.plugin import Plugin

    plan = Plugin._plan
    file = None

    def plan_runtime_faults(plugin: Plugin, item: Any) -> list[Any]:
        nonlocal file
        if file != item.path:
            file = item.path
            plugin.tested.clear()
        calls = plugin.reached.items()
        plugin.reached = {site: count for site, count in calls if plugin.control.describe(site).startswith(FOLDERS)}
        return [fault for fault in plan(plugin, item) if not fault.onward]

    Plugin._plan = plan_runtime_faults  # type: ignore[method-assign]
