// Page of a guide, whose text the service has written: its header, the search over all guides, and
// buttons that copy code.
import { render } from "preact";
import { useState } from "preact/hooks";
import { excerptOf, guideSections, sectionsWith } from "./find.js";
import { Copy, html, Top } from "./parts.js";
import { count } from "./words.js";

/** Address of the service in the Markdown files. The page shows its own address instead. */
const DOCUMENTED = "http://127.0.0.1:8080";

const BASE = new URL("..", document.baseURI).href.replace(/\/$/, "");

const SEARCHED_MAX = 12;

let loading;

/** Returns the sections of all guides. They are requested when a reader first searches. */
function load() {
  loading ??= fetch("guides.json").then((answer) => answer.json()).then(guideSections);
  loading.catch(() => loading = undefined);
  return loading;
}

function Search() {
  const [phrase, setPhrase] = useState("");
  const [sections, setSections] = useState();
  const [failed, setFailed] = useState(false);
  const search = async (text) => {
    setPhrase(text);
    try {
      setSections(await load());
      setFailed(false);
    } catch {
      setFailed(true);
    }
  };
  const isSearch = phrase.trim() !== "";
  const found = isSearch && sections ? sectionsWith(sections, phrase) : [];
  return html`
    <search>
      <label class="sr" for="find">Search the guides</label>
      <input id="find" type="search" placeholder="Search the guides" value=${phrase}
        onInput=${({ target }) => search(target.value)} />
      <p class="quiet" role="status">${failed
        ? "The guides could not be loaded. Try again."
        : isSearch && sections
        ? `${count(found.length, "section")} found`
        : ""}</p>
      <ul class="found">
        ${found.slice(0, SEARCHED_MAX).map(({ guide, anchor, title, text }) =>
          html`
            <li key=${guide + anchor}>
              <a href=${anchor ? `${guide}#${anchor}` : guide}>${title}</a>
              <p class="quiet">${excerptOf(text, phrase)}</p>
            </li>
          `
        )}
      </ul>
    </search>
  `;
}

/** Draws a part in an element, in place of what the service has written there. */
function drawIn(id, part) {
  const element = document.getElementById(id);
  element.replaceChildren();
  render(part, element);
}

/** Replaces the documented address in texts by the address of this service. */
function showOwnAddress() {
  for (const element of document.querySelectorAll("article code, article a")) {
    for (const node of element.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || !node.data.includes(DOCUMENTED)) continue;
      node.data = node.data.replaceAll(DOCUMENTED, BASE);
    }
  }
}

function addCopyButtons() {
  for (const block of document.querySelectorAll("article .code")) {
    const place = document.createElement("div");
    block.append(place);
    const text = block.querySelector("code").textContent;
    render(html`<${Copy} text=${text} what=${block.querySelector("pre").ariaLabel} />`, place);
  }
}

drawIn("top", html`<${Top} page="guides" root="../" />`);
drawIn("search", html`<${Search} />`);
showOwnAddress();
addCopyButtons();
document.querySelector(".contents").open = matchMedia("(min-width: 1021px)").matches;
