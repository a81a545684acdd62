"""The public surface: names, and the two pages of documentation."""

from __future__ import annotations

import enum
import inspect
import pickle
import re
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import social_publishing
import social_publishing.models as models
from calls import ADDRESSES, CALLS, CLIENT, ID, TOKEN, operation_of, safety_of
from server import Response, Server
from social_publishing import (
    AsyncSocialPublishing,
    Pacing,
    Reconcile,
    Retries,
    SocialPublishing,
    errors,
)
from social_publishing._runtime.plans import batching as parts
from social_publishing._runtime.plans import polling

METHODS = [call.method for call in CALLS]
# Methods that are made of several operations, with those that they send.
EXTRA = {
    "groups.update": ["getGroup", "replaceGroup"],
    "media.wait_until_ready": ["getMediaStatus"],
    "posts.get": ["getPosts"],
}
README = (CLIENT / "README.md").read_text(encoding="utf-8")
API = (CLIENT / "api.md").read_text(encoding="utf-8")


def test_public_names_are_there() -> None:
    """Every public name can be imported, and each class says it lives where users find it."""
    homes = social_publishing._HOMES
    assert social_publishing.__all__ == [*homes, "models"]
    assert models.__all__ == [*models._HOMES]
    assert {name for name in homes if homes[name] == ".errors"} == {*errors.__all__}
    for module in (social_publishing, models, errors):
        assert list(module.__all__) == sorted(set(module.__all__), key=module.__all__.index)
        for name in module.__all__:
            found = getattr(module, name)
            assert found is not None
            assert name in dir(module)
            if isinstance(found, type):
                assert pickle.loads(pickle.dumps(found)) is found
        with pytest.raises(AttributeError, match="no_such_name"):
            module.no_such_name  # noqa: B018
    assert social_publishing.__version__ in (CLIENT / "pyproject.toml").read_text()
    assert (Path(social_publishing.__path__[0]) / "py.typed").exists()


def test_no_host_is_built_in() -> None:
    """§1 and §5: no default host exists, not even the documents' placeholder."""
    paths = [*(CLIENT / "src").rglob("*.py")]
    assert paths
    for path in paths:
        text = path.read_text(encoding="utf-8")
        assert ".invalid" not in text
        assert not re.findall(
            r"https?://(?!a\.|main\.|files\.example\.)[a-z0-9-]+\.[a-z]+", text
        ), path


def _docstrings() -> dict[str, str]:
    found = {}
    client = SocialPublishing(api_token="t", **ADDRESSES)
    for method in METHODS:
        resource, name = method.split(".")
        found[method] = inspect.getdoc(getattr(getattr(client, resource), name)) or ""
    for name in models.__all__:
        found[name] = inspect.getdoc(getattr(models, name)) or ""
    return found


def _of(method: str) -> Any:
    resource, name = method.split(".")
    return getattr(getattr(SocialPublishing(api_token="t", **ADDRESSES), resource), name)


def _plain(text: str) -> str:
    """Return a text without the sections that it cites, links and marks of code."""
    text = re.sub(r" \(§[^)]*\)", "", " ".join(text.replace("\\|", "|").split()))
    return re.sub(r"\[(`?[\w.]+`?)\]\(#[\w-]+\)", r"\1", text).replace("`", "")


def _told(text: str, head: str) -> dict[str, str]:
    """Return what a part of a docstring says, by the names that stand in it."""
    part = text.partition(f"\n{head}:\n")[2].partition("\n\n")[0]
    entries = re.findall(r"^    (\w+): (.*(?:\n     .*)*)", part, re.MULTILINE)
    return {name: _plain(said) for name, said in entries}


