"""Keep the documentation of every release in one site, a folder each.

`stable` is the newest final release; before the first one `latest`, or else the newest candidate.
Any server of files can serve the site.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Final

LATEST: Final = "latest"
STABLE: Final = "stable"
LIST: Final = "versions.json"
_FRONT: Final = Path(__file__).parent / "front"
_NUMBER: Final = "(?:0|[1-9][0-9]*)"  # as packages write it: 1.2 and 01.2.0 are called 1.2.0
_VERSION: Final = re.compile(rf"v?({_NUMBER}(?:\.{_NUMBER}){{2}})(?:(a|b|rc)({_NUMBER}))?")
_LINK: Final = re.compile(r"(?<=\]\()(?![a-z]+:|/|#)(?=[^)\s]+\))")


def keep(built: Path, site: Path, name: str) -> None:
    """Put a built site into the folder of its version, and renew what the whole site has.

    Folders of other versions stay as they are.

    Raises:
        ValueError: nothing is built, or it cannot be kept there by that name.
    """
    folder = folder_of(built, site, name)
    if not (built / "index.html").is_file():
        raise ValueError(f"{built} has no index.html: build the documentation first (nox -s docs)")
    if not (site / LIST).exists():  # by which it is a site, however far this comes
        site.mkdir(parents=True, exist_ok=True)
        _list(site)
    _put(built, folder)
    _put(site / _list(site), site / STABLE)
    (site / ".nojekyll").touch()  # or GitHub leaves out folders that begin with an underscore
    for file in _FRONT.iterdir():
        _write(site / file.name, file.read_text(encoding="utf-8"))
    for file in (site / STABLE).glob("llms*.txt"):
        _write(site / file.name, _LINK.sub(f"{STABLE}/", file.read_text(encoding="utf-8")))


def _list(site: Path) -> str:
    """Write the list of the versions of a site, and return the one that is stable."""
    kept = versions(site)
    final = [each for each in kept if each.replace(".", "").isdigit()]
    stable = next(iter(final), LATEST if (site / LATEST).is_dir() or not kept else kept[0])
    listed = [{"version": STABLE, "name": f"{STABLE} ({stable})", "url": f"{STABLE}/"}]
    if (site / LATEST).is_dir():
        unreleased = f"{LATEST} (not released)"
        listed.append({"version": LATEST, "name": unreleased, "url": f"{LATEST}/"})
    listed += [{"version": each, "name": each, "url": f"{each}/"} for each in kept]
    text = json.dumps(
        [each | {"preferred": each["version"] == stable} for each in listed], indent=1
    )
    _write(site / LIST, f"{text}\n")
    return stable


def _write(file: Path, text: str) -> None:
    """Write a file as a whole, in the place of a link, too."""
    new = file.with_name(f".{file.name}.new")
    new.write_text(text, encoding="utf-8")
    new.replace(file)


def folder_of(built: Path, site: Path, name: str) -> Path:
    """Return the folder in which a site keeps what is built.

    Raises:
        ValueError: the name is no version, the site is part of what is built, or that is part of
            the folder that it would replace; there is no folder where one has to be, or the site
            is a folder of something else.
    """
    version = _VERSION.fullmatch(name)
    if name != LATEST and not version:
        raise ValueError(f"{name!r} is no version: write 1.2.0, 1.2.0rc1 or {LATEST}")
    if site.resolve().is_relative_to(built.resolve()):
        raise ValueError(f"the site {site} is in what is built, {built}: keep it elsewhere")
    folder = site / (name.removeprefix("v") if version else name)
    for each in (*reversed(site.parents), site, folder, site / STABLE):
        if os.path.lexists(each) and not each.is_dir():
            raise ValueError(f"{each} is no folder: name another site, or move it away")
    if built.resolve().is_relative_to(folder.resolve()) and built.resolve() != folder.resolve():
        raise ValueError(f"{built} is in {folder}, which it would replace: build it elsewhere")
    if not (site / LIST).exists() and (foreign := _foreign(site)):
        raise ValueError(f"{site} is no site: it has {foreign} and no {LIST}; name a new folder")
    if (site / LIST).exists() and not _is_list(site / LIST):
        raise ValueError(f"{site} is no site: its {LIST} is of something else; name a new folder")
    return folder


def _is_list(file: Path) -> bool:
    """Return whether a file is a list of versions as it is written here."""
    try:
        listed = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    members = {"version", "name", "url", "preferred"}
    return (
        isinstance(listed, list)
        and all(isinstance(each, dict) and each.keys() == members for each in listed)
        and all(each["url"] == f"{each['version']}/" for each in listed)
        and any(each["version"] == STABLE for each in listed)
    )


def _foreign(site: Path) -> str:
    """Return the name of a folder, or of a file that a site would replace; empty without one."""
    front = {each.name for each in _FRONT.iterdir()}
    for each in sorted(site.iterdir()) if site.exists() else []:
        is_folder = each.is_dir() and not each.name.startswith(".")
        if is_folder or each.name in front or each.match("llms*.txt"):
            return each.name
    return ""


def versions(site: Path) -> list[str]:
    """Return the versions that a site has, the newest first."""
    found = [each.name for each in site.iterdir() if each.is_dir()]
    own = [each for each in found if _VERSION.fullmatch(each) and not each.startswith("v")]
    return sorted(own, key=_order, reverse=True)


def _order(name: str) -> tuple[list[int], str, int]:
    """Return what versions are sorted by; a final one follows its candidates."""
    found = _VERSION.fullmatch(name)
    assert found
    release, stage, number = found.groups()
    return [int(each) for each in release.split(".")], stage or "z", int(number or 0)


def _put(source: Path, folder: Path) -> None:
    """Make a folder what another one is; one that breaks off leaves what was there."""
    new, old = (folder.with_name(f".{folder.name}.{each}") for each in ("new", "old"))
    for each in (new, old):
        shutil.rmtree(each, ignore_errors=True)
    leave = shutil.ignore_patterns(".doctrees", ".buildinfo", "_sources")
    try:
        shutil.copytree(source, new, ignore=leave)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    if folder.is_symlink():
        folder.unlink()
    elif folder.exists():
        folder.rename(old)
    try:
        new.rename(folder)
    except BaseException:
        if old.exists():
            old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


def main() -> None:
    """Keep what the command line names; what is wrong ends it with one line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("built", metavar="BUILT", type=_folder, help="what Sphinx made")
    parser.add_argument("site", metavar="SITE", type=_folder, help="the folder of all versions")
    named = f"a version (1.2.0 or v1.2.0), or {LATEST}: what is not released yet"
    parser.add_argument("name", metavar="NAME", help=named)
    parser.add_argument("--check", action="store_true", help="only see whether it can be kept so")
    given = parser.parse_args()
    try:
        (folder_of if given.check else keep)(given.built, given.site, given.name)
    except ValueError as error:
        sys.exit(f"error: {error}")
    except shutil.Error as error:  # of several files
        sys.exit("\n".join(f"error: {file}: {reason}" for file, _, reason in error.args[0]))
    except KeyboardInterrupt:
        print("stopped: the same command goes on", file=sys.stderr)
        sys.exit(130)
    except OSError as error:
        where = error.filename or given.site
        sys.exit(f"error: the site cannot be written: {where}: {error.strerror}")


def _folder(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("the name of the folder is empty")
    return Path(text)


if __name__ == "__main__":
    main()
