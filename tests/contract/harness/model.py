"""A simple model of the service: what each call must do, and what must be true afterwards.

Written from the specification, whose parts the comments name, and from what the documents assume
(`x-assume`); nothing here knows how a server does it. Objects are plain dicts by identifier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.support.documents import Json, Values

NOT_SCHEDULE, DRAFT, IN_REVIEW, REJECTED, MISSED = 1, 5, 10, 15, 20
SCHEDULED, IN_PROGRESS, FAILED, SKIPPED, PUBLISHED, DELETED = 25, 30, 35, 37, 40, 50
LEAVING = (NOT_SCHEDULE, REJECTED, MISSED, FAILED, SKIPPED)
STRICT = 2

DERIVED = frozenset(
    [
        "updated_at",
        "content_weighted_length",
        "has_customized_content",
        "published_at",
        "approved_at",
        "customized_publication_date",
        "publication_timestamp",
        "details",
        "user",
        "socialAccounts",
        "approvals",
        "media",
        "comments",
        "tasks",
        "labels",
    ]
)
"""What the service makes of other things: a write does not say what it becomes."""

Fields = dict[str, Any]


# Expected values that are more than one value


@dataclass(frozen=True)
class OneOf:
    """Any of these values."""

    values: frozenset[Any]

    def holds(self, value: Json) -> bool:
        return value in self.values

    def __str__(self) -> str:
        return " or ".join(map(repr, sorted(self.values, key=repr)))


@dataclass(frozen=True)
class Like:
    """What is read of something that was written in another shape."""

    sent: Json
    test: Callable[[Json, Json], bool]

    def holds(self, value: Json) -> bool:
        return self.test(self.sent, value)

    def __str__(self) -> str:
        return f"what {self.sent!r} is read as"


def one_of(*values: Any) -> OneOf:
    return OneOf(frozenset(values))


def differences(expected: Mapping[str, Any], read: Mapping[str, Json], what: str) -> list[str]:
    """Return where an object is read as something else than it must be.

    Absent is as good as null.
    """
    found = []
    for name, wanted in expected.items():
        if name in read and wanted == read[name]:
            continue
        value = plain(read.get(name))
        fits = wanted.holds(value) if isinstance(wanted, OneOf | Like) else plain(wanted) == value
        if not fits:
            shown = wanted if isinstance(wanted, OneOf | Like) else repr(wanted)
            found.append(f"{what}: {name} must be {shown}, is {value!r}")
    return found


def plain(value: Json) -> Json:
    """Return a value in the one form in which equal values are equal."""
    moment = instant(value)
    return value if moment is None else moment.isoformat()


def instant(value: Json) -> datetime | None:
    """Return the moment that a text names; None where it names none."""
    if not isinstance(value, str) or len(value) < 19 or value[10] != "T":
        return None
    try:
        return datetime.fromisoformat(value.replace("Z", "+00:00")).astimezone(UTC)
    except ValueError:
        return None


def unique(values: Iterable[Any]) -> list[Any]:
    return list(dict.fromkeys(values))


# What a call must do


def nothing(response: Json) -> list[str]:
    return []


@dataclass
class Expected:
    """What a call must do.

    Attributes:
        refusals: why the service may refuse it; then nothing must have changed.
        must_refuse: it cannot be carried out.
        write: does to the model what carrying it out does to the service.
        check: what is wrong with a response of success.
        posts: the posts whose fields it is about.
        notes, groups: the same of notes and groups.
    """

    refusals: list[str] = field(default_factory=list)
    must_refuse: bool = False
    write: Callable[[Json], None] | None = None
    check: Callable[[Json], list[str]] = nothing
    posts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)


class Model:
    """What there is, as far as the specification tells.

    Attributes:
        now: the moment, by the service's clock.
        perhaps_gone: notes of which nobody can tell whether they are there.
    """

    def __init__(self, find: Callable[[str], list[Json]], now: datetime) -> None:
        self.now = now
        self.posts: dict[str, Fields] = {
            each["id"]: post_fields(each) for each in find("posts") if each["status"] != DELETED
        }
        self.groups: dict[str, Fields] = {each["id"]: group_fields(each) for each in find("groups")}
        self.accounts = {each["id"]: dict(each) for each in find("social_accounts")}
        self.notes: dict[str, Fields] = {
            each["id"]: note_fields(each) for each in find("calendar_notes")
        }
        self.labels = {each["id"]: dict(each) for each in find("labels")}
        self.media = {each["id"]: dict(each) for each in find("media")}
        self.users = {each["id"]: dict(each) for each in find("users")}
        self.perhaps_gone: set[str] = set()
        self.activities: dict[str, int] = {}

    def expected(self, operation: str, values: Values, user: str) -> Expected:
        """Return what a call must do, made by a user."""
        found: Expected = getattr(self, f"_{operation}")(
            {key.partition(".")[2]: value for key, value in values.items()}, user
        )
        if self.is_limited(user):  # what a role may do is not shown (§5)
            found.refusals.append("the user's role")
            found.check = nothing
        return found

    def is_limited(self, user: str) -> bool:
        """Return whether a user sees a part of what there is."""
        return not self.users[user].get("can_access_all_groups")

    def learn(self, kind: str, identifier: str, read: Mapping[str, Json]) -> list[str]:
        """Hold what is read against what must be; what was open is known from now on."""
        known: dict[str, Fields] = getattr(self, kind)
        if identifier not in known:
            return [f"{kind} {identifier}: must not be there"]
        expected = known[identifier]
        if kind == "posts" and expected["status"] in (SCHEDULED, IN_REVIEW):
            # What is due happens when somebody looks.
            expected = {**expected, "status": one_of(*self._soon(expected, {expected["status"]}))}
        found = differences(expected, read, f"{kind} {identifier}")
        if not found:
            known[identifier] = {name: read.get(name) for name in {**expected, **read}}
        return found

    # Posts: §2.2, §3 and §4.1

    def _listPosts(self, given: Fields, user: str) -> Expected:
        accounts, group = set(given.get("socialAccountIds", ())), given.get("groupId")
        refusals = []
        if group is not None and group not in self.groups:
            refusals.append("there is no such group")
        if accounts - set(self.accounts):
            refusals.append("there is no such account")
        if group is not None and accounts:
            return Expected(refusals)  # what both filters do together is not shown
        if group is not None:
            accounts = {i for i, each in self.accounts.items() if each["group_id"] == group}
        wanted = {i for i, each in self.posts.items() if accounts & set(each["selectedAccountIds"])}

        def check(response: Json) -> list[str]:
            read = [each["id"] for each in response["data"]]
            found = [] if len(set(read)) == len(read) else ["a post is listed twice"]
            if read != sorted(read, key=int, reverse=True):
                found.append("the list does not begin with the newest")
            if given.get("page", 1) == 1 and set(read) != wanted:
                found += [f"post {each} is not listed" for each in sorted(wanted - set(read))]
            found += [f"post {each} must not be listed" for each in sorted(set(read) - wanted)]
            for each in response["data"]:
                found += self.learn("posts", each["id"], with_labels(each, self.posts))
            return found

        return Expected(refusals, check=check)

    def _getPosts(self, given: Fields, user: str) -> Expected:
        wanted = [each for each in unique(given["ids"]) if each in self.posts]

        def check(response: Json) -> list[str]:
            read = [each["id"] for each in response]
            found = [] if read == wanted else [f"must be the posts {wanted}, are {read}"]
            for each in response:
                found += self.learn("posts", each["id"], with_labels(each, self.posts))
            return found

        return Expected(check=check)

    def _updatePost(self, given: Fields, user: str) -> Expected:
        identifier, sent = given["post"], {k: v for k, v in given.items() if k != "post"}
        if identifier not in self.posts:
            return Expected(["there is no such post"], must_refuse=True)
        post = self.posts[identifier]
        refusals = self._unknown(sent)
        if post["status"] in (PUBLISHED, IN_PROGRESS):
            refusals.append("the post is out, or on its way")
        if set(post["selectedAccountIds"]) - set(
            sent.get("selectedAccountIds", post["selectedAccountIds"])
        ):
            refusals.append("it may be out on an account that it would leave")
        if sent.get("isPublishNow") and not {**post, **sent}["selectedAccountIds"]:
            refusals.append("there is no account to publish it on")
        if sent.get("isPublishNow") and {STRICT, None} & self._workflows({**post, **sent}):
            refusals.append("nobody may have approved it")
        refusals += odd(sent)
        if sent.get("isDraft") is False and not self._has_approver({**post, **sent}):
            refusals.append("nobody is there to approve it")

        def write(_: Json) -> None:
            self.posts[identifier] = self._updated(post, sent)

        def check(response: Json) -> list[str]:
            read = with_labels(response, self.posts)
            return self.learn("posts", identifier, read) + stamps(response)

        return Expected(refusals, write=write, check=check, posts=[identifier])

    def _unknown(self, sent: Fields) -> list[str]:
        known: dict[str, Mapping[str, Fields]] = {
            "selectedAccountIds": self.accounts,
            "selected_media_ids": self.media,
            "assigneesIds": self.users,
            "labelIds": self.labels,
        }
        found = [f"{k} of something unknown" for k in known if set(sent.get(k, ())) - set(known[k])]
        # Elsewhere identifiers stand inside of other things.
        inside = ("pi_boards", "pi_sections", "yt_categories", "yt_playlists", "first_comments")
        return found + [f"{name} names others" for name in (*inside, "customized") if name in sent]

    def _updated(self, post: Fields, sent: Fields) -> Fields:
        """Return the post after an update: what is not sent stays (§4.1.1)."""
        found = dict(post)
        for name, value in sent.items():
            if name in ("notify_assignee", "isDraft", "isPublishNow"):
                continue
            found["labelIds" if name == "labelIds" else name] = read_as(name, value)
        chosen = {
            name: sent[name] for name in ("selectedAccountIds", "assigneesIds") if name in sent
        }
        found["status"] = self._status_after(post, {**found, **chosen}, sent)
        if post["status"] == PUBLISHED and sent.get("should_skip"):
            found["should_skip"] = one_of(True, False, None)  # it has no meaning any more
        if "should_skip" not in sent and {"isDraft", "isPublishNow"} & set(sent):
            found["should_skip"] = one_of(True, False, None)
        if sent.get("isPublishNow"):
            found.pop("publication_date")  # it may tell when that was
        return found

    def _status_after(self, post: Fields, after: Fields, sent: Fields) -> Any:
        """Return the status after an update; what keeps a post from going out wins (x-assume)."""
        status = post["status"]
        if status == PUBLISHED:
            return PUBLISHED
        if sent.get("should_skip"):
            return SKIPPED
        if sent.get("isDraft"):
            return DRAFT
        if sent.get("isDraft") is False and self._leaves(post, after):
            # Whether one out of draft goes out at once, when both are sent, is not said.
            now = {IN_PROGRESS} if sent.get("isPublishNow") else set()
            return one_of(*self._soon(after, self._released(after) | now))
        if sent.get("isPublishNow"):
            return one_of(*self._soon(after, {IN_PROGRESS}))
        if sent.get("should_skip") is False and status == SKIPPED:
            return one_of(*self._soon(after, self._released(after)))
        return one_of(*self._soon(after, {status}))

    def _leaves(self, post: Fields, after: Fields) -> bool:
        """Return whether `is_draft` false takes a post out of its state (x-assume)."""
        moment = instant(after.get("publication_date"))
        future = moment is not None and moment > self.now
        return post["status"] == DRAFT or (future and post["status"] in LEAVING)

    def _released(self, post: Fields) -> set[int]:
        """Return where a post out of draft goes (x-assume)."""
        flows = self._workflows(post)
        dated = SCHEDULED if post.get("publication_date") else NOT_SCHEDULE
        if STRICT in flows:
            return {IN_REVIEW if self._has_approver(post) else DRAFT}
        return {dated, IN_REVIEW, DRAFT} if None in flows else {dated}

    def _workflows(self, post: Fields) -> set[int | None]:
        """The approval workflows of its groups; None is the organization's, which is not told."""
        accounts = [self.accounts.get(each) for each in post["selectedAccountIds"]]
        groups = [self.groups[each["group_id"]] for each in accounts if each]
        return {each["approval_workflow"] for each in groups} or {None}

    def _has_approver(self, post: Fields) -> bool:
        assignees = [self.users.get(each, {}) for each in post.get("assigneesIds") or ()]
        strict = {STRICT, None} & self._workflows(post)
        return not strict or any(each.get("can_approve") for each in assignees)

    def _soon(self, post: Fields, statuses: set[int]) -> set[int]:
        """Return the statuses, and those that they turn into at once where the date has passed."""
        moment = instant(post.get("publication_date"))
        found = set(statuses)
        if moment is not None and moment <= self.now:
            found |= {IN_PROGRESS} if SCHEDULED in found else set()
            found |= {MISSED} if IN_REVIEW in found else set()
        if IN_PROGRESS in found:
            found |= {FAILED, PUBLISHED}
        return found

    def _deletePosts(self, given: Fields, user: str) -> Expected:
        def write(_: Json) -> None:
            for each in given["ids"]:
                self.posts.pop(each, None)

        return Expected(write=write, posts=unique(given["ids"]))

    def _setPostsDraft(self, given: Fields, user: str) -> Expected:
        identifiers = unique(given["post_ids"])
        live = [each for each in identifiers if each in self.posts]
        published = [each for each in live if self.posts[each]["status"] == PUBLISHED]
        others = [each for each in live if each not in published]
        unassigned: list[str] = []
        unsaid: list[str] = []
        if not given["is_draft"]:
            drafts = [e for e in others if self._leaves(self.posts[e], self.posts[e])]
            unassigned = [each for each in drafts if not self._has_approver(self.posts[each])]
            # The organization's own workflow is not told: what is not strict needs nobody.
            unsaid = [
                each for each in unassigned if STRICT not in self._workflows(self.posts[each])
            ]
            unsaid += [each for each in others if each not in drafts]
        moved = [each for each in others if each not in {*unassigned, *unsaid}]

        def write(_: Json) -> None:
            for each in {*moved, *unsaid}:
                post = self.posts[each]
                status = {DRAFT} if given["is_draft"] else self._soon(post, self._released(post))
                if each in unsaid:
                    leaves = self._leaves(post, post)
                    status = status | {post["status"]} if leaves else {post["status"]}
                skip = one_of(True, False, None)
                self.posts[each] = {**post, "status": one_of(*status), "should_skip": skip}

        def check(response: Json) -> list[str]:
            found = []
            for name, wanted, perhaps in (
                ("post_ids", moved, unsaid),
                ("skipped_published", published, []),
                ("skipped_no_assignee", [e for e in unassigned if e not in unsaid], unsaid),
            ):
                read = response.get(name) or []
                if not set(wanted) <= set(read) <= {*wanted, *perhaps}:
                    found.append(f"{name} must be {wanted}, is {read}")
            skipped = any(response.get(k) for k in ("skipped_published", "skipped_no_assignee"))
            if bool(response.get("partial")) != skipped:
                found.append(f"partial must be {skipped}, is {response.get('partial')}")
            return found

        return Expected(write=write, check=check, posts=identifiers)

    def _getPostMetrics(self, given: Fields, user: str) -> Expected:
        return self._of_a_post(given["postId"], nothing)

    def _listPostActivities(self, given: Fields, user: str) -> Expected:
        def check(response: Json) -> list[str]:
            read = [each["id"] for each in response["data"]]
            found = [] if len(set(read)) == len(read) else ["an activity is listed twice"]
            if any(each["post_id"] != given["post"] for each in response["data"]):
                found.append("an activity of another post is listed")
            if given.get("page", 1) == 1:
                before = self.activities.get(given["post"], 0)
                if len(read) < before:
                    found.append(f"there were {before} activities, now there are {len(read)}")
                self.activities[given["post"]] = len(read)
            return found

        return self._of_a_post(given["post"], check)

    def _of_a_post(self, identifier: str, check: Callable[[Json], list[str]]) -> Expected:
        if identifier not in self.posts:
            return Expected(["there is no such post"], must_refuse=True)
        return Expected(check=check)

    # Groups and accounts: §2.6, §2.7, §4.2 and §4.3

    def _getGroup(self, given: Fields, user: str) -> Expected:
        if given["group"] not in self.groups:
            return Expected(["there is no such group"], must_refuse=True)
        return Expected(check=lambda response: self.group_problems(given["group"], response))

    def group_problems(self, identifier: str, read: Json) -> list[str]:
        """Return what is wrong with a group that is read."""
        found = self.learn("groups", identifier, group_fields(read))
        members = {i for i, each in self.accounts.items() if each["group_id"] == identifier}
        if "socialAccounts" in read:
            listed = [each["id"] for each in read["socialAccounts"]]
            if sorted(listed) != sorted(members):
                found.append(f"socialAccounts must be {sorted(members)}, are {sorted(listed)}")
        if read.get("socialAccountsCount", len(members)) != len(members):
            count = read["socialAccountsCount"]
            found.append(f"socialAccountsCount must be {len(members)}, is {count}")
        return found

    def _replaceGroup(self, given: Fields, user: str) -> Expected:
        identifier = given["group"]
        if identifier not in self.groups:
            return Expected(["there is no such group"], must_refuse=True)
        refusals = ["the time zone"] if given["timezone"] not in ZONES else []
        if not given["name"].strip():
            refusals.append("no name")
        if given.get("default_assignee_ids"):
            refusals.append("assignees do not apply")
        members = sum(each["group_id"] == identifier for each in self.accounts.values())
        if (given.get("max_social_accounts") or members) < members:
            refusals.append("it has more accounts")

        def write(_: Json) -> None:
            names = ("name", "timezone", "type", "week_start_day", "note", "max_social_accounts")
            group = {**self.groups[identifier], **{name: given.get(name) for name in names}}
            for name in ("type", "week_start_day"):
                if name not in given:
                    group.pop(name)  # reset, to what is not told
            for name in ("default_assignee_ids", "default_everyone_must_approve"):
                group.pop(name, None)  # these do not apply for API
            self.groups[identifier] = group

        def check(response: Json) -> list[str]:
            return self.group_problems(identifier, response)

        return Expected(refusals, write=write, check=check, groups=[identifier])

    def _getSocialAccount(self, given: Fields, user: str) -> Expected:
        identifier = given["socialAccount"]
        if identifier not in self.accounts:
            return Expected(["there is no such account"], must_refuse=True)

        def check(response: Json) -> list[str]:
            wanted = {k: v for k, v in self.accounts[identifier].items() if k != "user"}
            return differences(wanted, response, f"account {identifier}")

        return Expected(check=check)

    def _moveSocialAccount(self, given: Fields, user: str) -> Expected:
        identifier, group = given["socialAccount"], given["group_id"]
        if identifier not in self.accounts or group not in self.groups:
            return Expected(["there is no such account or group"], must_refuse=True)
        left = self.accounts[identifier]["group_id"]
        others = [
            i for i, each in self.accounts.items() if each["group_id"] == group and i != identifier
        ]
        most = self.groups[group].get("max_social_accounts")
        full = most is not None and len(others) >= most and left != group

        def write(_: Json) -> None:
            self.accounts[identifier]["group_id"] = group

        refusals = ["the group is full"] if full else []
        return Expected(refusals, must_refuse=full, write=write, groups=unique([left, group]))

    def _getPostsOverview(self, given: Fields, user: str) -> Expected:
        group = given["groupId"]
        members = {i for i, each in self.accounts.items() if each["group_id"] == group}
        scheduled = [
            len(members & set(each["selectedAccountIds"]))
            for each in self.posts.values()
            if each["status"] == SCHEDULED
        ]

        def count(status: int) -> int:
            return sum(each["status"] == status for each in self.posts.values())

        wanted = {
            "scheduledPosts": sum(map(bool, scheduled)),
            "scheduledPostDetails": sum(scheduled),
            "needsApproval": count(IN_REVIEW),
            "rejected": count(REJECTED),
            "missedReview": count(MISSED),
        }
        refusals = [] if group in self.groups else ["there is no such group"]
        return Expected(
            refusals, check=lambda response: differences(wanted, response, "the overview")
        )

    # Calendar notes: §2.9 and §4.4

    def _listCalendarNotes(self, given: Fields, user: str) -> Expected:
        named = dict(given)
        group = named.pop("groupId", None)
        start, end = sorted(filter(None, map(instant, named.values())))
        seen = {
            i: each
            for i, each in self.notes.items()
            if (not each["is_private"] or each["user_id"] == user)
            and (group is None or each["group_id"] in (None, group))
        }
        ends = {i: (instant(e["start_date"]), instant(e["end_date"])) for i, e in seen.items()}
        # Whether a note that ends where the range begins touches it is not shown.
        may = {i for i, (first, last) in ends.items() if first <= end and last >= start}
        must = {i for i in may if ends[i][0] < end and ends[i][1] > start}

        def check(response: Json) -> list[str]:
            read = [each["id"] for each in response]
            found = [] if len(set(read)) == len(read) else ["a note is listed twice"]
            found += [f"note {each} is not listed" for each in sorted(must - set(read))]
            found += [f"note {each} must not be listed" for each in sorted(set(read) - may)]
            for each in response:
                found += self.learn("notes", each["id"], note_fields(each)) + extra_day(each)
            return found

        refusals = [] if group is None or group in self.groups else ["there is no such group"]
        return Expected(refusals, check=check)

    def _replaceCalendarNote(self, given: Fields, user: str) -> Expected:
        identifier = given["calendarNote"]
        if identifier not in self.notes:
            return Expected(["there is no such note"], must_refuse=True)
        note = self.notes[identifier]
        foreign = note["user_id"] != user
        refusals = self._note_refusals(given, note, user)
        group = given.get("group_id")
        if group is not None and group not in self.groups:
            return Expected(["there is no such group"], must_refuse=True)
        if not given["title"].strip():
            refusals.append("no title")

        def write(_: Json) -> None:
            sent = {
                "title": given["title"],
                "start_date": given["start_date"],
                "end_date": given["end_date"],
                "group_id": group,
                "content": given.get("content", one_of("", None)),
                "is_private": given.get("is_private", one_of(False, None)),
                "visible_for_client": given.get("visible_for_client", one_of(False, None)),
            }
            self.notes[identifier] = {**note, **sent}
            if "color" in given:
                self.notes[identifier]["color"] = given["color"]
            else:
                self.notes[identifier].pop("color", None)  # reset, to what is not told

        def check(response: Json) -> list[str]:
            return self.learn("notes", identifier, note_fields(response)) + extra_day(response)

        private = foreign and bool(given.get("is_private"))  # only the author can (§5)
        return Expected(refusals, private, write=write, check=check, notes=[identifier])

    def _note_refusals(self, given: Fields, note: Fields, user: str) -> list[str]:
        found = []
        start, end = instant(given["start_date"]), instant(given["end_date"])
        if start and end and end < start:
            found.append("it ends before it begins")
        if note["is_private"] and note["user_id"] != user:
            found.append("it is somebody's own")
        if given.get("is_private") and note["user_id"] != user:
            found.append("only its author can make it private")
        return found

    def _rescheduleCalendarNote(self, given: Fields, user: str) -> Expected:
        identifier = given["calendarNoteId"]
        if identifier not in self.notes:
            return Expected(["there is no such note"], must_refuse=True)
        note = self.notes[identifier]

        def write(_: Json) -> None:
            dates = {"start_date": given["start_date"], "end_date": given["end_date"]}
            self.notes[identifier] = {**note, **dates}

        def check(response: Json) -> list[str]:
            return self.learn("notes", identifier, note_fields(response)) + extra_day(response)

        refusals = self._note_refusals(given, note, user)
        return Expected(refusals, write=write, check=check, notes=[identifier])

    def _deleteCalendarNote(self, given: Fields, user: str) -> Expected:
        identifier = given["calendarNote"]
        if identifier not in self.notes:
            return Expected(["there is no such note"], must_refuse=True)
        note = self.notes[identifier]
        foreign = note["is_private"] and note["user_id"] != user

        def write(_: Json) -> None:
            del self.notes[identifier]
            if len(given) > 1:  # what a series is, no field tells: they have their title in common
                same = {i for i, each in self.notes.items() if each["title"] == note["title"]}
                self.perhaps_gone |= same

        return Expected(
            ["it is somebody's own"] if foreign else [], write=write, notes=[identifier]
        )

    # Labels: §2.10 and §4.5

    def _createLabel(self, given: Fields, user: str) -> Expected:
        name = given["name"]
        refusals = [] if name.strip() else ["no name"]
        if any(each["name"] == name for each in self.labels.values()):
            refusals.append("there is one of that name")
        if len(name) > 100 or not name.isprintable():
            refusals.append("an odd name")
        newest = max(map(int, self.labels), default=0)

        def write(response: Json) -> None:
            self.labels[response["id"]] = response

        def check(response: Json) -> list[str]:
            found = differences({"name": name}, response, "the label")
            if int(response["id"]) <= newest:
                found.append(f"the new label {response['id']} is not newer than {newest}")
            return found

        return Expected(refusals, write=write, check=check)

    def _deleteLabel(self, given: Fields, user: str) -> Expected:
        identifier = given["label"]
        if identifier not in self.labels:
            return Expected(["there is no such label"], must_refuse=True)
        carriers = [i for i, each in self.posts.items() if identifier in each["labelIds"]]

        def write(_: Json) -> None:
            del self.labels[identifier]
            for each in carriers:
                left = [label for label in self.posts[each]["labelIds"] if label != identifier]
                self.posts[each] = {**self.posts[each], "labelIds": left}

        return Expected(write=write, posts=carriers)

    # Media: §2.11 and §4.7

    def _uploadMedia(self, given: Fields, user: str) -> Expected:
        file = given["file"]
        size = len(file["content"].encode("latin-1"))

        def write(response: Json) -> None:
            self.media[response["id"]] = response

        def check(response: Json) -> list[str]:
            ending = file["name"].rpartition(".")[2].lower()
            found = differences({"size": size}, response, "the file")
            if str(response.get("extension", ending)).lower().removeprefix(".") != ending:
                found.append(f"the extension must be {ending}, is {response['extension']}")
            return found

        return Expected(["its content is of another kind"], write=write, check=check)

    def _uploadMediaFromUrl(self, given: Fields, user: str) -> Expected:
        def write(response: Json) -> None:
            self.media[response["id"]] = response

        return Expected(["nothing can be fetched from there"], write=write)

    def _getMediaStatus(self, given: Fields, user: str) -> Expected:
        identifier = given["mediaId"]
        if identifier not in self.media:
            return Expected(["there is no such file"], must_refuse=True)

        def check(response: Json) -> list[str]:
            found = differences({"media_id": identifier}, response, "the status")
            busy = bool((response.get("data") or {}).get("is_processing"))
            if (response["status"] == "processing") != busy:
                found.append(f"status is {response['status']}, and is_processing {busy}")
            return found

        return Expected(check=check)

    # Time: §3 and x-assume

    def advance(self, now: datetime) -> None:
        """Let time pass."""
        before, self.now = self.now, now
        for identifier, post in self.posts.items():
            self.posts[identifier] = {**post, "status": self._status_then(post, before)}

    def _status_then(self, post: Fields, before: datetime) -> Any:
        status, due = post["status"], instant(post.get("publication_date"))
        if status == IN_PROGRESS:
            waited = due is None or self.now - max(due, before) > self._spread(post) + DAY
            return one_of(FAILED, PUBLISHED) if waited else one_of(IN_PROGRESS, FAILED, PUBLISHED)
        if due is None or due > self.now:
            return status
        if status == IN_REVIEW:
            return MISSED
        if status != SCHEDULED:
            return status
        late = self.now - due
        if late == timedelta(0):
            return one_of(IN_PROGRESS, FAILED)  # it begins now
        if late < self._spread(post):
            return one_of(IN_PROGRESS, FAILED)  # the last account has its turn later
        done = {FAILED, PUBLISHED}
        return one_of(*done) if late > self._spread(post) + DAY else one_of(IN_PROGRESS, *done)

    def _spread(self, post: Fields) -> timedelta:
        """From the first account's turn to the last one's (§2.2)."""
        turns = len(unique(post["selectedAccountIds"])) - 1
        return timedelta(minutes=max(turns, 0) * max(post["publication_delay_between"] or 0, 0))

    def reviewed(self, identifier: str, approved: bool) -> None:
        """A post in review was approved by one of those who may, or rejected (x-assume)."""
        post = self.posts[identifier]
        after = self._soon(post, {SCHEDULED, IN_REVIEW}) if approved else {REJECTED}
        self.posts[identifier] = {**post, "status": one_of(*after)}


