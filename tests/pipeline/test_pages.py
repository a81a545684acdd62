"""Pages that call assumed what is confirmed by now are named, by `lint` and by `generate`."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from generate_support import confirming, copy_project

from pipeline.cli import main
from pipeline.config import load_config
from pipeline.steps import Effective, effective

ROOT = Path(__file__).parents[2]
UNKNOWN = "and this calls it assumed or unknown; say what is true"
OLD = "which was assumed; say what is true"
CONFIRMED = """\
overlay: 1.1.0
info: {title: Support, version: '1'}
actions:
  - target: $
    update: {x-assume: {updatePost: {labelIds: added}}}
    x-confirmed: {gap: updatePost.labelIds, evidence: Seen.}
"""


def confirmed(folder: Path, main: str, media: str = "", *pages: Path) -> Effective:
    """Return what comes of the project's documents where overlays confirm something of them."""
    overlays = {"main": main, **({"media": media} if media else {})}
    return effective(replace(confirming(folder, **overlays), prose=pages))


def of_pages(made: Effective, folder: Path) -> list[str]:
    """What is said of the pages in a folder; our own docstrings have notes, too."""
    found = [each for each in made.findings if each.rule == "page" and each.position]
    return [str(e) for e in found if e.position and Path(e.position.file).is_relative_to(folder)]


def test_a_page_that_calls_assumed_what_is_confirmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy_project(tmp_path)
    page = tmp_path / "docs/labels.md"
    page.parent.mkdir()
    page.write_text(
        "# Labels\n\nThey replace (`updatePost.labelIds`).\n\nWe assume so\n(`updatePost.labelIds`)"
        ", and that `updatePost.lists` does.\n",
        encoding="utf-8",
    )
    for name in ("README.md", "sandbox/README.md", "cli/README.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("Nothing.\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["lint"]) == 0 and "docs/labels.md" not in capsys.readouterr().out
    (tmp_path / "overlays/confirmed/main/support.yaml").write_text(CONFIRMED, encoding="utf-8")
    assert main(["lint"]) == 0
    words = f"updatePost.labelIds is confirmed, {UNKNOWN}"
    said = [f"docs/labels.md:{line}:1: {words}" for line in (3, 5)]
    shown = capsys.readouterr().out
    assert [shown.count(each) for each in said] == [1, 1]
    assert main(["generate"]) == 0
    shown = capsys.readouterr().err
    assert all(each in shown for each in said)


STATUS = """\
overlay: 1.1.0
info: {title: Support, version: '1'}
actions:
  - target: $
    update: {x-rate-limit: {status: 503}}
    x-confirmed: {gap: rateLimit.status, evidence: Seen.}
  - target: $.paths['/calendar-notes'].get.parameters[?@['x-window']].schema
    update: {format: date}
    x-confirmed: {gap: notes.range.format, evidence: Seen.}
  - target: $
    update: {x-assume: {listOrder: oldest first}}
    x-confirmed: {gap: lists.order, evidence: Seen.}
  - target: $.components.schemas.PostUpdate.properties['publication_date', 'gb_start_date']
    update: {x-timezone: Europe/Berlin}
    x-confirmed: {gap: updatePost.timezone, evidence: Seen.}
"""
FAILED = """\
overlay: 1.1.0
info: {title: Support, version: '1'}
actions:
  - target: $
    update: {x-assume: {mediaStatus: {processing: processing, ready: ready, failed: broken}}}
    x-confirmed: {gap: media.transitions, evidence: Seen.}
  - target: $.components.schemas.MediaState
    update: {x-extensible-enum: [processing, ready, broken]}
    x-confirmed: {gap: media.status, evidence: Seen.}
"""


