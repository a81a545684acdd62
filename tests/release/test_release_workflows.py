"""The workflows: valid, with few rights, pinned; and what their steps do, run as they stand."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from dependency_groups import resolve
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from pipeline.openapi.documents import load
from tests.support.skips import is_expected

ROOT = Path(__file__).parents[2]
GITHUB = ROOT / ".github"
FILES = sorted((GITHUB / "workflows").glob("*.yml"))
NAMES = [file.stem for file in FILES]
HASHED = "release/requirements.txt"

# Every right to write, and who has it.
WRITING = {
    ("release", "publish"): {"id-token", "attestations"},
    ("release", "announce"): {"contents"},
    ("release", "documentation"): {"contents"},
    ("docs", "keep"): {"contents"},
    ("security", "codeql"): {"security-events"},
    ("security", "scorecard"): {"security-events"},
}
# The only steps that get the job's token, by what they run.
TOKENS = {
    ("release", "build"): ("gh api",),
    ("release", "announce"): ("gh release create",),
    ("docs", "keep"): ("gh auth setup-git",),
}


def workflow(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = load(GITHUB / "workflows" / f"{name}.yml").data
    return loaded


def jobs() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for name in NAMES:
        for job, content in workflow(name)["jobs"].items():
            yield name, job, content


def steps() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for name, job, content in jobs():
        assert ("steps" in content) is not ("uses" in content)
        for step in content.get("steps", ()):
            yield name, job, step


def sessions() -> set[str]:
    text = (ROOT / "noxfile.py").read_text(encoding="utf-8")
    return set(re.findall(r"^@nox\.session\ndef (\w+)\(", text, re.MULTILINE))


# What stands in them


@pytest.mark.parametrize(
    ("schema", "pattern"),
    [
        ("vendor.github-workflows", "workflows/*.yml"),
        ("custom.github-workflows-require-timeout", "workflows/*.yml"),
        ("vendor.dependabot", "dependabot.yml"),
        ("vendor.github-issue-forms", "ISSUE_TEMPLATE/[0-9]*.yml"),
        ("vendor.github-issue-config", "ISSUE_TEMPLATE/config.yml"),
    ],
)
def test_they_follow_their_schema(schema: str, pattern: str) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema]
    found = [str(path) for path in GITHUB.glob(pattern)]
    assert found
    done = subprocess.run([*command, *found], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


ZIZMOR = shutil.which(
    "zizmor", path=os.pathsep.join([str(Path(sys.executable).parent), os.defpath])
)


@pytest.mark.skipif(ZIZMOR is None, reason="zizmor is not installed")
def test_zizmor_finds_nothing() -> None:
    """Find actions without a pin, expressions in scripts, caches where something is published,
    triggers by strangers, rights for whole workflows, runs that overlap.
    """
    command = [str(ZIZMOR), "--offline", "--no-progress", "--persona", "pedantic", str(GITHUB)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_the_head_of_a_workflow(name: str) -> None:
    assert workflow(name)["permissions"] == {}
    assert workflow(name)["defaults"] == {"run": {"shell": "bash"}}  # with pipefail


def test_only_jobs_that_are_listed_may_write() -> None:
    writing = {}
    for name, job, content in jobs():
        permissions = content.get("permissions", {})
        assert set(permissions.values()) <= {"read", "write"}
        if found := {right for right, value in permissions.items() if value == "write"}:
            writing[name, job] = found
    assert writing == WRITING


def test_only_what_needs_the_token_gets_it() -> None:
    for name, job, step in steps():
        text = json.dumps(step)
        if "token" in text or "secrets." in text:
            assert step["env"]["GH_TOKEN"] == "${{ github.token }}"
            assert any(words in step["run"] for words in TOKENS[name, job])
    assert "secrets." not in "".join(file.read_text(encoding="utf-8") for file in FILES)


def test_commands_and_sessions_are_there() -> None:
    named = set()
    for _, _, step in steps():
        for words in re.findall(r"nox -s ([a-z_ ]+)", step.get("run", "")):
            named |= set(words.split())
    matrix = workflow("ci")["jobs"]["session"]["strategy"]["matrix"]
    named |= {*matrix["session"], *(each["session"] for each in matrix["include"])}
    assert named <= sessions()


def test_the_contract_is_asked_once_with_each_python() -> None:
    matrix = workflow("ci")["jobs"]["session"]["strategy"]["matrix"]
    made = [{"session": s, "python": p} for s in matrix["session"] for p in matrix["python"]]
    for each in matrix["include"]:  # as GitHub does: it adds to a job, or is one more
        (job,) = [job for job in made if {**job, **each} == {**each, **job}] or [{}]
        if not job:
            made.append(job)
        job.update(each)
    asked = [
        job["python"]
        for job in made
        if job["session"] == "contract"
        or (job["session"] == "tests" and "--ignore tests/contract" not in job.get("arguments", ""))
    ]
    assert sorted(asked) == ["3.11", "3.13"]


def test_what_ci_is_made_of() -> None:
    found = workflow("ci")
    assert set(found["jobs"]["all"]["needs"]) == set(found["jobs"]) - {"all"}


def test_no_host_is_named() -> None:
    for path in [*GITHUB.rglob("*.*"), ROOT / "SECURITY.md", ROOT / ".pre-commit-config.yaml"]:
        assert not re.search(r"://|\bpypi\.org|\w@\w+\.\w", path.read_text(encoding="utf-8")), path


# What the steps do


def bash(script: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script as a workflow does, with these variables and a `python`."""
    binaries = folder / ".bin"
    binaries.mkdir(exist_ok=True)
    if not (binaries / "python").exists():
        (binaries / "python").symlink_to(sys.executable)
    path = os.pathsep.join([str(binaries), os.environ["PATH"]])
    summary = {name: str(folder / f".{name}") for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=folder,
        env={"PATH": path, "HOME": str(folder), **summary, **environment},
        capture_output=True,
        text=True,
        timeout=600,
    )


