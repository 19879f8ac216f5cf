/** Settings from the environment, checked once (design 4). */
import { z } from "zod";
import { LOG_LEVELS } from "./log.ts";

const integer = (least: number, most: number) =>
  z.string().regex(/^[0-9]+$/, "a whole number is required").transform(Number)
    .pipe(z.int().min(least).max(most));

/** Origins as browsers send them, between commas or white space. */
const origins = z.string().transform((text) => text.split(/[\s,]+/).filter((one) => one !== ""))
  .pipe(z.array(z.string().refine(isOrigin, "an origin such as https://app.example is required")));

function isOrigin(text: string): boolean {
  if (/^https?:/.test(text)) return URL.parse(text)?.origin === text;
  // A browser extension's, say.
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#@]+$/.test(text);
}

const Settings = z.object({
  PORT: integer(0, 65_535).default(8080),
  HOST: z.string().min(1).default("127.0.0.1"),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATA_DIR: z.string().min(1).default("./data"),
  DEMO: z.enum(["auto", "off"]).default("auto"),
  MCP_TOOLS: z.enum(["full", "core"]).default("full"),
  ALLOWED_ORIGINS: origins.default([]),
  WORKERS: integer(0, 64).default(1),
  OPERATION_DEADLINE_SECONDS: integer(1, 86_400).default(900),
  OPERATION_RETENTION_DAYS: integer(1, 3_650).default(30),
  LOG_LEVEL: z.enum(LOG_LEVELS).default("info"),
});

/** A setting that is empty counts as not set. */
export type Settings = z.infer<typeof Settings>;

/** A setting that cannot be used; its message names it and never shows its value. */
export class SettingError extends Error {
  override name = "SettingError";
}

/** @throws SettingError */
export function readSettings(
  environment: Record<string, string | undefined> = Deno.env.toObject(),
): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = Settings.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new SettingError(`setting ${String(issue!.path[0])}: ${issue!.message}`);
}
