"""Make objects by control: fill in what was not given, and store all of it.

Each function takes the given fields with an identifier, and returns the object as the API shows it.
"""

from __future__ import annotations

from typing import Final

from social_publishing_sandbox.api.operations import checks, groups, notes, posts
from social_publishing_sandbox.control import changing
from social_publishing_sandbox.state import ids, posting, publishing, times
from social_publishing_sandbox.state.behaviour import text
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.errors import ControlError
from social_publishing_sandbox.state.service import Service, stamp
from social_publishing_sandbox.state.views import STORED_RELATIONS
from social_publishing_sandbox.worlds.completion import FILLS


def _owner(service: Service) -> Json:
    return service.with_tokens()[0][0]


def post(service: Service, doc: Json) -> Json:
    """Store a post and its details, as published or planned as its status says."""
    codes = service.codes
    labels = doc.pop("labelIds", [])
    if wanted := checks.delay_limits(service, doc):
        raise ControlError(f"{checks.DELAY} must be {wanted}", checks.DELAY)
    for name in STORED_RELATIONS:
        if name in doc:
            doc[f"_{name}"] = doc.pop(name)
    doc["user_id"] = doc.get("user_id") or _owner(service)["id"]
    doc.setdefault("public_id", ids.digest(doc["id"], 12))
    doc.setdefault("source", 1)
    doc.setdefault("status", codes["DRAFT"])
    doc["created_at"] = stamp(service)
    doc["should_skip"] = doc["status"] == codes["SKIPPED"]
    _date(service, doc)
    posting.weigh(service, doc)
    doc["has_customized_content"] = text.has_customization(doc)
    posting.save(service, doc)
    posting.rebuild_details(service, doc)
    posting.set_labels(service, doc["id"], labels)
    if doc["status"] == codes["PUBLISHED"]:
        publishing.publish_as_planned(service, doc)
    elif doc["status"] == codes["FAILED"]:
        publishing.fail(service, doc, publishing.REFUSED)
    else:
        posting.plan(service, doc)
    posting.save(service, doc)
    creator = service.store.users.get(doc["user_id"])
    posting.log(service, doc, "createdPost", creator, source=doc["source"])
    return posts.show(service, [doc], ("details", "socialAccounts", "labels", "approvals"))[0]


_BEGUN: Final = ("REVIEW_MISSED", "IN_PROGRESS", "FAILED", "PUBLISHED")


def _date(service: Service, doc: Json) -> None:
    """Give a post its date; one that is going out or has gone out has one in any case."""
    status, field = service.transitions.name[doc["status"]], "publication_date"
    if not doc.get(field) and status in _BEGUN:
        doc[field] = stamp(service)
    if not doc.get(field):
        if status == "SCHEDULED":
            raise ControlError(f"a scheduled post needs the field {field}", field)
        return
    moment = changing.moment(service, times.parse(doc[field]), field)
    if status == "PUBLISHED" and moment > service.now():
        raise ControlError(f"{field}: a post cannot be published before its time", field)
    posting.set_date(doc, moment)


def _completed(service: Service, kind: str, doc: Json) -> Json:
    """Return an object with what worlds fill in, too."""
    doc = {"created_at": stamp(service), **doc}
    FILLS[kind](doc, _owner(service)["id"], int(doc["id"][-6:]))
    return doc


def group(service: Service, doc: Json) -> Json:
    """Store a group."""
    doc = _completed(service, "groups", doc)
    service.store.groups.put(doc)
    service.emit("group", {"id": doc["id"]})
    return groups.show(service, doc, groups.RELATIONS)


def account(service: Service, doc: Json) -> Json:
    """Store a social account."""
    doc = _completed(service, "social_accounts", {"followers_count": 1000, **doc})
    service.store.accounts.put(doc, ids.key(doc["group_id"]))
    service.emit("account", {"id": doc["id"], "group_id": doc["group_id"]})
    return service.view("SocialAccount")(doc)


def user(service: Service, doc: Json) -> Json:
    """Store a user with a token."""
    # By the seed, so that the same steps give the same one.
    made = ids.digest(f"{service.settings.seed}/{doc['id']}", 24)
    token = doc.pop("token", None) or f"sandbox-user-{made}"
    if service.user_of(token):
        raise ControlError("another user has this token", "token")
    doc = _completed(service, "users", doc)
    service.store.users.put(doc, token)
    service.emit("user", {"id": doc["id"]})
    return {**service.view("User")(doc), "token": token}


def label(service: Service, doc: Json) -> Json:
    """Store a label."""
    doc = {"group_id": None, "color": 3, **doc}
    service.store.labels.put(doc)
    service.emit("label", {"id": doc["id"]})
    return service.view("Label")(doc)


def note(service: Service, doc: Json) -> Json:
    """Store a calendar note."""
    doc["_series"] = doc.pop("series", None)
    defaults: Json = {"user_id": _owner(service)["id"], "group_id": None, "content": "", "color": 3}
    doc = {**defaults, **doc}
    start, end = (
        changing.moment(service, times.parse(doc[each]), each)
        for each in ("start_date", "end_date")
    )
    if end < start:
        raise ControlError("end_date must not lie before start_date", "end_date")
    doc["start_date"], doc["end_date"] = times.text(start), times.text(end)
    notes.store(service, doc)
    service.emit("note", {"id": doc["id"]})
    return notes.show(service, doc)