def script(name: str, job: str, start: str) -> str:
    """The script of the step whose name, or script, begins so."""
    found = [
        step["run"]
        for step in workflow(name)["jobs"][job]["steps"]
        if "run" in step and step.get("name", step["run"]).startswith(start)
    ]
    assert len(found) == 1
    text: str = found[0]
    return text


def test_no_script_is_long() -> None:
    """What takes more belongs into a command that is tested."""
    assert all(step.get("run", "").strip().count("\n") < 3 for _, _, step in steps())


@pytest.fixture
def tagged(tmp_path: Path) -> Path:
    """A project of version 1.2.3 whose first commit is on main, and a second one is not."""
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n')
    script = """
        git init --quiet --initial-branch=main
        git add pyproject.toml
        git -c user.name=Me -c user.email=me@example.org commit --quiet --message One
        git update-ref refs/remotes/origin/main HEAD
    """
    done = bash(script, tmp_path, GIT_CONFIG_GLOBAL=os.devnull)
    assert done.returncode == 0, done.stderr
    return tmp_path


def test_the_tag_must_be_the_version(tagged: Path) -> None:
    check = script("release", "build", "The tag must be")
    assert bash(check, tagged, GITHUB_REF_NAME="v1.2.3").returncode == 0
    for tag in ("v1.2.4", "v1.2.3rc1", "v1.2.30", "1.2.3", "v", "v1.2.3; touch taken"):
        done = bash(check, tagged, GITHUB_REF_NAME=tag)
        wanted = f"The tag is {tag}, but the version in the tree is 1.2.3."
        assert (done.returncode, wanted in done.stdout) == (1, True)
    assert not (tagged / "taken").exists()


def test_the_tag_must_be_on_main(tagged: Path) -> None:
    who = "git -c user.name=Me -c user.email=me@example.org"
    commit = f"{who} commit --quiet --allow-empty --message Two"
    assert bash(commit, tagged, GIT_CONFIG_GLOBAL=os.devnull).returncode == 0
    done = bash(script("release", "build", "The tag must be"), tagged, GITHUB_REF_NAME="v1.2.3")
    assert (done.returncode, "::error::v1.2.3 is not on main" in done.stdout) == (1, True)


CHANGELOG = """\
# Changelog

## 1.2.3

<!-- begin -->
### Changed

- A `$(touch taken)` thing.
<!-- end -->

## 1.2.30

- Another one.

## 1.2.2

<!-- begin -->
<!-- end -->

## 1.2.1
"""


@pytest.mark.parametrize(
    ("tag", "wanted"),
    [
        ("v1.2.3", "- A `$(touch taken)` thing."),
        ("v1.2.30", "- Another one."),
        ("v1.2.2", None),
        ("v1.2.1", None),
        ("v1.2.4", None),
    ],
)
def test_the_notes_are_the_section_of_the_changelog(
    tmp_path: Path, tag: str, wanted: str | None
) -> None:
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    done = bash(script("release", "build", "The changelog"), tmp_path, GITHUB_REF_NAME=tag)
    assert done.returncode == (0 if wanted else 1)
    notes = (tmp_path / "notes.md").read_text(encoding="utf-8")
    assert "## " not in notes.replace("### ", "")
    assert notes.count("\n- ") <= 1 and "<!--" not in notes
    assert wanted in notes if wanted else f"nothing below '## {tag[1:]}'" in done.stdout


