# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""All models. The module of a model is loaded when the model is first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .calendar_notes import CalendarNote as CalendarNote
    from .calendar_notes import CalendarNoteReplacement as CalendarNoteReplacement
    from .calendar_notes import CalendarNoteReschedule as CalendarNoteReschedule
    from .groups import ApprovalWorkflow as ApprovalWorkflow
    from .groups import Group as Group
    from .groups import GroupInclude as GroupInclude
    from .groups import GroupReplacement as GroupReplacement
    from .groups import GroupType as GroupType
    from .labels import LabelCreation as LabelCreation
    from .media import MediaError as MediaError
    from .media import MediaState as MediaState
    from .media import MediaStatus as MediaStatus
    from .media import MediaUrlUpload as MediaUrlUpload
    from .posts import BulkDraftOutcome as BulkDraftOutcome
    from .posts import BulkDraftResult as BulkDraftResult
    from .posts import BulkDraftUpdate as BulkDraftUpdate
    from .posts import FacebookPostType as FacebookPostType
    from .posts import FirstComment as FirstComment
    from .posts import FirstComments as FirstComments
    from .posts import FirstCommentsCustomization as FirstCommentsCustomization
    from .posts import GoogleBusinessActionType as GoogleBusinessActionType
    from .posts import GoogleBusinessPostType as GoogleBusinessPostType
    from .posts import ImageTag as ImageTag
    from .posts import ImageTagMode as ImageTagMode
    from .posts import InstagramPostType as InstagramPostType
    from .posts import LinkedInPoll as LinkedInPoll
    from .posts import LinkedInPollDuration as LinkedInPollDuration
    from .posts import LinkedInPostType as LinkedInPostType
    from .posts import LinkPreview as LinkPreview
    from .posts import Location as Location
    from .posts import PageLink as PageLink
    from .posts import PageMeta as PageMeta
    from .posts import PinterestTarget as PinterestTarget
    from .posts import Post as Post
    from .posts import PostActivity as PostActivity
    from .posts import PostActivityEvent as PostActivityEvent
    from .posts import PostActivityPage as PostActivityPage
    from .posts import PostCustomization as PostCustomization
    from .posts import PostDetail as PostDetail
    from .posts import PostInclude as PostInclude
    from .posts import PostMetric as PostMetric
    from .posts import PostPage as PostPage
    from .posts import PostSource as PostSource
    from .posts import PostStatus as PostStatus
    from .posts import PostUpdate as PostUpdate
    from .posts import PostUpdateCustomization as PostUpdateCustomization
    from .posts import PostUpdateFirstComments as PostUpdateFirstComments
    from .posts import (
        PostUpdateFirstCommentsCustomization as PostUpdateFirstCommentsCustomization,
    )
    from .posts import PostUpdateLinkedInPoll as PostUpdateLinkedInPoll
    from .posts import PostUpdateThreadsPoll as PostUpdateThreadsPoll
    from .posts import PostUpdateTwitterPoll as PostUpdateTwitterPoll
    from .posts import ThreadsPostType as ThreadsPostType
    from .posts import TikTokPostType as TikTokPostType
    from .posts import TikTokPrivacyLevel as TikTokPrivacyLevel
    from .posts import TwitterPostType as TwitterPostType
    from .posts import TwitterReplySettings as TwitterReplySettings
    from .posts import YouTubeLicense as YouTubeLicense
    from .posts import YouTubePostType as YouTubePostType
    from .posts import YouTubePrivacyLevel as YouTubePrivacyLevel
    from .shared import Color as Color
    from .shared import GeneralError as GeneralError
    from .shared import GeneralErrorECode as GeneralErrorECode
    from .shared import Id as Id
    from .shared import Label as Label
    from .shared import Media as Media
    from .shared import MediaOrigin as MediaOrigin
    from .shared import MediaType as MediaType
    from .shared import MessageError as MessageError
    from .shared import Network as Network
    from .shared import PinterestBoard as PinterestBoard
    from .shared import SocialAccount as SocialAccount
    from .shared import User as User
    from .shared import UserRole as UserRole
    from .shared import ValidationError as ValidationError
    from .shared import Weekday as Weekday
    from .social_accounts import SocialAccountMove as SocialAccountMove
    from .widgets import PostsOverview as PostsOverview

