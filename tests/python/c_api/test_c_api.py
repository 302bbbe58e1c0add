# SPDX-License-Identifier: MIT
"""`NAME._C_API` lets extensions that are not linked with the module wrap and unwrap; packages; `add_types()`."""

from __future__ import annotations

import gc
import pickle
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python import builds
from python.leaks import assert_no_growth, warm_up
from python.scripts import run
from python.tensors import name_of
from support.build import BASE_FLAGS, CC, TOP, compile_c, generate, header_flags, import_extension, runtime_objects

HERE = Path(__file__).resolve().parent
LIBRARY = TOP / "examples" / "imaging"
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
HANDLE = "handles:\n  Other:\n    type: image_status\n    release: (void)self\n"


def build_client(name: str, folder: Path, headers: Path) -> Path:
    """Builds a client in C, or in C++ if `name` ends in "cpp"."""
    target, image = folder / f"{name}{SUFFIX}", folder / f"{name}_image.o"
    compile_c(["-c", f"-I{LIBRARY}", LIBRARY / "image.c"], image)
    flags = ["-shared", f"-DCLIENT={name}", f"-I{LIBRARY}", f"-I{headers}"]
    if not name.endswith("cpp"):
        compile_c([*flags, HERE / "client.c", image], target)
        return target
    base = ["-std=c++17" if flag == "-std=c11" else flag for flag in (*BASE_FLAGS, *header_flags())]
    command = [*CC, *base, *flags, "-x", "c++", HERE / "client.c", "-x", "none", image, "-o", target]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return target


@pytest.fixture(scope="module", params=["client_c", "client_cpp"])
def client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, imaging: ModuleType) -> Any:
    folder = tmp_path_factory.mktemp("clients")
    return import_extension(request.param, build_client(request.param, folder, TOP / "generated" / "imaging"))


class TestTheCapsule:
    def test_the_capsule_has_the_name_of_its_module(self, imaging: ModuleType) -> None:
        assert name_of(imaging._C_API) == "imaging._C_API"

    def test_a_client_that_is_not_linked_wraps_and_unwraps(self, imaging: ModuleType, client: Any) -> None:
        image = client.create("imaging", 4, 5, 3)
        assert (type(image), image.shape) == (imaging.Image, (4, 5, 3))
        array = np.from_dlpack(image)
        client.fill("imaging", image, 7)
        image.close()
        assert (array == 7).all()

    def test_foreign_closed_and_null_objects_are_refused(self, subject, client: Any) -> None:
        for other in (None, 1, object(), subject().object, np.zeros((4, 5, 3), np.uint8)):
            with pytest.raises(TypeError, match=r"expected imaging\.Image, not "):
                client.fill("imaging", other, 7)
        image = client.create("imaging", 4, 5, 3)
        image.close()
        with pytest.raises(ValueError, match=r"imaging\.Image: the object is closed"):
            client.fill("imaging", image, 7)
        with pytest.raises(ValueError, match=r"imaging\.Image: the object is NULL"):
            client.wrap_null("imaging")

    def test_pictures_of_a_client_are_released(self, client: Any) -> None:
        def one() -> None:
            client.create("imaging", 1000, 1000, 4)

        warm_up(one)
        assert_no_growth(one)

    @pytest.mark.parametrize(
        "name",
        ["", "imaging.", "imaging.Image", "imaging._C_API", "nowhere", "sys", "gsl", "package_of_strings"],
    )
    def test_a_wrong_name_is_an_error(self, lab, gsl, client: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        strings = ModuleType("package_of_strings")
        strings._C_API = "imaging._C_API"  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "package_of_strings", strings)
        with pytest.raises((ImportError, AttributeError, ValueError)):
            client.create(name, 4, 5, 3)

    @pytest.mark.parametrize(
        "change",
        [
            pytest.param(lambda text: text + HANDLE, id="another size"),
            pytest.param(lambda text: text.replace("image_t", "struct image"), id="the same size"),
        ],
    )
    def test_a_client_of_another_version_of_the_spec_is_refused(
        self, imaging, tmp_path: Path, change: Callable[[str], str]
    ) -> None:
        text = (TOP / "specs" / "imaging.yaml").read_text(encoding="utf-8")
        generate(change(text), tmp_path, "imaging.yaml")
        client = import_extension("client_later", build_client("client_later", tmp_path, tmp_path))
        with pytest.raises(ImportError, match=r"imaging was built from another version of imaging\.yaml: rebuild both"):
            client.create("imaging", 4, 5, 3)  # type: ignore[attr-defined]