def test_what_is_published_is_what_was_built(tmp_path: Path) -> None:
    dist = tmp_path / "dist"
    dist.mkdir()
    for name in ("a-1.0.tar.gz", "a-1.0-py3-none-any.whl"):
        (dist / name).write_bytes(name.encode())
    output = tmp_path / "output"
    assert not bash(script("release", "build", "Write"), dist, GITHUB_OUTPUT=str(output)).returncode
    hashes = output.read_text(encoding="utf-8").removeprefix("hashes=").strip()
    summary = (dist / ".GITHUB_STEP_SUMMARY").read_text(encoding="utf-8")
    assert hashlib.sha256(b"a-1.0.tar.gz").hexdigest() in summary
    checks = {script("release", job, "These must be") for job in ("publish", "announce")}
    assert len(checks) == 1
    check = checks.pop()

    def status(environment: Mapping[str, str]) -> int:
        return bash(check, dist, **environment).returncode

    assert status({"HASHES": hashes}) == 0
    assert status({"HASHES": ""}) == 1
    (dist / "stray.whl").touch()
    assert status({"HASHES": hashes}) == 1
    (dist / "stray.whl").unlink()
    (dist / "a-1.0.tar.gz").write_bytes(b"other")
    assert status({"HASHES": hashes}) == 1
    (dist / "a-1.0.tar.gz").unlink()
    assert status({"HASHES": hashes}) == 1


def fake_gh(folder: Path, text: str = "") -> None:
    """A `gh` that writes down its arguments."""
    (folder / ".bin").mkdir(exist_ok=True)
    path = folder / ".bin" / "gh"
    path.write_text(f'#!/bin/sh\nprintf "%s\\n" "gh $*" >> "$HOME/calls"\n{text}\n')
    path.chmod(0o755)


def calls(folder: Path) -> list[str]:
    path = folder / "calls"
    found = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    path.unlink(missing_ok=True)
    return found


@pytest.mark.parametrize(
    ("found", "status"),
    [("success", 0), ("failure,success", 1), (",success", 1), ("cancelled", 1), ("", 1)],
)
def test_ci_must_have_succeeded_for_the_commit(tagged: Path, found: str, status: int) -> None:
    """What has not ended has no conclusion."""
    fake_gh(tagged, f"echo '{found}'")
    check = script("release", "build", "The job all")
    done = bash(check, tagged, GITHUB_REF_NAME="v1.2.3", GITHUB_REPOSITORY="me/it")
    assert done.returncode == status
    assert (f"it says: {found or 'nothing'}." in done.stdout) is bool(status)
    (call,) = calls(tagged)
    commit = (tagged / ".git/refs/heads/main").read_text().strip()
    assert call.startswith(f"gh api repos/me/it/commits/{commit}/check-runs?check_name=all ")
    assert "all" in workflow("ci")["jobs"]


def test_a_skip_that_nobody_expects_is_a_failure_in_ci(tmp_path: Path) -> None:
    for name, text in {
        "test_module": "pytest.skip('no browser', allow_module_level=True)",
        "test_one": "def test_it() -> None:\n    pytest.skip('no server')",
        "test_two": "@pytest.mark.skipif(True, reason='no office')\ndef test_it() -> None: ...",
        "test_three": "def test_it() -> None:\n    pytest.skip('there is no IPv6 here')",
        "test_four": "@pytest.mark.xfail\ndef test_it() -> None:\n    assert False",
    }.items():
        (tmp_path / f"{name}.py").write_text(f"import pytest\n{text}\n")
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "tests.support.skips"]
    outside = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    for strict, ended in ((True, "1 skipped"), (False, "4 skipped")):
        done = subprocess.run(
            [*command, *["--only-expected-skips"] * strict, "--continue-on-collection-errors"],
            cwd=tmp_path, env=outside, capture_output=True, text=True, timeout=600,
        )  # fmt: skip
        for reason in ("no browser", "no server", "no office"):
            assert (f"skips: {reason}" in done.stdout) is strict, done.stdout
        assert bool(done.returncode) is strict
        assert ended in done.stdout and "1 xfailed" in done.stdout, done.stdout


