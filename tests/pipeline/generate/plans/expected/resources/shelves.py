SHELF_REPLACEMENT = WriteBack(ShelfReplacement)

SHELF_CHANGE = WriteBack(ShelfChange, ignored=frozenset({"wood.grain"}))

def build_get(shelf: int, *, full: bool | UnsetType = UNSET) -> Request[Shelf]:
    return prepare(
        operation="shelves.get",
        server="document",
        method="GET",
        path="/shelves/{shelf}",
        path_parameters=[Parameter("shelf", shelf, int, "shelf")],
        query=[Parameter("full", full, bool, "full")],
        returns=Shelf,
        retry_safety="safe",
    )

def build_replace(
    shelf: int,
    label: str,
    *,
    tell: bool | UnsetType = UNSET,
    height: int | None | UnsetType = UNSET,
) -> Request[Shelf]:
    return prepare(
        operation="shelves.replace",
        server="document",
        method="PUT",
        path="/shelves/{shelf}",
        path_parameters=[Parameter("shelf", shelf, int, "shelf")],
        query=[Parameter("tell", tell, bool, "tell")],
        json=ShelfReplacement(label=label, height=height),
        returns=Shelf,
        retry_safety="idempotent",
    )

def plan_update(
    shelf: int,
    label: str | UnsetType = UNSET,
    *,
    tell: bool | UnsetType = UNSET,
    height: int | None | UnsetType = UNSET,
) -> Call[Shelf]:
    return ReadModifyWrite(
        "shelves.update",
        lambda: build_get(shelf),
        lambda changed: build_replace(shelf, tell=tell, **changed),
        {"label": label, "height": height},
        SHELF_REPLACEMENT,
    )

def build_change(
    shelf: int,
    *,
    label: str | UnsetType = UNSET,
    wood: ShelfWoodChange | UnsetType = UNSET,
    rows: Mapping[str, str] | UnsetType = UNSET,
) -> Request[Shelf]:
    return prepare(
        operation="shelves.change",
        server="document",
        method="PATCH",
        path="/shelves/{shelf}",
        path_parameters=[Parameter("shelf", shelf, int, "shelf")],
        json=ShelfChange(label=label, wood=wood, rows=rows),
        returns=Shelf,
        retry_safety="unsafe",
    )

def plan_amend(
    shelf: Shelf,
    *,
    wood: ShelfWoodChange | UnsetType = UNSET,
    rows: Mapping[str, str] | UnsetType = UNSET,
) -> Request[Shelf]:
    return amended(
        "shelves.amend",
        ("shelf", shelf, Shelf),
        lambda changed: build_change(shelf.shelf_id, **changed),
        {"wood": wood, "rows": rows},
        SHELF_CHANGE,
    )

class ShelvesResource(Resource):
    """Operations of `shelves`."""

    @cached_property
    def with_raw_response(self) -> ShelvesResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return ShelvesResourceWithRawResponse(self._client)

    def get(
        self,
        shelf: int,
        *,
        full: bool | UnsetType = UNSET,
    ) -> Shelf:
        """Read a shelf.

        Reads one.

        Args:
            shelf: The shelf.
            full: True gives its books.

        Returns:
            The shelf.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            NotFoundError: There is no such shelf (404).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> client.shelves.get(7)

        GET /shelves/{shelf}.
        """
        return self._client.send(build_get(shelf, full=full))

    def replace(
        self,
        shelf: int,
        label: str,
        *,
        tell: bool | UnsetType = UNSET,
        height: int | None | UnsetType = UNSET,
    ) -> Shelf:
        """Replace a shelf.

        Replaces all of it.

        Args:
            shelf: The shelf.
            label: Its label.
            tell: True tells the readers.
            height: Its height.

        Returns:
            The shelf.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            ConflictError: Somebody else is at it (409).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> client.shelves.replace(7, "Novels")

        PUT /shelves/{shelf}.
        """
        return self._client.send(build_replace(shelf, label, tell=tell, height=height))

    def update(
        self,
        shelf: int,
        label: str | UnsetType = UNSET,
        *,
        tell: bool | UnsetType = UNSET,
        height: int | None | UnsetType = UNSET,
    ) -> Shelf:
        """Change some values and keep the others.

        Reads with `shelves.get`, changes what you pass, and sends everything with
        `shelves.replace`. What is left out stays as it was read; None is sent as null, where null
        is allowed.

        This is not atomic: what somebody else changes between the two requests is overwritten.

        Args:
            shelf: The shelf.
            label: Its label.
            tell: True tells the readers.
            height: Its height.

        Returns:
            The shelf.

        Raises:
            ArgumentError: An argument is not valid, or none is to change; nothing was sent. Or
                something that was read, and is not to change, cannot be sent back; nothing was
                changed.
            NotFoundError: There is no such shelf (404).
            ConflictError: Somebody else is at it (409).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> client.shelves.update(7, "Novels")

        GET /shelves/{shelf}, then PUT /shelves/{shelf}.
        """
        return self._client.send(plan_update(shelf, label, tell=tell, height=height))

    def change(
        self,
        shelf: int,
        *,
        label: str | UnsetType = UNSET,
        wood: ShelfWoodChange | UnsetType = UNSET,
        rows: Mapping[str, str] | UnsetType = UNSET,
    ) -> Shelf:
        """Change a shelf.

        Changes what is given. An object is replaced.

        Args:
            shelf: The shelf.
            label: Its label.
            wood: What is to change of the wood.
            rows: What stands in a row. Others are lost.

        Returns:
            The shelf.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            StatusError: Another status outside 200 to 299.
            OutcomeUnknown: No response came, or a 5xx; it may have been done: look before you
                repeat it.

        Example:
            >>> client.shelves.change(7, label="Novels")

        PATCH /shelves/{shelf}.
        """
        return self._client.send(build_change(shelf, label=label, wood=wood, rows=rows))

    def amend(
        self,
        shelf: Shelf,
        *,
        wood: ShelfWoodChange | UnsetType = UNSET,
        rows: Mapping[str, str] | UnsetType = UNSET,
    ) -> Shelf:
        """Change parts of objects and keep their other parts.

        Sends what you pass with `shelves.change`, and adds the parts that you leave out: members
        and entries stay as they are in `shelf`. A list is replaced as a whole.

        Args:
            shelf: What was read. Its values may be out of date: what somebody else has changed
                since is overwritten.
            wood: What is to change of the wood.
            rows: What stands in a row.

        Returns:
            The shelf.

        Raises:
            ArgumentError: An argument is not valid, or none is given; or something that is to stay
                was not read, or cannot be sent back. Nothing was sent.
            StatusError: Another status outside 200 to 299.
            OutcomeUnknown: No response came, or a 5xx; it may have been done: look before you
                repeat it.

        PATCH /shelves/{shelf}.
        """
        return self._client.send(plan_amend(shelf, wood=wood, rows=rows))
