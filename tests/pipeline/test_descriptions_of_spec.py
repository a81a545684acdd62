"""Every description of `spec/` has the words of its section: a reading of a name is no statement.

`specification-words.yaml` has the words of each section, taken from the specification itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from pipeline.openapi.bundle import bundle
from tests.support import yamls

ROOT = Path(__file__).parents[2]
WORDS = {
    section: set(words.split())
    for section, words in yamls.read(
        Path(__file__).with_name("specification-words.yaml").read_text(encoding="utf-8")
    ).items()
}
ALSO = {"4.1": ("2.2", "3"), "4.1.1": ("2.2", "2.2.1", "3"), "4.2": ("2.6",), "4.3": ("2.7",)} | {
    "4.4": ("2.9", "5"), "4.5": ("2.10",), "4.6": ("2.12",), "4.7": ("2.11", "3"),
    "2.12": ("3", "4.6"),
}  # fmt: skip
"""Where else a section's fields are described: what is written, where it is read."""
REFUSALS = ("5", "7", "8")
"""Where the responses that refuse a request are described, whatever it asks for."""

GLUE = """
about address after alone already also alternative anew another attention average away because
been before being belongs besides came cannot change code colour come compare count create
documented does done downloads each else enough entries equality every exactly fault file first
flag follows form found fourth from give goes grows hand have hold hour identifier identifiers
instagram integers integration into itself keeps kind larger largest last latter leaves licence
limit list mail make many matter matters meaning mentions navigation need network next nobody
number offers once only operation over passed pinterest plans post previous read record refers
refused relation replace reserved respond response second seconds sees send sent service sets
since size state stay still successful such sunday tags takes targeted task telephone text that
their them then there these they third this those time token true tube under unit unless user
valid values wait wanted week were what when where whether which while whole whose with without
work workflow written wrote
"""
"""Words that every text needs, spellings (colour, licence), and names of networks."""
ENDS = ("ications", "ication", "ations", "ation", "ying", "ies", "ied", "ing", "ed", "es", "er")


def stem(word: str) -> str:
    for end in (*ENDS, "s", "e", "y", "d"):
        if word.endswith(end) and len(word) - len(end) >= 3:
            return word[: -len(end)]
    return word


def stems(text: str) -> dict[str, str]:
    """The words of a text, and those inside its names, by their stems."""
    spaced = re.sub(r"([a-z])([A-Z])", r"\1 \2", text).replace("_", " ")
    return {stem(word.lower()): word for word in re.findall(r"[A-Za-z]{4,}", spaced)}


COMMON = {*stems(GLUE)}
REFUSED = re.compile(r"\.responses\.[45]")


def texts(node: Any, section: str = "", place: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield each description and summary with its section and its place."""
    if isinstance(node, Mapping):
        section = str(node.get("x-section", section))
        for name, value in node.items():
            if name in ("description", "summary") and isinstance(value, str):
                yield section, f"{place}.{name}", value
            elif not name.startswith("x-") and name not in ("example", "examples"):
                yield from texts(value, section, f"{place}.{name}")
    elif isinstance(node, list):
        for value in node:
            yield from texts(value, section, place)


def foreign(section: str, place: str, text: str) -> list[str]:
    """The words of a description that its section and the names around it do not have."""
    cited = re.findall(r"§([0-9][0-9.]*[0-9]|[0-9])", text)
    also = (*ALSO.get(section, ()), *(REFUSALS if REFUSED.search(place) else ()))
    sections = [section, *also, *cited] if section else [*WORDS]
    known = COMMON.union({*stems(place)}, *(WORDS.get(each, set()) for each in sections))
    return [word for stem_, word in stems(text).items() if stem_ not in known]


@pytest.mark.parametrize("name", ["main", "media"])
def test_a_description_has_the_words_of_its_section(name: str) -> None:
    document = bundle(ROOT / "spec" / f"{name}.yaml").data
    found = [
        f"§{section or '?'} {place}: {', '.join(words)}"
        for section, place, text in texts(document)
        if (words := foreign(section, place, text))
    ]
    assert not found, (
        "say it in the words of the section, or put the section's new words into "
        f"tests/pipeline/specification-words.yaml: {found}"
    )


@pytest.mark.parametrize("name", ["main", "media"])
def test_what_lint_proposes_for_an_operation_has_the_words_of_its_section(name: str) -> None:
    """Lint proposes the refusals that others have, in their words."""
    document = json.loads((ROOT / f"generated/openapi/{name}.json").read_text(encoding="utf-8"))
    refusals = [each for each in texts(document) if REFUSED.search(each[1]) and each[0]]
    assert refusals
    assert not [(*each, words) for each in refusals if (words := foreign(*each))]
