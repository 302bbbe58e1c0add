"""Common mistakes in a spec get a place, a message, and a hint that leads to no other error."""

from __future__ import annotations

import pytest

from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.tools.generate import load, validate

SPEC = """\
module: imaging
include: [image.h]
tensors:
  Image:
    type: image_t
    data: self->pixels
    dtype: uint8
    shape: [self->height, self->width]
    release: image_free(self)
"""
BLUR = "functions:\n  blur:\n    c: void blur(const image_t *src, image_t *to)\n"


def diagnostics(text: str) -> list[Diagnostic]:
    return validate([load("imaging.yaml", text.encode())])[1]


def with_line(line: str) -> str:
    """Returns the spec with another line for the key, or with an additional line."""
    key = line.split(":")[0]
    lines = [each for each in SPEC.splitlines() if not each.strip().startswith(f"{key}:")]
    return "\n".join([*lines, f"    {line}", ""])


def only(text: str) -> Diagnostic:
    found = diagnostics(text)
    assert len(found) == 1, found
    return found[0]


def places(text: str) -> list[tuple[int, int, str]]:
    return [(each.span.line, each.span.column, each.code) for each in diagnostics(text)]


# ---- Keys ----


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("deleter", "it is a key of an import"),
        ("attach", "it is a key of an import"),
        ("outer", "it is a key of a mapping of strides"),
        ("set", "it is a key of an import"),
        ("raises", "it is a key of a function"),
        ("cast", "write it in the 'import', with 'copy: allowed'"),
        ("rank", "it follows from 'shape'"),
        ("itemsize", "it follows from 'dtype'"),
        ("fortran", "write 'order: F'"),
        ("pitch", "did you mean 'strides'?"),
        ("step", "did you mean 'strides'?"),
        ("cols", "did you mean 'shape'?"),
        ("size", "did you mean 'shape'?"),
        ("const", "did you mean 'readonly'?"),
        ("writable", "did you mean 'readonly', its opposite?"),
        ("contiguous", "arrays without 'strides' are compact"),
        ("layout", "did you mean 'order'?"),
        ("assert", "did you mean 'require'?"),
        ("ref", "did you mean 'retain'?"),
        ("incref", "did you mean 'retain'?"),
        ("unref", "did you mean 'release'?"),
        ("constructor", "did you mean 'new'?"),
        ("relaese", "did you mean 'release'?"),
        ("ordr", "did you mean 'order'?"),
        ("acq", "did you mean 'acquire'?"),
        ("part", "did you mean 'parts'?"),
        ("nothing_known", None),
    ],
)
def test_an_unknown_key_of_a_tensor_gets_a_hint(key: str, hint: str | None) -> None:
    assert only(with_line(f"{key}: x(self)")).hint == hint


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("struct", "did you mean 'tensors'?"),
        ("classes", "did you mean 'tensors'?"),
        ("enums", "did you mean 'constants'?"),
        ("handle", "did you mean 'handles'?"),
        ("shape", "it is a key of a tensor"),
    ],
)
def test_an_unknown_key_of_a_spec_gets_a_hint(key: str, hint: str) -> None:
    assert only(f"{SPEC}{key}: {{A: b}}\n").hint == hint


def test_an_unknown_key_of_an_import_gets_a_hint() -> None:
    text = with_line("import: {construct: 'image_new(data)', destroy: image_free(self), contiguous: 1}")
    assert only(text).hint == "write 'require: [compact]'"


def test_a_word_with_a_meaning_elsewhere_is_not_taken_for_a_typing_mistake() -> None:
    text = with_line("import: {construct: 'image_new(data)', destroy: image_free(self), length: 1}")
    assert only(text).hint is None


def test_a_missing_space_behind_a_key_is_named() -> None:
    found = only(with_line("strides: {outer:self->pitch}"))
    assert (found.code, found.hint) == ("unknown-key", "write outer: self->pitch")


def test_a_space_around_a_key_is_named() -> None:
    found = only(SPEC.replace("data:", "'data ':"))
    assert (found.message, found.hint) == ("there is a space too much behind 'data'", None)


