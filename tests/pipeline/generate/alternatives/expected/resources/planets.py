def build_list_planets(
    *, page: int | UnsetType = UNSET, accept: Literal["application/json"] = "application/json"

def build_list_planets(
    *, page: int | UnsetType = UNSET, accept: Literal["text/csv"]

def build_list_planets(
    *, page: int | UnsetType = UNSET, accept: Literal["application/json", "text/csv"]

def build_list_planets(
    *,
    page: int | UnsetType = UNSET,
    accept: Literal["application/json", "text/csv"] = "application/json",
) -> Request[Any]:
    return prepare(
        operation="planets.list_planets",
        server="document",
        method="GET",
        path="/planets",
        query=[Parameter("page", page, int, "page")],
        accept=accept,
        offers={"application/json": Planets, "text/csv": str},
        retry_safety="safe",
    )

def plan_list_planets(*, page: int | UnsetType = UNSET) -> Pages[Planet, Planets]:
    return Pages(build_list_planets(page=page), items="data", page="page")

def build_get_planet(
    planet: str, *, accept: Literal["application/json"] = "application/json"

def build_get_planet(
    planet: str, *, accept: Literal["application/xml", "application/vnd.observatory.short+json"]

def build_get_planet(
    planet: str, *, accept: Literal["application/pdf"]

def build_get_planet(
    planet: str,
    *,
    accept: Literal[
        "application/json",
        "application/xml",
        "application/vnd.observatory.short+json",
        "application/pdf",
    ],

def build_get_planet(
    planet: str,
    *,
    accept: Literal[
        "application/json",
        "application/xml",
        "application/vnd.observatory.short+json",
        "application/pdf",
    ] = "application/json",
) -> Request[Any]:
    return prepare(
        operation="planets.get_planet",
        server="document",
        method="GET",
        path="/planets/{planet}",
        path_parameters=[Parameter("planet", planet, str, "planet")],
        accept=accept,
        offers={
            "application/json": Planet,
            "application/xml": str,
            "application/vnd.observatory.short+json": Present[str],
            "application/pdf": bytes,
        },
        accept_errors="application/problem+json",
        by_status={204: None},
        retry_safety="safe",
    )

def build_change_planet(planet: str, *, accept: bool | UnsetType = UNSET) -> Request[Planet | int]:
    return prepare(
        operation="planets.change_planet",
        server="document",
        method="PUT",
        path="/planets/{planet}",
        path_parameters=[Parameter("planet", planet, str, "planet")],
        query=[Parameter("accept", accept, bool, "accept")],
        returns=Planet,
        by_status={202: int},
        retry_safety="idempotent",
    )

def build_get_picture(
    planet: str,
    *,
    accept: int | UnsetType = UNSET,
    accept_: Literal["image/png", "image/webp"] = "image/png",
) -> Request[bytes]:
    return prepare(
        operation="planets.get_picture",
        server="document",
        method="GET",
        path="/planets/{planet}/picture",
        path_parameters=[Parameter("planet", planet, str, "planet")],
        query=[Parameter("accept", accept, int, "accept")],
        accept=accept_,
        offers={"image/png": bytes, "image/webp": bytes},
        retry_safety="safe",
    )

class PlanetsResource(Resource):
    """Operations of `planets`."""

    @cached_property
    def with_raw_response(self) -> PlanetsResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return PlanetsResourceWithRawResponse(self._client)

    def list_planets(self, *, page: int | UnsetType = UNSET) -> Pager[Planet, Planets]:
        """List planets.

        A list in pages, or a table.

        The next page is read when the items of the one before are used up.

        Args:
            page: Its number.

        Returns:
            An iterable of the items of all pages, from `page` on; its `.pages()` gives whole pages,
            and `.next_page` is the number of the page to resume from after an error.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            StatusError: Another status outside 200 to 299.
            PagingError: The next page leads elsewhere, or to one that was read; `items` has what
                was read.

        Example:
            >>> for planet in client.planets.list_planets():
            ...     print(planet)

        GET /planets.
        """
        return Pager(self._client, plan_list_planets(page=page))

    @overload
    def get_planet(
        self,
        planet: str,
        *,
        accept: Literal["application/json"] = "application/json",
    ) -> Planet | None: ...
    @overload
    def get_planet(
        self,
        planet: str,
        *,
        accept: Literal["application/xml", "application/vnd.observatory.short+json"],
    ) -> str | None: ...
    @overload
    def get_planet(
        self,
        planet: str,
        *,
        accept: Literal["application/pdf"],
    ) -> bytes | None: ...
    @overload
    def get_planet(
        self,
        planet: str,
        *,
        accept: Literal[
            "application/json",
            "application/xml",
            "application/vnd.observatory.short+json",
            "application/pdf",
        ],
    ) -> Planet | str | bytes | None: ...
    def get_planet(
        self,
        planet: str,
        *,
        accept: Literal[
            "application/json",
            "application/xml",
            "application/vnd.observatory.short+json",
            "application/pdf",
        ] = "application/json",
    ) -> Planet | str | bytes | None:
        """Get a planet.

        As an object, or as text or bytes.

        Args:
            planet: Which.
            accept: What is asked for: `application/json` gives `Planet | None`; `application/xml`
                and `application/vnd.observatory.short+json` gives `str | None`; `application/pdf`
                gives `bytes | None`.

        Returns:
            The planet.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            StatusError: Another status outside 200 to 299.

        Example:
            >>> client.planets.get_planet("mars")

        GET /planets/{planet}.
        """
        return self._client.send(build_get_planet(planet, accept=accept))

    def change_planet(
        self,
        planet: str,
        *,
        accept: bool | UnsetType = UNSET,
    ) -> Planet | int:
        """Change a planet.

        Has an argument of that name, and two bodies for two statuses.

        Args:
            planet: Which.
            accept: Whether to accept it.

        Returns:
            The planet.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            StatusError: Another status outside 200 to 299.

        Example:
            >>> client.planets.change_planet("mars")

        PUT /planets/{planet}.
        """
        return self._client.send(build_change_planet(planet, accept=accept))

    def get_picture(
        self,
        planet: str,
        *,
        accept: int | UnsetType = UNSET,
        accept_: Literal["image/png", "image/webp"] = "image/png",
    ) -> bytes:
        """Get a picture.

        Bytes in any case.

        Args:
            planet: Which.
            accept: The least quality.
            accept_: What is asked for.

        Returns:
            The picture.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            StatusError: Another status outside 200 to 299.

        Example:
            >>> client.planets.get_picture("mars")

        GET /planets/{planet}/picture.
        """
        return self._client.send(build_get_picture(planet, accept=accept, accept_=accept_))
