/** What an app may say of itself when it registers. */
import type { AppForm } from "@comanda/contract/console-apps.ts";
import type { Faults } from "#lib/errors.ts";
import { hasUnseen, skeletonOf } from "#lib/look-alikes.ts";

export const APPS_PER_PERSON_MAX = 20;
/** The current one, and those on their way out. */
export const SECRETS_MAX = 3;

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** As browsers read it back: then comparing strings is comparing addresses (RFC 9700 §2.1). */
const isExact = (text: string, url: URL): boolean => url.href === text || url.href === `${text}/`;

/** https, or http on the developer's own machine; no fragment (RFC 6749 §3.1.2), no user name, nothing a browser would rewrite. */
export const redirectFault = (text: string): string | null => {
  if (!URL.canParse(text)) return "Is not an address.";
  const url = new URL(text);
  if (text.includes("#")) return "Must not have a part behind #.";
  if (url.username !== "" || url.password !== "") return "Must not have a user name.";
  if (url.protocol !== "https:" && !(url.protocol === "http:" && LOOPBACK.has(url.hostname)))
    return "Must start with https:// (http:// only for localhost).";
  if (!isExact(text, url)) return `Must be written as ${url.href}`;
  return null;
};

const textFault = (text: string): string | null => (hasUnseen(text) ? "Must not have characters that cannot be seen." : null);

export type NamedApp = { id: number; person_id: number | null; name: string };

/** An owner who knows the listed app would take the other one for it. A developer may name several apps alike. */
export const nameFault = (app: NamedApp, listed: readonly NamedApp[]): string | null => {
  const skeleton = skeletonOf(app.name);
  const isTaken = listed.some(({ id, person_id, name }) => id !== app.id && person_id !== app.person_id && skeletonOf(name) === skeleton);
  return isTaken ? "Looks like the name of another app in the catalogue." : null;
};

const pageFault = (text: string): string | null => {
  if (hasUnseen(text) || /\s/.test(text)) return "Must not have spaces, or characters that cannot be seen.";
  if (!URL.canParse(text)) return "Is not an address.";
  const url = new URL(text);
  if (url.protocol !== "https:") return "Must start with https://.";
  return url.username === "" && url.password === "" ? null : "Must not have a user name.";
};

const LOGO = /^data:image\/(png|jpeg|webp);base64,([A-Za-z0-9+/]+={0,2})$/;
const FIRST_BYTES: Record<string, RegExp> = { png: /^89504e47/, jpeg: /^ffd8ff/, webp: /^52494646.{8}57454250/ };

/** A picture that is what it says: nothing that could be read as a document. */
const logoFault = (logo: string): string | null => {
  const [, kind = "", data = ""] = LOGO.exec(logo) ?? [];
  const isPicture = FIRST_BYTES[kind]?.test(Buffer.from(data.slice(0, 32), "base64").toString("hex")) ?? false;
  return isPicture ? null : "Must be a PNG, JPEG or WebP picture of at most 64 kB.";
};

export const formFaults = (form: AppForm): Faults => {
  const faults: [string, string | null][] = [
    ["name", textFault(form.name)],
    ["developer", textFault(form.developer)],
    ["summary", textFault(form.summary)],
    ["site", pageFault(form.site)],
    ["install_url", form.install_url === null ? null : pageFault(form.install_url)],
    ["logo", form.logo === null ? null : logoFault(form.logo)],
    ...form.redirect_uris.map((uri, index): [string, string | null] => [`redirect_uris.${index}`, redirectFault(uri)]),
  ];
  return Object.fromEntries(faults.flatMap(([field, fault]) => (fault === null ? [] : [[field, [fault]]])));
};
