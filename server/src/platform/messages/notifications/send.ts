/** Sends messages: mail by SMTP, text messages by an HTTP gateway. The operator configures both. */
import { createTransport, type Transporter } from "nodemailer";
import { describeError } from "#lib/described-error.ts";
import { plainLine, plainName, plainText } from "#lib/plain-text.ts";
import type { MessageFailure, MessageRow, SendOutcome } from "./store.ts";

/** The id is the same on every attempt, so that a receiver can detect a repetition. */
export type OutgoingMessage = Pick<MessageRow, "channel" | "recipient" | "subject" | "body"> & { id: number | string };

export type MessageSender = { send(message: OutgoingMessage, venueName: string): Promise<SendOutcome>; close(): void };

export type MessageSenderOptions = {
  smtpUrl: string | null;
  mailFrom: string;
  smsGatewayUrl: string | null;
  smsGatewayToken: string | null;
  /** Allowed calling codes such as `+39`. An empty list allows all. */
  smsCountries: readonly string[];
};

const SEND_MS_MAX = 10_000;
const SUBJECT_LENGTH_MAX = 150;
/** Finds numbers as people write them, with a word beside them or without; three digits at least. */
const NUMBER = /^[\p{L}\p{Nd}\p{Zs}\p{Pd}+＋()（）.:/#]*$/u;
const NUMBER_LENGTH_MAX = 60;
const DIGITS = /\p{Nd}.*\p{Nd}.*\p{Nd}/u;
const ADDRESS = /^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+$/;

export const createMessageSender = (options: MessageSenderOptions): MessageSender => {
  const transport = options.smtpUrl === null ? null : openTransport(options.smtpUrl);
  return {
    async send(message, venueName) {
      try {
        if (message.channel === "sms") return await sendText(options, message);
        return transport ? await sendMail(transport, options.mailFrom, message, venueName) : rejected("SMTP_URL is not set", "not_set_up");
      } catch (error) {
        const { responseCode } = error as { responseCode?: number };
        // RFC 5321 §4.2.1: 5xx is permanent. 4xx and a broken connection are transient.
        const isFinal = responseCode !== undefined && responseCode >= 500;
        return { isSent: false, reason: reasonOf(error), failure: isFinal ? "refused" : "unreachable", isFinal };
      }
    },
    close: () => transport?.close(),
  };
};

const REASON_LENGTH_MAX = 300;

/** Logged and stored. Mail servers repeat the address. */
const reasonOf = (error: unknown): string => plainLine(describeError(error).message, REASON_LENGTH_MAX);

const rejected = (reason: string, failure: MessageFailure): SendOutcome => ({ isSent: false, reason, failure, isFinal: true });

/** Nodemailer can attach files and addresses. Messages are text, so both are turned off. */
const openTransport = (url: string): Transporter => {
  const timeouts = { connectionTimeout: SEND_MS_MAX, greetingTimeout: SEND_MS_MAX, socketTimeout: SEND_MS_MAX };
  const options = { url, disableFileAccess: true, disableUrlAccess: true, ...timeouts };
  return createTransport(options as Parameters<typeof createTransport>[0]);
};

const sendMail = async (transport: Transporter, from: string, message: OutgoingMessage, venueName: string): Promise<SendOutcome> => {
  // An address with these characters could add a recipient or a header.
  if (!ADDRESS.test(message.recipient)) return rejected("not an address that can be written to", "address");
  await transport.sendMail({
    from: { name: plainName(venueName), address: from },
    to: { name: "", address: message.recipient },
    subject: plainLine(message.subject, SUBJECT_LENGTH_MAX),
    text: plainText(message.body),
    messageId: `<message-${message.id}@${from.split("@")[1] ?? "comanda"}>`,
  });
  return { isSent: true };
};

const ARABIC_DIGITS = /[\u0660-\u0669\u06F0-\u06F9]/g;

/** The number in ASCII digits and plus signs. */
const plainNumber = (recipient: string): string =>
  recipient
    .normalize("NFKC")
    .replaceAll(ARABIC_DIGITS, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
    .replaceAll(/[^\d+]/g, "");

/** A number without a calling code belongs to the gateway's country. A calling code counts at any position, so a prefix cannot hide it. */
const isCountryAllowed = (recipient: string, countries: readonly string[]): boolean => {
  if (countries.length === 0) return true;
  const number = plainNumber(recipient).replace(/^00/, "+");
  const codeAt = number.lastIndexOf("+");
  return codeAt === -1 || countries.some((code) => number.startsWith(code, codeAt));
};

const sendText = async (options: MessageSenderOptions, message: OutgoingMessage): Promise<SendOutcome> => {
  const { smsGatewayUrl, smsGatewayToken, smsCountries } = options;
  if (smsGatewayUrl === null) return rejected("SMS_GATEWAY_URL is not set", "not_set_up");
  const to = plainLine(message.recipient, NUMBER_LENGTH_MAX);
  if (!NUMBER.test(to) || !DIGITS.test(to)) return rejected("not a number that can be written to", "address");
  if (!isCountryAllowed(message.recipient, smsCountries))
    return rejected("SMS_COUNTRIES does not include the country of this number", "country");
  const answer = await fetch(smsGatewayUrl, {
    method: "POST",
    redirect: "error",
    signal: AbortSignal.timeout(SEND_MS_MAX),
    headers: {
      "content-type": "application/json",
      ...(smsGatewayToken ? { authorization: `Bearer ${smsGatewayToken}` } : {}),
    },
    body: JSON.stringify({ id: `message-${message.id}`, to, text: plainText(message.body) }),
  });
  await answer.body?.cancel();
  if (answer.ok) return { isSent: true };
  // 4xx is permanent, except 429.
  const isFinal = answer.status >= 400 && answer.status < 500 && answer.status !== 429;
  return { isSent: false, reason: `the gateway answered ${answer.status}`, failure: isFinal ? "refused" : "unreachable", isFinal };
};
