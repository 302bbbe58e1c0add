"""The places of keys, in a spec with variants, too."""

from __future__ import annotations

from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.text.yaml import load
from dlpack_bindgen.tools.try_.claims import Described
from dlpack_bindgen.tools.try_.places import Places
from support.build import TOP
from try_.builds import SPEC

GSL = (TOP / "specs" / "gsl.yaml").read_text(encoding="utf-8")


def test_a_key_has_its_place() -> None:
    found = Places(load("spec.yaml", SPEC.encode())).find("tensors", "Sheet", "dtype")
    assert found is not None
    assert SPEC.splitlines()[found.line - 1][found.column - 1 :].startswith("dtype: float64")


def test_a_missing_key_has_the_place_of_the_key_around_it() -> None:
    places = Places(load("spec.yaml", SPEC.encode()))
    assert places.find("tensors", "Sheet", "readonly") == places.find("tensors", "Sheet")
    assert places.find("tensors", "Other") == places.find("tensors")


def test_variants_have_the_places_of_their_template() -> None:
    found = Places(load("gsl.yaml", GSL.encode())).find("tensors", "MatrixF32", "methods", "add")
    assert found is not None
    assert GSL.splitlines()[found.line - 1][found.column - 1 :].startswith("add:")


def test_the_claims_of_a_variant_have_the_places_of_its_template() -> None:
    loaded = load("gsl.yaml", GSL.encode())
    specs, _ = validate([loaded])
    claims = {(each.kind, each.subject.name): each for each in Described(loaded, specs[0]).claims()}
    claim = claims["owner", "MatrixF32"]
    assert GSL.splitlines()[claim.place.line - 1].strip().startswith("release:")
