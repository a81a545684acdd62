def build_plan_concert(
    hall: PlanConcertBodyHall, *, pieces: Sequence[PlanConcertBodyPiecesItem] | UnsetType = UNSET
) -> Request[PlanConcertResponse]:
    return prepare(
        operation="concerts.plan_concert",
        server="document",
        method="POST",
        path="/concerts",
        json=PlanConcertBody(hall=hall, pieces=pieces),
        returns=PlanConcertResponse,
        retry_safety="unsafe",
    )