@pytest.mark.parametrize("method", METHODS)
def test_a_method_is_documented(method: str) -> None:
    """A docstring says what the document does, and names the HTTP line and its section; so does
    api.md, which also says what is assumed."""
    text, section = _docstrings()[method], _section(f"### {method}")
    operation = operation_of(method)
    assert text.startswith(operation.node["summary"])
    place, chapter = f"{operation.method} {operation.path}", f"§{operation.node['x-section']}"
    assert f"{place} ({chapter})." in text
    assert f"`{place}`" in section and chapter in section
    errors = " ".join(_told(text, "Raises").values())
    for status in operation.node["responses"]:
        assert not status.startswith("4") or f" ({status})." in errors
    for argument in operation.arguments.values():
        said = _plain(argument.node.get("description", "")).rstrip(".")
        assert _told(text, "Args")[argument.python].startswith(said)
    assert not re.search(rf"\b{operation.id}\b(?!\.)", text), "but where a gap is named"
    assert "rateLimit.status" not in text
    assert "Assumed:" in section and "assumed: see `api.md`" in " ".join(text.split())
    assert operation.id in section
    assert "```python" in section
    words = {"safe": "Safe to repeat", "idempotent": "Idempotent", "unsafe": "Not safe to repeat"}
    assert re.findall("|".join(words.values()), section) == [words[safety_of(operation)]]


@pytest.mark.parametrize("method", [*METHODS, *EXTRA, "posts.amend", "calendar_notes.update"])
def test_a_docstring_and_the_page_say_the_same(method: str) -> None:
    """What it does, takes, gives and raises; the page leaves out what every method raises."""
    text, section = inspect.getdoc(_of(method)) or "", _section(f"### {method}")
    lines = [line for line in section.splitlines() if line.startswith("| `")]
    rows = [[_plain(cell.strip()) for cell in re.split(r"(?<!\\)\|", e)[1:-1]] for e in lines]
    signature, taken = inspect.signature(_of(method)), _told(text, "Args")
    wanted = []
    for name, each in signature.parameters.items():
        default = "required" if each.default is each.empty else repr(each.default)
        kind = each.annotation.replace(" | UnsetType", "")
        wanted.append([name, kind, "not sent" if default == "UNSET" else default, taken[name]])
    assert [row for row in rows if len(row) == 4] == wanted and len(taken) == len(wanted)
    raised = _told(text, "Raises")
    assert raised.pop("StatusError") == "Another status outside 200 to 299."
    if raised["ArgumentError"] == "An argument is not valid; nothing was sent.":
        del raised["ArgumentError"]
    assert raised == {
        name: f"{why.removesuffix('.')} ({status})." if status else why
        for name, status, why in (row for row in rows if len(row) == 3)
    }
    head, _, rest = section.partition("\n\n| argument |")
    assert _plain(head).startswith(_plain(text.partition("\n\nArgs:\n")[0]))
    gives = rest.partition("\n\nReturns ")[2].partition("\n\n")[0].partition(": ")
    assert _plain(gives[2]) == _plain(text.partition("\nReturns:\n")[2].partition("\n\n")[0])
    assert _plain(gives[0]).rstrip(".") == signature.return_annotation.replace("builtins.", "")


@pytest.mark.parametrize("resource", sorted({method.partition(".")[0] for method in METHODS}))
def test_what_stands_beside_a_method_is_like_it(resource: str) -> None:
    """Its functions, and its copy that gives the whole response; a class says what it is of."""
    owner = getattr(SocialPublishing(api_token="t", **ADDRESSES), resource)
    kind, raw = type(owner), type(owner.with_raw_response)
    module = import_module(kind.__module__)
    assert kind.__doc__ == str(module.__doc__).partition("\n")[0]
    assert vars(SocialPublishing)[resource].__doc__ == kind.__doc__
    assert raw.__doc__ == f"{kind.__doc__} Each method returns the whole response."
    methods = {name: each for name, each in vars(kind).items() if inspect.isfunction(each)}
    assert methods
    for name, method in methods.items():
        functions = [vars(module).get(f"{way}_{name}") for way in ("build", "plan")]
        there = [each for each in functions if each]
        assert _taken(method) == _taken(there[-1])
        single = [each for each in there if _given(each).startswith("Request[")]
        for each in there:
            verb = "Build a request" if each in single else "Plan the requests"
            assert each.__doc__ == f"{verb} of `{resource}.{name}`."
        assert (name in vars(raw)) is bool(single)
        if single:
            copy = vars(raw)[name]
            assert _taken(copy) == _taken(single[0])
            assert _given(copy) == f"RawResponse{_given(single[0]).removeprefix('Request')}"
            assert copy.__doc__ == str(method.__doc__).partition("\n")[0]


