# SPDX-License-Identifier: MIT
"""Changes specs: their text, their keys and values, and their prototypes."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

import yaml

from dlpack_bindgen.language.keys import records
from dlpack_bindgen.spec.all_keys import SPEC

Node = Any
"""A tree of `dict`, `list` and `str`."""

C_TOKENS = (
    "const * ** [] [n] [2] restrict volatile unsigned signed long char void _Complex double size_t int64_t struct enum "
    "( ) , ; & ... %: <: :> <% static inline _Bool float *self n 0 -1 0x10 1.5 'c' \"s\" + - / % << == != && || ! ? : "
    "-> . ="
).split()
YAML_TOKENS = (
    "& * ! | > ' \" # % @ ` , [ ] { } ? : - -- --- ... << ~ null true no 010 0x10 1e3 \\t \\n ${N} ${T} = \t \r "
    "\u2028 \u00e9 \ufeff \x00 \U0001f600"
).split(" ")
LONGEST = 100_000
"""Characters of a changed spec."""


def keys_of_language() -> list[str]:
    """Returns the names of all keys."""
    return sorted({key.name for record in records(SPEC) for key in record.keys})


KEYS = keys_of_language()


# ---- The text ----


def _line(text: str, choose: random.Random) -> str:
    """Deletes, doubles, moves or indents a line."""
    lines = text.splitlines(keepends=True)
    place = choose.randrange(len(lines))
    action = choose.randrange(4)
    if action == 0:
        del lines[place]
    elif action == 1:
        lines.insert(choose.randrange(len(lines)), lines[place])
    elif action == 2:
        lines.insert(choose.randrange(len(lines)), lines.pop(place))
    else:
        lines[place] = choose.choice([" ", "  ", "\t", ""]) + lines[place].removeprefix(choose.choice(["", " ", "  "]))
    return "".join(lines)


def _character(text: str, choose: random.Random) -> str:
    """Deletes, replaces or inserts one character, or a token of YAML."""
    place = choose.randrange(len(text))
    new = choose.choice([*YAML_TOKENS, "", "", choose.choice(text)])
    return text[:place] + new + text[place + choose.randrange(2) :]


def _word(text: str, choose: random.Random) -> str:
    """Replaces a word by a key, by a token of C, or by another word."""
    words = list(re.finditer(r"[\w$]+", text))
    if not words:
        return text
    old = choose.choice(words)
    new = choose.choice([choose.choice(KEYS), choose.choice(C_TOKENS), choose.choice(words)[0]])
    return text[: old.start()] + new + text[old.end() :]


def _part(text: str, choose: random.Random) -> str:
    """Truncates the text, or doubles or repeats a part of it."""
    start, end = sorted(choose.randrange(len(text) + 1) for _ in range(2))
    action = choose.randrange(8)
    if action == 0:
        return text[:start]
    if action == 1:
        return text[:start] + text[end:]
    end = min(end, start + 60)
    times = 2 if action < 7 else LONGEST // (end - start + 1)
    return text[:start] + text[start:end] * times + text[end:]


# ---- The tree ----


def _places(node: Node) -> list[tuple[Any, Any]]:
    """Returns all values as pairs of a container and a key or an index."""
    found: list[tuple[Any, Any]] = []
    waiting = [node]
    while waiting:
        container = waiting.pop()
        items = container.items() if isinstance(container, dict) else enumerate(container)
        for key, value in items:
            found.append((container, key))
            if isinstance(value, dict | list):
                waiting.append(value)
    return found


def _rename(container: dict[str, Node], key: str, new: str) -> None:
    pairs = [(new if each == key else each, value) for each, value in container.items()]
    container.clear()
    container.update(pairs)


def change_tree(tree: Node, choose: random.Random, pool: Sequence[Node]) -> None:
    """Changes one key or value of a tree; `pool` has the values of all specs."""
    places = _places(tree)
    if not places:
        return
    container, key = choose.choice(places)
    other, other_key = choose.choice(places)
    action = choose.randrange(8)
    if action == 0:
        del container[key]
    elif action == 1 and isinstance(container, dict):
        _rename(container, key, choose.choice(KEYS))
    elif action == 2:
        container[key] = deepcopy(choose.choice(pool))
    elif action == 3:
        container[key] = other[other_key] if not isinstance(other[other_key], dict | list) else "other"
    elif action == 4 and isinstance(container, dict):
        container[choose.choice(KEYS)] = deepcopy(choose.choice(pool))
    elif action == 5:
        container[key] = [container[key]] if choose.randrange(2) else {choose.choice(KEYS): container[key]}
    elif action == 6 and isinstance(container[key], list) and container[key]:
        container[key].append(choose.choice(container[key]))
    elif isinstance(container[key], str):
        container[key] = change_c(container[key], choose)


def change_c(text: str, choose: random.Random) -> str:
    """Deletes, doubles, swaps or inserts tokens of an expression or a prototype."""
    tokens = re.findall(r"\s+|\w+|->|\W", text) or [""]
    for _ in range(choose.randrange(1, 3)):
        place, other = choose.randrange(len(tokens)), choose.randrange(len(tokens))
        action = choose.randrange(4)
        if action == 0 and len(tokens) > 1:
            del tokens[place]
        elif action == 1:
            tokens.insert(other, tokens[place])
        elif action == 2:
            tokens[place], tokens[other] = tokens[other], tokens[place]
        else:
            tokens.insert(place, choose.choice([" ", ""]) + choose.choice(C_TOKENS) + choose.choice([" ", ""]))
    return "".join(tokens)


def parse(text: str) -> Node:
    """Returns the tree of a spec, whose scalars all are strings; None if it is not YAML."""
    try:
        return yaml.load(text, yaml.CBaseLoader)
    except yaml.YAMLError:
        return None


def _prototype(tree: Node, choose: random.Random) -> None:
    """Changes an expression or a prototype."""
    places = [(container, key) for container, key in _places(tree) if isinstance(container[key], str)]
    in_c = [(container, key) for container, key in places if re.search(r"[(*>]", container[key])]
    if in_c:
        container, key = choose.choice(in_c)
        container[key] = change_c(container[key], choose)


TEXT_CHANGES: tuple[Callable[[str, random.Random], str], ...] = (_line, _character, _character, _word, _word, _part)


def change(text: str, choose: random.Random, pool: Sequence[Node]) -> str:
    """Returns a spec with one to three changes."""
    tree = parse(text) if choose.randrange(2) else None
    if isinstance(tree, dict):
        for _ in range(choose.randrange(1, 4)):
            if choose.randrange(2):
                _prototype(tree, choose)
            else:
                change_tree(tree, choose, pool)
        dumped: str = yaml.dump(tree, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True, width=110)
        return dumped
    for _ in range(choose.randrange(1, 4)):
        text = choose.choice(TEXT_CHANGES)(text, choose) if text.strip() else text
    return text[:LONGEST]


def values_of(strings: Sequence[str]) -> list[Node]:
    """Returns the values of all specs, each once."""
    found = {}
    for string in strings:
        tree = parse(string)
        for container, key in _places(tree) if isinstance(tree, dict) else ():
            found[repr(container[key])] = container[key]
    return list(found.values())
