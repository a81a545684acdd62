"""Recorded traffic against the documents, and through both clients again.

The recordings of this project were made with the sandbox (`recording.py`). Yours, of the real
service, are replayed by `nox -s contract -- --target replay DIR`.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from harness.failures import ContractFailure, failure
from harness.options import Options
from harness.replay import NotKept, NotReplayed, Recorded, files, leaving, play, recorded
from harness.response_checks import misread
from harness.response_reader import Undocumented, additions, disagreements, together
from harness.service import SIDES, Side
from harness.weighing import leads, written
from harness.weighing import recorded as weighed
from pipeline.evidence import page
from pipeline.openapi.problems import PipelineError
from recording import FOLDER, UPDATE, write
from social_publishing_sandbox.recording import Interaction, RecordingError, Replayer, load
from social_publishing_sandbox.recording.addresses import Address, Addresses
from social_publishing_sandbox.recording.scenario import save
from tests.support.documents import Operation, operations
from tests.support.wire import short

pytestmark = [
    pytest.mark.target("replay"),
    pytest.mark.filterwarnings(r"ignore:(posts|calendar_notes)\.delete"),
]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test for each recording of the folder that was asked for."""
    if "file" in metafunc.fixturenames:
        _, *rest = metafunc.config.getoption("--target")
        found = files(Path(rest[0]) if rest else FOLDER)
        metafunc.parametrize("file", found, ids=[each.stem for each in found])


@pytest.fixture
def traffic(file: Path) -> list[Recorded]:
    """What is in a recording; where it cannot be read, another test says so."""
    try:
        return recorded(file)
    except RecordingError:
        pytest.skip(f"{file.name} cannot be read")


# Against the documents


def test_there_is_something_to_replay(options: Options) -> None:
    folder = options.folder or FOLDER
    if not files(folder):
        raise ContractFailure(f"{folder} contains no recording: no file there ends in .yaml.")


def test_a_recording_can_be_read(file: Path) -> None:
    try:
        found = recorded(file)
    except RecordingError as error:
        raise ContractFailure(f"This recording is damaged. {error}") from None
    if not found:
        raise ContractFailure(f"{file}: nothing was recorded.")
    for each in found:
        if each.lost:
            warnings.warn(f"{each} is not replayed: {each.lost}", NotReplayed, stacklevel=1)


def test_what_was_asked_for_is_documented(file: Path, traffic: list[Recorded]) -> None:
    """What the service refused may be anything; what it carried out, the documents must know."""
    unknown = [each for each in traffic if each.unlike and each.status < 400]
    if unknown:
        raise ContractFailure(
            "The service carried out what the client of these documents never asks for.\n\n"
            + "\n".join(
                f"  {each} answered {each.status}\n"
                + "".join(f"      {reason}\n" for reason in each.unlike)
                for each in unknown
            )
            + _ours(file.parent)
        )


def test_what_was_answered_is_documented(
    file: Path, traffic: list[Recorded], options: Options
) -> None:
    def check(found: Recorded, operation: Operation) -> None:
        try:
            headers, body = found.interaction.response.headers, found.body()
        except NotKept:
            return
        if options.folder is not None:
            for each in together(additions(operation, found.status, body)):
                warnings.warn(f"{found}: {each}", Undocumented, stacklevel=1)
        problems = together(disagreements(operation, found.status, headers, body))
        if problems:
            raise _failure(
                found,
                "The response is not what the documents say.",
                expected=[f"{each.place}: {each.documented}" for each in problems],
                came=[f"{each.place}: {each.came}" for each in problems],
                place=written(operation, found.status),
            )

    _each(traffic, check)


def test_nothing_is_against_the_documents_or_the_assumptions(options: Options) -> None:
    """All recordings together: what they refute, and what would be true instead."""
    try:
        report = weighed([file for file in files(options.folder or FOLDER) if _is_whole(file)])
    except PipelineError as error:
        pytest.skip(str(error))  # other tests say what is wrong with the files
    options.keep(page(report, {}))
    if found := leads(report):
        title = "The service does something else than is documented or assumed."
        raise ContractFailure(f"{title}\n\n{found}{_ours(options.folder or FOLDER)}")


def _is_whole(file: Path) -> bool:
    try:
        return bool(recorded(file))
    except RecordingError:
        return False


# Through the clients


