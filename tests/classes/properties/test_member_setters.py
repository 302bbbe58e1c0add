"""Properties that store what is assigned in members of a C struct."""

from __future__ import annotations

import copy
import math
import os
import pickle
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module, generate, header_flags

SPEC = """
dlpack-bindgen: 1
module: members
include: members.h
constants:
  Mood: {enum: {CALM: MOOD_CALM, ANGRY: MOOD_ANGRY}}
  Flags: {flags: {FAST: 1, SMALL: 128}}
handles:
  Config:
    type: config
    release: free(self)
    new: {c: config *config_new(void)}
    methods:
      standard: {c: const config *config_standard(void), returns: {of: Config, borrow: static}}
      bits_around: {c: int config_bits_around(const config *self)}
    properties:
      level: {get: self->options.level, set: true, doc: From 0 to 255.}
      wide: {get: self->wide, set: true}
      far: {get: self->far, set: true}
      bits: {get: self->bits, set: true}
      signed_bits: {get: self->signed_bits, set: true}
      long_bits: {get: self->long_bits, set: true}
      third: {get: "self->table[2]", set: true}
      pointed: {get: "*self->pointer", set: true}
      truth: {get: self->on, set: true}
      on: {get: self->on, type: bool, set: true}
      number: {get: self->number, type: bool, set: true}
      bit: {get: self->bit, type: bool, set: true}
      quality: {get: self->quality, type: float, set: true}
      small: {get: self->small, type: float, set: true}
      great: {get: self->great, type: float, set: true}
      phase: {get: self->phase, type: complex, set: true}
      small_phase: {get: self->small_phase, type: complex, set: true}
      letter: {get: self->letter, type: char, set: true}
      mood: {get: self->mood, type: Mood, set: true}
      flags: {get: self->flags, type: Flags, set: true}
      absent: {get: self->absent, set: true, if: defined(MEMBERS_ABSENT)}
  Chain:
    type: chain
    pass: value
    release: free(self)
    params: [limits *bounds]
    new: {c: chain chain_new(limits *bounds), args: {bounds: {of: Limits}}, returns: {of: Chain, keeps: bounds}}
    properties:
      level: {get: self->options.level, set: true}
      least: {get: bounds->least, set: true}
  Limits: {type: limits, release: free(self), new: {c: limits *limits_new(void)}, properties: {least: self->least}}
  Point:
    type: point
    pass: value
    release: (void)self
    new: {c: point point_new(void)}
    methods: {sum: {c: int point_sum(point p)}}
    properties: {x: {get: self.x, set: true}, y: {get: self.y, set: true}}
  Names:
    type: kwnames
    release: free(self)
    new: {c: kwnames *names_new(void)}
    properties: {named: self->named}
  Args:
    type: args
    release: free(self)
    params: [kwnames *names]
    new: {c: args *args_new(kwnames *names), args: {names: {of: Names}}, returns: {of: Args, keeps: names}}
    properties:
      level: {get: self->level, set: true}
      given: {get: given, set: true}
      named: {get: names->named, set: true}
      called: {get: fits(self)->level, set: true}
tensors:
  Track:
    type: track
    data: self->data
    dtype: float64
    shape: [self->count]
    import: {require: [compact], set: {data: data, count: "shape[0]"}}
    properties:
      gain: {get: self->gain, type: float, set: true}
      bits: {get: self->bits, set: true}
      mood: {get: self->mood, type: Mood, set: true}
  Pointing:
    {type: pointing, data: (double *)self->at, dtype: float64, shape: ["2"],
    import: {require: [{ndim: 1}, compact, {expr: "shape[0] == 2", message: a pair}], set: {at: data}},
    properties: {x: {get: self->at->x, type: float, set: true}, tag: {get: self->tag, set: true}}}
  Spot:
    {type: spot, data: (void *)self, dtype: float64, shape: ["2"],
    import: {require: [{ndim: 1}, compact, {expr: "shape[0] == 2", message: a pair}], construct: data, destroy: none},
    properties: {x: {get: self->x, type: float, set: true}}}
"""
HEADER = Path(__file__).with_name("members.h").read_text()