def _taken(function: Any) -> list[inspect.Parameter]:
    signature = inspect.signature(function)
    return [each for each in signature.parameters.values() if each.name != "self"]


def _given(function: Any) -> str:
    return str(inspect.signature(function).return_annotation).replace("builtins.", "")


def _gaps(method: str) -> set[str]:
    """Return the gaps that the page lists of a method as assumed."""
    section = API.split(f"\n### {method}\n")[1].split("\n### ")[0]
    found = re.search(r"^Assumed: (.*)$", section, re.MULTILINE)
    return set(re.findall(r"\[([\w.]+)\]\(#gaps\)", found[1] if found else ""))


def test_a_method_has_the_gaps_of_the_operations_that_it_calls() -> None:
    named = {operation_of(method).id: method for method in METHODS}
    called = {
        method: [named[each] for each in EXTRA.get(method, ()) if named[each] != method]
        for method in EXTRA
    }
    for method in METHODS:
        words = operation_of(method).node
        if waits := words.get("x-wait-with"):
            called[method] = [named[waits["operation"]]]
    assert called.keys() >= {"groups.update", "media.upload", "media.upload_from_url"}
    for method, others in called.items():
        for other in others:
            assert _gaps(other) and _gaps(other) <= _gaps(method), (method, other)


def test_docstrings_tell_what_the_runtime_does() -> None:
    """Numbers of the runtime that docstrings tell are those that count."""
    texts = {name: " ".join(text.split()) for name, text in _docstrings().items()}
    for method in ("posts.get_many", "posts.delete_many", "posts.set_draft", "calendar_notes.list"):
        assert f"in several requests, up to {parts.AT_ONCE} at a time" in texts[method]
    minutes = f"{polling.LONGEST_WAIT / 60:g} minutes"
    assert f"{minutes} at most" in texts["media.upload"]
    assert f"{minutes} at most without a deadline" in API
    for method in METHODS:
        section = API.split(f"\n### {method}\n")[1].split("\n### ")[0]
        unsafe = "Not safe to repeat" in section
        assert ("OutcomeUnknown:" in texts[method]) == ("`OutcomeUnknown`" in section) == unsafe


def test_cited_sections_are_in_the_table() -> None:
    """Docstrings cite sections by number: api.md's table has every one that is cited."""
    table = set(re.findall(r"^\| (\d[\d.]*) \| ", API.split("## Sections")[1], re.MULTILINE))
    texts = [*_docstrings().values(), API, README]
    cited = {number for text in texts for number in re.findall(r"§(\d+(?:\.\d+)*)", text)}
    assert {"4.1.1", "3", "7", "8"} <= cited
    assert cited <= table


def test_cited_gaps_are_in_the_table() -> None:
    """Every assumption that a docstring or api.md names is explained in the table of gaps."""
    section = API.split("## Gaps")[1]
    table = set(re.findall(r"^\| ([A-Za-z]+(?:\.[A-Za-z0-9]+)*) \| ", section, re.MULTILINE))
    assert len(table) > 100
    cited: set[str] = set()
    for text in [*_docstrings().values(), API.split("## Sections")[0]]:
        flat = " ".join(text.replace("[", "").replace("](#gaps)", "").split())
        for group in re.findall(r"(?:Assumed|Not known): ((?:[a-zA-Z]+\.[\w.]+(?:, )?)+)", flat):
            cited |= {name.strip(" .") for name in group.split(",")}
    assert "updatePost.timezone" in cited
    assert {c for c in cited if c} <= table


