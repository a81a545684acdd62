"""View models for the templates: plain values, with every text, type and order decided.

A view has no knowledge of documents; what it can still do is lay out what it holds (a signature,
a call). Code comes as `Code`, of which templates print the text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Literal, Self, TypeVar

from pipeline.codegen import code as py
from pipeline.codegen.code import (
    MODELS,
    Code,
    Import,
    import_lines,
    in_class,
    joined,
    literal,
    own,
)
from pipeline.codegen.prose import WIDTH
from pipeline.config import ClientConfig
from pipeline.openapi.extensions import Cli, RateLimit
from pipeline.openapi.problems import Finding


@dataclass(frozen=True)
class Marks:
    """The gaps that something rests on, sorted: filled by assumption, and left open."""

    assumed: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.assumed or self.unknown)

    def __or__(self, other: Marks) -> Marks:
        return Marks(
            tuple(sorted({*self.assumed, *other.assumed})),
            tuple(sorted({*self.unknown, *other.unknown})),
        )


@dataclass(frozen=True)
class FieldView:
    """A field of a class, or a member of an enumeration.

    Attributes:
        annotation: its type; empty for a member.
        value: its default or its value; empty where it has none.
        docstring: what it means, as a literal; empty where nothing is known.
        shown: its type as pages show it, without the limits that `text` names.
        bare: its type as pages show it where it is there and not null.
    """

    name: str
    annotation: Code
    value: Code
    docstring: str = ""
    shown: Code = py.NONE
    bare: Code = py.NONE
    text: str = ""


@dataclass(frozen=True)
class ObjectView:
    """The class of a JSON object, for packages that read the documents at run time.

    `wire_names` maps the attributes whose names are others in JSON; it is empty for none. `fields`
    are the attributes with their types.
    """

    name: str
    doc: str
    wire_names: Code
    fields: tuple[tuple[str, Code], ...]


@dataclass(frozen=True)
class ClassView:
    """A class of a module of models, or an alias, whose one field holds the type.

    Attributes:
        kind: what is read, what is sent, an enumeration, or an alias.
        doc: the docstring as a literal; the bare text for an alias.
        section: where the service's specification has it; empty where that is not known.
        circular: whether an object of it may hold others of its class in a response.
        open_set: whether an enumeration names some of its values alone.
        inherited: the fields of a base that is a class of the models, too. Such a class is made by
            the client: what it adds is in its JSON only where there is something.
    """

    kind: Literal["read", "sent", "codes", "alias"]
    name: str
    base: Code
    doc: str
    fields: tuple[FieldView, ...]
    text: str = ""
    section: str = ""
    marks: Marks = Marks()
    circular: bool = False
    open_set: bool = False
    inherited: tuple[FieldView, ...] = ()

    @property
    def imports(self) -> frozenset[Import]:
        """The imports that its code needs."""
        code = [
            self.base,
            *(code for each in self.fields for code in (each.annotation, each.value)),
        ]
        return joined("", code).imports

    @property
    def needs(self) -> frozenset[str]:
        """The other classes and aliases that its fields name."""
        return Code("", self.imports).names_of(MODELS) - {self.name}


@dataclass(frozen=True)
class ModuleView:
    """A module of models. `imports` are statements; classes stand after those that they need."""

    name: str
    doc: str
    imports: tuple[str, ...]
    classes: tuple[ClassView, ...]


@dataclass(frozen=True)
class ValueView:
    """What the text of an argument is read as, or of each of many.

    The kind is text, id, integer, number, flag, moment, date, file or json, and switch for what is
    only switched on. Choices are the values of an enumeration by their names, in lower case.
    """

    kind: str
    many: bool
    nullable: bool
    choices: Mapping[str, str | int]


@dataclass(frozen=True)
class ArgumentView:
    """An argument of a method; its `value` is None where the document does not have it."""

    name: str
    type: Code
    required: bool = False
    positional: bool = False
    doc: str = ""
    default: Code = py.UNSET
    value: ValueView | None = None

    @property
    def declaration(self) -> Code:
        """The argument as it stands in a signature."""
        if self.required:
            return joined(": ", [self.name, self.type])
        annotation = self.type | py.UNSET_TYPE if self.default == py.UNSET else self.type
        return joined("", [self.name, ": ", annotation, " = ", self.default])


def call_of(
    function: str,
    arguments: Iterable[ArgumentView],
    values: Mapping[str, str] | None = None,
    more: Sequence[str] = (),
) -> Code:
    """Return a call of a function beside it, with what is at hand under the arguments' names.

    `values` are given instead; arguments that are not among them are left out. `more` is code.
    """
    wanted = [each for each in arguments if values is None or each.name in values]
    given = {each.name: (values or {}).get(each.name, each.name) for each in wanted}
    positional = [given[each.name] for each in wanted if each.positional]
    named = [f"{each.name}={given[each.name]}" for each in wanted if not each.positional]
    return own(function)(*positional, *named, *more)


Prefix = Literal["", "Async"]
Manner = Literal[
    "request",
    "pages",
    "stream",
    "batches",
    "single",
    "windows",
    "read_modify_write",
    "modified",
    "wait",
    "waited",
]


@dataclass(frozen=True)
class GivenView:
    """An argument of a call; it has no name where it is given by its position."""

    name: str
    code: Code

    @property
    def text(self) -> str:
        """The argument as it stands in a call."""
        return f"{self.name}={self.code}" if self.name else self.code.text


@dataclass(frozen=True)
class ErrorBodiesView:
    """The types of the documented bodies of errors: of each operation, by status.

    `imports` are those of the types, `named` those of the exceptions' annotations.
    """

    types: Mapping[str, Mapping[int, Code]]
    imports: tuple[str, ...]
    named: tuple[str, ...]


@dataclass(frozen=True)
class StatusErrorView:
    """An exception for a status, or the response of an operation for which it is raised.

    `other` is a second status of the exception, `body` the type of the documented bodies.
    """

    status: int
    name: str
    doc: str
    other: int | None = None
    body: Code | None = None

    @property
    def shown(self) -> str:
        """The statuses, for a text."""
        return f"{self.status} or {self.other}" if self.other else str(self.status)


@dataclass(frozen=True)
class MethodView:
    """A method as a user calls it.

    Attributes:
        resource: the attribute of the client that has the method.
        http: what it is made of: `PATCH /books/{book}`.
        server: the document, and with it the base address.
        section: where the service's specification has it; empty where that is not known.
        raises: what it raises besides the errors of its requests: names and reasons.
        example: the arguments of a call; None where the document has no values for one.
        overloads: what it returns, by the values of the argument on which that depends.
        deprecated: the warning of a call, where the service has deprecated it.
    """

    resource: str
    name: str
    http: str
    operation_ids: tuple[str, ...]
    server: str
    manner: Manner
    summary: str
    description: str
    section: str
    arguments: tuple[ArgumentView, ...]
    returns: Code
    returns_doc: str
    errors: tuple[StatusErrorView, ...]
    raises: tuple[tuple[str, str], ...]
    marks: Marks
    retry_safety: Literal["safe", "idempotent", "unsafe"]
    example: tuple[GivenView, ...] | None
    overloads: tuple[tuple[ArgumentView, Code], ...] = field(default=(), kw_only=True)
    deprecated: str = field(default="", kw_only=True)

    @property
    def function(self) -> str:
        """The name of the function that builds what the method sends."""
        return f"build_{self.name}"

    @property
    def path(self) -> str:
        """The method as a user writes it: `books.update`."""
        return f"{self.resource}.{self.name}"

    @property
    def returns_nothing(self) -> bool:
        """Whether it returns None."""
        return self.returns == py.NONE

    @property
    def declarations(self) -> list[Code]:
        """The arguments of the signature."""
        return self._declared(self.arguments)

    @staticmethod
    def _declared(arguments: Sequence[ArgumentView]) -> list[Code]:
        positional = [each.declaration for each in arguments if each.positional]
        named = [each.declaration for each in arguments if not each.positional]
        return [*positional, *([Code("*"), *named] if named else [])]

    @property
    def signature(self) -> str:
        """The signature as it stands in the source: with many arguments, one a line."""
        return _listed(self.declarations).text

    def definition(self, prefix: Prefix, members: Collection[str]) -> Code:
        """Return the head of the method of one of the clients."""
        word, returns = "async def" if prefix else "def", self.returns
        if prefix and self.is_iterated:
            word, returns = (
                "def",
                Code(f"Async{returns}", returns.imports | self._iterator_class(prefix).imports),
            )
        arguments = self._declared(
            [replace(each, type=in_class(each.type, members)) for each in self.arguments]
        )
        listed = _listed(["self", *arguments])
        return joined(
            "", [f"{word} {self.name}(", listed, ") -> ", in_class(returns, members), ":"]
        )

    @property
    def overloaded(self) -> list[Self]:
        """The method for each of the overloads."""
        return [
            replace(
                self,
                arguments=tuple(each if each.name != own.name else own for each in self.arguments),
                returns=returns,
                overloads=(),
            )
            for own, returns in self.overloads
        ]

    def statement(self, prefix: Prefix) -> Code:
        """Return the statement by which one of the clients sends what `function` builds."""
        made = call_of(self.function, self.arguments)
        if self.is_iterated:
            return joined("", ["return ", self._iterator_class(prefix)("self._client", made)])
        words = ["return "] * (not self.returns_nothing) + ["await "] * bool(prefix)
        return joined("", [*words, Code("self._client.send")(made)])

    @property
    def is_iterated(self) -> bool:
        """Whether it returns an iterator that fetches while a caller reads it."""
        return self.manner in ("pages", "stream")

    def _iterator_class(self, prefix: Prefix) -> Code:
        """Return the class of the iterator that it returns, for one of the clients."""
        return py.runtime(prefix + self.returns.text.partition("[")[0])

    @property
    def example_imports(self) -> list[str]:
        """The statements that the example needs."""
        imports = joined("", (each.code for each in self.example or ())).imports
        return import_lines(imports, str)

    def call(self, function: str, indent: int = 0, *more: str) -> str:
        """Return a call with the values of the examples, on several lines where one is too long."""
        arguments = (*(each.text for each in self.example or ()), *more)
        line = f"{function}({', '.join(arguments)})"
        if indent + len(line) <= WIDTH - 10:
            return line
        pad = " " * indent
        items = "".join(f"{pad}    {argument},\n" for argument in arguments)
        return f"{function}(\n{items}{pad})"


def _listed(arguments: Sequence[Code | str]) -> Code:
    """Return arguments as they stand in a signature: of many, one a line."""
    return joined("", [joined(", ", arguments), "," if len(arguments) > 3 else ""])


@dataclass(frozen=True)
class PlanView(MethodView):
    """A call of several requests, put together from those of one operation or two.

    Attributes:
        build: the name of the operation that it stands for; empty for a method of its own.
        annotation: what the function returns: `Call[Found[Book]]`.
        code: the expression that it returns.
        item: the class of an item of a list in pages.
    """

    annotation: Code
    code: Code
    build: str = ""
    item: str = ""
    item_name: str = "item"

    @property
    def printed(self) -> str:
        """What an example prints of an item, as code."""
        return f"{self.item_name}.data" if self.item_name == "event" else self.item_name

    @property
    def function(self) -> str:
        """The name of the function that builds the call."""
        return f"plan_{self.name}"

    @property
    def code_pieces(self) -> list[Code]:
        """The code of its function."""
        return [*self.declarations, self.annotation, self.code]


@dataclass(frozen=True)
class RawMethodView(MethodView):
    """A method that sends one request, and returns the whole response.

    Attributes:
        builder: the function that makes the request.
    """

    builder: str

    @classmethod
    def of(cls, method: MethodView, sent: MethodView) -> Self:
        """Return the method that sends what the function of `sent` makes."""
        given = {each.name: getattr(method, each.name) for each in fields(MethodView)}
        given |= {
            "manner": "request",
            "arguments": sent.arguments,
            "returns": py.RAW_RESPONSE[py.ANY if sent.overloads else sent.returns],
            "overloads": tuple((own, py.RAW_RESPONSE[each]) for own, each in sent.overloads),
        }
        return cls(**given, builder=sent.function)

    @property
    def function(self) -> str:
        """The name of the function that builds the request."""
        return self.builder

    def statement(self, prefix: Prefix) -> Code:
        """Return the statement by which one of the clients sends the request."""
        made = joined("", [call_of(self.function, self.arguments), ".raw"])
        return joined("", ["return ", *["await "] * bool(prefix), Code("self._client.send")(made)])


@dataclass(frozen=True)
class OperationView(MethodView):
    """One operation: its request function and its method.

    Attributes:
        plan: what its method does where it takes several requests.
        extras: further methods that are made of it.
        sends_files: whether it has files, whose sending can be watched.
        supports_reconcile: whether a read shows what became of it.
        any_of: arguments of which at least one has to be given.
    """

    prepare: tuple[tuple[str, Code], ...]
    plan: PlanView | None = None
    extras: tuple[PlanView, ...] = ()
    example_files: tuple[str, ...] = ()
    sends_files: bool = False
    supports_reconcile: bool = False
    command: Cli | None = None
    any_of: tuple[str, ...] = ()

    @property
    def code_pieces(self) -> list[Code]:
        """The code of its function."""
        overloads = [py.OVERLOAD, py.ANY] if self.overloads else []
        return [*self.declarations, self.returns, *overloads, *(code for _, code in self.prepare)]

    @property
    def plans(self) -> tuple[PlanView, ...]:
        """Its calls of several requests."""
        return (self.plan, *self.extras) if self.plan else self.extras

    @property
    def methods(self) -> tuple[OperationView | PlanView, ...]:
        """Its methods, as a user calls them."""
        return (self.plan or self, *self.extras)


AnyMethod = TypeVar("AnyMethod", bound=MethodView)


def in_short(view: AnyMethod) -> AnyMethod:
    """Return the view with an example of what has to be given, or else of one argument."""
    if view.example is None:
        return view
    needed = {each.name for each in view.arguments if each.required}
    optional = [each for each in view.example if each.name and each.name not in needed]
    dropped = optional if len(needed) > view.http.count("{") else optional[1:]
    return replace(view, example=tuple(each for each in view.example if each not in dropped))


@dataclass(frozen=True)
class ArgumentsView:
    """A static method that makes arguments of what was read.

    Attributes:
        parameter: the name of its parameter.
        write_back: the constant with the rules.
        path: the method as a user writes it.
        writes: the method that takes the arguments, as a user writes it.
    """

    name: str
    parameter: str
    model: Code
    write_back: Code
    docstring: str
    summary: str
    path: str
    writes: str


@dataclass(frozen=True)
class ResourceView:
    """A group of operations. `source` is the path of the document that the banner names.

    `write_backs` are constants with their code: how what is read becomes the arguments of a write.
    """

    name: str
    class_name: str
    doc: str
    source: str
    imports: tuple[str, ...]
    operations: tuple[OperationView, ...]
    write_backs: tuple[tuple[str, Code], ...] = ()
    arguments_of: tuple[ArgumentsView, ...] = ()

    @property
    def methods(self) -> list[OperationView | PlanView]:
        """The methods as users call them, in the order of the operations."""
        return [method for each in self.operations for method in each.methods]

    @property
    def raw_methods(self) -> list[RawMethodView]:
        """Those that return the whole response: of each method that is made of one request."""
        sent = {each.name: each for each in self.operations}
        return [
            RawMethodView.of(method, method)
            if method.manner == "modified" or isinstance(method, OperationView)
            else RawMethodView.of(method, sent[method.build])
            for method in self.methods
            if not isinstance(method, PlanView) or method.manner == "modified" or method.build
        ]

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of its methods."""
        return frozenset(each.name for each in self.methods)

    @property
    def functions(self) -> list[str]:
        """The functions of its module."""
        return [
            *(f"build_{each.name}" for each in self.operations),
            *(f"plan_{plan.name}" for each in self.operations for plan in each.plans),
        ]

    @property
    def has_plans(self) -> bool:
        """Whether there are calls of several requests."""
        return any(each.plans for each in self.operations)


