# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Models that several resources use."""

from typing import Annotated, Any

from msgspec import field

from .._runtime.core.enums import IntCode, TextCode
from .._runtime.core.models import UNSET, AwareDatetime, Maybe, Meta, ResponseModel

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
    """Role in the organization (assumed).

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
    """A board of a Pinterest account."""

    id: Maybe[str] = UNSET
    """The network's identifier of the board (assumed)."""

    name: Maybe[str] = UNSET
    """Name of the board (assumed)."""

    privacy: Maybe[str] = UNSET
    """Who may see the board (assumed)."""

    description: Maybe[str] = UNSET
    """What the board is about (assumed)."""

    image_cover_url: Maybe[str] = UNSET
    """URL of its cover (assumed)."""

    sections: Maybe[list[dict[str, Any]]] = UNSET
    """Sections of the board (assumed)."""


class User(ResponseModel, kw_only=True):
    """A person in the organization."""

    id: str
    """Identifier of the user."""

    inviter_id: Maybe[str] = UNSET
    """User who sent the invitation."""

    organization_id: Maybe[str] = UNSET
    """Organization of the user."""

    name: Maybe[str] = UNSET
    """Name of the user."""

    email: Maybe[str] = UNSET
    """E-mail address."""

    phone: Maybe[str] = UNSET
    """Telephone number."""

    role: Maybe[UserRole] = UNSET
    """Role in the organization (assumed)."""

    is_client: Maybe[bool] = UNSET
    """True for a client."""

    can_approve: Maybe[bool] = UNSET
    """True when the user may approve posts."""

    can_connect_account: Maybe[bool] = UNSET
    """True when the user may connect accounts."""

    can_access_all_groups: Maybe[bool] = UNSET
    """True when every group is open to the user."""

    self_approval: Maybe[bool] = UNSET
    """True when the user may approve posts of their own."""

    time_format_24: Maybe[bool] = UNSET
    """True for a clock of 24 hours."""

    open_cu_links_in_app: Maybe[bool] = UNSET
    """True opens links of the task integration in its app."""

    week_start_day: Maybe[Weekday] = UNSET
    """First day of the user's week; 0 is Sunday."""

    date_format: Maybe[int] = UNSET
    """Code of the way dates are written."""

    color: Maybe[int] = UNSET
    """Colour of the user."""

    avatar: Maybe[str] = UNSET
    """Picture of the user."""

    invited_at: Maybe[AwareDatetime] = UNSET
    """When the invitation was sent."""

    created_at: Maybe[AwareDatetime] = UNSET
    """When the user was created."""

    group_ids: Maybe[list[str]] = field(default=UNSET, name="groupIds")
    """Groups of the user."""


class SocialAccount(ResponseModel, kw_only=True):
    """An account on a network that is connected to the service."""

    id: str
    """Identifier of the account in the service."""

    social_network: Maybe[Network] = field(default=UNSET, name="socialNetwork")
    """Network of the account."""

    organization_id: Maybe[str] = UNSET
    """Organization that owns it."""

    user_id: Maybe[str] = UNSET
    """User who connected it."""

    group_id: Maybe[str] = UNSET
    """Group that it is in."""

    name: Maybe[str] = UNSET
    """Display name."""

    custom_name: Maybe[str] = UNSET
    """Name given to the account by users."""

    username: Maybe[str] = UNSET
    """User name on the network."""

    headline: Maybe[str] = UNSET
    """Line under the name."""

    followers_count: Maybe[int] = UNSET
    """Number of followers, updated once a day."""

    verified: Maybe[bool] = UNSET
    """True when the network has verified the account."""

    profile_link: Maybe[str] = UNSET
    """URL of the profile."""

    avatar_link: Maybe[str] = UNSET
    """URL of the picture."""

    social_id: Maybe[str] = UNSET
    """The network's own identifier of the account."""

    pi_boards: Maybe[list[PinterestBoard]] = UNSET
    """Boards of a Pinterest account."""

    pi_default_board_id: Maybe[str] = UNSET
    """Board used when none is chosen."""

    pi_default_section_id: Maybe[str] = UNSET
    """Section used when none is chosen."""

    ig_shopping_product_tag_eligibility: Maybe[bool] = UNSET
    """True when the account may mark products on Instagram."""

    yt_playlists: Maybe[list[str]] = UNSET
    """Playlists of a YouTube account."""

    yt_categories: Maybe[list[str]] = UNSET
    """Categories of a YouTube account."""

    connection_expired_at: Maybe[AwareDatetime] = UNSET
    """When the connection expires. When it is not null, the connection must be refreshed by hand,
    also while the moment lies in the future (assumed).
    """

    external_sync_enabled: Maybe[bool] = UNSET
    """True brings posts published outside the service into it."""

    created_at: Maybe[AwareDatetime] = UNSET
    """When the account was created."""

    user: Maybe[User] = UNSET
    """User who connected it, where an operation gives it (assumed)."""


