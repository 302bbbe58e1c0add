"""The settings of Hypothesis in tests/conftest.py: a test fails by its examples, never by their time."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


def test_examples_have_no_time_limit() -> None:
    assert settings().deadline is None
    assert settings(max_examples=10).deadline is None


def test_slowly_made_data_is_accepted() -> None:
    assert HealthCheck.too_slow in settings().suppress_health_check


def test_a_test_inside_a_test_has_the_settings_of_the_project() -> None:
    found = []

    @given(st.booleans())
    def collect(value: bool) -> None:
        found.append((value, settings().deadline))

    collect()
    assert set(found) == {(False, None), (True, None)}
