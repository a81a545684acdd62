"""The command line: plant faults, ask the tests, tell what they caught."""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from itertools import repeat
from os import cpu_count
from pathlib import Path
from queue import SimpleQueue

from faults.catalogue import PROJECT, Fault, Misplaced, faults, place_of
from faults.catching import Verdict, judge, remember, remembered, sound, tests_for
from faults.copies import Copy, clean_copy
from faults.processes import Stopped
from faults.report import line, summary
from pipeline.openapi.problems import PipelineError

__all__ = ["main"]

_FIRST_TIME = 1800.0  # seconds that all remembered tests may take without a fault
_REPAIR = (
    "What an entry quotes has changed or moved. Write in `in` and `find` where the same is done "
    "now, and see that it is caught: nox -s faults -- ID"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant faults in copies of the project, and see whether the contract tests catch each."""
    parser = argparse.ArgumentParser(prog="python tests/contract/faults", description=main.__doc__)
    parser.add_argument("ids", nargs="*", metavar="ID", help="a fault; all of them without any")
    parser.add_argument("--subject", action="append", default=[], help="all of one catalogue file")
    parser.add_argument(
        "--jobs", type=_count, default=cpu_count() or 1, help="how many at a time (%(default)s)"
    )
    parser.add_argument(
        "--tests", action="append", default=[], help="ask these instead of all of tests/contract"
    )
    parser.add_argument(
        "--seconds", type=_count, default=300, help="how long a module may take (%(default)s)"
    )
    parser.add_argument("--keep", action="store_true", help="leave the copies where they are")
    parser.add_argument("--check", action="store_true", help="only see whether all can be planted")
    parser.add_argument("--list", action="store_true", help="only tell what there is")
    given = parser.parse_args(arguments)
    try:
        known = faults()
    except PipelineError as error:
        return _refused(str(error))
    subjects = {each.subject for each in known.values()}
    if unknown := [each for each in given.ids if each not in known]:
        return _refused(f"no fault is called {', '.join(unknown)}: --list names all of them")
    if unknown := [each for each in given.subject if each not in subjects]:
        named = ", ".join(sorted(subjects))
        return _refused(f"no subject is called {', '.join(unknown)}: there are {named}")
    if unknown := [
        test for test in given.tests if not (PROJECT / test.partition("::")[0]).exists()
    ]:
        return _refused(f"there are no tests {', '.join(unknown)}")
    chosen = [
        each
        for each in known.values()
        if not (given.ids or given.subject) or each.id in given.ids or each.subject in given.subject
    ]
    if given.list:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # whoever reads may have seen enough
        for each in chosen:
            print(f"{each.id:32} {each.subject:18} {each.what}")
        return 0
    if problems := [*_misplaced(chosen)]:
        return _refused("\n".join([*problems, _REPAIR]))
    if given.check:
        print(f"{_faults(len(chosen))} can be planted.")
        return 0
    return _run(chosen, known, given)


def _run(chosen: list[Fault], catalogue: Iterable[str], given: argparse.Namespace) -> int:
    began = time.monotonic()
    # Who ends us otherwise than by Ctrl-C must not leave our children behind, either.
    for name in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.default_int_handler)
    copies: list[Copy] = []
    with _folder(given.keep) as folder:
        try:
            clean = clean_copy(folder / "clean")
            for number in range(min(given.jobs, len(chosen))):
                copies.append(Copy(clean, Path(tempfile.mkdtemp(dir=folder)) / str(number)))
            print(f"{_faults(len(chosen))}, {len(copies)} at a time:", flush=True)
            verdicts = _judged(chosen, catalogue, given, copies)
        except (KeyboardInterrupt, Stopped):
            print("\nended before its end", file=sys.stderr)
            return 130
        finally:
            for copy in copies:
                copy.processes.stop()
    print(summary(verdicts, time.monotonic() - began))
    return 0 if all(each.is_good for each in verdicts) else 1


def _judged(
    chosen: list[Fault], catalogue: Iterable[str], given: argparse.Namespace, copies: list[Copy]
) -> list[Verdict]:
    """Return what became of each, in the order of the catalogue; reported as it comes."""
    free: SimpleQueue[Copy] = SimpleQueue()
    for copy in copies:
        free.put(copy)
    last = {} if given.tests else remembered()
    tests = sorted({last[each.id] for each in chosen if last.get(each.id)})

    def work(fault: Fault) -> Verdict:
        copy = free.get()
        try:
            known = {last.get(fault.id, "")} & passing
            asked = given.tests or [*known, *tests_for(fault)]
            return judge(fault, copy, asked, given.seconds, passing=passing)
        finally:
            free.put(copy)

    verdicts: dict[str, Verdict] = {}
    with ThreadPoolExecutor(len(copies)) as pool:
        try:
            parts = [tests[number :: len(copies)] for number in range(len(copies))]
            passing = set[str]().union(*pool.map(sound, parts, copies, repeat(_FIRST_TIME)))
            for done in as_completed([pool.submit(work, fault) for fault in chosen]):
                verdict = done.result()
                verdicts[verdict.fault.id] = verdict
                print(line(verdict), flush=True)
                if verdict.is_good or not given.tests:
                    remember(verdict, catalogue)
        except BaseException:
            for copy in copies:
                copy.processes.stop()
            pool.shutdown(cancel_futures=True)
            raise
    return [verdicts[fault.id] for fault in chosen]


@contextmanager
def _folder(keep: bool) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="faults-"))
    try:
        yield folder
    finally:
        if keep:
            print(f"the copies are in {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


def _misplaced(chosen: Iterable[Fault]) -> Iterator[str]:
    for fault in chosen:
        try:
            place_of(fault)
        except Misplaced as error:
            yield str(error)


def _faults(number: int) -> str:
    return f"{number} fault" if number == 1 else f"{number} faults"


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1")
    return int(text)


def _refused(said: str) -> int:
    print(said, file=sys.stderr)
    return 2