_HOMES: dict[str, str] = {
    "ApprovalWorkflow": "groups",
    "BulkDraftOutcome": "posts",
    "BulkDraftResult": "posts",
    "BulkDraftUpdate": "posts",
    "CalendarNote": "calendar_notes",
    "CalendarNoteReplacement": "calendar_notes",
    "CalendarNoteReschedule": "calendar_notes",
    "Color": "shared",
    "FacebookPostType": "posts",
    "FirstComment": "posts",
    "FirstComments": "posts",
    "FirstCommentsCustomization": "posts",
    "GeneralError": "shared",
    "GeneralErrorECode": "shared",
    "GoogleBusinessActionType": "posts",
    "GoogleBusinessPostType": "posts",
    "Group": "groups",
    "GroupInclude": "groups",
    "GroupReplacement": "groups",
    "GroupType": "groups",
    "Id": "shared",
    "ImageTag": "posts",
    "ImageTagMode": "posts",
    "InstagramPostType": "posts",
    "Label": "shared",
    "LabelCreation": "labels",
    "LinkPreview": "posts",
    "LinkedInPoll": "posts",
    "LinkedInPollDuration": "posts",
    "LinkedInPostType": "posts",
    "Location": "posts",
    "Media": "shared",
    "MediaError": "media",
    "MediaOrigin": "shared",
    "MediaState": "media",
    "MediaStatus": "media",
    "MediaType": "shared",
    "MediaUrlUpload": "media",
    "MessageError": "shared",
    "Network": "shared",
    "PageLink": "posts",
    "PageMeta": "posts",
    "PinterestBoard": "shared",
    "PinterestTarget": "posts",
    "Post": "posts",
    "PostActivity": "posts",
    "PostActivityEvent": "posts",
    "PostActivityPage": "posts",
    "PostCustomization": "posts",
    "PostDetail": "posts",
    "PostInclude": "posts",
    "PostMetric": "posts",
    "PostPage": "posts",
    "PostSource": "posts",
    "PostStatus": "posts",
    "PostUpdate": "posts",
    "PostUpdateCustomization": "posts",
    "PostUpdateFirstComments": "posts",
    "PostUpdateFirstCommentsCustomization": "posts",
    "PostUpdateLinkedInPoll": "posts",
    "PostUpdateThreadsPoll": "posts",
    "PostUpdateTwitterPoll": "posts",
    "PostsOverview": "widgets",
    "SocialAccount": "shared",
    "SocialAccountMove": "social_accounts",
    "ThreadsPostType": "posts",
    "TikTokPostType": "posts",
    "TikTokPrivacyLevel": "posts",
    "TwitterPostType": "posts",
    "TwitterReplySettings": "posts",
    "User": "shared",
    "UserRole": "shared",
    "ValidationError": "shared",
    "Weekday": "shared",
    "YouTubeLicense": "posts",
    "YouTubePostType": "posts",
    "YouTubePrivacyLevel": "posts",
}

__all__ = [
    "ApprovalWorkflow",
    "BulkDraftOutcome",
    "BulkDraftResult",
    "BulkDraftUpdate",
    "CalendarNote",
    "CalendarNoteReplacement",
    "CalendarNoteReschedule",
    "Color",
    "FacebookPostType",
    "FirstComment",
    "FirstComments",
    "FirstCommentsCustomization",
    "GeneralError",
    "GeneralErrorECode",
    "GoogleBusinessActionType",
    "GoogleBusinessPostType",
    "Group",
    "GroupInclude",
    "GroupReplacement",
    "GroupType",
    "Id",
    "ImageTag",
    "ImageTagMode",
    "InstagramPostType",
    "Label",
    "LabelCreation",
    "LinkPreview",
    "LinkedInPoll",
    "LinkedInPollDuration",
    "LinkedInPostType",
    "Location",
    "Media",
    "MediaError",
    "MediaOrigin",
    "MediaState",
    "MediaStatus",
    "MediaType",
    "MediaUrlUpload",
    "MessageError",
    "Network",
    "PageLink",
    "PageMeta",
    "PinterestBoard",
    "PinterestTarget",
    "Post",
    "PostActivity",
    "PostActivityEvent",
    "PostActivityPage",
    "PostCustomization",
    "PostDetail",
    "PostInclude",
    "PostMetric",
    "PostPage",
    "PostSource",
    "PostStatus",
    "PostUpdate",
    "PostUpdateCustomization",
    "PostUpdateFirstComments",
    "PostUpdateFirstCommentsCustomization",
    "PostUpdateLinkedInPoll",
    "PostUpdateThreadsPoll",
    "PostUpdateTwitterPoll",
    "PostsOverview",
    "SocialAccount",
    "SocialAccountMove",
    "ThreadsPostType",
    "TikTokPostType",
    "TikTokPrivacyLevel",
    "TwitterPostType",
    "TwitterReplySettings",
    "User",
    "UserRole",
    "ValidationError",
    "Weekday",
    "YouTubeLicense",
    "YouTubePostType",
    "YouTubePrivacyLevel",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value  # the next look finds it without coming here
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