@pytest.fixture(scope="module")
def members(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("members", SPEC, tmp_path_factory.mktemp("members"), HEADER)


@pytest.mark.parametrize(
    "name, least, most",
    [
        ("level", 0, 2**8 - 1),
        ("wide", 0, 2**64 - 1),
        ("far", -(2**63), 2**63 - 1),
        ("bits", 0, 7),
        ("signed_bits", -8, 7),
        ("long_bits", 0, 2**40 - 1),
        ("third", -(2**15), 2**15 - 1),
        ("pointed", -(2**31), 2**31 - 1),
        ("truth", 0, 1),
    ],
)
def test_a_number_that_a_member_cannot_hold_leaves_it_unchanged(
    members: ModuleType, name: str, least: int, most: int
) -> None:
    config = members.Config()
    for kept in (least, most):
        setattr(config, name, kept)
        for beyond in (least - 1, most + 1, 2**64, 2**200, -(2**200)):
            with pytest.raises(OverflowError, match=rf"^attribute '{name}' cannot hold -?\d"):
                setattr(config, name, beyond)
            assert getattr(config, name) == kept
    assert config.bits_around()


def test_only_integers_are_assigned_to_an_integer(members: ModuleType) -> None:
    config = members.Config()
    config.level = np.int64(7)
    assert config.level == 7
    config.level = True
    assert config.level == 1
    for wrong in (1.0, "1", None):
        with pytest.raises(TypeError, match=r"^attribute 'level' must be int, not"):
            config.level = wrong


@pytest.mark.parametrize("name", ["on", "number", "bit"])
def test_a_bool_member_takes_the_truth_of_any_object(members: ModuleType, name: str) -> None:
    config = members.Config()
    for value in (True, False, 256, [], "no"):
        setattr(config, name, value)
        assert getattr(config, name) is bool(value)


def test_floating_point_members_are_set(members: ModuleType) -> None:
    config = members.Config()
    for name in ("quality", "small", "great"):
        for value in (1.5, 2, -math.inf, np.float32(0.25)):
            setattr(config, name, value)
            assert getattr(config, name) == value
        setattr(config, name, math.nan)
        assert math.isnan(getattr(config, name))
        with pytest.raises(TypeError, match="must be real number, not str"):
            setattr(config, name, "1")
    config.quality, config.small = 1e300, 2
    with pytest.raises(OverflowError, match=r"^attribute 'small' cannot hold 1e\+300$"):
        config.small = 1e300
    assert (config.quality, config.small) == (1e300, 2)


def test_complex_members_are_set(members: ModuleType) -> None:
    config = members.Config()
    for value in (1 + 2j, 3, 4.5):
        config.phase = config.small_phase = value
        assert config.phase == config.small_phase == value
    for beyond in (1e300, 1e300j):
        with pytest.raises(OverflowError, match="cannot hold"):
            config.small_phase = beyond
    assert config.small_phase == 4.5


def test_a_character_member_takes_one_ascii_character(members: ModuleType) -> None:
    config = members.Config()
    config.letter = "x"
    for wrong in ("", "xy", "\x80"):
        with pytest.raises(ValueError, match="must be one ASCII character"):
            config.letter = wrong
    assert config.letter == "x"


def test_an_enumeration_member_takes_members_names_and_numbers(members: ModuleType) -> None:
    config = members.Config()
    for value in (members.Mood.ANGRY, "CALM", 7):
        config.mood = value
        assert config.mood is (members.Mood[value] if isinstance(value, str) else members.Mood(value))
    for wrong in (3, "FURIOUS"):
        with pytest.raises(ValueError, match="mood"):
            config.mood = wrong
    assert config.mood is members.Mood.ANGRY
    config.flags = members.Flags.FAST | members.Flags.SMALL
    with pytest.raises(OverflowError, match="cannot hold 256"):
        config.flags = 256
    assert config.flags == 129


def test_members_of_read_only_and_closed_objects_cannot_be_set(members: ModuleType) -> None:
    standard = members.Config.standard()
    for name in ("level", "number", "quality", "bits"):
        with pytest.raises(BufferError, match=rf"^attribute '{name}': the object is read-only"):
            setattr(standard, name, 0)
    assert (standard.level, standard.number) == (3, True)
    config = members.Config()
    with pytest.raises(AttributeError, match="attribute 'level' cannot be deleted"):
        del config.level
    config.close()
    with pytest.raises(ValueError, match="closed"):
        config.level = 1


def test_an_object_that_its_value_closes_is_refused(members: ModuleType) -> None:
    """The value is read first."""
    config = members.Config()

    class Closing:
        def __index__(self) -> int:
            config.close()
            return 1

    with pytest.raises(ValueError, match="closed"):
        config.level = Closing()


def test_members_of_objects_by_value_are_set(members: ModuleType) -> None:
    limits = members.Limits()
    chain = members.Chain(limits)
    chain.level, chain.least = 9, -3
    assert (chain.level, limits.least) == (9, -3)
    with pytest.raises(OverflowError, match="cannot hold 256"):
        chain.level = 256
    point = members.Point()
    point.x = 40
    assert (point.x, point.y, point.sum()) == (40, 2, 42)


def test_types_and_members_may_have_names_of_emitted_variables(members: ModuleType) -> None:
    names = members.Names()
    args = members.Args(names)
    args.level = args.given = args.named = 5
    args.called = 6
    assert (args.level, args.given, args.named, names.named) == (6, 5, 5, 5)


def test_members_that_the_preprocessor_leaves_out_are_missing(members: ModuleType) -> None:
    assert not hasattr(members.Config, "absent")


def test_copies_and_pickles_keep_the_members(members: ModuleType) -> None:
    track = members.Track.from_dlpack(np.arange(3.0))
    track.gain, track.bits, track.mood = 0.5, 6, "ANGRY"
    pickled = pickle.dumps(track, 2)
    for back in (copy.copy(track), copy.deepcopy(track), pickle.loads(pickled)):
        assert (back.gain, back.bits, back.mood) == (0.5, 6, members.Mood.ANGRY)
        assert np.from_dlpack(back).tolist() == [0, 1, 2]
    with pytest.raises(OverflowError, match="bits"):
        pickle.loads(pickled.replace(b"K\x06", b"K\x09"))
    array = np.arange(3.0)
    array.flags.writeable = False
    track = members.Track.from_dlpack(array)
    track.gain = 0.25
    assert (track.readonly, track.gain) == (True, 0.25)
    back = pickle.loads(pickle.dumps(track))
    assert (back.gain, np.from_dlpack(back).tolist()) == (0.25, [0, 1, 2])


@pytest.mark.parametrize("name", ["Spot", "Pointing"])
def test_a_member_in_a_read_only_array_cannot_be_set(members: ModuleType, name: str) -> None:
    array = np.arange(2.0)
    getattr(members, name).from_dlpack(array).x = 5
    array.flags.writeable = False
    with pytest.raises(BufferError, match="attribute 'x': the object is read-only"):
        getattr(members, name).from_dlpack(array).x = 6
    members.Pointing.from_dlpack(array).tag = 7
    assert array.tolist() == [5, 1]


def test_members_are_restored_although_the_bytes_of_a_pickle_are_read_only(members: ModuleType) -> None:
    track, buffers = members.Track.from_dlpack(np.arange(3.0)), []
    track.gain = 0.5
    pickled = pickle.dumps(track, 5, buffer_callback=buffers.append)
    back = pickle.loads(pickled, buffers=[bytes(each) for each in buffers])
    assert (back.gain, back.readonly, np.from_dlpack(back).tolist()) == (0.5, False, [0, 1, 2])


def test_stubs_show_which_properties_can_be_set(tmp_path: Path) -> None:
    generate(SPEC, tmp_path)
    stub = (tmp_path / "members.pyi").read_text()
    for name, kind in [("level", "int"), ("on", "bool"), ("quality", "float"), ("mood", "Mood | str | int")]:
        assert f"    @{name}.setter\n    def {name}(self, value: {kind}, /) -> None: ...\n" in stub


STRICT = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Wfloat-conversion", "-Werror")


def compiled(compiler: str, spec: str, directory: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    (directory / "members.h").write_text(HEADER)
    generate(spec, directory)
    command = [compiler, "-std=c11", *flags, "-isystem", str(directory), *header_flags(), "-fsyntax-only"]
    source = str(directory / "members_module.c")
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}  # compilers leak
    return subprocess.run([*command, source], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_setters_compile_without_warnings(compiler: str, tmp_path: Path) -> None:
    result = compiled(compiler, SPEC, tmp_path, *STRICT)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize(
    "get, kind",
    [
        ("self->quality", "int"),
        ("self->pointer", "bool"),
        ("self->options", "int"),
        ("self->number", "float"),
        ("self->bits", "float"),
        ("self->quality", "complex"),
        ("config_standard()->number", "int"),
        ("MOOD_CALM", "Mood"),
    ],
)
def test_members_of_other_types_do_not_compile(compiler: str, get: str, kind: str, tmp_path: Path) -> None:
    whole = SPEC.replace("{get: self->wide, set: true}", f"{{get: {get}, type: {kind}, set: true}}")
    result = compiled(compiler, whole, tmp_path)
    assert result.returncode != 0 and "Config.properties.wide" in result.stderr
