"""What was built, installed with its lowest and highest dependencies, and tried."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet
from packaging.version import Version
from small_project import Project

from pipeline.openapi.problems import PipelineError
from release import building, environments, installing
from release.config import Package, Release, load_release
from release.environments import Python, fitting, pip_settings, pythons, settings_of_uv

DEPENDENCIES = """\
dependencies = ["idna>=2.9", "tzdata; sys_platform == 'none'"]

[project.optional-dependencies]
shade = ["tzdata>=2024.1"]

[tool.hatch.build.targets.wheel]
"""
SHADE = """
[tool.release.packages.small-tool.extras]
shade = "import importlib.util as it; assert it.find_spec('tzdata'), 'the extra shade'"
"""


def with_dependencies(project: Project) -> Release:
    """Give the tool dependencies and an extra."""
    project.edit("tool/pyproject.toml", "[tool.hatch.build.targets.wheel]\n", DEPENDENCIES)
    with (project.root / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write(SHADE)
    return load_release(project.root / "pyproject.toml")


def test_every_package_with_all_its_dependencies(project: Project) -> None:
    project.edit("tool/README.md", "assert double", "import small_core, tzdata\n\nassert double")
    building.build_all(with_dependencies(project), project.root / "dist")
    status, output = project.run("install-check", "--python", sys.executable)
    assert status == 0, output
    version = ".".join(map(str, sys.version_info[:3]))
    for package in ("small-core", "small-tool", "small-tool[shade]"):
        for which in ("lowest", "highest"):
            assert f"{package}, Python {version}, {which} dependencies: works\n" in output
    assert "6 environments: all packages install, import and run." in output


def test_what_fails_is_reported_with_its_circumstances(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = 'import idna\n\nassert idna.__version__ >= "3"\nassert double'
    project.edit("tool/README.md", "assert double", example)
    project.edit(
        "core/src/small_core/__init__.py",
        "\n\n\ndef double",
        '\nimport warnings\n\nwarnings.warn("too old", DeprecationWarning)\n\n\ndef double',
    )
    files = building.build_all(with_dependencies(project), project.root / "dist")
    monkeypatch.setattr(building, "current", lambda _: files)
    status, output = project.run("install-check", "--python", sys.executable)
    assert status == 1
    version = ".".join(map(str, sys.version_info[:3]))
    for which in ("lowest", "highest"):
        assert (
            f"small-core, Python {version}, {which} dependencies: small-core cannot be imported: "
            "DeprecationWarning: too old"
        ) in output
    trial = f"small-tool[shade], Python {version}, lowest dependencies"
    assert f"{trial}: FAILS\n" in output
    assert f"{trial}: " in output and "README.md:4" in output and "AssertionError" in output
    assert f"small-tool[shade], Python {version}, highest dependencies: works\n" in output
    assert "everything installs" not in output


def test_only_what_was_just_built_is_tried(project: Project) -> None:
    status, output = project.run("install-check")
    assert status == 1
    assert " …\ndist/: small_core-0.1.0.tar.gz, " in output
    assert output.endswith(" missing: run `nox -s build`\n")


def test_requirements_that_cannot_be_met(tmp_path: Path) -> None:
    environment = environments.create(tmp_path / "environment", Path(sys.executable))
    with pytest.raises(PipelineError, match=r"(?s)uv pip install: .*no version of idna==0\.0\.1"):
        environment.install(["idna==0.0.1"])
    environment.install([])


def test_a_python_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(PipelineError, match=r"--python .*missing: is not a working Python"):
        pythons([tmp_path / "missing"])
    with pytest.raises(PipelineError, match="is not a working Python"):
        pythons([Path("/bin/true")])
    (found,) = pythons([Path(sys.executable), Path(sys.executable)])
    assert found.version == Version(".".join(map(str, sys.version_info[:3])))


def test_of_a_minor_version_the_first_is_taken_and_the_oldest_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is named from the current folder is meant there, wherever it is run."""
    monkeypatch.chdir(tmp_path)
    paths = []
    for version in ("3.12.1", "3.9.4", "3.10.2", "3.12.5", "3.9.1"):
        paths.append(Path("bin") / version)
        paths[-1].parent.mkdir(exist_ok=True)
        paths[-1].write_text(f"#!/bin/sh\necho {version}\n")
        paths[-1].chmod(0o755)
    found = [(each.path, str(each.version)) for each in pythons(paths)]
    assert found == [(tmp_path / "bin" / each, each) for each in ("3.9.4", "3.10.2", "3.12.1")]


