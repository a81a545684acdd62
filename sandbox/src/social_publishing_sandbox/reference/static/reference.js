"use strict";

// Swagger UI has dark colours, but asks for them only in a layout that is not used here.
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

// Swagger UI complains of every format that it has no field for.
const identifiers = ({ React, getComponent }) => ({
  components: {
    JsonSchema_string_uint64: (props) =>
      React.createElement(getComponent("JsonSchema_string"), props),
  },
});

SwaggerUIBundle({
  url: document.getElementById("reference").dataset.document,
  dom_id: "#reference",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayOperationId: true,
  displayRequestDuration: true,
  validatorUrl: null,
  plugins: [identifiers],
});
