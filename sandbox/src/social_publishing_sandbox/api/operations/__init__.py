"""The handlers of the operations, by `operationId`.

A handler raises `Refusal` for a request that the service refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from social_publishing_sandbox.api.operations import accounts, groups, labels, notes, posts, widgets
from social_publishing_sandbox.state.service import Call, Service

Handler = Callable[[Service, Call], Any]

HANDLERS: Final[Mapping[str, Handler]] = MappingProxyType(
    {
        "listPosts": posts.list_posts,
        "updatePost": posts.update_post,
        "getPosts": posts.get_posts,
        "deletePosts": posts.delete_posts,
        "setPostsDraft": posts.set_posts_draft,
        "getPostMetrics": posts.get_post_metrics,
        "listPostActivities": posts.list_post_activities,
        "getGroup": groups.get_group,
        "replaceGroup": groups.replace_group,
        "getSocialAccount": accounts.get_social_account,
        "moveSocialAccount": accounts.move_social_account,
        "listCalendarNotes": notes.list_calendar_notes,
        "replaceCalendarNote": notes.replace_calendar_note,
        "rescheduleCalendarNote": notes.reschedule_calendar_note,
        "deleteCalendarNote": notes.delete_calendar_note,
        "createLabel": labels.create_label,
        "deleteLabel": labels.delete_label,
        "getPostsOverview": widgets.get_posts_overview,
    }
)
"""Operations of the main API; those of the media API are in `media`.

If no body is documented, a handler returns the object that it changed, for a document that has
a body.
"""
