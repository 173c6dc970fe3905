/** The checks of an app's registration form. */
import type { AppForm } from "@comanda/contract/console/apps.ts";
import { hasUnseen, skeletonOf } from "#lib/confusable-names.ts";
import type { FieldErrors } from "#lib/errors.ts";
import { namesProduct } from "#lib/product-name.ts";

export const APPS_PER_USER_MAX = 20;
/** The current secret and those that are about to expire. */
export const SECRETS_MAX = 3;

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** The address must equal its normalized form, so that comparing strings compares addresses (RFC 9700 §2.1). */
const isExact = (text: string, url: URL): boolean => url.href === text || url.href === `${text}/`;

/** https, or http on localhost; no fragment (RFC 6749 §3.1.2), no user name, nothing that a browser would rewrite. */
export const redirectUriError = (text: string): string | null => {
  if (!URL.canParse(text)) return "Is not an address.";
  const url = new URL(text);
  if (text.includes("#")) return "Must not have a part behind #.";
  if (url.username !== "" || url.password !== "") return "Must not have a user name.";
  if (url.protocol !== "https:" && !(url.protocol === "http:" && LOOPBACK.has(url.hostname)))
    return "Must start with https:// (http:// only for localhost).";
  if (!isExact(text, url)) return `Must be written as ${url.href}`;
  return null;
};

const textError = (text: string): string | null => (hasUnseen(text) ? "Must not have characters that cannot be seen." : null);

const OF_THE_PLATFORM = "Must not have the name of this platform in it, also not in letters that look like it.";

/** An owner would take such an app for the platform's own. The operator may register those. */
export const productNameErrors = ({ name, developer }: AppForm): FieldErrors =>
  Object.fromEntries(
    Object.entries({ name, developer }).flatMap(([field, text]) => (namesProduct(text) ? [[field, [OF_THE_PLATFORM]]] : [])),
  );

export type NamedApp = { id: number; user_id: number | null; name: string };

/** A name that looks like a listed app's could deceive an owner. One developer may use similar names. */
export const nameError = (app: NamedApp, listed: readonly NamedApp[]): string | null => {
  const skeleton = skeletonOf(app.name);
  const isTaken = listed.some(({ id, user_id, name }) => id !== app.id && user_id !== app.user_id && skeletonOf(name) === skeleton);
  return isTaken ? "Looks like the name of another app in the catalogue." : null;
};

const pageUrlError = (text: string): string | null => {
  if (hasUnseen(text) || /\s/.test(text)) return "Must not have spaces, or characters that cannot be seen.";
  if (!URL.canParse(text)) return "Is not an address.";
  const url = new URL(text);
  if (url.protocol !== "https:") return "Must start with https://.";
  return url.username === "" && url.password === "" ? null : "Must not have a user name.";
};

const LOGO = /^data:image\/(png|jpeg|webp);base64,([A-Za-z0-9+/]+={0,2})$/;
const FILE_SIGNATURES: Record<string, RegExp> = { png: /^89504e47/, jpeg: /^ffd8ff/, webp: /^52494646.{8}57454250/ };

/** The file signature must match the type, so that a browser cannot read the picture as a document. */
const logoError = (logo: string): string | null => {
  const [, kind = "", data = ""] = LOGO.exec(logo) ?? [];
  const isPicture = FILE_SIGNATURES[kind]?.test(Buffer.from(data.slice(0, 32), "base64").toString("hex")) ?? false;
  return isPicture ? null : "Must be a PNG, JPEG or WebP picture of at most 64 kB.";
};

export const formErrors = (form: AppForm): FieldErrors => {
  const errors: [string, string | null][] = [
    ["name", textError(form.name)],
    ["developer", textError(form.developer)],
    ["summary", textError(form.summary)],
    ["site", pageUrlError(form.site)],
    ["install_url", form.install_url === null ? null : pageUrlError(form.install_url)],
    ["logo", form.logo === null ? null : logoError(form.logo)],
    ...form.redirect_uris.map((uri, index): [string, string | null] => [`redirect_uris.${index}`, redirectUriError(uri)]),
  ];
  return Object.fromEntries(errors.flatMap(([field, error]) => (error === null ? [] : [[field, [error]]])));
};