def test_a_page_that_states_what_was_assumed(tmp_path: Path) -> None:
    """A value is found where no gap is named; so are the calls whose arguments are others now."""
    sentences = [
        "A 429 stops all requests.",
        "You may get 4290 of them, 1,429 or x-429.",
        "A 503 stops all requests.",
        "`client.calendar_notes.list(start=monday)` gives a week.",
        "`client.posts.list()` gives posts.",
        "It is `processing`; what failed stays.",
        "At last it is `failed`.",
        "`media.status` reads it (`media.status`).",
        "We assume the words (`media.status`).",
        "The order of a list is the newest\nfirst.",
        "`publication_date` is sent in UTC.",
        "The same sum in UTC moves a post.",
        "`post.gb_start_date` is in UTC, and `date-time` is a format of `created_at`.",
    ]
    page = tmp_path / "page.md"
    page.write_text("\n\n".join(sentences) + "\n", encoding="utf-8")
    made = confirmed(tmp_path, STATUS, FAILED, page)
    assert of_pages(made, tmp_path) == [
        f"{page}:1:1: rateLimit.status is confirmed, and this says 429, {OLD} [page]",
        f"{page}:7:1: notes.range.format is confirmed, and this calls calendar_notes.list; run it"
        " [page]",
        f"{page}:13:1: media.transitions is confirmed, and this says failed, {OLD} [page]",
        f"{page}:17:1: media.status is confirmed, {UNKNOWN} [page]",
        f"{page}:19:1: lists.order is confirmed, and this says newest first, {OLD} [page]",
        *(
            f"{page}:{line}:1: updatePost.timezone is confirmed, and this says UTC, {OLD} [page]"
            for line in (22, 26)
        ),
    ]


LESS = """\
overlay: 1.1.0
info: {title: Support, version: '1'}
actions:
  - target: $.components.schemas.Media.properties.size
    update: {description: Size of the file on disk.}
    x-confirmed: {gap: media.size, evidence: Seen.}
  - target: $
    update: {x-assume: {networks: {threads: {limits: {media missing: 1}}}}}
    x-confirmed: {gap: networks.needs, evidence: Seen.}
  - target: $.components.schemas.PostsOverview.properties.missedReview
    update: {description: Post groups that missed a deadline.}
    x-confirmed: {gap: post.group, evidence: Seen.}
  - target: $
    update: {x-assume: {listOrder: oldest first}}
    x-confirmed: {gap: lists.order, evidence: Seen.}
  - target: $.paths['/posts-bulk']['get', 'delete'].parameters[?@.name == 'ids'].schema
    update: {description: An empty list is no post.}
    x-confirmed: {gap: bulk.empty, evidence: Seen.}
  - target: $.paths['/posts'].get.responses
    update: {'400': {$ref: '#/components/responses/ValidationError'}}
    x-confirmed: {gap: errors.listPosts, evidence: Seen.}
"""


def test_what_code_cannot_follow_is_said(tmp_path: Path) -> None:
    """A word that was assumed and is gone, and what is confirmed in words alone; nothing else."""
    made = confirmed(tmp_path, LESS)
    notes = [each for each in made.findings if each.severity == "note"]
    assert len(notes) == len(made.findings)
    (usual,) = (each.message for each in notes if each.rule == "responses")
    assert usual.startswith("GET /posts has no response 401;"), "it may well have none"
    found = [each for each in notes if each.rule == "gaps"]
    assert [(each.position.line, each.message) for each in found if each.position] == [
        (4, "gap media.size is confirmed without what was assumed of"
            " components.schemas.Media.properties.size.x-unit: a test server and a command fall"
            " back to a default; confirm it, too"),
        (7, "gap networks.needs is confirmed without what was assumed of"
            " x-assume.networks.instagram.limits.media missing,"
            " x-assume.networks.tiktok.limits.media missing,"
            " x-assume.networks.pinterest.limits.media missing and 4 more: a test server and a"
            " command fall back to a default; confirm it, too"),
        (10, "gap post.group is confirmed in words alone: the client's texts repeat them, and code"
             " follows none"),
    ]  # fmt: skip