def test_what_skips_by_system() -> None:
    """Linux is without nothing; another system is without what only Linux has."""
    assert is_expected("tests/x.py", "there is no fork here", "win32")
    assert not is_expected("tests/x.py", "there is no fork here", "darwin")
    assert not is_expected("tests/x.py", "descriptors cannot be counted", "linux")
    assert is_expected("tests/contract/test_live.py::test_it", "it deletes", "linux")
    assert not is_expected("tests/cli/test_live.py::test_it", "it deletes", "linux")
    for system in ("linux", "darwin", "win32", "another"):
        for reason in ("no server: install postgresql", "playwright is not installed", ""):
            assert not is_expected("tests/x.py", reason, system)


@pytest.mark.parametrize(
    ("tag", "more"),
    [("v1.2.3", ""), ("v1.2.3rc1", " --prerelease"), ("v2.0.0b12", " --prerelease")],
)
def test_the_release_is_made_once(tmp_path: Path, tag: str, more: str) -> None:
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist/a.whl").touch()
    (tmp_path / "bundle").mkdir()
    (tmp_path / "bundle/a.mcpb").touch()
    make = script("release", "announce", "Make the release")
    fake_gh(tmp_path, '[ "$2" = create ]')
    assert bash(make, tmp_path, GITHUB_REF_NAME=tag).returncode == 0
    wanted = f"{tag}{more} --verify-tag --title {tag} --notes-file notes.md "
    wanted += "dist/a.whl bundle/a.mcpb SHA256SUMS"
    assert calls(tmp_path) == [
        f"gh release view {tag} --json url --jq .url",
        f"gh release create {wanted}",
    ]
    assert (tmp_path / "SHA256SUMS").read_text().split()[1::2] == ["a.whl", "a.mcpb"]
    fake_gh(tmp_path)  # it is there already
    assert bash(make, tmp_path, GITHUB_REF_NAME=tag).returncode == 0
    assert len(calls(tmp_path)) == 1
    fake_gh(tmp_path, "exit 1")
    assert bash(make, tmp_path, GITHUB_REF_NAME=tag).returncode == 1


def test_what_a_job_may_write_no_code_of_others_touches() -> None:
    """Nothing is installed, and no session is run, beside a right to write."""
    assert WRITING
    for name, job in WRITING:
        for step in workflow(name)["jobs"][job].get("steps", ()):
            assert not re.search(r"\b(pip|uv|nox|npm)\b", step.get("run", "")), step


def test_what_a_release_is_made_with_is_known_by_its_hashes() -> None:
    installing = [
        step["run"]
        for name, _, step in steps()
        if name == "release" and " install " in step.get("run", "")
    ]
    assert set(installing) == {f"python -m pip install --require-hashes -r {HASHED}"}
    assert len(installing) == 2
    text = (ROOT / HASHED).read_text(encoding="utf-8")
    assert "://" not in text and "--index" not in text
    # Each requirement goes on over all of its hashes.
    entries = re.split(r"\n(?=\S)", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).strip())
    assert all(re.search(r" \\\n    --hash=sha256:[0-9a-f]{64}", each) for each in entries)
    found = [Requirement(each.partition(" \\\n")[0]) for each in entries]
    pins = {canonicalize_name(each.name): str(each.specifier) for each in found}
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    known = [Requirement(line) for line in lines if not line.startswith("#")]
    assert pins.items() <= {canonicalize_name(e.name): str(e.specifier) for e in known}.items(), (
        "run `nox -s pin`, and put what is new into constraints.txt"
    )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [
        *project["project"]["dependencies"],
        *resolve(project["dependency-groups"], "release"),
    ]
    for each in map(Requirement, wanted):
        name = canonicalize_name(each.name)
        assert name in pins and each.specifier.contains(pins[name].removeprefix("==")), each


def test_the_last_job_of_ci(tmp_path: Path) -> None:
    last = workflow("ci")["jobs"]["all"]
    assert last["if"] == "${{ always() }}"
    for succeeded, status in (("true", 0), ("false", 1), ("", 1)):
        done = bash(last["steps"][0]["run"], tmp_path, SUCCEEDED=succeeded)
        assert done.returncode == status


