# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Classes of the objects of the documents, which describe each attribute."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, ClassVar
from uuid import UUID

from ..json_objects import AwareDatetime, Object


class Post(Object):
    """A post, with one detail record for each account that it goes to. Fields with a prefix matter
    to one network alone: `fb_` Facebook, `ig_` Instagram, `li_` LinkedIn, `tt_` TikTok, `pi_`
    Pinterest, `gb_` Google business profile, `yt_` YouTube, `dr_` Dribbble, `tw_` Twitter, `th_`
    Threads. `cu_` belongs to the task integration. Which fields always have a value is assumed
    (presence.post).
    """

    _names: ClassVar[Mapping[str, str]] = {
        "social_accounts": "socialAccounts",
        "selected_account_ids": "selectedAccountIds",
        "assignee_ids": "assigneesIds",
    }

    id: str
    public_id: str | None
    organization_id: str
    user_id: str | None
    post_id: str | None
    cu_task_id: str | None
    name: str | None
    status: int
    note: str | None
    visible_for_client: bool
    content: str | None
    content_weighted_length: int
    has_customized_content: bool
    locations: list[Location]
    image_tags: list[ImageTag]
    selected_media_ids: list[str]
    first_comments: FirstComments | None
    publication_date: AwareDatetime | None
    publication_timestamp: int | None
    customized_publication_date: list[str | None] | None
    publication_delay_between: int
    customized: dict[str, PostCustomization] | None
    is_publicly_shared: bool
    guest_approver_name: str | None
    everyone_must_approve: bool
    should_skip: bool
    approved_at: AwareDatetime | None
    published_at: AwareDatetime | None
    created_at: AwareDatetime
    updated_at: AwareDatetime
    user: User | None
    social_accounts: list[SocialAccount] | None
    comments: list[dict[str, Any]] | None
    tasks: list[dict[str, Any]] | None
    details: list[PostDetail] | None
    media: list[Media] | None
    labels: list[Label] | None
    approvals: list[dict[str, Any]] | None
    selected_account_ids: list[str]
    assignee_ids: list[str]
    source: int
    cu_creator_name: str | None
    fb_post_type: int | None
    fb_video_title: str | None
    ig_post_type: int | None
    ig_collaborators: list[str] | None
    ig_share_to_feed: bool | None
    ig_allow_comments: bool | None
    ig_audio_name: str | None
    li_post_type: int | None
    li_carousel_title: str | None
    li_poll: LinkedInPoll | None
    tt_post_type: int | None
    tt_privacy_level: int | None
    tt_carousel_title: str | None
    tt_disable_duet: bool | None
    tt_disable_stitch: bool | None
    tt_disable_comment: bool | None
    tt_brand_content: bool | None
    tt_brand_organic: bool | None
    tt_auto_music: bool | None
    tt_is_aigc: bool | None
    pi_pin_title: str | None
    pi_url_link: str | None
    pi_boards: list[str | None] | None
    pi_sections: list[str | None] | None
    pi_is_standard_pin: bool | None
    gb_post_type: int | None
    gb_event_title: str | None
    gb_start_date: AwareDatetime | None
    gb_end_date: AwareDatetime | None
    gb_use_time: bool | None
    gb_action_type: int | None
    gb_action_url: str | None
    gb_coupon_code: str | None
    gb_redeem_url: str | None
    gb_term_conditions: str | None
    yt_post_type: int | None
    yt_video_title: str | None
    yt_video_tags: list[str] | None
    yt_categories: list[str | None] | None
    yt_playlists: list[str | None] | None
    yt_privacy_level: int | None
    yt_license: int | None
    yt_embeddable: bool | None
    yt_notify_subscribers: bool | None
    yt_made_for_kids: bool | None
    dr_title: str | None
    dr_tags: list[str] | None
    tw_post_type: int | None
    tw_poll: list[str | None] | None
    tw_reply_settings: int | None
    th_post_type: int | None
    th_poll: list[str | None] | None
    th_topic_tag: str | None


class Location(Object):
    """A location on a network."""

    id: str | None
    name: str | None
    location: list[str] | None
    network: str | None
    followers_count: int | None
    username: str | None