def _slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_links_lead_somewhere() -> None:
    """Every link of README.md and api.md has its target."""
    headings = {
        "README.md": {_slug(h) for h in re.findall(r"^#+ (.+)$", README, re.MULTILINE)},
        "api.md": {_slug(h) for h in re.findall(r"^#+ (.+)$", API, re.MULTILINE)},
    }
    seen = 0
    for page, text in (("README.md", README), ("api.md", API)):
        for target in re.findall(r"\]\(([^)]+)\)", text):
            file, _, anchor = target.partition("#")
            assert (CLIENT / (file or page)).exists(), target
            assert not anchor or anchor in headings[file or page], target
            seen += 1
    assert seen > 60
    for method in [*METHODS, *EXTRA]:
        assert f"| `{method}` |" in README
        assert f"\n### {method}\n" in API


def test_no_link_of_the_readme_is_relative() -> None:
    """An index and the wheel have no api.md beside it."""
    assert not re.findall(r"\]\((?!https?:)[^)]*\)", README)


# What the client takes and gives besides models.
CLASSES = [
    name
    for name in social_publishing.__all__
    if inspect.isclass(kind := getattr(social_publishing, name))
    and "._runtime" in str(inspect.getsourcefile(kind)).replace("/", ".")
    and not issubclass(kind, Exception)
]


def _section(heading: str) -> str:
    return API.split(f"\n{heading}\n")[1].split("\n### ")[0].split("\n## ")[0]


def _noted(seen: object) -> None:
    """What is called by a client, and does nothing."""


def _around(call: object, request: object) -> None:
    """A middleware that is never run."""


RECONCILE = Reconcile()
OPTIONS = {
    "timeout": (11, {"timeout": 11}),
    "deadline": (12, {"deadline": 12}),
    "retries": (3, {"retries": Retries(attempts=4)}),
    "pacing": ("raise", {"pacing": Pacing(mode="raise")}),
    "headers": ({"X-A": "1"}, {"headers": {"X-A": "1"}}),
    "drift": ("raise", {"watch": ("raise", None)}),
    "on_drift": (_noted, {"watch": ("ignore", _noted)}),
    "on_wait": (_noted, {"on_wait": _noted}),
    "on_progress": (_noted, {"on_progress": _noted}),
    "lost_writes": (RECONCILE, {"lost_writes": RECONCILE}),
    "max_response_bytes": (13, {"max_response_bytes": 13}),
    "max_response_seconds": (14, {"max_response_seconds": 14}),
    "middleware": ([_around], {"middleware": (_around,)}),
}
"""Every option, with a value that is not its default, and what it changes of how calls are made."""


@pytest.mark.parametrize("kind", [SocialPublishing, AsyncSocialPublishing])
@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_is_what_it_is_named_and_no_other(name: str, kind: type[Any]) -> None:
    """Given to the constructor or to `with_options`; a copy of a copy keeps it."""
    value, changes = OPTIONS[name]
    given: dict[str, Any] = {**ADDRESSES, "api_token": TOKEN}
    plain, made = kind(**given), kind(**given, **{name: value})
    assert made.options == plain.options._replace(**changes)
    other = "timeout" if name != "timeout" else "deadline"
    assert made.with_options(**{other: 99}).options == made.options._replace(**{other: 99})
    if name != "middleware":  # which is of the constructor alone
        assert plain.with_options(**{name: value}).options == made.options


@pytest.mark.parametrize("kind", [SocialPublishing, AsyncSocialPublishing])
def test_every_option_is_in_the_table(kind: type[Any]) -> None:
    arguments = inspect.signature(kind).parameters.keys()
    assert arguments - OPTIONS.keys() == {
        *("api_token", "base_url", "media_url", "rate_key", "rate_store", "http_client"),
    }
    assert inspect.signature(kind.with_options).parameters.keys() - {"self"} == (
        OPTIONS.keys() - {"middleware"}
    )


