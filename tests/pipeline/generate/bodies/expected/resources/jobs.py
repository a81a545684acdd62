def build_replace_job(
    *,
    drawing: FileInput | str,
    title: str,
    progress: Progress | None = None,
    content_type: Literal["application/json", "multipart/form-data"] | UnsetType = UNSET,
) -> Request[None]:
    return prepare(
        operation="jobs.replace_job",
        server="document",
        method="PUT",
        path="/jobs",
        content_type=content_type,
        bodies=[
            BodyOption(
                "multipart/form-data",
                arguments={"drawing": drawing, "title": title},
                form=Job,
                files=[FilePart("drawing", drawing, "drawing", progress=progress)],
                required="drawing title",
            ),
            BodyOption(
                "application/json",
                arguments={"drawing": drawing, "title": title},
                json=Job,
                required="drawing title",
            ),
        ],
        returns=None,
        retry_safety="idempotent",
    )

def build_add_job(
    *,
    sheets: Sequence[str] | UnsetType = UNSET,
    drawing: FileInput | UnsetType = UNSET,
    title: str | UnsetType = UNSET,
    progress: Progress | None = None,
    body: str | bytes | UnsetType = UNSET,
    content_type: str | UnsetType = UNSET,
) -> Request[None]:
    return prepare(
        operation="jobs.add_job",
        server="document",
        method="POST",
        path="/jobs",
        content_type=content_type,
        bodies=[
            BodyOption(
                "application/json", arguments={"sheets": sheets}, json=AddJobBody, required="sheets"
            ),
            BodyOption(
                "multipart/form-data",
                arguments={"drawing": drawing, "title": title},
                form=AddJobFormDataBody,
                files=[FilePart("drawing", drawing, "drawing", progress=progress)],
                required="drawing",
            ),
            BodyOption(
                "text/csv",
                arguments={"body": body},
                content=body,
                sent="text/csv; charset=utf-8",
                required="body",
                kind=str,
            ),
            BodyOption(
                "image/*", arguments={"body": body}, content=body, required="body", kind=bytes
            ),
        ],
        returns=None,
        retry_safety="unsafe",
    )

def build_change_jobs(
    *,
    body: Mapping[str, Any] | Sequence[Mapping[str, Any]] | str | UnsetType = UNSET,
    content_type: Literal[
        "application/merge-patch+json",
        "application/json-patch+json",
        "application/apply-patch+yaml",
    ]
    | UnsetType = UNSET,
) -> Request[None]:
    return prepare(
        operation="jobs.change_jobs",
        server="document",
        method="PATCH",
        path="/jobs",
        content_type=content_type,
        bodies=[
            BodyOption(
                "application/merge-patch+json",
                arguments={"body": body},
                json=Parameter("body", body, Mapping[str, Any], "body"),
                body_required=False,
            ),
            BodyOption(
                "application/json-patch+json",
                arguments={"body": body},
                json=Parameter(
                    "body", body, Mapping[str, Any] | Sequence[Mapping[str, Any]], "body"
                ),
                body_required=False,
            ),
            BodyOption(
                "application/apply-patch+yaml",
                arguments={"body": body},
                content=body,
                body_required=False,
                kind=str,
            ),
        ],
        returns=None,
        retry_safety="unsafe",
    )
