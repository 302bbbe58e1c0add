# SPDX-License-Identifier: MIT
"""`max_length`: a string that is longer than C can take is refused."""

from types import ModuleType

import pytest

from support.build import build_module

HEADER = """
#include <string.h>
static inline int name_length(const char *name) { return (int)strlen(name); }
static inline int name_fits(int most, const char *name) { return name == NULL ? most : (int)strlen(name); }
"""
SPEC = """
dlpack-bindgen: 1
module: names
include: names.h
functions:
  length: {c: "int name_length(const char *name)", args: {name: {of: str, max_length: 3}}}
  fits: {c: "int name_fits(int most, const char *name)", args: {name: {of: str, max_length: most, optional: true}}}
"""


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("names", SPEC, tmp_path_factory.mktemp("names"), HEADER)


def test_a_string_of_the_largest_length_is_accepted(names: ModuleType) -> None:
    assert names.length("abc") == 3
    assert names.fits(7, None) == 7


@pytest.mark.parametrize("name", ["abcd", "äö"])
def test_a_longer_string_is_refused_by_its_bytes(names: ModuleType, name: str) -> None:
    with pytest.raises(ValueError, match=r"length\(\) argument 'name' must have at most 3 bytes, not 4"):
        names.length(name)
    with pytest.raises(ValueError, match=r"must have at most 1 byte, not 4"):
        names.fits(1, name)