def test_the_arguments_of_the_client_are_in_the_page() -> None:
    """Those of its signature, with their defaults as they are, and what the docstring says."""
    section = _section("## The client")
    found = re.findall(
        r"^\| `(\w+)` \| [^\n]*? \| `([^`]*)` \| ([A-Z].*) \|$", section, re.MULTILINE
    )
    rows = {name: default for name, default, _ in found}
    signature = inspect.signature(SocialPublishing).parameters
    assert list(rows) == list(signature)
    said = _told(inspect.getdoc(SocialPublishing) or "", "Args")
    assert {e: _plain(text).lower() for e, _, text in found} == {e: said[e].lower() for e in said}
    for name, each in signature.items():
        assert eval(rows[name], vars(social_publishing)) == each.default
    options = inspect.signature(SocialPublishing.with_options).parameters
    shown = ", ".join(f"{name}=…" for name in options if name != "self")
    assert f"| `with_options({shown})` |" in section
    for name in ("send(call)", "close()", "with_clock(clock)", "rate_limit"):
        assert f"| `{name}` |" in section
    for name in ("API_TOKEN", "BASE_URL", "MEDIA_URL"):
        assert f"`SOCIAL_PUBLISHING_{name}`" in section


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_of_the_client_is_in_the_page(name: str) -> None:
    kind = getattr(social_publishing, name)
    section = _section(f"### class {name}")
    assert str(inspect.getdoc(kind)).splitlines()[0] in section
    for field in (*getattr(kind, "_fields", ()), *getattr(kind, "__struct_fields__", ())):
        assert f"`{field}`" in section or f"`{field}, " in section or f", {field}`" in section
    for member, value in vars(kind).items():
        if not member.startswith("_") and (
            inspect.isfunction(value) or isinstance(value, property)
        ):
            assert re.search(rf"^\| `{member}[`(]", section, re.MULTILINE), member


@pytest.mark.parametrize("name", models.__all__)
def test_a_model_is_in_the_page(name: str) -> None:
    """Each model with its fields or its codes, where links lead to it; sorted."""
    section = _section(f"### class {name}")
    kind = getattr(models, name)
    fields = getattr(kind, "__struct_fields__", ())
    rows = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    if inspect.isclass(kind) and issubclass(kind, enum.Enum):
        assert rows == list(kind.__members__)
        for member in kind:
            assert re.search(rf"^\| `{member.name}` \| `\W?{member.value}\W?` \|$", section, re.M)
    else:
        assert rows == list(fields)
    headings = re.findall(r"^### class (\w+)$", API.split("## Models and codes")[1], re.MULTILINE)
    assert headings == sorted(models.__all__, key=str.lower)


def test_types_lead_to_their_classes() -> None:
    """What methods take and give is a link, wherever it has a heading."""
    known = set(re.findall(r"^### class (\w+)$", API, re.MULTILINE))
    for line in API.splitlines():
        if line.startswith("Returns "):
            plain = re.sub(r"\[`\w+`\]\(#[\w-]+\)", "", line.partition(": ")[0])
            assert not known & set(re.findall(r"\w+", plain)), line
    assert "[`Post`](#class-post)" in _section("### posts.list")
    assert "[`PinterestTarget`](#class-pinteresttarget)" in _section("### posts.update")


READY = Response(200, {"status": "done", "data": {"id": ID, "is_processing": False}, "error": None})
LAST_PAGE = Response(200, {"data": [{"id": ID}], "meta": {"next_page_url": None}})


