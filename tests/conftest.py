"""Fixtures that several folders use, and no hidden skips: with DLB_NO_SKIPS set, as in CI, a test that is skipped or
expected to fail fails. There, all that tests need is installed, and nothing is known to be broken."""

import gc
import os
from collections.abc import Generator
from typing import TypeVar

import pytest

pytest_plugins = ["functions.modules", "python.limits", "python.modules", "structs.modules"]

try:
    from hypothesis import HealthCheck, settings
except ImportError:
    pass  # some environments of `make pythons`, and that of `make interop-newest`, do not have it
else:
    # No test fails because the machine is slow: examples have no time limit, and neither has the making of their data.
    settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("untimed")

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)


@pytest.fixture(scope="module", autouse=True)
def _short_collections() -> None:
    """Takes all objects of pytest and of earlier files out of later collections.

    Many tests collect garbage to see what is left: without it, that alone takes a quarter of the time of all tests."""
    gc.collect()
    gc.freeze()


def _refuse_skip(report: Report) -> Report:
    if os.environ.get("DLB_NO_SKIPS") and (report.skipped or hasattr(report, "wasxfail")):
        reason = report.longrepr or "It passed, unexpectedly"
        reason = reason[2] if isinstance(reason, tuple) else reason
        report.outcome = "failed"
        report.longrepr = f"{reason} (a failure, because DLB_NO_SKIPS is set)"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return _refuse_skip((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return _refuse_skip((yield))
