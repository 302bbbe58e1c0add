# SPDX-License-Identifier: MIT
# ruff: noqa: E501
"""The plan of the packages: which modules of the generator become which file. `move.py` carries it out."""

from __future__ import annotations

from typing import NamedTuple

ORDER = "text language tensor calls classes spec emit tools".split()
"""The packages. Each one imports only packages before it."""

PACKAGES = {
    "text": "Text: YAML, C code and messages. These modules know no key of the language.",
    "emit": "The files of a module: templates, clang-format, and writing.",
    "tools": "The commands: `generate`, `explain`, and hints about mistakes.",
    "tools/init": "The first spec of a library, from its header: the command `init`.",
}
"""The docstrings of the folders."""


LATER = ("emit/module", "emit/stub", "emit/docs")
"""Files that the name of their package does not move: they need other moves first."""


class File(NamedTuple):
    """A file of the plan."""

    parts: tuple[str, ...]
    """Modules, or single definitions (`c/words:WORD`)."""
    docstring: str | None
    without_heading: tuple[str, ...] = ()
    """Modules whose docstring is dropped."""


class Phrase(NamedTuple):
    """A sentence that names folders or modules, in a file of the repository."""

    package: str
    """The package whose move replaces it."""
    file: str
    old: str
    new: str


FILES: dict[str, File] = {}
"""New file -> its parts, without `.py`."""


def put(new: str, parts: str, docstring: str | None = None, without_heading: str = "") -> None:
    """Adds a file to the plan."""
    FILES[new] = File(tuple(parts.split()), docstring, tuple(without_heading.replace("/", ".").split()))


# ---- text: YAML, C and messages ----
put(
    "text/diagnostics",
    "diagnostics spelling advisor",
    """Diagnostics for mistakes in a spec: the place, the problem and the remedy. They are printed in gcc's format, so
that editors can jump to the place. Other modules guess what the author meant: they extend the class `Advisor`.""",
    "diagnostics",
)
put(
    "text/names",
    "c/names c/suggestive_names c/headers",
    "Names: their conversion from the spec to C, the names that are taken, and the names in C headers.",
    "c/names",
)
put(
    "text/ctext",
    "c/problem c/letters c/refused_tokens c/operands c/ctext",
    """The lexer and the lexical checks for C code in a spec. They ensure that the code stays inside its slot.""",
    "c/ctext",
)
put(
    "text/types",
    "c/types c/records c/words c/prototype c/declarations",
    "C types, and the parsers of prototypes, types and declarations in a spec.",
)
put(
    "text/literals",
    "c/integers c/literals c/quote",
    "Literals of C and Python: their values, and how strings of a spec are written as literals and comments.",
)
put(
    "text/statements",
    "c/piece c/assertion c/statements",
    "Statements: those of a spec are complete, and those of the emitted C are pieces and assertions.",
)
put(
    "text/fragments",
    "c/fragments c/arrays c/places c/usage",
    "Small pieces of C that several parts of the emitted files share, and questions about them.",
)
put(
    "text/expressions",
    "c/products c/indices c/elements c/reads c/arithmetic",
    "Expressions of C: products, indices, the elements that code reads, and checked arithmetic.",
)
put(
    "text/yaml_errors",
    "load/raw_values load/yaml_errors",
    "Explanations of YAML errors for authors of C expressions, and values of YAML as their author meant them.",
)
put(
    "text/yaml",
    "load/nodes load/quoting load/spaces load/load",
    """The loader of YAML: it returns nodes with source positions, or all reasons for a failure.

The nodes are built from the parser's events without recursion, so that no input can exhaust the stack. Nothing is
resolved, merged or expanded: later steps see the content exactly as written.""",
    "load/load",
)
# ---- language: the machinery of keys ----
put("language/keys", "language/kinds language/values")
put("language/structure", "validate/structure validate/lexical validate/conditions")
put("language/expand", "validate/variants validate/arrays validate/arms")
put("language/names", "language/names validate/functions/classes validate/functions/declared validate/facts")
put("language/schema", "language/schema")
put("language/reference", "language/reference language/occurrences language/introduction")
put(
    "language/text_rules",
    "validate/rules/expressions validate/rules/suspicious_conditions validate/rules/statements "
    "validate/rules/divisions",
)
# ---- tensor ----
for slot in "data dtype shape strides device order readonly byte_offset".split():
    put(f"tensor/{slot}", f"slots/{slot}")
