# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Models of `posts`."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import field

from .._runtime.core.enums import IntCode, TextCode
from .._runtime.core.models import (
    UNSET,
    AwareDatetime,
    Maybe,
    RequestModel,
    ResponseModel,
    UnsetType,
    written_as,
)
from .shared import Id, Label, Media, Network, SocialAccount, User

__all__ = [
    "BulkDraftOutcome",
    "BulkDraftResult",
    "BulkDraftUpdate",
    "FacebookPostType",
    "FirstComment",
    "FirstComments",
    "FirstCommentsCustomization",
    "GoogleBusinessActionType",
    "GoogleBusinessPostType",
    "ImageTag",
    "ImageTagMode",
    "InstagramPostType",
    "LinkedInPoll",
    "LinkedInPollDuration",
    "LinkedInPostType",
    "LinkPreview",
    "Location",
    "PageLink",
    "PageMeta",
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
    "ThreadsPostType",
    "TikTokPostType",
    "TikTokPrivacyLevel",
    "TwitterPostType",
    "TwitterReplySettings",
    "YouTubeLicense",
    "YouTubePostType",
    "YouTubePrivacyLevel",
]


class PostStatus(IntCode):
    """State of a post, as a code. Only 40 means published; a post with a larger code (50) has been
    deleted, so compare for equality and not by size.
    """

    NOT_SCHEDULE = 1
    DRAFT = 5
    IN_REVIEW = 10
    REVIEW_REJECTED = 15
    REVIEW_MISSED = 20
    SCHEDULED = 25
    IN_PROGRESS = 30
    FAILED = 35
    SKIPPED = 37
    PUBLISHED = 40
    DELETED = 50


class PostSource(IntCode):
    """How a post was created, as a code."""

    WEB = 1
    API = 2
    MCP = 3
    TASK_INTEGRATION = 4
    CSV_IMPORT = 5
    EXTERNAL_SYNC = 6


class FacebookPostType(IntCode):
    """Form of a post on Facebook."""

    FEED = 1
    REEL = 2
    STORY = 3
    CAROUSEL = 4
    PAGE_COVER = 5


class InstagramPostType(IntCode):
    """Form of a post on Instagram."""

    FEED = 1
    REEL = 2
    STORY = 3


class LinkedInPostType(IntCode):
    """Form of a post on LinkedIn."""

    NORMAL = 1
    POLL = 2
    CAROUSEL = 3


class TikTokPostType(IntCode):
    """Form of a post on TikTok."""

    VIDEO = 1
    IMAGE_CAROUSEL = 2


class TikTokPrivacyLevel(IntCode):
    """Who may see a post on TikTok."""

    PUBLIC_TO_EVERYONE = 1
    MUTUAL_FOLLOW_FRIENDS = 2
    SELF_ONLY = 3
    FOLLOWER_OF_CREATOR = 4


class GoogleBusinessPostType(IntCode):
    """Form of a post on a Google business profile."""

    STANDARD = 1
    EVENT = 2
    OFFER = 3


class GoogleBusinessActionType(IntCode):
    """What the button of a Google business post invites to."""

    BOOK = 1
    ORDER = 2
    SHOP = 3
    LEARN_MORE = 4
    SIGN_UP = 5
    CALL = 6


class YouTubePostType(IntCode):
    """Form of a post on YouTube."""

    VIDEO = 1
    SHORTS = 2


class YouTubePrivacyLevel(IntCode):
    """Who may see a video on YouTube."""

    PUBLIC = 1
    PRIVATE = 2
    UNLISTED = 3


class YouTubeLicense(IntCode):
    """Licence of a video on YouTube."""

    STANDARD_LICENSE = 1
    CREATIVE_COMMONS = 2


class TwitterPostType(IntCode):
    """Form of a post on Twitter."""

    NORMAL = 1
    POLL = 2


class TwitterReplySettings(IntCode):
    """Who may reply to a post on Twitter."""

    FOLLOWING = 1
    MENTIONED_USERS = 2
    SUBSCRIBERS = 3
    VERIFIED = 4


class ThreadsPostType(IntCode):
    """Form of a post on Threads."""

    NORMAL = 1
    POLL = 2


class ImageTagMode(TextCode):
    """Kind of the mark (assumed).

    The known values of an open set.
    """

    USER = "user"


class LinkedInPollDuration(TextCode):
    """How long the poll is open (assumed).

    The known values of an open set.
    """

    ONE_DAY = "ONE_DAY"


class PostActivityEvent(TextCode):
    """What happened (assumed).

    The known values of an open set.
    """

    EDITED_POST = "editedPost"


class PostInclude(TextCode):
    """Name of a relation of a post (assumed).

    The known values of an open set.
    """

    MEDIA = "media"
    LABELS = "labels"
    POST_COMMENTS = "postComments"
    SOCIAL_ACCOUNTS = "socialAccounts"


