def build_put_label(
    text: str,
    *,
    inner: LabelInput | UnsetType = UNSET,
    additional_properties: Mapping[str, MarkInput] | UnsetType = UNSET,
) -> Request[OneOf[Label]]:
    return prepare(
        operation="labels.put_label",
        server="document",
        method="PUT",
        path="/labels",
        json=LabelInput(text=text, inner=inner, additional_properties=additional_properties),
        returns=one_of[Label],
        retry_safety="idempotent",
    )
