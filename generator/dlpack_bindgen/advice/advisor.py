"""The advisor of the commands: it derives hints from the facts of diagnostics."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from dlpack_bindgen.advice import c_code, forms, keys, values, yaml_mends
from dlpack_bindgen.advice.names import NameIndex, did_you_mean, meant, with_numbers
from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.language.names import UnknownType
from dlpack_bindgen.text.diagnostics import Advisor, Diagnostic, Mend, UnknownName, closest
from dlpack_bindgen.text.types import family
from dlpack_bindgen.text.yaml_errors import NoSpace, Unquoted
from dlpack_bindgen.validate import facts as checked


class GuessingAdvisor(Advisor):
    def __init__(self) -> None:
        self._indexes: dict[int, tuple[Collection[str], NameIndex]] = {}

    def advised(self, diagnostic: Diagnostic) -> Diagnostic:
        hint = self._hint(diagnostic) or diagnostic.hint
        return replace(diagnostic, hint=with_numbers(hint) if hint else None, facts=None)

    def meant_key(self, key: str, known: Sequence[str]) -> str | None:
        name, colon, _ = key.partition(":")
        return keys.meant_key(key, known) or (name if colon and name in known else keys.advice(key, known)[0])

    def mends(self, problems: Sequence[Diagnostic], lines: Sequence[str]) -> list[Mend] | None:
        return yaml_mends.mend(problems, lines)

    def _hint(self, diagnostic: Diagnostic) -> str | None:
        facts = diagnostic.facts
        if isinstance(facts, UnknownName):
            return did_you_mean(facts.name, self._near(facts.name, facts.known))
        if isinstance(facts, UnknownType):
            return self._type(facts)
        if isinstance(facts, checked.UnknownKey):
            return keys.key_hint(facts.key, facts.known)
        if isinstance(facts, checked.UnknownOption):
            return keys.option(facts.node, facts.tags)
        if isinstance(facts, checked.UnknownWord):
            return _word(facts, diagnostic.hint)
        if isinstance(facts, checked.WrongValue):
            return _value(facts, diagnostic)
        if isinstance(facts, checked.WrongType):
            return forms.instead(facts)
        if isinstance(facts, checked.ComparedKey):
            return values.compared_key_hint(facts)
        if isinstance(facts, Unquoted):
            return yaml_mends.unquoted_hint(facts)
        if isinstance(facts, NoSpace):
            return yaml_mends.no_space_hint(facts)
        if isinstance(facts, checked.WrongEntry):
            return forms.declaration(facts.entries)
        return c_code.hint(facts)

    def _near(self, name: str, known: Collection[str]) -> list[str]:
        """Returns the known names with a similar spelling. The index of all known names is built once."""
        if id(known) not in self._indexes:
            self._indexes[id(known)] = known, NameIndex(known)
        return self._indexes[id(known)][1].near(name)

    def _type(self, facts: UnknownType) -> str | None:
        names = facts.names
        if facts.name in names.values:
            return None
        of = [each.name.text for each in names.of_type(facts.name) if "bytes" in facts.words]
        similar = of[0] if len(of) == 1 else family(facts.name)
        if similar:
            return f"write {similar}"
        habit = values.TYPE_HABITS[facts.role].get(facts.name.lower())
        return habit or did_you_mean(facts.name, (*self._near(facts.name, names.known), *facts.words))


def _word(facts: checked.UnknownWord, otherwise: str | None) -> str | None:
    word = meant(facts.text, values.WORDS, facts.words) or closest(facts.text, facts.words)
    hints = (f"did you mean '{word}'?" if word else None, otherwise)
    return forms.as_record(facts.text, facts.among) or " ".join(hint for hint in hints if hint) or None


def _value(facts: checked.WrongValue, diagnostic: Diagnostic) -> str | None:
    if facts.form in (Form.KIND, Form.VALUE) and "*" in facts.text:
        pointed_to = forms.pointed_to(facts.text, facts.root if facts.form is Form.KIND else None)
        if pointed_to:
            return pointed_to
    if facts.form is Form.EXCEPTION and facts.key is not None and (swapped := keys.swapped(facts.key, facts.text)):
        return swapped
    return (
        forms.as_record(facts.text, facts.among)
        or values.value_hint(diagnostic.code, facts)
        or c_code.hint(facts.cause)
    )