class PostUpdateCustomization(RequestModel, kw_only=True):
    """What one network gets in place of the common text and media (assumed)."""

    content: str | UnsetType = UNSET
    """Text for the network."""

    media_ids: Sequence[Id] | UnsetType = UNSET
    """Media for the network."""


class PostUpdateFirstCommentsCustomization(RequestModel, kw_only=True):
    """First comment of some accounts, as it is sent."""

    enabled: bool | UnsetType = UNSET
    """True when the comment is to be written."""

    social_account_ids: Sequence[Id] | UnsetType = field(default=UNSET, name="socialAccountIds")
    """Accounts that get the comment."""

    condition_value: int | UnsetType = field(default=UNSET, name="conditionValue")
    """Value of the condition of the comment."""

    content: str | UnsetType = UNSET
    """Text of the comment."""


class PostUpdateFirstComments(RequestModel, kw_only=True):
    """Comment that is written under a post once it is published, as it is sent."""

    enabled: bool | UnsetType = UNSET
    """True when the comment is to be written."""

    social_account_ids: Sequence[Id] | UnsetType = field(default=UNSET, name="socialAccountIds")
    """Accounts that get the comment."""

    condition_value: int | UnsetType = field(default=UNSET, name="conditionValue")
    """Value of the condition of the comment."""

    content: str | UnsetType = UNSET
    """Text of the comment."""

    customized: Sequence[PostUpdateFirstCommentsCustomization] | UnsetType = UNSET
    """Comments that differ for some accounts. No field of an entry names a network (assumed)."""


class PostUpdateLinkedInPoll(RequestModel, kw_only=True):
    """Poll on LinkedIn, as it is sent: its duration cannot be set."""

    question: str | UnsetType = UNSET
    """Question of the poll."""

    option_1: str | UnsetType = UNSET
    """First answer."""

    option_2: str | UnsetType = UNSET
    """Second answer."""

    option_3: str | UnsetType = UNSET
    """Third answer."""

    option_4: str | UnsetType = UNSET
    """Fourth answer."""


class PostUpdateTwitterPoll(RequestModel, kw_only=True):
    """Poll on Twitter, as it is sent."""

    option_1: str | UnsetType = UNSET
    """First answer."""

    option_2: str | UnsetType = UNSET
    """Second answer."""

    option_3: str | UnsetType = UNSET
    """Third answer."""

    option_4: str | UnsetType = UNSET
    """Fourth answer."""

    duration_minutes: int | UnsetType = UNSET
    """How long the poll is open, in minutes."""


class PostUpdateThreadsPoll(RequestModel, kw_only=True):
    """Poll on Threads, as it is sent."""

    option_1: str | UnsetType = UNSET
    """First answer."""

    option_2: str | UnsetType = UNSET
    """Second answer."""

    option_3: str | UnsetType = UNSET
    """Third answer."""

    option_4: str | UnsetType = UNSET
    """Fourth answer."""


class PinterestTarget(RequestModel, kw_only=True):
    """A board or a section on Pinterest."""

    id: str | UnsetType = UNSET
    """The network's identifier of it."""


