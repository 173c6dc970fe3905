/** The stored login: root URL, token and signing secret in one file that only its owner may read. */
import { randomInt } from "node:crypto";
import { chmodSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { rootUrlOf } from "@comanda/sdk";
import { CommandError, EXIT } from "./errors.ts";
import { configFolder, readJsonFile, writePrivateFile } from "./files.ts";
import { note } from "./output.ts";
import { PROGRAM } from "./program.ts";

export type Login = { rootUrl: string; token: string };

export const loginPath = (): string => join(configFolder(), "login.json");

const isPublic = (path: string): boolean => process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0;

const readStored = (): Record<string, string> => {
  const stored = readJsonFile(loginPath());
  if (stored === null) return {};
  if (isPublic(loginPath())) {
    chmodSync(loginPath(), 0o600);
    note(`Other users could read ${loginPath()}. Now only you can; make a new token if you share this machine.`);
  }
  return Object.fromEntries(Object.entries(stored).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
};

const writeStored = (stored: Record<string, string>): void => writePrivateFile(loginPath(), `${JSON.stringify(stored, null, 2)}\n`);

/** The secret stays, so that the receiver on this machine goes on as it is. */
export const storeLogin = ({ rootUrl, token }: Login): void => writeStored({ ...readStored(), root_url: rootUrl, token });

export const removeLogin = (): void => rmSync(loginPath(), { force: true });

/** The environment counts more than the file. A token is never sent to another address than its own, so both come from one place. */
export const readLogin = (): Login => {
  const { COMANDA_URL, COMANDA_TOKEN } = process.env;
  if (COMANDA_URL && COMANDA_TOKEN) return { rootUrl: readRootUrl(COMANDA_URL), token: COMANDA_TOKEN };
  if (COMANDA_URL || COMANDA_TOKEN)
    throw new CommandError(EXIT.usage, "COMANDA_URL and COMANDA_TOKEN belong together: set both, or neither to use the stored login.");
  const { root_url: rootUrl, token } = readStored();
  if (rootUrl && token) return { rootUrl, token };
  throw new CommandError(EXIT.login, `There is no login on this machine. Run \`${PROGRAM} login\` first.`);
};

/** The address needs its scheme, because the user decides whether the token is sent in clear text. */
export const readRootUrl = (text: string): string => {
  const root = rootUrlOf(text);
  if (root !== null && /^https?:\/\//i.test(text.trim())) return root;
  throw new CommandError(EXIT.usage, `"${text}" is no address of a service. Give one such as ${root ?? "https://comanda.example"}`);
};

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 40;

/** The secret has the form of the secrets that the service makes. It is made once, then stored. */
export const signingSecret = (): string => {
  const stored = readStored();
  if (stored.signing_secret) return stored.signing_secret;
  const secret = `whsec_${Array.from({ length: SECRET_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("")}`;
  writeStored({ ...stored, signing_secret: secret });
  return secret;
};