@dataclass(frozen=True)
class VariableView:
    """A variable of the address of a server, with its argument and the values that it may have.

    Where others share the argument, `own` are those of this one, if they are not all.
    """

    name: str
    argument: str
    default: str
    allowed: tuple[str, ...]
    doc: str
    shared: bool = False
    own: tuple[str, ...] = ()

    @property
    def type(self) -> str:
        """The type of its argument."""
        return f"Literal[{', '.join(map(literal, self.allowed))}]" if self.allowed else "str"


@dataclass(frozen=True)
class ServerChoiceView:
    """The servers among which a client chooses, by name, each address with variables in braces.

    The argument is empty where there is only one. `follows` is that of the document, whose names
    count here, too.
    """

    argument: str
    addresses: tuple[tuple[str, str], ...]
    variables: tuple[VariableView, ...]
    follows: str = ""

    @property
    def arguments(self) -> tuple[tuple[str, str, str], ...]:
        """The arguments, each with its type and what it is."""
        names = tuple(name for name, _ in self.addresses)
        type_ = f"Literal[{', '.join(map(literal, names))}]"
        shown = ", ".join(f"`{literal(name)}` is `{address}`" for name, address in self.addresses)
        own = (
            ((self.argument, type_, f"the server, by its name: {shown}"),) if self.argument else ()
        )
        return (*own, *((each.argument, each.type, each.doc) for each in self.variables))


