"use strict";

// Swagger UI has dark colours, but asks for them only in a layout that is not used here.
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

SwaggerUIBundle({
  url: document.getElementById("reference").dataset.document,
  dom_id: "#reference",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayOperationId: true,
  displayRequestDuration: true,
  validatorUrl: null,
});