DAY = timedelta(days=1)
ZONES = ("Europe/Berlin", "Asia/Kolkata", "America/Denver", "UTC")


# What is read of an object


def post_fields(read: Json) -> Fields:
    """Return the fields of a post that a write sets, or that stay as they are."""
    found = {name: value for name, value in read.items() if name not in DERIVED}
    if "labels" in read:
        found["labelIds"] = sorted(each["id"] for each in read["labels"])
    return found


def with_labels(read: Json, known: Mapping[str, Fields]) -> Fields:
    """Return the same of a response, which has labels only where they were asked for."""
    found = post_fields(read)
    if "labelIds" not in found and read["id"] in known:
        found["labelIds"] = known[read["id"]]["labelIds"]
    return found


def group_fields(read: Json) -> Fields:
    """Return the fields of a group that a write sets, or that stay as they are."""
    apart = ("updated_at", "socialAccounts", "socialAccountsCount")
    return {name: value for name, value in read.items() if name not in apart}


def note_fields(read: Json) -> Fields:
    """Return the fields of a note that a write sets, or that stay as they are."""
    return {name: value for name, value in read.items() if name != "end_date_extra_day"}


def stamps(post: Json) -> list[str]:
    """Return where a post's two ways to tell its date differ (§2.2)."""
    moment = instant(post.get("publication_date"))
    wanted = None if moment is None else round(moment.timestamp() * 1000)
    return differences({"publication_timestamp": wanted}, post, f"post {post['id']}")


