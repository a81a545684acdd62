"""The service itself, read through the client and held against the documents.

`nox -s contract -- --target live`, with the token, both base addresses and one or several groups in
the environment. Only reads leave, unless `--allow-writes` is given; see `harness/live.py`.
"""

from __future__ import annotations

import itertools
import os
import re
import warnings
from collections import Counter
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from social_publishing import SocialPublishing, SocialPublishingError

from harness.failures import ContractFailure, failure
from harness.live import (
    GROUPS,
    VARIABLES,
    WRITES,
    Received,
    Survey,
    Unusable,
    guarded,
    read,
    read_nothing,
    write_back,
)
from harness.options import Options
from harness.response_reader import Undocumented, together
from harness.weighing import general, leads, weighed, written
from pipeline.evidence import Report, page
from pipeline.evidence.report import entry
from social_publishing_sandbox.recording import Recorder, RecordingError
from tests.support.documents import operations

pytestmark = pytest.mark.target("live")

OPERATIONS = operations()


@pytest.fixture(scope="module")
def survey(options: Options) -> Survey:
    """What the service answered; it is asked once, for all tests."""
    try:
        return surveyed(*environment(), options)
    except (Unusable, SocialPublishingError, RecordingError, OSError) as error:
        pytest.exit(f"The service cannot be tested. {error}", 2)


@pytest.fixture(scope="module")
def report(survey: Survey, options: Options) -> Report:
    """What its responses are evidence of."""
    found = weighed(survey.exchanges, survey.addresses)
    options.keep(page(found, survey.missing))
    return found


@pytest.fixture(scope="module")
def shown() -> dict[str, str]:
    """The overlays that were shown, and for which operation."""
    return {}


def environment() -> tuple[str, ...]:
    """Return the token, both base addresses, and the groups.

    Raises:
        Unusable: some of them are missing.
    """
    missing = [name for name in VARIABLES if not os.environ.get(name)]
    if missing:
        raise Unusable(f"--target live needs these in the environment: {', '.join(missing)}.")
    return tuple(os.environ[name] for name in VARIABLES)


def surveyed(token: str, base_url: str, media_url: str, groups: str, options: Options) -> Survey:
    """Ask the service.

    Raises:
        Unusable, SocialPublishingError: there is no service that can be asked.
        RecordingError, OSError: it cannot be recorded.
    """
    found = Survey()
    identifiers = [each.strip() for each in groups.split(",")]
    if not all(re.fullmatch("[0-9]{1,20}", each) for each in identifiers):
        raise Unusable(f"{GROUPS}: {groups!r} is no list of identifiers, with commas between")
    with ExitStack() as stack:
        if options.record is not None:
            there = stack.enter_context(_recorded(base_url, media_url, options.record))
            base_url, media_url = there.base_url, there.media_url
        found.addresses = {"main": base_url, "media": media_url}
        found.client = stack.enter_context(
            SocialPublishing(
                api_token=token,
                base_url=base_url,
                media_url=media_url,
                deadline=300,
                middleware=[found.watch],
                http_client=stack.enter_context(guarded(options.allow_writes)),
            )
        )
        for group_id in identifiers:
            group, posts, notes = read(found, group_id)
            if options.allow_writes:
                write_back(found, group, posts, notes)
            else:
                found.missing |= dict.fromkeys(WRITES, "--allow-writes was not given")
        read_nothing(found)
    return found


@contextmanager
def _recorded(base_url: str, media_url: str, folder: Path) -> Generator[Recorder]:
    """Record into a file that does not exist yet; none is left where nothing came."""
    names = (f"live-{number}" for number in itertools.count(1))
    name = next(each for each in names if not (folder / f"{each}.yaml").exists())
    with Recorder(base_url, media_url, folder, name=name) as there:
        try:
            yield there
        finally:
            if not there.recorded:
                there.path.unlink()


@pytest.mark.parametrize("identifier", OPERATIONS)
def test_what_the_service_responds_is_documented(
    identifier: str, survey: Survey, report: Report, shown: dict[str, str]
) -> None:
    """And what is assumed of it holds; what never succeeds, or never comes, is a failure."""
    received = [each for each in survey.received if each.operation.id == identifier]
    if silent := survey.silent.get(identifier):
        raise ContractFailure("\n".join(("No response of the service came.", *silent)))
    if not received:
        pytest.skip(survey.missing[identifier])
    for news in together(news for each in received for news in each.news):
        warnings.warn(f"{received[0].operation}: {news}", Undocumented, stacklevel=1)
    found = "\n".join(filter(None, (disagreement(received), leads(report, identifier, shown))))
    if found:
        raise ContractFailure(found)


def test_what_holds_for_the_whole_service(report: Report) -> None:
    """And is no fault of each operation, such as the unit of the rate headers."""
    if found := general(report):
        raise ContractFailure(found)


def disagreement(received: list[Received]) -> str:
    """All in which the responses to an operation are not what the documents say, as one failure."""
    wrong = [each for each in received if each.problems or each.misread]
    if not wrong:
        return ""
    first = wrong[0]
    problems = together(each for each in wrong for each in each.problems)
    title = (
        "What the service responds is not what the documents say."
        if problems
        else "What the client makes of the response is not what came."
    )
    found = failure(
        first.operation,
        title=f"{title}\n{first.request} answered {first.status}"
        + (f", and so did {len(wrong) - 1} more." if len(wrong) > 1 else "."),
        call=first.call,
        expected=[f"{each.place}: {each.documented}" for each in problems] or "what came",
        came=[f"{each.place}: {each.came}" for each in problems] or first.misread,
        place=written(first.operation, first.status),
    )
    return str(found)


def test_what_was_written_has_changed_nothing(survey: Survey, options: Options) -> None:
    if not options.allow_writes:
        pytest.skip("nothing was written: --allow-writes was not given")
    if survey.changed:
        raise ContractFailure(
            "Nothing else was written than what was read, and yet it is not as it was:\n\n"
            + "\n".join(f"  {each}" for each in survey.changed)
        )


def test_what_was_covered_is_reported(
    survey: Survey, report: Report, capsys: pytest.CaptureFixture[str]
) -> None:
    """Which operations were asked for, what they answered, and why others were not."""
    with capsys.disabled():
        print("\n\nanswers of the service")
        for identifier in OPERATIONS:
            came = Counter(e.status for e in survey.received if e.operation.id == identifier)
            counts = ", ".join(f"{status} × {times}" for status, times in sorted(came.items()))
            never = counts and not any(200 <= status < 300 for status in came)
            counts += "; it never succeeded" if never else ""
            print(f"  {identifier:24}{counts or 'not asked: ' + survey.missing[identifier]}")
        nulls = (each for each in report.verdicts if each.gap.shown_by and each.seen)
        print(*(line for each in nulls for line in entry(report, each, 110)), sep="\n")
    assert survey.received