@pytest.mark.parametrize("line", ["{}: 1", "'{}': 1", "let: [{}: 1]", "let: {{ {}: 1}}"])
def test_a_key_that_is_too_long_for_yaml_is_a_mistake(line: str) -> None:
    found = only(with_line(line.format("x" * 1025)))
    assert found.message == "a key has at most 1024 characters in YAML"


# ---- Names of dtypes and devices ----


@pytest.mark.parametrize(
    ("dtype", "hint"),
    [
        ("float8", "one of float8_e3m4, "),
        ("uint24", None),
        ("float128", "write {code: kDLFloat, bits: 128}"),
        ("int9", None),
        ("long", "write {c: long}"),
        ("unsigned long", "write {c: unsigned long}"),
        ("size_t", "write {c: size_t}"),
        ("ssize_t", "write {c: ssize_t}"),
        ("long long", "did you mean 'int64'?"),
        ("unsigned char", "did you mean 'uint8'?"),
        ("<f4", "did you mean 'float32'?"),
        ("f4", "did you mean 'float32'?"),
        ("u1", "did you mean 'uint8'?"),
        ("'|b1'", "did you mean 'bool'?"),
        ("'>f4'", None),
        ("fp16", "did you mean 'float16'?"),
        ("np.float32", "did you mean 'float32'?"),
        ("const uint8_t *", "did you mean 'uint8'?"),
        ("unit8", "did you mean 'uint8'?"),
        ("cfloat32", "did you mean 'float32'?"),
        ("image_t", None),
    ],
)
def test_an_unknown_dtype_gets_a_hint(dtype: str, hint: str | None) -> None:
    found = only(SPEC.replace("uint8", dtype))
    assert (found.hint or "").startswith(hint or "") and bool(found.hint) == bool(hint)
    if hint and hint.startswith("write "):
        assert diagnostics(SPEC.replace("uint8", hint.removeprefix("write "))) == []


@pytest.mark.parametrize(
    ("device", "hint"),
    [
        ("xpu", "did you mean 'oneapi'?"),
        ("mps", "did you mean 'metal'?"),
        ("cuda:0", "write {type: cuda, id: 0}"),
        ("cpuu", "did you mean 'cpu'?"),
        ("dpu", None),
    ],
)
def test_an_unknown_device_gets_a_hint(device: str, hint: str | None) -> None:
    assert only(with_line(f"device: {device}")).hint == hint


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("dtype: 'uint8 '", "there is a space too much behind 'uint8'"),
        ("order: ' C'", "there is a space too much before 'C'"),
        ("device: 'cpu '", "there is a space too much behind 'cpu'"),
    ],
)
def test_a_space_around_a_value_is_named(line: str, message: str) -> None:
    assert only(with_line(line)).message == message


# ---- Values of another form ----


