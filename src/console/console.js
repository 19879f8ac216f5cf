// The console: its pages, and a form to sign in before they are shown.
import { useEffect, useRef, useState } from "preact/hooks";
import { ActivityPage, AllowancePage } from "./account_pages.js";
import { AgentsPage } from "./agents_page.js";
import { ListingPage, LookupPage, ObservationsPage } from "./domains_pages.js";
import { routeOf } from "./operations.js";
import { draw, html, Top } from "./parts.js";
import { SearchPage } from "./search_page.js";
import { session, useSession } from "./session.js";
import { SignIn } from "./sign_in.js";

/** Pages by the fragment of their address. */
const PAGES = {
  search: ["Search", SearchPage],
  follow: ["Follow", ListingPage],
  lookup: ["Look up", LookupPage],
  activity: ["Activity", ActivityPage],
  allowance: ["Allowance", AllowancePage],
  agents: ["Connect your agent", AgentsPage],
  observations: ["Observations", ObservationsPage],
};

/** Pages without a tab until an operation has been opened in them. */
const RARE_PAGES = ["observations"];

/** Returns the page of the present address, and the operations that it shows. */
function present() {
  const { page, ids } = routeOf(location.hash);
  return page !== undefined && Object.hasOwn(PAGES, page)
    ? { page, ids, address: location.hash }
    : { page: "search", ids: "", address: "#search" };
}

function Console() {
  const { key } = useSession();
  const [{ page, ids, address }, setPlace] = useState(present);
  /** Last address of each page, to which its tab leads back. */
  const addresses = useRef({});
  addresses.current[page] = address;
  useEffect(() => {
    const follow = () => setPlace(present());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  useEffect(() => {
    const title = key || page === "agents" ? PAGES[page][0] : "Sign in";
    document.title = `${title} · Company evidence`;
  }, [page, key]);
  useEffect(() => void session.refreshAllowance(), [key]);
  const isFirst = useRef(true);
  useEffect(() => {
    // The focused form was removed, so the focus moves to the content.
    if (!isFirst.current) document.querySelector("main").focus();
    isFirst.current = false;
  }, [key]);
  if (!key && page === "agents") {
    return html`
      <${Top} page="console"><a class="pill" href="#search">Sign in</a><//>
      <main tabindex="-1">
        <${AgentsPage} />
      </main>
    `;
  }
  if (!key) {
    return html`
      <${Top} page="console"><a class="pill" href="#agents">Connect your agent</a><//>
      <${SignIn} />
    `;
  }
  return html`
    <a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
    <${Top} page="console">
      <${Account} />
      <//>
      <nav class="tabs-bar" aria-label="Console">
      ${Object.entries(PAGES).filter(([name]) =>
        !RARE_PAGES.includes(name) || addresses.current[name]
      ).map(([name, [label]]) =>
        html`<a href=${addresses.current[name] ?? `#${name}`} aria-current=${
          name === page ? "page" : undefined
        }>${label}</a>`
      )}
      </nav>
      <main id="main" tabindex="-1">
      ${// Hidden pages remain in the document, so that they keep their results.
      Object.entries(PAGES).map(([name, [, Page]]) =>
        html`
          <div key=${name} hidden=${name !== page}>
            <${Page} ids=${name === page ? ids : ""} />
          </div>
        `
      )}
      </main>
  `;
}

function skip(event) {
  event.preventDefault();
  document.getElementById("main").focus();
}

/** Signs out. The address no longer names an operation, which may not be the next user's. */
function signOut() {
  location.hash = "search";
  session.signOut();
}

function Account() {
  const { allowance, exchanges } = useSession();
  const waiting = exchanges.filter(({ state }) => state === "waiting").length;
  const left = allowance && allowance.limits.request_units - allowance.usage.request_units;
  return html`
    ${waiting > 0 && html`
      <a class="pill"
        href="#activity">${waiting}<span><span class="wide"> in the</span> background</span></a>
    `}
    ${allowance && html`
      <a class="pill" href="#allowance"
        title="Requests left in this window"><b>${left}</b><span> <span class="wide">requests </span>left</span></a>
    `}
    <button type="button" class="small" onClick=${signOut}>Sign out</button>
  `;
}

draw(html`<${Console} />`);
openForPrint();

/** Shows the evidence of all results on paper, and closes it again after printing. */
function openForPrint() {
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll(".results details:not([open])")];
    for (const one of opened) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of opened) one.open = false;
  });
}