@dataclass(frozen=True)
class ServerView:
    """A base address of the client.

    Attributes:
        key: the document whose operations go there; for operations with servers of their own, the
            address of these.
        variable: the environment variable that is read where the argument is left out.
        ends: how the path of the address ends: `/v1`; empty where no path is documented.
        title: the title of the document, or the operations.
        default: the address where the document names one; empty where it leaves that open.
        choice: what else chooses the address; None where the document offers no choice.
        source: of servers of operations, their document.
    """

    key: str
    argument: str
    variable: str
    ends: str
    title: str
    default: str
    choice: ServerChoiceView | None = None
    source: str = ""

    @property
    def beside(self) -> str:
        """The document against whose address it is resolved; empty where it is whole."""
        urls = [url for _, url in self.choice.addresses] if self.choice else []
        is_whole = all("://" in url for url in filter(None, [*urls, self.default]))
        return "" if is_whole else self.source


@dataclass(frozen=True)
class CredentialView:
    """An argument of the client that shows the service who the user is, and where it goes.

    `name` is the header field, the query parameter or the cookie of a key; `variable` is the
    environment variable that is read where the argument is left out. Where OAuth 2 `renews` tokens,
    `renewed_at` has their document, where a program gets one, and where one is renewed; empty where
    the document has no address.
    """

    argument: str
    place: str
    name: str
    variable: str = ""
    renews: bool = False
    renewed_at: tuple[str, str, str] = ("", "", "")

    @property
    def type(self) -> str:
        """The name of its type in the runtime."""
        return "Login" if self.place == "basic" else "Token"

    @property
    def doc(self) -> str:
        """What it is."""
        return {
            "bearer": "the bearer token",
            "basic": "the user name and the password",
            "header": f"the key of the header `{self.name}`",
            "query": f"the key of the query parameter `{self.name}`",
            "cookie": f"the value of the cookie `{self.name}`",
        }[self.place]


