# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Models that several resources use."""

from typing import Annotated, Any

from msgspec import field

from .._runtime.core.enums import IntCode, TextCode
from .._runtime.core.models import MISSING, AwareDatetime, Meta, Present, ResponseModel

__all__ = [
    "Color",
    "GeneralError",
    "GeneralErrorECode",
    "Id",
    "Label",
    "Media",
    "MediaOrigin",
    "MediaType",
    "MessageError",
    "Network",
    "PinterestBoard",
    "SocialAccount",
    "User",
    "UserRole",
    "ValidationError",
    "Weekday",
]

Id = Annotated[str, Meta(pattern="^(0|[1-9][0-9]{0,19})$", extra={"format": "uint64"})]
"""Identifier of the service's own objects: an unsigned 64-bit integer that grows with time, written as
text.
"""


class Network(TextCode):
    """Identifier of a network."""

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


class UserRole(TextCode, open_set=True):
    """Role of the user. Which values there are is assumed (user.role).

    The known values of an open set.
    """

    OWNER = "owner"


class GeneralErrorECode(TextCode, open_set=True):
    """Code of the error. Which values there are is assumed (error.code).

    The known values of an open set.
    """

    GENERAL = "GENERAL"


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


class MessageError(ResponseModel, kw_only=True):
    """The error body that most operations respond with."""

    message: str | None = MISSING
    """Message of the error."""


class PinterestBoard(ResponseModel, kw_only=True):
    """A board of a Pinterest account."""

    id: str | None = MISSING
    """Identifier of the board. The type string is assumed (pinterestBoard.types)."""

    name: str | None = MISSING
    """Name of the board. The type string is assumed (pinterestBoard.types)."""

    privacy: str | None = MISSING
    """Privacy of the board. The type string is assumed (pinterestBoard.types)."""

    description: str | None = MISSING
    """Description of the board. The type string is assumed (pinterestBoard.types)."""

    image_cover_url: str | None = MISSING
    """URL of the cover image. The type string is assumed (pinterestBoard.types)."""

    sections: list[dict[str, Any]] | None = MISSING
    """Sections of the board. The type of the entries is assumed (pinterestBoard.sections)."""


class User(ResponseModel, kw_only=True):
    """A user of the organization. Which fields always have a value is assumed (presence.user)."""

    id: str = MISSING
    """Identifier of the user."""

    inviter_id: str | None = MISSING
    """Inviter of the user."""

    organization_id: str = MISSING
    """Organization of the user."""

    name: str = MISSING
    """Name of the user."""

    email: str = MISSING
    """E-mail address."""

    phone: str | None = MISSING
    """Telephone number."""

    role: UserRole = MISSING
    """Role of the user. Which values there are is assumed (user.role)."""

    is_client: bool = MISSING
    """True for a client."""

    can_approve: bool = MISSING
    """True when the user can approve."""

    can_connect_account: bool = MISSING
    """True when the user can connect an account."""

    can_access_all_groups: bool = MISSING
    """True when the user can access all groups."""

    self_approval: bool = MISSING
    """Self approval of the user."""

    time_format_24: bool = MISSING
    """24-hour time format."""

    open_cu_links_in_app: bool = MISSING
    """Whether `cu` links open in the app."""

    week_start_day: Weekday = MISSING
    """First day of the user's week; 0 is Sunday."""

    date_format: int | None = MISSING
    """Date format, as a code."""

    color: int | None = MISSING
    """Colour of the user."""

    avatar: str | None = MISSING
    """Avatar of the user."""

    invited_at: AwareDatetime | None = MISSING
    """When the user was invited."""

    created_at: AwareDatetime = MISSING
    """When the user was created."""

    group_ids: list[str] = field(default=MISSING, name="groupIds")
    """Groups of the user."""


