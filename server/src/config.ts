/** The environment, read once: validated as a whole, frozen, and every fault listed together. */
import { readFileSync } from "node:fs";
import { ESCAPE_ADVICE, hasStrayAt, parseDatabaseUrl, splitDatabaseUrls } from "#lib/database-url.ts";
import { Misuse } from "#lib/errors.ts";
import { parseSecretKeys, type SecretKey } from "#lib/sealed.ts";

export type Config = {
  host: string;
  port: number;
  opsHost: string;
  /** The process answers /livez, /readyz and /metrics here; null: nowhere. */
  opsPort: number | null;
  /** Where clients reach the service; links are built on it. Null: as each request says. */
  publicUrl: string | null;
  databaseUrl: string;
  databaseConnectionsMax: number;
  redisUrl: string | null;
  cell: number;
  /** How many cells there are. */
  cells: number;
  /** Off: nothing is sent to anybody. */
  outbound: "on" | "off";
  logLevel: string;
  /** Several processes may listen on one port (SO_REUSEPORT), which makes restarts seamless without a proxy. */
  reusePort: boolean;
  /** Addresses whose X-Forwarded-* headers are believed; none by default. */
  trustedProxies: string[];
  ratePerMinute: number;
  unauthenticatedRatePerMinute: number;
  /** For one address and each of the three OAuth endpoints. */
  oauthRatePerMinute: number;
  /** For one address: pages, files and documents that need no token. */
  pageRatePerMinute: number;
  /** Calls of the console for one person; a venue and an address may make five times as many. */
  consoleRatePerMinute: number;
  /** More than these are refused at once, so that those who are let in are answered in time. */
  requestsAtOnceMax: number;
  drainMs: number;
  /** Seal what must be read again, such as signing secrets: the first seals, all open. None: nothing can be sealed. */
  secretKeys: readonly SecretKey[];
  /** Where mail to guests goes out; null: none does. */
  smtpUrl: string | null;
  mailFrom: string;
  smsGatewayUrl: string | null;
  smsGatewayToken: string | null;
  /** Calling codes such as `+39` that text messages may go to; none: all. */
  smsCountries: readonly string[];
  /** In 24 hours, for one venue. */
  smsPerVenueMax: number;
  mailsPerVenueMax: number;
};

type Setting = {
  meaning: string;
  fallback: string | null;
  /** For the guide: what happens where there is no value, or what the fallback does not say. */
  without?: string;
};

