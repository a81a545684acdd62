"""Every refusal and every effect of the sandbox cites a section or a gap (§7, the gap register)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_descriptions_of_spec import WORDS, stems
from wire import FROM, GROUP, NETWORKS, SERIES, TASKS, TO, Ids, Wire

import social_publishing_sandbox
from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.reference import notes as gaps
from social_publishing_sandbox.state import documents
from tests.support.documents import operations

CONFIRMED = {
    gap
    for document in documents.load().documents
    for gap, entry in document.data.get("x-gaps", {}).items()
    if "evidence" in entry
}
"""The gaps of which an overlay has the truth: what was one is a fact of its section by now."""
NAMED = {
    argument.name
    for operation in operations().values()
    for argument in operation.arguments.values()
    if CONFIRMED.intersection(argument.node.get("x-confirmed", ()))
}
ROOT = Path(social_publishing_sandbox.__file__).parent
REFUSING = ("state", "api")
CHANGING = ("state/posting.py", "state/publishing.py", "api/operations")
ACCOUNT = "/social-accounts/{threads:bread}"
STORED = {"post", "detail", "note", "group", "account", "label", "doc"}
"""What functions call the objects that are stored."""

SECTION, GAP = re.compile(r"§[0-9]+(?:\.[0-9]+)*"), re.compile(r"`([A-Za-z]+(?:\.[A-Za-z]+)+)`")
BACK = {"start_date": "2026-12-08T09:00:00Z", "end_date": "2026-12-07T09:00:00Z"}
WINDOW_BACK = f"{FROM}=2026-12-08T09:00:00Z&{TO}=2026-12-07T09:00:00Z"
WINDOW_60 = f"{FROM}=2026-12-01T00:00:00Z&{TO}=2027-01-30T00:00:00Z"
ZONES = "replaceGroup.timezone"
IN_FULL = ["limits.integers", "replaceGroup.required", "§2.6", "§4.2"]
NULLED = ["updatePost.null", "§4.1.1"]
NULLS = (
    *("publication_date", "gb_start_date", "gb_end_date", "customized", "first_comments"),
    *("li_poll", "tw_poll", "th_poll", "pi_boards", "pi_sections", "yt_categories"),
    "yt_playlists",
)
"""What is null when it is read, and has another form when it is sent."""
STATED = {
    # the sentence of a refusal, or its beginning: the section that it cites, and its words
    "Select at least one account to publish on.": ("§1", "A post targets one or more social"),
    "calendar note": ("§2.9", "is_private True shows the note only to its author"),
    "A strict approval workflow requires an": (
        "§3",
        "in strict approval mode an assigned approver is",
    ),
    "A strict approval workflow requires approval": (
        "§3",
        "in strict approval mode an assigned approver is",
    ),
    "The token is no longer valid.": ("§5", "A missing or invalid token yields an"),
    "": ("§5", "Every request requires bearer authentication"),  # what is wrong with the token
    "The request must accept": ("§5", "Requests also carry Accept application/json"),
    "The body must have the content type": ("§5", "JSON body carry Content-Type application/json"),
    "Only the author of a note": ("§5", "Only the author of a calendar note can mark it private"),
    "There is no operation": ("§4", "All authenticated. Paths are relative to"),
    "Too many requests:": ("§8", "requests per minute per authenticated user"),
    "The file is larger than": ("§8", "Upload size at most 2048 MB"),
    "The group is full: it has its maximum of": (
        "§4.2",
        "max_social_accounts limits the accounts in the group",
    ),
    "The service cannot remove posts": ("§4.1", "the service cannot remove posts from the"),
    "There is no such date: {}.": ("§4.4 §4.1.1", "date"),
    "The label belongs to a group": ("§2.10", "set label available only in that group"),
    "First comments cannot": ("§2.2.1", "an object keyed by linkedin instagram facebook"),
    "The identifier in the path": ("§2.1", "a 64-bit unsigned integer"),
    "The body is not JSON": ("§1", "Wire format JSON"),
    "A file must be sent as multipart": ("§4.7", "multipart/form-data with part file"),
    "The Content-Type must name a boundary": ("§4.7", "multipart/form-data"),
    "The body does not begin with": ("§4.7", "multipart/form-data"),
    "The form is not valid": ("§4.7", "multipart/form-data"),
    "The body is empty": ("§4.7", "multipart/form-data"),
    "The form is cut off": ("§4.7", "multipart/form-data"),
    "{} has no Content-Disposition": ("§4.7", "multipart/form-data"),
    "The form has no part named file.": ("§4.7", "with part file"),
    "The part named file has no file": ("§4.7", "part file the file"),
    "The file must have one of": ("§4.7", "allowed extensions heic avif webp"),
}
"""What the code cites for each refusal, and what that section says of it."""


def _places(
    document: documents.Document, node: documents.Json, place: tuple[str, ...]
) -> Iterator[tuple[str, ...]]:
    """Yield every place in a body: names of members, keys of maps, "" for an entry of a list."""
    yield place
    schema = document.resolve(node)
    for name, inner in schema.get("properties", {}).items():
        yield from _places(document, inner, (*place, name))
    if "items" in schema:
        yield from _places(document, schema["items"], (*place, ""))
    if isinstance(inner := schema.get("additionalProperties"), dict):
        names = document.resolve(schema.get("propertyNames", {}))
        yield from _places(document, inner, (*place, names.get("enum", ["1"])[0]))


FLAGS = f"{NETWORKS} {TASKS} {SERIES}"
UPDATED = [
    ".".join(each for each in place if each not in ("", "1"))
    for document in documents.load().documents
    if (operation := document.operations.get("updatePost"))
    for place in _places(document, operation.body or {}, ())
    if place and not stems(" ".join(place)).keys() - WORDS["4.1.1"] - WORDS["2.1"]
]
"""What an update takes: §4.1.1 is a table of its fields with their forms, §2.1 of networks."""
NOTE = "title start_date end_date group_id content color is_private visible_for_client"
RULES = {
    # "integer, at least 64 bits, transmitted as strings"; the codes of colours and weekdays
    ("§2.1", "type format pattern"): "post postId group groupId socialAccount socialAccountIds"
    " calendarNote calendarNoteId label mediaId ids group_id default_assignee_ids post_ids labelIds"
    " assigneesIds selectedAccountIds selected_media_ids customized.twitter.media_ids"
    " first_comments.socialAccountIds first_comments.customized.socialAccountIds",
    ("§2.1", "type enum"): "color week_start_day",
    ("§2.6", "type enum"): "type",
    ("§2.6", "type"): "default_everyone_must_approve default_assignee_ids",
    ("§4.1", "type"): f"ids include socialAccountIds is_draft post_ids {FLAGS}",
    ("§4.1", "maxItems"): "ids",
    ("§4.1.1", "type"): " ".join(UPDATED),
    ("§4.1.1", "pattern"): "publication_date gb_start_date gb_end_date",
    ("§4.1.1", "propertyNames"): "customized pi_boards pi_sections yt_categories yt_playlists",
    ("§4.2", "type"): "include name timezone note max_social_accounts",
    ("§4.2", "maxLength"): "name note",
    ("§4.2", "minLength"): "timezone",  # an empty name is none that is valid
    ("§4.2", "minimum"): "max_social_accounts",
    ("§4.2", "required"): "name timezone type week_start_day note max_social_accounts"
    " default_everyone_must_approve default_assignee_ids",  # "all fields must be included"
    ("§4.4", "type"): f"{NOTE} {FLAGS}",
    ("§4.4", "format"): "start_date end_date",
    ("§4.4", "maxLength"): "title content",
    ("§4.4", "anyOf"): "group_id",  # "string|null"
    ("§4.4", "required"): NOTE,  # "all fields must be included"
    ("§4.5", "type"): "name",
    ("§4.7", "type"): "file_url",
}
"""What each section states of parameters and fields, from the specification and by hand."""


def grounds() -> set[str]:
    """What can be cited: the sections of the documents, and the gaps as the sandbox has them."""
    found = set()
    for document in documents.load().documents:
        found |= {f"§{each}" for each in document.data["x-sections"]}
        found |= {each.id for each in gaps.of(document.data)}
    return found


def sources(places: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for place in places:
        path = ROOT / place
        for each in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            yield str(each.relative_to(ROOT)), each.read_text(encoding="utf-8")


def unknown_citations(source: str, known: set[str]) -> list[str]:
    """Return what some code cites that is no section and no gap: in an argument `cites`, or in a
    variable with `cites` or `gap` in its name.
    """
    values = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.keyword(arg="cites", value=value):
                values.append(value)
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                values += [value] if re.search("cites|gap", name.lower()) else []
    return [text for value in values for text in _results(value) if text not in known]


def _results(value: ast.AST) -> Iterator[str]:
    """Return the texts that an expression can result in, and not those that it looks at."""
    match value:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp():
            yield from _results(value.body)
            yield from _results(value.orelse)
        case ast.Dict():
            for each in value.values:
                yield from _results(each)
        case ast.Tuple():
            for item in value.elts:
                yield from _results(item)


def refusals_without(source: str) -> list[int]:
    """Return the lines at which a refusal is made that cites nothing."""
    makers = {"Refusal", "invalid", "forbidden", "not_found"}
    return [
        call.lineno
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in makers
        and not any(each.arg == "cites" for each in call.keywords)
    ]


def effects_without(source: str, known: set[str]) -> list[str]:
    """Return the functions that change what is stored and whose docstring cites nothing known."""
    found = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _changes(node):
            text = ast.get_docstring(node) or ""
            cited = {*SECTION.findall(text), *GAP.findall(text)}
            if not cited & known or not set(SECTION.findall(text)) <= known:
                found.append(node.name)
    return found


def _changes(function: ast.AST) -> bool:
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name)), *_]):
                changed = name in STORED
            case ast.Delete(targets=[ast.Subscript(value=ast.Name(id=name)), *_]):
                changed = name in STORED
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="pop" | "update")):
                changed = name in STORED
            case ast.Call(func=ast.Attribute(attr="put" | "remove" | "plan" | "unplan")):
                changed = True
            case _:
                changed = False
        if changed:
            return True
    return False


@pytest.mark.parametrize(("name", "source"), [*sources(REFUSING)])
def test_every_refusal_cites_a_section_or_a_gap(name: str, source: str) -> None:
    assert not unknown_citations(source, grounds()), name
    assert not refusals_without(source), name


@pytest.mark.parametrize(("name", "source"), [*sources(CHANGING)])
def test_every_effect_cites_a_section_or_a_gap(name: str, source: str) -> None:
    assert not effects_without(source, grounds()), name


@pytest.mark.parametrize(
    ("method", "path", "body", "token", "cites"),
    [
        ("POST", "/labels", {"name": "News"}, None, ["createLabel.names"]),
        ("POST", "/labels", {}, None, ["createLabel.required"]),
        ("POST", "/labels", {"name": 5}, None, ["§4.5"]),
        ("POST", "/labels", {"name": "x"}, "cleo", ["auth.permissions"]),
        ("POST", "/labels", {"name": "x"}, "nobody", ["§5"]),
        ("POST", "/nothing", {}, None, ["§4"]),
        ("GET", "/posts", None, None, ["§4.1"]),
        ("GET", "/posts?groupId=1", None, None, ["ids.unknown"]),
        ("GET", "/posts?groupId=007", None, None, ["ids.form"]),
        ("GET", "/posts?groupId={Garage}", None, "tom", ["auth.permissions"]),
        ("GET", "/posts?groupId={Bakery}&page=0", None, None, ["paging.parameters"]),
        ("GET", "/groups/x", None, None, ["§2.1"]),
        ("GET", "/posts-bulk?ids=", None, None, ["bulk.empty"]),
        ("GET", f"/posts-bulk?ids={','.join('1' * 201)}", None, None, ["§4.1"]),
        ("DELETE", "/posts-bulk", None, None, ["deletePosts.required"]),
        ("DELETE", f"/posts-bulk?ids=1&{TASKS}=maybe", None, None, ["query.booleans"]),
        ("PATCH", "/posts/{Rolls}", {"publication_date": "2026-12-01"}, None, ["§4.1.1"]),
        ("PATCH", "/posts/{Rolls}", {"labelIds": ["1"]}, None, ["ids.unknown"]),
        ("PATCH", "/posts/{Rolls}", {"labelIds": ["01"]}, None, ["ids.form"]),
        *(("PATCH", "/posts/{Rolls}", {name: None}, None, NULLED) for name in NULLS),
        ("PATCH", "/posts/{Rolls}", {"visible_for_client": None}, None, ["§4.1.1"]),
        ("PUT", "/groups/{Bakery}", {}, None, ["replaceGroup.required", "§4.2"]),
        ("PUT", "/calendar-notes/{NOTE}", {}, None, ["replaceCalendarNote.required", "§4.4"]),
        ("GET", f"/calendar-notes?{WINDOW_BACK}", None, None, ["dates.order"]),
        ("GET", f"/calendar-notes?{WINDOW_60}", None, None, ["§4.4"]),
        ("GET", f"/calendar-notes?{FROM}=1&{TO}=2", None, None, ["notes.range.format"]),
        ("POST", "/calendar-notes/{NOTE}/reschedule", BACK, None, ["dates.order"]),
        ("PUT", "/groups/{Bakery}", {**GROUP, "timezone": "Mars/Olympus"}, None, [ZONES]),
        ("PUT", "/groups/{Bakery}", {**GROUP, "timezone": ""}, None, [ZONES, "§4.2"]),
        ("PATCH", f"{ACCOUNT}/group", {}, None, ["moveSocialAccount.required"]),
        ("GET", "/calendar-notes", None, None, ["notes.range.start", "notes.range.end"]),
        ("PUT", "/groups/{Bakery}", {"type": 10**30}, None, IN_FULL),
    ],
)  # fmt: skip
def test_a_refused_request_shows_what_the_refusal_rests_on(
    sandbox: Sandbox,
    known: Ids,
    method: str,
    path: str,
    body: object,
    token: str | None,
    cites: list[str],
) -> None:
    if "{NOTE}" in path or "{Rolls}" in path:
        note = sandbox.create_note(title="A note", **{**BACK, "end_date": BACK["start_date"]})
        post = sandbox.create_post(selectedAccountIds=[known["threads:bread"]])
        known = {**known, "NOTE": note["id"], "Rolls": post["id"]}
    path = re.sub(r"\{([^}]+)\}", lambda found: known[found[1]], path)
    Wire(sandbox, token)(method, path, body)
    found = sandbox.requests()[-1].cites
    stated = {each for each in found if each.startswith("§")} if CONFIRMED & {*cites} else set()
    assert sorted({*found} - stated) == sorted({*cites} - CONFIRMED - stated)
    assert stated or not CONFIRMED & {*cites}


def test_a_request_that_is_carried_out_cites_nothing(sandbox: Sandbox, wire: Wire) -> None:
    wire.post("/labels", {"name": "New"})
    assert sandbox.requests()[-1].cites == ()


def test_cited_sections_state_what_they_are_cited_for() -> None:
    found = {each for _, source in sources(REFUSING) for each in cited_sentences(source)}
    unstated = []
    for section, sentence in sorted(found):
        begun = [each for each in STATED if sentence.startswith(each) and (each or not sentence)]
        if not any(section in STATED[each][0].split() for each in begun):
            unstated.append((section, sentence))
    assert unstated == []
    for sentence, (sections, said) in STATED.items():
        for section in sections.split():
            missing = stems(said).keys() - WORDS[section[1:]]
            assert not missing, (sentence, section)
        assert any(each.startswith(sentence) for _, each in found), sentence


def cited_sentences(source: str) -> Iterator[tuple[str, str]]:
    """Yield each section that a refusal cites, with its sentence; `{}` is what is put in."""
    tree = ast.parse(source)
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        said: dict[str, str] = {}
        for node in sorted(ast.walk(function), key=lambda each: getattr(each, "lineno", 0)):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    said[name] = template(value, said)
                case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                    for each, value in zip(names, values, strict=True):
                        before = said.get("cites", "") if ast.unparse(each) == "cites" else ""
                        said[ast.unparse(each)] = before + template(value, said)
                case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if (
                    name in REFUSERS
                ):
                    sections = re.findall(r"'(§[0-9.]+)'", ast.dump(node))
                    sections += re.findall("§[0-9.]+", said.get("cites", ""))
                    sections += ["§4.7"] * (name == "BadForm" and len(node.args) == 1)
                    sentence = max((template(each, said) for each in node.args), key=len)
                    yield from ((each, sentence) for each in dict.fromkeys(sections))


REFUSERS = {"Refusal", "BadForm", "add", "invalid", "forbidden", "not_found", "_bad_body", "_error"}


def template(node: ast.AST, said: dict[str, str]) -> str:
    """Return the sentence that an expression makes; nothing for what makes none."""
    match node:
        case ast.Constant(value=str(text)):
            return text if " " in text or text.startswith("§") else ""
        case ast.JoinedStr(values=values):
            pieces = [each.value if isinstance(each, ast.Constant) else "{}" for each in values]
            return "".join(map(str, pieces))
        case ast.Name(id=name):
            return said.get(name, "")
        case ast.Tuple(elts=inner) | ast.List(elts=inner) | ast.Dict(values=inner):
            return " ".join(filter(None, (template(each, said) for each in inner)))
        case ast.BinOp(left=left):
            return template(left, said)
    return ""


def test_each_section_cited_for_a_value_states_the_rule() -> None:
    """Every parameter and field, with values of every kind: what refuses it stands in that §."""
    stated = {
        (section, rule, field)
        for (section, rules), fields in RULES.items()
        for rule in rules.split()
        for field in fields.split()
    }
    found = {
        (section, rule, field)
        for document in documents.load().documents
        for operation in document.operations.values()
        for section, rule, field in _cited(document, operation)
        if field and section.startswith("§") and field not in NAMED
    }
    assert found - stated == set(), "once the section states it, add it to RULES"
    assert {section for section, _, _ in found} == {section for section, _ in RULES}
    assert ("§4.2", "minimum", "max_social_accounts") in found, "stated, though null is assumed"


def _cited(
    document: documents.Document, operation: documents.Operation
) -> Iterator[tuple[str, str, str]]:
    """Yield what refusals of wrong values cite, with the rule and the parameter or field."""
    wrong = [None, True, 0, 1.5, "x" * 600, "", {"x": 1}, {}, [None], ["1"] * 201]
    for parameter in operation.parameters:
        for value in wrong:
            for problem in parameter.validator.iter_errors(value):
                cited = document.cite(parameter.schema, problem, parameter.value_cites)
                yield cited[0], problem.kind.name, parameter.name
    if operation.body is None or operation.body_validator is None:
        return
    for place in _places(document, operation.body, ()):
        for value in wrong:
            body: object = value
            for step in reversed(place):
                body = [body] if step == "" else {step: body}
            for problem in operation.body_validator.iter_errors(body):
                cited = document.cite(operation.body, problem, operation.section)
                own = [str(step) for step in problem.instance_path if not isinstance(step, int)]
                named = str(problem.kind.as_dict().get("property", ""))
                field = ".".join([*own, *([named] if problem.kind.name == "required" else [])])
                if "x" not in own:  # a name that the value itself has brought along
                    yield cited[0], problem.kind.name, field


@pytest.mark.parametrize(
    ("fields", "cites"),
    [
        ([("file", "a.png", b"")], "upload.content"),
        ([("file", "a.png", b"x"), ("file", "b.png", b"x")], "upload.content"),
        ([("file", "a.exe", b"x")], "§4.7"),
        ([("other", "a.png", b"x")], "§4.7"),
        ([("other", "a.png", b"x")] * 101, "upload.form"),
        ([("other", "a.png", b"x" * (1 << 20) + b"x")], "upload.form"),
        ([("o" * 8200, "a.png", b"x")], "upload.form"),
    ],
)
def test_a_form_that_is_refused(
    sandbox: Sandbox, wire: Wire, fields: list[tuple[str, str, bytes]], cites: str
) -> None:
    body = b"".join(
        b'--x\r\nContent-Disposition: form-data; name="%s"; filename="%s"\r\n\r\n%s\r\n'
        % (name.encode(), file.encode(), content)
        for name, file, content in fields
    )
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    wire("POST", "/upload", media=True, content=body + b"--x--\r\n", headers=headers)
    assert sandbox.requests()[-1].cites == (cites,)


def test_an_address_on_a_host_that_is_not_allowed(sandbox: Sandbox, wire: Wire) -> None:
    wire("POST", "/upload/url/sync", {"file_url": "https://example.org/a.png"}, media=True)
    assert sandbox.requests()[-1].cites == ("uploadFromUrl.addresses",)