class SocialAccount(ResponseModel, kw_only=True):
    """An account on a network that is connected to the service. Which fields always have a value is
    assumed (presence.account).
    """

    id: str = MISSING
    """Identifier of the account in the service."""

    social_network: Network = field(default=MISSING, name="socialNetwork")
    """Network of the account."""

    organization_id: str = MISSING
    """Organization of the account."""

    user_id: str | None = MISSING
    """User who connected it."""

    group_id: str = MISSING
    """Group that it is in."""

    name: str = MISSING
    """Display name."""

    custom_name: str | None = MISSING
    """Custom name."""

    username: str | None = MISSING
    """User name."""

    headline: str | None = MISSING
    """Headline."""

    followers_count: int | None = MISSING
    """Number of followers, updated once a day."""

    verified: bool | None = MISSING
    """Whether the account is verified."""

    profile_link: str | None = MISSING
    """URL of the profile."""

    avatar_link: str | None = MISSING
    """URL of the avatar."""

    social_id: str = MISSING
    """Identifier on the network."""

    pi_boards: list[PinterestBoard] | None = MISSING
    """Boards of a Pinterest account."""

    pi_default_board_id: str | None = MISSING
    """Default board on Pinterest."""

    pi_default_section_id: str | None = MISSING
    """Default section on Pinterest."""

    ig_shopping_product_tag_eligibility: bool | None = MISSING
    """Eligibility for shopping product tags on Instagram."""

    yt_playlists: list[str] | None = MISSING
    """Playlists of a YouTube account."""

    yt_categories: list[str] | None = MISSING
    """Categories of a YouTube account."""

    connection_expired_at: AwareDatetime | None = MISSING
    """When it is not null, the connection must be refreshed by hand, also while the moment lies in
    the future. "also while the moment lies in the future" is assumed (account.expiry).
    """

    external_sync_enabled: bool = MISSING
    """True syncs posts published outside the service."""

    created_at: AwareDatetime = MISSING
    """When the account was created."""

    user: User | None = MISSING
    """User who connected it, where an operation gives it."""


class Label(ResponseModel, kw_only=True):
    """A tag for posts. That `organization_id`, `name` and `color` always have a value is assumed
    (presence.label).
    """

    id: str = MISSING
    """Identifier of the label."""

    organization_id: str = MISSING
    """Organization of the label."""

    group_id: Present[str | None] = MISSING
    """Group to which the label is limited; null offers it in all groups."""

    name: str = MISSING
    """Name of the label."""

    color: Color = MISSING
    """Colour of the label."""


class GeneralError(ResponseModel, kw_only=True):
    """Error body with a code."""

    title: str | None = MISSING
    """Title of the error."""

    message: str | None = MISSING
    """Message of the error."""

    e_code: GeneralErrorECode | None = MISSING
    """Code of the error. Which values there are is assumed (error.code)."""


class ValidationError(ResponseModel, kw_only=True):
    """Error body for values that were refused."""

    message: str | None = MISSING
    """Message of the error."""

    errors: dict[str, list[str]] | None = MISSING
    """The errors. The type array is assumed (error.fields). The type of the entries is assumed
    (error.fields).
    """


class Media(ResponseModel, kw_only=True):
    """A media file for use in posts. Which fields always have a value is assumed (presence.media)."""

    id: str = MISSING
    """Identifier of the file."""

    organization_id: str = MISSING
    """Organization of the file."""

    user_id: str | None = MISSING
    """Uploader of the file."""

    media_folder_id: str | None = MISSING
    """Media folder of the file."""

    is_media_library: bool = MISSING
    """True for a file that belongs to the media library."""

    type: MediaType = MISSING
    """Kind of file."""

    url: str | None = MISSING
    """URL of the file."""

    client_name: str | None = MISSING
    """Client name of the file."""

    file_name: str = MISSING
    """File name."""

    mime_type: str = MISSING
    """MIME type of the file."""

    extension: str = MISSING
    """Extension of the file name."""

    size: int | None = MISSING
    """Size of the file in bytes. "in bytes" is assumed (media.size)."""

    thumbnail: str | None = MISSING
    """Thumbnail of the file."""

    preview: str | None = MISSING
    """Preview of the file."""

    width: int | None = MISSING
    """Width of the file."""

    height: int | None = MISSING
    """Height of the file."""

    aspect_ratio: float | None = MISSING
    """Aspect ratio."""

    duration: float | None = MISSING
    """Duration in seconds. "in seconds" is assumed (media.times)."""

    fps: float | None = MISSING
    """FPS of the file."""

    video_thumbnail_frame: str | None = MISSING
    """Frame of the video thumbnail."""

    video_thumbnail_custom: str | None = MISSING
    """Custom video thumbnail."""

    video_thumbnail_time: float | None = MISSING
    """Time of the video thumbnail in seconds. "in seconds" is assumed (media.times)."""

    page_count: int | None = MISSING
    """How many pages a PDF has."""

    page_previews: list[str] | None = MISSING
    """Previews of the pages."""

    conversions: list[str] | None = MISSING
    """Conversions of the file."""

    pivot_alt_text: list[str] | None = MISSING
    """Pivot alternative texts of the file."""

    alt_text: str | None = MISSING
    """Alternative text of the file."""

    note: str | None = MISSING
    """Note on the file."""

    origin: MediaOrigin = MISSING
    """Where the file came from."""

    is_processing: bool = MISSING
    """True while the service is still processing the file."""

    is_converted: bool = MISSING
    """True when the media was converted for compatibility with social networks."""

    created_at: AwareDatetime = MISSING
    """When the file was created."""

    updated_at: AwareDatetime = MISSING
    """When the file was last updated."""
