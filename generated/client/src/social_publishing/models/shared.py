# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Models that several resources use."""

from typing import Annotated, Any

from msgspec import field

from .._runtime.core.enums import IntCode, TextCode
from .._runtime.core.models import MISSING, AwareDatetime, Meta, Present, ResponseModel

__all__ = [
    "Color",
    "Id",
    "Label",
    "Media",
    "MediaOrigin",
    "MediaType",
    "Network",
    "PinterestBoard",
    "SocialAccount",
    "User",
    "UserRole",
    "Weekday",
]

Id = Annotated[str, Meta(pattern="^(0|[1-9][0-9]{0,19})$", extra={"format": "uint64"})]
"""Identifier of the service's own objects: an unsigned 64-bit integer that grows with time, written as
text.
"""


class Network(TextCode):
    """A social network, or one kind of account on it."""

    TWITTER = "twitter"
    LINKEDIN = "linkedin"
    LINKEDIN_PAGE = "linkedin_page"
    FACEBOOK = "facebook"
    INSTAGRAM = "instagram"
    TIKTOK = "tiktok"
    BLUESKY = "bluesky"
    PINTEREST = "pinterest"
    GOOGLE_BUSINESS_PROFILE = "google_business_profile"
    YOUTUBE = "youtube"
    THREADS = "threads"
    SNAPCHAT = "snapchat"
    DRIBBBLE = "dribbble"
    TUMBLR = "tumblr"


class Color(IntCode):
    """A colour, as a code from 1 (red) to 9 (gray)."""

    RED = 1
    GREEN = 2
    BLUE = 3
    YELLOW = 4
    ORANGE = 5
    PINK = 6
    PURPLE = 7
    SKY = 8
    GRAY = 9


class Weekday(IntCode):
    """A day of the week, as a code from 0 (Sunday) to 6 (Saturday)."""

    SUNDAY = 0
    MONDAY = 1
    TUESDAY = 2
    WEDNESDAY = 3
    THURSDAY = 4
    FRIDAY = 5
    SATURDAY = 6


class UserRole(TextCode):
    """Role in the organization.

    Assumed: user.role.

    The known values of an open set.
    """

    OWNER = "owner"


class MediaType(IntCode):
    """Kind of a media file, as a code."""

    IMAGE = 1
    VIDEO = 2
    AUDIO = 3
    DOCUMENT = 4
    SUBTITLES = 5


class MediaOrigin(IntCode):
    """Where a media file came from, as a code."""

    IMPORT = 1
    TASK_INTEGRATION = 2
    CLOUD_DRIVE_A = 3
    CLOUD_DRIVE_B = 4
    GIF_PROVIDER = 5
    POST_COMMENT = 6
    API = 7


class PinterestBoard(ResponseModel, kw_only=True):
    """A board of a Pinterest account.

    Attributes:
        id: The network's identifier of the board. Assumed: pinterestBoard.types.
        name: Name of the board. Assumed: pinterestBoard.types.
        privacy: Who may see the board. Assumed: pinterestBoard.types.
        description: What the board is about. Assumed: pinterestBoard.types.
        image_cover_url: URL of its cover. Assumed: pinterestBoard.types.
        sections: Sections of the board. Assumed: pinterestBoard.sections.
    """

    id: str | None = MISSING
    name: str | None = MISSING
    privacy: str | None = MISSING
    description: str | None = MISSING
    image_cover_url: str | None = MISSING
    sections: list[dict[str, Any]] | None = MISSING


class User(ResponseModel, kw_only=True):
    """A person in the organization.

    Assumed: presence.user.

    Attributes:
        id: Identifier of the user.
        inviter_id: User who sent the invitation.
        organization_id: Organization of the user.
        name: Name of the user.
        email: E-mail address.
        phone: Telephone number.
        role: Role in the organization. Assumed: user.role.
        is_client: True for a client.
        can_approve: True when the user may approve posts.
        can_connect_account: True when the user may connect accounts.
        can_access_all_groups: True when every group is open to the user.
        self_approval: True when the user may approve posts of their own.
        time_format_24: True for a clock of 24 hours.
        open_cu_links_in_app: True opens links of the task integration in its app.
        week_start_day: First day of the user's week; 0 is Sunday.
        date_format: Code of the way dates are written. Not known: user.dateFormat.
        color: Colour of the user. Not known: user.color.
        avatar: Picture of the user.
        invited_at: When the invitation was sent.
        created_at: When the user was created.
        group_ids: Groups of the user.
    """

    id: str = MISSING
    inviter_id: str | None = MISSING
    organization_id: str = MISSING
    name: str = MISSING
    email: str = MISSING
    phone: str | None = MISSING
    role: UserRole = MISSING
    is_client: bool = MISSING
    can_approve: bool = MISSING
    can_connect_account: bool = MISSING
    can_access_all_groups: bool = MISSING
    self_approval: bool = MISSING
    time_format_24: bool = MISSING
    open_cu_links_in_app: bool = MISSING
    week_start_day: Weekday = MISSING
    date_format: int | None = MISSING
    color: int | None = MISSING
    avatar: str | None = MISSING
    invited_at: AwareDatetime | None = MISSING
    created_at: AwareDatetime = MISSING
    group_ids: list[str] = field(default=MISSING, name="groupIds")