put("tensor/slot", "slots/slot slots/reading slots/scope slots/statements slots/slots slots/description language/slots")
put("tensor/requirements", "language/requirements arguments/requirements validate/rules/requirements bind/accepts")
put("tensor/memory", "slots/memory slots/layout validate/rules/imported_memory")
put("tensor/match", "slots/match slots/conditional validate/rules/match")
put("tensor/inverse", "bind/inverse_match validate/rules/inverse_match bind/stages slots/axes")
put("tensor/rules", "validate/rules/slots validate/ranks validate/build/slots")
put("tensor/units", "validate/rules/units")
put("tensor/describe", "bind/describe bind/slots bind/slot_values bind/assertions bind/nulls bind/fast_paths")
put(
    "tensor/steps",
    "steps/declared steps/flow steps/reading steps/records steps/statements language/steps validate/rules/steps",
)
put("tensor/hooks", "hooks/hook hooks/hooks hooks/acquire hooks/before_read hooks/hold hooks/release bind/hooks")
put("tensor/clone", "hooks/clone hooks/defaults")
put("tensor/parts", "hooks/count_parts validate/rules/parts")
put(
    "tensor/imports",
    "imports/part imports/parts imports/making imports/make imports/variables imports/cast imports/stream "
    "imports/arrays validate/rules/imports language/making language/imports",
)
put("tensor/construct", "imports/construct imports/init imports/destroy imports/attach")
put("tensor/set", "imports/set imports/storage validate/rules/unset_members")
put("tensor/deleter", "imports/deleter imports/callback")
put("tensor/factory", "bind/factory")
put("tensor/pointers", "validate/rules/pointers")
# ---- calls: arguments, results, relations ----
put(
    "calls/argument",
    "arguments/kind arguments/entry arguments/facts arguments/kinds arguments/default_values arguments/measure "
    "arguments/memory language/arguments validate/rules/arguments validate/functions/arguments "
    "validate/functions/parameters",
)
put(
    "calls/number",
    "arguments/number arguments/number_types arguments/enumeration results/number results/enumeration results/scalars",
)
put(
    "calls/string",
    "arguments/string arguments/string_helpers arguments/strings arguments/owned_string results/string "
    "results/strings validate/rules/string_lengths",
)
put("calls/array", "arguments/array arguments/shared_array arguments/owned_array arguments/dltensor")
put("calls/object", "arguments/object arguments/objects")
put("calls/output", "arguments/output validate/rules/new_outputs results/returned")
put("calls/derived", "arguments/derived arguments/dtype_code arguments/fixed arguments/param_of")
put("calls/file", "arguments/file")
put("calls/result", "results/kind results/kinds results/value language/results validate/functions/results")
put("calls/array_result", "results/array results/bytes")
put("calls/object_result", "results/object results/objects")
put("calls/lengths", "validate/rules/lengths validate/functions/lengths spec/lengths bind/functions/byte_counts")
put("calls/elements", "spec/elements bind/functions/elements validate/rules/before_call validate/rules/order")
put("calls/axes", "validate/rules/axes")
put("calls/overlap", "spec/restrict validate/rules/structs")
put(
    "calls/lifetimes",
    "validate/rules/owners validate/rules/endings bind/functions/owners bind/functions/storages "
    "bind/functions/returned",
)
put("calls/transfers", "bind/functions/transfers bind/functions/moved")
put("calls/failures", "language/failures validate/failures validate/rules/failures bind/functions/failures")
put("calls/outputs", "language/outputs validate/functions/outputs validate/rules/outputs bind/functions/outputs")
put("calls/stream", "validate/rules/streams bind/functions/streams")
put(
    "calls/factory_params",
    "validate/functions/factory_params validate/rules/factory_params validate/functions/bound_params bind/params",
)
put("calls/alternatives", "spec/alternatives validate/rules/alternatives bind/functions/alternatives bind/overloads")
put("calls/tables", "validate/rules/tables validate/rules/sizes")
put(
    "calls/call",
    "validate/functions/calls spec/functions validate/build/functions language/functions "
    "validate/rules/functions validate/functions/keyword_only",
)
put(
    "calls/body",
    "bind/functions/functions bind/functions/variables bind/functions/operands bind/functions/results "
    "bind/functions/calls bind/functions/locals bind/functions/fragments bind/functions/assertions "
    "bind/functions/slots",
)
put("calls/signature", "bind/signatures bind/functions/docs")
# ---- classes ----
put(
    "classes/members",
    "language/classes validate/rules/attributes validate/rules/members bind/functions/attributes "
    "bind/functions/members",
)
put("classes/new", "validate/rules/new_struct bind/functions/new_struct validate/rules/specials")
put("classes/records", "language/records validate/rules/records bind/records")
put("classes/external", "bind/external_classes bind/functions/external_classes validate/rules/external_classes")
put("classes/related", "bind/related_classes")
# ---- spec: the whole language ----
put("spec/spec", "language/language language/module spec/spec validate/build/build validate/build/number_types")
put(
    "spec/check",
    "validate/validate validate/rules/rules validate/rules/module validate/collisions validate/rules/emitted "
    "validate/foreign_names validate/rules/undeclared_types",
)
# ---- emit: the files of a module ----
put("emit/module", "bind/bind bind/binding bind/scope bind/shared_tables")
put("emit/stub", "bind/stubs")
put("emit/docs", "bind/doc_comments")
put(
    "emit/render",
    "render/layout render/own_names render/shadowed render/template_cache render/render",
    "The step from bindings to formatted text, through the templates. It makes no decisions.",
    "render/render",
)
put(
    "emit/clang_format",
    "render/pieces render/clang_format",
    """The runner of clang-format. It uses one exact version: that of `DLB_CLANG_FORMAT`, of the wheel `clang-format`,
or of the system (on `PATH`), in this order.

Formatting differs between versions, and users commit the output. Any other version is therefore refused.""",
    "render/clang_format",
)
put("emit/write", "write")
put("emit/vendor", "vendor")
# ---- tools: the commands ----
put(
    "tools/command",
    "command/streams command/report command/options",
    "What all commands share: their arguments, their exit codes, stdout, and reports on stderr.",
)
put(
    "tools/config",
    "command/config command/vendor",
    "The commands `config` and `vendor`: the files of the runtime, for a compile line and as a copy.",
)
put(
    "tools/generate",
    "command/check command/headers command/refused command/depfile command/generate",
    "The command `generate`: reads specs, and writes files, names or the text of one file.",
    "command/generate",
)
put(
    "tools/drawing",
    "explain/layout explain/memory explain/array",
    "The sections of `explain` about the array of a tensor and its memory, and text of at most 80 columns.",
)
put(
    "tools/explain",
    "explain/signatures explain/functions explain/imports explain/ownership explain/explain command/explain",
    "The command `explain`: prints what the classes and functions of a spec become.",
    "command/explain",
)
put(
    "tools/advice_forms",
    "advice/names advice/dtypes advice/yaml_mends advice/values advice/forms",
    "Hints for values: unknown names and dtypes, values of the wrong form, and YAML that has another meaning.",
)
put(
    "tools/advice",
    "advice/keys advice/c_code advice/advisor",
    "The advisor of the commands: it derives hints from the facts of diagnostics, for unknown keys and for C code.",
    "advice/advisor",
)
put(
    "tools/init/declarations",
    "init/declarations init/names init/vocabulary",
    "The declarations of a C header, as records, and the words in their names.",
)
put("tools/init/header", "init/header")
put(
    "tools/init/compiler",
    "init/compiler init/database",
    "The C compiler of the machine, and the flags of `compile_commands.json` that a header needs.",
)
put(
    "tools/init/document",
    "init/yaml_values init/entries init/document",
    "The text of a spec from its entries: the parts that the generator accepts or refuses one by one.",
)
put(
    "tools/init/dtypes",
    "init/dtypes init/type_codes",
    "Dtypes and devices: those of C types and of constants, and the members that tell the type of elements.",
)
put(
    "tools/init/layout",
    "init/units init/letter_axes init/layout",
    """The array in a struct: which fields, or which functions of an opaque struct, give its data, shape, strides, dtype
and device. Each slot has the reason why it was chosen.""",
    "init/layout",
)
put(
    "tools/init/arrays",
    "init/member_arrays init/planes",
    "Further arrays of an object: several in one struct, and planes that functions return for a selector.",
)
put(
    "tools/init/effects",
    "init/effects init/statuses",
    "The effects of a function on its arguments, and how it reports failures.",
)
put("tools/init/classes", "init/classes")
put("tools/init/signatures", "init/signatures")
put(
    "tools/init/proposal",
    "init/proposal init/additions",
    "The proposal of a spec for a header, and functions that are added to an existing spec.",
)
put(
    "tools/init/init",
    "init/acceptance command/init",
    "The command `init`: writes the first spec of a library, from its header.",
    "command/init",
)

