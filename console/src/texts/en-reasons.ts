/** What came of sending to an address: one text for each code of the contract. */
import type { ReasonCode } from "@comanda/contract/reasons.ts";

export const enReasons = {
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
  secret: "The signing secret could not be opened: the operator should check SECRET_KEYS.",
  disconnected: "The receiver was disconnected before it could be reached.",
  removed: "The address was removed before it could be reached.",
  lapsed: "The venue had no plan in force when it was due. It can be sent again.",
  not_url: "The address is not a URL.",
  not_https: "The address must start with https://.",
  user_info: "The address must not hold a user name or a password.",
  is_https: "An https address.",
  name_found: "The name is known.",
  is_literal: "No name to look up: the address is written as numbers.",
  is_public: "A public address.",
  is_certified: "A connection, and a valid certificate.",
  has_answered: "The receiver answered with {{status}}.",
} as const satisfies Record<ReasonCode, string>;
