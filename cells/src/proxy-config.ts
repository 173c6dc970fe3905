/** Writes the configuration of the proxy in front of several cells: HAProxy 2.6 or later, without scripts. */
import { ERRORS } from "@comanda/contract/errors.ts";
import { OAUTH_PREFIXES } from "@comanda/contract/oauth.ts";
import { UserError } from "@comanda/server/lib/errors.ts";
import { REVIEW_PATH } from "@comanda/server/lib/review-links.ts";
import { GRANT_NUMBER } from "@comanda/server/platform/programs/installations/rules/grant-secrets.ts";

export type CellProcess = {
  number: number;
  address: string;
  /** The port on which the process answers `/readyz`, on the same host. */
  opsPort: number;
};

export type ProxyOptions = {
  /** Several processes of one cell are several entries with its number. */
  cells: readonly CellProcess[];
  bind: string;
  /** Requests that name no cell go to this one. */
  defaultCell: number;
  /** Folder of the maps beside this configuration, as the proxy sees it. */
  folder: string;
  /** A PEM file with certificate and key; null: plain HTTP, for a proxy behind another one. */
  certificate: string | null;
  /** The socket on which the proxy takes commands, such as a new line for a map; null: none. */
  socket: string | null;
};

export const MOVED_MAP = "moved.map";
const DIGITS_MAP = "digits.map";

export type ProxyFiles = Record<"haproxy.cfg" | typeof MOVED_MAP | typeof DIGITS_MAP, string>;

export const CELL_COUNT = 1024;

const OPS_PORT = 4001;

/** `1=10.0.0.7:4000`, or `1=10.0.0.7:4000/4002` where OPS_PORT is another than 4001. */
export const parseCell = (text: string): CellProcess => {
  const [, number = "", address = "", opsPort = OPS_PORT] = /^(\d{1,4})=([A-Za-z0-9.\-[\]:]+:\d{1,5})(?:\/(\d{1,5}))?$/.exec(text) ?? [];
  if (address === "" || Number(number) >= CELL_COUNT)
    throw new UserError(
      `"${text}" is no cell: write its number from 0 to 1023, an equals sign, host and port, such as 1=10.0.0.7:4000, and behind a slash the port of OPS_PORT if that is not ${OPS_PORT}.`,
    );
  return { number: Number(number), address, opsPort: Number(opsPort) };
};

export const writeProxyFiles = (wanted: ProxyOptions, movedLines: readonly string[] = []): ProxyFiles => {
  if (!wanted.cells.some(({ number }) => number === wanted.defaultCell))
    throw new UserError(`The default cell ${wanted.defaultCell} is not among the cells.`);
  return {
    "haproxy.cfg": [GLOBAL(wanted), DEFAULTS, frontend(wanted), ...backends(wanted)].join("\n\n").concat("\n"),
    [MOVED_MAP]: movedLines.map((line) => `${line}\n`).join(""),
    [DIGITS_MAP]: [...GRANT_NUMBER.digits].map((digit, value) => `${digit} ${value}\n`).join(""),
  };
};

const GLOBAL = ({ socket }: ProxyOptions): string =>
  [
    "# Written by `comanda-admin proxy config`: write it again instead of changing it.",
    "global",
    ...(socket === null ? [] : [`  stats socket ${socket} mode 600 level admin`]),
    "  # The service takes 16 KiB of headers as well.",
    "  tune.bufsize 32768",
    "  tune.http.maxhdr 256",
  ].join("\n");

/** Quotes a text for HAProxy. */
const quoted = (text: string): string => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

const JSON_TYPE = quoted("application/json; charset=utf-8");

const body = (code: keyof typeof ERRORS): string => quoted(JSON.stringify({ error: { code, message: ERRORS[code].message, details: {} } }));

const OAUTH_DOWN = quoted(
  JSON.stringify({ error: "temporarily_unavailable", error_description: "The service cannot answer right now: try again shortly." }),
);

const DOWN_HEADERS = 'hdr "Retry-After" "2" hdr "Cache-Control" "no-store"';

/**
 * The service gives a request ten seconds to arrive and a statement five; the console's change stream sends a line every fifteen. Only a
 * connection that could not be made is tried again: nothing of the request was sent then, so it is safe for every method. A process
 * that is busy may take its time to say that it is ready: one that is gone refuses the connection at once.
 */
