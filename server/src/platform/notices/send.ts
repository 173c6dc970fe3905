/** How a message leaves the house: SMTP for mail, an HTTP gateway for text messages. Both are the operator's own. */
import { createTransport, type Transporter } from "nodemailer";
import { plainLine, plainName, plainText } from "#lib/plain-text.ts";
import type { Outcome } from "./service.ts";
import type { MessageRow } from "./store.ts";

/** What is sent; the id is the same on every attempt, so that a receiver knows a repetition. */
export type Letter = Pick<MessageRow, "channel" | "recipient" | "subject" | "body"> & { id: number | string };

export type Post = { send(letter: Letter, venueName: string): Promise<Outcome>; close(): void };

export type PostOptions = {
  smtpUrl: string | null;
  mailFrom: string;
  smsGatewayUrl: string | null;
  smsGatewayToken: string | null;
  /** Calling codes such as `+39` that text messages may go to; none: all. */
  smsCountries: readonly string[];
};

const SEND_MS_MAX = 10_000;
const SUBJECT_LENGTH_MAX = 150;
const ADDRESS = /^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+$/;

export const createPost = (options: PostOptions): Post => {
  const transport = options.smtpUrl === null ? null : openTransport(options.smtpUrl);
  return {
    async send(message, venueName) {
      try {
        if (message.channel === "sms") return await sendText(options, message);
        return transport ? await sendMail(transport, options.mailFrom, message, venueName) : refused("SMTP_URL is not set");
      } catch (error) {
        const { responseCode, message: reason } = error as { responseCode?: number; message: string };
        // RFC 5321 §4.2.1: 5xx is for good, 4xx and a broken line are for now.
        return { isSent: false, reason: reason.slice(0, 300), isFinal: responseCode !== undefined && responseCode >= 500 };
      }
    },
    close: () => transport?.close(),
  };
};

const refused = (reason: string): Outcome => ({ isSent: false, reason, isFinal: true });

/** A message is text from our own tables: it may neither read a file nor fetch an address. */
const openTransport = (url: string): Transporter => {
  const patience = { connectionTimeout: SEND_MS_MAX, greetingTimeout: SEND_MS_MAX, socketTimeout: SEND_MS_MAX };
  const options = { url, disableFileAccess: true, disableUrlAccess: true, ...patience };
  return createTransport(options as Parameters<typeof createTransport>[0]);
};

const sendMail = async (transport: Transporter, from: string, message: Letter, venueName: string): Promise<Outcome> => {
  // An address that could carry a second recipient or a header is never handed on.
  if (!ADDRESS.test(message.recipient)) return refused("not an address that can be written to");
  await transport.sendMail({
    from: { name: plainName(venueName), address: from },
    to: { name: "", address: message.recipient },
    subject: plainLine(message.subject, SUBJECT_LENGTH_MAX),
    text: plainText(message.body),
    messageId: `<message-${message.id}@${from.split("@")[1] ?? "comanda"}>`,
  });
  return { isSent: true };
};

const FOREIGN_DIGITS = /[\u0660-\u0669\u06F0-\u06F9]/g;

/** Digits and plus signs as every gateway writes them. */
const plainNumber = (recipient: string): string =>
  recipient
    .normalize("NFKC")
    .replaceAll(FOREIGN_DIGITS, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
    .replaceAll(/[^\d+]/g, "");

/** A number without a calling code is one of the gateway's own country. A calling code counts wherever it stands. */
const isServed = (recipient: string, countries: readonly string[]): boolean => {
  if (countries.length === 0) return true;
  const number = plainNumber(recipient).replace(/^00/, "+");
  const codeAt = number.lastIndexOf("+");
  return codeAt === -1 || countries.some((code) => number.startsWith(code, codeAt));
};

const sendText = async (options: PostOptions, message: Letter): Promise<Outcome> => {
  const { smsGatewayUrl, smsGatewayToken, smsCountries } = options;
  if (smsGatewayUrl === null) return refused("SMS_GATEWAY_URL is not set");
  if (!isServed(message.recipient, smsCountries)) return refused("SMS_COUNTRIES does not include the country of this number");
  const answer = await fetch(smsGatewayUrl, {
    method: "POST",
    redirect: "error",
    signal: AbortSignal.timeout(SEND_MS_MAX),
    headers: {
      "content-type": "application/json",
      ...(smsGatewayToken ? { authorization: `Bearer ${smsGatewayToken}` } : {}),
    },
    body: JSON.stringify({ id: `message-${message.id}`, to: message.recipient, text: plainText(message.body) }),
  });
  await answer.body?.cancel();
  if (answer.ok) return { isSent: true };
  // A refusal is for good; being told to slow down is not.
  const isFinal = answer.status >= 400 && answer.status < 500 && answer.status !== 429;
  return { isSent: false, reason: `the gateway answered ${answer.status}`, isFinal };
};
