# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""JSON objects with attributes, as a package has them that reads the documents at run time."""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    NoReturn,
    get_args,
    get_origin,
    get_type_hints,
)
from uuid import UUID

AwareDatetime = dt.datetime
"""A date-time with its time zone."""


class Object(Mapping[str, Any]):
    """A JSON object that was read, with its members as attributes.

    A member that is absent is None. As a mapping it has the names of the JSON, and the values as
    they are there: `book["lent_at"]` is a text where `book.lent_at` is a datetime.
    """

    _names: ClassVar[Mapping[str, str]] = {}

    def __init__(self, members: Mapping[str, Any]) -> None:
        self.__dict__["_members"] = members

    def __getitem__(self, name: str) -> Any:
        return self._members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __repr__(self) -> str:
        values = ((name, getattr(self, name)) for name in attributes(type(self)))
        shown = (f"{name}={value!r}" for name, value in values if value not in (None, [], {}))
        return f"{type(self).__name__}({', '.join(shown)})"

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *attributes(type(self))]

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"{type(self).__name__}.{name}: what was read cannot be changed")

    if TYPE_CHECKING:
        _members: Mapping[str, Any]
    else:  # for a type checker, it has what its class names and nothing else

        def __getattr__(self, name: str) -> Any:
            type_ = attributes(type(self)).get(name)
            if type_ is None:
                raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
            return _read(type_, self._members.get(wire_name(type(self), name)))


def wire_name(kind: type[Object], name: str) -> str:
    """Return the name that JSON has for an attribute of a class; any other name as it is."""
    return kind._names.get(name, name)


@functools.cache
def attributes(kind: type[Object]) -> dict[str, Any]:
    """Return the attributes of a class with their types."""
    return {name: type_ for name, type_ in get_type_hints(kind).items() if name[0] != "_"}


_OF_TEXT: dict[Any, Callable[[str], Any]] = {
    dt.datetime: dt.datetime.fromisoformat,
    dt.date: dt.date.fromisoformat,
    UUID: UUID,
}


def _read(type_: Any, value: Any) -> Any:
    """Return a JSON value as one of a type; as it is where it is none."""
    kind, of = get_origin(type_) or type_, get_args(type_)
    if kind is UnionType:
        readings = (_read(each, value) for each in of)
        return next((each for each in readings if each is not value), value)
    if isinstance(value, str) and kind in _OF_TEXT:
        return _OF_TEXT[kind](value)
    if isinstance(value, list) and kind is list:
        return [_read(of[0], each) for each in value]
    if isinstance(value, dict) and kind is dict:
        return {name: _read(of[1], each) for name, each in value.items()}
    if isinstance(value, dict) and isinstance(kind, type) and issubclass(kind, Object):
        return kind(value)
    return value


