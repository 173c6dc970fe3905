/** `comanda login`: asks for address and token, tries them, and stores them. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { type Command, textOf } from "./command.ts";
import { CommandError, EXIT } from "./errors.ts";
import { note, print } from "./output.ts";
import { PROGRAM } from "./program.ts";
import { openService } from "./service.ts";
import { loginPath, readRootUrl, removeLogin, signingSecret, storeLogin } from "./stored-login.ts";

const DEFAULT_URL = "http://127.0.0.1:4000";

/** Asks on the terminal. A secret is not shown. */
const ask = async (question: string, isSecret: boolean): Promise<string> => {
  let isHidden = false;
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isHidden) process.stderr.write(chunk);
      done();
    },
  });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  const interrupted = new Promise<never>((_, reject) => {
    terminal.once("SIGINT", () => reject(new CommandError(EXIT.failed, "Nothing was stored.")));
  });
  try {
    const answer = terminal.question(question);
    isHidden = isSecret;
    return (await Promise.race([answer, interrupted])).trim();
  } finally {
    terminal.close();
    if (isSecret) process.stderr.write("\n");
  }
};

const readToken = async (): Promise<string> => {
  const token = process.stdin.isTTY ? await ask("Token: ", true) : (await text(process.stdin)).trim();
  if (token) return token;
  throw new CommandError(EXIT.usage, "There is no token. Give it on the terminal, through a pipe, or as COMANDA_TOKEN.");
};

const readUrl = async (): Promise<string> =>
  process.stdin.isTTY ? (await ask(`Address of the service [${DEFAULT_URL}]: `, false)) || DEFAULT_URL : DEFAULT_URL;

const isLoopback = (rootUrl: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(rootUrl).hostname);

/** Part of the token's form: the secret of a sandbox's token begins so. */
const isOfSandbox = (token: string): boolean => token.includes("|svc_sbx_");

export const loginCommand: Command = {
  summary: "store the address of the service and a token on this machine",
  usage: "[--url URL] [--token TOKEN]",
  words: [0, 0],
  options: {
    url: { type: "string", value: "URL", about: `address of the service; COMANDA_URL, or ${DEFAULT_URL}` },
    token: { type: "string", value: "TOKEN", about: "COMANDA_TOKEN, or what is piped in; a token here is in your shell's history" },
  },
  more: [
    "Without them it asks on the terminal. The token is tried with a call before it is stored, in a file that only you can read.",
    "A restaurant's owner makes tokens in the console, under Tokens; that of a sandbox is under Sandbox.",
  ],
  async run(given) {
    const { COMANDA_URL, COMANDA_TOKEN } = process.env;
    const rootUrl = readRootUrl(textOf(given, "url") ?? (COMANDA_URL || (await readUrl())));
    const token = (textOf(given, "token") ?? (COMANDA_TOKEN || (await readToken()))).trim();
    if (/[^\x21-\x7e]/.test(token))
      throw new CommandError(EXIT.usage, "This is no token: it has a space or another character that no token has.");
    if (rootUrl.startsWith("http:") && !isLoopback(rootUrl)) note("The address begins with http: the token is sent in clear text.");
    await openService({ rootUrl, token }).events.list({ after: "latest", limit: 1 }, { retries: 0 });
    storeLogin({ rootUrl, token });
    signingSecret();
    print(`Logged in to ${rootUrl}, ${isOfSandbox(token) ? "a sandbox" : "a live restaurant"}. Stored in ${loginPath()}`);
    print(`Next: ${PROGRAM} listen --forward-to http://localhost:3000/`);
  },
};

export const logoutCommand: Command = {
  summary: "delete the stored login and its signing secret",
  usage: "",
  words: [0, 0],
  options: {},
  more: ["The token stays valid. To end it, revoke it in the console, under Tokens."],
  async run() {
    removeLogin();
    print("The login is deleted from this machine.");
  },
};
