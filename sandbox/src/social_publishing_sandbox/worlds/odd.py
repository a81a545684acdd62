"""The small world with texts that break pages: long words, markup, turned lines, controls."""

from __future__ import annotations

from itertools import count, cycle
from pathlib import PurePath
from typing import Final

from social_publishing_sandbox.state.behaviour.text import link_preview
from social_publishing_sandbox.state.documents import Json

_TEXTS: Final = (
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 3,
    "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">",
    "Ends \u202ethgir ot tfel\u202c, rings \a, turns \x1b[31mred\x1b[0m, hides \x9b2J",
    "=HYPERLINK(\"https://attacker.example\",\"a sum\")",
    "إطلاق المجموعة الجديدة من منتجاتنا في جميع الفروع الأسبوع القادم بإذن الله",
    "👩🏽‍🚀👨‍👩‍👧‍👦🏳️‍🌈" * 25,
    "Z̸̢̛̘͎a̷̡̯̐l̸̙̊g̶̳̈́o̵̬̓ stands over and under its line",
    "A line\r\nand another\tand a tab, {{ 7 * 7 }}, ${7*7}, %s, ';--, \\, NULL, &amp;",
    "https://example.com/" + "a-path-without-an-end/" * 12,
    " \u00a0 begins and ends with spaces \u2003 ",
    "0",
)  # fmt: skip
# The longest text of a field: where the service names no limit, as long as people make them.
_FIELDS: Final[dict[str, dict[str, int]]] = {
    "users": {"name": 80, "phone": 40},
    "groups": {"name": 50, "note": 500},
    "social_accounts": {"name": 120, "username": 120},
    "labels": {"name": 120},
    "media": {"client_name": 200},
    "posts": {"name": 300, "note": 500, "content": 2000, "pi_pin_title": 100, "gb_event_title": 58},
    "calendar_notes": {"title": 100, "content": 500},
}


def made_odd(world: Json) -> None:
    """Put odd texts in the place of what people wrote in a complete world."""
    texts, number = cycle(_TEXTS), count()
    for kind, limits in _FIELDS.items():
        for entry in world[kind]:
            before = entry.get("content")
            for field, limit in limits.items():
                if field in entry:
                    kind_of_file = PurePath(entry[field]).suffix if field == "client_name" else ""
                    end = f" {next(number)}{kind_of_file}"  # so that no two texts are the same
                    entry[field] = next(texts)[: limit - len(end)] + end
            for detail in entry.get("details", ()):
                if "content" in detail and detail["content"] == before:
                    detail["content"] = entry["content"]
                    detail.pop("link_preview", None)
                    if preview := link_preview(entry["content"]):
                        detail["link_preview"] = {**preview, "title": next(texts)}