class Post(Object):
    """A post, with one detail record for each account that it goes to. Fields with a prefix matter
    to one network alone: `fb_` Facebook, `ig_` Instagram, `li_` LinkedIn, `tt_` TikTok, `pi_`
    Pinterest, `gb_` Google business profile, `yt_` YouTube, `dr_` Dribbble, `tw_` Twitter, `th_`
    Threads. `cu_` belongs to the task integration (assumed).
    """

    _names: ClassVar[Mapping[str, str]] = {
        "social_accounts": "socialAccounts",
        "selected_account_ids": "selectedAccountIds",
        "assignee_ids": "assigneesIds",
    }

    id: str
    """Identifier of the post."""
    public_id: str | None
    """Part of the public share link, when `is_publicly_shared` is true."""
    organization_id: str
    """Organization that owns the post."""
    user_id: str | None
    """User who created the post."""
    post_id: str | None
    """An identifier; what it refers to is not documented."""
    cu_task_id: str | None
    """Identifier of the linked task; present only while the task integration is active."""
    name: str | None
    """Internal label of the post, visible only inside the service."""
    status: int
    """State of the post."""
    note: str | None
    """Internal note."""
    visible_for_client: bool
    """Whether the post is visible for clients."""
    content: str | None
    """Text of the post."""
    content_weighted_length: int
    """Length of `content` by weight: some characters, such as emoji, count as more than one
    (assumed).
    """
    has_customized_content: bool
    """True when content is customized for some networks."""
    locations: list[Location]
    """Locations of the post."""
    image_tags: list[ImageTag]
    """Image tags of the post."""
    selected_media_ids: list[str]
    """Media in the order in which they are published."""
    first_comments: FirstComments | None
    """First comments of the post."""
    publication_date: AwareDatetime | None
    """Publication date, UTC."""
    publication_timestamp: int | None
    """`publication_date` as milliseconds since 1970-01-01T00:00:00Z."""
    customized_publication_date: list[str | None] | None
    """Customized publication dates. The list or its entries may be null."""
    publication_delay_between: int
    """Minutes between one account and the next: with a delay of d minutes, N accounts get the post
    0, d, 2·d, … (N-1)·d minutes after `publication_date`.
    """
    customized: dict[str, PostCustomization] | None
    """Customized content and media, by network (assumed)."""
    is_publicly_shared: bool
    """True when the post is publicly shared."""
    guest_approver_name: str | None
    """Name of a guest approver."""
    everyone_must_approve: bool
    """Matters in a strict approval workflow: when true, all assignees have to approve; when false,
    one of them is enough.
    """
    should_skip: bool
    """True keeps the post from being published; its status becomes 37 (skipped)."""
    approved_at: AwareDatetime | None
    """When the post was approved."""
    published_at: AwareDatetime | None
    """When the post was published."""
    created_at: AwareDatetime
    """When the post was created."""
    updated_at: AwareDatetime
    """When the post was last changed."""
    user: User | None
    """User who created the post (assumed)."""
    social_accounts: list[SocialAccount] | None
    """Accounts of the post, where an operation gives them (assumed)."""
    comments: list[dict[str, Any]] | None
    """Comments on the post, where asked for with the include name `postComments` (assumed)."""
    tasks: list[dict[str, Any]] | None
    """Tasks of the post (assumed)."""
    details: list[PostDetail] | None
    """One record for each targeted account; the include name is `postDetails` (assumed)."""
    media: list[Media] | None
    """Files of the post (assumed)."""
    labels: list[Label] | None
    """Labels of the post (assumed)."""
    approvals: list[dict[str, Any]] | None
    """Approvals of the post (assumed)."""
    selected_account_ids: list[str]
    """Accounts that the post goes to."""
    assignee_ids: list[str]
    """Users selected as assignees of the post."""
    source: int
    """How the post was created."""
    cu_creator_name: str | None
    """Name of the creator in the task integration; only for posts created there."""
    fb_post_type: int | None
    """Form of the post on Facebook."""
    fb_video_title: str | None
    """Title of the video on Facebook."""
    ig_post_type: int | None
    """Form of the post on Instagram."""
    ig_collaborators: list[str] | None
    """Collaborators on Instagram."""
    ig_share_to_feed: bool | None
    """Whether it is shared to the feed on Instagram."""
    ig_allow_comments: bool | None
    """Whether comments are allowed on Instagram."""
    ig_audio_name: str | None
    """Name of the audio on Instagram."""
    li_post_type: int | None
    """Form of the post on LinkedIn."""
    li_carousel_title: str | None
    """Title of the LinkedIn carousel."""
    li_poll: LinkedInPoll | None
    """Poll on LinkedIn."""
    tt_post_type: int | None
    """Form of the post on TikTok."""
    tt_privacy_level: int | None
    """Privacy level on TikTok."""
    tt_carousel_title: str | None
    """Title of the TikTok carousel."""
    tt_disable_duet: bool | None
    """Whether duet is disabled on TikTok."""
    tt_disable_stitch: bool | None
    """Whether stitch is disabled on TikTok."""
    tt_disable_comment: bool | None
    """Whether comment is disabled on TikTok."""
    tt_brand_content: bool | None
    """Brand content on TikTok."""
    tt_brand_organic: bool | None
    """Brand organic on TikTok."""
    tt_auto_music: bool | None
    """Auto music on TikTok."""
    tt_is_aigc: bool | None
    """Whether it is AIGC on TikTok."""
    pi_pin_title: str | None
    """Title of the pin."""
    pi_url_link: str | None
    """URL link of the pin."""
    pi_boards: list[str | None] | None
    """Boards on Pinterest. The list or its entries may be null."""
    pi_sections: list[str | None] | None
    """Sections of the boards on Pinterest. The list or its entries may be null."""
    pi_is_standard_pin: bool | None
    """Whether it is a standard pin."""
    gb_post_type: int | None
    """Form of the post on the Google business profile."""
    gb_event_title: str | None
    """Title of the event on the Google business profile."""
    gb_start_date: AwareDatetime | None
    """Start date on the Google business profile."""
    gb_end_date: AwareDatetime | None
    """End date on the Google business profile."""
    gb_use_time: bool | None
    """Whether time is used on the Google business profile."""
    gb_action_type: int | None
    """Type of the action on the Google business profile."""
    gb_action_url: str | None
    """URL of the action on the Google business profile."""
    gb_coupon_code: str | None
    """Coupon code on the Google business profile."""
    gb_redeem_url: str | None
    """Redeem URL on the Google business profile."""
    gb_term_conditions: str | None
    """Terms and conditions on the Google business profile."""
    yt_post_type: int | None
    """Form of the post on YouTube."""
    yt_video_title: str | None
    """Title of the video."""
    yt_video_tags: list[str] | None
    """Tags of the video."""
    yt_categories: list[str | None] | None
    """Categories on YouTube. The list or its entries may be null."""
    yt_playlists: list[str | None] | None
    """Playlists on YouTube. The list or its entries may be null."""
    yt_privacy_level: int | None
    """Privacy level on YouTube."""
    yt_license: int | None
    """Licence of the video."""
    yt_embeddable: bool | None
    """Whether the video is embeddable on YouTube."""
    yt_notify_subscribers: bool | None
    """Whether subscribers are notified on YouTube."""
    yt_made_for_kids: bool | None
    """Whether the video is made for kids on YouTube."""
    dr_title: str | None
    """Title on Dribbble."""
    dr_tags: list[str] | None
    """Tags on Dribbble."""
    tw_post_type: int | None
    """Form of the post on Twitter."""
    tw_poll: list[str | None] | None
    """Poll on Twitter. The list or its entries may be null."""
    tw_reply_settings: int | None
    """Reply settings on Twitter."""
    th_post_type: int | None
    """Form of the post on Threads."""
    th_poll: list[str | None] | None
    """Poll on Threads. The list or its entries may be null."""
    th_topic_tag: str | None
    """Topic tag on Threads."""