NAMES: dict[str, str] = {
    "advice/c_code:hint": "code_hint",
    "advice/dtypes:hint": "dtype_hint",
    "advice/keys:advice": "key_advice",
    "advice/keys:option": "option_hint",
    "advice/keys:swapped": "swapped_hint",
    "c/arithmetic:_SUMS": "_SUM_FUNCTIONS",
    "c/ctext:_COMPARISONS": "_COMPARISON_OPERATORS",
    "c/declarations:_QUALIFIERS": "_WORDS_BEFORE_TYPES",
    "c/elements:_CLOSING": "_CLOSING_OF",
    "c/integers:integer": "integer_value",
    "command/generate:_names": "_output_names",
    "command/generate:_read": "_read_spec",
    "c/usage:mentions": "mentions_variable",
    "load/load:_COMMENT": "_COMMENT_START",
}
"""New names of definitions, because another definition of the new file has the name: `OLD MODULE:NAME` -> new name."""

VARIABLES: dict[str, str] = {}
"""Local variables that would hide a definition of the new file: `OLD MODULE:NAME` -> new name."""

ARCHITECTURE = "docs/architecture.md"
C_IN_STRINGS = "tests/generator/test_c_in_strings.py"

PHRASES: tuple[Phrase, ...] = (
    Phrase(
        "text",
        ARCHITECTURE,
        "| load | bytes → nodes, each with its place in the file | `load/` |",
        "| load | bytes → nodes, each with its place in the file | `text/yaml.py` |",
    ),
    Phrase(
        "text",
        ARCHITECTURE,
        "  `spec/` holds a valid spec. `c/` handles C text: tokens, prototypes, literals, names.\n",
        "  `spec/` holds a valid spec. `text/` handles the text of YAML and C: nodes, tokens, prototypes, literals, names.\n",
    ),
    Phrase(
        "text",
        ARCHITECTURE,
        """* The steps also share seven modules. `diagnostics` holds problems and their places, and `dlpack` holds names of dtypes and
  devices. `advisor` declares what [advice](#advice) can answer, and `spelling` finds a similar name. `frozen` is described
  above. `resources` finds the installed templates and the runtime, and `header` finds `dlpack.h`.
""",
        """* `text/diagnostics.py` holds problems and their places, declares what [advice](#advice) can answer, and finds a similar
  name. The steps also share four modules: `dlpack` holds names of dtypes and devices, and `frozen` is described above.
  `resources` finds the installed templates and the runtime, and `header` finds `dlpack.h`.
""",
    ),
    Phrase(
        "text",
        ARCHITECTURE,
        "The class `Advisor` in `advisor` answers neither.",
        "The class `Advisor` answers neither.",
    ),
    Phrase(
        "text",
        ARCHITECTURE,
        "`closest` therefore stands in `spelling`, outside of `advice/`.",
        "`closest` therefore stands in `text/diagnostics.py`, outside of advice.",
    ),
    Phrase(
        "text",
        ARCHITECTURE,
        "| `load/` | YAML text to nodes with places | knows no key |\n",
        "| `text/` | YAML text to nodes with places; C text: tokens, prototypes, types; messages | knows no key, no spec |\n",
    ),
    Phrase("text", ARCHITECTURE, "| `c/` | text of C: tokens, prototypes, types | knows no spec |\n", ""),
    Phrase(
        "emit",
        ARCHITECTURE,
        "| render | `Binding` → formatted text | `render/`, templates |",
        "| render | `Binding` → formatted text | `emit/render.py`, `emit/clang_format.py`, templates |",
    ),
    Phrase(
        "emit",
        ARCHITECTURE,
        "| write | text → files, or a list of outdated files, or a diff | `write` |",
        "| write | text → files, or a list of outdated files, or a diff | `emit/write.py` |",
    ),
    Phrase("emit", ARCHITECTURE, "`write` writes them | `vendor` |", "`write` writes them | `emit/vendor.py` |"),
    Phrase(
        "emit",
        ARCHITECTURE,
        "* `render/` formats the text with one exact version of clang-format, in pieces of bounded size. It uses several cores if that\n"
        "  saves time.\n",
        "* `emit/clang_format.py` formats the text with one exact version of clang-format, in pieces of bounded size. It uses several\n"
        "  cores if that saves time.\n",
    ),
    Phrase(
        "emit",
        ARCHITECTURE,
        "| `render/` | templates, layout, clang-format | decides nothing |",
        "| `emit/` | templates, layout, clang-format, output files | decides nothing |",
    ),
    Phrase(
        "tools",
        ARCHITECTURE,
        "one line of text for a failure | `cli`, `command/` |",
        "one line of text for a failure | `cli`, `tools/` |",
    ),
    Phrase(
        "tools",
        ARCHITECTURE,
        "instead of files | `explain/` |",
        "instead of files | `tools/explain.py`, `tools/drawing.py` |",
    ),
    Phrase(
        "tools",
        ARCHITECTURE,
        """Its package `init/` has five steps:
`header` reads declarations with libclang, `layout` finds the array in a struct, `classes` and `signatures` find the meaning of
functions, `proposal` and `document` write the text, and `acceptance` runs `load`, `validate`, `render` and the compiler on it.
""",
        """Its package `tools/init/` has five
steps: `header` reads declarations with libclang, `layout` finds the array in a struct, `classes` and `signatures` find the
meaning of functions, `proposal` and `document` write the text, and `init` runs `load`, `validate`, `render` and the compiler.
""",
    ),
    Phrase(
        "tools",
        ARCHITECTURE,
        """| module of `init/` | question |
|---|---|
| `member_arrays` | which arrays does a struct have besides the main one? |
| `planes` | which arrays does a function return for a selector? |
| `letter_axes` | which axes do members such as `nx`, `ny`, `nz` describe? |
| `dtypes`, `type_codes` | which dtype does a type, a constant or a code stand for? |
| `units` | does a stride count bytes or elements? |
| `effects` | does a function move, exchange or free the memory of its arguments? |
| `statuses` | how do functions report failures? |
| `vocabulary` | by which words are names recognised? |
| `database` | which flags of a `compile_commands.json` does a header need? |
""",
        """| module of `tools/init/` | questions |
|---|---|
| `arrays` | which arrays does a struct have besides the main one? which arrays does a function return for a selector? |
| `layout` | which axes do members such as `nx`, `ny`, `nz` describe? does a stride count bytes or elements? |
| `dtypes` | which dtype does a type, a constant or a code stand for? |
| `effects` | does a function move, exchange or free the memory of its arguments? how do functions report failures? |
| `declarations` | by which words are names recognised? |
| `compiler` | which flags of a `compile_commands.json` does a header need? |
""",
    ),
    Phrase(
        "tools",
        ARCHITECTURE,
        "* `explain/` lays out the answers of features in 80 columns. It describes no key itself. Slots, steps and parts of imports\n"
        "  have `in_words`,",
        "* `tools/explain.py` lays out the answers of features in 80 columns. It describes no key itself. Slots, steps and parts of\n"
        "  imports have `in_words`,",
    ),
    Phrase(
        "tools",
        ARCHITECTURE,
        """The checks decide whether a spec is valid. The package `advice/` guesses what its author meant: a similar name, a word of
another tool, another form of the value, a habit of C, a correction of the YAML. Only `tools/generate.py` imports it, when
there is a mistake.""",
        """The checks decide whether a spec is valid. `tools/advice.py` and `tools/advice_forms.py` guess what its author meant: a
similar name, a word of another tool, another form of the value, a habit of C, a correction of the YAML. Only
`tools/generate.py` imports them, when there is a mistake.""",
    ),
    Phrase(
        "tools",
        ARCHITECTURE,
        "| `advice/` | hints: for unknown keys, dtypes and names, for values of other forms, for C code, and corrections of YAML | "
        "Only `tools/generate.py` imports it. Without it, the same specs pass and fail. |",
        "| `tools/advice.py`, `tools/advice_forms.py` | hints: for unknown keys, dtypes and names, for values of other forms, "
        "for C code, and corrections of YAML | Only `tools/generate.py` imports them. Without them, the same specs pass and "
        "fail. |",
    ),
    Phrase(
        "tools",
        ARCHITECTURE,
        "| `explain/` | one module for each section of the text of `explain`, the drawing of arrays, and the layout in 80 columns |",
        "| `tools/explain.py`, `tools/drawing.py` | the sections of the text of `explain`, the drawing of arrays, and the layout in "
        "80 columns |",
    ),
    Phrase("text", C_IN_STRINGS, '"c/", "load/", ', '"text/", '),
    Phrase("emit", C_IN_STRINGS, '"render/")', '"emit/render.py", "emit/clang_format.py")'),
    Phrase(
        "emit",
        "tests/generator/test_generate.py",
        """    monkeypatch.setattr(
        clang_format, "cut", lambda text: [*clang_format.cut(""",
        """    cut = clang_format.cut
    monkeypatch.setattr(
        clang_format, "cut", lambda text: [*cut(""",
    ),
    Phrase("tools", C_IN_STRINGS, '("advice/", ', '("tools/advice", '),
    Phrase(
        "tools",
        C_IN_STRINGS,
        '"command/", ',
        '"tools/command.py", "tools/config.py", "tools/generate.py", "tools/init/init.py", ',
    ),
    Phrase(
        "tools",
        "generator/dlpack_bindgen/text/diagnostics.py",
        "between the checks and the package `advice`",
        "between the checks and the advice about mistakes",
    ),
    Phrase(
        "tools",
        "tests/generator/test_without_advice.py",
        "'dlpack_bindgen.advice' in name",
        "'dlpack_bindgen.tools.advice' in name",
    ),
)
"""Sentences that a script cannot derive. `old` is the text after the names of modules have been replaced."""
