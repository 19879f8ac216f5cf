/**
 * Client of the company evidence service. It creates idempotency keys, repeats unanswered requests
 * with the same key, polls unfinished operations, and goes from page to page.
 */
import type { Allowance } from "./allowance.ts";
import type { components, operations } from "./openapi.ts";
import {
  type ClientAnswer,
  type ClientOptions,
  type ClientRequest,
  Transport,
} from "./transport.ts";

export type { Allowance, AllowanceShare } from "./allowance.ts";
export * from "./errors.ts";
export type { ClientOptions, Timing } from "./transport.ts";

type Schemas = components["schemas"];

export type Company = Schemas["Company"];
export type CompanyLookupResult = Schemas["CompanyLookupResult"];
export type CompanySearchRequest = Schemas["CompanySearchRequest"];
export type CompanySearchResult = Schemas["CompanySearchResult"];
export type FoundCompany = Schemas["FoundCompany"];
export type Observation = Schemas["Observation"];
export type ObservationListResult = Schemas["ObservationListResult"];
export type Operation = Schemas["Operation"];
export type OperationResult = Schemas["OperationResult"];
export type PendingResult = Schemas["PendingResult"];
export type SearchFilters = Schemas["SearchFilters"];
export type UsageReport = Schemas["UsageReport"];

/** Query parameters by the names of their fields: `domains` in place of `domains[]`. */
type Fields<Query> = {
  [Name in keyof Query as Name extends `${infer Field}[]` ? Field : Name]: Query[Name];
};
type Lists<Action extends keyof operations> = Fields<
  NonNullable<operations[Action]["parameters"]["query"]>
>;

/** Companies to look up: 1 to 20 ids, or 1 to 20 hostnames. */
export type CompanyLookupRequest = Lists<"get_companies">;
/** Hostnames and options of a listing of observations. */
export type ObservationListRequest = Lists<"list_observations">;

/** Options of every call. */
export interface CallOptions {
  /**
   * Aborts the call. If the service has begun the operation, it finishes the operation. A later
   * call with the same key returns the result.
   */
  signal?: AbortSignal;
}

/** Options of a call that costs units. */
export interface MeteredOptions extends CallOptions {
  /**
   * Idempotency key. By default each call creates a new one. A program that may be killed stores
   * the key before the call, and repeats the call with it. The call is charged once. The second and
   * later pages use the key with `/2`, `/3` and so on appended.
   */
  request_key?: string;
}

/** Seconds until the next poll if an answer has no Retry-After. */
const POLL_SECONDS = 1;