@pytest.mark.parametrize("side", SIDES)
def test_the_client_sends_what_was_recorded(
    file: Path, traffic: list[Recorded], side: Side
) -> None:
    def check(found: Recorded, operation: Operation) -> None:
        if found.refused:
            raise _failure(
                found,
                "The client refuses what the documents allow, and what was sent.",
                expected="a request",
                came=found.refused,
            )
        if found.call is None:
            return
        _, problems = leaving(found, found.call, side)
        if problems:
            raise _failure(
                found,
                f"What leaves the {side} client is not what was recorded.",
                expected=json.dumps(found.seen.values, ensure_ascii=False),
                came=problems,
            )

    _each(traffic, check)


@pytest.mark.parametrize("side", SIDES)
def test_a_recording_is_replayed_through_the_client(
    file: Path, traffic: list[Recorded], side: Side, tmp_path: Path
) -> None:
    """In the recorded order, over the wire; each response arrives as it was recorded."""
    playable = {each.number: ours for each in traffic if (ours := _playable(each))}
    copy = replace(load(file), interactions=tuple(playable.values()), folder=tmp_path)
    with Replayer(save(copy)) as there:
        places = Addresses(Address.parse(there.base_url), Address.parse(there.media_url))
        played = [each for each in recorded(file, places) if each.number in playable]
        outcomes = dict(zip(playable, play(there, played, side), strict=True))
        refused = [f"{file.name}: {each}\n" for each in there.refused]
        left = [f"{file.name}: {each.request} was not asked for.\n" for each in there.left]
    if refused or left:
        raise ContractFailure("\n".join([*refused, *left]))

    def check(found: Recorded, operation: Operation) -> None:
        headers, body = found.interaction.response.headers, found.body(places)
        problems = misread(operation, found.status, headers, body, outcomes[found.number])
        if problems:
            raise _failure(
                found,
                f"What the {side} client makes of the response is not what was recorded.",
                expected=short(json.loads(body or b"null")),
                came=problems,
                place=written(operation, found.status),
            )

    _each(played, check)


def _playable(found: Recorded) -> Interaction | None:
    """Return what can be replayed, as the client writes it."""
    if found.call is None or found.refused or found.lost:
        return None
    return leaving(found, found.call, "sync")[0]


# The texts of failures


def _each(traffic: Iterable[Recorded], check: Callable[[Recorded, Operation], None]) -> None:
    """Check every interaction whose operation is known; all failures together are one."""
    found = []
    for each in traffic:
        if each.operation is None:
            continue
        try:
            check(each, each.operation)
        except ContractFailure as error:
            found.append(str(error))
    if found:
        raise ContractFailure("\n".join(found))


def _failure(
    found: Recorded,
    title: str,
    *,
    expected: Iterable[str] | str,
    came: Iterable[str] | str,
    place: str | None = None,
) -> ContractFailure:
    assert found.operation is not None
    return failure(
        found.operation,
        title=f"{title}\n{found} answered {found.status}{_ours(found.file.parent)}",
        call=found.call,
        expected=expected,
        came=came,
        place=place,
    )


def _ours(folder: Path) -> str:
    """What to do about recordings of the sandbox, which were made by the documents of then."""
    return f"\nIf the documents are right now: {UPDATE}" if folder == FOLDER else ""


# The recordings of this project


@pytest.mark.target("sandbox")
def test_every_documented_response_was_recorded() -> None:
    """All operations, each with every status that its document gives a place of its own."""
    found = {
        (each.operation.id, each.status)
        for file in files(FOLDER)
        for each in recorded(file)
        if each.operation
    }
    wanted = {
        (identifier, int(status))
        for identifier, operation in operations().items()
        for status in operation.responses
    }
    assert found == wanted, (
        "a handler of the sandbox is missing, or a call in tests/contract/scenarios.py: of a"
        " refusal, in `not_valid`, or in SET_AS_FAULTS if nothing in that world leads to it; then: "
        f"{UPDATE}\n"
        f"missing: {sorted(wanted - found)}, not documented: {sorted(found - wanted)}"
    )


@pytest.mark.target("sandbox")
def test_the_recordings_are_what_the_sandbox_makes(tmp_path: Path) -> None:
    write(tmp_path)
    now, then = (
        {str(each.relative_to(folder)): each.read_bytes() for each in _content(folder)}
        for folder in (tmp_path, FOLDER)
    )
    different = sorted(name for name in {*now, *then} if now.get(name) != then.get(name))
    if different:
        raise ContractFailure(
            f"The sandbox responds with something else now: {', '.join(different)}.\n"
            f"If it is right now: {UPDATE}"
        )


def _content(folder: Path) -> list[Path]:
    return [each for each in folder.rglob("*") if each.is_file()]