class Location(Object):
    """A location on a network."""

    id: str | None
    """Identifier of the location."""
    name: str | None
    """Name of the location."""
    location: list[str] | None
    """The location itself, as texts."""
    network: str | None
    """Network of the location."""
    followers_count: int | None
    """Number of followers."""
    username: str | None
    """User name of the location."""


class ImageTag(Object):
    """A tag on an image."""

    id: str | None
    """Identifier of the tag."""
    media_id: str | None
    """Media file of the tag."""
    network: str | None
    """Network of the tag."""
    x: float | None
    """`x` of the tag."""
    y: float | None
    """`y` of the tag."""
    mode: str | None
    """Mode of the tag (assumed)."""
    username: str | None
    """User name of the tag."""
    social_account_id: str | None
    """Social account of the tag."""
    product: list[str] | None
    """Products of the tag."""


class FirstComments(Object):
    """First comments of a post, as they are read."""

    _names: ClassVar[Mapping[str, str]] = {
        "social_account_ids": "socialAccountIds",
        "condition_type": "conditionType",
        "condition_value": "conditionValue",
    }

    enabled: bool | None
    """Whether the comment is enabled."""
    social_account_ids: list[str] | None
    """Social accounts of the comment."""
    condition_type: int | None
    """Code of the condition of the comment."""
    condition_value: int | None
    """Value of the condition of the comment."""
    content: str | None
    """Text of the comment."""
    customized: dict[str, FirstCommentsCustomization] | None
    """Customized first comments, by network."""


class FirstCommentsCustomization(Object):
    """First comment of one network, as it is read."""

    _names: ClassVar[Mapping[str, str]] = {
        "social_account_ids": "socialAccountIds",
        "condition_type": "conditionType",
        "condition_value": "conditionValue",
    }

    enabled: bool | None
    """Whether the comment is enabled."""
    social_account_ids: list[str] | None
    """Social accounts of the comment."""
    condition_type: int | None
    """Code of the condition of the comment."""
    condition_value: int | None
    """Value of the condition of the comment."""
    content: str | None
    """Text of the comment."""


