/**
 * Describes each setting once. The type `Config`, the checks, the table of the guide and the list in compose.yaml
 * (`npm run generate`) follow from it, in this order.
 */
import {
  baseUrl,
  callingCodes,
  databaseUrl,
  databaseUrls,
  encryptionKeys,
  list,
  oneOf,
  optional,
  type SettingKind,
  text,
  trueOrFalse,
  url,
  wholeNumber,
} from "#lib/setting-kinds.ts";

export type SettingEntry<T> = {
  meaning: string;
  kind: SettingKind<T>;
  default?: string;
  /** A text of the guide: what happens without a value, or what the default does not say. */
  without?: string;
  /** The processes do not read it, so that they need not know the password of the schema's owner. */
  readBy?: "commands";
  /** The container image fixes it, because the proxy and the health check rely on it. Compose does not pass it on. */
  fixedInImage?: true;
};

const RATE = wholeNumber(1, 1_000_000);
const DAILY_COUNT = wholeNumber(0, 1_000_000);
const PORT = wholeNumber(0, 65_535);

export const SETTINGS = {
  DATABASE_URL: { meaning: "PostgreSQL, as `comanda_app` or a member of it", kind: databaseUrl, without: "required" },
  MIGRATION_DATABASE_URL: {
    meaning: "PostgreSQL, as the schema's owner; only `migrate`, `venue move`, `app copy`, `proxy map` and `restored` read it",
    kind: optional(databaseUrl, null),
    readBy: "commands",
  },
  HOST: { meaning: "address to listen on; `0.0.0.0` for all", kind: text, default: "127.0.0.1", fixedInImage: true },
  PORT: { meaning: "port to listen on", kind: PORT, default: "4000", fixedInImage: true },
  PUBLIC_URL: {
    meaning: "address that clients use, without a path; links are built on it, and it is the issuer of OAuth",
    kind: optional(baseUrl, null),
    without: "scheme and host of each request; `HOST:PORT` in mails",
  },
  MOVE_TO_DATABASE_URL: {
    meaning: "PostgreSQL of another cell, as the owner of its schema; only commands that move or copy read it",
    kind: optional(databaseUrl, null),
    readBy: "commands",
  },
  MOVE_TO_ENCRYPTION_KEYS: {
    meaning: "`ENCRYPTION_KEYS` of that cell, where they differ",
    kind: optional(encryptionKeys, null),
    readBy: "commands",
  },
  DATABASE_CONNECTIONS_MAX: { meaning: "connections that this process may hold", kind: wholeNumber(1, 1000), default: "10" },
  REDIS_URL: {
    meaning: "shared rate limits, and changes told to other processes at once",
    kind: optional(url("redis://", "rediss://"), null),
    without: "none: each process counts for itself and reads changes four times a second while a page is open",
  },
  CELL: {
    meaning: "number of this cell, 0 to 1023; must be what the database was set up with",
    kind: wholeNumber(0, 1023),
    default: "0",
  },
  CELLS: { meaning: "how many cells there are", kind: wholeNumber(1, 1024), default: "1" },
  CELL_DATABASE_URLS: {
    meaning: "PostgreSQL of every other cell, as the owners of their schemas, separated by commas; only `restored` reads it",
    kind: optional(databaseUrls, []),
    readBy: "commands",
  },
  OUTBOUND: {
    meaning: "`off`: no mail, text message, webhook or push to a till leaves this process; what is due waits",
    kind: oneOf("on", "off"),
    default: "on",
  },
  LOG_LEVEL: {
    meaning: "`fatal`, `error`, `warn`, `info`, `debug` or `silent`",
    kind: oneOf("fatal", "error", "warn", "info", "debug", "silent"),
    default: "info",
  },
  REUSE_PORT: {
    meaning: "`true`: several processes share the port (SO_REUSEPORT), so that restarts need no proxy",
    kind: trueOrFalse,
    default: "false",
    fixedInImage: true,
  },
  TRUSTED_PROXIES: {
    meaning: "addresses of proxies whose `X-Forwarded-*` headers are believed, separated by commas",
    kind: list,
    default: "",
    without: "none",
  },
  RATE_PER_MINUTE: { meaning: "requests a minute for a token, where neither token nor plan says otherwise", kind: RATE, default: "60" },
  UNAUTHENTICATED_RATE_PER_MINUTE: {
    meaning: "requests a minute from one address without a valid token",
    kind: RATE,
    default: "600",
  },
  OAUTH_RATE_PER_MINUTE: { meaning: "requests a minute from one address to each OAuth endpoint", kind: RATE, default: "60" },
  PAGE_RATE_PER_MINUTE: {
    meaning: "requests a minute from one address for pages and documents: console, reference, guides, OpenAPI",
    kind: RATE,
    default: "6000",
  },
  CONSOLE_RATE_PER_MINUTE: {
    meaning: "console calls a minute of one person; five times as many for a venue, and for an address",
    kind: RATE,
    default: "1200",
  },
  MAX_CONCURRENT_REQUESTS: {
    meaning:
      "requests of API and console that this process holds at once, waiting ones included; it answers more with 503 and `Retry-After`",
    kind: RATE,
    default: "1000",
  },
  SOCKETS_MAX: {
    meaning: "connections of clients that this process holds at once; with more, idle ones of the network with the most end",
    kind: optional(RATE, null),
    without: "the process's limit of open files, less a reserve for the database; 10,000 at most",
  },
  SOCKETS_PER_ADDRESS_MAX: {
    meaning: "connections of one address, which `TRUSTED_PROXIES` may exceed; a quarter of all at most",
    kind: RATE,
    default: "1000",
  },
  OPS_PORT: {
    meaning: "port where the process answers its operator: `/livez`, `/readyz` and `/metrics`; another one for each process",
    kind: optional(PORT, null),
    without: "none: it does not answer them",
    fixedInImage: true,
  },
  OPS_HOST: {
    meaning: "address to listen on for the operator; one that guests and clients cannot reach",
    kind: text,
    default: "127.0.0.1",
    fixedInImage: true,
  },
  SHUTDOWN_GRACE_MS: {
    meaning: "how long a stopping process goes on answering, at most",
    kind: wholeNumber(0, 60_000),
    default: "3000",
  },
  ENCRYPTION_KEYS: {
    meaning: "keys that encrypt secrets: `name:` and 32 bytes in base64, separated by commas. The first one encrypts, all of them decrypt",
    kind: optional(encryptionKeys, []),
    without: "none: no webhook, no point of sale, no second factor",
  },
  SIGN_UP: {
    meaning: "who may open a venue in the browser: `invite`, whom the operator invites; `open`, anyone",
    kind: oneOf("invite", "open"),
    default: "invite",
  },
  SIGN_UP_PLAN: {
    meaning: "plan of a venue that is opened in the browser, where the invitation names none; `open` needs it",
    kind: optional(text, null),
    without: "`complete`",
  },
  SIGN_UP_MAILS_PER_HOUR_MAX: {
    meaning: "mails with a sign-up link that people ask for, of the whole service in an hour; asking for more gets 503",
    kind: DAILY_COUNT,
    default: "300",
  },
  SMTP_URL: {
    meaning: "mail server for messages to guests and owners, `smtp://` or `smtps://`, with user and password if it asks for them",
    kind: optional(url("smtp://", "smtps://"), null),
    without: "none: mail is noted as failed",
  },
  MAIL_FROM: {
    meaning: "address that mail comes from; the name before it is the venue's",
    kind: text,
    default: "bookings@localhost",
  },
  SMS_GATEWAY_URL: {
    meaning: "address that text messages are posted to",
    kind: optional(url("http://", "https://"), null),
    without: "none: they are noted as failed",
  },
  SMS_GATEWAY_TOKEN: { meaning: "bearer token for that gateway", kind: optional(text, null) },
  SMS_COUNTRIES: {
    meaning: "calling codes that text messages may go to, such as `+39,+41`",
    kind: callingCodes,
    default: "",
    without: "all countries",
  },
  SMS_PER_VENUE_MAX: {
    meaning: "text messages of one venue in 24 hours; more are noted as skipped",
    kind: DAILY_COUNT,
    default: "500",
  },
  MAILS_PER_VENUE_MAX: {
    meaning: "mails of one venue to guests and owners in 24 hours; more are noted as skipped",
    kind: DAILY_COUNT,
    default: "2000",
  },
} as const satisfies Record<string, SettingEntry<unknown>>;

export type SettingName = keyof typeof SETTINGS;

/** The settings that every process reads. */
export type ProcessSettingName = {
  [Name in SettingName]: (typeof SETTINGS)[Name] extends { readBy: "commands" } ? never : Name;
}[SettingName];

/** `DATABASE_URL` becomes the field `databaseUrl`. */
type FieldOf<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<FieldOf<Tail>>}`
  : Lowercase<Name>;

export type SettingValues<Name extends SettingName> = {
  [N in Name as FieldOf<N>]: (typeof SETTINGS)[N]["kind"] extends SettingKind<infer Value> ? Value : never;
};
