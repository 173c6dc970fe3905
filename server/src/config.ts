/** The environment, read once: validated as a whole, frozen, and every fault listed together. */
import { readFileSync } from "node:fs";
import { Misuse } from "#lib/errors.ts";
import { parseSecretKeys, type SecretKey } from "#lib/sealed.ts";

export type Config = {
  host: string;
  port: number;
  /** A worker answers /livez, /readyz and /metrics here; null: nowhere. */
  metricsPort: number | null;
  /** Where clients reach the service; links are built on it. Null: as each request says. */
  publicUrl: string | null;
  databaseUrl: string;
  databaseConnectionsMax: number;
  redisUrl: string | null;
  cell: number;
  logLevel: string;
  /** Several processes may listen on one port (SO_REUSEPORT), which makes restarts seamless without a proxy. */
  reusePort: boolean;
  /** Addresses whose X-Forwarded-* headers are believed; none by default. */
  trustedProxies: string[];
  ratePerMinute: number;
  unauthenticatedRatePerMinute: number;
  /** For one address and each of the three OAuth endpoints. */
  oauthRatePerMinute: number;
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
    meaning: "PostgreSQL, as the schema's owner; only `migrate`, `venue move`, `app copy` and `proxy map` read it",
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
  REQUESTS_AT_ONCE_MAX: {
    meaning: "requests of the API that this process works on at once; more are told 503 with `Retry-After`",
    fallback: "1000",
  },
  METRICS_PORT: {
    meaning: "port on `HOST` where a process that is only a worker answers `/livez`, `/readyz` and `/metrics`",
    fallback: null,
    without: "none: it has no door",
  },
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
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

type Environment = Record<string, string | undefined>;

/** What `comanda migrate` needs; null means the development database. */
export const readMigrationConfig = (environment: Environment): { url: string | null; cell: number } => {
  const faults: string[] = [];
  const url = readSetting(environment, "MIGRATION_DATABASE_URL", faults);
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
  const { text, url } = readersOf(environment, faults);
  const [fromUrl, toUrl] = (["MIGRATION_DATABASE_URL", "MOVE_TO_DATABASE_URL"] as const).map((name) => {
    const value = url(name, ["postgres://", "postgresql://"]);
    if (value === null && !faults.some((fault) => fault.startsWith(name))) faults.push(`${name} is missing (${SETTINGS[name].meaning}).`);
    return value ?? "";
  }) as [string, string];
  const secretKeys = readSecretKeys(text("MOVE_TO_SECRET_KEYS") ?? text("SECRET_KEYS"), faults);
  refuse(faults);
  return { fromUrl, toUrl, secretKeys };
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
    if (value === null || isUrl(value, protocols)) return value;
    faults.push(`${name} must be an address that begins with ${protocols.join(" or ")} (${SETTINGS[name].meaning}).`);
    return null;
  };
  return { text, whole, oneOf, url };
};

export const readConfig = (environment: Environment): Config => {
  const faults: string[] = [];
  const { text, whole, oneOf, url } = readersOf(environment, faults);
  const databaseUrl = url("DATABASE_URL", ["postgres://", "postgresql://"]);
  if (databaseUrl === null && !faults.some((fault) => fault.startsWith("DATABASE_URL")))
    faults.push(`DATABASE_URL is missing (${SETTINGS.DATABASE_URL.meaning}).`);
  const config: Config = {
    host: text("HOST") ?? "",
    port: whole("PORT", 0, 65_535),
    metricsPort: text("METRICS_PORT") === null ? null : whole("METRICS_PORT", 0, 65_535),
    publicUrl: url("PUBLIC_URL", ["http://", "https://"])?.replace(/\/+$/, "") ?? null,
    databaseUrl: databaseUrl ?? "",
    databaseConnectionsMax: whole("DATABASE_CONNECTIONS_MAX", 1, 1000),
    redisUrl: url("REDIS_URL", ["redis://", "rediss://"]),
    cell: whole("CELL", 0, 1023),
    logLevel: oneOf("LOG_LEVEL", ["fatal", "error", "warn", "info", "debug", "silent"]),
    reusePort: oneOf("REUSE_PORT", ["true", "false"]) === "true",
    trustedProxies: (text("TRUSTED_PROXIES") ?? "")
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean),
    ratePerMinute: whole("RATE_PER_MINUTE", 1, 1_000_000),
    unauthenticatedRatePerMinute: whole("UNAUTHENTICATED_RATE_PER_MINUTE", 1, 1_000_000),
    oauthRatePerMinute: whole("OAUTH_RATE_PER_MINUTE", 1, 1_000_000),
    requestsAtOnceMax: whole("REQUESTS_AT_ONCE_MAX", 1, 1_000_000),
    drainMs: whole("DRAIN_MS", 0, 60_000),
    secretKeys: readSecretKeys(text("SECRET_KEYS"), faults),
    smtpUrl: url("SMTP_URL", ["smtp://", "smtps://"]),
    mailFrom: text("MAIL_FROM") ?? "",
    smsGatewayUrl: url("SMS_GATEWAY_URL", ["http://", "https://"]),
    smsGatewayToken: text("SMS_GATEWAY_TOKEN"),
  };
  refuse(faults);
  return Object.freeze(config);
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

const isUrl = (value: string, protocols: string[]): boolean =>
  protocols.some((protocol) => value.startsWith(protocol)) && URL.canParse(value);