def test_what_is_installed_here_is_found_but_for_other_kinds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kinds = [
        ("3.13.0", "cpython", "default"),
        ("3.12.3", "pypy", "default"),
        ("3.14.0", "cpython", "freethreaded"),
        ("3.11.9", "cpython", "default"),
    ]
    listed = [
        {"path": f"/{version}", "version": version, "implementation": name, "variant": variant}
        for version, name, variant in kinds
    ]
    ended = subprocess.CompletedProcess([], 0, json.dumps(listed), "")
    monkeypatch.setattr(environments, "uv", lambda *words: ended)
    assert [str(each.path) for each in pythons([])] == ["/3.11.9", "/3.13.0"]


def test_the_oldest_and_the_newest_that_are_allowed() -> None:
    found = [
        Python(Path(f"python{number}"), Version(number))
        for number in ("3.9.1", "3.11.4", "3.12.2", "3.13.0")
    ]

    def names(requires: str) -> list[str]:
        return [str(python.version) for python in fitting(found, SpecifierSet(requires))]

    assert names(">=3.11") == ["3.11.4", "3.13.0"]
    assert names(">=3.11,<3.12") == ["3.11.4"]
    assert names(">=3.14") == []


def wheel_of(tmp_path: Path, *lines: str) -> installing.Wheel:
    file = tmp_path / "thing-1.0-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as archive:
        head = ["Metadata-Version: 2.4", "Name: thing", "Version: 1.0", *lines]
        archive.writestr("thing-1.0.dist-info/METADATA", "\n".join(head) + "\n")
    return installing.read_wheels([file, tmp_path / "thing-1.0.tar.gz"])["thing"]


def test_what_a_wheel_requires_itself(tmp_path: Path) -> None:
    wheel = wheel_of(
        tmp_path,
        "Requires-Dist: always>=1",
        "Requires-Dist: older; python_version < '3.12'",
        "Requires-Dist: broken; python_full_version == '3.11.3'",
        "Requires-Dist: never; sys_platform == 'none'",
        "Provides-Extra: more",
        "Requires-Dist: additional~=2.1; extra == 'more'",
        "Requires-Dist: both; extra == 'more' and python_version >= '3.12'",
    )

    def names(python: str, *extras: str) -> list[str]:
        return [str(each) for each in wheel.requires(Version(python), extras)]

    assert names("3.11.2") == ["always>=1", "older"]
    assert names("3.11.3") == ["always>=1", "older", "broken"]
    assert names("3.13.0") == ["always>=1"]
    assert names("3.11.2", "more") == ["always>=1", "older", "additional~=2.1"]
    assert names("3.13.0", "more") == ["always>=1", "additional~=2.1", "both"]
    assert wheel.extras == ("more",) and wheel.tools == ()


def test_no_python_that_a_wheel_allows(tmp_path: Path) -> None:
    wheel = wheel_of(tmp_path, "Requires-Python: >=3.11")
    old, new = Python(Path("a"), Version("3.9.2")), Python(Path("b"), Version("3.11.2"))
    with pytest.raises(PipelineError, match=r"thing needs Python >=3.11; found here: 3.9.2"):
        installing._chosen(wheel, [old])
    assert installing._chosen(wheel, [old, new]) == [new]


def test_pip_s_settings_are_what_uv_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "https://one.invalid/simple")
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "https://two.invalid/simple file:///three")
    monkeypatch.setenv("PIP_FIND_LINKS", "/wheels /more")
    pip_settings.cache_clear()
    try:
        found = settings_of_uv(pip_settings(), "http://127.0.0.1:1/simple/")
    finally:
        pip_settings.cache_clear()
    assert found["UV_DEFAULT_INDEX"] == "https://one.invalid/simple"
    first = "http://127.0.0.1:1/simple/"
    assert found["UV_INDEX"] == f"{first} https://two.invalid/simple file:///three"
    assert found["UV_FIND_LINKS"] == "/wheels,/more"
    assert found["UV_INDEX_STRATEGY"] == "unsafe-best-match"