/** The guide's table is made of it, in this order. */
export const SETTINGS = {
  DATABASE_URL: { meaning: "PostgreSQL, as `comanda_app` or a member of it", fallback: null, without: "required" },
  MIGRATION_DATABASE_URL: {
    meaning: "PostgreSQL, as the schema's owner; only `migrate`, `venue move`, `app copy`, `proxy map` and `restored` read it",
    fallback: null,
  },
  HOST: { meaning: "address to listen on; `0.0.0.0` for all", fallback: "127.0.0.1" },
  PORT: { meaning: "port to listen on", fallback: "4000" },
  PUBLIC_URL: {
    meaning: "address that clients use, without a path; links are built on it, and it is the issuer of OAuth",
    fallback: null,
    without: "scheme and host of each request; `HOST:PORT` in mails",
  },
  MOVE_TO_DATABASE_URL: {
    meaning: "PostgreSQL of another cell, as the owner of its schema; only commands that move or copy read it",
    fallback: null,
  },
  MOVE_TO_SECRET_KEYS: { meaning: "`SECRET_KEYS` of that cell, where they differ", fallback: null },
  DATABASE_CONNECTIONS_MAX: { meaning: "connections that this process may hold", fallback: "10" },
  REDIS_URL: { meaning: "shared rate limits", fallback: null, without: "none: each process counts for itself" },
  CELL: { meaning: "number of this cell, 0 to 1023; must be what the database was set up with", fallback: "0" },
  CELLS: { meaning: "how many cells there are", fallback: "1" },
  CELL_DATABASE_URLS: {
    meaning: "PostgreSQL of every other cell, as the owners of their schemas, separated by commas; only `restored` reads it",
    fallback: null,
  },
  OUTBOUND: {
    meaning: "`off`: no mail, text message, webhook or push to a till leaves this process; what is due waits",
    fallback: "on",
  },
  LOG_LEVEL: { meaning: "`fatal`, `error`, `warn`, `info`, `debug` or `silent`", fallback: "info" },
  REUSE_PORT: { meaning: "`true`: several processes share the port", fallback: "false" },
  TRUSTED_PROXIES: {
    meaning: "addresses of proxies whose `X-Forwarded-*` headers are believed, separated by commas",
    fallback: "",
    without: "none",
  },
  RATE_PER_MINUTE: { meaning: "requests a minute for a token, where neither token nor plan says otherwise", fallback: "60" },
  UNAUTHENTICATED_RATE_PER_MINUTE: { meaning: "requests a minute from one address without a valid token", fallback: "600" },
  OAUTH_RATE_PER_MINUTE: { meaning: "requests a minute from one address to each OAuth endpoint", fallback: "60" },
  PAGE_RATE_PER_MINUTE: {
    meaning: "requests a minute from one address for pages and documents: console, reference, guides, OpenAPI",
    fallback: "6000",
  },
  CONSOLE_RATE_PER_MINUTE: {
    meaning: "console calls a minute of one person; five times as many for a venue, and for an address",
    fallback: "1200",
  },
  REQUESTS_AT_ONCE_MAX: {
    meaning: "requests of API and console that this process holds at once, waiting ones included; more are told 503 with `Retry-After`",
    fallback: "1000",
  },
  OPS_PORT: {
    meaning: "port where the process answers its operator: `/livez`, `/readyz` and `/metrics`; another one for each process",
    fallback: null,
    without: "none: it does not answer them",
  },
  OPS_HOST: { meaning: "address to listen on for the operator; one that guests and clients cannot reach", fallback: "127.0.0.1" },
  DRAIN_MS: { meaning: "how long a stopping process goes on answering, at most", fallback: "3000" },
  SECRET_KEYS: {
    meaning: "keys that seal secrets: `name:` and 32 bytes in base64, separated by commas, the current one first",
    fallback: null,
    without: "none: no webhook, no point of sale, no second factor",
  },
  SMTP_URL: {
    meaning: "mail server for messages to guests and owners, `smtp://` or `smtps://`, with user and password if it asks for them",
    fallback: null,
    without: "none: mail is noted as failed",
  },
  MAIL_FROM: { meaning: "address that mail comes from; the name before it is the venue's", fallback: "bookings@localhost" },
  SMS_GATEWAY_URL: { meaning: "address that text messages are posted to", fallback: null, without: "none: they are noted as failed" },
  SMS_GATEWAY_TOKEN: { meaning: "bearer token for that gateway", fallback: null },
  SMS_COUNTRIES: {
    meaning: "calling codes that text messages may go to, such as `+39,+41`",
    fallback: "",
    without: "all countries",
  },
  SMS_PER_VENUE_MAX: { meaning: "text messages of one venue in 24 hours; more are noted as skipped", fallback: "500" },
  MAILS_PER_VENUE_MAX: { meaning: "mails of one venue to guests and owners in 24 hours; more are noted as skipped", fallback: "2000" },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

type Environment = Record<string, string | undefined>;

/** What `comanda migrate` needs; null means the development database. */
export const readMigrationConfig = (environment: Environment): { url: string | null; cell: number } => {
  const faults: string[] = [];
  const { database } = readersOf(environment, faults);
  const url = database("MIGRATION_DATABASE_URL");
  const cell = Number(readSetting(environment, "CELL", faults));
  if (!Number.isInteger(cell) || cell < 0 || cell > 1023) faults.push("CELL must be a whole number from 0 to 1023.");
  if (url === null && readSetting(environment, "DATABASE_URL", faults) !== null)
    faults.push("MIGRATION_DATABASE_URL is missing: the schema is owned by another role than the one in DATABASE_URL.");
  refuse(faults);
  return { url, cell };
};

export type MoveConfig = { fromUrl: string; toUrl: string; secretKeys: readonly SecretKey[] };

/** What a move from this cell to another needs: both databases, and what the other one opens secrets with. */
export const readMoveConfig = (environment: Environment): MoveConfig => {
  const faults: string[] = [];
  const { text, database } = readersOf(environment, faults);
  const [fromUrl, toUrl] = (["MIGRATION_DATABASE_URL", "MOVE_TO_DATABASE_URL"] as const).map((name) => {
    const value = database(name);
    if (value === null && !faults.some((fault) => fault.startsWith(name))) faults.push(`${name} is missing (${SETTINGS[name].meaning}).`);
    return value ?? "";
  }) as [string, string];
  const secretKeys = readSecretKeys(text("MOVE_TO_SECRET_KEYS") ?? text("SECRET_KEYS"), faults);
  refuse(faults);
  return { fromUrl, toUrl, secretKeys };
};

export type RestoredConfig = { url: string; otherUrls: readonly string[]; isOneOfSeveral: boolean; cells: number; outbound: "on" | "off" };

/** What `comanda restored` needs: this database and those of the other cells, as the owners of their schemas. Null means the development database. */
export const readRestoredConfig = (environment: Environment): Omit<RestoredConfig, "url"> & { url: string | null; cell: number } => {
  const faults: string[] = [];
  const { text, whole, oneOf, database } = readersOf(environment, faults);
  const own = database("MIGRATION_DATABASE_URL");
  if (own === null && faults.length === 0 && text("DATABASE_URL") !== null)
    faults.push(`MIGRATION_DATABASE_URL is missing (${SETTINGS.MIGRATION_DATABASE_URL.meaning}).`);
  const otherUrls = splitDatabaseUrls(text("CELL_DATABASE_URLS") ?? "");
  const unreadable = otherUrls.map(parseDatabaseUrl).find((parsed) => typeof parsed === "string");
  if (unreadable !== undefined)
    faults.push(
      `CELL_DATABASE_URLS must be addresses that begin with postgres:// (${SETTINGS.CELL_DATABASE_URLS.meaning}). One of them ${unreadable}`,
    );
  const [cell, cells] = [whole("CELL", 0, 1023), whole("CELLS", 1, 1024)];
  const outbound = oneOf("OUTBOUND", ["on", "off"]) as RestoredConfig["outbound"];
  refuse(faults);
  return { url: own, otherUrls, isOneOfSeveral: cells > 1 || cell > 0, cell, cells, outbound };
};

const refuse = (faults: string[]): void => {
  if (faults.length > 0) throw new Misuse(`The configuration is not valid:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
};

/** How single settings are read; what is wrong with them is collected, not thrown. */
const readersOf = (environment: Environment, faults: string[]) => {
  const text = (name: SettingName): string | null => readSetting(environment, name, faults);
  const whole = (name: SettingName, min: number, max: number): number => {
    const value = Number(text(name) ?? Number.NaN);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    faults.push(`${name} must be a whole number from ${min} to ${max} (${SETTINGS[name].meaning}).`);
    return min;
  };
  const oneOf = (name: SettingName, choices: string[]): string => {
    const value = text(name) ?? "";
    if (!choices.includes(value)) faults.push(`${name} must be one of ${choices.join(", ")}.`);
    return value;
  };
  const url = (name: SettingName, protocols: string[]): string | null => {
    const value = text(name);
    if (value === null) return null;
    if (!protocols.some((protocol) => value.startsWith(protocol)))
      faults.push(`${name} must be an address that begins with ${protocols.join(" or ")} (${SETTINGS[name].meaning}).`);
    else if (!URL.canParse(value) || hasStrayAt(value)) faults.push(`${name} cannot be read. ${ESCAPE_ADVICE}.`);
    else return value;
    return null;
  };
  const database = (name: SettingName): string | null => {
    const value = text(name);
    const parsed = value === null ? null : parseDatabaseUrl(value);
    if (typeof parsed !== "string") return value;
    faults.push(`${name} ${parsed}`);
    return null;
  };
  return { text, whole, oneOf, url, database };
};

export const readConfig = (environment: Environment): Config => {
  const faults: string[] = [];
  const { text, whole, oneOf, url, database } = readersOf(environment, faults);
  const databaseUrl = database("DATABASE_URL");
  if (databaseUrl === null && !faults.some((fault) => fault.startsWith("DATABASE_URL")))
    faults.push(`DATABASE_URL is missing (${SETTINGS.DATABASE_URL.meaning}).`);
  const config: Config = {
    host: text("HOST") ?? "",
    port: whole("PORT", 0, 65_535),
    opsHost: text("OPS_HOST") ?? "",
    opsPort: text("OPS_PORT") === null ? null : whole("OPS_PORT", 0, 65_535),
    publicUrl: url("PUBLIC_URL", ["http://", "https://"])?.replace(/\/+$/, "") ?? null,
    databaseUrl: databaseUrl ?? "",
    databaseConnectionsMax: whole("DATABASE_CONNECTIONS_MAX", 1, 1000),
    redisUrl: url("REDIS_URL", ["redis://", "rediss://"]),
    cell: whole("CELL", 0, 1023),
    cells: whole("CELLS", 1, 1024),
    outbound: oneOf("OUTBOUND", ["on", "off"]) as Config["outbound"],
    logLevel: oneOf("LOG_LEVEL", ["fatal", "error", "warn", "info", "debug", "silent"]),
    reusePort: oneOf("REUSE_PORT", ["true", "false"]) === "true",
    trustedProxies: (text("TRUSTED_PROXIES") ?? "")
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean),
    ratePerMinute: whole("RATE_PER_MINUTE", 1, 1_000_000),
    unauthenticatedRatePerMinute: whole("UNAUTHENTICATED_RATE_PER_MINUTE", 1, 1_000_000),
    oauthRatePerMinute: whole("OAUTH_RATE_PER_MINUTE", 1, 1_000_000),
    pageRatePerMinute: whole("PAGE_RATE_PER_MINUTE", 1, 1_000_000),
    consoleRatePerMinute: whole("CONSOLE_RATE_PER_MINUTE", 1, 1_000_000),
    requestsAtOnceMax: whole("REQUESTS_AT_ONCE_MAX", 1, 1_000_000),
    drainMs: whole("DRAIN_MS", 0, 60_000),
    secretKeys: readSecretKeys(text("SECRET_KEYS"), faults),
    smtpUrl: url("SMTP_URL", ["smtp://", "smtps://"]),
    mailFrom: text("MAIL_FROM") ?? "",
    smsGatewayUrl: url("SMS_GATEWAY_URL", ["http://", "https://"]),
    smsGatewayToken: text("SMS_GATEWAY_TOKEN"),
    smsCountries: readCallingCodes(text("SMS_COUNTRIES") ?? "", faults),
    smsPerVenueMax: whole("SMS_PER_VENUE_MAX", 0, 1_000_000),
    mailsPerVenueMax: whole("MAILS_PER_VENUE_MAX", 0, 1_000_000),
  };
  refuse(faults);
  return Object.freeze(config);
};

const readCallingCodes = (text: string, faults: string[]): string[] => {
  const codes = text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  if (codes.some((code) => !/^\+[1-9]\d{0,3}$/.test(code))) faults.push("SMS_COUNTRIES must be a list of calling codes, such as +39,+41.");
  return codes;
};

const readSecretKeys = (text: string | null, faults: string[]): SecretKey[] => {
  const keys = text === null ? [] : parseSecretKeys(text);
  if (keys === null) faults.push("SECRET_KEYS must be a list of name:key, each key 32 bytes in base64, each name once.");
  return keys ?? [];
};

/** `NAME_FILE` names a file that holds the value, as container secrets are mounted. Values are never printed. */
const readSetting = (environment: Environment, name: SettingName, faults: string[]): string | null => {
  const file = environment[`${name}_FILE`];
  if (file) {
    try {
      return readFileSync(file, "utf8").trim();
    } catch {
      faults.push(`${name}_FILE names a file that cannot be read.`);
    }
  }
  const value = environment[name]?.trim();
  return value ? value : SETTINGS[name].fallback;
};