class PostUpdate(RequestModel, kw_only=True):
    """The fields of a post that can be changed; those left out stay as they are. A list or an object
    takes the place of the stored one, whole (assumed).
    """

    content: str | None | UnsetType = UNSET
    """Text of the post (assumed)."""

    selected_account_ids: Sequence[Id] | UnsetType = field(default=UNSET, name="selectedAccountIds")
    """Accounts that the post goes to."""

    selected_media_ids: Sequence[Id] | UnsetType = UNSET
    """Media in the order in which they are published."""

    publication_date: Annotated[dt.datetime, written_as("%Y-%m-%dT%H:%M", "UTC")] | UnsetType = (
        UNSET
    )
    """When the post goes out; whole minutes only (assumed). Sent to the minute, in UTC."""

    assignee_ids: Sequence[Id] | UnsetType = field(default=UNSET, name="assigneesIds")
    """Users selected as assignees of the post."""

    is_draft: bool | UnsetType = field(default=UNSET, name="isDraft")
    """True makes the post a draft; false does what the bulk operation does to a draft (assumed)."""

    is_publish_now: bool | UnsetType = field(default=UNSET, name="isPublishNow")
    """True publishes the post at once (assumed)."""

    name: str | None | UnsetType = UNSET
    """Label of the post inside the service (assumed)."""

    note: str | None | UnsetType = UNSET
    """Note for the team (assumed)."""

    visible_for_client: bool | UnsetType = UNSET
    """True when clients see the post."""

    publication_delay_between: int | UnsetType = UNSET
    """Minutes between one account and the next (assumed)."""

    fb_video_title: str | None | UnsetType = UNSET
    """Title of the video on Facebook (assumed)."""

    ig_collaborators: Sequence[str] | UnsetType = UNSET
    """Collaborators on Instagram."""

    ig_share_to_feed: bool | UnsetType = UNSET
    """True shows the post in the Instagram feed, too."""

    ig_allow_comments: bool | UnsetType = UNSET
    """True lets people comment on Instagram."""

    ig_audio_name: str | None | UnsetType = UNSET
    """Name of the audio on Instagram (assumed)."""

    li_carousel_title: str | None | UnsetType = UNSET
    """Title of the LinkedIn carousel (assumed)."""

    tt_carousel_title: str | None | UnsetType = UNSET
    """Title of the TikTok carousel (assumed)."""

    tt_disable_duet: bool | UnsetType = UNSET
    """True forbids duets on TikTok."""

    tt_disable_stitch: bool | UnsetType = UNSET
    """True forbids stitches on TikTok."""

    tt_disable_comment: bool | UnsetType = UNSET
    """True forbids comments on TikTok."""

    tt_brand_content: bool | UnsetType = UNSET
    """True marks branded content on TikTok."""

    tt_brand_organic: bool | UnsetType = UNSET
    """True marks organic brand content on TikTok."""

    tt_auto_music: bool | UnsetType = UNSET
    """True lets TikTok add music to the post."""

    tt_is_aigc: bool | UnsetType = UNSET
    """True marks content made with AI on TikTok."""

    pi_pin_title: str | None | UnsetType = UNSET
    """Title of the pin (assumed)."""

    pi_url_link: str | None | UnsetType = UNSET
    """Address that the pin leads to (assumed)."""

    pi_boards: Mapping[Id, PinterestTarget] | UnsetType = UNSET
    """Board for each account, by the account's identifier. Accounts that are left out lose theirs
    (assumed).
    """

    pi_sections: Mapping[Id, PinterestTarget] | UnsetType = UNSET
    """Section for each account, by the account's identifier. Accounts that are left out lose theirs
    (assumed).
    """

    gb_event_title: str | None | UnsetType = UNSET
    """Title of the event (assumed)."""

    gb_action_url: str | None | UnsetType = UNSET
    """Address behind the button (assumed)."""

    gb_coupon_code: str | None | UnsetType = UNSET
    """Coupon of the offer (assumed)."""

    gb_redeem_url: str | None | UnsetType = UNSET
    """Address where the offer is redeemed (assumed)."""

    gb_term_conditions: str | None | UnsetType = UNSET
    """Terms of the offer (assumed)."""

    gb_start_date: Annotated[dt.datetime, written_as("%Y-%m-%d %H:%M:%S", "UTC")] | UnsetType = (
        UNSET
    )
    """Start of the event or offer; whole seconds only (assumed). Sent to the second, in UTC."""

    gb_end_date: Annotated[dt.datetime, written_as("%Y-%m-%d %H:%M:%S", "UTC")] | UnsetType = UNSET
    """End of the event or offer; whole seconds only (assumed). Sent to the second, in UTC."""

    gb_use_time: bool | UnsetType = UNSET
    """True when times of day are used."""

    yt_video_title: str | None | UnsetType = UNSET
    """Title of the video (assumed)."""

    yt_categories: Mapping[Id, str] | UnsetType = UNSET
    """Category for each account, by the account's identifier. Accounts that are left out lose
    theirs (assumed).
    """

    yt_playlists: Mapping[Id, str] | UnsetType = UNSET
    """Playlist for each account, by the account's identifier. Accounts that are left out lose
    theirs (assumed).
    """

    yt_embeddable: bool | UnsetType = UNSET
    """True lets other sites embed the video."""

    yt_notify_subscribers: bool | UnsetType = UNSET
    """True tells the channel's subscribers."""

    yt_made_for_kids: bool | UnsetType = UNSET
    """True marks the video as made for children."""

    yt_video_tags: Sequence[str] | UnsetType = UNSET
    """Tags of the video."""

    dr_tags: Sequence[str] | UnsetType = UNSET
    """Tags of the Dribbble shot."""

    dr_title: str | None | UnsetType = UNSET
    """Title of the Dribbble shot (assumed)."""

    th_topic_tag: str | None | UnsetType = UNSET
    """Topic of the post on Threads (assumed)."""

    everyone_must_approve: bool | UnsetType = UNSET
    """Matters in a strict approval workflow: when true, all assignees have to approve; when false,
    one of them is enough.
    """

    notify_assignee: bool | UnsetType = UNSET
    """True notifies the assignees of the post."""

    should_skip: bool | UnsetType = UNSET
    """True keeps the post from being published: its status becomes 37 (skipped), unless it is
    already published (assumed).
    """

    label_ids: Sequence[Id] | UnsetType = field(default=UNSET, name="labelIds")
    """Identifiers of the labels that the post is to have, in the place of those that it has
    (assumed).
    """

    li_poll: PostUpdateLinkedInPoll | UnsetType = UNSET
    """Poll on LinkedIn."""

    tw_poll: PostUpdateTwitterPoll | UnsetType = UNSET
    """Poll on Twitter."""

    th_poll: PostUpdateThreadsPoll | UnsetType = UNSET
    """Poll on Threads."""

    customized: Mapping[Network, PostUpdateCustomization] | UnsetType = UNSET
    """Text and media that differ for some networks, by network. Networks that are left out lose
    theirs, and so do fields that are left out within a network (assumed).
    """

    first_comments: PostUpdateFirstComments | UnsetType = UNSET
    """Comment to be written under the published post. Fields that are left out lose their values."""


