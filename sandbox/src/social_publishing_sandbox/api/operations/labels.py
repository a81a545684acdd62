"""Operations on labels (§4.5)."""

from __future__ import annotations

from typing import Final

from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.state import access, ids, posting
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.refusals import Reason, Refusal, invalid, not_found
from social_publishing_sandbox.state.service import Call, Service

_COLOR: Final = 3  # Blue; the service does not say which one a new label gets


def create_label(service: Service, call: Call) -> Json:
    """Make a label (§4.5) for all groups (`createLabel.defaults`)."""
    access.check_may_write(call)
    if "name" not in call.body:
        sentence = "A label must have a name."
        raise invalid({"name": [sentence]}, cites="createLabel.required")
    _check_name(service, call.body["name"])
    label: Json = {
        "id": service.new_id(),
        "organization_id": service.organization["id"],
        "group_id": None,
        "color": _COLOR,
        **service.documented(call.body, "LabelCreation", "Label"),
    }
    service.store.labels.put(label)
    service.emit("label", {"id": label["id"]})
    return service.view("Label")(label)


def _check_name(service: Service, name: str) -> None:
    rules: Json = service.assume.get("labels", {})
    if rules.get("blank") == "refused" and not name.strip():
        sentence = "The field name must not be empty."
        raise invalid({"name": [sentence]}, cites="createLabel.names")
    if not rules.get("unique"):
        return
    # Looked for as bytes first: to read every label would take longer with each that is made.
    written = orjson.dumps({"name": name})[1:-1]
    alike = service.store.labels.where("instr(doc, ?)", (written,))
    if any(each["name"] == name and each.get("group_id") is None for each in alike):
        sentence = f"There is already a label {name!r}."
        raise Refusal(Reason.CONFLICT, sentence, cites="createLabel.names")


def delete_label(service: Service, call: Call) -> Json:
    """Delete a label, and take it off every post that has it (§4.5)."""
    access.check_may_write(call)
    label = service.store.labels.get(call.id)
    if label is None:
        raise not_found("label", cites="ids.unknown")
    if label.get("group_id") is not None:
        access.group(service, call.user, label["group_id"])
    key = ids.key(label["id"])
    rows = service.store.execute("SELECT post_key FROM post_labels WHERE label_key = ?", (key,))
    posts = service.store.posts.where_in("key", [post for (post,) in rows])
    service.store.execute("DELETE FROM post_labels WHERE label_key = ?", (key,))
    service.store.labels.remove(label["id"])
    for post in posts:
        posting.log(service, post, "removedLabel", call.user, {"label": label["name"]})
    service.emit("label", {"id": label["id"]})
    return service.view("Label")(label)
