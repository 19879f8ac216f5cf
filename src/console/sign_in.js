// Shows a form to sign in with a key, or with the key of the demo if the service offers it.
import { useEffect, useState } from "preact/hooks";
import { Fault, Field, html } from "./parts.js";
import { BASE } from "./requests.js";
import { session } from "./session.js";

export function SignIn() {
  const [key, setKey] = useState("");
  const [keep, setKeep] = useState(false);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState(session.notice);
  const demo = useDemoKey();
  const signIn = async (entered) => {
    setBusy(true);
    setFault(undefined);
    setFault(await session.signIn(entered.trim(), keep));
    setBusy(false);
  };
  return html`
    <main class="sign-in" tabindex="-1">
      <h1>Dated observations about companies, with their evidence</h1>
      <p class="lead">Search, follow and look up companies, and see what each request costs.</p>
      ${fault && html`<${Fault} answer=${fault} />`}
      ${demo && html`
        <section class="panel demo">
          <h2>Try the demo</h2>
          <p>This service holds made-up companies only. Its demo key has 100 requests an hour.</p>
          <button type="button" class="primary" disabled=${busy} onClick=${() => signIn(demo)}>
            Use the demo key</button>
        </section>
      `}
      <form class="panel" onSubmit=${(event) => (event.preventDefault(), signIn(key))}>
        <h2>Sign in with a key</h2>
        <${Field} label="API key" hint="It begins with ce_ and is sent to this service only.">${(
          ids,
        ) =>
          html`
            <input ...${ids} type="password" required autocomplete="off" spellcheck="false"
              value=${key} onInput=${({ target }) => setKey(target.value)} />
          `}<//>
        <label class="check"><input type="checkbox" checked=${keep}
          onChange=${({ target }) => setKeep(target.checked)} />
          Keep it until this tab is closed</label>
        <button class=${demo ? "" : "primary"} disabled=${busy}>Sign in</button>
        ${!demo &&
          html`<p class="quiet">On a first start the key of the demo is in the file${" "}
          <code>demo_key</code> of the data directory. Operators make others with${" "}
          <code>admin key create</code>.</p>`}
      </form>
    </main>
  `;
}

/**
 * Returns the demo's key. The service returns it only to browsers on the machine of the service.
 */
export function useDemoKey() {
  const [key, setKey] = useState();
  useEffect(() => {
    fetch(`${BASE}console/demo_key`, { cache: "no-store", credentials: "omit" })
      .then((response) => response.ok ? response.json() : {})
      .then(({ demo_key }) => setKey(demo_key ?? undefined), () => {});
  }, []);
  return key;
}