def extra_day(note: Json) -> list[str]:
    """Return where the extra day of a note is not the day after its end (x-assume)."""
    end = instant(note["end_date"])
    if end is None or "end_date_extra_day" not in note:
        return []
    return differences({"end_date_extra_day": (end + DAY).isoformat()}, note, f"note {note['id']}")


def odd(sent: Fields) -> list[str]:
    """Return values that a service may have reasons to refuse which no document tells."""
    found = []
    if not 0 <= (sent.get("publication_delay_between") or 0) <= 7 * 24 * 60:
        found.append("a delay of less than nothing, or of more than a week")
    for name in ("selectedAccountIds", "assigneesIds", "selected_media_ids", "labelIds"):
        if len(set(sent.get(name, ()))) < len(sent.get(name, ())):
            found.append(f"{name} names something twice")
    polls = [name for name in ("li_poll", "tw_poll", "th_poll") if name in sent]
    return found + [f"{name} is no good poll" for name in polls]


# What is written in one shape and read in another: the list is that of §2.2 against §4.1.1


def read_as(name: str, value: Json) -> Any:
    """Return what is read of a field that was written."""
    match name:
        case "publication_date":
            return f"{value}:00Z"
        case "gb_start_date" | "gb_end_date":
            return f"{value.replace(' ', 'T')}Z"
        case "labelIds":
            return sorted(unique(value))
        case "selectedAccountIds" | "assigneesIds" | "selected_media_ids":
            return Like(value, lambda sent, read: read in (sent, unique(sent)))
        case "tw_poll" | "th_poll":
            return Like(value, _options)
        case "customized":
            return Like(value, _customized)
        case "li_poll" | "first_comments":
            return Like(value, _parts)
        case "pi_boards" | "pi_sections":
            return Like([each.get("id") for each in value.values()], _same_members)
        case "yt_categories" | "yt_playlists":
            return Like(list(value.values()), _same_members)
    return value


def _options(sent: Json, read: Json) -> bool:
    options = [sent[name] for name in sorted(sent) if name.startswith("option_")]
    return (read or []) == options


def _customized(sent: Json, read: Json) -> bool:
    return all(_parts(value, (read or {}).get(network)) for network, value in sent.items())


def _parts(sent: Json, read: Json) -> bool:
    apart = "customized"  # a list is written and an object is read; which is which, nobody tells
    return all((read or {}).get(name) == value for name, value in sent.items() if name != apart)


def _same_members(sent: Json, read: Json) -> bool:
    return sorted(filter(None, sent)) == sorted(filter(None, read or []))