def test_the_environment_comes_before_pip_s_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As pip itself has it: what a file says for one command before what it says for all."""
    file = tmp_path / "pip.conf"
    monkeypatch.setenv("PIP_CONFIG_FILE", str(file))
    for name in ("PIP_INDEX_URL", "PIP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    written = "[global]\nindex-url = https://all.invalid/\nproxy = http://all.invalid\n"
    written += "[install]\nindex-url = https://install.invalid/\n"
    written += "[download]\nindex-url = https://download.invalid/\nno-index = true\n"
    for text, variable, expected in (
        (written, "", "https://install.invalid/"),
        (written, "https://environment.invalid/", "https://environment.invalid/"),
        (written.partition("[install]")[0], "", "https://all.invalid/"),
    ):
        file.write_text(text)
        if variable:
            monkeypatch.setenv("PIP_INDEX_URL", variable)
        pip_settings.cache_clear()
        try:
            found = pip_settings()
        finally:
            pip_settings.cache_clear()
            monkeypatch.delenv("PIP_INDEX_URL", raising=False)
        assert (found["index-url"], found["proxy"]) == (expected, "http://all.invalid")
        assert "no-index" not in found


def test_uv_keeps_its_own_settings_where_pip_has_none() -> None:
    for word, is_set in dict.fromkeys(("1", "true", "Yes", "on"), True).items() | {("0", False)}:
        assert settings_of_uv({"no-index": word}) == ({"UV_NO_INDEX": "true"} if is_set else {})
    assert settings_of_uv({}) == {}
    pip = {"no-index": "yes", "cert": "/ca.pem", "proxy": "http://proxy.invalid:3128"}
    assert settings_of_uv(pip | {"trusted-host": "one.invalid"}) == {
        "UV_NO_INDEX": "true",
        "SSL_CERT_FILE": "/ca.pem",
        "HTTP_PROXY": "http://proxy.invalid:3128",
        "HTTPS_PROXY": "http://proxy.invalid:3128",
        "UV_INSECURE_HOST": "one.invalid",
    }


@pytest.mark.parametrize(
    ("lines", "extras", "message"),
    [
        ({"more": "pass"}, ("more",), ""),
        ({"more": "raise ImportError('install thing[more]')"}, (), ""),
        ({"more": "1/0"}, ("more",), "with the extra more, `1/0` fails: ZeroDivisionError"),
        ({"more": "pass"}, (), "without the extra more, `pass` does not fail with its name: it r"),
        ({"more": "1/0"}, (), "without the extra more, `1/0` does not fail with its name: ZeroDi"),
        ({}, (), "tool.release.packages.thing.extras.more is missing: a line of Python that nee"),
    ],
)
def test_extras_are_held_to_their_lines(
    lines: dict[str, str], extras: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    trial = installing.Trial(
        package=Package("thing", tmp_path, (), (), lines),
        wheel=wheel_of(tmp_path, "Provides-Extra: more"),
        beside=(),
        python=Python(Path(sys.executable), Version("3.11")),
        resolution="highest",
        extras=extras,
    )
    here = environments.Environment(Path(sys.prefix))
    if not message:
        installing._try_extras(here, trial, tmp_path)
        return
    with pytest.raises(PipelineError) as refusal:
        installing._try_extras(here, trial, tmp_path)
    assert str(refusal.value).startswith(message)


def test_what_does_not_end_fails_its_trial_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    environment = environments.Environment(Path(sys.prefix))
    monkeypatch.setattr(environments, "_SECONDS", 0.5)

    def probed(trial: str, release: object) -> None:
        if trial == "hangs":
            code = "import threading; threading.Event().wait(600)"
            environment.run("-I", "-c", code, folder=tmp_path)

    monkeypatch.setattr(installing, "_try", probed)
    with pytest.raises(
        PipelineError, match=r"^hangs: python -I -c import .*: not done after 0\.5 s"
    ):
        installing._all(["hangs", "ends"], None)  # type: ignore[arg-type, list-item]
    said = capsys.readouterr().out
    assert "hangs: FAILS\n" in said and said.endswith("ends: works\n")
