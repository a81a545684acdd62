"""The codes of the status of a post (§3), for modules that do not load the client for them."""

NOT_SCHEDULE, DRAFT, IN_REVIEW, REVIEW_REJECTED, REVIEW_MISSED = 1, 5, 10, 15, 20
SCHEDULED, IN_PROGRESS, FAILED, SKIPPED, PUBLISHED, DELETED = 25, 30, 35, 37, 40, 50