class Label(ResponseModel, kw_only=True):
    """A tag for posts."""

    id: str
    """Identifier of the label."""

    organization_id: Maybe[str] = UNSET
    """Organization that owns the label."""

    group_id: Maybe[str] = UNSET
    """Group to which the label is limited; null offers it in all groups."""

    name: Maybe[str] = UNSET
    """Name of the label."""

    color: Maybe[Color] = UNSET
    """Colour of the label."""


class Media(ResponseModel, kw_only=True):
    """A stored file that posts can show."""

    id: str
    """Identifier of the file."""

    organization_id: Maybe[str] = UNSET
    """Organization that owns the file."""

    user_id: Maybe[str] = UNSET
    """User who uploaded the file."""

    media_folder_id: Maybe[str] = UNSET
    """Folder that holds it."""

    is_media_library: Maybe[bool] = UNSET
    """True for a file that belongs to the media library."""

    type: Maybe[MediaType] = UNSET
    """Kind of file."""

    url: Maybe[str] = UNSET
    """URL of the file."""

    client_name: Maybe[str] = UNSET
    """Client name of the file."""

    file_name: Maybe[str] = UNSET
    """File name."""

    mime_type: Maybe[str] = UNSET
    """MIME type of the file."""

    extension: Maybe[str] = UNSET
    """Extension of the file name."""

    size: Maybe[int] = UNSET
    """Size of the file in bytes (assumed)."""

    thumbnail: Maybe[str] = UNSET
    """Small picture of the file."""

    preview: Maybe[str] = UNSET
    """Larger picture of the file."""

    width: Maybe[int] = UNSET
    """Width of the picture or video."""

    height: Maybe[int] = UNSET
    """Height of the picture or video."""

    aspect_ratio: Maybe[float] = UNSET
    """Proportion of width and height."""

    duration: Maybe[float] = UNSET
    """Playing time in seconds (assumed)."""

    fps: Maybe[float] = UNSET
    """Frames per second of a video."""

    video_thumbnail_frame: Maybe[str] = UNSET
    """Cover picture taken from the video."""

    video_thumbnail_custom: Maybe[str] = UNSET
    """Cover picture supplied for the video."""

    video_thumbnail_time: Maybe[float] = UNSET
    """Moment of the video that the cover shows, in seconds (assumed)."""

    page_count: Maybe[int] = UNSET
    """How many pages a PDF has."""

    page_previews: Maybe[list[str]] = UNSET
    """Pictures of the pages."""

    conversions: Maybe[list[str]] = UNSET
    """Converted versions of the file."""

    pivot_alt_text: Maybe[list[str]] = UNSET
    """Alternative texts of the file where it is used."""

    alt_text: Maybe[str] = UNSET
    """Alternative text of the file."""

    note: Maybe[str] = UNSET
    """Note on the file."""

    origin: Maybe[MediaOrigin] = UNSET
    """Where the file came from."""

    is_processing: Maybe[bool] = UNSET
    """True while the service is still processing the file."""

    is_converted: Maybe[bool] = UNSET
    """True when the file was changed so that the networks accept it."""

    created_at: Maybe[AwareDatetime] = UNSET
    """When the file was stored."""

    updated_at: Maybe[AwareDatetime] = UNSET
    """When the file was last changed."""