FORMS = """\
overlay: 1.1.0
info: {title: Support, version: '1'}
actions:
  - target: $.components.schemas.Post.properties.labels.items
    update:
      type: object
      properties: {id: {type: string, description: I.}, title: {type: string, description: T.}}
    x-confirmed: {gap: post.labels, evidence: Seen.}
  - target: $.components.schemas.Post.properties.comments
    update: {items: {type: object, properties: {text: {type: string, description: T.}}}}
    x-confirmed: {gap: post.comments, evidence: Seen.}
  - target: $.components.schemas.Post.properties.approvals.items
    update: {$ref: '#/components/schemas/User'}
    x-confirmed: {gap: post.approvals, evidence: Seen.}
  - target: $.components.schemas.Post.properties.tasks.items
    update: {type: object}
    x-confirmed: {gap: post.tasks, evidence: Seen.}
  - target: $.components.schemas.Post.properties.details.items
    update: {$ref: '#/components/schemas/PostDetail'}
    x-confirmed: {gap: post.details, evidence: Seen.}
"""
FEWER = """\
overlay: 1.1.0
info: {title: Support, version: '1'}
actions:
  - target: $.components.schemas.Post.properties['comments', 'labels', 'note']
    remove: true
    x-confirmed: {gap: post.comments, evidence: Seen.}
  - target: $.components.schemas.Group.properties.socialAccountsCount
    remove: true
    x-confirmed: {gap: getGroup.include, evidence: Seen.}
"""


def test_what_of_another_form_is_not_followed_is_said(tmp_path: Path) -> None:
    """Members that are gone, and new ones; a component, and any object, are followed."""
    made = confirmed(tmp_path, FORMS)
    found = [each for each in made.findings if each.rule == "gaps"]
    assert [(each.position.line, each.message) for each in found if each.position] == [
        (4, "gap post.labels is confirmed in another form; a command finds nothing where it read"
            " organization_id, group_id, name and 1 more; a test server gives title only where it"
            " stores that name"),
        (9, "gap post.comments is confirmed in another form; a test server gives text only where it"
            " stores that name"),
    ]  # fmt: skip


def test_an_argument_that_offers_what_is_gone_is_named(tmp_path: Path) -> None:
    """By its own name, or by the one that it has among the argument's values."""
    found = [each for each in confirmed(tmp_path, FEWER).findings if "still offers" in each.message]
    end = "confirm the gap of its values without it, too"
    assert sorted(each.message for each in found) == [
        "getGroup.include is confirmed: socialAccountsCount of Group is gone, and include of"
        f" groups.get still offers socialAccountsCount; {end}",
        "post.comments is confirmed: comments of Post is gone, and include of posts.list still"
        f" offers postComments; {end}",
        "post.comments is confirmed: labels of Post is gone, and include of posts.list still"
        f" offers labels; {end}",
    ]
    assert {Path(each.position.file).name for each in found if each.position} == {"relations.yaml"}


WRAPPED = """\
overlay: 1.1.0
info: {title: Support, version: '1'}
actions:
  - target: $
    update: {x-assume: {listOrder: oldest first}}
    x-confirmed: {gap: lists.order, evidence: Seen.}
  - target: $.components.schemas.BulkDraftUpdate.properties.post_ids
    update: {maxItems: 50}
    x-confirmed: {gap: setPostsDraft.maximum, evidence: Seen.}
  - target: $.paths['/posts'].get.parameters
    update: [{name: status, in: query, description: The state., schema: {type: integer}}]
    x-confirmed: {gap: listPosts.parameters, evidence: Seen.}
  - target: $.components.schemas.CalendarNote
    update: {properties: {series: {type: string, description: The series.}}}
    x-confirmed: {gap: notes.series, evidence: Seen.}
  - target: $.paths['/calendar-notes'].get.responses
    update: {'200': {description: The notes, content: {application/json: {schema: {type: object}}}}}
    x-confirmed: {gap: success.listCalendarNotes, evidence: Seen.}
"""


def test_an_error_elsewhere_names_what_was_confirmed(tmp_path: Path) -> None:
    """A filter is an argument of the client's own: one of the service is never put in its place."""
    made, file = confirmed(tmp_path, WRAPPED), tmp_path / "main/support.yaml"
    errors = [each for each in made.findings if each.severity == "error"]
    assert [each.message for each in errors] == [
        "x-filters: there is already an argument status; where the service compares by itself,"
        " take this filter away; else name one of the two otherwise, a parameter by x-python-name;"
        f" since listPosts.parameters is confirmed at {file}:10:5: change what stands here, too",
        "x-split-window: needs a response that is a list of objects; since"
        f" success.listCalendarNotes is confirmed at {file}:16:5: change what stands here, too",
    ]


