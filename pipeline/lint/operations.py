"""Operations, their paths and their lists of parameters."""

from __future__ import annotations

import copy
import json
import re
from collections import Counter
from typing import Final

from pipeline.codegen.names import snake, words
from pipeline.lint.run import Rule, Run, Severity
from pipeline.openapi.documents import Pointer
from pipeline.openapi.model import PATH_NAME, why_ignored
from pipeline.openapi.objects import as_dict, as_list
from pipeline.openapi.wording import close, near

_NAME: Final = "x-python-name"
_PAGES: Final = "x-paging"


def _operation_ids(run: Run) -> None:
    """Each operation has an id of its own."""
    ids: dict[str, Pointer] = {}
    for operation in run.operations:
        name = operation.value.get("operationId")
        at = (*operation.pointer, "operationId")
        if name is None:
            run.report(operation.pointer, f"{operation.route} has no operationId", "operation-id")
        elif isinstance(name, str):
            first = ids.setdefault(name, at)
            if first != at:
                text = f"operationId: {name} appears twice; first at {run.document.at(first)}"
                run.report(at, text, "operation-id")


def _paths(run: Run) -> None:
    """Paths are well-formed, and differ in more than the names of their parameters."""
    templates: dict[str, tuple[str, Pointer]] = {}
    for operation in run.operations:
        path, pointer = operation.path, operation.path_pointer
        other, at = templates.setdefault(PATH_NAME.sub("{}", path), (path, pointer))
        if other != path:
            text = f"{path} is the same path as {other} at {run.document.at(at)}"
            run.report(pointer, text, "path", run.house)
        if re.search(r"[{}]", re.sub(r"\{[^{}]+\}", "", path)):
            run.report(pointer, f"{path} has an unmatched or empty brace", "path")
        if "#" in path:
            text = f"{path}: what follows # is not sent"
            run.report(pointer, text, "path", "note")
        goes_out = operation.sent_path
        if goes_out != path.partition("#")[0]:
            text = f"a path has a character that no address holds: {goes_out} is sent"
            run.report(pointer, text, "path", run.house)
        if problem := _of_dots(goes_out):
            run.report(pointer, f"{goes_out}: {problem}", "path", run.house)
        named = PATH_NAME.findall(path)
        for name in dict.fromkeys(named):
            if named.count(name) > 1:
                run.report(pointer, f"{path} names {{{name}}} twice", "path")


def _of_dots(path: str) -> str:
    """Return what becomes of the segments of dots of a path; empty where it has none.

    The HTTP library resolves them as RFC 3986 §5.2.4 has it, and sends encoded ones as they are.
    """
    segments = path.partition("?")[0].split("/")[1:]
    if {".", ".."}.isdisjoint(segments):
        if any(re.fullmatch(r"(\.|%2[Ee]){1,2}", each) for each in segments):
            return (
                "its encoded dots are sent as they are, and a server may resolve them: "
                "write it without them"
            )
        return ""
    depth = 0
    for segment in segments:
        depth += {"..": -1, ".": 0}.get(segment, 1)
        if depth < 0:
            return "its dots lead out of the base address when it is sent: write where it leads to"
    return "its segments of dots are resolved when it is sent: write it without them"


def _path_parameters(run: Run) -> None:
    """Operations declare exactly the parameters that their paths name."""
    for operation in run.operations:
        named = operation.path_names
        declared = operation.sent_in("path")
        missing = [name for name in named if name not in declared]
        for name in missing:
            if not close(name, declared.keys() - {*named}):
                text = f"{operation.route} declares no path parameter {name}, which its path names"
                run.report(operation.pointer, text, "path")
        for name, node in declared.items():
            if name not in named:
                meant = near(name, missing)
                text = f"parameter {name} is in path, but {operation.path} does not name it{meant}"
                run.report(node.pointer, text, "path", "error" if meant else run.house)