class ImageTag(Object):
    """A tag on an image."""

    id: str | None
    media_id: str | None
    network: str | None
    x: float | None
    y: float | None
    mode: str | None
    username: str | None
    social_account_id: str | None
    product: list[str] | None


class FirstComments(Object):
    """First comments of a post, as they are read."""

    _names: ClassVar[Mapping[str, str]] = {
        "social_account_ids": "socialAccountIds",
        "condition_type": "conditionType",
        "condition_value": "conditionValue",
    }

    enabled: bool | None
    social_account_ids: list[str] | None
    condition_type: int | None
    condition_value: int | None
    content: str | None
    customized: dict[str, FirstCommentsCustomization] | None


class FirstCommentsCustomization(Object):
    """First comment of one network, as it is read."""

    _names: ClassVar[Mapping[str, str]] = {
        "social_account_ids": "socialAccountIds",
        "condition_type": "conditionType",
        "condition_value": "conditionValue",
    }

    enabled: bool | None
    social_account_ids: list[str] | None
    condition_type: int | None
    condition_value: int | None
    content: str | None


class PostCustomization(Object):
    """Customization of a post for one network, as it is read."""

    content: str | None
    content_json: str | None
    media_ids: list[str] | None


class LinkedInPoll(Object):
    """Poll on LinkedIn, as it is read."""

    question: str | None
    option_1: str | None
    option_2: str | None
    option_3: str | None
    option_4: str | None
    duration: str | None


class PostDetail(Object):
    """Detail record of a post for one targeted account. Which fields always have a value is assumed
    (presence.detail).
    """

    _names: ClassVar[Mapping[str, str]] = {"first_comment": "firstComment"}

    id: str
    social_network: str
    post_type: str | None
    post_id: str | None
    social_account_id: str
    enabled: bool
    is_customized: bool
    status: int
    stories: list[str]
    is_story: bool
    published_at: AwareDatetime | None
    user_error_message: str | None
    content: str | None
    link_preview: LinkPreview | None
    post_link: str | None
    first_comment: FirstComment | None


class LinkPreview(Object):
    """Preview of a link."""

    url: str | None
    host: str | None
    title: str | None
    description: str | None
    image_url: str | None


class FirstComment(Object):
    """First comment of one detail."""

    id: str | None
    condition_type: int | None
    condition_value: int | None
    publishing_failed: bool | None
    user_error_message: str | None
    published_at: AwareDatetime | None
    created_at: AwareDatetime | None


class PostMetric(Object):
    """Metrics of a post. That `post_id`, `post_detail_id` and `social_account_id` always have a
    value is assumed (presence.metric).
    """

    _names: ClassVar[Mapping[str, str]] = {"post_detail": "postDetail", "items_": "items"}

    id: str
    post_id: str
    post_detail_id: str
    social_account_id: str
    social_post_id: str | None
    score: int | None
    views: int | None
    reach: int | None
    likes: int | None
    dislikes: int | None
    shares: int | None
    quotes: int | None
    replies: int | None
    saves: int | None
    follows: int | None
    user_profile_clicks: int | None
    post_link_clicks: int | None
    post_other_clicks: int | None
    engagements: int | None
    engagement_rate_impressions: int | None
    engagement_rate_reach: int | None
    video_views: int | None
    video_watch_time_total: int | None
    video_watch_time_avg: int | None
    score_1: int | None
    score_2: int | None
    score_3: int | None
    score_4: int | None
    score_5: int | None
    score_6: int | None
    score_7: int | None
    score_8: int | None
    score_9: int | None
    score_10: int | None
    updated_at: AwareDatetime | None
    published_at: AwareDatetime | None
    poll_results: list[str] | None
    poll_votes: int | None
    post_detail: PostDetail | None
    items_: list[PostMetric] | None


class PostActivity(Object):
    """One entry in the log of a post. That `post_id`, `event` and `created_at` always have a value
    is assumed (presence.activity).
    """

    id: str
    post_activity_id: str | None
    post_id: str
    user_id: str | None
    guest_name: str | None
    event: str
    data: str | None
    source: int | None
    subject_type: str | None
    subject_id: str | None
    created_at: AwareDatetime


