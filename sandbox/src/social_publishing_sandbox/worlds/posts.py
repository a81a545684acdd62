"""Makes a post with its details, approvals, conversation and history out of its plan."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import orjson

from social_publishing_sandbox.state import times
from social_publishing_sandbox.state.behaviour import networks, text
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.worlds.digests import digest
from social_publishing_sandbox.worlds.history import Event, History, moment
from social_publishing_sandbox.worlds.planning import PAST_REVIEW, Plan, Status
from social_publishing_sandbox.worlds.targets import ONE_PER_ACCOUNT, target


class PostMaker:
    """Makes posts.

    Args:
        rng: what chance decides.
        new_id: makes an identifier of a moment.
        now: the world's moment, in milliseconds since 1970.
        seed: for what the networks would decide.
        organization_id: whose posts they are.
        thorough: with an activity for each account on which a post went out, too.
    """

    def __init__(
        self,
        rng: Random,
        new_id: Callable[[int], str],
        *,
        now: int,
        seed: int,
        organization_id: str,
        thorough: bool,
    ) -> None:
        self._rng, self._id, self._now, self._seed = rng, new_id, now, seed
        self._organization_id = organization_id
        self._thorough = thorough

    def make(self, plan: Plan) -> tuple[Json, list[Json]]:
        """The post of a plan, and its activities."""
        end = self._now if plan.date is None else min(plan.date, self._now)
        created = end - plan.lead
        created -= created % times.SECOND
        identifier = self._id(created)
        history = History(plan, created, end, self._rng)
        post: Json = {
            "id": identifier,
            "public_id": digest(identifier, 12),
            "organization_id": self._organization_id,
            "user_id": plan.author["id"],
            "status": plan.status.value,
            "source": 1,
            "created_at": times.text(created),
            "selectedAccountIds": [each["id"] for each in plan.accounts],
            **plan.extra,
        }
        self._fill(post, plan)
        self._fill_networks(post, plan)
        details = post["details"] = self._details(post, plan, created)
        self._fill_approvals(post, plan, history)
        self._fill_conversation(post, plan, created, end)
        published = [each["published_at"] for each in details if "published_at" in each]
        if plan.status is Status.PUBLISHED:
            post["published_at"] = max(published)
        history.finish(details, finished=self._finished(plan, published), thorough=self._thorough)
        post["updated_at"] = times.text(history.last)
        return post, [self._activity(post, each, plan) for each in history.events]

    @staticmethod
    def _fill(post: Json, plan: Plan) -> None:
        if plan.content is not None:
            post["content"] = plan.content
        if plan.date is not None:
            post["publication_date"] = times.text(plan.date)
            post["publication_timestamp"] = plan.date
        if plan.delay:
            post["publication_delay_between"] = plan.delay
        if plan.media:
            post["selected_media_ids"] = [each["id"] for each in plan.media]
        if plan.labels:
            post["labelIds"] = [each["id"] for each in plan.labels]
        if plan.assignees:
            post["assigneesIds"] = [each["id"] for each in plan.assignees]
        if plan.status is Status.SKIPPED:
            post["should_skip"] = True
        if plan.guest:
            post["guest_approver_name"] = plan.guest

    def _fill_networks(self, post: Json, plan: Plan) -> None:
        for account in plan.accounts:
            network = account["socialNetwork"]
            for name, value in target(network, plan.kind, plan.facts, account, self._rng).items():
                if name in ONE_PER_ACCOUNT and name in post:
                    post[name].extend(value)
                else:
                    post.setdefault(name, value)
        if plan.customized:
            media = post.get("selected_media_ids", [])
            post["has_customized_content"] = True
            post["customized"] = {
                network: {
                    "content": words,
                    "content_json": orjson.dumps({"text": words}).decode(),
                    "media_ids": media,
                }
                for network, words in plan.customized.items()
            }
        if plan.first_comment:
            post["first_comments"] = self._first_comments(plan, plan.first_comment)

    @staticmethod
    def _first_comments(plan: Plan, content: str) -> Json:
        able: dict[str, list[str]] = {}
        for account in plan.accounts:
            if networks.NETWORKS[account["socialNetwork"]].first_comments:
                able.setdefault(account["socialNetwork"], []).append(account["id"])

        def comment(account_ids: list[str], words: str) -> Json:
            return {
                "enabled": bool(account_ids),
                "socialAccountIds": account_ids,
                "conditionType": 0,
                "conditionValue": 0,
                "content": words,
            }

        return {
            **comment([each for one in able.values() for each in one], content),
            "customized": {
                network: comment(able[network], words)
                for network, words in plan.first_comment_on.items()
                if network in able
            },
        }

    def _details(self, post: Json, plan: Plan, created: int) -> list[Json]:
        preview = text.link_preview(plan.content or "")
        details = []
        for position, account in enumerate(plan.accounts):
            network = account["socialNetwork"]
            detail: Json = {
                "id": self._id(created),
                "social_network": network,
                "post_type": networks.post_type(post, network, plan.media),
                "post_id": post["id"],
                "social_account_id": account["id"],
                "enabled": True,
                "content": plan.customized.get(network, plan.content or ""),
            }
            if detail["post_type"] == "story":
                detail["is_story"] = True
            if network in plan.customized:
                detail["is_customized"] = True
            elif preview:
                detail["link_preview"] = preview
            due = None if plan.date is None else plan.date + position * plan.delay * times.MINUTE
            detail["status"] = self._detail_status(plan, network, due)
            if detail["status"] == Status.PUBLISHED and due is not None:
                self._publish(post, plan, detail, account, due)
            elif detail["status"] == Status.FAILED:
                detail["user_error_message"] = plan.failures[network]
            details.append(detail)
        return details

    def _detail_status(self, plan: Plan, network: str, due: int | None) -> int:
        """Some accounts have the post, or lost it, before the post as a whole is done."""
        if plan.status is Status.FAILED:
            return Status.FAILED.value if network in plan.failures else Status.PUBLISHED.value
        if plan.status is Status.IN_PROGRESS and due is not None and due < self._now:
            out = self._now - due >= times.MINUTE
            return Status.PUBLISHED.value if out else Status.IN_PROGRESS.value
        return plan.status.value

    def _publish(self, post: Json, plan: Plan, detail: Json, account: Json, due: int) -> None:
        network = account["socialNetwork"]
        at = min(due + self._rng.randrange(2, 40) * times.SECOND, self._now)
        identifier = networks.social_post_id(network, detail["id"], self._seed)
        detail["published_at"] = times.text(at)
        detail["post_link"] = networks.post_link(account, identifier)
        if "is_story" in detail:
            stories = networks.story_ids(network, detail["id"], len(plan.media), self._seed)
            detail["stories"] = list(stories)
        if account["id"] in post.get("first_comments", {}).get("socialAccountIds", ()):
            detail["firstComment"] = {
                "id": self._id(at),
                "condition_type": 0,
                "condition_value": 0,
                "publishing_failed": False,
                "published_at": times.text(at),
                "created_at": times.text(at),
            }

    def _finished(self, plan: Plan, published: list[str]) -> int:
        """When the last account was served."""
        if plan.date is None:
            return self._now
        last = plan.date + max(0, len(plan.accounts) - 1) * plan.delay * times.MINUTE
        return min(max([last, *map(times.parse, published)]), self._now)

    @staticmethod
    def _fill_approvals(post: Json, plan: Plan, history: History) -> None:
        if not history.decisions:
            return
        post["approvals"] = [
            {
                "user_id": each.user["id"],
                "status": "approved" if each.approved else "rejected",
                "created_at": times.text(each.at),
            }
            for each in history.decisions
        ]
        if plan.status in PAST_REVIEW:
            post["approved_at"] = times.text(history.decisions[-1].at)

    def _fill_conversation(self, post: Json, plan: Plan, created: int, end: int) -> None:
        if plan.comments:
            post["comments"] = [
                {
                    "id": self._id(at),
                    "user_id": user["id"],
                    "content": words,
                    "created_at": times.text(at),
                }
                for number, (user, words) in enumerate(plan.comments)
                for at in [moment(created, end, 0.2 + number / 10)]
            ]
        if plan.tasks:
            post["tasks"] = [
                {
                    "id": self._id(created),
                    "name": name,
                    "user_id": (plan.assignees or (plan.author,))[0]["id"],
                    "is_done": number == 0,
                    "created_at": times.text(created),
                }
                for number, name in enumerate(plan.tasks)
            ]

    def _activity(self, post: Json, event: Event, plan: Plan) -> Json:
        activity: Json = {
            "id": self._id(event.at),
            "post_id": post["id"],
            "event": event.name,
            "data": orjson.dumps(event.data).decode() if event.data else "{}",
            "source": post["source"] if event.name == "createdPost" else 1,
            "subject_type": "post",
            "subject_id": post["id"],
            "created_at": times.text(event.at),
        }
        if event.name == "approvedPost" and plan.guest:
            activity["guest_name"] = plan.guest
        elif event.user is not None:
            activity["user_id"] = event.user["id"]
        return activity