class BulkDraftUpdate(RequestModel, kw_only=True):
    """Which posts move, and whether into draft or out of it (assumed)."""

    is_draft: bool
    """True makes drafts of the posts, false takes them out of draft (assumed)."""

    post_ids: Sequence[Id]
    """Identifiers of the posts to move; no largest number is documented (assumed)."""


class Location(ResponseModel, kw_only=True):
    """A place on a network."""

    id: Maybe[str] = UNSET
    """Identifier that the network gives the place."""

    name: Maybe[str] = UNSET
    """Name of the place."""

    location: Maybe[list[str]] = UNSET
    """Parts that describe where it is."""

    network: Maybe[Network] = UNSET
    """Network that knows the place."""

    followers_count: Maybe[int] = UNSET
    """How many people follow it."""

    username: Maybe[str] = UNSET
    """User name of the place."""


class ImageTag(ResponseModel, kw_only=True):
    """A mark on a picture that names an account or products."""

    id: Maybe[str] = UNSET
    """Identifier of the mark."""

    media_id: Maybe[str] = UNSET
    """Picture that carries the mark."""

    network: Maybe[Network] = UNSET
    """Network that the mark is for."""

    x: Maybe[float] = UNSET
    """Horizontal place of the mark."""

    y: Maybe[float] = UNSET
    """Vertical place of the mark."""

    mode: Maybe[ImageTagMode] = UNSET
    """Kind of the mark (assumed)."""

    username: Maybe[str] = UNSET
    """Account that the mark names."""

    social_account_id: Maybe[str] = UNSET
    """Social account of the mark."""

    product: Maybe[list[str]] = UNSET
    """Products that the mark names."""


class FirstCommentsCustomization(ResponseModel, kw_only=True):
    """First comment of one network, as it is read."""

    enabled: Maybe[bool] = UNSET
    """True when the comment is to be written."""

    social_account_ids: Maybe[list[str]] = field(default=UNSET, name="socialAccountIds")
    """Accounts that get the comment."""

    condition_type: Maybe[int] = field(default=UNSET, name="conditionType")
    """Code of the condition of the comment."""

    condition_value: Maybe[int] = field(default=UNSET, name="conditionValue")
    """Value of the condition of the comment."""

    content: Maybe[str] = UNSET
    """Text of the comment."""


class FirstComments(ResponseModel, kw_only=True):
    """Comment that is written under a post once it is published, as it is read."""

    enabled: Maybe[bool] = UNSET
    """True when the comment is to be written."""

    social_account_ids: Maybe[list[str]] = field(default=UNSET, name="socialAccountIds")
    """Accounts that get the comment."""

    condition_type: Maybe[int] = field(default=UNSET, name="conditionType")
    """Code of the condition of the comment."""

    condition_value: Maybe[int] = field(default=UNSET, name="conditionValue")
    """Value of the condition of the comment."""

    content: Maybe[str] = UNSET
    """Text of the comment."""

    customized: Maybe[dict[Network, FirstCommentsCustomization]] = UNSET
    """Comments that differ for some networks, by network."""


class PostCustomization(ResponseModel, kw_only=True):
    """What one network gets in place of the common text and media, as it is read."""

    content: Maybe[str] = UNSET
    """Text for the network."""

    content_json: Maybe[str] = UNSET
    """The content in JSON form, as text (assumed)."""

    media_ids: Maybe[list[str]] = UNSET
    """Media for the network."""


class LinkedInPoll(ResponseModel, kw_only=True):
    """Poll on LinkedIn, as it is read."""

    question: Maybe[str] = UNSET
    """Question of the poll."""

    option_1: Maybe[str] = UNSET
    """First answer."""

    option_2: Maybe[str] = UNSET
    """Second answer."""

    option_3: Maybe[str] = UNSET
    """Third answer."""

    option_4: Maybe[str] = UNSET
    """Fourth answer."""

    duration: Maybe[LinkedInPollDuration] = UNSET
    """How long the poll is open (assumed)."""


class LinkPreview(ResponseModel, kw_only=True):
    """Preview of a link."""

    url: Maybe[str] = UNSET
    """URL of the page (assumed)."""

    host: Maybe[str] = UNSET
    """Host of the page (assumed)."""

    title: Maybe[str] = UNSET
    """Title of the page (assumed)."""

    description: Maybe[str] = UNSET
    """Summary of the page (assumed)."""

    image_url: Maybe[str] = UNSET
    """URL of its picture (assumed)."""


