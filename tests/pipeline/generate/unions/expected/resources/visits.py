def build_add_visit(
    body: VisitSingleInput | VisitGroupInput,
) -> Request[OneOf[VisitSingle | VisitGroup]]:
    return prepare(
        operation="visits.add_visit",
        server="document",
        method="POST",
        path="/visits",
        json=Parameter("body", body, one_of[VisitSingleInput | VisitGroupInput], "body"),
        returns=one_of[VisitSingle | VisitGroup],
        retry_safety="unsafe",
    )
