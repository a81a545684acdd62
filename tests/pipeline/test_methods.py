"""Methods have short names, and names that are one never stop a run, in one document or two."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from generate_support import operation, operations, project, refused

from pipeline.openapi.documents import Document
from pipeline.openapi.model import DocumentModel
from pipeline.preparing import Named, prepare
from pipeline.preparing.methods import short_title
from pipeline.steps import effective, generate


def document(*named: tuple[str, str], **more: object) -> Document:
    """A document of operations, each with its resource and its id."""
    paths = {
        f"/{index}": {"get": operation(name, tags=[tag])} for index, (tag, name) in enumerate(named)
    }
    return Document("d", {**operations(paths), **more}, {})


def called(found: Document) -> list[str]:
    """Return what the methods of a document are called by its words."""
    return [
        ".".join(str(each.value.get(f"x-python-{word}", "")) for word in ("resource", "name"))
        for each in DocumentModel(found).operations
    ]


@pytest.mark.parametrize(
    ("resource", "name", "short"),
    [
        ("items", "read_item_items__item_id__get", "read_item"),
        ("items", "items_items__item_id__get", ""),
        ("emails", "emails_list", "list"),
        ("emails", "emails-send", "send"),
        ("emails", "EmailsController_findAll", "find_all"),
        ("emails", "email_controller_find", "find"),
        ("emails", "email_send", "send"),
        ("emails", "email_address", ""),
        ("emails", "emails", ""),
        ("emails", "emails_by_user", ""),
        ("emails", "emails_v2", ""),
        ("receiving_emails", "emails_get_receiving", "get_receiving"),
        ("lists", "list_lists", ""),
        ("block_list", "list_users", ""),
        ("policies", "policy_create", "create"),
        ("files", "files_api_routes_list_files", "list_files"),
        ("beta_agents", "agents_api_v1_agents_list", "list"),
        ("emails", "create_email", ""),
        ("message_attempt", "v1.message-attempt.list-by-endpoint", "list_by_endpoint"),
        ("batch_v1", "listBatchV1CronJobForAllNamespaces", "list_cron_job_for_all_namespaces"),
        ("health", "v2_ready", "ready"),
        ("auth_external", "ExternalAuthController_completeLogin", "complete_login"),
    ],
)
def test_short_names(resource: str, name: str, short: str) -> None:
    path = {"/items/{item_id}": {"get": operation(name, tags=[resource])}}
    (found,) = DocumentModel(Document("d", operations(path), {})).operations
    assert short_title(found, resource) in (short, "" if short else "items")


ROUTES = {
    "/files": ("get_files", "post_files"),
    "/files/{file_id}": ("get_files_id", "delete_files_by_file_id"),
    "/files/{file_id}/parts": ("get_files_id_parts",),
    "/files/{file_id}/parts/{part}": ("get_files_id_parts_part",),
    "/files/{file_id}/content": ("getFilesContent",),
    "/files/{file_id}#add_link": ("put_files_id#add_link",),
    "/trash/{file_id}": ("get_trash_id",),
}


VERBS = """
add archive cancel create delete destroy download fetch find get insert list modify patch post put
read remove replace restore retrieve search send set show start stop submit update upload upsert
view
"""


@pytest.mark.parametrize("verb", VERBS.split())
def test_what_is_done_to_one_is_a_method_of_all(verb: str) -> None:
    """Which is known by its verb; what begins like one is a noun, and stays with the other."""
    for name, short in ((f"book_{verb}", verb), (f"book_{verb}ness", "")):
        get = {"/books": {"get": operation(name, tags=["books"])}}
        (found,) = DocumentModel(Document("d", operations(get), {})).operations
        assert short_title(found, "books") == short


def test_ids_that_are_routes() -> None:
    """Where most of them are: then they say no more than the method and the path."""
    paths = {
        path: {name.partition("_")[0][:6].removesuffix("Files"): operation(name, tags=["files"])
               for name in found}
        for path, found in ROUTES.items()
    }  # fmt: skip
    paths["/files/{file_id}/content"] = {"get": operation("getFilesContent", tags=["files"])}
    found, _ = prepare(Document("d", operations(paths), {}))
    assert called(found) == [
        ".list", ".post", ".get", ".delete", ".list_parts", ".get_parts", ".get_content",
        ".add_link", ".get_trash",
    ]  # fmt: skip
    paths["/files"] = {"get": operation("search"), "put": operation("find")}
    found, _ = prepare(Document("d", operations(paths), {}))
    assert set(called(found)) == {"."}


def test_a_name_does_not_depend_on_the_order_of_operations() -> None:
    """Neither of two that could be `list` is: nor one where another is called so by its own id."""
    for given in (
        [("mails", "mails_list"), ("mails", "mail_list"), ("mails", "mails_get")],
        [("mails", "mails_list"), ("mails", "list"), ("mails", "mails_get")],
    ):
        seen = set()
        for order in permutations(given):
            found, _ = prepare(document(*order))
            seen.add(frozenset(zip(order, called(found), strict=True)))
        (names,) = seen
        assert dict(names)[("mails", "mails_list")] == ".mails_list"
        assert dict(names)[("mails", "mails_get")] == ".get"


def test_the_names_of_several_documents() -> None:
    named = Named()
    same = [("things", "list"), ("books", "find")]
    found = [called(prepare(document(*same), (), named)[0]) for _ in range(3)]
    assert found == [
        [".", "."], [".list_2", ".find_2"], [".list_3", ".find_3"],
    ]  # fmt: skip
    moved, notes = prepare(document(("async_books", "find")), (), named)
    assert called(moved) == ["async_books_2.find"]
    assert [note.message for note in notes if note.rule == "python-name"] == [
        "operation find: the classes of the resources async_books and books have one name: "
        "async_books_2; x-python-resource names it better"
    ]


def test_clashes_of_two_documents_do_not_stop_a_run(tmp_path: Path) -> None:
    def one(path: str) -> dict[str, Any]:
        return operations({path: {"get": operation("list"), "put": operation("build_list")}})

    config = project(tmp_path, one("/a"), depot=one("/b"))
    files, notes = generate(config)
    module = files["client/src/sample/resources/things.py"]
    for name in ("list", "list_2", "build_list", "build_list_2"):
        assert f"\ndef build_{name}(" in module and f"    def {name}(self" in module
    said = [str(note) for note in notes if "called" in note.message and "depot" in str(note)]
    assert len(said) == 2 and all("x-python-name names it better" in each for each in said)


def test_what_is_held_to_the_letter_keeps_its_names(tmp_path: Path) -> None:
    held = {**operations({"/b": {"get": operation("list")}}), "x-sections": {"1": "All"}}
    config = project(tmp_path, operations({"/a": {"get": operation("list")}}), depot=held)
    made = effective(config).documents
    assert [called(made[name]) for name in ("document", "depot")] == [[".list_2"], ["."]]
    both = operations({"/a": {"get": operation("list")}})
    (tmp_path / "both").mkdir()
    config = project(tmp_path / "both", {**both, "x-sections": {"1": "All"}}, depot=held)
    assert "two of the name list: say `x-python-name`" in refused(config)


THING = {"type": "object", "description": "A thing.", "properties": {"a": {"type": "string"}}}
HOLDER = {"type": "object", "properties": {"thing": {"$ref": "#/components/schemas/Thing"}}}


def holding(path: str, **schemas: object) -> dict[str, Any]:
    answer = {"$ref": "#/components/schemas/Holder"}
    found = {"Holder": HOLDER, "Thing": THING, "Own": {"enum": ["a"]}, **schemas}
    return operations({path: {"get": operation(f"get{path[1:]}", answer=answer)}}, **found)


def test_components_that_differ_have_classes_of_their_own(tmp_path: Path) -> None:
    """And so have those that hold them, though they say the same."""
    other = {**THING, "required": ["a"]}
    config = project(tmp_path, holding("/A"), depot=holding("/B", Thing=other))
    files, notes = generate(config)
    models = files["client/src/sample/models/things.py"]
    found = re.findall(r"^class (\w+)\(|^    (thing: \w+)", models, re.MULTILINE)
    assert [one or two for one, two in found] == [
        "Thing", "Holder", "thing: Thing", "Thing2", "Holder2", "thing: Thing2",
    ]  # fmt: skip
    methods = files["client/src/sample/resources/things.py"]
    assert "def get_a(self) -> Holder:" in methods and "def get_b(self) -> Holder2:" in methods
    assert [str(note) for note in notes if "differs" in note.message] == [
        f"{tmp_path}/depot.yaml:{line}: {name} differs from the component of that name in document,"
        f" so its class is called {name}2; x-python-name names it better [python-name]"
        for line, name in (("38:4", "Holder"), ("46:4", "Thing"))
    ]


def test_arguments_of_our_own_give_way_to_those_of_documents(tmp_path: Path) -> None:
    def named(name: str) -> dict[str, Any]:
        return {"name": name, "in": "query", "required": True, "schema": {"type": "string"}}

    form = {"type": "object", "properties": {"file": {"type": "string", "format": "binary"}}}
    text = operation("write", parameters=[named("body")])
    text["requestBody"] = {"content": {"text/plain": {}}, "required": True}
    both = operation("both", parameters=[named("body"), named("request_body")])
    both["requestBody"] = text["requestBody"]
    files = operation("upload", parameters=[named("progress")])
    files["requestBody"] = {"content": {"multipart/form-data": {"schema": form}}}
    files, _ = generate(
        project(tmp_path, operations({"/a": {"put": text, "post": both}, "/b": {"put": files}}))
    )
    module = files["client/src/sample/resources/things.py"]
    assert "def build_write(*, body: str, request_body: str)" in module
    assert "request_body_2: str" in module
    assert "progress_2: Progress | None = None" in module and "progress=progress_2" in module
