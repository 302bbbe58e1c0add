# SPDX-License-Identifier: MIT
# ruff: noqa: E501
"""The plan of the packages: which modules of the generator become which file. `move.py` carries it out."""

from __future__ import annotations

from typing import NamedTuple

ORDER = "text language tensor calls classes spec emit tools".split()
"""The packages. Each one imports only packages before it."""

PACKAGES = {
    "language": "The machinery of the language: keys, the reader of values, and the expansion of variants.",
    "tensor": "The memory of a class: slots, steps, hooks and imports. Each file has its keys, its rules and its C.",
    "calls": "The functions that Python calls: arguments, results, and one file for each relation between them.",
    "classes": "Members of classes, records, and classes of other modules.",
    "spec": "The whole language, and the reader of a file: its rules, its names, its schema and its reference.",
    "text": "Text: YAML, C code and messages. These modules know no key of the language.",
    "emit": "The files of a module: templates, clang-format, and writing.",
    "tools": "The commands: `generate`, `explain`, and hints about mistakes.",
    "tools/init": "The first spec of a library, from its header: the command `init`.",
}
"""The docstrings of the folders."""


LATER: tuple[str, ...] = ()
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
# ---- tensor ----
# ---- emit: the files of a module ----
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
# ---- language: the machinery ----
put(
    "language/shared",
    "language/shared language/records:ARRAYS language/steps:TEXT language/steps:PARAMETERS",
    """The keys that several records have.""",
)
put("language/facts", "validate/facts", None)
put(
    "language/structure",
    "validate/conditions validate/lexical validate/structure",
    """The reader that converts nodes to values by the declared keys, with the checks of single values.""",
)
put(
    "language/expand",
    "validate/variants validate/arrays",
    """Expansion of `variants` and `arrays`, before the reader sees the nodes.""",
)
# ---- tensor ----
put(
    "tensor/requirements",
    "arguments/requirements language/steps:_REASON language/steps:ERROR language/steps:EXPR language/steps:MESSAGE language/steps:CHECK language/requirements",
    """Requirements on arrays: dtype, shape, layout, alignment and device; their keys and their records.""",
)
put(
    "tensor/slot",
    "slots/scope slots/reading slots/slot slots/conditional slots/statements slots/description",
    """What slots share: how their C code reads the object, and the statements that they yield.""",
)
put("tensor/layout", "slots/layout slots/order slots/axes", """The order of axes in memory.""")
put("tensor/data", "slots/data", None)
put("tensor/dtype", "slots/dtype", None)
put("tensor/shape", "slots/shape", None)
put("tensor/strides", "slots/strides", None)
put("tensor/device", "slots/device", None)
put("tensor/readonly", "slots/readonly", None)
put("tensor/byte_offset", "slots/byte_offset", None)
put(
    "tensor/slots",
    "slots/slots slots/match language/slots slots/memory",
    """The slots in their order, the match that chooses between them, their keys, and what relates their values.""",
)
put(
    "tensor/item",
    "spec/spec:ReleaseOn spec/spec:RELEASES_NOTHING spec/spec:Declaration spec/spec:Let spec/spec:CallStep spec/spec:Step spec/spec:step_in_words spec/spec:Action spec/spec:_tested spec/spec:_cleanup spec/spec:SetFields spec/spec:Init spec/spec:Construct spec/spec:Deleter spec/spec:Attach spec/spec:Import spec/spec:Allocate spec/spec:NewStruct spec/spec:Part spec/spec:External spec/spec:Item spec/spec:Tensor spec/spec:Handle",
    """The records of a valid class: its steps, its imports, and the class itself.""",
)
put("tensor/c_names", "bind/scope", None)
put(
    "tensor/steps",
    "steps/records steps/statements language/steps steps/declared steps/reading steps/flow",
    """Steps: C code that runs around the slots, with its keys, its records and its C.""",
)
put(
    "tensor/hooks",
    "hooks/hook hooks/acquire hooks/before_read hooks/hold hooks/release",
    """Hooks of a class without a memory of their own: `acquire`, `before_read`, `hold`, `release`.""",
)
put("tensor/clone", "hooks/defaults hooks/clone", None)
put("tensor/parts", "hooks/count_parts", None)
put("tensor/all_hooks", "hooks/hooks", None)
put(
    "tensor/making",
    "imports/part imports/making imports/variables imports/make imports/arrays imports/storage",
    """What the parts of an import share.""",
)
put(
    "tensor/construct",
    "imports/construct imports/init imports/destroy imports/attach",
    """The calls of an import that make an object, and end it.""",
)
put("tensor/set", "imports/set", None)
put("tensor/deleter", "imports/callback imports/deleter", """The deleter that the library calls.""")
put(
    "tensor/imports",
    "imports/cast imports/stream imports/parts language/making",
    """The parts of an import in their order, with the keys `import` and `allocate`.""",
)
put(
    "tensor/arms",
    "validate/arms language/language:MATCHES language/language:VARIANTS language/language:LET_OF_TENSOR language/language:REQUIRE_OF_TENSOR",
    """The arms of a match, and the keys of tensors that rules read.""",
)
put(
    "tensor/match_rules",
    "validate/rules/match validate/ranks validate/rules/slots validate/rules/units validate/rules/sizes validate/rules/imported_memory",
    """Rules about slots: their matches, ranks, units and memory.""",
)
put(
    "tensor/accepts",
    "bind/slot_values bind/accepts bind/doc_comments:axes bind/doc_comments:_LAYOUTS bind/doc_comments:layout_words bind/doc_comments:_layout_words validate/rules/requirements",
    """The arrays that a class or an argument accepts.""",
)
put(
    "tensor/inverse",
    "bind/stages bind/inverse_match",
    """The inverse of a match: an import chooses the values that the object gets.""",
)
put("tensor/import_rules", "validate/rules/imports", None)
put(
    "tensor/binding",
    "bind/binding:REQUIREMENTS bind/binding:Description bind/binding:Struct bind/binding:FactoryBinding bind/binding:FastPath bind/binding:OneShotBinding bind/binding:Signature bind/binding:Child bind/binding:PartsBinding",
    """What the templates print about the memory of a class.""",
)
put(
    "tensor/describe",
    "bind/slots bind/assertions bind/nulls bind/describe bind/fast_paths bind/hooks",
    """The function that describes an object, and the other functions of a class for the runtime.""",
)
put("tensor/params", "bind/params", None)
put("tensor/factory", "bind/factory", None)
# ---- calls ----
put(
    "calls/names",
    "language/names validate/functions/declared validate/build/number_types",
    """Names of a spec that stand for types in its functions, and the meaning of C types.""",
)
put(
    "calls/records",
    "spec/alternatives spec/functions:Result spec/functions:ParamOfMade spec/functions:IS_OBJECT results/value spec/functions:Property spec/functions:Constant spec/functions:Enumeration",
    """The records of calls: arguments, results, properties and constants.""",
)
put(
    "calls/kind",
    "arguments/measure arguments/memory arguments/facts arguments/entry arguments/default_values arguments/kind spec/functions:Argument",
    """The interface of a kind of argument: the questions of the steps.""",
)
put(
    "calls/result_kind",
    "results/kind results/array:DTYPE_OF_RESULT results/array:SHAPE_OF_RESULT results/returned",
    """The interface of a kind of result.""",
)
put(
    "calls/number",
    "arguments/number_types arguments/number arguments/enumeration results/scalars results/number results/enumeration",
    """Numbers and members of enumerations: arguments and results.""",
)
put(
    "calls/string",
    "arguments/string_helpers arguments/string arguments/strings arguments/owned_string results/string results/strings",
    """Strings and tables of strings: arguments and results.""",
)
put(
    "calls/array",
    "arguments/array arguments/shared_array arguments/owned_array arguments/dltensor",
    """Arguments that are arrays.""",
)
put("calls/array_result", "results/array results/bytes", """Results that are arrays or bytes.""")
put("calls/object", "arguments/object arguments/objects", """Arguments that are objects, and lists of objects.""")
put("calls/object_result", "results/object results/objects", """Results that are objects, and lists of objects.""")
put("calls/output", "arguments/output", None)
put(
    "calls/derived",
    "arguments/derived arguments/dtype_code arguments/fixed arguments/param_of",
    """Arguments that Python does not pass: lengths, strides, codes, constants, and params of objects.""",
)
put("calls/file", "arguments/file", None)
put(
    "calls/kinds",
    "arguments/kinds language/arguments",
    """The kinds of arguments in their order, and the keys of an argument.""",
)
put(
    "calls/result_kinds",
    "results/kinds language/results",
    """The kinds of results in their order, and the keys of a result.""",
)
put(
    "calls/function_keys",
    "language/classes:_TYPE_DOC language/classes:TYPE_OF_PROPERTY language/functions",
    """The keys of functions.""",
)
put(
    "calls/lengths",
    "spec/lengths spec/elements validate/functions/lengths",
    """Lengths of arrays, and elements that C code reads: the order in which they are known.""",
)
put(
    "calls/reading",
    "validate/functions/parameters validate/functions/arguments validate/functions/results",
    """The readers of arguments and results.""",
)
put(
    "calls/length_rules",
    "validate/rules/lengths validate/rules/string_lengths",
    """Rules about the lengths of arrays and strings.""",
)
put(
    "calls/elements",
    "bind/functions/elements bind/functions/byte_counts validate/rules/before_call",
    """Checks of elements that C code of the spec reads, and assertions about lengths in bytes.""",
)
put(
    "calls/structs",
    "validate/rules/structs validate/rules/axes validate/rules/tables",
    """Rules about structs, axes and tables of a call.""",
)
put(
    "calls/alternatives",
    "validate/rules/alternatives bind/functions/alternatives bind/overloads",
    """Functions of one name, of which the arguments choose.""",
)
put(
    "calls/failures",
    "bind/functions/fragments:names_in language/failures validate/failures validate/rules/failures bind/functions/failures validate/rules/pointers",
    """Failures: their keys, the rules named in `failures`, their rules and their exceptions.""",
)
put(
    "calls/lifetimes",
    "validate/rules/owners bind/functions/owners bind/functions/storages bind/functions/returned",
    """Lifetimes: owners of results, objects that end, and memory of a call.""",
)
put(
    "calls/call",
    "validate/functions/bound_params validate/functions/calls",
    """A function that Python calls, as the spec declares it.""",
)
put(
    "calls/check",
    "validate/rules/order validate/rules/new_outputs validate/rules/arguments",
    """Rules about the arguments of a call.""",
)
put(
    "calls/binding",
    "bind/binding:Failure bind/binding:CallBinding bind/binding:ChoiceRow bind/binding:Choice bind/binding:FunctionBinding bind/binding:MemberValue bind/binding:Setter bind/binding:NewStructBinding",
    """What the templates print of a call.""",
)
put(
    "calls/signature",
    "bind/signatures bind/functions/operands:accepted_dtypes bind/functions/docs",
    """A function as Python sees it: its signature and its documentation.""",
)
put("calls/stub", "bind/stubs", None)
put(
    "calls/body",
    "bind/functions/assertions bind/functions/variables bind/functions/functions",
    """The emitted function of a call.""",
)
put(
    "calls/fragments",
    "bind/functions/locals bind/functions/fragments",
    """The C code of a function in the spec, and the variables that its names become.""",
)
put("calls/operands", "bind/functions/operands", None)
put("calls/results", "bind/functions/results", None)
# ---- classes ----
put(
    "classes/records",
    "language/records bind/binding:FieldFacts bind/binding:FieldOrder bind/binding:RecordFacts",
    """Structs that are elements of arrays.""",
)
put(
    "classes/members",
    "language/classes validate/rules/members validate/rules/attributes validate/rules/new_struct validate/rules/specials bind/binding:Slot bind/binding:Getter bind/binding:PropertyBinding bind/functions/members bind/functions/attributes bind/functions/new_struct bind/functions/slots",
    """Members of classes: properties, constructors and special methods.""",
)
put("classes/endings", "validate/rules/endings", None)
put("classes/external", "language/language:FROM validate/rules/external_classes", """Classes of other modules.""")
put("classes/related", "bind/related_classes", None)
# ---- spec ----
put("spec/language", "language/module language/language", """The whole language.""")
put("spec/functions", "validate/rules/functions", None)
put(
    "spec/class_rules",
    "validate/rules/steps validate/rules/inverse_match validate/rules/unset_members",
    """Rules about steps and inverse matches of classes.""",
)
put(
    "spec/spec",
    "spec/spec:Spec validate/build/functions validate/build/slots validate/functions/classes validate/build/build",
    """A valid spec, and its construction.""",
)
put(
    "spec/text_rules",
    "validate/rules/expressions validate/rules/statements validate/rules/divisions validate/rules/suspicious_conditions",
    """Rules about C code in all places of a spec.""",
)
put(
    "spec/module_rules",
    "validate/rules/module validate/rules/parts validate/rules/records validate/rules/undeclared_types validate/rules/emitted validate/collisions validate/foreign_names",
    """Rules about the names of a module.""",
)
put(
    "spec/check",
    "validate/rules/rules validate/validate",
    """The checks of a file: the expansion, the reader, all rules, and the spec.""",
)
put("spec/schema", "language/schema", None)
put(
    "spec/reference",
    "language/introduction language/occurrences language/reference",
    """The generator of docs/spec.md.""",
)
put("emit/docs", "bind/doc_comments", None)
put("emit/binding", "bind/binding", None)
put("emit/functions", "bind/functions/calls", None)
put(
    "emit/module",
    "bind/shared_tables bind/external_classes bind/records bind/bind",
    """The binding of a spec: all names and all C of a module.""",
)
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
    "bind/doc_comments:_layout_words": "words_of_layout",
    "arguments/kinds:WORDS": "ARGUMENT_WORDS",
    "bind/functions/byte_counts:_remedy": "_remedy_for_bytes",
    "bind/functions/byte_counts:given": "byte_count_assertions",
    "bind/functions/elements:given": "element_assertions",
    "bind/functions/elements:returned": "returned_assertions",
    "bind/overloads:_NUMBERS": "_NUMBER_TYPES",
    "bind/scope:Names": "CNames",
    "imports/attach:read": "read_attach",
    "imports/construct:read": "read_construct",
    "imports/destroy:read": "read_destroy",
    "imports/init:read": "read_init",
    "language/slots:SLOTS": "SLOT_KEYS",
    "results/bytes:_CAPACITY": "_CAPACITY_OF_BYTES",
    "results/kinds:WORDS": "RESULT_WORDS",
    "results/number:Number": "ReturnedNumber",
    "results/string:String": "ReturnedString",
    "results/strings:Strings": "ReturnedStrings",
    "validate/arrays:expand": "expand_arrays",
    "validate/collisions:_called": "_called_names",
    "validate/collisions:check": "check_collisions",
    "validate/foreign_names:_leaves": "_leaves_of_spec",
    "validate/rules/alternatives:check": "check_alternatives",
    "validate/rules/arguments:check": "check_arguments",
    "validate/rules/attributes:check": "check_attributes",
    "validate/rules/axes:check": "check_axes",
    "validate/rules/before_call:check": "check_before_call",
    "validate/rules/divisions:check": "check_divisions",
    "validate/rules/emitted:_called": "_emitted_calls",
    "validate/rules/emitted:check": "check_emitted",
    "validate/rules/endings:check": "check_endings",
    "validate/rules/expressions:check": "check_expressions",
    "validate/rules/external_classes:check": "check_external_classes",
    "validate/rules/failures:check": "check_failures",
    "validate/rules/functions:check": "check_functions",
    "validate/rules/imported_memory:check": "check_imported_memory",
    "validate/rules/imports:check": "check_imports",
    "validate/rules/inverse_match:check": "check_inverse_match",
    "validate/rules/lengths:check": "check_lengths",
    "validate/rules/match:check": "check_match",
    "validate/rules/members:check": "check_members",
    "validate/rules/module:check": "check_module",
    "validate/rules/new_outputs:check": "check_new_outputs",
    "validate/rules/new_struct:_params": "_params_of_new",
    "validate/rules/new_struct:check": "check_new_struct",
    "validate/rules/order:check": "check_order",
    "validate/rules/owners:check": "check_owners",
    "validate/rules/parts:_attributes": "_attributes_of_parts",
    "validate/rules/parts:check": "check_parts",
    "validate/rules/pointers:check": "check_pointers",
    "validate/rules/records:check": "check_records",
    "validate/rules/requirements:check": "check_requirements",
    "validate/rules/rules:check": "check_all",
    "validate/rules/slots:check": "check_slots",
    "validate/rules/specials:check": "check_specials",
    "validate/rules/statements:check": "check_statements",
    "validate/rules/steps:check": "check_steps",
    "validate/rules/string_lengths:check": "check_string_lengths",
    "validate/rules/structs:check": "check_structs",
    "validate/rules/suspicious_conditions:_COMPARISONS": "_COMPARISON_SIGNS",
    "validate/rules/suspicious_conditions:_check": "_check_condition",
    "validate/rules/suspicious_conditions:check": "check_suspicious_conditions",
    "validate/rules/tables:check": "check_tables",
    "validate/rules/undeclared_types:check": "check_undeclared_types",
    "validate/rules/units:_cases": "_cases_of_slot",
    "validate/rules/unset_members:check": "check_unset_members",
    "validate/variants:expand": "expand_variants",
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

VARIABLES: dict[str, str] = {"validate/build/build:constants": "constant_table"}
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