const DEFAULTS = `defaults
  mode http
  timeout connect 2s
  timeout http-request 10s
  timeout http-keep-alive 60s
  timeout client 40s
  timeout server 40s
  timeout queue 2s
  timeout check 3s
  retries 2
  retry-on conn-failure
  option redispatch 1
  option http-keep-alive
  http-reuse safe
${[500, 502, 503, 504]
  .map((status) => `  http-error status ${status} content-type ${JSON_TYPE} string ${body("service_unavailable")} ${DOWN_HEADERS}`)
  .join("\n")}`;

/** A browser that has been here once asks over TLS for a year, whatever a link says. Answers of the proxy itself say so too. */
const HSTS = '  http-after-response set-header Strict-Transport-Security "max-age=31536000"';

const OAUTH_FIELDS = ["code", "refresh_token", "token"];

/** The weights of nine digits of base 62, the first one first: what a number leaves when it is divided by 1024. */
const weights = (): number[] => {
  const list: number[] = [];
  for (let weight = 1; list.length < GRANT_NUMBER.length; weight = (weight * GRANT_NUMBER.digits.length) % CELL_COUNT) list.unshift(weight);
  return list;
};

/** Calls that carry a bearer token, wherever they go. */
const BEARER = [
  "  acl bearer req.hdr(authorization) -m reg -i ^bearer\\ +[1-9][0-9]{0,15}(\\||%7C)",
  "  http-request set-var(txn.number) req.hdr(authorization),word(2,\\ ),word(1,|%) if bearer",
];

/** Apps that exchange, refresh or revoke, by form or by JSON: what they bring names its grant, or is a token. */
const oauthCalls = (folder: string): string[] => [
  "  acl oauth_call path /oauth/token /oauth/revoke /oauth/token/ /oauth/revoke/",
  "  acl json req.hdr(content-type) -m sub -i json",
  "  http-request wait-for-body time 5s if oauth_call METH_POST",
  ...OAUTH_FIELDS.flatMap((field) => [
    `  http-request set-var(txn.secret) req.body_param(${field}),url_dec(1) if oauth_call !json { req.body_param(${field}) -m found }`,
    `  http-request set-var(txn.secret) req.body,json_query('$.${field}') if oauth_call json { req.body,json_query('$.${field}') -m found }`,
  ]),
  `  acl by_grant var(txn.secret) -m reg ^(${OAUTH_PREFIXES.code}|${OAUTH_PREFIXES.refreshToken})[0-9A-Za-z]{40}$`,
  "  acl by_token var(txn.secret) -m reg ^[1-9][0-9]{0,15}\\|",
  "  http-request set-var(txn.number) var(txn.secret),word(1,|) if by_token",
  `  http-request set-var(txn.grant) var(txn.secret),word(3,_),bytes(0,${GRANT_NUMBER.length}) if by_grant`,
  ...weights().map((weight, place) => {
    const digit = `var(txn.grant),bytes(${place},1),map_str_int(${folder}/${DIGITS_MAP},0),mul(${weight})`;
    return `  http-request set-var(txn.sum) ${place === 0 ? digit : `${digit},add(txn.sum)`} if by_grant`;
  }),
];

/** A guest's link to a review begins with the number of its venue. */
const GUESTS = [
  `  acl review_link path_reg ^${REVIEW_PATH}/[1-9][0-9]{0,15}[.]`,
  "  http-request set-var(txn.venue) path,word(2,/),word(1,.) if review_link",
];

/** A user's browser: `?cell=7` in the address once, a cookie from then on. */
const PEOPLE = [
  "  acl people path /console /oauth/authorize",
  "  acl people path_beg /console/",
  "  acl asks_for_cell url_param(cell) -m reg ^(0|[1-9][0-9]{0,3})$",
  "  acl remembers_cell req.cook(comanda-cell) -m reg ^(0|[1-9][0-9]{0,3})$",
  "  http-request set-var(txn.cell) req.cook(comanda-cell) if people remembers_cell",
  "  http-request set-var(txn.cell) url_param(cell) if people asks_for_cell",
  "  http-request set-var(txn.chosen) var(txn.cell) if people asks_for_cell",
  '  http-after-response add-header Set-Cookie "comanda-cell=%[var(txn.chosen)]; Path=/; Max-Age=31536000; SameSite=Lax; Secure; HttpOnly" if { var(txn.chosen) -m found }',
];

