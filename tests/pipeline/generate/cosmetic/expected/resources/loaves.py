def build_get_loaf(loaf: int, crumb: str) -> Request[Loaf]:
    return prepare(
        operation="loaves.get_loaf",
        server="document",
        method="GET",
        path="/loaves/{loaf}/{crumb}",
        path_parameters=[
            Parameter("loaf", loaf, int, "loaf"),
            Parameter("crumb", crumb, str, "crumb"),
        ],
        returns=Loaf,
        retry_safety="safe",
    )

def build_put_loaf(
    loaf: str,
    crumb: str,
    *,
    flour: str,
    baked: dt.datetime,
    crumbs: LoafCrumbsInput | None | UnsetType = UNSET,
    slices: Sequence[LoafSlicesItemInput] | UnsetType = UNSET,
) -> Request[None]:
    return prepare(
        operation="loaves.put_loaf",
        server="document",
        method="PUT",
        path="/loaves/{loaf}/{crumb}",
        path_parameters=[
            Parameter("loaf", loaf, str, "loaf"),
            Parameter("crumb", crumb, str, "crumb"),
        ],
        json=LoafInput(flour=flour, baked=baked, crumbs=crumbs, slices=slices),
        returns=None,
        retry_safety="idempotent",
    )

def build_list_loaves() -> Request[None]:
    return prepare(
        operation="loaves.list_loaves",
        server="document",
        method="GET",
        path="/loaves?beta=true",
        returns=None,
        retry_safety="safe",
    )

def build_list_stale_loaves(*, limit: int | UnsetType = UNSET) -> Request[None]:
    return prepare(
        operation="loaves.list_stale_loaves",
        server="document",
        method="GET",
        path="/loaves",
        query=[Parameter("limit", limit, Annotated[int, Meta(gt=0)], "limit")],
        returns=None,
        retry_safety="safe",
    )