@dataclass(frozen=True)
class AttributeView:
    """An attribute that every exception for a status has, read from the body of the error.

    `reader` is the method of the runtime that reads the first of `wires` that is there.
    """

    name: str
    annotation: str
    reader: str
    wires: tuple[str, ...]
    doc: str


@dataclass(frozen=True)
class StartView:
    """The first example: a list in pages, its values under names, and what is shown of items."""

    path: str
    imports: tuple[str, ...]
    values: tuple[str, ...]
    call: str
    item: str
    printed: str


@dataclass(frozen=True)
class ParserView:
    """The function that reads the deliveries of a webhook; `value` is its type where it is one."""

    name: str
    function: str
    type: Code
    value: Code
    docstring: str


@dataclass(frozen=True)
class WebhooksView:
    """All webhooks; `type` is what any of them delivers."""

    imports: tuple[str, ...]
    parsers: tuple[ParserView, ...]
    type: Code
    value: Code


@dataclass(frozen=True)
class DocumentedView:
    """What is documented of a resource; one without methods has no operations.

    Attributes:
        methods: each method with what it does with an object: read, create, update or delete.
        elsewhere: methods of other resources that return its objects, too.
        not_shown: methods that the specification says it lacks.
    """

    section: str = ""
    methods: Mapping[str, str] = field(default_factory=dict)
    elsewhere: tuple[str, ...] = ()
    not_shown: tuple[str, ...] = ()