class TestPackages:
    @pytest.fixture
    def packaged(self, imaging: ModuleType, client: Any, folder: Path, tmp_path: Path) -> Path:
        """Makes a folder with the client, and with the module `package.inner.imaging`."""
        inner = tmp_path / "package" / "inner"
        inner.mkdir(parents=True)
        (tmp_path / "package" / "__init__.py").touch()
        (inner / "__init__.py").touch()
        shutil.copy(str(imaging.__file__), inner)
        shutil.copy(client.__file__, tmp_path / Path(client.__file__).name)
        return tmp_path

    def test_classes_and_capsule_have_the_name_of_the_package(self, packaged: Path) -> None:
        script = """
from package.inner import imaging
import pickle, copy
made = imaging.Image.empty((2, 3, 3))
print(imaging.Image.__module__, imaging.Image.__qualname__, imaging.Image)
for protocol in (2, 3, 4, 5):
    back = pickle.loads(pickle.dumps(made, protocol))
    assert type(back) is imaging.Image and back.shape == (2, 3, 3)
assert type(copy.deepcopy(made)) is imaging.Image
print(imaging._C_API)
"""
        first, second = run(packaged, script, prelude="")
        assert first == "package.inner.imaging Image <class 'package.inner.imaging.Image'>"
        assert '"imaging._C_API"' in second

    @pytest.mark.parametrize("before", ["import package.inner.imaging", "", "import package"])
    def test_the_import_function_of_the_c_api_imports_the_module(
        self, packaged: Path, client: Any, before: str
    ) -> None:
        script = f"""
{before}
import {client.__name__} as client
made = client.create("package.inner.imaging", 2, 3, 3)
client.fill("package.inner.imaging", made, 9)
print(type(made), set(bytes(memoryview(made))))
"""
        assert run(packaged, script, prelude="") == ["<class 'package.inner.imaging.Image'> {9}"]

    def test_one_module_in_two_packages_has_two_classes_and_the_last_one_wraps(self, packaged: Path) -> None:
        script = """
import importlib.util, sys
from package.inner import imaging
spec = importlib.util.spec_from_file_location("imaging", imaging.__file__)
top = importlib.util.module_from_spec(spec)
spec.loader.exec_module(top)
old, made = imaging.Image.empty((2, 3, 3)), top.Image.empty((2, 3, 3))
print(type(made), type(imaging.Image.from_dlpack(made)), imaging.Image is top.Image)
"""
        assert run(packaged, script, prelude="") == ["<class 'imaging.Image'> <class 'imaging.Image'> False"]


OWN = Path(__file__).with_name("own_module.c").read_text()


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Builds and imports a user's own module, with the classes of two specs."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "own.c").write_text(OWN)
    generate(builds.STOCK_SPEC, folder, "stock.yaml")
    made = TOP / "generated" / "imaging"
    sources = [folder / "own.c", folder / "stock_dlpack.c", folder / "stock_module.c"]
    sources += [made / "imaging_dlpack.c", made / "imaging_module.c", *LIBRARY.glob("*.c")]
    target = folder / f"own{builds.SUFFIX}"
    flags = ["-shared", *builds.LIMITED, f"-I{folder}", f"-I{made}", f"-I{builds.HERE}", f"-I{LIBRARY}"]
    compile_c([*flags, *sources, *runtime_objects()], target)
    return import_extension("own", target)


class TestAddTypes:
    def test_the_classes_are_those_of_the_module(self, own: Any) -> None:
        classes = {name: cls.__module__ for name, cls in vars(own).items() if isinstance(cls, type)}
        assert set(classes) >= {"Image", "Rows", "Columns", "Padded", "Box"}
        assert set(classes.values()) == {"own"}

    def test_objects_of_two_specs_in_one_module_take_each_other(self, own: Any) -> None:
        image = own.Image.empty((4, 64, 1))  # compact, which those of stock.py have to be
        made = own.Locked.from_dlpack(own.Noted.from_dlpack(own.Image.from_dlpack(image).to(own.Noted)))
        np.from_dlpack(made)[:] = 3
        assert (np.from_dlpack(image) == 3).all()

    def test_the_classes_are_pickled_by_the_name_of_the_module(self, own: Any) -> None:

        for protocol in (2, 5):
            back = pickle.loads(pickle.dumps(own.Image.empty((4, 5, 3)), protocol))
            assert (type(back), back.shape) == (own.Image, (4, 5, 3))

    def test_the_module_has_no_capsule_of_a_c_api(self, own: Any) -> None:
        assert not hasattr(own, "_C_API")

    def test_another_module_of_the_same_spec_has_its_own_runtime(self, own: Any, imaging: ModuleType) -> None:
        """With two copies of the runtime in one process, classes of one are only producers to the other."""
        image = imaging.Image.empty((4, 5, 3))
        again = own.Image.from_dlpack(image)
        assert type(image.to(own.Image)) is type(again) is own.Image is not imaging.Image
        np.from_dlpack(again)[:] = 5
        image.close()
        gc.collect()
        assert (np.from_dlpack(again) == 5).all()
