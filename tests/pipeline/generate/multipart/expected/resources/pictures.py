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

def build_name_album(name: str) -> Request[None]:
    return prepare(
        operation="pictures.name_album",
        server="document",
        method="PUT",
        path="/albums",
        form=NameAlbumBody(name=name),
        content_type="multipart/form-data",
        returns=None,
        retry_safety="idempotent",
    )

def build_add_album(
    pages: Sequence[FileInput],
    *,
    cover: FileInput | None | UnsetType = UNSET,
    back: FileInput | UnsetType = UNSET,
    stamp: str | UnsetType = UNSET,
    texts: str | UnsetType = UNSET,
    page: Page | UnsetType = UNSET,
    numbers: Sequence[int] | UnsetType = UNSET,
    progress: Progress | None = None,
) -> Request[None]:
    return prepare(
        operation="pictures.add_album",
        server="document",
        method="POST",
        path="/albums",
        form=AddAlbumBody(stamp=stamp, texts=texts, page=page, numbers=numbers),
        encoding={
            "texts": FieldEncoding(content_type="text/markdown"),
            "page": FieldEncoding(content_type="application/json"),
        },
        files=[
            FilePart("pages", pages, "pages", progress=progress, many=True),
            FilePart("cover", cover, "cover", progress=progress, nullable=True),
            FilePart("back", back, "back", progress=progress),
        ],
        returns=None,
        retry_safety="unsafe",
    )
