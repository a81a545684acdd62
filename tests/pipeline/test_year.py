"""A year of changes of the documents: the first line of each error leads to what is to be done."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from generate_support import copy_project

from pipeline import steps
from pipeline.cli import main
from pipeline.codegen.write import write_file
from pipeline.config import Config, load_config
from pipeline.gaps import drop
from pipeline.openapi.editing import without
from pipeline.openapi.problems import PipelineError
from pipeline.steps import Effective

ROOT = Path(__file__).parents[2]
LABEL = "        2XX: {$ref: '#/components/responses/Label'}\n"
INLINE = "content: {application/json: {schema: {$ref: '#/components/schemas/MessageError'}}}"
CREATION = "      x-gap: [createLabel.defaults, createLabel.required, createLabel.names]\n"
DROP = "`python -m pipeline generate --drop-assumed {}` does so"


class Copy:
    """A copy of the documents and overlays, whose generated files are empty."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.capsys = folder, capsys
        copy_project(folder)
        for path in folder.glob("overlays/confirmed/*/*.yaml"):
            path.unlink()  # what is assumed is what these tests are about

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def run(self, *arguments: str) -> tuple[int, list[str]]:
        """Run the pipeline; return its status and what it says, with places from here."""
        self.capsys.readouterr()
        status = main([*arguments, "--config", str(self.folder / "pyproject.toml")])
        said = self.capsys.readouterr()
        return status, (said.out + said.err).replace(f"{self.folder}/", "").splitlines()

    def sources(self) -> dict[str, str]:
        files = [*self.folder.glob("spec/*"), *self.folder.glob("overlays/*/*.yaml")]
        return {str(path.relative_to(self.folder)): path.read_text("utf-8") for path in files}


