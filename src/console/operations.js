// Keeps the operations of a page in its address, so that a paid result is never lost.
import { useEffect, useRef, useState } from "preact/hooks";
import { randomKey, session, useSession } from "./session.js";

/** Pages that show the results of an action. */
const PAGE_OF_ACTION = {
  search_companies: "search",
  list_observations: "follow",
  get_companies: "lookup",
};

/**
 * Reads the address of a page, such as `#/search/12,13`. The ids are those of the operations whose
 * results the page shows.
 */
export function routeOf(hash) {
  const [, page, ids = ""] = /^#\/?(\w+)(?:\/(\d+(?:,\d+)*))?$/.exec(hash) ?? [];
  return { page, ids };
}

/** Returns the address that shows the result of a request; undefined if no page shows it. */
export function resultAddress(exchange) {
  const id = operationOf(exchange);
  const { answer, state, action } = exchange;
  if (id === undefined || state === "failed" || state === "sending") return;
  const page = PAGE_OF_ACTION[action] ?? pageOfAnswer(answer);
  return page && `#/${page}/${id}`;
}

/** Returns the page for an operation that was opened by its number, by the form of its answer. */
function pageOfAnswer({ lookups, domains, observations, coverage, companies }) {
  if (lookups) return "lookup";
  if (domains) return "follow";
  if (observations) return "observations";
  return coverage && companies ? "search" : undefined;
}

const operationOf = (exchange) => exchange.operation ?? exchange.answer?.usage?.id;

/** Returns the ids for an address; an empty text while one of them is not known yet. */
function idsOf(pages) {
  const ids = pages.map(operationOf);
  return ids.includes(undefined) ? "" : ids.join(",");
}

/**
 * Returns the requests of a page, the ids that its address has opened, the key of the next request,
 * and functions that send a request and repeat the last one. A new result changes the address. An
 * address with ids shows their results, which are read free.
 * @param {string} name name of the page in its address
 * @param {string} ids operations in the present address
 */
export function useOperations(name, ids) {
  useSession();
  const [key, setKey] = useState(randomKey);
  const [pages, setPages] = useState([]);
  /** Operations that were opened by the address, and not sent by this page. */
  const [opened, setOpened] = useState("");
  const shown = useRef("");
  const answered = idsOf(pages);
  useEffect(() => {
    if (ids === "" || ids === shown.current) return;
    shown.current = ids;
    setOpened(ids);
    setPages(ids.split(",").map((id) => session.open(Number(id))));
  }, [ids]);
  useEffect(() => {
    if (answered === "" || answered === shown.current) return;
    shown.current = answered;
    // A page that the user has left keeps its result, but does not come back by itself.
    if ((routeOf(location.hash).page ?? "search") === name) location.hash = `/${name}/${answered}`;
  }, [answered]);
  const run = (call, before = []) => {
    setKey(randomKey());
    setOpened("");
    const exchange = session.start({ ...call, key });
    setPages([...before, exchange]);
    return exchange.finished;
  };
  const repeat = () => run(pages.at(-1), pages.slice(0, -1));
  return { key, pages, opened, last: pages.at(-1), run, repeat };
}
