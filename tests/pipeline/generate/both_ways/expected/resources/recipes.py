def build_add_recipe(
    name: str,
    *,
    secret: str | UnsetType = UNSET,
    old: str | UnsetType = UNSET,
    steps: Sequence[StepInput] | UnsetType = UNSET,
    course: Course | UnsetType = UNSET,
) -> Request[Recipe]:
    return prepare(
        operation="recipes.add_recipe",
        server="document",
        method="POST",
        path="/recipes",
        json=RecipeInput(name=name, secret=secret, old=old, steps=steps, course=course),
        returns=Recipe,
        retry_safety="unsafe",
    )
