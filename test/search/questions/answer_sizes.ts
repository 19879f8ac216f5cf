/** The length of answers about real records. */
import assert from "node:assert/strict";
import type { Service } from "../../../bench/relevance/service.ts";
import { asking, type TestApp } from "../../support/app.ts";
import { rpc, toolCall } from "../../support/mcp.ts";

/**
 * Max median and max length of an answer. An agent reads at most 25,000 tokens of an answer, each
 * of about 2.5 characters of JSON.
 */
const MEDIAN_CHARACTERS = 48_000;
const MAX_CHARACTERS = 60_000;

/** Questions about all sources, first about those with the longest records. */
const QUESTIONS = `
tenders for software development
request for proposal for engineering services
snow removal services
construction of a bridge
HVAC maintenance and repair
supply of laboratory equipment
translation services English French
consulting services for information technology
security guard services
janitorial and custodial services
services de traduction
entretien ménager des immeubles
travaux de réfection
location de véhicules
cybersecurity professional services
medical supplies and equipment
watermain replacement
road resurfacing in Toronto
landscape maintenance
architectural design services
elevator modernization
purchase of trucks and vehicles
waste collection and recycling
playground equipment installation
environmental assessment of soil
marine engine overhaul
software engineer job
senior developer remote
sales position in New York
product manager posting
machine learning engineer
companies using Kubernetes
companies that use React and TypeScript
Ruby on Rails remote company
departure of a chief financial officer
election of a new director
material definitive agreement with a bank
Series A round in biotech
seed funding in San Francisco
venture round of a clean energy company
Series B software company in Massachusetts
angel round mobile advertising
medical device company raised money
legal entity in Ontario
holding company in Delaware
fund registered in Canada
private placement of shares
real estate offering exempt
university research services
training and education services
`.trim().split("\n");

/**
 * Max length of a whole MCP message, as a multiple of that of an HTTP answer. The message contains
 * the answer twice: structured, and as text for clients that read only text. A model is shown one
 * of the two. Measured: a median of 71,297 characters and a max of 98,212. Over HTTP, they are
 * 34,608 and 47,931.
 */
const MCP_FACTOR = 2.2;

/** Asserts that answers to 50 questions about real records are small enough for an agent. */
export async function assertSmallAnswers({ app, key }: Service): Promise<void> {
  const service = asking(app);
  await checkLengths("companies", 1, (query) => companiesLength(service, key, query));
  await checkLengths("observations", 1, (query) => observationsLength(service, key, query));
  await checkLengths("MCP", MCP_FACTOR, (query) => answerLength(service, key, query));
}

/** Min number of questions with results, because an empty answer is always short. */
const MIN_ANSWERED = 45;
let answered = 0;

async function checkLengths(
  what: string,
  factor: number,
  lengthOf: (query: string) => Promise<number>,
): Promise<void> {
  const lengths: number[] = [];
  answered = 0;
  for (const query of QUESTIONS) lengths.push(await lengthOf(query));
  assert.ok(answered >= MIN_ANSWERED, `${what}: ${answered} questions were answered`);
  lengths.sort((a, b) => a - b);
  const median = lengths[lengths.length >> 1]!;
  const max = lengths.at(-1)!;
  assert.ok(median <= factor * MEDIAN_CHARACTERS, `${what}: median ${median}`);
  assert.ok(max <= factor * MAX_CHARACTERS, `${what}: max ${max}`);
}

async function companiesLength({ search }: TestApp, key: string, query: string): Promise<number> {
  const { status, body } = await search({ query, limit: 10 }, {
    key,
    request_key: encodeURI(query),
  });
  assert.equal(status, 200, query);
  answered += body.companies.length > 0 ? 1 : 0;
  return JSON.stringify(body).length;
}

async function observationsLength({ app }: TestApp, key: string, query: string): Promise<number> {
  const call = toolCall("search_observations", {
    query,
    limit: 25,
    request_key: `o ${encodeURI(query)}`,
  });
  const { body } = await rpc(app, call, { key });
  assert.notEqual(body.result.isError, true, query);
  answered += body.result.structuredContent.observations.length > 0 ? 1 : 0;
  return JSON.stringify(body.result.structuredContent).length;
}

/** Returns the length of the complete message that a client receives. */
async function answerLength({ app }: TestApp, key: string, query: string): Promise<number> {
  const call = toolCall("search_companies", {
    query,
    limit: 10,
    // This is the key of the same search over HTTP, whose answer is replayed.
    request_key: encodeURI(query),
  });
  const { body } = await rpc(app, call, { key });
  assert.notEqual(body.result.isError, true, query);
  answered += body.result.structuredContent.companies.length > 0 ? 1 : 0;
  return JSON.stringify(body).length;
}
