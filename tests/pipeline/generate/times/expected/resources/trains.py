def build_list_trains(
    *,
    from_: dt.datetime | UnsetType = UNSET,
    to: dt.datetime | UnsetType = UNSET,
    day: dt.date | UnsetType = UNSET,
    since: dt.datetime | UnsetType = UNSET,
    train: UUID | UnsetType = UNSET,
) -> Request[list[Train]]:
    return prepare(
        operation="trains.list_trains",
        server="document",
        method="GET",
        path="/trains",
        query=[
            Parameter("from", from_, Minute, "from_"),
            Parameter("to", to, Minute, "to"),
            Parameter("day", day, dt.date, "day"),
            Parameter("since", since, dt.datetime, "since"),
            Parameter("train", train, UUID, "train"),
        ],
        any_of={"from_": from_, "day": day},
        window=Window(start=("from_", from_), end=("to", to), under_days=7),
        returns=list[Train],
        retry_safety="safe",
    )

def build_add_train(
    leaves: dt.datetime,
    *,
    sold: dt.datetime | UnsetType = UNSET,
    day: dt.date | None | UnsetType = UNSET,
) -> Request[None]:
    return prepare(
        operation="trains.add_train",
        server="document",
        method="POST",
        path="/trains",
        json=TrainInput(leaves=leaves, sold=sold, day=day),
        returns=None,
        retry_safety="unsafe",
    )
