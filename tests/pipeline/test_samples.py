"""Code samples for other tools: what curl is given, once a shell has read them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from generate_support import CASES, config_of, operation, operations, project

from pipeline.config import Config
from pipeline.steps import generate

VARIABLES = {
    "SAMPLE_BASE_URL": "https://a.invalid/v1",
    "SAMPLE_API_TOKEN": "token",
    "SAMPLE_LOGIN": "ann:pass word",
    "SAMPLE_QUERY_KEY": "k",
    "SAMPLE_COOKIE_KEY": "c",
    "SAMPLE_ODD": "o",
}


def given_to_curl(config: Config) -> dict[str, list[str]]:
    """The arguments of curl, by operation."""
    document = json.loads(generate(config)[0]["openapi/plain/document.json"])
    found = {}
    for item in document["paths"].values():
        for each in item.values():
            sample = each["x-codeSamples"][0]["source"]
            ended = subprocess.run(
                ["bash", "-uc", f"""curl() {{ printf '%s\\n' "$@"; }}\n{sample}"""],
                env=VARIABLES,
                capture_output=True,
                text=True,
                check=True,
            )
            found[each["operationId"]] = ended.stdout.splitlines()
    return found


@pytest.fixture(scope="module")
def secured() -> dict[str, list[str]]:
    return given_to_curl(config_of(CASES / "security"))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("listBoxes", ["https://a.invalid/v1/boxes", "-H", "Authorization: Bearer token"]),
        ("cleanBoxes", ["-X", "PUT", "https://a.invalid/v1/boxes"]),
        ("addBox", ["-X", "POST", "https://a.invalid/v1/boxes?key=k", "-b", "session=c"]),
        ("moveBoxes", ["-X", "PATCH", "https://a.invalid/v1/boxes?key=k"]),
        ("dropBoxes", ["-X", "DELETE", "https://a.invalid/v1/boxes", "-u", "ann:pass word"]),
    ],
)
def test_each_kind_of_credential(secured: dict[str, list[str]], name: str, said: list[str]) -> None:
    assert secured[name] == [*said, "-H", "Accept: application/json"]


def test_a_cookie_beside_that_of_a_credential(secured: dict[str, list[str]]) -> None:
    found = [secured["look"][at + 1] for at, each in enumerate(secured["look"]) if each == "-b"]
    assert found == ["session=c", "seen=a+b"]


def test_what_a_shell_would_read_is_quoted(tmp_path: Path) -> None:
    data = operations({"/a$HOME/`b`?c=d": {"get": operation(security=[{"odd": []}])}})
    odd = {"type": "apiKey", "in": "header", "name": "X-$HOME`!"}
    data["components"]["securitySchemes"] = {"odd": odd}
    data["paths"]["/e?f"] = {"get": operation("other", security=[{"queryKey": []}])}
    key = {"type": "apiKey", "in": "query", "name": "the key"}
    data["components"]["securitySchemes"]["queryKey"] = key
    found = given_to_curl(project(tmp_path, data))
    assert found["listThings"][:3] == [
        "https://a.invalid/v1/a$HOME/`b`?c=d",
        "-H",
        "X-$HOME`!: o",
    ]
    assert found["other"][0] == "https://a.invalid/v1/e?f&the%20key=k"