/** The number says the cell, unless its venue has moved. An unknown cell goes to the default backend, which refuses the token. */
const choice = (moved: string, cells: readonly number[]): string[] => [
  "  acl has_number var(txn.number) -m found",
  `  http-request set-var(txn.cell) var(txn.number),mod(${CELL_COUNT}) if has_number`,
  `  http-request set-var(txn.cell) var(txn.sum),mod(${CELL_COUNT}) if by_grant`,
  `  http-request set-var(txn.cell) var(txn.venue),mod(${CELL_COUNT}) if review_link`,
  "  http-request set-var(txn.key) str(token:),concat(,txn.number) if has_number",
  "  http-request set-var(txn.key) str(grant:),concat(,txn.grant) if by_grant",
  "  http-request set-var(txn.key) str(venue:),concat(,txn.venue) if review_link",
  `  http-request set-var(txn.cell) var(txn.key),map_str(${moved}) if { var(txn.key),map_str(${moved}) -m found }`,
  `  acl known_cell var(txn.cell) -m str ${cells.join(" ")}`,
  "  http-request set-var(txn.backend) str(cell_),concat(,txn.cell) if known_cell",
  `  http-request return status 503 content-type ${JSON_TYPE} string ${OAUTH_DOWN} ${DOWN_HEADERS} if oauth_call known_cell { var(txn.backend),nbsrv eq 0 }`,
  "  use_backend %[var(txn.backend)] if known_cell",
];

/**
 * A client, by its IPv4 address or IPv6 /64, may hold 500 connections and open 1,000 in ten seconds. Without a certificate another proxy is in
 * front, whose connections are those of all clients.
 */
const CONNECTION_LIMITS = [
  "  stick-table type ipv6 size 100k expire 1m store conn_cur,conn_rate(10s)",
  "  tcp-request connection track-sc0 src,ipmask(32,64)",
  "  tcp-request connection reject if { sc0_conn_cur gt 500 } || { sc0_conn_rate gt 1000 }",
];

/** The order is: bearer token, what an app sends in a body, a user's cell, a guest's link, the default. */
const frontend = ({ cells, bind, certificate, folder, defaultCell }: ProxyOptions): string =>
  [
    "frontend comanda",
    `  bind ${bind}${certificate === null ? "" : ` ssl crt ${certificate} alpn h2,http/1.1`}`,
    ...(certificate === null ? [] : [...CONNECTION_LIMITS, HSTS]),
    `  default_backend cell_${defaultCell}`,
    "  # Only this proxy says where a request came from. The cells name it in TRUSTED_PROXIES.",
    "  http-request del-header Forwarded",
    "  http-request del-header X-Forwarded-Host",
    "  http-request set-header X-Forwarded-For %[src]",
    "  http-request set-header X-Forwarded-Proto %[ssl_fc,iif(https,http)]",
    "  # What broke on the way to a cell is a service that cannot answer right now.",
    "  http-after-response set-status 503 if { status 502 504 }",
    ...BEARER,
    ...oauthCalls(folder),
    ...PEOPLE,
    ...GUESTS,
    ...choice(`${folder}/${MOVED_MAP}`, numbersOf(cells)),
  ].join("\n");

const numbersOf = (cells: readonly CellProcess[]): number[] => [...new Set(cells.map(({ number }) => number))].sort((a, b) => a - b);

const backends = ({ cells }: ProxyOptions): string[] =>
  numbersOf(cells).map((cell) => {
    const servers = cells
      .filter(({ number }) => number === cell)
      .map(({ address, opsPort }, place) => `  server ${cell}-${place} ${address} port ${opsPort}`);
    return [
      `backend cell_${cell}`,
      "  balance leastconn",
      "  option httpchk",
      "  http-check send meth GET uri /readyz",
      "  http-check expect status 200",
      "  default-server check inter 1s fastinter 200ms fall 2 rise 1",
      ...servers,
    ].join("\n");
  });
