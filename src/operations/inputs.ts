/** Converts the raw inputs of a door into inputs of an action. */
import type { z } from "zod";
import { faultsOf, type FieldFault, refusalOf } from "../contract/faults.ts";
import { IDEMPOTENCY_KEY, RequestKey } from "../contract/request_key.ts";
import type { MeteredAction, NormalizedRequest, ReadAction } from "./action.ts";

/** Inputs of a request as a door has read them, before any check. */
export interface RawInputs {
  /** Absent if the inputs could not be read; `faults` then contains the reason. */
  inputs?: unknown;
  /** Faults that only the door can detect. */
  faults?: readonly FieldFault[];
}

/** A metered request as a door has read it. */
export interface RawRequest extends RawInputs {
  request_key?: unknown;
  /** True if the door requests background work, whatever the inputs request. */
  background?: true;
}

/**
 * Parses the inputs of a metered action and its request key.
 * @throws Failure that names all faults, with the action's code for invalid inputs; invalid_cursor
 * if only the cursor is wrong; any refusal of the action
 */
export function readRequest<Inputs extends object>(
  action: MeteredAction<Inputs>,
  raw: RawRequest,
): { request: NormalizedRequest<Inputs>; request_key: string } {
  const { data, faults } = parse(action.input, raw);
  const keyFaults = requestKeyFaults(raw);
  if (keyFaults.length + faults.length > 0) {
    throw refusalOf(action.invalid_input, [...keyFaults, ...faults]);
  }
  const { cursor = null, background = false, ...inputs } = data!;
  const request = {
    inputs: inputs as unknown as Inputs,
    cursor,
    background: raw.background ?? background,
  };
  action.refuse?.(request);
  return { request, request_key: raw.request_key as string };
}

/**
 * Parses the inputs of a read.
 * @throws Failure that names all faults, with the action's code for invalid inputs
 */
export function readInputs<Inputs>(action: ReadAction<Inputs>, raw: RawInputs): Inputs {
  const { data, faults } = parse(action.input, raw);
  if (faults.length > 0) throw refusalOf(action.invalid_input, faults);
  return data!;
}

function parse<Output>(
  schema: z.ZodType<Output>,
  raw: RawInputs,
): { data?: Output; faults: readonly FieldFault[] } {
  const seen = raw.faults ?? [];
  if (!("inputs" in raw)) return { faults: seen };
  const { data, error } = schema.safeParse(raw.inputs);
  return { data, faults: error === undefined ? seen : [...seen, ...faultsOf(error)] };
}

function requestKeyFaults({ request_key, faults = [] }: RawRequest): FieldFault[] {
  // The door has already reported that the header may hold two keys.
  if (faults.some(({ path }) => path[0] === IDEMPOTENCY_KEY)) return [];
  if (request_key === null || request_key === undefined || request_key === "") {
    return [{ path: KEY_PATH, sentence: KEY_REQUIRED }];
  }
  const [issue] = RequestKey.safeParse(request_key).error?.issues ?? [];
  return issue === undefined ? [] : [{ path: KEY_PATH, sentence: issue.message }];
}

const KEY_REQUIRED =
  "a key is required; make up a new one, such as a UUID, for every new request, and repeat it to retry";

/**
 * Names of the request key in messages: the header of both doors, and the argument of the tools
 * that have one.
 */
const KEY_PATH = [`${IDEMPOTENCY_KEY} (or the argument request_key, if the tool has it)`];