def _parameters(run: Run) -> None:
    """A list of parameters has each name once in each place, and none that OpenAPI ignores."""
    for node in run.of("operation", "path item"):
        seen: dict[tuple[str, str], Pointer] = {}
        for index, item in enumerate(as_list(node.value.get("parameters"))):
            at = (*node.pointer, "parameters", index)
            parameter = as_dict(run.follow(at, item)[1])
            name, place = parameter.get("name"), parameter.get("in")
            if not isinstance(name, str) or not isinstance(place, str):
                continue
            first = seen.setdefault((name.lower() if place == "header" else name, place), at)
            if first != at:
                before = run.document.at((*first, "name"))
                text = f"parameter {name} in {place} twice; first at {before}"
                run.report((*at, "name"), text, "parameter", run.house)
            if why := why_ignored(parameter):
                run.report(at, f"parameter {name} is ignored: {why}", "parameter", "note")


def _tags(run: Run) -> None:
    """The tags that the document declares are spelt right in its operations."""
    known = [tag.get("name") for tag in map(as_dict, as_list(as_dict(run.data).get("tags")))]
    names = [name for name in known if isinstance(name, str)]
    for operation in run.operations:
        for index, tag in enumerate(as_list(operation.value.get("tags"))):
            if isinstance(tag, str) and tag not in names and (meant := near(tag, names)):
                text = f"tag {tag} is not among the tags of the document{meant}"
                run.report((*operation.pointer, "tags", index), text, "tag", run.house)


def _usual_responses(run: Run) -> None:
    """An operation has the errors that nearly all others have, unless its own are confirmed."""
    if run.house == "note":
        return
    responses = [as_dict(each.value.get("responses")) for each in run.operations]
    counts = Counter(status for each in responses for status in each)
    for operation, own in zip(run.operations, responses, strict=True):
        for status, count in counts.items():
            if status not in own and status[:1] in "45" and count >= 0.9 * len(responses):
                text = f"{operation.route} has no response {status}; {count} others have it"
                usual = [json.dumps(each[status]) for each in responses if status in each]
                update = {status: json.loads(Counter(usual).most_common(1)[0][0])}
                at = (*operation.pointer, "responses")
                is_known = "x-confirmed" in {**operation.value, **own}  # that it has not, perhaps
                severity: Severity = "note" if is_known else "error"
                run.report(at, text, "responses", severity, update=update)


def _usual_names(run: Run) -> None:
    """An operation is given a name in Python where nearly all others of this document are."""
    lacking = [each for each in run.operations if _NAME not in each.value]
    others = len(run.operations) - len(lacking)
    for operation in lacking if others and others >= 0.9 * len(run.operations) else ():
        name = str(operation.value.get("operationId") or operation.route)
        text = (
            f"{operation.route} has no {_NAME}; {others} others have it, and this method is called"
            f" {snake(name)}"
        )
        update = {_NAME: words(name)[0].lower()}
        run.report(operation.pointer, text, "python-name", "note", update=update)


def _paged(run: Run) -> None:
    """A list whose response is like that of a list in pages is in pages, too."""
    lists = [each for each in run.operations if each.method == "get"]
    held = [frozenset(run.members(run.response(each))) for each in lists]
    paged = {key: each for each, key in zip(lists, held, strict=True) if _PAGES in each.value}
    for operation, key in zip(lists, held, strict=True):
        other = paged.get(key)
        if len(key) > 1 and other is not None and _PAGES not in operation.value:
            text = (
                f"{operation.route} has no {_PAGES}; it responds like {other.route}, which has it"
            )
            update = {_PAGES: copy.deepcopy(other.value[_PAGES])}
            run.report(operation.pointer, text, "paging", "note", update=update)


RULES: Final[tuple[Rule, ...]] = (
    *(_operation_ids, _paths, _path_parameters, _parameters),
    *(_tags, _usual_responses, _usual_names, _paged),
)
