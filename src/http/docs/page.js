// Shows /openapi.json as a searchable reference whose requests can be tried.

/** Every text that a search looks into. */
function searchable(operation) {
  return JSON.stringify([
    operation.get("path"),
    operation.get("method"),
    ...["operationId", "summary", "description", "parameters"].map((name) =>
      operation.getIn(["operation", name])
    ),
  ]).toLowerCase();
}

/** The renderer looks for tags only; here an operation stays when it has all words. */
function opsFilter(taggedOperations, phrase) {
  const words = phrase.toLowerCase().split(/\s+/);
  return taggedOperations
    .map((tagged, tag) =>
      tagged.update(
        "operations",
        (operations) =>
          operations.filter((operation) =>
            words.every((word) =>
              tag.toLowerCase().includes(word) || searchable(operation).includes(word)
            )
          ),
      )
    )
    .filter((tagged) => tagged.get("operations").size > 0);
}

/** A key of its own for the requests that are tried from this page. */
function withKey(contract) {
  for (const path of Object.values(contract.paths)) {
    for (const operation of Object.values(path)) {
      const key = operation.parameters?.find(({ name }) => name === "Idempotency-Key");
      if (key) key.example = crypto.randomUUID();
    }
  }
  return contract;
}

const contract = await (await fetch("/openapi.json")).json();
globalThis.SwaggerUIBundle({
  spec: withKey(contract),
  dom_id: "#reference",
  deepLinking: true,
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  // The renderer would ask a server of its own.
  validatorUrl: null,
  plugins: [() => ({ fn: { opsFilter } })],
});
// The renderer says only that it filters by tag.
const labelled = new MutationObserver(() => {
  const box = document.querySelector(".operation-filter-input");
  if (!box) return;
  labelled.disconnect();
  box.type = "search";
  box.placeholder = "Search the reference";
  box.ariaLabel = box.placeholder;
});
labelled.observe(document.body, { childList: true, subtree: true });