GONE = """\
overlay: 1.1.0
info: {title: Support, version: '1'}
actions:
  - target: $.paths['/posts-bulk'].delete.parameters[?@['x-gap'] == 'deletePosts.task']
    remove: true
    x-confirmed: {gap: deletePosts.task, evidence: There is none.}
"""


def test_what_a_client_says_of_what_is_confirmed_to_be_gone_is_left_out(tmp_path: Path) -> None:
    made, file = confirmed(tmp_path, GONE), tmp_path / "main/support.yaml"
    assert [each for each in made.findings if each.severity == "error"] == []
    (note,) = (each for each in made.findings if each.rule == "overlay-no-match")
    assert note.position is not None and "overlays/client/main.yaml" in note.position.file
    why = f"since deletePosts.task is confirmed at {file}:4:5 to be gone; left out"
    assert note.message.endswith(f"'deletePosts.task'] selects nothing, {why}")
    (operation,) = (
        each
        for path in made.documents["main"].data["paths"].values()
        for each in path.values()
        if isinstance(each, dict) and each.get("operationId") == "deletePosts"
    )
    assert len(operation["parameters"]) == 2


DOCSTRINGS = '''\
"""The order of lists is as in `lists.order`.

What the documents do not say is assumed,
that is,
their order (`lists.order`). No operation lists labels (§4.8,
`endpoints.missing`). A reason, such as `lists.order`, may be assumed. The words are assumed or
confirmed (`lists.order`). Much is assumed (`posts.order`).
"""


class Row:
    """One row.

    Attributes:
        order: as in `lists.order`.
    """

    async def first(self) -> None:
        """Give the first, in an order that is not documented (`lists.order`)."""
'''
KNOWN = """\
overlay: 1.1.0
info: {title: Support, version: '1'}
actions:
  - target: $
    update: {x-assume: {listOrder: oldest first}}
    x-confirmed: {gap: lists.order, evidence: Seen.}
  - target: $.paths['/labels'].post
    update: {description: Creates a label (§4.5).}
    x-confirmed: {gap: endpoints.missing, evidence: Seen.}
"""


def test_a_docstring_that_calls_assumed_what_is_confirmed(tmp_path: Path) -> None:
    """Each sentence by itself; one that names a gap without calling it a guess stays right."""
    (tmp_path / "code").mkdir()
    file = tmp_path / "code/module.py"
    file.write_text(DOCSTRINGS, encoding="utf-8")
    template = tmp_path / "code/page.html"
    template.write_text("<p>\nNo groups (§4.8, endpoints.missing).</p>\n", encoding="utf-8")
    made = confirmed(tmp_path, KNOWN, "", tmp_path / "code")
    said = [str(each) for each in made.findings if str(tmp_path / "code") in str(each)]
    assert said == [
        f"{file}:3:1: lists.order is confirmed, {UNKNOWN} [page]",
        f"{file}:5:1: endpoints.missing is confirmed, {UNKNOWN} [page]",
        f"{file}:19:1: lists.order is confirmed, {UNKNOWN} [page]",
        f"{template}:2:1: endpoints.missing is confirmed, {UNKNOWN} [page]",
    ]


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("\n\nx = (\n", 3, "'(' was never closed"),
        ("x = " + "(" * 300, 1, "too many nested parentheses"),
    ],
)
def test_what_is_no_python_module_is_named_and_passed_over(
    tmp_path: Path, text: str, line: int, why: str
) -> None:
    (tmp_path / "code").mkdir()
    wrong, right = (tmp_path / "code" / f"{name}.py" for name in ("wrong", "right"))
    wrong.write_text(f"{text}  # lists.order", encoding="utf-8")
    right.write_text('"""Its order is assumed (`lists.order`)."""', encoding="utf-8")
    made = confirmed(tmp_path, KNOWN, "", tmp_path / "code")
    assert sorted(of_pages(made, tmp_path)) == [
        f"{right}:1:1: lists.order is confirmed, {UNKNOWN} [page]",
        f"{wrong}:{line}:1: is no Python module: {why}; what it says of what is confirmed is not"
        " looked at [page]",
    ]