class PostCustomization(Object):
    """Customization of a post for one network, as it is read."""

    content: str | None
    """Content for the network."""
    content_json: str | None
    """The content in JSON form, as text (assumed)."""
    media_ids: list[str] | None
    """Media for the network."""


class LinkedInPoll(Object):
    """Poll on LinkedIn, as it is read."""

    question: str | None
    """Question of the poll."""
    option_1: str | None
    """First option."""
    option_2: str | None
    """Second option."""
    option_3: str | None
    """Third option."""
    option_4: str | None
    """Fourth option."""
    duration: str | None
    """Duration of the poll (assumed)."""


class PostDetail(Object):
    """Detail record of a post for one targeted account (assumed)."""

    _names: ClassVar[Mapping[str, str]] = {"first_comment": "firstComment"}

    id: str
    """Identifier of the detail."""
    social_network: str
    """Network of the account."""
    post_type: str | None
    """Form of the post on the network, as text; the `…_post_type` fields of the post itself are
    codes.
    """
    post_id: str | None
    """Identifier of the post: the service's own or the network's; which of them is not documented."""
    social_account_id: str
    """Account that the detail is for."""
    enabled: bool
    """True when the detail is enabled."""
    is_customized: bool
    """Whether it is customized."""
    status: int
    """State of this detail, as a code. Do not read it as a `PostStatus`."""
    stories: list[str]
    """Stories of the detail."""
    is_story: bool
    """True for a story."""
    published_at: AwareDatetime | None
    """When it was published."""
    user_error_message: str | None
    """Error message for users."""
    content: str | None
    """Content of the detail."""
    link_preview: LinkPreview | None
    """Link preview."""
    post_link: str | None
    """Link of the post."""
    first_comment: FirstComment | None
    """First comment of the detail."""


class LinkPreview(Object):
    """Preview of a link."""

    url: str | None
    """URL (assumed)."""
    host: str | None
    """Host (assumed)."""
    title: str | None
    """Title (assumed)."""
    description: str | None
    """Description (assumed)."""
    image_url: str | None
    """URL of the group image (assumed)."""


class FirstComment(Object):
    """First comment of one detail."""

    id: str | None
    """Identifier of the comment."""
    condition_type: int | None
    """Code of the condition of the comment."""
    condition_value: int | None
    """Value of the condition of the comment."""
    publishing_failed: bool | None
    """True when publishing the comment failed."""
    user_error_message: str | None
    """Error message for users."""
    published_at: AwareDatetime | None
    """When the comment was published."""
    created_at: AwareDatetime | None
    """When the comment was created."""


class PostMetric(Object):
    """Metrics of a post (assumed)."""

    _names: ClassVar[Mapping[str, str]] = {"post_detail": "postDetail", "items_": "items"}

    id: str
    """Identifier of the metrics."""
    post_id: str
    """Post of the metrics."""
    post_detail_id: str
    """Post detail of the metrics."""
    social_account_id: str
    """Social account of the metrics."""
    social_post_id: str | None
    """Social post of the metrics."""
    score: int | None
    """Score from 0 to 10, weighted 60 % engagements and 40 % impressions. At least 0; at most 10."""
    views: int | None
    """Views."""
    reach: int | None
    """Reach."""
    likes: int | None
    """Likes."""
    dislikes: int | None
    """Dislikes."""
    shares: int | None
    """Shares."""
    quotes: int | None
    """Quotes."""
    replies: int | None
    """Replies."""
    saves: int | None
    """Saves."""
    follows: int | None
    """Follows."""
    user_profile_clicks: int | None
    """Clicks on the user profile."""
    post_link_clicks: int | None
    """Clicks on the post link."""
    post_other_clicks: int | None
    """Other clicks on the post."""
    engagements: int | None
    """Engagements."""
    engagement_rate_impressions: int | None
    """Engagement rate by impressions."""
    engagement_rate_reach: int | None
    """Engagement rate by reach."""
    video_views: int | None
    """Video views."""
    video_watch_time_total: int | None
    """Time that the video was watched in total; the unit is not documented."""
    video_watch_time_avg: int | None
    """Time that the video was watched on average; the unit is not documented."""
    score_1: int | None
    """A score whose meaning is not documented."""
    score_2: int | None
    """A score whose meaning is not documented."""
    score_3: int | None
    """A score whose meaning is not documented."""
    score_4: int | None
    """A score whose meaning is not documented."""
    score_5: int | None
    """A score whose meaning is not documented."""
    score_6: int | None
    """A score whose meaning is not documented."""
    score_7: int | None
    """A score whose meaning is not documented."""
    score_8: int | None
    """A score whose meaning is not documented."""
    score_9: int | None
    """A score whose meaning is not documented."""
    score_10: int | None
    """A score whose meaning is not documented."""
    updated_at: AwareDatetime | None
    """When the metrics were last updated."""
    published_at: AwareDatetime | None
    """When the post was published."""
    poll_results: list[str] | None
    """Results of a poll."""
    poll_votes: int | None
    """Votes in a poll."""
    post_detail: PostDetail | None
    """The post detail of the metrics."""
    items_: list[PostMetric] | None
    """For posts that are stories: one entry with metrics for each story (assumed)."""


