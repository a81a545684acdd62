"""Every error of the client and of the command has an exit status that this table says, too."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import social_publishing

import social_publishing_cli
from social_publishing_cli import statuses

TABLE = {
    1: (
        "SocialPublishingError ExchangeError TransportError ConnectionFailed RequestTimedOut "
        "DeadlineExceeded ProcessingFailed PagingError ResponseTooLarge DecodeError DriftError "
        "ServerError PlanError RehearsalError JournalError FormatError TargetError "
        "ProfileError SandboxTimeError SandboxInUseError WorkbookError SheetError Problem Stopped"
    ),
    2: "ArgumentError UsageError ColumnError FilterError SourceError UnknownNameError",
    3: "NotFoundError MissingError",
    4: (
        "StatusError BadRequestError ConflictError PayloadTooLargeError "
        "UnsupportedMediaTypeError UnprocessableEntityError"
    ),
    5: "AuthenticationError PermissionDeniedError SignInError ConfigurationError",
    6: "RateLimitError RateLimitReached",
    7: "OutcomeUnknown",
    8: "PartialFailure PartlyDoneError",
    9: "StalePlanError",
    130: "KeyboardInterrupt Abort",
}
STATUS_OF = {name: status for status, names in TABLE.items() for name in names.split()}


def errors() -> Iterator[type[BaseException]]:
    """Yield the public errors of both packages, and those of others that end a command."""
    yield from (KeyboardInterrupt, click.Abort, click.UsageError)
    found = [{name: getattr(social_publishing, name) for name in social_publishing.__all__}]
    for each in pkgutil.walk_packages(social_publishing_cli.__path__, "social_publishing_cli."):
        if not each.name.endswith("__main__"):
            found.append(vars(importlib.import_module(each.name)))
    for names in found:
        for name, value in sorted(names.items()):
            is_error = isinstance(value, type) and issubclass(value, BaseException)
            is_ours = str(getattr(value, "__module__", "")).startswith("social_publishing")
            if is_error and is_ours and not issubclass(value, Warning) and name[0] != "_":
                yield value


ERRORS = {f"{each.__module__}.{each.__name__}": each for each in errors()}


@pytest.mark.parametrize("name", ERRORS)
def test_the_exit_status_of_an_error(name: str) -> None:
    kind = ERRORS[name]
    usual = {"__init__": lambda self: None, "may_be_done": False, "status": 400}
    unsure = usual | {"may_be_done": True}
    expected = STATUS_OF[kind.__name__]
    assert statuses.status_of(type("Own", (kind,), usual)()) == expected
    # What may have been done comes first; a failure of several requests says it by itself.
    assert statuses.status_of(type("Own", (kind,), unsure)()) == (8 if expected == 8 else 7)


def test_the_table_has_nothing_else() -> None:
    assert STATUS_OF.keys() - {each.__name__ for each in ERRORS.values()} == set()


@pytest.mark.parametrize(
    ("status", "expected"), [(399, 1), (400, 4), (499, 4), (500, 1), (302, 1), (304, 1)]
)
def test_only_a_refusal_is_one(status: int, expected: int) -> None:
    members = {"__init__": lambda self: None, "may_be_done": False, "status": status}
    error = type("Own", (social_publishing.StatusError,), members)()
    assert statuses.status_of(error) == expected


def test_the_statuses_are_those_of_help_and_page() -> None:
    page = (Path(__file__).parents[2] / "docs/command-line.md").read_text(encoding="utf-8")
    rows = {int(each) for each in re.findall(r"^\| (\d+) \|", page, re.M)}
    assert rows == {0, *TABLE}
    assert {int(each) for each in re.findall(r"^(\d+) ", str(statuses.__doc__), re.M)} == rows