REMOVED = """\
overlay: 1.1.0
info: {title: Support, version: '1'}
actions:
  - target: $.paths['/posts-bulk'].delete.parameters[?@['x-gap'] == 'deletePosts.task']
    remove: true
    x-confirmed: {gap: deletePosts.task, evidence: There is none.}
  - target: $.paths['/calendar-notes'].get.parameters[?@['x-gap'] == 'notes.group']
    remove: true
    x-confirmed: {gap: notes.group, evidence: There is none.}
  - target: $.components.schemas.Post.properties['approvals', 'note']
    remove: true
    x-confirmed: {gap: post.approvals, evidence: There is none.}
  - target: $.components.schemas.PostUpdate.properties.note
    remove: true
    x-confirmed: {gap: post.approvals, evidence: There is none.}
  - target: $.paths['/labels'].post
    remove: true
    x-confirmed: {gap: success.createLabel, evidence: There is none.}
"""
TASKS = "deletePosts.task is confirmed: delete_tasks of posts.delete_many is gone"
NAMED: dict[str, list[str]] = {
    "`delete_tasks` does so.": [TASKS],
    "Pass `delete_tasks=True`.": [TASKS],
    "It is sent as `deleteTask`.": [TASKS],
    "    social-publishing posts delete-many 7 --delete-tasks": [TASKS],
    "Deletes tasks and posts (`deletePosts.fromNetworks`).": [],
    "`client.calendar_notes.list(group_id=7)` gives notes.": [
        "notes.group is confirmed: group_id of calendar_notes.list is gone"
    ],
    "`client.posts.list(group_id=7)` gives posts.": [],
    "`approvals` of posts": ["post.approvals is confirmed: approvals of Post is gone"],
    "`note` of a post": ["post.approvals is confirmed: note of Post is gone"],
    "`posts.update(7, note=None)`": [
        "post.approvals is confirmed: note of Post is gone",
        "post.approvals is confirmed: note of PostUpdate is gone",
    ],
    "`note` of a group, which others write": [],
    "`client.labels.create(…)` makes one": [
        "success.createLabel is confirmed: labels.create is gone"
    ],
    "`social-publishing labels create` makes one": [
        "success.createLabel is confirmed: labels.create is gone"
    ],
    "`createLabel` makes one": ["success.createLabel is confirmed: labels.create is gone"],
    "`client.labels.delete(…)` deletes one": [],
}