class FirstComment(ResponseModel, kw_only=True):
    """First comment of one detail."""

    id: Maybe[str] = UNSET
    """Identifier of the comment."""

    condition_type: Maybe[int] = UNSET
    """Code of the condition of the comment."""

    condition_value: Maybe[int] = UNSET
    """Value of the condition of the comment."""

    publishing_failed: Maybe[bool] = UNSET
    """True when the comment could not be written."""

    user_error_message: Maybe[str] = UNSET
    """Why writing it failed, in words."""

    published_at: Maybe[AwareDatetime] = UNSET
    """When the comment was written."""

    created_at: Maybe[AwareDatetime] = UNSET
    """When the comment was created."""


class PostDetail(ResponseModel, kw_only=True):
    """The part of a post that goes to one account."""

    id: str
    """Identifier of the detail."""

    social_network: Maybe[Network] = UNSET
    """Network of the account."""

    post_type: Maybe[str] = UNSET
    """Form of the post on the network, as text; the `…_post_type` fields of the post itself are
    codes.
    """

    post_id: Maybe[str] = UNSET
    """Identifier of the post: the service's own or the network's; which of them is not documented."""

    social_account_id: Maybe[str] = UNSET
    """Account that the detail is for."""

    enabled: Maybe[bool] = UNSET
    """True when the detail is enabled."""

    is_customized: Maybe[bool] = UNSET
    """True when the account gets content of its own."""

    status: Maybe[int] = UNSET
    """State of this detail, as a code. Do not read it as a `PostStatus`."""

    stories: Maybe[list[str]] = UNSET
    """Stories of the detail."""

    is_story: Maybe[bool] = UNSET
    """True for a story."""

    published_at: Maybe[AwareDatetime] = UNSET
    """When it was published on the account."""

    user_error_message: Maybe[str] = UNSET
    """Why publishing failed, in words."""

    content: Maybe[str] = UNSET
    """Text for the account."""

    link_preview: Maybe[LinkPreview] = UNSET
    """Preview of a link in the content."""

    post_link: Maybe[str] = UNSET
    """URL of the published post."""

    first_comment: Maybe[FirstComment] = field(default=UNSET, name="firstComment")
    """Comment written under the published post."""


