"""A month of posts from a spreadsheet: read a sheet, make a plan, look at it, apply it.

from social_publishing import SocialPublishing
from social_publishing_cli import plans

with SocialPublishing() as client:
    plan = plans.make(client, plans.read_sheet("plan.csv"))
    for change in plan.changes:
        print(change.row, change.name, change.fields)
    with plans.Journal(plans.journal_path(plan), plan) as journal:
        report = plans.apply(client, plan, journal)
"""

from ..sheets.problems import Problem, SheetError
from ..sheets.reading import Row, Sheet, read_sheet
from .applying import Conflicts, apply, reversed_plan, settle, still_there
from .journal import (
    Entry,
    Journal,
    JournalError,
    Report,
    journal_path,
    kept_plan,
    plan_path,
    plans_folder,
    reports,
    written,
)
from .making import make
from .model import Change, Cost, Plan, PlanError, StalePlanError, Step

__all__ = [
    "Change",
    "Conflicts",
    "Cost",
    "Entry",
    "Journal",
    "JournalError",
    "Plan",
    "PlanError",
    "Problem",
    "Report",
    "Row",
    "Sheet",
    "SheetError",
    "StalePlanError",
    "Step",
    "apply",
    "journal_path",
    "kept_plan",
    "make",
    "plan_path",
    "plans_folder",
    "read_sheet",
    "reports",
    "reversed_plan",
    "settle",
    "still_there",
    "written",
]