@pytest.mark.parametrize("kind", ["page", "docstring", "message", "template"])
def test_prose_that_names_what_is_confirmed_to_be_gone(tmp_path: Path, kind: str) -> None:
    """An argument, a field, an operation; of a name that others keep, only where it is meant."""
    texts = [*NAMED]
    name = {"page": "page.md", "template": "page.html"}.get(kind, "module.py")
    separator, start, end = {
        "page": ("\n\n", "", "\n"),
        "template": ("\n\n", "", "\n"),
        "docstring": ("\n\n", '"""', '\n"""\n'),
        "message": ('",\n\n"', 'HELP = ("', '",)\n'),
    }[kind]
    (tmp_path / "code").mkdir()
    file = tmp_path / "code" / name
    file.write_text(start + separator.join(texts) + end, encoding="utf-8")
    made = confirmed(tmp_path, REMOVED, "", tmp_path / "code")
    found = [each for each in made.findings if each.position and each.position.file == str(file)]
    said: dict[int, list[str]] = {}
    for each in found:
        if "is gone" in each.message and each.position:
            said.setdefault(each.position.line, []).append(each.message)
    expected = {
        line: [f"{text}; take it out here" for text in NAMED[each]]
        for line, each in enumerate(texts)
        if NAMED[each]
    }
    assert {(line - 1) // 2: sorted(each) for line, each in said.items()} == expected
    texts_of_documents = [
        (Path(each.position.file).name, each.message)
        for each in made.findings
        if each.position and each.rule == "page" and each.position.file.endswith("spec/main.yaml")
    ]
    text = "post.approvals is confirmed: approvals of Post is gone; take it out here"
    assert texts_of_documents == [("main.yaml", text)]


def test_no_page_of_ours_is_out_of_date() -> None:
    found = effective(load_config(ROOT / "pyproject.toml")).findings
    assert [str(each) for each in found if each.rule == "page"] == []


GROUPS = """\
overlay: 1.1.0
info: {title: Support, version: '1'}
actions:
  - target: $.paths
    update:
      /groups:
        get:
          operationId: listGroups
          summary: List groups
          description: Gives all groups of the organization.
          tags: [Groups]
          x-section: '4.8'
          x-python-name: list
          responses:
            '200':
              description: The groups.
              content:
                application/json:
                  schema: {type: array, items: {$ref: '#/components/schemas/Group'}}
            '401': {$ref: '#/components/responses/MessageError'}
            '429': {$ref: '#/components/responses/MessageError'}
            default: {$ref: '#/components/responses/MessageError'}
    x-confirmed: {gap: endpoints.missing, evidence: Seen.}
"""
UPLOAD = """\
overlay: 1.1.0
info: {title: Support, version: '1'}
actions:
  - target: $.paths['/upload'].post.responses
    update:
      '400': {$ref: '#/components/responses/MediaError', description: The file is too large.}
    x-confirmed: {gap: errors.uploadMedia, evidence: Seen.}
"""
MODULE = '''\
"""Says that none lists groups (`endpoints.missing`)."""

HINT = (
    "no operation lists groups (§4.8, endpoints.missing); "
    "the order is assumed (lists.order)"
)
NAMES = ("endpoints.missing",)
'''


def test_messages_in_code_and_statuses_are_named(tmp_path: Path) -> None:
    """A status that no response has any more is stated by itself, and not in a list of many."""
    (tmp_path / "code").mkdir()
    for name in ("hints.py", "test_hints.py"):
        (tmp_path / "code" / name).write_text(MODULE, encoding="utf-8")
    page = tmp_path / "page.md"
    sentences = [
        "413: it is too large.",
        "403: you may not do this.",
        "407, 411, 413, 414: a proxy.",
        "No operation lists groups (§4.8, `endpoints.missing`).",
    ]
    page.write_text("\n\n".join(sentences) + "\n", encoding="utf-8")
    made = confirmed(tmp_path, GROUPS, UPLOAD, page, tmp_path / "code")
    missing = f"endpoints.missing is confirmed, {UNKNOWN} [page]"
    said = [str(each) for each in made.findings if each.rule == "page"]
    assert [each for each in said if each.startswith(str(tmp_path))] == [
        f"{tmp_path / 'code/hints.py'}:4:1: {missing}",
        f"{page}:1:1: errors.uploadMedia is confirmed, and this says 413, {OLD} [page]",
        f"{page}:7:1: {missing}",
    ]
    assert any("social_publishing_cli/names.py" in each for each in said)
    (new,) = (each for each in made.findings if "is new" in each.message)
    assert new.message.startswith("groups.list is new")


def test_who_cites_what_is_missing_names_the_gap() -> None:
    """The sections of what is missing are guesses, in pages as in messages."""
    sources = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *ROOT.glob("*/README.md")]
    sources += [each for room in ("cli/src", "sandbox/src") for each in (ROOT / room).rglob("*.*")]
    cited = {
        (path, found)
        for path in sources
        if path.suffix in (".md", ".py", ".html")
        for found in re.findall(r"\([^()]*§(?:2\.13|4\.8)[^()]*\)", path.read_text("utf-8"))
    }
    assert len(cited) > 10
    assert [each for each in cited if not re.search(r"[a-z]\.[a-z]", each[1])] == []