def test_the_site_is_kept_on_a_branch_of_its_own(tmp_path: Path) -> None:
    """As the steps do it, with a repository for GitHub: begin, add a release, renew `latest`."""
    origin, project = tmp_path / "origin", tmp_path / "project"
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull}
    begun = f"git init --quiet --bare {origin}; git init --quiet {project}; cd {project}"
    begun += f"; git remote add origin {origin}; mkdir docs; cp -r {ROOT}/docs/front docs"
    begun += f"; cp {ROOT}/docs/versions.py docs; git add docs"
    begun += "; git -c user.name=Me -c user.email= commit --quiet -m One"
    assert bash(begun, tmp_path, **quiet).returncode == 0
    fake_gh(project)
    get, push = script("docs", "keep", "Get the site"), script("docs", "keep", "Push the site")
    put = script("docs", "keep", "python docs/versions.py")
    runs = [("latest", "1"), ("v1.0.0", "2"), ("v1.0.0", "2"), ("latest", "3")]
    for name, text in runs:
        (project / "built").mkdir(exist_ok=True)
        (project / "built/index.html").write_text(text)
        shutil.rmtree(project / "site", ignore_errors=True)
        for each in (get, put, push):
            done = bash(f"git worktree prune; {each}", project, NAME=name, **quiet)
            assert done.returncode == 0, done.stdout + done.stderr
    shown = bash("git log --format=%s pages; git ls-tree -r --name-only pages", origin, **quiet)
    log, _, last = shown.stdout.partition(".nojekyll\n")
    assert log.splitlines() == [
        "The documentation of latest",
        "The documentation of v1.0.0",
        "The documentation of latest",
    ]
    folders = ("1.0.0", "latest", "stable")
    assert {f"{each}/index.html" for each in folders} < set(last.splitlines())
    assert "docs/versions.py" not in last  # nothing of the project
    for folder, text in (("1.0.0", "2"), ("stable", "2"), ("latest", "3")):
        assert bash(f"git show pages:{folder}/index.html", origin, **quiet).stdout == text


def test_a_release_adds_its_documentation_when_it_is_out() -> None:
    job = workflow("release")["jobs"]["documentation"]
    assert job["needs"] == ["publish"] and job["uses"] == "$/.github/workflows/docs.yml"
    assert "workflow_call" in workflow("docs")["on"]
    names = {step["env"]["NAME"] for _, job, step in steps() if job == "keep" and "env" in step}
    assert names == {"${{ github.ref_type == 'tag' && github.ref_name || 'latest' }}"}


def where_pythons_run() -> dict[str, set[tuple[str, str]]]:
    """Return the rooms and systems of each Python in the workflow of the systems."""
    matrix = workflow("systems")["jobs"]["room"]["strategy"]["matrix"]
    found: dict[str, set[tuple[str, str]]] = {}
    for room in matrix["room"]:
        for system in matrix["system"]:
            for python in matrix["python"]:
                found.setdefault(python, set()).add((room, system))
    for each in matrix["include"]:
        found.setdefault(each["python"], set()).add((each["room"], each["system"]))
    return found


def test_every_room_runs_on_every_system() -> None:
    """With each Python in between, too; one that is not declared yet may fail."""
    found = where_pythons_run()
    lowest = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    plain = sorted(int(each.removeprefix("3.")) for each in found if not each.endswith("t"))
    assert plain == [*range(plain[0], plain[-1] + 1)]
    assert lowest["requires-python"] == f">=3.{plain[0]}"
    rooms = {"client", "sandbox", "command"}
    for system in ("windows-2025", "macos-15"):
        assert rooms <= {room for each in found.values() for room, where in each if where == system}
    page = (ROOT / "docs/systems.md").read_text(encoding="utf-8")
    may_fail = workflow("systems")["jobs"]["room"]["continue-on-error"]
    for python in found:
        assert re.search(rf"\b{re.escape(python.rstrip('t'))}\b", page), python
    # What may fail is what the page says may fail.
    rows = [row for row in page.splitlines() if row.startswith("|") and "may fail" in row]
    failing = {each for row in rows for each in re.findall(r"3\.\d+", row.split("|")[1])}
    assert set(re.findall(r"'(3\.\d+)'", may_fail)) == failing != set()
    assert workflow("systems")["jobs"]["room"]["timeout-minutes"] == 15


@pytest.mark.nightly
def test_a_new_cpython_runs_within_thirty_days() -> None:
    """One comes each October (PEP 602); the page promises 30 days."""
    today = datetime.now(UTC).date()
    newest = today.year - 2011 - (today < date(today.year, 11, 7))
    assert {f"3.{newest}", f"3.{newest}t"} <= where_pythons_run().keys()
