"""Before the plan: the brand, its accounts, its calendar notes, its files."""

from __future__ import annotations

import asyncio
import functools
import io
import tempfile
import threading
import warnings
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx2
from PIL import Image
from social_publishing import AssumedNameWarning
from social_publishing.models import CalendarNote, Media, SocialAccount

from demo import stage
from demo.month import ACCOUNTS
from demo.scene import Scene, given


def brand(scene: Scene) -> None:
    """Describe the group, move an account into it, and show all accounts."""
    client, out, group_id = scene.client, scene.out, scene.stage.group_id
    out.heading("The brand", scene.now)
    group = client.groups.update(group_id, note="December: warm, brief, no puns.")
    out.fact("group", f"{group.name}, {group.timezone}; every post needs an approval")
    client.social_accounts.move_to_group(scene.stage.stray_account_id, group_id=group_id)
    out.fact("moved", f"Bluesky, which was connected in {scene.stage.other_group} by mistake")
    ids = [each.id for each in given(client.groups.get(group_id).social_accounts)]
    accounts = asyncio.run(_accounts(scene, ids))
    scene.accounts = {each.social_network: each.id for each in accounts}
    accounts.sort(key=lambda each: -given(each.followers_count))
    shown = " · ".join(f"{_title(each)} {given(each.followers_count):,}" for each in accounts)
    out.fact("accounts", shown)


async def _accounts(scene: Scene, ids: Sequence[str]) -> list[SocialAccount]:
    async with scene.async_client() as client:
        return await asyncio.gather(*(client.social_accounts.get(each) for each in ids))


def _title(account: SocialAccount) -> str:
    return ACCOUNTS[account.social_network].title


def notes(scene: Scene) -> None:
    """Move one note of the calendar, rewrite one, and delete a series."""
    client, out = scene.client, scene.out
    found = {each.title: each for each in _december(scene)}
    shoot, tasting, market = found["Photo shoot"], found["Tasting"], found["Street market"]
    two_days = timedelta(days=2)
    moved = client.calendar_notes.reschedule(
        shoot.id,
        start_date=shoot.start_date + two_days,
        end_date=shoot.end_date + two_days,
    )
    client.calendar_notes.replace(
        tasting.id,
        title="Tasting, sold out",
        start_date=tasting.start_date,
        end_date=tasting.end_date,
        group_id=given(tasting.group_id),
        content="Twelve seats, fourteen names.",
        color=tasting.color,
        is_private=tasting.is_private,
        visible_for_client=tasting.visible_for_client,
    )
    with warnings.catch_warnings(action="ignore", category=AssumedNameWarning):
        client.calendar_notes.delete(market.id, related_notes=True)  # this sandbox knows the name
    titles = [each.title for each in _december(scene)]
    scene.checks["a series of notes gone as a whole"] = market.title not in titles
    out.fact(
        "notes",
        f"{moved.title} moved to {scene.local(moved.start_date)}; the weekly {market.title} is off",
    )


def _december(scene: Scene) -> list[CalendarNote]:
    return scene.client.calendar_notes.list(
        start=datetime(2026, 12, 1, tzinfo=scene.zone),
        end=datetime(2027, 1, 1, tzinfo=scene.zone),
        group_id=scene.stage.group_id,
    )


def files(scene: Scene) -> None:
    """Upload two files, have one fetched from a website, and read all of them back."""
    out = scene.out
    out.heading("The files", scene.now)
    # The sandbox's time passes only on request; with the service, no other clock is needed.
    client = scene.client.with_clock(stage.StageClock(scene.sandbox))
    with tempfile.TemporaryDirectory(prefix="demo-") as folder:
        paths = stage.draw_files(Path(folder), scene.seed)
        for name in ("menu.png", "roaster.avi"):
            media = scene.files[name] = client.media.upload(file=paths[name], wait=True)
            out.fact("uploaded", f"{name:<12}{_facts(media)}{_thumbnail(media)}")
        with _website(folder) as address:
            media = client.media.upload_from_url(file_url=f"{address}/shop.png", wait=True)
            scene.files["shop.png"] = media
            out.fact("fetched", f"{'shop.png':<12}{_facts(media)}; from the brand's own website")
        served = {name: _download(given(media.url)) for name, media in scene.files.items()}
        same = all(served[name] == paths[name].read_bytes() for name in paths)
    scene.checks["files served back byte for byte"] = same


def _facts(media: Media) -> str:
    size = f"{given(media.width)} × {given(media.height)}, {given(media.size) / 1024:,.0f} KB"
    return f"{size}, {media.duration:g} s, {media.fps:g} fps" if media.duration else size


def _thumbnail(media: Media) -> str:
    """Describe the thumbnail that the service made of a file, if there is one."""
    if not media.thumbnail:
        return ""
    content = _download(media.thumbnail)
    width, height = Image.open(io.BytesIO(content)).size
    return f"; thumbnail {width} × {height}, {len(content) / 1024:,.0f} KB"


def _download(url: str) -> bytes:
    response = httpx2.get(url, trust_env=False)
    response.raise_for_status()
    return response.content


@contextmanager
def _website(folder: str) -> Generator[str, None, None]:
    """Serve the folder as the brand's website; yield its address."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            """Write nothing: the terminal belongs to the demo."""

    handler = functools.partial(Quiet, directory=folder)
    with ThreadingHTTPServer((stage.HOST, 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://{stage.HOST}:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
