"""Everything that the templates show, worked out beforehand: names, types, text, order.

`view_models` holds the views; the other modules make them, each from those before it:

    catalog       which classes there are, and their names and modules in Python
    descriptions  texts with limits and marks
    models        the modules of models
    objects       the classes of JSON objects
    values        what the text of an argument is read as
    requests      the arguments of an operation and the request that they become
    responses     what it returns
    errors        what it raises
    examples      a call of it
    lookup        what the words of one operation name in others
    write_backs   how what is read becomes the arguments of a write
    plans         the calls that take several requests
    operations    the resources, with all of the above
    webhooks      what the service delivers by itself
    package       the whole
    signatures    classes that are no models, out of their source
    reference     the classes that pages describe
    commands      the catalogue of a command line, and that of the tools for assistants
"""

from pipeline.codegen.views.commands import commands, tools
from pipeline.codegen.views.package import build
from pipeline.codegen.views.reference import reference
from pipeline.codegen.views.view_models import OperationView, PackageView

__all__ = [
    "OperationView",
    "PackageView",
    "build",
    "commands",
    "reference",
    "tools",
]