class Group(Object):
    """A group of social accounts. Which fields always have a value is assumed (presence.group)."""

    _names: ClassVar[Mapping[str, str]] = {
        "social_accounts": "socialAccounts",
        "social_accounts_count": "socialAccountsCount",
    }

    id: str
    organization_id: str
    author_id: str | None
    name: str
    timezone: str
    approval_workflow: int | None
    week_start_day: int
    note: str | None
    country: str | None
    color: int
    type: int
    avatar: str | None
    default_assignee_ids: list[str]
    default_everyone_must_approve: bool
    post_task_templates_enabled: bool
    max_social_accounts: int | None
    is_default: bool
    created_at: AwareDatetime
    updated_at: AwareDatetime
    social_accounts: list[SocialAccount] | None
    social_accounts_count: int | None


class SocialAccount(Object):
    """An account on a network that is connected to the service. Which fields always have a value is
    assumed (presence.account).
    """

    _names: ClassVar[Mapping[str, str]] = {"social_network": "socialNetwork"}

    id: str
    social_network: str
    organization_id: str
    user_id: str | None
    group_id: str
    name: str
    custom_name: str | None
    username: str | None
    headline: str | None
    followers_count: int | None
    verified: bool | None
    profile_link: str | None
    avatar_link: str | None
    social_id: str
    pi_boards: list[PinterestBoard] | None
    pi_default_board_id: str | None
    pi_default_section_id: str | None
    ig_shopping_product_tag_eligibility: bool | None
    yt_playlists: list[str] | None
    yt_categories: list[str] | None
    connection_expired_at: AwareDatetime | None
    external_sync_enabled: bool
    created_at: AwareDatetime
    user: User | None


class PinterestBoard(Object):
    """A board of a Pinterest account."""

    id: str | None
    name: str | None
    privacy: str | None
    description: str | None
    image_cover_url: str | None
    sections: list[dict[str, Any]] | None


class User(Object):
    """A user of the organization. Which fields always have a value is assumed (presence.user)."""

    _names: ClassVar[Mapping[str, str]] = {"group_ids": "groupIds"}

    id: str
    inviter_id: str | None
    organization_id: str
    name: str
    email: str
    phone: str | None
    role: str
    is_client: bool
    can_approve: bool
    can_connect_account: bool
    can_access_all_groups: bool
    self_approval: bool
    time_format_24: bool
    open_cu_links_in_app: bool
    week_start_day: int
    date_format: int | None
    color: int | None
    avatar: str | None
    invited_at: AwareDatetime | None
    created_at: AwareDatetime
    group_ids: list[str]


class CalendarNote(Object):
    """A note in the calendar. Which fields always have a value is assumed (presence.note)."""

    id: str
    organization_id: str
    user_id: str
    group_id: str | None
    title: str
    content: str | None
    color: int
    start_date: AwareDatetime
    end_date: AwareDatetime
    end_date_extra_day: AwareDatetime | None
    visible_for_client: bool
    is_private: bool


class Label(Object):
    """A tag for posts. That `organization_id`, `name` and `color` always have a value is assumed
    (presence.label).
    """

    id: str
    organization_id: str
    group_id: str | None
    name: str
    color: int


class Media(Object):
    """A media file for use in posts. Which fields always have a value is assumed (presence.media)."""

    id: str
    organization_id: str
    user_id: str | None
    media_folder_id: str | None
    is_media_library: bool
    type: int
    url: str | None
    client_name: str | None
    file_name: str
    mime_type: str
    extension: str
    size: int | None
    thumbnail: str | None
    preview: str | None
    width: int | None
    height: int | None
    aspect_ratio: float | None
    duration: float | None
    fps: float | None
    video_thumbnail_frame: str | None
    video_thumbnail_custom: str | None
    video_thumbnail_time: float | None
    page_count: int | None
    page_previews: list[str] | None
    conversions: list[str] | None
    pivot_alt_text: list[str] | None
    alt_text: str | None
    note: str | None
    origin: int
    is_processing: bool
    is_converted: bool
    created_at: AwareDatetime
    updated_at: AwareDatetime