class Post(ResponseModel, kw_only=True):
    """A post, with one detail record for each account that it goes to. Fields with a prefix matter to
    one network alone: `fb_` Facebook, `ig_` Instagram, `li_` LinkedIn, `tt_` TikTok, `pi_`
    Pinterest, `gb_` Google business profile, `yt_` YouTube, `dr_` Dribbble, `tw_` Twitter, `th_`
    Threads. `cu_` belongs to the task integration (assumed).
    """

    id: str
    """Identifier of the post."""

    public_id: Maybe[str] = UNSET
    """Part of the public share link, when `is_publicly_shared` is true."""

    organization_id: Maybe[str] = UNSET
    """Organization that owns the post."""

    user_id: Maybe[str] = UNSET
    """User who created the post."""

    post_id: Maybe[str] = UNSET
    """An identifier; what it refers to is not documented."""

    cu_task_id: Maybe[str] = UNSET
    """Identifier of the linked task; present only while the task integration is active."""

    name: Maybe[str] = UNSET
    """Label of the post inside the service; never published."""

    status: Maybe[PostStatus] = UNSET
    """State of the post."""

    note: Maybe[str] = UNSET
    """Note for the team."""

    visible_for_client: Maybe[bool] = UNSET
    """True when clients see the post."""

    content: Maybe[str] = UNSET
    """Text of the post."""

    content_weighted_length: Maybe[int] = UNSET
    """Length of `content` by weight: some characters, such as emoji, count as more than one
    (assumed).
    """

    has_customized_content: Maybe[bool] = UNSET
    """True when some network gets a text of its own."""

    locations: Maybe[list[Location]] = UNSET
    """Places attached to the post."""

    image_tags: Maybe[list[ImageTag]] = UNSET
    """Marks on the pictures of the post."""

    selected_media_ids: Maybe[list[str]] = UNSET
    """Media in the order in which they are published."""

    first_comments: Maybe[FirstComments] = UNSET
    """Comment to be written under the published post."""

    publication_date: Maybe[AwareDatetime] = UNSET
    """When the post goes out, UTC."""

    publication_timestamp: Maybe[int] = UNSET
    """`publication_date` as milliseconds since 1970-01-01T00:00:00Z."""

    customized_publication_date: Maybe[list[str | None]] = UNSET
    """Customized publication dates. The list or its entries may be null."""

    publication_delay_between: Maybe[int] = UNSET
    """Minutes between one account and the next: with a delay of d minutes, N accounts get the post
    0, d, 2·d, … (N-1)·d minutes after `publication_date`.
    """

    customized: Maybe[dict[Network, PostCustomization]] = UNSET
    """Text and media that differ for some networks, by network (assumed)."""

    is_publicly_shared: Maybe[bool] = UNSET
    """True when there is a public share link."""

    guest_approver_name: Maybe[str] = UNSET
    """Name of a guest who approves."""

    everyone_must_approve: Maybe[bool] = UNSET
    """Matters in a strict approval workflow: when true, all assignees have to approve; when false,
    one of them is enough.
    """

    should_skip: Maybe[bool] = UNSET
    """True keeps the post from being published; its status becomes 37 (skipped)."""

    approved_at: Maybe[AwareDatetime] = UNSET
    """When the post was approved."""

    published_at: Maybe[AwareDatetime] = UNSET
    """When the post was published."""

    created_at: Maybe[AwareDatetime] = UNSET
    """When the post was created."""

    updated_at: Maybe[AwareDatetime] = UNSET
    """When the post was last changed."""

    user: Maybe[User] = UNSET
    """User who created the post (assumed)."""

    social_accounts: Maybe[list[SocialAccount]] = field(default=UNSET, name="socialAccounts")
    """Accounts of the post, where an operation gives them (assumed)."""

    comments: Maybe[list[dict[str, Any]]] = UNSET
    """Comments on the post, where asked for with the include name `postComments` (assumed)."""

    tasks: Maybe[list[dict[str, Any]]] = UNSET
    """Tasks of the post (assumed)."""

    details: Maybe[list[PostDetail]] = UNSET
    """One record for each targeted account; the include name is `postDetails` (assumed)."""

    media: Maybe[list[Media]] = UNSET
    """Files of the post (assumed)."""

    labels: Maybe[list[Label]] = UNSET
    """Labels of the post (assumed)."""

    approvals: Maybe[list[dict[str, Any]]] = UNSET
    """Approvals of the post (assumed)."""

    selected_account_ids: Maybe[list[str]] = field(default=UNSET, name="selectedAccountIds")
    """Accounts that the post goes to."""

    assignee_ids: Maybe[list[str]] = field(default=UNSET, name="assigneesIds")
    """Users selected as assignees of the post."""

    source: Maybe[PostSource] = UNSET
    """How the post was created."""

    cu_creator_name: Maybe[str] = UNSET
    """Name of the creator in the task integration; only for posts created there."""

    fb_post_type: Maybe[FacebookPostType] = UNSET
    """Form of the post on Facebook."""

    fb_video_title: Maybe[str] = UNSET
    """Title of the video on Facebook."""

    ig_post_type: Maybe[InstagramPostType] = UNSET
    """Form of the post on Instagram."""

    ig_collaborators: Maybe[list[str]] = UNSET
    """Collaborators on Instagram."""

    ig_share_to_feed: Maybe[bool] = UNSET
    """True shows the post in the Instagram feed, too."""

    ig_allow_comments: Maybe[bool] = UNSET
    """True lets people comment on Instagram."""

    ig_audio_name: Maybe[str] = UNSET
    """Name of the audio on Instagram."""

    li_post_type: Maybe[LinkedInPostType] = UNSET
    """Form of the post on LinkedIn."""

    li_carousel_title: Maybe[str] = UNSET
    """Title of the LinkedIn carousel."""

    li_poll: Maybe[LinkedInPoll] = UNSET
    """Poll on LinkedIn."""

    tt_post_type: Maybe[TikTokPostType] = UNSET
    """Form of the post on TikTok."""

    tt_privacy_level: Maybe[TikTokPrivacyLevel] = UNSET
    """Who may see the post on TikTok."""

    tt_carousel_title: Maybe[str] = UNSET
    """Title of the TikTok carousel."""

    tt_disable_duet: Maybe[bool] = UNSET
    """True forbids duets on TikTok."""

    tt_disable_stitch: Maybe[bool] = UNSET
    """True forbids stitches on TikTok."""

    tt_disable_comment: Maybe[bool] = UNSET
    """True forbids comments on TikTok."""

    tt_brand_content: Maybe[bool] = UNSET
    """True marks branded content on TikTok."""

    tt_brand_organic: Maybe[bool] = UNSET
    """True marks organic brand content on TikTok."""

    tt_auto_music: Maybe[bool] = UNSET
    """True lets TikTok add music to the post."""

    tt_is_aigc: Maybe[bool] = UNSET
    """True marks content made with AI on TikTok."""

    pi_pin_title: Maybe[str] = UNSET
    """Title of the pin."""

    pi_url_link: Maybe[str] = UNSET
    """Address that the pin leads to."""

    pi_boards: Maybe[list[str | None]] = UNSET
    """Boards on Pinterest. The list or its entries may be null."""

    pi_sections: Maybe[list[str | None]] = UNSET
    """Sections of the boards on Pinterest. The list or its entries may be null."""

    pi_is_standard_pin: Maybe[bool] = UNSET
    """True for a standard pin."""

    gb_post_type: Maybe[GoogleBusinessPostType] = UNSET
    """Form of the post on the Google business profile."""

    gb_event_title: Maybe[str] = UNSET
    """Title of the event."""

    gb_start_date: Maybe[AwareDatetime] = UNSET
    """Start of the event or offer."""

    gb_end_date: Maybe[AwareDatetime] = UNSET
    """End of the event or offer."""

    gb_use_time: Maybe[bool] = UNSET
    """True when times of day are used."""

    gb_action_type: Maybe[GoogleBusinessActionType] = UNSET
    """What the button invites to."""

    gb_action_url: Maybe[str] = UNSET
    """Address behind the button."""

    gb_coupon_code: Maybe[str] = UNSET
    """Coupon of the offer."""

    gb_redeem_url: Maybe[str] = UNSET
    """Address where the offer is redeemed."""

    gb_term_conditions: Maybe[str] = UNSET
    """Terms of the offer."""

    yt_post_type: Maybe[YouTubePostType] = UNSET
    """Form of the post on YouTube."""

    yt_video_title: Maybe[str] = UNSET
    """Title of the video."""

    yt_video_tags: Maybe[list[str]] = UNSET
    """Tags of the video."""

    yt_categories: Maybe[list[str | None]] = UNSET
    """Categories of the video. The list or its entries may be null."""

    yt_playlists: Maybe[list[str | None]] = UNSET
    """Playlists that take the video. The list or its entries may be null."""

    yt_privacy_level: Maybe[YouTubePrivacyLevel] = UNSET
    """Who may see the video."""

    yt_license: Maybe[YouTubeLicense] = UNSET
    """Licence of the video."""

    yt_embeddable: Maybe[bool] = UNSET
    """True lets other sites embed the video."""

    yt_notify_subscribers: Maybe[bool] = UNSET
    """True tells the channel's subscribers."""

    yt_made_for_kids: Maybe[bool] = UNSET
    """True marks the video as made for children."""

    dr_title: Maybe[str] = UNSET
    """Title of the Dribbble shot."""

    dr_tags: Maybe[list[str]] = UNSET
    """Tags of the Dribbble shot."""

    tw_post_type: Maybe[TwitterPostType] = UNSET
    """Form of the post on Twitter."""

    tw_poll: Maybe[list[str | None]] = UNSET
    """Poll on Twitter. The list or its entries may be null."""

    tw_reply_settings: Maybe[TwitterReplySettings] = UNSET
    """Who may reply on Twitter."""

    th_post_type: Maybe[ThreadsPostType] = UNSET
    """Form of the post on Threads."""

    th_poll: Maybe[list[str | None]] = UNSET
    """Poll on Threads. The list or its entries may be null."""

    th_topic_tag: Maybe[str] = UNSET
    """Topic of the post on Threads."""