NOT_TO_THE_LETTER = ("...", "{c:", "without {do: }", "it without", "a call", "!")
"""Hints with these are not tried as they are."""


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("release: {do: image_free(self)}", "write it without {do: }"),
        ("release:\n      do: image_free(self)", "write it without {do: }"),
        ("release: [image_free(self)]", "write it without the brackets"),
        ("release: {image_free: self}", "quote it: '{image_free: self}'"),
        ("require: {self->pixels: none}", "write [{expr: self->pixels, message: none}]"),
        ("require: [{self->n != 0: 'a, b'}]", "write {expr: self->n != 0, message: 'a, b'}"),
        ("require: self->pixels != NULL", "put [ ] around it"),
        ("require: {expr: self->pixels}", "put [ ] around it"),
        ("strides: self->pitch", "write {outer: self->pitch} for padded rows, [self->pitch] for a single axis"),
        ("strides: None", "leave it out: without it an array is compact"),
        ("strides: compact", "leave it out: without it an array is compact"),
        ("strides: C", "leave it out: without it an array is compact"),
        ("strides: F", "leave it out, and write 'order: F'"),
        ("strides: (self->pitch, 1)", "write [self->pitch, 1]"),
        ("strides: {h: self->pitch, w: 1}", "write a list: [self->pitch, 1]"),
        ("shape: (self->height, self->width)", "write [self->height, self->width]"),
        ("shape: self->height, self->width", "write [self->height, self->width]"),
        ("shape: (self->size[0], size(self, 1))", "write ['self->size[0]', 'size(self, 1)']"),
        ("shape: (self->height)", "put [ ] around it"),
        ("shape: self->height,", None),
        ("shape:\n      -self->height\n      -self->width", "a space belongs between '-' and an item of a list"),
        ("shape: {h: self->height, w: self->width}", "write a list: [self->height, self->width]"),
        (
            "new: image_new",
            "write {c: ...}, with the prototype of image_new; or {} for a struct of zeros, which Python makes",
        ),
        ("new: image_t *image_new(int n, int m)", "write {c: 'image_t *image_new(int n, int m)'}"),
        ("new: new image", None),
        ("data: {self->pixels}", "write it without the braces: self->pixels"),
        ("import: image_wrap(data)", "write {construct: image_wrap(data)}"),
        ("acquire: image_lock(self) == 0", "write {do: image_lock(self), ok: == 0}"),
        ("acquire: 0 <= image_lock(self, 1)", "write {do: 'image_lock(self, 1)', ok: 0 <= %}"),
        ("retain: void image_ref(image_t *)", "write a call: 'image_ref(self)'"),
        ("properties: [height]", "write {height: self->height}"),
        ("if: ifdef LIB_IMAGES", "write defined(LIB_IMAGES)"),
        ("if: '#ifndef OLD'", "write !defined(OLD)"),
    ],
)
def test_a_hint_for_a_value_of_another_form_can_be_followed(line: str, hint: str | None) -> None:
    text = with_line(line)
    assert only(text).hint == hint
    if hint and hint.startswith("write ") and not any(each in hint for each in NOT_TO_THE_LETTER):
        key = line.split(":")[0]
        mend = hint.removeprefix("write ").removeprefix("a list: ").split(" for ")[0]
        value = f"[{mend}]" if key == "require" and mend.startswith("{") else mend
        assert diagnostics(with_line(f"{key}: {value}")) == []


def test_a_prototype_alone_gets_a_hint() -> None:
    found = only(f"{SPEC}functions:\n  blur: int blur(image_t *image, int n)\n")
    assert found.hint == "write {c: 'int blur(image_t *image, int n)'}"


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("args: {to: like src}", "write {default: like src}"),
        ("args: {to: out}", "write {out: true}"),
        ("args: {to: NULL}", "write {optional: true}"),
        ("args: {to: image_t *}", "write Image"),
        ("args: {to: len(src)}", "write {count_of: src}"),
        ("args: {to: 'src.shape[1]'}", "write {extent_of: src, axis: 1}"),
        ("returns: image_t", "write Image"),
        ("borrow: src", "write 'returns: {of: ..., borrow: ...}'"),
        ("out: to", "write 'args: {PARAM: {out: ...}}'"),
        ("returns: void", "write None"),
        ("returns: none", "write None"),
        ("param: {}", "did you mean 'args'?"),
        ("returns: flot", "did you mean 'float'?"),
    ],
)
def test_an_unknown_word_of_a_function_gets_a_hint(line: str, hint: str) -> None:
    assert only(f"{SPEC}{BLUR}    {line}\n").hint == hint


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("dtype:uint8", "write dtype: uint8"),
        ("data:self->pixels", "write data: self->pixels"),
        ("what is this", None),
    ],
)
def test_a_line_without_a_key_gets_a_hint(line: str, hint: str | None) -> None:
    found = diagnostics(with_line(line) + "    doc: x\n")[0]
    assert (found.code, found.hint) == ("yaml-syntax", hint)


@pytest.mark.parametrize(
    ("shape", "strides", "message"),
    [("[2, 3]", "[1]", "1 stride for 2 axes"), ("[2]", "[2, 1]", "2 strides for 1 axis")],
)
def test_the_number_of_strides_must_be_that_of_the_axes(shape: str, strides: str, message: str) -> None:
    found = only(with_line(f"strides: {strides}").replace("[self->height, self->width]", shape))
    assert found.message == message


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        (
            f"{SPEC}    import: {{set: {{pixels: data, kind: code}}}}\n",
            "'code' is the dtype map read backwards, and this tensor's dtype has no map",
        ),
        (
            f"{SPEC}    import: {{set: {{pixels: data, device: device_code}}}}\n",
            "'device_code' is the device map read backwards, and this tensor's device has no map",
        ),
        (
            "module: m\nhandles: {C: {type: c, release: c_free(self), import: {construct: 'c_of(data, code)'}}}\n",
            "'code' is the dtype map read backwards, and a handle has none",
        ),
    ],
    ids=["dtype", "device", "handle"],
)
def test_code_needs_a_map_of_dtypes_or_devices(classes: str, message: str) -> None:
    found = only(classes)
    assert (found.code, found.message) == ("code-without-map", message)


