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

    id: Maybe[str] = UNSET
    name: Maybe[str] = UNSET
    privacy: Maybe[str] = UNSET
    description: Maybe[str] = UNSET
    image_cover_url: Maybe[str] = UNSET
    sections: Maybe[list[dict[str, Any]]] = UNSET


class User(ResponseModel, kw_only=True):
    """A person in the organization.

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

    id: str
    inviter_id: Maybe[str] = UNSET
    organization_id: Maybe[str] = UNSET
    name: Maybe[str] = UNSET
    email: Maybe[str] = UNSET
    phone: Maybe[str] = UNSET
    role: Maybe[UserRole] = UNSET
    is_client: Maybe[bool] = UNSET
    can_approve: Maybe[bool] = UNSET
    can_connect_account: Maybe[bool] = UNSET
    can_access_all_groups: Maybe[bool] = UNSET
    self_approval: Maybe[bool] = UNSET
    time_format_24: Maybe[bool] = UNSET
    open_cu_links_in_app: Maybe[bool] = UNSET
    week_start_day: Maybe[Weekday] = UNSET
    date_format: Maybe[int] = UNSET
    color: Maybe[int] = UNSET
    avatar: Maybe[str] = UNSET
    invited_at: Maybe[AwareDatetime] = UNSET
    created_at: Maybe[AwareDatetime] = UNSET
    group_ids: Maybe[list[str]] = field(default=UNSET, name="groupIds")


class SocialAccount(ResponseModel, kw_only=True):
    """An account on a network that is connected to the service.

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

    id: str
    social_network: Maybe[Network] = field(default=UNSET, name="socialNetwork")
    organization_id: Maybe[str] = UNSET
    user_id: Maybe[str] = UNSET
    group_id: Maybe[str] = UNSET
    name: Maybe[str] = UNSET
    custom_name: Maybe[str] = UNSET
    username: Maybe[str] = UNSET
    headline: Maybe[str] = UNSET
    followers_count: Maybe[int] = UNSET
    verified: Maybe[bool] = UNSET
    profile_link: Maybe[str] = UNSET
    avatar_link: Maybe[str] = UNSET
    social_id: Maybe[str] = UNSET
    pi_boards: Maybe[list[PinterestBoard]] = UNSET
    pi_default_board_id: Maybe[str] = UNSET
    pi_default_section_id: Maybe[str] = UNSET
    ig_shopping_product_tag_eligibility: Maybe[bool] = UNSET
    yt_playlists: Maybe[list[str]] = UNSET
    yt_categories: Maybe[list[str]] = UNSET
    connection_expired_at: Maybe[AwareDatetime] = UNSET
    external_sync_enabled: Maybe[bool] = UNSET
    created_at: Maybe[AwareDatetime] = UNSET
    user: Maybe[User] = UNSET


class Label(ResponseModel, kw_only=True):
    """A tag for posts.

    Attributes:
        id: Identifier of the label.
        organization_id: Organization that owns the label.
        group_id: Group to which the label is limited; null offers it in all groups.
        name: Name of the label.
        color: Colour of the label.
    """

    id: str
    organization_id: Maybe[str] = UNSET
    group_id: Maybe[str] = UNSET
    name: Maybe[str] = UNSET
    color: Maybe[Color] = UNSET


class Media(ResponseModel, kw_only=True):
    """A stored file that posts can show.

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

    id: str
    organization_id: Maybe[str] = UNSET
    user_id: Maybe[str] = UNSET
    media_folder_id: Maybe[str] = UNSET
    is_media_library: Maybe[bool] = UNSET
    type: Maybe[MediaType] = UNSET
    url: Maybe[str] = UNSET
    client_name: Maybe[str] = UNSET
    file_name: Maybe[str] = UNSET
    mime_type: Maybe[str] = UNSET
    extension: Maybe[str] = UNSET
    size: Maybe[int] = UNSET
    thumbnail: Maybe[str] = UNSET
    preview: Maybe[str] = UNSET
    width: Maybe[int] = UNSET
    height: Maybe[int] = UNSET
    aspect_ratio: Maybe[float] = UNSET
    duration: Maybe[float] = UNSET
    fps: Maybe[float] = UNSET
    video_thumbnail_frame: Maybe[str] = UNSET
    video_thumbnail_custom: Maybe[str] = UNSET
    video_thumbnail_time: Maybe[float] = UNSET
    page_count: Maybe[int] = UNSET
    page_previews: Maybe[list[str]] = UNSET
    conversions: Maybe[list[str]] = UNSET
    pivot_alt_text: Maybe[list[str]] = UNSET
    alt_text: Maybe[str] = UNSET
    note: Maybe[str] = UNSET
    origin: Maybe[MediaOrigin] = UNSET
    is_processing: Maybe[bool] = UNSET
    is_converted: Maybe[bool] = UNSET
    created_at: Maybe[AwareDatetime] = UNSET
    updated_at: Maybe[AwareDatetime] = UNSET