@pytest.fixture
def year(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Copy:
    return Copy(tmp_path, capsys)


def left_behind(lines: list[str]) -> list[str]:
    """Return the notes on what is left behind, each with the lines below it."""
    return re.findall(r"^note: .*\[left-behind\](?:\n  .*)*", "\n".join(lines), re.MULTILINE)


def spec(old: str, new: str) -> Callable[[Copy], None]:
    return lambda year: year.edit("spec/main.yaml", old, new)


def taken_out(year: Copy, begin: str, end: str) -> None:
    text = (year.folder / "spec/main.yaml").read_text(encoding="utf-8")
    start = text.index(begin)
    year.edit("spec/main.yaml", text[start : text.index(end, start)], "")


def without_a_field(year: Copy) -> None:
    taken_out(year, "        end_date_extra_day:\n", "        visible_for_client:")


def without_a_status(year: Copy) -> None:
    year.edit("spec/main.yaml", "37, 40, 50]", "37, 40]")
    year.edit("spec/main.yaml", "PUBLISHED, DELETED]", "PUBLISHED]")


def emptied(year: Copy) -> None:
    (year.folder / "spec/shared.yaml").write_text("")


def without_401(year: Copy) -> None:
    token = "      '401': {$ref: '#/components/responses/MessageError', description: The token"
    year.edit("overlays/main/errors.yaml", f"{token} is not accepted.}}\n", "")


DOCUMENTED = [
    (  # what is documented, the gap, where it is assumed, what is gone then
        spec(LABEL, f"{LABEL}        '403':\n          description: No.\n          {INLINE}\n"),
        "errors.createLabel", r"overlays/main/errors.yaml:\d+:7: 403 is assumed here",
        ["'403'"],
    ),
    (
        spec(LABEL, f"{LABEL}        '403': {{$ref: '#/components/responses/GeneralError'}}\n"),
        "errors.createLabel", r"overlays/main/errors.yaml:\d+:15: target .* an assumption adds",
        ["'403'"],
    ),
    (
        spec(CREATION, f"{CREATION}      required: [name]\n"),
        "createLabel.required", r"overlays/main/required.yaml:\d+:\d+: required is assumed here",
        ["A label without a name is none.", "createLabel.required"],
    ),
    (
        without_a_field,
        "notes.extraDay", r"overlays/main/times.yaml:\d+:5: target \$: no x-gap",
        ["noteExtraDay", "notes.extraDay"],
    ),
    (
        spec("- name: gap.notes.range.start", "- name: from"),
        "notes.range.start", r"overlays/main/names.yaml:\d+:14: target .* changes .from. to",
        ["name: start_date", "notes.range.start"],
    ),
    (
        spec("listPosts.socialAccountIds\n", "listPosts.socialAccountIds\n          style: form\n"
             "          explode: false\n"),
        "listPosts.socialAccountIds", r"overlays/main/names.yaml:\d+:5: style, explode is assumed",
        ["`ids` and `include` are lists", "listPosts.socialAccountIds"],
    ),
    (
        spec(LABEL, LABEL + LABEL.replace("2XX", "'201'")),  # the range stays
        "success.createLabel", r"overlays/main/success.yaml:\d+:5: 200 .* says otherwise",
        ["success.createLabel"],
    ),
    (
        spec(LABEL, LABEL.replace("2XX", "'201'")),
        "success.createLabel", r"overlays/main/success.yaml:\d+:5: 200 .* says otherwise",
        ["success.createLabel"],
    ),
    (
        spec("          examples: [owner]\n", "          examples: [owner]\n"
             "          enum: [owner, member]\n"),
        "user.role", r"overlays/main/open-values.yaml:\d+:5: x-extensible-enum .* says otherwise",
        ["[owner]", "user.role"],
    ),
    (
        spec("Identifiers of labels.", "Identifiers of labels to add."),
        "updatePost.labelIds", r"overlays/main/\w+.yaml:\d+:\d+: target .* changes .Identifiers of",
        ["They take the place of those that the post has."],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("change", "gap", "first", "gone"), DOCUMENTED, ids=lambda value: "")
def test_what_is_documented_is_dropped_where_it_is_assumed(
    year: Copy, change: Callable[[Copy], None], gap: str, first: str, gone: list[str]
) -> None:
    change(year)
    before = year.sources()
    status, lines = year.run("lint")
    assert (status, lines[1:]) == (1, ["2 documents: 1 error, 0 notes."]), lines
    assert re.match(f"error: {first}", lines[0]) and DROP.format(gap) in lines[0]
    status, lines = year.run("generate", "--drop-assumed", gap)
    assert status == 0, lines
    after = year.sources()
    for file, text in before.items():
        if after[file] != text:  # lines are taken out, or become shorter; nothing else moves
            assert f"changed {file}" in lines
            assert set(after[file].splitlines()) - set(text.splitlines()) <= {
                *(line for line in after[file].splitlines() if "x-gap" in line or "target" in line)
            }
    changed = "".join(text for file, text in before.items() if after[file] != text)
    rest = "".join(text for file, text in after.items() if before[file] != text)
    assert all(changed.count(each) > rest.count(each) for each in gone)
    assert (gap in "".join(after.values())) == (gap not in gone)
    assert year.run("lint") == (0, ["2 documents: 0 errors, 0 notes."])


@pytest.mark.parametrize(("change", "gap", "first", "gone"), DOCUMENTED, ids=lambda value: "")
def test_a_drop_that_was_killed_goes_on(
    year: Copy, change: Callable[[Copy], None], gap: str, first: str, gone: list[str]
) -> None:
    change(year)
    config = load_config(year.folder / "pyproject.toml")
    texts = drop(config, [gap])
    before = {path: path.read_text("utf-8") for path in texts}
    assert len(texts) >= 1
    for number in range(len(texts)):
        for index, (path, text) in enumerate(texts.items()):
            write_file(path, (text or "") if index < number else before[path])
        again = drop(config, [gap])
        assert {path: again.get(path, path.read_text("utf-8")) for path in texts} == texts


def test_nothing_is_dropped_that_no_document_says(year: Copy) -> None:
    before = year.sources()
    status, lines = year.run("generate", "--drop-assumed", "errors.createLabel")
    assert status == 1 and "state nothing about what is assumed" in lines[0]
    without_a_field(year)
    spec("schemas/LabelCreation'", "schemas/LabelCretion'")(year)  # another error: all is put back
    damaged = year.sources()
    assert year.run("generate", "--drop-assumed", "notes.extraDay")[0] == 1
    assert year.sources() == damaged != before


BROKEN = [
    (
        spec("#/components/schemas/PostActivityPage'", "#/components/schemas/PostActvityPage'"),
        "PostActvityPage leads nowhere; did you mean PostActivityPage? [ref]; 5 errors follow "
        "from it",
        {"$ref": "#/components/schemas/PostActivityPage"},
    ),
    (
        spec("'#/components/responses/Label'", "'#/components/response/Label'"),
        "#/components/response/Label leads nowhere; did you mean #/components/responses/Label?",
        {"$ref": "#/components/responses/Label"},
    ),
    (
        spec("'#/components/responses/Label'", "'#/component/response/Lable'"),
        "#/component/response/Lable leads nowhere; did you mean #/components/responses/Label?",
        {"$ref": "#/components/responses/Label"},
    ),
    (
        spec("{$ref: '#/components/schemas/Color'", "{$ref: '#/components/schemas/Xyzzy'"),
        "#/components/schemas/Xyzzy leads nowhere", "",
    ),
    (
        spec("shared.yaml#/components/schemas/Id}", "shared.yaml#/components/schemas/Idd}"),
        "leads to nothing in spec/shared.yaml; did you mean Id?", "",
    ),
    (
        spec("shared.yaml#/components/schemas/Id}", "shard.yaml#/components/schemas/Id}"),
        "No such file or directory [file]; did you mean shared.yaml?", "",
    ),
    (emptied, "spec/shared.yaml: the file is empty [syntax]; ", None),
    (
        without_401, "GET /posts has no response 401; 17 others have it",
        {"401": {"$ref": "#/components/responses/MessageError",
                 "description": "The token is not accepted."}},
    ),
    (
        spec(CREATION, f"{CREATION}      required: [colour]\n"),
        "example lacks colour", "",
    ),
    (
        spec("        name: {type: string, description: Name of the label., examples: [Opening]}",
             "        name: {type: string, description: Name of the label., examples: [Opening]}\n"
             "        tone: {type: integer, minimum: 3, description: Tone of the label.}\n"
             "      required: [tone]"),
        "example lacks tone", {"tone": 3},
    ),
    (
        lambda year: year.edit("overlays/main/presence.yaml", ".PageLink", ".PageLnk"),
        "selects nothing: $.components.schemas has no PageLnk; did you mean PageLink?", None,
    ),
    (
        without_a_status, "spec/main.yaml: enum lacks 50: a test server needs it", "",
    ),
    (spec("37, 40, 50]", "37, 40, 45, 50]"), "as many entries as there are values, 12, not 11", ""),
    (spec("format: date-time", "format: date-tme"), "mean date-time? [schema]; 2 errors", ""),
    (spec("maxItems: 200", "maxItems: '200'"), "maxItems must be an integer, is \"200\"", ""),
    (spec("in: query", "in: qurey"), "in must be", ""),
    (spec("type: integer", "type: integr"), "type must be", ""),
    (spec("style: form", "style: from"), "style must be", ""),
    (spec("      properties:\n        name: {type: string, description: Name of the label., ex",
          "      propertis:\n        name: {type: string, description: Name of the label., ex"),
     "propertis: not a keyword of JSON Schema; did you mean properties?", ""),
    (spec("description: Name of the label., ex", "description: Name of the label, as it is., ex"),
     "as it is.: not a keyword of JSON Schema; a comma ends a text in {…}: put quotes around", ""),
    (lambda year: year.edit("overlays/main/names.yaml", "    x-assumption:\n      gap",
                            "    x-assumption: {because: So, as it is}\n    x-other:\n      gap"),
     "as it is is not a member here; a comma ends a text in {…}", ""),
    (spec("{$ref: '#/components/schemas/Color'", "{$reff: '#/components/schemas/Color'"),
     "did you mean $ref?", ""),
    (spec("- name: label\n", "- name: labl\n"), "parameter labl is in path", ""),
    (spec("    Media: {$ref: shared.yaml#/components/schemas/Media}",
          "    Media: {$ref: '#/components/schemas/Media'}"), "leads back to itself", ""),
    (spec("operationId: getPosts\n", "operationId: listPosts\n"),
     "operationId: listPosts appears twice; first at spec/main.yaml", ""),
    (spec("tags: [Labels]", "tags: [Lables]"), "did you mean Labels?", ""),
    (spec("        name: {type: string, description: Name of the label.", "\tname: {type: string"),
     "a tab stands here; YAML is indented with spaces", ""),
    (spec("x-gap: [success.createLabel,", "x-gap: [succes.createLabel,"),
     "is not registered in spec/gaps.yaml; did you mean success.createLabel?", ""),
    (spec("enum: [1, 2, 3, 4, 5, 6, 7, 8, 9]", "enum: [1, 2, 3, 4, 5, 6, 7, 8, '9']"),
     'spec/main.yaml: enum: "9" is a string, and the type is an integer', ""),
    (spec("        '401':\n", "        '4O1':\n"),
     "4O1: not a status; write 200, 2XX or default [openapi]; 1 error follows", ""),
    (spec("    Label:\n", "<<<<<<< HEAD\n    Label:\n"),
     "a merge conflict that is not resolved", ""),
    (lambda year: year.edit("pyproject.toml", "[tool.pipeline]\n", "=======\n[tool.pipeline]\n"),
     "a merge conflict that is not resolved", ""),
    (spec("{$ref: '#/components/schemas/Color'", "{$ref: #/components/schemas/Color"),
     "a # begins a comment: write the reference in quotes", ""),
    (spec("        connection_expired_at:", "        expired_at:"),
     "has no connection_expired_at; did you mean expired_at?", None),
    (spec("snapchat, dribbble, tumblr]", "snapchat, dribbble]"),
     "x-assume.networks.tumblr is not allowed: a key must be one of the values of Network, which "
     "changed: drop this, or name it there, too", ""),
]  # fmt: skip


@pytest.fixture
def read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every command of a test have what the first one read; nothing is edited in between."""
    read = steps.effective
    found: list[Effective | PipelineError] = []

    def effective(config: Config) -> Effective:
        if not found:
            try:
                found.append(read(config))
            except PipelineError as error:
                found.append(error)
        if isinstance(found[0], PipelineError):
            raise found[0]
        return found[0]

    monkeypatch.setattr(steps, "effective", effective)


@pytest.mark.usefixtures("read_once")
@pytest.mark.parametrize(("change", "first", "update"), BROKEN, ids=lambda value: "")
def test_the_cause_comes_first_and_no_remedy_takes_truth_away(
    year: Copy, change: Callable[[Copy], None], first: str, update: object
) -> None:
    """`update` is what an overlay can write, "" where it is corrected in the document alone."""
    change(year)
    status, lines = year.run("lint")
    assert status == 1 and first in re.sub(r"(\.yaml)(:\d+){2}", r"\1", lines[0]), lines
    proposed = yaml.safe_load("\n".join(line for line in lines if line.startswith("    ")) or "[]")
    assert not any("remove" in action for action in proposed)
    assert bool(proposed) is bool(update)
    assert (proposed[0]["update"] if update else update) == update
    assert len([line for line in lines if line.startswith(("error", "spec", "overl"))]) <= 2
    assert year.run("generate")[1][0] in lines[0]


def test_a_file_that_is_not_there_is_one_error_of_each_document(year: Copy) -> None:
    """Of the first reference to it; lint writes nothing, and does not say so."""
    (year.folder / "spec/shared.yaml").unlink()
    status, lines = year.run("lint")
    assert status == 1 and lines[-1] == "2 problems."
    assert [line.partition(":")[0] for line in lines[:-1]] == ["spec/main.yaml", "spec/media.yaml"]
    assert all("spec/shared.yaml:1:1: cannot read the file" in line for line in lines[:-1])
    assert all(re.search(r"; \d+ errors follow from it$", line) for line in lines[:-1]), lines
    assert year.run("generate")[1] == [*lines[:-1], "2 problems; nothing was written."]


def test_a_word_of_an_overlay_that_names_what_is_gone_is_named(year: Copy) -> None:
    (year.folder / "sandbox").mkdir(exist_ok=True)
    assert year.run("generate")[0] == 0
    for path in ("spec/main.yaml", "overlays/main/meanings.yaml", "overlays/main/presence.yaml"):
        text = (year.folder / path).read_text("utf-8")
        (year.folder / path).write_text(re.sub(r"\bmissedReview\b", "missedReviews", text))
    [note] = left_behind(year.run("lint")[1])
    assert "PostsOverview.missedReview is gone, and missedReviews is new" in note
    for place in ("overlays/main/behaviour.yaml", "overlays/assume.schema.yaml"):
        lines = (year.folder / place).read_text("utf-8").splitlines()
        [number] = [at for at, line in enumerate(lines, 1) if "missedReview:" in line]
        assert f"{place}:{number}" in note


def test_code_that_names_what_is_gone_is_named(year: Copy) -> None:
    """A property, an operation: whoever renames one sees who does not know of it yet."""
    for name in ("cli/src", "sandbox/src", "demo"):
        shutil.copytree(ROOT / name, year.folder / name)
    (year.folder / "docs").mkdir()
    (year.folder / "docs/page.md").write_text("It is easy:\n`client.labels.delete(label)`\n")
    (year.folder / "README.md").write_text("Call labels.delete, or read about labels.delete_all.\n")
    assert year.run("generate")[0] == 0
    spec("        video_watch_time_avg:", "        video_watch_time_mean:")(year)
    spec("operationId: deleteLabel\n", "operationId: removeLabel\n")(year)
    presence = "overlays/main/presence.yaml"
    year.edit(presence, "end_date, visible_for_client,", "end_date, client_visible,")
    note = (year.folder / "spec/main.yaml").read_text("utf-8").split("end_date_extra_day:")[1]
    year.edit("spec/main.yaml", note, note.replace("visible_for_client:", "client_visible:", 1))
    lines = year.run("lint")[1]
    first, second, third = left_behind(lines)
    shared = (
        "CalendarNote.visible_for_client is gone, and client_visible is new; other schemas keep"
    )
    assert shared in third and "sandbox/src/social_publishing_sandbox/state/access.py:" in third
    assert "posting.py" not in third  # it names no note
    assert "documents/objects.py" not in first + second + third  # it is generated
    assert "operation deleteLabel is gone, and removeLabel is new [left-behind]" in first
    assert "sandbox/src/social_publishing_sandbox/api/operations/__init__.py:" in first
    assert re.search(r"docs/page\.md:2\n +\S*README\.md:1\n", first), first
    assert "PostMetric.video_watch_time_avg is gone, and video_watch_time_mean is new" in second
    assert "sandbox/src/social_publishing_sandbox/state/behaviour/metrics.py:" in second
    shown = year.run("generate")[1]
    assert {first, second} <= {*left_behind(shown)}, shown
    print(shown)
    # What is written now has the new names: there is nothing left to say.
    assert not left_behind(year.run("generate")[1])
    spec("        views: {type: integer", "        view_count: {type: integer")(year)
    status, lines = year.run("lint")
    assert status == 1 and "x-cli: views is not a property of a row" in lines[0]


def test_a_method_without_a_name_is_told_what_it_is_called(year: Copy) -> None:
    year.edit("overlays/client/main.yaml", "      x-python-name: get_many\n", "")
    status, lines = year.run("lint")
    assert status == 0 and "x-python-name; 17 others have it" in lines[0]
    proposed = yaml.safe_load("\n".join(line for line in lines if line.startswith("    ")))
    assert proposed == [
        {"target": "$.paths['/posts-bulk'].get", "update": {"x-python-name": "get"}}
    ]


def test_what_an_operation_documents_of_the_rate_stays(year: Copy) -> None:
    """Its own 429 is not laid over; the others keep what is assumed."""
    year.edit(
        "spec/main.yaml",
        "      responses:\n        2XX: {$ref: '#/components/responses/Label'}\n",
        "      responses:\n        2XX: {$ref: '#/components/responses/Label'}\n"
        "        '429': {$ref: '#/components/responses/MessageError'}\n",
    )
    assert year.run("lint") == (0, ["2 documents: 0 errors, 0 notes."])


def test_a_reference_in_the_place_of_what_is_assumed_is_named(year: Copy) -> None:
    year.edit("overlays/main/limits.yaml", "[?!@.responses['429']]", ".*")
    label = "        2XX: {$ref: '#/components/responses/Label'}\n"
    own = "        '429': {$ref: '#/components/responses/MessageError'}\n"
    year.edit("spec/main.yaml", label, label + own)
    status, lines = year.run("lint")
    assert status == 1
    assert "overlays/main/limits.yaml:" in lines[0]
    assert "429 is assumed here, and the document says otherwise now at spec/main.yaml:" in lines[0]


RANGE = "$.paths['/calendar-notes'].get.parameters[?@['x-gap'] == '{}']"


@pytest.mark.parametrize(
    ("known", "first"),
    [
        (
            [("notes.range.start", "notes.range.start"), ("notes.range.end", "notes.range.end")],
            "overlays/confirmed/main/1.yaml:5:14: parameter from in query twice; first at"
            " overlays/confirmed/main/0.yaml:5:14",
        ),
        (
            [("notes.group", "notes.range.start")],
            "overlays/confirmed/main/0.yaml:4:5: target .*gap notes.range.start is not one of",
        ),
    ],
)
def test_what_is_wrong_with_a_confirmed_overlay_names_its_file(
    year: Copy, known: list[tuple[str, str]], first: str
) -> None:
    for number, (place, gap) in enumerate(known):
        (year.folder / f"overlays/confirmed/main/{number}.yaml").write_text(
            "overlay: 1.1.0\ninfo: {title: Known, version: '1'}\nactions:\n"
            f"  - target: {RANGE.format(place)}\n    update: {{name: from}}\n"
            f"    x-confirmed: {{gap: {gap}, evidence: Seen.}}\n"
        )
    status, lines = year.run("lint")
    assert status == 1 and re.match(f"error: {first}", lines[0]) and len(lines) == 2, lines


def test_lint_refuses_a_half_of_what_is_known(year: Copy) -> None:
    """As `generate` does: two documents share a schema, and the truth about it."""
    text = (year.folder / "overlays/main/presence.yaml").read_text("utf-8")
    (action,) = (
        each
        for each in yaml.safe_load(text)["actions"]
        if each["x-assumption"]["gap"] == "presence.media"
    )
    action["update"]["required"].pop()
    known = {**action, "x-confirmed": {"gap": "presence.media", "evidence": "Seen."}}
    del known["x-assumption"]
    head = {"overlay": "1.1.0", "info": {"title": "Known", "version": "1"}, "actions": [known]}
    for half, place, rest in (
        (["main"], "overlays/confirmed/main/half.yaml:6:3", "presence.media is confirmed for main"),
        (["main", "media"], "", ""),
    ):
        for name in half:
            file = year.folder / f"overlays/confirmed/{name}/half.yaml"
            file.write_text(yaml.safe_dump(head, sort_keys=False), encoding="utf-8")
        status, lines = year.run("lint")
        assert (status, place in lines[0], rest in lines[0]) == (int(bool(rest)), True, True), lines
        assert year.run("generate")[0] == status
    action["update"]["required"].pop()
    file.write_text(yaml.safe_dump(head, sort_keys=False), encoding="utf-8")
    status, lines = year.run("lint")
    assert status == 1 and "; the other is written at overlays/confirmed/ma" in lines[0], lines


def test_an_operation_that_is_gone_goes_with_all_that_is_about_it(year: Copy) -> None:
    taken_out(year, "  '/labels/{label}':\n", "\n  '/widgets")
    status, lines = year.run("lint")
    assert status == 1 and len(lines) == 2 and "4 errors follow from it" in lines[0], lines
    (does,) = re.findall(r"`python -m pipeline (.*)` does so", lines[0])
    status, lines = year.run(*does.split())
    assert status == 0 and "changed overlays/client/main.yaml" in lines, lines
    assert year.run("lint") == (0, ["2 documents: 0 errors, 0 notes."])


def test_a_whole_list_in_an_update_is_named(year: Copy) -> None:
    action = {
        "target": "$.components.schemas.Weekday",
        "update": {"x-enum-varnames": ["SUNDAY", "HOLIDAY"], "enum": [0, 7]},
        "x-confirmed": {"gap": "weekday", "evidence": "Seen."},
    }
    head = {"overlay": "1.1.0", "info": {"title": "Whole", "version": "1"}, "actions": [action]}
    file = year.folder / "overlays/confirmed/main/whole.yaml"
    file.write_text(yaml.safe_dump(head, sort_keys=False), encoding="utf-8")
    said = [line for line in year.run("lint")[1] if "SUNDAY appears twice" in line]
    assert ["an update is put after the list that is there" in line for line in said] == [True]


def confirmed(year: Copy, gap: str, target: str, update: object) -> Path:
    """Confirm something, in a file of its own."""
    words = {"target": target, "update": update, "x-confirmed": {"gap": gap, "evidence": "Told."}}
    head = {"overlay": "1.1.0", "info": {"title": "Told", "version": "1"}, "actions": [words]}
    file = year.folder / "overlays/confirmed/main/told.yaml"
    file.write_text(yaml.safe_dump(head, sort_keys=False), encoding="utf-8")
    return file


@pytest.mark.parametrize(("name", "is_twice"), [("groupId", True), ("accounts", False)])
def test_of_two_parameters_of_one_name_none_is_said_to_be_gone(
    year: Copy, name: str, is_twice: bool
) -> None:
    gap = "listPosts.socialAccountIds"
    where = f"$.paths['/posts'].get.parameters[?@['x-gap'] == '{gap}']"

    def renamed(year: Copy) -> None:
        confirmed(year, gap, where, {"name": name})

    notes = changed_calls(year, renamed)
    assert any("takes social_account_ids no more" in each for each in notes) is not is_twice


def test_what_is_confirmed_and_documented_later_can_go(year: Copy) -> None:
    gap = "createLabel.required"
    update = {"required": ["name"]}
    file = confirmed(year, gap, "$.components.schemas.LabelCreation", update)
    assert year.run("lint")[0] == 0
    spec(CREATION, f"{CREATION}      required: [name]\n")(year)
    status, lines = year.run("lint")
    assert (status, lines[1:]) == (1, ["2 documents: 1 error, 0 notes."]), lines
    said = r"error: overlays/confirmed/main/told.yaml:7:3: required is confirmed here, and the "
    said += r"document says it now at spec/main.yaml:\d+:5: take it out here; then drop gap "
    assert re.match(said, lines[0]) and DROP.format(gap) in lines[0]
    file.unlink()
    assert year.run("generate", "--drop-assumed", gap)[0] == year.run("lint")[0] == 0


def test_gaps_that_go_together_are_in_one_command(year: Copy) -> None:
    """To drop one of them alone leaves what is assumed of the other without its place."""
    taken_out(year, "        content_weighted_length:\n", "        has_customized_content:")
    year.edit("overlays/main/presence.yaml", " content_weighted_length,\n", "\n")
    path = year.folder / "overlays/client/main.yaml"
    text = re.sub(r"\n *- content_weighted_length(?=\n)", "", path.read_text("utf-8"))
    path.write_text(text, encoding="utf-8")
    both = DROP.format("post.weightedLength --drop-assumed text.emoji")
    status, lines = year.run("lint")
    assert (status, [both in line for line in lines]) == (1, [True, True, False]), lines
    assert year.run("generate", "--drop-assumed", "post.weightedLength")[0] == 1
    status, lines = year.run(*both.split("`")[1].split()[3:])
    assert status == 0, lines
    assert year.run("lint") == (0, ["2 documents: 0 errors, 0 notes."])


def test_gaps_of_a_schema_that_is_gone_are_in_one_command(year: Copy) -> None:
    """Those, too, whose targets are still there: the words for a test server."""
    taken_out(year, "        end_date_extra_day:\n", "        visible_for_client:")
    taken_out(year, "  '/labels/{label}':\n", "\n  '/widgets")
    (does,) = re.findall(r"`python -m pipeline (.*)` does so", year.run("lint")[1][0])
    assert "--drop-assumed notes.extraDay" in does
    status, lines = year.run(*does.split())
    assert status == 0, lines


def test_what_stays_wrong_without_an_assumption_is_shown_beside_it(year: Copy) -> None:
    year.edit("spec/main.yaml", CREATION, f"{CREATION}      required: [name, tone]\n")
    tone = "        tone: {type: integer, description: Tone of the label.}\n"
    name = "        name: {type: string, description: Name of the label., examples: [Opening]}\n"
    year.edit("spec/main.yaml", name, name + tone)
    status, lines = year.run("lint")
    assert status == 1 and DROP.format("createLabel.required") in lines[0]
    assert lines[-1] == "2 documents: 2 errors, 0 notes."
    assert re.match(r"error: spec/main.yaml:\d+:\d+: example lacks tone \[example\]$", lines[1])


def test_what_is_proposed_for_a_missing_status_mends_it_as_it_is(year: Copy) -> None:
    without_401(year)
    _, lines = year.run("lint")
    (action,) = yaml.safe_load("\n".join(line for line in lines if line.startswith("    ")))
    assert action["x-assumption"]["gap"] == "errors.listPosts"
    head = {"overlay": "1.1.0", "info": {"title": "Copied", "version": "1"}}
    text = yaml.safe_dump({**head, "actions": [action]})
    (year.folder / "overlays/main/zz-copied.yaml").write_text(text, encoding="utf-8")
    assert year.run("lint") == (0, ["2 documents: 0 errors, 0 notes."])


EDITED = """\
# of all
a:
  # one
  - x: 1
    y: >-
      folded

      text
  - {x: 2, y: [1, 2, 3]}

b: {c: {d: 1}, e: 2}
f: |
  text

g: 1
"""


@pytest.mark.parametrize(
    ("pointer", "old", "new"),
    [
        (("a", 0), "  # one\n  - x: 1\n    y: >-\n      folded\n\n      text\n", "  # one\n"),
        (("a", 0, "x"), "- x: 1\n    y", "- y"),
        (("a", 0, "y"), "\n    y: >-\n      folded\n\n      text", ""),
        (("a", 1), "  - {x: 2, y: [1, 2, 3]}\n", ""),
        (("a", 1, "x"), "x: 2, ", ""),
        (("a", 1, "y", 2), ", 3", ""),
        (("a", 1, "y", 0), "1, ", ""),
        (("b", "c", "d"), "c: {d: 1}, ", ""),
        (("b",), "b: {c: {d: 1}, e: 2}\n", ""),
        (("f",), "f: |\n  text\n\n", ""),
        (("g",), "\ng: 1\n", ""),
    ],
)
def test_every_other_line_of_a_file_stays(
    pointer: tuple[str | int, ...], old: str, new: str
) -> None:
    assert without(EDITED, [pointer], "a.yaml") == EDITED.replace(old, new, 1)


def test_what_cannot_be_taken_out_is_left_to_a_person() -> None:
    with pytest.raises(PipelineError, match=r"a\.yaml:1:1: a cannot be taken out here"):
        without("a: 1\n", [("a",)], "a.yaml")


def changed_calls(year: Copy, *changes: Callable[[Copy], None]) -> list[str]:
    """Return the notes on what was written by hand, after a run and then changes."""
    (year.folder / "sandbox").mkdir(exist_ok=True)
    docs = year.folder / "docs"
    docs.mkdir()
    (docs / "page.md").write_text(
        "Create one:\n\n```python\nlabel = client.labels.create(\n    name='a')\n```\n\n"
        "`posts.get_many` takes any number of ids and sends 200 at a time.\n\n"
        "Everything is well: 200 of 300 metres, and status 200.\n\n"
        "Or `social-publishing labels create --name a`.\n\n"
        "`client.posts.list(social_account_ids=['1'])` lists, as in `posts.list`.\n"
    )
    assert year.run("generate")[0] == 0
    for change in changes:
        change(year)
    return left_behind(year.run("lint")[1])


def test_callers_of_a_method_that_demands_more_are_named(year: Copy) -> None:
    creation = "    LabelCreation:\n"
    color = (
        "        color: {$ref: '#/components/schemas/Color', description: Colour of the label.}\n"
    )

    def demanded(copy: Copy) -> None:
        path = copy.folder / "spec/main.yaml"
        before, mark, after = path.read_text("utf-8").partition(creation)
        after = after.replace("      properties:\n", f"      properties:\n{color}", 1)
        after = after.replace(
            "      type: object\n", "      type: object\n      required: [color]\n", 1
        )
        path.write_text(before + mark + after, "utf-8")

    demands, takes = changed_calls(year, demanded)
    assert "labels.create demands color now [left-behind]" in demands
    assert re.search(r"docs/page\.md:4, 12\b", demands), demands
    assert "its handler of createLabel must read it" in takes


def test_nothing_is_compared_while_two_operations_have_one_name(year: Copy) -> None:
    assert not changed_calls(year, spec("operationId: deleteLabel\n", "operationId: createLabel\n"))


def test_a_documented_limit_that_has_changed_leaves_no_page_behind(year: Copy) -> None:
    path = year.folder / "spec/main.yaml"

    def less(copy: Copy) -> None:
        text = path.read_text("utf-8")
        assert text.count("maxItems: 200")
        path.write_text(text.replace("maxItems: 200", "maxItems: 150"), "utf-8")

    notes = changed_calls(year, less)
    [note] = [each for each in notes if "of posts.get_many is 150 now, and was 200" in each]
    assert re.search(r"\[left-behind\]\n  look at:\n +\S*docs/page\.md:8$", note), note


def test_uses_of_what_is_deprecated_are_named(year: Copy) -> None:
    gap = "          x-gap: listPosts.socialAccountIds\n"
    [note] = changed_calls(year, spec(gap, f"          deprecated: true\n{gap}"))
    assert "social_account_ids of posts.list is deprecated now [left-behind]" in note
    assert re.search(r"docs/page\.md:14\b", note), note


@pytest.mark.parametrize(
    ("taken", "kind"),
    [
        ("type: integer", "integer"),
        ("type: [string, integer]", "text or integer"),
        ("type: string, format: date", "day"),
        ("type: array, items: {type: string}", "list of text"),
    ],
)
def test_callers_of_a_method_that_takes_another_kind_are_named(
    year: Copy, taken: str, kind: str
) -> None:
    path = year.folder / "spec/main.yaml"
    name = "name: {type: string, description: Name of the label., examples: [Opening]}"

    def changed(copy: Copy) -> None:
        text = path.read_text("utf-8")
        assert text.count(name) == 1
        path.write_text(text.replace(name, f"name: {{{taken}, description: A name.}}"), "utf-8")

    notes = changed_calls(year, changed)
    [note] = [each for each in notes if " as name now" in each]
    assert f"labels.create takes {kind} as name now, and took text [left-behind]" in note
    assert re.search(r"docs/page\.md:4, 12\b", note), note


@pytest.mark.parametrize("names", [["content"], ["note"], ["th_topic_tag"], ["content", "name"]])
def test_what_is_documented_of_one_place_is_dropped_for_it_alone(
    year: Copy, names: list[str]
) -> None:
    """An action that assumes the same of many places goes on for the others."""
    path, overlay = year.folder / "spec/main.yaml", year.folder / "overlays/main/nulls.yaml"
    lines, inside = path.read_text("utf-8").splitlines(keepends=True), False
    for at, line in enumerate(lines):
        inside = line == "    PostUpdate:\n" or (inside and not re.match(r" {4}\w", line))
        if inside and line.strip().removesuffix(":") in names:
            assert lines[at + 1] == "          type: [string]\n"
            lines[at + 1] = "          type: [string, 'null']\n"
    path.write_text("".join(lines), "utf-8")
    before = overlay.read_text("utf-8")
    assert all(f"'{name}'" in before for name in names)
    assert year.run("lint")[0] == 1
    status, said = year.run("generate", "--drop-assumed", "updatePost.null")
    assert status == 0, said
    after = overlay.read_text("utf-8")
    quoted = [re.findall(r"'(\w+)'", text) for text in (before, after)]
    assert quoted[1] == [each for each in quoted[0] if each not in names]
    assert "id: updatePost.null" in (year.folder / "spec/gaps.yaml").read_text("utf-8")
    assert year.run("lint") == (0, ["2 documents: 0 errors, 0 notes."])