@pytest.mark.parametrize(("ok", "sign"), [("%= 0", "="), ("n++ == %", "++")])
def test_a_condition_must_not_change_anything(ok: str, sign: str) -> None:
    found = only(f"module: m\nfunctions: {{f: {{c: 'int f(int n)', ok: '{ok}'}}}}\n")
    message = f"a condition is expected, and this '{sign}' would change something"
    assert (found.code, found.message) == ("c-assignment", message)


# ---- Places ----


@pytest.mark.parametrize(
    ("line", "line_number", "column"),
    [
        ("data: self\u2013>pixels", 9, 15),
        ("data: 'self\u2013>pixels'", 9, 16),
        ("release: |\n      lock();\n        free(self;\n      unlock();", 11, 13),
        ("release: |-\n      lock();\n\n      # text\n      free(self;", 12, 7),
        ("release: >\n      lock();\n      free(self;\n      unlock();", 11, 11),
        ("release: lock();\n      free(self;\n      unlock();", 10, 11),
        ("release: 'lock();\n      free(self;\n      unlock();'", 10, 11),
        ('release: "lock();\n      free(self;\\x20\\\n      unlock();"', 9, 14),
        ("let: [{int n: self->a\n      + self->b)}]", 11, 16),
    ],
)
def test_a_mistake_in_c_text_has_its_exact_place(line: str, line_number: int, column: int) -> None:
    assert [place[:2] for place in places(with_line(line))] == [(line_number, column)]


def test_a_mistake_in_c_text_that_variants_change_has_the_place_of_the_value() -> None:
    text = with_line("release: |\n      ${T}_lock();\n      free(self));").replace("Image:", "Image${T}:")
    text += "    variants: [{T: a}, {T: bcd}]\n"
    # Where a line is not as the file has it, the place is the value.
    assert places(text) == [(9, 14, "c-brackets")]
    assert places(text.replace("${T}_lock", "lock")) == [(11, 17, "c-brackets")]


# ---- Unusual spaces ----


@pytest.mark.parametrize(
    ("old", "new", "line", "column"),
    [
        ("    dtype", "\u00a0   dtype", 7, 1),
        ("    dtype", "  \u3000 dtype", 7, 3),
        ("dtype: ", "dtype:\u00a0", 7, 11),
        ("dtype: uint8", "dtype: uint8\u00a0", 7, 17),
        ("self->pixels", "self->pixels\u00a0+ 0", 6, 23),
        ("self->pixels", "'self->pixels \u2003'", 6, 25),
        ("data:", "data\u200b:", 6, 9),
        ("image_free(self)", "|\n      lock();\n      image_free(\u00a0self)", 11, 18),
    ],
)
def test_an_unusual_space_is_named_at_its_place(old: str, new: str, line: int, column: int) -> None:
    found = only(SPEC.replace(old, new))
    assert (found.code, found.span.line, found.span.column) == ("control-character", line, column)
    assert f"U+{ord(next(char for char in new if ord(char) > 127)):04X} (" in found.message


@pytest.mark.parametrize(
    "line", ["# \u00a0x", "doc: a\u00a0b", "doc: |\n      \u00a0 a", "require: [{expr: a, message: b\u00a0c}]"]
)
def test_unusual_spaces_are_allowed_in_comments_docs_and_messages(line: str) -> None:
    assert diagnostics(f"{SPEC}    {line}\n") == []


# ---- Several mistakes ----


@pytest.mark.parametrize("data", ["data:self->pixels", "data: *self->pixels", "data:\tself->pixels"])
def test_a_value_that_yaml_cannot_read_hides_no_other_mistake(data: str) -> None:
    text = SPEC.replace("data: self->pixels", data).replace("uint8", "unit8") + "    foo: 1\n"
    first, *others = diagnostics(text)
    assert first.span.line == 6
    assert [(each.span.line, each.code) for each in others] == [(7, "unknown-dtype"), (10, "unknown-key")]
