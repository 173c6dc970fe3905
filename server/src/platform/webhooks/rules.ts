/** Where we send and where we do not: https to a public address, and nothing of our own network (open point D179). */
import type { CheckStep } from "@comanda/contract/console-webhooks.ts";
import type { AddressFault, Failure, Finding } from "@comanda/contract/reasons.ts";
import ipaddr from "ipaddr.js";

export type { Failure };

/** IANA's special purposes for IPv4, and multicast. What is not listed is public. */
const IPV4_SPECIAL = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // shared by carriers
  "127.0.0.0/8", // loopback
  "169.254.0.0/16", // link-local, and the metadata services of clouds
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // AMT
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarking
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
].map((range) => ipaddr.IPv4.parseCIDR(range));

/** All of IPv6 that is handed out for use. Loopback, mapped, NAT64, local and multicast addresses lie outside. */
const IPV6_GLOBAL = ipaddr.IPv6.parseCIDR("2000::/3");
const IPV6_SPECIAL = [
  "2001::/23", // Teredo, ORCHID, benchmarking and other protocols
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4, which carries any IPv4 address
  "2620:4f:8000::/48", // AS112
  "3fff::/20", // documentation
].map((range) => ipaddr.IPv6.parseCIDR(range));

/** False for anything that is not plainly the address of a public host; text that is no address included. */
export const isPublicAddress = (text: string): boolean => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    const address = ipaddr.IPv4.parse(text);
    return !IPV4_SPECIAL.some((range) => address.match(range));
  }
  // A zone (`%eth0`) names an interface of this machine.
  if (text.includes("%") || !ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.IPv6.parse(text);
  return address.match(IPV6_GLOBAL) && !IPV6_SPECIAL.some((range) => address.match(range));
};

/** What is wrong with an address that somebody wants us to send to; null when nothing is. */
export const targetFault = (text: string): AddressFault | null => {
  if (!URL.canParse(text)) return "not_url";
  const url = new URL(text);
  if (url.protocol !== "https:") return "not_https";
  return url.username !== "" || url.password !== "" ? "user_info" : null;
};

/** The address of a host that is written as numbers; null where there is a name. */
export const literalOf = (url: string): string | null => {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
  return ipaddr.isValid(host) ? host : null;
};

/** A name that always means the machine itself (RFC 6761 §6.3). */
const LOCALHOST = /^(.+\.)?localhost\.?$/;

/** The same when the address is given, not used: a name may mean something else tomorrow, a literal may not. */
export const receiverFault = (text: string): AddressFault | "blocked_address" | null => {
  const fault = targetFault(text);
  if (fault !== null) return fault;
  const literal = literalOf(text);
  const isInner = literal === null ? LOCALHOST.test(new URL(text).hostname) : !isPublicAddress(literal);
  return isInner ? "blocked_address" : null;
};

const SENTENCES: Record<Failure | AddressFault, string> = {
  not_url: "The address is not a URL.",
  not_https: "The address must start with https://.",
  user_info: "The address must not hold a user name or a password.",
  address: "The address is not one we can send to.",
  blocked_address: "The address belongs to a private or special network.",
  dns: "The name of the host could not be resolved.",
  connection: "The connection failed.",
  unreachable: "No connection could be made in time.",
  handshake: "No TLS connection with HTTP/1.1 could be agreed on.",
  tls: "The certificate of the host is not valid.",
  timeout: "No complete answer came in time.",
  redirect: "The receiver answered with a redirect, which is not followed.",
  status: "The receiver did not answer with a 2xx status.",
  answer: "The receiver's answer is not valid HTTP.",
  secret: "The signing secret could not be opened: check SECRET_KEYS.",
  disconnected: "The receiver was disconnected before it could be reached.",
  removed: "The address was removed before it could be reached.",
  lapsed: "The venue had no plan in force when it was due. It can be sent again.",
  restored: "It was given up after the service was restored from a backup. It can be sent again.",
};

/** In English, for mails and the command line. */
export const sentenceOf = (failure: Failure | AddressFault): string => SENTENCES[failure];

/** Only 2xx is success; everything else is tried again (open point D178). */
export const failureOfStatus = (status: number): Failure | null => {
  if (status >= 200 && status <= 299) return null;
  return status >= 300 && status <= 399 ? "redirect" : "status";
};

const DELAYS_SECONDS = [60, 5 * 60, 30 * 60, 2 * 3600, 6 * 3600];

/** Six attempts, each delay counted from the failure before it (open point D177); null after the last. */
export const nextAttemptDelaySeconds = (attempts: number): number | null => DELAYS_SECONDS[attempts - 1] ?? null;

type Step = CheckStep["step"];

/** In the order in which they are taken. */
const STEPS: readonly Step[] = ["https", "dns", "public", "tls", "ping"];

const GOOD: Record<Step, Finding> = {
  https: "is_https",
  dns: "name_found",
  public: "is_public",
  tls: "is_certified",
  ping: "has_answered",
};

/** Those that were passed, each with its time, and what became of the rest: the first that failed is the last. */
export const stepsOf = (
  passed: readonly { step: Step; ms: number }[],
  end: { failure: CheckStep["reason"]["code"] | null; status: number | null; ms: number },
  isLiteral: boolean,
): CheckStep[] => {
  const values = end.status === null ? {} : { status: end.status };
  const good = passed.map(({ step, ms }): CheckStep => {
    const code = step === "dns" && isLiteral ? "is_literal" : GOOD[step];
    return { step, is_good: true, reason: { code, values: {} }, ms };
  });
  if (end.failure === null) return [...good, { step: "ping", is_good: true, reason: { code: "has_answered", values }, ms: end.ms }];
  // The connection is looked at once more when it stands: then it was not public after all.
  const failedAt = end.failure === "blocked_address" ? "public" : (STEPS[passed.length] ?? "ping");
  const before = good.filter(({ step }) => STEPS.indexOf(step) < STEPS.indexOf(failedAt));
  return [...before, { step: failedAt, is_good: false, reason: { code: end.failure, values }, ms: end.ms }];
};

/** What the codes of Node, of OpenSSL and of the HTTP parser mean to somebody whose receiver was not reached. */
const FAILURES_BY_CODE: [RegExp, Failure][] = [
  [
    /^(CERT_|ERR_TLS_CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|ERROR_IN_CERT_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|PATH_LENGTH_)/,
    "tls",
  ],
  [/^(ERR_TLS_|ERR_SSL_|EPROTO$)/, "handshake"],
  [/^HPE_/, "answer"],
];

export const failureOfCode = (code: string, isConnected: boolean): Failure => {
  if (code === "ETIMEDOUT") return isConnected ? "timeout" : "unreachable";
  return FAILURES_BY_CODE.find(([pattern]) => pattern.test(code))?.[1] ?? "connection";
};