class PostMetric(ResponseModel, kw_only=True, gc=True):
    """How a post does on one account."""

    id: str
    """Identifier of the metrics."""

    post_id: Maybe[str] = UNSET
    """Post that was measured."""

    post_detail_id: Maybe[str] = UNSET
    """Detail of the post that was measured."""

    social_account_id: Maybe[str] = UNSET
    """Account that was measured."""

    social_post_id: Maybe[str] = UNSET
    """The network's own identifier of the post."""

    score: Maybe[int] = UNSET
    """Score from 0 to 10, to which engagements add 60 % and impressions 40 %. At least 0; at most
    10.
    """

    views: Maybe[int] = UNSET
    """How often the post was viewed."""

    reach: Maybe[int] = UNSET
    """How many people saw the post."""

    likes: Maybe[int] = UNSET
    """Likes."""

    dislikes: Maybe[int] = UNSET
    """Dislikes."""

    shares: Maybe[int] = UNSET
    """Shares."""

    quotes: Maybe[int] = UNSET
    """Quotes."""

    replies: Maybe[int] = UNSET
    """Replies."""

    saves: Maybe[int] = UNSET
    """How often the post was saved."""

    follows: Maybe[int] = UNSET
    """Follows that came from the post."""

    user_profile_clicks: Maybe[int] = UNSET
    """Clicks on the profile."""

    post_link_clicks: Maybe[int] = UNSET
    """Clicks on the link of the post."""

    post_other_clicks: Maybe[int] = UNSET
    """Other clicks on the post."""

    engagements: Maybe[int] = UNSET
    """All engagements together."""

    engagement_rate_impressions: Maybe[int] = UNSET
    """Engagements in proportion to impressions."""

    engagement_rate_reach: Maybe[int] = UNSET
    """Engagements in proportion to reach."""

    video_views: Maybe[int] = UNSET
    """How often the video was viewed."""

    video_watch_time_total: Maybe[int] = UNSET
    """Time that the video was watched in total; the unit is not documented."""

    video_watch_time_avg: Maybe[int] = UNSET
    """Time that the video was watched on average; the unit is not documented."""

    score_1: Maybe[int] = UNSET
    """A score whose meaning is not documented."""

    score_2: Maybe[int] = UNSET
    """A score whose meaning is not documented."""

    score_3: Maybe[int] = UNSET
    """A score whose meaning is not documented."""

    score_4: Maybe[int] = UNSET
    """A score whose meaning is not documented."""

    score_5: Maybe[int] = UNSET
    """A score whose meaning is not documented."""

    score_6: Maybe[int] = UNSET
    """A score whose meaning is not documented."""

    score_7: Maybe[int] = UNSET
    """A score whose meaning is not documented."""

    score_8: Maybe[int] = UNSET
    """A score whose meaning is not documented."""

    score_9: Maybe[int] = UNSET
    """A score whose meaning is not documented."""

    score_10: Maybe[int] = UNSET
    """A score whose meaning is not documented."""

    updated_at: Maybe[AwareDatetime] = UNSET
    """When the metrics were last updated."""

    published_at: Maybe[AwareDatetime] = UNSET
    """When the post was published."""

    poll_results: Maybe[list[str]] = UNSET
    """Results of a poll."""

    poll_votes: Maybe[int] = UNSET
    """Votes in a poll."""

    post_detail: Maybe[PostDetail] = field(default=UNSET, name="postDetail")
    """The detail of the post that was measured."""

    items: "Maybe[list[PostMetric]]" = UNSET
    """For posts that are stories: one entry with metrics for each story (assumed)."""


