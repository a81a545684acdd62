"""The command line: plant faults, ask the tests, tell what they caught."""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from os import cpu_count
from pathlib import Path
from queue import SimpleQueue

from faults.catalogue import PROJECT, Fault, Misplaced, faults, place_of
from faults.catching import GATE, Plan, Verdict, ask, judge, suite_of
from faults.copies import Copy, clean_copy
from faults.processes import Processes, Stopped
from faults.report import line, summary
from pipeline.openapi.problems import PipelineError

__all__ = ["main"]

_TIMEOUT = (3.0, 60.0)  # with a fault, tests may take so many times longer, and seconds more
_FIRST_TIME = 1800.0  # seconds that the tests may take without one


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
        "--seconds",
        type=_count,
        help="how long the tests may take with a fault (3 times as long as without, and 60 more)",
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
        each for each in given.tests if not (PROJECT / each.partition("::")[0]).exists()
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
        return _refused("\n".join(problems))
    if given.check:
        print(f"{_faults(len(chosen))} can be planted.")
        return 0
    return _run(chosen, known, given)


def _run(chosen: list[Fault], known: Mapping[str, Fault], given: argparse.Namespace) -> int:
    began = time.monotonic()
    processes = Processes()
    # Who ends us otherwise than by Ctrl-C must not leave our children behind, either.
    for name in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.default_int_handler)
    with _folder(given.keep) as folder:
        try:
            clean = clean_copy(folder / "clean")
            others = () if given.tests else sorted({name for each in chosen for name in each.also})
            untouched = Copy(clean, folder / "untouched", processes)
            plan = _plan(untouched, given, tuple(others), processes)
            if plan is None:
                return 1
            print(f"{_faults(len(chosen))}, {given.jobs} at a time:", flush=True)
            verdicts = _judged(chosen, plan, clean, folder, given.jobs, processes)
        except (KeyboardInterrupt, Stopped):
            processes.stop()
            print("\nended before its end", file=sys.stderr)
            return 130
    print(summary(verdicts, time.monotonic() - began))
    return 0 if all(each.is_good for each in verdicts) else 1


def _plan(
    copy: Copy, given: argparse.Namespace, others: tuple[str, ...], processes: Processes
) -> Plan | None:
    """Return what is asked, and for how long: without a fault everything must be well."""
    gate = () if given.tests or not (copy.folder / GATE).exists() else (GATE,)
    suite = tuple(suite_of(copy.folder, given.tests))
    seconds: list[float] = []
    each_took: dict[str, float] = {}
    for tests in (gate, suite, others):
        if tests:
            note = "" if given.tests else " (minutes; --tests asks fewer)"
            print(f"without a fault: {' '.join(tests)}{note} …", flush=True)
        began = time.monotonic()
        asked = ask(copy, tests, processes, _FIRST_TIME) if tests else None
        if asked and asked.status != 0:
            print(asked.output, file=sys.stderr)
            failed = asked.failure["test"] if asked.failure else f"status {asked.status}"
            print(f"the tests fail without any fault: {failed}", file=sys.stderr)
            return None
        each_took |= asked.seconds if asked else {}
        times, more = _TIMEOUT
        seconds.append(given.seconds or (time.monotonic() - began) * times + more)
    quickest = tuple(sorted(suite, key=lambda test: each_took.get(test, 0)))
    limits = (seconds[0], max(seconds[1:]))
    return Plan(gate, given.tests or quickest, limits, with_others=not given.tests)


def _judged(
    chosen: list[Fault], plan: Plan, clean: Path, folder: Path, jobs: int, processes: Processes
) -> list[Verdict]:
    """Return what became of each, in the order of the catalogue; told as it comes."""
    copies: SimpleQueue[Copy] = SimpleQueue()
    for number in range(min(jobs, len(chosen))):
        copies.put(Copy(clean, folder / f"worker-{number}", processes))

    def work(fault: Fault) -> Verdict:
        copy = copies.get()
        try:
            return judge(fault, copy, plan, processes)
        finally:
            copies.put(copy)

    verdicts: dict[str, Verdict] = {}
    with ThreadPoolExecutor(copies.qsize()) as pool:
        try:
            for done in as_completed([pool.submit(work, fault) for fault in chosen]):
                verdict = done.result()
                verdicts[verdict.fault.id] = verdict
                print(line(verdict), flush=True)
        except BaseException:
            processes.stop()
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