class PostActivity(Object):
    """One entry in the log of a post (assumed)."""

    id: str
    """Identifier of the entry."""
    post_activity_id: str | None
    """An entry of the log; its relation to this entry is not documented."""
    post_id: str
    """Post that the entry is about."""
    user_id: str | None
    """User of the activity."""
    guest_name: str | None
    """Name of a guest."""
    event: str
    """Event of the activity (assumed)."""
    data: str | None
    """Data of the activity, as text."""
    source: int | None
    """Source of the activity, as a code. Do not read it as a `PostSource`."""
    subject_type: str | None
    """Type of the subject."""
    subject_id: str | None
    """Identifier of the subject."""
    created_at: AwareDatetime
    """When the activity was created."""


class Group(Object):
    """A group of social accounts (assumed)."""

    _names: ClassVar[Mapping[str, str]] = {
        "social_accounts": "socialAccounts",
        "social_accounts_count": "socialAccountsCount",
    }

    id: str
    """Identifier of the group."""
    organization_id: str
    """Organization that owns the group."""
    author_id: str | None
    """User who created the group."""
    name: str
    """Name of the group."""
    timezone: str
    """Valid timezone name."""
    approval_workflow: int | None
    """Approval workflow of its posts. Null takes the organization's default; 0 means that there is
    none.
    """
    week_start_day: int
    """First day of its week; 0 is Sunday."""
    note: str | None
    """Internal note."""
    country: str | None
    """Country of the group."""
    color: int
    """Colour of the group."""
    type: int
    """Type of the group."""
    avatar: str | None
    """URL of the group image."""
    default_assignee_ids: list[str]
    """Does not apply for API."""
    default_everyone_must_approve: bool
    """Whether new posts need the approval of every assignee; of no effect through the API."""
    post_task_templates_enabled: bool
    """False keeps post task templates away from posts created in the group."""
    max_social_accounts: int | None
    """How many social accounts it may hold; null means no limit."""
    is_default: bool
    """True for the default group."""
    created_at: AwareDatetime
    """When the group was created."""
    updated_at: AwareDatetime
    """When the group was last changed."""
    social_accounts: list[SocialAccount] | None
    """Its social accounts, where the response includes them (assumed)."""
    social_accounts_count: int | None
    """How many social accounts it has, where the response includes that (assumed)."""


class SocialAccount(Object):
    """An account on a network that is connected to the service (assumed)."""

    _names: ClassVar[Mapping[str, str]] = {"social_network": "socialNetwork"}

    id: str
    """Identifier of the account in the service."""
    social_network: str
    """Network of the account."""
    organization_id: str
    """Organization that owns it."""
    user_id: str | None
    """User who connected it."""
    group_id: str
    """Group that it is in."""
    name: str
    """Display name."""
    custom_name: str | None
    """Custom name."""
    username: str | None
    """User name."""
    headline: str | None
    """Headline."""
    followers_count: int | None
    """Number of followers, updated once a day."""
    verified: bool | None
    """Whether the account is verified."""
    profile_link: str | None
    """URL of the profile."""
    avatar_link: str | None
    """URL of the avatar."""
    social_id: str
    """Identifier on the network."""
    pi_boards: list[PinterestBoard] | None
    """Boards of a Pinterest account."""
    pi_default_board_id: str | None
    """Default board on Pinterest."""
    pi_default_section_id: str | None
    """Default section on Pinterest."""
    ig_shopping_product_tag_eligibility: bool | None
    """Eligibility for shopping product tags on Instagram."""
    yt_playlists: list[str] | None
    """Playlists of a YouTube account."""
    yt_categories: list[str] | None
    """Categories of a YouTube account."""
    connection_expired_at: AwareDatetime | None
    """When the connection expires. When it is not null, the connection must be refreshed by hand,
    also while the moment lies in the future (assumed).
    """
    external_sync_enabled: bool
    """True syncs posts published outside the service."""
    created_at: AwareDatetime
    """When the account was created."""
    user: User | None
    """User who connected it, where an operation gives it (assumed)."""


