/**
 * Writes statements as tagged templates. A value becomes a parameter, and a statement within a
 * statement becomes a part of it.
 */

/** A statement. It is sent when it is first awaited. */
export interface Statement<Rows> extends Promise<Rows> {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
}

// deno-lint-ignore no-explicit-any -- each caller names the type of its rows
type Row = Record<string, any>;

/** Function that writes statements. A bigint becomes a number, because ids stay below 2^53. */
export interface Sql {
  <Rows extends readonly unknown[] = Row[]>(
    strings: TemplateStringsArray,
    ...values: readonly unknown[]
  ): Statement<Rows>;
  /** Returns a value as JSON. Lists need it: the driver sends them as arrays of SQL. */
  json(value: unknown): string;
  /** Sends a text. Without values it may contain several statements. */
  unsafe<Rows extends readonly unknown[] = Row[]>(
    text: string,
    values?: readonly unknown[],
  ): Promise<Rows>;
  /**
   * Runs work in a transaction on one connection. Commits when the work ends, and rolls back if it
   * fails.
   */
  begin<Result>(work: (tx: Sql) => Promise<Result> | Result): Promise<Result>;
}

/** Text of a statement with numbered parameters. Without values, it may be several statements. */
export interface Command {
  text: string;
  values?: unknown[];
}

/** Functions that send statements. */
interface Sender {
  /** Sends a command, and returns its rows. */
  send(command: Command): Promise<readonly unknown[]>;
  begin<Result>(work: (tx: Sql) => Promise<Result> | Result): Promise<Result>;
}

/** Creates the function that writes statements for a sender. */
export function createSql({ send, begin }: Sender): Sql {
  const write = (strings: TemplateStringsArray, ...values: unknown[]) =>
    new Lazy(strings, values, send);
  return Object.assign(write, {
    json: (value: unknown) => JSON.stringify(value),
    unsafe: (text: string, values?: unknown[]) => send({ text, values }),
    begin,
  }) as unknown as Sql;
}

/** Numbers the parameters of a statement, and puts its parts together. */
export function commandOf(
  { strings, values }: Pick<Statement<unknown>, "strings" | "values">,
  parameters: unknown[] = [],
): Required<Command> {
  const parts = values.map((value) => {
    if (value instanceof Lazy) return commandOf(value, parameters).text;
    if (value === undefined) throw new TypeError("a parameter of a statement is undefined");
    return `$${parameters.push(value)}`;
  });
  return { text: String.raw({ raw: strings }, ...parts), values: parameters };
}

/** A statement that is sent once, when its promise is first used. */
class Lazy implements Statement<unknown> {
  readonly [Symbol.toStringTag] = "Statement";
  #outcome: Promise<unknown> | undefined;

  constructor(
    readonly strings: readonly string[],
    readonly values: readonly unknown[],
    readonly send: Sender["send"],
  ) {}

  get #result(): Promise<unknown> {
    return this.#outcome ??= this.send(commandOf(this));
  }

  then: Promise<unknown>["then"] = (...callbacks) => this.#result.then(...callbacks);

  catch: Promise<unknown>["catch"] = (callback) => this.#result.catch(callback);

  finally: Promise<unknown>["finally"] = (callback) => this.#result.finally(callback);
}
