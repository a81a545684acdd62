"""The order of actions, in which what is confirmed takes the place of what was assumed."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.openapi.overlay.model import ASSUMPTION, CONFIRMED, Action, Overlay
from pipeline.openapi.problems import Finding


def in_turn(
    overlays: Sequence[Overlay], confirmed: Sequence[Overlay]
) -> tuple[list[Action], list[Finding]]:
    """Return the actions as they are to be applied, and what is wrong with their words.

    The confirmed actions of a gap stand where the first of the assumptions that they replace
    stood, or at the end.
    """
    known, findings = _by_gap(confirmed)
    waiting = dict(known)
    actions: list[Action] = []
    for action in (action for overlay in overlays for action in overlay.actions):
        if CONFIRMED in action.words:
            findings.append(_finding(f"{CONFIRMED} belongs in a confirmed overlay", action))
        if ASSUMPTION in action.words and action.gap in known:
            actions += waiting.pop(action.gap, [])
        else:
            actions.append(action)
    return actions + [action for rest in waiting.values() for action in rest], findings


def _by_gap(
    confirmed: Sequence[Overlay],
) -> tuple[dict[str | None, list[Action]], list[Finding]]:
    """Return the confirmed actions by gap; two files must not confirm the same one."""
    known: dict[str | None, list[Action]] = {}
    findings = []
    for overlay in confirmed:
        before = dict(known)
        reported = set()
        for action in overlay.actions:
            gap = action.gap
            if CONFIRMED not in action.words:
                text = f"{CONFIRMED} is missing: every action of a confirmed overlay carries it"
                findings.append(_finding(text, action))
            elif gap not in before:
                known.setdefault(gap, []).append(action)
            elif gap not in reported:
                reported.add(gap)
                files = f"{before[gap][0].overlay} and {overlay.name}"
                findings.append(_finding(f"gap {gap} is confirmed by two files: {files}", action))
    return known, findings


def _finding(message: str, action: Action) -> Finding:
    return Finding(message, action.position, "overlay")