class PinterestBoard(Object):
    """A board of a Pinterest account."""

    id: str | None
    """Identifier of the board (assumed)."""
    name: str | None
    """Name of the board (assumed)."""
    privacy: str | None
    """Privacy of the board (assumed)."""
    description: str | None
    """Description of the board (assumed)."""
    image_cover_url: str | None
    """URL of the cover image (assumed)."""
    sections: list[dict[str, Any]] | None
    """Sections of the board (assumed)."""


class User(Object):
    """A user of the organization (assumed)."""

    _names: ClassVar[Mapping[str, str]] = {"group_ids": "groupIds"}

    id: str
    """Identifier of the user."""
    inviter_id: str | None
    """Inviter of the user."""
    organization_id: str
    """Organization of the user."""
    name: str
    """Name of the user."""
    email: str
    """E-mail address."""
    phone: str | None
    """Telephone number."""
    role: str
    """Role in the organization (assumed)."""
    is_client: bool
    """True for a client."""
    can_approve: bool
    """True when the user can approve."""
    can_connect_account: bool
    """True when the user can connect an account."""
    can_access_all_groups: bool
    """True when the user can access all groups."""
    self_approval: bool
    """Self approval of the user."""
    time_format_24: bool
    """24-hour time format."""
    open_cu_links_in_app: bool
    """True opens links of the task integration in its app."""
    week_start_day: int
    """First day of the user's week; 0 is Sunday."""
    date_format: int | None
    """Date format, as a code."""
    color: int | None
    """Colour of the user."""
    avatar: str | None
    """Avatar of the user."""
    invited_at: AwareDatetime | None
    """When the user was invited."""
    created_at: AwareDatetime
    """When the user was created."""
    group_ids: list[str]
    """Groups of the user."""


class CalendarNote(Object):
    """A note in the calendar (assumed)."""

    id: str
    """Identifier of the note."""
    organization_id: str
    """Organization that owns the note."""
    user_id: str
    """User who wrote it."""
    group_id: str | None
    """Group to which the note is limited; null shows it in all groups."""
    title: str
    """Title of the note."""
    content: str | None
    """Text of the note."""
    color: int
    """Colour of the note."""
    start_date: AwareDatetime
    """Start of the note."""
    end_date: AwareDatetime
    """End of the note."""
    end_date_extra_day: AwareDatetime | None
    """End of the note with an extra day; how it follows is not documented (assumed)."""
    visible_for_client: bool
    """True also shows the note to clients."""
    is_private: bool
    """True when only its author sees it."""


class Label(Object):
    """A tag for posts (assumed)."""

    id: str
    """Identifier of the label."""
    organization_id: str
    """Organization that owns the label."""
    group_id: str | None
    """Group to which the label is limited; null offers it in all groups."""
    name: str
    """Name of the label."""
    color: int
    """Colour of the label."""


class PageLink(Object):
    """A link of the page navigation (assumed)."""

    url: str | None
    """Address of the page (assumed)."""
    label: str
    """Text of the link."""
    active: bool
    """True for the page at hand."""


class PageMeta(Object):
    """Where a page stands in its list (assumed)."""

    _names: ClassVar[Mapping[str, str]] = {"from_": "from"}

    current_page: int
    """Number of this page."""
    from_: int | None
    """Number of its first entry (assumed)."""
    last_page: int
    """Number of the last page."""
    per_page: int
    """Entries on a full page (assumed)."""
    to: int | None
    """Number of its last entry (assumed)."""
    total: int
    """Entries in the whole list."""
    first_page_url: str | None
    """Address of the first page."""
    last_page_url: str | None
    """Address of the last page."""
    next_page_url: str | None
    """Address of the page after this one (assumed)."""
    path: str | None
    """Address of the list without its query."""
    prev_page_url: str | None
    """Address of the page before this one (assumed)."""