@dataclass(frozen=True)
class PackageView:
    """The whole package.

    Attributes:
        security: the sets of these of which a request needs any; None where it is any single one.
        runtime_errors: the exceptions that the runtime has as they are, each with its module.
        unexplained: the exceptions that lead to where their bases are explained.
        message_fields: members of an error's body, of which the first that is there is its message.
        exports: each public name of the package itself with its module, sorted.
        class_homes: each class of the models with its module, sorted.
        custom: classes written by hand that take the place of generated ones, with their modules.
        shown: what the README shows, by kind; None, or empty, where there is nothing to show.
        notes: what has another name than the documents say.
        webhooks: what the service delivers by itself; None where that is nothing.
        documented: each resource, and what is documented of it.
        not_shown: the section that lists what the specification does not show; empty for none.
    """

    client: ClientConfig
    sources: tuple[str, ...]
    servers: tuple[ServerView, ...]
    credentials: tuple[CredentialView, ...]
    security: tuple[tuple[str, ...], ...] | None
    resources: tuple[ResourceView, ...]
    modules: tuple[ModuleView, ...]
    runtime_errors: Mapping[str, str]
    status_errors: tuple[StatusErrorView, ...]
    unexplained: tuple[str, ...]
    error_bodies: ErrorBodiesView | None
    attributes: tuple[AttributeView, ...]
    message_fields: tuple[str, ...]
    sections: tuple[tuple[str, str], ...]
    gaps: tuple[tuple[str, Mapping[str, Any]], ...]
    left_out: tuple[tuple[str, tuple[str, ...]], ...]
    exports: tuple[tuple[str, str], ...]
    class_homes: tuple[tuple[str, str], ...]
    rate: RateLimit | None
    shown: Mapping[str, Any]
    objects: tuple[ObjectView, ...]
    notes: tuple[Finding, ...] = ()
    custom: Mapping[str, str] = field(default_factory=dict)
    webhooks: WebhooksView | None = None
    documented: Sequence[tuple[str, DocumentedView]] = ()
    not_shown: str = ""

    @property
    def choices(self) -> list[tuple[str, str, str]]:
        """The arguments that choose servers, each with its type and what it is."""
        choices = (each.choice for each in self.servers)
        made = (argument for each in choices if each for argument in each.arguments)
        return list({argument[0]: argument for argument in made}.values())

    @property
    def has_streams(self) -> bool:
        """Whether a method returns what comes piece by piece."""
        return any(method.manner == "stream" for method in self.methods)

    @property
    def operations(self) -> list[OperationView]:
        """All operations, by resource."""
        return [each for resource in self.resources for each in resource.operations]

    @property
    def methods(self) -> list[OperationView | PlanView]:
        """All methods as users call them, by resource."""
        return [each for resource in self.resources for each in resource.methods]