def _blocks(text: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def test_the_readme_names_each_dependency() -> None:
    project = tomllib.loads((CLIENT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.match("[a-z0-9]+", each)[0] for each in project["dependencies"]}  # type: ignore[index]
    said = next(line for line in README.splitlines() if line.startswith("- Depends only on"))
    assert {*re.findall("`(.+?)`", said)} == needed


@pytest.mark.parametrize("number", range(len(_blocks(README))))
def test_examples_of_the_readme_run(
    number: int,
    client: SocialPublishing,
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Every block of Python in README.md runs as it stands, and sends what it says."""
    block = _blocks(README)[number]
    for name, value in (
        ("API_TOKEN", TOKEN),
        ("BASE_URL", server.base_url),
        ("MEDIA_URL", server.media_url),
    ):
        monkeypatch.setenv(f"SOCIAL_PUBLISHING_{name}", value)
    assert "…" not in block
    (tmp_path / "launch.mp4").write_bytes(b"0")
    monkeypatch.chdir(tmp_path)
    if ".pages()" in block:
        server.answers.extend([LAST_PAGE, LAST_PAGE])
    elif "for post in" in block:
        server.answers.append(LAST_PAGE)
    scope = {"__name__": "__main__", "client": client}
    exec(compile(block, f"README.md, block {number + 1}", "exec"), scope)
    lists = 1 if ".pages()" in block else 0  # it is gone through twice
    changes = block.count("client.groups.update")
    call = r"(?:client|watched)\.(?:with_options\(.*?\)\.)?(?:posts|groups|media)\."
    calls = re.findall(call, block)
    assert len(server.requests) == len(calls) + lists + changes
    assert bool(capsys.readouterr().out) == ("print" in block and "except" not in block)


def test_examples_of_the_api_page_run(
    client: SocialPublishing,
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every block of Python in api.md runs, one for each method, and fits the document."""
    (tmp_path / "launch.mp4").write_bytes(b"0")
    monkeypatch.chdir(tmp_path)
    for block in _blocks(API):
        if "for item in" in block:
            server.answers.append(LAST_PAGE)
        if "wait_until_ready" in block:
            server.answers.append(READY)
        if "posts.get(" in block:
            server.answers.append(Response(200, [{"id": "9032915132417572872"}]))
        exec(compile(block, "api.md", "exec"), {"client": client})
    called = [request.operation for request in server.requests]
    for operations in EXTRA.values():
        for operation in operations:
            called.remove(operation)
    assert len(called) == len(set(called)) == len(METHODS)


@pytest.mark.parametrize("method", METHODS)
def test_the_example_of_a_docstring_runs(
    method: str,
    client: SocialPublishing,
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It can be typed as it stands, and sends the request that it is about."""
    (tmp_path / "launch.mp4").write_bytes(b"0")
    monkeypatch.chdir(tmp_path)
    if "for " in (example := _docstrings()[method].partition("\nExample:\n")[2]):
        server.answers.append(LAST_PAGE)
    lines = re.findall(r"^    (?:>>>|\.\.\.) (.*)", example, re.MULTILINE)
    exec(compile("\n".join(lines), method, "exec"), {"client": client})
    assert [request.operation for request in server.requests] == [operation_of(method).id]


@pytest.mark.parametrize("method", METHODS)
def test_help_shows_a_method(method: str) -> None:
    """`help`, tracebacks and editors show the method as if it were written out."""
    resource, name = method.split(".")
    for kind in (SocialPublishing, AsyncSocialPublishing):
        client = kind(api_token="t", **ADDRESSES)
        bound = getattr(getattr(client, resource), name)
        assert bound.__name__ == name
        assert bound.__qualname__.endswith(f"Resource.{name}")
        signature = inspect.signature(bound)
        assert "Request[" not in str(signature.return_annotation)
        pager = "Pager[" in str(signature.return_annotation)
        awaited = kind is AsyncSocialPublishing and not pager
        # Around a deprecated one stands a function that is no coroutine before Python 3.12.
        assert inspect.iscoroutinefunction(inspect.unwrap(bound)) is awaited
