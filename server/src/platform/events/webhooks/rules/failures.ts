/** Why a send failed: by status, by error code, and as a sentence. */
import type { CheckResult, Failure, UrlError } from "@comanda/contract/console/reason-codes.ts";
import type { CheckStep } from "@comanda/contract/console/webhooks.ts";

export type { Failure };

const SENTENCES: Record<Failure | UrlError, string> = {
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
  secret: "The signing secret could not be opened: check ENCRYPTION_KEYS.",
  disconnected: "The receiver was disconnected before it could be reached.",
  removed: "The address was removed before it could be reached.",
  lapsed: "The venue had no plan in force when it was due. It can be sent again.",
  restored: "It was given up after the service was restored from a backup. It can be sent again.",
};

/** Mails and the command line show these English sentences. */
export const sentenceOf = (failure: Failure | UrlError): string => SENTENCES[failure];

/** Only 2xx is success; everything else is retried (open point D178). */
export const failureOfStatus = (status: number): Failure | null => {
  if (status >= 200 && status <= 299) return null;
  return status >= 300 && status <= 399 ? "redirect" : "status";
};

/** Error codes of Node, OpenSSL and the HTTP parser. */
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

/** The state of an endpoint that the console shows. */
type ShownEndpoint = { is_paused: boolean; failing_since: Date | null; last_failure_at: Date | null; waiting: number };

const RECENT_FAILURE_MS = 10 * 60 * 1000;

/** One success between failures does not make an endpoint `working`. */
export const shownState = (endpoint: ShownEndpoint, now: Date): "working" | "unsteady" | "failing" | "paused" => {
  if (endpoint.is_paused) return "paused";
  if (endpoint.failing_since !== null) return "failing";
  const failedMs = endpoint.last_failure_at === null ? Number.POSITIVE_INFINITY : now.getTime() - endpoint.last_failure_at.getTime();
  return endpoint.waiting > 0 || failedMs < RECENT_FAILURE_MS ? "unsteady" : "working";
};

/** The steps that the console shows when an owner checks an address. */
type AddressStep = CheckStep["step"];

/** The steps run in this order. */
const STEPS: readonly AddressStep[] = ["https", "dns", "public", "tls", "ping"];

const PASSED_CODES: Record<AddressStep, CheckResult> = {
  https: "is_https",
  dns: "name_found",
  public: "is_public",
  tls: "is_certified",
  ping: "has_answered",
};

/** The steps that passed, and the first one that failed, which ends the list. */
export const stepsOf = (
  passed: readonly { step: AddressStep; ms: number }[],
  end: { failure: CheckStep["reason"]["code"] | null; status: number | null; ms: number },
  isLiteral: boolean,
): CheckStep[] => {
  const values = end.status === null ? {} : { status: end.status };
  const good = passed.map(({ step, ms }): CheckStep => {
    const code = step === "dns" && isLiteral ? "is_literal" : PASSED_CODES[step];
    return { step, is_good: true, reason: { code, values: {} }, ms };
  });
  if (end.failure === null) return [...good, { step: "ping", is_good: true, reason: { code: "has_answered", values }, ms: end.ms }];
  // The connected address is checked again, so `public` can fail after later steps passed.
  const failedAt = end.failure === "blocked_address" ? "public" : (STEPS[passed.length] ?? "ping");
  const before = good.filter(({ step }) => STEPS.indexOf(step) < STEPS.indexOf(failedAt));
  return [...before, { step: failedAt, is_good: false, reason: { code: end.failure, values }, ms: end.ms }];
};
