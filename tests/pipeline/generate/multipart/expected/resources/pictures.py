def build_add_picture(
    *,
    file: FileInput,
    title: str,
    thumbnail: FileInput | UnsetType = UNSET,
    year: int | UnsetType = UNSET,
    tags: Sequence[str] | UnsetType = UNSET,
    progress: Progress | None = None,
) -> Request[Picture]:
    return prepare(
        operation="pictures.add_picture",
        server="document",
        method="POST",
        path="/pictures",
        form=AddPictureBody(title=title, year=year, tags=tags),
        files=[
            FilePart(
                "file",
                file,
                "file",
                progress=progress,
                extensions="png jpg".split(),
                max_bytes=2_048,
            ),
            FilePart("thumbnail", thumbnail, "thumbnail", progress=progress),
        ],
        returns=Picture,
        retry_safety="unsafe",
    )

def build_add_frame(file: FileInput, *, progress: Progress | None = None) -> Request[None]:
    return prepare(
        operation="pictures.add_frame",
        server="document",
        method="POST",
        path="/frames",
        files=[FilePart("file", file, "file", progress=progress)],
        returns=None,
        retry_safety="unsafe",
    )