class PostPage(Object):
    """A page of posts (assumed)."""

    data: list[Post]
    """Entries of the page."""
    links: list[PageLink]
    """Links of the page navigation."""
    meta: PageMeta
    """Where the page stands in the list."""


class PostActivityPage(Object):
    """A page of the log of a post (assumed)."""

    data: list[PostActivity]
    """Entries of the page."""
    links: list[PageLink]
    """Links of the page navigation."""
    meta: PageMeta
    """Where the page stands in the list."""


class PostsOverview(Object):
    """Counts for the dashboard (assumed)."""

    _names: ClassVar[Mapping[str, str]] = {
        "scheduled_posts": "scheduledPosts",
        "scheduled_post_details": "scheduledPostDetails",
        "needs_approval": "needsApproval",
        "not_requested_yet": "notRequestedYet",
        "missed_review": "missedReview",
    }

    scheduled_posts: int
    """Scheduled posts in the group, each counted once (assumed)."""
    scheduled_post_details: int
    """Scheduled posts in the group, counted once for each account (assumed)."""
    needs_approval: int
    """Posts in the organization that need approval."""
    not_requested_yet: int
    """Posts in the organization whose approval is not requested yet."""
    rejected: int
    """Posts in the organization that were rejected."""
    missed_review: int
    """Posts in the organization that were not reviewed before their deadline (assumed)."""


class BulkDraftResult(Object):
    """What came of moving posts into or out of draft (assumed)."""

    post_ids: list[str]
    """Identifiers of the posts that were moved (assumed)."""
    partial: bool
    """True when some posts were passed over."""
    skipped_no_assignee: list[str]
    """Posts passed over because a strict workflow found no approver on them."""
    skipped_published: list[str]
    """Posts passed over because they are published."""


class Media(Object):
    """A media file for use in posts (assumed)."""

    id: str
    """Identifier of the file."""
    organization_id: str
    """Organization that owns the file."""
    user_id: str | None
    """Uploader of the file."""
    media_folder_id: str | None
    """Folder that holds it."""
    is_media_library: bool
    """True for a file that belongs to the media library."""
    type: int
    """Kind of file."""
    url: str | None
    """URL of the file."""
    client_name: str | None
    """Client name of the file."""
    file_name: str
    """File name."""
    mime_type: str
    """MIME type of the file."""
    extension: str
    """Extension of the file name."""
    size: int | None
    """Size of the file in bytes (assumed)."""
    thumbnail: str | None
    """Thumbnail of the file."""
    preview: str | None
    """Preview of the file."""
    width: int | None
    """Width of the file."""
    height: int | None
    """Height of the file."""
    aspect_ratio: float | None
    """Aspect ratio."""
    duration: float | None
    """Duration in seconds (assumed)."""
    fps: float | None
    """FPS of the file."""
    video_thumbnail_frame: str | None
    """Frame of the video thumbnail."""
    video_thumbnail_custom: str | None
    """Custom video thumbnail."""
    video_thumbnail_time: float | None
    """Time of the video thumbnail in seconds (assumed)."""
    page_count: int | None
    """How many pages a PDF has."""
    page_previews: list[str] | None
    """Previews of the pages."""
    conversions: list[str] | None
    """Conversions of the file."""
    pivot_alt_text: list[str] | None
    """Pivot alternative texts of the file."""
    alt_text: str | None
    """Alternative text of the file."""
    note: str | None
    """Note on the file."""
    origin: int
    """Where the file came from."""
    is_processing: bool
    """True while the service is still processing the file."""
    is_converted: bool
    """True when the media was converted for compatibility with social networks."""
    created_at: AwareDatetime
    """When the file was created."""
    updated_at: AwareDatetime
    """When the file was last updated."""


class MediaStatus(Object):
    """How far the processing of a file has come (assumed)."""

    media_id: str
    """The file asked about."""
    status: str
    """State of the file."""
    data: Media | None
    """The file."""
    error: str | None
    """What went wrong with the file. A successful response has this field, too (assumed)."""