class SocialAccount(ResponseModel, kw_only=True):
    """An account on a network that is connected to the service.

    Assumed: presence.account.

    Attributes:
        id: Identifier of the account in the service.
        social_network: Network of the account.
        organization_id: Organization that owns it.
        user_id: User who connected it.
        group_id: Group that it is in.
        name: Display name.
        custom_name: Name given to the account by users.
        username: User name on the network.
        headline: Line under the name.
        followers_count: Number of followers, updated once a day.
        verified: True when the network has verified the account.
        profile_link: URL of the profile.
        avatar_link: URL of the picture.
        social_id: The network's own identifier of the account.
        pi_boards: Boards of a Pinterest account.
        pi_default_board_id: Board used when none is chosen.
        pi_default_section_id: Section used when none is chosen.
        ig_shopping_product_tag_eligibility: True when the account may mark products on Instagram.
        yt_playlists: Playlists of a YouTube account.
        yt_categories: Categories of a YouTube account.
        connection_expired_at: When the connection expires. When it is not null, the connection must
            be refreshed by hand, also while the moment lies in the future. Assumed: account.expiry.
        external_sync_enabled: True brings posts published outside the service into it.
        created_at: When the account was created.
        user: User who connected it, where an operation gives it. Assumed: user.presence.
    """

    id: str = MISSING
    social_network: Network = field(default=MISSING, name="socialNetwork")
    organization_id: str = MISSING
    user_id: str | None = MISSING
    group_id: str = MISSING
    name: str = MISSING
    custom_name: str | None = MISSING
    username: str | None = MISSING
    headline: str | None = MISSING
    followers_count: int | None = MISSING
    verified: bool | None = MISSING
    profile_link: str | None = MISSING
    avatar_link: str | None = MISSING
    social_id: str = MISSING
    pi_boards: list[PinterestBoard] | None = MISSING
    pi_default_board_id: str | None = MISSING
    pi_default_section_id: str | None = MISSING
    ig_shopping_product_tag_eligibility: bool | None = MISSING
    yt_playlists: list[str] | None = MISSING
    yt_categories: list[str] | None = MISSING
    connection_expired_at: AwareDatetime | None = MISSING
    external_sync_enabled: bool = MISSING
    created_at: AwareDatetime = MISSING
    user: User | None = MISSING


class Label(ResponseModel, kw_only=True):
    """A tag for posts.

    Assumed: presence.label.

    Attributes:
        id: Identifier of the label.
        organization_id: Organization that owns the label.
        group_id: Group to which the label is limited; null offers it in all groups.
        name: Name of the label.
        color: Colour of the label.
    """

    id: str = MISSING
    organization_id: str = MISSING
    group_id: Present[str | None] = MISSING
    name: str = MISSING
    color: Color = MISSING


class Media(ResponseModel, kw_only=True):
    """A stored file that posts can show.

    Assumed: presence.media.

    Attributes:
        id: Identifier of the file.
        organization_id: Organization that owns the file.
        user_id: User who uploaded the file.
        media_folder_id: Folder that holds it.
        is_media_library: True for a file that belongs to the media library.
        type: Kind of file.
        url: URL of the file.
        client_name: Client name of the file.
        file_name: File name.
        mime_type: MIME type of the file.
        extension: Extension of the file name.
        size: Size of the file in bytes. Assumed: media.size.
        thumbnail: Small picture of the file.
        preview: Larger picture of the file.
        width: Width of the picture or video.
        height: Height of the picture or video.
        aspect_ratio: Proportion of width and height.
        duration: Playing time in seconds. Assumed: media.times.
        fps: Frames per second of a video.
        video_thumbnail_frame: Cover picture taken from the video.
        video_thumbnail_custom: Cover picture supplied for the video.
        video_thumbnail_time: Moment of the video that the cover shows, in seconds. Assumed:
            media.times.
        page_count: How many pages a PDF has.
        page_previews: Pictures of the pages.
        conversions: Converted versions of the file.
        pivot_alt_text: Alternative texts of the file where it is used.
        alt_text: Alternative text of the file.
        note: Note on the file.
        origin: Where the file came from.
        is_processing: True while the service is still processing the file (§3).
        is_converted: True when the file was changed so that the networks accept it.
        created_at: When the file was stored.
        updated_at: When the file was last changed.
    """

    id: str = MISSING
    organization_id: str = MISSING
    user_id: str | None = MISSING
    media_folder_id: str | None = MISSING
    is_media_library: bool = MISSING
    type: MediaType = MISSING
    url: str | None = MISSING
    client_name: str | None = MISSING
    file_name: str = MISSING
    mime_type: str = MISSING
    extension: str = MISSING
    size: int | None = MISSING
    thumbnail: str | None = MISSING
    preview: str | None = MISSING
    width: int | None = MISSING
    height: int | None = MISSING
    aspect_ratio: float | None = MISSING
    duration: float | None = MISSING
    fps: float | None = MISSING
    video_thumbnail_frame: str | None = MISSING
    video_thumbnail_custom: str | None = MISSING
    video_thumbnail_time: float | None = MISSING
    page_count: int | None = MISSING
    page_previews: list[str] | None = MISSING
    conversions: list[str] | None = MISSING
    pivot_alt_text: list[str] | None = MISSING
    alt_text: str | None = MISSING
    note: str | None = MISSING
    origin: MediaOrigin = MISSING
    is_processing: bool = MISSING
    is_converted: bool = MISSING
    created_at: AwareDatetime = MISSING
    updated_at: AwareDatetime = MISSING