class PostActivity(ResponseModel, kw_only=True):
    """One entry in the log of a post."""

    id: str
    """Identifier of the entry."""

    post_activity_id: Maybe[str] = UNSET
    """An entry of the log; its relation to this entry is not documented."""

    post_id: Maybe[str] = UNSET
    """Post that the entry is about."""

    user_id: Maybe[str] = UNSET
    """User who acted, if one did."""

    guest_name: Maybe[str] = UNSET
    """Name of the guest who acted, if one did."""

    event: Maybe[PostActivityEvent] = UNSET
    """What happened (assumed)."""

    data: Maybe[str] = UNSET
    """Details of what happened, as text."""

    source: Maybe[int] = UNSET
    """How it came about, as a code. Do not read it as a `PostSource`."""

    subject_type: Maybe[str] = UNSET
    """Kind of object that was acted on."""

    subject_id: Maybe[str] = UNSET
    """Object that was acted on."""

    created_at: Maybe[AwareDatetime] = UNSET
    """When it happened."""


class PageLink(ResponseModel, kw_only=True):
    """A link of the page navigation."""

    url: Maybe[str] = UNSET
    """Address of the page (assumed)."""

    label: Maybe[str] = UNSET
    """Text of the link."""

    active: Maybe[bool] = UNSET
    """True for the page at hand."""


class PageMeta(ResponseModel, kw_only=True):
    """Where a page stands in its list."""

    current_page: Maybe[int] = UNSET
    """Number of this page."""

    from_: Maybe[int] = field(default=UNSET, name="from")
    """Number of its first entry (assumed)."""

    last_page: Maybe[int] = UNSET
    """Number of the last page."""

    per_page: Maybe[int] = UNSET
    """Entries on a full page (assumed)."""

    to: Maybe[int] = UNSET
    """Number of its last entry (assumed)."""

    total: Maybe[int] = UNSET
    """Entries in the whole list."""

    first_page_url: Maybe[str] = UNSET
    """Address of the first page."""

    last_page_url: Maybe[str] = UNSET
    """Address of the last page."""

    next_page_url: Maybe[str] = UNSET
    """Address of the page after this one (assumed)."""

    path: Maybe[str] = UNSET
    """Address of the list without its query."""

    prev_page_url: Maybe[str] = UNSET
    """Address of the page before this one (assumed)."""


class PostPage(ResponseModel, kw_only=True):
    """A page of posts."""

    data: Maybe[list[Post]] = UNSET
    """Entries of the page."""

    links: Maybe[list[PageLink]] = UNSET
    """Links of the page navigation."""

    meta: Maybe[PageMeta] = UNSET
    """Where the page stands in the list."""


class PostActivityPage(ResponseModel, kw_only=True):
    """A page of the log of a post."""

    data: Maybe[list[PostActivity]] = UNSET
    """Entries of the page."""

    links: Maybe[list[PageLink]] = UNSET
    """Links of the page navigation."""

    meta: Maybe[PageMeta] = UNSET
    """Where the page stands in the list."""


class BulkDraftResult(ResponseModel, kw_only=True):
    """What came of moving posts into or out of draft."""

    post_ids: Maybe[list[str]] = UNSET
    """Identifiers of the posts that were moved (assumed)."""

    partial: Maybe[bool] = UNSET
    """True when some posts were passed over."""

    skipped_no_assignee: Maybe[list[str]] = UNSET
    """Posts passed over because a strict workflow found no approver on them."""

    skipped_published: Maybe[list[str]] = UNSET
    """Posts passed over because they are published."""


class BulkDraftOutcome(BulkDraftResult, kw_only=True, omit_defaults=True):
    """One `BulkDraftResult` made of the responses of all requests."""

    unmentioned: tuple[str, ...] = ()
    """What was sent, and is in none of `post_ids`, `skipped_no_assignee`, `skipped_published`."""
