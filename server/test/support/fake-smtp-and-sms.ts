/** A mail server and a text message gateway in this process, which keep what they get and answer as the test says. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { SMTPServer } from "smtp-server";

export type Mail = { to: string[]; head: string; body: string };
export type TextMessage = { headers: IncomingHttpHeaders; body: { id: string; to: string; text: string } };

export type FakeMailAndSms = {
  smtpUrl: string;
  gatewayUrl: string;
  mails: Mail[];
  texts: TextMessage[];
  /** What the mail server says to recipients, or null to take the mail, and what the gateway answers. */
  answers: { smtp: number | null; gateway: number };
  /** Empty boxes and friendly answers. */
  reset(): void;
  close(): Promise<void>;
};

const FRIENDLY = { smtp: null, gateway: 202 };

export const startFakeMailAndSms = async (): Promise<FakeMailAndSms> => {
  const mailAndSms = { mails: [] as Mail[], texts: [] as TextMessage[], answers: { ...FRIENDLY } as FakeMailAndSms["answers"] };
  const mailServer = openMailServer(mailAndSms);
  const gateway = openGateway(mailAndSms);
  mailServer.listen(0, "127.0.0.1");
  gateway.listen(0, "127.0.0.1");
  const [smtpPort, gatewayPort] = [await portOf(mailServer.server), await portOf(gateway)];
  return {
    ...mailAndSms,
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    gatewayUrl: `http://127.0.0.1:${gatewayPort}/texts`,
    reset() {
      mailAndSms.mails.length = 0;
      mailAndSms.texts.length = 0;
      Object.assign(mailAndSms.answers, FRIENDLY);
    },
    async close() {
      gateway.closeAllConnections();
      gateway.close();
      await new Promise<void>((resolve) => mailServer.close(resolve));
    },
  };
};

type ReceivedMessages = Pick<FakeMailAndSms, "mails" | "texts" | "answers">;

const portOf = async (server: Server): Promise<number> => {
  if (!server.listening) await new Promise((resolve) => server.once("listening", resolve));
  return (server.address() as AddressInfo).port;
};

const openMailServer = ({ mails, answers }: ReceivedMessages): SMTPServer =>
  new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    // As most mail servers do, it repeats the address that it refuses.
    onRcptTo: ({ address }, _session, callback) =>
      callback(answers.smtp === null ? null : Object.assign(new Error(`<${address}> not today`), { responseCode: answers.smtp })),
    onData: (stream, { envelope }, callback) => {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.push({ to, ...readMail(Buffer.concat(parts).toString()) });
        callback();
      });
    },
  });

const openGateway = ({ texts, answers }: ReceivedMessages) =>
  createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      texts.push({ headers: request.headers, body: JSON.parse(Buffer.concat(parts).toString()) });
      response.writeHead(answers.gateway).end();
    });
  });

/** As a mail program shows it: folded lines joined, encoded words and the body read back. */
const readMail = (raw: string): Omit<Mail, "to"> => {
  const [folded = "", ...rest] = raw.split("\r\n\r\n");
  const head = folded.replaceAll(/\r\n[ \t]+/g, " ").replaceAll("?= =?", "?==?");
  const encoding = /^content-transfer-encoding: (\S+)/im.exec(head)?.[1] ?? "";
  const word = (_: string, code: string, text: string) => decode(code.toUpperCase() === "B" ? "base64" : "word", text);
  return {
    head: head.replaceAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, word),
    body: decode(encoding, rest.join("\r\n\r\n")).replaceAll("\r\n", "\n"),
  };
};

const decode = (encoding: string, text: string): string => {
  if (encoding === "base64") return Buffer.from(text, "base64").toString();
  if (encoding === "word") return decode("quoted-printable", text.replaceAll("_", " "));
  if (encoding !== "quoted-printable") return text;
  const byte = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  return Buffer.from(text.replaceAll("=\r\n", "").replaceAll(/=([0-9A-F]{2})/gi, byte), "latin1").toString();
};