/** A client of one service, with one key. */
export class EvidenceClient {
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
  }

  /** Allowance according to the latest answer that stated it; undefined before the first one. */
  get allowance(): Allowance | undefined {
    return this.#transport.allowance;
  }

  /** Searches companies. Waits for the result, also with `background: true`. */
  async searchCompanies(
    request: CompanySearchRequest,
    options: MeteredOptions = {},
  ): Promise<CompanySearchResult> {
    const answer = await this.#search<CompanySearchResult | PendingResult>(request, options);
    return await this.#finished<CompanySearchResult>(answer, options);
  }

  /** Searches companies page by page. Each page is a separate request and costs units. */
  searchPages(
    request: CompanySearchRequest,
    options: MeteredOptions = {},
  ): AsyncGenerator<CompanySearchResult> {
    return pagesOf(
      options,
      (page, cursor) =>
        this.searchCompanies(cursor === undefined ? request : { ...request, cursor }, page),
    );
  }

  /**
   * Starts a search in the background and returns its operation, without waiting for the result.
   */
  async startSearch(
    request: CompanySearchRequest,
    options: MeteredOptions = {},
  ): Promise<Operation> {
    const { body } = await this.#search<PendingResult>({ ...request, background: true }, options);
    return body.usage;
  }

  /** Looks companies up by `ids` or by `domains`. */
  async getCompanies(
    request: CompanyLookupRequest,
    options: MeteredOptions = {},
  ): Promise<CompanyLookupResult> {
    return await this.#request<CompanyLookupResult>("api/companies", request, options);
  }

  /** Lists the observations about hostnames that were recorded after `since`. */
  async listObservations(
    request: ObservationListRequest,
    options: MeteredOptions = {},
  ): Promise<ObservationListResult> {
    return await this.#request<ObservationListResult>("api/observations", request, options);
  }

  /**
   * Lists observations page by page. To continue later, pass the last page's `as_of` as `since`.
   */
  observationPages(
    request: ObservationListRequest,
    options: MeteredOptions = {},
  ): AsyncGenerator<ObservationListResult> {
    return pagesOf(
      options,
      (page, cursor) =>
        this.listObservations(cursor === undefined ? request : { ...request, cursor }, page),
    );
  }

  /** Reads one company. It costs nothing. */
  async getCompany(id: number, options: CallOptions = {}): Promise<Company> {
    return (await this.#read<Schemas["CompanyResult"]>(`api/companies/${id}`, options)).company;
  }

  /** Reads one observation. It costs nothing. */
  async getObservation(id: number, options: CallOptions = {}): Promise<Observation> {
    const { observation } = await this.#read<Schemas["ObservationResult"]>(
      `api/observations/${id}`,
      options,
    );
    return observation;
  }

  /** Reads an operation. Returns its result, or only the operation if it is unfinished. */
  getOperation(
    id: number,
    options: CallOptions = {},
  ): Promise<OperationResult | PendingResult> {
    return this.#read(`api/usages/${id}`, options);
  }

  /** Polls an operation until it is finished, and returns its result. */
  async waitForOperation<Result = OperationResult>(
    id: number,
    options: CallOptions = {},
  ): Promise<Result> {
    const poll = () =>
      this.#send<Result | PendingResult>({ method: "GET", path: `api/usages/${id}` }, options);
    let answer = await poll();
    while (answer.status === 202) {
      const { retry_after_seconds = POLL_SECONDS } = answer;
      await this.#transport.timing.pause(retry_after_seconds, options.signal);
      answer = await poll();
    }
    return answer.body as Result;
  }

  /** Reads the usage and the limits of the subscription. It costs nothing. */
  getUsage(options: CallOptions = {}): Promise<UsageReport> {
    return this.#read("api/usage", options);
  }

  #search<Body>(
    request: CompanySearchRequest,
    options: MeteredOptions,
  ): Promise<ClientAnswer<Body>> {
    const path = "api/companies/search";
    return this.#send<Body>({ method: "POST", path, body: request }, metered(options));
  }

  /** Sends a metered request with its fields in the query string, and waits for its result. */
  async #request<Result>(path: string, fields: object, options: MeteredOptions): Promise<Result> {
    const request: ClientRequest = { method: "GET", path: path + queryOf(fields) };
    const answer = await this.#send<Result | PendingResult>(request, metered(options));
    return await this.#finished<Result>(answer, options);
  }

  async #read<Body>(path: string, options: CallOptions): Promise<Body> {
    return (await this.#send<Body>({ method: "GET", path }, options)).body;
  }

  #send<Body>(request: ClientRequest, options: MeteredOptions): Promise<ClientAnswer<Body>> {
    const { signal, request_key } = options;
    return this.#transport.send<Body>({ ...request, signal, request_key });
  }

  /** Returns the result of an answer. If the operation is unfinished, polls it first. */
  async #finished<Result>(
    { status, body, retry_after_seconds = POLL_SECONDS }: ClientAnswer<Result | PendingResult>,
    { signal }: CallOptions,
  ): Promise<Result> {
    if (status !== 202) return body as Result;
    await this.#transport.timing.pause(retry_after_seconds, signal);
    return await this.waitForOperation<Result>((body as PendingResult).usage.id, { signal });
  }
}

/** Returns the options with a key, which is the same for all attempts of the call. */
function metered({ signal, request_key = createRequestKey() }: MeteredOptions): MeteredOptions {
  return { signal, request_key };
}

/**
 * Returns a new idempotency key. Node 18 has no global `crypto`, and browsers have no `randomUUID`
 * on pages without TLS. There it uses Math.random. A key must be unique, but need not be secret.
 */
export function createRequestKey(): string {
  const { crypto } = globalThis as { crypto?: Partial<Crypto> };
  if (crypto?.randomUUID !== undefined) return crypto.randomUUID();
  const part = () => Math.floor(Math.random() * 2 ** 48).toString(36).padStart(10, "0");
  return `${Date.now().toString(36)}-${part()}-${part()}-${part()}`;
}

/** Yields pages until one has no next cursor. Each page is requested with a separate key. */
async function* pagesOf<Page extends { next_cursor: string | null }>(
  { signal, request_key }: MeteredOptions,
  requestPage: (options: MeteredOptions, cursor?: string) => Promise<Page>,
): AsyncGenerator<Page> {
  let cursor: string | undefined;
  for (let number = 1;; number++) {
    const suffix = number === 1 ? "" : `/${number}`;
    const key = request_key === undefined ? createRequestKey() : `${request_key}${suffix}`;
    const page = await requestPage({ signal, request_key: key }, cursor);
    yield page;
    if (page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}

function queryOf(fields: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (Array.isArray(value)) { for (const one of value) query.append(`${name}[]`, String(one)); }
    else if (value != null) query.append(name, String(value));
  }
  return `?${query}`;
}
