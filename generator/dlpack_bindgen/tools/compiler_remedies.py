"""Remedies for errors of the C compiler: what is wrong at the string of the spec, and what to write instead.

The patterns of `_KINDS` recognise messages of gcc and clang. A function for each kind of mistake says it in the words
of the spec, with the remedy if one is known. A message of no kind keeps the words of the compiler."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Sequence

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.values import Fields
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Span, closest, listed, merged
from dlpack_bindgen.text.fragments import operand
from dlpack_bindgen.text.names import C_KEYWORDS, OWN_NAMES, WORDS_OF_MAKING
from dlpack_bindgen.tools.compiler_messages import Message, Place
from dlpack_bindgen.tools.generated_code import Found, Generated, Node
from dlpack_bindgen.tools.header_declarations import Declarations, Declared

_WORDS = WORDS_OF_MAKING | OWN_NAMES
_QUOTED = re.compile(r"'([A-Za-z_]\w*)'|declares (\w+):")
_MEANT = re.compile(r"; did you mean '[^']*'\?")
_SHORT = {
    "long long unsigned int": "unsigned long long",
    "long long int": "long long",
    "long unsigned int": "unsigned long",
    "short unsigned int": "unsigned short",
    "long int": "long",
    "short int": "short",
    "unsigned int": "unsigned",
}
"""The spellings of gcc, and shorter ones."""
_DTYPES = {
    **{f"{sign}int{bits}_t": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "signed char": "int8",
    "short": "int16",
    "int": "int32",
    "long": "{c: long}",
    "long long": "int64",
    "unsigned char": "uint8",
    "unsigned short": "uint16",
    "unsigned": "uint32",
    "unsigned long": "{c: unsigned long}",
    "unsigned long long": "uint64",
    "_Float16": "float16",
    "float": "float32",
    "double": "float64",
    "_Bool": "bool",
    "bool": "bool",
    **{f"{part} _Complex": dtype for part, dtype in (("float", "complex64"), ("double", "complex128"))},
    **{f"_Complex {part}": dtype for part, dtype in (("float", "complex64"), ("double", "complex128"))},
}
_MOST_MEMBERS = 16
_LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_LEAST_LIKENESS = 0.66
"""The likeness of names, without the words at their begin that both have."""

GetDeclarations = Callable[[], Declarations]
"""Returns the declarations in the headers of the library."""


class Error(Frozen):
    """An error of the compiler at a string of the spec."""

    message: Message
    generated: Generated
    place: Place
    """The place in the generated files."""
    found: Found

    @property
    def line(self) -> str:
        return self.generated.line(self.place)

    @property
    def column(self) -> int:
        """The column in the line, counted from 0."""
        return self.place.column - 1

    @property
    def text(self) -> str:
        """The message without the name that the compiler suggests: gcc and clang suggest different ones."""
        return _MEANT.sub("", self.message.text)

    @property
    def asserted(self) -> str | None:
        """The message of the assertion in the line."""
        return self.generated.asserted(self.place)


class Advice(Frozen):
    """The words of a diagnostic."""

    message: str
    hint: str | None = None
    declared: Declared | None = None
    """The declaration in the header that contradicts the spec."""
    is_certain: bool = False
    """Whether the error cannot follow from another one."""
    follows: bool = False
    """Whether the error can only follow from another one."""
    cause: str | None = None
    """The common cause of errors in several strings."""
    at: str | None = None
    """The part of the string of the spec that the error is about."""


class Case(Frozen):
    """An error that a pattern recognises, with all that a remedy needs."""

    error: Error
    match: re.Match[str]
    others: Sequence[Error]
    """The other errors of the same string."""
    declarations: GetDeclarations

    @property
    def node(self) -> Node:
        return self.error.found.node

    def has(self, name: str) -> bool:
        return self.match.groupdict().get(name) is not None

    def type(self, name: str) -> str:
        """Returns a type in the message as C spells it."""
        return short(self.match[name])

    def canonical(self, name: str) -> str:
        return short(self.match[f"{name}_gcc"] or self.match[f"{name}_clang"] or self.match[name])

    def shown(self, name: str) -> str:
        """Returns a type for a message, with the type that it stands for."""
        own, canonical = (_plain(each) for each in (self.type(name), self.canonical(name)))
        own = canonical if "typeof" in own else own
        return f"'{own}'" if own == canonical else f"'{own}' ({canonical})"


def names_of(text: str) -> list[str]:
    """Returns the name that a message is about, or all names that it quotes."""
    text = _MEANT.sub("", text)
    match = next((match for pattern, _ in _KINDS if (match := pattern.search(text)) is not None), None)
    if match is not None and match.groupdict().get("name"):
        return [match["name"]]
    found = [name for pair in _QUOTED.findall(text) for name in pair if name]
    return [name for name in found if name not in C_KEYWORDS]


def short(ctype: str) -> str:
    """Returns a C type in its shorter spelling."""
    for long, spelling in _SHORT.items():
        ctype = re.sub(rf"\b{long}\b", spelling, ctype)
    return ctype


def _plain(ctype: str) -> str:
    """Returns the type of a value without its own `const`, which clang prints."""
    return ctype if "*" in ctype else ctype.removeprefix("const ")


def _suggested(name: str, known: Iterable[str]) -> str | None:
    """Returns the name in the headers that is probably meant. Names of a library often begin with equal words, which do
    not count."""
    from difflib import SequenceMatcher  # only mistakes need it

    matcher = SequenceMatcher(autojunk=False)
    best, found = _LEAST_LIKENESS, None
    for each in known:
        equal = next((n for n, (a, b) in enumerate(zip(name.lower(), each.lower(), strict=False)) if a != b), len(name))
        begin = name.rfind("_", 0, equal) + 1
        matcher.set_seqs(name[begin:].lower(), each[begin:].lower())
        is_private = each.startswith("_") and not name.startswith("_")
        if not is_private and matcher.quick_ratio() >= best and matcher.ratio() >= best and each != name:
            best, found = matcher.ratio(), each
    return found


# ---- Names that no header declares ----

_IN_NO_HEADER = "'include' names the header that declares it"


def _missing_member(case: Case) -> Advice:
    name, owner = case.match["name"], case.type("owner")
    found = case.declarations()
    ctype = _class_type(case.node)
    if found.is_same(ctype, owner):
        owner = ctype
    members = found.members(case.canonical("owner")) or found.members(owner) or _members_by_path(case, found)
    is_named = re.fullmatch(r"(?:(?:struct|union) )?\w+", owner) is not None
    meant = closest(name, members)
    hints = [f"did you mean '{meant}'?"] if meant else []
    more = f" and {len(members) - _MOST_MEMBERS} more" if len(members) > _MOST_MEMBERS else ""
    hints += [f"its members are {listed(members[:_MOST_MEMBERS])}{more}"] if members else []
    message = f"'{owner}' has no member '{name}'" if is_named else f"this struct has no member '{name}'"
    return Advice(message, " ".join(hints) or None, is_certain=True, at=name)


def _members_by_path(case: Case, found: Declarations) -> list[str]:
    """Returns the members of a struct without a name, by the path in the expression that leads to it."""
    leaf = case.error.found.leaf
    texts = [token.text for token in ctext.tokens(leaf.text)] if leaf is not None else []
    if case.match["name"] not in texts:
        return []
    path: list[str] = []
    index = texts.index(case.match["name"]) - 1
    while index > 0 and texts[index] in ("->", "."):
        index -= 1
        while index > 0 and texts[index] == "]":
            index = _opening(texts, index) - 1
        path.insert(0, texts[index])
        index -= 1
    return found.members(_class_type(case.node), [each for each in path if each != "self"])


def _opening(texts: Sequence[str], index: int) -> int:
    depth = 0
    while index > 0:
        depth += (texts[index] == "]") - (texts[index] == "[")
        if depth == 0:
            break
        index -= 1
    return index


def _class_type(node: Node) -> str:
    """Returns the C type of the class around a value."""
    types = [child for each in node.above() for child in each.children if child.name == "type"]
    return next((leaf.text for child in types for leaf in child.strings()), "")


def _incomplete(case: Case) -> Advice:
    shown, leaf = case.shown("owner"), case.error.found.leaf
    ctype = leaf.text if leaf is not None and "dlb_" in case.match["owner"] else _class_type(case.node)
    if "dlb_" in case.match["owner"] or case.declarations().is_same(ctype, case.type("owner")):
        shown = f"'{ctype}'" + (f" ({case.canonical('owner')})" if ctype != case.canonical("owner") else "")
    message = f"the headers declare {shown}, but not its members"
    return Advice(message, "call functions of the library, or include the header that has the struct", is_certain=True)


def _unknown_type(case: Case) -> Advice:
    name = case.match["name"]
    found = case.declarations()
    tagged = next((each for each in found.types if re.fullmatch(rf"(?:struct|union|enum) {name}", each)), None)
    meant = tagged or _suggested(name, found.types)
    hint = f"write '{tagged}'" if tagged else f"did you mean '{meant}'?" if meant else _IN_NO_HEADER
    return Advice(f"no header declares the type '{name}'", hint, is_certain=True, cause=f"type {name}", at=name)


def _undeclared(case: Case) -> Advice:
    name, line = case.match["name"], case.error.line
    found = case.declarations()
    if name in _WORDS or name in found.functions or name in found.values:
        return Advice(case.error.text, follows=True)
    if re.search(rf"(?:^|\(|\bconst ){name} \*", line):
        return _unknown_type(case)
    if case.node.name == "c" or re.search(rf"\b{name}\s*\(", line):
        return _unknown_function(case)
    of_class = name in found.members(_class_type(case.node))
    meant = f"self->{name}" if of_class else _suggested(name, [*found.values, *found.macros])
    hint = f"did you mean '{meant}'?" if meant else _IN_NO_HEADER
    return Advice(f"no header declares '{name}'", hint, is_certain=True, cause=f"value {name}", at=name)


def _unknown_function(case: Case) -> Advice:
    name = case.match["name"]
    found = case.declarations()
    if name in found.macros:
        return Advice(f"'{name}' is a macro", "write 'macro: true' beside 'c'", is_certain=True, at=name)
    meant = _suggested(name, [*found.functions, *found.macros])
    hint = f"did you mean '{meant}'?" if meant else _IN_NO_HEADER
    return Advice(f"no header declares the function '{name}'", hint, is_certain=True, cause=f"function {name}", at=name)


def _no_header(case: Case) -> Advice:
    message = f"the compiler does not find the header '{case.match['name']}'"
    return Advice(message, _OF_HEADERS[_no_header], is_certain=True)


def _directive(case: Case) -> Advice:
    """Words of an `#error` of the generated files."""
    text = case.match["asserted"]
    declared = re.search(r" declares (\w+):", text)
    return Advice(text, is_certain=True, cause=f"type {declared[1]}" if declared else None)


# ---- Conversions ----


def _narrows(case: Case) -> Advice:
    error = case.error
    if error.line.startswith("DLB_", error.column):
        return _asserted(case)
    conversions = sorted(_conversions(case), key=lambda each: each.start)
    first = conversions[0]
    message = f"'{first.expression}' is {first.source}, and C converts it to {first.shown}, which may change the value"
    return Advice(message, _narrower(case, conversions), at=first.expression)


class _Conversion(Frozen):
    start: int
    """The column of the expression in its line."""
    expression: str
    source: str
    shown: str
    target: str


def _conversions(case: Case) -> Iterable[_Conversion]:
    """Yields the conversions that narrow numbers in one line of C."""
    seen = set()
    for error in (case.error, *(each for each in case.others if each.place.line == case.error.place.line)):
        for pattern, advise in _KINDS if error.place.line == case.error.place.line else ():
            match = pattern.search(error.text)
            if match is not None and advise is _narrows:
                start, end = argument_around(error.line, error.column)
                own = Case(error, match, (), case.declarations)
                if start not in seen:
                    seen.add(start)
                    expression = error.line[start:end].strip()
                    yield _Conversion(start, expression, own.shown("from"), own.shown("to"), _plain(own.type("to")))
                break


def _narrower(case: Case, conversions: Sequence[_Conversion]) -> str:
    """Returns the `let` to write for expressions that are narrowed. Without a `let`, returns the cast to write."""
    record = next((each for each in case.node.above() if _has_key(each, "let")), None)
    if record is None:
        casts = [f"({each.target}){operand(each.expression)}" for each in conversions]
        return f"if each value fits, cast it: {', '.join(casts)}"
    taken = WORDS_OF_MAKING | {each.name for node in case.node.above() for each in node.below()}
    steps: list[str] = []
    names: list[str] = []
    for each in conversions:
        name = _free_name(case, each.start, {*taken, *names})
        names.append(name)
        steps.append(f"{{{each.target} {name}: {_quoted(each.expression)}}}")
    passed = f"and pass {', '.join(names)}"
    if any(child.name == "let" for child in record.children):
        return f"declare it: add {', '.join(steps)} to 'let', {passed}"
    return f"declare it: let: [{', '.join(steps)}], {passed}"


def _has_key(node: Node, name: str) -> bool:
    return isinstance(node.value, Fields) and node.value.record.key(name) is not None


def _free_name(case: Case, start: int, taken: Collection[str]) -> str:
    """Returns a name for a variable: that of the parameter that gets it, unless another variable has this name."""
    line = case.error.line
    depth, index, commas = 0, start - 1, 0
    while index >= 0:
        depth += (line[index] in ")]") - (line[index] in "([")
        if depth < 0:
            break
        commas += line[index] == "," and depth == 0
        index -= 1
    function = re.search(r"([A-Za-z_]\w*)\s*$", line[: max(index, 0)])
    parameters = case.declarations().parameters(function[1]) if function else []
    wanted = [*parameters[commas : commas + 1], "n", "number", "value"]
    return next((name for name in wanted if name and not name.startswith("_") and name not in taken), "narrowed")


def _quoted(expression: str) -> str:
    return "'" + expression.replace("'", "''") + "'"


def argument_around(line: str, column: int) -> tuple[int, int]:
    """Returns the begin and the end of the code around a column of a line of C: of the innermost argument of a call, of
    the right side of an assignment, or of the statement."""
    starts, calls = [0], [False]
    before = ""
    found: int | None = None
    for token, place in ctext.pieces(line, 0, len(line)):
        if found is None and place > column:
            found = len(starts)
        closes = token == ")" and calls[-1]
        if found is not None and len(starts) <= found and (closes or token == ";" or (token == "," and calls[-1])):
            return starts[-1], place
        if token in ("(", "[", "{"):
            is_call = (
                token == "(" and re.fullmatch(r"(?!if\b|while\b|return\b|sizeof\b)[A-Za-z_]\w*", before) is not None
            )
            starts.append(place + 1 if is_call else starts[-1])
            calls.append(is_call)
        elif token in (")", "]", "}") and len(starts) > 1:
            starts.pop()
            calls.pop()
        elif (token == "," and calls[-1]) or (token == "=" and len(starts) == 1):
            starts[-1] = place + 1
        before = token
    return starts[-1], len(line)


def _is_const(case: Case) -> Advice:
    node = case.node
    record = next((each for each in node.above() if _has_key(each, "const")), None)
    if record is None or node.parent is None or node.parent.name != "set":
        name = f"the member '{case.match['name']}'" if case.match["name"] else "this"
        return Advice(f"{name} is const in C", "C can only initialise it: leave the assignment out")
    is_there = any(child.name == "const" for child in record.children)
    hint = f"add '{node.name}' to 'const'" if is_there else f"write it beside 'set': const: [{node.name}]"
    return Advice(f"the member '{node.name}' is const in C", hint)


# ---- Functions, and the types of their arguments and results ----


def _other_function(case: Case) -> Advice:
    name = case.match["name"]
    declared = case.declarations().functions.get(name)
    if declared is None:
        return _asserted(case)
    message = f"the header declares '{name}' with another type: {declared.text}"
    return Advice(message, "write this prototype in 'c'", declared, at=name)


def _called_otherwise(case: Case) -> Advice:
    """Words for a call that does not fit the declaration of its function."""
    text = case.error.text
    count = re.match(r"too (few|many) arguments", text)
    declared = _called(case)
    if declared is None:
        return Advice(text)
    message = f"too {count[1]} arguments for '{declared.name}'" if count else text
    return Advice(message, f"the header declares: {declared.text}", declared, at=declared.name)


def _other_type(case: Case) -> Advice:
    """Words for a value of another type than C expects."""
    expected = case.match
    for note in case.error.message.notes:
        match = _EXPECTED.search(note.text)
        if match is not None:
            expected = match
    if expected.groupdict().get("to") is None:
        return _called_otherwise(case)
    own = Case(case.error, expected, (), case.declarations)
    lost = ": its const would be lost" if "discards" in case.error.text else ""
    message = f"C expects {own.shown('to')} here, and gets {own.shown('from')}{lost}"
    start, end = argument_around(case.error.line, case.error.column)
    expression = case.error.line[start:end].strip()
    declared = _called(case)
    hint = f"the header declares: {declared.text}" if declared else None
    return Advice(message, hint, declared, at=expression)


def _without_result(case: Case) -> Advice:
    declared = _called(case)
    name = f"'{declared.name}'" if declared else "this call"
    hint = f"the header declares: {declared.text}" if declared else None
    at = declared.name if declared else None
    return Advice(f"{name} returns nothing, and its result is needed", hint, declared, at=at)


def _called(case: Case) -> Declared | None:
    """Returns the declaration of the function that a message is about."""
    line = _LITERAL.sub(lambda match: '"' + " " * (len(match[0]) - 2) + '"', case.error.line)
    functions = case.declarations().functions
    start, _ = argument_around(line, case.error.column)
    before = re.search(r"([A-Za-z_]\w*)\s*\([^()]*$", line[:start])
    at = re.match(r"[A-Za-z_]\w*", line[case.error.column :])
    called = [name for name in re.findall(r"([A-Za-z_]\w*)\s*\(", line) if name in functions]
    named = [*names_of(case.error.text), *(match.group(index) for match, index in ((at, 0), (before, 1)) if match)]
    if before is not None and before[1] not in functions:
        return None  # a function of the runtime
    return next(
        (functions[name] for name in (*named, *(called if len(called) == 1 else ())) if name in functions), None
    )


# ---- Assertions ----


def _asserted(case: Case) -> Advice:
    """Words of an assertion, with the type that the operand has."""
    text = case.error.asserted or (case.match["asserted"] if case.has("asserted") else case.error.text)
    texts = [each.text for each in (case.error, *case.others)]
    operands = (match for pattern in _OPERANDS for each in texts if (match := pattern.search(each)) is not None)
    found = next((short(each["type"]) for each in operands), None)
    if found is None or ("must be" not in text and "*" not in found):
        return Advice(text)
    element = re.sub(r"\b(?:const|volatile) ?|\s*\*$|\s*(?:\[\d*\])+$", "", found).strip()
    has_dtype = any(child.name == "dtype" for each in case.node.above() for child in each.children)
    is_array = found[-1:] in ("*", "]") and has_dtype and "pointer to " in text
    hint = f"write dtype: {_DTYPES[element]}" if element in _DTYPES and is_array else None
    return Advice(f"{text}; it is '{found}'", hint)


def _no_number(case: Case) -> Advice:
    return Advice(f"this must be an integer; it is {case.shown('from')}")


def _width(case: Case) -> Advice:
    """Words of an assertion whose message is the name of a bit-field."""
    words = case.match["name"].replace("__", ": ").replace("_", " ").replace("is no integer", "is not an integer")
    return Advice(f"this {words}" if words.startswith("is ") else words)


def _no_pointer(_: Case) -> Advice:
    return Advice("this must be a pointer or an array")


# ---- The kinds of messages ----

_Advise = Callable[[Case], Advice]


def _pattern(text: str) -> re.Pattern[str]:
    """Returns a pattern in which FROM, TO and OWNER stand for types, and NAME for a name."""
    ctype = r"'(?P<{0}>[^']*)'(?: \{{aka '(?P<{0}_gcc>[^']*)'\}}| \(aka '(?P<{0}_clang>[^']*)'\))?"
    for word in ("FROM", "TO", "OWNER"):
        text = re.sub(rf"\b{word}\b", ctype.format(word.lower()).replace("\\", r"\\"), text)
    return re.compile(text.replace("NAME", "'(?P<name>[^']*)'"))


_EXPECTED = _pattern("expected TO but argument is of type FROM")
_KINDS: tuple[tuple[re.Pattern[str], _Advise], ...] = tuple(
    (_pattern(text), advise)
    for text, advise in (
        ("OWNER has no member named NAME", _missing_member),
        ("no member named NAME in OWNER", _missing_member),
        ("use of (?:undefined|incomplete) (?:type|typedef) OWNER", _incomplete),
        ("incomplete (?:definition of )?type OWNER", _incomplete),
        ("unknown type name NAME", _unknown_type),
        (r"must use '\w+' tag to refer to type NAME", _unknown_type),
        (r"NAME undeclared", _undeclared),
        ("use of undeclared identifier NAME", _undeclared),
        (r"implicit declaration of function NAME", _unknown_function),
        (r"call to undeclared (?:library )?function NAME", _unknown_function),
        ("NAME file not found", _no_header),
        (r"(?P<name>\S+): No such file or directory", _no_header),
        ("conversion from FROM to TO (?:may change|changes)", _narrows),
        ("conversion to TO from FROM may change the sign", _narrows),
        ("implicit conversion [^']*FROM to TO", _narrows),
        ("assignment of read-only (?:member|location|variable) NAME", _is_const),
        ("assignment of member NAME in read-only object", _is_const),
        ("cannot assign to (?:non-static data member|variable) NAME", _is_const),
        ("read-only variable is not assignable(?P<name>)", _is_const),
        (r"static[ _]assert.*?(?P<asserted>\S+: (?P<name>\w+) is not a function of this type[^\"]*)", _other_function),
        (r'static[ _]assert.*?"(?P<asserted>.*)"', _asserted),
        (r"static[ _]assert[^:]*: (?P<asserted>.*)", _asserted),
        (r'^(?:#error )?"(?P<asserted>.*)"', _directive),
        ("_Generic' selector of type FROM is not compatible", _no_number),
        ("controlling expression type FROM not compatible", _no_number),
        ("negative width in bit-field NAME", _width),
        ("bit-field NAME has negative width", _width),
        ("subscripted value is n", _no_pointer),
        (r"void value not ignored|of (?:incompatible )?type 'void'|\('void' and", _without_result),
        ("passing FROM to parameter of (?:incompatible )?type TO", _other_type),
        ("(?:initializing|assigning to) TO (?:with an expression of (?:incompatible )?type|from) FROM", _other_type),
        ("(?:initialization of|assignment to) TO from (?:incompatible pointer type )?FROM", _other_type),
        ("initializing type TO using type FROM", _other_type),
        ("returning FROM from a function with (?:incompatible )?re(?:turn|sult) type TO", _other_type),
        (r"passing argument \d|incompatible type for argument \d", _other_type),
        (r"too (?:few|many) arguments|discards ", _called_otherwise),
    )
)
"""The first pattern that a message has decides about its words."""
_OPERANDS = (
    re.compile(r"'dlb_(?:type|pointer)_ ?\**' (?:\{aka|\(aka) '(?P<type>[^']*)'"),
    re.compile(r"dlb_type_in_the_spec \*' (?:.*type|from) '(?P<type>(?!dlb_)[^']*)'"),
)
"""The type of the operand of a failed assertion, in a second message of the compiler."""


def explained(errors: Sequence[Error], declarations: GetDeclarations) -> list[Diagnostic]:
    """Returns one diagnostic for each string of the spec that has errors. Leaves out errors that follow from others."""
    groups: dict[Span, list[Error]] = {}
    for error in errors:
        span = error.found.leaf.span if error.found.leaf is not None else error.found.node.span
        groups.setdefault(span, []).append(error)
    found = [_of_string(group, declarations) for group in groups.values()]
    kept = [each for each in found if not _follows(*each, found)]
    return merged(_diagnostic(error, advice) for error, advice in (kept or found))


def _follows(error: Error, advice: Advice, found: Sequence[tuple[Error, Advice]]) -> bool:
    """Returns whether an error probably follows from another one: from an unknown type in the same class or function,
    or from a failed assertion in the same C function. An error without a sure place follows from all others."""
    if advice.is_certain or advice.follows:
        return advice.follows
    for other, others_advice in found:
        of_type = (others_advice.cause or "").startswith("type ")
        if of_type and _owner(other.found.node) is _owner(error.found.node):
            return True
        if error.found.is_guess and other is not error and not other.found.is_guess:
            return True
        is_before = other.asserted is not None and error.asserted is None
        if is_before and other.generated.head(other.place) == error.generated.head(error.place):
            return True
    return False


def _of_string(group: Sequence[Error], declarations: GetDeclarations) -> tuple[Error, Advice]:
    """Returns the error of a string that says most: a name that is missing, then an assertion, then the first."""
    found = [(error, _advice(error, [each for each in group if each is not error], declarations)) for error in group]
    return max(found, key=lambda each: (each[1].is_certain, "static" in each[0].text, each[0].asserted is not None))


def _advice(error: Error, others: Sequence[Error], declarations: GetDeclarations) -> Advice:
    for pattern, advise in _KINDS:
        match = pattern.search(error.text)
        if match is not None:
            advice = advise(Case(error, match, others, declarations))
            is_about_operand = error.asserted is None or advice.is_certain or advise in (_other_function, _asserted)
            if is_about_operand:
                return advice
            break
    any_text = re.compile("").match(error.text)
    if error.asserted is None or any_text is None:
        return Advice(error.text)
    return _asserted(Case(error, any_text, others, declarations))


def _owner(node: Node) -> Node:
    """Returns the class or the function of a string."""
    above = list(node.above())
    return above[max(0, len(above) - 3)]


def _diagnostic(error: Error, advice: Advice) -> Diagnostic:
    declared, leaf, part = advice.declared, error.found.leaf, error.found.part
    notes = (Note(_span(declared), "declared here"),) if declared is not None else ()
    if leaf is not None and advice.at and advice.at in leaf.text:
        part = _nearest(leaf.text, advice.at, part), len(advice.at)
    span = error.generated.span(error.found, part)
    return Diagnostic("compiler", span, advice.message, advice.hint, notes, advice.cause)


def _nearest(text: str, part: str, place: tuple[int, int] | None) -> int:
    """Returns the occurrence of a part of a string that is nearest to a place in it."""
    wanted = place[0] if place is not None else 0
    starts = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(part)}(?!\w)", text)] or [text.find(part)]
    return min(starts, key=lambda start: 0 if start <= wanted < start + len(part) else abs(start - wanted) + 1)


def _span(declared: Declared) -> Span:
    return Span(os.path.normpath(declared.file), declared.line, declared.column, len(declared.name))


# ---- Errors in headers ----


def of_header(message: Message) -> Diagnostic:
    """Returns the words of the compiler about a header of the library."""
    place = message.place
    span = Span(os.path.normpath(place.file), place.line, place.column)
    notes = tuple(
        Note(Span(os.path.normpath(each.place.file), each.place.line, each.place.column), each.text)
        for each in message.notes
    )
    hint = None
    for pattern, advise in _KINDS:
        match = pattern.search(message.text)
        if match is not None and advise in _OF_HEADERS:
            hint = _OF_HEADERS[advise]
            break
    return Diagnostic("header", span, _MEANT.sub("", message.text), hint, notes)


_OF_HEADERS: dict[_Advise, str] = {
    _no_header: "add its folder after '--': -IFOLDER, or $(pkg-config --cflags LIBRARY)",
    _unknown_type: "in 'include', name the header that declares it before this one",
}
